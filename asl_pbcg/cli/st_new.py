"""``pbcg st new``: begin a game of the area game."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Any

import typer

from asl_pbcg.cli.common import in_quotes
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.play.area_game import create_game
from asl_pbcg.st.board.map_load import load_map
from asl_pbcg.st.settings import ST_RULINGS

app = typer.Typer(add_completion=False)


class DifficultyName(StrEnum):
    """How strong the Germans may be. Rule: ST-SET-18."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


class DiceKind(StrEnum):
    """Who rolls."""

    SEEDED = "seeded"
    MANUAL = "manual"


@app.command()
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
        -1,
        "--seed",
        show_default=False,
        help="Dice that can be foreseen: for challenges and tests.",
    ),
    dice: DiceKind = typer.Option(
        DiceKind.SEEDED, "--dice", help="Program dice, or manual: you roll and type them."
    ),
    map_file: Path | None = typer.Option(
        None, "--map", metavar="MAP", help="A map of your own (pbcg st map new); else the shipped."
    ),
    setting: list[str] = typer.Option(
        [], "--setting", metavar="ID=CHOICE", help='See "pbcg st settings"; may be repeated.'
    ),
) -> None:
    """Begin a game; what is not said here is asked when you play."""

    modes = [
        name
        for name, wanted in (
            ("historical", historical), ("full_history", full_history), ("variable", variable)
        )
        if wanted
    ]  # fmt: skip
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
    typer.echo(f"{file} begins. {in_quotes('st', 'play', file)} plays it.")
