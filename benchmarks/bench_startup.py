"""Start-up times as ratios to ``import typer, rich``, all measured in one run.

Run: ``python benchmarks/bench_startup.py``. Bounds: ``pbcg --help`` at most 1.6 times,
``pbcg areas POSITION --json`` at most 2.5 times.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time

from asl_pbcg.kernel.data import data_path

ROUNDS = 25
POSITION = str(data_path("pb/samples/night-1-end.yaml"))
COMMANDS = {
    "python -c 'import typer, rich'": [sys.executable, "-c", "import typer, rich"],
    "pbcg --help": [sys.executable, "-m", "asl_pbcg", "--help"],
    "pbcg areas POSITION --json": [sys.executable, "-m", "asl_pbcg", "areas", POSITION, "--json"],
}
# As for a player: compiled files are kept.
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
BOUNDS = {"pbcg --help": 1.6, "pbcg areas POSITION --json": 2.5}


def measure() -> dict[str, float]:
    """Median seconds of each command, the commands taking turns."""
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for number in range(ROUNDS + 2):
        for name, command in COMMANDS.items():
            start = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=ENVIRONMENT)
            if number > 1:  # the first rounds write the compiled files
                times[name].append(time.perf_counter() - start)
    return {name: statistics.median(found) for name, found in times.items()}


def main() -> None:
    """Print times and ratios; exit 1 if a bound is broken."""
    medians = measure()
    base = next(iter(medians.values()))
    broken = False
    for name, seconds in medians.items():
        ratio = seconds / base
        bound = BOUNDS.get(name)
        broken |= bound is not None and ratio > bound
        words = f"   (at most {bound})" if bound else ""
        print(f"{name:32} {seconds * 1000:7.1f} ms   {ratio:5.2f} x{words}")
    sys.exit(int(broken))


if __name__ == "__main__":
    main()
