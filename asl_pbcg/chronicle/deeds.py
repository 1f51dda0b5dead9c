"""Deeds: all that happened to one piece in one step, from the events that a viewer may see.

An event names the pieces that it changed; what changed of them, and the number of the entry that
did it, come from the states around it, as the viewer knows them. Rolls for a piece and acts that
changed nothing are deeds too, and so is the first sight of a piece of the other side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

import msgspec

from asl_pbcg.campaign.module.frame import SCENARIO
from asl_pbcg.campaign.position_words import EquipmentStatus, Status
from asl_pbcg.campaign.state.campaign_events import PieceEvent
from asl_pbcg.campaign.state.campaign_state import Campaign, Gone
from asl_pbcg.campaign.state.piece_events import TakenFromPaper
from asl_pbcg.campaign.state.pieces import Piece, Weapon
from asl_pbcg.campaign.state.seen import seen_pieces
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.moments import EntryMoment
from asl_pbcg.kernel.prompts import Roll
from asl_pbcg.kernel.views import UMPIRE, visible
from asl_pbcg.refit.helpers.situation import fighters, in_melee

HOLDER: Final = "holder"
"""The fact of a Weapon that its possessor has the tie of."""
_NO_FACTS: Final = frozenset({"id", "kind", "received"})


class Change(msgspec.Struct, frozen=True):
    """One fact of a piece that became another by the entry ``seq``."""

    field: str
    old: Any
    new: Any
    seq: int = 0


class Arrival(msgspec.Struct, frozen=True, kw_only=True):
    """How a piece came into being or was received; ``parents`` are the pieces it came out of."""

    how: str
    parents: tuple[str, ...] = ()
    verb: str = ""
    """How it came out of them."""
    seq: int = 0


class Departure(msgspec.Struct, frozen=True, kw_only=True):
    """How a piece left; ``into`` is the piece it went into by Recombining or as a crew."""

    how: str
    why: str = ""
    into: str = ""
    seq: int = 0


class Throw(msgspec.Struct, frozen=True, kw_only=True):
    """A roll for a piece: its table, what it says, the Final and the exact odds.

    ``told`` is None unless what becomes of the piece tells the outcome; it may add to that.
    ``good_chance`` is the chance of a success, as the ledger of luck counts it.
    """

    table: str
    title: str
    result: str
    says: str
    told: str | None
    final: int
    odds: Mapping[str, Fraction]
    is_good: bool
    good_chance: Fraction
    seq: int = 0

    @property
    def chance(self) -> Fraction:
        """The exact chance of what it says."""
        return self.odds[self.result]


class Deed(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All that happened to one piece in one step, for example ``dawn/9.606``.

    ``before`` is None where the piece came in this step, else ``after`` where it left. ``entries``
    are the numbers of the entries that brought it; a side does not learn them. ``undone`` is that
    of the undo that took it. ``joined`` are pieces that went into it, ``parted`` those that came
    out of it; ``holder`` has a Weapon. ``types`` has the type of each piece that is named.
    """

    id: str
    step: str
    before: Piece | None
    after: Piece | None
    arrival: Arrival | None = None
    departure: Departure | None = None
    changes: tuple[Change, ...] = ()
    throws: tuple[Throw, ...] = ()
    acts: tuple[str, ...] = ()
    joined: tuple[str, ...] = ()
    parted: tuple[str, ...] = ()
    holder: str = ""
    entries: tuple[int, ...] = ()
    undone: int = 0
    corrected: bool = False
    types: Mapping[str, str] = {}
    events: tuple[PieceEvent, ...] = ()
    """The events that changed it, in order."""

    @property
    def own_events(self) -> Iterator[PieceEvent]:
        """The events that are about this piece and not another that they changed, too."""
        return (event for event in self.events if event.piece.id == self.id)

    @property
    def piece(self) -> Piece:
        """The piece as it was last in this step."""
        piece = self.after or self.before
        assert piece
        return piece

    @property
    def date(self) -> str:
        """The CG Date of the step."""
        return self.step.partition("/")[0]

    @property
    def rule(self) -> str:
        """The step itself: a rule number, or ``scenario``."""
        return self.step.partition("/")[2]

    def net(self) -> dict[str, tuple[Any, Any]]:
        """Return what each changed fact was before the step and is after it."""
        facts: dict[str, tuple[Any, Any]] = {}
        for change in self.changes:
            facts[change.field] = (facts.get(change.field, (change.old,))[0], change.new)
        return {name: pair for name, pair in facts.items() if pair[0] != pair[1]}


