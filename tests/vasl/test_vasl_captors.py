"""What a captor hides of the other side's make: in no output for the side that made it."""

from __future__ import annotations

import base64
import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from in_process import run_pbcg
from likeliest_answers import LikeliestAnswers
from vasl_captures import (
    COVERS,
    MADE_BY,
    PASSWORDS,
    SQUADS,
    TOKENS,
    captures,
    hide_elsewhere,
    question,
    under_question,
)
from vasl_scenes import ask_for_the_end_position, before_night_two, night_one
from vasl_writer import PASSWORD, Chip, Writer, chip_of, marker, palette, write_position
from web_help import app_client, only_game

from asl_pbcg.campaign.board.board import load_board
from asl_pbcg.campaign.module.catalogue import load_catalogue
from asl_pbcg.campaign.position import Fortification, Position
from asl_pbcg.campaign.position_words import FortificationKind
from asl_pbcg.campaign.terms import Side
from asl_pbcg.cli.campaign_file import open_campaign
from asl_pbcg.kernel.answers import by_default
from asl_pbcg.play.campaign_game.vasl_save import hidden_changes, open_save
from asl_pbcg.play.campaign_game.vasl_save_next import save_of_state
from asl_pbcg.vasl.archive import read_text
from asl_pbcg.vasl.read_scene import make_scene
from asl_pbcg.vasl.save_counters import read_counters
from asl_pbcg.vasl.scene import Scene

BOARD, CATALOGUE = load_board(), load_catalogue()
KNOWN = pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
SIDES = pytest.mark.parametrize("viewer", list(Side))


def scene_of(stack: list[Chip], known: bool, *viewers: Side, captor: Side) -> Scene:
    """What is seen of a stack in K5; the captor's token may be known by another unit."""
    writer = Writer(passwords=PASSWORDS)
    for side in Side:
        if known or side is not captor:
            hide_elsewhere(writer, side)
    if stack:
        writer.stack(stack, "K5")
    return make_scene(read_counters(writer.text()), BOARD, CATALOGUE, viewers)


@pytest.mark.finding("J-05")
@SIDES
@KNOWN
def test_what_a_captor_hides_is_in_no_scene_of_its_maker(viewer: Side, known: bool) -> None:
    for name, stack in captures(viewer.other):
        open_ = [chip for chip in stack if not (chip.hidden or chip.concealed)]
        twins = [scene_of(each, known, viewer, captor=viewer.other) for each in (stack, open_)]
        assert twins[0] == twins[1], name
        umpires = scene_of(stack, known, captor=viewer.other)
        assert [each for each in umpires.pieces if each.hidden or each.concealed], name


@pytest.mark.finding("J-05")
@SIDES
def test_what_lies_beneath_a_captors_question_mark_is_unseen(viewer: Side) -> None:
    stacks = dict(under_question(viewer.other))
    dummy = scene_of(stacks.pop("dummy"), True, viewer, captor=viewer.other)
    for name, stack in stacks.items():
        assert scene_of(stack, True, viewer, captor=viewer.other) == dummy, name


@pytest.mark.finding("J-05")
@SIDES
def test_a_captor_sees_what_he_hides(viewer: Side) -> None:
    for name, stack in (*captures(viewer), *under_question(viewer)):
        pieces = scene_of(stack, True, viewer, captor=viewer).pieces
        types = {each.type for each in pieces if each.side is viewer.other}
        assert types.issuperset(t for t in MADE_BY[viewer.other] if name.startswith(t)), name


@pytest.mark.finding("J-05")
def test_what_is_hip_takes_no_weapon_and_marker_of_the_enemy_above_it() -> None:
    own, enemy = chip_of("4-4-7", Side.GERMAN), replace(chip_of("6-4-8", Side.BRITISH), hidden=True)
    upper = [chip_of("LMG", Side.GERMAN), marker("DM")]
    twins = [
        scene_of(stack, True, Side.GERMAN, captor=Side.BRITISH)
        for stack in ([own, *upper], [own, enemy, *upper])
    ]
    assert twins[0] == twins[1] and len(twins[0].pieces) == 3


