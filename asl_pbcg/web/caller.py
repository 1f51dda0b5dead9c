"""The caller of a request: the viewer of a key at the game asked for, and how it is answered."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from fastapi import Depends, Query, Request
from fastapi import Path as InPath
from fastapi.responses import Response

from asl_pbcg.kernel.entries import ChangedUnderneath
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.play.plug import Plug
from asl_pbcg.play.refusals import Moved, NotYours
from asl_pbcg.play.seat import Seat
from asl_pbcg.web import messages
from asl_pbcg.web.folder import NoGame
from asl_pbcg.web.guard import Viewer
from asl_pbcg.web.page_work import ViewerPlace
from asl_pbcg.web.served_game import ServedGame
from asl_pbcg.web.server_context import ServerContext, refusal

T = TypeVar("T")
Eyes = Literal["", "british", "german", "umpire"]
REFUSALS: dict[int | str, dict[str, Any]] = {
    401: {"model": messages.Refusal, "description": "No key, or a wrong one."},
    404: {"model": messages.Refusal, "description": "No such game for this viewer."},
    409: {"model": messages.MovedOut, "description": "The game has gone on; the present state."},
    413: {"model": messages.Refusal, "description": "Too large."},
    422: {"model": messages.Refusal, "description": "Refused, with the rule; nothing changed."},
}


class Caller:
    """The viewer of a key, the eyes at a shared screen, and what the server shares."""

    def __init__(self, request: Request, eyes: Annotated[Eyes, Query()] = "") -> None:
        self.server: ServerContext = request.app.state.server
        self.viewer: Viewer = request.scope["viewer"]
        self.eyes: Eyes = eyes if self.viewer == "both" else ""
        self.gone = request.is_disconnected
        """Whether whoever asked waits no longer, so that a long job can be given up."""

    @property
    def may_begin(self) -> bool:
        """Whether a new game is begun by this viewer."""
        return self.viewer in ("both", "umpire")

    def place(self, id: str) -> ViewerPlace:
        """Return the caller's place at the game ``id``, for work in a process."""
        return ViewerPlace(self.room(id).path, self.viewer, self.eyes)

    async def make(
        self, work: Callable[..., T], id: str, *given: Any, later: bool = False, name: str = ""
    ) -> T:
        """Have ``work`` done at the caller's place, beside the answers, while the caller waits.

        By a ``name`` that only the caller knows its progress can be asked for.
        """
        place = await self.server.work(lambda: self.place(id))
        run, progress = self.server.workers.run, self.server.progress

        def tell(done: float) -> None:
            if name:
                progress[name] = done

        try:
            return await run(work, place, *given, gone=self.gone, later=later, tell=tell)
        finally:
            progress.pop(name, None)

    def room(self, id: str) -> ServedGame:
        """Return the room of the game ``id``. Raises NoGame."""
        return self.server.folder.room(id)

    def seat(
        self, id: str, plug: type[Plug] = Plug, seq: int | None = None, write: bool = False
    ) -> Seat:
        """Take the caller's seat at the game ``id``.

        Raises NoGame where it is not a game of ``plug``, and Moved where it has gone on since
        ``seq``.
        """
        seat = self.room(id).seat(self.viewer, self.eyes, write)
        if not isinstance(seat.game.plug, plug):
            raise NoGame
        if seq is not None and seq != seat.seq:
            raise Moved("The game has gone on since you looked: look again.")
        return seat

    async def look(
        self,
        id: str,
        read: Callable[[Seat], T],
        plug: type[Plug] = Plug,
        seq: int | None = None,
    ) -> T:
        """Read something at the caller's seat, in the thread that works on games."""
        return await self.server.work(lambda: read(self.seat(id, plug, seq)))

    async def tell(
        self,
        id: str,
        read: Callable[[Seat], Any],
        plug: type[Plug] = Plug,
        seq: int | None = None,
    ) -> Response:
        """Answer with what ``read`` reads at the caller's seat."""
        return as_json(await self.look(id, read, plug, seq))

    async def change(
        self,
        id: str,
        job: Callable[[Seat], Any],
        plug: type[Plug] = Plug,
        seq: int | None = None,
    ) -> Response:
        """Do ``job`` at the caller's seat; answer the state after it, or at 409 the present one."""

        def work() -> tuple[int, dict[str, Any]]:
            room = self.room(id)
            try:
                job(self.seat(id, plug, seq, write=True))
            except ChangedUnderneath as error:
                room.close()  # the next look reads the file again
                status, body = refusal(error, self.server.folder)
                with contextlib.suppress(PBCGError):
                    body["state"] = room.state(self.viewer, self.eyes)
                return 409, body
            except (Moved, NotYours) as error:
                status, body = refusal(error, self.server.folder)
                return status, {**body, "state": room.state(self.viewer, self.eyes)}
            finally:
                room.tell()
            return 200, room.state(self.viewer, self.eyes)

        status, body = await self.server.work(work)
        return as_json(body, status)


Called = Annotated[Caller, Depends()]
Game = Annotated[str, InPath(min_length=1, max_length=40, description="The ID of a game.")]


def as_json(body: Any, status: int = 200) -> Response:
    """Answer with a body as JSON."""
    return Response(msgspec.json.encode(body), status, media_type="application/json")
