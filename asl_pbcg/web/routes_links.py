"""Requests for the links of an evening: the address of each viewer, to paste or to photograph."""

from __future__ import annotations

import segno
from fastapi import APIRouter
from fastapi.responses import Response

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.web import messages
from asl_pbcg.web.caller import REFUSALS, Called, as_json

router = APIRouter(prefix="/api")


@router.get("/links", response_model=messages.LinksOut, responses=REFUSALS)
async def links(called: Called) -> Response:
    """Return the link of each viewer, for who keeps the evening; a side has its own alone."""
    if not called.may_begin:
        raise PBCGError("Links are given at the shared screen or by the umpire.")
    found = called.server.links()
    return as_json({"links": [{**link, "picture": _picture(link["address"])} for link in found]})


def _picture(address: str) -> str:
    """Return a QR picture of an address, as an address of the data in it."""
    return segno.make(address, error="m", micro=False).svg_data_uri(scale=4, border=4, light="#fff")
