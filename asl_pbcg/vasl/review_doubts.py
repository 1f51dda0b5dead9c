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
    for counter in chosen.scene.unknown:
        groups.setdefault((counter.name, counter.meant, counter.side), []).append(counter)
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
    for counter, across in chosen.scene.between:
        yield Note(
            f"{counter.name} lies between {counter.at} and {across}: taken in {counter.at}.", RULE
        )
    for marker in chosen.scene.markers:
        yield Note(f"{marker.name} at {marker.at} lies on nothing it can be for.", RULE)


# -- where each counter is, then what belongs to what ---------------------------------------


def ask_doubts(chosen: Chosen, board: Board) -> Script[None]:
    """Ask what the save does not tell of the counters."""
    for piece in chosen.all():
        if "hex" in piece.doubts:
            places = f"{piece.hex} and {piece.across}"
            text = f"{piece.name} lies between {places}. Which hex is it in?"
            options = [Option(hex_name, hex_name) for hex_name in (piece.hex, piece.across)]
            hex = yield from _about(piece, "hex", text, options, piece.hex)
            chosen.move(piece.key, hex)
    fallen = {change.location.hex for change in chosen.scene.terrain if change.kind in FALLEN}
    levels: dict[tuple[str, str], str] = {}
    for piece in chosen.all():
        stands = piece.hex in board.buildings and piece.hex not in fallen
        if "pillbox" in piece.doubts:
            yield from _level(chosen, piece, "pillbox", levels)
        elif "level" in piece.doubts and piece.hex in board.upper and stands:
            yield from _level(chosen, piece, "level", levels)
        elif piece.at != piece.hex and not stands:
            chosen.change(piece.key, at=piece.hex)
            yield Note(f"No building stands in {piece.hex}: {piece.name} is on the ground.", RULE)
    for piece in chosen.all():
        lost = bool(piece.holder) and piece.holder not in chosen.pieces  # of no type known here
        if lost:
            chosen.change(piece.key, holder="")
        for doubt in (*piece.doubts, *(["holder"] if lost else [])):
            if piece.key in chosen.pieces and doubt in _BELONGING:
                yield from _BELONGING[doubt](chosen, chosen.pieces[piece.key])


def _about(
    piece: Seen,
    doubt: str,
    text: str,
    options: list[Option],
    default: str | None,
    rule: str = RULE,
    about: str = "",
) -> Script[str]:
    """Ask what is true of a counter, or ``about`` its hex for all that lies there."""
    about = about or piece.key
    return (
        yield from choose(doubt, text, options, default, about=about, where=piece.hex, rule=rule)
    )


def _level(
    chosen: Chosen, piece: Seen, doubt: str, levels: dict[tuple[str, str], str]
) -> Script[None]:
    """Ask for the level of a stack without a level counter, once a stack."""
    place = (piece.hex, doubt)
    if place not in levels:
        stack = [mate for mate in chosen.all() if mate.hex == piece.hex and doubt in mate.doubts]
        words = name_some([mate.name for mate in stack])
        if doubt == "pillbox":
            options = [Option("pillbox", "inside the pillbox"), Option("0", "beneath it, outside")]
            text = f"{words} lie beneath the pillbox in {piece.hex}."
        else:
            names = ("ground level", "first level", "second level")
            options = [Option(str(number), name) for number, name in enumerate(names)]
            text = f"No level counter lies beneath {words} in {piece.hex}. Which level?"
        levels[place] = yield from _about(
            piece, doubt, text, options, options[0].id, about=piece.hex
        )
    level = levels[place]
    chosen.change(piece.key, at=piece.hex if level == "0" else f"{piece.hex}/{level}")


def _near(chosen: Chosen, piece: Seen) -> list[Seen]:
    return [chosen.pieces[key] for key in piece.nearby if key in chosen.pieces]


def _prisoner_side(chosen: Chosen, piece: Seen) -> Script[None]:
    guards = _near(chosen, piece)
    likely = guards[0].side.other if guards and guards[0].side else Side.GERMAN
    if UnitStatus.UNARMED in piece.status:
        text = f"Whose is {piece.name} in {piece.at}?"
        sides = [Option(side.value, side.title) for side in Side]
        default = likely.other.value if guards else None
        likely = Side((yield from _about(piece, "side", text, sides, default, "A20.5")))
    chosen.change(piece.key, side=likely)


