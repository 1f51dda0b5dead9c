"""Sheets as PDF: a heading band, boxes with facts, ruled tables, notes, a foot on every page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from io import BytesIO
from typing import Any, NamedTuple

import msgspec
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    FrameBreak,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
    Spacer,
)

from asl_pbcg.kernel.paper_letters import say_missing
from asl_pbcg.records import blocks
from asl_pbcg.records.layout import Align, Orientation, Paper
from asl_pbcg.records.paragraphs import BOLD, SANS, drawable, fit_words, paragraph
from asl_pbcg.records.sheet import Picture, Sheet
from asl_pbcg.records.sheet_grid import GUTTER, Newspaper, SheetGrid

_SIDE = 11 * mm
_TOP = 13 * mm
_BOTTOM = 14 * mm
_FOOT_SIZE = 7.0
_FOOT_LINES = 2
_HEADING = 80  # letters of a heading that are repeated on other pages
_BEGUN = 20 * mm  # of a column that a table at least begins with
_PICTURE = -1  # in place of a sheet: a page with a picture


def page_size(sheet: Sheet, paper: Paper) -> tuple[float, float]:
    """Return width and height of the sheet's pages in points."""
    width, height = paper.size
    turned = sheet.layout.orientation is Orientation.LANDSCAPE
    return (height, width) if turned else (width, height)


def render(sheets: Sequence[Sheet], paper: Paper) -> bytes:
    """Return the PDF of ``sheets``; each starts a page and counts its own pages."""
    stream = BytesIO()
    pages: list[int] = []  # which sheet stands on each page
    story: list[Any] = []
    templates: list[Any] = []
    for place, sheet in enumerate(sheets):
        size = page_size(sheet, paper)
        frame = _frame(*size)
        paint = _page_painter(sheet, place, pages)
        if sheet.layout.across > 1:
            drawn = _in_columns(sheet, frame, paint, str(place))
            story += [NextPageTemplate(str(place)), PageBreak()] if templates else []
            templates += drawn.templates
            story += drawn.story
            continue
        template = PageTemplate(str(place), [frame], onPage=paint, pagesize=size)
        # A hair less than the frame, which counts in floating point.
        fitted = _fewest_pages(sheet, size)
        parts = [(template, _story(fitted, frame._width, frame._height - 1))]
        if sheet.picture:
            page = _picture_page(sheet.picture, f"{place} picture", pages)
            parts.insert(0 if sheet.picture_first else 1, (page, [Spacer(1, 1)]))
        for template, flowables in parts:
            if templates:
                story += [NextPageTemplate(template.id), PageBreak()]
            templates.append(template)
            story += flowables
    document = BaseDocTemplate(
        stream,
        pagesize=page_size(sheets[0], paper),
        pageTemplates=templates,
        title=drawable(sheets[0].heading),
        author="pbcg",
        invariant=1,
    )
    document.build(story, canvasmaker=_counting(sheets, pages))
    say_missing()
    return stream.getvalue()


def _frame(width: float, height: float) -> Frame:
    """Return the part of a page in which its tables stand."""
    return _bare_frame(_SIDE, _BOTTOM, width - 2 * _SIDE, height - _TOP - _BOTTOM)


def _bare_frame(left: float, bottom: float, width: float, height: float) -> Frame:
    return Frame(left, bottom, width, height, 0, 0, 0, 0)


class _Drawn(NamedTuple):
    templates: list[PageTemplate]
    story: list[Any]


def _in_columns(sheet: Sheet, frame: Frame, paint: Callable[[Any, Any], None], id: str) -> _Drawn:
    """Return a sheet whose tables follow each other down the columns of its pages."""
    count, width = sheet.layout.across, float(frame._width)
    head = _head(sheet, width, frame._height)
    tall = _heights(head, width, frame._height)
    narrow = (width - GUTTER * (count - 1)) / count
    templates = []
    for name, above in ((id, tall), (f"{id} on", 0.0)):
        top = _BOTTOM + frame._height - above
        frames = [_bare_frame(_SIDE, top, width, above)] if above else []
        for column in range(count):
            left = _SIDE + column * (narrow + GUTTER)
            frames.append(_bare_frame(left, _BOTTOM, narrow, top - _BOTTOM))
        size = (width + 2 * _SIDE, frame._height + _TOP + _BOTTOM)
        templates.append(PageTemplate(name, frames, onPage=paint, pagesize=size))
    most = {part: _count_column_pages(sheet, templates, part) for part in (frame._height / 2, 0.0)}
    part = min(most, key=most.__getitem__)  # tables stay whole where that takes no page
    return _Drawn(templates, _column_story(sheet, templates, part))


