"""Run a game's scripts in memory, from a state on, with given answers and without a file.

``place`` reuses earlier answers where the same is asked: by decision point and subject.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

import msgspec

from asl_pbcg.kernel.entries import Entry, faces_of
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.prompts import GameEvent, Note, Prompt, Roll, Script
from asl_pbcg.kernel.views import LogLine

S = TypeVar("S")
T = TypeVar("T")


class Step(msgspec.Struct, Generic[S], frozen=True):
    """One numbered step of a procedure: its script takes the state and returns the new one."""

    id: str
    title: str
    script: Callable[[S], Script[S]]
    rule: str = ""


class Game(Protocol[S]):
    """The side of a game that the runner knows.

    With ``rules_of`` it names the rooms and data folders of its rules: the journal keeps their
    fingerprint. With ``check_state(state)`` it refuses a state that a file gives and it could not
    go on from: raises PBCGError.
    """

    name: str

    def begin(self, settings: Mapping[str, Any]) -> S:
        """Return the state before the first step."""
        ...

    def next_step(self, state: S) -> Step[S] | None:
        """Return the step that comes next, or None when nothing is left to do."""
        ...

    def encode(self, state: S) -> bytes:
        """Return the state as it is stored."""
        ...

    def decode(self, stored: bytes) -> S:
        """Return the state from its stored form, also one that an older version wrote."""
        ...


def begin(game: Game[S], settings: Mapping[str, Any] | None) -> S:
    """Return the state of ``game`` before its first step, with the settings that its file holds.

    Raises PBCGError for settings that it cannot use.
    """
    try:
        return game.begin(settings or {})
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise PBCGError(
            "The settings with which the file says that it began cannot be used: it is damaged, "
            "or another version wrote it."
        ) from error


class Correctable(Game[S], Protocol[S]):
    """A game whose players may correct facts.

    With ``check_correction(before, after)`` it refuses what it could not go on with.
    """

    def correct(self, state: S, path: str, value: Any) -> tuple[S, LogLine]:
        """Return the state with one fact changed by the players, and the line that tells it."""
        ...


@runtime_checkable
class TakesSecretTurns(Protocol):
    """A game in which one side may act unknown to the other."""

    def turn_since(self, state: Any, step: str, viewer: str) -> str:
        """Return the side that may have acted unknown to ``viewer`` since ``step``; else ''."""
        ...


@runtime_checkable
class HasSections(Protocol):
    """A game in which both sides act at once in some steps, each by itself."""

    def is_apart(self, state: Any) -> bool:
        """Return whether the step that is next belongs to such a section."""
        ...

    def part(self, state: Any, side: str) -> Any:
        """Return the state on which the part of one side is played alone."""
        ...


class Run(Generic[S]):
    """A game in progress from the state ``state`` on, which includes the entry ``seq``.

    ``pending`` is the prompt or roll that waits, None when the game waits for nothing; ``lines``
    tell the step in progress. ``finished`` hears of each step that ends: the number of the last
    entry it includes, its id, the state and its lines. ``happened`` hears of each event.
    """

    def __init__(
        self,
        game: Game[S],
        state: S,
        seq: int,
        finished: Callable[[int, str, S, list[LogLine]], None],
        happened: Callable[[GameEvent], None] | None = None,
    ) -> None:
        self.game = game
        self.state = state
        self.seq = seq
        self.began = seq
        """The last entry before the step in progress."""
        self._finished = finished
        self._happened = happened
        self.start()

    def start(self) -> None:
        """Begin the step that comes next, and go on to the first thing it asks."""
        self._begin()
        self._close_steps()

    def _begin(self) -> None:
        self.lines: list[LogLine] = []
        self.answered = 0
        """How many answers and rolls the step in progress was given."""
        self._done = False
        self.pending: Prompt | Roll | None = None
        self.step: Step[S] | None = self.game.next_step(self.state)
        if self.step:
            self._script = self.step.script(self.state)
            self._send(None, self.seq)

    def feed(self, sent: Any, seq: int) -> None:
        """Give the script what it asked for, which will be or is the entry ``seq``.

        The step is closed only by ``close``: what the script raises leaves no trace of it.
        """
        assert self.step and self.pending is not None
        if isinstance(self.pending, Prompt):
            sent = self.pending.in_present_words(sent)
        line = LogLine.of(self.step.id, self.pending, sent)
        self.lines.append(msgspec.structs.replace(line, seq=seq))
        self._send(sent, seq)
        self.answered += 1
        self.seq = max(self.seq, seq)

    @property
    def now(self) -> S:
        """The state as it stands inside the step in progress, with all that was settled in it."""
        if self.step is None or self.pending is None:
            return self.state
        inside = self.pending.state
        return inside if isinstance(inside, type(self.state)) else self.state

    @property
    def done(self) -> bool:
        """Whether the step in progress has come to its end."""
        return self._done

    def close(self) -> None:
        """Close the step if it is done, and whatever step is done without a question."""
        self._close_steps()

    def change(self, state: S, line: LogLine, seq: int) -> None:
        """Go on from a corrected state, at the beginning of the step."""
        self.state, self.seq = state, max(self.seq, seq)
        self.began = self.seq
        self._finished(self.seq, "correction", state, [msgspec.structs.replace(line, seq=seq)])
        self.start()

    def _send(self, value: Any, seq: int) -> None:
        """Run the script on to its next prompt or roll, gathering notes on the way."""
        assert self.step
        try:
            asked = self._script.send(value)
            while isinstance(asked, Note):
                if self._happened and isinstance(asked, GameEvent):
                    self._happened(asked)
                if asked.text:
                    line = LogLine.of_note(self.step.id, asked)
                    self.lines.append(msgspec.structs.replace(line, seq=seq))
                asked = self._script.send(None)
            self.pending = asked
        except StopIteration as finished:
            self.pending = None
            self._next: S = finished.value
            self._done = True

    def _close_steps(self) -> None:
        while self._done and self.step:
            self.state = self._next
            self.began = self.seq
            self._finished(self.seq, self.step.id, self.state, self.lines)
            self._begin()


class BranchQueues(Generic[S]):
    """Queue what the sides of a section answered until a run asks for it in the order of the rules.

    So a replay does not depend on who was quicker.
    """

    def __init__(self) -> None:
        self._branches: dict[str, deque[Entry]] = {}

    def add(self, entry: Entry) -> None:
        """Go on with the next entry of a branch."""
        self._branches.setdefault(entry.side, deque()).append(entry)

    def take(self, run: Run[S]) -> Entry | None:
        """Return the next entry of the side that ``run`` asks; None where it has not answered yet.

        A correction of a side comes before all that is asked in its step.
        """
        for branch in self._branches.values():
            corrects = branch and branch[0].kind == "correction" and not run.answered
            if corrects and run.step and branch[0].step == run.step.id:
                return branch.popleft()
        branch = self._branches.get(run.pending.side if run.pending else "", deque())
        return branch.popleft() if branch else None

    def take_oldest(self) -> Entry | None:
        """Return the oldest one whether it is asked for or not; None without any."""
        heads = [branch for branch in self._branches.values() if branch]
        oldest = min(heads, key=lambda branch: branch[0].seq, default=None)
        return oldest.popleft() if oldest else None


def as_asked(
    run: Callable[[], Run[S]], entries: list[Entry], ahead: BranchQueues[S] | None = None
) -> Iterator[Entry]:
    """Yield entries in the order in which a run asks for what they answer.

    In ``ahead`` waits what a side of the last section has answered ahead of the other.
    """
    waiting = deque(entries)
    while waiting:
        if len(waiting[0].on) != 1:
            yield waiting.popleft()
            continue
        section = BranchQueues[S]() if ahead is None else ahead
        while waiting and len(waiting[0].on) == 1:
            section.add(waiting.popleft())
        while (entry := section.take(run())) or (waiting and (entry := section.take_oldest())):
            yield entry


def fits(entry: Entry, asked: Prompt | Roll, step: str) -> bool:
    """Return whether an entry answers ``asked``: by its decision point and what it is about."""
    return (
        entry.step == step
        and entry.point == asked.id
        and (entry.kind == "roll") == isinstance(asked, Roll)
        and entry.about == asked.about
    )


def fitting(pool: list[Entry], asked: Prompt | Roll, step: str) -> Entry | None:
    """Return the first entry of ``pool`` that answers ``asked``."""
    return next((entry for entry in pool if fits(entry, asked, step)), None)


def without(pool: list[Entry], given: Entry) -> list[Entry]:
    """``pool`` without the first entry that answers the same as ``given``."""
    for at, entry in enumerate(pool):
        same = (entry.step, entry.point, entry.kind) == (given.step, given.point, given.kind)
        if same and entry.about in ("", given.about):
            return pool[:at] + pool[at + 1 :]
    return pool


def check_entry(asked: Prompt | Roll, entry: Entry) -> tuple[Any, Any]:
    """Return what is stored and sent if ``entry`` answers ``asked``. Raises IllegalAnswer."""
    if isinstance(asked, Roll):
        return entry.body, asked.resolve(faces_of(entry.body))
    stored = asked.check(asked.in_present_words(entry.body))
    return stored, stored


def place(
    game: Game[S],
    state: S,
    seq: int,
    pool: list[Entry],
    finished: Any = lambda *_: None,
) -> tuple[Run[S], list[Entry]]:
    """Run from ``state`` on with answers out of ``pool``, up to the first that nobody gave.

    Returns the run and the entries placed, in the order in which they were asked for.
    """
    barred: set[int] = set()
    while True:
        kept: list[Any] = []
        run: Run[S] = Run(game, state, seq, lambda *step, kept=kept: kept.append(step))
        left, placed = list(pool), []
        failed = False
        while run.pending is not None and run.step:
            found = fitting(left, run.pending, run.step.id)
            if found is None or found.seq in barred:
                break
            try:
                stored, sent = check_entry(run.pending, found)
            except PBCGError:
                break
            try:
                run.feed(sent, found.seq)
                run.close()
            except Exception:  # the script is of no use any more: once more, without this answer
                barred.add(found.seq)
                failed = True
                break
            left.remove(found)
            placed.append(msgspec.structs.replace(found, body=stored))
        if not failed:
            for step in kept:
                finished(*step)
            run._finished = finished
            return run, placed
