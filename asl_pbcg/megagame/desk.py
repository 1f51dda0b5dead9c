"""The umpire's desk: a table's log in a journal file, or a passing table for one line.

A journal file holds one entry for each settled line: the words, and all that they came to.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from asl_pbcg import __version__
from asl_pbcg.kernel.errors import IllegalAnswer, NeedsReason, PBCGError
from asl_pbcg.kernel.journal import Entry, Journal
from asl_pbcg.kernel.prompts import Note, Prompt, Roll, Script, ask, tell
from asl_pbcg.kernel.session import Session, Step
from asl_pbcg.megagame.outcome import Outcome
from asl_pbcg.megagame.settings import Settings
from asl_pbcg.megagame.table import Table, all_phases
from asl_pbcg.megagame.typed import LineDice, ListedCards, Throw
from asl_pbcg.megagame.upkeep import first_phase

T = TypeVar("T")
GAME: Final = "megagame"
Answer = Callable[[Prompt], Any]


class Record(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One entry of a table's log: the line as it was given and what it came to.

    ``seed`` is what the program drew for its dice; ``other`` names other dice than its own.
    """

    line: str
    outcome: Outcome
    seed: str = ""
    other: str = ""


class MegaGame:
    """What the session runner must know of a table: one step for each line."""

    name = GAME
    rules_of = (("megagame",), ("megagame",))

    def begin(self, settings: Mapping[str, Any]) -> Table:
        """The table before its first line."""
        own = dict(settings.get("own") or {})
        return Table(
            title=str(settings.get("title") or ""),
            turn=1,
            phase=first_phase(Settings(own)),
            own=own,
        )

    def next_step(self, state: Table) -> Step[Table] | None:
        """The next line; a table is never at its end."""
        title = f"Turn {state.turn}, {all_phases()[state.phase].title}"
        return Step(id=f"{state.turn}.{state.phase}", title=title, script=_one_line)

    def encode(self, state: Table) -> bytes:
        """The table as it is stored."""
        return msgspec.json.encode(state)

    def decode(self, stored: bytes) -> Table:
        """The table from its stored form."""
        return msgspec.json.decode(stored, type=Table)

    def rolls_in(self, body: Any) -> tuple[int, bool]:
        """How many rolls settled a line, and whether their dice were not the program's own."""
        try:
            record = msgspec.convert(body, Record)
        except msgspec.ValidationError:
            return 0, False
        return record.outcome.thrown, bool(record.other)


def _one_line(table: Table) -> Script[Table]:
    """Take one settled line into the table."""
    body = yield from ask(
        Prompt(id="line", text="What happens?", kind="document", verify=_checked_record)
    )
    outcome = msgspec.convert(body, Record).outcome
    yield from tell(outcome.line)
    return outcome.after(table)


def _checked_record(body: Any) -> Any:
    try:
        record = msgspec.convert(body, Record)
    except msgspec.ValidationError as error:
        raise IllegalAnswer(f"That is no settled line: {error}.") from error
    return msgspec.to_builtins(record)


def settle(script: Script[T], throw: Throw, answer: Answer) -> T:
    """Run a rules procedure to its end with dice from ``throw`` and answers from ``answer``."""
    try:
        asked = next(script)
        while True:
            sent: Any = None
            if isinstance(asked, Roll):
                sent = asked.resolve(throw(asked))
            elif isinstance(asked, Prompt):
                sent = asked.check(answer(asked))
            else:
                assert isinstance(asked, Note)
            asked = script.send(sent)
    except StopIteration as finished:
        result: T = finished.value
        return result


