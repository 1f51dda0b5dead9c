"""``pbcg st``: the area game of Strategy & Tactics 122, each command loaded when it is called."""

from __future__ import annotations

from typing import ClassVar, Final

import typer

from asl_pbcg.cli.main import LazyGroup

COMMANDS: Final = {
    "guide": ("guide", "Learn it in ten minutes: five orders at the pillbox."),
    "new": ("new:new_app", "Begin a game: historical or variable, program or real dice."),
    "play": ("play", "Play on where the game stands; h helps at every prompt."),
    "status": ("report:status_app", "Turn, VP, units, Germans known."),
    "log": ("report:log_app", "Every decision and roll of a game."),
    "undo": ("report:undo_app", "Undo the last decision."),
    "score": ("report:score_app", "The VP sheet as the map stands."),
    "map": ("map", "Check a map, draw it with or without a game, begin your own."),
    "records": ("prints:records_app", "Print the rosters and the VP sheet, filled or blank."),
    "settings": ("settings", "Readings of doubtful rules that you may set."),
    "challenge": ("new:challenge_app", "The game of a date, the same for everyone."),
    "analyse": ("many:analyse_app", "A report on a game: turning points, luck, decisions."),
    "film": ("prints:film_app", "A game as a film: HTML with a slider, or GIF."),
    "branch": ("prints:branch_app", "A new game that goes on from a turn or frame of another."),
    "sim": ("many:sim_app", "Play many games by itself, compare players and readings."),
}
"""By its name where a command stands (a file ``st_...``, its app) and what it does."""


class AreaGameGroup(LazyGroup):
    """The commands of the area game."""

    words = "st "
    table: ClassVar[dict[str, tuple[str, str]]] = {
        name: (f"asl_pbcg.cli.area_commands.st_{where}", words)
        for name, (where, words) in COMMANDS.items()
    }


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
