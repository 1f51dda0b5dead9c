"""The questions about a save: what it cannot tell is asked, what it seems to say is confirmed.

Every question has an id of its own that begins with ``vasl.``, and says what it is about (the key
of a counter, a hex, a name), so that an answers file can answer it.
"""

from __future__ import annotations

import msgspec

from asl_pbcg.campaign.areas.strategic_locations import StrategicLocations, infer_control
from asl_pbcg.campaign.board.board import Board
from asl_pbcg.campaign.entry.position_fields import read_place
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.module.catalogue import Catalogue
from asl_pbcg.campaign.position import Control, Fortification, Position
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.terms import NOBODY, CGDate, Side
from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Script, ask, ask_some
from asl_pbcg.kernel.reader import Wrong
from asl_pbcg.kernel.wording import number_words
from asl_pbcg.vasl.chosen import RULE, Chosen, choose, make_position, name_some
from asl_pbcg.vasl.review_doubts import ask_armor_leaders, ask_doubts, ask_unknown, ask_vehicles
from asl_pbcg.vasl.review_identities import ask_freedom, ask_identities, ask_types
from asl_pbcg.vasl.scene import Scene


def review(
    scene: Scene,
    state: Campaign | None,
    board: Board,
    catalogue: Catalogue,
) -> Script[Position | None]:
    """Settle the position that a save shows; None if the players do not take it.

    ``state`` is the campaign whose scenario it ends; without one, ids are made up. Both are what
    whoever answers may see.
    """
    date = state.date if state else (yield from _date())
    chosen = Chosen(scene, date)
    yield from ask_unknown(chosen, catalogue)
    yield from ask_doubts(chosen, board)
    yield from ask_armor_leaders(chosen)
    if state is None:
        chosen.make_up_ids()
        yield Note(f"{number_words(len(chosen.pieces), 'piece')}, with names made up.", RULE)
    else:
        yield from ask_identities(chosen, state)
    yield from ask_vehicles(chosen, state)
    yield from ask_types(chosen, state, catalogue)
    yield from _owners(chosen, state)
    if state is not None:
        yield from ask_freedom(chosen, state)
    position = make_position(chosen, state, catalogue)
    position = yield from _control(position, chosen, state, board, catalogue)
    yield from _tell_at_last(chosen, state)
    taken = yield from choose(
        "take",
        f"Take this position: {_count_words(position)}?",
        (Option("yes", "yes"), Option("no", "no, leave it")),
        "yes",
        help="Nothing is written before you say yes. u undoes the last answer.",
    )
    return position if taken == "yes" else None


def _count_words(position: Position) -> str:
    counts = (
        number_words(len(position.units), "unit"),
        f"{number_words(len(position.equipment), 'piece')} of Equipment",
        number_words(len(position.vehicles), "vehicle"),
        number_words(len(position.fortifications), "Fortification"),
    )
    return ", ".join(counts)


_SIDES = tuple(Option(side.value, side.title) for side in Side)


def _date() -> Script[CGDate]:
    dates = [Option(date.value, date.title) for date in CGDate]
    return CGDate((yield from choose("date", "Which CG Date was played?", dates)))


# -- Fortifications, Control and the rest ----------------------------------------------------


def _owners(chosen: Chosen, state: Campaign | None) -> Script[None]:
    """Ask whose a Fortification is that no record tells, if it is hidden."""
    for number, part in enumerate(chosen.fortifications):
        matches = state and [
            work for work in state.fortifications if (work.kind, work.at) == (part.kind, part.at)
        ]
        if matches:
            old = matches[0]
            chosen.fortifications[number] = msgspec.structs.replace(
                part,
                owner=old.owner,
                notes=old.notes,
                strength=part.strength or old.strength,
                ca=part.ca or old.ca,
                size=part.size if part.size is not None else old.size,
                hidden=part.hidden or _shows_a_counter(chosen, state, old),
            )
        elif part.hidden:
            text = f"Whose is the hidden {part.kind.called} in {part.at}?"
            answer = yield from choose(
                "owner", text, _SIDES, about=part.at, where=part.at, rule="9.619"
            )
            chosen.fortifications[number] = msgspec.structs.replace(part, owner=Side(answer))


def _shows_a_counter(chosen: Chosen, state: Campaign | None, mines: Fortification) -> bool:
    """Return whether the map shows no more of hidden mines than the counter it had before.

    Rule: 9.6073.
    """
    blank = (mines.kind, mines.at) in chosen.scene.blank
    return state is not None and state.has_counter(mines) and mines.hidden and blank


