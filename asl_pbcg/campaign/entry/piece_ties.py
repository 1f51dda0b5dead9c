"""Ties between the pieces of a draft: who possesses, tows and guards what, who is aboard."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import msgspec

from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.position import FACINGS, EquipmentEntry, PieceEntry
from asl_pbcg.campaign.position_words import EquipmentStatus

ById = Mapping[str, PieceEntry]


def company(piece: PieceEntry, placed: ById) -> list[str]:
    """Return what goes along with a piece: what it possesses and tows, whom it guards or carries.

    With a piece that is not ``placed`` go only pieces that are not placed either.
    """
    holdings = (*piece.possesses, *piece.tows)
    along = [id for id in holdings if piece.id in placed or id not in placed]
    return along + [
        entry.id for entry in placed.values() if piece.id in (entry.aboard, entry.guarded_by)
    ]


def with_company(ids: Iterable[str], placed: ById, before: ById) -> set[str]:
    """Return pieces with all that goes along; of one not ``placed`` what it had ``before``."""
    together: set[str] = set()
    waiting = list(ids)
    while waiting:
        id = waiting.pop()
        piece = placed.get(id) or before.get(id)
        if id not in together and piece is not None:
            waiting += company(piece, placed)
        together.add(id)
    return together


def give_to(weapon: EquipmentEntry, holder: PieceEntry, hooked: bool = False) -> EquipmentEntry:
    """Return a SW or Gun as another has it: in his Location, captured if it is the enemy's.

    A Gun that a vehicle tows is ``hooked`` and no longer Emplaced.
    """
    new = weapon.without_status(EquipmentStatus.CAPTURED)
    if hooked:
        new = new.without_status(EquipmentStatus.EMPLACED, EquipmentStatus.HOOKED)
        new = new.with_status(EquipmentStatus.HOOKED)
    if weapon.maker is not holder.side:
        new = new.with_status(EquipmentStatus.CAPTURED)
    return msgspec.structs.replace(new, side=holder.side, at=holder.at)


def tie(piece: PieceEntry, holder: str, key: str, thing: EquipmentEntry) -> PieceEntry:
    """Return a piece once ``holder`` possesses or tows (``key``) a thing beside him.

    No other piece possesses or tows it then, but a Gun that is possessed may be towed beside him.
    """
    if piece.id == thing.id:
        return thing
    if thing.id in getattr(piece, key) or piece.at != thing.at:
        piece = piece.without(thing.id)
    if piece.id == holder:
        held = {key: (*getattr(piece, key), thing.id)}
        piece = msgspec.structs.replace(piece, **held)
    return piece


def move_piece(piece: PieceEntry, place: str, moving: Collection[str], placed: ById) -> PieceEntry:
    """Return a piece at another place, with ``moving`` and without what stays behind.

    Its Guard may stand there already. A unit that is put somewhere without its vehicle is no
    longer aboard. Off map nothing faces anywhere.
    """
    lost = piece.ties.difference(moving)
    guard = placed.get(piece.guarded_by)
    if guard is not None and guard.at == place:
        lost.discard(guard.id)
    towed = any(
        piece.id in vehicle.tows and vehicle.id not in moving and vehicle.at != place
        for vehicle in placed.values()
    )
    if towed:
        piece = piece.without_status(EquipmentStatus.HOOKED)
    fields: dict[str, Any] = {"at": place}
    if Location.parse(place).entry:
        fields |= dict.fromkeys(FACINGS[piece.section], "")
    return msgspec.structs.replace(piece.without(*lost), **fields)


def drop_claims(piece: PieceEntry, placed: ById) -> PieceEntry:
    """Return a piece put back where it was last, without what is elsewhere or another's by now."""
    claimed = {id for entry in placed.values() for id in (*entry.possesses, *entry.tows)}
    own = piece.ties & placed.keys()
    return piece.without(*(id for id in own if id in claimed or placed[id].at != piece.at))
