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
from asl_pbcg.megagame.call import Call
from asl_pbcg.megagame.cards import ALL_CARDS, FACES, PACK, Card, read_card, words
from asl_pbcg.megagame.opponent import best_card
from asl_pbcg.megagame.table import Unit
from asl_pbcg.megagame.targets import losses_words

RULE: Final = "House to house"
SIDES: Final = ("attackers", "defenders")
DEAL: Final = "house.deal"
CARD: Final = "house.card"
STOP: Final = "none"

FightSide = Literal["attackers", "defenders"]


@dataclass(slots=True)
class Party:
    """One side of the fight: its units and what it holds. ``hand`` is None with real cards."""

    side: FightSide
    units: tuple[Unit, ...]
    cards: int
    hand: list[Card] | None = None
    casualties: int = 0
    played: list[Card] = field(default_factory=list)


def cards_due(call: Call, units: Sequence[Unit]) -> int:
    """How many cards a side is dealt: one a figure, one more for each elite unit.

    Raises IllegalAnswer if a unit's figures are not known. Rule: House to house.
    """
    cards = 0
    for unit in units:
        if unit.standing is None:
            raise IllegalAnswer(
                f"Say how many figures {unit.name} has, for example 3:veteran.", RULE
            )
        cards += unit.standing
        if unit.quality == "elite":
            per = call.value("elite_bonus_per")
            cards += 1 if per == "unit" else unit.standing
    return cards


def house_fight(
    call: Call,
    attackers: tuple[Unit, ...],
    defenders: tuple[Unit, ...],
    building: str = "",
    *,
    real_cards: bool = False,
    hands: tuple[tuple[Card, ...], tuple[Card, ...]] | None = None,
) -> Script[None]:
    """Settle the fight for a building, to the last card: who holds it and who fell.

    With ``real_cards`` the players deal and say each card they play; ``hands`` are cards
    that were dealt on the table (attackers' first). Else the program deals. Raises
    IllegalAnswer. Rule: House to house.
    """
    fight = _Fight(call, attackers, defenders, building)
    call.by = ", ".join(unit.name for unit in attackers)
    call.who = ", ".join(unit.name for unit in defenders)
    if not real_cards:
        yield from fight.deal(hands)
    yield from fight.play()
    fight.close()


def deal_only(call: Call, attackers: tuple[Unit, ...], defenders: tuple[Unit, ...]) -> None:
    """Say how many real cards each side is dealt; nothing is played yet."""
    counts = [cards_due(call, units) for units in (attackers, defenders)]
    call.facts["cards"] = dict(zip(SIDES, counts, strict=True))
    call.say(f"Deal {counts[0]} to the attackers and {counts[1]} to the defenders.")
    call.say("The defenders lead.")


