"""Where something can be set up at all: what a piece could enter, and what a Fortification allows.

Rule: 9.2 Enterable, 9.619, 9.62022, B26-B30.
"""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from asl_pbcg.campaign.charts import FortificationPrice
from asl_pbcg.campaign.fortification_ground import ground_refusal
from asl_pbcg.campaign.position_words import TerrainKind
from asl_pbcg.campaign.recorded import Bought
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.terms import Side
from asl_pbcg.campaign.zones import zone_hexes
from asl_pbcg.hexes.hexset import HexSet
from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Prompt


def enterable_now(state: Campaign) -> HexSet:
    """Return the hexes that Infantry could enter: in play, no open water, no Blaze there.

    Rule: 9.2 Enterable.
    """
    board = state.board
    fires = (
        each.location
        for each in state.terrain
        if each.kind is TerrainKind.BLAZE and each.location.ground
    )
    return board.enterable - board.grid.set(where.hex for where in fires)


def friendly_setup_hexes(state: Campaign, side: Side) -> HexSet:
    """Return every hex of ``side``'s Setup Areas; for an Initial Scenario of its OB groups' zones.

    Rule: 9.2, 9.51, 9.52, 9.62021, 9.62022.
    """
    board = state.board
    hexes = board.grid.none
    if state.determined is not None:
        return state.areas.friendly(side)
    for group in state.charts.initial[state.campaign].groups:
        if group.side is side:
            hexes |= zone_hexes(group.zone, board, state.ruling("P-03"))
    return hexes


def placement_refusal(
    state: Campaign, side: Side, chart: FortificationPrice, name: str
) -> tuple[str, str]:
    """Return why ``side`` cannot set up a Fortification in the hex ``name``, and by which rule.

    Empty if it can. Rule: 9.62022, 9.619 note f, B26-B30.
    """
    if name not in friendly_setup_hexes(state, side):
        return f"{name} is in no friendly Setup Area.", "9.62022"
    if name not in enterable_now(state):
        return f"{name} is a hex that nobody can enter.", "9.2 Enterable"
    mines = chart.per == "factor"
    if mines and state.determined is not None and name not in state.areas.supplied[side]:
        return f"{name} is Isolated: no mines can be set up there.", "9.619 note f"
    barred = ground_refusal(state.board, state.terrain, chart.ground, name)
    if barred:
        ground, rule = barred
        return f"{name} has {ground}: no {chart.name} can be there.", rule
    return "", ""


def area_refusal(state: Campaign, side: Side, chart: FortificationPrice) -> tuple[str, str]:
    """Return why no hex of ``side``'s Setup Areas can take a Fortification, and by which rule.

    Empty if some hex can. Rule: 9.62022, 9.619 note f, B26-B30.
    """
    hexes = friendly_setup_hexes(state, side)
    if not hexes:
        return f"The {side.people} have no Setup Area.", "9.62022"
    rules = set()
    for name in hexes:
        refused, rule = placement_refusal(state, side, chart, name)
        if not refused:
            return "", ""
        rules.add(rule)
    if "9.619 note f" in rules:
        return "Every Setup Area that could take it is Isolated.", "9.619 note f"
    return f"No hex of a friendly Setup Area can take {chart.name}.", min(rules)


def placement_prompt(
    state: Campaign, setup: Campaign, bought: Bought, none: str, prompt: Prompt
) -> Prompt:
    """Return ``prompt`` as the question for the hex of a purchase, or for ``none``.

    ``setup`` is the campaign with the Setup Areas in which it sets up. Rule: 9.62022.
    """
    chart = setup.charts.fortifications.kinds[bought.kind]

    def check(answer: str) -> str:
        if answer.lower() == none:
            return none
        name = answer.upper()
        setup.board.grid.index(name)
        refused, rule = placement_refusal(setup, bought.side, chart, name)
        if refused:
            raise IllegalAnswer(refused, rule)
        return name

    def draw(source: Random) -> str:
        name = source.choice([none, *friendly_setup_hexes(setup, bought.side)])
        return none if placement_refusal(setup, bought.side, chart, name)[0] else str(name)

    return replace(prompt, state=state, about=bought.key, kind="text", verify=check, draw=draw)
