"""Settings: every doubtful point has its choices, a default and a reason; wrong ones are told."""

from __future__ import annotations

import re
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
from sentences import Tells
from st_help import british, garrison, german, give, run, situation

from asl_pbcg.kernel.errors import FaultsError
from asl_pbcg.st.board.geometry import Geometry
from asl_pbcg.st.board.map_load import load_map
from asl_pbcg.st.british.british_start import arrivals, arriving
from asl_pbcg.st.procedures.assaults import grenade_given
from asl_pbcg.st.procedures.fire import Target, fire_given, leaders_lose
from asl_pbcg.st.procedures.garrisons import activate_all, activate_near, capture_schmidt
from asl_pbcg.st.procedures.german_guns import british_opportunity_fire, german_opportunity_fire
from asl_pbcg.st.procedures.movement import loads
from asl_pbcg.st.rules.p7_hand_to_hand import combat, fight_given, gather
from asl_pbcg.st.rules.scoring import counts
from asl_pbcg.st.settings import ST_RULINGS, Settings

RULINGS = ST_RULINGS.settable


@pytest.mark.parametrize("name", RULINGS)
def test_file_and_program_agree_on_a_setting(name: str) -> None:
    ruling = RULINGS[name]
    assert getattr(ST_RULINGS.settings({}), name) == ruling.default
    kind: Any = get_type_hints(Settings)[name]
    program: set[Any] = set()
    for part in get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,):
        program |= {True, False} if part is bool else set(get_args(part))
    assert set(ruling.choices) == program
    for choice in ruling.choices:
        assert getattr(ST_RULINGS.settings({name: choice}), name) == choice
    assert ruling.question and ruling.why
    assert all(isinstance(text, str) and text for text in ruling.choices.values())
    assert re.fullmatch(r"AMB-\d{2,3}|option", ruling.id)
    assert ruling.rule.startswith("ST-")


def test_no_setting_is_missing_in_the_file() -> None:
    assert set(RULINGS) == set(Settings.__struct_fields__) - {"mode", "difficulty"}


def test_fixed_rulings_have_a_rule_and_a_reason() -> None:
    fixed = {key: ruling for key, ruling in ST_RULINGS.items() if not ruling.is_settable}
    assert fixed and not set(fixed) & {ruling.id for ruling in RULINGS.values()}
    for ruling in fixed.values():
        assert ruling.rule and ruling.question and ruling.reading and ruling.why


def test_all_faults_of_the_settings_are_told_at_once(tells: Tells) -> None:
    with pytest.raises(FaultsError) as raised:
        ST_RULINGS.settings(
            {"fire_tabel": "x", "gammon_uses": 7, "must_load_all": "yes", "mode": "solo"}
        )
    tells(str(raised.value).splitlines()[0], "4 faults")
    text = str(raised.value)
    tells(text, "fire_tabel", "fire_table")
    tells(text, "7", "gammon_uses", "3", "2")
    tells(text, "yes", "must_load_all")
    tells(text, "solo", "full_history", "mode")


def test_numbers_and_truth_are_not_confused() -> None:
    with pytest.raises(FaultsError):
        ST_RULINGS.settings({"mercedes_vp": True})
    with pytest.raises(FaultsError):
        ST_RULINGS.settings({"must_load_all": 1})


def geometry(**chosen: Any) -> Geometry:
    """The areas of the map with some settings."""
    return Geometry(load_map(), ST_RULINGS.settings(chosen))


@pytest.mark.rule("ST-FIR-01", "ST-TAT-13", "ST-MOV-11")
def test_settings_shape_the_map() -> None:
    plain = geometry()
    assert "EF" in plain.beside["CAF"]
    assert "EF" not in geometry(dashed_lines_adjacent=False).beside["CAF"]
    assert "NH1" in plain.land
    assert "NH1" not in geometry(hexagon_link="a").land
    narrow = geometry(sight_radius=12).map
    wide = geometry(sight_radius=36).map
    pairs = [(a, b) for a in plain.land for b in plain.land if a < b][:600]
    through = [(len(narrow.passes(a, b)), len(wide.passes(a, b))) for a, b in pairs]
    assert all(less <= more for less, more in through)
    assert any(less < more for less, more in through)


@pytest.mark.rule("ST-TNK-05", "ST-MER-05")
def test_distances_on_an_empty_map() -> None:
    geo = geometry()
    assert geo.away("RAN", road=True)["LP"] == 17
    assert geo.away("RAN", road=True)["BEN"] == 17
    assert geo.away("PB")["CAF"] == 1
    assert "N1" not in geo.away("PB", road=True)


