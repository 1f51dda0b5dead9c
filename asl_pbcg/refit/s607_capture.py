"""9.6071 Enemy Equipment in a Setup Area: Captured or Eliminated, Inherent crews too."""

from __future__ import annotations

from asl_pbcg.campaign.area_map import SetupArea
from asl_pbcg.campaign.events import happen
from asl_pbcg.campaign.piece_changes import (
    add_pieces,
    add_status,
    capture,
    drop_status,
    transfer,
    update,
)
from asl_pbcg.campaign.piece_events import Abandoned, Captured, Retained, TakenPrisoner
from asl_pbcg.campaign.piece_names import name_piece
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position_words import UnitStatus, VehicleStatus
from asl_pbcg.campaign.state import Campaign, Told, possessor
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Script, paragraph
from asl_pbcg.refit.guards import can_guard, no_longer_prisoner, wards_of
from asl_pbcg.refit.removal import removal
from asl_pbcg.refit.retention import still_there
from asl_pbcg.refit.situation import in_board_order, personnel_in
from asl_pbcg.refit.status_chart import holder_of, status_of
from asl_pbcg.refit.subjects import put_to
from asl_pbcg.refit.unit_changes import eliminate, kin
from asl_pbcg.refit.unit_choices import choose_unit
from asl_pbcg.refit.vehicle_actions import (
    crew_type,
    dead_to_wreck,
    has_crew,
    scrounge,
    unhook,
)

RULE = "9.6071"
_NOBODY = "No Personnel of yours is Retained in that Setup Area."


@paragraph(RULE)
def capture_or_eliminate(state: Told, area: SetupArea) -> Script[Told]:
    """Decide what becomes of each piece of enemy Equipment in a Setup Area.

    It is Captured without more ado if its new owner has no Personnel there to Eliminate it.

    Rule: 9.6071, 9.6056.
    """
    found = [piece for piece in state.of(area.side.other) if falls_to(state, piece, area)]
    for piece in in_board_order(state, found):
        answer = "capture"
        if personnel_in(state, area.side, area.id):
            answer = yield _choice(state, piece, area)
        if answer == "capture":
            state = yield from _capture(state, piece, area)
        else:
            state = yield from _eliminate(state, piece, area)
    return state


def falls_to(state: Campaign, piece: Piece, area: SetupArea) -> bool:
    """Return whether an enemy piece is Equipment that the side of ``area`` gets hold of there.

    Unpossessed SW and Guns, Abandoned vehicles, and what the status chart says of crewed Immobile
    vehicles. Rule: 9.6071, 9.6056.
    """
    if not (piece.is_weapon or piece.is_vehicle) or not piece.on_map or piece.area:
        return False
    here = state.areas.area_of(area.side, piece.location)
    if here is None or here.id != area.id:
        return False
    if piece.is_vehicle and not piece.has(VehicleStatus.ABANDONED):
        return status_of(state, piece).outcome == "captured_or_eliminated"
    if status_of(state, piece).outcome == "captured_or_eliminated":
        return True
    holder = holder_of(state, piece) or possessor(state, piece.id)
    return holder is None or not still_there(state, holder)


def _choice(state: Campaign, piece: Piece, area: SetupArea) -> Prompt:
    captured = "Weapons may be Removed, it may be wrecked or Scrounged"
    if not piece.has(VehicleStatus.ABANDONED):
        captured = f"with its crew; {captured}"
    return Prompt(
        state=state,
        id="9.6071.1",
        subject=put_to(area.side, piece),
        options=(
            Option(
                "capture",
                "Capture it",
                captured if piece.is_vehicle else "Retained as Captured",
            ),
            Option(
                "eliminate",
                "Eliminate it",
                "removed from the map; Weapons may be Removed or Scrounged before"
                if piece.is_vehicle
                else "",
            ),
        ),
        default="capture",
        text=f"{name_piece(piece)} in {piece.at}, Setup Area {area.id}, falls to you.",
        help="Each piece of Equipment in a Setup Area is Retained by the side that Controls it, "
        "as Captured if it was the enemy's; its Personnel there may Eliminate it instead.",
    )


# -- Captured ---------------------------------------------------------------------------------


@paragraph(RULE)
def _capture(state: Told, piece: Piece, area: SetupArea) -> Script[Told]:
    """Capture a piece; one of one's own is won back. Rule: 9.6071, CG14."""
    if piece.is_vehicle:
        state = yield from _crew_captured(state, piece, area)
    after: Campaign = state
    if piece.is_vehicle:
        after = unhook(after, piece.id)
        after = drop_status(
            after, piece.id, VehicleStatus.MOTION, VehicleStatus.CE, VehicleStatus.RECALL
        )
        after = add_status(after, piece.id, VehicleStatus.ABANDONED)
    after = update(capture(after, piece.id, area.side), piece.id, area=area.id)
    event = Captured(piece=piece, by=area.side, area=area.id, back=piece.captured)
    state = yield from happen(state, after, event)
    if not piece.is_vehicle:
        return state
    state = yield from _removed_by_captor(state, piece.id, area)
    return (yield from dead_to_wreck(state, piece.id))


