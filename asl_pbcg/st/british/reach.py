"""Where a British unit or stack can go in this phase: MP, and the odds of Opportunity Fire.

An aid of front ends: it counts what the player knows of. Counters that lie face down are told as
such; what they are nobody asks. Rule: ST-MOV-08 to ST-MOV-21, ST-OPF-01.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from typing import NamedTuple

from msgspec.structs import replace

from asl_pbcg.st.area_terms import GERMAN
from asl_pbcg.st.procedures.fire import Target, Volley
from asl_pbcg.st.procedures.german_guns import holds_fire, may_react, moving_targets, volley_of
from asl_pbcg.st.procedures.movement import STEPS, Action, moves, mp_for_pows, mp_left
from asl_pbcg.st.procedures.odds import fire_chances
from asl_pbcg.st.state.area_tables import LeaderCasualty, odds, read_hit, table
from asl_pbcg.st.state.game_state import Unit
from asl_pbcg.st.state.phase_situation import Situation


class Watch(NamedTuple):
    """The Germans that an area lies open to: their fire, those not known, those that wait."""

    volley: Volley
    hidden: int
    """Face-down counters that whoever enters turns up. Rule: ST-GAR-02."""
    waiting: int
    """Germans that hold their fire and may spot. Rule: ST-GRN-07."""


class Way(NamedTuple):
    """A way to an area: the areas entered, MP spent and left, the risk."""

    path: tuple[str, ...]
    mp: int
    left: int
    risk: Fraction
    """The chance that known Opportunity Fire does anything on the way."""
    hidden: int
    """Face-down counters turned up on the way."""

    @property
    def area(self) -> str:
        """Where it leads."""
        return self.path[-1]


class Ways(NamedTuple):
    """The quickest way to an area, and the safest if that is another."""

    quickest: Way
    safest: Way


def watch_on(sit: Situation, area: str) -> Watch:
    """Which Germans may fire at somebody who enters ``area``. Rule: ST-OPF-01, ST-OPF-10."""
    near = [unit for each in sit.geo.near[area] for unit in sit.in_area(GERMAN, each)]
    aware = {area, *sit.geo.aware[area]}
    hidden = sum(unit.face_down and unit.area in aware for unit in near)
    ready = [unit for unit in near if may_react(sit, unit)]
    held = {unit.id for unit in near if not unit.face_down and holds_fire(sit, unit)}
    # Who is met fires at once; AMB-47 says whether that frees the others too.
    free = {unit.id for unit in ready if unit.id in held and unit.area == area}
    if free and sit.settings.fire_release == "force":
        free |= held
    firers = [unit for unit in ready if unit.id not in held or unit.id in free]
    return Watch(volley_of(sit, firers), hidden, len(held - free))


def ways(sit: Situation, units: Sequence[Unit]) -> dict[str, Ways]:
    """Return every area that ``units`` can walk to together from where they stand.

    They stand in one place; each pays its own MP. Nobody leaves a bunker here: that is an action
    of its own.
    """
    return _Search(sit, units).find_ways()


class _Search:
    """All ways worth a look, found outward from where the units stand."""

    def __init__(self, sit: Situation, units: Sequence[Unit]) -> None:
        self._sit = sit
        self._units = units
        self._most = [mp_left(sit, unit) for unit in units]
        self._reach = [
            mp_for_pows(sit, unit, most) for unit, most in zip(units, self._most, strict=True)
        ]
        """How far each can go: its POWs may have walked with another."""
        self._fire: dict[str, tuple[Fraction, int]] = {}

    def find_ways(self) -> dict[str, Ways]:
        found: dict[str, Ways] = {}
        if any(unit.inside for unit in self._units):
            return found
        for way in self._all():
            known = found.get(way.area)
            if known is None:
                found[way.area] = Ways(way, way)
                continue
            quickest = min(known.quickest, way, key=lambda way: (way.mp, way.risk, way.path))
            safest = min(known.safest, way, key=lambda way: (way.risk, way.mp, way.path))
            found[way.area] = Ways(quickest, safest)
        return found

    def _all(self) -> Iterator[Way]:
        start = self._units[0].area
        best: dict[tuple[str, tuple[int, ...]], Fraction] = {}
        nobody = (0,) * len(self._units)
        queue: list[tuple[int, Fraction, tuple[str, ...], tuple[int, ...]]] = [
            (0, Fraction(0), (), nobody)
        ]
        while queue:
            _, risk, path, spent = heappop(queue)
            area = path[-1] if path else start
            if best.get((area, spent), Fraction(2)) <= risk:
                continue
            best[area, spent] = risk
            if path:
                yield self._way(path, spent, risk)
            for there, paid in self._steps(area, spent):
                if there == start or there in path:
                    continue
                harm, _ = self._danger(there)
                total = 1 - (1 - risk) * (1 - harm)
                heappush(queue, (sum(paid), total, (*path, there), paid))

    def _way(self, path: tuple[str, ...], spent: tuple[int, ...], risk: Fraction) -> Way:
        left = min(most - used for most, used in zip(self._most, spent, strict=True))
        hidden = {area for step in path for area in self._face_down(step)}
        return Way(path, max(spent), left, risk, len(hidden))

    def _face_down(self, area: str) -> Iterator[str]:
        for near in (area, *self._sit.geo.aware[area]):
            if any(unit.face_down for unit in self._sit.in_area(GERMAN, near)):
                yield near

    def _steps(self, area: str, spent: tuple[int, ...]) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Tell where all can go next from ``area``, and what each has paid then."""
        each: list[dict[str, Action]] = []
        for unit, most, used in zip(self._units, self._reach, spent, strict=True):
            if unit.area != area:
                unit = replace(unit, area=area, bank="")
            legal = moves(self._sit, unit, most - used)
            each.append({move.target: move for move in legal.values() if move.kind in STEPS})
        for there in each[0]:
            if all(there in other for other in each[1:]):
                yield (
                    there,
                    tuple(used + other[there].mp for used, other in zip(spent, each, strict=True)),
                )

    def _danger(self, area: str) -> tuple[Fraction, int]:
        """The chance that known fire hurts one of the units in ``area``, and counters turned up."""
        if area not in self._fire:
            watch = watch_on(self._sit, area)
            well = Fraction(1)
            if watch.volley.sp > 0:
                for target in moving_targets(self._sit, [unit.id for unit in self._units]):
                    well *= 1 - _harm(self._sit, watch.volley, Target(area, target.units))
            self._fire[area] = 1 - well, watch.hidden
        return self._fire[area]


def _harm(sit: Situation, volley: Volley, target: Target) -> Fraction:
    """Return the chance that fire does anything. Leaders alone lose no SP, they roll. ST-LDR-01."""
    lost = Fraction(1)
    if not sit.units[target.id].combat:
        dice = len(target.units) if sit.settings.leaders_alone_loss == "each" else 1
        lost -= odds(table("leader_casualty"))[LeaderCasualty.UNHURT] ** dice
    total = Fraction(0)
    for result, chance in fire_chances(sit, volley, target, opportunity=True).items():
        hit = read_hit(result)
        total += chance if hit.suppressed else chance * lost if hit.loss else 0
    return total
