"""The pieces that a viewer may place in a draft, and where the draft begins.

One draft of the end position, for all who enter it: what it holds stands on the map for both to
see. What a side alone knows (hidden pieces) is asked of that side afterwards and is never in it.
The draft of a setup is its side's own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from asl_pbcg.campaign.position import FORMAT, PieceEntry, Position
from asl_pbcg.campaign.position_words import UnitStatus
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.ob_merge import to_position
from asl_pbcg.campaign.state.seen import known_by, sides_that_look, view_for
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.views import UMPIRE
from asl_pbcg.play.campaign_game.campaign_map import pieces_seen
from asl_pbcg.refit.setup.setup_rules import setups

SECRET: Final = ("formation", "rg", "notes")
"""Fields of an entry that no draft tells: a piece keeps them anyway."""
OWN_DRAFTS: Final = ("setup", "hidden")
"""The widgets of questions for which a side works at a draft of its own."""


class TrayPiece(msgspec.Struct, frozen=True, omit_defaults=True):
    """A piece that may be placed, with its entry as it was last; empty ``at`` if nowhere."""

    section: str
    kind: str
    group: str
    area: str
    entry: PieceEntry
    place: int | None = None
    """Of a setup, the number of the places where it may stand."""


class SetupPlaces(msgspec.Struct, frozen=True):
    """Where some pieces of a setup may stand: words, rule and hexes, None for anywhere."""

    words: str
    rule: str
    hexes: tuple[str, ...] | None


def _open(entry: PieceEntry, **fields: Any) -> PieceEntry:
    """Return an entry without what no draft tells."""
    return msgspec.structs.replace(entry, **fields, **dict.fromkeys(SECRET, ""))


def _among_themselves(pieces: Iterable[PieceEntry]) -> list[PieceEntry]:
    """Return pieces without ties to any that is not among them."""
    listed = {piece.id: piece for piece in pieces}
    return [piece.without(*(piece.ties - listed.keys())) for piece in listed.values()]


# -- the end position ---------------------------------------------------------------------


def first_draft(state: Campaign) -> Position:
    """Return everything where both sides last saw it; what only one side knows is not in it."""
    last = to_position(known_by(state, state.sides, played=False))
    works = tuple(each for each in state.fortifications if not each.hidden)
    kept = {
        key: getattr(last, key) for key in ("date", "control", "gliders", "terrain", "massacre")
    }
    empty: Position = type(last)(format=FORMAT, fortifications=works, **kept)
    return empty.with_pieces(_among_themselves(map(_open, last.pieces)))


def tray(state: Campaign, sees: str, played: bool = False) -> list[TrayPiece]:
    """Return the pieces that ``sees`` may place.

    At a screen for both (empty) those that both know: what each has shown the other, and what was
    received openly, wherever it is. What an RG brought comes once both say that the CG scenario is
    ``played``: what set up on the map was seen in it. What was Retained elsewhere since has no
    place. Rule: 9.51, 9.52.
    """
    seen = {line.id: line.location for line in pieces_seen(state, sees)}
    if sees in {*Side}:
        known = view_for(state, Side(sees))
    else:
        known = known_by(state, sides_that_look(sees), played)
    entries = {entry.id: entry for entry in to_position(known, everything=True).pieces}
    found = []
    for piece in known.pieces:
        if entry := entries.get(piece.id):
            own = sees in (UMPIRE, piece.side.value)
            at = entry.at if seen.get(piece.id, "") == entry.at else ""
            group = (piece.own_rg or piece.formation) if own else ""
            area = piece.area if own else ""
            found.append(TrayPiece(entry.section, piece.kind, group, area, _open(entry, at=at)))
    return found


# -- what a side alone knows ---------------------------------------------------------------


def hidden_tray(before: Campaign, taken: Campaign, side: Side) -> list[TrayPiece]:
    """Return the pieces of ``side`` that the common position leaves out, each as hidden.

    ``before`` is the campaign before that position, ``taken`` with it. What was Cloaked stays so;
    where each last stood is told. Rule: 9.602(6).
    """
    listed = {piece.id for piece in taken.pieces if piece.section}
    entries = {entry.id: entry for entry in to_position(before, everything=True).pieces}
    own = [
        piece
        for piece in before.pieces
        if piece.side is side and piece.id in entries and piece.id not in listed
    ]
    opened = [_open(_as_hidden(entries[piece.id])) for piece in own]
    return [
        TrayPiece(entry.section, piece.kind, piece.own_rg or piece.formation, piece.area, entry)
        for piece, entry in zip(own, _among_themselves(opened), strict=True)
    ]


def _as_hidden(entry: PieceEntry) -> PieceEntry:
    """Return an entry with the status hidden, unless it is Cloaked."""
    if UnitStatus.CLOAKED in entry.status or UnitStatus.HIDDEN in entry.status:
        return entry
    return msgspec.structs.replace(entry, status=(*entry.status, UnitStatus.HIDDEN))


# -- the setup of a side ------------------------------------------------------------------


def first_setup(state: Campaign, side: Side) -> Position:
    """Return the setup with what may stand in one place only, or is off map. Rule: 9.6202."""
    known = {each.entry.id: each.entry for each in setup_tray(state, side)[0]}
    pieces = []
    for each in setups(state, side):
        at = each.fixed or (f"off-map {each.entry}" if each.hexes is None and each.entry else "")
        if at and each.piece.id in known:
            pieces.append(msgspec.structs.replace(known[each.piece.id], at=at))
    return Position(format=FORMAT, date=state.date).with_pieces(_among_themselves(pieces))


def setup_tray(state: Campaign, side: Side) -> tuple[list[TrayPiece], list[SetupPlaces]]:
    """Return the pieces that ``side`` sets up, and the places they may.

    Each piece names its places by number. Rule: 9.62021, 9.62022, CG6.
    """
    entries = {entry.id: entry for entry in to_position(state, everything=True).pieces}
    allowed = [each for each in setups(state, side) if each.piece.id in entries]
    opened = [_open(entries[each.piece.id], at="") for each in allowed]
    numbers: dict[SetupPlaces, int] = {}
    found = []
    for each, entry in zip(allowed, _among_themselves(opened), strict=True):
        hexes = tuple(map(str, each.hexes)) if each.hexes is not None else None
        if each.fixed:
            hexes = (each.fixed.split("/")[0],)
        place = SetupPlaces(each.words, each.rule, hexes)
        number = numbers.setdefault(place, len(numbers))
        group = f"{'Isolated: ' if each.isolated else ''}{each.words}"
        found.append(
            TrayPiece(entry.section, each.piece.kind, group, each.piece.area, entry, number)
        )
    return found, list(numbers)
