"""What the map sheet of a position shows."""

from __future__ import annotations

import pytest
from area_help import BOARD, areas, foxholes, unit

from asl_pbcg.campaign.areas.area_map import AreaMap
from asl_pbcg.campaign.areas.setup_areas import determine_areas
from asl_pbcg.campaign.entry.position_files import read_position
from asl_pbcg.campaign.map.board_overlay import Overlay
from asl_pbcg.campaign.map.map_layers import area_overlay, position_sheet
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.data import data_path


def sample(name: str) -> AreaMap:
    return determine_areas(BOARD, read_position(data_path(f"pb/samples/{name}.yaml")))


def letters(overlay: Overlay, at: str) -> tuple[str, ...]:
    return tuple(letter for mark in overlay.strategic if mark.at == at for letter in mark.letters)


@pytest.mark.rule("9.6054-d")
def test_every_controlled_location_is_outlined_in_its_side_s_colour() -> None:
    found = sample("night-1-end")
    overlay = area_overlay(found)
    control = found.ground.position.control
    for side in Side:
        marked = [mark.at for mark in overlay.strategic if mark.side == side]
        assert marked == [each.hex for each in control.locations(side)]


@pytest.mark.rule("9.6054-d")
def test_the_letters_say_what_is_not_printed_on_the_map() -> None:
    overlay = area_overlay(sample("night-1-end"))
    assert letters(overlay, "X20") == ("E", "G")
    assert letters(overlay, "Z21") == ("E", "F")
    assert letters(overlay, "Z12") == ("V",)
    assert letters(overlay, "X22") == ("GL",)
    assert letters(overlay, "Z20") == ("BZ",)
    assert letters(overlay, "Z13") == ("1",)
    assert letters(overlay, "X18") == ()
    assert {letter for letter, _ in overlay.legend} == {"GL", "BZ", "1"}


def test_a_strategic_location_of_nobody_has_letters_and_no_colour() -> None:
    overlay = area_overlay(
        areas(fortifications=foxholes("U5"), terrain=[{"kind": "rubble-stone", "at": "V12"}])
    )
    assert {(mark.at, mark.side) for mark in overlay.strategic} == {("U5", None), ("V12", None)}
    assert letters(overlay, "U5") == ("E",)
    assert letters(overlay, "V12") == ("R",)


@pytest.mark.rule("9.6054-d", "9.6054-f")
def test_both_sides_areas_with_their_ids_and_no_mans_land_stand_on_one_sheet() -> None:
    found = sample("worked-example")
    overlay = area_overlay(found)
    told = {(mark.side, mark.label): mark for mark in overlay.areas}
    assert list(told) == [
        ("british", "A"),
        ("british", "B"),
        ("british", "C"),
        ("british", "D"),
        ("german", "A"),
        ("german", "B"),
    ]
    assert [mark.isolated for mark in overlay.areas] == [True, True, False, True, False, True]
    assert told["british", "D"].at == "Z15"
    assert not told["british", "D"].hexes
    assert overlay.no_mans_land == found.no_mans_land
    assert overlay.eligible == {"A7", "J0", "U1", "KK1", "Z28"}


def test_a_contested_hex_is_marked_for_both_sides() -> None:
    overlay = area_overlay(areas(british="Z13", german="Z13/1", units=[unit(Side.GERMAN, "Z13/1")]))
    assert [(mark.side, mark.letters) for mark in overlay.strategic] == [
        ("british", ()),
        ("german", ("1",)),
    ]


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_sheet_names_position_date_and_isolated_areas(paper: str) -> None:
    found = sample("worked-example")
    svg = position_sheet(found, paper=paper).to_svg()
    for words in (
        "Setup Areas after Dawn",
        "The example of 9.6054 and 9.6061",
        "British 4 (Isolated A B D). German 2 (Isolated B)",
        "British D",
        "German B",
        "No Man",
    ):
        assert words in svg


def test_a_part_of_the_sheet_can_be_cut_out() -> None:
    found = sample("night-1-end")
    part = position_sheet(found, around="Y20", radius=4, campaign="Our evening").to_svg()
    assert "Our evening" in part
    assert "4 hexes round Y20" in part
    assert "German A" not in part
