"""9.6051 to 9.6058: what of No Man's Land, Uncontrolled Territory and friendly Setup Areas."""

from __future__ import annotations

from asl_pbcg.campaign.areas.area_map import Territory
from asl_pbcg.campaign.areas.area_paths import Closed, Destination
from asl_pbcg.campaign.scenario.scenario_facts import FREE, NO_MOVE, is_held_by_no_move
from asl_pbcg.campaign.state.campaign_events import happen
from asl_pbcg.campaign.state.campaign_state import Campaign, Told
from asl_pbcg.campaign.state.piece_changes import add_status, drop_status, update
from asl_pbcg.campaign.state.piece_events import GivenFreedom, Retained
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.prompts import Note, Script, paragraph
from asl_pbcg.kernel.topic import IDLE
from asl_pbcg.kernel.wording import number_words
from asl_pbcg.refit.helpers.retention import guns_left_behind, leader_on_foot, retain
from asl_pbcg.refit.helpers.scrounging import removal
from asl_pbcg.refit.helpers.situation import in_board_order, is_isolated, setup_area, territory
from asl_pbcg.refit.helpers.status_chart import status_of
from asl_pbcg.refit.helpers.unit_changes import stands
from asl_pbcg.refit.helpers.unit_choices import choose_way
from asl_pbcg.refit.helpers.unit_paths import leads_to_isolated, retained_ways, retained_words
from asl_pbcg.refit.helpers.vehicle_actions import dead_to_wreck, leave, wreck
from asl_pbcg.refit.helpers.vehicle_paths import settle_way

# -- 9.6051, 9.6053: Immobile vehicles without functioning MA -------------------------------------


def no_mans_land(state: Told) -> Script[Told]:
    """Abandon each manned Immobile vehicle without functioning MA in No Man's Land.

    Its crew must attempt Escape in 9.606. Rule: 9.6051.
    """
    return (yield from _abandon(state, "abandoned_crew_escapes", "9.6051", "No Man's Land"))


def _abandon(state: Told, outcome: str, rule: str, where: str) -> Script[Told]:
    vehicles = [
        piece
        for piece in state.pieces
        if piece.is_vehicle and piece.on_map and status_of(state, piece).outcome == outcome
    ]
    for vehicle in in_board_order(state, vehicles):
        state, crew = yield from leave(state, vehicle.id)
        crew_words = f"; its crew is {name_piece(state.piece(crew))}" if crew else ""
        yield Note(
            f"{name_piece(vehicle)} in {vehicle.at} ({where}) is Immobile without functioning MA: "
            f"Abandoned{crew_words}.",
            rule,
        )
        if crew:
            # The crew may remove Weapons and wreck what it leaves: the chart's dagger note.
            state = yield from removal(state, vehicle.id, [crew], rule)
            state = yield from wreck(state, vehicle.id, rule, f"{rule}.wreck", vehicle.side)
        if stands(state, vehicle.id):
            state = yield from dead_to_wreck(state, vehicle.id)
    return state


# -- 9.6053 Uncontrolled Territory ----------------------------------------------------------------


def uncontrolled_territory(state: Told) -> Script[Told]:
    """Retain units out of Uncontrolled Territory into the nearest area, if there is a path.

    Immobile vehicles without functioning MA are Abandoned first, so that their crews are among
    the units. Rule: 9.6053.
    """
    state = yield from _abandon(
        state, "abandoned_crew_retained_or_escapes", "9.6053", "Uncontrolled Territory"
    )
    units = [
        piece
        for piece in state.pieces
        if piece.on_map
        and not _goes_along(state, piece)
        and status_of(state, piece).outcome == "retained_or_escape"
    ]
    for unit in in_board_order(state, units):
        state = yield from _out_of_uncontrolled(state, unit)
    return state


def _goes_along(state: Campaign, piece: Piece) -> bool:
    """Return whether a piece goes with another: a Guard, a possessor, the vehicle it is aboard."""
    unit = piece.is_personnel or piece.is_vehicle
    return piece.is_prisoner or bool(piece.aboard) or not unit


@paragraph("9.6053")
def _out_of_uncontrolled(state: Told, unit: Piece) -> Script[Told]:
    """Retain one unit with its Equipment, or leave it to attempt Escape.

    Rule: 9.6053; house rule P-38.
    """

    def choose(closed: Closed) -> Script[Destination | None]:
        return _choose_area(state, unit, retained_ways(state, [unit], closed))

    way = yield from settle_way(state, choose, lambda _: [unit], "9.6053.2", "9.6053")
    if way is None:
        yield Note(
            f"{name_piece(unit)} in {unit.at} (Uncontrolled Territory) has no path to a "
            "friendly Setup "
            "Area or Eligible Entry Area: it must attempt Escape.",
        )
        return state
    guns = guns_left_behind(state, unit, way.id if way.kind == "Setup Area" else "")
    for gun in guns:
        yield Note(f"{name_piece(gun)} stays in {gun.at} unpossessed.", "9.6055")
    along = [state.piece(id) for id in (*unit.possesses, *unit.tows)]
    along = [piece for piece in along if piece not in guns]
    along += [piece for piece in state.pieces if unit.id in (piece.guarded_by, piece.aboard)]
    leader = leader_on_foot(state, unit)
    along += [leader] if leader else []
    company = f" with {', '.join(name_piece(piece) for piece in along)}" if along else ""
    isolated = " (Isolated)" if leads_to_isolated(state, unit.side, way) else ""
    yield Note(
        f"{name_piece(unit)} in {unit.at}{company} is Retained {retained_words(way)}"
        f"{isolated}, {number_words(way.length, 'hex', 'hexes')} away.",
    )
    after = retain(state, unit.id, way.kind, way.id, guns_too=True)
    if leader:
        after = retain(after, leader.id, way.kind, way.id)
    return (yield from happen(state, after, Retained(piece=unit)))


