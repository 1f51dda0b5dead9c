"""The sheet a drop is drawn on: a part of its map, looked at through the common View."""

from __future__ import annotations

from dataclasses import dataclass

from asl_pbcg.airborne.dropmap import DropMap
from asl_pbcg.hexes.view import HexView


@dataclass(frozen=True)
class Sheet(HexView):
    """A part of a drop's map on the sheet."""

    map: DropMap
