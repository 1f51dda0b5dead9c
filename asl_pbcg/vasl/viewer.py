"""What one side may see of a save: nothing of the other side's that is hidden or concealed.

What a viewer may not see is taken out of a stack before it is read, so that it is in no key, no
count, no question and no place in an order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from asl_pbcg.campaign.terms import Side
from asl_pbcg.vasl.counters import Counter
from asl_pbcg.vasl.names import Meaning, facts

Owners = Mapping[str, Side]
"""Whose the Fortifications of a hex are, as the campaign has them on record."""
_GOES_WITH = ("marker", "equipment")
"""What lies on an unseen counter and is as unseen."""


def visible(
    counters: Sequence[Counter],
    meanings: Sequence[Meaning],
    viewer: Side,
    owner: Side | None = None,
) -> list[Counter]:
    """The counters of a stack, bottom first, that ``viewer`` may see.

    ``owner`` is the side whose Fortifications are on record in the hex. A minefield that is not the
    viewer's keeps its blank side and loses what stands beneath it.
    """
    unseen = [
        _is_unseen(counters, meanings, index, viewer, owner) for index in range(len(counters))
    ]
    for index, meant in enumerate(meanings):
        if index and meant.sort in _GOES_WITH and unseen[index - 1]:
            unseen[index] = True
    return [
        _blank(counter, meant, viewer, owner)
        for counter, meant, gone in zip(counters, meanings, unseen, strict=True)
        if not gone
    ]


def _is_unseen(
    counters: Sequence[Counter],
    meanings: Sequence[Meaning],
    index: int,
    viewer: Side,
    owner: Side | None,
) -> bool:
    counter, meant = counters[index], meanings[index]
    side = meant.side or facts().nations.get(counter.nation)
    if meant.sort == "fortification":
        side = owner
    if side is viewer:
        return False
    if counter.hidden or counter.concealed or meant.sort == "cloak":
        return True
    if meant.sort in ("concealment", "fortification", "level", "marker", "control"):
        return False
    for above in range(index + 1, len(counters)):
        if meanings[above].sort == "concealment":
            return meanings[above].side is (side or viewer.other)
    return False


def _blank(counter: Counter, meant: Meaning, viewer: Side, owner: Side | None) -> Counter:
    mines = meant.sort == "fortification" and counter.base in facts().minefields
    if not mines or owner is viewer:
        return counter
    return msgspec.structs.replace(counter, beneath=(), base=facts().minefields[0])
