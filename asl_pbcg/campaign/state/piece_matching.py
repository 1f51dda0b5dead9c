"""Match counters on the map that carry no id with the pieces of the OB.

All counters are matched at once so that the whole set is likeliest: a piece taken for one counter
is not available for another. A piece may have changed since it was last seen: Reduced, Replaced,
Battle Hardened, Deployed, captured, moved, given away. ``Identities`` asks the players where it
matters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Self

import msgspec

from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.module.catalogue import Catalogue, InfantryType
from asl_pbcg.campaign.module.zones import zone_hexes
from asl_pbcg.campaign.position import PieceEntry, Position
from asl_pbcg.campaign.position_words import UnitStatus, status_words
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.assignment import NEVER, least_cost
from asl_pbcg.kernel.prompts import Option

if TYPE_CHECKING:
    from asl_pbcg.campaign.board.board import Board


# What speaks against a counter being a piece, in points; only their proportion matters.
_REDUCED, _CHANGED = 9.0, 5.0  # by half, and by one step of Replacement, Hardening or rank
_DOWN, _UP = "down", "up"
_NEW = 24.0  # against its being new: an HS Deployed, a Hero created
_HEX, _MAX_HEXES = 0.5, 12  # for each hex it would have moved
_NO_PLACE = 2.0
_LEVEL = 0.2
_FORMATION = 8.0
_NO_FORMATION = 0.5
_LASTING = 7.0  # of a status that lasts and is not shown
_SHOWN = 2.0  # of one that is shown and was not there
_OTHER = 0.2
_HELD = 1.5  # for what it possessed and possesses still
_CLOSE = 4.0
"""If another piece is at most so many points less likely, the players are asked."""

LASTING = (UnitStatus.WALKING_WOUNDED, UnitStatus.FANATIC, UnitStatus.WOUNDED, UnitStatus.HEROIC)
"""Statuses that tell a piece from others of its type from CG Date to CG Date."""


class Wanted(msgspec.Struct, frozen=True):
    """A counter on the map that may be a piece of the OB."""

    key: str
    section: str
    """units, equipment or vehicles."""
    type: str
    """Empty for a prisoner counter, which tells only its kind."""
    side: Side
    """Of Equipment and vehicles the side whose counter it is."""
    at: str
    status: tuple[str, ...] = ()
    formations: tuple[str, ...] = ()
    """The ids of the formations it may be of; empty if the counter does not tell."""
    holds: tuple[str, ...] = ()
    """The types of what it possesses."""
    kind: str = ""

    @classmethod
    def of(cls, entry: PieceEntry) -> Self:
        """Return an entry of a position as a counter that may be any piece like it."""
        return cls(entry.id, entry.section, entry.type, entry.maker, entry.at, entry.status)


class Matching(msgspec.Struct, frozen=True):
    """The pieces that counters are taken for."""

    ids: dict[str, str]
    """By key of a counter the id of the piece; empty for one that is new."""
    doubts: dict[str, tuple[str, ...]]
    """Counters that may as well be another piece, and those pieces, likeliest first."""
    missing: tuple[Piece, ...]
    """Pieces that no counter is taken for."""


def match(
    wanted: Sequence[Wanted],
    pieces: Iterable[Piece],
    board: Board,
    catalogue: Catalogue,
    likely: Mapping[str, str] | None = None,
    far: Mapping[str, int] | None = None,
) -> Matching:
    """Match all counters with pieces at once.

    ``likely`` are the ids that players have named, by key; they are taken. ``far`` is the likely
    distance in hexes of pieces without a place, by id.
    """
    fixed = dict(likely or {})
    listed = [piece for piece in pieces if piece.section]
    steps = _Steps(catalogue)
    rater = _Rater(board, steps, {piece.id: piece for piece in listed}, far or {})
    ids: dict[str, str] = {}
    doubts: dict[str, tuple[str, ...]] = {}
    groups: dict[tuple[str, Side], list[Wanted]] = {}
    for counter in wanted:
        groups.setdefault((counter.section, counter.side), []).append(counter)
    used = set(fixed.values())
    for (section, side), asked in groups.items():
        ids |= {counter.key: fixed[counter.key] for counter in asked if counter.key in fixed}
        free = [counter for counter in asked if counter.key not in fixed]
        able = [
            piece
            for piece in listed
            if piece.section == section and piece.maker is side and piece.id not in used
        ]
        pairs, open_ = _settle(free, able, rater)
        ids |= pairs
        doubts |= open_
    taken = set(ids.values())
    return Matching(ids, doubts, tuple(piece for piece in listed if piece.id not in taken))


def company_distances(state: Campaign, position: Position, place: str) -> dict[str, int]:
    """Return how far from a place the company of each piece is that stands nowhere yet, by its id.

    It is where its zone of the Initial Scenario is, and where others of it are placed already.
    Rule: 9.51, 9.52.
    """
    to = Location.parse(place)
    if not to.on_map:
        return {}
    companies: dict[tuple[Side, str], list[str]] = {}
    by_id = {piece.id: piece for piece in state.pieces}
    for entry in position.pieces:
        piece, at = by_id.get(entry.id), entry.location
        if piece is not None and piece.formation and at.on_map:
            companies.setdefault((piece.side, piece.formation), []).append(at.hex)
    initial = state.charts.initial.get(state.campaign)
    for group in initial.groups if initial and state.determined is None else ():
        zone = zone_hexes(group.zone, state.board).names
        companies.setdefault((group.side, group.formation), []).extend(zone)
    nearest = {
        company: min(state.board.distance(to.hex, hex) for hex in hexes)
        for company, hexes in companies.items()
        if hexes
    }
    return {
        piece.id: nearest[piece.side, piece.formation]
        for piece in state.pieces
        if not piece.at and (piece.side, piece.formation) in nearest
    }


def _settle(
    asked: list[Wanted], able: list[Piece], rater: _Rater
) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """Return the pieces of one side's counters in one list, and their likely alternatives."""
    many = len(able)
    costs = [[rater.cost(counter, piece) for piece in able] for counter in asked]
    padded = [
        [*row, *(_NEW if extra == number else NEVER for extra in range(len(asked)))]
        for number, row in enumerate(costs)
    ]
    columns = least_cost(padded)
    ids = {
        counter.key: able[column].id if column < many else ""
        for counter, column in zip(asked, columns, strict=True)
    }
    owner = {column: row for row, column in enumerate(columns) if column < many}
    doubts: dict[str, tuple[str, ...]] = {}
    for row, counter in enumerate(asked):
        column = columns[row]
        own = costs[row][column] if column < many else _NEW
        rivals: list[tuple[float, int]] = []
        for choice in range(many):
            if choice == column or costs[row][choice] >= NEVER:
                continue
            more = costs[row][choice] - own
            if choice in owner:  # that one would then be taken for this one's piece, or be new
                rival = owner[choice]
                back = costs[rival][column] if column < many else NEVER
                more += min(back, _NEW) - costs[rival][choice]
            if more <= _CLOSE:
                rivals.append((more, choice))
        likenesses = {rater.alike(able[column])} if column < many else set()
        listed = []
        for _, choice in sorted(rivals):
            if rater.alike(able[choice]) not in likenesses:
                likenesses.add(rater.alike(able[choice]))
                listed.append(able[choice].id)
        if listed:
            doubts[counter.key] = tuple(listed)
    return ids, doubts


