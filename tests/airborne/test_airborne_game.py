"""A whole drop as the kernel runs it: same dice same drop, undo, reopening, odds of every path."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from airborne_help import (
    BOARD,
    PLAIN,
    Answers,
    blowing,
    glider,
    load,
    new_drop,
    sheet,
    told,
    with_settings,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from sentences import Tells

from asl_pbcg.airborne.drop_game import DropSession, begin_drop
from asl_pbcg.airborne.drop_state import ON_MAP, landed_units, tally
from asl_pbcg.kernel.answers import RandomAnswers, drive
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.journal import Journal

BATTALION = sheet(
    [
        load("1/A", "X24"),
        load("2/A", "X24"),
        load("3/A", "Z25", sticks=3),
        load("1/B", "Z25", 2),
        load("Eng", "Z25", 2, type="engineer"),
    ],
    [
        {"turn": 1, "at": "W21", "load": "25/D", "enters": "W29"},
        glider("24/D", "W21", "NW"),
        glider("6-pdr", "W22", "W", kind="battery"),
    ],
)


def automatic(seed: int, raw: dict[str, Any] = BATTALION, **chosen: Any) -> DropSession:
    session = new_drop(raw, with_settings(**chosen), BOARD)
    drive(session, RandomAnswers(seed), SeededDice(seed))
    return session


def quiet(**chosen: Any) -> DropSession:
    """The first two turns of the battalion's drop without interference by the enemy."""
    session = new_drop(BATTALION, with_settings(**chosen), BOARD)
    drive(session, Answers(), SeededDice(4), until=lambda: session.state.turn > 2)
    return session


@pytest.mark.rule("AB55")
def test_the_same_seed_gives_the_same_drop_and_another_seed_another() -> None:
    first, again, other = automatic(4), automatic(4), automatic(5)
    assert told(first) == told(again)
    assert msgspec.json.encode(first.state) == msgspec.json.encode(again.state)
    assert told(first) != told(other)


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 10**6),
    st.sampled_from(["random_slots", "owner_choice", "nearest_first"]),
    st.sampled_from(["before_survival", "after_survival"]),
    st.sampled_from(["none", "use_jump_table"]),
    st.sampled_from(["worst_row", "asked"]),
)
def test_every_drop_comes_to_an_end_and_accounts_for_all(
    seed: int, places: str, cap: str, terrain: str, mixed: str
) -> None:
    session = automatic(
        seed,
        stick_assignment=places,
        cap_check=cap,
        glider_terrain_check=terrain,
        mixed_hex=mixed,
    )
    state = session.state
    assert session.pending is None
    assert state.finished
    count = tally(state)
    total = count.undispersed + count.dispersed + count.eliminated + count.lost
    assert total + count.shot_down + count.in_platoons == count.ordered == 19
    assert count.aloft == 0
    assert count.in_platoons == 4 * sum(count.platoons.values())
    assert sum(count.glider_loads.values()) == 3
    for item in landed_units(state):
        assert item.at and item.status in ON_MAP
    for item in landed_units(state, with_lost=True):
        assert bool(item.at) or item.status not in ON_MAP


def test_a_drop_file_is_closed_and_opened_again_where_it_stood(tmp_path: Path) -> None:
    path = tmp_path / "drop.pbcg"
    meta = {
        "game": "airborne",
        "settings": {
            "settings": with_settings().to_data(),
            "map": PLAIN,
            "side": "british",
            "salt": "a salt",
        },
    }
    session = begin_drop(Journal.create(path, meta, "test"))
    session.answer(sheet([load("1", "K20"), load("2", "K20")]))
    session.throw((5,))
    session.throw((2,))
    session.answer("none")
    before = told(session), session.pending
    session.journal.close()
    again = begin_drop(Journal.open(path, "test"))
    assert told(again) == before[0]
    assert again.pending and before[1] and again.pending.id == before[1].id == "drift.pattern"
    again.undo()
    again.undo("the die was cocked")
    assert again.state.turn == 1
    assert again.pending and again.pending.id == "weather.speed"
    again.journal.close()


@pytest.mark.rule("AB54")
def test_every_roll_names_its_dice_its_table_and_the_values_that_are_not_certain(
    tells: Tells,
) -> None:
    session = quiet()
    rolls = [line for line in session.lines() if line.roll]
    assert rolls
    for line in rolls:
        assert line.roll
        assert line.roll.dice
        assert line.rule
        if line.point != "drift.place":
            assert line.roll.table.startswith("drop.")
    text = told(session)
    for named in ("wind_numbering (reconstruction)", "wind_speed_chart (reconstruction)",
                  "sticks_per_platoon (high)", "drift row", "terrain_alias (house)"):  # fmt: skip
        assert named in text
    chosen = quiet(wind_speed_chart=dict.fromkeys(range(1, 7), "low"))
    tells(told(chosen), "wind_speed_chart")


@pytest.mark.rule("AB54")
def test_what_is_certain_is_not_named() -> None:
    session = new_drop(
        sheet([load("1", "K20"), load("2", "K20")]),
        with_settings(),
        weather={1: blowing("W", "low")},
    )
    drive(session, RandomAnswers(1), SeededDice(1), until=lambda: session.state.turn > 1)
    assert "wind_speed_chart" not in told(session)
    assert "drift row A" not in told(session)
