"""``pbcg st new``, ``challenge``: begin a game of the area game."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Any

import typer

from asl_pbcg.cli.command_answers import Answer, answers, written_files
from asl_pbcg.cli.common import in_quotes
from asl_pbcg.cli.st_file import opened_game
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.play.area_game import create_game, situation
from asl_pbcg.play.area_words import score_of
from asl_pbcg.st.board.map_load import load_map
from asl_pbcg.st.many.challenge import challenge_meta, challenge_of, read_date, score_card
from asl_pbcg.st.settings import ST_RULINGS

new_app = typer.Typer(add_completion=False)
challenge_app = typer.Typer(add_completion=False)


class DifficultyName(StrEnum):
    """How strong the Germans may be. Rule: ST-SET-18."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


class AreaDice(StrEnum):
    """The source of the dice."""

    SEEDED = "seeded"
    MANUAL = "manual"


SETTING = typer.Option(
    [], "--setting", metavar="ID=CHOICE", help='See "pbcg st settings"; may be repeated.'
)


@new_app.command()
@answers
def new(
    file: Path = typer.Argument(..., help="The game file to make, for example bridge.pbcg."),
    historical: bool = typer.Option(False, "--historical", help="The real forces. Begin here."),
    full_history: bool = typer.Option(
        False, "--full-history", help="Historical without glider 4, and no glider is lost."
    ),
    variable: bool = typer.Option(
        False, "--variable", help="You load the gliders; a German set-up chit is drawn."
    ),
    difficulty: DifficultyName | None = typer.Option(
        None, "--difficulty", help="For variable games: which chits may be drawn."
    ),
    seed: int = typer.Option(
        -1, "--seed", show_default=False, help="Dice that can be foreseen: for challenges, tests."
    ),
    dice: AreaDice = typer.Option(
        AreaDice.SEEDED, "--dice", help="Program dice, or manual: you roll and type them."
    ),
    map_file: Path | None = typer.Option(
        None, "--map", metavar="MAP", help="A map of your own (pbcg st map new); else the shipped."
    ),
    setting: list[str] = SETTING,
) -> Answer:
    """Begin a game; what is not said here is asked when you play."""
    wanted = {"historical": historical, "full_history": full_history, "variable": variable}
    modes = [name for name, is_wanted in wanted.items() if is_wanted]
    if len(modes) > 1:
        raise PBCGError("Give one of --historical, --full-history and --variable.")
    settings = ST_RULINGS.read_typed(setting, "--setting")
    if modes:
        settings["mode"] = modes[0]
    if difficulty:
        settings["difficulty"] = difficulty.value
    meta: dict[str, Any] = {"settings": settings, "dice": dice.value}
    if seed >= 0:
        meta["seed"] = seed
    create_game(file, meta, load_map(map_file)).close()
    return written_files([file], f"{in_quotes('st', 'play', file)} plays it.")


@challenge_app.command()
@answers
def challenge(
    date: str = typer.Argument(..., help="The date, as 2026-11-22; today: the game of today."),
    file: Path | None = typer.Argument(None, help="The file to make; else DATE.pbcg."),
    card: bool = typer.Option(False, "--card", help="Print the score card of that file."),
) -> Answer:
    """Begin the game of a date, the same set-up and dice for everyone; --card tells how it went."""
    day = read_date(date)
    path = file or Path(f"{day.isoformat()}.pbcg")
    if card:
        with opened_game(path, look=True) as session:
            result = score_of(situation(session)) if session.state.ready else None
            text = score_card(session, day, result)
        return Answer({"card": text}, lambda _: typer.echo(text))
    game = challenge_of(day)
    create_game(path, challenge_meta(day), load_map()).close()
    scored = in_quotes("st", "challenge", day.isoformat(), path, "--card")
    return written_files(
        [path],
        f"{day.isoformat()}: {game.title}.\n"
        f"{in_quotes('st', 'play', path)} plays it, {scored} prints its score card.",
    )
