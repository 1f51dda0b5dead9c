"""Glider Landing Phase: lost gliders, the flight of a line, landing, crashes."""

from __future__ import annotations

import random
from typing import Any

import pytest
from sentences import Tells, says
from st_help import GAME, Played, garrison, run, situation

from asl_pbcg.st.player.automatic_game import RandomDice, play
from asl_pbcg.st.player.policy import RandomPlayer
from asl_pbcg.st.procedures.crashes import crash, crashes
from asl_pbcg.st.procedures.losses import kill_unit
from asl_pbcg.st.rules.p1_glider_landing import (
    fly_line,
    forward_lines,
    glider_landing,
    landing_column,
    lost_gliders,
    unload,
)
from asl_pbcg.st.rules.setup import put_aboard
from asl_pbcg.st.state.game_rules import british_order
from asl_pbcg.st.state.phase_situation import Situation


def loaded(**settings: Any) -> Situation:
    sit = situation(1, "glider_landing", **settings)
    for number, load in british_order().gliders.items():
        put_aboard(sit, number, load)
    return sit


def fly(
    sit: Situation, dice: list[int], edge: str = "north", line: tuple[int, ...] = (1, 2, 3)
) -> tuple[Played, list[int]]:
    order: list[int] = []
    return run(fly_line(sit, edge, line, order), dice), order  # type: ignore[arg-type]


def areas(sit: Situation) -> dict[int, str]:
    return {number: glider.area for number, glider in sit.gliders.items() if glider.area}


@pytest.mark.rule("ST-GLI-02", "ST-GLI-03", "ST-GLI-04")
@pytest.mark.parametrize(
    ("edge", "dice", "left"),
    [
        ("north", [5], [1, 2, 3]),
        ("north", [6, 1], [2, 3]),
        ("north", [6, 2], [2, 3]),
        ("north", [6, 4], [1, 3]),
        ("north", [6, 5], [1, 2]),
        ("south", [6, 1], [5, 6]),
        ("south", [6, 3], [4, 6]),
        ("south", [6, 6], [4, 5]),
    ],
)
def test_lost_gliders(edge: str, dice: list[int], left: list[int]) -> None:
    sit = loaded()
    line = list(british_order().lines[edge])
    played = run(lost_gliders(sit, edge, line), dice)  # type: ignore[arg-type]
    assert played.result == left
    for number in line:
        lost = number not in left
        assert (sit.gliders[number].status == "lost") == lost
        load = [id for id in british_order().gliders[number] if id in sit.units]
        assert all((sit.units[id].status == "absent") == lost for id in load)
    # Their loss is not counted for victory unless that is set.
    assert sit.ledger.leaders == 0 and not sit.ledger.platoons


@pytest.mark.rule("ST-GLI-03", "ST-VIC-12", "ST-VIC-13")
def test_units_of_a_lost_glider_may_count_as_killed() -> None:
    sit = loaded(lost_glider_units_killed=True)
    run(lost_gliders(sit, "north", [1, 2, 3]), [6, 1])
    assert sit.ledger.leaders == 3
    assert sit.ledger.platoons == ("brotheridge-platoon",)


@pytest.mark.rule("ST-GLI-03", "ST-VIC-13")
@pytest.mark.parametrize("counts", [False, True])
def test_a_squad_lost_with_its_glider_and_one_killed_later_are_a_platoon(counts: bool) -> None:
    sit = situation(1, "glider_landing", lost_glider_units_killed=counts)
    put_aboard(sit, 1, ["wood-a"])
    put_aboard(sit, 4, ["wood-b", "smith-a"])
    sit.change("smith-b", status="absent")  # stays behind
    run(lost_gliders(sit, "north", [1, 2, 3]), [6, 1])
    assert not sit.ledger.platoons
    sit.put("wood-b", "S4")
    sit.put("smith-a", "S4")
    run(kill_unit(sit, "wood-b"))
    run(kill_unit(sit, "smith-a"))
    assert sit.ledger.platoons == (("wood-platoon",) if counts else ())


@pytest.mark.rule("ST-GLI-04", "ST-GLI-05")
def test_a_lost_leader_leaves_the_next_in_front() -> None:
    sit = loaded()
    # Gliders 2 and 3 alone: 2 enters in the west and lands, then 3 in the east.
    played, order = fly(sit, [3, 1, 4, 1], line=(2, 3))
    assert areas(sit) == {2: "NT1", 3: "NT2"}
    assert order == [2, 3]
    assert played.tables == ["glider.entry", "glider.landing", "glider.entry", "glider.landing"]


