"""What measures the program keeps up with it: every benchmark loads and names what it takes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

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
