"""Vehicles of the Refit Phase: Weapons, crews, Abandoning, Wrecks, Scrounging and their loss.

The steps of 9.601, 9.606, 9.6051, 9.6053, 9.6071 and 9.614 use it. Queries about a vehicle come
first, then changes of its state, then the decisions put to players. Fortifications that are lost
with the ground stand here too (``fortifications_lost``). Rule: 9.61423, CG14, D5.6.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from asl_pbcg.campaign.module.catalogue import MMC, VehicleType
from asl_pbcg.campaign.module.frame import UNITS
from asl_pbcg.campaign.position import Fortification, Terrain
from asl_pbcg.campaign.position_words import (
    EquipmentStatus,
    FortificationKind,
    TerrainKind,
    UnitStatus,
    VehicleStatus,
)
from asl_pbcg.campaign.state.campaign_events import happen
from asl_pbcg.campaign.state.campaign_state import Campaign, Told, change
from asl_pbcg.campaign.state.piece_changes import (
    add_pieces,
    add_status,
    drop_status,
    remove,
    transfer,
    update,
)
from asl_pbcg.campaign.state.piece_events import Abandoned, Dropped, Scrounged, Wrecked
from asl_pbcg.campaign.state.piece_names import name_piece, short_name
from asl_pbcg.campaign.state.pieces import Piece, Vehicle
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Script, Subject, ask, yes_no
from asl_pbcg.refit.helpers.catalogue_questions import has_wreck, scrounges
from asl_pbcg.refit.helpers.guards import guard_lost, wards_of, without_guard
from asl_pbcg.refit.helpers.retention import still_there
from asl_pbcg.refit.helpers.situation import area_words
from asl_pbcg.refit.helpers.subjects import put_to
from asl_pbcg.refit.helpers.unit_changes import eliminate, kin, stands

WRECK_WORDS = {
    TerrainKind.WRECK: "a Wreck",
    TerrainKind.BURNT_OUT_WRECK: "a Burnt-Out Wreck",
    TerrainKind.BURNING_WRECK: "a Burning Wreck",
}


def fortifications_lost(
    state: Campaign, perhaps: Sequence[Fortification | Terrain], why: str, step: str = ""
) -> Campaign:
    """Return the state without the pieces of an OB that Fortifications no longer on map were.

    ``perhaps`` are those that may be gone. An OB counts its Trenches, Wire and pillboxes; the map
    says where they stand. Rule: 9.2 Eliminated, 9.2 OB.
    """
    for each in perhaps:
        if not isinstance(each, Fortification) or each in state.fortifications:
            continue
        pieces = [piece for piece in state.pieces if _is_of(piece, each.kind)]
        standing = sum(other.kind is each.kind for other in state.fortifications)
        mine = [piece for piece in pieces if each.owner in (None, piece.side)]
        if mine and len(pieces) > standing:
            lost = next((piece for piece in mine if piece.at == each.at), mine[-1])
            state = remove(state, lost.id, "eliminated", why, step)
    return state


def _is_of(piece: Piece, kind: FortificationKind) -> bool:
    """Return whether a piece is a Fortification of a kind: a ``1+3+5 Pillbox`` is a pillbox."""
    return piece.kind == "fortification" and piece.type.split()[-1].lower() == kind.value


def vehicle_type(state: Campaign, piece: Piece) -> VehicleType | None:
    """Return the catalogue entry of a vehicle, captured or not; None if unknown."""
    entry = state.catalogue.find(piece.type, piece.maker)
    return entry if isinstance(entry, VehicleType) else None


def weapons_left(state: Campaign, piece: Piece) -> list[str]:
    """Return the Inherent Weapons of a vehicle that are not disabled: MA, BMG, CMG, AAMG.

    Rule: CG14.
    """
    entry = vehicle_type(state, piece)
    if entry is None:
        return []
    fitted = ["MA"] if entry.main_armament else []
    fitted += list(entry.mg)
    if isinstance(piece, Vehicle) and piece.aamg and "AAMG" not in fitted:
        fitted.append("AAMG")
    return [
        weapon for weapon in fitted if not piece.has(VehicleStatus.of_weapon(weapon, "disabled"))
    ]


def functioning_weapons(state: Campaign, vehicle: Piece) -> list[str]:
    """Return the Weapons of a vehicle that are neither malfunctioned nor disabled."""
    return [
        name
        for name in weapons_left(state, vehicle)
        if not vehicle.has(VehicleStatus.of_weapon(name, "malfunctioned"))
    ]


def disable_weapon(state: Campaign, id: str, name: str) -> Campaign:
    """Return the state with a vehicular Weapon disabled, malfunctioned or not."""
    state = drop_status(state, id, VehicleStatus.of_weapon(name, "malfunctioned"))
    return add_status(state, id, VehicleStatus.of_weapon(name, "disabled"))


KEPT_IN_PLACE = (VehicleStatus.IMMOBILIZED, VehicleStatus.BOGGED, VehicleStatus.MIRED)
"""Status that keeps a vehicle in its Location, whoever mans it. Rule: 9.6071."""
_IMMOBILE = (*KEPT_IN_PLACE, VehicleStatus.ABANDONED)


def crew_type() -> str:
    """Return what an Inherent crew is as a unit. Rule: D5.6."""
    return UNITS.content.crews.vehicle


def is_mobile(piece: Piece) -> bool:
    """Return whether a vehicle is Mobile: not immobilized, bogged, mired or Abandoned.

    Ruling P-05.
    """
    return piece.is_vehicle and not piece.has(*_IMMOBILE)


def is_unarmed(state: Campaign, piece: Piece) -> bool:
    """Return whether a vehicle has no Weapon, or none that is not disabled. Rule: 9.606."""
    return not weapons_left(state, piece)


def has_crew(state: Campaign, piece: Piece) -> bool:
    """Return whether an Inherent crew is in a vehicle."""
    entry = vehicle_type(state, piece)
    return bool(entry and entry.crew and not piece.has(VehicleStatus.ABANDONED))


def armor_leader_of(state: Campaign, piece: Piece) -> Piece | None:
    """Return the Armor Leader aboard a vehicle, or None. Rule: D3.4."""
    aboard = (each for each in state.pieces if each.aboard == piece.id and each.is_armor_leader)
    return next(aboard, None)


# -- Abandon and reman ----------------------------------------------------------------------


def abandon(state: Campaign, id: str) -> tuple[Campaign, str]:
    """Return the state with a vehicle Abandoned, and the id of its crew: empty if it has none.

    The crew is a unit now, in the same place; an Armor Leader leaves with it. An MMC that manned
    the vehicle from aboard is its crew. A hooked Gun is let go. Rule: D5.4, 9.6051.
    """
    vehicle = state.piece(id)
    crew = ""
    for each in [piece for piece in state.pieces if piece.aboard == id and piece.is_personnel]:
        crew = crew or each.id
        state = update(state, each.id, aboard="", at=vehicle.at, area=vehicle.area)
    if not crew and has_crew(state, vehicle):
        state = add_pieces(state, vehicle.side, [(crew_type(), 1)], **kin(vehicle))
        crew = state.pieces[-1].id
    leader = armor_leader_of(state, vehicle)
    if leader:
        state = update(state, leader.id, aboard="", at=vehicle.at, area=vehicle.area)
    state = unhook(state, id)
    state = drop_status(
        add_status(state, id, VehicleStatus.ABANDONED), id, VehicleStatus.MOTION, VehicleStatus.CE
    )
    return update(state, id, manned_by=""), crew


def leave(state: Told, id: str) -> Script[tuple[Told, str]]:
    """Abandon a vehicle; returns the id of its crew too, empty if it has none. Rule: D5.4."""
    after, crew = abandon(state, id)
    who = after.piece(crew) if crew else None
    return (yield from happen(state, after, Abandoned(piece=state.piece(id), crew=who))), crew


def is_manned_by(vehicle: Piece, unit: Piece) -> bool:
    """Return whether an MMC aboard has remanned the vehicle and is its crew.

    Rule: A21.22, D5.42.
    """
    return isinstance(vehicle, Vehicle) and vehicle.manned_by == unit.id


def is_crew(state: Campaign, piece: Piece) -> bool:
    """Return whether a unit aboard a vehicle is not a Passenger or Rider but (part of) its crew.

    That is an Armor Leader, an MMC that has remanned it, and the first MMC aboard a captured
    vehicle that needs a crew. An Abandoned vehicle has none.

    Rule: D3.4, D5.42, A21.22.
    """
    vehicle = state.piece(piece.aboard)
    if piece.is_armor_leader or is_manned_by(vehicle, piece):
        return True
    entry = vehicle_type(state, vehicle)
    if not vehicle.captured or entry is None or not entry.crew:
        return False
    if vehicle.has(VehicleStatus.ABANDONED):
        return False
    mmc = [
        each
        for each in state.pieces
        if each.aboard == vehicle.id and each.kind in MMC and not each.is_prisoner
    ]
    return bool(mmc) and mmc[0].id == piece.id


def unhook(state: Campaign, id: str) -> Campaign:
    """Return the state with all that a vehicle tows left in its Location."""
    vehicle = state.piece(id)
    for gun in vehicle.tows:
        state = drop_status(state, gun, EquipmentStatus.HOOKED)
        state = update(state, gun, at=vehicle.at)
    return update(state, id, tows=())


def board(state: Campaign, id: str, unit: str) -> Campaign:
    """Return the state with ``unit`` aboard a vehicle that is Abandoned no longer.

    What it possesses stays behind. Rule: D6.631, A21.22.
    """
    for item in state.piece(unit).possesses:
        state = transfer(state, item)
    state = drop_status(state, id, VehicleStatus.ABANDONED)
    return update(state, unit, aboard=id, at=state.piece(id).at)


def man(state: Campaign, id: str, crew: str) -> Campaign:
    """Return the state with an Abandoned vehicle manned by the unit ``crew``.

    A crew becomes Inherent and is no longer a piece; another MMC mans it from aboard, and so does
    the crew of a captured vehicle. What it possesses stays behind.

    Rule: D5.42, D6.631, A21.22.
    """
    unit = state.piece(crew)
    if unit.kind != "crew" or state.piece(id).captured:
        return update(board(state, id, crew), id, manned_by=crew)
    state = drop_status(state, id, VehicleStatus.ABANDONED)
    for item in unit.possesses:
        state = transfer(state, item)
    return remove(state, crew, "recombined", f"Inherent crew of {id}")


# -- Wreck ----------------------------------------------------------------------------------


def dead(state: Campaign, piece: Piece) -> bool:
    """Return whether CG14 turns a vehicle into a Burnt-Out Wreck at once. Rule: CG14."""
    entry = vehicle_type(state, piece)
    return bool(
        entry
        and entry.wreck  # without a wreck depiction it can never become one
        and piece.on_map
        and piece.has(VehicleStatus.IMMOBILIZED)
        and piece.has(VehicleStatus.ABANDONED)
        and not weapons_left(state, piece)
    )


def to_wreck(
    state: Campaign, piece: Piece, why: str, kind: TerrainKind = TerrainKind.BURNT_OUT_WRECK
) -> Campaign:
    """Return the state with a vehicle turned into a (Burnt-Out) Wreck where it stands.

    Rule: CG14.
    """
    wreck = Terrain(
        kind=kind,
        at=piece.at,
        type=piece.type,
        side=piece.side.other if piece.captured else piece.side,
    )
    state = remove(state, piece.id, "eliminated", why)
    return change(state, terrain=(*state.terrain, wreck))


def wreck(state: Told, id: str, rule: str, point: str, side: Side) -> Script[Told]:
    """Decide whether a vehicle is turned into a (Burnt-Out) Wreck by whoever may do so.

    A vehicle without a wreck depiction cannot be; a Scrounged one only becomes Burnt-Out.

    Rule: 9.61423, CG14.
    """
    vehicle = state.piece(id)
    state, depicted = yield from has_wreck(state, vehicle.type, vehicle.maker, side)
    if not depicted:
        yield Note(f"{name_piece(vehicle)} has no wreck depiction: no Wreck.", "CG14", side)
        return state
    scrounged = "A Scrounged Wreck is Burnt-Out." if is_scrounged(vehicle) else ""
    answer = yield from ask(
        Prompt(
            state=state,
            id=point,
            subject=put_to(side, vehicle),
            rule=rule,
            default="no",
            options=(
                Option("no", "leave it as it is"),
                Option("wreck", "a Wreck", refused=scrounged, rule="CG14"),
                Option("burnt-out", "a Burnt-Out Wreck"),
            ),
            text=f"Turn {name_piece(vehicle)} into a (Burnt-Out) Wreck?",
        )
    )
    if answer == "no":
        return state
    kind = TerrainKind.WRECK if answer == "wreck" else TerrainKind.BURNT_OUT_WRECK
    yield Note(f"{name_piece(vehicle)} in {vehicle.at} is now {WRECK_WORDS[kind]}.", rule)
    after = to_wreck(state, vehicle, f"turned into {WRECK_WORDS[kind]}", kind)
    return (yield from happen(state, after, Wrecked(piece=vehicle)))


def dead_to_wreck(state: Told, id: str) -> Script[Told]:
    """Turn a vehicle at once into a Burnt-Out Wreck if nothing of it works. Rule: CG14."""
    if not stands(state, id) or not dead(state, state.piece(id)):
        return state
    vehicle = state.piece(id)
    state, depicted = yield from has_wreck(state, vehicle.type, vehicle.maker, vehicle.side)
    if not depicted:
        return state
    yield Note(
        f"{name_piece(vehicle)} is Immobilized, Abandoned and without a working Inherent Weapon: a "
        "Burnt-Out Wreck.",
        "CG14",
    )
    return (yield from happen(state, to_wreck(state, vehicle, "CG14"), Wrecked(piece=vehicle)))


WRECK_LEFT = {"wreck": TerrainKind.WRECK, "burning": TerrainKind.BURNING_WRECK}
"""The Wreck that an answer of ``wreck_options`` leaves."""


def wreck_options(state: Campaign, vehicle: Piece) -> tuple[Option, ...]:
    """Return how a vehicle may be Eliminated: as a Wreck, a Burning Wreck, or removed.

    Rule: CG14.
    """
    entry = vehicle_type(state, vehicle)
    depicted = entry is None or entry.wreck
    no_wreck = "" if depicted else f"{vehicle.type} has no wreck depiction."
    return (
        Option("wreck", "Eliminated: a Wreck", refused=no_wreck, rule="CG14"),
        Option("burning", "Eliminated: a Burning Wreck", refused=no_wreck, rule="CG14"),
        Option(
            "removed",
            "Eliminated and removed",
            refused="It leaves a Wreck." if depicted else "",
            rule="CG14",
        ),
    )


def vehicle_lost(
    state: Told, id: str, why: str, rule: str, wreck: TerrainKind | None
) -> Script[Told]:
    """Eliminate a vehicle with its crew and Armor Leader; what it tows stays.

    It leaves a ``wreck`` of that kind if it has a wreck depiction, else nothing; with None it is
    removed from the map in any case.

    Rule: 9.2 Eliminated, CG14.
    """
    state = yield from _crew_eliminated(state, id, why, rule)
    state = yield from happen(state, unhook(state, id), Dropped(piece=state.piece(id)))
    piece = state.piece(id)
    entry = vehicle_type(state, piece)
    if wreck and (entry is None or entry.wreck):
        yield Note(
            f"{name_piece(piece)} in {piece.at} is Eliminated: {WRECK_WORDS[wreck]}, {why}.", rule
        )
        return (yield from happen(state, to_wreck(state, piece, why, wreck), Wrecked(piece=piece)))
    is_there = state.determined is None or still_there(state, piece)
    where = piece.at if is_there else area_words(piece.area)
    yield Note(f"{name_piece(piece)} in {where} is Eliminated and removed, {why}.", rule)
    return (yield from eliminate(state, id, why, how=None, step=rule))


def crew_lost(state: Told, id: str, why: str, rule: str) -> Script[Told]:
    """Eliminate the crew of a vehicle, with an Armor Leader; it is left abandoned.

    Rule: 9.6041, 9.6042, CG14.
    """
    state = yield from _crew_eliminated(state, id, why, rule)
    piece = state.piece(id)
    yield Note(
        f"The PRC of {name_piece(piece)} in {piece.at} are Eliminated, {why}: it is left "
        "abandoned.",
        rule,
    )
    after = drop_status(
        add_status(state, id, VehicleStatus.ABANDONED),
        id,
        UnitStatus.ENCIRCLED,
        VehicleStatus.MOTION,
        VehicleStatus.CE,
    )
    state = yield from happen(state, after, Abandoned(piece=piece))
    return (yield from dead_to_wreck(state, id))


def _crew_eliminated(state: Told, id: str, why: str, rule: str) -> Script[Told]:
    """Eliminate the units aboard a vehicle: an Armor Leader, an MMC that mans it, Passengers.

    Their prisoners are claimed, taken over or free, but those aboard are lost as prisoners.

    Rule: 9.6041, 9.608, A20.551, D6.9.
    """
    aboard = [piece for piece in state.pieces if piece.aboard == id]
    lost = [each.id for each in aboard]
    for each in sorted(aboard, key=lambda each: not each.is_prisoner):
        after_9_608 = state.at > "9.608"
        if after_9_608:
            state = yield from guard_lost(state, each, "9.6041.2", lost)
        wards = wards_of(state, each.id)
        state = yield from eliminate(state, each.id, why, how=None, step=rule)
        yield Note(f"{name_piece(each)} aboard {name_piece(state.piece(id))} is Eliminated.", rule)
        if not after_9_608:
            state = yield from without_guard(
                state, wards, each.side, each.possesses, point="9.6041.2", left=lost
            )
    return state


def inherent_crew_survives(state: Campaign, vehicle: Piece, point: str) -> Script[bool]:
    """Decide whether the Inherent crew of a vehicle, if any, survives its loss. Rule: D5.6."""
    if not has_crew(state, vehicle):
        return False
    text = f"Does the Inherent crew of {name_piece(vehicle)} survive (D5.6)?"
    return (yield from yes_no(state, point, text, "D5.6", subject=vehicle))


# -- Scrounge ---------------------------------------------------------------------------------


def is_scrounged(piece: Piece) -> bool:
    """Return whether a vehicle has been Scrounged."""
    return isinstance(piece, Vehicle) and piece.scrounged


def can_scrounge(state: Campaign, piece: Piece) -> bool:
    """Return whether there is a Weapon to Scrounge in a vehicle. Rule: 9.61423, D10.5."""
    entry = vehicle_type(state, piece)
    return bool(entry and entry.scrounges and not is_scrounged(piece))


def scrounge(state: Told, id: str, rule: str, point: str, side: Side, by: str = "") -> Script[Told]:
    """Resolve an attempt of ``side`` to Scrounge a vehicle; the dr is made at the table.

    A success yields the SW that the catalogue names, for a "(f)" vehicle a French LMG; the unit
    ``by`` possesses it, else it lies in the vehicle's place. One MG of the vehicle is gone then.

    Rule: 9.61423, D10.5, CG14.
    """
    vehicle = state.piece(id)
    if is_scrounged(vehicle):
        return state
    state, yields = yield from scrounges(state, vehicle.type, vehicle.maker, side)
    if not yields:
        return state
    note = (
        ' A German vehicle whose name ends in "(f)" yields a German-coloured French LMG (9.61423).'
    )
    prompt = scrounge_prompt(state, point, put_to(side, vehicle), name_piece(vehicle), yields, note)
    if (yield from ask(replace(prompt, rule=rule))) != "succeeded":
        return state
    place = state.piece(by) if by else vehicle
    after, weapon = with_scrounged_weapon(state, yields, side, vehicle.maker, place)
    if by:
        after = transfer(after, weapon.id, by)
    gone = next((each for each in weapons_left(after, vehicle) if each != "MA"), "")
    if gone:
        after = disable_weapon(after, id, gone)
    yield Note(f"{name_piece(vehicle)} yields a {yields}: {short_name(weapon.id)}.", "D10.5", side)
    after = update(after, id, scrounged=True)
    return (yield from happen(state, after, Scrounged(piece=vehicle, weapons=(weapon,))))


def scrounge_prompt(
    state: Campaign, point: str, subject: Subject, what: str, yields: str, note: str = ""
) -> Prompt:
    """Return the question what came of an attempt to Scrounge a vehicle or Wreck. Rule: D10.5."""
    return Prompt(
        state=state,
        id=point,
        subject=subject,
        default="no",
        options=(
            Option("no", "no attempt"),
            Option("failed", "attempted, nothing found"),
            Option("succeeded", f"attempted, yields a {yields}"),
        ),
        text=f"Scrounge {what}?",
        help=f"Make the Scrounge dr by D10.5 and tell what came of it.{note}",
    )


def with_scrounged_weapon(
    state: Campaign, type: str, side: Side, maker: Side, place: Piece
) -> tuple[Campaign, Piece]:
    """Return the state with a SW that ``side`` took out of a vehicle, and the SW. Rule: D10.5."""
    status = () if maker is side else (EquipmentStatus.CAPTURED,)
    fields = {**kin(place), "rg": "", "status": status}
    state = add_pieces(state, side, [(type, 1)], **fields)
    return state, state.pieces[-1]
