"""Coordination loss: with both HQ killed everything is declared first. Rule: ST-HQU-02 to 04."""

from __future__ import annotations

from bisect import insort
from collections import deque
from collections.abc import Callable, Sequence
from copy import copy
from functools import partial
from typing import Final, NamedTuple

from msgspec.structs import replace

from asl_pbcg.kernel.prompts import Option, Script
from asl_pbcg.st.board.places import area_of
from asl_pbcg.st.rules.able import Able
from asl_pbcg.st.rules.actions import (
    MOVES,
    STOP,
    Action,
    actions_like,
    choices,
    common_mp,
    group_moves,
    may_act,
    mp_left,
    stack_choices,
)
from asl_pbcg.st.rules.british_options import action_options, action_text, unit_options
from asl_pbcg.st.rules.decision import Decision, decide, note
from asl_pbcg.st.rules.losses import names
from asl_pbcg.st.rules.markers import Positions, Pows
from asl_pbcg.st.rules.moving import go_together, hand_over
from asl_pbcg.st.rules.situation import Situation
from asl_pbcg.st.rules.state import Position
from asl_pbcg.st.terms import BRITISH

END = "end-declaration"
CarryOut = Callable[[Situation, tuple[str, ...], Action], Script[None]]


class Declared(NamedTuple):
    """One declared action and the units that do it."""

    units: tuple[str, ...]
    action: Action


def coordination_lost(sit: Situation) -> bool:
    """Whether every HQ is killed (or, as set, none is left in play). Rule: ST-HQU-02, AMB-64."""
    sections = [sit.units[id] for id in sit.rules.headquarters if id in sit.units]
    if sit.settings.hq_loss == "killed":
        return bool(sections) and all(unit.status == "dead" for unit in sections)
    return not any(unit.status == "map" for unit in sections)


class _Plan:
    """What is declared and not yet done, by number. Each unit does its actions in their order."""

    def __init__(self, sit: Situation, declared: Sequence[Declared]) -> None:
        self._sit = sit
        self._declared = declared
        self._left = list(range(len(declared)))
        self._words = [f"declared-{number}" for number in range(1, len(declared) + 1)]
        self._waiting: dict[str, deque[int]] = {}
        """For each unit its own actions that are left."""
        for number, item in enumerate(declared):
            for unit in item.units:
                self._waiting.setdefault(unit, deque()).append(number)
        first = {its[0] for its in self._waiting.values()}
        self.free = sorted(filter(self._is_next, first))
        """What may be done now: the next action of all units that take part in it."""
        self._known: dict[int, Action] = {}
        """The moves found possible, as long as nothing changes that they hang on."""
        self._calm: frozenset[str] | None = None
        sit.stirred = None

    def _is_next(self, number: int) -> bool:
        """Whether an action that comes next for one of its units does so for all of them."""
        units = self._declared[number].units
        if len(units) == 1:
            return True
        return all(self._waiting[unit][0] == number for unit in units)

    def ids(self) -> tuple[str, ...]:
        """How the free ones are named in an answer: counted among those that are left."""
        return tuple(map(self._words.__getitem__, map(self._left.index, self.free)))

    def items(self) -> tuple[Declared, ...]:
        """The free ones."""
        return tuple(map(self._declared.__getitem__, self.free))

    def impossible(self) -> int | None:
        """The first of the free ones that cannot be done any more."""
        self._forget()
        known = self._known
        for number in self.free:
            if number not in known and not self.possible(number):
                return number
        return None

    def possible(self, number: int) -> Action | None:
        """The action as it can be done now, or None."""
        known = self._known
        if number in known:
            return known[number]
        item = self._declared[number]
        found = possible(self._sit, item)
        if found is not None and item.action.kind in MOVES:
            known[number] = found
        return found

    def _forget(self) -> None:
        """Moves hang on their units, on where Germans are and on the bridge."""
        sit = self._sit
        stirred, calm = sit.stirred, sit.calm
        if stirred is None or not calm or calm is not self._calm or sit.bridge != "intact":
            self._known.clear()
        else:
            for unit in stirred:
                its = self._waiting.get(unit)
                if its:  # of them the next alone can be known
                    self._known.pop(its[0], None)
        sit.stirred = set()
        self._calm = sit.find_calm() if calm is None else calm

    def strike(self, number: int) -> Declared:
        """It is done now, or cannot be done any more."""
        item = self._declared[number]
        free, waiting = self.free, self._waiting
        self._left.remove(number)
        free.remove(number)
        units = item.units
        for unit in units:
            waiting[unit].popleft()
        for unit in units:
            its = waiting[unit]
            if not its:
                del waiting[unit]
            elif its[0] not in free and self._is_next(its[0]):
                insort(free, its[0])
        return item


