"""The drawing kit: one drawing, the same things in SVG, PDF and PNG."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from pypdf import PdfReader
from sentences import Tells, raised

from asl_pbcg.hexes.counters import ChipFace, Look, draw_chip
from asl_pbcg.hexes.drawing import Drawing, text_width
from asl_pbcg.hexes.items import Pen
from asl_pbcg.kernel.errors import PBCGError

SVG = "{http://www.w3.org/2000/svg}"


def sample() -> Drawing:
    drawing = Drawing(200, 100, title="A <sample> & more")
    red = Pen(fill="#ff0000", stroke="#000000", width=2, dash=(3, 1), opacity=0.5, cap="round")
    drawing.box(10, 10, 40, 30, red)
    drawing.polygons(
        [[(60, 10), (100, 10), (100, 50), (60, 50)], [(70, 20), (90, 20), (90, 40)]], red
    )
    drawing.line([(0, 90), (200, 90)], Pen(stroke="#0000ff", width=4))
    drawing.circles([(150, 30, 10), (180, 30, 5)], Pen(fill="#00ff00"))
    drawing.plate(120, 60, 60, 20, Pen(fill="#1f5fa8"))
    drawing.text(100, 80, "Café <Gondrée> & Co", 12, "#112233", anchor="middle", bold=True)
    drawing.text(20, 80, "turned", 8, angle=-90, italic=True, opacity=0.5, spacing=1)
    with drawing.clip([(0, 0), (50, 0), (50, 50), (0, 50)]):
        drawing.box(0, 40, 200, 20, Pen(fill="#00ffff"))
    return drawing


def pdf_text(document: bytes) -> str:
    return PdfReader(io.BytesIO(document)).pages[0].extract_text()


def picture(document: bytes) -> Image.Image:
    return Image.open(io.BytesIO(document)).convert("RGB")


def test_svg_is_xml_with_every_part() -> None:
    root = ElementTree.fromstring(sample().to_svg())
    assert root.tag == f"{SVG}svg"
    assert root.get("viewBox") == "0 0 200 100"
    assert root.findtext(f"{SVG}title") == "A <sample> & more"
    words = [element.text for element in root.iter(f"{SVG}text")]
    assert words == ["Café <Gondrée> & Co", "turned"]
    assert len(list(root.iter(f"{SVG}circle"))) == 2
    assert len(list(root.iter(f"{SVG}clipPath"))) == 1
    holed = next(e for e in root.iter(f"{SVG}path") if e.get("fill-rule") == "evenodd")
    assert (holed.get("d") or "").count("M") == 2


def test_pdf_has_one_page_of_the_right_size_with_real_text() -> None:
    document = sample().to_pdf()
    reader = PdfReader(io.BytesIO(document))
    assert len(reader.pages) == 1
    assert [float(v) for v in reader.pages[0].mediabox] == [0, 0, 200, 100]
    assert reader.metadata is not None
    assert reader.metadata.title == "A <sample> & more"
    assert "Café <Gondrée> & Co" in pdf_text(document)
    assert "turned" in pdf_text(document)
    assert sample().to_pdf() == document


@pytest.mark.finding("G-60")
def test_letterspaced_words_are_copied_whole() -> None:
    drawing = Drawing(200, 100, title="map")
    drawing.text(20, 50, "Canal de Caen", 8, "#112233", spacing=5)
    drawing.text(20, 80, "Z15", 8, "#112233")
    content = PdfReader(io.BytesIO(drawing.to_pdf())).pages[0].get_contents()
    assert content is not None
    data = content.get_data().decode("latin-1")
    whole = "\ufeffCanal de Caen".encode("utf-16-be").hex()
    assert f"/Span <</ActualText <{whole}>>> BDC" in data
    assert data.count("BDC") == data.count("EMC") == 1


def test_png_shows_what_was_drawn_where_it_was_drawn() -> None:
    image = picture(sample().to_png(72))
    assert image.size == (200, 100)

    def colour(x: int, y: int) -> tuple[int, ...]:
        pixel = image.getpixel((x, y))
        assert isinstance(pixel, tuple)
        return pixel

    assert colour(150, 30) == (0, 255, 0)
    assert colour(195, 90) == (0, 0, 255)
    assert colour(85, 25) == (255, 255, 255)  # the hole
    assert colour(65, 30)[0] > 250 > 150 > colour(65, 30)[1] > 100  # half-transparent red
    assert colour(20, 45) == (0, 255, 255)
    assert colour(60, 55) == (255, 255, 255)  # outside the clip
    assert sample().to_png(144) != sample().to_png(72)
    assert picture(sample().to_png(144)).size == (400, 200)


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=30))
def test_any_words_can_be_drawn(words: str) -> None:
    drawing = Drawing(100, 50, title=words)
    drawing.text(5, 20, words, 10)
    drawing.text(95, 40, words, 10, anchor="end", bold=True, italic=True)
    assert drawing.to_pdf().startswith(b"%PDF")
    assert text_width(words, 10) >= 0
    cleaned = ElementTree.fromstring(drawing.to_svg())
    assert cleaned.tag == f"{SVG}svg"


def test_letters_beyond_latin_are_drawn_or_spelled_out() -> None:
    drawing = Drawing(200, 50)
    drawing.text(5, 20, "Łódź Ωμ Привет", 10)
    text = pdf_text(drawing.to_pdf())
    assert "d" in text
    assert "?" not in text


def test_wider_words_are_wider() -> None:
    assert text_width("WWW", 10) > text_width("iii", 10)
    assert text_width("WWW", 20) == pytest.approx(2 * text_width("WWW", 10))
    assert text_width("abc", 10, spacing=2) == pytest.approx(text_width("abc", 10) + 4)


def test_empty_things_draw_nothing() -> None:
    drawing = Drawing(10, 10)
    drawing.polygons([], Pen(fill="#000000"))
    drawing.polygon([(1, 1), (2, 2)], Pen(fill="#000000"))
    drawing.lines([], Pen(stroke="#000000"))
    drawing.circles([], Pen(fill="#000000"))
    drawing.text(1, 1, " \n\t ", 5)
    assert drawing.items == []


@pytest.mark.parametrize("ending", ["pdf", "svg", "png", "PDF"])
def test_a_drawing_is_written_as_its_ending_says(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"map.{ending}"
    sample().write(path)
    start = {"pdf": b"%PDF", "svg": b"<?xml", "png": b"\x89PNG"}[ending.lower()]
    assert path.read_bytes().startswith(start)


def test_another_ending_is_refused(tells: Tells, tmp_path: Path) -> None:
    tells(raised(PBCGError, lambda: sample().write(tmp_path / "map.gif")))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("shape", ["plate", "pointed", "framed"])
def test_a_chip_tells_its_look_by_more_than_colour(shape: Any) -> None:
    drawn = {}
    looks: tuple[Look, ...] = ("solid", "outlined", "crossed out")
    for look in looks:
        drawing = Drawing(60, 40)
        draw_chip(drawing, ChipFace("1.1", "#a00000", look, shape), (30, 20), 30, 10)
        drawn[look] = drawing.to_svg()
    assert "stroke-dasharray" in drawn["outlined"]
    assert "stroke-dasharray" not in drawn["solid"] + drawn["crossed out"]
    assert len({text.count("<p") + text.count("<line") for text in drawn.values()}) == 2
    assert all(">1.1<" in text for text in drawn.values())
