"""A position as players wrote it, and where its faults lie."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import msgspec

from asl_pbcg.campaign.board import Board
from asl_pbcg.campaign.catalogue import Catalogue
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.position import LISTS
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import Fault
from asl_pbcg.kernel.reader import value_words

Where = str | Callable[[], str]
"""A place, or what makes it: most places are never asked for."""

MOST_FAULTS = 300  # a file with more is no honest try; it is not read to its end


class Spot(str):
    """The place of a fault in words, with ``order`` for sorting: list and entry."""

    order: tuple[int, int]

    def __new__(cls, words: str, section: str = "", number: int = 0) -> Spot:
        """``section`` is a list, control or empty; ``number`` counts its entries."""
        spot = super().__new__(cls, words)
        spot.order = (_ORDER.index(section), number)
        return spot


def control_spot(words: str, side: str, number: int) -> Spot:
    """The place of a Controlled Location: those of one side after those of the other."""
    return Spot(words, "control", number + 100_000 * list(Side).index(Side(side)))


_ORDER = ("", "control", *LISTS)


class Places(Protocol):
    """How a kind of file names the place of a fault."""

    def top(self, key: str) -> str:
        """The place of a single fact, as the date."""
        ...

    def entry(self, section: str, number: int, id: str) -> str:
        """The place of an entry of a list; ``number`` counts from 1."""
        ...

    def key(self, section: str, number: int, id: str, key: str) -> str:
        """The place of one value of an entry."""
        ...

    def control(self, side: str, number: int) -> str:
        """The place of a Controlled Location."""
        ...


class KeyPlaces:
    """Places in a YAML or JSON file."""

    def top(self, key: str) -> str:
        """The place of a single fact."""
        return key

    def entry(self, section: str, number: int, id: str) -> str:
        """The place of an entry."""
        named = f' (id "{id}")' if id else ""
        return Spot(f"{section}, entry {number}{named}", section, number)

    def key(self, section: str, number: int, id: str, key: str) -> str:
        """The place of one value."""
        return Spot(f"{self.entry(section, number, id)}, {key}", section, number)

    def control(self, side: str, number: int) -> str:
        """The place of a Controlled Location."""
        return control_spot(f"control, {side}, entry {number}", side, number)


class Raw(msgspec.Struct):
    """What a file says, before it is checked; ``faults`` are those the reading found."""

    source: str
    data: Any
    places: Places = msgspec.field(default_factory=KeyPlaces)
    faults: list[Fault] = msgspec.field(default_factory=list)
    yes_no: bool = False
    """Whether the file writes yes and no for true and false."""
    told_missing: set[tuple[str, str]] = msgspec.field(default_factory=set)
    """Keys whose absence from a whole list is already a fault."""


class TooMany(Exception):
    """There are so many faults that no more are looked for."""


class Rows(msgspec.Struct):
    """The parts that could be read, and the faults found so far."""

    raw: Raw
    board: Board
    catalogue: Catalogue
    lists: dict[str, list[tuple[int, Any]]] = msgspec.field(default_factory=dict)
    """By list, the number of each readable entry and the entry, its unreadable fields left out."""
    control: list[tuple[Side, int, Location]] = msgspec.field(default_factory=list)
    unread_hexes: set[str] = msgspec.field(default_factory=set)
    """Hexes of entries that could not be read: what stands there is not known."""
    eliminated: list[tuple[str, int, str]] = msgspec.field(default_factory=list)
    """Entries that say that a piece was Eliminated: list, number and id."""
    remarks: list[str] = msgspec.field(default_factory=list)

    def fault(self, where: Where, value: object, wrong: str) -> None:
        """Note a fault; raises TooMany."""
        if len(self.raw.faults) >= MOST_FAULTS:
            raise TooMany
        place = where if isinstance(where, str) else where()
        self.raw.faults.append(Fault(place, value_words(value) if value != "" else "", wrong))

    def at(self, section: str, number: int, part: Any, key: str) -> Callable[[], str]:
        """The place of ``key`` of an entry."""
        return lambda: self.raw.places.key(section, number, getattr(part, "id", ""), key)

    def at_control(self, side: Side, number: int) -> Callable[[], str]:
        """The place of a Controlled Location."""
        return lambda: self.raw.places.control(side, number)

    def entries(self, section: str) -> list[tuple[int, Any]]:
        """The readable entries of a list, with their numbers."""
        return self.lists.get(section, [])
