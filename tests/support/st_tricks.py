"""Simple tricks against the Germans, as players: each is the good player with one idea instead."""

from __future__ import annotations

from asl_pbcg.st.area_terms import BRITISH
from asl_pbcg.st.player.policy import GoodPlayer
from asl_pbcg.st.player.policy_plan import Objective, TurnPlan, waiting_place
from asl_pbcg.st.player.policy_style import Style
from asl_pbcg.st.rules.phase_situation import Situation


class Trick(GoodPlayer):
    """Plans as the good player does, then sends units elsewhere."""

    def plan_for(self, sit: Situation) -> TurnPlan:
        fresh = self._plan is None or self._planned_in is not sit.state
        plan = super().plan_for(sit)
        if fresh:
            self.change(sit, plan)
        return plan

    def change(self, sit: Situation, plan: TurnPlan) -> None:
        """Change the plan of a turn."""


class HoldTheBridge(Trick):
    """Everybody goes to Pegasus Bridge and stays."""

    def area(self, sit: Situation) -> str:
        """The one area that is held."""
        return sit.geo.pegasus

    def change(self, sit: Situation, plan: TurnPlan) -> None:
        for unit in plan.goals:
            plan.goals[unit] = Objective(self.area(sit), 1.0, 0.0)


class HoldRanvilleBridge(HoldTheBridge):
    """Everybody goes to Ranville Bridge and stays."""

    def area(self, sit: Situation) -> str:
        return sit.geo.ranville_bridge


class HoldThePillbox(HoldTheBridge):
    """Everybody goes to the pillbox and stays."""

    def area(self, sit: Situation) -> str:
        return sit.geo.pillbox


class HoldWhatIsTaken(Trick):
    """The good player until the column is due; then everybody stays where he stands."""

    def change(self, sit: Situation, plan: TurnPlan) -> None:
        if sit.german_turn and sit.turn >= sit.german_turn:
            for unit in sit.on_map(BRITISH):
                plan.goals[unit.id] = Objective(unit.area, 0.0, 0.0, unit.inside)


class Hide(Trick):
    """The good player until the column is due; then everybody goes under cover near the bridges."""

    def change(self, sit: Situation, plan: TurnPlan) -> None:
        if sit.german_turn and sit.turn >= sit.german_turn:
            for unit in sit.on_map(BRITISH):
                if unit.combat:
                    plan.goals[unit.id] = waiting_place(sit, plan, unit)


class LieLow(Trick):
    """The good player until the column is due; then everybody keeps out of all fire."""

    until = 99

    def change(self, sit: Situation, plan: TurnPlan) -> None:
        if sit.german_turn and sit.german_turn <= sit.turn < self.until:
            plan.style = Style("lie low", attack=False)
            for unit in sit.on_map(BRITISH):
                if unit.combat:
                    plan.goals[unit.id] = waiting_place(sit, plan, unit)


class LieLowAndReturn(LieLow):
    """The same, but for the last three turns."""

    until = 14


class RunAndReturn(Trick):
    """Hides while the column is there and comes back on the last three turns."""

    def change(self, sit: Situation, plan: TurnPlan) -> None:
        if sit.german_turn and sit.german_turn <= sit.turn < sit.n.turns - 2:
            for unit in sit.on_map(BRITISH):
                if unit.combat:
                    plan.goals[unit.id] = waiting_place(sit, plan, unit)


class Run(Trick):
    """The good player until the column is due; then everybody runs as far from the road as goes."""

    def change(self, sit: Situation, plan: TurnPlan) -> None:
        if sit.german_turn and sit.turn >= sit.german_turn:
            for unit in sit.on_map(BRITISH):
                if unit.combat:
                    far = max(
                        plan.ways.within(unit.area, sit.n.mp_british),
                        key=lambda area: (_from_road(sit, area), area),
                    )
                    plan.goals[unit.id] = Objective(far, 0.0, 0.0)


def _from_road(sit: Situation, area: str) -> int:
    """The MP from an area to the nearest road."""
    return min(sit.geo.away(road).get(area, 99) for road in sit.geo.roads)


TRICKS = {
    "hold the bridge": HoldTheBridge,
    "hold Ranville Bridge": HoldRanvilleBridge,
    "hold the pillbox": HoldThePillbox,
    "hold what is taken": HoldWhatIsTaken,
    "hide": Hide,
    "run": Run,
    "run and return": RunAndReturn,
    "lie low": LieLow,
    "lie low and return": LieLowAndReturn,
}
