"""Faults of the CG Roster of a paper campaign: each number against the rules and the others."""

from __future__ import annotations

from collections.abc import Iterator

from asl_pbcg.campaign.paper_group_checks import (
    Wrong,
    bought_faults,
    fpp_received,
    group_faults,
    rows_of,
)
from asl_pbcg.campaign.paper_records import LISTS, GroupEntry, Records, RosterEntry, price_of
from asl_pbcg.campaign.received import (
    dates_until,
    fpp_of_british,
    fpp_of_german,
    most_loss_points,
    received_by,
)
from asl_pbcg.campaign.snipers import san_in_force
from asl_pbcg.campaign.state import Campaign, change
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.struct_reader import Path
from asl_pbcg.kernel.wording import span_words

GERMAN, BRITISH = Side.GERMAN, Side.BRITISH


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
        fpp_of_british(state, each) if side is BRITISH else fpp_of_german(state, each, None)
        for each in dates_until(state, date)
    ]
    most = state.charts.initial[state.campaign].san[side] + sum(each >= price for each in points)
    chart = state.frame.san
    if side is BRITISH or date not in chart.ii13_dates:
        return chart.least, min(most, chart.ii13_most)
    return 0, min(most + chart.ii13_change, chart.ii13_most)


def san_without_ii13(state: Campaign, san: int) -> list[int]:
    """Return each German SAN from which II13 makes ``san``, with II13 as ``state`` has it."""
    return [
        base for base in range(10) if san_in_force(change(state, san={GERMAN: base}), GERMAN) == san
    ]


# -- CPP and FPP -----------------------------------------------------------------------------------

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
    left = most - spent
    if row.cpp_left is not None and None not in (row.cpp_available, row.cpp_spent):
        if row.cpp_left != left:
            wrong = f"must be {left}: {row.cpp_available} available, {row.cpp_spent} spent (9.617)"
            yield (*path, "cpp_left"), row.cpp_left, wrong
    elif row.cpp_left is not None and row.cpp_left > max(0, left):
        wrong = f"must be {max(0, left)} at most: {most} available, {spent} spent (9.616, 9.617)"
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
            path, last = [each for each in rows_of(records, "rg") if each[1].date is date][-1]
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
    return next((each for each in reversed(dates_until(state, date)) if each is not date), None)


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
    return sum(price_of(state, each) for each in records.rg if each.date is date)


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


# -- losses ----------------------------------------------------------------------------------------

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
        known = state.catalogue.find(type, side)
        if known is not None:
            points += number * (getattr(known, "cvp", None) or _CVP_OF.get(known.kind, 0))
    return points * _PRISONER
