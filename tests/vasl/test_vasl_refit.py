"""A save of a golden campaign's end position: matched, confirmed, and through the Refit Phase."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import golden_campaign
import msgspec
import pytest
import yaml
from golden_campaign import pbcg
from in_process import run_pbcg
from likeliest_answers import LikeliestAnswers
from vasl_writer import Chip, Layer, Writer, chip_of, plain, write_position

from asl_pbcg.campaign.entry.end_position import settle_position
from asl_pbcg.campaign.entry.position_files import read_position
from asl_pbcg.campaign.entry.position_files import write_position as write_file
from asl_pbcg.campaign.position import Fortification, Position
from asl_pbcg.campaign.position_words import EquipmentStatus, FortificationKind, UnitStatus
from asl_pbcg.campaign.state.campaign_state import Campaign, change
from asl_pbcg.campaign.state.piece_changes import update
from asl_pbcg.campaign.state.piece_names import mark
from asl_pbcg.campaign.terms import Side
from asl_pbcg.cli.campaign_file import open_campaign
from asl_pbcg.kernel.errors import FaultsError, IllegalAnswer, PBCGError
from asl_pbcg.kernel.textfiles import read_yaml_or_json
from asl_pbcg.play.campaign_game.to_fill_in import neither, position_to_fill_in
from asl_pbcg.play.campaign_game.vasl_save import hidden_changes, open_save, settle_save

DATE, BEFORE = "dawn", "night-3"


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a golden campaign in which the scenario of Dawn has been played."""
    place = tmp_path_factory.mktemp("golden")
    golden_campaign.play("cg1", place, until=BEFORE, records=False)
    return place


def state_of(file: Path) -> Campaign:
    """The state of a campaign file."""
    session = open_campaign(file)
    try:
        return session.state
    finally:
        session.journal.close()


def end_position(folder: Path) -> Position:
    """The golden end position without what no counter of VASL's shows."""
    state = state_of(folder / golden_campaign.FILE)
    data = read_yaml_or_json(folder / f"{DATE}.position.yaml")
    position = plain(settle_position(state, data))
    before = {piece.id: piece for piece in state.pieces}
    equipment = tuple(
        msgspec.structs.replace(
            piece, status=tuple(s for s in piece.status if s is not EquipmentStatus.EMPLACED)
        )
        if piece.id not in before or "emplaced" not in before[piece.id].status
        else piece
        for piece in position.equipment
    )
    return msgspec.structs.replace(position, equipment=equipment)


def sorted_lists(value: Any) -> Any:
    """Plain data with the lists sorted whose order says nothing."""
    if isinstance(value, dict):
        return {
            key: sorted(item) if key in ("status", "possesses") else sorted_lists(item)
            for key, item in value.items()
        }
    return [sorted_lists(item) for item in value] if isinstance(value, list | tuple) else value


def answers_for(folder: Path, position: Position, keys: dict[str, str]) -> dict[str, Any]:
    """The golden answers, before them what the save cannot tell of that very position."""
    state = state_of(folder / golden_campaign.FILE)
    known = {piece.id for piece in state.pieces}
    found: dict[str, Any] = read_yaml_or_json(folder / f"{DATE}.answers.yaml")
    mine: dict[str, Any] = {
        "vasl.other": "none",
        "vasl.control.wrong": "none",
        "vasl.control": "nobody",
        "vasl.take": "yes",
        "vasl.piece": "default",
    }
    for vehicle in position.vehicles:
        captured = "captured" in vehicle.status
        mine[f"vasl.captured {keys[vehicle.id]}"] = "yes" if captured else "no"
    for unit in position.units:
        if unit.guarded_by:
            mine[f"vasl.guard {keys[unit.id]}"] = keys[unit.guarded_by]
        mine[f"vasl.aboard {keys[unit.id]}"] = "yes" if unit.aboard else "no"
        if unit.id not in known:
            mine[f"vasl.piece {keys[unit.id]}"] = "new"
    inferred = settled(folder).control
    parts = []
    for side in Side:
        gained = [place for place in position.control.of(side) if place not in inferred.of(side)]
        parts += [f"{side.value} {' '.join(gained)}"] if gained else []
    held = {place for side in Side for place in position.control.of(side)}
    nobody = [place for side in Side for place in inferred.of(side) if place not in held]
    parts += [f"nobody {' '.join(nobody)}"] if nobody else []
    mine["vasl.control.more"] = "; ".join(parts) or "none"
    found["otherwise"] = mine | found["otherwise"]
    # A line holds twenty counters.
    named = [f"{key} {id}" for id, key in keys.items() if id in known]
    lines = [{"vasl.other": "; ".join(named[n : n + 20])} for n in range(0, len(named), 20)]
    found["answers"] = [*lines, *found["answers"]]
    return found


