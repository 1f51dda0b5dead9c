"""The dice of VASL logs: read, told by side and kind, and no position of a log."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path

import golden_campaign
import pytest
from in_process import run_pbcg
from openpyxl import load_workbook
from vasl_writer import PASSWORD, Writer, chip_of

from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.play.campaign_game.history import log_falls, tails
from asl_pbcg.vasl.log_dice import LoggedRoll, read_logs

THROWN = [
    ("*** (IFT DR) 4,3 ***   <Karl>      Axis SAN    [1   avg   7.0 (7.0)]    (1.57)",
     "Karl IFT 4 3"),
    ("*** (MC DR) 6,6 ***   &lt;Anne&gt;      [1   avg   12.0 (9.5)]    (01.02)", "Anne MC 6 6"),
    ("*** (TH DR) 1,2,5 *** - total with Light: 5     <Karl>      [2   avg]", "Karl TH 1 2"),
    ("*** (Other dr) 5 ***   <Anne>      [1   avg   5.0 (5.0)]    (01.03 - by random.org)",
     "Anne Other 5"),
    ("*** (SA dr) 1 ***   <Karl>      [1   avg   1.0 (1.0)]    (01.04)", "Karl SA 1"),
    ("<Karl> - *** (IFT DR) 1,1 ***   <Karl>", ""),
    ("*** (IFT DR) 7,3 ***   <Karl>", ""),
    ("*** (IFT DR) 3 ***   <Karl>", ""),
    ("*** 3d6 = 3,4,1 ***   <Karl>      [3   avg   8.0 (8.0)]    (1.59)", "Karl Other 3 4 1"),
    ("*** 2d10 = 9,2 ***   <Karl>", ""),
    ("*** 3d6 = 1,2 ***   <Karl>", ""),
]  # fmt: skip


def log(tmp_path: Path, lines: list[str], name: str = "night-1.vlog") -> Path:
    """A log in which these lines were said."""
    writer = Writer().stack([chip_of("4-6-7", Side.GERMAN)], "X18")
    writer.logged = ["+/7/stack/Main Map;1;1", *(f"CHAT{line}" for line in lines)]
    path = tmp_path / name
    path.write_bytes(writer.content())
    return path


def test_a_log_tells_its_throws_and_nothing_else(tmp_path: Path) -> None:
    rolls = read_logs([log(tmp_path, [line for line, _ in THROWN])]).rolls
    told = [f"{roll.player} {roll.kind} {' '.join(map(str, roll.dice))}" for roll in rolls]
    assert told == [expected for _, expected in THROWN if expected]


@pytest.mark.finding("G-20")
def test_a_save_holds_no_dice_and_a_log_no_position(tmp_path: Path) -> None:
    save = tmp_path / "night-1.vsav"
    save.write_bytes(Writer().stack([chip_of("4-6-7", Side.GERMAN)], "X18").content())
    with pytest.raises(PBCGError, match="its logs"):
        read_logs([save])
    path = log(tmp_path, [THROWN[0][0]])
    found = run_pbcg("position", "check", path)
    assert found.code == 2 and "VASL log" in found.err


def test_dice_are_told_by_side_and_kind() -> None:
    source = random.Random(4)
    rolls = [
        LoggedRoll(who, kind, (source.randint(1, 6), source.randint(1, 6)))
        for who in ("karl", "Anne", "guest")
        for kind in ("IFT", "MC")
        for _ in range(20)
    ]
    falls = log_falls(rolls, {"karl": "german", "anne": "british"})
    assert [(f.side, f.player, f.kind, f.count) for f in falls] == [
        (side, player, kind, count)
        for side, player in (("british", ""), ("german", ""), ("", "guest"))
        for kind, count in (("", 40), ("IFT", 20), ("MC", 20))
    ]
    for fall in falls:
        assert (fall.lower, fall.higher) == tails(2 * fall.count, fall.total)
        assert sum(fall.faces) == fall.count


def test_the_dice_of_a_whole_campaign_are_exact_and_quick() -> None:
    below, above = tails(6000, 21_000)
    assert below + above > 1 and below == pytest.approx(above, abs=1e-9)


def test_the_command_adds_logs_and_tells_the_refit_phase_apart(tmp_path: Path) -> None:
    logs = [
        log(tmp_path, [f"*** (IFT DR) {n},{m} ***   <Karl>" for m in range(1, 7)], f"{n}.vlog")
        for n in range(1, 7)
    ]
    words = [word for each in logs for word in ("--vlog", each)]
    found = run_pbcg("dice", *words, "--player", "german=Karl", "--json")
    answer = json.loads(found.out)
    assert (answer["logs"], answer["refit"]) == (6, [])
    assert [(f["side"], f["kind"], f["count"], f["total"]) for f in answer["scenarios"]] == [
        ("german", "", 36, 252), ("german", "IFT", 36, 252)]  # fmt: skip
    printed = run_pbcg("dice", *words, "--player", "german=Karl").out
    assert "German     36 DR IFT" in printed and "6 logs" in printed
    assert PASSWORD not in printed + found.out


def of_karl(number: int, dice: str, time: str, kind: str = "(IFT DR)") -> str:
    """A line of a throw with its running number and time."""
    return f"*** {kind} {dice} ***   <Karl>      [{number} / 9   avg   6.20]    ({time})"


@pytest.mark.finding("J-64")
def test_a_throw_in_two_logs_of_a_session_counts_once(tmp_path: Path) -> None:
    lines = [of_karl(n, dice, f"1.0{n}") for n, dice in enumerate(["4,3", "6,6", "1,2"], 1)]
    unnumbered = "*** (IFT DR) 5,5 ***   <Anne>"
    own = log(tmp_path, [*lines, unnumbered, of_karl(4, "4,3", "1.08")], "karl.vlog")
    hers = log(tmp_path, [*lines[1:], unnumbered, of_karl(5, "2,2", "1.09")], "anne.vlog")
    for logs in ([own, hers], [hers, own]):
        found = read_logs(logs)
        assert (len(found.rolls), found.twice) == (7, 2)
        assert sorted(roll.dice for roll in found.rolls if roll.player == "Karl") == [
            (1, 2), (2, 2), (4, 3), (4, 3), (6, 6)]  # fmt: skip
    told = run_pbcg("dice", "--vlog", own, "--vlog", hers, "--player", "german=Karl").out
    assert "German      5 DR" in told and "once: 2 throws." in told
    again = log(tmp_path, [lines[0], lines[0]], "twice.vlog")  # a session of its own
    assert len(read_logs([again]).rolls) == 2


@pytest.mark.finding("J-64")
def test_three_dice_are_counted_and_others_named(tmp_path: Path) -> None:
    path = log(tmp_path, [line for line, _ in THROWN])
    told = run_pbcg("dice", "--vlog", path).out
    assert "Karl        1 3d6" in told
    assert "it: (IFT DR) 7,3;" in told
    assert "2d10 = 9,2; 3d6 = 1,2." in told


@pytest.mark.finding("J-64")
@pytest.mark.parametrize("suffix", ["csv", "json", "xlsx"])
def test_each_throw_is_written_with_log_phase_player_and_dice(
    suffix: str, evening: Path, tmp_path: Path
) -> None:
    path = log(tmp_path, [of_karl(1, "4,3", "1.01"), of_karl(2, "3,4,1", "1.02", "3d6 =")])
    named = ("--vlog", path, "--player", "german=Karl")
    for words in ((), (evening,)):
        target = tmp_path / f"{len(words)}.{suffix}"
        made = run_pbcg("dice", *words, *named, "-o", target)
        assert made.code == 0 and target.name in made.out, made.err
        rows = rows_of(target)
        logged = [row for row in rows if row["log"]]
        assert [(r["phase"], r["side"], r["player"], r["kind"], r["dice"]) for r in logged] == [
            ("scenario", "german", "Karl", "IFT", "4,3"),
            ("scenario", "german", "Karl", "Other", "3,4,1"),
        ]
        assert {row["log"] for row in logged} == {"night-1.vlog"}
        others = [row for row in rows if not row["log"]]
        assert bool(others) is bool(words)
        assert all("/" in row["phase"] and row["dice"] for row in others)


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign after its first Refit Phase."""
    place = tmp_path_factory.mktemp("golden")
    golden_campaign.play("cg1", place, until="night-1", records=False)
    return place / golden_campaign.FILE


def rows_of(path: Path) -> list[dict[str, str]]:
    """The rows of a table of throws."""
    if path.suffix == ".json":
        return list(json.loads(path.read_text(encoding="utf-8")))
    if path.suffix == ".csv":
        return list(csv.DictReader(path.read_text(encoding="utf-8-sig").splitlines()))
    head, *rows = load_workbook(path).active.iter_rows(values_only=True)
    return [
        dict(zip(head, ("" if each is None else each for each in row), strict=True)) for row in rows
    ]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "Name a campaign file"),
        (["--vlog", "1.vlog", "--vlog", "1.vlog"], "the same log"),
        (["--vlog", "1.vlog", "--player", "Karl"], "not of the form"),
        (["--vlog", "none.vlog"], "none.vlog"),
        (["--vlog", "1.vlog", "-o", "x.pdf"], "written as .csv, .json or .xlsx"),
        (["--vlog", "1.vlog", "--as", "german"], "--as has no effect without a campaign file"),
    ],
)
def test_what_is_no_log_is_refused(
    words: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    log(tmp_path, [THROWN[0][0]], "1.vlog")
    found = run_pbcg("dice", *words)
    assert found.code == 2 and told in found.err
