"""The styled player: the good player with everything that a style may change.

It saves the bridge, its leaders and what is left of its platoons; the expert plays by it.
"""

from __future__ import annotations

from typing import Any

from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.st.board.geometry import FAR, Reach
from asl_pbcg.st.player.policy import GoodPlayer
from asl_pbcg.st.player.policy_plan import Goal, Plan, _post, open_goals
from asl_pbcg.st.player.policy_style import STEADY, Style
from asl_pbcg.st.player.policy_ways import SCALE, Nearer
from asl_pbcg.st.player.policy_worth import danger, germans
from asl_pbcg.st.rules.actions import Action, mp_left
from asl_pbcg.st.rules.attacks import Attack
from asl_pbcg.st.rules.decision import Decision
from asl_pbcg.st.rules.situation import Situation
from asl_pbcg.st.rules.state import Unit
from asl_pbcg.st.terms import BRITISH, GERMAN

FULL: float = 8.0
"""SP of a whole platoon, by which danger is reckoned."""
_MOVING = ("act", "action", "stack", "declare", "declare_action")


class StyledPlayer(GoodPlayer):
    """Plans and fights as the good player does; steady, it is the good player.

    ``attacked_on`` is the first turn on which the British had attacked before the German Movement
    Phase, as far as the player has seen: the one chance to blow the bridge comes then. Where it
    is tested in every later phase too, nobody goes near but to storm the pillbox.
    Rule: ST-DEM-03, AMB-28.
    """

    def __init__(self, style: Style = STEADY, attacked_on: int | None = None) -> None:
        super().__init__(style=style)
        self.attacked_on = attacked_on

    def answer(self, prompt: Prompt) -> Any:
        """The answer that promises most."""
        if self.attacked_on is None and isinstance(prompt, Decision) and prompt.id in _MOVING:
            sit = prompt.situation
            if sit.attacked:
                self.attacked_on = sit.turn
        return super().answer(prompt)

    def bridge_may_blow(self, sit: Situation) -> bool:
        """Whether the one attempt may still come, by what a person can know. Rule: ST-DEM-02."""
        if sit.demo_marker == "none" or sit.demo in ("blown", "malfunction"):
            return False
        if sit.settings.demolition_window == "strict":
            return self.attacked_on is None or sit.turn <= self.attacked_on
        # The chance does not pass by itself: whoever stands in the pillbox keeps it from coming.
        pillbox = sit.geo.pillbox
        return sit.is_occupied(GERMAN, pillbox) and not sit.is_occupied(BRITISH, pillbox)

    def _storms(self, sit: Situation, unit: Unit, goal: Goal | None, action: Action) -> bool:
        """Whether a step near the bridge is one to the pillbox that ends in it this turn.

        A British unit in the pillbox keeps the bridge from being blown in the German phase.
        Rule: ST-DEM-04, AMB-28.
        """
        pillbox = sit.geo.pillbox
        if not unit.combat or goal is None or goal.area != pillbox:
            return False
        reach = Reach(sit.geo.steps, {pillbox: 0}, sit.areas_of(GERMAN))
        return reach.of(action.target) <= mp_left(sit, unit) - action.mp

    # -- the plan ---------------------------------------------------------------------------

    def _plan_for(self, sit: Situation) -> Plan:
        fresh = self._plan is None or self._planned_in is not sit.state
        plan = super()._plan_for(sit)
        if fresh and self.style.spare:
            self._spare(sit, plan)
        if fresh and self.style.free >= 0:
            self._take_what_is_free(sit, plan)
        return plan

    def _cut_down(self, unit: Unit) -> bool:
        """Whether fire has left too little of a platoon to risk the rest. Rule: ST-VIC-13."""
        platoon = unit.kind in ("platoon", "squad")
        return platoon and unit.lost > 0 and unit.strength <= self.style.spare

    def _spare(self, sit: Situation, plan: Plan) -> None:
        """Those who are cut down wait, unless they can take something that nobody defends."""
        for unit in sit.on_map(BRITISH):
            if self._cut_down(unit):
                goal = plan.goals.get(unit.id)
                if not (goal and goal.worth and self._is_undefended(sit, goal)):
                    plan.goals[unit.id] = _post(sit, plan, unit)

    def _is_undefended(self, sit: Situation, goal: Goal) -> bool:
        return not germans(sit, goal.area) and not danger(sit, goal.area, FULL)

    def _take_what_is_free(self, sit: Situation, plan: Plan) -> None:
        """Units without a task go to places that nobody defends and nobody is sent to."""
        sent = {goal.area for goal in plan.goals.values() if goal.worth}
        left = [
            goal
            for goal in open_goals(sit)
            if goal.area not in sent
            and self._is_undefended(sit, goal)
            and plan.threat.to(goal.area) <= self.style.free
        ]
        most = sit.n.mp_british * SCALE * (sit.n.turns - sit.turn + 1)
        for unit in sit.on_map(BRITISH):
            task = plan.goals.get(unit.id)
            if not left or not unit.combat or unit.kind == "hq" or task is None or task.worth:
                continue
            away = {goal.area: plan.reach[goal.area].of(unit.area) for goal in left}
            best = max(
                left, key=lambda goal: (goal.worth / (2 + away[goal.area] / SCALE), goal.area)
            )
            if away[best.area] <= min(most, FAR - 1):
                plan.goals[unit.id] = best
                left.remove(best)

    # -- what is not risked -----------------------------------------------------------------

    def _companions(self, sit: Situation, plan: Plan, unit: Unit) -> list[str]:
        found = super()._companions(sit, plan, unit)
        goal = plan.goals.get(unit.id)
        if len(found) > 1 and goal:
            on_the_way = [goal.area, *(area for area, _ in sit.geo.steps[unit.area])]
            if any(danger(sit, area, FULL) > self.style.shy for area in on_the_way):
                return [unit.id]
        return found

    def _step(
        self,
        sit: Situation,
        plan: Plan,
        unit: Unit,
        goal: Goal | None,
        action: Action,
        nearer: Nearer | None = None,
    ) -> float:
        there = action.target
        near = there in sit.geo.demolition_near
        if near and self.style.fuse and self.bridge_may_blow(sit):
            strict = sit.settings.demolition_window == "strict"
            if strict or not self._storms(sit, unit, goal, action):
                return 0.0
        if action.kind == "move":
            fire = danger(sit, there, FULL)
            if unit.kind == "leader" and fire > self.style.shy:
                return 0.0
            if self._cut_down(unit) and fire > danger(sit, unit.area, FULL):
                return 0.0
        return super()._step(sit, plan, unit, goal, action, nearer)

    def _attack_worth(self, sit: Situation, attack: Attack) -> float:
        worth = super()._attack_worth(sit, attack)
        if not worth and self.style.guns and attack.kind in ("piat", "at-gun"):
            return 1.0
        return worth
