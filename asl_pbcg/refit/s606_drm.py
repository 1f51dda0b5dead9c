"""9.606 The DRM of an Escape attempt, its odds, and how prompts show both."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from asl_pbcg.campaign.area_map import Territory
from asl_pbcg.campaign.area_paths import Destination
from asl_pbcg.campaign.campaign_tables import table
from asl_pbcg.campaign.catalogue import SMC, InfantryType, VehicleType
from asl_pbcg.campaign.piece_names import name_piece, name_pieces
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position_words import UnitStatus
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.kernel.tables import Modifier, RollTable, percent
from asl_pbcg.refit import task_checks
from asl_pbcg.refit.paths import destination_words, near_friendly
from asl_pbcg.refit.portage import excess_pp
from asl_pbcg.refit.situation import STUN, is_isolated, territory
from asl_pbcg.refit.unit_changes import infantry_type
from asl_pbcg.refit.vehicle_actions import armor_leader_of, has_crew, is_unarmed
from asl_pbcg.refit.wrecks import vehicle_type

Sheet = dict[str, int | bool | str]
"""The circumstances of an attempt, as the Escape table names them."""

SHEET_HELP = (
    "DRM and exact odds stand beside each choice. Original 2 is an Escape with Heat of Battle; "
    "see the Escape Table and its notes 1 to 6."
)


# -- The sheet ------------------------------------------------------------------------------


def sheet(state: Campaign, units: Sequence[Piece], way: Destination) -> Sheet:
    """Return every circumstance of the Escape of a stack, or of one vehicle, by ``way``.

    Rule: 9.606; house rules B-08, B-09, C-53, C-54, C-94.
    """
    found = _of_place(state, units[0], way)
    if units[0].is_vehicle:
        found |= _of_vehicle(state, units[0])
    else:
        found |= _of_stack(state, units)
    return {name: value for name, value in found.items() if value}


def _of_place(state: Campaign, unit: Piece, way: Destination) -> Sheet:
    """Return what time, place and path bring. Rule: 9.606; house rule B-08, ruling C-83."""
    place = territory(state, unit)
    return {
        "night": state.date.is_night,
        "near_friendly": _near(state, unit, way, place),
        "enemy_area": place is Territory.ENEMY or way.enemy_hexes > 0,
        "isolated": way.to_isolated or is_isolated(state, unit),
    }


def _near(state: Campaign, unit: Piece, way: Destination, place: Territory) -> int:
    """Return the hexes to a friendly Setup Area: 1, 2, or 0 for farther.

    Rule: 9.606; house rules B-08, C-94.
    """
    if place is Territory.NO_MANS_LAND and state.plays("B-08", "example"):
        return 0
    isolated_too = not state.plays("B-08", "non-isolated")
    if state.plays("C-94", "range"):
        return near_friendly(state.areas, unit.side, unit.location, isolated_too)
    known = table("escape.infantry").drm["near_friendly"].by
    counts = way.kind == "Setup Area" and (isolated_too or not way.to_isolated)
    return way.length if counts and way.length in known else 0


def _of_vehicle(state: Campaign, vehicle: Piece) -> Sheet:
    entry = vehicle_type(state, vehicle)
    leader = armor_leader_of(state, vehicle)
    return {
        "ct_afv": isinstance(entry, VehicleType) and entry.afv and entry.armour == "CT",
        "leadership": leadership(state, leader) if leader else 0,
        "unarmed_wounded": is_unarmed(state, vehicle),
        "captured_vehicle": vehicle.captured,
        "stunned": vehicle.has(*STUN),
    }


def _of_stack(state: Campaign, units: Sequence[Piece]) -> Sheet:
    alone = len(units) == 1
    leaders = [unit for unit in units if unit.kind in SMC]
    weak = sum(
        unit.has(UnitStatus.UNARMED, UnitStatus.WOUNDED, UnitStatus.WALKING_WOUNDED)
        for unit in units
    )
    each = state.plays("C-53", "each")
    return {
        "lone_smc": alone and bool(leaders) and not units[0].has(UnitStatus.WOUNDED),
        "leadership": 0 if alone else stack_leadership(state, leaders),
        "hs_equivalents": sum(hs_equivalents(state, unit) for unit in units),
        "excess_pp": excess_pp(state, units)[0],
        "unarmed_wounded": weak if each else bool(weak),
        "encircled": any(unit.has(UnitStatus.ENCIRCLED) for unit in units),
    }


def leadership(state: Campaign, unit: Piece) -> int:
    """Return the Leader, Armor Leader or Hero DRM of a unit; a wounded leader's is one worse.

    Rule: 9.606, A17.2; rulings C-55, P-14.
    """
    drm = task_checks.leadership(state, unit)
    if unit.kind == "leader" and unit.has(UnitStatus.HEROIC):
        drm = min(drm, _hero_drm(state))
    return drm


def stack_leadership(state: Campaign, smc: Sequence[Piece]) -> int:
    """Return the Leader/Hero DRM of a stack: the best one, or the best of each kind together.

    The DRM of several Heroes do not add up. Rule: 9.606, A15.2; house rule C-55.
    """
    if state.plays("C-55", "best"):
        return min((leadership(state, unit) for unit in smc), default=0)
    leaders = [unit for unit in smc if unit.kind == "leader"]
    heroic = any(unit.kind == "hero" or unit.has(UnitStatus.HEROIC) for unit in smc)
    best = min((task_checks.leadership(state, unit) for unit in leaders), default=0)
    return best + (_hero_drm(state) if heroic else 0)


def _hero_drm(state: Campaign) -> int:
    hero = next(each for each in state.catalogue if each.kind == "hero")
    return hero.leadership or 0 if isinstance(hero, InfantryType) else 0


def hs_equivalents(state: Campaign, unit: Piece) -> int:
    """Return how many HS-equivalents a unit counts. Rule: 9.606; house rule C-54."""
    if unit.kind == "crew" and state.plays("C-54", "crew-0"):
        return 0
    entry = infantry_type(state, unit)
    return entry.hs_equivalents if entry else 0


# -- The table and its odds -----------------------------------------------------------------


def escape_table(state: Campaign, units: Sequence[Piece], given: Sheet) -> RollTable:
    """Return the column of the Escape Table for these units, with the reason of each DRM.

    Rule: 9.606; house rule C-53.
    """
    vehicle = units[0].is_vehicle
    found = table("escape.vehicle" if vehicle else "escape.infantry")
    drm = dict(found.drm)
    if not vehicle and state.plays("C-53", "each"):
        drm["unarmed_wounded"] = Modifier(why="", value=1, per="unit")
    for name, why in _reasons(state, units, given).items():
        drm[name] = msgspec.structs.replace(drm[name], why=why)
    return msgspec.structs.replace(found, drm=drm)


def _reasons(state: Campaign, units: Sequence[Piece], given: Sheet) -> dict[str, str]:
    """Return why each DRM applies here, where the table's own words are too general."""
    place = territory(state, units[0])
    near = {1: "adjacent to", 2: "two hexes from"}
    weak = [
        name
        for name in (UnitStatus.UNARMED, UnitStatus.WOUNDED, UnitStatus.WALKING_WOUNDED)
        if any(unit.has(name) for unit in units)
    ]
    leaders = [unit for unit in units if unit.kind in SMC]
    if units[0].is_vehicle:
        leader = armor_leader_of(state, units[0])
        leaders = [leader] if leader else []
    best = min(leaders, key=lambda unit: leadership(state, unit), default=None)
    enemy = "in an enemy Setup Area" if place is Territory.ENEMY else "across an enemy Setup Area"
    isolation = "Isolated"
    if not is_isolated(state, units[0]):
        listed = state.plays("B-08", "strict")
        isolation = f"Isolated, as {'all it can reach' if listed else 'the area it goes to'} is"
    reasons = {
        "night": f"{state.date.title} was Night",
        "near_friendly": f"{near.get(int(given.get('near_friendly', 0)))} a friendly Setup Area",
        "enemy_area": enemy,
        "hs_equivalents": f"{_number(int(given.get('hs_equivalents', 0)))} HS-equivalents",
        "excess_pp": f"{_number(int(given.get('excess_pp', 0)))} PP above IPC",
        "leadership": name_piece(best)
        if best and state.plays("C-55", "best")
        else name_pieces(leaders),
        "unarmed_wounded": ", ".join(_STATUS_WORDS[name] for name in weak) or "unarmed",
        "isolated": isolation,
    }
    return {name: why for name, why in reasons.items() if name in given}


