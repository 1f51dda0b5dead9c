"""A table's log: each settled line is an entry of a journal, in a file or for one line alone.

An entry holds the words of a line and all that it brought.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from asl_pbcg import __version__
from asl_pbcg.kernel.canonical import canonical, sha256
from asl_pbcg.kernel.dice import DiceSpec, KeyedDice
from asl_pbcg.kernel.errors import IllegalAnswer, NeedsReason, PBCGError
from asl_pbcg.kernel.journal import Entry, Journal
from asl_pbcg.kernel.prompts import Note, Prompt, Roll, Script, ask_document
from asl_pbcg.kernel.session import Session, Step
from asl_pbcg.kernel.wording import number_words
from asl_pbcg.megagame.call import Outcome
from asl_pbcg.megagame.game_table import Table
from asl_pbcg.megagame.house import DEAL, RULE, STOP
from asl_pbcg.megagame.mega_settings import UmpireSettings
from asl_pbcg.megagame.playing_cards import Card, card_words
from asl_pbcg.megagame.upkeep import phase_order

T = TypeVar("T")
GAME: Final = "megagame"
Throw = Callable[[Roll], tuple[int, ...]]
Answers = Callable[[Prompt], Any]


class SettledLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One entry of a table's log: the line as it was given and what it brought.

    ``seed`` is what the program drew for its dice; ``other`` names other dice than its own.
    """

    line: str
    outcome: Outcome
    seed: str = ""
    other: str = ""


class MegaGame:
    """A table as the session runs it: one step for each line."""

    name = GAME
    rules_of = (("megagame",), ("megagame",))

    def begin(self, settings: Mapping[str, Any]) -> Table:
        """Return the table before its first line; ``turn`` 0 is that of one line alone."""
        if unknown := settings.keys() - {"own", "title", "turn"}:
            raise PBCGError(f"A megagame table has no setting {', '.join(sorted(unknown))[:80]}.")
        own = dict(settings.get("own") or {})
        turn = int(settings.get("turn", 1))
        phase = phase_order(UmpireSettings(own))[0].id if turn else ""
        return Table(title=str(settings.get("title") or ""), turn=turn, phase=phase, own=own)

    def next_step(self, state: Table) -> Step[Table] | None:
        """Return the step of the next line; a table is never at its end."""
        title = state.heading if state.turn else ""
        return Step(id=f"{state.turn}.{state.phase}", title=title, script=_one_line)

    def encode(self, state: Table) -> bytes:
        """Return the table as it is stored."""
        return msgspec.json.encode(state)

    def decode(self, stored: bytes) -> Table:
        """Return the table from its stored form."""
        return msgspec.json.decode(stored, type=Table)

    def rolls_in(self, body: Any) -> tuple[int, bool]:
        """Return how many rolls settled a line, and whether their dice were not the program's."""
        try:
            record = msgspec.convert(body, SettledLine)
        except msgspec.ValidationError:
            return 0, False
        return record.outcome.thrown, bool(record.other)


def _one_line(table: Table) -> Script[Table]:
    """Take one settled line into the table."""
    body = yield from ask_document(
        Prompt(id="line", text="What happens?", kind="document", verify=_check_record)
    )
    outcome = msgspec.convert(body, SettledLine).outcome
    yield Note(outcome.line)
    return outcome.after(table)


def _check_record(body: Any) -> Any:
    try:
        return msgspec.to_builtins(msgspec.convert(body, SettledLine))
    except msgspec.ValidationError as error:
        raise IllegalAnswer(f"That is not a settled line: {error}.") from error


# -- what the umpire typed with a line ----------------------------------------------------


