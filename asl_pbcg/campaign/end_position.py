"""The end position of a CG scenario: whether it is one, and whether it fits the campaign."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from asl_pbcg.campaign.board import Board
from asl_pbcg.campaign.catalogue import MMC, SMC, Catalogue
from asl_pbcg.campaign.changes import CHANGES, read_changes
from asl_pbcg.campaign.frame import Frame
from asl_pbcg.campaign.identity import Ids
from asl_pbcg.campaign.paper_limits import beyond_received
from asl_pbcg.campaign.piece_changes import has_secret_number, secret_id
from asl_pbcg.campaign.piece_names import first_type, ids_called, short_name
from asl_pbcg.campaign.pieces import Piece, new_piece
from asl_pbcg.campaign.position import (
    FORMAT,
    LISTS,
    PIECES,
    Fortification,
    PieceEntry,
    Position,
    UnitEntry,
)
from asl_pbcg.campaign.position_check import check_raw, check_rows
from asl_pbcg.campaign.position_counts import read_rows
from asl_pbcg.campaign.position_raw import Raw
from asl_pbcg.campaign.position_words import FortificationKind, UnitStatus
from asl_pbcg.campaign.seen import MINES, view_for
from asl_pbcg.campaign.state import Campaign, change
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.campaign.ww_box_limit import too_many_wounded
from asl_pbcg.kernel.dialogue import by_default
from asl_pbcg.kernel.errors import Fault, FaultsError, PBCGError
from asl_pbcg.kernel.reader import nearest

COUNTER = FortificationKind.MINEFIELD


def settle_position(
    state: Campaign,
    data: Any,
    board: Board,
    catalogue: Catalogue,
    source: str = "",
    viewers: Sequence[Side] = (),
) -> Position:
    """Return the position that ends the scenario ``state`` plays.

    ``data`` is a Position, a whole position as plain data, or only the changes since the last one
    (``changes.py``). ``viewers`` give it, and ``state`` is the campaign as they know it
    (``seen.known_by``). Raises FaultsError with every fault at once.
    """
    if len(viewers) > 1:
        state = _with_named(state, data)
    position, source = _read(state, data, board, catalogue, source, not viewers)
    faults = list(_misfits(state, position, catalogue, viewers))
    if state.has_no_pieces_yet:
        faults += _too_many(state, position, viewers)
    elif tuple(viewers) != (Side.GERMAN,):
        faults += too_many_wounded(state, position, catalogue)
    if faults:
        raise FaultsError(source, faults)
    return _without_counters(position)


def _too_many(state: Campaign, position: Position, viewers: Sequence[Side]) -> Iterator[Fault]:
    """Yield faults for more than a side of a campaign from paper can have received.

    Which RG the German bought he alone may be told.
    """
    lists = {name: [*enumerate(getattr(position, name), 1)] for name in LISTS}
    is_german = tuple(viewers) == (Side.GERMAN,)
    whose = Side.GERMAN if is_german else Side.BRITISH
    groups = state.groups if is_german else None
    for section, _, entry, key, value, wrong in beyond_received(lists, state, groups, [whose]):
        label = short_name(getattr(entry, "id", "")) or getattr(entry, "at", entry.type)
        yield Fault(f"{section} ({label}), {key}", str(value), wrong)


def open_position(state: Campaign, data: Any, board: Board, catalogue: Catalogue) -> Position:
    """Return the position that ends the scenario, checked by what both sides know and no more.

    Whoever gives it has it checked by what they know (:func:`settle_position`). Where it uses the
    id of a piece that it cannot be, its own gets another. Raises FaultsError with every fault.
    """
    position, source = _read(state, data, board, catalogue, sees_all=False)
    faults = [*_wrong_date(state, position.date)]
    known = state
    for side in state.sides:
        known = view_for(known, side)
    faults += _other_pieces(change(known, gone=()), position.pieces, catalogue)
    if state.has_no_pieces_yet:
        faults += _not_of_the_ob(state, position.eliminated)
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
    known = {piece.id for piece in state.pieces}
    named = [
        new_piece(state.catalogue, id, side, first_type(id), state.date)
        for id in sorted(ids - known)
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
        for each in data.values() if isinstance(data, dict) else data:
            yield from _words_in(each)


def _read(
    state: Campaign,
    data: Any,
    board: Board,
    catalogue: Catalogue,
    source: str = "",
    sees_all: bool = True,
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
        rows, _ = by_default(read_rows(raw, state, board, catalogue))
    if not sees_all:
        rows.kept_control = state.control.holders
    return check_rows(rows).position, raw.source


def _without_counters(position: Position) -> Position:
    """Return a position without Minefield counters: the mines are on record with their owner."""
    kept = tuple(each for each in position.fortifications if each.kind is not COUNTER)
    return msgspec.structs.replace(position, fortifications=kept)


def add_hidden(
    known: Campaign,
    position: Position,
    side: Side,
    data: Any,
    board: Board,
    catalogue: Catalogue,
) -> Position:
    """Return the position with what ``side`` alone knows: its hidden pieces and Fortifications.

    ``known`` is the campaign as that side knows it, ``position`` the one that both know, so that no
    answer tells what the other side hides. ``data`` is a changes file or a position (a workbook,
    too) that lists nothing else, or the whole position with them (as the journal keeps it). Raises
    FaultsError with every fault.
    """
    source = f"The list of the {side.title} side's hidden pieces"
    if not isinstance(data, dict) or data.get("format") not in (FORMAT, CHANGES):
        raise PBCGError(f"{source} must be a file with format: {CHANGES}.")
    if not any(data.get(key) for key in _OWN[1:]):
        raise FaultsError(
            source, [Fault("", "", "lists no piece: answer none where nothing is hidden")]
        )
    if data["format"] == FORMAT and not _is_whole(data, position):
        data = {"format": CHANGES, **{key: data[key] for key in _OWN[1:] if data.get(key)}}
    if data["format"] == FORMAT:
        listed = check_raw(Raw(source, data), board, catalogue).position
        date, whole = listed.date, with_own(position, listed, side)
        faults = [] if whole != position else [*_not_own(position, listed, side)]
    else:
        raw = Raw(source, {"date": position.date.value, **data})
        rows = read_changes(raw, known, position, side)
        for key in data:
            if key not in _OWN:
                rows.wrong((str(key),), "", "is for the common position")
        whole = _with_secret_ids(known, position, check_rows(rows).position)
        date, faults = whole.date, [*_not_own(position, whole, side)]
    faults += _wrong_date(known, date)
    faults += _own_misfits(known, position, whole, side)
    if faults:
        raise FaultsError(source, faults)
    # Facts of the scenario as a whole stay those of the common position.
    own = ("fortifications", *PIECES, "eliminated")
    return msgspec.structs.replace(position, **{key: getattr(whole, key) for key in own})


def _with_secret_ids(known: Campaign, position: Position, whole: Position) -> Position:
    """Return a position with new pieces numbered as what one side alone knows of.

    A number that pieces received openly have would tell the other side how many there are.
    """
    taken = [each.id for each in (*known.pieces, *(each.piece for each in known.gone))]
    listed = {each.id for each in position.pieces}
    names: dict[str, str] = {}
    for entry in whole.pieces:
        if entry.id not in {*taken, *listed} and not has_secret_number(entry.id):
            others = (*taken, *listed, *names.values(), *(each.id for each in whole.pieces))
            names[entry.id] = secret_id(known, entry.maker, entry.type, others)
    return whole.with_pieces(each.rename(names) for each in whole.pieces)


def with_own(position: Position, own: Position, side: Side) -> Position:
    """Return the position with what ``own`` lists of ``side``, each in its place or at the end.

    What ``own`` says of the other side's is left out. Rule: 9.602(6).
    """
    pieces = {each.id: each for each in own.pieces if each.side is side}
    works = [each for each in own.fortifications if each.owner is side]
    kept = [
        pieces.pop(each.id) if each.side is side else each
        for each in position.pieces
        if each.side is not side or each.id in pieces
    ]
    standing = []
    for each in position.fortifications:
        new = next((one for one in works if (one.kind, one.at) == (each.kind, each.at)), None)
        if each.owner is side and new is not None:
            works.remove(new)
            standing.append(new)
        elif each.owner is not side:
            standing.append(each)
    return msgspec.structs.replace(
        position,
        fortifications=(*standing, *works),
        eliminated=tuple(dict.fromkeys((*position.eliminated, *own.eliminated))),
    ).with_pieces((*kept, *pieces.values()))


def without_clashes(state: Campaign, position: Position) -> Position:
    """Return the position with other ids for entries that cannot be the pieces of theirs.

    Only what one side alone knows can be such a piece: else it is a fault. Rule: 9.2 OB.
    """
    pieces = {piece.id: piece for piece in state.pieces}
    gone = {each.piece.id for each in state.gone}
    ids = Ids(state, (each.id for each in position.pieces))
    names = {
        entry.id: ids.next(entry.maker, entry.type)
        for entry in position.pieces
        if entry.id in gone or not _can_be(state, entry, pieces.get(entry.id))
    }
    return position.with_pieces(each.rename(names) for each in position.pieces)


def join_hidden(state: Campaign, position: Position, own: Position, side: Side) -> Position:
    """Return the position with what ``own`` lists of ``side``, whatever the other side hides.

    Where both give one id to different pieces, captured Equipment gets another. Rule: 9.602(6).
    """
    before = {each.id: each for each in position.pieces}
    own = without_clashes(state, own)
    listed = {each.id for each in own.pieces if each.side is side}
    ids = Ids(state, (*before, *listed))
    theirs = [before[id] for id in before if id in listed and before[id].side is not side]
    names = {each.id: ids.next(each.maker, each.type) for each in theirs if each.captured}
    position = position.with_pieces(each.rename(names) for each in position.pieces)
    names = {each.id: ids.next(each.maker, each.type) for each in theirs if not each.captured}
    return with_own(position, own.with_pieces(each.rename(names) for each in own.pieces), side)


def _can_be(state: Campaign, entry: PieceEntry, piece: Piece | None) -> bool:
    """Whether an entry can be the piece of its id; always where there is none."""
    if piece is None:
        return True
    if isinstance(entry, UnitEntry):
        return entry.side is piece.side and _is_of_a_kind(state.catalogue, entry, piece)
    return (entry.section, entry.type, entry.maker) == (piece.section, piece.type, piece.maker)


def _own_misfits(
    known: Campaign, position: Position, whole: Position, side: Side
) -> Iterator[Fault]:
    """Yield faults for what one side's list adds to the common position, from what it knows."""
    before = {each.id for each in position.pieces}
    added = [each for each in whole.pieces if each not in position.pieces]
    yield from _other_pieces(known, added, known.catalogue)
    ids = {piece.id for piece in known.pieces}
    for entry in added:
        letter = f"{entry.maker.value[0]}-"
        if entry.id not in ids | before and not entry.id.startswith(letter):
            where = f"{entry.section} ({short_name(entry.id)})"
            wrong = f"is new: a name of its own must begin with {letter}, as {letter}mine"
            yield Fault(where, "", wrong)
    works = [each for each in whole.fortifications if each not in position.fortifications]
    yield from _unknown_counters(known, works)
    yield from _not_of_the_ob(
        known, [id for id in whole.eliminated if id not in position.eliminated]
    )
    if side is Side.BRITISH and not known.has_no_pieces_yet:
        yield from too_many_wounded(known, whole, known.catalogue)


