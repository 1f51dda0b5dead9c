"""What may be wrong in a position, each fault with its exact words and place."""

from __future__ import annotations

from typing import Any

import pytest
from positions import BOARD, GERMAN, GUN, LMG, TANK, UNIT, checked, data, fault, faults, position
from sentences import Tells

from asl_pbcg.campaign.entry.position_check import check_position, check_raw
from asl_pbcg.campaign.entry.position_raw import MAX_FAULTS, Raw
from asl_pbcg.campaign.module.catalogue import load_catalogue
from asl_pbcg.campaign.position import FORMAT, CGDate, Control, Position
from asl_pbcg.kernel.errors import FaultsError, PBCGError


def unit(**keys: Any) -> dict[str, Any]:
    return UNIT | keys


CASES: dict[str, dict[str, Any]] = {
    # Keys and types
    "unknown key": {"unitz": []},
    "far key": {"qqqq": []},
    "unknown key of an entry": {"units": [unit(statuss=["broken"])]},
    "missing key": {"units": [{"id": "b1", "side": "british", "at": "X18"}]},
    "empty key": {"units": [unit(type=" ")]},
    "no list": {"units": {"b1": 1}},
    "no entry": {"gliders": ["X22"]},
    "number for text": {"units": [unit(id=7)]},
    "list for text": {"units": [unit(at=["X18"])]},
    "text for list": {"units": [unit(status="broken")]},
    "text for number": {"turn": "five"},
    "truth for number": {"turn": True},
    "number out of range": {"turn": 100},
    "text for truth": {"fortifications": [{"kind": "wire", "at": "W21", "hidden": "yes"}]},
    "control no mapping": {"control": ["X18"]},
    "control of nobody": {"control": {"french": []}},
    "control no list": {"control": {"german": "X18"}},
    "casualty vp": {"casualty_vp": {"german": -1}},
    "unprintable": {"title": "a\x07b"},
    "too long": {"title": "x" * 121},
    "line break": {"title": "a\nb"},
    "excel escape": {"title": "_x0041_"},
    "comma in an id": {"units": [unit(id="a,b")]},
    "twice in a list": {"units": [unit(status=["broken", "broken"])]},
    # Words
    "no date": {"date": None},
    "unknown date": {"date": "Night IV"},
    "no format": {"format": None},
    "other format": {"format": "pbcg-position/2"},
    "unknown side": {"units": [unit(side="french")]},
    "unknown kind": {"fortifications": [{"kind": "trensh", "at": "W21"}]},
    "unknown status": {"units": [unit(status=["broke"])]},
    "unknown state": {"gliders": [{"at": "X22", "state": "lost"}]},
    # Places
    "unknown hex": {"units": [unit(at="Z99")]},
    "small letters": {"control": {"british": ["x81"]}},
    "no hex at all": {"units": [unit(at="the café")]},
    "out of play": {"units": [unit(at="A25")]},
    "no such level": {"units": [unit(at="X18/0")]},
    "a level without building": {"units": [unit(at="W21/1")]},
    "a level of rubble": {
        "terrain": [{"kind": "rubble-stone", "at": "X18"}],
        "control": {"german": ["X18/1"]},
    },
    "no pillbox": {"units": [unit(at="Z21/pillbox")]},
    "a vehicle upstairs": {"vehicles": [TANK | {"at": "X18/1"}]},
    "a trench upstairs": {"fortifications": [{"kind": "trench", "at": "X18/1"}]},
    "unknown entry area": {"units": [unit(at="off-map Q1")]},
    "enemy entry area": {"units": [unit(at="off-map A7")]},
    "off map where only the map is meant": {"control": {"british": ["off-map Z28"]}},
    "a hexside off the map": {"vehicles": [TANK | {"vca": "Y99/Z17"}]},
    "no hexside": {"vehicles": [TANK | {"bypass": "Y17/Y19"}]},
    "exited on the map": {"units": [GERMAN | {"status": ["exited"]}]},
    "climbing elsewhere": {"units": [unit(climbing_to="Z15/1")]},
    "captured with nobody aboard": {
        "vehicles": [TANK | {"side": "british", "status": ["captured"]}]
    },
    "climbing to the next hex": {"units": [unit(at="O16", climbing_to="N16")]},
    "climbing where no building is": {"units": [unit(at="Y17", climbing_to="Y17/1")]},
    "climbing nowhere": {"units": [unit(at="Z15/1", climbing_to="Z15/1")]},
    # Control
    "both sides": {"control": {"british": ["X18"], "german": ["X18"]}},
    "both sides in a pillbox": {
        "control": {"british": ["Z21"], "german": ["Z21/pillbox"]},
        "fortifications": [{"kind": "pillbox", "at": "Z21"}],
    },
    "controlled twice": {"control": {"british": ["X18", "Z15", "X18"]}},
    "no strategic location": {"control": {"british": ["W21"]}},
    "a wrecked glider": {
        "control": {"british": ["X22"]},
        "gliders": [{"at": "X22", "state": "wrecked"}],
    },
    "a broken gun": {
        "control": {"german": ["W21"]},
        "equipment": [GUN | {"at": "W21", "status": ["malfunctioned"]}],
    },
    "a hooked gun": {
        "control": {"german": ["W21"]},
        "equipment": [GUN | {"at": "W21", "status": ["hooked"]}],
    },
    "a mobile vehicle": {"control": {"german": ["Y17"]}, "vehicles": [TANK]},
    "an abandoned vehicle": {
        "control": {"german": ["Y17"]},
        "vehicles": [TANK | {"status": ["abandoned"]}],
    },
    "a vehicle without ma": {
        "control": {"german": ["Y17"]},
        "vehicles": [TANK | {"status": ["immobilized", "ma-disabled"]}],
    },
    # Ids and types
    "duplicate id": {"units": [UNIT], "equipment": [LMG | {"id": "b1"}]},
    "unknown unit type": {"units": [unit(type="6-4-9")]},
    "unknown weapon": {"equipment": [LMG | {"type": "Bren LMGG"}]},
    "unknown vehicle": {"vehicles": [TANK | {"type": "35-S 739"}]},
    "another name": {"vehicles": [TANK | {"type": "Kfz 1 (no AAMG)"}]},
    "a dismantled weapon": {"equipment": [LMG | {"type": "dm HMG"}]},
    "another name of a type of the other side": {"equipment": [LMG | {"type": "5cm PaK 38"}]},
    "type of the other side": {"units": [unit(type="4-6-7")]},
    "a captured type without status": {"equipment": [GUN | {"side": "british"}]},
    "captured from nobody": {"equipment": [LMG | {"type": "PIAT", "status": ["captured"]}]},
    "a weapon among the units": {"units": [unit(type="LMG")]},
    "a tank among the equipment": {"equipment": [GUN | {"type": "Marder"}]},
    "unknown formation": {"units": [unit(formation="ox and bucks")]},
    "formation of the other side": {"units": [unit(formation="gr-736")]},
    # Possession
    "possession of something unknown": {"units": [unit(possesses=["lmg-2"])], "equipment": [LMG]},
    "possession of a vehicle": {"units": [unit(possesses=["v1"])], "vehicles": [TANK]},
    "possessed twice": {
        "units": [unit(possesses=["lmg-1"]), unit(id="b2", possesses=["lmg-1"])],
        "equipment": [LMG],
    },
    "possessor elsewhere": {"units": [unit(possesses=["lmg-1"], at="X18/1")], "equipment": [LMG]},
    "possession of enemy equipment": {
        "units": [unit(possesses=["lmg-1"])],
        "equipment": [LMG | {"side": "german"}],
    },
    "towed but not hooked": {
        "vehicles": [TANK | {"tows": ["gun"], "at": "X20"}],
        "equipment": [GUN],
    },
    "towed from elsewhere": {
        "vehicles": [TANK | {"tows": ["gun"]}],
        "equipment": [GUN | {"status": ["hooked"]}],
    },
    # Status
    "a wounded squad": {"units": [unit(status=["wounded"])]},
    "a German walking wounded": {"units": [GERMAN | {"status": ["walking-wounded"]}]},
    "a heroic squad": {"units": [unit(status=["heroic"])]},
    "a prisoner without guard": {"units": [unit(status=["prisoner"])]},
    "a guard without prisoner": {"units": [unit(guarded_by="g1"), GERMAN | {"at": "X18"}]},
    "a guard of his own side": {
        "units": [unit(guarded_by="b2", status=["prisoner"]), unit(id="b2")]
    },
    "a guard elsewhere": {"units": [unit(guarded_by="g1", status=["prisoner"]), GERMAN]},
    "aboard of nothing": {"units": [unit(aboard="v2")], "vehicles": [TANK]},
    "aboard elsewhere": {"units": [GERMAN | {"aboard": "v1"}], "vehicles": [TANK]},
    "a hooked support weapon": {"equipment": [LMG | {"status": ["hooked"]}]},
    "a dismantled LMG": {"equipment": [LMG | {"status": ["dm"]}]},
    # Fortifications, terrain, WW box
    "a trench with a size": {"fortifications": [{"kind": "trench", "at": "W21", "size": 1}]},
    "a large foxhole": {"fortifications": [{"kind": "foxhole", "at": "W21", "size": 4}]},
    "a trench with a covered arc": {
        "fortifications": [{"kind": "trench", "at": "Z21", "ca": "Y22/Z22"}]
    },
    "a blaze with a side": {"terrain": [{"kind": "blaze", "at": "V13", "side": "german"}]},
    "a wreck of nothing": {
        "terrain": [{"kind": "wreck", "at": "V13", "type": "Tiger", "side": "german"}]
    },
    # What no piece can be: F-12
    "an Armor Leader on foot": {"units": [GERMAN | {"type": "9-1 Armor Leader"}]},
    "broken and berserk": {"units": [unit(status=["broken", "berserk"])]},
    "a leader in the ww box": {"ww_box": [{"type": "9-2", "count": 1}]},
}


