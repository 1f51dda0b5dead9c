"""9.616 CPP Replenishment: the CPP Base number and CG Scenario Loss Points."""

from __future__ import annotations

from asl_pbcg.campaign.module.campaign_tables import table
from asl_pbcg.campaign.state.campaign_events import Paid, happen
from asl_pbcg.campaign.state.campaign_state import Campaign, DateAccount, Told, change, with_account
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.prompts import Note, Roll, Script, paragraph, throw
from asl_pbcg.kernel.wording import number_words

GERMAN, BRITISH = Side.GERMAN, Side.BRITISH


def cpp_replenishment(state: Told) -> Script[Told]:
    """Give the German the CPP of the new CG Date: CPP Base plus Loss Points. Rule: 9.616."""
    base = yield from cpp_base(state)
    points = yield from loss_points(state)
    if state.date is CGDate(state.frame.loss_points.record_from):
        yield Note(
            "From this CG scenario on Casualty VP are recorded for CG Scenario Loss Points.",
            "9.6161",
        )
    if not base and not points:
        return state
    after = change(state, cpp=state.cpp + base + points)
    told = Paid(
        text=f"{state.cpp} CPP left over, {base} CPP Base, {number_words(points, 'Loss Point')}: "
        f"{after.cpp} in all.",
        side=GERMAN,
        by=GERMAN,
    )
    after = with_account(after, cpp_base=base, cpp_loss_points=points)
    return (yield from happen(state, after, told))


@paragraph("9.6161")
def cpp_base(state: Campaign) -> Script[int]:
    """Resolve the CPP Base number; on some CG Dates there is none. Rule: 9.6161."""
    base = state.frame.cpp_base.get(state.date, 0)
    number = str(base) if base else "None"
    yield Note(f"CPP Base number of {state.date.title}: {number}.")
    return base


# -- 9.6162 ---------------------------------------------------------------------------------


def prior_account(state: Campaign) -> DateAccount | None:
    """Return the account of the CG scenario just played. Rule: 9.6162."""
    before = [each for each in state.accounts if each.date.number < state.date.number]
    return max(before, key=lambda each: each.date.number, default=None)


def cvp_lost(state: Campaign) -> dict[Side, int]:
    """Return the CVP each side lost in the prior CG scenario, for Loss Points.

    Rule: 9.6162, 9.6102; rulings C-30, P-80.
    """
    account = prior_account(state)
    return {side: account.cvp_counted(side) if account else 0 for side in state.sides}


@paragraph("9.6162")
def loss_points(state: Campaign) -> Script[int]:
    """Resolve the CG Scenario Loss Points, if the German has lost that much and rolls for them.

    Rule: 9.6162; house rule C-27; rulings C-28, C-29.
    """
    rule = state.frame.loss_points
    if state.date.number < CGDate(rule.first_date).number:
        return 0
    if state.date is CGDate.DUSK and state.plays("C-27", "none-at-dusk"):
        yield Note("No CPP at all at Dusk (house rule C-27).", "9.6161")
        return 0
    lost = cvp_lost(state)
    german, british = lost[GERMAN], lost[BRITISH]
    ratio, difference = rule.ratio, rule.difference
    enough = german >= ratio * british and german - british >= difference
    yield Note(
        f"CVP lost in the prior CG scenario: German {german}, British {british}. Loss Points want "
        f"at least {ratio} times as many and {difference} more: {'yes' if enough else 'no'}.",
    )
    if not enough:
        return 0
    rolled = yield from throw(
        Roll(
            state=state,
            id="9.6162",
            text="CG Scenario Loss Points",
            table=table("loss_points"),
        )
    )
    return int(rolled.result)
