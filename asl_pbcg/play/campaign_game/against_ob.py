"""An end position held against the OB: what looks like a slip is asked before it is taken.

A mistyped id would Eliminate one piece and invent another; a squad that Deployed would be lost
beside two new HS. So what the OB does not know and what the position does not list are looked at
together, with what is likeliest (F-07).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

import msgspec

from asl_pbcg.campaign.module.catalogue import MADE_IN_PLAY, InfantryType
from asl_pbcg.campaign.paper.paper_limits import remarks_beyond
from asl_pbcg.campaign.position import Fortification, PieceEntry, Position
from asl_pbcg.campaign.position_words import FortificationKind
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.ob_merge import pieces_left_out
from asl_pbcg.campaign.state.piece_changes import has_secret_number
from asl_pbcg.campaign.state.piece_matching import Wanted, match
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import Side
from asl_pbcg.chronicle.difference import end_position_difference
from asl_pbcg.kernel.answers import Dialogue, Heading
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Script, ask
from asl_pbcg.kernel.topic import Topic
from asl_pbcg.play.refusals import NotTaken
from asl_pbcg.refit.setup.recorded_setup import match_purchases

HEADING = Heading("ob", "End position")
_LOOK_AGAIN = "The position has not been taken: look at it again."
NEW, KEEP, OUT, GO_ON, STOP = "new", "keep", "leave-out", "go-on", "stop"
_GO_ON = (Option(GO_ON, "go on"), Option(STOP, "stop: look at the position again"))
FEW = 5
"""So many pieces of a side may be missing from a position without a question."""
_SHARE = 3  # more than a third of a side
_TYPO = 0.75
_MINES = (FortificationKind.AP_MINES, FortificationKind.AT_MINES)


def open_holding(
    state: Campaign, position: Position, viewers: Sequence[Side] = (), looks_on: bool = True
) -> Dialogue[Position]:
    """Return the questions about slips, and at last about the difference that a position makes.

    ``state`` is the campaign as ``viewers`` know it. The difference is for somebody who looks on.
    """

    def script() -> Script[Position]:
        settled = yield from against_ob(state, position, viewers)
        if looks_on:
            yield from _look_at_difference(state, settled, viewers)
        return settled

    return Dialogue(script, HEADING)


def _look_at_difference(
    state: Campaign, position: Position, viewers: Sequence[Side]
) -> Script[None]:
    """Tell what a position changes, and ask whether that is meant. Raises NotTaken if not."""
    difference = end_position_difference(state, position, viewers)
    for line in difference.lines:
        yield Note(line.text, topic=line.topic)
    answer = yield from ask(
        Prompt(
            id="ob.difference",
            topic=Topic(kind="difference"),
            rule="9.2",
            options=_GO_ON,
            default=GO_ON,
            text=f"By this position: {difference.summary}. Is that so?",
            help="What is hidden or never entered may be left out: that is asked next.",
        )
    )
    if answer == STOP:
        raise NotTaken(_LOOK_AGAIN)


def against_ob(
    state: Campaign, position: Position, viewers: Sequence[Side] = ()
) -> Script[Position]:
    """Settle what of ``position`` the OB does not know, and whether so many pieces are gone.

    Where nothing is on record yet, more than a side can have received is told. ``viewers`` give
    it, none is the umpire: one side can be asked of its own OB only, both together of what both
    have seen. Raises NotTaken if the players want to look again.

    Rule: 9.2 OB, 9.2 Eliminated.
    """
    if state.has_no_pieces_yet:
        yield from _beyond_received(state, position, viewers)
        return position
    sides, together = viewers or state.sides, len(viewers) > 1
    for suspect in list(_suspects(state, position)):
        entry = suspect.entry
        # An RG that has entered stands there by its name: whether it is one its side alone knows.
        is_secret = together and has_secret_number(entry.id)
        if entry.side in sides and entry.maker in sides and not is_secret:
            position = yield from _settle(state, position, suspect)
    for mines in list(_unbought(state, position)):
        if not together and (not viewers or mines.owner in viewers):
            position = yield from _mines(position, mines)
    for side in sides:
        yield from _so_many(state, position, side, together)
    return position


def _beyond_received(state: Campaign, position: Position, viewers: Sequence[Side]) -> Script[None]:
    """Ask whether a position is right that has more than a side can have received."""
    if not (remarks := remarks_beyond(state, position, viewers)):
        return
    answer = yield from ask(
        Prompt(
            id="ob.beyond",
            rule="9.2 OB",
            options=_GO_ON,
            default=GO_ON,
            text=f"Look again: {' '.join(remarks)} Go on with it all the same?",
        )
    )
    if answer == STOP:
        raise NotTaken(_LOOK_AGAIN)


class Suspect(msgspec.Struct, frozen=True):
    """An entry of no OB, and the pieces it may be, likeliest first, each with its reason."""

    entry: PieceEntry
    pieces: tuple[tuple[Piece, str], ...]


def _suspects(state: Campaign, position: Position) -> Iterator[Suspect]:
    recorded_ids = {piece.id for piece in state.pieces}
    gone = pieces_left_out(state, position)
    for entry in position.pieces:
        if entry.id in recorded_ids:
            continue
        kind = _kind(state, entry)
        candidates = list(_may_be(state, entry, gone))
        if candidates or kind not in MADE_IN_PLAY:
            yield Suspect(entry, tuple(candidates))


def _kind(state: Campaign, entry: PieceEntry) -> str:
    return state.catalogue.kind(entry.type, entry.maker)


def _may_be(state: Campaign, entry: PieceEntry, gone: list[Piece]) -> Iterator[tuple[Piece, str]]:
    """Missing pieces that the entry may be."""
    wanted = Wanted.of(entry)
    remaining = list(gone)
    for _ in range(3):
        id = match([wanted], remaining, state.board, state.catalogue).ids[entry.id]
        piece = next((candidate for candidate in remaining if candidate.id == id), None)
        if piece is None:
            return
        remaining.remove(piece)
        reason = _reason(state, entry, piece)
        if reason:
            yield piece, reason


def _reason(state: Campaign, entry: PieceEntry, piece: Piece) -> str:
    """Why the entry may be the piece; empty if that is no more than chance."""
    alike = SequenceMatcher(None, entry.id.lower(), piece.id.lower()).ratio()
    if entry.type == piece.type:
        if alike >= _TYPO:
            return "a slip of the pen in the name?"
        captured = piece.maker is piece.side and entry.side is not piece.side
        return "captured" if captured else "the same type, and missing"
    before = state.catalogue.find(piece.type, piece.side)
    if not isinstance(before, InfantryType):
        return ""
    if before.half_squad == entry.type:
        return "Deployed or Reduced: one HS keeps the squad's name"
    if before.replaced_by == entry.type:
        return "Replaced"
    if before.hardens_to == entry.type:
        return "Battle Hardened"
    return "changed in play" if alike >= _TYPO else ""


def _settle(state: Campaign, position: Position, suspect: Suspect) -> Script[Position]:
    entry = suspect.entry
    taken = {piece.id for piece in position.pieces}
    options = [
        Option(piece.id, f"it is {name_piece(piece)}", why)
        for piece, why in suspect.pieces
        if piece.id not in taken
    ]
    made = _kind(state, entry) in MADE_IN_PLAY
    if not options and made:
        return position
    words = (
        "new: came into being in play" if made else "new, though it is in the OB of neither side"
    )
    options.append(Option(NEW, words))
    answer = yield from ask(
        Prompt(
            id="ob.new",
            about=entry.id,
            where=entry.at,
            rule="9.2 OB",
            options=tuple(options),
            default=options[0].id if len(options) > 1 else None,
            text=f"No OB has {name_piece(entry)} in {entry.at}. What is it?",
            help="A piece keeps its name from CG Date to CG Date. What the position does not list "
            "never entered or is Eliminated.",
        )
    )
    if answer == NEW:
        return position
    names = {entry.id: str(answer)}
    return position.with_pieces(piece.rename(names) for piece in position.pieces)


def _unbought(state: Campaign, position: Position) -> Iterator[Fortification]:
    """Minefields of the position that nobody bought or had. Rule: 9.619."""
    mines = [part for part in position.fortifications if part.kind in _MINES]
    others = {side: match_purchases(state, side, mines)[1] for side in state.sides}
    for part in mines:
        if all(part in others[side] for side in state.sides if part.owner in (None, side)):
            yield part


def _mines(position: Position, mines: Fortification) -> Script[Position]:
    answer = yield from ask(
        Prompt(
            id="ob.mines",
            about=mines.at,
            where=mines.at,
            rule="9.619",
            options=(
                Option(OUT, "leave them out"),
                Option(KEEP, "take them all the same"),
            ),
            text=f"Nobody has bought the {mines.size or ''} {mines.kind.called} in {mines.at}.",
        )
    )
    if answer == KEEP:
        return position
    kept = tuple(work for work in position.fortifications if work is not mines)
    return msgspec.structs.replace(position, fortifications=kept)


def _so_many(state: Campaign, position: Position, side: Side, together: bool) -> Script[None]:
    own = [piece for piece in state.of(side) if piece.is_unit_or_equipment]
    if together:  # what is hidden or waits off map need not be in it
        visible_ids = {piece.id for piece in state.seen or ()}
        own = [piece for piece in own if piece.id in visible_ids]
    ids = {piece.id for piece in own}
    gone = [piece for piece in pieces_left_out(state, position) if piece.id in ids]
    if len(gone) <= FEW or len(gone) * _SHARE <= len(own):
        return
    named = ", ".join(name_piece(piece) for piece in gone[:12])
    more = f" and {len(gone) - 12} more" if len(gone) > 12 else ""
    answer = yield from ask(
        Prompt(
            id="ob.missing",
            about=side.value,
            topic=Topic(kind="missing"),
            rule="9.2 Eliminated",
            options=_GO_ON,
            text=f"The position accounts for {len(own) - len(gone)} of the {len(own)} "
            f"{side.title} units and pieces of Equipment. Missing: {named}{more}.",
            help="What is missing never entered or is Eliminated. Is it a position of this "
            "campaign, with its names?",
        )
    )
    if answer == STOP:
        raise NotTaken(_LOOK_AGAIN)
