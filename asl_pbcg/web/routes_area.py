"""Requests about an area game: living map, orders, events, the teacher, score, film, report.

Two more serve the page for a player's own map: its beginning and its check. Those write nothing;
the map that is being entered, and its picture, are the browser's.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.textfiles import decode_text, parse_yaml_or_json
from asl_pbcg.play.area_play.area_beginnings import GUIDE, branch_game, is_guided, lesson_of
from asl_pbcg.play.area_play.area_game import AreaGamePlug, rules_of, seen_state, situation
from asl_pbcg.play.area_play.area_look import events_since, idle_words, marks_for, ways_of
from asl_pbcg.play.area_play.area_orders import AreaOrders
from asl_pbcg.play.area_play.area_own_map import judge_map, start_of_map
from asl_pbcg.play.area_play.area_words import standing_in_short, standing_of
from asl_pbcg.play.seat import Seat
from asl_pbcg.st.many.score_card import teacher_note
from asl_pbcg.st.picture.live_map import draw_game, live_ground, live_map, live_places
from asl_pbcg.web import messages
from asl_pbcg.web.caller import REFUSALS, Called, Caller, Game, as_json
from asl_pbcg.web.folder import game_id
from asl_pbcg.web.page_thinkers import AdvisedQuestion
from asl_pbcg.web.page_work import compare_challenge, make_film, make_film_events
from asl_pbcg.web.routes_position import plain

router = APIRouter(prefix="/api/games/{id}")
SVG: dict[int | str, dict[str, Any]] = {**REFUSALS, 200: {"content": {"image/svg+xml": {}}}}
HTML: dict[int | str, dict[str, Any]] = {**REFUSALS, 200: {"content": {"text/html": {}}}}
AREA = AreaGamePlug


def _orders(called: Caller, id: str) -> AreaOrders:
    orders = called.room(id).orders
    assert isinstance(orders, AreaOrders)
    return orders


@router.get("/area/ground.svg", responses=SVG, response_class=Response)
async def ground(called: Called, id: Game) -> Response:
    """The map without counters."""
    drawn = await called.look(id, lambda seat: live_ground(rules_of(seat.game.session).map), AREA)
    return Response(drawn, media_type="image/svg+xml")


@router.get("/area/places", responses=REFUSALS)
async def places(called: Called, id: Game) -> Response:
    """Where every area lies in that picture."""
    return await called.tell(id, lambda seat: live_places(rules_of(seat.game.session).map), AREA)


@router.get("/drawing.svg", responses=SVG, response_class=Response)
async def drawing(called: Called, id: Game) -> Response:
    """The map with its counters, as the player may see them."""

    def draw(seat: Seat) -> str:
        session = seat.game.session
        return draw_game(seen_state(session, seat.sees), rules_of(session).map).to_svg()

    return Response(await called.look(id, draw, AREA), media_type="image/svg+xml")


@router.get("/area/map", responses=REFUSALS)
async def layout(called: Called, id: Game) -> Response:
    """Where every counter lies, as the player may see it."""

    def read(seat: Seat) -> dict[str, Any]:
        session = seat.game.session
        shown = live_map(seen_state(session, seat.sees), rules_of(session).map)
        fire = _orders(called, id).fire
        asked = {**marks_for(session.pending), "fire": fire, "idle": idle_words(session)}
        return {"seq": seat.seq, **shown, **asked, **standing_in_short(session), **_lesson(seat)}

    return await called.tell(id, read, AREA)


def _lesson(seat: Seat) -> dict[str, Any]:
    """Return what the guide says now; empty in any other game and when all is learned."""
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


@router.get("/area/ways", responses=REFUSALS)
async def ways(
    called: Called, id: Game, unit: Annotated[list[str] | None, Query(max_length=40)] = None
) -> Response:
    """Where units (by id; without any those asked about) can go now, and what one can do."""

    def read(seat: Seat) -> dict[str, Any]:
        session = seat.game.session
        return {"seq": seat.seq, **ways_of(situation(session), session.pending, unit or [])}

    return await called.tell(id, read, AREA)


@router.get("/area/events", responses=REFUSALS)
async def events(
    called: Called, id: Game, after: Annotated[int, Query(ge=0, le=10**9)]
) -> Response:
    """List what has happened since the viewer's number ``after``, one event after the other."""
    return await called.tell(
        id,
        lambda seat: {"seq": seat.seq, "events": events_since(seat.game, after, seat.viewer)},
        AREA,
    )


@router.post("/area/orders", response_model=messages.StateOut, responses=REFUSALS)
async def orders(called: Called, id: Game, given: messages.OrdersIn) -> Response:
    """Orders by counter, as at the terminal: ``23 XR g g``."""
    return await called.change(
        id, lambda seat: _orders(called, id).give(seat, given.line, given.seq), AREA
    )


@router.post("/area/undo", response_model=messages.StateOut, responses=REFUSALS)
async def undo(called: Called, id: Game, given: messages.UndoIn) -> Response:
    """Undo the last order, with all that came of it."""
    return await called.change(
        id, lambda seat: _orders(called, id).undo(seat, given.reason), AREA, given.seq
    )