def _control(
    position: Position,
    chosen: Chosen,
    state: Campaign | None,
    board: Board,
    catalogue: Catalogue,
) -> Script[Position]:
    """Confirm Control as the map, its markers and the last Control tell it."""
    last = state.control if state else Control()
    inferred = infer_control(position, last, board, catalogue, chosen.scene.control)
    control = inferred.control
    for side in Side:
        gained = inferred.gained[side]
        if gained:
            yield Note(f"The {side.people} Control now: {', '.join(gained)}.", "9.605")
    if inferred.contested:
        places = ", ".join(inferred.contested)
        yield Note(f"Both sides are in {places}: Control stays as it was.", "9.605")
    for place in inferred.open:
        text = f"Who Controls {place}? No Good Order MMC is there."
        options = (*_SIDES, Option(NOBODY, "nobody"))
        default = str(control.holders.get(place, NOBODY))
        answer = yield from choose(
            "control", text, options, default, about=place, where=place, rule="9.605"
        )
        control = control.give({place: None if answer == NOBODY else Side(answer)})
    changed = [place for side in Side for place in inferred.gained[side]]
    if changed:
        wrong = yield from ask_some(
            Prompt(
                id="vasl.control.wrong",
                rule="9.605",
                kind="choose-some",
                options=tuple(
                    Option(place, place, f"{side.title} now")
                    for side in Side
                    for place in inferred.gained[side]
                ),
                default="none",
                text="Which of these changes of Control are wrong?",
                help="Control goes to the side that alone has armed units in the Location, one of "
                "them a Good Order MMC (A26.11). What is wrong stays as it was before.",
            )
        )
        control = control.give({place: last.holders.get(place) for place in wrong})
    more = yield from ask(
        Prompt(
            id="vasl.control.more",
            rule="9.605",
            kind="text",
            default="none",
            text="Any other change of Control?",
            help="Write a side or nobody and Locations, as: british X17 X18; nobody L9",
            verify=lambda text: text.strip() if _read_control(text, board) else "none",
        )
    )
    control = control.give(_read_control(more, board))
    control = _once(control, StrategicLocations(position, board, catalogue))
    return msgspec.structs.replace(position, control=control)


def _once(control: Control, strategic: StrategicLocations) -> Control:
    """Control without a hex that is a Strategic Location by its pillbox alone, if that is in it."""
    held = control.holders
    inside = {place.removesuffix("/pillbox") for place in held if place.endswith("/pillbox")}
    twice = inside & held.keys()
    alone = {hex for hex in twice if strategic.why(Location.parse(hex)) == ("pillbox",)}
    return control.give(dict.fromkeys(alone))


def _read_control(text: str, board: Board) -> dict[str, Side | None]:
    """Return who Controls what, as typed. Raises IllegalAnswer with what would be right."""
    control: dict[str, Side | None] = {}
    for part in text.split(";") if text.strip().lower() not in ("none", "") else ():
        word, *places = part.replace(",", " ").split() or [""]
        who = word.lower()
        if who not in (*Side, NOBODY) or not places:
            raise IllegalAnswer("Write a side and Locations, as: british X17 X18; nobody L9.")
        for place in places:
            try:
                control[read_place(place, board, off_map=False)] = (
                    None if who == NOBODY else Side(who)
                )
            except Wrong as error:
                raise IllegalAnswer(f"{place} {error.wrong}.") from error
    return control


def _tell_at_last(chosen: Chosen, state: Campaign | None) -> Script[None]:
    if chosen.scene.casualties:
        totals = ", ".join(f"{side.title} {count}" for side, count in chosen.scene.casualties)
        yield Note(
            f"CVP in VASL's Casualties Bin: {totals}. The Refit Phase offers these as the "
            "Casualty VP lost: correct them there if the bin held counters of an earlier scenario.",
            "9.12",
        )
    beside = [f"{counter.name}" for counter in chosen.scene.beside]
    if beside:
        counters = number_words(len(beside), "counter")
        yield Note(f"{counters} beside the map not taken: {name_some(beside)}.", RULE)
    if chosen.scene.dummies:
        hexes = ", ".join(sorted({name for name, _ in chosen.scene.dummies}))
        yield Note(f'"?" with nothing beneath, not taken: {hexes}.', RULE)
