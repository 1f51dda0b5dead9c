"""Setup Area determination: 9.2, 9.605 to 9.6057.

Sets of hexes are integers with a bit per hex (``hexes/hexset.py``), so each point of the rules is a
line or two of set algebra:

1. Strategic Locations are never No Man's Land.     5. A hex in which both sides Control a level.
2. No Man's Land.                                   6. Uncontrolled Territory, surrounded hexes.
3. What may belong to a Setup Area.                 7. Isolated.
4. Setup Areas, the connected pieces of that.       8. Front-Line hexes.

Pairs of values are in the order of the sides, British first, and side n's opponent is side 1 - n.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, reduce
from operator import or_
from typing import TYPE_CHECKING, Literal

from asl_pbcg.campaign.areas.area_ground import (
    ByHex,
    Ground,
    Levels,
    ground_reached,
    height,
    touching,
)
from asl_pbcg.campaign.areas.area_map import AreaMap, SetupArea
from asl_pbcg.campaign.areas.eligible_entry_areas import entry_states, goal_bits
from asl_pbcg.campaign.module.house_rules import DEFAULT_RULINGS, AreaRulings
from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.hexes.hexset import HexSet
from asl_pbcg.hexes.lattice import column_letters

if TYPE_CHECKING:
    from asl_pbcg.campaign.board.board import Board
    from asl_pbcg.campaign.location import Location
    from asl_pbcg.campaign.module.catalogue import Catalogue
    from asl_pbcg.campaign.position import Position
    from asl_pbcg.hexes.passage import Passage


def determine_areas(
    board: Board,
    position: Position,
    rulings: AreaRulings = DEFAULT_RULINGS,
    coming: CGDate | Literal["next"] | None = "next",
    catalogue: Catalogue | None = None,
) -> AreaMap:
    """Settle both sides' Setup Areas, No Man's Land, Uncontrolled Territory and who is Isolated.

    ``position`` is the map at the end of a CG scenario. ``coming`` is the CG Date to be played
    next, which decides what Entry Areas are Eligible: the one after the position's unless another
    is given; None is the end of the campaign. ``catalogue`` holds the players' corrections, if
    any, by which a vehicle has MA and a Gun is a Gun. Raises UnknownHex.

    Rule: 9.2, 9.605, 9.6051, 9.6052, 9.6053, 9.6054, 9.6057.
    """
    ground = Ground.of(board, position, catalogue)
    if coming == "next":
        coming = position.date.next
    areas = _determine(ground, rulings, coming)
    if rulings.surrounded == "control-passes":
        passed = _control_passes(areas)
        if passed is not None:
            areas = _determine(ground.with_control(passed), rulings, coming)
    return areas


def _determine(ground: Ground, rulings: AreaRulings, coming: CGDate | None) -> AreaMap:
    board = ground.board
    grid = board.grid
    passage = board.passage
    in_play = board.in_play.bits
    strategic = ground.strategic
    enterable = ground.enterable
    british, german = ground.held
    reaching = ground.held if rulings.reach == "any-level" else ground.held_at_ground
    near_british, near_german = grid.spread(reaching[0], 2), grid.spread(reaching[1], 2)

    # 1, 2. No Man's Land is near both; a hex with a Strategic Location never is. 9.6051
    no_mans_land = near_british & near_german & in_play & ~strategic

    # 5. A hex in which both Control belongs to who Controls its lower level. 9.605, 9.6054 EX
    levels = Levels(ground, british & german)
    british &= ~levels.to_german
    german &= ~levels.to_british

    # 3. What may belong to a Setup Area beside Strategic Locations. 9.2 Setup Area
    free = enterable & ~strategic
    british_ring = near_british & ~near_german & free
    german_ring = near_german & ~near_british & free
    if rulings.enterable == "two-hexes":
        british_ring = _two_steps(passage, british, british_ring)
        german_ring = _two_steps(passage, german, german_ring)

    # 4. The pieces of that which hold a Strategic Location. 9.2 Setup Area
    pieces = (
        _pieces(passage, british, british | british_ring, enterable),
        _pieces(passage, german, german | german_ring, enterable),
    )
    taken = [_union(pieces[0]), _union(pieces[1])]

    # 6. The rest is Uncontrolled Territory; what one Setup Area surrounds joins it. 9.6053, 9.6054
    uncontrolled = in_play & ~no_mans_land & ~taken[0] & ~taken[1]
    loose = _loose(board, uncontrolled, no_mans_land, rulings)
    for pocket, n, number in _pockets(ground, loose, pieces, (taken[0], taken[1])):
        pieces[n][number] |= pocket
        taken[n] |= pocket
        uncontrolled ^= pocket
    if rulings.uncontrolled == "distance":
        uncontrolled &= ~near_british & ~near_german

    # 7. Friendly hexes with a path of Enterable friendly and Uncontrolled hexes to a goal. 9.6052
    goals = goal_bits(board, coming, rulings, ground.sides)
    supplied = (
        _supply(passage, taken[0], uncontrolled, enterable, goals[0] | ground.gliders),
        _supply(passage, taken[1], uncontrolled, enterable, goals[1]),
    )

    # 8. Setup-Area hexes that touch what is not friendly. 9.2 Front-Line Hex
    neutral = no_mans_land | uncontrolled
    front = (
        taken[0] & grid.spread(neutral | taken[1]),
        taken[1] & grid.spread(neutral | taken[0]),
    )

    areas = {
        side: _name_areas(ground, rulings, n, pieces[n], levels, supplied[n], front[n])
        for n, side in enumerate(ground.sides)
    }
    return AreaMap(
        board=board,
        date=ground.position.date,
        coming=coming,
        rulings=rulings,
        areas=areas,
        no_mans_land=HexSet(grid, no_mans_land),
        uncontrolled=HexSet(grid, uncontrolled),
        entry_areas=entry_states(board, coming, rulings, ground.sides),
        supplied={side: HexSet(grid, supplied[n]) for n, side in enumerate(ground.sides)},
        ground=ground,
    )


def _two_steps(passage: Passage, own: int, ring: int) -> int:
    """The hexes of ``ring`` at most two steps from Strategic Locations (C-11)."""
    first = passage.step(own) & ring
    return first | passage.step(first) & ring


def _pieces(passage: Passage, own: int, candidates: int, enterable: int) -> list[int]:
    """Return the connected pieces of ``candidates`` with a hex of ``own``, in board order.

    Two hexes are connected where Infantry could cross their hexside at least one way: a burning
    hex can be left, though not entered.
    """
    burning = own & ~enterable
    fires = burning and burning | passage.step(burning)
    open_to_all = candidates & ~burning
    beside = passage.step(open_to_all)
    pieces = []
    remaining = own
    while remaining:
        piece = remaining & -remaining
        if piece & beside:
            piece = passage.flood(piece, open_to_all | piece)
        if piece & fires:
            piece = _flood_fire(passage, piece, burning, open_to_all)
        pieces.append(piece)
        remaining &= ~piece
    return pieces


def _flood_fire(passage: Passage, bits: int, burning: int, open_to_all: int) -> int:
    """Let a piece grow through burning hexes, which can be left but not entered."""
    while True:
        before = bits
        bits |= passage.step(bits & open_to_all) & burning
        bits |= passage.step(bits & burning) & open_to_all
        bits |= passage.flood(bits, open_to_all)
        if bits == before:
            return bits


def _loose(board: Board, uncontrolled: int, no_mans_land: int, rulings: AreaRulings) -> int:
    """Point 6: Uncontrolled Territory from which only Setup Areas can be touched."""
    grid = board.grid
    opened = grid.spread(no_mans_land)
    if rulings.map_edge == "edge-opens":
        opened |= _rim(board)
    return uncontrolled & ~grid.flood(opened, uncontrolled)


def _pockets(
    ground: Ground, loose: int, pieces: tuple[list[int], list[int]], taken: tuple[int, int]
) -> Iterator[tuple[int, int, int]]:
    """Point 6: each pocket that joins a Setup Area, the side and the number of the area."""
    grid = ground.board.grid
    in_play = ground.board.in_play.bits
    while loose:
        pocket = loose & -loose
        around = grid.around(pocket)
        if around & loose:
            pocket = grid.flood(pocket, loose)
            around = grid.around(pocket)
        loose ^= pocket
        around &= in_play
        n = 1 if around & taken[1] else 0
        if around & taken[1 - n]:
            continue
        for number, piece in enumerate(pieces[n]):
            if around & piece:
                prize = pocket & ground.strategic
                if not around & ~piece and not (prize and prize & ground.occupied[1 - n]):
                    yield pocket, n, number
                break


@cache
def _rim(board: Board) -> int:
    """The map-edge hexes and those that touch a hex out of play."""
    grid = board.grid
    return board.edge.bits | grid.spread(grid.valid & ~board.in_play.bits)


def _supply(passage: Passage, taken: int, uncontrolled: int, enterable: int, goals: int) -> int:
    """Point 7: the hexes of a side's Setup Areas that are not Isolated."""
    allowed = (taken | uncontrolled) & enterable
    reached = passage.flood(goals & allowed, allowed)
    burning = taken & ~enterable
    if burning:
        reached |= burning & passage.step(reached)
    return taken & (reached | goals)


