"""Every command that the program or its pages print is one: it is read by the very parser."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from in_process import run_pbcg
from typer.testing import CliRunner

from asl_pbcg.cli.main import COMMANDS, app
from asl_pbcg.kernel.errors import PBCGError

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs" / "players").glob("*.md"))]
USAGE: Any = typer.BadParameter.__mro__[1]


def read(command: str) -> None:
    """Read a command line as the shell and pbcg would, without running it. Raises UsageError."""
    words = shlex.split(re.split(r" #| > | \| ", command)[0])
    assert words.pop(0) == "pbcg"
    found: Any = typer.main.get_command(app)
    context = None
    while True:
        context = found.make_context(found.name or "pbcg", words, parent=context)
        if not hasattr(found, "commands") and not hasattr(found, "table"):
            return
        words = [*context._protected_args, *context.args]
        if not words:
            return
        _, found, words = found.resolve_command(context, words)


def pages() -> Iterator[tuple[str, str]]:
    """The commands in the blocks of the pages, and those in backquotes that are whole."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        name = page.relative_to(ROOT).as_posix()
        inside = False
        for line in text.splitlines():
            inside ^= line.startswith("```")
            if not inside and not line.startswith("    "):
                continue  # a sentence may begin with the program's name
            line = line.strip().removeprefix("$ ")
            if line.startswith("pbcg ") and not PLACE.search(line) and "--install" not in line:
                yield name, line.split("   ")[0]
        for quoted in re.findall(r"`(pbcg [^`\n]+)`", text):
            if not PLACE.search(quoted) and len(quoted.split()) > 3:
                yield name, quoted


PLACE = re.compile(r"\.\.\.|…|\[|\||<|\b(?:SEED|ID|CHOICE|CAMPAIGN|MAP|TURN|LINE)\b")
"""What stands for something else in a command: it is a pattern, not a command."""


def hints() -> Iterator[tuple[str, str]]:
    """The commands in the sentences of the program, its own values in place of placeholders."""
    for module in sorted((ROOT / "asl_pbcg").rglob("*.py")):
        source = module.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)) if "pbcg " in source else ():
            if isinstance(node, ast.JoinedStr):
                text = "".join(
                    str(part.value) if isinstance(part, ast.Constant) else "x.pbcg"
                    for part in node.values
                )
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                text = node.value
            else:
                continue
            lines = re.findall(r"^ +(pbcg .+)$", text, re.MULTILINE)
            for quoted in [
                *re.findall(r'"(pbcg [^"]+)"', text),
                *(lines if isinstance(node, ast.JoinedStr) else []),
            ]:
                if not PLACE.search(quoted):
                    yield module.name, quoted.replace("--as x.pbcg", "--as german")


@pytest.mark.finding("F-60")
@pytest.mark.parametrize(("where", "command"), sorted(set(pages())))
def test_the_pages_print_commands(where: str, command: str) -> None:
    named(command)


@pytest.mark.finding("F-35")
@pytest.mark.parametrize(("where", "command"), sorted(set(hints())))
def test_the_program_prints_commands(where: str, command: str) -> None:
    named(command)


def named(command: str) -> None:
    """A sentence may name a command without what it is about; not with a wrong option."""
    try:
        read(command)
    except typer.Exit:
        assert command.endswith("--help")
    except USAGE as error:
        assert "Missing argument" in error.format_message(), error.format_message()
        assert not re.search(r"\.(pbcg|yaml|xlsx|mega)\b", command)


def test_a_wrong_command_is_seen() -> None:
    for wrong in ("pbcg records --nonsense", "pbcg refti a.pbcg", "pbcg st play", "pbcg records a"):
        with pytest.raises((USAGE, PBCGError)):
            read(wrong)


@pytest.mark.finding("F-35")
def test_what_new_prints_can_be_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run = CliRunner()
    told = run.invoke(app, ["new", "a.pbcg", "--campaign", "cg1", "--auto", "--seed", "3"]).output
    told += run.invoke(app, ["st", "new", "g.pbcg", "--historical"]).output
    printed = re.findall(r'"(pbcg [^"]+)"', told)
    assert len(printed) > 1
    for command in printed:
        result = run.invoke(app, shlex.split(command)[1:], input="q\n")
        assert result.exit_code == 0, (command, result.output, result.exception)


def test_every_command_has_its_help() -> None:
    run = CliRunner()
    for name in COMMANDS:
        result = run.invoke(app, [name, "--help"])
        assert result.exit_code == 0, name


def commands_below(group: Any, *words: str) -> Iterator[tuple[str, Any]]:
    """Every command with the words that call it."""
    for name in group.list_commands(None):
        command = group.get_command(None, name)
        yield " ".join([*words, name]), command
        if hasattr(command, "list_commands"):
            yield from commands_below(command, *words, name)


def test_help_in_a_narrow_terminal_names_everything_in_whole() -> None:
    whole = " ".join(run_pbcg("correct", "--help").out.split())
    assert "[broken" in whole
    for words, command in commands_below(typer.main.get_command(app)):
        help = run_pbcg(*words.split(), "--help", environment={"COLUMNS": "50"}).out
        assert "…" not in help, words
        for name in getattr(command, "commands", {}):
            assert not re.search(rf"\n  {name} [^.]*\.\.\.\n", help), (words, name)
        for param in command.params:
            shown = param.param_type_name == "option" and not param.hidden
            for name in param.opts if shown else ():
                assert re.search(rf"(?<![\w-]){name}(?![\w-])", help), (words, name)
