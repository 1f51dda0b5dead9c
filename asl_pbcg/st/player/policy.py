"""Automatic British players: a random one, and one worth beating.

Both answer the same prompts as a person and see no more than a person does.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, Literal

from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.st.player.policy_fire import best_firers
from asl_pbcg.st.player.policy_order import foremost, sorted_out
from asl_pbcg.st.player.policy_plan import (
    Goal,
    Plan,
    follow,
    make_plan,
    next_of,
)
from asl_pbcg.st.player.policy_style import STEADY, Style
from asl_pbcg.st.player.policy_ways import Nearer
from asl_pbcg.st.player.policy_worth import (
    danger,
    fire_worth,
    gammon_worth,
    germans,
    grenade_worth,
    melee_worth,
)
from asl_pbcg.st.rules.actions import STOP, Action, mp_left
from asl_pbcg.st.rules.decision import Decision
from asl_pbcg.st.rules.german_column import marching
from asl_pbcg.st.rules.hand_to_hand import odds_column
from asl_pbcg.st.rules.opportunity_fire import british_volley
from asl_pbcg.st.rules.rules import british_order
from asl_pbcg.st.rules.scoring import victory_chart
from asl_pbcg.st.rules.situation import Situation
from asl_pbcg.st.rules.state import State, Unit
from asl_pbcg.st.terms import BRITISH, COMBAT_KINDS, GERMAN

PolicyName = Literal["random", "good", "expert"]


_STRENGTH = attrgetter("combat", "strength")


class RandomPlayer:
    """Answers every prompt with a random legal answer, the same for the same seed."""

    def __init__(self, seed: int | str) -> None:
        self._source = random.Random(f"player/{seed}")

    def answer(self, prompt: Prompt) -> Any:
        """A random legal answer."""
        return prompt.random_answer(self._source)


class GoodPlayer:
    """Plans each turn for what the chart pays, and fights by exact odds."""

    def __init__(self, seed: int | str = 0, style: Style = STEADY) -> None:
        self.style = style
        self._plan: Plan | None = None
        self._planned_in: State | None = None
        self._handlers: dict[str, Callable[[Any], Any]] = {
            "act": self._act,
            "declare": self._act,
            "action": self._action,
            "declare_action": self._action,
            "stack": self._stack,
            "opportunity_fire": self._opportunity_fire,
            "fire": self._fire,
            "declare_fire": self._fire,
            "firers": self._firers,
            "retreat": self._retreat,
            "displaced_to": self._retreat,
            "crash_losses": self._who_loses,
            "h2h_losses": self._who_loses,
            "h2h_losses_sp": self._how_many,
            "load_glider": self._load,
            "break_down": self._break_down,
        }

    def answer(self, prompt: Prompt) -> Any:
        """The answer that promises most."""
        handler = self._handlers.get(prompt.id)
        if handler is not None:
            return handler(prompt)
        if prompt.default is not None:
            return prompt.default
        assert isinstance(prompt, Decision)
        return prompt.ids[0]

    # -- set-up and losses ----------------------------------------------------------------

    def _load(self, decision: Decision) -> list[str]:
        """The historical load."""
        load = british_order().gliders[int(decision.pieces[0])]
        return [id for id in load if id in decision.ids]

    def _break_down(self, decision: Decision) -> str:
        """Platoons stay whole: eight SP together hit harder than twice four."""
        return "go-on"

    def _who_loses(self, decision: Decision) -> str:
        """The unit with most SP left loses, leaders last."""
        units = decision.situation.units
        fighting = [id for id in decision.ids if units[id].combat]
        return max(fighting or decision.ids, key=lambda id: (units[id].strength, id))

    def _how_many(self, decision: Decision) -> int:
        """As many as leave the unit alive."""
        return max(decision.least, decision.most - 1)

    # -- movement -------------------------------------------------------------------------

    def _plan_for(self, sit: Situation) -> Plan:
        if self._planned_in is not sit.state:
            self._plan = make_plan(sit, self.style)
            self._planned_in = sit.state
        return self._plan  # type: ignore[return-value]

    def _act(self, decision: Decision) -> str:
        sit = decision.situation
        plan = self._plan_for(sit)
        ids = decision.ids
        rank = next_of(sit, plan, ids)
        if rank is None:
            return ids[-1]
        first = rank[2]
        if not rank[0]:
            unit = sit.units[first]
            place = unit.place
            if len(sit.british[place]) > 1:
                stack = sit.rules.stack[place]
                if stack in ids and len(self._companions(sit, plan, unit)) > 1:
                    return stack
        plan.done.add(first)
        plan.order.remove(rank)
        return first

    def _companions(self, sit: Situation, plan: Plan, unit: Unit) -> list[str]:
        """The unit and the leaders beside it that go with it, if it has far to go."""
        id, spent = unit.id, sit.spent
        found = [id]
        goal = plan.goals.get(id)
        # Who has spent nothing has MP left, whatever he carries or guards.
        if goal is None or goal.area == unit.area or unit.inside or spent.get(id):
            return found
        if unit.kind not in COMBAT_KINDS or unit.engaged >= sit.turn:
            return found
        there = sit.british[unit.place]
        beside = {unit.under, "howard"}.intersection(there)
        for other in beside if len(beside) < 2 else sorted(beside, key=there.index):
            leader = sit.units[other]
            stays = leader.suppressed or other in plan.done or spent.get(other)
            if leader.kind == "leader" and not stays:
                found.append(other)
        return found

    def _stack(self, decision: Decision) -> list[str]:
        sit = decision.situation
        plan = self._plan_for(sit)
        rank = next_of(sit, plan, decision.ids)
        first = rank[2] if rank else foremost(sit, decision.ids, ())
        found = [id for id in self._companions(sit, plan, sit.units[first]) if id in decision.ids]
        if len(found) < 2:
            found = list(decision.ids[:2])
        plan.done.update(id for id in found if sit.units[id].kind == "leader")
        return found

    def _action(self, decision: Decision) -> str:
        sit = decision.situation
        plan = self._plan_for(sit)
        subject = decision.pieces
        unit = sit.units[subject[0]]
        if subject[1:]:
            unit = max(map(sit.units.__getitem__, subject), key=_STRENGTH)
        goal = plan.goals.get(unit.id) if unit.kind != "leader" else follow(sit, plan, unit)
        legal = decision.choices
        bunker, steps, works, takes = sorted_out(decision.ids)
        best, worth = STOP, 0.0
        for number in bunker:
            value = self._worth(sit, plan, unit, goal, legal[number])
            if value > worth:
                best, worth = legal[number].id, value
        if steps and goal is not None and goal.area != unit.area:
            nearer = plan.reach[goal.area].nearer(unit.area)
            for area in nearer:  # a step that leads no nearer is worth nothing
                if area in steps and nearer[area] + 2.0 > worth:
                    action = legal[steps[area]]
                    value = self._step(sit, plan, unit, goal, action, nearer)
                    if value > worth:
                        best, worth = action.id, value
        for number in works:
            value = self._worth(sit, plan, unit, goal, legal[number])
            if value > worth:
                best, worth = legal[number].id, value
        for number, thing in takes:
            weapon = sit.weapons.get(thing)
            if weapon and not weapon.carrier:  # who carries a weapon keeps it
                value = self._worth(sit, plan, unit, goal, legal[number])
                if value > worth:
                    best, worth = legal[number].id, value
        return best

    # -- for whoever asks what it thinks ----------------------------------------------------

    def rank(
        self, sit: Situation, unit: Unit, legal: Sequence[Action]
    ) -> list[tuple[float, Action]]:
        """The actions of ``unit`` that are worth something to this player, best first."""
        plan = self._plan_for(sit)
        goal = follow(sit, plan, unit) if unit.kind == "leader" else plan.goals.get(unit.id)
        found = [(self._worth(sit, plan, unit, goal, action), action) for action in legal]
        return sorted((each for each in found if each[0] > 0), key=lambda each: -each[0])

    def reason(self, sit: Situation, unit: Unit, action: Action) -> str:
        """Why this player likes an action, in a sentence without an end."""
        plan = self._plan_for(sit)
        goal = follow(sit, plan, unit) if unit.kind == "leader" else plan.goals.get(unit.id)
        if action.kind == "clear-bunker":
            points = victory_chart().points["bunker"].value
            return f"a bunker cleared and held earns {points} VP"
        if action.kind in ("grenade", "grenade-bunker"):
            return (
                f"it costs the Germans there {grenade_worth(sit, unit, action):.1f} SP on average"
            )
        if action.kind == "gammon":
            return "a tank wrecked earns 5 VP"
        if goal is None:
            return ""
        if unit.kind == "leader":
            return f"he belongs with his men in {sit.geo.text(goal.area)}"
        if goal.worth:
            return f"toward {sit.geo.text(goal.area)}, which is worth {goal.worth:g} VP"
        return f"toward cover in {sit.geo.text(goal.area)}"

    def attack_worth(self, sit: Situation, attack: Any) -> float:
        """The SP, roughly, that an attack of the Fire Phase is worth."""
        return self._attack_worth(sit, attack)

    def _worth(
        self, sit: Situation, plan: Plan, unit: Unit, goal: Goal | None, action: Action
    ) -> float:
        kind, area = action.kind, unit.area
        if kind == "enter-bunker":
            if area in sit.cleared and not (goal is not None and goal.inside):
                return 0.0
            here = goal is not None and goal.area == area
            return 30.0 if here or mp_left(sit, unit) >= 3 else 0.0
        if kind in ("move", "arrow", "leave-bunker"):
            return self._step(sit, plan, unit, goal, action)
        if kind == "take":
            weapon = sit.weapons.get(action.target)
            if weapon is None or weapon.carrier:
                return 0.0
            return 5.0 if weapon.kind in ("piat", "gammon") else 0.0
        if kind == "clear-bunker":
            return 50.0
        if kind in ("grenade", "grenade-bunker"):
            return self._grenade(sit, unit, goal, action)
        if kind == "gammon":
            return 20.0 * gammon_worth(sit, sit.units[action.target].kind)
        return 0.0

    def _grenade(self, sit: Situation, unit: Unit, goal: Goal | None, action: Action) -> float:
        worth = grenade_worth(sit, unit, action)
        if action.kind == "grenade" and not self.style.wake and self._marching(sit, action.target):
            return 0.0
        least = 0.25 if unit.grenades > 1 or sit.turn > 8 else 0.5
        return 10.0 + 10.0 * worth if worth >= least else 0.0

    def _marching(self, sit: Situation, area: str) -> bool:
        """Whether only a column that has not noticed anything is there; it is left alone."""
        there = sit.in_area(GERMAN, area)
        column = bool(there) and all(marching(sit, unit) for unit in there)
        return column and sit.turn < sit.n.turns

    def _step(
        self,
        sit: Situation,
        plan: Plan,
        unit: Unit,
        goal: Goal | None,
        action: Action,
        nearer: Nearer | None = None,
    ) -> float:
        """What a move is worth, a step at most the MP gained and 2; ``nearer`` is where one comes
        nearer to the goal, if known.
        """
        if goal is None:
            return 0.0
        if nearer is None:
            if action.kind == "leave-bunker":
                return 0.0 if goal.area == unit.area else 3.0
            nearer = plan.reach[goal.area].nearer(unit.area)
        area = action.target
        gain = nearer.get(area)
        if gain is None:
            return 0.0
        german = sit.german
        if area in german or sit.rules.bunker_in[area] in german:
            if self._too_strong(sit, unit, area):
                return 0.0
            if unit.kind == "leader" and germans(sit, area) > 0:
                return 0.0
        worth = 2.0 + gain - 0.5 * danger(sit, area, unit.sp - unit.lost or 1)
        return worth if worth > 0.1 else 0.1

    def _too_strong(self, sit: Situation, unit: Unit, area: str) -> bool:
        """Whether Germans outside a bunker in ``area`` would win hand-to-hand."""
        if area not in sit.german:
            return False
        there = [each for each in sit.at(GERMAN, area) if each.combat or each.kind == "leader"]
        if not there:
            return False
        ours = unit.strength + sum(each.strength for each in sit.at(BRITISH, area) if each.combat)
        theirs = sum(max(1, 2 if each.face_down else each.strength) for each in there)
        if not unit.combat or ours <= 0:
            return True
        column = odds_column(ours, theirs)
        drm = 1 - sit.is_cover(area) + any(each.suppressed for each in there)
        return melee_worth(column, drm) < 0.25

    # -- fire -----------------------------------------------------------------------------

    def _opportunity_fire(self, decision: Decision) -> list[str]:
        sit = decision.situation
        target, choices = decision.choices
        found = sit.units[target.id]
        unaware = found.force and not sit.triggered and not self.style.wake
        if unaware and found.area not in sit.areas_of(BRITISH):
            return []
        building = {each.builder for each in sit.positions.values()}
        return best_firers(sit, target, {a: c for a, c in choices.items() if c[0] not in building})

    def _fire(self, decision: Decision) -> str:
        sit = decision.situation
        best, worth = decision.ids[-1], 0.15
        for attack in decision.choices:
            value = self._attack_worth(sit, attack)
            if value > worth:
                best, worth = attack.id, value
        return best

    def _attack_worth(self, sit: Situation, attack: Any) -> float:
        unit = sit.units[attack.target.id]
        alone = (
            marching(sit, unit) and not sit.is_occupied(BRITISH, unit.area) and not self.style.wake
        )
        # Whoever wakes a column has it on his neck, but for the last turn.
        if alone and (sit.turn < sit.n.turns or attack.kind not in ("piat", "at-gun")):
            return 0.0
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
        found = best_firers(decision.situation, target, choices)
        return found or [decision.ids[0]]

    # -- retreats -------------------------------------------------------------------------

    def _retreat(self, decision: Decision) -> str:
        sit = decision.situation

        def liking(area: str) -> tuple[float, bool, str]:
            enemies = sum(germans(sit, near) for near in sit.geo.near[area])
            return (enemies, not sit.is_obstructed(area), area)

        return min(decision.ids, key=liking)


def player(name: PolicyName, seed: int | str) -> RandomPlayer | GoodPlayer:
    """The automatic player of that name."""
    return RandomPlayer(seed) if name == "random" else GoodPlayer(seed)
