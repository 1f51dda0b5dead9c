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


def holder(state: Campaign, each: Fortification) -> Side | None:
    """The side whose a Fortification is now: on the map whoever Controls its Location.

    A hidden one, and one in a Location that nobody is known to Control, is still of who placed it.

    Rule: 9.6073.
    """
    if each.hidden and not state.has_counter(each):
        return each.owner
    return location_controller(state, each.location) or each.owner


def holder_on_map(each: Fortification, control: ControlOfSides, areas: AreaMap) -> Side | None:
    """Return who Controls a Fortification of a position outside a campaign.

    ``control`` and ``areas`` are those of the position.

    Rule: 9.6073.
    """
    if each.hidden:
        return each.owner
    return _controller(each.location, control, areas) or each.owner


def _controller(location: Location, control: ControlOfSides, areas: AreaMap | None) -> Side | None:
    places = {str(location), location.hex} if location.pillbox else {str(location)}
    for side in control.sides:
        if not places.isdisjoint(control.of(side)):
            return side
    if areas is None:
        return None
    return next((side for side in control.sides if areas.area_of(side, location)), None)