@pytest.mark.rule("ST-GLI-01", "ST-GLI-05")
@pytest.mark.parametrize(
    ("edge", "face", "area"),
    [("north", 3, "NT1"), ("north", 4, "NT2"), ("south", 1, "ST1"), ("south", 6, "ST2")],
)
def test_the_leader_enters_in_the_west_or_east(edge: str, face: int, area: str) -> None:
    sit = loaded()
    fly(sit, [face, 1], edge, (1,) if edge == "north" else (4,))
    assert list(areas(sit).values()) == [area]


@pytest.mark.rule("ST-GLI-06", "ST-GLI-07", "ST-GLI-08", "ST-GLI-10", "ST-GLI-11", "ST-GLI-14")
def test_the_line_follows_its_leader_step_by_step() -> None:
    sit = loaded()
    played, order = fly(
        sit,
        [
            1, 2,              # 1 enters NT1 and flies on
            4, 3, 4,           # red arrow to NT4; 1 and then 2 (in NT1) roll and fly on
            3, 3, 5, 3,        # blue arrow to ND1; 1, 2 (NT4), 3 (NT1) roll: none lands
            3, 2, 1, 2,        # blue to ND4: 1 lands on 2; 2 (ND1) lands on 1; 3 (NT4) flies on
            5, 2,              # 3 leads now: red arrow to ND2, lands on 2
        ],
    )  # fmt: skip
    assert areas(sit) == {1: "ND4", 2: "ND1", 3: "ND2"}
    assert order == [1, 2, 3]
    # Off the map nobody rolls: one landing roll on the first step, two on the second.
    assert played.tables[:5] == [
        "glider.entry",
        "glider.landing",
        "glider.arrow",
        "glider.landing",
        "glider.landing",
    ]
    assert all(glider.status == "landed" for n, glider in sit.gliders.items() if n < 4)


@pytest.mark.rule("ST-GLI-10")
def test_who_is_behind_a_landed_leader_leads_from_where_it_is() -> None:
    sit = loaded()
    fly(
        sit,
        [
            1, 2,          # 1 in NT1
            1, 1, 2,       # blue arrow: 1 lands in NT3, 2 in NT1 flies on
            4, 1, 1,       # 2 steers for itself: red arrow to NT4, lands; 3 lands in NT1
        ],
    )  # fmt: skip
    assert areas(sit) == {1: "NT3", 2: "NT4", 3: "NT1"}


@pytest.mark.rule("ST-GLI-11", "ST-MAP-01")
def test_one_arrow_alone_needs_no_roll() -> None:
    sit = loaded()
    played, _ = fly(
        sit,
        [
            1, 2,       # NT1
            2, 2,       # blue to NT3
            1,          # the only arrow to ND1: lands on 1 without a roll for the arrow
        ],
        line=(1,),
    )  # fmt: skip
    assert areas(sit) == {1: "ND1"}
    assert played.tables.count("glider.arrow") == 1


@pytest.mark.rule("ST-GLI-19")
def test_a_six_in_a_triangle_breaks_the_formation_once() -> None:
    sit = loaded()
    played, _ = fly(
        sit,
        [
            1, 6,          # 1 in NT1: six breaks the formation, it does not land
            4, 5, 1, 2,    # 1: red arrow to NT4; 2 enters for itself: east, NT2; 1 lands, 2 not
            2, 5,          # 2 follows its own arrow: blue to NT4; 3 enters east: NT2
            6, 1,          # 2 rolls a second six in a triangle: nothing; 3 lands
            4, 2,          # 2: red arrow to ND2, lands
        ],
    )  # fmt: skip
    assert areas(sit) == {1: "NT4", 2: "ND2", 3: "NT2"}
    assert sum(says(text, "formation") for text in played.notes) == 1


@pytest.mark.rule("ST-GLI-19")
def test_a_six_elsewhere_breaks_nothing() -> None:
    sit = loaded()
    played, _ = fly(sit, [1, 2, 2, 2, 6, 3, 1], line=(1,))
    assert not any("breaks" in text for text in played.notes)
    assert played.rolls[4][0].given == {"area": "double_circle"}


@pytest.mark.rule("ST-GLI-14")
def test_with_broken_formation_a_blocked_glider_waits(tells: Tells) -> None:
    sit = loaded()
    played, _ = fly(
        sit,
        [
            1, 6,            # 1 in NT1, formation broken
            4, 4, 2, 2,      # 1: red to NT4; 2 enters NT2
            1, 4, 3, 2,      # 1: blue to ND1; 2: red to NT5
            4, 3, 3,         # 1: red to ND3; 2: its only arrow to ND2
            4, 4, 4,         # 1: red to NH3; 2 would follow red to NH3 and waits, without a roll
            4, 1, 1,         # 1: its only arrow to N2; 2: red to NH3; both land
        ],
        line=(1, 2),
    )  # fmt: skip
    assert areas(sit) == {1: "N2", 2: "NH3"}
    tells(played.notes, "Glider 2")


