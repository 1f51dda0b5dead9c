"""A position as players wrote it: its entries before the check, and the places of faults.

Files name pieces by short names (A-11, LMG 3g) as sheets and map do; campaign and journal keep
ids, which files may use too. Where both sides have a name (B-1), it means the piece of the
entry's own side; as a prisoner's Guard, the enemy's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec

from asl_pbcg.campaign.board.board import Board
from asl_pbcg.campaign.entry.position_fields import read_hexside, read_listed, read_place
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.module.catalogue import Catalogue
from asl_pbcg.campaign.position import LISTS, PIECES, Position
from asl_pbcg.campaign.position_words import ELIMINATED, EquipmentStatus, UnitStatus, VehicleStatus
from asl_pbcg.campaign.state.piece_names import (
    Named,
    ids_called,
    name_of_side,
    plain_name,
    short_name,
)
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.errors import Fault, FaultsError, PBCGError
from asl_pbcg.kernel.struct_reader import UNREAD, ListItem, Path, StructReader, type_of
from asl_pbcg.kernel.topic import about_pieces

COUNT = "count"
"""The key by which a row stands for several pieces without ids (``position_counts.py``)."""
MAX_COUNT = 60
"""So many pieces a row may stand for."""
COUNT_TYPE = type_of(Annotated[int, msgspec.Meta(ge=1, le=MAX_COUNT)])
MAX_FAULTS = 300
"""A file with more is not an honest try; it is not read to its end."""
_ORDER = ("", "house_rules", "roster", "rg", "bought", "control", *LISTS)
"""The lists of a file in the order of its faults; the first ones are those of paper records."""


class FaultPlace(str):
    """The place of a fault in words, with ``order`` for sorting: list and entry.

    ``piece`` is the id of the piece concerned; empty if there is none.
    """

    order: tuple[int, int]
    piece: str

    def __new__(cls, words: str, section: str = "", number: int = 0, piece: str = "") -> FaultPlace:
        """``section`` is a list, control or empty; ``number`` counts its entries."""
        place = super().__new__(cls, words)
        place.piece = piece
        place.order = (_ORDER.index(section) if section in _ORDER else 0, number)
        return place


class KeyPlaces:
    """The places of faults in a YAML or JSON file; a workbook names sheets and rows instead."""

    def place(self, path: Path) -> FaultPlace:
        """Return a place in words, and in the order of the file: one side's Control after the
        other's.
        """
        section = str(path[0]) if path else ""
        item = next((step for step in path if isinstance(step, ListItem)), ListItem(0))
        number = item.number
        if section == "control" and len(path) > 1:
            number += 100_000 * [*Side, "neither"].index(path[1])
        return FaultPlace(self.words(path), section, number, item.name)

    def words(self, path: Path) -> str:
        """Return a place in words; entry 0 of a list is one of the last position."""
        words = []
        for step in path:
            if isinstance(step, str):
                words.append(step)
                continue
            if step.number:
                words.append(f"entry {step.number}")
            elif path[0] != "control":
                words[-1] += " of the last position"
            words[-1] += f" ({short_name(step.name)})" if step.name else ""
        return ", ".join(words)


class SheetPlaces(KeyPlaces):
    """The places of faults in a workbook."""

    def __init__(self) -> None:
        self.rows: dict[str, list[int]] = {}
        """By list, or ``control`` and a side, the row of each entry."""
        self.about: dict[str, int] = {}
        """By single fact its row on the sheet about."""

    def words(self, path: Path) -> str:
        """Return sheet, row and column."""
        keys = [step for step in path if isinstance(step, str)]
        if keys[0] not in _ORDER:
            key = "_".join(keys)
            row = f", row {self.about[key]}" if key in self.about else ""
            return f"sheet about{row} ({key})"
        words, listed = f"sheet {keys[0]}", ""
        for step in path:
            if isinstance(step, str):
                listed = f"{listed} {step}".strip()
            else:
                words += f", row {self.rows[listed][step.number - 1]}"
        return words + (f", column {keys[1]}" if len(keys) > 1 else "")


class UnreadableCell(msgspec.Struct, frozen=True):
    """A value that only its kind of file can hold, and what would be right."""

    value: str
    wrong: str


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


def _in_small_letters(word: str) -> str:
    return "-".join(word.lower().replace("_", " ").split())


class GoneEntry(NamedTuple):
    """An entry that says no more of a piece than that it was Eliminated."""

    section: str
    number: int
    id: str
    side: Side | None


class Rows(StructReader):
    """The parts of a position while it is read, and the faults so far."""

    def __init__(self, raw: Raw, board: Board, catalogue: Catalogue) -> None:
        words = {
            "type": catalogue.spelling,
            "place": lambda text: read_place(text, board),
            "on_map": lambda text: read_place(text, board, off_map=False),
            "hexside": lambda text: read_hexside(text, board),
            "listed": read_listed,
        }
        super().__init__(raw.source, words=words, place=raw.places.place, yes_no=raw.yes_no)
        self.raw = raw
        self.board = board
        self.catalogue = catalogue
        self.faults = list(raw.faults)
        self.facts: dict[str, Any] = {}
        self.control: list[tuple[str, int, Location]] = []
        """Side, number in the file and Location, as they are written."""
        self.kept_control: Mapping[str, Side] = {}
        """Control that may stay as it was, by Location, where nobody sees what makes it one."""
        self.written: dict[str, list[Written]] = {name: [] for name in LISTS}
        self.lists: dict[str, list[tuple[int, Any]]] = {name: [] for name in LISTS}
        """By list, the complete entries with their numbers."""
        self.unread_hexes: set[str] = set()
        """Hexes of entries that could not be read: what stands there is not known."""
        self.eliminated: list[GoneEntry] = []
        """Entries that say that a piece was Eliminated."""
        self.made_ids: set[str] = set()
        """Ids that the program gave to entries without one; no fault names them."""
        self.remarks: list[str] = []

    # -- values, as players write them -----------------------------------------------------------

    def is_blank(self, value: Any, field: Any) -> bool:
        """Return whether a value counts as not given."""
        return value is None or (isinstance(value, str) and not value.strip())

    def value(self, raw: Any, type: Any, path: Path) -> Any:
        """Return ``raw`` as its type says, or UNREAD after noting what is wrong with it."""
        if isinstance(raw, UnreadableCell):
            self.wrong(path, raw.value, raw.wrong)
            return UNREAD
        return super().value(raw, type, path)

    def miss(self, path: Path) -> None:
        """Note a fact that is missing; entries are judged once they are complete."""
        if path[0] == "date":
            listed = ", ".join(CGDate)
            self.wrong(path, "", f"is missing: choose the CG Date just played: {listed}")

    def _items(self, raw: Any, type: Any, path: Path, extra: dict[str, Any]) -> Any:
        return super()._items(raw, type, path, extra | {"once": True})

    def _word(self, raw: Any, words: dict[Any, Any]) -> Any:
        """Return the meaning of a word, in capitals or not; ``eliminated`` is named among them.

        A CG Date may be written as printed: Day II.
        """
        if isinstance(raw, str):
            typed = _in_small_letters(raw)
            printed = {_in_small_letters(date.title): date.value for date in CGDate}
            typed = typed if typed in words else printed.get(typed, "")
            raw = typed if typed in words else raw
        if any(
            isinstance(meaning, UnitStatus | EquipmentStatus | VehicleStatus)
            for meaning in words.values()
        ):
            words = {**words, ELIMINATED: UNREAD}
        return super()._word(raw, words)

    # -- faults and their places -----------------------------------------------------------------

    def wrong(self, path: Path, value: Any, wrong: str) -> None:
        """Note a fault; raises FaultsError if there are more than anybody reads."""
        if len(self.faults) >= MAX_FAULTS:
            self.raise_faults()
        super().wrong(path, value, wrong)

    def raise_faults(self) -> None:
        """Raise FaultsError with all faults in the order of the file, if there are any."""

        def order(fault: Fault) -> tuple[int, int]:
            return fault.where.order if isinstance(fault.where, FaultPlace) else (0, 0)

        ordered = sorted(self.faults, key=order)
        faults = [
            fault._replace(where=str(fault.where), topic=about_pieces(fault.where.piece))
            if isinstance(fault.where, FaultPlace)
            else fault
            for fault in ordered
        ]
        if len(faults) >= MAX_FAULTS:
            faults[MAX_FAULTS - 1 :] = [Fault("", "", "and more; put these right first")]
        if faults:
            raise FaultsError(self.raw.source, faults)

    def at(self, section: str, number: int, part: Any, key: str = "") -> Path:
        """Return where an entry stands, or its value ``key``."""
        named = part.named if isinstance(part, Written) else getattr(part, "id", "")
        item = ListItem(number, "" if named in self.made_ids else named)
        return (section, item, key) if key else (section, item)

    # -- parts -----------------------------------------------------------------------------------

    @property
    def is_counted(self) -> bool:
        """Whether an entry counts pieces or has no id."""
        return any(COUNT in row.values or "id" not in row.values for row in self.pieces())

    def pieces(self) -> Iterator[Written]:
        """Go through the entries of units, Equipment and vehicles."""
        for section in PIECES:
            yield from self.written[section]


def read_field(
    raw: Any, part: type[msgspec.Struct], key: str, board: Board, catalogue: Catalogue
) -> Any:
    """Return one value of an entry, read as in a file. Raises PBCGError with a file's words."""
    rows = Rows(Raw("", {}), board, catalogue)
    type = next(field.type for field in type_of(part).fields if field.name == key)
    value = rows.value(raw, type, (key,))
    if rows.faults:
        raise PBCGError(" ".join(f"{fault.value} {fault.wrong}." for fault in rows.faults))
    return value