def test_another_kind_of_file_is_told_in_one_sentence() -> None:
    with pytest.raises(PBCGError) as refused:
        check_raw(Raw("changes.json", data(format="pbcg-changes/1")), BOARD)
    assert not isinstance(refused.value, FaultsError)
    assert "pbcg-changes/1" in str(refused.value)


@pytest.mark.parametrize("name", CASES)
def test_each_fault_has_its_words(tells: Tells, name: str) -> None:
    tells(fault(**CASES[name]))


@pytest.mark.finding("F-12")
def test_what_may_be_a_slip_is_remarked() -> None:
    """F-12: a Weapon the catalogue is not sure of, and factors that only house rule C-48 has."""
    tank = TANK | {"status": ["bmg-malfunctioned"]}
    mines = {"kind": "ap-mines", "at": "W21", "owner": "british", "size": 7}
    said = checked(vehicles=[tank], fortifications=[mines]).remarks
    assert any("v1" in each and "no BMG" in each for each in said)
    assert any("7 factors" in each and "6, 8, 12" in each for each in said)
    bridge = checked(fortifications=[mines | {"at": "Y19", "size": 12}]).remarks
    assert any("Y19" in each and "B28.1" in each for each in bridge)
    fine = checked(vehicles=[TANK | {"status": ["cmg-malfunctioned"]}], fortifications=[])
    assert not fine.remarks


