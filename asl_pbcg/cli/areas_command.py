"""``pbcg areas``: Setup Areas of a position."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer

from asl_pbcg.cli.common import paper_option
from asl_pbcg.kernel.errors import PBCGError

if TYPE_CHECKING:
    from rich.console import Console

    from asl_pbcg.campaign.area_map import AreaMap
    from asl_pbcg.campaign.terms import CGDate, Side

app = typer.Typer(add_completion=False)


@app.command()
def areas(
    file: Path = typer.Argument(
        ..., metavar="FILE", help="A position (.yaml, .json, .xlsx, .vsav) or a campaign."
    ),
    as_json: bool = typer.Option(False, "--json", help="Answer as JSON."),
    output: Path = typer.Option(
        None, "-o", "--output", metavar="FILE", help="Draw a map sheet: .pdf, .svg or .png."
    ),
    paper: str = paper_option("For the map sheet: "),
    around: str = typer.Option(
        "", "--around", metavar="HEX", help="For the map sheet: only the hexes round this one."
    ),
    radius: int = typer.Option(8, "--radius", help="How many hexes round it.", min=1, max=60),
    corrections: Path = typer.Option(
        None, "--corrections", metavar="FILE", help="Lay this correction file over the board."
    ),
    next_date: str = typer.Option(
        "", "--next-date", metavar="DATE", help="The coming CG Date, if not the one that follows."
    ),
    house_rule: list[str] = typer.Option(
        [], "--house-rule", metavar="ID=CHOICE", help='See "pbcg rulings"; may be repeated.'
    ),
) -> None:
    """Both sides' Setup Areas, of a position or as 9.605 last determined them in a campaign."""
    if output:
        from asl_pbcg.hexes.drawing import check_format
        from asl_pbcg.records.layout import Paper

        check_format(output)
        size = Paper.parse(paper)
    name = ""
    remarks: tuple[str, ...] = ()
    if file.suffix == ".pbcg":
        if corrections or next_date or house_rule:
            raise PBCGError(
                "A campaign has corrections, CG Date and house rules of its own: leave out "
                "--corrections, --next-date and --house-rule."
            )
        found, name = _of_campaign(file)
    else:
        found, remarks = _of_position(file, corrections, next_date, house_rule)
    centre = found.board.grid.check(around.strip().upper()) if around else None
    if output:
        from asl_pbcg.campaign.map_layers import position_sheet

        position_sheet(found, paper=size, around=centre, radius=radius, campaign=name).write(output)
    if as_json:
        import msgspec

        from asl_pbcg.campaign.areas_report import areas_report

        answer = msgspec.json.encode(areas_report(found))
        typer.echo(msgspec.json.format(answer, indent=1).decode())
        return
    for remark in remarks:
        typer.secho(remark, fg=typer.colors.YELLOW, err=True)
    print_areas(found)
    if output:
        typer.echo(f"The map sheet is in {output}.")


def _of_position(
    file: Path, corrections: Path | None, next_date: str, house_rule: list[str]
) -> tuple[AreaMap, tuple[str, ...]]:
    """The Setup Areas of a position file, and what in it is worth a second look."""
    from asl_pbcg.campaign.area_rulings import AreaRulings
    from asl_pbcg.campaign.areas import determine_areas
    from asl_pbcg.campaign.board import BARRIERS, DEFAULT_BARRIERS
    from asl_pbcg.campaign.board_corrections import corrected_board
    from asl_pbcg.campaign.position_files import read_checked

    rules: dict[str, str] = {}
    barriers = DEFAULT_BARRIERS
    if house_rule:
        from asl_pbcg.campaign.house_rules import campaign_rulings

        rules = campaign_rulings().read_typed(house_rule, "--house-rule")
        barriers = BARRIERS[campaign_rulings().choice(rules, "P-01")]
    coming = _coming(next_date)
    board = corrected_board(corrections, barriers)
    if file.suffix.lower() == ".vsav":
        from asl_pbcg.play.vasl_save import checked_save

        checked = checked_save(file, board)
    else:
        checked = read_checked(file, board)
    found = determine_areas(board, checked.position, AreaRulings.of(rules), coming)
    return found, tuple(checked.remarks)


def _of_campaign(file: Path) -> tuple[AreaMap, str]:
    """The Setup Areas as 9.605 last determined them in a campaign, and the campaign's name."""
    from asl_pbcg.cli.campaign_file import open_campaign
    from asl_pbcg.play.campaign_facts import state_for

    session = open_campaign(file, look=True)
    state = state_for(session, "")
    session.journal.close()
    if state.determined is None:
        raise PBCGError(
            f"{file} has no Setup Areas yet: 9.605 determines them after a CG scenario."
        )
    return state.areas, state.frame.campaigns[state.campaign].title


def _coming(typed: str) -> CGDate | Literal["next"]:
    from asl_pbcg.campaign.terms import CGDate

    if not typed:
        return "next"
    word = " ".join(typed.lower().replace("-", " ").split())
    for date in CGDate:
        if word in (date.value.replace("-", " "), date.title.lower()):
            return date
    raise PBCGError(f'"{typed}" is no CG Date: use one of {", ".join(CGDate)}.')


def print_areas(found: AreaMap) -> None:
    """Print an AreaMap for people: a table for each side, then what belongs to nobody."""
    from rich.text import Text

    from asl_pbcg.cli.sentences import Sentences

    console = Sentences()
    then = f", before {found.coming.title}" if found.coming else ""
    head = Text(f"Setup Areas after {found.date.title}{then}", style="bold")
    head.append("   9.605", style="dim")
    console.print(head)
    for side in found.sides:
        _print_side(console, found, side)
    console.print()
    console.print(_line("No Man's Land", found.no_mans_land.names))
    console.print(
        f"Uncontrolled Territory: {len(found.uncontrolled)} of {len(found.board.in_play)} hexes"
    )


def _print_side(console: Console, found: AreaMap, side: Side) -> None:
    from rich import box
    from rich.table import Table

    from asl_pbcg.campaign.areas_report import short

    if found.areas[side]:
        table = Table(box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False, expand=False)
        table.title = f"\n{side.title}"
        table.title_style = "bold red" if side == "british" else "bold blue"
        for heading, ratio in (
            ("Area", None), ("Strategic Locations", 2), ("Other hexes", 3), ("Front-Line", 3),
        ):  # fmt: skip
            table.add_column(heading, ratio=ratio, overflow="fold")
        for area in found.areas[side]:
            held = set(map(str, area.strategic_locations))  # a level above is not its hex
            others = [name for name in area.hexes if name not in held]
            front = "all" if area.hexes == area.front_line else short(area.front_line.names)
            held_words = " ".join(map(str, area.strategic_locations))
            cut_off = " ".join(map(str, found.isolated_in(area)))
            if cut_off and not area.isolated:
                held_words += f"\n[bold]Isolated[/bold] {cut_off}"
            table.add_row(
                f"{area.id}\n[bold]Isolated[/bold]" if area.isolated else area.id,
                held_words,
                short(others) if area.hexes else f"none: {side.other.title} ground level",
                front if area.hexes else "",
            )
        console.print(table)
    else:
        console.print(f"\n{side.title}: no Setup Area")
    entries = [
        f"{entry.id}{'' if entry.eligible else ' (not Eligible)'}"
        for entry in found.entry_areas[side]
    ]
    console.print(f"Entry Areas: {', '.join(entries)}")


def _line(words: str, names: list[str]) -> str:
    from asl_pbcg.campaign.areas_report import short

    return f"{words}: {short(names) if names else 'none'}"