def _is_whole(data: dict[str, Any], position: Position) -> bool:
    """Whether plain data of a position lists every piece that the common position has."""
    listed = {
        entry.get("id")
        for section in PIECES
        if isinstance(data.get(section), list | tuple)
        for entry in data[section]
        if isinstance(entry, dict)
    }
    return all(entry.id in listed for entry in position.pieces)


_OWN = ("format", "date", "removed", *PIECES, "fortifications")


def _not_own(before: Position, after: Position, side: Side) -> Iterator[Fault]:
    """Yield faults for what one side's own file says of the other's pieces."""
    for name in _OWN[3:]:
        old, new = getattr(before, name), getattr(after, name)
        owned = "owner" if name == "fortifications" else "side"
        for each in (*(part for part in new if part not in old), *(p for p in old if p not in new)):
            if getattr(each, owned) is not side:
                label = short_name(getattr(each, "id", "")) or f"{each.kind.value} {each.at}"
                yield Fault(name, label, f"is not {side.title}")


def _misfits(
    state: Campaign, position: Position, catalogue: Catalogue, viewers: Sequence[Side]
) -> Iterator[Fault]:
    """Yield faults for what a position may say by itself but not in this campaign."""
    yield from _wrong_date(state, position.date)
    yield from _other_pieces(state, position.pieces, catalogue)
    # Where a side's mines are the other need not know before it meets them.
    works = [
        each for each in position.fortifications if not viewers or (each.owner,) == tuple(viewers)
    ]
    yield from _unknown_counters(state, works)
    # What one side alone was known to have may be lost before the eyes of both.
    lost = [id for id in position.eliminated if len(viewers) < 2 or not has_secret_number(id)]
    yield from _not_of_the_ob(state, lost)


