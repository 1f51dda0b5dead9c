"""How long and how much memory the save of the next scenario takes.

``python benchmarks/bench_vasl.py [PIECES]`` makes a base of so many pieces (600), each about as
long as VASL's are, and lets the next scenario have them all: some stay, most wait beside the
board, a third were broken. It prints seconds of processor time (best of three) and the most
memory of the process.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

from vasl_scenes import BOARD  # noqa: E402
from vasl_writer import Chip, Layer, Writer, chip_of, completed  # noqa: E402

from asl_pbcg.campaign.module.catalogue import load_catalogue  # noqa: E402
from asl_pbcg.campaign.terms import Side  # noqa: E402
from asl_pbcg.vasl.counter_choice import Reuse  # noqa: E402
from asl_pbcg.vasl.editor import SaveEditor  # noqa: E402
from asl_pbcg.vasl.likeness import Likeness  # noqa: E402
from asl_pbcg.vasl.names import Sort  # noqa: E402
from asl_pbcg.vasl.next_save import SaveMaker, owners_in, set_scenario  # noqa: E402
from asl_pbcg.vasl.next_scenario import NextReport, NextScenario, Pile, Want  # noqa: E402
from asl_pbcg.vasl.save_board import find_board  # noqa: E402
from asl_pbcg.vasl.scene import Section  # noqa: E402
from asl_pbcg.vasl.stock import Stock, lying_counters  # noqa: E402

TYPES: dict[Side, dict[str, tuple[Sort, Section]]] = {
    Side.BRITISH: {"6-4-8": ("unit", "units"), "4-5-8": ("unit", "units"),
                   "8-0": ("unit", "units"), "LMG": ("equipment", "equipment")},
    Side.GERMAN: {"4-6-7": ("unit", "units"), "4-4-7": ("unit", "units"),
                  "8-0": ("unit", "units"), "MMG": ("equipment", "equipment")},
}  # fmt: skip
HEXES = [name for name in BOARD.in_play if name in BOARD.enterable]
_MORE_LAYERS = 24  # so that a counter has about 4,000 letters


def long_chip(chip: Chip, broken: bool) -> Chip:
    """Return a counter with as many layers as VASL's."""
    more = [Layer(["", f"no use {n} +"], -1, key=f"{40 + n},195") for n in range(_MORE_LAYERS)]
    layers = (*chip.layers, *([Layer(["broken +"])] if broken else []), *more)
    return completed(replace(chip, layers=layers))


def base_and_scenario(many: int) -> tuple[bytes, NextScenario, int]:
    """Return a base of so many pieces, the scenario that has them, and the letters of one."""
    writer = Writer(always_stacks=True)
    wants: dict[tuple[Side, bool], list[Want]] = {}
    stays: list[Pile] = []
    for number in range(many):
        side = list(Side)[number % 2]
        type, (sort, section) = list(TYPES[side].items())[number // 2 % 4]
        hex = HEXES[number * 7 % len(HEXES)]
        broken = number % 3 == 0 and section == "units"
        writer.stack([long_chip(chip_of(type, side), broken)], hex)
        want = Want(like=Likeness(sort, type, side), section=section, former=hex)
        if number % 10 == 0:
            stays.append(Pile(at=hex, wants=(want,)))
        else:
            wants.setdefault((side, number % 4 < 2), []).append(want)
    edge = [
        Pile(title=f"{side.title}, Setup Area {'AB'[area]}", wants=tuple(each),
             row=list(Side).index(side), hexes=(("Z15", "C5")[area],))
        for (side, area), each in wants.items()
    ]  # fmt: skip
    text = writer.text()
    scenario = NextScenario(piles=(*stays, *edge), moves_first=Side.GERMAN)
    return writer.content(), scenario, len(text) // many


def make_next(path: Path, scenario: NextScenario) -> bytes:
    """Read the base, plan, and return the file."""
    catalogue = load_catalogue()
    editor = SaveEditor.open(path)
    placed = find_board(editor.boards)
    lying = lying_counters(editor, placed, BOARD, catalogue)
    stock = Stock(catalogue)
    stock.add_lying(editor, lying)
    report, owners = NextReport(), owners_in(editor, lying)
    SaveMaker(
        editor, scenario, lying, stock, owners, placed, BOARD, Reuse.ALL, report
    ).make()  # fmt: skip
    set_scenario(editor, scenario, report)
    assert not [each for each in report.done if each.what in ("missing", "removed")]
    return editor.content()


def main(many: int) -> None:
    """Measure and print."""
    content, scenario, letters = base_and_scenario(many)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "base.vsav"
        path.write_bytes(content)
        took = []
        for _ in range(3):
            begun = time.process_time()
            made = make_next(path, scenario)
            took.append(time.process_time() - begun)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1000
    print(f"{many} pieces of {letters} letters: {min(took):.2f} s, {len(made) // 1000} kB")
    print(f"most memory {memory} MB, of which {before} MB before the first")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 600)
