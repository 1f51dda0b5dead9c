"""Whole campaigns played by script through the command line, and what all of it printed.

A golden campaign is a folder ``tests/golden_NAME/``:

* ``campaign.yaml``: how it begins and what is played::

      new: [--campaign, CG1, --british, Anne, --german, Karl, --seed, "6"]
      dates: [night-1, night-2, ...]      # the CG Dates played, in order
      workbooks: [dawn]                   # their positions are given as Excel, made from the YAML
      printed: [dawn, day-3]              # then each viewer's records are printed as a whole

* ``new.yaml``: the answers file of ``pbcg new`` (docs/players/formats.md);
* for each CG Date ``DATE.position.yaml`` (the whole position, or ``pbcg-changes/1``) and
  ``DATE.answers.yaml``, the answers file of the Refit Phase after it; its first question after
  the position is the first thing that ``pbcg refit`` asks then. Secret pieces of a side stand in
  files of their own that an answers file names;
* ``expected/``: what came out, one folder for the start (``new``) and for each CG Date:
  ``told.txt`` (what the commands said), ``log.VIEWER.txt`` (what was added to the log),
  ``status.VIEWER.txt``, ``areas.txt`` (the Setup Areas), ``cells.VIEWER.txt`` (the workbook of
  the records, cell by cell) and ``pages.VIEWER.txt`` (the text of the PDF, page by page). The
  report, which is the log once more, and the umpire's map sheet are made on the ``printed`` CG
  Dates only; on others there is a PDF for the umpire alone.

``play(NAME, FOLDER)`` plays the campaign in an empty folder and gives all of these texts;
``differences`` compares them with ``expected/``; ``Golden(NAME)`` reads ``expected/`` for tests
that check single lines against the rules. ``python tests/support/golden_campaign.py --write cg1``
writes ``expected/`` again, ``--until DATE`` with ``--show`` plays up to a CG Date and shows its
log.
"""

from __future__ import annotations

import argparse
import difflib
import functools
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parent))

from asl_pbcg.cli.campaign_file import open_campaign  # noqa: E402
from asl_pbcg.cli.main import app  # noqa: E402
from asl_pbcg.kernel.errors import PBCGError  # noqa: E402
from asl_pbcg.kernel.textfiles import read_yaml_or_json  # noqa: E402

FINGERPRINT = re.compile(r" *File [0-9a-f]{4}(-[0-9a-f]{4}){3}")
"""At the foot of every page; it is another in every copy."""
VIEWERS = ("umpire", "german", "british")
FILE = "evening.pbcg"
WIDTH = "100"


class Failed(AssertionError):
    """A command that should have worked ended with a sentence for the player."""


def pbcg(*args: str | Path) -> str:
    """Run a command as the shell would, here in this process; what it printed."""
    from typer.testing import CliRunner

    result = CliRunner().invoke(app, [str(arg) for arg in args], env={"COLUMNS": WIDTH})
    if isinstance(result.exception, PBCGError):
        raise Failed(f"pbcg {' '.join(map(str, args))}: {result.exception}")
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    if result.exit_code:
        raise Failed(f"pbcg {' '.join(map(str, args))}: {result.output}")
    return result.output


@dataclass
class Played:
    """A golden campaign that was played: all its texts, and the states between."""

    texts: dict[str, str] = field(default_factory=dict)
    """By path below ``expected/``."""
    states: dict[str, Any] = field(default_factory=dict)
    """The state at the end of ``new`` and after the RePh of each CG Date."""
    file: Path = Path()


def settings(name: str) -> dict[str, Any]:
    """The ``campaign.yaml`` of a golden campaign."""
    found: dict[str, Any] = read_yaml_or_json(folder_of(name) / "campaign.yaml")
    return found


def folder_of(name: str) -> Path:
    """The folder of a golden campaign."""
    return HERE / f"golden_{name}"


def play(name: str, place: Path, until: str = "", records: bool = True) -> Played:
    """Play the golden campaign ``name`` in the empty folder ``place`` through the command line.

    Stops after the CG Date ``until``; without ``records`` nothing is printed but the log.
    """
    source, wanted = folder_of(name), settings(name)
    for path in source.glob("*.yaml"):
        shutil.copy(path, place)
    before = Path.cwd()
    os.chdir(place)
    try:
        played = Played(file=place / FILE)
        told = pbcg("new", FILE, *wanted["new"], "--answers", "new.yaml")
        _note(played, "new", told, records)
        for date in wanted["dates"]:
            told = _refit(date, date in wanted.get("workbooks", ()))
            _note(played, date, told, records, date in wanted.get("printed", ()))
            if date == until:
                break
        return played
    finally:
        os.chdir(before)


