"""9.604 Encirclement, Minefields, Bog, and Shock: the order of its parts, and 9.6041."""

from __future__ import annotations

from asl_pbcg.campaign.location import where_words
from asl_pbcg.campaign.piece_names import name_piece
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position_words import UnitStatus
from asl_pbcg.campaign.state import Told, possessor
from asl_pbcg.kernel.prompts import Note, Script, paragraph
from asl_pbcg.refit.guards import wards_of, without_guard
from asl_pbcg.refit.s604_bog import bog, shock
from asl_pbcg.refit.s604_minefields import minefields
from asl_pbcg.refit.situation import in_board_order
from asl_pbcg.refit.task_checks import task_check
from asl_pbcg.refit.unit_changes import eliminate, stands
from asl_pbcg.refit.vehicle_actions import is_mobile
from asl_pbcg.refit.vehicle_losses import crew_lost, vehicle_lost
from asl_pbcg.refit.withdrawal import withdrawal_at_once

_WHY = "Encircled and failed its 1TC"


def encirclement_minefields_bog_shock(state: Told) -> Script[Told]:
    """Go through 9.6041, 9.6042, 9.6043 and 9.6044 in this order. Rule: 9.604."""
    state = yield from withdrawal_at_once(state)
    for part in (encirclement, minefields, bog, shock):
        state = yield from part(state)
    return state


@paragraph("9.6041")
def encirclement(state: Told) -> Script[Told]:
    """Resolve the 1TC of each Encircled unit but prisoners, one by one. Rule: 9.6041."""
    encircled = [
        piece for piece in state.pieces if piece.has(UnitStatus.ENCIRCLED) and not piece.is_prisoner
    ]
    if not encircled:
        yield Note("No unit is Encircled.")
    for piece in in_board_order(state, encircled):
        if stands(state, piece.id):
            state = yield from _one_tc(state, piece)
    return state


def _one_tc(state: Told, piece: Piece) -> Script[Told]:
    """Resolve one 1TC; a unit that passes is Encircled until 9.6062. Rule: 9.6041."""
    passed = yield from task_check(
        state,
        piece,
        "1TC",
        "9.6041.1",
        failing="its PRC are Eliminated" if piece.is_vehicle else "Eliminated",
        help="Mind what being Encircled does to its Morale Level (A7.7).",
    )
    if passed:
        yield Note(
            f"{name_piece(piece)} passes its 1TC and stays {where_words(piece.at)}, still "
            "Encircled."
        )
        return state
    if piece.is_vehicle or piece.aboard:
        vehicle = state.piece(piece.aboard) if piece.aboard else piece
        return (yield from _prc_eliminated(state, vehicle))
    return (yield from _eliminate(state, piece))


@paragraph("9.6041")
def _eliminate(state: Told, piece: Piece) -> Script[Told]:
    """Eliminate a unit: its prisoners are claimed or Rearmed, its Equipment stays unpossessed.

    It never goes to the Walking Wounded box. Rule: 9.6041.
    """
    wards, dropped = wards_of(state, piece.id), piece.possesses
    box = ", not placed in the Walking Wounded box" if piece.airborne else ""
    yield Note(f"{name_piece(piece)} {where_words(piece.at)} fails its 1TC: Eliminated{box}.")
    state = yield from eliminate(state, piece.id, _WHY, how=None, step="9.6041")
    state = yield from without_guard(
        state, wards, piece.side, dropped, point="9.6041.2", rule="9.6041"
    )
    for item in dropped:
        if possessor(state, item) is None:
            yield Note(
                f"{name_piece(state.piece(item))} is left {where_words(piece.at)} unpossessed."
            )
    return state


def _prc_eliminated(state: Told, piece: Piece) -> Script[Told]:
    """Eliminate the Encircled Vulnerable PRC of a vehicle; an Immobile one is left abandoned.

    A Mobile one is Eliminated as a unit. Rule: 9.6041; ruling P-31.
    """
    if is_mobile(piece):
        return (yield from vehicle_lost(state, piece.id, _WHY, "9.6041", None))
    return (yield from crew_lost(state, piece.id, _WHY, "9.6041"))
