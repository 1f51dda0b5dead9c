"""``pbcg rules`` and ``pbcg rulings``: what the program says of the rules."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from in_process import pbcg
from rule_marks import marks, obligations
from sentences import Tells

from asl_pbcg.st.settings import ST_RULINGS


def test_a_rule_is_told_with_tests_code_and_ruling(tells: Tells) -> None:
    told = pbcg("rules", "9.6181")
    tells(told, "9", "Full", "10", "Depleted")
    assert "tests/refit/test_refit_initial.py::test_strength" in told
    assert "asl_pbcg/refit/s618_strength.py: strength" in told
    answer = json.loads(pbcg("rules", "9.6181-a", "--json"))
    assert [row["id"] for row in answer["rules"]] == ["9.6181-a"]


def test_the_overview_counts_every_obligation() -> None:
    told = pbcg("rules")
    for book, title in (("pb", "Pegasus Bridge campaign game"), ("st", "Strategy & Tactics 122")):
        count = sum(each.book == book for each in obligations())
        assert f"{title}: {count} obligations" in told
    assert 'goes by "9.9"' in pbcg("rules", "9.9", code=2)


def test_every_obligation_has_a_test_or_a_reason() -> None:
    known = {each.id for each in obligations()}
    assert len(known) == len(obligations())
    open_rows = [each.id for each in obligations() if each.id not in marks() and not each.reason]
    assert not open_rows


def found(*args: str) -> list[dict[str, Any]]:
    """The readings that a search finds, as JSON."""
    answer: list[dict[str, Any]] = json.loads(pbcg("rulings", *args, "--json"))
    return answer


def test_rulings_list_the_house_rules_with_their_defaults() -> None:
    told = pbcg("rulings")
    assert "* neighbours" in told
    assert "A-01" not in told
    assert "A-01" in pbcg("rulings", "--all")
    (one,) = found("c-14")
    assert (one["id"], one["default"]) == ("C-14", "neighbours")
    assert found("c14") == [one]


@pytest.mark.finding("G-19")
def test_a_reading_is_found_by_id_in_any_game() -> None:
    for typed, game, id in (
        ("AMB-108", "st", "AMB-108"),
        ("amb58", "st", "AMB-58 control"),
        ("gammon_uses", "st", "AMB-11 gammon_uses"),
        ("wind_numbering", "drop", "wind_numbering"),
        ("assault_phase", "mega", "assault_phase"),
        ("A-01", "pb", "A-01"),
    ):
        assert [(each["game"], each["id"]) for each in found(typed)] == [(game, id)]


@pytest.mark.finding("G-19")
def test_a_reading_is_found_by_rule_number_and_by_word() -> None:
    assert {each["rule"].partition(" ")[0] for each in found("9.606")} >= {"9.606", "9.6061"}
    assert {each["game"] for each in found("ST-GRE")} == {"st"}
    assert {each["rule"] for each in found("ST-VIC-11")} == {"ST-VIC-11"}
    assert {"pb", "st"} <= {each["game"] for each in found("escape")}
    assert "AMB-83" in " ".join(each["id"] for each in found("Schmidt", "pillbox"))
    assert {each["game"] for each in found("morale", "--game", "mega")} == {"mega"}
    assert found("R03", "--game", "drop")[0]["rule"] != found("R03", "--game", "mega")[0]["rule"]


@pytest.mark.finding("G-19")
def test_a_search_says_how_to_choose_and_what_is_wrong(tells: Tells) -> None:
    tells(pbcg("rulings", "c14"), "--house-rule")
    tells(pbcg("rulings", "AMB-11"), "--setting")
    tells(pbcg("rulings", "Z-99", code=2), "Z-99")
    tells(pbcg("rulings", "zzz", "--game", "drop", code=2), "zzz", "--game drop")
    tells(pbcg("rulings", "--game", "chess", code=2), "drop")


@pytest.mark.finding("G-19")
def test_what_is_printed_of_a_choice_is_taken_as_typed() -> None:
    """Yes and no as the program reads them, not True and False."""
    for each in found("--game", "st"):
        if each["choices"]:
            name = each["id"].split()[1]
            typed = [f"{name}={choice}" for choice in each["choices"]]
            assert [ST_RULINGS.read_typed([item], "--setting") for item in typed]
            assert each["default"] in each["choices"]
    page = (Path(__file__).parent.parent.parent / "docs" / "players" / "rulings.md").read_text(
        "utf-8"
    )
    assert "`True`" not in page and "| AMB-108 | ST-MGF-04 |  |" not in page


def test_the_pages_made_from_data_and_marks_are_current() -> None:
    pages = Path(__file__).parent.parent.parent / "docs" / "generate.py"
    done = subprocess.run(
        [sys.executable, pages, "--check"], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
