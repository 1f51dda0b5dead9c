"""``pbcg rules`` and ``pbcg rulings``: what the program says of the rules."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from rule_marks import marks, obligations
from sentences import Tells
from test_cli_new import pbcg


def test_a_rule_is_told_with_tests_code_and_ruling(tells: Tells) -> None:
    told = pbcg("rules", "9.6181")
    tells(told, "9", "Full", "10", "Depleted")
    assert "tests/test_refit_initial.py::test_strength" in told
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


def test_rulings_list_the_house_rules_with_their_defaults() -> None:
    told = pbcg("rulings")
    assert "* neighbours" in told
    assert "A-01" not in told
    assert "A-01" in pbcg("rulings", "--all")
    one = json.loads(pbcg("rulings", "c-14", "--json"))
    assert one["C-14"]["default"] == "neighbours"
    assert json.loads(pbcg("rulings", "c14", "--json")) == one
    assert 'no ruling "Z-99"' in pbcg("rulings", "Z-99", code=2)


def test_rulings_of_the_other_games(tells: Tells) -> None:
    told = pbcg("rulings", "--game", "st")
    assert "* trailing_lost" in told
    assert "AMB-02" in told
    for id in ("AMB-08", "amb08"):
        assert "automatic" in pbcg("rulings", id, "--game", "st")
    assert "wind_numbering" in pbcg("rulings", "--game", "drop")
    megagame = json.loads(pbcg("rulings", "Morale", "--game", "mega", "--json"))
    assert len(megagame) > 3
    assert all("morale" in f"{each['id']} {each['rule']}".lower() for each in megagame)
    tells(pbcg("rulings", "nothing", "--game", "drop", code=2), "nothing")
    tells(pbcg("rulings", "--game", "chess", code=2), "drop")


def test_the_pages_made_from_data_and_marks_are_current() -> None:
    pages = Path(__file__).parent.parent / "docs" / "generate.py"
    done = subprocess.run(
        [sys.executable, pages, "--check"], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
