"""9.612 New CG Date and SAN Adjustment: the sub-steps, and 9.6121 itself."""

from __future__ import annotations

from collections.abc import Iterator

from asl_pbcg.campaign.recorded import DateAccount
from asl_pbcg.campaign.state import Campaign, change
from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.kernel.prompts import Note, Script, paragraph
from asl_pbcg.refit.ii13 import control_of_ii13
from asl_pbcg.refit.s612_san import san_adjustment

RULE = "9.6121"


def new_date_and_san(state: Campaign) -> Script[Campaign]:
    """Go on to the new CG Date, then adjust the SAN of both sides for it. Rule: 9.612."""
    played = state.date
    state = yield from new_cg_date(state)
    if state.date is played:
        return state
    state = yield from control_of_ii13(state, played)
    return (yield from san_adjustment(state))


@paragraph(RULE)
def new_cg_date(state: Campaign) -> Script[Campaign]:
    """Start a new CG Date: all later steps are of it, and its account begins. Rule: 9.6121."""
    played, coming = state.date, state.date.next
    if coming is None:
        yield Note(f"{played.title} is the last CG Date.")
        return state
    accounts = [account for account in state.accounts if account.date is not coming]
    state = change(state, date=coming, accounts=(*accounts, DateAccount(date=coming)))
    yield Note(f"{played.title} is over. The CG Date is {coming.title} now.")
    for text, rule in _what_changes(state, played, coming):
        yield Note(text, rule)
    return state


def _what_changes(state: Campaign, played: CGDate, coming: CGDate) -> Iterator[tuple[str, str]]:
    """What is different on the new CG Date, with its rule."""
    order, before = state.frame.setup_order[coming], state.frame.setup_order[played]
    if (order.first_setup, order.first_move) != (before.first_setup, before.first_move):
        yield (
            f"The {order.first_setup.people} set up first, the {order.first_move.people} move "
            "first.",
            order.rule,
        )
    if played.is_night and not coming.is_night:
        yield "It is Night no longer: RG may be purchased from now on.", "9.617"
    dates = state.frame.san.ii13_dates
    if coming in dates and played not in dates:
        yield "From now on Control of building II13 moves the German SAN.", "CG13"
    base = state.frame.cpp_base
    if base.get(coming, 0) != base.get(played, 0):
        yield f"CPP Base Number: {base.get(coming, 'none')}.", "9.6161"
    if not state.determined:
        return
    for side in state.sides:
        arrows = [each.id for each in state.areas.entry_areas[side] if each.eligible]
        yield f"Eligible {side.title} Entry Areas: {', '.join(arrows) or 'none'}.", "CG5"
