"""Faults of the RG Purchase Record and the purchases with FPP of a paper campaign."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement

from asl_pbcg.campaign.campaign_tables import table
from asl_pbcg.campaign.charts import FortificationPrice, GroupChart
from asl_pbcg.campaign.entry_areas import entry_areas
from asl_pbcg.campaign.location import Area
from asl_pbcg.campaign.paper_records import (
    WEAPONS,
    BoughtEntry,
    GroupEntry,
    PaperRow,
    Records,
    units_of,
)
from asl_pbcg.campaign.received import fpp_of_british, fpp_of_german, strengths
from asl_pbcg.campaign.recorded import ReceivedGroup
from asl_pbcg.campaign.reinforcement_places import entry_cost
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.table_results import LEADERS, Strength
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.reader import nearest_or_all
from asl_pbcg.kernel.struct_reader import ListItem, Path
from asl_pbcg.kernel.tables import circumstances
from asl_pbcg.kernel.wording import points_words, span_words

GERMAN, BRITISH = Side.GERMAN, Side.BRITISH
Wrong = tuple[Path, object, str]
"""Where in the records something is wrong, the value and what would be right."""


def rows_of(records: Records, name: str) -> Iterator[tuple[Path, PaperRow]]:
    """Yield the rows of a list of the records, each with its place."""
    for number, row in enumerate(getattr(records, name) or (), 1):
        yield (name, ListItem(number)), row


def group_faults(records: Records, state: Campaign) -> Iterator[Wrong]:
    """Yield what is wrong with the RG Purchase Record. Rule: 9.617-9.6183."""
    charts = state.charts.groups
    first = state.frame.campaigns[state.campaign].dates[0]
    given = [each for group in state.charts.initial[state.campaign].groups for each in group.rg]
    bought: list[tuple[str, CGDate]] = []
    for path, row in rows_of(records, "rg"):
        assert isinstance(row, GroupEntry)
        id = row.rg.upper()
        chart = charts.groups.get(id)
        if chart is None:
            yield (*path, "rg"), row.rg, f"is not an RG{nearest_or_all(row.rg, charts.groups)}"
            continue
        yield from _received_faults(path, row, chart, state)
        if row.given:
            same = [each for each in given if each.id == id]
            if row.date is not first or not same:
                wrong = "is not an RG that the Initial Scenario gives: write no under given (9.5)"
                yield (*path, "given"), row.rg, wrong
                continue
            fits = [each for each in same if row.strength in (None, each.strength)]
            rolled = [each for each in same if each.strength == "roll"]
            if not fits and not rolled:
                wrong = f"must be {same[0].strength}: the Initial Scenario gives it so (9.5)"
                yield (*path, "strength"), row.strength, wrong
            given.remove((fits or rolled or same)[0])
        elif chart.cost is None:
            yield (*path, "rg"), row.rg, "cannot be purchased: write yes under given (9.617)"
        elif row.date.is_night:
            yield (*path, "date"), row.date, "is a Night CG Date: no RG may be purchased (9.617)"
        else:
            bought.append((id, row.date))
            yield from _limit_faults(path, row, chart, bought)


def _limit_faults(
    path: Path, row: GroupEntry, chart: GroupChart, bought: Sequence[tuple[str, CGDate]]
) -> Iterator[Wrong]:
    """Yield an RG beyond #P and #R; ``bought`` are those up to it. Rule: 9.6175, 9.6176."""
    id, date = bought[-1]
    on_date, in_all = bought.count((id, date)), sum(each == id for each, _ in bought)
    words = "is one too many: "
    if chart.date_max is not None and on_date > chart.date_max:
        yield (*path, "rg"), row.rg, f"{words}{chart.date_max} per CG Date is the most (9.6175)"
    elif chart.cg_max is not None and in_all > chart.cg_max:
        yield (*path, "rg"), row.rg, f"{words}{chart.cg_max} in the CG is the most (9.6176)"


