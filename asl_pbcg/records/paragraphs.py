"""Text for the PDF: paragraphs that wrap, in the fonts and colours of a form.

Liberation Sans travels with the program and is embedded in every PDF; it draws Latin, Greek and
Cyrillic. Chinese, Japanese and Korean are drawn by the fonts that a PDF reader brings for them.
Letters of other scripts are replaced by their number and script in brackets:
``[6 Thai letters]``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache, partial
from html import escape
from itertools import groupby
from typing import Any

from reportlab import rl_config
from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_CENTER, TA_LEFT, TA_RIGHT
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import Paragraph

from asl_pbcg.kernel.data import data_path
from asl_pbcg.kernel.paper_letters import note_missing
from asl_pbcg.records.layout import Align
from asl_pbcg.records.values import clean

SANS = "LiberationSans-Regular"
BOLD = "LiberationSans-Bold"
ITALIC = "LiberationSans-Italic"
BOLD_ITALIC = "LiberationSans-BoldItalic"
for _name in (SANS, BOLD, ITALIC, BOLD_ITALIC):
    pdfmetrics.registerFont(TTFont(_name, data_path(f"fonts/{_name}.ttf")))
rl_config.canvas_basefontname = SANS  # else every page names the reader's Helvetica
_LETTERS = frozenset(pdfmetrics.getFont(SANS).face.charToGlyph)

_CHINESE, _JAPANESE, _KOREAN = "STSong-Light", "HeiseiKakuGo-W5", "HYSMyeongJo-Medium"
_READERS = {"CJK": _CHINESE, "HIRAGANA": _JAPANESE, "KATAKANA": _JAPANESE, "HANGUL": _KOREAN}
"""By the first word of a letter's name, the font that PDF readers bring for it."""

_SIGNS_ROUND = "\"'“”„«».,:;!?()[]"
"""Signs that stand about a word and are no part of a name."""

_escape = partial(escape, quote=False)


@cache
def _reader_font(name: str) -> str:
    pdfmetrics.registerFont(UnicodeCIDFont(name))
    return name


@cache
def _script(letter: str) -> str:
    """Return the first word of a letter's name, as THAI; empty for one that has no name."""
    return unicodedata.name(letter, "").partition(" ")[0].partition("-")[0]


@cache
def _is_drawn(letter: str) -> bool:
    """Return whether a font draws ``letter``, left to right."""
    backward = unicodedata.bidirectional(letter) in ("R", "AL")
    if backward or unicodedata.category(letter) in ("Cc", "Cf"):
        return False
    return ord(letter) in _LETTERS or (letter <= "\uffff" and _script(letter) in _READERS)


def _is_own(letter: str) -> bool:
    """Return whether an embedded font draws ``letter``."""
    return letter == "\n" or (ord(letter) in _LETTERS and _is_drawn(letter))


@cache
def _plain(letter: str) -> str:
    """Return ``letter``, or letters that are drawn and mean the same; itself if there are none."""
    if letter == "\n" or _is_drawn(letter):
        return letter
    kind = unicodedata.category(letter)
    if kind in ("Cf", "Mn", "Me", "Cc"):
        return ""  # marks over letters and switches of direction
    if kind.startswith("Z"):
        return " "
    parts = unicodedata.normalize("NFKD", letter)
    return letter if parts == letter else "".join(map(_plain, parts))


def _missing(letters: str) -> str:
    """Say in brackets which letters no font has: a sign by its name, letters by script and number.

    >>> _missing("สมชาย")
    '[5 Thai letters]'
    """
    if unicodedata.category(letters[0])[0] != "L":
        return "".join(f"[{unicodedata.name(letter, 'sign').lower()}]" for letter in letters)
    script, count = _script(letters[0]).capitalize() or "unknown", len(letters)
    return f"[{count} {script} letter{'s' if count > 1 else ''}]"


def drawable(words: str) -> str:
    """Return ``words`` in letters that are drawn; letters that no font has are told in brackets."""
    words = words.replace("\t", "    ")
    if words.isascii() and words.replace("\n", "").isprintable():
        return words
    composed = unicodedata.normalize("NFC", words).replace("\xad", "")
    plain = "".join(map(_plain, composed))
    if not all(map(_is_own, plain)):
        for word in composed.split():
            if not all(map(_is_own, "".join(map(_plain, word)))):
                note_missing(word.strip(_SIGNS_ROUND))
    runs = groupby(
        plain, lambda letter: "" if letter == "\n" or _is_drawn(letter) else _kind(letter)
    )
    return "".join(_missing("".join(run)) if kind else "".join(run) for kind, run in runs)


def _kind(letter: str) -> str:
    """Return what a letter without a font is told together with: its script, or a sign."""
    return _script(letter) or "unknown" if unicodedata.category(letter)[0] == "L" else "sign"


def runs(words: str, font: str) -> Iterator[tuple[str, str]]:
    """Part ``words`` into runs of one font: text and font, ``font`` wherever it has the letter."""
    words = drawable(words)
    if words.isascii():
        yield words, font
        return
    named = {_READERS.get(_script(letter)) for letter in words if ord(letter) not in _LETTERS}
    # Chinese letters in a Japanese or Korean text are drawn by that text's font.
    han = next((script for script in (_JAPANESE, _KOREAN) if script in named), _CHINESE)

    def font_of(letter: str) -> str:
        if letter == "\n" or ord(letter) in _LETTERS:
            return font
        return _reader_font(han if _script(letter) == "CJK" else _READERS[_script(letter)])

    for name, run in groupby(words, font_of):
        yield "".join(run), name


def markup(words: str, font: str) -> str:
    """Return ``words`` as paragraph markup: escaped, line ends kept, each letter in its font."""
    return "".join(
        text if name == font else f'<font name="{name}">{text}</font>'
        for run, name in runs(words, font)
        for text in [_escape(run).replace("\n", "<br/>")]
    )


def width(words: str, font: str, size: float) -> float:
    """Return how wide ``words`` are in points, drawn as ``markup`` draws them."""
    return sum(float(pdfmetrics.stringWidth(run, name, size)) for run, name in runs(words, font))


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
LEADING = 1.18
"""The height of a line in sizes of its font."""
_ALIGNED = {Align.LEFT: TA_LEFT, Align.CENTER: TA_CENTER, Align.RIGHT: TA_RIGHT}


@cache
def _style(font: str, size: float, align: Align, colour: Any) -> Any:
    return ParagraphStyle(
        f"{font} {size} {align}",
        fontName=font,
        fontSize=size,
        leading=size * LEADING,
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
        if made.wrap(space, 1e6)[1] <= lines * size * LEADING + 0.1:
            return made
        if size > SMALLEST:
            size -= 0.5
        else:
            words = words.removesuffix(" ...")[: int(len(words) * 0.9) - 4] + " ..."
