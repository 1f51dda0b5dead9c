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
        """A stack with the building level of each of its counters."""
        return cls(spot, counters, meanings, keys, _levels(counters, meanings))

    def at(self, index: int) -> str:
        """The Location of a counter as far as level counters tell it."""
        level = self.levels[index]
        return f"{self.spot.hex}/{level}" if level else self.spot.hex

    def touches(self, index: int, vehicle: int) -> bool:
        """Whether only units and their markers lie between a unit and a vehicle."""
        low, high = sorted((index, vehicle))
        return all(
            self.meanings[each].sort in ("unit", "prisoner", "marker", "equipment", "silent")
            for each in range(low + 1, high)
        )

    def lie_on_wreck(self, index: int) -> list[int]:
        """Return what lies above the wreck at ``index`` and beneath the next wreck."""
        found = []
        for above in range(index + 1, len(self.keys)):
            if self.meanings[above].sort == "wreck":
                break
            found.append(above)
        return found

    def is_in_pillbox(self, index: int) -> bool:
        """Whether a counter lies beneath a pillbox, and no level counter says where it is."""
        above = range(index + 1, len(self.keys))
        return self.levels[index] is None and any(self.is_pillbox(each) for each in above)

    def is_pillbox(self, index: int) -> bool:
        """Whether a counter is a pillbox."""
        meant = self.meanings[index]
        return meant.sort == "fortification" and meant.type == FortificationKind.PILLBOX

    def conceals(self, above: int, beneath: int) -> bool:
        """Whether the "?" at ``above`` conceals the counter at ``beneath``."""
        question = self.meanings[above]
        if question.sort != "concealment" or above <= beneath:
            return False
        if any(self.meanings[each].sort == "concealment" for each in range(beneath + 1, above)):
            return False
        meant = self.meanings[beneath]
        if meant.sort not in SECTIONS or not meant.side:
            return False
        return question.side in (meant.side, None)

    def units_near(self, index: int) -> list[int]:
        """Units that may hold what lies at ``index``: beneath it, nearest first, then above it."""
        same = [
            each
            for each in range(len(self.keys))
            if self.meanings[each].sort == "unit"
            and self.meanings[each].kind != "armor_leader"
            and self.levels[each] == self.levels[index]
            and self.is_in_pillbox(each) is self.is_in_pillbox(index)
            and each != index
        ]
        beneath = [each for each in reversed(same) if each < index]
        return beneath + [each for each in same if each > index]

    def vehicles_near(self, index: int) -> list[int]:
        """The vehicles of the stack, nearest first."""
        found = (each for each in range(len(self.keys)) if self.meanings[each].sort == "vehicle")
        return sorted(found, key=lambda each: abs(each - index))

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
        return [each for each in beneath if SECTIONS.get(self.meanings[each].sort) in sections]


def _levels(counters: list[SaveCounter], meanings: list[Meaning]) -> list[int | None]:
    """The building level of each counter: that of the nearest level counter beneath it."""
    found: list[int | None] = []
    level: int | None = None
    for counter, meant in zip(counters, meanings, strict=True):
        if meant.sort == "level":
            told = [facts().levels[each] for each in counter.states if each in facts().levels]
            level = told[-1] if told else None
        found.append(level)
    return found