def changing_facts(piece: Piece, holders: Mapping[str, str]) -> dict[str, Any]:
    """Return the facts of a piece that may change, among them who holds a Weapon."""
    facts = {
        name: getattr(piece, name) for name in piece.__struct_fields__ if name not in _NO_FACTS
    }
    if isinstance(piece, Weapon):
        facts[HOLDER] = holders.get(piece.id, "")
    return facts


def holders_in(pieces: Iterable[Piece]) -> dict[str, str]:
    """Return who possesses or tows each Weapon."""
    return {item: piece.id for piece in pieces for item in (*piece.possesses, *piece.tows)}


# -- What a viewer knows ---------------------------------------------------------------------------


def known_pieces(state: Campaign, viewer: str) -> dict[str, Piece]:
    """Return the pieces that ``viewer`` knows, each as far as it is known. Rule: 9.613, CG9.

    ``viewer`` is a side, the umpire, or empty for what both know.
    """
    if viewer == UMPIRE:
        return {piece.id: piece for piece in state.pieces}
    if not viewer:
        shown = (piece for side in state.sides for piece in seen_pieces(state, side))
        return {piece.id: open_facts(piece) for piece in shown}
    side = Side(viewer)
    pieces = {piece.id: open_facts(piece) for piece in seen_pieces(state, side.other)}
    frozen = {piece.id: piece for piece in state.seen or ()}
    for piece in state.of(side):  # a prisoner is where his Guard was last seen
        pieces[piece.id] = own_facts(frozen.get(piece.id, piece) if piece.is_prisoner else piece)
    return pieces


def own_facts(piece: Piece) -> Piece:
    """Return a piece as its side knows it: what is captured without its RG and formation."""
    return msgspec.structs.replace(piece, rg="", formation="") if piece.captured else piece


def open_facts(piece: Piece) -> Piece:
    """Return a piece of the other side with what its counter shows."""
    status: tuple[Status, ...] = piece.status
    if not piece.is_personnel:
        status = tuple(word for word in status if word == EquipmentStatus.CAPTURED)
    return type(piece)(
        id=piece.id,
        side=piece.side,
        type=piece.type,
        kind=piece.kind,
        received=piece.received,
        at=piece.at,
        status=status,
    )


MELEE: Final = "9.601"
END_POSITION: Final = "0.2"
STOOD: Final = {
    "0.2.3": "exited broken and passed its NTC",
    "9.6041.1a": "Encircled, passed its 1TC",
    "9.6042.3a": "passed its NTC in the minefield",
    "9.606.2": "stayed, Isolated",
    "9.608.2": "stayed a prisoner",
}
"""Decision points about a piece that are worth telling where the piece came out unchanged."""


def deeds_of(moments: Sequence[EntryMoment[Campaign]], viewer: str = UMPIRE) -> list[Deed]:
    """Return the deeds of every piece as ``viewer`` (a side or the umpire) may know them, in order.

    What an undo took is there, marked as undone.
    """
    record = _Record(viewer)
    for moment in _whole_scenarios(moments):
        record.add(moment)
    return record.deeds()


def deeds_between(
    before: Campaign, after: Campaign, events: Sequence[PieceEvent], step: str
) -> list[Deed]:
    """Return the deeds of what ``events`` would make of a campaign in ``step``, as the umpire."""
    record = _Record(UMPIRE)
    moment = EntryMoment(step=step, before=before, after=after, events=tuple(events))
    record.add(_Span(step, before, after, [moment]))
    return record.deeds()


@dataclass
class _Span:
    """The states around one entry, or around a whole scenario with its entries."""

    step: str
    before: Campaign
    after: Campaign
    moments: list[EntryMoment[Campaign]]

    def events_for(self, viewer: str) -> list[PieceEvent]:
        """Return what happened, as far as ``viewer`` may see it."""
        return [
            event
            for moment in self.moments
            for event in moment.events
            if isinstance(event, PieceEvent) and visible(event, viewer)
        ]

    @property
    def undone(self) -> int:
        return self.moments[-1].undone

    @property
    def correction(self) -> bool:
        entry = self.moments[-1].entry
        return entry is not None and entry.kind == "correction"

    @property
    def is_scenario(self) -> bool:
        return self.step.endswith(f"/{SCENARIO}")

    @property
    def is_over(self) -> bool:
        return not self.after.in_scenario

    def entries_about(self, id: str) -> list[int]:
        """Return the entries that may have changed the piece ``id``."""
        if not self.is_scenario:
            return [self.moments[-1].seq]
        asked = [moment for moment in self.moments if moment.entry is not None]
        named = [
            moment.seq
            for moment in asked
            if moment.entry
            and (moment.entry.point == END_POSITION or id in moment.entry.about.split())
        ]
        return named or [moment.seq for moment in asked[-1:]]


