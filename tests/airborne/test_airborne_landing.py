"""Sticks over a hex map: drift, places of a row, the limit of two platoons, jump survival."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from airborne_help import (
    BOARD,
    PLAIN,
    Answers,
    blowing,
    load,
    new_drop,
    plain,
    play,
    sheet,
    told,
    with_settings,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from sentences import Tells, raised

from asl_pbcg.airborne.drop_game import DropSession
from asl_pbcg.airborne.drop_settings import LETTERS
from asl_pbcg.airborne.drop_state import Stick, WholeUnit
from asl_pbcg.airborne.drop_tables import drift_row
from asl_pbcg.airborne.landing import assign_places, disperse, over_stick_limit
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Note, Prompt, Roll

WEST = {turn: blowing("W") for turn in range(1, 9)}
LOW = {turn: blowing("W", "low") for turn in range(1, 9)}


def where(session: DropSession) -> dict[str, int]:
    return dict(Counter(stick.at for stick in session.state.sticks if stick.on_map))


def landed(session: DropSession) -> list[tuple[int, int]]:
    """Hexes where sticks came down, whatever became of them, by survival roll and loss."""
    found = Counter(stick.drift for stick in session.state.sticks if stick.row)
    return sorted(found.items())


@pytest.mark.rule("AB05")
def test_one_wind_serves_every_drop_of_the_turn() -> None:
    drops = [load("1", "K20"), load("2", "K20"), load("3", "S20"), load("4", "S20")]
    session = new_drop(sheet(drops))
    play(session, [4, 3, 3, 1, *[6] * 16])
    assert session.state.winds[1].blows_to == "NE"
    for stick in session.state.sticks:
        grid = plain().grid
        place = stick.aimed
        for _ in range(stick.drift):
            place = grid.neighbour(place, plain().directions["NE"]) or ""
        assert stick.at == place


@pytest.mark.rule("AB09")
def test_sticks_land_after_anti_aircraft_fire_in_the_air_phase() -> None:
    session = new_drop(sheet([load("1", "K20"), load("2", "K20")]), weather=WEST)
    assert session.state.parts[2:7] == (
        "indirect_fire_and_mines",
        "direct_fire",
        "air",
        "landing",
        "survival",
    )
    given = play(session, [3, *[6] * 8])
    assert given.asked.index("air.shot_down") < given.asked.index("drift.pattern")
    other = with_settings(phase_order=["air_phase", "rally", "close_assault"])
    session = new_drop(sheet([load("1", "K20")]), other, weather=WEST)
    assert session.state.parts == (
        "weather", "regroup", "air", "landing", "survival", "rally", "close_assault", "end",
    )  # fmt: skip


@pytest.mark.rule("AB12", "AB16")
def test_a_full_drop_lies_on_the_line_as_its_row_says() -> None:
    session = new_drop(sheet([load("1", "K20"), load("2", "K20")]), weather=WEST)
    play(session, [3, *[6] * 8])
    # Row I: one hex downwind one stick, then seven in a row from three hexes on.
    assert landed(session) == [(1, 1), (3, 1), (4, 1), (5, 1), (6, 1), (7, 1), (8, 1), (9, 1)]
    assert where(session) == {f"K{row}": 1 for row in (21, 23, 24, 25, 26, 27, 28, 29)}


@pytest.mark.rule("AB19")
def test_sticks_of_different_platoons_share_a_hex() -> None:
    session = new_drop(sheet([load("1", "K20"), load("2", "K20")]), weather=LOW)
    play(session, [2, *[6] * 8])
    assert where(session) == {"K20": 6, "K21": 2}
    assert {stick.platoon for stick in session.state.sticks if stick.at == "K21"} == {"1", "2"}
    # One stick of each plane in turn: nobody is asked and no chit is drawn.
    assert [stick.id for stick in session.state.sticks if stick.at == "K21"] == ["1.4", "2.4"]


@pytest.mark.rule("AB17")
def test_sticks_off_the_map_are_lost(tells: Tells) -> None:
    session = new_drop(sheet([load("1", "K36"), load("2", "K36")]), weather=WEST)
    given = play(session, [3, *[6] * 4])
    lost = [stick for stick in session.state.sticks if stick.status == "lost"]
    assert sorted(stick.drift for stick in lost) == [6, 7, 8, 9]
    assert all(stick.at == "" for stick in lost)
    assert given.asked.count("survival") == 4
    tells(told(session), "K36", "+6")


@pytest.mark.rule("AB17")
def test_a_hex_out_of_play_on_the_board_is_off_the_map() -> None:
    # From C29 westwards: C28 to C25 lie under a box of the sheet, C24 does not.
    session = new_drop(
        sheet([load("1", "C29"), load("2", "C29")]), map=BOARD, weather={1: blowing("E")}
    )
    play(session, [2, 6, 6, 6, 6, 6, 6, 6, 6])
    state = {stick.drift: (stick.at, stick.status) for stick in session.state.sticks}
    assert state[1] == ("", "lost")
    assert state[4] == ("", "lost")
    assert state[5] == ("C24", "undispersed")


@pytest.mark.finding("G-80")
@pytest.mark.rule("AB15")
def test_a_drop_of_fewer_sticks_draws_places_by_chits(tells: Tells) -> None:
    session = new_drop(sheet([load("1", "K20", sticks=2)]), weather=LOW)
    # Row B has six places in the target hex and two in the next: chits 7 and 8.
    given = play(session, [2, 7, 7, 8, 6, 6])
    assert given.asked.count("drift.place") == 3
    assert where(session) == {"K21": 2}
    tells(told(session), "stick_assignment", "house")
    tells(told(session), "Chit 7", "drawn")


@pytest.mark.finding("F-51")
@pytest.mark.rule("AB15")
@pytest.mark.parametrize("sticks", [1, 2, 4])
def test_on_a_row_with_one_hex_no_chit_is_drawn(sticks: int) -> None:
    """F-51: row A has all its eight places in the target hex, so that nothing is left to draw."""
    session = new_drop(sheet([load("1", "K20", sticks=sticks)]), weather=LOW)
    given = play(session, [1, *[6] * sticks])
    assert given.asked.count("drift.place") == 0
    assert where(session) == {"K20": sticks}


@pytest.mark.rule("AB15")
def test_sticks_of_two_types_draw_places_for_the_fewer() -> None:
    drops = [load("1", "K20"), load("2", "K20", type="engineer", sticks=2)]
    session = new_drop(sheet(drops), weather=LOW)
    # Row C, 4 2 2: engineers take chits 8 and 1, two places stay empty (chits 2 and 3).
    given = play(session, [3, 8, 1, 2, 3, *[6] * 6])
    assert given.asked.count("drift.place") == 4
    engineers = [stick.drift for stick in session.state.sticks if stick.type == "engineer"]
    assert engineers == [2, 0]
    paras = [stick.drift for stick in session.state.sticks if stick.type == "para"]
    assert sorted(paras) == [0, 1, 1, 2]


@pytest.mark.rule("AB15")
def test_the_owner_may_place_sticks_but_never_over_the_number_of_a_hex(tells: Tells) -> None:
    chosen = with_settings(stick_assignment="owner_choice")
    session = new_drop(sheet([load("1", "K20")]), chosen, weather=LOW)
    session.answer("none")
    session.throw((5,))  # row E: 1 2 2 2 1
    session.answer("4")
    tells(raised(IllegalAnswer, lambda: session.answer("4")), "places")
    for place in ("0", "3", "3"):
        session.answer(place)
    assert isinstance(session.pending, Roll)
    assert [stick.drift for stick in session.state.sticks] == [4, 0, 3, 3]


@pytest.mark.rule("AB15")
def test_the_owner_is_asked_only_where_sticks_can_come_down_otherwise() -> None:
    chosen = with_settings(stick_assignment="owner_choice")
    session = new_drop(sheet([load("1", "K20"), load("2", "K20")]), chosen, weather=LOW)
    # Row E, 1 2 2 2 1: eight sticks of one type fill every place.
    assert play(session, [5, *[6] * 8]).asked.count("drift.owner_place") == 0
    assert sorted(stick.drift for stick in session.state.sticks) == [0, 1, 1, 2, 2, 3, 3, 4]
    two_types = [load("1", "K20"), load("2", "K20", type="engineer")]
    session = new_drop(sheet(two_types), chosen, weather=LOW)
    session.answer("none")
    session.throw((3,))  # row C, 4 2 2; para and engineer in turn, and the last takes what is left
    for place in ("0", "1", "0", "1", "0", "2", "0"):
        assert session.pending is not None and session.pending.id == "drift.owner_place"
        session.answer(place)
    assert isinstance(session.pending, Roll)
    engineers = [stick.drift for stick in session.state.sticks if stick.type == "engineer"]
    assert engineers == [1, 1, 2, 2]


@pytest.mark.rule("AB15")
def test_nearest_first_fills_from_the_target_hex() -> None:
    chosen = with_settings(stick_assignment="nearest_first")
    session = new_drop(sheet([load("1", "K20")]), chosen, weather=LOW)
    play(session, [5, *[6] * 4])
    assert [stick.drift for stick in session.state.sticks] == [0, 1, 1, 2]


@pytest.mark.rule("AB15")
@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(LETTERS),
    st.lists(st.tuples(st.sampled_from(["para", "engineer", "mortar"]), st.integers(1, 4)),
             min_size=1, max_size=2),
    st.integers(0, 999),
)  # fmt: skip
def test_no_number_of_a_row_is_ever_exceeded(
    letter: str, planes: list[tuple[str, int]], seed: int
) -> None:
    sticks = [
        Stick(id=f"{number}.{count}", platoon=str(number), type=kind, turn=1, aimed="K20")
        for number, (kind, size) in enumerate(planes)
        for count in range(size)
    ]
    row = drift_row(letter, with_settings())
    script = assign_places(sticks, row, with_settings())
    dice, rolls, again = SeededDice(seed), 0, 0
    sent: Any = None
    try:
        while True:
            asked = script.send(sent)
            if isinstance(asked, Note):  # a chit that is drawn already
                sent, again = None, again + 1
                continue
            assert isinstance(asked, Roll)
            sent = asked.resolve(dice.throw(asked.spec, rolls, asked.text))
            rolls += 1
    except StopIteration as finished:
        places = finished.value
    assert set(places) == {stick.id for stick in sticks}
    for distance, number in Counter(places.values()).items():
        assert number <= row.sticks[distance]
    assert rolls - again <= 5


# More than two platoons in a hex


def crowd(**chosen: Any) -> DropSession:
    """Eight sticks on K20 (row A) and eight on K19 (row B: six there, two in K20)."""
    drops = [
        load(name, at) for name, at in (("1", "K20"), ("2", "K20"), ("3", "K19"), ("4", "K19"))
    ]
    return new_drop(sheet(drops), with_settings(**chosen), weather=LOW)


@pytest.mark.rule("AB18")
def test_more_than_eight_sticks_in_a_hex_are_all_dispersed(tells: Tells) -> None:
    session = crowd()
    play(session, [1, 2, *[6] * 16])
    assert where(session) == {"K20": 10, "K19": 6}
    for stick in session.state.sticks:
        assert stick.status == ("dispersed" if stick.at == "K20" else "undispersed")
    tells(told(session), "10 sticks", "K20")


@pytest.mark.rule("AB18")
def test_exactly_eight_sticks_in_a_hex_are_allowed() -> None:
    drops = [load("1", "K20"), load("2", "K20")]
    session = new_drop(sheet(drops), weather=LOW)
    play(session, [1, *[6] * 8])
    assert where(session) == {"K20": 8}
    assert {stick.status for stick in session.state.sticks} == {"undispersed"}
    sticks = [
        Stick(id=str(number), platoon="1", type="para", turn=1, aimed="K20", at="K20")
        for number in range(9)
    ]
    state = session.state.with_(turn=1, sticks=tuple(sticks))
    assert over_stick_limit(state.with_(sticks=state.sticks[:8])) == {}
    assert over_stick_limit(state) == {"K20": 9}


@pytest.mark.rule("AB18")
def test_units_that_stood_in_the_hex_before_are_dispersed_too() -> None:
    old = Stick(id="0.1", platoon="0", type="para", turn=1, aimed="K20", at="K20")
    gone = Stick(id="0.2", platoon="0", type="para", turn=1, aimed="K20", status="lost")
    platoon = WholeUnit(id="para 1", type="para", turn=2, at="K20")
    away = WholeUnit(id="para 2", type="para", turn=2, at="K21")
    state = new_drop().state.with_(sticks=(old, gone), units=(platoon, away))
    dispersing = disperse(state, {"K20": 9}, "sticks landed", "II.C")
    with pytest.raises(StopIteration) as ended:
        while True:
            next(dispersing)
    found = {counter.id: counter.status for counter in ended.value.value.counters}
    assert found == {
        "para 1": "dispersed", "para 2": "undispersed", "0.1": "dispersed", "0.2": "lost",
    }  # fmt: skip


@pytest.mark.rule("AB18")
def test_the_limit_counts_what_lands_in_one_turn() -> None:
    drops = [load(name, "K20", turn) for name, turn in (("1", 1), ("2", 1), ("3", 2), ("4", 2))]
    session = new_drop(sheet(drops), weather=LOW)
    play(session, [1, *[6] * 8, 1, *[6] * 8], turns=2, regroup__form=["none"])
    assert where(session) == {"K20": 16}
    assert {stick.status for stick in session.state.sticks} == {"undispersed"}


@pytest.mark.rule("AB20")
def test_the_limit_is_judged_before_survival_unless_the_players_say_otherwise(tells: Tells) -> None:
    wood = {**PLAIN, "terrain": {"forest": ("K20",)}}
    # Three of the ten sticks in K20 die in the wood: seven are left.
    drops = [
        load(name, at) for name, at in (("1", "K20"), ("2", "K20"), ("3", "K19"), ("4", "K19"))
    ]
    dice = [1, 2, *[1, 1, 1, 6, 6, 6, 6, 6], *[6] * 8]
    before = new_drop(sheet(drops), weather=LOW, map=wood)
    play(before, dice)
    alive = [stick for stick in before.state.sticks if stick.at == "K20" and stick.on_map]
    assert len(alive) == 7
    assert {stick.status for stick in alive} == {"dispersed"}
    after = new_drop(sheet(drops), with_settings(cap_check="after_survival"), wood, LOW)
    play(after, dice)
    alive = [stick for stick in after.state.sticks if stick.at == "K20" and stick.on_map]
    assert {stick.status for stick in alive} == {"undispersed"}
    tells(told(before), "cap_check", "high")


# Jump survival and what comes after


@pytest.mark.rule("AB21")
def test_each_landed_stick_has_one_die_by_the_terrain_of_its_own_hex() -> None:
    there = {**PLAIN, "terrain": {"forest": ("K21",), "sea": ("K23",), "town": ("K24",)}}
    session = new_drop(sheet([load("1", "K20"), load("2", "K20")]), weather=WEST, map=there)
    given = play(session, [3, 4, 4, 4, 4, 1, 2, 1, 6])
    assert given.asked.count("survival") == 8
    states = {(stick.id, stick.at): stick.status for stick in session.state.sticks}
    rolls = [line for line in session.lines() if line.point == "survival"]
    assert [line.roll.dice for line in rolls if line.roll] == [
        (die,) for die in (4, 4, 4, 4, 1, 2, 1, 6)
    ]
    found = {at: states[id_, at] for id_, at in states}
    assert found["K21"] == "eliminated"  # forest, 4
    assert found["K23"] == "eliminated"  # sea
    assert found["K24"] == "dispersed"  # town, 4
    assert Counter(states.values()) == {"eliminated": 2, "dispersed": 3, "undispersed": 3}
    assert sorted(at for at in found if found[at] == "dispersed") == ["K24", "K26", "K28"]


@pytest.mark.rule("AB28")
def test_players_may_be_asked_for_the_row_of_a_mixed_hex(tells: Tells) -> None:
    there = {**PLAIN, "terrain": {"forest": ("K20",), "stream": ("K20",)}}
    raw = sheet([load("1", "K20"), load("2", "K20")])
    asked = new_drop(raw, with_settings(mixed_hex="asked"), there, LOW)
    asked.answer("none")
    asked.throw((1,))
    assert isinstance(asked.pending, Prompt)
    assert [option.id for option in asked.pending.options] == ["forest", "stream"]
    asked.answer("stream")
    asked.throw((4,))
    tells(told(asked), "K20", "4")
    worst = new_drop(raw, map=there, weather=LOW)
    play(worst, [1, *[4] * 8])
    assert where(worst) == {}


@pytest.mark.rule("AB29")
def test_enemies_in_the_hex_that_did_not_fire_attack_at_once(tells: Tells) -> None:
    session = new_drop(sheet([load("1", "K20"), load("2", "K20")]), weather=LOW)
    given = play(
        session,
        [2, *[6] * 8],
        enemy__hexes=[["K21"]],
        enemy__eliminated=[["1"]],
        enemy__dispersed=[["1"]],
    )
    assert [point for point in given.asked if point.startswith("enemy")] == [
        "enemy.hexes",
        "enemy.eliminated",
        "enemy.dispersed",
    ]
    tells(told(session), "K21", "1.4", "2.4")
    states = {stick.id: stick.status for stick in session.state.sticks}
    assert (states["1.4"], states["2.4"]) == ("eliminated", "dispersed")
    quiet = new_drop(sheet([load("1", "K20"), load("2", "K20")]), weather=LOW)
    assert "enemy.eliminated" not in play(quiet, [2, *[6] * 8]).asked


@pytest.mark.rule("AB29")
def test_only_hexes_where_sticks_landed_alive_are_asked_about() -> None:
    there = {**PLAIN, "terrain": {"sea": ("K21",)}}
    session = new_drop(sheet([load("1", "K20"), load("2", "K20")]), weather=LOW, map=there)
    answers = Answers()
    while not (isinstance(session.pending, Prompt) and session.pending.id == "enemy.hexes"):
        if isinstance(session.pending, Prompt):
            session.answer(answers.answer(session.pending))
        else:
            session.throw((2,))
    assert [option.id for option in session.pending.options] == ["K20"]


@pytest.mark.rule("AB32")
def test_the_players_are_reminded_of_mines(tells: Tells) -> None:
    session = new_drop(sheet([load("1", "K20")]), weather=LOW)
    play(session, [1, 1, 1, 1, 1, *[6] * 4])
    lines = [line for line in session.lines() if "mines" in line.text]
    assert [line.rule for line in lines] == ["II.G"]
    tells(lines[0].text, "attacked")


# Anti-aircraft fire


@pytest.mark.rule("AB38", "AB39", "AB40")
def test_a_plane_shot_down_takes_its_platoon_with_it(tells: Tells) -> None:
    session = new_drop(sheet([load("1", "K20"), load("2", "K20")]), weather=LOW)
    play(session, [2, 1, 2, 3, 4, *[6] * 4], air__shot_down=["2"])
    states = Counter((stick.platoon, stick.status) for stick in session.state.sticks)
    assert states == {("1", "undispersed"): 4, ("2", "shot down"): 4}
    tells(told(session), "88mm", "90mm")
    tells(told(session), "plane_shot_down", "high")


@pytest.mark.rule("AB39")
def test_players_may_let_the_load_of_a_plane_shot_down_jump() -> None:
    chosen = with_settings(plane_shot_down="load_jumps")
    session = new_drop(sheet([load("1", "K20"), load("2", "K20")]), chosen, weather=LOW)
    play(session, [2, *[6] * 8], air__shot_down=["1,2"])
    assert {stick.status for stick in session.state.sticks} == {"undispersed"}


@pytest.mark.rule("AB38")
def test_a_hex_no_plane_reaches_needs_no_drift_die(tells: Tells) -> None:
    session = new_drop(sheet([load("1", "K20"), load("2", "M20")]), weather=LOW)
    given = play(session, [2, 1, 2, 3, 4, *[6] * 4], air__shot_down=["1"])
    assert given.asked.count("drift.pattern") == 1
    tells(told(session), "K20")
