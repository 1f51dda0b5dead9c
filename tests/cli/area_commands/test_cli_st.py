"""The commands of the area game: files, faults, answers files, kills, secrets."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import golden_st
import pytest
from in_process import run_pbcg
from sentences import Tells, raised
from st_terminal import Stopping

from asl_pbcg.cli.area_commands.st_file import opened_game
from asl_pbcg.kernel.answers import RandomAnswers, drive
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.session import Session
from asl_pbcg.play.area_play.area_game import create_game
from asl_pbcg.st.board.map_load import load_map
from asl_pbcg.st.state.game_state import State

ENVIRONMENT = {**os.environ, "COLUMNS": "100", "PYTHONIOENCODING": "utf-8"}
pbcg = golden_st.pbcg


def run(*args: str | Path, typed: str = "", code: int = 0) -> str:
    """Run the program; what it printed, both streams together."""
    result = run_pbcg("st", *args, typed=typed, environment=ENVIRONMENT)
    output = result.out + result.err
    assert result.code == code, output
    assert "Traceback" not in output
    return output


def refused(*args: str | Path) -> str:
    """The sentence with which a command is refused."""
    with pytest.raises(PBCGError) as error:
        pbcg("st", *args)
    return str(error.value)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A historical game, seed 7, in the British Movement Phase of turn 1."""
    file = tmp_path / "game.pbcg"
    pbcg("st", "new", file, "--historical", "--seed", "7")
    answers(tmp_path / "first.yaml", {"crash_losses": 1}, {"crash_losses_sp": 7})
    pbcg("st", "play", file, "--answers", tmp_path / "first.yaml")
    return file


def answers(path: Path, *entries: dict[str, Any]) -> Path:
    path.write_text(json.dumps({"format": "pbcg-answers/1", "answers": entries}), encoding="utf-8")
    return path


def standing(file: Path) -> list[tuple[str, Any]]:
    with opened_game(file) as session:
        return [(entry.point, entry.body) for entry in session.journal.standing()]


# -- beginning ------------------------------------------------------------------------------


def test_a_game_begins_and_is_played(tells: Tells, tmp_path: Path) -> None:
    file = tmp_path / "game.pbcg"
    tells(pbcg("st", "new", file, "--historical", "--seed", "7"), "Written")
    said = pbcg("st", "play", file, typed="15\n7\nND1 ND4 NH1\ne\nq\n")
    tells(said, "British")
    tells(said, "Glider 4", "rolls 6", "crashed")
    tells(said, "loses 7", "1 left", "SP")
    tells(said, "Kept")
    said = pbcg("st", "play", file, typed="q\n")
    tells(said, "game")
    tells(said, "NH1")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--historical", "--variable"), ["Give one of --historical, --full-history"]),
        (("--setting", "gammon_uses=9"), ["--setting", "gammon_uses=9", "must be one of: 3, 2"]),
        (("--setting", "gamon_uses=2", "--setting", "x"), ["gammon_uses", "x"]),
        (("--map", "nowhere.yaml"), ["nowhere.yaml"]),
    ],
)
def test_wrong_options_make_no_file(
    options: tuple[str, ...], words: list[str], tmp_path: Path
) -> None:
    said = refused("new", tmp_path / "a.pbcg", *options)
    for word in words:
        assert word in said
    assert not list(tmp_path.iterdir())


def test_a_file_that_exists_is_not_overwritten(game: Path) -> None:
    before = game.read_bytes()
    assert "exists already" in refused("new", game, "--historical")
    assert game.read_bytes() == before


def test_places_where_no_file_can_be(tells: Tells, tmp_path: Path) -> None:
    tells(refused("new", tmp_path / "no" / "a.pbcg", "--historical"), "made")
    assert refused("new", tmp_path, "--historical")


