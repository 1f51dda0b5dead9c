"""Saves as players leave them on the table: several stacks in a hex, counters out of order."""

from __future__ import annotations

import random
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from in_process import run_pbcg
from sentences import Tells
from typer.testing import CliRunner
from vasl_writer import Chip, Layer, Writer, arc_layer, chip_of, join, level, marker

from asl_pbcg.campaign.board.board import load_board
from asl_pbcg.campaign.module.catalogue import load_catalogue
from asl_pbcg.campaign.position import Fortification, Position
from asl_pbcg.campaign.position_words import EquipmentStatus, FortificationKind, UnitStatus
from asl_pbcg.campaign.terms import Side
from asl_pbcg.cli.main import app
from asl_pbcg.kernel.answers import Dialogue, Heading
from asl_pbcg.vasl.archive import NoSave, read_text, split
from asl_pbcg.vasl.read_scene import make_scene
from asl_pbcg.vasl.review import review
from asl_pbcg.vasl.save_counters import read_counters
from asl_pbcg.vasl.scene import Scene
from asl_pbcg.vasl.viewer import owners_of

BOARD, CATALOGUE = load_board(), load_catalogue()
BRITISH, GERMAN = chip_of("6-4-8", Side.BRITISH), chip_of("4-4-7", Side.GERMAN)
LMG, PIAT = chip_of("LMG", Side.GERMAN), chip_of("PIAT", Side.BRITISH)


def seen(writer: Writer) -> Scene:
    """What is read from a save just written."""
    return make_scene(read_counters(writer.text()), BOARD, CATALOGUE)


def settled(writer: Writer, **given: str) -> tuple[Position, dict[str, str], str]:
    """The position by default, but for the answers ``given``; all questions, and what is told."""
    dialogue = Dialogue(lambda: review(seen(writer), None, BOARD, CATALOGUE), Heading("vasl", ""))
    asked: dict[str, str] = {}
    while dialogue.pending is not None:
        prompt = dialogue.pending
        asked[f"{prompt.id} {prompt.about}".strip()] = prompt.text
        default: Any = prompt.default if prompt.default is not None else prompt.legal[0].id
        dialogue.answer(given.get(prompt.id.removeprefix("vasl."), default))
    position = dialogue.result
    assert position
    return position, asked, " ".join(line.text for line in dialogue.lines())


def test_a_prisoner_whose_guard_is_not_there_is_left_out() -> None:
    writer = Writer().stack([chip_of("38H 735(f)", Side.GERMAN), marker("Prisoner SQ")], "X18")
    position, _, told = settled(writer)
    assert not position.units
    assert "no Guard" in told


def test_who_lies_in_another_stack_of_the_hex_may_guard_and_possess() -> None:
    writer = Writer().stack([marker("Prisoner HS")], "X18").stack([BRITISH], "X18")
    writer.stack([PIAT], "X18")
    position, asked, _ = settled(writer)
    assert {"vasl.guard X18.1", "vasl.holder X18.3"} <= set(asked)
    guard = next(unit for unit in position.units if unit.side is Side.BRITISH)
    assert guard.possesses == (position.equipment[0].id,)
    assert [unit.guarded_by for unit in position.units if unit is not guard] == [guard.id]


def test_the_level_is_asked_before_who_possesses_what() -> None:
    position, asked, _ = settled(Writer().stack([BRITISH], "Z13").stack([PIAT], "Z13"), level="1")
    assert "vasl.holder Z13.2" in asked
    assert (position.units[0].at, position.equipment[0].at) == ("Z13/1", "Z13/1")


@pytest.mark.parametrize(("hex", "at"), [("Z14", "Z14/1"), ("Z13", "Z13/1")])
def test_a_counter_between_two_buildings_is_upstairs_in_the_one_it_is_in(hex: str, at: str) -> None:
    position, _, _ = settled(Writer().stack([BRITISH], "Z13", across="Z14"), hex=hex, level="1")
    if "Z14" in BOARD.upper or hex == "Z13":
        assert position.units[0].at == at
    else:
        assert position.units[0].at == hex


def test_a_level_counter_where_no_building_is_tells_no_level() -> None:
    scene = seen(Writer().stack([level(1), GERMAN], "X20"))
    assert [piece.at for piece in scene.pieces] == ["X20"]
    assert [(each.name, each.at) for each in scene.markers] == [("Level 1", "X20")]


# -- what one side may see ---------------------------------------------------------------------