def declared_movement(sit: Situation, carry_out: CarryOut) -> Script[None]:
    """Declare all movement and actions, then do them in any order. Rule: ST-HQU-03, ST-HQU-04."""
    yield note("Both HQ are lost: all movement and actions are declared first.", "ST-HQU-02")
    plan = _Plan(sit, (yield from _declare(sit)))
    while plan.free:
        number = plan.impossible()
        if number is not None:
            item = plan.strike(number)
            yield note(f"{_who(sit, item)} cannot {_what(sit, item)} any more.", "ST-HQU-03")
            continue
        ids = plan.ids()
        answer = yield _order_decision(sit, ids, plan.items())
        number = plan.free[ids.index(answer)]
        action = plan.possible(number)
        assert action
        yield from carry_out(sit, plan.strike(number).units, action)


def _order_decision(sit: Situation, ids: tuple[str, ...], items: Sequence[Declared]) -> Decision:
    return decide(
        "carry_out",
        "Which declared action is carried out next?",
        rule="ST-HQU-03",
        situation=sit,
        ids=ids,
        choices=items,
        build=lambda: [
            Option(id, f"{_who(sit, item)}: {_what(sit, item)}")
            for id, item in zip(ids, items, strict=True)
        ],
        default=ids[0],
    )


def possible(sit: Situation, item: Declared) -> Action | None:
    """The declared action as it can be done now, or None. Attacks on nobody are wasted.

    Rule: ST-HQU-03.
    """
    action = item.action
    if len(item.units) > 1:
        units = [sit.units[unit] for unit in item.units]
        if any(unit.status != "map" or unit.suppressed for unit in units):
            return None
        return _same(action, group_moves(sit, units))
    unit = sit.units[item.units[0]]
    found = _same(action, actions_like(sit, unit, action.kind))
    if found or action.kind not in ("grenade", "grenade-bunker"):
        return found
    if unit.suppressed or unit.status != "map":
        return None
    area = action.target
    reach = area == unit.area or (action.kind == "grenade" and area in sit.geo.solid[unit.area])
    if reach and unit.grenades and action.mp <= mp_left(sit, unit):
        return action
    return None


def _same(action: Action, legal: Sequence[Action]) -> Action | None:
    """The one of ``legal`` actions that is ``action``; it may cost other MP by now."""
    if action in legal:
        return action
    return next((each for each in legal if each.id == action.id), None)


def _who(sit: Situation, item: Declared) -> str:
    return names(sit.units[unit] for unit in item.units)


def _what(sit: Situation, item: Declared) -> str:
    return action_text(sit, sit.units[item.units[0]], item.action)


def _declare(sit: Situation) -> Script[list[Declared]]:
    """The plan, made on a copy where nothing goes wrong."""
    plan: list[Declared] = []
    shadow = shadow_of(sit)
    able = Able(shadow)
    shadow.stirred = set()
    while True:
        ids = (*able.units, *able.stacks, END)
        answer = yield decide(
            "declare",
            "Declare the actions of which unit?",
            rule="ST-HQU-02",
            widget="units",
            situation=shadow,
            ids=ids,
            build=partial(unit_options, shadow, ids),
            help="What is declared must be done; nothing else may be done.",
        )
        if answer == END:
            return plan
        if answer.startswith("stack "):
            yield from _declare_stack(shadow, plan, answer.removeprefix("stack "))
        else:
            if not choices(shadow, shadow.units[answer])[0]:
                able.rest(answer)
            yield from _declare_for(shadow, plan, (answer,))
        able.look()


