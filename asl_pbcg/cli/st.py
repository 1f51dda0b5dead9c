"""``pbcg st``: the area game of Strategy & Tactics 122, each command loaded when it is called."""

from __future__ import annotations

from typing import ClassVar

import typer

from asl_pbcg.cli.main import LazyGroup

# name -> (module, then its typer app if that is not ``app``; what it does), in the order of use.
COMMANDS: dict[str, tuple[str, str]] = {
    "guide": ("asl_pbcg.cli.st_guide", "Learn it in ten minutes: five orders at the pillbox."),
    "new": ("asl_pbcg.cli.st_new", "Begin a game: historical or variable, program or real dice."),
    "play": ("asl_pbcg.cli.st_play", "Play on where the game stands; h helps at every prompt."),
    "status": ("asl_pbcg.cli.st_report:status_app", "Turn, VP, units, Germans known."),
    "log": ("asl_pbcg.cli.st_report:log_app", "Every decision and roll of a game."),
    "undo": ("asl_pbcg.cli.st_report:undo_app", "Take back the last decision."),
    "score": ("asl_pbcg.cli.st_report:score_app", "The VP sheet as the map stands."),
    "map": ("asl_pbcg.cli.st_map", "Check a map, draw it with or without a game, begin your own."),
    "records": ("asl_pbcg.cli.st_records", "Print the rosters and the VP sheet, filled or blank."),
    "settings": ("asl_pbcg.cli.st_settings", "Readings of doubtful rules that you may set."),
    "challenge": ("asl_pbcg.cli.st_challenge", "The game of a date, the same for everyone."),
    "analyse": (
        "asl_pbcg.cli.st_many:analyse_app",
        "A game weighed: turning points, luck, decisions.",
    ),
    "film": ("asl_pbcg.cli.st_film", "A game as a film: HTML with a slider, or GIF."),
    "study": (
        "asl_pbcg.cli.st_many:study_app",
        "Compare players, rulings, variants in many games.",
    ),
    "sim": ("asl_pbcg.cli.st_many:sim_app", "Play many games by itself: how often, how many VP."),
}


class AreaGameGroup(LazyGroup):
    """The commands of the area game."""

    table: ClassVar[dict[str, tuple[str, str]]] = COMMANDS


app = typer.Typer(
    cls=AreaGameGroup,
    rich_markup_mode=None,
    no_args_is_help=True,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _st() -> None:
    """The solitaire area game of Strategy & Tactics 122: you are the British."""
