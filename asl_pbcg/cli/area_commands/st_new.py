"""``pbcg st new``, ``challenge``: begin a game of the area game."""

from __future__ import annotations

from datetime import date as date_type
from enum import StrEnum
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import typer
from rich.table import Table

from asl_pbcg.cli.area_commands.st_file import opened_game
from asl_pbcg.cli.command_answers import Answer, answers, refuse_idle, written_files, written_tables
from asl_pbcg.cli.common import in_quotes
from asl_pbcg.cli.terminal.sentences import Sentences
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.play.area_play.area_game import create_game
from asl_pbcg.play.area_play.area_words import card_text, cards_of
from asl_pbcg.st.board.map_load import load_map
from asl_pbcg.st.many.score_card import (
    ScoreCard,
    challenge_meta,
    challenge_of,
    compare_cards,
    player_name,
    read_date,
)
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


PLAYER_NAME = typer.Option("", "--name", show_default=False, help="Your name, for the score card.")
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
    name: str = PLAYER_NAME,
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
    meta: dict[str, Any] = {"settings": settings, "dice": dice.value, **_player(name)}
    if seed >= 0:
        meta["seed"] = seed
    create_game(file, meta, load_map(map_file)).close()
    return written_files([file], f"{in_quotes('st', 'play', file)} plays it.")


def _player(name: str) -> dict[str, str]:
    """Return what the file keeps of the player's name."""
    own = player_name(name)
    return {"player": own} if own else {}


@challenge_app.command()
@answers
def challenge(
    date: str = typer.Argument(..., help="The date, as 2026-11-22; today: the game of today."),
    files: list[Path] = typer.Argument(
        None, metavar="[FILE]...", help="The file to make; else DATE.pbcg."
    ),
    card: bool = typer.Option(False, "--card", help="Print the score card of that file."),
    compare: bool = typer.Option(
        False, "--compare", help="A table of several: game files, texts with score cards, folders."
    ),
    output: Path | None = typer.Option(
        None, "-o", "--output", help="With --compare: write it as .csv, .json or .xlsx."
    ),
    name: str = PLAYER_NAME,
) -> Answer:
    """Begin the game of a date, the same set-up and dice for everyone; --card tells how it went.

    \b
      pbcg st challenge 2026-11-22 --name Anne
      pbcg st challenge 2026-11-22 --card
      pbcg st challenge 2026-11-22 2026-11-22.pbcg karl.txt --compare
    """
    day = read_date(date)
    paths = files or [Path(f"{day.isoformat()}.pbcg")]
    if (card and compare) or (len(paths) > 1 and not compare):
        raise PBCGError("Give one file, or several with --compare (and without --card).")
    if card or compare:
        refuse_idle("with --card" if card else "with --compare", "--name")
    if compare:
        cards = chain.from_iterable(cards_of(path, day.isoformat()) for path in paths)
        score_cards = compare_cards(cards, day.isoformat())
        if output:
            return written_tables({"cards": score_cards}, output)
        return Answer(score_cards, partial(_show_cards, day=day))
    refuse_idle("without --compare", "--output")
    (path,) = paths
    if card:
        with opened_game(path, look=True) as session:
            text = card_text(session, day.isoformat())
        return Answer({"card": text}, lambda _: typer.echo(text))
    game = challenge_of(day)
    create_game(path, {**challenge_meta(day), **_player(name)}, load_map()).close()
    scored = in_quotes("st", "challenge", day.isoformat(), path, "--card")
    return written_files(
        [path],
        f"{day.isoformat()}: {game.title}.\n"
        f"{in_quotes('st', 'play', path)} plays it, {scored} prints its score card.",
    )


def _show_cards(cards: list[ScoreCard], day: date_type) -> None:
    game = challenge_of(day)
    console = Sentences()
    console.print(f"{day.isoformat()}: {game.title}, seed {game.seed}")
    table = Table("VP", "Level", "Played by", "Turns", "Undone", "Card", "", box=None)
    for card in cards:
        table.add_row(
            str(card.vp), card.level, card.played_by or "not said", str(card.turns),
            str(card.undone), card.mark, card.remark, style="dim" if card.remark else "",
        )  # fmt: skip
    console.print(table)
