"""Requests about the map: the board, what lies on it for a viewer, a hex, a piece, a picture."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Query
from fastapi import Path as InPath
from fastapi.responses import Response

from asl_pbcg.campaign.board import Board
from asl_pbcg.campaign.terms import Side
from asl_pbcg.play.seat import Seat
from asl_pbcg.web.folder import NoGame
from asl_pbcg.web.routes_games import REFUSALS, Called, Game, as_json

router = APIRouter(prefix="/api")


def board_at(seat: Seat) -> Board:
    """The board of a campaign, with its players' corrections. Raises NoGame for other games."""
    if seat.game.kind != "campaign":
        raise NoGame
    board: Board = seat.game.session.state.board
    return board


@router.get(
    "/games/{id}/board.svg",
    responses={**REFUSALS, 200: {"content": {"image/svg+xml": {}}}},
    response_class=Response,
)
async def board_picture(called: Called, id: Game) -> Response:
    """The board without anything that changes."""
    from asl_pbcg.campaign.board_page import board_svg

    room = called.desk.folder.room
    drawn = await called.desk.work(
        lambda: board_svg(board_at(room(id).seat(called.viewer, called.eyes)))
    )
    return Response(drawn, media_type="image/svg+xml")


@router.get("/games/{id}/board", responses=REFUSALS)
async def board(called: Called, id: Game) -> Response:
    """Where every hex lies in that picture, and what is printed in it."""
    from asl_pbcg.campaign.board_page import board_geometry

    room = called.desk.folder.room
    found = await called.desk.work(
        lambda: board_geometry(board_at(room(id).seat(called.viewer, called.eyes)))
    )
    return as_json(found)


@router.get("/games/{id}/map", responses=REFUSALS)
async def layers(
    called: Called, id: Game, at: Annotated[str, Query(max_length=20)] = ""
) -> Response:
    """What lies on the map for this viewer, now or at the end of an earlier CG Date."""

    def read() -> dict[str, Any]:
        seat = called.desk.folder.room(id).seat(called.viewer, called.eyes)
        # What this date has come to is told by what is asked, not by the latest that is kept.
        now = seat.game.kind == "campaign" and at == seat.game.session.state.date.value
        found = seat.layers("" if now else at)
        if found is None:
            raise NoGame
        return found | {"counters": [_counter(seat, each) for each in found["counters"]]}

    return as_json(await called.desk.work(read))


def _counter(seat: Seat, counter: dict[str, Any]) -> dict[str, Any]:
    """A counter with the kind that its picture shows: squad, leader, Gun and so on."""
    if seat.game.kind != "campaign":
        return counter
    side = Side(counter["side"])
    whose = side.other if "captured" in counter["status"] else side
    known = seat.game.session.state.catalogue.find(counter["type"], whose)
    kind = known.kind if known else "glider" if counter["type"] == "Glider" else "other"
    return counter | {"kind": kind}


@router.get("/games/{id}/hexes/{hex}", responses=REFUSALS)
async def hex_facts(
    called: Called, id: Game, hex: Annotated[str, InPath(max_length=8)]
) -> Response:
    """What is printed in a hex."""

    def read() -> dict[str, Any]:
        board = board_at(called.desk.folder.room(id).seat(called.viewer, called.eyes))
        info = board[board.grid.check(hex.upper())]
        found: dict[str, Any] = msgspec.to_builtins(info)
        return {"road": info.road, **found}

    return as_json(await called.desk.work(read))


@router.get("/games/{id}/pieces/{piece}", responses=REFUSALS)
async def piece(called: Called, id: Game, piece: Annotated[str, InPath(max_length=60)]) -> Response:
    """The facts of a piece and its service record, as far as this viewer may know it."""

    def read() -> dict[str, Any]:
        found = called.desk.folder.room(id).seat(called.viewer, called.eyes).piece(piece)
        if found is None:
            raise NoGame
        return found

    return as_json(await called.desk.work(read))


@router.get(
    "/games/{id}/picture.png",
    responses={**REFUSALS, 200: {"content": {"image/png": {}}}},
    response_class=Response,
)
async def picture(called: Called, id: Game) -> Response:
    """A small picture of the map, for the home page."""
    from asl_pbcg.web.pictures import small_area_map, small_map

    def draw() -> bytes:
        room = called.desk.folder.room(id)
        seat = room.seat(called.viewer, called.eyes)
        if seat.game.kind == "st":
            return room.picture(seat, small_area_map)
        board = board_at(seat)
        return room.picture(seat, lambda seat: small_map(board, seat))

    return Response(await called.desk.work(draw), media_type="image/png")


@router.get(
    "/games/{id}/drawing.svg",
    responses={**REFUSALS, 200: {"content": {"image/svg+xml": {}}}},
    response_class=Response,
)
async def drawing(called: Called, id: Game) -> Response:
    """The map of an area game with its counters, as the player may see them."""

    def draw() -> str:
        from asl_pbcg.play.area_game import rules_of, seen_state
        from asl_pbcg.st.picture.counters import draw_game

        seat = called.desk.folder.room(id).seat(called.viewer, called.eyes)
        if seat.game.kind != "st":
            raise NoGame
        session = seat.game.session
        return draw_game(seen_state(session, seat.sees), rules_of(session).map).to_svg()

    return Response(await called.desk.work(draw), media_type="image/svg+xml")
