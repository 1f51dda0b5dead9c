"""Glider Landing Phase, turn 1 only. Rule: ST-GLI-01 to ST-GLI-25."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from msgspec.structs import replace

from asl_pbcg.kernel.prompts import Script
from asl_pbcg.st.procedures.crashes import crashes
from asl_pbcg.st.procedures.losses import platoon_gone
from asl_pbcg.st.state.area_tables import GliderEntry, GliderLost, Landing, WhichLost
from asl_pbcg.st.state.decision import note, pick, throw_on
from asl_pbcg.st.state.game_rules import Rules, british_order
from asl_pbcg.st.state.game_state import State
from asl_pbcg.st.state.phase_situation import Situation

Edge = Literal["north", "south"]


@dataclass(slots=True)
class Flying:
    """A glider in the air: its place on the path, the areas and circles it has entered."""

    number: int
    ahead: int
    """How many areas it still is off the map: the leader is 1 away, the next 2."""
    area: str = ""
    flown: list[str] = field(default_factory=list)
    circles: int = 0
    landed: bool = False


def glider_landing(rules: Rules, state: State) -> Script[State]:
    """Both lines fly until all have landed, then each rolls for a crash. Rule: ST-GLI-09."""
    sit = Situation(rules, state)
    order: list[int] = []
    edges: tuple[Edge, ...] = ("north", "south")
    for edge in edges:
        line = [glider.number for glider in sit.gliders.values() if glider.line == edge]
        line = [number for number in line if sit.gliders[number].status == "ready"]
        if sit.settings.mode != "full_history":
            line = yield from lost_gliders(sit, edge, line)
        yield from fly_line(sit, edge, line, order)
    yield from crashes(sit, order)
    unload(sit)
    return sit.end()


def lost_gliders(sit: Situation, edge: Edge, line: list[int]) -> Script[list[int]]:
    """One roll for each line; who is left closes up. Rule: ST-GLI-02, ST-GLI-03, ST-GLI-04."""
    row = british_order().lines[edge]
    every = tuple(map(str, row))
    rolled = yield from throw_on(sit, "glider.lost", f"Gliders from the {edge}", on=every)
    if rolled.result == GliderLost.NONE:
        return line
    which = yield from throw_on(sit, "glider.which_lost", f"Which glider from the {edge}", on=every)
    lost = row[list(WhichLost).index(WhichLost(which.result))]
    if lost not in line:
        return line
    lose_glider(sit, lost)
    yield note(sit, f"Glider {lost} is lost with all aboard.", "ST-GLI-03")
    return [number for number in line if number != lost]


def lose_glider(sit: Situation, number: int) -> None:
    """A glider and its load are out of the game. Rule: ST-GLI-03, AMB-36."""
    sit.gliders[number] = replace(sit.gliders[number], status="lost")
    for unit in list(sit.units.values()):
        if unit.glider == number:
            # The number of the glider stays with it, to tell it from who stayed behind.
            sit.change(unit.id, status="absent")
            if not sit.settings.lost_glider_units_killed:
                continue
            if unit.kind == "leader":
                sit.book(leaders=1)
            elif gone := platoon_gone(sit, unit.id):
                sit.book(platoons=(gone,))
    for weapon in list(sit.weapons.values()):
        if weapon.glider == number:
            sit.change_weapon(weapon.id, status="left", glider=0)


def fly_line(sit: Situation, edge: Edge, line: Iterable[int], order: list[int]) -> Script[None]:
    """Fly one line of gliders until all have landed; ``order`` takes them as they land.

    Each step the leader finds its way, the others follow it one area behind, and each glider
    on the map rolls to land where it has come. Rule: ST-GLI-06 to ST-GLI-10, ST-GLI-19.
    """
    gliders = [Flying(number, place) for place, number in enumerate(line, 1)]
    broken = False
    colour = ""
    if sit.settings.arrow_roll == "once" and gliders:
        colour = (yield from throw_on(sit, "glider.arrow", f"Arrow colour from the {edge}")).result
    while air := [glider for glider in gliders if not glider.landed]:
        moved: list[Flying] = []
        path: list[str] = []
        for place, glider in enumerate(air):
            if place and not broken:
                # The one ahead has just left its area; off the map all close up by one.
                yield from _follow(sit, edge, glider, path)
            else:
                path = list(glider.flown)
                taken = {other.area for other in air if other is not glider and other.area}
                if not (yield from _lead(sit, edge, glider, colour, taken)):
                    continue
                path = [*path, glider.area]
            if glider.area and not glider.landed:
                moved.append(glider)
        for glider in moved:
            if glider.landed:
                continue
            if (yield from _try_landing(sit, glider, broken)):
                broken = True
                yield note(
                    sit,
                    f"Glider {glider.number} breaks the formation of the line from the {edge}.",
                    "ST-GLI-19",
                )
        for glider in air:
            if glider.landed:
                order.append(glider.number)
                _come_down(sit, glider)


def _enter(sit: Situation, glider: Flying, area: str) -> None:
    glider.area = area
    glider.flown.append(area)
    glider.ahead = 0
    if sit.geo.map.areas[area].shape in ("circle", "oval"):
        glider.circles += 1


def _follow(sit: Situation, edge: Edge, glider: Flying, path: list[str]) -> Script[None]:
    """A trailing glider moves one area along the leader's path. Rule: ST-GLI-06."""
    if glider.ahead > 1:
        glider.ahead -= 1
        return
    at = len(glider.flown)
    _enter(sit, glider, path[at])
    yield note(sit, f"Glider {glider.number} follows to {sit.geo.text(glider.area)}.", "ST-GLI-06")


