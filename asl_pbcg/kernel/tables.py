"""Roll tables: rows, results and modifiers are data; code says which circumstances hold.

A table explains every roll it resolves and knows its exact odds. Tables stand in the
``tables.yaml`` of a game's data folder; the format is described in ``docs/players/formats.md``.
"""

from __future__ import annotations

import fractions
import re
from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from itertools import product
from math import inf
from typing import Any, Final

import msgspec

from asl_pbcg.kernel.dice import DiceSpec
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.slow_libraries import icepool

Given = Mapping[str, int | bool | str]


def circumstances(**facts: int | bool | str) -> Given:
    """Return the circumstances of a roll: those of ``facts`` that are not false."""
    return {name: fact for name, fact in facts.items() if fact is not False}


class DRM(msgspec.Struct, frozen=True):
    """One modifier that applied: its name, its value, why, and the rule that gives it."""

    name: str
    value: int
    why: str
    rule: str


class Rolled(msgspec.Struct, frozen=True, kw_only=True):
    """A resolved roll: the dice, each DRM, Final and result."""

    table: str
    rule: str
    dice: tuple[int, ...]
    original: int
    drm: tuple[DRM, ...] = ()
    final: int
    result: str
    says: str = ""
    facts: dict[str, Any] = {}

    @property
    def total_drm(self) -> int:
        """Return the sum of all modifiers."""
        return sum(drm.value for drm in self.drm)

    def __str__(self) -> str:
        thrown = "+".join(str(face) for face in self.dice)
        parts = [f"{thrown}={self.original}" if len(self.dice) > 1 else str(self.original)]
        parts += [f"{drm.value:+d} {drm.why} ({drm.rule})" for drm in self.drm]
        if self.drm:
            parts.append(f"Final {self.final}")
        return f"{', '.join(parts)}: {self.says or self.result}"


