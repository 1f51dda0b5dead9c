"""``pbcg position``: make, check, edit and convert positions, and make a VASL save.

``template``, ``check``, ``edit``, ``convert`` and ``schema`` work on position files; ``to-vasl``
makes the save of the next scenario.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, NoReturn

import msgspec
import typer

from asl_pbcg.campaign.areas import setup_areas, strategic_locations
from asl_pbcg.campaign.board.board import Board
from asl_pbcg.campaign.board.board_corrections import corrected_board
from asl_pbcg.campaign.entry import position_text
from asl_pbcg.campaign.entry.position_check import Checked, check_position
from asl_pbcg.campaign.entry.position_files import (
    read_checked,
    read_position,
    write_position,
    write_template,
)
from asl_pbcg.campaign.module.catalogue import load_catalogue
from asl_pbcg.campaign.scenario import fortification_control
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.cli.command_answers import (
    Answer,
    answers,
    json_text,
    refuse_idle,
    written_files,
    written_words,
)
from asl_pbcg.cli.common import Viewer, WholeHelp, as_option, command, paper_option, spare
from asl_pbcg.cli.evening.position_vasl import from_vasl, side_of
from asl_pbcg.cli.terminal.streams import print_document
from asl_pbcg.kernel.errors import FaultsError, PBCGError, fault_data
from asl_pbcg.kernel.files import make_new
from asl_pbcg.kernel.wording import number_words


@answers
def to_vasl(
    campaign: Path = typer.Argument(..., metavar="FILE", help="The campaign file."),
    base: Path = typer.Option(
        ..., "--base", metavar="SAVE", help="The save of the scenario just played; it stays."
    ),
    output: Path = typer.Option(
        ..., "-o", "--output", metavar="SAVE", help="The save to make: .vsav."
    ),
    viewer: Viewer = as_option("One side's eyes: of the other it holds what both may see."),
    onto: Path | None = typer.Option(
        None, "--onto", metavar="SAVE", help="Add what sets up second to the other side's setup."
    ),
    module: Path | None = typer.Option(
        None, "--module", metavar="VMOD", help="Your VASL module, for counters the base has not."
    ),
    palette: list[Path] = typer.Option(
        [], "--palette", metavar="SAVE", help="Another save to copy counters from; may be repeated."
    ),
    perimeters: bool = typer.Option(
        False, "--perimeters", help="Perimeter counters where Setup Areas end."
    ),
) -> Answer:
    """Make the VASL save of the next scenario from the last one's: cleaned, flipped, in place.

    \b
      pbcg position to-vasl evening.pbcg --base night-1.vsav -o night-2.vsav
    """

    from asl_pbcg.cli import campaign_file

    if output.suffix.lower() != ".vsav":
        raise PBCGError(f"{output} is not a name for a VASL save: let it end in .vsav.")
    if output.exists():
        raise PBCGError(f"{output} exists already: choose another name or move it away.")
    with campaign_file.look_at(campaign, viewer.value) as game:
        from asl_pbcg.play.campaign_game import vasl_save_next

        content, report = vasl_save_next.next_save(
            game.session, base, side_of(viewer), onto, palette, module, perimeters
        )
    make_new(output, content)
    return Answer(NextSaveMade([str(output)], report), _print_next_save)


class NextSaveMade(msgspec.Struct, frozen=True):
    """The answer of ``position to-vasl``."""

    written: list[str]
    report: Any


def _print_next_save(made: NextSaveMade) -> None:
    report = made.report
    whose = f"It is for the {Side(report.viewer).title} player. " if report.viewer else ""
    more = f"{whose}Pieces that stay as they were: {report.stayed}."
    typer.echo(written_words(*made.written, more=more))
    for _, head, lines in report.lines():
        typer.echo(head)
        for line in lines:
            typer.echo(f"  {line}")


app = typer.Typer(cls=WholeHelp, add_completion=False, no_args_is_help=True)
app.command("from-vasl")(from_vasl)
app.command("to-vasl")(to_vasl)

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
    Set up the next scenario on VASL:
      pbcg position to-vasl FILE --base SAVE -o NEXT

    A VASL save, a workbook (.xlsx), .yaml and .json are read everywhere.
    """


