"""Text of foreign files and of people: nothing of it commands a terminal or hides in a line."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from in_process import run_pbcg
from sentences import Tells
from web_help import app_client

from asl_pbcg.cli.terminal.sentences import Sentences
from asl_pbcg.cli.terminal.streams import GuardedStream, guard_text
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.files import UNSEEN, check_file_name, make_new, read_line, write_atomic
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.play.campaign_game.campaign_plug import create_campaign

pytestmark = pytest.mark.finding("G-44")

SAMPLE = Path(__file__).parent.parent.parent / "data" / "pb" / "samples" / "night-1-end.yaml"
EVIL = "A\x1b[2J\x1b]0;title\x07\x9b31m\u202eB\u2066\u200b\x1b[8m\r\u2028C"
"""A name that clears the screen, sets a title, turns the line round and hides the rest."""
BAD = [
    "a\x1bb",
    "a\x9bb",
    "a\u202eb",
    "a\u2066b",
    "a\u200fb",
    "a\u2028b",
    "a\nb",
    "a\x00b",
    "\ta\tb",
]


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign file of somebody else's, whose players have such names."""
    path = tmp_path_factory.mktemp("foreign") / "evening.pbcg"
    players = {"british": EVIL, "german": f"{EVIL}2"}
    settings = {"campaign": "CG1", "players": players, "house_rules": {}, "balance": ""}
    create_campaign(path, {"settings": settings, "dice": "seeded", "seed": 4}).close()
    assert run_pbcg("refit", path, "--auto", "4").code == 0
    return path


def shown(text: str) -> list[str]:
    """What in a text would command a terminal or cannot be seen."""
    return re.findall(f"[{UNSEEN}]", text)


COMMANDS = [
    ("log", "FILE"), ("status", "FILE"), ("verify", "FILE"), ("compare", "FILE", "FILE"),
    ("history", "FILE"), ("dice", "FILE"), ("refit", "FILE"), ("undo", "FILE"),
    ("log", "FILE", "--piece", EVIL), ("areas", f"{EVIL}.yaml".replace("/", "")),
    ("position", "check", f"no{EVIL}.xlsx"), ("table", EVIL), ("rules", EVIL), (EVIL,),
    ("new", f"x{EVIL}.pbcg", "--campaign", "CG1", "--auto", "1"), ("correct", "FILE", f"{EVIL}=1"),
]  # fmt: skip


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0] if words[0] != EVIL else "x")
def test_no_command_prints_what_commands_a_terminal(
    words: tuple[str, ...], foreign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "evening.pbcg"
    file.write_bytes(foreign.read_bytes())
    told = run_pbcg(*(str(file) if word == "FILE" else word for word in words), typed="q\n")
    assert told.out + told.err
    assert shown(told.out) == shown(told.err) == []


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_a_real_process_prints_signs(encoding: str, foreign: Path) -> None:
    told = subprocess.run(
        [sys.executable, "-m", "asl_pbcg", "status", foreign, "--json"],
        capture_output=True, env=os.environ | {"PYTHONIOENCODING": encoding}, check=True,
    )  # fmt: skip
    assert shown(told.stdout.decode(encoding)) == []


def test_data_for_programs_keep_their_value(foreign: Path) -> None:
    told = run_pbcg("log", foreign, "--json")
    assert shown(told.out) == [] and isinstance(json.loads(told.out), list)
    assert json.loads(guard_text(f'"\u202ea{chr(0xE0001)}"', True)) == f"\u202ea{chr(0xE0001)}"


def test_own_styles_pass_and_no_others() -> None:
    import io

    own = "\x1b[1m\x1b[31mred\x1b[0m \x1b[1;36mcyan\x1b[0m\n\tend — ½\n"
    assert guard_text(own) == own
    for other in (
        "\x1b[8m",
        "\x1b[30m",
        "\x1b[90m",
        "\x1b[1;8m",
        "\x1b[38;5;0m",
        "\x1b[41m",
        "\x1b[1A",
        "\x1b",
    ):
        assert "\x1b" not in guard_text(f"a{other}b")
    stream = GuardedStream(io.StringIO())
    stream.writelines([EVIL, "\n"])
    stream.command("\x1b[2J")
    assert shown(stream.getvalue().removesuffix("\x1b[2J")) == []
    assert stream.getvalue().endswith("\x1b[2J")


@pytest.mark.parametrize("colours", ["standard", "256", "truecolor"])
def test_the_line_above_a_question_keeps_its_colour(colours: str) -> None:
    import io

    out = GuardedStream(io.StringIO())
    console = Sentences(file=out, force_terminal=True, color_system=colours, width=60)
    console.rule("RePh after Night I", align="left")
    console.print("a question", style="bold magenta")
    head, question = out.getvalue().splitlines()
    assert "U+001B" not in head + question
    assert len(re.sub(r"\x1b\[[0-9;]*m", "", head)) == 60


# -- what people enter ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", BAD)
def test_names_reasons_and_texts_refuse_what_cannot_be_seen(
    name: str, foreign: Path, tmp_path: Path
) -> None:
    file = tmp_path / "new.pbcg"
    told = run_pbcg("new", file, "--campaign", "CG1", "--british", name, "--auto", "1")
    assert told.code == 2 and not file.exists()
    file.write_bytes(foreign.read_bytes())
    before = run_pbcg("log", file).out
    for words in (("undo", file, "--reason", name), ("correct", file, "cpp.british=3", name)):
        run_pbcg(*words, "--yes") if words[0] == "correct" else run_pbcg(*words)
        assert "a\u202eb" not in run_pbcg("log", file).out
    assert before
    with pytest.raises(PBCGError):
        read_line(name, "A reason", 50)
    with pytest.raises(IllegalAnswer):
        Prompt(id="t", kind="text", text="?").check(name)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Any]:
    with app_client(tmp_path, "umpire") as found:
        yield found


