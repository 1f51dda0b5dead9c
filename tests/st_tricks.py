"""Simple tricks against the Germans, as players: each is the good player with one idea instead."""

from __future__ import annotations

from asl_pbcg.st.policy import GoodPlayer
from asl_pbcg.st.policy_plan import Goal, Plan, _post
from asl_pbcg.st.situation import Situation
from asl_pbcg.st.terms import BRITISH


class Trick(GoodPlayer):
    """Plans as the good player does, then sends units elsewhere."""

    def _plan_for(self, sit: Situation) -> Plan:
        fresh = self._plan is None or self._planned_in is not sit
        plan = super()._plan_for(sit)
        if fresh:
            self.change(sit, plan)
        return plan

    def change(self, sit: Situation, plan: Plan) -> None:
        """Change the plan of a turn."""


class HoldTheBridge(Trick):
    """Everybody goes to Pegasus Bridge and stays."""

    def change(self, sit: Situation, plan: Plan) -> None:
        for unit in plan.goals:
            plan.goals[unit] = Goal(sit.geo.pegasus, 1.0, 0.0)


class HoldWhatIsTaken(Trick):
    """The good player until the column is due; then everybody stays where he stands."""

    def change(self, sit: Situation, plan: Plan) -> None:
        if sit.german_turn and sit.turn >= sit.german_turn:
            for unit in sit.on_map(BRITISH):
                plan.goals[unit.id] = Goal(unit.area, 0.0, 0.0, unit.inside)


class Hide(Trick):
    """The good player until the column is due; then everybody hides."""

    def change(self, sit: Situation, plan: Plan) -> None:
        if sit.german_turn and sit.turn >= sit.german_turn:
            for unit in sit.on_map(BRITISH):
                if unit.combat:
                    plan.goals[unit.id] = _post(sit, plan, unit)


class RunAndReturn(Trick):
    """Hides while the column is there and comes back on the last three turns."""

    def change(self, sit: Situation, plan: Plan) -> None:
        if sit.german_turn and sit.german_turn <= sit.turn < sit.n.turns - 2:
            for unit in sit.on_map(BRITISH):
                if unit.combat:
                    plan.goals[unit.id] = _post(sit, plan, unit)


TRICKS = {
    "hold the bridge": HoldTheBridge,
    "hold what is taken": HoldWhatIsTaken,
    "hide": Hide,
    "run and return": RunAndReturn,
}
