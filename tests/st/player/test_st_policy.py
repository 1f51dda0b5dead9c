"""The automatic British player: what it sees, where it goes, what it fires at."""

from __future__ import annotations

from itertools import pairwise, product

import pytest
from st_help import british, garrison, german, plays, situation
from st_recorded import recorded

from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.st.player.policy import GoodPlayer
from asl_pbcg.st.player.policy_caution import beside_column, marching, threats
from asl_pbcg.st.player.policy_plan import open_goals
from asl_pbcg.st.procedures.crashes import share_losses
from asl_pbcg.st.rules.p3_british_movement import british_movement
from asl_pbcg.st.rules.p5_british_fire import british_fire
from asl_pbcg.st.state.area_tables import GERMAN_ENTRY, table
from asl_pbcg.st.state.game_state import State
from asl_pbcg.st.state.phase_situation import Situation


def column(turn: int = 9) -> Situation:
    """A tank and infantry march at the crossroads, one step from the canal bridge's cafe."""
    sit = situation(turn)
    for area, tank, infantry in (("XR", "tank-1", "infantry-01"), ("LP4", "tank-2", "infantry-02")):
        german(sit, area, tank, infantry, force=True, order=1)
    return sit


def all_taken(sit: Situation) -> None:
    """The British hold everything that the chart pays for."""
    sit.cleared.update(sit.geo.bunkers)
    held = [sit.geo.pegasus, sit.geo.ranville_bridge, sit.geo.pillbox, *sit.geo.bunkers]
    for area in held:
        sit.control[area] = "british"
        sit.control[sit.rules.bunker_in[area]] = "british"


def areas(state: State) -> dict[str, str]:
    return {u.id: u.area for u in state.units if u.side == "british" and u.status == "map"}


@pytest.mark.parametrize(
    ("ids", "loses"),
    [(("howard", "hq-1", "fox-a"), "fox-a"), (("howard", "neilson"), "neilson")],
)
def test_the_strongest_loses_and_leaders_last(ids: tuple[str, ...], loses: str) -> None:
    sit = situation()
    british(sit, "XR", *ids)
    asked = next(share_losses(sit, "h2h_losses", "ST-H2H-17", ids, 1))
    assert isinstance(asked, Prompt)
    assert GoodPlayer().answer(asked) == loses


@pytest.mark.rule("ST-TNK-05")
def test_a_column_that_marches_is_let_through() -> None:
    sit = column()
    all_taken(sit)
    british(sit, "PB", "wood-platoon", "wood")
    british(sit, "EF", "howard", "sapper-1")
    assert threats(sit)[0]["PB"] > 0 and "PB" not in beside_column(sit)
    after, _ = plays(sit, GoodPlayer(), british_movement, 2)
    danger = threats(sit)[0]
    assert {id: area for id, area in areas(after).items() if danger.get(area)} == {}
    assert not after.triggered


def test_a_column_is_not_fired_on_before_the_last_turn() -> None:
    for turn, fires in ((9, False), (16, True)):
        sit = column(turn)
        british(sit, "CAF", "wood-platoon")
        sit.change_weapon("piat-1", status="map", area="CAF", carrier="wood-platoon")
        _, answered = plays(sit, GoodPlayer(), british_fire, 4)
        told = [answer for point, answer in answered if point == "fire"]
        assert any(answer.startswith("piat-1") for answer in told) == fires, turn


def test_a_column_that_has_turned_on_the_british_is_fought() -> None:
    sit = column()
    sit.triggered = True
    all_taken(sit)
    british(sit, "CAF", "wood-platoon")
    assert not marching(sit, sit.units["tank-1"])
    _, answered = plays(sit, GoodPlayer(), british_fire, 4)
    assert any(point == "fire" and "infantry-0" in answer for point, answer in answered)


