"""House to house: the card fight, dealt, played and scored."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from megagame_help import At, line, refusal, triggers, used
from sentences import Tells, raised

from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.megagame.call import Call, Outcome
from asl_pbcg.megagame.game_table import Table, TableUnit
from asl_pbcg.megagame.house import house_fight
from asl_pbcg.megagame.line_content import LineContent
from asl_pbcg.megagame.playing_cards import ALL_CARDS, Card, best_card, read_card, read_cards
from asl_pbcg.megagame.table_log import LineDice, play_script


def squad(name: str, figures: int, quality: str = "veteran") -> TableUnit:
    return TableUnit(name=name, figures=figures, started=figures, quality=quality)


def fight(
    attackers: TableUnit,
    defenders: TableUnit,
    answer: Callable[[Prompt], Any] | None = None,
    seed: int = 1,
    hands: tuple[str, str] | None = None,
    own: dict[str, Any] | None = None,
) -> Outcome:
    """A fight with dealt cards; the program answers what ``answer`` does not."""
    call = Call("house", Table(own=own or {}))
    cards = (read_cards(hands[0]), read_cards(hands[1])) if hands else None
    script = house_fight(call, LineContent(hands=cards), (attackers,), (defenders,))
    play_script(script, LineDice(seed, 0).throw, answer or (lambda prompt: prompt.default))
    return call.outcome(call.take_checks())


@pytest.mark.rule("MG44")
@pytest.mark.parametrize(
    ("text", "attackers", "defenders"),
    [
        ("house 3:elite+2:green 1:elite+5:elite", 6, 8),  # "+" joins a side
        ("house 3:elite+2:green 4:green", 6, 4),
        ("house 3:veteran 2:elite", 3, 3),
        ("house 4:green 4:veteran", 4, 4),
        ("house 3:elite+2:green vs 1:elite+5:elite", 6, 8),
    ],
)
def test_a_card_for_each_figure_and_one_for_each_elite_unit(
    text: str, attackers: int, defenders: int
) -> None:
    outcome = line(text, deal=True)
    assert outcome.facts["cards"] == {"attackers": attackers, "defenders": defenders}
    assert line(text, cards="2H").facts["dealt"] == outcome.facts["cards"]


@pytest.mark.rule("MG44")
def test_the_elite_card_can_be_for_each_figure() -> None:
    outcome = line("house 3:elite 2:green", deal=True, own={"elite_bonus_per": "figure"})
    assert outcome.facts["cards"] == {"attackers": 6, "defenders": 2}


@pytest.mark.rule("MG45")
@pytest.mark.parametrize(
    ("card", "last", "fits"),
    [("7S", "7H", True), ("2H", "7H", True), ("8S", "7H", False), ("KS", "KD", True)],
)
def test_a_card_matches_suit_or_rank(tells: Tells, card: str, last: str, fits: bool) -> None:
    assert read_card(card).matches(read_card(last)) == fits
    if not fits:
        tells(refusal("house 3v 3v", cards=f"{last} {card}"), "follow")


@pytest.mark.rule("MG45")
def test_numbers_may_be_read_as_2_to_10_only(tells: Tells) -> None:
    own = {"number_match": "only_numbers"}
    assert line("house 3v 3v", cards="KH KS").result == "attackers"
    tells(refusal("house 3v 3v", cards="KH KS", at=At(own, turn=0)), "follow")
    assert line("house 3v 3v", cards="9H 9S", own=own).result == "attackers"


@pytest.mark.rule("MG45", "MG46")
@pytest.mark.parametrize(
    ("cards", "holder"),
    [
        ("7H", "defenders"),
        ("7H 7S", "attackers"),
        ("7H 7S 8S", "defenders"),
        ("2D 2C 2H 2S", "attackers"),
    ],
)
def test_the_defenders_lead_and_the_last_card_wins(cards: str, holder: str) -> None:
    outcome = line("house 4v 4v", cards=cards)
    assert outcome.result == holder
    assert outcome.facts["cards"] == cards.split()


@pytest.mark.rule("MG46")
def test_a_side_without_cards_cannot_follow(tells: Tells) -> None:
    assert line("house 1v 2v", cards="7H 7S 8S").result == "defenders"
    # The attackers have no second card, so nobody can play a fourth.
    tells(refusal("house 1v 2v", cards="7H 7S 8S 9S"), "card")


@pytest.mark.rule("MG47")
@pytest.mark.parametrize(
    ("cards", "attackers", "defenders"),
    [("9H 9S", 0, 0), ("KH KS", 1, 1), ("AH 2H", 2, 0), ("2H AH", 0, 2), ("JD QD AD", 3, 1)],
)
def test_a_face_card_is_one_casualty_and_an_ace_two(
    cards: str, attackers: int, defenders: int
) -> None:
    outcome = line("house 6:veteran 6:green", cards=cards)
    assert outcome.facts["casualties"] == {"attackers": attackers, "defenders": defenders}
    lost = {loss.unit: loss.figures for loss in outcome.losses}
    wanted = {"the attackers": attackers, "the defenders": defenders}
    assert lost == {name: count for name, count in wanted.items() if count}
    assert set(triggers(outcome)) == set(lost)


@pytest.mark.rule("MG47")
def test_whose_casualties_they_are_is_inferred_and_can_be_set() -> None:
    assert "Inferred" in line("house 6v 6v", cards="KH").line
    assert "casualties_hit" in used(line("house 6v 6v", cards="KH"))
    outcome = line("house 6v 6v", cards="KH", own={"casualties_hit": "player"})
    assert outcome.facts["casualties"] == {"attackers": 0, "defenders": 1}


@pytest.mark.rule("MG47")
def test_a_side_without_figures_has_lost(tells: Tells) -> None:
    outcome = line("house 2v 3v", cards="AH")
    assert (outcome.result, outcome.facts["casualties"]["attackers"]) == ("defenders", 2)
    tells(outcome.line, "figure")
    outcome = line("house 3v 2v", cards="2H AH")
    assert outcome.result == "attackers"
    assert "placed" not in outcome.line
    tells(refusal("house 3v 2v", cards="2H AH AS"), "card")
    own = {"stop_when_wiped_out": False}
    assert line("house 3v 2v", cards="2H AH AS", own=own).result == "defenders"


@pytest.mark.rule("MG48")
def test_losing_defenders_are_placed_3_in_away(tells: Tells) -> None:
    tells(line("house 3v 2v", cards="7H 7S").line, "placed 3")
    outcome = line("house 3v 2v", cards="7H")
    tells(outcome.line, "outside")
    assert "attackers_lose" in used(outcome)


@pytest.mark.rule("MG49")
def test_an_illegal_card_is_refused_and_the_legal_ones_are_listed() -> None:
    seen: list[str] = []

    def answer(prompt: Prompt) -> Any:
        if prompt.side == "defenders":
            return "7H" if len(prompt.options) == 2 else prompt.default
        if not seen:
            for option in prompt.options:
                if option.refused:
                    with pytest.raises(IllegalAnswer, match="legal: 7♠ 2♥"):
                        prompt.check(option.id)
                    seen.append(option.id)
            with pytest.raises(IllegalAnswer, match="not a choice here; legal are: 7S, 2H"):
                prompt.check("AD")
        return prompt.default

    hands = ("7S KC 2H", "7H 5C")
    fight(squad("a", 3), squad("d", 2), answer, hands=hands)
    assert seen == ["KC"]


@pytest.mark.rule("MG50")
def test_houses_are_fought_at_the_end_of_the_fire_phase(tells: Tells) -> None:
    at = At.having("Paras british elite 6", "Krafft german green 6", phase="direct_fire")
    tells(refusal("house Paras vs Krafft", at=at), "Direct")
    at("fire Paras lmg at Krafft", 9, 1, 1)
    at.phase("building")
    assert at.unit("Krafft").figures == 5
    tells(refusal("fire Paras lmg at Krafft", at=at), "Direct")
    outcome = at("house Paras vs Krafft in Cafe", cards="7H 7S")
    assert outcome.facts["dealt"] == {"attackers": 7, "defenders": 5}
    assert at.table.held == {"Cafe": "allied"}


def test_the_umpire_may_say_who_holds_it() -> None:
    outcome = line("house 3v 2v", cards="7H", result="att", because="the roof came down")
    assert outcome.result == "attackers"
    assert "Overruled" in outcome.line


@pytest.mark.parametrize(
    "text", ["house 3v", "house", "house 0v 2v", "house x 2v", "house 3:foo 2v", "house 3v 2e 4g"]
)
def test_fights_that_cannot_be(text: str) -> None:
    if text == "house 3v":
        # Nobody defends: it is simply taken.
        assert line(text).result == "attackers"
    else:
        refusal(text)


def test_real_cards_cannot_lie_there_twice(tells: Tells) -> None:
    tells(refusal("house 3v 3v", cards="7H 7H"), "there 2")
    assert line("house 3v 3v", cards="7H 7H", own={"decks": 2}).result == "attackers"


@pytest.mark.parametrize("typed", ["7H", "7h", "7♥", " 7 h "])
def test_cards_as_players_type_them(typed: str) -> None:
    assert read_card(typed) == Card("7", "H")


@pytest.mark.parametrize("typed", ["", "1H", "11H", "7", "H", "7X", "joker", "7HH"])
def test_what_is_no_card(tells: Tells, typed: str) -> None:
    tells(raised(IllegalAnswer, lambda: read_card(typed)), "card")


FIGHTS = st.tuples(
    st.integers(1, 12),
    st.integers(1, 12),
    st.sampled_from(["green", "veteran", "elite"]),
    st.sampled_from(["green", "veteran", "elite"]),
    st.integers(0, 10**6),
)


@pytest.mark.rule("MG44", "MG45", "MG46", "MG47")
@settings(max_examples=60, deadline=None)
@given(FIGHTS)
def test_every_dealt_fight_keeps_the_rules(made: tuple[int, int, str, str, int]) -> None:
    first, second, quality, other, seed = made
    outcome = fight(squad("a", first, quality), squad("d", second, other), seed=seed)
    cards = [read_card(card) for card in outcome.facts["cards"]]
    assert len(cards) == len(set(cards))
    assert all(card.matches(last) for last, card in pairwise(cards))
    dealt = outcome.facts["dealt"]
    assert dealt["attackers"] == first + (quality == "elite")
    assert dealt["defenders"] == second + (other == "elite")
    assert len(cards[::2]) <= dealt["defenders"]
    assert len(cards[1::2]) <= dealt["attackers"]
    worth = {"J": 1, "Q": 1, "K": 1, "A": 2}
    costs = {
        "attackers": sum(worth.get(card.rank, 0) for card in cards[::2]),
        "defenders": sum(worth.get(card.rank, 0) for card in cards[1::2]),
    }
    fallen = outcome.facts["casualties"]
    assert fallen["attackers"] == min(costs["attackers"], first)
    assert fallen["defenders"] == min(costs["defenders"], second)
    assert outcome.result == ("defenders" if len(cards) % 2 else "attackers")


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_any_legal_play_comes_to_an_end(seed: int, choices: int) -> None:
    import random

    source = random.Random(choices)
    outcome = fight(squad("a", 8), squad("d", 8), lambda prompt: prompt.random_answer(source), seed)
    assert outcome.result in ("attackers", "defenders")


def test_the_program_plays_a_winning_card_if_it_has_one() -> None:
    # All other spades and sevens are on the table: nothing can follow the seven of spades.
    played = [card for card in ALL_CARDS if card.suit == "S" or card.rank == "7"]
    played.remove(Card("7", "S"))
    hand = [Card("7", "S"), Card("9", "H")]
    assert best_card(hand, hand, played, others=5) == Card("7", "S")


def test_the_program_does_not_know_the_other_hand() -> None:
    seen: dict[str, list[Any]] = {"one": [], "other": []}
    for key, theirs in (("one", "2C 3C 4C"), ("other", "9D 10D JD")):

        def answer(prompt: Prompt, key: str = key) -> Any:
            seen[key].append(prompt.default)
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            fight(squad("a", 3), squad("d", 3), answer, hands=(theirs, "5H 8H KS"))
    assert seen["one"] == seen["other"]


@pytest.mark.parametrize(("lose", "holder"), [(True, "defenders"), (False, "attackers")])
def test_cards_of_the_fallen_can_go_with_them(lose: bool, holder: str) -> None:
    plays = {"defenders": ["AH", "3H"], "attackers": ["2H", "5H"]}
    outcome = fight(
        squad("a", 4),
        squad("d", 2),
        lambda prompt: plays[prompt.side].pop(0),
        hands=("2H 9C 5H 6S", "AH 3H"),
        own={"casualties_lose_cards": lose},
    )
    # The ace takes two figures and, if so set, their two cards, the 5 among them.
    assert outcome.result == holder
