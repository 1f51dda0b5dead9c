"""What losses are worth, and Casualty Reduction outside of a DR. Rule: 9.12, CG3, A7.302."""

from __future__ import annotations

from asl_pbcg.campaign.catalogue import MMC, InfantryType
from asl_pbcg.campaign.piece_changes import remove, update
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.terms import Side
from asl_pbcg.campaign.victory import prisoner_times
from asl_pbcg.kernel.prompts import Note, Script


def casualty_reduction(
    state: Campaign, id: str, rule: str, lose_equipment: bool = False
) -> Script[Campaign]:
    """Casualty Reduce a unit: a squad becomes an HS, what is smaller is Eliminated.

    With ``lose_equipment`` what it possesses goes with it. Rule: A7.302.
    """
    piece = state.piece(id)
    known = state.catalogue.find(piece.type, piece.side)
    if isinstance(known, InfantryType) and known.half_squad:
        yield Note(f"{piece.type} {id} is reduced to {known.half_squad}.", rule)
        return update(state, id, type=known.half_squad)
    held = piece.possesses if lose_equipment else ()
    for item in held:
        weapon = state.piece(item)
        state = remove(state, item, "eliminated", rule)
        yield Note(f"{weapon.type} {item} is Eliminated with its possessor.", rule)
    yield Note(f"{piece.type} {id} is Eliminated.", rule)
    return remove(state, id, "eliminated", rule)


def personnel_vp_lost(before: Campaign, state: Campaign, side: Side) -> int:
    """The CVP of the Personnel ``side`` lost between two states, new SMC aside.

    Who became a prisoner counts as ``captured_vp`` says; who was one before was lost then.

    Rule: A26.2; house rule C-30.
    """
    known = {piece.id: piece for piece in before.of(side)}
    lost = sum(cvp_of(before, piece) for piece in known.values() if not piece.is_prisoner)
    for piece in state.of(side):
        old = known.get(piece.id)
        if old and old.is_prisoner:
            continue
        if piece.is_prisoner:
            lost += captured_vp(state, piece)
        if old or piece.kind in MMC:
            lost -= cvp_of(state, piece)
    return max(0, lost)


def captured_vp(state: Campaign, piece: Piece) -> int:
    """The CVP that a unit held prisoner costs its side. Rule: A26.222; house rule C-30."""
    return prisoner_times(state) * cvp_of(state, piece)


def cvp_of(state: Campaign, piece: Piece) -> int:
    """The CVP of a Personnel piece by the catalogue; 0 for Equipment. Rule: A26.2."""
    known = state.catalogue.find(piece.type, piece.side)
    return known.cvp or 0 if isinstance(known, InfantryType) else 0
