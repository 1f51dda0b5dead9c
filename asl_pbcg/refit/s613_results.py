"""9.613 Shift Table: the attempt of a group and what comes of it, and 9.6131."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from asl_pbcg.campaign.module.campaign_tables import CrewSurvival, Shift, ShiftCasualties, table
from asl_pbcg.campaign.state.campaign_events import happen
from asl_pbcg.campaign.state.campaign_state import Campaign, Told
from asl_pbcg.campaign.state.piece_changes import update
from asl_pbcg.campaign.state.piece_events import Retained, TriedToShift
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import Note, Prompt, Roll, Script, ask_number, paragraph, throw
from asl_pbcg.kernel.tables import RollTable
from asl_pbcg.refit.helpers.guards import guard_lost, wards_of
from asl_pbcg.refit.helpers.retention import retain
from asl_pbcg.refit.helpers.situation import area_words, pieces_retained_in
from asl_pbcg.refit.helpers.subjects import by_name, stack_of
from asl_pbcg.refit.helpers.unit_changes import eliminate, reduce, stands
from asl_pbcg.refit.helpers.unit_paths import ShiftWay, retained_words
from asl_pbcg.refit.helpers.vehicle_actions import has_crew, leave, vehicle_type

RULE = "9.613"


def attempt(state: Told, area: str, way: ShiftWay, ids: Sequence[str]) -> Script[Told]:
    """Resolve the Shift of one group out of ``area``. Rule: 9.613."""
    after: Campaign = state
    for id in ids:
        after = update(after, id, shift_tried=state.date)
    state = yield from happen(state, after, TriedToShift(piece=state.piece(ids[0])))
    units = [state.piece(id) for id in ids]
    names = ", ".join(name_piece(unit) for unit in units)
    if way.automatic:
        yield Note(
            f"{names}: Entry Area {way.id} is part of {area_words(area)} or adjacent to it, no DR."
        )
        return (yield from _move(state, way, ids))
    rolled = yield from throw(
        Roll(
            state=state,
            id="9.613.4",
            subject=stack_of(units, f"{area_words(area)} to {way}"),
            table=_shift_table(way),
            given=way.given,
            text=f"Shift of {names} from {area_words(area)} to {way}",
        )
    )
    if rolled.result == Shift.NO_SHIFT:
        yield Note(f"{names} cannot Shift on this CG Date and stay in {area_words(area)}.")
        return state
    if rolled.result == Shift.ALL_ELIMINATED:
        return (yield from _all_eliminated(state, ids))
    state = yield from _move(state, way, ids)
    if rolled.result == Shift.WITH_CASUALTIES:
        state = yield from _casualties(state, ids)
    return state


def _shift_table(way: ShiftWay) -> RollTable:
    """Return the Shift Table, its distance DRM with the number of hexes it is for. Rule: 9.613."""
    found = table("shift")
    distance = found.drm["distance"]
    if not distance.of(way.uncontrolled):
        return found
    why = f"{distance.why}: {way.uncontrolled}"
    drm = {**found.drm, "distance": msgspec.structs.replace(distance, why=why)}
    return msgspec.structs.replace(found, drm=drm)


def _move(state: Told, way: ShiftWay, ids: Sequence[str]) -> Script[Told]:
    """Retain a group in its new area, with all it took along. Rule: 9.613."""
    after: Campaign = state
    for id in ids:
        after = retain(after, id, way.kind, way.id)
        for each in (id, *after.piece(id).possesses):
            # It has entered long since: where it once had to enter no longer matters (9.6151).
            after = update(after, each, listed_at="")
    state = yield from happen(state, after, Retained(piece=state.piece(ids[0])))
    names = ", ".join(name_piece(state.piece(id)) for id in ids)
    yield Note(f"{names}: Retained {retained_words(way)}.")
    if way.kind == "Entry Area" and state.piece(ids[0]).side is Side.GERMAN:
        yield Note(f"They may enter play at {way.id} without any CPP.")
    return state


# -- All Eliminated -----------------------------------------------------------------------------


def _all_eliminated(state: Told, ids: Sequence[str]) -> Script[Told]:
    """Eliminate a group, Inherent crews and Equipment: Final DR of 12 or more. Rule: 9.613."""
    for id in ids:
        unit = state.piece(id)
        aboard = [piece for piece in state.pieces if piece.aboard == id]
        items = [item for each in aboard for item in each.possesses]
        inside = [each.id for each in aboard]
        wards = [each.id for guard in (id, *inside) for each in wards_of(state, guard)]
        for each in (id, *unit.possesses, *inside, *items, *wards):
            if stands(state, each):
                state = yield from eliminate(state, each, "Shift", step=RULE)
    return state


# -- Casualties ---------------------------------------------------------------------------------


def _casualties(state: Told, ids: Sequence[str]) -> Script[Told]:
    """Roll separately for each Personnel unit and each vehicle of a group. Rule: 9.613."""
    for id in ids:
        unit = state.piece(id)
        if not (unit.is_personnel or unit.is_vehicle):
            continue  # an Armor Leader shares the lot of a vehicle only once he is aboard
        rolled = yield from throw(
            Roll(
                state=state,
                id="9.613.4a",
                subject=by_name(unit),
                table=table("shift.casualties"),
                text=f"Casualties of the Shift: {name_piece(unit)}",
            )
        )
        if rolled.result == ShiftCasualties.UNHARMED:
            continue
        if unit.is_vehicle:
            state = yield from _vehicle_lost(state, unit)
        else:
            state = yield from _personnel_hit(state, unit)
    return state


def _personnel_hit(state: Told, unit: Piece) -> Script[Told]:
    """Casualty Reduce a unit; what it possessed is Retained with the group.

    Rule: 9.613; ruling P-57.
    """

    def give_wards(state: Told) -> Script[Told]:
        return (yield from guard_lost(state, unit, "9.613.4d"))

    state = yield from reduce(state, unit.id, RULE, "9.613.4b", give_wards)
    if stands(state, unit.id):
        return state
    for item in unit.possesses:
        yield Note(f"{name_piece(state.piece(item))} stays in {area_words(unit.area)} unpossessed.")
    return state


def _vehicle_lost(state: Told, vehicle: Piece) -> Script[Told]:
    """Eliminate a vehicle; its crew, if any, makes a CS DR and is not Reduced. Rule: 9.613."""
    crewed = has_crew(state, vehicle)
    crewed = crewed or any(piece.aboard == vehicle.id for piece in state.pieces)
    yield Note(f"{name_piece(vehicle)} is Eliminated.")
    if crewed and (yield from crew_survives(state, vehicle)):
        state, crew = yield from leave(state, vehicle.id)
        if crew:
            after = update(state, crew, shift_tried=state.date)
            state = yield from happen(state, after, TriedToShift(piece=state.piece(crew)))
            yield Note(
                f"Its crew survives: {name_piece(state.piece(crew))} in {area_words(vehicle.area)}."
            )
    for each in [piece for piece in state.pieces if piece.aboard == vehicle.id]:
        state = yield from eliminate(state, each.id, "Shift", how=" with it", step=RULE)
    return (yield from eliminate(state, vehicle.id, "Shift", how=None, step=RULE))


@paragraph("D5.6")
def crew_survives(state: Campaign, vehicle: Piece) -> Script[bool]:
    """Make the CS DR of a vehicle's crew; the CS number is asked if it is not sure. Rule: D5.6."""
    entry = vehicle_type(state, vehicle)
    number = entry.crew_survival or 0 if entry else 0
    if entry is None or not entry.sure("crew_survival"):
        likely = number
        number = yield from ask_number(
            Prompt(
                state=state,
                id="9.613.4c",
                subject=by_name(vehicle),
                kind="number",
                least=0,
                most=12,
                default=likely,
                draw=lambda source: likely,
                text=f"The CS number on the counter of {name_piece(vehicle)}?",
                help="The red number after CS on the wreck side; 0 if there is none.",
            )
        )
    rolled = yield from throw(
        Roll(
            state=state,
            id="9.613.4cs",
            subject=by_name(vehicle),
            table=table("crew_survival"),
            given={"number": number},
            text=f"CS DR of the crew of {name_piece(vehicle)}",
        )
    )
    return rolled.result == CrewSurvival.SURVIVES


# -- 9.6131 -------------------------------------------------------------------------------------


def tell_vacated(state: Campaign, side: Side, area: str) -> Script[None]:
    """Tell that a Setup Area without units stays Controlled by the side that left it.

    Control is not touched. Rule: 9.6131.
    """
    if all(each.id != area for each in state.areas.areas[side]):
        return
    here = pieces_retained_in(state, side, area)
    if not any(piece.is_personnel or piece.is_vehicle for piece in here):
        yield Note(
            f"No unit is left in Setup Area {area}; its Locations stay {side.title}-Controlled.",
            "9.6131",
        )
