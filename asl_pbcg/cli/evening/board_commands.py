"""``pbcg board``: look up a hex, check the board, draw it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import typer
from rich.table import Table
from rich.text import Text

from asl_pbcg.campaign.board.board import Board
from asl_pbcg.campaign.board.board_corrections import corrected_board
from asl_pbcg.campaign.board.entry_areas import entry_areas
from asl_pbcg.campaign.module.board_check import (
    BoardDoubt,
    BoardFault,
    check_board,
    check_counts,
    counts,
    doubts,
    hex_notes,
    road_ends,
)
from asl_pbcg.cli.command_answers import Answer, answers, refuse_idle, written_files
from asl_pbcg.cli.common import POSTER, RADIUS, WholeHelp, around_option, paper_option
from asl_pbcg.cli.terminal.sentences import Sentences
from asl_pbcg.hexes import drawing
from asl_pbcg.hexes import poster as posters
from asl_pbcg.hexes.lattice import DIRECTIONS
from asl_pbcg.kernel.wording import number_words
from asl_pbcg.records import layout

app = typer.Typer(cls=WholeHelp, add_completion=False, no_args_is_help=True)

_CORRECTIONS = typer.Option(
    None, "--corrections", metavar="FILE", help="Lay this correction file over the board."
)


@app.callback()
def _board() -> None:
    """Look up hexes of the Pegasus Bridge board, check or draw it."""


@app.command()
@answers
def show(
    name: str = typer.Argument(..., metavar="HEX", help="A hex, for example Z15."),
    corrections: Path | None = _CORRECTIONS,
) -> Answer:
    """Say what is printed in a hex and on its hexsides, and who touches it."""
    board = corrected_board(corrections)
    return Answer(describe(board, board.grid.check(name.strip().upper())), _print_hex)


def describe(board: Board, name: str) -> dict[str, Any]:
    """Return the facts of a hex as plain data. Raises UnknownHex."""
    info = board[name]
    note = hex_notes().get(name)
    around = {
        side: neighbour
        for side in DIRECTIONS
        if (neighbour := board.grid.neighbour(name, side)) is not None
    }
    answer: dict[str, Any] = {"hex": name}
    answer |= {key: value for key, value in msgspec.to_builtins(info).items() if key != "name"}
    answer |= {
        "road": info.road,
        "map_edge": name in board.edge,
        "enterable": name in board.enterable,
        "building_hexes": board.building(name).names,
        "entry_areas": [arrow for arrow, area in entry_areas(board).items() if name in area.hexes],
        "neighbours": around,
        "not_crossable": [
            side for side, neighbour in around.items() if not board.crossable(name, neighbour)
        ],
        "confidence": note.confidence if note else "high",
        "note": note.note if note else "",
        "doubts": [doubt.doubt for doubt in doubts() if name in doubt.hexes],
    }
    return answer


def _words(names: list[str]) -> str:
    return " ".join(names)


def _print_hex(facts: dict[str, Any]) -> None:
    table = Table.grid(padding=(0, 2))
    for key, line in _hex_lines(facts).items():
        if line:
            table.add_row(Text(key, style="dim"), Text(line))
    console = Sentences()
    console.print(Text(facts["hex"], style="bold"))
    console.print(table)


def _hex_lines(facts: dict[str, Any]) -> dict[str, str]:
    """Return the facts of a hex in words, by what they are about; empty where there is nothing."""
    building = facts["building"] and " ".join(
        part
        for part in (
            f"{facts['building']} building",
            facts["building_name"],
            f"({_words(facts['building_hexes'])})" if len(facts["building_hexes"]) > 1 else "",
            f"white {facts['stairs']}" if facts["stairs"] else "",
        )
        if part
    )
    state = ["in play" if facts["in_play"] else "out of play"]
    state += ["Enterable by Infantry" if facts["enterable"] else "not Enterable by Infantry"]
    state += ["Water Obstacle"] if facts["water_obstacle"] else []
    state += ["bridge"] if facts["bridge"] else []
    state += ["map edge"] if facts["map_edge"] else []
    return {
        "terrain": ", ".join(kind.replace("_", " ") for kind in facts["terrain"])
        or ("" if building else "open ground"),
        "building": building,
        "level": str(facts["level"]),
        "is": ", ".join(state),
        "Entry Area": _words(facts["entry_areas"]),
        "paved road": _words(facts["paved"]),
        "unpaved road": _words(facts["unpaved"]),
        "road along": _words(facts["road_along"]),
        "road off the map": _words(facts["road_exit"]),
        "hedge": _words(facts["hedge"]),
        "wall": _words(facts["wall"]),
        "fence": _words(facts["fence"]),
        "cliff": _words(facts["cliff"]),
        "slope": _words(facts["slope"]),
        "row-house bar": _words(facts["rowhouse"]),
        "no crossing": _words(facts["not_crossable"]),
        "touches": ", ".join(f"{side} {name}" for side, name in facts["neighbours"].items()),
        "sureness": facts["confidence"] if facts["confidence"] != "high" else "",
        "note": facts["note"],
        "in doubt": " ".join(facts["doubts"]),
    }


class BoardCheck(msgspec.Struct, frozen=True, kw_only=True):
    """The counts of a board, its faults, and where the printed map must decide."""

    counts: dict[str, int]
    faults: list[BoardFault]
    doubts: tuple[BoardDoubt, ...]
    road_ends: list[str]


@app.command()
@answers
def check(corrections: Path | None = _CORRECTIONS) -> Answer:
    """Check that the board agrees with itself and with the rules; exit code 2 if it does not."""
    board = corrected_board(corrections)
    result = BoardCheck(
        counts=counts(board),
        faults=check_board(board) + ([] if corrections else check_counts(board)),
        doubts=tuple(doubts()),
        road_ends=road_ends(board).names,
    )
    return Answer(result, _print_check, 2 if result.faults else 0)


def _print_check(result: BoardCheck) -> None:
    held = ", ".join(f"{count} {what.replace('_', ' ')}" for what, count in result.counts.items())
    typer.echo(f"The board holds {held}.")
    for doubt in result.doubts:
        typer.echo(f"  in doubt  {_words(list(doubt.hexes))}: {doubt.doubt}")
    typer.echo(f"  in doubt  {_words(result.road_ends)}: a road ends here.")
    for fault in result.faults:
        typer.secho(f"  fault     {fault}", fg=typer.colors.RED)
    number = number_words(len(result.faults), "fault") if result.faults else "No fault"
    typer.echo(
        f"{number}; {len(result.doubts) + 1} doubts, where the printed map decides "
        "(pbcg board show HEX, --corrections FILE)."
    )


@app.command()
@answers
def draw(
    output: Path = typer.Option(
        ..., "-o", "--output", metavar="FILE", help="The file: .pdf, .svg or .png."
    ),
    paper: str = paper_option(),
    poster: str = POSTER,
    around: str = around_option(),
    radius: int = RADIUS,
    corrections: Path | None = _CORRECTIONS,
) -> Answer:
    """Draw the board, or a part of it, on one page or as a poster."""

    from asl_pbcg.campaign.map import board_sheet

    drawing.check_format(output)
    if not around:
        refuse_idle("without --around", "--radius")
    size, tiles = layout.Paper.parse(paper), posters.read_tiles(poster)
    board = corrected_board(corrections)
    centre = board.grid.check(around.strip().upper()) if around else None
    subtitle = f"{number_words(radius, 'hex', 'hexes')} round {centre}" if centre else "the map"
    heading = board_sheet.MapHeading(subtitle=subtitle)
    sheet = posters.best_turn(size.size, tiles)
    whole = size.size if tiles == (1, 1) else posters.poster_size(sheet, tiles)
    page = board_sheet.map_sheet(board, heading=heading, paper=whole, around=centre, radius=radius)
    pages = [page] if tiles == (1, 1) else posters.cut_into_tiles(page, sheet, tiles)
    written = drawing.write_pages(pages, output)
    return written_files(written)
