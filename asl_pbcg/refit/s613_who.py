"""9.613 Who may try to Shift, to where, and what stands beside each choice."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from asl_pbcg.campaign.area_map import SetupArea
from asl_pbcg.campaign.campaign_tables import table
from asl_pbcg.campaign.eligible import EntryState
from asl_pbcg.campaign.location import Area
from asl_pbcg.campaign.night import is_held_by_no_move
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.tables import percent
from asl_pbcg.kernel.wording import number_words
from asl_pbcg.refit.paths import eligible_entries
from asl_pbcg.refit.shift_paths import ShiftWay, each_shift_way
from asl_pbcg.refit.situation import (
    in_board_order,
    is_isolated,
    is_off_map,
    pieces_retained_in,
    withdrawn_later,
)
from asl_pbcg.refit.vehicle_actions import is_mobile

RULE = "9.613"
Refusal = tuple[str, str]
"""Why something is not legal, and the rule that says so; two empty texts if it is."""
LEGAL: Refusal = ("", "")
NO_WAY: Refusal = ("No path leads from there to another area.", RULE)
_NO_PATH = "No path over hexes that the group can enter leads there."
_NEEDS_VEHICLE: Refusal = ("An Armor Leader Shifts with a vehicle only.", "D3.4")


# -- Units ------------------------------------------------------------------------------------


def areas_with_units(state: Campaign, side: Side) -> list[str]:
    """Return the areas in which ``side`` Retains Personnel or vehicles: Setup Areas first."""
    found = {
        piece.area
        for piece in state.of(side)
        if piece.area and not piece.is_prisoner and (piece.is_personnel or piece.is_vehicle)
    }
    return sorted(found, key=lambda area: Area.parse(area).order)


def shiftable(
    state: Campaign, side: Side, area: str, ordered: Collection[str] = ()
) -> list[tuple[Piece, str, str]]:
    """Return what ``side`` Retains in an area that could be thought to Shift, and why it cannot.

    Who is aboard a vehicle goes with it. ``ordered`` are the units that have their orders.

    Rule: 9.613.
    """
    units = [
        piece
        for piece in pieces_retained_in(state, side, area)
        if not piece.is_prisoner
        and not piece.aboard
        and (piece.is_personnel or piece.is_vehicle or piece.kind == "gun" or _loose(piece))
    ]
    found = []
    for unit in in_board_order(state, units):
        refusal = ("It has its order.", RULE) if unit.id in ordered else unit_refusal(state, unit)
        found.append((unit, *refusal))
    if any(unit.is_vehicle and not refused for unit, refused, _ in found):
        return found
    return [
        (unit, *((refused, rule) if refused or not _loose(unit) else _NEEDS_VEHICLE))
        for unit, refused, rule in found
    ]


def _loose(piece: Piece) -> bool:
    return piece.is_armor_leader and not piece.aboard


def armor_leaders_without_vehicle(state: Campaign, side: Side, area: str) -> set[str]:
    """Return the Armor Leaders in an area that are aboard no vehicle yet. Rule: D3.4."""
    return {piece.id for piece in pieces_retained_in(state, side, area) if _loose(piece)}


def may_try(state: Campaign, side: Side, area: str, ordered: Collection[str] = ()) -> list[Piece]:
    """Return the units of an area that may try to Shift as far as they themselves are concerned."""
    return [unit for unit, refused, _ in shiftable(state, side, area, ordered) if not refused]


def unit_refusal(state: Campaign, unit: Piece) -> Refusal:
    """Return why a unit may not try to Shift. Rule: 9.613, 9.6058, 9.6151, 9.6153."""
    if unit.kind == "gun":
        return "A Gun cannot Shift.", RULE
    if unit.is_vehicle and not is_mobile(unit):
        return "It is not Mobile.", RULE
    if is_held_by_no_move(state, unit, state.board):
        return "On its No Move counter it stays in its Location.", "9.6058"
    if unit.shift_tried is state.date:
        return "It has tried to Shift on this CG Date.", RULE
    if withdrawn_later(state, unit):
        return "It is withdrawn in 9.6153.", "9.6153"
    if unit.listed_at and is_off_map(unit.area):
        return "It may enter or set up only as 9.6152 says.", "9.6151"
    if is_isolated(state, unit) and _keeps_isolated(state):
        return "It is Isolated.", "9.613, 9.605"
    return LEGAL


def _keeps_isolated(state: Campaign) -> bool:
    """Return whether what is Isolated cannot Shift. House rule C-16."""
    return state.plays("C-16", "no-isolated")


def area_refusal(state: Campaign, side: Side, area: str, ordered: Collection[str] = ()) -> Refusal:
    """Return why no unit of an area may try to Shift, paths aside. Rule: 9.613."""
    units = shiftable(state, side, area, ordered)
    if any(not refused for _, refused, _ in units):
        return LEGAL
    refusals = {(refused, rule) for _, refused, rule in units}
    return refusals.pop() if len(refusals) == 1 else ("No unit there may try to Shift.", RULE)


def leads_anywhere(state: Campaign, units: Sequence[Piece]) -> bool:
    """Return whether there is any area that one of these units of one area may Shift to.

    Rule: 9.613.
    """
    samples = _samples(state, units)
    return any(True for unit in samples for _ in each_shift_way(state, [unit]))


def _samples(state: Campaign, units: Sequence[Piece]) -> Sequence[Piece]:
    """Return units that stand for all as far as paths go: one, or one of each RG.

    House rule B-05.
    """
    if not state.plays("B-05", "paid-only"):
        return units[:1]
    return list({unit.rg: unit for unit in units}.values())


# -- Destinations -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShiftDestination:
    """An area of a side that a group could wish to Shift to; ``refused`` says why it may not."""

    id: str
    name: str
    refused: str
    rule: str


def destinations(
    state: Campaign, units: Sequence[Piece], ways: Sequence[ShiftWay]
) -> list[ShiftDestination]:
    """Return every other area of the side of ``units``, and why those without a way are refused.

    Rule: 9.605, 9.613, CG5; house rules B-05, C-14, C-16.
    """
    areas = state.areas
    side, start = units[0].side, units[0].area
    legal = {way.id for way in ways}
    found = []
    for area in areas.areas[side]:
        if area.id != start:
            refusal = LEGAL if area.id in legal else _setup_area_refusal(state, area)
            found.append(ShiftDestination(area.id, f"to Setup Area {area.id}", *refusal))
    for entry in areas.entry_areas[side]:
        if entry.id != start:
            refusal = LEGAL if entry.id in legal else _entry_refusal(state, units, entry)
            name = f"to Entry Area {entry.id}, off map"
            found.append(ShiftDestination(entry.id, name, *refusal))
    return found


def _setup_area_refusal(state: Campaign, area: SetupArea) -> Refusal:
    if area.alone:
        one = len(area.strategic_locations) == 1
        where = "It is one Location in an enemy hex." if one else "It has no hex of its own."
        return where, "9.605"
    if area.isolated and _keeps_isolated(state):
        return "It is Isolated.", "9.605"
    return _NO_PATH, RULE


def _entry_refusal(state: Campaign, units: Sequence[Piece], entry: EntryState) -> Refusal:
    if not entry.eligible:
        return f"It is not Eligible for {state.date.title}.", "CG5"
    if all(each.id != entry.id for each in eligible_entries(state, units)):
        return "Only an RG that paid for it may enter there.", "9.61741"
    start = units[0].area
    if is_off_map(start):
        return f"It is not the next Entry Area to {start} along the map edge.", RULE
    return _NO_PATH, RULE


# -- Words ------------------------------------------------------------------------------------


def way_words(way: ShiftWay) -> tuple[str, dict[str, str]]:
    """Return what stands beside a destination: path, DRM and exact odds. Rule: 9.613."""
    if way.automatic:
        hexes = f"{number_words(len(way.path), 'hex', 'hexes')}, " if way.path else ""
        return f"{hexes}no DR: the Entry Area is part of the Setup Area or adjacent to it", {}
    shift = table("shift")
    drms = shift.modifiers(way.given)
    path = "no path needed"
    if way.path:
        road = "all on road hexes" if way.road else "not all on road hexes"
        hexes = number_words(len(way.path), "hex", "hexes")
        path = f"{hexes}, {road}, {way.uncontrolled} of Uncontrolled Territory"
    parts = ", ".join(f"{drm.value:+d} {shift.drm[drm.name].short or drm.why}" for drm in drms)
    total = f"{parts} = {sum(drm.value for drm in drms):+d}" if drms else "no DRM"
    counts, outcomes = shift.odds_counts(way.given)
    chances = shift.odds(way.given)
    odds = {
        shift.short_results[result]: f"{count}/{outcomes} = {percent(chances[result])}"
        for result, count in counts.items()
    }
    return f"{path}: {total}", odds
