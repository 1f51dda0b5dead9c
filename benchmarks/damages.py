"""Damages a campaign file in one line and rescues it, again and again.

Run: ``python benchmarks/damages.py [HOW MANY [SEED [KIND]]]`` (1,000, 1 and ``byte`` by itself).
Each time a complete CG I gets another byte at a place drawn at random, or with KIND ``block`` up to
64 bytes of one line. What the rescue keeps must be true lines only, and whole. Where a line is left
out its question is answered as it truly was, the answers handed back are given again, and the file
must be whole again and say the same as before. Ends with exit code 1 if that fails.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "support"))

from campaign_generator import CampaignAnswers

from asl_pbcg import __version__
from asl_pbcg.cli.campaign_file import create_campaign
from asl_pbcg.cli.verify_commands import plays_again
from asl_pbcg.kernel.answers import drive
from asl_pbcg.kernel.canonical import digest
from asl_pbcg.kernel.dice import KeyedDice
from asl_pbcg.kernel.entries import Entry
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.journal_text import read_text
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.verification.handed_back import HandedBack
from asl_pbcg.kernel.verification.rescue import rescue
from asl_pbcg.play.open_game import OpenGame

WHOLE = 1000
BLOCK = 64
SALT, BEGUN = "0123456789abcdef", 1_700_000_000
"""The same campaign has the same bytes each time, so that a damage comes again by its seed."""
GAME = {"game": "pegasus-bridge", "dice": "seeded"}


@dataclass
class Damages:
    """What came of the damages so far."""

    done: int = 0
    lines_lost: int = 0
    wrong_kept: int = 0
    handed_back: int = 0
    whole_rescued: int = 0
    whole_again: int = 0
    longest: float = 0.0
    seconds: float = 0.0
    wrong: list[str] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)


def play(path: Path, campaign: str = "CG1", seed: int = 1, dates: int = 99) -> None:
    """Play a campaign to its end, or for so many checkpoints."""
    settings = {"campaign": campaign, "salt": SALT}
    with patch("time.time", return_value=BEGUN):
        session = create_campaign(path, {**GAME, "settings": settings})
        answers = CampaignAnswers(seed, session)

        def over() -> bool:
            return bool(session.state.ended) or len(session.journal.checkpoints()) >= dates

        drive(session, answers, KeyedDice(seed), until=over)
        session.journal.close()


class Soak:
    """One true file, damaged again and again."""

    def __init__(self, true: Path, kind: str = "byte") -> None:
        self.kind = kind
        self.folder = true.parent
        self.content = true.read_bytes()
        self.lines = set(self.content.splitlines(keepends=True))
        with Journal.read(true, __version__) as journal:
            self.entries = [_content(entry) for entry in journal.standing()]
            self.last = list(journal.text.entries)
            self.starts = [*journal.text.starts, len(self.last)]
        self._whole: dict[str, bool] = {}

    def run(self, many: int, seed: int) -> Damages:
        """Damage and rescue it so many times."""
        found = Damages()
        for number in range(many):
            self._once(random.Random(f"{seed} {number}"), f"{seed} {number}", found)
            if number % 50 == 49:
                print(f"{found.done}: {dict(found.outcomes)}", file=sys.stderr, flush=True)
        return found

    def _damaged(self, source: random.Random) -> bytes:
        place = source.randrange(len(self.content))
        end = place + 1
        if self.kind == "block":
            line_end = self.content.index(b"\n", place)
            end = min(line_end, place + source.randint(2, BLOCK)) if line_end > place else place + 1
        new = bytes((byte + source.randrange(1, 256)) % 256 for byte in self.content[place:end])
        return self.content[:place] + new + self.content[end:]

    def _once(self, source: random.Random, name: str, found: Damages) -> None:
        damaged, new = self.folder / "damaged.pbcg", self.folder / "new.pbcg"
        answers = self.folder / "new.pbcg.answers"
        for path in (new, answers):
            path.unlink(missing_ok=True)
        damaged.write_bytes(self._damaged(source))
        begun = time.process_time()
        rescue(damaged, new, plays_again)
        took = time.process_time() - begun
        found.done += 1
        found.seconds += took
        found.longest = max(found.longest, took)
        kept = new.read_bytes().splitlines(keepends=True) if new.exists() else []
        behind = answers.read_bytes().splitlines(keepends=True)[1:] if answers.exists() else []
        lost = self.lines - {*kept, *behind}
        wrong = {*kept, *behind} - self.lines - {b"\n"}
        found.lines_lost += len(lost)
        found.wrong_kept += len(wrong)
        if len(lost) > 1 or wrong:
            found.wrong.append(f"{name}: {len(lost)} lost, {len(wrong)} wrong")
        outcome = "the damaged line left out, the rest handed back" if behind else "as it was"
        if lost and not behind:
            outcome = "the last line left out" if kept else "nothing but the answers"
        found.outcomes[outcome] += 1
        if self._is_whole(new):
            found.whole_rescued += 1
        else:
            found.wrong.append(f"{name}: not whole after the rescue")
        if behind:
            found.handed_back += 1
            if self._give_again(new, answers, len(kept)) and self._is_whole(new):
                found.whole_again += 1
            else:
                found.wrong.append(f"{name}: not whole after the answers were given again")

    def _is_whole(self, path: Path) -> bool:
        if not path.exists():
            return False
        content = path.read_bytes()
        key = digest(content)
        if key not in self._whole:
            self._whole[key] = plays_again(read_text(content, path))
        return self._whole[key]

    def _give_again(self, new: Path, answers: Path, kept: int) -> bool:
        """Answer what the lost line did, give the rest again, and say whether all is there."""
        handed = HandedBack.read(answers)
        with OpenGame.open(new) as game:
            session: Session[object] = game.session
            with session.together():
                for entry in self.last[self.starts[kept] : self.starts[kept + 1]]:
                    if entry.kind in ("answer", "roll"):
                        session.give(entry)
            stopped = handed.give(session)
        with Journal.read(new, __version__) as journal:
            now = [_content(entry) for entry in journal.standing()]
        return not stopped and now == self.entries


def _content(entry: Entry) -> tuple[object, ...]:
    return (entry.kind, entry.step, entry.point, entry.about, entry.side, entry.body)


def main() -> None:
    """Run it and print what came of it."""
    many, seed = (int(word) for word in [*sys.argv[1:3], WHOLE, 1][:2])
    if len(sys.argv) == 2:
        many, seed = int(sys.argv[1]), 1
    kind = sys.argv[3] if len(sys.argv) > 3 else "byte"
    with tempfile.TemporaryDirectory() as folder:
        true = Path(folder) / "true.pbcg"
        play(true)
        soak = Soak(true, kind)
        found = soak.run(many, seed)
    print(f"{found.done} damages of a file of {len(soak.content):,} bytes, {len(soak.lines)} lines")
    print(f"lines lost: {found.lines_lost}; wrong lines kept: {found.wrong_kept}")
    print(f"whole after the rescue: {found.whole_rescued} of {found.done}")
    print(f"whole after the answers were given again: {found.whole_again} of {found.handed_back}")
    print(
        f"{found.seconds / found.done:.1f} s of the processor a rescue, {found.longest:.0f} at most"
    )
    print(*(f"{count:5} {words}" for words, count in found.outcomes.most_common()), sep="\n")
    print(*found.wrong, sep="\n")
    sys.exit(bool(found.wrong))


if __name__ == "__main__":
    main()
