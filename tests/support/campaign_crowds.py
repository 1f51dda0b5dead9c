"""Ends of CG scenarios where nearly everybody is about one place of the map.

What seldom meets in a whole campaign meets here: mines and passengers, Guards and Melee, burning
woods and upper levels, the ends of hexrows, the bridge, the edges of the map.
"""

from __future__ import annotations

import random
from typing import Any

from campaign_generator import Battle, Entry

from asl_pbcg.campaign.position_words import FortificationKind
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.pieces import Piece

PLACES = ("CC3", "CC12", "Y20", "Z21", "Z24", "M12", "N4", "JJ12", "X18", "W17", "A7", "TT14",
          "Q26", "II13", "Y27")  # fmt: skip
"""Hexes about which something is of the map: an edge, a hexrow of a rule, buildings, the bridge."""
AWAY = 4
"""So many hexes from it at most."""


class Crowd(Battle):
    """One CG scenario that comes together about one hex."""

    def __init__(self, state: Campaign, source: random.Random) -> None:
        super().__init__(state, source)
        about = self.board.grid.set([source.choice(PLACES)]).spread(AWAY)
        self.crowd = [each for each in self.ground if each in about]

    def _near(self, hex: str, most: int) -> str:
        return self.source.choice(self.crowd)

    def _place(self, piece: Piece) -> str:
        """Mostly with others of its side, or where nobody is."""
        if wanted := self._must_end_in(piece):
            return self.source.choice(wanted)
        there = [*self.units.values(), *self.vehicles.values()]
        for _ in range(20):
            place = self.source.choice(self.crowd)
            here = [each for each in there if each["at"] == place]
            if len(here) < 3 and all(each["side"] == piece.side.value for each in here):
                return place
        return place

    def _unit(self, piece: Piece) -> None:
        super()._unit(piece)
        entry = self.units.get(piece.id)
        if entry and not entry["status"] and self.source.random() < 0.3:
            entry["status"] = [self.source.choice(["broken", "pinned", "concealed", "encircled"])]

    def _mines(self) -> None:
        for _ in range(3):
            super()._mines()

    def _works(self) -> None:
        super()._works()
        kinds = [FortificationKind.WIRE, FortificationKind.TRENCH, FortificationKind.FOXHOLE]
        for at in self.source.sample(self.crowd, min(4, len(self.crowd))):
            if at in self.board.buildings or any(e["at"] == at for e in self.fortifications):
                continue
            entry: dict[str, Any] = {"kind": self.source.choice(kinds).value, "at": at}
            if entry["kind"] == "foxhole":
                entry |= {"size": self.source.choice([1, 2, 3]), "owner": "british"}
            self.fortifications.append(entry)

    def _melees(self) -> None:
        for _ in range(2):
            super()._melees()

    def _free(self, *given: Any, **more: Any) -> list[Entry]:
        """In another order each time, so that not the same ones meet."""
        found = super()._free(*given, **more)
        self.source.shuffle(found)
        return found
