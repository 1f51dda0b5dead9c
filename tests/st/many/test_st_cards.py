"""Score cards: who played, read back from pasted text, compared; what was altered is said."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from golden_st import pbcg

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.play.area_play.area_words import cards_of
from asl_pbcg.st.many.score_card import compare_cards, read_cards

DAY = "2026-11-22"


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two games of a challenge, one of another day."""
    folder = tmp_path_factory.mktemp("cards")
    for name, day, until in (("anne", DAY, "3"), ("ben", DAY, "17"), ("other", "2026-11-21", "2")):
        file = folder / f"{name}.pbcg"
        pbcg("st", "challenge", day, file, "--name", name.capitalize())
        player = "good" if name == "anne" else "random"
        pbcg("st", "play", file, "--auto", player, "--until", until)
    return folder


@pytest.mark.finding("G-75")
def test_a_card_says_who_played(games: Path, tmp_path: Path) -> None:
    """The automatic player, the person by name, how often the teacher was asked."""
    file = tmp_path / "anne.pbcg"
    file.write_bytes((games / "anne.pbcg").read_bytes())
    assert "Played by good (automatic)\n" in pbcg("st", "score", file, "--card")
    pbcg("st", "play", file, typed="? 0.1\nee\nee\nq\n")
    card = pbcg("st", "score", file, "--card")
    played = next(line for line in card.splitlines() if line.startswith("Played by"))
    assert "good (automatic) " in played and ", Anne " in played
    assert played.endswith("the teacher was asked once")
    assert "Difficulty hard, Germans resolute, seed " in card
    pbcg("st", "new", tmp_path / "own.pbcg", "--historical", "--seed", "5")
    pbcg("st", "play", tmp_path / "own.pbcg", "--auto", "good", "--until", "2")
    own = pbcg("st", "score", tmp_path / "own.pbcg", "--card")
    assert "seed kept until the end" in own


@pytest.mark.finding("G-75")
def test_cards_are_compared_in_a_table(games: Path, tmp_path: Path) -> None:
    """Game files, a folder, quoted text; as JSON and CSV; the best first."""
    pasted = tmp_path / "pasted.txt"
    cards = [pbcg("st", "score", games / f"{name}.pbcg", "--card") for name in ("anne", "ben")]
    pasted.write_text("Look!\n" + "".join(f"> {line}\n" for line in "".join(cards).splitlines()))
    asked = ["st", "challenge", DAY, str(games), str(pasted), "--compare"]
    found = json.loads(pbcg(*asked, "--json"))
    assert len(found) == 2, "a card that is there twice is one"
    assert found[0]["vp"] >= found[1]["vp"]
    by = {each["played_by"]: each for each in found}
    assert by["random (automatic)"]["remark"] == ""
    assert by["good (automatic)"]["remark"] == "not over"
    assert {each["germans"] for each in found} == {"resolute"}
    table = tmp_path / "cards.csv"
    pbcg(*asked, "-o", str(table))
    rows = list(csv.DictReader(table.read_text("utf-8-sig").splitlines()))
    assert [int(each["vp"]) for each in rows] == [each["vp"] for each in found]
    assert "random" in pbcg(*asked)


@pytest.mark.finding("G-75")
def test_a_card_of_another_game_or_altered_is_said(games: Path, tmp_path: Path) -> None:
    """An older card, which does not say who played, is read too."""
    text = pbcg("st", "score", games / "ben.pbcg", "--card")
    (card,) = read_cards(text, "ben")
    assert not card.remark
    (raised,) = read_cards(text.replace(f"{card.vp} VP", f"{card.vp + 30} VP"), "ben")
    (other,) = cards_of(games / "other.pbcg", DAY)
    compared = compare_cards([card, raised, other], DAY)
    assert {each.mark + each.remark.partition(":")[0] for each in compared} == {
        card.mark, f"{card.mark}altered", f"{other.mark}another game",
    }  # fmt: skip
    assert compared[0] == card
    older = [line for line in text.splitlines() if not line.startswith(("Played", "Difficulty"))]
    (read,) = read_cards("\n".join(older), "older")
    assert read.played_by == "" and read.remark.startswith("altered")
    for words, wrong in (
        ("no card here", "holds no score card"),
        ("PEGASUS BRIDGE x\ncard 0123abcd", "no line of its VP"),
        ("PEGASUS BRIDGE \n" * 20_000, "holds no score card"),
    ):
        with pytest.raises(PBCGError, match=wrong):
            read_cards(words, "pasted.txt")
    for wrong_call in (
        ["a.pbcg", "b.pbcg"],
        ["a.pbcg", "--card", "--compare"],
        ["a.pbcg", "-o", "t.csv"],
    ):
        with pytest.raises(PBCGError):
            pbcg("st", "challenge", DAY, *wrong_call)