class _Fight:
    def __init__(
        self,
        call: Call,
        attackers: tuple[Unit, ...],
        defenders: tuple[Unit, ...],
        building: str,
    ) -> None:
        self.call = call
        self.building = building
        shared = {unit.side for unit in attackers} & {unit.side for unit in defenders} - {""}
        call.require(
            RULE,
            (
                any(unit.standing for unit in attackers),
                "Nobody assaults the building: a figure must be in contact with its wall.",
            ),
            (not shared, "Attackers and defenders are on the same side."),
            (
                all(unit.kind == "dismounts" for unit in (*attackers, *defenders)),
                "Only figures on foot fight for a building.",
            ),
        )
        self.attackers = Party("attackers", attackers, cards_due(call, attackers))
        self.defenders = Party("defenders", defenders, cards_due(call, defenders))
        self.table: list[Card] = []
        self.only_numbers = False
        self.packs = max(
            int(call.settings["decks"]), -(-(self.attackers.cards + self.defenders.cards) // PACK)
        )
        self.holder: FightSide = "attackers" if not self.defenders.cards else "defenders"
        self.why = ""

    def other(self, party: Party) -> Party:
        return self.defenders if party is self.attackers else self.attackers

    # -- dealing ----------------------------------------------------------------------

    def deal(self, hands: tuple[tuple[Card, ...], tuple[Card, ...]] | None) -> Script[None]:
        parties = (self.attackers, self.defenders)
        if hands:
            for party, hand in zip(parties, hands, strict=True):
                if len(hand) != party.cards:
                    raise IllegalAnswer(
                        f"The {party.side} are dealt {party.cards} cards, not {len(hand)}.", RULE
                    )
                party.hand = list(hand)
            self._not_too_often([*hands[0], *hands[1]])
            return
        if self.packs > 1:
            self.call.value("decks")
        pack = list(ALL_CARDS) * self.packs
        for party in parties:
            party.hand = []
            for _ in range(party.cards):
                (face,) = yield from self.call.plain(DEAL, "Dealing", 1, len(pack))
                party.hand.append(pack.pop(face - 1))

    def _not_too_often(self, cards: Sequence[Card]) -> None:
        for card, times in Counter(cards).items():
            if times > self.packs:
                raise IllegalAnswer(
                    f"{card} cannot lie there {times} times with {self.packs} "
                    f"pack{'s' if self.packs > 1 else ''} of cards.",
                    RULE,
                )

    # -- playing ----------------------------------------------------------------------

    def play(self) -> Script[None]:
        if not self.defenders.cards:
            self.why = "nobody defends it"
            return
        party = self.defenders
        while True:
            card = yield from self._card(party)
            if card is None:
                break
            self._lay(party, card)
            if self._is_wiped_out():
                return
            party = self.other(party)
        # The side that played the last card holds the building.
        self.holder = self.other(party).side if self.table else party.side
        self.why = "last card played"

    def _card(self, party: Party) -> Script[Card | None]:
        """The card ``party`` plays, or None if it cannot or will not follow."""
        call = self.call
        last = self.table[-1] if self.table else None
        lead = f"{last} lies there; {party.side} must follow" if last else "The defenders lead"
        if party.hand is None:
            if len(party.played) >= party.cards:
                return None
            prompt = Prompt(
                id=CARD,
                text=f"{lead} (card, or none)" if last else f"{lead} (card)",
                rule=RULE,
                side=party.side,
                kind="text",
                verify=lambda typed: self._real(typed, last),
            )
            typed = yield from ask(prompt)
            return None if typed == STOP else read_card(typed)
        only_numbers = self._only_numbers()
        fits = [card for card in party.hand if last is None or card.matches(last, only_numbers)]
        if not fits:
            return None
        options = [self._option(card, card in fits, last, fits) for card in party.hand]
        if last is not None and not call.settings["must_match_if_able"]:
            call.value("must_match_if_able")
            options.append(Option(STOP, "play nothing: the other side holds the building"))
        chosen = yield from ask(
            Prompt(
                id=CARD,
                text=lead,
                rule=RULE,
                side=party.side,
                secret=True,
                options=tuple(options),
                default=best_card(
                    party.hand,
                    fits,
                    self.table,
                    self.other(party).cards - len(self.other(party).played),
                    self.packs,
                    only_numbers,
                    self._worth(),
                ).id,
            )
        )
        return None if chosen == STOP else read_card(chosen)

    def _option(self, card: Card, fits: bool, last: Card | None, legal: list[Card]) -> Option:
        costs = self._worth().get(card.rank, 0)
        return Option(
            card.id,
            str(card),
            consequence=f"{costs} casualt{'y' if costs == 1 else 'ies'}" if costs else "",
            refused=""
            if fits
            else f"{card} follows neither suit nor rank of {last}; legal: {words(legal)}.",
            rule=RULE,
        )

    def _real(self, typed: str, last: Card | None) -> str:
        """A real card as it is stored; raises IllegalAnswer if it cannot be played."""
        if last is not None and typed.lower() in (STOP, "-", "pass", "no"):
            return STOP
        card = read_card(typed)
        if last is not None and not card.matches(last, self._only_numbers()):
            raise IllegalAnswer(
                f"{card} does not follow {last}: legal are any {last.suit} "
                f"({_SUIT_NAMES[last.suit]}) or any {last.rank}.",
                RULE,
            )
        self._not_too_often([*self.table, card])
        return card.id

    def _lay(self, party: Party, card: Card) -> None:
        self.table.append(card)
        party.played.append(card)
        if party.hand is not None:
            party.hand.remove(card)
        costs = self._worth().get(card.rank, 0)
        if costs:
            self.call.value(
                "house_casualties.ace" if card.rank == "A" else "house_casualties.face_card"
            )
            hit = self.other(party) if self.call.value("casualties_hit") == "opponent" else party
            alive = self._alive(hit)
            lost = min(costs, alive)
            hit.casualties += lost
            if lost and self.call.settings["casualties_lose_cards"]:
                self.call.value("casualties_lose_cards")
                hit.cards = max(len(hit.played), hit.cards - lost)
                if hit.hand is not None:
                    # The cards drawn last go first; which ones is nobody's choice.
                    del hit.hand[hit.cards - len(hit.played) :]

    def _worth(self) -> dict[str, int]:
        costs = self.call.settings.whole("house_casualties")
        return {**dict.fromkeys(FACES, costs["face_card"]), "A": costs["ace"]}

    def _only_numbers(self) -> bool:
        return bool(self.call.value("number_match") == "only_numbers")

    def _alive(self, party: Party) -> int:
        return sum(unit.standing or 0 for unit in party.units) - party.casualties

    def _is_wiped_out(self) -> bool:
        """Whether a side has no figure left, and the other holds the building for it."""
        for party in (self.attackers, self.defenders):
            if self._alive(party) <= 0 and self.call.value("stop_when_wiped_out"):
                self.holder = self.other(party).side
                self.why = f"the {party.side} have no figure left"
                return True
        return False

    # -- the end ----------------------------------------------------------------------

    def close(self) -> None:
        call = self.call
        if call.result:
            wanted = call.result.lower()
            match = [side for side in SIDES if side.startswith(wanted)]
            if len(match) != 1:
                raise IllegalAnswer(
                    f'"{call.result}" is no result: attackers or defenders are.', RULE
                )
            call.overrule(f"The {match[0]} hold it in place of the {self.holder}.")
            self.holder = "attackers" if match[0] == "attackers" else "defenders"
        where = self.building or "the building"
        if self.table:
            call.say(f"Cards {words(self.table)}, defenders first.")
        call.say(f"The {self.holder} hold {where} ({self.why}).")
        for party in (self.attackers, self.defenders):
            self._losses(party)
        if self.holder == "attackers" and self._alive(self.defenders) > 0:
            back = call.value("house_distance")
            call.say(f"The surviving defenders are placed {back} in. away.")
        if self.holder == "defenders" and self._alive(self.attackers) > 0:
            if call.value("attackers_lose") == "placed_away":
                call.say(
                    f"The surviving attackers are placed {call.value('house_distance')} in. away."
                )
            else:
                call.say("The surviving attackers stay outside in contact.")
        call.outcome_result = self.holder
        call.facts |= {
            "cards": [card.id for card in self.table],
            "casualties": {
                party.side: party.casualties for party in (self.attackers, self.defenders)
            },
            "dealt": {
                "attackers": cards_due(call, self.attackers.units),
                "defenders": cards_due(call, self.defenders.units),
            },
        }
        if self.building:
            units = self.attackers.units if self.holder == "attackers" else self.defenders.units
            call.held[self.building] = (units[0].side or self.holder) if units else self.holder

    def _losses(self, party: Party) -> None:
        """Take the casualties from the side's units, in the order the umpire named them."""
        left = party.casualties
        for unit in party.units:
            lost = self.call.lose(unit, left)
            left -= lost
            if lost:
                self.call.say(f"{losses_words(self.call, self.call.now(unit), lost)}.")
                if self.call.value("house_morale_after"):
                    self.call.trigger(unit, "casualties")


_SUIT_NAMES: Final = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
