"""What may be wrong in a position, each fault with its exact words and place."""

from __future__ import annotations

from typing import Any

import pytest
from positions import BOARD, GERMAN, GUN, LMG, TANK, UNIT, checked, data, fault, faults, position
from sentences import Tells

from asl_pbcg.campaign.catalogue import load_catalogue
from asl_pbcg.campaign.position import FORMAT, CGDate, Control, Position
from asl_pbcg.campaign.position_check import check_position, check_raw
from asl_pbcg.campaign.position_raw import MAX_FAULTS, Raw
from asl_pbcg.kernel.errors import FaultsError, PBCGError

NIGHT = "night-1, night-2, night-3, dawn, day-1, day-2, day-3, dusk"
NOTHING = (
    "is no Strategic Location (9.2): no building, Rubble, bridge, entrenchment, pillbox, landed "
    "glider, functioning Gun or Immobile vehicle with functioning MA is there"
)
KNOWN = (
    "format, date, title, control, gliders, fortifications, terrain, units, equipment, vehicles, "
    "casualty_vp, ww_box, moved_first, turn, massacre, eliminated, notes"
)


def unit(**keys: Any) -> dict[str, Any]:
    return UNIT | keys


CASES: dict[str, tuple[dict[str, Any], str]] = {
    # Keys and types
    "unknown key": ({"unitz": []}, "unitz: is no key of a position; nearest: units"),
    "far key": ({"qqqq": []}, f"qqqq: is no key of a position; known are: {KNOWN}"),
    "unknown key of an entry": (
        {"units": [unit(statuss=["broken"])]},
        'units, entry 1 (id "b1"): "statuss" is no key here; nearest: status',
    ),
    "missing key": (
        {"units": [{"id": "b1", "side": "british", "at": "X18"}]},
        'units, entry 1 (id "b1"), type: is missing',
    ),
    "empty key": ({"units": [unit(type=" ")]}, 'units, entry 1 (id "b1"), type: is missing'),
    "no list": ({"units": {"b1": 1}}, 'units: "keys and values" must be a list of entries'),
    "no entry": (
        {"gliders": ["X22"]},
        'gliders, entry 1: "X22" must have keys and values, as {at: ..., state: ...}',
    ),
    "number for text": (
        {"units": [unit(id=7)]},
        'units, entry 1 (id "7"), id: "7" must be text: write "7" in quotes',
    ),
    "list for text": (
        {"units": [unit(at=["X18"])]},
        'units, entry 1 (id "b1"), at: "a list" must be text',
    ),
    "text for list": (
        {"units": [unit(status="broken")]},
        'units, entry 1 (id "b1"), status: "broken" must be a list: write [broken]',
    ),
    "text for number": ({"turn": "five"}, 'turn: "five" must be a whole number from 1 to 99'),
    "truth for number": ({"turn": True}, 'turn: "true" must be a whole number from 1 to 99'),
    "number out of range": ({"turn": 100}, 'turn: "100" must be from 1 to 99'),
    "text for truth": (
        {"fortifications": [{"kind": "wire", "at": "W21", "hidden": "yes"}]},
        'fortifications, entry 1, hidden: "yes" must be true or false',
    ),
    "control no mapping": (
        {"control": ["X18"]},
        'control: "a list" must have the keys british and german',
    ),
    "control of nobody": (
        {"control": {"french": []}},
        'control: "french" is no side: the keys are british and german',
    ),
    "control no list": (
        {"control": {"german": "X18"}},
        'control, german: "X18" must be a list of Locations, as [Z15, Z15/1]',
    ),
    "casualty vp": (
        {"casualty_vp": {"german": -1}},
        'casualty_vp, german: "-1" must be from 0 to 9999',
    ),
    "unprintable": (
        {"title": "a\u0007b"},
        'title: "a\u0007b" holds a character that cannot be printed (U+0007)',
    ),
    "too long": (
        {"title": "x" * 121},
        f'title: "{"x" * 57}..." is too long: 120 characters are the most',
    ),
    "line break": (
        {"title": "a\nb"},
        'title: "a b" holds a character that cannot be printed (U+000A)',
    ),
    "excel escape": (
        {"title": "_x0041_"},
        'title: "_x0041_" holds _x and four digits, which Excel reads as another character',
    ),
    "comma in an id": (
        {"units": [unit(id="a,b")]},
        'units, entry 1 (id "a,b"), id: "a,b" must not hold a comma or semicolon',
    ),
    "twice in a list": (
        {"units": [unit(status=["broken", "broken"])]},
        'units, entry 1 (id "b1"), status: "broken" stands there twice',
    ),
    # Words
    "no date": ({"date": None}, f"date: is missing: choose the CG Date just played: {NIGHT}"),
    "unknown date": (
        {"date": "Night I"},
        f'date: "Night I" is no date; it must be one of: {NIGHT}',
    ),
    "no format": ({"format": None}, "format: is missing: it must be pbcg-position/1"),
    "other format": (
        {"format": "pbcg-position/2"},
        'format: "pbcg-position/2" is not read: it must be pbcg-position/1',
    ),
    "unknown side": (
        {"units": [unit(side="french")]},
        'units, entry 1 (id "b1"), side: "french" is no side; it must be one of: british, german',
    ),
    "unknown kind": (
        {"fortifications": [{"kind": "trensh", "at": "W21"}]},
        'fortifications, entry 1, kind: "trensh" is no kind; it must be one of: foxhole, trench, '
        "pillbox, wire, ap-mines, at-mines, minefield",
    ),
    "unknown status": (
        {"units": [unit(status=["broke"])]},
        'units, entry 1 (id "b1"), status: "broke" is no status; nearest: broken',
    ),
    "unknown state": (
        {"gliders": [{"at": "X22", "state": "lost"}]},
        'gliders, entry 1, state: "lost" is no state; it must be one of: landed, wrecked',
    ),
    # Places
    "unknown hex": (
        {"units": [unit(at="Z99")]},
        'units, entry 1 (id "b1"), at: "Z99" is no hex of the map; nearest: Z9, Z19',
    ),
    "small letters": (
        {"control": {"british": ["x81"]}},
        'control, british, entry 1: "X81" is no hex of the map; nearest: X8, X1, X28',
    ),
    "no hex at all": (
        {"units": [unit(at="the café")]},
        'units, entry 1 (id "b1"), at: "the café" is no hex of the map: hexes are A1 to TT28',
    ),
    "out of play": (
        {"units": [unit(at="A25")]},
        'units, entry 1 (id "b1"), at: "A25" is out of play: it lies under a box in a corner of '
        "the map",
    ),
    "no such level": (
        {"units": [unit(at="X18/0")]},
        'units, entry 1 (id "b1"), at: "X18/0" is not a Location: write X18 for ground level, '
        "X18/1 for first level, X18/pillbox inside a pillbox",
    ),
    "a level without building": (
        {"units": [unit(at="W21/1")]},
        'units, entry 1 (id "b1"), at: "W21/1" has a level, but there is no building in W21: '
        "write W21",
    ),
    "a level of rubble": (
        {
            "terrain": [{"kind": "rubble-stone", "at": "X18"}],
            "control": {"german": ["X18/1"]},
        },
        'control, german, entry 1: "X18/1" has a level, but the building in X18 no longer stands: '
        "write X18",
    ),
    "no pillbox": (
        {"units": [unit(at="Z21/pillbox")]},
        'units, entry 1 (id "b1"), at: "Z21/pillbox" says there is a pillbox in Z21: list it under '
        "fortifications",
    ),
    "a vehicle upstairs": (
        {"vehicles": [TANK | {"at": "X18/1"}]},
        'vehicles, entry 1 (id "v1"), at: "X18/1" cannot hold a vehicle: write X18',
    ),
    "a trench upstairs": (
        {"fortifications": [{"kind": "trench", "at": "X18/1"}]},
        'fortifications, entry 1, at: "X18/1" cannot hold a trench: write X18',
    ),
    "unknown entry area": (
        {"units": [unit(at="off-map Q1")]},
        'units, entry 1 (id "b1"), at: "off-map Q1" is no Entry Area; it must be one of: off-map '
        "A7, off-map J0, off-map U1, off-map KK1, off-map Z28, off-map TT14",
    ),
    "enemy entry area": (
        {"units": [unit(at="off-map A7")]},
        'units, entry 1 (id "b1"), at: "off-map A7" is no British Entry Area; it must be one of: '
        "off-map Z28, off-map TT14",
    ),
    "off map where only the map is meant": (
        {"control": {"british": ["off-map Z28"]}},
        'control, british, entry 1: "off-map Z28" must be on the map',
    ),
    "a hexside off the map": (
        {"vehicles": [TANK | {"vca": "Y99/Z17"}]},
        'vehicles, entry 1 (id "v1"), vca: "Y99/Z17" names the hex Y99, which is no hex of the '
        "map; nearest: Y9, Y29, Y19",
    ),
    "no hexside": (
        {"vehicles": [TANK | {"bypass": "Y17/Y19"}]},
        'vehicles, entry 1 (id "v1"), bypass: "Y17/Y19" is no hexside or hexspine: write the two '
        "hexes beside it, as Y22/Z22",
    ),
    "exited on the map": (
        {"units": [GERMAN | {"status": ["exited"]}]},
        'units, entry 1 (id "g1"), status: "exited" needs an Entry Area as its place, for example '
        "off-map A7 (CG15)",
    ),
    "climbing elsewhere": (
        {"units": [unit(climbing_to="Z15/1")]},
        'units, entry 1 (id "b1"), climbing_to: "Z15/1" is neither in the hex of X18 nor across a '
        "Cliff hexside from it (B11.4)",
    ),
    "captured with nobody aboard": (
        {"vehicles": [TANK | {"side": "british", "status": ["captured"]}]},
        'vehicles, entry 1 (id "v1"), status: "captured" needs a crew or half-squad that mans it: '
        "give that unit this vehicle as aboard, or the vehicle the status abandoned (A21.22)",
    ),
    "climbing to the next hex": (
        {"units": [unit(at="O16", climbing_to="N16")]},
        'units, entry 1 (id "b1"), climbing_to: "N16" is neither in the hex of O16 nor across a '
        "Cliff hexside from it (B11.4)",
    ),
    "climbing where no building is": (
        {"units": [unit(at="Y17", climbing_to="Y17/1")]},
        'units, entry 1 (id "b1"), climbing_to: "Y17/1" has a level, but there is no building in '
        "Y17",
    ),
    "climbing nowhere": (
        {"units": [unit(at="Z15/1", climbing_to="Z15/1")]},
        'units, entry 1 (id "b1"), climbing_to: "Z15/1" is not one level above or below Z15/1',
    ),
    # Control
    "both sides": (
        {"control": {"british": ["X18"], "german": ["X18"]}},
        'control, german, entry 1: "X18" is Controlled by both sides: strike it out on one',
    ),
    "both sides in a pillbox": (
        {
            "control": {"british": ["Z21"], "german": ["Z21/pillbox"]},
            "fortifications": [{"kind": "pillbox", "at": "Z21"}],
        },
        'control, german, entry 1: "Z21/pillbox" is Controlled by both sides: strike it out on one',
    ),
    "controlled twice": (
        {"control": {"british": ["X18", "Z15", "X18"]}},
        'control, british, entry 3: "X18" stands there twice',
    ),
    "no strategic location": (
        {"control": {"british": ["W21"]}},
        f'control, british, entry 1: "W21" {NOTHING}',
    ),
    "a wrecked glider": (
        {"control": {"british": ["X22"]}, "gliders": [{"at": "X22", "state": "wrecked"}]},
        'control, british, entry 1: "X22" is no Strategic Location (9.2): the glider there is '
        "wrecked",
    ),
    "a broken gun": (
        {
            "control": {"german": ["W21"]},
            "equipment": [GUN | {"at": "W21", "status": ["malfunctioned"]}],
        },
        'control, german, entry 1: "W21" is no Strategic Location (9.2): the Gun there (gun) is '
        "malfunctioned",
    ),
    "a hooked gun": (
        {"control": {"german": ["W21"]}, "equipment": [GUN | {"at": "W21", "status": ["hooked"]}]},
        'control, german, entry 1: "W21" is no Strategic Location (9.2): the Gun there (gun) is '
        "hooked",
    ),
    "a mobile vehicle": (
        {"control": {"german": ["Y17"]}, "vehicles": [TANK]},
        'control, german, entry 1: "Y17" is no Strategic Location (9.2): the vehicle there (v1) is '
        "Mobile",
    ),
    "an abandoned vehicle": (
        {"control": {"german": ["Y17"]}, "vehicles": [TANK | {"status": ["abandoned"]}]},
        'control, german, entry 1: "Y17" is no Strategic Location (9.2): the vehicle there (v1) is '
        "Abandoned",
    ),
    "a vehicle without ma": (
        {
            "control": {"german": ["Y17"]},
            "vehicles": [TANK | {"status": ["immobilized", "ma-disabled"]}],
        },
        'control, german, entry 1: "Y17" is no Strategic Location (9.2): the vehicle there (v1) '
        "has no functioning MA",
    ),
    # Ids and types
    "duplicate id": (
        {"units": [UNIT], "equipment": [LMG | {"id": "b1"}]},
        'equipment, entry 1 (id "b1"), id: "b1" is used twice: first in units, entry 1',
    ),
    "unknown unit type": (
        {"units": [unit(type="6-4-9")]},
        'units, entry 1 (id "b1"), type: "6-4-9" is no British unit; nearest: 6-4-8, 1-4-9, 4-4-7',
    ),
    "unknown weapon": (
        {"equipment": [LMG | {"type": "Bren LMGG"}]},
        'equipment, entry 1 (id "lmg-1"), type: "Bren LMGG" is no British SW or Gun; nearest: LMG',
    ),
    "unknown vehicle": (
        {"vehicles": [TANK | {"type": "35-S 739"}]},
        'vehicles, entry 1 (id "v1"), type: "35-S 739" is no German vehicle; nearest: 35-S 739(f)',
    ),
    "another name": (
        {"vehicles": [TANK | {"type": "Kfz 1 (no AAMG)"}]},
        'vehicles, entry 1 (id "v1"), type: "Kfz 1 (no AAMG)" is called Kfz 1 here',
    ),
    "a dismantled weapon": (
        {"equipment": [LMG | {"type": "dm HMG"}]},
        'equipment, entry 1 (id "lmg-1"), type: "dm HMG" is called HMG here with status dm',
    ),
    "another name of a type of the other side": (
        {"equipment": [LMG | {"type": "5cm PaK 38"}]},
        'equipment, entry 1 (id "lmg-1"), type: "5cm PaK 38" is no British SW or Gun; '
        "known are: LMG, MMG, HMG, PIAT, FT, 51 MTR, 51 MTR (airborne), 57L AT",
    ),
    "type of the other side": (
        {"units": [unit(type="4-6-7")]},
        'units, entry 1 (id "b1"), type: "4-6-7" is a German type, but side is british',
    ),
    "a captured type without status": (
        {"equipment": [GUN | {"side": "british"}]},
        'equipment, entry 1 (id "gun"), type: "50L AT" is a German type: if the British have '
        "captured it, give it status captured",
    ),
    "captured from nobody": (
        {"equipment": [LMG | {"type": "PIAT", "status": ["captured"]}]},
        'equipment, entry 1 (id "lmg-1"), type: "PIAT" is a British type, so the British have not '
        "captured it: strike out captured",
    ),
    "a weapon among the units": (
        {"units": [unit(type="LMG")]},
        'units, entry 1 (id "b1"), type: "LMG" is no unit: it belongs under equipment',
    ),
    "a tank among the equipment": (
        {"equipment": [GUN | {"type": "Marder"}]},
        'equipment, entry 1 (id "gun"), type: "Marder" is no SW or Gun: it belongs under vehicles',
    ),
    "unknown formation": (
        {"units": [unit(formation="ox and bucks")]},
        'units, entry 1 (id "b1"), formation: "ox and bucks" is no formation; nearest: '
        "ox-and-bucks; it must be one of: ox-and-bucks, 7th-battalion, airborne, non-airborne, "
        "gr-736, pzpi-1, pzpi-2, fjr-6",
    ),
    "formation of the other side": (
        {"units": [unit(formation="gr-736")]},
        'units, entry 1 (id "b1"), formation: "gr-736" is a German formation',
    ),
    # Possession
    "possession of something unknown": (
        {"units": [unit(possesses=["lmg-2"])], "equipment": [LMG]},
        'units, entry 1 (id "b1"), possesses: "lmg-2" is no id under equipment; nearest: lmg-1',
    ),
    "possession of a vehicle": (
        {"units": [unit(possesses=["v1"])], "vehicles": [TANK]},
        'units, entry 1 (id "b1"), possesses: "v1" is listed under vehicles, not under equipment',
    ),
    "possessed twice": (
        {
            "units": [unit(possesses=["lmg-1"]), unit(id="b2", possesses=["lmg-1"])],
            "equipment": [LMG],
        },
        'units, entry 2 (id "b2"), possesses: "lmg-1" is possessed by b1 too: one piece, one '
        "possessor",
    ),
    "possessor elsewhere": (
        {"units": [unit(possesses=["lmg-1"], at="X18/1")], "equipment": [LMG]},
        'units, entry 1 (id "b1"), possesses: "lmg-1" is at X18, but its possessor is at X18/1',
    ),
    "possession of enemy equipment": (
        {"units": [unit(possesses=["lmg-1"])], "equipment": [LMG | {"side": "german"}]},
        'units, entry 1 (id "b1"), possesses: "lmg-1" has side german: what the British hold has '
        "side british, and status captured if it was the enemy's",
    ),
    "towed but not hooked": (
        {"vehicles": [TANK | {"tows": ["gun"], "at": "X20"}], "equipment": [GUN]},
        'vehicles, entry 1 (id "v1"), tows: "gun" is towed, so give it status hooked',
    ),
    "towed from elsewhere": (
        {"vehicles": [TANK | {"tows": ["gun"]}], "equipment": [GUN | {"status": ["hooked"]}]},
        'vehicles, entry 1 (id "v1"), tows: "gun" is at X20, but its vehicle is at Y17',
    ),
    # Status
    "a wounded squad": (
        {"units": [unit(status=["wounded"])]},
        'units, entry 1 (id "b1"), status: "wounded" is for leaders and heroes; an MMC is '
        "walking-wounded (CG17)",
    ),
    "a German walking wounded": (
        {"units": [GERMAN | {"status": ["walking-wounded"]}]},
        'units, entry 1 (id "g1"), status: "walking-wounded" is for British MMC (CG17)',
    ),
    "a heroic squad": (
        {"units": [unit(status=["heroic"])]},
        'units, entry 1 (id "b1"), status: "heroic" is for leaders; a hero is a unit of type 1-4-9',
    ),
    "a prisoner without guard": (
        {"units": [unit(status=["prisoner"])]},
        'units, entry 1 (id "b1"), guarded_by: is missing: a prisoner has a Guard, so give the '
        "Guard's id",
    ),
    "a guard without prisoner": (
        {"units": [unit(guarded_by="g1"), GERMAN | {"at": "X18"}]},
        'units, entry 1 (id "b1"), guarded_by: "g1" is for a prisoner: give the unit status '
        "prisoner",
    ),
    "a guard of his own side": (
        {"units": [unit(guarded_by="b2", status=["prisoner"]), unit(id="b2")]},
        'units, entry 1 (id "b1"), guarded_by: "b2" cannot guard him: a Guard is a free unit of '
        "the enemy",
    ),
    "a guard elsewhere": (
        {"units": [unit(guarded_by="g1", status=["prisoner"]), GERMAN]},
        'units, entry 1 (id "b1"), guarded_by: "g1" is at L9, but his prisoner is at X18',
    ),
    "aboard of nothing": (
        {"units": [unit(aboard="v2")], "vehicles": [TANK]},
        'units, entry 1 (id "b1"), aboard: "v2" is no id under vehicles; nearest: v1',
    ),
    "aboard elsewhere": (
        {"units": [GERMAN | {"aboard": "v1"}], "vehicles": [TANK]},
        'units, entry 1 (id "g1"), aboard: "v1" is at Y17, but who is aboard is at L9',
    ),
    "a hooked support weapon": (
        {"equipment": [LMG | {"status": ["hooked"]}]},
        'equipment, entry 1 (id "lmg-1"), status: "hooked" is for Guns, and LMG is a SW',
    ),
    "a dismantled LMG": (
        {"equipment": [LMG | {"status": ["dm"]}]},
        'equipment, entry 1 (id "lmg-1"), status: "dm" cannot be: a LMG is not dismantled',
    ),
    # Fortifications, terrain, WW box
    "a trench with a size": (
        {"fortifications": [{"kind": "trench", "at": "W21", "size": 1}]},
        'fortifications, entry 1, size: "1" is not for a trench: foxholes and mines have one',
    ),
    "a large foxhole": (
        {"fortifications": [{"kind": "foxhole", "at": "W21", "size": 4}]},
        'fortifications, entry 1, size: "4" must be from 1 to 3 for a foxhole',
    ),
    "a trench with a covered arc": (
        {"fortifications": [{"kind": "trench", "at": "Z21", "ca": "Y22/Z22"}]},
        'fortifications, entry 1, ca: "Y22/Z22" is not for a trench: a pillbox has one',
    ),
    "a blaze with a side": (
        {"terrain": [{"kind": "blaze", "at": "V13", "side": "german"}]},
        'terrain, entry 1, side: "german" is not for a blaze: a wreck has one',
    ),
    "a wreck of nothing": (
        {"terrain": [{"kind": "wreck", "at": "V13", "type": "Tiger", "side": "german"}]},
        'terrain, entry 1, type: "Tiger" is no vehicle; known are: FT-17 730m(f), FT-17 730(f), '
        "38H 735(f), 35-S 739(f), PzKpfw IVH, Marder, GSW 39H PaK(f), SPW S307(f), mSPW S307(f), "
        "PzA LrS(f), GSW 39H(f), 2cm FlaK LKW, 3.7cm FlaK LKW, Kfz 1",
    ),
    # What no piece can be: F-12
    "an Armor Leader on foot": (
        {"units": [GERMAN | {"type": "9-1 Armor Leader"}]},
        'units, entry 1 (id "g1"), aboard: is missing: an Armor Leader is part of a vehicle\'s '
        "crew (D3.4)",
    ),
    "broken and berserk": (
        {"units": [unit(status=["broken", "berserk"])]},
        'units, entry 1 (id "b1"), status: "berserk" cannot be beside broken (A15.4)',
    ),
    "a leader in the ww box": (
        {"ww_box": [{"type": "9-2", "count": 1}]},
        'ww_box, entry 1, type: "9-2" is no British MMC; known are: 6-4-8, 4-5-8, 4-5-7, '
        "4-4-7, 4-3-6, 3-3-8, 2-4-8, 2-4-7, 2-3-7, 2-2-6, 2-2-8, 1-2-7",
    ),
}


