"""9.606 Escape: the DRM of an attempt, its odds, and what comes of it.

The first half gives the DRM sheet and the words and odds that prompts show; the second resolves
the attempt of a stack or vehicle on the Escape Table. Rule: 9.606, 9.6061.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction

import msgspec

from asl_pbcg.campaign.areas.area_map import Territory
from asl_pbcg.campaign.areas.area_paths import Destination
from asl_pbcg.campaign.module.campaign_tables import (
    ESCAPE,
    VEHICLE_ESCAPE,
    Escape,
    Fate,
    LeftEquipment,
    table,
)
from asl_pbcg.campaign.module.catalogue import SMC, InfantryType, VehicleType
from asl_pbcg.campaign.position_words import UnitStatus, VehicleStatus
from asl_pbcg.campaign.state.campaign_events import happen
from asl_pbcg.campaign.state.campaign_state import Campaign, Told
from asl_pbcg.campaign.state.piece_changes import add_status, transfer, update
from asl_pbcg.campaign.state.piece_events import Abandoned, Dropped, Retained
from asl_pbcg.campaign.state.piece_names import name_piece, name_pieces
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Roll, Script, ask, paragraph, throw
from asl_pbcg.kernel.tables import Likelihood, Modifier, Rolled, RollTable, likelihood
from asl_pbcg.refit.helpers import task_checks
from asl_pbcg.refit.helpers.catalogue_questions import settle_replacement
from asl_pbcg.refit.helpers.equipment import excess_pp
from asl_pbcg.refit.helpers.guards import wards_of, without_guard
from asl_pbcg.refit.helpers.retention import leader_on_foot, retain, still_there
from asl_pbcg.refit.helpers.situation import STUN, is_isolated, territory
from asl_pbcg.refit.helpers.subjects import stack_of
from asl_pbcg.refit.helpers.unit_changes import (
    create_hero,
    harden,
    infantry_type,
    reduce,
    replace,
    stands,
)
from asl_pbcg.refit.helpers.unit_changes import (
    eliminate as eliminate_unit,
)
from asl_pbcg.refit.helpers.unit_paths import destination_words, near_friendly, retained_words
from asl_pbcg.refit.helpers.vehicle_actions import (
    armor_leader_of,
    dead_to_wreck,
    has_crew,
    is_unarmed,
    leave,
    scrounge,
    unhook,
    vehicle_type,
    wreck,
)

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
    hero = next(type for type in state.catalogue if type.kind == "hero")
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


def odds_words(state: Campaign, units: Sequence[Piece], given: Sheet) -> dict[str, Likelihood]:
    """Return the exact odds of each result, as options show them."""
    escape = escape_table(state, units, given)
    crew = not units[0].is_vehicle or has_crew(state, units[0])
    found: dict[str, Fraction] = {}
    for result, chance in escape.odds(given).items():
        label = escape.short_results[result]
        label = label if crew else label.partition(", crew")[0]
        found[label] = found.get(label, Fraction(0)) + chance
    return {label: likelihood(chance) for label, chance in found.items() if chance}


def drm_words(state: Campaign, units: Sequence[Piece], given: Sheet) -> str:
    """Return the DRM with their reasons and sum: ``+1 Isolated ... = +3``."""
    drms = escape_table(state, units, given).modifiers(given)
    if not drms:
        return "no DRM"
    parts = ", ".join(f"{drm.value:+d} {drm.why}" for drm in drms)
    return f"{parts} = {sum(drm.value for drm in drms):+d}"


def beside(
    state: Campaign, units: Sequence[Piece], way: Destination
) -> tuple[str, dict[str, Likelihood]]:
    """Return the total DRM in words and the exact odds of an attempt, for an option."""
    given = sheet(state, units, way)
    return drm_words(state, units, given), odds_words(state, units, given)


def beside_ways(
    state: Campaign, units: Sequence[Piece], ways: Sequence[Destination]
) -> tuple[str, dict[str, Likelihood], Destination]:
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


RULE = "9.606"
RESULTS = "9.6061"


def attempt(state: Told, ids: Sequence[str], way: Destination) -> Script[Told]:
    """Resolve the Escape attempt of a stack, or of one vehicle, to where ``way`` leads.

    Rule: 9.606, 9.6061.
    """
    units = [state.piece(id) for id in ids]
    for unit in units:  # before the DR, as the answer decides what a Replaced unit becomes
        state, _ = yield from settle_replacement(state, unit)
    given = sheet(state, units, way)
    for leader, mmc in excess_pp(state, units)[1] if not units[0].is_vehicle else ():
        yield Note(
            f"{name_piece(state.piece(leader))} adds his IPC to that of "
            f"{name_piece(state.piece(mmc))}."
        )
    rolled = yield from throw(
        Roll(
            state=state,
            id="9.606.8",
            subject=stack_of(units),
            table=escape_table(state, units, given),
            given=given,
            text=f"Escape of {stack_words(units)} from {units[0].at} to {destination_words(way)}",
        )
    )
    if units[0].is_vehicle:
        return (yield from _vehicle_result(state, units[0], way, rolled))
    return (yield from _stack_result(state, list(ids), way, rolled))


# -- Infantry ---------------------------------------------------------------------------------


def _stack_result(state: Told, ids: list[str], way: Destination, rolled: Rolled) -> Script[Told]:
    """Apply a result of the Infantry column with its notes 1 to 3. Rule: 9.606."""
    result = rolled.result
    if result == Escape.ELIMINATED:
        return (yield from _all_eliminated(state, ids))
    before = {piece.id for piece in state.pieces}
    if ESCAPE.facts(rolled).heat_of_battle:
        hit = yield from random_selection(state, ids, "Heat of Battle")
        calm = state
        for id in hit:
            state = yield from _heat_of_battle(state, id)
        for id in hit:
            state = yield from _settle_what_it_had(calm, state, id)
    elif result != Escape.ESCAPES:
        replaced = result != Escape.CASUALTY_REDUCED
        reduced = result != Escape.REPLACED
        why = " and ".join(
            word for word, true in (("Replaced", replaced), ("Casualty Reduced", reduced)) if true
        )
        hit = yield from random_selection(state, ids, why)
        unhurt = state
        for id in hit:
            state = yield from _hurt(state, id, replaced, reduced)
        for id in hit:
            state = yield from _settle_what_it_had(unhurt, state, id)
    # A Hero goes along, and a second HS.
    for id in (*ids, *(piece.id for piece in state.pieces if piece.id not in before)):
        if stands(state, id):
            state = yield from carry_out_escape(state, id, way)
    return state


def _hurt(state: Told, id: str, replaced: bool, reduced: bool) -> Script[Told]:
    """Replace and/or Casualty Reduce a unit.

    Of a squad that became two HS, the one that possesses nothing is Casualty Reduced.

    Rule: 9.606 note 2; house rule P-28.
    """
    before = state
    if replaced:
        state = yield from replace(state, id, "9.606 note 2")
    if reduced and stands(state, id):
        known = {piece.id for piece in before.pieces}
        second = next((piece.id for piece in state.pieces if piece.id not in known), id)
        state = yield from reduce(state, second, RULE, "9.606.9")
    return state


@paragraph("A.9")
def random_selection(state: Campaign, ids: Sequence[str], why: str) -> Script[list[str]]:
    """Settle by Random Selection whom of a stack a result hits. Rule: A.9; house rule P-12."""
    found = list(ids)
    while len(found) > 1:
        drs = {}
        for id in found:
            unit = state.piece(id)
            rolled = yield from throw(
                Roll(
                    state=state,
                    id="9.606.9r",
                    subject=unit,
                    text=f"Random Selection ({why}), {name_piece(unit)}",
                )
            )
            drs[id] = rolled.final
        high = [id for id, dr in drs.items() if dr == max(drs.values())]
        if len(high) == 1 or state.plays("P-12", "all"):
            names = ", ".join(name_piece(state.piece(id)) for id in high)
            yield Note(f"{why}: Random Selection finds {names}.")
            return high
        found = high
    return found


@paragraph("9.606 note 1")
def _heat_of_battle(state: Told, id: str) -> Script[Told]:
    """Resolve Heat of Battle after an Original 2: whatever is not a Hero or hardening Eliminates.

    Rule: 9.606 note 1, A15.
    """
    unit = state.piece(id)
    if unit.kind == "hero" or unit.has(UnitStatus.UNARMED):
        yield Note(f"{name_piece(unit)} is not eligible for Heat of Battle.", "A15.1")
        return state
    answer = yield from ask(
        Prompt(
            state=state,
            id="9.606.10",
            subject=unit,
            options=(
                Option("ineligible", "none: it is not eligible (A15.1)", "Escapes"),
                Option("hero", "Hero Creation", "Escapes"),
                Option("hardened", "Battle Hardening", "Escapes"),
                Option("both", "Hero Creation and Battle Hardening", "Escapes"),
                Option("other", "any other result", "the unit is Eliminated"),
            ),
            text=f"Original 2: what is the Heat of Battle result of {name_piece(unit)}?",
            help="Make the Heat of Battle DR of A15.1. Any result other than Hero Creation or "
            "Battle Hardening Eliminates the unit (9.606 note 1).",
        )
    )
    if answer == "other":
        return (yield from eliminate_unit(state, id, "Heat of Battle", how=" by Heat of Battle"))
    if answer in ("hero", "both"):
        state = yield from create_hero(state, id, "A15.2")
    if answer in ("hardened", "both"):
        state = yield from harden(state, id, "A15.3")
    return state


@paragraph(RESULTS)
def carry_out_escape(state: Told, id: str, way: Destination) -> Script[Told]:
    """Retain a unit that survived its Escape, with what it took along. Rule: 9.6061."""
    unit = state.piece(id)
    leader = leader_on_foot(state, unit)
    after = retain(state, id, way.kind, way.id)
    if leader:
        after = retain(after, leader.id, way.kind, way.id)
    state = yield from happen(state, after, Retained(piece=unit))
    company = f" with {name_piece(leader)}" if leader else ""
    yield Note(
        f"{name_piece(state.piece(id))}{company} Escapes and is Retained {retained_words(way)}."
    )
    return state


# -- Eliminated -------------------------------------------------------------------------------


def _all_eliminated(state: Told, ids: list[str]) -> Script[Told]:
    """Eliminate a stack with its Equipment: a Final DR of 12 or more. House rule B-07."""
    outright = state.plays("B-07", "outright")
    doomed = frozenset(ids)
    for id in ids:
        before = state
        unit = state.piece(id)
        state = yield from eliminate_unit(state, id, "Escape")
        for item in unit.possesses if outright else ():
            state = yield from eliminate_unit(state, item, "Escape", how=" with it")
        state = yield from _settle_what_it_had(before, state, id, doomed)
    return state


@paragraph(RESULTS)
def eliminate(state: Told, id: str, why: str, doomed: Collection[str] = ()) -> Script[Told]:
    """Eliminate a unit that must Escape but has no path, a vehicle with its crew.

    Units that are ``doomed`` with it claim no prisoner of its.

    Rule: 9.6061; ruling P-202.
    """
    unit = state.piece(id)
    yield Note(f"{name_piece(unit)} in {unit.at} is Eliminated: {why}.")
    if unit.is_vehicle:
        state = yield from _crew_lost(state, unit)
        state = yield from happen(state, unhook(state, id), Dropped(piece=unit))
    gone = yield from eliminate_unit(state, id, "Escape", how=None)
    return (yield from _settle_what_it_had(state, gone, id, doomed))


def _settle_what_it_had(
    before: Campaign, state: Told, id: str, doomed: Collection[str] = ()
) -> Script[Told]:
    """See to what a unit had if its Escape attempt Eliminated it: Equipment, prisoners.

    Units that are ``doomed`` with it claim no prisoner. An Armor Leader on foot is lost with his
    crew. Rule: 9.6061, A20.551, D3.4; ruling P-27.
    """
    if stands(state, id):
        return state
    unit = before.piece(id)
    leader = leader_on_foot(before, unit)
    if leader:
        yield Note(f"{name_piece(leader)} is lost with his crew.", "D3.4")
        state = yield from eliminate_unit(state, leader.id, "Escape", how=None)
    items = [item for item in unit.possesses if stands(state, item)]
    if items:
        state = yield from equipment_of_the_eliminated(state, unit, items)
    wards = wards_of(before, id)
    dropped = [item for item in items if stands(state, item)]
    away = {piece.id for piece in state.pieces if piece.area and not still_there(state, piece)}
    away.update(doomed)
    return (yield from without_guard(state, wards, unit.side, dropped, point="9.606.13", left=away))


@paragraph(RESULTS)
def equipment_of_the_eliminated(state: Told, unit: Piece, items: Sequence[str]) -> Script[Told]:
    """Settle by a dr whether the Equipment of an Eliminated Escapee is left where it was.

    Rule: 9.6061.
    """
    names = ", ".join(name_piece(state.piece(item)) for item in items)
    rolled = yield from throw(
        Roll(
            state=state,
            id="9.606.12",
            subject=unit,
            table=table("escape.equipment"),
            text=f"Equipment of {name_piece(unit)}: {names}",
        )
    )
    for item in items:
        if rolled.result == LeftEquipment.ELIMINATED:
            state = yield from eliminate_unit(state, item, "Escape", how=None)
        else:
            after = update(transfer(state, item), item, at=unit.at, area="")
            state = yield from happen(state, after, Dropped(piece=state.piece(item)))
    return state


# -- Vehicles ---------------------------------------------------------------------------------


def _vehicle_result(state: Told, vehicle: Piece, way: Destination, rolled: Rolled) -> Script[Told]:
    """Apply a result of the Mobile Vehicle column with its notes 4 to 6. Rule: 9.606."""
    id = vehicle.id
    if vehicle.tows:
        guns = ", ".join(name_piece(state.piece(gun)) for gun in vehicle.tows)
        yield Note(f"{guns} is not dm: unhooked and left in {vehicle.at}.")
        state = yield from happen(state, unhook(state, id), Dropped(piece=vehicle))
    fates = VEHICLE_ESCAPE.facts(rolled)
    if fates.vehicle is Fate.ESCAPES:
        return (yield from carry_out_escape(state, id, way))
    crew = ""
    if fates.crew is Fate.ELIMINATED:
        state = yield from _crew_lost(state, vehicle)
        after = add_status(state, id, VehicleStatus.ABANDONED)
        state = yield from happen(state, after, Abandoned(piece=vehicle))
    else:
        state, crew = yield from leave(state, id)
    if crew:
        side = vehicle.side
        state = yield from scrounge(state, id, "9.606 notes 5, 6", "9.606.11", side, by=crew)
    if fates.vehicle is Fate.ELIMINATED:
        how = " and removed from the map"
        state = yield from eliminate_unit(state, id, "Escape", how=how)
    else:
        yield Note(
            f"{name_piece(vehicle)} is left in {vehicle.at}, Abandoned, with its VCA as it is.",
            "9.606 note 5",
        )
        if crew:
            state = yield from wreck(state, id, "9.606 note 4", "9.606.11a", vehicle.side)
        state = yield from dead_to_wreck(state, id)
    return (yield from carry_out_escape(state, crew, way)) if crew else state


def _crew_lost(state: Told, vehicle: Piece) -> Script[Told]:
    """Eliminate the crew of a vehicle, if any: an Armor Leader and who mans it too. Rule: 9.606."""
    if has_crew(state, vehicle):
        yield Note(f"The crew of {name_piece(vehicle)} is Eliminated.")
    aboard = [piece for piece in state.pieces if piece.aboard == vehicle.id]
    doomed = [each.id for each in aboard]
    for each in sorted(aboard, key=lambda each: not each.is_prisoner):
        before = state
        state = yield from eliminate_unit(state, each.id, "Escape", how=" with it")
        state = yield from _settle_what_it_had(before, state, each.id, doomed)
    return state
