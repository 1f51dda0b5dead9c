"""Playing cards: reading, matching and dealing them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from asl_pbcg.kernel.errors import IllegalAnswer

RANKS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SUITS: Final = ("S", "H", "D", "C")
SIGNS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
FACES: Final = ("J", "Q", "K")
PACK: Final = 52
_CARD: Final = re.compile(r"(10|[2-9TJQKA])\s*([SHDC])")


class Card(NamedTuple):
    """One card: its rank (2 to 10, J, Q, K, A) and its suit (S, H, D, C)."""

    rank: str
    suit: str

    def __str__(self) -> str:
        return self.rank + SIGNS[self.suit]

    @property
    def id(self) -> str:
        """The card as it is typed: ``7H``, ``10S``."""
        return self.rank + self.suit

    def matches(self, other: Card, only_numbers: bool = False) -> bool:
        """Whether this card may follow ``other``: same suit, or same rank.

        With ``only_numbers`` ranks match from 2 to 10 only. Rule: House to house.
        """
        if self.suit == other.suit:
            return True
        return self.rank == other.rank and not (only_numbers and not self.rank.isdigit())


ALL_CARDS: Final = tuple(Card(rank, suit) for suit in SUITS for rank in RANKS)


def read_card(typed: str) -> Card:
    """Read a card as players type it: ``7H``, ``10s``, ``K♥``; raises IllegalAnswer."""
    text = typed.strip().upper()
    for letter, sign in SIGNS.items():
        text = text.replace(sign, letter)
    match = _CARD.fullmatch(text.removesuffix("\N{VARIATION SELECTOR-16}"))
    if not match:
        raise IllegalAnswer(
            f'"{typed.strip()}" is no card: type rank and suit (S H D C), for example 7H or KS.'
        )
    return Card("10" if match[1] == "T" else match[1], match[2])


def read_cards(typed: str) -> tuple[Card, ...]:
    """Read cards that stand in a row, with blanks or commas between them."""
    return tuple(read_card(part) for part in re.split(r"[\s,;]+", typed.strip()) if part)


def words(cards: Iterable[Card]) -> str:
    """Cards as a sentence shows them."""
    return " ".join(str(card) for card in cards) or "none"
