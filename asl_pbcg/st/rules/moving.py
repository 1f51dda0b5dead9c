"""British units go from place to place and pay their MP. Rule: ST-MOV-08, ST-MOV-27."""

from __future__ import annotations

from typing import Final

from asl_pbcg.st.rules.actions import Action, common_mp, moves, mp_left
from asl_pbcg.st.rules.situation import Situation
from asl_pbcg.st.rules.state import Unit

STEPS: Final = frozenset({"move", "arrow"})
"""The moves from area to area."""


def go_together(
    sit: Situation, units: tuple[str, ...], action: Action, alike: bool = False
) -> bool:
    """Move units together, each for its own MP; see :func:`go`.

    ``alike``: it is known that all of them stand together and pay the same.
    """
    mp = action.mp
    if sit.stirred is not None:
        sit.stirred.update(units)
    if len(units) == 1:
        return go(sit, units[0], action, mp)
    alike = alike or common_mp(sit, [sit.units[id] for id in units]) is not None
    own = [mp if alike else _own_mp(sit, sit.units[id], action) for id in units]
    return [go(sit, id, action, each) for id, each in zip(units, own, strict=True)][-1]


def _own_mp(sit: Situation, unit: Unit, action: Action) -> int:
    """What the action costs this unit of a stack."""
    return next(each.mp for each in moves(sit, unit, mp_left(sit, unit)) if each.id == action.id)


def go(sit: Situation, unit: str, action: Action, mp: int) -> bool:
    """Move one unit for ``mp``; returns whether Germans may be near where it is now."""
    if action.kind in STEPS:
        return step(sit, unit, action.target, mp)
    sit.spent[unit] = sit.spent.get(unit, 0) + mp
    area = sit.units[unit].area
    sit.put_down(unit, area, action.kind == "enter-bunker")
    return area not in (sit.calm or sit.find_calm())


def step(sit: Situation, unit: str, area: str, mp: int) -> bool:
    """The same for a move from area to area.

    Whoever asks who can act now is to be told by :meth:`Situation.stir`.
    """
    spent = sit.spent
    spent[unit] = spent.get(unit, 0) + mp
    if unit in sit.hampered:
        _lead(sit, unit, mp)
    sit.march(unit, area)
    return area not in (sit.calm or sit.find_calm())


def _lead(sit: Situation, unit: str, mp: int) -> None:
    """An MG and POWs that go along slow ``unit`` down. Rule: ST-MOV-06, ST-POW-04, ST-POW-06."""
    if unit in sit.mg_bearers:
        sit.carried_mg.add(unit)
    for pow in sit.pows_of(unit):
        sit.pow_moved[pow.id] = sit.pow_moved.get(pow.id, 0) + mp
        sit.slowed[unit] = sit.n.mp_escort


def hand_over(sit: Situation, weapon: str, carrier: str) -> None:
    """``weapon`` goes to another carrier or to nobody: nobody else can do more or less now."""
    stirred = sit.stirred
    old = sit.weapons[weapon].carrier
    sit.change_weapon(weapon, carrier=carrier)
    sit.stirred = stirred
    for unit in (old, carrier):
        if unit:
            sit.stir(unit)
