"""The things that words are about, as data: front ends read these and never the words."""

from __future__ import annotations

import msgspec


class Topic(msgspec.Struct, frozen=True, omit_defaults=True):
    """The things that a choice, a question, a line of the log or a refusal is about.

    It tells its viewer nothing that the words beside it do not tell. ``kind`` says what sort of
    thing it is, in the words of the widget that draws it: ``stack``, ``end``, ``trench``.
    ``places`` are hexes, Locations or areas of the map; ``areas`` are Setup Areas or Entry Areas
    of the side that is asked; ``pieces`` are ids. Options with the same ``group`` are drawn
    together.
    """

    kind: str = ""
    places: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()
    pieces: tuple[str, ...] = ()
    group: str = ""
    sp: int | None = None
    name: str = ""
    """The short name of the thing, where the text beside it says more."""
    brings: str = ""
    """The things that come with it, in words."""

    def __bool__(self) -> bool:
        """Tell whether it names anything."""
        return self != NOTHING


NOTHING = Topic()
"""The topic of what is about no thing in particular."""
