"""Simulating many games: numbers, intervals, the same results however they are shared out."""

from __future__ import annotations

import math
from typing import Any

import distributed
import pytest
from sentences import Tells

from asl_pbcg.kernel.errors import FaultsError, PBCGError
from asl_pbcg.st.board.map_load import load_map
from asl_pbcg.st.many.sim import (
    MAX_GAMES,
    SimulatedGames,
    Spec,
    columns,
    play_chunk,
    play_game,
    simulate,
)
from asl_pbcg.st.many.sim_plot import plot
from asl_pbcg.st.many.sim_report import report, share, spread
from asl_pbcg.st.player import workers
from asl_pbcg.st.rules.scoring import level, victory_chart

HARD: dict[str, Any] = {"mode": "variable", "difficulty": "hard"}
GAMES = 6


@pytest.fixture(scope="module")
def alone() -> SimulatedGames:
    """Some games on one core."""
    return simulate(Spec(policy="random", seed=5, settings=HARD), GAMES)


def rows(results: SimulatedGames) -> list[dict[str, Any]]:
    return list(results.rows())


def test_two_jobs_give_the_results_of_one(alone: SimulatedGames) -> None:
    heard: list[int] = []
    both = simulate(alone.spec, GAMES, jobs=2, tell=lambda so_far, _: heard.append(so_far.done))
    assert rows(both) == rows(alone)
    assert heard == sorted(heard) and heard[-1] == GAMES


def test_a_dask_cluster_gives_the_results_of_one_core(alone: SimulatedGames) -> None:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        far = simulate(alone.spec, GAMES, dask=cluster.scheduler_address)
    assert rows(far) == rows(alone)


def test_a_cluster_that_is_not_there_is_told(tells: Tells) -> None:
    spec = Spec(policy="random")
    for address in ("tcp://127.0.0.1:9", "nonsense://x"):
        with pytest.raises(PBCGError) as refused:
            simulate(spec, 2, dask=address)
        tells(refused, "Dask")


def test_without_dask_it_says_what_to_install(
    tells: Tells, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(workers, "import_module", missing)
    with pytest.raises(PBCGError) as refused:
        simulate(Spec(policy="random"), 2, dask="tcp://127.0.0.1:8786")
    tells(refused, "asl-pbcg")


def test_a_cluster_without_workers_is_told(tells: Tells) -> None:
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=None) as cluster,
        pytest.raises(PBCGError) as refused,
    ):
        simulate(Spec(policy="random"), 2, dask=cluster.scheduler_address)
    tells(refused, "workers")


def test_each_game_has_its_own_dice_and_its_number_is_all_it_takes(alone: SimulatedGames) -> None:
    assert play_chunk(alone.spec, [4]) == [play_game(alone.spec, 4)]
    again = dict(zip(columns(), play_game(alone.spec, 4), strict=True))
    fourth = rows(alone)[3]
    assert fourth["game"] == 4 and fourth["vp"] == again["vp"]
    assert len({row["vp"] for row in rows(alone)}) > 1
    other = simulate(Spec(policy="random", seed=6, settings=HARD), GAMES)
    assert rows(other) != rows(alone)


def test_the_rows_add_up(alone: SimulatedGames) -> None:
    chart = victory_chart()
    for row in alone.rows():
        assert row["vp"] == sum(row[item] * line.value for item, line in chart.points.items())
        assert row["level"] == level(row["vp"], "hard")
        assert row["chit"] in "DEFGH" and row["german_force"] in "123"
        assert row["decisions"] > 50


def test_a_map_of_ones_own_is_played_on(alone: SimulatedGames) -> None:
    spec = Spec.of("random", 5, HARD, load_map())
    assert rows(simulate(spec, 2)) == rows(alone)[:2]


