"""9.6095 Eliminations: what the fires of 9.6092 to 9.6094 take with them."""

from __future__ import annotations

from asl_pbcg.campaign.events import happen, happen_to_each
from asl_pbcg.campaign.fact_events import FortificationsChanged, GroundChanged
from asl_pbcg.campaign.night import is_held_by_no_move
from asl_pbcg.campaign.piece_events import FortificationLost
from asl_pbcg.campaign.piece_names import name_piece
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position import Terrain
from asl_pbcg.campaign.position_words import TerrainKind, VehicleStatus
from asl_pbcg.campaign.state import Campaign, Told, change, possessor
from asl_pbcg.hexes.hexset import HexSet
from asl_pbcg.kernel.prompts import Note, Script
from asl_pbcg.refit.retention import still_there
from asl_pbcg.refit.situation import in_board_order, is_isolated, retained_area
from asl_pbcg.refit.unit_changes import eliminate, stands
from asl_pbcg.refit.vehicle_actions import KEPT_IN_PLACE
from asl_pbcg.refit.vehicle_losses import vehicle_lost
from asl_pbcg.refit.wrecks import fortifications_lost

RULE = "9.6095"
_WRECKS = (TerrainKind.WRECK, TerrainKind.BURNT_OUT_WRECK, TerrainKind.BURNING_WRECK)
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
    for each in state.fortifications:
        if each.location.hex not in burnt:
            kept.append(each)
            continue
        gone.append(each)
        secret = each.hidden and each.owner is not None
        side = each.owner.value if secret and each.owner else ""
        yield Note(f"{each.kind.called} in {each.at} is Eliminated.", RULE, side, secret)
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
    for each in state.terrain:
        if each.kind in _WRECKS and each.location.hex in buildings and not each.hexside:
            name = each.kind.value.replace("-", " ") + (f" of a {each.type}" if each.type else "")
            yield Note(f"The {name} in {each.at} is Eliminated.", RULE)
        else:
            kept.append(each)
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
