"""The outcome of one line of the umpire: the dice, what follows, who must check morale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from asl_pbcg.kernel.facts import facts_of
from asl_pbcg.kernel.tables import Rolled
from asl_pbcg.megagame.game_table import MoraleCheck, Table, TableUnit
from asl_pbcg.megagame.mega_settings import ValueInForce

_LABELS: Final = {
    "house": ("House value", "House values"),
    "inferred": ("Inferred", "Inferred"),
    "own": ("Umpire's own value", "Umpire's own values"),
}


class FigureLoss(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Figures a unit lost, or the unit itself when ``state`` says how it ended."""

    unit: str
    side: str = ""
    figures: int = 0
    state: str = ""


class Outcome(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The outcome of one line: printed, stored in the log, and all that the table takes over.

    ``who`` suffered it and ``by`` did it; ``checks`` are due now; ``values`` are those it used
    that the article does not print; ``units``, ``done``, ``held``, ``own``, ``turn_to`` and
    ``phase_to`` say how the table stands after it. An ``idle`` line did nothing and is not kept.
    """

    do: str
    turn: int = 0
    phase: str = ""
    who: str = ""
    by: str = ""
    result: str = ""
    says: tuple[str, ...] = ()
    rolls: tuple[Rolled, ...] = ()
    facts: dict[str, Any] = {}
    checks: tuple[MoraleCheck, ...] = ()
    values: tuple[ValueInForce, ...] = ()
    overruled: tuple[str, ...] = ()
    because: str = ""
    losses: tuple[FigureLoss, ...] = ()
    units: tuple[TableUnit, ...] = ()
    done: tuple[str, ...] = ()
    held: dict[str, str] = {}
    own: dict[str, Any] | None = None
    turn_to: int = 0
    phase_to: str = ""
    title_to: str = ""
    thrown: int = 0
    idle: bool = False

    @property
    def sentence(self) -> str:
        """Return what happened, without the morale checks and values."""
        return " ".join(self.says)

    @property
    def morale(self) -> str:
        """Return who must check morale as a sentence, or nothing."""
        return f"Check morale: {', '.join(map(str, self.checks))}." if self.checks else ""

    @property
    def rests_on(self) -> str:
        """Return the values it used that are not printed, as sentences."""
        sentences = []
        for certainty, labels in _LABELS.items():
            words = [value.in_words for value in self.values if value.certainty == certainty]
            if words:
                sentences.append(f"{labels[len(words) > 1]}: {'; '.join(words)}.")
        return " ".join(sentences)

    @property
    def umpire(self) -> str:
        """Return what the umpire overruled and why, or nothing."""
        if not self.because:
            return ""
        reason = f"Umpire: {self.because.rstrip('.')}."
        return " ".join([*(f"Overruled: {each}" for each in self.overruled), reason])

    @property
    def parts(self) -> tuple[str, ...]:
        """Return the parts of the answer: what happened, the umpire's word, morale, values."""
        return self.sentence, self.umpire, self.morale, self.rests_on

    @property
    def line(self) -> str:
        """Return the whole answer in one line."""
        return "  ".join(filter(None, self.parts))

    def after(self, table: Table) -> Table:
        """Return the table as it stands after this line."""
        due = list(table.due)
        for name in self.done:
            first = next((check for check in due if check.unit == name), None)
            if first:
                due.remove(first)
        changed = table.with_units(self.units)
        fighting = {unit.name for unit in changed.units if not unit.going}
        return msgspec.structs.replace(
            changed,
            due=tuple(check for check in (*due, *self.checks) if check.unit in fighting),
            held={**table.held, **self.held},
            own=table.own if self.own is None else self.own,
            turn=self.turn_to or table.turn,
            phase=self.phase_to or table.phase,
            title=self.title_to or table.title,
            lines=table.lines + 1,
            rolls=table.rolls + self.thrown,
        )

    def as_data(self) -> dict[str, Any]:
        """Return the outcome as ``--json`` gives it."""
        data: dict[str, Any] = {
            **facts_of(self, "line do who by result says"),
            "rolls": [
                {
                    **facts_of(rolled, "table rule final result", roll="original"),
                    "drm": [facts_of(drm, "name value why") for drm in rolled.drm],
                }
                for rolled in self.rolls
            ],
            **self.facts,
            "morale": [
                facts_of(check, "unit quality passes_on", because="triggers")
                for check in self.checks
            ],
            "losses": [facts_of(loss, "unit figures state") for loss in self.losses],
            "values": [facts_of(value, "name value certainty why") for value in self.values],
        }
        if self.because:
            data |= facts_of(self, "overruled because")
        return data | (facts_of(self, "turn phase") if self.turn else {})


def dice_words(rolls: Sequence[Rolled]) -> str:
    """Return dice on one table with their modifiers: ``5, +2 open = 7``."""
    faces = " ".join(str(rolled.original) for rolled in rolls)
    drm = "".join(f", {each.value:+d} {each.why}" for each in rolls[0].drm)
    total = f" = {rolls[0].final}" if drm and len(rolls) == 1 else ""
    return faces + drm + total