@pytest.mark.rule("ST-GLI-12", "ST-GLI-13")
def test_forward_lines_lead_away_from_the_edge_and_never_along_dashes() -> None:
    sit = situation(1, "glider_landing")
    assert set(forward_lines(sit, "north", "N3", [])) == {"N4", "N7"}
    assert set(forward_lines(sit, "south", "S12", [])) == {"S9"}
    assert forward_lines(sit, "north", "N3", ["N7"]) == ["N4"]
    for area in GAME.map.land:
        for edge in ("north", "south"):
            for there in forward_lines(sit, edge, area, []):  # type: ignore[arg-type]
                line = GAME.map.crossing(area, there)
                assert line and line.kind != "dashed"
    wide = situation(1, "glider_landing", forward_sideways=100)
    assert set(forward_lines(wide, "north", "N3", [])) == {"B3", "N4", "N7"}
    narrow = situation(1, "glider_landing", forward_sideways=1)
    assert forward_lines(narrow, "north", "N3", []) == ["N7"]


@pytest.mark.rule("ST-GLI-12")
def test_with_several_forward_lines_each_is_equally_likely() -> None:
    goals = []
    for face in range(1, 7):
        sit = loaded()
        # ST1, ST3, SD1, SH1, S11; from there the lines to S8 and to S9 lead on.
        fly(sit, [1, 2, 1, 3, 3, 1, 4, 4, 6, face, 1], "south", (4,))
        goals.append(sit.gliders[4].area)
    assert goals == ["S8"] * 3 + ["S9"] * 3


@pytest.mark.rule("ST-GLI-16", "ST-GLI-17", "ST-GLI-18", "ST-GLI-20")
@pytest.mark.parametrize(
    ("area", "circles", "column"),
    [
        ("NT1", 0, "triangle"), ("ND1", 0, "double_circle"), ("NH1", 0, "hexagon"),
        ("N1", 1, "circle_1"), ("N4", 2, "circle_2"), ("N7", 3, "circle_3"), ("N10", 4, "circle_4"),
        ("N10", 5, "circle_4"), ("N3", 2, "automatic"), ("PX", 2, "automatic"),
        ("B4", 1, "automatic"),
    ],
)  # fmt: skip
def test_which_landing_number_counts(area: str, circles: int, column: str) -> None:
    sit = situation(1, "glider_landing")
    garrison(sit, "B4")
    assert landing_column(sit, area, circles) == column


@pytest.mark.rule("ST-GLI-18")
def test_squares_may_be_set_to_land_like_circles() -> None:
    sit = situation(1, "glider_landing", square_landing="circle")
    assert landing_column(sit, "N3", 2) == "circle_2"
    assert landing_column(sit, "PX", 2) == "automatic"


@pytest.mark.rule("ST-GLI-17")
def test_each_glider_counts_its_own_circles() -> None:
    sit = loaded()
    # ST1, ST3, SD1, SH1, then S11 (first circle), S8 or S9 (second).
    played, _ = fly(sit, [1, 2, 1, 3, 3, 1, 4, 4, 6, 5, 1], "south", (4,))
    columns = [roll.given["area"] for roll, _ in played.rolls if roll.id == "glider.landing"]
    assert columns[:6] == [
        "triangle",
        "triangle",
        "double_circle",
        "hexagon",
        "circle_1",
        "circle_2",
    ]


@pytest.mark.rule("ST-GLI-09", "ST-GLI-15", "ST-GLI-25")
def test_every_flight_comes_to_an_end() -> None:
    for seed in range(25):
        begun = GAME.begin({"mode": "full_history" if seed % 2 else "historical"})
        steps = play(GAME, begun, RandomPlayer(seed), RandomDice(seed))
        next(steps)
        found = next(steps)
        assert found.phase == 1
        for glider in found.gliders:
            assert glider.status != "ready"
            assert bool(glider.area) == (glider.status in ("landed", "crashed"))
        sit = Situation(GAME.rules(found.settings), found)
        for glider in found.gliders:
            if glider.area:
                assert sit.is_obstructed(glider.area)
                assert not any(u.status == "aboard" and u.glider for u in found.units)


