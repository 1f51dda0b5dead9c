"""Seconds and peak memory of what the demo prints: the map sheet and the records.

Run: ``python benchmarks/bench_print.py``. Each print runs in a process of its own.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

PRINTS = {
    "map sheet, PDF": ["areas", "{position}", "-o", "map.pdf"],
    "map sheet, SVG": ["areas", "{position}", "-o", "map.svg"],
    "map sheet, PNG": ["areas", "{position}", "-o", "map.png"],
    "CG Roster, PDF": ["records", "c.pbcg", "--as", "umpire", "--sheet", "roster", "-o", "r.pdf"],
    "CG Roster, Excel": [
        "records", "c.pbcg", "--as", "umpire", "--sheet", "roster", "-o", "r.xlsx",
    ],
    "RG Purchase Record, PDF": [
        "records", "c.pbcg", "--as", "umpire", "--sheet", "purchases", "-o", "p.pdf",
    ],
    "RG Purchase Record, Excel": [
        "records", "c.pbcg", "--as", "umpire", "--sheet", "purchases", "-o", "p.xlsx",
    ],
    "the whole demo": ["demo", "pbcg-demo"],
}  # fmt: skip


def main() -> None:
    """Print one line a sheet."""
    from asl_pbcg.kernel.data import data_path

    position = str(data_path("pb/samples/night-1-end.yaml"))
    with tempfile.TemporaryDirectory() as folder:
        _run(["new", "c.pbcg", "--campaign", "CG1", "--auto", "--seed", "1"], folder)
        for name, words in PRINTS.items():
            start = time.perf_counter()
            megabytes = _run([word.format(position=position) for word in words], folder)
            print(f"{name:28} {time.perf_counter() - start:6.2f} s   {megabytes:6.0f} MB")


def _run(words: list[str], folder: str) -> float:
    """Run pbcg; its peak memory in MB."""
    script = (
        "import resource, sys; from asl_pbcg.cli.main import app; app(standalone_mode=False); "
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )
    result = subprocess.run(
        [sys.executable, "-c", script, *words],
        cwd=Path(folder), capture_output=True, text=True, check=True,
    )  # fmt: skip
    unit = 1024 if sys.platform != "darwin" else 1024**2
    return int(result.stderr.strip().splitlines()[-1]) / unit


if __name__ == "__main__":
    main()
