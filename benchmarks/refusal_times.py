"""Whether the time that a refusal takes tells what the other side keeps secret.

Run: ``python benchmarks/refusal_times.py [--rounds 20] [--seed 38] [--side german]``. Two campaigns
that differ only in the secrets of one side are asked the same in turns, where the other side may
look. For each refusal the medians of both are taken, and how often a random exchange of the two
times of a round moves them as far apart. Times of two campaigns that tell nothing are as far apart
as chance has it: p below 0.05 for one refusal in twenty. There is no bound: a machine is never
still.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "support"))

from refusal_walk import Probe, RefusalTwins

from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.session import Session

EXCHANGES = 1000
REPEATED = 3
"""How often a request is asked for one time, so that it is long enough to be measured."""


class Compared(NamedTuple):
    """A refusal: where and what was asked, both median times in ms, and the p of their distance."""

    at: str
    asked: str
    first: float
    second: float
    p: float


class TimedTwins(RefusalTwins):
    """Twins whose refusals to the other side are timed at the first moment of each step."""

    def __init__(self, folder: Path, seed: int, side: Side, rounds: int) -> None:
        super().__init__(folder, seed, side)
        self.rounds = rounds
        self.compared: list[Compared] = []
        self.watch(every=1000, many=6, corrections=6)

    def look(self, session: Session[Campaign]) -> bytes:
        """Ask where the other side may look, then time what was refused to it."""
        told = super().look(session)
        if session is self.sessions[1] and self._looks:
            viewer = self.viewers[0]
            probes = self._share(self._looking, viewer)
            answers = zip(probes, self._told[0][viewer], strict=True)
            for probe in [each for each, told in answers if told[0] not in ("done", "told")]:
                pairs = list(self._times(probe, viewer))
                self.compared.append(Compared(session.state.at, probe.name, *distance(pairs)))
        return told

    def _times(self, probe: Probe, viewer: tuple[str, str]) -> Iterator[tuple[float, float]]:
        """Yield the times of both campaigns, in turns; which begins changes at random."""
        source = random.Random(probe.name)
        for number in range(self.rounds + 2):
            took = [0.0, 0.0]
            for which in source.sample((0, 1), 2):
                begun = time.perf_counter()
                self.watched[which].outcomes([probe] * REPEATED, *viewer)
                took[which] = time.perf_counter() - begun
            if number > 1:  # the first rounds fill what is kept
                yield took[0], took[1]


def distance(pairs: list[tuple[float, float]]) -> tuple[float, float, float]:
    """Return both medians in ms, and the p of a permutation test of their distance."""
    first, second = (statistics.median(each) * 1000 / REPEATED for each in zip(*pairs, strict=True))
    differences = [one - two for one, two in pairs]
    apart = abs(statistics.median(differences))
    source = random.Random(0)
    as_far = sum(
        abs(statistics.median([each * source.choice((1, -1)) for each in differences])) >= apart
        for _ in range(EXCHANGES)
    )
    return first, second, (as_far + 1) / (EXCHANGES + 1)


def main() -> None:
    """Play twins, time their refusals, and print how far apart they are."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=38)
    parser.add_argument("--side", type=Side, default=Side.GERMAN)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        twins = TimedTwins(Path(folder) / "twins", options.seed, options.side, options.rounds)
        for date in (0, 1):
            if not twins.reph(date == 1, twins.look) or date == 1:
                break
            twins.battle(date)
        twins.close()
    compared = twins.compared
    for most in (0.05, 0.01):
        few = sum(each.p < most for each in compared)
        print(f"p below {most}: {few} of {len(compared)} ({100 * few / len(compared):.1f}%)")
    apart = [abs(each.first - each.second) for each in compared]
    print(
        f"medians {statistics.median(apart):.3f} ms apart on the average, {max(apart):.3f} at most"
    )
    for each in sorted(compared, key=lambda each: (each.p, -abs(each.first - each.second)))[:10]:
        print(
            f"  {each.at} {each.asked}: {each.first:.3f} and {each.second:.3f} ms, p {each.p:.3f}"
        )


if __name__ == "__main__":
    main()
