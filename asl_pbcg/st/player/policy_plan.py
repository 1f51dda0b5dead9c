"""Where the automatic British player sends its units this turn."""

from __future__ import annotations

from bisect import insort
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from asl_pbcg.st.board.geometry import FAR
from asl_pbcg.st.player.policy_caution import Threat, beside_column, rank_ways, shelter, threats
from asl_pbcg.st.player.policy_order import Rank, rank_all, rank_of
from asl_pbcg.st.player.policy_style import STEADY, Style
from asl_pbcg.st.player.policy_ways import (
    MOST_KNOWN,
    SCALE,
    Dangers,
    Grid,
    Outward,
    Reaches,
    grid_for,
)
from asl_pbcg.st.player.policy_worth import danger, danger_near, fire_over, germans
from asl_pbcg.st.rules.actions import mp_left
from asl_pbcg.st.rules.scoring import victory_chart
from asl_pbcg.st.rules.situation import Situation
from asl_pbcg.st.rules.state import Unit
from asl_pbcg.st.terms import BRITISH, COMBAT_KINDS, GERMAN

AVOID = 4
"""MP of way around that a marching column is worth."""
EVERYBODY = ""
"""Whose men all combat units are."""


@dataclass(slots=True)
class Goal:
    """A place worth having: the VP it brings, and how many SP it takes to get it."""

    area: str
    worth: float
    need: float
    inside: bool = False
    sent: float = 0.0
    """SP that are on their way to it."""


@dataclass(slots=True)
class Plan:
    """One turn's plan: the goal of each unit, and who has nothing left to do."""

    turn: int
    grid: Grid
    reach: Reaches
    """The ways to each goal, dangerous areas counted longer."""
    threat: Threat
    """The German SP that could fire into each area."""
    column: Threat
    """The SP of German reinforcements among them."""
    near_column: Collection[str]
    """The areas where German reinforcements may fire."""
    style: Style = STEADY
    goals: dict[str, Goal] = field(default_factory=dict)
    done: set[str] = field(default_factory=set)
    men: dict[str, list[str]] = field(default_factory=dict)
    """The combat units under each leader, and all of them."""
    order: list[Rank] = field(default_factory=list)
    """The British in the order in which they act (``policy.py``)."""
    shelters: dict[str, float] = field(default_factory=dict)
    """The threat to a unit in the open of each area looked at, its cover taken off."""
    posts: dict[Any, Goal] = field(default_factory=dict)
    """The safest places found, by where somebody stands, his MP and where Germans are."""


def dangers(sit: Situation, grid: Grid, risk: float) -> Dangers:
    """What entering each area costs beside its MP, for the fire it draws, in parts of an MP.

    The same Germans come again in other turns and imagined games.
    """
    column = beside_column(sit)
    key = (risk, fire_over(sit), frozenset(column))
    found = grid.dangers.get(key)
    if found is None:
        if len(grid.dangers) >= MOST_KNOWN:
            del grid.dangers[next(iter(grid.dangers))]
        found = grid.dangers[key] = _reckon(sit, grid, risk, column)
    return found


def _reckon(sit: Situation, grid: Grid, risk: float, column: Collection[str]) -> Dangers:
    number = grid.number
    cost = [0] * len(number)
    areas = 0
    for area in danger_near(sit):
        extra = int(risk * SCALE * danger(sit, area))
        if extra:
            at = number[area]
            cost[at] = extra
            areas |= 1 << at
    for area in column:
        at = number[area]
        cost[at] += AVOID * SCALE
        areas |= 1 << at
    return Dangers(tuple(cost), areas)


def ways_from(sit: Situation, plan: Plan, area: str) -> Outward:
    """How far it is from ``area`` to every area that a unit can reach, danger on the way."""
    outward = plan.reach.outward
    found = outward.get(area)
    if found is None:
        grid = plan.grid
        most = sit.n.mp_british * SCALE
        ranked = grid.ranks.get(area)
        if ranked is None:
            ranked = grid.ranks[area] = rank_ways(sit, area, grid.around(area, most))
        found = outward[area] = Outward(grid, area, plan.reach.dangers, most, ranked)
    return found


def grid_of(sit: Situation) -> Grid:
    """The numbered lines of the map as the bridge stands now."""
    whole = sit.bridge != "destroyed"
    found: Grid | None = sit.rules.grids.get(whole)
    if found is None:
        arrows = sit.settings.flight_area_exit == "arrows"
        found = sit.rules.grids[whole] = grid_for(sit.geo, arrows, whole)
    return found


