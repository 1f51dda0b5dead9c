"""Campaign files of earlier versions open, tell where they stand, and go on to the end.

``old_files/`` holds files as those versions wrote them. They are never made again. A new one is
added when the form of files changes.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest
from campaign_generator import CampaignAnswers
from in_process import run_pbcg
from refit_helpers import campaign_at
from sentences import Tells

from asl_pbcg.campaign.module.house_rules import campaign_rulings
from asl_pbcg.campaign.state.campaign_state import Campaign, accounts_balance, change
from asl_pbcg.cli.campaign_file import open_campaign
from asl_pbcg.kernel.answers import drive
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.refit.sequence import CampaignGame

OLD = Path(__file__).parent.parent / "old_files"
UNREAD = ("last-unchained-cg1",)
"""Written before 0.2.0."""
# Of other games, and one of each game in the first chained form: a command that goes on with it,
# and what is typed.
OTHERS = {
    "first-chained-cg2": (["refit", "FILE", "--auto", "5"], ""),
    "first-chained-st": (["st", "play", "FILE", "--auto", "good", "--until", "3"], ""),
    "first-chained-drop": (["drop", "run", "FILE", "--defaults"], ""),
    "first-chained-mega": (["mega", "run", "FILE"], "morale\nquit\n"),
    "last-sqlite-cg2": (["refit", "FILE", "--auto", "5"], ""),
    "last-sqlite-st": (["st", "play", "FILE", "--auto", "good", "--until", "4"], ""),
    "last-sqlite-drop": (["drop", "run", "FILE", "--defaults"], ""),
    "last-sqlite-mega": (["mega", "run", "FILE"], "next\nquit\n"),
}
# The fingerprint that 0.2.0 printed of each, and what its dice and corrections were.
PRINTED = {
    "first-chained-cg2": (
        "14ea-d537-8c72-430b",
        "1 correction, 1 roll undone, 1",
    ),
    "first-chained-drop": ("871d-87f4-7ab5-287f", "1 roll undone"),
    "first-chained-mega": ("4efa-4fd4-38a5-d6fd", "1 roll undone, 1 roll with other dice"),
    "first-chained-st": ("b862-ae75-bf5c-6493", "2 rolls undone"),
    "last-sqlite-cg2": ("a878-4b2e-0c12-1835", "1 correction, 1 roll with other dice"),
    "last-sqlite-drop": ("37af-95de-0b34-6a21", ""),
    "last-sqlite-mega": ("14d5-90fc-a63a-25b0", "1 roll undone"),
    "last-sqlite-st": ("a575-eb8e-b691-c2cd", "2 rolls undone"),
}


def stored_and_read(state: Campaign) -> Campaign:
    """Return a state as it is read from its stored form."""
    return CampaignGame().decode(CampaignGame().encode(state))


@pytest.mark.finding("G-18")
def test_a_house_rule_keeps_its_old_default_and_forgets_what_is_no_longer_offered() -> None:
    old = change(campaign_at("9.606"), readings=4, house_rules={"C-93": "own-area-counts"})
    state = stored_and_read(old)
    assert (state.ruling("B-08"), state.ruling("P-28")) == ("strict", "eliminated")
    assert "C-93" not in state.house_rules
    assert state.readings == campaign_rulings().edition
    assert stored_and_read(change(old, house_rules={"B-08": "example"})).ruling("B-08") == "example"


def copy_of(name: str, folder: Path) -> Path:
    path = folder / f"{name}.pbcg"
    shutil.copy(OLD / path.name, path)
    path.chmod(0o644)
    return path


def written(path: Path) -> list[tuple[object, ...]]:
    """What stands in the entries of a file."""
    with Journal.read(path, "test") as journal:
        return [(each.kind, each.step, each.point, each.body) for each in journal.entries()]


def test_every_old_file_is_tried() -> None:
    assert {path.stem for path in OLD.glob("*.pbcg")} == {*UNREAD, *OTHERS}


@pytest.mark.parametrize("name", OTHERS)
def test_a_file_of_0_2_0_is_imported_verified_and_goes_on(name: str, tmp_path: Path) -> None:
    path = copy_of(name, tmp_path)
    sqlite = path.read_bytes()
    before = written(path)
    assert path.read_bytes() == sqlite, "reading imports nothing"

    def pbcg(*args: object, typed: str = "", code: tuple[int, ...] = (0,)) -> str:
        result = run_pbcg(*args, typed=typed)
        assert result.code in code, result.err
        return result.out

    head, told = PRINTED[name]
    found = pbcg("verify", path, "--head", head, code=(0, 3))
    assert told in found
    assert "nothing came" in found
    args, typed = OTHERS[name]
    pbcg(*[path if word == "FILE" else word for word in args], typed=typed)
    assert path.with_name(f"{path.name}.0.2.0").read_bytes() == sqlite
    assert path.read_bytes().startswith(b'{"game":')
    assert written(path)[: len(before)] == before
    assert len(written(path)) > len(before)
    found = pbcg("verify", path, "--head", head, code=(0, 3))
    assert "more came" in found


@pytest.mark.parametrize(
    "name, command, right",
    [
        ("last-sqlite-drop", ["refit", "FILE"], "pbcg drop"),
        ("last-sqlite-st", ["undo", "FILE"], "pbcg st"),
        ("last-sqlite-cg2", ["st", "play", "FILE"], "pbcg"),
        ("last-sqlite-cg2", ["drop", "run", "FILE", "--defaults"], ""),
        ("last-sqlite-cg2", ["mega", "run", "FILE"], ""),
    ],
)
def test_the_command_of_another_game_imports_nothing(
    name: str, command: list[str], right: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.pbcg"
    shutil.copy(OLD / f"{name}.pbcg", path)
    told = run_pbcg(*(str(path) if word == "FILE" else word for word in command))
    assert told.code == 2
    assert not right or f'begin with "{right}"' in " ".join(told.err.split())
    assert path.read_bytes() == (OLD / f"{name}.pbcg").read_bytes()
    assert [each.name for each in tmp_path.iterdir() if "0.2.0" in each.name] == []


@pytest.mark.parametrize("name", ["last-sqlite-cg2", "first-chained-cg2"])
def test_an_imported_campaign_plays_on_to_the_next_scenario(name: str, tmp_path: Path) -> None:
    path = copy_of(name, tmp_path)
    session = open_campaign(path)
    begun = session.state.date
    answers, dice = CampaignAnswers(3, session), SeededDice(3)

    def next_scenario() -> bool:
        return session.state.at == "scenario" and session.state.date is not begun

    drive(session, answers, dice, until=next_scenario)
    assert session.state.ended or next_scenario()
    assert accounts_balance(session.state)
    seen = (session.state, session.pending and session.pending.id, session.rolls)
    lines = msgspec.json.encode(session.lines())
    session.journal.close()
    again = open_campaign(path)
    assert (again.state, again.pending and again.pending.id, again.rolls) == seen
    assert msgspec.json.encode(again.lines()) == lines
    again.journal.close()


@pytest.mark.parametrize("name", UNREAD)
def test_a_file_of_an_earlier_form_gets_a_sentence(tells: Tells, name: str, tmp_path: Path) -> None:
    path = copy_of(name, tmp_path)
    before = path.read_bytes()
    for command in ("status", "refit", "verify"):
        told = run_pbcg(command, path)
        assert told.code == 2
        tells(told.err, "0.2.0")
    assert path.read_bytes() == before


def test_a_damaged_file_of_0_2_0_is_not_imported(tmp_path: Path) -> None:
    path = copy_of("last-sqlite-mega", tmp_path)
    content = path.read_bytes()
    for place in range(0, len(content), 611):
        damaged = bytearray(content)
        damaged[place] ^= 64
        path.write_bytes(damaged)
        told = run_pbcg("verify", path)
        assert told.code in (0, 2, 3), told.err
        assert "Traceback" not in told.err
