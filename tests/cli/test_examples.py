"""The example at the end of each command's help is one, and runs."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from in_process import pbcg
from vasl_writer import write_position

from asl_pbcg.campaign.board.board import load_board
from asl_pbcg.campaign.entry.position_files import read_position
from asl_pbcg.campaign.module.catalogue import load_catalogue
from asl_pbcg.cli.command_dress import EXAMPLES, dress, join_bash_words
from asl_pbcg.cli.main import app


def commands(group: Any = None, words: str = "") -> Iterator[tuple[str, Any]]:
    """Every command and group with the words that it is called by."""
    group = group or typer.main.get_command(app)
    if not hasattr(group, "list_commands"):
        return
    context = typer.Context(group)
    for name in group.list_commands(context):
        each = group.get_command(context, name)
        yield f"{words}{name}", each
        yield from commands(each, f"{words}{name} ")


ALL = dict(commands())


@pytest.mark.finding("G-63")
def test_every_command_has_an_example_and_no_other_is_named() -> None:
    assert set(EXAMPLES) == set(ALL)
    for words, command in ALL.items():
        told = command.get_help(typer.Context(command, terminal_width=120))
        own = f"pbcg {words} " if hasattr(command, "commands") else f"pbcg {EXAMPLES[words]}"
        assert own in " ".join(told.split()), words
        assert EXAMPLES[words].startswith(words), words
        assert dress(command, words).epilog.count("Example:") <= 1


@pytest.mark.finding("G-63")
def test_what_stands_for_a_value_is_written_in_one_way() -> None:
    word = r"[A-Z]+(?:[x:,=-]?[A-Za-z,]+)*"
    shape = re.compile(rf"\[?{word}(\[?[=:]\w+\])?(\|{word})*\]?(\.\.\.)?|[\w-]+(\|[\w-]+)+|AxB")
    for words, command in ALL.items():
        context = typer.Context(command)
        for each in command.params:
            if not getattr(each, "is_flag", False):
                metavar = each.make_metavar(context)
                assert shape.fullmatch(metavar), (words, metavar)


@pytest.mark.finding("G-63")
def test_no_line_of_help_is_broken_at_80_columns() -> None:
    for words, command in ALL.items():
        context = typer.Context(command, info_name=words, terminal_width=80)
        assert not [line for line in command.get_help(context).splitlines() if len(line) > 80]


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_word_of_help_is_broken(width: int) -> None:
    """An option, a file or a command that is copied out of it stays whole."""
    for words, command in ALL.items():
        wide, told = (
            command.get_help(typer.Context(command, terminal_width=each, max_content_width=each))
            for each in (400, width)
        )
        assert set(told.split()) == set(wide.split()), words


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all files that the examples name; each has a seed.

    A game that happens to end with a roll, say, is undone only with a reason.
    """
    folder = tmp_path_factory.mktemp("examples")
    pbcg("demo", folder / "demo")
    evening = folder / "evening.pbcg"
    shutil.move(folder / "demo" / "coup-de-main.pbcg", evening)
    shutil.move(folder / "demo" / "night-1-end.yaml", folder / "night-1.yaml")
    shutil.rmtree(folder / "demo")
    pbcg("refit", evening, "--position", folder / "night-1.yaml", "--auto", "5")
    shutil.copyfile(evening, folder / "evening-karl.pbcg")
    position = read_position(folder / "night-1.yaml", load_board(), load_catalogue())
    (folder / "battle.vsav").write_bytes(write_position(position).content())
    pbcg("drop", "orders", "--template", "-o", folder / "orders.yaml")
    pbcg("drop", "orders", folder / "sealed.pbcg", "--seal", folder / "orders.yaml")
    pbcg("st", "new", folder / "bridge.pbcg", "--historical", "--seed", "4")
    pbcg("st", "play", folder / "bridge.pbcg", "--auto", "good")
    pbcg("st", "map", "new", folder / "mymap.yaml", "--filled")
    line = "unit Warwicks british veteran 8\nq\n"
    pbcg("mega", "run", folder / "table3.mega", "--seed", "4", typed=line)
    return folder


