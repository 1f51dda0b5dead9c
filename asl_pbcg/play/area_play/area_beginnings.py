"""New area games: from a form, from an earlier moment of another game, or the guided first game.

The forms also offer the challenge of a date. The guided game has five orders round the pillbox, on
dice that are known; ``GUIDE`` holds its lessons.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import make_new
from asl_pbcg.kernel.journal_file import read_file
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.typed_data import data_file
from asl_pbcg.play.area_play.area_game import create_game, rules_of
from asl_pbcg.play.area_play.area_look import film_frames
from asl_pbcg.play.area_play.area_orders import AreaOrders
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.plug import Beginning, Chosen, FormField
from asl_pbcg.play.seat import Seat
from asl_pbcg.st.area_terms import PHASES
from asl_pbcg.st.board.map_load import load_map
from asl_pbcg.st.many.score_card import challenge_meta, player_name, read_date
from asl_pbcg.st.picture.follow import replay_record
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.rules.game_record import record_of
from asl_pbcg.st.state.game_state import State


class Lesson(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One prompt of the guide: what is said, the orders, what the guide does after them."""

    title: str
    say: str
    orders: tuple[str, ...]
    then: tuple[str, ...] = ()
    roll: str
    """It is over when this has been rolled, in the area ``at`` if it names one, and ``turn`` has
    come."""
    at: str = ""
    turn: int = 1
    until: int
    """How many answers stand then, if nothing but its orders has been given."""


class GuideSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of the guided game."""

    mode: Literal["historical", "variable"]


class Guide(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The guided game."""

    seed: int
    settings: GuideSettings
    welcome: str
    lessons: tuple[Lesson, ...]
    farewell: str


GUIDE: Final = data_file("st/guide.yaml", Guide)


def begin_guide(path: Path) -> OpenGame:
    """Make the game of the guide at ``path``; the caller closes it. Raises PBCGError."""
    guide = GUIDE.content
    settings = msgspec.to_builtins(guide.settings)
    meta = {"settings": settings, "dice": "seeded", "seed": guide.seed, "guide": "pillbox"}
    return create_game(path, meta, load_map())


def lesson_of(game: OpenGame) -> int:
    """Which lesson a game of the guide stands at, from 0; their number when all is learned."""
    session, lessons = game.session, GUIDE.content.lessons
    rolled = [(line.point, line.where) for line in session.lines() if line.kind == "roll"]

    def is_over(lesson: Lesson) -> bool:
        made = [where for point, where in rolled if point == lesson.roll]
        is_rolled = lesson.at in made if lesson.at else bool(made)
        return is_rolled and session.state.turn >= lesson.turn

    return next((n for n, lesson in enumerate(lessons) if not is_over(lesson)), len(lessons))


def _list_answers(game: OpenGame) -> list[str]:
    """Return the questions that were answered and stand."""
    return [entry.point for entry in game.session.journal.standing() if entry.kind == "answer"]


def begin_lesson_again(seat: Seat) -> bool:
    """Undo what stands of a lesson that is half done, for its orders fit its beginning alone.

    Whether there was anything.
    """
    number, points = lesson_of(seat.game), _list_answers(seat.game)
    if number == len(GUIDE.content.lessons):
        return False
    begin = (
        GUIDE.content.lessons[number - 1].until
        if number
        else points.index("act")
        if "act" in points
        else len(points)
    )
    while len(_list_answers(seat.game)) > begin:
        seat.undo("the lesson begins again")
    return len(points) > begin


def is_guided(game: OpenGame) -> bool:
    """Tell whether a file holds the game of the guide."""
    return bool(game.session.journal.meta("guide"))


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
        made = [
            entry for entry in game.session.journal.standing() if entry.kind in ("answer", "roll")
        ]
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


