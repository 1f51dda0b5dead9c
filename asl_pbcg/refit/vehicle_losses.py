"""Vehicles that the Refit Phase Eliminates, with whoever is part of their Inherent crew."""

from __future__ import annotations

from asl_pbcg.campaign.events import happen
from asl_pbcg.campaign.piece_changes import add_status, drop_status
from asl_pbcg.campaign.piece_events import Abandoned, Dropped, Wrecked
from asl_pbcg.campaign.piece_names import name_piece
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position_words import TerrainKind, UnitStatus, VehicleStatus
from asl_pbcg.campaign.state import Campaign, Told
from asl_pbcg.kernel.prompts import Note, Option, Script, yes_no
from asl_pbcg.refit.guards import guard_lost, wards_of, without_guard
from asl_pbcg.refit.unit_changes import eliminate
from asl_pbcg.refit.vehicle_actions import dead_to_wreck, has_crew, unhook
from asl_pbcg.refit.wrecks import WRECK_WORDS, to_wreck, vehicle_type

WRECKS = {"wreck": TerrainKind.WRECK, "burning": TerrainKind.BURNING_WRECK}
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
    yield Note(f"{name_piece(piece)} in {piece.at} is Eliminated and removed, {why}.", rule)
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
    aboard = [each for each in state.pieces if each.aboard == id]
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