def _whole_scenarios(moments: Sequence[EntryMoment[Campaign]]) -> Iterator[_Span]:
    """Gather the moments of a scenario: what one side alone is asked there is put together last.

    A scenario whose end position is still being asked for is left out.
    """
    span: _Span | None = None
    for moment in moments:
        new = _Span(moment.step, moment.before, moment.after, [moment])
        if span is not None and (
            new.is_scenario
            and not new.correction
            and (new.step, new.undone) == (span.step, span.undone)
        ):
            span.after = new.after
            span.moments.append(moment)
            continue
        if span is not None and span.is_over:
            yield span
        span = None
        if new.is_scenario and not new.correction:
            span = new
        else:
            yield new
    if span is not None and span.is_over:
        yield span


@dataclass
class _Open:
    """A deed that is still being gathered."""

    id: str
    span: _Span
    before: Piece | None
    after: Piece | None
    arrival: Arrival | None = None
    departure: Departure | None = None
    changes: list[Change] = field(default_factory=list)
    throws: list[Throw] = field(default_factory=list)
    acts: list[str] = field(default_factory=list)
    joined: list[str] = field(default_factory=list)
    parted: list[str] = field(default_factory=list)
    holder: str = ""
    entries: list[int] = field(default_factory=list)
    types: dict[str, str] = field(default_factory=dict)
    events: list[PieceEvent] = field(default_factory=list)


