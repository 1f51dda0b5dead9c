"""``pbcg st settings``: the settings of the area game, and what a player may choose."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import typer
from rich.text import Text

from asl_pbcg.cli.command_answers import Answer, answers
from asl_pbcg.cli.rulings_command import listed_ruling, print_ruling
from asl_pbcg.cli.terminal.sentences import Sentences
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.reader import nearest
from asl_pbcg.st.settings import ST_RULINGS

app = typer.Typer(add_completion=False)


@app.command()
@answers
def settings(
    name: str = typer.Argument(
        "", metavar="[SETTING]", help="Only one: its name, as gammon_uses, or id, as AMB-11."
    ),
) -> Answer:
    """Say where the rules can be read two ways, what you may choose, and what is played."""
    keys = ST_RULINGS.keys_named(name) if name else list(ST_RULINGS.settable)
    if not keys:
        hint = nearest(name, ST_RULINGS.settable, 0.4) or '; "pbcg st settings" lists them'
        raise PBCGError(f'"{name}" is not a setting{hint}.')
    data = {
        key: msgspec.structs.replace(
            listed_ruling("st", "", ST_RULINGS[key]), default=ST_RULINGS[key].default
        )
        for key in keys
    }
    return Answer(data, lambda _: _print_settings(keys))


def _print_settings(keys: Iterable[str]) -> None:
    console = Sentences()
    for key in keys:
        print_ruling(console, listed_ruling("st", key, ST_RULINGS[key]))
    console.print(Text("* is played unless you say: pbcg st new FILE --setting NAME=CHOICE", "dim"))
