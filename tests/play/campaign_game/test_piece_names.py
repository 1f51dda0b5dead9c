"""One short name for a piece wherever players read or type one, and no words of files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from campaign_crowds import Crowd
from campaign_generator import CampaignAnswers
from campaign_soak import begin

from asl_pbcg.campaign import position_words
from asl_pbcg.campaign.position_words import EquipmentStatus, PositionWord, UnitStatus, status_words
from asl_pbcg.campaign.state.piece_names import (
    first_type,
    mark,
    name_piece,
    name_with_status,
    pieces_called,
    read_piece,
    short_name,
)
from asl_pbcg.campaign.state.pieces import Infantry, Piece, Weapon
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.answers import ListedAnswers, drive
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.prompts import Option, Prompt, Roll
from asl_pbcg.play.campaign_game.campaign_sheets import (
    MAP,
    REPORT,
    background,
    campaign_sheets,
    sheet_names,
)
from asl_pbcg.play.typed_answers import find_option

pytestmark = pytest.mark.finding("G-62")

TESTS = Path(__file__).resolve().parents[2]
ID = r"\b[bg]-(?!new-|hero-)[a-z0-9+-]+-\d+\b"
"""The id of a piece in files; those with new and hero are players' own."""
INPUT_WORDS = sorted(
    {
        str(word)
        for kind in vars(position_words).values()
        if isinstance(kind, type) and issubclass(kind, PositionWord)
        for word in kind
        if "-" in word
    }
    | {"off-map", "cx", "uk", "ce"}
)
FOR_FILES = re.compile(rf"{ID}|(?<![\w/.-])(?:{'|'.join(INPUT_WORDS)})(?![\w.-])")


def squad(id: str, side: Side, type: str = "4-5-8", **fields: object) -> Piece:
    made: Piece = Infantry(
        id=id, side=side, type=type, kind="squad", received=CGDate.NIGHT_1, **fields
    )  # type: ignore[arg-type]
    return made


OURS = squad("b-458-1", Side.BRITISH)
THEIRS = squad("g-548-1", Side.GERMAN, "5-4-8")


# -- making and reading names ----------------------------------------------------------------------


def test_a_name_stays_when_the_type_changes() -> None:
    reduced = squad("b-458-1", Side.BRITISH, "2-4-8")
    assert (name_piece(OURS), name_piece(reduced)) == ("4-5-8 B-1", "2-4-8 B-1")
    assert first_type("b-458-1") == "4-5-8"


def test_equipment_that_both_sides_may_have_bears_a_letter() -> None:
    assert (short_name("g-lmg-3"), short_name("b-lmg-3")) == ("LMG 3g", "LMG 3b")
    assert (short_name("b-piat-7"), short_name("b-57l-at-1")) == ("PIAT 7", "57L AT 1")
    assert short_name("b-50l-at-1") == "50L AT 1b"  # taken before it had an id
    assert (mark("g-lmg-3"), mark("g-trench-2"), mark("b-glider-1")) == ("3g", "2", "1")


def test_an_id_of_the_players_own_is_its_name() -> None:
    assert short_name("b-338-a") == short_name("b-338-a").lower() == "b-338-a"
    assert short_name("gun") == "gun"


@pytest.mark.parametrize("typed", ["B-1", "b-1", "4-5-8 B-1", "b-458-1", "british B-1", "B-458-1"])
def test_a_piece_is_read_by_each_of_its_names(typed: str) -> None:
    assert read_piece(typed, [OURS, THEIRS], Side.BRITISH) is OURS


def test_where_a_side_is_known_a_name_is_of_that_side() -> None:
    assert read_piece("B-1", [OURS, THEIRS], Side.GERMAN) is THEIRS
    assert read_piece("british B-1", [OURS, THEIRS], Side.GERMAN) is OURS
    assert read_piece("B-1", [OURS], Side.GERMAN) is OURS


def test_a_name_of_two_pieces_is_refused_with_both() -> None:
    with pytest.raises(PBCGError) as refused:
        read_piece("B-1", [OURS, THEIRS])
    words = str(refused.value)
    assert all(part in words for part in ("British 4-5-8 B-1", "German 5-4-8 B-1"))
    assert all(way in words for way in ("type british B-1", "german B-1"))


