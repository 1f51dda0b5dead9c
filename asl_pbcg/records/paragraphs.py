"""Text for the PDF: paragraphs that wrap, in the fonts and colours of a form."""

from __future__ import annotations

from functools import cache
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_CENTER, TA_LEFT, TA_RIGHT
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Paragraph

from asl_pbcg.records.glyphs import SANS, markup
from asl_pbcg.records.layout import Align
from asl_pbcg.records.values import clean

INK = HexColor("#1d2a36")
RULE = HexColor("#87929b")
GROUP = HexColor("#ccd4da")
HEAD = HexColor("#e4e8eb")
SECTION = HexColor("#d9dfd3")
ZEBRA = HexColor("#f4f6f7")
GREY = HexColor("#56626c")
WHITE = HexColor("#ffffff")

SMALLEST = 5.0
"""Points; no text is made smaller than this."""
_LEADING = 1.18
_ALIGNED = {Align.LEFT: TA_LEFT, Align.CENTER: TA_CENTER, Align.RIGHT: TA_RIGHT}


@cache
def _style(font: str, size: float, align: Align, colour: Any) -> Any:
    return ParagraphStyle(
        f"{font} {size} {align}",
        fontName=font,
        fontSize=size,
        leading=size * _LEADING,
        alignment=_ALIGNED[align],
        textColor=colour,
        splitLongWords=1,
    )


def paragraph(
    words: str, font: str = SANS, size: float = 8.5, align: Align = Align.LEFT, colour: Any = INK
) -> Any:
    """``words`` as a paragraph that wraps."""
    return Paragraph(markup(clean(words), font), _style(font, size, align, colour))


def fit_words(
    words: str, font: str, size: float, space: float, lines: int, align: Align = Align.LEFT
) -> Any:
    """``words`` in at most ``lines`` lines of ``space`` points, smaller where need be.

    For feet and running heads, whose words also stand in full on the first page: what does not
    fit in the smallest size ends in three dots.
    """
    words = " ".join(clean(words).split())[:1000]
    while True:
        made = paragraph(words, font, size, align)
        if made.wrap(space, 1e6)[1] <= lines * size * _LEADING + 0.1:
            return made
        if size > SMALLEST:
            size -= 0.5
        else:
            words = words.removesuffix(" ...")[: int(len(words) * 0.9) - 4] + " ..."
