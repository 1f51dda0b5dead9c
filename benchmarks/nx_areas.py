"""Setup Areas with networkx, written straight down: the peer of ``bench_areas.py``.

The board is two graphs made once: ``touching`` (hexes that share a hexside) and ``foot`` (those
whose hexside Infantry can cross). It knows the rules as they stand, without house rules.
"""

from __future__ import annotations

from typing import Any

import networkx as nx

from asl_pbcg.campaign.areas.strategic_locations import StrategicLocations
from asl_pbcg.campaign.board.board import Board
from asl_pbcg.campaign.board.entry_areas import entry_areas
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.position import Position
from asl_pbcg.campaign.position_words import GliderState, TerrainKind, UnitStatus, VehicleStatus
from asl_pbcg.campaign.terms import Side

SIDES = (Side.BRITISH, Side.GERMAN)
STAIRS = ("square", "circle")


def height(location: Location) -> tuple[int, bool]:
    return location.level, location.pillbox


class GraphBoard:
    """The board as graphs, and what of it never changes."""

    def __init__(self, board: Board) -> None:
        grid = board.grid
        self.board = board
        self.order = {name: number for number, name in enumerate(grid.names)}
        self.in_play = set(board.in_play)
        self.enterable = set(board.enterable)
        self.touching = nx.Graph()
        self.touching.add_nodes_from(grid.names)
        self.foot = self.touching.copy()
        for name in grid.names:
            for other in grid.neighbours(name):
                self.touching.add_edge(name, other)
                if board.crossable(name, other):
                    self.foot.add_edge(name, other)
        edge = {name for name in grid.names if self.touching.degree(name) < 6}
        out = set(grid.names) - self.in_play
        self.rim = edge | {other for name in out for other in self.touching[name]}
        self.entry = {arrow: set(area.hexes) for arrow, area in entry_areas(board).items()}
        self.arrows = entry_areas(board)

    def near(self, hexes: set[str]) -> set[str]:
        if not hexes:
            return set()
        return set(nx.multi_source_dijkstra_path_length(self.touching, hexes, cutoff=2))


Control = dict[Side, list[Location]]


def determine(graph: GraphBoard, position: Position) -> dict[str, Any]:
    """Both sides' areas, No Man's Land, Uncontrolled Territory, isolation and front lines."""
    # Of a hex without a Strategic Location Control may be known (A26.11): it makes no area.
    strategic = set(StrategicLocations(position, graph.board).hexes)
    control = {
        side: [place for place in position.control.locations(side) if place.hex in strategic]
        for side in SIDES
    }
    occupants = _occupants(position)
    answer = _determine(graph, position, control, occupants)
    passed = _passed(graph, answer, control, occupants)
    if not passed:
        return answer
    for side, place in passed:  # gone through once more, and no further time (9.6054)
        control[side.other].remove(place)
        control[side].append(place)
    return _determine(graph, position, control, occupants)


def _passed(
    graph: GraphBoard,
    answer: dict[str, Any],
    control: Control,
    occupants: dict[Side, set[Location]],
) -> list[tuple[Side, Location]]:
    """What is enclosed and empty and so changes hands: an upper level, a whole area. 9.6054."""
    found = []
    for side in SIDES:
        own: dict[str, list[Location]] = {}
        for each in control[side.other]:
            own.setdefault(each.hex, []).append(each)
        for each in control[side]:
            theirs = own.get(each.hex)
            if theirs and height(each) < min(map(height, theirs)):
                empty = [one for one in theirs if one not in occupants[side.other]]
                found += [(side, one) for one in empty if (side, one) not in found]
        filled = {each.hex for each in occupants[side.other]}
        for area in answer[side.other]:
            if area["alone"] or area["hexes"] & (graph.rim | filled):
                continue
            around = nx.node_boundary(graph.touching, area["hexes"])
            if any(around <= other["hexes"] for other in answer[side]):
                inside = [one for one in control[side.other] if one.hex in area["hexes"]]
                found += [(side, one) for one in inside if (side, one) not in found]
    return found


def _occupants(position: Position) -> dict[Side, set[Location]]:
    found: dict[Side, set[Location]] = {side: set() for side in SIDES}
    for unit in position.units:
        if not unit.has(UnitStatus.PRISONER):
            found[unit.side].add(unit.location)
    for vehicle in position.vehicles:
        if not vehicle.has(VehicleStatus.ABANDONED) and not vehicle.bypass:
            found[vehicle.side].add(vehicle.location)
    return found


