"""Requests about any game: which there are, what is asked, answers, rolls, undo, log, events."""

from __future__ import annotations

import asyncio
import itertools
import math
import time
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Annotated, Any, Final, TypeVar

import msgspec
from fastapi import APIRouter, Query, Request
from fastapi import Path as InPath
from fastapi.responses import Response, StreamingResponse

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal_file import read_file
from asl_pbcg.play.campaign_game.history import dice_falls
from asl_pbcg.play.look_ahead import look_ahead
from asl_pbcg.play.plug import Beginning, all_beginnings
from asl_pbcg.play.seat import Seat
from asl_pbcg.web import messages
from asl_pbcg.web.caller import REFUSALS, Called, Caller, Game, as_json
from asl_pbcg.web.folder import DELETED, Folder, NoGame, game_id
from asl_pbcg.web.page_work import draw_picture, kept_picture
from asl_pbcg.web.routes_position import upload_place
from asl_pbcg.web.served_game import ServedGame, line_out

T = TypeVar("T")
router = APIRouter(prefix="/api")
PNG: dict[int | str, dict[str, Any]] = {**REFUSALS, 200: {"content": {"image/png": {}}}}
GAME_FILE: dict[int | str, dict[str, Any]] = {
    **REFUSALS,
    200: {"content": {"application/octet-stream": {}}},
}
QUICK: Final = 0.3
"""So many seconds are spent on reading games for a quick list of them."""
_numbers = itertools.count(1)


@router.get("/games", response_model=messages.Games, responses=REFUSALS)
async def games(called: Called, quick: bool = False) -> Response:
    """Every game file of the folder, last played first.

    A ``quick`` answer has the names alone of files that take longer to read.
    """
    server, folder = called.server, called.server.folder
    until = time.monotonic() + QUICK if quick else math.inf
    cards = []
    for file in await server.work(folder.by_time):
        # One by one: what is asked and answered elsewhere in the page comes between.
        read = time.monotonic() < until
        cards.append(await server.work(partial(folder.card, file, called.viewer, read)))
    if not called.may_begin:  # when a file was written tells a side what the other one does
        cards.sort(key=lambda each: each["file"].lower())
    cards.sort(key=lambda each: each["played"], reverse=True)
    forms = [each.form for each in all_beginnings() if each.button and called.may_begin]
    home = {"viewer": called.viewer, "folder": folder.path.name, "games": cards, "forms": forms}
    return as_json({**home, "keeps": called.may_begin})


@router.get("/games/{id}/card", response_model=messages.GameCard, responses=REFUSALS)
async def card(called: Called, id: Game) -> Response:
    """The card of one game."""
    folder = called.server.folder
    return as_json(
        await called.server.work(lambda: folder.card(folder.room(id).path, called.viewer))
    )


@router.post("/games/{id}/name", response_model=messages.Made, responses=REFUSALS)
async def rename(called: Called, id: Game, given: messages.NameIn) -> Response:
    """Give a game's file another name; its ID is another then."""
    return await _keep(called, lambda folder: {"id": game_id(folder.rename(id, given.name))})


@router.post("/games/{id}/copy", response_model=messages.Made, responses=REFUSALS)
async def copy(called: Called, id: Game, given: messages.NameIn) -> Response:
    """Copy a game's file under another name."""
    return await _keep(called, lambda folder: {"id": game_id(folder.copy(id, given.name))})


@router.delete("/games/{id}", response_model=messages.DeletedGame, responses=REFUSALS)
async def delete(called: Called, id: Game) -> Response:
    """Move a game's file into the folder of deleted games."""
    return await _keep(called, lambda folder: {"file": f"{DELETED}/{folder.delete(id).name}"})


@router.get("/games/{id}/file", responses=GAME_FILE, response_class=Response)
async def download(called: Called, id: Game) -> Response:
    """The game's file, with everything both sides keep secret."""
    _check_keeper(called)
    content = await called.server.work(lambda: read_file(called.room(id).path))
    return Response(content, media_type="application/octet-stream")


def _check_keeper(called: Caller) -> None:
    """Raise PBCGError for a side: a game's file is the umpire's or belongs to both."""
    if not called.may_begin:
        raise PBCGError("Files of games are kept by the umpire or at the shared screen.")


async def _keep(called: Caller, change: Callable[[Folder], dict[str, str]]) -> Response:
    """Change something about the files of the folder."""
    _check_keeper(called)
    return as_json(await called.server.work(lambda: change(called.server.folder)))


@router.post("/games", response_model=messages.Made, responses=REFUSALS)
async def new_game(called: Called, wanted: messages.NewGameIn) -> Response:
    """A new campaign, area game or the sample."""
    beginning = _beginning(called, wanted.kind)

    def make() -> str:
        path = called.server.folder.new_file(wanted.name)
        beginning.make(path, wanted.model_extra or {}, wanted.seed)
        return game_id(path)

    return as_json({"id": await called.server.work(make)})