@pytest.mark.rule("ST-GLI-21")
def test_later_gliders_of_an_area_crash_more_easily() -> None:
    sit = loaded()
    for number in (1, 2, 3):
        sit.gliders[number] = type(sit.gliders[number])(
            number=number, line="north", status="landed", area="N1"
        )
    played = run(crashes(sit, [1, 2, 3]), [5, 5, 1, 4, 1])
    assert [roll.drm and roll.drm[0].value for _, roll in played.rolls] == [(), 1, (), 2, ()]
    assert [sit.gliders[n].status for n in (1, 2, 3)] == ["landed", "crashed", "crashed"]
    sit = loaded(crash_drm="all")
    for number in (1, 2):
        sit.gliders[number] = type(sit.gliders[number])(
            number=number, line="north", status="landed", area="N1"
        )
    played = run(crashes(sit, [1, 2]), [4, 4])
    assert [roll.final for _, roll in played.rolls] == [5, 5]


@pytest.mark.rule("ST-GLI-22", "ST-GLI-23")
def test_a_crash_costs_sp_and_every_leader_rolls() -> None:
    sit = loaded()
    # Glider 1 loses 4: the platoon takes 3, the sapper 1; three leaders roll in id order.
    played = run(crash(sit, 1), [3, 6, 4, 1], ["brotheridge-platoon", 3, "sapper-1"])
    assert played.points == ["crash_losses", "crash_losses_sp", "crash_losses"]
    assert sit.units["brotheridge-platoon"].lost == 3
    assert sit.units["sapper-1"].status == "dead"
    assert sit.units["brotheridge"].status == "dead"
    assert sit.units["howard"].wounded
    assert not sit.units["neilson"].wounded
    assert sit.ledger.british_sp == 4 and sit.ledger.leaders == 1


@pytest.mark.rule("ST-GLI-23")
def test_a_crash_without_loss_harms_no_leader() -> None:
    sit = loaded()
    assert run(crash(sit, 1), [1]).tables == ["glider.crash_losses"]


@pytest.mark.rule("ST-GLI-22")
def test_a_crash_that_kills_all() -> None:
    sit = loaded()
    run(crash(sit, 3), [6])
    assert all(sit.units[id].status == "dead" for id in ("smith", "smith-platoon", "sapper-3"))
    assert sit.ledger.platoons == ("smith-platoon",)
    assert sit.ledger.leaders == 1


@pytest.mark.rule("ST-GLI-22")
def test_the_dice_may_share_out_a_crash() -> None:
    sit = loaded(crash_losses="random")
    played = run(crash(sit, 2), [2, 1, 4])
    assert played.points == []
    assert (sit.units["sapper-2"].lost, sit.units["wood-platoon"].lost) == (1, 2)


@pytest.mark.rule("ST-GLI-24", "ST-GLI-25", "ST-GLI-20", "ST-OPF-07", "ST-GAR-02")
def test_units_stand_on_their_glider_and_nobody_fires_at_a_landing() -> None:
    sit = loaded()
    counter = garrison(sit, "B4", face_down=True)
    sit.gliders[3] = type(sit.gliders[3])(number=3, line="north", status="landed", area="B4")
    sit.place_vehicle("B4")
    unload(sit)
    assert {u.id for u in sit.at("british", "B4")} == {"smith", "smith-platoon", "sapper-3"}
    assert sit.weapons["piat-1"].area == "B4"
    assert sit.weapons["piat-1"].carrier == "smith-platoon"
    assert sit.is_obstructed("B4")
    assert sit.units[counter].face_down


@pytest.mark.rule("ST-GLI-02")
def test_full_history_rolls_for_no_lost_glider() -> None:
    sit = loaded(mode="full_history")
    sit.gliders[4] = type(sit.gliders[4])(number=4, line="south", status="unused")
    state = sit.close()
    script = glider_landing(sit.rules, state)
    source = random.Random(3)
    tables = []
    sent: Any = None
    try:
        while True:
            asked = script.send(sent)
            sent = None
            if hasattr(asked, "resolve"):
                tables.append(asked.id)
                sent = asked.resolve((source.randint(1, 5),))
            elif hasattr(asked, "random_answer"):
                sent = asked.random_answer(source)
    except StopIteration:
        pass
    assert "glider.lost" not in tables
    assert tables.count("glider.crash") == 5


@pytest.mark.rule("ST-GLI-11")
def test_the_colour_may_be_rolled_once_for_the_flight() -> None:
    sit = loaded(arrow_roll="once")
    played, _ = fly(sit, [6, 1, 2, 2, 1], line=(1,))
    assert played.tables[0] == "glider.arrow"
    assert played.tables.count("glider.arrow") == 1
    assert areas(sit) == {1: "ND2"}
