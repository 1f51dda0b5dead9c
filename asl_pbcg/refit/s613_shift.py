"""9.613 Shift: who may try, to where and at which odds, and the orders of each side.

Each side orders its groups in secret, all of them before any attempt; those with one route go as
one group. Attempts are resolved in ``s613_results.py``. Rule: 9.613, 9.6131; ruling P-90.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial

from asl_pbcg.campaign.areas.area_map import SetupArea
from asl_pbcg.campaign.areas.area_paths import Closed
from asl_pbcg.campaign.areas.eligible_entry_areas import EntryState
from asl_pbcg.campaign.location import Area, place_words
from asl_pbcg.campaign.module.campaign_tables import table
from asl_pbcg.campaign.position_words import status_words
from asl_pbcg.campaign.scenario.scenario_facts import is_held_by_no_move
from asl_pbcg.campaign.state.campaign_events import happen, keep_book
from asl_pbcg.campaign.state.campaign_state import Campaign, Told, change
from asl_pbcg.campaign.state.piece_changes import transfer
from asl_pbcg.campaign.state.piece_events import Dropped
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.state.seen import frozen
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Script, ask, ask_if_open, ask_some
from asl_pbcg.kernel.tables import Likelihood, likelihood, percent
from asl_pbcg.kernel.topic import IDLE, Topic
from asl_pbcg.kernel.wording import number_words
from asl_pbcg.refit.helpers.catalogue_questions import in_own_catalogue
from asl_pbcg.refit.helpers.equipment import Occasion, equipment, settle_deployment
from asl_pbcg.refit.helpers.retention import guns_of
from asl_pbcg.refit.helpers.situation import (
    are_coupled,
    area_words,
    in_board_order,
    is_isolated,
    is_off_map,
    pieces_retained_in,
    withdrawn_later,
)
from asl_pbcg.refit.helpers.subjects import (
    About,
    area_option,
    own_turn,
    piece_option,
    side_in,
    stack_of,
)
from asl_pbcg.refit.helpers.unit_paths import ShiftWay, each_shift_way, eligible_entries, shift_ways
from asl_pbcg.refit.helpers.vehicle_actions import is_mobile, unhook
from asl_pbcg.refit.helpers.vehicle_paths import settle_way
from asl_pbcg.refit.s613_results import attempt, tell_vacated
from asl_pbcg.refit.setup.stacking import no_room

RULE = "9.613"
Refusal = tuple[str, str]
"""Why something is not legal, and the rule that says so; two empty texts if it is."""
LEGAL: Refusal = ("", "")
NO_WAY: Refusal = ("No path leads from there to another area.", RULE)
_NO_PATH = "No path over hexes that the group can enter leads there."
_NEEDS_VEHICLE: Refusal = ("An Armor Leader Shifts with a vehicle only.", "D3.4")


DONE = "done"
NONE = "none"
SHIFT = Occasion(
    word="Shift",
    rule=RULE,
    deploy="9.613.3",
    equipment="9.613.3b",
    guns="A Gun cannot Shift.",
    from_location=False,
)


@dataclass(frozen=True, slots=True)
class ShiftOrder:
    """A group that is to Shift together: from where, by which way, who."""

    area: str
    way: ShiftWay
    units: tuple[str, ...]
    closed: Closed
    """Where a vehicle of the group cannot go (P-10)."""

    @property
    def path(self) -> tuple[str, ...]:
        """The hexes of its way."""
        return self.way.path


def shift(state: Told) -> Script[Told]:
    """Let each side Shift in secret. Rule: 9.613, 9.6131; ruling P-90."""
    state = keep_book(state, change(frozen(state), in_turn=are_coupled(state)))
    for side in state.sides:
        part = in_own_catalogue(state, side, partial(_shifts_of, side=side))
        state = yield from own_turn(state, part, side, RULE)
    return state


def _shifts_of(state: Told, side: Side) -> Script[Told]:
    """Take all orders of a side before any attempt: who goes one way goes as one group."""
    state, orders = yield from _orders(state, side)
    if not orders:
        yield Note(f"No {side.title} unit Shifts.", topic=IDLE)
        return state
    going = [id for order in orders for id in order.units]
    state = yield from _leave_here(state, going)
    state = yield from equipment(state, going, SHIFT)
    for order in orders:
        state = yield from attempt(state, order.area, order.way, order.units)
    for area in dict.fromkeys(order.area for order in orders):
        yield from tell_vacated(state, side, area)
    return state


# -- 9.613.1 Orders ---------------------------------------------------------------------------


def _orders(state: Told, side: Side) -> Script[tuple[Told, list[ShiftOrder]]]:
    orders: list[ShiftOrder] = []
    leads: dict[str, bool] = {}
    while True:
        prompt = _from_where(state, side, orders, leads)
        if not any(option.id != DONE for option in prompt.legal):
            return state, orders
        area = yield from ask(prompt)
        if area == DONE:
            return state, orders
        state, orders = yield from _one_order(state, side, area, orders)


def _ids_ordered(orders: Sequence[ShiftOrder]) -> set[str]:
    return {id for order in orders for id in order.units}


def _from_where(
    state: Campaign, side: Side, orders: Sequence[ShiftOrder], leads: dict[str, bool]
) -> Prompt:
    """Return the question for the next order; ``leads`` keeps whether a path leads on by area."""
    options = []
    for area in areas_with_units(state, side):
        free = may_try(state, side, area, _ids_ordered(orders))
        sentence, rule = area_refusal(state, side, area, _ids_ordered(orders))
        if free and area not in leads:
            leads[area] = leads_anywhere(state, free)
        if free and not leads[area]:
            sentence, rule = NO_WAY
        number = number_words(len(free), "unit") if free else ""
        options.append(
            area_option(area, f"from {area_words(area)}", number, refused=sentence, rule=rule)
        )
    options.append(Option(DONE, "no more Shifts" if orders else "nobody Shifts"))
    given = "; ".join(_order_words(state, order) for order in orders)
    order_number = f"order {len(orders) + 1}"

    def draw(source: random.Random) -> str:
        areas = [option.id for option in options if not option.refused]
        return DONE if source.random() < 0.6 else source.choice(areas)

    return Prompt(
        state=state,
        id="9.613.1",
        subject=About(f"{side.value} {order_number}", side, order_number),
        options=tuple(options),
        default=DONE,
        draw=draw,
        text=f"Shift units from which area?{f' Ordered: {given}.' if given else ''}",
        help="Units Retained in a Setup Area may try to reach another friendly Setup Area that is "
        "not Isolated, or an Eligible Entry Area; from an Entry Area, the next one or such a Setup "
        "Area. One attempt per unit and CG Date. All orders come before the first DR.",
    )


def _order_words(state: Campaign, order: ShiftOrder) -> str:
    units = ", ".join(name_piece(state.piece(id)) for id in order.units)
    return f"{units} from {area_words(order.area)} to {order.way}"


def _one_order(
    state: Told, side: Side, area: str, orders: list[ShiftOrder]
) -> Script[tuple[Told, list[ShiftOrder]]]:
    """Resolve one order: who goes where, Deploying and Equipment. Rule: 9.613."""
    units = yield from _who(state, side, area, _ids_ordered(orders))
    if not units:
        return state, orders

    def choose(closed: Closed) -> Script[ShiftOrder | None]:
        return _where(state, units, shift_ways(state, units, closed), closed, orders)

    def who(order: ShiftOrder) -> list[Piece]:
        return [state.piece(id) for id in order.units]

    order = yield from settle_way(state, choose, who, "9.613.1b", RULE)
    if order is None:
        return state, orders
    state, ids = yield from settle_deployment(state, order.units, SHIFT)
    ids = yield from _who_stays(state, order, ids)
    others = [each for each in orders if not _same_route(each, order)]
    return state, [*others, replace(order, units=tuple(ids))]


def _who(state: Campaign, side: Side, area: str, ordered: set[str]) -> Script[list[Piece]]:
    """Decide which units of an area form a group."""
    options = []
    for unit, sentence, rule in shiftable(state, side, area, ordered):
        options.append(piece_option(unit, _beside(unit), refused=sentence, rule=rule))
    legal = [option.id for option in options if not option.refused]
    loose = armor_leaders_without_vehicle(state, side, area)

    def verify(chosen: list[str]) -> list[str]:
        vehicle = any(state.piece(id).is_vehicle for id in chosen)
        if not vehicle and not loose.isdisjoint(chosen):
            raise IllegalAnswer("An Armor Leader Shifts with a vehicle only.", "D3.4")
        return chosen

    def draw(source: random.Random) -> list[str]:
        found = source.sample(legal, source.randint(1, len(legal)))
        if not any(state.piece(id).is_vehicle for id in found):
            found = [id for id in found if id not in loose]
        return found or [id for id in legal if id not in loose][:1]

    chosen = yield from ask_some(
        Prompt(
            state=state,
            id="9.613.1a",
            subject=side_in(side, area, area_words(area)),
            kind="choose-some",
            options=tuple(options),
            default=NONE,
            text=f"Which units of {area_words(area)} Shift together?",
            help="A path must be Enterable by all units of the group. Two groups cannot go from "
            "one area to the same other one: they become one group.",
            verify=verify,
            draw=draw,
        )
    )
    return [state.piece(id) for id in chosen]


def _beside(unit: Piece) -> str:
    status = status_words(unit.status)
    return "; ".join(filter(None, [place_words(unit.at), status]))


def _where(
    state: Campaign,
    units: Sequence[Piece],
    ways: Sequence[ShiftWay],
    closed: Closed,
    orders: Sequence[ShiftOrder],
) -> Script[ShiftOrder | None]:
    """Decide where a group goes; a group that goes there already takes it in. Rule: 9.613."""
    area = units[0].area
    found: dict[str, ShiftOrder] = {}
    for way in ways:
        new = ShiftOrder(area, way, tuple(unit.id for unit in units), closed)
        same = next((order for order in orders if _same_route(order, new)), None)
        order = _merge(state, same, new) if same else new
        if order:
            found[way.id] = order
    options = [
        _destination(state, to, found.get(to.id), len(units), orders)
        for to in destinations(state, units, ways)
    ]
    options.append(Option(NONE, "no Shift after all"))
    names = ", ".join(name_piece(unit) for unit in units)
    chosen = yield from ask_if_open(
        Prompt(
            state=state,
            id="9.613.1c",
            subject=stack_of(units, area_words(area)),
            options=tuple(options),
            default=NONE,
            text=f"{names} in {area_words(area)}: Shift to where?",
            help="-1 if the whole path runs on road hexes, +1 for each five Uncontrolled-Territory "
            "hexes on it; neither from one Entry Area to another. No DR to an Entry Area that is "
            "part of the Setup Area or adjacent to it.",
        )
    )
    return found.get(chosen)


def _destination(
    state: Campaign,
    to: ShiftDestination,
    order: ShiftOrder | None,
    count: int,
    orders: Sequence[ShiftOrder],
) -> Option:
    """Return an area as an answer to where a group of ``count`` units goes by ``order``."""
    if order is None:
        sentence = to.refused or "The group ordered there cannot go a way that all can enter."
        return area_option(to.id, to.name, refused=sentence, rule=to.rule or RULE)
    excess = _no_room(state, order, orders)
    if excess:
        sentence = f"There would not be room for all in {area_words(to.id)}: {excess}."
        return area_option(to.id, to.name, refused=sentence, rule="A5.1")
    beside, odds = way_words(order.way)
    if len(order.units) > count:
        beside += "; with the group ordered there"
    topic = Topic(areas=(to.id,))
    return Option(to.id, to.name, beside, odds, path=order.way.path, topic=topic)


def _no_room(state: Campaign, order: ShiftOrder, orders: Sequence[ShiftOrder]) -> str:
    """Return what a Setup Area would have too much of if a group Shifted there; empty if nothing.

    Who is ordered away from there makes room. Rule: 9.613, A5.1; ruling P-16.
    """
    if order.way.kind != "Setup Area":
        return ""
    side = state.piece(order.units[0]).side
    area = state.areas[side, order.way.id]
    going = [id for each in orders if each.area == area.id for id in each.units]
    others = [id for each in orders if each.way.id == area.id for id in each.units]
    coming = [state.piece(id) for id in {*order.units, *others}]
    return no_room(state, area, coming, going)


def _same_route(one: ShiftOrder, other: ShiftOrder) -> bool:
    return (one.area, one.way.id) == (other.area, other.way.id)


def _merge(state: Campaign, one: ShiftOrder, other: ShiftOrder) -> ShiftOrder | None:
    """Two groups with one route as one group; None if they have no common way. Rule: 9.613."""
    ids = (*one.units, *other.units)
    units = [state.piece(id) for id in ids]
    closed = one.closed | other.closed
    ways = [way for way in shift_ways(state, units, closed) if way.id == one.way.id]
    return ShiftOrder(one.area, ways[0], ids, closed) if ways else None


# -- 9.613.3 Deploying and what stays behind ----------------------------------------------------


def _who_stays(state: Campaign, order: ShiftOrder, ids: list[str]) -> Script[list[str]]:
    """Decide which of the HS just Deployed stay; returns who goes. Rule: 9.613."""
    new = [id for id in ids if id not in order.units]
    if not new:
        return ids
    chosen = yield from ask_some(
        Prompt(
            state=state,
            id="9.613.3a",
            subject=stack_of([state.piece(id) for id in new], area_words(order.area)),
            kind="choose-some",
            options=tuple(piece_option(state.piece(id)) for id in new),
            default=NONE,
            text=f"Which of the new HS stay in {area_words(order.area)}?",
        )
    )
    return [id for id in ids if id not in chosen]


def _leave_here(state: Told, ids: Sequence[str]) -> Script[Told]:
    """Leave Guns where they are, possessed or towed. Rule: 9.613."""
    for id in ids:
        unit = state.piece(id)
        for gun in guns_of(state, unit):
            state = yield from happen(state, transfer(state, gun.id), Dropped(piece=gun))
            yield Note(f"{name_piece(gun)} cannot Shift: {name_piece(unit)} leaves it.")
        if unit.tows:
            names = ", ".join(name_piece(state.piece(gun)) for gun in unit.tows)
            state = yield from happen(state, unhook(state, id), Dropped(piece=unit))
            yield Note(f"{names} cannot Shift: {name_piece(unit)} unhooks it.")
    return state


# -- Units ------------------------------------------------------------------------------------


def areas_with_units(state: Campaign, side: Side) -> list[str]:
    """Return the areas in which ``side`` Retains Personnel or vehicles: Setup Areas first."""
    found = {
        piece.area
        for piece in state.of(side)
        if piece.area and not piece.is_prisoner and (piece.is_personnel or piece.is_vehicle)
    }
    return sorted(found, key=lambda area: Area.parse(area).order)


def shiftable(
    state: Campaign, side: Side, area: str, ordered: Collection[str] = ()
) -> list[tuple[Piece, str, str]]:
    """Return what ``side`` Retains in an area that could be thought to Shift, and why it cannot.

    Who is aboard a vehicle goes with it. ``ordered`` are the units that have their orders.

    Rule: 9.613.
    """
    units = [
        piece
        for piece in pieces_retained_in(state, side, area)
        if not piece.is_prisoner
        and not piece.aboard
        and (piece.is_personnel or piece.is_vehicle or piece.kind == "gun" or _loose(piece))
    ]
    found = []
    for unit in in_board_order(state, units):
        refusal = ("It has its order.", RULE) if unit.id in ordered else unit_refusal(state, unit)
        found.append((unit, *refusal))
    if any(unit.is_vehicle and not refused for unit, refused, _ in found):
        return found
    return [
        (unit, *((refused, rule) if refused or not _loose(unit) else _NEEDS_VEHICLE))
        for unit, refused, rule in found
    ]


def _loose(piece: Piece) -> bool:
    return piece.is_armor_leader and not piece.aboard


def armor_leaders_without_vehicle(state: Campaign, side: Side, area: str) -> set[str]:
    """Return the Armor Leaders in an area that are aboard no vehicle yet. Rule: D3.4."""
    return {piece.id for piece in pieces_retained_in(state, side, area) if _loose(piece)}


def may_try(state: Campaign, side: Side, area: str, ordered: Collection[str] = ()) -> list[Piece]:
    """Return the units of an area that may try to Shift as far as they themselves are concerned."""
    return [unit for unit, refused, _ in shiftable(state, side, area, ordered) if not refused]


def unit_refusal(state: Campaign, unit: Piece) -> Refusal:
    """Return why a unit may not try to Shift. Rule: 9.613, 9.6058, 9.6151, 9.6153."""
    if unit.kind == "gun":
        return "A Gun cannot Shift.", RULE
    if unit.is_vehicle and not is_mobile(unit):
        return "It is not Mobile.", RULE
    if is_held_by_no_move(state, unit, state.board):
        return "On its No Move counter it stays in its Location.", "9.6058"
    if unit.shift_tried is state.date:
        return "It has tried to Shift on this CG Date.", RULE
    if withdrawn_later(state, unit):
        return "It is withdrawn in 9.6153.", "9.6153"
    if unit.listed_at and is_off_map(unit.area):
        return "It may enter or set up only as 9.6152 says.", "9.6151"
    if is_isolated(state, unit) and _keeps_isolated(state):
        return "It is Isolated.", "9.613, 9.605"
    return LEGAL


def _keeps_isolated(state: Campaign) -> bool:
    """Return whether what is Isolated cannot Shift. House rule C-16."""
    return state.plays("C-16", "no-isolated")


def area_refusal(state: Campaign, side: Side, area: str, ordered: Collection[str] = ()) -> Refusal:
    """Return why no unit of an area may try to Shift, paths aside. Rule: 9.613."""
    units = shiftable(state, side, area, ordered)
    if any(not refused for _, refused, _ in units):
        return LEGAL
    refusals = {(refused, rule) for _, refused, rule in units}
    return refusals.pop() if len(refusals) == 1 else ("No unit there may try to Shift.", RULE)


def leads_anywhere(state: Campaign, units: Sequence[Piece]) -> bool:
    """Return whether there is any area that one of these units of one area may Shift to.

    Rule: 9.613.
    """
    samples = _samples(state, units)
    return any(True for unit in samples for _ in each_shift_way(state, [unit]))


def _samples(state: Campaign, units: Sequence[Piece]) -> Sequence[Piece]:
    """Return units that stand for all as far as paths go: one, or one of each RG.

    House rule B-05.
    """
    if not state.plays("B-05", "paid-only"):
        return units[:1]
    return list({unit.rg: unit for unit in units}.values())


# -- Destinations -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShiftDestination:
    """An area of a side that a group could wish to Shift to; ``refused`` says why it may not."""

    id: str
    name: str
    refused: str
    rule: str


def destinations(
    state: Campaign, units: Sequence[Piece], ways: Sequence[ShiftWay]
) -> list[ShiftDestination]:
    """Return every other area of the side of ``units``, and why those without a way are refused.

    Rule: 9.605, 9.613, CG5; house rules B-05, C-14, C-16.
    """
    areas = state.areas
    side, start = units[0].side, units[0].area
    legal = {way.id for way in ways}
    found = []
    for area in areas.areas[side]:
        if area.id != start:
            refusal = LEGAL if area.id in legal else _setup_area_refusal(state, area)
            found.append(ShiftDestination(area.id, f"to Setup Area {area.id}", *refusal))
    for entry in areas.entry_areas[side]:
        if entry.id != start:
            refusal = LEGAL if entry.id in legal else _entry_refusal(state, units, entry)
            name = f"to Entry Area {entry.id}, off map"
            found.append(ShiftDestination(entry.id, name, *refusal))
    return found


def _setup_area_refusal(state: Campaign, area: SetupArea) -> Refusal:
    if area.alone:
        one = len(area.strategic_locations) == 1
        where = "It is one Location in an enemy hex." if one else "It has no hex of its own."
        return where, "9.605"
    if area.isolated and _keeps_isolated(state):
        return "It is Isolated.", "9.605"
    return _NO_PATH, RULE


def _entry_refusal(state: Campaign, units: Sequence[Piece], entry: EntryState) -> Refusal:
    if not entry.eligible:
        return f"It is not Eligible for {state.date.title}.", "CG5"
    if all(each.id != entry.id for each in eligible_entries(state, units)):
        return "Only an RG that paid for it may enter there.", "9.61741"
    start = units[0].area
    if is_off_map(start):
        return f"It is not the next Entry Area to {start} along the map edge.", RULE
    return _NO_PATH, RULE


# -- Words ------------------------------------------------------------------------------------


def way_words(way: ShiftWay) -> tuple[str, dict[str, Likelihood]]:
    """Return what stands beside a destination: path, DRM and exact odds. Rule: 9.613."""
    if way.automatic:
        hexes = f"{number_words(len(way.path), 'hex', 'hexes')}, " if way.path else ""
        return f"{hexes}no DR: the Entry Area is part of the Setup Area or adjacent to it", {}
    shift = table("shift")
    drms = shift.modifiers(way.given)
    path = "no path needed"
    if way.path:
        road = "all on road hexes" if way.road else "not all on road hexes"
        hexes = number_words(len(way.path), "hex", "hexes")
        path = f"{hexes}, {road}, {way.uncontrolled} of Uncontrolled Territory"
    parts = ", ".join(f"{drm.value:+d} {shift.drm[drm.name].short or drm.why}" for drm in drms)
    total = f"{parts} = {sum(drm.value for drm in drms):+d}" if drms else "no DRM"
    counts, outcomes = shift.odds_counts(way.given)
    chances = shift.odds(way.given)
    odds = {
        shift.short_results[result]: likelihood(
            chances[result], f"{count}/{outcomes} = {percent(chances[result])}"
        )
        for result, count in counts.items()
    }
    return f"{path}: {total}", odds
