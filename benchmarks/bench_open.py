"""Opening a long campaign, a whole RePh of many units, a whole automatic campaign.

Run: ``python benchmarks/bench_open.py``. Bound: ``pbcg status`` of a CG I campaign at Dusk with at
least 1,500 journal entries takes at most 2 times as long as ``pbcg --help``. Reported: the same
file from its bare journal, its size, a RePh of 120 pieces and a whole automatic CG I: seconds, peak
memory (each in a process of its own) and the three slowest functions.
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
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "support"))

from campaign_generator import CampaignAnswers

from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.cli.campaign_file import create_campaign
from asl_pbcg.kernel.answers import drive
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.verification.verify import BareReplay
from asl_pbcg.refit.sequence import CampaignGame

ENTRIES = 1500
UNITS = 120
BOUND = 2.0
SEED = 13
ROUNDS = 15
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


def long_campaign(path: Path) -> Session[Campaign]:
    """A CG I campaign that waits at Dusk with at least 1,500 journal entries.

    Where random play needed fewer, answers are undone and given again: an undo is an entry.
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
    for _ in range(-(-(ENTRIES - len(session.journal.entries())) // 2)):
        entry = session.undo("a benchmark")
        if entry.kind == "roll":
            session.throw(tuple(entry.body))
        else:
            session.answer(entry.body)
    return session


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


def bare(path: Path) -> tuple[int, float]:
    """How many answers and rolls a file holds, and the processor seconds to replay them all."""
    with Journal.open(path, "benchmark") as journal:
        start = time.process_time()
        BareReplay(CampaignGame(), journal)
        return len(journal.standing()), time.process_time() - start


def alone(function: Callable[..., Any], *args: Any) -> tuple[Any, float]:
    """What a function returns in a process of its own, and that process's peak memory in MB."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        found = pool.submit(function, *args).result()
        peak = pool.submit(peak_memory).result()
    return found, peak


def peak_memory() -> float:
    """The peak memory of this process in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def automatic(seed: int) -> tuple[int, float]:
    """The answers and rolls of a whole automatic CG I, and its processor seconds."""
    journal = Journal.in_memory({"settings": {"campaign": "CG1"}, "seed": seed})
    session: Session[Campaign] = Session(CampaignGame(), journal)
    start = time.process_time()
    drive(session, CampaignAnswers(seed, session), SeededDice(seed))
    return len(journal.standing()), time.process_time() - start


def slowest(function: Callable[..., Any], *args: Any) -> None:
    """Print the three functions in which most time is spent."""
    profile = cProfile.Profile()
    profile.runcall(function, *args)
    stats = pstats.Stats(profile)
    most = sorted(stats.stats.items(), key=lambda item: -item[1][2])[:3]  # type: ignore[attr-defined]
    total = stats.total_tt  # type: ignore[attr-defined]
    for (file, line, name), (_, calls, own, _, _) in most:
        print(f"  {own / total:6.1%} {Path(file).name}:{line} {name}, {calls} calls")


def reph(seed: int) -> tuple[int, int, float]:
    """The first RePh of a campaign with at least 120 pieces: pieces, answers, processor seconds."""
    for number in range(seed, seed + 200):
        journal = Journal.in_memory({"settings": {"campaign": "CG2"}, "seed": number})
        session: Session[Campaign] = Session(CampaignGame(), journal)
        answers, dice = CampaignAnswers(number, session), SeededDice(number)
        begun, pieces, asked = 0.0, 0, 0
        while session.pending is not None:
            if session.state.at == "9.601" and not begun and len(session.state.pieces) >= UNITS:
                begun, pieces = time.process_time(), len(session.state.pieces)
                asked = len(session.journal.standing())
            if begun and session.state.at == "scenario":
                spent = time.process_time() - begun
                return pieces, len(session.journal.standing()) - asked, spent
            one = session.pending
            drive(session, answers, dice, until=lambda now=one, s=session: s.pending is not now)  # type: ignore[misc]
        journal.close()
    return 0, 0, 0.0


def main() -> None:
    """Print times, memory and the profile; exit 1 if the bound is broken."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "dusk.pbcg"
        session = long_campaign(path)
        entries = len(session.journal.entries())
        kept = len(list(session.journal.states))
        session.journal.close()
        medians = opening(path)
        size = path.stat().st_size / 1e6
        (answers, seconds), peak = alone(bare, path)
    ratio = medians["pbcg status FILE"] / medians["pbcg --help"]
    for name, median in medians.items():
        print(f"{name:24} {median * 1000:7.1f} ms")
    print(f"ratio {ratio:.2f} (at most {BOUND}); {entries} journal entries")
    print(f"the file: {size:.1f} MB, {kept} states kept")
    spent = f"{seconds:.2f} s of the processor, {peak:.0f} MB"
    print(f"from the bare journal ({answers} stand): {spent}")
    (pieces, answers, seconds), peak = alone(reph, 0)
    spent = f"{seconds:.2f} s of the processor, {peak:.0f} MB"
    print(f"a RePh of {pieces} pieces: {answers} answers and rolls, {spent}")
    (answers, seconds), peak = alone(automatic, SEED)
    spent = f"{seconds:.2f} s of the processor, {peak:.0f} MB"
    print(f"an automatic CG I: {answers} answers and rolls, {spent}")
    slowest(automatic, SEED)
    sys.exit(int(ratio > BOUND))


if __name__ == "__main__":
    main()
