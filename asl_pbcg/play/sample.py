"""A sample position played by the pieces of a campaign, whatever its dice gave it."""

from __future__ import annotations

import msgspec

from asl_pbcg.campaign.identity import Ids
from asl_pbcg.campaign.piece_matching import Wanted, match
from asl_pbcg.campaign.position import EquipmentEntry, PieceEntry, Position, UnitEntry, VehicleEntry
from asl_pbcg.campaign.state import Campaign


def with_pieces_of(sample: Position, state: Campaign) -> Position:
    """The position with the ids of the campaign's pieces.

    A leader, SW or vehicle that the campaign has not is played by another of its kind and side, if
    one is left, else left out; a HS it has not is new.
    """
    wanted = [_what_is_wanted(entry) for entry in sample.pieces]
    matching = match(wanted, state.pieces, state.board, state.catalogue)
    spare = list(matching.missing)
    ids = Ids(state)
    names: dict[str, str] = {}
    pieces: list[PieceEntry] = []
    for entry in sample.pieces:
        id, side = matching.ids[entry.id], entry.maker
        kind = state.catalogue.get(entry.type, side).kind
        alike = [p for p in spare if p.kind == kind and p.maker is side]
        if id:
            names[entry.id] = id
        elif kind == "half_squad":
            names[entry.id] = ids.next(side, entry.type)
        elif alike:
            spare.remove(alike[0])
            names[entry.id] = alike[0].id
            entry = msgspec.structs.replace(entry, type=alike[0].type)
        else:
            continue
        pieces.append(entry)
    return sample.with_pieces(
        piece.without(*(piece.ties - names.keys())).rename(names) for piece in pieces
    )


def _what_is_wanted(entry: UnitEntry | EquipmentEntry | VehicleEntry) -> Wanted:
    formations = (entry.formation,) if entry.formation else ()
    return msgspec.structs.replace(Wanted.of(entry), formations=formations)
