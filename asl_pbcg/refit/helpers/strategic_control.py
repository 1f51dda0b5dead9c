"""Control of Strategic Locations, with II13 and its effect on the German SAN.

Rule: 9.2, 9.605, A26.11; for II13 CG13 and 9.61222.
"""

from __future__ import annotations

from asl_pbcg.campaign.areas.strategic_locations import StrategicLocations, is_armed, sole_occupants
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.module.zones import zone_hexes
from asl_pbcg.campaign.scenario.snipers import (
    ii13_change,
    ii13_controller,
    ii13_holders,
    san_changed,
    san_in_force,
    san_recorded,
)
from asl_pbcg.campaign.state.campaign_events import (
    BuildingControlled,
    ControlGained,
    SANChanged,
    happen,
    keep_book,
)
from asl_pbcg.campaign.state.campaign_state import Campaign, Told, change
from asl_pbcg.campaign.state.ob_merge import to_position
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import NOBODY, CGDate, Side
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Script, ask, paragraph
from asl_pbcg.refit.helpers.situation import at_location
from asl_pbcg.refit.helpers.subjects import both_at


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
        others = {side: control.of(side) for side in state.sides if side is not holder}
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


BRITISH, GERMAN = Side.BRITISH, Side.GERMAN


@paragraph("CG13")
def control_of_ii13(state: Told, played: CGDate) -> Script[Told]:
    """Decide who Controls the building in II13 as the new CG Date begins; ``played`` was the last.

    Both sides are asked only if each Controls a Location of it and the answer matters.

    Rule: 9.61222, CG13; house rule C-24; ruling P-53.
    """
    before = state.ii13
    holders = ii13_holders(state)
    after = change(state, ii13=holders[0].value if len(holders) == 1 else "")
    state = yield from happen(state, after, BuildingControlled())
    matters = (
        counts(state, state.date) or san_in_force(state, GERMAN) >= state.frame.san.adjusted_from
    )
    if len(holders) > 1 and matters:
        state = yield from _settle_dispute(state)
    holder = ii13_controller(state)
    who = f"The {holder.people} Control" if holder else "Neither side Controls"
    yield Note(f"{who} the building in {state.frame.san.building}.", "9.61222")
    if state.plays("C-24", "once"):
        new = not counts(state, played) or before != state.ii13
        return (yield from _change_once(state) if new else _as_it_is(state))
    change_ = ii13_change(state)
    if change_:
        yield Note(f"German SAN {change_:+d}: {german_words(state)}.")
    return state


def counts(state: Campaign, date: CGDate) -> bool:
    """Return whether Control of II13 moves the German SAN on a CG Date. Rule: CG13."""
    return date in state.frame.san.ii13_dates


@paragraph("9.61222")
def _settle_dispute(state: Told) -> Script[Told]:
    building = state.frame.san.building
    held = "; ".join(
        f"{side.title} {', '.join(str(place) for place in places)}"
        for side in state.sides
        if (places := [p for p in state.control.locations(side) if p.hex == building])
    )
    answer = yield from ask(
        Prompt(
            state=state,
            id="9.61222.0",
            subject=both_at(building),
            options=(
                Option(BRITISH.value, "the British", "German SAN -2"),
                Option(GERMAN.value, "the Germans", "German SAN +2 and no adjustment dr"),
                Option(NOBODY, "neither side", "no change"),
            ),
            text=f"Who Controls the building in {building}?",
            help=f"Each side Controls a Location of it: {held}. See A26.12 for buildings.",
        )
    )
    after = change(state, ii13="" if answer == NOBODY else str(answer))
    return (yield from happen(state, after, BuildingControlled()))


def _as_it_is(state: Told) -> Script[Told]:
    yield Note(f"Its Control has not changed: {german_words(state)}.")
    return state


def _change_once(state: Told) -> Script[Told]:
    """Change the German SAN for good, as Control of II13 has changed. House rule C-24."""
    holder = ii13_controller(state)
    if holder is None or not counts(state, state.date):
        return state
    by: int = state.frame.san.ii13_change * (1 if holder is GERMAN else -1)
    san = san_changed(state, state.san.get(GERMAN, 0), by)
    after = change(state, san={**state.san, GERMAN: san})
    told = SANChanged(text=f"German SAN {by:+d}, once: {german_words(after)}.")
    return (yield from happen(state, after, told))


@paragraph("CG13")
def ii13_at_start(state: Told) -> Script[Told]:
    """Decide who Controls II13 as a campaign begins: the side whose setup zone it lies in.

    Rule: CG13; house rules C-24, C-75; ruling P-54.
    """
    if not counts(state, state.date):
        return state
    building, board = state.frame.san.building, state.board
    holders = {
        group.side
        for group in state.charts.initial[state.campaign].groups
        if building in zone_hexes(group.zone, board, state.ruling("P-03"))
    }
    if len(holders) != 1:
        return state
    holder = holders.pop()
    if state.plays("C-75", "from-second"):
        yield Note(f"Building {building} counts from the second CG Date on.")
        return state
    told = BuildingControlled(text=f"Building {building} is in the {holder.title} setup zone.")
    state = yield from happen(state, change(state, ii13=holder.value), told)
    if state.plays("C-24", "once"):
        state = yield from _change_once(state)
    else:
        yield Note(f"{german_words(state)}.")
    return keep_book(state, san_recorded(state))


def german_words(state: Campaign) -> str:
    """Return the German SAN in words, and what it is without II13."""
    now, base = san_in_force(state, GERMAN), state.san.get(GERMAN, 0)
    return f"German SAN {now}" + (f" ({base} without II13)" if now != base else "")