HIDDEN = Chip("4-4-7 2sq", "ge", hidden=True)
MINES = Chip("Minefield AP", layers=(Layer(["8 FP Minefield"]), Layer(["Minefield"])), hidden=True)


def shown_to(side: Side, writer: Writer, *works: Fortification) -> Scene:
    """What ``side`` sees of a save, with ``works`` on record."""
    save = read_counters(writer.text())
    return make_scene(save, BOARD, CATALOGUE, (side,), owners_of(works))


def work(kind: str, owner: Side) -> Fortification:
    """A Fortification of the campaign in X18."""
    return Fortification(kind=FortificationKind(kind), at="X18", owner=owner, hidden=True)


def test_a_hidden_fortification_is_its_owners_whatever_else_is_in_the_hex() -> None:
    writer = Writer().stack([MINES], "X18")
    works = (work("ap-mines", Side.BRITISH), work("foxhole", Side.GERMAN))
    assert not shown_to(Side.GERMAN, writer, *works).fortifications
    [mines] = shown_to(Side.BRITISH, writer, *works).fortifications
    assert (mines.kind, mines.size) == (FortificationKind.AP_MINES, 8)


def test_a_hidden_fortification_of_both_sides_or_on_no_record_is_shown_to_neither() -> None:
    writer = Writer().stack([MINES], "X18")
    both = (work("ap-mines", Side.BRITISH), work("ap-mines", Side.GERMAN))
    for side in Side:
        assert not shown_to(side, writer, *both).fortifications
        assert not shown_to(side, writer).fortifications


def test_what_lies_on_a_hidden_fortification_of_the_enemy_is_seen() -> None:
    writer = Writer().stack([MINES, LMG, GERMAN, marker("DM")], "X18")
    scene = shown_to(Side.GERMAN, writer, work("ap-mines", Side.BRITISH))
    assert [(each.key, each.type) for each in scene.pieces] == [
        ("X18.1", "LMG"),
        ("X18.2", "4-4-7"),
    ]
    assert scene.pieces[1].status == ("dm",)


def test_a_marker_goes_with_the_piece_it_marks() -> None:
    tank, immobile = chip_of("38H 735(f)", Side.GERMAN), marker("Immob.")
    writer = Writer()
    hidden = replace(BRITISH, hidden=True)
    writer.stack([tank, hidden, immobile, hidden, marker("First Fire"), GERMAN], "X18")
    scene = shown_to(Side.GERMAN, writer)
    assert [(each.key, each.status) for each in scene.pieces] == [
        ("X18.1", ("immobilized",)),
        ("X18.3", ()),
    ]


def test_a_side_sees_its_own_hidden_level_counter_and_marker() -> None:
    hidden = replace(level(1), hidden=True)
    writer = Writer().stack([hidden, HIDDEN, replace(marker("DM"), hidden=True)], "Z13")
    [piece] = shown_to(Side.GERMAN, writer).pieces
    assert (piece.at, piece.status) == ("Z13/1", ("dm", "hidden"))
    other = shown_to(Side.BRITISH, writer)
    assert other == Scene()


def test_what_the_enemy_has_concealed_leaves_no_gap_in_the_numbers() -> None:
    concealed = replace(BRITISH, concealed=True)
    writer = Writer().stack([concealed, LMG, marker("TI"), marker("CX"), GERMAN, PIAT], "X18")
    scene = shown_to(Side.GERMAN, writer)
    assert [each.key for each in scene.pieces] == ["X18.1", "X18.2"]
    assert scene.pieces[1].holder == "X18.1"


# -- who has which vehicle ---------------------------------------------------------------------

TANK = chip_of("38H 735(f)", Side.GERMAN)


def test_an_enemy_on_a_vehicle_may_have_captured_it_and_be_aboard() -> None:
    writer = Writer().stack([TANK, BRITISH, GERMAN], "X18")
    position, asked, _ = settled(writer)
    assert {"vasl.captured X18.1", "vasl.aboard X18.3"} <= set(asked)
    assert (position.vehicles[0].side, position.vehicles[0].status) == (Side.GERMAN, ())
    assert not any(unit.aboard for unit in position.units)
    position, asked, _ = settled(writer, captured="yes", aboard="yes")
    [tank] = position.vehicles
    assert (tank.side, [str(each) for each in tank.status]) == (Side.BRITISH, ["captured"])
    assert [(unit.side, unit.aboard) for unit in position.units] == [
        (Side.BRITISH, tank.id),
        (Side.GERMAN, ""),
    ]
    assert "vasl.aboard X18.3" not in asked


