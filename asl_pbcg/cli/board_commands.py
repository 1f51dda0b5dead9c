"""``pbcg board``: look up a hex, check the board, draw it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from asl_pbcg.cli.common import WholeHelp, paper_option
from asl_pbcg.kernel.wording import number_words

if TYPE_CHECKING:
    from asl_pbcg.campaign.board import Board

app = typer.Typer(cls=WholeHelp, add_completion=False, no_args_is_help=True)

_CORRECTIONS = typer.Option(
    None, "--corrections", metavar="FILE", help="Lay this correction file over the board."
)
_JSON = typer.Option(False, "--json", help="Answer as JSON.")


@app.callback()
def _board() -> None:
    """Look up hexes of the Pegasus Bridge board, check or draw it."""


def _load(corrections: Path | None) -> Board:
    from asl_pbcg.campaign.board_corrections import corrected_board

    return corrected_board(corrections)


@app.command()
def show(
    name: str = typer.Argument(..., metavar="HEX", help="A hex, for example Z15."),
    as_json: bool = _JSON,
    corrections: Path | None = _CORRECTIONS,
) -> None:
    """Say what is printed in a hex and on its hexsides, and who touches it."""
    board = _load(corrections)
    answer = describe(board, board.grid.check(name.strip().upper()))
    if as_json:
        typer.echo(json.dumps(answer, indent=1, ensure_ascii=False))
    else:
        _print_hex(answer)


def describe(board: Board, name: str) -> dict[str, Any]:
    """Gather what is known of a hex, as plain data. Raises UnknownHex."""
    import msgspec

    from asl_pbcg.campaign.board_check import doubts, hex_notes
    from asl_pbcg.campaign.entry_areas import entry_areas
    from asl_pbcg.hexes.lattice import DIRECTIONS

    info = board[name]
    note = hex_notes().get(name)
    around = {
        side: other
        for side in DIRECTIONS
        if (other := board.grid.neighbour(name, side)) is not None
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
            side for side, other in around.items() if not board.crossable(name, other)
        ],
        "confidence": note.confidence if note else "high",
        "note": note.note if note else "",
        "doubts": [doubt.doubt for doubt in doubts() if name in doubt.hexes],
    }
    return answer


def _words(names: list[str]) -> str:
    return " ".join(names)


def _print_hex(said: dict[str, Any]) -> None:
    from rich.table import Table
    from rich.text import Text

    from asl_pbcg.cli.sentences import Sentences

    building = said["building"] and " ".join(
        part
        for part in (
            f"{said['building']} building",
            said["building_name"],
            f"({_words(said['building_hexes'])})" if len(said["building_hexes"]) > 1 else "",
            f"white {said['stairs']}" if said["stairs"] else "",
        )
        if part
    )
    state = ["in play" if said["in_play"] else "out of play"]
    state += ["Enterable by Infantry" if said["enterable"] else "not Enterable by Infantry"]
    state += ["Water Obstacle"] if said["water_obstacle"] else []
    state += ["bridge"] if said["bridge"] else []
    state += ["map edge"] if said["map_edge"] else []
    lines = {
        "terrain": ", ".join(kind.replace("_", " ") for kind in said["terrain"])
        or ("" if building else "open ground"),
        "building": building,
        "level": str(said["level"]),
        "is": ", ".join(state),
        "Entry Area": _words(said["entry_areas"]),
        "paved road": _words(said["paved"]),
        "unpaved road": _words(said["unpaved"]),
        "road along": _words(said["road_along"]),
        "road off the map": _words(said["road_exit"]),
        "hedge": _words(said["hedge"]),
        "wall": _words(said["wall"]),
        "fence": _words(said["fence"]),
        "cliff": _words(said["cliff"]),
        "slope": _words(said["slope"]),
        "row-house bar": _words(said["rowhouse"]),
        "no crossing": _words(said["not_crossable"]),
        "touches": ", ".join(f"{side} {other}" for side, other in said["neighbours"].items()),
        "sureness": said["confidence"] if said["confidence"] != "high" else "",
        "note": said["note"],
        "in doubt": " ".join(said["doubts"]),
    }
    table = Table.grid(padding=(0, 2))
    for key, line in lines.items():
        if line:
            table.add_row(Text(key, style="dim"), Text(line))
    console = Sentences()
    console.print(Text(said["hex"], style="bold"))
    console.print(table)


@app.command()
def check(as_json: bool = _JSON, corrections: Path | None = _CORRECTIONS) -> None:
    """Check that the board agrees with itself and with the rules; exit code 2 if it does not."""
    from asl_pbcg.campaign.board_check import check_board, check_counts, counts, doubts, road_ends

    board = _load(corrections)
    faults = check_board(board) + ([] if corrections else check_counts(board))
    doubtful = doubts()
    ends = road_ends(board).names
    if as_json:
        import msgspec

        answer = {
            "counts": counts(board),
            "faults": msgspec.to_builtins(faults),
            "doubts": msgspec.to_builtins(doubtful),
            "road_ends": ends,
        }
        typer.echo(json.dumps(answer, indent=1, ensure_ascii=False))
    else:
        held = ", ".join(
            f"{count} {what.replace('_', ' ')}" for what, count in counts(board).items()
        )
        typer.echo(f"The board holds {held}.")
        for doubt in doubtful:
            typer.echo(f"  in doubt  {_words(list(doubt.hexes))}: {doubt.doubt}")
        typer.echo(f"  in doubt  {_words(ends)}: a road ends here.")
        for fault in faults:
            typer.secho(f"  fault     {fault}", fg=typer.colors.RED)
        number = f"{len(faults)} fault{'s' if len(faults) != 1 else ''}" if faults else "No fault"
        typer.echo(
            f"{number}; {len(doubtful) + 1} doubts, where the printed map decides "
            "(pbcg board show HEX, --corrections FILE)."
        )
    if faults:
        raise typer.Exit(2)


@app.command()
def draw(
    output: Path = typer.Option(
        ..., "-o", "--output", metavar="FILE", help="The file: .pdf, .svg or .png."
    ),
    paper: str = paper_option(),
    poster: str = typer.Option(
        "1x1", "--poster", metavar="AxB", help="A poster: sheets across x down, to cut and join."
    ),
    around: str = typer.Option(
        "", "--around", metavar="HEX", help="Only the hexes round this one."
    ),
    radius: int = typer.Option(8, "--radius", help="How many hexes round it.", min=1, max=60),
    corrections: Path | None = _CORRECTIONS,
) -> None:
    """Draw the board, or a part of it, on one page or as a poster."""
    from asl_pbcg.campaign.board_sheet import MapHeading, map_sheet
    from asl_pbcg.hexes.drawing import check_format, write_pages
    from asl_pbcg.hexes.poster import best_turn, cut_into_tiles, poster_size, read_tiles
    from asl_pbcg.records.layout import Paper

    check_format(output)
    size, tiles = Paper.parse(paper), read_tiles(poster)
    board = _load(corrections)
    centre = board.grid.check(around.strip().upper()) if around else None
    subtitle = f"{number_words(radius, 'hex', 'hexes')} round {centre}" if centre else "the map"
    heading = MapHeading(subtitle=subtitle)
    sheet = best_turn(size.size, tiles)
    whole = size.size if tiles == (1, 1) else poster_size(sheet, tiles)
    drawn = map_sheet(board, heading=heading, paper=whole, around=centre, radius=radius)
    pages = [drawn] if tiles == (1, 1) else cut_into_tiles(drawn, sheet, tiles)
    written = write_pages(pages, output)
    typer.echo(f"The map is in {', '.join(str(path) for path in written)}.")
