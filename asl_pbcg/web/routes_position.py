"""Requests about the end position: the draft, files, a VASL save read, the next VASL save made."""

from __future__ import annotations

import base64
import json
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from asl_pbcg.campaign.entry.end_position import settle_position
from asl_pbcg.campaign.state.seen import known_by, sides_that_look
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.play.asked import AskedPrompt, ask_of
from asl_pbcg.play.campaign_game.against_ob import open_holding
from asl_pbcg.play.campaign_game.vasl_save import is_log, open_save, settle_step
from asl_pbcg.play.campaign_game.vasl_save_next import next_save
from asl_pbcg.play.refusals import Moved, NotTaken
from asl_pbcg.play.seat import Seat
from asl_pbcg.web import messages
from asl_pbcg.web.caller import REFUSALS, Called, Caller, Game, as_json
from asl_pbcg.web.draft_trays import OWN_DRAFTS
from asl_pbcg.web.draft_work import HiddenWork, Work
from asl_pbcg.web.folder import NoGame
from asl_pbcg.web.served_game import ServedGame

router = APIRouter(prefix="/api")
_MAX_ANSWERS = 500

FILES = (".yaml", ".yml", ".json", ".xlsx")
LISTS = ("units", "equipment", "vehicles", "fortifications", "gliders", "roster", "rg", "bought")


def entering(called: Caller, id: str) -> tuple[ServedGame, Seat]:
    """Return room and seat of a caller who enters the end position now. Raises Moved, NoGame."""
    room = called.server.folder.room(id)
    seat = room.seat(called.viewer, called.eyes)
    if "board" not in seat.game.plug.features:
        raise NoGame
    pending = seat.game.session.pending
    if not isinstance(pending, Prompt) or pending.widget != "position":
        raise Moved("No end position is asked for now.")
    return room, seat


def work_at(called: Caller, id: str) -> Work:
    """Return the draft that the caller works at: of the end position, or one of his own.

    Raises Moved where neither is asked of him, NoGame.
    """
    room = called.server.folder.room(id)
    seat = room.seat(called.viewer, called.eyes)
    asked = seat.pending
    if isinstance(asked, Prompt) and asked.widget in OWN_DRAFTS:
        kind = HiddenWork if asked.widget == "hidden" else Work
        return kind(room, seat.game.session, seat.sees, Side(asked.side))
    room, seat = entering(called, id)
    return Work(room, seat.game.session, seat.sees, None)


def _fresh(work: Work, number: int) -> None:
    if number != work.number:
        raise Moved("Somebody else has changed the draft since: look again.")


@router.get("/games/{id}/position", response_model=messages.DraftOut, responses=REFUSALS)
async def draft(
    called: Called, id: Game, proposal: Annotated[str, Query(max_length=64)] = ""
) -> Response:
    """The draft of the end position or of one's setup, and the pieces this viewer may place.

    With the digest of a ``proposal`` that position, to look at, instead of the draft.
    """

    def read() -> dict[str, Any]:
        work, difference = work_at(called, id), None
        if proposal:
            _, seat = entering(called, id)
            work.look_at(seat.proposed_document(proposal))
            difference = msgspec.to_builtins(seat.difference(proposal))
        pieces, places = work.pieces()
        about = {"task": work.task, "side": work.side or "", "pieces": pieces, "places": places}
        hides = {"hides_groups": work.hides_groups}
        shown = {"position": work.position, "difference": difference}
        return {**work.judge(), **shown, **about, **hides}

    return as_json(await called.server.work(read))


@router.put("/games/{id}/position", response_model=messages.JudgedOut, responses=REFUSALS)
async def keep(called: Called, id: Game, given: messages.DraftIn) -> Response:
    """Keep a draft as a whole: its faults, and the Setup Areas it makes."""

    def write() -> dict[str, Any]:
        work = work_at(called, id)
        _fresh(work, given.number)
        work.put(given.position)
        work.room.tell()
        return work.judge()

    return as_json(await called.server.work(write))