def _lead(sit: Situation, edge: Edge, glider: Flying, colour: str, taken: set[str]) -> Script[bool]:
    """A glider that steers itself moves one area; whether it moved. Rule: ST-GLI-05, 11, 12, 14."""
    if glider.ahead > 1:
        glider.ahead -= 1
        return False
    goal = yield from _direction(sit, edge, glider, colour)
    if not goal:
        glider.landed = True
        yield note(
            sit,
            f"No line leads glider {glider.number} on: it lands in {sit.geo.text(glider.area)}.",
            "ST-GLI-12",
        )
        return False
    if goal in taken:
        yield note(sit, f"Glider {glider.number} waits for the one ahead.", "ST-GLI-14")
        return False
    _enter(sit, glider, goal)
    yield note(sit, f"Glider {glider.number} flies to {sit.geo.text(goal)}.", "ST-GLI-06")
    return True


def _direction(sit: Situation, edge: Edge, glider: Flying, colour: str) -> Script[str]:
    found = sit.geo.map
    if not glider.area:
        west, east = found.glider_entries(edge)
        rolled = yield from throw_on(sit, "glider.entry", f"Glider {glider.number} enters")
        return west if rolled.result == GliderEntry.WEST else east
    arrows = found.arrows_from(glider.area)
    if len(arrows) > 1:
        if colour:
            return arrows[colour]  # type: ignore[index]
        rolled = yield from throw_on(
            sit, "glider.arrow", f"Glider {glider.number} follows an arrow"
        )
        return arrows[rolled.result]  # type: ignore[index]
    if arrows:
        (only,) = arrows.values()
        return only
    lines = forward_lines(sit, edge, glider.area, glider.flown)
    if not lines:
        return ""
    chosen = yield from pick(
        sit, lines, f"Glider {glider.number} flies on along a line", rule="ST-GLI-12"
    )
    return chosen


def forward_lines(sit: Situation, edge: Edge, area: str, flown: list[str]) -> list[str]:
    """Tell where solid lines lead on from ``area``, away from the map edge. ST-GLI-12, ST-GLI-13.

    A line leads forward if it goes at most so many metres sideways for each metre on (AMB-84).
    """
    areas = sit.geo.map.areas
    here = areas[area]
    sign = -1 if edge == "north" else 1
    most = sit.settings.forward_sideways
    found = []
    for there, _ in sit.geo.steps[area]:
        forward = sign * (areas[there].y - here.y)
        if forward > 0 and abs(areas[there].x - here.x) <= most * forward and there not in flown:
            found.append(there)
    return found


def landing_column(sit: Situation, area: str, circles: int) -> str:
    """Return the column of the landing table for an area. Rule: ST-GLI-16 to ST-GLI-18."""
    found = sit.geo.map.areas[area]
    automatic = area in sit.geo.has_bunker or area == sit.geo.pillbox
    if found.shape in ("triangle", "double_circle", "hexagon"):
        return found.shape
    if automatic or (found.shape == "square" and sit.settings.square_landing == "automatic"):
        return "automatic"
    return f"circle_{min(max(circles, 1), 4)}"


def _try_landing(sit: Situation, glider: Flying, broken: bool) -> Script[bool]:
    """Roll to land; whether this breaks the formation. Rule: ST-GLI-07, ST-GLI-16, ST-GLI-19."""
    column = landing_column(sit, glider.area, glider.circles)
    rolled = yield from throw_on(
        sit,
        "glider.landing",
        f"Glider {glider.number} in {sit.geo.text(glider.area)}",
        {"area": column},
        where=glider.area,
    )
    if rolled.result == Landing.LANDS:
        glider.landed = True
        yield note(
            sit, f"Glider {glider.number} lands in {sit.geo.text(glider.area)}.", "ST-GLI-08"
        )
        return False
    return column == "triangle" and rolled.original == 6 and not broken


def _come_down(sit: Situation, glider: Flying) -> None:
    sit.gliders[glider.number] = replace(
        sit.gliders[glider.number], status="landed", area=glider.area
    )
    sit.place_vehicle(glider.area)


def unload(sit: Situation) -> None:
    """Place the units on their gliders. Rule: ST-GLI-24, ST-GLI-25, AMB-25."""
    for unit in list(sit.units.values()):
        if unit.glider and unit.status == "aboard":
            sit.put(unit.id, sit.gliders[unit.glider].area)
    for weapon in list(sit.weapons.values()):
        if weapon.glider:
            area = sit.gliders[weapon.glider].area
            sit.change_weapon(weapon.id, status="map", area=area, glider=0)
