"""Throws damaged and hostile inputs at everything that reads what others give.

Run: ``python benchmarks/hostile.py [HOW MANY [SEED [KIND]]]`` (100,000 and 1 by itself). Inputs:
every kind of file and line that players give (``hostile_files.py``), texts and workbooks with
wrong characters and bytes, and campaign files of all four kinds, by single wrong bits, wrong
bytes, cuts, lines changed and entries changed with the chain computed again; spoiled ones are
verified and rescued too. Each must end in a PBCGError, or be read as what it was or says.
Bounds: no other exception, none over 5 s of the processor, no more than 300 MB. Of single wrong
bits in campaign files each is noticed or changes nothing that is read.
"""

from __future__ import annotations

import contextlib
import io
import random
import resource
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "support"))

import msgspec
from bending import NASTY, bent, spoiled
from hostile_files import Files
from kills import prepare

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.textfiles import read_yaml_or_json
from asl_pbcg.kernel.verification.rescue import rescue
from asl_pbcg.kernel.verification.verify import verify
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.refit.sequence import CampaignGame

WHOLE = 100_000
MAX_SECONDS = 5.0
MAX_WAIT = 60.0
"""Beside other work a second of the processor can take long; a lock or a pipe takes for ever."""
MAX_MEGABYTES = 300


