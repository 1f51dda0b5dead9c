"""``pbcg records``: the CG Roster, the RG Purchase Record and the force rosters, printed."""

from __future__ import annotations

import json
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from asl_pbcg.cli.common import (
    Viewer,
    as_option,
    closing,
    paper_option,
)
from asl_pbcg.kernel.errors import PBCGError

if TYPE_CHECKING:
    from asl_pbcg.records.sheet import Sheet

app = typer.Typer(add_completion=False)


class Paper(StrEnum):
    """Paper sizes."""

    A4 = "a4"
    LETTER = "letter"
    A3 = "a3"
    TABLOID = "tabloid"


class SheetName(StrEnum):
    """The sheets there are."""

    SUMMARY = "summary"
    ROSTER = "roster"
    PURCHASES = "purchases"
    BRITISH = "british-forces"
    GERMAN = "german-forces"
    BRITISH_SETUP = "british-setup"
    GERMAN_SETUP = "german-setup"
    MAP = "map"
    BRITISH_SERVICE = "british-service"
    GERMAN_SERVICE = "german-service"
    REPORT = "report"


@app.command()
def records(
    file: Path = typer.Argument(None, help="The campaign file; none with --blank."),
    output: Path = typer.Option(..., "-o", "--output", help="A .pdf or .xlsx file to write."),
    viewer: Viewer = as_option(),
    only: list[SheetName] = typer.Option(
        [], "--sheet", metavar="SHEET", help=f"Only these, one each time: {', '.join(SheetName)}."
    ),
    log: bool = typer.Option(False, "--log", help="Add the report: every decision and roll."),
    whole: bool = typer.Option(
        False, "--whole-report", help="Add the report of the whole campaign, not of one RePh."
    ),
    paper: Paper = paper_option(),
    blank: bool = typer.Option(False, "--blank", help="Empty forms for play on paper."),
    campaign: str = typer.Option("CG1", "--campaign", help="With --blank: CG1 or CG2."),
    templates: Path = typer.Option(None, "--templates", help="A folder with your own layouts."),
    as_json: bool = typer.Option(False, "--json", help="Say as JSON what was written."),
) -> None:
    """Print the records of a campaign as PDF or Excel."""
    from asl_pbcg.records import check_folder
    from asl_pbcg.records.output import save

    if templates:
        check_folder(templates)
    if blank == bool(file):
        both = ", not both" if blank else ""
        raise PBCGError(f"Give a campaign file, or --blank for empty forms{both}.")
    if blank:
        sheets, mark = blank_sheets(campaign, only, templates), ""
    else:
        from asl_pbcg.cli.campaign_file import open_campaign
        from asl_pbcg.play.campaign_facts import state_for
        from asl_pbcg.play.campaign_sheets import (
            REPORT,
            background,
            campaign_sheets,
            is_of_the_evening,
            sheet_names,
        )

        session = open_campaign(file, look=True)
        with closing(session):
            mark = f"File {session.journal.fingerprint}"
            sees = viewer.value
            state = state_for(session, sees)
            names = [name.value for name in only]
            if log or whole:
                here = [
                    each.name for each in sheet_names(state, sees) if is_of_the_evening(each.name)
                ]
                names = [*(names or here), REPORT]
            behind = background(session, whole)
            sheets = campaign_sheets(state, sees, names, templates, behind, paper.value)
    save(sheets, output, paper.value, mark)
    titles = [sheet.title or sheet.layout.title for sheet in sheets]
    if as_json:
        written = {"file": str(output), "sheets": titles, "paper": paper.value}
        typer.echo(json.dumps(written, ensure_ascii=False))
    else:
        typer.echo(f"{output} written: {', '.join(titles)}.")


def blank_sheets(
    campaign: str, only: list[SheetName] | None = None, templates: Path | None = None
) -> list[Sheet]:
    """The empty forms of CG1 or CG2."""
    from asl_pbcg.campaign.ledger import blank_header, blank_roster_lines
    from asl_pbcg.campaign.sheets import cg_roster, force_roster, rg_purchase_record
    from asl_pbcg.campaign.terms import Side

    if campaign.upper() not in ("CG1", "CG2"):
        raise PBCGError(f'"{campaign}" is no campaign: CG1 or CG2.')
    header = blank_header(campaign.upper())
    lines = blank_roster_lines(campaign.upper())
    made: dict[SheetName, Callable[[], Sheet]] = {
        SheetName.ROSTER: lambda: cg_roster(lines, header, templates=templates, blank=True),
        SheetName.PURCHASES: lambda: rg_purchase_record(None, header, templates=templates),
        SheetName.BRITISH: lambda: force_roster(None, Side.BRITISH, header, templates=templates),
        SheetName.GERMAN: lambda: force_roster(None, Side.GERMAN, header, templates=templates),
    }
    return [make() for name, make in made.items() if not only or name in only]
