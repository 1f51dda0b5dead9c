"""The check that events explain every change of a campaign, and tell none that was not made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import msgspec

from asl_pbcg.campaign.state.campaign_events import CVP, FACTS, CampaignEvent, PieceChange
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.kernel.moments import EntryMoment, moments
from asl_pbcg.kernel.prompts import GameEvent
from asl_pbcg.kernel.session import Session


class Unexplained(msgspec.Struct, frozen=True):
    """A fact that the events do not account for; ``id`` is that of a piece, else empty.

    ``field`` is ``came`` or ``left`` for the piece itself; ``false`` says that an event tells
    something that the states do not show.
    """

    id: str
    field: str
    old: Any = None
    new: Any = None
    false: bool = False


def find_unexplained(
    before: Campaign, after: Campaign, events: Iterable[GameEvent]
) -> Iterator[Unexplained]:
    """Yield each difference of pieces and facts between two states that no event explains."""
    events = [*events]
    old_pieces = {piece.id: piece for piece in before.pieces}
    named = {change.id for event in events for change in getattr(event, "changes", ())}
    same = {each.id for each in after.pieces if old_pieces.get(each.id) is each} - named
    pieces = {id: _facts(piece) for id, piece in old_pieces.items() if id not in same}
    facts = _campaign_facts(before)
    for event in events:
        assert isinstance(event, CampaignEvent)
        for each in event.changes:
            yield from _apply(pieces, each)
        for fact in event.facts:
            if facts[fact.name] != fact.before:
                yield Unexplained("", fact.name, facts[fact.name], fact.before, false=True)
            facts[fact.name] = fact.after
    now = {piece.id: _facts(piece) for piece in after.pieces if piece.id not in same}
    for id in dict.fromkeys((*pieces, *now)):
        if id not in pieces:
            yield Unexplained(id, "came", None, now[id]["type"])
        elif id not in now:
            yield Unexplained(id, "left", pieces[id]["type"], None)
        else:
            for name in dict.fromkeys((*pieces[id], *now[id])):
                old, new = pieces[id].get(name), now[id].get(name)
                if old != new:
                    yield Unexplained(id, name, old, new)
    for name, value in _campaign_facts(after).items():
        if facts[name] != value:
            yield Unexplained("", name, facts[name], value)


def _campaign_facts(state: Campaign) -> dict[str, Any]:
    return {name: getattr(state, name) for name in FACTS} | {CVP: state.account.cvp_lost}


def _facts(piece: Piece) -> dict[str, Any]:
    return {name: getattr(piece, name) for name in piece.__struct_fields__}


def _apply(facts: dict[str, dict[str, Any]], change: PieceChange) -> Iterator[Unexplained]:
    """Apply what an event says of a piece; only the facts it changed, so that others stand out."""
    id, old, new = change.id, change.before, change.after
    if old is None:
        assert new
        if id in facts:
            yield Unexplained(id, "came", None, new.type, false=True)
        facts[id] = _facts(new)
    elif new is None:
        if facts.pop(id, None) is None:
            yield Unexplained(id, "left", old.type, None, false=True)
    elif id not in facts:
        yield Unexplained(id, "changed", old.type, new.type, false=True)
    else:
        was, now = _facts(old), _facts(new)
        facts[id] |= {name: value for name, value in now.items() if was.get(name) != value}


@dataclass
class Explained:
    """What events explain of a campaign: so many differences, by kinds of events, and what not."""

    differences: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    open: list[tuple[str, int, Unexplained]] = field(default_factory=list)


def explain(session: Session[Campaign]) -> Explained:
    """Compare the states around each entry of a campaign with its events.

    An end position is taken as a whole: until it is complete the players are asked with states that
    are not the true ones yet. One that is not complete is left out, and so are corrections.
    """
    found = Explained()
    for (step, _, _), some in groupby(moments(session.game, session.journal), key=_span):
        span = [*some]
        before, after = span[0].before, span[-1].after
        events = [event for each in span for event in each.events]
        if step.endswith("/scenario") and after.at == "scenario":
            continue
        if span[0].entry is not None and span[0].entry.kind == "correction":
            continue
        found.differences += sum(1 for _ in find_unexplained(before, after, ()))
        found.kinds.update(type(event).__name__ for event in events)
        found.open += [
            (step, span[-1].seq, each) for each in find_unexplained(before, after, events)
        ]
    return found


def _span(moment: EntryMoment[Campaign]) -> tuple[str, int, int]:
    """Return what the moments of one end position have in common; others stand alone."""
    corrects = moment.entry is not None and moment.entry.kind == "correction"
    whole = moment.step.endswith("/scenario") and not corrects
    return moment.step, moment.undone, 0 if whole else id(moment)
