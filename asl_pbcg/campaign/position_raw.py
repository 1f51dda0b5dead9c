"""A position as players wrote it: its parts, read one by one, and where its faults lie."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from asl_pbcg.campaign.board import Board
from asl_pbcg.campaign.catalogue import Catalogue
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.position import LISTS, PIECES
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import Fault, FaultsError
from asl_pbcg.kernel.reader import value_words

Where = str | Callable[[], str]
"""A place, or what makes it: most places are never asked for."""
COUNT = "count"
"""The key by which a row stands for several pieces without ids (``position_counts.py``)."""
MAX_FAULTS = 300
"""A file with more is not an honest try; it is not read to its end."""
_ORDER = ("", "control", *LISTS)


class FaultPlace(str):
    """The place of a fault in words, with ``order`` for sorting: list and entry."""

    order: tuple[int, int]

    def __new__(cls, words: str, section: str = "", number: int = 0) -> FaultPlace:
        """``section`` is a list, control or empty; ``number`` counts its entries."""
        place = super().__new__(cls, words)
        place.order = (_ORDER.index(section), number)
        return place


class KeyPlaces:
    """The places of faults in a YAML or JSON file; a workbook names sheets and rows instead."""

    def top(self, key: str) -> str:
        """Return the place of a single fact, as the date."""
        return key

    def entry(self, section: str, number: int, id: str) -> str:
        """Return the place of entry ``number`` of a list; 0 is one of the last position."""
        entry = f"{section}, entry {number}" if number else f"{section} of the last position"
        return FaultPlace(f'{entry} (id "{id}")' if id else entry, section, number)

    def key(self, section: str, number: int, id: str, key: str) -> str:
        """Return the place of one value of an entry."""
        return FaultPlace(f"{self.entry(section, number, id)}, {key}", section, number)

    def control(self, side: str, number: int) -> str:
        """Return the place of a Controlled Location: those of one side after the other's."""
        entry = f", entry {number}" if number else ""
        return _control_place(f"control, {side}{entry}", side, number)


class SheetPlaces(KeyPlaces):
    """The places of faults in a workbook."""

    def __init__(self) -> None:
        self.rows: dict[str, list[int]] = {}
        """By list, or ``control`` and a side, the row of each entry."""
        self.about: dict[str, int] = {}
        """By single fact its row on the sheet about."""

    def top(self, key: str) -> str:
        """Return the place of a single fact."""
        if key in _ORDER:
            return f"sheet {key}"
        row = f", row {self.about[key]}" if key in self.about else ""
        return f"sheet about{row} ({key})"

    def entry(self, section: str, number: int, id: str) -> str:
        """Return the place of an entry."""
        return FaultPlace(f"sheet {section}, row {self.rows[section][number - 1]}", section, number)

    def key(self, section: str, number: int, id: str, key: str) -> str:
        """Return the place of one value of an entry."""
        return FaultPlace(f"{self.entry(section, number, id)}, column {key}", section, number)

    def control(self, side: str, number: int) -> str:
        """Return the place of a Controlled Location."""
        row = self.rows[f"control {side}"][number - 1]
        return _control_place(f"sheet control, row {row}, column {side}", side, number)


def _control_place(words: str, side: str, number: int) -> FaultPlace:
    return FaultPlace(words, "control", number + 100_000 * [*Side, "neither"].index(side))


class Raw(msgspec.Struct):
    """A file before it is read; ``faults`` are those that opening it found."""

    source: str
    data: Any
    places: KeyPlaces = msgspec.field(default_factory=KeyPlaces)
    faults: list[Fault] = msgspec.field(default_factory=list)
    yes_no: bool = False
    """Whether the file writes yes and no for true and false."""
    missing: set[tuple[str, str]] = msgspec.field(default_factory=set)
    """Columns that a whole list lacks, which is a fault already."""


class Written(msgspec.Struct):
    """One entry of a list: ``values`` are those it writes, by key, None for an unreadable one."""

    section: str
    number: int
    """Its number in the file, from 1; 0 if it stands in the last position only."""
    values: dict[str, Any]
    named: str = ""
    """Its id as the file writes it."""

    @property
    def id(self) -> str:
        """The id of the piece; empty if the entry has none that can be read."""
        return self.values.get("id") or ""


class Rows:
    """The parts of a position while it is read, and the faults so far."""

    def __init__(self, raw: Raw, board: Board, catalogue: Catalogue) -> None:
        self.raw = raw
        self.board = board
        self.catalogue = catalogue
        self.faults = list(raw.faults)
        self.facts: dict[str, Any] = {}
        self.control: list[tuple[str, int, Location]] = []
        """Side, number in the file and Location, as they are written."""
        self.written: dict[str, list[Written]] = {name: [] for name in LISTS}
        self.lists: dict[str, list[tuple[int, Any]]] = {name: [] for name in LISTS}
        """By list, the complete entries with their numbers."""
        self.unread_hexes: set[str] = set()
        """Hexes of entries that could not be read: what stands there is not known."""
        self.eliminated: list[tuple[str, int, str]] = []
        """Entries that say that a piece was Eliminated: list, number and id."""
        self.made_ids: set[str] = set()
        """Ids that the program gave to entries without one; no fault names them."""
        self.remarks: list[str] = []

    def fault(self, where: Where, value: object, wrong: str) -> None:
        """Note a fault; raises FaultsError if there are more than anybody reads."""
        if len(self.faults) >= MAX_FAULTS:
            self.raise_faults()
        place = where if isinstance(where, str) else where()
        self.faults.append(Fault(place, value_words(value) if value != "" else "", wrong))

    def raise_faults(self) -> None:
        """Raise FaultsError with all faults in the order of the file, if there are any."""

        def order(fault: Fault) -> tuple[int, int]:
            return fault.where.order if isinstance(fault.where, FaultPlace) else (0, 0)

        ordered = sorted(self.faults, key=order)
        faults = [fault._replace(where=str(fault.where)) for fault in ordered]
        if len(faults) >= MAX_FAULTS:
            faults[MAX_FAULTS - 1 :] = [Fault("", "", "and more; put these right first")]
        if faults:
            raise FaultsError(self.raw.source, faults)

    def at(self, section: str, number: int, part: Any, key: str = "") -> Callable[[], str]:
        """Return what makes the place of an entry, or of its value ``key``."""

        def place() -> str:
            named = part.named if isinstance(part, Written) else getattr(part, "id", "")
            named = "" if named in self.made_ids else named
            if not key:
                return self.raw.places.entry(section, number, named)
            return self.raw.places.key(section, number, named, key)

        return place

    def at_control(self, side: str, number: int) -> Callable[[], str]:
        """Return what makes the place of a Controlled Location."""
        return lambda: self.raw.places.control(side, number)

    def entries(self, section: str) -> list[tuple[int, Any]]:
        """Return the complete entries of a list, with their numbers."""
        return self.lists[section]

    @property
    def is_counted(self) -> bool:
        """Whether an entry counts pieces or has no id."""
        return any(COUNT in each.values or "id" not in each.values for each in self.pieces())

    def pieces(self) -> Iterator[Written]:
        """Go through the entries of units, Equipment and vehicles."""
        for section in PIECES:
            yield from self.written[section]
