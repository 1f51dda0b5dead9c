"""9.6122 SAN Adjustment, and who Controls the building in II13 (CG13)."""

from __future__ import annotations

from asl_pbcg.campaign.snipers import (
    ii13_change,
    ii13_controller,
    ii13_holders,
    san_changed,
    san_in_force,
    san_recorded,
)
from asl_pbcg.campaign.state import Campaign, change
from asl_pbcg.campaign.tables import table
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.campaign.zones import zone_hexes
from asl_pbcg.kernel.prompts import Option, Prompt, Roll, Script, ask, tell, throw

BRITISH, GERMAN = Side.BRITISH, Side.GERMAN
NOBODY = "nobody"


# -- CG13: building II13 ----------------------------------------------------------------------


def control_of_ii13(state: Campaign, played: CGDate) -> Script[Campaign]:
    """Settle who Controls the building in II13 as the new CG Date begins; ``played`` was the last.

    Both sides are asked only if each Controls a Location of it and the answer matters.

    Rule: 9.61222, CG13; house rule C-24; ruling P-53.
    """
    before = state.ii13
    holders = ii13_holders(state)
    state = change(state, ii13=holders[0].value if len(holders) == 1 else "")
    matters = (
        counts(state, state.date) or san_in_force(state, GERMAN) >= state.frame.san["adjusted_from"]
    )
    if len(holders) > 1 and matters:
        state = yield from _disputed(state)
    holder = ii13_controller(state)
    who = f"The {holder.people} Control" if holder else "Neither side Controls"
    yield from tell(f"{who} the building in {state.frame.san['building']}.", "9.61222")
    if state.plays("C-24", "once"):
        new = not counts(state, played) or before != state.ii13
        return (yield from _changed_once(state) if new else _as_it_is(state))
    change_ = ii13_change(state)
    if change_:
        yield from tell(f"German SAN {change_:+d}: {_german(state)}.", "CG13")
    return state


def counts(state: Campaign, date: CGDate) -> bool:
    """Whether Control of II13 moves the German SAN on a CG Date. Rule: CG13."""
    return date in state.frame.san["ii13_dates"]


def _disputed(state: Campaign) -> Script[Campaign]:
    building = state.frame.san["building"]
    held = "; ".join(
        f"{side.title} {', '.join(str(each) for each in places)}"
        for side in state.sides
        if (places := [p for p in state.control.locations(side) if p.hex == building])
    )
    answer = yield from ask(
        Prompt(
            id="9.61222.0",
            about=building,
            rule="9.61222",
            options=(
                Option(BRITISH.value, "the British", "German SAN -2"),
                Option(GERMAN.value, "the Germans", "German SAN +2 and no adjustment dr"),
                Option(NOBODY, "neither side", "no change"),
            ),
            text=f"Who Controls the building in {building}?",
            where=building,
            help=f"Each side Controls a Location of it: {held}. See A26.12 for buildings.",
        )
    )
    return change(state, ii13="" if answer == NOBODY else str(answer))


def _as_it_is(state: Campaign) -> Script[Campaign]:
    yield from tell(f"Its Control has not changed: {_german(state)}.", "CG13")
    return state


def _changed_once(state: Campaign) -> Script[Campaign]:
    """Change the German SAN for good, as Control of II13 has changed. House rule C-24."""
    holder = ii13_controller(state)
    if holder is None or not counts(state, state.date):
        return state
    by: int = state.frame.san["ii13_change"] * (1 if holder is GERMAN else -1)
    san = san_changed(state, state.san.get(GERMAN, 0), by)
    state = change(state, san={**state.san, GERMAN: san})
    yield from tell(f"German SAN {by:+d}, once: {_german(state)}.", "CG13")
    return state


def ii13_at_start(state: Campaign) -> Script[Campaign]:
    """Settle who Controls II13 as a campaign begins: the side whose setup zone it lies in.

    Rule: CG13; house rules C-24, C-75; ruling P-54.
    """
    if not counts(state, state.date):
        return state
    building, board = state.frame.san["building"], state.board
    holders = {
        group.side
        for group in state.charts.initial[state.campaign].groups
        if building in zone_hexes(group.zone, board, state.ruling("P-03"))
    }
    if len(holders) != 1:
        return state
    holder = holders.pop()
    if state.plays("C-75", "from-second"):
        yield from tell(f"Building {building} counts from the second CG Date on.", "CG13")
        return state
    state = change(state, ii13=holder.value)
    yield from tell(f"Building {building} is in the {holder.title} setup zone.", "CG13")
    if state.plays("C-24", "once"):
        state = yield from _changed_once(state)
    else:
        yield from tell(f"{_german(state)}.", "CG13")
    return san_recorded(state)


def _german(state: Campaign) -> str:
    """The German SAN in words, and what it is without II13."""
    now, base = san_in_force(state, GERMAN), state.san.get(GERMAN, 0)
    return f"German SAN {now}" + (f" ({base} without II13)" if now != base else "")


# -- 9.6122 -----------------------------------------------------------------------------------


def san_adjustment(state: Campaign) -> Script[Campaign]:
    """Adjust the SAN of both sides for the new CG Date, then raise what is below 2.

    Rule: 9.6122; ruling C-26.
    """
    state = yield from british_san(state)
    state = yield from german_san(state)
    for side in state.sides:
        state = yield from _raised(state, side)
    state = san_recorded(state)
    yield from tell(
        f"SAN for {state.date.title}: British {san_in_force(state, BRITISH)}, {_german(state)}.",
        "9.6122",
    )
    return state


def british_san(state: Campaign) -> Script[Campaign]:
    """Make the British adjustment dr if their SAN is 4 or more. Rule: 9.61221."""
    return (yield from _adjusted(state, BRITISH, "9.61221"))


def german_san(state: Campaign) -> Script[Campaign]:
    """Make the German adjustment dr if their SAN is 4 or more and they do not Control II13.

    Rule: 9.61222; house rule C-24.
    """
    if ii13_controller(state) is GERMAN:
        yield from tell(
            f"The Germans Control {state.frame.san['building']}: their SAN is not adjusted.",
            "9.61222",
        )
        return state
    return (yield from _adjusted(state, GERMAN, "9.61222"))


def _adjusted(state: Campaign, side: Side, rule: str) -> Script[Campaign]:
    san, least = san_in_force(state, side), state.frame.san["adjusted_from"]
    if san < least:
        yield from tell(f"{side.title} SAN {san} is below {least}: no adjustment dr.", rule)
        return state
    rolled = yield from throw(
        Roll(
            id=rule,
            about=side.value,
            text=f"{side.title} SAN adjustment, SAN {san}",
            rule=rule,
            table=table(f"san_adjustment.{side.value}"),
            given={"san": san},
            side=side,
            where=side.value,
        )
    )
    by = rolled.facts.get("change", 0)
    if by:
        state = change(state, san={**state.san, side: state.san[side] + by})
    now = "drops to" if by else "stays"
    yield from tell(f"{side.title} SAN {now} {san_in_force(state, side)}.", rule)
    return state


def _raised(state: Campaign, side: Side) -> Script[Campaign]:
    """Raise the SAN in force to 2 if it is below. Rule: 9.6122; ruling P-55."""
    san, least = san_in_force(state, side), state.frame.san["least"]
    if san >= least:
        return state
    yield from tell(f"{side.title} SAN {san} is raised to {least}.", "9.6122")
    while san_in_force(state, side) < least:
        state = change(state, san={**state.san, side: state.san.get(side, 0) + 1})
    return state