def _refit(date: str, workbook: bool) -> str:
    """Check the position of a CG Date, then go through the Refit Phase after it."""
    position = f"{date}.position.yaml"
    told = ""
    if workbook:
        told += pbcg("position", "convert", position, f"{date}.position.xlsx")
        position = f"{date}.position.xlsx"
    if workbook or "pbcg-position/1" in Path(position).read_text(encoding="utf-8"):
        told += pbcg("position", "check", position)
    answers = f"{date}.answers.yaml"
    return told + pbcg(
        "refit", FILE, "--as", "umpire", "--position", position, "--answers", answers
    )


def _note(played: Played, part: str, told: str, records: bool, printed: bool = False) -> None:
    """Keep all that can be printed after one part of the campaign."""
    if "not asked" in told or "ends here" in told:
        raise Failed(told)
    played.texts[f"{part}/told.txt"] = told
    session = open_campaign(Path(FILE))
    played.states[part] = session.state
    at_end = session.state.at == "scenario" or bool(session.state.ended)
    session.journal.close()
    assert at_end, f"the answers of {part} do not reach the next CG scenario"
    for viewer in VIEWERS:
        whole = pbcg("log", FILE, "--as", viewer)
        before = "".join(
            text for path, text in played.texts.items() if path.endswith(f"/log.{viewer}.txt")
        )
        assert whole.startswith(before), f"the log of {viewer} changed after the fact"
        played.texts[f"{part}/log.{viewer}.txt"] = whole[len(before) :]
        if records:
            played.texts[f"{part}/status.{viewer}.txt"] = pbcg("status", FILE, "--as", viewer)
            ended = bool(session.state.ended)
            for path, text in _records(viewer, printed, ended).items():
                played.texts[f"{part}/{path}"] = text
    if records and played.states[part].determined:
        played.texts[f"{part}/areas.txt"] = pbcg("areas", FILE)


def _records(viewer: str, printed: bool, ended: bool) -> dict[str, str]:
    """The records as workbook and PDF; only if ``printed`` with the report, and with the map.

    Once the CG has ``ended`` nothing sets up any more.
    """
    names = [name for name in SHEETS if viewer == "umpire" or not _of_other(name, viewer)]
    names = [name for name in names if not (ended and name.endswith("-setup"))]
    names += ["summary", "report"] * printed + ["map"] * (printed and viewer == "umpire")
    chosen = [option for name in names for option in ("--sheet", name)]
    pbcg("records", FILE, "--as", viewer, "-o", "records.xlsx", *chosen)
    found = {f"cells.{viewer}.txt": cells_of(Path("records.xlsx"))}
    if printed or viewer == "umpire":
        pbcg("records", FILE, "--as", viewer, "-o", "records.pdf", *chosen)
        found[f"pages.{viewer}.txt"] = pages_of(Path("records.pdf"))
    return found


SHEETS = ["roster", "purchases", *(f"{side}-{what}" for what in ("forces", "setup")
                                   for side in ("british", "german"))]  # fmt: skip


def _of_other(sheet: str, viewer: str) -> bool:
    """Whether a sheet is the secret of the other side."""
    return sheet.endswith("-setup") and not sheet.startswith(viewer)


def pages_of(path: Path) -> str:
    """The text of a PDF, page by page."""
    import pypdfium2

    pages = []
    document = pypdfium2.PdfDocument(path)
    for number, page in enumerate(document, 1):
        text = page.get_textpage()
        lines = [FINGERPRINT.sub("", line).rstrip() for line in text.get_text_range().splitlines()]
        pages.append(f"== page {number}\n" + "\n".join(lines) + "\n")
        text.close()
        page.close()
    document.close()
    return "".join(pages)


def cells_of(path: Path) -> str:
    """The values of a workbook, one line for each row that holds any."""
    import openpyxl

    book = openpyxl.load_workbook(path)
    lines = []
    for sheet in book:
        lines.append(f"== {sheet.title}")
        for row in sheet.iter_rows():
            held = [str(cell.value) for cell in row if cell.value not in (None, "")]
            if held:
                lines.append(f"{row[0].row}: {' | '.join(held)}")
    book.close()
    return "\n".join(lines) + "\n"


# -- the committed texts --------------------------------------------------------------------


