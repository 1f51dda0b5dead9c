"""The position of a campaign for players to fill in: all that the program knows, and no more.

Its contents pass the position check; fields left empty are for the players to say.
``with_pieces_of`` gives a sample position the ids of a campaign's pieces, whatever its dice gave
it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from asl_pbcg.campaign.areas.strategic_locations import StrategicLocations
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.position import (
    ControlOfSides,
    EquipmentEntry,
    Fortification,
    Glider,
    PieceEntry,
    Position,
    UnitEntry,
    VehicleEntry,
)
from asl_pbcg.campaign.position_words import FortificationKind, GliderState
from asl_pbcg.campaign.state.campaign_state import Campaign, change
from asl_pbcg.campaign.state.ob_merge import to_position
from asl_pbcg.campaign.state.piece_changes import Ids
from asl_pbcg.campaign.state.piece_matching import Wanted, match
from asl_pbcg.campaign.state.pieces import Infantry, Piece
from asl_pbcg.campaign.state.seen import view_for
from asl_pbcg.campaign.terms import Side
from asl_pbcg.refit.helpers.retention import still_there
from asl_pbcg.refit.setup.recorded_setup import newly_bought

if TYPE_CHECKING:
    from collections.abc import Iterable


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


def position_to_fill_in(state: Campaign, side: Side | None = None) -> Position:
    """Every piece that ``side`` may list (None: the umpire), and the ground, as far as known.

    A piece that was Retained elsewhere since has no place; what somebody possesses, guards or
    carries has none of its own either: it is where he is. Rule: 9.2, 9.6053, 9.6061.
    """
    hidden = newly_bought(state, unplaced=True)
    if side is not None:
        hidden = [work for work in hidden if work.owner is side]
        state = view_for(state, side)
    position = to_position(_to_tell_again(with_last_places(state)), everything=True)
    fortifications = (*position.fortifications, *hidden, *_initial_fortifications(state))
    gliders = position.gliders or tuple(
        Glider(at=piece.at, state=GliderState.LANDED)
        for piece in state.pieces
        if piece.kind == "glider" and _first(state)
    )
    position = msgspec.structs.replace(position, fortifications=fortifications, gliders=gliders)
    return msgspec.structs.replace(position, control=_strategic_control(position, state))


def neither(position: Position, state: Campaign) -> list[str]:
    """Return the Locations of record that no side Controls, in board order.

    Of buildings only the ground level is listed, unless a victory condition names another.
    Rule: 9.2, SSR PB4.
    """
    strategic = _strategic(position, state)
    held = position.control.holders
    place_of = state.board.grid.position
    listed = sorted(
        {*strategic.hexes, *strategic.objectives},
        key=lambda place: (place_of[Location.parse(place).hex], place),
    )
    return [place for place in listed if place not in held]


def with_last_places(state: Campaign) -> Campaign:
    """Return the state in which a piece has a place only if it is still there.

    What was Retained elsewhere since has none; what is possessed, towed, guarded or carried is
    where its holder is. Rule: 9.6053, 9.6055, 9.6061, 9.6071.
    """
    guns = {piece.id: piece for piece in state.pieces if piece.kind == "gun" and piece.on_map}
    beside: dict[str, str] = {}
    for piece in state.pieces:  # a unit that mans a Gun in its Setup Area is with it
        held = [guns[id] for id in piece.possesses if id in guns]
        bound = [gun for gun in held if state.frame.guns.is_bound(gun.type, gun.location.hex)]
        if held:
            beside[piece.id] = (bound or held)[-1].at
    places = {piece.id: beside.get(piece.id, piece.at) for piece in state.pieces}
    places |= {piece.id: "" for piece in state.pieces if piece.guarded_by}  # or of a prisoner freed
    if state.determined is not None:
        gone = [item.id for item in state.pieces if item.on_map and not still_there(state, item)]
        places |= dict.fromkeys(gone, "")
    holders = _holders(state)
    pieces = [
        msgspec.structs.replace(piece, at=places[_last_holder(holders, piece.id)])
        for piece in state.pieces
    ]
    return change(state, pieces=tuple(pieces))


def _holders(state: Campaign) -> dict[str, str]:
    """By id, the piece that possesses, tows, guards or carries another."""
    ids = {piece.id for piece in state.pieces}
    holders = {id: piece.id for piece in state.pieces for id in (*piece.possesses, *piece.tows)}
    for piece in state.pieces:
        for holder in (piece.guarded_by if piece.is_prisoner else "", piece.aboard):
            if holder in ids:
                holders[piece.id] = holder
    return holders


def _last_holder(holders: dict[str, str], id: str) -> str:
    """Return the piece that ``id`` goes with in the end: itself if no piece holds it."""
    chain = {id}
    while id in holders and holders[id] not in chain:
        id = holders[id]
        chain.add(id)
    return id


def _to_tell_again(state: Campaign) -> Campaign:
    """Return the state without what players tell with each end position.

    What goes along has no place of its own, and a prisoner set free no Guard.
    """
    holders = _holders(state)
    pieces = []
    for piece in state.pieces:
        if isinstance(piece, Infantry) and piece.guarded_by and not piece.is_prisoner:
            piece = msgspec.structs.replace(piece, guarded_by="")
        at = "" if piece.id in holders else piece.at
        pieces.append(msgspec.structs.replace(piece, at=at))
    return change(state, pieces=tuple(pieces), moved_first=None, ww_box={})


def _strategic_control(position: Position, state: Campaign) -> ControlOfSides:
    """Return Control without what is no longer a Strategic Location. Rule: 9.2, SSR PB4."""
    strategic = _strategic(position, state)
    lost = (p for p in position.control.holders if not strategic.is_recorded(Location.parse(p)))
    return position.control.give(dict.fromkeys(lost))


def _strategic(position: Position, state: Campaign) -> StrategicLocations:
    """Return the Strategic Locations of what has a place, its own or its possessor's."""
    held = {id: unit.at for unit in position.units for id in unit.possesses}
    equipment = [
        msgspec.structs.replace(item, at=item.at or held.get(item.id, ""))
        for item in position.equipment
    ]
    placed = msgspec.structs.replace(
        position,
        fortifications=_place(position.fortifications),
        gliders=_place(position.gliders),
        equipment=_place(equipment),
        vehicles=_place(position.vehicles),
    )
    return StrategicLocations(placed, state.board, state.catalogue)


def _place(parts: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(part for part in parts if part.at)


def _first(state: Campaign) -> bool:
    """Whether no CG scenario has ended yet: then the ground is as the OB has it."""
    return state.determined is None and not state.fortifications and not state.gliders


def _initial_fortifications(state: Campaign) -> list[Fortification]:
    """Return the Fortifications of the OB until an end position lists them. Rule: 9.51, 9.52."""
    if not _first(state):
        return []
    return [made for piece in state.pieces if (made := _fortification(piece)) is not None]


def _fortification(piece: Piece) -> Fortification | None:
    if piece.kind != "fortification":
        return None
    *strength, kind = piece.type.split()
    if kind.lower() not in list(FortificationKind):
        return None
    return Fortification(
        kind=FortificationKind(kind.lower()),
        at=piece.at,
        owner=piece.side,
        strength=" ".join(strength),
    )
