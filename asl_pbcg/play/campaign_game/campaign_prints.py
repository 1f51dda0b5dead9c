"""Maps of a campaign for the wall: with the counters a viewer may see, as a page or a poster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from asl_pbcg.campaign.location import Area
from asl_pbcg.campaign.map.board_sheet import MapHeading
from asl_pbcg.campaign.map.counter_map import counter_map, counter_pages
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.record_lines import ForceLine
from asl_pbcg.campaign.terms import Side
from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.hexes.poster import best_turn, cut_into_tiles, poster_size
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.views import UMPIRE
from asl_pbcg.kernel.wording import number_words
from asl_pbcg.play.campaign_game.campaign_map import overlay_seen, pieces_seen
from asl_pbcg.records.layout import Paper
from asl_pbcg.refit.setup.setup_rules import setups


@dataclass(frozen=True, slots=True, kw_only=True)
class MapPrint:
    """How a map of a campaign is printed.

    ``tiles`` makes a poster of so many sheets across and down; ``around`` and ``radius`` cut out a
    part; ``counters`` draws them on the map, ``spread`` adds pages on which every stack is spread.
    """

    paper: Paper = Paper.A4
    tiles: tuple[int, int] = (1, 1)
    around: str | None = None
    radius: int = 8
    counters: bool = True
    spread: bool = True


def map_prints(state: Campaign, sees: str, how: MapPrint) -> list[Drawing]:
    """Draw the map as ``sees`` may see it (a side, ``umpire``, or empty for what both may).

    Gives the map, or the sheets of its poster, then the pages of stacks. Raises UnknownHex.
    """
    lines = pieces_seen(state, sees) if how.counters else []
    part = f", {number_words(how.radius, 'hex', 'hexes')} round {how.around}" if how.around else ""
    heading = MapHeading(
        subtitle=f"{_moment(state)}{part}",
        lines=(state.frame.campaigns[state.campaign].title, _for_whom(sees)),
    )
    size = best_turn(how.paper.size, how.tiles)
    drawn = counter_map(
        state.board,
        overlay_seen(state, sees),
        lines,
        state.catalogue,
        heading=heading,
        paper=how.paper if how.tiles == (1, 1) else poster_size(size, how.tiles),
        around=how.around,
        radius=how.radius,
        terrain=state.terrain if how.counters else (),
    )
    pages = [drawn] if how.tiles == (1, 1) else cut_into_tiles(drawn, size, how.tiles)
    if how.counters and how.spread and (lines or state.terrain):
        pages += _spread(state, lines, heading, how.paper)
    return pages


def setup_map(state: Campaign, side: Side, paper: Paper) -> Drawing:
    """Draw the map on which a side plans its setup: its Setup Areas, what stays where it is.

    Only what may not choose its place stands on the map (an Immobile vehicle, a Fortification);
    everything else is on the Setup Sheet. Raises PBCGError while no scenario is to come.

    Rule: 9.62021, 9.62022.
    """
    if state.scenario_over:
        raise PBCGError("Nothing sets up now: a setup map comes with the next CG Date (9.612).")
    overlay = overlay_seen(state, side.value)
    fixed = {setup.piece.id for setup in setups(state, side) if setup.fixed}
    own = [line for line in pieces_seen(state, side.value) if line.side is side]
    standing = [line for line in own if line.id in fixed or line.kind == "other"]
    heading = MapHeading(
        subtitle=f"Setup before {state.date.title}",
        lines=(state.frame.campaigns[state.campaign].title, _for_whom(side.value)),
    )
    return counter_map(
        state.board,
        overlay,
        standing,
        state.catalogue,
        heading=heading,
        paper=paper,
        terrain=state.terrain,
    )


def _moment(state: Campaign) -> str:
    if state.ended:
        return "the end"
    if state.scenario_over:
        return f"Refit Phase after {state.date.title}"
    return f"{'before' if state.in_scenario else 'Refit Phase before'} {state.date.title}"


def _for_whom(sees: str) -> str:
    if sees == UMPIRE:
        return "for the umpire"
    return f"for the {Side(sees).title} player" if sees else "for both sides"


def _spread(
    state: Campaign, lines: Sequence[ForceLine], heading: MapHeading, paper: Paper
) -> list[Drawing]:
    titles = {}
    for side in state.sides:
        for line in lines:
            if line.side is side and line.area:
                titles[side, line.area] = str(Area.parse(line.area))
    return counter_pages(
        state.board,
        lines,
        state.catalogue,
        heading=heading,
        paper=paper,
        areas=titles,
        terrain=state.terrain,
    )