class Desk:
    """Where lines are settled: at a table with its log file, or at a passing one."""

    def __init__(
        self, table: Table, seed: int | str | None, session: Session[Table] | None = None
    ) -> None:
        self._table = table
        self._seed = seed
        self._session = session
        self._drawn = (b"", "")
        """The situation for which a seed was drawn, and that seed."""

    @classmethod
    def passing(cls, own: Mapping[str, Any], seed: int | str) -> Desk:
        """A desk for one line, without turns and without a log."""
        return cls(Table(own=dict(own)), seed)

    @classmethod
    def create(
        cls, path: Path, title: str, own: Mapping[str, Any], seed: int | str | None = None
    ) -> Desk:
        """Begin a table's log at ``path``; raises PBCGError if something stands there.

        With a ``seed`` its program dice can be foreseen, for challenges and tests.
        """
        meta: dict[str, Any] = {"game": GAME, "settings": {"title": title, "own": dict(own)}}
        if seed is not None:
            meta["seed"] = seed
        return cls._of(Journal.create(path, meta, __version__))

    @classmethod
    def open(cls, path: Path, reading: bool = False) -> Desk:
        """Go on with the table's log at ``path``; raises PBCGError if it is none.

        ``reading`` only looks at it, also beside a pbcg that goes on with it.
        """

        def check_game(game: str) -> None:
            if game != GAME:
                raise PBCGError(f"{path} is a campaign and no table's log: mega run makes one.")

        open_journal = Journal.read if reading else Journal.open
        return cls._of(open_journal(path, __version__, check_game))

    @classmethod
    def _of(cls, journal: Journal) -> Desk:
        try:
            session = Session(MegaGame(), journal)
            seed = None if journal.carried else journal.meta("seed")
            return cls(session.state, seed, session)
        except BaseException:
            journal.close()
            raise

    @property
    def given_seed(self) -> int | str | None:
        """The seed that the log was begun with, if any."""
        return self._seed

    @property
    def seed(self) -> int | str:
        """The seed of the program dice for the next line.

        In a log it is drawn from the system's entropy for each situation, or made from the log's
        own seed. A line in a situation that was there before, and taken back, gets the dice again.
        """
        if not self._session:
            assert self._seed is not None
            return self._seed
        journal = self._session.journal
        now = journal.situation()
        if self._seed is not None:
            return f"{self._seed}/{now.hex()}"
        if self._drawn[0] != now:
            self._drawn = (now, self._seed_before(now) or secrets.token_hex(16))
        return self._drawn[1]

    def _seed_before(self, now: bytes) -> str:
        assert self._session
        journal = self._session.journal
        for entry in journal.entries_of("answer"):
            same = isinstance(entry.body, dict) and journal.situation(entry.seq) == now
            if same and entry.body.get("seed"):
                return str(entry.body["seed"])
        return ""

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return self._session.state if self._session else self._table

    @property
    def fingerprint(self) -> str:
        """The short fingerprint of the log's head; empty without a log."""
        return self._session.journal.fingerprint if self._session else ""

    @property
    def session(self) -> Session[Table] | None:
        """The table's log in progress; None at a passing table."""
        return self._session

    @property
    def logged(self) -> bool:
        """Whether lines are kept in a file."""
        return self._session is not None

    def settle(
        self, line: str, script: Script[Outcome], dice: LineDice, answer: Answer | None = None
    ) -> Outcome:
        """Settle one line and keep it; on the disk when this returns.

        Raises PBCGError if the rules or the input do not allow it; nothing has changed then.
        """
        outcome = settle(script, dice.throw, answer or _by_program)
        dice.finish(outcome)
        if isinstance(answer, ListedCards):
            answer.finish()
        if outcome.idle:
            return outcome
        if self._session:
            drawn = self._drawn[1] if self._drawn[0] == self._session.journal.situation() else ""
            record = Record(line=line, outcome=outcome, seed=drawn, other=dice.other)
            self._session.answer(msgspec.to_builtins(record))
        else:
            self._table = outcome.after(self._table)
        return outcome

    def undo(self, reason: str = "") -> Record:
        """Take back the last line; one with dice only for a reason, which stays in the log."""
        if not self._session:
            raise PBCGError("There is nothing to take back: this line is in no table's log.")
        return undo_line(self._session, reason)

    def records(self) -> list[tuple[Entry, Record]]:
        """Every line that stands, in order, with its entry in the journal."""
        if not self._session:
            return []
        standing = self._session.journal.standing()
        return [(entry, msgspec.convert(entry.body, Record)) for entry in standing]

    def undone_records(self) -> list[tuple[Record, str]]:
        """Every line that was taken back, with the reason for it."""
        if not self._session:
            return []
        found: list[tuple[Record, str]] = []
        open_lines: list[Entry] = []
        for entry in self._session.journal.entries():
            if entry.kind == "undo":
                while open_lines and open_lines[-1].seq > entry.body["back_to"]:
                    record = msgspec.convert(open_lines.pop().body, Record)
                    found.append((record, str(entry.body.get("reason") or "")))
            elif entry.kind == "answer":
                open_lines.append(entry)
        return found

    def close(self) -> None:
        """Let the log file go."""
        if self._session:
            self._session.journal.close()

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _by_program(prompt: Prompt) -> Any:
    """The program decides for itself, where nobody else does."""
    if prompt.default is None:
        raise IllegalAnswer(f"Nobody is there to answer: {prompt.text}.", prompt.rule)
    return prompt.default


def undo_line(session: Session[Table], reason: str) -> Record:
    """Take back the last line of a table, and give it; one with dice only for a ``reason``.

    Raises NeedsReason without one, and PBCGError if there is no line.
    """
    standing = session.journal.standing()
    if not standing:
        raise PBCGError("There is no line to take back.")
    last = msgspec.convert(standing[-1].body, Record)
    if last.outcome.thrown and not reason:
        raise NeedsReason(
            f'"{last.line}" was settled by dice: it is taken back only for a reason, '
            "which stays in the log. Write undo and the reason."
        )
    session.undo(reason)
    return last
