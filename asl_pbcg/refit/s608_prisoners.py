"""9.608 Prisoners: Eliminated, unless their Guard is Isolated and keeps or frees them.

Unarmed MMC that are no prisoners are armed again.
"""

from __future__ import annotations

from asl_pbcg.campaign.location import place_words
from asl_pbcg.campaign.position_words import UnitStatus
from asl_pbcg.campaign.state.campaign_events import happen
from asl_pbcg.campaign.state.campaign_state import Told
from asl_pbcg.campaign.state.piece_changes import update
from asl_pbcg.campaign.state.piece_events import Freed, GuardChanged
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Script, ask
from asl_pbcg.refit.helpers.guards import (
    free_prisoner,
    no_longer_prisoner,
    other_guards,
    rearm,
    ways_home,
)
from asl_pbcg.refit.helpers.situation import in_board_order, is_isolated
from asl_pbcg.refit.helpers.subjects import piece_option
from asl_pbcg.refit.helpers.unit_changes import eliminate
from asl_pbcg.refit.helpers.unit_paths import destination_words, freed_ways

RULE = "9.608"


def prisoners(state: Told) -> Script[Told]:
    """Decide what becomes of each prisoner. Rule: 9.608."""
    held = [piece for piece in state.pieces if piece.is_prisoner]
    if not held:
        yield Note("There are no prisoners.")
    for prisoner in in_board_order(state, held):
        guard = next((piece for piece in state.pieces if piece.id == prisoner.guarded_by), None)
        if guard is None:
            yield Note(f"{name_piece(prisoner)} has no Guard.")
            state = yield from _without_guard(state, prisoner)
        elif is_isolated(state, guard):
            state = yield from _isolated_guard(state, guard, prisoner)
        else:
            state = yield from _eliminate(state, guard, prisoner)
    return (yield from unarmed_replaced(state))


def unarmed_replaced(state: Told) -> Script[Told]:
    """Replace each unarmed MMC that is not a prisoner, so one that got free in play. Rule: 9.608.

    House rule P-82.
    """
    if state.plays("P-82", "freed-only"):
        return state
    found = [
        piece for piece in state.pieces if piece.has(UnitStatus.UNARMED) and not piece.is_prisoner
    ]
    for piece in in_board_order(state, found):
        after = rearm(state, piece.id)
        new = after.piece(piece.id).type
        became = f"Replaced by a {new}" if new != piece.type else "armed again"
        event = Freed(
            piece=piece,
            to=new,
            rule=RULE,
            side=piece.side,
            secret=piece.off_map,
            text=f"{name_piece(piece)} was unarmed and is {became}.",
        )
        state = yield from happen(state, after, event)
    return state


def _without_guard(state: Told, prisoner: Piece) -> Script[Told]:
    """Free a prisoner whom nobody guards: Retained as one that his Guard frees. Rule: A20.551."""
    ways = freed_ways(state, prisoner) if prisoner.on_map else []
    if ways:
        return (yield from free_prisoner(state, prisoner, ways))
    return (yield from no_longer_prisoner(state, prisoner.id, "A20.551"))


def _eliminate(state: Told, guard: Piece, prisoner: Piece) -> Script[Told]:
    """Eliminate the prisoner of a Guard who is not Isolated. Rule: 9.608."""
    yield Note(
        f"{name_piece(prisoner)}, prisoner of {name_piece(guard)}, is Eliminated: its Guard is "
        "not Isolated."
    )
    why = "prisoner of a non-Isolated Guard"
    return (yield from eliminate(state, prisoner.id, why, how=None, step=RULE))


# -- An Isolated Guard ----------------------------------------------------------------------------


def _isolated_guard(state: Told, guard: Piece, prisoner: Piece) -> Script[Told]:
    """Let the Guard's side keep, transfer or free a prisoner. Rule: 9.608."""
    ways = ways_home(state, guard, prisoner)
    free = " or ".join(destination_words(way) for way in ways)
    answer = yield from ask(
        Prompt(
            state=state,
            id="9.608.2",
            about=prisoner.id,
            options=(
                Option("keep", f"keep: {name_piece(guard)} guards it on"),
                *(
                    piece_option(each, place_words(each.at), text=f"transfer to {name_piece(each)}")
                    for each in other_guards(state, guard, prisoner)
                ),
                Option(
                    "free",
                    "free",
                    f"Retained by its side: {free}",
                    refused=""
                    if ways
                    else "No friendly Setup or Eligible Entry Area of its side can be reached.",
                    rule=RULE,
                ),
            ),
            default="keep",
            text=f"Isolated {name_piece(guard)} guards {name_piece(prisoner)}. What becomes of the "
            "prisoner?",
            subject=guard,
            help="A Guard must be able to guard it (A20.5).",
        )
    )
    if answer == "keep":
        yield Note(f"{name_piece(guard)} keeps {name_piece(prisoner)}.")
        return state
    if answer == "free":
        return (yield from free_prisoner(state, prisoner, ways))
    new = state.piece(answer)
    yield Note(f"{name_piece(new)} takes over {name_piece(prisoner)} from {name_piece(guard)}.")
    after = update(state, prisoner.id, guarded_by=new.id, at=new.at)
    return (yield from happen(state, after, GuardChanged(piece=prisoner)))