class _Steps:
    """How one type of Infantry becomes another, and what that costs."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.links: dict[tuple[str, Side, str], dict[str, float]] = {}
        """By way (down by Replacement, up by Battle Hardening), side and type: the next types."""
        for type in catalogue:
            if isinstance(type, InfantryType):
                for way, changed in ((_DOWN, type.replaced_by), (_UP, type.hardens_to)):
                    for name, cost in ((type.half_squad, _REDUCED), (changed, _CHANGED)):
                        if name:
                            next_types = self.links.setdefault((way, type.side, type.name), {})
                            next_types[name] = min(cost, next_types.get(name, cost))
        self.known: dict[tuple[Side, str], dict[str, float]] = {}

    def cost(self, side: Side, before: str, after: str) -> float:
        """Return the points against a unit of type ``before`` being one of type ``after`` now."""
        if before == after:
            return 0.0
        start = (side, before)
        if start not in self.known:
            self.known[start] = self._reach(side, before)
        return self.known[start].get(after, NEVER)

    def _reach(self, side: Side, start: str) -> dict[str, float]:
        """Return the types a unit may have become: none is both Replaced and Hardened at once."""
        best = {start: 0.0}
        for way in (_DOWN, _UP):
            own = {start: 0.0}
            waiting = [start]
            while waiting:
                type_name = waiting.pop(0)
                for name, cost in self.links.get((way, side, type_name), {}).items():
                    new = own[type_name] + cost
                    if new < own.get(name, NEVER) and new < _NEW:
                        own[name] = new
                        waiting.append(name)
            for name, cost in own.items():
                best[name] = min(cost, best.get(name, cost))
        kind_of = self.catalogue.kind
        kind = kind_of(start, side)
        return {name: cost for name, cost in best.items() if _same_kind(kind, kind_of(name, side))}


def _same_kind(before: str, after: str) -> bool:
    """Whether a unit of one kind may be of another later: a squad an HS, but no HS a squad."""
    if before == after:
        return True
    return "crew" not in (before, after) and (before, after) != ("half_squad", "squad")


class _Rater:
    """Rates how much speaks against a counter being a piece."""

    def __init__(
        self,
        board: Board,
        steps: _Steps,
        pieces: dict[str, Piece],
        far: Mapping[str, int],
    ) -> None:
        self.far = far
        self.board = board
        self.steps = steps
        self.pieces = pieces

    def cost(self, counter: Wanted, piece: Piece) -> float:
        """The points against it; NEVER if it cannot be."""
        if counter.section != "units":
            points = 0.0 if counter.type == piece.type else NEVER
        elif counter.side is not piece.side:
            return NEVER
        elif not counter.type:
            points = 0.0 if _same_kind(piece.kind, counter.kind) else NEVER
        else:
            points = self.steps.cost(piece.side, piece.type, counter.type)
        if points >= NEVER:
            return NEVER
        points += self._place(counter.at, piece)
        formation = self.steps.catalogue.formation_called(piece.formation)
        own = formation.id if formation else ""
        if counter.formations and own and own not in counter.formations:
            points += _FORMATION
        elif own and not counter.formations and piece.ox_and_bucks:
            points += _NO_FORMATION
        for status in LASTING:
            if piece.has(status) and status not in counter.status:
                points += _LASTING
            elif status in counter.status and not piece.has(status):
                points += _SHOWN
        points += _OTHER * len(set(counter.status).symmetric_difference(piece.status) - {*LASTING})
        held = [self.pieces[id].type for id in piece.possesses if id in self.pieces]
        points -= _HELD * sum(type in counter.holds for type in held)
        return points

    def _place(self, at: str, piece: Piece) -> float:
        new = Location.parse(at)
        if not piece.at and new.on_map and piece.id in self.far:
            return _HEX * min(self.far[piece.id], _MAX_HEXES)
        if not piece.at or not new.on_map:
            return 0.0 if piece.at == at else _NO_PLACE
        old = piece.location
        start = old.hex or (old.entry if old.entry in self.board else "")
        if not start:
            return _NO_PLACE
        far = min(self.board.distance(start, new.hex), _MAX_HEXES)
        return _HEX * far + (_LEVEL if old.on_map and old.level != new.level else 0.0)

    def alike(self, piece: Piece) -> tuple[object, ...]:
        """Return the facts that matter between pieces: two that are alike need no question."""
        if piece.is_weapon:
            return piece.type, piece.captured
        lasting = tuple(status for status in LASTING if piece.has(status))
        formation = self.steps.catalogue.formation_called(piece.formation)
        elr = formation.elr if formation else None
        return piece.type, piece.airborne, piece.ox_and_bucks, elr, piece.name, lasting


NEW = "new"
"""The answer for a counter that is no piece of the OB: Deployed or created in play."""


class Identities:
    """The pieces of ``state`` that counters are taken for, and what the players said of them."""

    def __init__(
        self, wanted: Iterable[Wanted], pieces: Iterable[Piece], state: Campaign, groups: bool
    ) -> None:
        self.wanted = list(wanted)
        self.pieces = list(pieces)
        self.state = state
        self.groups = groups
        """Whether a question may name Reinforcement Groups."""
        self.answers: dict[str, str] = {}
        """By key of a counter the id that players named; empty for one that is new."""
        self.matching = self._match()

    def _match(self) -> Matching:
        named = {key: id for key, id in self.answers.items() if id}
        counters = [counter for counter in self.wanted if self.answers.get(counter.key) != ""]
        matching = match(counters, self.pieces, self.state.board, self.state.catalogue, named)
        matching.ids.update({key: "" for key, id in self.answers.items() if not id})
        return matching

    def best(self, counter: Wanted) -> str:
        """Return the id of the likeliest piece; empty for a new one."""
        return self.matching.ids.get(counter.key, "")

    def doubtful(self, unmatched: bool = False) -> list[Wanted]:
        """Return the counters to ask about: of several pieces, with ``unmatched`` also of none."""
        return [
            counter
            for counter in self.wanted
            if counter.key not in self.answers
            and (counter.key in self.matching.doubts or (unmatched and not self.best(counter)))
        ]

    def options(self, counter: Wanted, new: str) -> list[Option]:
        """Return the pieces a counter may be, the likeliest first; ``new`` says how it came."""
        ids = filter(None, (self.best(counter), *self.matching.doubts.get(counter.key, ())))
        pieces = map(self.state.piece, ids)
        options = [Option(one.id, name_piece(one), self._about(one, counter)) for one in pieces]
        return [*options, Option(NEW, "new", new)]

    def _about(self, piece: Piece, counter: Wanted) -> str:
        """Return what tells a piece from others: its change, lasting statuses, last place."""
        changed = counter.type and piece.type != counter.type  # a prisoner counter shows none
        parts = [
            f"{counter.type} now" if changed else "",
            status_words(status for status in LASTING if piece.has(status)),
            piece.name,
            (self.groups and piece.own_rg) or piece.own_formation,
            f"was in {piece.at}" if piece.at else "",
        ]
        return ", ".join(filter(None, parts))

    def answer(self, answers: dict[str, str]) -> None:
        """Take what players said, by key: ids or ``new``; the rest is matched again."""
        answers = {key: "" if id == NEW else id for key, id in answers.items()}
        self.answers |= answers
        doubted = {id for ids in self.matching.doubts.values() for id in ids}
        stays = all(
            id == self.matching.ids.get(key) and id not in doubted for key, id in answers.items()
        )
        if not stays:  # else hundreds of rows take no time
            self.matching = self._match()

    def leave_out(self, counter: Wanted) -> None:
        """Forget a counter."""
        self.wanted.remove(counter)
        self.matching = self._match()
