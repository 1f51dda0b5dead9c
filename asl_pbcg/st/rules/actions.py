"""The legal actions of a British unit in its Movement Phase, with their MP. Rule: ST-SEQ-04.

Everything a unit may do is listed here (what is no move in ``deeds.py``) and nowhere else;
``british_movement.py`` carries it out.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import Final, NamedTuple

from asl_pbcg.st.rules.action import Action, ActionKind, action, allowance, mp_left
from asl_pbcg.st.rules.deeds import attacks, loads, works
from asl_pbcg.st.rules.rules import Rules
from asl_pbcg.st.rules.situation import Situation
from asl_pbcg.st.rules.state import Unit
from asl_pbcg.st.terms import BRITISH, COMBAT_KINDS, GERMAN

__all__ = [
    "MOVES", "STOP", "Action", "ActionKind", "Choices", "action", "actions", "actions_like",
    "allowance", "bridge_step", "choices", "choices_after_step", "common_mp", "every_action",
    "every_move", "ferry_works", "goes_freely", "group_moves", "may_act", "moves", "mp_for_pows",
    "mp_left", "stack_choices", "with_names",
]  # fmt: skip


def may_act(sit: Situation, unit: Unit) -> bool:
    """Whether ``unit`` can do anything at all now; a suppressed one cannot. Rule: ST-SUP-02."""
    id = unit.id
    if id not in sit.hampered:
        return sit.spent.get(id, 0) < sit.n.mp_british
    if unit.suppressed:
        return False
    # Nobody has less than 1 MP.
    return unit.inside or not sit.spent.get(id) or mp_left(sit, unit) > 0


def actions(sit: Situation, unit: Unit) -> list[Action]:
    """Every legal action of ``unit`` now, in a fixed order."""
    if unit.suppressed or unit.status != "map":
        return []
    return list(choices(sit, unit)[0])


STOP = "stop"
"""The answer that ends the actions of a unit for now."""


Choices = tuple[Sequence[Action], Sequence[str]]
"""What a unit may do now, and the answers: how each is named, and :data:`STOP`."""


NOTHING: Choices = ((), (STOP,))


_NAME: Final = itemgetter(Action._fields.index("id"))


def with_names(legal: Sequence[Action]) -> Choices:
    """The legal actions with their names."""
    if not legal:
        return NOTHING
    return legal, (*map(_NAME, legal), STOP)


def choices(sit: Situation, unit: Unit) -> Choices:
    """Every legal action of a ``unit`` on the map that is not suppressed, with its name.

    Where nothing hinders it and no German is near, area and MP alone say what it may do.
    """
    id, area = unit.id, unit.area
    found: Choices | None
    if id in sit.hampered or (sit.bridge != "intact" and area in sit.rules.at_bridge):
        found = _hampered_choices(sit, unit)
    else:
        spent = sit.spent.get(id, 0)
        if area in (sit.calm or sit.find_calm()):
            # Only a unit that has spent no MP has work to do in the open.
            works = not spent and area not in sit.positions and unit.kind in COMBAT_KINDS
            key = (area, spent, works)
            known: dict[tuple[str, int, bool], Choices] = sit.rules.free_choices
            found = known.get(key)
            if found is None:
                found = known[key] = with_names(_deeds(sit, unit, sit.n.mp_british - spent))
        else:
            found = with_names(_deeds(sit, unit, sit.n.mp_british - spent))
    if (
        area in sit.armed or unit.inside or (sit.pows and sit.pows_in(area))
    ) and unit.kind in COMBAT_KINDS:
        carried = loads(sit, unit)
        if carried:
            return with_names((*found[0], *carried))
    return found


def _hampered_choices(sit: Situation, unit: Unit) -> Choices:
    """The same, loads apart, for one who may be hampered: MP it has less are as if spent."""
    id, area, inside = unit.id, unit.area, unit.inside
    left = mp_left(sit, unit)
    if (
        left <= 0
        or area not in (sit.calm or sit.find_calm())
        or not (inside or (goes_freely(sit, unit) and id not in sit.pows.escorts))
    ):
        return with_names(_deeds(sit, unit, left))
    works = unit.kind in COMBAT_KINDS and (
        area not in sit.cleared if inside else not sit.spent.get(id) and area not in sit.positions
    )
    key = (sit.rules.bunker_in[area] if inside else area, sit.n.mp_british - left, works)
    known: dict[tuple[str, int, bool], Choices] = sit.rules.free_choices
    found = known.get(key)
    if found is None:
        found = known[key] = with_names(_deeds(sit, unit, left))
    return found


def choices_after_step(sit: Situation, unit: Unit) -> Choices:
    """The same as :func:`choices` for a ``unit`` that has just made a step with no German near: it
    has paid MP, is in the open and not engaged.
    """
    id, area = unit.id, unit.area
    if not (
        id in sit.hampered
        or area in sit.armed
        or (sit.pows and sit.pows_in(area))
        or (sit.bridge != "intact" and area in sit.rules.at_bridge)
    ):
        known: dict[tuple[str, int, bool], Choices] = sit.rules.free_choices
        found = known.get((area, sit.spent[id], False))
        if found is not None:
            return found
    return choices(sit, unit)


def _deeds(sit: Situation, unit: Unit, left: int) -> list[Action]:
    """What costs MP, worked out."""
    found: list[Action] = []
    if left >= 0:
        found += moves(sit, unit, left)
        if left > 0 and unit.kind in COMBAT_KINDS:
            found += attacks(sit, unit, left)
            found += works(sit, unit, left)
    return found


def every_action(sit: Situation, unit: Unit, left: int) -> list[Action]:
    """Every legal action with ``left`` MP, worked out."""
    found = _deeds(sit, unit, left)
    if unit.kind in COMBAT_KINDS:
        found += loads(sit, unit)
    return found


def goes_freely(sit: Situation, unit: Unit) -> bool:
    """Whether MP, area and the Germans near it alone say where ``unit`` may go.

    It stands in the open, free to go, and not at a bridge that is damaged.
    """
    return (
        not unit.inside
        and (sit.bridge == "intact" or unit.area not in sit.rules.at_bridge)
        and unit.engaged < sit.turn
    )


MOST_MOVES: Final = 600
"""Surroundings whose moves are remembered at most under one set of rules; memory stays flat."""
MOVES = frozenset({"move", "arrow", "enter-bunker", "leave-bunker"})


def actions_like(sit: Situation, unit: Unit, kind: ActionKind) -> Sequence[Action]:
    """The legal actions of ``unit`` of the sort that ``kind`` belongs to."""
    if unit.suppressed or unit.status != "map":
        return ()
    left = mp_left(sit, unit)
    if kind in MOVES:
        return moves(sit, unit, left) if left >= 0 else ()
    if not unit.combat:
        return ()
    if kind in ("take", "leave"):
        return loads(sit, unit)
    if left <= 0:
        return ()
    if kind in ("clear-bunker", "prepare-position"):
        return works(sit, unit, left)
    return attacks(sit, unit, left)


# -- moving -----------------------------------------------------------------------------


def moves(sit: Situation, unit: Unit, left: int) -> Sequence[Action]:
    """Every legal move of ``unit`` with ``left`` MP. Rule: ST-MOV-08 to ST-MOV-21."""
    if left <= 0 and not unit.inside:
        return ()
    if unit.id in sit.hampered:
        return _hampered_moves(sit, unit, left)
    if sit.bridge != "intact" and unit.area in sit.rules.at_bridge:
        return every_move(sit, unit, left)
    return _free_moves(sit, unit, left)[0]


def _hampered_moves(sit: Situation, unit: Unit, left: int) -> Sequence[Action]:
    """The same for one who may be hampered."""
    if left <= 0 or not goes_freely(sit, unit):
        return every_move(sit, unit, left)
    if unit.id in sit.pows.escorts:
        most = mp_for_pows(sit, unit)
        if most < left:
            if most < sit.n.cost_enter_bunker:
                return every_move(sit, unit, left)
            left = most
    return _free_moves(sit, unit, left)[0]


def _free_moves(sit: Situation, unit: Unit, left: int) -> Choices:
    """The moves of a ``unit`` that nothing hinders: Germans near it alone make a difference."""
    rules, area = sit.rules, unit.area
    walks: Walks = rules.walks.get((area, left)) or _walks(rules, area, left)
    key = (area, left, walks.matter.intersection(sit.german))
    found: Choices | None = rules.free_moves.get(key)
    if found is None:
        if len(rules.free_moves) >= MOST_MOVES:
            rules.free_moves.clear()
        found = rules.free_moves[key] = with_names(tuple(every_move(sit, unit, left)))
    return found


def every_move(sit: Situation, unit: Unit, left: int) -> list[Action]:
    """The same, worked out."""
    n = sit.n
    area = unit.area
    found: list[Action] = []
    if unit.inside:
        mp = n.cost_leave_bunker_enemy if area in sit.german else n.cost_leave_bunker
        if mp <= left:
            found.append(action("leave-bunker", "", mp))
        return found
    if left <= 0:
        return found
    if (
        area in sit.geo.has_bunker
        and n.cost_enter_bunker <= left
        and sit.rules.bunker_in[area] not in sit.german
    ):
        found.append(action("enter-bunker", "", n.cost_enter_bunker))
    if unit.engaged >= sit.turn:
        return found
    if unit.id in sit.pows.escorts:
        left = min(left, mp_for_pows(sit, unit))
    if sit.bridge != "intact" and area in sit.rules.at_bridge:
        return found + _moves_at_bridge(sit, unit, left)
    german = sit.german
    for there, bunker, move, dear in _walks(sit.rules, area, left).steps:
        if there not in german and bunker not in german:
            found.append(move)
        elif dear.mp <= left:
            found.append(dear)
    if area in sit.geo.flight:
        found += _glides(sit, area, left)
    return found


def mp_for_pows(sit: Situation, unit: Unit) -> int:
    """The MP that the POWs of ``unit`` have left, to go to another area.

    A POW may be handed over, but never moves more than its 2 MP a turn. Rule: ST-POW-06.
    """
    moved = [sit.pow_moved.get(pow.id, 0) for pow in sit.pows_of(unit.id)]
    return sit.n.mp_escort - max(moved)


def _glides(sit: Situation, area: str, left: int) -> list[Action]:
    """The moves along an arrow out of a flight area. Rule: ST-MOV-11."""
    found: list[Action] = []
    if sit.settings.flight_area_exit == "arrows":
        for there in sit.geo.arrows[area]:
            extra = sit.n.cost_enemy_occupied if sit.is_occupied(GERMAN, there) else 0
            mp = sit.n.cost_arrow + extra
            if mp <= left and there not in sit.geo.solid[area]:
                found.append(action("arrow", there, mp))
    return found


class Walks(NamedTuple):
    """The steps out of an area that so many MP suffice for."""

    steps: tuple[tuple[str, str, Action, Action], ...]
    """Where each leads, the bunker there, the move alone and toward enemies."""
    matter: frozenset[str]
    """The places where a German makes a difference to who moves out of the area."""


def _walks(rules: Rules, area: str, left: int) -> Walks:
    """The steps from ``area`` with ``left`` MP."""
    found: Walks | None = rules.walks.get((area, left))
    if found is None:
        extra = rules.n.cost_enemy_occupied
        bunker_in = rules.bunker_in
        steps = tuple(
            (there, bunker_in[there], action("move", there, mp), action("move", there, mp + extra))
            for there, mp in rules.geo.steps[area]
            if mp <= left
        )
        ways = (*(step[0] for step in steps), *rules.geo.arrows[area])
        inside = bunker_in[area]
        matter = frozenset((inside, *ways, *(bunker_in[there] for there in ways)))
        found = rules.walks[area, left] = Walks(steps, matter)
    return found


def _moves_at_bridge(sit: Situation, unit: Unit, left: int) -> list[Action]:
    """The moves onto, off and beside Pegasus Bridge while it is damaged or destroyed."""
    found: list[Action] = []
    area, pegasus = unit.area, sit.geo.pegasus
    for there, mp in sit.geo.steps[area]:
        if pegasus in (there, area):
            step = bridge_step(sit, unit, there, mp, left)
        else:
            step = mp + (sit.n.cost_enemy_occupied if sit.is_occupied(GERMAN, there) else 0)
        if step is not None and step <= left:
            found.append(action("move", there, step))
    return found


def ferry_works(sit: Situation) -> bool:
    """Whether a sapper stays on the bridge since an earlier turn. Rule: ST-SAP-07."""
    return any(
        unit.kind == "sapper" and unit.came < sit.turn for unit in sit.at(BRITISH, sit.geo.pegasus)
    )


def bridge_step(sit: Situation, unit: Unit, there: str, mp: int, left: int) -> int | None:
    """MP for a step onto or off Pegasus Bridge while it is damaged or destroyed, or None.

    Rule: ST-DEM-09, ST-DEM-12, ST-SAP-06, ST-SAP-07, AMB-112.
    """
    extra = sit.n.cost_enemy_occupied if sit.is_occupied(GERMAN, there) else 0
    pegasus = sit.geo.pegasus
    if there != pegasus:
        if sit.bridge == "destroyed" and unit.bank and sit.bank_of(there) != unit.bank:
            crossed = unit.kind != "sapper" and ferry_works(sit)
            return mp + extra if crossed else None
        return mp + extra
    if sit.bridge == "damaged":
        if unit.kind == "sapper":
            return max(left, mp + extra)
        return mp + extra
    if unit.kind == "sapper":
        return max(left, mp + extra)
    if ferry_works(sit):
        return sit.n.cost_ferry + extra
    return None


# -- stacks -----------------------------------------------------------------------------


def common_mp(sit: Situation, units: Sequence[Unit]) -> int | None:
    """The least MP left to one of ``units``, if nothing else tells them apart: most stacks have
    just come together and march on. They can make the moves that so many MP suffice for then, all
    of them for the same MP.
    """
    area, n, spent, hampered = units[0].area, sit.n, sit.spent, sit.hampered
    if sit.bridge != "intact" and area in sit.rules.at_bridge:
        return None
    least = most = n.mp_british
    for unit in units:
        id = unit.id
        if unit.area != area:
            return None
        if id in hampered:
            if unit.inside or unit.engaged >= sit.turn or id in sit.pows.escorts:
                return None
            left = mp_left(sit, unit)
        else:
            left = most - spent.get(id, 0)
        if left < least:
            least = left
    return least


def stack_choices(sit: Situation, units: Sequence[Unit], left: int | None) -> Choices:
    """The moves that all of ``units`` can make together, at the cost of the dearest; ``left`` as
    :func:`common_mp` says.
    """
    if left is not None:
        return _free_moves(sit, units[0], left) if left > 0 else NOTHING
    each = [{move.id: move for move in moves(sit, unit, mp_left(sit, unit))} for unit in units]
    shared = set(each[0]).intersection(*each[1:])
    return with_names(
        [
            action(move.kind, move.target, max([other[id].mp for other in each]))
            for id, move in each[0].items()
            if id in shared
        ]
    )


def group_moves(sit: Situation, units: Sequence[Unit]) -> Sequence[Action]:
    """The moves alone, whatever ``units`` have left."""
    return stack_choices(sit, units, common_mp(sit, units))[0]
