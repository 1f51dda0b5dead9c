"""The web application: routes to games, and the page itself."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from asl_pbcg import __version__
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.web import (
    routes_area,
    routes_campaign,
    routes_games,
    routes_links,
    routes_position,
    routes_print,
)
from asl_pbcg.web.folder import Folder
from asl_pbcg.web.guard import Guard, Keys, is_navigation
from asl_pbcg.web.server_context import ServerContext, refusal

STATIC = Path(__file__).parent / "static"


def create_app(folder: Folder, keys: Keys, lan: bool = False, port: int = 0) -> FastAPI:
    """The application that serves ``folder`` to whoever has one of ``keys``.

    Without ``lan`` it answers under names of this machine and those kept with the keys alone; its
    links name ``port``.
    """
    server = ServerContext(folder, keys, lan, port)

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        tending = asyncio.create_task(server.tend())
        yield
        await server.close()
        await tending

    app = FastAPI(
        title="pbcg",
        version=__version__,
        description="One local process, one folder of games, one key a viewer.",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.server = server
    app.add_middleware(Guard, viewer_of=keys.viewer_of, lan=lan, names=keys.names)
    _say_refusals(app)
    for router in (
        routes_games.router,
        routes_links.router,
        routes_campaign.router,
        routes_area.router,
        routes_area.own_map_router,
        routes_position.router,
        routes_print.router,
    ):
        app.include_router(router)
    app.mount("/", StaticFiles(directory=STATIC, html=True), name="page")
    return app


# -- refusals ---------------------------------------------------------------------------


def _say_refusals(app: FastAPI) -> None:
    """Turn every error that a player can put right into a status and a sentence."""

    @app.exception_handler(PBCGError)
    async def _(request: Request, error: PBCGError) -> Response:
        status, body = refusal(error, request.app.state.server.folder)
        return JSONResponse(body, status)

    @app.exception_handler(RequestValidationError)
    async def _(request: Request, error: RequestValidationError) -> Response:
        where = [".".join(map(str, each["loc"][1:])) for each in error.errors()]
        names = ", ".join(dict.fromkeys(name for name in where if name))
        about = f": {names}" if names else ""
        return JSONResponse({"sentence": f"This request cannot be read{about}.", "rule": ""}, 422)

    @app.exception_handler(HTTPException)
    async def _(request: Request, error: HTTPException) -> Response:
        if is_navigation(request.method, dict(request.headers)):
            return RedirectResponse("/", 303)
        said = {404: "There is nothing here.", 405: "That is not done here."}
        sentence = said.get(error.status_code, "This request cannot be read.")
        body = {"sentence": sentence, "rule": ""}
        return JSONResponse(body, error.status_code, headers=error.headers)
