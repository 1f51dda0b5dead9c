"""A file is evidence: another program verifies it, any edit is noticed, a wrong byte is mended."""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from journal_help import raw_entries, rewrite, run_sql, write_entries
from other_verifier import first_wrong
from test_journal_files import EDITS, change_die, entry_places, everything, played, verified
from test_kernel_session import ShopGame
from test_old_files import OLD

from asl_pbcg.kernel.entries import Entry
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.salvage import rescue
from asl_pbcg.kernel.session import Session

WHOLE = bool(os.environ.get("PBCG_WHOLE_SOAK"))
"""Every place and edit, as docs/engineers/soak-journal.md tells; else a sample."""
PLACES = 500 if WHOLE else 15
BY_HAND = 100


# -- Another program -----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["cg2", "st", "drop", "mega"])
def test_another_program_verifies_a_file_of_each_game(name: str) -> None:
    assert first_wrong(OLD / f"first-chained-{name}.pbcg") == ""


def test_another_program_finds_what_verify_finds(tmp_path: Path) -> None:
    whole = played(tmp_path / "whole.pbcg")
    assert first_wrong(whole) == ""
    path = tmp_path / "a.pbcg"
    for name, change in EDITS.items():
        shutil.copy(whole, path)
        change(path)
        # A snapshot without which nothing else is chained to it may be missing: verify alone tells.
        assert first_wrong(path), name
    shutil.copy(whole, path)
    rewrite(path, change_die)
    assert first_wrong(path) == "", "a chain made anew fits in itself"


# -- By hand -------------------------------------------------------------------------------


def by_hand(path: Path, source: random.Random) -> str:
    """Change something of a file by hand; what it was."""
    entries = raw_entries(path)
    at = source.randrange(len(entries))
    kind = source.randrange(9)
    if kind == 0:
        entries[at]["body"] = source.choice([[6], [1], "buy-1", "done", None, 7, {"back_to": 0}])
    elif kind == 1:
        del entries[at]
    elif kind == 2:
        entries.insert(at, dict(source.choice(entries)))
    elif kind == 3:
        other = source.randrange(len(entries))
        entries[at], entries[other] = entries[other], entries[at]
    elif kind == 4:
        name = source.choice(["step", "point", "about", "side", "at", "program", "prev"])
        entries[at][name] = entries[at][name][:-1] + "x"
    elif kind == 5:
        entries[at]["secret"] = not entries[at]["secret"]
    elif kind == 6:
        del entries[source.randrange(len(entries)) :]
    elif kind == 7:
        number = source.randint(1, 9)
        column = source.choice(["state = state || x'20'", "lines = lines || x'20'", "step = 'x'",
                                "seq = seq + 1", "hash = 'x'"])  # fmt: skip
        run_sql(path, f"UPDATE snapshots SET {column} WHERE id = {number}")
        return f"{column} of snapshot {number}"
    else:
        value = source.choice(["'{}'", "'3'", "'\"shop\"'", "'{\"coins\":1}'"])
        key = source.choice(["game", "settings", "seed"])
        run_sql(path, f"INSERT OR REPLACE INTO meta VALUES ('{key}', {value})")
        return f"setting {key} to {value}"
    write_entries(path, entries, chained=False)
    return f"kind {kind} at entry {at + 1}"


def test_a_hundred_edits_by_hand_are_noticed(tmp_path: Path) -> None:
    whole = played(tmp_path / "whole.pbcg")
    known = everything(whole)
    path = tmp_path / "a.pbcg"
    noticed = 0
    for number in range(BY_HAND):
        shutil.copy(whole, path)
        what = by_hand(path, random.Random(f"by hand/{number}"))
        try:
            faults = verified(path).faults
        except PBCGError as error:
            assert "damaged" in str(error), (what, error)
            faults = [str(error)]
        if not faults:  # it put in place what had stood there
            assert everything(path) == known, what
            assert first_wrong(path) == "", what
        else:
            noticed += 1
            assert first_wrong(path), what
    assert noticed > BY_HAND * 0.9


