"""Questions about what a save cannot tell: unknown counters, hexes, levels, prisoners, crews."""

from __future__ import annotations

from asl_pbcg.campaign.board.board import Board
from asl_pbcg.campaign.module.catalogue import MMC, Catalogue
from asl_pbcg.campaign.position_words import EquipmentStatus, TerrainKind, UnitStatus
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import NOBODY, Side
from asl_pbcg.kernel.prompts import Note, Option, Script
from asl_pbcg.vasl.chosen import OUT, RULE, YES_NO, Chosen, choose, name_some
from asl_pbcg.vasl.scene import Seen, Unknown

FALLEN = (TerrainKind.RUBBLE_STONE, TerrainKind.RUBBLE_WOOD, TerrainKind.SHELLHOLE)
"""Where a building was."""


# -- counters we do not know --------------------------------------------------------------


def ask_unknown(chosen: Chosen, catalogue: Catalogue) -> Script[None]:
    """Name every counter that is not known; take what its number in VASL's palette stands for."""
    groups: dict[tuple[str, str, Side | None], list[Unknown]] = {}
    for each in chosen.scene.unknown:
        groups.setdefault((each.name, each.meant, each.side), []).append(each)
    for (name, meant, side), alike in groups.items():
        places = ", ".join(dict.fromkeys(one.at for one in alike))
        many = f"{len(alike)} counters" if len(alike) > 1 else "A counter"
        options = [Option(OUT, "leave out", "it is not in the position")]
        if meant and side:
            options.insert(0, Option("take", f"take as {side.title} {meant}"))
        answer = yield from choose(
            "unknown",
            f"{many} called {name} at {places} stands for nothing known here.",
            options,
            options[0].id,
            about=name,
            where=places[:60],
            help="It is not a counter of this campaign, or VASL calls it otherwise than it did. "
            "What is left out you can add to the position by hand.",
        )
        if answer == "take":
            chosen.take_unknown(alike, meant, catalogue)
    for each, other in chosen.scene.between:
        yield Note(f"{each.name} lies between {each.at} and {other}: taken in {each.at}.", RULE)
    for marker in chosen.scene.markers:
        yield Note(f"{marker.name} at {marker.at} lies on nothing it can be for.", RULE)


# -- where each counter is, then what belongs to what ---------------------------------------


def ask_doubts(chosen: Chosen, board: Board) -> Script[None]:
    """Ask what the save does not tell of the counters."""
    for seen in chosen.all():
        if "hex" in seen.doubts:
            text = f"{seen.name} lies between {seen.hex} and {seen.across}. Which hex is it in?"
            options = [Option(each, each) for each in (seen.hex, seen.across)]
            hex = yield from _about(seen, "hex", text, options, seen.hex)
            chosen.move(seen.key, hex)
    fallen = {each.location.hex for each in chosen.scene.terrain if each.kind in FALLEN}
    levels: dict[tuple[str, str], str] = {}
    for seen in chosen.all():
        stands = seen.hex in board.buildings and seen.hex not in fallen
        if "pillbox" in seen.doubts:
            yield from _level(chosen, seen, "pillbox", levels)
        elif "level" in seen.doubts and seen.hex in board.upper and stands:
            yield from _level(chosen, seen, "level", levels)
        elif seen.at != seen.hex and not stands:
            chosen.change(seen.key, at=seen.hex)
            yield Note(f"No building stands in {seen.hex}: {seen.name} is on the ground.", RULE)
    for seen in chosen.all():
        lost = bool(seen.holder) and seen.holder not in chosen.pieces  # of no type known here
        if lost:
            chosen.change(seen.key, holder="")
        for doubt in (*seen.doubts, *(["holder"] if lost else [])):
            if seen.key in chosen.pieces and doubt in _BELONGING:
                yield from _BELONGING[doubt](chosen, chosen.pieces[seen.key])


