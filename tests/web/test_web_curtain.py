"""The curtain at one screen: what asks nothing of a side takes one click of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from web_help import GOLDEN, answer, app_client, only_game
from web_screen import Look

from asl_pbcg.kernel.answers import ListedAnswers, drive
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.play.campaign_game.position_document import read_document
from asl_pbcg.play.open_game import OpenGame

pytestmark = pytest.mark.finding("J-80")
CURTAIN = ".asked:not(.waiting) [data-curtain={}] [data-action=curtain]"


def play_until(file: Path, step: str, point: str) -> None:
    """Play the golden Refit Phase after Night I until ``point`` of a step is asked."""
    with OpenGame.open(file) as game:
        session = game.session
        listed = ListedAnswers.read(GOLDEN / "night-1.answers.yaml")
        position = read_document(str(GOLDEN / "night-1.position.yaml"), session.state)
        listed._otherwise |= {"0.2": position}
        drive(
            session,
            listed,
            SeededDice(6),
            until=lambda: (
                session.state.at == step
                and session.pending is not None
                and session.pending.id == point
            ),
        )


@pytest.fixture
def recombining(evening: Path) -> Path:
    """The game where nothing is asked of either side off map, one after the other."""
    play_until(evening, "9.611", "pass")
    return evening


def given(file: Path) -> list[tuple[str, str]]:
    """Return point and side of what was answered in 9.611 and after."""
    with OpenGame.open(file, look=True) as game:
        entries = game.session.journal.standing()
    return [
        (entry.point, entry.side)
        for entry in entries
        if entry.kind == "answer" and entry.secret and entry.step >= "9.611"
    ]


def test_who_is_asked_nothing_lifts_the_curtain_and_no_more(look: Look, recombining: Path) -> None:
    with look("both") as (screen,):
        page = screen.page
        page.click(CURTAIN.format("british"))
        page.click(CURTAIN.format("german"))
        page.wait_for_selector(CURTAIN.format("british"))
        assert page.locator("[data-prompt=pass]").count() == 0
        assert given(recombining)[-2:] == [("pass", "british"), ("pass", "german")]
        page.click(CURTAIN.format("british"))
        page.wait_for_selector("[data-prompt='9.613.1']")


def test_nothing_secret_to_read_draws_the_curtain_itself(look: Look, recombining: Path) -> None:
    with look("both") as (screen,):
        page = screen.page
        for side in ("british", "german", "british"):
            page.click(CURTAIN.format(side))
        page.click("[data-prompt='9.613.1'] [data-option=done]")
        page.wait_for_selector(CURTAIN.format("german"))


def test_undo_does_not_go_on_by_itself(look: Look, recombining: Path) -> None:
    with look("both") as (screen,):
        page = screen.page
        page.click("[data-action=open]")
        page.wait_for_selector("[data-prompt='9.613.1']")
        page.click("[data-action=undo]")
        page.wait_for_selector("[data-prompt=pass]")
        assert given(recombining)[-1:] == [("pass", "british")]


def test_at_a_page_of_its_own_a_side_still_goes_on_itself(recombining: Path) -> None:
    with app_client(recombining.parent, "british") as client:
        id = only_game(client)
        assert client.get(f"/api/games/{id}").json()["asked"]["id"] == "pass"
        assert answer(client, id, "on").status_code == 200


def test_what_came_of_it_in_secret_is_read_before_the_curtain(look: Look, evening: Path) -> None:
    play_until(evening, "9.619", "9.619.1")
    with look("both") as (screen,):
        page = screen.page
        page.click(CURTAIN.format("british"))
        page.click("[data-prompt='9.619.1'] [data-option=done]")
        page.wait_for_selector(CURTAIN.format("''"))
        assert page.locator(".latest .line.new").count()
