"""Faults of the position of a paper campaign: more of a thing than its side can have received.

What is not on record has a bound all the same: the OB of the Initial Scenario, the reinforcements
of 9.6152, the RG on record. Each limit names the first row that goes beyond it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from asl_pbcg.campaign.catalogue import MMC, AnyType, Formation, InfantryType
from asl_pbcg.campaign.position import PIECES, PieceEntry, Terrain
from asl_pbcg.campaign.position_rules import MINES
from asl_pbcg.campaign.position_words import FortificationKind
from asl_pbcg.campaign.received import Types, airborne_mmc, dates_until, fpp_of_british, received_by
from asl_pbcg.campaign.recorded import ReceivedGroup
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.terms import Side
from asl_pbcg.campaign.ww_box_limit import beyond, half_squads, squad_words
from asl_pbcg.kernel.wording import points_words

GERMAN, BRITISH = Side.GERMAN, Side.BRITISH
Lists = Mapping[str, Sequence[tuple[int, Any]]]
"""The lists of a position, each entry with its number."""
Excess = tuple[str, int, Any, str, object, str]
"""List, number and entry, then key, value and what would be right."""
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
        yield from excess.of_side(side)


class _Limit(msgspec.Struct):
    """How many of something there can be; it is told once."""

    most: int
    words: str
    count: int = 0

    def passed_by(self, more: int) -> bool:
        """Add ``more``; whether they go beyond it for the first time."""
        before, self.count = self.count, self.count + more
        return before <= self.most < self.count


class _Excess:
    """Holds what a position gives each side against what that can have."""

    def __init__(
        self, lists: Lists, state: Campaign, groups: Sequence[ReceivedGroup] | None
    ) -> None:
        self.lists = lists
        self.state = state
        self.until = f"up to {state.date.title}"
        self.airborne = airborne_mmc(state)
        self.received = {side: received_by(state, side, groups) for side in state.sides}
        rules = {BRITISH: "9.5, 9.6152", GERMAN: "9.5, 9.6178"}
        self.had = {side: f"({rules[side]})" for side in state.sides}
        self.rule = state.frame.campaigns[state.campaign].rule

    def of_side(self, side: Side) -> Iterator[Excess]:
        """Yield everything that is too many of a side's."""
        yield from self._types(side)
        yield from self._mmc(side)
        yield from self._formations(side)
        if side is BRITISH:
            yield from self._ww_box()
            yield from self._gliders()
            yield from self._mines()
        else:
            yield from self._works()

    def _kind(self, type: str, side: Side) -> AnyType | None:
        return self.state.catalogue.find(type, side)

    # -- vehicles, Guns and SW ---------------------------------------------------------------------

    def _types(self, side: Side) -> Iterator[Excess]:
        """Yield vehicles with their wrecks, Guns and SW that ``side`` never had."""
        limits: dict[str, _Limit] = {}
        vehicles = sum(n for type, n in self.received[side].items() if self._is_vehicle(type, side))
        for section, number, entry in self._made_by(side):
            type = entry.type
            if type not in limits:
                known = self._kind(type, side)
                most = self.received[side][type]
                if known and known.kind == "sw":
                    most += vehicles * _SW_OF_A_VEHICLE
                limits[type] = _Limit(most, self._received_words(side, f"{most or 'no'} {type}"))
            if limits[type].passed_by(1):
                yield section, number, entry, "type", type, limits[type].words

    def _is_vehicle(self, type: str, side: Side) -> bool:
        known = self._kind(type, side)
        return known is not None and known.kind == "vehicle"

    def _made_by(self, side: Side) -> Iterator[tuple[str, int, Any]]:
        """Yield the Equipment, vehicles and wrecks that ``side`` made."""
        for section in ("equipment", "vehicles"):
            for number, piece in self.lists[section]:
                if piece.maker is side and self._kind(piece.type, side):
                    yield section, number, piece
        for number, part in self.lists["terrain"]:
            if self._wreck_of(part) is side:
                yield "terrain", number, part

    def _wreck_of(self, part: Terrain) -> Side | None:
        """Return the side whose vehicle a wreck was; None where that is open."""
        able = [side for side in self.state.sides if self._is_vehicle(part.type, side)]
        return part.side or (able[0] if len(able) == 1 else None) if part.type and able else None

    def _received_words(self, side: Side, what: str) -> str:
        return f"is one too many: the {side.people} can have {what} {self.until} {self.had[side]}"

    # -- squads and HS -----------------------------------------------------------------------------

    def _mmc(self, side: Side) -> Iterator[Excess]:
        """Yield squads and HS beyond all that ``side`` received, counted in HS."""
        most = self._half_squads(self.received[side], side)
        # A crew that was captured and freed comes back as a HS (9.608).
        most += sum(
            number
            for type, number in self.received[side].items()
            if (known := self._kind(type, side)) and known.kind in ("crew", "vehicle", "gun")
        )
        squads = f"{squad_words(most)} squad-equivalents"
        limit = _Limit(most, self._received_words(side, squads))
        for number, unit in self._squads(side):
            if limit.passed_by(self._worth(unit)):
                yield "units", number, unit, "type", unit.type, limit.words

    def _half_squads(self, types: Types, side: Side) -> int:
        return sum(n * self._worth_of(type, side) for type, n in types.items())

    def _worth_of(self, type: str, side: Side) -> int:
        known = self._kind(type, side)
        counts = isinstance(known, InfantryType) and known.kind != "crew"
        return known.hs_equivalents if counts and isinstance(known, InfantryType) else 0

    def _worth(self, unit: PieceEntry) -> int:
        return self._worth_of(unit.type, unit.side)

    def _squads(self, side: Side) -> Iterator[tuple[int, Any]]:
        for number, unit in self.lists["units"]:
            if unit.side is side:
                yield number, unit

    def _formations(self, side: Side) -> Iterator[Excess]:
        """Yield pieces of formations that this campaign has not or that had not come yet.

        Rule: 9.51, 9.52, 9.6152, 9.6153.
        """
        every = self._half_squads(self.received[BRITISH], BRITISH)
        airborne = self._half_squads(self.airborne, BRITISH)
        limits = {
            True: _Limit(airborne, self._formation_words(airborne, "Airborne")),
            False: _Limit(every - airborne, self._formation_words(every - airborne, "other")),
        }
        known = self.state.catalogue.formations
        own = [id for id, each in known.items() if each.side is side and self._comes(each)]
        for section in PIECES:
            for number, piece in self.lists[section]:
                formation = known.get(piece.formation)
                if formation is None or piece.side is not side:
                    continue
                wrong = ""
                if formation.side is side and formation.id not in own:
                    wrong = (
                        f"is not of {self.state.campaign}: it has {', '.join(own)} ({self.rule})"
                    )
                elif side is formation.side is BRITISH and section == "units":
                    limit = limits[formation.airborne]
                    wrong = limit.words if limit.passed_by(self._worth(piece)) else ""
                if wrong:
                    yield section, number, piece, "formation", piece.formation, wrong

    def _comes(self, formation: Formation) -> bool:
        """Whether a formation is in an OB of the campaign or among its reinforcements."""
        chart, groups = self.state.charts.reinforcements, self.state.charts.initial
        named = {group.formation for group in groups[self.state.campaign].groups}
        return formation.name in named or formation.id in chart.formations.values()

    def _formation_words(self, most: int, what: str) -> str:
        return (
            f"is one too many: the British can have {squad_words(most) if most else 'no'} "
            f"squad-equivalents of "
            f"{what} formations {self.until} (9.5, 9.6152)"
        )

    # -- the Walking Wounded box -------------------------------------------------------------------

    def _ww_box(self) -> Iterator[Excess]:
        """Yield MMC in the Walking Wounded box beyond the Airborne ones that can be lost.

        Rule: CG17, 9.6102.
        """
        catalogue = self.state.catalogue
        lost = half_squads(catalogue, self.airborne.items())
        every = sum(lost.values())
        on_map = sum(
            self._worth(unit) for _, unit in self._squads(BRITISH) if self._is_airborne(unit)
        )
        read: list[tuple[str, int]] = []
        for number, box in self.lists["ww_box"]:
            known = self._kind(box.type, BRITISH)
            if known is None or known.kind not in MMC:
                continue
            read.append((box.type, box.count))
            there = half_squads(catalogue, read)
            wrong = ""
            for _, _, missing in beyond(there, lost, catalogue):
                wrong = (
                    f"is too many: {squad_words(missing) if missing else 'no'} squad-equivalents "
                    f"of Airborne {box.type} can be lost {self.until} (CG17, 9.5, 9.6152)"
                )
            if not wrong and sum(there.values()) > max(0, every - on_map):
                wrong = (
                    f"is too many: of {squad_words(every)} Airborne squad-equivalents "
                    f"{self.until} {squad_words(on_map)} are on the map (CG17, 9.5, 9.6152)"
                )
            if wrong:
                yield "ww_box", number, box, "count", box.count, wrong
                return

    def _is_airborne(self, unit: Any) -> bool:
        """Whether a unit is Airborne for sure: it says so, or nobody else has come yet."""
        formation = self.state.catalogue.formations.get(unit.formation)
        if formation:
            return formation.airborne
        every = self._half_squads(self.received[BRITISH], BRITISH)
        return every == self._half_squads(self.airborne, BRITISH)

    # -- what stands on the map --------------------------------------------------------------------

    def _gliders(self) -> Iterator[Excess]:
        most = self.received[BRITISH]["Glider"]
        words = f"is one too many: {most or 'no'} gliders come in {self.state.campaign}"
        limit = _Limit(most, f"{words} ({self.rule})")
        for number, glider in self.lists["gliders"]:
            if limit.passed_by(1):
                yield "gliders", number, glider, "at", glider.at, limit.words

    def _works(self) -> Iterator[Excess]:
        """Yield trenches, wire and pillboxes beyond those of the Initial Scenario.

        Nobody buys any. Rule: 9.51, 9.52, 9.619.
        """
        initial = self.state.charts.initial[self.state.campaign]
        given: Types = Types()
        for group in initial.groups:
            given.update(group.fortifications)
        given |= Types(each.kind for each in initial.fixed)
        rule = f"({self.rule}, 9.619)"
        limits: dict[FortificationKind, _Limit] = {}
        for number, part in self.lists["fortifications"]:
            if part.kind not in _NEVER_BOUGHT:
                continue
            own = {name: n for name, n in given.items() if part.kind.value in name.lower()}
            if part.kind not in limits:
                most = sum(own.values())
                words = f"is one too many: the Initial Scenario has {most or 'none'}"
                limits[part.kind] = _Limit(most, f"{words}, and nobody buys any {rule}")
            if limits[part.kind].passed_by(1):
                yield "fortifications", number, part, "kind", part.kind, limits[part.kind].words
            strengths = [name.partition(" ")[0] for name in own]
            if part.strength and part.strength not in strengths and strengths:
                wrong = f"must be {' or '.join(strengths)} {rule}"
                yield "fortifications", number, part, "strength", part.strength, wrong

    def _mines(self) -> Iterator[Excess]:
        """Yield minefields that nobody can have bought. Rule: 9.619."""
        state = self.state
        points = sum(fpp_of_british(state, date) for date in dates_until(state, state.date))
        spent = 0.0
        for number, part in self.lists["fortifications"]:
            if part.kind not in MINES:
                continue
            chart = state.charts.fortifications.kinds[part.kind.value]
            if chart.side and part.owner not in (None, chart.side):
                wrong = f"must be {chart.side}, who alone buy {chart.name} (9.619)"
                yield "fortifications", number, part, "owner", part.owner, wrong
                continue
            before, spent = spent, spent + chart.cost * (part.size or 1)
            if before <= points < spent:
                wrong = (
                    f"is too many: minefields for {points_words(spent)} FPP, and the British "
                    f"received {points_words(points)} {self.until} (9.6152, 9.619)"
                )
                yield "fortifications", number, part, "size", part.size, wrong


_NEVER_BOUGHT: Final = (
    FortificationKind.TRENCH, FortificationKind.WIRE, FortificationKind.PILLBOX,
)  # fmt: skip
