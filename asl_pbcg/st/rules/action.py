"""One action of a British unit in its Movement Phase, and the MP for it. Rule: ST-MOV-01."""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple

from asl_pbcg.st.rules.situation import Situation
from asl_pbcg.st.rules.state import Unit

ActionKind = Literal[
    "move",
    "arrow",
    "enter-bunker",
    "leave-bunker",
    "grenade",
    "grenade-bunker",
    "gammon",
    "clear-bunker",
    "prepare-position",
    "take",
    "leave",
]


class Action(NamedTuple):
    """One thing a unit may do: what, to what, and the MP it costs; made by :func:`action`."""

    kind: ActionKind
    target: str
    mp: int
    id: str
    """How the action is named in an answer."""


@cache
def action(kind: ActionKind, target: str, mp: int) -> Action:
    """The action of this kind, target and cost; there are few, and each is made once."""
    return Action(kind, target, mp, f"{kind} {target}" if target else kind)


def allowance(sit: Situation, unit: Unit) -> int:
    """The MP of a British unit in this phase, with what it carries and guards.

    Rule: ST-MOV-01, ST-MOV-02, ST-MOV-04, ST-MOV-06, ST-POW-04, AMB-113.
    """
    n = sit.n
    mp = n.mp_wounded if unit.wounded else n.mp_british
    id = unit.id
    if id not in sit.hampered:
        return mp
    if id in sit.slowed or id in sit.pows.escorts:
        mp = min(mp, n.mp_escort)
    if id in sit.mg_bearers or id in sit.carried_mg:
        mp += n.mp_carrying_mg
    return mp


def mp_left(sit: Situation, unit: Unit) -> int:
    """The MP that ``unit`` has not spent. Rule: ST-MOV-27."""
    id = unit.id
    mp = allowance(sit, unit) if id in sit.hampered else sit.n.mp_british
    return mp - sit.spent.get(id, 0)
