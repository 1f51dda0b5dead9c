"""Secret turns of one side, in which nothing shows the other whether something was asked."""

from __future__ import annotations

from typing import TypeVar

from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import Option, Prompt, Script, secretly, under
from asl_pbcg.refit.subjects import whole_side

T = TypeVar("T")

PASS = "pass"
"""The decision point of a prompt that is there only so that waiting tells nothing."""


def own_turn(state: Campaign, script: Script[T], side: Side, rule: str) -> Script[T]:
    """Run ``script`` so that ``side`` alone sees it, and ask that side something in any case.

    Else the other side would know, by not having to wait, that nothing was asked. It stands under
    ``rule`` where it names none.
    """
    return under(secretly(_with_pass(state, script, side), side), rule=rule)


def _with_pass(state: Campaign, script: Script[T], side: Side) -> Script[T]:
    asked, sent = False, None
    while True:
        try:
            item = script.send(sent)
        except StopIteration as finished:
            settled: T = finished.value
            if not asked:  # the state as it is now, not as the turn began
                yield pass_prompt(settled if isinstance(settled, Campaign) else state, side)
            return settled
        asked = asked or isinstance(item, Prompt)
        sent = yield item


def pass_prompt(state: Campaign, side: Side) -> Prompt:
    """Nothing is asked of ``side``: it goes on, and the other side cannot tell."""
    return Prompt(
        state=state,
        id=PASS,
        subject=whole_side(side),
        options=(Option("on", "go on"),),
        default="on",
        text=f"Nothing is asked of the {side.people} here.",
        help="The other side waits for you in any case, so that waiting tells nothing.",
    )
