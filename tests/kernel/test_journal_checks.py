"""What ``verify``, ``compare`` and ``rescue`` say of a file, forged ones too (G-41 to G-45)."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import msgspec
import openpyxl
import pytest
from campaign_generator import CampaignAnswers
from in_process import run_pbcg
from journal_help import (
    Lines,
    canonical,
    change_entry,
    raw_lines,
    rewrite,
    write_lines,
)
from journal_vectors import vectors
from mutated_files import mutated_files
from other_verifier import verify as verify_by_page
from sentences import Tells

from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.cli.campaign_file import create_campaign, open_campaign
from asl_pbcg.kernel.answers import drive
from asl_pbcg.kernel.dice import KeyedDice
from asl_pbcg.kernel.entries import FAULTS, Damaged
from asl_pbcg.kernel.journal_text import read_as_far_as_whole
from asl_pbcg.kernel.prompts import Roll

ROOT = Path(__file__).parent.parent.parent
DICE = KeyedDice(1)
PAGE = ROOT / "docs" / "engineers" / "journal.md"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign into its second date, with an undone roll and a correction."""
    path = tmp_path_factory.mktemp("checks") / "evening.pbcg"
    meta = {"game": "pegasus-bridge", "settings": {"campaign": "CG2"}, "dice": "seeded"}
    session = create_campaign(path, meta)
    answers = CampaignAnswers(3, session)

    def second_date() -> bool:
        return session.state.date is not CGDate.DAWN and session.state.at == "9.606"

    drive(session, answers, DICE, until=second_date)
    drive(
        session, answers, DICE,
        until=lambda: isinstance(session.pending, Roll) and not session.pending.secret,
    )  # fmt: skip
    session.throw(session.dice(DICE))
    session.undo("the die fell off the table")
    session.throw(session.dice(DICE))
    session.correct("san/german", 6, "misread")
    session.journal.close()
    return path


@pytest.fixture
def evening(made: Path, tmp_path: Path) -> Path:
    path = tmp_path / "evening.pbcg"
    shutil.copy(made, path)
    return path


def verified(path: Path, *more: str) -> tuple[int, str]:
    told = run_pbcg("verify", path, *more)
    return told.code, told.out + told.err


def is_roll(entry: dict[str, Any]) -> bool:
    return entry["kind"] == "roll" and isinstance(entry["value"], list)


def test_the_page_and_the_program_number_the_same_faults() -> None:
    assert set(re.findall(r"^\| (J\d\d) ", PAGE.read_text("utf-8"), re.M)) == set(FAULTS)


def test_a_whole_file_is_told_whole_without_counts_of_secrets(evening: Path) -> None:
    code, told = verified(evening)
    assert code == 0
    assert "1 correction, 1 roll undone" in told
    entries = [entry for line in raw_lines(evening)[1:] for entry in line["entries"]]
    number = sum("veil" not in entry for entry in entries)
    assert f"{number} open entries" in told
    assert str(len(entries)) not in told
    assert str(len(raw_lines(evening))) not in told


# -- Files that were changed (each kind of change: test_journal_forgeries.py) ----------------


@pytest.mark.finding("G-43")
@pytest.mark.parametrize(
    "old, new", [(b'"kind":"roll"', b'"kind": "roll"'), (b'"at":"2', b'"at":"1')]
)
def test_a_changed_file_is_not_played_on(evening: Path, old: bytes, new: bytes) -> None:
    changed = evening.read_bytes().replace(old, new, 1)
    evening.write_bytes(changed)
    assert verified(evening)[0] == 1
    assert run_pbcg("refit", evening).code == 2
    assert evening.read_bytes() == changed


def forbidden(lines: Lines) -> None:
    change_entry(
        lines, lambda each: each.update(value="nonsense"), lambda each: each["kind"] == "answer"
    )


def forged_state(lines: Lines) -> None:
    import base64
    import zlib

    def change(entry: dict[str, Any]) -> None:
        data = json.loads(zlib.decompress(base64.b64decode(entry["value"]["data"])))
        data["state"]["san"]["german"] = 7
        entry["value"]["data"] = base64.b64encode(zlib.compress(canonical(data))).decode()

    change_entry(lines, change, lambda each: each["kind"] == "checkpoint")


def test_a_new_chain_is_told_by_a_fingerprint_on_paper(tells: Tells, evening: Path) -> None:
    printed = re.search(r"Fingerprint ([0-9a-f-]+)\.", verified(evening)[1])
    assert printed
    code, told = verified(evening, "--head", printed[1])
    assert (code, "nothing came" in told) == (0, True)
    rewrite(evening, lambda lines: lines[30].update(at="2026-01-01T00:00:00Z"))
    assert verified(evening)[0] == 0
    code, told = verified(evening, "--head", printed[1])
    assert (code, "J30" in told) == (2, True)


