"""Victory points and levels, each line of the chart from a second typed copy."""

from __future__ import annotations

import pytest
from st_help import british, garrison, german, give, rules, run, situation

from asl_pbcg.st.rules.scoring import counts, final_score, level, score_now, scores, victory_chart
from asl_pbcg.st.state.game_state import Pow
from asl_pbcg.st.state.phase_situation import Situation

CHART = {
    "pegasus_bridge_intact": 15, "pegasus_bridge_damaged": 5, "pegasus_bridge_destroyed": 0,
    "ranville_bridge": 8, "pillbox": 5, "bunker": 2, "mg": 3, "at_gun": 5, "tank": 5, "pow": 1,
    "schmidt": 1, "leader_killed": -1, "platoon_killed": -5,
}  # fmt: skip


def vp(sit: Situation) -> dict[str, int]:
    return {score.item: score.vp for score in scores(sit) if score.vp}


def final() -> Situation:
    sit = situation(16, "bridge")
    sit.take_off("schmidt", "left")
    return sit


@pytest.mark.rule(
    "ST-VIC-03", "ST-VIC-04", "ST-VIC-05", "ST-VIC-06", "ST-VIC-07", "ST-VIC-08", "ST-VIC-09",
    "ST-VIC-10", "ST-VIC-11", "ST-VIC-12", "ST-VIC-13",
)  # fmt: skip
def test_the_chart_as_printed() -> None:
    assert {name: line.value for name, line in victory_chart().points.items()} == CHART


@pytest.mark.rule("ST-VIC-02", "ST-VIC-03")
@pytest.mark.parametrize(("state", "points"), [("intact", 15), ("damaged", 5), ("destroyed", 0)])
def test_pegasus_bridge(state: str, points: int) -> None:
    sit = final()
    sit.bridge = state  # type: ignore[assignment]
    assert vp(sit) == {}
    british(sit, "PB", "sapper-1")
    sit.take_off("sapper-1", "pool")
    assert vp(sit) == ({f"pegasus_bridge_{state}": points} if points else {})
    german(sit, "PB", "infantry-01")
    assert vp(sit) == {}
    british(sit, "PB", "wood-platoon")
    assert vp(sit) == {}  # both are there: the Germans held it alone last


@pytest.mark.rule("ST-VIC-02", "ST-VIC-04", "ST-VIC-05")
def test_passing_through_is_enough_for_control() -> None:
    sit = final()
    british(sit, "RB", "wood")
    sit.put("wood", "RD2")
    british(sit, "PX", "fox-platoon")
    assert vp(sit) == {"ranville_bridge": 8, "pillbox": 5, "mg": 3}
    german(sit, "RB", "mercedes")
    assert "ranville_bridge" not in vp(sit)


@pytest.mark.rule("ST-VIC-06", "ST-BUN-07")
def test_bunkers_count_cleared_and_held_from_inside() -> None:
    sit = final()
    british(sit, "B1", "wood-platoon", inside=True)
    assert vp(sit) == {}
    sit.cleared.add("B1")
    assert vp(sit) == {"bunker": 2}
    sit.put("wood-platoon", "B2")
    german(sit, "B1", "infantry-01")
    assert vp(sit) == {"bunker": 2}  # Germans outside do not hold the bunker
    sit.cleared.update(sit.geo.bunkers)
    for area in sit.geo.bunkers:
        sit.control[f"{area}*"] = "british"
    assert vp(sit)["bunker"] == 18


@pytest.mark.rule("ST-VIC-07", "ST-VIC-08")
def test_guns_count_held_or_destroyed() -> None:
    sit = final()
    british(sit, "B3", "wood-platoon", inside=True)
    assert vp(sit) == {"mg": 3}
    sit.change_weapon("mg-3", status="destroyed")
    british(sit, "B4", "fox-platoon", inside=True)
    assert vp(sit) == {"mg": 6, "at_gun": 5}
    sit.take_off("fox-platoon", "pool")
    garrison(sit, "B4")
    assert vp(sit) == {"mg": 6}
    sit.change_weapon("at-gun", status="destroyed")
    assert vp(sit) == {"mg": 6, "at_gun": 5}
    give(sit, "mg-4", "wood-platoon")
    assert vp(sit)["mg"] == 9


@pytest.mark.rule("ST-VIC-09", "ST-VIC-10", "ST-POW-02", "ST-POW-08")
def test_tanks_and_pows() -> None:
    sit = final()
    sit.book(tanks=2)
    british(sit, "N1", "wood-platoon")
    sit.pows = sit.pows.having(Pow(id="pow-b1", name="POW", escort="wood-platoon"))
    sit.pows = sit.pows.having(Pow(id="pow-schmidt", name="Schmidt", escort="wood-platoon"))
    sit.schmidt_captured = True
    assert vp(sit) == {"tank": 10, "pow": 1, "schmidt": 1}


@pytest.mark.rule("ST-VIC-11")
def test_schmidt_killed() -> None:
    from asl_pbcg.st.procedures.losses import kill_leader

    sit = situation(16)
    german(sit, "PX", "schmidt")
    kill_leader(sit, "schmidt")
    assert vp(sit) == {"schmidt": 1}


@pytest.mark.rule("ST-VIC-12", "ST-VIC-13")
def test_british_losses() -> None:
    from asl_pbcg.st.procedures.losses import kill_leader, kill_unit

    sit = final()
    british(sit, "N1", "wood", "wood-platoon", "fox-a", "fox-b", "smith-a", "coffin", "coffin-1")
    kill_leader(sit, "wood")
    run(kill_unit(sit, "wood-platoon"))
    run(kill_unit(sit, "fox-a"))
    run(kill_unit(sit, "smith-a"))
    assert vp(sit) == {"leader_killed": -1, "platoon_killed": -5}
    run(kill_unit(sit, "fox-b"))
    assert vp(sit) == {"leader_killed": -1, "platoon_killed": -10}
    kill_leader(sit, "coffin")
    run(kill_unit(sit, "coffin-1"))
    assert vp(sit) == {"leader_killed": -2, "platoon_killed": -15}
    sit.settings = rules(coffin_counts=False).settings
    assert vp(sit) == {"leader_killed": -1, "platoon_killed": -10}


# The last VP of each level, as printed.
LEVELS = {"easy": (56, 59, 65), "medium": (46, 58, 65), "hard": (41, 53, 65)}
NAMES = ("german", "marginal", "substantial", "overwhelming")


@pytest.mark.rule("ST-VIC-14")
@pytest.mark.parametrize("difficulty", LEVELS)
def test_levels(difficulty: str) -> None:
    for points in range(-40, 100):
        reached = sum(points > last for last in LEVELS[difficulty])
        assert level(points, difficulty) == NAMES[reached], points


@pytest.mark.rule("ST-VIC-01", "ST-GEN-01")
def test_the_game_is_scored_after_turn_sixteen() -> None:
    from asl_pbcg.st.rules.area_game_steps import AreaGame

    sit = final()
    british(sit, "RB", "wood-platoon")
    game = AreaGame()
    last = sit.close()
    step = game.next_step(last)
    assert step and step.id == "16.9"
    after = run(step.script(last)).result
    step = game.next_step(after)
    assert step and step.id == "score"
    played = run(final_score(sit.rules, after))
    assert played.result.result.vp == 8
    assert played.result.result.level == "german"
    assert played.notes[-1] == "8 VP: German victory."
    assert game.next_step(played.result) is None
    assert score_now(sit.rules, after).vp == 8
    assert counts(sit)["ranville_bridge"] == 1
