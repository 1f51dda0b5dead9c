"""Campaign files from others: damaged, edited, hostile, left in mid-write (F-75 to F-77)."""

from __future__ import annotations

import errno
import os
import random
import re
import shutil
import sqlite3
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from journal_help import raw_entries, rewrite, run_sql, write_entries
from sentences import Tells
from test_journal_trust import Coins, coins
from test_kernel_session import ShopGame, look, new_session

from asl_pbcg.kernel import database
from asl_pbcg.kernel.answers import RandomAnswers, drive
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.entries import Entry, find_fingerprint
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import reason
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.salvage import rescue
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.verify import Verified, compare, verify
from asl_pbcg.kernel.views import read_lines


def played(path: Path, rounds: int = 30, seed: int = 5) -> Path:
    """A game of the shop, with something taken back and something corrected."""
    journal = Journal.create(path, {"game": "shop", "settings": {"coins": 900}}, "test")
    session = Session(ShopGame(rounds), journal)
    drive(session, RandomAnswers(seed), SeededDice(seed), until=lambda: session.rolls > 6)
    session.undo("a cocked die")
    drive(session, RandomAnswers(seed), SeededDice(seed), until=lambda: session.rolls > 9)
    session.correct("coins", 17, "miscounted")
    drive(session, RandomAnswers(seed), SeededDice(seed))
    journal.close()
    return path


def verified(path: Path, rounds: int = 30) -> Verified:
    with Journal.read(path, "test") as journal:
        return verify(journal, ShopGame(rounds), "test")


def everything(path: Path) -> tuple[Any, ...]:
    """All that is read of a file."""
    with Journal.read(path, "test") as journal:
        session = Session(ShopGame(30), journal)
        return (look(session), journal.entries(), journal.meta("settings"), session.lines())


# -- verify --------------------------------------------------------------------------------


def test_a_whole_file_is_told_whole(tells: Tells, tmp_path: Path) -> None:
    found = verified(played(tmp_path / "a.pbcg"))
    assert found.faults == []
    assert found.corrections == 1
    assert found.rolls_taken_back == 1
    assert found.sentence.startswith("whole: ")
    tells(found.sentence, "1 correction", "1 roll")


def change_die(entries: list[dict[str, Any]]) -> None:
    roll = next(each for each in entries if each["kind"] == "roll")
    roll["body"] = [7 - face for face in roll["body"]]


def change_answer(entries: list[dict[str, Any]]) -> None:
    entries[3]["body"] = "buy-1" if entries[3]["body"] != "buy-1" else "buy-3"


