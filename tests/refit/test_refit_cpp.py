"""9.616 CPP Replenishment, Loss Points, and where a new RG has room. Rule: 9.616-9.617."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from refit_helpers import BRITISH, GERMAN, piece, refusal, run_step, told
from repair_help import campaign, prompts
from sentences import Tells

from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
from asl_pbcg.campaign.state.campaign_state import Campaign, change
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.refit.s601_results import lose_vp
from asl_pbcg.refit.s616_cpp import cpp_replenishment, cvp_lost
from asl_pbcg.refit.s617_purchase import purchase
from asl_pbcg.refit.setup.stacking import locations_of


def lost(german: int, british: int, *pieces: Piece, **fields: Any) -> Campaign:
    """After a scenario in which the sides lost that many CVP; ``played`` as in ``campaign``."""
    state = campaign(*pieces, **{"played": CGDate.DAWN, **fields})
    prior = state.determined.date if state.determined else CGDate.DAWN
    accounts = tuple(
        msgspec.structs.replace(each, cvp_lost={GERMAN: german, BRITISH: british})
        if each.date is prior
        else msgspec.structs.replace(each, cvp_lost={GERMAN: 99, BRITISH: 0})
        for each in state.accounts
    )
    return change(state, accounts=accounts, at="9.616")


@pytest.mark.rule("9.6161-a", "9.616-a")
@pytest.mark.parametrize(
    ("played", "base"),
    [(CGDate.NIGHT_1, 0), (CGDate.NIGHT_2, 0), (CGDate.NIGHT_3, 25), (CGDate.DAWN, 32),
     (CGDate.DAY_1, 30), (CGDate.DAY_2, 20), (CGDate.DAY_3, 0)],
)  # fmt: skip
def test_cpp_base_number_of_each_cg_date(played: CGDate, base: int) -> None:
    state = lost(0, 0, played=played, cpp=3)
    after, lines = run_step(state, cpp_replenishment)
    assert after.cpp == 3 + base
    assert after.account.cpp_base == base
    assert f"{base or 'None'}." in told(lines)


@pytest.mark.rule("9.616-a", "9.6162-a")
@pytest.mark.parametrize("dr", range(1, 7))
def test_base_and_loss_points_are_added(dr: int) -> None:
    state = lost(16, 8, cpp=3)
    after, log = run_step(state, cpp_replenishment, [], [dr])
    assert after.cpp == 3 + 32 + dr
    assert (after.account.cpp_base, after.account.cpp_loss_points) == (32, dr)
    (roll,) = log.rolls()
    assert not log.prompts()  # he never loses by it: it is not asked
    assert (roll.side, roll.secret) == (GERMAN, True)


@pytest.mark.rule("9.6162-e")
@pytest.mark.parametrize(
    ("german", "british", "enough"),
    [
        (8, 0, True),  # twice nothing, eight more
        (7, 0, False),
        (16, 8, True),  # both exactly
        (15, 7, True),
        (15, 8, False),  # seven more, not twice
        (10, 4, False),  # twice, but six more
        (19, 10, False),  # nine more, but not twice
        (20, 10, True),
        (0, 0, False),
    ],
)
def test_both_conditions_must_hold(german: int, british: int, enough: bool) -> None:
    after, lines = run_step(lost(german, british), cpp_replenishment, [], [4] * enough)
    assert after.account.cpp_loss_points == 4 * enough
    assert f"German {german}, British {british}" in told(lines)


@pytest.mark.rule("9.6162-b")
def test_only_the_prior_scenario_counts() -> None:
    """In every other account the Germans lost 99 CVP and the British none."""
    state = lost(7, 0, played=CGDate.DAY_1)
    assert len(state.accounts) > 2
    assert cvp_lost(state) == {GERMAN: 7, BRITISH: 0}
    run_step(state, cpp_replenishment)


@pytest.mark.rule("9.6162-c")
def test_walking_wounded_received_are_still_cvp_lost() -> None:
    """Two squads came back: the four CVP they cost are not given back, nor counted twice."""

    def received(state: Campaign, date: CGDate) -> Campaign:
        accounts = (
            msgspec.structs.replace(each, walking_wounded_cvp=4 * (each.date is date))
            for each in state.accounts
        )
        return change(state, accounts=tuple(accounts))

    assert cvp_lost(received(lost(11, 4), CGDate.DAWN)) == {GERMAN: 11, BRITISH: 4}
    run_step(received(lost(11, 4), CGDate.DAWN), cpp_replenishment)  # seven more: no Loss Points
    # without them in the count of the scenario they are in it all the same
    assert cvp_lost(received(lost(11, 0), CGDate.DAWN)) == {GERMAN: 11, BRITISH: 4}
    assert cvp_lost(received(lost(11, 0), CGDate.NIGHT_3)) == {GERMAN: 11, BRITISH: 0}


@pytest.mark.rule("9.6162-d")
@pytest.mark.parametrize("played", [CGDate.NIGHT_1, CGDate.NIGHT_2, CGDate.NIGHT_3])
def test_no_loss_points_before_day_i(played: CGDate) -> None:
    after, _ = run_step(lost(40, 0, played=played), cpp_replenishment)
    assert after.account.cpp_loss_points == 0


@pytest.mark.rule("9.6161-b")
def test_cvp_are_recorded_from_the_dawn_scenario_on(tells: Tells) -> None:
    """The RePh before Dawn says so; what is lost in Dawn decides the Loss Points of Day I."""
    _, lines = run_step(lost(0, 0, played=CGDate.NIGHT_3), cpp_replenishment)
    tells(told(lines), "CG", "Casualty", "VP")
    assert PEGASUS_BRIDGE.frame.loss_points.record_from == CGDate.DAWN
    state = campaign(played=CGDate.DAWN)
    state = change(state, date=CGDate.DAWN)
    state, _ = run_step(state, lambda each: lose_vp(each, GERMAN, 9))
    after, _ = run_step(change(state, date=CGDate.DAY_1), cpp_replenishment, [], [2])
    assert after.cpp == 34


@pytest.mark.rule("9.6162-a")
def test_house_rule_loss_points_at_dusk() -> None:
    state = lost(20, 0, played=CGDate.DAY_3, cpp=1)
    after, _ = run_step(state, cpp_replenishment, [], [5])
    assert after.cpp == 6
    none = lost(20, 0, played=CGDate.DAY_3, cpp=1, house_rules={"C-27": "none-at-dusk"})
    after, lines = run_step(none, cpp_replenishment)
    assert after.cpp == 1
    assert "C-27" in told(lines)


@pytest.mark.rule("9.6162-a")
def test_in_cg_ii_the_first_loss_points_come_after_its_initial_scenario() -> None:
    after, _ = run_step(lost(20, 0, campaign="CG2", cpp=2), cpp_replenishment, [], [1])
    assert after.cpp == 2 + 32 + 1


# -- 9.617, A5.1 ------------------------------------------------------------------------------


@pytest.mark.rule("9.6178-d", "9.4-CG6-f")
def test_an_rg_is_bought_for_a_setup_area_only_with_room_for_it_at_full_strength(
    tells: Tells,
) -> None:
    """Area B has room for twelve squads more: for an I5, but not once an I4 is bought for it."""
    empty = campaign()
    room = len(locations_of(empty, empty.areas[GERMAN, "B"]))
    there = [piece(f"g{n}", GERMAN, "4-4-7", "JJ12", area="B") for n in range(3 * room - 12)]
    answers = ["I4", "B", "I5", "A7", "V3", "B", "done"]
    after, log = run_step(campaign(*there, cpp=60), purchase, answers, [])
    platoon, company, tanks = [each for each in log.prompts() if each.id == "9.617.2"]
    assert not platoon.option("B").refused
    assert not tanks.option("B").refused
    tells(refusal(company, "B"), "room", "Full Strength", "squad-equivalents")
    assert company.option("B").rule == "A5.1"
    assert [each.area for each in after.groups] == ["B", "A7", "B"]
    first = change(campaign(*there, cpp=60), at="9.617")
    (alone, *_) = [
        each for each in prompts(_asked(first, ["I5", "B", "done"])) if each.id == "9.617.2"
    ]
    assert not alone.option("B").refused


def _asked(state: Campaign, answers: list[str]) -> list[Prompt | Roll]:
    _, log = run_step(state, purchase, answers, [])
    return log.asked
