"""Counts in sentences, and no sentence of a campaign that counts one as many."""

from __future__ import annotations

import re
from pathlib import Path

import campaign_soak
import pytest
from campaign_generator import CampaignAnswers

from asl_pbcg.kernel.answers import drive
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.kernel.wording import cut, is_or_are, number_words, quotation, to_type

ONE_AS_MANY = re.compile(
    r"(?<![\w.,/+-])(?:1|½)(?: CPP| FPP)? (?:are|were|have|hexes|units|pieces|squads|factors|"
    r"points|Loss Points|counters|lines|answers)\b"
)


def test_counts() -> None:
    assert [number_words(each, "hex", "hexes") for each in (0, 1, 2)] == [
        "0 hexes",
        "1 hex",
        "2 hexes",
    ]
    assert number_words(1, "unit") == "1 unit" and number_words(4, "unit") == "4 units"
    assert [is_or_are(each) for each in (0, 0.5, 1, 1.5, 2)] == ["are", "is", "is", "are", "are"]
    assert ONE_AS_MANY.search("I5 costs 9 CPP and 1 are left.")
    assert not ONE_AS_MANY.search("A 9-1 has 11 hexes, ½ is left.")


@pytest.mark.parametrize("seed", [3, 4])
def test_one_is_never_many(seed: int) -> None:
    session = campaign_soak.begin(seed)
    texts: set[str] = set()

    def between() -> bool:
        asked = session.pending
        if isinstance(asked, Prompt):
            texts.update((asked.text, asked.help))
            for option in asked.options:
                texts.update((option.text, option.consequence, option.refused))
        return False

    drive(session, CampaignAnswers(seed, session), SeededDice(seed), until=between)
    texts.update(line.text for line in session.lines())
    assert [text for text in texts if ONE_AS_MANY.search(text)] == []
    assert any(text.startswith("1 hex,") or "1 is left" in text for text in texts)


def test_a_name_with_spaces_is_typed_in_quotes() -> None:
    plain = to_type("pbcg", "refit", Path("games/Bénouville.pbcg"))
    assert plain.split() == ["pbcg", "refit", "games/Bénouville.pbcg"]
    assert quotation(plain) == f'"{plain}"'
    spaced = to_type("pbcg", "refit", Path("My Games/Karl's.pbcg"))
    assert spaced == 'pbcg refit "My Games/Karl\'s.pbcg"'
    assert quotation(spaced) == f"'{spaced}'"


def test_a_text_is_cut_between_words() -> None:
    group = "I4 PzGrenadier Pltn: 2/2 4-6-7, 2/1 4-6-8"
    step = "9.6042 Encirclement, Minefields, Bog"
    for text, most, end, told in (
        (group, len(group), "...", group),
        (group, 32, "...", "I4 PzGrenadier Pltn: 2/2..."),
        (step, 30, "…", "9.6042 Encirclement…"),
        (step, 12, "…", "9.6042…"),
        ("a Hinterlandskompanie", 12, "...", "a Hinterl..."),
    ):
        assert cut(text, most, end) == told
        assert len(told) <= most