def test_a_hooked_gun_is_towed_by_a_vehicle_of_its_hex() -> None:
    gun = chip_of("57L AT", Side.BRITISH)
    carrier = chip_of("Loyd Carrier", Side.BRITISH)
    writer = Writer().stack([carrier], "X18").stack([carrier, gun, marker("Limbered")], "X18")
    position, asked, _ = settled(writer, tow="X18.2")
    assert "vasl.tow X18.3" in asked
    [gun_there] = position.equipment
    assert [each.tows for each in position.vehicles] == [(), (gun_there.id,)]


def test_a_gun_that_a_captured_vehicle_tows_is_its_captors() -> None:
    gun = chip_of("57L AT", Side.BRITISH)
    carrier = chip_of("Loyd Carrier", Side.BRITISH)
    writer = Writer().stack([carrier, gun, marker("Limbered"), GERMAN], "X18")
    position, _, _ = settled(writer, captured="yes", holder="nobody")
    assert [(each.side, each.has(EquipmentStatus.CAPTURED)) for each in position.equipment] == [
        (Side.GERMAN, True)
    ]


def test_who_is_aboard_is_on_the_ground_whatever_level_he_was_taken_for() -> None:
    position, _, _ = settled(Writer().stack([TANK, GERMAN], "Z13"), level="1", aboard="yes")
    assert (position.units[0].at, position.units[0].aboard) == ("Z13", position.vehicles[0].id)


def test_an_unarmed_unit_may_be_aboard_and_a_prisoner_is_not_asked() -> None:
    writer = Writer().stack([TANK, marker("Unarmed SQ")], "X18")
    writer.stack([TANK, marker("Prisoner HS"), GERMAN], "X20")
    _, asked, _ = settled(writer, side="german")
    assert {each for each in asked if "aboard" in each} == {
        "vasl.aboard X18.2",
        "vasl.aboard X20.3",
    }


def test_a_unit_may_be_aboard_another_vehicle_of_its_hex() -> None:
    leader = chip_of("9-1 Armor Leader", Side.GERMAN)
    writer = Writer().stack([TANK, TANK, GERMAN, leader], "X18")
    position, asked, _ = settled(writer, aboard="X18.1")
    assert {"vasl.aboard X18.3", "vasl.aboard X18.4"} <= set(asked)
    assert {unit.aboard for unit in position.units} == {position.vehicles[0].id}


# -- wrecks, pillboxes ---------------------------------------------------------------------------


def test_a_marker_on_a_wreck_is_for_the_first_wreck_beneath_it() -> None:
    writer = Writer()
    lower, upper = Chip("FT-17 730(f) Wreck", "ge"), Chip("PzKw IVH Wreck", "ge")
    writer.stack([lower, marker("Scrounged"), upper, marker("Blaze")], "X18")
    assert [(each.type, str(each.kind), each.scrounged) for each in seen(writer).terrain] == [
        ("FT-17 730(f)", "wreck", True),
        ("PzKpfw IVH", "burning-wreck", False),
    ]


def test_the_wreck_of_every_vehicle_is_known_by_its_name() -> None:
    scene = seen(Writer().stack([Chip("Kfz 1 Wreck", "ge"), Chip("Opel 6700 Wreck", "ge")], "X18"))
    assert [(str(each.kind), each.type, each.side) for each in scene.terrain] == [
        ("wreck", "Kfz 1", Side.GERMAN)
    ]
    assert [each.name for each in scene.unknown] == ["Opel 6700 Wreck"]


def test_who_is_inside_a_pillbox_possesses_nothing_outside() -> None:
    pillbox = Chip("3+5 Pillbox", layers=(Layer(["1\\++"]),))
    writer = Writer().stack([GERMAN, LMG, pillbox, LMG, GERMAN], "X20")
    position, asked, _ = settled(writer, holder="nobody")
    assert [piece.at for piece in position.equipment] == ["X20/pillbox", "X20"]
    assert [unit.possesses for unit in position.units] == [(position.equipment[0].id,), ()]
    assert "vasl.holder X20.4" in asked and "vasl.holder X20.2" not in asked