def _about(
    seen: Seen,
    doubt: str,
    text: str,
    options: list[Option],
    default: str | None,
    rule: str = RULE,
    about: str = "",
) -> Script[str]:
    """Ask what is true of a counter, or ``about`` its hex for all that lies there."""
    about = about or seen.key
    return (
        yield from choose(doubt, text, options, default, about=about, where=seen.hex, rule=rule)
    )


def _level(
    chosen: Chosen, seen: Seen, doubt: str, levels: dict[tuple[str, str], str]
) -> Script[None]:
    """Ask for the level of a stack without a level counter, once a stack."""
    place = (seen.hex, doubt)
    if place not in levels:
        stack = [other for other in chosen.all() if other.hex == seen.hex and doubt in other.doubts]
        words = name_some([other.name for other in stack])
        if doubt == "pillbox":
            options = [Option("pillbox", "inside the pillbox"), Option("0", "beneath it, outside")]
            text = f"{words} lie beneath the pillbox in {seen.hex}."
        else:
            names = ("ground level", "first level", "second level")
            options = [Option(str(number), name) for number, name in enumerate(names)]
            text = f"No level counter lies beneath {words} in {seen.hex}. Which level?"
        levels[place] = yield from _about(seen, doubt, text, options, options[0].id, about=seen.hex)
    level = levels[place]
    chosen.change(seen.key, at=seen.hex if level == "0" else f"{seen.hex}/{level}")


def _near(chosen: Chosen, seen: Seen) -> list[Seen]:
    return [chosen.pieces[key] for key in seen.nearby if key in chosen.pieces]


def _prisoner_side(chosen: Chosen, seen: Seen) -> Script[None]:
    guards = _near(chosen, seen)
    likely = guards[0].side.other if guards and guards[0].side else Side.GERMAN
    if UnitStatus.UNARMED in seen.status:
        text = f"Whose is {seen.name} in {seen.at}?"
        sides = [Option(side.value, side.title) for side in Side]
        default = likely.other.value if guards else None
        likely = Side((yield from _about(seen, "side", text, sides, default, "A20.5")))
    chosen.change(seen.key, side=likely)


def _guard(chosen: Chosen, seen: Seen) -> Script[None]:
    options = [
        Option(guard.key, guard.side_words, rule="A20.5")
        for guard in _near(chosen, seen)
        if guard.at == seen.at and UnitStatus.PRISONER not in guard.status
    ]
    if not options:
        chosen.drop(seen.key)
        yield Note(f"{seen.name} in {seen.at} has no Guard there; it is left out.", "A20.5")
        return
    text = f"Who guards {seen.name} in {seen.at}?"
    answer = yield from _about(seen, "guard", text, options, options[0].id, "A20.5")
    guard = chosen.pieces[answer]
    assert guard.side
    chosen.change(seen.key, side=guard.side.other, guard=answer)


def _holder(chosen: Chosen, seen: Seen) -> Script[None]:
    near = [unit for unit in _near(chosen, seen) if unit.at == seen.at]
    if not near:
        return
    options = [Option(unit.key, unit.side_words) for unit in near] + [Option(NOBODY, "nobody")]
    default = next((unit.key for unit in near if unit.kind in MMC), NOBODY)
    text = f"No unit lies beneath {seen.name} in {seen.at}. Who possesses it?"
    answer = yield from _about(seen, "holder", text, options, default, "A4.43")
    if answer != NOBODY:
        chosen.change(seen.key, holder=answer)


_BELONGING = {"side": _prisoner_side, "guard": _guard, "holder": _holder}
"""How doubts about what belongs to what are settled, in the order of a counter's doubts."""


def ask_armor_leaders(chosen: Chosen) -> Script[None]:
    """Put every Armor Leader into a vehicle of his hex: he is part of its crew. Rule: D3.4."""
    for seen in chosen.all():
        if seen.kind != "armor_leader" or seen.aboard:
            continue
        near = [each for each in chosen.vehicles_in(seen.hex) if each.side is seen.side]
        if near:
            chosen.change(seen.key, aboard=near[0].key)
        else:
            chosen.drop(seen.key)
            yield Note(f"{seen.name} in {seen.at} is in no vehicle; it is left out.", "D3.4")


