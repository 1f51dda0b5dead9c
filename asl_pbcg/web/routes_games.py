"""Requests about games: which there are, what is asked, answers, rolls, undo, log, events."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Depends, Query, Request
from fastapi import Path as InPath
from fastapi.responses import Response, StreamingResponse

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal_faults import ChangedUnderneath
from asl_pbcg.play.errors import Moved, NotYours
from asl_pbcg.play.seat import Seat
from asl_pbcg.web import messages
from asl_pbcg.web.desk import Desk, desk_of, refusal
from asl_pbcg.web.folder import NoGame
from asl_pbcg.web.keys import Viewer
from asl_pbcg.web.room import Room, line_out

router = APIRouter(prefix="/api")

Eyes = Literal["", "british", "german", "umpire"]
REFUSALS: dict[int | str, dict[str, Any]] = {
    401: {"model": messages.Refusal, "description": "No key, or a wrong one."},
    404: {"model": messages.Refusal, "description": "No such game for this viewer."},
    409: {"model": messages.Moved, "description": "The game has gone on; the present state."},
    413: {"model": messages.Refusal, "description": "Too large."},
    422: {"model": messages.Refusal, "description": "Refused, with the rule; nothing changed."},
}
_numbers = itertools.count(1)


class Caller:
    """Who asks: the viewer of his key, the eyes at a shared screen, and the desk."""

    def __init__(self, request: Request, eyes: Annotated[Eyes, Query()] = "") -> None:
        self.desk: Desk = desk_of(request)
        self.viewer: Viewer = request.scope["viewer"]
        self.eyes: Eyes = eyes if self.viewer == "both" else ""
        self.gone = request.is_disconnected
        """Whether whoever asked waits no longer, so that a long job can be given up."""


Called = Annotated[Caller, Depends()]
Game = Annotated[str, InPath(min_length=1, max_length=40, description="The ID of a game.")]


def as_json(body: Any, status: int = 200) -> Response:
    """A body as JSON, the way that is fastest."""
    return Response(msgspec.json.encode(body), status, media_type="application/json")


async def change(called: Caller, id: str, job: Callable[[Seat], Any]) -> Response:
    """Do ``job`` at the caller's seat; answer the state after it, or at 409 the present one."""

    def work() -> tuple[int, dict[str, Any]]:
        room = called.desk.folder.room(id)
        try:
            job(room.seat(called.viewer, called.eyes, write=True))
        except ChangedUnderneath as error:
            room.close()  # the next look reads the file again
            status, body = refusal(error, called.desk.folder)
            with contextlib.suppress(PBCGError):
                body["state"] = room.state(called.viewer, called.eyes)
            return 409, body
        except (Moved, NotYours) as error:
            status, body = refusal(error, called.desk.folder)
            return status, {**body, "state": room.state(called.viewer, called.eyes)}
        finally:
            room.tell()
        return 200, room.state(called.viewer, called.eyes)

    status, body = await called.desk.work(work)
    return as_json(body, status)


def _fresh(seat: Seat, seq: int) -> None:
    if seq != seat.seq:
        raise Moved("The game has gone on since you looked: look again.")


@router.get("/games", response_model=messages.Games, responses=REFUSALS)
async def games(called: Called) -> Response:
    """Every game file of the folder."""
    folder = called.desk.folder
    cards = await called.desk.work(lambda: folder.cards(called.viewer))
    return as_json({"viewer": called.viewer, "folder": folder.path.name, "games": cards})


@router.post("/games", response_model=messages.Made, responses=REFUSALS)
async def new_game(called: Called, wanted: messages.NewGameIn) -> Response:
    """A new campaign, area game or the sample."""
    from asl_pbcg.web.beginning import begin

    if called.viewer not in ("both", "umpire"):
        raise PBCGError("A new game is begun by the umpire or at the shared screen.")
    id = await called.desk.work(lambda: begin(called.desk.folder, wanted))
    return as_json({"id": id})


@router.get("/games/{id}", response_model=messages.State, responses=REFUSALS)
async def game(called: Called, id: Game) -> Response:
    """Where a game stands for this viewer."""
    folder = called.desk.folder
    return as_json(
        await called.desk.work(lambda: folder.room(id).state(called.viewer, called.eyes))
    )


@router.post("/games/{id}/answers", response_model=messages.State, responses=REFUSALS)
async def answer(called: Called, id: Game, given: messages.AnswerIn) -> Response:
    """An answer to the prompt that waits, and more to those that follow: all or none."""

    def reply(seat: Seat) -> None:
        seat.answer(given.value, given.seq, given.prompt, given.agreed)
        for value in given.more:
            seat.answer(value)

    def job(seat: Seat) -> None:
        own = seat.game.kind == "st"
        before = len(seat.game.session.journal.standing()) if own else 0
        told = len(seat.lines()) if own else 0
        if not given.more:
            reply(seat)
        else:
            try:
                with seat.game.session.together():
                    reply(seat)
            finally:
                seat.game.note_change()
        if own:
            called.desk.folder.room(id).orders.go_on_after(seat, before, told)

    return await change(called, id, job)


@router.post("/games/{id}/rolls", response_model=messages.State, responses=REFUSALS)
async def roll(called: Called, id: Game, given: messages.RollIn) -> Response:
    """The roll that is due, by the program's dice or those thrown at the table."""

    def throw(seat: Seat) -> None:
        faces = tuple(given.faces) if given.faces is not None else None
        seat.roll(faces, given.seq, given.roll)
        if given.all:
            from asl_pbcg.play.asked import AskedRoll

            while not seat.game.typed_dice and isinstance(seat.question(), AskedRoll):
                seat.roll()

    return await change(called, id, throw)


