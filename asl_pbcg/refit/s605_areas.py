"""9.605 Setup Area Determination: Control, Setup Areas, and who is Retained where."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

from asl_pbcg.campaign.area_map import SetupArea
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.merge import to_position
from asl_pbcg.campaign.state import Campaign, change
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Prompt, Script, ask, tell
from asl_pbcg.refit.control import with_control
from asl_pbcg.refit.paths import asked_for_vehicles, supply_ways
from asl_pbcg.refit.s605_control import confirmed_control
from asl_pbcg.refit.s605_retention import (
    in_friendly_setup_area,
    no_mans_land,
    no_move,
    uncontrolled_territory,
)
from asl_pbcg.refit.situation import in_board_order, is_isolated, setup_area
from asl_pbcg.refit.status_chart import Outcome, status_chart
from asl_pbcg.refit.unit_changes import words
from asl_pbcg.refit.vehicle_actions import is_mobile

KEEP = "keep"
_NAMING = re.compile(r"([A-Z]{1,2})\s*=\s*(\S.{0,39})", re.IGNORECASE)


def setup_area_determination(state: Campaign) -> Script[Campaign]:
    """Determine both sides' Setup Areas and Retain what needs no roll. Rule: 9.605 to 9.6058."""
    state = yield from confirmed_control(state)
    state = yield from determined(state)
    state = yield from isolated_vehicles(state)
    for side in state.sides:
        state = yield from names(state, side)
    yield from told_chart(state)
    state = yield from no_mans_land(state)
    state = yield from uncontrolled_territory(state)
    state = yield from in_friendly_setup_area(state)
    return (yield from no_move(state))


def determined(state: Campaign) -> Script[Campaign]:
    """Determine the Setup Areas; they stay so until the next CG scenario starts.

    What is kept is the position they follow from, so that both sides and every later print find
    the same map. Rule: 9.605, 9.6051, 9.6052, 9.6054.
    """
    state = change(state, determined=to_position(state), area_names={}, cut_off=())
    areas = state.areas
    for side in state.sides:
        if not areas.areas[side]:
            yield from tell(f"{side.title}: no Setup Area.")
        for area in areas.areas[side]:
            yield from tell(area_line(area, areas.isolated_in(area)))
        entries = [entry.id for entry in areas.entry_areas[side] if entry.eligible]
        yield from tell(
            f"{side.title} Eligible Entry Areas: {', '.join(entries) or 'none'}.", "9.2 Entry Area"
        )
    yield from tell(f"No Man's Land: {' '.join(areas.no_mans_land.names) or 'none'}.", "9.6051")
    yield from tell(
        f"Uncontrolled Territory: {len(areas.uncontrolled)} of {len(areas.board.in_play)} hexes.",
        "9.6053",
    )
    return (yield from _control_passed(state))


def _control_passed(state: Campaign) -> Script[Campaign]:
    """Give Control of an enclosed empty Setup Area to the side round it. House rule C-05.

    Rule: 9.6054.
    """
    for side, held in zip(state.sides, state.areas.ground.control, strict=True):
        for place in [str(each) for locations in held.values() for each in locations]:
            if place in state.control.of(side.other):
                yield from tell(
                    f"{place} is empty and enclosed in a {side.title} Setup Area: {side.title} "
                    "Control (house rule C-05).",
                    "9.6054",
                )
                state = with_control(state, place, side)
    return state


def isolated_vehicles(state: Campaign) -> Script[Campaign]:
    """Settle which Mobile vehicles are Isolated where Infantry would not be.

    Rule: 9.6052; house rule P-26.
    """
    if not state.plays("P-26", "vehicle-path"):
        return state
    for vehicle in in_board_order(state, [each for each in state.pieces if is_mobile(each)]):
        if setup_area(state, vehicle) is None or is_isolated(state, vehicle):
            continue
        ways = yield from asked_for_vehicles(
            state, [vehicle], partial(supply_ways, state, vehicle), "9.6052.1", "9.6052"
        )
        if not ways:
            yield from tell(
                f"{words(vehicle)} in {vehicle.at} is Isolated: it has no path that a vehicle can "
                "take.",
                "9.6052",
            )
            state = change(state, cut_off=(*state.cut_off, vehicle.id))
    return state


