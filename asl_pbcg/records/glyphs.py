"""Letters on paper: which font draws which, and what stands for a letter no font has.

Helvetica, Symbol and ZapfDingbats are in every PDF reader; Vera travels with reportlab and is
embedded. Together they draw what players of Western Europe write; other letters are spelled out.
"""

from __future__ import annotations

import unicodedata
from functools import cache, partial
from html import escape

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

SANS = "Helvetica"
BOLD = "Helvetica-Bold"
ITALIC = "Helvetica-Oblique"
_escape = partial(escape, quote=False)
_SPARE = {SANS: "Vera", BOLD: "VeraBd", ITALIC: "VeraIt"}
_SPARE_SIZE = 0.92  # Vera is drawn larger than Helvetica at the same size

_CYRILLIC = {
    "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "ж": "zh", "з": "z", "и": "i",
    "й": "j", "к": "k", "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r", "с": "s",
    "т": "t", "у": "u", "ф": "f", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch",
    "ъ": "'", "ы": "y", "ь": "'", "э": "e", "ю": "yu", "я": "ya", "і": "i", "є": "ye", "ґ": "g",
}  # fmt: skip
_SPELLED = {
    "ø": "o", "ł": "l", "ħ": "h", "ŧ": "t", "ŋ": "ng", "ı": "i", "ĸ": "k", "ə": "e",
    "\ufffd": "?", "⁄": "/", "⅓": "1/3", "⅔": "2/3", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8",
}  # fmt: skip


@cache
def _spare(font: str) -> tuple[str, frozenset[int]]:
    """The embedded font beside ``font``, and the letters it has."""
    name = _SPARE[font]
    face = TTFont(name, f"{name}.ttf")
    pdfmetrics.registerFont(face)
    return name, frozenset(code for code in face.face.charToGlyph if code != 0xFFFF)


@cache
def _by_reader(letter: str) -> bool:
    """Whether the fonts of every PDF reader draw ``letter``."""
    for encoding in ("cp1252", "symbolpdfdoc", "zapfdingbatspdfdoc"):
        try:
            letter.encode(encoding)
        except (UnicodeEncodeError, LookupError):
            continue
        return True
    return False


@cache
def _spell(letter: str, font: str) -> str:
    """Letters that can be drawn and mean ``letter``; "?" when nobody could say."""
    kind = unicodedata.category(letter)
    if kind in ("Cf", "Mn", "Me", "Cc"):
        return ""  # marks over letters and switches of direction
    if kind.startswith("Z"):
        return " "
    low = letter.lower()
    for table in (_SPELLED, _CYRILLIC):
        if low in table:
            word = table[low]
            return word if low == letter else word.capitalize()
    apart = unicodedata.normalize("NFKD", letter)
    if apart != letter:
        return "".join(one if _can_draw(one, font) else _spell(one, font) for one in apart)
    if kind in ("So", "Sm", "Sk"):
        name = unicodedata.name(letter, "").lower()
        return f"[{name}]" if name else "?"
    return "?"


def _can_draw(letter: str, font: str) -> bool:
    return letter >= " " and (_by_reader(letter) or ord(letter) in _spare(font)[1])


def drawable(words: str, font: str = SANS) -> str:
    """``words`` in letters that are drawn; what no font has is spelled out."""
    words = words.replace("\t", "    ")
    if words.isascii() and words.replace("\n", "").isprintable():
        return words
    composed = unicodedata.normalize("NFC", words).replace("\xad", "")
    return "".join(
        letter if letter == "\n" or _can_draw(letter, font) else _spell(letter, font)
        for letter in composed
    )


def markup(words: str, font: str, size: float) -> str:
    """``words`` as paragraph markup: escaped, line ends kept, each letter in a font that has it."""
    words = drawable(words, font)
    if words.isascii():
        return _escape(words).replace("\n", "<br/>")
    name, letters = _spare(font)
    parts: list[str] = []
    run = ""
    for letter in words:
        own = ord(letter) > 0x7F and not _western(letter) and ord(letter) in letters
        if own:
            run += letter
            continue
        if run:
            parts.append(f'<font name="{name}" size="{size * _SPARE_SIZE:g}">{_escape(run)}</font>')
            run = ""
        parts.append("<br/>" if letter == "\n" else _escape(letter))
    if run:
        parts.append(f'<font name="{name}" size="{size * _SPARE_SIZE:g}">{_escape(run)}</font>')
    return "".join(parts)


@cache
def _western(letter: str) -> bool:
    try:
        letter.encode("cp1252")
    except UnicodeEncodeError:
        return False
    return True


def width(words: str, font: str, size: float) -> float:
    """How wide ``words`` are in points, drawn as ``markup`` draws them."""
    words = drawable(words, font)
    if words.isascii():
        return float(pdfmetrics.stringWidth(words, font, size))
    name, letters = _spare(font)
    return sum(
        float(
            pdfmetrics.stringWidth(letter, name, size * _SPARE_SIZE)
            if ord(letter) > 0x7F and not _western(letter) and ord(letter) in letters
            else pdfmetrics.stringWidth(letter, font, size)
        )
        for letter in words
    )
