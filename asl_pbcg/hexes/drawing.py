"""A sheet of vector drawing: the same polygons, lines, circles and words as SVG, PDF and PNG.

Points (1/72 inch) everywhere, origin at the top left, y downward. Patterns are drawn as geometry,
never as fills of a format, so that every format shows the same. Colours are "#rrggbb".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain
from math import cos, pi, sin
from pathlib import Path
from typing import Any
from zlib import crc32

from asl_pbcg.hexes.items import (
    Anchor,
    Circles,
    Clip,
    Group,
    Item,
    Lettering,
    Pen,
    Point,
    Points,
    Shape,
    one_line,
)
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import write_atomic

FORMATS = (".pdf", ".svg", ".png")


@dataclass(slots=True, eq=False)
class Drawing:
    """A sheet ``width`` by ``height`` points on which later items cover earlier ones."""

    width: float
    height: float
    title: str = ""
    dpi: float = 200
    """How many pixels to the inch it has as a PNG if nobody says otherwise."""
    items: list[Item] = field(default_factory=list)
    _stack: list[list[Item]] = field(default_factory=list)

    def _add(self, item: Item) -> None:
        (self._stack[-1] if self._stack else self.items).append(item)

    def add(self, items: Iterable[Item]) -> None:
        """Take items of another drawing over as they are."""
        for item in items:
            self._add(item)

    # Shapes

    def polygon(self, points: Points, pen: Pen) -> None:
        """Draw a closed shape."""
        self.polygons([points], pen)

    def polygons(self, rings: Iterable[Points], pen: Pen) -> None:
        """Draw closed shapes as one; a ring inside another is a hole."""
        parts = tuple(tuple(ring) for ring in rings if len(ring) > 2)
        if parts:
            self._add(Shape(parts, True, pen))

    def line(self, points: Points, pen: Pen) -> None:
        """Draw an open line through points."""
        self.lines([points], pen)

    def lines(self, lines: Iterable[Points], pen: Pen) -> None:
        """Draw open lines with one pen."""
        parts = tuple(tuple(line) for line in lines if len(line) > 1)
        if parts:
            self._add(Shape(parts, False, replace(pen, fill=None)))

    def box(self, x: float, y: float, width: float, height: float, pen: Pen) -> None:
        """Draw a rectangle with its top left corner at (x, y)."""
        right, below = x + width, y + height
        self.polygon([(x, y), (right, y), (right, below), (x, below)], pen)

    def plate(self, x: float, y: float, width: float, height: float, pen: Pen) -> None:
        """Draw a rectangle whose short ends are half circles."""
        radius = height / 2
        right = [
            (x + width - radius + radius * sin(pi * i / 10), y + radius - radius * cos(pi * i / 10))
            for i in range(11)
        ]
        left = [(2 * x + width - px, 2 * y + height - py) for px, py in right]
        self.polygon([*right, *left], pen)

    def circle(self, x: float, y: float, radius: float, pen: Pen) -> None:
        """Draw a circle."""
        self.circles([(x, y, radius)], pen)

    def circles(self, circles: Iterable[tuple[float, float, float]], pen: Pen) -> None:
        """Draw circles, each (x, y, radius), with one pen."""
        every = tuple(circles)
        if every:
            self._add(Circles(every, pen))

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        colour: str = "#000000",
        *,
        anchor: Anchor = "start",
        bold: bool = False,
        italic: bool = False,
        angle: float = 0,
        opacity: float = 1,
        spacing: float = 0,
    ) -> None:
        """Write one line of text with its baseline at y; ``angle`` in degrees clockwise."""
        words = one_line(text)
        if words:
            self._add(
                Lettering(x, y, words, size, colour, anchor, bold, italic, angle, opacity, spacing)
            )

    @contextmanager
    def clip(self, inside: Points) -> Iterator[None]:
        """Draw what follows only inside a polygon."""
        group = Clip(tuple(inside), [])
        self._add(group)
        self._stack.append(group.items)
        try:
            yield
        finally:
            self._stack.pop()

    @contextmanager
    def group(
        self,
        id: str = "",
        *,
        classes: str = "",
        title: str = "",
        data: Mapping[str, str] | None = None,
        hidden: bool = False,
        shift: Point = (0.0, 0.0),
    ) -> Iterator[None]:
        """Draw what follows as one group; what the arguments mean stands with ``Group``."""
        group = Group([], id, classes, title, tuple((data or {}).items()), hidden, shift)
        self._add(group)
        self._stack.append(group.items)
        try:
            yield
        finally:
            self._stack.pop()

    # Formats

    def to_svg(self, *, sized: bool = True) -> str:
        """Give the drawing as an SVG document; without ``sized`` it fills what it is put into."""
        width, height = _number(self.width), _number(self.height)
        size = f'width="{width}pt" height="{height}pt" ' if sized else ""
        lines = [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<svg xmlns="http://www.w3.org/2000/svg" {size}'
            f'viewBox="0 0 {width} {height}" font-family="Helvetica, Arial, sans-serif">',
            f"<title>{_text_between(one_line(self.title))}</title>",
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        ]
        # A page may hold several drawings, so that their clips need names of their own.
        own = f"{crc32(f'{self.title} {self.width} {self.height}'.encode()):08x}"
        _Svg(lines, own).items(self.items)
        lines.append("</svg>")
        return "\n".join(lines) + "\n"

    def paint(self, canvas: Any) -> None:
        """Draw on a page of a reportlab canvas that has the drawing's size."""

        from asl_pbcg.hexes import printing

        printing.paint(self, canvas)

    def to_pdf(self) -> bytes:
        """Give the drawing as a PDF of one page, with real text."""

        from asl_pbcg.hexes import printing

        return printing.pdf([self])

    def to_png(self, dpi: float | None = None) -> bytes:
        """Give the drawing as a PNG picture of ``dpi`` pixels to the inch."""

        from asl_pbcg.hexes import printing

        return printing.png(self.to_pdf(), dpi or self.dpi)

    def write(self, path: Path) -> None:
        """Write the drawing to ``path`` in the format of its ending: .pdf, .svg or .png.

        Raises PBCGError for another ending or if the file cannot be written.
        """
        kind = check_format(path)
        content: bytes | str = self.to_svg() if kind == ".svg" else b""
        if kind == ".pdf":
            content = self.to_pdf()
        elif kind == ".png":
            content = self.to_png()
        write_atomic(path, content)