@router.post("/games/{id}/undo", response_model=messages.State, responses=REFUSALS)
async def undo(called: Called, id: Game, given: messages.UndoIn) -> Response:
    """Take back the last answer, or everything since a step."""

    def take_back(seat: Seat) -> None:
        _fresh(seat, given.seq)
        if given.step:
            seat.undo_to(given.step, given.reason, given.sure)
        else:
            seat.undo(given.reason)

    return await change(called, id, take_back)


@router.post("/games/{id}/redo", response_model=messages.State, responses=REFUSALS)
async def redo(called: Called, id: Game, given: messages.RedoIn) -> Response:
    """Give back what the last undo took."""

    def give_back(seat: Seat) -> None:
        _fresh(seat, given.seq)
        seat.redo()

    return await change(called, id, give_back)


@router.post("/games/{id}/corrections", response_model=messages.State, responses=REFUSALS)
async def correct(called: Called, id: Game, given: messages.CorrectionIn) -> Response:
    """Change a fact, with a reason; what a side may not alone is kept as its proposal."""

    def job(seat: Seat) -> None:
        _fresh(seat, given.seq)
        if given.typed is not None:
            seat.correct_typed(given.path, given.typed, given.reason, given.lose)
        else:
            seat.correct(given.path, given.value, given.reason, given.lose)

    return await change(called, id, job)


@router.post("/games/{id}/corrections/agreement", response_model=messages.State, responses=REFUSALS)
async def agree(called: Called, id: Game, given: messages.AgreementIn) -> Response:
    """Agree to the correction that is proposed, decline or withdraw it."""

    def job(seat: Seat) -> None:
        _fresh(seat, given.seq)
        if given.agree:
            seat.agree(given.lose)
        else:
            seat.decline()

    return await change(called, id, job)


@router.get("/games/{id}/log", response_model=messages.LogOut, responses=REFUSALS)
async def log(
    called: Called, id: Game, after: Annotated[int, Query(ge=0, le=10**9, alias="from")] = 0
) -> Response:
    """The log this viewer may see, from a line on."""

    def read() -> dict[str, Any]:
        seat = called.desk.folder.room(id).seat(called.viewer, called.eyes)
        lines = seat.lines()
        shown = [line_out(each, after + n, seat.game.kind) for n, each in enumerate(lines[after:])]
        return {"lines": shown, "line_count": len(lines)}

    return as_json(await called.desk.work(read))


@router.get("/games/{id}/history", responses=REFUSALS)
async def history(called: Called, id: Game) -> Response:
    """What each CG Date so far brought, as far as this viewer may know it."""
    from asl_pbcg.play.history import dates

    def read() -> dict[str, Any]:
        seat = called.desk.folder.room(id).seat(called.viewer, called.eyes)
        if seat.game.kind != "campaign":
            raise NoGame
        return {"dates": dates(seat.game.session.state, seat.sees)}

    return as_json(await called.desk.work(read))


@router.get("/games/{id}/dice", responses=REFUSALS)
async def dice(called: Called, id: Game) -> Response:
    """How the dice fell that this viewer has seen."""
    from asl_pbcg.play.history import dice_falls

    def read() -> dict[str, Any]:
        seat = called.desk.folder.room(id).seat(called.viewer, called.eyes)
        falls = dice_falls(seat.lines())
        return {
            "falls": [
                {**msgspec.to_builtins(each), "mean": each.mean, "expected": each.expected}
                for each in falls
            ]
        }

    return as_json(await called.desk.work(read))


@router.post("/key", response_model=messages.KeyOut, responses=REFUSALS)
async def renew_key(called: Called) -> Response:
    """A new key for this viewer; the old one is worth nothing from now on."""
    return as_json({"viewer": called.viewer, "key": called.desk.keys.renew(called.viewer)})


@router.get("/games/{id}/events", responses=REFUSALS, response_class=StreamingResponse)
async def events(called: Called, id: Game, request: Request) -> Response:
    """Server-sent events: this viewer's number when something changed, and nothing else."""
    desk, loop = called.desk, asyncio.get_running_loop()
    room: Room = await desk.work(lambda: desk.folder.room(id))
    heard: asyncio.Queue[int] = asyncio.Queue()
    number = next(_numbers)

    def hear(seq: int) -> None:
        loop.call_soon_threadsafe(heard.put_nowait, seq)

    first = await desk.work(lambda: room.listen(number, called.viewer, called.eyes, hear))
    key_holds = _same_key(request, called)

    async def stream() -> AsyncIterator[str]:
        stop = asyncio.ensure_future(desk.stopping.wait())
        try:
            yield f"data: {first}\n\n"
            while not stop.done() and key_holds():
                news = asyncio.ensure_future(heard.get())
                await asyncio.wait({news, stop}, timeout=10, return_when=asyncio.FIRST_COMPLETED)
                if news.done():
                    yield f"data: {news.result()}\n\n"
                else:
                    news.cancel()
                    yield ":\n\n"  # keeps the line open, and finds out who has gone
        finally:
            stop.cancel()
            room.leave(number)

    return StreamingResponse(stream(), media_type="text/event-stream")


def _same_key(request: Request, called: Caller) -> Callable[[], bool]:
    """Whether the key of a request is still that viewer's: a renewed one ends the listening."""
    key = request.headers.get("authorization", "").partition(" ")[2].strip()
    return lambda: called.desk.keys.viewer_of(key) == called.viewer
