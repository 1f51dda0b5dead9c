"""9.607 Equipment Possession and Hidden Fortifications."""

from __future__ import annotations

import msgspec

from asl_pbcg.campaign.events import happen
from asl_pbcg.campaign.fact_events import FortificationsChanged
from asl_pbcg.campaign.fortification_control import holder
from asl_pbcg.campaign.piece_names import name_piece
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position import Fortification
from asl_pbcg.campaign.position_words import VehicleStatus
from asl_pbcg.campaign.seen import MINES
from asl_pbcg.campaign.state import Campaign, Told, change
from asl_pbcg.kernel.prompts import Note, Script, paragraph
from asl_pbcg.refit.retention import still_there
from asl_pbcg.refit.s607_capture import capture_or_eliminate
from asl_pbcg.refit.s607_use import equipment_in
from asl_pbcg.refit.situation import in_board_order
from asl_pbcg.refit.status_chart import holder_of


def possession(state: Told) -> Script[Told]:
    """Resolve 9.6071, 9.6072 and 9.6073 in this order, after all Escapes. Rule: 9.607."""
    for sub_step in (in_setup_areas, not_in_setup_areas, hidden_fortifications):
        state = yield from sub_step(state)
    return state


def in_setup_areas(state: Told) -> Script[Told]:
    """Decide whose each piece of Equipment in a Setup Area is, and who possesses it. Rule: 9.6071.

    What is captured is settled for both sides before either side uses what it has.
    """
    areas = state.areas.areas
    for side in state.sides:
        for area in areas[side]:
            state = yield from capture_or_eliminate(state, area)
    for side in state.sides:
        state = yield from equipment_in(state, areas[side])
    return state


# -- 9.6072 -----------------------------------------------------------------------------------


def not_in_setup_areas(state: Told) -> Script[Told]:
    """Leave ownerless Equipment outside all Setup Areas as it stands, CA and VCA too.

    It stays there until it is Eliminated or possessed in a later scenario. Rule: 9.6072.
    """
    outside = [piece for piece in state.pieces if is_left_outside(state, piece)]
    names = ", ".join(f"{name_piece(piece)} {piece.at}" for piece in in_board_order(state, outside))
    yield Note(
        f"Unpossessed or Abandoned outside Setup Areas, stays with its CA/VCA: {names}."
        if outside
        else "No Equipment lies unpossessed or Abandoned outside the Setup Areas.",
        "9.6072",
    )
    return state


def is_left_outside(state: Campaign, piece: Piece) -> bool:
    """Return whether Equipment is outside all Setup Areas and nobody's to take along.

    Rule: 9.6072.
    """
    if not (piece.is_weapon or piece.is_vehicle) or not piece.on_map or piece.area:
        return False
    holder = holder_of(state, piece)
    if holder and still_there(state, holder):
        return False
    if piece.is_vehicle and not piece.has(VehicleStatus.ABANDONED):
        return False
    areas = state.areas
    return all(areas.area_of(side, piece.location) is None for side in state.sides)


# -- 9.6073 -----------------------------------------------------------------------------------


@paragraph("9.6073")
def hidden_fortifications(state: Told) -> Script[Told]:
    """Place hidden Fortifications in enemy Setup Areas on map, and say whose the others are.

    A minefield is only marked: what it is stays the secret of who bought it. Rule: 9.6073.
    """
    found = []
    revealed = 0
    for each in _in_order(state):
        if each.hidden and each.owner and state.areas.area_of(each.owner.other, each.location):
            state, each = yield from _reveal(state, each)
            revealed += 1
        found.append(each)
    if not revealed:
        yield Note("No hidden Fortification lies in an enemy Setup Area.")
    after = change(state, fortifications=tuple(found))
    state = yield from happen(state, after, FortificationsChanged())
    for each in found:
        if not each.hidden or state.has_counter(each):
            yield from _whose(state, each)
    return state


def _in_order(state: Campaign) -> list[Fortification]:
    position = state.board.grid.position
    return sorted(
        state.fortifications,
        key=lambda each: (position.get(each.location.hex, 10**6), each.location.level, each.kind),
    )


def _reveal(state: Told, each: Fortification) -> Script[tuple[Told, Fortification]]:
    assert each.owner
    if each.kind in MINES:
        if state.has_counter(each):
            return state, each
        shown = FortificationsChanged(
            text=f"{each.owner.title} minefield in {each.at}: a Minefield counter shows that it is "
            "there, not its strength or type.",
        )
        counters = (*state.minefield_counters, (each.kind, each.at))
        after = change(state, minefield_counters=counters)
        return (yield from happen(state, after, shown)), each
    yield Note(f"Hidden {each.owner.title} {each.kind.called} in {each.at} is placed on map.")
    return state, msgspec.structs.replace(each, hidden=False)


def _whose(state: Campaign, each: Fortification) -> Script[None]:
    """Tell whose an on-map Fortification is now, if it is not who placed it. Rule: 9.6073."""
    side = holder(state, each)
    if side is not each.owner and side is not None:
        what = "minefield" if each.kind in MINES else each.kind.value
        yield Note(f"The {what} in {each.at} is {side.title}.")
