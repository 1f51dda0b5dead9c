"""9.605 Setup Area Determination: Control confirmed, Setup Areas determined, pieces Retained.

Both sides are asked only about Control that is in doubt and confirm the rest. What needs no roll
is then Retained by 9.6051 to 9.6058 (``s605_retention.py``). Setup Areas stay as determined until
the next CG scenario starts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from asl_pbcg.campaign.areas.area_map import SetupArea
from asl_pbcg.campaign.areas.strategic_locations import StrategicLocations
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.state.campaign_events import keep_book
from asl_pbcg.campaign.state.campaign_state import Campaign, Told, change, possessor
from asl_pbcg.campaign.state.ob_merge import to_position
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import NOBODY, Side
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Script, ask
from asl_pbcg.kernel.topic import Topic
from asl_pbcg.kernel.wording import number_words
from asl_pbcg.refit.helpers.situation import in_board_order, is_isolated, setup_area
from asl_pbcg.refit.helpers.status_chart import Outcome, is_functioning_gun, status_chart
from asl_pbcg.refit.helpers.strategic_control import (
    armed_units,
    controller,
    give_control,
    markers_off,
    occupants,
    strategic_locations,
    vehicle_alone,
)
from asl_pbcg.refit.helpers.subjects import both_at
from asl_pbcg.refit.helpers.unit_paths import supply_ways
from asl_pbcg.refit.helpers.vehicle_actions import is_mobile
from asl_pbcg.refit.helpers.vehicle_paths import any_way
from asl_pbcg.refit.s605_retention import (
    in_friendly_setup_area,
    no_mans_land,
    no_move,
    uncontrolled_territory,
)

MAX_LETTERS = 40

RULE = "9.605"
CONFIRMED = "confirmed"

Holder = Side | None


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


def confirm_control(state: Told) -> Script[Told]:
    """Decide who Controls each Strategic Location, as both sides agree.

    Control markers come off what is not a Strategic Location; doubtful Control is asked for; all of
    it is confirmed, with whatever changes the players agree on. Rule: 9.605, A26.11.
    """
    state = yield from markers_off(state)
    strategic = strategic_locations(state)
    state = yield from _unmanned_guns(state, strategic)
    for doubt in doubts(state, strategic):
        state = yield from _settle(state, doubt)
    while True:
        answer = yield from ask(_confirm(state, strategic))
        if answer == CONFIRMED:
            return state
        for place, holder in _read(answer):
            state = yield from _set(state, place, holder)


def _set(state: Told, place: str, holder: Holder) -> Script[Told]:
    before, words = controller(state, place), ""
    if before is not holder:
        new = f"{holder.title}-Controlled" if holder else "Controlled by nobody"
        was = f"was {before.title}" if before else "was nobody's"
        words = f"{place} is {new} ({was})."
    return (yield from give_control(state, place, holder, words))


# -- What follows by itself -----------------------------------------------------------------------


def _unmanned_guns(state: Told, strategic: StrategicLocations) -> Script[Told]:
    """Give the Locations of unpossessed Guns to nobody if the players chose so: C-08."""
    for side in state.sides:
        for place in state.control.of(side):
            if _only_an_unmanned_gun(state, strategic, Location.parse(place)):
                words = f"The Gun in {place} is unpossessed: nobody Controls it (house rule C-08)."
                state = yield from give_control(state, place, None, words)
    return state


def _only_an_unmanned_gun(
    state: Campaign, strategic: StrategicLocations, location: Location
) -> bool:
    """Return whether house rule C-08 gives a Location to nobody: its Guns are all unpossessed."""
    return (
        state.plays("C-08", "neutral")
        and strategic.why(location) == ("gun",)
        and not any(
            is_functioning_gun(piece) and possessor(state, piece.id)
            for piece in state.pieces
            if piece.at == str(location)
        )
    )


# -- What is in doubt -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ControlDoubt:
    """A Strategic Location whose Control may not be what the position says."""

    place: str
    now: Holder
    likely: Holder
    """The side that is alone there; None where both sides are."""
    units: tuple[Piece, ...]


def doubts(state: Campaign, strategic: StrategicLocations) -> list[ControlDoubt]:
    """Return where Control is not that of the side alone there, or is nobody's with both there.

    An MMC counts where it was at CG-Scenario End: a prisoner Rearmed in 9.6041 gains no Control.
    A vehicle counts that makes its Location Strategic now. In board order.

    Rule: 9.2, 9.3, 9.605, A26.11.
    """
    alone = dict(occupants(state) if state.occupants is None else state.occupants)
    both: list[str] = []
    for at in dict.fromkeys(piece.at for piece in state.pieces if piece.on_map):
        side = vehicle_alone(state, strategic, at)
        if side:
            alone.setdefault(at, side)
        if len({unit.side for unit in armed_units(state, at)}) > 1:
            both.append(at)
    found = {}
    for at in (*alone, *both):
        place = _strategic_place(state, strategic, Location.parse(at))
        now = controller(state, place)
        likely = alone.get(at)
        if place and (now is not likely if likely else now is None):
            found[place] = ControlDoubt(place, now, likely, tuple(armed_units(state, at)))
    position = state.board.grid.position
    return sorted(
        found.values(), key=lambda each: (position[Location.parse(each.place).hex], each.place)
    )


def _strategic_place(state: Campaign, strategic: StrategicLocations, location: Location) -> str:
    """Return a Strategic Location as Control lists name it; empty if it is none.

    Where nothing but a pillbox makes a hex one, Z21 and Z21/pillbox are the same. Ruling P-06.
    """
    why = strategic.why(location)
    if location.pillbox and strategic.why(Location(location.hex)) == ("pillbox",):
        return location.hex if controller(state, location.hex) else str(location)
    if why == ("pillbox",) and not location.pillbox:
        return ""  # beside a pillbox, not in it
    return str(location) if why else ""


def _settle(state: Told, doubt: ControlDoubt) -> Script[Told]:
    """Let both sides say who Controls a Location in doubt. Rule: 9.605, A26.11."""
    now = f"{doubt.now.title}-Controlled" if doubt.now else "Controlled by nobody"
    names = (
        ", ".join(name_piece(piece) for piece in doubt.units) or "Eliminated since CG-Scenario End"
    )
    claim = (
        f"only {doubt.likely.title} units are there ({names})"
        if doubt.likely
        else f"both sides have units there ({names})"
    )
    answer = yield from ask(
        Prompt(
            state=state,
            id="9.605.1a",
            subject=both_at(doubt.place),
            options=(
                *(Option(side.value, f"{side.title} Control") for side in state.sides),
                Option(NOBODY, "nobody"),
            ),
            default=doubt.likely.value if doubt.likely else NOBODY,
            text=f"{doubt.place} is {now} by the position, but {claim}. Who Controls it?",
            help="Control is gained by A26.11 and kept until the enemy gains it. That of "
            "CG-Scenario End counts (9.3).",
        )
    )
    return (yield from _set(state, doubt.place, _holder(answer)))


def _holder(answer: str) -> Holder:
    return None if answer.lower() == NOBODY else Side(answer.lower())


# -- The confirmation -----------------------------------------------------------------------------


def _confirm(state: Campaign, strategic: StrategicLocations) -> Prompt:
    held = {side: _places_of(state, strategic, side) for side in state.sides}
    counts = ", ".join(f"{side.title} {len(places)}" for side, places in held.items())
    lists = ". ".join(
        f"{side.title}: {', '.join(places) or 'none'}" for side, places in held.items()
    )
    return Prompt(
        state=state,
        id="9.605.1",
        kind="text",
        widget="control",
        default=CONFIRMED,
        draw=lambda source: CONFIRMED,
        verify=_check(state, strategic),
        text=f"Controlled Strategic Locations: {counts}. Do both sides confirm this?",
        help=f"{lists}. Answer {CONFIRMED}, or what changes, as: Z15 {state.sides[1].value}, "
        "Y20/1 nobody. Each side may place a Control marker in a Strategic Location it Controls.",
    )


def _places_of(state: Campaign, strategic: StrategicLocations, side: Side) -> list[str]:
    """Return the Strategic Locations a side Controls, in board order."""
    position = state.board.grid.position
    found = sorted(
        (place for place in state.control.locations(side) if place in strategic),
        key=lambda place: (position.get(place.hex, 10**6), place.level, str(place)),
    )
    return [str(place) for place in found]


def _check(state: Campaign, strategic: StrategicLocations) -> Callable[[str], str]:
    second = state.sides[1].value
    holders = "|".join([*(side.value for side in state.sides), NOBODY])
    change = re.compile(rf"(\S+)\s*[=:\s]\s*({holders})", re.IGNORECASE)

    def check(answer: str) -> str:
        if answer.lower() in (CONFIRMED, "yes", "y", ""):
            return CONFIRMED
        found = []
        for part in re.split(r"[,;]", answer):
            match = change.fullmatch(part.strip())
            if match is None:
                raise IllegalAnswer(
                    f'"{part.strip()}" is not a change: write Z15 {second}, or Y20/1 nobody.', RULE
                )
            place, holder = match.groups()
            topic = Topic(places=(place,))
            try:
                location = Location.parse(place.upper().replace("PILLBOX", "pillbox"))
                state.board.grid.check(location.hex)
            except PBCGError as error:
                raise IllegalAnswer(str(error), RULE, topic) from error
            if not strategic.is_recorded(location):
                raise IllegalAnswer(
                    f"{location} is not a Strategic Location; Control is on record of those and of "
                    "the Locations of SSR PB4 alone.",
                    RULE,
                    topic,
                )
            found.append(f"{location} {holder.lower()}")
        return ", ".join(found)

    return check


def _read(answer: str) -> list[tuple[str, Holder]]:
    """Return the changes of a checked answer."""
    pairs = (part.split() for part in answer.split(", "))
    return [(place, _holder(holder)) for place, holder in pairs]


# -- Setup Areas ----------------------------------------------------------------------------------


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
        for place in [str(location) for locations in held.values() for location in locations]:
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
    for vehicle in in_board_order(state, [piece for piece in state.pieces if is_mobile(piece)]):
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
    held = " ".join(str(location) for location in area.strategic_locations)
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
        f"{side.value}/{area.id}" for side in state.sides for area in state.areas.areas[side]
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
