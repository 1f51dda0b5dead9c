"""New area games from a form: a game, the challenge of a date, the guided game."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.play.area_game import create_game
from asl_pbcg.play.area_guide import begin_guide
from asl_pbcg.play.area_orders import AreaOrders
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.plug import Beginning, Chosen, FormField
from asl_pbcg.play.seat import Seat
from asl_pbcg.st.board.map_load import load_map
from asl_pbcg.st.many.challenge import challenge_meta, player_name, read_date

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
