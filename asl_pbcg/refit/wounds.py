"""9.6101 Wounded Leaders: those on the map in 9.610, those off map with 9.611 in secret."""

from __future__ import annotations

from asl_pbcg.campaign.campaign_tables import table
from asl_pbcg.campaign.events import happen
from asl_pbcg.campaign.piece_changes import drop_status
from asl_pbcg.campaign.piece_events import Recovered
from asl_pbcg.campaign.piece_names import name_piece
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position_words import UnitStatus
from asl_pbcg.campaign.state import Campaign, Told
from asl_pbcg.campaign.table_results import WoundedLeader
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import Note, Roll, Script, paragraph
from asl_pbcg.kernel.tables import Rolled
from asl_pbcg.refit.guards import guard_lost
from asl_pbcg.refit.situation import area_words, in_board_order, is_isolated, is_retained
from asl_pbcg.refit.subjects import by_name
from asl_pbcg.refit.unit_changes import eliminate


@paragraph("9.6101")
def wounded_leaders(state: Told, side: Side | None = None) -> Script[Told]:
    """Roll for each wounded leader Retained on the map, of both sides.

    With ``side`` instead for those that it Retains off map. Rule: 9.6101; ruling C-89.
    """
    wounded = [
        piece
        for piece in state.pieces
        if _is_wounded(state, piece) and side is (None if piece.on_map else piece.side)
    ]
    if not wounded and side is None:
        yield Note("No leader Retained on the map is wounded.")
    for piece in in_board_order(state, wounded):
        state = yield from _wounded_leader(state, piece)
    return state


def _is_wounded(state: Campaign, piece: Piece) -> bool:
    """Return whether a piece is a wounded leader who is Retained. Rule: 9.6101, 9.6058."""
    return (
        piece.kind == "leader"
        and piece.has(UnitStatus.WOUNDED)
        and is_retained(state, piece)
        and not piece.is_prisoner
    )


def _wounded_leader(state: Told, piece: Piece) -> Script[Told]:
    """Roll for one leader. Rule: 9.6101."""
    rolled: Rolled = yield Roll(
        state=state,
        id="9.6101",
        subject=by_name(piece),
        text=f"Wounded {name_piece(piece)} in {area_words(piece.area) if piece.area else piece.at}",
        table=table("wounded_leader"),
        given={
            "isolated": is_isolated(state, piece),
            "heroic": piece.has(UnitStatus.HEROIC),
            "british": piece.side is Side.BRITISH,
        },
    )
    if rolled.result == WoundedLeader.UNWOUNDED:
        yield Note(f"{name_piece(piece)} is wounded no longer.", "9.6101", piece.side)
        after = drop_status(state, piece.id, UnitStatus.WOUNDED)
        return (yield from happen(state, after, Recovered(piece=piece)))
    if rolled.result == WoundedLeader.WOUNDED:
        yield Note(f"{name_piece(piece)} stays wounded.", "9.6101", piece.side)
        return state
    yield Note(f"{name_piece(piece)} is evacuated: Eliminated.", "9.6101", piece.side)
    state = yield from guard_lost(state, piece, "9.6101.1")
    state = yield from eliminate(state, piece.id, "evacuated", how=None, step="9.6101")
    for item in piece.possesses:
        yield Note(f"{name_piece(state.piece(item))} is unpossessed now.", "9.6101", piece.side)
    return state