area_id = cache(column_letters)
"""A, B ... Z, AA, BB ...: lettered as the map's hexrows are."""


def _union(pieces: list[int]) -> int:
    return reduce(or_, pieces, 0)


def _name_areas(
    ground: Ground,
    rulings: AreaRulings,
    n: int,
    pieces: list[int],
    levels: Levels,
    supplied: int,
    front: int,
) -> tuple[SetupArea, ...]:
    """Return the Setup Areas of side n, named in board order of their first Strategic Location."""
    grid = ground.board.grid
    bit_of = grid.position
    listed = levels.listed[n]
    held = ground.held[n] & ~(levels.to_british if n else levels.to_german)
    drafts = [(piece, _in_board_order(listed, piece & held)) for piece in pieces]
    if levels.alone[n]:
        apart = []
        for location in levels.alone[n]:
            below = None
            if rulings.upper_level == "traced":
                below = ground_reached(ground, n, location, supplied)
            if below is None:
                apart.append(location)
                continue
            for piece, locations in drafts:
                if piece >> bit_of[below.hex] & 1:
                    locations.append(location)
                    locations.sort(key=lambda place: (bit_of[place.hex], height(place)))
        together = rulings.upper_touching == "one"
        groups = touching(ground, apart) if together else [[lone] for lone in apart]
        drafts += [(0, group) for group in groups]
        drafts.sort(key=lambda draft: (bit_of[draft[1][0].hex], height(draft[1][0])))
    return tuple(
        SetupArea(
            side=ground.sides[n],
            id=area_id(number),
            strategic_locations=tuple(locations),
            isolated=not piece & supplied and not _hangs_on(ground, n, piece, locations, supplied),
            alone=not piece,
            grid=grid,
            bits=piece,
            front_bits=piece & front,
        )
        for number, (piece, locations) in enumerate(drafts)
    )


