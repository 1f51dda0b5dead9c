"""Damaged VASL saves: a sentence each, no traceback, bounded time and memory.

``python benchmarks/soak_vasl.py [HOW-MANY] [FIRST-SEED]`` damages saves of the tests' writer in
many ways (cut, bits turned, pieces missing, broken text in a whole archive) and reads each. With
``next`` behind both numbers each is the base of the next scenario's save instead, for the umpire
and for either side in turn: a sentence or a whole file that is read again. What takes over a
second (three with ``next``), over 200 MB, or ends otherwise than so is told with its seed.

With ``foreign`` saves, logs, palettes and modules that look real, but for nations, names, layers,
traits and labels, go through the commands and the page (``tests/support/vasl_attack.py``): exit
code 0 or 2, status 200 or 422, no password.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

import golden_campaign  # noqa: E402
import msgspec  # noqa: E402
from vasl_attack import VaslAttack  # noqa: E402
from vasl_scenes import (  # noqa: E402
    ask_for_the_end_position,
    before_night_two,
    damaged,
    random_position,
)
from vasl_writer import PASSWORD, Writer, plain, write_position  # noqa: E402

from asl_pbcg.campaign.board.board import load_board  # noqa: E402
from asl_pbcg.campaign.module.catalogue import load_catalogue  # noqa: E402
from asl_pbcg.campaign.position import Position  # noqa: E402
from asl_pbcg.campaign.terms import Side  # noqa: E402
from asl_pbcg.kernel.errors import PBCGError  # noqa: E402
from asl_pbcg.kernel.textfiles import read_yaml_or_json  # noqa: E402
from asl_pbcg.play.campaign_game.vasl_save_next import save_of_state  # noqa: E402
from asl_pbcg.vasl.archive import read_text  # noqa: E402
from asl_pbcg.vasl.read_scene import read_scene  # noqa: E402
from asl_pbcg.vasl.save_counters import read_counters  # noqa: E402

MAX_SECONDS, MAX_KILOBYTES = 1.0, 200_000


Try = Callable[[Path, int], object]


def reading() -> tuple[list[bytes], Try]:
    """Return good saves, and what is done with a damaged one: it is read."""
    board, catalogue = load_board(), load_catalogue()
    good = [write_position(random_position(seed)).content() for seed in range(8)]
    good += [write_position(random_position(seed)).content("raw") for seed in range(4)]
    return good, lambda path, seed: read_scene(path, board, catalogue)


def making() -> tuple[list[bytes], Try]:
    """Return good saves, and what is done with a damaged one: the next is made of it."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        state = golden_campaign.play("cg1", place, until="night-1", records=False).states["night-1"]
        data = read_yaml_or_json(place / "night-1.position.yaml")
    position = plain(msgspec.convert(data, Position))
    good = [
        write_position(position, Writer(complete=True)).content(form) for form in ("hex", "raw")
    ]

    def make(path: Path, seed: int) -> None:
        side = [None, *Side][seed % 3]
        content, report = save_of_state(state, {}, path, side)
        made = path.with_name("next.vsav")
        made.write_bytes(content)
        read_counters(read_text(made))  # there may be no counter left
        assert PASSWORD not in str(report)

    return good, make


def foreign(many: int, first: int) -> int:
    """Try so many mutations at the terminal and in the page; return how many went wrong."""
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        place = before_night_two(Path(folder))
        ask_for_the_end_position(place)
        with VaslAttack(place) as attack:
            for seed in range(first, first + many):
                for sentence in attack.attack(seed):
                    wrong += 1
                    print(sentence)
                if (seed - first + 1) % 500 == 0:
                    print(f"{seed - first + 1} mutations, {wrong} wrong", flush=True)
        ends = ", ".join(f"{end}: {count}" for end, count in sorted(attack.ends.items()))
    print(f"{many} mutations, {wrong} wrong; {ends}")
    return wrong


def main(many: int, first: int, next_saves: bool) -> int:
    """Try so many damaged saves; return how many went wrong."""
    good, attempt = making() if next_saves else reading()
    most = MAX_SECONDS * (3 if next_saves else 1)
    wrong = read = refused = 0
    slowest = 0.0
    said: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "evening.vsav"
        for seed in range(first, first + many):
            path.write_bytes(damaged(seed, good))
            begun = time.process_time()
            try:
                attempt(path, seed)
                read += 1
            except PBCGError as error:
                refused += 1
                sentence = str(error)
                said[sentence[:60]] = said.get(sentence[:60], 0) + 1
                if "\n" in sentence or PASSWORD in sentence:
                    wrong += 1
                    print(f"seed {seed}: {sentence!r}")
            except Exception as error:
                wrong += 1
                print(f"seed {seed}: {type(error).__name__}: {error}")
            took = time.process_time() - begun
            slowest = max(slowest, took)
            if took > most:
                wrong += 1
                print(f"seed {seed}: {took:.1f} s")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"{many} damaged saves: {read} read, {refused} refused with a sentence, {wrong} wrong")
    print(f"slowest {slowest * 1000:.0f} ms, most memory {memory // 1000} MB")
    for sentence, count in sorted(said.items(), key=lambda pair: -pair[1]):
        print(f"  {count:6}  {sentence}")
    return wrong + (memory > MAX_KILOBYTES)


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:3]] + [20_000, 0][len(sys.argv) - 1 :]
    if "foreign" in sys.argv[3:]:
        sys.exit(1 if foreign(numbers[0], numbers[1]) else 0)
    sys.exit(1 if main(numbers[0], numbers[1], "next" in sys.argv[3:]) else 0)
