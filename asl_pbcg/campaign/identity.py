"""Ids for pieces that come into being in play, so that no piece ever gets one that another had."""

from __future__ import annotations

from collections.abc import Iterable

from asl_pbcg.campaign.piece_changes import slug
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.terms import Side


class Ids:
    """Ids that nobody has and nobody of the campaign ever had, as b-338-4."""

    def __init__(self, state: Campaign | None = None, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._last: dict[str, int] = {}
        if state is not None:
            self._taken |= {piece.id for piece in state.pieces}
            self._taken |= {each.piece.id for each in state.gone}

    def next(self, side: Side, type: str) -> str:
        """The next id for a piece of a type."""
        stem = f"{side.value[0]}-{slug(type)[:30]}"
        number = self._last.get(stem, 0) + 1
        while f"{stem}-{number}" in self._taken:
            number += 1
        self._last[stem] = number
        self._taken.add(f"{stem}-{number}")
        return f"{stem}-{number}"
