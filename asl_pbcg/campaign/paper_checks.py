"""Faults of the records of a paper campaign: each number against the rules and the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from asl_pbcg.campaign.charts import GroupChart
from asl_pbcg.campaign.entry_areas import entry_areas
from asl_pbcg.campaign.location import Area
from asl_pbcg.campaign.paper_records import (
    LISTS,
    WEAPONS,
    BoughtEntry,
    GroupEntry,
    PaperRow,
    Records,
    RosterEntry,
    price_of,
    units_of,
)
from asl_pbcg.campaign.recorded import ReceivedGroup
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.reader import nearest_or_all
from asl_pbcg.kernel.struct_reader import ListItem, Path

GERMAN, BRITISH = Side.GERMAN, Side.BRITISH
Wrong = tuple[Path, object, str]
"""Where in the records something is wrong, the value and what would be right."""


def faults_in(records: Records, state: Campaign) -> Iterator[Wrong]:
    """Yield what is wrong with the records of a campaign that stands at ``state.date``."""
    dates = state.frame.campaigns[state.campaign].dates
    past = tuple(date for date in dates if date.number <= state.date.number)
    until = f"must be a CG Date of {state.campaign} up to {state.date.title}: {', '.join(past)}"
    for name in LISTS:
        for path, row in _rows_of(records, name):
            if row.date not in past:
                yield (*path, "date"), row.date, until
    yield from _roster_faults(records, state)
    yield from _group_faults(records, state)
    yield from _bought_faults(records, state)


def _rows_of(records: Records, name: str) -> Iterator[tuple[Path, PaperRow]]:
    for number, row in enumerate(getattr(records, name) or (), 1):
        yield (name, ListItem(number)), row


def _roster_faults(records: Records, state: Campaign) -> Iterator[Wrong]:
    dates: set[CGDate] = set()
    for path, row in _rows_of(records, "roster"):
        assert isinstance(row, RosterEntry)
        if row.date in dates:
            yield (*path, "date"), row.date, "has two lines: keep one of them"
        dates.add(row.date)
        if row.date.is_night:
            for name in ("cpp_loss_points", "cpp_available", "cpp_spent"):
                if getattr(row, name):
                    yield (*path, name), getattr(row, name), "is for day CG Dates (9.617)"
        yield from _cpp_faults(path, row, records, state)
        fpp = _fpp_due(state, row.date)
        if row.british_fpp_received not in (None, fpp):
            wrong = f"must be {fpp:g}, as the chart has it for {row.date.title} (9.6152)"
            yield (*path, "british_fpp_received"), f"{row.british_fpp_received:g}", wrong
        if (row.british_fpp_spent or 0) > fpp:
            wrong = f"must be {fpp:g} at most: what is not spent is forfeit (9.6152, 9.619)"
            yield (*path, "british_fpp_spent"), f"{row.british_fpp_spent:g}", wrong


def _cpp_faults(path: Path, row: RosterEntry, records: Records, state: Campaign) -> Iterator[Wrong]:
    """Yield CPP that do not add up. Rule: 9.616, 9.617."""
    before = [each for each in records.roster if each.date.number < row.date.number]
    last = max(before, key=lambda each: each.date.number, default=None)
    base = state.frame.cpp_base.get(row.date, 0)
    if last and None not in (last.cpp_left, row.cpp_available, row.cpp_loss_points):
        due = (last.cpp_left or 0) + base + (row.cpp_loss_points or 0)
        if row.cpp_available != due:
            wrong = (
                f"must be {due}: {last.cpp_left} left over, {base} CPP Base, "
                f"{row.cpp_loss_points} Loss Points (9.616)"
            )
            yield (*path, "cpp_available"), row.cpp_available, wrong
    if row.cpp_spent is not None and records.rg is not None and _is_plain_price(state):
        cost = sum(price_of(state, each) for each in records.rg if each.date is row.date)
        if row.cpp_spent != cost:
            wrong = f"must be {cost}: so much the RG bought on {row.date.title} cost (9.617)"
            yield (*path, "cpp_spent"), row.cpp_spent, wrong
    if None not in (row.cpp_available, row.cpp_spent, row.cpp_left):
        left = (row.cpp_available or 0) - (row.cpp_spent or 0)
        if row.cpp_left != left:
            wrong = f"must be {left}: {row.cpp_available} available, {row.cpp_spent} spent (9.617)"
            yield (*path, "cpp_left"), row.cpp_left, wrong


def _is_plain_price(state: Campaign) -> bool:
    """Whether an RG is paid once. House rule C-82."""
    return not state.plays("C-82", "pay-again")


def _fpp_due(state: Campaign, date: CGDate) -> float:
    """Return the FPP that the British received on ``date``. Rule: 9.6152, 9.5."""
    if date is state.frame.campaigns[state.campaign].dates[0]:
        return float(state.charts.initial[state.campaign].fpp.get(BRITISH, 0))
    allotment = state.charts.reinforcements.dates.get(date)
    if allotment is None or (2 in allotment.notes and state.campaign == "CG2"):
        return 0.0
    return float(allotment.fpp)


def _group_faults(records: Records, state: Campaign) -> Iterator[Wrong]:
    charts = state.charts.groups
    first = state.frame.campaigns[state.campaign].dates[0]
    given = [each.id for group in state.charts.initial[state.campaign].groups for each in group.rg]
    bought: list[tuple[str, CGDate]] = []
    for path, row in _rows_of(records, "rg"):
        assert isinstance(row, GroupEntry)
        id = row.rg.upper()
        chart = charts.groups.get(id)
        if chart is None:
            yield (*path, "rg"), row.rg, f"is not an RG{nearest_or_all(row.rg, charts.groups)}"
            continue
        yield from _received_faults(path, row, chart, state)
        if row.given:
            if row.date is not first or id not in given:
                wrong = "is not an RG that the Initial Scenario gives: write no under given (9.5)"
                yield (*path, "given"), row.rg, wrong
            else:
                given.remove(id)
        elif chart.cost is None:
            yield (*path, "rg"), row.rg, "cannot be purchased: write yes under given (9.617)"
        elif row.date.is_night:
            yield (*path, "date"), row.date, "is a Night CG Date: no RG may be purchased (9.617)"
        else:
            bought.append((id, row.date))
            on_date, in_all = bought.count((id, row.date)), sum(each == id for each, _ in bought)
            if chart.date_max is not None and on_date > chart.date_max:
                yield (*path, "rg"), row.rg, f"is one too many: {chart.date_max} per CG Date is " \
                    "the most (9.6175)"  # fmt: skip
            elif chart.cg_max is not None and in_all > chart.cg_max:
                yield (*path, "rg"), row.rg, f"is one too many: {chart.cg_max} in the CG is the " \
                    "most (9.6176)"  # fmt: skip


def _received_faults(
    path: Path, row: GroupEntry, chart: GroupChart, state: Campaign
) -> Iterator[Wrong]:
    """Yield what an RG of this kind cannot have brought. Rule: 9.6181-9.6183."""
    if row.strength and not units_of(chart, row.strength):
        yield (*path, "strength"), row.strength, f"is not a Strength of {row.rg.upper()} (9.617)"
    weapons = state.charts.groups.support_weapons.get(row.rg.upper(), {})
    for name, weapon in WEAPONS.items():
        if getattr(row, name) and weapon not in weapons:
            yield (*path, name), getattr(row, name), f"is not received with {row.rg} (9.6182)"
    leaders = ("leader", "armor_leader")
    names = [e.name for e in state.catalogue if e.side is GERMAN and e.kind in leaders]
    for leader in row.leaders:
        if leader not in names:
            yield (
                (*path, "leaders"),
                leader,
                f"is not a German leader{nearest_or_all(leader, names)}",
            )
    area = row.area.upper()
    entries = [name for name, each in entry_areas(state.board).items() if each.side is GERMAN]
    if area and area not in entries and not _is_setup_area(area):
        wrong = f"is neither a Setup Area, as B, nor a German Entry Area: {', '.join(entries)}"
        yield (*path, "area"), row.area, wrong


def wrong_group(rg: str, groups: Sequence[ReceivedGroup]) -> str:
    """Return what is wrong with the RG that a row of the position names; empty if nothing is.

    ``groups`` are the RG on record. Rule: 9.6178.
    """
    keys = [group.key for group in groups]
    called = [group.key for group in groups if rg.upper() in (group.key, group.id)]
    if not called:
        return f"is not on the RG Purchase Record{nearest_or_all(rg.upper(), keys)}"
    return f"was received more than once: write {' or '.join(called)}" if called[1:] else ""


def _is_setup_area(area: str) -> bool:
    try:
        return Area.parse(area).is_setup_area
    except PBCGError:
        return False


def _bought_faults(records: Records, state: Campaign) -> Iterator[Wrong]:
    kinds = state.charts.fortifications.kinds
    for path, row in _rows_of(records, "bought"):
        assert isinstance(row, BoughtEntry)
        chart = kinds.get(row.kind.lower())
        if chart is None:
            wrong = f"is nothing that FPP buy{nearest_or_all(row.kind, kinds)}"
            yield (*path, "kind"), row.kind, wrong
        elif chart.side and chart.side is not row.side:
            yield (*path, "side"), row.side, f"must be {chart.side}, who alone buy {chart.name}"
        elif bool(chart.per) != bool(row.factors):
            wrong = "is for minefields alone" if row.factors else "must say how many factors"
            yield (*path, "factors"), row.factors or "", wrong
        if row.at and row.at.upper().partition("/")[0] not in state.board:
            yield (*path, "at"), row.at, "is not a hex of the map"
