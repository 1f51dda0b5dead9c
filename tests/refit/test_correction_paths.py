"""A fact of the roster is the same to ``pbcg assert`` and to ``pbcg correct``."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from in_process import run_pbcg
from play_help import play_cg2_to
from refit_helpers import campaign_at

from asl_pbcg.campaign.paper.roster_facts import FORMS
from asl_pbcg.campaign.scenario.snipers import san_in_force
from asl_pbcg.campaign.state.campaign_state import change
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.refit.correction_paths import SHARED, stored_correction


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("paper") / "evening.pbcg"
    play_cg2_to(file, "0.2")
    return file


@pytest.fixture
def file(begun: Path, tmp_path: Path) -> Iterator[Path]:
    yield Path(shutil.copy(begun, tmp_path / begun.name))


@pytest.mark.finding("J-43")
@pytest.mark.rule("9.6122-a")
@pytest.mark.parametrize(
    "fact",
    ["san/german=4", "san/german=7", "san/british=5", "san-base/german=3", "fpp/british=7.5",
     "ww-box/6-4-8=2", "dummies/british=3", "date=day-1"],
)  # fmt: skip
def test_what_is_corrected_is_then_what_the_roster_has(file: Path, fact: str) -> None:
    assert run_pbcg("assert", file, fact).code == 1
    made = run_pbcg("correct", file, fact, "--reason", "so on our roster", "--yes")
    assert made.code == 0, made
    assert run_pbcg("assert", file, fact).code == 0
    again = run_pbcg("correct", file, fact, "--reason", "so on our roster", "--yes")
    assert again.code == 2 and "changes nothing" in again.err


@pytest.mark.finding("J-43")
def test_the_log_names_the_san_that_the_roster_has(file: Path) -> None:
    run_pbcg("correct", file, "san/german=4", "--reason", "4 on our roster", "--yes")
    both = run_pbcg("correct", file, "san={british: 3, german: 3}", "--reason", "both", "--yes")
    assert both.code == 0, both
    assert "6, is now 4." in run_pbcg("log", file).out


@pytest.mark.finding("J-43")
@pytest.mark.parametrize("base", range(8))
@pytest.mark.parametrize("holder", ["", Side.BRITISH, Side.GERMAN])
def test_any_san_in_force_can_be_had_or_its_bounds_are_told(base: int, holder: str) -> None:
    held = {"german": ["II13"]} if holder == "german" else {"british": ["II13"]} if holder else {}
    state = campaign_at("9.613", date=CGDate.DAY_1, **held)  # type: ignore[arg-type]
    state = change(state, san={Side.GERMAN: base, Side.BRITISH: 3})
    for wanted in range(9):
        try:
            path, value = stored_correction(state, "san/german", wanted)
        except PBCGError as error:
            assert "must be" in str(error) or wanted == san_in_force(state, Side.GERMAN)
            continue
        assert path == "san/german"
        after = change(state, san={**state.san, Side.GERMAN: value})
        assert san_in_force(after, Side.GERMAN) == wanted


def test_every_shared_fact_is_one_of_the_roster() -> None:
    assert set(SHARED) <= set(FORMS)
