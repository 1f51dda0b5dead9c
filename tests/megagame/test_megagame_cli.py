"""``pbcg mega`` as an umpire meets it: lines, an evening, typed dice, a seed, mistakes, kills."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from in_process import pbcg
from sentences import Tells

from asl_pbcg.cli.mega.mega_commands import app
from asl_pbcg.megagame.table_log import TableLog

ROOT = Path(__file__).resolve().parent.parent.parent
EVENING = ROOT / "docs" / "examples" / "megagame_evening.txt"
SEED = "104"
SHORT_NAMES = typer.main.get_command(app).short_names  # type: ignore[attr-defined]

Mega = Callable[..., str]


@pytest.fixture
def mega(monkeypatch: pytest.MonkeyPatch) -> Mega:
    """Run ``pbcg mega`` in this process; what it printed, both streams together."""
    monkeypatch.delenv("PBCG_MEGA_LOG", raising=False)

    return lambda line, *more, **how: pbcg("mega", *shlex.split(line), *more, **how)


# A shell of its own, for what needs a process or a terminal


def start_table(table: Path, stdin: int = subprocess.PIPE) -> subprocess.Popen[str]:
    """``pbcg mega run`` in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "asl_pbcg", "mega", "run", str(table), "--seed", "5"],
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "PYTHONUNBUFFERED": "1"},
        cwd=ROOT,
    )


# -- one line in, one line out ------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("barrage --calibre 105 --cover open --roll 5", "= 7: Retreat."),
        ("air --bomb --cover hard --roll 6", "= 7: Retreat."),
        ("air --rocket --cover open --flak light:20 --flak heavy --dice 3,10", "shot down"),
        ("flak --gun light:20 --roll 7", "driven off"),
        ("morale veteran --roll 2", "fails"),
        ("ambush --shots 5,4", "1 hit."),
        ("fire --shots 7,9,3", "2 hits."),
        ("fire --shots 7,9,3 --building --rerolls 10,9", "1 hit stands."),
        ("fire --weapon bren --number 1 --range 12 --target truck --dice 9,1,1,9", "1 casualty"),
        ("armour light medium_tank --roll 9", "knocked out"),
        (
            "assault --quality elite --figures 4 --distance 2 --target half_track --roll 8",
            "knocked",
        ),
        ("house --attackers 3:veteran --defenders 2:elite --seed 3", "hold the building"),
        (
            'house --attackers 3:veteran --defenders 2:elite --cards "7H 7S KS"',
            "The defenders hold",
        ),
        ("morale green -r 0 -0", "10: passes"),
        ("fire 6 rifles -d 1,2,3,4,5,6 --mod 1 -b wind", "+1 the umpire: 1 hit"),
    ],
)
def test_a_line_is_answered_in_one_line(mega: Mega, line: str, says: str) -> None:
    told = mega(line)
    assert says in told
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    "line", ["b 105 o v -r 5", "barr 105 open vet -r 5", "BARRAGE 105mm OPEN veteran -r 5"]
)
def test_short_words_say_the_same(mega: Mega, line: str) -> None:
    long = mega("barrage --calibre 105 --cover open --quality veteran --roll 5")
    assert mega(line) == long


def test_every_alias_is_a_command(mega: Mega) -> None:
    told = mega("--help")
    for name in set(SHORT_NAMES.values()):
        assert re.search(rf"^  {name} ", told, re.M)


@pytest.mark.parametrize(
    "name",
    [*sorted(set(SHORT_NAMES.values())), "unit", "set", "move", "note", "settings", "log", "run"],
)
def test_help_teaches_by_example(mega: Mega, name: str) -> None:
    told = mega(f"{name} --help")
    assert name in ("undo", "status", "note") or re.search(rf"^    +{name} ", told, re.M)