CHALLENGE: Final = "challenge"
_FREE: Final = ("mode=historical", "mode=full_history", "mode=variable")
"""The modes of a game that is not a challenge."""
_MODE: Final = FormField(
    name="mode",
    label="1. Which game?",
    default="historical",
    options=(
        ("historical", "The historical game", "the real forces; begin here"),
        ("full_history", "Full history", "glider 4 is missing, as it was, and none is lost"),
        ("variable", "A variable game", "you load the gliders; a German set-up is drawn unseen"),
        (CHALLENGE, "The challenge of a date", "the same set-up and dice for everyone"),
    ),
)
_DIFFICULTY: Final = FormField(
    name="difficulty",
    label="How strong may the Germans be?",
    options=(
        ("easy", "Easy", "57 VP for a victory"),
        ("medium", "Medium", ""),
        ("hard", "Hard", ""),
    ),
    only=("mode=variable",),
)
_DATE: Final = FormField(
    name="date", label="Of which date?", kind="date", default="today", only=("mode=challenge",)
)
_OPPONENT: Final = FormField(
    name="opponent",
    label="2. Which Germans?",
    default="rules",
    options=(
        ("rules", "The rules' own", "as printed"),
        ("resolute", "Resolute", "a variant of ours: they mass, and retake lost bridges"),
    ),
    only=_FREE,
)
_DICE: Final = FormField(
    name="dice",
    label="3. Whose dice?",
    default="seeded",
    options=(
        ("seeded", "The program rolls", ""),
        ("manual", "I throw real dice", "and type them"),
    ),
    only=_FREE,
)
_MAP: Final = FormField(
    name="map",
    label="4. A map of your own?",
    kind="file",
    help="Without a file the game is played on the program's reconstruction. \"Enter your own "
    'map" on the home page makes a file of the printed one.',
    only=_FREE,
)

_PLAYER: Final = FormField(name="player", label="Your name, for the score card", kind="text")


def _begin_game(path: Path, chosen: Chosen, seed: int | None) -> None:
    if chosen["mode"] == CHALLENGE:
        _begin_challenge(path, chosen, seed)
    else:
        _begin_on(path, chosen, seed, None)


def _begin_on_own_map(path: Path, chosen: Chosen, seed: int | None, file: Path) -> None:
    if chosen["mode"] == CHALLENGE:
        raise PBCGError("The challenge of a date is played on the map that comes with pbcg.")
    _begin_on(path, chosen, seed, file)


def _begin_on(path: Path, chosen: Chosen, seed: int | None, map_file: Path | None) -> None:
    settings = {"mode": chosen["mode"]}
    if chosen["mode"] == "variable" and chosen["difficulty"]:
        settings["difficulty"] = chosen["difficulty"]
    if chosen["opponent"] == "resolute":
        settings["german"] = "resolute"
    meta: dict[str, Any] = {"settings": settings, "dice": chosen["dice"], **_player(chosen)}
    area_map = load_map(map_file)
    _play_on(create_game(path, meta if seed is None else {**meta, "seed": seed}, area_map))


def _begin_challenge(path: Path, chosen: Chosen, seed: int | None) -> None:
    meta = {**challenge_meta(read_date(chosen["date"])), **_player(chosen)}
    _play_on(create_game(path, meta, load_map()))


def _player(chosen: Chosen) -> dict[str, str]:
    """Return what the file keeps of the player's name."""
    name = player_name(chosen["player"])
    return {"player": name} if name else {}


def _begin_guide(path: Path, chosen: Chosen, seed: int | None) -> None:
    _play_on(begin_guide(path))


def _play_on(game: OpenGame) -> None:
    """Throw what nobody has to look at first, and pass over what need not be asked."""
    with game:
        game.throw_by_itself()
        AreaOrders().go_on(Seat(game, game.plug.sides[0]), 0)


GUIDE_TITLE: Final = "Learn the area game"
BEGINNINGS: Final = (
    Beginning(
        kind="guide", button=GUIDE_TITLE, title=GUIDE_TITLE, file="guide", begin=_begin_guide
    ),
    Beginning(
        kind="st",
        button="New area game …",
        title="New area game",
        file="bridge",
        begin=_begin_game,
        begin_from=_begin_on_own_map,
        fields=(_MODE, _DIFFICULTY, _DATE, _OPPONENT, _DICE, _MAP, _PLAYER),
    ),
    Beginning(
        kind=CHALLENGE, title="The challenge", begin=_begin_challenge, fields=(_DATE, _PLAYER)
    ),
)
