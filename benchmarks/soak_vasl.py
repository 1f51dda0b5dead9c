"""Damaged VASL saves: a sentence each, no traceback, bounded time and memory.

``python benchmarks/soak_vasl.py [HOW-MANY] [FIRST-SEED]`` damages saves of the tests' writer in
many ways (cut, bits turned, pieces missing, broken text in a whole archive) and reads each. What
takes over a second, over 200 MB, or ends otherwise than in a sentence is told with its seed.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

from vasl_scenes import damaged, random_position  # noqa: E402
from vasl_writer import PASSWORD, write_position  # noqa: E402

from asl_pbcg.campaign.board import load_board  # noqa: E402
from asl_pbcg.campaign.catalogue import load_catalogue  # noqa: E402
from asl_pbcg.kernel.errors import PBCGError  # noqa: E402
from asl_pbcg.vasl.read_scene import read_scene  # noqa: E402

MAX_SECONDS, MAX_KILOBYTES = 1.0, 200_000


def main(many: int, first: int) -> int:
    """Read so many damaged saves; how many went wrong."""
    board, catalogue = load_board(), load_catalogue()
    good = [write_position(random_position(seed)).content() for seed in range(8)]
    good += [write_position(random_position(seed)).content("raw") for seed in range(4)]
    wrong = read = refused = 0
    slowest = 0.0
    said: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "evening.vsav"
        for seed in range(first, first + many):
            path.write_bytes(damaged(seed, good))
            begun = time.process_time()
            try:
                read_scene(path, board, catalogue)
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
            if took > MAX_SECONDS:
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
    sys.exit(1 if main(numbers[0], numbers[1]) else 0)
