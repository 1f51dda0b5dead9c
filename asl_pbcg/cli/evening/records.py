"""``pbcg records``: the CG Roster, the RG Purchase Record and the force rosters, printed."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Final

import msgspec
import typer

from asl_pbcg.campaign.sheets.campaign_sheets_content import (
    cg_roster,
    force_roster,
    rg_purchase_record,
)
from asl_pbcg.campaign.sheets.ledger import blank_header, blank_roster_lines
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.terms import Side
from asl_pbcg.chronicle.reph_sheets import blank_map, blank_setup_sheets
from asl_pbcg.chronicle.table_card import table_card
from asl_pbcg.cli.campaign_file import look_at
from asl_pbcg.cli.command_answers import Answer, answers, refuse_idle, written_words
from asl_pbcg.cli.common import Viewer, as_option, paper_option
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.session import Session
from asl_pbcg.play.campaign_game.campaign_facts import state_for
from asl_pbcg.play.campaign_game.campaign_sheets import (
    REPORT,
    background,
    campaign_sheets,
    is_of_the_evening,
    sheet_names,
)
from asl_pbcg.play.help_texts import REFIT_HELP
from asl_pbcg.records import Sheet, check_folder, save
from asl_pbcg.records.layout import Paper

app = typer.Typer(add_completion=False)


class CampaignSheetName(StrEnum):
    """The sheets of a campaign, as they are named after ``--sheet``."""

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
    BRITISH_CARD = "british-card"
    GERMAN_CARD = "german-card"
    CAMPAIGN = "campaign"
    REPORT = "report"


class PrintedRecords(msgspec.Struct, frozen=True):
    """The files that were printed, and the titles of their sheets."""

    written: list[str]
    sheets: list[str]
    paper: str


_SHEETS = f"Only these, one each time: {', '.join(CampaignSheetName)}."


_RECORDS: Final = {"roster", "purchases", "british-forces", "german-forces"}
"""The sheets that give data of their own, whatever their layout."""


@app.command()
@answers
def records(
    file: Path = typer.Argument(None, help="The campaign file; none with --blank."),
    output: Path = typer.Option(
        ..., "-o", "--output", help="A .pdf, .xlsx, .csv or .json file to write."
    ),
    viewer: Viewer = as_option(),
    only: list[CampaignSheetName] = typer.Option([], "--sheet", metavar="SHEET", help=_SHEETS),
    log: bool = typer.Option(False, "--log", help="Add the report: every decision and roll."),
    whole: bool = typer.Option(
        False, "--whole-report", help="Add the report of the whole campaign, not of one RePh."
    ),
    paper: str = paper_option(),
    blank: bool = typer.Option(False, "--blank", help="Empty forms for play on paper."),
    campaign: str = typer.Option(
        "CG1", "--campaign", metavar="CG1|CG2", help="With --blank: whose."
    ),
    templates: Path = typer.Option(
        None, "--templates", metavar="FOLDER", help="A folder with your own layouts."
    ),
) -> Answer:
    """Print the records of a campaign as PDF or Excel."""
    size = Paper.parse(paper)
    if templates:
        check_folder(templates)
    if blank == bool(file):
        both = ", not both" if blank else ""
        raise PBCGError(f"Give a campaign file, or --blank for empty forms{both}.")
    if blank and output.suffix.lower() in (".csv", ".json"):
        raise PBCGError(f"{output}: an empty form holds no data; print it as .pdf or .xlsx.")
    if output.suffix.lower() in (".csv", ".json"):
        refuse_idle("in a table for programs", "--paper")
        if only and {name.value for name in only} <= _RECORDS:
            refuse_idle("in these tables for programs", "--templates")
    if blank:
        refuse_idle("with --blank", "--log", "--whole-report")
        sheets, mark = blank_sheets(campaign, only, templates, size), ""
    else:
        refuse_idle("without --blank", "--campaign")
        with look_at(file, viewer.value) as game:
            names = [name.value for name in only]
            report = log or whole
            sheets = _filled_sheets(
                game.session, viewer.value, names, report, whole, templates, size
            )
            mark = f"File {game.session.journal.fingerprint}"
    files = save(sheets, output, size, mark)
    titles = [sheet.title or sheet.layout.title for sheet in sheets]
    printed = PrintedRecords([str(path) for path in files], titles, paper.lower())
    sentence = written_words(*files, more=f"{', '.join(titles)}.")
    return Answer(printed, lambda _: typer.echo(sentence))


def _filled_sheets(
    session: Session[Campaign],
    sees: str,
    names: list[str],
    report: bool,
    whole: bool,
    templates: Path | None,
    paper: Paper,
) -> list[Sheet]:
    state = state_for(session, sees)
    if report:
        every = [sheet.name for sheet in sheet_names(state, sees)]
        names = [
            *(names or (name for name in every if is_of_the_evening(name, state.ended))),
            REPORT,
        ]
    behind = background(session, whole)
    return campaign_sheets(state, sees, names, templates, behind, paper.value.lower())


def blank_sheets(
    campaign: str,
    only: list[CampaignSheetName] | None = None,
    templates: Path | None = None,
    size: Paper = Paper.A4,
) -> list[Sheet]:
    """Return the empty forms of CG1 or CG2, ``size`` that of the map."""
    if campaign.upper() not in ("CG1", "CG2"):
        raise PBCGError(f'"{campaign}" is not a campaign: CG1 or CG2.')
    header = blank_header(campaign.upper())
    lines = blank_roster_lines(campaign.upper())
    sheet = CampaignSheetName

    setups = {sheet.BRITISH_SETUP: Side.BRITISH, sheet.GERMAN_SETUP: Side.GERMAN}
    made: dict[CampaignSheetName, Callable[[], Sheet]] = {
        sheet.ROSTER: lambda: cg_roster(lines, header, templates=templates, blank=True),
        sheet.PURCHASES: lambda: rg_purchase_record(None, header, templates=templates),
        sheet.BRITISH: lambda: force_roster(None, Side.BRITISH, header, templates=templates),
        sheet.GERMAN: lambda: force_roster(None, Side.GERMAN, header, templates=templates),
    }
    cards = {sheet.BRITISH_CARD: Side.BRITISH, sheet.GERMAN_CARD: Side.GERMAN}
    forms = [*made, *setups, sheet.MAP, *cards]
    if missing := [form for form in only or () if form not in forms]:
        raise PBCGError(f"There is no empty {missing[0]}: {', '.join(forms)} are the blank forms.")
    wanted = only or forms
    sheets = [make() for name, make in made.items() if name in wanted]
    sides = [side for name, side in setups.items() if name in wanted]
    sheets += blank_setup_sheets(sides, header, templates)
    sheets += [blank_map(header, size, templates)] if sheet.MAP in wanted else []
    steps = REFIT_HELP.content.steps
    sheets += [
        table_card(campaign.upper(), side, steps, templates)
        for name, side in cards.items()
        if name in wanted
    ]
    return sheets
