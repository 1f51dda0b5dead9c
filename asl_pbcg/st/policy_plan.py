"""Where the automatic British player sends its units this turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from asl_pbcg.st.actions import mp_left
from asl_pbcg.st.geometry import FAR
from asl_pbcg.st.policy_caution import beside_column, rank_ways, shelter, threats
from asl_pbcg.st.policy_style import STEADY, Style
from asl_pbcg.st.policy_ways import SCALE, Dangers, Grid, Ranked, Ways, safe_around, ways_out
from asl_pbcg.st.policy_worth import danger, danger_near, germans
from asl_pbcg.st.scoring import victory_chart
from asl_pbcg.st.situation import Situation
from asl_pbcg.st.state import Unit
from asl_pbcg.st.terms import BRITISH, COMBAT_KINDS, GERMAN

AVOID = 4
"""MP of way around that a marching column is worth."""


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
    style: Style = STEADY
    goals: dict[str, Goal] = field(default_factory=dict)
    done: set[str] = field(default_factory=set)
    reach: dict[str, Ways] = field(default_factory=dict)
    """The ways to each goal, dangerous areas counted longer."""
    outward: dict[str, Ranked] = field(default_factory=dict)
    """The ways from an area to all others."""
    dangers: Dangers | None = None
    threat: Mapping[str, float] = field(default_factory=dict)
    """The German SP that could fire into each area."""
    shelters: dict[str, float] = field(default_factory=dict)
    """The threat to a unit in the open of each area looked at, its cover taken off."""
    column: Mapping[str, float] = field(default_factory=dict)
    """The SP of German reinforcements among them."""


def dangers(sit: Situation, plan: Plan) -> Dangers:
    """What entering each area costs beside its MP, for the fire it draws, in parts of an MP."""
    if plan.dangers is None:
        number = plan.grid.number
        cost = [0] * len(number)
        for area in danger_near(sit):
            cost[number[area]] = int(plan.style.risk * SCALE * danger(sit, area))
        for area in beside_column(sit):
            cost[number[area]] += AVOID * SCALE
        areas = sum([1 << at for at, extra in enumerate(cost) if extra])
        plan.dangers = Dangers(tuple(cost), areas)
    return plan.dangers


def ways(sit: Situation, plan: Plan, area: str) -> Ways:
    """How far every area is from ``area``, with the danger on the way."""
    found = plan.reach.get(area)
    if found is None:
        found = plan.reach[area] = plan.grid.ways(area, dangers(sit, plan))
    return found


def ways_from(sit: Situation, plan: Plan, area: str) -> Ranked:
    """How far it is from ``area`` to every area that a unit can reach, danger on the way."""
    found = plan.outward.get(area)
    if found is None:
        grid = plan.grid
        cost = dangers(sit, plan)
        most = sit.n.mp_british * SCALE
        safe = safe_around(grid, area, cost, most)
        if safe is None:
            found = rank_ways(sit, ways_out(grid, area, cost.cost, most))
        else:
            found = grid.ranks.get(area)
            if found is None:
                found = grid.ranks[area] = rank_ways(sit, safe)
        plan.outward[area] = found
    return found


def grid_of(sit: Situation) -> Grid:
    """The numbered lines of the map as the bridge stands now."""
    whole = sit.bridge != "destroyed"
    found: Grid | None = sit.rules.grids.get(whole)
    if found is None:
        arrows = sit.settings.flight_area_exit == "arrows"
        found = sit.rules.grids[whole] = Grid(sit.geo, arrows, whole)
    return found


def open_goals(sit: Situation) -> list[Goal]:
    """Everything the chart pays for that the British do not hold, and what they must defend."""
    points = victory_chart().points
    geo = sit.geo
    found: dict[tuple[str, bool], Goal] = {}

    def add(area: str, worth: float, inside: bool = False) -> None:
        goal = found.setdefault((area, inside), Goal(area, 0.0, 0.0, inside))
        goal.worth += worth

    bridge = points[f"pegasus_bridge_{sit.bridge}"].value
    if sit.control.get(geo.pegasus) != BRITISH:
        add(geo.pegasus, bridge)
    if sit.control.get(geo.ranville_bridge) != BRITISH:
        add(geo.ranville_bridge, points["ranville_bridge"].value)
    if sit.control.get(geo.pillbox) != BRITISH:
        add(geo.pillbox, points["pillbox"].value)
    for area in geo.bunkers:
        if area not in sit.cleared or sit.control.get(sit.rules.bunker_in[area]) != BRITISH:
            add(area, points["bunker"].value, inside=True)
    for weapon in sit.weapons.values():
        german_gun = weapon.kind in ("mg", "at") and weapon.status == "map"
        if german_gun and sit.owner(weapon) == GERMAN:
            worth = points["mg" if weapon.kind == "mg" else "at_gun"].value
            add(weapon.area, worth, weapon.inside)
    for goal in found.values():
        goal.need = 1.0 + 2.0 * germans(sit, goal.area)
    return list(found.values())


def make_plan(sit: Situation, style: Style = STEADY) -> Plan:
    """Send every combat unit where it earns most for the way it has to go."""
    threat, column = threats(sit)
    plan = Plan(sit.turn, grid_of(sit), style, threat=threat, column=column)
    goals = open_goals(sit) if style.attack else []
    left = [unit for unit in sit.on_map(BRITISH) if unit.combat and unit.kind != "hq"]
    sappers = [unit for unit in left if unit.kind == "sapper"]
    if sit.demo_marker != "none" and sappers:
        nearest = min(sappers, key=lambda unit: (_way(sit, plan, unit, sit.geo.pegasus), unit.id))
        plan.goals[nearest.id] = Goal(sit.geo.pegasus, 15.0, 1.0)
        left.remove(nearest)
    best = {unit.id: _best_goal(sit, plan, unit, goals) for unit in left}
    while left and goals:
        unit = max(left, key=lambda each: (best[each.id][0], each.id))
        goal = best[unit.id][1]
        if goal is None:
            break
        plan.goals[unit.id] = goal
        goal.sent += unit.strength
        left.remove(unit)
        if goal.sent >= goal.need:
            # What the other goals are worth has not changed.
            for each in left:
                if best[each.id][1] is goal:
                    best[each.id] = _best_goal(sit, plan, each, goals)
    for unit in sit.on_map(BRITISH):
        if unit.kind == "hq" or unit in left:
            plan.goals[unit.id] = _post(sit, plan, unit)
    return plan


def _best_goal(
    sit: Situation, plan: Plan, unit: Unit, goals: Sequence[Goal]
) -> tuple[float, Goal | None]:
    """Where ``unit`` is worth most, and how much; nowhere if it is worth nothing anywhere.

    A goal is worth less once enough are on the way to it.
    """
    best, where = 0.0, None
    strength, area = unit.strength, unit.area
    last = 4 * (sit.n.turns - sit.turn + 1)
    bold = sit.triggered or sit.turn == sit.n.turns
    dared = FAR if bold else plan.style.bold * strength
    column = plan.column
    for goal in goals:
        need = goal.need
        if need - goal.sent <= 0 or (need > 1.0 and strength < 3):
            continue
        if column.get(goal.area, 0.0) > dared:
            continue
        worth = goal.worth * min(1.0, strength / need + 0.4)
        reach = ways(sit, plan, goal.area)
        least = reach.least(area) / SCALE
        if least > last or worth / (2.0 + least) <= best:
            continue  # nor is it with the dangers on the way
        way = reach.of(area) / SCALE
        if way <= last and worth / (2.0 + way) > best:
            best, where = worth / (2.0 + way), goal
    return best, where


def _way(sit: Situation, plan: Plan, unit: Unit, area: str) -> float:
    away = ways(sit, plan, area).of(unit.area)
    return FAR if away == FAR else away / SCALE


def follow(sit: Situation, plan: Plan, leader: Unit) -> Goal:
    """Where a leader goes: to his own unit, else the nearest, unless it stands in danger."""
    men, column, id = sit.on_map(BRITISH), plan.column, leader.id
    able = [u for u in men if u.under == id and u.kind in COMBAT_KINDS and not column.get(u.area)]
    if not able or id in ("howard", "priday"):
        able = [u for u in men if u.kind in COMBAT_KINDS and not column.get(u.area)]
    if not able:
        return _post(sit, plan, leader)
    unit = _nearest(sit, plan, leader, able)
    if _way(sit, plan, leader, unit.area) > mp_left(sit, leader) and not _safe(
        sit, plan, leader.area
    ):
        return _post(sit, plan, leader)
    return Goal(unit.area, 0.0, 0.0, unit.inside)


def _nearest(sit: Situation, plan: Plan, leader: Unit, able: Sequence[Unit]) -> Unit:
    """Who of ``able`` is nearest to ``leader``: of those as near the strongest."""
    if len(able) < 2:
        return able[0]
    nearest, way = able[0], FAR + 1
    for unit in able:
        reach = ways(sit, plan, unit.area)
        if reach.least(leader.area) > way:
            continue
        far = reach.of(leader.area)
        if far < way or (far == way and _stronger(unit, nearest)):
            nearest, way = unit, far
    return nearest


def _stronger(unit: Unit, other: Unit) -> bool:
    return (unit.lost - unit.sp, unit.id) < (other.lost - other.sp, other.id)


def _safe(sit: Situation, plan: Plan, area: str) -> bool:
    """Whether no German reinforcement will come near ``area`` this turn."""
    return not plan.column.get(area)


def _post(sit: Situation, plan: Plan, unit: Unit) -> Goal:
    """Where a unit without a task waits: out of harm's way, near the bridges.

    Once the column has turned on the British somebody must hold the bridges against it.
    """
    if plan.style.idle == "stay":
        return Goal(unit.area, 0.0, 0.0, unit.inside)
    defends = sit.triggered and plan.style.attack
    if (defends or plan.style.idle == "bridge") and unit.combat and unit.kind != "hq":
        return _bridge_post(sit, plan, unit)
    reach = ways_from(sit, plan, unit.area)
    area = shelter(sit, plan.shelters, plan.threat, unit, reach, max(0, mp_left(sit, unit)))
    return Goal(area, 0.0, 0.0, unit.inside and area == unit.area)


def _bridge_post(sit: Situation, plan: Plan, unit: Unit) -> Goal:
    """Covered ground near the bridges."""
    geo = sit.geo
    posts = [
        area
        for bridge in (geo.pegasus, geo.ranville_bridge)
        for area in geo.near[bridge]
        if area in geo.obstructed or area == bridge
    ]
    best = min(posts, key=lambda area: (_way(sit, plan, unit, area), area))
    return Goal(best, 0.0, 0.0)
