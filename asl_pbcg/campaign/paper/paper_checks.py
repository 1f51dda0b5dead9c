"""Check the records of a paper campaign: CG Roster, RG Purchase Record and FPP purchases.

Each number is held against the rules and against the other records; where the records leave a
range, the least and the most are worked out. Rule: 9.12, 9.5, 9.615-9.619, CG13.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement

from asl_pbcg.campaign.board.entry_areas import entry_areas
from asl_pbcg.campaign.entry.received import (
    dates_until,
    fpp_of_british,
    fpp_of_german,
    most_loss_points,
    received_by,
    strengths,
)
from asl_pbcg.campaign.location import Area
from asl_pbcg.campaign.module.campaign_tables import LEADERS, Strength, table
from asl_pbcg.campaign.module.charts import FortificationPrice, GroupChart
from asl_pbcg.campaign.paper.paper_records import (
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
from asl_pbcg.campaign.scenario.reinforcement_places import entry_cost
from asl_pbcg.campaign.scenario.snipers import san_in_force
from asl_pbcg.campaign.state.campaign_state import Campaign, ReceivedGroup, change
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.reader import nearest_or_all
from asl_pbcg.kernel.struct_reader import ListItem, Path
from asl_pbcg.kernel.tables import circumstances
from asl_pbcg.kernel.wording import points_words, span_words

GERMAN, BRITISH = Side.GERMAN, Side.BRITISH
Wrong = tuple[Path, object, str]
"""Where in the records something is wrong, the value and what would be right."""


def faults_in(records: Records, state: Campaign) -> Iterator[Wrong]:
    """Yield what is wrong with the records of a campaign that stands at ``state.date``."""
    past = dates_until(state, state.date)
    until = f"must be a CG Date of {state.campaign} up to {state.date.title}: {', '.join(past)}"
    dated = [(path, row) for name in LISTS for path, row in rows_of(records, name)]
    astray = {path for path, row in dated if row.date not in past}
    yield from (((*path, "date"), row.date, until) for path, row in dated if path in astray)
    for path, value, wrong in _faults_of_dates(records, state):
        if path[:2] not in astray:
            yield path, value, wrong


def _faults_of_dates(records: Records, state: Campaign) -> Iterator[Wrong]:
    """Yield what is wrong with the lines of CG Dates that have been played."""
    dates: set[CGDate] = set()
    past = dates_until(state, state.date)
    for path, row in rows_of(records, "roster"):
        assert isinstance(row, RosterEntry)
        if row.date in dates:
            yield (*path, "date"), row.date, "has two lines: keep one of them"
        elif row.date in past:
            yield from _san_faults(path, row, state)
            yield from _cpp_faults(path, row, records, state)
            yield from _fpp_faults(path, row, records, state)
            yield from _cvp_faults(path, row, records, state)
        dates.add(row.date)
    yield from group_faults(records, state)
    yield from _cost_faults(records, state)
    yield from bought_faults(records, state)


def rows_of(records: Records, name: str) -> Iterator[tuple[Path, PaperRow]]:
    """Yield the rows of a list of the records, each with its place."""
    for number, row in enumerate(getattr(records, name) or (), 1):
        yield (name, ListItem(number)), row


# -- Losses ----------------------------------------------------------------------------------------


_CVP_OF = {"vehicle": 8, "gun": 3, "crew": 2}
"""The most Casualty VP of what the catalogue gives none for. Rule: A26.2."""
_PRISONER = 2
"""A prisoner counts so many times. Rule: A26.2."""


def _cvp_faults(path: Path, row: RosterEntry, records: Records, state: Campaign) -> Iterator[Wrong]:
    """Yield more Casualty VP than all that a side had received was worth. Rule: 9.12, A26.2."""
    for side in state.sides:
        lost, most = getattr(row, f"{side}_cvp_lost"), most_cvp(state, side, row.date)
        if (lost or 0) > most:
            wrong = (
                f"must be {most} at most: all that the {side.people} had received up to "
                f"{row.date.title} is worth no more, captured (9.12, A26.2)"
            )
            yield (*path, f"{side}_cvp_lost"), lost, wrong


def most_cvp(state: Campaign, side: Side, date: CGDate) -> int:
    """Return the most Casualty VP that ``side`` can have lost in the scenario of ``date``."""
    at_date = change(state, date=date)
    points = 0
    for type, number in received_by(at_date, side, None).items():
        entry = state.catalogue.find(type, side)
        if entry is not None:
            points += number * (getattr(entry, "cvp", None) or _CVP_OF.get(entry.kind, 0))
    return points * _PRISONER


# -- SAN -------------------------------------------------------------------------------------------


def _san_faults(path: Path, row: RosterEntry, state: Campaign) -> Iterator[Wrong]:
    """Yield SAN that no side can have had. Rule: 9.5, 9.6122, 9.619 note e, CG13."""
    for side in state.sides:
        san = getattr(row, f"{side}_san")
        least, most = san_bounds(state, side, row.date)
        if san is not None and not least <= san <= most:
            rules = "9.5, 9.6122, 9.619" + (", CG13" if side is GERMAN else "")
            wrong = f"must be {span_words(least, most)} on {row.date.title} ({rules})"
            yield (*path, f"{side}_san"), san, wrong


def san_bounds(state: Campaign, side: Side, date: CGDate) -> tuple[int, int]:
    """Return the least and the most SAN that ``side`` can have in the scenario of ``date``.

    One more with each SAN Increase, which costs FPP, and for the German what II13 does.
    Rule: 9.5, 9.6122, 9.619 note e, CG13.
    """
    price = state.charts.fortifications.kinds["san"].cost
    points = [
        fpp_of_british(state, day) if side is BRITISH else fpp_of_german(state, day, None)
        for day in dates_until(state, date)
    ]
    most = state.charts.initial[state.campaign].san[side] + sum(fpp >= price for fpp in points)
    chart = state.frame.san
    if side is BRITISH or date not in chart.ii13_dates:
        return chart.least, min(most, chart.ii13_most)
    return 0, min(most + chart.ii13_change, chart.ii13_most)


def san_without_ii13(state: Campaign, san: int) -> list[int]:
    """Return each German SAN from which II13 makes ``san``, with II13 as ``state`` has it."""
    return [
        base for base in range(10) if san_in_force(change(state, san={GERMAN: base}), GERMAN) == san
    ]


# -- CPP -------------------------------------------------------------------------------------------


_NIGHT = ("cpp_loss_points", "cpp_available", "cpp_spent")


def _cpp_faults(path: Path, row: RosterEntry, records: Records, state: Campaign) -> Iterator[Wrong]:
    """Yield CPP that do not add up. Rule: 9.616, 9.617."""
    if row.date.is_night:
        for name in (*_NIGHT, "cpp_left"):
            if getattr(row, name):
                yield (*path, name), getattr(row, name), "is for day CG Dates (9.617)"
        return
    points = most_points(records, state, row.date)
    if (row.cpp_loss_points or 0) > points:
        wrong = (
            f"must be {points or 'none'}{' at most' * bool(points)} on {row.date.title} "
            f"({_why_points(state, row.date, points)})"
        )
        yield (*path, "cpp_loss_points"), row.cpp_loss_points, wrong
    least, most = cpp_available(records, state, row.date)
    if row.cpp_available is not None and not least <= row.cpp_available <= most:
        wrong = f"must be {span_words(least, most)}: {_sum(records, state, row)} (9.616)"
        yield (*path, "cpp_available"), row.cpp_available, wrong
    if row.cpp_available is not None:
        most = row.cpp_available
    if row.cpp_spent is not None and row.cpp_spent > most:
        wrong = f"must be {most} at most: more are not available (9.617)"
        yield (*path, "cpp_spent"), row.cpp_spent, wrong
    cost = cost_of_rg(records, state, row.date)
    if cost is not None and row.cpp_spent not in (None, cost):
        wrong = f"must be {cost}: so much the RG bought on {row.date.title} cost (9.617)"
        yield (*path, "cpp_spent"), row.cpp_spent, wrong
    spent = cost or 0 if row.cpp_spent is None else row.cpp_spent
    spare = most - spent
    if row.cpp_left is not None and None not in (row.cpp_available, row.cpp_spent):
        if row.cpp_left != spare:
            wrong = f"must be {spare}: {row.cpp_available} available, {row.cpp_spent} spent (9.617)"
            yield (*path, "cpp_left"), row.cpp_left, wrong
    elif row.cpp_left is not None and row.cpp_left > max(0, spare):
        wrong = f"must be {max(0, spare)} at most: {most} available, {spent} spent (9.616, 9.617)"
        yield (*path, "cpp_left"), row.cpp_left, wrong


def _cost_faults(records: Records, state: Campaign) -> Iterator[Wrong]:
    """Yield RG that more CPP were spent on than there were. Rule: 9.616, 9.617."""
    for date in dates_until(state, state.date):
        row, cost = records.line(date), cost_of_rg(records, state, date)
        if cost is None or row.cpp_spent is not None:
            continue
        most = cpp_available(records, state, date)[1]
        most = most if row.cpp_available is None else row.cpp_available
        if cost > most and not date.is_night:
            path, last = [pair for pair in rows_of(records, "rg") if pair[1].date is date][-1]
            assert isinstance(last, GroupEntry)
            wrong = (
                f"costs too much: the RG of {date.title} come to {cost} CPP, and {most} at most "
                "were available (9.616, 9.617)"
            )
            yield (*path, "rg"), last.rg, wrong


def _sum(records: Records, state: Campaign, row: RosterEntry) -> str:
    """Say what the CPP available on a CG Date are made of."""
    before = _date_before(state, row.date)
    if before is None:
        return f"the Initial Scenario of {state.campaign} gives them"
    least, most = cpp_left(records, state, before)
    base = state.frame.cpp_base.get(row.date, 0)
    words = f"{span_words(least, most)} left over, {base} CPP Base"
    points = most_points(records, state, row.date)
    if row.cpp_loss_points is not None:
        return f"{words}, {row.cpp_loss_points} Loss Points"
    return f"{words}, {points} Loss Points at most" if points else words


def _date_before(state: Campaign, date: CGDate) -> CGDate | None:
    return next((day for day in reversed(dates_until(state, date)) if day is not date), None)


def cpp_available(records: Records, state: Campaign, date: CGDate) -> tuple[int, int]:
    """Return the least and the most CPP that can have been available on ``date``. Rule: 9.616."""
    before = _date_before(state, date)
    if before is None:
        cpp = state.charts.initial[state.campaign].cpp
        return cpp, cpp
    least, most = cpp_left(records, state, before)
    base = state.frame.cpp_base.get(date, 0)
    noted, points = records.line(date).cpp_loss_points, most_points(records, state, date)
    if noted is None:
        return least + base, most + base + points
    return least + base + noted, most + base + noted


def cpp_left(records: Records, state: Campaign, date: CGDate) -> tuple[int, int]:
    """Return the least and the most CPP that can have been left over on ``date``. Rule: 9.617."""
    row = records.line(date)
    if row.cpp_left is not None:
        return row.cpp_left, row.cpp_left
    least, most = cpp_available(records, state, date)
    if row.cpp_available is not None:
        least = most = row.cpp_available
    cost = cost_of_rg(records, state, date) if row.cpp_spent is None else row.cpp_spent
    if cost is None:
        return 0, most
    return max(0, least - cost), max(0, most - cost)


def cost_of_rg(records: Records, state: Campaign, date: CGDate) -> int | None:
    """Return the CPP spent on the RG of ``date``; None if the records do not tell.

    Rule: 9.6174, 9.61741; house rule C-82.
    """
    if records.rg is None or state.plays("C-82", "pay-again"):
        return None
    return sum(price_of(state, row) for row in records.rg if row.date is date)


def most_points(records: Records, state: Campaign, date: CGDate) -> int:
    """Return the most CG Scenario Loss Points of ``date``, by the CVP on record. Rule: 9.6162."""
    chart, before = state.frame.loss_points, _date_before(state, date)
    if before is None or date.number < CGDate(chart.first_date).number:
        return 0
    if date is CGDate.DUSK and state.plays("C-27", "none-at-dusk"):
        return 0
    row = records.line(before)
    german, british = row.german_cvp_lost, row.british_cvp_lost
    if german is None or british is None:
        return most_loss_points()
    enough = german >= chart.ratio * british and german - british >= chart.difference
    return most_loss_points() if enough else 0


def _why_points(state: Campaign, date: CGDate, points: int) -> str:
    if points:
        return "9.6162"
    if date.number < CGDate(state.frame.loss_points.first_date).number:
        return f"9.6162: the first are those of {CGDate(state.frame.loss_points.first_date).title}"
    return "9.6162: the German CVP lost before were too few"


# -- RG --------------------------------------------------------------------------------------------


def group_faults(records: Records, state: Campaign) -> Iterator[Wrong]:
    """Yield what is wrong with the RG Purchase Record. Rule: 9.617-9.6183."""
    charts = state.charts.groups
    first = state.frame.campaigns[state.campaign].dates[0]
    initial = [rg for group in state.charts.initial[state.campaign].groups for rg in group.rg]
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
            same = [rg for rg in initial if rg.id == id]
            if row.date is not first or not same:
                wrong = "is not an RG that the Initial Scenario gives: write no under given (9.5)"
                yield (*path, "given"), row.rg, wrong
                continue
            fits = [rg for rg in same if row.strength in (None, rg.strength)]
            rolled = [rg for rg in same if rg.strength == "roll"]
            if not fits and not rolled:
                wrong = f"must be {same[0].strength}: the Initial Scenario gives it so (9.5)"
                yield (*path, "strength"), row.strength, wrong
            initial.remove((fits or rolled or same)[0])
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
    on_date, in_all = bought.count((id, date)), sum(rg == id for rg, _ in bought)
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
    arrows = {name: site for name, site in entry_areas(state.board).items() if site.side is GERMAN}
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
    able = {entry_cost(state, area)} if area else {0, *(entry_cost(state, name) for name in arrows)}
    able = {0} if row.given else able
    if row.entry_cost not in able:
        costs = " or ".join(map(str, sorted(able)))
        of = "for an RG that is given" if row.given else f"for {area}" if area else ""
        yield (*path, "entry_cost"), row.entry_cost, f"must be {costs} {of}".rstrip() + " (9.61741)"


def _leader_faults(path: Path, row: GroupEntry, state: Campaign) -> Iterator[Wrong]:
    """Yield leaders that no Leader Allotment DR of the RG gives. Rule: 9.6183."""
    kinds = ("leader", "armor_leader")
    names = [type.name for type in state.catalogue if type.side is GERMAN and type.kind in kinds]
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
    if not any(counts <= Counter(name for part in parts for name in part) for parts in allowed):
        lists = "; ".join(", ".join(part) for part in results if part)
        wrong = f"cannot be: {id} makes {chart.rolls} Leader Allotment DR, each for one of: {lists}"
        yield (*path, "leaders"), listed, f"{wrong} (9.6183)"


def _leader_results(state: Campaign, id: str, strength: Strength | None) -> list[tuple[str, ...]]:
    """Return the leaders that a Leader Allotment DR of an RG can give, best first. Rule: 9.6183."""
    chart = state.charts.groups.leaders[id]
    rolled = table(chart.table)
    results: dict[tuple[str, ...], None] = {}
    for total in range(2, 13):
        for depleted in (False, True):
            if strength in (None, Strength.DEPLETED if depleted else Strength.FULL):
                facts = circumstances(**dict.fromkeys(chart.given, True), depleted=depleted)
                leaders = LEADERS.facts(rolled.resolve_total(total, facts)).leaders
                results[leaders] = None
    return [*results]


def leaders_of_groups(state: Campaign, groups: Sequence[ReceivedGroup] | None) -> int:
    """Return the most leaders that the RG on record brought; None: all RG that can be.

    Rule: 9.6183.
    """
    total = sum(len(group.leaders) for group in groups or ())
    open_groups = None if groups is None else [group for group in groups if not group.leaders]
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


# -- FPP -------------------------------------------------------------------------------------------


def _fpp_faults(path: Path, row: RosterEntry, records: Records, state: Campaign) -> Iterator[Wrong]:
    """Yield FPP received or spent that cannot be. Rule: 9.5, 9.6152, 9.617, 9.619."""
    fpp = fpp_of_british(state, row.date)
    if row.british_fpp_received not in (None, fpp):
        wrong = f"must be {fpp:g}, as the chart has it for {row.date.title} (9.6152)"
        yield (*path, "british_fpp_received"), f"{row.british_fpp_received:g}", wrong
    if (row.british_fpp_spent or 0) > fpp:
        wrong = f"must be {fpp:g} at most: what is not spent is forfeit (9.6152, 9.619)"
        yield (*path, "british_fpp_spent"), f"{row.british_fpp_spent:g}", wrong
    fpp = fpp_received(records, state, GERMAN, row.date)
    if (row.german_fpp_spent or 0) > fpp:
        brings = f"{fpp:g} at most: so much the M1 of {row.date.title} bring"
        wrong = brings if fpp else f"0: no M1 was bought on {row.date.title}"
        wrong = f"must be {wrong} (9.617, 9.619)"
        yield (*path, "german_fpp_spent"), f"{row.german_fpp_spent:g}", wrong


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
        bought = [row.rg.upper() for row in records.rg if row.date is date]
    return fpp_of_german(state, date, bought)
