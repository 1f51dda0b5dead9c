"""9.601 Results of Melee for a vehicle, and who aboard survives it."""

from __future__ import annotations

from asl_pbcg.campaign.catalogue import MMC, SMC, InfantryType
from asl_pbcg.campaign.events import happen
from asl_pbcg.campaign.game_system import UNITS
from asl_pbcg.campaign.piece_changes import add_pieces, add_status, drop_status, update
from asl_pbcg.campaign.piece_events import Abandoned, Immobilized, Retained
from asl_pbcg.campaign.piece_names import name_piece, name_with_status
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position_words import VehicleStatus
from asl_pbcg.campaign.state import Campaign, Told
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Script, paragraph
from asl_pbcg.refit.guards import wards_of
from asl_pbcg.refit.s601_fighters import lose_vp, no_longer_lost, reduce_in_melee
from asl_pbcg.refit.subjects import both_on
from asl_pbcg.refit.unit_changes import cvp_of, kin
from asl_pbcg.refit.vehicle_actions import armor_leader_of, is_crew
from asl_pbcg.refit.vehicle_losses import (
    WRECKS,
    inherent_crew_survives,
    vehicle_lost,
    wreck_options,
)


def vehicle_result(state: Told, piece: Piece, heading: str) -> Script[Told]:
    """Decide what Melee did to a vehicle. Rule: 9.601, A11.5."""
    answer = yield Prompt(
        state=state,
        id="9.601.3a",
        subject=piece,
        options=_vehicle_outcomes(state, piece),
        text=f"{heading}: what happened to {name_with_status(piece)}?",
    )
    if answer == "nothing":
        return state
    if answer == "immobilized":
        yield Note(f"{name_piece(piece)} is Immobilized.", "A11.51")
        after = drop_status(
            add_status(state, piece.id, VehicleStatus.IMMOBILIZED), piece.id, VehicleStatus.MOTION
        )
        return (yield from happen(state, after, Immobilized(piece=piece)))
    return (yield from _vehicle_eliminated(state, piece, answer))


def _vehicle_eliminated(state: Told, piece: Piece, answer: str) -> Script[Told]:
    """Decide what a vehicle Eliminated in Melee costs, and who aboard survives.

    Rule: 9.12, D5.6, D6.9.
    """
    count = yield Prompt(
        state=state,
        id="9.601.3d",
        subject=both_on(piece),
        rule="9.12",
        kind="number",
        least=0,
        most=20,
        text=f"Casualty VP for {name_piece(piece)} (A26.2)?",
        help="For the vehicle; Personnel and an Armor Leader lost aboard are added by themselves.",
    )
    burns = answer == "burning"
    crew = not burns and (yield from _crew_survives(state, piece))
    leader = armor_leader_of(state, piece)
    if leader and crew:
        state = yield from _left_in(state, leader, piece.at)
    reduced = []
    for unit in [] if burns else passengers(state, piece):
        fate = yield from _passenger_fate(state, unit, piece)
        if fate != "eliminated":
            state = yield from _left_in(state, unit, piece.at)
            yield Note(f"{name_piece(unit)} survives in {piece.at}.", "D6.9")
        if fate == "reduced":
            reduced.append(unit.id)
    aboard = [each for each in state.pieces if each.aboard == piece.id]
    count += sum(cvp_of(state, each) for each in aboard if not each.is_prisoner)
    wards = [ward for each in aboard for ward in wards_of(state, each.id)]
    state = yield from vehicle_lost(state, piece.id, "in Melee", "9.601", WRECKS.get(answer))
    if crew:
        type = UNITS.content.crews.vehicle
        after = add_pieces(state, piece.side, [(type, 1)], **kin(piece))
        crew_unit = after.pieces[-1]
        yield Note(f"Its crew survives: {name_piece(crew_unit)} in {piece.at}.", "D5.6")
        state = yield from happen(state, after, Abandoned(piece=piece, crew=crew_unit))
    state = yield from lose_vp(state, piece.side, count)
    state = yield from no_longer_lost(state, wards)
    for id in reduced:
        if state.catalogue.infantry(state.piece(id).type, state.piece(id).side).half_squad:
            state = yield from reduce_in_melee(state, state.piece(id))
    return state


def _left_in(state: Told, unit: Piece, at: str) -> Script[Told]:
    """Put a survivor into the Location of its vehicle. Rule: D5.6, D6.9."""
    after = update(state, unit.id, aboard="", at=at)
    return (yield from happen(state, after, Retained(piece=unit)))


def passengers(state: Campaign, vehicle: Piece) -> list[Piece]:
    """Return the units aboard that make their own Survival DR: prisoners too, and who mans it.

    An Armor Leader shares the fate of the Inherent crew. Rule: D6.9, A21.22; ruling P-124.
    """
    return [
        each
        for each in state.pieces
        if each.aboard == vehicle.id and not each.is_armor_leader and each.kind in (*MMC, *SMC)
    ]


def _crew_survives(state: Campaign, vehicle: Piece) -> Script[bool]:
    """Decide whether the Inherent crew survives; not a unit that mans it from aboard. Rule: D5.6"""
    manned = any(is_crew(state, each) for each in passengers(state, vehicle))
    return not manned and (yield from inherent_crew_survives(state, vehicle, "9.601.3e"))


@paragraph("D6.9")
def _passenger_fate(state: Campaign, unit: Piece, vehicle: Piece) -> Script[str]:
    """Decide what the Survival DR of one unit aboard an Eliminated vehicle says. Rule: D6.9."""
    entry = state.catalogue.find(unit.type, unit.side)
    half_squad = entry.half_squad if isinstance(entry, InfantryType) else ""
    options = [
        Option("eliminated", "Eliminated with the vehicle"),
        Option("survives", "survives", "a unit in the Location, in the Melee"),
    ]
    if half_squad:
        options.append(Option("reduced", f"survives, reduced to {half_squad}"))
    fate: str = yield Prompt(
        state=state,
        id="9.601.3g",
        subject=unit,
        options=tuple(options),
        text=f"{name_piece(unit)} is aboard {name_piece(vehicle)}: what does its Survival DR say?",
        help="Each unit aboard a vehicle Eliminated but not burning makes a Survival DR of its "
        "own, a prisoner too (D5.6, D6.9).",
    )
    return fate


def _vehicle_outcomes(state: Campaign, piece: Piece) -> tuple[Option, ...]:
    moves = "It is Immobile already." if piece.has(VehicleStatus.IMMOBILIZED) else ""
    return (
        *wreck_options(state, piece),
        Option("immobilized", "Immobilized", refused=moves, rule="A11.51"),
        Option("nothing", "nothing after all"),
    )
