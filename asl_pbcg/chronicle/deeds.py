"""Deeds: all that happened to one piece in one step, from its events and the states around it.

Changes have the number of the entry that brought them; the rolls for the piece and acts that
changed nothing are among its deeds. A side's deeds come from what that side knows, so no secret is
in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

import msgspec

from asl_pbcg.campaign.events import PieceEvent
from asl_pbcg.campaign.pieces import Piece, Weapon
from asl_pbcg.campaign.position_words import EquipmentStatus, Status
from asl_pbcg.campaign.seen import seen_pieces
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.terms import Side
from asl_pbcg.chronicle.luck_ledger import good_chance, is_good
from asl_pbcg.kernel.views import UMPIRE

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
    """A roll for a piece: its table, what it says, the Final and the exact odds."""

    table: str
    title: str
    result: str
    says: str
    final: int
    odds: Mapping[str, Fraction]
    seq: int = 0

    @property
    def chance(self) -> Fraction:
        """The exact chance of what it says."""
        return self.odds[self.result]

    @property
    def is_good(self) -> bool:
        """Whether it is a success, as the ledger of luck counts it."""
        return bool(is_good(self.table, self.result))

    @property
    def good_chance(self) -> Fraction:
        """The exact chance of a success."""
        return good_chance(self.table, self.odds)


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
        found: dict[str, tuple[Any, Any]] = {}
        for each in self.changes:
            found[each.field] = (found.get(each.field, (each.old,))[0], each.new)
        return {name: pair for name, pair in found.items() if pair[0] != pair[1]}


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
    return {item: each.id for each in pieces for item in (*each.possesses, *each.tows)}


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
    found = {piece.id: open_facts(piece) for piece in seen_pieces(state, side.other)}
    frozen = {piece.id: piece for piece in state.seen or ()}
    for piece in state.of(side):  # a prisoner is where his Guard was last seen
        known = frozen.get(piece.id, piece) if piece.is_prisoner else piece
        found[piece.id] = msgspec.structs.replace(known, rg="", formation="") if (
            known.captured
        ) else known  # fmt: skip
    return found


def open_facts(piece: Piece) -> Piece:
    """Return a piece of the other side with what its counter shows."""
    status: tuple[Status, ...] = piece.status
    if not piece.is_personnel:
        status = tuple(each for each in status if each == EquipmentStatus.CAPTURED)
    return type(piece)(
        id=piece.id,
        side=piece.side,
        type=piece.type,
        kind=piece.kind,
        received=piece.received,
        at=piece.at,
        status=status,
    )
