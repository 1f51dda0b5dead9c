"""9.620 Scenario Commencement: who sets up first, and where new Fortifications go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import msgspec

from asl_pbcg.campaign.position import Position
from asl_pbcg.campaign.scenario.snipers import san_in_force, san_recorded
from asl_pbcg.campaign.state.campaign_events import (
    FortificationBought,
    SANChanged,
    happen,
    happen_to_each,
)
from asl_pbcg.campaign.state.campaign_state import Bought, Campaign, Told, change
from asl_pbcg.campaign.state.piece_events import SetUp, ShortOfAmmunition
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import FaultsError, IllegalAnswer
from asl_pbcg.kernel.prompts import Note, Prompt, Script, ask, ask_document, paragraph
from asl_pbcg.refit.helpers.catalogue_questions import in_own_catalogue
from asl_pbcg.refit.helpers.subjects import own_part
from asl_pbcg.refit.setup.recorded_setup import purchase_name, sets_up, with_setup
from asl_pbcg.refit.setup.setup_check import check_setup
from asl_pbcg.refit.setup.setup_rules import placement_prompt, setups

LATER = "later"
NONE = "none"


def commencement(state: Told) -> Script[Told]:
    """Resolve the setup order, new Fortifications' Locations and who sets up where. Rule: 9.620."""
    order = state.frame.setup_order[state.date]
    yield Note("No CG scenario is won or lost; only the CG has Victory Conditions.", "9.6201")
    yield Note(
        f"{order.first_setup.title} set up first, {order.first_move.title} move first.",
        order.rule,
    )
    roles = state.frame.scenario_roles.get(state.date)
    if roles:
        yield Note(
            f"Scenario Attacker: {roles['attacker'].title}; "
            f"Scenario Defender: {roles['defender'].title}.",
            "CG4",
        )
    state = yield from _san_increased(state)
    both = (order.first_setup, order.first_setup.other)
    sides = [side for side in both if state.plays_part(side)]
    state = yield from _set_up_isolated(state, sides)
    for side in sides:
        yield Note(*_turn_of(state, side))
        state = yield from own_part(state, _fortifications(state, side), side)
        record = in_own_catalogue(state, side, partial(_record_setup, side=side))
        state = yield from own_part(state, record, side)
    return state


def _turn_of(state: Campaign, side: Side) -> tuple[str, str]:
    """Return what a side does now that it sets up, and by which rule. Rule: 9.62022, 9.51, 9.52."""
    if state.determined is None:
        rule = state.charts.initial[state.campaign].setup.rule
        return f"{side.title}: sets up now, or enters, as its OB says.", rule
    return (
        f"{side.title}: what is not Isolated sets up now, in the Setup Area it is Retained in; an "
        "Immobile vehicle stays where it is.",
        "9.62022",
    )


def _san_increased(state: Told) -> Script[Told]:
    """Raise the SAN of who bought that; the SAN is open, so both are told now.

    Rule: 9.619, CG13; ruling P-91.
    """
    for purchase in state.bought:
        if purchase.kind == "san" and purchase.date is state.date:
            san = state.san[purchase.side] + 1
            after = san_recorded(change(state, san={**state.san, purchase.side: san}))
            now = san_in_force(after, purchase.side)
            words = f"SAN Increase: the {purchase.side.title} SAN is {now} now."
            state = yield from happen(state, after, SANChanged(text=words, rule="9.619"))
    return state


def _set_up_isolated(state: Told, sides: Sequence[Side]) -> Script[Told]:
    """Isolated pieces of ``sides`` set up first, with Ammunition Shortage. Rule: 9.62021."""
    short: set[str] = set()
    if state.determined is not None:
        for side in sides:
            found = [setup.piece for setup in setups(state, side) if setup.isolated]
            short |= {piece.id for piece in found}
            names = ", ".join(name_piece(piece) for piece in found) or "nothing"
            yield Note(
                f"{side.title}: Isolated, set up first, Ammunition Shortage (A19.131): {names}.",
                "9.62021",
                side=side,
            )
    pieces = tuple(
        msgspec.structs.replace(piece, ammo_shortage=piece.id in short)
        if piece.side in sides and piece.ammo_shortage != (piece.id in short)
        else piece
        for piece in state.pieces
    )
    after = change(state, pieces=pieces)
    return (yield from happen_to_each(state, after, ShortOfAmmunition, own=True))


@paragraph("9.62022")
def _fortifications(state: Told, side: Side) -> Script[Told]:
    """Record the Location of each Fortification ``side`` just bought. Rule: 9.62022."""
    bought = list(state.bought)
    for index, each in enumerate(bought):
        if each.side is not side or each.at or not sets_up(state, each):
            continue
        at = yield from ask(_location(state, each))
        if at != LATER:
            bought[index] = msgspec.structs.replace(each, at=at)
    after = change(state, bought=tuple(bought))
    return (yield from happen(state, after, FortificationBought(by=side)))


@paragraph("9.6202")
def _record_setup(state: Told, side: Side) -> Script[Told]:
    """Ask for the setup of ``side`` as a position file, if it wants to record it.

    It is checked against 9.62021, 9.62022, CG6 and CG11 and kept secret. Rule: 9.6202.
    """
    document = yield from ask_document(
        Prompt(
            state=state,
            id="9.620.2",
            about=side.value,
            kind="document",
            widget="setup",
            text=f"The {side.title} setup, as a position file?",
            default=NONE,
            help="Optional: what pbcg is given it checks (areas, Guns, Immobile vehicles, RG "
            "together) and keeps: places, status, possession, Passengers, tows, VCA, CA, "
            'Fortifications. Answer "none" to set up on the map alone; the setup sheet says what '
            "may go where.",
            verify=_check_document(state, side),
            draw=lambda source: NONE,
        )
    )
    if document == NONE:
        return state
    setup = msgspec.convert(document, Position)
    after, placed = with_setup(state, side, setup), FortificationBought(by=side)
    return (yield from happen_to_each(state, after, SetUp, rest=placed))


def _check_document(state: Campaign, side: Side) -> Callable[[Any], Any]:
    def check(answer: Any) -> Any:
        if answer == NONE:
            return NONE
        try:
            setup = msgspec.convert(answer, Position)
        except msgspec.ValidationError as error:
            raise IllegalAnswer(f"That is not a position: {error}.", "9.6202") from error
        faults = check_setup(state, side, setup)
        if faults:
            raise IllegalAnswer(str(FaultsError("The setup", faults)), "9.6202")
        return answer

    return check


def _location(state: Campaign, bought: Bought) -> Prompt:
    prompt = Prompt(
        state=state,
        id="9.62022",
        widget="placement",
        default=LATER,
        text=f"In which hex does {purchase_name(state, bought)} set up?",
        help='A hex of a friendly Setup Area, for example "M12", or "later": the setup file may '
        "name it, and the end of the scenario asks for it.",
    )
    return placement_prompt(state, state, bought, LATER, prompt)
