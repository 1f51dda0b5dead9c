"""Playing cards: reading and matching them, and how the program plays a hand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import comb
from typing import Final, NamedTuple

from asl_pbcg.kernel.errors import IllegalAnswer

RANKS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SUITS: Final = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
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
        """Return the card as it is typed: ``7H``, ``10S``."""
        return self.rank + self.suit

    def matches(self, other: Card, only_numbers: bool = False) -> bool:
        """Return whether this card may follow ``other``: same suit, or same rank.

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
            f'"{typed.strip()}" is not a card: type rank and suit (S H D C), for example 7H or KS.'
        )
    return Card("10" if match[1] == "T" else match[1], match[2])


def read_cards(typed: str) -> tuple[Card, ...]:
    """Read cards that stand in a row, with blanks or commas between them."""
    return tuple(read_card(part) for part in re.split(r"[\s,;]+", typed.strip()) if part)


def card_words(cards: Iterable[Card]) -> str:
    """Return cards as a sentence shows them."""
    return " ".join(str(card) for card in cards) or "none"


def best_card(
    hand: Sequence[Card],
    legal: Sequence[Card],
    played: Sequence[Card],
    others: int,
    packs: int = 1,
    only_numbers: bool = False,
    worth: Mapping[str, int] | None = None,
) -> Card:
    """Return the card of ``legal`` that most likely wins the building, then hurts most.

    ``hand`` is the side's own, ``played`` lies on the table, ``others`` is how many cards the
    other side holds, ``worth`` the casualties of each rank. It rests on how likely the other side
    cannot follow each card, and on how many own cards could follow an answer to it.
    """
    unseen = Counter(dict.fromkeys(ALL_CARDS, packs))
    unseen.subtract([*hand, *played])
    unseen = +unseen
    total = unseen.total()
    held = min(others, total)

    def score(card: Card) -> tuple[float, int, str]:
        remaining = [*hand]
        remaining.remove(card)
        answers = {c: n for c, n in unseen.items() if c.matches(card, only_numbers)}
        weight = sum(answers.values())
        followed = sum(
            number
            for answer, number in answers.items()
            if any(mine.matches(answer, only_numbers) for mine in remaining)
        )
        win = comb(total - weight, held) / comb(total, held)
        chance = win + (1 - win) * (followed / weight if weight else 0)
        return round(chance, 9), (worth or {}).get(card.rank, 0), card.id

    return max(legal, key=score)
