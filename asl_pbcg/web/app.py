"""The web application: routes to games, and the page itself."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from asl_pbcg import __version__
from asl_pbcg.kernel.errors import FaultsError, IllegalAnswer, NeedsReason, PBCGError
from asl_pbcg.play.errors import Moved, NeedsAgreement, NotYours, OnlyLooking
from asl_pbcg.web.folder import Folder, NoGame
from asl_pbcg.web.guard import Guard
from asl_pbcg.web.keys import Keys

T = TypeVar("T")
STATIC = Path(__file__).parent / "static"
TEND = 1.0
"""Seconds between two looks at what other programs have done to the files."""


class Desk:
    """What all requests share: the folder, its keys, and the one thread that works on games.

    SQLite binds a file to the thread that opened it, and one game is worked on by one request at
    a time anyway.
    """

    def __init__(self, folder: Folder, keys: Keys) -> None:
        self.folder = folder
        self.keys = keys
        self.stopping = asyncio.Event()
        self._thread = ThreadPoolExecutor(1, "games")

    async def work(self, job: Callable[[], T]) -> T:
        """Do ``job`` in the thread that works on games."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, job)

    async def tend(self) -> None:
        """Look after the files until the server stops."""
        while not self.stopping.is_set():
            for room in self.folder.rooms():
                with contextlib.suppress(PBCGError):
                    await self.work(room.tend)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.stopping.wait(), TEND)

    async def close(self) -> None:
        """Let all files go."""
        self.stopping.set()
        await self.work(self.folder.close)
        self._thread.shutdown(wait=True)


def create_app(folder: Folder, keys: Keys, lan: bool = False) -> FastAPI:
    """The application that serves ``folder`` to whoever has one of ``keys``.

    Without ``lan`` it answers under names of this machine alone.
    """
    from asl_pbcg.web import (
        routes_games,
        routes_map,
        routes_position,
        routes_print,
        routes_vasl,
    )

    desk = Desk(folder, keys)

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        tending = asyncio.create_task(desk.tend())
        yield
        await desk.close()
        await tending

    app = FastAPI(
        title="pbcg",
        version=__version__,
        description="One local process, one folder of games, one key a viewer.",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.desk = desk
    app.add_middleware(Guard, viewer_of=keys.viewer_of, lan=lan)
    _say_refusals(app)
    for routes in (routes_games, routes_map, routes_position, routes_print, routes_vasl):
        app.include_router(routes.router)
    app.mount("/", StaticFiles(directory=STATIC, html=True), name="page")
    return app


def desk_of(request: Request) -> Desk:
    """The desk of the application a request came to."""
    desk: Desk = request.app.state.desk
    return desk


# -- refusals ---------------------------------------------------------------------------


def _say_refusals(app: FastAPI) -> None:
    """Turn every error that a player can put right into a status and a sentence."""

    @app.exception_handler(PBCGError)
    async def _(request: Request, error: PBCGError) -> Response:
        status, body = refusal(error)
        return JSONResponse(body, status)

    @app.exception_handler(RequestValidationError)
    async def _(request: Request, error: RequestValidationError) -> Response:
        where = [".".join(map(str, each["loc"][1:])) for each in error.errors()]
        names = ", ".join(dict.fromkeys(name for name in where if name))
        about = f": {names}" if names else ""
        return JSONResponse({"sentence": f"This request cannot be read{about}.", "rule": ""}, 422)

    @app.exception_handler(HTTPException)
    async def _(request: Request, error: HTTPException) -> Response:
        said = {404: "There is nothing here.", 405: "That is not done here."}
        sentence = said.get(error.status_code, "This request cannot be read.")
        body = {"sentence": sentence, "rule": ""}
        return JSONResponse(body, error.status_code, headers=error.headers)


def refusal(error: PBCGError) -> tuple[int, dict[str, Any]]:
    """The status and the body for an error that a player can put right."""
    body: dict[str, Any] = {"sentence": str(error), "rule": ""}
    if isinstance(error, NoGame):
        return 404, body
    if isinstance(error, Moved | NotYours | OnlyLooking):
        return 409, body
    if isinstance(error, IllegalAnswer):
        body["rule"] = error.rule
    elif isinstance(error, NeedsReason):
        body["needs_reason"] = True
    elif isinstance(error, NeedsAgreement):
        body["agreement"] = error.side
    elif isinstance(error, FaultsError):
        body["faults"] = [
            {"where": str(each.where), "value": str(each.value), "sentence": str(each)}
            for each in error.faults
        ]
    elif "open in another pbcg" in str(error):
        return 409, body
    return 422, body
