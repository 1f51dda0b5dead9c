"""Both sides at once from 9.613 to 9.620, each at its own seat."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from test_play import SIDES, begin, go_on

from asl_pbcg.kernel.prompts import Roll
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.refusals import LostAnswers, Moved
from asl_pbcg.play.seat import Seat


def at_once(folder: Path) -> OpenGame:
    game = begin(folder / "a.pbcg", campaign="CG2")
    game.at_once = True
    return game


def seats_of_section(game: OpenGame, source: random.Random) -> tuple[Seat, Seat]:
    """Play to the first section; return the German and the British seat at it."""
    while not game.session.apart:
        go_on(Seat(game, "umpire"), source)
    return Seat(game, "german"), Seat(game, "british")


def test_two_seats_act_at_once_and_see_nothing_of_each_other(tmp_path: Path) -> None:
    with at_once(tmp_path) as game:
        seats = {side: Seat(game, side) for side in SIDES}
        source, turns = random.Random(1), random.Random(2)
        secret = 0
        while not game.session.state.in_scenario:
            due = [seat for seat in seats.values() if seat.question() is not None]
            if not game.session.apart:
                go_on(Seat(game, "umpire"), source)
                continue
            seat = turns.choice(due)
            other = next(seats[each] for each in SIDES if each != seat.viewer)
            mine, theirs = seat.seq, (other.seq, other.question(), other.lines(), other.facts())
            go_on(seat, source)
            assert seat.seq == mine + 1
            if game.session.apart:
                assert (other.seq, other.question(), other.lines(), other.facts()) == theirs
            secret += 1
        assert secret
        assert not any(line.secret and line.side != "british" for line in seats["british"].lines())


def test_a_side_that_is_done_waits_for_the_other(tmp_path: Path) -> None:
    with at_once(tmp_path) as game:
        source = random.Random(1)
        done, other = seats_of_section(game, source)
        while done.question() is not None:
            go_on(done, source)
        assert game.session.apart and done.game.is_done
        assert "both players" in done.game.plug.next_thing(done.game.session)
        with pytest.raises(Moved):
            done.answer("1")
        waiting = done.seq, done.lines(), done.facts()
        go_on(other, source)
        if game.session.apart:
            assert (done.seq, done.lines(), done.facts()) == waiting
        done.undo("looked again")
        assert done.question() is not None


def test_what_a_side_undid_is_told_when_both_are_done(tmp_path: Path) -> None:
    with at_once(tmp_path) as game:
        source = random.Random(1)
        german, british = seats_of_section(game, source)
        while not isinstance(german.game.session.pending, Roll):
            go_on(german, source)
        go_on(german, source)
        before = british.lines()
        german.undo("dropped")
        german.redo()
        assert british.lines() == before
        while game.session.apart:
            for seat in (german, british):
                if game.session.apart and seat.question() is not None:
                    go_on(seat, source)
        kinds = [line.kind for line in british.lines()]
        assert kinds.count("undo") == kinds.count("redo") == 1


def test_both_agree_to_an_open_fact_before_the_part(tmp_path: Path) -> None:
    with at_once(tmp_path) as game:
        source = random.Random(1)
        german, british = seats_of_section(game, source)
        for seat in (german, german, british):
            go_on(seat, source)
        answers = {seat: answered(seat) for seat in (german, british)}
        assert german.correct("san/british", 4, "misread") is None
        proposed = british.proposed_correction
        assert proposed
        with pytest.raises(LostAnswers):
            british.agree(proposed.digest)
        british.agree(proposed.digest, lose=True)
        assert {seat: answered(seat) for seat in (german, british)} == answers
        assert german.facts()["san"]["british"] == british.facts()["san"]["british"] == 4


def answered(seat: Seat) -> list[tuple[str, str, Any]]:
    """What a side has answered in its part."""
    session = seat.game.session
    return [(each.point, each.about, each.body) for each in session.undoable()]
