"""9.613 Shift: each side orders its groups in secret, then every group makes its attempt."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from asl_pbcg.campaign.area_paths import Closed
from asl_pbcg.campaign.events import happen, keep_book
from asl_pbcg.campaign.location import place_words
from asl_pbcg.campaign.piece_changes import transfer
from asl_pbcg.campaign.piece_events import Dropped
from asl_pbcg.campaign.piece_names import name_piece
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position_words import status_words
from asl_pbcg.campaign.seen import frozen
from asl_pbcg.campaign.state import Campaign, Told
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Script, ask_if_open
from asl_pbcg.kernel.wording import number_words
from asl_pbcg.refit.catalogue_questions import in_own_catalogue
from asl_pbcg.refit.equipment import Occasion, equipment, settle_deployment
from asl_pbcg.refit.retention import guns_of
from asl_pbcg.refit.s613_results import attempt, tell_vacated
from asl_pbcg.refit.s613_who import (
    NO_WAY,
    RULE,
    ShiftDestination,
    area_refusal,
    areas_with_units,
    armor_leaders_without_vehicle,
    destinations,
    leads_anywhere,
    may_try,
    shiftable,
    way_words,
)
from asl_pbcg.refit.secrecy import own_turn
from asl_pbcg.refit.shift_paths import ShiftWay, shift_ways
from asl_pbcg.refit.situation import area_words
from asl_pbcg.refit.stacking import no_room
from asl_pbcg.refit.subjects import About, side_in, stack_of
from asl_pbcg.refit.vehicle_actions import unhook
from asl_pbcg.refit.vehicle_paths import settle_way

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
    state = keep_book(state, frozen(state))
    for side in state.sides:
        part = in_own_catalogue(state, side, partial(_shifts_of, side=side))
        state = yield from own_turn(state, part, side, RULE)
    return state


def _shifts_of(state: Told, side: Side) -> Script[Told]:
    """Take all orders of a side before any attempt: who goes one way goes as one group."""
    state, orders = yield from _orders(state, side)
    if not orders:
        yield Note(f"No {side.title} unit Shifts.")
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
        area = yield prompt
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
            Option(area, f"from {area_words(area)}", number, refused=sentence, rule=rule)
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
        options.append(
            Option(unit.id, name_piece(unit), _beside(unit), refused=sentence, rule=rule)
        )
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

    chosen = yield Prompt(
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
        same = next((each for each in orders if _same_route(each, new)), None)
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
        return Option(to.id, to.name, refused=sentence, rule=to.rule or RULE)
    excess = _no_room(state, order, orders)
    if excess:
        sentence = f"There would not be room for all in {area_words(to.id)}: {excess}."
        return Option(to.id, to.name, refused=sentence, rule="A5.1")
    beside, odds = way_words(order.way)
    if len(order.units) > count:
        beside += "; with the group ordered there"
    return Option(to.id, to.name, beside, odds, path=order.way.path)


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
    chosen = yield Prompt(
        state=state,
        id="9.613.3a",
        subject=stack_of([state.piece(id) for id in new], area_words(order.area)),
        kind="choose-some",
        options=tuple(Option(id, name_piece(state.piece(id))) for id in new),
        default=NONE,
        text=f"Which of the new HS stay in {area_words(order.area)}?",
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
