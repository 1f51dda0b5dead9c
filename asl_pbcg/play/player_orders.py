"""Orders at a screen beside single answers: what a game with such orders keeps for its player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from typing import Final

from asl_pbcg.play.plug import Feature
from asl_pbcg.play.seat import Seat


class PlayerOrders:
    """The orders of a game that has none; ``said`` is what must be told beside the log."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def going_on(self, seat: Seat) -> AbstractContextManager[None]:
        """Go on after an answer that is given within the context."""
        return nullcontext()


ORDERS: Final[Mapping[Feature, str]] = {"areas": "asl_pbcg.play.area_play.area_orders:AreaOrders"}
"""The keepers of orders, by a feature of the game; imported when such a game is played."""


def orders_for(features: Sequence[Feature]) -> PlayerOrders:
    """Return what keeps the orders of a game with ``features``."""
    for feature in features:
        if feature in ORDERS:
            file, _, name = ORDERS[feature].partition(":")
            made: PlayerOrders = getattr(import_module(file), name)()
            return made
    return PlayerOrders()
