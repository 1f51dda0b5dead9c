"""Counters of third nations and odd words in saves, logs, palettes and modules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from vasl_attack import VaslAttack
from vasl_captures import SQUADS
from vasl_scenes import ask_for_the_end_position, before_night_two, night_one
from vasl_writer import Chip, Writer, chip_of, write_position

from asl_pbcg.campaign.board.board import load_board
from asl_pbcg.campaign.module.catalogue import load_catalogue
from asl_pbcg.campaign.terms import Side
from asl_pbcg.cli.campaign_file import open_campaign
from asl_pbcg.play.campaign_game.vasl_save_next import save_of_state
from asl_pbcg.vasl.archive import read_text
from asl_pbcg.vasl.read_scene import make_scene
from asl_pbcg.vasl.save_counters import read_counters


@pytest.fixture(scope="module")
def attack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VaslAttack]:
    """A folder with a campaign before the end of Night II and the save of Night I."""
    place = before_night_two(tmp_path_factory.mktemp("attacked"))
    ask_for_the_end_position(place)
    with VaslAttack(place) as made:
        yield made


@pytest.mark.finding("J-66")
@pytest.mark.parametrize("viewer", [None, *Side])
def test_question_marks_of_third_nations_are_removed(
    viewer: Side | None, attack: VaslAttack
) -> None:
    writer = write_position(night_one(attack.folder), Writer(complete=True))
    for nation in ("ss", "am", "ru", "", "xx"):
        chips = [Chip("?", conceals=nation), Chip("Control", nation), Chip("6-5-8 SS", nation)]
        writer.stack(chips, "K5")
    base = attack.folder / "foreign.vsav"
    base.write_bytes(writer.content())
    session = open_campaign(attack.folder / "evening.pbcg")
    session.journal.close()
    content, _ = save_of_state(session.state, {}, base, viewer)
    made = attack.folder / "made.vsav"
    made.write_bytes(content)
    counters = read_counters(read_text(made)).counters
    assert counters and not any(each.conceals for each in counters)


@pytest.mark.finding("J-66")
@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
def test_a_question_mark_of_a_third_nation_conceals(known: bool) -> None:
    top = Chip("?", conceals="ss", password="hers")
    squad = chip_of(SQUADS[Side.GERMAN], Side.GERMAN)
    writer = Writer().stack([squad, top], "K5")
    if known:
        writer.stack([replace(squad, hidden=True, password="hers")], "X20")
    save = read_counters(writer.text())
    for viewer in Side:
        scene = make_scene(save, load_board(), load_catalogue(), (viewer,))
        seen = [each.at for each in scene.pieces if each.at == "K5"]
        assert bool(seen) is (viewer is Side.GERMAN)


@pytest.mark.finding("J-66")
@pytest.mark.parametrize("first", range(0, 40, 10))
def test_a_sample_of_mutations_gets_a_sentence_or_an_answer(first: int, attack: VaslAttack) -> None:
    assert [wrong for seed in range(first, first + 10) for wrong in attack.attack(seed)] == []
