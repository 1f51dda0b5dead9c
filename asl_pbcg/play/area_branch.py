"""A new area game that goes on from an earlier moment of another."""

from __future__ import annotations

from pathlib import Path

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import make_new
from asl_pbcg.kernel.journal_file import read_file
from asl_pbcg.kernel.session import Session
from asl_pbcg.play.area_game import rules_of
from asl_pbcg.play.area_look import film_frames
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.st.area_terms import PHASES
from asl_pbcg.st.follow import replay_record
from asl_pbcg.st.game import AreaGame
from asl_pbcg.st.record import record_of
from asl_pbcg.st.rules.game_state import State


def branch_game(
    session: Session[State], new: Path, turn: int = 0, frame: int = 0, german: bool = False
) -> str:
    """Write a copy of a game to ``new`` that stands where turn or frame begins; return where.

    A turn begins at its British Movement Phase, or ``german`` at the German one; ``frame`` is the
    number that the film shows. Raises PBCGError if the game had no such moment or the new file
    exists.
    """
    if bool(turn) == bool(frame):
        raise PBCGError("Say where to play on from: a turn or a frame of the film, one of both.")
    old = session.journal.path
    assert old
    if german and not turn:
        raise PBCGError("Say of which turn the German Movement Phase is meant.")
    entries = _entries_by_turn(session, turn, german) if turn else _entries_by_frame(session, frame)
    make_new(new, read_file(old))
    where = f"turn {turn}" if turn else f"frame {frame}"
    where += ", German Movement Phase" if german else ""
    with OpenGame.open(new, game=AreaGame.name) as game:
        made = [each for each in game.session.journal.standing() if each.kind in ("answer", "roll")]
        if entries < len(made):
            reason = f"played on from {where} of {old.name}"
            game.session.undo_to(made[entries].seq, reason)
        game.note_change()
    return where


def _entries_by_turn(session: Session[State], turn: int, german: bool) -> int:
    """Return how many answers and rolls came before the British or German move of a turn."""
    phase = "german_movement" if german else "british_movement"
    for moment in replay_record(rules_of(session), record_of(session)):
        state = moment.state
        if moment.kind != "begin" or state is None or not state.ready or state.turn != turn:
            continue
        if PHASES[state.phase].name == phase:
            return moment.taken
    raise PBCGError(f"The game has not come to turn {turn} yet.")


def _entries_by_frame(session: Session[State], frame: int) -> int:
    """Return how many answers and rolls there were when a frame of the film was shown."""
    frames = film_frames(session)
    if not 1 <= frame <= len(frames):
        raise PBCGError(f"The film has frames 1 to {len(frames)}, not {frame}.")
    return frames[frame - 1].event.entries
