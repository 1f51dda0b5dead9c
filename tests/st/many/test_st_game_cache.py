"""Games to compare with are played once on a machine, and cost nothing but time without a cache."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from asl_pbcg.kernel.journal_cache import keep_newest
from asl_pbcg.st.many import simulated_games
from asl_pbcg.st.many.sim import SimulatedGames, Spec, simulate
from asl_pbcg.st.many.simulated_games import simulate_once

SPEC = Spec(policy="random", seed=5, settings={"mode": "historical"})


@pytest.fixture(scope="module")
def whole() -> SimulatedGames:
    """Six games, played in the usual way."""
    return simulate(SPEC, 6)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the cache, empty."""
    monkeypatch.setenv("PBCG_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "games"


def games_played(games: int, spec: Spec = SPEC) -> tuple[SimulatedGames, list[int]]:
    """The games asked for, and the numbers of those that were played for it."""
    played: list[int] = []
    return simulate_once(spec, games, 1, "", lambda _, numbers: played.extend(numbers)), played


def test_games_are_played_once(cache: Path, whole: SimulatedGames) -> None:
    few, played = games_played(4)
    assert played == [1, 2, 3, 4] and few.rows() == whole.rows()[:4]
    more, played = games_played(6)
    assert played == [5, 6] and more.rows() == whole.rows()
    fewer, played = games_played(3)
    assert not played and fewer.rows() == whole.rows()[:3]
    assert len(list(cache.iterdir())) == 1


def test_other_rules_or_settings_have_other_games(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games_played(1)
    others = (
        Spec(policy="random", seed=6, settings=SPEC.settings),
        Spec(policy="good", seed=5, settings=SPEC.settings),
        Spec(policy="random", seed=5, settings={**SPEC.settings, "gammon_uses": 2}),
    )
    assert [games_played(1, other)[1] for other in others] == [[1]] * 3
    monkeypatch.setattr(simulated_games, "rules_fingerprint", lambda *_: "of another pbcg")
    assert games_played(1)[1] == [1]


def test_what_ctrl_c_left_is_kept(cache: Path) -> None:
    def stop(results: SimulatedGames, _: object) -> None:
        if results.done == 2:
            raise KeyboardInterrupt

    assert simulate_once(SPEC, 4, 1, "", stop).done == 2
    assert games_played(4)[1] == [3, 4]


def test_without_a_cache_all_are_played(
    cache: Path, whole: SimulatedGames, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.parent.write_text("no folder can be made here")
    results, played = games_played(2)
    assert played == [1, 2] and results.rows() == whole.rows()[:2]
    monkeypatch.setenv("PBCG_CACHE", "off")
    assert games_played(2)[1] == [1, 2]


def test_a_full_disk_costs_time_only(
    cache: Path, whole: SimulatedGames, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError("No space left on device")

    games_played(2)
    monkeypatch.setattr(simulated_games.GamesFile, "play_on", full)
    results, played = games_played(3)
    assert played == [3] and results.rows() == whole.rows()[:3]


def test_the_oldest_files_make_room(tmp_path: Path) -> None:
    for number in range(4):
        file = tmp_path / f"{number}.csv"
        file.touch()
        os.utime(file, (number, number))
    keep_newest(tmp_path, ".csv", 5)
    assert len(list(tmp_path.iterdir())) == 4
    keep_newest(tmp_path, ".csv", 4)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["2.csv", "3.csv"]