class LineDice:
    """The dice of one line: those typed, in the order they are asked for, or the program's.

    Typed dice must be all the dice of the line. ``ask`` brings a throw from a person who can be
    asked; cards are always dealt by the program. ``other`` names what was thrown in place of the
    table's own dice: real ones, or of a seed of the line.
    """

    def __init__(
        self,
        seed: int | str,
        first: int,
        typed: tuple[int, ...] | None = None,
        ask: Throw | None = None,
        own_seed: bool = False,
    ) -> None:
        self._program = KeyedDice(seed)
        self._number = first
        self._typed = typed
        self._ask = ask
        self.other = "dice of a seed of its own" if own_seed else ""

    def throw(self, roll: Roll) -> tuple[int, ...]:
        """Return the dice for ``roll``; raises IllegalAnswer when typed ones are wrong."""
        number, self._number = self._number, self._number + 1
        if roll.id != DEAL and (self._typed is not None or self._ask):
            self.other = "real dice"
            return self._typed_throw(roll)
        return self._program.throw_in(roll.spec, b"", str(number))

    def _typed_throw(self, roll: Roll) -> tuple[int, ...]:
        count = roll.spec.count
        dice, self._typed = (self._typed or ())[:count], (self._typed or ())[count:]
        if not dice and self._ask:
            return self._ask(roll)
        if 0 in dice:
            raise IllegalAnswer("A die cannot show 0: it shows 1 to 10. With --zero a 0 is a 10.")
        DiceSpec(max(1, len(dice)), roll.spec.sides).check(dice or [1])
        if len(dice) < count:
            missing = number_words(count - len(dice), "die is", "dice are")
            raise IllegalAnswer(
                f"{missing} missing for: {roll.text}. "
                "Type all dice of the line in one --dice, in the order they are asked for."
            )
        return dice

    def finish(self, outcome: Outcome) -> None:
        """Check that no typed die is left over, but for one thrown for an elite unit."""
        if self._typed and not (outcome.do == "morale" and not outcome.thrown):
            over = " ".join(map(str, self._typed))
            raise IllegalAnswer(f"Too many dice: nothing is rolled with the last ({over}).")


class ListedCards:
    """The cards of a fight in the order in which they fell; after them no card is played."""

    def __init__(self, cards: Iterable[Card]) -> None:
        self._cards = list(cards)

    def __call__(self, prompt: Prompt) -> Any:
        """Return the next card, or none."""
        return self._cards.pop(0).id if self._cards else STOP

    def finish(self) -> None:
        """Check that no card is left over; raises IllegalAnswer."""
        if self._cards:
            cards = card_words(self._cards)
            over = f"The fight was over before {cards}: a card too many, or a figure."
            raise IllegalAnswer(over, RULE)


def play_script(script: Script[T], throw: Throw, answer: Answers) -> T:
    """Run a rules procedure to its end with dice from ``throw`` and answers from ``answer``."""
    sent: Any = None
    while True:
        try:
            asked = script.send(sent)
        except StopIteration as finished:
            result: T = finished.value
            return result
        sent = None
        if isinstance(asked, Roll):
            sent = asked.resolve(throw(asked))
        elif isinstance(asked, Prompt):
            sent = asked.check(answer(asked))


def _answer_by_program(prompt: Prompt) -> Any:
    if prompt.default is None:
        raise IllegalAnswer(f"Nobody is there to answer: {prompt.text}.", prompt.rule)
    return prompt.default


# -- the log ------------------------------------------------------------------------------