def _guard(chosen: Chosen, piece: Seen) -> Script[None]:
    options = [
        Option(guard.key, guard.side_words, rule="A20.5")
        for guard in _near(chosen, piece)
        if guard.at == piece.at and UnitStatus.PRISONER not in guard.status
    ]
    if not options:
        chosen.drop(piece.key)
        yield Note(f"{piece.name} in {piece.at} has no Guard there; it is left out.", "A20.5")
        return
    text = f"Who guards {piece.name} in {piece.at}?"
    answer = yield from _about(piece, "guard", text, options, options[0].id, "A20.5")
    guard = chosen.pieces[answer]
    assert guard.side
    chosen.change(piece.key, side=guard.side.other, guard=answer)


def _holder(chosen: Chosen, piece: Seen) -> Script[None]:
    near = [unit for unit in _near(chosen, piece) if unit.at == piece.at]
    if not near:
        return
    options = [Option(unit.key, unit.side_words) for unit in near] + [Option(NOBODY, "nobody")]
    default = next((unit.key for unit in near if unit.kind in MMC), NOBODY)
    text = f"No unit lies beneath {piece.name} in {piece.at}. Who possesses it?"
    answer = yield from _about(piece, "holder", text, options, default, "A4.43")
    if answer != NOBODY:
        chosen.change(piece.key, holder=answer)


_BELONGING = {"side": _prisoner_side, "guard": _guard, "holder": _holder}
"""How doubts about what belongs to what are settled, in the order of a counter's doubts."""


def ask_armor_leaders(chosen: Chosen) -> Script[None]:
    """Put every Armor Leader into a vehicle of his hex: he is part of its crew. Rule: D3.4."""
    for piece in chosen.all():
        if piece.kind != "armor_leader" or piece.aboard:
            continue
        near = [vehicle for vehicle in chosen.vehicles_in(piece.hex) if vehicle.side is piece.side]
        if near:
            chosen.change(piece.key, aboard=near[0].key)
        else:
            chosen.drop(piece.key)
            yield Note(f"{piece.name} in {piece.at} is in no vehicle; it is left out.", "D3.4")


# -- vehicles, once it is known which pieces the counters are --------------------------------


def ask_vehicles(chosen: Chosen, state: Campaign | None) -> Script[None]:
    """Settle which vehicles are captured, who is aboard them and which Guns they tow."""
    before = {piece.id: piece for piece in state.pieces} if state else {}
    for vehicle in chosen.all("vehicles"):
        yield from _capture(chosen, vehicle, before)
    for unit in chosen.all():
        if unit.aboard:
            yield from _aboard(chosen, unit, before)
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
        unit
        for unit in chosen.all()
        if unit.aboard and unit.hex == vehicle.hex and unit.side is not vehicle.side
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
    near = [vehicle for vehicle in chosen.vehicles_in(unit.hex) if vehicle.has_it is unit.side]
    near.sort(key=lambda vehicle: vehicle.key != unit.aboard)
    leads = unit.kind == "armor_leader"
    if not near:
        chosen.change(unit.key, aboard="")
        return
    first = near[0]
    answer = first.key
    if not leads or len(near) > 1:
        last = _last_aboard(unit, near, before)
        options = [Option(vehicle.key, f"aboard {vehicle.side_words}") for vehicle in near[1:]]
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
        return next(
            (vehicle.key for vehicle in near if old.aboard and old.aboard == vehicle.id), ""
        )
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
    last = (
        vehicle.key
        for vehicle in near
        if vehicle.id in before and gun.id in before[vehicle.id].tows
    )
    options = [Option(vehicle.key, vehicle.side_words) for vehicle in near] + [
        Option(NOBODY, "none")
    ]
    text = f"Which vehicle tows {gun.name} in {gun.at}?"
    answer = yield from _about(gun, "tow", text, options, next(last, near[0].key), "C10.1")
    if answer != NOBODY:
        chosen.change(gun.key, tower=answer)
