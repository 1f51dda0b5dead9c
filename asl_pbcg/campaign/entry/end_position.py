"""The end position of a CG scenario: whether it is one, and whether it fits the campaign."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from asl_pbcg.campaign.entry.ob_faults import (
    COUNTER,
    is_of_a_kind,
    not_of_the_ob,
    other_pieces,
    too_many_wounded,
    unknown_counters,
    wrong_date,
)
from asl_pbcg.campaign.entry.position_changes import CHANGES, read_changes
from asl_pbcg.campaign.entry.position_check import check_rows
from asl_pbcg.campaign.entry.position_counts import read_rows
from asl_pbcg.campaign.entry.position_raw import Raw
from asl_pbcg.campaign.position import FORMAT, PIECES, PieceEntry, Position, UnitEntry
from asl_pbcg.campaign.state.campaign_state import Campaign, change
from asl_pbcg.campaign.state.piece_changes import Ids, has_secret_number
from asl_pbcg.campaign.state.piece_names import first_type, ids_called
from asl_pbcg.campaign.state.pieces import Piece, new_piece
from asl_pbcg.campaign.state.seen import view_for
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.answers import by_default
from asl_pbcg.kernel.errors import Fault, FaultsError, PBCGError


def settle_position(
    state: Campaign, data: Any, source: str = "", viewers: Sequence[Side] = ()
) -> Position:
    """Return the position that ends the scenario ``state`` plays.

    ``data`` is a Position, a whole position as plain data, or only the changes since the last one
    (``position_changes.py``). ``viewers`` give it, and ``state`` is the campaign as they know it
    (``seen.known_by``). Raises FaultsError with every fault at once.
    """
    if len(viewers) > 1:
        state = _with_named(state, data)
    position, source = _read(state, data, source, not viewers)
    faults = list(_misfits(state, position, viewers))
    if not state.has_no_pieces_yet and tuple(viewers) != (Side.GERMAN,):
        faults += too_many_wounded(state, position)
    if faults:
        raise FaultsError(source, faults)
    return _without_counters(position)


def open_position(state: Campaign, data: Any) -> Position:
    """Return the position that ends the scenario, checked by what both sides know and no more.

    Whoever gives it has it checked by what they know (:func:`settle_position`). Where it uses the
    id of a piece that it cannot be, its own gets another. Raises FaultsError with every fault.
    """
    position, source = _read(state, data, sees_all=False)
    faults = [*wrong_date(state, position.date)]
    view = state
    for side in state.sides:
        view = view_for(view, side)
    faults += other_pieces(change(view, gone=()), position.pieces)
    if state.has_no_pieces_yet:
        faults += not_of_the_ob(state, position.eliminated)
    if faults:
        raise FaultsError(source, faults)
    return _without_counters(position)


def _with_named(state: Campaign, data: Any) -> Campaign:
    """Return the state with what ``data`` names by a number that one side alone gives.

    An RG that has entered stands there by its name, which tells side and type: whether a side has
    it, only that side knows.
    """
    if not isinstance(data, dict):
        return state
    names = {*_words_in([data.get(key) for key in (*PIECES, "removed", "eliminated")])}
    ids = {id for name in names for id in (name, *ids_called(name).values())}
    on_record = {piece.id for piece in state.pieces}
    named = [
        new_piece(state.catalogue, id, side, first_type(id), state.date)
        for id in sorted(ids - on_record)
        if has_secret_number(id) and first_type(id)
        for side in state.sides
        if id.startswith(f"{side.value[0]}-")
    ]
    return change(state, pieces=(*state.pieces, *named))


def _words_in(data: Any) -> Iterator[str]:
    """Yield all words in plain data."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list | tuple):
        for part in data.values() if isinstance(data, dict) else data:
            yield from _words_in(part)


def _read(
    state: Campaign, data: Any, source: str = "", sees_all: bool = True
) -> tuple[Position, str]:
    """Return the position that ``data`` is by itself, and what to call it.

    For whoever does not see all, Control may stay as it was where nothing that they see makes a
    Location one of record: a hidden Gun may.
    """
    if isinstance(data, Position):
        data = msgspec.to_builtins(data)
    if not isinstance(data, dict):
        source = source or "The position"
        raise PBCGError(f"{source} must be a file with format: {FORMAT} or {CHANGES}.")
    if data.get("format") == CHANGES:
        raw = Raw(source or "The changes file", data)
        rows = read_changes(raw, state)
    else:
        raw = Raw(source or "The position", data)
        rows, _ = by_default(read_rows(raw, state, state.board, state.catalogue))
    if not sees_all:
        rows.kept_control = state.control.holders
    return check_rows(rows).position, raw.source


def _without_counters(position: Position) -> Position:
    """Return a position without Minefield counters: the mines are on record with their owner."""
    kept = tuple(work for work in position.fortifications if work.kind is not COUNTER)
    return msgspec.structs.replace(position, fortifications=kept)


def without_clashes(state: Campaign, position: Position) -> Position:
    """Return the position with other ids for entries that cannot be the pieces of theirs.

    Only what one side alone knows can be such a piece: else it is a fault. Rule: 9.2 OB.
    """
    pieces = {piece.id: piece for piece in state.pieces}
    gone = {loss.piece.id for loss in state.gone}
    ids = Ids(state, (entry.id for entry in position.pieces))
    names = {
        entry.id: ids.next(entry.maker, entry.type)
        for entry in position.pieces
        if entry.id in gone or not _can_be(state, entry, pieces.get(entry.id))
    }
    return position.with_pieces(entry.rename(names) for entry in position.pieces)


def _can_be(state: Campaign, entry: PieceEntry, piece: Piece | None) -> bool:
    """Whether an entry can be the piece of its id; always where there is none."""
    if piece is None:
        return True
    if isinstance(entry, UnitEntry):
        return entry.side is piece.side and is_of_a_kind(state.catalogue, entry, piece)
    return (entry.section, entry.type, entry.maker) == (piece.section, piece.type, piece.maker)


def _misfits(state: Campaign, position: Position, viewers: Sequence[Side]) -> Iterator[Fault]:
    """Yield faults for what a position may say by itself but not in this campaign."""
    yield from wrong_date(state, position.date)
    yield from other_pieces(state, position.pieces)
    # Where a side's mines are the other need not know before it meets them.
    works = [
        work for work in position.fortifications if not viewers or (work.owner,) == tuple(viewers)
    ]
    yield from unknown_counters(state, works)
    # What one side alone was known to have may be lost before the eyes of both.
    lost = [id for id in position.eliminated if len(viewers) < 2 or not has_secret_number(id)]
    yield from not_of_the_ob(state, lost)
