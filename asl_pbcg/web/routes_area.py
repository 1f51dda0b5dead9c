"""Requests about the living map of the area game: counters, ways, orders, events, the teacher."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import Response

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.session import Session
from asl_pbcg.play.area_game import rules_of, seen_state, situation
from asl_pbcg.play.area_guide import GUIDE, is_guided, lesson_of
from asl_pbcg.play.area_look import events_since, idle_words, marks_for, ways_of
from asl_pbcg.play.area_words import standing_in_short
from asl_pbcg.play.errors import Moved
from asl_pbcg.play.seat import Seat
from asl_pbcg.st.picture.live_map import live_ground, live_map, live_places
from asl_pbcg.st.rules.state import State
from asl_pbcg.web import messages
from asl_pbcg.web.folder import NoGame
from asl_pbcg.web.routes_games import REFUSALS, Called, Game, as_json, change

router = APIRouter(prefix="/api/games/{id}/area")


def _at(called: Called, id: str) -> tuple[Seat, Session[State]]:
    """The caller's seat at an area game. Raises NoGame for any other."""
    seat = called.desk.folder.room(id).seat(called.viewer, called.eyes)
    if seat.game.kind != "st":
        raise NoGame
    return seat, seat.game.session


@router.get(
    "/ground.svg",
    responses={**REFUSALS, 200: {"content": {"image/svg+xml": {}}}},
    response_class=Response,
)
async def ground(called: Called, id: Game) -> Response:
    """The map without counters."""
    drawn = await called.desk.work(lambda: live_ground(rules_of(_at(called, id)[1]).map))
    return Response(drawn, media_type="image/svg+xml")


@router.get("/places", responses=REFUSALS)
async def places(called: Called, id: Game) -> Response:
    """Where every area lies in that picture."""
    found = await called.desk.work(lambda: live_places(rules_of(_at(called, id)[1]).map))
    return as_json(found)


@router.get("/map", responses=REFUSALS)
async def layout(called: Called, id: Game) -> Response:
    """Where every counter lies, as the player may see it."""

    def read() -> dict[str, Any]:
        seat, session = _at(called, id)
        shown = live_map(seen_state(session, seat.sees), rules_of(session).map)
        orders = called.desk.folder.room(id).orders
        asked = {**marks_for(session.pending), "fire": orders.fire, "idle": idle_words(session)}
        return {"seq": seat.seq, **shown, **asked, **standing_in_short(session), **_lesson(seat)}

    return as_json(await called.desk.work(read))


def _lesson(seat: Seat) -> dict[str, Any]:
    """What the guide says now; empty in any other game and when all is learned."""
    if not is_guided(seat.game):
        return {}
    number, found = lesson_of(seat.game), GUIDE.content
    if number == len(found.lessons):
        return {"lesson": {"title": "That was all", "say": found.farewell, "orders": []}}
    each = found.lessons[number]
    return {
        "lesson": {
            "title": f"{number + 1} of {len(found.lessons)}: {each.title}",
            "say": each.say,
            "orders": [*each.orders, *each.then],
        }
    }


@router.get("/ways", responses=REFUSALS)
async def ways(
    called: Called, id: Game, unit: Annotated[list[str] | None, Query(max_length=40)] = None
) -> Response:
    """Where units (by id; without any those asked about) can go now, and what one can do."""

    def read() -> dict[str, Any]:
        seat, session = _at(called, id)
        return {"seq": seat.seq, **ways_of(situation(session), session.pending, unit or [])}

    return as_json(await called.desk.work(read))


@router.get("/events", responses=REFUSALS)
async def events(
    called: Called, id: Game, after: Annotated[int, Query(ge=0, le=10**9)]
) -> Response:
    """What has happened since the viewer's number ``after``, one event after the other."""

    def read() -> dict[str, Any]:
        seat, _ = _at(called, id)
        return {"seq": seat.seq, "events": events_since(seat.game, after, seat.viewer)}

    return as_json(await called.desk.work(read))


@router.post("/orders", response_model=messages.State, responses=REFUSALS)
async def orders(called: Called, id: Game, given: messages.OrdersIn) -> Response:
    """Orders by counter, as at the terminal: ``23 XR g g``."""

    def job(seat: Seat) -> None:
        if seat.game.kind != "st":
            raise NoGame
        called.desk.folder.room(id).orders.give(seat, given.line, given.seq)

    return await change(called, id, job)


@router.post("/undo", response_model=messages.State, responses=REFUSALS)
async def undo(called: Called, id: Game, given: messages.UndoIn) -> Response:
    """Take back the last order, with all that came of it."""

    def job(seat: Seat) -> None:
        if seat.game.kind != "st":
            raise NoGame
        if given.seq != seat.seq:
            raise Moved("The game has gone on since you looked: look again.")
        called.desk.folder.room(id).orders.undo(seat, given.reason)

    return await change(called, id, job)


@router.get("/best", responses=REFUSALS)
async def best(called: Called, id: Game, seq: Annotated[int, Query(ge=0, le=10**9)]) -> Response:
    """The best things to do now; asked again and again, it gets surer."""

    def begin() -> Any:
        seat, session = _at(called, id)
        if seq != seat.seq:
            raise Moved("The game has gone on since you looked: look again.")
        return called.desk.teacher.lesson(id, seq, session)

    lesson = await called.desk.work(begin)
    if lesson is None:
        raise PBCGError("There is nothing to weigh here.")
    return as_json(await called.desk.teacher.think(lesson))