def test_a_name_of_no_known_piece_says_how_pieces_are_called() -> None:
    assert not pieces_called("B-2", [OURS, THEIRS])
    with pytest.raises(PBCGError, match="A-3 or LMG 3g"):
        read_piece("B-2", [OURS, THEIRS])


def test_the_name_of_a_weapon_is_read_with_a_blank_or_a_hyphen() -> None:
    lmg = Weapon(id="g-lmg-3", side=Side.BRITISH, type="LMG", kind="sw", received=CGDate.DAWN)
    own = Weapon(id="b-lmg-3", side=Side.BRITISH, type="LMG", kind="sw", received=CGDate.DAWN)
    for typed in ("LMG 3g", "lmg-3g", "g-lmg-3"):
        assert read_piece(typed, [own, lmg], Side.BRITISH) is lmg


def test_an_option_is_chosen_by_the_name_in_its_text() -> None:
    options = tuple(
        Option(id, text)
        for id, text in (("b-127-1", "1-2-7 M-1"), ("b-458-12", "4-5-8 B-12"), ("b-458-1", "B-1"))
    )
    asked = Prompt(id="1", text="Which?", options=options)
    assert [find_option(asked, typed).id for typed in ("B-1", "m-1", "B-12", "b-127-1")] == [
        "b-458-1", "b-127-1", "b-458-12", "b-127-1",
    ]  # fmt: skip
    assert asked.check("B-12") == "b-458-12"


def test_an_answers_file_of_before_names_pieces_by_their_ids() -> None:
    asked = Prompt(id="9.606.8", about="stack", text="How does 4-5-8 B-1 go?", kind="text")
    for name in ("b-458-1", "B-1"):
        answers = ListedAnswers([(f"9.606.8 {name}", "alone")], called=short_name)
        assert answers.answer(asked) == "alone"


def test_words_of_files_are_told_in_players_words() -> None:
    told = name_with_status(squad("b-458-1", Side.BRITISH, status=(UnitStatus.NO_MOVE,)))
    assert told == "4-5-8 B-1 (No Move)"
    assert status_words(["dm"]) == "DM"
    assert status_words([EquipmentStatus.DM]) == "dm"
    assert status_words(["stun-plus-1", "ma-malfunctioned"]) == "Stun +1, MA malfunctioned"


# -- what players read -----------------------------------------------------------------------------


def words_for_files(text: str) -> list[str]:
    return FOR_FILES.findall(text)


@pytest.mark.parametrize("campaign", ["golden_cg1", "golden_cg2"])
def test_no_id_stands_in_what_a_golden_campaign_prints(campaign: str) -> None:
    """Logs, statuses, printed pages and workbooks of all viewers."""
    pages = sorted((TESTS / campaign / "expected").rglob("*.txt"))
    assert len(pages) > 50
    found = {
        (path.name, word)
        for path in pages
        for line in path.read_text(encoding="utf-8").splitlines()
        if not line.startswith(("Written", "  pbcg ")) and ".yaml" not in line
        for word in words_for_files(line)
    }
    assert not found


def asked_words(asked: Prompt | Roll) -> Iterator[str]:
    yield asked.text
    if isinstance(asked, Prompt):
        for option in asked.options:
            yield from (option.text, option.consequence, option.refused)


def test_no_id_stands_in_what_an_automatic_campaign_asks_and_tells() -> None:
    session = begin(2)
    texts: list[str] = []
    seen = 0

    def between() -> bool:
        nonlocal seen
        for kept in session.kept[seen:]:
            texts.extend(line.text for line in kept.lines)
        seen = len(session.kept)
        if session.pending is not None:
            texts.extend(asked_words(session.pending))
        return session.state.date is CGDate.DAY_1

    drive(session, CampaignAnswers(2, session, Crowd), SeededDice(2), until=between)
    state, behind = session.state, background(session)
    for viewer in ("umpire", "british", "german"):
        names = [each.name for each in sheet_names(state, viewer) if each.name not in (MAP, REPORT)]
        for sheet in campaign_sheets(state, viewer, names, behind=behind):
            texts.extend(map(str, (sheet.heading, sheet.facts, sheet.all_notes)))
            for table in sheet.layout.tables:
                shown = {column.key for column in table.columns}
                texts.extend(
                    str(value)
                    for row in sheet.rows(table)
                    for key, value in row.items()
                    if key in shown and key != "counter"
                )
    assert len(texts) > 2000
    assert not {text for text in texts if words_for_files(text)}
