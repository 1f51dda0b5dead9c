"""Requests for sheets: which there are, as PDF or Excel, and as pictures to look at first."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Query
from fastapi import Path as InPath
from fastapi.responses import Response

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.records.sheet import Sheet
from asl_pbcg.web import messages
from asl_pbcg.web.folder import NoGame
from asl_pbcg.web.routes_games import REFUSALS, Called, Caller, Game, as_json

router = APIRouter(prefix="/api")

KINDS = {
    "pdf": "application/pdf",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
ALL = "all"
"""The name of all sheets together."""
Paper = Annotated[Literal["a4", "letter", "a3", "tabloid"], Query()]
SheetName = Annotated[str, InPath(max_length=60)]
FILES: dict[int | str, dict[str, Any]] = {
    **REFUSALS,
    200: {"content": {kind: {} for kind in KINDS.values()}},
}


def _sheets(called: Caller, id: str, name: str, paper: str) -> list[Sheet]:
    seat = called.desk.folder.room(id).seat(called.viewer, called.eyes)
    if not seat.sees:
        raise PBCGError("Say whose sheets: what is on them is for one player's eyes.")
    return seat.sheet(() if name == ALL else (name,), paper)


@router.get("/games/{id}/sheets", response_model=messages.SheetsOut, responses=REFUSALS)
async def sheets(called: Called, id: Game) -> Response:
    """The sheets that can be printed for this viewer."""

    def read() -> list[Any]:
        found = called.desk.folder.room(id).seat(called.viewer, called.eyes).sheets()
        return [msgspec.to_builtins(each) for each in found]

    return as_json({"sheets": await called.desk.work(read)})


@router.get("/games/{id}/sheets/{name}.pdf", responses=FILES, response_class=Response)
async def sheet_pdf(called: Called, id: Game, name: SheetName, paper: Paper = "a4") -> Response:
    """A sheet as PDF; ``all`` for all of them."""
    return await _file(called, id, name, "pdf", paper)


@router.get("/games/{id}/sheets/{name}.xlsx", responses=FILES, response_class=Response)
async def sheet_excel(called: Called, id: Game, name: SheetName, paper: Paper = "a4") -> Response:
    """A sheet as an Excel workbook; ``all`` for all of them."""
    return await _file(called, id, name, "xlsx", paper)


async def _file(called: Caller, id: str, name: str, kind: str, paper: str) -> Response:
    from asl_pbcg.records.output import to_excel, to_pdf

    def make() -> bytes:
        found = _sheets(called, id, name, paper)
        return to_pdf(found, paper) if kind == "pdf" else to_excel(found, paper)

    saved = f'attachment; filename="{"".join(c for c in name if c.isalnum() or c in "-_")}.{kind}"'
    made = await called.desk.work(make, called.gone)
    return Response(made, media_type=KINDS[kind], headers={"content-disposition": saved})


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
    from asl_pbcg.records.output import to_pdf

    def draw() -> tuple[bytes, int]:
        import io

        import pypdfium2

        with pypdfium2.PdfDocument(to_pdf(_sheets(called, id, name, paper), paper)) as document:
            if page > len(document):
                raise PBCGError(f"This sheet has {len(document)} pages.")
            image = document[page - 1].render(scale=1.6).to_pil()
            out = io.BytesIO()
            image.save(out, "PNG")
            return out.getvalue(), len(document)

    drawn, pages = await called.desk.work(draw, called.gone)
    return Response(drawn, media_type="image/png", headers={"x-pages": str(pages)})


@router.get("/games/{id}/assertions", response_model=messages.FactFormsOut, responses=REFUSALS)
async def fact_forms(called: Called, id: Game) -> Response:
    """How the facts are written that a roster on paper can be compared by."""
    from asl_pbcg.campaign.roster_facts import FORMS

    def read() -> list[str]:
        seat = called.desk.folder.room(id).seat(called.viewer, called.eyes)
        if seat.game.kind != "campaign":
            raise NoGame
        return list(FORMS.values())

    return as_json({"forms": await called.desk.work(read)})


@router.post("/games/{id}/assertions", response_model=messages.AssertionsOut, responses=REFUSALS)
async def compare_with_paper(called: Called, id: Game, given: messages.AssertionsIn) -> Response:
    """Hold a roster on paper against the file, as this viewer may know it."""

    def compare() -> dict[str, Any]:
        room = called.desk.folder.room(id)
        seat = room.seat(called.viewer, called.eyes, write=given.keep)
        compared, kept = seat.compare_with_paper(given.facts, given.keep)
        if kept:
            room.tell()
        return {"facts": [each.plain_data for each in compared], "kept": kept}

    return as_json(await called.desk.work(compare))
