"""The campaign file under attack: changed underneath, torn, damaged; cache, checkpoints (G-40)."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from in_process import run_pbcg
from journal_help import canonical, raw_lines, rewrite
from sentences import Tells
from small_games import ShopGame, coins, four_answered, look, new_session

from asl_pbcg.cli.campaign_file import create_campaign
from asl_pbcg.kernel import journal_file, journal_text
from asl_pbcg.kernel.entries import ChangedUnderneath, Damaged, Entry
from asl_pbcg.kernel.errors import HeldElsewhere, PBCGError
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.journal_file import lock_path
from asl_pbcg.kernel.session import Session

# -- Changed underneath (G-40) -----------------------------------------------------------


def _replace(path: Path, content: bytes) -> None:
    other = path.with_name("other")
    other.write_bytes(content)
    other.replace(path)


ATTACKS: dict[str, Callable[[Path, bytes], object]] = {
    "an older copy in place": lambda path, older: path.write_bytes(older),
    "an older copy moved there": _replace,
    "cut short": lambda path, older: os.truncate(path, path.stat().st_size - 7),
    "emptied": lambda path, older: path.write_bytes(b""),
    "appended to": lambda path, older: path.write_bytes(path.read_bytes() + b"{}\n"),
    "deleted": lambda path, older: path.unlink(),
    "renamed": lambda path, older: path.rename(path.with_name("moved.pbcg")),
    "a letter in the middle": lambda path, older: path.write_bytes(
        path.read_bytes().replace(b'"stay"', b'"walk"', 1)
    ),
}


@pytest.mark.finding("G-40")
@pytest.mark.parametrize("name", ATTACKS)
def test_a_file_changed_underneath_is_not_written_to(tmp_path: Path, name: str) -> None:
    path = tmp_path / "a.pbcg"
    session = coins(path)
    session.answer("stay")
    older = path.read_bytes()
    session.answer("go")
    session.throw((4,))
    seen, whole = look(session), path.read_bytes()
    ATTACKS[name](path, older)
    there = path.read_bytes() if path.exists() else None
    with pytest.raises(ChangedUnderneath):
        session.answer("stay")
    assert (path.read_bytes() if path.exists() else None) == there
    assert look(session) == seen
    path.write_bytes(whole)  # what it was: then it goes on
    session.answer("stay")
    session.journal.close()
    with Journal.read(path, "test") as journal:
        assert len(journal.standing()) == 4


MISSING = {"an older copy in place": 2, "an older copy moved there": 2, "cut short": 1}


@pytest.mark.finding("J-13")
@pytest.mark.parametrize("name", ATTACKS)
def test_what_was_acknowledged_is_saved_beside(tmp_path: Path, name: str) -> None:
    path, before = tmp_path / "a.pbcg", tmp_path / "a.pbcg.before"
    session = coins(path)
    session.answer("stay")
    older = path.read_bytes()
    session.answer("go")
    session.throw((4,))
    whole = path.read_bytes()
    ATTACKS[name](path, older)
    for _ in range(2):
        with pytest.raises(ChangedUnderneath) as told:
            session.answer("stay")
    assert before.exists() == (name != "appended to")
    assert [each.name for each in tmp_path.glob("*.before*")] == ["a.pbcg.before"] * before.exists()
    if before.exists():
        assert before.read_bytes() == whole
        assert before.name in str(told.value)
        assert f" {MISSING.get(name, 3)} entr" in str(told.value)
        session.journal.close()
        with Journal.read(before, "test") as journal:
            assert look(Session(session.game, journal)) == look(session)


def test_a_file_replaced_by_the_same_content_is_written_to(tmp_path: Path) -> None:
    path = tmp_path / "a.pbcg"
    session = coins(path)
    session.answer("stay")
    _replace(path, path.read_bytes())
    session.answer("stay")
    session.journal.close()
    with Journal.read(path, "test") as journal:
        assert len(journal.standing()) == 2


@pytest.mark.finding("G-40")
def test_a_file_changed_underneath_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "a.pbcg"
    session = coins(path)
    session.answer("stay")
    older = path.read_bytes()
    session.answer("stay")
    path.write_bytes(b"hello\n")
    with pytest.raises(ChangedUnderneath):
        session.answer("stay")
    with pytest.raises(PBCGError):
        session.read_again()
    path.write_bytes(older)
    session.read_again()
    assert session.pending is not None
    assert session.pending.about == "coin-2"
    session.answer("stay")
    session.journal.close()
    with Journal.read(path, "test") as journal:
        assert len(journal.standing()) == 2


@pytest.mark.finding("G-40")
def test_the_terminal_keeps_the_answer_and_reads_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under ``refit``, as a sync client puts a copy in place to which somebody added a note."""
    path = tmp_path / "a.pbcg"
    begun = run_pbcg("new", path, "--campaign", "CG2", "--auto", "7", "--seed", "11")
    assert begun.code == 0, begun.err
    before = path.read_bytes()
    with Journal.open(path, "test") as journal:
        journal.append(Entry(kind="note", body={"text": "a remark"}))
    longer = path.read_bytes()
    path.write_bytes(before)
    append, writes = journal_file.JournalFile.append, 0

    def overwritten(file: journal_file.JournalFile, line: bytes) -> None:
        nonlocal writes
        writes += 1
        if writes == 1:
            path.write_bytes(longer)
        append(file, line)

    monkeypatch.setattr(journal_file.JournalFile, "append", overwritten)
    told = run_pbcg("refit", path, typed="1\n\nq\n")
    assert told.code == 0, told.err
    assert "again." in told.out
    assert path.read_bytes().startswith(longer)
    with Journal.read(path, "test") as journal:
        assert [entry.kind for entry in journal.entries()][-2:] == ["note", "answer"]


