"""Exact distributions: a script run once for every way its dice can fall."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any, TypeVar

import msgspec

from asl_pbcg.kernel.dice import DiceSpec
from asl_pbcg.kernel.prompts import Note, Prompt, Roll, Script
from asl_pbcg.kernel.tables import Rolled

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Thrown:
    """The answers to a prompt that asks what dice of the players say, each with its chance."""

    chances: Mapping[Any, Fraction]


def distribution(
    start: Callable[[], Script[T]],
    settled: Callable[[T], K],
    answer: Callable[[Prompt], Any],
) -> dict[K, Fraction]:
    """Return the exact chance of everything that the script ``start`` begins can come to.

    ``settled`` says what of its result counts; ``answer`` answers its prompts, with ``Thrown``
    where dice decide. The script is run again for each way its dice can fall, so it must begin
    from the same state each time.
    """
    found: dict[K, Fraction] = {}
    waiting: list[tuple[tuple[Any, ...], Fraction]] = [((), Fraction(1))]
    while waiting:
        given, chance = waiting.pop()
        script, left = start(), iter(given)
        try:
            asked, sent = next(script), None
            while True:
                falls = None if isinstance(asked, Note) else _falls(asked, answer)
                sent = falls
                if isinstance(falls, Iterator):
                    sent = next(left, None)
                    if sent is None:
                        waiting += [((*given, each), chance * part) for each, part in falls]
                        script.close()
                        break
                asked = script.send(sent)
        except StopIteration as finished:
            key = settled(finished.value)
            found[key] = found.get(key, Fraction(0)) + chance
    return found


def _falls(asked: Roll | Prompt, answer: Callable[[Prompt], Any]) -> Any:
    """Go through the ways that dice can settle ``asked``, with chances; else the one answer."""
    if isinstance(asked, Roll):
        return ways(asked)
    given = answer(asked)
    if isinstance(given, Thrown):
        return ((asked.check(each), part) for each, part in given.chances.items() if part)
    return asked.check(given)


def ways(roll: Roll) -> Iterator[tuple[Rolled, Fraction]]:
    """Every way ``roll`` can be resolved, one throw for all that come to the same, and its chance.

    On a table the row counts, else the total.
    """
    throws, outcomes = _throws(roll.spec)
    alike: dict[bytes, tuple[Rolled, int]] = {}
    for faces, count in throws:
        rolled = roll.resolve(faces)
        key = msgspec.json.encode([rolled.result, rolled.facts], order="deterministic")
        kept, before = alike.get(key, (rolled, 0))
        alike[key] = kept, before + count
    for rolled, count in alike.values():
        yield rolled, Fraction(count, outcomes)


@lru_cache(maxsize=32)
def _throws(spec: DiceSpec) -> tuple[list[tuple[tuple[int, ...], int]], int]:
    """A throw for each total and how many throws come to it; how many throws there are."""
    found: dict[int, tuple[tuple[int, ...], int]] = {}
    for faces in product(range(1, spec.sides + 1), repeat=spec.count):
        first, count = found.get(sum(faces), (faces, 0))
        found[sum(faces)] = first, count + 1
    return list(found.values()), spec.sides**spec.count


def together(one: dict[T, Fraction], other: dict[T, Fraction], add: Callable[[T, T], T]) -> Any:
    """The distribution of two that do not depend on each other; ``add`` puts results together."""
    found: dict[T, Fraction] = {}
    for first, part in one.items():
        for second, share in other.items():
            key = add(first, second)
            found[key] = found.get(key, Fraction(0)) + part * share
    return found