# -- One wrong byte ------------------------------------------------------------------------


def long_game(path: Path, entries: int = 1500) -> Path:
    """A file of so many entries: a game with much taken back and given again."""
    played(path)
    with Journal.open(path, "test") as journal:
        session = Session(ShopGame(30), journal)
        with session.together():
            for _ in range((entries - journal.last) // 2 + 1):
                last = journal.standing()[-1]
                session.undo("once more")
                if last.kind == "roll":
                    session.throw(tuple(last.body))
                else:
                    session.answer(last.body)
    return path


def test_a_wrong_byte_anywhere_gets_a_sentence_and_all_before_it_is_rescued(
    tmp_path: Path,
) -> None:
    whole = long_game(tmp_path / "whole.pbcg")
    data = whole.read_bytes()
    known = everything(whole)
    with Journal.read(whole, "test") as journal:
        entries, heads = journal.entries(), list(journal.heads)
    assert len(entries) >= 1500
    places = entry_places(data, len(entries))
    path, new = tmp_path / "a.pbcg", tmp_path / "new.pbcg"
    source = random.Random(1944)
    noticed = 0
    for _ in range(PLACES):
        at = source.randrange(len(data))
        wrong = bytearray(data)
        wrong[at] = (wrong[at] + source.randint(1, 255)) % 256
        path.write_bytes(wrong)
        try:
            same = everything(path) == known
            assert same, f"byte {at} went unnoticed"
        except PBCGError as error:
            noticed += 1
            assert str(error).endswith("."), error
        hit = next((seq for seq, (start, end) in places.items() if start <= at < end), 0)
        new.unlink(missing_ok=True)
        rescue(path, new)
        with Journal.read(new, "test") as journal:
            kept = journal.entries()
            assert _said(kept) == _said(entries[: len(kept)])
            assert len(kept) >= (hit - 1 if hit else len(entries)), (at, hit, len(kept))
            if hit:
                assert list(journal.heads)[:hit] == heads[:hit]
    assert noticed > PLACES // 2


def _said(entries: list[Entry]) -> list[tuple[Any, ...]]:
    return [(each.seq, each.kind, each.step, each.point, each.about, each.body) for each in entries]


def test_a_file_whose_tables_are_gone_is_still_rescued(tmp_path: Path) -> None:
    path, new = played(tmp_path / "a.pbcg"), tmp_path / "new.pbcg"
    with Journal.read(path, "test") as journal:
        entries = journal.entries()
    data = bytearray(path.read_bytes())
    data[100:200] = bytes(100)
    path.write_bytes(data)
    with pytest.raises(PBCGError, match="damaged"):
        Journal.read(path, "test")
    rescue(path, new)
    with Journal.read(new, "test") as journal:
        assert journal.entries() == entries


def test_of_a_file_that_was_cut_off_nobody_is_told_that_nothing_is_lost(tmp_path: Path) -> None:
    """The page with the number of entries may be gone too: then how many is not known."""
    whole = long_game(tmp_path / "a.pbcg", 300)
    data = whole.read_bytes()
    path, new, some = tmp_path / "b.pbcg", tmp_path / "new.pbcg", 0
    for size in range(4096, len(data), 8192):
        path.write_bytes(data[:size])
        new.unlink(missing_ok=True)
        try:
            found = rescue(path, new)
        except PBCGError:
            continue
        if len(found.entries) < 300:
            assert found.lost or not found.complete, size
            some += 1
    assert some
    new.unlink()
    path.write_bytes(data)
    found = rescue(path, new)
    assert found.complete
    assert not found.lost


def test_the_other_verifier_uses_nothing_of_the_program() -> None:
    text = (Path(__file__).parent / "other_verifier.py").read_text(encoding="utf-8")
    assert "import asl_pbcg" not in text
    assert "from asl_pbcg" not in text
