"""``pbcg board``: show, check."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from asl_pbcg.campaign.board.board import load_board
from asl_pbcg.campaign.board.board_corrections import FORMAT, Corrections
from asl_pbcg.campaign.module.board_check import check_board, check_counts, road_ends
from asl_pbcg.cli.evening.board_commands import app
from asl_pbcg.hexes.lattice import UnknownHex
from asl_pbcg.kernel.errors import FaultsError

RUNNER = CliRunner()


def test_show_says_what_is_in_a_hex() -> None:
    result = RUNNER.invoke(app, ["show", "x18"])
    assert result.exit_code == 0
    assert "Café Gondrée" in result.output
    assert "stone building" in result.output
    answer = json.loads(RUNNER.invoke(app, ["show", "Y20", "--json"]).output)
    assert answer["hex"] == "Y20"
    assert answer["bridge"] is True
    assert answer["enterable"] is True
    assert answer["neighbours"] == {
        "N": "Y19",
        "NE": "Z19",
        "SE": "Z20",
        "S": "Y21",
        "SW": "X20",
        "NW": "X19",
    }
    assert answer["not_crossable"] == ["NE", "SE", "SW", "NW"]
    edge = json.loads(RUNNER.invoke(app, ["show", "A23", "--json"]).output)
    assert edge["confidence"] == "low"
    assert edge["doubts"]
    assert edge["map_edge"] is True
    assert json.loads(RUNNER.invoke(app, ["show", "A4", "--json"]).output)["entry_areas"] == ["A7"]


def test_show_names_the_nearest_hexes() -> None:
    result = RUNNER.invoke(app, ["show", "Z99"])
    assert isinstance(result.exception, UnknownHex)
    assert "perhaps Z9" in str(result.exception)


def test_check_finds_no_fault_in_the_shipped_board() -> None:
    assert check_board(load_board()) == []
    assert check_counts(load_board()) == []
    result = RUNNER.invoke(app, ["check"])
    assert result.exit_code == 0
    assert "No fault" in result.output
    answer = json.loads(RUNNER.invoke(app, ["check", "--json"]).output)
    assert answer["faults"] == []
    assert answer["counts"]["hexes"] == 1334
    assert any("LL10" in doubt["hexes"] for doubt in answer["doubts"])
    assert answer["road_ends"] == road_ends(load_board()).names


@pytest.mark.parametrize(
    ("part", "hexes", "words"),
    [
        ("hexes", {"II13": {"building": "none"}}, "the rules name it as a building (CG13)"),
        ("hexes", {"Y20": {"bridge": False}}, "the rules name it as a bridge"),
        ("hexes", {"Z28": {"in_play": False}}, "the rules name it in the Z28 Entry Area"),
        ("hexes", {"A7": {"in_play": False}}, "the A7 Entry Area has 8 hexes, not 9"),
        ("hexes", {"X20": {"water_obstacle": True}}, "a Water Obstacle without canal or pond"),
        ("hexes", {"X19": {"water_obstacle": False}}, "canal but no Water Obstacle"),
        ("hexes", {"A1": {"stairs": "circle"}}, "a stairway symbol, but no building"),
        ("hexes", {"A2": {"road_exit": ["W"]}, "C9": {"road_exit": ["W"]}}, "leaves the map here"),
        ("hexes", {"FF5": {"building": "none", "building_id": ""}}, "pieces that do not touch"),
        ("hexes", {"Z15": {"building_id": "Z16"}}, "first hex, Z15, not Z16"),
        ("hexes", {"C14": {"building": "wood"}}, "both stone and wood"),
        ("hexes", {"J28": {"unpaved": ["S"]}}, "off the map: use road_exit"),
        ("hexes", {"Z19": {"bridge": True}}, "a bridge that no road crosses"),
        ("hexsides", {"Y20/Y21": {"unpaved": True}}, "both paved and unpaved"),
        ("hexsides", {"JJ12/II12": {"paved": False}, "JJ11/II12": {"paved": False}}, ""),
        (
            "hexsides",
            {"Y20/Y21": {"paved": False}},
            "Y13, Y28: no road leads from the one to the other",
        ),
    ],
)
def test_check_finds_what_is_wrong(
    part: str, hexes: dict[str, object], words: str, tmp_path: Path
) -> None:
    data = {"format": FORMAT, part: hexes}
    board = Corrections.of(data, load_board()).lay_over(load_board())
    path = tmp_path / "ours.json"
    path.write_text(json.dumps(data))
    result = RUNNER.invoke(app, ["check", "--corrections", str(path)])
    if words:
        assert any(words in str(fault) for fault in check_board(board))
        assert result.exit_code == 2
        assert words in result.output
    told = json.loads(RUNNER.invoke(app, ["check", "--json", "--corrections", str(path)]).output)
    assert len(told["faults"]) == len(check_board(board))


def test_a_wrong_correction_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "ours.yaml"
    path.write_text(f"format: {FORMAT}\nhexes: {{QQ99: {{wall: []}}}}\n")
    result = RUNNER.invoke(app, ["show", "A1", "--corrections", str(path)])
    assert isinstance(result.exception, FaultsError)
    assert "QQ99" in str(result.exception)