@pytest.mark.parametrize("value", [{}, [], {"x": 1}, [["hard"]]])
def test_a_setting_that_is_no_word_is_a_fault(value: Any) -> None:
    for name in ("mode", "difficulty", next(iter(RULINGS))):
        with pytest.raises(FaultsError, match=name):
            ST_RULINGS.settings({"mode": "historical", name: value})


# -- each choice does something --------------------------------------------------------------


@pytest.mark.finding("G-19")
@pytest.mark.rule("ST-GAR-02", "ST-GRN-07", "ST-DEM-05")
@pytest.mark.parametrize("choice", [True, "fire", False])
def test_dashed_lines(choice: Any) -> None:
    """AMB-27: next door for all, for fire alone, for nothing."""
    sit = situation(dashed_lines_adjacent=choice)
    geo = sit.geo
    dashed = [
        (area, there)
        for area in geo.names
        for there in geo.map.neighbours(area)
        if there not in geo.solid[area] and area in geo.land_set and there in geo.land_set
    ]
    assert dashed
    area, there = dashed[0]
    assert (there in geo.next_to[area]) == (choice is not False)
    assert (there in geo.aware[area]) == (choice is True)
    assert there not in geo.solid[area]
    counter = garrison(sit, there, inside=False, face_down=True)
    british(sit, area, "wood-platoon")
    run(activate_near(sit, area), [6] if choice is True else [])
    assert sit.units[counter].face_down == (choice is not True)


@pytest.mark.finding("G-19")
@pytest.mark.rule("ST-H2H-13")
@pytest.mark.parametrize(
    ("choice", "ours", "theirs"),
    [
        ("both", {"british_wounded"}, {"german_wounded"}),
        ("british", {"british_wounded"}, set()),
        ("printed", {"wounded"}, {"wounded"}),
        ("no_bonus", set(), set()),
    ],
)
def test_wounded_leaders_in_hand_to_hand(choice: str, ours: set[str], theirs: set[str]) -> None:
    """AMB-19."""
    for wounded, wanted in (("wood", ours), ("hickman", theirs)):
        sit = situation(5, "hand_to_hand", wounded_leader_h2h=choice)
        british(sit, "N1", "wood-platoon", "wood")
        german(sit, "N1", "hickman")
        garrison(sit, "N1", inside=False)
        sit.change(wounded, wounded=True)
        fight = gather(sit, "N1")
        assert fight
        given = set(fight_given(sit, fight))
        assert {name for name in given if "wounded" in name} == wanted
        led = {"british_leader", "german_leader"} & given
        assert len(led) == (1 if choice == "no_bonus" else 2)


@pytest.mark.finding("G-19")
@pytest.mark.rule("ST-LDR-01", "ST-LDR-10")
def test_leaders_alone_that_lose_sp() -> None:
    """AMB-39."""
    for choice, dice, alive in (("each", [1, 1], 2), ("one", [1, 1], 2), ("killed", [], 0)):
        sit = situation(leaders_alone_loss=choice)
        british(sit, "N1", "howard", "wood")
        run(leaders_lose(sit, "british", Target("N1", ("howard", "wood")), 1), dice)
        assert sum(sit.units[id].status == "map" for id in ("howard", "wood")) == alive


@pytest.mark.finding("G-19")
@pytest.mark.rule("ST-VIC-02", "ST-VIC-03")
def test_control_of_a_bridge_where_both_stand() -> None:
    """AMB-58: who was there alone last, or who came in last."""
    for choice, first, last, held in (
        ("alone", "british", "german", True),
        ("alone", "german", "british", False),
        ("last_in", "british", "german", False),
        ("last_in", "german", "british", True),
    ):
        sit = situation(16, "hand_to_hand", control=choice)
        for side in (first, last):
            if side == "british":
                british(sit, "PB", "wood-platoon")
            else:
                german(sit, "PB", "infantry-01")
            sit.entered = {**sit.entered, "PB": side}
        assert counts(sit)["pegasus_bridge_intact"] == held


@pytest.mark.finding("G-19")
@pytest.mark.rule("ST-GAR-05")
def test_garrisons_that_turn_up_on_turn_5() -> None:
    """AMB-26."""
    for choice, dice in ((False, []), (True, [2])):
        sit = situation(5, turn_5_roll=choice)
        counter = garrison(sit, "B4", face_down=True)
        run(activate_all(sit), dice)
        assert sit.units[counter].no_opportunity_fire == (5 if choice else 0)


