"""``pbcg hand``: which of several players of a side decides."""

from __future__ import annotations

from pathlib import Path

import msgspec
import typer

from asl_pbcg.cli.campaign_file import open_game
from asl_pbcg.cli.command_answers import Answer, answers
from asl_pbcg.cli.common import Viewer, as_option
from asl_pbcg.play.seat import Seat

app = typer.Typer(add_completion=False)


class SidePlayers(msgspec.Struct, frozen=True):
    """The players of a side, and who decides for it now."""

    side: str
    players: tuple[str, ...]
    decides: str


@app.command()
@answers
def hand(
    file: Path = typer.Argument(..., help="The campaign file."),
    name: str = typer.Argument("", metavar="[NAME]", help="Who decides from here on."),
    viewer: Viewer = as_option("Whose side it is; an umpire hands what is asked now."),
) -> Answer:
    """Hand what a side decides to one of its players; log and report name who decided.

    \b
      pbcg new evening.pbcg --campaign CG1 --british "Anne, Ben" --german Karl
      pbcg correct evening.pbcg players/british="Anne, Ben, Cleo" --reason "Cleo"
    """
    with open_game(file, look=not name) as game:
        seat = Seat(game, viewer.value)
        if name:
            seat.hand(name)
        decides = seat.deciders
        sides = [
            SidePlayers(side, names, decides.get(side, "")) for side, names in seat.players.items()
        ]
    return Answer(sides, _print_players)


def _print_players(sides: list[SidePlayers]) -> None:
    for entry in sides:
        who = f"; {entry.decides} decides" if entry.decides else ""
        typer.echo(f"{entry.side.capitalize():8} {', '.join(entry.players) or 'nobody named'}{who}")
