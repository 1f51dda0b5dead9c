"""The board for a page: every hex can be found, and its geometry fits what is drawn."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import msgspec
import pytest

from asl_pbcg.campaign.board.board import load_board
from asl_pbcg.campaign.map.board_sheet import AROUND, HEX, board_geometry, board_svg

BOARD = load_board()
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def page() -> ElementTree.Element:
    return ElementTree.fromstring(board_svg(BOARD).encode())


def test_every_hex_in_play_can_be_found_in_board_order(page: ElementTree.Element) -> None:
    found = [each for each in page.iter(f"{SVG}g") if each.get("class") == "hex"]
    assert [each.get("data-hex") for each in found] == list(BOARD.in_play.names)
    assert [each.get("id") for each in found] == [f"hex-{name}" for name in BOARD.in_play]
    assert all(each.get("opacity") == "0" for each in found)
    titles = {each.get("data-hex"): each.findtext(f"{SVG}title") for each in found}
    assert titles["Y20"] and "bridge" in titles["Y20"]
    assert titles["X18"] == "X18: Café Gondrée, paved road" or "Gondr" in str(titles["X18"])


def test_what_is_printed_and_what_is_addressed_stand_apart(page: ElementTree.Element) -> None:
    top = [each.get("id") for each in page if each.tag == f"{SVG}g"]
    assert top == ["ground", "marks", "hexes"]
    ground = next(each for each in page if each.get("id") == "ground")
    assert not [each for each in ground.iter() if each.get("data-hex")]
    assert page.get("width") is None
    assert "<script" not in board_svg(BOARD) and "<style" not in board_svg(BOARD)


def test_geometry_fits_the_drawing(page: ElementTree.Element) -> None:
    said = board_geometry(BOARD)
    assert page.get("viewBox") == f"0 0 {said.width:g} {said.height:g}"
    assert list(said.hexes) == list(BOARD.in_play.names)
    for name, place in said.hexes.items():
        x, y = BOARD.grid.centre(name)
        assert place.centre == pytest.approx((AROUND + x * HEX, AROUND + y * HEX), abs=0.006)
        for axis in (0, 1):
            middle = sum(corner[axis] for corner in place.corners) / 6
            assert middle == pytest.approx(place.centre[axis], abs=0.01)
    # Neighbours share the ends of their hexside: side S of Y20 is side N of Y21.
    north, south = said.hexes["Y20"].corners, said.hexes["Y21"].corners
    assert {north[3], north[4]} == {south[0], south[1]}
    plain = msgspec.json.decode(msgspec.json.encode(said))
    assert plain["hexes"]["Y20"]["centre"] == list(said.hexes["Y20"].centre)
