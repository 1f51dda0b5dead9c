"""The game as a side sees it that waits while the other acts in secret: as it stood before.

How far the other side has come, and even which steps ask it something, tells what it has. So
nothing that a waiting page receives changes until something is asked that it may see.
"""

from __future__ import annotations

import itertools
from typing import Any

from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.session import Session, Step
from asl_pbcg.kernel.views import LogLine, visible
from asl_pbcg.play.open_game import OpenGame

ENTRIES = ("answer", "roll", "correction")
"""The kinds of lines that an entry of the journal has made."""


def waits(game: OpenGame, side: str) -> bool:
    """Whether the other side is asked in secret, so that ``side`` only waits."""
    pending = game.session.pending
    return pending is not None and not visible(pending, side)


def as_it_stood(game: OpenGame, side: str) -> OpenGame:
    """The game as ``side`` knew it when it last acted or saw the other act; to look at only."""
    stood = OpenGame(game.path, game.plug, AsItStood(game.session, side), writing=False)  # type: ignore[arg-type]
    stood.proposals = game.proposals
    return stood


def as_seen(game: OpenGame, viewer: str) -> OpenGame:
    """The game as ``viewer`` may look at it: as it stood where one side waits for the other."""
    waiting = viewer in game.plug.sides and waits(game, viewer)
    return as_it_stood(game, viewer) if waiting else game


class AsItStood:
    """A session seen by a side that waits: state and log of the moment it last took part."""

    def __init__(self, session: Session[Any], side: str) -> None:
        self.journal = session.journal
        self.game = session.game
        self.pending: Prompt | Roll | None = session.pending
        self.begun = True
        self.typed_dice = session.typed_dice
        self.program_dice = session.program_dice
        seen = [entry.seq for entry in session.journal.standing() if visible(entry, side)]
        self.until = seen[-1] if seen else 0
        snapshot = session.journal.states.last(seen[-1] - 1) if seen else None
        if snapshot:
            self.state = session.game.decode(snapshot.state)
        else:
            self.state = session.game.begin(session.journal.meta("settings") or {})
        self.step: Step[Any] | None = session.game.next_step(self.state)
        self._lines = _tell(session.lines(), side)

    def lines(self) -> list[LogLine]:
        """The log up to that moment."""
        return self._lines


def _tell(lines: list[LogLine], side: str) -> list[LogLine]:
    """The log up to the last entry that ``side`` saw, with what it alone was told since.

    Before that there is only what the very first step told both.
    """
    last = max(
        (n for n, line in enumerate(lines) if line.kind in ENTRIES and visible(line, side)),
        default=-1,
    )
    if last < 0:
        return [line for line in lines if line.step == lines[0].step and not line.secret]
    after = itertools.takewhile(
        lambda line: line.secret and line.side == side and line.step == lines[last].step,
        lines[last + 1 :],
    )
    return [*lines[: last + 1], *after]
