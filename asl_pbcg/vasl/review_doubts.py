"""What a save cannot tell is asked: unknown counters, hexes, levels, prisoners, crews."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from asl_pbcg.campaign.catalogue import MMC, Catalogue
from asl_pbcg.campaign.position_words import TerrainKind, UnitStatus
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import Option, Prompt, Script, ask, tell
from asl_pbcg.vasl.made_position import Chosen
from asl_pbcg.vasl.review_words import NOBODY, OUT, RULE, stack_names
from asl_pbcg.vasl.scene import Seen, Unknown

if TYPE_CHECKING:
    from asl_pbcg.campaign.board import Board

FALLEN = (TerrainKind.RUBBLE_STONE, TerrainKind.RUBBLE_WOOD, TerrainKind.SHELLHOLE)
"""Where a building was."""


# -- counters we do not know --------------------------------------------------------------


def ask_unknown(chosen: Chosen, catalogue: Catalogue) -> Script[None]:
    """Say every name that is not known; take what its number in VASL's palette stands for."""
    groups: dict[tuple[str, str, Side | None], list[Unknown]] = {}
    for each in chosen.scene.unknown:
        groups.setdefault((each.name, each.meant, each.side), []).append(each)
    for (name, meant, side), alike in groups.items():
        places = ", ".join(dict.fromkeys(one.at for one in alike))
        many = f"{len(alike)} counters" if len(alike) > 1 else "A counter"
        options = [Option(OUT, "leave out", "it is not in the position")]
        if meant and side:
            options.insert(0, Option("take", f"take as {side.title} {meant}"))
        answer = yield from ask(
            Prompt(
                id="vasl.unknown",
                about=name,
                where=places[:60],
                rule=RULE,
                options=tuple(options),
                default=options[0].id,
                text=f"{many} called {name} at {places} stands for nothing known here.",
                help="It is no counter of this campaign, or VASL calls it otherwise than it did. "
                "What is left out you can add to the position by hand.",
            )
        )
        if answer == "take":
            chosen.take_unknown(alike, meant, catalogue)
    for each, other in chosen.scene.between:
        yield from tell(
            f"{each.name} lies between {each.at} and {other}: taken in {each.at}.", RULE
        )
    for marker in chosen.scene.markers:
        yield from tell(f"{marker.name} at {marker.at} lies on nothing it can be for.", RULE)


# -- what a save cannot tell --------------------------------------------------------------


def ask_doubts(chosen: Chosen, board: Board) -> Script[None]:
    """Ask what the save does not tell of the counters: where each is, then what belongs to what."""
    for seen in chosen.pieces():
        if "hex" in seen.doubts:
            yield from _hex(chosen, seen)
    fallen = {each.location.hex for each in chosen.scene.terrain if each.kind in FALLEN}
    for seen in chosen.pieces():
        stands = seen.hex in board.buildings and seen.hex not in fallen
        if "pillbox" in seen.doubts:
            yield from _level(chosen, seen, "pillbox")
        elif "level" in seen.doubts and seen.hex in board.upper and stands:
            yield from _level(chosen, seen, "level")
        elif seen.at != seen.hex and not stands:
            chosen.set_at(seen.key, seen.hex)
            yield from tell(
                f"No building stands in {seen.hex}: {seen.name} is on the ground.", RULE
            )
    for seen in chosen.pieces():
        yield from _belonging(chosen, seen)


def _belonging(chosen: Chosen, seen: Seen) -> Script[None]:
    doubts = list(seen.doubts)
    if seen.holder and not chosen.has(seen.holder):  # he is of no type known here
        chosen.set_holder(seen.key, "")
        doubts.append("holder")
    for doubt in doubts:
        if not chosen.has(seen.key):
            return
        if doubt in ("side", "guard"):
            yield from _prisoner(chosen, seen, doubt)
        elif doubt == "holder":
            yield from _holder(chosen, seen)


def _which(
    doubt: str,
    seen: Seen,
    text: str,
    options: Sequence[Option],
    default: str | None,
    rule: str = RULE,
    about: str = "",
) -> Script[str]:
    """Ask what is true of a counter, or ``about`` its hex for all that lies there."""
    answer: str = yield from ask(
        Prompt(
            id=f"vasl.{doubt}",
            about=about or seen.key,
            where=seen.hex,
            rule=rule,
            options=tuple(options),
            default=default,
            text=text,
        )
    )
    return answer