@router.post("/games/file", response_model=messages.Made, responses=REFUSALS)
async def new_game_from_file(
    called: Called,
    request: Request,
    kind: Annotated[str, Query(max_length=60)],
    name: Annotated[str, Query(min_length=1, max_length=60)],
    file: Annotated[str, Query(max_length=80)],
) -> Response:
    """A new game as an upload_place file tells it; what else was chosen stands in the query."""
    content = await request.body()
    chosen = {
        k: v for k, v in request.query_params.items() if k not in ("kind", "name", "file", "eyes")
    }
    beginning = _beginning(called, kind)

    def make() -> str:
        path = called.server.folder.new_file(name)
        with upload_place(content, file) as place:
            beginning.make(path, chosen, None, place)
        return game_id(path)

    return as_json({"id": await called.server.work(make)})


def _beginning(called: Caller, kind: str) -> Beginning:
    """Return the way to begin a game of a kind. Raises PBCGError."""
    if not called.may_begin:
        raise PBCGError("A new game is begun by the umpire or at the shared screen.")
    beginning = next((each for each in all_beginnings() if each.kind == kind), None)
    if beginning is None:
        raise PBCGError(f'There is no game of the kind "{kind}" to begin.')
    return beginning


@router.get("/games/{id}", response_model=messages.StateOut, responses=REFUSALS)
async def game(called: Called, id: Game) -> Response:
    """Where a game stands for this viewer."""
    return as_json(
        await called.server.work(lambda: called.room(id).state(called.viewer, called.eyes))
    )


@router.post("/games/{id}/answers", response_model=messages.StateOut, responses=REFUSALS)
async def answer(called: Called, id: Game, given: messages.AnswerIn) -> Response:
    """An answer to the prompt that waits, and more to those that follow: all or none."""

    def job(seat: Seat) -> None:
        with called.room(id).orders.going_on(seat):
            seat.answer_all([given.value, *given.more], given.seq, given.prompt)

    return await called.change(id, job)


@router.post("/games/{id}/rolls", response_model=messages.StateOut, responses=REFUSALS)
async def roll(called: Called, id: Game, given: messages.RollIn) -> Response:
    """The roll that is due, by the program's dice or those thrown at the table."""

    def throw(seat: Seat) -> None:
        faces = tuple(given.faces) if given.faces is not None else None
        seat.roll(faces, given.seq, given.roll)
        if given.all:
            seat.roll_on()

    return await called.change(id, throw)


@router.post("/games/{id}/undo", response_model=messages.StateOut, responses=REFUSALS)
async def undo(called: Called, id: Game, given: messages.UndoIn) -> Response:
    """Undo the last answer, or everything since a step or a line of the log."""

    def undo_as(seat: Seat) -> None:
        if given.line is not None:
            seat.undo_to(seat.entry_of(given.line), given.reason, given.sure)
        elif given.step:
            seat.undo_to(given.step, given.reason, given.sure)
        else:
            seat.undo(given.reason)

    return await called.change(id, undo_as, seq=given.seq)


@router.post("/games/{id}/redo", response_model=messages.StateOut, responses=REFUSALS)
async def redo(called: Called, id: Game, given: messages.RedoIn) -> Response:
    """Redo what was undone last."""
    return await called.change(id, Seat.redo, seq=given.seq)


@router.get("/games/{id}/corrections", response_model=messages.CorrectableOut, responses=REFUSALS)
async def correctable(
    called: Called, id: Game, piece: Annotated[str, Query(max_length=80)] = ""
) -> Response:
    """The facts of a piece, or of the game without one, with present values and choices."""

    def read(seat: Seat) -> dict[str, Any]:
        return {"facts": seat.correctable_facts(piece)}

    return await called.tell(id, read)


@router.post("/games/{id}/corrections", response_model=messages.StateOut, responses=REFUSALS)
async def correct(called: Called, id: Game, given: messages.CorrectionIn) -> Response:
    """Change a fact, with a reason; what a side may not alone is kept as its proposal."""

    def job(seat: Seat) -> None:
        if given.typed is not None:
            seat.correct_typed(given.path, given.typed, given.reason, given.lose)
        else:
            seat.correct(given.path, given.value, given.reason, given.lose)

    return await called.change(id, job, seq=given.seq)


@router.post("/games/{id}/hand", response_model=messages.StateOut, responses=REFUSALS)
async def hand(called: Called, id: Game, given: messages.HandIn) -> Response:
    """Hand what a side decides to one of its players."""
    return await called.change(id, lambda seat: seat.hand(given.name, given.side))


@router.post("/games/{id}/agreement", response_model=messages.StateOut, responses=REFUSALS)
async def agree(called: Called, id: Game, given: messages.AgreementIn) -> Response:
    """Agree to the proposal with a digest, decline or withdraw it; 409 if it has changed."""

    def job(seat: Seat) -> None:
        if given.agree:
            seat.agree(given.proposal, given.seq, given.lose)
        else:
            seat.decline(given.proposal)

    return await called.change(id, job, seq=given.seq)