def _column_story(sheet: Sheet, templates: Sequence[PageTemplate], whole: float) -> list[Any]:
    """Return what stands in the frames of a sheet in columns; tables no higher than ``whole``
    are not parted."""
    *_, column = templates[1].frames
    narrow, height = float(column._width), float(column._height)
    story = _head(sheet, templates[0].frames[0]._width, height)
    story += [NextPageTemplate(templates[1].id), FrameBreak]
    for table in sheet.layout.tables:
        drawn = blocks.table(table, sheet.rows(table), narrow, height, False, 0)
        high = drawn.wrap(narrow, height)[1]
        least = high if high <= whole else min(high, _BEGUN)
        story += [CondPageBreak(least), drawn, Spacer(1, 1.4 * mm)]
    return story[:-1] + [paragraph(f"• {note}", SANS, 7.5) for note in sheet.all_notes]


def _count_column_pages(sheet: Sheet, templates: Sequence[PageTemplate], whole: float) -> int:
    plain = [
        PageTemplate(template.id, template.frames, pagesize=template.pagesize)
        for template in templates
    ]
    document = BaseDocTemplate(BytesIO(), pagesize=plain[0].pagesize, pageTemplates=plain)
    document.build(_column_story(sheet, templates, whole))
    return int(document.page)


def _fewest_pages(sheet: Sheet, size: tuple[float, float]) -> Sheet:
    """Return a sheet of several tables a little smaller, where that spares a page.

    A table alone sees to that itself.
    """
    rows = sum(map(len, sheet.tables.values()))
    if len(sheet.tables) < 2 or rows > _MAX_FITTED:
        return sheet
    pages = _count_pages(sheet, size)
    if pages == 1 + sum(table.new_page for table in sheet.layout.tables[1:]):
        return sheet
    *larger, smallest = (
        replace(sheet, layout=msgspec.structs.replace(sheet.layout, tables=tables))
        for tables in zip(*map(blocks.smaller, sheet.layout.tables), strict=True)
    )
    if _count_pages(smallest, size) == pages:
        return sheet
    return next((smaller for smaller in larger if _count_pages(smaller, size) < pages), smallest)


_MAX_FITTED = 200
"""Rows of a sheet that is tried in several sizes."""


class _MeasuringFrame(Frame):  # type: ignore[misc]
    """A frame that takes what fits into it and draws nothing."""

    def add(self, flowable: Any, canvas: Any, trySplit: int = 0) -> int:  # noqa: N803
        """Return whether ``flowable`` fits below what was added before."""
        flowable.drawOn = lambda *_, **__: None
        return int(super().add(flowable, canvas, trySplit))


def _count_pages(sheet: Sheet, size: tuple[float, float]) -> int:
    full = _frame(*size)
    frame = _MeasuringFrame(full._x1, full._y1, full._width, full._height, 0, 0, 0, 0)
    document = BaseDocTemplate(BytesIO(), pagesize=size, pageTemplates=[PageTemplate("", [frame])])
    document.build(_story(sheet, frame._width, frame._height - 1))
    return int(document.page)


def _picture_page(picture: Picture, id: str, pages: list[int]) -> PageTemplate:
    """Return a page of the picture's size that holds nothing else."""

    def paint(canvas: Any, _document: Any) -> None:
        pages.append(_PICTURE)
        picture.paint(canvas)

    frame = Frame(0, 0, picture.width, picture.height, 0, 0, 0, 0)
    size = (picture.width, picture.height)
    return PageTemplate(id=id, frames=[frame], onPage=paint, pagesize=size)


def _head(sheet: Sheet, width: float, height: float) -> list[Any]:
    """Return what stands above the tables: band, strip and boxes."""
    page: list[Any] = [blocks.band(sheet.heading, sheet.subtitle, width, height)]
    if sheet.strip:
        page.append(blocks.strip(sheet.strip, width, height))
    if sheet.facts:
        wide = sheet.layout.orientation is Orientation.LANDSCAPE
        page.append(blocks.boxes(sheet.facts, 7 if wide else 5, width, height))
    return [*page, Spacer(1, 2.5 * mm)]


