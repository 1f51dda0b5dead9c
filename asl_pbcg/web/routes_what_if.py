"""Requests about what would be: questions ahead, what RG may bring, which hexes are legal."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Query
from fastapi.responses import Response

from asl_pbcg.play.errors import Moved
from asl_pbcg.web import messages
from asl_pbcg.web.routes_games import REFUSALS, Called, Game, as_json
from asl_pbcg.web.routes_map import board_at

router = APIRouter(prefix="/api")


@router.post("/games/{id}/ahead", response_model=messages.AheadOut, responses=REFUSALS)
async def ahead(called: Called, id: Game, given: messages.AheadIn) -> Response:
    """What would be asked after some answers; nothing is written, and nothing is thrown."""
    from asl_pbcg.play.what_if import look_ahead

    def look() -> dict[str, Any]:
        seat = called.desk.folder.room(id).seat(called.viewer, called.eyes)
        if given.seq != seat.seq:
            raise Moved("The game has gone on since you looked: look again.")
        found: dict[str, Any] = msgspec.to_builtins(look_ahead(seat, given.answers))
        return found

    return as_json(await called.desk.work(look))


@router.get("/games/{id}/what-if", response_model=messages.WhatIfOut, responses=REFUSALS)
async def what_if(
    called: Called,
    id: Game,
    group: Annotated[list[messages.Short], Query(max_length=40)] = [],  # noqa: B006
) -> Response:
    """The exact distribution of what each RG would bring, and of all ``group`` together.

    A group is named with its Setup or Entry Area, if it has one, as ``I5@J0``.
    """
    from asl_pbcg.play.what_if import basket_chances, basket_price, group_chances, is_purchase

    def read() -> dict[str, Any]:
        seat = called.desk.folder.room(id).seat(called.viewer, called.eyes)
        if not is_purchase(seat):
            raise Moved("No RG are bought now.")
        state = seat.game.session.state
        groups = [id for id, each in state.charts.groups.groups.items() if each.cost is not None]
        chosen = [(id, place) for id, _, place in (each.partition("@") for each in group)]
        together = basket_chances(state, [id for id, _ in chosen])
        price = basket_price(state, chosen)
        return {
            "groups": {id: group_chances(state, id).plain() for id in groups},
            "basket": [each.plain(price) for each in together],
            "price": price,
        }

    return as_json(await called.desk.work(read))


@router.get("/games/{id}/moves", response_model=messages.MovesOut, responses=REFUSALS)
async def moves(called: Called, id: Game) -> Response:
    """Before Escape and Shift: every destination and grouping with its exact chances."""
    from asl_pbcg.play.what_if_moves import moves as find

    def read() -> dict[str, Any]:
        seat = called.desk.folder.room(id).seat(called.viewer, called.eyes)
        return {"moves": msgspec.to_builtins(find(seat))}

    return as_json(await called.desk.work(read))


@router.get("/games/{id}/places", response_model=messages.PlacesOut, responses=REFUSALS)
async def places(called: Called, id: Game) -> Response:
    """Where a hex is asked for: every hex that may not be the answer, and why."""
    from asl_pbcg.play.what_if import legal_places

    def read() -> dict[str, Any]:
        seat = called.desk.folder.room(id).seat(called.viewer, called.eyes)
        names = [str(hex) for hex in board_at(seat).grid.all]
        found = legal_places(seat, names)
        return {
            "legal": [name for name, refused in found.items() if not refused],
            "refused": {name: refused for name, refused in found.items() if refused},
        }

    return as_json(await called.desk.work(read))
