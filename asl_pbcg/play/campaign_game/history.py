"""Looking back at a campaign: what each CG Date brought, and how the dice fell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any, Final

import msgspec

from asl_pbcg.campaign.sheets.ledger import roster_lines
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.record_lines import lines_for_side
from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.kernel.dice import DiceSpec
from asl_pbcg.kernel.facts import facts_of
from asl_pbcg.kernel.player_notes import PlayerNote
from asl_pbcg.kernel.tables import throw_counts
from asl_pbcg.kernel.views import UMPIRE, LogLine
from asl_pbcg.vasl.log_dice import LoggedRoll

ROSTER: Final = "roster"
"""The sheet that a module has which keeps a CG Roster."""
FACES: Final = 6
ENOUGH: Final = 12
"""Below so many throws a mean says nothing; how lucky they were is not shown."""


class Fall(msgspec.Struct, frozen=True, kw_only=True):
    """How the throws of one side with so many dice fell.

    ``lower`` is the exact probability that as many throws total as little as these or less,
    ``higher`` as much or more; None where there are too few to tell.
    """

    side: str
    dice: int
    count: int
    total: int
    faces: tuple[int, ...]
    """How often each total came, from the least on."""
    lower: float | None = None
    higher: float | None = None

    @property
    def mean(self) -> float:
        """The mean of the throws."""
        return self.total / self.count

    @property
    def chances(self) -> list[Fraction]:
        """The exact chance of each total, from the least on."""
        ways, throws = throw_counts(DiceSpec(self.dice, FACES))
        return [Fraction(ways[total], throws) for total in sorted(ways)]

    @property
    def expected(self) -> float:
        """The mean to be expected."""
        return self.dice * (FACES + 1) / 2


class LogFall(Fall, frozen=True, kw_only=True):
    """How the throws of one kind of one player fell in VASL logs; all kinds where it is empty."""

    kind: str = ""
    player: str = ""
    """The player, where the campaign does not know which side that is."""


class CampaignDice(msgspec.Struct, frozen=True, kw_only=True):
    """The dice of a campaign: those of the Refit Phase, and those of its scenarios on VASL."""

    refit: list[Fall]
    scenarios: list[LogFall]
    logs: int
    """How many logs were read."""
    twice: int = 0
    """How many throws stand in two of the logs; they count once."""
    left_out: tuple[str, ...] = ()
    """Throws of other dice in the logs, which are not counted."""


def log_falls(rolls: Iterable[LoggedRoll], names: Mapping[str, str]) -> list[LogFall]:
    """Return how the throws of logs fell, by side and kind; all kinds of a side come first.

    ``names`` says the side of each player, by name in small letters.
    """
    thrown: dict[tuple[str, str, int, str], list[int]] = {}
    for roll in rolls:
        side = names.get(roll.player.casefold(), "")
        player = "" if side else roll.player
        for kind in ("", roll.kind):
            key = (side, player, len(roll.dice), kind)
            thrown.setdefault(key, []).append(sum(roll.dice))
    order = sorted(thrown, key=lambda case: (not case[0], case[0], case[1], -case[2], case[3]))
    falls = []
    for side, player, dice, kind in order:
        fall = msgspec.structs.asdict(_fall(side, dice, thrown[side, player, dice, kind]))
        falls.append(LogFall(**fall, kind=kind, player=player))
    return falls


def dice_falls(lines: Iterable[LogLine]) -> list[Fall]:
    """How all DR and dr in ``lines`` fell, by side and number of dice; nobody's come last."""
    thrown: dict[tuple[str, int], list[int]] = {}
    for line in lines:
        if line.roll is not None and line.roll.dice and max(line.roll.dice) <= FACES:
            thrown.setdefault((line.side, len(line.roll.dice)), []).append(sum(line.roll.dice))
    order = sorted(thrown, key=lambda case: (not case[0], case[0], -case[1]))
    return [_fall(side, dice, thrown[side, dice]) for side, dice in order]


def _fall(side: str, dice: int, totals: list[int]) -> Fall:
    total, count = sum(totals), len(totals)
    spread = range(dice, dice * FACES + 1)
    faces = tuple(totals.count(number) for number in spread)
    if count < ENOUGH:
        return Fall(side=side, dice=dice, count=count, total=total, faces=faces)
    below, above = tails(dice * count, total)
    return Fall(
        side=side, dice=dice, count=count, total=total, faces=faces, lower=below, higher=above
    )


@lru_cache(maxsize=256)
def tails(dice: int, total: int) -> tuple[float, float]:
    """The exact probabilities that ``dice`` six-sided dice total at most and at least ``total``."""
    every = FACES**dice
    at_least = every - _ways_at_most(dice, total - 1)
    return _share(_ways_at_most(dice, total), every), _share(at_least, every)


def _ways_at_most(dice: int, total: int) -> int:
    """Return in how many ways dice total at most so much: inclusion and exclusion.

    The sum over k of (-1)^k C(dice, k) C(total - 6k, dice), each binomial from the one before.
    """
    if total < dice:
        return 0
    ways, chosen, below, top = 0, 1, comb(total, dice), total
    for k in range(dice + 1):
        ways += -chosen * below if k % 2 else chosen * below
        chosen = chosen * (dice - k) // (k + 1)
        for _ in range(FACES):
            if top < dice:
                return ways
            below = below * (top - dice) // top
            top -= 1
        if top < dice:
            break
    return ways


def _share(part: int, whole: int) -> float:
    return float((part * 10**12 + whole // 2) // whole) / 10**12


def dates(state: Campaign, sees: str, notes: Iterable[PlayerNote] = ()) -> list[dict[str, Any]]:
    """Return what each CG Date so far brought, as ``sees`` may know it: SAN, losses, CPP, FPP.

    ``notes`` are those that ``sees`` may read; each date has its own under ``diary``.
    Empty ``sees`` knows what both may. Of a module that keeps no CG Roster there are the CG Dates
    alone.
    """
    diary: dict[str, list[str]] = {}
    for note in notes:
        diary.setdefault(note.date, []).append(note.words)
    if ROSTER not in state.module.sheets:
        return [_date(account.date, state, diary) for account in state.accounts]
    lines = roster_lines(state)
    if sees != UMPIRE:
        for side in [sees] if sees else state.sides:
            lines = lines_for_side(lines, side)
    rows = []
    for line in lines:
        plain: dict[str, Any] = msgspec.to_builtins(facts_of(line, line.__struct_fields__))
        if not sees:  # neither side's own
            plain.pop("fortifications", None)
        rows.append(plain | _date(line.date, state, diary))
    return rows


def _date(date: CGDate, state: Campaign, diary: Mapping[str, list[str]]) -> dict[str, Any]:
    about = {"date": date.value, "title": date.title, "over": date is not state.date}
    return {**about, "diary": diary.get(date.value, [])}
