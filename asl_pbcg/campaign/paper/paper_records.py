"""The CG Roster and the RG Purchase Record of a campaign that was begun on paper.

It is brought in with these. Each fact has an owner: what both
sides know, the German's CPP and RG, what each side spent FPP on. ``part_of`` gives each his own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final, Literal

import msgspec

from asl_pbcg.campaign.module.campaign_tables import Strength
from asl_pbcg.campaign.module.charts import FortificationPrice, GroupChart
from asl_pbcg.campaign.scenario.reinforcement_places import entry_cost
from asl_pbcg.campaign.state.campaign_state import (
    Bought,
    Campaign,
    DateAccount,
    ReceivedGroup,
    change,
)
from asl_pbcg.campaign.state.piece_names import ids_called
from asl_pbcg.campaign.state.record_lines import owner_of_column
from asl_pbcg.campaign.terms import CGDate, Side

FORMAT: Final = "pbcg-records/1"
Meta = msgspec.Meta
GERMAN, BRITISH = Side.GERMAN, Side.BRITISH
MAX_POINTS: Final = 999
_San = Annotated[int, Meta(ge=0, le=7)]
_Points = Annotated[int, Meta(ge=0, le=MAX_POINTS)]
_Cvp = Annotated[int, Meta(ge=0, le=9999)]
_Fpp = Annotated[float, Meta(ge=0, le=MAX_POINTS)]
_Weapons = Annotated[int, Meta(ge=0, le=9)]
_Words = Annotated[str, Meta(max_length=200)]


class PaperRow(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True
):
    """A line of a record on paper; what is left out is not known."""

    date: Annotated[CGDate, Meta(description="The CG Date of the line.")]


class RosterEntry(PaperRow, frozen=True, kw_only=True):
    """A line of the CG Roster. Rule: 9.13, 9.617."""

    british_san: Annotated[_San | None, Meta(description="SAN in the scenario.")] = None
    german_san: Annotated[
        _San | None, Meta(description="SAN in the scenario, II13 counted (CG13).")
    ] = None
    british_cvp_lost: Annotated[
        _Cvp | None, Meta(description="Casualty VP lost in the scenario (9.12).")
    ] = None
    german_cvp_lost: Annotated[
        _Cvp | None, Meta(description="Casualty VP lost in the scenario (9.12).")
    ] = None
    cpp_loss_points: Annotated[
        _Points | None, Meta(description="CG Scenario Loss Points received (9.6162).")
    ] = None
    cpp_available: Annotated[
        _Points | None, Meta(description="CPP before the purchase of this CG Date.")
    ] = None
    cpp_spent: Annotated[
        _Points | None, Meta(description="CPP spent on this CG Date, Entry Costs with them.")
    ] = None
    cpp_left: Annotated[_Points | None, Meta(description="CPP left after the purchase.")] = None
    british_fpp_received: Annotated[_Fpp | None, Meta(description="FPP received (9.6152).")] = None
    british_fpp_spent: Annotated[_Fpp | None, Meta(description="FPP spent (9.619).")] = None
    german_fpp_spent: Annotated[_Fpp | None, Meta(description="FPP spent (9.619).")] = None
    reinforcements: Annotated[
        _Words, Meta(description="British reinforcements received, in words (9.6152).")
    ] = ""
    notes: Annotated[_Words, Meta(description="Anything both sides may read.")] = ""


class GroupEntry(PaperRow, frozen=True, kw_only=True):
    """A line of the RG Purchase Record. Rule: 9.6178."""

    rg: Annotated[str, Meta(description="The RG, as I5.", max_length=4)]
    given: Annotated[
        bool, Meta(description="yes if the Initial Scenario gave it: it counts to no limit.")
    ] = False
    strength: Annotated[Strength | None, Meta(description="full or depleted (9.6181).")] = None
    area: Annotated[
        str, Meta(description="Setup Area or arrow hex of the Entry Area.", max_length=4)
    ] = ""
    entry_cost: Annotated[
        _Points | None, Meta(description="CPP Entry Cost paid; else that of its Entry Area.")
    ] = None
    hmg: Annotated[_Weapons | None, Meta(description="HMG received (9.6182).")] = None
    mmg: Annotated[_Weapons | None, Meta(description="MMG received (9.6182).")] = None
    lmg: Annotated[_Weapons | None, Meta(description="LMG received (9.6182).")] = None
    mtr: Annotated[_Weapons | None, Meta(description="50* MTR received (9.6182).")] = None
    leaders: Annotated[
        tuple[Annotated[str, Meta(max_length=20)], ...],
        Meta(description="Leaders received, as 9-1, 8-0 (9.6183)."),
    ] = ()


class BoughtEntry(PaperRow, frozen=True, kw_only=True):
    """An entry under FORTIFICATIONS of the CG Roster: bought with FPP. Rule: 9.619."""

    side: Annotated[Side, Meta(description="The side that bought it.")]
    kind: Annotated[str, Meta(description="As foxhole-2s, ap-mines, hip-squad.", max_length=20)]
    count: Annotated[int, Meta(ge=1, le=60, description="How many.")] = 1
    factors: Annotated[int, Meta(ge=0, le=12, description="Strength of a minefield.")] = 0
    unit: Annotated[str, Meta(description="Of HIP: the unit, as A-3.", max_length=40)] = ""
    at: Annotated[str, Meta(description="Where it set up.", max_length=12)] = ""


class Records(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True
):
    """The records of a paper campaign, or one owner's part of them; None: not given."""

    format: Literal["pbcg-records/1"]
    roster: tuple[RosterEntry, ...] = ()
    rg: tuple[GroupEntry, ...] | None = None
    bought: tuple[BoughtEntry, ...] = ()

    def line(self, date: CGDate) -> RosterEntry:
        """Return the line of the CG Roster of ``date``; an empty one if there is none."""
        return next((row for row in self.roster if row.date is date), RosterEntry(date=date))