@pytest.mark.finding("G-19")
@pytest.mark.rule("ST-MGF-04", "ST-OPF-01")
def test_an_mg_in_opportunity_fire() -> None:
    """AMB-128: the units that did not move."""
    for choice, hit in (("movers", False), ("all", True)):
        sit = situation(3, mg_opportunity_fire=choice)
        garrison(sit, "B3")
        british(sit, "N7", "wood-platoon", "sapper-2")
        run(german_opportunity_fire(sit, ("sapper-2",)), [6])
        assert sit.units["sapper-2"].suppressed or sit.units["sapper-2"].status == "dead"
        standing = sit.units["wood-platoon"]
        assert (standing.suppressed or standing.lost > 0) == hit
        ours = situation(8, "german_movement", mg_opportunity_fire=choice)
        british(ours, "B3", "wood-platoon", inside=True)
        german(ours, "N7", "infantry-01", "infantry-02")
        answers = [["mg-2+wood-platoon"]]
        run(british_opportunity_fire(ours, ("infantry-02",)), [6], answers)
        assert (ours.units["infantry-01"].lost > 0 or ours.units["infantry-01"].suppressed) == hit


@pytest.mark.finding("G-19")
@pytest.mark.rule("ST-GLI-25", "ST-H2H-09", "ST-GRE-06")
def test_a_vehicle_as_cover() -> None:
    """AMB-129: for fire alone, as printed, or for grenades and hand-to-hand combat too."""
    for choice, covered in (("fire", False), ("all", True)):
        sit = situation(5, "hand_to_hand", vehicle_cover=choice)
        sit.place_vehicle("N7")
        british(sit, "N7", "wood-platoon")
        german(sit, "N7", "infantry-01")
        sit.entered = {**sit.entered, "N7": "british"}
        fight = gather(sit, "N7")
        assert fight and ("british_entered_cover" in fight_given(sit, fight)) == covered
        column = grenade_given(sit, sit.units["wood-platoon"], "N7", False)["at"]
        assert column == ("same_obstructed" if covered else "same_open")
        target = Target("N7", ("infantry-01",))
        firers = [sit.units["wood-platoon"]]
        assert "obstructed" in fire_given(sit, firers, target, opportunity=False)


@pytest.mark.finding("G-19")
@pytest.mark.rule("ST-H2H-16", "ST-H2H-21")
def test_leaders_of_a_side_that_is_eliminated() -> None:
    """AMB-130."""
    for choice, dice, to, alive in (("killed", [1], [], False), ("roll", [1, 1], ["N2"], True)):
        sit = situation(5, "hand_to_hand", leaders_with_e=choice)
        british(sit, "N1", "sapper-1", "wood")
        german(sit, "N1", "infantry-01", "infantry-02")
        run(combat(sit, "N1"), dice, to)
        assert sit.units["sapper-1"].status == "dead"
        assert (sit.units["wood"].status == "map") == alive


@pytest.mark.finding("G-19")
@pytest.mark.rule("ST-MOV-05")
def test_how_many_weapons_a_unit_carries() -> None:
    """AMB-132."""
    for choice, takes in ((False, True), (True, False)):
        sit = situation(one_weapon_per_unit=choice)
        british(sit, "EF", "wood-platoon", "fox-platoon")
        give(sit, "piat-1", "wood-platoon")
        give(sit, "gammon-1", "fox-platoon")
        sit.change_weapon("gammon-1", carrier="")
        legal = {each.id for each in loads(sit, sit.units["wood-platoon"])}
        assert ("take gammon-1" in legal) == takes


@pytest.mark.finding("G-19")
@pytest.mark.rule("ST-VIC-11")
def test_what_schmidt_earns_who_slipped_away() -> None:
    """AMB-120."""
    for choice, vp in (("captured", 1), ("held", 0)):
        sit = situation(9, schmidt_vp=choice)
        german(sit, "LP", "schmidt")
        british(sit, "LP", "wood")
        run(capture_schmidt(sit, "LP", "wood"))
        assert counts(sit)["schmidt"] == vp


@pytest.mark.finding("G-19")
@pytest.mark.rule("ST-BRN-05", "ST-TNK-04", "ST-MOV-14")
def test_the_enemy_in_the_entry_area_costs_each_stack_one_more() -> None:
    """AMB-145."""
    for enemy in (False, True):
        sit = situation(9)
        sit.british_force, sit.british_turn = "A", 9
        if enemy:
            german(sit, "RAN", "infantry-01", suppressed=True)
        for unit in arriving(sit, "A"):
            sit.change(unit, status="waiting")
        for weapon in ("piat-2", "gammon-1"):
            sit.change_weapon(weapon, status="waiting")
        run(arrivals(sit), answers=["coffin-1", "coffin-2", ["coffin-1", "coffin-2"]])
        assert sit.spent["coffin-1"] == int(enemy)
        assert sit.spent["coffin-3"] == 1 + int(enemy)
