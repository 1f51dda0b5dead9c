"""Requests about a player's own map of the area game: what it begins with, and the check.

Neither writes anything: the map that is being entered is the browser's, and so is its picture.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.textfiles import decode_text, parse_yaml_or_json
from asl_pbcg.play.area_own_map import judge_map, start_of_map
from asl_pbcg.web import messages
from asl_pbcg.web.caller import REFUSALS, Called, as_json
from asl_pbcg.web.routes_position import plain

router = APIRouter(prefix="/api/area-map")
_ENDINGS = (".yaml", ".yml", ".json")


@router.get("", response_model=messages.MapStartOut, responses=REFUSALS)
async def start(called: Called) -> Response:
    """A blank map, the reconstruction, and the words that may stand in a map."""
    return as_json(await called.server.work(start_of_map))


@router.post("/check", response_model=messages.MapJudgedOut, responses=REFUSALS)
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
