"""Requests for sheets: which there are, as PDF or Excel, and as pictures to look at first."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import APIRouter, Query
from fastapi import Path as InPath
from fastapi.responses import Response

from asl_pbcg.web import messages
from asl_pbcg.web.caller import REFUSALS, Called, Game, as_json
from asl_pbcg.web.page_work import draw_page, export_table, print_sheets

router = APIRouter(prefix="/api")

DATA_KINDS = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
KINDS = {
    "pdf": "application/pdf",
    "xlsx": DATA_KINDS["xlsx"],
}
Paper = Annotated[Literal["a4", "letter", "a3", "tabloid"], Query()]
SheetName = Annotated[str, InPath(max_length=60)]
FILES: dict[int | str, dict[str, Any]] = {
    **REFUSALS,
    200: {"content": {kind: {} for kind in KINDS.values()}},
}


def remark_header(remark: str) -> dict[str, str]:
    """Return the header that brings the page a remark on a print; no header without one."""
    return {"x-remark": quote(remark)} if remark else {}


@router.get("/games/{id}/sheets", response_model=messages.SheetsOut, responses=REFUSALS)
async def sheets(called: Called, id: Game) -> Response:
    """The sheets that can be printed for this viewer."""
    return await called.tell(id, lambda seat: {"sheets": seat.sheets()})


@router.get("/games/{id}/sheets/{name}.{kind}", responses=FILES, response_class=Response)
async def sheet_file(
    called: Called,
    id: Game,
    name: SheetName,
    kind: Literal["pdf", "xlsx"],
    paper: Paper = "a4",
    work: Annotated[str, Query(max_length=40)] = "",
) -> Response:
    """A sheet as PDF or an Excel workbook; ``all`` for all of them.

    ``work`` is a name made up by the page, by which it can ask for the progress.
    """

    saved = f'attachment; filename="{"".join(c for c in name if c.isalnum() or c in "-_")}.{kind}"'
    made, remark = await called.make(print_sheets, id, name, paper, kind, name=work)
    headers = {"content-disposition": saved, **remark_header(remark)}
    return Response(made, media_type=KINDS[kind], headers=headers)


@router.get("/games/{id}/tables/{name}.{kind}", responses=FILES, response_class=Response)
async def table_file(
    called: Called, id: Game, name: SheetName, kind: Literal["csv", "xlsx"]
) -> Response:
    """A table of a campaign as data: dates, dice, log, losses, luck, or those of a sheet."""
    saved = f'attachment; filename="{"".join(c for c in name if c.isalnum() or c in "-_")}.{kind}"'
    made = await called.make(export_table, id, name, kind)
    return Response(made, media_type=DATA_KINDS[kind], headers={"content-disposition": saved})


@router.get(
    "/games/{id}/sheets/{name}/pages/{page}.png",
    responses={**REFUSALS, 200: {"content": {"image/png": {}}}},
    response_class=Response,
)
async def sheet_page(
    called: Called,
    id: Game,
    name: SheetName,
    page: Annotated[int, InPath(ge=1, le=200)],
    paper: Paper = "a4",
) -> Response:
    """One page of a sheet as a picture; the header ``x-pages`` tells how many there are."""

    drawn, pages, remark = await called.make(draw_page, id, name, paper, page)
    headers = {"x-pages": str(pages), **remark_header(remark)}
    return Response(drawn, media_type="image/png", headers=headers)


@router.get("/progress/{name}", response_model=messages.ProgressOut, responses=REFUSALS)
async def progress(called: Called, name: Annotated[str, InPath(max_length=40)]) -> Response:
    """The share that is done, from 0 to 1, of work that the page has named so."""
    return as_json({"done": called.server.progress.get(name, 0.0)})
