"""Texts of a workbook in the one part where every program looks for them, and no trace of time.

openpyxl writes each text into its cell (``inlineStr``). Excel reads that; previews of phones and
Macs, and Numbers, show such cells blank.
"""

from __future__ import annotations

import re
import zipfile
from io import BytesIO
from typing import Final

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