def test_settings_are_listed_and_kept(tells: Tells, tmp_path: Path) -> None:
    said = pbcg("st", "settings", "AMB-11")
    assert "gammon_uses" in said and "* 3" in said
    assert json.loads(pbcg("st", "settings", "--json"))["gammon_uses"]["default"] == 3
    tells(refused("settings", "gammon"), "setting")
    file = tmp_path / "a.pbcg"
    pbcg("st", "new", file, "--historical", "--setting", "gammon_uses=2")
    with opened_game(file) as session:
        assert session.state.settings.gammon_uses == 2


# -- files ----------------------------------------------------------------------------------

COMMANDS = ("play", "status", "log", "undo", "score")


@pytest.mark.parametrize("command", COMMANDS)
def test_files_that_are_no_game(tells: Tells, command: str, tmp_path: Path) -> None:
    missing = tmp_path / "missing.pbcg"
    assert "missing.pbcg" in refused(command, missing)
    assert not missing.exists()
    assert "is a folder" in refused(command, tmp_path)
    text = tmp_path / "text.pbcg"
    text.write_text("hello", encoding="utf-8")
    tells(refused(command, text), "campaign")
    other = tmp_path / "campaign.pbcg"
    Journal.create(other, {"game": "refit"}, "1.0").close()
    tells(refused(command, other), "area")


def test_damaged_and_newer_files(tells: Tells, game: Path, tmp_path: Path) -> None:
    half = tmp_path / "half.pbcg"
    half.write_bytes(game.read_bytes()[:5000])
    assert "half.pbcg" in refused("status", half)
    newer = tmp_path / "newer.pbcg"
    newer.write_bytes(game.read_bytes().replace(b'"pbcg":4', b'"pbcg":5'))
    tells(refused("status", newer), "written")


def test_a_game_of_this_kind_is_no_campaign(tells: Tells, game: Path) -> None:
    tells(raised(PBCGError, lambda: pbcg("status", game)), "Pegasus", "Bridge")


def test_one_writer_at_a_time(tells: Tells, game: Path) -> None:
    with opened_game(game):
        tells(run("undo", game, code=2), "another")
    assert "Turn 1 of 16" in pbcg("st", "status", game)


# -- looking --------------------------------------------------------------------------------


def test_before_the_set_up_there_is_little_to_see(tells: Tells, tmp_path: Path) -> None:
    file = tmp_path / "game.pbcg"
    pbcg("st", "new", file, "--variable", "--seed", "1")
    assert "Set-up" in pbcg("st", "status", file)
    assert "Asked now: " in pbcg("st", "status", file)
    tells(refused("score", file), "Nothing")
    tells(refused("records", file, "-o", tmp_path / "a.pdf"), "Nothing")
    tells(refused("log", file, "--hidden"), "hidden")


def test_status_log_and_score(tells: Tells, game: Path) -> None:
    said = pbcg("st", "status", game)
    tells(said, "Turn 1", "16", "British", "Movement", "Phase")
    tells(said, "killed", "Priday", "Lt", "Hooper")
    facts = json.loads(pbcg("st", "status", game, "--json"))
    assert facts["vp"] == -2 and facts["turn"] == 1
    assert {unit["id"]: unit for unit in facts["british"]}["hooper-platoon"]["strength"] == 1
    assert json.loads(pbcg("st", "score", game, "--json"))["level"] == "german"
    said = pbcg("st", "score", game)
    assert "-2 VP: German victory" in said
    tells(said, "57 British")
    assert "Glider 4: 6: crashed" in pbcg("st", "log", game, "--turn", "1")
    assert "Glider" not in pbcg("st", "log", game, "--turn", "2")
    assert pbcg("st", "log", game, "--unit", "priday").count("Priday") == 2
    assert {line["kind"] for line in json.loads(pbcg("st", "log", game, "--json"))} == {
        "answer", "roll", "note"
    }  # fmt: skip


