"""The view of one side on a save: nothing of the other side's that is hidden or concealed.

What a viewer may not see is taken out of a stack before it is read, so that it is in no key, no
count, no question and no place in an order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from asl_pbcg.campaign.position import Fortification
from asl_pbcg.campaign.position_words import FortificationKind
from asl_pbcg.campaign.terms import Side
from asl_pbcg.vasl.heap import SECTIONS, Heap
from asl_pbcg.vasl.hiders import Hiders
from asl_pbcg.vasl.names import Meaning, facts, minefield
from asl_pbcg.vasl.save_board import HexSpot
from asl_pbcg.vasl.save_counters import SaveCounter

Owners = Mapping[tuple[str, str], frozenset[Side]]
"""The sides that have Fortifications of a hex and kind on record."""
_MINES = (FortificationKind.AP_MINES, FortificationKind.AT_MINES, FortificationKind.MINEFIELD)
_CONCEALABLE = (*SECTIONS, "unknown")
_LIE_ON = (*SECTIONS, "marker", "silent")
"""The sorts of counters that a marker may lie on as if it were part of them."""


def owners_of(fortifications: Iterable[Fortification]) -> Owners:
    """Return the sides that have the Fortifications of a campaign, by hex and kind."""
    owners: dict[tuple[str, str], frozenset[Side]] = {}
    for part in fortifications:
        if part.owner:
            key = (part.location.hex, str(part.kind))
            owners[key] = owners.get(key, frozenset()) | {part.owner}
    return owners


def visible(
    counters: Sequence[SaveCounter],
    meanings: Sequence[Meaning],
    viewer: Side,
    hiders: Hiders,
    hex: str = "",
    owners: Owners | None = None,
) -> list[SaveCounter]:
    """Return the counters of a stack, bottom first, that ``viewer`` may see.

    ``hiders`` says who hides counters in this save, ``owners`` whose the Fortifications on record
    are. A minefield that is not the viewer's keeps its blank side and loses what stands beneath it.
    """
    look = _Look(counters, meanings, viewer, hiders, hex, owners or {})
    return [
        look.as_seen(index)
        for index, gone in enumerate(look.unseen())
        if not gone  # in no key and no count either
    ]


class _Look:
    """One stack before the eyes of a side."""

    def __init__(
        self,
        counters: Sequence[SaveCounter],
        meanings: Sequence[Meaning],
        viewer: Side,
        hiders: Hiders,
        hex: str,
        owners: Owners,
    ) -> None:
        self.counters, self.meanings, self.hiders = counters, meanings, hiders
        self.viewer, self.hex, self.owners = viewer, hex, owners
        self.heap = Heap.of(HexSpot(hex), list(counters), list(meanings), [""] * len(counters))

    def unseen(self) -> list[bool]:
        """Return of every counter whether the viewer may not see it."""
        gone: list[bool] = []
        for index in range(len(self.counters)):
            gone.append(self._is_unseen(index, gone))
        return gone

    def _is_unseen(self, index: int, gone: Sequence[bool]) -> bool:
        """Return whether a counter is unseen; ``gone`` says it of those beneath it."""
        counter, sort = self.counters[index], self.meanings[index].sort
        if counter.hidden or counter.concealed:
            return not self._is_own_cover(index)
        carrier = self._carrier(index, gone)
        if carrier is None:
            return self._is_unseen_alone(index)
        if sort == "equipment" and not self._is_own(carrier):
            return gone[carrier] or self._is_unseen_alone(index)
        return gone[carrier]

    def _carrier(self, index: int, gone: Sequence[bool]) -> int | None:
        """Return the counter that a marker marks, that possesses Equipment, or that it lies on.

        What is HIP is not there for the viewer as long as anything else can be the carrier.
        """
        sort = self.meanings[index].sort
        if sort == "equipment":
            beneath = [slot for slot in self.heap.units_near(index) if slot < index]
            return self._first_there(beneath, gone, self._vehicle_beneath(index))
        if sort not in ("marker", "silent"):
            return None
        marked = self.heap.markable_counters(index) if sort == "marker" else ()
        lies_on = index and self.meanings[index - 1].sort in _LIE_ON
        return self._first_there(marked, gone, index - 1 if lies_on else None)

    def _first_there(
        self, able: Sequence[int], gone: Sequence[bool], otherwise: int | None
    ) -> int | None:
        slots = (slot for slot in able if not (gone[slot] and self.counters[slot].hidden))
        return next(slots, able[0] if able else otherwise)

    def _vehicle_beneath(self, index: int) -> int | None:
        """Return the vehicle that a Gun in tow lies on."""
        for slot in range(index - 1, -1, -1):
            if self.meanings[slot].sort == "vehicle":
                return slot
            if self.meanings[slot].sort not in _LIE_ON:
                return None
        return None

    def _is_own(self, index: int) -> bool:
        return self.meanings[index].side is self.viewer

    def _is_own_cover(self, index: int) -> bool:
        """Return whether the viewer hides or conceals a counter that is hidden or concealed."""
        if self.meanings[index].sort == "fortification":
            return self._is_own_work(index)
        return self.hiders.side_of(self.counters[index], self.meanings[index]) is self.viewer

    def _is_unseen_alone(self, index: int) -> bool:
        """Return whether a counter that is not hidden itself is unseen beneath a "?"."""
        meant = self.meanings[index]
        if meant.sort == "cloak":
            return meant.side is not self.viewer
        if meant.sort not in _CONCEALABLE or (meant.sort == "unit" and self._is_own(index)):
            return False
        above = range(index + 1, len(self.counters))
        question = next((e for e in above if self.meanings[e].sort == "concealment"), None)
        if question is None or self._is_own(question):
            return False
        return not (meant.sort == "vehicle" and self._is_own(index) and self._touches_own(index))

    def _touches_own(self, vehicle: int) -> bool:
        """Return whether a unit of the viewer lies on or under a vehicle."""
        return any(
            meant.sort == "unit" and self._is_own(slot) and self.heap.touches(slot, vehicle)
            for slot, meant in enumerate(self.meanings)
        )

    def _is_own_work(self, index: int) -> bool:
        """Return whether a Fortification is the viewer's: by whom it is hidden for, or on record.

        On record it must be the viewer's and nobody else's.
        """
        counter = self.counters[index]
        hider = self.hiders.side_of(counter, self.meanings[index])
        if hider:
            return hider is self.viewer
        kind = self.meanings[index].type
        kinds: tuple[str, ...] = (kind,)
        if kind == FortificationKind.MINEFIELD:
            kind, _ = minefield(counter)
            kinds = (kind,) if kind != FortificationKind.MINEFIELD else _MINES
        sides = [self.owners.get((self.hex, named), frozenset()) for named in kinds]
        return frozenset[Side]().union(*sides) == {self.viewer}

    def as_seen(self, index: int) -> SaveCounter:
        """Return a counter as the viewer sees it."""
        counter, meant = self.counters[index], self.meanings[index]
        mines = meant.sort == "fortification" and counter.base in facts().minefields
        if not mines or self._is_own_work(index):
            return counter
        return msgspec.structs.replace(counter, beneath=(), base=facts().minefields[0])
