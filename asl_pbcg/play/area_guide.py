"""The guided first game: five orders round the pillbox, on dice that are known."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

import msgspec

from asl_pbcg.kernel.typed_data import data_file
from asl_pbcg.play.area_game import create_game
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.seat import Seat
from asl_pbcg.st.board.map_load import load_map


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
        there = lesson.at in made if lesson.at else bool(made)
        return there and session.state.turn >= lesson.turn

    return next((n for n, each in enumerate(lessons) if not is_over(each)), len(lessons))


def _list_answers(game: OpenGame) -> list[str]:
    """Return the questions that were answered and stand."""
    return [each.point for each in game.session.journal.standing() if each.kind == "answer"]


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