def _received_faults(
    path: Path, row: GroupEntry, chart: GroupChart, state: Campaign
) -> Iterator[Wrong]:
    """Yield what an RG of this kind cannot have brought. Rule: 9.6181-9.6183."""
    if row.strength and not units_of(chart, row.strength):
        yield (*path, "strength"), row.strength, f"is not a Strength of {row.rg.upper()} (9.617)"
    weapons = state.charts.groups.support_weapons.get(row.rg.upper(), {})
    for name, weapon in WEAPONS.items():
        number = getattr(row, name)
        if number and weapon not in weapons:
            yield (*path, name), number, f"is not received with {row.rg} (9.6182)"
        elif number is not None and weapon in weapons:
            least = weapons[weapon].n if row.strength is Strength.FULL else 0
            most = max(weapons[weapon].n, int(bool(weapons[weapon].p)))
            if not least <= number <= most:
                span = span_words(least, most)
                yield (*path, name), number, f"must be {span} with {row.rg} (9.6182)"
    yield from _leader_faults(path, row, state)
    area = row.area.upper()
    arrows = {name: each for name, each in entry_areas(state.board).items() if each.side is GERMAN}
    if area and area not in arrows and not _is_setup_area(area):
        wrong = f"is neither a Setup Area, as B, nor a German Entry Area: {', '.join(arrows)}"
        yield (*path, "area"), row.area, wrong
    elif row.entry_cost is not None and not state.plays("C-82", "pay-again"):
        yield from _entry_cost_faults(path, row, [*arrows], state)


def _entry_cost_faults(
    path: Path, row: GroupEntry, arrows: Sequence[str], state: Campaign
) -> Iterator[Wrong]:
    """Yield an Entry Cost that is not that of the area, or of any. Rule: 9.61741, 9.31."""
    area = row.area.upper()
    able = {entry_cost(state, area)} if area else {0, *(entry_cost(state, each) for each in arrows)}
    able = {0} if row.given else able
    if row.entry_cost not in able:
        costs = " or ".join(map(str, sorted(able)))
        of = "for an RG that is given" if row.given else f"for {area}" if area else ""
        yield (*path, "entry_cost"), row.entry_cost, f"must be {costs} {of}".rstrip() + " (9.61741)"


def _leader_faults(path: Path, row: GroupEntry, state: Campaign) -> Iterator[Wrong]:
    """Yield leaders that no Leader Allotment DR of the RG gives. Rule: 9.6183."""
    kinds = ("leader", "armor_leader")
    names = [each.name for each in state.catalogue if each.side is GERMAN and each.kind in kinds]
    unknown = [leader for leader in row.leaders if leader not in names]
    for leader in unknown:
        wrong = f"is not a German leader{nearest_or_all(leader, names)}"
        yield (*path, "leaders"), leader, wrong
    if unknown or not row.leaders:
        return
    id, listed = row.rg.upper(), ", ".join(row.leaders)
    chart = state.charts.groups.leaders.get(id)
    if chart is None:
        wrong = f"is not received with {id}, which makes no Leader Allotment DR (9.6183)"
        yield (*path, "leaders"), listed, wrong
        return
    results = _leader_results(state, id, row.strength)
    counts = Counter(leader.removesuffix(" Armor Leader") for leader in row.leaders)
    allowed = combinations_with_replacement(results, chart.rolls)
    if not any(counts <= Counter(each for part in parts for each in part) for parts in allowed):
        each = "; ".join(", ".join(part) for part in results if part)
        wrong = f"cannot be: {id} makes {chart.rolls} Leader Allotment DR, each for one of: {each}"
        yield (*path, "leaders"), listed, f"{wrong} (9.6183)"


def _leader_results(state: Campaign, id: str, strength: Strength | None) -> list[tuple[str, ...]]:
    """Return the leaders that a Leader Allotment DR of an RG can give, best first. Rule: 9.6183."""
    chart = state.charts.groups.leaders[id]
    rolled = table(chart.table)
    found: dict[tuple[str, ...], None] = {}
    for total in range(2, 13):
        for depleted in (False, True):
            if strength in (None, Strength.DEPLETED if depleted else Strength.FULL):
                given = circumstances(**dict.fromkeys(chart.given, True), depleted=depleted)
                leaders = LEADERS.facts(rolled.resolve_total(total, given)).leaders
                found[leaders] = None
    return [*found]