def drop_entry(entries: list[dict[str, Any]]) -> None:
    del entries[len(entries) // 2]


def drop_last(entries: list[dict[str, Any]]) -> None:
    del entries[-1]


def swap(entries: list[dict[str, Any]]) -> None:
    entries[4], entries[5] = entries[5], entries[4]


def forget_all(entries: list[dict[str, Any]]) -> None:
    entries.clear()


EDITS: dict[str, Callable[[Path], None]] = {
    "a die": lambda path: edit(path, change_die),
    "a deletion": lambda path: edit(path, drop_entry),
    "the last deleted": lambda path: edit(path, drop_last),
    "a reorder": lambda path: edit(path, swap),
    "all entries gone": lambda path: edit(path, forget_all),
    "the settings": lambda path: run_sql(
        path, """UPDATE meta SET value = '{"coins":901}' WHERE key = 'settings'"""
    ),
    "the state": lambda path: run_sql(
        path, "UPDATE snapshots SET state = x'7b7d' WHERE id = (SELECT max(id) FROM snapshots)"
    ),
    "a log": lambda path: run_sql(
        path, "UPDATE snapshots SET lines = CAST('[]' AS BLOB) WHERE id = 4"
    ),
    "a snapshot gone": lambda path: run_sql(path, "DELETE FROM snapshots WHERE id = 4"),
    "a trigger": lambda path: run_sql(
        path, "CREATE TRIGGER t AFTER INSERT ON entries BEGIN DELETE FROM snapshots; END"
    ),
    "the head": lambda path: run_sql(path, "UPDATE head SET seq = seq - 1"),
}
AT_THE_END = {"the last deleted", "all entries gone", "the settings", "the state", "a trigger"}


def edit(path: Path, change: Callable[[list[dict[str, Any]]], None]) -> None:
    entries = raw_entries(path)
    change(entries)
    write_entries(path, entries, chained=False)


@pytest.mark.parametrize("name", EDITS)
def test_every_kind_of_edit_by_hand_is_noticed(tmp_path: Path, name: str) -> None:
    path = played(tmp_path / "a.pbcg")
    EDITS[name](path)
    try:
        found = verified(path)
    except PBCGError as error:
        assert "is damaged" in str(error)
    else:
        assert found.faults, name
    if name in AT_THE_END:
        with pytest.raises(PBCGError, match="is damaged"), Journal.open(path, "test") as journal:
            Session(ShopGame(30), journal)


def test_a_chain_rewritten_to_its_end_is_told_by_the_replay_or_by_a_witness(
    tmp_path: Path,
) -> None:
    path = played(tmp_path / "a.pbcg")
    with Journal.read(path, "test") as journal:
        prints, heads = journal.fingerprint, list(journal.heads)
    assert find_fingerprint(prints, heads) == len(heads) - 1
    copy = tmp_path / "b.pbcg"
    shutil.copy(path, copy)
    rewrite(copy, change_die)
    assert verified(copy).faults == [], "it fits in itself"
    with Journal.read(copy, "test") as journal, Journal.read(path, "test") as other:
        assert find_fingerprint(prints, journal.heads) is None
        parting = compare(other, journal)
        first = next(each for each in other.entries() if each.kind == "roll")
        assert parting.shared == first.seq - 1
        assert parting.first == first
        assert parting.second is not None
        assert parting.second.body == [7 - face for face in first.body]


def test_a_seed_that_does_not_give_its_rolls_is_found(tells: Tells, tmp_path: Path) -> None:
    path = tmp_path / "a.pbcg"
    session = coins(path, dice="seeded", seed=3)
    drive(session, RandomAnswers(8), session.program_dice)
    assert session.rolls > 1
    session.journal.close()
    with Journal.read(path, "test") as journal:
        assert verify(journal, Coins(), "test").faults == []
    rewrite(path, change_die)
    with Journal.read(path, "test") as journal:
        (fault,) = verify(journal, Coins(), "test").faults
    tells(fault, "campaign")


# -- wrong bits and bytes --------------------------------------------------------------------


def test_a_wrong_bit_is_noticed_or_changes_nothing_that_is_read(tmp_path: Path) -> None:
    whole = played(tmp_path / "whole.pbcg", rounds=30)
    data, known = whole.read_bytes(), everything(whole)
    path = tmp_path / "a.pbcg"
    source = random.Random(7)
    noticed = 0
    for _ in range(300):
        wrong = bytearray(data)
        wrong[source.randrange(len(data))] ^= 1 << source.randrange(8)
        path.write_bytes(wrong)
        try:
            assert everything(path) == known
        except PBCGError as error:
            assert str(error).endswith("."), error
            noticed += 1
    assert noticed > 100


def test_rescue_brings_back_all_before_a_wrong_byte(tmp_path: Path) -> None:
    whole = played(tmp_path / "whole.pbcg")
    data = whole.read_bytes()
    with Journal.read(whole, "test") as journal:
        entries, heads = journal.entries(), list(journal.heads)
    places = entry_places(data, len(entries))
    path, new = tmp_path / "a.pbcg", tmp_path / "new.pbcg"
    source = random.Random(11)
    for _ in range(120):
        at = source.randrange(len(data))
        wrong = bytearray(data)
        wrong[at] = (wrong[at] + source.randint(1, 255)) % 256
        path.write_bytes(wrong)
        new.unlink(missing_ok=True)
        hit = next((seq for seq, (start, end) in places.items() if start <= at < end), 0)
        rescue(path, new)
        with Journal.open(new, "test") as journal:
            kept = journal.entries()
            assert [each.body for each in kept] == [each.body for each in entries[: len(kept)]]
            assert len(kept) >= (hit - 1 if hit else len(entries) - 40), (at, hit, len(kept))
            if hit:
                assert list(journal.heads)[:hit] == heads[:hit]
            Session(ShopGame(30), journal)


def entry_places(data: bytes, count: int) -> dict[int, tuple[int, int]]:
    """Where in a file each entry stands; the last copy of each counts."""
    found = {}
    for each in re.finditer(rb'"seq":(\d+),"side":"[^"]*","step":"', data):
        start = data.rfind(b'{"about"', 0, each.start())
        found[int(each[1])] = (start, data.find(b'"}', each.end()) + 2)
    assert set(found) >= set(range(1, count + 1))
    return found


# -- hostile files -----------------------------------------------------------------------------


def hostile(path: Path, *statements: str) -> Path:
    new_session(path).journal.close()
    with Journal.open(path, "test") as journal:
        Session(ShopGame(), journal).answer("done")
    run_sql(path, *statements)
    return path


RECURSIVE = (
    "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) "
    "SELECT 'x' AS key, 'y' AS value FROM c"
)


@pytest.mark.parametrize(
    "statements",
    [
        ["CREATE VIEW v AS " + RECURSIVE],
        ["ALTER TABLE meta RENAME TO m", "CREATE VIEW meta AS " + RECURSIVE],
        ["CREATE TRIGGER t AFTER UPDATE ON head BEGIN DELETE FROM entries; END"],
        ["CREATE TABLE more (x)"],
        ["CREATE INDEX i ON entries (entry)"],
        ["PRAGMA user_version = 99"],
        ["PRAGMA user_version = 0"],
        ["PRAGMA user_version = 2"],
        ["PRAGMA journal_mode = WAL"],
        ["UPDATE entries SET seq = 9000000000000000000"],
        ["DELETE FROM head"],
        ["INSERT INTO head SELECT * FROM head"],
        ["UPDATE snapshots SET seq = 4000000000"],
        ["UPDATE snapshots SET seq = -1"],
        ["UPDATE entries SET entry = zeroblob(5000000)"],
        ["UPDATE entries SET entry = 3"],
        ["UPDATE meta SET value = '{'"],
        ["UPDATE meta SET value = x'ff'"],
    ],
)
def test_a_hostile_file_gets_a_sentence_at_once(tmp_path: Path, statements: list[str]) -> None:
    path = hostile(tmp_path / "a.pbcg", *statements)
    for opening in (Journal.read, Journal.open):
        start = time.process_time()
        with pytest.raises(PBCGError), opening(path, "test") as journal:
            Session(ShopGame(), journal).lines()
        assert time.process_time() - start < 60


@pytest.mark.parametrize(
    "body",
    [
        {"back_to": 10**18, "reason": ""},
        {"back_to": -1, "reason": ""},
        {"back_to": "0", "reason": ""},
        {"back_to": 0, "taken": [1]},
        {"back_to": 0, "taken": [{"seq": "x"}]},
        {"back_to": 0, "corrections": [1]},
        {"back_to": 0, "left": "all"},
        {"reason": ""},
        [[[[0]]]],
    ],
)
def test_an_undo_of_a_senseless_range_is_refused(tmp_path: Path, body: Any) -> None:
    path = hostile(tmp_path / "a.pbcg")

    def undo(entries: list[dict[str, Any]]) -> None:
        entries.append({**entries[0], "kind": "undo", "body": body})

    rewrite(path, undo)
    with pytest.raises(PBCGError, match="entry 2"):
        Journal.read(path, "test")


def test_undos_upon_undos_are_not_gone_through_again_and_again(tmp_path: Path) -> None:
    journal = Journal.in_memory({"game": "shop", "settings": {}})
    for _ in range(10_000):
        journal.append(Entry(kind="answer", step="1", point="1.2", body="done"))
        journal.append(Entry(kind="undo", step="1", point="1.2", body={"back_to": 0}))
    start = time.process_time()
    journal._forget()
    assert journal.standing() == []
    assert time.process_time() - start < 10  # one undo over another would take minutes


def test_a_state_that_inflates_without_end_is_refused(tmp_path: Path) -> None:
    path = hostile(tmp_path / "a.pbcg")
    bomb = zlib.compress(b"0" * 200_000_000, 9)
    run_sql(path, "DELETE FROM snapshots")
    with Journal.open(path, "test") as journal:
        from asl_pbcg.kernel.stored_file import Kept

        with journal.transaction():
            journal._states.insert(Kept(seq=1, step="1"), bomb, b"[]")
    with Journal.read(path, "test") as journal, pytest.raises(PBCGError, match="over 32,000,000"):
        journal.last_snapshot()


def test_what_is_no_file_of_bearable_size_is_never_read(
    tells: Tells, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = tmp_path / "pipe.pbcg"
    if hasattr(os, "mkfifo"):
        os.mkfifo(pipe)
        with pytest.raises(PBCGError) as refused:
            Journal.read(pipe, "test")
        tells(refused, "device")
    path = new_session(tmp_path / "a.pbcg").journal
    path.close()
    monkeypatch.setattr(database, "MOST_FILE", 10)
    with pytest.raises(PBCGError, match="10 at most"):
        Journal.open(tmp_path / "a.pbcg", "test")


def test_sealed_entries_and_signatures_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "a.pbcg"
    session = new_session(path)
    session.answer("buy-3")
    sealed = {"for": "red", "commitment": "00" * 32, "ciphertext": "AAAA"}
    session.journal.append(Entry(kind="sealed", step="1", point="1.2", body=sealed))
    signed = {"head": session.journal.head, "by": "red", "signature": "AAAA"}
    session.journal.append(Entry(kind="signature", step="", point="", body=signed))
    session.answer("done")
    seen = look(session)
    session.journal.close()
    with Journal.open(path, "test") as journal:
        again = Session(ShopGame(), journal)
        assert look(again) == seen
        assert len(journal.standing()) == 2
        assert verify(journal, ShopGame(), "test").faults == []


# -- F-77 --------------------------------------------------------------------------------------


def half_written(path: Path) -> None:
    """Leave ``path`` as a program does that is killed while it writes."""
    place = path.with_name("half.pbcg")
    shutil.copy(path, place)
    connection = sqlite3.connect(place, isolation_level=None)
    connection.execute("PRAGMA cache_size = 1")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("UPDATE entries SET entry = zeroblob(200)")
    connection.execute("UPDATE snapshots SET lines = zeroblob(3000)")
    journal = place.with_name(place.name + "-journal")
    assert journal.read_bytes()[:8] == bytes.fromhex("d9d505f920a163d7")
    shutil.copy(journal, path.with_name(path.name + "-journal"))
    content = place.read_bytes()
    connection.execute("ROLLBACK")
    connection.close()
    assert content != path.read_bytes()
    path.write_bytes(content)


def test_a_write_that_was_killed_is_taken_back_and_told(tells: Tells, tmp_path: Path) -> None:
    path = played(tmp_path / "a.pbcg")
    known = everything(path)
    before = path.read_bytes()
    half_written(path)
    torn = path.read_bytes()
    assert torn != before
    with Journal.read(path, "test") as journal:
        tells(journal.remarks[0], "midst")
    assert path.read_bytes() == torn, "reading touches nothing"
    assert everything(path) == known
    with Journal.open(path, "test") as journal:
        tells(journal.remarks[0])
    assert everything(path) == known


@pytest.mark.parametrize("which", ["the file", "its folder"])
def test_who_may_not_write_there_looks_on_and_hears_it_before_he_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, which: str
) -> None:
    path = played(tmp_path / "a.pbcg")
    known = everything(path)
    shut = path if which == "the file" else path.parent
    may = os.access
    monkeypatch.setattr(
        os, "access", lambda at, mode: may(at, mode) and not (mode == os.W_OK and at == shut)
    )
    assert everything(path) == known
    with pytest.raises(PBCGError, match="read-only"), Journal.open(path, "test"):
        pass


def test_a_file_that_another_program_has_open_is_told_so() -> None:
    in_use = PermissionError(errno.EACCES, "Permission denied")
    assert "another program" not in reason(in_use)
    in_use.winerror = 32  # type: ignore[attr-defined,unused-ignore]
    assert "another program" in reason(in_use)


def test_a_journal_left_by_another_file_of_the_name_does_no_harm(tmp_path: Path) -> None:
    path, newer = played(tmp_path / "a.pbcg"), played(tmp_path / "newer.pbcg", seed=9)
    known, content = everything(newer), newer.read_bytes()
    half_written(path)
    path.write_bytes(content)  # the newer file comes by mail and is saved over the old one
    with Journal.read(path, "test") as journal:
        assert "left alone" in journal.remarks[0]
    assert path.read_bytes() == content
    with Journal.open(path, "test") as journal:
        assert "put aside" in journal.remarks[0]
    assert everything(path) == known
    assert (tmp_path / "a.pbcg-journal-put-aside").exists()


def test_a_file_that_its_journal_does_not_mend_is_told_so(tmp_path: Path) -> None:
    path, other = played(tmp_path / "a.pbcg"), played(tmp_path / "b.pbcg", seed=9)
    half_written(path)
    half_written(other)
    left = other.with_name("b.pbcg-journal").read_bytes()
    path.with_name("a.pbcg-journal").write_bytes(left[: len(left) // 2])
    content = path.read_bytes()
    with pytest.raises(PBCGError, match="is damaged"):
        Journal.open(path, "test")
    assert path.read_bytes() == content


def test_a_file_about_which_sqlite_itself_has_no_words_gets_a_sentence(tmp_path: Path) -> None:
    path = played(tmp_path / "a.pbcg")
    data = path.read_bytes()
    assert data.count(b"CREATE TABLE snapshots") == 1
    path.write_bytes(data.replace(b"CREATE TABLE snapshots", b"CREATE TABLE \xfd\x8fapshots"))
    for opening in (Journal.read, Journal.open):
        with pytest.raises(PBCGError, match="is damaged"):
            opening(path, "test")


def test_a_correction_to_a_number_without_end_is_refused(tells: Tells) -> None:
    for value in ("1e999", float("inf"), float("nan")):
        with pytest.raises(PBCGError) as refused:
            new_session().correct("coins", value, "because")
        tells(refused)


def test_settings_with_which_no_game_begins_get_a_sentence(tells: Tells, tmp_path: Path) -> None:
    from asl_pbcg.airborne.game import Airborne

    for settings in ({}, [], "x", {"settings": {"orientation": "sideways"}}, {"settings": 5}):
        journal = Journal.in_memory({"game": "airborne", "settings": settings})
        with pytest.raises(PBCGError) as refused:
            Session(Airborne(), journal)
        tells(refused, "used")


def test_a_log_that_is_none_gets_a_sentence(tmp_path: Path) -> None:
    """Its hash may fit: whoever knows how can reckon it."""
    path = hostile(tmp_path / "a.pbcg")
    with Journal.open(path, "test") as journal:
        from asl_pbcg.kernel.stored_file import Kept

        with journal.transaction():
            journal._states.insert(Kept(seq=1, step="1"), b"{}", b'[{"kind": 5}]')
    with Journal.read(path, "test") as journal, pytest.raises(PBCGError, match="log"):
        for _, lines in journal.kept_lines():
            read_lines(lines)