@pytest.mark.finding("J-17")
def test_an_empty_fingerprint_is_not_taken_for_none(evening: Path) -> None:
    code, told = verified(evening, "--head", "")
    assert (code, "fingerprint" in told) == (2, True)


@pytest.mark.finding("J-17")
def test_a_campaign_called_a_megagame_is_refused(evening: Path) -> None:
    rewrite(evening, lambda lines: lines[0].update(game="megagame"))
    assert verified(evening)[0] == 2


@pytest.mark.finding("J-17")
def test_long_words_of_a_foreign_file_are_shortened(evening: Path) -> None:
    def add(lines: Lines) -> None:
        for entry in (
            {"kind": "note", "step": "dawn/diary", "value": {"text": "x" * 100_000}},
            {"kind": "hand", "side": "german", "value": "y" * 100_000},
        ):
            lines.append({**lines[-1], "entries": [entry]})

    rewrite(evening, add)
    for command in ("log", "note", "hand", "status"):
        told = run_pbcg(command, evening)
        assert told.code == 0
        assert "x" * 1_001 not in told.out and "y" * 61 not in told.out


@pytest.mark.finding("J-17")
def test_endless_names_of_players_are_shortened_on_every_print(evening: Path) -> None:
    rewrite(evening, lambda lines: lines[0]["settings"].update(players={"german": "z" * 100_000}))
    printed = "".join(
        run_pbcg(command, evening).out for command in ("status", "hand", "log", "history")
    )
    assert run_pbcg("records", evening, "-o", evening.with_name("records.xlsx")).code == 0
    book = openpyxl.load_workbook(evening.with_name("records.xlsx"))
    cells = [str(cell.value) for sheet in book for row in sheet.rows for cell in row]
    assert "zzz" in printed and "z" * 61 not in printed
    assert any("zzz" in cell for cell in cells) and not any("z" * 61 in cell for cell in cells)


# -- Later versions ----------------------------------------------------------------------


def test_entries_of_a_later_version_are_kept_and_named(tells: Tells, evening: Path) -> None:
    def add(lines: Lines) -> None:
        for kind in ("seat", "signature", "weather-report"):
            lines.append({**lines[-1], "entries": [{"kind": kind, "value": {"x": 1}}]})

    rewrite(evening, add)
    code, told = verified(evening)
    assert code == 0
    tells(told, "weather-report", "later version")
    assert "signature" not in told
    session = open_campaign(evening)
    drive(session, CampaignAnswers(5, session), DICE, until=lambda: session.begun)
    session.journal.close()
    assert verified(evening)[0] == 0


def test_a_later_version_that_reads_a_rule_otherwise_goes_on_from_the_checkpoint(
    tells: Tells, evening: Path
) -> None:
    """The first date was played under other rules: its first answer is not asked today."""

    def other_rules(lines: Lines) -> None:
        forbidden(lines)
        lines[1]["rules"] = "0123456789abcdef"

    rewrite(evening, other_rules)
    code, told = verified(evening)
    assert code == 3
    assert told.startswith("whole, not played again from its beginning:")
    tells(told, "It was played again", "checkpoint")
    session = open_campaign(evening)
    assert session.state.date is not CGDate.DAWN
    assert session.unfit == []
    assert any(line.step.startswith("dawn/") for line in session.lines())
    assert any("checkpoint" in each or "earlier pbcg" in each for each in session.journal.remarks)
    drive(session, CampaignAnswers(5, session), DICE, until=lambda: session.begun)
    session.journal.close()
    assert verified(evening)[0] == 3


# -- Comparing and rescuing ----------------------------------------------------------------


@pytest.mark.finding("G-45")
def test_compare_says_where_copies_part_and_counts_nothing(tells: Tells, evening: Path) -> None:
    other = evening.with_name("other.pbcg")
    shutil.copy(evening, other)
    told = run_pbcg("compare", evening, other)
    assert (told.code, told.out.startswith("Both say")) == (0, True)
    rewrite(other, forged_state)
    told = run_pbcg("compare", evening, other, "--as", "german")
    assert told.code == 1
    assert not re.search(r"\d+ entries", told.out)
    tells(told.out, "secret checkpoint")


