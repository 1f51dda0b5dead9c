"""A map on its way to another process, and the game played on it there."""

from __future__ import annotations

from functools import cache

import msgspec

from asl_pbcg.st.board.map import AreaMap
from asl_pbcg.st.board.map_data import to_data
from asl_pbcg.st.board.map_load import load_map
from asl_pbcg.st.board.map_read import read_map
from asl_pbcg.st.game import AreaGame


def packed_map(area_map: AreaMap) -> bytes:
    """The map as JSON, for whoever plays on it elsewhere; empty for the shipped one."""
    data = to_data(area_map)
    return b"" if data == to_data(load_map()) else msgspec.json.encode(data)


@cache
def game_on(area_map: bytes) -> AreaGame:
    """The game on a packed map, made once in each process."""
    if not area_map:
        return AreaGame()

    return AreaGame(read_map(msgspec.json.decode(area_map), "the map"))
