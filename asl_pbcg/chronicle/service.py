"""Service records of pieces, and the honours and losses of a side."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby

import msgspec

from asl_pbcg.campaign.module.catalogue import MMC, SMC
from asl_pbcg.campaign.module.frame import SCENARIO
from asl_pbcg.campaign.position_words import UnitStatus, status_words
from asl_pbcg.campaign.state.campaign_events import PieceEvent, changes_between, gone_between
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.piece_events import (
    Captured,
    CapturedInPlay,
    Corrected,
    Eliminated,
    Reduced,
    TakenFromPaper,
    TakenPrisoner,
)
from asl_pbcg.campaign.state.piece_names import first_type, name_piece, read_piece, typed_name
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.state.record_lines import viewer_named
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.chronicle.deed_words import sentence
from asl_pbcg.chronicle.deeds import Deed, deeds_of
from asl_pbcg.kernel.journal import Snapshot
from asl_pbcg.kernel.moments import EntryMoment, moments, moments_in_part
from asl_pbcg.kernel.player_notes import PlayerNote, notes_of
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.side_part import SidePart
from asl_pbcg.kernel.wording import number_words

ON_PAPER = "on paper"
"""The kind of losses that only a roster on paper tells of."""
UNITS = (*MMC, *SMC, "armor_leader")


class ServiceLine(msgspec.Struct, frozen=True, kw_only=True):
    """One deed of a piece: CG Date, step, the sentence and the numbers of its entries."""

    date: str
    title: str
    rule: str
    text: str
    entries: tuple[int, ...] = ()
    undone: bool = False


class Kin(msgspec.Struct, frozen=True, kw_only=True):
    """A piece that another came out of or went into, with what it did before or after that."""

    id: str
    name: str
    relation: str
    lines: tuple[ServiceLine, ...] = ()


class ServiceRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The whole service of one piece; ``fate`` says how it left, or its status now."""

    id: str
    name: str
    side: str
    type: str
    first_type: str
    formation: str
    received: str
    fate: str
    lines: tuple[ServiceLine, ...]
    notes: tuple[str, ...] = ()
    """The players' notes on it that the viewer may read, in order."""
    ancestors: tuple[Kin, ...] = ()
    descendants: tuple[Kin, ...] = ()


class Honour(msgspec.Struct, frozen=True, kw_only=True):
    """Something a side may be proud of."""

    side: str
    kind: str
    date: str
    title: str
    piece: str
    text: str
    entries: tuple[int, ...] = ()


class PieceLoss(msgspec.Struct, frozen=True, kw_only=True):
    """One piece that a side lost, or the half of a squad that was reduced."""

    side: str
    date: str
    title: str
    rule: str
    kind: str
    piece: str
    text: str
    squads: float = 0
    """Squad-equivalents of MMC that were lost."""
    cvp: int | None = None
    """Casualty VP, of a CG Date on paper whose pieces are not on record."""
    entries: tuple[int, ...] = ()


