"""Tables as data: rows as pandas frames, written as CSV, JSON or a plain workbook."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import msgspec

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import write_atomic
from asl_pbcg.kernel.slow_libraries import pandas as pd
from asl_pbcg.kernel.textfiles import BYTE_ORDER_MARK
from asl_pbcg.records import values
from asl_pbcg.records.shared_strings import finish_workbook, tab_name
from asl_pbcg.records.sheet import DataTable

DATA: Final = (".csv", ".json")
"""The formats that hold data and nothing else."""
_FORMULA: Final = re.compile(r"[=@＝＠＋－\t\r\n]|[+-](?![\d ])|[+-].*[|(!=@]", re.DOTALL)
"""How a text begins that a spreadsheet would work out; a number or DRM with its reason does not."""
_MOST: Final = 32_767
"""Letters that a cell of a workbook holds."""


Tables = Mapping[str, Iterable[Any] | DataTable]
"""Rows (structs or mappings of one kind) by the name of their table."""


def frame_of(rows: Iterable[Any] | DataTable) -> pd.DataFrame:
    """Return rows as a frame with its table's columns, else one for each name that occurs.

    A value inside another has both names (``roll_final``); of many values there is one text. A
    fraction is an exact text and beside it ``..._decimal``: a spreadsheet takes 1/36 for a date.
    """
    columns = list(rows.columns) if isinstance(rows, DataTable) else None
    listed = rows.rows if isinstance(rows, DataTable) else rows
    plain = [dict(_flat("", msgspec.to_builtins(row, enc_hook=_fraction))) for row in listed]
    return pd.DataFrame(plain, columns=columns, dtype=object).convert_dtypes()


def write_tables(tables: Tables, path: Path) -> list[Path]:
    """Write tables to ``path`` by its suffix: .csv, .json or .xlsx; give the files written.

    CSV has a file for each table: of several ``x.csv`` becomes ``x-losses.csv`` and so on. Raises
    PBCGError for another suffix, and if a file cannot be written.
    """
    suffix = path.suffix.lower()
    frames = {name: frame_of(rows) for name, rows in tables.items()}
    if suffix == ".csv":
        files = {_own_file(path, name, frames): frame for name, frame in frames.items()}
        for file, frame in files.items():
            write_atomic(file, csv_text(frame))
        return list(files)
    if suffix == ".json":
        plain = {name: _records(frame) for name, frame in frames.items()}
        (only,) = plain.values() if len(plain) == 1 else (plain,)
        text = msgspec.json.format(msgspec.json.encode(only), indent=1).decode()
        write_atomic(path, f"{text}\n")
    elif suffix == ".xlsx":
        write_atomic(path, _workbook(frames))
    else:
        raise PBCGError(f"{path}: a table is written as .csv, .json or .xlsx.")
    return [path]


def tables_as(tables: Tables, kind: str) -> bytes:
    """Return tables as the bytes of one ``csv`` or ``xlsx`` file.

    Several tables in one CSV stand below each other; the first column names the table of a row.
    """
    frames = {name: frame_of(rows) for name, rows in tables.items()}
    if kind == "xlsx":
        return _workbook(frames)
    if len(frames) > 1:
        for name, frame in frames.items():
            frame.insert(0, "table", name)
    filled = [frame for frame in frames.values() if len(frame)]
    return csv_text(pd.concat(filled) if filled else pd.DataFrame()).encode()


def _flat(name: str, value: Any) -> Iterable[tuple[str, Any]]:
    """Yield the values inside a value, each with its whole name."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _flat("_".join(filter(None, (name, str(key)))), inner)
    elif isinstance(value, list | tuple):
        yield name, "; ".join(map(_words, value))
    else:
        yield name, value


def _words(value: Any) -> str:
    if isinstance(value, Mapping):
        return " ".join(_words(entry) for entry in value.values() if entry not in (None, ""))
    if isinstance(value, list | tuple):
        return ", ".join(map(_words, value))
    return str(value)


def _fraction(value: Any) -> Any:
    if isinstance(value, Fraction):
        return {"": str(value), "decimal": round(float(value), 6)}
    raise NotImplementedError(type(value).__name__)


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return a frame as plain rows; what is missing is None."""
    return [
        {str(name): None if pd.isna(value) else value for name, value in row.items()}
        for row in frame.astype(object).to_dict("records")
    ]


def _own_file(path: Path, name: str, frames: Mapping[str, Any]) -> Path:
    if len(frames) == 1:
        return path
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return path.with_name(f"{path.stem}-{slug}{path.suffix}")


def csv_text(frame: pd.DataFrame) -> str:
    """Return a frame as CSV; the mark at its beginning tells spreadsheets that it is UTF-8."""
    guarded = frame.astype(object).map(_guard)
    return BYTE_ORDER_MARK + str(guarded.to_csv(index=False, lineterminator="\n"))


def _guard(value: Any) -> Any:
    """Keep a spreadsheet from working out a text that begins like a formula."""
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value


def _clean(value: Any) -> Any:
    return values.clean(value)[:_MOST] if isinstance(value, str) else value


def _workbook(frames: Mapping[str, pd.DataFrame]) -> bytes:
    stream = io.BytesIO()
    with pd.ExcelWriter(stream, engine="openpyxl") as writer:
        for name, frame in frames.items():
            title = tab_name(name, writer.sheets)
            frame.astype(object).map(_clean).to_excel(writer, sheet_name=title, index=False)
            sheet = writer.sheets[title]
            sheet.freeze_panes = "A2"
            for row in sheet.iter_rows():
                for cell in row:
                    if isinstance(cell.value, str):
                        cell.data_type = "s"  # a text, whatever it begins with
    return finish_workbook(stream.getvalue())
