"""``pbcg st map``: check a map of the area game, compare it, draw it, begin a new one."""

from __future__ import annotations

from pathlib import Path

import msgspec
import typer

from asl_pbcg.cli.area_commands.st_file import opened_game
from asl_pbcg.cli.command_answers import Answer, answers, refuse_idle, written_files
from asl_pbcg.cli.common import WholeHelp, command, paper_option
from asl_pbcg.hexes.drawing import FORMATS
from asl_pbcg.kernel.errors import FaultsError, PBCGError
from asl_pbcg.kernel.wording import number_words
from asl_pbcg.play.area_play.area_game import rules_of, seen_state
from asl_pbcg.records.layout import Paper
from asl_pbcg.st.board.map_check import check_map
from asl_pbcg.st.board.map_compare import MapDifference, compare_maps
from asl_pbcg.st.board.map_load import load_map
from asl_pbcg.st.board.map_new import unfinished_map, write_new
from asl_pbcg.st.board.map_read import MapCounts, count_map
from asl_pbcg.st.picture.live_map import draw_game
from asl_pbcg.st.picture.map_draw import draw_map

app = typer.Typer(cls=WholeHelp, add_completion=False, no_args_is_help=True)

_FILE = typer.Argument(
    None, metavar="[FILE]", help="A map file; without one, the map that comes with pbcg."
)


@app.callback()
def _map() -> None:
    """Check a map of the area game, draw it, begin a new one."""


@app.command()
@answers
def check(file: Path | None = _FILE) -> Answer:
    """Say everything in a map file that breaks a rule of the game."""
    area_map = load_map(file)
    if faults := check_map(area_map):
        raise FaultsError(str(file or "The shipped map"), faults)
    return Answer(count_map(area_map), _print_counts)


def _print_counts(counts: MapCounts) -> None:
    typer.echo(f"{counts.title}: nothing breaks a rule.")
    typer.echo(f"  {sum(counts.land.values())} land areas: {_counts(counts.land)}")
    typer.echo(f"  {counts.flight} flight areas, {counts.arrows} arrows")
    typer.echo(f"  {sum(counts.lines.values())} lines: {_counts(counts.lines)}")
    if counts.origin == "reconstruction":
        typer.echo("It is a reconstruction from the rules, not the printed map.")


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items())


class MapComparison(msgspec.Struct, frozen=True, kw_only=True):
    """A player's own map held against the reconstruction."""

    title: str
    differences: list[MapDifference]


@app.command()
@answers
def compare(
    file: Path = typer.Argument(..., metavar="FILE", help="A map file, finished or not."),
) -> Answer:
    """List what differs from the reconstruction in a map file; areas are matched by their ids."""
    area_map, _ = unfinished_map(file)
    differences = compare_maps(area_map, load_map())
    return Answer.in_lines(
        MapComparison(title=area_map.title, differences=differences),
        [difference.words for difference in differences]
        or ["Nothing differs from the reconstruction."],
    )


@app.command()
@answers
def draw(
    file: Path | None = _FILE,
    output: Path = typer.Option(
        ..., "-o", "--output", metavar="OUT", help="Write it here: .pdf, .svg or .png."
    ),
    paper: str = paper_option(),
    unfinished: bool = typer.Option(
        False, "--unfinished", help="Draw what FILE holds so far, whatever is still wrong with it."
    ),
    game: Path | None = typer.Option(
        None, "--game", help="Draw the map of this game with its counters as they stand."
    ),
) -> Answer:
    """Draw a map to play on, or a game as it stands."""
    if output.suffix.lower() not in FORMATS:
        raise PBCGError(f"{output} should end in .pdf, .svg or .png.")
    if game is not None or file is None:
        refuse_idle("without a map file", "--unfinished")
    sheet, note = Paper.parse(paper), ""
    if game is not None:
        return _draw_game(game, file, output, sheet)
    if unfinished and file is not None:
        area_map, faults = unfinished_map(file)
        note = f"Unfinished: {number_words(len(faults), 'fault')}" if faults else ""
    else:
        area_map = load_map(file)
    draw_map(area_map, paper=sheet, note=note).write(output)
    return written_files([output])


def _draw_game(game: Path, file: Path | None, output: Path, sheet: Paper) -> Answer:
    if file is not None:
        raise PBCGError(f"{game} holds its own map: give --game without a map file.")
    with opened_game(game, look=True) as session:
        drawing = draw_game(seen_state(session), rules_of(session).map, sheet)
    drawing.write(output)
    return written_files([output])


@app.command()
@answers
def new(
    file: Path = typer.Argument(..., metavar="FILE", help="The map file to begin (.yaml)."),
    filled: bool = typer.Option(
        False, "--filled", help="Begin with the reconstruction in place of an empty map."
    ),
) -> Answer:
    """Begin a map file, with a comment on every line to be filled in."""
    write_new(file, filled=filled)
    todo = "Change what you like" if filled else "Fill it in"
    check_it = command("st", "map", "check", file)
    return written_files([file], f"{todo}, then run: {check_it}")
