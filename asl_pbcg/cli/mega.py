"""``pbcg mega``: the umpire of the Market-Garden megagame, one line in, one line out."""

from __future__ import annotations

import typer

from asl_pbcg.cli import mega_fights, mega_table
from asl_pbcg.cli.mega_line import ShortGroup

app = typer.Typer(
    cls=ShortGroup,
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_EPILOG = """\b
Say what happens in any order of words:
  pbcg mega barrage 105 open veteran           a 105 mm battery at a target in the open
  pbcg mega b 105 o v -r 5                     the same, short, with a real die of 5
  pbcg mega fire 6 rifles 10in at 8 green hard
  pbcg mega fire piat at tiger -m              and roll the morale check too
  pbcg mega morale vet -r 2
  pbcg mega house 3:veteran 2:elite            card fight; --play for hands at the terminal
Keep a table's log, with turns and casualties:
  pbcg mega run table3.mega                    then type lines: unit, barrage, fire, next ...
Dice: thrown by the program, or yours with -r N and -d N,N, or asked for with --ask.
Short: b barrage, a air, k flak, f fire, v armour, x ambush, c assault, h house, m morale."""


@app.callback(epilog=_EPILOG)
def _mega() -> None:
    """Umpire a megagame table: the dice, what follows, and who must check morale."""


app.registered_commands += mega_fights.app.registered_commands
app.registered_commands += mega_table.app.registered_commands