class Chronicle:
    """Everything that happened to the pieces of a campaign, as one viewer may know it."""

    def __init__(
        self,
        state: Campaign,
        history: Sequence[EntryMoment[Campaign]],
        viewer: str,
        notes: Sequence[PlayerNote] = (),
    ) -> None:
        self.state = state
        self.viewer = viewer
        self._notes = notes
        history = [_with_correction(moment) for moment in history]
        self.deeds = deeds_of(history, viewer)
        self.events = [e for moment in history for e in moment.events if isinstance(e, PieceEvent)]
        self._by_id: dict[str, list[Deed]] = {}
        for deed in self.deeds:
            self._by_id.setdefault(deed.id, []).append(deed)

    def record(self, id: str) -> ServiceRecord | None:
        """Return the service record of a piece; None if the viewer knows of no such piece."""
        deeds = [deed for deed in self._by_id.get(id, ()) if not deed.undone]
        if not deeds:
            return None
        last, first = deeds[-1].piece, deeds[0]
        called = name_piece(last)
        return ServiceRecord(
            id=id,
            name=f"{last.name}, {called}" if last.name else called,
            side=last.side.value,
            type=last.type,
            first_type=first_type(id) if first_type(id) != last.type else "",
            formation=last.formation,
            received=CGDate.title_of(first.date),
            fate=_fate_of(deeds[-1]),
            lines=tuple(map(self._line, self._by_id[id])),
            notes=tuple(note.words for note in self._notes if note.about == id),
            ancestors=tuple(self._ancestors(id, {id})),
            descendants=tuple(self._descendants(id, {id})),
        )

    def find_piece(self, typed: str) -> Piece:
        """Return the piece that the viewer calls ``typed``. Raises PBCGError."""
        standing = ([deed for deed in deeds if not deed.undone] for deeds in self._by_id.values())
        pieces = [deeds[-1].piece for deeds in standing if deeds]
        return read_piece(typed, pieces, viewer_named(self.viewer))

    def records(self, side: Side) -> Iterator[ServiceRecord]:
        """Yield the records of the units and leaders a side ever had, by formation."""
        mine = [
            deeds[-1].piece
            for deeds in self._by_id.values()
            if deeds[-1].piece.side is side and deeds[-1].piece.kind in UNITS
        ]
        for piece in sorted(mine, key=lambda unit: (unit.own_formation, unit.received.number)):
            if (record := self.record(piece.id)) is not None:
                yield record

    def _line(self, deed: Deed) -> ServiceLine:
        return ServiceLine(
            date=deed.date,
            title=CGDate.title_of(deed.date),
            rule=deed.rule,
            text=sentence(deed, self.state.catalogue),
            entries=deed.entries,
            undone=bool(deed.undone),
        )

    def _ancestors(self, id: str, kin_ids: set[str]) -> Iterator[Kin]:
        """Yield what a piece came out of, and what went into it, the nearest first."""
        for deed in self._by_id.get(id, ()):
            if deed.undone:
                continue
            of = deed.arrival.parents if deed.arrival else ()
            for relative, relation in [
                *((parent, "It came out of") for parent in of),
                *((partner, "Went into it") for partner in deed.joined),
            ]:
                if relative in kin_ids or relative not in self._by_id:
                    continue
                kin_ids.add(relative)
                yield self._kin(relative, relation, deed, before=True)
                yield from self._ancestors(relative, kin_ids)

    def _descendants(self, id: str, kin_ids: set[str]) -> Iterator[Kin]:
        """Yield what came out of a piece, and what it went into, the nearest first."""
        for deed in self._by_id.get(id, ()):
            if deed.undone:
                continue
            into = deed.departure.into if deed.departure else ""
            for relative, relation in [
                *((child, "Came out of it") for child in deed.parted),
                *([(into, "It went into")] if into and deed.piece.kind != "hero" else []),
            ]:
                if relative in kin_ids or relative not in self._by_id:
                    continue
                kin_ids.add(relative)
                yield self._kin(relative, relation, deed, before=False)
                yield from self._descendants(relative, kin_ids)

    def _kin(self, id: str, relation: str, at: Deed, before: bool) -> Kin:
        place = self.deeds.index(at)
        lines = [
            self._line(deed)
            for deed in self._by_id[id]
            if not deed.undone and (self.deeds.index(deed) <= place) is before
        ]
        type = self._by_id[id][-1].piece.type
        return Kin(id=id, name=typed_name(type, id), relation=relation, lines=tuple(lines))

    # -- a side ------------------------------------------------------------------------------

    def honours(self, side: Side) -> list[Honour]:
        """Return the honours of a side, by kind and then in order."""
        all_honours = [
            Honour(
                side=side.value,
                kind=kind,
                date=deed.date,
                title=CGDate.title_of(deed.date),
                piece=typed_name(deed.piece.type, deed.id),
                text=sentence(deed, self.state.catalogue),
                entries=deed.entries,
            )
            for deed in self.deeds
            if not deed.undone
            for kind in _honours_in(deed, side)
        ]
        return sorted(all_honours, key=lambda honour: HONOURS.index(honour.kind))

    def losses(self, side: Side) -> list[PieceLoss]:
        """Return the losses of a side, in order: pieces, halves of squads, prisoners.

        Of CG Dates that were played on paper the roster has the Casualty VP alone.
        """
        return self._paper_losses(side) + [
            PieceLoss(
                side=side.value,
                date=deed.date,
                title=CGDate.title_of(deed.date),
                rule=deed.rule,
                kind=kind,
                piece=name_piece(deed.before or deed.piece),
                text=sentence(deed, self.state.catalogue),
                squads=squads,
                entries=deed.entries,
            )
            for deed in self.deeds
            if not deed.undone and not deed.corrected
            for kind, squads in _losses_in(deed, side)
        ]

    def _paper_losses(self, side: Side) -> list[PieceLoss]:
        """Return what a side lost on the CG Dates whose scenarios are not in the journal."""
        dates = {
            deed.date
            for deed in self.deeds
            if deed.rule == SCENARIO and deed.before is not None  # else it came from paper
        }
        return [
            PieceLoss(
                side=side.value,
                date=account.date.value,
                title=account.date.title,
                rule=SCENARIO,
                kind=ON_PAPER,
                piece=f"{account.cvp_lost[side]} Casualty VP",
                cvp=account.cvp_lost[side],
                text=f"{account.cvp_lost[side]} Casualty VP, by the roster on paper.",
            )
            for account in self.state.accounts
            if account.date.value not in dates and account.cvp_lost.get(side)
        ]


