"""One stack of counters: what lies on, under and with what.

What belongs to what follows VASL's and the players' custom: the level counter nearest beneath a
counter tells its level, a SW belongs to the first unit beneath it, a marker to the first counter
beneath it that it can be for, a "?" conceals the counters of its nation beneath it down to the
next "?".
"""

from __future__ import annotations

import msgspec

from asl_pbcg.campaign.position_words import FortificationKind
from asl_pbcg.vasl.names import Meaning, facts
from asl_pbcg.vasl.save_board import HexSpot
from asl_pbcg.vasl.save_counters import SaveCounter
from asl_pbcg.vasl.scene import Section

SECTIONS: dict[str, Section] = {
    "unit": "units",
    "prisoner": "units",
    "equipment": "equipment",
    "vehicle": "vehicles",
}
"""The list of a position that a sort of counter belongs to."""


class Heap(msgspec.Struct):
    """One stack while it is read: its counters bottom first, with what they stand for."""

    spot: HexSpot
    counters: list[SaveCounter]
    meanings: list[Meaning]
    keys: list[str]
    levels: list[int | None]

    @classmethod
    def of(
        cls, spot: HexSpot, counters: list[SaveCounter], meanings: list[Meaning], keys: list[str]
    ) -> Heap:
        """Return a stack with the building level of each of its counters."""
        return cls(spot, counters, meanings, keys, _levels(counters, meanings))

    def at(self, index: int) -> str:
        """Return the Location of a counter as far as level counters tell it."""
        level = self.levels[index]
        return f"{self.spot.hex}/{level}" if level else self.spot.hex

    def touches(self, index: int, vehicle: int) -> bool:
        """Return whether only units and their markers lie between a unit and a vehicle."""
        low, high = sorted((index, vehicle))
        return all(
            self.meanings[slot].sort in ("unit", "prisoner", "marker", "equipment", "silent")
            for slot in range(low + 1, high)
        )

    def lie_on_wreck(self, index: int) -> list[int]:
        """Return what lies above the wreck at ``index`` and beneath the next wreck."""
        above_wreck = []
        for above in range(index + 1, len(self.keys)):
            if self.meanings[above].sort == "wreck":
                break
            above_wreck.append(above)
        return above_wreck

    def is_in_pillbox(self, index: int) -> bool:
        """Whether a counter lies beneath a pillbox, and no level counter says where it is."""
        above = range(index + 1, len(self.keys))
        return self.levels[index] is None and any(self.is_pillbox(slot) for slot in above)

    def is_pillbox(self, index: int) -> bool:
        """Return whether a counter is a pillbox."""
        meant = self.meanings[index]
        return meant.sort == "fortification" and meant.type == FortificationKind.PILLBOX

    def conceals(self, above: int, beneath: int) -> bool:
        """Return whether the "?" at ``above`` conceals the counter at ``beneath``."""
        question = self.meanings[above]
        if question.sort != "concealment" or above <= beneath:
            return False
        if any(self.meanings[slot].sort == "concealment" for slot in range(beneath + 1, above)):
            return False
        meant = self.meanings[beneath]
        if meant.sort not in SECTIONS or not meant.side:
            return False
        return question.side in (meant.side, None)

    def units_near(self, index: int) -> list[int]:
        """Units that may hold what lies at ``index``: beneath it, nearest first, then above it."""
        same = [
            slot
            for slot in range(len(self.keys))
            if self.meanings[slot].sort == "unit"
            and self.meanings[slot].kind != "armor_leader"
            and self.levels[slot] == self.levels[index]
            and self.is_in_pillbox(slot) is self.is_in_pillbox(index)
            and slot != index
        ]
        beneath = [slot for slot in reversed(same) if slot < index]
        return beneath + [slot for slot in same if slot > index]

    def vehicles_near(self, index: int) -> list[int]:
        """Return the vehicles of the stack, nearest first."""
        vehicles = (slot for slot in range(len(self.keys)) if self.meanings[slot].sort == "vehicle")
        return sorted(vehicles, key=lambda slot: abs(slot - index))

    def marked_counter(self, index: int) -> int | None:
        """Return the counter that a marker is for: the first beneath it that it can be for."""
        return next(iter(self.markable_counters(index)), None)

    def markable_counters(self, index: int) -> list[int]:
        """Return the counters beneath a marker that it can be for, nearest first."""
        name = self.counters[index].name
        sections: set[str] = set(facts().statuses.get(name, ()))
        if name in facts().depleted:
            sections = {"equipment", "vehicles"}
        elif name == facts().bypass:
            sections = {"vehicles"}
        beneath = range(index - 1, -1, -1)
        return [slot for slot in beneath if SECTIONS.get(self.meanings[slot].sort) in sections]


def _levels(counters: list[SaveCounter], meanings: list[Meaning]) -> list[int | None]:
    """Return the building level of each counter: that of the nearest level counter beneath it."""
    levels: list[int | None] = []
    level: int | None = None
    for counter, meant in zip(counters, meanings, strict=True):
        if meant.sort == "level":
            marked = [facts().levels[state] for state in counter.states if state in facts().levels]
            level = marked[-1] if marked else None
        levels.append(level)
    return levels