@app.command()
@answers
def template(
    file: Path = typer.Argument(..., metavar="FILE", help="A name with .xlsx, .yaml or .json."),
    campaign: Path | None = typer.Option(
        None, "--campaign", metavar="FILE", help="List every piece of this campaign in it."
    ),
    viewer: Viewer = as_option("With --campaign: whose pieces."),
    from_last: bool = typer.Option(
        False, "--from-last", help="With --campaign: what nobody Controls too; change what moved."
    ),
    records: bool = typer.Option(
        False, "--records", help="With CG Roster and RG Purchase Record: for pbcg new --from."
    ),
    example: bool = typer.Option(False, "--example", help="With --records: filled in."),
    paper: str = paper_option("A workbook's: "),
    force: bool = _FORCE,
) -> Answer:
    """Make a position for players to fill in: empty, or with every piece of a campaign.

    To bring in a campaign from paper: pbcg position template start.xlsx --records
    """
    if example and (campaign or not records):
        raise PBCGError("--example goes with --records, and without --campaign.")
    if from_last and campaign is None:
        raise PBCGError("--from-last goes with --campaign FILE: whose pieces stood somewhere last?")
    if campaign is None:
        refuse_idle("without --campaign", "--as")
    _refuse_paper(file)
    spare(file, force)
    if records:
        from asl_pbcg.campaign.paper import paper_workbook
        from asl_pbcg.cli import campaign_file

        state = campaign_file.state_of(campaign, viewer=viewer.value) if campaign else None
        paper_workbook.write_paper(file, state, example, paper, side_of(viewer))
        bring = command("new", "evening.pbcg", "--from", file)
        return written_files([file], f"Fill it in, then: {bring}")
    if campaign is None:
        write_template(file, paper)
    else:
        _write_to_fill_in(file, campaign, viewer, from_last, paper)
    check_it = command("position", "check", file)
    return written_files([file], f"Fill it in, then: {check_it}")


def _write_to_fill_in(
    file: Path, campaign: Path, viewer: Viewer, from_last: bool, paper: str
) -> None:
    """Write a position that lists what a side of ``campaign`` has, to be filled in."""
    from asl_pbcg.cli import campaign_file
    from asl_pbcg.play.campaign_game import to_fill_in

    state = campaign_file.state_of(campaign, viewer=viewer.value)
    position = to_fill_in.position_to_fill_in(state, side_of(viewer))
    nobody = to_fill_in.neither(position, state) if from_last else ()
    write_position(position, file, nobody, paper)


def _refuse_paper(file: Path) -> None:
    if file.suffix.lower() != ".xlsx":
        refuse_idle("but in a workbook", "--paper")


@app.command()
@answers
def check(
    file: Path = typer.Argument(
        ..., metavar="FILE", help="A position: .xlsx, .yaml, .json or .vsav."
    ),
    corrections: Path | None = _CORRECTIONS,
) -> Answer:
    """Read a position and say what is in it, or all its faults at once (exit code 2).

    A campaign from paper is read as pbcg new --from reads it; nothing is made.
    """

    board = corrected_board(corrections)
    try:
        if file.suffix.lower() == ".vsav":
            from asl_pbcg.play.campaign_game.vasl_save import checked_save as read
        else:
            from asl_pbcg.play.campaign_game import campaign_from_paper

            if campaign_from_paper.is_paper_book(file):
                return Answer(_book_summary(file, board), _print_book)
            read = read_checked
        checked = read(file, board)
    except FaultsError as error:
        faults = error

        def refuse(data: Any) -> NoReturn:
            raise faults

        return Answer(fault_data(error, str(file)), refuse, code=2)
    return Answer(summary(file, checked, board), _print)


@app.command()
@answers
def edit(
    file: Path = typer.Argument(..., metavar="FILE", help="A position to go on with, or to make."),
    campaign: Path | None = typer.Option(
        None, "--campaign", metavar="FILE", help="The campaign whose CG scenario it ends."
    ),
    viewer: Viewer = as_option("With --campaign: whose pieces."),
) -> Answer:
    """Make or change a position by short orders at the terminal; ? shows them."""

    from asl_pbcg.cli.evening import position_edit

    draft = position_edit.edit(file, campaign, side_of(viewer))
    faults = draft.faults()
    if faults:
        data = fault_data(FaultsError(str(file), faults))
    else:
        checked = check_position(draft.position, draft.board, draft.catalogue)
        data = summary(file, checked, draft.board)
    return Answer(data, lambda _: None)