def _determine(
    graph: GraphBoard,
    position: Position,
    control: Control,
    occupants: dict[Side, set[Location]],
) -> dict[str, Any]:
    held = {side: {each.hex for each in control[side]} for side in SIDES}
    strategic = set(StrategicLocations(position, graph.board).hexes)
    blazes = {item.location for item in position.terrain if item.kind is TerrainKind.BLAZE}
    enterable = graph.enterable - {each.hex for each in blazes if not each.level}
    near = {side: graph.near(held[side]) for side in SIDES}
    no_mans_land = (near[SIDES[0]] & near[SIDES[1]] & graph.in_play) - strategic

    lowest: dict[str, tuple[tuple[int, bool], Side]] = {}
    for side in SIDES:
        for each in control[side]:
            found = (height(each), side)
            if each.hex not in lowest or found[0] < lowest[each.hex][0]:
                lowest[each.hex] = found

    areas: dict[Side, list[dict[str, Any]]] = {side: [] for side in SIDES}
    for side in SIDES:
        own = {name for name in held[side] if lowest[name][1] is side}
        ring = (near[side] - near[side.other] - strategic) & enterable
        ground = nx.Graph(graph.foot.subgraph(own | ring))
        fires = own - enterable
        ground.remove_edges_from(
            [(a, b) for a, b in ground.edges(fires) if a in fires & {a} and b in fires]
        )
        for piece in nx.connected_components(ground):
            if piece & own:
                areas[side].append({"hexes": piece, "held": [], "alone": False})
    lone: dict[Side, list[Location]] = {side: [] for side in SIDES}
    for side in SIDES:
        of_hex = _areas_by_hex(areas[side])
        other_of = _areas_by_hex(areas[side.other])
        for place in control[side]:
            if lowest[place.hex][1] is side:
                of_hex[place.hex]["held"].append(place)
            elif place in occupants[side]:
                lone[side].append(place)
            else:
                other_of[place.hex]["held"].append(place)

    taken = {side: set().union(*(area["hexes"] for area in areas[side])) for side in SIDES}
    uncontrolled = graph.in_play - no_mans_land - taken[SIDES[0]] - taken[SIDES[1]]
    for pocket in list(nx.connected_components(graph.touching.subgraph(uncontrolled))):
        if pocket & graph.rim:
            continue
        around = nx.node_boundary(graph.touching, pocket)
        for side in SIDES:
            for area in areas[side]:
                if around <= area["hexes"]:
                    enemy = {each.hex for each in occupants[side.other]}
                    if not pocket & strategic & enemy:
                        area["hexes"] |= pocket
                        taken[side] |= pocket
                        uncontrolled -= pocket

    answer: dict[str, Any] = {"no_mans_land": no_mans_land, "uncontrolled": uncontrolled}
    for side in SIDES:
        supplied = _supplied(graph, position, side, taken[side], uncontrolled, enterable)
        hostile = graph.in_play - taken[side]
        areas[side] += _lone_areas(
            graph, set(control[side]), lone[side], areas[side], supplied, blazes
        )
        for area in areas[side]:
            area["held"].sort(key=lambda each: (graph.order[each.hex], height(each)))
            area["front"] = {
                name
                for name in area["hexes"]
                if any(other in hostile for other in graph.touching[name])
            }
            area["isolated"] = area["alone"] or not (
                area["hexes"] & supplied
                or any(
                    _ground_below(graph, set(control[side]), each, supplied, blazes)
                    for each in area["held"]
                    if each.level and each in control[side]
                )
            )
        areas[side].sort(
            key=lambda area: (graph.order[area["held"][0].hex], height(area["held"][0]))
        )
        answer[side] = areas[side]
    return answer


def _supplied(
    graph: GraphBoard,
    position: Position,
    side: Side,
    taken: set[str],
    uncontrolled: set[str],
    enterable: set[str],
) -> set[str]:
    coming = position.date.next
    goals: set[str] = set()
    for arrow, area in graph.arrows.items():
        if area.side == side.value and area.available(coming or ""):
            goals |= graph.entry[arrow]
    if side is Side.BRITISH:
        goals |= {
            item.location.hex for item in position.gliders if item.state is GliderState.LANDED
        }
    allowed = (taken | uncontrolled) & enterable
    reached: set[str] = set()
    for piece in nx.connected_components(graph.foot.subgraph(allowed)):
        if piece & goals:
            reached |= piece
    fires = taken - enterable
    reached |= {name for name in fires if any(other in reached for other in graph.foot[name])}
    return taken & (reached | goals)


def _beside(graph: GraphBoard, here: Location) -> list[Location]:
    """The Locations of the same building next to one."""
    footprint = set(graph.board.building(here.hex))
    if here.pillbox or not footprint:
        return []
    marked = {name for name in footprint if graph.board[name].stairs in STAIRS}
    found = [Location(name, here.level) for name in graph.foot[here.hex] if name in footprint]
    if here.hex in (marked or footprint):
        found += [Location(here.hex, here.level + 1), Location(here.hex, here.level - 1)]
    return found


def _areas_by_hex(areas: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {name: area for area in areas for name in area["hexes"]}


def _lone_areas(
    graph: GraphBoard,
    control: set[Location],
    lone: list[Location],
    areas: list[dict[str, Any]],
    supplied: set[str],
    blazes: set[Location],
) -> list[dict[str, Any]]:
    """Let Locations above the enemy join the area below, and return areas of the rest. 9.6054."""
    of_hex = _areas_by_hex(areas)
    levels = nx.Graph()
    for place in lone:
        below = _ground_below(graph, control, place, supplied, blazes)
        if below:
            of_hex[below]["held"].append(place)
        else:
            levels.add_node(place)
    for place in list(levels):
        for other in _beside(graph, place):
            if other in levels and not {place, other} <= blazes:
                levels.add_edge(place, other)
    return [
        {"hexes": set(), "held": sorted(group, key=height), "alone": True}
        for group in nx.connected_components(levels)
    ]


def _ground_below(
    graph: GraphBoard,
    control: set[Location],
    start: Location,
    supplied: set[str],
    blazes: set[Location],
) -> str:
    """Return the hex whose ground level a path inside the building reaches, or "". 9.6057."""
    levels = nx.Graph()
    levels.add_node(start)
    nodes = {start} | {each for each in control - blazes if not each.pillbox}
    for each in nodes:
        footprint = set(graph.board.building(each.hex))
        marked = {name for name in footprint if graph.board[name].stairs in STAIRS}
        if each.hex in (marked or footprint):
            for level in (each.level + 1, each.level - 1):
                if Location(each.hex, level) in nodes:
                    levels.add_edge(each, Location(each.hex, level))
        for name in graph.foot[each.hex]:
            if name in footprint and Location(name, each.level) in nodes:
                levels.add_edge(each, Location(name, each.level))
    reached = nx.node_connected_component(levels, start) - {start}
    return next((place.hex for place in reached if place.ground and place.hex in supplied), "")
