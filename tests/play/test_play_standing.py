"""What stands now, inside the step in progress: status, position, map and areas (F-32)."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import campaign_soak
import pytest
from campaign_generator import CampaignAnswers
from play_help import Sitting
from refit_helpers import BRITISH, GERMAN, campaign_at, piece

import asl_pbcg.refit
from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.kernel.answers import drive
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.views import visible
from asl_pbcg.play.asked import AskedPrompt, AskedRoll
from asl_pbcg.play.campaign_game.campaign_facts import facts, state_for
from asl_pbcg.play.campaign_game.campaign_map import pieces_seen
from asl_pbcg.play.campaign_game.campaign_plug import CampaignPlug
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.refit.sequence import CampaignGame


class Begun(CampaignGame):
    """The campaign game from a state on that a test has made."""

    def __init__(self, state: Campaign) -> None:
        super().__init__()
        self._begun = state

    def begin(self, settings: Mapping[str, Any]) -> Campaign:
        return self._begun


def game_at(state: Campaign, path: Path) -> OpenGame:
    """A game whose next step is that of ``state``."""
    meta = {"settings": {}, "dice": "seeded", "seed": 7}
    session = Session(Begun(state), Journal.in_memory(meta))
    return OpenGame(path / "evening.pbcg", CampaignPlug(PEGASUS_BRIDGE), session, True)


# -- Where it stands -------------------------------------------------------------------------


def test_every_prompt_and_roll_of_the_refit_phase_carries_the_state() -> None:
    calls = [
        (file.name, call)
        for file in Path(asl_pbcg.refit.__file__).parent.rglob("*.py")
        for call in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(call, ast.Call) and ast.unparse(call.func) in ("Prompt", "Roll", "yes_no")
    ]
    assert len(calls) > 100
    for name, call in calls:
        given = [*(each.arg for each in call.keywords), *map(ast.unparse, call.args)]
        assert "state" in given, (name, call.lineno)


def test_the_state_of_a_prompt_is_not_sent() -> None:
    for kind in (AskedPrompt, AskedRoll):
        assert "state" not in kind.__struct_fields__


# -- What a player sees ---------------------------------------------------------------------


def _line(screen: str, start: str) -> list[str]:
    return [line.strip() for line in screen.splitlines() if line.strip().startswith(start)]


@pytest.mark.finding("F-32")
def test_status_tells_the_points_that_are_left_in_mid_step(tmp_path: Path) -> None:
    state = campaign_at(
        "9.617", piece("g-1", GERMAN, "4-4-7", "L9"), german=["L9"], cpp=20, campaign="CG2"
    )
    game = game_at(state, tmp_path)
    assert game.session.pending is not None and game.session.pending.id.startswith("9.617")
    first = Sitting(game, "s", "I5", "A7", "s", "I4", "A7", "s", viewer="german").play()
    points = _line(first, "CPP:")
    assert len(points) == 3
    cost = state.charts.groups.groups["I5"].cost, state.charts.groups.groups["I4"].cost
    assert None not in cost
    left = [20, 20 - (cost[0] or 0), 20 - (cost[0] or 0) - (cost[1] or 0)]
    assert [line.split() for line in points] == [["CPP:", str(each)] for each in left]
    # In secret: the other side's facts are as the step began.
    assert facts(game.session, "umpire")["cpp"] == left[2]
    assert state_for(game.session, "british") is game.session.state


@pytest.mark.finding("F-32")
def test_the_map_at_the_control_confirmation_has_the_new_control(tmp_path: Path) -> None:
    state = campaign_at(
        "9.605",
        piece("g-1", GERMAN, "4-4-7", "Z15"),
        piece("b-1", BRITISH, "6-4-8", "Y19"),
        british=["Y19", "Z15"],
        german=["L9"],
        determined=False,
    )
    game = game_at(state, tmp_path)
    screen = Sitting(game, "german", "p Z15", "Y19 nobody", "m Z15").play()
    (holder,) = (line.split() for line in screen.splitlines() if line.startswith(" Z15  "))
    assert holder[1] == "German"
    (shown,) = (line for line in screen.splitlines() if "Z15*" in line)
    assert "Z15*gB g1" in shown  # in a German Setup Area
    (shown,) = (line for line in screen.splitlines() if "b1" in line and "Y19" in line)
    assert "Y19o" in shown
    assert game.session.state.control.of(GERMAN) == ("L9",)  # as the step began


def test_after_the_step_the_state_is_what_stood_last(tmp_path: Path) -> None:
    state = campaign_at(
        "9.605", piece("b-1", BRITISH, "6-4-8", "Y19"), british=["Y19"], german=["L9"],
        determined=False,
    )  # fmt: skip
    session = game_at(state, tmp_path).session
    session.answer("L9 nobody")
    now = session.now
    assert now.control.of(GERMAN) == () and session.state.control.of(GERMAN) == ("L9",)
    session.answer("confirmed")
    assert session.state.control == now.control


@pytest.mark.parametrize("seed", [2, 5])
def test_a_side_sees_nothing_of_what_the_other_does_in_secret(seed: int) -> None:
    """From 9.613 on the other side stays as it was seen, at every prompt of every step."""
    session = campaign_soak.begin(seed)
    seen: dict[tuple[str, str], list[Any]] = {}
    changed = 0

    def between() -> bool:
        nonlocal changed
        asked = session.pending
        if asked is None or session.state.at not in ("9.613", "9.617", "9.618", "9.619", "9.620"):
            return False
        changed += session.now != session.state
        for viewer, other in (("british", "german"), ("german", "british")):
            shown = state_for(session, viewer)
            if not visible(asked, viewer):
                assert shown is session.state
            found = [each for each in pieces_seen(shown, viewer) if each.side.value == other]
            step = session.step.id if session.step else ""
            assert seen.setdefault((step, viewer), found) == found, (step, viewer)
        return False

    drive(session, CampaignAnswers(seed, session), SeededDice(seed), until=between)
    assert changed > 50
    assert session.now is session.state
