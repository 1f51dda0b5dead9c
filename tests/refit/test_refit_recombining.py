"""9.611 Recombining and Battle Hardening. Rule: 9.6111, 9.6112, 9.6113, CG17."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refit_helpers import BRITISH, GERMAN, by_point, campaign_at, piece, refusal, run_step, told
from sentences import Tells

from asl_pbcg.campaign.position import Terrain
from asl_pbcg.campaign.position_words import TerrainKind
from asl_pbcg.campaign.state.campaign_state import Campaign, change
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.prompts import Note, Prompt, Roll
from asl_pbcg.refit.helpers.situation import is_isolated
from asl_pbcg.refit.s602_markers import marker_removal
from asl_pbcg.refit.s611_recombining import (
    heroes,
    leaders,
    recombining,
    recombining_and_battle_hardening,
)


def campaign(*pieces: Piece, **fields: Any) -> Campaign:
    """British Setup Areas A (L24), B (T20) and C (X26), German ones A to C; none is Isolated."""
    return campaign_at(
        "9.611", *pieces, british=["X26", "L24", "T20"], german=["A1", "B12", "KK10"], **fields
    )


def hs(id: str, area: str = "C", type: str = "3-3-8", side: Side = BRITISH, **fields: Any) -> Piece:
    at = {"A": "L24", "B": "T20", "C": "X26"}[area] if side is BRITISH else "B12"
    return piece(id, side, type, fields.pop("at", at), area=area, **fields)


def german(id: str, area: str = "B", type: str = "2-4-7", **fields: Any) -> Piece:
    return hs(id, area, type, GERMAN, **fields)


def types(state: Campaign) -> dict[str, str]:
    return {each.id: each.type for each in state.pieces}


# -- 9.6111 -----------------------------------------------------------------------------------


@pytest.mark.rule("9.6111-a")
def test_two_hs_of_a_type_in_an_area_become_their_squad_without_a_question(tells: Tells) -> None:
    state = campaign(hs("b1"), hs("b2"), german("g1"), german("g2"))
    after, lines = run_step(state, recombining)
    assert types(after) == {"b1": "6-4-8", "g1": "4-6-7"}
    assert [(each.piece.id, each.how) for each in after.gone] == [
        ("b2", "recombined"),
        ("g2", "recombined"),
    ]
    tells(told(lines), "Setup Area C", "3-3-8", "b1", "b2", "Recombine", "6-4-8", "9.6111")


@pytest.mark.rule("9.6111-a")
def test_what_does_not_recombine(tells: Tells) -> None:
    pairs = [
        (hs("b1", "A"), hs("b2", "B")),  # two areas
        (hs("b1"), hs("b2", type="2-4-8")),  # other Strength Factors
        (hs("b1", type="2-4-7"), hs("b2", type="2-3-7")),  # another class
        (hs("b1", type="2-2-8"), hs("b2", type="2-2-8")),  # crews
        (hs("b1"), hs("b2", status="prisoner", guarded_by="g1")),
        (hs("b1"), hs("b2", status="unarmed")),
        (german("g1"), hs("b1", type="2-4-7")),
    ]
    guard = piece("g1", GERMAN, "4-6-7", "X26", area="A")
    for pair in pairs:
        others = [guard] if any(each.is_prisoner for each in pair) else []
        state = campaign(*pair, *others)
        after, lines = run_step(state, recombining)
        assert after == state
        tells(told(lines), "HS", "Recombine")


@pytest.mark.rule("9.6111-a")
def test_an_hs_that_mans_a_captured_vehicle_stays_in_it() -> None:
    tank = piece("v1", BRITISH, "Marder", "X26", status="captured", area="C")
    state = campaign(tank, hs("b1"), hs("b2", aboard="v1"))
    after, _ = run_step(state, recombining)
    assert types(after) == {"v1": "Marder", "b1": "3-3-8", "b2": "3-3-8"}
    assert after.piece("b2").aboard == "v1"


@pytest.mark.rule("9.6111-a", "9.4-CG17-j")
def test_walking_wounded_hs_recombine_with_each_other_to_a_walking_wounded_squad() -> None:
    ww = {"status": "walking-wounded"}
    state = campaign(hs("b1", **ww), hs("b2", **ww))
    after, lines = run_step(state, recombining)
    assert types(after) == {"b1": "6-4-8"}
    assert after.piece("b1").status == ("walking-wounded",)
    assert "Walking Wounded 6-4-8 b1" in told(lines)


@pytest.mark.rule("9.4-CG17-j")
@pytest.mark.parametrize("answer", ["no", "b2/b1"])
def test_a_walking_wounded_and_a_sound_hs_recombine_only_if_the_british_like(answer: str) -> None:
    state = campaign(hs("b1", possesses="w"), hs("b2", status="walking-wounded"), piece(
        "w", BRITISH, "LMG", "X26", area="C"))  # fmt: skip
    after, log = run_step(state, recombining, [answer])
    assert [each.id for each in log.asked] == ["9.6111.2"]
    if answer == "no":
        assert types(after) == {"b1": "3-3-8", "b2": "3-3-8", "w": "LMG"}
    else:
        assert types(after) == {"b1": "6-4-8", "w": "LMG"}
        assert after.piece("b1").has("walking-wounded")
        assert after.piece("b1").possesses == ("w",)


@pytest.mark.rule("9.6111-a")
def test_of_three_the_owner_says_which_stays_if_they_differ() -> None:
    weapon = piece("w", BRITISH, "LMG", "X26", area="C")
    state = campaign(hs("b1"), hs("b2", possesses="w"), hs("b3"), weapon)
    after, log = run_step(state, recombining, ["alone"])
    (prompt,) = log.asked
    assert isinstance(prompt, Prompt)
    assert [(option.id, option.consequence) for option in prompt.options] == [
        ("b2", "6-4-8"),
        ("b3", "6-4-8"),
        ("alone", "the one that is left over"),
    ]
    assert types(after) == {"b1": "3-3-8", "b2": "6-4-8", "w": "LMG"}
    assert after.piece("b2").possesses == ("w",)
    after, _ = run_step(state, recombining, ["b2"])
    assert types(after) == {"b1": "6-4-8", "b3": "3-3-8", "w": "LMG"}
    assert after.piece("b1").possesses == ("w",)


def test_three_that_are_alike_are_not_asked_about() -> None:
    after, _ = run_step(campaign(hs("b1"), hs("b2"), hs("b3")), recombining)
    assert types(after) == {"b1": "6-4-8", "b3": "3-3-8"}


def test_what_the_second_hs_had_and_guarded_is_the_squads() -> None:
    state = campaign(
        hs("b1", possesses="w1"),
        hs("b2", possesses="w2", at="X25"),
        piece("w1", BRITISH, "LMG", "X26", area="C"),
        piece("w2", BRITISH, "PIAT", "X25", area="C"),
        piece("g1", GERMAN, "2-4-7", "X25", status="prisoner", guarded_by="b2"),
    )
    after, _ = run_step(state, recombining)
    assert after.piece("b1").possesses == ("w1", "w2")
    assert after.piece("w2").at == "X26"
    assert (after.piece("g1").guarded_by, after.piece("g1").at) == ("b1", "X26")


@pytest.mark.rule("9.6111-b")
def test_one_hs_may_stay_for_each_sw_mtr_even_a_malfunctioned_one(tells: Tells) -> None:
    mortar = piece("m", BRITISH, "51 MTR", "X26", area="C", status="malfunctioned")
    state = campaign(hs("b1"), hs("b2"), mortar)
    after, lines = run_step(state, recombining, ["alone"])
    assert types(after) == {"b1": "3-3-8", "b2": "3-3-8", "m": "51 MTR"}
    tells(told(lines), "Setup Area C", "3-3-8", "b1", "b2", "HS")
    after, _ = run_step(state, recombining, ["b2"])
    assert types(after) == {"b1": "6-4-8", "m": "51 MTR"}


@pytest.mark.rule("9.6111-b")
def test_the_mtr_counts_in_its_own_area_and_for_its_own_side_only() -> None:
    for mortar in (
        piece("m", BRITISH, "51 MTR", "T20", area="B"),
        piece("m", GERMAN, "50* MTR", "X26", area="C"),
        piece("m", BRITISH, "57L AT", "X26", area="C"),
        piece("m", BRITISH, "PIAT", "X26", area="C"),
    ):
        after, _ = run_step(campaign(hs("b1"), hs("b2"), mortar), recombining)
        assert types(after)["b1"] == "6-4-8"
    captured = piece("m", BRITISH, "50* MTR", "X26", area="C", status="captured")
    after, _ = run_step(campaign(hs("b1"), hs("b2"), captured), recombining, ["alone"])
    assert types(after)["b1"] == "3-3-8"


@pytest.mark.rule("9.6111-b")
def test_one_mtr_keeps_one_hs_of_all_types_together() -> None:
    mortar = piece("m", BRITISH, "51 MTR", "X26", area="C")
    state = campaign(hs("b1"), hs("b2"), hs("c1", type="2-4-8"), hs("c2", type="2-4-8"), mortar)
    after, _ = run_step(state, recombining, ["alone"])
    assert types(after) == {"b1": "3-3-8", "b2": "3-3-8", "c1": "4-5-8", "m": "51 MTR"}


@pytest.mark.finding("J-31")
@pytest.mark.rule("9.6111-b")
@pytest.mark.parametrize("house", ["any-hs", "same-formation"])
def test_enter_lets_an_hs_stay_that_a_mortar_keeps(house: str) -> None:
    mortar = piece("m", BRITISH, "51 MTR", "X26", area="C")
    units = [
        hs("b1", possesses="m"),
        hs("b2"),
        hs("a1", "A", rg="I4-1"),
        hs("a2", "A"),
        hs("a3", "A"),
    ]
    state = campaign(*units, mortar, house_rules={"C-91": house})
    after, log = run_step(state, recombining, by_point({}))
    assert [prompt.default for prompt in log.prompts("9.6111.1")][-1] == "alone"
    kept = types(after)
    assert (kept["b1"], kept["b2"]) == ("3-3-8", "3-3-8")
    assert sorted(kept[id] for id in kept if id[0] == "a") == ["3-3-8", "6-4-8"]  # must is obeyed


@pytest.mark.finding("J-31")
@pytest.mark.rule("9.6111-b")
@pytest.mark.parametrize(("house", "kept"), [("area", 2), ("side", 4)])
def test_mortars_are_counted_by_area_or_by_side(house: str, kept: int) -> None:
    """House rule P-230: two SW MTR in C, two HS there and two in A."""
    mortars = [piece(f"m{n}", BRITISH, "51 MTR", "X26", area="C") for n in (1, 2)]
    units = [hs("a1", "A"), hs("a2", "A"), hs("b1"), hs("b2")]
    state = campaign(*units, *mortars, house_rules={"P-230": house})
    after, _ = run_step(state, recombining, by_point({}))
    assert list(types(after).values()).count("3-3-8") == kept


@pytest.mark.finding("J-31")
@pytest.mark.rule("9.6111-b")
def test_counted_by_side_a_mortar_keeps_one_hs_and_those_off_map_none_on_it() -> None:
    units = [hs("a1", "A"), hs("a2", "A"), hs("b1"), hs("b2")]
    house = {"P-230": "side"}
    on_map = piece("m1", BRITISH, "51 MTR", "X26", area="C")
    after, _ = run_step(campaign(*units, on_map, house_rules=house), recombining, by_point({}))
    assert sorted(types(after).values()) == ["3-3-8", "3-3-8", "51 MTR", "6-4-8"]
    waits = piece("m1", BRITISH, "51 MTR", "off-map TT14", area="TT14")
    after, _ = run_step(campaign(*units, waits, house_rules=house), recombining, by_point({}))
    assert sorted(types(after).values()) == ["51 MTR", "6-4-8", "6-4-8"]


@pytest.mark.rule("9.6111-b")
def test_by_house_rule_c91_only_the_hs_with_the_mtr_may_stay() -> None:
    mortar = piece("m", BRITISH, "51 MTR", "X26", area="C")
    units = [hs("b1"), hs("b2", possesses="m"), hs("b3"), hs("b4"), mortar]
    state = campaign(*units, house_rules={"C-91": "same-formation"})
    # b2 with the MTR stays, and one of the other three is left over.
    after, _ = run_step(state, recombining, ["b3", "alone"])
    assert types(after) == {"b1": "6-4-8", "b2": "3-3-8", "b4": "3-3-8", "m": "51 MTR"}
    # Once b1 stays, b2 must stay too: only its MTR keeps a second one.
    after, _ = run_step(state, recombining, ["alone"])
    assert types(after) == {"b1": "3-3-8", "b2": "3-3-8", "b3": "6-4-8", "m": "51 MTR"}
    # Without the MTR in its hands none may stay.
    loose = campaign(hs("b1"), hs("b2"), mortar, house_rules={"C-91": "same-formation"})
    after, _ = run_step(loose, recombining)
    assert types(after) == {"b1": "6-4-8", "m": "51 MTR"}


@pytest.mark.rule("9.6111-a", "9.6111-b")
@pytest.mark.parametrize("rule", ["any-hs", "same-formation"])
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_never_more_hs_than_the_rule_allows(rule: str, data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 7))
    mortars = data.draw(st.integers(0, 3))
    holders = data.draw(st.integers(0, min(count, mortars)))
    units = [hs(f"b{n}", possesses=f"m{n}" if n < holders else "") for n in range(count)]
    weapons = [piece(f"m{n}", BRITISH, "51 MTR", "X26", area="C") for n in range(mortars)]
    state = campaign(*units, *weapons, house_rules={"C-91": rule})

    def answer(prompt: Prompt) -> str:
        return data.draw(st.sampled_from([option.id for option in prompt.legal]))

    after, _ = run_step(state, recombining, answer)
    left = [each for each in after.pieces if each.kind == "half_squad"]
    squads = [each for each in after.pieces if each.kind == "squad"]
    assert len(left) + 2 * len(squads) == count
    if rule == "any-hs":
        assert len(left) <= 1 + mortars
    else:
        assert sum(not each.possesses for each in left) <= 1


def test_a_refused_partner_names_the_rule(tells: Tells) -> None:
    weapon = piece("w", BRITISH, "LMG", "X26", area="C")
    state = campaign(*(hs(f"b{n}", possesses="w" if n == 3 else "") for n in range(4)), weapon)
    _, log = run_step(state, recombining, by_point({}))
    prompt = log.asked[0]
    assert isinstance(prompt, Prompt)
    tells(refusal(prompt, "alone"), "Setup Area C", "3-3-8", "HS", "9.6111")


def test_no_move_hs_recombine_in_their_own_location_only() -> None:
    status = {"status": "no-move"}
    state = campaign(german("g1", **status), german("g2", at="C12", **status), date=CGDate.NIGHT_1)
    after, _ = run_step(state, recombining)
    assert after == state
    state = campaign(german("g1", **status), german("g2", **status), date=CGDate.NIGHT_1)
    after, _ = run_step(state, recombining)
    assert types(after) == {"g1": "4-6-7"}
    assert after.piece("g1").has("no-move")


def test_what_recombines_off_map_is_a_secret() -> None:
    off_map = [piece(id, GERMAN, "2-4-7", "off-map A7", area="A7") for id in ("g1", "g2")]
    after, lines = run_step(campaign(*off_map), recombining_and_battle_hardening)
    assert types(after) == {"g1": "4-6-7"}
    secret = [line for line in lines if line.secret]
    assert [line.side for line in secret] == ["german"]
    # What both see is the same as if nothing were off map.
    _, without = run_step(campaign(), recombining_and_battle_hardening)
    assert [line.text for line in lines if not line.secret] == [line.text for line in without]


@pytest.mark.finding("F-31")
@pytest.mark.parametrize("there", [True, False])
def test_waiting_tells_nothing_of_what_is_off_map(there: bool) -> None:
    """F-31: each side is asked something in 9.611, whether it has anything off map or not."""
    wounded = piece("b1", BRITISH, "8-0", "off-map Z28", area="Z28", status="wounded")
    asked = []
    script = recombining_and_battle_hardening(campaign(*[wounded] * there))
    sent: Any = None
    while True:
        try:
            item = script.send(sent)
        except StopIteration:
            break
        sent = None
        if isinstance(item, Roll):
            sent = item.resolve((2,))
        elif isinstance(item, Prompt):
            sent = item.check(item.default)
        if not isinstance(item, Note):
            asked.append((item.id, item.side, item.secret))
    rolls = [("9.6101", "british", True)] * there
    assert asked == [*rolls, ("pass", "british", True), ("pass", "german", True)]


# -- 9.6112 -----------------------------------------------------------------------------------


def hero(id: str = "h1", area: str = "C", **fields: Any) -> Piece:
    return hs(id, area, "1-4-9", **fields)


@pytest.mark.rule("9.6112-a", "9.608-f")
def test_another_unit_takes_over_the_prisoner_of_a_hero() -> None:
    hero = piece("b1", BRITISH, "1-4-9", "X26", area="C")
    captive = piece("g1", GERMAN, "4-6-7", "X26", status="prisoner", guarded_by="b1")
    others = [piece(id, BRITISH, "6-4-8", "X26", area="C") for id in ("b2", "b3")]
    state = campaign(hero, captive, *others)
    answers = {"9.6112.1": "b2", "9.6112.2": "b3"}
    after, lines = run_step(state, heroes, by_point(answers))
    assert after.piece("g1").guarded_by == "b3"
    assert "6-4-8 b3 takes over 4-6-7 g1" in told(lines)


@pytest.mark.rule("9.6112-a", "9.6112-b")
def test_each_hero_is_eliminated_and_an_mmc_of_his_area_hardens(tells: Tells) -> None:
    state = campaign(
        hero(possesses="w"),
        piece("w", BRITISH, "LMG", "X26", area="C"),
        hs("b1", type="4-5-7"),
        hs("b2", type="2-3-7"),
        hs("b3", "B", type="4-4-7"),
        hs("b4", type="2-2-8"),
        hs("b5", type="8-0", status="heroic"),
    )
    after, lines = run_step(state, heroes, ["b1"])
    (prompt,) = lines.asked
    assert isinstance(prompt, Prompt)
    assert [(option.id, option.consequence) for option in prompt.legal] == [
        ("b1", "becomes 4-5-8"),
        ("b2", "becomes 2-4-7"),
    ]
    tells(refusal(prompt, "b4"), "9.6112")
    assert "not a choice" in refusal(prompt, "b3")
    assert types(after)["b1"] == "4-5-8"
    assert not after.piece("b1").has("fanatic")
    assert after.piece("b5").has("heroic")  # a heroic leader waits for 9.6113
    assert [(each.piece.id, each.how) for each in after.gone] == [("h1", "eliminated")]
    assert "LMG w is unpossessed" in told(lines)


@pytest.mark.rule("9.6112-c")
def test_a_hero_without_an_mmc_stays() -> None:
    state = campaign(
        hero(),
        hs("b1", "B", type="6-4-8"),
        hs("b2", type="2-2-8"),
        hs("b3", type="8-0"),
        hs("b4", status="prisoner", guarded_by="g1"),
        piece("g1", GERMAN, "4-6-7", "X26", area="A"),
    )
    after, lines = run_step(state, heroes)
    assert after == state
    assert "1-4-9 h1 is Retained" in told(lines)


@pytest.mark.rule("9.6112-d")
def test_an_elite_mmc_is_fanatic_for_the_next_scenario_only(tells: Tells) -> None:
    state = campaign(hero(), hs("b1", type="6-4-8"))
    after, lines = run_step(state, heroes)
    assert types(after) == {"b1": "6-4-8"}
    assert after.piece("b1").has("fanatic")
    tells(told(lines), "CG", "scenario")
    later, _ = run_step(change(after, date=CGDate.DAY_1, at="9.602"), marker_removal)
    assert not later.piece("b1").has("fanatic")


@pytest.mark.rule("9.6112-e")
def test_no_mmc_hardens_twice_in_a_reph() -> None:
    state = campaign(hero("h1"), hero("h2"), hero("h3"), hs("b1", type="4-4-7"), hs("b2"))
    after, log = run_step(state, heroes, ["b1"])
    assert len(log.asked) == 1  # for the second Hero b2 alone is left
    assert types(after) == {"h3": "1-4-9", "b1": "4-5-7", "b2": "3-3-8"}
    assert after.piece("b2").has("fanatic")
    # One that hardened in an Escape of this RePh has had its turn too.
    state = campaign(hero("h1"), hs("b1", type="4-4-7", hardened=CGDate.DAWN))
    after, _ = run_step(state, heroes)
    assert types(after) == {"h1": "1-4-9", "b1": "4-4-7"}
    state = campaign(hero("h1"), hs("b1", type="4-4-7", hardened=CGDate.NIGHT_3))
    after, _ = run_step(state, heroes)
    assert types(after) == {"b1": "4-5-7"}


def test_no_hero_no_question(tells: Tells) -> None:
    _, lines = run_step(campaign(hs("b1")), heroes)
    tells(told(lines), "Hero", "Retained")
    _, lines = run_step(campaign(hs("b1")), leaders)
    tells(told(lines), "Retained")


# -- 9.6113 -----------------------------------------------------------------------------------


@pytest.mark.rule("9.6113-a", "9.6113-b")
@pytest.mark.parametrize(
    ("before", "after_"), [("7-0", "8-0"), ("6+1", "7-0"), ("10-2", "10-3"), ("10-3", "10-3")]
)
def test_a_heroic_leader_hardens_and_is_heroic_no_longer(before: str, after_: str) -> None:
    state = campaign(hs("b1", type=before, status="heroic wounded"))
    after, lines = run_step(state, leaders)
    assert types(after) == {"b1": after_}
    assert after.piece("b1").status == ("wounded",)
    assert ("Battle Hardens" in told(lines)) == (before != after_)


@pytest.mark.rule("9.6113-a")
def test_a_captured_heroic_leader_stays_as_he_is() -> None:
    prisoner = hs("b1", type="8-0", status="heroic prisoner", guarded_by="g1")
    state = campaign(prisoner, piece("g1", GERMAN, "4-6-7", "X26", area="A"))
    after, _ = run_step(state, leaders)
    assert after == state


# -- 9.611 ------------------------------------------------------------------------------------


@pytest.mark.rule("9.611-a")
def test_hs_recombine_before_a_hero_hardens_an_mmc_and_leaders_come_last() -> None:
    state = campaign(
        hero(),
        hs("b1", type="2-3-7"),
        hs("b2", type="2-3-7"),
        hs("b3", type="8-0", status="heroic"),
    )
    after, lines = run_step(state, recombining_and_battle_hardening)
    # Had the Hero come first, a 2-4-7 and a 2-3-7 would be left.
    assert types(after) == {"b1": "4-5-7", "b3": "8-1"}
    rules = [line.rule for line in lines]
    assert rules == sorted(rules)


# -- P-51, P-52, P-126 --------------------------------------------------------------------------

BURNING_BELOW: dict[str, Any] = {
    "british": ["Z15", "Z15/1"],
    "terrain": [Terrain(kind=TerrainKind.BLAZE, at="Z15")],
}
"""The first level of Z15 is Isolated, as the way down burns; the area around it is not."""


@pytest.mark.finding("G-04")
@pytest.mark.rule("9.6111-a")
@pytest.mark.parametrize("answer", ["b1", "b2"])
def test_hs_of_two_formations_recombine_and_the_owner_says_what_they_are(answer: str) -> None:
    one = hs("b1", airborne=True, formation="7th", rg="x")
    other = hs("b2", airborne=True, ox_and_bucks=True, formation="ox")
    after, log = run_step(campaign(one, other), recombining, [answer])
    (prompt,) = log.asked
    assert (prompt.id, prompt.side) == ("9.6111.3", "british")
    kept = one if answer == "b1" else other
    unit = after.piece("b1")
    assert (unit.type, unit.formation, unit.ox_and_bucks, unit.rg) == (
        "6-4-8", kept.formation, kept.ox_and_bucks, kept.rg
    )  # fmt: skip


@pytest.mark.finding("G-04")
def test_house_rule_p51_formations_apart() -> None:
    pairs = [
        (hs("b1", airborne=True), hs("b2")),
        (hs("b1", airborne=True), hs("b2", airborne=True, ox_and_bucks=True)),
    ]
    for pair in pairs:
        state = campaign(*pair, house_rules={"P-51": "apart"})
        assert run_step(state, recombining)[0] == state


@pytest.mark.finding("G-05")
@pytest.mark.parametrize("order", [("b1", "b2"), ("b2", "b1")])
@pytest.mark.parametrize(
    ("first", "second", "squad"),
    [
        ("fanatic", "", ()),
        ("fanatic", "fanatic", ("fanatic",)),
        ("freedom-of-movement", "", ()),
        ("freedom-of-movement", "freedom-of-movement fanatic", ("freedom-of-movement",)),
        ("no-move", "", ("no-move",)),
    ],
)
def test_what_one_hs_has_does_not_hang_on_the_order_of_rows(
    order: tuple[str, str], first: str, second: str, squad: tuple[str, ...]
) -> None:
    units = {
        "b1": german(
            "b1", status=first, hardened=CGDate.DAWN, name="Otto", formation="PzPi 1", rg="i2"
        ),
        "b2": german("b2", status=second, formation="PzPi 2"),
    }
    after, _ = run_step(campaign(*(units[id] for id in order)), recombining)
    (unit,) = after.pieces
    assert (unit.formation, unit.rg) == ("PzPi 1", "i2")
    assert (unit.type, unit.status) == ("4-6-7", squad)
    assert (unit.name, unit.hardened) == ("Otto", CGDate.DAWN)


@pytest.mark.finding("G-19")
@pytest.mark.parametrize("order", [1, -1])
def test_house_rule_p52_an_isolated_hs_upstairs(order: int) -> None:
    """The squad is where the Isolated HS was; with "apart" the two stay HS."""
    pair = [hs("b1", "A", at="Z16"), hs("b2", "A", at="Z15/1")][::order]
    state = campaign_at("9.611", *pair, **BURNING_BELOW)
    isolated = {each.id: is_isolated(state, each) for each in pair}
    assert isolated["b1"] != isolated["b2"]
    after, _ = run_step(state, recombining)
    (unit,) = after.pieces
    assert unit.type == "6-4-8"
    assert is_isolated(after, unit)
    apart = campaign_at("9.611", *pair, house_rules={"P-52": "apart"}, **BURNING_BELOW)
    assert run_step(apart, recombining)[0] == apart


@pytest.mark.rule("9.6112-c", "9.6112-e")
def test_a_hero_is_retained_if_every_mmc_has_battle_hardened() -> None:
    state = campaign(hs("b1", type="1-4-9"), hs("b2", type="4-5-7", hardened=CGDate.DAWN))
    after, _ = run_step(state, heroes)
    assert after == state