@pytest.mark.finding("G-10")
@pytest.mark.parametrize(
    ("part", "rule"),
    [
        ({"kind": "foxhole", "at": "Y18", "size": 1}, "B27.1"),
        ({"kind": "trench", "at": "Q17"}, "B27.1"),
        ({"kind": "wire", "at": "V22"}, "B26.1"),
        ({"kind": "wire", "at": "A19"}, "B26.1"),
        ({"kind": "pillbox", "at": "M12"}, "B30.1"),
        ({"kind": "at-mines", "at": "Y18", "size": 3, "hidden": True}, "B28.53"),
        ({"kind": "at-mines", "at": "Y18", "size": 3}, ""),
        ({"kind": "ap-mines", "at": "Y18", "size": 6}, "B28.1"),
        ({"kind": "minefield", "at": "V22"}, "B28.1"),
        ({"kind": "minefield", "at": "Y18"}, ""),
        ({"kind": "foxhole", "at": "II13", "size": 1}, "B27.1"),
        ({"kind": "foxhole", "at": "Y20", "size": 1}, "B27.1"),
        ({"kind": "foxhole", "at": "W23", "size": 1}, "Water Obstacle"),
        ({"kind": "ap-mines", "at": "W23", "size": 6}, "Water Obstacle"),
        ({"kind": "ap-mines", "at": "II13", "size": 6}, ""),
        ({"kind": "foxhole", "at": "K11", "size": 1}, ""),
        ({"kind": "trench", "at": "W21"}, ""),
    ],
)
def test_a_fortification_where_it_cannot_be_is_remarked(part: dict[str, Any], rule: str) -> None:
    """F-10 too."""
    said = checked(fortifications=[part | {"owner": "british"}]).remarks
    found = [each for each in said if part["at"] in each]
    assert len(found) == (1 if rule else 0)
    assert all(rule in each for each in found)


