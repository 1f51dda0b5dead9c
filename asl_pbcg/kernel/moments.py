"""The states between the entries of a journal: each entry's before and after, undone ones too."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Generic, TypeVar

from asl_pbcg.kernel.entries import Entry, faces_of
from asl_pbcg.kernel.journal import Journal, Snapshot
from asl_pbcg.kernel.journal_cache import CORRECTION
from asl_pbcg.kernel.journal_lines import lost_entries
from asl_pbcg.kernel.prompts import GameEvent, Prompt, Roll
from asl_pbcg.kernel.replay import before_undo, beginning, repeat
from asl_pbcg.kernel.run import Game, Run, as_asked
from asl_pbcg.kernel.side_part import SidePart
from asl_pbcg.kernel.views import LogLine

S = TypeVar("S")


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryMoment(Generic[S]):
    """The change of the state by one entry within one step.

    An entry that ends a step has a moment in each step that it runs through. ``entry`` is None for
    what follows from the settings, ``asked`` None for a correction and for a whole step of which
    the file keeps the outcome only. ``undone`` is the number of the undo that took the entry.
    ``events`` are the facts that came about, in order.
    """

    step: str
    before: S
    after: S
    entry: Entry | None = None
    asked: Prompt | Roll | None = None
    undone: int = 0
    events: tuple[GameEvent, ...] = ()

    @property
    def seq(self) -> int:
        """The number of the entry; 0 without one."""
        return self.entry.seq if self.entry else 0

    @property
    def sent(self) -> Any:
        """The answer, or the roll as it was resolved; None where nothing was asked."""
        if self.entry is None or self.asked is None:
            return None
        if isinstance(self.asked, Roll):
            return self.asked.resolve(faces_of(self.entry.body))
        return self.asked.in_present_words(self.entry.body)

    @property
    def line(self) -> LogLine | None:
        """The line of the log that tells the answer or roll; None where nothing was asked."""
        return LogLine.of(self.step, self.asked, self.sent) if self.asked else None


def moments(
    game: Game[S], journal: Journal, start: Snapshot | None = None, until: int | None = None
) -> list[EntryMoment[S]]:
    """Return the moments of a journal from its beginning or ``start`` on, in order of entries.

    Those of the entry ``until`` are the last.
    Where the rules of this version ask otherwise, a step is told by the state that the file keeps.
    """
    state = game.decode(start.state) if start else beginning(game, journal)
    recorder = _Recorder(game, state, start.seq if start else 0)
    ends = {kept.seq: kept for kept in journal.states}  # the last of several with one number
    for kept in ends.values():
        if kept.checkpoint and kept.seq > recorder.reached:
            recorder.jump(kept)
    for entry in as_asked(lambda: recorder.run, journal.standing(recorder.reached)):
        if entry.seq <= recorder.jumped:
            continue
        try:
            recorder.play(entry)
        except Exception:  # whatever an unforeseen answer does to a script
            end = next((kept for seq, kept in ends.items() if seq >= entry.seq), None)
            if end is None:
                break
            recorder.jump(end)
    found, played = recorder.moments, len(recorder.moments)
    for undo in journal.entries_of("undo", start.seq if start else 0):
        found += _undone_moments(game, journal, undo)
    order = [*accumulate((moment.seq for moment in found[:played]), max)]  # as played, in a section
    order += [moment.seq for moment in found[played:]]
    numbered = sorted(zip(order, range(len(found)), strict=True))
    return [found[at] for _, at in numbered if until is None or found[at].seq <= until]


def _undone_moments(game: Game[S], journal: Journal, undo: Entry) -> Iterable[EntryMoment[S]]:
    """Return the moments of what an undo took and its own command did not give again."""
    lost = {entry.seq for entry in lost_entries(journal, undo)}
    if not lost:
        return []
    state, seq, stood = before_undo(game, journal, undo)
    recorder = _Recorder(game, state, seq, undo.seq)
    with contextlib.suppress(Exception):  # another version asked otherwise: what went before stands
        for entry in as_asked(lambda: recorder.run, stood):
            recorder.play(entry)
    return (moment for moment in recorder.moments if moment.seq in lost)


def moments_in_part(part: SidePart[S], start: Snapshot | None) -> list[EntryMoment[S]]:
    """Return the moments up to a section, and those of one side's own part of it."""
    before = moments(part.game, part.journal, start, part.began)
    recorder = _Recorder(part.game, *part.beginning_of_part())
    for entry in part.standing():
        recorder.play(entry)
    return before + recorder.moments


class _Recorder(Generic[S]):
    """A run that notes the state after each entry and each step."""

    def __init__(self, game: Game[S], state: S, seq: int, undone: int = 0) -> None:
        self.moments: list[EntryMoment[S]] = []
        self.reached = self.jumped = seq
        self._game, self._state, self._undone = game, state, undone
        self._entry: Entry | None = None
        self._asked: Prompt | Roll | None = None
        self._events: list[GameEvent] = []
        self.run = self._run_from(state, seq)
        self._note_now()

    def play(self, entry: Entry) -> None:
        """Go on with an entry. Raises PBCGError if it does not fit."""
        self._entry = entry
        self._asked = None if entry.kind == "correction" else self.run.pending
        repeat(self._game, self.run, entry)
        self._note_now(always=not self.moments or self.moments[-1].entry is not entry)
        self.reached = max(self.reached, entry.seq)

    def jump(self, kept: Snapshot) -> None:
        """Go on from a state that the file keeps."""
        self._entry = self._asked = None
        self._events.clear()
        self._note(kept.step, self._game.decode(kept.state))
        self.run = self._run_from(self._state, kept.seq)
        self._note_now()
        self.reached = self.jumped = kept.seq

    def _run_from(self, state: S, seq: int) -> Run[S]:
        return Run(self._game, state, seq, self._end_step, self._events.append)

    def _end_step(self, _seq: int, step: str, state: S, _lines: list[LogLine]) -> None:
        self._note(self._entry.step if self._entry and step == CORRECTION else step, state)

    def _note_now(self, always: bool = False) -> None:
        if self.run.step and (always or self.run.now is not self._state):
            self._note(self.run.step.id, self.run.now)

    def _note(self, step: str, state: S) -> None:
        self.moments.append(
            EntryMoment(
                step=step,
                before=self._state,
                after=state,
                entry=self._entry,
                asked=self._asked,
                undone=self._undone,
                events=tuple(self._events),
            )
        )
        self._events.clear()
        self._state = state
