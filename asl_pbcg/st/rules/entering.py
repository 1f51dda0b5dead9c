"""What happens when British units have entered a place: activation, capture, Opportunity Fire."""

from __future__ import annotations

from collections.abc import Sequence

from asl_pbcg.kernel.prompts import Script
from asl_pbcg.st.rules.garrisons import activate_near, capture_schmidt
from asl_pbcg.st.rules.opportunity_fire import german_opportunity_fire
from asl_pbcg.st.rules.situation import Situation
from asl_pbcg.st.terms import GERMAN


def enter(sit: Situation, movers: Sequence[str], fire: bool = True) -> Script[None]:
    """British ``movers`` have entered the place where they stand now.

    Counters near it turn up, Schmidt alone is captured, the Germans fire.
    Rule: ST-GAR-02, ST-MER-10, ST-OPF-01, ST-OPF-06.
    """
    area = sit.units[movers[0]].area
    if sit.german.keys().isdisjoint(sit.rules.near_places[area]):
        return
    yield from activate_near(sit, area)
    if sit.is_occupied(GERMAN, area):
        yield from capture_schmidt(sit, area, movers[0])
    if fire:
        yield from german_opportunity_fire(sit, movers)