def test_the_map_with_its_counters(game: Path, tmp_path: Path) -> None:
    drawn = tmp_path / "map.svg"
    pbcg("st", "map", "draw", "--game", game, "-o", drawn)
    assert "Turn 1, British Movement Phase" in drawn.read_text(encoding="utf-8")


# -- answers files --------------------------------------------------------------------------


def test_decisions_played_again_give_the_same_game(game: Path, tmp_path: Path) -> None:
    script = tmp_path / "game.yaml"
    script.write_text(pbcg("st", "log", game, "--answers"), encoding="utf-8")
    again = tmp_path / "again.pbcg"
    pbcg("st", "new", again, "--historical", "--seed", "7")
    pbcg("st", "play", again, "--answers", script)
    assert standing(again) == standing(game)
    assert pbcg("st", "log", again) == pbcg("st", "log", game)


def test_real_dice_stand_in_the_answers_too(tells: Tells, tmp_path: Path) -> None:
    file, again = tmp_path / "a.pbcg", tmp_path / "b.pbcg"
    for path in (file, again):
        pbcg("st", "new", path, "--historical", "--dice", "manual", "--seed", "1")
    said = pbcg("st", "play", file, typed="3\n" * 12)
    tells(said, "rolls 3")
    script = tmp_path / "a.yaml"
    script.write_text(pbcg("st", "log", file, "--answers"), encoding="utf-8")
    assert "- glider.lost: [3]" in script.read_text(encoding="utf-8")
    tells(
        raised(PBCGError, lambda: pbcg("st", "play", again, "--answers", script)),
        "dice",
        "glider.landing",
    )
    assert standing(again) == standing(file)


def test_a_roll_that_waits_is_seen_after_the_move_that_led_to_it(tmp_path: Path) -> None:
    """With real dice, a unit stands where it has moved to while the dice are thrown."""
    meta = {"settings": {"mode": "historical"}, "dice": "manual", "seed": 1}
    session = create_game(tmp_path / "a.pbcg", meta, load_map()).session
    moved = Stopping(
        RandomAnswers(3), lambda asked: isinstance(asked, Roll) and "activation" in asked.id
    )
    drive(session, moved, SeededDice(3))
    assert isinstance(session.pending, Roll)
    session.journal.close()
    where = {
        each["id"]: each["at"]
        for each in json.loads(pbcg("st", "status", tmp_path / "a.pbcg", "--json"))["british"]
    }
    with opened_game(tmp_path / "a.pbcg", look=True) as seen:
        begun = {unit.id: unit.place for unit in seen.state.units}
        mover = next(e.body for e in reversed(seen.journal.standing()) if e.kind == "answer")
    assert str(mover).startswith("move ")
    assert str(mover).split()[1] in set(where.values())
    assert {id for id, place in where.items() if place != begun[id]}


@pytest.mark.parametrize(
    ("entries", "said", "kept"),
    [
        ([{"crash_losses": 1}, {"act": 1}], "answer 2 is for act, but the question is crash", 1),
        ([{"crash_losses": 1}, {"crash_losses_sp": 70}], "answer 2 (crash_losses_sp): ", 1),
        ([{"crash_losses": "nobody"}], "answer 1 (crash_losses): ", 0),
    ],
)
def test_a_wrong_answer_in_a_file(
    entries: list[dict[str, Any]], said: str, kept: int, tmp_path: Path
) -> None:
    file = tmp_path / "game.pbcg"
    pbcg("st", "new", file, "--historical", "--seed", "7")
    script = answers(tmp_path / "wrong.yaml", *entries)
    assert said in refused("play", file, "--answers", script)
    assert "Traceback" not in run("play", file, "--answers", script, code=2)
    points = [point for point, _ in standing(file)]
    assert sum(point.startswith("crash_losses") for point in points) == kept