def settled(folder: Path) -> Position:
    """What the save tells by itself, every doubt settled by its likeliest answer."""
    state = state_of(folder / golden_campaign.FILE)
    return settle_save(open_save(folder / "evening.vsav", state), LikeliestAnswers())


def test_a_save_goes_through_the_refit_phase_to_the_same_end_as_the_yaml(
    evening: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = end_position(evening)
    writer = write_position(position)
    states = {}
    for kind in ("yaml", "vsav"):
        folder = tmp_path / kind
        folder.mkdir()
        for path in evening.glob("*.*"):
            shutil.copy(path, folder)
        (folder / "evening.vsav").write_bytes(writer.content())
        monkeypatch.chdir(folder)
        if kind == "yaml":
            write_file(position, folder / "evening.yaml")
            answers = f"{DATE}.answers.yaml"
        else:
            answers = "with-save.yaml"
            listed = answers_for(folder, position, writer.keys)
            (folder / answers).write_text(yaml.safe_dump(listed), encoding="utf-8")
        told = pbcg(
            "refit",
            golden_campaign.FILE,
            "--as",
            "umpire",
            "--position",
            f"evening.{kind}",
            "--answers",
            answers,
        )
        assert "not asked" not in told
        states[kind] = state_of(folder / golden_campaign.FILE)
    first, second = (sorted_lists(msgspec.to_builtins(states[k])) for k in ("yaml", "vsav"))
    assert states["yaml"].date.value == "day-1"
    for key in first:
        assert second[key] == first[key], key
    assert len(position.units) + len(position.equipment) + len(position.vehicles) == 116


def test_the_matching_finds_nearly_every_piece_by_itself(evening: Path, tmp_path: Path) -> None:
    position = end_position(evening)
    save = tmp_path / "evening.vsav"
    save.write_bytes(write_position(position).content())
    state = state_of(evening / golden_campaign.FILE)
    dialogue = open_save(save, state)
    found = settle_save(dialogue, LikeliestAnswers())
    pieces = {piece.id: piece for piece in state.pieces}
    wrong = 0
    for name in ("units", "equipment", "vehicles"):
        there = [
            Counter(
                (entry.at, entry.type, entry.side)
                for entry in getattr(each, name)
                if "prisoner" not in entry.status  # his counter shows no type
            )
            for each in (position, found)
        ]
        assert there[0] == there[1], name  # everything stands where it stood
        by_place = {e.id: e for e in getattr(position, name)}
        for entry in getattr(found, name):
            before = pieces.get(entry.id)
            wrong += before is not None and entry.id not in by_place
    assert wrong <= 12  # like pieces are taken one for the other, a piece lost among its like
    asked = [line.point for line in dialogue.lines() if line.kind == "answer"]
    assert asked.count("vasl.piece") <= 12


def test_from_vasl_writes_a_position_that_passes_its_check(
    evening: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = end_position(evening)
    writer = write_position(position)
    monkeypatch.chdir(tmp_path)
    Path("evening.vsav").write_bytes(writer.content())
    points = ["piece", "other", "guard", "aboard", "control", "control.wrong", "control.more"]
    points.append("captured")
    answers = {f"vasl.{each}": "default" for each in [*points, "take", "date", "freedom", "type"]}
    listed = {"format": "pbcg-answers/1", "otherwise": answers | {"vasl.date": "dawn"}}
    Path("a.yaml").write_text(yaml.safe_dump(listed), encoding="utf-8")
    file = str(evening / golden_campaign.FILE)
    pbcg("position", "from-vasl", "evening.vsav", "--campaign", file, "--answers", "a.yaml")
    made = read_position(Path("evening.yaml"))
    assert len(made.units) == len(position.units)
    pbcg("position", "check", "evening.yaml")
    # Without a campaign ids are made up; areas and check read a save as it lies.
    pbcg("position", "from-vasl", "evening.vsav", "-o", "own.xlsx", "--answers", "a.yaml")
    alone = read_position(Path("own.xlsx"))
    assert {u.type for u in alone.units} <= {u.type for u in position.units} | {"4-6-7", "8-3-8"}
    assert "without faults" in pbcg("position", "check", "evening.vsav")
    assert "Setup Area" in pbcg("areas", "evening.vsav")


def test_one_side_sees_nothing_hidden_of_the_other(evening: Path, tmp_path: Path) -> None:
    position = end_position(evening)
    hidden = next(unit for unit in position.units if unit.side is Side.BRITISH and unit.at == "T13")
    changed = tuple(
        msgspec.structs.replace(unit, status=("hidden",)) if unit is hidden else unit  # type: ignore[arg-type]
        for unit in position.units
    )
    save = tmp_path / "evening.vsav"
    save.write_bytes(write_position(msgspec.structs.replace(position, units=changed)).content())
    state = state_of(evening / golden_campaign.FILE)
    for side in (None, Side.GERMAN, Side.BRITISH):
        dialogue = open_save(save, state, (side,) if side else ())
        found = settle_save(dialogue, LikeliestAnswers())
        there = [unit for unit in found.units if unit.at == "T13"]
        told = " ".join(line.text for line in dialogue.lines())
        if side is Side.GERMAN:
            assert not there
            assert "T13" not in told and hidden.id not in told
            weapons = [piece for piece in found.equipment if piece.at == "T13"]
            assert not weapons
            assert all(
                mine.owner is not Side.BRITISH or mine.size is None
                for mine in found.fortifications
                if mine.kind == "ap-mines"
            )
        else:
            assert [str(each) for unit in there for each in unit.status] == ["hidden"]


@pytest.mark.finding("F-21")
@pytest.mark.parametrize("side", [None, Side.BRITISH, Side.GERMAN])
@pytest.mark.parametrize("from_last", [False, True])
def test_a_template_passes_its_own_check_but_for_what_it_asks(
    evening: Path, tmp_path: Path, side: Side | None, from_last: bool
) -> None:
    state = state_of(evening / golden_campaign.FILE)
    position = position_to_fill_in(state, side)
    for suffix in (".yaml", ".xlsx"):
        file = tmp_path / f"to-fill-in{suffix}"
        write_file(position, file, neither(position, state) if from_last else [])
        try:
            read_position(file, state.board, state.catalogue)
        except FaultsError as error:
            others = [each for each in error.faults if not each.wrong.startswith("is missing")]
            assert not others
            assert all("at" in str(each.where) for each in error.faults)


def test_a_side_gives_its_hidden_pieces_by_the_same_save(evening: Path, tmp_path: Path) -> None:
    position = end_position(evening)
    hidden = next(unit for unit in position.units if unit.side is Side.BRITISH and unit.at == "T13")
    changed = tuple(
        msgspec.structs.replace(unit, status=("hidden",)) if unit is hidden else unit
        for unit in position.units
    )
    save = tmp_path / "evening.vsav"
    save.write_bytes(write_position(msgspec.structs.replace(position, units=changed)).content())
    state = state_of(evening / golden_campaign.FILE)
    found = hidden_changes(save, state, Side.BRITISH, lambda dialogue: LikeliestAnswers())
    assert [(each["at"], each["status"]) for each in found["units"]] == [("T13", ["hidden"])]
    assert {each["at"] for each in found["equipment"]} == {"T13"}
    assert set(found) == {"format", "units", "equipment"}
    assert set(hidden_changes(save, state, Side.GERMAN, lambda dialogue: LikeliestAnswers())) == {
        "format"
    }


@pytest.mark.finding("G-20")
@pytest.mark.parametrize("name", ["evening.vlog", "log.vsav"])
def test_a_log_ends_no_scenario(evening: Path, tmp_path: Path, name: str) -> None:
    file = tmp_path / golden_campaign.FILE
    shutil.copy(evening / golden_campaign.FILE, file)
    writer = write_position(end_position(evening))
    writer.logged = ["D/1/moved"]
    (tmp_path / name).write_bytes(writer.content())
    state = state_of(file)
    before = file.read_bytes()
    found = run_pbcg("refit", file, "--position", tmp_path / name)
    assert found.code == 2 and found.err.count("VASL log") == 1
    for side in Side:
        with pytest.raises(PBCGError, match="VASL log"):
            hidden_changes(tmp_path / name, state, side, lambda dialogue: LikeliestAnswers())
    assert state_of(file) == state and file.read_bytes() == before


def test_a_counter_can_only_be_named_a_piece_of_its_own_kind(evening: Path, tmp_path: Path) -> None:
    position = end_position(evening)
    writer = write_position(position)
    save = tmp_path / "evening.vsav"
    save.write_bytes(writer.content())
    dialogue = open_save(save, state_of(evening / golden_campaign.FILE))
    answers = LikeliestAnswers()
    while dialogue.pending and dialogue.pending.id != "vasl.other":
        dialogue.answer(answers.answer(dialogue.pending))
    british = next(each for each in position.units if each.side is Side.BRITISH and not each.aboard)
    key = writer.keys[british.id]
    german = next(each for each in position.units if each.side is Side.GERMAN)
    for wrong in (german, position.equipment[0], position.vehicles[0]):
        with pytest.raises(
            IllegalAnswer, match=f"{mark(wrong.id)} is a .* and {key} shows a British"
        ):
            dialogue.answer(f"{key} {wrong.id}")
    with pytest.raises(IllegalAnswer, match="one after"):
        dialogue.answer(key)
    dialogue.answer(f"{key} {british.id}")


def test_a_wounded_prisoner_stays_wounded(evening: Path, tmp_path: Path) -> None:
    state = state_of(evening / golden_campaign.FILE)
    leader = next(p for p in state.pieces if p.kind == "leader" and p.side is Side.BRITISH)
    wounded = update(state, leader.id, status=(UnitStatus.WOUNDED,), at="X18")
    writer = Writer().stack([chip_of("4-4-7", Side.GERMAN), Chip("POW Leader")], "X18")
    save = tmp_path / "evening.vsav"
    save.write_bytes(writer.content())
    dialogue = open_save(save, wounded)
    answers = LikeliestAnswers()
    while dialogue.pending:
        if dialogue.pending.id == "vasl.other":
            dialogue.answer(f"X18.2 {leader.id}" if leader.id not in str(answers.taken) else "none")
            answers.taken.append(leader.id)
        else:
            dialogue.answer(answers.answer(dialogue.pending))
    [prisoner] = [each for each in dialogue.result.units if each.side is Side.BRITISH]
    assert (prisoner.id, set(prisoner.status)) == (
        leader.id,
        {UnitStatus.WOUNDED, UnitStatus.PRISONER},
    )


@pytest.mark.parametrize(("blank", "hidden"), [(True, True), (False, False)])
@pytest.mark.rule("9.6073-b")
def test_a_minefield_counter_keeps_the_strength_of_its_mines_secret(
    evening: Path, tmp_path: Path, blank: bool, hidden: bool
) -> None:
    state = state_of(evening / golden_campaign.FILE)
    mines = Fortification(
        kind=FortificationKind.AP_MINES, at="X18", owner=Side.GERMAN, size=8, hidden=True
    )
    known = change(state, fortifications=(mines,), minefield_counters=((mines.kind, mines.at),))
    layers = (Layer(["8 FP Minefield"]), Layer(["Minefield"], 1 if blank else 0))
    writer = Writer().stack([Chip("Minefield AP", layers=layers)], "X18")
    save = tmp_path / "evening.vsav"
    save.write_bytes(writer.content())
    found = settle_save(open_save(save, known), LikeliestAnswers())
    assert found.fortifications == (msgspec.structs.replace(mines, hidden=hidden),)


def test_help_lists_the_matches_place_by_place(evening: Path, tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from asl_pbcg.cli.main import app

    save, file = tmp_path / "evening.vsav", evening / golden_campaign.FILE
    save.write_bytes(write_position(end_position(evening)).content())
    dialogue = open_save(save, state_of(file))
    answers = LikeliestAnswers()
    while dialogue.pending and dialogue.pending.id != "vasl.other":
        dialogue.answer(answers.answer(dialogue.pending))
    assert dialogue.pending
    listed = dialogue.pending.help.splitlines()[1:]
    given = [line for line in dialogue.lines() if line.kind == "answer"]
    command = ["position", "from-vasl", str(save), "--campaign", str(file)]
    keys = "\n" * len(given) + "?\nq\n"
    shown = CliRunner().invoke(app, command, input=keys, env={"COLUMNS": "200"}).output
    assert len(listed) > 50
    assert {" ".join(line.split()) for line in listed} <= {
        " ".join(line.split()) for line in shown.splitlines()
    }


def test_who_a_prisoner_may_be_is_not_said_to_be_something_else_now(
    evening: Path, tmp_path: Path
) -> None:
    writer = Writer().stack([chip_of("6-4-8", Side.BRITISH), Chip("Prisoner SQ")], "EE11")
    save = tmp_path / "evening.vsav"
    save.write_bytes(writer.content())
    dialogue = open_save(save, state_of(evening / golden_campaign.FILE))
    answers = LikeliestAnswers()
    while dialogue.pending and dialogue.pending.about != "EE11.2":
        dialogue.answer(answers.answer(dialogue.pending))
    if dialogue.pending and dialogue.pending.id == "vasl.guard":
        dialogue.answer(answers.answer(dialogue.pending))
    while dialogue.pending and dialogue.pending.about != "EE11.2":
        dialogue.answer(answers.answer(dialogue.pending))
    assert dialogue.pending and dialogue.pending.id == "vasl.piece"
    assert not any(
        option.consequence.lstrip().startswith("now") for option in dialogue.pending.options
    )
    assert len(dialogue.pending.options) > 3