def test_a_weapon_malfunctioned_and_disabled_and_a_strength_that_is_none_are_remarked(
    tells: Tells,
) -> None:
    tank = TANK | {"status": ["ma-malfunctioned", "ma-disabled", "cmg-malfunctioned"]}
    pillbox = {"kind": "pillbox", "at": "Z21", "owner": "german", "strength": "1+3"}
    both, strength = checked(vehicles=[tank], fortifications=[pillbox]).remarks
    tells(both, "MA", "v1", "9.6142")
    tells(strength, "Z21", "1+3", "1+3+5")
    assert not checked(fortifications=[pillbox | {"strength": "1+5+7"}]).remarks


def test_an_armor_leader_beside_the_crew_that_abandoned_its_vehicle_is_no_fault() -> None:
    leader = GERMAN | {"type": "9-1 Armor Leader"}
    crew = GERMAN | {"id": "g2", "type": "1-2-7"}
    assert position(units=[leader, crew])


@pytest.mark.finding("F-12")
def test_a_weapon_that_a_vehicle_surely_lacks_is_a_fault() -> None:
    corrected = load_catalogue().with_corrections({"german": {"35-S 739(f)": {"mg": ["CMG"]}}})
    raw = Raw("position", data(vehicles=[TANK | {"status": ["bmg-disabled"]}]))
    with pytest.raises(FaultsError, match="has no BMG"):
        check_raw(raw, BOARD, corrected)


def test_every_fault_is_told_at_once_in_the_order_of_the_file() -> None:
    found = faults(
        vehicles=[TANK | {"type": "Tiger"}],
        units=[unit(at="Z99"), unit(type="6-4-9", status=["sad"])],
        control={"german": ["Q99"], "british": ["W21", "Z15", "Z15"]},
        date="noon",
        unitz=[],
    )
    places = [said.split(": ")[0] for said in found]
    assert places == [
        "unitz",
        "date",
        "control, british, entry 1",
        "control, british, entry 3",
        "control, german, entry 1",
        "units, entry 1 (b1), at",
        "units, entry 2 (b1), status",
        "units, entry 2 (b1), type",
        "vehicles, entry 1 (v1), type",
    ]


def test_a_hex_whose_entry_could_not_be_read_is_not_called_empty(tells: Tells) -> None:
    broken = {"kind": "trensh", "at": "W21"}
    found = faults(fortifications=[broken], control={"british": ["W21"]})
    assert len(found) == 1
    tells(found[0], "entry 1")


def test_a_file_full_of_faults_is_not_listed_to_its_end(tells: Tells) -> None:
    found = faults(units=[{}] * 1000)
    assert len(found) == MAX_FAULTS
    tells(found[-1], "right")


def test_nothing_of_a_faulty_position_is_taken(tells: Tells) -> None:
    with pytest.raises(FaultsError) as caught:
        check_raw(Raw("end.yaml", data(units=[UNIT, unit(id="b2", at="Z99")])), BOARD)
    tells(caught, "b2", "Z99")


@pytest.mark.parametrize("value", [None, [], "x", 3, {}, {"a": 1}, [{"format": FORMAT}]])
def test_what_is_no_position_gets_one_sentence(tells: Tells, value: object) -> None:
    with pytest.raises(PBCGError) as caught:
        check_raw(Raw("end.yaml", value), BOARD)
    tells(str(caught.value), "pbcg-position/1")


def test_the_shortest_position() -> None:
    assert position() == Position(format=FORMAT, date=CGDate.NIGHT_1)


def test_empty_lists_and_values_count_as_not_given() -> None:
    assert position(units=None, control=None, title="", notes=None, gliders=[]) == position()


def test_text_loses_the_space_at_its_ends() -> None:
    assert position(title=" Night I\u00a0 at last ").title == "Night I  at last"


def test_a_position_the_program_made_is_checked_as_a_file_is(tells: Tells) -> None:
    good = position(units=[UNIT], control={"british": ["X18"]})
    assert check_position(good, BOARD).remarks == ()
    bad = Position(format=FORMAT, date=CGDate.DUSK, control=Control(british=("W21",)))
    with pytest.raises(FaultsError) as refused:
        check_position(bad, BOARD)
    tells(refused, "1 fault")


# What is right


@pytest.mark.parametrize("at", ["off-map A7", "off-map J0", "off-map U1", "off-map KK1"])
def test_what_waits_off_map_stands_at_an_entry_area(at: str) -> None:
    found = position(units=[GERMAN | {"at": at, "status": ["exited"]}])
    assert found.units[0].location.entry == at.removeprefix("off-map ")