def test_answers_that_nobody_asks_for_are_told(tells: Tells, tmp_path: Path) -> None:
    file = tmp_path / "game.pbcg"
    pbcg("st", "new", file, *golden_st.GAMES["historical"])
    script = tmp_path / "more.yaml"
    played = (golden_st.FOLDER / "historical.answers.yaml").read_text(encoding="utf-8")
    script.write_text(f"{played}  - act: 1\n", encoding="utf-8")
    said = pbcg("st", "play", file, "--answers", script)
    tells(said, "asked")
    tells(said, "65 VP", "British")
    # A game that is over stays over.
    assert "65 VP" in pbcg("st", "play", file)
    assert "Demo" not in pbcg("st", "log", file)


@pytest.mark.parametrize(
    ("text", "said"),
    [("hello", "not an answers file"), ("format: pbcg-answers/1\nanswers: 3", "must be a list"),
     ("format: pbcg-answers/1\nanswers: [[1, 2]]", "answer 1"), ("a: [", "line")],
)  # fmt: skip
def test_files_that_are_no_answers(text: str, said: str, game: Path, tmp_path: Path) -> None:
    script = tmp_path / "wrong.yaml"
    script.write_text(text, encoding="utf-8")
    before = standing(game)
    assert said in refused("play", game, "--answers", script)
    assert standing(game) == before


def test_auto_and_answers_exclude_each_other(game: Path, tmp_path: Path) -> None:
    assert "not both" in refused(
        "play", game, "--auto", "good", "--answers", answers(tmp_path / "a.yaml")
    )


def test_an_automatic_player_goes_on_until_a_turn(tells: Tells, game: Path) -> None:
    said = pbcg("st", "play", game, "--auto", "random", "--until", "3")
    tells(said, "Kept")
    assert "Turn 3 of 16" in pbcg("st", "status", game)


# -- undo -----------------------------------------------------------------------------------


def test_undo(tells: Tells, game: Path, tmp_path: Path) -> None:
    before = standing(game)
    tells(refused("undo", game), "reason")
    tells(refused("undo", game, "--reason", "  "), "reason")
    assert standing(game) == before
    pbcg("st", "play", game, typed="4 S11\nq\n")
    moved = standing(game)
    said = pbcg("st", "undo", game)
    assert "Undone: What does HQ section 1 do? move to S11" in said or "arrow to S11" in said
    assert standing(game) == moved[:-1]
    pbcg("st", "undo", game)
    said = pbcg("st", "undo", game, "--reason", "another unit bears it")
    tells(said, "SP", "Hooper", "1", "7")
    # The same dice come again for the same decisions.
    script = answers(tmp_path / "again.yaml", {"crash_losses_sp": 7})
    pbcg("st", "play", game, "--answers", script)
    assert standing(game) == before


