"""Pieces and points that each side can have received up to a CG Date: by its OB, 9.6152 and RG."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from asl_pbcg.campaign.module.campaign_tables import table
from asl_pbcg.campaign.module.catalogue import InfantryType
from asl_pbcg.campaign.module.charts import Allotment
from asl_pbcg.campaign.state.campaign_state import Campaign, ReceivedGroup
from asl_pbcg.campaign.terms import CGDate, Side

GERMAN, BRITISH = Side.GERMAN, Side.BRITISH
Types = Counter[str]
"""How many of each type."""


def dates_until(state: Campaign, date: CGDate) -> list[CGDate]:
    """Return the CG Dates of the campaign up to ``date``."""
    dates = state.frame.campaigns[state.campaign].dates
    return [cg_date for cg_date in dates if cg_date.number <= date.number]


def allotments(state: Campaign, date: CGDate) -> list[Allotment]:
    """Return the reinforcements that the British received up to ``date``. Rule: 9.6152."""
    later = dates_until(state, date)[1:]
    return [allotment for allotment in (_allotment(state, date) for date in later) if allotment]


def _allotment(state: Campaign, date: CGDate) -> Allotment | None:
    """Return what the British received on a CG Date after the first. Rule: 9.6152 note 2."""
    arrival = state.charts.reinforcements.dates.get(date)
    return None if arrival is None or (2 in arrival.notes and state.campaign == "CG2") else arrival


def fpp_of_british(state: Campaign, date: CGDate) -> float:
    """Return the FPP that the British received on ``date``. Rule: 9.6152, 9.5."""
    if [date] == dates_until(state, date):
        return float(state.charts.initial[state.campaign].fpp.get(BRITISH, 0))
    allotment = _allotment(state, date)
    return float(allotment.fpp) if allotment else 0.0


def fpp_of_german(state: Campaign, date: CGDate, rg: Iterable[str] | None) -> float:
    """Return the most FPP that the RG bought on ``date`` can have brought; None: not known which.

    Rule: 9.617 M1, 9.6175.
    """
    groups = state.charts.groups.groups
    if date.is_night:
        return 0.0
    if rg is not None:
        return float(sum(groups[id].fpp for id in rg if id in groups))
    return float(sum(chart.fpp * (chart.date_max or 0) for chart in groups.values()))


def most_loss_points() -> int:
    """Return the most CG Scenario Loss Points that a dr gives. Rule: 9.6162."""
    return max(map(int, table("loss_points").odds({})))


def received_by(state: Campaign, side: Side, groups: Sequence[ReceivedGroup] | None) -> Types:
    """Return the most pieces that ``side`` can have received up to the CG Date, by type.

    ``groups`` are the RG on record, None where they are not known: then all that can be had.
    Captured Equipment of an OB counts for the side that made it. Rule: 9.51, 9.52, 9.6152, 9.6178.
    """
    types: Types = Counter()
    for group in state.charts.initial[state.campaign].groups:
        types.update(group.units if group.side is side else group.captured)
    if side is BRITISH:
        for allotment in allotments(state, state.date):
            types.update(allotment.units)
    if side is state.frame.cpp_side:
        for id, strength in strengths(state, groups):
            types.update(_most_of_group(state, id, strength))
    return types


def airborne_mmc(state: Campaign) -> Types:
    """Return the Airborne MMC that the British received up to the CG Date. Rule: 9.6152 note 4."""
    types: Types = Counter()
    for group in state.charts.initial[state.campaign].groups:
        if group.airborne:
            types.update(group.units)
    notes = {note for note, id in state.charts.reinforcements.formations.items()
             if note and state.catalogue.formations[id].airborne}  # fmt: skip
    for allotment in allotments(state, state.date):
        if notes.intersection(allotment.notes):
            kinds = {type: state.catalogue.kind(type, BRITISH) for type in allotment.units}
            types.update({t: n for t, n in allotment.units.items() if kinds[t] != "crew"})
    entries = ((type, state.catalogue.find(type, BRITISH)) for type in [*types])
    mmc = {type for type, entry in entries if isinstance(entry, InfantryType) and entry.is_mmc}
    return Counter({type: number for type, number in types.items() if type in mmc})


def strengths(state: Campaign, groups: Sequence[ReceivedGroup] | None) -> list[tuple[str, str]]:
    """Return RG and Strength of all RG on record, or of all that can be; empty: not known."""
    if groups is not None:
        return [(group.id, group.strength) for group in groups]
    initial = [rg for group in state.charts.initial[state.campaign].groups for rg in group.rg]
    pairs = [(rg.id, "" if rg.strength == "roll" else rg.strength) for rg in initial]
    days = sum(not date.is_night for date in dates_until(state, state.date))
    for id, chart in state.charts.groups.groups.items():
        bought = min(chart.cg_max or 0, (chart.date_max or 0) * days)
        pairs += [(id, "")] * bought
    return pairs


def _most_of_group(state: Campaign, id: str, strength: str) -> Types:
    """Return the most units and SW that an RG brings. Rule: 9.6181, 9.6182."""
    types: Types = Counter()
    for full, depleted, type in state.charts.groups.groups[id].units:
        types[type] += (depleted or 0) if strength == "depleted" else full
    for weapon, chart in state.charts.groups.support_weapons.get(id, {}).items():
        types[weapon] += max(chart.n, bool(chart.p))
    return types