@pytest.mark.finding("G-45")
def test_rescue_goes_on_from_a_checkpoint_behind_the_damage(tells: Tells, evening: Path) -> None:
    session = open_campaign(evening)
    seen = session.state
    session.journal.close()
    lines = evening.read_bytes().splitlines(keepends=True)
    lines[12] = b"?\n"
    evening.write_bytes(b"".join(lines))
    new = evening.with_name("new.pbcg")
    told = run_pbcg("rescue", evening, "-o", new, "--from-checkpoint")
    assert told.code == 0, told.err
    assert "lost up" in told.out and not re.search(r"Lines \d+", told.out)
    assert new.read_bytes().startswith(b"".join(lines[:12]))
    code, told = verified(new)
    assert code == 3, told
    tells(told, "were lost")
    session = open_campaign(new)
    assert msgspec.to_builtins(session.state) == msgspec.to_builtins(seen)
    drive(session, CampaignAnswers(5, session), DICE, until=lambda: session.begun)
    session.journal.close()


@pytest.mark.finding("G-45")
def test_a_rescued_file_with_dice_of_a_seed_is_not_called_forged(tmp_path: Path) -> None:
    path, new = tmp_path / "a.pbcg", tmp_path / "new.pbcg"
    meta = {"game": "pegasus-bridge", "settings": {"campaign": "CG2"}, "dice": "seeded", "seed": 4}
    session = create_campaign(path, meta)
    answers = CampaignAnswers(4, session)
    drive(
        session, answers, session.program_dice, until=lambda: len(session.journal.checkpoints()) > 2
    )
    session.journal.close()
    lines = path.read_bytes().splitlines(keepends=True)
    lines[4] = b"?\n"
    path.write_bytes(b"".join(lines))
    assert run_pbcg("rescue", path, "-o", new, "--from-checkpoint").code == 0
    _, told = verified(new)
    assert told.count("were lost") == 1 and "J24" not in told
    assert "pbcg verify says more" not in told
    told = run_pbcg("status", new).err
    assert "were lost" in told and "read a rule otherwise" not in told


def test_rescue_keeps_every_line_before_the_damage(tmp_path: Path, evening: Path) -> None:
    content = evening.read_bytes()
    count = len(content.splitlines())
    for at in range(2, count, 37):
        lines = content.splitlines(keepends=True)
        lines[at] = b"?\n"
        evening.write_bytes(b"".join(lines))
        new = tmp_path / f"{at}.pbcg"
        assert run_pbcg("rescue", evening, "-o", new).code == 0
        assert new.read_bytes().startswith(b"".join(lines[:at]))
        assert verified(new)[0] in (0, 3)


@pytest.mark.finding("G-45")
@pytest.mark.parametrize(
    "start, end", [(b"\xef\xbb\xbf", b"\n"), (b"", b"\r\n"), (b"\xef\xbb\xbf", b"\r\n")]
)
def test_what_an_editor_added_is_named_and_undone(
    start: bytes, end: bytes, tells: Tells, evening: Path
) -> None:
    content = evening.read_bytes()
    evening.write_bytes(start + content.replace(b"\n", end))
    for command in ("status", "verify", "undo"):
        told = run_pbcg(command, evening)
        assert told.code == 2 and "editor" in told.err and "J01" in told.err
    tells(told.err, "rescue")
    new = evening.with_name("new.pbcg")
    told = run_pbcg("rescue", evening, "-o", new)
    assert told.code == 0 and new.read_bytes() == content
    tells(told.out, "editor")


def test_what_cannot_be_rescued_leaves_no_file(tmp_path: Path) -> None:
    path, new = tmp_path / "a.pbcg", tmp_path / "b.pbcg"
    path.write_bytes(b"hello\n")
    assert run_pbcg("rescue", path, "-o", new).code == 2
    assert not new.exists()


def test_lines_are_read_as_a_second_program_would_write_them(evening: Path) -> None:
    before = evening.read_bytes()
    write_lines(evening, raw_lines(evening))
    assert evening.read_bytes() == before


# -- The vectors that every reader agrees on -------------------------------------------------


def reads(content: bytes) -> tuple[str, int]:
    """The number of the first fault that the program meets in a file's text, and its line."""
    try:
        _, damage = read_as_far_as_whole(content, None)
    except Damaged as error:
        damage = error
    return (damage.code, damage.line) if damage else ("", 0)


def agrees(content: bytes) -> bool:
    other = verify_by_page(content)
    fault = "" if other.fault == "J16" else other.fault  # that one is the replay's
    code, line = reads(content)
    return code == fault and (line == other.line or not line or not fault)


def test_program_and_page_say_the_same_of_every_vector_and_mutation() -> None:
    contents = [content for _, content, _ in vectors()]
    assert [at for at, content in enumerate(contents) if not agrees(content)] == []
    mutated = mutated_files(1000)
    assert [at for at, content in enumerate(mutated) if not agrees(content)] == []
