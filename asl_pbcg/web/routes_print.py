"""Requests for sheets: which there are, as PDF or Excel, and as pictures to look at first."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, Query
from fastapi import Path as InPath
from fastapi.responses import Response

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.lazy_import import lazy_import
from asl_pbcg.play.seat import Seat
from asl_pbcg.records.output import to_excel, to_pdf
from asl_pbcg.records.sheet import Sheet
from asl_pbcg.web import messages
from asl_pbcg.web.caller import REFUSALS, Called, Game

if TYPE_CHECKING:
    import pypdfium2
else:
    pypdfium2 = lazy_import("pypdfium2")

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


def _fill(seat: Seat, name: str, paper: str) -> list[Sheet]:
    if not seat.sees:
        raise PBCGError("Say whose sheets: what is on them is for one player's eyes.")
    return seat.sheet(() if name == ALL else (name,), paper)


@router.get("/games/{id}/sheets", response_model=messages.SheetsOut, responses=REFUSALS)
async def sheets(called: Called, id: Game) -> Response:
    """The sheets that can be printed for this viewer."""
    return await called.tell(id, lambda seat: {"sheets": seat.sheets()})


@router.get("/games/{id}/sheets/{name}.{kind}", responses=FILES, response_class=Response)
async def sheet_file(
    called: Called, id: Game, name: SheetName, kind: Literal["pdf", "xlsx"], paper: Paper = "a4"
) -> Response:
    """A sheet as PDF or an Excel workbook; ``all`` for all of them."""

    def make() -> bytes:
        filled = _fill(called.seat(id), name, paper)
        return to_pdf(filled, paper) if kind == "pdf" else to_excel(filled, paper)

    saved = f'attachment; filename="{"".join(c for c in name if c.isalnum() or c in "-_")}.{kind}"'
    made = await called.server.work(make, called.gone)
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

    def draw() -> tuple[bytes, int]:
        with pypdfium2.PdfDocument(to_pdf(_fill(called.seat(id), name, paper), paper)) as document:
            if page > len(document):
                raise PBCGError(f"This sheet has {len(document)} pages.")
            image = document[page - 1].render(scale=1.6).to_pil()
            out = io.BytesIO()
            image.save(out, "PNG")
            return out.getvalue(), len(document)

    drawn, pages = await called.server.work(draw, called.gone)
    return Response(drawn, media_type="image/png", headers={"x-pages": str(pages)})