_TYPED = {"undo": "y\n", "position from-vasl": "1\n" + "\n" * 20}


@pytest.mark.finding("G-63")
@pytest.mark.parametrize("words", EXAMPLES)
def test_the_example_runs(
    words: str, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "table"
    shutil.copytree(table, folder)
    if words.startswith("drop ") and words != "drop orders":
        (folder / "sealed.pbcg").rename(folder / "drop.pbcg")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PBCG_SETTINGS", str(tmp_path / "settings"))
    if words == "redo":
        pbcg("undo", "evening.pbcg", "--reason", "the wrong squad")
    if words == "hand":
        players = "players/british=Anne, Ben"
        pbcg("correct", "evening.pbcg", players, "--reason", "Ben has come")
    if words == "unseal":
        pbcg("seal", "evening.pbcg", "--as", "german")
    if words == "drop draw":
        pbcg("drop", "run", "drop.pbcg", "--seed", "9", "--defaults")
    if words == "serve":
        serve_once(shlex.split(EXAMPLES[words]))
        return
    pbcg(*shlex.split(EXAMPLES[words]), typed=_TYPED.get(words, "q\n"))


def serve_once(words: list[str]) -> None:
    """Serve until the page answers, then stop it as its user does."""
    line = [sys.executable, "-m", "asl_pbcg", *words, "--no-open", "--json"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as serving:
        assert serving.stdout
        address = json.loads(serving.stdout.readline())["addresses"]["both"]
        assert urllib.request.urlopen(address).status == 200
        serving.send_signal(signal.SIGINT)
        assert serving.wait(20) == 130 or not serving.returncode


@pytest.mark.finding("G-63")
@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("sta", "status"),
        ("st se", "settings"),
        ("table esc", "escape.infantry"),
        ("rules 9.60", "9.606"),
        ("rulings C-1", "C-14"),
        ("units 6-", "6-4-8"),
        ("board show z1", "Z15"),
        ("records a.pbcg -o a.pdf --paper ", "letter"),
        ("records a.pbcg -o a.pdf --as g", "german"),
        ("areas a.yaml --around Y2", "Y20"),
        ("new a.pbcg --house-rule C-1", "C-14="),
        ("new a.pbcg --house-rule C-14", "C-14=neighbours"),
        ("new a.pbcg --house-rule C-14 =", "any"),
        ("new a.pbcg --house-rule C-14 = ne", "neighbours"),
        ("new a.pbcg --house-rule = C-14 = ne", "neighbours"),
        ("new a.pbcg --house-rule = C-1", "C-14="),
        ("st new a.pbcg --setting gammon_u", "gammon_uses=2"),
        ("st sim --vary gammon_uses = 3,", "3,2"),
        ("st settings gam", "gammon_uses"),
        ("drop glider --target y2", "Y20"),
    ],
)
def test_tab_completes_what_players_look_up(
    line: str, wanted: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As bash asks for it: the words so far, and which of them is begun."""
    monkeypatch.setenv("_PBCG_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", f"pbcg {line}".replace(" ", "\n"))
    monkeypatch.setenv("COMP_CWORD", str(len(line.split(" "))))
    monkeypatch.delenv("_PBCG_TYPED", raising=False)
    join_bash_words()
    with pytest.raises(SystemExit):
        app(prog_name="pbcg")
    assert wanted in capsys.readouterr().out.split()


@pytest.mark.finding("G-63")
def test_the_readme_lists_every_page_for_players() -> None:
    root = Path(__file__).parent.parent.parent
    readme = (root / "README.md").read_text("utf-8")
    pages = (root / "docs" / "players").glob("*.md")
    assert not [page.name for page in pages if f"| [docs/players/{page.name}]" not in readme]
