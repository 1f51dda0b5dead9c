"""Assign rows to columns at the least cost in all, each column once.

A hundred rows and two hundred columns take well under a second in plain Python, so that no library
of thirty megabytes (scipy, for one function of it) need be installed for it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

NEVER = 1e9
"""The cost of what cannot be."""


def least_cost(costs: Sequence[Sequence[float]]) -> list[int]:
    """The column of each row so that the sum of the costs is least; there are enough columns.

    By shortest augmenting paths (Jonker and Volgenant). Raises ValueError for too few columns.
    """
    rows = len(costs)
    if not rows:
        return []
    columns = len(costs[0])
    if rows > columns:
        raise ValueError("there are more rows than columns")
    row_price = [0.0] * (rows + 1)
    column_price = [0.0] * (columns + 1)
    taken = [0] * (columns + 1)  # the row of each column, counted from 1; column 0 begins a path
    came_from = [0] * (columns + 1)
    for row in range(1, rows + 1):
        taken[0] = row
        here = 0
        nearest = [math.inf] * (columns + 1)
        done = [False] * (columns + 1)
        while taken[here]:
            done[here] = True
            own, price = costs[taken[here] - 1], row_price[taken[here]]
            step, following = math.inf, 0
            for column in range(1, columns + 1):
                if done[column]:
                    continue
                cost = own[column - 1] - price - column_price[column]
                if cost < nearest[column]:
                    nearest[column], came_from[column] = cost, here
                if nearest[column] < step:
                    step, following = nearest[column], column
            for column in range(columns + 1):
                if done[column]:
                    row_price[taken[column]] += step
                    column_price[column] -= step
                else:
                    nearest[column] -= step
            here = following
        while here:
            taken[here] = taken[came_from[here]]
            here = came_from[here]
    return [taken.index(row, 1) - 1 for row in range(1, rows + 1)]
