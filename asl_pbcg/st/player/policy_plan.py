"""The turn's plan of the automatic British player: goals, leaders, waiting places, styles of play.

A ``Style`` says how bold the player is and what its idle units do.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from asl_pbcg.st.area_terms import BRITISH, COMBAT_KINDS, GERMAN
from asl_pbcg.st.board.geometry import FAR
from asl_pbcg.st.germans.german_resolute import resolute_numbers
from asl_pbcg.st.player.policy_caution import (
    SCALE,
    PlayerWays,
    Threat,
    beside_column,
    shelter,
    threats,
    ways_over,
)
from asl_pbcg.st.player.policy_worth import FULL_SP, danger, dangers, germans
from asl_pbcg.st.procedures.movement import mp_left
from asl_pbcg.st.rules.scoring import victory_chart
from asl_pbcg.st.state.game_state import Unit
from asl_pbcg.st.state.phase_situation import Situation


@dataclass(frozen=True, slots=True)
class Style:
    """A style of play. ``bold``: times its own SP that a unit dares to have against it;
    ``risk``: MP that one SP of expected loss on the way is worth; ``wake``: whether it attacks a
    column that has noticed nothing; ``idle``: where units without a task go.
    """

    name: str
    bold: float = 3.0
    risk: float = 1.2
    wake: bool = False
    idle: Literal["shelter", "bridge", "stay"] = "shelter"
    attack: bool = True
    """Whether units are sent to take things at all."""
    # What follows is only for the styled player.
    fuse: bool = False
    """Whether it keeps away from the bridge until the chance to blow it has passed."""
    shy: float = 99.0
    """Leaders do not enter an area where Opportunity Fire costs more SP than this on average."""
    spare: int = 0
    """Platoons and squads that fire has cut down to so many SP keep out of danger."""
    free: float = -1.0
    """Idle units take places without Germans where at most so many German SP could fire."""
    guns: bool = False
    """Whether PIATs and the AT gun fire at tanks of a column that has noticed nothing."""
    gain: float = 0.0
    """VP above the prudent style over 100 hard variable games, played throughout, same dice."""


STEADY: Final = Style("steady")
"""How the good player plays."""
PRUDENT: Final = Style("prudent", bold=1.5, risk=2.5, fuse=True, shy=1.0, spare=5, free=4.0)
"""How the expert plays unless imagined games tell it otherwise; found by play (st-engine.md)."""
STYLES: Final = (
    PRUDENT,
    replace(PRUDENT, name="guns", guns=True, gain=0.9),
    replace(PRUDENT, name="leaders in front", shy=99.0, spare=4, gain=-0.6),
    replace(PRUDENT, name="bold", bold=99.0, risk=0.5, gain=-1.6),
)
"""The styles that the expert chooses from."""


AVOID = 4
"""MP of way around that a marching column is worth."""


@dataclass(slots=True)
class Objective:
    """A place worth having: the VP it brings, and how many SP it takes to get it."""

    area: str
    worth: float = 0.0
    need: float = 0.0
    inside: bool = False
    sent: float = 0.0
    """SP that are on their way to it."""


@dataclass(slots=True)
class TurnPlan:
    """One turn's plan: the goal of each unit, and which units have nothing left to do."""

    ways: PlayerWays
    threat: Threat
    """The German SP that could fire into each area."""
    column: Threat
    """The SP of German reinforcements among them."""
    style: Style = STEADY
    goals: dict[str, Objective] = field(default_factory=dict)
    done: set[str] = field(default_factory=set)
    shelters: dict[Hashable, str] = field(default_factory=dict)
    """Where units wait, by where they stand, their MP and where the Germans are."""

    def way(self, unit: Unit, area: str) -> float:
        """Return the MP from a unit to an area, danger counted; FAR if no way leads there."""
        way = self.ways.to(area).of(unit.area)
        return FAR if way == FAR else way / SCALE


def player_ways(sit: Situation, risk: float) -> PlayerWays:
    """Return the ways over the map as it stands; an SP of expected loss counts ``risk`` MP."""
    cost = {area: int(risk * SCALE * sp) for area, sp in dangers(sit).items()}
    for area in beside_column(sit):
        cost[area] = cost.get(area, 0) + AVOID * SCALE
    extra_costs = frozenset((area, extra) for area, extra in cost.items() if extra)
    arrows = sit.settings.flight_area_exit == "arrows"
    return ways_over(sit.geo, arrows, sit.bridge != "destroyed", extra_costs)


