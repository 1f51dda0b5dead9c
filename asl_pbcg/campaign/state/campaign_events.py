"""Events of a campaign: the changes each one made, and the kinds that concern the whole campaign.

A script that changes a campaign reports it by ``happen``. The event takes the changes from the two
states, so it cannot name a change that was not made; a change that no event covers fails a check
of the tests. The kinds here concern Control, the ground, points, purchases and the CG Date.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final, Self, TypeVar, cast

import msgspec
from msgspec.structs import force_setattr

from asl_pbcg.campaign.state.campaign_state import Campaign, Gone, Told
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import GameEvent, Script

FACTS: Final = (
    "control", "fortifications", "minefield_counters", "terrain", "gliders",
    "cpp", "fpp", "san", "ii13", "dummies", "groups", "bought", "ww_box",
    "massacre", "moved_first", "date", "ended", "won_by",
)  # fmt: skip
"""The facts of a campaign besides its pieces that events tell."""
CVP: Final = "cvp_lost"
"""The Casualty VP lost in the CG scenario just played, by side."""


class PieceChange(msgspec.Struct, frozen=True):
    """One piece before and after an event; None before it came, or after it left."""

    before: Piece | None
    after: Piece | None

    def __iter__(self) -> Iterator[Piece]:
        """Yield the piece as it was and as it is, without those that are None."""
        return (piece for piece in (self.before, self.after) if piece)

    @property
    def id(self) -> str:
        """The id of the piece."""
        piece = self.after or self.before
        assert piece
        return piece.id


class FactChange(msgspec.Struct, frozen=True):
    """One fact of the campaign before and after an event. It may hold what one side hides."""

    name: str
    before: Any
    after: Any


class CampaignEvent(GameEvent, frozen=True, kw_only=True):
    """Something that happened in a campaign: the pieces and the facts that it changed.

    ``gone`` says of the pieces that left by it how and why. ``in_play`` is true of what happened
    in the CG scenario, at the table.
    """

    changes: tuple[PieceChange, ...] = ()
    gone: tuple[Gone, ...] = ()
    facts: tuple[FactChange, ...] = ()
    in_play: bool = False

    @property
    def ids(self) -> tuple[str, ...]:
        """The pieces it changed."""
        return tuple(change.id for change in self.changes)


class PieceEvent(CampaignEvent, frozen=True, kw_only=True):
    """Something that happened to ``piece``, which is given as it was before."""

    BIRTH: ClassVar[str] = "came out of"
    """How a new piece came out of another by it."""
    piece: Piece

    def __post_init__(self) -> None:
        if not self.in_play:  # the end position tells that by itself
            super().__post_init__()
            if not self.topic:
                force_setattr(self, "topic", self.piece.topic)

    @property
    def owner(self) -> str:
        """The side that alone knows of it in a step that is secret."""
        return self.piece.side.value

    @property
    def came_from(self) -> Mapping[str, str]:
        """The piece that each new piece came out of, by id."""
        return {}

    @property
    def went_into(self) -> Mapping[str, str]:
        """The piece that each removed piece became part of, by id."""
        return {}

    def clause(self, id: str) -> str:
        """Return the clause for the service record of the piece ``id``; empty if it needs none."""
        return ""

    def kept_by(self, side: str) -> Self:
        """Return the event as one that ``side`` alone sees."""
        return msgspec.structs.replace(self, side=side, secret=True)


E_ = TypeVar("E_", bound=PieceEvent)

# -- Reporting and checking ----------------------------------------------------------------------


def changes_between(before: Campaign, after: Campaign) -> tuple[PieceChange, ...]:
    """Return the pieces that differ between two states, each as it was and as it is."""
    kept = {*map(id, before.pieces)} & {*map(id, after.pieces)}  # the same objects, not compared
    old = {piece.id: piece for piece in before.pieces if id(piece) not in kept}
    new = {piece.id: piece for piece in after.pieces if id(piece) not in kept}
    return tuple(
        PieceChange(old.get(name), new.get(name))
        for name in dict.fromkeys((*old, *new))
        if old.get(name) != new.get(name)
    )


def gone_between(before: Campaign, after: Campaign, id: str) -> tuple[Gone, ...]:
    """Return the record of how a piece left between two states; empty if it did not."""
    return tuple(loss for loss in after.gone[len(before.gone) :] if loss.piece.id == id)


def facts_between(before: Campaign, after: Campaign) -> tuple[FactChange, ...]:
    """Return the facts that differ between two states."""
    pairs = [(name, getattr(before, name), getattr(after, name)) for name in FACTS]
    if before.accounts is not after.accounts:
        pairs.append((CVP, before.account.cvp_lost, after.account.cvp_lost))
    return tuple(
        FactChange(name, old, new) for name, old, new in pairs if old is not new and old != new
    )


def as_told(state: Campaign) -> Told:
    """Return a state as one that a script begins with: what led to it has been told."""
    return cast(Told, state)


def happen(state: Campaign, after: Campaign, event: CampaignEvent) -> Script[Told]:
    """Yield ``event``, which leads from ``state`` to ``after``, with what it changed.

    Returns ``after``. An event that changed nothing and has no sentence is left out.
    """
    changes = changes_between(state, after) if state.pieces is not after.pieces else ()
    gone, facts = after.gone[len(state.gone) :], facts_between(state, after)
    event = msgspec.structs.replace(event, changes=changes, gone=gone, facts=facts)
    if event.changes or event.facts or event.text:
        yield event
    return cast(Told, after)


def keep_book(state: Told, after: Campaign) -> Told:
    """Return ``after``, which differs from ``state`` in no piece and in no fact that events tell.

    For what only the bookkeeping changes: values of the unit catalogue, accounts, the frozen map.
    """
    assert state.pieces is after.pieces and not facts_between(state, after)
    return cast(Told, after)


def happen_to_each(
    state: Campaign,
    after: Campaign,
    kind: type[E_],
    rule: str = "",
    *,
    own: bool = False,
    rest: CampaignEvent | None = None,
) -> Script[Told]:
    """Yield an event of ``kind`` for each piece that changed; return ``after``.

    With ``own`` each side sees those of its own pieces alone. ``rest`` tells the facts that changed
    with them.
    """
    for delta in changes_between(state, after):
        piece = delta.before or delta.after
        assert piece
        side = piece.side.value if own else ""
        gone = gone_between(state, after, delta.id)
        yield kind(piece=piece, changes=(delta,), gone=gone, rule=rule, side=side, secret=own)
    facts = facts_between(state, after)
    assert rest or not facts
    if rest and (facts or rest.text):
        yield msgspec.structs.replace(rest, facts=facts)
    return cast(Told, after)


class ControlGained(CampaignEvent, frozen=True, kw_only=True):
    """A side gained Control of a Location, or nobody Controls it any longer. Rule: A26.11."""

    place: str
    by: Side | None


class BuildingControlled(CampaignEvent, frozen=True, kw_only=True):
    """A side was found to Control the building that moves a SAN. Rule: CG13."""


class GroundChanged(CampaignEvent, frozen=True, kw_only=True):
    """A fire, Rubble, a Wreck or a Shellhole came, changed or went. Rule: CG14, 9.609."""


class FortificationsChanged(CampaignEvent, frozen=True, kw_only=True):
    """Fortifications, minefields or Dummy counters came, changed or went. Rule: CG14, 9.602."""


class ChangedInPlay(CampaignEvent, frozen=True, kw_only=True):
    """Control, the ground and the points are what the end position says. Rule: 9.2, 9.12."""


class PointsReceived(CampaignEvent, frozen=True, kw_only=True):
    """The British received FPP as the chart says, which both sides know. Rule: 9.6152."""


class Paid(CampaignEvent, frozen=True, kw_only=True):
    """A side received or spent CPP or FPP. Rule: 9.615-9.619."""

    by: Side

    @property
    def owner(self) -> str:
        """The side that alone knows of it in a step that is secret."""
        return self.by.value


class GroupPurchased(Paid, frozen=True, kw_only=True):
    """An RG was purchased, or paid for again. Rule: 9.617."""

    group: str


class GroupReceived(Paid, frozen=True, kw_only=True):
    """The Strength, SW and leaders of an RG are determined. Rule: 9.618."""

    group: str


class FortificationBought(Paid, frozen=True, kw_only=True):
    """A Fortification was bought with FPP, or placed. Rule: 9.619, 9.62022."""


class SANChanged(CampaignEvent, frozen=True, kw_only=True):
    """The SAN of a side changed. Rule: 9.6122, CG13."""


class WalkingWoundedBox(CampaignEvent, frozen=True, kw_only=True):
    """Units came into the Walking Wounded box or left it. Rule: CG17, 9.6102."""


class CVPLost(CampaignEvent, frozen=True, kw_only=True):
    """The Casualty VP that a side lost in the CG scenario changed. Rule: 9.12."""


class DateBegun(CampaignEvent, frozen=True, kw_only=True):
    """A new CG Date began. Rule: 9.6121."""


class CampaignBegun(CampaignEvent, frozen=True, kw_only=True):
    """SAN, CPP, FPP and ground with which a campaign begins, or goes on from paper. Rule: 9.5."""


class CampaignEnded(CampaignEvent, frozen=True, kw_only=True):
    """CG End has come. Rule: 9.2 CG End."""


class FirstMover(CampaignEvent, frozen=True, kw_only=True):
    """The side that moved first in the CG scenario is on record. Rule: 9.62023."""


class MassacreCommitted(CampaignEvent, frozen=True, kw_only=True):
    """A Massacre is on record for the rest of the CG. Rule: CG3."""
