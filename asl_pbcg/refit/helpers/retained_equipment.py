"""9.614 What its paragraphs ask of Equipment: where it is Retained, and who can use it."""

from __future__ import annotations

from asl_pbcg.campaign.scenario.scenario_facts import is_held_by_no_move
from asl_pbcg.campaign.state.campaign_events import happen
from asl_pbcg.campaign.state.campaign_state import Campaign, Told, possessor
from asl_pbcg.campaign.state.piece_events import Manned
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.state.pieces import Piece, Vehicle, Weapon
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Script, ask, paragraph
from asl_pbcg.refit.helpers.catalogue_questions import inherent_crew
from asl_pbcg.refit.helpers.situation import (
    area_words,
    in_board_order,
    is_isolated,
    personnel_in,
    setup_area,
)
from asl_pbcg.refit.helpers.subjects import by_name, piece_option
from asl_pbcg.refit.helpers.vehicle_actions import board, man

WEAPONS = ("MA", "BMG", "CMG", "AAMG")
"""The vehicular Weapons, in the order they are resolved."""
_INFANTRY_CREW = "2-2-8"


def area_id(state: Campaign, piece: Piece) -> str:
    """Return the friendly Setup/Entry Area a piece is Retained in; empty if it is not Retained.

    A possessed Weapon is where its possessor is. Rule: 9.2 Retained, 9.6055.
    """
    holder = possessor(state, piece.id) if piece.is_weapon else None
    piece = holder or piece
    if piece.area:
        return piece.area
    here = setup_area(state, piece)
    return here.id if here else ""


def retained_vehicles(state: Campaign, side: Side) -> list[Vehicle]:
    """Return the vehicles ``side`` Retains in its Setup/Entry Areas, in board order.

    Rule: 9.6141.
    """
    found = [each for each in state.of(side) if isinstance(each, Vehicle) and area_id(state, each)]
    return in_board_order(state, found)


def retained_weapons(state: Campaign, side: Side) -> list[Weapon]:
    """Return the SW and Guns ``side`` Retains in its Setup/Entry Areas, in board order.

    Rule: 9.6142.
    """
    found = [each for each in state.of(side) if isinstance(each, Weapon) and area_id(state, each)]
    return in_board_order(state, found)


def people_with(state: Campaign, piece: Piece) -> list[Piece]:
    """Return the Personnel of its side Retained in the same Setup/Entry Area as ``piece``."""
    return personnel_in(state, piece.side, area_id(state, piece))


def is_equipment_isolated(state: Campaign, piece: Piece) -> bool:
    """Return whether Equipment is Isolated; a possessed Weapon is where its possessor is.

    Rule: 9.6052.
    """
    holder = possessor(state, piece.id) if piece.is_weapon else None
    return is_isolated(state, holder or piece)


# -- A21.13 -------------------------------------------------------------------------------


@paragraph("A21.13")
def non_qualified(state: Campaign, piece: Piece, rule: str) -> Script[bool]:
    """Decide whether only Non-Qualified Use of a vehicle, Gun or SW is possible.

    A Gun wants a crew in its area, of whatever kind. A vehicle that an MMC mans in place of a crew
    wants a crew there to relieve it; of an Infantry crew its owner is asked. A SW of this module
    needs no crew.

    Rule: A21.13, D5.1; ruling P-81.
    """
    crews = [each for each in people_with(state, piece) if each.kind == "crew" and not each.aboard]
    if piece.kind == "gun":
        return not crews
    inside = [each for each in state.pieces if each.aboard == piece.id and each.is_personnel]
    if not any(each.kind in ("squad", "half_squad") for each in inside):
        return False
    if not crews or any(crew.type != _INFANTRY_CREW for crew in crews):
        return not crews
    answer = yield from ask(
        Prompt(
            state=state,
            id=f"{rule}.nq",
            subject=by_name(piece),
            options=(
                Option("no", f"no, {name_piece(crews[0])} is qualified"),
                Option("yes", "yes", "+1 drm"),
            ),
            default="yes",
            text=f"Is only Non-Qualified Use of {name_piece(piece)} possible?",
            help="An MMC mans it, and only an Infantry crew is in the area. See A21.13, A21.22.",
        )
    )
    return bool(answer == "yes")


# -- Who mans an Abandoned vehicle -----------------------------------------------------------------


def reman(state: Told, vehicle: Piece, point: str = "9.6141a") -> Script[Told]:
    """Decide who mans one Abandoned vehicle. Rule: 9.6141a, 9.6071; ruling P-70."""
    people = [each for each in people_with(state, vehicle) if not each.aboard]
    area = area_words(area_id(state, vehicle))
    if not people:
        why = f"no Personnel in {area}."
        yield Note(f"{name_piece(vehicle)} stays Abandoned: {why}", side=vehicle.side, secret=True)
        return state
    state, crewed = yield from inherent_crew(state, vehicle)
    takers = [_taker(state, each, vehicle, crewed) for each in people]
    if all(taker.refused for taker in takers):
        why = takers[0].refused
        yield Note(f"{name_piece(vehicle)} stays Abandoned: {why}", side=vehicle.side, secret=True)
        return state
    answer = yield from ask(
        Prompt(
            state=state,
            id=point,
            subject=vehicle,
            secret=True,
            options=(Option("leave", "it stays Abandoned"), *takers),
            default="leave",
            text=f"{name_piece(vehicle)} is Abandoned. Who remans it?",
            help="Personnel Retained in the same area may reman it (A21.22, D5.42, D6.631). What "
            "the unit possesses stays behind.",
        )
    )
    if answer == "leave":
        return state
    who = name_piece(state.piece(answer))
    yield Note(f"{who} remans {name_piece(vehicle)}.")
    unit = state.piece(answer)
    after = (man if crewed else board)(state, vehicle.id, answer)
    return (yield from happen(state, after, Manned(piece=vehicle, crew=unit)))


STAYS_PUT = "On its No Move counter it stays in its Location."


def stays_put(state: Campaign, unit: Piece, what: Piece) -> bool:
    """Return whether a No Move counter keeps a unit from a vehicle or Gun in another Location.

    Rule: 9.6058, CG4b.
    """
    return unit.at != what.at and is_held_by_no_move(state, unit, state.board)


def _taker(state: Campaign, unit: Piece, vehicle: Piece, crewed: bool) -> Option:
    """Return a unit as an answer to who remans a vehicle. Rule: A21.22, D5.42, D6.631."""
    consequence, refused, rule = "boards it", "", ""
    if stays_put(state, unit, vehicle):
        refused, rule = STAYS_PUT, "9.6058"
    elif any(piece.guarded_by == unit.id for piece in state.pieces):
        refused, rule = f"{name_piece(unit)} guards prisoners.", "9.608"
    elif crewed and unit.kind == "crew":
        consequence = "mans it" if vehicle.captured else "is its Inherent crew"
    elif crewed and unit.kind == "half_squad":
        consequence = "mans it: Non-Qualified Use (A21.13)"
    elif crewed:
        refused, rule = "Only a crew or HS can be its crew.", "A21.22"
    return piece_option(unit, consequence, refused=refused, rule=rule)
