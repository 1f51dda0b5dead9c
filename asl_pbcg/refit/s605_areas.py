"""9.605 Setup Area Determination: Control, Setup Areas, and who is Retained where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial

from asl_pbcg.campaign.area_map import SetupArea
from asl_pbcg.campaign.events import keep_book
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.merge import to_position
from asl_pbcg.campaign.piece_names import name_piece
from asl_pbcg.campaign.state import Campaign, Told, change
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.prompts import Note, Script
from asl_pbcg.kernel.wording import number_words
from asl_pbcg.refit.control import give_control
from asl_pbcg.refit.paths import supply_ways
from asl_pbcg.refit.s605_control import confirm_control
from asl_pbcg.refit.s605_retention import (
    in_friendly_setup_area,
    no_mans_land,
    no_move,
    uncontrolled_territory,
)
from asl_pbcg.refit.situation import in_board_order, is_isolated, setup_area
from asl_pbcg.refit.status_chart import Outcome, status_chart
from asl_pbcg.refit.vehicle_actions import is_mobile
from asl_pbcg.refit.vehicle_paths import any_way

MAX_LETTERS = 40


def setup_area_determination(state: Told) -> Script[Told]:
    """Determine both sides' Setup Areas and Retain what needs no roll. Rule: 9.605 to 9.6058."""
    state = yield from confirm_control(state)
    state = yield from determine(state)
    state = yield from isolated_vehicles(state)
    yield from tell_chart(state)
    state = yield from no_mans_land(state)
    state = yield from uncontrolled_territory(state)
    state = yield from in_friendly_setup_area(state)
    return (yield from no_move(state))


def determine(state: Told) -> Script[Told]:
    """Determine the Setup Areas; they stay so until the next CG scenario starts.

    What is kept is the position they follow from, so that both sides and every later print find
    the same map. Rule: 9.605, 9.6051, 9.6052, 9.6054.
    """
    after = change(state, determined=to_position(state), area_names={}, cut_off=())
    state = keep_book(state, after)
    areas = state.areas
    for side in state.sides:
        if not areas.areas[side]:
            yield Note(f"{side.title}: no Setup Area.")
        for area in areas.areas[side]:
            yield Note(area_line(area, areas.isolated_in(area)))
        entries = [entry.id for entry in areas.entry_areas[side] if entry.eligible]
        yield Note(
            f"{side.title} Eligible Entry Areas: {', '.join(entries) or 'none'}.", "9.2 Entry Area"
        )
    yield Note(f"No Man's Land: {' '.join(areas.no_mans_land.names) or 'none'}.", "9.6051")
    yield Note(
        f"Uncontrolled Territory: {len(areas.uncontrolled)} of {len(areas.board.in_play)} hexes.",
        "9.6053",
    )
    return (yield from _control_passed(state))


def _control_passed(state: Told) -> Script[Told]:
    """Give Control of an enclosed empty Setup Area to the side round it. House rule C-05.

    Rule: 9.6054.
    """
    for side, held in zip(state.sides, state.areas.ground.control, strict=True):
        for place in [str(each) for locations in held.values() for each in locations]:
            if place in state.control.of(side.other):
                words = (
                    f"{place} is empty and enclosed in a {side.title} Setup Area: {side.title} "
                    "Control (house rule C-05)."
                )
                state = yield from give_control(state, place, side, words, "9.6054")
    return state


def isolated_vehicles(state: Told) -> Script[Told]:
    """Decide which Mobile vehicles are Isolated where Infantry would not be.

    Rule: 9.6052; house rule P-26.
    """
    if not state.plays("P-26", "vehicle-path"):
        return state
    for vehicle in in_board_order(state, [each for each in state.pieces if is_mobile(each)]):
        if setup_area(state, vehicle) is None or is_isolated(state, vehicle):
            continue
        find = partial(supply_ways, state, vehicle)
        if not (yield from any_way(state, vehicle, find, "9.6052.1", "9.6052")):
            yield Note(
                f"{name_piece(vehicle)} in {vehicle.at} is Isolated: it has no path that a "
                "vehicle can "
                "take.",
                "9.6052",
            )
            state = keep_book(state, change(state, cut_off=(*state.cut_off, vehicle.id)))
    return state


def area_line(area: SetupArea, isolated_locations: Sequence[Location] = ()) -> str:
    """Return a Setup Area in one line: what it holds, and whether it or what of it is Isolated."""
    held = " ".join(str(each) for each in area.strategic_locations)
    hexes = number_words(len(area.hexes), "hex", "hexes")
    count = len(area.strategic_locations)
    locations = "one Location" if count == 1 else f"{count} Locations"
    size = locations if area.alone else hexes
    some = ", ".join(map(str, isolated_locations))
    isolated = ", Isolated" if area.isolated else f"; Isolated: {some}" if some else ""
    return f"{area.side.title} Setup Area {area.id}: {size}, {held}{isolated}."


# -- Names ----------------------------------------------------------------------------------------


def with_name(state: Campaign, whose: str, name: str) -> Campaign:
    """Return the state with a Setup Area called ``name``; ``whose`` is as ``british/A``.

    Nobody is asked for names: they are given as a correction. Raises PBCGError for an area that is
    not there. Rule: 9.6054.
    """
    side, _, id = whose.partition("/")
    areas = [] if state.determined is None else [
        f"{each.value}/{area.id}" for each in state.sides for area in state.areas.areas[each]
    ]  # fmt: skip
    if f"{side.lower()}/{id.upper()}" not in areas:
        known = ", ".join(areas) or "9.605 has not determined any yet"
        raise PBCGError(f'"{whose}" is not a Setup Area now: {known}.')
    if not 0 < len(name.strip()) <= MAX_LETTERS:
        raise PBCGError(f"A name has 1 to {MAX_LETTERS} letters.")
    key = f"{side.lower()}/{id.upper()}"
    return change(state, area_names={**state.area_names, key: name.strip()})


# -- 9.6056 The status chart ----------------------------------------------------------------------

_COUNTED: dict[Outcome, str] = {
    "retained": "Retained in place, not Isolated",
    "strategic_location": "functioning Guns and crewed Immobile vehicles with functioning MA",
    "prisoner": "prisoners",
}


def tell_chart(state: Campaign) -> Script[None]:
    """Tell what the status chart says of what is not Retained as a matter of course. Rule: 9.6056.

    Each action is taken in its own step.
    """
    counted: Counter[Outcome] = Counter()
    for status in status_chart(state):
        if status.outcome in _COUNTED:
            counted[status.outcome] += 1
            continue
        where = f" ({status.column_title})" if status.column else ""
        goes = f", with {name_piece(state.piece(status.holder))}" if status.holder else ""
        yield Note(
            f"{status.piece.side.title} {name_piece(status.piece)} in "
            f"{status.piece.at}{where}{goes}: "
            f"{status.says}.",
            "9.6056" if status.rule == "9.6056" else f"9.6056, {status.rule}",
        )
    for outcome, said in _COUNTED.items():
        if counted[outcome]:
            yield Note(f"{said}: {counted[outcome]}.", "9.6056")