def _hex(chosen: Chosen, seen: Seen) -> Script[None]:
    """Which hex a counter on a hexside belongs to; a vehicle there is in Bypass."""
    text = f"{seen.name} lies between {seen.hex} and {seen.across}. Which hex is it in?"
    options = [Option(each, each) for each in (seen.hex, seen.across)]
    chosen.move(seen.key, (yield from _which("hex", seen, text, options, seen.hex)))


def _level(chosen: Chosen, seen: Seen, doubt: str) -> Script[None]:
    """The level of a stack without a level counter; asked once a stack."""
    place = (seen.hex, doubt)
    if place not in chosen.levels:
        stack = [
            other for other in chosen.pieces() if other.hex == seen.hex and doubt in other.doubts
        ]
        words = stack_names(stack)
        if doubt == "pillbox":
            options = [Option("pillbox", "inside the pillbox"), Option("0", "beneath it, outside")]
            text = f"{words} lie beneath the pillbox in {seen.hex}."
        else:
            names = ("ground level", "first level", "second level")
            options = [Option(str(number), name) for number, name in enumerate(names)]
            text = f"No level counter lies beneath {words} in {seen.hex}. Which level?"
        chosen.levels[place] = yield from _which(
            doubt, seen, text, options, options[0].id, about=seen.hex
        )
    level = chosen.levels[place]
    chosen.set_at(seen.key, seen.hex if level == "0" else f"{seen.hex}/{level}")


def _prisoner(chosen: Chosen, seen: Seen, doubt: str) -> Script[None]:
    if doubt == "side":
        guards = [chosen.piece(key) for key in seen.nearby if chosen.has(key)]
        likely = guards[0].side.other if guards and guards[0].side else Side.GERMAN
        if UnitStatus.UNARMED not in seen.status:
            chosen.set_side(seen.key, likely)
            return
        text = f"Whose is {seen.name} in {seen.at}?"
        sides = [Option(side.value, side.title) for side in Side]
        default = likely.other.value if guards else None
        answer = yield from _which("side", seen, text, sides, default, "A20.5")
        chosen.set_side(seen.key, Side(answer))
        return
    options = [
        Option(key, chosen.words(key), rule="A20.5")
        for key in seen.nearby
        if chosen.has(key)
        and chosen.piece(key).at == chosen.piece(seen.key).at
        and UnitStatus.PRISONER not in chosen.piece(key).status
    ]
    if not options:
        chosen.drop(seen.key)
        yield from tell(f"{seen.name} in {seen.at} has no Guard there; it is left out.", "A20.5")
        return
    text = f"Who guards {seen.name} in {seen.at}?"
    answer = yield from _which("guard", seen, text, options, options[0].id, "A20.5")
    guard = chosen.piece(answer)
    assert guard.side
    chosen.set_side(seen.key, guard.side.other)
    chosen.guards[seen.key] = answer


def _holder(chosen: Chosen, seen: Seen) -> Script[None]:
    near = [key for key in seen.nearby if chosen.has(key)]
    there = [key for key in near if chosen.piece(key).at == chosen.piece(seen.key).at]
    if not there:
        return
    options = [Option(key, chosen.words(key)) for key in there]
    options.append(Option(NOBODY, "nobody"))
    crews = [key for key in there if chosen.piece(key).kind in MMC]
    at = chosen.piece(seen.key).at
    text = f"No unit lies beneath {seen.name} in {at}. Who possesses it?"
    default = crews[0] if crews else NOBODY
    answer = yield from _which("holder", seen, text, options, default, "A4.43")
    if answer != NOBODY:
        chosen.set_holder(seen.key, answer)


def ask_armor_leaders(chosen: Chosen) -> Script[None]:
    """Put every Armor Leader into a vehicle of his hex: he is part of its crew. Rule: D3.4."""
    for seen in chosen.pieces():
        if seen.kind != "armor_leader" or seen.aboard:
            continue
        there = [
            each
            for each in chosen.pieces()
            if each.section == "vehicles" and (each.hex, each.side) == (seen.hex, seen.side)
        ]
        if there:
            chosen.set_aboard(seen.key, there[0].key)
        else:
            chosen.drop(seen.key)
            yield from tell(f"{seen.name} in {seen.at} is in no vehicle; it is left out.", "D3.4")
