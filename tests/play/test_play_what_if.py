"""What if: looking ahead, what RG may bring, legal hexes; all by the program's own scripts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest

from asl_pbcg.campaign.state.campaign_state import ReceivedGroup, change
from asl_pbcg.kernel.distribution import distribution
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.prompts import Prompt, Roll, Script, ask_number, throw
from asl_pbcg.play.campaign_game.campaign_groups import (
    basket_chances,
    basket_price,
    group_chances,
    is_purchase,
)
from asl_pbcg.play.campaign_game.campaign_plug import create_campaign
from asl_pbcg.play.look_ahead import legal_places, look_ahead
from asl_pbcg.play.refusals import Moved
from asl_pbcg.play.seat import Seat
from asl_pbcg.refit.s618_strength import strength_weapons_leaders


@pytest.fixture(scope="module")
def seat(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Seat]:
    """The German who buys RG before the Initial Scenario of CG II."""
    meta = {"settings": {"campaign": "CG2", "players": {}}, "dice": "seeded", "seed": 4}
    with create_campaign(tmp_path_factory.mktemp("cg2") / "a.pbcg", meta) as game:
        found = Seat(game, "german")
        while not is_purchase(found):
            asked = Seat(game, "umpire").question()
            Seat(game, "umpire").answer(asked.default or asked.options[0].id)  # type: ignore[union-attr]
        yield found


def test_a_distribution_is_every_throw_counted_out() -> None:
    def script() -> Script[int]:
        first = yield from throw(Roll(id="a", text="a"))
        if first.final < 3:
            return first.final
        more = yield from ask_number(
            Prompt(id="b", text="b", kind="number", least=0, most=9, default=2)
        )
        second = yield from throw(Roll(id="c", text="c"))
        return int(first.final + second.final + more)

    wanted: Counter[int] = Counter()
    for one, two in product(range(1, 7), repeat=2):
        wanted[one if one < 3 else one + two + 2] += 1
    found = distribution(script, lambda total: total, lambda prompt: prompt.default)
    assert found == {total: Fraction(count, 36) for total, count in wanted.items()}


@pytest.mark.rule("9.6181-a", "9.6182-a", "9.6183-a")
@pytest.mark.parametrize("id", ["I4", "V3", "V2"])
def test_what_an_rg_brings_is_what_the_step_settles(seat: Seat, id: str) -> None:
    """The parts put together are what the whole of 9.618 comes to, throw by throw."""
    state = seat.game.session.state
    alone = change(state, groups=(ReceivedGroup(key=f"{id}-1", id=id, date=state.date),))
    whole = distribution(
        lambda: strength_weapons_leaders(alone),
        lambda after: tuple(
            sorted(Counter(p.type.split(" Armor")[0] for p in after.pieces if p.rg).items())
        ),
        lambda prompt: prompt.default or "no",  # CG7
    )
    assert sum(whole.values()) == 1
    chances = group_chances(state, id)
    for each in chances.spreads:
        if each.kind == "leaders":
            continue
        name = each.what.split(" Armor")[0]
        counted: dict[int, Fraction] = {}
        for came, part in whole.items():
            count = dict(came).get(name, 0)
            counted[count] = counted.get(count, Fraction(0)) + part
        assert each.chances == counted, each.what
    assert chances.strength == {"full": Fraction(5, 6), "depleted": Fraction(1, 6)}


def test_a_basket_adds_up(seat: Seat) -> None:
    state = seat.game.session.state
    found = {each.what: each for each in basket_chances(state, ["V3", "V3", "M1"])}
    assert found["PzKpfw IVH"].chances == {
        4: Fraction(1, 36), 5: Fraction(10, 36), 6: Fraction(25, 36),
    }  # fmt: skip
    assert found["FPP"].chances == {15: 1}
    assert basket_price(state, [("V3", "J0"), ("V3", "A7"), ("M1", "")]) == 14 + 2 + 14 + 1
    assert found["PzKpfw IVH"].plain(28)["per_cpp"] == round(
        float(found["PzKpfw IVH"].mean) / 28, 3
    )
    with pytest.raises(PBCGError):
        basket_chances(state, ["V99"])


def test_looking_ahead_asks_what_would_be_asked_and_keeps_nothing(seat: Seat) -> None:
    before = len(seat.game.entries()), seat.question()
    place = look_ahead(seat, ["V3"]).asked
    assert place is not None and place.id == "9.617.2"
    again = look_ahead(seat, ["V3", "J0"]).asked
    assert again is not None and again.id == "9.617.1"
    refused = {each.id for each in again.options if each.refused}  # type: ignore[union-attr]
    assert "V3" in refused and "I5" in refused
    with pytest.raises(IllegalAnswer):
        look_ahead(seat, ["V3", "J0", "V3"])
    with pytest.raises(PBCGError):
        look_ahead(seat, ["done", "on"])  # the dice of 9.618 come first
    with pytest.raises(Moved):
        look_ahead(Seat(seat.game, "british"), ["V3"])
    with pytest.raises(PBCGError):
        look_ahead(seat, ["V3"] * 61)
    assert before == (len(seat.game.entries()), seat.question())


def test_no_place_is_told_where_none_is_asked_for(seat: Seat) -> None:
    with pytest.raises(Moved):
        legal_places(seat, ["M12"])
