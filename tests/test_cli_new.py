"""``pbcg new`` as a player meets it: typed answers, files, random play, kills and mistakes."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from in_process import run_pbcg
from sentences import Tells

from asl_pbcg.cli.campaign_file import open_campaign
from asl_pbcg.cli.new import at_scenario
from asl_pbcg.kernel.answers import RandomAnswers, drive
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.errors import PBCGError

ENVIRONMENT = {**os.environ, "COLUMNS": "100", "PYTHONIOENCODING": "utf-8"}


def pbcg(*args: str | Path, typed: str = "", code: int = 0) -> str:
    """Run the program; what it printed, both streams together."""
    result = run_pbcg(*args, typed=typed, environment=ENVIRONMENT)
    output = result.out + result.err
    assert result.code == code, output
    assert "Traceback" not in output
    return output


def test_typed_answers_make_a_campaign(tells: Tells, tmp_path: Path) -> None:
    file = tmp_path / "evening.pbcg"
    typed = "5\n1\nzzz\n1\nx\n" + "done\n" + "\n" * 40
    told = pbcg("new", file, "--campaign", "CG2", "--german", "Jürgen", typed=typed)
    tells(told, "25 CPP", "RG")
    assert '"1" is no choice' not in told
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
    tells(told, "9.617.2")
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
    tells(told, "2 answers", "dawn/9.617", "9.617.1")
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
    assert (written["file"], len(written["sheets"])) == (str(tmp_path / "r.pdf"), 1)
    assert (tmp_path / "r.pdf").exists()


def test_the_same_seed_gives_the_same_campaign(tmp_path: Path) -> None:
    states = []
    for name in ("a", "b"):
        pbcg("new", tmp_path / f"{name}.pbcg", "--campaign", "CG2", "--auto", "--seed", "11")
        session = open_campaign(tmp_path / f"{name}.pbcg")
        states.append((session.state, session.lines()))
        session.journal.close()
    assert states[0] == states[1]


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["--campaign", "CG3"], "CG3"),
        (["--campaign", "CG1", "--house-rule", "X=1"], 'names no house rule "X"'),
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
        env={**ENVIRONMENT, "PYTHONUNBUFFERED": "1"},
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


def test_a_campaign_is_held_by_one_writer_and_read_beside_it(tells: Tells, tmp_path: Path) -> None:
    file = tmp_path / "evening.pbcg"
    pbcg("new", file, "--campaign", "CG1", "--auto")
    session = open_campaign(file)
    pbcg("records", file, "-o", tmp_path / "a.pdf", "--as", "umpire")
    assert (tmp_path / "a.pdf").stat().st_size
    told = pbcg("undo", file, code=2)
    tells(told, "another")
    with pytest.raises(PBCGError) as refused:
        open_campaign(file)
    tells(refused, "another")
    session.journal.close()
