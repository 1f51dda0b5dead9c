"""Every block of every sheet on every paper: nothing leaves its frame, nothing overprints.

Measured on the PDF of both golden campaigns and of a campaign of crowds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from campaign_crowds import Crowd
from campaign_generator import CampaignAnswers
from campaign_soak import begin
from golden_campaign import play
from print_measure import misplaced, outside, printed_pages

from asl_pbcg.campaign.state.campaign_state import Campaign, change
from asl_pbcg.chronicle.service import Survivor, moments_of
from asl_pbcg.cli.campaign_file import open_campaign
from asl_pbcg.kernel.answers import drive
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.session import Session
from asl_pbcg.play.campaign_game.campaign_poster import (
    campaign_sheet,
    draw_campaign,
    story_of,
)
from asl_pbcg.play.campaign_game.campaign_sheets import (
    background,
    campaign_sheets,
    sheet_names,
)
from asl_pbcg.play.campaign_game.history import dates, dice_falls
from asl_pbcg.play.campaign_game.looking_back import looking_back
from asl_pbcg.records import Paper, Sheet, to_pdf

LONG = (
    "German victory at the Day II CG-Scenario End: the Germans Control 8 of 8 Locations (German "
    "X18, X18/1, X20, Y18, Y21, Z18, Z20, Z20/1) (9.51); British Airborne units are worth 7 VP "
    "east of the Canal and have lost 24 CVP (9.51)."
)
"""A longer CG End than any golden campaign has."""
PAPERS = pytest.mark.parametrize("paper", list(Paper))


def golden(name: str, folder: Path) -> Session[Campaign]:
    return open_campaign(play(name, folder, records=False).file, look=True)


def crowd(_: str, __: Path) -> Session[Campaign]:
    session = begin(7, campaign="CG1")
    drive(session, CampaignAnswers(7, session, Crowd), SeededDice(7))
    return session


MADE = (("cg1", golden), ("cg2", golden), ("crowd", crowd))


@pytest.fixture(scope="module", params=MADE, ids=[name for name, _ in MADE])
def campaign(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Session[Campaign]:
    name, make = request.param
    made: Callable[[str, Path], Session[Campaign]] = make
    return made(name, tmp_path_factory.mktemp(name))


def faults(sheets: Iterable[Sheet], paper: Paper) -> list[str]:
    """What is misplaced; a map, whose counters lie on its words, only keeps to its page."""
    return [
        f"{sheet.heading}, page {number}: {words}"
        for sheet in sheets
        for number, page in enumerate(printed_pages(to_pdf(sheet, paper)), 1)
        for words in (outside if sheet.layout.name == "setup_areas" else misplaced)(page)
    ]


@pytest.fixture(scope="module")
def sheets(campaign: Session[Campaign]) -> list[Sheet]:
    """All sheets there are at the end, those of the last setup, and the dice."""
    state = campaign.state
    assert state.ended
    names = {each.name for each in sheet_names(state, "umpire")}
    found = campaign_sheets(state, "umpire", names, None, background(campaign))
    states = [each.after for each in moments_of(campaign)]
    before = [each for each in states if each.determined and not each.scenario_over][-1]
    others = {each.name for each in sheet_names(before, "umpire")} - names
    assert {"british-setup", "german-setup", "summary", "map"} <= others
    found += campaign_sheets(before, "umpire", others)
    falls = dice_falls(campaign.lines())
    return [*found, looking_back(dates(state, "umpire"), falls, "Dusk", "Umpire")]


@PAPERS
@pytest.mark.finding("J-50")
def test_nothing_of_a_campaign_leaves_its_frame(sheets: list[Sheet], paper: Paper) -> None:
    assert not faults(sheets, paper)


@PAPERS
@pytest.mark.finding("J-50")
def test_however_much_stands_on_the_page_of_a_campaign(
    campaign: Session[Campaign], paper: Paper
) -> None:
    """A CG End of three lines, and every line of every block as long as it can be."""
    story = story_of(campaign, "umpire")
    ended = replace(story, state=change(story.state, ended=LONG))
    survivor = Survivor("6-4-8 AA-1234", "survived everything, " * 8)
    full = replace(
        ended,
        survivors={side: [survivor] * 6 for side in story.state.sides},
        luck=[msgspec.structs.replace(each, kind=f"{each.kind} of any") for each in story.luck],
        rolls=[msgspec.structs.replace(each, text=f"{each.text} {LONG}") for each in story.rolls],
    )
    for told in (ended, full):
        (page,) = printed_pages(draw_campaign(told, paper.size).to_pdf())
        assert not misplaced(page)


def test_no_line_of_the_ledger_of_luck_stands_twice(campaign: Session[Campaign]) -> None:
    sheet = campaign_sheet(campaign, "umpire", Paper.A4)
    story = story_of(campaign, "umpire")
    assert {each.phase for each in story.luck} == {"All"}
    phases = [row["phase"] for row in sheet.tables["luck"]]
    assert phases and all(str(phase).startswith("RePh") for phase in phases)