def open_goals(sit: Situation) -> list[Objective]:
    """Return all that the chart pays for and the British do not hold."""
    points = victory_chart().points
    geo, control, cleared = sit.geo, sit.control, sit.cleared
    goals: dict[tuple[str, bool], Objective] = {}

    def add(area: str, item: str, inside: bool = False) -> None:
        goal = goals.setdefault((area, inside), Objective(area, inside=inside))
        goal.worth += points[item].value

    if control.get(geo.pegasus) != BRITISH:
        add(geo.pegasus, f"pegasus_bridge_{sit.bridge}")
    if control.get(geo.ranville_bridge) != BRITISH:
        add(geo.ranville_bridge, "ranville_bridge")
    if control.get(geo.pillbox) != BRITISH:
        add(geo.pillbox, "pillbox")
    for area in geo.bunkers:
        if area not in cleared or control.get(sit.rules.bunker_in[area]) != BRITISH:
            add(area, "bunker", inside=True)
    for weapon in sit.weapons.values():
        if weapon.status == "map" and weapon.kind in ("mg", "at") and sit.owner(weapon) == GERMAN:
            add(weapon.area, "mg" if weapon.kind == "mg" else "at_gun", weapon.inside)
    for goal in goals.values():
        goal.need = 1.0 + 2.0 * germans(sit, goal.area)
    return list(goals.values())


def make_plan(sit: Situation, style: Style = STEADY) -> TurnPlan:
    """Send every combat unit where it earns most for the way it has to go."""
    plan = TurnPlan(player_ways(sit, style.risk), *threats(sit), style)
    goals = open_goals(sit) if style.attack else []
    combat_units = [unit for unit in sit.on_map(BRITISH) if unit.kind in COMBAT_KINDS]
    idle = {unit.id: unit for unit in combat_units if unit.kind != "hq"}
    sappers = [unit for unit in idle.values() if unit.kind == "sapper"]
    if sit.demo_marker != "none" and sappers:
        nearest = min(sappers, key=lambda unit: (plan.way(unit, sit.geo.pegasus), unit.id))
        plan.goals[nearest.id] = Objective(sit.geo.pegasus, 15.0, 1.0)
        del idle[nearest.id]
    _share_out(sit, plan, goals, idle)
    idle.update({unit.id: unit for unit in combat_units if unit.kind == "hq"})
    for id, unit in idle.items():
        plan.goals[id] = waiting_place(sit, plan, unit)
    if style.spare:
        _spare_remnants(sit, plan)
    if style.free >= 0:
        _take_undefended(sit, plan)
    return plan


def _share_out(
    sit: Situation, plan: TurnPlan, goals: Sequence[Objective], idle: dict[str, Unit]
) -> None:
    """Send units out of ``idle`` to goals, the one that is worth most where it is worth most first.

    Of units that are worth as much the last by id goes first. A goal is worth nothing more once
    enough are on the way to it.
    """
    last = 4 * (sit.n.turns - sit.turn + 1)
    careful = not (sit.triggered or sit.turn == sit.n.turns)
    names = sorted(idle, reverse=True)
    wishes: list[tuple[float, int, int]] = []
    for number, goal in enumerate(goals):
        feared = plan.column.get(goal.area, 0.0) if careful else 0.0
        for at, id in enumerate(names):
            strength, way = idle[id].strength, plan.way(idle[id], goal.area)
            able = feared <= plan.style.bold * strength and (strength >= 3 or goal.need <= 1.0)
            if able and way <= last and goal.worth > 0:
                worth = goal.worth * min(1.0, strength / goal.need + 0.4)
                wishes.append((-worth / (2.0 + way), at, number))
    for _, at, number in sorted(wishes):
        goal = goals[number]
        if names[at] in idle and goal.sent < goal.need:
            plan.goals[names[at]] = goal
            goal.sent += idle.pop(names[at]).strength


# -- what a careful style changes -------------------------------------------------------------


def is_remnant(unit: Unit, style: Style) -> bool:
    """Tell whether fire has left too little of a platoon to risk the rest. Rule: ST-VIC-13."""
    return unit.kind in ("platoon", "squad") and unit.lost > 0 and unit.strength <= style.spare


def _spare_remnants(sit: Situation, plan: TurnPlan) -> None:
    """Let remnants wait, unless they can take something that no German defends."""
    for unit in sit.on_map(BRITISH):
        if is_remnant(unit, plan.style):
            goal = plan.goals.get(unit.id)
            if not (goal and goal.worth and _is_undefended(sit, goal)):
                plan.goals[unit.id] = waiting_place(sit, plan, unit)


def _is_undefended(sit: Situation, goal: Objective) -> bool:
    return not germans(sit, goal.area) and not danger(sit, goal.area, FULL_SP)


