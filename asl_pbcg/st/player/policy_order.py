"""In which order the automatic British player thinks of units and of what they may do."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import filterfalse

from asl_pbcg.st.rules.actions import MOVES, STOP
from asl_pbcg.st.rules.moving import STEPS
from asl_pbcg.st.rules.situation import Situation
from asl_pbcg.st.rules.state import Unit

Rank = tuple[bool, int, str]
"""Who acts first: whether it is a leader, by its SP (the most is the least number), its id."""
_IDLE = frozenset({"prepare-position", "leave", STOP})
"""What it never does, or if nothing is worth more."""


def rank_of(unit: Unit) -> Rank:
    """Strong units come first, then weak ones, then leaders."""
    return (unit.kind == "leader", unit.lost - unit.sp, unit.id)


def rank_all(units: Iterable[Unit]) -> list[Rank]:
    """The order in which ``units`` act."""
    return sorted(map(rank_of, units))


def foremost(sit: Situation, ids: Sequence[str], done: Container[str]) -> str:
    """Who goes first: strong units, then weak ones, leaders follow them; nobody if all are done."""
    units = sit.units
    left = list(filter(units.__contains__, filterfalse(done.__contains__, ids)))
    if len(left) < 2:
        return left[0] if left else ""
    found = map(units.__getitem__, left)
    return min(map(rank_of, found))[2]


@lru_cache(maxsize=2000)
def sorted_out(
    ids: Sequence[str],
) -> tuple[list[int], Mapping[str, int], list[int], list[tuple[int, str]]]:
    """Legal actions by their numbers: into or out of a bunker, steps by area, works, taking what.

    In this order they are listed, and what comes first is done of things worth the same.
    """
    bunker: list[int] = []
    steps: dict[str, int] = {}
    works: list[int] = []
    takes: list[tuple[int, str]] = []
    for number, id in enumerate(ids):
        kind, _, target = id.partition(" ")
        if kind in STEPS:
            steps[target] = number
        elif kind in MOVES:
            bunker.append(number)
        elif kind == "take":
            takes.append((number, target))
        elif kind not in _IDLE:
            works.append(number)
    return bunker, steps, works, takes
