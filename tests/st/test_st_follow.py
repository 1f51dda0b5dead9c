"""A game followed event by event: what was told, the dice, who fired at what, what lay where."""

from __future__ import annotations

from functools import cache

import pytest
from msgspec.structs import replace
from st_terminal import memory_game

from asl_pbcg.cli.area_commands.st_play import Automatic
from asl_pbcg.kernel.answers import drive
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.st.picture.follow import OTHERWISE, Event, follow
from asl_pbcg.st.picture.live_map import counters
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.rules.game_record import Record, record_of
from asl_pbcg.st.state.player_view import view_for
from asl_pbcg.st.thinking.course import course_of


@cache
def followed() -> tuple[list[Event], Record, AreaGame]:
    """Five turns of a game of the good player, and its events."""
    session = memory_game(mode="historical")
    drive(session, Automatic("good", 1), SeededDice(7), until=lambda: session.state.turn == 6)
    game = session.game
    assert isinstance(game, AreaGame)
    record = record_of(session)
    found = list(follow(game, record))
    lines = [line for line in session.lines() if not line.secret and line.kind != "answer"]
    assert [each.text for each in found if each.kind == "note"] == [
        line.text for line in lines if line.kind == "note"
    ]
    assert [each.dice for each in found if each.kind == "roll"] == [
        line.roll.dice for line in lines if line.roll
    ]
    last = view_for(session.state, "british")
    assert counters(found[-1].state, game.map) == counters(last, game.map)
    return found, record, game


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
    found, record, game = followed()
    skip = len(record.entries) - 40
    rest = list(follow(game, record, skip))
    assert 0 < len(rest) < len(found)
    assert [each.text for each in rest] == [each.text for each in found[-len(rest) :]]
    assert rest[-1].state == found[-1].state
    assert len([each for each in rest if each.kind != "note" and each.dice]) <= 40


def read_otherwise(step: str) -> Record:
    """The record as if a rule had been read otherwise in a step."""
    _, record, _ = followed()
    steps = list(record.kept)
    first = record.kept[steps[steps.index(step) - 1]].entries
    entries = list(record.entries)
    at = next(n for n, each in enumerate(entries) if n >= first and each[0] == "answer") + 2
    assert at < record.kept[step].entries
    entries[at] = ("answer", "act", "what nobody may do now")
    return record._replace(entries=entries)


def test_a_game_played_under_another_reading_is_told_but_for_that_phase() -> None:
    """What does not fit is left out; it goes on from the state that was kept after it."""
    found, _, game = followed()
    record = read_otherwise("3.3")
    told = list(follow(game, record))
    (there,) = [n for n, each in enumerate(told) if each.text == OTHERWISE]
    assert told[:there] == found[:there] and told[there].step == "3.3"
    rest = told[there + 1 :]
    assert len(rest) > 50 and rest == found[-len(rest) :]
    assert counters(told[there].state, game.map) == counters(
        view_for(record.kept["3.3"].state, "british"), game.map
    )
    # From the middle on: of what lies before nothing is told.
    skip = record.kept["3.3"].entries + 1
    assert list(follow(game, record, skip)) == list(follow(game, followed()[1], skip))
    course = course_of(game, record)
    assert course.otherwise == ["Turn 3, British Movement Phase"]
    assert course.state == course_of(game, followed()[1]).state
    assert 0 < len(course.moments) < len(course_of(game, followed()[1]).moments)


@pytest.mark.parametrize("more", [-1, 1])
def test_a_phase_that_takes_more_or_fewer_entries_was_read_otherwise(more: int) -> None:
    found, record, game = followed()
    entries = list(record.entries)
    at = record.kept["3.3"].entries
    if more < 0:
        del entries[at - 1]
    else:
        entries.insert(at, ("roll", "", (1,)))
    steps = list(record.kept)
    later = steps[steps.index("3.3") :]
    kept = {
        step: each._replace(entries=each.entries + more) if step in later else each
        for step, each in record.kept.items()
    }
    told = list(follow(game, Record(record.begun, entries, kept)))
    assert [each.step for each in told if each.text == OTHERWISE] == ["3.3"]
    ends = [[each._replace(entries=0) for each in events[-9:]] for events in (told, found)]
    assert ends[0] == ends[1]


def test_the_state_that_was_kept_counts() -> None:
    """A phase may go by with the same entries and come to something else today."""
    found, record, game = followed()
    kept = record.kept["3.2"]
    units = tuple(
        replace(unit, lost=unit.lost + 1) if unit.id == "wood-platoon" else unit
        for unit in kept.state.units
    )
    other = record._replace(
        kept={**record.kept, "3.2": kept._replace(state=replace(kept.state, units=units))}
    )
    after = [each.state for each in follow(game, other) if each.step == "3.3"]
    lost = {each.lost for each in after[0].units if each.id == "wood-platoon"}
    before = [each.state for each in found if each.step == "3.3"]
    assert lost == {each.lost + 1 for each in before[0].units if each.id == "wood-platoon"}


def test_a_last_phase_that_does_not_fit_ends_it() -> None:
    _, record, game = followed()
    entries = [*record.entries, ("answer", "act", "what nobody may do now")]
    told = list(follow(game, record._replace(entries=entries)))
    assert told == followed()[0]
