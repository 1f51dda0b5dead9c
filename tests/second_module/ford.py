"""A made-up historical module, to see what one brings: two dates, 60 hexes, other sides and RG.

Nothing in it is history or a published game. Its rules are M.1 to M.6; where they are those of the
Refit Phase (Marker Removal, Setup Areas, Escape, New CG Date) the real procedures serve.
"""

# No annotations as text here: msgspec reads those of the structs.

from pathlib import Path
from typing import Any

import msgspec

from asl_pbcg.campaign.module.campaign_module import Module
from asl_pbcg.campaign.state.campaign_state import (
    Campaign,
    ReceivedGroup,
    change,
    group_key,
    with_account,
    with_group,
)
from asl_pbcg.campaign.state.ob_merge import take_position
from asl_pbcg.campaign.state.piece_changes import add_pieces, update
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import (
    ONE_DIE,
    Note,
    Option,
    Prompt,
    Roll,
    Script,
    ask,
    ask_document,
    throw,
)

HERE = Path(__file__).resolve().parent
UPLAND, LOWLAND = Side.admit("upland", "lowland")
EVE, MORROW = CGDate.admit("eve", "morrow")


def end_of_battle(state: Campaign) -> Script[Campaign]:
    """Take in what the map looks like when a scenario has ended. Rule: M.20."""

    def settled(answer: Any) -> Any:
        try:
            return msgspec.to_builtins(msgspec.convert(answer, state.module.position))
        except msgspec.ValidationError as error:
            raise IllegalAnswer(f"This is not a position: {error}.", "M.20") from error

    document = yield from ask_document(
        Prompt(id="M.20", rule="M.20", kind="document", text="The end position?", verify=settled)
    )
    before = len(state.gone)
    state = take_position(state, msgspec.convert(document, state.module.position))
    for piece in state.pieces:
        if piece.on_map:  # it has come on: no longer where it was to set up or enter
            state = update(state, piece.id, area="")
    yield Note(f"{len(state.gone) - before} pieces were lost in play.", "M.20")
    if state.date is MORROW:
        holder = _holder(state)
        state = change(state, ended=f"{holder.people} hold the Ford", won_by=holder)
        yield Note(state.ended, "M.6")
    return state


def _holder(state: Campaign) -> Side:
    """Who Controls more Strategic Locations at the end. Rule: M.6."""
    return max(state.sides, key=lambda side: len(state.control.of(side)))


def muster(state: Campaign) -> Script[Campaign]:
    """Let the Uplanders buy Kerns and Levy in secret, and roll for their Strength. Rule: M.25."""
    charts = state.charts.groups.groups
    left = state.cpp if state.date is EVE else state.cpp + state.frame.cpp_base[state.date]
    while any((chart.cost or 0) <= left for chart in charts.values()):
        options = [
            Option(
                id,
                f"{chart.name}, {chart.organisation}",
                f"{chart.cost} CPP",
                refused="" if (chart.cost or 0) <= left else f"It costs {chart.cost}, {left} left.",
                rule="M.25",
            )
            for id, chart in charts.items()
        ]
        bought = yield from ask(
            Prompt(
                id="M.25",
                rule="M.25",
                side=UPLAND,
                secret=True,
                text=f"Which RG? {left} CPP are left.",
                options=(*options, Option("none", "no more")),
            )
        )
        if bought == "none":
            break
        chart = charts[bought]
        left -= chart.cost or 0
        rolled = yield from throw(
            Roll(id="M.251", rule="M.251", side=UPLAND, secret=True, dice=ONE_DIE,
                 text=f"Strength of {chart.name}", about=bought)
        )  # fmt: skip
        full = rolled.original >= 3
        group = ReceivedGroup(
            key=group_key(state, bought), id=bought, date=state.date, cost=chart.cost or 0,
            strength="full" if full else "depleted", area="A5", settled=True,
        )  # fmt: skip
        state = with_group(state, group)
        units = [(type, all if full or some is None else some) for all, some, type in chart.units]
        state = add_pieces(state, UPLAND, units, openly=False, rg=group.key, area="A5")
        yield Note(f"{chart.name}: {group.strength}.", "M.251", UPLAND, secret=True)
    return with_account(change(state, cpp=left), cpp_left=left)


FORD = Module(
    name="the-ford",
    title="The Ford",
    folder=str(HERE),
    campaigns=("UP1",),
    sides=(UPLAND, LOWLAND),
    dates=(EVE, MORROW),
    initial="M.1",
    scenario="scenario",
    procedures={
        "M.1": "asl_pbcg.refit.s950_initial:orders_of_battle",
        "scenario": "second_module.ford:end_of_battle",
        "M.21": "asl_pbcg.refit.s602_markers:marker_removal",
        "M.22": "asl_pbcg.refit.s605_areas:setup_area_determination",
        "M.23": "asl_pbcg.refit.s606_escape:escape",
        "M.24": "asl_pbcg.refit.s612_new_date:new_cg_date",
        "M.25": "second_module.ford:muster",
    },
    sheets=("forces", "report", "map"),
)