P = TypeVar("P", bound=Position)


class PieceNames:
    """The pieces that the names in a file mean: those of the campaign (``known``) and its entries.

    ``side`` is whose file it is, if it is one side's alone.
    """

    def __init__(self, rows: Rows, known: Iterable[Named] = (), side: Side | None = None) -> None:
        self.rows = rows
        self.known = _by_spelling(piece.id for piece in known)
        self.side = side

    def settle(self, named_by_id: Collection[str] = ("side",)) -> None:
        """Put ids in the place of the names in all entries, their ties and the Eliminated.

        ``named_by_id`` are the keys that an entry may leave out once it is known whose it is.
        """
        rows = self.rows
        for row in rows.pieces():
            if row.id:
                self._settle_own(row, named_by_id)
        self.known |= _by_spelling(row.id for row in rows.pieces())
        for row in rows.pieces():
            self._settle_ties(row)
        rows.eliminated = [
            entry._replace(
                id=self.id(entry.id, entry.side, (entry.section, ListItem(entry.number), "id"))
            )
            for entry in rows.eliminated
        ]
        gone = rows.facts.get("eliminated", ())
        rows.facts["eliminated"] = tuple(self.id(name, None, ("eliminated",)) for name in gone)

    def _settle_own(self, row: Written, named_by_id: Collection[str]) -> None:
        id = row.values["id"] = self.id(row.id, row.values.get("side"), _at(row, "id"))
        if ids_called(id) and plain_name(id) not in self.known:  # whose it is comes first
            row.values |= dict.fromkeys({*named_by_id} - row.values.keys())

    def _settle_ties(self, row: Written) -> None:
        side = row.values.get("side") or _side_of(row.id)
        for key in ("possesses", "tows"):
            if held := row.values.get(key):
                row.values[key] = tuple(self.id(name, side, _at(row, key)) for name in held)
        for key, whose in (("aboard", side), ("guarded_by", side and side.other)):
            if name := row.values.get(key):
                row.values[key] = self.id(name, whose, _at(row, key))

    def id(self, name: str, side: Side | None, path: Path) -> str:
        """Return the id that a name means, one of ``side`` where both may have one of that name.

        A fault where nobody says whose: whether the other side has one, it may keep secret.
        """
        if own := self.known.get(name) or self.known.get(plain_name(name)):
            return own
        called = ids_called(name)
        if len(called) == 1:
            return next(iter(called.values()))
        if called and (whose := side or self.side):
            return called[whose]
        if called:
            ways = " or ".join(f"{owner.value} {short_name(id)}" for owner, id in called.items())
            self.rows.wrong(path, name, f"may be a piece of either side: write {ways}")
        return name


def _by_spelling(ids: Iterable[str]) -> dict[str, str]:
    """Return ids by spelling; two ids that differ only in capitals each keep their own."""
    names = list(ids)
    return {plain_name(id): id for id in names} | {id: id for id in names}


def _at(row: Written, key: str) -> Path:
    return row.section, ListItem(row.number, row.named), key


def _side_of(id: str) -> Side | None:
    return next((side for side in Side if id.startswith(f"{side.value[0]}-")), None)


def with_names(position: P) -> P:
    """Return a position as files have it: each piece, its ties and the Eliminated by short names.

    Two pieces of a side that are called the same keep their ids.
    """
    called = Counter((piece.side, short_name(piece.id)) for piece in position.pieces)
    names = {
        piece.id: name
        for piece in position.pieces
        if called[piece.side, name := short_name(piece.id)] == 1
    }
    pieces = (piece.rename(names) for piece in position.pieces)
    gone = tuple(map(name_of_side, position.eliminated))
    return msgspec.structs.replace(position.with_pieces(pieces), eliminated=gone)
