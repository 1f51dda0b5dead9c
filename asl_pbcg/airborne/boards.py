"""Printed boards a drop can be made on: whoever knows one offers it by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from asl_pbcg.hexes.grid import Grid
from asl_pbcg.hexes.view import HexView
from asl_pbcg.kernel.errors import PBCGError


@dataclass(frozen=True, slots=True, kw_only=True)
class DropBoard:
    """What a drop needs of a board: its hexes, what they hold, and how it is drawn.

    ``terrain`` names by hex what it holds, in words of the Jump Survival Chart or of its aliases;
    ``draw`` draws the part of the board that a view shows.
    """

    grid: Grid
    terrain: Mapping[str, tuple[str, ...]]
    out_of_play: frozenset[str]
    draw: Callable[[HexView], None]


_OFFERED: dict[str, Callable[[], DropBoard]] = {}


def offer_board(name: str, load: Callable[[], DropBoard]) -> None:
    """Let drops be made on a board; ``load`` is called when one first is."""
    _OFFERED[name] = load


def board_named(name: str) -> DropBoard:
    """Give a board that was offered. Raises PBCGError."""
    if name not in _OFFERED:
        known = ", ".join(_OFFERED) or "none"
        raise PBCGError(f'There is no board "{name}" here. Boards at hand: {known}.')
    return _OFFERED[name]()
