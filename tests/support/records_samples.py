"""Sheets that the tests of the records print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from asl_pbcg.records import Layout, Sheet
from asl_pbcg.records.layout import Column, Format, Orientation, TableLayout

LAYOUT = Layout(
    name="sample",
    title="Sample Record",
    orientation=Orientation.PORTRAIT,
    notes=("The first note.",),
    tables=(
        TableLayout(
            key="rows",
            freeze=2,
            columns=(
                Column(key="name", heading="Name", width=40, bold=True),
                Column(
                    key="count", heading="Count", width=15, format=Format.WHOLE, group="Numbers"
                ),
                Column(key="fpp", heading="FPP", width=15, format=Format.HALVES, group="Numbers"),
                Column(key="drm", heading="DRM", width=15, format=Format.SIGNED, group="Numbers"),
                Column(key="", heading="Initials", width=15),
                Column(key="secret", heading="Hidden", width=15, hide=True),
                Column(key="notes", heading="Notes", width=60),
            ),
        ),
    ),
)


def sample(rows: Sequence[dict[str, Any]] | None = None, **fields: Any) -> Sheet:
    """A sheet of the sample layout; without ``rows`` a blank form."""
    tables = {} if rows is None else {"rows": rows}
    return Sheet(layout=fields.pop("layout", LAYOUT), tables=tables, **fields)


def many(count: int) -> list[dict[str, Any]]:
    return [
        {"name": f"Unit {n}", "count": n, "fpp": n / 2, "drm": n - 3, "notes": f"note{n}"}
        for n in range(count)
    ]
