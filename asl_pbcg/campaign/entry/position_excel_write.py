"""Write positions as Excel workbooks, filled or for players to fill in, ready for print.

No text in a workbook becomes a formula. Cells offer drop-down lists from a sheet of words;
headings stand on every printed page.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from openpyxl import Workbook
from openpyxl.comments import Comment
from openpyxl.styles import Alignment, Border, Font, PatternFill
from openpyxl.styles import Side as Edge
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.pagebreak import Break
from openpyxl.worksheet.worksheet import Worksheet

from asl_pbcg.campaign.entry import position_workbook as guide
from asl_pbcg.campaign.entry.position_fields import NEITHER, Field, fields_of
from asl_pbcg.campaign.entry.position_raw import COUNT
from asl_pbcg.campaign.entry.position_rules import TYPES
from asl_pbcg.campaign.entry.position_workbook import (
    ABOUT,
    ABOUT_COLUMNS,
    CONTROL,
    GUIDE,
    WORDS,
    WorkbookLayout,
    position_layout,
)
from asl_pbcg.campaign.module.catalogue import load_catalogue
from asl_pbcg.campaign.position import PIECES, Control, Position
from asl_pbcg.campaign.position_words import (
    ELIMINATED,
    EquipmentStatus,
    FortificationKind,
    GliderState,
    PositionWord,
    TerrainKind,
    UnitStatus,
    VehicleStatus,
)
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.records.excel import EXCEL_PAPER
from asl_pbcg.records.layout import Paper
from asl_pbcg.records.shared_strings import finish_workbook

MARGIN: Final = 0.45
"""Inches at the left and right; a little more is above and below."""
UNIT: Final = 5.25
"""Points in a character of column width."""
WORDS_SCALE: Final = 0.55
"""How small the word lists are printed: as many of them beside each other as can be read."""


def set_up_print(
    sheet: Worksheet,
    paper: Paper,
    *,
    lying: bool = True,
    heads: bool = True,
    one_page: bool = False,
) -> None:
    """Print ``sheet`` on the width of ``paper``, with grid lines and its headings on each page.

    ``lying`` turns the paper; without ``heads`` it is text, no list; ``one_page`` makes it as
    small as one page needs. There is no print area: what players add is printed too.
    """
    sheet.page_setup.paperSize = EXCEL_PAPER[paper]
    sheet.page_setup.orientation = "landscape" if lying else "portrait"
    sheet.page_setup.fitToWidth = 1
    sheet.page_setup.fitToHeight = 1 if one_page else 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True  # type: ignore[union-attr]
    _frame(sheet, heads)


def set_up_words(sheet: Worksheet, paper: Paper, groups: list[tuple[int, int]]) -> None:
    """Print word lists lying, side by side; no page cuts a list from what its words mean.

    ``groups`` are the first and last column of each list.
    """

    sheet.page_setup.paperSize = EXCEL_PAPER[paper]
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.scale = round(WORDS_SCALE * 100)
    room = (paper.size[1] - 2 * MARGIN * 72) / WORDS_SCALE * 0.97
    used = 0.0
    for first, last in groups:
        wide = sum(
            sheet.column_dimensions[get_column_letter(column)].width * UNIT + 4
            for column in range(first, last + 1)
        )
        if used and used + wide > room:
            sheet.col_breaks.append(Break(id=first - 1))
            used = 0.0
        used += wide
    _frame(sheet, heads=True)


def _frame(sheet: Worksheet, heads: bool) -> None:
    if heads:
        sheet.print_title_rows = "1:1"
        sheet.print_options.gridLines = True
    margins = sheet.page_margins
    margins.left = margins.right = MARGIN
    margins.top, margins.bottom, margins.header, margins.footer = 0.6, 0.6, 0.3, 0.3
    foot: Any = sheet.oddFooter
    foot.left.text = "Pegasus Bridge, position"
    foot.center.text = "&A"
    foot.right.text = "page &P of &N"
    foot.left.size = foot.center.size = foot.right.size = 8


_FONT = "Arial"
"""Every system has it or one as wide, so that columns are as wide everywhere."""
MAX_WIDTH = 50
ROOM = 200  # rows ready to be filled in below what is there
BY_HAND: Final = 30
"""Ruled rows of an empty list, about a page: whoever prints it writes on them."""
BESIDE: Final = 90
"""Letters in a line of the guide beside a name."""
_WIDE = {"notes": 40, "explanation": 60, "value": 24, "what": 20, "type": 20, "status": 24}
_WIDE |= {"possesses": 20, "formation": 16, "at": 12, "id": 12, "name": 16, "depleted": 12}


def to_workbook(
    position: Position | Mapping[str, Any] | None,
    neither: Sequence[str] = (),
    paper: str = "a4",
    layout: WorkbookLayout | None = None,
    more_words: Mapping[object, WordList] | None = None,
) -> bytes:
    """The workbook of ``position``, or one to fill in; no text in it is a formula.

    It is ready to be printed on ``paper``. ``layout`` may ask for more than a position, with
    ``more_words`` to choose from.
    """
    layout = layout or position_layout()

    size = Paper.parse(paper)
    book = Workbook()
    first = book.active
    assert first is not None
    book.remove(first)
    book._named_styles["Normal"].font = Font(name=_FONT, size=10)  # type: ignore[attr-defined]
    data: dict[str, Any] = msgspec.to_builtins(position) if position else {}
    data = {**data, "format": layout.format}
    _write_guide(book, layout)
    lists = _word_lists(more_words or {})
    _write_about(book, layout, data, lists)
    _write_control(book, {**data.get(CONTROL, {}), NEITHER: neither})
    for section, part in layout.lists.items():
        _write_list(book, section, part, data.get(section) or (), lists)
    groups = _write_words(book, lists)
    for sheet in book.worksheets:
        if sheet.title == WORDS:
            set_up_words(sheet, size, groups)
        else:
            text = sheet.title == GUIDE
            lying = sheet.title != CONTROL
            set_up_print(sheet, size, lying=lying, heads=not text, one_page=text)
    book.active = book.sheetnames.index(ABOUT) if position else 0
    out = io.BytesIO()
    book.save(out)
    return finish_workbook(out.getvalue())


def put(sheet: Worksheet, row: int, column: int, value: object) -> None:
    """Put a value into a cell; text stays text whatever sign it begins with."""
    cell: Any = sheet.cell(row, column)
    cell.value = value
    if isinstance(value, str):
        cell.data_type = "s"
        cell.number_format = "@"
        # So that it stays text, too, when a player edits the cell.
        cell.quotePrefix = value[:1] in ("=", "+", "-", "@")


def _head(sheet: Worksheet, names: Sequence[str], notes: Mapping[str, str]) -> None:

    for column, name in enumerate(names, 1):
        put(sheet, 1, column, name)
        cell = sheet.cell(1, column)
        cell.font = Font(name=_FONT, size=10, bold=True)
        cell.fill = PatternFill("solid", fgColor="DDE6EE")
        cell.alignment = Alignment(vertical="center")
        if notes.get(name):
            cell.comment = Comment(notes[name], "pbcg", height=90, width=260)
        letter = get_column_letter(column)
        sheet.column_dimensions[letter].width = max(_WIDE.get(name, 11), len(name) + 3)
    sheet.freeze_panes = "A2"


def _rule(sheet: Worksheet, columns: int) -> None:
    """Rule the rows of an empty list, which nothing else would print."""
    edge = Edge(style="thin", color="87929B")
    box = Border(left=edge, right=edge, top=edge, bottom=edge)
    for row in range(2, BY_HAND + 2):
        sheet.row_dimensions[row].height = 16
        for column in range(1, columns + 1):
            sheet.cell(row, column).border = box


def _cell(value: Any) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(value)
    return value


def _write_guide(book: Workbook, layout: WorkbookLayout) -> None:
    sheet = book.create_sheet(GUIDE)
    for column in range(1, 9):
        sheet.column_dimensions[get_column_letter(column)].width = 16 if column == 1 else 15
    row = 1

    def line(text: str, column: int = 1, bold: bool = False, size: int = 11) -> None:
        put(sheet, row, column, text)
        cell = sheet.cell(row, column)
        cell.font = Font(name=_FONT, bold=bold, size=size)
        cell.alignment = Alignment(wrap_text=True, vertical="top")

    def across(text: str, below: int = 1, bold: bool = False, size: int = 11) -> None:
        """Write a text over the width of the page, ``below`` rows further down."""
        nonlocal row
        row += below
        line(text, bold=bold, size=size)
        sheet.merge_cells(start_row=row, start_column=1, end_row=row, end_column=8)
        sheet.row_dimensions[row].height = (15 if size < 14 else 24) * (1 + len(text) // 110)

    across(layout.title, 0, bold=True, size=16)
    row += 1
    for step in layout.steps:
        across(step)
    across("The sheets", 2, bold=True)
    for name, says in layout.sheets.items():
        row += 1
        line(name, bold=True)
        line(says, 2)
        sheet.merge_cells(start_row=row, start_column=2, end_row=row, end_column=8)
        sheet.row_dimensions[row].height = 15 * (1 + len(says) // BESIDE)
    across("An example", 2, bold=True)
    across(guide.EXAMPLE_SAYS)
    for name, entry in guide.EXAMPLE.items():
        row += 2
        line(f"sheet {name}", bold=True)
        for column, key in enumerate(entry, 2):
            line(key, column, bold=True)
        row += 1
        for column, value in enumerate(entry.values(), 2):
            line(value, column)
    sheet.sheet_view.showGridLines = False


def _write_about(
    book: Workbook, layout: WorkbookLayout, data: dict[str, Any], lists: dict[object, WordList]
) -> None:

    sheet = book.create_sheet(ABOUT)
    _head(sheet, ABOUT_COLUMNS, {})
    casualties = data.get("casualty_vp", {})
    for row, (name, field) in enumerate(layout.about.items(), 2):
        value = data.get(name)
        if name.startswith("casualty_vp_"):
            value = casualties.get(name.removeprefix("casualty_vp_"))
        put(sheet, row, 1, name)
        put(sheet, row, 2, _cell(value))
        put(sheet, row, 3, _ABOUT_SAYS.get(name) or field.description)
        sheet.cell(row, 3).alignment = Alignment(wrap_text=True, vertical="top")
        if field.form != "number":
            sheet.cell(row, 2).number_format = "@"
        _validate(sheet, field, f"B{row}", lists, "")


_ABOUT_SAYS = {
    "format": "Leave this as it is.",
    "date": "The CG Date just played; choose it from the list.",
    "casualty_vp_british": "Casualty VP the British lost in this scenario (9.12).",
    "casualty_vp_german": "Casualty VP the Germans lost in this scenario (9.12).",
}


def _write_control(book: Workbook, control: Mapping[str, Sequence[str]]) -> None:
    sheet = book.create_sheet(CONTROL)
    fields = fields_of(Control)
    says = "Strategic Locations this side Controls, one in each cell: Z15, Z15/1, Z21/pillbox."
    names = [*fields, *([NEITHER] if control.get(NEITHER) else [])]
    notes = dict.fromkeys(fields, says) | {NEITHER: "What nobody Controls: move it to a side."}
    _head(sheet, names, notes)
    longest = 0
    for column, side in enumerate(names, 1):
        listed = control.get(side, ())
        longest = max(longest, len(listed))
        for row, text in enumerate(listed, 2):
            put(sheet, row, column, text)
    for row in range(2, longest + ROOM + 2):
        for column in range(1, len(names) + 1):
            sheet.cell(row, column).number_format = "@"
    if not longest:
        _rule(sheet, len(names))


def _write_list(
    book: Workbook,
    section: str,
    part: type[msgspec.Struct],
    entries: Sequence[dict[str, Any]],
    lists: dict[object, WordList],
) -> None:

    sheet = book.create_sheet(section)
    fields = fields_of(part)
    if section in PIECES and (not entries or any(COUNT in entry for entry in entries)):
        says = "How many, in a row without id: the likeliest pieces are taken."
        count = Field(name=COUNT, form="number", required=False, least=1, most=60, description=says)
        fields = {COUNT: count, **fields}
    notes = {
        name: f"{field.description}{'' if field.required else ' May be left empty.'}".strip()
        for name, field in fields.items()
    }
    _head(sheet, list(fields), notes)
    for row, entry in enumerate(entries, 2):
        for column, name in enumerate(fields, 1):
            put(sheet, row, column, _cell(entry.get(name)))
    last = len(entries) + ROOM + 1
    letters = {name: get_column_letter(column) for column, name in enumerate(fields, 1)}
    for column, (name, field) in enumerate(fields.items(), 1):
        if field.form != "number":
            # Excel would make dates of 4-5-8 and 9-1 in any other format.
            for row in range(2, last + 1):
                sheet.cell(row, column).number_format = "@"
        span = f"{letters[name]}2:{letters[name]}{last}"
        _validate(sheet, field, span, lists, section, letters.get("side", ""))
    if not entries:
        _rule(sheet, len(fields))


class WordList(msgspec.Struct):
    """Words for a drop-down list, and where they stand on the sheet words."""

    title: str
    words: Sequence[str]
    says: Sequence[str] = ()
    span: str = ""


def _word_lists(more: Mapping[object, WordList]) -> dict[object, WordList]:
    """Return the lists of words: of an enum by its class, of types by list and side."""
    catalogue = load_catalogue()
    lists: dict[object, WordList] = {
        CGDate: WordList("CG Date", [*CGDate], [date.title for date in CGDate]),
        Side: WordList("side", [*Side], [side.title for side in Side]),
    }
    for title, choices in _MEANINGS.items():
        meanings = {str(choice): choice.meaning for choice in choices}
        if title.startswith("status"):
            meanings[ELIMINATED] = guide.ELIMINATED_SAYS
        lists[choices] = WordList(title, [*meanings], [*meanings.values()])
    for section, (kind, _) in TYPES.items():
        for side in Side:
            lists[section, side] = WordList(f"{side} {section}", catalogue.names(side, kind))
    names = {formation.id: formation.name for formation in catalogue.formations.values()}
    lists["formation"] = WordList("formation", [*names], [*names.values()])
    lists["flag"] = WordList("yes or no", ["yes", "no"])
    lists |= more
    column = 1
    for word_list in lists.values():
        letter = get_column_letter(column)
        word_list.span = f"{WORDS}!${letter}$2:${letter}${len(word_list.words) + 1}"
        column += 2 if word_list.says else 1
    return lists


_MEANINGS: Mapping[str, type[PositionWord]] = {
    "status of units": UnitStatus,
    "status of equipment": EquipmentStatus,
    "status of vehicles": VehicleStatus,
    "state of gliders": GliderState,
    "kind of fortification": FortificationKind,
    "kind of terrain": TerrainKind,
}


def _write_words(book: Workbook, lists: dict[object, WordList]) -> list[tuple[int, int]]:
    """Write the word lists; return the first and last column of each."""
    sheet = book.create_sheet(WORDS)
    columns: list[tuple[str, Sequence[str], int]] = []
    groups = []
    for word_list in lists.values():
        groups.append((len(columns) + 1, len(columns) + 1 + bool(word_list.says)))
        widest = max(map(len, (word_list.title, *word_list.words)))
        columns.append((word_list.title, word_list.words, widest + 3))
        if word_list.says:
            longest = max(map(len, word_list.says))
            columns.append(("means", word_list.says, min(longest + 2, MAX_WIDTH)))
    _head(sheet, [title for title, _, _ in columns], {})
    for column, (_, words, width) in enumerate(columns, 1):
        sheet.column_dimensions[get_column_letter(column)].width = width
        for row, word in enumerate(words, 2):
            put(sheet, row, column, word)
    return groups


def _validate(
    sheet: Worksheet,
    field: Field,
    span: str,
    lists: dict[object, WordList],
    section: str,
    side_column: str = "",
) -> None:
    """Give the cells of ``span`` their drop-down list, or bounds for a number."""

    rule: Any
    if field.form == "number":
        rule = DataValidation(
            "whole" if field.whole else "decimal",
            formula1=str(field.least),
            formula2=str(field.most),
        )
        rule.operator = "between"
        number = "whole number" if field.whole else "number"
        rule.error = f"A {number} from {field.least} to {field.most}."
    elif source := _source(field, lists, section, side_column):
        rule = DataValidation("list", formula1=source)
        rule.error = "Choose one of the list; the sheet words explains them."
        # A captured piece takes the other side's name; several words take commas.
        rule.errorStyle = "warning" if field.name == "type" else "stop"
        rule.showErrorMessage = not field.many
    else:
        return
    rule.allow_blank = True
    rule.errorTitle = field.name
    rule.add(span)
    sheet.add_data_validation(rule)


def _source(field: Field, lists: dict[object, WordList], section: str, side_column: str) -> str:
    """Return the formula of a field's drop-down list; empty where any text may stand."""
    if field.name == "type" and section in TYPES:
        german, british = (lists[section, side].span for side in (Side.GERMAN, Side.BRITISH))
        return f'IF(${side_column}2="german",{german},{british})'
    key: object = field.choices or (field.form if field.form == "flag" else field.name)
    if field.name == "type":
        key = ("vehicles", Side.GERMAN) if section == "terrain" else ("units", Side.BRITISH)
    return lists[key].span if key in lists else ""
