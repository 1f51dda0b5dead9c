"""Reading a map of the area game: the shipped reconstruction or a player's own file."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from asl_pbcg.kernel.data import data_path, parse_yaml
from asl_pbcg.kernel.textfiles import read_yaml_or_json
from asl_pbcg.st.board.map import GameMap, HexagonLink
from asl_pbcg.st.board.map_check import checked_map
from asl_pbcg.st.board.map_read import read_map


def load_map(path: Path | None = None, hexagon_link: HexagonLink = "b") -> GameMap:
    """Read and check the map file ``path``; without a path, the shipped reconstruction.

    Raises FaultsError with everything that is wrong in the file, PBCGError if it cannot be read.
    Rule: ST-GEN-02, ST-MAP-01, ST-MAP-02.
    """
    if path is None:
        return _shipped_map().with_rulings(hexagon_link=hexagon_link)
    return checked_map(read_yaml_or_json(path), str(path)).with_rulings(hexagon_link=hexagon_link)


@cache
def _shipped_map() -> GameMap:
    # A test holds the shipped map to every rule, so a game need not check it again.
    return read_map(parse_yaml(data_path("st/map.yaml").read_bytes()), "data/st/map.yaml")
