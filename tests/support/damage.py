"""Plain data with a few things in it changed to what may or may not be, the same for a seed."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

ODD: list[Any] = [
    None, "", "none", 0, 1, 2, 3, 7, -1, 99, 1.5, True, False, [], {}, ["broken"], "broken",
    "british", "german", "nowhere", "X18", "Y20", "Z21/pillbox", "Z15/1", "off-map A22", "ZZ99",
    "NE",
]  # fmt: skip


def damaged(data: Any, source: random.Random, most: int = 3) -> Any:
    """A copy of ``data`` with one to ``most`` changes."""
    data = copy.deepcopy(data)
    for _ in range(source.randint(1, most)):
        _damage(data, source)
    return data


def _damage(data: Any, source: random.Random) -> None:
    spots = list(_spots(data))
    if not spots:
        return
    # Every list and mapping is as likely as another, however long it is.
    holder = source.choice(list({id(spot[0]): spot[0] for spot in spots}.values()))
    keys = [key for each, key in spots if each is holder]
    key = source.choice(keys)
    alike = [each[k] for each, k in spots if k == key and each is not holder and key in _keys(each)]
    way = source.random()
    if way < 0.45 and alike and isinstance(holder, dict):
        holder[key] = copy.deepcopy(source.choice(alike))
    elif way < 0.65:
        holder[key] = copy.deepcopy(source.choice(ODD))
    elif way < 0.8:
        del holder[key]
    elif isinstance(holder, list):
        holder.append(copy.deepcopy(holder[key]))
    else:
        other = source.choice([key for _, key in spots])
        holder[f"{key}s" if isinstance(other, int) else other] = copy.deepcopy(holder[key])


def _keys(holder: Any) -> Any:
    return holder if isinstance(holder, dict) else range(len(holder))


def _spots(data: Any) -> Iterator[tuple[Any, Any]]:
    """Every key of every mapping and every place of every list."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield data, key
            yield from _spots(value)
    elif isinstance(data, list):
        for number, value in enumerate(data):
            yield data, number
            yield from _spots(value)
