"""The drawn map: everything is on it, nothing overlaps, it reads in grey, counters lie right."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any

import pytest
from sentences import Tells, says
from st_map_help import shipped

from asl_pbcg.hexes.drawing import Drawing, text_width
from asl_pbcg.hexes.items import Clip, Group, Item, Lettering, Shape
from asl_pbcg.hexes.labels import Box
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.records.layout import Paper
from asl_pbcg.st.board.map_check import check_data
from asl_pbcg.st.board.map_load import load_map
from asl_pbcg.st.board.map_read import read_map
from asl_pbcg.st.picture.map_counters import MAX_SHOWN, Counter
from asl_pbcg.st.picture.map_draw import draw_map, sheet_frame
from asl_pbcg.st.picture.map_frame import RED, SheetRoom, smooth
from asl_pbcg.st.picture.map_ground import pack_ground, stored_ground
from asl_pbcg.st.picture.map_panels import Panel, place_panel
from asl_pbcg.st.picture.map_terrain import reckoned_ground, road_chains

MAP = load_map()
MEN = [Counter(symbol="infantry", side="british", id=str(i), sp=i) for i in range(1, 13)]


def words(items: list[Item]) -> Iterator[Lettering]:
    for item in items:
        if isinstance(item, Clip | Group):
            yield from words(item.items)
        elif isinstance(item, Lettering):
            yield item


def box(found: Lettering) -> tuple[float, float, float, float]:
    """Left, top, right, bottom of a level line of text; letters hardly reach below the line."""
    wide = text_width(found.text, found.size, bold=found.bold, spacing=found.spacing)
    left = found.x - {"start": 0.0, "middle": wide / 2, "end": wide}[found.anchor]
    return left, found.y - found.size * 0.72, left + wide, found.y


def overlaps(drawing: Drawing) -> list[tuple[str, str]]:
    level = [found for found in words(drawing.items) if not found.angle]
    bad = []
    for one, two in combinations(level, 2):
        a, b = box(one), box(two)
        if min(a[2], b[2]) - max(a[0], b[0]) > 0.4 and min(a[3], b[3]) - max(a[1], b[1]) > 0.4:
            bad.append((one.text, two.text))
    return bad


@pytest.mark.parametrize("paper", list(Paper))
def test_everything_is_on_the_sheet_and_no_words_overlap(paper: Paper) -> None:
    drawing = draw_map(MAP, paper=paper)
    assert (drawing.width, drawing.height) == paper.size
    said = [found.text for found in words(drawing.items)]
    assert set(MAP.areas) <= set(said)
    for needed in (
        "PEGASUS BRIDGE",
        "Laid out again from the rules; not the printed map",
        "RANVILLE BRIDGE",
        "LE PORT",
        "BENOUVILLE",
        "RANVILLE",
        "CAEN CANAL",
        "RIVER ORNE",
        "pillbox",
        "AT gun",
        "MG north",
        "LZ X",
        "LZ Y",
        "N",
        "400 m",
        "GLIDER 6",
        "DEMO BRIDGE",
        "1st 1-3, 2nd 1-4, 3rd 1-5, 4th 1-6",
        *(str(turn) for turn in range(1, 17)),
    ):
        assert needed in said, needed
    assert said.count("1-3") >= 6, "landing numbers beside the hexagons"
    assert overlaps(drawing) == []
    for found in words(drawing.items):
        left, top, right, bottom = box(found)
        if not found.angle:
            assert left > 8, found.text
            assert right < drawing.width - 8, found.text
            assert top > 8
            assert bottom < drawing.height - 8


def test_letters_are_large_enough_to_read_in_print() -> None:
    assert min(found.size for found in words(draw_map(MAP).items)) >= 5.0


def test_svg_pdf_and_png() -> None:
    from PIL import Image
    from pypdf import PdfReader

    drawing = draw_map(MAP)
    svg = drawing.to_svg()
    assert svg.startswith("<?xml")
    assert ">PX<" in svg
    page = PdfReader(io.BytesIO(drawing.to_pdf())).pages[0]
    assert (float(page.mediabox.width), float(page.mediabox.height)) == pytest.approx(Paper.A4.size)
    text = page.extract_text()
    assert "PEGASUS BRIDGE" in text
    assert "RAN" in text
    picture = Image.open(io.BytesIO(drawing.to_png(60)))
    assert picture.width == pytest.approx(Paper.A4.size[0] * 60 / 72, abs=1)
    # In grey there is still black ink on light ground, and shades between.
    histogram = picture.convert("L").histogram()
    total = sum(histogram)
    assert sum(histogram[:70]) > total * 0.01
    assert sum(histogram[200:]) > total * 0.4


def test_the_same_map_is_the_same_drawing() -> None:
    assert draw_map(MAP).to_svg() == draw_map(MAP).to_svg()


def test_a_printed_map_does_not_call_itself_a_reconstruction() -> None:
    data = shipped()
    data.update(origin="printed", title="My copy", zones=[])
    data.pop("compass")
    said = [found.text for found in words(draw_map(read_map(data, "x")).items)]
    assert "My copy" in said
    assert not says(said, "printed map")
    assert "landing zone" not in said


def test_turn_marker_and_note(tells: Tells) -> None:
    plain, marked = (
        draw_map(MAP, turn=None),
        draw_map(MAP, turn=9, note="Turn 9, German Fire Phase"),
    )
    nine = {
        name: next(
            found.colour
            for found in words(drawing.items)
            if found.text == "9" and found.y > drawing.height - 50
        )
        for name, drawing in (("plain", plain), ("marked", marked))
    }
    assert nine == {"plain": "#1c1a17", "marked": "#ffffff"}
    tells([found.text for found in words(marked.items)], "Turn 9", "German", "Fire", "Phase")


# Counters


@pytest.mark.finding("F-43")
def test_counters_show_symbol_id_and_strength() -> None:
    drawing = draw_map(MAP, counters={"EF": [MEN[6]]}, turn=2)
    said = list(words(drawing.items))
    on_counter = [found.text for found in said if found.size < 4.6 and found.text in ("7", "EF")]
    assert on_counter.count("7") == 2, "id and strength"
    tags = [found for found in said if found.text == "EF" and found.colour == "#ffffff"]
    assert len(tags) == 1, "the area's id stands on a tag, since the counter lies on its sign"


def test_a_hidden_counter_shows_only_a_question_mark() -> None:
    hidden = Counter(symbol="hidden", side="german")
    bare = [found.text for found in words(draw_map(MAP, turn=1).items)]
    shown = [found.text for found in words(draw_map(MAP, counters={"B3": [hidden]}, turn=1).items)]
    for text in bare:
        if text in shown:
            shown.remove(text)
    assert shown[:1] == ["?"]


@pytest.mark.parametrize(
    ("count", "small"), [(4, 0), (5, 5), (MAX_SHOWN, MAX_SHOWN), (12, MAX_SHOWN - 1)]
)
def test_large_stacks_are_shown_in_full_beside_the_map(count: int, small: int) -> None:
    drawing = draw_map(MAP, counters={"N8": MEN[:count]}, turn=5)
    said = [found.text for found in words(drawing.items)]
    assert ("STACKS" in said) == (count > 4)
    more = [text for text in said if text.startswith("+")]
    assert more == ([f"+{count - small}"] if count > MAX_SHOWN else [])
    strengths = [found for found in words(drawing.items) if found.text == str(count) and found.bold]
    assert any(found.anchor == "end" for found in strengths), "the last of them is there too"


def test_boxes_hold_counters() -> None:
    lying = {"Glider 4": MEN[:9], "Demo Bridge": [Counter(symbol="hidden")]}
    said = [found.text for found in words(draw_map(MAP, counters=lying, turn=1).items)]
    assert "GLIDER 4" in said
    later = {"Demo Bridge": [Counter(symbol="hidden")]}
    late = [found.text for found in words(draw_map(MAP, counters=lying, turn=8).items)]
    assert sorted(late) == sorted(said)  # who has not landed yet keeps his box
    said = [found.text for found in words(draw_map(MAP, counters=later, turn=8).items)]
    assert "GLIDER 4" not in said
    assert "Demo Bridge" in said


def test_counters_must_lie_somewhere(tells: Tells) -> None:
    with pytest.raises(PBCGError) as refused:
        draw_map(MAP, counters={"Glider 7": MEN[:1]})
    tells(refused, "Glider 7")


SYMBOLS: Any = Counter.__annotations__["symbol"]


@pytest.mark.parametrize("state", ["", "wrecked", "cleared", "building", "damaged"])
def test_every_symbol_can_be_drawn(state: Any) -> None:
    from typing import get_args

    from asl_pbcg.st.picture.map_counters import Symbol, draw_counter

    for symbol in get_args(Symbol):
        for side in ("british", "german", "marker"):
            drawing = Drawing(20, 20)
            draw_counter(
                drawing,
                2,
                2,
                16,
                Counter(
                    symbol=symbol, side=side, state=state, id="X", sp=3, badges="SW", inside=True
                ),
            )
            (only,) = drawing.items
            assert isinstance(only, Group) and len(only.items) > 6
            assert only.data == (("piece", "X"),)
            assert {"X", "3", "S", "W"} <= {found.text for found in words(drawing.items)}


def test_a_full_game_of_counters_still_leaves_every_label_readable() -> None:
    lying = {name: MEN[: 1 + number % 4] for number, name in enumerate(sorted(MAP.land)[::5])}
    drawing = draw_map(MAP, counters=lying, turn=4)
    labels = {"PEGASUS BRIDGE", "RANVILLE BRIDGE", "LE PORT", "AT gun", "MG west", "pillbox"}
    found = [each for each in words(drawing.items) if each.text in labels and not each.angle]
    assert {each.text for each in found} == labels
    tags = [each for each in words(drawing.items) if each.colour == "#ffffff" and each.bold]
    for label in found:
        a = box(label)
        for tag in tags:
            b = box(tag)
            assert not (min(a[2], b[2]) > max(a[0], b[0]) and min(a[3], b[3]) > max(a[1], b[1]))


# Other maps


def test_an_unfinished_map_can_be_drawn() -> None:
    data = {
        "format": "pbcg-st-map/1",
        "title": "Half",
        "origin": "printed",
        "areas": [
            {"id": "A", "name": "Here", "shape": "oval", "at": [0, 0], "look": "houses"},
            {"id": "B", "name": "There", "shape": "square", "at": [120, 30], "look": "church"},
            {"id": "C", "name": "Up", "shape": "circle", "at": [60, 120], "look": "pond"},
        ],
        "lines": [{"a": "A", "b": "B", "kind": "single"}],
    }
    area_map, faults = check_data(data)
    assert faults
    said = {found.text for found in words(draw_map(area_map).items)}
    assert {"A", "B", "C", "Half"} <= said
    # Two of them in one place: the line between them is a point.
    data["areas"][1]["at"] = [0, 0]  # type: ignore[index]
    said = {found.text for found in words(draw_map(check_data(data)[0]).items)}
    assert {"A", "B", "C"} <= said


def test_panels_go_beside_a_map_that_fills_the_sheet() -> None:
    data = shipped()
    number = 0
    for x in range(-440, 1180, 260):
        for y in range(-1080, 1050, 260):
            number += 1
            data["areas"].append(
                {"id": f"Z{number}", "name": "Fill", "shape": "circle", "at": [x, y]}
            )
    area_map, _ = check_data(data)
    drawing = draw_map(area_map)
    said = {found.text for found in words(drawing.items)}
    assert {"AREAS", "GLIDER 1", "PEGASUS BRIDGE"} <= said
    signs = [found for found in words(drawing.items) if found.text in area_map.areas]
    legend = next(found for found in words(drawing.items) if found.text == "AREAS")
    assert all(box(sign)[2] < legend.x for sign in signs if sign.colour == "#1c1a17")


def flat(items: list[Item]) -> Iterator[Item]:
    for item in items:
        yield from flat(item.items) if isinstance(item, Clip | Group) else (item,)


def test_the_legend_shows_each_line_as_it_is_drawn() -> None:
    found = [each for each in flat(draw_map(MAP).items) if isinstance(each, Shape | Lettering)]
    captions = {each.text.partition(":")[0]: n for n, each in enumerate(found)
                if isinstance(each, Lettering)}  # fmt: skip

    def drawn(caption: str) -> list[int]:
        """For each line that stands before a caption, of how many parts its dash is."""
        dashes = []
        for each in reversed(found[: captions[caption]]):
            if isinstance(each, Lettering):
                break
            if each.pen.stroke != RED:  # the rule under a headline
                dashes.append(len(each.pen.dash))
        return dashes

    assert drawn("single") == [0]
    assert drawn("double (hedge, ditch)") == [0, 0]
    assert drawn("dashed") == [2]
    assert drawn("hexagon link (choice a or b)") == [4]
    assert drawn("road") == [0, 0, 0]
    assert drawn("landing zone") == [4]


def test_the_legend_s_box_holds_all_of_it_and_hardly_more() -> None:
    items = list(flat(draw_map(MAP).items))
    at = {each.text: each for each in items if isinstance(each, Lettering)}
    head = at["AREAS"]
    last = next(each for text, each in at.items() if text.startswith("Squares, pillbox"))
    around = [
        max(y for _, y in part)
        for each in items
        if isinstance(each, Shape) and each.closed
        for part in each.parts
        if min(x for x, _ in part) < head.x < max(x for x, _ in part)
        and min(y for _, y in part) < head.y < last.y < max(y for _, y in part)
    ]
    assert min(around) < last.y + 2 * last.size


def test_roads_are_long_runs_and_every_road_line_is_drawn_once() -> None:
    chains = road_chains(MAP)
    places = {(area.x, area.y): area.id for area in MAP.areas.values()}
    steps = [frozenset((places[a], places[b])) for chain in chains for a, b in pairwise(chain)]
    assert len(steps) == len(set(steps))
    assert set(steps) == {line.ends for line in MAP.lines if line.road}
    assert len(chains) == 2, "one road from Le Port, one from Benouville, and one goes over"


def test_a_smooth_line_passes_its_places() -> None:
    places = [(0.0, 0.0), (50.0, 10.0), (90.0, 60.0), (90.0, 120.0)]
    line = smooth(places)
    assert line[0] == places[0]
    assert all(min(abs(x - a) + abs(y - b) for x, y in line) < 1e-6 for a, b in places)
    assert smooth(places[:2]) == places[:2]


def test_papers(tells: Tells) -> None:
    assert Paper.parse(" A4 ") is Paper.A4
    with pytest.raises(PBCGError) as refused:
        Paper.parse("a9")
    tells(refused, "a9", "A4", "Letter", "A3", "Tabloid")


def test_every_area_and_counter_can_be_found_in_the_svg() -> None:
    drawing = draw_map(MAP, counters={sorted(MAP.land)[0]: MEN[:2]}, turn=4)
    found = re.findall(r'data-area="([^"]+)"', drawing.to_svg())
    assert sorted(found) == sorted(MAP.areas)


@pytest.mark.finding("F-43")
def test_the_stored_ground_is_that_of_the_shipped_map() -> None:
    nowhere = Drawing(0, 0)
    frame = replace(sheet_frame(MAP, Drawing(*Paper.A4.size)), drawing=nowhere)
    stored = stored_ground(MAP, frame)
    assert stored is not None
    reckoned = reckoned_ground(MAP, frame)
    # If this fails: data_path("st/ground.txt").write_bytes(pack_ground(MAP, frame, reckoned))
    assert pack_ground(MAP, frame, reckoned) == pack_ground(MAP, frame, stored)
    other = replace(frame, scale=frame.scale * 1.01)
    assert stored_ground(MAP, other) is None


@pytest.mark.parametrize(("wide", "high"), [(300.0, 40.0), (40.0, 300.0)])
def test_a_panel_larger_than_the_map_either_way_is_not_drawn(wide: float, high: float) -> None:
    drawn: list[tuple[float, float]] = []
    frame = sheet_frame(MAP, Drawing(200, 280, "small"))
    assert frame.width < 300 > frame.height
    panel = Panel(wide, high, (0, 0), lambda x, y: drawn.append((x, y)))
    assert not place_panel(frame, SheetRoom(), panel)
    assert not drawn
    assert place_panel(
        frame, SheetRoom(), Panel(40.0, 40.0, (0, 0), lambda x, y: drawn.append((x, y)))
    )
    whole = replace(frame, left=0.0, top=0.0)
    high, wide = whole.height - 12, whole.width - 12
    exact = Panel(wide, high, (0, 0), lambda x, y: drawn.append((x, y)))
    assert place_panel(whole, SheetRoom(), exact)
    assert drawn[1:] == [(6.0, 6.0)]


@pytest.mark.parametrize("at", [(10, 0), (-10, 0), (0, 10), (0, -10)])
def test_what_only_touches_leaves_room(at: tuple[float, float]) -> None:
    room = SheetRoom()
    room.take(0, 0, 10, 10)
    x, y = at
    assert not room.cost(Box(x, y, x + 10, y + 10))
    assert room.cost(Box(x * 0.9, y * 0.9, x * 0.9 + 10, y * 0.9 + 10))
