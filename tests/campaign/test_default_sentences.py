"""A sentence that states what is played by default is that of the register of rulings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import asl_pbcg
from asl_pbcg.campaign.module.board_check import doubts
from asl_pbcg.campaign.module.house_rules import campaign_rulings, default_words

ROOT = Path(asl_pbcg.__file__).parent.parent
SAID = {
    ("docs/players/board.md", "P-01"): ("stop", "bars of row houses stop Infantry"),
    ("docs/players/positions.md", "P-08"): ("eliminated", "a Briton too with house rule P-08"),
    ("docs/players/refit.md", "P-09"): ("locations", "is eight Locations"),
}
"""The default on which a sentence of the docs rests, and its words."""


@pytest.mark.finding("J-32")
def test_a_doubt_of_the_board_says_the_default_of_its_house_rule() -> None:
    register = campaign_rulings()
    ruled = [each for each in doubts() if "house rule" in each.doubt.lower()]
    assert {hex for each in ruled for hex in each.hexes} >= {"O15", "HH4"}
    for each in ruled:
        assert each.doubt.endswith(default_words(each.house_rule))
        ruling = register[each.house_rule]
        assert ruling.choices[ruling.default] in each.doubt
    assert not [each for each in doubts() if "may cross" in each.doubt]


@pytest.mark.finding("J-32")
def test_the_docs_state_no_other_default_than_the_register() -> None:
    register = campaign_rulings()
    for (page, id), (default, words) in SAID.items():
        assert register[id].default == default
        assert words in " ".join((ROOT / page).read_text("utf-8").split())


@pytest.mark.finding("J-32")
def test_every_default_stated_in_the_docs_is_looked_at() -> None:
    for path in (ROOT / "docs" / "players").glob("*.md"):
        if path.name != "rulings.md":
            for id in re.findall(r"house rule ([A-Z]-\d+)", path.read_text("utf-8")):
                assert (f"docs/players/{path.name}", id) in SAID
