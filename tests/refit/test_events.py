"""Events: scripts tell every change they make, and nothing that they did not do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import campaign_soak
import pytest
from escape_help import ground
from event_check import explain, find_unexplained
from refit_helpers import BRITISH, GERMAN, campaign_at, piece

from asl_pbcg.campaign.state.campaign_state import change
from asl_pbcg.campaign.state.piece_changes import add_pieces, remove, update
from asl_pbcg.campaign.state.piece_events import Deployed, Eliminated, Reduced
from asl_pbcg.refit.s600_scenario_end import table_events

ROOT = Path(__file__).parent.parent.parent
FORGETFUL = """
from asl_pbcg.campaign.state.piece_changes import update
from asl_pbcg.campaign.state.campaign_state import Told, change
from asl_pbcg.kernel.prompts import Note, Script

def forget_piece(state: Told) -> Script[Told]:
    yield Note("The unit moves.")
    return update(state, "g1", at="P14")

def forget_on_the_way(state: Told) -> Script[Told]:
    state = change(state, cpp=state.cpp - 5)
    yield Note("5 CPP are spent.")
    return state
"""


def test_a_type_refuses_a_change_that_no_event_tells(tmp_path: Path) -> None:
    script = tmp_path / "forgetful.py"
    script.write_text(FORGETFUL)
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(script)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    wrong = [line for line in run.stdout.splitlines() if ": error: " in line]
    assert ["return" in wrong[0], "assignment" in wrong[1]] == [True, True] and len(wrong) == 2


def test_what_no_event_tells_and_what_did_not_happen_stand_out() -> None:
    before = ground(piece("g0", GERMAN, "4-6-7", "P14"), piece("g1", GERMAN, "8-0", "P14"))
    after = change(remove(update(before, "g0", area="B"), "g1", "eliminated"), cpp=3)
    assert [(each.id, each.field) for each in find_unexplained(before, after, ())] == [
        ("g0", "area"),
        ("g1", "left"),
        ("", "cpp"),
    ]
    gone = next(each for each in table_events(before, after) if isinstance(each, Eliminated))
    twice = [each for each in find_unexplained(before, after, (gone, gone)) if each.false]
    assert [(each.id, each.field) for each in twice] == [("g1", "left")]


@pytest.mark.finding("J-20")
def test_squads_that_deployed_in_play_are_matched_one_by_one() -> None:
    squads = [piece(f"b{n}", BRITISH, "6-4-8", at) for n, at in enumerate(("Z15", "Z16", "Y17"))]
    before = campaign_at("scenario", *squads)
    after = before
    for squad in squads:
        after = update(after, squad.id, type="3-3-8")
    for at in ("Z16", "Z15"):  # of the third one no second half is there
        after = add_pieces(after, BRITISH, [("3-3-8", 1)], openly=True, at=at)
    events = tuple(table_events(before, after))
    deployed = {each.piece.id: each.into[1].at for each in events if isinstance(each, Deployed)}
    assert deployed == {"b0": "Z15", "b1": "Z16"}
    assert [each.piece.id for each in events if isinstance(each, Reduced)] == ["b2"]
    assert not [*find_unexplained(before, after, events)]


@pytest.mark.parametrize("seed", [3, 8, 21])
def test_events_explain_every_change(seed: int) -> None:
    session = campaign_soak.play(campaign_soak.begin(seed), seed, check=False)
    explained = explain(session)
    assert explained.open == []
    assert explained.differences > 500 and len(explained.kinds) > 25
