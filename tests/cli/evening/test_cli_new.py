"""``pbcg new`` as a player meets it: typed answers, files, random play, kills and mistakes."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from in_process import ENVIRONMENT, pbcg, run_pbcg
from sentences import Tells, raised

from asl_pbcg.cli.campaign_file import open_campaign
from asl_pbcg.cli.evening.new import at_scenario
from asl_pbcg.kernel.answers import RandomAnswers, drive
from asl_pbcg.kernel.data import data_path
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.errors import PBCGError

END = data_path("pb/samples/night-1-end.yaml")


def test_typed_answers_make_a_campaign(tells: Tells, tmp_path: Path) -> None:
    file = tmp_path / "evening.pbcg"
    typed = "5\n1\nzzz\n1\nx\n" + "done\n" + "\n" * 40
    told = pbcg("new", file, "--campaign", "CG2", "--german", "Jürgen", typed=typed)
    tells(told, "25 CPP", "RG")
    assert '"1" is not a choice' not in told
    assert "PzGrenadier Coy cannot" not in told
    tells(told, "Pltn", "9.6177")
    tells(told, "zzz")
    tells(told, "Strength", "83%", "Depleted", "17%")
    tells(told, "Kept")


def test_leaving_and_ctrl_c_keep_everything(tells: Tells, tmp_path: Path) -> None:
    file = tmp_path / "evening.pbcg"
    told = pbcg("new", file, "--campaign", "CG2", typed="V1\nA7\nq\n")
    tells(told, "Kept")
    session = open_campaign(file)
    assert [entry.body for entry in session.journal.standing()] == ["V1", "A7"]
    session.journal.close()


def test_undo_key(tells: Tells, tmp_path: Path) -> None:
    file = tmp_path / "evening.pbcg"
    told = pbcg("new", file, "--campaign", "CG2", typed="V1\nA7\nu\nu\nu\nq\n")
    tells(told, "Undone", "in secret", "German")
    tells(told, "nothing")
    session = open_campaign(file)
    assert session.journal.standing() == []
    session.journal.close()


def test_undo_over_a_roll_needs_a_reason(tells: Tells, tmp_path: Path) -> None:
    file = tmp_path / "evening.pbcg"
    told = pbcg("new", file, "--campaign", "CG1", typed="\nu\n\nu\ndie on the floor\nq\n")
    tells(told, "reason")
    session = open_campaign(file)
    assert session.journal.standing() == []
    tells(session.journal.entries()[-1].body["reason"], "floor")
    session.journal.close()


def test_undo_to_a_step_needs_a_reason(tells: Tells, tmp_path: Path) -> None:
    file = tmp_path / "evening.pbcg"
    pbcg("new", file, "--campaign", "CG2", typed="V1\nA7\nq\n")
    told = pbcg("undo", file, "--to", "9.617", code=2)
    tells(told, "reason")
    told = pbcg("undo", file, "--to", "9.606", "--reason", "bought too early", code=2)
    tells(told, "dawn/9.606", "dawn/9.617")
    told = pbcg("undo", file, "--to", "9.617", "--reason", "bought too early")
    tells(told, "2 answers", "dawn/9.617")
    tells(told, "9.617.1", "25 CPP", "RG")
    session = open_campaign(file)
    assert session.journal.standing() == []
    session.journal.close()


def test_real_dice_are_typed(tells: Tells, tmp_path: Path) -> None:
    file = tmp_path / "evening.pbcg"
    typed = "7\n2\n3 3\n" + "q\n"
    told = pbcg("new", file, "--campaign", "CG1", "--dice", "manual", typed=typed)
    tells(told, "show 7", "shows 1", "6")
    session = open_campaign(file)
    rolls = [entry.body for entry in session.journal.standing()]
    assert rolls == [[2], [3, 3]]
    session.journal.close()


def test_an_answers_file(tells: Tells, tmp_path: Path) -> None:
    answers = tmp_path / "answers.yaml"
    bought = "format: pbcg-answers/1\nanswers:\n- 9.617.1: I5\n- 9.617.2: J0\n- 9.617.1: done\n"
    answers.write_text(bought, encoding="utf-8")
    told = pbcg("new", tmp_path / "a.pbcg", "--campaign", "CG2", "--answers", answers, typed="q\n")
    tells(told, "answers")
    # An answer to another question than the one asked ends it, and names both.
    answers.write_text(bought + "- 9.6141: none\n", encoding="utf-8")
    told = pbcg("new", tmp_path / "b.pbcg", "--campaign", "CG2", "--answers", answers, code=2)
    tells(told, "answer 4", "9.6141", "9.619.1")
    # Dice of a file in a campaign with program dice are taken, and marked (F-74).
    answers.write_text(bought + "- 9.6181: [6, 6]\n", encoding="utf-8")
    pbcg("new", tmp_path / "c.pbcg", "--campaign", "CG2", "--answers", answers, typed="q\n")
    told = " ".join(pbcg("log", tmp_path / "c.pbcg", "--as", "umpire").split())
    assert "6+6=12: Depleted" in told
    assert "not with the campaign's own dice" in told


@pytest.mark.finding("F-35")
def test_new_and_records_say_as_json_what_came_of_it(tmp_path: Path) -> None:
    """F-35: as refit and status do, with the same keys, and nothing else on standard output."""
    file = tmp_path / "a.pbcg"
    told = run_pbcg("new", file, "--campaign", "CG1", "--auto", "--json", environment=ENVIRONMENT)
    status = run_pbcg("status", file, "--as", "umpire", "--json", environment=ENVIRONMENT)
    assert json.loads(told.out) == json.loads(status.out)
    printed = run_pbcg(
        "records", file, "--as", "umpire", "--sheet", "roster", "-o", tmp_path / "r.pdf", "--json",
        environment=ENVIRONMENT,
    )  # fmt: skip
    written = json.loads(printed.out)
    assert (written["written"], len(written["sheets"])) == ([str(tmp_path / "r.pdf")], 1)
    assert (tmp_path / "r.pdf").exists()


def test_the_same_seed_gives_the_same_campaign(tmp_path: Path) -> None:
    states = []
    for name in ("a", "b"):
        pbcg("new", tmp_path / f"{name}.pbcg", "--campaign", "CG2", "--auto", "--seed", "11")
        session = open_campaign(tmp_path / f"{name}.pbcg")
        states.append((session.state, session.lines()))
        session.journal.close()
    assert states[0] == states[1]


def test_auto_takes_a_seed_or_none(tmp_path: Path) -> None:
    """As a word by itself before whatever follows, and with a seed behind it; so in refit too."""

    def drawn(name: str, *args: str | Path) -> list[Any]:
        pbcg("new", *args)
        session = open_campaign(tmp_path / name)
        session.journal.close()
        return [(entry.kind, entry.body) for entry in session.journal.standing()]

    a, b, c, d = (tmp_path / f"{name}.pbcg" for name in "abcd")
    seven = drawn("a.pbcg", a, "--campaign", "CG2", "--auto", "7")
    assert seven == drawn("b.pbcg", b, "--campaign", "CG2", "--auto", "--seed", "7")
    none = drawn("c.pbcg", "--campaign", "CG2", "--auto", c)
    assert none == drawn("d.pbcg", d, "--campaign", "CG2", "--seed", "0", "--auto") != seven
    for args in (["--auto"], ["--auto", "0"]):
        pbcg("refit", a, "--position", END, *args, code=2)  # of another date: read, and refused
    pbcg("refit", a, "--auto", "x", code=2)


def test_real_dice_that_a_list_does_not_have_are_asked_for(tells: Tells, tmp_path: Path) -> None:
    """F-74: no dice of the program come into a campaign of real dice by the way of a list."""
    answers = tmp_path / "answers.yaml"
    bought = "format: pbcg-answers/1\nanswers:\n- 9.617.1: I5\n- 9.617.2: J0\n- 9.617.1: done\n"
    answers.write_text(bought, encoding="utf-8")

    def play(name: str, *args: str | Path, code: int = 0, typed: str = "") -> tuple[str, list[Any]]:
        file = tmp_path / name
        told = pbcg(*args, file, "--answers", answers, code=code, typed=typed)
        session = open_campaign(file)
        session.journal.close()
        standing = session.journal.standing()
        assert not any(isinstance(entry.body, dict) for entry in standing)  # no other dice
        return told, [entry.body for entry in standing]

    new = ("new", "--campaign", "CG2", "--dice", "manual")
    tells(play("a.pbcg", *new, code=2)[0], "answers.yaml", "9.6182")
    told, stands = play("b.pbcg", *new, typed="2\nq\n")  # one is thrown, then he leaves
    tells(told, "Kept")
    assert stands == ["I5", "J0", "done", [2]]
    # Dice that are typed do not end the list: what follows is answered from it.
    more = "otherwise:\n  9.6182: [1]\n  9.6183: [3, 4]\n"
    answers.write_text(bought + more, encoding="utf-8")
    told, stands = play("c.pbcg", *new, typed="6 5\nq\n")
    at = stands.index([6, 5])
    assert [1] in stands[3:at] and [1] in stands[at:] and [3, 4] in stands[at:]
    tells(told, "answers file")


def test_who_wants_the_dice_of_the_program_gets_them(tmp_path: Path) -> None:
    file, answers = tmp_path / "a.pbcg", tmp_path / "answers.yaml"
    answers.write_text(
        "format: pbcg-answers/1\nanswers:\n- 9.617.1: I5\n- 9.617.2: J0\n- 9.617.1: done\n",
        encoding="utf-8",
    )
    pbcg("new", file, "--campaign", "CG2", "--dice", "manual", typed="q\n")
    told = pbcg("refit", file, "--seeded", "--answers", answers, typed="q\n")
    assert "no dice" not in told
    session = open_campaign(file)
    session.journal.close()
    sources = [entry.body for entry in session.journal.standing() if entry.kind == "roll"]
    assert sources and all(each["source"] == "program" for each in sources)


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["--campaign", "CG3"], "CG3"),
        (["--campaign", "CG1", "--house-rule", "X=1"], 'does not name a house rule "X"'),
        (["--campaign", "CG1", "--house-rule", "C-14=maybe"], "must be one of: neighbours, any"),
        (["--campaign", "CG1", "--auto", "--answers", "x.yaml"], "--answers or --auto, not both"),
        (["--campaign", "CG1", "--answers", "missing.yaml"], "no such file or folder"),
        (["--campaign", "CG1", "--corrections", "missing.yaml"], "no such file or folder"),
        (["--campaign", "CG1", "--british", "x" * 70], "60 characters at most"),
    ],
)
def test_wrong_words(tmp_path: Path, args: list[str], sentence: str) -> None:
    file = tmp_path / "evening.pbcg"
    told = " ".join(pbcg("new", file, *args, code=2).split())
    assert sentence in told
    assert not file.exists()


def test_all_wrong_house_rules_at_once(tmp_path: Path) -> None:
    told = pbcg(
        "new", tmp_path / "a.pbcg", "--campaign", "CG1", "--house-rule", "X=1",
        "--house-rule", "C-14=maybe", "--house-rule", "C-16=no-isolated",
        "--house-rule", "C-16=no-isolated", code=2,
    )  # fmt: skip
    assert "has 3 faults" in told
    assert "sets C-16 twice" in told


def test_an_existing_file_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "evening.pbcg"
    file.write_text("my notes")
    told = pbcg("new", file, "--campaign", "CG1", "--auto", code=2)
    assert "exists already" in told
    assert file.read_text() == "my notes"


@pytest.mark.parametrize("seed", range(8))
def test_a_kill_loses_no_acknowledged_answer(tmp_path: Path, seed: int) -> None:
    file = tmp_path / "evening.pbcg"
    process = subprocess.Popen(
        [sys.executable, "-m", "asl_pbcg", "new", str(file), "--campaign", "CG2", "--auto",
         "--seed", str(seed), "--show"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, encoding="utf-8",
        env={**os.environ, **ENVIRONMENT, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    assert process.stdout
    told = []
    source = random.Random(seed)
    wanted = source.randint(0, 60)
    for line in process.stdout:
        told.append(line)
        if len(told) >= wanted:
            break
    time.sleep(source.uniform(0, 0.02))
    process.kill()
    told += process.stdout.readlines()
    process.stdout.close()
    process.wait()
    whole = [line for line in told if line.endswith("\n") and line.startswith("dawn/")]
    session = open_campaign(file)
    now = [f"{line.step}  {line.text}\n" for line in session.lines()]
    assert now[: len(whole)] == whole
    drive(session, RandomAnswers(seed), SeededDice(seed), until=lambda: at_scenario(session))
    assert session.state.at == "scenario"
    session.journal.close()


@pytest.mark.finding("F-36")
def test_a_campaign_is_held_by_one_writer_and_read_beside_it(tells: Tells, tmp_path: Path) -> None:
    file = tmp_path / "evening.pbcg"
    pbcg("new", file, "--campaign", "CG1", "--auto")
    session = open_campaign(file)
    pbcg("records", file, "-o", tmp_path / "a.pdf", "--as", "umpire")
    assert (tmp_path / "a.pdf").stat().st_size
    told = pbcg("undo", file, code=2)
    tells(told, "another")
    tells(raised(PBCGError, lambda: open_campaign(file)), "another")
    session.journal.close()
