"""Removal: Weapons taken out of a vehicle by its crew or by who gets hold of it. Rule: D5.411."""

from __future__ import annotations

from collections.abc import Sequence

from asl_pbcg.campaign.catalogue import VehicleType, WeaponType
from asl_pbcg.campaign.events import happen
from asl_pbcg.campaign.piece_changes import add_status, transfer
from asl_pbcg.campaign.piece_events import Scrounged
from asl_pbcg.campaign.piece_names import name_piece
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position_words import VehicleStatus
from asl_pbcg.campaign.state import Campaign, Told
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Script, paragraph
from asl_pbcg.refit.catalogue_questions import scrounges
from asl_pbcg.refit.subjects import put_to
from asl_pbcg.refit.unit_choices import choose_unit
from asl_pbcg.refit.vehicle_actions import with_scrounged_weapon
from asl_pbcg.refit.wrecks import functioning_weapons, vehicle_type


@paragraph("D5.411")
def removal(state: Told, id: str, by: Sequence[str], rule: str) -> Script[Told]:
    """Decide which Weapons the crew that has just Abandoned a vehicle, or a captor, Removes.

    A Removed vehicular Weapon is a SW that one of the units ``by`` possesses; in the vehicle it
    counts as disabled. Which may be Removed the players say by D5.411 and its Vehicle Note.

    Rule: 9.61423, 9.6056 chart, D5.411.
    """
    if not by:
        return state
    side = state.piece(by[0]).side
    vehicle = state.piece(id)
    entry = vehicle_type(state, vehicle)
    if entry is None:
        return state
    removable = _removable(state, vehicle, entry)
    if not removable:
        return state
    chosen = yield Prompt(
        state=state,
        id=f"{rule}.removal",
        subject=put_to(side, vehicle),
        kind="choose-some",
        options=tuple(Option(name, f"{name} of {name_piece(vehicle)}") for name in removable),
        default="none",
        text=f"Which Weapons are Removed from {name_piece(vehicle)}?",
        help="Only what D5.411 and the Vehicle Notes allow, within what who Removes them can "
        "portage.",
    )
    if not chosen:
        return state
    unit = yield from choose_unit(
        state,
        f"{rule}.removal.by",
        put_to(side, vehicle),
        [state.piece(each) for each in by],
        f"Which unit takes what is Removed from {name_piece(vehicle)}?",
        with_place=True,
    )
    for name in chosen:
        state = yield from _remove(state, id, unit, name, entry)
    return state


def _removable(state: Campaign, vehicle: Piece, entry: VehicleType) -> list[str]:
    """Return the functioning Weapons small enough for Removal: MGs, or MA that is a SW."""
    return [
        name
        for name in functioning_weapons(state, vehicle)
        if name != "MA" or entry.main_armament == "MG" or _is_sw(state, vehicle, entry)
    ]


def _is_sw(state: Campaign, vehicle: Piece, entry: VehicleType) -> bool:
    found = state.catalogue.find(entry.main_armament, vehicle.maker)
    return isinstance(found, WeaponType) and found.kind == "sw"


def _remove(state: Told, id: str, by: str, name: str, entry: VehicleType) -> Script[Told]:
    vehicle, side = state.piece(id), state.piece(by).side
    if name == "MA" and _is_sw(state, vehicle, entry):
        weapon = entry.main_armament
    else:
        state, weapon = yield from scrounges(state, entry.name, entry.side, side)
    after = add_status(state, id, VehicleStatus.of_weapon(name, "disabled"))
    if not weapon:
        yield Note(f"The {name} of {name_piece(vehicle)} yields no SW.")
        return (yield from happen(state, after, Scrounged(piece=vehicle, weapons=())))
    after, found = with_scrounged_weapon(after, weapon, side, vehicle.maker, state.piece(by))
    yield Note(f"{name_piece(state.piece(by))} Removes the {name}: {name_piece(found)}.")
    after = transfer(after, found.id, by)
    return (yield from happen(state, after, Scrounged(piece=vehicle, weapons=(found,))))