class Modifier(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A modifier of a table: a flag, a count of something, or a number taken as it is.

    ``value`` counts once; with ``per`` it counts for each one ``above`` so many; ``each_full``
    counts full groups only; ``by`` gives the value for each number; ``value: given`` takes the
    number itself (a Leader's DRM), times ``times``. ``least`` and ``most`` bound what is counted.
    ``short`` is ``why`` in few words, where options have no room for it.
    """

    why: str
    short: str = ""
    value: int | str = 0
    rule: str = ""
    per: str = ""
    above: int = 0
    each_full: int = 1
    by: dict[int, int] = {}
    times: int = 1
    least: int | None = None
    most: int | None = None

    def refusal(self, number: int) -> str:
        """Say what the number must be instead; empty if it can be."""
        if self.by:
            legal = " or ".join(map(str, self.by))
            return "" if number in (0, *self.by) else legal
        least = 0 if self.per and self.least is None else self.least
        return _out_of(least, self.most, number)

    @property
    def counts(self) -> bool:
        """Return whether the circumstance is a number and no mere fact."""
        return bool(self.per or self.by) or self.value == "given"

    def of(self, given: int | bool) -> int:
        """Return the modifier for the circumstance ``given``."""
        number = int(given)
        if self.by:
            return self.by.get(number, 0)
        if isinstance(self.value, str):
            return number * self.times
        if self.per:
            return self.value * (max(0, number - self.above) // self.each_full)
        return self.value if number else 0

    @property
    def words(self) -> str:
        """Return the modifier as a list of tables shows it, for example ``+1 per PP above IPC``."""
        if self.by:
            return ", ".join(f"{value:+d} if {number}" for number, value in self.by.items())
        if isinstance(self.value, str):
            return "its value" if self.times == 1 else "minus its value"
        return f"{self.value:+d}" + (f" per {self.per}" if self.per else "")


class Need(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A number that a table cannot be rolled on without, and its bounds."""

    what: str
    least: int | None = None
    most: int | None = None


def _out_of(least: int | None, most: int | None, number: int) -> str:
    """Return the bounds in words if the number lies outside."""
    if (least is None or number >= least) and (most is None or number <= most):
        return ""
    if most is None:
        return f"{least} or more"
    return f"{most} or less" if least is None else f"{least} to {most}"


class ResultRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row: the Finals it covers (``at``, or ``from`` and ``to``) and what comes of them.

    A bound may name a needed circumstance, as in ``to: number`` or ``from: number+1``. A row with
    ``original`` goes before all others: it holds for that Original roll whatever the Final.
    ``short`` is ``says`` in few words, where options have no room for it. ``record`` is what a
    service record says of it, None for ``says``; ``told`` is there where what becomes of a piece
    tells the outcome already, and holds what is to be said besides.
    """

    original: int | None = None
    at: int | None = None
    start: int | str | None = msgspec.field(name="from", default=None)
    to: int | str | None = None
    result: str = ""
    results: tuple[str, ...] = ()
    says: str = ""
    short: str = ""
    record: str | None = None
    told: str | None = None
    facts: dict[str, Any] = {}
    notes: tuple[str, ...] = ()

    @property
    def recorded(self) -> str:
        """The outcome as a service record says it."""
        return (self.says or self.result) if self.record is None else self.record

    def covers(self, final: int, given: Given) -> bool:
        """Return whether ``final`` falls in this row; an Original never does."""
        if self.original is not None:
            return False
        low, high = self.bounds(given)
        return (low is None or final >= low) and (high is None or final <= high)

    def bounds(self, given: Given) -> tuple[int | None, int | None]:
        """Return the lowest and the highest Final of the row; None is any."""
        if self.at is not None:
            return self.at, self.at
        return _limit(self.start, given), _limit(self.to, given)

    def fill(self, given: Given) -> ResultRow:
        """Give the row with the needed numbers of ``given`` in its bounds."""
        low, high = self.bounds(given)
        return self if self.at is not None else msgspec.structs.replace(self, start=low, to=high)

    @property
    def span(self) -> str:
        """The Finals of the row as printed: ``<=8``, ``9``, ``9-10``, ``>=12``, ``Original 2``."""
        if self.original is not None:
            return f"Original {self.original}"
        if self.at is not None:
            return str(self.at)
        if self.start is None:
            return "any" if self.to is None else f"<={self.to}"
        return f">={self.start}" if self.to is None else f"{self.start}-{self.to}"

    def finals(self, given: Given) -> str:
        """The Finals of the row in words, needed numbers filled in: ``8 or less``, ``9 or 10``."""
        if self.original is not None:
            return self.span
        low, high = _limit(self.start, given), _limit(self.to, given)
        if self.at is not None or (low is not None and low == high):
            return str(self.at if self.at is not None else low)
        if low is None or high is None:
            return "any" if low == high else f"{high} or less" if low is None else f"{low} or more"
        return f"{low} {'or' if high == low + 1 else 'to'} {high}"


BOUND: Final = re.compile(r"(\w+?)(?:([-+])(\d+))?")
"""A bound that names something needed: ``number``, ``number+1``."""


def _limit(bound: int | str | None, given: Given) -> int | None:
    if bound is None or isinstance(bound, int):
        return bound
    name, sign, by = BOUND.fullmatch(bound).groups()  # type: ignore[union-attr]
    return int(given[name]) + int(f"{sign or '+'}{by or 0}")


class Counted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A thing that the ledger of luck counts of the rolls on a table.

    ``worth`` is that of each result that brings some.
    """

    kind: str
    unit: str
    worth: dict[str, int]

    def of(self, result: str) -> int:
        """Return how much a result brings."""
        return self.worth.get(result, 0)


class RollTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, dict=True):
    """One table of the rules as data."""

    name: str = ""
    title: str
    short: str = ""
    """The title in few words, where others stand beside it."""
    rule: str
    dice: str
    drm: dict[str, Modifier] = {}
    needs: dict[str, Need] = {}
    columns: dict[str, tuple[str, ...]] = {}
    rows: tuple[ResultRow, ...]
    notes: dict[str, str] = {}
    secret: bool = False
    certainty: str = ""
    counts: tuple[Counted, ...] = ()
    """Things that the ledger of luck counts; the last one decides what is a success."""

    @cached_property
    def spec(self) -> DiceSpec:
        """Return the dice of the table."""
        return DiceSpec.parse(self.dice)

    @cached_property
    def circumstances(self) -> dict[str, str]:
        """Every circumstance the table knows, with what it means."""
        known = {name: f"{need.what} (needed)" for name, need in self.needs.items()}
        for name, choices in self.columns.items():
            known[name] = f"column, one of {', '.join(choices)} (needed)"
        known |= {name: f"{mod.words}: {mod.why}" for name, mod in self.drm.items()}
        return known

    @cached_property
    def _facts(self) -> frozenset[str]:
        """Return the modifiers that merely hold or do not."""
        others = (*self.columns, *self.needs)
        return frozenset(
            [name for name, mod in self.drm.items() if not mod.counts and name not in others]
        )

    def check(self, given: Given) -> dict[str, int | bool | str]:
        """Settle that the table knows the circumstances ``given`` and has those it needs.

        Raises PBCGError that lists the known ones.
        """
        known, facts = self.circumstances, self._facts
        for name, value in given.items():
            if value is True and name in facts:
                continue
            if name not in known:
                names = ", ".join(known) or "none"
                raise PBCGError(
                    f'Table {self.name} knows no circumstance "{name[:60]}"; it knows: {names}.'
                )
            if name in self.columns:
                if str(value) not in self.columns[name]:
                    raise PBCGError(
                        f'Table {self.name} has no {name} "{str(value)[:60]}"; it has: '
                        f"{', '.join(self.columns[name])}."
                    )
            elif isinstance(value, str):
                raise PBCGError(f'Table {self.name}: {name} is a number, not "{value[:60]}".')
            elif name in self.drm and self.drm[name].counts and value is True:
                raise PBCGError(f"Table {self.name}: {name} counts something: write {name}=N.")
            elif name in self.drm and not self.drm[name].counts and int(value) not in (0, 1):
                raise PBCGError(f"Table {self.name}: {name} holds or does not: write {name} alone.")
            elif legal := self._refusal(name, int(value)):
                raise PBCGError(f"Table {self.name}: {name} is {legal}, not {int(value)}.")
        for name in (*self.needs, *self.columns):
            if name not in given:
                raise PBCGError(f"Table {self.name} needs {name}: {known[name]}.")
        return {
            name: str(value) if name in self.columns else value for name, value in given.items()
        }

    def _refusal(self, name: str, number: int) -> str:
        """Say what a number must be instead; empty if it can be."""
        if name in self.needs:
            need = self.needs[name]
            return _out_of(need.least, need.most, number)
        return self.drm[name].refusal(number) if self.drm[name].counts else ""

    def modifiers(self, given: Given) -> tuple[DRM, ...]:
        """Return the modifiers that apply under ``given``, in the table's order."""
        found = []
        for name, modifier in self.drm.items():
            if name in given:
                value = modifier.of(given[name])  # type: ignore[arg-type]
                if value:
                    found.append(DRM(name, value, modifier.why, modifier.rule or self.rule))
        return tuple(found)

    @cached_property
    def short_results(self) -> dict[str, str]:
        """Each result in few words, as options and records name it."""
        rows = [row for row in self.rows if row.original is None]
        return {row.result: row.short or row.says for row in rows}

    @cached_property
    def _originals(self) -> dict[int, ResultRow]:
        """Return the rows of Original rolls; the first one holds."""
        rows = reversed(self.rows)
        return {row.original: row for row in rows if row.original is not None}

    @cached_property
    def _fixed(self) -> tuple[tuple[float, float, ResultRow], ...]:
        """Return the other rows with their bounds, if none names a circumstance; else nothing."""
        rows = [row for row in self.rows if row.original is None]
        if any(isinstance(bound, str) for row in rows for bound in (row.start, row.to)):
            return ()
        found = [(*row.bounds({}), row) for row in rows]
        return tuple(
            (-inf if low is None else low, inf if high is None else high, row)
            for low, high, row in found
        )

    def row(self, final: int, given: Given, original: int | None = None) -> ResultRow:
        """The row of an Original roll that has one of its own, else that ``final`` falls in."""
        if original is not None and original in self._originals:
            return self._originals[original]
        for low, high, row in self._fixed:
            if low <= final <= high:
                return row
        if not self._fixed:
            for row in self.rows:
                if row.covers(final, given):
                    return row
        raise PBCGError(f"Table {self.name} has no row for {final}.")

    def result(self, row: ResultRow, given: Given) -> str:
        """Return what the row says in the column that ``given`` names."""
        if not self.columns:
            return row.result
        ((name, choices),) = self.columns.items()
        return row.results[choices.index(str(given[name]))]

    def row_of(self, rolled: Rolled, given: Given) -> ResultRow:
        """Return the row that a roll came to."""
        return self.row(rolled.final, self.check(given), rolled.original)

    def is_success(self, result: str) -> bool:
        """Return whether a result is a success, as the ledger of luck counts it."""
        return bool(self.counts) and self.counts[-1].of(result) > 0

    def resolve(self, dice: tuple[int, ...], given: Given) -> Rolled:
        """Settle a roll: the modifiers, the Final and the result of ``dice`` under ``given``."""
        given = self.check(given)
        return self.settle(dice, given, self.modifiers(given))

    def settle(self, dice: tuple[int, ...], given: Given, drm: tuple[DRM, ...]) -> Rolled:
        """Settle a roll under checked circumstances, with the ``drm`` that they bring."""
        faces = self.spec.check(dice)
        return self._settle(sum(faces), given, faces, drm)

    def resolve_total(self, original: int, given: Given) -> Rolled:
        """Settle a roll known only by its total, for example ``--roll 8``."""
        given = self.check(given)
        low, high = self.spec.count, self.spec.count * self.spec.sides
        if not low <= original <= high:
            raise IllegalAnswer(f"{self.spec} cannot come to {original}: {low} to {high} can.")
        return self._settle(original, given, (), self.modifiers(given))

    def _settle(
        self, original: int, given: Given, faces: tuple[int, ...], drm: tuple[DRM, ...]
    ) -> Rolled:
        final = original + sum(each.value for each in drm)
        row = self.row(final, given, original)
        return Rolled(
            table=self.name,
            rule=self.rule,
            dice=faces,
            original=original,
            drm=drm,
            final=final,
            result=self.result(row, given),
            says=row.says,
            facts=row.facts,
        )

    def odds(self, given: Given) -> dict[str, fractions.Fraction]:
        """Return the exact chance of each result under ``given``, in the order of the rows."""
        counts, outcomes = self.odds_counts(given)
        return {result: fractions.Fraction(count, outcomes) for result, count in counts.items()}

    def odds_counts(self, given: Given) -> tuple[dict[str, int], int]:
        """As odds, but as counts of equally likely throws and how many throws there are."""
        given = self.check(given)
        total = sum(each.value for each in self.modifiers(given))
        sums, outcomes = throw_counts(self.spec)
        counts: dict[str, int] = {}
        for original, count in sums.items():
            result = self.result(self.row(original + total, given, original), given)
            counts[result] = counts.get(result, 0) + count
        return counts, outcomes


_SUMS: dict[DiceSpec, tuple[dict[int, int], int]] = {}


def throw_counts(spec: DiceSpec) -> tuple[dict[int, int], int]:
    """Say how many equally likely throws of ``spec`` come to each total, and how many there are."""
    if spec not in _SUMS and spec.count <= 2:
        # A dr or DR is counted out: icepool takes longer to import than a campaign to open.
        faces = range(1, spec.sides + 1)
        sums = Counter(map(sum, product(faces, repeat=spec.count)))
        _SUMS[spec] = (dict(sums), spec.sides**spec.count)
    elif spec not in _SUMS:
        die: Any = spec.count @ icepool.d(spec.sides)
        _SUMS[spec] = (dict(die.items()), int(die.denominator()))
    return _SUMS[spec]


class Likelihood(msgspec.Struct, frozen=True):
    """The chance of a result as people read it, and as a share of 1 for whoever draws it."""

    words: str
    share: float

    def __str__(self) -> str:
        """Return the words."""
        return self.words


def likelihood(chance: fractions.Fraction, words: str = "") -> Likelihood:
    """Return a chance in ``words``, as percent where none are given."""
    return Likelihood(words or percent(chance), round(float(chance), 3))


def percent(chance: fractions.Fraction) -> str:
    """A chance as people read it: ``28%``; never 0% for what can be, nor 100% for what may fail."""
    value = float(chance * 100)
    if 0 < value < 0.5:
        return "<1%"
    if 99.5 <= value < 100:
        return ">99%"
    return f"{value:.0f}%"