def _removed_by_captor(state: Told, id: str, area: SetupArea) -> Script[Told]:
    """Let the Personnel of an area Remove Weapons of a vehicle that fell to it: the note *.

    Rule: 9.6056 chart, D5.411.
    """
    people = [each.id for each in personnel_in(state, area.side, area.id) if not each.aboard]
    return (yield from removal(state, id, people, "9.6056"))


def _crew_captured(state: Told, vehicle: Piece, area: SetupArea) -> Script[Told]:
    """Make prisoners of the crew of a Captured Immobile vehicle, its Armor Leader included.

    Rule: 9.6071; rulings C-65, P-15.
    """
    inside = [each.id for each in state.pieces if each.aboard == vehicle.id]
    guards = [unit for unit in personnel_in(state, area.side, area.id) if can_guard(unit, vehicle)]
    if not guards:
        return (yield from _crew_without_guard(state, vehicle, inside, area))
    if has_crew(state, vehicle) and not any(state.piece(id).is_personnel for id in inside):
        fields = {**kin(vehicle), "area": ""}
        after = add_pieces(state, vehicle.side, [(crew_type(), 1)], **fields)
        crew = after.pieces[-1]
        state = yield from happen(state, after, Abandoned(piece=vehicle, crew=crew))
        inside.insert(0, crew.id)
    if not inside:
        return state
    guard = yield from choose_unit(
        state,
        "9.6071.1a",
        put_to(area.side, vehicle),
        guards,
        f"Which unit guards the captured crew of {name_piece(vehicle)}?",
        rule="A20.5",
        with_place=True,
    )
    for id in inside:
        state = yield from _wards_freed(state, id, area)
        after = state
        for item in state.piece(id).possesses:
            after = transfer(after, item)
        after = add_status(after, id, UnitStatus.PRISONER)
        held_at = state.piece(guard).at
        after = update(after, id, guarded_by=guard, aboard="", at=held_at, area="")
        state = yield from happen(state, after, TakenPrisoner(piece=state.piece(id)))
        yield Note(
            f"{name_piece(state.piece(id))} of {name_piece(vehicle)} is captured; "
            f"{name_piece(state.piece(guard))} guards it.",
        )
    return state


def _crew_without_guard(
    state: Told, vehicle: Piece, inside: list[str], area: SetupArea
) -> Script[Told]:
    """Eliminate a captured crew that nobody in the Setup Area can guard. Rule: 9.6071."""
    if has_crew(state, vehicle):
        yield Note(
            f"The crew of {name_piece(vehicle)} is captured, but nobody in Setup Area {area.id} "
            "can guard it: Eliminated.",
        )
    for id in inside:
        state = yield from _wards_freed(state, id, area)
        why = "captured without a Guard"
        state = yield from eliminate(state, id, why, how=" with it")
    return state


def _wards_freed(state: Told, id: str, area: SetupArea) -> Script[Told]:
    """Free the prisoners of a Guard who is captured himself: they are among their own.

    Rule: 9.6071, 9.608, A20.551.
    """
    for ward in wards_of(state, id):
        state = yield from no_longer_prisoner(state, ward.id, RULE)
        after = update(state, ward.id, area=area.id)
        state = yield from happen(state, after, Retained(piece=state.piece(ward.id)))
    return state


# -- Eliminated -------------------------------------------------------------------------------


@paragraph(RULE)
def _eliminate(state: Told, piece: Piece, area: SetupArea) -> Script[Told]:
    """Eliminate a piece of enemy Equipment with whoever is part of it.

    Who Eliminates a vehicle may first Remove Weapons and try to Scrounge it: the chart's note *.

    Rule: 9.6071, 9.6056.
    """
    if piece.is_vehicle:
        after = update(unhook(state, piece.id), piece.id, area=area.id)
        state = yield from happen(state, after, Retained(piece=piece))
        state = yield from _removed_by_captor(state, piece.id, area)
        state = yield from scrounge(state, piece.id, "9.6056", "9.61423.result", area.side)
        for each in [each for each in state.pieces if each.aboard == piece.id]:
            how = f" with {name_piece(piece)}"
            state = yield from eliminate(state, each.id, RULE, how=how)
    yield Note(f"{name_piece(piece)} in {piece.at} is Eliminated.")
    why = "by the side that Controls the Setup Area"
    return (yield from eliminate(state, piece.id, why, how=None))