def test_both_sides_may_control_locations_of_one_hex() -> None:
    found = position(control={"british": ["Z15/1"], "german": ["Z15"]})
    assert found.control == Control(british=("Z15/1",), german=("Z15",))


def test_a_pillbox_and_the_trench_around_it_are_two_locations() -> None:
    works = [{"kind": "pillbox", "at": "Z21"}, {"kind": "trench", "at": "Z21"}]
    found = position(control={"british": ["Z21"], "german": ["Z21/pillbox"]}, fortifications=works)
    assert found.control.german == ("Z21/pillbox",)


def test_captured_equipment_takes_the_name_its_own_side_gives_it() -> None:
    captured = GUN | {"side": "british", "status": ["captured"], "at": "X18"}
    found = position(units=[unit(possesses=["gun"])], equipment=[captured])
    assert found.equipment[0].maker == "german"


def test_a_prisoner_and_his_guard() -> None:
    prisoner = unit(status=["prisoner"], guarded_by="g1")
    assert position(units=[prisoner, GERMAN | {"at": "X18"}]).units[0].guarded_by == "g1"


# What is worth a second look


def test_a_level_the_board_does_not_know_is_remarked() -> None:
    found = checked(units=[unit(at="F1/1")], control={"british": ["F1/1", "Z15/1", "Z15/3"]})
    assert found.remarks == (
        "The board does not say whether the building has this level; the printed map decides: "
        "F1/1, Z15/3.",
    )


def test_a_unit_alone_in_an_enemy_location_is_remarked(tells: Tells) -> None:
    found = checked(units=[UNIT], control={"german": ["X18"]})
    (remark,) = found.remarks
    tells(remark, "b1", "X18", "German", "A26.11")


def test_a_unit_alone_where_nobody_controls_is_remarked(tells: Tells) -> None:
    found = checked(units=[UNIT, unit(id="b2")])
    (remark,) = found.remarks
    tells(remark, "Nobody", "X18", "b1", "b2", "A26.11")


@pytest.mark.parametrize("status", ["broken", "unarmed", "berserk"])
def test_a_unit_that_cannot_control_is_not_remarked(status: str) -> None:
    assert checked(units=[unit(status=[status])]).remarks == ()


@pytest.mark.parametrize(("status", "alone"), [("broken", False), ("unarmed", True)])
def test_an_armed_enemy_in_a_location_leaves_nobody_alone(status: str, alone: bool) -> None:
    """A broken enemy keeps a side from gaining Control, an unarmed one does not (A26.11)."""
    assert checked(units=[UNIT, GERMAN | {"at": "X18"}]).remarks == ()
    enemy = GERMAN | {"at": "X18", "status": [status]}
    assert bool(checked(units=[UNIT, enemy]).remarks) is alone


def test_who_stands_in_water_is_remarked(tells: Tells) -> None:
    found = checked(units=[unit(at="N24")], vehicles=[TANK | {"at": "O24"}])
    (remark,) = found.remarks
    tells(remark, "Water Obstacle", "b1", "N24", "v1", "O24")


def test_the_pillbox_may_be_controlled_by_the_name_of_its_hex() -> None:
    found = checked(
        units=[unit(at="Z21")],
        control={"british": ["Z21/pillbox"]},
        fortifications=[{"kind": "pillbox", "at": "Z21"}],
    )
    assert found.remarks == ()


@pytest.mark.finding("G-02")
@pytest.mark.rule("9.601-a")
@pytest.mark.parametrize(
    ("at", "goal"),
    [("O16", "O15"), ("O15", "O16"), ("N15", "O15"), ("O15", "N15"), ("Z15", "Z15/1")],
)
def test_who_climbs_a_cliff_is_told_of(at: str, goal: str) -> None:
    found = checked(units=[unit(at=at, climbing_to=goal)])
    assert found.position.units[0].climbing_to == goal


@pytest.mark.finding("G-15")
@pytest.mark.parametrize(
    "manned",
    [
        {"vehicles": [{"status": ["captured", "abandoned"]}]},
        {"vehicles": [{"status": ["captured"]}], "units": [unit(aboard="v1")]},
    ],
)
def test_a_captured_vehicle_is_manned_or_abandoned(manned: dict[str, Any]) -> None:
    at = {"at": UNIT["at"], "side": "british"}
    vehicles = [TANK | at | each for each in manned["vehicles"]]
    assert checked(vehicles=vehicles, units=manned.get("units", [])).position.vehicles
