"""The side that hides a counter: by its token, then by what it is; its picture's nation is last.

A captured Gun, vehicle or SW that its captor hides has his token under the other side's nation. A
unit is always its own side's. So a token is that of the side whose units it hides; one that hides
units of both sides, or of neither, is nobody's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Self

import msgspec

from asl_pbcg.campaign.module.catalogue import Catalogue
from asl_pbcg.campaign.terms import Side
from asl_pbcg.vasl.names import Meaning, meaning
from asl_pbcg.vasl.save_counters import SaveCounter

_PIECES = ("unit", "prisoner", "equipment", "vehicle")


class Hiders(msgspec.Struct, frozen=True):
    """The players of a save who hide counters, by their numbers."""

    sides: dict[int, Side] = {}
    """The side of each player of whom a save tells it."""
    of_both: frozenset[int] = frozenset()
    """Players who hide units of both sides."""
    of_neither: frozenset[int] = frozenset()
    """Players who hide pieces, and no units."""

    @classmethod
    def of(cls, counters: Iterable[SaveCounter], catalogue: Catalogue) -> Self:
        """Return the players of all counters of a save."""
        units: dict[int, set[Side]] = defaultdict(set)
        pieces: set[int] = set()
        for counter in counters:
            if counter.hidden or counter.concealed:
                meant = meaning(counter, catalogue)
                pieces |= {counter.player} if meant.sort in _PIECES else set()
                if meant.sort == "unit" and meant.side:
                    units[counter.player].add(meant.side)
        return cls(
            {player: next(iter(sides)) for player, sides in units.items() if len(sides) == 1},
            frozenset(player for player, sides in units.items() if len(sides) > 1),
            frozenset(pieces - units.keys()),
        )

    def meaning(self, counter: SaveCounter, catalogue: Catalogue) -> Meaning:
        """Return the meaning of a counter; a "?" is that of the side which laid it."""
        meant = meaning(counter, catalogue)
        if meant.sort == "concealment" and (side := self.sides.get(counter.player)):
            return msgspec.structs.replace(meant, side=side)
        return meant

    def side_of(self, counter: SaveCounter, meant: Meaning) -> Side | None:
        """Return the side that hides or conceals a counter; None where nothing tells it."""
        if meant.sort == "unit" and meant.side:
            return meant.side
        return self.sides.get(counter.player)
