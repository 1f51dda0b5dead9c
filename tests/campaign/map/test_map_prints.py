"""Maps for the wall: counters in stacks, pages that spread them, posters with cutting marks."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from pypdf import PdfReader
from refit_helpers import campaign_at, piece
from sentences import Tells
from typer.testing import CliRunner

from asl_pbcg.campaign.board.board import load_board
from asl_pbcg.campaign.map.board_overlay import Overlay
from asl_pbcg.campaign.map.board_sheet import MapHeading, map_sheet
from asl_pbcg.campaign.map.board_view import board_view, name_place
from asl_pbcg.campaign.map.counter_faces import GROUND, face_of, terrain_face, title_of
from asl_pbcg.campaign.map.counter_map import counter_map, counter_pages, hex_stacks
from asl_pbcg.campaign.module.catalogue import load_catalogue
from asl_pbcg.campaign.position import Terrain
from asl_pbcg.campaign.position_words import EquipmentStatus, TerrainKind, UnitStatus, VehicleStatus
from asl_pbcg.campaign.state.campaign_state import change
from asl_pbcg.campaign.state.piece_changes import slug
from asl_pbcg.campaign.state.piece_names import short_name
from asl_pbcg.campaign.state.record_lines import ForceLine
from asl_pbcg.campaign.state.seen import frozen
from asl_pbcg.campaign.terms import Side
from asl_pbcg.cli.main import app
from asl_pbcg.hexes.counters import draw_face
from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.hexes.hex_view import whole
from asl_pbcg.hexes.items import Circles, Clip, Group, Item, Lettering, Shape
from asl_pbcg.hexes.labels import Box
from asl_pbcg.hexes.poster import EDGE, OVERLAP, best_turn, cut_into_tiles, poster_size, read_tiles
from asl_pbcg.hexes.stacks import draw_hex_stacks, draw_stack
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.play.campaign_game.campaign_map import pieces_seen
from asl_pbcg.play.campaign_game.campaign_prints import MapPrint, map_prints, setup_map
from asl_pbcg.records.layout import Paper

BOARD, CATALOGUE = load_board(), load_catalogue()
SQUAD = ForceLine(
    id="b-648-11", side=Side.BRITISH, type="3-3-8", kind="MMC", unit_class="elite",
    status=("broken", "dm"), possesses=("b-piat-7",), location="X18",
)  # fmt: skip
PIAT = ForceLine(id="b-piat-7", side=Side.BRITISH, type="PIAT", kind="SW", location="X18")
LEADER = ForceLine(id="b-9-2-1", side=Side.BRITISH, type="10-2", kind="SMC", location="X18/1")
GERMAN = ForceLine(
    id="g-447-858", side=Side.GERMAN, type="4-4-7", kind="MMC", status=("prisoner",), location="X18"
)
AWAY = ForceLine(id="g-447-9", side=Side.GERMAN, type="4-4-7", kind="MMC", area="A7")
LINES = [SQUAD, PIAT, LEADER, GERMAN, AWAY]


def every(items: list[Item]) -> list[Item]:
    found: list[Item] = []
    for item in items:
        if isinstance(item, Clip | Group):
            found += every(item.items)
        found.append(item)
    return found


def pieces(drawing: Drawing) -> list[str]:
    groups = [item for item in every(drawing.items) if isinstance(item, Group)]
    return [dict(group.data)["piece"] for group in groups if "piece" in dict(group.data)]


def texts(drawing: Drawing) -> list[str]:
    return [item.text for item in every(drawing.items) if isinstance(item, Lettering)]


def test_a_name_stays_when_the_type_changes() -> None:
    assert short_name("b-648-11") == "A-11"
    assert short_name("b-458-11") != short_name("b-648-11")
    assert short_name("g-lmg-f-3") == "LMG(f) 3"
    assert short_name("b-338-a") == "b-338-a"
    stems = [slug(known.name) for known in CATALOGUE if known.side is Side.GERMAN]
    names = {short_name(f"g-{stem}-1") for stem in stems}
    assert len(names) == len(stems)
    assert title_of(SQUAD).startswith("British 3-3-8 A-11")


def test_a_fortification_has_no_name_and_mines_are_short() -> None:
    mines = ForceLine(
        id="british fortification 3", side=Side.BRITISH, type="A-P Mine Factor x6", location="O14"
    )
    title = "British A-P Mine Factor x6, O14"
    assert title_of(mines) == title
    assert face_of(mines, CATALOGUE).middle == "A-P mines x6"


def test_faces_print_values_side_and_state() -> None:
    squad = face_of(SQUAD, CATALOGUE)
    assert (squad.symbol, squad.middle, squad.head) == ("half_squad", "3-3-8", "E")
    assert squad.banner == "BROKEN" and squad.badges == ("DM",) and squad.double
    german = face_of(GERMAN, CATALOGUE)
    assert german.barred and not german.double and german.edge != squad.edge
    assert face_of(LEADER, CATALOGUE).symbol == "chief"
    for known in CATALOGUE:
        line = ForceLine(id="x", side=known.side, type=known.name)
        assert face_of(line, CATALOGUE).symbol != "prepared", known.name


def test_every_status_is_on_the_counter_and_of_more_than_four_the_rest_is_counted() -> None:
    untold = {"broken", "prisoner", "freedom-of-movement", "exited", "emplaced", "ce"}
    for status in {*UnitStatus, *EquipmentStatus, *VehicleStatus}:
        line = msgspec.structs.replace(SQUAD, status=(status,))
        assert bool(face_of(line, CATALOGUE).badges) is (status not in untold), status
    wreckage = ("abandoned", "immobilized", "stunned", "stun-plus-1", "ma-disabled", "captured")
    for count, shown in ((4, {"IMM", "ABD", "STN", "+1"}), (6, {"IMM", "ABD", "STN", "+3"})):
        tank = ForceLine(
            id="v", side=Side.GERMAN, type="38H 735(f)", kind="vehicle", status=wreckage[:count]
        )
        drawing = Drawing(40, 40, title="tank")
        draw_face(drawing, 5, 5, 30, face_of(tank, CATALOGUE))
        assert set(texts(drawing)) == {"38H 735(f)", *shown}
        circles = [item for item in every(drawing.items) if isinstance(item, Circles)]
        badges = [item for item in circles if item.pen.fill == "#ffffff"]
        assert len({circle[:2] for item in badges for circle in item.circles}) == 4


def test_stacks_one_a_side_units_on_top() -> None:
    found = hex_stacks(LINES, CATALOGUE, BOARD)
    assert list(found) == ["X18"]
    british, german = found["X18"]
    assert [face.id for face in british] == ["b-648-11", "b-9-2-1", "b-piat-7"]
    assert [face.id for face in german] == ["g-447-858"]


@pytest.mark.rule("9.4-CG14-b")
def test_wrecks_and_changed_terrain_are_counters_in_a_stack_of_their_own() -> None:
    wreck = Terrain(kind=TerrainKind.BURNT_OUT_WRECK, at="X18", type="38H 735(f)", side=Side.GERMAN)
    breach = Terrain(kind=TerrainKind.BREACH, at="JJ11", hexside="NE")
    changed = [breach, wreck, Terrain(kind=TerrainKind.SHELLHOLE, at="W15")]
    found = hex_stacks(LINES, CATALOGUE, BOARD, changed)
    assert list(found) == ["W15", "X18", "JJ11"]
    *_, (burnt,) = found["X18"]
    assert (burnt.middle, burnt.banner, burnt.symbol) == ("38H 735(f)", "BURNT-OUT", "afv")
    heading = MapHeading()
    drawing = counter_map(BOARD, Overlay(), [], CATALOGUE, heading=heading, terrain=changed)
    assert {"Breach", "Shellholes", "38H 735(f)"} <= set(texts(drawing))
    (page,) = counter_pages(BOARD, [], CATALOGUE, heading=heading, terrain=changed)
    assert [text for text in texts(page) if text in ("W15", "X18", "JJ11")] == list(found)
    assert "NE hexside" in texts(page)
    for kind in TerrainKind:
        assert terrain_face(Terrain(kind=kind, at="X18"), 1, CATALOGUE).middle


@pytest.mark.parametrize("sees", ["british", "german", "umpire", ""])
@pytest.mark.rule("9.4-CG14-b")
def test_everybody_sees_gliders_and_wrecks_on_the_map(sees: str) -> None:
    wreck = Terrain(kind=TerrainKind.WRECK, at="Y14", type="Kfz 1", side=Side.GERMAN)
    gliders = {"X22": "landed", "W23": "wrecked"}
    state = campaign_at("9.613", british=["Y20"], gliders=gliders, terrain=[wreck])
    places = [(line.location, face_of(line, CATALOGUE).banner) for line in pieces_seen(state, sees)]
    assert places == [("X22", ""), ("W23", "WRECKED")]
    for page in map_prints(state, sees, MapPrint()):
        assert {"WRECKED", "Glider", "Kfz 1"} <= set(texts(page))
    assert "Kfz 1" not in texts(map_prints(state, sees, MapPrint(counters=False))[0])
    setup = setup_map(campaign_at("scenario", terrain=[wreck]), Side.BRITISH, Paper.A4)
    assert "Kfz 1" in texts(setup)


def test_a_prisoner_does_not_tell_where_his_guard_went_in_secret() -> None:
    guard = piece("b1", Side.BRITISH, "6-4-8", "X18")
    ward = piece("g1", Side.GERMAN, "4-6-7", "X18", status="prisoner", guarded_by="b1")
    state = frozen(campaign_at("9.613", guard, ward, british=["X18", "Y20"]))
    new = msgspec.structs.replace(guard, at="Y20")
    after = change(state, pieces=tuple(new if each.id == "b1" else each for each in state.pieces))
    for sees, place in (("german", "X18"), ("british", "Y20"), ("umpire", "Y20")):
        (line,) = [line for line in pieces_seen(after, sees) if line.id == "g1"]
        assert line.location == place, sees


def test_a_captured_vehicle_keeps_the_colour_of_its_maker_for_whoever_sees_it() -> None:
    tank = piece("v", Side.BRITISH, "38H 735(f)", "Y14", status="captured immobilized")
    state = campaign_at("9.613", tank, british=["Y20"])
    for sees in ("british", "german"):
        (line,) = pieces_seen(state, sees)
        face = face_of(line, CATALOGUE)
        assert face.ground == GROUND[Side.GERMAN] and face.double
        assert ("IMM" in face.badges) is (sees == "british")


def test_the_map_holds_the_counters_it_was_given_and_counts_stacks() -> None:
    drawing = counter_map(
        BOARD, Overlay(), LINES, CATALOGUE, heading=MapHeading(subtitle="test"), paper="a3"
    )
    assert set(pieces(drawing)) == {"b-648-11", "b-9-2-1", "b-piat-7", "g-447-858"}
    assert "3" in texts(drawing) and "3-3-8" in texts(drawing)
    svg = drawing.to_svg()
    assert 'data-piece="b-648-11"' in svg
    assert 'class="stacks" data-hex="X18"' in svg


def test_pages_spread_every_stack_with_what_each_unit_holds_beside_it() -> None:
    (page,) = counter_pages(BOARD, LINES, CATALOGUE, heading=MapHeading(subtitle="test"))
    assert pieces(page) == ["b-648-11", "b-piat-7", "b-9-2-1", "g-447-858", "g-447-9"]
    assert {"X18", "X18/1", "Area A7", "A-11", "PIAT 7"} <= set(texts(page))


def test_many_counters_take_more_pages_and_none_is_lost() -> None:
    names = BOARD.in_play.names[:400]
    lines = [
        ForceLine(id=f"b-648-{n}", side=Side.BRITISH, type="6-4-8", kind="MMC", location=at)
        for n, at in enumerate(names)
    ]
    pages = counter_pages(BOARD, lines, CATALOGUE, heading=MapHeading())
    assert len(pages) > 1
    assert [id for page in pages for id in pieces(page)] == [line.id for line in lines]
    for page in pages:
        for item in every(page.items):
            if isinstance(item, Lettering):
                assert 0 < item.x < page.width and 0 < item.y < page.height


@pytest.mark.parametrize(
    ("typed", "tiles"), [("2x2", (2, 2)), (" 3 X 1 ", (3, 1)), ("1×8", (1, 8))]
)
def test_read_tiles(typed: str, tiles: tuple[int, int]) -> None:
    assert read_tiles(typed) == tiles


@pytest.mark.parametrize("typed", ["", "2", "0x1", "9x1", "axb", "2x2x2", "-1x2"])
def test_no_poster(tells: Tells, typed: str) -> None:
    with pytest.raises(PBCGError) as refused:
        read_tiles(typed)
    tells(refused, "across")


@pytest.mark.finding("F-25")
def test_a_poster_is_cut_without_a_gap_and_marked() -> None:
    paper, tiles = Paper.A4.size, (2, 3)
    drawing = Drawing(*poster_size(paper, tiles), title="big")
    drawing.text(5, 5, "first", 8)
    drawing.text(drawing.width - 5, drawing.height - 5, "last", 8, anchor="end")
    sheets = cut_into_tiles(drawing, paper, tiles)
    assert len(sheets) == 6
    seen = []
    for number, sheet in enumerate(sheets):
        (clip,) = [item for item in sheet.items if isinstance(item, Clip)]
        (group,) = [item for item in clip.items if isinstance(item, Group)]
        left, top = EDGE - group.shift[0], EDGE - group.shift[1]
        wide, high = paper[0] - 2 * EDGE, paper[1] - 2 * EDGE
        seen.append((left, top, left + wide, top + high))
        marks = [item for item in sheet.items if isinstance(item, Shape) and not item.closed]
        assert sum(len(item.parts) for item in marks if not item.pen.dash) == 8
        assert any(f"row {number // 2 + 1} of 3" in text for text in texts(sheet))
    assert seen[0][:2] == (0, 0)
    assert seen[-1][2:] == pytest.approx((drawing.width, drawing.height))
    assert seen[0][2] - seen[1][0] == pytest.approx(OVERLAP)
    assert seen[0][3] - seen[2][1] == pytest.approx(OVERLAP)


def test_the_paper_is_turned_so_that_the_board_fits_best() -> None:
    wide, high = best_turn(Paper.A4.size, (2, 2))
    assert wide > high
    wide, high = best_turn(Paper.A4.size, (3, 1))
    assert high > wide


def test_the_board_as_a_poster_has_larger_hexes() -> None:
    size = best_turn(Paper.A4.size, (3, 3))
    small = map_sheet(BOARD)
    large = map_sheet(BOARD, paper=poster_size(size, (3, 3)))
    heights = []
    for drawing in (small, large):
        places = {i.text: i.y for i in every(drawing.items) if isinstance(i, Lettering)}
        heights.append(places["Y25"] - places["Y24"])
    assert heights[1] > 2.5 * heights[0]


def test_the_commands(tells: Tells, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run = CliRunner().invoke
    assert run(app, ["new", "c.pbcg", "--campaign", "CG1", "--auto", "--seed", "1"]).exit_code == 0
    told = run(app, ["map", "c.pbcg", "--as", "german", "-o", "m.pdf", "--paper", "tabloid"])
    assert told.exit_code == 0, told.output
    pages = PdfReader("m.pdf").pages
    assert (float(pages[0].mediabox[2]), float(pages[0].mediabox[3])) == (1224, 792)
    text = " ".join(page.extract_text() for page in pages)
    tells(text, "German")
    assert not re.search(r"\b6-4-8\b", text)
    assert run(app, ["map", "c.pbcg", "--as", "umpire", "-o", "u.pdf"]).exit_code == 0
    assert "6-4-8" in " ".join(page.extract_text() for page in PdfReader("u.pdf").pages)
    told = run(app, ["map", "c.pbcg", "--as", "british", "--poster", "2x1", "-o", "p.png"])
    assert (
        told.exit_code == 0
        and (tmp_path / "p-1.png").is_file()
        and (tmp_path / "p-2.png").is_file()
    )
    told = run(app, ["map", "c.pbcg", "--as", "british", "--setup", "-o", "s.svg"])
    assert told.exit_code == 0 and "<svg" in (tmp_path / "s.svg").read_text(encoding="utf-8")
    told = run(app, ["map", "c.pbcg", "--as", "umpire", "--setup", "-o", "s.svg"])
    assert isinstance(told.exception, PBCGError)
    told = run(app, ["board", "draw", "--poster", "2x2", "-o", "b.pdf"])
    assert told.exit_code == 0 and len(PdfReader("b.pdf").pages) == 4


@pytest.mark.finding("G-60")
@pytest.mark.parametrize("stacks", [1, 2, 3])
@pytest.mark.parametrize("high", [1, 2, 5])
def test_counters_cover_no_hex_name(stacks: int, high: int) -> None:
    view = board_view(BOARD, Drawing(900, 600), whole(BOARD.grid), 20, 0, 0)
    face = face_of(SQUAD, CATALOGUE)
    for name in BOARD.in_play:
        left, top, right, bottom = name_place(view, name)
        written = Box(*view.at(left, top), *view.at(right, bottom))
        drawn = draw_hex_stacks(view, name, [[face] * high] * stacks, written.bottom)
        # Of the half hexes at the map's lower edge no more is there than the name takes.
        assert drawn.top >= written.bottom - 0.01 or view.hex_at(name)[1] > view.bottom - 1


@pytest.mark.finding("G-60")
def test_badges_and_the_count_stand_above_the_strength() -> None:
    status = ("dm", "cx", "fanatic", "wounded")
    face = face_of(msgspec.structs.replace(GERMAN, status=status), CATALOGUE)
    drawing = Drawing(80, 80, title="stack")
    draw_stack(drawing, 20, 20, 40, [face, face])
    letters = [item for item in every(drawing.items) if isinstance(item, Lettering)]
    (strength, *_) = [each for each in letters if each.text == "4-4-7"]
    for each in letters:
        if each.text in ("DM", "CX", "F", "W", "2"):
            assert each.y <= strength.y - 0.72 * strength.size