def area_line(area: SetupArea, isolated_locations: Sequence[Location] = ()) -> str:
    """A Setup Area in one line: what it holds, and whether it or what of it is Isolated."""
    held = " ".join(str(each) for each in area.strategic_locations)
    hexes = f"{len(area.hexes)} hexes" if len(area.hexes) != 1 else "1 hex"
    size = "one Location" if area.alone else hexes
    some = ", ".join(map(str, isolated_locations))
    isolated = ", Isolated" if area.isolated else f"; Isolated: {some}" if some else ""
    return f"{area.side.title} Setup Area {area.id}: {size}, {held}{isolated}."


# -- 9.605.4: names -------------------------------------------------------------------------------


def names(state: Campaign, side: Side) -> Script[Campaign]:
    """Let a side call its Setup Areas something beside their ID letters. Rule: 9.6054."""
    areas = state.areas.areas[side]
    if not areas:
        return state
    answer = yield from ask(
        Prompt(
            id="9.605.4",
            about=side.value,
            rule="9.6054",
            side=side,
            kind="text",
            default=KEEP,
            draw=_keep,
            verify=_checked_names(areas),
            text=f"Names for your Setup Areas {', '.join(area.id for area in areas)}?",
            help=f"Each has its ID. Write A = Chateau, C = Mill to name some as well, or {KEEP}.",
        )
    )
    if answer == KEEP:
        return state
    found = dict(state.area_names)
    for part in answer.split("; "):
        id, _, name = part.partition(" = ")
        found[f"{side.value}/{id}"] = name
        yield from tell(f"{side.title} Setup Area {id} is called {name}.", "9.6054")
    return change(state, area_names=found)


def _keep(source: random.Random) -> str:
    return KEEP


def _checked_names(areas: tuple[SetupArea, ...]) -> Callable[[str], str]:
    ids = {area.id for area in areas}

    def check(answer: str) -> str:
        if answer.lower() in (KEEP, ""):
            return KEEP
        found = {}
        for part in re.split(r"[,;]", answer):
            match = _NAMING.fullmatch(part.strip())
            if match is None:
                raise IllegalAnswer(f'"{part.strip()}" is no name: write A = Chateau.', "9.6054")
            id = match[1].upper()
            if id not in ids:
                raise IllegalAnswer(
                    f"There is no Setup Area {id} of that side: {', '.join(sorted(ids))}.", "9.6054"
                )
            found[id] = match[2].strip()
        return "; ".join(f"{id} = {name}" for id, name in found.items())

    return check


# -- 9.6056 The status chart ----------------------------------------------------------------------

_COUNTED: dict[Outcome, str] = {
    "retained": "Retained in place, not Isolated",
    "strategic_location": "functioning Guns and crewed Immobile vehicles with functioning MA",
    "prisoner": "prisoners",
}


def told_chart(state: Campaign) -> Script[None]:
    """Tell what the status chart says of what is not Retained as a matter of course. Rule: 9.6056.

    Each action is taken in its own step.
    """
    counted: Counter[Outcome] = Counter()
    for status in status_chart(state):
        if status.outcome in _COUNTED:
            counted[status.outcome] += 1
            continue
        where = f" ({status.column_title})" if status.column else ""
        goes = f", with {status.holder}" if status.holder else ""
        yield from tell(
            f"{status.piece.side.title} {words(status.piece)} in {status.piece.at}{where}{goes}: "
            f"{status.says}.",
            "9.6056" if status.rule == "9.6056" else f"9.6056, {status.rule}",
        )
    for outcome, said in _COUNTED.items():
        if counted[outcome]:
            yield from tell(f"{said}: {counted[outcome]}.", "9.6056")
