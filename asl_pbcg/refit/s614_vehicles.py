"""9.6141 Vehicles: reman the Abandoned, repair the immobilized, Recall, stun."""

from __future__ import annotations

from asl_pbcg.campaign.campaign_tables import table
from asl_pbcg.campaign.events import happen
from asl_pbcg.campaign.piece_changes import drop_status
from asl_pbcg.campaign.piece_events import Recovered, Repaired
from asl_pbcg.campaign.piece_names import name_piece
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position_words import VehicleStatus
from asl_pbcg.campaign.state import Campaign, Told
from asl_pbcg.campaign.table_results import ImmobilizationRepair, StunRecovery
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import Note, Roll, Script
from asl_pbcg.kernel.tables import Given, Rolled, circumstances
from asl_pbcg.refit.retained_equipment import (
    area_id,
    is_equipment_isolated,
    non_qualified,
    reman,
    retained_vehicles,
)
from asl_pbcg.refit.situation import PLUS_1, STUN, area_words
from asl_pbcg.refit.subjects import part_of
from asl_pbcg.refit.vehicle_actions import is_mobile
from asl_pbcg.refit.vehicle_losses import vehicle_lost
from asl_pbcg.refit.wrecks import vehicle_type

# -- a) Abandoned ---------------------------------------------------------------------------


def abandoned_vehicles(state: Told, side: Side) -> Script[Told]:
    """Decide who mans each Abandoned vehicle, if anybody does. Rule: 9.6141a; ruling P-70."""
    for vehicle in retained_vehicles(state, side):
        if vehicle.has(VehicleStatus.ABANDONED):
            state = yield from reman(state, vehicle)
    return state


# -- b) Immobilization ----------------------------------------------------------------------


def immobilization_repair(state: Told, side: Side) -> Script[Told]:
    """Roll for each immobilized vehicle whether it becomes Mobile. Rule: 9.6141b."""
    for vehicle in retained_vehicles(state, side):
        if vehicle.has(VehicleStatus.IMMOBILIZED) and not vehicle.has(
            VehicleStatus.CAPTURED, VehicleStatus.ABANDONED
        ):
            state = yield from _repair_immobilization(state, vehicle)
    return state


def _repair_immobilization(state: Told, vehicle: Piece) -> Script[Told]:
    given = circumstances(
        isolated=is_equipment_isolated(state, vehicle),
        non_qualified=(yield from non_qualified(state, vehicle, "9.6141b")),
        front_line=in_front_line(state, vehicle),
    )
    rolled: Rolled = yield _roll(state, "9.6141b", "immobilization_repair", vehicle, given)
    if rolled.result != ImmobilizationRepair.MOBILE:
        return state
    yield Note(
        f"{name_piece(vehicle)} is Mobile and Retained in {area_words(area_id(state, vehicle))}.",
    )
    after = drop_status(state, vehicle.id, VehicleStatus.IMMOBILIZED)
    return (yield from happen(state, after, Repaired(piece=vehicle)))


def in_front_line(state: Campaign, vehicle: Piece) -> bool:
    """Return whether a vehicle stands in a Front-Line hex. Rule: 9.2 Front-Line Hex."""
    if not vehicle.on_map:
        return False
    return any(vehicle.location.hex in area.front_line for area in state.areas.areas[vehicle.side])


def _roll(state: Campaign, point: str, name: str, vehicle: Piece, given: Given) -> Roll:
    titles = {"immobilization_repair": "Immobilization repair", "stun_recovery": "Stun recovery"}
    return Roll(
        state=state,
        id=point,
        subject=part_of(vehicle, name),
        text=f"{titles[name]} of {name_piece(vehicle)}",
        table=table(name),
        given=given,
    )


# -- c) Recall ------------------------------------------------------------------------------


def recall(state: Told, side: Side) -> Script[Told]:
    """Decide what becomes of each AFV under Recall. Rule: 9.6141c."""
    for vehicle in retained_vehicles(state, side):
        state = yield from carry_out_recall(state, vehicle.id)
    return state


def carry_out_recall(state: Told, id: str) -> Script[Told]:
    """Eliminate an AFV under Recall that is Mobile and not Isolated.

    One that is Mobile and Isolated begins the next scenario under Recall and with Ammunition
    Shortage. Rule: 9.6141c; rulings A-04, C-21.
    """
    vehicle = state.piece(id)
    entry = vehicle_type(state, vehicle)
    if not vehicle.has(VehicleStatus.RECALL) or (entry and not entry.afv) or not is_mobile(vehicle):
        return state
    if is_equipment_isolated(state, vehicle):
        yield Note(
            f"{name_piece(vehicle)} is Isolated: it begins the next CG scenario under Recall "
            "and with "
            "Ammunition Shortage (A19.131).",
            "9.6141c",
        )
        return state
    return (yield from vehicle_lost(state, id, "under Recall", "9.6141c", None))


# -- d) Stunned -----------------------------------------------------------------------------


def stun_recovery(state: Told, side: Side) -> Script[Told]:
    """Roll for each stunned vehicle whether it recovers. Rule: 9.6141d; house rule C-22; P-76."""
    for vehicle in retained_vehicles(state, side):
        if not vehicle.has(*STUN):
            continue
        if state.plays("C-22", "plus-one-side") and not vehicle.has(PLUS_1):
            yield Note(
                f"{name_piece(vehicle)} does not roll: its Stun counter is not on the +1 "
                "side (house rule C-22).",
                "9.6141d",
                side,
            )
            continue
        state = yield from _recover(state, vehicle)
    return state


def _recover(state: Told, vehicle: Piece) -> Script[Told]:
    isolated = is_equipment_isolated(state, vehicle)
    given = circumstances(isolated=isolated, german=vehicle.side is Side.GERMAN)
    rolled: Rolled = yield _roll(state, "9.6141d", "stun_recovery", vehicle, given)
    if rolled.result == StunRecovery.RECOVERS:
        after = drop_status(state, vehicle.id, *STUN)
        return (yield from happen(state, after, Recovered(piece=vehicle)))
    if rolled.result == StunRecovery.ELIMINATED:
        return (yield from vehicle_lost(state, vehicle.id, "stunned", "9.6141d", None))
    return state
