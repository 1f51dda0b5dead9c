"""Who mans an Abandoned vehicle, or its Inherent crew comes back. Rule: 9.6141a, D5.42."""

from __future__ import annotations

from asl_pbcg.campaign.night import is_held_by_no_move
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Script
from asl_pbcg.refit.asked import inherent_crew
from asl_pbcg.refit.places import area_words
from asl_pbcg.refit.retained_equipment import (
    area_id,
    people_with,
)
from asl_pbcg.refit.unit_changes import words
from asl_pbcg.refit.vehicle_actions import board, man


def reman(state: Campaign, vehicle: Piece, point: str = "9.6141a") -> Script[Campaign]:
    """Settle who mans one Abandoned vehicle. Rule: 9.6141a, 9.6071; ruling P-70."""
    people = [each for each in people_with(state, vehicle) if not each.aboard]
    area = area_words(area_id(state, vehicle))
    if not people:
        why = f"no Personnel in {area}."
        yield Note(f"{words(vehicle)} stays Abandoned: {why}", side=vehicle.side, secret=True)
        return state
    state, crewed = yield from inherent_crew(state, vehicle)
    takers = [_taker(state, each, vehicle, crewed) for each in people]
    if all(taker.refused for taker in takers):
        why = takers[0].refused
        yield Note(f"{words(vehicle)} stays Abandoned: {why}", side=vehicle.side, secret=True)
        return state
    answer = yield Prompt(
        state=state,
        id=point,
        subject=vehicle,
        secret=True,
        options=(Option("leave", "it stays Abandoned"), *takers),
        default="leave",
        text=f"{words(vehicle)} is Abandoned. Who remans it?",
        help="Personnel Retained in the same area may reman it (A21.22, D5.42, D6.631). What "
        "the unit possesses stays behind.",
    )
    if answer == "leave":
        return state
    who = words(state.piece(answer))
    yield Note(f"{who} remans {words(vehicle)}.")
    if crewed:
        return man(state, vehicle.id, answer)
    return board(state, vehicle.id, answer)


STAYS_PUT = "On its No Move counter it stays in its Location."


def stays_put(state: Campaign, unit: Piece, what: Piece) -> bool:
    """Whether a No Move counter keeps a unit from a vehicle or Gun in another Location.

    Rule: 9.6058, CG4b.
    """
    return unit.at != what.at and is_held_by_no_move(state, unit, state.board)


def _taker(state: Campaign, unit: Piece, vehicle: Piece, crewed: bool) -> Option:
    """A unit as an answer to who remans a vehicle. Rule: A21.22, D5.42, D6.631."""
    consequence, refused, rule = "boards it", "", ""
    if stays_put(state, unit, vehicle):
        refused, rule = STAYS_PUT, "9.6058"
    elif any(each.guarded_by == unit.id for each in state.pieces):
        refused, rule = f"{words(unit)} guards prisoners.", "9.608"
    elif crewed and unit.kind == "crew":
        consequence = "mans it" if vehicle.captured else "is its Inherent crew"
    elif crewed and unit.kind == "half_squad":
        consequence = "mans it: Non-Qualified Use (A21.13)"
    elif crewed:
        refused, rule = "Only a crew or HS can be its crew.", "A21.22"
    return Option(unit.id, words(unit), consequence, refused=refused, rule=rule)
