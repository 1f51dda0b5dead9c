"""Automatic British players: a random one, and one worth beating.

Both answer the same prompts as a person and see no more than a person does.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Container, Mapping, Sequence
from operator import attrgetter
from typing import Any, Literal

from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.st.area_terms import BRITISH, COMBAT_KINDS, GERMAN
from asl_pbcg.st.board.geometry import FAR, Reach
from asl_pbcg.st.germans.german_column import marching
from asl_pbcg.st.player.policy_caution import SCALE
from asl_pbcg.st.player.policy_plan import (
    STEADY,
    Objective,
    Style,
    TurnPlan,
    is_remnant,
    leader_goal,
    make_plan,
    stays_back,
)
from asl_pbcg.st.player.policy_worth import (
    FULL_SP,
    best_firers,
    danger,
    fire_worth,
    gammon_worth,
    germans,
    grenade_worth,
    melee_worth,
)
from asl_pbcg.st.procedures.german_guns import british_volley
from asl_pbcg.st.procedures.gun_fire import Attack
from asl_pbcg.st.procedures.movement import STACK, STEPS, STOP, Action, mp_left
from asl_pbcg.st.rules.p7_hand_to_hand import odds_column
from asl_pbcg.st.rules.scoring import victory_chart
from asl_pbcg.st.state.decision import Decision
from asl_pbcg.st.state.game_rules import british_order
from asl_pbcg.st.state.game_state import State, Unit
from asl_pbcg.st.state.phase_situation import Situation

PolicyName = Literal["random", "good", "expert"]


_STRENGTH = attrgetter("combat", "strength")
_ID = attrgetter("id")


class RandomPlayer:
    """Answers every prompt with a random legal answer, the same for the same seed."""

    def __init__(self, seed: int | str) -> None:
        self._source = random.Random(f"player/{seed}")

    def answer(self, prompt: Prompt) -> Any:
        """Return a random legal answer."""
        return prompt.random_answer(self._source)


class GoodPlayer:
    """Plans each turn for what the chart pays, and fights by exact odds.

    ``style`` says how bold it is and what it does besides. ``attacked_on`` is the first turn on
    which the British had attacked before the German Movement Phase, as far as the player has
    seen: the one chance to blow the bridge comes then. Where it is tested in every later phase
    too, nobody goes near but to storm the pillbox. Rule: ST-DEM-03, AMB-28.
    """

    def __init__(
        self, seed: int | str = 0, style: Style = STEADY, attacked_on: int | None = None
    ) -> None:
        self.style = style
        self.attacked_on = attacked_on
        self._plan: TurnPlan | None = None
        self._planned_in: State | None = None

    def answer(self, prompt: Prompt) -> Any:
        """Return the answer that promises most."""
        answer = _ANSWERS.get(prompt.id)
        if answer is not None:
            return answer(self, prompt)
        if prompt.default is not None:
            return prompt.default
        assert isinstance(prompt, Decision)
        return prompt.ids[0]

    # -- set-up and losses ----------------------------------------------------------------

    def _load(self, decision: Decision) -> list[str]:
        """Return the historical load."""
        load = british_order().gliders[int(decision.pieces[0])]
        return [id for id in load if id in decision.ids]

    def _break_down(self, decision: Decision) -> str:
        """Platoons stay whole: eight SP together hit harder than twice four."""
        return "go-on"

    def _who_loses(self, decision: Decision) -> str:
        """Return the unit with most SP left loses, leaders last."""
        units = decision.situation.units
        fighting = [id for id in decision.ids if units[id].combat]
        return max(fighting or decision.ids, key=lambda id: (units[id].strength, id))

    def _how_many(self, decision: Decision) -> int:
        """As many as leave the unit alive."""
        return max(decision.least, decision.most - 1)

    # -- movement -------------------------------------------------------------------------

    def plan_for(self, sit: Situation) -> TurnPlan:
        """Return the plan of the turn, made when it is first needed."""
        if self.attacked_on is None and sit.attacked:
            self.attacked_on = sit.turn
        if self._plan is None or self._planned_in is not sit.state:
            self._plan = make_plan(sit, self.style)
            self._planned_in = sit.state
        return self._plan

    def _act(self, decision: Decision) -> str:
        sit, ids = decision.situation, decision.ids
        plan = self.plan_for(sit)
        unit = next_to_act(sit, ids, plan.done)
        if unit is None:
            return ids[-1]
        if unit.kind != "leader" and len(sit.british[unit.place]) > 1:
            stack = STACK + unit.place
            if stack in ids and len(self._companions(sit, plan, unit)) > 1:
                return stack
        plan.done.add(unit.id)
        return unit.id

    def _companions(self, sit: Situation, plan: TurnPlan, unit: Unit) -> list[str]:
        """Return the unit and the leaders next to it that go with it, if it has far to go."""
        goal = plan.goals.get(unit.id)
        if (
            goal is None
            or goal.area == unit.area
            or unit.inside
            or sit.spent.get(unit.id)
            or unit.kind not in COMBAT_KINDS
            or unit.engaged >= sit.turn
        ):
            return [unit.id]
        leaders = [
            id
            for id in sit.british[unit.place]
            if id in (unit.under, "howard")
            and sit.units[id].kind == "leader"
            and not (sit.units[id].suppressed or id in plan.done or sit.spent.get(id))
            and not stays_back(sit, sit.units[id])
        ]
        on_the_way = [goal.area, *(area for area, _ in sit.geo.steps[unit.area])]
        if leaders and any(self._shuns(sit, area) for area in on_the_way):
            return [unit.id]
        return [unit.id, *leaders]

    def _stack(self, decision: Decision) -> list[str]:
        sit = decision.situation
        plan = self.plan_for(sit)
        unit = next_to_act(sit, decision.ids, plan.done) or next_to_act(sit, decision.ids, ())
        assert unit
        group = [id for id in self._companions(sit, plan, unit) if id in decision.ids]
        if len(group) < 2:
            group = list(decision.ids[:2])
        plan.done.update(id for id in group if sit.units[id].kind == "leader")
        return group

    def _action(self, decision: Decision) -> str:
        sit = decision.situation
        unit = max([sit.units[id] for id in decision.pieces], key=_STRENGTH)
        legal: Sequence[Action] = decision.choices
        if len(decision.pieces) > 1:
            goal = self._goal(sit, unit)
            if goal is None or goal.area != unit.area:
                # On its way a stack cannot clear a bunker: it would only come out again.
                legal = [action for action in legal if action.kind != "enter-bunker"]
        ranked = self.rank(sit, unit, legal)
        return ranked[0][1].id if ranked else STOP

    def _goal(self, sit: Situation, unit: Unit) -> Objective | None:
        plan = self.plan_for(sit)
        return leader_goal(sit, plan, unit) if unit.kind == "leader" else plan.goals.get(unit.id)

    def rank(
        self, sit: Situation, unit: Unit, legal: Sequence[Action]
    ) -> list[tuple[float, Action]]:
        """Return the actions of ``unit`` that are worth something to this player, best first."""
        goal = self._goal(sit, unit)
        if goal:  # a step that leads no nearer is worth nothing
            way = self.plan_for(sit).ways.to(goal.area)
            here = way.of(unit.area)
            legal = [
                action
                for action in legal
                if action.kind not in STEPS or way.of(action.target) < here < FAR
            ]
        worth = [(self._worth(sit, unit, goal, action), action) for action in legal]
        return sorted([pair for pair in worth if pair[0] > 0], key=lambda pair: -pair[0])

    def reason(self, sit: Situation, unit: Unit, action: Action) -> str:
        """Return why this player likes an action, as a sentence without an end."""
        if action.kind == "clear-bunker":
            points = victory_chart().points["bunker"].value
            return f"a bunker cleared and held earns {points} VP"
        if action.kind in ("grenade", "grenade-bunker"):
            return (
                f"it costs the Germans there {grenade_worth(sit, unit, action):.1f} SP on average"
            )
        if action.kind == "gammon":
            return "a tank wrecked earns 5 VP"
        goal = self._goal(sit, unit)
        if goal is None:
            return ""
        if unit.kind == "leader":
            return f"he belongs with his men in {sit.geo.text(goal.area)}"
        if goal.worth:
            return f"toward {sit.geo.text(goal.area)}, which is worth {goal.worth:g} VP"
        return f"toward cover in {sit.geo.text(goal.area)}"

    def _worth(self, sit: Situation, unit: Unit, goal: Objective | None, action: Action) -> float:
        kind, area = action.kind, unit.area
        if kind in ("move", "arrow", "leave-bunker"):
            return self._step(sit, unit, goal, action)
        if kind == "enter-bunker":
            cleared = area in sit.cleared
            if goal is not None and goal.area == area:
                return 30.0 if goal.inside or not cleared else 0.0
            clears = unit.kind in COMBAT_KINDS and not cleared
            return 30.0 if clears and mp_left(sit, unit) >= 3 else 0.0
        if kind == "take":
            weapon = sit.weapons.get(action.target)
            wanted = weapon and not weapon.carrier and weapon.kind in ("piat", "gammon")
            return 5.0 if wanted else 0.0
        if kind == "clear-bunker":
            return 50.0
        if kind in ("grenade", "grenade-bunker"):
            return self._grenade(sit, unit, action)
        if kind == "gammon":
            return 20.0 * gammon_worth(sit, sit.units[action.target].kind)
        return 0.0

    def _grenade(self, sit: Situation, unit: Unit, action: Action) -> float:
        worth = grenade_worth(sit, unit, action)
        if action.kind == "grenade" and not self.style.wake and self._marching(sit, action.target):
            return 0.0
        least = 0.25 if unit.grenades > 1 or sit.turn > 8 else 0.5
        return 10.0 + 10.0 * worth if worth >= least else 0.0

    def _marching(self, sit: Situation, area: str) -> bool:
        """Tell whether only a column that has noticed nothing is there; it is left alone."""
        units = sit.in_area(GERMAN, area)
        column = bool(units) and all(marching(sit, unit) for unit in units)
        return column and sit.turn < sit.n.turns

    def _step(self, sit: Situation, unit: Unit, goal: Objective | None, action: Action) -> float:
        """Return the worth of a move: the MP gained and 2, less the danger."""
        area = action.target
        if goal is None or goal.area == unit.area:
            return 0.0
        if action.kind == "leave-bunker":
            return 0.0 if self._may_be_blown_up(sit, unit, goal, action) else 3.0
        if self._may_be_blown_up(sit, unit, goal, action):
            return 0.0
        if self._is_reckless(sit, unit, action):
            return 0.0
        if area in sit.german or sit.rules.bunker_in[area] in sit.german:
            if self._too_strong(sit, unit, area):
                return 0.0
            if unit.kind == "leader" and germans(sit, area) > 0:
                return 0.0
        way = self.plan_for(sit).ways.to(goal.area)
        gain = (way.of(unit.area) - way.of(area)) / SCALE
        return max(0.1, 2.0 + gain - 0.5 * danger(sit, area, unit.sp - unit.lost or 1))

    def _too_strong(self, sit: Situation, unit: Unit, area: str) -> bool:
        """Tell whether Germans outside a bunker in ``area`` would win hand-to-hand."""
        if area not in sit.german:
            return False
        enemies = [each for each in sit.at(GERMAN, area) if each.combat or each.kind == "leader"]
        if not enemies:
            return False
        ours = unit.strength + sum(each.strength for each in sit.at(BRITISH, area) if each.combat)
        theirs = sum(max(1, 2 if each.face_down else each.strength) for each in enemies)
        if not unit.combat or ours <= 0:
            return True
        column = odds_column(ours, theirs)
        drm = 1 - sit.is_cover(area) + any(each.suppressed for each in enemies)
        return melee_worth(column, drm) < 0.25

    # -- what a careful style does not risk -------------------------------------------------

    def _is_reckless(self, sit: Situation, unit: Unit, action: Action) -> bool:
        """Tell whether a leader or what is left of a platoon would run into fire."""
        if action.kind != "move":
            return False
        if unit.kind == "leader":
            return self._shuns(sit, action.target)
        return is_remnant(unit, self.style) and (
            danger(sit, action.target) > danger(sit, unit.area)
        )

    def _shuns(self, sit: Situation, area: str) -> bool:
        """Tell whether Opportunity Fire into ``area`` is too much for a leader."""
        return self.style.shy < FULL_SP and danger(sit, area) > self.style.shy

    def _may_be_blown_up(self, sit: Situation, unit: Unit, goal: Objective, action: Action) -> bool:
        """Tell whether a step goes near the bridge while it may still be blown."""
        near = action.target in sit.geo.demolition_near
        if not (near and self.style.fuse and self.bridge_may_blow(sit)):
            return False
        strict = sit.settings.demolition_window == "strict"
        return strict or not self._storms(sit, unit, goal, action)

    def bridge_may_blow(self, sit: Situation) -> bool:
        """Tell whether the one attempt may still come, by what a person can know. ST-DEM-02."""
        if sit.demo_marker == "none" or sit.demo in ("blown", "malfunction"):
            return False
        if sit.settings.demolition_window == "strict":
            return self.attacked_on is None or sit.turn <= self.attacked_on
        # The chance does not pass by itself: a unit in the pillbox keeps it from coming.
        pillbox = sit.geo.pillbox
        return sit.is_occupied(GERMAN, pillbox) and not sit.is_occupied(BRITISH, pillbox)

    def _storms(self, sit: Situation, unit: Unit, goal: Objective, action: Action) -> bool:
        """Tell whether a step near the bridge is one to the pillbox that ends in it this turn.

        A British unit in the pillbox keeps the bridge from being blown in the German phase.
        Rule: ST-DEM-04, AMB-28.
        """
        pillbox = sit.geo.pillbox
        if not unit.combat or goal.area != pillbox:
            return False
        extra = dict.fromkeys(sit.areas_of(GERMAN), sit.n.cost_enemy_occupied)
        reach = Reach(sit.geo.steps, [pillbox], extra)
        return reach.of(action.target) <= mp_left(sit, unit) - action.mp

    # -- fire -----------------------------------------------------------------------------

    def _opportunity_fire(self, decision: Decision) -> list[str]:
        sit = decision.situation
        target, choices = decision.choices
        unit = sit.units[target.id]
        unaware = unit.force and not sit.triggered and not self.style.wake
        if unaware and unit.area not in sit.areas_of(BRITISH):
            return []
        builders = {position.builder for position in sit.positions.values()}
        free = {key: pair for key, pair in choices.items() if pair[0] not in builders}
        return best_firers(sit, target, free)

    def _fire(self, decision: Decision) -> str:
        sit = decision.situation
        best, worth = decision.ids[-1], 0.15
        for attack in decision.choices:
            value = self.attack_worth(sit, attack)
            if value > worth:
                best, worth = attack.id, value
        return best

    def attack_worth(self, sit: Situation, attack: Attack) -> float:
        """Return the SP, roughly, that an attack of the Fire Phase is worth."""
        unit = sit.units[attack.target.id]
        is_gun = attack.kind in ("piat", "at-gun")
        unaware = marching(sit, unit) and not sit.is_occupied(BRITISH, unit.area)
        # An attack wakes the column, which matters no more on the last turn.
        if unaware and not self.style.wake and (sit.turn < sit.n.turns or not is_gun):
            return 1.0 if is_gun and self.style.guns else 0.0
        if attack.kind == "piat":
            return 2.0
        if attack.kind == "at-gun":
            return 1.0
        choices = {id: (id, "") for id in attack.firers}
        volley = british_volley(sit, attack.firers, choices)
        worth = fire_worth(sit, volley, attack.target)
        if unit.kind == "leader":
            worth *= 0.5
        return worth * (1.5 if attack.target.area in sit.areas_of(BRITISH) else 1.0)

    def _firers(self, decision: Decision) -> list[str]:
        target, choices = decision.choices
        return best_firers(decision.situation, target, choices) or [decision.ids[0]]

    # -- retreats -------------------------------------------------------------------------

    def _retreat(self, decision: Decision) -> str:
        sit = decision.situation

        def liking(area: str) -> tuple[float, bool, str]:
            enemies = sum(germans(sit, near) for near in sit.geo.near[area])
            return (enemies, not sit.is_obstructed(area), area)

        return min(decision.ids, key=liking)


_ANSWERS: Mapping[str, Callable[[GoodPlayer, Any], Any]] = {
    "act": GoodPlayer._act,
    "declare": GoodPlayer._act,
    "action": GoodPlayer._action,
    "declare_action": GoodPlayer._action,
    "stack": GoodPlayer._stack,
    "opportunity_fire": GoodPlayer._opportunity_fire,
    "fire": GoodPlayer._fire,
    "declare_fire": GoodPlayer._fire,
    "firers": GoodPlayer._firers,
    "retreat": GoodPlayer._retreat,
    "displaced_to": GoodPlayer._retreat,
    "crash_losses": GoodPlayer._who_loses,
    "h2h_losses": GoodPlayer._who_loses,
    "h2h_losses_sp": GoodPlayer._how_many,
    "load_glider": GoodPlayer._load,
    "break_down": GoodPlayer._break_down,
}
"""How each question is answered; others take their default or the first answer."""


def next_to_act(sit: Situation, ids: Sequence[str], done: Container[str]) -> Unit | None:
    """Return the unit of ``ids`` that goes first: strong ones, then weak ones, then leaders."""
    units = [sit.units[id] for id in ids if id in sit.units and id not in done]
    units = [unit for unit in units if unit.kind != "leader"] or units
    most = max([unit.sp - unit.lost for unit in units], default=0)
    return min([u for u in units if u.sp - u.lost == most], key=_ID, default=None)


def player(name: PolicyName, seed: int | str) -> RandomPlayer | GoodPlayer:
    """Return the automatic player of that name."""
    return RandomPlayer(seed) if name == "random" else GoodPlayer(seed)
