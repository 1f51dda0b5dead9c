"""The campaign game's roll tables, against a second copy typed from the rules."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given as hypothesis_given
from hypothesis import settings
from hypothesis import strategies as st
from sentences import Tells
from typer.testing import CliRunner

from asl_pbcg.campaign.board.board import load_board
from asl_pbcg.campaign.module.campaign_tables import campaign_tables, table
from asl_pbcg.campaign.module.fortification_ground import (
    GROUND,
    KINDS,
    ground_refusal,
    ground_table,
)
from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
from asl_pbcg.campaign.position import Terrain
from asl_pbcg.campaign.position_words import FortificationKind, TerrainKind
from asl_pbcg.cli.table_command import app
from asl_pbcg.kernel.dice import DiceSpec
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.table_set import TableSet

ESCAPE = {
    8: "escapes",
    9: "escapes_replaced",
    10: "escapes_casualty_reduced",
    11: "escapes_replaced_then_casualty_reduced",
    12: "all_units_and_equipment_eliminated",
}


@pytest.mark.rule("9.606-k", "9.606-l", "9.606-m", "9.606-n", "9.606-o")
@pytest.mark.parametrize("final", range(-4, 20))
def test_escape_infantry_rows(final: int) -> None:
    row = table("escape.infantry").row(final, {})
    assert row.result == ESCAPE[min(max(final, 8), 12)]


VEHICLE = {
    8: ("escapes", "escapes"), 9: ("abandoned", "escapes"), 10: ("eliminated", "escapes"),
    11: ("abandoned", "eliminated"), 12: ("eliminated", "eliminated"),
}  # fmt: skip


@pytest.mark.rule("9.606-p", "9.606-q", "9.606-r", "9.606-s", "9.606-t")
@pytest.mark.parametrize("final", range(-4, 20))
def test_escape_vehicle_rows(final: int) -> None:
    facts = table("escape.vehicle").row(final, {}).facts
    assert (facts["vehicle"], facts["crew"]) == VEHICLE[min(max(final, 8), 12)]


INFANTRY_DRM = [
    ({"lone_smc": True}, -1), ({"night": True}, -1), ({"near_friendly": 1}, -2),
    ({"near_friendly": 2}, -1), ({"near_friendly": 0}, 0), ({"leadership": -2}, -2),
    ({"leadership": 1}, 1), ({"enemy_area": True}, 1), ({"hs_equivalents": 0}, 0),
    ({"hs_equivalents": 1}, 0), ({"hs_equivalents": 2}, 1), ({"hs_equivalents": 5}, 4),
    ({"excess_pp": 3}, 3), ({"unarmed_wounded": True}, 1), ({"encircled": True}, 2),
    ({"isolated": True}, 2),
]  # fmt: skip
VEHICLE_DRM = [
    ({"ct_afv": True}, -1), ({"night": True}, -1), ({"near_friendly": 1}, -2),
    ({"near_friendly": 2}, -1), ({"leadership": -1}, -1), ({"enemy_area": True}, 1),
    ({"unarmed_wounded": True}, 1), ({"captured_vehicle": True}, 1), ({"stunned": True}, 1),
    ({"isolated": True}, 2),
]  # fmt: skip


@pytest.mark.rule(
    "9.606-ab", "9.606-ac", "9.606-ad", "9.606-ae", "9.606-af", "9.606-ah", "9.606-ai", "9.606-aj",
    "9.606-ak", "9.606-al", "9.606-am", "9.606-an", "9.606-ao", "9.606-ap",
)  # fmt: skip
@pytest.mark.parametrize(("name", "cases"), [("infantry", INFANTRY_DRM), ("vehicle", VEHICLE_DRM)])
def test_escape_modifiers(name: str, cases: list[tuple[dict[str, int], int]]) -> None:
    escape = table(f"escape.{name}")
    for given, value in cases:
        assert sum(each.value for each in escape.modifiers(given)) == value, given
    assert {key for given, _ in cases for key in given} == set(escape.drm)


SIMPLE: dict[str, tuple[dict[int, str], list[tuple[dict[str, Any], int]]]] = {
    "escape.equipment": (
        {1: "left_in_last_location", 3: "left_in_last_location", 4: "eliminated", 6: "eliminated"},
        [],
    ),
    "shift": (
        {2: "shifted_safely", 8: "shifted_safely", 9: "no_shift", 10: "no_shift",
         11: "shifted_with_casualties", 12: "all_eliminated", 14: "all_eliminated"},
        [({"road": True}, -1), ({"distance": 4}, 0), ({"distance": 5}, 1), ({"distance": 9}, 1),
         ({"distance": 10}, 2)],
    ),
    "shift.casualties": ({3: "unharmed", 4: "lost", 6: "lost"}, []),
    "immobilization_repair": (
        {1: "mobile", 2: "mobile", 3: "no_change", 9: "no_change"},
        [({"isolated": True}, 1), ({"non_qualified": True}, 1), ({"front_line": True}, 1)],
    ),
    "stun_recovery": (
        {2: "recovers", 3: "retains_stun", 5: "retains_stun", 6: "eliminated", 8: "eliminated"},
        [({"isolated": True}, 1), ({"german": True}, 1)],
    ),
    "weapon_repair": (
        {-5: "repaired", 1: "repaired", 2: "eliminated", 8: "eliminated"},
        [({"vehicular": True}, -1), ({"repair_number": 3}, -3), ({"non_qualified": True}, 1),
         ({"isolated": True}, 1)],
    ),
    "captured_equipment": ({3: "kept", 4: "eliminated"}, []),
    "special_ammo": (
        {0: "restored", 3: "restored", 4: "still_depleted"}, [({"british_before_night": True}, -1)],
    ),
    "wounded_leader": (
        {-1: "unwounded", 1: "unwounded", 2: "wounded", 4: "wounded", 5: "eliminated",
         7: "eliminated"},
        [({"isolated": True}, 1), ({"heroic": True}, -1), ({"british": True}, -1)],
    ),
    "san_adjustment.british": (
        {4: "unchanged", 5: "lowered"},
        [({"san": 3}, 0), ({"san": 4}, 0), ({"san": 5}, 1), ({"san": 7}, 3)],
    ),
    "san_adjustment.german": (
        {4: "unchanged", 5: "lowered"}, [({"san": 4}, 0), ({"san": 6}, 2)],
    ),
}  # fmt: skip


@pytest.mark.rule(
    "9.6061-d", "9.613-n", "9.613-o", "9.613-p", "9.613-q", "9.613-r", "9.613-s", "9.613-u",
    "9.613-v", "9.6141b-b", "9.6141b-c", "9.6141d-b", "9.6141d-c", "9.6141d-d", "9.6142-d",
    "9.6142-e", "9.61424-b", "9.61424-c", "9.6101-b", "9.6101-c", "9.6101-d",
)  # fmt: skip
@pytest.mark.parametrize("name", SIMPLE)
def test_rows_and_modifiers(name: str) -> None:
    rows, drms = SIMPLE[name]
    found = table(name)
    for final, result in rows.items():
        assert found.row(final, {}).result == result, final
    for given, value in drms:
        assert sum(each.value for each in found.modifiers(given)) == value, given
    assert {key for given, _ in drms for key in given} == set(found.drm)


@pytest.mark.rule("9.6122-a", "9.61221-a", "9.61222-b")
@pytest.mark.parametrize(("san", "lowest"), [(4, 5), (5, 4), (6, 3), (7, 2)])
def test_lowest_dr_that_lowers_san(san: int, lowest: int) -> None:
    for side in ("british", "german"):
        results = [
            table(f"san_adjustment.{side}").resolve((dr,), {"san": san}).result
            for dr in range(1, 7)
        ]
        assert results == ["unchanged"] * (lowest - 1) + ["lowered"] * (7 - lowest)


# -- The worked examples ----------------------------------------------------------------


@pytest.mark.rule("9.606-k", "9.606-ah", "9.606-ai")
def test_example_squad_in_british_setup_area_a() -> None:
    rolled = table("escape.infantry").resolve((3, 3), {"enemy_area": True, "hs_equivalents": 2})
    assert (rolled.total_drm, rolled.final, rolled.result) == (2, 8, "escapes")


@pytest.mark.rule("9.606-q", "9.606-ak")
def test_example_kuebelwagen() -> None:
    given = {"enemy_area": True, "unarmed_wounded": True}
    rolled = table("escape.vehicle").resolve((3, 4), given)
    assert (rolled.final, rolled.facts["vehicle"]) == (9, "abandoned")


@pytest.mark.rule("9.606-n", "9.606-ao")
def test_example_squad_in_z23() -> None:
    rolled = table("escape.infantry").resolve((4, 4), {"hs_equivalents": 2, "isolated": True})
    assert (rolled.total_drm, rolled.final) == (3, 11)
    assert rolled.result == "escapes_replaced_then_casualty_reduced"


@pytest.mark.rule("9.6142-d")
def test_example_german_hmg() -> None:
    results = [
        table("weapon_repair").resolve((dr,), {"repair_number": 3}).result for dr in range(1, 7)
    ]
    assert results == ["repaired"] * 4 + ["eliminated"] * 2


# -- Every table ------------------------------------------------------------------------


def every_given(name: str) -> Any:
    """Some circumstances of every kind a table knows."""
    found = table(name)
    parts: dict[str, Any] = {}
    for key, modifier in found.drm.items():
        numbers = [number for number in range(-3, 13) if not modifier.refusal(number)]
        parts[key] = st.sampled_from(numbers) if modifier.counts else st.booleans()
    needed = {key: st.integers(1, 6) for key in found.needs}
    return st.fixed_dictionaries(needed, optional=parts)


@pytest.mark.parametrize("name", list(campaign_tables()))
@settings(max_examples=25, deadline=None)
@hypothesis_given(st.data())
def test_odds_agree_with_counting_every_throw(name: str, data: Any) -> None:
    found = table(name)
    given = data.draw(every_given(name))
    counted: dict[str, int] = {}
    throws = list(itertools.product(range(1, found.spec.sides + 1), repeat=found.spec.count))
    for faces in throws:
        rolled = found.resolve(faces, given)
        assert rolled.final == sum(faces) + rolled.total_drm
        assert all(drm.rule and drm.why and drm.value for drm in rolled.drm)
        counted[rolled.result] = counted.get(rolled.result, 0) + 1
    odds = found.odds(given)
    assert odds == {result: Fraction(count, len(throws)) for result, count in counted.items()}
    assert sum(odds.values()) == 1


# -- The command ------------------------------------------------------------------------


def run(*args: str) -> Any:
    result = CliRunner().invoke(app, list(args))
    if isinstance(result.exception, PBCGError):
        return str(result.exception)
    assert result.exit_code == 0, result.output
    return result.output


def test_answer_as_designed() -> None:
    answer = json.loads(
        run("escape.infantry", "--given", "isolated", "--given", "hs_equivalents=2",
            "--roll", "8", "--json")
    )  # fmt: skip
    assert answer["given"] == {"isolated": True, "hs_equivalents": 2}
    assert answer["drm"] == [
        {"name": "hs_equivalents", "value": 1, "why": "HS-equivalents above one", "rule": "9.606"},
        {
            "name": "isolated",
            "value": 2,
            "why": "Isolated, or its area of Retention is",
            "rule": "9.606",
        },
    ]
    assert answer["total_drm"] == 3
    assert answer["odds"]["escapes"] == "10/36"
    assert answer["percent"]["escapes"] == 27.78
    assert (answer["roll"], answer["final"]) == (8, 11)
    assert answer["result"] == "escapes_replaced_then_casualty_reduced"


@pytest.mark.finding("F-14")
@pytest.mark.rule("9.606-u")
@pytest.mark.parametrize(
    ("given", "odds"),
    [
        # +7: an Original 2 Escapes by note 1 though its Final is 9.
        (["isolated", "encircled", "hs_equivalents=4"],
         {"escapes": "1/36", "escapes_casualty_reduced": "2/36",
          "escapes_replaced_then_casualty_reduced": "3/36",
          "all_units_and_equipment_eliminated": "30/36"}),
        (["isolated", "encircled", "hs_equivalents=5"],
         {"escapes": "1/36", "escapes_replaced_then_casualty_reduced": "2/36",
          "all_units_and_equipment_eliminated": "33/36"}),
    ],
)  # fmt: skip
def test_an_original_2_escapes_whatever_the_final(given: list[str], odds: dict[str, str]) -> None:
    flags = [part for name in given for part in ("--given", name)]
    answer = json.loads(run("escape.infantry", *flags, "--roll", "2", "--json"))
    assert answer["odds"] == odds
    assert (answer["result"], answer["facts"]) == ("escapes", {"heat_of_battle": True})
    vehicle = json.loads(run("escape.vehicle", "--given", "isolated", "--roll", "2", "--json"))
    assert "facts" in vehicle
    assert "heat_of_battle" not in vehicle["facts"]
    assert "Original 2" in run("escape.infantry", *flags)


def test_list_names_every_table_with_its_circumstances() -> None:
    tables = {each["table"]: each for each in json.loads(run("--list", "--json"))["tables"]}
    assert set(campaign_tables()) <= set(tables)
    assert tables["shift"]["dice"] == "2d6"
    assert "no_shift" in tables["shift"]["results"]
    assert set(tables["shift"]["circumstances"]) == {"road", "distance"}
    assert "escape.infantry" in run("--list")


def test_people_see_rows_odds_and_result() -> None:
    told = run("weapon_repair", "--given", "repair_number=3", "--roll", "4")
    assert "-3" in told
    assert "67%" in told
    assert "Repaired" in told
    assert "number" in run("sw.full")


@pytest.mark.rule("9.6182-b", "9.6182-d")
@pytest.mark.parametrize(
    ("name", "received", "not_received"),
    [("sw.full", "<=3", ">=4"), ("sw.depleted_parentheses", "<=2", ">=3")],
)
def test_the_number_in_parentheses_stands_in_the_rows(
    name: str, received: str, not_received: str
) -> None:
    rows = [line.split() for line in run(name, "--given", "number=3").splitlines()]
    spans = [words[0] for words in rows if words and words[0][0] in "<>"]
    assert spans == [received, not_received]


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["shift", "--given", "foo"],
         'Table shift knows no circumstance "foo"; it knows: road, distance.'),
        (["shift", "--roll", "13"], "2d6 cannot come to 13: 2 to 12 can."),
        (["shift", "--roll", "x"], '--roll "x" is not a number: give the total of the dice.'),
        (["escape.infantry", "--given", "hs_equivalents"],
         "Table escape.infantry: hs_equivalents counts something: write hs_equivalents=N."),
        (["escape.infantry", "--given", "isolated=2"],
         "Table escape.infantry: isolated holds or does not: write isolated alone."),
        (["escape.infantry", "--given", "isolated=yes"],
         'Table escape.infantry: isolated is a number, not "yes".'),
        (["sw.full", "--given", "foo=1"],
         'Table sw.full knows no circumstance "foo"; it knows: number.'),
        (["shift", "--given", "road", "--given", "road"], "--given road is given twice."),
        (["shift", "--given", "road="],
         "--given road=: write road=N with a number, or road alone."),
        (["escape.infantry", "--given", "near_friendly=3"],
         "Table escape.infantry: near_friendly is 1 or 2, not 3."),
        (["escape.infantry", "--given", "hs_equivalents=-2"],
         "Table escape.infantry: hs_equivalents is 0 or more, not -2."),
        (["escape.infantry", "--given", "leadership=-9"],
         "Table escape.infantry: leadership is -3 to 2, not -9."),
        (["weapon_repair", "--given", "repair_number=99"],
         "Table weapon_repair: repair_number is 0 to 3, not 99."),
        (["san_adjustment.british", "--given", "san=3"],
         "Table san_adjustment.british: san is 4 to 7, not 3."),
        (["san_adjustment.german", "--given", "san=8"],
         "Table san_adjustment.german: san is 4 to 7, not 8."),
        (["sw.full", "--given", "number=0"], "Table sw.full: number is 1 to 6, not 0."),
        (["crew_survival", "--given", "number=40"],
         "Table crew_survival: number is 1 to 12, not 40."),
        (["st.sapper_repair", "--given", "turns=-1"],
         "Table st.sapper_repair: turns is 0 or more, not -1."),
        (["shfit"], 'There is no table "shfit"; nearest: shift. "pbcg table --list" shows all.'),
    ],
)  # fmt: skip
def test_wrong_words_get_a_sentence(args: list[str], sentence: str) -> None:
    assert run(*args) == sentence


@pytest.mark.parametrize(
    ("typed", "spec", "faces"),
    [("3 4", "2d6", (3, 4)), ("34", "2d6", (3, 4)), ("3,4", "2d6", (3, 4)), (" 6 ", "1d6", (6,)),
     ("10", "1d10", (10,)), ("3+4", "2d6", (3, 4))],
)  # fmt: skip
def test_dice_as_players_type_them(typed: str, spec: str, faces: tuple[int, ...]) -> None:
    assert DiceSpec.parse(spec).read(typed) == faces


@pytest.mark.parametrize(
    ("typed", "spec", "sentence"),
    [("7", "1d6", "A die cannot show 7: it shows 1 to 6."),
     ("3", "2d6", "2d6 needs 2 dice, not 1: type 2 numbers."),
     ("", "2d6", '"" is not a throw of 2d6: type for example 3 4.'),
     ("a b", "2d6", '"a b" is not a throw of 2d6: type for example 3 4.'),
     ("0 4", "2d6", "A die cannot show 0: it shows 1 to 6.")],
)  # fmt: skip
def test_impossible_dice(typed: str, spec: str, sentence: str) -> None:
    with pytest.raises(IllegalAnswer) as error:
        DiceSpec.parse(spec).read(typed)
    assert str(error.value) == sentence


@pytest.mark.parametrize(
    ("broken", "sentence"),
    [
        ({"rows": [{"to": 3, "result": "a"}, {"from": 3, "result": "b"}]}, "two rows cover 3"),
        ({"rows": [{"result": "a"}], "colour": 1}, "colour"),
        ({"rows": [{"results": ["a"]}], "columns": {"c": ["x", "y"]}}, "2 results are needed"),
        ({"rows": "all"}, "rows"),
    ],
)
def test_a_broken_table_is_named(broken: dict[str, Any], sentence: str) -> None:
    raw = {"one": {"title": "One", "rule": "1.1", "dice": "1d6", **broken}}
    with pytest.raises(PBCGError, match=sentence) as error:
        TableSet.read(raw, "tables.yaml")
    assert "one" in str(error.value)


def test_a_table_with_columns(tells: Tells) -> None:
    raw = {
        "fire": {
            "title": "Fire", "rule": "5", "dice": "1d6", "columns": {"column": ["a", "b"]},
            "rows": [{"to": 3, "results": ["NE", "S"]}, {"from": 4, "results": ["S", "1"]}],
        }
    }  # fmt: skip
    fire = TableSet.read(raw, "tables.yaml")["fire"]
    assert fire.resolve((5,), {"column": "b"}).result == "1"
    assert fire.odds({"column": "a"}) == {"NE": Fraction(1, 2), "S": Fraction(1, 2)}
    with pytest.raises(PBCGError) as refused:
        fire.odds({"column": "z"})
    tells(refused, "z", "column")
    with pytest.raises(PBCGError, match="needs column"):
        fire.odds({})


WATER = {"canal", "pond"}
BOGGY = {"marsh", "swamp"}
NO_ENTRENCHMENT = {
    "paved-road", "bridge", "building", "interior-building", "rubble", "stream", *WATER, *BOGGY,
}  # fmt: skip
NO_MINES = {"interior-building", "rubble", *WATER, *BOGGY}
FORBIDDEN_GROUND = {
    "foxhole": NO_ENTRENCHMENT,
    "trench": NO_ENTRENCHMENT,
    "pillbox": NO_ENTRENCHMENT - {"paved-road"} | {"gully", "graveyard"},
    "wire": {"building", "interior-building", "rubble", *WATER, *BOGGY},
    "roadblock": {"off-road", *WATER},
    "ap-mines": NO_MINES | {"paved-road", "bridge"},
    "at-mines": NO_MINES,
    "at-mines-hidden": NO_MINES | {"paved-road", "bridge"},
    "dummy": WATER,
    "hip": WATER,
    "hip-gun": WATER | BOGGY,
}
"""By kind of Fortification the ground it cannot be in, typed from B21, B26-B30 and CG10."""


@pytest.mark.finding("G-10")
@pytest.mark.rule("9.619-e")
def test_the_ground_that_forbids_each_kind_of_fortification() -> None:
    rows = ground_table().content
    assert {row.ground for row in rows} == set(GROUND)
    assert set(FORBIDDEN_GROUND) == set(KINDS)
    for kind, forbidden in FORBIDDEN_GROUND.items():
        assert {row.ground for row in rows if row.refusal(kind)} == forbidden, kind
    charts = PEGASUS_BRIDGE.charts.fortifications.kinds
    assert {chart.ground for chart in charts.values() if chart.ground} <= set(KINDS)
    assert {kind.value for kind in FortificationKind} - {"minefield"} <= set(KINDS)


@pytest.mark.finding("G-10")
@pytest.mark.parametrize(
    ("kind", "hex", "rule"),
    [
        ("foxhole", "Y18", "B27.1"),  # a paved road
        ("foxhole", "Q17", "B27.1"),  # a stream
        ("foxhole", "X20", ""),  # an unpaved road on the bank of the Canal
        ("trench", "Y20", "B27.1"),  # the bridge
        ("wire", "Y20", ""),
        ("pillbox", "Z21", ""),
        ("pillbox", "HH13", "B30.1"),  # the graveyard
        ("roadblock", "Y18", ""),
        ("roadblock", "V22", "B29.1"),  # no road
        ("ap-mines", "M12", ""),  # a building, none of whose hexes is inside others
        ("ap-mines", "A19", "B28.1"),  # the Canal
        ("at-mines", "Y18", ""),
        ("at-mines-hidden", "Y18", "B28.53"),
        ("hip-gun", "V22", "B16.41"),
        ("hip", "V22", ""),
        ("dummy", "W23", "B21.1"),  # a pond
    ],
)
def test_what_a_hex_of_the_board_forbids(kind: str, hex: str, rule: str) -> None:
    barred = ground_refusal(load_board(), (), kind, hex)
    assert (barred[1] if barred else "") == rule


@pytest.mark.finding("G-10")
def test_rubble_forbids_what_the_fallen_building_did_not() -> None:
    rubble = [Terrain(kind=TerrainKind.RUBBLE_STONE, at="M12")]
    assert ground_refusal(load_board(), (), "ap-mines", "M12") is None
    assert ground_refusal(load_board(), rubble, "ap-mines", "M12") == ("Rubble", "B28.1")
    assert ground_refusal(load_board(), rubble, "foxhole", "M12") == ("Rubble", "B27.1")


@pytest.mark.finding("J-81")
def test_every_step_has_a_short_name_of_its_own() -> None:
    names = [chart.short for chart in PEGASUS_BRIDGE.frame.steps]
    assert len({*names}) == len(names) == 20
    assert all(0 < len(name) <= 14 for name in names)
