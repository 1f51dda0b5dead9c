"""9.6112 Heroes and MMC, 9.6113 Leaders: who Battle Hardens in the Refit Phase."""

from __future__ import annotations

from asl_pbcg.campaign.catalogue import MMC
from asl_pbcg.campaign.events import happen
from asl_pbcg.campaign.piece_changes import drop_status, remove
from asl_pbcg.campaign.piece_events import HeroGaveWay, HeroicNoLonger
from asl_pbcg.campaign.piece_names import name_piece
from asl_pbcg.campaign.pieces import Infantry, Piece
from asl_pbcg.campaign.position_words import UnitStatus
from asl_pbcg.campaign.state import Campaign, Told
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Script, paragraph
from asl_pbcg.refit.guards import guard_lost
from asl_pbcg.refit.situation import (
    area_words,
    in_board_order,
    is_off_map,
    is_retained,
    personnel_in,
)
from asl_pbcg.refit.subjects import by_name
from asl_pbcg.refit.unit_changes import harden, infantry_type


@paragraph("9.6112")
def heroes(state: Told, side: Side | None = None) -> Script[Told]:
    """Eliminate each Hero Retained on the map, for whom an MMC of the same area Battle Hardens.

    With ``side`` instead those that it Retains off map. Rule: 9.6112.
    """
    found = [
        piece
        for piece in state.pieces
        if _is_hero(piece) and side is (piece.side if is_off_map(piece.area) else None)
    ]
    if not found and side is None:
        yield Note("No Hero is Retained on the map.")
    for hero in in_board_order(state, found):
        state = yield from _hero(state, hero)
    return state


def _is_hero(piece: Piece) -> bool:
    return piece.kind == "hero" and bool(piece.area) and not piece.is_prisoner


def _hero(state: Told, hero: Piece) -> Script[Told]:
    """Decide who Battle Hardens for one Hero; without an MMC the Hero stays. Rule: 9.6112."""
    mmc = [each for each in personnel_in(state, hero.side, hero.area) if each.kind in MMC]
    options = [_option(state, each) for each in mmc]
    legal = [option.id for option in options if not option.refused]
    if not legal:
        yield Note(
            f"No MMC in {area_words(hero.area)} can Battle Harden: {name_piece(hero)} is Retained.",
            "9.6112",
        )
        return state
    chosen = legal[0]
    if len(legal) > 1:
        chosen = yield Prompt(
            state=state,
            id="9.6112.1",
            subject=by_name(hero),
            options=tuple(options),
            text=f"{name_piece(hero)} in {area_words(hero.area)} is Eliminated. Which MMC Battle "
            "Hardens?",
            help="One non-crew MMC in the same area, none more than once in a RePh. An elite "
            "MMC becomes Fanatic for the next CG scenario.",
        )
    yield Note(f"{name_piece(hero)} is Eliminated.", "9.6112")
    state = yield from guard_lost(state, hero, "9.6112.2")
    for item in hero.possesses:
        yield Note(f"{name_piece(state.piece(item))} is unpossessed now.", "9.6112")
    why = f"{chosen} Battle Hardens"
    after = remove(state, hero.id, "eliminated", why, "9.6112")
    hero = state.piece(hero.id)
    state = yield from happen(state, after, HeroGaveWay(piece=hero, how=None, hardens=chosen))
    return (yield from harden(state, chosen, "9.6112"))


def _option(state: Campaign, piece: Piece) -> Option:
    entry = infantry_type(state, piece)
    better = entry.hardens_to if entry else ""
    refused = ""
    if piece.kind == "crew":
        refused = "A crew cannot be chosen."
    elif isinstance(piece, Infantry) and piece.hardened is state.date:
        refused = "It has Battle Hardened in this RePh."
    return Option(
        piece.id,
        name_piece(piece),
        f"becomes {better}" if better else "Fanatic in the next CG scenario",
        refused=refused,
        rule="9.6112",
    )


@paragraph("9.6113")
def leaders(state: Told, side: Side | None = None) -> Script[Told]:
    """Battle Harden each heroic leader Retained on the map, who is heroic no longer.

    With ``side`` instead those that it Retains off map. Rule: 9.6113.
    """
    found = [
        piece
        for piece in state.pieces
        if _is_heroic(state, piece) and side is (None if piece.on_map else piece.side)
    ]
    if not found and side is None:
        yield Note("No heroic leader is Retained on the map.")
    for piece in in_board_order(state, found):
        state = yield from _leader(state, piece)
    return state


def _is_heroic(state: Campaign, piece: Piece) -> bool:
    return (
        piece.kind == "leader"
        and piece.has(UnitStatus.HEROIC)
        and is_retained(state, piece)
        and not piece.is_prisoner
    )


def _leader(state: Told, piece: Piece) -> Script[Told]:
    """Battle Harden one heroic leader; a 10-3 only loses the status. Rule: 9.6113."""
    after = drop_status(state, piece.id, UnitStatus.HEROIC)
    state = yield from happen(state, after, HeroicNoLonger(piece=piece, rule="9.6113"))
    entry = infantry_type(state, piece)
    if entry is None or not entry.hardens_to:
        return state
    return (yield from harden(state, piece.id, "9.6113"))
