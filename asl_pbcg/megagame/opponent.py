"""How the program plays its hand in a house fight: from what its side may know, and no more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import comb

from asl_pbcg.megagame.cards import ALL_CARDS, Card


def best_card(
    hand: Sequence[Card],
    legal: Sequence[Card],
    played: Sequence[Card],
    others: int,
    packs: int = 1,
    only_numbers: bool = False,
    worth: dict[str, int] | None = None,
) -> Card:
    """The card of ``legal`` that most likely wins the building, then hurts most.

    ``hand`` is the side's own, ``played`` lies on the table, ``others`` is how many cards the
    other side holds, ``worth`` the casualties of each rank. Reckons exactly how likely the
    other side cannot follow each card, and how many own cards could follow an answer to it.
    """
    unseen = _unseen(hand, played, packs)
    total = unseen.total()

    def stops(card: Card) -> float:
        answers = sum(n for other, n in unseen.items() if other.matches(card, only_numbers))
        held = min(others, total)
        return comb(total - answers, held) / comb(total, held)

    def score(card: Card) -> tuple[float, int, str]:
        rest = list(hand)
        rest.remove(card)
        answers = [other for other in unseen if other.matches(card, only_numbers)]
        weight = sum(unseen[other] for other in answers)
        kept = sum(
            unseen[other]
            for other in answers
            if any(mine.matches(other, only_numbers) for mine in rest)
        )
        win = stops(card)
        chance = win + (1 - win) * (kept / weight if weight else 0)
        return (round(chance, 9), (worth or {}).get(card.rank, 0), card.id)

    return max(legal, key=score)


def _unseen(hand: Sequence[Card], played: Sequence[Card], packs: int) -> Counter[Card]:
    cards = Counter(dict.fromkeys(ALL_CARDS, packs))
    cards.subtract([*hand, *played])
    return +cards
