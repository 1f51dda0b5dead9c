"""The demands of the rules on a map, and the meaning of its signs: ``data/st/map_rules.yaml``."""

from __future__ import annotations

from typing import Final

import msgspec

from asl_pbcg.kernel.typed_data import data_file
from asl_pbcg.st.board.map import AreaKind, LineKind, Shape, Terrain


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    rule: str


class MapSign(_Part, msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The meaning of a printed sign: who may be there, and its terrain."""

    kind: AreaKind
    terrain: Terrain


class LineCost(_Part, msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The MP that a unit pays along a line; None: it carries fire only."""

    mp: int | None


class MapBounds(_Part, msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """From how much to how much."""

    least: int
    most: int

    @property
    def bounds(self) -> tuple[int, int]:
        """Both."""
        return self.least, self.most


class Exactly(_Part, msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Exactly so much."""

    value: int

    @property
    def bounds(self) -> tuple[int, int]:
        """Least and most."""
        return self.value, self.value


class AtMost(_Part, msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """No more than so much."""

    most: int


class Entries(_Part, msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The entry areas by name."""

    names: tuple[str, ...]


class PerEdge(_Part, msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """So many on each edge."""

    per_edge: int


class Link(_Part, msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """So many lines."""

    lines: int


class MapRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``data/st/map_rules.yaml``."""

    shapes: dict[Shape, MapSign]
    lines: dict[LineKind, LineCost]
    spacing: MapBounds
    sight_radius: Exactly
    bunkers: MapBounds
    setup_areas: Exactly
    mg_areas: Exactly
    at_gun_areas: Exactly
    pillbox_areas: Exactly
    pillbox_to_bridge: AtMost
    entries: Entries
    glider_entries: PerEdge
    hexagon_link: Link
    gliders: Exactly


MAP_RULES: Final = data_file("st/map_rules.yaml", MapRules)


def map_rules() -> MapRules:
    """Give what the rules ask of a map, with their numbers (``data/st/map_rules.yaml``)."""
    return MAP_RULES.content