def _in_board_order(listed: ByHex, bits: int) -> list[Location]:
    """Return the listed Locations in the hexes ``bits``, in board order."""
    locations: list[Location] = []
    while bits:
        bit = bits & -bits
        bits ^= bit
        locations += listed[bit.bit_length() - 1]
    return locations


def _hangs_on(ground: Ground, n: int, piece: int, locations: list[Location], supplied: int) -> bool:
    """Whether an upper level of an area has a path by 9.6057; one alone in its hex has none."""
    return bool(piece) and any(
        location.level
        and location in ground.control[n].get(ground.board.grid.position[location.hex], ())
        and ground_reached(ground, n, location, supplied) is not None
        for location in locations
    )


def _control_passes(areas: AreaMap) -> tuple[ByHex, ByHex] | None:
    """Return Control after the enclosing side has gained what is empty and enclosed (C-05).

    None when no Control passes.

    An upper level or pillbox in a hex of the other side is enclosed by the area of that hex, a
    Setup Area by the one area of the other side on all its hexsides.
    """
    ground = areas.ground
    grid = areas.board.grid
    in_play = areas.board.in_play.bits
    # What lies beside ground of neither side is enclosed by none.
    shut = grid.spread(areas.no_mans_land.bits | areas.uncontrolled.bits)
    if areas.rulings.map_edge == "edge-opens":
        shut |= _rim(areas.board)
    control = (dict(ground.control[0]), dict(ground.control[1]))
    passed = False
    contested = ground.held[0] & ground.held[1]
    if contested:
        for n, joined in enumerate(Levels(ground, contested).joined):
            for location in joined:
                passed = True
                number = grid.position[location.hex]
                remaining = [place for place in control[n].pop(number) if place != location]
                if remaining:
                    control[n][number] = remaining
                theirs = control[1 - n][number]
                control[1 - n][number] = sorted([*theirs, location], key=height)
    for n, side in enumerate(ground.sides):
        for area in areas.areas[side]:
            if area.alone or area.bits & shut or area.bits & ground.occupied[n]:
                continue
            around = grid.around(area.bits) & in_play
            if not around or not any(
                around & enemy_area.bits == around for enemy_area in areas.areas[side.other]
            ):
                continue
            passed = True
            for number in {grid.position[location.hex] for location in area.strategic_locations}:
                theirs = control[n].pop(number, [])
                ours = control[1 - n].get(number, [])
                control[1 - n][number] = sorted(theirs + ours, key=height)
    return control if passed else None
