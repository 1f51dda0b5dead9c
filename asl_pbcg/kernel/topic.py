"""The things that words are about, as data: front ends read these and never the words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

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
    choices: tuple[str, ...] = ()
    """The names of what dice choose among, in the order of their faces."""

    def join(self, others: Sequence[Topic]) -> Topic:
        """Return it with the places, areas and pieces of ``others``, and their kind if all agree.

        The short name stays its own.
        """
        kinds = {each.kind for each in others if each.kind}
        return msgspec.structs.replace(
            self,
            kind=kinds.pop() if len(kinds) == 1 else self.kind,
            places=_once(self.places, *(each.places for each in others)),
            areas=_once(self.areas, *(each.areas for each in others)),
            pieces=_once(self.pieces, *(each.pieces for each in others)),
        )

    def __bool__(self) -> bool:
        """Tell whether it names anything."""
        return self != NOTHING


def _once(*lists: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(chain(*lists)))


NOTHING = Topic()
"""The topic of what is about no thing in particular."""
IDLE = Topic(kind="idle")
"""The topic of a line that says that nothing happened."""


def about_pieces(*ids: str) -> Topic:
    """Return the pieces with those of ``ids`` that are not empty as a topic."""
    return Topic(pieces=tuple(filter(None, ids)))
