"""9.6153 Reinforcement withdrawal: after Day II the non-Airborne leave the map."""

from __future__ import annotations

from collections.abc import Sequence

from asl_pbcg.campaign.state.campaign_events import happen, keep_book
from asl_pbcg.campaign.state.campaign_state import Campaign, Told, change, possessor
from asl_pbcg.campaign.state.piece_changes import remove
from asl_pbcg.campaign.state.piece_events import Withdrawn
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import Note, Prompt, Script, ask_some, paragraph
from asl_pbcg.kernel.topic import IDLE
from asl_pbcg.refit.helpers.guards import guard_lost, wards_of, without_guard
from asl_pbcg.refit.helpers.situation import withdrawal_due
from asl_pbcg.refit.helpers.subjects import piece_option
from asl_pbcg.refit.helpers.vehicle_actions import dead_to_wreck, is_manned_by, leave, vehicle_type

RULE = "9.6153"
_MMC = ("squad", "half_squad")
_SMC = ("leader", "hero")


def withdrawal_at_once(state: Told) -> Script[Told]:
    """Withdraw them after CG-Scenario End already, if the house rule says so.

    Rule: 9.6153, 9.6056 EXC; house rule C-36.
    """
    if state.plays("C-36", "at-once"):
        state = yield from withdrawal(state)
    return state


def withdrawn(state: Campaign) -> list[Piece]:
    """Return the MMC, SMC and SW that are withdrawn: on map, British, not of an Airborne formation.

    Crews, prisoners, Guns and vehicles stay. Rule: 9.6153; house rule C-35; ruling P-79.
    """
    found = []
    off_map_too = state.plays("C-35", "all")
    for piece in state.of(Side.BRITISH):
        if piece.airborne or piece.captured or piece.is_prisoner or piece.is_armor_leader:
            continue
        counts = piece.kind in (*_MMC, *_SMC) or piece.kind == "sw"
        if counts and (off_map_too or not piece.off_map) and _is_known(piece):
            found.append(piece)
    return found


def _is_known(piece: Piece) -> bool:
    """Return whether it is known of a SW or SMC that it is not Airborne; of an MMC it always is."""
    return bool(piece.formation) or piece.kind in _MMC


def _doubtful(state: Campaign, leaving: list[Piece]) -> list[Piece]:
    """SW and SMC of no recorded formation, and captured SW in the hands of those who leave."""
    ids = {piece.id for piece in leaving}
    found = []
    for piece in state.of(Side.BRITISH):
        if piece.id in ids or piece.airborne or piece.is_prisoner or piece.is_armor_leader:
            continue
        holder = possessor(state, piece.id)
        if piece.kind == "sw" and (piece.captured or not piece.formation):
            if holder and holder.id in ids:
                found.append(piece)
        elif piece.kind in _SMC and not piece.formation and piece.on_map:
            found.append(piece)
    return found


@paragraph(RULE, side=Side.BRITISH)
def withdrawal(state: Told) -> Script[Told]:
    """Withdraw every non-crew, non-Airborne MMC on map with its remaining SW and SMC.

    Rule: 9.6153; house rules C-35, C-36.
    """
    if not withdrawal_due(state):
        return state
    leaving = withdrawn(state)
    doubtful = _doubtful(state, leaving)
    if doubtful:
        chosen = yield from ask_some(_which(state, doubtful))
        leaving += [piece for piece in doubtful if piece.id in chosen]
    if all(_is_secret(piece) for piece in leaving):
        yield Note("No non-Airborne MMC is on map: nobody is withdrawn.", topic=IDLE)
    ids = [piece.id for piece in leaving]
    for id in ids:
        state = yield from _goes(state, id, ids)
    for secret in (False, True):
        names = ", ".join(name_piece(piece) for piece in leaving if _is_secret(piece) is secret)
        if names:
            side = Side.BRITISH if secret else ""
            yield Note(f"The British withdraw {names}.", RULE, side, secret)
    if state.seen is not None:
        gone = {piece.id for piece in leaving if not _is_secret(piece)}
        seen = tuple(each for each in state.seen if each.id not in gone)
        state = keep_book(state, change(state, seen=seen))
    return state


def _is_secret(piece: Piece) -> bool:
    """Return whether only the British know that a piece leaves: off map, or a SW."""
    return piece.kind == "sw" or not piece.on_map


def _which(state: Campaign, doubtful: list[Piece]) -> Prompt:
    ids = [piece.id for piece in doubtful]
    return Prompt(
        state=state,
        id="9.6153.1",
        kind="choose-some",
        options=tuple(piece_option(piece) for piece in doubtful),
        default=", ".join(ids),
        text="Which of these are withdrawn with the non-Airborne?",
        help="No Airborne formation is recorded for them. SW and SMC of the non-Airborne leave "
        "with their MMC (9.6153).",
    )


def _goes(state: Told, id: str, leaving: Sequence[str]) -> Script[Told]:
    """Take one piece off; what it possessed and does not leave stays where it is.

    A vehicle that it manned is Abandoned. Its prisoners go to a Guard who stays; without one they
    are freed. Rule: 9.6153, 9.608, D5.4.
    """
    piece = state.piece(id)
    if state.determined is not None:
        state = yield from guard_lost(state, piece, "9.6153.2", left=leaving)
    wards = wards_of(state, id)
    state = yield from _vehicle_left(state, piece)
    after = remove(state, id, "withdrawn", "after Day II", RULE)
    state = yield from happen(state, after, Withdrawn(piece=state.piece(id)))
    state = yield from without_guard(
        state, wards, piece.side, point="9.6153.2", rule=RULE, left=leaving
    )
    dropped = [item for item in piece.possesses if any(piece.id == item for piece in state.pieces)]
    for item in dropped:
        if item not in leaving:
            yield Note(f"{name_piece(state.piece(item))} stays behind unpossessed.")
    return state


def _vehicle_left(state: Told, piece: Piece) -> Script[Told]:
    """Abandon the vehicle that a unit mans, or is alone in if it has no crew. Rule: D5.4."""
    vehicle = next((each for each in state.pieces if each.id == piece.aboard), None)
    if vehicle is None:
        return state
    entry = vehicle_type(state, vehicle)
    inside = [each for each in state.pieces if each.aboard == vehicle.id and each.is_personnel]
    alone = inside == [piece] and entry is not None and not entry.crew
    if not (alone or is_manned_by(vehicle, piece)):
        return state
    state, _ = yield from leave(state, vehicle.id)
    yield Note(f"{name_piece(vehicle)} is Abandoned: {name_piece(piece)} leaves it.")
    return (yield from dead_to_wreck(state, vehicle.id))
