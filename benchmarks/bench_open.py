"""Opening a long campaign, a whole RePh of many units, a whole automatic campaign.

Run: ``python benchmarks/bench_open.py``. Bound: ``pbcg status`` of a CG I campaign at Dusk with at
least 1,500 journal entries takes at most 2 times as long as ``pbcg --help``; the rest is reported,
with the three slowest functions.
"""

from __future__ import annotations

import cProfile
import os
import pstats
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from campaign_generator import CampaignAnswers

from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.cli.campaign_file import create_campaign
from asl_pbcg.kernel.answers import drive
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.kernel.session import Session
from asl_pbcg.refit.sequence import PegasusBridge

ENTRIES = 1500
UNITS = 120
BOUND = 2.0
ROUNDS = 15
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


def long_campaign(path: Path) -> Session[Campaign]:
    """A CG I campaign that waits at Dusk with at least 1,500 journal entries.

    Where random play needed fewer, answers are taken back and given again: an undo is an entry.
    """
    for seed in range(1, 400, 2):
        path.unlink(missing_ok=True)
        meta = {"settings": {"campaign": "CG1"}, "seed": seed, "dice": "seeded"}
        session = create_campaign(path, meta)
        answers, dice = CampaignAnswers(seed, session), SeededDice(seed)
        drive(session, answers, dice, until=lambda now=session: at_dusk(now))  # type: ignore[misc]
        if at_dusk(session):
            break
        session.journal.close()
    while len(session.journal.standing()) + undone(session) < ENTRIES:
        entry = session.undo("a benchmark")
        if entry.kind == "roll":
            session.throw(tuple(entry.body))
        else:
            session.answer(entry.body)
    return session


def undone(session: Session[Campaign]) -> int:
    """How many entries of the journal do not stand any more, and their undos."""
    last = session.journal.standing()[-1].seq
    return last - len(session.journal.standing())


def at_dusk(session: Session[Campaign]) -> bool:
    """Whether the Dusk CG scenario is played now."""
    asked = session.pending
    waits = isinstance(asked, Prompt) and asked.id in ("0.1", "0.2")
    return session.state.date is CGDate.DUSK and session.state.at == "scenario" and waits


def opening(path: Path) -> dict[str, float]:
    """Median seconds of the commands, taking turns."""
    commands = {
        "pbcg --help": [sys.executable, "-m", "asl_pbcg", "--help"],
        "pbcg status FILE": [sys.executable, "-m", "asl_pbcg", "status", str(path)],
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(ROUNDS + 2):
        for name, command in commands.items():
            start = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=ENVIRONMENT)
            if number > 1:  # the first rounds write the compiled files
                times[name].append(time.perf_counter() - start)
    return {name: statistics.median(found) for name, found in times.items()}


def automatic(seed: int) -> tuple[Session[Campaign], float]:
    """A whole automatic CG I and its seconds."""
    journal = Journal.in_memory({"settings": {"campaign": "CG1"}, "seed": seed})
    session: Session[Campaign] = Session(PegasusBridge(), journal)
    start = time.perf_counter()
    drive(session, CampaignAnswers(seed, session), SeededDice(seed))
    return session, time.perf_counter() - start


def reph(seed: int) -> tuple[int, int, float]:
    """The first RePh of a campaign with at least 120 pieces: pieces, answers, seconds."""
    for number in range(seed, seed + 200):
        journal = Journal.in_memory({"settings": {"campaign": "CG2"}, "seed": number})
        session: Session[Campaign] = Session(PegasusBridge(), journal)
        answers, dice = CampaignAnswers(number, session), SeededDice(number)
        begun, pieces, asked = 0.0, 0, 0
        while session.pending is not None:
            if session.state.at == "9.601" and not begun and len(session.state.pieces) >= UNITS:
                begun, pieces = time.perf_counter(), len(session.state.pieces)
                asked = len(session.journal.standing())
            if begun and session.state.at == "scenario":
                spent = time.perf_counter() - begun
                return pieces, len(session.journal.standing()) - asked, spent
            one = session.pending
            drive(session, answers, dice, until=lambda now=one, s=session: s.pending is not now)  # type: ignore[misc]
    return 0, 0, 0.0


def main() -> None:
    """Print times, memory and the profile; exit 1 if the bound is broken."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "dusk.pbcg"
        session = long_campaign(path)
        entries = session.journal.standing()[-1].seq
        start = time.perf_counter()
        Session(PegasusBridge(), session.journal, bare=True)
        bare = time.perf_counter() - start
        session.journal.close()
        medians = opening(path)
    ratio = medians["pbcg status FILE"] / medians["pbcg --help"]
    for name, seconds in medians.items():
        print(f"{name:24} {seconds * 1000:7.1f} ms")
    print(f"ratio {ratio:.2f} (at most {BOUND}); {entries} journal entries")
    print(f"from the bare journal: {bare:.2f} s")
    pieces, answers, seconds = reph(0)
    print(f"a RePh of {pieces} pieces: {answers} answers and rolls, {seconds:.2f} s")
    whole, seconds = automatic(13)
    print(f"an automatic CG I: {len(whole.journal.standing())} answers and rolls, {seconds:.2f} s")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory up to here: {peak:.0f} MB")
    profile = cProfile.Profile()
    profile.runcall(automatic, 13)
    stats = pstats.Stats(profile)
    slowest = sorted(stats.stats.items(), key=lambda item: -item[1][2])[:3]  # type: ignore[attr-defined]
    total = stats.total_tt  # type: ignore[attr-defined]
    for (file, line, name), (_, calls, own, _, _) in slowest:
        print(f"{own / total:6.1%} {Path(file).name}:{line} {name}, {calls} calls")
    sys.exit(int(ratio > BOUND))


if __name__ == "__main__":
    main()
