"""Between a campaign's OB and a position: pieces keep their identity from CG Date to CG Date."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from asl_pbcg.campaign.areas.strategic_locations import StrategicLocations
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.module.catalogue import Formation
from asl_pbcg.campaign.module.frame import SCENARIO
from asl_pbcg.campaign.position import (
    FORMAT,
    LISTS,
    Control,
    EquipmentEntry,
    PieceEntry,
    Position,
    UnitEntry,
    VehicleEntry,
    WWBox,
)
from asl_pbcg.campaign.position_words import EquipmentStatus, VehicleStatus
from asl_pbcg.campaign.state.campaign_state import Campaign, change, with_account
from asl_pbcg.campaign.state.piece_changes import has_secret_number, remove
from asl_pbcg.campaign.state.pieces import Piece, Vehicle, new_piece, retype
from asl_pbcg.campaign.terms import Side

_OF_THE_OB = {"id", "formation", "rg"}
"""Fields of an entry that the OB knows better."""


def missing(state: Campaign, position: Position) -> list[Piece]:
    """Return the pieces of the OB that ``position`` does not list; Fortifications aside."""
    listed = {entry.id for entry in position.pieces}
    return [piece for piece in state.pieces if piece.id not in listed and piece.section]


def pieces_left_out(state: Campaign, position: Position) -> list[Piece]:
    """Return the missing pieces of which the position does not say that they were Eliminated."""
    gone = set(position.eliminated)
    return [piece for piece in missing(state, position) if piece.id not in gone]


def take_position(state: Campaign, position: Position, off_map: Collection[str] = ()) -> Campaign:
    """Return the state with ``position`` as the map at the end of the scenario.

    A piece it lists is updated, or received if its id is new (an HS deployed in play, a Hero
    created). A piece it does not list was Eliminated in play, unless its id is in ``off_map``:
    it never entered and stays Retained off map. Rule: 9.2 Eliminated, CG16.
    """
    for piece in missing(state, position):
        if piece.id not in off_map:
            state = remove(state, piece.id, "eliminated", "in play", SCENARIO)
    by_id = {piece.id: piece for piece in state.pieces}
    received = Counter(state.received_count)
    for entry in position.pieces:
        old = by_id.get(entry.id)
        if old is None:
            received[entry.side] += 1
            old = _with_formation(state, _receive(state, entry), entry.formation)
        elif old.side is not entry.side:
            received[entry.side] += 1
            received[old.side] -= 1
        by_id[entry.id] = _update(retype(state.catalogue, old, entry.type), entry)
    for id in off_map:  # what the map shows is no longer with a unit that never entered
        if id in by_id:
            shown = {entry.id for entry in position.pieces}.intersection(by_id[id].possesses)
            by_id[id] = by_id[id].without(*shown)
    by_id |= _no_longer_manned(by_id)
    kept = {id: piece for id, piece in by_id.items() if piece.section}
    others = {id: piece for id, piece in by_id.items() if id not in kept}
    cvp_lost = {side: position.casualty_vp.of(side) for side in state.sides}
    counters = (mine for mine in position.fortifications if mine.hidden and state.has_counter(mine))
    state = with_account(state, cvp_lost=cvp_lost)
    return change(
        state,
        pieces=(*sorted(kept.values(), key=_order), *others.values()),
        received_count=dict(received),
        control=_control(state, position),
        gliders=position.gliders,
        fortifications=position.fortifications,
        minefield_counters=tuple((mine.kind, mine.at) for mine in counters),
        terrain=position.terrain,
        moved_first=position.moved_first,
        ww_box={box.type: box.count for box in position.ww_box},
        massacre=position.massacre or state.massacre,
    )


def kept_control(state: Campaign, position: Position) -> dict[Side, tuple[str, ...]]:
    """Return the Control that stays as it was because ``position`` need not say it.

    That is in Locations that a victory condition names and that are no Strategic Locations: a side
    Controls one until the enemy gains Control of it. Rule: A26.11, SSR PB4.
    """
    strategic = StrategicLocations(position, state.board, state.catalogue)
    listed = position.control.holders

    def needs_no_word(place: str) -> bool:
        named = place in strategic.objectives and place not in listed
        return named and Location.parse(place) not in strategic

    return {side: tuple(filter(needs_no_word, state.control.of(side))) for side in state.sides}


def _control(state: Campaign, position: Position) -> Control:
    kept = kept_control(state, position)
    return position.control.give({place: side for side in kept for place in kept[side]})


def _no_longer_manned(by_id: Mapping[str, Piece]) -> dict[str, Piece]:
    """Return the vehicles, by id, without the MMC that remanned them and has left them in play.

    Rule: A21.22, D5.4.
    """
    vehicles: dict[str, Piece] = {}
    for id, piece in by_id.items():
        if isinstance(piece, Vehicle) and piece.manned_by:
            mmc = by_id.get(piece.manned_by)
            aboard = mmc is not None and mmc.aboard == id and mmc.side is piece.side
            if not aboard or piece.has(VehicleStatus.ABANDONED):
                vehicles[id] = piece.without(piece.manned_by)
    return vehicles


def _receive(state: Campaign, entry: UnitEntry | EquipmentEntry | VehicleEntry) -> Piece:
    captured = tuple(status for status in entry.status if status == EquipmentStatus.CAPTURED)
    piece = new_piece(
        state.catalogue, entry.id, entry.side, entry.type, state.date, status=captured
    )
    rg = entry.rg.upper()
    groups = [group for group in state.groups if rg in (group.key, group.id)]
    if len(groups) != 1 or piece.captured:
        return piece
    formation = state.charts.groups.groups[groups[0].id].name
    if groups[0].given:
        initial = state.charts.initial[state.campaign].groups
        formation = next(e.formation for e in initial if e.area == groups[0].area and e.rg)
    return msgspec.structs.replace(piece, rg=groups[0].key, formation=formation)


def _order(piece: Piece) -> tuple[bool, str]:
    """Rank pieces received in secret last and by id, so that no order tells when it was."""
    secret = has_secret_number(piece.id)
    return secret, piece.id if secret else ""


def _with_formation(state: Campaign, piece: Piece, id: str) -> Piece:
    formation = state.catalogue.formations.get(id)
    return in_formation(state, piece, formation) if formation else piece


def in_formation(state: Campaign, piece: Piece, formation: Formation) -> Piece:
    """Return a new piece as one of a formation.

    A crew of an Airborne one is Airborne where the OB has it, not as a reinforcement; what comes
    into being in play is what its formation is. Rule: 9.6152 note 4.
    """
    airborne = formation.airborne
    if piece.kind == "crew" and state.has_no_pieces_yet:
        groups = state.charts.initial[state.campaign].groups
        airborne = airborne and any(
            group.formation == formation.name and piece.type in group.units for group in groups
        )
    return msgspec.structs.replace(
        piece,
        formation=formation.name,
        airborne=airborne,
        ox_and_bucks=formation.ox_and_bucks,
    )


def _update(piece: Piece, entry: PieceEntry) -> Piece:
    facts = msgspec.structs.asdict(entry)
    open_still = {name for name in ("aamg", "notes") if facts.get(name) in (None, "")}
    fields = {name: value for name, value in facts.items() if name not in _OF_THE_OB | open_still}
    # What the position does not call hidden has been found.
    return msgspec.structs.replace(piece, hip=False, **fields)


def to_position(state: Campaign, everything: bool = False) -> Position:
    """Return the position of ``state``: every piece whose place is known, Control and map.

    With ``everything`` also pieces whose place is not known, for players to fill in.
    """
    entries: list[Any] = []
    for piece in state.pieces:
        if piece.section and (piece.at or everything):
            part = LISTS[piece.section]
            fields = {name: getattr(piece, name) for name in part.__struct_fields__}
            formation = state.catalogue.formation_called(piece.own_formation)
            fields |= {"rg": piece.own_rg, "formation": formation.id if formation else ""}
            entries.append(part(**fields))
    # The class of the module's positions knows the names of its sides.
    empty: Position = state.module.position(format=FORMAT, date=state.date, control=state.control)
    return msgspec.structs.replace(
        empty,
        gliders=state.gliders,
        fortifications=state.fortifications,
        terrain=state.terrain,
        casualty_vp=empty.casualty_vp.with_numbers(state.account.cvp_lost),
        ww_box=tuple(WWBox(type=type, count=count) for type, count in state.ww_box.items()),
        moved_first=state.moved_first,
        massacre=state.massacre,
    ).with_pieces(entries)
