"""What measures the program keeps up with it: every benchmark loads and names what it takes."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest
from area_positions import random_position
from msgspec import convert

from asl_pbcg.campaign.board.board import load_board
from asl_pbcg.campaign.position import Position

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"
ALONE = ("catanatron",)
"""What only the extra ``[bench]`` installs."""
LOAD = """
import runpy, sys
sys.path.insert(0, {folder!r})
for name in {names!r}:
    try:
        runpy.run_path(name, run_name="looked_at")
    except ModuleNotFoundError as error:
        assert error.name and error.name.split(".")[0] in {alone!r}, error
"""


def test_every_benchmark_loads() -> None:
    names = sorted(map(str, BENCHMARKS.glob("*.py")))
    code = LOAD.format(folder=str(BENCHMARKS), names=names, alone=ALONE)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["mutants.py", "soak_campaign.py"])
def test_what_runs_long_says_how(name: str) -> None:
    done = subprocess.run(
        [sys.executable, BENCHMARKS / name, "--help"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "usage:" in done.stdout


@pytest.mark.finding("J-95")
def test_setup_areas_agree_with_the_peer_of_the_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    bench = importlib.import_module("bench_areas")
    board = load_board()
    graph = bench.nx_areas.GraphBoard(board)
    bench.agree(board, graph, [bench.sixty(board, seed) for seed in range(6)])
    # 11 and 212: a Location above the enemy that reaches own ground (9.6057)
    seeds = (*range(12), 212)
    bench.agree(board, graph, [convert(random_position(seed), Position) for seed in seeds])