class _Record:
    """The deeds of one viewer, gathered span by span."""

    def __init__(self, viewer: str) -> None:
        self._viewer = viewer
        self._open: dict[tuple[str, str, int, bool], _Open] = {}
        self._types: dict[str, str] = {}
        self._held: dict[str, str] = {}
        self._holds: dict[str, str] = {}
        self._last: tuple[Campaign, dict[str, Piece]] | None = None
        self._melee: dict[tuple[str, int], dict[str, list[Piece]]] = {}
        self._fought: dict[tuple[str, int], Campaign] = {}

    def add(self, span: _Span) -> None:
        before, after = self._known_in(span.before), self._known_in(span.after)
        self._held, self._holds = holders_in(before.values()), holders_in(after.values())
        seq = span.moments[-1].seq if self._viewer == UMPIRE else 0
        events = [e for e in span.events_for(self._viewer) if self._knows(e, before, after)]
        changed = self._note_changes(span, before, after, events, seq)
        joined = {id: into for event in events for id, into in event.went_into.items()}
        lost = {gone.piece.id: gone for event in events for gone in event.gone}
        for id, gone in lost.items():
            self._types.setdefault(id, gone.piece.type)
            self._leave(span, gone, before.get(id), joined, seq)
        for event in events:
            for id in event.ids:
                if id in before or id in after or id in lost:
                    last = self._open.get((id, span.step, span.undone, span.correction))
                    new = after.get(id, last.after if last else None)
                    self._open_deed(id, span, before.get(id), new).events.append(event)
        self._note_asked(span, before, after, changed | lost.keys(), seq)

    def _note_changes(
        self,
        span: _Span,
        before: Mapping[str, Piece],
        after: Mapping[str, Piece],
        events: Sequence[PieceEvent],
        seq: int,
    ) -> set[str]:
        """Note what changed of pieces and which came, and return their ids.

        Pieces that the events name, what they carry, and those that the viewer sees now.
        """
        came = {id: (of, event) for event in events for id, of in event.came_from.items()}
        came |= {e.piece.id: ("", e) for e in events if isinstance(e, TakenFromPaper)}
        pieces = [piece for event in events for change in event.changes for piece in change]
        carried = (item for piece in pieces for item in (*piece.possesses, *piece.tows))
        arrivals = (id for id in after if id not in before) if before is not after else ()
        changed = set()
        for id in dict.fromkeys((*(piece.id for piece in pieces), *carried, *arrivals)):
            old, new = before.get(id), after.get(id)
            if old is not None and new is not None:
                if facts := _changes(old, new, self._held, self._holds, seq):
                    changed.add(id)
                    self._open_deed(id, span, old, new).changes += facts
            elif new is not None:
                changed.add(id)
                deed = self._open_deed(id, span, None, new)
                deed.arrival = self._arrival(span, new, came.get(id), seq)
                for parent in filter(before.get, deed.arrival.parents):
                    deed.types[parent] = before[parent].type
                    elder = self._open_deed(parent, span, before[parent], after.get(parent))
                    elder.parted.append(id)
                    elder.types[id] = new.type
        return changed

    def _knows(
        self, event: PieceEvent, before: Mapping[str, Piece], after: Mapping[str, Piece]
    ) -> bool:
        """Return whether the viewer has a piece that an event changed, or saw it.

        Of what is lost openly both know, but not of what was HIP. Rule: 9.2, 9.602(6).
        """
        has = {event.piece.side, *(change.after.side for change in event.changes if change.after)}
        own = self._viewer in {UMPIRE, *map(str, has)}
        lost = any(event.in_play or not gone.piece.hip for gone in event.gone)
        return own or lost or any(id in before or id in after for id in event.ids)

    def _known_in(self, state: Campaign) -> dict[str, Piece]:
        last_state = self._last[0] if self._last else None
        same = last_state and last_state.pieces is state.pieces and last_state.seen is state.seen
        if self._last is None or not same:
            self._last = (state, known_pieces(state, self._viewer))
            self._types |= {id: piece.type for id, piece in self._last[1].items()}
        return self._last[1]

    def deeds(self) -> list[Deed]:
        """Return the deeds in the order in which they began."""
        own = self._viewer == UMPIRE
        for (step, undone), places in self._melee.items():
            for place, units in places.items():
                last = {unit.id: unit.side for unit in fighters(self._fought[step, undone], place)}
                for unit in units if len(set(last.values())) == 1 else ():
                    deed = self._open.get((unit.id, step, undone, False))
                    if deed is not None and unit.id in last:
                        acts = [act for act in deed.acts if act != _fought_in(place)]
                        deed.acts = [f"{_fought_in(place)} and held it", *acts]
        return [
            Deed(
                id=deed.id,
                step=deed.span.step,
                before=deed.before,
                after=None if deed.departure and deed.before else deed.after,
                arrival=deed.arrival,
                departure=deed.departure,
                changes=tuple(deed.changes),
                throws=tuple(deed.throws),
                acts=tuple(dict.fromkeys(deed.acts)),
                joined=tuple(deed.joined),
                parted=tuple(deed.parted),
                holder=deed.holder,
                entries=tuple(sorted(set(deed.entries) - {0})) if own else (),
                undone=deed.span.undone if own else min(deed.span.undone, 1),
                corrected=deed.span.correction,
                types=deed.types,
                events=tuple(deed.events),
            )
            for deed in self._open.values()
            if deed.changes
            or deed.arrival
            or deed.departure
            or deed.throws
            or deed.acts
            or deed.joined
            or deed.parted
        ]

    def _open_deed(self, id: str, span: _Span, old: Piece | None, new: Piece | None) -> _Open:
        key = (id, span.step, span.undone, span.correction)
        deed = self._open.setdefault(key, _Open(id, span, old, new))
        deed.after = new
        deed.entries += span.entries_about(id)
        deed.holder = self._holds.get(id, "")
        named = {self._held.get(id, ""), deed.holder}
        named = named.union(
            *(state_of_piece.ties for state_of_piece in (old, new) if state_of_piece)
        )
        deed.types |= {id: self._types[id] for id in named if id in self._types}
        return deed

    # -- coming and going ------------------------------------------------------------------

    def _arrival(
        self,
        span: _Span,
        piece: Piece,
        came: tuple[str, PieceEvent] | None,
        seq: int,
    ) -> Arrival:
        own = self._viewer in (UMPIRE, piece.side.value)
        if not own and piece.id not in {counter.id for counter in span.after.pieces} - {
            counter.id for counter in span.before.pieces
        }:
            return Arrival(how="seen", seq=seq)
        if came is not None:
            parent, event = came
            return Arrival(how="", parents=(parent,) if parent else (), verb=event.BIRTH, seq=seq)
        return Arrival(how=f"with RG {piece.own_rg}" if own and piece.own_rg else "", seq=seq)

    def _cut(self, piece: Piece) -> Piece:
        """Return a piece with what the viewer may know of it."""
        if self._viewer == UMPIRE:
            return piece
        return own_facts(piece) if self._viewer == piece.side else open_facts(piece)

    def _leave(
        self,
        span: _Span,
        gone: Gone,
        old: Piece | None,
        joined: Mapping[str, str],
        seq: int,
    ) -> None:
        own = self._viewer in (UMPIRE, gone.piece.side.value)
        piece = self._cut(gone.piece)
        deed = self._open_deed(piece.id, span, old or piece, piece)
        if own and old is not None:
            deed.changes += _changes(old, piece, self._held, {}, seq)
        elif own and all(counter.id != piece.id for counter in span.before.pieces):
            deed.before, deed.arrival = None, Arrival(how="", seq=seq)
        words = gone.why.split()
        into = joined.get(piece.id, "")
        deed.departure = Departure(how=gone.how, why=gone.why if own else "", into=into, seq=seq)
        deed.types |= {id: self._types[id] for id in words if id in self._types}
        if into:
            heir_piece = self._known_in(span.after).get(into)
            if heir_piece is None:  # the other side's, not seen since
                return
            heir = self._open_deed(into, span, heir_piece, heir_piece)
            heir.joined.append(piece.id)
            heir.types[piece.id] = piece.type
            if old is not None and old.type == piece.type and heir.before is not None:
                deed.types[into] = heir.before.type

    # -- what was asked and rolled -----------------------------------------------------------

    def _note_asked(
        self,
        span: _Span,
        before: Mapping[str, Piece],
        after: Mapping[str, Piece],
        changed: Set[str],
        seq: int,
    ) -> None:
        if span.is_scenario:
            for id, piece in after.items():
                if piece.on_map and piece.is_unit_or_equipment and not span.correction:
                    self._open_deed(id, span, before.get(id), piece).acts.append(SCENARIO)
        if span.step.endswith(f"/{MELEE}"):
            self._note_melee(span, before, after)
        moment = span.moments[-1]
        asked = moment.asked
        if asked is None or moment.entry is None or moment.entry.step != span.step:
            return
        if span.is_scenario or not visible(asked, self._viewer):
            return
        for id in asked.about.split():
            if (old := before.get(id)) is None:
                continue
            now = after.get(id, old)
            if isinstance(asked, Roll) and asked.table:
                self._open_deed(id, span, old, now).throws.append(_throw(moment, asked, seq))
            elif asked.id in STOOD and id not in changed:
                self._open_deed(id, span, old, now).acts.append(STOOD[asked.id])

    def _note_melee(
        self, span: _Span, before: Mapping[str, Piece], after: Mapping[str, Piece]
    ) -> None:
        """Say of everybody in Melee that they fought."""
        key = (span.step, span.undone)
        if key not in self._melee:
            places = dict.fromkeys(piece.at for piece in span.before.pieces if piece.at)
            fought = (place for place in places if in_melee(span.before, place))
            self._melee[key] = {place: fighters(span.before, place) for place in fought}
        self._fought[key] = span.after
        entry = span.moments[-1].entry
        for place, units in self._melee[key].items():
            if entry is None or entry.step != span.step or place not in entry.about.split():
                continue
            for unit in units:
                if unit.id in before:
                    now = after.get(unit.id, before[unit.id])
                    deed = self._open_deed(unit.id, span, before[unit.id], now)
                    deed.acts.append(_fought_in(place))


def _changes(
    old: Piece, new: Piece, held: Mapping[str, str], holds: Mapping[str, str], seq: int
) -> list[Change]:
    if old == new and held.get(old.id) == holds.get(new.id):
        return []
    was, now = changing_facts(old, held), changing_facts(new, holds)
    return [
        Change(name, was.get(name), now.get(name), seq)
        for name in dict.fromkeys((*was, *now))
        if was.get(name) != now.get(name)
    ]


def _fought_in(place: str) -> str:
    return f"fought in Melee in {place}"


def _throw(moment: EntryMoment[Campaign], roll: Roll, seq: int) -> Throw:
    rolled, table = moment.sent, roll.table
    assert table
    row, odds = table.row_of(rolled, roll.given), table.odds(roll.given)
    return Throw(
        table=table.name,
        title=table.short or table.title,
        result=rolled.result,
        says=row.recorded,
        told=row.told,
        final=rolled.final,
        odds=odds,
        is_good=table.is_success(rolled.result),
        good_chance=sum((odds[result] for result in odds if table.is_success(result)), Fraction(0)),
        seq=seq,
    )