class Survivor(msgspec.Struct, frozen=True):
    """A unit or leader that is still with its side: its name, and its service in a few words."""

    name: str
    words: str


def survivors(session: Session[Campaign], viewer: str, side: Side, most: int = 6) -> list[Survivor]:
    """Return the units and leaders of a side with the most honours and the longest service."""
    chronicle = chronicle_of(session, viewer)
    won: dict[str, list[str]] = {}
    for deed in chronicle.deeds:
        for kind in () if deed.undone else _honours_in(deed, side):
            won.setdefault(deed.id, []).append(_honour_of_one(kind, deed))
    ranked: list[tuple[int, int, int, Survivor]] = []
    for record in chronicle.records(side):
        piece = next((piece for piece in chronicle.state.pieces if piece.id == record.id), None)
        if piece is None or piece.side is not side or piece.is_prisoner:
            continue
        fought = len({line.date for line in record.lines if line.rule == SCENARIO})
        own = list(dict.fromkeys(won.get(record.id, ())))
        words = number_words(fought, "CG scenario", "CG scenarios")
        summary = f"{words}; {', '.join(own)}" if own else words
        ranked.append((-len(own), -fought, len(ranked), Survivor(record.name, summary)))
    return [place[-1] for place in sorted(ranked, key=lambda place: place[:3])[:most]]


def _with_correction(moment: EntryMoment[Campaign]) -> EntryMoment[Campaign]:
    """Return a moment with an event for each piece that its correction changed."""
    entry = moment.entry
    if entry is None or entry.kind != "correction":
        return moment
    events = [
        Corrected(
            piece=piece,
            changes=(change,),
            gone=gone_between(moment.before, moment.after, change.id),
            side=entry.side,
            secret=entry.secret,
        )
        for change in changes_between(moment.before, moment.after)
        if (piece := change.before or change.after)
    ]
    return dataclasses.replace(moment, events=(*moment.events, *events))


def recent_events(chronicle: Chronicle) -> list[PieceEvent]:
    """Return what happened in the last CG scenario and the RePh after it, in order."""
    state = chronicle.state
    played = state.date_played
    event_ids: set[int] = set()
    in_play = False
    for deed in chronicle.deeds:
        if deed.undone:
            continue
        if (deed.rule == SCENARIO) is not in_play:
            in_play = not in_play
            if in_play:
                event_ids.clear()
        if not in_play or deed.date == played.value:
            event_ids |= {*map(id, deed.events)}
    return [event for event in chronicle.events if id(event) in event_ids]


@lru_cache(maxsize=4)
def _moments(
    session: Session[Campaign], _head: str, start: Snapshot | None
) -> list[EntryMoment[Campaign]]:
    if isinstance(session, SidePart):
        return moments_in_part(session, start)
    return moments(session.game, session.journal, start, session.until)


def moments_of(
    session: Session[Campaign], start: Snapshot | None = None
) -> list[EntryMoment[Campaign]]:
    """Return the moments of a campaign as it stands, from its beginning or ``start`` on."""
    return _moments(session, session.journal.head, start)


@lru_cache(maxsize=4)
def _chronicle(session: Session[Campaign], _head: str, viewer: str) -> Chronicle:
    notes = notes_of(session.journal, viewer)
    return Chronicle(session.state, moments_of(session), viewer, notes)


