"""Events of a CG scenario, from its end position: each piece is matched on its own.

No script was there, so two states are all there is. This is the one place that compares them;
readers get events, as they do from the steps.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Set

from asl_pbcg.campaign.catalogue import InfantryType
from asl_pbcg.campaign.events import PieceChange, PieceEvent, changes_between, happen
from asl_pbcg.campaign.fact_events import ChangedInPlay
from asl_pbcg.campaign.piece_events import (
    BattleHardened,
    CameInPlay,
    CapturedInPlay,
    Deployed,
    Eliminated,
    EndedAt,
    Reduced,
    Replaced,
    TakenFromPaper,
)
from asl_pbcg.campaign.pieces import Piece, retype
from asl_pbcg.campaign.state import Campaign, Told, change
from asl_pbcg.kernel.prompts import Script


def tell_what_happened(before: Told, state: Campaign, open_ids: Set[str]) -> Script[Told]:
    """Yield what happened in play; both sides see it of ``open_ids`` and of what is gone.

    Of the other pieces only their own side does. Rule: 9.2, 9.602(6).
    """
    for event in table_events(before, state):
        secret = not isinstance(event, Eliminated) and not open_ids >= {*event.ids}
        yield event.kept_by(event.piece.side.value) if secret else event
    ground = change(before, pieces=state.pieces)
    return (yield from happen(ground, state, ChangedInPlay(in_play=True)))


def table_events(before: Campaign, state: Campaign) -> Iterator[PieceEvent]:
    """Yield an event for each piece that differs between two states. Rule: 9.2 OB, A1.31."""
    changes = {each.id: each for each in changes_between(before, state)}
    halves = _second_halves(state, changes.values())
    for id, each in changes.items():
        old, new = each.before, each.after
        if new is None:
            assert old
            yield Eliminated(piece=old, changes=(each,), how=None, in_play=True)
        elif old is None:
            if id not in halves.values():
                kind = TakenFromPaper if before.has_no_pieces_yet else CameInPlay
                yield kind(piece=new, changes=(each,), in_play=True)
        else:
            second = changes[halves[id]] if id in halves else None
            event = _of_another_type(state, old, new, second) if old.type != new.type else None
            if event is not None:
                yield event
                old = event.changes[0].after
                assert old
            if old != new:
                prisoner = new.is_prisoner and not old.is_prisoner
                how = CapturedInPlay if old.side is not new.side or prisoner else EndedAt
                yield how(piece=old, changes=(PieceChange(old, new),), in_play=True)


def _of_another_type(
    state: Campaign, old: Piece, new: Piece, second: PieceChange | None
) -> PieceEvent:
    """Return how the counter of a piece became another; the rest of what it did is told apart.

    ``second`` is the new HS if it is a squad that Deployed. Rule: A1.31, A7.302, A15.3, A19.13.
    """
    turned = retype(state.catalogue, old, new.type)
    own = PieceChange(old, turned)
    if second is not None:
        assert second.after
        into = (turned, second.after)
        return Deployed(piece=old, changes=(own, second), into=into, in_play=True)
    if _is_halved(state, old, new):
        return Reduced(piece=old, changes=(own,), to=turned, in_play=True)
    entry = state.catalogue.find(old.type, old.maker)
    if isinstance(entry, InfantryType) and entry.hardens_to == new.type:
        return BattleHardened(piece=old, changes=(own,), to=new.type, in_play=True)
    if old.kind == "squad" and new.kind == "half_squad":  # Reduced, and of another quality, too
        return Reduced(piece=old, changes=(own,), to=turned, in_play=True)
    return Replaced(piece=old, changes=(own,), by=(turned,), in_play=True)


def _second_halves(state: Campaign, changes: Collection[PieceChange]) -> Mapping[str, str]:
    """Return for each squad that Deployed the new HS that is its second half.

    A new HS belongs to one squad of its side at most: to one in its Location before others, then to
    one of its formation. Squads that no new HS belongs to were Reduced. Rule: A1.31.
    """
    squads = [
        each
        for each in changes
        if each.before and each.after and _is_halved(state, each.before, each.after)
    ]
    new = [each.after for each in changes if each.before is None and each.after]
    pairs = sorted(
        (half.at != squad.after.at, half.formation != squad.after.formation, squad.id, half.id)
        for squad in squads
        for half in new
        if squad.after and (half.side, half.type) == (squad.after.side, squad.after.type)
    )
    found: dict[str, str] = {}
    for *_, squad_id, half_id in pairs:
        if squad_id not in found and half_id not in found.values():
            found[squad_id] = half_id
    return found


def _is_halved(state: Campaign, old: Piece, new: Piece) -> bool:
    entry = state.catalogue.find(old.type, old.maker)
    return isinstance(entry, InfantryType) and entry.half_squad == new.type != old.type
