"""``pbcg position``: template, check, convert, schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from asl_pbcg.cli.common import (
    Viewer,
    WholeHelp,
    as_option,
    command,
    paper_option,
    spare,
)
from asl_pbcg.cli.position_edit import edit
from asl_pbcg.cli.position_vasl import from_vasl
from asl_pbcg.cli.streams import print_document

if TYPE_CHECKING:
    from asl_pbcg.campaign.board import Board
    from asl_pbcg.campaign.position import Position
    from asl_pbcg.campaign.position_check import Checked
from asl_pbcg.kernel.errors import FaultsError, PBCGError

app = typer.Typer(cls=WholeHelp, add_completion=False, no_args_is_help=True)
app.command("from-vasl")(from_vasl)
app.command("edit")(edit)

_FORCE = typer.Option(False, "--force", help="Write over a file that is there already.")
_CORRECTIONS = typer.Option(
    None, "--corrections", metavar="FILE", help="Lay this correction file over the board."
)


@app.callback()
def _position() -> None:
    """Position files: what the map looks like when a CG scenario ends.

    \b
    Make one, in whichever way you like:
      pbcg position from-vasl SAVE --campaign FILE -o END
      pbcg position template END --campaign FILE --from-last
      pbcg position edit END --campaign FILE
    Look at it, then give it to the Refit Phase:
      pbcg position check END
      pbcg areas END
      pbcg refit FILE --position END

    A VASL save, a workbook (.xlsx), .yaml and .json are read everywhere.
    """


@app.command()
def template(
    file: Path = typer.Argument(..., metavar="FILE", help="A name with .xlsx, .yaml or .json."),
    campaign: Path | None = typer.Option(
        None, "--campaign", metavar="FILE", help="List every piece of this campaign in it."
    ),
    viewer: Viewer = as_option("With --campaign: whose pieces."),
    from_last: bool = typer.Option(
        False, "--from-last", help="With --campaign: what nobody Controls too; change what moved."
    ),
    paper: str = paper_option("A workbook's: "),
    force: bool = _FORCE,
) -> None:
    """Make a position for players to fill in: empty, or with every piece of a campaign."""
    from asl_pbcg.campaign.position_files import write_position, write_template

    if from_last and campaign is None:
        raise PBCGError("--from-last goes with --campaign FILE: whose pieces stood somewhere last?")
    spare(file, force)
    if campaign is None:
        write_template(file, paper)
    else:
        write_position(*_pieces_of(campaign, viewer.value, from_last, file), paper)
    typer.echo(f"Made {file}. Fill it in, then: {command('position', 'check', file)}")


@app.command()
def check(
    file: Path = typer.Argument(
        ..., metavar="FILE", help="A position: .xlsx, .yaml, .json or .vsav."
    ),
    as_json: bool = typer.Option(False, "--json", help="Answer as JSON."),
    corrections: Path | None = _CORRECTIONS,
) -> None:
    """Read a position and say what is in it, or all its faults at once (exit code 2)."""
    from asl_pbcg.campaign.board_corrections import corrected_board
    from asl_pbcg.campaign.position_files import read_checked
    from asl_pbcg.kernel.errors import fault_data

    board = corrected_board(corrections)
    try:
        if file.suffix.lower() == ".vsav":
            from asl_pbcg.play.vasl_save import checked_save

            checked = checked_save(file, board)
        else:
            checked = read_checked(file, board)
    except FaultsError as error:
        if not as_json:
            raise
        typer.echo(json.dumps(fault_data(error, str(file)), indent=1, ensure_ascii=False))
        raise typer.Exit(2) from error
    if as_json:
        typer.echo(json.dumps(summary(file, checked, board), indent=1, ensure_ascii=False))
    else:
        _print(file, checked, board)


@app.command()
def convert(
    source: Path = typer.Argument(..., metavar="IN", help="A position: .xlsx, .yaml or .json."),
    target: Path = typer.Argument(..., metavar="OUT", help="A name with .xlsx, .yaml or .json."),
    paper: str = paper_option("A workbook's: "),
    force: bool = _FORCE,
) -> None:
    """Write a position in another format; nothing is lost."""
    from asl_pbcg.campaign.position_files import read_position, write_position

    spare(target, force)
    write_position(read_position(source), target, paper=paper)
    typer.echo(f"Made {target} from {source}.")


@app.command()
def schema() -> None:
    """Print the JSON Schema of position files."""
    from asl_pbcg.campaign.position_text import schema as position_schema

    print_document(json.dumps(position_schema(), indent=1, ensure_ascii=False))


def _pieces_of(
    file: Path, viewer: str, from_last: bool, target: Path
) -> tuple[Position, Path, list[str]]:
    """The position of a campaign with all pieces that ``viewer`` may list, placed or not.

    Gives with it the file to write and what neither side Controls.
    """
    from asl_pbcg.campaign.record_lines import viewer_named
    from asl_pbcg.cli.campaign_file import open_campaign
    from asl_pbcg.play.to_fill_in import neither, position_to_fill_in

    side = viewer_named(viewer)
    session = open_campaign(file)
    try:
        position = position_to_fill_in(session.state, side)
        return position, target, neither(position, session.state) if from_last else []
    finally:
        session.journal.close()


def summary(file: Path, checked: Checked, board: Board) -> dict[str, Any]:
    """What a position without faults holds, as plain data.

    A Fortification is counted for the side that Controls its Location. Rule: 9.6073.
    """
    from asl_pbcg.campaign.areas import determine_areas
    from asl_pbcg.campaign.catalogue import load_catalogue
    from asl_pbcg.campaign.fortification_control import holder_on_map
    from asl_pbcg.campaign.strategic import StrategicLocations

    position = checked.position
    catalogue = load_catalogue()
    strategic = StrategicLocations(position, board, catalogue)
    areas = determine_areas(board, position)
    held = [holder_on_map(each, position.control, areas) for each in position.fortifications]
    sides: dict[str, Any] = {}
    for side in position.control.sides:
        kinds: dict[str, int] = {}
        pieces: list[Any] = [*position.units, *position.equipment, *position.vehicles]
        for piece in pieces:
            if piece.side is side:
                found = catalogue.get(piece.type, piece.maker)
                kinds[found.kind] = kinds.get(found.kind, 0) + 1
        sides[side] = {
            "controls": sum(place in strategic for place in position.control.locations(side)),
            **kinds,
            "fortifications": held.count(side),
            "casualty_vp": position.casualty_vp.of(side),
        }
    return {
        "file": str(file),
        "faults": [],
        "date": position.date,
        "title": position.title,
        "sides": sides,
        "gliders": len(position.gliders),
        "fortifications": len(position.fortifications),
        "terrain": len(position.terrain),
        "remarks": list(checked.remarks),
    }


_WORDS = {
    "controls": ("Strategic Location", "Strategic Locations"),
    "squad": ("squad", "squads"),
    "half_squad": ("HS", "HS"),
    "crew": ("crew", "crews"),
    "leader": ("leader", "leaders"),
    "armor_leader": ("Armor Leader", "Armor Leaders"),
    "hero": ("hero", "heroes"),
    "sw": ("SW", "SW"),
    "gun": ("Gun", "Guns"),
    "vehicle": ("vehicle", "vehicles"),
    "fortifications": ("Fortification", "Fortifications"),
    "casualty_vp": ("Casualty VP lost", "Casualty VP lost"),
}


def _print(file: Path, checked: Checked, board: Board) -> None:
    said = summary(file, checked, board)
    title = f" ({said['title']})" if said["title"] else ""
    typer.echo(f"{file}: a position after {checked.position.date.title}{title}, without faults.")
    for side, counts in said["sides"].items():
        held = ", ".join(
            f"{counts[key]} {words[counts[key] != 1]}"
            for key, words in _WORDS.items()
            if counts.get(key)
        )
        typer.echo(f"  {side.title:<8} {held or 'nothing'}")
    rest = [
        f"{count} {word}{'s' if count != 1 else ''}"
        for word, count in (
            ("glider", said["gliders"]),
            ("Fortification", said["fortifications"]),
            ("change", said["terrain"]),
        )
        if count
    ]
    if rest:
        typer.echo(f"  On the map: {', '.join(rest).replace('change', 'terrain change')}")
    for remark in said["remarks"]:
        typer.secho(f"  Look again: {remark}", fg=typer.colors.YELLOW)
