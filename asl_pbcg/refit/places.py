"""Where pieces may be assigned: friendly Setup Areas and Entry Areas, with their prices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from asl_pbcg.campaign.entry_areas import entry_areas
from asl_pbcg.campaign.location import Area
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.terms import Side


@dataclass(frozen=True, slots=True)
class Place:
    """A Setup Area or Entry Area; ``cost`` is the CPP Entry Cost per RG."""

    id: str
    name: str
    cost: int = 0


def area_words(area: str) -> str:
    """An area by its ID as prompts name it: ``Setup Area B``, ``Entry Area A7``."""
    return str(Area.parse(area))


def is_off_map(area: str) -> bool:
    """Whether the ID of an area names an Entry Area: what is Retained there is off map."""
    return Area.parse(area).is_entry_area


def entry_places(state: Campaign) -> list[Place]:
    """The German Entry Areas with their CPP Entry Costs, balance included.

    Rule: CG5, 9.61741, 9.31.
    """
    change = 0
    if state.balance == "german":
        change = state.frame.balance[Side.GERMAN].entry_cost_change
    places = []
    for arrow, area in entry_areas(state.board).items():
        if area.side == Side.GERMAN.value:
            printed = area.cost or 0
            cost = max(0, printed + change) if printed > 0 else printed
            places.append(Place(arrow, f"Entry Area {arrow}", cost))
    return places


def setup_places(state: Campaign, side: Side) -> list[Place]:
    """The non-Isolated friendly Setup Areas; for an Initial Scenario those of its OB groups.

    Rule: 9.6178, 9.2 Initial Scenario.
    """
    if state.determined is not None:
        return [
            Place(area.id, f"Setup Area {area.id}: {_some(area.strategic_locations)}")
            for area in state.areas.areas[side]
            if not area.isolated
        ]
    initial = state.charts.initial[state.campaign]
    return [
        Place(group.area, f"Setup Area {group.area}: {group.place}")
        for group in initial.groups
        if group.side is side and group.formation and not group.zone.entry and not group.zone.glider
    ]


def _some(places: Sequence[object]) -> str:
    """The first few of a list of places, in words."""
    words = " ".join(str(place) for place in places[:5])
    return f"{words} ..." if len(places) > 5 else words