def _wrong_date(state: Campaign, date: CGDate) -> Iterator[Fault]:
    if date is not state.date:
        yield Fault("date", date, f"must be {state.date}: that CG Date was played")


def _other_pieces(
    state: Campaign, entries: Iterable[PieceEntry], catalogue: Catalogue
) -> Iterator[Fault]:
    """Yield faults for entries that cannot be the pieces of their ids."""
    pieces = {piece.id: piece for piece in state.pieces}
    gone = {each.piece.id: each for each in state.gone}
    for entry in entries:
        where = f"{entry.section} ({short_name(entry.id)})"
        piece = pieces.get(entry.id)
        if UnitStatus.EXITED in entry.status and not _may_exit(state, entry.side):
            wrong = "is for German pieces: this one is Eliminated (CG15, P-08)"
            yield Fault(where, "exited", wrong)
        if piece is not None:
            yield from _other_piece(where, piece, entry, catalogue, state.frame)
        elif lost := gone.get(entry.id):
            wrong = f"is {lost.piece.type}, {lost.how} in {lost.date.title}; what is new"
            yield Fault(where, "", f"{wrong} needs a name of its own")


def _unknown_counters(state: Campaign, works: Iterable[Fortification]) -> Iterator[Fault]:
    """Yield faults for Minefield counters where no minefield is on record."""
    known = {each.location.hex for each in state.fortifications if each.kind in (*MINES, COUNTER)}
    for mines in works:
        if mines.kind is COUNTER and mines.location.hex not in known:
            wrong = "is for a minefield that is on record already; write ap-mines or at-mines"
            yield Fault(f"fortifications ({mines.at})", mines.kind, wrong)


