"""The script runner on a small game: answers, rolls, undo, steps, views, reopening."""

from __future__ import annotations

import errno
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sentences import Tells, raised
from small_games import Purse, ShopGame, look, new_session

from asl_pbcg.kernel.answers import Leave, ListedAnswers, RandomAnswers, drive
from asl_pbcg.kernel.dice import ListedDice, SeededDice
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.verification.verify import BareReplay, verify
from asl_pbcg.kernel.views import for_side


def test_answers_move_the_game_on_and_the_log_tells_them(tells: Tells) -> None:
    session = new_session()
    session.answer("buy-3")
    session.answer("done")
    session.answer("yes")
    rolled = session.throw((4, 4))
    assert rolled.final == 8
    assert session.state == Purse(3, 7, (8,))
    texts = [line.text for line in session.lines()]
    assert texts[:3] == ["The shop opens.", "What next? buy for 3", "What next? go on"]
    assert "The gamble: 4+4=8: 8" in texts
    tells(texts, "Nothing")


def test_an_illegal_answer_changes_nothing(tells: Tells) -> None:
    session = new_session()
    session.answer("buy-7")
    before = look(session)
    tells(raised(IllegalAnswer, lambda: session.answer("buy-7")), "1.2")
    tells(raised(IllegalAnswer, lambda: session.answer("steal")), "buy-1", "buy-3")
    tells(raised(PBCGError, lambda: session.throw((1,))), "roll")
    assert look(session) == before
    assert len(session.journal.entries()) == 1


def test_undo_is_free_back_to_the_last_roll_only(tells: Tells) -> None:
    session = new_session()
    session.answer("done")
    before = look(session)
    session.answer("yes")
    session.undo()
    assert look(session) == before
    session.answer("yes")
    at_roll = look(session)
    session.throw((1, 2))
    tells(raised(PBCGError, lambda: session.undo()), "reason")
    session.undo("a die fell off the table")
    assert look(session) == at_roll
    assert [entry.kind for entry in session.journal.entries()][-2:] == ["roll", "undo"]
    assert session.journal.entries()[-1].body["reason"] == "a die fell off the table"
    for _ in range(2):
        session.undo()
    tells(raised(PBCGError, lambda: session.undo()), "nothing")
    assert look(session) == look(new_session())


def test_undo_to_the_first_question_of_a_step_is_one_entry_with_a_reason(tells: Tells) -> None:
    session = new_session()
    session.answer("done")
    session.answer("no")
    before = look(session)
    for answer in ("buy-1", "done", "yes"):
        session.answer(answer)
    session.throw((3, 3))
    with pytest.raises(PBCGError, match="needs a reason"):
        session.undo_to("1", " ")
    tells(raised(PBCGError, lambda: session.undo_to("3", "a test")), "3", "1", "2", "nothing")
    taken = session.undo_to("1", "the wrong shop")
    assert [(entry.kind, entry.point) for entry in taken] == [
        ("answer", "1.2"),
        ("answer", "1.2"),
        ("answer", "2.1"),
        ("roll", "2.2"),
    ]
    assert look(session) == before
    last = session.journal.entries()[-1]
    assert (last.kind, last.body["reason"]) == ("undo", "the wrong shop")
    session.undo_to("2", "further back")
    assert session.pending is not None
    assert session.pending.id == "2.1"


def played(session: Session[Purse]) -> Session[Purse]:
    for answer in ("done", "no", "buy-1", "done", "yes"):
        session.answer(answer)
    session.throw((3, 3))
    return session


@pytest.mark.finding("G-32")
def test_redo_gives_back_what_the_last_undo_took(tells: Tells) -> None:
    session = played(new_session())
    before = look(session)
    session.undo_to("1", "the wrong shop")
    session.undo_to("1", "further back")
    assert session.pending is not None
    with pytest.raises(PBCGError, match="nothing"):
        new_session().redo()
    assert [entry.point for entry in session.redo()] == ["1.2", "2.1"]
    assert [entry.kind for entry in session.redo()] == ["answer", "answer", "answer", "roll"]
    assert look(session)[:4] == before[:4]
    told = [line.text for line in session.lines() if line.kind in ("undo", "redo")]
    tells(told, "Undone", "3+3=6")
    tells(told, "Redone", "3+3=6")
    with pytest.raises(PBCGError, match="nothing"):
        session.redo()