def open_goals(sit: Situation) -> list[Goal]:
    """Everything the chart pays for that the British do not hold, and what they must defend."""
    points = victory_chart().points
    geo, control, cleared = sit.geo, sit.control, sit.cleared
    bunker_in = sit.rules.bunker_in
    found: dict[tuple[str, bool], Goal] = {}

    def add(area: str, worth: float, inside: bool = False) -> None:
        goal = found.setdefault((area, inside), Goal(area, 0.0, 0.0, inside))
        goal.worth += worth

    bridge = points[f"pegasus_bridge_{sit.bridge}"].value
    if control.get(geo.pegasus) != BRITISH:
        add(geo.pegasus, bridge)
    if control.get(geo.ranville_bridge) != BRITISH:
        add(geo.ranville_bridge, points["ranville_bridge"].value)
    if control.get(geo.pillbox) != BRITISH:
        add(geo.pillbox, points["pillbox"].value)
    for area in geo.bunkers:
        if area not in cleared or control.get(bunker_in[area]) != BRITISH:
            add(area, points["bunker"].value, inside=True)
    for weapon in sit.weapons.values():
        german_gun = weapon.status == "map" and weapon.kind in ("mg", "at")
        if german_gun and sit.owner(weapon) == GERMAN:
            worth = points["mg" if weapon.kind == "mg" else "at_gun"].value
            add(weapon.area, worth, weapon.inside)
    for goal in found.values():
        goal.need = 1.0 + 2.0 * germans(sit, goal.area)
    return list(found.values())


def make_plan(sit: Situation, style: Style = STEADY) -> Plan:
    """Send every combat unit where it earns most for the way it has to go."""
    grid = grid_of(sit)
    reach = grid.reaches(dangers(sit, grid, style.risk))
    threat, column = threats(sit)
    plan = Plan(sit.turn, grid, reach, threat, column, column.everywhere(), style)
    goals = open_goals(sit) if style.attack else []
    there = sit.on_map(BRITISH)
    men = [unit for unit in there if unit.kind in COMBAT_KINDS]
    plan.order = rank_all(there)
    plan.men[EVERYBODY] = [unit.id for unit in men]
    for unit in men:
        if unit.under:
            plan.men.setdefault(unit.under, []).append(unit.id)
    left = {unit.id: unit for unit in men if unit.kind != "hq"}
    sappers = [unit for unit in left.values() if unit.kind == "sapper"]
    if sit.demo_marker != "none" and sappers:
        nearest = min(sappers, key=lambda unit: (_way(plan, unit, sit.geo.pegasus), unit.id))
        plan.goals[nearest.id] = Goal(sit.geo.pegasus, 15.0, 1.0)
        del left[nearest.id]
    if goals and left:
        _share_out(sit, plan, goals, left)
    left.update({unit.id: unit for unit in men if unit.kind == "hq"})
    for id, unit in left.items():
        plan.goals[id] = _post(sit, plan, unit)
    return plan


def next_of(sit: Situation, plan: Plan, ids: Sequence[str]) -> Rank | None:
    """Who of ``ids`` goes first, by the order kept in the plan; nobody if all are done.

    Who has lost SP since the order was made finds his new place in it when it is his turn. Nobody
    gains any in a phase, and nobody comes onto the map once units act.
    """
    order, units, done = plan.order, sit.units, plan.done
    for rank in order:
        id = rank[2]
        if id in ids and id not in done:
            unit = units[id]
            if unit.lost - unit.sp == rank[1]:
                return rank
            order.remove(rank)
            insort(order, rank_of(unit))
            return next_of(sit, plan, ids)
    return None


