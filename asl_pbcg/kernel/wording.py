"""Counts in sentences: one hex, two hexes; one is left, two are left; 1½."""

from __future__ import annotations


def number_words(number: int, one: str, many: str = "") -> str:
    """A number with its noun: ``1 hex``, ``3 hexes``; ``many`` where an s is not enough."""
    return f"{number} {one}" if number == 1 else f"{number} {many or f'{one}s'}"


def is_or_are(number: float) -> str:
    """The verb after a number that stands for itself: ``1 is left``, ``½ is left``."""
    return "is" if 0 < number <= 1 else "are"


def points_words(points: float) -> str:
    """Points as people write them: 9, or 1½."""
    whole, half = divmod(points * 2, 2)
    return f"{int(whole) or ''}½" if half else str(int(whole))
