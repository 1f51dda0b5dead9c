"""Round numbers for a scale."""

from __future__ import annotations

import math


def round_ticks(low: float, high: float, about: int) -> list[int]:
    """Return the round numbers from ``low`` to ``high``, some ``about`` of them or fewer."""
    step = _round_up((high - low) / about)
    return list(range(math.ceil(low / step) * step, math.floor(high) + 1, step))


def _round_up(number: float) -> int:
    """Return the next round number: 1, 2, 5, 10, 20 and so on."""
    if number <= 1:
        return 1
    ten: int = 10 ** int(math.log10(number))
    return next(ten * each for each in (1, 2, 5, 10) if ten * each >= number)
