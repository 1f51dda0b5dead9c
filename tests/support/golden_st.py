"""Whole area games played by script through the command line, and what all of it printed.

``tests/golden_st/NAME.answers.yaml`` holds the decisions of a game (``pbcg st log --answers``),
``GAMES`` how it begins, ``tests/golden_st/expected/`` what came out: the log, the status, the VP
sheet and the printed records cell by cell. ``historical`` was played by hand at a terminal.

``python tests/support/golden_st.py --write`` writes ``expected/`` again; read the difference
afterwards. ``--renew`` first lets the good player play on where the answers do not fit any more,
for a rule that was mended.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parent))

from asl_pbcg.cli.main import app  # noqa: E402

FOLDER = HERE / "golden_st"
EXPECTED = FOLDER / "expected"
GAMES = {
    # Played when any loss wrecked the Mercedes (AMB-102), which is a choice.
    "historical": ["--historical", "--seed", "7", "--setting", "grenade_wrecks_mercedes=loss"],
    "variable": ["--variable", "--difficulty", "hard", "--seed", "118"],
}
WIDTH = "100"


def pbcg(*args: str | Path, typed: str = "") -> str:
    """Run a command as the shell would, here in this process; what it printed."""
    from typer.testing import CliRunner

    result = CliRunner().invoke(
        app, [str(arg) for arg in args], input=typed, env={"COLUMNS": WIDTH}
    )
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def play(name: str, folder: Path) -> dict[str, str]:
    """Play a game in the empty ``folder``; everything it printed, by file name."""
    file = folder / "game.pbcg"
    pbcg("st", "new", file, *GAMES[name])
    end = pbcg("st", "play", file, "--answers", FOLDER / f"{name}.answers.yaml")
    book = folder / "game.xlsx"
    pbcg("st", "records", file, "-o", book)
    log, hidden = pbcg("st", "log", file), pbcg("st", "log", file, "--hidden")
    found = {
        "end": end.replace(str(file), "game.pbcg"),
        "log": log,
        "hidden": "\n".join(only_in(hidden, log)),
        "status": pbcg("st", "status", file),
        "score": pbcg("st", "score", file, "--json"),
        "records": cells(book),
    }
    return {
        f"{name}.{what}.txt": "\n".join(text.splitlines()) + "\n" for what, text in found.items()
    }


def only_in(text: str, other: str) -> list[str]:
    """The lines of ``text`` that ``other`` does not have, in order."""
    left = iter(other.splitlines())
    awaited = next(left, None)
    found = []
    for line in text.splitlines():
        if line == awaited:
            awaited = next(left, None)
        else:
            found.append(line)
    return found


def cells(book: Path) -> str:
    """A workbook as text: sheet by sheet, row by row, what stands in the cells."""
    from openpyxl import load_workbook

    lines = []
    for sheet in load_workbook(book):
        lines.append(f"== {sheet.title}")
        for row in sheet.iter_rows(values_only=True):
            if any(value not in (None, "") for value in row):
                lines.append(
                    " | ".join("" if value is None else str(value) for value in row).rstrip(" |")
                )
    return "\n".join(lines) + "\n"


def write() -> None:
    """Write ``expected/`` again."""
    EXPECTED.mkdir(exist_ok=True)
    for name in GAMES:
        with tempfile.TemporaryDirectory() as folder:
            for file, text in play(name, Path(folder)).items():
                (EXPECTED / file).write_text(text, encoding="utf-8", newline="\n")
                print(EXPECTED / file)


class GoesOn:
    """The answers of a file as long as they fit the questions; the good player plays on."""

    def __init__(self, path: Path) -> None:
        from asl_pbcg.kernel.answers import ListedAnswers
        from asl_pbcg.st.player.policy import GoodPlayer

        self._listed: Any = ListedAnswers.read(path)
        self._player = GoodPlayer()

    def answer(self, prompt: Any) -> Any:
        from asl_pbcg.kernel.answers import Leave
        from asl_pbcg.kernel.errors import PBCGError

        if self._listed:
            try:
                return prompt.check(self._listed.answer(prompt))
            except (Leave, PBCGError):
                print(f"turn {prompt.where}: the good player goes on from {prompt.id}")
                self._listed = None
        return self._player.answer(prompt)

    def dice(self, roll: Any) -> None:
        return None

    def hear_refusal(self, prompt: Any, error: Exception) -> None:
        raise error


def renew() -> None:
    """Write the answers of games that a mended rule has turned: the good player plays on."""
    from asl_pbcg.cli.area_commands.st_file import opened_game
    from asl_pbcg.kernel.answers import drive
    from asl_pbcg.kernel.dice import SeededDice

    for name in GAMES:
        answers = FOLDER / f"{name}.answers.yaml"
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "game.pbcg"
            pbcg("st", "new", file, *GAMES[name])
            with opened_game(file) as session:
                drive(session, GoesOn(answers), SeededDice(session.journal.meta("seed")))
            text = pbcg("st", "log", file, "--answers")
        answers.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    if sys.argv[1:] not in (["--write"], ["--renew"]):
        sys.exit(
            "python tests/support/golden_st.py --write writes tests/golden_st/expected/ again."
        )
    if sys.argv[1:] == ["--renew"]:
        renew()
    write()
