"""9.6142 Weapon repair, 9.61421 vehicular-MG exchange, 9.61424 special ammo, 9.61425 Low Ammo."""

from __future__ import annotations

from collections.abc import Iterator

from asl_pbcg.campaign.campaign_tables import table
from asl_pbcg.campaign.catalogue import WeaponType
from asl_pbcg.campaign.events import happen
from asl_pbcg.campaign.game_system import UNITS
from asl_pbcg.campaign.piece_changes import add_status, drop_status, update
from asl_pbcg.campaign.piece_events import Cleared, Disabled, Recalled, Repaired, Replenished
from asl_pbcg.campaign.piece_names import name_piece
from asl_pbcg.campaign.pieces import Piece, Vehicle, Weapon
from asl_pbcg.campaign.position_words import EquipmentStatus, VehicleStatus
from asl_pbcg.campaign.state import Campaign, Told
from asl_pbcg.campaign.table_results import SpecialAmmo, WeaponRepair
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Roll, Script, paragraph
from asl_pbcg.kernel.tables import Given, Rolled, circumstances, percent
from asl_pbcg.refit.catalogue_questions import repair_number
from asl_pbcg.refit.retained_equipment import (
    WEAPONS,
    area_id,
    is_equipment_isolated,
    non_qualified,
    people_with,
    retained_vehicles,
    retained_weapons,
)
from asl_pbcg.refit.s614_vehicles import carry_out_recall
from asl_pbcg.refit.situation import area_words
from asl_pbcg.refit.subjects import by_name, part_of
from asl_pbcg.refit.unit_changes import eliminate, stands
from asl_pbcg.refit.vehicle_actions import disable_weapon, has_crew
from asl_pbcg.refit.wrecks import vehicle_type

_LMG = "light machine gun"


# -- 9.6142 ---------------------------------------------------------------------------------


def weapon_repair(state: Told, side: Side) -> Script[Told]:
    """Roll for each malfunctioned Weapon whether it is Repaired. Rule: 9.6142."""
    for weapon in retained_weapons(state, side):
        if weapon.has(EquipmentStatus.MALFUNCTIONED):
            state = yield from _weapon(state, weapon)
    for vehicle in retained_vehicles(state, side):
        if vehicle.captured or not has_crew(state, vehicle):
            continue
        for weapon_name in WEAPONS:
            if stands(state, vehicle.id):
                state = yield from _vehicular(state, state.piece(vehicle.id), weapon_name)
    return state


@paragraph("9.6142")
def _weapon(state: Told, weapon: Piece) -> Script[Told]:
    """Repair a SW or Gun in an area with Personnel; a captured SW only if Ox and Bucks are there.

    Rule: 9.6142; rulings C-88, P-74.
    """
    people = people_with(state, weapon)
    if weapon.captured:
        people = [each for each in people if each.ox_and_bucks]
        if weapon.kind != "sw" or not people:
            return state
    area = area_words(area_id(state, weapon))
    if not people:
        yield Note(f"{name_piece(weapon)} stays malfunctioned: no Personnel in {area}.")
        return state
    state, number = yield from repair_number(state, weapon)
    if number is None:
        yield Note(f"{name_piece(weapon)} cannot be repaired and is Eliminated.")
        return (yield from eliminate(state, weapon.id, "cannot be repaired", how=None))
    given = circumstances(
        repair_number=number,
        non_qualified=(yield from non_qualified(state, weapon, "9.6142")),
        isolated=is_equipment_isolated(state, weapon),
    )
    captured = ", captured; Ox and Bucks (PB SSR 14)" if weapon.captured else ""
    rolled: Rolled = yield _roll(state, name_piece(weapon) + captured, weapon, given)
    if rolled.result == WeaponRepair.REPAIRED:
        after = drop_status(state, weapon.id, EquipmentStatus.MALFUNCTIONED)
        return (yield from happen(state, after, Repaired(piece=weapon)))
    return (yield from eliminate(state, weapon.id, "not repaired"))


def _roll(state: Campaign, what: str, piece: Piece, given: Given) -> Roll:
    return Roll(
        state=state,
        id="9.6142",
        subject=by_name(piece),
        text=f"Weapon repair: {what}",
        table=table("weapon_repair"),
        given=given,
    )