def write_pages(pages: Sequence[Drawing], path: Path) -> list[Path]:
    """Write drawings to one PDF, or each to a file of its own: map-1.png, map-2.png.

    Gives the files written. Raises PBCGError for another ending.
    """
    if check_format(path) == ".pdf":
        from asl_pbcg.hexes import printing

        write_atomic(path, printing.pdf(list(pages)))
        return [path]
    if len(pages) == 1:
        pages[0].write(path)
        return [path]
    paths = [
        path.with_name(f"{path.stem}-{number}{path.suffix}") for number in range(1, len(pages) + 1)
    ]
    for page, place in zip(pages, paths, strict=True):
        page.write(place)
    return paths


def check_format(path: Path) -> str:
    """Give the ending of a file that a drawing can be written to; else raise PBCGError."""
    kind = path.suffix.lower()
    if kind not in FORMATS:
        raise PBCGError(f"{path} should end in .pdf, .svg or .png.")
    return kind


def text_width(text: str, size: float, *, bold: bool = False, spacing: float = 0) -> float:
    """Say how wide a line of text is drawn, in points."""

    from asl_pbcg.hexes import printing

    return printing.width_of(text, size, bold) + spacing * max(0, len(text) - 1)


def _number(value: float) -> str:
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


_END_OF_NUMBER = "(?=[ L]|$)"
_ZEROS = re.compile(rf"\.?0+{_END_OF_NUMBER}")
_NO_MINUS = re.compile(rf"-(?=0{_END_OF_NUMBER})")


def _line(points: Sequence[Point]) -> str:
    """The points of a line, each number as :func:`_number` writes it; a map has 100,000."""
    text = "L".join(["%.2f %.2f"] * len(points)) % tuple(chain.from_iterable(points))
    return _NO_MINUS.sub("", _ZEROS.sub("", text))


