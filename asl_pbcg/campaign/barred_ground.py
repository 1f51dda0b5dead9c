"""What in a hex bars a Fortification: building, Rubble, bridge, marsh. Rule: B27, B28."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from asl_pbcg.campaign.position import Terrain
from asl_pbcg.campaign.position_words import TerrainKind

if TYPE_CHECKING:
    from asl_pbcg.campaign.board import Board

_RUBBLE: Final = frozenset({TerrainKind.RUBBLE_STONE, TerrainKind.RUBBLE_WOOD})


def what_is_in(board: Board, terrain: Iterable[Terrain], name: str) -> dict[str, str]:
    """What of the words in ``not_in`` holds for the hex ``name``, with what to call it.

    ``terrain`` is what has changed on the board. Rule: 9.619, B27.1, B28.1.
    """
    info = board[name]
    rubble = any(
        each.kind in _RUBBLE and each.location.hex == name and each.location.ground
        for each in terrain
    )
    found = {
        "building": info.building and not rubble and f"a {info.building} building",
        "rubble": rubble and "Rubble",
        "bridge": info.bridge and "a bridge hex",
        "marsh": "marsh" in info.terrain and "marsh",
    }
    return {what: words for what, words in found.items() if words}
