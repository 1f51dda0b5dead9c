"""Which pieces of the OB some counters are: matched all at once, asked where it matters."""

from __future__ import annotations

from collections.abc import Iterable

from asl_pbcg.campaign.piece_matching import LASTING, Matching, Wanted, match
from asl_pbcg.campaign.piece_names import name_piece
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position_words import status_words
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.kernel.prompts import Option

NEW = "new"
"""The answer for a counter that is no piece of the OB: Deployed or created in play."""


class Identities:
    """The pieces of ``state`` that counters are taken for, and what the players said of them."""

    def __init__(
        self, wanted: Iterable[Wanted], pieces: Iterable[Piece], state: Campaign, groups: bool
    ) -> None:
        self.wanted = list(wanted)
        self.pieces = list(pieces)
        self.state = state
        self.groups = groups
        """Whether a question may name Reinforcement Groups."""
        self.answers: dict[str, str] = {}
        """By key of a counter the id that players named; empty for one that is new."""
        self.matching = self._match()

    def _match(self) -> Matching:
        named = {key: id for key, id in self.answers.items() if id}
        rest = [each for each in self.wanted if self.answers.get(each.key) != ""]
        matching = match(rest, self.pieces, self.state.board, self.state.catalogue, named)
        matching.ids.update({key: "" for key, id in self.answers.items() if not id})
        return matching

    def best(self, each: Wanted) -> str:
        """Return the id of the likeliest piece; empty for a new one."""
        return self.matching.ids.get(each.key, "")

    def doubtful(self, unmatched: bool = False) -> list[Wanted]:
        """Return the counters to ask about: of several pieces, with ``unmatched`` also of none."""
        return [
            each
            for each in self.wanted
            if each.key not in self.answers
            and (each.key in self.matching.doubts or (unmatched and not self.best(each)))
        ]

    def options(self, each: Wanted, new: str) -> list[Option]:
        """Return the pieces a counter may be, the likeliest first; ``new`` says how it came."""
        ids = filter(None, (self.best(each), *self.matching.doubts.get(each.key, ())))
        pieces = map(self.state.piece, ids)
        options = [Option(one.id, name_piece(one), self._about(one, each)) for one in pieces]
        return [*options, Option(NEW, "new", new)]

    def _about(self, piece: Piece, each: Wanted) -> str:
        """Return what tells a piece from others: its change, lasting statuses, last place."""
        changed = each.type and piece.type != each.type  # a prisoner counter shows none
        parts = [
            f"{each.type} now" if changed else "",
            status_words(status for status in LASTING if piece.has(status)),
            piece.name,
            (self.groups and piece.own_rg) or piece.own_formation,
            f"was in {piece.at}" if piece.at else "",
        ]
        return ", ".join(filter(None, parts))

    def answer(self, known: dict[str, str]) -> None:
        """Take what players said, by key: ids or ``new``; the rest is matched again."""
        known = {key: "" if id == NEW else id for key, id in known.items()}
        self.answers |= known
        doubted = {id for ids in self.matching.doubts.values() for id in ids}
        stays = all(
            id == self.matching.ids.get(key) and id not in doubted for key, id in known.items()
        )
        if not stays:  # else hundreds of rows take no time
            self.matching = self._match()

    def leave_out(self, each: Wanted) -> None:
        """Forget a counter."""
        self.wanted.remove(each)
        self.matching = self._match()