@app.command()
@answers
def convert(
    source: Path = typer.Argument(..., metavar="IN", help="A position: .xlsx, .yaml or .json."),
    target: Path = typer.Argument(..., metavar="OUT", help="A name with .xlsx, .yaml or .json."),
    paper: str = paper_option("A workbook's: "),
    force: bool = _FORCE,
) -> Answer:
    """Write a position in another format; nothing is lost."""
    _refuse_paper(target)
    spare(target, force)
    write_position(read_position(source), target, paper=paper)
    return written_files([target])


@app.command()
@answers
def schema() -> Answer:
    """Print the JSON Schema of position files."""
    return Answer(position_text.schema(), lambda schema: print_document(json_text(schema)))


def summary(file: Path, checked: Checked, board: Board) -> dict[str, Any]:
    """Return what a position without faults holds, as plain data.

    A Fortification is counted for the side that Controls its Location. Rule: 9.6073.
    """
    position = checked.position
    catalogue = load_catalogue()
    strategic = strategic_locations.StrategicLocations(position, board, catalogue)
    areas = setup_areas.determine_areas(board, position)
    holders = [
        fortification_control.holder_on_map(fortification, position.control, areas)
        for fortification in position.fortifications
    ]
    sides = {
        side: {
            "controls": sum(place in strategic for place in position.control.locations(side)),
            **Counter(
                catalogue.get(piece.type, piece.maker).kind
                for piece in position.pieces
                if piece.side is side
            ),
            "fortifications": holders.count(side),
            "casualty_vp": position.casualty_vp.of(side),
        }
        for side in position.control.sides
    }
    ground = ("gliders", "fortifications", "terrain")
    return {
        "file": str(file),
        "faults": [],
        "date": position.date,
        "title": position.title,
        "sides": sides,
        **{name: len(getattr(position, name)) for name in ground},
        "remarks": list(checked.remarks),
    }


def _book_summary(file: Path, board: Board) -> dict[str, Any]:
    """Return what a file of a paper campaign holds, as pbcg new --from would take it."""

    from asl_pbcg.play.campaign_game import campaign_from_paper

    book = campaign_from_paper.read_book(file, {})
    data: dict[str, Any] = {"file": str(file), "faults": [], "remarks": list(book.remarks)}
    if book.position:
        data = summary(file, Checked(book.position, book.remarks), board)
    return {**data, "campaign": book.settings["campaign"], "date": book.settings["from_paper"]}


_WORDS = {
    "controls": ("Strategic Location",),
    "squad": ("squad",),
    "half_squad": ("HS", "HS"),
    "crew": ("crew",),
    "leader": ("leader",),
    "armor_leader": ("Armor Leader",),
    "hero": ("hero", "heroes"),
    "sw": ("SW", "SW"),
    "gun": ("Gun",),
    "vehicle": ("vehicle",),
    "fortifications": ("Fortification",),
    "casualty_vp": ("Casualty VP lost", "Casualty VP lost"),
    "gliders": ("glider",),
    "terrain": ("terrain change",),
}


def _print(data: dict[str, Any]) -> None:
    title = f" ({data['title']})" if data["title"] else ""
    date = CGDate(data["date"]).title
    typer.echo(f"{data['file']}: a position after {date}{title}, without faults.")
    _print_contents(data)


def _print_book(data: dict[str, Any]) -> None:
    date, campaign = CGDate(data["date"]).title, data["campaign"]
    typer.echo(f"{data['file']}: {campaign} on paper after {date}, without faults.")
    if "sides" in data:
        _print_contents(data)
    else:
        typer.echo("  It has no position: that will be asked for.")
        _print_remarks(data)
    typer.echo(f"  {command('new', 'evening.pbcg', '--from', data['file'])} makes the campaign.")


def _print_contents(data: dict[str, Any]) -> None:
    for side, counts in data["sides"].items():
        typer.echo(f"  {side.title:<8} {_count_words(counts, *_WORDS) or 'nothing'}")
    if counted := _count_words(data, "gliders", "fortifications", "terrain"):
        typer.echo(f"  On the map: {counted}")
    _print_remarks(data)


def _print_remarks(data: dict[str, Any]) -> None:
    for remark in data["remarks"]:
        typer.secho(f"  Look again: {remark}", fg=typer.colors.YELLOW)


def _count_words(counts: dict[str, Any], *names: str) -> str:
    return ", ".join(
        number_words(counts[name], *_WORDS[name]) for name in names if counts.get(name)
    )