LISTS: Final[dict[str, type[PaperRow]]] = {
    "roster": RosterEntry, "rg": GroupEntry, "bought": BoughtEntry,
}  # fmt: skip
"""The lists of the records, each a sheet of the workbook."""


def part_of(records: Records, *owners: Side | None) -> Records:
    """Return what ``owners`` alone know of the records; None: what both sides know."""
    rows = []
    for row in records.roster:
        own = {
            name: value
            for name in row.__struct_fields__
            if name != "date"
            and (value := getattr(row, name)) not in (None, "")
            and owner_of_column(name) in owners
        }
        rows += [RosterEntry(date=row.date, **own)] if own else []
    return Records(
        format=FORMAT,
        roster=tuple(rows),
        rg=records.rg if GERMAN in owners else None,
        bought=tuple(purchase for purchase in records.bought if purchase.side in owners),
    )


# -- From and to the state of a campaign -----------------------------------------------------------

WEAPONS: Final = {"hmg": "HMG", "mmg": "MMG", "lmg": "LMG", "mtr": "50* MTR"}
"""The columns of SW, and the SW in each."""


def units_of(chart: GroupChart, strength: str) -> tuple[tuple[int, str], ...]:
    """Return the units of an RG at a Strength; none if it has no such. Rule: 9.6181."""
    units = [
        (full if strength == Strength.FULL else short, type) for full, short, type in chart.units
    ]
    return tuple((number, type) for number, type in units if number)


def price_of(state: Campaign, row: GroupEntry) -> int:
    """Return the CPP that an RG cost, its Entry Cost with them; 0 for a given one."""
    chart = state.charts.groups.groups.get(row.rg.upper())
    if row.given or chart is None:
        return 0
    paid = row.entry_cost
    return (chart.cost or 0) + (entry_cost(state, row.area.upper()) if paid is None else paid)


