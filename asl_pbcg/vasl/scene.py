"""The contents of a save on the board, before they are anybody's pieces.

Nothing here is taken for granted that a save cannot tell: a piece carries its ``doubts``, and
``review.py`` asks about each.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from asl_pbcg.campaign.position import Fortification, Glider, Terrain
from asl_pbcg.campaign.position_words import status_words
from asl_pbcg.campaign.terms import Side

Section = Literal["units", "equipment", "vehicles"]
Doubt = Literal["hex", "level", "pillbox", "holder", "guard", "side", "aboard"]


class Seen(msgspec.Struct, frozen=True):
    """One unit, piece of Equipment or vehicle as the save shows it."""

    key: str
    """Names it in questions and answers: hex and number in the stack, as ``Z15.3``."""
    section: Section
    kind: str
    type: str
    """Empty for a counter of VASL's that we have no type for."""
    side: Side | None
    """The side whose counter it is; None for a prisoner counter, which tells no side."""
    at: str
    name: str
    """VASL's name of it."""
    formation: str = ""
    status: tuple[str, ...] = ()
    across: str = ""
    """The other hex, if it lies midway between two."""
    ca: str = ""
    tca: str = ""
    across_ca: str = ""
    """Its covered arc if it is in the other hex."""
    across_tca: str = ""
    depleted: tuple[str, ...] = ()
    holder: str = ""
    """The key of the unit it belongs to by its place in the stack."""
    nearby: tuple[str, ...] = ()
    """Keys of the units in its Location, nearest in the stack first."""
    aboard: str = ""
    """The key of the vehicle it lies on or under, if it may be aboard."""
    hidden: bool = False
    concealed: bool = False
    doubts: tuple[Doubt, ...] = ()
    id: str = ""
    """Which piece it is, once that is decided."""
    guard: str = ""
    """Of a prisoner: the key of the Guard, once that is decided."""
    captured: bool = False
    """Of a vehicle: whether the other side has captured it."""
    tower: str = ""
    """Of a Gun: the key of the vehicle that tows it."""

    @property
    def has_it(self) -> Side:
        """Return the side that has it: of a captured vehicle its captor."""
        assert self.side
        return self.side.other if self.captured else self.side

    @property
    def words(self) -> str:
        """Return the name in a question."""
        status = f" ({status_words(self.status)})" if self.status else ""
        return f"{self.type or self.name}{status}"

    @property
    def side_words(self) -> str:
        """Return the name in a question where both sides may have one."""
        return f"{self.side.title} {self.words}" if self.side else self.words

    @property
    def hex(self) -> str:
        """Return the hex it is in."""
        return self.at.partition("/")[0]

    @property
    def is_prisoner(self) -> bool:
        """Return whether it is a prisoner counter or an Unarmed one: they show no type."""
        return bool({"prisoner", "unarmed"} & set(self.status))


class Unknown(msgspec.Struct, frozen=True):
    """A counter that stands for nothing we know, or that lies beside the board."""

    key: str
    name: str
    at: str
    side: Side | None = None
    meant: str = ""
    hidden: bool = False


class Scene(msgspec.Struct, frozen=True):
    """All that a save shows on the board."""

    pieces: tuple[Seen, ...] = ()
    fortifications: tuple[Fortification, ...] = ()
    terrain: tuple[Terrain, ...] = ()
    gliders: tuple[Glider, ...] = ()
    control: tuple[tuple[str, Side], ...] = ()
    """Control markers: Location and side."""
    unknown: tuple[Unknown, ...] = ()
    beside: tuple[Unknown, ...] = ()
    """Units, Equipment and vehicles that lie beside the board."""
    dummies: tuple[tuple[str, Side], ...] = ()
    """"?" with nothing of its nation beneath: the hex and the side."""
    markers: tuple[Unknown, ...] = ()
    """Markers that lie on nothing they can be for."""
    blank: frozenset[tuple[str, str]] = frozenset()
    """Minefields on the map, by kind and hex, whose counter shows its blank side."""
    between: tuple[tuple[Unknown, str], ...] = ()
    """Fortifications, terrain and Control markers midway between two hexes, and the other hex."""
    casualties: tuple[tuple[Side, int], ...] = ()
    """CVP of each side's counters in the Casualties Bin; empty where the save counts none."""
