"""Control of Fortifications. Rule: 9.6073."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.position import ControlOfSides, Fortification
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.terms import Side

if TYPE_CHECKING:
    from asl_pbcg.campaign.areas.area_map import AreaMap


def location_controller(state: Campaign, location: Location) -> Side | None:
    """The side that Controls a Location, and so the on-map Fortifications in it; None if nobody.

    A Location that is not a Strategic Location is taken to be Controlled by the side whose
    Setup Area it lies in, once 9.605 has determined them. Rule: 9.6073, A26.11.
    """
    return _controller(location, state.control, state.areas if state.determined else None)


def holder(state: Campaign, work: Fortification) -> Side | None:
    """Return the side that holds a Fortification: on the map the side that Controls its Location.

    If it is hidden, or no side is known to Control its Location, the side that placed it.

    Rule: 9.6073.
    """
    if work.hidden and not state.has_counter(work):
        return work.owner
    return location_controller(state, work.location) or work.owner


def holder_on_map(work: Fortification, control: ControlOfSides, areas: AreaMap) -> Side | None:
    """Return who Controls a Fortification of a position outside a campaign.

    ``control`` and ``areas`` are those of the position.

    Rule: 9.6073.
    """
    if work.hidden:
        return work.owner
    return _controller(work.location, control, areas) or work.owner


def _controller(location: Location, control: ControlOfSides, areas: AreaMap | None) -> Side | None:
    places = {str(location), location.hex} if location.pillbox else {str(location)}
    for side in control.sides:
        if not places.isdisjoint(control.of(side)):
            return side
    if areas is None:
        return None
    return next((side for side in control.sides if areas.area_of(side, location)), None)