DEVICES = ["CON", "con.x", "Aux", "nul", "COM1", "lpt9.tar.gz", "PRN .x"]
NAMES = [*DEVICES, "end.", "end ", "a:b", 'a"b', "a|b", "a?b", "a*b", "a<b", "a\\b", *BAD[:6]]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_windows_cannot_hold_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(PBCGError):
        check_file_name(name)
    for write in (write_atomic, make_new):
        with pytest.raises(PBCGError):
            write(tmp_path / name, b"x")
    assert not list(tmp_path.iterdir())


@pytest.mark.finding("J-10")
@pytest.mark.parametrize("name", ["-rf", "--help", "-", "~", "~root", "-.pbcg"])
def test_a_name_taken_for_an_option_or_a_home_is_refused(
    client: Any, name: str, tmp_path: Path
) -> None:
    with pytest.raises(PBCGError, match="begins with"):
        check_file_name(name)
    for write in (write_atomic, make_new):
        with pytest.raises(PBCGError, match="begins with"):
            write(tmp_path / name, b"x")
    wanted = {"kind": "campaign", "name": name, "campaign": "CG1"}
    refused = client.post("/api/games", json=wanted)
    assert refused.status_code == 422 and "begins with" in refused.json()["sentence"]
    wanted = {**wanted, "name": "evening"}
    id = client.post("/api/games", json=wanted).json()["id"]
    for change in ("name", "copy"):
        assert client.post(f"/api/games/{id}/{change}", json={"name": name}).status_code == 422
    assert [each["file"] for each in client.get("/api/games").json()["games"]] == ["evening.pbcg"]


@pytest.mark.parametrize(
    "name", ["evening", "Conrad", "console.txt", "a.b", "Ä 1", ".hidden", "com"]
)
def test_other_names_are_taken(name: str, tmp_path: Path) -> None:
    check_file_name(name)
    write_atomic(tmp_path / name, "x")
    assert (tmp_path / name).exists()


@pytest.mark.parametrize("words", [
    ("position", "template", "CON.xlsx"), ("new", "aux.pbcg", "--campaign", "CG1", "--auto", "1"),
    ("map", "FILE", "-o", "nul.pdf"), ("records", "FILE", "-o", "com1.xlsx"),
    ("areas", "POSITION", "-o", "prn.pdf"),
])  # fmt: skip
def test_commands_make_no_file_of_such_a_name(
    words: tuple[str, ...], foreign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    given = {"FILE": str(foreign), "POSITION": str(SAMPLE)}
    told = run_pbcg(*(given.get(word, word) for word in words))
    assert told.code == 2 and "Windows" in told.err
    assert not list(tmp_path.iterdir())


def test_the_sentences(tells: Tells) -> None:
    for name in ("CON.xlsx", "end.", "a:b", "a\u202eb"):
        with pytest.raises(PBCGError) as caught:
            check_file_name(name)
        tells(str(caught.value))
    with pytest.raises(PBCGError) as caught:
        read_line("a\u202eb", "A player's name", 60)
    tells(str(caught.value), "U+202E")


@pytest.mark.parametrize("name", [*(each for each in NAMES if each != "end "), " . ", ""])
def test_the_page_makes_no_game_of_such_a_name(client: Any, name: str) -> None:
    wanted = {"kind": "campaign", "name": name, "campaign": "CG1"}
    assert client.post("/api/games", json=wanted).status_code == 422
    assert client.get("/api/games").json()["games"] == []


@pytest.mark.parametrize("name", BAD)
def test_the_page_takes_no_player_of_such_a_name(client: Any, name: str) -> None:
    wanted = {"kind": "campaign", "name": "ours", "campaign": "CG1", "british": name}
    assert client.post("/api/games", json=wanted).status_code == 422
