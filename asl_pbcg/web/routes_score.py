"""Requests about how an area game stands and went: VP, score card, film, report."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.play.area_film import film_of
from asl_pbcg.play.area_words import standing_of
from asl_pbcg.play.seat import Seat
from asl_pbcg.web.folder import NoGame
from asl_pbcg.web.routes_games import REFUSALS, Called, Game, as_json

router = APIRouter(prefix="/api/games/{id}/area")


def _seat(called: Called, id: str) -> Seat:
    """The caller's seat at an area game. Raises NoGame for any other."""
    seat = called.desk.folder.room(id).seat(called.viewer, called.eyes)
    if seat.game.kind != "st":
        raise NoGame
    return seat


def _over(seat: Seat) -> Seat:
    if not seat.game.session.state.over:
        raise PBCGError("A game is weighed when it is over.")
    return seat


@router.get("/score", responses=REFUSALS)
async def score(called: Called, id: Game) -> Response:
    """The VP line by line, what the levels need, what is to come; at the end the score card."""
    found = await called.desk.work(lambda: standing_of(_seat(called, id).game.session))
    return as_json(found)


@router.get(
    "/film.html",
    responses={**REFUSALS, 200: {"content": {"text/html": {}}}},
    response_class=Response,
)
async def film(called: Called, id: Game) -> Response:
    """The game so far as a film, a page that stands alone: event by event, with a slider."""
    made = await called.desk.work(lambda: film_of(_seat(called, id).game.session))
    return Response(made, media_type="text/html")


@router.post("/report", responses=REFUSALS)
async def begin_report(called: Called, id: Game) -> Response:
    """Begin the report on a game that is over."""

    def begin() -> dict[str, Any]:
        seat = _over(_seat(called, id))
        return {"done": called.desk.analyst.begin((id, seat.seq), seat.game.session).done}

    return as_json(await called.desk.work(begin))


@router.get("/report", responses=REFUSALS)
async def report(called: Called, id: Game) -> Response:
    """How far the report is, from 0 to 1, and the page itself when it is made."""

    def read() -> dict[str, Any]:
        found = called.desk.analyst.report((id, _over(_seat(called, id)).seq))
        if found is None:
            raise PBCGError("No report has been begun.")
        if found.fault is not None:
            raise found.fault
        return {"done": 1.0 if found.page else found.done, "page": found.page}

    return as_json(await called.desk.work(read))
