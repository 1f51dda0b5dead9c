"""The dice of VASL logs: read, told by side and kind, and no position of a log."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from in_process import run_pbcg
from vasl_writer import PASSWORD, Writer, chip_of

from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.play.history import log_falls, tails
from asl_pbcg.vasl.log_dice import LoggedRoll, read_log_dice

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
    ("*** 3d6 = 1,2,3 *** <Karl>", ""),
]  # fmt: skip


def log(tmp_path: Path, lines: list[str], name: str = "night-1.vlog") -> Path:
    """A log in which these lines were said."""
    writer = Writer().stack([chip_of("4-6-7", Side.GERMAN)], "X18")
    writer.logged = ["+/7/stack/Main Map;1;1", *(f"CHAT{line}" for line in lines)]
    path = tmp_path / name
    path.write_bytes(writer.content())
    return path


def test_a_log_tells_its_throws_and_nothing_else(tmp_path: Path) -> None:
    rolls = read_log_dice(log(tmp_path, [line for line, _ in THROWN]))
    told = [f"{roll.player} {roll.kind} {' '.join(map(str, roll.dice))}" for roll in rolls]
    assert told == [expected for _, expected in THROWN if expected]


@pytest.mark.finding("G-20")
def test_a_save_holds_no_dice_and_a_log_no_position(tmp_path: Path) -> None:
    save = tmp_path / "night-1.vsav"
    save.write_bytes(Writer().stack([chip_of("4-6-7", Side.GERMAN)], "X18").content())
    with pytest.raises(PBCGError, match="dice are in its logs"):
        read_log_dice(save)
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


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "Name a campaign file"),
        (["--vlog", "1.vlog", "--vlog", "1.vlog"], "the same log"),
        (["--vlog", "1.vlog", "--player", "Karl"], "not of the form"),
        (["--vlog", "none.vlog"], "none.vlog"),
    ],
)
def test_what_is_no_log_is_refused(
    words: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    log(tmp_path, [THROWN[0][0]], "1.vlog")
    found = run_pbcg("dice", *words)
    assert found.code == 2 and told in found.err
