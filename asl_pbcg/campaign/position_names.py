"""Pieces in files by their short names: read into ids, and written for ids.

A file says A-11 or LMG 3g as sheets and map do; campaign and journal keep ids, which are read in
files, too. Of a name that both sides have (B-1) an entry means its own side's, as its Guard the
enemy's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any, TypeVar

import msgspec

from asl_pbcg.campaign.piece_names import Named, ids_called, name_of_side, plain_name, short_name
from asl_pbcg.campaign.position import Position
from asl_pbcg.campaign.position_raw import Rows, Written
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.struct_reader import ListItem, Path

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
        for each in rows.pieces():
            if each.id:
                self._settle_own(each, named_by_id)
        self.known |= _by_spelling(each.id for each in rows.pieces())
        for each in rows.pieces():
            self._settle_ties(each)
        rows.eliminated = [
            each._replace(
                id=self.id(each.id, each.side, (each.section, ListItem(each.number), "id"))
            )
            for each in rows.eliminated
        ]
        gone = rows.facts.get("eliminated", ())
        rows.facts["eliminated"] = tuple(self.id(name, None, ("eliminated",)) for name in gone)

    def _settle_own(self, each: Written, named_by_id: Collection[str]) -> None:
        id = each.values["id"] = self.id(each.id, each.values.get("side"), _at(each, "id"))
        if ids_called(id) and plain_name(id) not in self.known:  # whose it is comes first
            each.values |= dict.fromkeys({*named_by_id} - each.values.keys())

    def _settle_ties(self, each: Written) -> None:
        side = each.values.get("side") or _side_of(each.id)
        for key in ("possesses", "tows"):
            if held := each.values.get(key):
                each.values[key] = tuple(self.id(name, side, _at(each, key)) for name in held)
        for key, whose in (("aboard", side), ("guarded_by", side and side.other)):
            if name := each.values.get(key):
                each.values[key] = self.id(name, whose, _at(each, key))

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
            ways = " or ".join(f"{each.value} {short_name(id)}" for each, id in called.items())
            self.rows.wrong(path, name, f"may be a piece of either side: write {ways}")
        return name


def _by_spelling(ids: Iterable[str]) -> dict[str, str]:
    """Give ids by every spelling: of two that differ in capitals alone, each is itself."""
    each = list(ids)
    return {plain_name(id): id for id in each} | {id: id for id in each}


def _at(each: Written, key: str) -> Path:
    return each.section, ListItem(each.number, each.named), key


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
    gone: Sequence[str] = [name_of_side(id) for id in position.eliminated]
    changed: dict[str, Any] = {"eliminated": tuple(gone)}
    return msgspec.structs.replace(position.with_pieces(pieces), **changed)