def _declare_stack(shadow: Situation, plan: list[Declared], place: str) -> Script[None]:
    there = tuple(sorted(u.id for u in shadow.at(BRITISH, place) if may_act(shadow, u)))
    chosen = yield decide(
        "stack",
        f"Which units in {shadow.geo.text(area_of(place))} move together?",
        rule="ST-OPF-04",
        situation=shadow,
        ids=there,
        build=lambda: unit_options(shadow, there),
        kind="choose-some",
        least=2,
    )
    yield from _declare_for(shadow, plan, tuple(chosen))


def _declare_for(shadow: Situation, plan: list[Declared], units: tuple[str, ...]) -> Script[None]:
    """What some units will do, one action after the other."""
    while True:
        alike = len(units) == 1
        if alike:
            legal, ids = choices(shadow, shadow.units[units[0]])
        else:
            found = [shadow.units[unit] for unit in units]
            left = common_mp(shadow, found)
            alike = left is not None
            legal, ids = stack_choices(shadow, found, left)
        if not legal:
            return
        answer = yield decide(
            "declare_action",
            f"What will {names(shadow.units[unit] for unit in units)} do?",
            rule="ST-HQU-02",
            widget="actions",
            situation=shadow,
            ids=ids,
            choices=legal,
            pieces=units,
            build=partial(action_options, shadow, units, legal),
        )
        if answer == STOP:
            return
        action = legal[ids.index(answer)]
        imagine(shadow, units, action, alike)
        plan.append(Declared(units, action))


def shadow_of(sit: Situation) -> Situation:
    """A copy of the situation to plan on."""
    shadow = copy(sit)
    for name in _CHANGES:
        setattr(shadow, name, getattr(sit, name).copy())
    for name in _LISTS:
        setattr(shadow, name, {key: [*ids] for key, ids in getattr(sit, name).items()})
    shadow.pows = Pows(sit.pows.values(), shadow.hampered)
    shadow.positions = Positions(sit.positions.values())
    shadow.stirred = shadow.fires = None
    for place in sit.joined:  # in the order of the state, as after a look at it
        number = list(sit.units).index
        for there in (shadow.british, shadow.german):
            there.get(place, []).sort(key=number)
    shadow.joined = set()
    return shadow


_CHANGES: Final = (
    "at_crews", "carried_mg", "cleared", "control", "entered", "gliders", "hampered", "handled",
    "mg_bearers", "pow_moved", "shots", "slowed", "spent", "units", "vehicles", "weapons",
)  # fmt: skip
"""What a situation keeps in sets and dictionaries that are changed while a phase runs."""
_LISTS: Final = ("armed", "bearers", "british", "german")
"""What it keeps in lists by place or unit."""


def imagine(sit: Situation, units: tuple[str, ...], action: Action, alike: bool = False) -> None:
    """Do an action on the copy as if nothing came of it."""
    if action.kind in MOVES:
        go_together(sit, units, action, alike)
        return
    for id in units:
        unit = sit.units[id]
        sit.spent[id] = sit.spent.get(id, 0) + action.mp
        sit.stir(id)
        if action.kind in ("grenade", "grenade-bunker"):
            sit.change(id, grenades=unit.grenades - 1)
        elif action.kind == "gammon":
            bomb = sit.weapons_at(BRITISH, unit.place, "gammon")[0]
            left = bomb.charges - 1
            sit.change_weapon(bomb.id, charges=left, status="map" if left else "spent")
        elif action.kind == "clear-bunker":
            sit.cleared.add(unit.area)
        elif action.kind == "prepare-position":
            sit.positions[unit.area] = Position(area=unit.area, builder=id)
        elif action.target in sit.weapons:
            sit.handled.add((id, action.kind, action.target))
            hand_over(sit, action.target, id if action.kind == "take" else "")
        else:
            sit.handled.add((id, action.kind, action.target))
            sit.stir(sit.pows[action.target].escort)
            if action.kind == "take":
                sit.pows[action.target] = replace(sit.pows[action.target], escort=id)
            else:
                del sit.pows[action.target]
