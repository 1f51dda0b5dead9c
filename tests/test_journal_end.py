"""Opening reads the end of a long file, with its chain; whatever asks for more reads all of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from journal_help import raw_entries, run_sql
from sentences import Tells
from test_kernel_session import Purse, ShopGame

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Roll
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.stored_file import SHORT
from asl_pbcg.kernel.verify import verify


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A file of many finished steps and one in progress."""
    path = tmp_path_factory.mktemp("end") / "a.pbcg"
    meta = {"game": "shop", "settings": {"coins": 10}, "dice": "program"}
    with Journal.create(path, meta, "test") as journal:
        session = Session(ShopGame(300), journal)
        with session.together():
            go_on(session, SHORT + 100)
        session.undo("once more")
        go_on(session, 2)
        assert session.begun
    return path.read_bytes()


def go_on(session: Session[Purse], many: int) -> None:
    for _ in range(many):
        asked = session.pending
        assert asked is not None
        if isinstance(asked, Roll):
            session.throw((1, 1))
        else:
            session.answer("done" if asked.id == "1.2" else "yes")


@pytest.fixture
def path(whole: bytes, tmp_path: Path) -> Path:
    found = tmp_path / "b.pbcg"
    found.write_bytes(whole)
    return found


def test_the_end_is_enough_to_go_on_with(path: Path) -> None:
    with Journal.open(path, "test") as journal:
        first = journal._end.first
        assert first > SHORT
        session = Session(ShopGame(300), journal)
        state, asked = session.state, session.pending
        go_on(session, 3)
        assert journal._end.first == first, "answering reads no more"
        last = journal.last
    with Journal.read(path, "test") as journal:
        journal.read_whole()
        again = Session(ShopGame(300), journal)
        assert journal.last == last
        assert verify(journal, ShopGame(300), "test").faults == []
        bare = Session(ShopGame(300), journal, bare=True)
        assert (bare.state, bare.pending) == (again.state, again.pending)
    assert state is not None and asked is not None


def test_a_write_that_fails_leaves_it_as_it_was(path: Path) -> None:
    with Journal.open(path, "test") as journal:
        session = Session(ShopGame(300), journal)
        before = (journal.last, journal.head, session.pending)
        with pytest.raises(KeyError), session.together():
            go_on(session, 1)
            journal.read_whole()
            go_on(session, 1)
            raise KeyError
        assert (journal.last, journal.head) == before[:2]
        assert session.pending == before[2]
        go_on(session, 2)
    with Journal.read(path, "test") as journal:
        assert verify(journal, ShopGame(300), "test").faults == []


def test_an_undo_behind_the_end_reads_the_whole(path: Path) -> None:
    with Journal.open(path, "test") as journal:
        session = Session(ShopGame(300), journal)
        early = journal.step_began()
        while journal.standing() and journal.standing()[-1].seq > early - 3:
            session.undo("back")
        assert journal._end.first == 0
    with Journal.open(path, "test") as journal:
        session = Session(ShopGame(300), journal)
        go_on(session, 2)
        assert verify(journal, ShopGame(300), "test").faults == []


@pytest.mark.parametrize("what", ["the end", "the settings", "one more", "one less"])
def test_what_touches_the_end_is_told_at_once(path: Path, what: str) -> None:
    last = len(raw_entries(path))
    run_sql(
        path,
        {
            "the end": f"UPDATE entries SET entry = CAST(replace(CAST(entry AS TEXT), "
            f"'test', 'tost') AS BLOB) WHERE seq = {last}",
            "the settings": "UPDATE meta SET value = '\"manual\"' WHERE key = 'dice'",
            "one more": f"INSERT INTO entries SELECT {last + 1}, entry FROM entries WHERE seq = 9",
            "one less": "DELETE FROM entries WHERE seq = 9",
        }[what],
    )
    for way in (Journal.open, Journal.read):
        with pytest.raises(PBCGError, match="is damaged"), way(path, "test"):
            pass


def test_an_edit_further_back_is_told_by_what_would_read_it(tells: Tells, path: Path) -> None:
    edit = "CAST(replace(CAST(entry AS TEXT), 'test', 'tost') AS BLOB)"
    run_sql(path, f"UPDATE entries SET entry = {edit} WHERE seq = 9")
    with Journal.read(path, "test") as journal:
        session = Session(ShopGame(300), journal)
        for ask in (session.lines, journal.situation, journal.rolls, lambda: journal.heads):
            with pytest.raises(PBCGError) as refused:
                ask()
            tells(refused, "entry 9")