@pytest.mark.rule("MG51")
def test_json_says_what_the_line_says(tells: Tells, mega: Mega) -> None:
    answer = json.loads(mega("barrage 155 open at 'A Coy' veteran --roll 8 --json"))
    assert answer["result"] == "destroyed"
    assert answer["rolls"][0] | {"drm": []} == {
        "table": "mega.barrage", "rule": "Artillery", "roll": 8, "drm": [], "final": 11,
        "result": "destroyed",
    }  # fmt: skip
    values = {each["name"]: each for each in answer["values"]}
    assert values["destroyed_from"]["value"] == 11
    assert values["destroyed_from"]["certainty"] == "house"
    answer = json.loads(mega("barrage 105 open at 'A Coy' veteran --roll 5 --json"))
    assert answer["morale"] == [
        {"unit": "A Coy", "quality": "veteran", "passes_on": 3, "because": ["artillery"]}
    ]
    tells(answer["line"], "A", "Coy", "3+")


def test_a_seed_rolls_the_same_again(mega: Mega) -> None:
    line = "fire 12 rifles at 9 veteran building -m --seed 12"
    assert mega(line) == mega(line)
    first = json.loads(mega("fire 12 rifles --json"))
    again = json.loads(mega(f"fire 12 rifles --json --seed {first['seed']}"))
    assert again["line"] == first["line"]


def test_real_dice_can_be_asked_for(tells: Tells, mega: Mega) -> None:
    told = mega("fire 3 rifles at 6 green building -m --ask", typed="7 9 3\n11 1\n10 1\n5\n")
    assert "throw 3d10" in told
    tells(told, "show 11")
    assert "1 hit stands" in told
    assert "5: passes" in told
    tells(mega("morale green --ask", code=2), "missing")
    tells(mega("morale green --ask", typed="11\nq\n", code=2), "11", "q")


def test_a_line_that_asks_may_be_left(tells: Tells, mega: Mega, tmp_path: Path) -> None:
    table = tmp_path / "t.mega"
    mega("run", table, typed='unit "Tiger 1" german veteran tiger\nnext fire\n')
    tells(mega("fire 6pdr at tiger 1 -r 10 --ask --log", table, typed="q\n", code=2))
    tells(mega("house 3v 2v --real", typed="7H\nquit\n", code=2))
    assert "Tiger 1: German, veteran, Tiger\n" in mega("status --log", table)


# -- bad input ----------------------------------------------------------------------------


