"""Remarks on the position of a paper campaign: more of a thing than its side can have received.

What is not on record has a bound all the same: the OB of the Initial Scenario, the reinforcements
of 9.6152, the RG on record. Each limit names the first row that goes beyond it. Players look again;
a campaign that was played with a slip goes on with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, Final

from asl_pbcg.campaign.entry.ob_faults import beyond, half_squads, squad_words
from asl_pbcg.campaign.entry.position_rules import MINES
from asl_pbcg.campaign.entry.received import (
    Types,
    airborne_mmc,
    dates_until,
    fpp_of_british,
    received_by,
)
from asl_pbcg.campaign.module.catalogue import MMC, Formation, InfantryType, VehicleType
from asl_pbcg.campaign.paper.paper_checks import leaders_of_groups
from asl_pbcg.campaign.position import LISTS, PIECES, PieceEntry, Position
from asl_pbcg.campaign.position_words import FortificationKind
from asl_pbcg.campaign.state.campaign_state import Campaign, ReceivedGroup
from asl_pbcg.campaign.state.piece_names import short_name
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import Fault
from asl_pbcg.kernel.reader import value_words
from asl_pbcg.kernel.wording import points_words

GERMAN, BRITISH = Side.GERMAN, Side.BRITISH
Lists = Mapping[str, Sequence[tuple[int, Any]]]
"""The lists of a position, each entry with its number."""
Excess = tuple[str, int, Any, str, object, str]
"""List, number and entry, then key, value and what would be right."""
_Placed = tuple[str, int, Any]
"""An entry with its list and number."""
_SQUADS, _LEADERS, _CREWS = "squad-equivalents", "leaders", "crews"
_COUNTED_AS: Final = {
    "squad": _SQUADS,
    "half_squad": _SQUADS,
    "leader": _LEADERS,
    "armor_leader": _LEADERS,
    "crew": _CREWS,
    "hero": "",
}
"""The count that units of a kind belong to: their types change in play, and heroes are made in it.
What is not listed is counted by its type."""
_SW_OF_A_VEHICLE: Final = 2
"""So many SW at most come from one vehicle by Scrounge and Removal."""


def beyond_received(
    lists: Lists,
    state: Campaign,
    groups: Sequence[ReceivedGroup] | None,
    sides: Iterable[Side],
) -> Iterator[Excess]:
    """Yield what a position has beyond what ``sides`` can have received up to ``state.date``.

    ``groups`` are the RG on record, None where they are not known.
    Rule: 9.51, 9.52, 9.615, 9.617, 9.619, CG17.
    """
    excess = _Excess(lists, state, groups)
    for side in sides:
        for (section, number, entry), key, wrong in excess.of_side(side):
            yield section, number, entry, key, getattr(entry, key), wrong


def remarks_beyond(state: Campaign, position: Position, viewers: Sequence[Side]) -> list[str]:
    """Return remarks on pieces of a later position that a side cannot have received.

    Which RG the German bought he alone may be told.
    """
    lists = {name: [*enumerate(getattr(position, name), 1)] for name in LISTS}
    whose = GERMAN if tuple(viewers) == (GERMAN,) else BRITISH
    groups = state.groups if whose is GERMAN else None
    remarks = []
    for section, _, entry, key, value, wrong in beyond_received(lists, state, groups, [whose]):
        label = short_name(getattr(entry, "id", "")) or getattr(entry, "at", entry.type)
        remarks.append(excess_words(f"{section} ({label}), {key}", value, wrong))
    return remarks


def excess_words(place: str, value: object, wrong: str) -> str:
    """Return a remark on what is too many."""
    return f"{Fault(place, value_words(value), wrong)}."


_TooMany = Iterator[tuple[_Placed, str, str]]
"""Entry, key and what would be right."""


def _first_beyond(
    entries: Sequence[_Placed], worths: Iterable[float], most: float, key: str, wrong: str
) -> _TooMany:
    """Yield the entry that, with those before it, goes beyond ``most``; nothing if none does."""
    for entry, total in zip(entries, accumulate(worths), strict=True):
        if total > most:
            yield entry, key, wrong
            return


class _Excess:
    """Holds what a position gives each side against what that can have."""

    def __init__(
        self, lists: Lists, state: Campaign, groups: Sequence[ReceivedGroup] | None
    ) -> None:
        self.lists = lists
        self.state = state
        self.until = f"up to {state.date.title}"
        self.groups = groups
        self.airborne = airborne_mmc(state)
        self.received = {side: received_by(state, side, groups) for side in state.sides}
        self.rule = state.frame.campaigns[state.campaign].rule

    def of_side(self, side: Side) -> _TooMany:
        """Yield everything that is too many of a side's."""
        yield from self._pieces(side)
        yield from self._formations(side)
        if side is BRITISH:
            yield from self._ww_box()
            yield from self._gliders()
            yield from self._mines()
        else:
            yield from self._works()

    def _entries(self, *sections: str) -> list[_Placed]:
        return [(name, number, entry) for name in sections for number, entry in self.lists[name]]

    def _kind(self, type: str, side: Side) -> str:
        return self.state.catalogue.kind(type, side)

    def _received_words(self, side: Side, what: str) -> str:
        rule = "9.5, 9.6152" if side is BRITISH else "9.5, 9.6178"
        return f"is one too many: the {side.people} can have {what} {self.until} ({rule})"

    # -- pieces by type ----------------------------------------------------------------------------

    def _pieces(self, side: Side) -> _TooMany:
        """Yield units, Equipment, vehicles and wrecks that ``side`` never had."""
        most = self._most(side)
        counts: dict[str, list[_Placed]] = {}
        for entry in self._entries("equipment", "vehicles", "terrain", "units"):
            if self._maker(entry[2]) is side and (name := self._counted_as(entry[2].type, side)):
                counts.setdefault(name, []).append(entry)
        for name, entries in counts.items():
            worths = [self._worth(entry[2].type, side) or 1 for entry in entries]
            many = squad_words(most[name]) if name == _SQUADS else most[name] or "no"
            words = self._received_words(side, f"{many} {name}")
            yield from _first_beyond(entries, worths, most[name], "type", words)

    def _most(self, side: Side) -> Types:
        """Return the most that ``side`` can have of each count. Rule: 9.6183, 9.608, D10.5."""
        received, kinds = self.received[side], Types()
        most = Types()
        for type, number in received.items():
            kinds[self._kind(type, side)] += number
            most[self._counted_as(type, side)] += number * (self._worth(type, side) or 1)
        most[_CREWS] += kinds["vehicle"]  # their Inherent crews
        # A crew that was captured and freed comes back as a HS (9.608).
        most[_SQUADS] += kinds["crew"] + kinds["vehicle"] + kinds["gun"]
        if side is self.state.frame.cpp_side:
            most[_LEADERS] += leaders_of_groups(self.state, self.groups)
        types = (self.state.catalogue.find(type, side) for type in received)
        for weapon in {vehicle.scrounges for vehicle in types if isinstance(vehicle, VehicleType)}:
            most[weapon] += kinds["vehicle"] * _SW_OF_A_VEHICLE
        return most

    def _counted_as(self, type: str, side: Side) -> str:
        """Return the count that a type belongs to; empty where it has no bound."""
        kind = self._kind(type, side)
        return _COUNTED_AS.get(kind, type if kind else "")

    def _maker(self, entry: Any) -> Side | None:
        """Return whose a piece or wreck was at first; None where that is open."""
        if isinstance(entry, PieceEntry):
            return entry.maker
        sides = [side for side in self.state.sides if self._kind(entry.type, side) == "vehicle"]
        owner: Side | None = entry.side
        return owner or (sides[0] if len(sides) == 1 else None)

    def _worth(self, type: str, side: Side) -> int:
        """Return how many HS a squad or HS is worth; 0 of all else."""
        entry = self.state.catalogue.find(type, side)
        is_mmc = isinstance(entry, InfantryType) and entry.kind != "crew"
        return entry.hs_equivalents if isinstance(entry, InfantryType) and is_mmc else 0

    def _half_squads(self, types: Types, side: Side) -> int:
        return sum(number * self._worth(type, side) for type, number in types.items())

    def _formations(self, side: Side) -> _TooMany:
        """Yield pieces of formations that this campaign has not or that had not come yet.

        HS of two formations may have Recombined to a squad that is not Airborne.
        Rule: 9.51, 9.52, 9.6111, 9.6152, 9.6153.
        """
        table = self.state.catalogue.formations
        own = [id for id, unit in table.items() if unit.side is side and self._comes(unit)]
        of_it = [item for item in self._entries(*PIECES) if item[2].side is side]
        of_it = [item for item in of_it if (at := table.get(item[2].formation)) and at.side is side]
        for item in of_it:
            if item[2].formation not in own:
                wrong = f"is not of {self.state.campaign}: it has {', '.join(own)} ({self.rule})"
                yield item, "formation", wrong
        if side is not BRITISH:
            return
        every = self._half_squads(self.received[side], side)
        airborne = self._half_squads(self.airborne, side)
        for jumps, most in ((True, airborne), (False, every if every > airborne else 0)):
            named = [item for item in of_it if item[0] == "units" and item[2].formation in own
                     and table[item[2].formation].airborne is jumps]  # fmt: skip
            what = f"{squad_words(most) if most else 'no'} squad-equivalents of formations that are"
            words = self._received_words(side, f"{what}{'' if jumps else ' not'} Airborne")
            worths = [self._worth(item[2].type, side) for item in named]
            yield from _first_beyond(named, worths, most, "formation", words)

    def _comes(self, formation: Formation) -> bool:
        """Whether a formation is in an OB of the campaign or among its reinforcements."""
        chart, groups = self.state.charts.reinforcements, self.state.charts.initial
        named = {group.formation for group in groups[self.state.campaign].groups}
        return formation.name in named or formation.id in chart.formations.values()

    # -- the Walking Wounded box -------------------------------------------------------------------

    def _ww_box(self) -> _TooMany:
        """Yield the MMC in the Walking Wounded box that go beyond the Airborne ones to be lost.

        Rule: CG17, 9.6102.
        """
        catalogue = self.state.catalogue
        lost = half_squads(catalogue, self.airborne.items())
        every = sum(lost.values())
        units = (unit for _, unit in self.lists["units"] if unit.side is BRITISH)
        on_map = sum(self._worth(unit.type, BRITISH) for unit in units if self._jumps(unit))
        read: list[tuple[str, int]] = []
        for item in self._entries("ww_box"):
            box, wrong = item[2], ""
            if self._kind(box.type, BRITISH) not in MMC:
                continue
            read.append((box.type, box.count))
            inside = half_squads(catalogue, read)
            for _, _, missing in beyond(inside, lost, catalogue):
                wrong = (
                    f"{squad_words(missing) if missing else 'no'} squad-equivalents of Airborne "
                    f"{box.type} can be lost {self.until}"
                )
            if not wrong and sum(inside.values()) > max(0, every - on_map):
                wrong = (
                    f"of {squad_words(every)} Airborne squad-equivalents {self.until} "
                    f"{squad_words(on_map)} are on the map"
                )
            if wrong:
                yield item, "count", f"is too many: {wrong} (CG17, 9.5, 9.6152)"
                return

    def _jumps(self, unit: Any) -> bool:
        """Whether a unit is Airborne for sure: it says so, or nobody else has come yet."""
        if formation := self.state.catalogue.formations.get(unit.formation):
            return formation.airborne
        received = self._half_squads(self.received[BRITISH], BRITISH)
        return received == self._half_squads(self.airborne, BRITISH)

    # -- what stands on the map --------------------------------------------------------------------

    def _gliders(self) -> _TooMany:
        most = self.received[BRITISH]["Glider"]
        come = f"{most or 'no'} gliders come in {self.state.campaign}"
        words = f"is one too many: {come} ({self.rule})"
        entries = self._entries("gliders")
        yield from _first_beyond(entries, [1] * len(entries), most, "at", words)

    def _works(self) -> _TooMany:
        """Yield trenches, wire and pillboxes beyond those of the Initial Scenario.

        Nobody buys any. Rule: 9.51, 9.52, 9.619.
        """
        initial = self.state.charts.initial[self.state.campaign]
        works = Types(work.kind for work in initial.fixed)
        for group in initial.groups:
            works |= Types(group.fortifications)
        for kind in _NEVER_BOUGHT:
            entries = [item for item in self._entries("fortifications") if item[2].kind is kind]
            own = {name: n for name, n in works.items() if kind.value in name.lower()}
            most = sum(own.values())
            words = f"is one too many: the Initial Scenario has {most or 'none'}"
            wrong = f"{words}, and nobody buys any ({self.rule}, 9.619)"
            yield from _first_beyond(entries, [1] * len(entries), most, "kind", wrong)
            strengths = [name.partition(" ")[0] for name in own]
            for item in entries:
                if item[2].strength and strengths and item[2].strength not in strengths:
                    wrong = f"must be {' or '.join(strengths)} ({self.rule}, 9.619)"
                    yield item, "strength", wrong

    def _mines(self) -> _TooMany:
        """Yield minefields that nobody can have bought. Rule: 9.6152, 9.619."""
        state, kinds = self.state, self.state.charts.fortifications.kinds
        mines = [item for item in self._entries("fortifications") if item[2].kind in MINES]
        for item in mines:
            chart = kinds[item[2].kind.value]
            if chart.side and item[2].owner not in (None, chart.side):
                yield item, "owner", f"must be {chart.side}, who alone buy {chart.name} (9.619)"
        points = sum(fpp_of_british(state, date) for date in dates_until(state, state.date))
        prices = [kinds[mine.kind.value].cost * (mine.size or 1) for _, _, mine in mines]
        wrong = (
            f"is too many: all minefields cost more than the {points_words(points)} FPP that "
            f"the British received {self.until} (9.6152, 9.619)"
        )
        yield from _first_beyond(mines, prices, points, "size", wrong)


_NEVER_BOUGHT: Final = (
    FortificationKind.TRENCH, FortificationKind.WIRE, FortificationKind.PILLBOX,
)  # fmt: skip
