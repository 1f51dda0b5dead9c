"""The Pegasus Bridge board: what the rules say is on it, and what Infantry can cross."""

from __future__ import annotations

import pytest

from asl_pbcg.campaign.board.board import BARRIERS, BOTH_HEXES, TERRAIN, load_board
from asl_pbcg.campaign.board.entry_areas import entry_areas
from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
from asl_pbcg.hexes.lattice import DIRECTIONS, OPPOSITE, UnknownHex

BOARD = load_board()


def test_the_board_has_every_hex_once_in_board_order() -> None:
    assert tuple(info.name for info in BOARD) == BOARD.grid.names
    assert len(BOARD.grid) == 1334
    assert len(BOARD.in_play) == 1303
    assert len(BOARD.buildings) == 101
    assert len(BOARD.water) == 94
    assert len(BOARD.enterable) == 1211


def test_what_is_in_a_hex() -> None:
    gondree = BOARD["X18"]
    assert (gondree.building, gondree.building_name) == ("stone", "Café Gondrée")
    assert BOARD["A1"].level == 1
    assert BOARD["Y17"].road == "paved"
    assert BOARD["Y18"].road_sides == ("N", "SE", "S", "SW")
    assert BOARD["A1"].road == ""
    assert set(BOARD.terrain("graveyard")) == {"HH13"}
    with pytest.raises(UnknownHex):
        BOARD["UU3"]


def test_every_kind_of_terrain_is_known() -> None:
    assert {kind for info in BOARD for kind in info.terrain} == set(TERRAIN)


def test_hexsides_agree_from_both_sides() -> None:
    for info in BOARD:
        for field in BOTH_HEXES:
            for side in getattr(info, field):
                assert side in DIRECTIONS
                other = BOARD.grid.neighbour(info.name, side)
                if other is not None:
                    assert OPPOSITE[side] in getattr(BOARD[other], field), (info.name, field, side)


def test_the_buildings_of_several_hexes() -> None:
    assert set(BOARD.building("D15")) == {"C14", "C15", "C16", "D13", "D15", "E14", "E15", "E16"}
    assert set(BOARD.building("X18")) == {"X18"}
    assert not BOARD.building("A1")
    assert set(BOARD.named["Château de Bénouville"]) == set(BOARD.building("C14"))
    assert {"C14", "Z13", "Z15", "C9", "I10"} <= set(BOARD.upper)
    assert "X18" not in BOARD.upper
    for name, footprint in BOARD.footprints.items():
        assert footprint.first == name
        assert len(footprint.pieces()) == 1


def test_the_bridge_is_crossed_only_along_its_road() -> None:
    assert set(BOARD.bridges) == {"Y19", "Y20"}
    for a, b in (("Y18", "Y19"), ("Y19", "Y20"), ("Y20", "Y21")):
        assert BOARD.crossable(a, b)
        assert BOARD.crossable(b, a)
    for a, b in (("X18", "Y19"), ("Z18", "Y19"), ("X20", "Y20"), ("Z20", "Y20"), ("Y20", "Z19")):
        assert not BOARD.crossable(a, b)
        assert not BOARD.crossable(b, a)
    walk = BOARD.path(BOARD.grid.set(["X18"]), BOARD.grid.set(["X20"]), BOARD.enterable)
    assert walk == ["X18", "Y18", "Y19", "Y20", "Y21", "X20"]
    blown = BOARD.enterable - BOARD.grid.set(["Y20"])
    assert BOARD.path(BOARD.grid.set(["X18"]), BOARD.grid.set(["X20"]), blown) is None
    west = BOARD.flood(BOARD.grid.set(["X18"]), blown)
    assert "X20" not in west
    assert "Y19" in west
    assert len(BOARD.pieces(blown)) == len(BOARD.pieces(BOARD.enterable)) + 1


@pytest.mark.finding("G-19")
@pytest.mark.parametrize(
    ("choice", "cliff", "bar"),
    [("stop", False, False), ("bars", True, False), ("cross", True, True)],
)
def test_cliffs_and_black_bars_stop_infantry_by_house_rule(
    choice: str, cliff: bool, bar: bool
) -> None:
    """P-01: as printed neither can be entered across in a MPh (9.2 Enterable)."""
    board = load_board(BARRIERS[choice])
    for a, b in (("O15", "O16"), ("N15", "O15")):
        assert board.crossable(a, b) is board.crossable(b, a) is cliff
    for a, b in (("KK13", "LL12"), ("HH4", "HH5")):
        assert board.crossable(a, b) is board.crossable(b, a) is bar
    assert not board.crossable("X20", "Y20")
    assert BARRIERS[PEGASUS_BRIDGE.rulings["P-01"].default] == BOARD.barriers
    assert set(BARRIERS) == set(PEGASUS_BRIDGE.rulings["P-01"].choices)


def test_corner_boxes_are_out_of_play() -> None:
    out = set(BOARD.grid.all - BOARD.in_play)
    assert {"A25", "C28", "RR26", "SS29", "TT28", "B26"} <= out
    assert out.isdisjoint({"A24", "A29", "C24", "C29", "TT21"})
    assert "Y19" in BOARD.enterable
    assert "Z19" not in BOARD.enterable
    assert "A25" not in BOARD.enterable


@pytest.mark.rule("9.2-n", "9.4-CG5-a")
def test_an_entry_area_is_nine_map_edge_hexes_round_its_arrow() -> None:
    expected = {
        "A7": "A3 A4 A5 A6 A7 A8 A9 A10 A11",
        "J0": "F0 G1 H0 I1 J0 K1 L0 M1 N0",
        "U1": "Q1 R0 S1 T0 U1 V0 W1 X0 Y1",
        "KK1": "GG1 HH0 II1 JJ0 KK1 LL0 MM1 NN0 OO1",
        "Z28": "V28 W29 X28 Y29 Z28 AA29 BB28 CC29 DD28",
        "TT14": "TT10 TT11 TT12 TT13 TT14 TT15 TT16 TT17 TT18",
    }
    areas = entry_areas(BOARD)
    assert {arrow: " ".join(area.hexes) for arrow, area in areas.items()} == expected


@pytest.mark.rule("9.2-o")
def test_the_arrow_says_whose_entry_area_it_is() -> None:
    areas = entry_areas()
    assert [a for a, area in areas.items() if area.side == "german"] == ["A7", "J0", "U1", "KK1"]
    assert [a for a, area in areas.items() if area.side == "british"] == ["Z28", "TT14"]
    assert [areas[a].cost for a in ("A7", "J0", "U1", "KK1")] == [0, 2, 4, 6]
    assert areas["Z28"].available("night-1")
    assert areas["TT14"].available("day-2")
    assert areas["TT14"].available("dusk")
    assert not areas["TT14"].available("day-3")
    assert areas["A7"].available("dawn")
