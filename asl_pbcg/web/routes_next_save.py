"""The request for the VASL save of the next scenario."""

from __future__ import annotations

import base64
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.play.seat import Seat
from asl_pbcg.play.vasl_save import is_log
from asl_pbcg.play.vasl_save_next import next_save
from asl_pbcg.web import messages
from asl_pbcg.web.caller import REFUSALS, Called, Game, as_json
from asl_pbcg.web.folder import NoGame
from asl_pbcg.web.routes_position import plain, upload_place

router = APIRouter(prefix="/api")


@router.post(
    "/games/{id}/position/next-save", response_model=messages.NextSaveOut, responses=REFUSALS
)
async def make_next_save(called: Called, id: Game, given: messages.NextSaveIn) -> Response:
    """Return the VASL save of the next scenario for this viewer's eyes, and what was done for it.

    The files stay as they are, and nothing is kept here.
    """

    def make() -> dict[str, Any]:
        seat = called.seat(id)
        if "board" not in seat.game.plug.features:
            raise NoGame
        side = _side_of_save(seat, given.side)
        with ExitStack() as stack:
            base = _given_place(stack, given.base)
            onto = _given_place(stack, given.onto) if given.onto else None
            palettes = [_given_place(stack, each) for each in given.palettes]
            module = _given_place(stack, given.module, ".vmod") if given.module else None
            content, report = next_save(
                seat.game.session, base, side, onto, palettes, module, given.perimeters
            )
        lines = [{"head": head, "lines": lines} for head, lines in report.lines()]
        file = base64.b64encode(content).decode()
        return {"file": file, "stayed": report.stayed, "report": lines}

    return as_json(await called.server.work(make))


def _side_of_save(seat: Seat, wanted: str) -> Side | None:
    """Return for whose eyes a save is made; None for the umpire's. Raises PBCGError."""
    if not seat.sees:
        raise PBCGError("Say whose save: what is in it is for one player's eyes.")
    if seat.sees not in list(Side):
        return Side(wanted) if wanted else None
    side = Side(seat.sees)
    if wanted not in ("", side):
        raise PBCGError(
            f"This is for the {side.title} player's eyes: only the {Side(wanted).title} player "
            f"or the umpire makes a save for the {Side(wanted).title} player."
        )
    return side


def _given_place(stack: ExitStack, file: messages.FileIn, suffix: str = ".vsav") -> Path:
    """Lay a file that came in a message into the place of an upload. Raises PBCGError."""
    try:
        body = base64.b64decode(file.content, validate=True)
    except ValueError as error:
        raise PBCGError(f"{plain(file.name)} did not arrive whole: send it again.") from error
    if suffix == ".vsav" and is_log(file.name):
        suffix = ".vlog"
    return stack.enter_context(upload_place(body, file.name, suffix))
