"""Players' corrections: laid over the board from both sides, every fault said at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sentences import Tells

from asl_pbcg.campaign.board.board import BOTH_HEXES, load_board
from asl_pbcg.campaign.board.board_corrections import FORMAT, Corrections, corrected_board
from asl_pbcg.campaign.module.board_check import check_board
from asl_pbcg.hexes.lattice import DIRECTIONS
from asl_pbcg.kernel.errors import FaultsError, PBCGError

BOARD = load_board()


def of(**parts: Any) -> Corrections:
    return Corrections.of({"format": FORMAT, **parts}, BOARD)


def faults(data: Any) -> list[str]:
    with pytest.raises(FaultsError) as caught:
        Corrections.of(data, BOARD, "ours.yaml")
    return [str(fault) for fault in caught.value.faults]


def test_a_hexside_changes_for_both_hexes() -> None:
    assert "NE" not in BOARD["LL10"].hedge
    for parts in (
        {"hexsides": {"LL10/MM10": {"hedge": True}}},
        {"hexsides": {"MM10/LL10": {"hedge": True}}},
        {"hexes": {"LL10": {"hedge": [*BOARD["LL10"].hedge, "NE"]}}},
    ):
        board = of(**parts).lay_over(BOARD)
        assert "NE" in board["LL10"].hedge
        assert "SW" in board["MM10"].hedge
        changed = {info.name for info in board if info != BOARD[info.name]}
        assert changed == {"LL10", "MM10"}
        assert check_board(board) == []


def test_a_list_of_hexsides_is_the_whole_list() -> None:
    assert set(BOARD["X17"].hedge) | set(BOARD["Y17"].hedge)
    board = of(hexes={"Y17": {"hedge": []}}).lay_over(BOARD)
    assert board["Y17"].hedge == ()
    assert all(board.grid.neighbour(i.name, s) != "Y17" for i in board for s in i.hedge)
    assert check_board(board) == []


def test_fields_of_a_hex() -> None:
    board = of(
        hexes={
            "A23": {"terrain": ["irrigation_ditch"], "water_obstacle": False, "level": 1},
            "D14": {"building": "none"},
            "X17": {"building": "wood", "building_name": "Barn", "terrain": ["woods", "grain"]},
        },
        note="ours",
    ).lay_over(BOARD)
    assert "A23" in board.enterable
    assert "A23" not in BOARD.enterable
    assert board["A23"].level == 1
    assert "D14" not in board.buildings
    assert board["X17"].building_name == "Barn"
    assert board["X17"].terrain == ("woods", "grain")
    assert "X17" in board.buildings


def test_a_bridge_follows_its_road() -> None:
    board = of(hexsides={"Y20/X20": {"unpaved": True}}).lay_over(BOARD)
    assert board.crossable("X20", "Y20")
    assert not BOARD.crossable("X20", "Y20")


def test_corrections_travel_as_plain_data() -> None:
    corrections = of(hexes={"A23": {"terrain": []}}, hexsides={"LL10/MM10": {"hedge": True}})
    again = Corrections.of(json.loads(json.dumps(corrections.to_data())), BOARD)
    assert again == corrections
    assert list(again.lay_over(BOARD)) == list(corrections.lay_over(BOARD))


def test_a_file_is_read(tells: Tells, tmp_path: Path) -> None:
    path = tmp_path / "ours.yaml"
    path.write_text(f"format: {FORMAT}\nhexsides:\n  LL10/MM10: {{hedge: true, wall: false}}\n")
    assert "NE" in corrected_board(path)["LL10"].hedge
    path.write_text(f"format: {FORMAT}\nhexes:\n  Y17: {{hedge: [N, NE]}}\n")
    assert corrected_board(path)["Y17"].hedge == ("N", "NE")
    with pytest.raises(PBCGError) as refused:
        corrected_board(tmp_path / "missing.yaml")
    tells(refused, "file")


def test_an_entry_without_a_name_is_a_fault() -> None:
    said = faults({"format": FORMAT, "hexsides": {"": {"hedge": True}}})
    assert "hexsides" in str(said) and "without a name" in str(said)


def test_every_fault_is_said_at_once_with_hex_and_field() -> None:
    said = faults(
        {
            "format": "pbcg-board/9",
            "extra": 1,
            "hexes": {
                "ZZ9": {"level": 1},
                "Y17": {
                    "hedge": ["E"],
                    "hege": ["N"],
                    "level": 9,
                    "building": "brick",
                    "water_obstacle": "perhaps",
                    "terrain": ["wood"],
                    "wall": "N",
                    "road_exit": ["NE"],
                    "building_name": ["x"],
                    "fence": ["N", "N"],
                },
                "Y18": {},
            },
            "hexsides": {
                "A1/C9": {"hedge": True},
                "A1": {"hedge": True},
                "A1/Q99": {"hedge": True},
                "A1/A2": {"slope": True, "hedge": "yes"},
            },
        }
    )
    wanted = [
        ("format", "pbcg-board/9", "pbcg-board/1"),
        ("hexes", '"ZZ9" is not a hex of the map; perhaps Z9 or Z19'),
        ("hexes, Y17, hedge", '"E" must be one of', "NE"),
        ("hexes, Y17:", "hege", "nearest: hedge"),
        ("hexes, Y17, level", '"9"', "from -1 to 4"),
        ("hexes, Y17, building", "brick", "stone", "wood", "none"),
        ("hexes, Y17, water_obstacle", "perhaps", "true or false"),
        ("hexes, Y17, terrain", '"wood"', "nearest: woods"),
        ("hexes, Y17, wall", "must be a list, as [N]"),
        ("hexes, Y17, road_exit", '"NE"', "E, N, S, W"),
        ("hexes, Y17, building_name", "must be text"),
        ("hexes, Y17, fence", "N", "twice"),
        ("hexes, Y18", "should name fields, as {wall: ...}"),
        ("hexsides", '"A1/C9" do not touch; A1 touches B0, B1, A2'),
        ("hexsides", '"A1" should be two hexes that touch, as LL10/MM10'),
        ("hexsides", '"A1/Q99" names Q99, which is not a hex of the map; perhaps Q9, QQ9 or Q29'),
        ("hexsides, A1/A2", "slope", "known are", *BOTH_HEXES),
        ("hexsides, A1/A2, hedge", '"yes" must be true or false'),
        ('"extra"', "known are: format, note, hexes, hexsides"),
    ]
    assert len(said) == len(wanted)
    for facts in wanted:
        assert any(all(fact in fault for fact in facts) for fault in said), (facts, said)


@pytest.mark.parametrize("data", [None, [], "hexes", 5])
def test_what_is_no_correction_file_at_all(tells: Tells, data: Any) -> None:
    tells(faults(data)[0], "hexsides")
    assert faults({"format": FORMAT, "hexes": 5})
    assert faults({"format": FORMAT, "hexes": {5: {"wall": []}}})
    assert faults({"format": FORMAT, "hexes": {"A1": {"wall": [["N"]]}}})
    assert faults({"format": FORMAT, "note": ["x"]})


def test_two_words_about_one_hexside_are_a_contradiction() -> None:
    said = faults(
        {
            "format": FORMAT,
            "hexes": {"LL10": {"hedge": ["NE"]}},
            "hexsides": {"LL10/MM10": {"hedge": False}},
        }
    )
    assert said == [
        "hexsides, LL10/MM10, hedge: contradicts hexes, LL10, hedge about the hedge of MM10/LL10"
    ] or said == [
        "hexsides, LL10/MM10, hedge: contradicts hexes, LL10, hedge about the hedge of LL10/MM10"
    ]


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(BOARD.grid.names),
        st.dictionaries(
            st.sampled_from(BOTH_HEXES), st.lists(st.sampled_from(DIRECTIONS), unique=True)
        ).filter(bool),
        max_size=4,
    )
)
def test_hexsides_always_agree_after_corrections(hexes: dict[str, dict[str, list[str]]]) -> None:
    try:
        corrections = of(hexes=hexes)
    except FaultsError as error:
        assert all("contradicts" in str(fault) for fault in error.faults)
        return
    board = corrections.lay_over(BOARD)
    for name, fields in hexes.items():
        for field, sides in fields.items():
            assert set(getattr(board[name], field)) == set(sides)
    assert not [fault for fault in check_board(board) if "does not" in fault.wrong]
