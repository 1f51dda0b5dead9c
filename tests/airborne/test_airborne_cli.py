"""``pbcg drop`` as players meet it: an evening from orders to platoons, and every mistake."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from drop_evening import Pbcg, sealed
from journal_help import Lines, change_entry, raw_lines, write_lines
from sentences import Tells

from asl_pbcg.cli.drop.drop_playing import drop_file

GOLDEN = Path(__file__).resolve().parent.parent / "golden_airborne"
EXAMPLES = GOLDEN.parent.parent / "docs" / "examples"


def answer(pbcg: Pbcg, *args: str, **more: Any) -> Any:
    return json.loads(pbcg(*args, "--json", only_out=True, **more))


# One throw


@pytest.mark.rule("AB01", "AB04", "AB54")
def test_weather_by_dice(tells: Tells, pbcg: Pbcg) -> None:
    told = pbcg("drop", "weather", "--dice", "5,4")
    tells(told, "hexside 5", "hexside 2", "W", "E")
    tells(told, "wind_speed_chart", "reconstruction")
    found = answer(pbcg, "drop", "weather", "--dice", "6 1", "--orientation", "flat_top")
    assert (found["from"]["compass"], found["speed"], found["dice"]) == ("NW", "low", [6, 1])


@pytest.mark.rule("AB55")
def test_the_same_seed_is_the_same_throw(pbcg: Pbcg) -> None:
    first = pbcg("drop", "weather", "--seed", "11")
    assert first == pbcg("drop", "weather", "--seed", "11")
    told = pbcg("drop", "weather")
    seed = told.split("--seed ")[1].split(".")[0]
    again = pbcg("drop", "weather", "--seed", seed)
    assert again.splitlines() == [line for line in told.splitlines() if "--seed" not in line]


@pytest.mark.rule("AB56")
@pytest.mark.parametrize(
    ("dice", "said"),
    [
        ("7,4", "--dice, for wind direction: A die cannot show 7: it shows 1 to 6."),
        ("5,0", "A die cannot show 0"),
        ("5", "--dice has no dice left for: wind speed"),
        ("5,4,3", "one die is left over, there were 2 rolls"),
        ("five", "write dice in the order they are thrown"),
    ],
)
def test_dice_that_cannot_be(pbcg: Pbcg, dice: str, said: str) -> None:
    assert said in pbcg("drop", "weather", "--dice", dice, code=2)


def test_dice_and_seed_exclude_each_other(pbcg: Pbcg) -> None:
    assert "not both" in pbcg("drop", "weather", "--dice", "1,2", "--seed", "3", code=2)


def test_typed_dice_for_one_throw(tells: Tells, pbcg: Pbcg) -> None:
    told = pbcg("drop", "weather", "--dice", "manual", typed="7\n5\n4\n")
    tells(told, "show 7")
    tells(told, "hexside 5", "W")


@pytest.mark.rule("AB21", "AB28")
def test_survive_without_a_file(tells: Tells, pbcg: Pbcg) -> None:
    told = pbcg("drop", "survive", "--terrain", "town,orchard,clear", "--dice", "4,5,1")
    tells(told, "Stick 1", "dispersed", "4")
    tells(told, "forest", "Stick 2", "dispersed", "5")
    tells(told, "terrain_alias", "house")
    told = pbcg("drop", "survive", "--terrain", "jungle", code=2)
    tells(told, "jungle", "Jump", "Survival", "Chart")
    found = answer(pbcg, "drop", "survive", "--terrain", "sea", "--sticks", "3", "--dice", "6,6,6")
    assert [stick["result"] for stick in found["sticks"]] == ["eliminated"] * 3


@pytest.mark.rule("AB41", "AB45", "AB46")
def test_one_glider(tells: Tells, pbcg: Pbcg) -> None:
    told = pbcg(
        "drop", "glider", "--target", "W22", "--enters", "W29", "--wind", "5",
        "--speed", "gusty", "--die", "2",
    )  # fmt: skip
    assert "flying W from W29" in told
    assert "2: short." in told
    tells(told, "2 hexes", "W25")
    told = pbcg(
        "drop", "glider", "--target", "W22", "--flight", "N", "--wind", "W", "--speed", "low",
        code=2,
    )  # fmt: skip
    tells(told, "N", "flight")
    told = pbcg("drop", "glider", "--target", "W22", "--flight", "W", "--wind", "N",
                "--speed", "low", code=2)  # fmt: skip
    tells(told, "N", "pointy_top")


@pytest.mark.rule("AB51", "AB53")
def test_night(tells: Tells, pbcg: Pbcg) -> None:
    told = pbcg("drop", "night", "--range", "7", "--spotting", "9", "--movement", "2")
    tells(told, "Range", "3")
    tells(told, "Spotting", "4")
    tells(told, "Movement", "0")
    tells(told, "night_mp_floor", "house")
    tells(pbcg("drop", "night"), "wagons")


# Tables and settings


@pytest.mark.rule("AB54")
def test_every_value_shows_its_certainty(tells: Tells, pbcg: Pbcg) -> None:
    told = pbcg("drop", "table", "--letter", "I")
    assert "0 1 0 1 1 1 1 1 1 1" in told
    assert "Certainty: high." in told
    tells(told, "0101", "11111", "fifth")
    assert "drift_rows_override" in told
    assert "Certainty: certain." in pbcg("drop", "table", "--letter", "a")
    assert "medium, 85% sure" in pbcg("drop", "table", "--letter", "O")
    told = pbcg("drop", "table", "drift")
    assert "O  0 0 1" in told and "medium 85%" in told
    told = pbcg("drop", "table", "settings")
    tells(told, "wind_speed_chart", "gusty", "1", "2", "3")
    assert "[I.E, reconstruction]" in told
    listed = answer(pbcg, "drop", "table", "settings")["settings"]
    assert all(each["certainty"] and each["why"] for each in listed)
    assert "reconstruction" in pbcg("drop", "table", "wind-speed")
    assert "forest" in pbcg("drop", "table", "survival")
    assert len(answer(pbcg, "drop", "table")["tables"]) == 5
    tells(pbcg("drop", "table", "--letter", "S", code=2), "S", "diagram")
    assert "nearest: drift" in pbcg("drop", "table", "drifts", code=2)


@pytest.mark.rule("AB11", "AB12", "AB16")
def test_the_article_s_example_on_the_map(pbcg: Pbcg) -> None:
    assert "Roll 3, Final 3: I" in pbcg(
        "table", "drop.drift_pattern", "--given", "wind=gusty", "--roll", "3"
    )
    found = answer(pbcg, "drop", "table", "--letter", "I", "--at", "X18", "--wind", "W")
    hexes = [(each["hex"], each["sticks"]) for each in found["hexes"]]
    assert hexes == [
        ("X18", 0), ("X19", 1), ("X20", 0), ("X21", 1), ("X22", 1),
        ("X23", 1), ("X24", 1), ("X25", 1), ("X26", 1), ("X27", 1),
    ]  # fmt: skip
    landed = answer(
        pbcg, "drop", "run", "--at", "X18", "--wind", "W", "--speed", "gusty",
        "--dice", "3,6,6,6,6,6,6,6,6",
    )  # fmt: skip
    fell = {stick["fell"] for stick in landed["sticks"]}
    assert fell == {"X19", "X21", "X22", "X23", "X24", "X25", "X26", "X27"}
    assert {stick["row"] for stick in landed["sticks"]} == {"I"}
    assert landed["winds"]["1"]["blows_to"] == "E"


def test_a_settings_file(tells: Tells, pbcg: Pbcg, tmp_path: Path) -> None:
    (tmp_path / "house.yaml").write_text(
        "format: pbcg-drop-settings/1\nwind_speed_chart: {1: low, 2: low, 3: low, 4: low, "
        "5: gusty, 6: high}\n",
        encoding="utf-8",
    )
    told = pbcg("drop", "weather", "--dice", "5,4", "--settings", "house.yaml")
    assert "A low wind" in told
    tells(told, "wind_speed_chart")


# An evening


def test_a_battalion_east_of_the_canal_from_orders_to_platoons(pbcg: Pbcg, tmp_path: Path) -> None:
    """By seed and by typed dice, with the picture; the golden text is what players saw."""
    mark = sealed(pbcg)
    answers = str(EXAMPLES / "battalion_answers.yaml")
    told = pbcg(
        "drop", "run", "drop.pbcg", "--turns", "5", "--seed", "9", "--answers", answers,
        only_out=True,
    )  # fmt: skip
    assert told == (GOLDEN / "battalion.txt").read_text(encoding="utf-8")
    pbcg("drop", "draw", "drop.pbcg", "-o", "drop.svg")
    picture = (tmp_path / "drop.svg").read_text(encoding="utf-8")
    for words in ("7TH PARACHUTE BATTALION", "para 7", "Eng.4", "low, from SE"):
        assert words in picture
    assert pbcg("drop", "orders", "drop.pbcg", "--check", mark)
    # The same evening with real dice, read off the log of the first.
    log = answer(pbcg, "drop", "log", "drop.pbcg")["log"]
    dice = [str(line["roll"]["dice"][0]) for line in log if line.get("roll")]
    pbcg("drop", "orders", "dice.pbcg", "--seal", "orders.yaml")
    again = pbcg(
        "drop", "run", "dice.pbcg", "--turns", "5", "--dice", ",".join(dice),
        "--answers", answers, only_out=True,
    )  # fmt: skip
    foreseen, _, same = told.partition("\n")
    assert "--seed 9" in foreseen, "what dice could be foreseen stays in the log"
    assert again == same
    assert foreseen in pbcg("drop", "log", "drop.pbcg")
    found = answer(pbcg, "drop", "orders", "dice.pbcg")
    assert found["fingerprint"] != mark, "every sealing has a salt of its own"


@pytest.mark.rule("AB09", "AB34")
def test_turn_part_by_part(tells: Tells, pbcg: Pbcg) -> None:
    sealed(pbcg)
    told = pbcg("drop", "weather", "drop.pbcg", "--dice", "3,1")
    tells(told, "hexside 3", "SE")
    assert "has gone on to regroup" not in told
    told = pbcg("drop", "weather", "drop.pbcg", "--dice", "3,1", code=2)
    tells(told, "Turn 1")
    told = pbcg("drop", "regroup", "drop.pbcg", code=2)
    tells(told, "II.H")
    told = pbcg("drop", "run", "drop.pbcg", "--until", "landing", "--seed", "5", "--defaults")
    tells(told, "8 sticks", "CC23")
    assert "jump survival" not in told
    told = pbcg("drop", "survive", "drop.pbcg", "--seed", "5", "--defaults")
    tells(told, "1/B.1")
    told = pbcg("drop", "run", "drop.pbcg", "--until", "lunch", code=2)
    tells(told, "lunch")
    told = pbcg("drop", "run", "drop.pbcg", "--turns", "3", "--seed", "6", "--defaults")
    assert "Turn 3" in told


@pytest.mark.rule("AB56")
def test_a_drop_may_be_looked_at_while_it_goes_on(tells: Tells, pbcg: Pbcg, tmp_path: Path) -> None:
    mark = sealed(pbcg)
    pbcg("drop", "run", "drop.pbcg", "--seed", "9", "--defaults")
    with drop_file(tmp_path / "drop.pbcg"):
        assert mark in pbcg("drop", "orders", "drop.pbcg")
        assert mark in pbcg("drop", "log", "drop.pbcg")
        assert "CC23" in pbcg("drop", "odds", "drop.pbcg")
        pbcg("drop", "draw", "drop.pbcg", "-o", "d.svg")
        pbcg("drop", "orders", "drop.pbcg", "--open", "opened.yaml")
        tells(pbcg("drop", "run", "drop.pbcg", "--defaults", code=2), "another pbcg")


def test_wrong_dice_in_a_drop_file_change_nothing(pbcg: Pbcg, tmp_path: Path) -> None:
    sealed(pbcg)
    before = (tmp_path / "drop.pbcg").read_bytes()
    for dice, said in (
        ("3,7", "for Turn 1, wind speed: A die cannot show 7: it shows 1 to 6"),
        ("3,1,2", "--dice has no dice left for: Turn 1"),
        (",".join(["1"] * 80), "are left over"),
        ("3,x", "write dice in the order"),
    ):
        told = pbcg("drop", "run", "drop.pbcg", "--dice", dice, code=2)
        assert said in told
        assert (tmp_path / "drop.pbcg").read_bytes() == before
    assert "Nothing was written." in told or "write dice" in told


def test_typed_dice_at_the_keyboard(tells: Tells, pbcg: Pbcg) -> None:
    sealed(pbcg)
    # Wind, nobody shot down, row A for all four hexes (no chits: they are full, one is mixed).
    typed = "3\n7\n1\n\n1\n2\nq\n"
    told = pbcg("drop", "run", "drop.pbcg", "--dice", "manual", typed=typed)
    tells(told, "show 7", "shows 1", "6")
    tells(told, "shot")
    assert "CC23: row A, 8 towards NW." in told
    assert "FF23: row B, 6 2 towards NW." in told
    tells(told, "kept")
    told = pbcg("drop", "log", "drop.pbcg")
    assert "FF23: row B" in told


def test_several_dice_typed_at_once(tells: Tells, pbcg: Pbcg) -> None:
    pbcg("drop", "orders", "--template", "-o", "orders.yaml")
    sheet = Path("orders.yaml")
    text = "format: pbcg-drop-orders/1\nmap: pegasus-bridge\ndrops:\n"
    sheet.write_text(text + "  - {turn: 1, at: X24, platoon: '1'}\n", encoding="utf-8")
    pbcg("drop", "orders", "d.pbcg", "--seal", "orders.yaml")
    # West, low, none shot down, row A (no chits: one hex), four survival dice at once and one more.
    typed = "5\n1\n\n1\n2 3 4 1 6\n\n\n"
    told = pbcg("drop", "run", "d.pbcg", "--dice", "manual", typed=typed)
    tells(told, "dispersed", "1.4", "X24", "1")
    tells(told, "4 sticks", "3 undispersed", "1 dispersed")
    tells(told, "1", "typed")


@pytest.mark.finding("F-51")
def test_dice_of_a_single_throw_may_be_typed_in_a_row(tells: Tells, pbcg: Pbcg) -> None:
    """F-51: the same way everywhere."""
    told = pbcg("drop", "weather", "--dice", "manual", typed="5 4\n")
    assert "hexside 5" in told
    told = pbcg("drop", "survive", "--terrain", "town,orchard", "--dice", "manual", typed="4 5 1\n")
    tells(told, "1", "typed")


@pytest.mark.finding("F-51")
def test_the_plan_is_judged_before_it_is_sealed(pbcg: Pbcg) -> None:
    """F-51: what each wind would bring, and which gliders may end in the water."""
    pbcg("drop", "orders", "--template", "-o", "orders.yaml")
    for command in (["orders.yaml"], ["d.pbcg", "--seal", "orders.yaml"]):
        told = pbcg("drop", "orders", *command)
        west = next(line for line in told.splitlines() if line.split()[:1] == ["W"])
        assert west.split() == ["W", "57%", "25/D", "22%,", "24/D", "22%"]
    odds = answer(pbcg, "drop", "odds", "orders.yaml", "--wind", "W")["odds"][0]["turns"]
    assert odds[0]["gliders"][0]["hexes"]["W23"] == "2/9"  # the pond


def test_undo_needs_a_reason_and_spares_the_orders(tells: Tells, pbcg: Pbcg) -> None:
    sealed(pbcg)
    said = pbcg("drop", "run", "drop.pbcg", "--undo", "a better idea", code=2)
    tells(said, "I.H")
    pbcg("drop", "weather", "drop.pbcg", "--dice", "3,1")
    tells(pbcg("drop", "run", "drop.pbcg", "--undo", "cocked"), "weather")
    told = pbcg("drop", "weather", "drop.pbcg", "--dice", "6")
    tells(told, "hexside 3")
    tells(pbcg("drop", "run", "--undo", "x", code=2), "undo")


# The seal


@pytest.mark.rule("AB06")
def test_sealing_opening_and_proving(tells: Tells, pbcg: Pbcg, tmp_path: Path) -> None:
    mark = sealed(pbcg)
    told = pbcg("drop", "orders", "drop.pbcg", "--seal", "orders.yaml", code=2)
    tells(told, "I.H")
    tells(pbcg("drop", "orders", "drop.pbcg"), "unchanged")
    pbcg("drop", "orders", "drop.pbcg", "--open", "opened.yaml")
    assert "exists already" in pbcg("drop", "orders", "drop.pbcg", "--open", "opened.yaml", code=2)
    tells(pbcg("drop", "orders", "opened.yaml", "--check", mark), "sealed")
    tells(pbcg("drop", "orders", "drop.pbcg", "--check", mark.upper()), "sealed")
    opened = tmp_path / "opened.yaml"
    text = opened.read_text(encoding="utf-8")
    opened.write_text(text.replace("at: CC23", "at: CC24", 1), encoding="utf-8")
    told = pbcg("drop", "orders", "opened.yaml", "--check", mark, code=2)
    tells(told, "setting")
    tells(pbcg("drop", "orders", "drop.pbcg", "--check", "ABC", code=2), "abc")
    tells(pbcg("drop", "orders", "orders.yaml", "--check", mark, code=2), "salt")
    pbcg("drop", "orders", "drop.pbcg", "--open", "opened.json")
    pbcg("drop", "orders", "opened.json", "--check", mark)


@pytest.mark.rule("AB06")
def test_a_drop_file_whose_orders_were_changed_is_refused(
    tells: Tells, pbcg: Pbcg, tmp_path: Path
) -> None:
    sealed(pbcg)
    pbcg("drop", "run", "drop.pbcg", "--defaults")

    def move(entry: dict[str, Any]) -> None:
        drops = entry["value"]["drops"]
        next(each for each in drops if each["at"] == "CC23")["at"] = "CC24"

    lines: Lines = raw_lines(tmp_path / "drop.pbcg")
    change_entry(lines, move, lambda entry: entry["kind"] == "answer")
    write_lines(tmp_path / "drop.pbcg", lines, chained=False)
    for args in (["run", "drop.pbcg"], ["orders", "drop.pbcg"], ["log", "drop.pbcg"]):
        tells(pbcg("drop", *args, code=2), "changed")


# Mistakes in files


@pytest.mark.rule("AB08", "AB17")
def test_bad_orders_get_a_sentence_each_and_no_file(
    tells: Tells, pbcg: Pbcg, tmp_path: Path
) -> None:
    (tmp_path / "bad.yaml").write_text(
        "format: pbcg-drop-orders/1\nmap: pegasus-bridge\ndrops:\n"
        "  - {turn: 1, at: ZZ40, platoon: 1}\n"
        "  - {turn: 1, at: X24, platoon: 2, stick: 9}\n",
        encoding="utf-8",
    )
    told = pbcg("drop", "orders", "drop.pbcg", "--seal", "bad.yaml", code=2)
    tells(told, "2 faults")
    tells(told, "ZZ40")
    tells(told, "sticks")
    assert not (tmp_path / "drop.pbcg").exists()
    told = pbcg("drop", "run", "--at", "X24", "--sticks", "9", code=2)
    tells(told, "9 sticks")
    tells(pbcg("drop", "run", "--at", "X99", code=2), "X99", "at")


def test_maps(tells: Tells, pbcg: Pbcg, tmp_path: Path) -> None:
    (tmp_path / "plain.yaml").write_text(
        "format: pbcg-drop-map/1\ncolumns: 20\nrows: 15\nterrain: {forest: [C4, C5]}\n",
        encoding="utf-8",
    )
    found = answer(
        pbcg, "drop", "run", "--at", "C3", "--map", "plain.yaml", "--wind", "W", "--speed", "low",
        "--dice", "4,5,5,5,5,5,5,5,5",
    )  # fmt: skip
    states = {(stick["fell"], stick["fate"]) for stick in found["sticks"]}
    assert ("C4", "dispersed") in states and ("C3", "undispersed") in states
    (tmp_path / "bad.yaml").write_text(
        "format: pbcg-drop-map/1\ncolums: 20\nrows: 15\nsheet_top: N\n"
        "terrain: {wood: [C4], forest: [C99]}\n",
        encoding="utf-8",
    )
    told = pbcg("drop", "run", "--at", "C3", "--map", "bad.yaml", code=2)
    tells(told, "colums", "columns")
    tells(told, "1", "104", "columns")
    tells(told, "N", "sheet_top", "pointy_top", "W", "E")
    tells(told, "wood", "Jump", "Survival", "Chart")
    tells(pbcg("drop", "run", "--at", "C3", "--map", "omaha", code=2), "omaha")
    (tmp_path / "nomap.yaml").write_text(
        "format: pbcg-drop-orders/1\ndrops: [{turn: 1, at: C3, platoon: a}]\n", encoding="utf-8"
    )
    tells(pbcg("drop", "orders", "nomap.yaml", code=2))
    tells(pbcg("drop", "orders", "nomap.yaml", "--map", "plain.yaml"), "order")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["run", "gone.pbcg"], "gone.pbcg could not be opened: there is no such file"),
        (["run", "gone.yaml"], "gone.yaml could not be read: there is no such file"),
        (["run"], "Name a drop file, an orders file, or a hex with --at."),
        (["orders"], "Name an orders file or a drop file, or ask for --template."),
        (["orders", "--seal", "orders.yaml"], "drop.pbcg"),
        (["survive"], "Name a drop file, or the terrain"),
        (["draw", "gone.pbcg", "-o", "x.svg"], "there is no such file"),
        (["run", "--at", "X24", "--wind", "W"], "Give --wind and --speed together."),
        (["odds", "--at", "X24", "--speed", "calm"], '"calm" is not a wind speed'),
        (["table", "--at", "X24"], "--at and --wind go with --letter."),
    ],
)
def test_mistakes_on_the_command_line(pbcg: Pbcg, args: list[str], said: str) -> None:
    assert said in pbcg("drop", *args, code=2)


def test_a_campaign_file_is_no_drop(tells: Tells, pbcg: Pbcg, tmp_path: Path) -> None:
    from asl_pbcg.kernel.journal import Journal

    Journal.create(tmp_path / "cg.pbcg", {"game": "pegasus-bridge"}, "test").close()
    told = pbcg("drop", "run", "cg.pbcg", code=2)
    tells(told, "pegasus-bridge")


# Odds, log


def test_odds(tells: Tells, pbcg: Pbcg) -> None:
    pbcg("drop", "orders", "--template", "-o", "orders.yaml")
    told = pbcg("drop", "odds", "orders.yaml", "--wind", "W", "--speed", "low")
    tells(told, "Turn 1", "8 sticks", "CC23")
    tells(told, "Turn 1", "32 sticks")
    tells(told, "25/D", "W22", "100%")
    found = answer(pbcg, "drop", "odds", "--terrain", "clear", "--sticks", "4")
    drop = found["odds"][0]["turns"][0]["drops"][0]
    assert drop["numbers"]["whole"]["4"] == "625/1296"
    assert drop["mean"] == {"whole": "10/3", "dispersed": "2/3", "lost": "0"}
    told = pbcg("drop", "odds", "--terrain", "clear,swamp", "--sticks", "4")
    tells(told, "4 sticks")


def test_the_log_and_who_may_see_it(tells: Tells, pbcg: Pbcg) -> None:
    mark = sealed(pbcg)
    pbcg("drop", "weather", "drop.pbcg", "--dice", "3,1")
    told = pbcg("drop", "log", "drop.pbcg")
    assert mark in told
    tells(told, "Turn 1", "3")
    enemy = answer(pbcg, "drop", "log", "drop.pbcg", "--side", "german")["log"]
    assert not any(line.get("point") == "orders" for line in enemy)
    assert any(mark in line["text"] for line in enemy)


def test_a_killed_program_loses_nothing(tells: Tells, tmp_path: Path, pbcg: Pbcg) -> None:
    sealed(pbcg)
    environment = {**os.environ, "COLUMNS": "100", "PYTHONIOENCODING": "utf-8"}
    root = Path(__file__).resolve().parent.parent.parent
    environment["PYTHONPATH"] = str(root)
    with subprocess.Popen(
        [sys.executable, "-m", "asl_pbcg", "drop", "run", "drop.pbcg", "--dice", "manual"],
        cwd=tmp_path, env=environment, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    ) as program:  # fmt: skip
        assert program.stdin and program.stdout
        program.stdin.write("3\n1\n\n2\n")
        program.stdin.flush()
        heard = ""
        end = time.monotonic() + 60
        while "row B, 6 2 towards NW" not in heard and time.monotonic() < end:
            heard += program.stdout.readline()
        program.kill()
    told = pbcg("drop", "log", "drop.pbcg")
    assert "CC23: row B, 6 2 towards NW." in told
    told = pbcg("drop", "run", "drop.pbcg", "--until", "landing", "--seed", "1", "--defaults")
    tells(told, "8 sticks", "FF23")
    assert "drift of the 8 sticks aimed at CC23" not in told


def test_every_command_of_the_page_for_players_does_what_it_says(pbcg: Pbcg) -> None:
    page = Path(__file__).resolve().parent.parent.parent / "docs" / "players" / "airborne.md"
    lines = [
        line.removeprefix("$ pbcg ").split()
        for line in page.read_text(encoding="utf-8").splitlines()
        if line.startswith("$ pbcg ")
    ]
    assert len(lines) > 25
    for args in lines:
        pbcg(*args)
