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
from asl_pbcg.vasl.names import Meaning, facts, minefield
from asl_pbcg.vasl.save_board import HexSpot
from asl_pbcg.vasl.save_counters import SaveCounter

Owners = Mapping[tuple[str, str], frozenset[Side]]
"""The sides that have Fortifications of a hex and kind on record."""
_MINES = (FortificationKind.AP_MINES, FortificationKind.AT_MINES, FortificationKind.MINEFIELD)
_LIE_ON = (*SECTIONS, "marker", "silent")
"""The sorts of counters that a marker may lie on as if it were part of them."""


def owners_of(fortifications: Iterable[Fortification]) -> Owners:
    """Return the sides that have the Fortifications of a campaign, by hex and kind."""
    found: dict[tuple[str, str], frozenset[Side]] = {}
    for part in fortifications:
        if part.owner:
            key = (part.location.hex, str(part.kind))
            found[key] = found.get(key, frozenset()) | {part.owner}
    return found


def visible(
    counters: Sequence[SaveCounter],
    meanings: Sequence[Meaning],
    viewer: Side,
    hex: str = "",
    owners: Owners | None = None,
) -> list[SaveCounter]:
    """The counters of a stack, bottom first, that ``viewer`` may see.

    ``owners`` says whose the Fortifications on record are. A minefield that is not the viewer's
    keeps its blank side and loses what stands beneath it.
    """
    look = _Look(counters, meanings, viewer, hex, owners or {})
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
        hex: str,
        owners: Owners,
    ) -> None:
        self.counters, self.meanings = counters, meanings
        self.viewer, self.hex, self.owners = viewer, hex, owners
        self.heap = Heap.of(HexSpot(hex), list(counters), list(meanings), [""] * len(counters))
        self.hiding = {
            meant.side
            for counter, meant in zip(counters, meanings, strict=True)
            if meant.sort in SECTIONS and meant.side and counter.hidden
        }
        """The sides that have hidden pieces in the stack."""

    def unseen(self) -> list[bool]:
        """Of every counter whether the viewer may not see it."""
        found: list[bool] = []
        for index, meant in enumerate(self.meanings):
            gone = self._by_itself(index)
            carrier = self._carrier(index)
            if carrier is not None:
                own = meant.sort == "equipment" and self._is_own(carrier)
                own = own and not self.counters[index].hidden
                gone = found[carrier] if own else gone or found[carrier]
            found.append(gone)
        return found

    def _carrier(self, index: int) -> int | None:
        """Return the counter that a marker marks, that possesses Equipment, or that it lies on."""
        sort = self.meanings[index].sort
        if sort == "equipment":
            beneath = (each for each in self.heap.units_near(index) if each < index)
            return next(beneath, self._vehicle_beneath(index))
        if sort not in ("marker", "silent"):
            return None
        found = self.heap.marked_counter(index) if sort == "marker" else None
        if found is None and index and self.meanings[index - 1].sort in _LIE_ON:
            return index - 1
        return found

    def _vehicle_beneath(self, index: int) -> int | None:
        """The vehicle that a Gun in tow lies on."""
        for each in range(index - 1, -1, -1):
            if self.meanings[each].sort == "vehicle":
                return each
            if self.meanings[each].sort not in _LIE_ON:
                return None
        return None

    def _is_own(self, index: int) -> bool:
        return self.meanings[index].side is self.viewer

    def _by_itself(self, index: int) -> bool:
        counter, meant = self.counters[index], self.meanings[index]
        if meant.sort == "fortification":
            return (counter.hidden or counter.concealed) and not self._is_own_work(index)
        side = meant.side or facts().nations.get(counter.nation)
        if side is self.viewer:
            return False
        if counter.hidden and side is None:  # a level counter, a marker: of whoever hides here
            return self.hiding != {self.viewer}
        if counter.hidden or counter.concealed or meant.sort == "cloak":
            return True
        if meant.sort in ("concealment", "level", "marker", "silent", "control"):
            return False
        for above in range(index + 1, len(self.counters)):
            if self.meanings[above].sort == "concealment":
                return self.meanings[above].side is (side or self.viewer.other)
        return False

    def _is_own_work(self, index: int) -> bool:
        """Whether a Fortification is on record as the viewer's, and as nobody else's."""
        kind = self.meanings[index].type
        kinds: tuple[str, ...] = (kind,)
        if kind == FortificationKind.MINEFIELD:
            kind, _ = minefield(self.counters[index])
            kinds = (kind,) if kind != FortificationKind.MINEFIELD else _MINES
        sides = [self.owners.get((self.hex, each), frozenset()) for each in kinds]
        return frozenset[Side]().union(*sides) == {self.viewer}

    def as_seen(self, index: int) -> SaveCounter:
        """A counter as the viewer sees it."""
        counter, meant = self.counters[index], self.meanings[index]
        mines = meant.sort == "fortification" and counter.base in facts().minefields
        if not mines or self._is_own_work(index):
            return counter
        return msgspec.structs.replace(counter, beneath=(), base=facts().minefields[0])
