"""A file that another version wrote: answers that do not fit any more, states it cannot read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sentences import Tells, raised
from small_games import Purse, ShopGame, look, new_session

from asl_pbcg.kernel.dice import DiceSpec, SeededDice
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Roll, Script, throw, yes_no
from asl_pbcg.kernel.session import Session, Step
from asl_pbcg.kernel.verification.verify import BareReplay

DICE = SeededDice(4)


class TwoBets(ShopGame):
    """Another version: the gamble asks first who watches, and a secret question comes later."""

    def __init__(self, gamble: Callable[[Purse], Script[Purse]]) -> None:
        super().__init__()
        self.gamble = gamble

    def next_step(self, state: Purse) -> Step[Purse] | None:
        step = super().next_step(state)
        return Step("2", "Gamble", self.gamble) if step and step.id == "2" else step


def two_rolls(purse: Purse) -> Script[Purse]:
    """The first version: two rolls, then a secret question."""
    rolls = []
    for number in (1, 2):
        rolled = yield from throw(Roll(id=f"2.{number}", text="Bet", dice=DiceSpec(2, 6)))
        rolls.append(rolled.final)
    yield from yes_no(purse, "2.3", "Content?", side="red", secret=True)
    return Purse(purse.step + 1, purse.coins, (*purse.rolled, *rolls))


def asked_between(purse: Purse) -> Script[Purse]:
    """The next version asks something between the rolls."""
    first = yield from throw(Roll(id="2.1", text="Bet", dice=DiceSpec(2, 6)))
    yield from yes_no(purse, "2.15", "Go on?")
    second = yield from throw(Roll(id="2.2", text="Bet", dice=DiceSpec(2, 6)))
    yield from yes_no(purse, "2.3", "Content?", side="red", secret=True)
    return Purse(purse.step + 1, purse.coins, (*purse.rolled, first.final, second.final))


def fails(purse: Purse) -> Script[Purse]:
    """A version that cannot do anything with the first roll of the older one."""
    rolled = yield from throw(Roll(id="2.1", text="Bet", dice=DiceSpec(2, 6)))
    yield from yes_no(purse, "2.2", {}[rolled.final])
    return purse


def roll(session: Session[Purse]) -> tuple[int, ...]:
    assert isinstance(session.pending, Roll)
    faces = DICE.throw(session.pending.spec, session.rolls, "")
    session.throw(faces)
    return faces


def left_in_the_gamble(path: Path) -> list[tuple[int, ...]]:
    """A file of the first version, left after two rolls; what they showed."""
    new_session(path).journal.close()
    with Journal.open(path, "old") as journal:
        session = Session(TwoBets(two_rolls), journal)
        session.answer("buy-3")
        session.answer("done")
        rolls = [roll(session), roll(session)]
        assert session.pending and session.pending.id == "2.3"
    return rolls


def test_answers_that_do_not_fit_are_told_and_given_again(tells: Tells, tmp_path: Path) -> None:
    path = tmp_path / "a.pbcg"
    first, second = left_in_the_gamble(path)
    before = path.read_bytes()
    with Journal.open(path, "new") as journal:
        session = Session(TwoBets(asked_between), journal)
        assert session.pending and session.pending.id == "2.15"
        assert [entry.point for entry in session.unfit] == ["2.2"]
        tells(session.why_unfit, "2.2", "2.15")
        tells(session.why_unfit, "2", "2.2")
        assert session.rolls == 1
    assert path.read_bytes() == before
    with Journal.open(path, "new") as journal:
        session = Session(TwoBets(asked_between), journal)
        session.answer("yes")
        assert session.unfit == []
        assert session.rolls == 2
        session.answer("no")
        assert session.state.rolled == (sum(first), sum(second))
        given = [(entry.kind, entry.point) for entry in journal.entries()][4:]
        assert given == [("undo", "2.2"), ("answer", "2.15"), ("roll", "2.2"), ("answer", "2.3")]
        assert [entry.point for entry in journal.entries()][2:4] == ["2.1", "2.2"]
        seen = look(session)
        assert look(Session(TwoBets(asked_between), journal)) == seen


def test_undo_takes_back_what_does_not_fit(tells: Tells, tmp_path: Path) -> None:
    path = tmp_path / "a.pbcg"
    left_in_the_gamble(path)
    with Journal.open(path, "new") as journal:
        session = Session(TwoBets(asked_between), journal)
        assert session.undo().point == "2.2"
        assert session.unfit == []
        assert session.pending and session.pending.id == "2.15"
        tells(raised(PBCGError, lambda: session.undo()), "reason")


def test_a_script_that_fails_on_an_old_answer_does_not_lock_the_players_out(
    tells: Tells,
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.pbcg"
    left_in_the_gamble(path)
    with Journal.open(path, "new") as journal:
        session = Session(TwoBets(fails), journal)
        assert session.pending and session.pending.id == "2.1"
        assert session.rolls == 0
        tells(session.why_unfit, "2 answers", "2", "2.1")
        assert session.state == Purse(1, 7)
        assert isinstance(BareReplay(TwoBets(fails), journal).error, KeyError)


def test_why_a_secret_answer_does_not_fit_is_not_told(tmp_path: Path) -> None:
    path = tmp_path / "a.pbcg"
    new_session(path).journal.close()
    with Journal.open(path, "old") as journal:
        session = Session(ShopGame(), journal)
        session.answer("buy-7")
        session.answer("buy-3")

    def other_shop(purse: Purse) -> Script[Purse]:
        yield from yes_no(purse, "1.2", "Buy?", side="red", secret=True)
        return purse

    class OtherShop(ShopGame):
        def next_step(self, state: Purse) -> Step[Purse]:
            return Step("1", "Shop", other_shop)

    with Journal.open(path, "new") as journal:
        session = Session(OtherShop(), journal)
        assert len(session.unfit) == 2
        assert "buy" not in session.why_unfit
