"""The cache of states: no file changes what another says, and without it nothing differs (J-11)."""

from __future__ import annotations

import base64
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from campaign_generator import CampaignAnswers
from in_process import run_pbcg
from journal_help import Lines, canonical, opened, rewrite, veiled

from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
from asl_pbcg.cli.campaign_file import create_campaign, open_campaign
from asl_pbcg.kernel.answers import drive
from asl_pbcg.kernel.dice import KeyedDice

DICE = KeyedDice(1)
FOREIGN = "0123456789abcdef"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign with two checkpoints and some answers behind them."""
    path = tmp_path_factory.mktemp("cache") / "own.pbcg"
    session = create_campaign(path, {"settings": {"campaign": "CG2"}, "dice": "seeded"})
    answers = CampaignAnswers(3, session)

    drive(session, answers, DICE, until=lambda: len(session.journal.checkpoints()) > 1)
    drive(session, answers, DICE, until=lambda: session.begun)
    session.journal.close()
    return path


# -- Copies ------------------------------------------------------------------------------


def _checkpoint(lines: Lines, nth: int) -> tuple[dict[str, Any], int, int]:
    found = [
        (opened(entry), number, at)
        for number, line in enumerate(lines[1:], 1)
        for at, entry in enumerate(line["entries"])
        if opened(entry)["kind"] == "checkpoint"
    ]
    return found[nth]


def _more_snipers(state: dict[str, Any]) -> None:
    state["san"]["german"] = 7


def _forged(
    entry: dict[str, Any], change: Callable[[dict[str, Any]], object] = _more_snipers
) -> dict[str, Any]:
    data = msgspec.json.decode(zlib.decompress(base64.b64decode(entry["value"]["data"])))
    change(data["state"])
    entry["value"]["data"] = base64.b64encode(zlib.compress(canonical(data))).decode()
    entry.pop("side", None)
    return entry


def _forge_in_place(lines: Lines) -> None:
    entry, number, at = _checkpoint(lines, 0)
    lines[number]["entries"][at] = veiled(_forged(entry))


def _forge_under_foreign_rules(lines: Lines) -> None:
    lines[1]["rules"] = FOREIGN
    _forge_in_place(lines)


def _forge_gap_at_the_end(lines: Lines) -> None:
    """The same states and another one with a gap, in a line behind all that was played."""
    entry, _, _ = _checkpoint(lines, -1)
    entry["value"]["gap"] = True
    lines.append({"at": lines[-1]["at"], "entries": [veiled(_forged(entry))]})


def _forge_gap_at_the_beginning(lines: Lines) -> None:
    entry, _, _ = _checkpoint(lines, 0)
    entry["value"]["gap"] = True
    lines.append({"at": lines[-1]["at"], "entries": [veiled(_forged(entry))]})


def _cut(lines: Lines) -> None:
    del lines[-6:]


def _play_on(path: Path) -> None:
    session = open_campaign(path)
    last = session.journal.last
    drive(session, CampaignAnswers(5, session), DICE, until=lambda: session.journal.last > last)
    session.journal.close()


def _cannot_be_played(change: Callable[[dict[str, Any]], object]) -> Callable[[Lines], None]:
    """Put a state in that the file gives behind a gap, and from which nothing goes on."""

    def forge(lines: Lines) -> None:
        entry, _, _ = _checkpoint(lines, -1)
        entry["value"]["gap"] = True
        lines.append({"at": lines[-1]["at"], "entries": [veiled(_forged(entry, change))]})

    return forge


COPIES: dict[str, Callable[[Path], object]] = {
    "a state forged in place": lambda path: rewrite(path, _forge_in_place),
    "a state forged under foreign rules": lambda path: rewrite(path, _forge_under_foreign_rules),
    "a state forged behind all": lambda path: rewrite(path, _forge_gap_at_the_end),
    "an early state forged behind all": lambda path: rewrite(path, _forge_gap_at_the_beginning),
    "an older copy": lambda path: rewrite(path, _cut),
    "played on otherwise": _play_on,
}
EVERY = ("status", "log", "verify", "history", "dice", "note", "records")


def _say(command: str, path: Path) -> tuple[Any, ...]:
    written = path.with_name("records.csv")
    told = run_pbcg(command, path, *(["-o", written] if command == "records" else []))
    return (told.code, told.out, told.err, written.read_bytes() if written.exists() else b"")


@pytest.mark.finding("J-11")
@pytest.mark.parametrize("name", COPIES)
def test_no_copy_changes_what_a_file_says(
    name: str, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, copy = tmp_path / "own" / "a.pbcg", tmp_path / "copy" / "a.pbcg"
    for path in (own, copy):
        path.parent.mkdir()
        shutil.copy(made, path)
    commands = EVERY if name == "a state forged behind all" else ("status", "verify")
    monkeypatch.setenv("PBCG_CACHE", "off")
    COPIES[name](copy)
    said = {(command, path): _say(command, path) for command in commands for path in (copy, own)}
    monkeypatch.setenv("PBCG_CACHE", str(tmp_path / "cache"))
    for command, path in [*said, *said][:-1]:
        assert _say(command, path) == said[command, path], (command, path)
    assert run_pbcg("compare", own, copy).code == 1
    _play_on(own)
    monkeypatch.setenv("PBCG_CACHE", "off")
    assert run_pbcg("verify", own).code == 0


@pytest.mark.finding("J-11")
def test_verify_and_rescue_leave_no_trace(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, cache = tmp_path / "a.pbcg", tmp_path / "cache"
    shutil.copy(made, path)
    monkeypatch.setenv("PBCG_CACHE", str(cache))
    assert run_pbcg("verify", path).code == 0
    assert not cache.exists()
    run_pbcg("status", path)
    before = {file: file.read_bytes() for file in cache.iterdir()}
    for forge in COPIES.values():
        shutil.copy(made, path)
        forge(path)
        run_pbcg("verify", path)
    kept = {file: file.read_bytes() for file in cache.iterdir() if file in before}
    assert {file: kept[file][: len(before[file])] for file in kept} == before


UNREADABLE: dict[str, Callable[[dict[str, Any]], object]] = {
    "an unknown choice of a house rule": lambda state: state.update(
        house_rules=dict.fromkeys(PEGASUS_BRIDGE.rulings.settable, "nonsense"), readings=99
    ),
    "an unknown house rule": lambda state: state.update(house_rules={"Z-99": "x"}, readings=99),
    "a step that does not exist": lambda state: state.update(at="9.999"),
    "a campaign that does not exist": lambda state: state.update(campaign="CG9"),
    "no pieces": lambda state: state.update(pieces="none"),
}


@pytest.mark.finding("J-14")
@pytest.mark.parametrize("name", UNREADABLE)
def test_a_state_nothing_goes_on_from_gets_a_sentence(
    name: str, made: Path, tmp_path: Path
) -> None:
    path = tmp_path / "a.pbcg"
    shutil.copy(made, path)
    rewrite(path, _cannot_be_played(UNREADABLE[name]))
    for command in ("status", "log", "verify"):
        told = run_pbcg(command, path)
        assert (told.code, told.out) == (2, "")
        assert "day-1/9.612" in told.err
        assert told.err.strip().endswith("use the version that wrote it.")
