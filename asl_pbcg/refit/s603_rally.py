"""9.603 Rally and Unloading; with it comes CG-Scenario End."""

from __future__ import annotations

from asl_pbcg.campaign.position_words import FortificationKind, UnitStatus
from asl_pbcg.campaign.scenario.victory import (
    bridge_locations,
    cg_end,
    commando_loss,
    victory_conditions,
)
from asl_pbcg.campaign.state.campaign_events import CampaignEnded, happen, happen_to_each, keep_book
from asl_pbcg.campaign.state.campaign_state import Campaign, Told, change, with_account
from asl_pbcg.campaign.state.piece_changes import drop_status, update
from asl_pbcg.campaign.state.piece_events import Recovered, Retained
from asl_pbcg.campaign.state.piece_names import name_piece, name_pieces
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Script, ask, ask_number, paragraph
from asl_pbcg.kernel.topic import IDLE
from asl_pbcg.refit.helpers.strategic_control import (
    controller,
    give_control,
    occupants,
    sole_occupant,
)
from asl_pbcg.refit.helpers.subjects import both_at
from asl_pbcg.refit.helpers.vehicle_actions import is_crew

_BROKEN = (UnitStatus.BROKEN, UnitStatus.DM, UnitStatus.DISRUPTED)


def rally_and_unloading(state: Told) -> Script[Told]:
    """Rally all, unload all, and settle whether CG End has come. Rule: 9.603."""
    state = yield from rally(state)
    state = yield from unloading(state)
    state = yield from bridge_control(state)
    state = keep_book(state, change(state, occupants=occupants(state)))
    return (yield from scenario_end(state))


def rally(state: Told) -> Script[Told]:
    """Rally every broken unit of both sides without a DR, the Disrupted too. Rule: 9.603."""
    broken = [
        piece for piece in state.pieces if piece.has(UnitStatus.BROKEN) and not piece.is_prisoner
    ]
    if not broken:
        yield Note("No unit is broken.", topic=IDLE)
    for side in state.sides:
        mine = [piece for piece in broken if piece.side is side]
        after: Campaign = state
        for piece in mine:
            after = drop_status(after, piece.id, *_BROKEN)
        state = yield from happen_to_each(state, after, Recovered)
        if mine:
            yield Note(f"The {side.people} rally: {name_pieces(mine)}.")
    return state


def unloading(state: Told) -> Script[Told]:
    """Unload Passengers, Riders and their Equipment into the vehicle's Location. Rule: 9.603."""
    aboard = [piece for piece in state.pieces if piece.aboard and not is_crew(state, piece)]
    if not aboard:
        yield Note("No Passengers or Riders are aboard a vehicle.", topic=IDLE)
    mined = {
        fortification.at
        for fortification in state.fortifications
        if fortification.kind is FortificationKind.AP_MINES and not fortification.hidden
    }
    for piece in aboard:
        place = state.piece(piece.aboard).at
        after = update(state, piece.id, aboard="", at=place)
        for item in piece.possesses:
            after = update(after, item, at=place)
        state = yield from happen(state, after, Retained(piece=piece))
        later = " A-P mines there attack in 9.6042 only." if place in mined else ""
        yield Note(f"{name_piece(piece)} unloads into {place}.{later}")
    return state


@paragraph("A26.11")
def bridge_control(state: Told) -> Script[Told]:
    """Decide who Controls each Location of Pegasus Bridge after Melee and rally.

    It is who holds the Location alone, or else who Controlled it last. Where neither is known the
    players are asked when the Victory Conditions need it; the answer stays on record.

    Rule: 9.51, 9.52, A26.11, SSR PB4; house rule P-09.
    """
    needed = state.date in state.frame.victory.bridge_dates
    for place in bridge_locations(state):
        alone = sole_occupant(state, place)
        holder = controller(state, place)
        if alone and alone is not holder:
            was = f"the {holder.people} Controlled it" if holder else "it was uncontrolled"
            words = f"The {alone.people} are alone in {place} and Control it now ({was})."
            state = yield from give_control(state, place, alone, words)
        elif needed and holder is None:
            answer = yield from ask(_last_controller(state, place))
            holder = None if answer == "nobody" else Side(answer)
            state = yield from give_control(state, place, holder)
    return state


def _last_controller(state: Campaign, place: str) -> Prompt:
    """Ask who Controls a Location that no side holds and of which no Control is on record."""
    return Prompt(
        state=state,
        id="9.603.2",
        subject=both_at(place),
        options=(
            *(Option(side.value, f"the {side.people}") for side in state.sides),
            Option("nobody", "nobody", "no Good Order MMC was ever alone there"),
        ),
        default="nobody",
        text=f"Who Controls {place}, one of the Locations of Pegasus Bridge (SSR PB4)?",
        help="No side has an armed Good Order MMC alone there, and no Control of it is on record. "
        "The side that had one there last Controls it (A26.11). The answer stays on record.",
    )


def scenario_end(state: Told) -> Script[Told]:
    """Settle CG-Scenario End: CVP stand as they are, Victory Conditions are checked.

    Rule: 9.603, 9.2 CG-Scenario End, 9.2 CG End, 9.12, 9.51, 9.52.
    """
    state = keep_book(state, with_account(state, scenario_ended=True))
    lost = state.account.cvp_lost
    words = ", ".join(f"{side.title} {lost.get(side, 0)}" for side in state.sides)
    yield Note(f"{state.date.title} CG-Scenario End. Casualty VP lost: {words}.", "9.12")
    commandos_lost = 0
    if state.date is CGDate.DAY_2:
        commandos_lost = yield from _commandos_lost(state)
    conditions = victory_conditions(state, state.board, state.catalogue, commandos_lost)
    for condition in conditions:
        verdict = {True: "Germans win", False: "not met", None: "no test"}[condition.met]
        yield Note(f"{condition.name}: {verdict}; {condition.why}.", condition.rule)
    after = cg_end(state, conditions)
    told = CampaignEnded(text=after.ended, rule="9.2 CG End")
    return (yield from happen(state, after, told))


def _commandos_lost(state: Campaign) -> Script[int]:
    """Resolve the CVP of non-Airborne 6-4-8s and 3-3-8s lost in the scenario. Rule: 9.51, 9.52."""
    computed = commando_loss(state, state.catalogue)
    lost = yield from ask_number(
        Prompt(
            state=state,
            id="9.603.1",
            rule=state.frame.campaigns[state.campaign].rule,
            kind="number",
            least=0,
            most=999,
            default=computed,
            draw=lambda source: computed,
            text="CVP of non-Airborne 6-4-8s and 3-3-8s lost in the Day II scenario?",
            help=f"By the records {computed} (9.51, 9.52).",
        )
    )
    return lost