# As xml.sax.saxutils does it, whose import fetches half of the network library.


def _text_between(text: str) -> str:
    """Text between tags."""
    return text.replace("&", "&amp;").replace(">", "&gt;").replace("<", "&lt;")


def _attribute(text: str) -> str:
    """Text as an attribute, in quotes."""
    text = _text_between(text).replace("\n", "&#10;").replace("\r", "&#13;").replace("\t", "&#9;")
    if '"' not in text:
        return f'"{text}"'
    return f"'{text}'" if "'" not in text else '"' + text.replace('"', "&quot;") + '"'


class _Svg:
    """Writes items as SVG elements."""

    def __init__(self, lines: list[str], own: str) -> None:
        self.lines, self.own = lines, own
        self.clips = 0

    def items(self, items: Iterable[Item]) -> None:
        for item in items:
            if isinstance(item, Shape):
                self.shape(item)
            elif isinstance(item, Circles):
                self.circles(item)
            elif isinstance(item, Lettering):
                self.words(item)
            elif isinstance(item, Clip):
                self.clip(item)
            else:
                self.group(item)

    def group(self, item: Group) -> None:
        more = f" id={_attribute(item.id)}" if item.id else ""
        more += f" class={_attribute(item.classes)}" if item.classes else ""
        more += "".join(f" data-{key}={_attribute(value)}" for key, value in item.data)
        more += ' opacity="0"' if item.hidden else ""
        if item.shift != (0.0, 0.0):
            more += f' transform="translate({_number(item.shift[0])} {_number(item.shift[1])})"'
        title = f"<title>{_text_between(one_line(item.title))}</title>" if item.title else ""
        self.lines.append(f"<g{more}>{title}")
        self.items(item.items)
        self.lines.append("</g>")

    def shape(self, item: Shape) -> None:
        end = "Z" if item.closed else ""
        path = "".join(f"M{_line(part)}{end}" for part in item.parts)
        rule = ' fill-rule="evenodd"' if item.closed and len(item.parts) > 1 else ""
        self.lines.append(f'<path d="{path}"{rule}{_pen(item.pen)}/>')

    def circles(self, item: Circles) -> None:
        self.lines.append(f"<g{_pen(item.pen)}>")
        self.lines += [
            f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(r)}"/>'
            for x, y, r in item.circles
        ]
        self.lines.append("</g>")

    def words(self, item: Lettering) -> None:
        more = f' font-size="{_number(item.size)}" fill={_attribute(item.colour)}'
        more += f' text-anchor="{item.anchor}"' if item.anchor != "start" else ""
        more += ' font-weight="bold"' if item.bold else ""
        more += ' font-style="italic"' if item.italic else ""
        more += f' opacity="{_number(item.opacity)}"' if item.opacity < 1 else ""
        more += f' letter-spacing="{_number(item.spacing)}"' if item.spacing else ""
        x, y = _number(item.x), _number(item.y)
        if item.angle:
            more += f' transform="rotate({_number(item.angle)} {x} {y})"'
        self.lines.append(f'<text x="{x}" y="{y}"{more}>{_text_between(item.text)}</text>')

    def clip(self, item: Clip) -> None:
        self.clips += 1
        name = f"clip-{self.own}-{self.clips}"
        points = " ".join(f"{_number(x)},{_number(y)}" for x, y in item.inside)
        self.lines.append(f'<clipPath id="{name}"><polygon points="{points}"/></clipPath>')
        self.lines.append(f'<g clip-path="url(#{name})">')
        self.items(item.items)
        self.lines.append("</g>")


def _pen(pen: Pen) -> str:
    text = f' fill="{pen.fill or "none"}"'
    if pen.stroke:
        text += f' stroke="{pen.stroke}" stroke-width="{_number(pen.width)}"'
        text += f' stroke-linejoin="{pen.join}"' if pen.join != "miter" else ""
        text += f' stroke-linecap="{pen.cap}"' if pen.cap != "butt" else ""
        if pen.dash:
            text += f' stroke-dasharray="{" ".join(map(_number, pen.dash))}"'
    if pen.opacity < 1:
        text += f' opacity="{_number(pen.opacity)}"'
    return text
