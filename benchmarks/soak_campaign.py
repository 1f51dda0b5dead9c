"""Hundreds of automatic campaigns with random legal answers, checked after every step.

Run: ``python benchmarks/soak_campaign.py --games 500``; with ``--write`` the result is put into
docs/engineers/soak.md, with ``--keep FILE`` what is played is kept there, and a run broken off goes
on, with ``--cover`` only seeds are looked for that together ask everything. Exits with 1 if a
campaign failed, and names its seed.
"""

from __future__ import annotations

import argparse
import pickle
import random
import subprocess
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "support"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from campaign_points import BEYOND, PROMPTS, ROLLS, Seen
from campaign_soak import (
    asked_steps,
    at_end,
    begin,
    kind_of,
    one_of_each_kind,
    play,
    replay_bare,
    replay_part,
    undo_and_forward,
    undo_step_by_step,
    undo_to_step_and_forward,
)
from event_check import explain

ROOT = Path(__file__).resolve().parent.parent
DOC = ROOT / "docs" / "engineers" / "soak.md"
BEGIN, END = "<!-- result -->\n", "<!-- end of result -->\n"
FUZZ_EVERY, PART_EVERY, STAIRS_EVERY, MAX_BACK = 10, 10, 5, 5


@dataclass
class Played:
    """One campaign: what was seen, what was wrong, how much was asked."""

    seed: int
    seen: Seen = field(default_factory=Seen)
    wrong: str = ""
    steps: int = 0
    answers: int = 0
    fuzzed: int = 0
    differences: int = 0
    seconds: float = 0.0
    commit: str = ""


def one(seed: int, check: bool = True) -> Played:
    """Play the campaign of ``seed`` to CG End, replay it and undo it."""
    start = time.process_time()
    session, played, source = begin(seed), Played(seed), random.Random(f"undo/{seed}")
    tried: Counter[str] = Counter()

    def fuzz(id: str) -> bool:
        tried[id] += 1
        played.fuzzed += tried[id] <= 2
        return tried[id] <= 2

    try:
        fuzzed = check and seed % FUZZ_EVERY == 0
        play(session, seed, check=check, fuzz=fuzz if fuzzed else None, seen=played.seen)
        assert at_end(session), f"waits before {session.state.date} {session.state.at}"
        if check:
            replay_bare(session)
            explained = explain(session)
            played.differences = explained.differences
            assert not explained.open, f"no event explains {explained.open[:3]}"
            answers = len(session.journal.standing())
            undo_and_forward(session, source.randint(1, min(MAX_BACK, answers)))
            if seed % PART_EVERY == 0:
                replay_part(session, source.randrange(answers))
            if seed % STAIRS_EVERY == 1:
                steps = one_of_each_kind(session, source)
                undo_step_by_step(session, steps)
            else:
                steps = [source.choice(asked_steps(session))]
                undo_to_step_and_forward(session, steps[0])
            played.seen.steps_undone.update(kind_of(step) for step in steps)
    except Exception as error:  # whatever it is, the seed must be told
        where = f"{session.state.campaign} {session.state.date} {session.state.at}"
        frames = traceback.extract_tb(error.__traceback__)[-3:]
        lines = ", ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames)
        played.wrong = f"{where}: {type(error).__name__}: {str(error)[:400]} ({lines})"
    played.steps = len(session.kept)
    played.answers = len(session.journal.standing())
    played.seconds = time.process_time() - start
    return played


def seen_only(seed: int) -> Played:
    """Play without a check, to see what is asked."""
    return one(seed, check=False)


