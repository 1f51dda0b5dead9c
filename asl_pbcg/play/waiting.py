"""The game as a side sees it that waits while the other acts in secret: as it stood before.

The progress of the other side, and even which steps ask it something, tell what it has. So nothing
that a waiting page receives changes until something is asked that it may see. Here too a side
with several players hands over who decides (``hand_decisions``).
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from asl_pbcg.kernel.deciders import check_hand, hand_over, named_twice, names_in
from asl_pbcg.kernel.errors import PBCGError
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
    """The game as ``viewer`` may look at it: as it stood where one side waits for the other.

    Where both act at once it is that side's own part.
    """
    game = game.played_by(viewer)
    waiting = viewer in game.plug.sides and waits(game, viewer)
    return as_it_stood(game, viewer) if waiting else game


class AsItStood:
    """A session seen by a side that waits: state and log of the moment it last took part."""

    own_branch = ""
    apart = False

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


def hand_decisions(game: OpenGame, side: str, name: str, deciders: Mapping[str, str]) -> str:
    """Hand what ``side`` decides to one of its players; return the name as the side has it.

    ``deciders`` says who decides for each side now. Raises PBCGError.
    """
    session, pending = game.session, game.session.pending
    names = game.plug.players(session.state).get(side, ())
    if not side:
        raise PBCGError("What is asked now is for both sides: name the side with --as.")
    player = check_hand(names, side, name)
    if deciders.get(side) == player:
        return player
    asked = pending is not None and pending.secret and pending.side == side
    secret = asked or session.own_branch == side
    seen = as_seen(game, side).session
    with session.together():
        step = seen.step.id if seen.step else "players"
        hand_over(session.journal, side, player, step, secret)
    game.note_change(plays_on=False)
    return player


def check_players(path: str, value: Any, deciders: Mapping[str, str]) -> None:
    """Refuse a side's players where one is named twice or who decides is not among them.

    ``path`` and ``value`` are those of a correction. Raises PBCGError.
    """
    key, _, side = path.partition("/")
    if key != "players":
        return
    if twice := named_twice(str(value)):
        raise PBCGError(f"{twice} is named twice: each player once, as Anne, Ben.")
    decider = deciders.get(side, "")
    if decider and decider not in names_in(str(value)):
        raise PBCGError(
            f"{decider} decides for the {side.capitalize()} side: hand that to another of its "
            "players first."
        )
