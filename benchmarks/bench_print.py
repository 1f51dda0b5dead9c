"""Seconds and peak memory of what the demo prints: the map sheet and the records.

Run: ``python benchmarks/bench_print.py``. Each print runs in a process of its own. Seconds are of
the processor, start-up and imports included, as the machine may have other things to do; the area
game's map is also drawn several times in one process, as a running game does: its ground is kept.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

PRINTS = {
    "board sheet, PDF": ["board", "draw", "-o", "board.pdf"],
    "board sheet, PNG": ["board", "draw", "-o", "board.png"],
    "area game, PDF": ["st", "map", "draw", "-o", "st.pdf"],
    "area game, SVG": ["st", "map", "draw", "-o", "st.svg"],
    "area game, PNG": ["st", "map", "draw", "-o", "st.png"],
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
            seconds, megabytes = _run([word.format(position=position) for word in words], folder)
            print(f"{name:28} {seconds:6.2f} s   {megabytes:6.0f} MB")
    _again()


def _again() -> None:
    """Draw the area game's map over and over, as a game that is being played does."""
    from asl_pbcg.records.layout import Paper
    from asl_pbcg.st.board.map_load import load_map
    from asl_pbcg.st.picture.map_draw import draw_map

    area_map = load_map()
    for turn in (1, 2, 3):
        start = time.process_time()
        drawing = draw_map(area_map, paper=Paper.A4, turn=turn)
        drawn = time.process_time()
        drawing.to_svg()
        written = time.process_time()
        drawing.to_png()
        painted = time.process_time()
        print(
            f"area game, turn {turn:<12} {drawn - start:6.2f} s drawn, "
            f"{written - start:.2f} s as SVG, {painted - written + drawn - start:.2f} s as PNG"
        )


def _run(words: list[str], folder: str) -> tuple[float, float]:
    """Run pbcg; its seconds of processor and its peak memory in MB."""
    script = (
        "import resource, sys; from asl_pbcg.cli.main import app; app(standalone_mode=False); "
        "used = resource.getrusage(resource.RUSAGE_SELF); "
        "print(used.ru_utime + used.ru_stime, used.ru_maxrss, file=sys.stderr)"
    )
    result = subprocess.run(
        [sys.executable, "-c", script, *words],
        cwd=Path(folder), capture_output=True, text=True, check=True,
    )  # fmt: skip
    unit = 1024 if sys.platform != "darwin" else 1024**2
    seconds, memory = result.stderr.strip().splitlines()[-1].split()
    return float(seconds), int(memory) / unit


if __name__ == "__main__":
    main()