@pytest.mark.finding("G-32")
def test_another_answer_ends_redo_and_the_same_does_not(tells: Tells) -> None:
    session = played(new_session())
    session.undo_to("1", "a test")
    session.answer("buy-1")
    assert [entry.point for entry in session.redo()] == ["1.2", "2.1", "2.2"]
    session.undo("the die fell")
    session.undo()
    session.answer("no")
    tells(raised(PBCGError, lambda: session.redo()), "nothing")


@pytest.mark.finding("G-32")
def test_redo_stands_after_closing_the_file_and_verifies(tmp_path: Path) -> None:
    file = tmp_path / "shop.pbcg"
    session = played(new_session(file))
    before = look(session)
    session.undo_to("1", "a test")
    session.journal.close()
    session = Session(ShopGame(), Journal.open(file, "test"))
    session.redo()
    session.journal.close()
    session = Session(ShopGame(), Journal.open(file, "test"))
    assert look(session)[:4] == before[:4]
    found = verify(session.journal, ShopGame())
    assert (found.faults, found.rolls, found.rolls_undone) == ([], 1, 0)
    session.journal.close()


@pytest.mark.finding("G-32")
def test_a_correction_ends_redo_and_can_be_redone_itself(tells: Tells) -> None:
    session = played(new_session())
    session.undo("the die fell")
    session.correct("coins", 4, "miscounted")
    with pytest.raises(PBCGError, match="nothing"):
        session.redo()
    session.undo_to("1", "a test")
    assert session.state.coins == 10
    session.redo()
    assert session.state.coins == 4
    tells([line.text for line in session.lines() if line.kind == "redo"], "coins")


@pytest.mark.finding("G-32")
def test_a_side_alone_redoes_only_its_own_answers(tells: Tells) -> None:
    session = new_session()
    with pytest.raises(PBCGError) as nothing:
        session.check_redo("blue")
    session.answer("buy-1")
    session.undo()
    with pytest.raises(PBCGError) as refused:
        session.check_redo("blue")
    assert str(refused.value) == str(nothing.value)
    tells(refused, "redo", "own")
    session.check_redo("red")
    session.check_redo("umpire")


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.lists(st.sampled_from("uuurag"), max_size=60))
def test_redo_after_undo_gives_the_same_game(seed: int, plan: list[str]) -> None:
    """``u`` undoes, ``r`` redoes if it can, anything else answers at random."""
    answers, dice = RandomAnswers(seed), SeededDice(seed)
    session = new_session()
    seen: list[tuple[Any, ...]] = []
    for do in plan:
        now = look(session)[:4]
        if do == "u" and session.journal.standing():
            session.undo("a test")
            seen.append(now)
        elif do == "r":
            assert (session.undone is not None) == bool(seen)
            if seen:
                session.redo()
                assert look(session)[:4] == seen.pop()
        elif isinstance(asked := session.pending, Roll):
            session.throw(dice.throw(asked.spec, session.rolls, ""))
            seen = seen[:-1] if session.undone else []
        elif asked is not None:
            session.answer(answers.answer(asked))
            seen = seen[:-1] if session.undone else []


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.lists(st.booleans(), max_size=40))
def test_undo_and_forward_again_gives_the_same_game(seed: int, plan: list[bool]) -> None:
    source, answers, dice = random.Random(seed), RandomAnswers(seed), SeededDice(seed)
    session = new_session()
    seen = [look(session)]
    given_answers: list[Any] = []
    for forward in plan:
        if forward and session.pending is not None:
            asked = session.pending
            if isinstance(asked, Roll):
                value: Any = dice.throw(asked.spec, session.rolls, "")
                session.throw(value)
            else:
                value = answers.answer(asked)
                session.answer(value)
            given_answers.append(value)
            seen.append(look(session))
        elif len(seen) > 1:
            back = source.randint(1, len(seen) - 1)
            for _ in range(back):
                session.undo("again")
                seen.pop()
                assert look(session) == seen[-1]
            for value in given_answers[len(seen) - 1 :]:
                session.throw(value) if isinstance(value, tuple) else session.answer(value)
                seen.append(look(session))
    assert look(Session(ShopGame(), session.journal)) == seen[-1]


