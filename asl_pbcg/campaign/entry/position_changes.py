"""Only the changes since the last position, for players who do not want to write all of it.

A changes file (YAML or JSON) says what is different from the last position::

    format: pbcg-changes/1
    date: night-2                  # the CG Date just played
    control:                       # only Locations whose Control changed
      british: [Y19]
      german: [Z15/1]
      neither: [L9]                # nobody Controls it any more
    removed:                       # what is no longer on the map
      - A-3                        # a piece, by its name; british A-3 where both have one
      - {kind: wire, at: Z21}      # a Fortification, terrain change or glider, by kind and place
    units:
      - {id: A-1, side: british, at: Y21, status: [broken]}
      - {id: C-9, side: british, type: 3-3-8, at: Y21}
    casualty_vp: {british: 6, german: 11}

The lists gliders, fortifications, terrain, units, equipment and vehicles have the entries of a
position file. An entry whose id (of gliders, Fortifications and terrain: whose kind and place) is
known takes over what the last position or the OB says of it, and only the keys it writes are
changed: ``status: []`` takes all statuses away. Any other entry is new and must be complete.

What a unit possesses moves with it, as do a vehicle's Passengers, Riders and towed Guns and a
Guard's prisoners, unless they have an entry of their own that says where they are. A piece that
one unit is given leaves its old possessor. What ``removed`` names is then asked for: whether it
never entered or was Eliminated; ``eliminated: [A-3]``, or the status ``eliminated`` in its own
entry, says so at once. casualty_vp, ww_box, moved_first, turn, massacre, title and notes
are those of this scenario alone and are not carried over.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from asl_pbcg.campaign.entry.piece_ties import company
from asl_pbcg.campaign.entry.position_check import (
    complete,
    note_unknown_keys,
    read_facts,
    read_lists,
)
from asl_pbcg.campaign.entry.position_fields import NEITHER
from asl_pbcg.campaign.entry.position_raw import PieceNames, Raw, Rows, Written
from asl_pbcg.campaign.entry.position_rules import TYPES
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.position import LISTS, PIECES, TIES, Control, PieceEntry, Position
from asl_pbcg.campaign.scenario.scenario_facts import has_left
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.ob_merge import to_position
from asl_pbcg.campaign.state.piece_names import ids_called, short_name
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.reader import nearest
from asl_pbcg.kernel.struct_reader import ListItem, Path

CHANGES: Final = "pbcg-changes/1"
_GROUND: Final = {
    "gliders": ("at",),
    "fortifications": ("kind", "at"),
    "terrain": ("kind", "at", "hexside"),
}
"""By list, the keys that tell an entry from another."""
_SCENARIO: Final = (
    "casualty_vp", "ww_box", "moved_first", "turn", "massacre", "eliminated", "title", "notes",
)  # fmt: skip
_KNOWN: Final = ("format", "date", "control", "removed", *_GROUND, *PIECES, *_SCENARIO)


def read_changes(
    raw: Raw, state: Campaign, last: Position | None = None, side: Side | None = None
) -> Rows:
    """Return the parts of ``last``, or the position of ``state``, with the changes of ``raw``.

    ``side`` is whose changes they are, if one side's alone: a name is first one of its own. The
    parts are still to be checked (``check_rows``), their faults are told with those of the changes.
    """
    rows = Rows(raw, state.board, state.catalogue)
    note_unknown_keys(rows, _KNOWN, "a changes file")
    read_facts(rows, neither=True)
    read_lists(rows)
    elsewhere = _retained_elsewhere(state) if last is None else []
    last = last or to_position(state)
    names = PieceNames(rows, (*state.pieces, *last.pieces), side)
    names.settle(named_by_id=("side", "type", "at"))
    changes = _Changes(rows, state, last, names)
    changes.lay_over()
    changes.remove()
    complete(rows)
    changes.carry_along()
    changes.want_places(elsewhere)
    changes.hand_over()
    _control(rows, last.control)
    return rows


class _Changes:
    """The parts of the last position, changed step by step."""

    def __init__(self, rows: Rows, state: Campaign, last: Position, names: PieceNames) -> None:
        self.rows = rows
        self.names = names
        self.pieces = {piece.id: piece for piece in state.pieces}
        self.written = rows.written
        self.changed: dict[str, dict[str, Any]] = {}
        """By id, what the changes write of a piece."""
        self.moved: dict[str, PieceEntry] = {}
        """By id, what went along with a piece whose place the changes write."""
        self.first: dict[str, str] = {}
        """By id, where the changes name a piece first, in words."""
        self.parts: dict[str, list[Written]] = {
            section: [
                Written(section, 0, msgspec.structs.asdict(part), getattr(part, "id", ""))
                for part in getattr(last, section)
            ]
            for section in (*_GROUND, *PIECES)
        }
        rows.written = {"ww_box": self.written["ww_box"], **self.parts}

    def lay_over(self) -> None:
        """Take over what the changes write of each piece, glider, Fortification and terrain."""
        for section in PIECES:
            for written in self.written[section]:
                self._lay_over_piece(written)
        for section in _GROUND:
            for written in self.written[section]:
                self._lay_over_ground(written)

    def _lay_over_piece(self, written: Written) -> None:
        section, id = written.section, written.id
        where = self.rows.at(section, written.number, Written(section, 0, {}))
        if id in self.first:
            wrong = f"is used twice: first in {self.first[id]}"
            self.rows.wrong((*where, "id"), short_name(id), wrong)
            return
        piece = self.pieces.get(id)
        home = piece.section if piece else ""
        if id:
            self.first[id] = self.rows.raw.places.words(where)
        if home not in ("", section):
            wrong = f"is not a {TYPES[section][1]}: it belongs under {home}"
            self.rows.wrong(where, short_name(id), wrong)
            return
        if id:
            self.changed[id] = dict(written.values)
        before = self._find(id)
        if before is None and piece is not None:
            written.values = {**_of_ob(piece), **written.values}
        self._put(written, before)

    def _lay_over_ground(self, written: Written) -> None:
        section = written.section
        key = _ground_key(written)
        before = next((one for one in self.parts[section] if _ground_key(one) == key), None)
        if before is not None and before.number:
            where = self.rows.at(section, written.number, written)
            self.rows.wrong(where, " ".join(filter(None, key)), "stands there twice")
        self._put(written, before)

    def _put(self, written: Written, before: Written | None) -> None:
        """Let an entry take the place of the one before, whose other values stay."""
        if before is None:
            self.parts[written.section].append(written)
        else:
            before.values |= written.values
            before.number, before.named = written.number, written.named

    def _find(self, id: str) -> Written | None:
        return next((row for row in self.rows.pieces() if row.id == id), None) if id else None

    # -- removed -------------------------------------------------------------------------

    def remove(self) -> None:
        """Leave out what ``removed`` names, and the Eliminated."""
        rows = self.rows
        for number, item in rows.list_items(rows.raw.data.get("removed"), ("removed",)):
            where = ("removed", ListItem(number))
            if isinstance(item, str):
                self._remove_piece(where, self.names.id(item, None, where))
            elif isinstance(item, dict):
                self._remove_ground(where, item)
            else:
                rows.wrong(where, item, "must be a piece, as A-3, or {kind: ..., at: ...}")
        for id in rows.facts.get("eliminated", ()):
            if id not in self.changed:
                self._remove_piece(("eliminated",), id)
        gone = {entry.id for entry in rows.eliminated} - self.changed.keys()
        for section in PIECES:
            listed = self.parts[section]
            listed[:] = [part for part in listed if part.id not in gone]

    def _remove_piece(self, where: Path, id: str) -> None:
        before = self._find(id)
        if id in self.changed:
            self.rows.wrong(where, short_name(id), "is removed and changed at once")
        elif before is not None:
            self.parts[before.section].remove(before)
        elif id not in self.pieces and not ids_called(id):  # else its name is a fault already
            near = nearest(name := short_name(id), map(short_name, self.pieces))
            self.rows.wrong(where, name, f"is not a piece of either side{near}")

    def _remove_ground(self, where: Path, item: dict[str, Any]) -> None:
        kind, at = item.get("kind"), item.get("at")
        extra = item.keys() - {"kind", "at", "hexside"}
        if extra or not isinstance(at, str) or not isinstance(kind, str):
            self.rows.wrong(where, item, "must be written {kind: wire, at: Z21}")
            return
        for section in _GROUND:
            for part in self.parts[section]:
                own = {"kind": "glider", "hexside": "", **part.values}
                if all(own.get(key) == value for key, value in item.items()):
                    if part.number:
                        self.rows.wrong(where, f"{kind} {at}", "is removed and changed at once")
                    self.parts[section].remove(part)
                    return
        self.rows.wrong(where, f"{kind} {at}", "stands nowhere in the last position")

    # -- what follows --------------------------------------------------------------------

    def _pieces_by_id(self) -> dict[str, PieceEntry]:
        return {part.id: part for name in PIECES for _, part in self.rows.lists[name]}

    def _change(self, changed: dict[str, PieceEntry]) -> None:
        """Put pieces, by id, in the place of those before; new ones come last."""
        for section in PIECES:
            listed = self.rows.lists[section]
            listed[:] = [(number, changed.get(part.id, part)) for number, part in listed]

    def carry_along(self) -> None:
        """Move what is carried, towed, possessed or guarded with whoever moved.

        Equipment of the OB that somebody possesses now and that stood nowhere before comes with
        him.
        """
        placed = self._pieces_by_id()
        movers = [id for id, written in self.changed.items() if "at" in written and id in placed]
        moved = self.moved
        for id in movers:  # grows while what goes along takes others along
            mover = moved.get(id, placed[id])
            for companion in company(mover, placed):
                own_place = "at" in self.changed.get(companion, {})
                if companion in placed and companion not in moved and not own_place:
                    moved[companion] = msgspec.structs.replace(placed[companion], at=mover.at)
                    movers.append(companion)
        self._change(moved)
        placed |= moved
        for id, written in self.changed.items():
            for held in written.get("possesses") or ():
                piece = self.pieces.get(held)
                if piece and piece.is_weapon and not piece.at and held not in placed:
                    at = placed[id].at if id in placed else str(written.get("at") or "")
                    part = LISTS["equipment"](**_of_ob(piece), at=at)
                    self.rows.lists["equipment"].append((0, part))

    def want_places(self, elsewhere: Iterable[Piece]) -> None:
        """Find fault with pieces Retained elsewhere whose place is still that of before.

        Rule: 9.606, 9.613.
        """
        placed = self._pieces_by_id()
        for piece in elsewhere:
            written = self.changed.get(piece.id, {})
            if piece.id in placed and piece.id not in self.moved and "at" not in written:
                wrong = "write where it is now, or name it under removed"
                where = f"was Retained in {piece.retained_in} since"
                self.rows.wrong((piece.section,), short_name(piece.id), f"{where}: {wrong}")

    def hand_over(self) -> None:
        """Take what somebody was given, and what was removed, from its old possessor."""
        placed = self._pieces_by_id()
        holders: dict[str, str] = {}
        for id, written in self.changed.items():
            for key in ("possesses", "tows"):
                holders |= dict.fromkeys(written.get(key) or (), id)
        changed = {}
        for id, part in placed.items():
            own = self.changed.get(id, {})
            lost = {tied_id for tied_id in part.ties if tied_id not in placed}
            lost |= {held for held, holder in holders.items() if holder != id}
            kept = {key: getattr(part, key) for key in TIES.intersection(own)}
            changed[id] = msgspec.structs.replace(part.without(*lost), **kept)
        self._change(changed)


def _ground_key(written: Written) -> tuple[str, ...]:
    """Return what tells one glider, Fortification or terrain change from another."""
    return tuple(str(written.values.get(key) or "") for key in _GROUND[written.section])


def _retained_elsewhere(state: Campaign) -> list[Piece]:
    """Return what has been Retained elsewhere since the last position, itself and not with another.

    Rule: 9.606, 9.613.
    """
    if state.determined is None:
        return []
    carried = {id for piece in state.pieces for id in (*piece.possesses, *piece.tows)}
    return [
        piece
        for piece in state.pieces
        if piece.id not in carried and not (piece.guarded_by or piece.aboard)
        if has_left(state, piece)
    ]


def _of_ob(piece: Piece) -> dict[str, Any]:
    """Return what the OB says of a piece that stood nowhere on the map."""
    return {"id": piece.id, "side": piece.side, "type": piece.type, "status": piece.status}


def _control(rows: Rows, last: Control) -> None:
    """Change Control Location by Location, and keep the rest."""
    changed = {str(location): side for side, _, location in rows.control if side != NEITHER}
    for side, number, location in rows.control:
        where, place = ("control", side, ListItem(number)), str(location)
        if side == NEITHER and place in changed:
            rows.wrong(where, place, f"stands under {changed[place]} too")
        elif side == NEITHER and place not in last.holders:
            rows.wrong(where, place, "was Controlled by nobody before")
    holders = {str(at): None if side == NEITHER else Side(side) for side, _, at in rows.control}
    kept = [(side, 0, Location.parse(at)) for at, side in last.holders.items() if at not in holders]
    rows.control = [*kept, *(row for row in rows.control if row[0] != NEITHER)]
    rows.facts["control"] = last.give(holders)
