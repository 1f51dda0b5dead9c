"""Sections in which both sides are asked at once: branches of the journal, by a small game."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from other_verifier import verify as verify_otherwise

from asl_pbcg.kernel.corrections import correct_state
from asl_pbcg.kernel.errors import NeedsReason, PBCGError
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.moments import moments
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Roll, Script, ask, secretly, throw
from asl_pbcg.kernel.session import Session, Step
from asl_pbcg.kernel.side_part import SidePart, part_of_side
from asl_pbcg.kernel.verification.handed_back import HandedBack, answers_path
from asl_pbcg.kernel.verification.rescue import rescue
from asl_pbcg.kernel.verification.verify import BareReplay, verify
from asl_pbcg.kernel.views import LogLine, for_side

SIDES = ("red", "blue")
STEPS = ("talk", "camp", "red-only", "march", "talk", "camp", "red-only", "march", "end")


class War(msgspec.Struct, frozen=True):
    """What two sides have heaped up in secret."""

    step: int = 0
    part: str = ""
    piles: dict[str, tuple[int, ...]] = {}
    talks: tuple[str, ...] = ()


def heap(war: War, side: str, most: int) -> Script[War]:
    """Ask how many are heaped up, and roll for each."""
    for place in range(most):
        prompt = Prompt(
            id="1.1", about=f"{side}-{place}", text="Heap up?", rule="1.1", side=side, state=war,
            options=(Option("yes", "yes"), Option("no", "no"), Option("stop", "no more")),
        )  # fmt: skip
        answer = yield from ask(prompt)
        if answer == "stop":
            return war
        if answer == "yes":
            roll = Roll(id="1.2", about=f"{side}-{place}", text=f"{side} heaps", side=side)
            rolled = yield from throw(roll)
            piles = {**war.piles, side: (*war.piles.get(side, ()), rolled.final)}
            war = msgspec.structs.replace(war, piles=piles)
    return war


def both(war: War, most: int) -> Script[War]:
    for side in SIDES:
        if war.part in ("", side):
            before = war
            war = yield from secretly(heap(war, side, most), side)
            if not war.part and sum(war.piles.get(side, ())) > sum(before.piles.get(side, ())):
                yield Note(f"There is smoke over {side}.")
    return war


def play(war: War) -> Script[War]:
    name = STEPS[war.step]
    if name in ("talk", "end"):
        option = Option("on", "on")
        word = yield from ask(Prompt(id="0.1", text="Talk?", options=(option,), state=war))
        war = msgspec.structs.replace(war, talks=(*war.talks, word))
    elif name == "red-only" and war.part in ("", "red"):
        war = yield from secretly(heap(war, "red", 2), "red")
    elif name != "red-only":
        war = yield from both(war, 3 if name == "camp" else 2)
    return msgspec.structs.replace(war, step=war.step + 1)


class WarGame:
    name = "war"

    def begin(self, settings: Mapping[str, Any]) -> War:
        return War()

    def next_step(self, state: War) -> Step[War] | None:
        if state.step >= len(STEPS) or (state.part and not self.is_apart(state)):
            return None
        return Step(f"{state.step}", STEPS[state.step].title(), play)

    def is_apart(self, state: War) -> bool:
        return state.step < len(STEPS) and STEPS[state.step] not in ("talk", "end")

    def part(self, state: War, side: str) -> War:
        return msgspec.structs.replace(state, part=side)

    def encode(self, state: War) -> bytes:
        return msgspec.json.encode(state)

    def decode(self, stored: bytes) -> War:
        return msgspec.json.decode(stored, type=War)

    def correct(self, state: War, path: str, value: Any) -> tuple[War, LogLine]:
        new, old = correct_state(state, path, value)
        side = next((side for side in SIDES if path == f"piles/{side}"), "")
        text = f"{path}: {old} is now {value}."
        return new, LogLine(
            kind="correction", step=str(state.step), text=text, side=side, secret=bool(side)
        )


def war(path: Path | None = None, seed: str | None = "a") -> Session[War]:
    meta: dict[str, Any] = {"game": "war", "settings": {}, "dice": "seeded", "seed": seed}
    return Session(
        WarGame(), Journal.create(path, meta, "test") if path else Journal.in_memory(meta)
    )


def act(session: Session[War], source: random.Random) -> None:
    """Answer or roll what is asked."""
    if isinstance(session.pending, Roll):
        session.throw(session.dice(session.program_dice), "program")
    else:
        assert session.pending
        session.answer(source.choice([option.id for option in session.pending.options]))


def sources(seed: int) -> dict[str, random.Random]:
    return {side: random.Random(f"{side}{seed}") for side in ("", *SIDES)}


def play_in_order(session: Session[War], seed: int) -> None:
    """Each side wholly, red first, each on its own branch."""
    by = sources(seed)
    while session.pending:
        if not session.apart:
            act(session, by[""])
            continue
        for side in SIDES:
            while session.apart and part_of_side(session, side).pending:
                act(part_of_side(session, side), by[side])


def play_by_turns(session: Session[War], seed: int, undoes: bool = True) -> None:
    """Both at once, in random turns; what is undone is given again."""
    by, turns = sources(seed), random.Random(seed)
    while session.pending:
        if not session.apart:
            act(session, by[""])
            continue
        side = turns.choice(SIDES)
        part = part_of_side(session, side)
        if part.pending:
            before = look(part_of_side(session, other(side)))
            act(part, by[side])
            if session.apart:
                assert look(part_of_side(session, other(side))) == before
        if undoes and session.apart and turns.random() < 0.3:
            undo_and_redo(session, side, turns)


def undo_and_redo(session: Session[War], side: str, turns: random.Random) -> None:
    part, others = part_of_side(session, side), part_of_side(session, other(side))
    if not part.undoable():
        return
    theirs, shown, own = others.standing(), look(part), part.standing()
    part.undo("again")
    assert others.standing() == theirs
    if turns.random() < 0.5 and others.pending:
        act(others, turns)  # another acts between
        others.undo("and back")
    part.redo()
    assert look(part) == shown
    assert contents(part) == [(each.kind, each.about, each.body) for each in own]


def contents(session: Session[War]) -> list[tuple[Any, ...]]:
    return [(each.kind, each.about, each.body) for each in session.standing()]


def other(side: str) -> str:
    return SIDES[1 - SIDES.index(side)]


def look(session: Session[War]) -> tuple[Any, ...]:
    """All that a part shows."""
    lines = [(line.kind, line.text) for line in for_side(session.lines(), session.own_branch)]
    own = [line for line in lines if line[0] not in ("undo", "redo")]
    return session.state, session.now, session.pending and session.pending.about, own


def log(session: Session[War]) -> list[str]:
    return [line.text for line in session.lines() if line.kind not in ("undo", "redo")]


@pytest.mark.parametrize("seed", range(20))
def test_any_order_comes_to_the_same(seed: int, tmp_path: Path) -> None:
    one, two = war(), war(tmp_path / "two.pbcg")
    play_in_order(one, seed)
    play_by_turns(two, seed)
    assert (two.state, log(two)) == (one.state, log(one))
    journal = Journal.read(tmp_path / "two.pbcg", "test", every_line=True)
    again = Session(WarGame(), journal)
    assert (again.state, log(again), again.pending) == (one.state, log(one), None)
    bare = BareReplay(WarGame(), journal)
    assert (bare.error, bare.run.state) == (None, one.state)
    assert verify(journal, WarGame()).faults == []
    last = moments(WarGame(), journal)
    assert [each.after for each in last if not each.undone][-1] == one.state
    verdict = verify_otherwise((tmp_path / "two.pbcg").read_bytes())
    assert (verdict.fault, verdict.fingerprint) == ("", journal.fingerprint)


def test_a_section_is_kept_at_its_end_alone() -> None:
    session = war(seed=None)
    act(session, random.Random(1))
    kept = len([*session.journal.states])
    for side in SIDES:
        while session.apart and part_of_side(session, side).pending:
            assert len([*session.journal.states]) == kept
            part_of_side(session, side).answer("stop")
    assert len([*session.journal.states]) == kept + 3
    assert not session.apart


def begun(path: Path | None = None) -> tuple[Session[War], SidePart[War], SidePart[War]]:
    session = war(path)
    session.answer("on")
    red, blue = (part_of_side(session, side) for side in SIDES)
    return session, red, blue


def test_a_side_undoes_only_its_own_part() -> None:
    session, red, blue = begun()
    red.answer("no")
    blue.answer("yes")
    with pytest.raises(PBCGError):
        part_of_side(session, "red").undo_to(1, "the talk")
    blue.throw(blue.dice(blue.program_dice), "program")
    with pytest.raises(NeedsReason):
        blue.undo()
    red.undo()
    with pytest.raises(PBCGError):
        red.undo()
    assert [each.side for each in session.journal.standing()] == ["", "blue", "blue"]


def test_a_roll_undone_falls_the_same_whatever_the_other_did() -> None:
    session, red, blue = begun()
    session.journal.meta("seed")
    red.answer("yes")
    first = red.throw(red.dice(red.program_dice), "program")
    red.undo("again")
    blue.answer("no")
    assert red.throw(red.dice(red.program_dice), "program").dice == first.dice
    assert verify(session.journal, WarGame()).faults == []


def test_one_screen_goes_on_with_open_branches() -> None:
    session, _, blue = begun()
    blue.answer("yes")
    source = random.Random(3)
    while session.apart:
        act(session, source)
    assert session.pending and not session.pending.secret
    session.answer("on")
    standing = session.journal.standing()
    assert len(standing[-1].on) == 2
    bare = BareReplay(WarGame(), session.journal)
    assert (bare.error, bare.run.state) == (None, session.state)


def test_one_screen_alone_opens_no_branch() -> None:
    session, source = war(), random.Random(4)
    while session.pending:
        act(session, source)
    assert {each.on for each in session.journal.entries()} == {()}


def test_both_undo_into_a_section() -> None:
    session, red, blue = begun()
    for part in (blue, red):
        while part.pending:
            part.answer("stop")
    assert not session.apart
    session.answer("on")
    before = contents(session)
    session.undo_back_to(session.journal.standing()[2].seq, "too far")
    assert session.apart
    session.redo()
    assert contents(session) == before
    assert verify(session.journal, WarGame()).faults == []


def test_a_secret_fact_is_corrected_on_its_branch() -> None:
    session, red, blue = begun()
    red.answer("no")
    blue.answer("yes")
    blue.throw((3,), "program")
    red = part_of_side(session, "red")
    red.correct("piles/red", [6], "miscounted")
    assert red.state.piles == {"red": (6,)}
    assert [each.side for each in session.journal.standing()[1:]].count("blue") == 2
    with pytest.raises(PBCGError):
        red.correct("talks", ["x"], "not mine")
    while session.apart:
        for part in (part_of_side(session, side) for side in SIDES):
            if part.pending and session.apart:
                part.answer("stop")
    assert session.state.piles == {"red": (6,), "blue": (3,)}
    bare = BareReplay(WarGame(), session.journal)
    assert (bare.error, bare.run.state) == (None, session.state)


def test_a_fact_that_would_end_the_section_is_not_corrected() -> None:
    session, red, blue = begun()
    red.answer("no")
    blue.answer("no")
    with pytest.raises(PBCGError):
        session.plan("step", 4)
    assert session.apart and len(session.journal.standing()) == 3


def test_an_open_fact_is_corrected_before_the_section() -> None:
    session, red, blue = begun()
    red.answer("no")
    blue.answer("yes")
    blue.throw((3,), "program")
    plan = session.plan("talks", ["again"])
    assert (plan.again, plan.lost) == (3, ())
    session.correct("talks", ["again"], "misheard")
    assert contents(part_of_side(session, "blue"))[1:] == [
        ("answer", "blue-0", "yes"),
        ("roll", "blue-0", [3]),
    ]
    assert part_of_side(session, "red").state.talks == ("again",)
    bare = BareReplay(WarGame(), session.journal)
    assert bare.error is None


@pytest.mark.parametrize("nth", [0, 4, 9])
def test_lines_of_a_section_are_given_again(nth: int, tmp_path: Path) -> None:
    path, new = tmp_path / "war.pbcg", tmp_path / "new.pbcg"
    session = war(path)
    play_by_turns(session, 5)
    entries, starts = session.journal.entries(), [*session.journal.text.starts, 0]
    single = [n for n in range(1, len(starts) - 1) if starts[n + 1] - starts[n] == 1]
    line = [n for n in single if len(entries[starts[n]].on) == 1][nth]
    lost = entries[starts[line]]
    whole = session.state, log(session)
    session.journal.close()
    lines = path.read_bytes().splitlines(keepends=True)
    lines[line] = b"x" * 40 + b"\n"
    path.write_bytes(b"".join(lines))
    rescue(path, new)
    again = Session(WarGame(), Journal.open(new, "test"))
    part_of_side(again, lost.side).give(lost)
    assert HandedBack.read(answers_path(new)).give(again) == ""
    assert (again.state, log(again)) == whole
    again.journal.close()
