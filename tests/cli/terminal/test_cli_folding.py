"""Long lines at a terminal: broken between words, in all commands, at any width."""

from __future__ import annotations

import io
import os
import random
import re
import sys
from importlib import import_module
from pathlib import Path

import pytest
import typer
from in_process import run_pbcg
from rich.text import Text

from asl_pbcg.__main__ import main
from asl_pbcg.cli.main import COMMANDS
from asl_pbcg.cli.terminal.sentences import Sentences, broken
from asl_pbcg.cli.terminal.streams import FoldingStream, fold, hanging

STYLE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
WIDTHS = (60, 80, 160)


class Tty(io.StringIO):
    """What a terminal shows."""

    def isatty(self) -> bool:
        return True


def at_terminal(monkeypatch: pytest.MonkeyPatch, width: int, *args: object) -> list[str]:
    """The lines that a terminal of this width shows of a command, without their styles."""
    out = Tty()
    monkeypatch.setattr(sys, "argv", ["pbcg", *map(str, args)])
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", out)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    monkeypatch.setenv("COLUMNS", str(width))
    try:
        main()
    except SystemExit:
        pass
    finally:
        monkeypatch.undo()
    return STYLE.sub("", out.getvalue()).splitlines()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("folding") / "evening.pbcg"
    assert run_pbcg("new", found, "--campaign", "CG1", "--auto", "5").code == 0
    return found


@pytest.mark.parametrize("terminal", ["xterm", "dumb", "unknown"])
def test_a_terminal_that_knows_no_styles_has_its_own_width_too(
    monkeypatch: pytest.MonkeyPatch, terminal: str
) -> None:
    monkeypatch.setenv("TERM", terminal)
    monkeypatch.setenv("COLUMNS", "60")
    assert Sentences(file=Tty()).width == 60


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("command", ["status", "log", "history", "dice"])
def test_no_command_breaks_a_word(
    command: str, width: int, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = " ".join(run_pbcg(command, file).out.split())
    lines = at_terminal(monkeypatch, width, command, file)
    assert all(len(line) <= width for line in lines)
    if command in ("status", "log"):  # the others print tables
        assert " ".join(" ".join(lines).split()) == whole
        assert not any(line.startswith(word) for line in lines for word in ("secret]", "26,"))


def test_what_is_broken_off_stands_under_its_column(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = at_terminal(monkeypatch, 60, "status", file)
    at = next(number for number, line in enumerate(lines) if line.startswith("German OB:"))
    column = len("German OB:     ")
    assert lines[at][column - 1] == " " != lines[at][column]
    assert lines[at + 1][:column].isspace() and lines[at + 1][column] != " "


def test_a_fault_is_broken_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    place = tmp_path / "nowhere.pbcg"
    lines = at_terminal(monkeypatch, 60, "status", place)
    assert len(lines) > 1 and str(place) in lines[0]
    assert all(line.startswith("  ") and line[2] != " " for line in lines[1:])


def test_data_is_never_broken(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for args in (
        ("status", file, "--json"),
        ("position", "schema"),
        ("drop", "orders", "--template"),
    ):
        assert at_terminal(monkeypatch, 40, *args) == run_pbcg(*map(str, args)).out.splitlines()


def test_a_command_to_be_copied_stays_whole(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    lines = at_terminal(monkeypatch, 50, "refit", file)
    assert sum(f'"pbcg refit {file}"' in line for line in lines) == 1
    line = "  pbcg records evening.pbcg --as german -o german.pdf"
    assert fold(line, 20) == line


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ("Next:          CG19 How did it end?", 15),
        ("  9.606      6-4-8 stays.", 13),
        ("plain words", 2),
        ("   moved in", 5),
        (" - an item", 3),
        ("12. an item", 4),
        (f"{'far ' * 12}  away", 2),
    ],
)
def test_how_far_it_is_moved_in(line: str, column: int) -> None:
    assert hanging(line, 80) == column


def test_every_word_and_style_is_kept_at_any_width() -> None:
    source = random.Random(9603)
    for _ in range(300):
        words = ["".join(source.choices("ab(.", k=source.randint(1, 12))) for _ in range(30)]
        indent = " " * source.randint(0, 6)
        text = indent + "".join(f"{word}{' ' * source.choice((1, 1, 1, 2))}" for word in words)
        width = source.randint(20, 90)
        styled = re.sub("ab", lambda found: typer.style(found[0], fg="red"), text)
        plain, shown = fold(text, width), fold(styled, width)
        assert STYLE.sub("", shown) == plain
        assert STYLE.findall(shown) == STYLE.findall(styled)
        assert plain.split() == words
        assert all(len(part.rstrip()) <= width for part in plain.split("\n"))
        assert broken(Text(text), width).plain.split() == words


def test_a_question_and_what_moves_the_cursor_are_left_alone() -> None:
    out = Tty()
    stream = FoldingStream(out)
    for text in ("Why? " * 40, f"\x1b[2K\r{'x ' * 90}\n"):
        stream.write(text)
    assert out.getvalue() == "Why? " * 40 + f"\x1b[2K\r{'x ' * 90}\n"
    assert os.environ["COLUMNS"] == "80"


# -- what help says ---------------------------------------------------------------------------


def commands() -> list[tuple[str, ...]]:
    """Every command and the commands below it."""
    found: list[tuple[str, ...]] = []
    for name, (place, _) in COMMANDS.items():
        module, _, app = place.partition(":")
        command = typer.main.get_command(
            getattr(import_module(module, "asl_pbcg.cli"), app or "app")
        )
        found.append((name,))
        found += [(name, each) for each in getattr(command, "commands", {})]
    return found


@pytest.mark.parametrize("command", commands(), ids=" ".join)
def test_help_names_no_default_that_says_nothing(command: tuple[str, ...]) -> None:
    told = " ".join(run_pbcg(*command, "--help").out.split())
    assert "Usage" in told
    assert "dynamic" not in told and "[default: -1]" not in told


def test_help_on_positions_names_what_one_does_with_them() -> None:
    told = run_pbcg("position", "--help").out
    for words in ("from-vasl", "template", "edit", "check", "areas", "refit", "convert", "schema"):
        assert re.search(rf"\b{words}\b", told), words
