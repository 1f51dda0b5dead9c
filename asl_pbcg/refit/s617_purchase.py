"""9.617 Purchasing Reinforcement Groups: the German secretly spends CPP."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from asl_pbcg.campaign.board.entry_areas import entry_areas
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.module.charts import GroupChart
from asl_pbcg.campaign.scenario.reinforcement_places import entry_cost
from asl_pbcg.campaign.state.campaign_events import GroupPurchased, happen, keep_book
from asl_pbcg.campaign.state.campaign_state import (
    Campaign,
    ReceivedGroup,
    Told,
    change,
    group_key,
    with_account,
    with_group,
)
from asl_pbcg.campaign.state.piece_changes import add_pieces, update
from asl_pbcg.campaign.state.piece_events import PlacedByNote
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Script, ask_if_open, paragraph
from asl_pbcg.kernel.topic import IDLE, Topic
from asl_pbcg.kernel.wording import is_or_are
from asl_pbcg.refit.helpers.situation import area_words
from asl_pbcg.refit.helpers.subjects import About, area_option, own_turn, whole_side
from asl_pbcg.refit.setup.stacking import no_room

GERMAN = Side.GERMAN


def purchase(state: Told) -> Script[Told]:
    """Decide which RG the German buys on the current CG Date and where each is assigned.

    Rule: 9.617-9.6178.
    """
    if state.date.is_night:
        yield Note(f"No RG may be purchased on a Night CG Date ({state.date.title}).", topic=IDLE)
        return state
    if _record_only(state):
        yield Note("House rule B-01: the CPP are kept for the next purchase.", "9.5")
        return keep_book(state, with_account(state, cpp_available=state.cpp, cpp_left=state.cpp))
    return (yield from own_turn(state, _purchases(state), GERMAN, "9.617"))


def _purchases(state: Told) -> Script[Told]:
    available, spent = state.cpp, 0
    if state.plays("C-82", "pay-again"):
        state = yield from _pay_again(state)
        spent = available - state.cpp
    while True:
        id = yield from ask_if_open(_what(state))
        if id == "done":
            break
        chart = state.charts.groups.groups[id]
        place = None
        if id != "M1":
            place = yield from _ask_where(_where(state, id, chart))
        state, price = yield from _buy(state, id, chart, place)
        spent += price
    after = with_account(state, cpp_available=available, cpp_spent=spent, cpp_left=state.cpp)
    state = keep_book(state, after)
    yield Note(f"CPP: {available} available, {spent} spent, {state.cpp} left.")
    return state


def _record_only(state: Campaign) -> bool:
    initial = not any(account.date is not state.date for account in state.accounts)
    return initial and state.plays("B-01", "record-only")


# -- Where an RG may be assigned ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AssignedArea:
    """A Setup Area or Entry Area; ``cost`` is the CPP Entry Cost per RG."""

    id: str
    name: str
    cost: int = 0


def entry_places(state: Campaign) -> list[AssignedArea]:
    """Return the German Entry Areas with their CPP Entry Costs, balance included.

    Rule: CG5, 9.61741, 9.31.
    """
    return [
        AssignedArea(arrow, f"Entry Area {arrow}", entry_cost(state, arrow))
        for arrow, area in entry_areas(state.board).items()
        if area.side is GERMAN
    ]


def setup_places(state: Campaign, side: Side) -> list[AssignedArea]:
    """Return the non-Isolated friendly Setup Areas; for an Initial Scenario those of its OB groups.

    Rule: 9.6178, 9.2 Initial Scenario.
    """
    if state.determined is not None:
        return [
            AssignedArea(area.id, f"Setup Area {area.id}: {_some(area.strategic_locations)}")
            for area in state.areas.areas[side]
            if not area.isolated
        ]
    initial = state.charts.initial[state.campaign]
    return [
        AssignedArea(group.area, f"Setup Area {group.area}: {group.place}")
        for group in initial.groups
        if group.side is side and group.formation and not group.zone.entry and not group.zone.glider
    ]


def _some(places: Sequence[object]) -> str:
    """Return the first few of a list of places, in words."""
    words = " ".join(str(place) for place in places[:5])
    return f"{words} ..." if len(places) > 5 else words


# -- 9.61741 --------------------------------------------------------------------------------


def waiting_groups(state: Campaign) -> list[ReceivedGroup]:
    """RG bought earlier that wait whole at an Entry Area with a price. House rule C-82."""
    costs = {place.id: place.cost for place in entry_places(state)}
    found = []
    for group in state.groups:
        pieces = [piece for piece in state.of(GERMAN) if piece.rg == group.key]
        waits = pieces and all(piece.area == group.area and not piece.on_map for piece in pieces)
        if waits and costs.get(group.area) and group.date is not state.date:
            found.append(group)
    return found


def _pay_again(state: Told) -> Script[Told]:
    """Settle for each RG not yet entered where it waits now, and its price. House rule C-82."""
    for group in waiting_groups(state):
        place = yield from _ask_where(_where_again(state, group))
        cost = next(each.cost for each in entry_places(state) if each.id == place)
        paid = {**group.paid_again, state.date: cost}
        again = msgspec.structs.replace(group, area=place, paid_again=paid)
        after = with_group(change(state, cpp=state.cpp - cost), again)
        told = GroupPurchased(by=GERMAN, group=group.key)
        state = yield from happen(state, after, told)
        for piece in state.of(GERMAN):
            if piece.rg == group.key:
                after = update(state, piece.id, area=place, at=str(Location.off_map(place)))
                state = yield from happen(state, after, PlacedByNote(piece=piece))
    return state


@paragraph("9.61741")
def _ask_where(prompt: Prompt) -> Script[str]:
    return (yield from ask_if_open(prompt))


def _where_again(state: Campaign, group: ReceivedGroup) -> Prompt:
    chart = state.charts.groups.groups[group.id]
    options = tuple(
        _place(state, place, place.cost, f"{place.cost} CPP") for place in entry_places(state)
    )
    return Prompt(
        state=state,
        id="9.617.3",
        widget="basket-place",
        subject=About(group.key, GERMAN, group.key),
        options=options,
        default=next(
            (option.id for option in options if option.id == group.area and not option.refused),
            None,
        ),
        text=f"{group.key} {chart.name} waits at {group.area}. Where will it enter?",
        help="House rule C-82: an RG that has not entered pays its CPP Entry Cost on each CG Date.",
    )


def _place(state: Campaign, place: AssignedArea, price: int, words: str, full: str = "") -> Option:
    """Return a Setup or Entry Area as an answer, refused if ``full`` or too dear."""
    refused = (
        f"That costs {price} CPP and {state.cpp} {is_or_are(state.cpp)} left."
        if price > state.cpp
        else full
    )
    rule = "A5.1" if full and refused == full else "9.61741"
    return area_option(place.id, place.name, words, refused=refused, rule=rule)


def _full(state: Campaign, chart: GroupChart, place: AssignedArea) -> str:
    """Return why a Setup Area has no room for an RG at Full Strength; empty if it has.

    What was bought for it on this CG Date counts as there, at Full Strength too.

    Rule: 9.62022, A5.1; rulings P-16, P-100.
    """
    areas = [] if state.determined is None else state.areas.areas[GERMAN]
    area = next((area for area in areas if area.id == place.id), None)
    if area is None:
        return ""
    for group in state.new_groups():
        if group.area == area.id:
            units = _at_full_strength(state.charts.groups.groups[group.id])
            state = add_pieces(state, GERMAN, units, area=area.id)
    with_it = add_pieces(state, GERMAN, _at_full_strength(chart))
    excess = no_room(state, area, with_it.pieces[len(state.pieces) :])
    where = area_words(area.id)
    return f"There would be no room in {where} for it at Full Strength: {excess}." if excess else ""


def _at_full_strength(chart: GroupChart) -> list[tuple[str, int]]:
    return [(type, full) for full, _, type in chart.units]


def places_for(state: Campaign) -> list[AssignedArea]:
    """Return the Setup Areas and Entry Areas a new RG may be assigned to. Rule: 9.6178, 9.61741."""
    found = entry_places(state)
    if state.plays("C-81", "on-map-allowed"):
        found = setup_places(state, GERMAN) + found
    return found


def _refusal(state: Campaign, id: str, chart: GroupChart) -> tuple[str, str]:
    """Return why RG ``id`` cannot be bought now, and the rule; empty if it can."""
    if chart.cost is None:
        return f"{chart.name} cannot be purchased.", "9.6177 note a"
    if chart.date_max is not None and state.count_purchased(id, state.date) >= chart.date_max:
        return f"{chart.date_max} {id} per CG Date is the most.", "9.6175"
    if chart.cg_max is not None and state.count_purchased(id) >= chart.cg_max:
        return f"{chart.cg_max} {id} in the CG is the most.", "9.6176"
    cheapest = chart.cost
    if id != "M1":
        by_cost = sorted([*entry_places(state), *places_for(state)], key=lambda place: place.cost)
        place = next((each for each in by_cost if not _full(state, chart, each)), None)
        if place is None:
            return "No non-Isolated Setup Area or Eligible Entry Area can take it.", "9.6178"
        cheapest += place.cost
    if cheapest > state.cpp:
        return f"{id} costs {cheapest} CPP and {state.cpp} {is_or_are(state.cpp)} left.", "9.6174"
    return "", ""


def _what(state: Campaign) -> Prompt:
    options = []
    for id, chart in state.charts.groups.groups.items():
        refused, rule = _refusal(state, id, chart)
        remaining = (
            "" if chart.cg_max is None else f"{chart.cg_max - state.count_purchased(id)} left in CG"
        )
        options.append(
            Option(
                id,
                f"{id} {chart.name}: {contents(chart)}",
                consequence="" if chart.cost is None else f"{chart.cost} CPP, {remaining}",
                refused=refused,
                rule=rule,
                topic=Topic(name=f"{id} {chart.name}", brings=contents(chart)),
            )
        )
    last = state.date is state.frame.campaigns[state.campaign].dates[-1]
    kept = "lost: no CG Date follows" if last else "kept for later"
    end = Topic(kind="end")
    options.append(Option("done", "buy nothing more", f"{state.cpp} CPP {kept}", topic=end))
    return Prompt(
        state=state,
        id="9.617.1",
        widget="basket",
        subject=whole_side(GERMAN, state.date.title),
        options=tuple(options),
        text=f"{state.cpp} CPP left. Buy an RG?",
        help="Each RG has a price, a limit per CG Date and a limit per CG (9.6174-9.6176). "
        "Its price is paid whatever its Strength will be; CPP left over stay (9.617).",
    )


def contents(chart: GroupChart) -> str:
    """Return what an RG brings, as ``12/9 4-6-7``: Full and Depleted counts."""
    if chart.fpp:
        return f"{chart.fpp} FPP"
    return ", ".join(
        f"{full}/{'-' if depleted is None else depleted} {type}"
        for full, depleted, type in chart.units
    )


def _where(state: Campaign, id: str, chart: GroupChart) -> Prompt:
    cost = chart.cost or 0
    options = tuple(
        _place(
            state,
            place,
            cost + place.cost,
            f"{cost} CPP" + (f" +{place.cost} = {cost + place.cost}" * (place.cost > 0)),
            _full(state, chart, place),
        )
        for place in places_for(state)
    )
    return Prompt(
        state=state,
        id="9.617.2",
        widget="basket-place",
        subject=About(id, GERMAN, state.date.title),
        options=options,
        text=f"Where will {id} {chart.name} set up or enter?",
        help="A non-Isolated Setup Area costs nothing more, and must have room for the RG at Full "
        "Strength (A5.1); an Entry Area adds the CPP Entry Cost "
        "printed in its arrow, for that RG alone (9.61741).",
    )


def _buy(state: Told, id: str, chart: GroupChart, place: str | None) -> Script[tuple[Told, int]]:
    entry_cost = next((each.cost for each in places_for(state) if each.id == place), 0)
    price = (chart.cost or 0) + entry_cost
    group = ReceivedGroup(
        key=group_key(state, id),
        id=id,
        date=state.date,
        area=place or "",
        cost=chart.cost or 0,
        entry_cost=entry_cost,
    )
    after = with_group(change(state, cpp=state.cpp - price), group)
    if chart.fpp:
        fpp = {**state.fpp, GERMAN: state.fpp.get(GERMAN, 0) + chart.fpp}
        after = change(after, fpp=fpp)
    told = GroupPurchased(by=GERMAN, group=group.key)
    return (yield from happen(state, after, told)), price