def _share_out(sit: Situation, plan: Plan, goals: Sequence[Goal], left: dict[str, Unit]) -> None:
    """Send units out of ``left`` to goals, the one that is worth most where it is worth most first.

    Of units that are worth as much the last by id goes first. A goal is worth nothing more once
    enough are on the way to it.
    """
    last = 4 * (sit.n.turns - sit.turn + 1)
    afraid = plan.column.fires and not (sit.triggered or sit.turn == sit.n.turns)
    names = sorted(left, reverse=True)
    wishes: list[tuple[float, int, int]] = []
    for number, goal in enumerate(goals):
        feared = plan.column.to(goal.area) if afraid else 0.0
        reach = plan.reach[goal.area]
        for at, id in enumerate(names):
            strength, way = left[id].strength, reach.of(left[id].area) / SCALE
            able = feared <= plan.style.bold * strength and (strength >= 3 or goal.need <= 1.0)
            if able and way <= last and goal.worth > 0:
                wishes.append((-_worth_there(goal, strength) / (2.0 + way), at, number))
    for _, at, number in sorted(wishes):
        goal = goals[number]
        if names[at] in left and goal.sent < goal.need:
            plan.goals[names[at]] = goal
            goal.sent += left.pop(names[at]).strength


def _worth_there(goal: Goal, strength: int) -> float:
    """What a goal is worth to who stands there."""
    return goal.worth * min(1.0, strength / goal.need + 0.4)


def _way(plan: Plan, unit: Unit, area: str) -> float:
    if area == unit.area:
        return 0.0
    away = plan.reach[area].of(unit.area)
    return FAR if away == FAR else away / SCALE


def follow(sit: Situation, plan: Plan, leader: Unit) -> Goal:
    """Where a leader goes: to his own unit, else the nearest, unless it stands in danger."""
    id = leader.id
    able = [] if id in ("howard", "priday") else _able(sit, plan, id)
    able = able or _able(sit, plan, EVERYBODY)
    if not able:
        return _post(sit, plan, leader)
    unit = _nearest(plan, leader, able)
    in_danger = leader.area in plan.near_column
    if in_danger and _way(plan, leader, unit.area) > mp_left(sit, leader):
        return _post(sit, plan, leader)
    return Goal(unit.area, 0.0, 0.0, unit.inside)


def _able(sit: Situation, plan: Plan, under: str) -> list[Unit]:
    """The men of a leader, or all, who stand where no German reinforcement will come near."""
    found = map(sit.units.__getitem__, plan.men.get(under, ()))
    near_column = plan.near_column
    return [unit for unit in found if unit.status == "map" and unit.area not in near_column]


def _nearest(plan: Plan, leader: Unit, able: Sequence[Unit]) -> Unit:
    """Who of ``able`` is nearest to ``leader``: of those as near the strongest."""
    if len(able) < 2:
        return able[0]
    area = leader.area
    here = [unit for unit in able if unit.area == area]
    if here:
        return here[0] if len(here) < 2 else min(here, key=_weakness)
    nearest, way = able[0], FAR + 1
    reaches = plan.reach
    for unit in able:
        reach = reaches[unit.area]
        far = reach.of(area)
        if far < way or (far == way and _weakness(unit) < _weakness(nearest)):
            nearest, way = unit, far
    return nearest


def _weakness(unit: Unit) -> tuple[int, str]:
    """Of units that are as near the one with the least of it is followed."""
    return (unit.lost - unit.sp, unit.id)


def _post(sit: Situation, plan: Plan, unit: Unit) -> Goal:
    """Where a unit without a task waits: out of harm's way, near the bridges.

    Once the column has turned on the British somebody must hold the bridges against it.
    """
    style = plan.style
    if style.idle != "shelter" or sit.triggered:
        if style.idle == "stay":
            return Goal(unit.area, 0.0, 0.0, unit.inside)
        defends = style.idle == "bridge" or style.attack
        if defends and unit.combat and unit.kind != "hq":
            return _bridge_post(sit, plan, unit)
    mp = mp_left(sit, unit)
    if mp < 0:
        mp = 0
    key = (unit.area, unit.inside, mp, frozenset(sit.german))
    found = plan.posts.get(key)
    if found is None:
        reach = ways_from(sit, plan, unit.area)
        area = shelter(sit, plan.shelters, plan.threat, unit, reach, mp)
        found = plan.posts[key] = Goal(area, 0.0, 0.0, unit.inside and area == unit.area)
    return found


def _bridge_post(sit: Situation, plan: Plan, unit: Unit) -> Goal:
    """Covered ground near the bridges."""
    geo = sit.geo
    posts = sorted(
        area
        for bridge in (geo.pegasus, geo.ranville_bridge)
        for area in geo.near[bridge]
        if area in geo.obstructed or area == bridge
    )
    best, way = posts[0], FAR + 1
    for area in posts:
        far = plan.reach[area].of(unit.area)
        if far < way:
            best, way = area, far
    return Goal(best, 0.0, 0.0)
