"""9.614 Equipment Repair and Replenishment: its paragraphs in their order, side by side.

Here are 9.6141 vehicles, 9.6142 Weapon repair, 9.61421 vehicular-MG exchange, 9.61424 special
ammunition and 9.61425 Low Ammo. 9.61422 is in ``s614_captured.py``, 9.61423 in
``refit/helpers/scrounging.py``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial

from asl_pbcg.campaign.module.campaign_tables import (
    ImmobilizationRepair,
    SpecialAmmo,
    StunRecovery,
    WeaponRepair,
    table,
)
from asl_pbcg.campaign.module.catalogue import WeaponType
from asl_pbcg.campaign.module.frame import UNITS
from asl_pbcg.campaign.position_words import EquipmentStatus, TerrainKind, VehicleStatus
from asl_pbcg.campaign.state.campaign_events import happen, keep_book
from asl_pbcg.campaign.state.campaign_state import Campaign, Told
from asl_pbcg.campaign.state.piece_changes import add_status, drop_status, update
from asl_pbcg.campaign.state.piece_events import (
    Cleared,
    Disabled,
    Recalled,
    Recovered,
    Repaired,
    Replenished,
)
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.state.pieces import Piece, Vehicle, Weapon
from asl_pbcg.campaign.state.seen import wreck_shown
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import (
    Note,
    Option,
    Prompt,
    Roll,
    Script,
    ask,
    ask_some,
    paragraph,
    throw,
    under,
)
from asl_pbcg.kernel.tables import Given, circumstances, likelihood
from asl_pbcg.kernel.topic import IDLE
from asl_pbcg.refit.helpers.catalogue_questions import in_own_catalogue, repair_number
from asl_pbcg.refit.helpers.retained_equipment import (
    WEAPONS,
    area_id,
    is_equipment_isolated,
    non_qualified,
    people_with,
    reman,
    retained_vehicles,
    retained_weapons,
)
from asl_pbcg.refit.helpers.scrounging import wrecks_and_scrounging
from asl_pbcg.refit.helpers.situation import PLUS_1, STUN, area_words
from asl_pbcg.refit.helpers.subjects import About, by_name, own_part, part_of, piece_option
from asl_pbcg.refit.helpers.unit_changes import eliminate, stands
from asl_pbcg.refit.helpers.vehicle_actions import (
    disable_weapon,
    has_crew,
    is_mobile,
    vehicle_lost,
    vehicle_type,
)
from asl_pbcg.refit.s614_captured import captured_equipment

_WRECK_NAMES = {TerrainKind.WRECK: "A Wreck", TerrainKind.BURNT_OUT_WRECK: "A Burnt-Out Wreck"}
_POINTS = {
    "immobilization_repair": "9.6141b",
    "stun_recovery": "9.6141d",
    "weapon_repair": "9.6142",
    "special_ammo": "9.61424",
}
"""The paragraph of each table of 9.614."""


def repair_and_replenishment(state: Told) -> Script[Told]:
    """Decide what is repaired, Recalled, worn out, Scrounged and replenished.

    Each side does it by itself and in secret; both see the Wrecks that it leaves on the map.

    Rule: 9.614; ruling P-90.
    """
    for side in (Side.GERMAN, Side.BRITISH):
        before = state
        part = in_own_catalogue(state, side, partial(_of_side, side=side))
        state = yield from own_part(state, part, side)
        state = yield from _wrecks_on_map(before, state)
    return state


def _of_side(state: Told, side: Side) -> Script[Told]:
    nothing = True
    for rule, procedure in PARAGRAPHS.items():
        said, state = yield from _hear(under(procedure(state, side), rule=rule))
        nothing = nothing and not said
    if nothing:
        yield Note("No Equipment needs repair or replenishment.", topic=IDLE)
    return state


def _hear(script: Script[Told]) -> Script[tuple[bool, Told]]:
    """Run ``script`` and say whether it asked, rolled or told anything."""
    active, sent = False, None
    while True:
        try:
            item = script.send(sent)
        except StopIteration as finished:
            return active, finished.value
        active = True
        sent = yield item


def _wrecks_on_map(before: Campaign, state: Told) -> Script[Told]:
    """Tell both sides of the Wrecks that lie on the map now: nothing hides a Wreck.

    Where each side plays its part by itself they are told when both have done it. Rule: CG14.
    """
    if state.part:
        return state
    for each in Counter(state.terrain) - Counter(before.terrain):
        if each.kind in _WRECK_NAMES:
            of = f" of a {each.type}" if each.type else ""
            yield Note(f"{_WRECK_NAMES[each.kind]}{of} lies in {each.at}.", "CG14")
    return keep_book(state, wreck_shown(before, state))


def _roll(state: Campaign, name: str, subject: About, text: str, given: Given) -> Roll:
    """Return a roll on a table of 9.614."""
    return Roll(
        state=state, id=_POINTS[name], subject=subject, text=text, table=table(name), given=given
    )


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
    subject = part_of(vehicle, "immobilization_repair")
    text = f"Immobilization repair of {name_piece(vehicle)}"
    rolled = yield from throw(_roll(state, "immobilization_repair", subject, text, given))
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
    subject, text = part_of(vehicle, "stun_recovery"), f"Stun recovery of {name_piece(vehicle)}"
    rolled = yield from throw(_roll(state, "stun_recovery", subject, text, given))
    if rolled.result == StunRecovery.RECOVERS:
        after = drop_status(state, vehicle.id, *STUN)
        return (yield from happen(state, after, Recovered(piece=vehicle)))
    if rolled.result == StunRecovery.ELIMINATED:
        return (yield from vehicle_lost(state, vehicle.id, "stunned", "9.6141d", None))
    return state


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
    text = f"Weapon repair: {name_piece(weapon)}{captured}"
    rolled = yield from throw(_roll(state, "weapon_repair", by_name(weapon), text, given))
    if rolled.result == WeaponRepair.REPAIRED:
        after = drop_status(state, weapon.id, EquipmentStatus.MALFUNCTIONED)
        return (yield from happen(state, after, Repaired(piece=weapon)))
    return (yield from eliminate(state, weapon.id, "not repaired"))


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
    text = f"Weapon repair: {name} of {name_piece(vehicle)}"
    rolled = yield from throw(_roll(state, "weapon_repair", by_name(vehicle), text, given))
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


_LMG = "light machine gun"


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
        piece_option(lmg, "it is Eliminated", refused=_no_lmg(lmg), rule="9.61421")
        for lmg in _lmgs(state, vehicle)
    )
    if all(option.refused for option in options):
        return state
    answer = yield from ask(
        Prompt(
            state=state,
            id="9.61421",
            subject=part_of(vehicle, name),
            options=(Option("no", "no"), *options),
            default="no",
            text=f"Repair the disabled {name} of {name_piece(vehicle)} by Eliminating a SW LMG?",
            help="No dr is made. The LMG must be Retained in the same Setup/Entry Area.",
        )
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
    chosen = yield from ask_some(_which(state, side, depleted, given))
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
    chance = likelihood(table("special_ammo").odds(given)["restored"])
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
    text = f"Special ammunition {ammo} of {name_piece(piece)}"
    rolled = yield from throw(_roll(state, "special_ammo", part_of(piece, ammo), text, given))
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


PARAGRAPHS = {
    "9.6141a": abandoned_vehicles,
    "9.6141b": immobilization_repair,
    "9.6141c": recall,
    "9.6141d": stun_recovery,
    "9.6142": weapon_repair,
    "9.61421": mg_exchange,
    "9.61422": captured_equipment,
    "9.61423": wrecks_and_scrounging,
    "9.61424": special_ammo,
    "9.61425": low_ammo,
}
"""The sub-steps in the order each side runs them. Rule: 9.614."""
