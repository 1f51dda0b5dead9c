"""9.602 Marker Removal: what comes off the map when the scenario is over."""

from __future__ import annotations

import msgspec

from asl_pbcg.campaign.position_words import (
    FortificationKind,
    Status,
    UnitStatus,
    VehicleStatus,
    status_words,
)
from asl_pbcg.campaign.state.campaign_events import FortificationsChanged, happen, happen_to_each
from asl_pbcg.campaign.state.campaign_state import Campaign, Told, change
from asl_pbcg.campaign.state.piece_changes import drop_status, update
from asl_pbcg.campaign.state.piece_events import Cleared
from asl_pbcg.campaign.state.piece_names import name_piece, name_pieces
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.kernel.prompts import Note, Script
from asl_pbcg.refit.helpers.situation import in_board_order

_UNSEEN = (UnitStatus.HIDDEN, UnitStatus.CLOAKED)
_ENTRENCHMENTS = (FortificationKind.FOXHOLE, FortificationKind.TRENCH)
# What 9.602 takes off a unit or vehicle, by its item; Equipment keeps "dm", which is dismantled.
_ITEMS: dict[str, tuple[Status, ...]] = {
    "4": (
        UnitStatus.DM,
        UnitStatus.DISRUPTED,
        UnitStatus.FANATIC,
        UnitStatus.BERSERK,
        UnitStatus.CONCEALED,
    ),
    "5": (UnitStatus.CX, VehicleStatus.MOTION, VehicleStatus.CE),
}


def marker_removal(state: Told) -> Script[Told]:
    """Take the markers off the map and put what is hidden on it. Rule: 9.602."""
    yield Note(
        "Take off the map: SR and FFE counters (1), SMOKE (2), Acquired counters (3), Wall "
        "Advantage and HD markers, Dummy stacks and Dummy Cloaking counters (4), BU and Labor "
        "markers (5), Sniper counters (7)."
    )
    for item, statuses in _ITEMS.items():
        state = yield from _statuses(state, item, statuses)
    state = yield from happen(state, change(state, dummies={}), FortificationsChanged())
    state = yield from place_on_map(state)
    return (yield from no_move(state))


def _statuses(state: Told, item: str, statuses: tuple[Status, ...]) -> Script[Told]:
    for status in statuses:
        off = [
            piece
            for piece in state.pieces
            if piece.has(status) and not (status == UnitStatus.DM and piece.is_weapon)
        ]
        after: Campaign = state
        for piece in off:
            after = drop_status(after, piece.id, status)
        state = yield from happen_to_each(state, after, Cleared)
        if off:
            yield Note(f"No longer {status_words([status])}: {name_pieces(off)}.", f"9.602({item})")
    pinned = [piece for piece in state.pieces if piece.has(UnitStatus.PINNED)]
    after = state
    for piece in pinned:
        after = drop_status(after, piece.id, UnitStatus.PINNED)
    state = yield from happen_to_each(state, after, Cleared)
    if pinned:
        yield Note(f"No longer pinned: {name_pieces(pinned)}.", "A7.8")
    return state


def place_on_map(state: Told) -> Script[Told]:
    """Put hidden and Cloaked units, Equipment and entrenchments on map where they are.

    Other hidden Fortifications stay hidden, and the stacks revealed may not be inspected.
    Rule: 9.602(6).
    """
    hidden = [piece for piece in state.pieces if piece.has(*_UNSEEN) or piece.hip]
    visible = in_board_order(state, [piece for piece in hidden if piece.on_map])
    for piece in visible:
        yield Note(
            f"{piece.side.title}: {name_piece(piece)} is placed on map in {piece.at}.",
            "9.602(6)",
        )
    after: Campaign = state
    for piece in hidden:
        after = update(drop_status(after, piece.id, *_UNSEEN), piece.id, hip=False)
    state = yield from happen_to_each(state, after, Cleared, own=True)
    fortifications = []
    for fortification in state.fortifications:
        if fortification.hidden and fortification.kind in _ENTRENCHMENTS:
            fortification = msgspec.structs.replace(fortification, hidden=False)
            yield Note(
                f"{fortification.kind.called} in {fortification.at} is placed on map.", "9.602(6)"
            )
        fortifications.append(fortification)
    if visible:  # what is hidden off map stays its side's secret
        yield Note("Right of Inspection does not apply to what is revealed now.")
    after = change(state, fortifications=tuple(fortifications))
    return (yield from happen(state, after, FortificationsChanged()))


def no_move(state: Told) -> Script[Told]:
    """Remove No Move counters if Night III comes next; else they stay. Rule: 9.602(8), CG4b."""
    stopped: list[Piece] = [piece for piece in state.pieces if piece.has(UnitStatus.NO_MOVE)]
    if not stopped:
        return state
    if state.date.next is not CGDate.NIGHT_3:
        yield Note(f"No Move counters stay: {name_pieces(stopped)}.", "CG4b")
        return state
    after: Campaign = state
    for piece in stopped:
        after = drop_status(after, piece.id, UnitStatus.NO_MOVE)
    state = yield from happen_to_each(state, after, Cleared)
    yield Note(f"No Move counters are removed: {name_pieces(stopped)}.", "9.602(8)")
    return state
