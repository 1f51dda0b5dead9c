"""9.612 New CG Date and SAN Adjustment, and building II13. Rule: 9.6121, 9.6122, CG13."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refit_helpers import BRITISH, GERMAN, campaign_at, refusal, run_step, told
from sentences import Tells, says

from asl_pbcg.campaign.module.campaign_tables import table
from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
from asl_pbcg.campaign.position import Terrain
from asl_pbcg.campaign.position_words import TerrainKind
from asl_pbcg.campaign.scenario.snipers import ii13_controller, san_in_force
from asl_pbcg.campaign.state.campaign_state import Campaign, change
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.refit.s612_new_date import new_cg_date, new_date_and_san
from asl_pbcg.refit.s950_initial import begin, orders_of_battle

GERMANS_HOLD = {"german": ["II13"]}
BRITISH_HOLD = {"british": ["II13"]}


def campaign(b: int = 2, g: int = 2, date: CGDate = CGDate.DAWN, **fields: Any) -> Campaign:
    """Before 9.612 of the RePh after the scenario of ``date``, with British SAN and German SAN."""
    state = campaign_at("9.612", date=date, **{**fields, "determined": False})
    return change(state, san={BRITISH: b, GERMAN: g})


# -- 9.6121 -----------------------------------------------------------------------------------


@pytest.mark.rule("9.6121-a")
@pytest.mark.parametrize("date", [date for date in CGDate if date.next])
def test_the_step_moves_the_cg_date_on_and_begins_its_account(date: CGDate) -> None:
    state = campaign(date=date)
    after, lines = run_step(state, new_date_and_san)
    assert after.date is date.next
    assert [account.date for account in after.accounts] == list(CGDate)[: date.number + 2]
    assert after.accounts[:-1] == state.accounts
    assert after.account.san == after.san
    assert says(told(lines), after.date.title, "9.6121")


def test_dusk_is_the_last_cg_date() -> None:
    state = campaign(date=CGDate.DUSK, **GERMANS_HOLD)
    after, _ = run_step(state, new_date_and_san)
    assert after == state


@pytest.mark.rule("9.612-a")
def test_the_new_date_comes_before_the_san() -> None:
    # In the RePh after Night III the date is Dawn already: II13 lifts the German SAN.
    state = campaign(g=4, date=CGDate.NIGHT_3, **GERMANS_HOLD)
    assert san_in_force(state, GERMAN) == 4
    after, lines = run_step(state, new_date_and_san)
    assert san_in_force(after, GERMAN) == 6
    rules = [line.rule for line in lines]
    assert rules.index("9.6121") < rules.index("9.61222")


@pytest.mark.rule("9.6121-a")
def test_what_is_new_on_the_date_is_told(tells: Tells) -> None:
    _, lines = run_step(campaign_at("9.612", date=CGDate.NIGHT_3), new_cg_date)
    text = told(lines)
    tells(text, "British", "Germans", "9.62023")
    tells(text, "RG", "9.617")
    assert "CPP Base Number: 25. 9.6161" in text
    tells(text, "II13", "German", "SAN", "CG13")
    tells(text, "British", "Entry", "Areas", "Z28", "CG5")
    _, lines = run_step(campaign_at("9.612", date=CGDate.DAY_1), new_cg_date)
    text = told(lines)
    tells(text, "British", "Entry", "Areas", "Z28", "TT14")
    assert "RG may" not in text
    assert "II13" not in text


# -- 9.6122 -----------------------------------------------------------------------------------


def rolls(state: Campaign, dice: list[int]) -> tuple[list[tuple[str, int]], Campaign]:
    """Which adjustment dr were made and with which drm; the state after them."""
    after, log = run_step(state, new_date_and_san, dice=dice)
    found = []
    for each in log.asked:
        assert isinstance(each, Roll)
        assert each.table
        found.append((each.id, sum(drm.value for drm in each.table.modifiers(each.given))))
    return found, after


@pytest.mark.rule("9.6122-a")
@pytest.mark.parametrize("san", [0, 1, 2, 3])
def test_a_san_below_two_is_raised_to_two_for_free(san: int) -> None:
    made, after = rolls(campaign(san, san), [])
    assert made == []
    assert after.san == {BRITISH: max(2, san), GERMAN: max(2, san)}
    assert after.fpp == {}


@pytest.mark.finding("G-19")
@pytest.mark.parametrize(
    ("reading", "base", "retaken"), [("without-ii13", 4, 6), ("in-force", 2, 4)]
)
def test_house_rule_p55_which_san_is_raised(reading: str, base: int, retaken: int) -> None:
    """The Germans have 2, the British II13: 0 in force, raised to 2; then the Germans take it."""
    state = campaign(g=2, house_rules={"P-55": reading}, **BRITISH_HOLD)
    _, after = rolls(state, [])
    assert (after.san[GERMAN], san_in_force(after, GERMAN)) == (base, 2)
    taken = change(after, control=campaign(**GERMANS_HOLD).control)
    assert san_in_force(taken, GERMAN) == retaken


@pytest.mark.rule("9.61221-a", "9.61221-b")
@pytest.mark.parametrize("san", range(2, 8))
@pytest.mark.parametrize("dr", range(1, 7))
def test_the_british_dr(san: int, dr: int) -> None:
    made, after = rolls(campaign(san), [dr] if san >= 4 else [])
    assert made == ([("9.61221", san - 4)] if san >= 4 else [])
    lowered = san >= 4 and dr + san - 4 >= 5
    assert after.san[BRITISH] == san - 2 * lowered
    assert after.account.san[BRITISH] == san - 2 * lowered


@pytest.mark.rule("9.61222-b")
@pytest.mark.parametrize("san", range(2, 8))
@pytest.mark.parametrize("dr", range(1, 7))
def test_the_german_dr_if_nobody_controls_ii13(san: int, dr: int) -> None:
    made, after = rolls(campaign(g=san), [dr] if san >= 4 else [])
    assert made == ([("9.61222", san - 4)] if san >= 4 else [])
    assert after.san[GERMAN] == san - 2 * (san >= 4 and dr + san - 4 >= 5)


@pytest.mark.rule("9.61222-a")
@pytest.mark.parametrize("date", [date for date in CGDate if date.next])
def test_while_the_germans_control_ii13_their_san_is_not_adjusted(date: CGDate) -> None:
    made, after = rolls(campaign(g=7, date=date, **GERMANS_HOLD), [])
    assert made == []
    assert after.san[GERMAN] == 7


@pytest.mark.rule("9.4-CG13-a", "9.61222-a")
def test_the_lift_is_kept_apart_from_the_san() -> None:
    _, after = rolls(campaign(g=3, **GERMANS_HOLD), [])
    assert after.san[GERMAN] == 3
    assert after.account.san[GERMAN] == san_in_force(after, GERMAN) == 5
    # On the next CG Date nobody Controls it: the dr is made by the SAN of then.
    lost = change(after, control=type(after.control)(), at="9.612")
    made, after = rolls(lost, [])
    assert made == []
    assert after.account.san[GERMAN] == 3


@pytest.mark.rule("9.4-CG13-b", "9.61222-b")
def test_the_dr_uses_the_san_in_force_under_the_british() -> None:
    # 6 less 2 is 4: a dr without drm; a Final 5 takes two from what it is without II13.
    made, after = rolls(campaign(g=6, **BRITISH_HOLD), [5])
    assert made == [("9.61222", 0)]
    assert after.san[GERMAN] == 4
    assert after.account.san[GERMAN] == 2
    made, _ = rolls(campaign(g=5, **BRITISH_HOLD), [])
    assert made == []


@pytest.mark.rule("9.6122-a", "9.4-CG13-b")
@pytest.mark.parametrize(("rule", "base", "retaken"), [("floor-0", 4, 6), ("floor-2", 2, 4)])
def test_the_floor_under_the_british_by_house_rule_c25(rule: str, base: int, retaken: int) -> None:
    state = campaign(g=2, house_rules={"C-25": rule}, **BRITISH_HOLD)
    after, lines = run_step(state, new_date_and_san)
    assert says(told(lines), "German", "SAN 0", 2) == (rule == "floor-0")
    assert after.account.san[GERMAN] == 2
    assert after.san[GERMAN] == base
    taken = change(after, control=type(after.control)(german=("II13",)))
    assert san_in_force(taken, GERMAN) == retaken


@settings(max_examples=150, deadline=None)
@given(
    st.integers(0, 7),
    st.integers(0, 7),
    st.sampled_from(["", "british", "german"]),
    st.sampled_from([date for date in CGDate if date.next]),
    st.sampled_from(["while-controlled", "once"]),
    st.sampled_from(["floor-0", "floor-2"]),
    st.integers(1, 6),
)
def test_after_the_step_every_san_is_from_two_to_seven(
    british: int, german: int, holder: str, date: CGDate, c24: str, c25: str, dr: int
) -> None:
    held = {holder: ["II13"]} if holder else {}
    rules = {"C-24": c24, "C-25": c25}
    state = campaign(british, german, date, house_rules=rules, **held)
    script = new_date_and_san(state)
    sent: Any = None
    try:
        while True:
            item = script.send(sent)
            sent = item.resolve((dr,)) if isinstance(item, Roll) else None
    except StopIteration as finished:
        after = finished.value
    assert all(2 <= san_in_force(after, side) <= 7 for side in Side)
    assert after.account.san == {side: san_in_force(after, side) for side in Side}


# -- Building II13 ------------------------------------------------------------------------------

SHARED = {"british": ["II13/1"], "german": ["II13"]}


@pytest.mark.rule("9.61222-a", "9.61222-b", "9.4-CG13-a", "9.4-CG13-b")
@pytest.mark.parametrize(
    ("answer", "dice", "in_force"), [("british", [], 2), ("german", [], 6), ("nobody", [1], 4)]
)
def test_both_sides_are_asked_only_if_both_are_in_the_building(
    answer: str, dice: list[int], in_force: int
) -> None:
    state = campaign(g=4, **SHARED)
    after, log = run_step(state, new_date_and_san, [answer], dice)
    prompt = log.asked[0]
    assert isinstance(prompt, Prompt)
    assert (prompt.id, prompt.side, prompt.secret) == ("9.61222.0", "", False)
    assert "British II13/1; German II13" in prompt.help
    assert "not a choice" in refusal(prompt, "both")
    assert after.account.san[GERMAN] == in_force
    assert (ii13_controller(after) or "nobody") == answer
    for held in (GERMANS_HOLD, BRITISH_HOLD, {}):
        log.asked.clear()
        run_step(campaign(g=3, **held), new_date_and_san, asked=log.asked)
        assert log.asked == []


def test_at_night_a_disputed_building_matters_from_san_4_on() -> None:
    state = campaign(g=3, date=CGDate.NIGHT_1, **SHARED)
    _, log = run_step(state, new_date_and_san)
    assert log.asked == []
    state = campaign(g=4, date=CGDate.NIGHT_1, **SHARED)
    _, log = run_step(state, new_date_and_san, ["german"])
    assert [each.id for each in log.asked] == ["9.61222.0"]


def test_an_old_answer_is_forgotten() -> None:
    state = change(campaign(g=3), ii13="german")
    after, _ = run_step(state, new_date_and_san)
    assert (after.ii13, san_in_force(after, GERMAN)) == ("", 3)


def test_a_building_in_rubble_is_nobodys(tells: Tells) -> None:
    rubble = Terrain(kind=TerrainKind.RUBBLE_STONE, at="II13")
    state = campaign(g=3, terrain=[rubble], **GERMANS_HOLD)
    after, lines = run_step(state, new_date_and_san)
    assert san_in_force(after, GERMAN) == 3
    tells(told(lines), "Controls", "II13")


@pytest.mark.rule("9.4-CG13-a", "9.4-CG13-b")
def test_by_house_rule_c24_the_change_is_made_once_when_control_changes() -> None:
    rules = {"house_rules": {"C-24": "once"}}

    def go_on(state: Campaign, holder: str, dice: list[int]) -> Campaign:
        control = type(state.control)(**({holder: ("II13",)} if holder else {}))
        after, _ = run_step(change(state, control=control, at="9.612"), new_date_and_san, (), dice)
        return after

    state = go_on(campaign(g=2, date=CGDate.NIGHT_2, **rules), "german", [])
    assert state.san[GERMAN] == 2  # Night III: it does not count yet
    state = go_on(state, "german", [])
    assert state.san[GERMAN] == 4
    state = go_on(state, "german", [])
    assert state.san[GERMAN] == 4
    state = go_on(state, "british", [])
    assert state.san[GERMAN] == 2
    state = go_on(state, "british", [])
    assert state.san[GERMAN] == 2
    state = go_on(change(state, san={GERMAN: 6, BRITISH: 2}), "german", [])
    assert (state.date, state.san[GERMAN]) == (CGDate.DUSK, 7)
    assert san_in_force(state, GERMAN) == 7


@pytest.mark.rule("9.4-CG13-a")
@pytest.mark.parametrize(
    ("rules", "base", "in_force"),
    [
        ({}, 4, 6),
        ({"C-75": "from-second"}, 4, 4),
        ({"C-24": "once"}, 6, 6),
        ({"C-24": "once", "C-75": "from-second"}, 4, 4),
    ],
)
def test_at_the_start_of_cg2_the_germans_control_ii13(
    rules: dict[str, str], base: int, in_force: int
) -> None:
    state = begin({"campaign": "CG2", "house_rules": rules})
    after, lines = run_step(state, orders_of_battle)
    assert after.san == {BRITISH: 3, GERMAN: base}
    assert san_in_force(after, GERMAN) == after.account.san[GERMAN] == in_force
    assert "II13" in told(lines)
    # The second CG Date counts in any case; the lift of "at-start" is not made again.
    held = change(after, control=type(after.control)(german=("II13",)), at="9.612")
    later, _ = run_step(held, new_date_and_san)
    assert san_in_force(later, GERMAN) == 6


def test_cg1_begins_at_night_without_ii13() -> None:
    after, lines = run_step(begin({"campaign": "CG1"}), orders_of_battle)
    assert after.account.san == {BRITISH: 2, GERMAN: 2}
    assert (after.ii13, "II13" in told(lines)) == ("", False)


def test_the_numbers_come_from_the_data() -> None:
    chart = PEGASUS_BRIDGE.frame.san
    assert (chart.least, chart.adjusted_from) == (2, 4)
    odds = table("san_adjustment.british").odds({"san": 6})
    assert str(odds["lowered"]) == "2/3"
