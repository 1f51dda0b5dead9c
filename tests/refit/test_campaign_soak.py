"""Automatic campaigns with random legal answers: CG End is reached and the books are right."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from functools import cache

import msgspec
import pytest
from campaign_books import StepBooks, wrong_in_books
from campaign_points import BEYOND, PROMPTS, ROLLS
from campaign_soak import (
    Kept,
    Watched,
    asked_steps,
    at_end,
    begin,
    kind_of,
    one_of_each_kind,
    play,
    replay_bare,
    replay_part,
    undo_and_forward,
    undo_step_by_step,
    undo_to_step_and_forward,
)

from asl_pbcg.campaign.state.campaign_state import Campaign, change, with_account
from asl_pbcg.campaign.state.piece_changes import add_pieces, add_status, capture, remove, update
from asl_pbcg.campaign.state.piece_names import short_name
from asl_pbcg.campaign.state.pieces import Infantry
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.journal import Entry
from asl_pbcg.kernel.wording import stands_in

SEEDS = range(4)
TAMPERED = (0, 1)
FUZZED = (51, 77, 43, 55, 24, 160, 38, 95, 3)
"""Seeds whose campaigns ask nearly everything; ``soak_campaign.py --cover`` finds others."""
SELDOM = 25
"""How many questions the campaigns of ``FUZZED`` may leave out as the program changes."""


@cache
def played(seed: int) -> Watched:
    """A campaign played to CG End, its books looked at after each step."""
    return play(begin(seed), seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_campaign_reaches_cg_end_with_its_books_right(seed: int) -> None:
    session = played(seed)
    assert at_end(session), f"waits before {session.state.date} {session.state.at}"
    replay_bare(session)
    source = random.Random(seed)
    answers = len(session.journal.standing())
    replay_part(session, source.randrange(answers))
    undo_and_forward(session, source.randint(1, 8))
    undo_to_step_and_forward(session, source.choice(asked_steps(session)))


def test_undo_to_a_step_of_each_kind_and_forward_again() -> None:
    kinds: set[str] = set()
    for seed in SEEDS[:2]:  # the long soak does it in every campaign
        session = played(seed)
        steps = one_of_each_kind(session, random.Random(seed))
        undo_step_by_step(session, steps)
        kinds |= {kind_of(step) for step in steps}
    assert {"scenario", "9.601", "9.605", "9.606", "9.607", "9.613", "9.614"} <= kinds
    assert {"9.615", "9.616", "9.617", "9.618", "9.619", "9.620"} <= kinds


def test_undo_to_the_very_beginning_and_forward_again() -> None:
    session = played(SEEDS[1])
    first = asked_steps(session)[0]
    undo_step_by_step(session, [first])
    undo_to_step_and_forward(session, first)
    session = begin(SEEDS[1])
    untouched = session.state
    session = play(session, SEEDS[1], check=False)
    session.undo_to(first, "a test")
    assert session.state == untouched
    assert session.journal.standing() == []


def test_no_prompt_takes_an_illegal_answer_and_each_names_its_rule() -> None:
    tried: Counter[str] = Counter()

    def seldom(id: str) -> bool:
        tried[id] += 1
        return tried[id] <= 2

    for seed in FUZZED:
        assert at_end(play(begin(seed), seed, check=False, fuzz=seldom))
    left_out = (PROMPTS | ROLLS) - tried.keys()
    assert len(left_out) <= SELDOM, f"soak_campaign.py --cover finds seeds for {sorted(left_out)}"


def test_questions_beyond_reach_are_no_others() -> None:
    assert not BEYOND.keys() & (PROMPTS | ROLLS)


# -- the checks themselves: whatever is tampered with is told ------------------------------


@cache
def steps_of(kind: str) -> list[tuple[Campaign, Kept, list[Entry]]]:
    """The steps of one kind in a few campaigns: before, after, and the entries of each."""
    found = []
    for seed in TAMPERED:
        session = played(seed)
        before, seq = session.game.begin(session.journal.meta("settings")), 0
        standing = session.journal.standing()
        for kept in session.kept:
            if kind_of(kept.step) == kind:
                entries = [entry for entry in standing if seq < entry.seq <= kept.seq]
                found.append((before, kept, entries))
            before, seq = kept.state, kept.seq
    return found


def faults_of(kind: str, tamper: Callable[[Campaign], Campaign | None]) -> list[list[str]]:
    """What the books tell of each step of ``kind`` whose end was tampered with."""
    told = []
    for before, kept, entries in steps_of(kind):
        assert not list(wrong_in_books(kept.state))
        assert not list(StepBooks(before, kept.state, entries, kept.lines).wrong())
        try:
            after = tamper(kept.state)
        except StopIteration:  # nothing there to tamper with
            continue
        if after is not None:
            told.append(
                [
                    *wrong_in_books(after),
                    *StepBooks(before, after, entries, kept.lines).wrong(),
                ]
            )
    return told


def _first(state: Campaign, *kinds: str) -> str:
    """A piece of these kinds; StopIteration if there is none."""
    return next(
        piece.id
        for piece in state.pieces
        if piece.kind in kinds and not piece.is_prisoner and not piece.has("captured")
    )


def _counted(state: Campaign, side: Side, by: int) -> Campaign:
    count = dict(state.received_count)
    count[side] = count.get(side, 0) + by
    return change(state, received_count=count)


def lost_without_a_trace(state: Campaign) -> Campaign:
    id = _first(state, "squad")
    side = state.piece(id).side
    kept = remove(state, id, "eliminated", "a test")
    return _counted(change(kept, gone=state.gone), side, -1)


def eliminated_in_secret(state: Campaign) -> Campaign:
    return remove(state, _first(state, "squad"), "eliminated", "a test", "9.614")


def eliminated_for_no_reason(state: Campaign) -> Campaign:
    return remove(state, _first(state, "leader"), "eliminated", "", "9.614")


def gone_in_no_way(state: Campaign) -> Campaign:
    return remove(state, _first(state, "leader"), "vanished", "a test", "9.614")


def gone_in_no_step(state: Campaign) -> Campaign:
    return remove(state, _first(state, "leader"), "eliminated", "a test", "yesterday")


def out_of_thin_air(state: Campaign) -> Campaign:
    return add_pieces(state, Side.BRITISH, [("6-4-8", 1)])


def added_but_not_counted(state: Campaign) -> Campaign:
    return _counted(add_pieces(state, Side.BRITISH, [("6-4-8", 1)]), Side.BRITISH, -1)


def reduced_in_secret(state: Campaign) -> Campaign | None:
    piece = next((each for each in state.pieces if each.type == "6-4-8"), None)
    return update(state, piece.id, type="3-3-8") if piece else None


def made_better(state: Campaign) -> Campaign | None:
    piece = next((each for each in state.of(Side.GERMAN) if each.type == "4-4-7"), None)
    return update(state, piece.id, type="5-4-8") if piece else None


def another_weapon(state: Campaign) -> Campaign:
    return update(state, _first(state, "sw"), type="HMG")


def captured_in_secret(state: Campaign) -> Campaign:
    id = _first(state, "sw")
    return capture(state, id, state.piece(id).side.other)


def captured_without_a_mark(state: Campaign) -> Campaign:
    id = _first(state, "sw")
    side = state.piece(id).side
    state = _counted(_counted(state, side, -1), side.other, 1)
    return update(state, id, side=side.other)


def had_twice(state: Campaign) -> Campaign | None:
    held = next((each for each in state.pieces if each.possesses), None)
    if held is None:
        return None
    others = [each for each in state.of(held.side) if isinstance(each, Infantry)]
    other = next(each for each in others if each is not held)
    return update(state, other.id, possesses=(*other.possesses, held.possesses[0]))


def twice_the_same(state: Campaign) -> Campaign:
    piece = state.pieces[0]
    return _counted(change(state, pieces=(*state.pieces, piece)), piece.side, 1)


def prisoner_of_nobody(state: Campaign) -> Campaign:
    return add_status(state, _first(state, "squad"), "prisoner")


def history_rewritten(state: Campaign) -> Campaign | None:
    if not state.gone:
        return None
    gone = msgspec.structs.replace(state.gone[0], why="another reason")
    return change(state, gone=(gone, *state.gone[1:]))


def cpp_found(state: Campaign) -> Campaign:
    return change(state, cpp=state.cpp + 1)


def cpp_found_and_written_down(state: Campaign) -> Campaign:
    account = msgspec.structs.replace(state.account, cpp_loss_points=9)
    gain = 9 - state.account.cpp_loss_points
    return change(
        with_account(state, cpp_loss_points=account.cpp_loss_points), cpp=state.cpp + gain
    )


def fpp_kept(state: Campaign) -> Campaign:
    return change(state, fpp={**state.fpp, Side.BRITISH: state.fpp.get(Side.BRITISH, 0) + 2.0})


def fpp_spent_twice(state: Campaign) -> Campaign:
    spent = {**state.account.fpp_spent}
    return with_account(state, fpp_spent={**spent, Side.BRITISH: 99.0})


def rg_for_less(state: Campaign) -> Campaign | None:
    bought = next((each for each in state.groups if not each.given and each.cost), None)
    if bought is None:
        return None
    groups = tuple(
        msgspec.structs.replace(each, cost=each.cost - 1) if each is bought else each
        for each in state.groups
    )
    return change(state, groups=groups, cpp=state.cpp + 1)


def a_later_date(state: Campaign) -> Campaign:
    return change(state, date=CGDate.DUSK if state.date is not CGDate.DUSK else CGDate.DAWN)


def control_taken(state: Campaign) -> Campaign:
    control = state.control
    return change(state, control=msgspec.structs.replace(control, german=(*control.german, "A1")))


@pytest.mark.parametrize(
    "tamper",
    [
        lost_without_a_trace, eliminated_in_secret, eliminated_for_no_reason, gone_in_no_way,
        gone_in_no_step, out_of_thin_air, added_but_not_counted, reduced_in_secret, made_better,
        another_weapon, captured_in_secret, captured_without_a_mark, had_twice, twice_the_same,
        prisoner_of_nobody, history_rewritten, cpp_found, cpp_found_and_written_down, fpp_kept,
        fpp_spent_twice, rg_for_less, a_later_date, control_taken,
    ],
)  # fmt: skip
def test_books_tampered_with_are_told(tamper: Callable[[Campaign], Campaign | None]) -> None:
    told = faults_of("9.614", tamper)
    assert told
    assert all(told), f"{tamper.__name__} is not noticed"


@pytest.mark.parametrize("kind", ["9.5", "9.615", "9.618"])
def test_what_is_received_is_what_the_charts_list(kind: str) -> None:
    def one_more(state: Campaign) -> Campaign:
        return add_pieces(state, Side.GERMAN, [("4-4-7", 1)])

    def another_type(state: Campaign) -> Campaign:
        piece = next(each for each in reversed(state.pieces) if each.kind == "squad")
        others = ["4-3-6", "4-4-7"] if piece.side is Side.GERMAN else ["4-5-7", "4-5-8"]
        other = others[piece.type == others[0]]
        return update(state, piece.id, type=other)

    for tamper in (one_more, another_type):
        told = faults_of(kind, tamper)
        assert told
        assert all(told), f"{tamper.__name__} is not noticed in {kind}"


@pytest.mark.parametrize("kind", ["9.606", "9.608", "9.611", "9.614"])
def test_every_loss_is_told_in_the_log(kind: str) -> None:
    """A step whose log does not name who is gone or new does not pass."""
    tried = 0
    for before, kept, entries in steps_of(kind):
        gone = kept.state.gone[len(before.gone) :]
        if gone:
            tried += 1
            name = short_name(gone[0].piece.id)
            lines = [line for line in kept.lines if not stands_in(name, line.text)]
            told = list(StepBooks(before, kept.state, entries, lines).wrong())
            assert any(gone[0].piece.id in fault for fault in told)
    assert tried
