"""``pbcg units`` and corrections that a campaign could not live with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from in_process import pbcg
from sentences import Tells

from asl_pbcg.campaign.module.catalogue import load_catalogue
from asl_pbcg.cli.campaign_file import open_campaign


@pytest.fixture
def file(tmp_path: Path) -> Path:
    found = tmp_path / "evening.pbcg"
    pbcg("new", found, "--campaign", "CG2", "--seed", "3", "--auto")
    return found


def stands(file: Path) -> tuple[object, object]:
    session = open_campaign(file)
    found = session.state, session.lines()
    session.journal.close()
    return found


def test_types_are_shown_with_what_to_check(tells: Tells) -> None:
    told = pbcg("units")
    for each in load_catalogue():
        assert each.name in told
    tells(told, "against")
    (squad,) = json.loads(pbcg("units", "6-4-8", "--json"))
    assert (squad["half_squad"], squad["class"]) == ("3-3-8", "elite")
    assert "half_squad 3-3-8\n" in pbcg("units", "6-4-8")
    assert "cvp 2?" in pbcg("units", "6-4-8")
    asked = json.loads(pbcg("units", "--to-check", "--json"))
    assert sum(len(each) - 3 for each in asked) == len(load_catalogue().to_check())
    assert "Nearest: Marder" in pbcg("units", "Mardr", code=2)


def test_players_correct_a_value_for_their_campaign(tells: Tells, file: Path) -> None:
    told = pbcg("correct", file, "units/german/Marder/crew_survival=6", "--reason", "it says CS 6")
    tells(told, "crew_survival", "now 6")
    assert "crew_survival 6\n" in pbcg("units", "marder", "--campaign", file)
    assert "crew_survival 4?" in pbcg("units", "marder")
    session = open_campaign(file)
    session.journal.close()
    known = session.state.catalogue.vehicle("Marder", session.state.pieces[-1].side)
    assert known.sure("crew_survival")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("units/german/Mardr/cvp=6", "is not a German type; nearest: Marder"),
        ("units/german/Marder/cvq=6", "cannot be corrected; these can"),
        ("house_rules/C-14=nonsense", "must be one of"),
        ("house_rules/Z-99=any", "does not name a house rule"),
        ("pieces/b-648-1/at=ZZ99", "ZZ99"),
        ("pieces/b-648-1/at=somewhere", "is not a Location"),
        ("pieces/b-648-1/status=[brokn]", "must be one of: broken"),
        ("pieces/b-648-1/type=6-4-9", "is not a British type; nearest: 6-4-8"),
        ("pieces/b-648-1/possesses=[nothing-1]", "is not a piece of that side"),
        ("pieces/b-648-1/possesses=[b-648-2]", "is not an SW or Gun"),
        ("pieces/b-648-1/aboard=nowhere", "is not a piece"),
        ("pieces/b-648-1/guarded_by=b-648-2", "is not an enemy unit"),
        ("pieces/b-648-1/id=b-648-2", "must be an id of its own"),
        ("san/german=9", "must be 2 to 7 while the Germans Control II13"),
        ("san-base/german=9", "must be 0 to 7"),
        ("cpp=-1", "must be 0 to 999"),
        ("fpp/british=1.3", "in whole or half FPP"),
        ("date=night-1", "must be one of: dawn"),
        ("at=9.699", "is not a step"),
        ("control/british=[TT99]", "TT99"),
        ("received_count/british=3", "no longer counts"),
    ],
)
def test_what_would_break_the_campaign_is_refused(file: Path, change: str, sentence: str) -> None:
    before = stands(file)
    told = pbcg("correct", file, change, "--reason", "a slip", code=2)
    assert sentence in " ".join(told.split())
    assert stands(file) == before


def test_a_step_is_named_as_it_is_written(tells: Tells, file: Path) -> None:
    tells(pbcg("correct", file, "at=9.619", "--reason", "again"), "9.619")
