"""9.606 Escape: who must and who may attempt it, and Isolated units that remain.

Remaining units that are Overstacked are moved within their Isolated Setup Area without a DR.
Rule: 9.606, 9.6055, 9.6058; ruling C-86.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping, Sequence

from asl_pbcg.campaign.areas.area_paths import Destination
from asl_pbcg.campaign.scenario.scenario_facts import is_held_by_no_move
from asl_pbcg.campaign.state.campaign_events import happen
from asl_pbcg.campaign.state.campaign_state import Campaign, Told
from asl_pbcg.campaign.state.piece_changes import transfer, update
from asl_pbcg.campaign.state.piece_events import Retained
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Script, ask, ask_some
from asl_pbcg.kernel.tables import Likelihood
from asl_pbcg.refit.helpers.retention import guns_left_behind, still_there
from asl_pbcg.refit.helpers.situation import at_location, in_board_order, setup_area
from asl_pbcg.refit.helpers.status_chart import Outcome, status_of
from asl_pbcg.refit.helpers.subjects import (
    piece_option,
    place_option,
    side_at,
    stack_of,
    whole_side,
)
from asl_pbcg.refit.helpers.unit_paths import destination_words, escape_ways
from asl_pbcg.refit.helpers.vehicle_actions import is_mobile
from asl_pbcg.refit.s606_attempt import SHEET_HELP, beside_ways
from asl_pbcg.refit.setup.stacking import excess_of, stacking_kind

Group = tuple[Side, str, list[Piece]]
"""The units of one side in one Location."""

_MUST: frozenset[Outcome] = frozenset({"must_escape", "retained_or_escape"})


def may_go(piece: Piece) -> bool:
    """Return whether a piece can go by itself at all: Infantry, or a vehicle that is mobile."""
    return piece.is_personnel or is_mobile(piece)


def _is_concerned(state: Campaign, piece: Piece) -> bool:
    """Return whether 9.606 asks at all what becomes of ``piece``."""
    return piece.on_map and not piece.aboard and may_go(piece) and still_there(state, piece)


def who_escapes(
    state: Campaign, done: Collection[str] = (), calm: dict[str, Piece] | None = None
) -> tuple[list[Piece], list[Piece]]:
    """Return who must and who may attempt Escape, those ``done`` with left out.

    ``calm`` remembers who neither must nor may, so that a whole side is not searched again after
    each attempt; who has changed since, as a prisoner who is Rearmed, is. Rule: 9.606, 9.6056.
    """
    calm = {} if calm is None else calm
    must, may = [], []
    for piece in state.pieces:
        if piece.id in done or calm.get(piece.id) is piece:
            continue
        outcome = status_of(state, piece).outcome if _is_concerned(state, piece) else None
        if outcome in _MUST:
            must.append(piece)
        elif outcome == "may_escape":
            may.append(piece)
        else:
            calm[piece.id] = piece
    return in_board_order(state, must), in_board_order(state, may)


def by_location(state: Campaign, pieces: list[Piece]) -> list[Group]:
    """Return pieces by Location and side, Locations in alphanumeric order. Ruling C-86."""
    groups: dict[tuple[str, Side], list[Piece]] = {}
    for piece in in_board_order(state, pieces):
        groups.setdefault((piece.at, piece.side), []).append(piece)
    return [(side, at, units) for (at, side), units in groups.items()]


def may_not_move(state: Campaign, piece: Piece) -> bool:
    """Return whether a No Move counter keeps a unit where it is. Rule: 9.6058, CG4b."""
    return is_held_by_no_move(state, piece, state.board)


# -- Overstacked ----------------------------------------------------------------------------


def overstacking(state: Campaign, place: str, side: Side, leaving: Collection[str] = ()) -> str:
    """Return what a side has too much of in a Location once ``leaving`` are gone; empty if nothing.

    Rule: 9.606, A5.1.
    """
    found = _excess(state, place, side, leaving)
    return " and ".join(found.values())


def too_many(state: Campaign, piece: Piece, leaving: Collection[str] = ()) -> bool:
    """Return whether ``piece`` is of the kind its Location is Overstacked with."""
    return stacking_kind(piece) in _excess(state, piece.at, piece.side, leaving)


def _excess(state: Campaign, place: str, side: Side, leaving: Collection[str]) -> dict[str, str]:
    stay = [
        piece
        for piece in at_location(state, place)
        if piece.side is side
        and piece.id not in leaving
        and not piece.is_prisoner
        and not piece.aboard  # it is the vehicle's crew
        and still_there(state, piece)
    ]
    return excess_of(stay)


def places_to_move(state: Campaign, piece: Piece) -> list[str]:
    """Return the other Locations of its Setup Area a unit may be moved to without Overstacking.

    Rule: 9.606.
    """
    areas = state.areas
    area = setup_area(state, piece)
    if area is None:
        return []
    places = [name for name in area.hexes if name in areas.board.enterable]
    if not piece.is_vehicle:
        places += [str(location) for location in area.strategic_locations if not location.ground]
    return [
        place
        for place in dict.fromkeys(places)
        if place != piece.at
        and not overstacking(update(state, piece.id, at=place), place, piece.side)
    ]


RULE = "9.606"
NO_PATH = "There is no path to another friendly Setup Area or Eligible Entry Area."


SEVERAL = 3
"""From so many Isolated units of a side on it is asked once which of them attempt Escape."""


def who_tries(state: Campaign, units: list[Piece]) -> Script[dict[str, bool]]:
    """Settle of a side's many Isolated units which attempt Escape; for each asked, whether it does.

    Of few each is asked in its turn, with what else there is to do. Rule: 9.606.
    """
    found: dict[str, bool] = {}
    for side in state.sides:
        ways = {
            unit.id: escape_ways(state, [unit])
            for unit in units
            if unit.side is side and not may_not_move(state, unit)
        }
        able = [unit for unit in units if ways.get(unit.id)]
        if len(able) < SEVERAL:
            continue
        options = []
        for unit in able:
            unit_ways = ways[unit.id]
            drm, odds, best = beside_ways(state, [unit], unit_ways)
            words_ = f"to {' or '.join(destination_words(way) for way in unit_ways)}; alone {drm}"
            name = f"{name_piece(unit)} in {unit.at}"
            way = best.path
            options.append(Option(unit.id, name, words_, odds, path=way, topic=unit.topic))
        chosen = yield from ask_some(
            Prompt(
                state=state,
                id="9.606.1",
                subject=whole_side(side),
                kind="choose-some",
                options=tuple(options),
                default="none",
                draw=_third([unit.id for unit in able]),
                text=f"{len(able)} Isolated units: which attempt Escape? The others stay.",
                help="An Isolated unit may attempt Escape or remain in place; a vacated Location "
                f"stays Controlled by its side (9.6131). {SHEET_HELP}",
            )
        )
        found |= {unit.id: unit.id in chosen for unit in able}
    return found


def _third(ids: list[str]) -> Callable[[random.Random], list[str]]:
    """Return what automatic play does: about every third unit tries."""
    return lambda source: [id for id in ids if source.random() < 1 / 3]


def volunteers(
    state: Told, units: list[Piece], tries: Mapping[str, bool]
) -> Script[tuple[Told, list[str]]]:
    """Decide which Isolated units of a Location attempt Escape; the others are Retained there.

    ``tries`` has those that were asked already.

    While the Location is Overstacked its owner must first say who Escapes or is moved.

    Rule: 9.606.
    """
    going = [unit.id for unit in units if tries.get(unit.id)]
    place = units[0].at
    staying = [unit.id for unit in units if unit.id not in going]
    found: dict[tuple[bool, str], list[Destination]] = {}

    def ways_of(id: str) -> list[Destination]:
        # The same for all Infantry of one RG in the Location.
        unit = state.piece(id)
        key = unit.is_vehicle, unit.rg
        if key not in found:
            found[key] = escape_ways(state, [unit])
        return found[key]

    while staying and (excess := overstacking(state, place, units[0].side, going)):
        able = [id for id in staying if too_many(state, state.piece(id), going)]
        options = [_who(state, id, ways_of(id)) for id in able]
        legal = [option.id for option in options if not option.refused]
        if not legal:
            yield Note(f"{place} is Overstacked ({excess}), but nobody can leave.")
            break
        id = legal[0]
        if len(legal) > 1:
            id = yield from ask(
                Prompt(
                    state=state,
                    id="9.606.2o",
                    subject=side_at(units[0].side, place),
                    options=tuple(options),
                    text=f"{place} is Overstacked ({excess}). Which unit leaves?",
                    help="Isolated, Overstacked units must attempt Escape, or be freely moved to "
                    "another Location of that Setup Area, until it is not Overstacked.",
                )
            )
        staying.remove(id)
        state = yield from _settle_isolated(state, id, ways_of(id), going, overstack=True)
    for id in staying:
        if id in tries:
            unit = state.piece(id)
            yield Note(f"{name_piece(unit)} remains in {unit.at}, Isolated.")
            after = remain_in_place(state, id)
            state = yield from happen(state, after, Retained(piece=state.piece(id)))
        else:
            state = yield from _settle_isolated(state, id, ways_of(id), going, overstack=False)
    return state, [unit.id for unit in units if unit.id in going]


def _who(state: Campaign, id: str, ways: Sequence[Destination]) -> Option:
    unit = state.piece(id)
    refused, rule = _no_escape(state, unit, ways)
    if refused and (may_not_move(state, unit) or not places_to_move(state, unit)):
        return piece_option(unit, refused=refused, rule=rule)
    return piece_option(unit)


def _no_escape(state: Campaign, unit: Piece, ways: Sequence[Destination]) -> tuple[str, str]:
    """Return why an Isolated unit cannot attempt Escape, and by which rule; empty if it can."""
    if may_not_move(state, unit):
        return f"{name_piece(unit)} is on a No Move counter.", "9.6058"
    return ("", "") if ways else (NO_PATH, "9.6061")


def _settle_isolated(
    state: Told, id: str, ways: Sequence[Destination], going: list[str], overstack: bool
) -> Script[Told]:
    """Decide what one Isolated unit does; who attempts Escape is added to ``going``."""
    unit = state.piece(id)
    refused, rule = _no_escape(state, unit, ways)
    options = _isolated_options(state, unit, ways, refused, rule, overstack)
    legal = [option for option in options if not option.refused]
    if len(legal) == 1:
        answer = legal[0].id
    else:
        answer = yield from ask(
            Prompt(
                state=state,
                id="9.606.2",
                subject=unit,
                options=options,
                default=None if overstack else "stay",
                text=f"{name_piece(unit)} in {unit.at} is Isolated. What does it do?",
                help="An Isolated unit may attempt Escape or remain in place; a vacated Location "
                f"stays Controlled by its side (9.6131). {SHEET_HELP}",
            )
        )
    if answer == "escape":
        going.append(id)
        return state
    if answer == "move":
        return (yield from _move(state, unit))
    why = f" {refused}" if refused else ""
    yield Note(f"{name_piece(unit)} remains in {unit.at}, Isolated.{why}")
    after = remain_in_place(state, id)
    return (yield from happen(state, after, Retained(piece=state.piece(id))))


def _isolated_options(
    state: Campaign,
    unit: Piece,
    ways: Sequence[Destination],
    refused: str,
    rule: str,
    overstack: bool,
) -> tuple[Option, ...]:
    """Return what an Isolated unit may do; ``refused`` by ``rule`` is its Escape."""
    consequence = ""
    path: tuple[str, ...] = ()
    odds: dict[str, Likelihood] = {}
    if not refused:
        drm, odds, best = beside_ways(state, [unit], ways)
        path = best.path
        consequence = f"to {' or '.join(destination_words(way) for way in ways)}; alone {drm}"
    escape = Option("escape", "attempt Escape", consequence, odds, refused, rule, path=path)
    if not overstack:
        return escape, Option("stay", "stay", "Ammunition Shortage in setup (9.62021)")
    nowhere = "" if places_to_move(state, unit) else "Every other Location would be too full."
    if may_not_move(state, unit):
        nowhere, rule = refused, "9.6058"
    where = "be moved to another Location of this Setup Area"
    return (
        escape,
        Option("move", where, "no DR", refused=nowhere, rule=rule),
        Option("stay", "stay", refused="The Location is Overstacked.", rule=RULE),
    )


def settle_who_remains(
    state: Told, before: Sequence[str], ids: list[str]
) -> Script[tuple[Told, list[str]]]:
    """Decide which HS of the squads just Deployed remain, as Isolated units may; who goes.

    They may not leave the Location Overstacked. Rule: 9.606.
    """
    new = [id for id in ids if id not in before]
    if not new:
        return state, ids
    first = state.piece(new[0])

    def fits(chosen: list[str]) -> list[str]:
        excess = overstacking(state, first.at, first.side, [id for id in ids if id not in chosen])
        if chosen and excess:
            raise IllegalAnswer(f"{first.at} would be Overstacked ({excess}).", RULE)
        return chosen

    def one_or_none(source: random.Random) -> list[str]:
        chosen = source.choice([[], [source.choice(new)]])
        leaving = [id for id in ids if id not in chosen]
        return [] if overstacking(state, first.at, first.side, leaving) else chosen

    chosen = yield from ask_some(
        Prompt(
            state=state,
            id="9.606.3a",
            subject=stack_of([state.piece(id) for id in new]),
            kind="choose-some",
            options=tuple(piece_option(state.piece(id)) for id in new),
            default="none",
            verify=fits,
            draw=one_or_none,
            text=f"Which of the new HS remain in {first.at}?",
            help="The Location is Isolated: a unit may attempt Escape or remain (9.606). A new HS "
            "has none of its squad's Equipment.",
        )
    )
    for id in chosen:
        yield Note(f"{name_piece(state.piece(id))} remains in {first.at}, Isolated.")
        after = remain_in_place(state, id)
        state = yield from happen(state, after, Retained(piece=state.piece(id)))
    return state, [id for id in ids if id not in chosen]


def remain_in_place(state: Campaign, id: str) -> Campaign:
    """Return the state with an Isolated unit Retained where it is. Rule: 9.6055."""
    unit = state.piece(id)
    area = setup_area(state, unit)
    for each in (id, *unit.possesses):
        if area and still_there(state, state.piece(each)):
            state = update(state, each, area=area.id)
    return state


def _move(state: Told, unit: Piece) -> Script[Told]:
    """Move an Overstacked unit freely within its Isolated Setup Area, without a DR. Rule: 9.606."""
    places = places_to_move(state, unit)
    place = places[0]
    if len(places) > 1:
        place = yield from ask(
            Prompt(
                state=state,
                id="9.606.2m",
                subject=unit,
                options=tuple(place_option(place) for place in places),
                draw=lambda source: source.choice(places),
                text=f"To which Location of its Setup Area is {name_piece(unit)} moved?",
            )
        )
    yield Note(f"{name_piece(unit)} is moved from {unit.at} to {place}; no DR is made.")
    after: Campaign = state
    for gun in guns_left_behind(state, unit):
        after = transfer(after, gun.id)
    wards = [piece.id for piece in after.pieces if piece.guarded_by == unit.id]
    for each in (*after.piece(unit.id).possesses, *wards, unit.id):
        after = update(after, each, at=place)
    return (yield from happen(state, remain_in_place(after, unit.id), Retained(piece=unit)))
