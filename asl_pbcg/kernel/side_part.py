"""One side's own part of a section, in which both sides act at once, each by itself.

It is played on the state as the section began and on what that side has answered since: nothing of
the other side is in it, so nothing that it asks, refuses or shows can tell of the other side.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import msgspec

from asl_pbcg.kernel.entries import Entry
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal_cache import Snapshot
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.run import HasSections
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.undo_rights import KnownEntries
from asl_pbcg.kernel.views import LogLine, visible

S = TypeVar("S")


class SidePart(Session[S]):
    """The part of ``side`` in the section that ``whole``, the game of both, is at.

    ``pending`` is None once that side has done all of its part. What it answers stands on its own
    branch of the journal; ``whole`` goes on with it as far as the rules ask for it.
    """

    def __init__(self, whole: Session[S], side: str) -> None:
        self.own_branch = side
        self._whole = whole
        self._beginning = whole.before_section()
        self._behind = False
        super().__init__(whole.game, whole.journal)
        self.stamp = self._stamp_now()

    @property
    def began(self) -> int:
        """The last entry before the section."""
        return self._beginning[-1].seq if self._beginning else 0

    @property
    def is_current(self) -> bool:
        """Whether it is still what the journal holds of that side in this section."""
        return self.stamp == self._stamp_now() and not self._behind

    def _stamp_now(self) -> tuple[Any, ...]:
        began = len(self._beginning)
        ends = [kept.end for kept in self.journal.states][:began]
        same = ends[-1:] == [kept.end for kept in self._beginning[-1:]]
        return (same, *self._parents(self.own_branch))

    def standing(self, after: int = 0) -> list[Entry]:
        """Return what this side has answered in the section, and what was corrected openly."""
        return [
            entry
            for entry in self.journal.standing(max(after, self.began))
            if entry.side == self.own_branch or (entry.kind == "correction" and len(entry.on) != 1)
        ]

    def undoable(self) -> list[Entry]:
        """Return what this side has done on its branch, in order: it undoes that by itself."""
        return [entry for entry in self.standing() if len(entry.on) == 1]

    def known_entries(self, viewer: str) -> KnownEntries:
        """Return what this side may undo; nothing of the other side plays a part."""
        return KnownEntries(viewer, tuple(self.undoable()), False, lambda step: "")

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        """Write what is answered, corrected or undone within as one line, or nothing of it."""
        try:
            with self._whole.together():
                yield
                if self._behind:
                    self._whole.play_again()
                    self._behind = False
        except BaseException:
            self._behind = False
            self._replay()
            raise
        self.stamp = self._stamp_now()

    def correct(self, path: str, value: Any, reason: str) -> LogLine:
        """Change a fact that is this side's own secret. Raises PBCGError for any other."""
        line = self.plan(path, value).line
        if not line.secret or line.side != self.own_branch:
            raise PBCGError(
                f"{path} is not this side's alone: both players correct it, or this side when both "
                "are done."
            )
        with self.together():
            self._behind = True
            return super().correct(path, value, reason)

    # -- as it is played ----------------------------------------------------------------------

    def _replay(self) -> None:
        """Play what this side has answered in the section."""
        self.unfit, self.why_unfit = [], ""
        self._placed, self._held = None, []
        self._rolls = None
        waiting, error = self._repeat_all()
        if error:
            self._arrange(waiting, error)
        self._held = self._find_held()
        self._note_reached()

    def _note_reached(self) -> None:
        """Note up to where it may be looked at: this side's last entry."""
        own = self.standing()
        self.until = own[-1].seq if own else self.began

    def beginning_of_part(self) -> tuple[S, int]:
        """Return the state as the section began, and the last entry that it includes."""
        game = self.game
        assert isinstance(game, HasSections)
        part: S = game.part(self._state_of(self._beginning), self.own_branch)
        return part, self.began

    def _from_state(self) -> tuple[S, int]:
        return self.beginning_of_part()

    def _keep(self, seq: int, step: str, state: S, lines: list[LogLine]) -> None:
        self._section_ends.append((step, state, lines))

    def _remark_on_checkpoints(self) -> None:
        """Leave that to the whole."""

    def _kept_states(self) -> Sequence[Snapshot]:
        return self._beginning

    def _tells(self, seq: int) -> bool:
        """Return whether an entry is of before the section, or this side may know of it."""
        return seq <= self.began or visible(self.journal.entry(seq), self.own_branch)

    # -- as it is written ---------------------------------------------------------------------

    @property
    def _bottom(self) -> int:
        branches = self.journal.text.standing.branches
        return branches.base if branches else self.journal.text.standing.top

    def _record(self, asked: Prompt | Roll, stored: Any, sent: Any) -> None:
        super()._record(asked, stored, sent)
        self.until = self.journal.last
        if not self._behind:
            self._whole.hear(self.journal.entry(self.journal.last))

    def _write_undo(
        self, taken: list[Entry], back_to: int, reason: str, waiting: list[Entry] | None
    ) -> None:
        self._behind = True
        if any(len(entry.on) != 1 for entry in taken):
            raise PBCGError("What was answered at one screen only both together can undo.")
        super()._write_undo(taken, max(back_to, self._bottom), reason, waiting)

    def _again(self, placed: list[Entry]) -> None:
        self._behind = True
        own = (msgspec.structs.replace(entry, on=(self._bottom,)) for entry in placed)
        super()._again([*own])


def part_of_side(whole: Session[S], side: str) -> SidePart[S]:
    """Return the part of ``side`` in the section that ``whole`` is at."""
    part = whole.parts.get(side)
    if not isinstance(part, SidePart) or not part.is_current:
        part = whole.parts[side] = SidePart(whole, side)
    return part