@router.post("/games/{id}/position/orders", response_model=messages.WorkedOut, responses=REFUSALS)
async def order(called: Called, id: Game, given: messages.DraftOrdersIn) -> Response:
    """Carry out orders on the draft, as ``pbcg position edit`` does: one change, or none."""

    def write() -> dict[str, Any]:
        work = work_at(called, id)
        _fresh(work, given.number)
        work.carry_out(given.orders)
        work.room.tell()
        return {**work.judge(), "position": work.position}

    return as_json(await called.server.work(write))


@router.post("/games/{id}/position/file", response_model=messages.DocumentOut, responses=REFUSALS)
async def read_file(
    called: Called, id: Game, request: Request, name: Annotated[str, Query(max_length=80)]
) -> Response:
    """A position, setup or list of changes in a file, as the answer to what is asked now."""
    body = await request.body()

    def read() -> dict[str, Any]:
        seat = called.server.folder.room(id).seat(called.viewer, called.eyes)
        if not isinstance(asked := seat.question(), AskedPrompt) or asked.kind != "document":
            raise Moved("No file is asked for now.")
        value = read_upload(seat, body, name)
        return {"value": value, "summary": summary(value)}

    return as_json(await called.server.work(read))


@router.post("/games/{id}/position/held", response_model=messages.HeldOut, responses=REFUSALS)
async def hold(called: Called, id: Game, given: messages.HeldIn) -> Response:
    """Ask about what looks like a slip in an end position, a question at a time.

    The page sends the answers so far; nothing is kept here. Rule: 9.2 OB.
    """

    def read() -> dict[str, Any]:
        _, seat = entering(called, id)
        viewers = sides_that_look(seat.sees)
        known = known_by(seat.game.session.now, viewers)
        position = settle_position(known, given.position, viewers=viewers)
        dialogue = open_holding(known, position, viewers)
        try:
            for answer in given.answers:
                dialogue.answer(answer)
        except NotTaken as error:
            return {"asked": None, "position": None, "told": str(error), "lines": []}
        notes = (line for line in dialogue.lines() if line.kind == "note")
        told = {"told": "", "lines": [{"text": n.text, "topic": n.topic} for n in notes]}
        if dialogue.pending is not None:
            asked = ask_of(dialogue.pending, 0, "", "", False)
            return {"asked": asked, "position": None, **told}
        held = dialogue.result
        taken = given.position if held is position else msgspec.to_builtins(held)
        return {"asked": None, "position": taken, **told}

    return as_json(await called.server.work(read))


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
        viewers = sides_that_look(seat.sees)
        with upload_place(body, name, ".vlog" if is_log(name) else ".vsav") as path:
            dialogue = open_save(path, seat.game.session.state, viewers)
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


def read_upload(seat: Any, body: bytes, name: str) -> Any:
    """The file ``name`` with ``body`` as plain data. Raises PBCGError with all its faults."""
    session = seat.game.session
    with upload_place(body, name) as path:
        return seat.game.plug.read_document(session, session.pending, str(path), seat.sees)


@contextmanager
def upload_place(body: bytes, name: str, suffix: str = "") -> Iterator[Path]:
    """Give a file with ``body`` for a while; a refusal names the player's own, not the copy.

    Without a ``suffix`` it is a position file, by its name. Raises PBCGError for another.
    """
    if not suffix and (suffix := Path(name).suffix.lower()) not in FILES:
        raise PBCGError(f"A file here ends in {', '.join(FILES)}.")
    with tempfile.TemporaryDirectory(prefix="pbcg-") as folder:
        # No two are called alike, so that each refusal finds its own.
        path = Path(folder) / f"{Path(folder).name}{suffix}"
        path.write_bytes(body)
        try:
            yield path
        except PBCGError as error:
            told = str(error).replace(str(path), plain(name)).replace(path.name, plain(name))
            raise PBCGError(told) from error


def plain(name: str) -> str:
    """A file name on one line, without a folder."""
    return "".join(each if each.isprintable() else " " for each in Path(name).name)


def summary(value: Any) -> str:
    """Return the contents of a document in a few words."""
    if not isinstance(value, dict):
        return str(value)
    parts = [f"{len(value[each])} {each}" for each in LISTS if value.get(each)]
    return ", ".join(parts) or "nothing"


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
        names = ("what", "head", "lines")
        lines = [dict(zip(names, each, strict=True)) for each in report.lines()]
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