def _not_of_the_ob(state: Campaign, eliminated: Iterable[str]) -> Iterator[Fault]:
    """Yield faults for ids of Eliminated pieces that no piece of the campaign has or had."""
    known = {piece.id: short_name(piece.id) for piece in state.pieces if piece.section}
    had = {each.piece.id for each in state.gone}
    for id in eliminated:
        if id not in known and id not in had:
            near = nearest(name := short_name(id), known.values())
            yield Fault("eliminated", name, f"is not a piece of either side{near}")


def _may_exit(state: Campaign, side: Side) -> bool:
    """Say whether what exits by a friendly Entry Area is Retained. Rule: CG15; house rule P-08."""
    return side is Side.GERMAN or state.plays("P-08", "retained")


def _other_piece(
    where: str, piece: Piece, entry: PieceEntry, catalogue: Catalogue, frame: Frame
) -> Iterator[Fault]:
    """Yield faults for an entry that can no longer be the piece of that id."""
    if not piece.section:
        yield Fault(where, "", f"is the {piece.type} in the OB")
        return
    if isinstance(entry, UnitEntry):
        yield from _other_unit(where, piece, entry, catalogue)
        return
    if entry.type != piece.type:
        yield Fault(where, entry.type, f"is a {piece.type} in the OB")
        return
    of_piece = piece.maker
    if entry.maker is not of_piece:
        yield Fault(
            where,
            entry.side,
            f"must be captured: it is a {of_piece.title} {piece.type}"
            if entry.side is not of_piece
            else f"cannot be captured: it is a {of_piece.title} {piece.type} of its own side",
        )
    guns = frame.guns
    if guns.is_bound(piece.type, piece.at) and (entry.at != piece.at):
        yield Fault(where, entry.at, f"must stay in {piece.at}: that Gun never moves (CG11)")


def _other_unit(
    where: str, piece: Piece, entry: UnitEntry, catalogue: Catalogue
) -> Iterator[Fault]:
    if entry.side is not piece.side:
        yield Fault(where, entry.side, f"is a {piece.side.title} unit in the OB")
        return
    kind = catalogue.kind(entry.type, entry.side)
    if not _is_of_a_kind(catalogue, entry, piece):
        yield Fault(
            where, entry.type, f"is a {piece.type} in the OB; what is new needs a name of its own"
        )
    elif piece.kind == "half_squad" and kind == "squad":
        yield Fault(
            where, entry.type, f"is a {piece.type} in the OB: HS Recombine in the RePh (9.6111)"
        )
    if piece.has(UnitStatus.WALKING_WOUNDED) and UnitStatus.WALKING_WOUNDED not in entry.status:
        yield Fault(where, "", "was Walking Wounded and never loses that status (CG17)")


def _is_of_a_kind(catalogue: Catalogue, entry: PieceEntry, piece: Piece) -> bool:
    """Whether play can make what an entry is of a unit: a squad or HS of one, a leader of one."""
    kind = catalogue.kind(entry.type, entry.side)
    same = kind == piece.kind or any(kind in each and piece.kind in each for each in (MMC, SMC))
    return same and (kind == "crew") == (piece.kind == "crew")
