"""9.606 Escape Table: the attempt of a stack or vehicle, and what comes of it. Rule: 9.6061."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from asl_pbcg.campaign.area_paths import Destination
from asl_pbcg.campaign.campaign_tables import table
from asl_pbcg.campaign.events import happen
from asl_pbcg.campaign.piece_changes import add_status, transfer, update
from asl_pbcg.campaign.piece_events import Abandoned, Dropped, Retained
from asl_pbcg.campaign.piece_names import name_piece
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position_words import UnitStatus, VehicleStatus
from asl_pbcg.campaign.state import Campaign, Told
from asl_pbcg.campaign.table_results import ESCAPE, VEHICLE_ESCAPE, Escape, Fate, LeftEquipment
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Roll, Script, paragraph
from asl_pbcg.kernel.tables import Rolled
from asl_pbcg.refit.catalogue_questions import settle_replacement
from asl_pbcg.refit.guards import wards_of, without_guard
from asl_pbcg.refit.paths import destination_words, retained_words
from asl_pbcg.refit.portage import excess_pp
from asl_pbcg.refit.retention import leader_on_foot, retain, still_there
from asl_pbcg.refit.s606_drm import escape_table, sheet, stack_words
from asl_pbcg.refit.subjects import stack_of
from asl_pbcg.refit.unit_changes import create_hero, harden, reduce, replace, stands
from asl_pbcg.refit.unit_changes import eliminate as eliminate_unit
from asl_pbcg.refit.vehicle_actions import (
    dead_to_wreck,
    has_crew,
    leave,
    scrounge,
    unhook,
    wreck,
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
    rolled: Rolled = yield Roll(
        state=state,
        id="9.606.8",
        subject=stack_of(units),
        table=escape_table(state, units, given),
        given=given,
        text=f"Escape of {stack_words(units)} from {units[0].at} to {destination_words(way)}",
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
            rolled: Rolled = yield Roll(
                state=state,
                id="9.606.9r",
                subject=unit,
                text=f"Random Selection ({why}), {name_piece(unit)}",
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
    answer = yield Prompt(
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
    away = {each.id for each in state.pieces if each.area and not still_there(state, each)}
    away.update(doomed)
    return (yield from without_guard(state, wards, unit.side, dropped, point="9.606.13", left=away))


@paragraph(RESULTS)
def equipment_of_the_eliminated(state: Told, unit: Piece, items: Sequence[str]) -> Script[Told]:
    """Settle by a dr whether the Equipment of an Eliminated Escapee is left where it was.

    Rule: 9.6061.
    """
    names = ", ".join(name_piece(state.piece(item)) for item in items)
    rolled: Rolled = yield Roll(
        state=state,
        id="9.606.12",
        subject=unit,
        table=table("escape.equipment"),
        text=f"Equipment of {name_piece(unit)}: {names}",
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
    aboard = [each for each in state.pieces if each.aboard == vehicle.id]
    doomed = [each.id for each in aboard]
    for each in sorted(aboard, key=lambda each: not each.is_prisoner):
        before = state
        state = yield from eliminate_unit(state, each.id, "Escape", how=" with it")
        state = yield from _settle_what_it_had(before, state, each.id, doomed)
    return state
