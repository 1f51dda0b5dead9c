"""Ids for pieces that come into being in play, so that no piece ever gets one that another had."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from asl_pbcg.campaign.piece_changes import FIRST_SECRET, SECRET_NUMBERS
from asl_pbcg.campaign.piece_names import slug
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.lazy_import import lazy_import

if TYPE_CHECKING:
    import secrets
else:
    secrets = lazy_import("secrets")


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

    def next_secret(self, side: Side, type: str) -> str:
        """Return an id for a piece that its side alone knows: its number tells nothing."""
        stem = f"{side.value[0]}-{slug(type)[:30]}"
        first, last = FIRST_SECRET, FIRST_SECRET + SECRET_NUMBERS
        free = [number for number in range(first, last) if f"{stem}-{number}" not in self._taken]
        id = f"{stem}-{secrets.choice(free)}"
        self._taken.add(id)
        return id
