"""Gliders: short, on target or long, the wind's shift, limits. Night changes."""

from __future__ import annotations

import pytest
from airborne_help import BOARD, blowing, glider, load, new_drop, plain, play, sheet, told
from airborne_help import with_settings as chosen
from hypothesis import given, settings
from hypothesis import strategies as st
from sentences import Tells

from asl_pbcg.airborne.drop_state import WholeUnit, rights_of
from asl_pbcg.airborne.drop_tables import NUMBERS, table
from asl_pbcg.airborne.landing import GliderResult, glider_landing

WEST = {turn: blowing("W", "low") for turn in range(1, 9)}


@pytest.mark.rule("AB45")
def test_short_on_target_long() -> None:
    dice = table("glider_landing", chosen())
    assert [dice.resolve((die,), {}).result for die in range(1, 7)] == [
        "short", "short", "on_target", "on_target", "long", "long",
    ]  # fmt: skip


@pytest.mark.rule("AB45", "AB46")
@pytest.mark.parametrize(
    ("result", "speed", "at"),
    [
        # Flying east, towards rising numbers; the wind from the south-west blows north-east.
        ("on_target", "low", "L20"),
        ("short", "low", "L19"),
        ("long", "low", "L21"),
        ("on_target", "gusty", "M21"),
        ("on_target", "high", "N21"),
        ("short", "high", "N20"),
    ],
)
def test_a_glider_lands_along_its_flight_and_is_shifted_downwind(
    result: GliderResult, speed: str, at: str
) -> None:
    landed = glider_landing("K20", "E", result, blowing("SW", speed), plain(), chosen())
    assert landed.at == at


@pytest.mark.rule("AB46")
def test_the_article_s_example_gusty_wind_from_hexside_five_and_a_short_landing() -> None:
    wind = blowing("5", "gusty")
    assert wind.blows_to == "E"
    landed = glider_landing("K20", "NW", "short", wind, plain(), chosen())
    # One hex back towards the south-east, then two hexes to the east.
    assert landed.before_shift == plain().place("J20")
    assert landed.at == "J22"
    assert NUMBERS.content.glider_shift == {"low": 1, "gusty": 2, "high": 3}


@pytest.mark.rule("AB46")
def test_players_may_let_the_wind_shift_gliders_upwind() -> None:
    other = chosen(glider_shift_direction="upwind")
    landed = glider_landing("K20", "NW", "on_target", blowing("W", "gusty"), plain(), other)
    assert landed.at == "K18"


@pytest.mark.rule("AB46")
@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["NE", "E", "SE", "SW", "W", "NW"]),
    st.sampled_from(["short", "on_target", "long"]),
    st.integers(1, 6),
    st.sampled_from(["low", "gusty", "high"]),
)
def test_a_glider_never_strays_further_than_one_hex_and_the_shift(
    flight: str, result: GliderResult, side: int, speed: str
) -> None:
    there = plain()
    landed = glider_landing("U20", flight, result, blowing(str(side), speed), there, chosen())
    assert landed.at
    miss = 0 if result == "on_target" else 1
    shift = {"low": 1, "gusty": 2, "high": 3}[speed]
    far = there.grid.distance("U20", landed.at)
    assert shift - miss <= far <= shift + miss
    assert landed.place.centre == pytest.approx(there.grid.centre(landed.at))


@pytest.mark.rule("AB47", "AB05")
def test_each_glider_rolls_for_itself_in_the_one_wind_of_the_turn() -> None:
    raw = sheet(gliders=[glider("a", "K20"), glider("b", "K20"), glider("c", "M20")])
    session = new_drop(raw, weather=WEST)
    given = play(session, [1, 4, 6])
    assert given.asked.count("glider.landing") == 3
    found = {unit.id: (unit.landing, unit.at) for unit in session.state.units}
    assert found == {"a": ("short", "K20"), "b": ("on_target", "K21"), "c": ("long", "M22")}


@pytest.mark.rule("AB48")
def test_a_third_glider_in_a_hex_disperses_all_friendly_units_there(tells: Tells) -> None:
    raw = sheet(
        [load("1", "K20"), load("2", "K20")],
        [glider("a", "K20"), glider("b", "K20"), glider("c", "K21"), glider("d", "M20")],
    )
    session = new_drop(raw, weather=WEST)
    # Row B puts two sticks in K21, where a and b (on target) and c (short) land as well.
    play(session, [2, 3, 3, 1, 3, *[6] * 8])
    units = {unit.id: (unit.at, unit.status) for unit in session.state.units}
    assert units == {
        "a": ("K21", "dispersed"),
        "b": ("K21", "dispersed"),
        "c": ("K21", "dispersed"),
        "d": ("M21", "undispersed"),
    }
    states = {(stick.at, stick.status) for stick in session.state.sticks}
    assert states == {("K20", "undispersed"), ("K21", "dispersed")}
    tells(told(session), "3 gliders", "K21")


