"""Questions of the steps to a campaign: who is Retained, stands or can walk where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from asl_pbcg.campaign.areas.area_ground import highest_level, stairways
from asl_pbcg.campaign.areas.area_map import Territory
from asl_pbcg.campaign.areas.strategic_locations import RUBBLE
from asl_pbcg.campaign.location import Area, Location
from asl_pbcg.campaign.position_words import TerrainKind, VehicleStatus
from asl_pbcg.campaign.scenario.scenario_facts import is_held_by_no_move
from asl_pbcg.campaign.scenario.scenario_facts import is_isolated as is_isolated
from asl_pbcg.campaign.scenario.scenario_facts import retained_area as retained_area
from asl_pbcg.campaign.scenario.scenario_facts import setup_area as setup_area
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import CGDate, Side

P = TypeVar("P", bound=Piece)
PLUS_1 = VehicleStatus.STUN_PLUS_1
STUN = (VehicleStatus.STUNNED, PLUS_1)
"""Status of a vehicle with a Stun counter; on its +1 side it can attack again. D5.34."""


def area_words(area: str) -> str:
    """Return an area by its ID as prompts name it: ``Setup Area B``, ``Entry Area A7``."""
    return str(Area.parse(area))


def is_off_map(area: str) -> bool:
    """Return whether the ID of an area names an Entry Area: what is Retained there is off map."""
    return Area.parse(area).is_entry_area


def territory(state: Campaign, piece: Piece) -> Territory:
    """Return what the place of ``piece`` is to its side. Rule: 9.6056."""
    return state.areas.territory(piece.side, piece.location)


def pieces_retained_in(state: Campaign, side: Side, area: str) -> list[Piece]:
    """Return the pieces of ``side`` Retained in the Setup/Entry Area ``area``."""
    return [piece for piece in state.pieces if piece.side is side and piece.area == area]


def personnel_in(state: Campaign, side: Side, area: str) -> list[Piece]:
    """Return the Personnel of ``side``, no prisoners, Retained in the Setup/Entry Area ``area``."""
    return [
        piece
        for piece in pieces_retained_in(state, side, area)
        if piece.is_personnel and not piece.is_prisoner
    ]


def at_location(state: Campaign, place: str) -> list[Piece]:
    """Return all pieces of both sides at a place, for example ``Z15/1``."""
    return [piece for piece in state.pieces if piece.at == place]


def is_retained(state: Campaign, piece: Piece) -> bool:
    """Return whether a piece is Retained: in an area, or by its No Move counter in its Location.

    Rule: 9.2 Retained, 9.6058.
    """
    return bool(piece.area) or is_held_by_no_move(state, piece, state.board)


def in_board_order(state: Campaign, pieces: Iterable[P]) -> list[P]:
    """Return pieces in alphanumeric order of their hexes (hexrow, then number), then level and id.

    Rule: 9.6011.
    """
    position = state.board.grid.position
    return sorted(
        pieces,
        key=lambda piece: (
            position.get(piece.location.hex, 10**6) if piece.on_map else 10**6,
            piece.location.level if piece.on_map else 0,
            piece.id,
        ),
    )


def withdrawn_later(state: Campaign, piece: Piece) -> bool:
    """Return whether 9.6153 will withdraw a British unit, so that it skips chart, Escape and Shift.

    Rule: 9.6056 EXC, 9.6153; house rule C-36.
    """
    return (
        state.date_played is CGDate.DAY_2
        and piece.side is Side.BRITISH
        and piece.kind in ("squad", "half_squad", "leader", "hero")
        and not piece.airborne
        and not piece.is_prisoner
        and not piece.is_armor_leader
        and piece.on_map
    )


def stays_behind(piece: Piece) -> bool:
    """Return whether Equipment stays where it is when its British possessor is withdrawn.

    Airborne SW, Guns and vehicles do; of captured SW and those of no recorded formation the
    British are asked. Rule: 9.6153; ruling P-79.
    """
    asked = piece.kind == "sw" and (piece.captured or not piece.formation)
    return not asked and (piece.airborne or piece.kind != "sw")


def accessible(state: Campaign, piece: Piece) -> list[str]:
    """Return the Locations a unit may Withdraw to: next to its own and Enterable by Infantry.

    Levels change by a stairway only; a Cliff or a row-house bar without a Breach stops a
    Withdrawal. Those that hold an enemy unit are among them; they may not be chosen.

    Rule: A11.2, B11.4, B23.2, B23.71; rulings P-21, P-123.
    """
    board = state.board
    here = piece.location
    fires = {terrain.at for terrain in state.terrain if terrain.kind is TerrainKind.BLAZE}
    found = [str(each) for each in _levels_beside(state, here)]
    for name in board.grid.neighbours(here.hex):
        if name not in board.enterable or not _leads_on_foot(state, here, name):
            continue
        if not here.level and not here.pillbox:
            found.append(name)
        elif here.level and _has_level(state, Location(name, here.level)):
            found.append(f"{name}/{here.level}")
    return [place for place in found if place not in fires]


def _levels_beside(state: Campaign, here: Location) -> Iterator[Location]:
    """Yield the Locations of the same hex that a unit can walk to. Rule: B23.2; ruling P-21."""
    if here.pillbox:
        yield Location(here.hex)
        return
    marked = stairways(state.board, here.hex)
    if marked and here.hex not in marked:
        return
    if here.level:
        yield Location(here.hex, here.level - 1)
    if _has_level(state, above := Location(here.hex, here.level + 1)):
        yield above


def _has_level(state: Campaign, place: Location) -> bool:
    """Return whether an upper-level Location exists, by stairway symbol or as the players know.

    They know it if a piece is there or a side Controls it. Rule: B23.2.
    """
    board = state.board
    rubble = {terrain.location.hex for terrain in state.terrain if terrain.kind in RUBBLE}
    if place.hex not in board.buildings or place.hex in rubble:
        return False
    control = state.control
    named = {*control.british, *control.german, *(piece.at for piece in state.pieces)}
    return place.level <= highest_level(board, place.hex) or str(place) in named


def _leads_on_foot(state: Campaign, here: Location, name: str) -> bool:
    """Return whether Infantry can cross a hexside by walking, not by Climbing.

    Rule: B11.4, B23.71.
    """
    board = state.board
    if here.level and name not in board.building(here.hex):
        return False
    if board.has_rowhouse_bar(here.hex, name):
        return _has_breach(state, here, name)
    return board.crossable(here.hex, name) and not board.has_cliff(here.hex, name)


def _has_breach(state: Campaign, here: Location, name: str) -> bool:
    """Return whether a Breach on the level of ``here`` leads to the next hex. Rule: B23.71."""
    ends = {Location(here.hex, here.level), Location(name, here.level)}
    sides = ("", f"{here.hex}/{name}", f"{name}/{here.hex}")
    return any(
        terrain.kind is TerrainKind.BREACH and terrain.location in ends and terrain.hexside in sides
        for terrain in state.terrain
    )


def fighters(state: Campaign, place: str) -> list[Piece]:
    """Return the units that take part in Melee in a Location: Personnel and manned vehicles.

    Prisoners do not, nor does what is abandoned. Rule: 9.601.
    """
    return [
        piece
        for piece in at_location(state, place)
        if (piece.is_personnel and not piece.is_prisoner)
        or (piece.is_vehicle and not piece.has(VehicleStatus.ABANDONED))
    ]


def in_melee(state: Campaign, place: str) -> bool:
    """Return whether opposing units share the Location, at least one of them Personnel.

    Rule: 9.601.
    """
    units = fighters(state, place)
    return len({unit.side for unit in units}) == 2 and any(unit.is_personnel for unit in units)


def are_coupled(state: Campaign) -> bool:
    """Return whether what one side does from 9.613 on may free prisoners, and so add to the other.

    It may where a Guard can Shift (9.613, A20.551) or be withdrawn (9.6153). Both sides see that.
    """
    guards = {piece.guarded_by for piece in state.pieces if piece.is_prisoner}
    return any(
        not (is_isolated(state, guard) and state.plays("C-16", "no-isolated"))
        or (guard.side is Side.BRITISH and withdrawal_due(state))
        for guard in state.pieces
        if guard.id in guards
    )


def withdrawal_due(state: Campaign) -> bool:
    """Return whether this is the RePh that follows the Day II CG scenario. Rule: 9.6153."""
    return state.date_played is CGDate(state.charts.reinforcements.withdrawal["after"])