def test_a_vehicle_in_bypass_keeps_its_covered_arc_in_either_hex() -> None:
    tank = replace(TANK, layers=(arc_layer("vca", "X20/W21", "X21"),))
    arcs = {"X21": {"X20", "W21"}, "X22": {"X21", "W22"}}
    for hex, arc in arcs.items():
        writer = Writer()
        writer.stack([tank], "X21", across="X22")
        position, _, _ = settled(writer, hex=hex)
        [vehicle] = position.vehicles
        assert (vehicle.at, set(vehicle.vca.split("/"))) == (hex, arc)
        assert set(vehicle.bypass.split("/")) == {"X21", "X22"}


def test_what_lies_between_two_hexes_and_is_no_piece_is_told() -> None:
    writer = Writer().stack([Chip("Foxhole", layers=(Layer(["1S +"]),))], "X21", across="X22")
    position, _, told = settled(writer)
    [foxhole] = position.fortifications
    assert "between X21 and X22" in told and f" {foxhole.at}" in told


def test_counters_as_real_saves_name_them_ask_nothing() -> None:
    writer = Writer()
    wind = Chip("Wind", layers=(Layer(["No Wind"]),))
    turn = Chip("Game Turn", layers=(Layer(["Axis Turn"]),))
    writer.stack([wind, turn, marker("Blue IR"), marker("Final Fire(HIP)")], "X18")
    wreck = Chip("PzKw IVH", "ge", layers=(Layer(["+ Wreck"]),))
    writer.stack([wreck], "X20")
    writer.stack([Chip("Building", layers=(Layer(["+ Roof Level"]),))], "Z13")
    scene = seen(writer)
    assert [each.name for each in scene.unknown] == ["Roof Level"]
    assert not scene.pieces
    assert [str(each.kind) for each in scene.terrain] == ["wreck"]


