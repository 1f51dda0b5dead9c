"""9.6071 Enemy Equipment in a Setup Area: Captured or Eliminated, Inherent crews too."""

from __future__ import annotations

from asl_pbcg.campaign.area_map import SetupArea
from asl_pbcg.campaign.piece_changes import (
    add_pieces,
    add_status,
    capture,
    drop_status,
    remove,
    transfer,
    update,
)
from asl_pbcg.campaign.piece_names import name_piece
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position_words import UnitStatus, VehicleStatus
from asl_pbcg.campaign.state import Campaign, possessor
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Script, paragraph
from asl_pbcg.refit.guards import can_guard, no_longer_prisoner, wards_of
from asl_pbcg.refit.removal import removal
from asl_pbcg.refit.retention import still_there
from asl_pbcg.refit.situation import in_board_order, personnel_in
from asl_pbcg.refit.status_chart import holder_of, status_of
from asl_pbcg.refit.subjects import put_to
from asl_pbcg.refit.unit_changes import kin
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
def capture_or_eliminate(state: Campaign, area: SetupArea) -> Script[Campaign]:
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
def _capture(state: Campaign, piece: Piece, area: SetupArea) -> Script[Campaign]:
    """Capture a piece; one of one's own is won back. Rule: 9.6071, CG14."""
    if piece.is_vehicle:
        state = yield from _crew_captured(state, piece, area)
        state = unhook(state, piece.id)
        state = drop_status(
            state, piece.id, VehicleStatus.MOTION, VehicleStatus.CE, VehicleStatus.RECALL
        )
        state = add_status(state, piece.id, VehicleStatus.ABANDONED)
    back = piece.captured
    state = capture(state, piece.id, area.side)
    state = update(state, piece.id, area=area.id)
    how = "won back" if back else "Captured"
    yield Note(
        f"{name_piece(piece)} in {piece.at} is {how} and Retained in {area.side.title} Setup Area "
        f"{area.id}.",
    )
    if not piece.is_vehicle:
        return state
    state = yield from _removed_by_captor(state, piece.id, area)
    return (yield from dead_to_wreck(state, piece.id))


def _removed_by_captor(state: Campaign, id: str, area: SetupArea) -> Script[Campaign]:
    """Let the Personnel of an area Remove Weapons of a vehicle that fell to it: the note *.

    Rule: 9.6056 chart, D5.411.
    """
    people = [each.id for each in personnel_in(state, area.side, area.id) if not each.aboard]
    return (yield from removal(state, id, people, "9.6056"))


def _crew_captured(state: Campaign, vehicle: Piece, area: SetupArea) -> Script[Campaign]:
    """Make prisoners of the crew of a Captured Immobile vehicle, its Armor Leader included.

    Rule: 9.6071; rulings C-65, P-15.
    """
    inside = [each.id for each in state.pieces if each.aboard == vehicle.id]
    guards = [unit for unit in personnel_in(state, area.side, area.id) if can_guard(unit, vehicle)]
    if not guards:
        return (yield from _crew_without_guard(state, vehicle, inside, area))
    if has_crew(state, vehicle) and not any(state.piece(id).is_personnel for id in inside):
        fields = {**kin(vehicle), "area": ""}
        state = add_pieces(state, vehicle.side, [(crew_type(), 1)], **fields)
        inside.insert(0, state.pieces[-1].id)
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
        for item in state.piece(id).possesses:
            state = transfer(state, item)
        state = yield from _wards_freed(state, id, area)
        state = add_status(state, id, UnitStatus.PRISONER)
        held_at = state.piece(guard).at
        state = update(state, id, guarded_by=guard, aboard="", at=held_at, area="")
        yield Note(
            f"{name_piece(state.piece(id))} of {name_piece(vehicle)} is captured; "
            f"{name_piece(state.piece(guard))} guards it.",
        )
    return state


def _crew_without_guard(
    state: Campaign, vehicle: Piece, inside: list[str], area: SetupArea
) -> Script[Campaign]:
    """Eliminate a captured crew that nobody in the Setup Area can guard. Rule: 9.6071."""
    if has_crew(state, vehicle):
        yield Note(
            f"The crew of {name_piece(vehicle)} is captured, but nobody in Setup Area {area.id} "
            "can guard it: Eliminated.",
        )
    for id in inside:
        yield Note(f"{name_piece(state.piece(id))} is Eliminated with it.")
        state = yield from _wards_freed(state, id, area)
        state = remove(state, id, "eliminated", "captured without a Guard")
    return state


def _wards_freed(state: Campaign, id: str, area: SetupArea) -> Script[Campaign]:
    """Free the prisoners of a Guard who is captured himself: they are among their own.

    Rule: 9.6071, 9.608, A20.551.
    """
    for ward in wards_of(state, id):
        state = yield from no_longer_prisoner(state, ward.id, RULE)
        state = update(state, ward.id, area=area.id)
    return state


# -- Eliminated -------------------------------------------------------------------------------


@paragraph(RULE)
def _eliminate(state: Campaign, piece: Piece, area: SetupArea) -> Script[Campaign]:
    """Eliminate a piece of enemy Equipment with whoever is part of it.

    Who Eliminates a vehicle may first Remove Weapons and try to Scrounge it: the chart's note *.

    Rule: 9.6071, 9.6056.
    """
    if piece.is_vehicle:
        state = update(unhook(state, piece.id), piece.id, area=area.id)
        state = yield from _removed_by_captor(state, piece.id, area)
        state = yield from scrounge(state, piece.id, "9.6056", "9.61423.result", area.side)
        for each in [each for each in state.pieces if each.aboard == piece.id]:
            yield Note(f"{name_piece(each)} is Eliminated with {name_piece(piece)}.")
            state = remove(state, each.id, "eliminated", RULE)
    yield Note(f"{name_piece(piece)} in {piece.at} is Eliminated.")
    return remove(state, piece.id, "eliminated", "by the side that Controls the Setup Area")