@pytest.mark.rule("MG52")
@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("morale green --roll 11", "A die cannot show 11: it shows 1 to 10."),
        ("morale green --roll 0", "With --zero a 0 is a 10."),
        ("morale green --roll x", '"x" is not a die'),
        ("morale green --dice 5,6", "Too many dice"),
        ("fire 3 rifles --dice 5,6", "1 die is missing"),
        ("fire bazokka at tiger", "nearest: bazooka"),
        ("fire --weapon bazokka", '"bazokka" is not a weapon; nearest: bazooka'),
        ("morale --quality vetran", "nearest: veteran"),
        ("armour light --target tigre", "Say the vehicle"),
        ("assault --quality veteran --figures 4 --target tiger", "Only elite units"),
        ("barrage --calibre x", "is not a calibre"),
        ("barrage 105 --cover open --cover hard", "The cover of the target is said twice"),
        ("house 3v 2v --cards 7H,9S", "does not follow"),
        ("house 3v 2v --cards 7H,99", '"99" is not a card'),
        ("house 3v 2v --hand-a 7H", "both hands"),
        ("morale green --mod 999 -b x", "A modifier is from -20 to 20"),
        ("house 3v 2v --play --as nobody", "is not a side"),
        ("zap", '"zap" is not a line of the umpire'),
        ("unit Krafft german 6", "needs a table's log"),
        ("next", "needs a table's log"),
        ("note hello", "needs a table's log"),
        ("undo", "needs a table's log"),
        ("status", "needs a table's log"),
        ("fire --rerolls 10", "--rerolls goes with --shots"),
        ("settings missing.yaml", "no such file"),
        ("log missing.mega", "no such file"),
        ("morale green --because 'a\nb'", "control character"),
        (f"note {'x' * 2000}", "at most 1000 letters"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(mega: Mega, line: str, says: str) -> None:
    assert says in mega(line, code=2)


@pytest.mark.rule("MG51", "MG52")
def test_a_settings_file_with_an_unknown_key(tells: Tells, mega: Mega, tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("amush_bonus: 3\nhit_on: many\n")
    for line in (f"settings {mine}", f"ambush lmg --settings {mine}"):
        told = mega(line, code=2)
        assert "2 faults" in told
        tells(told, "ambush_bonus", "nearest")
        assert "from 1 to 20" in told
    mine.write_text("ambush_bonus: 3\n")
    tells(mega(f"ambush --shots 4,1 --settings {mine}"), "ambush bonus", "3")
    assert "ambush_bonus = 3" in mega(f"settings {mine}")


def test_settings_rulings_and_words_are_shown(tells: Tells, mega: Mega, tmp_path: Path) -> None:
    tells(mega("settings"), "values")
    tells(mega("settings --all"), "article")
    assert json.loads(mega("settings --json"))["settings"]
    assert "piat" in mega("settings --words")
    mine = tmp_path / "mine.yaml"
    mega(f"settings --example {mine}")
    tells(mega(f"settings {mine}"), "umpire")
    assert "exists already" in mega(f"settings --example {mine}", code=2)


# -- the card fight at the terminal -------------------------------------------------------


@pytest.mark.rule("MG49")
def test_the_card_fight_is_played_against_the_program(tells: Tells, mega: Mega) -> None:
    line = 'house 2v 2v --hand-a "7S 9D" --hand-d "7H 9S" --play'
    told = mega(line, typed="AS\n9D\n7S\n9D\n")
    tells(told, "defenders")
    tells(told, "choice")
    assert "9♦" in told
    tells(told, "building")


def test_two_players_can_play_both_hands(tells: Tells, mega: Mega) -> None:
    line = 'house 2v 2v --hand-a "7S 9D" --hand-d "7H 9S" --play --as both'
    told = mega(line, typed="7h\n9d\n7♠\n9S\n9D\n")
    tells(told, "9♦", "7♥", "7♠", "follows")
    tells(told, "7♥", "7♠", "9♠", "9♦", "defenders")


def test_real_cards_are_asked_for_one_by_one(tells: Tells, mega: Mega) -> None:
    told = mega("house 3v 2v --real", typed="7H\n8S\n7S\nnone\n")
    tells(told, "hearts", "H", "7")
    assert "Cards 7♥ 7♠" in told


# -- an evening ---------------------------------------------------------------------------


@pytest.mark.rule("MG01", "MG03", "MG13", "MG33", "MG50", "MG51")
def test_an_evening_of_six_turns_is_printed(tells: Tells, mega: Mega, tmp_path: Path) -> None:
    import openpyxl
    from pypdf import PdfReader

    table, pdf, sheet = (tmp_path / name for name in ("o.mega", "o.pdf", "o.xlsx"))
    told = mega(
        "run", table, "--title", "Oosterbeek", "--seed", SEED, "--script", EVENING,
        "-o", pdf, "-o", sheet,
    )  # fmt: skip
    tells(told, "Turn 7")
    text = " ".join(page.extract_text() for page in PdfReader(pdf).pages)
    flat = re.sub(r"\s+", " ", text)
    with TableLog.open(table) as log:
        outcomes = [record.outcome for _, record in log.records()]
        units = log.table.units
    for turn in range(1, 7):
        assert f"Turn {turn}, Direct fire" in flat
    for unit in units:
        assert unit.name in flat
    assert "ambush bonus" in flat
    tells(flat, "burning")
    book = openpyxl.load_workbook(sheet)
    assert book.sheetnames == [
        "Table log Oosterbeek",
        "Table log Oosterbeek Casualties",
        "Table Values this table rested",
    ]
    cells = [[cell.value for cell in row] for row in book.worksheets[0].iter_rows()]
    numbers = [row[0] for row in cells if isinstance(row[0], int)]
    assert numbers == list(range(1, len(outcomes) + 1))
    lost = {
        row[0]: row[6]
        for row in ([cell.value for cell in line] for line in book.worksheets[1].iter_rows())
        if row[0] in {unit.name for unit in units}
    }
    assert {name: count or 0 for name, count in lost.items()} == {
        unit.name: unit.lost for unit in units
    }
    # What the log tells as lost is what the units are short of.
    for unit in units:
        told_lost = sum(
            loss.figures for each in outcomes for loss in each.losses if loss.unit == unit.name
        )
        assert told_lost == unit.lost


@pytest.mark.rule("MG15", "MG52")
def test_the_same_evening_with_real_dice_comes_out_the_same(mega: Mega, tmp_path: Path) -> None:
    seeded = tmp_path / "seeded.mega"
    mega("run", seeded, "--seed", SEED, "--script", EVENING)
    lines = []
    with TableLog.open(seeded) as log:
        first = log.table
        for _, record in log.records():
            dice = [str(rolled.original) for rolled in record.outcome.rolls]
            line = re.sub(r" (-[rd]|--shots) \S+", "", record.line)
            if record.outcome.do == "house" and "--cards" not in line:
                line += f' --cards "{" ".join(record.outcome.facts["cards"])}"'
            lines.append(f"{line} -d {','.join(dice)}" if dice else line)
    script = tmp_path / "real.txt"
    script.write_text("\n".join(lines), encoding="utf-8")
    real = tmp_path / "real.mega"
    mega("run", real, "--seed", "other", "--title", "seeded", "--script", script)
    with TableLog.open(real) as log:
        again = log.table
    assert again.units == first.units
    assert (again.turn, again.held, again.due) == (first.turn, first.held, first.due)


def test_the_log_is_shown_and_told_as_json(tells: Tells, mega: Mega, tmp_path: Path) -> None:
    table = tmp_path / "o.mega"
    mega("run", table, "--seed", SEED, "--script", EVENING)
    told = mega("log", table)
    tells(told, "Turn 3", "Direct")
    assert "figures lost" in told
    shown = told + mega("status --log", table)
    assert not re.search(r"\b(allied|german|tiger|stug|\w+_\w+)\b", shown), "players' words"
    answer: dict[str, Any] = json.loads(mega("log --json", table))
    assert answer["turn"] == 7
    assert answer["buildings"] == {"Hartenstein stables": "german", "the old church": "allied"}
    assert sum(answer["figures_lost"].values()) == sum(unit["lost"] for unit in answer["units"])
    assert any(line.get("because") for line in answer["lines"])
    assert json.loads(mega("status --json --log", table))["turn"] == 7
    tells(mega("log", table, "-o", tmp_path / "o.txt", code=2))


def test_a_script_is_not_gone_on_with_behind_its_end(mega: Mega, tmp_path: Path) -> None:
    table, script = tmp_path / "a.mega", tmp_path / "lines.txt"
    script.write_text("note one\nnote two\n", encoding="utf-8")
    assert "2 lines" in mega("run", table, "--script", script, "--from", "3", code=2)
    assert not table.exists()


def test_a_wrong_script_line_names_itself_and_loses_nothing(
    tells: Tells, mega: Mega, tmp_path: Path
) -> None:
    table, script = tmp_path / "t.mega", tmp_path / "s.txt"
    script.write_text("unit Krafft german green 6\n\nbarrage 105 opne at Krafft -r 5\nnext\n")
    told = mega("run", table, "--seed", "1", "--script", script, code=2)
    assert "s.txt, line 3:" in told
    assert "nearest: open" in told
    tells(told, "1 line")
    script.write_text(script.read_text().replace("opne", "open") + "morale\n")
    told = mega("run", table, "--seed", "1", "--script", script, "--from", "3", code=2)
    tells(told, "morale")
    with TableLog.open(table) as log:
        assert log.table.lines == 2


def test_lines_can_be_piped_and_the_table_goes_on(tells: Tells, mega: Mega, tmp_path: Path) -> None:
    table = tmp_path / "t.mega"
    told = mega("run", table, "--seed", "1", typed="unit Krafft german green 6\nquit\nnext\n")
    assert "begun" in told
    lines = "pbcg mega barrage 105 open at Krafft -r 5\nmorale -r 9\nstatus\n"
    told = mega("run", table, typed=lines)
    tells(told, "after 1")
    tells(told, "6 figures")
    tells(mega("run", table, "--seed", "2", code=2), "progress")
    assert "a quote is not closed".lower() in mega("run", table, typed='note "x\n', code=2).lower()
    assert "open already" in mega("run", table, typed=f"run {table}\n", code=2)


def test_one_line_at_a_time_into_a_log(
    tells: Tells, mega: Mega, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / "t.mega"
    mega("run", table, "--seed", "1", typed="")
    monkeypatch.setenv("PBCG_MEGA_LOG", str(table))
    mega('unit "A Coy" british green 8')
    told = mega("barrage 105 open at 'A Coy' --roll 5")
    tells(told, "A", "Coy", "5+")
    tells(mega("status"), "A", "Coy", "5+")
    assert "fails" in mega("morale --roll 1")
    tells(mega("undo", code=2), "reason")
    tells(mega("undo cocked die"), "roll 1")
    told = mega("log")
    assert "Undone: " in told
    tells(told, "cocked")
    assert sum(line.endswith("[real dice]") for line in told.splitlines()) == 1
    assert "passes" in mega("morale --roll 6")
    found = json.loads(pbcg("verify", str(table), "--json"))
    assert found["whole"]
    assert (found["rolls"], found["rolls_undone"], found["exceptions"]) == (2, 1, 2)
    mine = tmp_path / "mine.yaml"
    mine.write_text("ambush_bonus: 4\n")
    tells(mega(f"settings {mine}"), "1 own")
    tells(mega("ambush --shots 3,1 -b 'out of phase'"), "ambush bonus", "4")
    assert "Settings" in mega("log")


def test_a_table_in_progress_keeps_its_lines_to_itself(
    mega: Mega, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, table = tmp_path / "other.mega", tmp_path / "t.mega"
    mega("run", other, typed="")
    monkeypatch.setenv("PBCG_MEGA_LOG", str(other))
    mega("run", table, typed="unit Krafft german green 6\n")
    with TableLog.open(other) as log:
        assert log.table.lines == 0
    assert "Krafft" in mega("status", "--log", table)


def test_a_table_may_be_looked_at_while_it_goes_on(
    tells: Tells, mega: Mega, tmp_path: Path
) -> None:
    table = tmp_path / "t.mega"
    mega("run", table, typed="unit Krafft german green 6\nbarrage 105 open at Krafft -r 5\n")
    with TableLog.open(table):
        tells(mega("status", "--log", table), "Krafft", "green")
        tells(mega("log", table), "105 mm")
        assert "zero_is_ten" in mega("settings", "--log", table)
        mega("log", table, "-o", tmp_path / "t.xlsx")
        assert (tmp_path / "t.xlsx").exists()
        tells(mega("note", "hello", "--log", table, code=2), "another pbcg")


def test_a_file_that_is_no_log_is_refused(tells: Tells, mega: Mega, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.mega"
    wrong.write_text("hello")
    tells(mega("run", wrong, code=2), "pbcg")
    assert wrong.read_text() == "hello"
    tells(mega("run", tmp_path / "t.mega", "--script", "none.txt", code=2), "file")
    assert not (tmp_path / "t.mega").exists()


def test_a_kill_loses_nothing_that_was_answered(tmp_path: Path) -> None:
    table = tmp_path / "t.mega"
    process = start_table(table)
    assert process.stdin
    assert process.stdout
    assert "begun" in process.stdout.readline()
    answered = []
    for number in range(6):
        process.stdin.write(f"unit Coy{number} british veteran 8\n")
        process.stdin.flush()
        answered.append(process.stdout.readline().strip())
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdin.close()
    process.stdout.close()
    with TableLog.open(table) as log:
        assert [record.outcome.line for _, record in log.records()] == answered


def typed_at_a_terminal(table: Path, lines: str) -> str:
    """What the umpire is told who types ``lines`` at the table's log."""
    import pty

    keyboard, terminal = pty.openpty()
    process = start_table(table, terminal)
    os.write(keyboard, lines.encode())
    told, _ = process.communicate(timeout=60)
    os.close(keyboard)
    os.close(terminal)
    assert process.returncode == 0
    return told


def test_a_terminal_is_asked_line_by_line_and_forgives(tells: Tells, tmp_path: Path) -> None:
    table = tmp_path / "t.mega"
    told = typed_at_a_terminal(table, "unit Krafft german green 6\nzap\nfire 2 rifles\nquit\n")
    tells(told, "T1", "Artillery")
    tells(told, "zap")
    tells(told, "Direct")
    assert "1 line kept" in told


def test_the_terminal_has_the_keys_of_every_game_but_the_letters_of_its_lines(
    tells: Tells, tmp_path: Path
) -> None:
    table = tmp_path / "t.mega"
    typed = ["unit Coy british veteran 8", "morale vet -r 2", "u", "", "undo", "misread",
             "h 3:veteran 2:elite", "l", "?", "", "q"]  # fmt: skip
    told = typed_at_a_terminal(table, "\n".join(typed) + "\n")
    assert told.count("Reason") == 2, "asked for where dice were thrown; Enter leaves the line"
    tells(told, "Undone", "morale vet -r 2")
    tells(told, "House", "Direct")  # h is a line here, no help
    assert told.count("Coy: Allied") == 2, "answered, then in the log"
    tells(told, "assault", "elite")  # lines and keys in the help
    tells(told, "u", "undo")
    assert "1 line kept" in told
    with TableLog.open(table) as log:
        assert [reason for _, reason in log.undone_records()] == ["misread"]


# -- the page for umpires -----------------------------------------------------------------


def test_every_command_of_the_page_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "players" / "megagame.md").read_text(encoding="utf-8")
    commands = re.findall(r"^\$ pbcg (.*)$", page, re.M)
    assert len(commands) > 20
    for line in commands:
        assert pbcg(*shlex.split(line))
    assert (tmp_path / "oosterbeek.pdf").read_bytes().startswith(b"%PDF")


def test_the_talk_and_the_settings_of_the_page_are_real(
    tells: Tells, mega: Mega, tmp_path: Path
) -> None:
    page = (ROOT / "docs" / "players" / "megagame.md").read_text(encoding="utf-8")
    (talk,) = re.findall(r"```text\n(.*?)```", page, re.S)
    typed = re.findall(r"^T1 .*?> (.*)$", talk, re.M)
    answers = [line for line in talk.splitlines() if not line.startswith("T1 ")]
    told = mega("run", tmp_path / "t.mega", typed="\n".join(typed) + "\n")
    assert told.splitlines()[1:] == answers
    (own,) = re.findall(r"```yaml\n(.*?)```", page, re.S)
    (tmp_path / "mine.yaml").write_text(own, encoding="utf-8")
    tells(mega("settings", tmp_path / "mine.yaml"), "sten_mk_ii", "3")
