"""The ledger of luck: expectation and outcome of the rolls of each Refit Phase.

Everything is an exact fraction. A roll on a table is worth what its result counts: a stack that got
away, a Weapon repaired, a leader's modifier. What a side brought less what was to be expected is
the sum of the differences of its rolls, without a remainder.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

import msgspec

from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.piece_names import typed_name
from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.kernel.facts import facts_of
from asl_pbcg.kernel.moments import EntryMoment
from asl_pbcg.kernel.prompts import Roll
from asl_pbcg.kernel.tables import Counted
from asl_pbcg.kernel.views import visible


class LuckLine(msgspec.Struct, frozen=True, kw_only=True):
    """Expectation and outcome of the rolls of one kind of a side in one Refit Phase."""

    phase: str
    side: str
    kind: str
    unit: str
    rolls: int
    expected: Fraction
    brought: Fraction

    @property
    def difference(self) -> Fraction:
        """The outcome less the expectation."""
        return self.brought - self.expected

    def plain(self) -> dict[str, str | int | float]:
        """Return it as plain data: numbers, and beside them the exact fractions: ``25/36``."""
        facts = facts_of(self, "phase side kind unit rolls")
        for name in ("expected", "brought", "difference"):
            exact: Fraction = getattr(self, name)
            facts |= {name: round(float(exact), 6), f"{name}_exact": str(exact)}
        return facts


_UNLIKELY: Final = Fraction(1, 6)
"""An outcome with a greater chance is no turning point."""


class UnlikelyRoll(msgspec.Struct, frozen=True, kw_only=True):
    """A roll whose outcome was unlikely; ``chance`` is that of one so good, or so bad, or more."""

    title: str
    side: str
    text: str
    chance: Fraction
    seq: int


def fraction_words(number: Fraction, signed: bool = False) -> str:
    """Write a fraction as people do: ``13 5/6``; ``signed`` with its sign: ``+1/3``."""
    sign = "-" if number < 0 else "+" if signed and number else ""
    full, remainder = divmod(abs(number), 1)
    words = [str(full)] if full or not remainder else []
    words += [str(remainder)] if remainder else []
    return sign + " ".join(words)


class _LuckyRoll(NamedTuple):
    phase: str
    moment: EntryMoment[Campaign]
    roll: Roll
    counted: Counted

    @property
    def odds(self) -> Mapping[str, Fraction]:
        assert self.roll.table
        return self.roll.table.odds(self.roll.given)

    @property
    def expected(self) -> Fraction:
        return sum(
            (chance * self.counted.of(result) for result, chance in self.odds.items()),
            Fraction(0),
        )

    @property
    def brought(self) -> int:
        return self.counted.of(self.moment.sent.result)

    @property
    def chance(self) -> Fraction:
        """The chance of this result or a better one, or of this or a worse one: the smaller."""
        chances, at = list(self.odds.values()), list(self.odds).index(self.moment.sent.result)
        return min(sum(chances[: at + 1], Fraction(0)), sum(chances[at:], Fraction(0)))


def luck_ledger(moments: Iterable[EntryMoment[Campaign]], viewer: str) -> list[LuckLine]:
    """Return the ledger of the rolls that stand and that ``viewer`` may see."""
    lines: dict[tuple[str, str, str, str], list[_LuckyRoll]] = {}
    for roll in _lucky_rolls(moments, viewer):
        key = (roll.phase, str(roll.roll.side), roll.counted.kind, roll.counted.unit)
        lines.setdefault(key, []).append(roll)
    return [
        LuckLine(
            phase=phase,
            side=side,
            kind=kind,
            unit=unit,
            rolls=len(rolls),
            expected=sum((roll.expected for roll in rolls), Fraction(0)),
            brought=Fraction(sum(roll.brought for roll in rolls)),
        )
        for (phase, side, kind, unit), rolls in lines.items()
    ]


def totals(lines: Sequence[LuckLine]) -> list[LuckLine]:
    """Return the ledger of the whole campaign: for each side and kind the sum of the phases."""
    sums: dict[tuple[str, str, str], list[LuckLine]] = {}
    for line in lines:
        sums.setdefault((line.side, line.kind, line.unit), []).append(line)
    return [
        LuckLine(
            phase="All",
            side=side,
            kind=kind,
            unit=unit,
            rolls=sum(entry.rolls for entry in entries),
            expected=sum((entry.expected for entry in entries), Fraction(0)),
            brought=sum((entry.brought for entry in entries), Fraction(0)),
        )
        for (side, kind, unit), entries in sums.items()
    ]


def unlikely_rolls(moments: Iterable[EntryMoment[Campaign]], viewer: str) -> list[UnlikelyRoll]:
    """Return the outcomes among the rolls that ``viewer`` may see that came once in six or less."""
    rolls = {roll.moment.seq: roll for roll in _lucky_rolls(moments, viewer)}
    return [
        UnlikelyRoll(
            title=lucky_roll.phase,
            side=str(lucky_roll.roll.side),
            text=_words(lucky_roll),
            chance=lucky_roll.chance,
            seq=seq,
        )
        for seq, lucky_roll in sorted(rolls.items())
        if lucky_roll.chance <= _UNLIKELY
    ]


def rarest(rolls: Sequence[UnlikelyRoll], most: int) -> list[UnlikelyRoll]:
    """Return the least likely ``most`` of the rolls, in the order they were made."""
    rare = sorted(rolls, key=lambda roll: (roll.chance, roll.seq))[:most]
    return sorted(rare, key=lambda roll: roll.seq)


def _words(lucky_roll: _LuckyRoll) -> str:
    roll, moment = lucky_roll.roll, lucky_roll.moment
    types = {piece.id: piece.type for piece in moment.before.pieces}
    groups = {group.key for group in moment.before.groups}
    named = (word.strip(",") for word in roll.about.split())
    who = ", ".join(
        typed_name(types[id], id) if id in types else f"RG {id}"
        for id in named
        if id in types or id in groups
    )
    assert roll.table
    rolled = moment.sent
    return f"{roll.table.title}, {who}: {rolled.says or rolled.result} (Final {rolled.final})"


def _lucky_rolls(moments: Iterable[EntryMoment[Campaign]], viewer: str) -> Iterator[_LuckyRoll]:
    counted_seqs: set[int] = set()
    for moment in moments:
        roll = moment.asked
        if (
            moment.undone
            or not isinstance(roll, Roll)
            or roll.table is None
            or moment.seq in counted_seqs
        ):
            continue
        counted_seqs.add(moment.seq)
        if visible(roll, viewer):
            for counted in roll.table.counts:
                yield _LuckyRoll(phase_of(moment), moment, roll, counted)


def phase_of(moment: EntryMoment[Campaign]) -> str:
    """Return the Refit Phase a moment belongs to: after which CG Date, or before the first one."""
    assert moment.entry
    name, _, step = moment.entry.step.partition("/")
    date = CGDate(name)
    state = moment.before
    if not state.frame.is_secret(step):
        return f"after {date.title}"
    return f"after {state.date_played.title}" if state.determined else "before the first CG Date"
