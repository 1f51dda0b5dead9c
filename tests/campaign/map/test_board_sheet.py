"""The map sheet: everything of the board on one page, marked or not, in every format."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from PIL import Image
from pypdf import PdfReader
from sentences import Tells
from typer.testing import CliRunner

from asl_pbcg.campaign.board.board import load_board
from asl_pbcg.campaign.board.board_corrections import FORMAT, Corrections
from asl_pbcg.campaign.map.board_margins import draw_names
from asl_pbcg.campaign.map.board_overlay import (
    YELLOW,
    YELLOW_LINE,
    AreaMark,
    Overlay,
    StrategicMark,
)
from asl_pbcg.campaign.map.board_sheet import MapHeading, map_sheet
from asl_pbcg.campaign.map.board_view import (
    BoardView,
    board_view,
    house_place,
    name_place,
    road_lines,
    road_places,
    tree_places,
)
from asl_pbcg.cli.evening.board_commands import app
from asl_pbcg.hexes.drawing import Drawing, text_width
from asl_pbcg.hexes.hex_view import whole, window_around
from asl_pbcg.hexes.items import GRAIN, PAPER, Circles, Clip, Group, Item, Lettering, Shape
from asl_pbcg.hexes.labels import Box, Taken
from asl_pbcg.hexes.lattice import UnknownHex
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.records.layout import Paper

BOARD = load_board()
GRID = BOARD.grid


def marked() -> Overlay:
    return Overlay(
        strategic=(
            StrategicMark(at="Z15", side="german"),
            StrategicMark(at="Z15", side="british", letters=("1",)),
            StrategicMark(at="X20", side="british", letters=("G", "E")),
        ),
        areas=(
            AreaMark(hexes=GRID.set(["X20"]).spread(1), side="british", label="C", isolated=True),
            AreaMark(hexes=GRID.set(["Z15"]).spread(2), side="german", label="A"),
        ),
        no_mans_land=GRID.set(["Y21", "Y22"]),
        eligible=frozenset({"A7", "J0", "U1", "KK1", "Z28"}),
        legend=(("P", "Pillbox"),),
    )


@pytest.fixture(scope="module")
def plain() -> Drawing:
    return map_sheet(BOARD)


@pytest.fixture(scope="module")
def sheet() -> Drawing:
    heading = MapHeading(subtitle="Setup Areas", lines=("CG I: Coup de Main", "after Night I"))
    return map_sheet(BOARD, marked(), heading=heading)


def every(items: list[Item]) -> list[Item]:
    found: list[Item] = []
    for item in items:
        found += every(item.items) if isinstance(item, Clip | Group) else [item]
    return found


def words(drawing: Drawing) -> list[str]:
    return [item.text for item in every(drawing.items) if isinstance(item, Lettering)]


def pdf_words(document: bytes) -> str:
    return PdfReader(io.BytesIO(document)).pages[0].extract_text()


def test_every_hex_in_play_is_named_once(plain: Drawing) -> None:
    names = [word for word in words(plain) if word in GRID]
    assert sorted(names) == sorted(BOARD.in_play)


def test_the_pdf_is_one_page_of_paper_with_the_hex_names_as_text(plain: Drawing) -> None:
    document = plain.to_pdf()
    reader = PdfReader(io.BytesIO(document))
    assert len(reader.pages) == 1
    size = reader.pages[0].mediabox
    assert (float(size[2]), float(size[3])) == pytest.approx(Paper.A4.size[::-1], abs=0.1)
    text = pdf_words(document)
    found = set(re.findall(r"\b[A-Z]{1,2}\d{1,2}\b", text))
    assert {"A1", "Y20", "Z15", "TT14", "KK28"} <= found
    assert "Café Gondrée" in text
    assert "PEGASUS BRIDGE" in text


def test_the_svg_is_xml_and_the_png_a_picture(plain: Drawing) -> None:
    root = ElementTree.fromstring(plain.to_svg())
    texts = {element.text for element in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"A1", "TT21", "Town Hall"} <= texts
    image = Image.open(io.BytesIO(plain.to_png(60))).convert("RGB")
    assert image.size[0] > image.size[1] > 400
    colours = image.getcolors(1 << 24)
    assert colours is not None
    assert len(colours) > 200


def test_what_is_marked_is_on_the_sheet_and_in_the_legend(sheet: Drawing, plain: Drawing) -> None:
    said = words(sheet)
    for expected in (
        "Setup Areas",
        "CG I: Coup de Main",
        "after Night I",
        "British C",
        "German A",
        "British Strategic Location",
        "German Setup Area",
        "British area, Isolated",
        "No Man's Land",
        "Entrenchment",
        "Gun, functioning",
        "Pillbox",
        "N",
    ):
        assert expected in said, expected
        assert expected in ("N",) or expected not in words(plain)
    assert "German area, Isolated" not in said
    assert "Vehicle, Immobile" not in said


def test_entry_areas_stand_at_the_edge_with_what_their_arrows_say(
    tells: Tells, sheet: Drawing, plain: Drawing
) -> None:
    tells(words(plain), "Entry Area J0", "German", "+2", "CPP")
    tells(words(plain), "Entry Area TT14", "Day II", "British", "Dusk")
    tells(words(sheet), "Entry Area TT14", "Day II", "British", "Dusk", "Eligible")
    tells(words(sheet), "Entry Area Z28", "British", "CG Dates")


def test_sides_are_told_apart_without_colour(sheet: Drawing) -> None:
    dashes: dict[str | None, set[bool]] = {}
    for item in every(sheet.items):
        if isinstance(item, Shape) and item.pen.dash and item.pen.stroke in ("#b2182b", "#1f5fa8"):
            dashes.setdefault(item.pen.stroke, set()).add(item.pen.cap == "round")
    assert dashes == {"#b2182b": {False}, "#1f5fa8": {True}}


def box_of(view: BoardView, name: str) -> Box:
    left, top, right, bottom = name_place(view, name)
    return Box(*view.at(left, top), *view.at(right, bottom))


def test_hex_names_do_not_cover_each_other_and_stay_on_the_map() -> None:
    view = board_view(BOARD, Drawing(1, 1), whole(GRID), 17.0, 0, 0)
    picture = Box(0, 0, view.width, view.height)
    boxes = {name: box_of(view, name) for name in BOARD.in_play}
    for name, box in boxes.items():
        assert box.inside(picture), name
        assert box.bottom - box.top > 2.5, name
        for other in GRID.set([name]).spread(1) & BOARD.in_play:
            assert other == name or box.over(boxes[other]) == 0, (name, other)


def test_plates_and_names_keep_off_each_other(sheet: Drawing) -> None:
    taken = Taken()
    box = Box(0, 0, 10, 10)
    taken.add(box, 2)
    assert taken.cost(Box(5, 5, 15, 15)) == 50
    assert taken.cost(Box(40, 40, 50, 50)) == 0
    assert taken.best([(Box(1, 1, 9, 9), 0), (Box(11, 0, 20, 9), 1)]) == Box(11, 0, 20, 9)
    plates = [word for word in words(sheet) if word in ("British C", "German A")]
    assert len(plates) == 2


def test_a_part_of_the_map_has_larger_hexes_and_no_other_names() -> None:
    part = map_sheet(BOARD, around="Y20", radius=4)
    names = {word for word in words(part) if word in GRID}
    assert set(GRID.set(["Y20"]).spread(3)) <= names
    assert names <= set(GRID.set(["Y20"]).spread(9))
    sizes = {i.size for i in every(part.items) if isinstance(i, Lettering) and i.text in GRID}
    assert min(sizes) > 7
    assert not any("Entry Area" in word for word in words(part))
    corner = map_sheet(BOARD, around="TT28", radius=3, paper="letter")
    assert "TT21" not in words(corner)
    left, top, right, bottom = window_around(GRID, "A1", 3)
    assert (left, top) == (0, 0)
    assert right < 4
    assert bottom < 5


def test_only_terrain_that_is_seen_is_explained() -> None:
    part = words(map_sheet(BOARD, around="S5", radius=2))
    assert "Grain" in part
    assert "Canal" not in part
    assert "Cliff" not in part


def test_an_unknown_middle_is_told() -> None:
    with pytest.raises(UnknownHex):
        map_sheet(BOARD, around="Q99")


def test_nothing_is_drawn_beside_the_page(sheet: Drawing, plain: Drawing) -> None:
    for drawing in (sheet, plain, map_sheet(BOARD, marked(), paper="letter")):
        for item in drawing.items:
            if isinstance(item, Shape):
                for part in item.parts:
                    for x, y in part:
                        assert -1 < x < drawing.width + 1
                        assert -1 < y < drawing.height + 1
            elif isinstance(item, Circles):
                for x, y, _ in item.circles:
                    assert 0 < x < drawing.width
                    assert 0 < y < drawing.height
            elif isinstance(item, Lettering):
                assert 0 < item.x < drawing.width
                assert 0 < item.y < drawing.height


def test_corrections_show_on_the_map() -> None:
    data = {"format": FORMAT, "hexes": {"S5": {"building": "stone", "building_name": "Barn"}}}
    corrected = Corrections.of(data, BOARD).lay_over(BOARD)
    before = map_sheet(BOARD, around="S5", radius=2)
    after = map_sheet(corrected, around="S5", radius=2)
    assert "Stone building" in words(after)
    assert "Stone building" not in words(before)


def test_roads_meet_at_hexsides() -> None:
    view = board_view(BOARD, Drawing(1, 1), whole(GRID), 17.0, 0, 0)
    ends = {tuple(round(v, 6) for v in line[0]) for line in road_lines(view, BOARD["Y18"], "paved")}
    ends |= {
        tuple(round(v, 6) for v in line[-1]) for line in road_lines(view, BOARD["Y18"], "paved")
    }
    x, y = GRID.centre("Y18")
    assert {(round(x, 6), y - 0.5), (round(x, 6), y + 0.5)} <= ends
    assert road_lines(view, BOARD["A1"], "paved") == []
    along = road_lines(view, BOARD["P12"], "paved")
    corners = GRID.corners("P12")
    assert [corners[3], corners[4]] in along


def test_houses_and_trees_keep_off_the_road() -> None:
    view = board_view(BOARD, Drawing(1, 1), whole(GRID), 17.0, 0, 0)
    for info in BOARD:
        if info.building and not info.building_id and info.road:
            x, y, _ = house_place(view, info.name)
            gap = min(((x - a) ** 2 + (y - b) ** 2) ** 0.5 for a, b in road_places(view, info.name))
            assert gap > 0.12, info.name
    assert len(tree_places(view, "N5")) == 4
    assert len(tree_places(view, "D18")) == 2


def test_paper_sizes(tells: Tells) -> None:
    assert [Paper.parse(f" {name} ") for name in ("a4", "LETTER", "a3", "Tabloid")] == list(Paper)
    with pytest.raises(PBCGError) as refused:
        Paper.parse("a5")
    tells(refused, "a5", "A4", "Letter", "A3", "Tabloid")


def test_draw_writes_the_map(tmp_path: Path) -> None:
    path = tmp_path / "part.svg"
    result = CliRunner().invoke(app, ["draw", "-o", str(path), "--around", "y20", "--radius", "3"])
    assert result.exit_code == 0, result.output
    assert str(path) in result.output
    assert "Y20" in path.read_text(encoding="utf-8")


def test_draw_refuses_before_it_draws(tmp_path: Path) -> None:
    for arguments, said in (
        (["-o", str(tmp_path / "x.gif")], "should end in"),
        (["-o", str(tmp_path / "x.pdf"), "--paper", "a5"], "not a paper"),
        (["-o", str(tmp_path / "x.pdf"), "--around", "Q99"], 'no hex "Q99"'),
        (["-o", str(tmp_path / "none" / "x.pdf"), "--around", "Q9"], "could not be written"),
    ):
        result = CliRunner().invoke(app, ["draw", *arguments])
        assert isinstance(result.exception, PBCGError)
        assert said in str(result.exception)
    assert list(tmp_path.iterdir()) == []


# F-25


@pytest.mark.finding("F-25")
def test_hex_names_stand_at_the_head_and_every_centre_has_a_dot() -> None:
    drawing = Drawing(1, 1)
    view = board_view(BOARD, drawing, whole(GRID), 30.0, 0, 0)
    for name in BOARD.in_play - BOARD.edge:
        _, top, _, bottom = name_place(view, name)
        assert -0.45 < top - GRID.centre(name)[1] < bottom - GRID.centre(name)[1] < -0.15, name
    draw_names(view, Taken())
    dots = [item for item in every(drawing.items) if isinstance(item, Circles)][-1]
    found = {(round(x, 3), round(y, 3)) for x, y, _ in dots.circles}
    for name in BOARD.in_play - BOARD.edge:
        x, y = view.hex_at(name)
        assert (round(x, 3), round(y, 3)) in found, name


@pytest.mark.finding("F-25")
@pytest.mark.parametrize("window", [None, "X18", "Z15", "W12", "II13"])
@pytest.mark.parametrize("shaded", [False, True])
def test_a_name_belongs_to_the_nearest_building(window: str | None, shaded: bool) -> None:
    overlay = marked() if shaded else Overlay()
    drawing = map_sheet(BOARD, overlay, around=window, radius=7, paper="a3")
    words = {item.text: item for item in every(drawing.items) if isinstance(item, Lettering)}
    named = {"Café Gondrée": "X18", "Café Picot": "Z17", "Town Hall": "W12", "School House": "V12"}
    unit = hex_height(words)
    flat = board_view(BOARD, Drawing(1, 1), whole(GRID), unit, 0, 0)
    places = {}
    for name in BOARD.buildings:
        if name in words:
            # A hex's name stands at its head; where its house stands is known from there.
            x, y = GRID.centre(name)
            alone = len(BOARD.building(name)) == 1
            hx, hy = house_place(flat, name)[:2] if alone else (x, y)
            word = words[name]
            middle = word.x + text_width(name, word.size) / 2
            down = 0.42 - 0.72 * word.size / unit
            places[name] = (middle + (hx - x) * unit, word.y + (hy - y + down) * unit)
    seen = 0
    for text, own in named.items():
        if text in words and own in places:
            seen += 1
            label = words[text]
            half = text_width(text, label.size) / 2
            box = Box(label.x - half, label.y - label.size, label.x + half, label.y)
            away = {name: box.away(house) for name, house in places.items()}
            assert min(away, key=lambda name: away[name]) == own, text
    assert seen or window == "II13"


def hex_height(words: dict[str, Lettering]) -> float:
    pairs = [(f"W{n}", f"W{n + 1}") for n in range(5, 25)]
    pairs += [(f"II{n}", f"II{n + 1}") for n in range(5, 25)]
    return next(abs(words[b].y - words[a].y) for a, b in pairs if a in words and b in words)


def grey(colour: str) -> float:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue


def test_no_mans_land_is_hatched_level_and_grain_is_not_yellow(sheet: Drawing) -> None:
    lines = [
        item
        for item in every(sheet.items)
        if isinstance(item, Shape) and not item.closed and item.pen.stroke == YELLOW_LINE
    ]
    assert lines
    for part in lines[0].parts:
        assert abs(part[0][1] - part[-1][1]) < 1e-6
    # On a copier the lines stand out from the yellow, the grain and the open ground.
    for ground in (YELLOW, GRAIN, PAPER):
        assert abs(grey(YELLOW_LINE) - grey(ground)) > 90
    red, green, _ = (int(GRAIN[i : i + 2], 16) for i in (1, 3, 5))
    assert green >= red


def test_place_names_lie_where_they_belong() -> None:
    drawing = map_sheet(BOARD, paper="a3")
    words = {item.text: item for item in every(drawing.items) if isinstance(item, Lettering)}
    bridge, name = words["Pegasus Bridge"], words["Y20"]
    assert abs(bridge.x - name.x) < 2.5 * hex_height(words)
    assert abs(bridge.y - name.y) < 1.5 * hex_height(words)
