"""VASL saves: what the tests' writer puts into one is read again, field by field."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from vasl_scenes import INSIDE, bombs, damaged, random_position, random_writer
from vasl_writer import PASSWORD, Chip, Layer, Writer, chip_of, level, marker, write_position

from asl_pbcg.campaign.board.board import load_board
from asl_pbcg.campaign.entry.position_files import read_position
from asl_pbcg.campaign.module.catalogue import load_catalogue
from asl_pbcg.campaign.position import Position
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.answers import Dialogue, Heading
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.vasl.archive import NoSave, decode, read_text
from asl_pbcg.vasl.read_scene import make_scene, read_scene
from asl_pbcg.vasl.review import review
from asl_pbcg.vasl.save_board import Placed, centre, find_board, find_hex, measures
from asl_pbcg.vasl.save_counters import read_counters
from asl_pbcg.vasl.scene import Scene

BOARD, CATALOGUE = load_board(), load_catalogue()
SAMPLE = Path(__file__).parent.parent.parent / "data" / "pb" / "samples" / "night-1-end.yaml"


def seen(writer: Writer) -> Scene:
    """What is read from a save just written."""
    return make_scene(read_counters(writer.text()), BOARD, CATALOGUE)


def told_by(position: Position) -> dict[str, list[tuple[object, ...]]]:
    """What a save can tell of a position, in an order of its own."""
    holder = {id: unit for unit in position.units for id in unit.possesses}
    return {
        "units": sorted(
            (u.type, u.side.value, u.at, tuple(sorted(map(str, u.status)))) for u in position.units
        ),
        "equipment": sorted(
            (
                e.type,
                e.maker.value,
                e.at,
                tuple(sorted(map(str, e.status))),
                e.ca,
                holder[e.id].type if e.id in holder else "",
            )
            for e in position.equipment
        ),
        "vehicles": sorted(
            (v.type, v.side.value, v.at, tuple(sorted(map(str, v.status))), v.vca, v.tca)
            for v in position.vehicles
        ),
        "fortifications": sorted(
            (str(f.kind), f.at, f.size or 0, f.strength, f.ca, f.hidden)
            for f in position.fortifications
        ),
        "terrain": sorted((str(t.kind), t.at, t.type, str(t.side)) for t in position.terrain),
        "gliders": sorted((g.at, str(g.state)) for g in position.gliders),
    }


def told_in(scene: Scene) -> dict[str, list[tuple[object, ...]]]:
    """What a scene tells, in the same order."""
    by_key = {piece.key: piece for piece in scene.pieces}
    found: dict[str, list[tuple[object, ...]]] = {"units": [], "equipment": [], "vehicles": []}
    for piece in scene.pieces:
        assert piece.side
        head = (piece.type, piece.side.value, piece.at, tuple(sorted(piece.status)))
        if piece.section == "units":
            found["units"].append(head)
        elif piece.section == "equipment":
            held = by_key[piece.holder].type if piece.holder and piece.kind == "sw" else ""
            found["equipment"].append((*head, piece.ca, held))
        else:
            found["vehicles"].append((*head, piece.ca, piece.tca))
    found = {key: sorted(value) for key, value in found.items()}
    found["fortifications"] = sorted(
        (str(f.kind), f.at, f.size or 0, f.strength, f.ca, f.hidden) for f in scene.fortifications
    )
    found["terrain"] = sorted((str(t.kind), t.at, t.type, str(t.side)) for t in scene.terrain)
    found["gliders"] = sorted((g.at, str(g.state)) for g in scene.gliders)
    return found


@pytest.mark.parametrize("first", range(0, 400, 50))
def test_random_scenes_are_read_field_by_field(first: int) -> None:
    for seed in range(first, first + 50):
        position = random_position(seed)
        scene = seen(write_position(position, random_writer(seed)))
        assert told_in(scene) == told_by(position), seed
        assert not (scene.unknown or scene.markers or scene.beside), seed


@pytest.mark.parametrize("stage", ["hex", "raw"])
def test_both_stages_of_a_save(stage: str, tmp_path: Path) -> None:
    writer = write_position(read_position(SAMPLE))
    path = tmp_path / "evening.vsav"
    path.write_bytes(writer.content(stage, 0xC3))
    assert read_text(path) == writer.text()
    assert len(read_scene(path, BOARD, CATALOGUE).pieces) == 61 + 4 - 4


def test_every_hex_is_found_on_a_straight_and_on_a_reversed_board() -> None:
    for turned in (False, True):
        placed = Placed(400, 400, turned)
        for name in BOARD.grid.names:
            x, y = placed.in_save(*centre(BOARD.grid, name))
            spot = find_hex(BOARD.grid, *placed.on_board(round(x), round(y)))
            assert (spot.hex, spot.across) == (name, "")


def test_midway_between_two_hexes_is_their_hexside() -> None:
    source = random.Random(3)
    for name in source.sample(INSIDE, 60):
        for other in BOARD.grid.neighbours(name):
            (x, y), (a, b) = centre(BOARD.grid, name), centre(BOARD.grid, other)
            spot = find_hex(BOARD.grid, (x + a) / 2, (y + b) / 2)
            assert {spot.hex, spot.across} == {name, other}


def test_no_password_is_kept() -> None:
    chips = [
        chip_of("6-4-8", Side.BRITISH),
        Chip("?", "br", conceals="br"),
        Chip("PIAT", "br", hidden=True),
        Chip("LMG", "ge", concealed=True),
    ]
    writer = Writer().stack(chips, "X18")
    assert PASSWORD in writer.text()
    save = read_counters(writer.text())
    assert PASSWORD not in repr(save)
    assert [c.hidden for c in save.counters] == [False, False, True, False]
    assert [c.concealed for c in save.counters] == [False, False, False, True]
    assert "the player" not in repr(save)


def test_a_question_mark_conceals_its_nation_beneath_down_to_the_next() -> None:
    writer = Writer()
    british, german = chip_of("6-4-8", Side.BRITISH), chip_of("4-4-7", Side.GERMAN)
    question = Chip("?", "br", conceals="br")
    writer.stack([british, german, question, british, question, question], "X18")
    scene = seen(writer)
    assert [(p.side, p.concealed) for p in scene.pieces] == [
        (Side.BRITISH, True),
        (Side.GERMAN, False),
        (Side.BRITISH, True),
    ]
    assert scene.dummies == (("X18", Side.BRITISH),)


def test_a_marker_belongs_to_the_first_counter_beneath_it_that_it_can_be_for() -> None:
    writer = Writer()
    squad = chip_of("6-4-8", Side.BRITISH)
    writer.stack([squad, chip_of("LMG", Side.BRITISH), marker("DM"), marker("Low Ammo")], "X18")
    writer.stack([marker("Immob.")], "X22")
    scene = seen(writer)
    assert [piece.status for piece in scene.pieces] == [("dm",), ("low-ammo",)]
    assert [(each.name, each.at) for each in scene.markers] == [("Immob.", "X22")]


def test_levels_count_for_what_lies_above_them() -> None:
    writer = Writer()
    squad = chip_of("4-4-7", Side.GERMAN)
    writer.stack([squad, level(1), squad, level(2), squad], "Z13")
    writer.stack([squad], "Z15")
    scene = seen(writer)
    assert [(piece.at, piece.doubts) for piece in scene.pieces] == [
        ("Z13", ("level",)),
        ("Z13/1", ()),
        ("Z13/2", ()),
        ("Z15", ("level",)),
    ]


def test_mines_show_strength_only_in_the_layer_beneath() -> None:
    writer = Writer()
    mines = Chip("Minefield AP", layers=(Layer(["8 FP Minefield"]), Layer(["Minefield"])))
    writer.stack([mines], "X18")
    writer.stack(
        [Chip("Minefield Dummy", layers=(Layer(["Minefield", "Dummy Minefield"], 2),))], "X20"
    )
    ((kind, size),) = [(str(each.kind), each.size) for each in seen(writer).fortifications]
    assert (kind, size) == ("ap-mines", 8)


def test_a_weapon_beneath_all_units_is_nobodys_for_sure() -> None:
    writer = Writer().stack([chip_of("LMG", Side.BRITISH), chip_of("6-4-8", Side.BRITISH)], "X18")
    weapon = next(piece for piece in seen(writer).pieces if piece.kind == "sw")
    assert (weapon.holder, weapon.nearby, weapon.doubts) == ("", ("X18.2",), ("holder",))


def test_what_is_not_in_the_table_is_told_by_name() -> None:
    writer = Writer().stack([Chip("Opel 6700", "ge")], "X18")
    writer.stack([Chip("Sturmpionier", "ge", gpid="3b5:11468")], "X20")
    assert [(each.name, each.meant) for each in seen(writer).unknown] == [
        ("Opel 6700", ""),
        ("Sturmpionier", "4-4-7"),
    ]


@pytest.mark.parametrize(
    ("boards", "words"),
    [
        ("bd\t0\t0\t02\tVER\t6.4\tbd\t0\t1\tr04\tVER\t6.1\t", "02, 04"),
        ("bd\t", "no board"),
        ("bd\t0\t0\tPBR\tVER\t6.4", "PBR"),
        ("bd\t0\t0\ta\tVER\t6.4", "Deluxe"),
        ("bd\t0\t0\tPB\tVER\t6.4\tbd\t1\t0\tPB\tVER\t6.4", "twice"),
    ],
)
def test_other_boards_are_refused_by_name(boards: str, words: str) -> None:
    with pytest.raises(PBCGError, match=words):
        find_board(boards)


def test_counters_that_lie_on_no_hexes_are_refused() -> None:
    writer = Writer()
    source = random.Random(5)
    for name in source.sample(INSIDE, 30):
        x, y = writer.pixel(name)
        writer.heap([chip_of("6-4-8", Side.BRITISH)], x + 19, y + 21)
    with pytest.raises(PBCGError, match=measures().name):
        seen(writer)


def test_a_sample_of_damaged_saves_gets_a_sentence_each(tmp_path: Path) -> None:
    good = [write_position(random_position(seed)).content() for seed in range(3)]
    path = tmp_path / "evening.vsav"
    read = 0
    for seed in range(300):
        path.write_bytes(damaged(seed, good))
        try:
            read_scene(path, BOARD, CATALOGUE)
            read += 1
        except PBCGError as error:
            assert "\n" not in str(error) and str(error).endswith((".", "!"))
            assert PASSWORD not in str(error)
            assert ("damaged" in str(error)) == ("once more" in str(error))
    assert 0 < read < 300


@pytest.mark.parametrize(("what", "content"), bombs(), ids=[what for what, _ in bombs()])
def test_bombs_are_refused_at_once(what: str, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "bomb.vsav"
    path.write_bytes(content)
    begun = time.process_time()
    with pytest.raises(PBCGError):
        read_scene(path, BOARD, CATALOGUE)
    assert time.process_time() - begun < 60


def test_what_hides_a_text_may_be_broken() -> None:
    for content in (b"!VCSKzz00", b"!VCSK004", b"!VCSK", b"VOBS", b"other", b""):
        with pytest.raises(NoSave):
            decode(content, "evening.vsav")


def test_an_armor_leader_is_in_a_vehicle_of_his_hex_or_left_out() -> None:
    from asl_pbcg.kernel.answers import by_default
    from asl_pbcg.vasl.review import review

    writer = Writer()
    leader, tank = chip_of("9-1 Armor Leader", Side.GERMAN), chip_of("38H 735(f)", Side.GERMAN)
    writer.stack([tank], "X18")
    writer.stack([leader], "X18")
    writer.stack([leader], "X22")
    position, _ = by_default(review(seen(writer), None, BOARD, CATALOGUE))
    assert position
    assert [(unit.at, unit.aboard) for unit in position.units] == [("X18", position.vehicles[0].id)]


def test_control_is_typed_in_capitals_or_not_and_told_as_in_a_file() -> None:
    asked = Dialogue(lambda: review(Scene(), None, BOARD, CATALOGUE), Heading("vasl", ""))
    asked.answer("night-1")
    with pytest.raises(IllegalAnswer, match="z99 .*Z9, Z19"):
        asked.answer("british z99")
    asked.answer("british x18 Z15/1; Nobody L9")
    asked.answer("yes")
    assert asked.result is not None
    assert asked.result.control.british == ("X18", "Z15/1")
