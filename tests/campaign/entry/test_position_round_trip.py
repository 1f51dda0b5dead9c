"""Positions read back the same from YAML, JSON and Excel."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
import yaml
from campaign_setups import WholeSetups, with_places
from campaign_soak import begin
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from positions import BOARD, GERMAN, GUN, LMG, TANK, UNIT, data, position, saved
from refit_helpers import by_point, run_step
from sentences import Tells

from asl_pbcg.campaign.areas.strategic_locations import StrategicLocations
from asl_pbcg.campaign.board.entry_areas import entry_areas
from asl_pbcg.campaign.entry.position_check import check_position
from asl_pbcg.campaign.entry.position_files import read_position, write_position, write_template
from asl_pbcg.campaign.entry.position_text import schema, to_json, to_yaml
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.module.catalogue import InfantryType, VehicleType, WeaponType, load_catalogue
from asl_pbcg.campaign.position import (
    FORMAT,
    Control,
    EquipmentEntry,
    Fortification,
    Glider,
    Position,
    Terrain,
    UnitEntry,
    VehicleEntry,
    WWBox,
)
from asl_pbcg.campaign.position import BySide as Casualties
from asl_pbcg.campaign.position_words import (
    EquipmentStatus,
    FortificationKind,
    GliderState,
    TerrainKind,
    UnitStatus,
    VehicleStatus,
)
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.ob_merge import to_position
from asl_pbcg.campaign.state.piece_names import ids_called
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.answers import drive
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.textfiles import parse_yaml
from asl_pbcg.play.campaign_game.to_fill_in import position_to_fill_in
from asl_pbcg.refit.s600_scenario_end import end_position
from asl_pbcg.refit.setup.recorded_setup import newly_bought

CATALOGUE = load_catalogue()
# An Armor Leader is in a vehicle or beside its crew (D3.4): he needs a position of his own.
FOOT = {
    side: [
        name
        for name in CATALOGUE.names(side, InfantryType)
        if getattr(CATALOGUE.find(name, side), "kind", "") != "armor_leader"
    ]
    for side in Side
}
LAND = (BOARD.in_play - BOARD.water).names
BUILDINGS = BOARD.buildings.names

TRICKY = ["=1+1", "+a", "-a", "@a", "yes", "No", "null", "~", "1e3", "0x1F", "007", "1_000", "a: b",
          "a #b", "- a", "2024-01-01", "12:30", '"', "'", "\\", "{a}", "[a]", "*a", "&a", "!a",
          "%", "?", "|", ">", "a\\nb", "é", "Ж", "😀", "x005F_", "true", "1.5", "."]  # fmt: skip
DASHES = "".join(map(chr, (*range(0x2010, 0x2016), 0x2212)))
"""A file that a player writes is read with a hyphen for each of them (J-65)."""
letters = st.characters(
    exclude_categories=("C", "Z"), include_characters=" ", exclude_characters=DASHES
)


def words(longest: int, alphabet: st.SearchStrategy[str] = letters) -> st.SearchStrategy[str]:
    free = st.text(alphabet, max_size=longest).map(str.strip)
    return st.one_of(free, st.sampled_from(TRICKY)).filter(lambda text: "_x" not in text)


# A name of the players' own: A-1 would mean the squad that is called so.
names = words(
    12, st.characters(exclude_categories=("C", "Z"), exclude_characters=f",;{DASHES}")
).filter(lambda text: text and not set(text) & set(",; ") and not ids_called(text))
notes = words(60) | st.lists(words(20).filter(bool), min_size=2, max_size=3).map("\n".join)


def some(values: Any, most: int) -> Any:
    return st.lists(values, max_size=most, unique=True).map(tuple)


@st.composite
def places(draw: Any, side: Side) -> str:
    """A place where a unit of ``side`` may be."""
    own = [arrow for arrow, area in entry_areas(BOARD).items() if area.side == side]
    return str(
        draw(
            st.sampled_from(LAND)
            | st.sampled_from(BUILDINGS).map(lambda name: f"{name}/1")
            | st.sampled_from(own).map(lambda arrow: f"off-map {arrow}")
        )
    )


@st.composite
def positions(draw: Any) -> Position:
    """A position that no check objects to."""
    ids = iter(draw(st.lists(names, min_size=30, max_size=30, unique=True)))
    sides = st.sampled_from(Side)
    units, equipment, vehicles = [], [], []
    for _ in range(draw(st.integers(0, 5))):
        side = draw(sides)
        at = draw(places(side))
        possessed = []
        for _ in range(draw(st.integers(0, 2))):
            captured = draw(st.booleans())
            types = CATALOGUE.names(side.other if captured else side, WeaponType)
            piece = EquipmentEntry(
                id=next(ids),
                side=side,
                type=draw(st.sampled_from(types)),
                at=at,
                status=(
                    *((EquipmentStatus.CAPTURED,) if captured else ()),
                    *draw(some(st.sampled_from([EquipmentStatus.MALFUNCTIONED]), 1)),
                ),
                depleted=draw(some(names, 2)),
                notes=draw(notes),
            )
            equipment.append(piece)
            possessed.append(piece.id)
        plain = [UnitStatus.BROKEN, UnitStatus.PINNED, UnitStatus.FANATIC, UnitStatus.NO_MOVE]
        units.append(
            UnitEntry(
                id=next(ids),
                side=side,
                type=draw(st.sampled_from(FOOT[side])),
                at=at,
                status=draw(some(st.sampled_from(plain), 3)),
                possesses=tuple(possessed),
                formation="ox-and-bucks" if side is Side.BRITISH else "",
                rg=draw(words(10)),
                name=draw(words(10)),
                notes=draw(notes),
            )
        )
    for _ in range(draw(st.integers(0, 2))):
        side = draw(sides)
        vehicles.append(
            VehicleEntry(
                id=next(ids),
                side=side,
                type=draw(st.sampled_from(CATALOGUE.names(side, VehicleType))),
                at=draw(st.sampled_from(LAND)),
                status=draw(some(st.sampled_from([VehicleStatus.IMMOBILIZED]), 1)),
                vca=draw(st.sampled_from(["", "Y22/Z22", "A1"])),
                aamg=draw(st.sampled_from([None, True, False])),
            )
        )
    hexes = st.sampled_from(LAND)
    works = st.builds(
        Fortification,
        kind=st.sampled_from([FortificationKind.WIRE, FortificationKind.TRENCH]),
        at=hexes,
        owner=st.sampled_from([None, *Side]),
        hidden=st.booleans(),
    )
    holes = st.builds(
        Fortification,
        kind=st.just(FortificationKind.FOXHOLE),
        at=hexes,
        size=st.sampled_from([None, 1, 2, 3]),
    )
    fires = st.builds(
        Terrain, kind=st.sampled_from([TerrainKind.FLAME, TerrainKind.BLAZE]), at=hexes
    )
    found = Position(
        format=FORMAT,
        date=draw(st.sampled_from(CGDate)),
        title=draw(words(20)),
        gliders=draw(some(st.builds(Glider, at=hexes, state=st.sampled_from(GliderState)), 2)),
        fortifications=draw(some(works | holes, 3)),
        terrain=draw(some(fires, 2)),
        units=tuple(units),
        equipment=tuple(equipment),
        vehicles=tuple(vehicles),
        casualty_vp=draw(st.builds(Casualties, british=st.integers(0, 99))),
        ww_box=draw(some(st.builds(WWBox, type=st.just("6-4-8"), count=st.integers(1, 9)), 1)),
        moved_first=draw(st.sampled_from([None, *Side])),
        turn=draw(st.sampled_from([None, 5, 12])),
        massacre=draw(some(sides, 2)),
        notes=draw(notes),
    )
    strategic = StrategicLocations(found, BOARD).hexes.names
    held = draw(st.lists(st.sampled_from(strategic), max_size=40, unique=True))
    half = draw(st.integers(0, len(held)))
    control = Control(british=tuple(held[:half]), german=tuple(held[half:]))
    return Position(**{name: getattr(found, name) for name in found.__struct_fields__}
                    | {"control": control})  # fmt: skip


quiet = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]


@given(found=positions())
@settings(max_examples=60, deadline=None, suppress_health_check=quiet)
def test_yaml_and_json(tmp_path: Path, found: Position) -> None:
    check_position(found, BOARD)
    for suffix in ("yaml", "json"):
        path = tmp_path / f"end.{suffix}"
        write_position(found, path)
        assert read_position(path) == found
    jsonschema.validate(json.loads(to_json(found)), schema())


@given(found=positions())
@settings(max_examples=60, deadline=None, suppress_health_check=quiet)
def test_the_yaml_we_write_says_the_same_to_every_reader(found: Position) -> None:
    text = to_yaml(found)
    assert yaml.safe_load(text) == parse_yaml(text, "end.yaml")


@given(found=positions())
@settings(max_examples=12, deadline=None, suppress_health_check=quiet)
def test_excel(tmp_path: Path, found: Position) -> None:
    path = tmp_path / "end.xlsx"
    write_position(found, path)
    assert read_position(path) == found


@pytest.mark.parametrize("name", ["x005F_", "Ax005F_B"])
def test_excel_keeps_a_name_that_looks_like_a_sign_of_excel(tmp_path: Path, name: str) -> None:
    path = tmp_path / "end.xlsx"
    found = position(vehicles=[TANK | {"notes": name}])
    write_position(found, path)
    assert read_position(path) == found


def test_through_all_three_and_back(tmp_path: Path) -> None:
    first = saved(
        tmp_path / "a.json",
        control={"british": ["X18"], "german": ["L9", "X20"]},
        units=[UNIT | {"possesses": ["lmg-1"]}, GERMAN],
        equipment=[LMG, GUN],
        vehicles=[TANK],
    )
    found = read_position(first)
    for name in ("b.yaml", "c.xlsx", "d.json", "e.xlsx", "f.yml"):
        write_position(found, tmp_path / name)
        assert read_position(tmp_path / name) == read_position(first)
        found = read_position(tmp_path / name)


def test_the_yaml_is_for_people() -> None:
    text = to_yaml(
        position(
            control={"british": ["X18"], "german": [f"L{n}" for n in (9, 12, 13)]},
            gliders=[{"at": "X22", "state": "landed"}],
            units=[UNIT | {"status": ["broken"], "possesses": ["lmg-1"]}],
            equipment=[LMG],
            vehicles=[TANK],
            casualty_vp={"german": 4},
        )
    )
    assert text == (
        "format: pbcg-position/1\n"
        "date: night-1\n"
        "control:\n"
        "  british: [X18]\n"
        "  german: [L9, L12, L13]\n"
        "gliders:\n"
        "  - {at: X22, state: landed}\n"
        "units:\n"
        "  - {id: b1, side: british, type: 6-4-8, at: X18, status: [broken], possesses: [lmg-1]}\n"
        "equipment:\n"
        "  - {id: lmg-1, side: british, type: LMG, at: X18}\n"
        "vehicles:\n"
        "  - {id: v1, side: german, type: 35-S 739(f), at: Y17}\n"
        "casualty_vp:\n"
        "  german: 4\n"
    )


def test_long_lists_are_wrapped() -> None:
    names = BUILDINGS[:80]
    text = to_yaml(position(control={"british": names}))
    assert max(len(line) for line in text.splitlines()) <= 96
    assert parse_yaml(text, "end.yaml")["control"] == {"british": names}


def test_the_example_of_the_design(tmp_path: Path) -> None:
    path = tmp_path / "end.yaml"
    path.write_text(
        "format: pbcg-position/1\n"
        "date: night-1\n"
        "control:\n"
        "  british: [Y19, Y20, Z15/1]\n"
        "  german: [Z15, L9]\n"
        "gliders:        [{at: X22, state: landed}]\n"
        "fortifications: [{kind: trench, at: W21, owner: german},\n"
        "                 {kind: foxhole, at: K12, owner: british, size: 2}]\n"
        "terrain:        [{kind: blaze, at: V13}]\n"
        "units:          [{id: b1, side: british, type: 6-4-8, at: Z15/1, status: [broken],\n"
        "                  possesses: [lmg-1]}]\n"
        "equipment:      [{id: lmg-1, side: british, type: LMG, at: Z15/1,\n"
        "                  status: [malfunctioned]}]\n"
        'vehicles:       [{id: v1, side: german, type: "35-S 739(f)", at: Y17,\n'
        "                  status: [immobilized]}]\n"
    )
    found = read_position(path)
    assert (found.date, found.control.german) == (CGDate.NIGHT_1, ("Z15", "L9"))
    assert found.units[0].possesses == ("lmg-1",)


@pytest.mark.parametrize("suffix", ["yaml", "json"])
def test_the_untouched_template_lacks_only_its_date(
    tells: Tells, tmp_path: Path, suffix: str
) -> None:
    path = tmp_path / f"t.{suffix}"
    write_template(path)
    text = path.read_text(encoding="utf-8")
    with pytest.raises(Exception) as refused:
        read_position(path)
    tells(refused, "1 fault")
    for empty in ("\ndate:\n", '"date": null'):
        text = text.replace(empty, empty.replace("null", '"dawn"').rstrip("\n") + (
            "" if "null" in empty else " dawn\n"
        ))  # fmt: skip
    path.write_text(text, encoding="utf-8")
    assert read_position(path) == position(date="dawn")


def test_every_example_of_the_yaml_template_is_right(tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    write_template(path)
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# Example:  - "):
            example = line.removeprefix("# Example:")
        lines.append("date: dawn" if line == "date:" else line)
        if line.endswith(":") and line[:-1] in ("gliders", "fortifications", "terrain", "units",
                                               "equipment", "vehicles", "ww_box"):  # fmt: skip
            lines.append(example)
    path.write_text("\n".join(lines), encoding="utf-8")
    found = read_position(path)
    assert all(getattr(found, name) for name in ("gliders", "terrain", "units", "ww_box"))


# The JSON Schema


def test_the_schema_takes_what_the_program_takes() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    jsonschema.validate(data(), schema())
    jsonschema.validate(
        data(units=[UNIT], equipment=[LMG, GUN], vehicles=[TANK], control={"german": ["Z15/1"]}),
        schema(),
    )


@pytest.mark.parametrize(
    "keys",
    [
        {"date": "noon"},
        {"format": "x"},
        {"unitz": []},
        {"units": [UNIT | {"statuss": []}]},
        {"units": [{"id": "b1"}]},
        {"units": [UNIT | {"status": ["sad"]}]},
        {"units": [UNIT | {"at": "x18"}]},
        {"units": [UNIT | {"id": "a,b"}]},
        {"control": {"british": ["off-map Z28"]}},
        {"turn": 0},
    ],
)
def test_the_schema_refuses_what_the_program_refuses(keys: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data(**keys), schema())


def test_every_key_of_the_schema_is_described() -> None:
    for name, part in schema()["$defs"].items():
        assert part.get("description"), name
    unit = schema()["$defs"]["UnitEntry"]["properties"]
    assert all("description" in key for key in unit.values())


def test_the_example_of_the_documentation(tmp_path: Path) -> None:
    page = Path(__file__).parents[3] / "docs" / "players" / "positions.md"
    example = page.read_text(encoding="utf-8").split("```yaml\n")[1].split("```")[0]
    path = tmp_path / "end.yaml"
    path.write_text(example, encoding="utf-8")
    found = read_position(path)
    assert (len(found.units), found.casualty_vp.german) == (2, 20)


def test_reading_a_position_loads_nothing_heavy(tmp_path: Path) -> None:
    path = saved(tmp_path / "end.json", units=[UNIT])
    code = (
        "import sys, pathlib\n"
        "from asl_pbcg.campaign.entry.position_files import read_position\n"
        f"read_position(pathlib.Path({str(path)!r}))\n"
        "print(*sys.modules)\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[3],
    )
    loaded = set(result.stdout.split())
    assert "asl_pbcg.campaign.entry.position_check" in loaded
    assert not loaded & {"pydantic", "pandas", "numpy", "openpyxl", "shapely", "rich", "difflib"}


FACTS = (
    "side", "type", "kind", "formation", "rg", "status", "possesses", "aboard", "guarded_by",
    "tows", "ca", "vca", "tca", "depleted", "aamg", "name", "notes", "at",
)  # fmt: skip


def facts_of(state: Campaign) -> dict[str, dict[str, Any]]:
    """What is true of each piece on the map or off it, whatever its area."""
    return {
        piece.id: {fact: getattr(piece, fact) for fact in FACTS if hasattr(piece, fact)}
        for piece in state.pieces
        if piece.is_unit_or_equipment
    }


def given_back(state: Campaign, position: Position, folder: Path) -> Campaign:
    """The campaign after the template of ``state`` was written, read and given back unchanged."""
    documents = []
    for suffix in (".yaml", ".xlsx"):
        file = folder / f"template{suffix}"
        write_position(position, file)
        documents.append(read_position(file, state.board, state.catalogue))
    assert documents[0] == documents[1]
    asked: list[Prompt | Roll] = []
    answers = by_point({"0.2": msgspec.to_builtins(documents[0]), "0.2.0": "none", "0.2.8": 0})
    after, _ = run_step(state, end_position, answers, asked=asked, balance=False)
    lost = [each.id for each in asked if each.id in ("0.2.1", "0.2.5", "0.2.5a", "0.2.6")]
    assert not lost
    return after


@pytest.mark.finding("G-11", "G-12", "G-13", "G-14")
@pytest.mark.parametrize("seed", [1, 2])
def test_nothing_is_lost_between_two_dates(seed: int, tmp_path: Path) -> None:
    """Bought, set up, the template written and given back unchanged: all is as it was.

    For every CG Date of a campaign played at random, by workbook and YAML.
    """
    session = begin(seed)
    answers = WholeSetups(seed, session)
    source = random.Random(seed)
    compared, set_up = [], []

    def between() -> bool:
        state = session.state
        if (asked := session.pending) is None or asked.id != "0.2" or state.determined is None:
            return False
        for setup in answers.given.values():  # what the setup file said is so
            for entry in (*setup.get("units", ()), *setup.get("vehicles", ())):
                piece = state.piece(entry["id"])
                for fact in ("at", "possesses", "aboard", "tows", "vca"):
                    assert not entry.get(fact) or entry[fact] == getattr(piece, fact)
                set_up.append(piece.id)
        state = with_places(state, source)
        template = position_to_fill_in(state)
        after = given_back(state, template, tmp_path)
        assert facts_of(after) == facts_of(state)
        strategic = StrategicLocations(to_position(after), state.board, state.catalogue)
        for side in state.sides:
            held = state.control.of(side)
            still = tuple(place for place in held if strategic.is_recorded(Location.parse(place)))
            assert after.control.of(side) == still
        stood = [*state.fortifications, *newly_bought(state)]
        assert sorted(after.fortifications, key=str) == sorted(stood, key=str)
        assert (after.gliders, set(after.terrain)) == (state.gliders, set(state.terrain))
        compared.append(state.date)
        return False

    drive(session, answers, SeededDice(seed), until=between)
    assert len(compared) >= 2
    assert len(set_up) >= 50
