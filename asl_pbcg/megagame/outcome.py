"""What one line of the umpire came to: the dice, what follows, who must check morale."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from asl_pbcg.kernel.tables import Rolled
from asl_pbcg.megagame.settings import Value
from asl_pbcg.megagame.table import Check, Table, Unit

_LABELS: Final = {
    "house": ("House value", "House values"),
    "inferred": ("Inferred", "Inferred"),
    "own": ("Umpire's own value", "Umpire's own values"),
}


class Loss(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Figures a unit lost, or the unit itself when ``state`` says how it ended."""

    unit: str
    side: str = ""
    figures: int = 0
    state: str = ""


class Outcome(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one line came to, whole: told, stored in the log, and all that the table takes over.

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
    checks: tuple[Check, ...] = ()
    values: tuple[Value, ...] = ()
    overruled: tuple[str, ...] = ()
    because: str = ""
    losses: tuple[Loss, ...] = ()
    units: tuple[Unit, ...] = ()
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
        """What happened, without the morale checks and values."""
        return " ".join(self.says)

    @property
    def morale(self) -> str:
        """Who must check morale, as a sentence, or nothing."""
        if not self.checks:
            return ""
        return f"Check morale: {', '.join(map(str, self.checks))}."

    @property
    def rests_on(self) -> str:
        """The values it used that are not printed, as sentences, by the names of the settings."""
        return self._values(str)

    @property
    def rests_on_in_words(self) -> str:
        """Those values as a printed sheet names them."""
        return self._values(lambda value: value.in_words)

    def _values(self, called: Callable[[Value], str]) -> str:
        sentences = (values_words(self.values, label, called) for label in _LABELS)
        return " ".join(filter(None, sentences))

    @property
    def umpire(self) -> str:
        """What the umpire overruled and why, or nothing."""
        if not self.because:
            return ""
        return " ".join([*(f"Overruled: {each}" for each in self.overruled), self._reason])

    @property
    def _reason(self) -> str:
        return f"Umpire: {self.because.rstrip('.')}."

    @property
    def line(self) -> str:
        """The whole answer in one line."""
        parts = (self.sentence, self.umpire, self.morale, self.rests_on)
        return "  ".join(part for part in parts if part)

    def after(self, table: Table) -> Table:
        """The table as it stands after this line."""
        due = list(table.due)
        for name in self.done:
            first = next((n for n, check in enumerate(due) if check.unit == name), None)
            if first is not None:
                del due[first]
        changed = table.with_units(self.units)
        listed = {unit.name for unit in changed.units}
        due += self.checks
        gone = {unit.name for unit in changed.units if unit.going}
        return msgspec.structs.replace(
            changed,
            due=tuple(check for check in due if check.unit in listed - gone),
            held={**table.held, **self.held},
            own=table.own if self.own is None else self.own,
            turn=self.turn_to or table.turn,
            phase=self.phase_to or table.phase,
            title=self.title_to or table.title,
            lines=table.lines + 1,
            rolls=table.rolls + self.thrown,
        )


def values_words(
    values: Sequence[Value], certainty: str, called: Callable[[Value], str] = str
) -> str:
    """Return the values of one ``certainty`` as a sentence, or nothing."""
    found = [called(value) for value in values if value.certainty == certainty]
    if not found:
        return ""
    between = ", " if called is str else "; "
    return f"{_LABELS[certainty][len(found) > 1]}: {between.join(found)}."


def dice_words(rolls: Sequence[Rolled]) -> str:
    """Dice on one table with their modifiers as the umpire reads them: ``5, +2 open = 7``."""
    faces = " ".join(str(rolled.original) for rolled in rolls)
    drm = "".join(f", {each.value:+d} {each.why}" for each in rolls[0].drm)
    total = f" = {rolls[0].final}" if drm and len(rolls) == 1 else ""
    return faces + drm + total


def capital(text: str) -> str:
    """``text`` as it begins a sentence; the rest stays as it is."""
    return text[:1].upper() + text[1:]
