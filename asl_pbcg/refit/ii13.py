"""Control of the building in II13, and its effect on the German SAN. Rule: CG13, 9.61222."""

from __future__ import annotations

from asl_pbcg.campaign.events import happen, keep_book
from asl_pbcg.campaign.fact_events import BuildingControlled, SANChanged
from asl_pbcg.campaign.snipers import (
    ii13_change,
    ii13_controller,
    ii13_holders,
    san_changed,
    san_in_force,
    san_recorded,
)
from asl_pbcg.campaign.state import Campaign, Told, change
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.campaign.zones import zone_hexes
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Script, paragraph
from asl_pbcg.refit.subjects import both_at

BRITISH, GERMAN = Side.BRITISH, Side.GERMAN
NOBODY = "nobody"


@paragraph("CG13")
def control_of_ii13(state: Told, played: CGDate) -> Script[Told]:
    """Decide who Controls the building in II13 as the new CG Date begins; ``played`` was the last.

    Both sides are asked only if each Controls a Location of it and the answer matters.

    Rule: 9.61222, CG13; house rule C-24; ruling P-53.
    """
    before = state.ii13
    holders = ii13_holders(state)
    after = change(state, ii13=holders[0].value if len(holders) == 1 else "")
    state = yield from happen(state, after, BuildingControlled())
    matters = (
        counts(state, state.date) or san_in_force(state, GERMAN) >= state.frame.san.adjusted_from
    )
    if len(holders) > 1 and matters:
        state = yield from _settle_dispute(state)
    holder = ii13_controller(state)
    who = f"The {holder.people} Control" if holder else "Neither side Controls"
    yield Note(f"{who} the building in {state.frame.san.building}.", "9.61222")
    if state.plays("C-24", "once"):
        new = not counts(state, played) or before != state.ii13
        return (yield from _change_once(state) if new else _as_it_is(state))
    change_ = ii13_change(state)
    if change_:
        yield Note(f"German SAN {change_:+d}: {german_words(state)}.")
    return state


def counts(state: Campaign, date: CGDate) -> bool:
    """Return whether Control of II13 moves the German SAN on a CG Date. Rule: CG13."""
    return date in state.frame.san.ii13_dates


@paragraph("9.61222")
def _settle_dispute(state: Told) -> Script[Told]:
    building = state.frame.san.building
    held = "; ".join(
        f"{side.title} {', '.join(str(each) for each in places)}"
        for side in state.sides
        if (places := [p for p in state.control.locations(side) if p.hex == building])
    )
    answer = yield Prompt(
        state=state,
        id="9.61222.0",
        subject=both_at(building),
        options=(
            Option(BRITISH.value, "the British", "German SAN -2"),
            Option(GERMAN.value, "the Germans", "German SAN +2 and no adjustment dr"),
            Option(NOBODY, "neither side", "no change"),
        ),
        text=f"Who Controls the building in {building}?",
        help=f"Each side Controls a Location of it: {held}. See A26.12 for buildings.",
    )
    after = change(state, ii13="" if answer == NOBODY else str(answer))
    return (yield from happen(state, after, BuildingControlled()))


def _as_it_is(state: Told) -> Script[Told]:
    yield Note(f"Its Control has not changed: {german_words(state)}.")
    return state


def _change_once(state: Told) -> Script[Told]:
    """Change the German SAN for good, as Control of II13 has changed. House rule C-24."""
    holder = ii13_controller(state)
    if holder is None or not counts(state, state.date):
        return state
    by: int = state.frame.san.ii13_change * (1 if holder is GERMAN else -1)
    san = san_changed(state, state.san.get(GERMAN, 0), by)
    after = change(state, san={**state.san, GERMAN: san})
    told = SANChanged(text=f"German SAN {by:+d}, once: {german_words(after)}.")
    return (yield from happen(state, after, told))


@paragraph("CG13")
def ii13_at_start(state: Told) -> Script[Told]:
    """Decide who Controls II13 as a campaign begins: the side whose setup zone it lies in.

    Rule: CG13; house rules C-24, C-75; ruling P-54.
    """
    if not counts(state, state.date):
        return state
    building, board = state.frame.san.building, state.board
    holders = {
        group.side
        for group in state.charts.initial[state.campaign].groups
        if building in zone_hexes(group.zone, board, state.ruling("P-03"))
    }
    if len(holders) != 1:
        return state
    holder = holders.pop()
    if state.plays("C-75", "from-second"):
        yield Note(f"Building {building} counts from the second CG Date on.")
        return state
    told = BuildingControlled(text=f"Building {building} is in the {holder.title} setup zone.")
    state = yield from happen(state, change(state, ii13=holder.value), told)
    if state.plays("C-24", "once"):
        state = yield from _change_once(state)
    else:
        yield Note(f"{german_words(state)}.")
    return keep_book(state, san_recorded(state))


def german_words(state: Campaign) -> str:
    """Return the German SAN in words, and what it is without II13."""
    now, base = san_in_force(state, GERMAN), state.san.get(GERMAN, 0)
    return f"German SAN {now}" + (f" ({base} without II13)" if now != base else "")
