"""9.612 New CG Date and SAN Adjustment: the sub-steps, and 9.6121 itself."""

from __future__ import annotations

from collections.abc import Iterator

from asl_pbcg.campaign.module.campaign_tables import SAN, table
from asl_pbcg.campaign.scenario.snipers import ii13_controller, san_in_force, san_recorded
from asl_pbcg.campaign.state.campaign_events import DateBegun, SANChanged, happen, keep_book
from asl_pbcg.campaign.state.campaign_state import Campaign, DateAccount, Told, change
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.prompts import Note, Roll, Script, paragraph, throw
from asl_pbcg.refit.helpers.strategic_control import control_of_ii13, german_words
from asl_pbcg.refit.helpers.subjects import whole_side

RULE = "9.6121"


def new_date_and_san(state: Told) -> Script[Told]:
    """Go on to the new CG Date, then adjust the SAN of both sides for it. Rule: 9.612."""
    played = state.date
    state = yield from new_cg_date(state)
    if state.date is played:
        return state
    state = yield from control_of_ii13(state, played)
    return (yield from san_adjustment(state))


@paragraph(RULE)
def new_cg_date(state: Told) -> Script[Told]:
    """Start a new CG Date: all later steps are of it, and its account begins. Rule: 9.6121."""
    played, coming = state.date, state.date.next
    if coming is None:
        yield Note(f"{played.title} is the last CG Date.")
        return state
    accounts = [account for account in state.accounts if account.date is not coming]
    after = change(state, date=coming, accounts=(*accounts, DateAccount(date=coming)))
    told = DateBegun(text=f"{played.title} is over. The CG Date is {coming.title} now.")
    state = yield from happen(state, after, told)
    for text, rule in _what_changes(state, played, coming):
        yield Note(text, rule)
    return state


def _what_changes(state: Campaign, played: CGDate, coming: CGDate) -> Iterator[tuple[str, str]]:
    """Yield what is different on the new CG Date, with its rule."""
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
        arrows = [area.id for area in state.areas.entry_areas[side] if area.eligible]
        yield f"Eligible {side.title} Entry Areas: {', '.join(arrows) or 'none'}.", "CG5"


# -- 9.6122 SAN Adjustment -------------------------------------------------------------------------

BRITISH, GERMAN = Side.BRITISH, Side.GERMAN


# -- 9.6122 ---------------------------------------------------------------------------------


@paragraph("9.6122")
def san_adjustment(state: Told) -> Script[Told]:
    """Adjust the SAN of both sides for the new CG Date, then raise what is below 2.

    Rule: 9.6122; ruling C-26.
    """
    state = yield from british_san(state)
    state = yield from german_san(state)
    for side in state.sides:
        state = yield from _raise(state, side)
    state = keep_book(state, san_recorded(state))
    yield Note(
        f"SAN for {state.date.title}: British {san_in_force(state, BRITISH)}, "
        f"{german_words(state)}.",
    )
    return state


@paragraph("9.61221")
def british_san(state: Told) -> Script[Told]:
    """Make the British adjustment dr if their SAN is 4 or more. Rule: 9.61221."""
    return (yield from _adjust(state, BRITISH, "9.61221"))


@paragraph("9.61222")
def german_san(state: Told) -> Script[Told]:
    """Make the German adjustment dr if their SAN is 4 or more and they do not Control II13.

    Rule: 9.61222; house rule C-24.
    """
    if ii13_controller(state) is GERMAN:
        yield Note(f"The Germans Control {state.frame.san.building}: their SAN is not adjusted.")
        return state
    return (yield from _adjust(state, GERMAN, "9.61222"))


def _adjust(state: Told, side: Side, point: str) -> Script[Told]:
    san, least = san_in_force(state, side), state.frame.san.adjusted_from
    if san < least:
        yield Note(f"{side.title} SAN {san} is below {least}: no adjustment dr.")
        return state
    rolled = yield from throw(
        Roll(
            state=state,
            id=point,
            subject=whole_side(side, side.value),
            text=f"{side.title} SAN adjustment, SAN {san}",
            table=table(f"san_adjustment.{side.value}"),
            given={"san": san},
        )
    )
    by = SAN.facts(rolled).change
    after = change(state, san={**state.san, side: state.san[side] + by}) if by else state
    now = "drops to" if by else "stays"
    told = SANChanged(text=f"{side.title} SAN {now} {san_in_force(after, side)}.")
    return (yield from happen(state, after, told))


def _raise(state: Told, side: Side) -> Script[Told]:
    """Raise the SAN in force to 2 if it is below. Rule: 9.6122; ruling P-55."""
    san, least = san_in_force(state, side), state.frame.san.least
    if san >= least:
        return state
    after: Campaign = state
    while san_in_force(after, side) < least:
        after = change(after, san={**after.san, side: after.san.get(side, 0) + 1})
    told = SANChanged(text=f"{side.title} SAN {san} is raised to {least}.")
    return (yield from happen(state, after, told))
