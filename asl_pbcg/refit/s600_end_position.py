"""Before 9.601: what the map looks like when the CG scenario has ended, and who left it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from asl_pbcg.campaign.events import happen
from asl_pbcg.campaign.fact_events import FirstMover, MassacreCommitted
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.merge import kept_control, pieces_left_out, take_position
from asl_pbcg.campaign.piece_changes import update
from asl_pbcg.campaign.piece_names import name_pieces
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position import Position
from asl_pbcg.campaign.seen import PLACE_UNSEEN, known_by
from asl_pbcg.campaign.state import Campaign, Told, change
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import FaultsError, IllegalAnswer
from asl_pbcg.kernel.lazy_import import lazy_import
from asl_pbcg.kernel.prompts import Note, Prompt, Script
from asl_pbcg.refit.s600_ground import (
    Unlisted,
    ground_that_stays,
    hidden_ground,
    places_of_purchases,
    wrecks,
)
from asl_pbcg.refit.s600_losses import (
    casualty_vp,
    exits,
    hidden_newcomers,
    newcomers,
    settle_unentered,
    ww_box,
)
from asl_pbcg.refit.s600_table_events import tell_what_happened
from asl_pbcg.refit.secrecy import own_turn
from asl_pbcg.refit.subjects import whole_side

if TYPE_CHECKING:
    from asl_pbcg.campaign import end_position as end_position_checks
    from asl_pbcg.campaign import hidden_list
else:
    end_position_checks = lazy_import("asl_pbcg.campaign.end_position")
    hidden_list = lazy_import("asl_pbcg.campaign.hidden_list")


def end_position(state: Told) -> Script[Told]:
    """Resolve the end position and what follows from it at once.

    Rule: 9.2, 9.12, CG3, CG14-CG17.
    """
    position = msgspec.convert((yield _document(state)), state.module.position)
    common = position = end_position_checks.without_clashes(state, position)
    before: Campaign = state
    off_map, ground = dict[str, str](), list[Unlisted]()
    for side in before.sides:
        taken = take_as_open(before, position, off_map)
        own = _of_one_side(taken, before, common, position, side)
        before, position, found, lost, hidden = yield from own_turn(state, own, side, "9.602(6)")
        off_map |= found
        ground.append(hidden)
        if lost:
            yield Note(f"Eliminated in play: {name_pieces(lost)}.", "9.2 Eliminated", side=side)
    taken = take_as_open(before, position, off_map)
    for side, places in kept_control(before, position).items():
        if places:
            yield Note(
                f"The position does not say who Controls {', '.join(places)}: as before, the "
                f"{side.people} do.",
                "A26.11",
            )
    open_ids = {each.id for each in common.pieces}
    taken = yield from newcomers(before, taken, open_ids)
    state = yield from tell_what_happened(state, taken, open_ids)
    state = yield from exits(state)
    state = yield from ground_that_stays(before, state, ground)
    state = yield from wrecks(state)
    state = yield from ww_box(before, state, position)
    state = yield from casualty_vp(before, state, common)
    state = yield from _massacre(before, state)
    return (yield from _settle_first_move(state))


def _of_one_side(
    state: Campaign, before: Campaign, common: Position, position: Position, side: Side
) -> Script[tuple[Campaign, Position, dict[str, str], list[Piece], Unlisted]]:
    """Decide what one side alone knows of the end position: all in one go, so nobody need wait.

    Gives the campaign with the hexes of what it bought, the position with its hidden pieces, what
    never entered, what was lost in play, and its hidden Fortifications that the position does not
    list. While the side is asked the map shows ``state``: the position as both know it, which is
    ``common``; ``position`` has what the other side hides, too.

    Rule: 9.602(6), 9.62022, CG14, CG16.
    """
    position = yield from _settle_hidden(state, before, common, position, side)
    taken = take_as_open(before, position, {})
    position = yield from hidden_newcomers(taken, before, common, position, side)
    off_map, lost = yield from settle_unentered(state, before, position, side)
    before = yield from places_of_purchases(state, before, position, side)
    ground = yield from hidden_ground(state, before, position, side)
    return before, position, off_map, lost, ground


def _document(state: Campaign) -> Prompt:
    """Return the question for the end position. Its stored answer is the position as plain data."""

    def settle(answer: Any) -> Any:
        try:
            position = end_position_checks.open_position(
                state, answer, state.board, state.catalogue
            )
        except FaultsError as error:
            raise IllegalAnswer(str(error)) from error  # each fault names its own rule
        return msgspec.to_builtins(position)

    return Prompt(
        state=state,
        id="0.2",
        rule="9.2",
        kind="document",
        widget="position",
        text=f"The end position of {state.date.title}?",
        help="The whole position (format: pbcg-position/1), or only what changed since the last "
        "one (format: pbcg-changes/1). What neither lists is asked for next.",
        verify=settle,
    )


def _settle_hidden(
    state: Campaign, before: Campaign, common: Position, position: Position, side: Side
) -> Script[Position]:
    """Decide what one side alone knows: pieces that the common position leaves out.

    Asked only if something of that side is not listed, or nothing is on record yet. What is
    answered depends on nothing that the other side hides. Rule: 9.602(6).
    """
    unlisted = [piece for piece in pieces_left_out(before, position) if piece.side is side]
    if not unlisted and not before.has_no_pieces_yet:
        return position
    hidden = [piece for piece in unlisted if piece.hip or piece.has(*PLACE_UNSEEN)]
    on_record = f" On record as hidden: {name_pieces(hidden)}." if hidden else ""
    known = known_by(before, (side,))

    def settle(answer: Any) -> Any:
        if answer in (None, "", "none"):
            return None
        board, catalogue = before.board, before.catalogue
        try:
            found = hidden_list.add_hidden(known, common, side, answer, board, catalogue)
        except FaultsError as error:
            raise IllegalAnswer(str(error)) from error
        return msgspec.to_builtins(found)

    answer = yield Prompt(
        state=state,
        id="0.2.0",
        subject=whole_side(side),
        kind="document",
        widget="hidden",
        default="none",
        text=f"Have the {side.people} hidden or Cloaked pieces that the position leaves out?"
        f"{on_record}",
        help="Give a workbook, YAML or JSON with your hidden pieces and Fortifications only (a "
        "position or changes), or none.",
        verify=settle,
    )
    if not answer:
        return position
    found = msgspec.convert(answer, Position)
    return hidden_list.join_hidden(before, position, found, side)


def take_as_open(state: Campaign, position: Position, off_map: dict[str, str]) -> Campaign:
    """Return the state with the position taken in, nothing Retained yet. Rule: 9.3, CG16.

    ``off_map`` gives the Entry Area of each piece that never entered; what the other side has in
    its hands, hidden until now, is not among them.
    """
    listed = {each.id for each in position.pieces}
    off_map = {id: area for id, area in off_map.items() if id not in listed}
    state = take_position(state, position, off_map)
    for piece in state.pieces:
        area = ""
        if piece.id in off_map:
            area = off_map[piece.id]
            state = update(state, piece.id, area=area, at=str(Location.off_map(area)))
            continue
        if not piece.is_unit_or_equipment:
            continue
        if piece.off_map:
            area = piece.location.entry
        if area != piece.area:
            state = update(state, piece.id, area=area)
    return change(state, determined=None, seen=None)


def _massacre(before: Campaign, state: Told) -> Script[Told]:
    """Keep every Massacre for the rest of the CG. Rule: CG3, A20.3-.4."""
    sides = tuple(side for side in state.sides if side in before.massacre or side in state.massacre)
    for side in sides:
        if side not in before.massacre:
            yield Note(
                f"The {side.people} have committed a Massacre: all effects of A20.3-.4 last for "
                "the rest of the CG.",
                "CG3",
            )
    return (yield from happen(state, change(state, massacre=sides), MassacreCommitted()))


def _settle_first_move(state: Told) -> Script[Told]:
    """Decide who moved first, as 9.62023 says unless the position says otherwise.

    That side is the ATTACKER in the Melees of 9.601. Rule: 9.62023, 9.601.
    """
    order = state.frame.setup_order[state.date]
    first = state.charts.initial[state.campaign].setup
    if state.date is state.frame.campaigns[state.campaign].dates[0]:
        order = first
    moved = state.moved_first or order.first_move
    if moved is not order.first_move:
        yield Note(
            f"The position says that the {moved.people} moved first, not the "
            f"{order.first_move.people} as the table has it; it is taken.",
            "9.62023",
        )
    return (yield from happen(state, change(state, moved_first=moved), FirstMover()))
