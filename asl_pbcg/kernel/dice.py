"""Dice: what is thrown, and the sources that throw. Randomness is always injected."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, Self, runtime_checkable

import msgspec

from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError

_SPEC = re.compile(r"(\d*)d(\d+)")


class DiceSpec(msgspec.Struct, frozen=True):
    """How many dice of how many sides: a DR is ``2d6``, a dr is ``1d6``."""

    count: int
    sides: int

    @classmethod
    def parse(cls, text: str) -> DiceSpec:
        """Read ``"2d6"``; raises PBCGError for anything that is not a dice."""
        match = _SPEC.fullmatch(text.strip().lower())
        if not match or not (1 <= int(match[1] or 1) <= 20 and 2 <= int(match[2]) <= 1000):
            raise PBCGError(f'"{text}" is not a dice: write 2d6 for two dice of six sides.')
        return cls(int(match[1] or 1), int(match[2]))

    def __str__(self) -> str:
        return f"{self.count}d{self.sides}"

    @property
    def name(self) -> str:
        """DR for two six-sided dice, dr for one, else the dice."""
        return {"2d6": "DR", "1d6": "dr"}.get(str(self), str(self))

    def check(self, faces: Iterable[int]) -> tuple[int, ...]:
        """Settle that ``faces`` can lie on these dice; raises IllegalAnswer if not."""
        found = tuple(faces)
        if len(found) != self.count:
            raise IllegalAnswer(
                f"{self} needs {self.count} dice, not {len(found)}: "
                f"type {'one number' if self.count == 1 else f'{self.count} numbers'}."
            )
        for face in found:
            if not 1 <= face <= self.sides:
                raise IllegalAnswer(f"A die cannot show {face}: it shows 1 to {self.sides}.")
        return found

    def read(self, typed: str) -> tuple[int, ...]:
        """Read dice as players type them: ``3 4``, ``3,4``, ``3+4`` or, below ten, ``34``."""
        faces = self._faces(typed)
        return self.check(faces)

    def read_row(self, typed: str) -> list[tuple[int, ...]]:
        """Read several throws typed in a row: ``3 4 6 1`` is two throws of two dice."""
        faces = self._faces(typed)
        if len(faces) % self.count:
            return [self.check(faces)]
        return [
            self.check(faces[start : start + self.count])
            for start in range(0, len(faces), self.count)
        ]

    def _faces(self, typed: str) -> list[int]:
        text = typed.strip()
        if re.fullmatch(r"\d+", text) and len(text) == self.count > 1 and self.sides < 10:
            return [int(digit) for digit in text]
        parts = [part for part in re.split(r"[\s,;+]+", text) if part]
        if not parts or not all(re.fullmatch(r"\d{1,4}", part) for part in parts):
            example = " ".join(str(min(3 + n, self.sides)) for n in range(self.count))
            raise IllegalAnswer(f'"{typed}" is not a throw of {self}: type for example {example}.')
        return [int(part) for part in parts]


class Dice(Protocol):
    """A source of dice. ``number`` counts the rolls of a game from 0, undone ones left out."""

    def throw(self, spec: DiceSpec, number: int, reason: str) -> tuple[int, ...]:
        """Throw ``spec``; ``reason`` says to people what the roll is for."""
        ...


@runtime_checkable
class SituationDice(Protocol):
    """A campaign's own program dice: they know the situation in which they are thrown."""

    def throw(self, spec: DiceSpec, number: int, reason: str) -> tuple[int, ...]:
        """Throw ``number`` times the dice of ``spec`` for ``reason``."""
        ...

    def throw_in(self, spec: DiceSpec, situation: bytes, about: str) -> tuple[int, ...]:
        """Throw in a situation (the hash of what stands in the journal) for ``about``."""
        ...


class EntropyDice:
    """Program dice from the system's entropy at the moment of the roll: nobody can foresee them."""

    def throw(self, spec: DiceSpec, number: int, reason: str) -> tuple[int, ...]:
        """Throw; nothing said plays a part."""

        import secrets

        return tuple(secrets.randbelow(spec.sides) + 1 for _ in range(spec.count))

    def throw_in(self, spec: DiceSpec, situation: bytes, about: str) -> tuple[int, ...]:
        """Throw; nothing said plays a part."""
        return self.throw(spec, 0, about)