def _number(number: int) -> str:
    names = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    return names[number] if number < len(names) else str(number)


_STATUS_WORDS = {
    UnitStatus.UNARMED: "unarmed",
    UnitStatus.WOUNDED: "Wounded",
    UnitStatus.WALKING_WOUNDED: "Walking Wounded",
}


def odds_words(state: Campaign, units: Sequence[Piece], given: Sheet) -> dict[str, str]:
    """Return the exact odds of each result, as options show them."""
    escape = escape_table(state, units, given)
    crew = not units[0].is_vehicle or has_crew(state, units[0])
    found: dict[str, Fraction] = {}
    for result, chance in escape.odds(given).items():
        label = escape.short_results[result]
        label = label if crew else label.partition(", crew")[0]
        found[label] = found.get(label, Fraction(0)) + chance
    return {label: percent(chance) for label, chance in found.items() if chance}


def drm_words(state: Campaign, units: Sequence[Piece], given: Sheet) -> str:
    """Return the DRM with their reasons and sum: ``+1 Isolated ... = +3``."""
    drms = escape_table(state, units, given).modifiers(given)
    if not drms:
        return "no DRM"
    parts = ", ".join(f"{drm.value:+d} {drm.why}" for drm in drms)
    return f"{parts} = {sum(drm.value for drm in drms):+d}"


def beside(state: Campaign, units: Sequence[Piece], way: Destination) -> tuple[str, dict[str, str]]:
    """Return the total DRM in words and the exact odds of an attempt, for an option."""
    given = sheet(state, units, way)
    return drm_words(state, units, given), odds_words(state, units, given)


def beside_ways(
    state: Campaign, units: Sequence[Piece], ways: Sequence[Destination]
) -> tuple[str, dict[str, str], Destination]:
    """Return the DRM in words, the odds and the way they are for, while any of ``ways`` is open.

    Where the DRM differ by destination all are named; the odds are those of the lowest.

    Rule: 9.606; house rule B-08.
    """
    texts = {way: beside(state, units, way) for way in ways}
    best = min(ways, key=lambda way: _total(state, units, way))
    if len({drm for drm, _ in texts.values()}) == 1:
        return texts[best][0], texts[best][1], ways[0]
    listed = "; ".join(f"to {destination_words(way)}: {drm}" for way, (drm, _) in texts.items())
    return f"{listed}. Odds for {destination_words(best)}", texts[best][1], best


def _total(state: Campaign, units: Sequence[Piece], way: Destination) -> int:
    given = sheet(state, units, way)
    return sum(drm.value for drm in escape_table(state, units, given).modifiers(given))


def stack_words(units: Sequence[Piece]) -> str:
    """Return a stack as prompts name it."""
    return " with ".join(
        filter(None, [name_piece(units[0]), ", ".join(name_piece(u) for u in units[1:])])
    )
