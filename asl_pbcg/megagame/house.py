"""House to house: the card fight for a building. Rule: House to house.

Hands are dealt by the program, or the players hold real cards and say what they play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Option, Prompt, Script, ask
from asl_pbcg.kernel.wording import number_words
from asl_pbcg.megagame.call import Call
from asl_pbcg.megagame.game_table import TableUnit
from asl_pbcg.megagame.line_content import LineContent
from asl_pbcg.megagame.playing_cards import (
    ALL_CARDS,
    FACES,
    PACK,
    SUITS,
    Card,
    best_card,
    card_words,
    read_card,
)
from asl_pbcg.megagame.targets import losses_words

RULE: Final = "House to house"
DEAL: Final = "house.deal"
CARD: Final = "house.card"
STOP: Final = "none"

FightSide = Literal["attackers", "defenders"]


@dataclass(slots=True)
class Party:
    """One side of the fight: its units and cards. ``hand`` is None with real cards."""

    side: FightSide
    units: tuple[TableUnit, ...]
    cards: int
    hand: list[Card] | None = None
    casualties: int = 0
    played: list[Card] = field(default_factory=list)

    @property
    def alive(self) -> int:
        """Return how many figures still fight."""
        return sum(unit.standing or 0 for unit in self.units) - self.casualties


def cards_due(call: Call, units: Sequence[TableUnit]) -> int:
    """Return how many cards a side is dealt: one a figure, one more for each elite unit.

    Raises IllegalAnswer if a unit's figures are not known. Rule: House to house.
    """
    cards = 0
    for unit in units:
        if unit.standing is None:
            needed = f"Say how many figures {unit.name} has, for example 3:veteran."
            raise IllegalAnswer(needed, RULE)
        cards += unit.standing
        if unit.quality == "elite":
            cards += 1 if call.value("elite_bonus_per") == "unit" else unit.standing
    return cards


def house_fight(
    call: Call,
    line: LineContent,
    attackers: tuple[TableUnit, ...],
    defenders: tuple[TableUnit, ...],
) -> Script[None]:
    """Resolve the fight for a building, to the last card: who holds it and who fell.

    The players may hold real cards and say each one they play, or the hands that were dealt on
    the table are told; else the program deals. Raises IllegalAnswer. Rule: House to house.
    """
    due = {"attackers": cards_due(call, attackers), "defenders": cards_due(call, defenders)}
    if line.deal:
        call.facts["cards"] = due
        hands = " and ".join(f"{count} to the {side}" for side, count in due.items())
        call.say(f"Deal {hands}. The defenders lead.")
        return
    on_foot = all(unit.kind == "dismounts" for unit in (*attackers, *defenders))
    sides = {unit.side for unit in attackers} & {unit.side for unit in defenders} - {""}
    nobody = "Nobody assaults the building: a figure must be in contact with its wall."
    call.require(
        RULE,
        (any(unit.standing for unit in attackers), nobody),
        (not sides, "Attackers and defenders are on the same side."),
        (on_foot, "Only figures on foot fight for a building."),
    )
    call.by = ", ".join(unit.name for unit in attackers)
    call.who = ", ".join(unit.name for unit in defenders)
    call.facts["dealt"] = due
    fight = _HouseFight(
        call,
        Party("attackers", attackers, due["attackers"]),
        Party("defenders", defenders, due["defenders"]),
    )
    if not line.real:
        yield from fight.deal(line.hands)
    yield from fight.play()
    fight.close(line.house)


class _HouseFight:
    def __init__(self, call: Call, attackers: Party, defenders: Party) -> None:
        self.call = call
        self.attackers = attackers
        self.defenders = defenders
        self.parties = (attackers, defenders)
        self.table: list[Card] = []
        dealt = attackers.cards + defenders.cards
        self.packs = max(int(call.settings["decks"]), -(-dealt // PACK))
        self.only_numbers = call.settings["number_match"] == "only_numbers"
        costs = call.settings.whole("house_casualties")
        self.worth = {**dict.fromkeys(FACES, costs["face_card"]), "A": costs["ace"]}
        self.holder: FightSide = "defenders" if defenders.cards else "attackers"
        self.why = "nobody defends it"

    def other(self, party: Party) -> Party:
        return self.defenders if party is self.attackers else self.attackers

    def deal(self, hands: tuple[tuple[Card, ...], tuple[Card, ...]] | None) -> Script[None]:
        if hands:
            for party, hand in zip(self.parties, hands, strict=True):
                if len(hand) != party.cards:
                    dealt = f"are dealt {party.cards} cards, not {len(hand)}"
                    raise IllegalAnswer(f"The {party.side} {dealt}.", RULE)
                party.hand = list(hand)
            self._check_packs([*hands[0], *hands[1]])
            return
        if self.packs > 1:
            self.call.value("decks")
        pack = list(ALL_CARDS) * self.packs
        for party in self.parties:
            party.hand = []
            for _ in range(party.cards):
                (face,) = yield from self.call.plain(DEAL, "Dealing", 1, len(pack))
                party.hand.append(pack.pop(face - 1))

    def _check_packs(self, cards: Sequence[Card]) -> None:
        card, times = Counter(cards).most_common(1)[0] if cards else (None, 0)
        if times > self.packs:
            packs = number_words(self.packs, "pack of cards", "packs of cards")
            raise IllegalAnswer(f"{card} cannot lie there {times} times with {packs}.", RULE)

    def play(self) -> Script[None]:
        """Play until a side cannot follow: the side that played the last card holds the building.

        Raises IllegalAnswer.
        """
        if not self.defenders.cards:
            return
        party = self.defenders
        while card := (yield from self._card(party)):
            self._lay(party, card)
            for beaten in self.parties:
                if beaten.alive <= 0 and self.call.value("stop_when_wiped_out"):
                    self.holder = self.other(beaten).side
                    self.why = f"the {beaten.side} have no figure left"
                    return
            party = self.other(party)
        self.holder = self.other(party).side if self.table else party.side
        self.why = "last card played"

    def _card(self, party: Party) -> Script[Card | None]:
        """Return the card ``party`` plays, or None if it cannot or will not follow."""
        last = self.table[-1] if self.table else None
        lead = f"{last} lies there; {party.side} must follow" if last else "The defenders lead"
        if party.hand is not None:
            return (yield from self._hand_card(party, party.hand, last, lead))
        if len(party.played) >= party.cards:
            return None
        typed = yield from ask(
            Prompt(
                id=CARD,
                text=f"{lead} (card{', or none' if last else ''})",
                rule=RULE,
                side=party.side,
                kind="text",
                verify=lambda typed: self._read_real(typed, last),
            )
        )
        return None if typed == STOP else read_card(typed)

    def _hand_card(
        self, party: Party, hand: list[Card], last: Card | None, lead: str
    ) -> Script[Card | None]:
        """Ask for a card of a hand that the program knows."""
        self.call.value("number_match")
        legal = [card for card in hand if last is None or card.matches(last, self.only_numbers)]
        if not legal:
            return None
        options = []
        for card in hand:
            costs = self.worth.get(card.rank, 0)
            hurts = number_words(costs, "casualty", "casualties") if costs else ""
            wrong = f"{card} follows neither suit nor rank of {last}; legal: {card_words(legal)}."
            refused = "" if card in legal else wrong
            options.append(Option(card.id, str(card), hurts, refused=refused, rule=RULE))
        if last is not None and not self.call.settings["must_match_if_able"]:
            self.call.value("must_match_if_able")
            options.append(Option(STOP, "play nothing: the other side holds the building"))
        opponent = self.other(party)
        others = opponent.cards - len(opponent.played)
        args = (hand, legal, self.table, others, self.packs, self.only_numbers, self.worth)
        chosen = yield from ask(
            Prompt(
                id=CARD,
                text=lead,
                rule=RULE,
                side=party.side,
                secret=True,
                options=tuple(options),
                default=best_card(*args).id,
            )
        )
        return None if chosen == STOP else read_card(chosen)

    def _read_real(self, typed: str, last: Card | None) -> str:
        """Return a real card as it is stored; raises IllegalAnswer if it cannot be played."""
        if last is not None and typed.lower() in (STOP, "-", "pass", "no"):
            return STOP
        card = read_card(typed)
        if last is not None:
            self.call.value("number_match")
        if last is not None and not card.matches(last, self.only_numbers):
            legal = f"any {last.suit} ({SUITS[last.suit]}) or any {last.rank}"
            raise IllegalAnswer(f"{card} does not follow {last}: legal are {legal}.", RULE)
        self._check_packs([*self.table, card])
        return card.id

    def _lay(self, party: Party, card: Card) -> None:
        """Lay a card: face cards and aces cost casualties."""
        call = self.call
        self.table.append(card)
        party.played.append(card)
        if party.hand is not None:
            party.hand.remove(card)
        costs = self.worth.get(card.rank, 0)
        if not costs:
            return
        call.value(f"house_casualties.{'ace' if card.rank == 'A' else 'face_card'}")
        hurt = self.other(party) if call.value("casualties_hit") == "opponent" else party
        lost = min(costs, hurt.alive)
        hurt.casualties += lost
        if lost and call.settings["casualties_lose_cards"]:
            call.value("casualties_lose_cards")
            hurt.cards = max(len(hurt.played), hurt.cards - lost)
            if hurt.hand is not None:
                # The cards drawn last go first; which ones is nobody's choice.
                del hurt.hand[hurt.cards - len(hurt.played) :]

    def close(self, building: str) -> None:
        """Say who holds the building, and take away who fell."""
        call = self.call
        if call.result:
            self._overrule(call.result.lower())
        if self.table:
            call.say(f"Cards {card_words(self.table)}, defenders first.")
        call.say(f"The {self.holder} hold {building or 'the building'} ({self.why}).")
        for party in self.parties:
            self._take_casualties(party)
        loser = self.defenders if self.holder == "attackers" else self.attackers
        if loser.alive > 0:
            away = loser is self.defenders or call.value("attackers_lose") == "placed_away"
            distance = f"are placed {call.value('house_distance')} in. away" if away else ""
            call.say(f"The surviving {loser.side} {distance or 'stay outside in contact'}.")
        call.outcome_result = self.holder
        call.facts |= {
            "cards": [card.id for card in self.table],
            "casualties": {party.side: party.casualties for party in self.parties},
        }
        if building:
            units = self.other(loser).units
            call.held[building] = (units[0].side if units else "") or self.holder

    def _overrule(self, wanted: str) -> None:
        sides = [party.side for party in self.parties if party.side.startswith(wanted)]
        if len(sides) != 1:
            raise IllegalAnswer(
                f'"{self.call.result}" is not a result here; there are: attackers, defenders.', RULE
            )
        self.call.overrule(f"The {sides[0]} hold it", f"the {self.holder}")
        self.holder = sides[0]

    def _take_casualties(self, party: Party) -> None:
        """Take the casualties from the side's units, in the order the umpire named them."""
        due = party.casualties
        for unit in party.units:
            lost = self.call.lose(unit, due)
            due -= lost
            if lost:
                self.call.say(f"{losses_words(self.call, self.call.now(unit), lost)}.")
                if self.call.value("house_morale_after"):
                    self.call.trigger(unit, "casualties")
