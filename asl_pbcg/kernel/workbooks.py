"""Reading Excel workbooks that players give: whatever they hold, one sentence and no harm.

The zip file and its XML are looked over before openpyxl sees them, because a few kilobytes can
inflate to gigabytes. What comes back is plain values; a formula is refused, never worked out.
"""

from __future__ import annotations

import io
import re
import warnings
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.reader import with_plain_dashes
from asl_pbcg.kernel.textfiles import read_limited

FILE_LIMIT = 8 * 1024 * 1024  # bytes on disk
INFLATED_LIMIT = 32 * 1024 * 1024  # bytes of all parts
TAG_LIMIT = 250_000  # XML tags of all parts: what a parser's time goes by
PART_LIMIT = 500
ROW_LIMIT = 10_000  # the last row that may hold something
_SCANNED_ROWS = 1_200_000  # Excel's sheets end at 1,048,576
_SCANNED_CELLS = 4_000_000

_OLD_EXCEL = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCODING = re.compile(rb"""^<\?xml[^>]*?encoding\s*=\s*["']([^"']*)["']""")


@dataclass(frozen=True, slots=True)
class SheetRows:
    """A worksheet: its rows that hold something, each with its number from 1."""

    name: str
    rows: tuple[tuple[int, tuple[Any, ...]], ...]
    """Values are text, numbers, truth values, dates and None; the row's empty end is left out."""


def read_workbook(path: Path) -> list[SheetRows]:
    """The worksheets of the .xlsx file ``path``, in order.

    Raises PBCGError if it is not a workbook, holds formulas, or would take too much to read.
    """
    content = read_limited(path, FILE_LIMIT)
    _check_zip(content, str(path))
    try:
        return _read_sheets(content, str(path))
    except PBCGError:
        raise
    except Exception as error:  # openpyxl raises all kinds for a damaged workbook
        raise PBCGError(
            f"{path} could not be read as an Excel workbook: open it and save it again as .xlsx."
        ) from error


def _check_zip(content: bytes, source: str) -> None:
    """Look over the zip file without holding more than one part; raises PBCGError."""
    if not content:
        raise PBCGError(f"{source} is empty.")
    if content.startswith(_OLD_EXCEL):
        raise PBCGError(
            f"{source} is an old Excel file or locked with a password: save it as .xlsx without "
            "a password."
        )
    if not content.startswith(b"PK"):
        raise PBCGError(f"{source} is not an Excel workbook, whatever its name says.")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            _check_parts(archive, source)
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        NotImplementedError,
        OSError,
        RuntimeError,
        ValueError,
    ) as error:
        raise PBCGError(
            f"{source} is a damaged workbook: open it and save it again as .xlsx."
        ) from error


def _check_parts(archive: zipfile.ZipFile, source: str) -> None:
    parts = archive.infolist()
    names = {part.filename for part in parts}
    too_much = PBCGError(
        f"{source} unpacks to far more than a position needs and is not read; this can be a trap."
    )
    if len(parts) > PART_LIMIT or sum(part.file_size for part in parts) > INFLATED_LIMIT:
        raise too_much
    if any(part.flag_bits & 1 for part in parts):
        raise PBCGError(f"{source} is locked with a password: save it without one.")
    if len(names) != len(parts):
        raise PBCGError(f"{source} is a damaged workbook: it holds two parts of one name.")
    if "mimetype" in names and "content.xml" in names:
        raise PBCGError(f"{source} is an OpenDocument file: save it as .xlsx.")
    if "[Content_Types].xml" not in names:
        raise PBCGError(f"{source} is a zip file, but no Excel workbook.")
    inflated = tags = 0
    for part in parts:
        if part.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise PBCGError(f"{source} is packed in a way Excel does not use.")
        with archive.open(part) as stream:
            data = stream.read(INFLATED_LIMIT - inflated + 1)
        inflated += len(data)
        if inflated > INFLATED_LIMIT:
            raise too_much
        tags += _check_xml(data, part.filename, source)
        if tags > TAG_LIMIT:
            raise PBCGError(f"{source} holds far more cells than a position needs.")


def _check_xml(data: bytes, name: str, source: str) -> int:
    """Count the tags of an XML part; raises PBCGError for what may hide or multiply text."""
    head = data[:400].removeprefix(b"\xef\xbb\xbf").lstrip()
    other = head.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in head[:4]
    if not (head.startswith(b"<") or other or name.endswith((".xml", ".rels"))):
        return 0
    encoding = _ENCODING.match(head)
    if other or (encoding and encoding[1].lower() not in (b"utf-8", b"us-ascii")):
        raise PBCGError(f"{source} is not written in UTF-8: save it again as .xlsx.")
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise PBCGError(f"{source} defines XML entities, which no workbook needs; it is not read.")
    return data.count(b"<")


def _read_sheets(content: bytes, source: str) -> list[SheetRows]:
    with warnings.catch_warnings():
        from asl_pbcg.kernel import workbook_strings

        warnings.simplefilter("ignore")  # of extensions of Excel's that carry no values
        reader = workbook_strings.WorkbookReader(
            io.BytesIO(content), read_only=True, keep_links=False
        )
        reader.read()
        book = reader.wb
        try:
            formulas: list[str] = []
            budget = [_SCANNED_ROWS, _SCANNED_CELLS]
            sheets = [_read_sheet(sheet, formulas, budget, source) for sheet in book.worksheets]
        finally:
            book.close()
    if formulas:
        more = f" and {len(formulas) - 10} more" if len(formulas) > 10 else ""
        raise PBCGError(
            f"{source} holds formulas, which are not read: {', '.join(formulas[:10])}{more}. "
            "Put plain values there."
        )
    return sheets


def _read_sheet(sheet: Any, formulas: list[str], budget: list[int], source: str) -> SheetRows:
    sheet.reset_dimensions()  # the size a file claims may be wrong
    rows: list[tuple[int, tuple[Any, ...]]] = []
    for number, cells in enumerate(sheet.iter_rows(), 1):
        budget[0] -= 1
        budget[1] -= len(cells)
        if min(budget) < 0:
            raise PBCGError(f"{source} holds far more cells than a position needs.")
        values = []
        for cell in cells:
            if cell.data_type == "f":
                formulas.append(f"sheet {sheet.title}, cell {cell.coordinate}")
            values.append(with_plain_dashes(cell.value))
        while values and values[-1] in (None, ""):
            values.pop()
        if values:
            if number > ROW_LIMIT:
                raise PBCGError(
                    f"{source}, sheet {sheet.title}, row {number}: a list ends at row "
                    f"{ROW_LIMIT} at the latest."
                )
            rows.append((number, tuple(values)))
    return SheetRows(sheet.title, tuple(rows))
