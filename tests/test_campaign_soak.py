"""Automatic campaigns with random legal answers: CG End is reached and the books are right."""

from __future__ import annotations

import random

import pytest
from campaign_soak import at_end, begin, play, undo_and_forward, wrong_in_books

from asl_pbcg.campaign.state import Campaign, change, remove
from asl_pbcg.kernel.session import Session
from asl_pbcg.refit.sequence import PegasusBridge


@pytest.mark.parametrize("seed", range(6))
def test_a_random_campaign_reaches_cg_end_with_its_books_right(seed: int) -> None:
    session = play(begin(seed), seed)
    assert at_end(session), f"waits before {session.state.date} {session.state.at}"
    bare: Session[Campaign] = Session(PegasusBridge(), session.journal, bare=True)
    assert bare.state == session.state
    source = random.Random(seed)
    answers = len(session.journal.standing())
    undo_and_forward(session, source.randint(1, min(60, answers)))


def test_no_prompt_of_a_campaign_takes_an_illegal_answer() -> None:
    for seed in (100, 101):
        session = play(begin(seed), seed, check=False, fuzz=True)
        assert at_end(session)


def test_undo_to_the_very_beginning_and_forward_again() -> None:
    session = begin(7)
    seen = [session.state]
    play(session, 7)
    standing = session.journal.standing()
    undo_and_forward(session, len(standing) // 2)
    assert session.state != seen[0]


def test_books_that_are_wrong_are_told() -> None:
    session = begin(1)
    state = session.state
    assert not list(wrong_in_books(state))
    piece = state.pieces[0]
    assert list(wrong_in_books(change(state, pieces=state.pieces[1:])))
    assert list(wrong_in_books(change(state, cpp=state.cpp + 1)))
    assert not list(wrong_in_books(remove(state, piece.id, "eliminated")))