@router.get("/area/best", responses=REFUSALS)
async def best(called: Called, id: Game, seq: Annotated[int, Query(ge=0, le=10**9)]) -> Response:
    """The best things to do now; asked again and again, it gets surer."""
    teacher = called.server.teacher

    def ask(seat: Seat) -> AdvisedQuestion | None:
        session = seat.game.session
        if lesson := teacher.lesson(id, seq, session):
            seat.game.beforehand = teacher_note(session)
        return lesson

    lesson = await called.look(id, ask, AREA, seq)
    if lesson is None:
        raise PBCGError("There is nothing to weigh here.")
    return as_json(await teacher.think(lesson))


@router.get("/area/score", responses=REFUSALS)
async def score(called: Called, id: Game) -> Response:
    """The VP line by line, what the levels need, what is to come; at the end the score card."""
    return await called.tell(id, lambda seat: standing_of(seat.game.session), AREA)


@router.get("/area/film.html", responses=HTML, response_class=Response)
async def film(called: Called, id: Game) -> Response:
    """The game so far as a film, a page that stands alone: event by event, with a slider."""
    await called.look(id, lambda seat: None, AREA)
    made = await called.make(make_film, id)
    return Response(made, media_type="text/html")


@router.get("/area/film", responses=REFUSALS)
async def film_frames(called: Called, id: Game) -> Response:
    """The frames of the film, for the page: each with what is told and what has changed."""
    await called.look(id, lambda seat: None, AREA)
    return Response(await called.make(make_film_events, id), media_type="application/json")


@router.post("/area/cards", responses=REFUSALS)
async def cards(called: Called, id: Game, given: messages.CardsIn) -> Response:
    """The score cards of this challenge in the folder and in a text, as a table."""
    day = await called.look(id, lambda seat: seat.game.session.journal.meta("challenge"), AREA)
    if not day:
        raise PBCGError("Only games of a challenge are compared.")
    found = await called.make(compare_challenge, id, str(day), given.text)
    return as_json({"cards": msgspec.to_builtins(found)})


@router.post("/area/branch", response_model=messages.Made, responses=REFUSALS)
async def branch(called: Called, id: Game, given: messages.BranchIn) -> Response:
    """Begin a game that goes on from an earlier moment of this one."""
    if not called.may_begin:
        raise PBCGError("A new game is begun by the umpire or at the shared screen.")

    def make(seat: Seat) -> dict[str, Any]:
        path = called.server.folder.new_file(given.name)
        branch_game(seat.game.session, path, given.turn, given.frame, given.german)
        return {"id": game_id(path)}

    return await called.tell(id, make, AREA)


@router.post("/area/report", responses=REFUSALS)
async def begin_report(called: Called, id: Game) -> Response:
    """Begin the report on a game that is over."""

    key = await called.look(id, lambda seat: _key_of_finished(id, seat), AREA)
    return as_json({"done": called.server.analyst.begin(key, called.place(id)).done})


@router.delete("/area/report", responses=REFUSALS)
async def give_report_up(called: Called, id: Game) -> Response:
    """Give the report up that is being made; one that is made stays."""
    key = await called.look(id, lambda seat: _key_of_finished(id, seat), AREA)
    called.server.analyst.give_up(key)
    return as_json({"done": 0.0})


@router.get("/area/report", responses=REFUSALS)
async def report(called: Called, id: Game) -> Response:
    """How far the report is, from 0 to 1; when it is made its curve, its words and the page."""

    def read(seat: Seat) -> dict[str, Any]:
        report = called.server.analyst.report(_key_of_finished(id, seat))
        if report is None:
            raise PBCGError("No report has been begun.")
        if report.fault is not None:
            raise report.fault
        if report.weighed is None:
            return {"done": report.done, "page": ""}
        return {"done": 1.0, **msgspec.to_builtins(report.weighed)}

    return await called.tell(id, read, AREA)


def _key_of_finished(id: str, seat: Seat) -> tuple[str, int]:
    """Return the key of the report on a game that is over. Raises PBCGError before its end."""
    if not seat.game.session.state.over:
        raise PBCGError("A game is weighed when it is over.")
    return id, seat.seq


own_map_router = APIRouter(prefix="/api/area-map")
_ENDINGS = (".yaml", ".yml", ".json")


@own_map_router.get("", response_model=messages.MapStartOut, responses=REFUSALS)
async def start(called: Called) -> Response:
    """A blank map, the reconstruction, and the words that may stand in a map."""
    return as_json(await called.server.work(start_of_map))


@own_map_router.post("/check", response_model=messages.MapJudgedOut, responses=REFUSALS)
async def check(
    called: Called, request: Request, name: Annotated[str, Query(min_length=1, max_length=80)]
) -> Response:
    """The faults of a map file, the body, and its differences from the reconstruction."""
    content, source = await request.body(), plain(name)
    if not source.endswith(_ENDINGS):
        raise PBCGError(f"{source} is not a map file: it should end in .yaml or .json.")
    return as_json(
        await called.server.work(
            lambda: judge_map(parse_yaml_or_json(decode_text(content, source), source), source)
        )
    )
