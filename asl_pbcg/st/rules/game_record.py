"""The record of a game, given again step by step.

Rules may have been read otherwise when a game was played. Its file keeps the state after each
step: who plays the record again goes on from there, whatever this version would have made of it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from asl_pbcg.kernel.entries import faces_of
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.st.state.decision import Decision
from asl_pbcg.st.state.game_state import State

if TYPE_CHECKING:
    from asl_pbcg.kernel.entries import Entry as Stored
    from asl_pbcg.kernel.session import Session

Entry = tuple[str, str, Any]
"""Kind (answer or roll), decision point, body: the answer, or the faces of the dice."""


class PlayedOtherwise(PBCGError):
    """A record does not fit the rules as this version has them."""

    def __init__(self) -> None:
        super().__init__(
            "This game was played with another pbcg, in which a rule was read otherwise. It can be "
            "played on; what happened in this phase cannot be told again."
        )


class Kept(NamedTuple):
    """The state after a step, and how many entries had been made by then."""

    entries: int
    state: State


class Record(NamedTuple):
    """The state a game began with, what was answered and rolled since, the states after steps."""

    begun: State
    entries: Sequence[Entry]
    kept: Mapping[str, Kept] = {}
    """By the id of the step."""


def record_of(session: Session[State]) -> Record:
    """Return the record in the file of a game."""
    game: Any = session.game
    journal = session.journal
    standing = [each for each in journal.standing() if each.kind in ("answer", "roll")]
    numbers = [each.seq for each in standing]
    kept = {
        each.step: Kept(bisect_right(numbers, each.seq), game.decode(each.state))
        for each in journal.states
    }
    return Record(game.begin(journal.meta("settings")), list(map(entry_of, standing)), kept)


def entry_of(stored: Stored) -> Entry:
    """Return an entry of the journal."""
    rolled = stored.kind == "roll"
    return stored.kind, stored.point, faces_of(stored.body) if rolled else stored.body


class Given:
    """The entries of a record, one after the other as steps ask for them."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._step = ""
        self.taken = 0
        """How many have been taken."""

    @property
    def coming(self) -> Sequence[Entry]:
        """The next entries, a few of them."""
        return self._record.entries[self.taken : self.taken + 8]

    def begin(self, step: str) -> None:
        """A step begins."""
        self._step = step

    def next(self) -> Entry | None:
        """Return the entry that comes; None where the record ends.

        Raises PlayedOtherwise if the step had no more of them.
        """
        kept = self._record.kept.get(self._step)
        if kept is not None and self.taken >= kept.entries:
            raise PlayedOtherwise
        if self.taken >= len(self._record.entries):
            return None
        self.taken += 1
        return self._record.entries[self.taken - 1]

    def end(self, state: State) -> State:
        """Return the state after the step as it was kept, else ``state``, to which it came now.

        Raises PlayedOtherwise if the step had more entries.
        """
        kept = self._record.kept.get(self._step)
        if kept is None:
            return state
        if self.taken != kept.entries:
            raise PlayedOtherwise
        return kept.state

    def leave(self) -> State | None:
        """Leave a step that went otherwise: the state after it, None if none was kept.

        Raises PlayedOtherwise if nothing at all was kept of the game.
        """
        if not self._record.kept:
            raise PlayedOtherwise
        kept = self._record.kept.get(self._step)
        if kept is None:
            return None
        self.taken = kept.entries
        return kept.state


def settle(asked: Prompt | Roll, body: Any) -> Any:
    """Return a recorded answer or dice as a script gets it; raises PlayedOtherwise if unfit."""
    several = isinstance(body, list | tuple)
    try:
        if isinstance(asked, Roll):
            if not several or not all(type(face) is int for face in body):
                raise PlayedOtherwise
            return asked.resolve(tuple(body))
        if not isinstance(asked, Decision) or asked.kind not in ("choose", "choose-some"):
            return asked.check(body)
    except IllegalAnswer as error:
        raise PlayedOtherwise from error
    if not all(each in asked.ids for each in (body if several else (body,))):
        raise PlayedOtherwise
    return body
