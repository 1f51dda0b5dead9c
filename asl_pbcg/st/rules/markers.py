"""Markers that a unit guards or builds, and who these units are. Rule: ST-POW-02, ST-PRE-03."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from asl_pbcg.st.rules.state import Position, Pow

T = TypeVar("T")


class Markers(dict[str, T]):
    """Markers by id or area.

    Whose they are is asked of every unit that acts, and changes a few times a game.
    """

    __slots__ = ()

    def __setitem__(self, id: str, marker: T) -> None:
        super().__setitem__(id, marker)
        self._look()

    def __delitem__(self, id: str) -> None:
        super().__delitem__(id)
        self._look()

    def clear(self) -> None:
        """Take all of them away."""
        super().clear()
        self._look()

    def _look(self) -> None:
        raise NotImplementedError


class Pows(Markers[Pow]):
    """The POWs by id; who gets one to guard is added to ``hampered``."""

    __slots__ = ("_hampered", "escorts", "places")

    def __init__(self, pows: Iterable[Pow], hampered: set[str]) -> None:
        super().__init__([(pow.id, pow) for pow in pows])
        self._hampered = hampered
        self._look()

    def _look(self) -> None:
        self.escorts = frozenset([pow.escort for pow in self.values()])
        """The units that guard them."""
        self._hampered |= self.escorts
        self.places: dict[str, list[Pow]] | None = None
        """The POWs by area, where somebody has looked since an escort went anywhere."""


class Positions(Markers[Position]):
    """The prepared positions by area."""

    __slots__ = ("builders",)

    def __init__(self, positions: Iterable[Position]) -> None:
        super().__init__([(each.area, each) for each in positions])
        self._look()

    def _look(self) -> None:
        self.builders = frozenset([each.builder for each in self.values() if each.builder])
        """The units that are building one."""