def chronicle_of(session: Session[Campaign], viewer: str) -> Chronicle:
    """Return the chronicle of a campaign as ``viewer`` (a side or the umpire) may know it."""
    return _chronicle(session, session.journal.head, viewer)


def _fate_of(deed: Deed) -> str:
    """Return how a piece left its side, or what is true of it now."""
    if deed.departure is None:
        return status_words(deed.piece.status)
    manned = deed.departure.how == "recombined" and deed.piece.kind == "crew"
    how = "Crew of a vehicle" if manned else deed.departure.how.capitalize()
    where = " in play" if deed.rule == SCENARIO else f", {deed.rule}"
    return f"{how}, {CGDate.title_of(deed.date)}{where}"


# -- Honours and losses --------------------------------------------------------------------------

HONOURS = (
    "Battle Hardened",
    "Heroes and Fanatics",
    "Held their ground in Melee",
    "Taken from the enemy",
    "Against the odds",
)
"""The kinds of honours, in the order of the page."""
_LONG_ODDS = 6
"""A roll as good as this or better came once in so many is told as one against the odds."""
_GLORY = (UnitStatus.HEROIC, UnitStatus.FANATIC)


def _honours_in(deed: Deed, side: Side) -> Iterator[str]:
    """Yield the kinds of honours that a deed is."""
    piece, net = deed.piece, deed.net()
    old, new = net.get("status", ((), ()))
    gained = [status for status in new if status not in old]
    if piece.side is side.other:
        if UnitStatus.PRISONER in gained:
            yield "Taken from the enemy"
        return
    if piece.side is not side:
        return
    if net.get("hardened", (False, False))[1] and not (deed.joined and "type" in net):
        yield "Battle Hardened"
    elif any(status in _GLORY for status in gained) or (deed.arrival and piece.kind == "hero"):
        yield "Heroes and Fanatics"
    if any(act.endswith("held it") for act in deed.acts) and not deed.departure:
        yield "Held their ground in Melee"
    from_paper = any(isinstance(event, TakenFromPaper) for event in deed.events)
    if "side" in net or (deed.arrival and piece.captured and not from_paper):
        yield "Taken from the enemy"
    if any(throw.is_good and throw.good_chance * _LONG_ODDS <= 1 for throw in deed.throws):
        yield "Against the odds"


def _honour_of_one(kind: str, deed: Deed) -> str:
    """Return what an honour is called where it stands beside its one piece."""
    if kind == "Heroes and Fanatics":
        gained = [status for status in _GLORY if status in deed.piece.status]
        return f"became {status_words(gained)}" if gained else "Hero"
    return "held its ground in Melee" if kind == "Held their ground in Melee" else kind


def _losses_in(deed: Deed, side: Side) -> Iterator[tuple[str, float]]:
    """Yield the kind of each loss that a deed is, with squad-equivalents."""
    for event in deed.own_events:
        piece = event.piece
        lost = piece.side is side and piece.is_unit_or_equipment
        if not lost or piece.is_prisoner or piece.captured:
            continue
        match event:
            case Eliminated():
                yield "Eliminated", _SQUADS.get(piece.kind, 0)
            case Reduced():
                yield "Reduced", 0.5
            case Captured() | TakenPrisoner() | CapturedInPlay():
                prisoner = any(
                    change.after and change.after.is_prisoner for change in event.changes
                )
                yield "Taken prisoner" if prisoner else "Captured", _SQUADS.get(piece.kind, 0)


_SQUADS = {"squad": 1.0, "half_squad": 0.5, "crew": 0.5}


def by_date(losses: Iterable[PieceLoss]) -> Iterator[tuple[str, list[PieceLoss]]]:
    """Yield the losses of each CG Date."""
    for title, losses_of_date in groupby(losses, key=lambda loss: loss.title):
        yield title, list(losses_of_date)


def entries_words(entries: Sequence[int]) -> str:
    """Return the numbers of entries in brackets, a run of them in short: ``[26-31, 33]``."""
    runs: list[list[int]] = []
    for entry in entries:
        if runs and entry == runs[-1][1] + 1:
            runs[-1][1] = entry
        else:
            runs.append([entry, entry])
    words = ", ".join(f"{low}" if low == high else f"{low}-{high}" for low, high in runs)
    return f"[{words}]" if words else ""