def _vehicular(state: Told, vehicle: Piece, name: str) -> Script[Told]:
    """Repair a vehicular Weapon by the Inherent crew; if not repaired it is disabled.

    Disabled MA means Recall at once, and 9.6141c applies. What a position calls both malfunctioned
    and disabled is disabled: no dr is made for it. Rule: 9.6142, D3.7; ruling C-21.
    """
    weapon = name.lower()
    if not vehicle.has(VehicleStatus.of_weapon(weapon, "malfunctioned")):
        return state
    if vehicle.has(VehicleStatus.of_weapon(weapon, "disabled")):
        after = drop_status(state, vehicle.id, VehicleStatus.of_weapon(weapon, "malfunctioned"))
        return (yield from happen(state, after, Cleared(piece=vehicle)))
    given = circumstances(
        vehicular=True,
        repair_number=UNITS.content.vehicular_weapons.repair,
        non_qualified=(yield from non_qualified(state, vehicle, "9.6142")),
        isolated=is_equipment_isolated(state, vehicle),
    )
    rolled: Rolled = yield _roll(state, f"{name} of {name_piece(vehicle)}", vehicle, given)
    if rolled.result == WeaponRepair.REPAIRED:
        after = drop_status(state, vehicle.id, VehicleStatus.of_weapon(weapon, "malfunctioned"))
        return (yield from happen(state, after, Repaired(piece=vehicle, what=name)))
    after = disable_weapon(state, vehicle.id, weapon)
    state = yield from happen(state, after, Disabled(piece=vehicle, what=name))
    entry = vehicle_type(state, vehicle)
    if name == "MA" and (entry is None or entry.afv):
        after = add_status(state, vehicle.id, VehicleStatus.RECALL)
        state = yield from happen(state, after, Recalled(piece=vehicle))
        state = yield from carry_out_recall(state, vehicle.id)
    return state


# -- 9.61421 --------------------------------------------------------------------------------


def mg_exchange(state: Told, side: Side) -> Script[Told]:
    """Decide which disabled vehicular MGs are repaired at the price of a SW LMG.

    Rule: 9.61421; ruling P-71.
    """
    for vehicle in retained_vehicles(state, side):
        if not vehicle.captured:
            for name in disabled_mgs(state, vehicle):
                state = yield from _exchange(state, vehicle, name)
    return state


def disabled_mgs(state: Campaign, vehicle: Piece) -> list[str]:
    """Return the disabled MGs of a vehicle: BMG, CMG, AAMG, and MA that is a MG. Rule: 9.61421."""
    entry = vehicle_type(state, vehicle)
    ma_is_mg = bool(entry and entry.main_armament.endswith("MG"))
    return [
        name
        for name in WEAPONS
        if vehicle.has(VehicleStatus.of_weapon(name, "disabled")) and (name != "MA" or ma_is_mg)
    ]


@paragraph("9.61421")
def _exchange(state: Told, vehicle: Piece, name: str) -> Script[Told]:
    options = tuple(
        Option(lmg.id, name_piece(lmg), "it is Eliminated", refused=_no_lmg(lmg), rule="9.61421")
        for lmg in _lmgs(state, vehicle)
    )
    if all(option.refused for option in options):
        return state
    answer = yield Prompt(
        state=state,
        id="9.61421",
        subject=part_of(vehicle, name),
        options=(Option("no", "no"), *options),
        default="no",
        text=f"Repair the disabled {name} of {name_piece(vehicle)} by Eliminating a SW LMG?",
        help="No dr is made. The LMG must be Retained in the same Setup/Entry Area.",
    )
    if answer == "no":
        return state
    lmg = name_piece(state.piece(answer))
    yield Note(f"{lmg} is Eliminated; the {name} of {name_piece(vehicle)} is repaired.")
    why = f"exchanged for the {name} of {vehicle.id}"
    state = yield from eliminate(state, answer, why, how=None)
    after = drop_status(state, vehicle.id, VehicleStatus.of_weapon(name, "disabled"))
    return (yield from happen(state, after, Repaired(piece=vehicle, what=name)))


