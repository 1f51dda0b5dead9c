"""Where counters stand in the area game: in an area, or in the bunker of it. Rule: ST-BUN.

A place is kept as a word, for it stands in states, answers and logs: the id of the area, with
``BUNKER`` behind it for the bunker. Nobody else takes such words apart.
"""

from __future__ import annotations

from typing import Final

BUNKER: Final = "*"
"""The sign behind the id of an area in the name of its bunker."""


def area_of(place: str) -> str:
    """Return the area that a place is in."""
    return place.removesuffix(BUNKER)


def is_bunker(place: str) -> bool:
    """Tell whether a place is a bunker."""
    return place.endswith(BUNKER)
