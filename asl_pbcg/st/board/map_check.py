"""Does a map obey the rules of the game? Says everything that breaks one, all at once.

Each check settles one sentence of the rules; docs/players/st-map.md lists them beside what it
asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from asl_pbcg.kernel.errors import Fault, FaultsError
from asl_pbcg.st.board import map_check_areas as areas
from asl_pbcg.st.board import map_check_flight as flight
from asl_pbcg.st.board import map_check_lines as lines
from asl_pbcg.st.board.map import GameMap
from asl_pbcg.st.board.map_read import try_map

# Each check with the sections of the file it needs to be complete.
_CHECKS: Final[tuple[tuple[Callable[[GameMap], Iterator[Fault]], frozenset[str]], ...]] = (
    (areas.area_keys, frozenset()),
    (areas.entries, frozenset({"areas"})),
    (areas.setup, frozenset({"areas"})),
    (areas.setup_places, frozenset()),
    (areas.pillbox_near, frozenset({"areas", "lines"})),
    (areas.spacing, frozenset()),
    (lines.connection, frozenset({"areas", "lines"})),
    (lines.flight_lines, frozenset()),
    (lines.hexagon_link, frozenset({"areas", "lines"})),
    (lines.water, frozenset({"water"})),
    (lines.crossings, frozenset({"water"})),
    (lines.bridges, frozenset({"areas", "lines"})),
    (lines.roads, frozenset({"areas", "lines"})),
    (flight.glider_entries, frozenset({"areas"})),
    (flight.arrows, frozenset()),
    (flight.flights_end, frozenset({"areas", "arrows"})),
    (flight.errata_arrow, frozenset({"areas", "arrows"})),
)


def checked_map(data: Any, source: str) -> GameMap:
    """Make a map of the plain ``data`` of a map file; raises FaultsError with all its faults."""
    area_map, faults = check_data(data)
    if faults:
        raise FaultsError(source, faults)
    return area_map


def check_data(data: Any) -> tuple[GameMap, list[Fault]]:
    """Read ``data`` as far as it can be read and name every fault: of form, then of the rules."""
    reading = try_map(data)
    faults = list(reading.faults)
    for check, needs in _CHECKS:
        # A count means nothing while items are unreadable; what is there can still be looked at.
        if reading.broken.isdisjoint(needs):
            faults.extend(check(reading.area_map))
    return reading.area_map, faults


def check_map(area_map: GameMap) -> list[Fault]:
    """Name everything in ``area_map`` that breaks a rule of the game; nothing if it is sound."""
    return [fault for check, _ in _CHECKS for fault in check(area_map)]
