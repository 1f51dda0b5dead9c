"""A game followed event by event: what was told, the dice, who fired at what, what lay where."""

from __future__ import annotations

from functools import cache

import pytest
from st_terminal import memory_game

from asl_pbcg.cli.st_play import Automatic
from asl_pbcg.kernel.answers import drive
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.entries import faces_of
from asl_pbcg.st.counters import counters
from asl_pbcg.st.follow import Event, follow
from asl_pbcg.st.game import AreaGame
from asl_pbcg.st.view import view_for


@cache
def followed() -> tuple[list[Event], list[object], AreaGame]:
    """Five turns of a game of the good player, and its events."""
    session = memory_game(mode="historical")
    drive(session, Automatic("good", 1), SeededDice(7), until=lambda: session.state.turn == 6)
    given = [
        faces_of(each.body) if each.kind == "roll" else each.body
        for each in session.journal.standing()
    ]
    game = session.game
    assert isinstance(game, AreaGame)
    begun = game.begin(session.journal.meta("settings"))
    found = list(follow(game, begun, given))
    lines = [line for line in session.lines() if not line.secret and line.kind != "answer"]
    assert [each.text for each in found if each.kind == "note"] == [
        line.text for line in lines if line.kind == "note"
    ]
    assert [each.dice for each in found if each.kind == "roll"] == [
        line.roll.dice for line in lines if line.roll
    ]
    last = view_for(session.state, "british")
    assert counters(found[-1].state, game.map) == counters(last, game.map)
    return found, given, game


@pytest.mark.rule("ST-SET-23", "ST-SET-26")
def test_every_event_is_told_once_and_shows_nothing_hidden() -> None:
    found, _, _ = followed()
    for event in found:
        for unit in event.state.units:
            assert not (unit.face_down and (unit.dummy or unit.sp))
        assert event.state.demo_marker in ("none", "hidden")


def test_fire_says_from_where_and_at_what() -> None:
    found, _, game = followed()
    fire = [each for each in found if each.point in ("fire_combat", "opportunity_fire_combat")]
    assert len(fire) > 5
    for event in fire:
        assert event.at and event.came_from and event.effect
        near = game.rules(event.state.settings).geo.near[event.at]
        assert set(event.came_from) <= set(near), event.text


def test_following_from_the_middle_tells_the_rest() -> None:
    found, given, game = followed()
    begun = game.begin({"mode": "historical"})
    skip = len(given) - 40
    rest = list(follow(game, begun, given, skip))
    assert 0 < len(rest) < len(found)
    assert [each.text for each in rest] == [each.text for each in found[-len(rest) :]]
    assert rest[-1].state == found[-1].state
    assert len([each for each in rest if each.kind != "note" and each.dice]) <= 40
