"""Drop orders, their limits, and the seal."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from airborne_help import (
    BOARD,
    Answers,
    blowing,
    board,
    glider,
    load,
    new_drop,
    orders_of,
    play,
    sheet,
    told,
    with_settings,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from sentences import Tells, raised

from asl_pbcg.airborne.drop_map import MapSpec
from asl_pbcg.airborne.landing_orders import Orders, fingerprint
from asl_pbcg.kernel.errors import FaultsError, PBCGError
from asl_pbcg.kernel.seals import new_salt, read_words
from asl_pbcg.kernel.views import for_side


def faults(raw: dict[str, Any], **chosen: Any) -> str:
    with pytest.raises(FaultsError) as caught:
        orders_of(raw, with_settings(**chosen))
    return str(caught.value)


def test_orders_are_read_with_their_defaults() -> None:
    found = orders_of(
        sheet([load("1/A", "k10")], [{"turn": 2, "at": "K10", "load": "6-pdr", "enters": "K1"}])
    )
    drop, flown = found.drops[0], found.gliders[0]
    assert (drop.at, drop.sticks, drop.type, drop.kind) == ("K10", 4, "para", "platoon")
    # Down the column from the top of the sheet, which faces west: towards the east.
    assert (flown.flight, flown.enters, flown.type) == ("E", "K1", "airlanding")
    assert found.last_turn == 2


@pytest.mark.rule("AB07")
def test_landings_may_be_spread_over_several_turns() -> None:
    found = orders_of(
        sheet([load(str(turn), "K10", turn) for turn in (1, 2, 5)], [glider("g", "K10", turn=9)])
    )
    assert [list(found.drops_of(turn)) for turn in (1, 2, 3, 5)] == [["K10"], ["K10"], [], ["K10"]]
    assert found.last_turn == 9


@pytest.mark.rule("AB08")
def test_two_platoons_may_be_aimed_at_a_hex_and_a_ninth_stick_may_not(tells: Tells) -> None:
    eight = [load("1/A", "K10"), load("2/A", "K10")]
    assert len(orders_of(sheet(eight)).drops) == 2
    said = faults(sheet([*eight, load("HQ", "K10", sticks=1)]))
    tells(said, "turn 1", "9 sticks", "8 sticks", "K10")
    orders_of(sheet([*eight, load("HQ", "K10", turn=2, sticks=1)]))
    orders_of(sheet([*eight, load("HQ", "K11", sticks=1)]))
    said = faults(sheet([load("1/A", "K10", sticks=9)]))
    tells(said, "9", "sticks", "1", "4")


@pytest.mark.rule("AB08", "AB44")
def test_limits_are_told_with_every_other_fault(tells: Tells) -> None:
    drops = [load("1/A", "K10"), load("2/A", "K10"), load("HQ", "K10", sticks=1), load("x", "K99")]
    gliders = [glider("a", "K10"), glider("b", "K10"), glider("c", "K10"), glider("HQ", "K11")]
    said = faults(sheet(drops, [*gliders, glider("d", "K10", "N")]))
    tells(said, "5 faults")
    for facts in (("K99",), ("9 sticks", "K10"), ("4 gliders", "K10"), ("HQ", "2"), ("N",)):
        tells(said, *facts)


@pytest.mark.rule("AB08")
def test_sticks_in_a_platoon_are_a_setting(tells: Tells) -> None:
    rows = {letter: [6] for letter in "ABCDEFGHIJKLMNOPQR"}
    chosen: dict[str, Any] = {"sticks_per_platoon": 3, "drift_rows_override": rows}
    assert orders_of(sheet([load("1/A", "K10")]), with_settings(**chosen)).drops[0].sticks == 3
    seven = [load("1/A", "K10"), load("2/A", "K10"), load("3/A", "K10", sticks=1)]
    tells(faults(sheet(seven), **chosen), "7 sticks", "6")


@pytest.mark.rule("AB44")
def test_no_more_than_two_gliders_may_be_aimed_at_a_hex_in_a_turn(tells: Tells) -> None:
    two = [glider("a", "K10"), glider("b", "K10")]
    assert len(orders_of(sheet(gliders=two)).gliders) == 2
    said = faults(sheet(gliders=[*two, glider("c", "K10")]))
    tells(said, "III.E", "turn 1", "3 gliders", "K10", "2")
    orders_of(sheet(gliders=[*two, glider("c", "K10", turn=2)]))


@pytest.mark.rule("AB41")
def test_a_glider_flies_in_along_the_hex_row_of_its_target(tells: Tells) -> None:
    raw = {"turn": 1, "at": "K10", "load": "a", "enters": "A15"}
    assert orders_of(sheet(gliders=[raw])).gliders[0].flight == "NW"
    # A15 to K10 is the hex row that runs up the sheet to the right: north-west on the ground.
    said = faults(sheet(gliders=[{**raw, "enters": "A14"}]))
    tells(said, "A14", "enters", "K10")
    assert "A15 flying NW" in said and "K1 flying E" in said
    # B14 lies on the row, but it is not at the map's edge.
    tells(faults(sheet(gliders=[{**raw, "enters": "B14"}])))
    said = faults(sheet(gliders=[{**raw, "flight": "E"}]))
    tells(said, "E", "III.A", "flight", "A15", "K10", "NW")
    said = faults(sheet(gliders=[glider("a", "K10", flight="N")]))
    tells(said, "N", "flight", "NE", "E", "SE")
    said = faults(sheet(gliders=[{"turn": 1, "at": "K10", "load": "a"}]))
    tells(said, "direction")


@pytest.mark.rule("AB41")
def test_where_a_box_covers_the_edge_of_the_board_a_glider_enters_at_the_last_hex_in_play() -> None:
    gliders = [glider("a", "QQ24", "SW"), glider("b", "TT20", "W"), glider("c", "C22", "W")]
    session = new_drop(sheet(gliders=gliders), map=BOARD)
    entries = [order.enters for order in session.state.sealed.gliders]
    assert entries == ["RR24", "TT21", "C29"]


@pytest.mark.rule("AB41")
def test_every_hex_of_the_board_can_be_reached_along_its_six_hex_rows() -> None:
    there = board()
    for at in set(there.grid.all) - there.out_of_play:
        for side in there.sides:
            there.check(there.entry_hex(at, side))


@pytest.mark.rule("AB42")
def test_a_glider_carries_one_platoon_or_one_battery(tells: Tells) -> None:
    found = orders_of(sheet(gliders=[glider("a", "K10"), glider("b", "K10", kind="battery")]))
    assert [(order.kind, order.type) for order in found.gliders] == [
        ("platoon", "airlanding"),
        ("battery", "artillery"),
    ]
    tells(faults(sheet(gliders=[glider("a", "K10", kind="tank")])), "tank", "kind")
    said = faults(sheet(gliders=[glider("a", "K10"), glider("a", "K11")]))
    tells(said, "a", "ordered 2")


@pytest.mark.rule("AB43")
def test_artillery_is_airdropped_in_scenario_ten_alone(tells: Tells) -> None:
    raw = sheet([load("75mm", "K10", kind="battery")])
    tells(faults(raw), "scenario 10")
    tells(faults(raw, scenario=9), "airdropped")
    drop = orders_of(raw, with_settings(scenario=10)).drops[0]
    assert (drop.kind, drop.type) == ("battery", "artillery")
    assert orders_of(sheet(gliders=[glider("75mm", "K10", kind="battery")])).gliders


def test_all_faults_of_an_orders_file_come_at_once(tells: Tells) -> None:
    said = faults(
        {
            "format": "pbcg-orders/1",
            "drop": [],
            "drops": [
                load("1/A", "K99"),
                {"turn": 0, "at": "K10", "platoon": "2/A"},
                {"turn": 1, "platoon": "3/A", "colour": "red"},
                "1/A on K10",
            ],
            "gliders": "none",
        }
    )
    tells(said, "pbcg-orders/1", "pbcg-drop-orders/1")
    tells(said, "drop", "drops")
    tells(said, "K99", "line 1", "K9")
    tells(said, "0", "line 2", "1", "60")
    tells(said, "line 3")
    tells(said, "colour", "line 3")
    assert "drops, line 4" in said
    tells(said, "values")
    tells(said, "gliders")


def test_a_hex_out_of_play_is_no_target(tells: Tells) -> None:
    session = new_drop(map=BOARD)
    tells(raised(PBCGError, lambda: session.answer(sheet([load("1/A", "B26")]))), "B26", "at")
    assert session.state.orders is None
    session.answer(sheet([load("1/A", "X24")]))
    assert session.state.orders


# The seal


def seal(orders: Orders, salt: str) -> str:
    """Return the fingerprint of orders for the default settings and map."""
    return fingerprint(orders, salt, with_settings(), MapSpec())


@pytest.mark.rule("AB06")
def test_the_fingerprint_fits_these_orders_and_this_salt_alone() -> None:
    orders = orders_of(sheet([load("1/A", "K10"), load("2/A", "K10", turn=3)]))
    salt = new_salt()
    mark = seal(orders, salt)
    assert read_words(mark.upper()) == mark == seal(orders, salt)
    assert seal(orders, new_salt()) != mark


@pytest.mark.rule("AB06")
@settings(max_examples=30, deadline=None)
@given(st.data())
def test_any_change_to_sealed_orders_changes_the_fingerprint(data: st.DataObject) -> None:
    orders = orders_of(sheet([load("1/A", "K10"), load("2/A", "L9")], [glider("g", "M10")]))
    change: dict[str, Any]
    place = data.draw(st.sampled_from(["drop", "glider"]))
    if place == "drop":
        change = data.draw(
            st.sampled_from([{"at": "K11"}, {"turn": 2}, {"sticks": 3}, {"type": "engineer"}])
        )
        number = data.draw(st.integers(0, 1))
        drops = list(orders.drops)
        drops[number] = msgspec.structs.replace(drops[number], **change)
        changed = msgspec.structs.replace(orders, drops=tuple(drops))
    else:
        change = data.draw(st.sampled_from([{"at": "M11"}, {"turn": 2}, {"flight": "W"}]))
        flown = msgspec.structs.replace(orders.gliders[0], **change)
        changed = msgspec.structs.replace(orders, gliders=(flown,))
    assert seal(changed, "salt") != seal(orders, "salt")


@pytest.mark.rule("AB06")
def test_sealed_orders_cannot_be_changed_or_undone(tells: Tells) -> None:
    session = new_drop(sheet([load("1/A", "K10")]))
    sealed = session.state.fingerprint
    assert sealed in told(session)
    tells(raised(PBCGError, lambda: session.undo("I thought better of it")), "changed")
    tells(raised(PBCGError, lambda: session.answer(sheet([load("1/A", "K11")]))), "Dice")
    session.throw((3,))
    session.undo("the die was cocked")
    tells(raised(PBCGError, lambda: session.undo("again")), "changed")
    assert session.state.fingerprint == sealed


@pytest.mark.rule("AB06")
def test_the_enemy_sees_the_fingerprint_and_not_the_orders() -> None:
    session = new_drop(sheet([load("1/A", "K10", turn=2)]))
    seen = for_side(session.lines(), "german")
    assert any(session.state.fingerprint in line.text for line in seen)
    assert not any(line.point == "orders" for line in seen)
    # Wind is rolled on turn 1 too, so that the dice do not tell when the landing comes.
    asked = play(session, [1, 1]).asked
    assert asked == ["weather.direction", "weather.speed"]


@pytest.mark.rule("AB10", "AB05")
def test_one_drift_die_for_everything_aimed_at_a_hex_in_a_turn() -> None:
    drops = [load("1/A", "K20"), load("2/A", "K20"), load("3/A", "M20"), load("4/A", "K20", 2)]
    session = new_drop(sheet(drops), weather={1: blowing("W"), 2: blowing("W")})
    # Turn 1: K20 (row I) and M20 (row G, half full: four chits), then twelve survival rolls.
    given = play(session, [3, 1, 8, 7, 6, 5, *[6] * 12])
    assert given.asked.count("drift.pattern") == 2
    rows = {stick.platoon: stick.row for stick in session.state.sticks}
    assert rows == {"1/A": "I", "2/A": "I", "3/A": "G"}
    given = play(session, [1, 1, 2, 3, 4, *[6] * 4], regroup__form=["none"])
    assert given.asked.count("drift.pattern") == 1


def test_answers_are_asked_in_the_article_s_order() -> None:
    session = new_drop(
        sheet([load("1/A", "K20"), load("2/A", "K20")], [glider("g", "L20")]),
    )
    # Wind 5 (west), 3 gusty; drift 3: row I; glider 3 on target; eight survival rolls.
    given: Answers = play(session, [5, 3, 3, 3, *[6] * 8])
    assert given.asked == [
        "weather.direction",
        "weather.speed",
        "air.shot_down",
        "drift.pattern",
        "glider.landing",
        *["survival"] * 8,
        "enemy.hexes",
        "turn.changes",
    ]
