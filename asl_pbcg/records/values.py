"""The content of a cell: a number stays a number, nothing is rounded away, blanks are blank."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction

from asl_pbcg.records.layout import Format
from asl_pbcg.records.sheet import Sign

_EXACT = 10**15  # more digits than a spreadsheet keeps
EXCEL_FORMATS: Mapping[Format, str] = {
    Format.TEXT: "General",
    Format.WHOLE: "0",
    Format.HALVES: "General",
    Format.SIGNED: "+0;-0;0",
    Format.DECIMAL: "0.00",
    Format.PERCENT: "0.0%",
    Format.SIGN: "General",
}
# Controls that neither XML nor a printer knows, halves of letters, and what is not a letter at all.
_JUNK = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def plain(value: object) -> object:
    """The Python value behind ``value``: None for every kind of "nothing here", and for a Sign."""
    if isinstance(value, Sign):
        return None
    item = getattr(value, "item", None)
    if item is not None and getattr(value, "ndim", 1) == 0:
        value = item()  # a numpy scalar
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, Fraction | Decimal):
        return int(value) if value == int(value) else float(value)
    return value


def number(value: object) -> int | float | None:
    """Return the number in a cell, or None where it holds text or nothing."""
    value = plain(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        value = int(value) if value.is_integer() else value
    return value if abs(value) < _EXACT else None


def text(value: object, form: Format = Format.TEXT) -> str:
    """Return the words printed for a cell."""
    value = plain(value)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    figure = number(value)
    return clean(str(value)) if figure is None else _figure(figure, form)


def _figure(figure: int | float, form: Format) -> str:
    if form is Format.SIGNED:
        return f"+{figure}" if figure > 0 else str(figure)
    if form is Format.PERCENT:
        return f"{figure * 100:.1f}".removesuffix(".0") + "%"
    if form is Format.HALVES and figure * 2 == int(figure * 2) and figure != int(figure):
        whole = str(int(figure)) if abs(figure) > 1 else ("-" if figure < 0 else "")
        return whole + "½"
    if form is Format.DECIMAL and round(figure, 2) == figure:
        return f"{figure:.2f}"
    return str(figure)


def excel_format(value: object, form: Format) -> str:
    """Return the number format of a cell; one that would hide part of the number is not used."""
    figure = number(value)
    if form is Format.PERCENT and figure is not None and figure * 100 == int(figure * 100):
        return "0%"
    hides = isinstance(figure, float) and (
        form in (Format.WHOLE, Format.SIGNED)
        or (form is Format.DECIMAL and round(figure, 2) != figure)
    )
    return "General" if hides else EXCEL_FORMATS[form]


def clean(words: str) -> str:
    """``words`` with one kind of line end and without characters no program can show."""
    words = words.replace("\r\n", "\n").replace("\r", "\n")
    return _JUNK.sub("\ufffd", words)
