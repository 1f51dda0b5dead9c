"""Does a map obey the rules of the game? Says everything that breaks one, all at once."""

from __future__ import annotations

from typing import Any

from asl_pbcg.kernel.errors import FaultsError
from asl_pbcg.st.map import AreaMap
from asl_pbcg.st.map_read import try_map


def checked_map(data: Any, source: str) -> AreaMap:
    """Make a map of the plain ``data`` of a map file; raises FaultsError with all its faults."""
    reading = try_map(data)
    if reading.faults:
        raise FaultsError(source, reading.faults)
    return reading.area_map
