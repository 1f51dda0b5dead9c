"""Workbooks of positions: their layout, their guide page, and reading them back.

A workbook has one sheet per list with headings in the first row, and a sheet of single facts. The
layout also serves workbooks that ask for more than a position.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from asl_pbcg.campaign.entry.position_fields import NEITHER, Field, fields_of
from asl_pbcg.campaign.entry.position_raw import COUNT, FaultPlace, Raw, SheetPlaces, UnreadableCell
from asl_pbcg.campaign.position import FORMAT, LISTS, PIECES, BySide, Control, Position
from asl_pbcg.kernel.errors import Fault, PBCGError
from asl_pbcg.kernel.reader import nearest, value_words
from asl_pbcg.kernel.workbooks import SheetRows, read_workbook


class WorkbookLayout(NamedTuple):
    """The questions of a workbook: the rows of its sheet about, its lists, and how it is told."""

    format: str
    title: str
    about: Mapping[str, Field]
    lists: Mapping[str, type[msgspec.Struct]]
    steps: Sequence[str]
    """How to fill it in."""
    sheets: Mapping[str, str]
    """The contents of each sheet, in words."""


def about_fields() -> dict[str, Field]:
    """Return the rows of the sheet about: single facts, with Casualty VP for each side."""
    rows = {name: field for name, field in fields_of(Position).items() if field.form != "part"}
    notes = rows.pop("notes")
    for side, field in fields_of(BySide).items():
        rows[f"casualty_vp_{side}"] = field
    return rows | {"notes": notes}


def position_layout() -> WorkbookLayout:
    """Return the layout of a position."""
    title = "A position of the Pegasus Bridge campaign game"
    return WorkbookLayout(FORMAT, title, about_fields(), LISTS, STEPS, SHEETS)


ELIMINATED_SAYS: Final = "Eliminated in play; nothing else is read of its row"


SHEETS: Final[Mapping[str, str]] = {
    "about": "the CG Date and the few facts there is one of. Only the date must be filled in.",
    "control": "the Strategic Locations each side Controls, one below the other; those of SSR "
    "PB4 too, Strategic or not.",
    "gliders": "gliders on the map, landed or wrecked.",
    "fortifications": "foxholes, trenches, pillboxes, Wire and mines.",
    "terrain": "fires, Rubble, shellholes, breaches and wrecks.",
    "units": "squads, HS, crews, leaders and heroes, one row each.",
    "equipment": "Support Weapons and Guns, one row each, possessed or not.",
    "vehicles": "vehicles, one row each; their Inherent crews are part of them.",
    "ww_box": "British Airborne MMC in the Walking Wounded box (CG17).",
}
"""The sheets to fill in, and what goes on each."""

STEPS: Final = (
    "Fill this workbook in when a CG scenario ends, before the Refit Phase. "
    "Put down what stands on the map then; the program does the rest.",
    "Begin on the sheet about: choose the CG Date just played.",
    "Every other sheet is a list with one row for each piece. A list may stay empty. "
    "Rows may stand in any order, and empty rows do no harm.",
    "Cells with a drop-down list take the words of that list; all words are explained on the "
    "sheet words.",
    "A cell that takes several words, as status or possesses, takes them with commas between: "
    "broken, wounded.",
    "Locations: Z15 is ground level of hex Z15, Z15/1 the first level of the building there, "
    "Z21/pillbox inside the pillbox. What waits off map has the Entry Area as its place: "
    "off-map A7.",
    "Under id stands the name of a unit, weapon or vehicle as sheets and map have it: A-3, LMG 3b. "
    "It stays the same for the whole campaign. A new piece gets one of your own: b1, tiger.",
    "A piece that was Eliminated: write eliminated as its status or its place, or leave its row "
    "out. You are asked about a row whose place is empty. The status exited is for Germans who "
    "left by their own Entry Area and live (CG15).",
    "Capitals do not matter in these words, in types and in Locations: Broken, z15.",
    "Captured equipment belongs to the side that has it now, with status captured; its type is "
    "what its own side calls it.",
    "Do not change the headings, and write no formulas.",
    "Check it with: pbcg position check FILE. All mistakes are named at once, with sheet, row "
    "and column, and with what would be right.",
)
"""How to fill in the workbook."""

EXAMPLE: Final[Mapping[str, Mapping[str, str]]] = {
    "units": {
        "id": "A-1",
        "side": "british",
        "type": "6-4-8",
        "at": "Z15/1",
        "status": "broken",
        "possesses": "LMG 1b",
        "formation": "ox-and-bucks",
    },
    "equipment": {
        "id": "LMG 1b",
        "side": "british",
        "type": "LMG",
        "at": "Z15/1",
        "status": "malfunctioned",
    },
    "control": {"british": "Z15/1", "german": "Z15"},
}
"""One row of three sheets, told on the guide page."""

EXAMPLE_SAYS: Final = (
    "This is a British 6-4-8 of the Ox and Bucks, broken, on the first level of the building in "
    "Z15. It possesses a malfunctioned LMG, which has its own row on the sheet equipment. The "
    "British Control the first level of Z15, the Germans its ground level."
)


GUIDE = "how to fill"
ABOUT = "about"
CONTROL = "control"
WORDS = "words"
HELP_SHEETS = (GUIDE, WORDS)
"""Sheets for people; nothing on them is read."""

ABOUT_COLUMNS = ("what", "value", "explanation")


def read_raw(path: Path, layout: WorkbookLayout | None = None) -> Raw:
    """Return the contents of the workbook ``path``, for check_raw. Raises PBCGError."""
    layout = layout or position_layout()
    places = SheetPlaces()
    raw = Raw(str(path), {"format": None}, places, yes_no=True)
    sheets = {}
    for sheet in read_workbook(path):
        name = sheet.name.strip().lower()
        if name in (ABOUT, CONTROL, *layout.lists):
            sheets[name] = sheet
        elif name not in HELP_SHEETS and sheet.rows:
            names = (ABOUT, CONTROL, *layout.lists)
            near = nearest(name, names) or f"; known are: {', '.join(names)}"
            raw.faults.append(
                Fault(f"sheet {sheet.name}", "", f"is not a sheet of a position{near}")
            )
    if not sheets:
        raise PBCGError(
            f"{path} is not a position: it has none of the sheets {ABOUT}, {CONTROL}, "
            f"{', '.join(LISTS)}."
        )
    if ABOUT in sheets:
        _read_about(sheets[ABOUT], layout.about, raw, places)
    if CONTROL in sheets:
        _read_control(sheets[CONTROL], raw, places)
    for section, part in layout.lists.items():
        if section in sheets:
            raw.data[section] = _read_list(sheets[section], section, part, raw, places)
    return raw


def _heading(value: object) -> str:
    return "_".join(str(value).strip().lower().split()) if value is not None else ""


def _columns(
    sheet: SheetRows, section: str, headings: Iterable[str], raw: Raw
) -> tuple[dict[int, str], tuple[tuple[int, tuple[Any, ...]], ...]]:
    """Return the headings by column, and the rows below; other headings are faults."""
    if not sheet.rows:
        return {}, ()
    headings = list(headings)
    listed = section if section != ABOUT else ""
    (row, head), below = sheet.rows[0], sheet.rows[1:]
    columns: dict[int, str] = {}
    for column, value in enumerate(head):
        name = _heading(value)
        where = FaultPlace(f"sheet {section}, row {row}", listed)
        if name in columns.values():
            raw.faults.append(Fault(where, name, "is the heading of two columns"))
        elif name in headings:
            columns[column] = name
        elif name:
            near = nearest(name, headings) or f"; known are: {', '.join(headings)}"
            raw.faults.append(Fault(where, value_words(value), f"is not a heading here{near}"))
    bare: set[int] = set()
    for number, values in below:
        for column, value in enumerate(values):
            if value in (None, "") or column in bare:
                continue
            if column >= len(head) or not _heading(head[column]):
                bare.add(column)
                where = FaultPlace(f"sheet {section}, row {number}", listed)
                wrong = "stands in a column without heading"
                raw.faults.append(Fault(where, value_words(value), wrong))
    return columns, below


def _read_about(
    sheet: SheetRows, fields: Mapping[str, Field], raw: Raw, places: SheetPlaces
) -> None:
    columns, below = _columns(sheet, ABOUT, ABOUT_COLUMNS, raw)
    by_name = {name: column for column, name in columns.items()}
    for name in ABOUT_COLUMNS[:2]:
        if name not in by_name:
            raw.faults.append(Fault(f"sheet {ABOUT}", "", f"has no column {name}"))
            return
    casualties: dict[str, Any] = {}
    for number, values in below:
        cells = dict(enumerate(values))
        key = _heading(cells.get(by_name["what"]))
        value = cells.get(by_name["value"])
        where = f"sheet {ABOUT}, row {number}"
        if not key:
            if value not in (None, ""):
                raw.faults.append(Fault(where, value_words(value), "has no word in column what"))
        elif key not in fields:
            near = nearest(key, fields) or f"; known are: {', '.join(fields)}"
            raw.faults.append(Fault(where, key, f"is nothing that is asked here{near}"))
        elif key in places.about:
            raw.faults.append(Fault(where, key, "stands there twice"))
        else:
            places.about[key] = number
            clean = _value(fields[key], value)
            if key.startswith("casualty_vp_"):
                casualties[key.removeprefix("casualty_vp_")] = clean
            else:
                raw.data[key] = clean
    raw.data["casualty_vp"] = casualties


def _read_control(sheet: SheetRows, raw: Raw, places: SheetPlaces) -> None:
    fields = fields_of(Control)
    columns, below = _columns(sheet, CONTROL, [*fields, NEITHER], raw)
    columns = {column: side for column, side in columns.items() if side != NEITHER}
    control: dict[str, list[Any]] = {}
    for number, values in below:
        for column, side in columns.items():
            value = values[column] if column < len(values) else None
            cell = _value(fields[side], value) or []
            if isinstance(cell, UnreadableCell):
                where = FaultPlace(f"sheet {CONTROL}, row {number}", CONTROL)
                raw.faults.append(Fault(where, cell.value, cell.wrong))
                continue
            for text in cell:
                control.setdefault(side, []).append(text)
                places.rows.setdefault(f"{CONTROL} {side}", []).append(number)
    raw.data["control"] = control


def _read_list(
    sheet: SheetRows, section: str, part: type[msgspec.Struct], raw: Raw, places: SheetPlaces
) -> list[dict[str, Any]]:
    fields = fields_of(part)
    if section in PIECES:
        fields = {**fields, COUNT: Field(name=COUNT, form="number", required=False)}
    columns, below = _columns(sheet, section, fields, raw)
    if below:
        for name, field in fields.items():
            if name == "id" and section in PIECES:
                continue  # a row without an id stands for pieces by count
            if field.required and name not in columns.values():
                where = FaultPlace(f"sheet {section}", section)
                raw.faults.append(Fault(where, "", f"has no column {name}"))
                raw.missing.add((section, name))
    entries = []
    places.rows[section] = []
    for number, values in below:
        cells = {
            name: _value(fields[name], values[column])
            for column, name in columns.items()
            if column < len(values)
        }
        entry = {name: value for name, value in cells.items() if value not in (None, "", [])}
        if entry:
            entries.append(entry)
            places.rows[section].append(number)
    return entries


def _value(field: Field, value: Any) -> Any:
    """Return a cell's value in the form that the checks expect of the field."""
    if isinstance(value, datetime.date | datetime.time | datetime.timedelta):
        return UnreadableCell(
            value_words(value),
            "is a date to Excel: format the cell as text, then type it again",
        )
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, str):
        value = value.strip()
    if value is None or value == "":
        return None
    if field.form == "number":
        whole = isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10
        return int(value) if whole else value
    if field.form == "flag":
        return {"yes": True, "no": False}.get(str(value).lower(), value)
    if isinstance(value, bool):
        value = str(value).lower()
    text = str(value)
    if field.many:
        return [item for word in text.replace(";", ",").split(",") if (item := word.strip())]
    return text