def test_another_kind_of_file_is_told_in_one_sentence() -> None:
    with pytest.raises(PBCGError) as refused:
        check_raw(Raw("changes.json", data(format="pbcg-changes/1")), BOARD)
    assert not isinstance(refused.value, FaultsError)
    assert "pbcg-changes/1" in str(refused.value)


@pytest.mark.parametrize("name", CASES)
def test_each_fault_has_its_words(name: str) -> None:
    keys, said = CASES[name]
    assert fault(**keys) == said


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
        'units, entry 1 (id "b1"), at',
        'units, entry 2 (id "b1"), status',
        'units, entry 2 (id "b1"), type',
        'vehicles, entry 1 (id "v1"), type',
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


def test_nothing_of_a_faulty_position_is_taken() -> None:
    with pytest.raises(FaultsError) as caught:
        check_raw(Raw("end.yaml", data(units=[UNIT, unit(id="b2", at="Z99")])), BOARD)
    assert str(caught.value) == (
        "end.yaml has 1 fault:\n"
        '  units, entry 2 (id "b2"), at: "Z99" is no hex of the map; nearest: Z9, Z19'
    )


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
    assert check_position(good, BOARD) == ()
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


def test_units_of_both_sides_in_one_location_are_not_remarked() -> None:
    assert checked(units=[UNIT, GERMAN | {"at": "X18"}]).remarks == ()


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
