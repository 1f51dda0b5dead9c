"""What is said of the workbook of a position with wrong cells, columns, rows and sheets."""

from __future__ import annotations

import datetime
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from campaign_faults_told import said
from fingerprints import Item

from asl_pbcg.campaign.board.board import load_board
from asl_pbcg.campaign.entry import position_workbook
from asl_pbcg.campaign.entry.position_check import check_raw
from asl_pbcg.campaign.entry.position_files import read_position, write_position
from asl_pbcg.kernel.workbooks import SheetRows, read_workbook

POSITION = Path(__file__).parent.parent / "golden_cg1" / "dawn.position.yaml"
MANY = 90
CELLS: list[Any] = [
    None, "", "yes", "No", "perhaps", True, 0, 1, 2.0, 2.5, "7", "X18", "x18; y20", "broken, dm",
    "german", "night-2", "Z21/pillbox", "off-map A22", datetime.date(1944, 6, 6), "6-4-8", "unit",
]  # fmt: skip


def told(folder: Path) -> Iterator[Item]:
    """All of it for the damaged workbooks of one position."""
    source, board = random.Random("workbooks"), load_board()
    write_position(read_position(POSITION, board), folder / "it.xlsx")
    whole = read_workbook(folder / "it.xlsx")

    def checked() -> Any:
        raw = position_workbook.read_raw(Path("It.xlsx"))
        return check_raw(raw, board)

    for number in range(MANY):
        book = [_damaged(sheet, source) for sheet in whole]
        if source.random() < 0.1:
            book.pop(source.randrange(len(book)))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(position_workbook, "read_workbook", lambda path, book=book: book)
            yield f"workbook {number}", said(checked)


def _damaged(sheet: SheetRows, source: random.Random) -> SheetRows:
    """A sheet with a few things changed, more often none."""
    rows = [(number, list(values)) for number, values in sheet.rows]
    name = sheet.name
    if source.random() < 0.02:
        name = source.choice([f"{name}s", "control", " Units ", "cover"])
    for _ in range(source.choice([0, 0, 0, 1, 2])):
        if not rows:
            break
        _, values = source.choice([rows[0], rows[-1], source.choice(rows)])
        at = source.randrange(len(values)) if values else 0
        way = source.random()
        if way < 0.45 and values:
            values[at] = source.choice(CELLS)
        elif way < 0.6 and values:
            values[at] = source.choice([*rows[0][1], f"{values[at]}s"])
        elif way < 0.75:
            values += [None] * source.randint(0, 2) + [source.choice(CELLS)]
        elif way < 0.85:
            rows.append((rows[-1][0] + 1, list(values)))
        elif way < 0.93 and len(rows) > 1:
            rows.pop(source.randrange(len(rows)))
        else:
            for _, row in rows:
                del row[at:]
    return SheetRows(name, tuple((number, tuple(values)) for number, values in rows))
