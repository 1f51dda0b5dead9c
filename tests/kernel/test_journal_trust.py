"""A journal one can trust: matching, transactions, what is told, whose dice (F-70 to F-74)."""

from __future__ import annotations

import contextlib
import itertools
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from sentences import Tells
from small_games import Coins, Purse, coins, four_answered, given, look, order

from asl_pbcg.kernel import journal_file
from asl_pbcg.kernel.answers import RandomAnswers, drive
from asl_pbcg.kernel.dice import DiceSpec, EntropyDice, KeyedDice
from asl_pbcg.kernel.entries import WriteFailed, exception_of
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Option, Prompt, Roll, Script, ask, throw
from asl_pbcg.kernel.session import Session, Step
from asl_pbcg.kernel.verification.verify import verify
from asl_pbcg.kernel.views import LogLine, for_side

# -- F-70 --------------------------------------------------------------------------------


def test_a_correction_moves_no_answer_to_another_piece() -> None:
    session = coins()
    four_answered(session)
    plan = session.plan("coins", 2)
    assert (plan.again, [lost.entry.about for lost in plan.lost]) == (5, ["coin-1"])
    assert plan.lost[0].words == "coin-1? stays"
    assert len(session.journal.entries()) == 6, "a plan writes nothing"
    session.correct("coins", 2, "it was miscounted")
    assert given(session) == [
        ("1.1", "coin-2", "go"),
        ("1.2", "coin-2", [4]),
        ("1.1", "coin-3", "stay"),
        ("1.1", "coin-4", "go"),
        ("1.2", "coin-4", [2]),
    ]
    assert session.pending is not None
    assert session.pending.about == "coin-5"


def test_what_comes_behind_a_new_question_is_given_again_once_that_is_answered(
    tmp_path: Path,
) -> None:
    session = coins(tmp_path / "a.pbcg")
    four_answered(session)
    before = given(session)
    plan = session.plan("coins", 0)
    assert plan.again == 0
    assert len(plan.lost) == 6
    session.correct("coins", 0, "one more was there")
    assert given(session) == []
    session.journal.close()
    with Journal.open(tmp_path / "a.pbcg", "test") as journal:
        session = Session(Coins(), journal)
        assert session.pending is not None
        assert session.pending.about == "coin-0"
        session.answer("stay")
        assert given(session) == [("1.1", "coin-0", "stay"), *before]
        assert session.pending.about == "coin-5"
        seen = look(session)
        assert look(Session(Coins(), journal)) == seen
        # What is undone by hand is not given again behind the player's back.
        session.undo("again")
        assert session.pending.about == "coin-4"
        session.undo()
        session.answer("stay")
        assert session.pending.about == "coin-5"


def test_a_secret_answer_that_finds_no_place_is_not_told_to_the_other_side(tells: Tells) -> None:
    session = coins()
    four_answered(session)
    lost = {each.entry.about: each for each in session.plan("coins", 4).lost}
    assert lost["coin-3"].words_for("red") == "coin-3? stays"
    tells(lost["coin-3"].words_for("blue"), "Red")
    assert lost["coin-2"].words_for("blue") == "coin-2 goes: 4: 4"


def test_another_version_that_asks_in_another_order_loses_nothing(tmp_path: Path) -> None:
    session = coins(tmp_path / "a.pbcg")
    four_answered(session)
    before = given(session)
    session.journal.close()

    def backwards(purse: Purse) -> Script[Purse]:
        for coin in (4, 3, 2, 1, 5):
            one = order(Purse(0, coin, ()))
            asked = next(one)
            with contextlib.suppress(StopIteration):
                while isinstance(asked, Prompt | Roll) and asked.about == f"coin-{coin}":
                    sent = yield asked
                    asked = one.send(sent)
        return purse

    class Backwards(Coins):
        def next_step(self, state: Purse) -> Step[Purse] | None:
            return Step("1", "Order", backwards) if state.step == 0 else None

    with Journal.open(tmp_path / "a.pbcg", "test") as journal:
        entries = len(journal.entries())
        session = Session(Backwards(), journal)
        assert session.unfit == []
        assert session.pending is not None
        assert session.pending.about == "coin-5"
        assert len(journal.entries()) == entries, "opening writes nothing"
        session.answer("stay")
        assert sorted(given(session)[:-1]) == sorted(before)
        assert given(session)[0] == ("1.1", "coin-4", "go")
        seen = look(session)
        assert look(Session(Backwards(), journal)) == seen


