"""9.620 Scenario Commencement: who sets up first, and where new Fortifications go."""

from __future__ import annotations

import random
from collections.abc import Callable

import msgspec

from asl_pbcg.campaign.charts import fortifications, frame, initial_scenarios
from asl_pbcg.campaign.rulings import choice
from asl_pbcg.campaign.state import Bought, Campaign, change
from asl_pbcg.campaign.terms import Side
from asl_pbcg.campaign.zones import zone_hexes
from asl_pbcg.hexes.board import load_board
from asl_pbcg.hexes.hexset import HexSet
from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Prompt, Script, ask, tell

LATER = "later"


def commencement(state: Campaign) -> Script[Campaign]:
    """Settle the setup order and record where new Fortifications set up. Rule: 9.620."""
    order = frame().setup_order[state.date]
    yield from tell("No CG scenario is won or lost; only the CG has Victory Conditions.", "9.6201")
    yield from tell(
        f"{order.first_setup.title} set up first, {order.first_move.title} move first.",
        order.rule,
    )
    roles = frame().scenario_roles.get(state.date)
    if roles:
        yield from tell(
            f"Scenario Attacker: {roles['attacker'].title}; "
            f"Scenario Defender: {roles['defender'].title}.",
            "CG4",
        )
    for side in (order.first_setup, order.first_setup.other):
        state = yield from _fortifications(state, side)
    return state


def _fortifications(state: Campaign, side: Side) -> Script[Campaign]:
    """Record the Location of each Fortification ``side`` just bought. Rule: 9.62022."""
    area = friendly_setup_hexes(state, side)
    bought = list(state.bought)
    for index, each in enumerate(bought):
        chart = fortifications().kinds[each.kind]
        placed = chart.size or chart.per == "factor"
        if each.side is not side or each.date is not state.date or each.at or not placed:
            continue
        at = yield from ask(_location(each, side, area))
        if at != LATER:
            bought[index] = msgspec.structs.replace(each, at=at)
    return change(state, bought=tuple(bought))


def friendly_setup_hexes(state: Campaign, side: Side) -> HexSet:
    """Every hex of ``side``'s Setup Areas; for an Initial Scenario of its OB groups' zones.

    Rule: 9.2 Initial Scenario, 9.51, 9.52.
    """
    board = load_board()
    hexes = board.grid.set([])
    for group in initial_scenarios()[state.campaign].groups:
        if group.side is side:
            hexes |= zone_hexes(group.zone, board, choice(state.house_rules, "P-03"))
    return hexes


def _location(bought: Bought, side: Side, area: HexSet) -> Prompt:
    chart = fortifications().kinds[bought.kind]
    name = f"{bought.factors} factors {chart.name}" if bought.factors else chart.name
    return Prompt(
        id="9.62022",
        rule="9.62022",
        side=side,
        secret=True,
        kind="text",
        default=LATER,
        text=f"In which hex does {bought.key} ({name}) set up?",
        help='A hex of a friendly Setup Area, for example "M12", or "later" to record it when '
        "you set up.",
        verify=_check_location(area),
        draw=_draw_location(area),
    )


def _check_location(area: HexSet) -> Callable[[str], str]:
    def check(answer: str) -> str:
        if answer.lower() == LATER:
            return LATER
        name = answer.upper()
        area.grid.index(name)
        if name not in area:
            raise IllegalAnswer(f"{name} is in no friendly Setup Area.", "9.62022")
        return name

    return check


def _draw_location(area: HexSet) -> Callable[[random.Random], str]:
    def draw(source: random.Random) -> str:
        return str(source.choice([LATER, *area]))

    return draw
