"""``pbcg history`` and ``pbcg dice``: looking back at a campaign."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from asl_pbcg.cli.common import Viewer, as_option, default_paper
from asl_pbcg.kernel.errors import PBCGError

if TYPE_CHECKING:
    from asl_pbcg.play.game import OpenGame
    from asl_pbcg.play.seat import Seat

history_app = typer.Typer(add_completion=False)
dice_app = typer.Typer(add_completion=False)

COLUMNS = {
    "british_san": "Brit. SAN", "german_san": "Ger. SAN",
    "british_cvp_lost": "Brit. CVP lost", "german_cvp_lost": "Ger. CVP lost",
    "cpp_available": "CPP", "cpp_spent": "CPP spent", "cpp_left": "CPP left",
    "british_fpp_received": "Brit. FPP", "british_fpp_spent": "Brit. FPP spent",
    "german_fpp_received": "Ger. FPP", "german_fpp_spent": "Ger. FPP spent",
}  # fmt: skip


@history_app.command()
def history(
    file: Path = typer.Argument(..., help="The campaign file."),
    viewer: Viewer = as_option("What this side may know."),
    piece: str = typer.Option("", "--piece", metavar="ID", help="The service record of a piece."),
    output: Path | None = typer.Option(
        None, "-o", "--output", metavar="FILE", help="Print it with the dice as .pdf or .xlsx."
    ),
    as_json: bool = typer.Option(False, "--json", help="Answer as JSON."),
) -> None:
    """Tell what each CG Date brought, or the service record of one piece."""
    from asl_pbcg.cli.campaign_file import open_game
    from asl_pbcg.play.history import dates
    from asl_pbcg.play.seat import Seat

    with open_game(file, look=True) as game:
        seat = Seat(game, viewer.value)
        if piece:
            found = seat.piece(piece)
            if found is None:
                raise PBCGError(f'There is no piece "{piece}" that the {viewer.value} knows of.')
            _print_piece(found, as_json)
            return
        rows = dates(game.session.state, seat.sees)
        if output:
            _print_sheet(game, seat, output)
            return
    if as_json:
        _print_json(rows)
        return
    _print_dates(rows)


def _print_json(found: Any) -> None:
    import msgspec

    typer.echo(msgspec.json.format(msgspec.json.encode(found), indent=1).decode())


def _print_piece(found: dict[str, Any], as_json: bool) -> None:
    if as_json:
        _print_json(found)
        return
    gone = f"; {found['gone']}" if found["gone"] else ""
    typer.echo(f"{found['type']} {found['id']}, {found['side'].capitalize()}{gone}")
    for each in found["stations"]:
        held = f", held by {each['possessed_by']}" if each["possessed_by"] else ""
        holds = f", with {', '.join(each['possesses'])}" if each["possesses"] else ""
        state = f" ({', '.join(each['status'])})" if each["status"] else ""
        when = f"after {each['title']}" if each["over"] else "now"
        typer.echo(f"  {when:15} {each['type']} {each['place']}{state}{held}{holds}")
    for line in found["record"]:
        typer.echo(f"  {line['step']:16} {line['text']}  {line['rule']}")
    if not found["record"]:
        typer.echo("  Nothing has been told of it yet.")


def _print_dates(rows: list[dict[str, Any]]) -> None:
    from rich.table import Table

    from asl_pbcg.cli.sentences import Sentences

    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))  # so that 80 columns hold it
    table.add_column("CG Date", no_wrap=True)
    used = [key for key in COLUMNS if any(row.get(key) is not None for row in rows)]
    for key in used:
        table.add_column(COLUMNS[key], justify="right")
    for row in rows:
        cells = ("" if row.get(key) is None else f"{row[key]:g}" for key in used)
        table.add_row(row["title"], *cells)
    Sentences().print(table)


@dice_app.command()
def dice(
    file: Path = typer.Argument(..., help="The campaign file."),
    viewer: Viewer = as_option("Rolls this side has seen."),
    output: Path | None = typer.Option(
        None, "-o", "--output", metavar="FILE", help="Print it with the history as .pdf or .xlsx."
    ),
    as_json: bool = typer.Option(False, "--json", help="Answer as JSON."),
) -> None:
    """Tell how each side's dice fell, and how likely that was."""
    from asl_pbcg.cli.campaign_file import open_game
    from asl_pbcg.play.history import dice_falls
    from asl_pbcg.play.looking_back import NAMES, percent_of
    from asl_pbcg.play.seat import Seat

    with open_game(file, look=True) as game:
        seat = Seat(game, viewer.value)
        falls = dice_falls(seat.lines())
        if output:
            _print_sheet(game, seat, output)
            return
    if as_json:
        _print_json(falls)
        return
    if not falls:
        typer.echo("Nothing has been thrown yet.")
    for fall in falls:
        who = fall.side.capitalize() or "Nobody's"
        name = NAMES.get(fall.dice, f"{fall.dice}d6")
        words = f"{who:8} {fall.count:4} {name}: mean {fall.mean:.2f}, expected {fall.expected:g}"
        if fall.lower is None or fall.higher is None:
            typer.echo(f"{words}; too few to tell")
        else:
            typer.echo(
                f"{words}; as low {percent_of(fall.lower)}, as high {percent_of(fall.higher)}"
            )


def _print_sheet(game: OpenGame, seat: Seat, output: Path) -> None:
    """Put history and dice on paper."""
    from asl_pbcg.play.history import dates, dice_falls
    from asl_pbcg.play.looking_back import looking_back
    from asl_pbcg.records.output import save

    session = game.session
    rows, falls = dates(session.state, seat.sees), dice_falls(seat.lines())
    title = game.plug.title(session)
    sheet = looking_back(rows, falls, title, seat.viewer.capitalize())
    save(sheet, output, default_paper())
    typer.echo(f"Written: {output}")
