"""Locations, and which of them are Strategic Locations. Rule: 9.2."""

from __future__ import annotations

from typing import Any

import pytest
from positions import BOARD, GUN, TANK, position

from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.strategic import StrategicLocations
from asl_pbcg.kernel.errors import PBCGError


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
        f'"{text}" is no Location: write Z15 for ground level, Z15/1 for first level, '
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
