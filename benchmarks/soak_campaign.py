"""Hundreds of automatic campaigns with random legal answers, checked after every step.

Run: ``python benchmarks/soak_campaign.py --games 500``. Each campaign must reach CG End; the books
must balance after each step, the bare journal give the same state, an undo to a random answer and
forward again the same state and log, and no prompt of every tenth campaign may take an illegal
answer. Exits with 1 if one fails, and names its seed.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from campaign_soak import at_end, begin, play, undo_and_forward

from asl_pbcg.kernel.session import Session
from asl_pbcg.refit.sequence import PegasusBridge

MOST_BACK = 25  # an undo replays its step; more would take most of the time


def one(seed: int) -> tuple[int, str, str, int]:
    """Play the campaign of ``seed``: seed, how it ended, what was wrong, answers."""
    session = begin(seed)
    try:
        play(session, seed, fuzz=seed % 10 == 0)
        assert at_end(session), f"waits before {session.state.date} {session.state.at}"
        bare = Session(PegasusBridge(), session.journal, bare=True)
        assert bare.state == session.state, "the bare journal gives another state"
        answers = len(session.journal.standing())
        undo_and_forward(session, random.Random(seed).randint(1, min(MOST_BACK, answers)))
    except Exception as error:
        where = f"{session.state.campaign} {session.state.date} {session.state.at}"
        wrong = f"{where}: {type(error).__name__}: {str(error)[:300]}"
        return seed, "", wrong, len(session.journal.standing())
    words = f"{session.state.campaign} {session.state.date.title}: "
    words += session.state.ended.partition(" at ")[0]
    return seed, words, "", len(session.journal.standing())


def main() -> None:
    """Play and report; exit 1 if a campaign failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    start = time.perf_counter()
    ends: Counter[str] = Counter()
    wrong, answers = [], 0
    with ProcessPoolExecutor(given.processes) as pool:
        for seed, end, fault, count in pool.map(
            one, range(given.first, given.first + given.games), chunksize=2
        ):
            answers += count
            if fault:
                wrong.append(seed)
                print(f"seed {seed}: {fault}", flush=True)
            else:
                ends[end] += 1
    seconds = time.perf_counter() - start
    for end, count in sorted(ends.items()):
        print(f"{count:5} {end}")
    print(
        f"{given.games} campaigns, {answers} answers and rolls, {seconds:.0f} s; "
        f"{len(wrong)} failed{': seeds ' + ', '.join(map(str, wrong)) if wrong else ''}"
    )
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
