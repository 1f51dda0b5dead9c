"""One side's list of what it alone knows at the end of a scenario, beside the common position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from asl_pbcg.campaign.entry.end_position import without_clashes
from asl_pbcg.campaign.entry.ob_faults import (
    not_of_the_ob,
    other_pieces,
    too_many_wounded,
    unknown_counters,
    wrong_date,
)
from asl_pbcg.campaign.entry.position_changes import CHANGES, read_changes
from asl_pbcg.campaign.entry.position_check import check_raw, check_rows
from asl_pbcg.campaign.entry.position_raw import Raw
from asl_pbcg.campaign.position import FORMAT, PIECES, Position
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.piece_changes import Ids, has_secret_number, secret_id
from asl_pbcg.campaign.state.piece_names import short_name
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import Fault, FaultsError, PBCGError

_OWN = ("format", "date", "removed", *PIECES, "fortifications")
"""The keys that such a list may have."""


def add_hidden(view: Campaign, position: Position, side: Side, data: Any) -> Position:
    """Return the position with what ``side`` alone knows: its hidden pieces and Fortifications.

    ``view`` is the campaign as that side knows it, ``position`` the one that both know, so that no
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
        listed = check_raw(Raw(source, data), view.board, view.catalogue).position
        date, whole = listed.date, with_own(position, listed, side)
        faults = [] if whole != position else [*_not_own(position, listed, side)]
    else:
        raw = Raw(source, {"date": position.date.value, **data})
        rows = read_changes(raw, view, position, side)
        for key in data:
            if key not in _OWN:
                rows.wrong((str(key),), "", "is for the common position")
        whole = _with_secret_ids(view, position, check_rows(rows).position)
        date, faults = whole.date, [*_not_own(position, whole, side)]
    faults += wrong_date(view, date)
    faults += _own_misfits(view, position, whole, side)
    if faults:
        raise FaultsError(source, faults)
    # Facts of the scenario as a whole stay those of the common position.
    own = ("fortifications", *PIECES, "eliminated")
    return msgspec.structs.replace(position, **{key: getattr(whole, key) for key in own})


def _with_secret_ids(view: Campaign, position: Position, whole: Position) -> Position:
    """Return a position whose new pieces have the secret numbers of pieces that one side knows.

    An open number would tell the other side how many pieces there are.
    """
    taken = [piece.id for piece in (*view.pieces, *(loss.piece for loss in view.gone))]
    listed = {piece.id for piece in position.pieces}
    names: dict[str, str] = {}
    for entry in whole.pieces:
        if entry.id not in {*taken, *listed} and not has_secret_number(entry.id):
            others = (*taken, *listed, *names.values(), *(piece.id for piece in whole.pieces))
            names[entry.id] = secret_id(view, entry.maker, entry.type, others)
    return whole.with_pieces(piece.rename(names) for piece in whole.pieces)


def with_own(position: Position, own: Position, side: Side) -> Position:
    """Return the position with what ``own`` lists of ``side``, each in its place or at the end.

    What ``own`` says of the other side's is left out. Rule: 9.602(6).
    """
    pieces = {piece.id: piece for piece in own.pieces if piece.side is side}
    works = [work for work in own.fortifications if work.owner is side]
    kept = [
        pieces.pop(piece.id) if piece.side is side else piece
        for piece in position.pieces
        if piece.side is not side or piece.id in pieces
    ]
    standing = []
    for old in position.fortifications:
        new = next((one for one in works if (one.kind, one.at) == (old.kind, old.at)), None)
        if old.owner is side and new is not None:
            works.remove(new)
            standing.append(new)
        elif old.owner is not side:
            standing.append(old)
    return msgspec.structs.replace(
        position,
        fortifications=(*standing, *works),
        eliminated=tuple(dict.fromkeys((*position.eliminated, *own.eliminated))),
    ).with_pieces((*kept, *pieces.values()))


def join_hidden(state: Campaign, position: Position, own: Position, side: Side) -> Position:
    """Return the position with what ``own`` lists of ``side``, whatever the other side hides.

    Where both give one id to different pieces, captured Equipment gets another. Rule: 9.602(6).
    """
    before = {piece.id: piece for piece in position.pieces}
    own = without_clashes(state, own)
    listed = {piece.id for piece in own.pieces if piece.side is side}
    ids = Ids(state, (*before, *listed))
    theirs = [before[id] for id in before if id in listed and before[id].side is not side]
    names = {piece.id: ids.next(piece.maker, piece.type) for piece in theirs if piece.captured}
    position = position.with_pieces(piece.rename(names) for piece in position.pieces)
    names = {piece.id: ids.next(piece.maker, piece.type) for piece in theirs if not piece.captured}
    return with_own(position, own.with_pieces(piece.rename(names) for piece in own.pieces), side)


def _own_misfits(
    view: Campaign, position: Position, whole: Position, side: Side
) -> Iterator[Fault]:
    """Yield faults for what one side's list adds to the common position, from what it knows."""
    before = {piece.id for piece in position.pieces}
    added = [piece for piece in whole.pieces if piece not in position.pieces]
    yield from other_pieces(view, added)
    ids = {piece.id for piece in view.pieces}
    for entry in added:
        letter = f"{entry.maker.value[0]}-"
        if entry.id not in ids | before and not entry.id.startswith(letter):
            where = f"{entry.section} ({short_name(entry.id)})"
            wrong = f"is new: a name of its own must begin with {letter}, as {letter}mine"
            yield Fault(where, "", wrong)
    works = [work for work in whole.fortifications if work not in position.fortifications]
    yield from unknown_counters(view, works)
    yield from not_of_the_ob(view, [id for id in whole.eliminated if id not in position.eliminated])
    if side is Side.BRITISH and not view.has_no_pieces_yet:
        yield from too_many_wounded(view, whole)


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


def _not_own(before: Position, after: Position, side: Side) -> Iterator[Fault]:
    """Yield faults for what one side's own file says of the other's pieces."""
    for name in _OWN[3:]:
        old, new = getattr(before, name), getattr(after, name)
        owned = "owner" if name == "fortifications" else "side"
        for item in (*(part for part in new if part not in old), *(p for p in old if p not in new)):
            if getattr(item, owned) is not side:
                label = short_name(getattr(item, "id", "")) or f"{item.kind.value} {item.at}"
                yield Fault(name, label, f"is not {side.title}")