def main() -> None:
    """Play and report; exit 1 if a campaign failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="put the result into soak.md")
    parser.add_argument("--cover", action="store_true", help="look for seeds that ask everything")
    parser.add_argument("--keep", type=Path, help="what was played is kept in this file")
    parser.add_argument("--report", action="store_true", help="play nothing: only what is kept")
    given = parser.parse_args()
    seeds = range(given.first, given.first + given.games)
    done = {played.seed: played for played in _kept(given.keep) if played.seed in seeds}
    commit = _commit()
    with ProcessPoolExecutor(given.processes) as pool:
        left = [seed for seed in seeds if seed not in done and not given.report]
        for played in pool.map(seen_only if given.cover else one, left):
            played.commit = commit
            done[played.seed] = played
            if given.keep:
                with given.keep.open("ab") as stream:
                    pickle.dump(played, stream)
            if played.wrong:
                print(f"seed {played.seed}: {played.wrong}", flush=True)
            elif len(done) % 50 == 0:
                print(f"{len(done)} campaigns", file=sys.stderr, flush=True)
    games = [done[seed] for seed in seeds if seed in done]
    if given.cover:
        print(cover(games))
        return
    text = report(games)
    print(text)
    if given.write:
        doc = DOC.read_text(encoding="utf-8")
        head, _, rest = doc.partition(BEGIN)
        DOC.write_text(head + BEGIN + text + "\n" + END + rest.partition(END)[2], encoding="utf-8")
    sys.exit(any(played.wrong for played in games))


def _kept(file: Path | None) -> Iterator[Played]:
    """What an earlier run played."""
    if file and file.exists():
        with file.open("rb") as stream, suppress(EOFError):
            while True:
                yield pickle.load(stream)


def cover(games: list[Played]) -> str:
    """Few seeds that together ask all that any of ``games`` asked."""
    left = set().union(*(played.seen.prompts | played.seen.rolls for played in games))
    chosen = []
    while left:
        asked = {each.seed: left & (each.seen.prompts | each.seen.rolls).keys() for each in games}
        best = max(asked, key=lambda seed: len(asked[seed]))
        chosen.append(best)
        left -= asked[best]
    return f"FUZZED = {tuple(chosen)}"


def report(games: list[Played]) -> str:
    """The result as docs/engineers/soak.md has it."""
    total = Seen()
    for played in games:
        total.add(played.seen)
    wrong = [played.seed for played in games if played.wrong]
    failed = f"failed: seeds {', '.join(map(str, wrong))}" if wrong else "none failed"
    words = [
        f"{len(games)} campaigns (seeds {_ranges(played.seed for played in games)}), "
        f"{sum(played.steps for played in games):,} steps, "
        f"{sum(played.answers for played in games):,} answers and rolls, "
        f"{sum(played.fuzzed for played in games):,} questions and rolls offered illegal answers: "
        f"**{failed}**. {sum(played.seconds for played in games) / 60:.0f} minutes of one core, "
        f"at commit {', '.join(dict.fromkeys(played.commit for played in games))}.",
        "",
        f"{sum(played.differences for played in games):,} differences between the states before "
        "and after an entry, of pieces and of facts of the campaign: events explain all.",
        "",
        *_table("CG and end", total.ends, "campaigns"),
        "",
        *_table("pieces that left an OB", _ways(total), "pieces"),
        "",
        *_table("undone to a step", total.steps_undone, "times"),
        "",
        f"Asked: {len(PROMPTS & total.prompts.keys())} of {len(PROMPTS)} decision points and "
        f"{len(ROLLS & total.rolls.keys())} of {len(ROLLS)} rolls; "
        f"{len(total.refusals)} refusals of options (by question and rule), "
        f"{sum(total.refusals.values()):,} times shown; "
        f"{len(total.house_rules)} choices of house rules.",
        "",
    ]
    for sort, names in total.never().items():
        words.append(f"* Never in these campaigns, {sort}: {', '.join(names) or 'none'}.")
    if total.unknown():
        words.append(f"* Asked, but in no list: {', '.join(total.unknown())}.")
    for point, why in BEYOND.items():
        words.append(f"* {point}: {why}")
    few = sorted((count, id) for id, count in total.prompts.items() if count < 10)
    words.append("* Seldom: " + ", ".join(f"{id} ({count})" for count, id in few) + ".")
    return "\n".join(words)


def _ranges(seeds: Iterable[int]) -> str:
    """Seeds in words: 0 to 199, 250 to 299."""
    runs: list[list[int]] = []
    for seed in seeds:
        if runs and runs[-1][-1] == seed - 1:
            runs[-1][1:] = [seed]
        else:
            runs.append([seed])
    return ", ".join(" to ".join(map(str, run)) for run in runs)


def _ways(total: Seen) -> Counter[str]:
    found: Counter[str] = Counter()
    for words, count in total.gone.items():
        how, _, step = words.partition(":")[0].partition(" ")
        found[f"{how}, {step}"] += count
    return found


def _table(title: str, counter: Counter[str], unit: str) -> list[str]:
    rows = [f"| {name} | {count} |" for name, count in sorted(counter.items())]
    return [f"| {title} | {unit} |", "|---|---|", *rows]


def _commit() -> str:
    done = subprocess.run(
        ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stdout.strip() or "unknown"


if __name__ == "__main__":
    main()
