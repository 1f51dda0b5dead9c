"""9.606 Escape: out of No Man's Land, enemy Setup Areas, dead ends and Isolation."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from asl_pbcg.campaign.areas.area_map import SetupArea, Territory
from asl_pbcg.campaign.areas.area_paths import Closed, Destination
from asl_pbcg.campaign.position_words import UnitStatus
from asl_pbcg.campaign.state.campaign_events import happen
from asl_pbcg.campaign.state.campaign_state import Campaign, Told
from asl_pbcg.campaign.state.piece_changes import drop_status
from asl_pbcg.campaign.state.piece_events import Cleared, Retained
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Script, ask, paragraph
from asl_pbcg.kernel.topic import Topic
from asl_pbcg.kernel.wording import number_words
from asl_pbcg.refit.helpers.equipment import equipment, settle_deployment
from asl_pbcg.refit.helpers.retention import retain
from asl_pbcg.refit.helpers.situation import pieces_retained_in, territory
from asl_pbcg.refit.helpers.subjects import piece_option, side_in, stack_of
from asl_pbcg.refit.helpers.unit_changes import eliminate as eliminate_unit
from asl_pbcg.refit.helpers.unit_changes import stands
from asl_pbcg.refit.helpers.unit_paths import (
    destination_words,
    escape_ways,
    leads_to_isolated,
    retained_ways,
)
from asl_pbcg.refit.helpers.vehicle_paths import settle_way
from asl_pbcg.refit.s606_attempt import (
    SHEET_HELP,
    attempt,
    beside,
    beside_ways,
    eliminate,
    stack_words,
)
from asl_pbcg.refit.s606_isolated import (
    by_location,
    may_go,
    may_not_move,
    remain_in_place,
    settle_who_remains,
    volunteers,
    who_escapes,
    who_tries,
)
from asl_pbcg.refit.setup.stacking import area_excess, arrive, locations_of, stacking_kind

RULE = "9.606"
NO_PATH = "it has no path to Escape by"


def escape(state: Told) -> Script[Told]:
    """Resolve every Escape attempt of both sides, then remove Encircled markers.

    First all Isolated units say whether they attempt Escape. Locations come in alphanumeric order.
    Control of what is vacated stays (9.6131).

    Rule: 9.606, 9.6061, 9.6062; rulings C-86, P-201, P-220.
    """
    must, may = who_escapes(state)
    yield from _tell_list(state, "Must attempt Escape", must)
    yield from _tell_list(state, "Isolated, may attempt Escape", may)
    done: set[str] = set()
    calm: dict[str, Piece] = {}
    state, going = yield from _declare(state, may)
    done |= {unit.id for unit in may} - going
    while True:
        state = yield from _attempts(state, done, calm, going)
        known = {piece.id for piece in state.pieces}
        state = yield from _out_of_crowded_areas(state)
        done |= {piece.id for piece in state.pieces} - known
        if not any(who_escapes(state, done, calm)):
            break
    state = yield from _without_crew(state)
    return (yield from encircled_markers(state))


def _declare(state: Told, may: list[Piece]) -> Script[tuple[Told, set[str]]]:
    """Let the owners of Isolated units say which attempt Escape; the others are Retained.

    Rule: 9.606; ruling P-220.
    """
    tries = yield from who_tries(state, may)
    going: set[str] = set()
    for _, _, units in by_location(state, may):
        state, chosen = yield from volunteers(state, units, tries)
        going |= set(chosen)
    return state, going


def _attempts(state: Told, done: set[str], calm: dict[str, Piece], going: set[str]) -> Script[Told]:
    """Resolve the attempts of all who are not ``done``, Location by Location; they are added.

    ``going``: the Isolated units that were declared. Rule: 9.606.
    """
    while True:
        # Found again each time: a prisoner who is Rearmed may have to Escape in his turn.
        must, may = who_escapes(state, done, calm)
        groups = by_location(state, must + may)
        if not groups:
            return state
        _, _, units = groups[0]
        before = state
        optional = units[0] in may
        if optional and not going.issuperset(unit.id for unit in units):
            state, chosen = yield from _declare(state, units)
            going |= chosen
        ids = [unit.id for unit in units if not optional or unit.id in going]
        state = yield from _location(state, ids, optional)
        state = yield from _rearm(before, state)
        known = {piece.id for piece in before.pieces}
        done |= {unit.id for unit in units} | {piece.id for piece in state.pieces} - known


def _out_of_crowded_areas(state: Told) -> Script[Told]:
    """Let units leave an Isolated Setup Area that Escapes have Overstacked. Rule: 9.606, A5.1."""
    done: set[str] = set()
    for side in state.sides:
        for area in state.areas.areas[side]:
            while area.isolated and (excess := area_excess(state, area)):
                # While all of it is ablaze nobody could enter it; he who is there stands in it.
                place = next(iter(locations_of(state, area)), str(area.strategic_locations[0]))
                words_ = " and ".join(excess.values())
                able = [
                    piece.id
                    for piece in pieces_retained_in(state, side, area.id)
                    if stacking_kind(piece) in excess
                    and piece.id not in done
                    and may_go(piece)
                    and not (piece.is_prisoner or piece.aboard or may_not_move(state, piece))
                    and escape_ways(state, [arrive(state, piece.id, place).piece(piece.id)])
                ]
                if not able:
                    yield Note(f"{_area(area)} is Overstacked ({words_}): nobody can leave.")
                    break
                id = able[0]
                if len(able) > 1:
                    id = yield from ask(
                        Prompt(
                            state=state,
                            id="9.606.2c",
                            subject=side_in(side, area.id, place),
                            options=tuple(piece_option(state.piece(each)) for each in able),
                            text=f"{_area(area)} is Overstacked ({words_}). Which unit leaves?",
                            help="Isolated, Overstacked units must attempt Escape until the "
                            "Location is not Overstacked. All who are Retained here must find "
                            "room in its Locations.",
                        )
                    )
                done.add(id)
                before = state
                after = arrive(state, id, place)
                state = yield from happen(state, after, Retained(piece=state.piece(id)))
                state = yield from _location(state, [id], False)
                state = yield from _rearm(before, state)
    return state


def _area(area: SetupArea) -> str:
    return f"{area.side.title} Setup Area {area.id}"


def _without_crew(state: Told) -> Script[Told]:
    """Eliminate each Armor Leader on foot whose crew is lost: he shares its lot. Rule: D3.4."""
    for piece in state.pieces:
        if piece.is_armor_leader and piece.on_map and not (piece.aboard or piece.area):
            yield Note(f"{name_piece(piece)} in {piece.at} is lost with his crew.", "D3.4")
            state = yield from eliminate_unit(state, piece.id, "Escape", how=None)
    return state


def _tell_list(state: Campaign, what: str, units: list[Piece]) -> Script[None]:
    """Tell who is concerned, in alphanumeric order. Rule: 9.606."""
    names = [f"{name_piece(unit)} in {unit.at} ({territory(state, unit).value})" for unit in units]
    yield Note(f"{what}: {', '.join(names) or 'nobody'}.")


def encircled_markers(state: Told) -> Script[Told]:
    """Remove every Encircled marker. Rule: 9.6062."""
    encircled = [piece for piece in state.pieces if piece.has(UnitStatus.ENCIRCLED)]
    after: Campaign = state
    for piece in encircled:
        after = drop_status(after, piece.id, UnitStatus.ENCIRCLED)
    if encircled:
        state = yield from happen(state, after, Cleared(piece=encircled[0]))
    names = ", ".join(name_piece(piece) for piece in encircled) or "there is none"
    yield Note(f"Encircled markers are removed: {names}.", "9.6062")
    return state


def _rearm(before: Campaign, state: Told) -> Script[Told]:
    """Retain who is a prisoner no longer, as 9.6053 and 9.6055 would have. Rule: A20.551."""
    held = [piece.id for piece in before.pieces if piece.is_prisoner]
    for id in held:
        if not stands(state, id) or state.piece(id).is_prisoner:
            continue
        unit = state.piece(id)
        where = territory(state, unit)
        if where is Territory.FRIENDLY:
            state = yield from happen(state, remain_in_place(state, id), Retained(piece=unit))
        elif where is Territory.UNCONTROLLED and (ways := retained_ways(state, [unit])):
            way = yield from destination(state, [unit], ways)
            after = retain(state, id, way.kind, way.id, guns_too=True)
            state = yield from happen(state, after, Retained(piece=unit))
    return state


# -- One Location ---------------------------------------------------------------------------


def _location(state: Told, ids: Sequence[str], may: bool) -> Script[Told]:
    """Resolve the attempts of one side's units in one Location.

    All stacks and destinations are decided before the first DR. ``may``: they are Isolated and
    need not go.

    Rule: 9.606; ruling P-201.
    """
    people = [id for id in ids if not state.piece(id).is_vehicle]
    groups: list[tuple[list[str], Destination]] = []
    if people:
        ways = escape_ways(state, [state.piece(id) for id in people])
        if ways:
            state, groups = yield from _people(state, people, ways, may)
        else:
            for id in people:
                state = yield from eliminate(state, id, NO_PATH, doomed=people)
    for id in ids:
        if id not in people and stands(state, id):
            way = yield from _vehicle_way(state, state.piece(id))
            if way is not None:
                groups.append(([id], way))
            elif may:
                unit = state.piece(id)
                yield Note(f"{name_piece(unit)} has no path to Escape by and stays.", "9.6061")
                after = remain_in_place(state, id)
                state = yield from happen(state, after, Retained(piece=state.piece(id)))
            else:
                state = yield from eliminate(state, id, NO_PATH)
    for stack, way in groups:
        state = yield from attempt(state, stack, way)
    return state


def _people(
    state: Told, ids: list[str], ways: list[Destination], may: bool
) -> Script[tuple[Told, list[tuple[list[str], Destination]]]]:
    """Deploy, see to Equipment, form stacks and choose where each goes.

    ``may``: they are Isolated and need not go. Rule: 9.606; ruling P-201.
    """
    before = ids
    state, ids = yield from settle_deployment(state, ids)
    if may:
        state, ids = yield from settle_who_remains(state, before, ids)
    state = yield from equipment(state, ids)
    groups = []
    waiting = list(ids)
    for number in count(1):
        if not waiting:
            break
        stack = yield from _stack(state, waiting, ways, number)
        waiting = [id for id in waiting if id not in stack]
        way = yield from destination(state, [state.piece(id) for id in stack], ways)
        groups.append((stack, way))
    return state, groups


def _vehicle_way(state: Campaign, vehicle: Piece) -> Script[Destination | None]:
    """Choose where a vehicle goes; it attempts Escape alone. None if it has no path.

    Rule: 9.606; ruling P-10.
    """
    ways: list[Destination] = []

    def choose(closed: Closed) -> Script[Destination | None]:
        ways[:] = escape_ways(state, [vehicle], closed)
        return (yield from _choose_way(state, [vehicle], ways)) if ways else None

    way = yield from settle_way(state, choose, lambda _: [vehicle], "9.606.6a", "9.6061")
    if way is not None and len(ways) == 1:
        yield from _tell_way(state, [vehicle], way)
    return way


# -- Stacks and destinations ------------------------------------------------------------------


def _stack(
    state: Campaign, ids: list[str], ways: Sequence[Destination], number: int
) -> Script[list[str]]:
    """Decide which of the Personnel ``ids`` in one Location go as the next stack. Rule: 9.606."""
    stack = ids[:1]
    while len(stack) < len(ids):
        units = [state.piece(id) for id in stack]
        alone = "alone" if len(stack) == 1 else "as this stack"
        drm, odds, best = beside_ways(state, units, ways)
        options = [Option("go", alone, drm, odds, path=best.path)]
        for id in ids:
            if id not in stack:
                unit = state.piece(id)
                drm, odds, best = beside_ways(state, [*units, unit], ways)
                words = f"with {name_piece(unit)}"
                options.append(Option(id, words, drm, odds, path=best.path, topic=unit.topic))
        answer = yield from ask(
            Prompt(
                state=state,
                id="9.606.5",
                subject=stack_of(units, f"{units[0].at}, stack {number}"),
                options=tuple(options),
                default="go",
                text=f"{_attempter(state, units)} attempts Escape. How does it go?",
                help="Personnel in one Location may combine into one or more stacks; each makes "
                f"its own DR. {SHEET_HELP}",
            )
        )
        if answer == "go":
            break
        stack.append(answer)
    return stack


def _attempter(state: Campaign, units: Sequence[Piece]) -> str:
    """Return a stack with its Equipment and the place it leaves, as ``4-6-7 g1 in Z23 (...)``."""
    first = units[0]
    items = [state.piece(item) for unit in units for item in unit.possesses]
    named_items = [*map(name_piece, units[1:]), *map(name_piece, items)]
    carried = f" with {', '.join(named_items)}" if named_items else ""
    return f"{name_piece(first)}{carried} in {first.at} ({territory(state, first).value})"


@paragraph("9.6061")
def destination(
    state: Campaign, units: Sequence[Piece], ways: Sequence[Destination]
) -> Script[Destination]:
    """Decide where a stack or vehicle goes: the nearest area, or of several the owner's choice.

    It is settled before the DR. Rule: 9.6061; ruling C-87.
    """
    way = yield from _choose_way(state, units, ways)
    if len(ways) == 1:
        yield from _tell_way(state, units, way)
    return way


@paragraph("9.6061")
def _tell_way(state: Campaign, units: Sequence[Piece], way: Destination) -> Script[None]:
    yield Note(
        f"{stack_words(units)} in {units[0].at}: to {destination_words(way)}, {_route(way)}"
        f"{_isolation(state, units, way)}.",
    )


@paragraph("9.6061")
def _choose_way(
    state: Campaign, units: Sequence[Piece], ways: Sequence[Destination]
) -> Script[Destination]:
    if len(ways) == 1:
        return ways[0]
    options = []
    for way in ways:
        drm, odds = beside(state, units, way)
        options.append(
            Option(
                way.id,
                f"to {destination_words(way)}",
                f"{_route(way)}{_isolation(state, units, way)}; {drm}",
                odds,
                path=way.path,
                topic=Topic(areas=(way.id,)),
            )
        )
    answer = yield from ask(
        Prompt(
            state=state,
            id="9.606.6",
            subject=stack_of(units),
            options=tuple(options),
            text=f"{_attempter(state, units)}: to which of the areas that are equally near?",
            help=f"The nearest area by as few enemy Setup-Area hexes as possible. {SHEET_HELP}",
        )
    )
    return next(way for way in ways if way.id == answer)


def _isolation(state: Campaign, units: Sequence[Piece], way: Destination) -> str:
    """Says that a way leads to an Isolated area: who gets there is Isolated in the scenario."""
    return ", Isolated" if leads_to_isolated(state, units[0].side, way) else ""


def _route(way: Destination) -> str:
    """Return the path in words: how long, and over how many enemy hexes."""
    hexes = number_words(way.length, "hex", "hexes")
    enemy = f", {way.enemy_hexes} of enemy Setup Areas" if way.enemy_hexes else ""
    return f"{hexes}{enemy}"
