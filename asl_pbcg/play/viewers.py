"""Viewers of a game beside its sides and the umpire."""

from __future__ import annotations

from typing import Final

BOTH: Final = "both"
"""The viewer at one screen for two: what is secret is shown to one at a time."""
OPEN: Final = "umpire"
"""The eyes of somebody who plays both sides and said that he may see everything."""


def sees_of(viewer: str) -> str:
    """Return whose eyes a viewer has: of one screen for two, those of both together (empty)."""
    return "" if viewer == BOTH else viewer