# -- F-71, F-72 --------------------------------------------------------------------------


@pytest.mark.parametrize("moment", ["open", "write", "fsync"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_a_correction_is_there_as_a_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str, error: Any
) -> None:
    """Ctrl-C and a full disk at any moment of its write."""
    path = tmp_path / "a.pbcg"
    session = coins(path)
    four_answered(session)
    before, entries, content = look(session), session.journal.entries(), path.read_bytes()

    def refuse(handle: Any, *given: Any) -> int:
        if moment == "write":
            return_value = os_write(handle, bytes(given[0])[:9])
            assert return_value == 9
        raise error

    os_write = os.write
    names = {"open": (journal_file.os, "open"), "write": (journal_file.os, "write")}
    with monkeypatch.context() as patch:
        patch.setattr(*names.get(moment, (journal_file, "_sync")), refuse)
        with pytest.raises((KeyboardInterrupt, WriteFailed)) as refused:
            session.correct("coins", 2, "it was miscounted")
    if not isinstance(error, type):
        assert "the disk is full" in str(refused.value)
    assert (look(session), session.journal.entries()) == (before, entries)
    assert path.read_bytes() == content
    session.correct("coins", 2, "it was miscounted")
    before, entries = look(session), session.journal.entries()
    assert path.read_bytes().count(b"\n") == content.count(b"\n") + 1, "one line"
    session.journal.close()
    with Journal.open(path, "test") as journal:
        assert journal.entries() == entries
        assert look(Session(Coins(), journal)) == before


def test_several_undos_are_one_write(tmp_path: Path) -> None:
    session = coins(tmp_path / "a.pbcg")
    four_answered(session)
    before = look(session)
    with pytest.raises(RuntimeError), session.together():
        session.undo("one")
        session.undo("two")
        raise RuntimeError
    assert look(session) == before
    with session.together():
        session.undo("one")
        session.undo("two")
    assert len(given(session)) == 4


# -- F-73 --------------------------------------------------------------------------------


def test_rolls_undone_stand_in_the_log_with_their_reason(tells: Tells) -> None:
    session = coins()
    four_answered(session)
    session.undo("cocked die")
    texts = [line.text for line in session.lines()]
    tells(texts[-1], "coin-4", "2")
    session.throw((6,))
    texts = [line.text for line in session.lines()]
    assert texts.index("Undone: coin-4 goes: 2: 2. Reason: cocked die") < texts.index(
        "coin-4 goes: 6: 6"
    )
    session.correct("coins", 3, "it was miscounted")
    told = [line.text for line in session.lines() if line.kind == "undo"]
    tells(told, "coin-2", "4")
    assert not any("coin-4 goes: 6" in text for text in told), "it was given again"


def test_a_correction_undone_with_what_came_before_it_stays_in_the_log(tells: Tells) -> None:
    session = coins()
    four_answered(session)
    session.correct("coins", 3, "it was miscounted")
    session.undo_to(session.journal.standing()[0].step, "begun too early")
    told = [line.text for line in session.lines() if line.text.startswith("Undone")]
    tells(told, "coins", "3", "it was miscounted", "begun too early")
    (line,) = (line for line in session.lines() if line.kind == "correction")
    tells(line, "Undone", "coins", "3")


def test_of_a_secret_roll_undone_the_other_side_hears_only_that(tells: Tells) -> None:
    session = coins()
    for answer in ("stay", "stay", "go"):
        session.answer(answer)
    session.throw((5,))
    session.undo("my secret reason")

    def undone(viewer: str) -> list[str]:
        return [each.text for each in for_side(session.lines(), viewer) if each.kind == "undo"]

    words = "Undone: coin-3 goes: 5: 5. Reason: my secret reason"
    assert undone("red") == undone("umpire") == [words]
    (line,) = undone("blue")
    tells(line, "secret", "undone")
    assert {line.seq for line in for_side(session.lines(), "blue")} == {0}


# -- F-74 --------------------------------------------------------------------------------


def test_dice_of_another_source_are_marked_for_both_sides(tells: Tells) -> None:
    session = coins(dice="seeded")
    for answer in ("stay", "go"):
        session.answer(answer)
    session.throw((6,), "table")
    session.answer("go")
    session.throw((6,), "table")
    session.answer("go")
    session.throw((1,), "program")

    def marks(viewer: str) -> list[str]:
        lines = for_side(session.lines(), viewer)
        return [line.text.partition(": ")[0] for line in lines if line.kind == "exception"]

    assert marks("red") == ["coin-2 goes", "coin-3 goes"]
    assert marks("blue")[0] == "coin-2 goes"
    tells(marks("blue")[1], "secret")
    assert [bool(exception_of(e.body)) for e in session.journal.standing() if e.kind == "roll"] == [
        True, True, False,
    ]  # fmt: skip
    assert look(Session(Coins(), session.journal)) == look(session)
    real = coins(dice="manual")
    for answer in ("stay", "go"):
        real.answer(answer)
    real.throw((6,), "table")
    assert not [line for line in real.lines() if line.kind == "exception"]


def test_program_dice_come_from_entropy_and_come_again_after_an_undo() -> None:
    seen = set()
    for _ in range(40):
        session = coins(dice="seeded")
        for answer in ("stay", "go"):
            session.answer(answer)
        assert isinstance(session.program_dice, EntropyDice)
        first = session.dice(session.program_dice)
        session.throw(first, "program")
        seen.add(first)
        session.undo("the wind did not suit")
        for _ in range(5):
            assert session.dice(session.program_dice) == first
        session.undo()
        session.answer("go")
        assert session.dice(session.program_dice) == first, "the same situation once more"
    assert len(seen) > 1


def test_a_copy_of_a_file_shows_no_coming_roll(tmp_path: Path) -> None:
    path = tmp_path / "a.pbcg"
    session = coins(path, dice="seeded")
    session.answer("stay")
    session.answer("go")
    session.journal.close()
    foreseen = set()
    for _ in range(60):
        with Journal.read(path, "test") as journal:
            copy = Session(Coins(), journal)
            foreseen.add(copy.dice(copy.program_dice))
    assert len(foreseen) == 6, "a look ahead shows every face"


def test_dice_of_a_seed_are_fixed_by_seed_situation_and_what_is_rolled_for() -> None:
    dice = KeyedDice(7)
    spec = DiceSpec(2, 6)
    assert dice.throw_in(spec, b"s", "a") == KeyedDice(7).throw_in(spec, b"s", "a")
    others = {
        KeyedDice(8).throw_in(DiceSpec(9, 6), b"s", "a"),
        dice.throw_in(DiceSpec(9, 6), b"s", "a"),
        dice.throw_in(DiceSpec(9, 6), b"t", "a"),
        dice.throw_in(DiceSpec(9, 6), b"s", "b"),
    }
    assert len(others) == 4
    assert dice.throw_in(spec, bytes(32), "9.618 g") == (1, 5), "the format is fixed for good"


@pytest.mark.parametrize("sides", [6, 10, 7, 1000])
def test_dice_of_a_seed_are_uniform(sides: int) -> None:
    thrown = 60 * sides
    source = KeyedDice(f"uniform {sides}")
    seen = Counter(
        face
        for number in range(thrown // 20)
        for face in source.throw_in(DiceSpec(20, sides), number.to_bytes(4, "big"), "")
    )
    assert set(seen) == set(range(1, sides + 1))
    expected = thrown / sides
    chi = sum((count - expected) ** 2 / expected for count in seen.values())
    # Mean sides - 1, variance 2 (sides - 1): five standard deviations either way.
    spread = 5 * (2 * (sides - 1)) ** 0.5
    assert abs(chi - (sides - 1)) < max(spread, 20)


def bought(orders: tuple[str, ...], seed: int) -> dict[str, bool]:
    """Which of five purchases, made in this order, come to Full Strength (5 or more on a dr)."""

    def shop(purse: Purse) -> Script[Purse]:
        for number in range(len(orders)):
            yield from ask(
                Prompt(id="9.617.1", text="Buy?", options=tuple(Option(o, o) for o in orders),
                       about=f"purchase {number}")
            )  # fmt: skip
        for name in orders:
            yield from throw(Roll(id="9.6181", about=name, text=name, dice=DiceSpec(2, 6)))
        return Purse(1)

    class Shop(Coins):
        def next_step(self, state: Purse) -> Step[Purse] | None:
            return Step("9.617", "RG", shop) if state.step == 0 else None

    session = Session(Shop(), Journal.in_memory({"settings": {"coins": 1}, "seed": seed}))
    full = {}
    for name in orders:
        session.answer(name)
    for name in orders:
        rolled = session.throw(session.dice(session.program_dice), "program")
        full[name] = rolled.final >= 7
    return full


def test_an_order_of_purchases_chooses_nothing() -> None:
    """120 orders of five purchases of one seed, exactly: no place in the order is favoured.

    For each place in the order, Full comes as a binomial of 120 throws at 21/36; the chance of
    what is seen or worse is reckoned exactly.
    """
    from math import comb

    chance = 21 / 36

    def tail(count: int, of: int) -> float:
        odds = [comb(of, n) * chance**n * (1 - chance) ** (of - n) for n in range(of + 1)]
        return sum(each for each in odds if each <= odds[count] * (1 + 1e-9))

    names = ("I1", "I2", "I3", "V1", "M2")
    places: Counter[int] = Counter()
    whole: Counter[int] = Counter()
    for orders in itertools.permutations(names):
        full = bought(orders, seed=1944)
        for place, name in enumerate(orders):
            places[place] += full[name]
        whole[sum(full.values())] += 1
    assert all(tail(places[place], 120) > 0.001 for place in range(5)), places
    assert tail(sum(places.values()), 600) > 0.001
    # Orders that differ share no dice: how many come Full spreads as five independent throws do.
    expected = [120 * comb(5, n) * chance**n * (1 - chance) ** (5 - n) for n in range(6)]
    chi = sum((whole[n] - expected[n]) ** 2 / expected[n] for n in range(1, 6))
    assert chi < 20.5  # 0.999 of chi-square with five degrees


def test_whoever_chooses_an_order_by_trying_finds_no_better_dice_in_a_campaign() -> None:
    """In a campaign with entropy the copy throws dice that the file never will."""
    session = coins(dice="seeded")
    drive(session, RandomAnswers(3), session.program_dice)
    assert session.pending is None
    assert session.rolls == sum(e.kind == "roll" for e in session.journal.standing())


def test_a_reason_has_a_bound(tells: Tells) -> None:
    session = coins()
    four_answered(session)
    for reason, fact in (("x" * 501, 500), ("two\nlines", 500), ("\x1b[31m", "U+001B")):
        with pytest.raises(PBCGError) as refused:
            session.undo(reason)
        tells(refused, fact)
        with pytest.raises(PBCGError) as refused:
            session.correct("coins", 2, reason)
        tells(refused, fact)


def test_lines_without_numbers_of_older_forms_are_told_in_order() -> None:
    from asl_pbcg.kernel.journal_lines import merge_lines

    old = [LogLine(kind="note", step="1", text=text) for text in ("a", "b")]
    new = [LogLine(kind="note", step="2", text=text, seq=seq) for text, seq in (("c", 7), ("d", 9))]
    undone = [(8, [LogLine(kind="undo", step="2", text="undone", seq=8)])]
    told = merge_lines([(5, old), (9, new)], undone)
    assert [line.text for line in told] == ["a", "b", "c", "undone", "d"]


def test_a_correction_that_gives_everything_again_takes_no_roll_back() -> None:
    session = coins()
    four_answered(session)
    assert session.plan("rolled", [9]).lost == ()
    session.correct("rolled", [9], "a coin was forgotten")
    assert session.rolls == 2
    assert not [line for line in session.lines() if line.kind == "undo"]
    assert verify(session.journal, Coins()).rolls_undone == 0
