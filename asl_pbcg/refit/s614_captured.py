"""9.61422 Captured Equipment: what wears out in the hands of its captor."""

from __future__ import annotations

from asl_pbcg.campaign.module.campaign_tables import CapturedEquipment, table
from asl_pbcg.campaign.position_words import EquipmentStatus, TerrainKind, VehicleStatus
from asl_pbcg.campaign.state.campaign_events import happen
from asl_pbcg.campaign.state.campaign_state import Campaign, Told
from asl_pbcg.campaign.state.piece_events import Disabled
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Roll, Script, ask, paragraph, throw
from asl_pbcg.refit.helpers.retained_equipment import (
    WEAPONS,
    people_with,
    retained_vehicles,
    retained_weapons,
)
from asl_pbcg.refit.helpers.scrounging import turn_into
from asl_pbcg.refit.helpers.subjects import by_name
from asl_pbcg.refit.helpers.unit_changes import eliminate, stands
from asl_pbcg.refit.helpers.vehicle_actions import (
    dead_to_wreck,
    disable_weapon,
    functioning_weapons,
    has_crew,
    is_scrounged,
    vehicle_lost,
)


def captured_equipment(state: Told, side: Side) -> Script[Told]:
    """Roll for each functioning captured Weapon; lose the malfunctioned; keep or wreck vehicles.

    What is disabled here never brings Recall. Rule: 9.61422; ruling P-75.
    """
    for weapon in retained_weapons(state, side):
        if weapon.captured:
            state = yield from _captured_weapon(state, weapon)
    for vehicle in retained_vehicles(state, side):
        if vehicle.captured:
            state = yield from _vehicle(state, vehicle)
    return state


def held_by_ox_and_bucks(state: Campaign, weapon: Piece) -> bool:
    """Return whether an Ox and Bucks unit possessed a captured Weapon when the scenario ended.

    That is at CG-Scenario End: who was Eliminated in 9.604 possessed it still. What the other side
    has taken from Ox and Bucks since is captured by untrained hands. Rule: 9.61422, 9.2, PB SSR 14;
    ruling P-83.
    """
    assert state.determined
    id, side = weapon.id, weapon.side
    for gone in state.gone:
        after = gone.step.startswith("9.604") and gone.date.next is state.date
        unit = gone.piece
        if after and unit.ox_and_bucks and unit.side is side and id in unit.possesses:
            return True
    known = {each.id: each for each in (*(gone.piece for gone in state.gone), *state.pieces)}
    return any(
        id in unit.possesses
        and unit.side is side
        and unit.id in known
        and known[unit.id].ox_and_bucks
        for unit in state.determined.units
    )


@paragraph("9.61422")
def _captured_weapon(state: Told, weapon: Piece) -> Script[Told]:
    if weapon.has(EquipmentStatus.MALFUNCTIONED):
        yield Note(f"{name_piece(weapon)} is captured and malfunctioned: Eliminated.")
        return (yield from eliminate(state, weapon.id, "captured and malfunctioned", how=None))
    if held_by_ox_and_bucks(state, weapon):
        yield Note(
            f"Ox and Bucks possessed {name_piece(weapon)} when the CG scenario ended: no dr."
        )
        return state
    if not people_with(state, weapon):
        return state
    if (yield from _wears_out(state, weapon, name_piece(weapon))):
        return (yield from eliminate(state, weapon.id, "captured Equipment"))
    return state


def _wears_out(state: Campaign, piece: Piece, what: str) -> Script[bool]:
    rolled = yield from throw(
        Roll(
            state=state,
            id="9.61422",
            subject=by_name(piece),
            text=f"Captured Equipment: {what}",
            table=table("captured_equipment"),
        )
    )
    return rolled.result == CapturedEquipment.ELIMINATED


# -- Captured vehicles ------------------------------------------------------------------------


def _vehicle(state: Told, vehicle: Piece) -> Script[Told]:
    """Roll for each Weapon of a captured vehicle, then keep it or make it a Wreck.

    Its own Inherent crew will do in place of Personnel. Rule: 9.61422; rulings C-19, P-84.
    """
    id = vehicle.id
    for name in WEAPONS:
        weapon = name.lower()
        if vehicle.has(VehicleStatus.of_weapon(weapon, "malfunctioned")):
            after = disable_weapon(state, id, weapon)
            text = f"The malfunctioned {name} of the captured {name_piece(vehicle)} is disabled."
            state = yield from happen(state, after, Disabled(piece=vehicle, what=name, text=text))
        elif (
            name in functioning_weapons(state, vehicle)
            and (people_with(state, vehicle) or has_crew(state, vehicle))
            and (yield from _wears_out(state, vehicle, f"{name} of {name_piece(vehicle)}"))
        ):
            after = disable_weapon(state, id, weapon)
            state = yield from happen(state, after, Disabled(piece=vehicle, what=name))
    state = yield from dead_to_wreck(state, id)
    if not stands(state, id):
        return state
    return (yield from _keep_or_wreck(state, state.piece(id)))


def _keep_or_wreck(state: Told, vehicle: Piece) -> Script[Told]:
    """Decide whether a captured vehicle stays in play; only one with a functioning Weapon may.

    Off map there is no Wreck: it is Eliminated. Rule: 9.61422, 9.61423; ruling P-72.
    """
    works = functioning_weapons(state, vehicle)
    if not vehicle.on_map:
        if works:
            return state
        why = "no functioning Weapon"
        return (yield from vehicle_lost(state, vehicle.id, why, "9.61422", None))
    scrounged = "A Scrounged Wreck is Burnt-Out." if is_scrounged(vehicle) else ""
    answer = yield from ask(
        Prompt(
            state=state,
            id="9.61422",
            subject=vehicle,
            options=(
                Option(
                    "keep",
                    "it remains in play",
                    ", ".join(works),
                    refused="" if works else "It has no functioning Weapon.",
                    rule="9.61422",
                ),
                Option("wreck", "a Wreck", refused=scrounged, rule="CG14"),
                Option("burnt-out", "a Burnt-Out Wreck"),
            ),
            default="keep" if works else "burnt-out",
            text=f"What becomes of the captured {name_piece(vehicle)}?",
            help="Its captor may keep it while any of its Weapons functions; else it is turned "
            "into a (Burnt-Out) Wreck.",
        )
    )
    if answer == "keep":
        return state
    kind = TerrainKind.WRECK if answer == "wreck" else TerrainKind.BURNT_OUT_WRECK
    return (yield from turn_into(state, vehicle.id, kind, "9.61422", forced=not works))
