"""9.609 Extinguishing Flames and Blazes: what burns is consumed, and the ground changes.

9.6095 is in ``s609_eliminations.py``.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from asl_pbcg.campaign.events import happen, happen_to_each
from asl_pbcg.campaign.fact_events import GroundChanged
from asl_pbcg.campaign.piece_changes import update
from asl_pbcg.campaign.piece_events import Retained
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position import Terrain
from asl_pbcg.campaign.position_words import TerrainKind
from asl_pbcg.campaign.state import Campaign, Told, change
from asl_pbcg.hexes.hexset import HexSet
from asl_pbcg.kernel.prompts import Note, Script
from asl_pbcg.refit.control import markers_off, strategic_locations
from asl_pbcg.refit.retention import still_there
from asl_pbcg.refit.s609_eliminations import eliminations
from asl_pbcg.refit.vehicle_losses import vehicle_lost

FIRES = frozenset({TerrainKind.BLAZE, TerrainKind.FLAME})
WRECKS = frozenset({TerrainKind.WRECK, TerrainKind.BURNT_OUT_WRECK, TerrainKind.BURNING_WRECK})
RUBBLE = {"stone": TerrainKind.RUBBLE_STONE, "wood": TerrainKind.RUBBLE_WOOD}


def extinguishing_flames_and_blazes(state: Told) -> Script[Told]:
    """Take off every Flame and Blaze and alter the terrain, 9.6091 to 9.6095 in order.

    Setup Areas stay as 9.605 determined them. Rule: 9.609, 9.6054, CG14.
    """
    burning = [each for each in state.terrain if each.kind in (*FIRES, TerrainKind.BURNING_WRECK)]
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
    return _hexes(state, (each for each in state.terrain if each.kind in FIRES))


def rubble(state: Campaign, kind: TerrainKind) -> HexSet:
    """Return the hexes with Rubble of this kind."""
    return _hexes(state, (each for each in state.terrain if each.kind is kind))


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
        wrecks = [each for each in state.terrain if _in(each, name) and each.kind in WRECKS]
        rest = [each for each in state.terrain if not _in(each, name)]
        hole = Terrain(kind=TerrainKind.SHELLHOLE, at=name)
        burnt = [_burn_out(each) for each in wrecks]
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
            _burn_out(each) if _in(each, name) and each.kind in WRECKS else each
            for each in state.terrain
            if not (_in(each, name) and each.kind in FIRES)
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
            each
            for each in state.terrain
            if each.location.hex not in whole
            or each.kind in WRECKS
            or each.kind is TerrainKind.TRAIL_BREAK
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
        each for each in state.terrain if not (each.kind in FIRES and each.location.hex in hexes)
    ]
    return (yield from happen(state, change(state, terrain=tuple(terrain)), GroundChanged()))


def _out_of_what_fell(state: Campaign, buildings: HexSet) -> Campaign:
    """Return the state with what was on an upper level of a fallen building at ground level."""
    for piece in state.pieces:
        if piece.on_map and piece.location.level and piece.location.hex in buildings:
            state = update(state, piece.id, at=piece.location.hex)
    return state
