"""Requests about the end position: the draft, files, a VASL save."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.play.asked import AskedPrompt
from asl_pbcg.play.errors import Moved
from asl_pbcg.play.seat import Seat
from asl_pbcg.web import messages
from asl_pbcg.web.folder import NoGame
from asl_pbcg.web.room import Room
from asl_pbcg.web.routes_games import REFUSALS, Called, Caller, Game, as_json

router = APIRouter(prefix="/api")

FILES = (".yaml", ".yml", ".json", ".xlsx")
LISTS = ("units", "equipment", "vehicles", "fortifications", "gliders")


END_POSITION = "0.2"
"""The decision point that asks for the end position."""


def entering(called: Caller, id: str) -> tuple[Room, Seat]:
    """The room and the seat of somebody who enters the end position now. Raises Moved, NoGame."""
    room = called.desk.folder.room(id)
    seat = room.seat(called.viewer, called.eyes)
    if seat.game.kind != "campaign":
        raise NoGame
    pending = seat.game.session.pending
    if pending is None or pending.id != END_POSITION:
        raise Moved("No end position is asked for now.")
    return room, seat


@router.get("/games/{id}/position", response_model=messages.DraftOut, responses=REFUSALS)
async def draft(called: Called, id: Game) -> Response:
    """The draft of the end position, and the pieces this viewer may place."""
    from asl_pbcg.web.draft import first_draft, judge, read_draft, tray

    def read() -> dict[str, Any]:
        room, seat = entering(called, id)
        state = seat.game.session.state
        kept = read_draft(room.path, state)
        position = kept.position if kept else first_draft(state)
        return {
            "number": kept.number if kept else 0,
            "position": position,
            "pieces": tray(state, seat.sees),
            **judge(state, position),
        }

    return as_json(await called.desk.work(read))


@router.put("/games/{id}/position", response_model=messages.JudgedOut, responses=REFUSALS)
async def keep(called: Called, id: Game, given: messages.DraftIn) -> Response:
    """Keep a draft: its faults, and the Setup Areas it makes."""
    from asl_pbcg.web.draft import judge, keep_draft, read_draft

    def write() -> dict[str, Any]:
        room, seat = entering(called, id)
        state = seat.game.session.state
        kept = read_draft(room.path, state)
        if given.number != (kept.number if kept else 0):
            raise Moved("Somebody else has changed the position since: look again.")
        found = judge(state, given.position)
        room.draft = keep_draft(room.path, state, given.number + 1, given.position).number
        room.tell()
        return {"number": room.draft, **found}

    return as_json(await called.desk.work(write))


@router.post("/games/{id}/position/file", response_model=messages.DocumentOut, responses=REFUSALS)
async def read_file(
    called: Called, id: Game, request: Request, name: Annotated[str, Query(max_length=80)]
) -> Response:
    """A position, setup or list of changes in a file, as the answer to what is asked now."""
    body = await request.body()

    def read() -> dict[str, Any]:
        seat = called.desk.folder.room(id).seat(called.viewer, called.eyes)
        if not isinstance(asked := seat.asked(), AskedPrompt) or asked.kind != "document":
            raise Moved("No file is asked for now.")
        value = read_upload(seat, body, name)
        return {"value": value, "summary": summary(value)}

    return as_json(await called.desk.work(read))


def read_upload(seat: Any, body: bytes, name: str) -> Any:
    """The file ``name`` with ``body`` as plain data. Raises PBCGError with all its faults."""
    suffix = Path(name).suffix.lower()
    if suffix not in FILES:
        raise PBCGError(f"A position file ends in {', '.join(FILES)}.")
    session = seat.game.session
    with tempfile.TemporaryDirectory(prefix="pbcg-") as folder:
        path = Path(folder) / f"file{suffix}"
        path.write_bytes(body)
        try:
            return seat.game.plug.read_document(session, session.pending, str(path))
        except PBCGError as error:
            # The name the player knows, not that of the copy.
            told = str(error).replace(str(path), plain(name)).replace(path.name, plain(name))
            raise PBCGError(told) from error


def plain(name: str) -> str:
    """A file name on one line, without a folder."""
    return "".join(each if each.isprintable() else " " for each in Path(name).name)


def summary(value: Any) -> str:
    """What a document holds, in a few words."""
    if not isinstance(value, dict):
        return str(value)
    parts = [f"{len(value[each])} {each}" for each in LISTS if value.get(each)]
    return ", ".join(parts) or "nothing"