class _NoLock:
    """What a file system that grants every lock gives."""

    def release(self) -> None:
        """Let nothing go."""


@pytest.mark.finding("G-40")
def test_two_programs_where_every_lock_is_granted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_file, "FileLock", lambda path: _NoLock())
    path = tmp_path / "a.pbcg"
    first = coins(path)
    second = Session(first.game, Journal.open(path, "test"))
    acknowledged = []
    for turn in range(6):
        session = (first, second)[turn % 2]
        try:
            session.answer("stay")
            acknowledged.append(turn)
        except ChangedUnderneath:
            continue
    assert acknowledged == [0, 2, 4]
    with Journal.read(path, "test") as journal:
        assert len(journal.standing()) == len(acknowledged)


GRANTED = "int flock(int a, int b) { return 0; } int lockf(int a, int b, long c) { return 0; }"
PATCHED = """
import sys
from asl_pbcg.kernel import journal_file
from asl_pbcg.__main__ import main
class NoLock:
    def release(self):
        pass
journal_file.FileLock = lambda path: NoLock()
sys.argv[0] = "pbcg"
main()
"""


def _without_locks(folder: Path) -> tuple[list[str], dict[str, str]]:
    """Return how ``pbcg`` is started where every lock is granted: its words and environment.

    Where there is no compiler its own lock function is replaced, not that of the system.
    """
    compiler = shutil.which("cc")
    if not compiler or sys.platform != "linux":
        return [sys.executable, "-c", PATCHED], {}
    source, shim = folder / "granted.c", folder / "granted.so"
    source.write_text(GRANTED)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", shim, source], check=True)
    return [sys.executable, "-m", "asl_pbcg"], {"LD_PRELOAD": str(shim)}


class _Terminal:
    """A ``pbcg refit`` that waits for what is typed."""

    def __init__(self, path: Path, name: str, words: list[str], environment: dict[str, str]):
        self.told = path.with_name(name)
        with self.told.open("w") as out:
            self.process = subprocess.Popen(
                [*words, "refit", str(path)], stdin=subprocess.PIPE, stdout=out,
                stderr=subprocess.STDOUT, text=True, env={**os.environ, **environment},
            )  # fmt: skip
        self.wait_for("Enter rolls")

    def wait_for(self, words: str, times: int = 1) -> None:
        """Wait until it has printed ``words`` so many times."""
        _wait(lambda: " ".join(self.told.read_text("utf-8").split()).count(words) >= times)

    def enter(self) -> None:
        """Press Enter: the next roll is thrown, or a file that changed is read again."""
        assert self.process.stdin
        self.process.stdin.write("\n")
        self.process.stdin.flush()


