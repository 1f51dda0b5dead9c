"""German Movement Phase: preferences, infantry, columns, tanks, panic, Mercedes and Schmidt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from sentences import Tells
from st_help import british, come_in, garrison, german, give, run, situation

from asl_pbcg.st.germans.german_advance import (
    Approach,
    Route,
    choose_end,
    drive_mercedes,
    foot_allowance,
    may_move,
    mg_bearers,
    routes,
    steps_on_foot,
    waits_in_pillbox,
    walk,
    walk_schmidt,
)
from asl_pbcg.st.germans.german_advance import moving_order as walkers
from asl_pbcg.st.germans.german_column import (
    choose_tank_end,
    column_forms,
    drive,
    drive_all,
    drive_held_up,
    enter_columns,
    march_all,
    mp_left,
    tell_who_waits,
)
from asl_pbcg.st.germans.german_column import reinforcement_roll as german_roll
from asl_pbcg.st.procedures.garrisons import alarm, release
from asl_pbcg.st.procedures.german_guns import holds_fire, spot
from asl_pbcg.st.procedures.losses import road_step, slow_going
from asl_pbcg.st.procedures.movement import move
from asl_pbcg.st.procedures.tanks import exit_of, retreat
from asl_pbcg.st.rules.p4_german_movement import german_movement
from asl_pbcg.st.rules.p7_hand_to_hand import combat
from asl_pbcg.st.state.decision import TableRoll
from asl_pbcg.st.state.game_state import PreparedPosition
from asl_pbcg.st.state.phase_situation import Situation


def ways_on_foot(sit: Situation, unit: str, mp: int = 3) -> dict[str, Route]:
    approach, found = Approach(sit), sit.units[unit]
    return routes(sit, approach, found.area, mp, steps_on_foot(sit, approach, found))


def end(sit: Situation, unit: str, mp: int = 3) -> tuple[str, ...]:
    way = choose_end(sit, Approach(sit), sit.units[unit], mp)
    return way[3] if way else ()


def walked(
    sit: Situation, unit: str, dice: Sequence[int] = (), answers: Sequence[Any] = (), mg: str = ""
) -> str:
    run(walk(sit, Approach(sit), unit, mg), dice, answers)
    return sit.units[unit].area


# -- preferences --------------------------------------------------------------------------


@pytest.mark.rule("ST-GMV-01", "ST-GMV-02", "ST-MOV-14")
def test_germans_head_for_the_nearest_british_in_mp() -> None:
    sit = situation(3, "german_movement")
    german(sit, "LP3", "infantry-01")
    british(sit, "CAF", "wood")  # a leader alone counts
    british(sit, "PX", "fox-platoon")
    approach = Approach(sit)
    assert approach.target("LP3") == "CAF"
    # LP3, LP4, XR, CAF: three steps and one for the British there.
    assert approach.nearest("LP3") == 4
    assert approach.nearest("CAF") == 0


@pytest.mark.rule("ST-GMV-01", "ST-GMV-07")
def test_ties_of_targets_obstructed_then_weaker_then_id() -> None:
    sit = situation(3, "german_movement")
    british(sit, "BR1", "wood-platoon")
    british(sit, "CAF", "fox-platoon")
    # Both are one step from the crossroads; the cafe is obstructed.
    assert Approach(sit).target("XR") == "CAF"
    sit = situation(3, "german_movement")
    british(sit, "BR1", "wood-platoon")
    british(sit, "LP4", "sapper-1")
    assert Approach(sit).target("XR") == "LP4"
    british(sit, "LP4", "fox-platoon", lost=1)
    assert Approach(sit).target("XR") == "BR1"


@pytest.mark.rule("ST-GMV-03", "ST-GMV-04", "ST-GMV-05", "ST-GMV-06")
def test_preferences_for_the_end_of_the_move() -> None:
    # British obstructed before British open.
    sit = situation(3, "german_movement")
    german(sit, "LP4", "infantry-01")
    british(sit, "XR", "wood-platoon")
    british(sit, "B7", "fox-platoon")
    assert end(sit, "infantry-01") == ("XR",)
    # British open before obstructed without British.
    sit = situation(3, "german_movement")
    german(sit, "XR", "infantry-01")
    british(sit, "BR1", "wood-platoon")
    assert end(sit, "infantry-01") == ("BR1",)
    # Out of reach: it stops in the obstructed area rather than go on into the open.
    sit = situation(3, "german_movement")
    german(sit, "LP3", "infantry-01")
    british(sit, "BR3", "wood-platoon")
    assert end(sit, "infantry-01") == ("LP4", "XR")
    # A vehicle makes open ground worth stopping in.
    sit.place_vehicle("BR1")
    assert end(sit, "infantry-01") == ("LP4", "XR", "BR1")
    # Only open ground leads on: it goes as far as it can.
    sit = situation(3, "german_movement")
    german(sit, "EO", "infantry-01")
    british(sit, "EF", "wood-platoon")
    assert end(sit, "infantry-01") == ("RB", "RD2", "RD1")


@pytest.mark.rule("ST-GMV-03", "ST-GMV-05")
def test_it_never_goes_back() -> None:
    sit = situation(3, "german_movement")
    german(sit, "RD1", "infantry-01")
    british(sit, "S2", "wood-platoon", "fox-platoon")
    sit.take_off("wood-platoon", "pool")
    sit.take_off("fox-platoon", "pool")
    british(sit, "RB", "wood-platoon")
    for area, route in ways_on_foot(sit, "infantry-01").items():
        assert route[0] <= 3
        if area != "RD1":
            assert route[3][-1] == area
    # Obstructed S1 lies behind: it goes for Ranville Bridge.
    assert end(sit, "infantry-01") == ("RD2", "RB")
    sit.put("wood-platoon", "EO")
    assert end(sit, "infantry-01")[-1] in ("RD2", "RB")


@pytest.mark.rule("ST-GMV-07")
def test_of_equal_ways_the_one_less_watched_and_more_covered() -> None:
    sit = situation(3, "german_movement")
    german(sit, "BR1", "infantry-01")
    british(sit, "CAF", "wood-platoon")
    # By B8 or by XR to the cafe: both are next to the British, XR is obstructed.
    assert end(sit, "infantry-01") == ("XR", "CAF")


@pytest.mark.rule("ST-GMV-01", "ST-MOV-03", "ST-OPF-03")
def test_it_moves_step_by_step_and_stops_when_it_meets_the_british() -> None:
    sit = situation(3, "german_movement")
    german(sit, "BR1", "infantry-01")
    british(sit, "CAF", "wood-platoon")
    played = run(walk(sit, Approach(sit), "infantry-01"), answers=[[], []])
    assert played.points == ["opportunity_fire"] * 2
    assert sit.units["infantry-01"].area == "CAF"
    # Suppressed on the way it goes no further.
    sit = situation(3, "german_movement")
    german(sit, "BR1", "infantry-01")
    british(sit, "CAF", "wood-platoon")
    assert walked(sit, "infantry-01", [5], [["wood-platoon"]]) == "XR"
    assert sit.units["infantry-01"].suppressed


@pytest.mark.rule("ST-GMV-08", "ST-SUP-02", "ST-H2H-15", "ST-GMV-01")
def test_who_may_not_move() -> None:
    sit = situation(3, "german_movement")
    german(sit, "XR", "infantry-01", engaged=3)
    german(sit, "XR", "infantry-02", suppressed=True)
    german(sit, "XR", "infantry-03", engaged=2)
    garrison(sit, "B4", face_down=True)
    assert [may_move(sit, sit.units[f"infantry-0{n}"]) for n in (1, 2, 3)] == [False, False, True]
    british(sit, "B4", "wood-platoon")
    # Nor does a unit in a British area go on.
    german(sit, "B4", "infantry-04")
    assert end(sit, "infantry-04") == ()
    assert walkers(sit, Approach(sit)) == ["infantry-04", "infantry-03"]


@pytest.mark.rule("ST-MOV-23", "ST-MOV-20", "ST-SEQ-06")
def test_garrisons_come_out_of_bunkers_and_never_go_in() -> None:
    sit = situation(5, "german_movement")
    post = garrison(sit, "B4")
    british(sit, "EF", "wood-platoon")
    assert walked(sit, post, answers=[[], []]) == "EF"
    assert not sit.units[post].inside
    sit = situation(5, "german_movement")
    german(sit, "B2", "infantry-01")
    british(sit, "B1", "wood-platoon", inside=True)
    assert walked(sit, "infantry-01", answers=[[]]) == "B1"
    assert not sit.units["infantry-01"].inside


@pytest.mark.rule("ST-MOV-20", "ST-OPF-01")
def test_coming_out_of_a_bunker_may_be_fired_on() -> None:
    sit = situation(5, "german_movement")
    post = garrison(sit, "B4")
    british(sit, "B5", "wood-platoon")
    assert walked(sit, post, [6], [["wood-platoon"], []]) == "B5"
    assert sit.units[post].lost == 1


@pytest.mark.rule("ST-MOV-05", "ST-MOV-06", "ST-MOV-07", "ST-MOV-03")
def test_the_strongest_takes_the_mg_along_and_has_two_mp() -> None:
    sit = situation(5, "german_movement")
    post = garrison(sit, "B3")
    german(sit, "B3", "infantry-01", inside=True)
    assert mg_bearers(sit) == {"infantry-01": "mg-2"}
    assert foot_allowance(sit, sit.units["infantry-01"], "mg-2") == 2
    assert foot_allowance(sit, sit.units[post], "") == 3
    british(sit, "EF", "wood-platoon")
    run(walk(sit, Approach(sit), "infantry-01", "mg-2"), answers=[[]])
    assert sit.units["infantry-01"].area == sit.weapons["mg-2"].area == "PX"
    assert not sit.weapons["mg-2"].inside
    gun = garrison(sit, "B4")
    assert gun not in mg_bearers(sit)


@pytest.mark.rule("ST-GMV-07")
def test_crews_may_be_set_to_hold_their_guns() -> None:
    sit = situation(5, "german_movement", garrison_holds_weapon=True)
    post = garrison(sit, "B3")
    other = garrison(sit, "B4")
    british(sit, "B2", "wood-platoon")
    british(sit, "EF", "fox-platoon")
    assert walked(sit, post, mg="mg-2") == "B3"
    assert walked(sit, other) == "B4"
    sit.put("wood-platoon", "N1")
    assert walked(sit, post, answers=[[]], mg="mg-2") == "PX"


@pytest.mark.rule("ST-MOV-04", "ST-LDR-08", "ST-GMV-01")
def test_leaders_move_last_and_break_ties_toward_german_strength() -> None:
    sit = situation(3, "german_movement", chit="E")
    german(sit, "LP4", "schmidt")
    assert foot_allowance(sit, sit.units["schmidt"], "") == 3
    sit.change("schmidt", wounded=True)
    assert foot_allowance(sit, sit.units["schmidt"], "") == 2
    sit.change("schmidt", wounded=False)
    british(sit, "BR1", "wood-platoon")
    british(sit, "CAF", "fox-platoon")
    sit.place_vehicle("BR1")
    german(sit, "BR1", "infantry-01")
    # Both British areas are obstructed and cost the same with equal SP: infantry in BR1 decides.
    assert end(sit, "schmidt")[-1] == "BR1"


@pytest.mark.rule("ST-STK-03")
def test_infantry_finds_no_room_beside_a_tank_and_its_infantry() -> None:
    sit = situation(7, "german_movement")
    german(sit, "XR", "tank-1", "infantry-01")
    german(sit, "LP4", "infantry-02", "schmidt")
    british(sit, "BR2", "wood-platoon")
    found = ways_on_foot(sit, "infantry-02")
    assert "XR" not in found
    assert "XR" in ways_on_foot(sit, "schmidt")
    sit.take_off("infantry-01", "dead")
    assert "XR" in ways_on_foot(sit, "infantry-02")
    sit.take_off("tank-1", "wreck")
    german(sit, "XR", "infantry-03")
    assert "XR" not in ways_on_foot(sit, "infantry-02")


@pytest.mark.rule("ST-SEQ-06", "ST-GAR-01", "ST-SET-24")
def test_extra_infantry_moves_from_turn_one_garrisons_do_not() -> None:
    sit = situation(1, "german_movement", chit="E")
    german(sit, "LP", "infantry-01", "hickman")
    garrison(sit, "B7", face_down=True)
    british(sit, "LP4", "wood-platoon")
    after = run(german_movement(sit.rules, sit.close()), answers=[[], []]).result
    units = {unit.id: unit for unit in after.units}
    assert units["infantry-01"].area == "LP3"
    assert units["hickman"].area == "LP3"
    assert units["garrison-b7"].place == "B7*"


# -- columns ------------------------------------------------------------------------------


@pytest.mark.rule("ST-SEQ-07", "ST-GRN-01", "ST-SEQ-08", "ST-GRN-02", "ST-GRN-03", "ST-GRN-04")
@pytest.mark.parametrize(
    ("chit", "face", "force", "turn", "later"),
    [("A", 4, "1", 5, 6), ("C", 3, "2", 6, 7), ("H", 2, "3", 7, 8), ("G", 1, "2", 6, 7)],
)
def test_the_roll_of_turn_four(chit: str, face: int, force: str, turn: int, later: int) -> None:
    sit = situation(4, "german_movement", chit=chit, mode="variable", difficulty="easy")
    run(german_roll(sit), [face])
    assert (sit.german_force, sit.german_turn) == (force, turn)
    sit = situation(4, chit=chit, mode="variable", difficulty="easy", german_entry_turns="sequence")
    run(german_roll(sit), [face])
    assert sit.german_turn == later
    history = situation(4)
    history.german_force = "3"
    run(german_roll(history))
    assert history.german_turn == 7


def column(force: str, face: int = 1, **settings: Any) -> Situation:
    sit = situation(5, "german_movement", **settings)
    sit.german_force, sit.german_turn = force, 5
    run(column_forms(sit), [face])
    return sit


@pytest.mark.rule("ST-TNK-03", "ST-GRN-02", "ST-GRN-05")
def test_how_a_column_forms() -> None:
    sit = column("1")
    stacks: dict[int, list[str]] = {}
    for unit in sit.units.values():
        if unit.status == "waiting" and unit.stack:
            stacks.setdefault(unit.stack, []).append(unit.id)
            assert unit.enters == "Le Port" and unit.force and unit.enters_turn == 5
    assert {n: sorted(ids) for n, ids in stacks.items()} == {
        1: ["infantry-01", "tank-1"],
        2: ["infantry-02", "tank-2"],
        3: ["infantry-03", "infantry-04"],
    }
    south = column("1", 5)
    assert {u.enters for u in south.units.values() if u.stack} == {"Benouville"}


@pytest.mark.rule("ST-GRN-03", "ST-GRN-04", "ST-TNK-03")
@pytest.mark.parametrize(("force", "tanks", "infantry"), [("1", 2, 4), ("2", 4, 6), ("3", 6, 12)])
def test_the_forces(force: str, tanks: int, infantry: int) -> None:
    sit = column(force)
    waiting = [
        u for u in sit.units.values() if u.status == "waiting" and u.side == "german" and u.stack
    ]
    assert sum(u.kind == "tank" for u in waiting) == tanks
    assert sum(u.kind == "infantry" for u in waiting) == infantry
    # Spare tanks would stand alone in the last stacks.
    few = situation(5, "german_movement")
    for number in range(3, 13):
        few.change(f"infantry-{number:02d}", status="dead", lost=8)
    few.german_force, few.german_turn = "1", 5
    run(column_forms(few), [1])
    assert few.units["tank-2"].stack == 2 == few.units["infantry-02"].stack


@pytest.mark.rule("ST-TNK-04", "ST-TNK-05", "ST-STK-02", "ST-TNK-01")
def test_stack_k_pays_k_less_one_and_the_rest_waits(tells: Tells) -> None:
    sit = column("3")
    british(sit, "N1", "wood-platoon")
    played = run(enter_columns(sit, Approach(sit), Counter()))
    where = {n: sit.units[f"tank-{n}"].area for n in range(1, 7)}
    assert where == {1: "LP3", 2: "LP2", 3: "LP1", 4: "LP", 5: "", 6: ""}
    assert [sit.units[f"infantry-0{n}"].area for n in range(1, 5)] == ["LP3", "LP2", "LP1", "LP"]
    assert not [text for text in played.notes if "waits" in text]
    tells(run(tell_who_waits(sit)).notes, "waits")
    # Next turn the head makes room and the stacks that wait count from one again.
    sit.turn, sit.spent = 6, {}
    approach = Approach(sit)
    run(drive_all(sit, approach))
    run(enter_columns(sit, approach, Counter()))
    assert [sit.units[f"tank-{n}"].area for n in range(1, 7)] == [
        "CAF",
        "XR",
        "LP4",
        "LP3",
        "LP2",
        "LP1",
    ]
    last = [u.area for u in sit.units.values() if u.kind == "infantry" and u.id > "infantry-06"]
    assert last == ["LP"] * 6 or set(last) == {"LP"}


@pytest.mark.rule("ST-SET-34", "ST-TNK-05", "ST-GMV-07", "ST-GRN-06")
def test_a_tank_that_enters_at_ranville_does_not_leave_there() -> None:
    """AMB-125: the march ends there, so it goes for the British; it holds its fire as others do."""
    sit = situation(2, "german_movement", mode="variable", difficulty="hard", chit="G")
    british(sit, "RB", "wood-platoon")
    for tank, entry in (("tank-1", "Ranville"), ("tank-2", "Benouville")):
        sit.change(tank, status="waiting", enters=entry, enters_turn=2, stack=1, force=True)
    run(enter_columns(sit, Approach(sit), Counter()))
    first, second = sit.units["tank-1"], sit.units["tank-2"]
    assert first.status == "map" and first.area != "RAN"
    assert holds_fire(sit, first) and not sit.triggered
    away = sit.geo.away("RB", road=True)
    assert away[first.area] == away["RAN"] - 3
    later = Situation(sit.rules, sit.close(turn=3))
    run(drive_all(later, Approach(later)), answers=[])
    assert away[later.units["tank-1"].area] < away[first.area]
    # The other one marches on its way.
    assert later.units["tank-2"].area in later.geo.roads and not second.loose


@pytest.mark.rule("ST-TNK-05", "ST-MOV-16")
def test_the_march_goes_on_through_british_who_hold_their_fire() -> None:
    """AMB-127: it heads directly for Ranville; British on the road cost 1 MP more to enter."""
    sit = situation(6, "german_movement")
    british(sit, "PB", "wood-platoon")
    german(sit, "CAF", "tank-1", "infantry-01", force=True, order=1)
    run(drive_all(sit, Approach(sit)), answers=[[], []])
    assert [sit.units[id].area for id in ("tank-1", "infantry-01")] == ["EF", "EF"]
    assert not sit.triggered
    attacked = situation(6, "german_movement")
    british(attacked, "PB", "wood-platoon")
    german(attacked, "CAF", "tank-1", "infantry-01", force=True, order=1)
    run(drive_all(attacked, Approach(attacked)), [1], [["wood-platoon"]])
    assert attacked.triggered
    assert attacked.units["tank-1"].area == "PB"


@pytest.mark.rule("ST-TNK-02", "ST-TNK-05", "ST-STK-03")
def test_infantry_at_the_head_of_the_march_does_not_hold_the_tanks_up() -> None:
    """AMB-122: the head of the column goes first, whatever it is."""
    sit = situation(8, "german_movement")
    british(sit, "N1", "wood-platoon")
    german(sit, "LP3", "infantry-01", "infantry-02", force=True, order=1)
    german(sit, "LP2", "tank-1", "infantry-03", force=True, order=2)
    german(sit, "LP1", "infantry-04", "infantry-05", force=True, order=3)
    approach = Approach(sit)
    run(drive_all(sit, approach))
    assert {sit.units[id].area for id in ("infantry-01", "infantry-02")} == {"CAF"}
    assert {sit.units[id].area for id in ("tank-1", "infantry-03")} == {"XR"}
    assert sit.units["infantry-04"].area == "LP1"
    run(march_all(sit, approach))
    assert sit.units["infantry-04"].area == "LP4"


@pytest.mark.rule("ST-TNK-02", "ST-TNK-05", "ST-STK-02")
def test_the_march_goes_by_road_to_ranville_and_off() -> None:
    sit = situation(6, "german_movement")
    british(sit, "N1", "wood-platoon")
    german(sit, "RR4", "tank-1", "infantry-01", force=True, order=1)
    german(sit, "CAF", "tank-2", force=True, order=2)
    german(sit, "LP4", "infantry-05", "infantry-06", force=True, order=3)
    run(drive_all(sit, Approach(sit)))
    run(march_all(sit, Approach(sit)))
    assert sit.units["tank-1"].status == sit.units["infantry-01"].status == "left"
    assert sit.units["tank-2"].area == "RD1"
    assert [sit.units[f"infantry-0{n}"].area for n in (5, 6)] == ["PB", "PB"]
    assert road_step(sit, "CAF", "RAN")[0] == "PB"
    assert all(area in sit.geo.roads for area in ("PB", "RD1"))


@pytest.mark.rule("ST-TNK-05", "ST-STK-02", "ST-TNK-01", "ST-STK-03")
def test_a_tank_waits_behind_another_active_or_wrecked() -> None:
    for wreck in (False, True):
        sit = situation(6, "german_movement")
        british(sit, "N1", "wood-platoon")
        german(sit, "PB", "tank-1", force=True, order=1, immobile=True)
        if wreck:
            sit.take_off("tank-1", "wreck")
        german(sit, "XR", "tank-2", "infantry-02", force=True, order=2)
        run(drive_all(sit, Approach(sit)))
        assert sit.units["tank-2"].area == sit.units["infantry-02"].area == "CAF"
    free = situation(6, "german_movement", wreck_blocks_road=False)
    british(free, "N1", "wood-platoon")
    german(free, "PB", "tank-1", force=True, order=1)
    free.take_off("tank-1", "wreck")
    german(free, "CAF", "tank-2", force=True, order=2)
    run(drive_all(free, Approach(free)))
    assert free.units["tank-2"].area == "EF"  # two MP for the bridge with the wreck


@pytest.mark.rule("ST-MOV-26")
def test_gliders_and_the_wrecked_mercedes_slow_tanks() -> None:
    sit = situation(6, "german_movement")
    british(sit, "N1", "wood-platoon")
    german(sit, "CAF", "mercedes")
    sit.take_off("mercedes", "wreck")
    german(sit, "LP4", "tank-1", force=True, order=1)
    run(drive_all(sit, Approach(sit)))
    assert sit.units["tank-1"].area == "CAF"
    glider = sit.gliders[1]
    sit.gliders[1] = type(glider)(number=1, line="north", status="landed", area="PB")
    sit.place_vehicle("PB")
    sit.spent = {}
    run(drive_all(sit, Approach(sit)))
    assert sit.units["tank-1"].area == "EF"


@pytest.mark.rule("ST-MOV-26")
def test_only_a_wreck_that_lies_there_makes_for_slow_going() -> None:
    sit = situation(6, "german_movement")
    german(sit, "CAF", "mercedes")
    sit.take_off("mercedes", "wreck")
    german(sit, "LP4", "tank-1", force=True, order=1)
    assert slow_going(sit, "CAF") == 1
    assert not slow_going(sit, "LP4")
    assert not slow_going(sit, "XR")


@pytest.mark.rule("ST-MOV-05")
def test_a_leader_takes_no_mg_along() -> None:
    sit = situation(5, "german_movement")
    german(sit, "B3", "schmidt", inside=True)
    assert mg_bearers(sit) == {}


@pytest.mark.rule("ST-TNK-06", "ST-DEM-09")
def test_tanks_halt_before_a_destroyed_bridge() -> None:
    sit = situation(6, "german_movement")
    british(sit, "N1", "wood-platoon")
    sit.bridge = "destroyed"
    german(sit, "LP4", "tank-1", "infantry-01", force=True, order=1)
    run(drive_all(sit, Approach(sit)))
    assert sit.units["tank-1"].area == "CAF"
    sit.spent = {}
    run(drive_all(sit, Approach(sit)))
    assert sit.units["tank-1"].area == "CAF"


@pytest.mark.rule("ST-DEM-11", "ST-DEM-12")
@pytest.mark.parametrize(("face", "breaks"), [(4, False), (5, True)])
def test_a_tank_on_the_damaged_bridge(face: int, breaks: bool) -> None:
    sit = situation(6, "german_movement")
    british(sit, "N1", "wood-platoon")
    sit.bridge = "damaged"
    german(sit, "XR", "tank-1", force=True, order=1)
    run(drive_all(sit, Approach(sit)), [face])
    assert sit.bridge == ("destroyed" if breaks else "damaged")
    assert sit.units["tank-1"].status == ("wreck" if breaks else "map")
    assert sit.units["tank-1"].area == ("PB" if breaks else "EF")


@pytest.mark.rule("ST-TNK-07", "ST-TNK-02")
def test_once_attacked_tanks_and_infantry_turn_on_the_british() -> None:
    sit = situation(7, "german_movement")
    british(sit, "W10", "wood-platoon")
    german(sit, "XR", "tank-1", "infantry-01", force=True, order=1)
    run(alarm(sit, "infantry-01"))
    assert sit.triggered
    assert sit.units["tank-1"].released
    run(drive_all(sit, Approach(sit)))
    # The tank stays on the road, next to the British; the infantry walks into them.
    assert sit.units["tank-1"].area == "BR1"
    run(walk(sit, Approach(sit), "infantry-01"), answers=[[], []])
    assert sit.units["infantry-01"].area == "W10"


@pytest.mark.rule("ST-TNK-07")
def test_the_tank_takes_the_road_area_nearest_to_the_british() -> None:
    sit = situation(7, "german_movement")
    sit.triggered = True
    british(sit, "W14", "wood-platoon")
    german(sit, "XR", "tank-1", force=True, order=1)
    route = choose_tank_end(sit, Approach(sit), sit.units["tank-1"], 3)
    assert route and route[3][-1] in ("BR1", "BR2")
    british(sit, "XR", "fox-platoon")
    assert choose_tank_end(sit, Approach(sit), sit.units["tank-1"], 3) is None


@pytest.mark.rule("ST-TNK-07", "ST-GRN-06")
def test_a_column_fired_on_turns_at_once() -> None:
    sit = situation(7, "german_movement")
    british(sit, "PX", "wood-platoon")
    german(sit, "CAF", "tank-1", "infantry-01", force=True, order=1)
    # The step onto the bridge draws no fire from the pillbox, the one to its east foot does.
    played = run(drive(sit, Approach(sit), "tank-1"), [1], [["wood-platoon"]])
    assert sit.triggered
    assert played.points == ["opportunity_fire"]
    assert sit.units["tank-1"].area == "EF"


@pytest.mark.rule("ST-TNK-07")
def test_hand_to_hand_sets_the_column_off_too() -> None:
    sit = situation(7, "hand_to_hand")
    british(sit, "XR", "wood-platoon")
    german(sit, "XR", "infantry-01", force=True, order=1)
    run(combat(sit, "XR"), [1])
    assert sit.triggered


@pytest.mark.rule("ST-TNK-08", "ST-TNK-09", "ST-TNK-10")
@pytest.mark.parametrize(
    ("infantry", "face", "breaks"),
    [(False, 2, False), (False, 3, True), (True, 1, False), (True, 2, True)],
)
def test_a_tank_in_a_british_position_on_the_road(infantry: bool, face: int, breaks: bool) -> None:
    sit = situation(8, "german_movement")
    sit.positions["CAF"] = PreparedPosition(area="CAF")
    sit.book(positions_begun=1)
    british(sit, "CAF", "wood-platoon", "wood")
    sit.control = {**sit.control, "CAF": "british"}
    german(sit, "CAF", "tank-1", force=True, order=1)
    if infantry:
        german(sit, "CAF", "infantry-01", force=True, order=1, engaged=9)
    sit.triggered = True
    played = run(drive(sit, Approach(sit), "tank-1"), [face], ["B7"] if breaks else [])
    if breaks:
        assert played.points == ["displaced_to"]
        assert sit.units["wood-platoon"].area == sit.units["wood"].area == "B7"
        assert sit.units["tank-1"].area == "PB"
        assert not sit.positions
        assert {o.id for o in played.asked[0][0].options} == {"B7", "B8"}
    else:
        assert sit.units["tank-1"].area == "CAF"
        assert "CAF" in sit.positions


@pytest.mark.rule("ST-TNK-10", "ST-OPF-07")
def test_who_is_pushed_off_the_road_is_not_fired_on() -> None:
    sit = situation(8, "german_movement")
    sit.positions["CAF"] = PreparedPosition(area="CAF")
    british(sit, "CAF", "wood-platoon")
    sit.control = {**sit.control, "CAF": "british"}
    german(sit, "CAF", "tank-1", force=True, order=1)
    german(sit, "XR", "infantry-01")
    sit.triggered = True
    played = run(drive(sit, Approach(sit), "tank-1"), [6], ["B8"])
    assert played.tables == ["prepared_position_tank"]


# -- panic --------------------------------------------------------------------------------


@pytest.mark.rule("ST-TNK-13", "ST-TNK-17")
def test_tanks_in_panic_leave_by_the_nearest_entry() -> None:
    sit = situation(9, "german_movement")
    german(sit, "LP1", "tank-2", retreat="road")
    german(sit, "EO", "tank-3", retreat="road")
    german(sit, "BR3", "tank-4", retreat="road")
    assert exit_of(sit, "LP1", True) == "LP"
    assert exit_of(sit, "EO", True) == "RAN"
    assert exit_of(sit, "BR3", True) == "BEN"
    for tank in ("tank-2", "tank-3", "tank-4"):
        run(retreat(sit, tank))
    assert sit.units["tank-2"].status == "left"
    assert sit.units["tank-3"].area == "RR3"
    assert sit.units["tank-4"].status == "left" or sit.units["tank-4"].area == "BEN"
    assert sit.ledger.tanks == 0


@pytest.mark.rule("ST-TNK-14")
def test_the_second_tank_retreats_by_a_free_road() -> None:
    sit = situation(9, "german_movement")
    german(sit, "LP4", "tank-2", retreat="second")
    run(retreat(sit, "tank-2"))
    assert sit.units["tank-2"].area == "LP1"


def blocked_tank() -> Situation:
    """The second tank in LP3, another one behind it on the road to Le Port."""
    sit = situation(9, "german_movement")
    german(sit, "LP2", "tank-3")
    german(sit, "LP3", "tank-2", retreat="second")
    return sit


@pytest.mark.rule("ST-TNK-15", "ST-TNK-16", "ST-TNK-17")
def test_blocked_on_the_road_it_goes_off_road_and_may_get_stuck() -> None:
    sit = blocked_tank()
    run(retreat(sit, "tank-2"), [3, 4])
    tank = sit.units["tank-2"]
    assert (tank.area, tank.status, tank.retreat) == ("W4", "map", "off_road")
    # Next turn it goes on, round the tank on the road: two MP to W5, then its MP are too few.
    run(retreat(sit, "tank-2"))
    assert sit.units["tank-2"].area == "W5"
    run(retreat(sit, "tank-2"))
    assert sit.units["tank-2"].area == "LP"


@pytest.mark.rule("ST-TNK-16", "ST-VIC-09")
def test_a_stuck_crew_may_panic() -> None:
    sit = blocked_tank()
    run(retreat(sit, "tank-2"), [1, 5])
    assert (sit.units["tank-2"].area, sit.units["tank-2"].status) == ("W4", "wreck")
    assert sit.ledger.tanks == 1


@pytest.mark.rule("ST-TNK-15", "ST-TNK-17")
def test_not_stuck_it_goes_on_at_once() -> None:
    sit = blocked_tank()
    run(retreat(sit, "tank-2"), [4])
    assert sit.units["tank-2"].area == "W5"


# -- fire restriction ---------------------------------------------------------------------


@pytest.mark.rule("ST-GRN-06", "ST-TNK-07")
def test_reinforcements_hold_their_fire_until_something_releases_them() -> None:
    sit = situation(8)
    german(sit, "XR", "infantry-01", "tank-1", force=True)
    assert holds_fire(sit, sit.units["infantry-01"])
    run(release(sit, "infantry-01", "is attacked"))
    assert not holds_fire(sit, sit.units["infantry-01"]) and not holds_fire(
        sit, sit.units["tank-1"]
    )
    alone = situation(8, fire_release="unit")
    german(alone, "XR", "infantry-01", "tank-1", force=True)
    run(release(alone, "infantry-01", "is attacked"))
    assert holds_fire(alone, alone.units["tank-1"])


@pytest.mark.rule("ST-GRN-06")
@pytest.mark.parametrize(
    ("mode", "turn", "free"),
    [
        ("historical", 11, False),
        ("historical", 12, True),
        ("variable", 9, False),
        ("variable", 10, True),
    ],
)
def test_from_a_turn_on_they_fire_anyway(mode: str, turn: int, free: bool) -> None:
    sit = situation(turn, mode=mode)
    german(sit, "XR", "infantry-01", force=True)
    assert holds_fire(sit, sit.units["infantry-01"]) != free


@pytest.mark.rule("ST-GRN-06")
def test_entering_a_british_area_releases_the_force() -> None:
    sit = situation(8)
    british(sit, "CAF", "wood-platoon")
    german(sit, "XR", "infantry-01", force=True)
    german(sit, "LP", "tank-1", force=True)
    run(move(sit, ("infantry-01",), "CAF"), answers=[[]])
    assert not holds_fire(sit, sit.units["tank-1"])
    assert not sit.triggered


@pytest.mark.rule("ST-GRN-07", "ST-GRN-06")
def test_one_die_for_each_adjacent_british_unit_or_leader() -> None:
    sit = situation(8)
    german(sit, "XR", "infantry-01", "tank-1", force=True)
    british(sit, "CAF", "wood-platoon", "wood")
    british(sit, "LP4", "fox-platoon")
    british(sit, "PB", "smith-platoon")
    played = run(spot(sit, sit.units["infantry-01"]), [3, 3, 3])
    assert played.tables == ["spotting.infantry"] * 3 and not played.result
    played = run(spot(sit, sit.units["tank-1"]), [4, 5])
    assert played.tables == ["spotting.tank"] * 2 and played.result
    assert not holds_fire(sit, sit.units["tank-1"])
    assert holds_fire(sit, sit.units["infantry-01"])


@pytest.mark.rule("ST-GRN-07")
def test_when_they_look() -> None:
    from asl_pbcg.st.rules.p6_german_fire import german_fire

    for setting, rolls in (
        ("both", ["spotting.infantry", "opportunity_fire_combat"]),
        ("fire", []),
    ):
        sit = situation(8, spotting=setting)
        german(sit, "RD1", "infantry-01", force=True)
        british(sit, "EF", "wood-platoon")
        assert run(come_in(sit, "wood-platoon"), [4, 1] if rolls else []).tables == rolls
    sit = situation(8, "german_fire", spotting="fire")
    german(sit, "RD1", "infantry-01", force=True)
    british(sit, "EF", "wood-platoon")
    assert run(german_fire(sit.rules, sit.close()), [4, 1]).tables == [
        "spotting.infantry",
        "fire_combat",
    ]
    assert run(german_fire(sit.rules, sit.close()), [3]).tables == ["spotting.infantry"]


@pytest.mark.rule("ST-GRN-06")
@pytest.mark.parametrize(("meets", "beside"), [("01", "02"), ("02", "01")])
def test_who_meets_the_british_frees_the_force_before_anybody_looks(
    meets: str, beside: str
) -> None:
    """At the same Opportunity Fire already: nobody who is free rolls to spot. AMB-47."""
    for setting, rolls in (("force", []), ("unit", ["spotting.infantry"])):
        sit = situation(8, fire_release=setting)
        german(sit, "RD1", f"infantry-{meets}", force=True)
        german(sit, "EF", f"infantry-{beside}", force=True)
        british(sit, "RD1", "wood-platoon")
        played = run(come_in(sit, "wood-platoon"), [*[3 for _ in rolls], 1])
        assert played.tables == [*rolls, "opportunity_fire_combat"]
        (fire, _) = played.rolls[-1]
        assert isinstance(fire, TableRoll)
        assert sorted(fire.by) == sorted(
            {f"infantry-{meets}", *([] if rolls else [f"infantry-{beside}"])}
        )


# -- Mercedes and Schmidt -----------------------------------------------------------------


def car(sit: Situation, area: str) -> None:
    sit.take_off("schmidt", "aboard")
    german(sit, area, "mercedes")


@pytest.mark.rule("ST-MER-02", "ST-MER-03", "ST-MER-05", "ST-SET-25")
@pytest.mark.parametrize(("face", "area"), [(3, "RR2"), (4, "EO")])
def test_the_mercedes_comes_on_turn_three(face: int, area: str) -> None:
    sit = situation(3, "german_movement")
    sit.change("mercedes", status="waiting", enters="Ranville", enters_turn=3)
    sit.change("schmidt", status="aboard")
    run(drive_mercedes(sit), [face])
    assert sit.units["mercedes"].area == area
    assert sit.mercedes_mp == (3 if face < 4 else 5)
    early = situation(2, "german_movement")
    early.change("mercedes", status="waiting", enters="Ranville", enters_turn=3)
    assert run(drive_mercedes(early)).rolls == []


@pytest.mark.rule("ST-MER-04", "ST-MOV-14", "ST-MER-05")
def test_fired_on_it_has_seven_mp_at_once() -> None:
    sit = situation(5, "german_movement")
    sit.mercedes_mp = 3
    car(sit, "RB")
    british(sit, "EF", "wood-platoon")
    # RD2, RD1 (fired on, no harm), then through the British: 2 MP, PB, CAF: 7 MP in all.
    played = run(drive_mercedes(sit), [1], [["wood-platoon"], [], [], []])
    assert sit.mercedes_mp == 7
    assert sit.units["mercedes"].area == "XR"
    assert len(played.points) == 4


@pytest.mark.rule("ST-MER-05", "ST-TNK-06")
def test_it_leaves_at_le_port_and_a_destroyed_bridge_stops_it() -> None:
    sit = situation(5, "german_movement")
    sit.mercedes_mp = 3
    car(sit, "LP1")
    run(drive_mercedes(sit))
    assert sit.units["mercedes"].status == sit.units["schmidt"].status == "left"
    sit = situation(5, "german_movement")
    sit.mercedes_mp, sit.bridge = 7, "destroyed"
    car(sit, "RD1")
    run(drive_mercedes(sit))
    assert sit.units["mercedes"].area == "EF"


@pytest.mark.rule("ST-MER-01")
def test_schmidt_waits_in_the_pillbox_for_the_demolition() -> None:
    sit = situation(3, "german_movement", chit="E")
    german(sit, "PX", "schmidt")
    sit.demo, sit.demo_marker = "open", "blank"
    assert waits_in_pillbox(sit)
    sit.demo = "over"
    assert not waits_in_pillbox(sit)
    sit.demo = "open"
    sit.put("schmidt", "N10")
    assert not waits_in_pillbox(sit)
    free = situation(3, chit="E", schmidt_waits_in_pillbox=False)
    german(free, "PX", "schmidt")
    free.demo = "open"
    assert not waits_in_pillbox(free)


@pytest.mark.rule("ST-MER-09")
def test_schmidt_on_foot_joins_the_nearest_germans() -> None:
    sit = situation(5, "german_movement")
    car(sit, "RD1")
    sit.take_off("mercedes", "wreck")
    german(sit, "RD1", "schmidt")
    german(sit, "RB", "infantry-01")
    near = garrison(sit, "S1", inside=False, face_down=True, dummy=True)
    british(sit, "N1", "wood-platoon")
    run(walk_schmidt(sit, Approach(sit)))
    assert sit.units["schmidt"].area == "RB"
    sit.put("schmidt", "RD1")
    sit.change(near, dummy=False)  # a German unit, though nobody has turned it up
    run(walk_schmidt(sit, Approach(sit)))
    assert sit.units["schmidt"].area == "S1"


@pytest.mark.rule("ST-MER-09")
def test_a_dummy_beside_the_wreck_is_nobody_to_join() -> None:
    sit = situation(4, "german_movement")
    sit.change("mercedes", status="waiting")
    car(sit, "RD1")
    sit.take_off("mercedes", "wreck")
    german(sit, "RD1", "schmidt")
    garrison(sit, "RD1", face_down=True, dummy=True)
    german(sit, "RB", "infantry-01")
    british(sit, "N1", "wood-platoon")
    run(walk_schmidt(sit, Approach(sit)))
    assert sit.units["schmidt"].area == "RB"


@pytest.mark.rule("ST-MER-09", "ST-MOV-04")
def test_with_nobody_to_join_he_walks_off_at_le_port() -> None:
    sit = situation(5, "german_movement")
    car(sit, "LP2")
    sit.take_off("mercedes", "wreck")
    german(sit, "LP2", "schmidt", wounded=True)
    british(sit, "N1", "wood-platoon")
    run(walk_schmidt(sit, Approach(sit)))
    assert sit.units["schmidt"].area == "LP"
    run(walk_schmidt(sit, Approach(sit)))
    assert sit.units["schmidt"].status == "left"


@pytest.mark.rule("ST-MER-10", "ST-MER-11", "ST-POW-01", "ST-VIC-11")
def test_schmidt_alone_is_captured() -> None:
    sit = situation(5)
    car(sit, "CAF")
    sit.take_off("mercedes", "wreck")
    german(sit, "CAF", "schmidt")
    british(sit, "CAF", "wood-platoon")
    run(come_in(sit, "wood-platoon"))
    assert sit.units["schmidt"].status == "pow"
    assert sit.pows["pow-schmidt"].escort == "wood-platoon"
    assert sit.schmidt_captured


@pytest.mark.rule("ST-MER-10", "ST-POW-07")
def test_a_leader_captures_him_too_but_cannot_hold_him() -> None:
    sit = situation(5)
    german(sit, "CAF", "schmidt")
    british(sit, "CAF", "wood")
    run(come_in(sit, "wood"))
    assert sit.schmidt_captured and not sit.pows
    assert sit.ledger.pows_escaped == 1


@pytest.mark.rule("ST-MER-10")
def test_beside_other_germans_he_is_not_captured() -> None:
    sit = situation(5)
    german(sit, "CAF", "schmidt", "infantry-01", suppressed=True)
    british(sit, "CAF", "wood-platoon")
    run(come_in(sit, "wood-platoon"))
    assert not sit.schmidt_captured and sit.units["schmidt"].status == "map"


@pytest.mark.rule("ST-GAM-08", "ST-MER-07", "ST-MER-06")
def test_wrecking_the_mercedes_earns_nothing_by_the_chart() -> None:
    from asl_pbcg.st.rules.scoring import scores

    for setting, vp in ((0, 0), (2, 2)):
        sit = situation(5, mercedes_vp=setting)
        car(sit, "CAF")
        sit.take_off("mercedes", "wreck")
        give(sit, "gammon-1", "wood-platoon") if sit.units["wood-platoon"].area else None
        assert sum(score.vp for score in scores(sit)) == vp


@pytest.mark.finding("F-40")
@pytest.mark.rule("ST-TNK-04", "ST-TNK-07", "ST-STK-03")
def test_a_column_that_enters_fighting_does_not_jam() -> None:
    """F-40: the infantry of a stack makes room for the next one."""
    sit = column("3")
    british(sit, "N1", "wood-platoon")
    sit.triggered = True
    played = run(enter_columns(sit, Approach(sit), Counter()))
    assert [sit.units[f"tank-{n}"].status for n in range(1, 6)] == ["map"] * 4 + ["waiting"]
    assert [sit.units[f"infantry-0{n}"].status for n in range(1, 5)] == ["map"] * 4
    assert sum(" enter at " in text for text in played.notes) == 4
    # On the next turn those in the entry area go before the stacks behind them come.
    sit.turn, sit.spent = 6, {}
    approach = Approach(sit)
    run(drive_all(sit, approach))
    run(enter_columns(sit, approach, Counter()))
    assert [sit.units[f"tank-{n}"].status for n in (5, 6)] == ["map"] * 2
    assert all(u.status == "map" for u in sit.units.values() if u.kind == "infantry" and u.order)


@pytest.mark.rule("ST-STK-03", "ST-TNK-04")
def test_infantry_that_cannot_leave_keeps_infantry_out_and_not_the_tank() -> None:
    sit = column("3")
    british(sit, "N1", "wood-platoon")
    german(sit, "LP", "infantry-12", suppressed=True, force=True)
    sit.change("infantry-12", stack=0)
    sit.triggered = True
    run(enter_columns(sit, Approach(sit), Counter()))
    assert [sit.units[f"tank-{n}"].status for n in range(1, 5)] == ["map"] * 4
    waiting = [sit.units[f"infantry-0{n}"] for n in range(1, 5)]
    assert {unit.status for unit in waiting} == {"waiting"}
    assert min(unit.stack for unit in waiting) > max(
        unit.stack for unit in sit.units.values() if unit.kind == "tank"
    )


@pytest.mark.finding("G-71")
@pytest.mark.rule("ST-GMV-01", "ST-STK-03", "ST-TNK-07")
def test_infantry_that_cannot_walk_yet_keeps_its_mp() -> None:
    """AMB-122: tanks with infantry bar the way out of the entry area; once gone, all move."""
    sit = situation(8, "german_movement")
    british(sit, "PB", "wood-platoon")
    german(sit, "LP", "infantry-01", "infantry-02", force=True, order=9)
    for number, area in enumerate(sorted(sit.geo.solid["LP"]), 1):
        german(sit, area, f"tank-{number}", f"infantry-1{number - 1}", force=True, order=number)
    sit.triggered = True
    approach = Approach(sit)
    run(march_all(sit, approach))
    assert {sit.units[f"infantry-0{n}"].area for n in (1, 2)} == {"LP"}
    assert [mp_left(sit, f"infantry-0{n}") for n in (1, 2)] == [3, 3]
    after = run(german_movement(sit.rules, sit.close())).result
    where = {unit.id: unit.area for unit in after.units}
    assert "LP" not in (where["infantry-01"], where["infantry-02"])


@pytest.mark.finding("G-71")
@pytest.mark.rule("ST-GMV-01", "ST-GMV-04")
def test_a_second_walk_goes_on_from_cover_to_cover_alone() -> None:
    sit = situation(8, "german_movement")
    british(sit, "EF", "wood-platoon")
    german(sit, "LP3", "infantry-01")
    assert sit.is_obstructed("LP3") and not sit.is_obstructed("LP4")
    assert end(sit, "infantry-01", 1) == ("LP4",)
    sit.spent["infantry-01"] = 1
    assert end(sit, "infantry-01", 1) == ()
    assert end(sit, "infantry-01", 2) == ("LP4", "XR")


@pytest.mark.finding("G-71")
@pytest.mark.rule("ST-TNK-07", "ST-STK-02", "ST-STK-03")
def test_a_tank_held_up_half_way_goes_on_with_its_mp() -> None:
    sit = situation(8, "german_movement")
    british(sit, "EF", "wood-platoon")
    german(sit, "LP4", "tank-1", force=True, order=1)
    german(sit, "CAF", "infantry-01", "infantry-02", force=True, order=2)
    sit.triggered = True
    approach = Approach(sit)
    run(drive_all(sit, approach))
    assert (sit.units["tank-1"].area, mp_left(sit, "tank-1")) == ("XR", 2)
    german(sit, "PB", "infantry-01", "infantry-02")
    assert run(drive_held_up(sit, approach)).result
    assert sit.units["tank-1"].area == "CAF"
    assert not run(drive_held_up(sit, approach)).result


@pytest.mark.finding("G-71")
@pytest.mark.rule("ST-TNK-04", "ST-STK-02")
def test_a_stack_comes_in_once_the_entry_is_clear() -> None:
    """It pays for its place in the column of the turn."""
    sit = column("3")
    british(sit, "N1", "wood-platoon")
    german(sit, "LP1", "tank-6", force=True, order=1, immobile=True)
    sit.change("tank-6", enters="", stack=0)
    entered: Counter[str] = Counter()
    run(enter_columns(sit, Approach(sit), entered))
    assert sit.units["tank-1"].area == "LP" and entered["Le Port"] == 1
    assert not run(enter_columns(sit, Approach(sit), entered)).result
    sit.put("tank-1", "LP3")
    played = run(enter_columns(sit, Approach(sit), entered))
    assert played.result and sit.spent["tank-2"] >= 1


@pytest.mark.rule("ST-TNK-07", "ST-STK-03")
def test_a_tank_behind_its_own_infantry_follows_it() -> None:
    """AMB-122: two infantry units on the road hold a tank up only until they have moved."""
    sit = situation(8, "german_movement")
    british(sit, "EF", "wood-platoon")
    german(sit, "XR", "tank-1", force=True, order=1)
    german(sit, "CAF", "infantry-01", "infantry-02", force=True, order=2)
    sit.triggered = True
    after = run(german_movement(sit.rules, sit.close()), answers=[[]] * 4).result
    where = {unit.id: unit.area for unit in after.units}
    assert where["infantry-01"] != "CAF" != where["infantry-02"]
    assert where["tank-1"] != "XR"
