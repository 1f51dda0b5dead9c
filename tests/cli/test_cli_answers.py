"""A command returns its answer: printed for people, as JSON, as a comma table."""

from __future__ import annotations

import ast
import json
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import msgspec
import pytest
import typer
from in_process import run_pbcg
from typer.testing import CliRunner

from asl_pbcg.cli import main
from asl_pbcg.cli.command_answers import Answer, OptionGroup, answers, show_facts
from asl_pbcg.cli.command_dress import EXAMPLES

PAGE = Path(__file__).parent.parent.parent / "docs" / "engineers" / "building.md"


def leaves(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Every command below another, by what is typed."""
    if not hasattr(command, "list_commands"):
        yield " ".join(path), command
        return
    for name in command.list_commands(None):
        yield from leaves(command.get_command(None, name), (*path, name))


@pytest.mark.finding("G-63")
def test_every_command_answers_as_json() -> None:
    without = [
        name
        for name, command in leaves(typer.main.get_command(main.app))
        if not any("--json" in option.opts for option in command.params)
    ]
    assert not without


ALL = [name for name, _ in leaves(typer.main.get_command(main.app))]


@pytest.mark.finding("G-63")
@pytest.mark.parametrize("words", [*ALL, "board", "mega", "no-such-command"])
def test_a_line_that_cannot_be_read_is_refused_as_json_too(words: str) -> None:
    refused = run_pbcg(*words.split(), "--no-such-option", "--json")
    (fault,) = json.loads(refused.out)["faults"]
    assert refused.code == 2 and fault["wrong"] in refused.err
    assert "no-such" in fault["wrong"]


@pytest.mark.finding("G-63")
@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("status --json", "FILE"),
        ("st sim -n x --json", "not a whole number"),
        ("st film g.pbcg -o g.gif --seconds x --json", "not a number"),
        ("log g.pbcg --as grman --json", "'german'"),
    ],
)
def test_a_wrong_word_is_told_as_people_say_it(line: str, wrong: str) -> None:
    refused = run_pbcg(*line.split())
    assert refused.code == 2
    assert wrong in json.loads(refused.out)["faults"][0]["wrong"]


@pytest.mark.parametrize("words", ["", "st", "drop", "mega", "position", "board", "st map"])
def test_a_group_by_itself_shows_its_help_where_a_pager_can_take_it(words: str) -> None:
    told = run_pbcg(*words.split())
    assert "Commands:" in told.out and not told.err


@pytest.mark.finding("G-63")
def test_a_conversation_answers_where_it_ended(tmp_path: Path) -> None:
    """What was said goes to stderr, so that a program reads the answer alone."""
    game, table, end = tmp_path / "g.pbcg", tmp_path / "t.mega", tmp_path / "end.yaml"
    run_pbcg("st", "new", game, "--historical", "--seed", 4)
    played = run_pbcg("st", "play", game, "--json", typed="q\n")
    status = run_pbcg("st", "status", game, "--json")
    assert json.loads(played.out) == json.loads(status.out)
    assert "h help" in played.err

    umpired = run_pbcg("mega", "run", table, "--json", typed="unit A green 3\nstatus --json\n")
    status = run_pbcg("mega", "status", "--log", table, "--json")
    assert json.loads(umpired.out) == json.loads(status.out)
    assert '"A"' in umpired.err and "begun" in umpired.err

    edited = run_pbcg("position", "edit", end, "--json", typed="648 k9 new\nfaults\n")
    checked = run_pbcg("position", "check", end, "--json")
    assert json.loads(edited.out) == json.loads(checked.out)
    assert json.loads(edited.out)["sides"]["british"]["squad"] == 1


def test_the_guide_answers_its_lessons_and_asks_nothing(tmp_path: Path) -> None:
    told = run_pbcg("st", "guide", tmp_path / "guide.pbcg", "--json")
    assert all(lesson["orders"] for lesson in json.loads(told.out)["lessons"])
    assert not told.err and not list(tmp_path.iterdir())


def test_serve_says_its_addresses_in_a_line_once_it_is_ready(tmp_path: Path) -> None:
    serving = subprocess.Popen(
        [sys.executable, "-m", "asl_pbcg", "serve", tmp_path, "--no-open", "--json"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert serving.stdout
    ready = json.loads(serving.stdout.readline())
    try:
        address = ready["addresses"]["both"]
        assert urllib.request.urlopen(address).status == 200
        assert list(ready["addresses"]) == ["both", "british", "german", "umpire"]
    finally:
        serving.send_signal(signal.SIGINT)
        serving.communicate(timeout=20)


@pytest.mark.finding("J-92")
def test_the_command_of_the_walk_works_as_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``docs/engineers/building.md``: a made-up command in under 40 lines, lints included."""
    section = PAGE.read_text("utf-8").partition("## Add a command")[2].partition("\n## ")[0]
    (code,) = re.findall(r"```python\n(.*?)```", section, re.S)
    assert len(code.splitlines()) < 40
    file = tmp_path / "tide_command.py"
    file.write_text(code, encoding="utf-8")
    lint = [sys.executable, "-m", "ruff", "check", "--config", PAGE.parents[2] / "pyproject.toml"]
    linted = subprocess.run([*lint, file], capture_output=True, text=True, check=False)
    assert linted.returncode == 0, linted.stdout
    (line,) = re.findall(r"`(\"tide\": \"[^`]*\",)`", section)
    for words, example in ast.literal_eval(f"{{{line}}}").items():
        monkeypatch.setitem(EXAMPLES, words, example)  # type: ignore[arg-type]
    module = ModuleType("tide_command")
    monkeypatch.setitem(__import__("sys").modules, "asl_pbcg.cli.tide_command", module)
    exec(compile(code, str(PAGE), "exec", dont_inherit=True), vars(module))
    monkeypatch.setitem(main.COMMANDS, "tide", (".tide_command", "When the canal rises."))
    assert json.loads(run_pbcg("tide", 5, "--json").out) == {"hour": 5, "level": "high"}
    assert "pbcg tide 5" in run_pbcg("tide", "--help").out
    assert run_pbcg("tide", 5).out.split() == ["Hour:", "5", "Level:", "high"]
    refused = run_pbcg("tide", 24, "--json")
    assert refused.code == 2 and "0 to 23" in refused.err
    assert "0 to 23" in json.loads(refused.out)["faults"][0]["wrong"]


class Fall(msgspec.Struct, frozen=True):
    """A line of a made-up answer."""

    side: str
    counts: tuple[int, ...]
    known: bool = True


def test_many_of_one_kind_are_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    show_facts([Fall("british", (1, 2)), Fall("german", ())])
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines == [
        ["side", "counts", "known"],
        ["british", "1,", "2", "yes"],
        ["german", "yes"],
    ]
    show_facts([])


class Water(OptionGroup, frozen=True, kw_only=True):
    """Options that commands share."""

    moon: Annotated[str, typer.Option(help="new or full.")] = "new"
    hour: Annotated[int, typer.Option("--at")] = 12


def test_an_option_group_gives_a_command_all_its_options() -> None:
    app = typer.Typer()

    @app.command()
    @answers
    def tide(water: Water, place: str) -> Answer:
        return Answer({"moon": water.moon, "hour": water.hour, "place": place})

    told = CliRunner().invoke(app, ["Ouistreham", "--moon", "full", "--at", "5", "--json"])
    assert json.loads(told.stdout) == {"moon": "full", "hour": 5, "place": "Ouistreham"}


@pytest.mark.finding("G-63")
def test_files_are_told_in_one_wording(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For people and programs: also those that tell more than the file."""
    monkeypatch.chdir(tmp_path)
    run_pbcg("new", "a.pbcg", "--campaign", "CG1", "--auto", "3")
    run_pbcg("st", "new", "g.pbcg", "--historical", "--seed", "4")
    run_pbcg("st", "play", "g.pbcg", "--auto", "good", "--until", "3")
    lines = {
        "records a.pbcg -o a.csv --sheet roster": "a-dates.csv",
        "rescue a.pbcg -o b.pbcg": "b.pbcg",
        "st branch g.pbcg --turn 2 -o h.pbcg": "h.pbcg",
        "st records g.pbcg -o g.pdf": "g.pdf",
        "map a.pbcg -o m.png --around Z15 --radius 2": "m.png",
    }
    for line, file in lines.items():
        assert re.search(rf"^Written: .*{file}", run_pbcg(*line.split()).out, re.MULTILINE), line
        Path(file).unlink()
        written = json.loads(run_pbcg(*line.split(), "--json").out)["written"]
        assert file in written and all(Path(each).exists() for each in written)