class KeyedDice(msgspec.Struct, frozen=True):
    """Dice of a seed, for tests, automatic play and challenges.

    They come from HMAC-SHA256 under the seed of the situation and what is rolled for, so no two
    ways through a game share their dice. Whoever knows the seed can foresee them.
    """

    seed: int | str

    def throw(self, spec: DiceSpec, number: int, reason: str) -> tuple[int, ...]:
        """Throw outside of a journal: by number and reason."""
        return self.throw_in(spec, b"", f"{number} {reason}")

    def throw_in(self, spec: DiceSpec, situation: bytes, about: str) -> tuple[int, ...]:
        """Throw by the seed, the situation and ``about``.

        Block n of the key stream is HMAC(seed, situation, about, n). A die takes two bytes of it,
        as a number; one at or above the last whole multiple of its sides is thrown away, so that
        all faces are equally likely.
        """
        stream = _key_stream(str(self.seed).encode(), situation + about.encode("utf-8", "replace"))
        limit = 65536 - 65536 % spec.sides
        faces: list[int] = []
        while len(faces) < spec.count:
            number = next(stream) * 256 + next(stream)
            if number < limit:
                faces.append(number % spec.sides + 1)
        return tuple(faces)


def _key_stream(key: bytes, message: bytes) -> Iterator[int]:
    block = 0
    while True:
        import hmac

        yield from hmac.digest(key, message + block.to_bytes(4, "big"), "sha256")
        block += 1


class SeededDice(msgspec.Struct, frozen=True):
    """Fast dice for simulation without a journal: roll ``number`` of a seed is always the same."""

    seed: int | str

    def throw(self, spec: DiceSpec, number: int, reason: str) -> tuple[int, ...]:
        """Throw by the seed and the roll's number; ``reason`` plays no part."""
        source = random.Random(f"{self.seed}/{number}")
        # Only random() is promised to be the same in every Python version.
        return tuple(int(source.random() * spec.sides) + 1 for _ in range(spec.count))


class TypedDice:
    """Real dice: ``ask(question)`` brings back what a player typed, until it can be a throw.

    Several throws may be typed in a row; the rest serve the next throws of such dice.
    """

    def __init__(self, ask: Callable[[str], str], complain: Callable[[str], None]) -> None:
        self._ask = ask
        self._complain = complain
        self._row: list[tuple[int, ...]] = []
        self._spec: DiceSpec | None = None

    def throw(self, spec: DiceSpec, number: int, reason: str) -> tuple[int, ...]:
        """Return the next throw of the row, or ask for one and read it."""
        if spec != self._spec:
            self.finish()
        while not self._row:
            try:
                self._row = spec.read_row(self._ask(f"{reason}: throw {spec} and type it"))
                self._spec = spec
            except IllegalAnswer as error:
                self._complain(str(error))
        return self._row.pop(0)

    def finish(self) -> None:
        """Say that throws typed in a row were too many."""
        if self._row:
            self._complain(too_many(sum(map(len, self._row))))
            self._row = []


def too_many(dice: int) -> str:
    """Return the sentence on ``dice`` that were typed and not used."""
    return f"{dice} of the dice typed {'was' if dice == 1 else 'were'} too many and not used."


class ListedDice:
    """Dice read from a list or file, in order; for tests, logs and replays."""

    def __init__(self, throws: Iterable[Iterable[int]], source: str = "the list of dice") -> None:
        self._throws: Iterator[tuple[int, ...]] = iter([tuple(faces) for faces in throws])
        self._source = source
        self._used = 0

    @classmethod
    def read(cls, text: str, source: str) -> Self:
        """Read dice as players type them, one for each roll: ``3,4,6`` or ``3 4 6``."""
        parts = [part for part in re.split(r"[\s,;+]+", text.strip()) if part]
        if not parts or not all(re.fullmatch(r"\d{1,4}", part) for part in parts):
            raise PBCGError(
                f'{source} "{text[:60]}": write dice in the order they are thrown, 3,4,6.'
            )
        return cls([[int(part)] for part in parts], source)

    def finish(self) -> None:
        """Check that no throw is left over. Raises PBCGError."""
        over = len(list(self._throws))
        if over:
            dice = "one die is" if over == 1 else f"{over} dice are"
            rolls = f"{self._used} roll{'s' * (self._used != 1)}"
            raise PBCGError(f"{self._source}: {dice} left over, there were {rolls}.")

    def throw(self, spec: DiceSpec, number: int, reason: str) -> tuple[int, ...]:
        """Take the next throw; raises PBCGError when there is none or it does not fit."""
        faces = next(self._throws, None)
        if faces is None:
            raise PBCGError(f"{self._source} has no dice left for: {reason} ({spec}).")
        self._used += 1
        try:
            return spec.check(faces)
        except IllegalAnswer as error:
            raise PBCGError(f"{self._source}, for {reason}: {error}") from error