def _take_undefended(sit: Situation, plan: TurnPlan) -> None:
    """Send units without a task to undefended places to which no unit is sent."""
    sent = {goal.area for goal in plan.goals.values() if goal.worth}
    free_goals = [
        goal
        for goal in open_goals(sit)
        if goal.area not in sent
        and _is_undefended(sit, goal)
        and plan.threat.get(goal.area, 0.0) <= plan.style.free
    ]
    most = sit.n.mp_british * (sit.n.turns - sit.turn + 1)
    for unit in sit.on_map(BRITISH):
        task = plan.goals.get(unit.id)
        if not free_goals or not unit.combat or unit.kind == "hq" or task is None or task.worth:
            continue
        way = {goal.area: plan.way(unit, goal.area) for goal in free_goals}
        best = max(free_goals, key=lambda goal: (goal.worth / (2 + way[goal.area]), goal.area))
        if way[best.area] <= most:
            plan.goals[unit.id] = best
            free_goals.remove(best)


# -- leaders and units without a task -----------------------------------------------------------


def leader_goal(sit: Situation, plan: TurnPlan, leader: Unit) -> Objective:
    """Return where a leader goes: to its own unit, else the nearest, unless that is in danger."""
    if stays_back(sit, leader):
        return waiting_place(sit, plan, leader)
    units = [sit.units[id] for ids in sit.british.values() for id in ids]
    safe_units = [u for u in units if u.kind in COMBAT_KINDS]
    if plan.column:
        safe_units = [unit for unit in safe_units if not plan.column.get(unit.area)]
    leads = leader.id not in ("howard", "priday")
    own = [unit for unit in safe_units if leads and unit.under == leader.id]
    candidates = own or safe_units
    followed = min(
        [unit for unit in candidates if unit.area == leader.area] or candidates,
        key=lambda unit: (plan.way(leader, unit.area), unit.lost - unit.sp, unit.id),
        default=None,
    )
    if followed is None:
        return waiting_place(sit, plan, leader)
    in_danger = bool(plan.column.get(leader.area))
    if in_danger and plan.way(leader, followed.area) > mp_left(sit, leader):
        return waiting_place(sit, plan, leader)
    return Objective(followed.area, inside=followed.inside)


def stays_back(sit: Situation, unit: Unit) -> bool:
    """Tell whether a leader or sapper keeps out of the fight for the bridge; Howard leads it.

    The resolute German kills whoever stands in the crowd. Rule: RES-8.
    """
    weak = unit.kind == "sapper" or (unit.kind == "leader" and unit.id != "howard")
    return weak and sit.settings.german == "resolute" and 0 < sit.german_turn <= sit.turn


def waiting_place(sit: Situation, plan: TurnPlan, unit: Unit) -> Objective:
    """Return where a unit without a task waits: out of harm's way, near the bridges.

    Once the column has turned on the British units must hold the bridges against it.
    """
    style = plan.style
    if style.idle != "shelter" or sit.triggered:
        if style.idle == "stay":
            return Objective(unit.area, inside=unit.inside)
        defends = style.idle == "bridge" or style.attack
        if defends and unit.combat and unit.kind != "hq" and not stays_back(sit, unit):
            return _bridge_post(sit, plan, unit)
    mp = max(0, mp_left(sit, unit))
    key = (unit.area, unit.inside, mp, frozenset(sit.german))
    if key not in plan.shelters:
        plan.shelters[key] = shelter(sit, plan.threat, unit, plan.ways, mp)
    area = plan.shelters[key]
    return Objective(area, inside=unit.inside and area == unit.area)


def _bridge_post(sit: Situation, plan: TurnPlan, unit: Unit) -> Objective:
    """Return the nearest covered ground next to a bridge."""
    geo = sit.geo
    if sit.settings.german == "resolute":
        posts = _off_the_bridge(sit, unit)
    else:
        posts = {
            area
            for bridge in (geo.pegasus, geo.ranville_bridge)
            for area in geo.near[bridge]
            if area in geo.obstructed or area == bridge
        }
    return Objective(min(posts, key=lambda area: (plan.way(unit, area), area)))


def _off_the_bridge(sit: Situation, unit: Unit) -> set[str]:
    """Return the posts against the resolute German, next to Pegasus Bridge and not on it.

    On the open bridge grenades suppress the whole crowd at once, so all stand in cover beside it.
    The reinforcements are the reserve on the other side until its late turn. Rule: RES-3, RES-8.
    """
    beside = {*sit.geo.solid[sit.geo.pegasus]}
    cover = beside & sit.geo.obstructed
    if unit.area in cover:
        return {unit.area}
    waits = unit.under == "coffin" and sit.turn < resolute_numbers().late_turn
    held = {area for area in cover if germans(sit, area) > unit.strength}
    return (waits and beside - cover) or cover - held or beside - cover or {sit.geo.pegasus}
