"""9.601 Conclusion of Melee: climbers are placed, then Melee goes on until it is over."""

from __future__ import annotations

from asl_pbcg.campaign.position_words import Status, UnitStatus, VehicleStatus, status_words
from asl_pbcg.campaign.state.campaign_events import happen
from asl_pbcg.campaign.state.campaign_state import Campaign, Told
from asl_pbcg.campaign.state.piece_changes import add_status, drop_status, update
from asl_pbcg.campaign.state.piece_events import Cleared, Retained
from asl_pbcg.campaign.state.piece_names import name_piece, name_pieces
from asl_pbcg.campaign.state.pieces import Infantry, Piece
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Script, ask, yes_no
from asl_pbcg.kernel.topic import IDLE
from asl_pbcg.refit.helpers.situation import at_location, fighters, in_board_order, in_melee
from asl_pbcg.refit.helpers.subjects import place_option, round_of
from asl_pbcg.refit.s601_results import can_attack, move, report

UNSEEN = (UnitStatus.HIDDEN, UnitStatus.CONCEALED, UnitStatus.CLOAKED)
_NO_LONGER: tuple[Status, ...] = (UnitStatus.PINNED, UnitStatus.CX, VehicleStatus.MOTION, *UNSEEN)
"""Status that a unit in a Melee loses after the first round."""


def conclusion_of_melee(state: Told) -> Script[Told]:
    """Decide who comes out of each Melee, Location by Location. Rule: 9.601, 9.6011."""
    state = yield from climbers(state)
    melees = melee_order(state)
    if not melees:
        yield Note("No opposing units share a Location: there is no Melee.", topic=IDLE)
        return state
    yield Note(f"Melees in order: {', '.join(melees)}.", "9.6011")
    for place in melees:
        state = yield from _melee(state, place)
    return state


# -- Climbers ----------------------------------------------------------------------------


def climbers(state: Told) -> Script[Told]:
    """Place each unit on a Climb marker where it climbed to or where it came from. Rule: 9.601."""
    climbing = [
        piece for piece in state.pieces if isinstance(piece, Infantry) and piece.climbing_to
    ]
    for piece in in_board_order(state, climbing):
        here, goal = piece.at, piece.climbing_to
        place = yield from ask(
            Prompt(
                state=state,
                id="9.601.1",
                subject=piece,
                options=tuple(
                    place_option(at, f"{words} {at}", _who_is_there(state, piece, at))
                    for at, words in ((goal, "where it was climbing to:"), (here, "back to"))
                ),
                text=f"{name_piece(piece)} is on a Climb marker. Where does it go?",
                help="The owner chooses the Location it was trying to reach or the one it left.",
            )
        )
        after = move(update(state, piece.id, climbing_to=""), piece.id, place)
        state = yield from happen(state, after, Retained(piece=piece))
        met = _who_is_there(state, piece, place)
        if met:
            yield Note(f"{name_piece(piece)} in {place}: {met}.")
    return state


def _who_is_there(state: Campaign, piece: Piece, place: str) -> str:
    enemy = [each for each in fighters(state, place) if each.side is not piece.side]
    return f"Melee with {name_pieces(enemy)}" if enemy else ""


# -- Which Melees there are --------------------------------------------------------------


def melee_order(state: Campaign) -> list[str]:
    """Return the Locations in Melee in alphanumeric order: A1, B16, B17, C19. Rule: 9.6011."""
    pieces = in_board_order(state, [piece for piece in state.pieces if piece.on_map])
    places = dict.fromkeys(piece.at for piece in pieces)
    return [place for place in places if in_melee(state, place)]


def attacker(state: Campaign) -> Side:
    """Return the ATTACKER: the side that moved first in the scenario. Rule: 9.601, 9.62023."""
    return state.moved_first or state.frame.setup_order[state.date].first_move


_ROUND, _OVER = "round", "over"


def _another_round(state: Campaign, place: str, number: int) -> Script[bool]:
    """Decide whether a further round is fought where one can be: both sides say so together.

    Rule: 9.601; ruling P-120.
    """
    answer = yield from ask(
        Prompt(
            state=state,
            id="9.601.2",
            subject=round_of(place, number),
            options=(
                Option(_ROUND, "another round is fought"),
                Option(_OVER, "no further round", "both sides agree to end the Melee"),
            ),
            default=_ROUND,
            text=f"CC attacks can still be made in {place}. Is round {number} fought?",
            help="A Melee goes on while a CC attack can be made (9.601). It ends before that only "
            "if both sides agree.",
        )
    )
    return bool(answer == _ROUND)


# -- Rounds ------------------------------------------------------------------------------


def _melee(state: Told, place: str) -> Script[Told]:
    """Fight one Melee to its end: rounds until no CC attack can be made. Rule: 9.601."""
    number = 0
    while can_attack(state, place):
        number += 1
        if number > 1 and not (yield from _another_round(state, place, number)):
            yield Note(f"No more CC attacks are made in {place}.")
            return state
        for side in (attacker(state), attacker(state).other):
            heading = _heading(state, side, place, number)
            state = yield from report(state, side, place, heading)
        if number == 1:
            state = yield from after_round_one(state, place)
    if in_melee(state, place):
        yield Note(f"No CC attack can be made in {place}.")
    else:
        yield Note(f"The Melee in {place} is over.")
    return state


def _heading(state: Campaign, side: Side, place: str, number: int) -> str:
    role = "ATTACKER" if side is attacker(state) else "DEFENDER"
    return f"Melee in {place}, round {number}, {role} {side.title}"


def after_round_one(state: Told, place: str) -> Script[Told]:
    """Reveal, unpin, and take off CX, Motion; turn over Stun counters; maybe CE. Rule: 9.601."""
    for piece in at_location(state, place):
        lost = [each for each in _NO_LONGER if piece.has(each)]
        if lost or piece.hip:
            after = drop_status(update(state, piece.id, hip=False), piece.id, *lost)
            state = yield from happen(state, after, Cleared(piece=piece))
            words = status_words(lost) or "HIP"
            yield Note(f"{name_piece(piece)} in {place}: no longer {words}.")
        if (
            piece.is_vehicle
            and piece.has(VehicleStatus.STUNNED)
            and not piece.has(VehicleStatus.STUN_PLUS_1)
        ):
            after = add_status(state, piece.id, VehicleStatus.STUN_PLUS_1)
            state = yield from happen(state, after, Cleared(piece=piece))
            recall = " It is still subject to Recall." if piece.has(VehicleStatus.RECALL) else ""
            yield Note(f"The Stun counter of {name_piece(piece)} shows its +1 side.{recall}")
            if not piece.has(VehicleStatus.CE) and (
                yield from yes_no(
                    state,
                    "9.601.5",
                    f"Mark the stunned {name_piece(piece)} in {place} CE?",
                    default="no",
                    subject=piece,
                )
            ):
                after = add_status(state, piece.id, VehicleStatus.CE)
                state = yield from happen(state, after, Cleared(piece=piece))
    return state
