"""Texts of a workbook in the one part where every program looks for them, and no trace of time.

openpyxl writes each text into its cell (``inlineStr``). Excel reads that; previews of phones and
Macs, and Numbers, show such cells blank.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable
from io import BytesIO
from typing import Final

from asl_pbcg.records import values

_INLINE: Final = re.compile(
    rb'<c ([^>]*?)\s*t="inlineStr"([^>]*?)(?:\s*/>|>(?:<is>(<t[^>]*>[^<]*</t>)</is>)?</c>)'
)
_MAIN: Final = b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATION: Final = (
    b'<Relationship Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/'
    b'sharedStrings" Target="sharedStrings.xml" Id="rIdTexts" /></Relationships>'
)
_CONTENT_TYPE: Final = (
    b'<Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-'
    b'officedocument.spreadsheetml.sharedStrings+xml" /></Types>'
)
_MODIFIED: Final = re.compile(rb"(<dcterms:modified[^>]*>)[^<]*")
_ZIP_DATE: Final = (2000, 1, 1, 0, 0, 0)
"""A fixed date, so that the same sheets give the same file."""


def finish_workbook(content: bytes) -> bytes:
    """Return a workbook of openpyxl with shared strings, without the moment it was written."""
    texts: dict[bytes, int] = {}
    count = 0

    def share(cell: re.Match[bytes]) -> bytes:
        nonlocal count
        attributes = (cell[1] + cell[2]).strip()
        if cell[3] is None:
            return b"<c " + attributes + b" />"
        count += 1
        number = texts.setdefault(cell[3], len(texts))
        return b'<c %b t="s"><v>%d</v></c>' % (attributes, number)

    stream = BytesIO()
    with zipfile.ZipFile(BytesIO(content)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            part = old.read(name)
            if name.startswith("xl/worksheets/sheet"):
                part = _INLINE.sub(share, part)
            elif name == "xl/_rels/workbook.xml.rels":
                part = part.replace(b"</Relationships>", _RELATION)
            elif name == "[Content_Types].xml":
                part = part.replace(b"</Types>", _CONTENT_TYPE)
            elif name == "docProps/core.xml":
                part = _MODIFIED.sub(rb"\g<1>2000-01-01T00:00:00Z", part)
            _add_part(new, name, part)
        items = b"".join(b"<si>%b</si>" % text for text in texts)
        head = b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<sst xmlns="%b"' % _MAIN
        total = b' count="%d" uniqueCount="%d">' % (count, len(texts))
        _add_part(new, "xl/sharedStrings.xml", head + total + items + b"</sst>")
    return stream.getvalue()


def _add_part(archive: zipfile.ZipFile, name: str, part: bytes) -> None:
    entry = zipfile.ZipInfo(name, _ZIP_DATE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o600 << 16
    archive.writestr(entry, part)


MAX_TAB: Final = 31
"""The most letters of a worksheet's name."""
_NO_NAME: Final = re.compile(r"[\[\]:*?/\\\x00-\x1f\ufffd]")


def tab_name(words: str, taken: Iterable[str], title: str = "") -> str:
    """Return a worksheet's name of whole words that Excel allows and no other worksheet has.

    ``words`` lose their last ones so that a ``title`` fits behind them.
    """
    used = {name.lower() for name in taken}
    head, tail = (_NO_NAME.sub(" ", values.clean(text)).split() for text in (words, title))
    head = head if head or tail else ["Sheet"]
    number = 1
    while True:
        ending = [str(number)] * (number > 1)
        name = _fit_words(head, [*tail, *ending], len(ending))
        if name.lower() == "history":  # a name Excel keeps for itself
            name += " sheet"
        if name.lower() not in used:
            return name
        number += 1


def _fit_words(head: list[str], tail: list[str], kept: int) -> str:
    """Join words to a name that fits: the last of ``head`` go, then of ``tail``, but ``kept``."""
    head, tail = list(head), list(tail)
    while len(" ".join([*head, *tail])) > MAX_TAB and len(head) + len(tail) > 1 + kept:
        if len(head) > 1:
            head.pop()
        else:
            del tail[-1 - kept]
    ending = f" {tail[-1]}" if kept else ""
    name = " ".join([*head, *tail]).strip("'")
    return name if len(name) <= MAX_TAB else name[: MAX_TAB - len(ending)].strip() + ending
