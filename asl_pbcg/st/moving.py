"""British units go from place to place and pay their MP. Rule: ST-MOV-08, ST-MOV-27."""

from __future__ import annotations

from typing import Final

from asl_pbcg.st.actions import Action, common_mp, moves, mp_left
from asl_pbcg.st.situation import Situation
from asl_pbcg.st.state import Unit

STEPS: Final = frozenset({"move", "arrow"})
"""The moves from area to area."""


def go_together(
    sit: Situation, units: tuple[str, ...], action: Action, alike: bool = False
) -> bool:
    """Move units together, each for its own MP; see :func:`go`.

    ``alike``: it is known that all of them pay the same.
    """
    if sit.stirred is not None:
        sit.stirred.update(units)
    if len(units) == 1:
        return go(sit, units[0], action, action.mp)
    if alike or common_mp(sit, [sit.units[id] for id in units]) is not None:
        return _go_alike(sit, units, action)
    seen = False
    own = [_own_mp(sit, sit.units[id], action) for id in units]
    for id, mp in zip(units, own, strict=True):
        seen = go(sit, id, action, mp)
    return seen


def _own_mp(sit: Situation, unit: Unit, action: Action) -> int:
    """What the action costs this unit of a stack."""
    return next(each.mp for each in moves(sit, unit, mp_left(sit, unit)) if each.id == action.id)


def _go_alike(sit: Situation, units: tuple[str, ...], action: Action) -> bool:
    """Units that stand together, with nothing to tell them apart, go for the same MP."""
    mp = action.mp
    if action.kind not in STEPS:
        return [go(sit, unit, action, mp) for unit in units][-1]
    spent = sit.spent
    for unit in units:
        spent[unit] = spent.get(unit, 0) + mp
    sit.march_together(units, action.target)
    return action.target not in (sit.calm or sit.find_calm())


def go(sit: Situation, unit: str, action: Action, mp: int) -> bool:
    """Move one unit for ``mp``; returns whether Germans may be near where it is now.

    Whoever asks who can act now is to be told by :meth:`Situation.stir`.
    """
    spent = sit.spent
    spent[unit] = spent.get(unit, 0) + mp
    if action.kind in STEPS:
        area = action.target
        if unit in sit.hampered:
            _lead(sit, unit, mp)
        sit.march(unit, area)
    else:
        area = sit.units[unit].area
        sit.put(unit, area, inside=action.kind == "enter-bunker")
    calm = sit.calm
    if calm is None:
        calm = sit.find_calm()
    return area not in calm


def _lead(sit: Situation, unit: str, mp: int) -> None:
    """An MG and POWs that go along slow ``unit`` down. Rule: ST-MOV-06, ST-POW-04, ST-POW-06."""
    if unit in sit.mg_bearers:
        sit.carried_mg.add(unit)
    sit.pows.places = None
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
