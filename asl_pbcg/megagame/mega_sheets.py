"""The sheet of a table: its log, its casualties, the values it rested on."""

from __future__ import annotations

from pathlib import Path

from asl_pbcg.megagame.table_log import TableLog
from asl_pbcg.megagame.table_report import sheet_facts, sheet_rows, undone_lines
from asl_pbcg.records.sheet import Sheet
from asl_pbcg.records.templates import load_layout


def log_sheet(log: TableLog, templates: Path | None = None) -> Sheet:
    """Return the sheet of a table: the log with its casualties and values.

    ``templates`` is a folder with the club's own layouts. Raises FaultsError if one is wrong.
    """
    layout = load_layout("mega_log", templates)
    rows, title = sheet_rows(log), log.table.title
    return Sheet(
        layout=layout,
        tables=rows,
        title=f"{layout.title}: {title}" if title else "",
        facts=tuple(sheet_facts(log.table, len(rows["lines"]))),
        notes=tuple(undone_lines(log, every=True)),
        footer=title,
    )