@pytest.mark.rule("AB48")
def test_two_gliders_in_a_hex_are_allowed() -> None:
    session = new_drop(sheet(gliders=[glider("a", "K20"), glider("b", "K20")]), weather=WEST)
    play(session, [3, 3])
    assert {unit.status for unit in session.state.units} == {"undispersed"}


@pytest.mark.rule("AB49")
def test_glider_units_count_for_stacking() -> None:
    def stack(others: int, **given: object) -> set[str]:
        raw = sheet(gliders=[glider("a", "M30"), glider("b", "K20", turn=2)])
        raw["gliders"].append(glider("c", "K20", turn=2))
        session = new_drop(raw, chosen(**given), weather=WEST)
        play(session, [3, 3, 3], turns=2, turn__changes=[f"others {others} at K21", "done"])
        return {unit.status for unit in session.state.units if unit.at == "K21"}

    assert stack(2) == {"undispersed"}
    assert stack(3) == {"dispersed"}
    assert stack(3, stacking_limit=5) == {"undispersed"}


@pytest.mark.rule("AB50")
def test_a_glider_off_the_map_is_lost_or_put_at_the_edge(tells: Tells) -> None:
    raw = sheet(gliders=[glider("a", "K41"), glider("b", "K40", kind="battery")])
    session = new_drop(raw, weather=WEST)
    play(session, [3, 3])
    states = {unit.id: (unit.at, unit.status) for unit in session.state.units}
    assert states == {"a": ("", "lost"), "b": ("K41", "undispersed")}
    tells(told(session), "glider_offboard", "house")
    edge = new_drop(raw, chosen(glider_offboard="clamp_to_edge"), weather=WEST)
    play(edge, [6, 3])
    assert {unit.id: unit.at for unit in edge.state.units} == {"a": "K41", "b": "K41"}
    tells(told(edge), "K41")


@pytest.mark.rule("AB50")
def test_only_the_hex_after_the_shift_counts() -> None:
    # Flying east to the west edge, short: off the map, but the wind brings it back.
    landed = glider_landing("K1", "E", "short", blowing("W", "low"), plain(), chosen())
    assert landed.at == "K1"


@pytest.mark.rule("AB38")
def test_a_glider_shot_down_does_not_land() -> None:
    raw = sheet(gliders=[glider("a", "K20"), glider("b", "K20")])
    session = new_drop(raw, weather=WEST)
    given = play(session, [3], air__shot_down=["1"])
    assert given.asked.count("glider.landing") == 1
    assert {unit.id: unit.status for unit in session.state.units} == {
        "a": "shot down",
        "b": "undispersed",
    }


def test_players_may_roll_jump_survival_for_gliders() -> None:
    raw = sheet(gliders=[glider("a", "Y17"), glider("b", "Y18", flight="W")])
    given = chosen(glider_terrain_check="use_jump_table")
    session = new_drop(raw, given, BOARD, WEST)
    asked = play(session, [4, 4, 6, 6]).asked
    assert asked.count("glider.survival") == 2
    states = {unit.id: (unit.at, unit.status) for unit in session.state.units}
    assert states["b"] == ("Y19", "eliminated"), "the bridge hex is canal"


# Night


NIGHT = NUMBERS.content.night


@pytest.mark.rule("AB51")
def test_ranges_are_halved_and_rounded_down_at_night() -> None:
    assert [NIGHT.weapon_range(hexes) for hexes in (1, 2, 7, 12)] == [0, 1, 3, 6]


@pytest.mark.rule("AB52")
def test_spotting_reaches_four_hexes_at_night() -> None:
    assert [NIGHT.spotting_range(hexes) for hexes in (3, 4, 5, 20)] == [3, 4, 4, 4]


@pytest.mark.rule("AB53")
def test_vehicles_lose_three_movement_points_at_night_and_wagons_none() -> None:
    assert [NIGHT.movement(mp, 0) for mp in (8, 2)] == [5, 0]
    assert [NIGHT.movement(mp, 1) for mp in (3, 0)] == [1, 0]
    assert NIGHT.movement(8, 0, wagon=True) == 8


@pytest.mark.rule("AB51", "AB52", "AB53")
def test_the_players_are_told_of_the_night_only_if_the_scenario_says_so(tells: Tells) -> None:
    raw = sheet(gliders=[glider("a", "K20")])
    assert "Night:" not in told(new_drop(raw, weather=WEST))
    tells(told(new_drop(raw, chosen(night=True), None, WEST)), "most 4")


@pytest.mark.rule("AB37")
def test_glider_loads_are_whole_units_but_no_engineers() -> None:
    unit = WholeUnit(id="a", type="airlanding", turn=1, glider=True, at="K20")
    rights = rights_of(unit, 1)
    assert (rights.move, rights.direct_fire, rights.engineer) == (True, True, False)