class TableLog:
    """A table and the log of its lines. Without a file it is one line's and keeps nothing."""

    def __init__(self, journal: Journal, seed: int | str | None = None) -> None:
        self.session = Session(MegaGame(), journal)
        own_seed = journal.meta("seed")
        self.given_seed: int | str | None = own_seed if seed is None else seed
        self.logged = journal.path is not None
        self._drawn = (b"", "")
        """The situation for which a seed was drawn, and that seed."""

    @classmethod
    def of_one_line(cls, own: Mapping[str, Any], seed: int | str) -> TableLog:
        """Return a table for one line, without turns and without a log."""
        return cls(Journal.in_memory({"game": GAME, "settings": {"own": own, "turn": 0}}), seed)

    @classmethod
    def create(
        cls, path: Path, title: str, own: Mapping[str, Any], seed: int | str | None = None
    ) -> TableLog:
        """Begin a table's log at ``path``; raises PBCGError if something stands there.

        With a ``seed`` its program dice can be foreseen, for challenges and tests.
        """
        meta: dict[str, Any] = {"game": GAME, "settings": {"title": title, "own": dict(own)}}
        if seed is not None:
            meta["seed"] = seed
        return cls(Journal.create(path, meta, __version__))

    @classmethod
    def open(cls, path: Path, reading: bool = False) -> TableLog:
        """Go on with the table's log at ``path``; raises PBCGError.

        ``reading`` only looks at it, also beside a pbcg that goes on with it.
        """

        def check_game(game: str) -> None:
            if game != GAME:
                raise PBCGError(f"{path} is not a table's log: mega run makes one.")

        return cls((Journal.read if reading else Journal.open)(path, __version__, check_game))

    @property
    def table(self) -> Table:
        """Return the table as it stands."""
        return self.session.state

    @property
    def seed(self) -> int | str:
        """Return the seed of the program dice for the next line.

        In a log it is drawn from the system's entropy for each situation, or made from the log's
        own seed and the lines that stand, as they were typed: how this program tells what they
        brought plays no part. A line in a situation that was there before, and undone, gets the
        dice again.
        """
        if self.given_seed is not None:
            lines = canonical([record.line for _, record in self.records()])
            return (
                f"{self.given_seed}/{sha256(lines).hexdigest()}" if self.logged else self.given_seed
            )
        journal, now = self.session.journal, self.session.journal.situation()
        if self._drawn[0] != now:
            entries = (entry for entry in journal.entries() if entry.kind == "answer")
            bodies = (entry.body for entry in entries if journal.situation(entry.seq) == now)
            seeds = (body.get("seed") for body in bodies if isinstance(body, dict))
            self._drawn = (now, next(filter(None, seeds), "") or secrets.token_hex(16))
        return self._drawn[1]

    def settle(
        self, line: str, script: Script[Outcome], dice: LineDice, answer: Answers | None = None
    ) -> Outcome:
        """Settle one line and keep it; on the disk when this returns.

        Raises PBCGError if the rules or the input do not allow it; nothing has changed then.
        """
        outcome = play_script(script, dice.throw, answer or _answer_by_program)
        dice.finish(outcome)
        if isinstance(answer, ListedCards):
            answer.finish()
        if outcome.idle:
            return outcome
        drawn = self._drawn[1] if self._drawn[0] == self.session.journal.situation() else ""
        record = SettledLine(line=line, outcome=outcome, seed=drawn, other=dice.other)
        self.session.answer(msgspec.to_builtins(record))
        return outcome

    def records(self) -> list[tuple[Entry, SettledLine]]:
        """Return every line that stands, in order, with its entry in the journal."""
        standing = self.session.journal.standing()
        return [(entry, msgspec.convert(entry.body, SettledLine)) for entry in standing]

    def undone_records(self) -> list[tuple[SettledLine, str]]:
        """Return every line that was undone, with the reason for it."""
        journal = self.session.journal
        return [
            (msgspec.convert(entry.body, SettledLine), str(undo.body.get("reason") or ""))
            for undo in journal.entries_of("undo")
            for entry in reversed(journal.text.standing.taken_by(undo))
        ]

    def __enter__(self) -> TableLog:
        return self

    def __exit__(self, *_: object) -> None:
        self.session.journal.close()


def undo_line(session: Session[Table], reason: str = "") -> SettledLine:
    """Undo the last line of a table, and return it; one with dice only for a ``reason``.

    Raises NeedsReason without one, and PBCGError if there is no line.
    """
    standing = session.journal.standing()
    if not standing:
        raise PBCGError("There is no line to undo.")
    last = msgspec.convert(standing[-1].body, SettledLine)
    if last.outcome.thrown and not reason:
        raise NeedsReason(
            f'"{last.line}" was settled by dice: it is undone only for a reason, '
            "which stays in the log. Write undo and the reason."
        )
    session.undo(reason)
    return last