# -- vehicles, once it is known which pieces the counters are --------------------------------


def ask_vehicles(chosen: Chosen, state: Campaign | None) -> Script[None]:
    """Settle which vehicles are captured, who is aboard them and which Guns they tow."""
    before = {piece.id: piece for piece in state.pieces} if state else {}
    for vehicle in chosen.all("vehicles"):
        yield from _capture(chosen, vehicle, before)
    for seen in chosen.all():
        if seen.aboard:
            yield from _aboard(chosen, seen, before)
    for gun in chosen.all("equipment"):
        if EquipmentStatus.HOOKED in gun.status and not gun.holder:
            yield from _tow(chosen, gun, before)


def _capture(chosen: Chosen, vehicle: Seen, before: dict[str, Piece]) -> Script[None]:
    """Ask whether the other side has a vehicle: it had it before, or its units lie on it.

    Rule: A21.2.
    """
    assert vehicle.side
    old = before.get(vehicle.id)
    had = old is not None and old.captured
    others = [
        each
        for each in chosen.all()
        if each.aboard and each.hex == vehicle.hex and each.side is not vehicle.side
    ]
    if had or others:
        text = f"Have the {vehicle.side.other.people} captured {vehicle.type} in {vehicle.at}?"
        default = "yes" if had else "no"
        answer = yield from _about(vehicle, "captured", text, [*YES_NO], default, "A21.2")
        chosen.change(vehicle.key, captured=answer == "yes")


def _aboard(chosen: Chosen, unit: Seen, before: dict[str, Piece]) -> Script[None]:
    """Ask whether a unit that lies on a vehicle is aboard, or aboard another of its hex.

    An Armor Leader is always aboard. Rule: D3.4, D6.1.
    """
    near = [each for each in chosen.vehicles_in(unit.hex) if each.has_it is unit.side]
    near.sort(key=lambda each: each.key != unit.aboard)
    leads = unit.kind == "armor_leader"
    if not near:
        chosen.change(unit.key, aboard="")
        return
    first = near[0]
    answer = first.key
    if not leads or len(near) > 1:
        last = _last_aboard(unit, near, before)
        options = [Option(each.key, f"aboard {each.side_words}") for each in near[1:]]
        options.insert(0, Option("yes", f"aboard {first.side_words}"))
        if not leads:
            options.insert(0, Option("no", "no"))
        text = f"Is {unit.name} in {unit.at} aboard {first.type}?"
        default = "yes" if last == first.key else last or options[0].id
        rule = "D3.4" if leads else "D6.1"
        answer = yield from _about(unit, "aboard", text, options, default, rule)
    if answer == "no":
        chosen.change(unit.key, aboard="")
    else:
        chosen.change(unit.key, aboard=first.key if answer == "yes" else answer, at=unit.hex)


def _last_aboard(unit: Seen, near: list[Seen], before: dict[str, Piece]) -> str:
    """Return the vehicle it was aboard; of a new unit, one that its like was aboard."""
    old = before.get(unit.id)
    if old is not None:
        return next((each.key for each in near if old.aboard and old.aboard == each.id), "")
    alike = {
        before[piece.aboard].type
        for piece in before.values()
        if piece.aboard in before and (piece.type, piece.side) == (unit.type, unit.side)
    }
    return near[0].key if near[0].type in alike else ""


def _tow(chosen: Chosen, gun: Seen, before: dict[str, Piece]) -> Script[None]:
    """Ask which vehicle of its hex tows a hooked Gun. Rule: C10.1."""
    near = chosen.vehicles_in(gun.hex)
    if not near:
        return
    last = (each.key for each in near if each.id in before and gun.id in before[each.id].tows)
    options = [Option(each.key, each.side_words) for each in near] + [Option(NOBODY, "none")]
    text = f"Which vehicle tows {gun.name} in {gun.at}?"
    answer = yield from _about(gun, "tow", text, options, next(last, near[0].key), "C10.1")
    if answer != NOBODY:
        chosen.change(gun.key, tower=answer)
