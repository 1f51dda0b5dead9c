"""9.6122 SAN Adjustment, and who Controls the building in II13 (CG13)."""

from __future__ import annotations

from asl_pbcg.campaign.results import SAN
from asl_pbcg.campaign.snipers import (
    ii13_controller,
    san_in_force,
    san_recorded,
)
from asl_pbcg.campaign.state import Campaign, change
from asl_pbcg.campaign.tables import table
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import Note, Roll, Script, paragraph
from asl_pbcg.kernel.tables import Rolled
from asl_pbcg.refit.ii13 import (
    german_words,
)
from asl_pbcg.refit.subjects import whole_side

BRITISH, GERMAN = Side.BRITISH, Side.GERMAN


# -- 9.6122 -----------------------------------------------------------------------------------


@paragraph("9.6122")
def san_adjustment(state: Campaign) -> Script[Campaign]:
    """Adjust the SAN of both sides for the new CG Date, then raise what is below 2.

    Rule: 9.6122; ruling C-26.
    """
    state = yield from british_san(state)
    state = yield from german_san(state)
    for side in state.sides:
        state = yield from _raise(state, side)
    state = san_recorded(state)
    yield Note(
        f"SAN for {state.date.title}: British {san_in_force(state, BRITISH)}, "
        f"{german_words(state)}.",
    )
    return state


@paragraph("9.61221")
def british_san(state: Campaign) -> Script[Campaign]:
    """Make the British adjustment dr if their SAN is 4 or more. Rule: 9.61221."""
    return (yield from _adjust(state, BRITISH, "9.61221"))


@paragraph("9.61222")
def german_san(state: Campaign) -> Script[Campaign]:
    """Make the German adjustment dr if their SAN is 4 or more and they do not Control II13.

    Rule: 9.61222; house rule C-24.
    """
    if ii13_controller(state) is GERMAN:
        yield Note(f"The Germans Control {state.frame.san.building}: their SAN is not adjusted.")
        return state
    return (yield from _adjust(state, GERMAN, "9.61222"))


def _adjust(state: Campaign, side: Side, point: str) -> Script[Campaign]:
    san, least = san_in_force(state, side), state.frame.san.adjusted_from
    if san < least:
        yield Note(f"{side.title} SAN {san} is below {least}: no adjustment dr.")
        return state
    rolled: Rolled = yield Roll(
        state=state,
        id=point,
        subject=whole_side(side, side.value),
        text=f"{side.title} SAN adjustment, SAN {san}",
        table=table(f"san_adjustment.{side.value}"),
        given={"san": san},
    )
    by = SAN.facts(rolled).change
    if by:
        state = change(state, san={**state.san, side: state.san[side] + by})
    now = "drops to" if by else "stays"
    yield Note(f"{side.title} SAN {now} {san_in_force(state, side)}.")
    return state


def _raise(state: Campaign, side: Side) -> Script[Campaign]:
    """Raise the SAN in force to 2 if it is below. Rule: 9.6122; ruling P-55."""
    san, least = san_in_force(state, side), state.frame.san.least
    if san >= least:
        return state
    yield Note(f"{side.title} SAN {san} is raised to {least}.")
    while san_in_force(state, side) < least:
        state = change(state, san={**state.san, side: state.san.get(side, 0) + 1})
    return state
