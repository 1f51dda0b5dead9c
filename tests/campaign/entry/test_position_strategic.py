"""Locations, and which of them are Strategic Locations. Rule: 9.2."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from positions import BOARD, GUN, TANK, checked, position
from refit_helpers import campaign_at, piece

from asl_pbcg.campaign.areas.setup_areas import determine_areas
from asl_pbcg.campaign.areas.strategic_locations import StrategicLocations, infer_control
from asl_pbcg.campaign.entry.draft_orders import Editor
from asl_pbcg.campaign.entry.end_position import settle_position
from asl_pbcg.campaign.entry.position_draft import Draft
from asl_pbcg.campaign.entry.position_files import read_position, write_position
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.state.ob_merge import to_position
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.cli.evening.position_commands import summary
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.play.campaign_game.to_fill_in import neither, position_to_fill_in


def why(at: str, **keys: Any) -> tuple[str, ...]:
    return StrategicLocations(position(**keys), BOARD).why(Location.parse(at))


@pytest.mark.parametrize("text", ["Z15", "Z15/1", "Z15/4", "Z21/pillbox", "off-map KK1", "TT14"])
def test_a_location_is_written_as_it_is_read(text: str) -> None:
    assert str(Location.parse(text)) == text


def test_what_a_location_says() -> None:
    assert Location.parse("Z15") == Location("Z15")
    assert Location.parse("Z15").ground
    first = Location.parse("Z15/1")
    assert (first.hex, first.level, first.ground, first.on_map) == ("Z15", 1, False, True)
    pillbox = Location.parse("Z21/pillbox")
    assert (pillbox.hex, pillbox.level, pillbox.pillbox, pillbox.ground) == ("Z21", 0, True, False)
    away = Location.parse("off-map A7")
    assert (away.hex, away.entry, away.on_map, away.ground) == ("", "A7", False, False)


@pytest.mark.parametrize(
    "text", ["", "z15", "Z15/0", "Z15/5", "Z15/", "Z15 ", "off-map", "offmap A7", "Z15/1/1", "Z"]
)
def test_what_is_no_location(text: str) -> None:
    with pytest.raises(PBCGError) as caught:
        Location.parse(text)
    assert str(caught.value) == (
        f'"{text}" is not a Location: write Z15 for ground level, Z15/1 for first level, '
        "Z21/pillbox or off-map A7."
    )


@pytest.mark.rule("9.2-ao")
@pytest.mark.parametrize(
    ("at", "keys", "reason"),
    [
        ("X18", {}, "building"),
        ("Z15/1", {}, "building"),
        ("Y19", {}, "bridge"),
        ("W21", {"fortifications": [{"kind": "trench", "at": "W21"}]}, "entrenchment"),
        ("W21", {"fortifications": [{"kind": "foxhole", "at": "W21"}]}, "entrenchment"),
        ("Z21", {"fortifications": [{"kind": "pillbox", "at": "Z21"}]}, "pillbox"),
        ("Z21/pillbox", {"fortifications": [{"kind": "pillbox", "at": "Z21"}]}, "pillbox"),
        ("X22", {"gliders": [{"at": "X22", "state": "landed"}]}, "glider"),
        ("X18", {"terrain": [{"kind": "rubble-stone", "at": "X18"}]}, "rubble"),
        ("W21", {"terrain": [{"kind": "rubble-wood", "at": "W21"}]}, "rubble"),
    ],
)
def test_terrain_fortifications_and_gliders(at: str, keys: dict[str, Any], reason: str) -> None:
    assert why(at, **keys) == (reason,)


@pytest.mark.rule("9.2-ao")
@pytest.mark.parametrize("kind", ["wire", "ap-mines", "at-mines"])
def test_other_fortifications_make_none(kind: str) -> None:
    assert why("W21", fortifications=[{"kind": kind, "at": "W21"}]) == ()


@pytest.mark.rule("9.2-ap", "9.2-ar")
@pytest.mark.parametrize(
    ("status", "strategic"),
    [
        (["immobilized"], True),
        (["bogged"], True),
        (["mired"], True),
        (["immobilized", "bmg-malfunctioned"], True),
        ([], False),
        (["stunned"], False),
        (["immobilized", "abandoned"], False),
        (["abandoned"], False),
        (["immobilized", "ma-malfunctioned"], False),
        (["immobilized", "ma-disabled"], False),
    ],
)
def test_an_immobile_vehicle_with_functioning_ma(status: list[str], strategic: bool) -> None:
    assert why("Y17", vehicles=[TANK | {"status": status}]) == (("vehicle",) if strategic else ())


@pytest.mark.rule("9.2-ar")
def test_an_immobile_vehicle_without_ma_makes_none() -> None:
    car = {"id": "k", "side": "german", "type": "Kfz 1", "at": "Y17", "status": ["immobilized"]}
    assert why("Y17", vehicles=[car]) == ()


@pytest.mark.rule("9.2-aq", "9.2-ar")
@pytest.mark.parametrize(
    ("status", "strategic"),
    [([], True), (["emplaced"], True), (["low-ammo"], True), (["malfunctioned"], False),
     (["hooked"], False)],
)  # fmt: skip
def test_a_gun_that_is_unhooked_and_not_malfunctioned(status: list[str], strategic: bool) -> None:
    assert why("X20", equipment=[GUN | {"status": status}]) == (("gun",) if strategic else ())


@pytest.mark.rule("9.2-aq")
def test_a_captured_gun_is_one_and_a_support_weapon_is_none() -> None:
    captured = GUN | {"side": "british", "status": ["captured"]}
    assert why("X20", equipment=[captured]) == ("gun",)
    assert why("X20", equipment=[GUN | {"type": "HMG"}]) == ()
    assert why("X20", equipment=[GUN | {"at": "off-map A7"}]) == ()


@pytest.mark.rule("9.2-ar")
def test_a_wrecked_glider_makes_none() -> None:
    assert why("X22", gliders=[{"at": "X22", "state": "wrecked"}]) == ()


@pytest.mark.rule("9.6092-a")
def test_a_building_that_burnt_down_leaves_no_strategic_location() -> None:
    found = StrategicLocations(position(terrain=[{"kind": "shellhole", "at": "Z20"}]), BOARD)
    assert "Z20" in BOARD.buildings
    assert "Z20" not in found.hexes
    assert Location("Z20", 1) not in found


def test_the_letters_of_the_map_sheet() -> None:
    found = StrategicLocations(
        position(
            fortifications=[{"kind": "trench", "at": "Z21"}, {"kind": "pillbox", "at": "Z21"}],
            equipment=[GUN],
            vehicles=[TANK | {"status": ["immobilized"]}],
        ),
        BOARD,
    )
    assert [found.letters(name) for name in ("Z21", "X20", "Y17", "X18")] == ["EF", "G", "V", ""]


def test_hexes_are_all_with_any_strategic_location() -> None:
    bare = StrategicLocations(position(), BOARD)
    assert bare.hexes == BOARD.buildings | BOARD.bridges
    more = StrategicLocations(position(equipment=[GUN]), BOARD)
    assert (more.hexes - bare.hexes).names == ["X20"]


# -- Locations that a victory condition names -----------------------------------------------

PLAIN = ("X20", "Y18", "Y21", "Z18")
"""Locations of SSR PB4 that are Strategic only with a Gun, a vehicle or an entrenchment in them."""
B, G = Side.BRITISH, Side.GERMAN


@pytest.mark.finding("G-01")
@pytest.mark.parametrize("at", PLAIN)
def test_control_of_a_location_of_the_bridge_can_be_said_in_every_form(
    at: str, tmp_path: Path
) -> None:
    assert why(at) == ()
    strategic = StrategicLocations(position(), BOARD)
    assert strategic.is_recorded(Location.parse(at))
    assert not strategic.is_recorded(Location.parse("Y22"))
    written = position(control={"british": ["X18"], "german": [at]})
    for ending in ("yaml", "json", "xlsx"):
        write_position(written, tmp_path / f"end.{ending}")
        assert read_position(tmp_path / f"end.{ending}").control.german == (at,)
    state = campaign_at("scenario", piece("g1", G, "4-6-7", at), date=CGDate.DAWN, british=[at])
    changes = {"format": "pbcg-changes/1", "date": "dawn", "control": {"german": [at]}}
    merged = settle_position(state, changes)
    assert merged.control.german == (at,)
    edited = Editor(Draft(state, state.board, state.catalogue), B)
    edited.do(f"control german {at[0]}18-{at[0]}21")
    assert at in edited.draft.position.control.german
    edited.do(f"control british {at}")
    assert at in edited.draft.position.control.british
    edited.draft.from_last()
    edited.do("infer")  # the squad alone there has it (A26.11)
    assert at in edited.draft.position.control.german
    seen = to_position(state)
    inferred = infer_control(seen, seen.control, BOARD, state.catalogue, [("Z18", B)])
    assert at in inferred.control.german  # as a VASL save is read, with its Control markers
    assert at == "Z18" or "Z18" in inferred.control.british


@pytest.mark.finding("G-01")
def test_the_summary_counts_strategic_locations_alone() -> None:
    held = checked(control={"british": ["X18", "X18/1", "Y21"], "german": ["Y18"]})
    said = summary(Path("end.yaml"), held, BOARD)["sides"]
    assert (said["british"]["controls"], said["german"]["controls"]) == (2, 0)


@pytest.mark.finding("G-01")
def test_a_template_keeps_control_of_the_bridge_and_lists_what_nobody_has() -> None:
    state = campaign_at("9.620", date=CGDate.DAY_1, german=["Y18", "X18"], british=["Z20/1"])
    filled = position_to_fill_in(state)
    assert filled.control.german == ("Y18", "X18") and filled.control.british == ("Z20/1",)
    listed = neither(filled, state)
    assert {"X18/1", "X20", "Y21", "Z18", "Z20", "Y19", "Y20"} <= set(listed)
    assert not {"Y18", "X18", "Z20/1", "Z15/1"} & set(listed)


@pytest.mark.finding("G-01")
@pytest.mark.rule("9.2-ao")
def test_control_of_what_is_not_strategic_makes_no_setup_area() -> None:
    held = position(control={"british": ["Y21", "Z18"], "german": ["Y18"]})
    found = determine_areas(BOARD, held)
    assert not found.areas[B] and not found.areas[G]
    assert not found.no_mans_land
    trench = position(
        control={"british": ["Y21", "Z18"], "german": ["Y18"]},
        fortifications=[{"kind": "trench", "at": "Y21"}],
    )
    (area,) = determine_areas(BOARD, trench).areas[B]
    assert [str(each) for each in area.strategic_locations] == ["Y21"]
