"""A VASL save as the end position: the page sends the file with the answers it has so far."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.play.asked import ask_of
from asl_pbcg.play.vasl_save import is_log, open_save, settle_step
from asl_pbcg.web import messages
from asl_pbcg.web.caller import REFUSALS, Called, Game, as_json
from asl_pbcg.web.routes_position import entering, plain

router = APIRouter(prefix="/api")
_MAX_ANSWERS = 500


@router.post("/games/{id}/position/vasl", response_model=messages.SaveOut, responses=REFUSALS)
async def read_save(
    called: Called,
    id: Game,
    request: Request,
    name: Annotated[str, Query(max_length=80)] = "evening.vsav",
    answers: Annotated[str, Query(max_length=20_000)] = "[]",
) -> Response:
    """Return what a save tells, the next question, and the position once all are answered.

    The body is the ``.vsav``, ``answers`` the answers so far as a JSON list. Nothing is kept here.
    """
    body = await request.body()

    def read() -> dict[str, Any]:
        _, seat = entering(called, id)
        viewers = (Side(seat.sees),) if seat.sees in list(Side) else tuple(Side)
        if seat.sees == "umpire":
            viewers = ()
        with tempfile.TemporaryDirectory(prefix="pbcg-") as folder:
            path = Path(folder) / ("evening.vlog" if is_log(name) else "evening.vsav")
            path.write_bytes(body)
            try:
                dialogue = open_save(path, seat.game.session.state, viewers)
            except PBCGError as error:
                raise PBCGError(str(error).replace(path.name, plain(name))) from error
        found = settle_step(dialogue, _list_values(answers))
        asked = found["asked"]
        return found | {"asked": ask_of(asked, 0, "", "", False) if asked else None}

    return as_json(await called.server.work(read))


def _list_values(text: str) -> list[Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise PBCGError("The answers are not a JSON list.") from error
    if not isinstance(found, list) or len(found) > _MAX_ANSWERS:
        raise PBCGError("The answers are not a JSON list, or too many.")
    return found
