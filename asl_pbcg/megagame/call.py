"""The umpire's call: one line while it is resolved, and its outcome.

``Call`` records what was rolled, used, changed and overruled. A value read through it is named in
the answer unless the article prints it. ``Outcome`` holds the dice, what follows, and the units
that must check morale.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from asl_pbcg.kernel.dice import DiceSpec
from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.facts import facts_of
from asl_pbcg.kernel.prompts import Roll, Script, throw
from asl_pbcg.kernel.tables import Given, Rolled
from asl_pbcg.megagame.game_table import MoraleCheck, Table, TableUnit, UnitState
from asl_pbcg.megagame.mega_settings import ValueInForce, capital
from asl_pbcg.megagame.mega_tables import PREFIX, SettledTables

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
        return " ".join([*(f"Overruled: {decision}" for decision in self.overruled), reason])

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
    drm = "".join(f", {modifier.value:+d} {modifier.why}" for modifier in rolls[0].drm)
    total = f" = {rolls[0].final}" if drm and len(rolls) == 1 else ""
    return faces + drm + total


MAX_MODIFIER: Final = 20
MAX_DICE_AT_ONCE: Final = 20


class Call:
    """One line of the umpire being settled at ``table``.

    ``modifier`` is added to the line's main roll and ``result`` put in place of its result; both
    need ``because``, the umpire's reason, which also lets a line pass that would be refused.
    """

    def __init__(
        self, do: str, table: Table, *, modifier: int = 0, result: str = "", because: str = ""
    ) -> None:
        if (modifier or result) and not because:
            raise IllegalAnswer(
                "A modifier or result of the umpire's own needs its reason: add --because."
            )
        if abs(modifier) > MAX_MODIFIER:
            raise IllegalAnswer(f"A modifier is from -{MAX_MODIFIER} to {MAX_MODIFIER}.")
        self.do = do
        self.table = table
        self.settings = table.settings
        self.modifier = modifier
        self.result = result
        self.because = because
        self.facts: dict[str, Any] = {}
        self.held: dict[str, str] = {}
        self.changes: dict[str, Any] = {}
        self.outcome_result = ""
        self.who = ""
        self.by = ""
        self.done: list[str] = []
        self.idle = False
        self._tables = SettledTables(self.settings)
        self._says: list[str] = []
        self._rolls: list[Rolled] = []
        self._values: dict[str, ValueInForce] = {}
        self._overruled: list[str] = []
        self._losses: list[FigureLoss] = []
        self._units: dict[str, TableUnit] = {}
        self._triggers: dict[str, list[str]] = {}
        self._thrown = 0

    # -- the rules' values ------------------------------------------------------------

    def value(self, name: str) -> Any:
        """Return the value ``name`` of the settings; the answer names it if it is not printed."""
        value = self.settings.value(name)
        if not value.printed:
            self._values[name] = value
        return value.value

    # -- the umpire's word ------------------------------------------------------------

    def require(self, rule: str, *conditions: tuple[bool, str]) -> None:
        """Settle that every condition holds; else refuse with all sentences that say which fail.

        With the umpire's reason the line goes on and the sentences stand in its answer.
        """
        failed = [sentence for holds, sentence in conditions if not holds]
        if failed and not self.because:
            overrule = "To overrule, add --because and the reason."
            raise IllegalAnswer(" ".join([*failed, overrule]), rule)
        self._overruled += failed

    def sides_differ(self, unit: TableUnit, second: TableUnit | None) -> tuple[bool, str]:
        """Return the condition that two units are not on the same side, and its sentence."""
        same = second is not None and unit.side and unit.side == second.side
        return not same, f"{unit.name} and {second.name if second else ''} are on the same side."

    def overrule(self, now: str, instead: str) -> None:
        """Note that the umpire put something in place of what the rules say."""
        self._overruled.append(f"{now} in place of {instead}.")

    # -- dice -------------------------------------------------------------------------

    def roll(
        self,
        name: str,
        text: str,
        given: Given | None = None,
        count: int = 1,
        main: bool = False,
        reads: Callable[[Rolled], Rolled] | None = None,
    ) -> Script[tuple[Rolled, ...]]:
        """Throw ``count`` dice on the table ``name``, each for itself.

        ``main`` is the line's own roll, which takes the umpire's modifier and result; ``reads``
        changes what the table says of a die.
        """
        table = self._tables.set[PREFIX + name]
        circumstances = dict(given or {})
        if main and self.modifier:
            circumstances["umpire"] = self.modifier
        faces = yield from self.plain(name, text, count)
        rolls = tuple(table.resolve((face,), circumstances) for face in faces)
        for drm in rolls[0].drm if rolls else ():
            if setting := self._tables.modifier_setting(name, drm.name):
                self.value(setting)
        if main and self.result:
            rolls = tuple(self._put_result(name, rolled) for rolled in rolls)
        for result in {rolled.result for rolled in rolls}:
            for setting in self._tables.row_settings(name, result):
                self.value(setting)
        if reads:
            rolls = tuple(map(reads, rolls))
        self._rolls += rolls
        return rolls

    def plain(self, id: str, text: str, count: int, sides: int = 10) -> Script[tuple[int, ...]]:
        """Throw ``count`` dice that are read one by one."""
        faces: list[int] = []
        while len(faces) < count:
            dice = DiceSpec(min(MAX_DICE_AT_ONCE, count - len(faces)), sides)
            rolled = yield from throw(Roll(id=id, text=text, dice=dice))
            faces += rolled.dice
            self._thrown += 1
        return tuple(faces)

    def _put_result(self, name: str, rolled: Rolled) -> Rolled:
        rows = {row.result: row for row in self._tables.set[PREFIX + name].rows}
        wanted = self.result.lower().replace(" ", "_").replace("-", "_")
        if wanted not in rows:
            raise IllegalAnswer(
                f'"{self.result}" is not a result here; there are: {", ".join(rows)}.'
            )
        self.overrule(rows[wanted].says, rolled.says)
        return msgspec.structs.replace(rolled, result=wanted, says=rows[wanted].says)

    # -- what follows -----------------------------------------------------------------

    def say(self, sentence: str) -> None:
        """Add a sentence to the answer."""
        self._says.append(sentence)

    def tell(self, what: str, rolls: tuple[Rolled, ...], result: str) -> None:
        """Add a sentence about dice: what was rolled for, the dice and the result."""
        self.say(f"{what}: {dice_words(rolls)}: {result}.")

    def now(self, unit: TableUnit) -> TableUnit:
        """Return ``unit`` as it stands after what this call has done so far."""
        return self._units.get(unit.name, unit)

    def unit_named(self, name: str) -> TableUnit:
        """Return a unit that this call has changed, or of which it named a reason to check."""
        return self._units[name]

    def change(self, unit: TableUnit, **fields: Any) -> TableUnit:
        """Change ``unit`` as it stands now, and return it."""
        changed = msgspec.structs.replace(self.now(unit), **fields)
        self._units[unit.name] = changed
        return changed

    @property
    def simultaneous(self) -> bool:
        """Return whether losses wait until all fire is done. Rule: Direct fire."""
        return self.table.phase == "direct_fire"

    def lose(self, unit: TableUnit, figures: int) -> int:
        """Take up to ``figures`` figures from ``unit``; return how many it had to lose.

        In direct fire they are taken away when all fire is done. A dismounted unit without
        figures is destroyed, a vehicle without occupants abandoned.
        """
        unit = self.now(unit)
        standing = unit.standing
        lost = figures if standing is None else min(figures, standing)
        if not lost:
            return 0
        self._losses.append(FigureLoss(unit=unit.name, side=unit.side, figures=lost))
        if standing is not None:
            if self.simultaneous:
                unit = self.change(unit, due_losses=unit.due_losses + lost)
            else:
                unit = self.change(unit, figures=standing - lost)
            if not unit.standing:
                self.end(unit, "destroyed" if unit.kind == "dismounts" else "abandoned")
        return lost

    def count_again(self, unit: TableUnit, figures: int) -> None:
        """Enter in the losses what the umpire's own count takes from ``unit``, or gives back."""
        gone = (unit.standing or 0) - figures
        if unit.started is not None and gone and figures <= unit.started:
            self._losses.append(FigureLoss(unit=unit.name, side=unit.side, figures=gone))

    def end(self, unit: TableUnit, state: UnitState) -> None:
        """Put ``unit`` out of the game, in direct fire when all fire is done."""
        if self.now(unit).going:
            return
        field = "due_state" if self.simultaneous else "state"
        self.change(unit, **{field: state})
        self._losses.append(FigureLoss(unit=unit.name, side=unit.side, state=state))

    def trigger(self, unit: TableUnit, why: str) -> None:
        """Name a reason for ``unit`` to check morale."""
        reasons = self._triggers.setdefault(unit.name, [])
        self.change(unit)
        if why not in reasons:
            reasons.append(why)

    def take_checks(self) -> tuple[MoraleCheck, ...]:
        """Return the morale checks that are due for the reasons named; elite units never check."""
        checks: list[MoraleCheck] = []
        for name, reasons in self._triggers.items():
            unit = self._units[name]
            if unit.going or (unit.kind == "soft_skin" and unit.standing == 0):
                continue
            on = self.settings["morale"].get(unit.quality)
            one = len(reasons) < 2 or self.value("one_check_per_event")
            for group in [tuple(reasons)] if one else [(reason,) for reason in reasons]:
                checks.append(
                    MoraleCheck(
                        unit=name,
                        quality=unit.quality,
                        triggers=group,
                        passes_on=on,
                        otherwise={} if unit.quality else self.settings["morale"],
                    )
                )
            for quality in self.settings["morale"]:
                if unit.quality in ("", quality):
                    self.value(f"morale.{quality}")
        self._triggers = {}
        for check in checks:
            if check.quality == "elite":
                self.say(f"{capital(str(check))}.")
        return tuple(check for check in checks if check.quality != "elite")

    def outcome(self, checks: tuple[MoraleCheck, ...] = ()) -> Outcome:
        """Return what the call came to, with the morale checks that are still due."""
        joined = [
            unit.name
            for unit in self._units.values()
            if unit.listed and self.table.turn and not self.table.find(unit.name)
        ]
        if joined and self.do != "unit":
            self.say(f"New at this table: {', '.join(joined)}.")
        return Outcome(
            do=self.do,
            turn=self.table.turn,
            phase=self.table.phase,
            who=self.who,
            by=self.by,
            result=self.outcome_result,
            says=tuple(self._says),
            rolls=tuple(self._rolls),
            facts=self.facts,
            checks=checks,
            values=tuple(self._values.values()),
            overruled=tuple(self._overruled),
            because=self.because,
            losses=tuple(self._losses),
            units=tuple(
                unit for unit in self._units.values() if unit.listed or self.table.find(unit.name)
            ),
            done=tuple(self.done),
            held=self.held,
            thrown=self._thrown,
            idle=self.idle,
            **self.changes,
        )
