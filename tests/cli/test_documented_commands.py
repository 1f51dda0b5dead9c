"""The commands of README and the pages for players run; ``test_printed_commands.py`` reads all.

Those that name files run on files of these names, one for each set of options that no example of a
help has.
"""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
from in_process import pbcg, run_pbcg
from test_examples import table
from test_printed_commands import pages

from asl_pbcg.cli.command_dress import EXAMPLES

__all__ = ["table"]

ELSEWHERE = ("serve", "dice", "st analyse", "st sim", "drop log drop.pbcg --apply")
"""Commands that only other tests run: the page, VASL logs, many games, a drop in a campaign."""
MAKES = ("new", "st new", "st map new", "mega run", "mega settings --example", "position template")
"""Commands that make the file they name."""
OTHER_EVENING = {
    "assert evening.pbcg date=dawn": "the paper says dawn",
    "note evening.pbcg Snake eyes": "No line of the log",
    "note evening.pbcg They will come": "not a CG Date of this campaign so far",
}
"""Commands about facts of another evening than the one that is played here, and the answer."""
NO_FILE = re.compile(r"(new|st log|st map (new|compare)|undo|correct|drop orders)( -\S+)*( \w+)?$")
"""A sentence that names a command without its file."""
PLACEHOLDER = re.compile(r"\b(FILE|FINGERPRINT|MINE|YOURS|NEW|FOLDER|WORDS)\b")
DOCS = Path(__file__).parents[2] / "docs"


def commands() -> list[str]:
    """Return one command of the pages for each set of options."""
    found = {_kind(shlex.split(each)): "" for each in EXAMPLES.values()}
    for _, text in sorted(set(pages())):
        words = shlex.split(re.split(r" #| > | \| ", text)[0])[1:]
        line = " ".join(words)
        is_whole = not NO_FILE.match(line) and not PLACEHOLDER.search(line)
        if is_whole and not line.startswith(ELSEWHERE):
            found.setdefault(_kind(words), shlex.join(words))
    return list(filter(None, found.values()))


def _kind(words: list[str]) -> tuple[str, ...]:
    """Return the words and options of a command without what they are about."""
    return tuple(word for word in words if not re.search(r"[.=A-Z\d ]", word))


@pytest.fixture(scope="module")
def evening(table: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the examples with the other files that the pages name."""
    folder = tmp_path_factory.mktemp("documented") / "evening"
    shutil.copytree(table, folder)
    pbcg("demo", folder / "demo")
    copies = {
        "demo/coup-de-main.pbcg": ["night-1.pbcg"],
        "bridge.pbcg": ["game.pbcg", "anne.pbcg"],
        "evening.pbcg": ["mine.pbcg", "yours.pbcg"],
        "battle.vsav": ["night-1.vsav", "german-setup.vsav", "end.vsav"],
        "night-1.yaml": ["end.yaml"],
        "table3.mega": ["oosterbeek.mega"],
    }
    for source, names in copies.items():
        for name in names:
            shutil.copy(folder / source, folder / name)
    shutil.rmtree(folder / "demo")
    (folder / "notes.txt").write_text("I5 at J0\n", encoding="utf-8")
    for name in ("night-1", "end", "evening", "hidden"):
        pbcg("position", "convert", folder / "night-1.yaml", folder / f"{name}.xlsx")
    pbcg("position", "template", folder / "start.xlsx", "--records", "--example")
    pbcg("mega", "settings", "--example", folder / "mine.yaml")
    pbcg("st", "new", folder / "other.pbcg", "--historical", "--seed", "4")
    pbcg("correct", folder / "evening.pbcg", "players/british=Anne, Ben", "--reason", "two")
    answers = run_pbcg("st", "log", folder / "game.pbcg", "--answers").out
    for name in ("game", "moves"):
        (folder / f"{name}.yaml").write_text(answers, encoding="utf-8")
    card = run_pbcg("st", "score", folder / "game.pbcg", "--card").out
    (folder / "karl.txt").write_text(card, encoding="utf-8")
    shutil.copytree(DOCS / "examples", folder / "docs" / "examples")
    return folder


@pytest.mark.parametrize("command", commands())
def test_a_documented_command_runs(
    command: str, evening: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "evening"
    shutil.copytree(evening, folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PBCG_SETTINGS", str(tmp_path / "settings"))
    words = shlex.split(command)
    line = " ".join(words)
    _prepare(words, line)
    typed = "1\n" + "\n" * 40 if "vsav" in line else "y\n" + "q\n" * 3
    told = run_pbcg(*words, typed=typed, environment={"COLUMNS": "300"})
    other = next((say for start, say in OTHER_EVENING.items() if line.startswith(start)), "")
    assert (told.code == 0) != bool(other), told.err
    assert other in told.out + told.err and "Traceback" not in told.err


def _prepare(words: list[str], line: str) -> None:
    """Take away what the command makes; bring campaign and drop to where it takes them up."""
    files = [Path(word) for word in words if re.search(r"\.[a-z]+$", word)]
    if line.startswith(MAKES):
        files[0].unlink(missing_ok=True)
    if {"-o", "--open", "convert"} & set(words):
        files[-1].unlink(missing_ok=True)
    if "--position" in words or words[:2] == ["position", "from-vasl"]:
        shutil.copy("night-1.pbcg", "evening.pbcg")  # the Night I scenario is still played
    if line.startswith("drop ") and "--seal" not in words:
        Path("sealed.pbcg").rename("drop.pbcg")
        if words[1] in ("draw", "log") or "--open" in words:
            pbcg("drop", "run", "drop.pbcg", "--seed", "9", "--defaults")