# -- kills ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_a_kill_in_the_middle_of_a_phase_loses_nothing_acknowledged(game: Path, seed: int) -> None:
    lines = ["", "NT1 NT3 ND1 ND4 NH1", "ST1 ST3 SD1 SH1 B6", "ND1 ND4 NH1"]
    source = random.Random(seed)
    typed = lines[: source.randint(1, len(lines))]
    process = subprocess.Popen(
        [sys.executable, "-m", "asl_pbcg", "st", "play", str(game)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        encoding="utf-8", env={**ENVIRONMENT, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    assert process.stdin and process.stdout
    process.stdin.write("".join(f"{line}\n" for line in typed) + "l\n" + "s\n")
    process.stdin.flush()
    told = []
    for line in process.stdout:
        told.append(line)
        if line.startswith("Germans on the map"):  # the status after the last line typed
            break
    process.kill()
    process.wait()
    process.stdin.close()
    process.stdout.close()
    said = "".join(told)
    with opened_game(game) as session:
        lines_now = [line.text for line in session.lines() if line.kind == "answer"]
        points = [entry.point for entry in session.journal.standing()]
    assert points.count("break_down") == 1
    assert points.count("stack") == len(typed) - 1
    for line in lines_now[2:]:
        assert " ".join(line.split())[:60] in " ".join(said.split())
    pbcg("st", "play", game, typed="q\n")


# -- secrets --------------------------------------------------------------------------------


class Secretly:
    """Dice that are the same but for the secret ones."""

    def __init__(self, secrets: int) -> None:
        self._open = random.Random("open")
        self._secret = random.Random(secrets)

    def __call__(self, roll: Roll) -> tuple[int, ...]:
        if roll.secret and "set-up chit" in roll.text:
            return (5,)  # chit H: three dummies more or less, wiring drawn, tanks rolled for
        source = self._secret if roll.secret else self._open
        return tuple(source.randint(1, 6) for _ in range(roll.spec.count))


class WithDice:
    """Another's answers with dice of our own."""

    def __init__(self, other: Any, dice: Secretly) -> None:
        self._other = other
        self._dice = dice

    def answer(self, prompt: Prompt) -> Any:
        return self._other.answer(prompt)

    def dice(self, roll: Roll) -> tuple[int, ...]:
        return self._dice(roll)

    def hear_refusal(self, prompt: Prompt | Roll, error: Exception) -> None:
        raise AssertionError(f"{prompt.id} refused {error}")


def secret_game(path: Path, secrets: int) -> tuple[Path, dict[str, Any]]:
    """A variable game at its first British decision on the map, and what is hidden in it."""
    meta = {
        "settings": {"mode": "variable", "difficulty": "hard"}, "dice": "manual", "seed": 1,
    }  # fmt: skip
    session: Session[State] = create_game(path, meta, load_map()).session
    player = WithDice(RandomAnswers(1), Secretly(secrets))
    drive(session, Stopping(player, lambda asked: asked.id == "act"), SeededDice(1))
    state = session.state
    hidden = {
        "dummies": tuple(unit.id for unit in state.units if unit.dummy),
        "marker": state.demo_marker,
        "tanks": tuple(
            (unit.enters, unit.enters_turn) for unit in state.units if unit.kind == "tank"
        ),
    }
    session.journal.close()
    return path, hidden


def everything(file: Path, folder: Path) -> dict[str, str]:
    """Whatever a player can have printed of a game."""
    folder.mkdir()
    pbcg("st", "records", file, "-o", folder / "r.xlsx")
    pbcg("st", "map", "draw", "--game", file, "-o", folder / "m.svg")
    played = pbcg("st", "play", file, typed="h\ns\nl\na PX\na B4\na PB\nx\nstack ND1\nq\n")
    return {
        "status": pbcg("st", "status", file),
        "status.json": pbcg("st", "status", file, "--json"),
        "log": pbcg("st", "log", file),
        "log.json": pbcg("st", "log", file, "--json"),
        "answers": pbcg("st", "log", file, "--answers"),
        "score": pbcg("st", "score", file),
        "records": golden_st.cells(folder / "r.xlsx"),
        "map": (folder / "m.svg").read_text(encoding="utf-8"),
        "play": played.replace(str(file), "FILE"),
    }


@pytest.mark.rule("ST-SET-23", "ST-SET-26", "ST-SET-34", "ST-DEM-01")
def test_two_games_that_differ_in_secrets_print_the_same(tmp_path: Path) -> None:
    first, hidden = secret_game(tmp_path / "one.pbcg", 1)
    seeds = iter(range(2, 40))
    while True:
        (tmp_path / "two.pbcg").unlink(missing_ok=True)
        second, other = secret_game(tmp_path / "two.pbcg", next(seeds))
        if all(hidden[name] != other[name] for name in hidden):
            break
    one, two = everything(first, tmp_path / "1"), everything(second, tmp_path / "2")
    for name, text in one.items():
        assert text.replace("one.pbcg", "") == two[name].replace("two.pbcg", ""), name
        for word in ("dummy", "Dummy", "wired", "blank"):
            assert word not in text.replace("blank forms", ""), (name, word)