def _choose_area(
    state: Campaign, unit: Piece, ways: list[Destination]
) -> Script[Destination | None]:
    """Let the owner choose among areas that are equally near; None of none. Rule: 9.6053."""
    if not ways:
        return None
    text = (
        f"{name_piece(unit)} in {unit.at} (Uncontrolled Territory) is "
        f"{number_words(ways[0].length, 'hex', 'hexes')} from each of these. "
        "In which is it Retained?"
    )
    return (yield from choose_way(state, "9.6053.1", unit, ways, text))


# -- 9.6055 In a friendly Setup Area --------------------------------------------------------------


def in_friendly_setup_area(state: Told) -> Script[Told]:
    """Retain each unit and piece of Equipment that stands in a friendly Setup Area in it.

    Guns stay in their Locations; a prisoner is with his Guard. Rule: 9.6055, 9.6057.
    """
    counts: dict[tuple[Side, str], int] = {}
    for piece in state.pieces:
        if not piece.on_map or piece.area or piece.is_prisoner:
            continue
        area = setup_area(state, piece)
        if area:
            after = update(state, piece.id, area=area.id)
            state = yield from happen(state, after, Retained(piece=piece))
            counts[piece.side, area.id] = counts.get((piece.side, area.id), 0) + 1
    for side in state.sides:
        for area in state.areas.areas[side]:
            number = counts.get((side, area.id), 0)
            pieces = "1 piece is" if number == 1 else f"{number or 'no'} pieces are"
            yield Note(
                f"{side.title} Setup Area {area.id}: {pieces} Retained in place.",
                "9.6055",
            )
    isolated = [
        piece
        for piece in state.pieces
        if piece.on_map and piece.area and piece.is_unit_or_equipment and is_isolated(state, piece)
    ]
    for side in state.sides:
        mine = [piece for piece in in_board_order(state, isolated) if piece.side is side]
        if mine:
            names = ", ".join(f"{name_piece(piece)} {piece.at}" for piece in mine)
            yield Note(f"Isolated {side.title} pieces: {names}.", "9.6052, 9.6057")
    return state


# -- 9.6058 No Move -------------------------------------------------------------------------------


@paragraph("9.6058")
def no_move(state: Told) -> Script[Told]:
    """Decide which Germans must begin Night II where they are, and who gains Freedom of Movement.

    Rule: 9.6058, CG4b, CG4c; ruling P-33.
    """
    coming = state.coming_date
    if coming is CGDate.NIGHT_2:
        return (yield from _before_night_2(state))
    if coming is CGDate.NIGHT_3:
        for piece in _german_units(state):
            after = drop_status(add_status(state, piece.id, FREE), piece.id, NO_MOVE)
            state = yield from happen(state, after, GivenFreedom(piece=piece))
        yield Note("All German units have Freedom of Movement for Night III.")
    return state


def _german_units(state: Campaign) -> list[Piece]:
    return [
        piece
        for piece in state.of(Side.GERMAN)
        if (piece.is_personnel or piece.is_vehicle) and not piece.is_prisoner
    ]


def _before_night_2(state: Told) -> Script[Told]:
    board = state.board
    stopped, freed = [], []
    for piece in in_board_order(state, _german_units(state)):
        if is_held_by_no_move(state, piece, board):
            stopped.append(f"{name_piece(piece)} {piece.at}")
            if territory(state, piece) is not Territory.FRIENDLY:
                yield Note(
                    f"{name_piece(piece)} in {piece.at} is in no German Setup Area; on its No Move "
                    "counter it stays there all the same.",
                )
        elif piece.on_map and piece.has(NO_MOVE):
            after = drop_status(add_status(state, piece.id, FREE), piece.id, NO_MOVE)
            state = yield from happen(state, after, GivenFreedom(piece=piece))
            freed.append(f"{name_piece(piece)} {piece.at}")
    if stopped:
        yield Note(
            f"These begin Night II in their present Locations, on No Move: {', '.join(stopped)}.",
        )
    if freed:
        yield Note(
            "On or north of hexrow CC, so with Freedom of Movement and free to move inside their "
            f"Setup Areas: {', '.join(freed)}.",
        )
    if not stopped and not freed:
        yield Note("No German unit is on a No Move counter.", topic=IDLE)
    return state