def test_a_file_opens_where_it_was_left(tmp_path: Path) -> None:
    path = tmp_path / "a.pbcg"
    session = new_session(path)
    drive(session, RandomAnswers(5), SeededDice(5), until=lambda: session.rolls > 1)
    before = look(session)
    session.journal.close()
    with Journal.open(path, "test") as journal:
        again = Session(ShopGame(), journal)
        assert look(again) == before
        drive(again, RandomAnswers(6), SeededDice(5))
        assert again.pending is None
        assert again.state.step == 9


def test_secrets_leave_no_trace_in_the_other_view() -> None:
    session = new_session()
    session.answer("buy-3")
    session.answer("done")
    lines = session.lines()
    assert any("buy for 3" in line.text for line in for_side(lines, "red"))
    assert any("buy for 3" in line.text for line in for_side(lines, "umpire"))
    assert not any("What next" in line.text for line in for_side(lines, "blue"))


def test_two_programs_cannot_hold_one_file(tells: Tells, tmp_path: Path) -> None:
    path = tmp_path / "a.pbcg"
    session = new_session(path)
    tells(raised(PBCGError, lambda: Journal.open(path, "test")), "another")
    session.journal.close()
    Journal.open(path, "test").close()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is not a pbcg campaign file"),
        (b"hello", "is not a pbcg campaign file"),
        (b"SQLite format 3\0" + b"x" * 5000, "is not a pbcg campaign file"),
    ],
)
def test_a_wrong_file_gets_a_sentence(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "a.pbcg"
    path.write_bytes(content)
    with pytest.raises(PBCGError, match=message):
        Journal.open(path, "test")
    with pytest.raises(PBCGError, match="exists already"):
        Journal.create(path, {}, "test")
    assert path.read_bytes() == content


def test_a_foreign_database_and_a_newer_file_are_refused(tells: Tells, tmp_path: Path) -> None:
    import sqlite3

    path = tmp_path / "a.pbcg"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE t (x)")
    connection.commit()
    connection.close()
    tells(raised(PBCGError, lambda: Journal.open(path, "test")), "campaign")
    path.unlink()
    new_session(path).journal.close()
    path.write_bytes(path.read_bytes().replace(b'"pbcg":4', b'"pbcg":5'))
    with pytest.raises(PBCGError, match="newer pbcg"):
        Journal.open(path, "test")


def test_missing_folder_and_file_get_sentences(tells: Tells, tmp_path: Path) -> None:
    tells(
        raised(PBCGError, lambda: Journal.create(tmp_path / "no" / "a.pbcg", {}, "test")), "folder"
    )
    tells(raised(PBCGError, lambda: Journal.open(tmp_path / "a.pbcg", "test")), "folder")
    with pytest.raises(PBCGError, match="is a folder"):
        Journal.open(tmp_path, "test")


SUPPORT = Path(__file__).parent.parent / "support"
CRASH = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from small_games import ShopGame
from asl_pbcg.kernel.answers import RandomAnswers
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Roll
from asl_pbcg.kernel.session import Session
path = Path(sys.argv[1])
journal = Journal.create(path, {"settings": {"coins": 1000}}, "t")
session = Session(ShopGame(rounds=20_000), journal)
answers, dice = RandomAnswers(sys.argv[2]), SeededDice(1)
print("begun", flush=True)
count = 0
while session.pending is not None:
    asked = session.pending
    if isinstance(asked, Roll):
        session.throw(dice.throw(asked.spec, session.rolls, ""))
    else:
        session.answer(answers.answer(asked))
    count += 1
    print(count, flush=True)
"""


@pytest.mark.parametrize("seed", range(6))
def test_a_killed_program_loses_no_acknowledged_answer(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "a.pbcg"
    process = subprocess.Popen(
        [sys.executable, "-c", CRASH, str(path), str(seed), str(SUPPORT)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert process.stdout.readline() == "begun\n"
    time.sleep(random.Random(seed).uniform(0.01, 0.4))
    process.kill()
    told = [line for line in process.stdout.read().split("\n")[:-1] if line]
    process.stdout.close()
    process.wait()
    with Journal.open(path, "test") as journal:
        assert len(journal.standing()) >= (int(told[-1]) if told else 0)
        session = Session(ShopGame(rounds=20_000), journal)
        assert session.pending is not None
        drive(session, RandomAnswers(9), SeededDice(1), until=lambda: session.rolls > 20)


def test_a_full_disk_loses_nothing(
    tells: Tells, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from asl_pbcg.kernel import journal_file

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    session = new_session(tmp_path / "a.pbcg")
    session.answer("buy-1")
    before = look(session)
    with monkeypatch.context() as patch:
        patch.setattr(journal_file, "_sync", full)
        with pytest.raises(PBCGError) as refused:
            session.answer("buy-1")
    tells(refused, "disk")
    assert look(session) == before
    session.journal.close()
    with Journal.open(tmp_path / "a.pbcg", "test") as journal:
        assert look(Session(ShopGame(), journal)) == before


def test_an_answers_file_is_followed_and_its_mistakes_are_named(
    tells: Tells, tmp_path: Path
) -> None:
    path = tmp_path / "answers.yaml"
    path.write_text(
        "format: pbcg-answers/1\nanswers:\n- '1.2': buy-3\n- '1.2': done\n- '2.1': yes\n"
        "- '2.2': [6, 5]\n- '1.2': buy-99\n"
    )
    session = new_session()
    answers = ListedAnswers.read(path)
    tells(
        raised(PBCGError, lambda: drive(session, answers, SeededDice(0))),
        "buy-99",
        "answer 5",
        "1.2",
    )
    assert session.state == Purse(3, 7, (11,))
    wrong = ListedAnswers([("9.9", "x")])
    tells(
        raised(PBCGError, lambda: drive(new_session(), wrong, SeededDice(0))),
        "answer 1",
        "9.9",
        "1.2",
    )
    path.write_text("answers: []")
    tells(raised(PBCGError, lambda: ListedAnswers.read(path)), "answers")


def test_leaving_keeps_everything() -> None:
    class Shy(RandomAnswers):
        def answer(self, prompt: Prompt) -> Any:
            raise Leave

    session = new_session()
    assert drive(session, Shy(0), SeededDice(0)) is False
    assert drive(session, RandomAnswers(0), SeededDice(0)) is True


def test_listed_dice_run_out_with_a_sentence(tells: Tells) -> None:
    session = new_session()
    dice = ListedDice([(3, 4)], "dice.txt")
    answers = ListedAnswers([("1.2", "done"), ("2.1", "yes"), ("1.2", "done"), ("2.1", "yes")])
    tells(raised(PBCGError, lambda: drive(session, answers, dice)), "gamble")
    assert session.state.rolled == (7,)


def test_a_correction_keeps_the_answers_that_still_fit(tells: Tells, tmp_path: Path) -> None:
    path = tmp_path / "a.pbcg"
    session = new_session(path)
    session.answer("buy-3")
    session.answer("buy-7")
    session.correct("coins", 5, "three coins were false")
    assert [entry.body for entry in session.journal.standing()] == [
        {"value": 5, "reason": "three coins were false"},
        "buy-3",
    ]
    told = [line.text for line in session.lines()]
    tells(told[0], "coins", "10", "5")
    tells(told[-1], "3", "next")
    session.answer("done")
    session.answer("yes")
    session.throw((1, 2))
    session.correct("rolled", [], "wrong die")
    assert session.state.rolled == ()
    before = look(session)
    session.journal.close()
    with Journal.open(path, "test") as journal:
        assert look(Session(ShopGame(), journal)) == before
        bare = BareReplay(ShopGame(), journal).run
        assert bare.state == before[0]
        assert bare.pending is not None
        assert bare.pending.id == before[1]
        again = Session(ShopGame(), journal)
        again.undo()
        assert again.state.rolled == (3,)


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        ("coin", 3, 'no "coin".*coins'),
        ("coins", 10, "changes nothing"),
        ("__init__", 1, 'no "__init__".*coins'),
        ("coins", None, "cannot be empty"),
        ("coins", "many", "coins cannot be 'many'"),
        ("coins/x", 1, "coins is a single value"),
        ("", 1, "Say what to correct"),
    ],
)
def test_a_senseless_correction_is_refused(path: str, value: Any, sentence: str) -> None:
    session = new_session()
    with pytest.raises(PBCGError, match=sentence):
        session.correct(path, value, "because")
    with pytest.raises(PBCGError, match="needs a reason"):
        session.correct("coins", 1, " ")
    assert session.journal.entries() == []