@pytest.mark.parametrize(("told", "words"), [("Napoleon", "the module Napoleon"), ("VASL", "")])
def test_the_save_of_another_game_is_refused_by_its_name(
    told: str, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "evening.vsav"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("savedGame", b"!VCSK00" + Writer().text().encode().hex().encode())
        archive.writestr("moduledata", f'<data version="1"><name>{told}</name></data>')
    if words:
        with pytest.raises(NoSave, match=words):
            read_text(path)
    else:
        assert read_text(path) == Writer().text()


def test_help_says_that_nothing_is_kept(tmp_path: Path) -> None:
    writer = Writer().stack([BRITISH], "X18")
    save = tmp_path / "evening.vsav"
    save.write_bytes(writer.content())
    result = CliRunner().invoke(app, ["position", "from-vasl", str(save)], input="?\nq\n")
    assert "nothing is" in result.output and "everything is" not in result.output
    assert not save.with_suffix(".yaml").exists()


def test_a_unit_of_no_known_type_possesses_and_guards_nothing() -> None:
    writer = Writer()
    foreign = Chip("6-5-8 SSsq", "ge")
    unlisted = Chip("1-2-8 FJhs", "ge")
    writer.stack([unlisted, LMG, marker("Prisoner SQ"), GERMAN], "X18")
    writer.stack([foreign, unlisted, marker("Unarmed HS"), LMG], "X20")
    position, asked, _ = settled(writer, side="german")
    assert "vasl.holder X18.2" in asked
    assert [unit.guarded_by for unit in position.units if unit.has(UnitStatus.PRISONER)] == [
        next(unit.id for unit in position.units if unit.type == "4-4-7")
    ]
    assert [piece.at for piece in position.equipment] == ["X18", "X20"]


def test_nobody_is_upstairs_where_the_building_has_fallen() -> None:
    rubble = Chip("Rubble", layers=(Layer(["Stone +"]),))
    position, asked, told = settled(Writer().stack([rubble, GERMAN, level(1), BRITISH], "Z13"))
    assert {unit.at for unit in position.units} == {"Z13"}
    assert "No building" in told and "Z13" in told
    assert not any("level" in each for each in asked)


@pytest.mark.parametrize("outside", [GERMAN, BRITISH])
def test_a_pillbox_is_controlled_once_whoever_is_outside(outside: Chip) -> None:
    pillbox = Chip("3+5 Pillbox", layers=(Layer(["1\\++"]),))
    writer = Writer().stack([GERMAN, pillbox, outside], "X20").stack([Chip("GE Control")], "X20")
    position, _, _ = settled(writer)
    assert [place for place in position.control.german if "X20" in place] in (
        ["X20"],
        ["X20/pillbox"],
    )
    assert not position.control.british


def test_what_a_hidden_enemy_has_captured_is_as_hidden() -> None:
    writer = Writer().stack([replace(BRITISH, hidden=True), replace(LMG, hidden=True), LMG], "X18")
    assert not shown_to(Side.GERMAN, writer).pieces


LOG_NAMES = ("evening.vlog", "evening.vsav")


def log(folder: Path, name: str, moves: int = 3) -> Path:
    """A log of a scenario that opens with a squad in X18."""
    writer = Writer().stack([BRITISH], "X18")
    writer.logged = [f"D/1500000000007/Main Map;{move}" for move in range(moves)]
    path = folder / name
    path.write_bytes(writer.content())
    return path


@pytest.mark.finding("G-20")
@pytest.mark.parametrize("name", LOG_NAMES)
@pytest.mark.parametrize("words", [("position", "check"), ("areas",), ("position", "from-vasl")])
def test_a_log_is_refused_with_what_to_do(
    tells: Tells, words: tuple[str, ...], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = log(tmp_path, name)
    found = run_pbcg(*words, path.name)
    assert (found.code, found.out) == (2, "")
    tells(found.err, "VASL log", ".vsav")
    assert [each.name for each in tmp_path.iterdir()] == [name]


@pytest.mark.finding("G-20")
@pytest.mark.parametrize(("name", "moves"), [("a.vlog", 0), ("a.vlog", 9000), ("a.vsav", 30_000)])
def test_a_log_of_any_length_is_known_as_one(name: str, moves: int, tmp_path: Path) -> None:
    with pytest.raises(NoSave, match="VASL log"):
        read_text(log(tmp_path, name, moves))


@pytest.mark.finding("G-20")
def test_a_note_about_a_log_makes_no_log(tmp_path: Path) -> None:
    writer = Writer().stack([BRITISH, marker("LOG\tof the day")], "X18")
    path = tmp_path / "evening.vsav"
    path.write_bytes(writer.content())
    assert read_text(path) == writer.text()


@pytest.mark.finding("G-21")
def test_the_casualties_bin_gives_the_cvp_to_confirm(tells: Tells) -> None:
    writer = Writer().stack([BRITISH], "X18")
    writer.properties = {"AlliedCVP": "6", "AxisCVP": "11", "Other": "x;y", "Turn": "3"}
    position, _, told = settled(writer, date="night-1")
    assert (position.casualty_vp.british, position.casualty_vp.german) == (6, 11)
    tells(told, "Casualties Bin", 6, 11)


@pytest.mark.finding("G-21")
@pytest.mark.parametrize("value", ["", "0", "-3", "10000", "6.5", "six", "\x1b[2J"])
def test_a_total_that_is_no_cvp_is_left_out(value: str) -> None:
    writer = Writer().stack([BRITISH], "X18")
    writer.properties = {"AlliedCVP": value}
    position, _, told = settled(writer, date="night-1")
    assert position.casualty_vp.british == 0 and "Casualties Bin" not in told


@pytest.mark.finding("G-26")
@pytest.mark.parametrize("blank", [" ", "  ", "\u00a0"])
def test_blanks_round_a_base_name_say_nothing(blank: str) -> None:
    writer = Writer().stack([Chip(f"Loyd Carrier{blank}", "br"), Chip(f"{blank}Foxhole")], "X18")
    scene = seen(writer)
    assert [(piece.section, piece.type) for piece in scene.pieces] == [("vehicles", "Loyd Carrier")]
    assert [str(part.kind) for part in scene.fortifications] == ["foxhole"]
    assert not scene.unknown


@pytest.mark.finding("G-26")
def test_a_broken_half_squad_is_broken_once() -> None:
    writer = Writer()
    half = chip_of("3-3-8", Side.BRITISH)
    layers = (*half.layers, Layer(["broken +"]), Layer(["broken +"]))
    writer.stack([replace(half, layers=layers), marker("DM")], "X18")
    assert read_counters(writer.text()).counters[0].states == ("broken",)
    position, _, _ = settled(writer, date="night-1")
    assert [str(each) for each in position.units[0].status] == ["broken", "dm"]


@pytest.mark.finding("G-26")
def test_the_tests_writer_loses_no_text() -> None:
    source = random.Random(26)
    for _ in range(5000):
        parts = [
            "".join(source.choices("\\';ab", k=source.randrange(5)))
            for _ in range(source.randrange(1, 5))
        ]
        assert split(join(parts, ";"), ";") == parts