class Attack:
    """The inputs there are, and who reads them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        prepare(folder)
        from typer.testing import CliRunner

        from asl_pbcg.cli.main import app

        runner = CliRunner()
        position = folder / "position.yaml"
        runner.invoke(
            app,
            ["position", "template", str(position), "--campaign", str(folder / "campaign.pbcg")],
        )
        book = folder / "position.xlsx"
        runner.invoke(app, ["position", "template", str(book)])
        self.text = position.read_text(encoding="utf-8")
        self.book = book.read_bytes()
        self.orders = (folder / "orders.yaml").read_text(encoding="utf-8")
        self.games = {
            name: (folder / f"{name}.pbcg").read_bytes()
            for name in ("campaign", "st", "drop", "mega")
        }
        self.known = {name: self._all_of(data) for name, data in self.games.items()}
        self.session = OpenGame.open(folder / "campaign.pbcg", look=True).session
        begun = {"settings": {"campaign": "CG2"}}
        self.purchase = Session(CampaignGame(), Journal.in_memory(begun))
        self.kinds: dict[str, Callable[[random.Random], None]] = {
            "position": self.position,
            "workbook": self.workbook,
            "changes and answers": self.answers,
            "orders": self.drop_orders,
            "correction": self.correction,
            "answer": self.answer,
            "wrong bit": self.wrong_bit,
            "spoiled file": self.spoiled_file,
            "line changed": self.line_changed,
            "entry changed": self.entry_changed,
        }
        self.kinds |= Files(folder).kinds

    # -- texts --------------------------------------------------------------------------

    def _written(self, text: str, name: str) -> Path:
        path = self.folder / name
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        return path

    def position(self, source: random.Random) -> None:
        """A position in YAML."""
        from asl_pbcg.campaign.entry.position_files import read_raw_position

        read_raw_position(self._written(bent(self.text, source), "bent.yaml"))

    def workbook(self, source: random.Random) -> None:
        """A position in Excel."""
        from asl_pbcg.campaign.entry.position_files import read_raw_position

        path = self.folder / "bent.xlsx"
        path.write_bytes(spoiled(self.book, source))
        read_raw_position(path)

    def answers(self, source: random.Random) -> None:
        """An answers file or changes, YAML or JSON."""
        from asl_pbcg.kernel.answers import ListedAnswers

        text = "format: pbcg-answers/1\nanswers:\n- 9.606.2 b-648-3: stay\n- 9.618: [3, 4]\n"
        path = self._written(bent(text, source), f"bent.{source.choice(('yaml', 'json'))}")
        ListedAnswers.read(path)
        read_yaml_or_json(path)

    def drop_orders(self, source: random.Random) -> None:
        """Drop orders, with their map and settings."""
        from asl_pbcg.airborne.drop_settings import default_settings
        from asl_pbcg.cli.drop.drop_playing import read_sheet
        from asl_pbcg.play.drop_board import offer_campaign_board

        offer_campaign_board()
        read_sheet(self._written(bent(self.orders, source), "bent.yaml"), "", default_settings())

    def correction(self, source: random.Random) -> None:
        """A correction of the campaign, planned."""
        path = bent(source.choice(("san/german", "pieces/b-648-1/at", "fpp/british")), source)
        value = source.choice((*NASTY, 5, -1, 10**30, None, [], {}, [["x"]], 1e308, True))
        self.session.plan(path, value)

    def answer(self, source: random.Random) -> None:
        """What is typed or sent to a prompt."""
        from asl_pbcg.kernel.prompts import Prompt

        asked = self.purchase.pending
        assert isinstance(asked, Prompt)
        asked.check(source.choice((*NASTY, 5, -1, 10**30, None, [], {}, [["x"]], 1e308, True)))

    # -- campaign files -------------------------------------------------------------------

    def _all_of(self, data: bytes) -> Any:
        path = self.folder / "attacked.pbcg"
        path.write_bytes(data)
        with OpenGame.open(path, look=True) as game:
            asked = game.session.pending
            return (
                msgspec.json.encode(game.session.lines()),
                list(game.session.journal.text.heads),
                game.session.game.encode(game.session.state),
                asked and asked.text,
            )

    def _game(self, source: random.Random) -> tuple[str, bytes]:
        return source.choice(list(self.games.items()))

    def wrong_bit(self, source: random.Random) -> None:
        """One wrong bit before the last line; it is noticed or changes nothing that is read."""
        name, data = self._game(source)
        wrong = bytearray(data)
        wrong[source.randrange(data.rindex(b"\n", 0, -1))] ^= 1 << source.randrange(8)
        if self._all_of(bytes(wrong)) != self.known[name]:
            raise AssertionError(f"a wrong bit in {name} went unnoticed")

    def spoiled_file(self, source: random.Random) -> None:
        """Bytes wrong, gone, or twice there: read, verified, rescued."""
        wrong = spoiled(self._game(source)[1], source)
        path = self.folder / "spoiled.pbcg"
        path.write_bytes(wrong)
        new = self.folder / "rescued.pbcg"
        new.unlink(missing_ok=True)
        with contextlib.suppress(PBCGError):
            rescue(path, new)
            with OpenGame.open(new, look=True) as game:
                verify(game.session.journal, game.session.game)
        self._all_of(wrong)

    def line_changed(self, source: random.Random) -> None:
        """Lines changed, left out, doubled or moved with any editor."""
        _, data = self._game(source)
        lines = data.splitlines(keepends=True)
        at, other = source.randrange(len(lines)), source.randrange(len(lines))
        kind = source.randrange(5)
        if kind == 0:
            del lines[at]
        elif kind == 1:
            lines.insert(other, lines[at])
        elif kind == 2:
            lines[at], lines[other] = lines[other], lines[at]
        elif kind == 3:
            place = source.randrange(len(lines[at]))
            odd = source.choice((b"\xff", b" ", b"[" * 90, b"\\u0041", b"\0", b"9" * 40, b"\r\n"))
            lines[at] = lines[at][:place] + odd + lines[at][place:]
        else:
            lines[at] = source.choice((b"null\n", b"{}\n", b"\n", b"[" * 10_000 + b"\n"))
        self._all_of(b"".join(lines))

    def entry_changed(self, source: random.Random) -> None:
        """Entries changed with the chain made again to its end."""
        from journal_help import opened, raw_lines, veiled, write_lines

        _, data = self._game(source)
        path = self.folder / "entry.pbcg"
        path.write_bytes(data)
        lines = raw_lines(path)
        changed: set[int] = set()
        for _ in range(source.randint(1, 3)):
            entries = source.choice(lines[1:])["entries"]
            at = source.randrange(len(entries))
            if id(entries[at]) in changed:  # perhaps no veil can be lifted there any more
                continue
            entry = opened(entries[at])
            names = ("kind", "step", "point", "about", "side", "secret", "value", "veil")
            entry[source.choice(names)] = source.choice(
                (None, -1, 2**62, "x", [], {}, [[1]], {"back_to": 0}, {"dice": "x"}, True,
                 {"back_to": 2**60}, {"back_to": 0, "left": "x"}, {"after": 1, "data": "eJw="},
                 "undo", "roll", "checkpoint", {"value": 1, "reason": []}, [0], [7, 7])
            )  # fmt: skip
            entries[at] = veiled(entry)
            changed.add(id(entries[at]))
        write_lines(path, lines)
        self._all_of(path.read_bytes())


@dataclass
class Outcome:
    """How many inputs of each kind there were and got a sentence, what was wrong, the longest."""

    done: Counter[str]
    refused: Counter[str]
    wrong: list[str]
    longest: float


def attack(wanted: int, seed: int, folder: Path, only: str = "") -> Outcome:
    """Give so many inputs in turn; ``folder`` is for the files."""
    done: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    wrong: list[str] = []
    longest = 0.0
    kinds = [each for each in Attack(folder).kinds.items() if only in each[0]]
    for number in range(wanted):
        name, one = kinds[number % len(kinds)]
        source = random.Random(f"{seed}/{number}")
        start, clock = time.process_time(), time.monotonic()
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                one(source)
        except PBCGError:
            refused[name] += 1
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{Path(last.filename).name}:{last.lineno}"
            said = f"{type(error).__name__} at {place}: {str(error)[:200]}"
            wrong.append(f"{name} {number}: {said}")
            print(f"WRONG {wrong[-1]}", file=sys.stderr, flush=True)
        spent = time.process_time() - start
        if time.monotonic() - clock > MAX_WAIT:
            wrong.append(f"{name} {number} kept us waiting for {time.monotonic() - clock:.0f} s")
        longest = max(longest, spent)
        if spent > MAX_SECONDS:
            wrong.append(f"{name} {number}: {spent:.1f} s")
        done[name] += 1
        if number % 500 == 499:
            print(f"{number + 1} inputs, {len(wrong)} wrong", file=sys.stderr, flush=True)
    return Outcome(done, refused, wrong, longest)


def main() -> int:
    """Attack as often as asked; print what came of it."""
    wanted, seed = (*map(int, sys.argv[1:3]), *(WHOLE, 1)[len(sys.argv[1:3]) :])
    with tempfile.TemporaryDirectory() as place:
        found = attack(wanted, seed, Path(place), "".join(sys.argv[3:4]))
    wrong = found.wrong
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    for name, many in found.done.items():
        print(f"{many:7} {name}, {found.refused[name]} got a sentence")
    print(f"{sum(found.done.values())} inputs, longest {found.longest:.2f} s, peak {peak:.0f} MB")
    for sentence in wrong[:60]:
        print(f"WRONG {sentence}")
    print(f"{len(wrong)} wrong")
    return bool(wrong) or peak > MAX_MEGABYTES


if __name__ == "__main__":
    sys.exit(main())
