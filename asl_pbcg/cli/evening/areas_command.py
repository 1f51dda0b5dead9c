"""``pbcg areas``: Setup Areas of a position."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import typer

from asl_pbcg.campaign.areas.area_map import AreaMap, areas_report
from asl_pbcg.campaign.areas.setup_areas import determine_areas
from asl_pbcg.campaign.board import board_corrections
from asl_pbcg.campaign.board.board import BARRIERS, DEFAULT_BARRIERS, load_board
from asl_pbcg.campaign.entry.position_files import read_checked
from asl_pbcg.campaign.module import house_rules
from asl_pbcg.campaign.module.house_rules import AreaRulings
from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.cli.command_answers import Answer, answers, refuse_idle, written_words
from asl_pbcg.cli.common import HOUSE_RULE, RADIUS, around_option, paper_option
from asl_pbcg.hexes import drawing
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.records import layout

app = typer.Typer(add_completion=False)
_SHEET = "For the map sheet: "


@app.command()
@answers
def areas(
    file: Path = typer.Argument(
        ..., metavar="FILE", help="A position (.yaml, .json, .xlsx, .vsav) or a campaign."
    ),
    output: Path = typer.Option(
        None, "-o", "--output", metavar="FILE", help="Draw a map sheet: .pdf, .svg or .png."
    ),
    paper: str = paper_option(_SHEET),
    around: str = around_option(_SHEET, "only the hexes round this one."),
    radius: int = RADIUS,
    corrections: Path = typer.Option(
        None, "--corrections", metavar="FILE", help="Lay this correction file over the board."
    ),
    next_date: str = typer.Option(
        "", "--next-date", metavar="DATE", help="The coming CG Date, if not the one that follows."
    ),
    house_rule: list[str] = HOUSE_RULE,
) -> Answer:
    """Both sides' Setup Areas, of a position or as 9.605 last determined them in a campaign."""
    if output:
        drawing.check_format(output)
        size = layout.Paper.parse(paper)
    else:
        refuse_idle("without -o", "--paper", "--around", "--radius")
    if not around:
        refuse_idle("without --around", "--radius")
    campaign = ""
    remarks: tuple[str, ...] = ()
    if file.suffix == ".pbcg":
        if corrections or next_date or house_rule:
            raise PBCGError(
                "A campaign has corrections, CG Date and house rules of its own: leave out "
                "--corrections, --next-date and --house-rule."
            )
        area_map, campaign = _of_campaign(file)
    else:
        area_map, remarks = _of_position(file, corrections, next_date, house_rule)
    if output:
        from asl_pbcg.campaign.map import map_layers

        centre = area_map.board.grid.check(around.strip().upper()) if around else None
        map_layers.position_sheet(
            area_map, paper=size, around=centre, radius=radius, campaign=campaign
        ).write(output)
    return Answer(areas_report(area_map), lambda _: _print_all(area_map, remarks, output))


def _print_all(area_map: AreaMap, remarks: tuple[str, ...], output: Path | None) -> None:
    from asl_pbcg.cli.evening import areas_print

    for remark in remarks:
        typer.secho(remark, fg=typer.colors.YELLOW, err=True)
    areas_print.print_areas(area_map)
    if output:
        typer.echo(written_words(output))


def _of_position(
    file: Path, corrections: Path | None, next_date: str, house_rule: list[str]
) -> tuple[AreaMap, tuple[str, ...]]:
    """Return the Setup Areas of a position file, and what in it is worth a second look."""
    rules: dict[str, str] = {}
    barriers = DEFAULT_BARRIERS
    if house_rule:
        register = house_rules.campaign_rulings()
        rules = register.read_typed(house_rule, "--house-rule")
        barriers = BARRIERS[register.choice(rules, "P-01")]
    coming = _coming(next_date)
    board = load_board()
    if corrections or house_rule:
        board = board_corrections.corrected_board(corrections, barriers)
    if file.suffix.lower() == ".vsav":
        from asl_pbcg.play.campaign_game import vasl_save

        checked = vasl_save.checked_save(file, board)
    else:
        checked = read_checked(file, board)
    area_map = determine_areas(board, checked.position, AreaRulings.of(rules), coming)
    return area_map, tuple(checked.remarks)


def _of_campaign(file: Path) -> tuple[AreaMap, str]:
    """Return the Setup Areas that 9.605 last determined in a campaign, and the campaign's name."""

    from asl_pbcg.cli import campaign_file

    with campaign_file.open_game(file, look=True) as game:
        from asl_pbcg.play.campaign_game import campaign_facts

        state = campaign_facts.state_for(game.session, "")
    if state.determined is None:
        raise PBCGError(
            f"{file} has no Setup Areas yet: 9.605 determines them after a CG scenario."
        )
    return state.areas, state.frame.campaigns[state.campaign].title


def _coming(typed: str) -> CGDate | Literal["next"]:
    if not typed:
        return "next"
    word = " ".join(typed.lower().replace("-", " ").split())
    for date in CGDate:
        if word in (date.value.replace("-", " "), date.title.lower()):
            return date
    raise PBCGError(f'"{typed}" is not a CG Date: use one of {", ".join(CGDate)}.')