@pytest.mark.finding("J-05")
@SIDES
def test_a_hidden_fortification_is_his_who_hides_it(viewer: Side) -> None:
    mines = Chip("Minefield AP", hidden=True, password=TOKENS[viewer])
    for side in Side:
        shown = scene_of([mines], True, side, captor=viewer.other).fortifications
        assert bool(shown) is (side is viewer)


# -- the save of the next scenario, at the terminal and in the page ----------------------------


PLACES = [f"{column}{row}" for row in (3, 4, 5, 7, 8) for column in "KLMNOP"]


@pytest.fixture(scope="module")
def middle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a campaign that stands before the end of Night II, and bases in pairs."""
    place = before_night_two(tmp_path_factory.mktemp("middle"))
    for viewer in Side:
        for name, known, secret in (
            ("known.plain", True, False), ("known.secret", True, True),
            ("unknown.plain", False, False), ("unknown.secret", False, True),
        ):  # fmt: skip
            (place / f"{viewer}.{name}.vsav").write_bytes(base(viewer, known, secret, place))
    ask_for_the_end_position(place)
    return place


def base(viewer: Side, known: bool, secret: bool, place: Path) -> bytes:
    """The save of Night I with what the enemy of ``viewer`` hides, or without.

    Where it is not ``known`` whose the enemy's token is, the viewer hides nothing of his own.
    """
    writer = Writer(complete=True, passwords=PASSWORDS)
    write_position(night_one(place) if known else without_secrets(night_one(place)), writer)
    if known:
        hide_elsewhere(writer, viewer)
    if secret:
        if known:
            hide_elsewhere(writer, viewer.other)
        for (_, stack), hex in zip(captures(viewer.other), PLACES, strict=False):
            covered = [chip for chip in stack if chip.hidden or chip.concealed]
            writer.stack(covered if known else [c for c in covered if not is_squad(c)], hex)
    return writer.content()


def without_secrets(position: Position) -> Position:
    """A position in which nothing is hidden or concealed."""
    pieces = (
        msgspec.structs.replace(
            piece, status=tuple(each for each in piece.status if each not in COVERS)
        )
        for piece in position.pieces
    )
    open_ = tuple(msgspec.structs.replace(e, hidden=False) for e in position.fortifications)
    return msgspec.structs.replace(position.with_pieces(pieces), fortifications=open_)


def is_squad(chip: Chip) -> bool:
    """Whether it is a unit."""
    return any(chip_of(type, side).base == chip.base for side, type in SQUADS.items())


def twins(middle: Path, viewer: Side, known: bool) -> Iterator[tuple[Path, bytes]]:
    """Both saves of a pair, called alike."""
    for name in ("plain", "secret"):
        file = middle / f"{viewer}.{'known' if known else 'unknown'}.{name}.vsav"
        yield file, file.read_bytes()


@pytest.mark.finding("J-04", "J-05")
@SIDES
@KNOWN
def test_a_captors_secrets_change_no_output_of_the_makers(
    viewer: Side, known: bool, middle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outputs: list[list[Any]] = []
    for file, content in twins(middle, viewer, known):
        place = tmp_path / file.stem
        place.mkdir()
        monkeypatch.chdir(place)
        (place / "last.vsav").write_bytes(content)
        shutil.copy(middle / "evening.pbcg", place)
        output = [*typed(viewer), *asked(viewer, place)]
        with app_client(place, viewer) as client:
            output += sent(client, content)
        assert TOKENS[viewer.other] not in str(output)
        outputs.append(output)
    for one, other in zip(*outputs, strict=True):
        assert one == other


def typed(viewer: Side) -> Iterator[Any]:
    """What the commands say and write."""
    words = ("to-vasl", "evening.pbcg", "--base", "last.vsav", "-o", "next.vsav", "--as", viewer)
    yield run_pbcg("position", *words)
    yield Path("next.vsav").read_bytes()
    yield read_text(Path("next.vsav"))
    Path("none.yaml").write_text("format: pbcg-answers/1\nanswers: []\n", encoding="utf-8")
    words = ("from-vasl", "last.vsav", "--campaign", "evening.pbcg", "--as", viewer)
    yield run_pbcg("position", *words, "--answers", "none.yaml")


def asked(viewer: Side, place: Path) -> Iterator[Any]:
    """All questions about the save and the position that comes of it."""
    session = open_campaign(place / "evening.pbcg")
    dialogue = open_save(place / "last.vsav", session.state, (viewer,))
    session.journal.close()
    position, prompts = by_default(dialogue.begin())
    yield position
    for each in prompts:
        yield each.id, each.about, each.where, each.text, each.options, each.default, each.help
    yield dialogue.lines()


def sent(client: Any, content: bytes) -> Iterator[Any]:
    """The answers of the page."""
    url = f"/api/games/{only_game(client)}/position"
    answers: list[Any] = []
    for _ in range(60):
        reply = client.post(f"{url}/vasl", params={"answers": json.dumps(answers)}, content=content)
        yield reply.text
        if reply.status_code != 200 or reply.json()["position"] is not None:
            break
        asked = reply.json()["asked"]
        answers.append(asked["default"] or asked["options"][0]["id"])
    file = {"name": "last.vsav", "content": base64.b64encode(content).decode()}
    yield client.post(f"{url}/next-save", json={"base": file}).text


@pytest.mark.finding("J-05")
def test_a_captor_gives_the_vehicle_beneath_his_question_mark(middle: Path) -> None:
    writer = Writer(passwords=PASSWORDS)
    tank, crew = chip_of("38H 735(f)", Side.GERMAN), chip_of("6-4-8", Side.BRITISH)
    file = middle / "tank.vsav"
    file.write_bytes(writer.stack([tank, crew, question(Side.BRITISH)], "K5").content())
    session = open_campaign(middle / "evening.pbcg")
    session.journal.close()
    given = {"vasl.captured": "yes", "vasl.aboard": "yes"}
    found = hidden_changes(file, session.state, Side.BRITISH, lambda _: LikeliestAnswers(given))
    assert [(each["type"], each["at"]) for each in found["vehicles"]] == [("38H 735(f)", "K5")]


@pytest.mark.finding("J-04")
@SIDES
def test_no_token_but_ones_own_hides_anything_in_ones_file(viewer: Side, middle: Path) -> None:
    session = open_campaign(middle / "evening.pbcg")
    session.journal.close()
    mines = Fortification(
        kind=FortificationKind.AP_MINES, at="T10", size=6, owner=viewer, hidden=True
    )
    state = msgspec.structs.replace(session.state, fortifications=(mines,))
    for known in (True, False):
        for file, _ in twins(middle, viewer, known):
            content, report = save_of_state(state, {}, file, viewer, palettes=[stock(middle)])
            made = middle / "made.vsav"
            made.write_bytes(content)
            hidden = [each for each in read_counters(read_text(made)).counters if each.hidden]
            assert bool(hidden) is known and TOKENS[viewer.other] not in read_text(made)
            yourself = [each for each in report.done if each.to == "hide it yourself"]
            assert bool(yourself) is not known


def stock(middle: Path) -> Path:
    """A save with one counter of everything."""
    path = middle / "palette.vsav"
    path.write_bytes(palette().content())
    return path


@pytest.mark.finding("J-04")
def test_a_token_that_both_could_claim_is_used_for_none(middle: Path) -> None:
    session = open_campaign(middle / "evening.pbcg")
    session.journal.close()
    writer = Writer(complete=True)  # one password for both
    write_position(night_one(middle), writer)
    for side in Side:
        hide_elsewhere(writer, side, PASSWORD)
    file = middle / "shared.vsav"
    file.write_bytes(writer.content())
    for viewer in (None, *Side):
        _, report = save_of_state(session.state, {}, file, viewer)
        told = [line for what, _, lines in report.lines() if what == "doubtful" for line in lines]
        assert any("for neither" in line for line in told)
        assert PASSWORD not in str(told)
    _, report = save_of_state(session.state, {}, middle / "german.unknown.secret.vsav")
    assert any("no units" in each.name for each in report.done)