def leaders_of_groups(state: Campaign, groups: Sequence[ReceivedGroup] | None) -> int:
    """Return the most leaders that the RG on record brought; None: all RG that can be.

    Rule: 9.6183.
    """
    total = sum(len(group.leaders) for group in groups or ())
    open_groups = None if groups is None else [each for each in groups if not each.leaders]
    charts = state.charts.groups.leaders
    for id, strength in strengths(state, open_groups):
        if id in charts:
            results = _leader_results(state, id, Strength(strength) if strength else None)
            total += charts[id].rolls * max(map(len, results))
    return total


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


def bought_faults(records: Records, state: Campaign) -> Iterator[Wrong]:
    """Yield what nobody can have bought with FPP. Rule: 9.619."""
    kinds = state.charts.fortifications.kinds
    for path, row in rows_of(records, "bought"):
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
        else:
            yield from _purchase_faults(path, row, chart, state)
        if row.at and row.at.upper().partition("/")[0] not in state.board:
            yield (*path, "at"), row.at, "is not a hex of the map"
    yield from _price_faults(records, state)


def _purchase_faults(
    path: Path, row: BoughtEntry, chart: FortificationPrice, state: Campaign
) -> Iterator[Wrong]:
    """Yield what is wrong with a purchase of a kind that the side may buy. Rule: 9.619."""
    any_size = row.kind.lower() == "ap-mines" and state.plays("C-48", "any-size")
    if row.factors and not any_size and row.factors not in chart.sizes:
        sizes = ", ".join(map(str, chart.sizes))
        yield (*path, "factors"), row.factors, f"must be one of: {sizes} (B28; house rule C-48)"
    if row.unit and not chart.hip:
        yield (*path, "unit"), row.unit, "is for HIP alone (9.619 note b)"
    elif row.unit and row.count > 1:
        yield (*path, "count"), row.count, "must be 1 for HIP of one unit (9.619 note b)"
    if chart.hip and row.side is GERMAN and row.date is CGDate.DUSK:
        yield (*path, "date"), row.date, "has no German HIP (9.619 note h)"


def _price_faults(records: Records, state: Campaign) -> Iterator[Wrong]:
    """Yield purchases beyond what a RePh allows, in number and in FPP. Rule: 9.619 notes e, g."""
    kinds = state.charts.fortifications.kinds
    spent: Counter[tuple[Side, CGDate]] = Counter()
    counts: Counter[tuple[Side, CGDate, str]] = Counter()
    for path, row in rows_of(records, "bought"):
        assert isinstance(row, BoughtEntry)
        kind = row.kind.lower()
        chart = kinds.get(kind)
        if chart is None:
            continue
        key = (row.side, row.date)
        before = counts[(*key, kind)]
        counts[(*key, kind)] += row.count
        if chart.most and before <= chart.most < counts[(*key, kind)]:
            wrong = (
                f"is one too many: {chart.most} per RePh is the most (9.619 note {chart.notes[0]})"
            )
            yield (*path, "kind"), row.kind, wrong
        points = _points_for(records, state, row)
        paid = chart.cost * (row.factors or 1) * row.count * 2  # in halves, which are counted
        before, spent[key] = spent[key], spent[key] + int(paid)
        if before <= points * 2 < spent[key]:
            has = f"{points_words(points)} FPP" if points else "no FPP"
            wrong = (
                f"costs too much: the purchases of the {row.side.people} on {row.date.title} come "
                f"to {points_words(spent[key] / 2)} FPP, and they had {has} (9.6152, 9.617, 9.619)"
            )
            yield (*path, "kind"), row.kind, wrong


def _points_for(records: Records, state: Campaign, row: BoughtEntry) -> float:
    """Return the FPP that the purchases of a side on a CG Date may come to. Rule: 9.619."""
    spent: float | None = getattr(records.line(row.date), f"{row.side}_fpp_spent")
    return fpp_received(records, state, row.side, row.date) if spent is None else spent


def fpp_received(records: Records, state: Campaign, side: Side, date: CGDate) -> float:
    """Return the most FPP that ``side`` can have received on a CG Date. Rule: 9.6152, 9.617 M1."""
    if side is BRITISH:
        return fpp_of_british(state, date)
    bought = None
    if records.rg is not None:
        bought = [each.rg.upper() for each in records.rg if each.date is date]
    return fpp_of_german(state, date, bought)
