"""Removal: Weapons taken out of a vehicle by its crew or by who gets hold of it. Rule: D5.411."""

from __future__ import annotations

from collections.abc import Sequence

from asl_pbcg.campaign.catalogue import VehicleType, WeaponType
from asl_pbcg.campaign.piece_changes import add_pieces, add_status, transfer
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position_words import EquipmentStatus, VehicleStatus
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Script, paragraph
from asl_pbcg.refit.asked import scrounges
from asl_pbcg.refit.ground import vehicle_type, weapons_left
from asl_pbcg.refit.subjects import put_to
from asl_pbcg.refit.unit_changes import kin, words


@paragraph("D5.411")
def removal(state: Campaign, id: str, by: Sequence[str], rule: str) -> Script[Campaign]:
    """Settle which Weapons the crew that has just Abandoned a vehicle, or a captor, Removes.

    A Removed vehicular Weapon is a SW that one of the units ``by`` possesses; in the vehicle it
    counts as disabled. Which may be Removed the players say by D5.411 and its Vehicle Note.

    Rule: 9.61423, 9.6056 chart, D5.411.
    """
    if not by:
        return state
    side = state.piece(by[0]).side
    vehicle = state.piece(id)
    known = vehicle_type(state, vehicle)
    if known is None:
        return state
    removable = _removable(state, vehicle, known)
    if not removable:
        return state
    chosen = yield Prompt(
        state=state,
        id=f"{rule}.removal",
        subject=put_to(side, vehicle),
        kind="choose-some",
        options=tuple(Option(name, f"{name} of {words(vehicle)}") for name in removable),
        default="none",
        text=f"Which Weapons are Removed from {words(vehicle)}?",
        help="Only what D5.411 and the Vehicle Notes allow, within what who Removes them can "
        "portage.",
    )
    if not chosen:
        return state
    unit = yield from _remover(state, vehicle, by, f"{rule}.removal.by")
    for name in chosen:
        state = yield from _remove(state, id, unit, name, known)
    return state


@paragraph("D5.411")
def _remover(state: Campaign, vehicle: Piece, by: Sequence[str], point: str) -> Script[str]:
    if len(by) == 1:
        return by[0]
    units = [state.piece(id) for id in by]
    unit: str = yield Prompt(
        state=state,
        id=point,
        subject=put_to(units[0].side, vehicle),
        options=tuple(Option(each.id, words(each), each.at) for each in units),
        text=f"Which unit takes what is Removed from {words(vehicle)}?",
    )
    return unit


def _removable(state: Campaign, vehicle: Piece, known: VehicleType) -> list[str]:
    """The functioning Weapons that are no ordnance too big for Removal: MGs, or MA that is a SW."""
    return [
        name
        for name in weapons_left(state, vehicle)
        if not vehicle.has(VehicleStatus.of_weapon(name, "malfunctioned"))
        and (name != "MA" or known.main_armament == "MG" or _is_sw(state, vehicle, known))
    ]


def _is_sw(state: Campaign, vehicle: Piece, known: VehicleType) -> bool:
    found = state.catalogue.find(known.main_armament, vehicle.maker)
    return isinstance(found, WeaponType) and found.kind == "sw"


def _remove(state: Campaign, id: str, by: str, name: str, known: VehicleType) -> Script[Campaign]:
    vehicle, side = state.piece(id), state.piece(by).side
    if name == "MA" and _is_sw(state, vehicle, known):
        weapon = known.main_armament
    else:
        state, weapon = yield from scrounges(state, known.name, known.side, side)
    state = add_status(state, id, VehicleStatus.of_weapon(name, "disabled"))
    if not weapon:
        yield Note(f"The {name} of {words(vehicle)} yields no SW.")
        return state
    fields = {**kin(state.piece(by)), "rg": ""}
    status = () if vehicle.maker is side else (EquipmentStatus.CAPTURED,)
    state = add_pieces(state, side, [(weapon, 1)], status=status, **fields)
    found = state.pieces[-1]
    yield Note(f"{words(state.piece(by))} Removes the {name}: {words(found)}.")
    return transfer(state, found.id, by)
