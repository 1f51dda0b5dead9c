"""The secret turns of the other side between two steps: those it had, and those it may have had."""

from __future__ import annotations

from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.terms import CGDate, Side


def side_with_turn_since(state: Campaign, step: str, side: Side) -> str:
    """Return the other side if it may have acted in secret since ``side`` was asked in ``step``.

    Empty if it cannot have. Whether it was asked anything in those steps does not matter: that is
    its secret. Rule: 9.613-9.620; ruling P-90.
    """
    date, _, at = step.partition("/")
    dates = state.frame.campaigns[state.campaign].dates
    if date not in dates or at not in _steps_of_date(state):
        return side.other.value
    between = _between(state, CGDate(date), at)
    if len(between) < 2:  # each side has one turn in a step; a step to come was corrected away
        return "" if between else side.other.value
    before, after = _turns(state, *between[0]), _turns(state, *between[-1])
    acts = (
        side.other in before and (side not in before or before.index(side) == 0),
        side.other in after and after.index(side.other) == 0,
        *(side.other in _turns(state, *each) for each in between[1:-1]),
    )
    return side.other.value if any(acts) else ""


def _steps_of_date(state: Campaign) -> list[str]:
    """Return the steps of one CG Date in order: it begins in the middle of a RePh. Rule: 9.612."""
    module, steps = state.module, state.frame.steps
    secret = [each.step for each in steps if each.secret]
    open_steps = [each.step for each in steps if not each.secret]
    return [module.initial, *secret, module.from_paper, module.scenario, *open_steps]


def _between(state: Campaign, date: CGDate, at: str) -> list[tuple[CGDate, str]]:
    """Return the steps of each CG Date from one to that in progress, both included."""
    dates = state.frame.campaigns[state.campaign].dates
    spans = [
        (each, step)
        for each in dates[dates.index(date) : dates.index(state.date) + 1]
        for step in _steps_of_date(state)
    ]
    now = (state.date, state.at)
    if (date, at) not in spans or now not in spans:
        return []
    return spans[spans.index((date, at)) : spans.index(now) + 1]


def _turns(state: Campaign, date: CGDate, at: str) -> tuple[Side, ...]:
    """Return the sides that act in secret in a step, in their order."""
    chart = state.frame.step(at)
    if chart is None or not chart.secret:
        return ()
    if chart.side:
        return (chart.side,)
    first = chart.first or state.frame.setup_order[date].first_setup
    return (first, first.other)