def _story(sheet: Sheet, width: float, height: float) -> list[Any]:
    page = _head(sheet, width, height)
    notes = [paragraph(f"• {note}", SANS, 7.5) for note in sheet.all_notes]
    if notes:
        notes.insert(0, Spacer(1, 2 * mm))
    story: list[Any] = []
    tables = sheet.layout.tables
    for place, table in enumerate(tables):
        if place and table.new_page:
            story += [*page, PageBreak()]
            page = []
        elif place:
            page += [Spacer(1, 5 * mm), CondPageBreak(40 * mm)]
        last = place == len(tables) - 1
        alone = last or tables[place + 1].new_page
        used = _heights([*page, *(notes if last else ())], width, height)
        room = max(height - used - 1, 0) if alone else 0
        blank = table.key not in sheet.tables
        drawn = blocks.table(table, sheet.rows(table), width, height, blank, room)
        page.append(_NotedTable(drawn, notes) if last and notes else drawn)
    return [*story, *page]


class _NotedTable(Flowable):  # type: ignore[misc]
    """The last table of a sheet and the notes under it, which never stand alone on a page."""

    def __init__(self, table: SheetGrid | Newspaper, notes: Sequence[Any]) -> None:
        super().__init__()
        self.table, self.notes, self.space = table, notes, 0.0

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Its width, and the height of table and notes together."""
        self.space = width
        return width, _heights([self.table, *self.notes], width, height)

    def split(self, width: float, height: float) -> list[Any]:
        """Return the part that fits; where only the notes do not, some rows go on with them."""
        tall = _heights([self.table], width, height)
        *first, last = self.table.split(width, min(height, tall - 1)) or [None]
        if last is None or not first:
            return [] if tall > height else [self.table, *self.notes]
        return [*first, _NotedTable(last, self.notes)]

    def draw(self) -> None:
        """Draw it on the page."""
        _, top = self.wrap(self.space, 0)
        for flowable in (self.table, *self.notes):
            top -= _heights([flowable], self.space, top)
            flowable.drawOn(self.canv, 0, top)


def _heights(flowables: Sequence[Any], width: float, height: float) -> float:
    return sum(float(flowable.wrap(width, height)[1]) for flowable in flowables)


def _page_painter(sheet: Sheet, place: int, pages: list[int]) -> Callable[[Any, Any], None]:
    def paint(canvas: Any, _document: Any) -> None:
        width, height = canvas._pagesize
        if place in pages:
            head = fit_words(
                f"{sheet.heading[:_HEADING]}, continued", BOLD, 8, width - 2 * _SIDE, 1
            )
            _, tall = head.wrap(width - 2 * _SIDE, height)
            head.drawOn(canvas, _SIDE, height - _TOP + 2 * mm)
            canvas.setLineWidth(0.8)
            canvas.line(_SIDE, height - _TOP + 1.2 * mm, width - _SIDE, height - _TOP + 1.2 * mm)
        pages.append(place)
        canvas.setLineWidth(0.5)
        canvas.line(_SIDE, _BOTTOM - 2 * mm, width - _SIDE, _BOTTOM - 2 * mm)
        if sheet.footer:
            space = (width - 2 * _SIDE) * 0.62
            foot = fit_words(sheet.footer, SANS, _FOOT_SIZE, space, _FOOT_LINES)
            _, tall = foot.wrap(space, _BOTTOM)
            foot.drawOn(canvas, _SIDE, _BOTTOM - 3 * mm - tall)

    return paint


def _counting(sheets: Sequence[Sheet], pages: list[int]) -> Callable[..., Any]:
    """Return a canvas that writes "page x of y" when all pages are known."""

    class CountingCanvas(Canvas):  # type: ignore[misc]
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            self._finished: list[dict[str, Any]] = []

        def showPage(self) -> None:  # noqa: N802
            self._finished.append(dict(self.__dict__))
            self._startPage()

        def save(self) -> None:
            finished = self._finished
            for page, state in enumerate(finished):
                self.__dict__.update(state)
                place = pages[page]
                if place == _PICTURE:
                    super().showPage()
                    continue
                number = pages[: page + 1].count(place)
                self._number(sheets[place].heading[:_HEADING], number, pages.count(place))
                super().showPage()
            super().save()

        def _number(self, heading: str, number: int, total: int) -> None:
            width = self._pagesize[0]
            space = (width - 2 * _SIDE) * 0.36
            words = f"{heading}, page {number} of {total}"
            foot = fit_words(words, SANS, _FOOT_SIZE, space, _FOOT_LINES, Align.RIGHT)
            _, tall = foot.wrap(space, _BOTTOM)
            foot.drawOn(self, width - _SIDE - space, _BOTTOM - 3 * mm - tall)

    return CountingCanvas