@dataclass(frozen=True)
class Golden:
    """The committed texts of a golden campaign, for tests that check them against the rules."""

    name: str

    @functools.cache  # noqa: B019
    def text(self, path: str) -> str:
        """One text, for example ``dawn/log.umpire.txt``."""
        return (folder_of(self.name) / "expected" / path).read_text(encoding="utf-8")

    def paths(self) -> list[str]:
        """The paths of all texts."""
        root = folder_of(self.name) / "expected"
        return sorted(path.relative_to(root).as_posix() for path in root.rglob("*.txt"))

    def lines(self, date: str, step: str = "", viewer: str = "umpire") -> list[str]:
        """What the log of the RePh after ``date`` tells, of one step if it is named: ``9.606``.

        Each line without its indent; a RePh's steps from 9.613 on belong to the next CG Date.
        """
        found, at = [], ""
        for line in self.text(f"{date}/log.{viewer}.txt").splitlines():
            if line and not line.startswith(" "):
                at = line.partition("/")[2]
            elif line and (not step or at == step):
                found.append(line.strip())
        return found

    def line(self, date: str, step: str, *words: str, viewer: str = "umpire") -> str:
        """The one line of a step that holds all ``words``."""
        found = [each for each in self.lines(date, step, viewer) if all(w in each for w in words)]
        assert len(found) == 1, f"{len(found)} lines with {words}: {found}"
        return found[0]


def differences(name: str, played: Played) -> list[str]:
    """What was printed otherwise than ``expected/`` says, as short diffs."""
    golden = Golden(name)
    found = []
    for path in sorted({*golden.paths(), *played.texts}):
        known = golden.text(path) if path in golden.paths() else ""
        new = played.texts.get(path, "")
        if known != new:
            diff = difflib.unified_diff(
                known.splitlines(), new.splitlines(), f"expected/{path}", "now", lineterm="", n=1
            )
            found.append("\n".join(list(diff)[:25]))
    return found


def secrets_told(played: Played) -> Iterator[str]:
    """Secrets of one side that stand in a text of the other: log, status, workbook or PDF."""
    for side, other in (("german", "british"), ("british", "german")):
        mark = f"[{side}, secret]"
        umpire = "".join(_texts(played, "log.umpire"))
        open_words = "\n".join(  # and what is the other side's own
            line for line in umpire.splitlines() if not line.rstrip().endswith(mark)
        )
        hidden = {
            line.split(mark)[0].strip().partition(" ")[2].strip()
            for line in umpire.splitlines()
            if line.rstrip().endswith(mark)
        }
        secrets = [words for words in hidden if len(words) > 15 and words not in open_words]
        for path, text in played.texts.items():
            if f".{other}." not in path:
                continue
            flat = " ".join(text.split())
            yield from (f"{path}: {words}" for words in secrets if words in flat)


def _texts(played: Played, name: str) -> Iterator[str]:
    return (text for path, text in played.texts.items() if path.endswith(f"/{name}.txt"))


def ids_told(played: Played) -> Iterator[str]:
    """Ids of pieces off the map in the records of the other side, unless its log names them."""
    for part, state in played.states.items():
        for piece in state.pieces:
            other, name = piece.side.other.value, rf"(?<![\w+-]){re.escape(piece.id)}(?![\w+-])"
            if piece.on_map or any(re.search(name, log) for log in _texts(played, f"log.{other}")):
                continue
            for kind in ("cells", "pages", "status"):
                text = played.texts.get(f"{part}/{kind}.{other}.txt", "")
                if re.search(name, text):
                    yield f"{part}/{kind}.{other}: {piece.id}"


def write(name: str, played: Played) -> None:
    """Write ``expected/`` again."""
    root = folder_of(name) / "expected"
    shutil.rmtree(root, ignore_errors=True)
    for path, text in played.texts.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8", newline="\n")


def main() -> None:
    """Play a golden campaign; write it, or show the log of one CG Date."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("name", help="cg1 for tests/golden_cg1")
    parser.add_argument("--write", action="store_true", help="write expected/ again")
    parser.add_argument("--until", default="", metavar="DATE", help="stop after this CG Date")
    parser.add_argument("--show", action="store_true", help="show the log of the last CG Date")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        try:
            played = play(chosen.name, Path(place), chosen.until, records=chosen.write)
        except Failed as error:
            # What waits next is what the answers file lacks.
            print(error)
            file = Path(place) / FILE
            if file.exists():
                session = open_campaign(file)
                show(session)
                session.journal.close()
            sys.exit(1)
        if chosen.show:
            logs = [text for path, text in played.texts.items() if path.endswith("log.umpire.txt")]
            print(logs[-1])
        if chosen.write:
            assert not chosen.until, "--until leaves the rest of expected/ out"
            write(chosen.name, played)


def show(session: Any) -> None:
    """Print the question that waits, its options and the last lines of the log."""
    for line in session.lines()[-12:]:
        print(f"  {line.step} {line.text}")
    asked = session.pending
    if asked is None:
        return
    print(f"{asked.id} [{asked.side}] where={asked.where!r}: {asked.text}")
    for option in getattr(asked, "options", ()):
        print(f"    {option.id}: {option.text} {option.consequence} {option.refused}")


if __name__ == "__main__":
    main()