def test_wrong_settings_and_numbers_are_refused(tells: Tells) -> None:
    with pytest.raises(FaultsError, match="gammon_uses"):
        Spec.of("random", 0, {"gammon_uses": 7}, None)
    for games in (0, MAX_GAMES + 1):
        with pytest.raises(PBCGError) as refused:
            SimulatedGames(Spec(policy="random"), games)
        tells(refused, "possible")


def test_ctrl_c_keeps_what_is_done(alone: SimulatedGames) -> None:
    def stop(so_far: SimulatedGames, _: Any) -> None:
        if so_far.done == 3:
            raise KeyboardInterrupt

    part = simulate(alone.spec, GAMES, tell=stop)
    assert part.done == 3 and rows(part) == rows(alone)[:3]
    assert report(part).done == 3 and report(part).asked == GAMES


def test_games_kept_in_any_order_come_out_in_order(alone: SimulatedGames) -> None:
    found = SimulatedGames(alone.spec, GAMES)
    wide = len(columns())
    for number in (5, 2, 5, 6):
        found.keep(number, [number] * wide)
    assert found.done == 3 and found.numbers() == [2, 5, 6]
    assert found.column("vp") == [2, 5, 6]


def test_a_game_that_goes_wrong_is_named(tells: Tells) -> None:
    with pytest.raises(RuntimeError) as refused:
        play_chunk(Spec(policy="random", seed=3, settings={"mode": "nonsense"}), [7])
    tells(refused, "game 7", "seed 3")


def test_the_wilson_interval() -> None:
    # Worked out by hand: 8 of 10 gives 0.490 to 0.943; nothing of 20 gives 0 to 0.161.
    found = share(8, 10)
    assert (round(found.low, 3), round(found.high, 3)) == (0.490, 0.943)
    none = share(0, 20)
    assert none.low == 0 and round(none.high, 3) == 0.161
    assert share(20, 20).high == 1 and share(20, 20).low == pytest.approx(1 - none.high)


def test_the_spread() -> None:
    found = spread([1, 2, 3, 4, 10])
    assert (found.mean, found.median, found.least, found.most) == (4, 3, 1, 10)
    assert (found.quarter, found.three_quarters) == (2, 4)
    assert found.deviation == pytest.approx(math.sqrt(50 / 4))
    assert found.high - found.mean == pytest.approx(1.959964 * math.sqrt(12.5 / 5))
    one = spread([7])
    assert one.mean == one.low == one.high == one.quarter == 7


def test_the_report_counts_every_game_once(alone: SimulatedGames) -> None:
    found = report(alone)
    assert sum(each.count for each in found.levels.values()) == found.done == GAMES
    assert sum(line.vp for line in found.lines.values()) == pytest.approx(found.vp.mean)
    assert found.vp.low < found.vp.mean < found.vp.high


def test_the_plot_can_be_drawn_of_one_game_and_of_many(alone: SimulatedGames) -> None:
    single = plot(simulate(alone.spec, 1)).to_svg()
    assert "1 games" not in single and "1 game" in single
    svg = plot(alone).to_svg()
    assert f"{GAMES} games, variable, hard, British player: random, seed 5" in svg
    for name in victory_chart().names.values():
        assert name in svg


def test_the_lines_add_up_where_the_car_earns_vp() -> None:
    """Whatever the chart is set to hold, its lines come to the mean. Rule: ST-VIC-09, AMB-65."""
    spec = Spec.of("random", 1, {"mode": "historical", "mercedes_vp": 2}, None)
    results = SimulatedGames(spec, 2)
    points = victory_chart().points
    counts = [int(item == "tank") for item in points]
    rest = [0] * (len(columns()) - 2 - len(points))
    results.keep(1, [points["tank"].value + 2, 0, *counts, *rest])
    results.keep(2, [points["tank"].value, 0, *counts, *rest])
    found = report(results)
    assert sum(line.vp for line in found.lines.values()) == pytest.approx(found.vp.mean)
    assert found.lines["mercedes"].mean == pytest.approx(0.5)