def _lmgs(state: Campaign, vehicle: Piece) -> list[Weapon]:
    area = area_id(state, vehicle)
    found = []
    for weapon in retained_weapons(state, vehicle.side):
        entry = state.type_of(weapon)
        if isinstance(entry, WeaponType) and entry.what == _LMG and area_id(state, weapon) == area:
            found.append(weapon)
    return found


def _no_lmg(lmg: Piece) -> str:
    """Return why a LMG cannot be exchanged; empty if it can. Ruling P-71."""
    if lmg.captured:
        return "It is captured: a friendly SW LMG is asked for."
    return "It is malfunctioned." if lmg.has(EquipmentStatus.MALFUNCTIONED) else ""


# -- 9.61424 --------------------------------------------------------------------------------


def special_ammo(state: Told, side: Side) -> Script[Told]:
    """Decide which depleted special ammunition is restored; the owner may let it be.

    Rule: 9.61424.
    """
    depleted = list(_depleted_ammo(state, side))
    if not depleted:
        return state
    before_night = side is Side.BRITISH and state.date.is_night
    given = circumstances(british_before_night=before_night)
    chosen = yield _which(state, side, depleted, given)
    for number, (weapon, ammo) in enumerate(depleted, 1):
        if str(number) in chosen:
            state = yield from _restore(state, weapon, ammo, given)
    return state


def _depleted_ammo(state: Campaign, side: Side) -> Iterator[tuple[Weapon | Vehicle, str]]:
    """Yield each depleted type of each Weapon that is Retained, not captured and not Isolated."""
    pieces: list[Weapon | Vehicle] = [
        *retained_weapons(state, side),
        *retained_vehicles(state, side),
    ]
    for piece in pieces:
        if not piece.captured and not is_equipment_isolated(state, piece):
            for ammo in piece.depleted:
                yield piece, ammo


def _which(
    state: Campaign, side: Side, depleted: list[tuple[Weapon | Vehicle, str]], given: Given
) -> Prompt:
    chance = percent(table("special_ammo").odds(given)["restored"])
    options = tuple(
        Option(str(number), f"{ammo} of {name_piece(piece)}", odds={"restored": chance})
        for number, (piece, ammo) in enumerate(depleted, 1)
    )
    return Prompt(
        state=state,
        id="9.61424",
        about=side.value,
        kind="choose-some",
        options=options,
        default="none",
        text="For which depleted special ammunition do you roll?",
        help="A dr may be made for each depleted type of each Weapon that is neither captured nor "
        "Isolated. A failure costs nothing.",
    )


def _restore(state: Told, piece: Weapon | Vehicle, ammo: str, given: Given) -> Script[Told]:
    rolled: Rolled = yield Roll(
        state=state,
        id="9.61424",
        subject=part_of(piece, ammo),
        text=f"Special ammunition {ammo} of {name_piece(piece)}",
        table=table("special_ammo"),
        given=given,
    )
    if rolled.result != SpecialAmmo.RESTORED:
        return state
    now = state.piece(piece.id)
    assert isinstance(now, Weapon | Vehicle)
    depleted = list(now.depleted)
    depleted.remove(ammo)
    after = update(state, piece.id, depleted=tuple(depleted))
    return (yield from happen(state, after, Replenished(piece=piece, what=ammo)))


# -- 9.61425 --------------------------------------------------------------------------------


def low_ammo(state: Told, side: Side) -> Script[Told]:
    """Remove Low Ammo markers of German vehicles that are neither captured nor Isolated.

    Rule: 9.61425.
    """
    for vehicle in retained_vehicles(state, Side.GERMAN) if side is Side.GERMAN else ():
        if (
            vehicle.has(VehicleStatus.LOW_AMMO)
            and not vehicle.captured
            and not is_equipment_isolated(state, vehicle)
        ):
            after = drop_status(state, vehicle.id, VehicleStatus.LOW_AMMO)
            yield Note(f"The Low Ammo marker of {name_piece(vehicle)} is removed.")
            state = yield from happen(state, after, Replenished(piece=vehicle))
    return state