@router.get("/games/{id}/log", response_model=messages.LogOut, responses=REFUSALS)
async def log(
    called: Called, id: Game, after: Annotated[int, Query(ge=0, le=10**9, alias="from")] = 0
) -> Response:
    """The log this viewer may see, from a line on."""

    def read(seat: Seat) -> dict[str, Any]:
        lines = seat.lines()
        shown = [line_out(each, after + n, seat.game.plug) for n, each in enumerate(lines[after:])]
        return {"lines": shown, "line_count": len(lines)}

    return await called.tell(id, read)


@router.get("/games/{id}/dice", responses=REFUSALS)
async def dice(called: Called, id: Game) -> Response:
    """How the dice fell that this viewer has seen."""

    def read(seat: Seat) -> dict[str, Any]:
        falls = dice_falls(seat.lines())
        return {
            "falls": [
                {**msgspec.to_builtins(each), "mean": each.mean, "expected": each.expected}
                for each in falls
            ]
        }

    return await called.tell(id, read)


@router.post("/games/{id}/ahead", response_model=messages.AheadOut, responses=REFUSALS)
async def ahead(called: Called, id: Game, given: messages.AheadIn) -> Response:
    """Return what would be asked after some answers; nothing is written, and nothing is thrown."""
    return await called.tell(id, lambda seat: look_ahead(seat, given.answers), seq=given.seq)


@router.get("/games/{id}/map", responses=REFUSALS)
async def layers(
    called: Called, id: Game, at: Annotated[str, Query(max_length=20)] = ""
) -> Response:
    """Return what lies on the map for this viewer, now or at the end of an earlier CG Date."""
    return await called.tell(id, lambda seat: _or_nothing(seat.layers(at)))


@router.get("/games/{id}/pieces/{piece}", responses=REFUSALS)
async def piece(called: Called, id: Game, piece: Annotated[str, InPath(max_length=60)]) -> Response:
    """The facts of a piece and its service record, as far as this viewer may know it."""
    return await called.tell(id, lambda seat: _or_nothing(seat.piece(piece)))


@router.get("/games/{id}/picture.png", responses=PNG, response_class=Response)
async def picture(called: Called, id: Game) -> Response:
    """A small picture of the map, for the home page."""
    kept = await called.look(id, _read_picture)
    drawn = kept or _or_nothing(await called.make(draw_picture, id, later=True))
    return Response(drawn, media_type="image/png")


def _read_picture(seat: Seat) -> bytes:
    """Return the picture that is kept for a seat; nothing where it must be drawn."""
    file = kept_picture(seat)
    try:
        return file.read_bytes() if file else b""
    except OSError:
        return b""


def _or_nothing(found: T | None) -> T:
    """Return what was found. Raises NoGame, so that nothing tells why there is nothing."""
    if found is None:
        raise NoGame
    return found


@router.post("/key", response_model=messages.KeyOut, responses=REFUSALS)
async def renew_key(called: Called) -> Response:
    """A new key for this viewer; the old one is worth nothing from now on."""
    return as_json({"viewer": called.viewer, "key": called.server.keys.renew(called.viewer)})


@router.get("/games/{id}/events", responses=REFUSALS, response_class=StreamingResponse)
async def events(called: Called, id: Game, request: Request) -> Response:
    """Server-sent events: this viewer's number when something changed, and nothing else."""
    server, loop = called.server, asyncio.get_running_loop()
    room: ServedGame = await server.work(lambda: called.room(id))
    heard: asyncio.Queue[int] = asyncio.Queue()
    number = next(_numbers)

    def hear(seq: int) -> None:
        loop.call_soon_threadsafe(heard.put_nowait, seq)

    first = await server.work(lambda: room.listen(number, called.viewer, called.eyes, hear))
    key_holds = _same_key(request, called)

    async def stream() -> AsyncIterator[str]:
        stop = asyncio.ensure_future(server.stopping.wait())
        news = asyncio.ensure_future(heard.get())
        try:
            yield f"data: {first}\n\n"
            while not stop.done() and key_holds():
                await asyncio.wait({news, stop}, timeout=10, return_when=asyncio.FIRST_COMPLETED)
                if news.done():
                    yield f"data: {news.result()}\n\n"
                    news = asyncio.ensure_future(heard.get())
                else:
                    yield ":\n\n"  # keeps the line open, and finds out who has gone
        finally:
            stop.cancel()
            news.cancel()
            room.leave(number)

    return StreamingResponse(stream(), media_type="text/event-stream")


def _same_key(request: Request, called: Caller) -> Callable[[], bool]:
    """Whether the key of a request is still that viewer's: a renewed one ends the listening."""
    key = request.headers.get("authorization", "").partition(" ")[2].strip()
    return lambda: called.server.keys.viewer_of(key) == called.viewer
