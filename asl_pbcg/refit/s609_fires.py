"""9.609 Extinguishing Flames and Blazes: fires are put out, the ground changes, and 9.6095.

Burning terrain and wrecks change by 9.6091 to 9.6094 in order; ``eliminations`` (9.6095) then
Eliminates pieces in burnt Locations and those that can set up nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from asl_pbcg.campaign.position import Terrain
from asl_pbcg.campaign.position_words import WRECKS, TerrainKind, VehicleStatus
from asl_pbcg.campaign.scenario.scenario_facts import is_held_by_no_move
from asl_pbcg.campaign.state.campaign_events import (
    FortificationsChanged,
    GroundChanged,
    happen,
    happen_to_each,
)
from asl_pbcg.campaign.state.campaign_state import Campaign, Told, change, possessor
from asl_pbcg.campaign.state.piece_changes import update
from asl_pbcg.campaign.state.piece_events import FortificationLost, Retained
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.hexes.hexset import HexSet
from asl_pbcg.kernel.prompts import Note, Script
from asl_pbcg.refit.helpers.retention import still_there
from asl_pbcg.refit.helpers.situation import in_board_order, is_isolated, retained_area
from asl_pbcg.refit.helpers.strategic_control import markers_off, strategic_locations
from asl_pbcg.refit.helpers.unit_changes import eliminate, stands
from asl_pbcg.refit.helpers.vehicle_actions import KEPT_IN_PLACE, fortifications_lost, vehicle_lost

FIRES = frozenset({TerrainKind.BLAZE, TerrainKind.FLAME})
RUBBLE = {"stone": TerrainKind.RUBBLE_STONE, "wood": TerrainKind.RUBBLE_WOOD}


def extinguishing_flames_and_blazes(state: Told) -> Script[Told]:
    """Take off every Flame and Blaze and alter the terrain, 9.6091 to 9.6095 in order.

    Setup Areas stay as 9.605 determined them. Rule: 9.609, 9.6054, CG14.
    """
    burning = [
        terrain for terrain in state.terrain if terrain.kind in (*FIRES, TerrainKind.BURNING_WRECK)
    ]
    if not burning:
        yield Note("There are no Flames or Blazes on the map.")
        return state
    before = state
    state = yield from burning_wrecks(state)
    wooden = hexes_on_fire(state) & rubble(state, TerrainKind.RUBBLE_WOOD)
    stone = hexes_on_fire(state) & rubble(state, TerrainKind.RUBBLE_STONE)
    buildings = buildings_on_fire(state)
    other = hexes_on_fire(state) - wooden - stone - buildings
    state = yield from wooden_rubble(state, wooden)
    state = yield from stone_rubble(state, stone)
    state = yield from building(state, buildings)
    state = yield from _other_terrain(state, other)
    state = yield from eliminations(before, state, wooden | stone, buildings, other)
    after = _out_of_what_fell(state, buildings)
    state = yield from happen_to_each(state, after, Retained)
    return (yield from markers_off(state, "9.609"))


# -- What burns -----------------------------------------------------------------------------------


def hexes_on_fire(state: Campaign) -> HexSet:
    """Return the hexes with a Flame or Blaze of the terrain at some level."""
    return _hexes(state, (terrain for terrain in state.terrain if terrain.kind in FIRES))


def rubble(state: Campaign, kind: TerrainKind) -> HexSet:
    """Return the hexes with Rubble of this kind."""
    return _hexes(state, (terrain for terrain in state.terrain if terrain.kind is kind))


def buildings_on_fire(state: Campaign) -> HexSet:
    """Return all hexes of the buildings that burn in at least one Location.

    What is Rubble or a shellhole already is not a building. Rule: 9.6094.
    """
    board = state.board
    standing = strategic_locations(state).buildings
    found = board.grid.none
    for name in hexes_on_fire(state) & standing:
        found |= board.building(name) & standing
    return found


def _hexes(state: Campaign, terrain: Iterable[Terrain]) -> HexSet:
    return state.board.grid.set(each.location.hex for each in terrain)


# -- 9.6091 Burning Wreck -------------------------------------------------------------------------


def burning_wrecks(state: Told) -> Script[Told]:
    """Turn Burning Wrecks into Burnt-Out ones; in a building or Rubble the fire moves on to it.

    In Bypass it does not. Rule: 9.6091.
    """
    flammable = (
        strategic_locations(state).buildings
        | rubble(state, TerrainKind.RUBBLE_WOOD)
        | rubble(state, TerrainKind.RUBBLE_STONE)
    )
    terrain: list[Terrain] = []
    moved: list[str] = []
    for each in state.terrain:
        if each.kind is TerrainKind.BURNING_WRECK:
            each = msgspec.structs.replace(each, kind=TerrainKind.BURNT_OUT_WRECK)
            spreads = each.location.hex in flammable and not each.hexside
            what = "building" if each.location.hex in state.board.buildings else "Rubble"
            then = f"; its Blaze moves to the {what}" if spreads else ""
            yield Note(f"The Burning Wreck in {each.at} is Burnt-Out{then}.", "9.6091")
            if spreads:
                moved.append(each.at)
        terrain.append(each)
    for at in dict.fromkeys(moved):
        if not any(each.kind in FIRES and each.at == at for each in terrain):
            terrain.append(Terrain(kind=TerrainKind.BLAZE, at=at))
    return (yield from happen(state, change(state, terrain=tuple(terrain)), GroundChanged()))


# -- 9.6092 Wooden rubble -------------------------------------------------------------------------


def wooden_rubble(state: Told, hexes: HexSet) -> Script[Told]:
    """Turn burning wooden Rubble into a shellhole; nothing else of the terrain is left.

    Each vehicle or wreck in the hex is a Burnt-Out wreck. Rule: 9.6092.
    """
    for name in hexes:
        wrecks = [
            terrain for terrain in state.terrain if _in(terrain, name) and terrain.kind in WRECKS
        ]
        rest = [terrain for terrain in state.terrain if not _in(terrain, name)]
        hole = Terrain(kind=TerrainKind.SHELLHOLE, at=name)
        burnt = [_burn_out(wreck) for wreck in wrecks]
        told = GroundChanged(
            text=f"The wooden Rubble in {name} has burnt down: a shellhole, all other terrain of "
            "the hex is gone.",
            rule="9.6092",
        )
        after = change(state, terrain=(*rest, hole, *burnt))
        state = yield from happen(state, after, told)
        state = yield from _vehicles_burnt_out(state, name, "9.6092")
    return state


# -- 9.6093 Stone rubble --------------------------------------------------------------------------


def stone_rubble(state: Told, hexes: HexSet) -> Script[Told]:
    """Put out burning stone Rubble; it stays, and vehicles and wrecks there are Burnt-Out.

    Rule: 9.6093.
    """
    for name in hexes:
        terrain = [
            _burn_out(terrain) if _in(terrain, name) and terrain.kind in WRECKS else terrain
            for terrain in state.terrain
            if not (_in(terrain, name) and terrain.kind in FIRES)
        ]
        told = GroundChanged(
            text=f"The fire in the stone Rubble in {name} is out; the Rubble stays and may burn "
            "again.",
            rule="9.6093",
        )
        state = yield from happen(state, change(state, terrain=tuple(terrain)), told)
        state = yield from _vehicles_burnt_out(state, name, "9.6093")
    return state


def _in(each: Terrain, name: str) -> bool:
    return each.location.hex == name


def _burn_out(wreck: Terrain) -> Terrain:
    return msgspec.structs.replace(wreck, kind=TerrainKind.BURNT_OUT_WRECK)


def _vehicles_burnt_out(state: Told, name: str, rule: str) -> Script[Told]:
    """Turn each vehicle in a hex into a Burnt-Out wreck, with its Inherent crew. Ruling P-34."""
    for piece in vehicles_in(state, name):
        kind = TerrainKind.BURNT_OUT_WRECK
        state = yield from vehicle_lost(state, piece.id, "in the fire", rule, kind)
    return state


def vehicles_in(state: Campaign, name: str) -> list[Piece]:
    """Return the vehicles that are still in a hex."""
    return [
        piece
        for piece in state.pieces
        if piece.is_vehicle
        and piece.on_map
        and piece.location.hex == name
        and still_there(state, piece)
    ]


# -- 9.6094 Building ------------------------------------------------------------------------------


def building(state: Told, hexes: HexSet) -> Script[Told]:
    """Turn each building that burns anywhere into Rubble in all its ground-level Locations.

    Rubble is stone or wooden as the building was; it may burn again. Rule: 9.6094.
    """
    board = state.board
    done = board.grid.none
    for name in hexes:
        if name in done:
            continue
        whole = board.building(name) & hexes
        done |= whole
        terrain = [
            terrain
            for terrain in state.terrain
            if terrain.location.hex not in whole
            or terrain.kind in WRECKS
            or terrain.kind is TerrainKind.TRAIL_BREAK
        ]
        for part in whole:
            terrain.append(Terrain(kind=RUBBLE[board[part].building], at=part))
        told = GroundChanged(
            text=f"The {board[name].building} building in {' '.join(whole.names)} has burnt down: "
            f"{'stone' if board[name].building == 'stone' else 'wooden'} Rubble.",
            rule="9.6094",
        )
        state = yield from happen(state, change(state, terrain=tuple(terrain)), told)
    return state


def _other_terrain(state: Told, hexes: HexSet) -> Script[Told]:
    """Take Flames and Blazes off what is neither building nor Rubble; it does not change.

    Rule: 9.609; ruling P-36.
    """
    if hexes:
        yield Note(f"Fires out in other terrain, which stays as it is: {' '.join(hexes.names)}.")
    terrain = [
        terrain
        for terrain in state.terrain
        if not (terrain.kind in FIRES and terrain.location.hex in hexes)
    ]
    return (yield from happen(state, change(state, terrain=tuple(terrain)), GroundChanged()))


def _out_of_what_fell(state: Campaign, buildings: HexSet) -> Campaign:
    """Return the state with what was on an upper level of a fallen building at ground level."""
    for piece in state.pieces:
        if piece.on_map and piece.location.level and piece.location.hex in buildings:
            state = update(state, piece.id, at=piece.location.hex)
    return state


RULE = "9.6095"
_WHY = "in the fire"


def eliminations(
    before: Campaign, state: Told, rubble: HexSet, buildings: HexSet, other: HexSet
) -> Script[Told]:
    """Eliminate what was in burnt Locations, and who can set up nowhere else.

    ``before`` is the state before the fires; ``rubble`` and ``other`` are the hexes of Rubble and
    of other terrain that burnt, ``buildings`` those of all buildings just rubbled.

    Rule: 9.6095.
    """
    doomed = confined_pieces(before, rubble | buildings | other)
    state = yield from _fortifications(state, rubble | buildings)
    state = yield from _equipment(state, rubble | buildings)
    state = yield from _wrecks(state, buildings)
    return (yield from _settle_confined(state, doomed))


# -- Fortifications and Equipment -----------------------------------------------------------------


def _fortifications(state: Told, burnt: HexSet) -> Script[Told]:
    kept, gone = [], []
    for fortification in state.fortifications:
        if fortification.location.hex not in burnt:
            kept.append(fortification)
            continue
        gone.append(fortification)
        secret = fortification.hidden and fortification.owner is not None
        side = fortification.owner.value if secret and fortification.owner else ""
        yield Note(
            f"{fortification.kind.called} in {fortification.at} is Eliminated.", RULE, side, secret
        )
    after = fortifications_lost(change(state, fortifications=tuple(kept)), gone, _WHY, RULE)
    rest = FortificationsChanged()
    return (yield from happen_to_each(state, after, FortificationLost, own=True, rest=rest))


def _equipment(state: Told, burnt: HexSet) -> Script[Told]:
    """Eliminate the Equipment in burnt building and Rubble Locations.

    By house rule C-84 what somebody possesses too, or only what nobody does. A vehicle in Bypass
    is not in the building. Rule: 9.6095; rulings P-34, P-35.
    """
    for piece in in_board_order(state, [each for each in state.pieces if _burns(each, burnt)]):
        if not stands(state, piece.id) or not still_there(state, piece):
            continue
        if state.plays("C-84", "unpossessed") and _is_possessed(state, piece):
            continue
        if piece.is_vehicle:
            state = yield from vehicle_lost(state, piece.id, _WHY, RULE, None)
        else:
            yield Note(f"{name_piece(piece)} in {piece.at} is Eliminated {_WHY}.", RULE)
            state = yield from eliminate(state, piece.id, _WHY, how=None, step=RULE)
    return state


def _burns(piece: Piece, burnt: HexSet) -> bool:
    equipment = piece.is_weapon or (piece.is_vehicle and not piece.in_bypass)
    return equipment and piece.on_map and piece.location.hex in burnt


def _is_possessed(state: Campaign, piece: Piece) -> bool:
    if piece.is_vehicle:
        return not piece.has(VehicleStatus.ABANDONED)
    return bool(possessor(state, piece.id)) or any(piece.id in each.tows for each in state.pieces)


def _wrecks(state: Told, buildings: HexSet) -> Script[Told]:
    """Remove the (Burnt-Out) wrecks in buildings just rubbled, but not in Bypass. Rule: 9.6095."""
    kept: list[Terrain] = []
    for terrain in state.terrain:
        if terrain.kind in WRECKS and terrain.location.hex in buildings and not terrain.hexside:
            name = terrain.kind.value.replace("-", " ") + (
                f" of a {terrain.type}" if terrain.type else ""
            )
            yield Note(f"The {name} in {terrain.at} is Eliminated.", RULE)
        else:
            kept.append(terrain)
    return (yield from happen(state, change(state, terrain=tuple(kept)), GroundChanged()))


# -- Isolated and confined ------------------------------------------------------------------------


def confined_pieces(state: Campaign, burnt: HexSet) -> list[str]:
    """Return the ids of Isolated units and Equipment that can set up only in burnt Locations.

    What is Isolated may set up only in its Setup Area; on an upper level from which no path leads
    down, only in that building; what cannot leave its Location at all, only there.

    Rule: 9.6095, 9.62021, 9.6057.
    """
    found = []
    for piece in state.pieces:
        if not piece.is_unit_or_equipment or piece.is_prisoner:
            continue  # neither sets up again: they stay where they are
        area = retained_area(state, piece)
        if area is None or not is_isolated(state, piece):
            continue
        if piece.on_map and _is_fixed(state, piece):
            places = {piece.location.hex}
        elif area.alone:
            places = {location.hex for location in area.strategic_locations}
        elif not area.isolated and piece.on_map and piece.location.level:
            places = {piece.location.hex}
        else:
            places = set(area.hexes & state.areas.board.enterable)
        if places and all(name in burnt for name in places):
            found.append(piece.id)
    return found


def _is_fixed(state: Campaign, piece: Piece) -> bool:
    """Return whether a piece must set up in its present Location.

    An Immobile vehicle, a German unit on a No Move counter, the Gun that never moves. Rule: 9.6071,
    9.62021, 9.6058, CG11.
    """
    return (
        piece.has(*KEPT_IN_PLACE)
        or is_held_by_no_move(state, piece, state.board)
        or state.frame.guns.is_bound(piece.type, piece.location.hex)
    )


def _settle_confined(state: Told, doomed: list[str]) -> Script[Told]:
    for side in state.sides:
        for id in doomed:
            if not stands(state, id) or state.piece(id).side is not side:
                continue
            state = yield from _lose(state, state.piece(id))
    return state


def _lose(state: Told, piece: Piece) -> Script[Told]:
    """Eliminate one Isolated piece, and the prisoners it guards. Rule: 9.6095."""
    wards = [each for each in state.pieces if each.guarded_by == piece.id]
    if piece.is_vehicle:
        return (yield from vehicle_lost(state, piece.id, _WHY, RULE, None))
    yield Note(f"Isolated {name_piece(piece)} could set up only where it burnt: Eliminated.", RULE)
    state = yield from eliminate(state, piece.id, _WHY, how=None, step=RULE)
    for ward in wards:
        yield Note(f"{name_piece(ward)}, its prisoner, is Eliminated with it.", RULE)
        state = yield from eliminate(state, ward.id, _WHY, how=None, step=RULE)
    return state