def with_records(state: Campaign, records: Records) -> Campaign:
    """Return the state with the lines of CG Roster, RG Purchase Record and purchases on record."""
    accounts = {account.date: account for account in state.accounts}
    for row in records.roster:
        old = accounts.get(row.date, DateAccount(date=row.date))
        accounts[row.date] = _account(state, row, old)
    groups = state.groups if records.rg is None else _groups(state, records.rg)
    bought = list(state.bought)
    for purchase in records.bought:
        chart = state.charts.fortifications.kinds[purchase.kind.lower()]
        bought += _purchases(purchase, chart, sum(line.side is purchase.side for line in bought))
    lines = sorted(accounts.values(), key=lambda account: account.date.number)
    return change(state, accounts=tuple(lines), groups=groups, bought=tuple(bought))


_BY_SIDE: Final = ("san", "cvp_lost", "fpp_received", "fpp_spent")
"""The numbers of a line of the CG Roster that each side has."""


def _account(state: Campaign, row: RosterEntry, old: DateAccount) -> DateAccount:
    fields = {
        name: value
        for name in ("cpp_loss_points", "cpp_available", "cpp_spent", "cpp_left",
                     "reinforcements", "notes")
        if (value := getattr(row, name)) not in (None, "")
    }  # fmt: skip
    for name in _BY_SIDE:
        columns = {side: getattr(row, f"{side}_{name}", None) for side in state.sides}
        values = {side: value for side, value in columns.items() if value is not None}
        fields[name] = {**getattr(old, name), **values}
    fields["cpp_base"] = state.frame.cpp_base.get(row.date, 0) if row.date.number else 0
    return msgspec.structs.replace(old, **fields)


def _groups(state: Campaign, rows: Sequence[GroupEntry]) -> tuple[ReceivedGroup, ...]:
    """Return the RG received: those that the Initial Scenario gives, and those bought."""
    first = state.frame.campaigns[state.campaign].dates[0]
    listed = [row for row in rows if row.given]
    lines: list[GroupEntry] = []
    for group in state.charts.initial[state.campaign].groups:
        for rg in group.rg:
            strength = None if rg.strength == "roll" else Strength(rg.strength)
            mine = [row for row in listed if row.rg.upper() == rg.id]
            row = next((row for row in mine if strength in (None, row.strength)), None)
            if row is None:
                row = GroupEntry(date=first, rg=rg.id, given=True, area=group.area)
            else:
                listed.remove(row)
            lines.append(msgspec.structs.replace(row, strength=strength or row.strength))
    lines += [row for row in rows if not row.given]
    groups: list[ReceivedGroup] = []
    for row in lines:
        id, area = row.rg.upper(), row.area.upper()
        chart = state.charts.groups.groups[id]
        groups.append(
            ReceivedGroup(
                key=f"{id}-{sum(group.id == id for group in groups) + 1}",
                id=id,
                date=row.date,
                given=row.given,
                strength=row.strength.value if row.strength else "",
                area=area,
                cost=0 if row.given else chart.cost or 0,
                entry_cost=price_of(state, row) - (chart.cost or 0) if not row.given else 0,
                units=units_of(chart, row.strength) if row.strength else (),
                sw={
                    weapon: number
                    for name, weapon in WEAPONS.items()
                    if (number := getattr(row, name))
                },
                leaders=row.leaders,
                settled=True,
            )
        )
    return tuple(groups)


def _purchases(row: BoughtEntry, chart: FortificationPrice, before: int) -> list[Bought]:
    return [
        Bought(
            key=f"{row.side.value[0]}-fpp-{before + number}",
            side=row.side,
            kind=row.kind.lower(),
            date=row.date,
            cost=chart.cost * (row.factors or 1),
            factors=row.factors,
            unit=ids_called(row.unit).get(row.side, row.unit),
            at=row.at.upper(),
        )
        for number in range(1, row.count + 1)
    ]