def _wait(until: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not until():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.finding("G-40")
def test_two_terminals_where_the_system_grants_every_lock(tmp_path: Path) -> None:
    path = tmp_path / "a.pbcg"
    meta = {"settings": {"campaign": "CG1"}, "seed": 3, "dice": "seeded"}
    create_campaign(path, meta).journal.close()
    words, environment = _without_locks(tmp_path)
    terminals = [_Terminal(path, name, words, environment) for name in ("first", "second")]
    changed = "was written to by another program"
    try:
        for turn in range(4):
            here, other = terminals[turn % 2], terminals[1 - turn % 2]
            before = path.read_bytes()
            here.enter()
            _wait(lambda before=before: path.read_bytes() != before)  # type: ignore[misc]
            acknowledged = path.read_bytes()
            assert acknowledged.startswith(before)
            assert acknowledged.count(b"\n") == before.count(b"\n") + 1
            other.enter()
            other.wait_for(changed, turn // 2 + 1)
            assert path.read_bytes() == acknowledged
            other.enter()  # it reads the file again
    finally:
        for terminal in terminals:
            terminal.process.communicate(timeout=60)
    assert path.read_bytes() == acknowledged
    assert run_pbcg("verify", path).code == 0


WRITER = """
import sys, time
from pathlib import Path
from asl_pbcg.kernel.entries import Entry
from asl_pbcg.kernel.journal import Journal
with Journal.create(Path(sys.argv[1]), {"settings": {}}, "t") as journal:
    for number in range(400):
        journal.append(Entry(kind="note", body="x" * (10, 9_000)[number % 2]))
        time.sleep(0.004)
"""
READS = 10_000 if os.environ.get("PBCG_WHOLE_SOAK") else 300


def test_a_reader_beside_a_writer_never_hears_of_damage(tmp_path: Path) -> None:
    reads, grew, number = 0, 0, 0
    while reads < READS:
        number += 1
        path, entries = tmp_path / f"{number}.pbcg", 0
        with subprocess.Popen([sys.executable, "-c", WRITER, str(path)]) as writer:
            _wait(path.exists)
            while writer.poll() is None and reads < READS:
                journal = Journal.read(path, "test")
                assert journal.last >= entries
                grew += journal.last > entries
                entries = journal.last
                reads += 1
            writer.kill()
    assert grew


def test_what_another_program_wrote_at_the_same_moment_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.pbcg"
    session = coins(path)
    session.answer("stay")
    between = b'{"from":"another"}\n'
    write = os.write

    def late(handle: int, content: Any) -> int:
        with path.open("ab") as other:
            other.write(between)
        return write(handle, content)

    monkeypatch.setattr(journal_file.os, "write", late)
    before = path.read_bytes()
    with pytest.raises(ChangedUnderneath):
        session.answer("stay")
    assert path.read_bytes() == before + between


def test_a_second_program_is_told_that_the_file_is_held(tmp_path: Path) -> None:
    path = tmp_path / "a.pbcg"
    with coins(path).journal:
        with pytest.raises(HeldElsewhere):
            Journal.open(path, "test")
        link = tmp_path / "link.pbcg"
        link.symlink_to(path)
        with pytest.raises(HeldElsewhere):
            Journal.open(link, "test")
    Journal.open(path, "test").close()
    assert lock_path(path).name == ".a.pbcg.lock"


@pytest.mark.finding("J-16")
@pytest.mark.parametrize("code", ["ENOLCK", "EOPNOTSUPP", "ENOSYS"])
def test_a_disk_without_locks_is_told_with_the_way_on(
    tells: Tells, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    path = tmp_path / "a.pbcg"
    coins(path).journal.close()
    lock_path(path).touch()  # as an earlier program left it

    def refuse(handle: int) -> None:
        raise OSError(getattr(errno, code), "no locks")

    monkeypatch.setattr(journal_file, "_lock", refuse)
    for _ in range(2):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(PBCGError) as told:
                Journal.open(path, "test")
        assert not isinstance(told.value, HeldElsewhere)
        assert "read-only" not in str(told.value)
    tells(str(told.value), "Copy it", "looked at")
    monkeypatch.undo()
    Journal.open(path, "test").close()


@pytest.mark.finding("J-16")
@pytest.mark.finding("J-65")
def test_a_lock_file_is_private_and_goes_with_its_program(tmp_path: Path) -> None:
    path = tmp_path / "a.pbcg"
    journal = coins(path).journal
    assert lock_path(path).stat().st_mode & 0o777 == 0o600
    journal.close()
    assert not lock_path(path).exists()
    lock_path(path).touch()
    Journal.open(path, "test").close()


@pytest.mark.finding("J-17")
def test_a_name_too_long_for_a_lock_gets_a_sentence(tells: Tells, tmp_path: Path) -> None:
    path = tmp_path / "a.pbcg"
    coins(path).journal.close()
    path = path.rename(tmp_path / f"{'a' * 246}.pbcg")
    with pytest.raises(PBCGError) as told:
        Journal.open(path, "test")
    tells(str(told.value), "too long", "249")


def test_a_conflict_copy_of_a_sync_client_parts_where_it_parted(
    tells: Tells, tmp_path: Path
) -> None:
    path, copy = tmp_path / "a.pbcg", tmp_path / "a (conflict).pbcg"
    session = coins(path)
    session.answer("stay")
    shutil.copy(path, copy)
    session.answer("stay")
    session.journal.close()
    with Journal.open(copy, "test") as journal:
        Session(session.game, journal).answer("go")
    told = run_pbcg("compare", path, copy)
    assert told.code == 1
    tells(told.out, "coin-1", "same")
    tells(told.out, "a.pbcg", "coin-2", "stay")


# -- Torn and damaged --------------------------------------------------------------------


def test_a_last_line_torn_at_every_byte_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from asl_pbcg.kernel import journal as module

    monkeypatch.setattr(module, "_WAITS", (0.0,))
    path = tmp_path / "a.pbcg"
    session = coins(path)
    session.answer("stay")
    before = path.read_bytes()
    session.answer("stay")
    session.journal.close()
    whole = path.read_bytes()
    for length in range(len(before) + 1, len(whole) - 1):
        path.write_bytes(whole[:length])
        with Journal.read(path, "test") as journal:
            assert len(journal.standing()) == 1
            assert "not finished" in " ".join(journal.remarks)
        assert path.stat().st_size == length
    with Journal.open(path, "test") as journal:
        assert path.stat().st_size == len(whole) - 2
        Session(session.game, journal).answer("stay")
    assert canonical(raw_lines(path)[-1]["entries"]) == canonical(
        [{"about": "coin-2", "kind": "answer", "point": "1.1", "side": "blue", "step": "1",
          "value": "stay"}]
    )  # fmt: skip


@pytest.mark.finding("J-94")
@pytest.mark.parametrize("where", ["ftruncate", "write"])
def test_stopped_while_a_torn_end_is_cut_off_it_is_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    path = tmp_path / "a.pbcg"
    session = coins(path)
    session.answer("stay")
    session.journal.close()
    torn = path.read_bytes() + b'{"at":"2026-'
    path.write_bytes(torn)
    with Journal.open(path, "test") as journal:
        session = Session(session.game, journal)
        call, stopped = getattr(os, where), []

        def stop(*words: Any) -> Any:
            if stopped:
                return call(*words)
            stopped.append(where)
            if where == "ftruncate":
                call(*words)
            raise KeyboardInterrupt

        monkeypatch.setattr(journal_file.os, where, stop)
        with pytest.raises(KeyboardInterrupt):
            session.answer("stay")
        assert path.read_bytes() == torn
        session.answer("stay")
    with Journal.read(path, "test") as journal:
        assert len(journal.standing()) == 2


def test_a_last_line_without_its_line_end_counts(tells: Tells, tmp_path: Path) -> None:
    path = tmp_path / "a.pbcg"
    session = coins(path)
    session.answer("stay")
    session.journal.close()
    whole = path.read_bytes()
    for content in (whole, whole.splitlines(keepends=True)[0]):
        path.write_bytes(content[:-1])
        with Journal.open(path, "test") as journal:
            tells(journal.remarks, "line end")
            assert path.read_bytes() == content[:-1]
            Session(session.game, journal).answer("stay")
            assert not Journal.read(path, "test").remarks
        assert path.read_bytes().startswith(content)


# -- Bounds ------------------------------------------------------------------------------


def test_what_is_too_large_is_refused_before_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from asl_pbcg.kernel import journal

    path = tmp_path / "a.pbcg"
    session = coins(path)
    before = path.read_bytes()
    monkeypatch.setattr(journal, "MAX_LINE", 200)
    with pytest.raises(PBCGError, match="too large"):
        session.answer("stay")
    assert path.read_bytes() == before
    assert not session.journal.entries()
    session.journal.close()


@pytest.mark.parametrize(
    "value", ["\ud800", 10**30, 1e300, [[[[]]]] * 2 + [eval("[" * 70 + "]" * 70)]]
)
def test_a_value_without_its_one_spelling_is_refused(value: Any) -> None:
    from asl_pbcg.kernel.entries import encode_entry

    with pytest.raises(PBCGError):
        encode_entry(Entry(kind="note", body=value))


def test_a_huge_file_a_pipe_and_a_folder_are_never_read(tmp_path: Path) -> None:
    huge = tmp_path / "huge.pbcg"
    huge.touch()
    os.truncate(huge, journal_text.MAX_FILE + 1)
    pipe = tmp_path / "pipe.pbcg"
    os.mkfifo(pipe)
    for path in (huge, pipe, tmp_path):
        with pytest.raises(PBCGError):
            Journal.read(path, "test")


# -- The cache ---------------------------------------------------------------------------


def test_without_the_cache_everything_is_as_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.pbcg"
    session = coins(path)
    four_answered(session)
    session.correct("coins", 2, "it was miscounted")
    seen = look(session)
    session.journal.close()
    cache = tmp_path / "cache"
    for folder in ("off", str(cache), str(cache)):
        monkeypatch.setenv("PBCG_CACHE", folder)
        with Journal.read(path, "test") as journal:
            assert look(Session(session.game, journal)) == seen
    (file,) = cache.glob("*.states")
    for content in (b"", b"x" * 99, file.read_bytes()[:-3], file.read_bytes()[::-1]):
        file.write_bytes(content)
        with Journal.read(path, "test") as journal:
            assert look(Session(session.game, journal)) == seen


def test_a_cached_state_of_other_entries_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBCG_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "a.pbcg"
    with new_session(path).journal as journal:
        session = Session(ShopGame(), journal)
        session.answer("buy-3")
        session.answer("done")
    assert session.state.coins == 7

    def buy_less(lines: list[dict[str, Any]]) -> None:
        import base64
        import json

        veil = json.loads(base64.b64decode(lines[1]["entries"][0]["veil"]))
        veil["value"] = "buy-1"
        lines[1]["entries"][0]["veil"] = base64.b64encode(canonical(veil)).decode()

    rewrite(path, buy_less)
    with Journal.read(path, "test") as journal:
        assert Session(ShopGame(), journal).state.coins == 9


LARGE = msgspec.Raw(b"1" + b"0" * 21 + b".0")


def _many_lines(path: Path) -> None:
    session = coins(path)
    four_answered(session)
    session.undo("a benchmark")
    for number in range(80):
        session.journal.append(Entry(kind="note", body=[f"line {number}", LARGE, 0.5, 2**64 - 1]))
    session.journal.close()


def _said(path: Path) -> Any:
    """Return all that is read of a file, or what is wrong with it."""
    try:
        text = Journal.read(path, "test").text
    except Damaged as damage:
        return damage.code, damage.line
    return msgspec.json.encode(text)


def test_lines_that_were_read_before_are_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBCG_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "a.pbcg"
    _many_lines(path)
    read: list[bytes] = []
    add = journal_text.JournalText.add
    monkeypatch.setattr(
        journal_text.JournalText, "add", lambda text, line: (read.append(line), add(text, line))
    )
    first = _said(path)
    assert len(read) == len(raw_lines(path)) - 1
    assert _said(path) == first
    assert len(read) == len(raw_lines(path)) - 1
    with Journal.open(path, "test") as journal:
        journal.append(Entry(kind="note", body="one more"))
    del read[:]
    said = _said(path)
    assert len(read) == 1
    monkeypatch.setenv("PBCG_CACHE", "off")
    assert _said(path) == said


def test_a_wrong_byte_is_found_with_and_without_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, cache = tmp_path / "a.pbcg", str(tmp_path / "cache")
    _many_lines(path)
    whole = path.read_bytes()
    for place in range(0, whole[:-1].rindex(b"\n"), 97):
        monkeypatch.setenv("PBCG_CACHE", cache)
        path.write_bytes(whole)
        _said(path)
        path.write_bytes(whole[:place] + bytes((whole[place] ^ 1,)) + whole[place + 1 :])
        found = _said(path)
        monkeypatch.setenv("PBCG_CACHE", "off")
        assert _said(path) == found
        assert isinstance(found, tuple)


def test_damaged_lines_in_the_cache_cost_time_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBCG_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "a.pbcg"
    _many_lines(path)
    said = _said(path)
    (file,) = (tmp_path / "cache").glob("*.lines")
    cached = file.read_bytes()
    for place in range(0, len(cached), 211):
        file.write_bytes(cached[:place] + bytes((cached[place] ^ 1,)) + cached[place + 1 :])
        assert _said(path) == said
        file.write_bytes(cached[:place])
        assert _said(path) == said


# -- Written for people ------------------------------------------------------------------


def test_a_person_can_read_it_but_not_the_secrets(tmp_path: Path) -> None:
    path = tmp_path / "a.pbcg"
    session = coins(path)
    four_answered(session)
    session.journal.close()
    text = path.read_text(encoding="utf-8")
    assert (
        '"about":"coin-2","kind":"roll","point":"1.2","side":"red","step":"1","value":[4]' in text
    )
    assert "coin-3" not in text