@pytest.mark.rule("ST-VIC-02")
def test_a_lost_bridge_is_taken_again_when_the_column_has_gone_by() -> None:
    sit = situation(14)
    german(sit, "RR3", "tank-1", "infantry-01", force=True, order=1)
    all_taken(sit)
    sit.control["PB"] = "german"
    british(sit, "EF", "wood-platoon")
    after, _ = plays(sit, GoodPlayer(), british_movement, 2)
    assert after.control["PB"] == "british"


def test_a_leader_stays_behind_where_his_platoon_stands_beside_the_column() -> None:
    sit = column()
    all_taken(sit)
    british(sit, "CAF", "wood-platoon", suppressed=True)
    british(sit, "EF", "wood")
    after, _ = plays(sit, GoodPlayer(), british_movement, 2)
    assert areas(after)["wood-platoon"] == "CAF"
    assert not threats(sit)[0].get(areas(after)["wood"])


def test_what_lies_face_down_is_reckoned_alike() -> None:
    found = []
    for dummy in (False, True):
        sit = situation(2)
        british(sit, "N10", "wood-platoon", "wood")
        garrison(sit, "B3", face_down=True, dummy=dummy)
        feared = [threats(sit)[0].get(area) for area in sit.geo.names]
        found.append((feared, plays(sit, GoodPlayer(), british_movement, 2)[1][:3]))
    assert found[0] == found[1]


def test_the_good_player_is_the_same_for_the_same_game() -> None:
    first, second = (plays(column(), GoodPlayer(), british_movement, 2) for _ in range(2))
    assert first == second


@pytest.mark.rule("ST-GRN-07")
def test_either_entry_is_feared_from_the_turn_on_which_the_column_comes() -> None:
    feared = {}
    for turn in (5, 6):
        sit = situation(turn)
        sit.german_turn = 6
        column = threats(sit)[1]
        feared[turn] = {area for area in sit.geo.names if column.get(area)}
    names = {GERMAN_ENTRY.facts(row).entry for row in table("german_entry").rows}
    assert len(names) == 2
    assert feared[5] == set()
    assert {sit.geo.entry(name) for name in names} <= feared[6]


@pytest.mark.rule("ST-GEN-04")
def test_a_leader_does_not_count_where_germans_may_be_too_strong() -> None:
    found = []
    for strength, theirs in product(range(1, 9), range(1, 9)):
        judged = []
        for leaders in ((), ("howard", "wood", "fox")):
            sit = situation(5)
            british(sit, "XR", "wood-platoon", lost=8 - strength)
            british(sit, "XR", *leaders)
            german(sit, "XR", "infantry-01", sp=theirs)
            british(sit, "LP4", "fox-a")
            judged.append(GoodPlayer()._too_strong(sit, sit.units["fox-a"], "XR"))
        assert judged[0] == judged[1], (strength, theirs)
        found.append(judged[0])
    assert set(found) == {True, False}


@pytest.mark.parametrize(("cleared", "holder"), [(True, "german"), (False, "british")])
def test_a_bunker_is_a_goal_until_it_is_cleared_and_held(cleared: bool, holder: str) -> None:
    sit = situation()
    all_taken(sit)
    assert not [goal for goal in open_goals(sit) if goal.inside]
    area = next(iter(sit.geo.bunkers))
    sit.control[sit.rules.bunker_in[area]] = holder  # type: ignore[assignment]
    if not cleared:
        sit.cleared.discard(area)
    assert [goal.area for goal in open_goals(sit) if goal.inside] == [area]


@pytest.mark.finding("G-75")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_nobody_enters_a_bunker_to_leave_it_again(seed: int) -> None:
    """What is done inside is done before: a bunker is cleared, or somebody stays in it."""
    entries = recorded(GoodPlayer(seed), 16, dice=seed).entries
    actions = [str(body) for _, point, body in entries if point in ("act", "action")]
    assert "clear-bunker" in actions
    assert not [
        (one, other)
        for one, other in pairwise(actions)
        if one == "enter-bunker" and other == "leave-bunker"
    ]
