"""Control of Strategic Locations: who has it, and who alone is there to gain it. Rule: A26.11."""

from __future__ import annotations

from asl_pbcg.campaign.events import happen
from asl_pbcg.campaign.fact_events import ControlGained
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.merge import to_position
from asl_pbcg.campaign.occupation import is_armed, sole_occupants
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.state import Campaign, Told, change
from asl_pbcg.campaign.strategic import StrategicLocations
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import Script
from asl_pbcg.refit.situation import at_location


def controller(state: Campaign, place: str) -> Side | None:
    """Return who Controls a Strategic Location; None if nobody does. Rule: 9.605."""
    return next((side for side in state.sides if place in state.control.of(side)), None)


def with_control(state: Campaign, place: str, holder: Side | None) -> Campaign:
    """Return the state with a Control marker of ``holder``, or of nobody, in a Location.

    Rule: 9.605.
    """
    position = state.board.grid.position

    def order(text: str) -> tuple[int, str]:
        return position.get(Location.parse(text).hex, len(position)), text

    control = state.control.give({place: holder})
    if holder:
        held = sorted(control.of(holder), key=order)
        others = {each: control.of(each) for each in state.sides if each is not holder}
        control = control.with_places({**others, holder: held})
    return change(state, control=control)


def give_control(
    state: Told, place: str, holder: Side | None, words: str = "", rule: str = ""
) -> Script[Told]:
    """Give a side, or nobody, Control of a Location; ``words`` tell it in the log. Rule: 9.605."""
    told = ControlGained(place=place, by=holder, text=words, rule=rule)
    return (yield from happen(state, with_control(state, place, holder), told))


def armed_units(state: Campaign, place: str) -> list[Piece]:
    """Return the units in a Location that keep the enemy from gaining Control of it.

    Rule: A26.11.
    """
    return [piece for piece in at_location(state, place) if is_armed(piece, piece.kind)]


def sole_occupant(state: Campaign, place: str) -> Side | None:
    """Return the side that has an armed Good Order Infantry MMC in a Location and no armed enemy.

    Rule: A26.11.
    """
    alone = sole_occupants((piece, piece.kind) for piece in at_location(state, place))
    return alone[0].side if alone else None


def occupants(state: Campaign) -> dict[str, Side]:
    """Return the side alone in each Location with an armed Good Order MMC. Rule: A26.11."""
    places = dict.fromkeys(piece.at for piece in state.pieces if piece.on_map)
    return {place: side for place in places if (side := sole_occupant(state, place))}


def vehicle_alone(state: Campaign, strategic: StrategicLocations, place: str) -> Side | None:
    """Return the side whose manned vehicle makes a Location Strategic, with no armed enemy there.

    A vehicle in Bypass leaves the Location to whoever Controls it. Rule: 9.2, 9.6056.
    """
    units = armed_units(state, place)
    sides = {piece.side for piece in units if not piece.in_bypass}
    if len({piece.side for piece in units}) == len(sides) == 1 and "vehicle" in strategic.why(
        Location.parse(place)
    ):
        return sides.pop()
    return None


def strategic_locations(state: Campaign) -> StrategicLocations:
    """Return the Strategic Locations as the map stands now, Controlled or not. Rule: 9.2."""
    return StrategicLocations(to_position(state), state.board, state.catalogue)


def markers_off(state: Told, rule: str = "9.605") -> Script[Told]:
    """Remove the Control markers of what is no longer a Strategic Location.

    Control of a Location that a victory condition names stays on record. Rule: 9.605, SSR PB4.
    """
    strategic = strategic_locations(state)
    for side in state.sides:
        for place in state.control.of(side):
            if not strategic.is_recorded(Location.parse(place)):
                words = (
                    f"{place} is no longer a Strategic Location: the {side.title} Control marker "
                    "is removed."
                )
                state = yield from give_control(state, place, None, words, rule)
    return state
