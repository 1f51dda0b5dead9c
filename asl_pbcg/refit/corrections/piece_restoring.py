"""A piece that was forgotten or is wrongly gone comes into an OB by a correction."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from asl_pbcg.campaign.state.campaign_state import Campaign, change
from asl_pbcg.campaign.state.piece_changes import add_pieces
from asl_pbcg.campaign.state.piece_names import name_piece, short_name
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.corrections import as_state
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.reader import nearest_or_all

NEW: Final = "pieces/+"
"""The path of a correction that brings a piece."""
_HOW: Final = (
    f'Write "{NEW}=A-3" to restore a piece that has left its OB, or '
    f'"{NEW}={{side: british, type: 6-4-8, at: Y20}}" to add a new one.'
)
TIES: Final = {"possesses": (), "tows": (), "aboard": "", "guarded_by": "", "manned_by": ""}
"""Ties that may belong to another piece by now."""


def bring_piece(state: Campaign, value: Any) -> tuple[Campaign, Piece, str]:
    """Return the state with a piece restored or added, the piece, and what happened in words.

    ``value`` is the id of a piece that has left its OB, or facts: ``id`` of such a piece, else
    ``side`` and ``type``, and any field of a piece. What a side received stays the sum of what it
    has and what has left it. Raises PBCGError with what would be right.
    """
    facts = {"id": value} if isinstance(value, str) else value
    if not isinstance(facts, dict) or not all(isinstance(key, str) for key in facts):
        raise PBCGError(_HOW)
    if "id" in facts:
        return _restore_piece(state, str(facts["id"]), facts)
    return _add_piece(state, facts)


def _restore_piece(state: Campaign, id: str, facts: dict[str, Any]) -> tuple[Campaign, Piece, str]:
    gone = next((each for each in reversed(state.gone) if each.piece.id == id), None)
    if gone is None:
        names = [short_name(each.piece.id) for each in state.gone]
        known = nearest_or_all(short_name(id), names) if names else "; none has"
        raise PBCGError(f'No piece "{short_name(id)[:60]}" has left its OB{known[:400]}. {_HOW}')
    free = {name: none for name, none in TIES.items() if name in gone.piece.__struct_fields__}
    data = {**msgspec.to_builtins(gone.piece), **free, **facts}
    piece = _piece(data, gone.piece)
    others = tuple(each for each in state.gone if each is not gone)
    words = (
        f"{name_piece(piece)}, {gone.how} in {gone.step} of {gone.date.title}, is in the "
        f"{piece.side.title} OB again"
    )
    return change(state, pieces=(*state.pieces, piece), gone=others), piece, words


def _add_piece(state: Campaign, facts: dict[str, Any]) -> tuple[Campaign, Piece, str]:
    facts = dict(facts)
    side_name, type = facts.pop("side", ""), str(facts.pop("type", ""))
    if side_name not in [side.value for side in state.sides] or not type:
        raise PBCGError(_HOW)
    side = Side(side_name)
    if state.catalogue.find(type, side) is None:
        near = ", ".join(state.catalogue.nearest(type, side))
        raise PBCGError(
            f'"{type[:60]}" is not a {side.title} type{f"; nearest: {near}" if near else ""}.'
        )
    after = add_pieces(state, side, [(type, 1)])
    made = after.pieces[-1]
    piece = _piece({**msgspec.to_builtins(made), **facts}, made)
    words = f"{name_piece(piece)} is added to the {side.title} OB"
    return change(after, pieces=(*after.pieces[:-1], piece)), piece, words


def _piece(data: dict[str, Any], like: Piece) -> Piece:
    unknown = [name for name in data if name not in (*like.__struct_fields__, "class")]
    if unknown:
        known = nearest_or_all(unknown[0], like.__struct_fields__)
        raise PBCGError(f'A piece has no "{unknown[0][:60]}"{known}.')
    fixed = {"id": like.id, "side": like.side.value, "kind": like.kind}
    return as_state({**data, **fixed}, type(like), NEW)
