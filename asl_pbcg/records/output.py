"""Putting sheets on paper or into data files: PDF, Excel, CSV or JSON, one sheet or many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import write_atomic
from asl_pbcg.records.layout import Only, Paper
from asl_pbcg.records.sheet import Sheet

if TYPE_CHECKING:
    from asl_pbcg.records.data_tables import Tables


def to_pdf(sheets: Sheet | Sequence[Sheet], paper: Paper | str = Paper.A4) -> bytes:
    """One PDF of all ``sheets``, each starting on a page of its own.

    The same sheets give the same bytes. Raises PBCGError for an unknown ``paper``.
    """

    from asl_pbcg.records import pdf

    return pdf.render(_list_sheets(sheets), Paper.parse(paper))


def to_excel(sheets: Sheet | Sequence[Sheet], paper: Paper | str = Paper.A4) -> bytes:
    """One workbook of all ``sheets``, a worksheet for each of their tables.

    The same sheets give the same bytes. Raises PBCGError for an unknown ``paper``.
    """

    from asl_pbcg.records import excel

    return excel.workbook(_list_sheets(sheets), Paper.parse(paper))


def save(
    sheets: Sheet | Sequence[Sheet], path: Path, paper: Paper | str = Paper.A4, mark: str = ""
) -> list[Path]:
    """Write ``sheets`` to ``path``: its suffix says whether as .pdf, .xlsx, .csv or .json.

    Gives the files written: CSV has one for each table. ``mark`` stands at the foot of every page:
    the fingerprint of the file they were made of.

    Raises PBCGError for any other suffix, an unknown ``paper``, or a file that cannot be
    written; whatever stood at ``path`` is then still there.
    """

    from asl_pbcg.records import data_tables

    if mark:
        sheets = [
            replace(sheet, footer=f"{sheet.footer}   {mark}".strip())
            for sheet in _list_sheets(sheets)
        ]
    suffix = path.suffix.lower()
    if suffix == ".pdf":
        content = to_pdf(sheets, paper)
    elif suffix == ".xlsx":
        content = to_excel(sheets, paper)
    elif suffix in data_tables.DATA:
        return data_tables.write_tables(tables_of(_list_sheets(sheets)), path)
    else:
        raise PBCGError(
            f"{path}: a sheet is written as .pdf, .xlsx, .csv or .json, so name the file that way."
        )
    write_atomic(path, content)
    return [path]


def tables_of(sheets: Sequence[Sheet]) -> Tables:
    """Return the data of every sheet; else its filled tables, with the workbook's columns.

    Of several sheets each table bears the name of its own.
    """
    tables: dict[str, Any] = {}
    for sheet in sheets:
        whose = f"{sheet.heading} " if len(sheets) > 1 else ""
        tables |= {f"{whose}{name}": table for name, table in sheet.data.items()}
        if sheet.data:
            continue
        for table in sheet.layout.tables:
            if table.key in sheet.tables:
                name = f"{sheet.heading} {table.title or table.key}"
                keys = [column.key for column in table.columns_on(Only.WORKBOOK) if column.key]
                tables[name] = [
                    {key: row.get(key) for key in keys} for row in sheet.tables[table.key]
                ]
    return tables


def _list_sheets(sheets: Sheet | Sequence[Sheet]) -> list[Sheet]:
    listed = [sheets] if isinstance(sheets, Sheet) else list(sheets)
    if not listed:
        raise PBCGError("There is no sheet to print.")
    return listed
