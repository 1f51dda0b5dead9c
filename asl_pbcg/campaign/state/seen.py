"""One side's knowledge of the other's pieces, Fortifications and points.

Until 9.612 both sides see what stands on the map. From 9.613 on each side acts in secret, so what
the other side knows stays as it was, whatever becomes of it, until the next end position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec

from asl_pbcg.campaign.location import is_off_map
from asl_pbcg.campaign.module.frame import SCENARIO
from asl_pbcg.campaign.position import Fortification, PieceEntry, Position
from asl_pbcg.campaign.position_words import (
    EquipmentStatus,
    FortificationKind,
    UnitStatus,
    VehicleStatus,
)
from asl_pbcg.campaign.state.campaign_state import Campaign, Gone, change
from asl_pbcg.campaign.state.piece_changes import has_secret_number
from asl_pbcg.campaign.state.piece_names import first_type
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.views import UMPIRE

PLACE_UNSEEN = (UnitStatus.HIDDEN, UnitStatus.CLOAKED)
UNSEEN = (*PLACE_UNSEEN, UnitStatus.CONCEALED)
OWN_FIELDS = ("rg", "formation", "hip")
"""The facts that only its own side knows of a piece that both see. Rule: 9.6178, 9.619."""
MINES = frozenset({FortificationKind.AP_MINES, FortificationKind.AT_MINES})


def frozen(state: Campaign) -> Campaign:
    """The state with what both sides see now as all they know until the next end position.

    Rule: 9.613; ruling P-90.
    """
    return change(state, seen=tuple(piece for piece in state.pieces if _is_seen(piece)))


def _is_seen(piece: Piece) -> bool:
    return piece.on_map and not piece.has(*UNSEEN) and not piece.hip


def seen_pieces(state: Campaign, side: Side) -> list[Piece]:
    """The pieces of ``side`` that the other side knows, each as it was last seen.

    What only its own side knows of them is left out: its RG, its formation and what CG7 gave it.
    """
    pieces = state.pieces if state.seen is None else state.seen
    return [as_shown(piece) for piece in pieces if piece.side is side and _is_seen(piece)]


def as_shown(piece: Piece) -> Piece:
    """Return a piece without what only its own side knows of it."""
    return msgspec.structs.replace(
        piece,
        rg="",
        formation="",
        area="",
        hip=False,
        ammo_shortage=False,
        listed_at="",
        shift_tried=None,
    )


def wreck_shown(before: Campaign, state: Campaign) -> Campaign:
    """The state in which a vehicle is no longer seen where a Wreck of it lies. Rule: CG14."""
    if state.seen is None:
        return state
    new = Counter(state.terrain) - Counter(before.terrain)  # two may lie in one hex
    wrecks = {(wreck.at, wreck.type) for wreck in new}
    ids = {piece.id for piece in state.pieces}
    lost = {piece.id for piece in before.pieces if piece.id not in ids and piece.is_vehicle}
    kept = (
        item for item in state.seen if item.id not in lost or (item.at, item.type) not in wrecks
    )
    return change(state, seen=tuple(kept))


# -- Positions ----------------------------------------------------------------------------------


def unseen_entries(
    position: Position, unseen: Sequence[UnitStatus] = UNSEEN
) -> dict[str, PieceEntry]:
    """The pieces of a position that one side alone knows, by id, with what goes with them."""
    entries: dict[str, PieceEntry] = {}
    pieces = {piece.id: piece for piece in position.pieces}
    for piece in position.pieces:
        waits = is_off_map(piece.at) and UnitStatus.EXITED not in piece.status
        if waits or piece.has(*unseen):
            entries[piece.id] = piece
            tied = (*piece.possesses, *piece.tows)
            entries |= {id: pieces[id] for id in tied if id in pieces}
    return entries


def open_part(position: Position, unseen: Sequence[UnitStatus] = UNSEEN) -> Position:
    """The position without what one side alone knows, and without RG. Rule: 9.602(6), 9.6178."""
    hidden = unseen_entries(position, unseen)
    part = position.with_pieces(
        msgspec.structs.replace(piece.without(*hidden), rg="")
        for piece in position.pieces
        if piece.id not in hidden
    )
    works = tuple(
        fortification for fortification in position.fortifications if not fortification.hidden
    )
    return msgspec.structs.replace(part, fortifications=works)


# -- Fortifications -----------------------------------------------------------------------------


def seen_fortifications(state: Campaign, side: Side) -> list[Fortification]:
    """The Fortifications on the map that ``side`` knows of; of a minefield counter no more.

    Rule: 9.602(6), 9.6073.
    """
    return [
        shown
        for fortification in state.fortifications
        if (shown := _as_seen(state, fortification, side))
    ]


def _as_seen(state: Campaign, work: Fortification, side: Side) -> Fortification | None:
    if not work.hidden or work.owner in (None, side):
        return work
    if not state.has_counter(work):
        return None
    return Fortification(kind=FortificationKind.MINEFIELD, at=work.at, owner=work.owner)


def view_for(state: Campaign, side: Side) -> Campaign:
    """The campaign as ``side`` knows it: its own, and what it has seen of the other side's.

    Rule: 9.613, 9.614, 9.617-9.620.
    """
    others = sorted(seen_pieces(state, side.other), key=lambda piece: piece.id)
    pieces = (*state.of(side), *others)
    return change(state, pieces=pieces, fortifications=tuple(seen_fortifications(state, side)))


def sides_that_look(sees: str) -> tuple[Side, ...]:
    """The sides before a screen: none is the umpire, who sees all; without a name it is both."""
    if sees == UMPIRE:
        return ()
    return (Side(sees),) if sees else tuple(Side)


def known_by(state: Campaign, viewers: Sequence[Side], played: bool = True) -> Campaign:
    """The campaign as ``viewers`` may hold an end position against it: none is the umpire.

    A side knows its own and what it has seen of the other's (:func:`view_for`). Both together know
    what each has shown the other, and what set up on the map once the scenario is ``played``. Of
    pieces that they do not see they know that those received openly exist, no more, whatever
    became of them in secret. Rule: 9.2 OB, 9.602(6).
    """
    if not viewers:
        return state
    together, set_up = len(viewers) > 1, set[str]()
    last_seen = {piece.id: piece for side in state.sides for piece in seen_pieces(state, side)}
    if together and played:
        state = change(state, seen=tuple(filter(sets_up_openly, state.pieces)))
        set_up = {piece.id for piece in state.seen or ()}
    view = state
    for side in viewers:
        view = view_for(view, side)
    unseen = [side for side in state.sides if together or side not in viewers]
    lost = [loss for loss in state.gone if loss.piece.side not in unseen]
    if together:  # what was lost openly neither can have again
        lost = [loss for loss in state.gone if not is_lost_in_secret(state, loss)]
    unplaced = _without_place(state, view, unseen, last_seen, set_up)
    pieces = (*view.pieces, *unplaced)
    if together:  # what somebody holds may be hidden
        placed = {piece.id for piece in pieces if piece.at}
        pieces = tuple(piece.without(*(piece.ties - placed)) for piece in pieces)
    return change(view, pieces=pieces, gone=tuple(lost))


def _without_place(
    state: Campaign,
    view: Campaign,
    unseen: Sequence[Side],
    last_seen: Mapping[str, Piece],
    set_up: Collection[str],
) -> Iterator[Piece]:
    """Yield the pieces of the ``unseen`` sides that are not in ``view``, without a place.

    Each as it was ``last_seen``, else bare: those that ``set_up`` on the map or came openly.
    """
    ids = {piece.id for piece in view.pieces}
    secret = (loss.piece for loss in state.gone if is_lost_in_secret(state, loss))
    others = [piece for piece in (*state.pieces, *secret) if piece.side in unseen]
    for piece in sorted(others, key=lambda piece: piece.id):
        if piece.id in ids:
            continue
        if piece.id in last_seen:
            yield msgspec.structs.replace(last_seen[piece.id], at="")
        elif piece.id in set_up or not (has_secret_number(piece.id) or piece.captured):
            yield _bare(state, piece)


def sets_up_openly(piece: Piece) -> bool:
    """Whether a piece has to set up where the other side sees it in the scenario. Rule: 9.62021."""
    area = piece.retained_in
    enters = piece.off_map or (area is not None and area.is_entry_area)
    return not enters and not piece.hip and not piece.has(*PLACE_UNSEEN)


_FOR_GOOD = (UnitStatus.WALKING_WOUNDED, EquipmentStatus.CAPTURED, VehicleStatus.CAPTURED)
"""Statuses of a piece that both know, wherever it is."""


def _bare(state: Campaign, piece: Piece) -> Piece:
    """Return a piece with nothing but what its id tells, and what both know of it for good."""
    type = first_type(piece.id) or piece.type
    return piece.__class__(
        id=piece.id,
        side=piece.side,
        type=type,
        kind=state.catalogue.kind(type, piece.side) or piece.kind,
        received=piece.received,
        airborne=piece.airborne,
        status=tuple(status for status in piece.status if status in _FOR_GOOD),
    )


# -- Losses -------------------------------------------------------------------------------------


def is_lost_in_secret(state: Campaign, gone: Gone) -> bool:
    """Whether the other side may not know of a loss.

    Both sides see what is lost in a CG scenario. Of the RePh's losses the other side does not
    learn those of secret steps and of pieces that are HIP. A loss may name a paragraph of its
    step: ``9.6141d`` is of 9.614. Rule: 9.602(6), 9.613-9.620.
    """
    secret = any(chart.secret and gone.step.startswith(chart.step) for chart in state.frame.steps)
    return gone.step != SCENARIO and (secret or gone.piece.hip)
