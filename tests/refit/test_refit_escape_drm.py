"""9.606 Escape: who must and may, the DRM of every kind, and exact odds."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from escape_help import drms, ground, throw_of, total
from refit_helpers import BRITISH, GERMAN, Log, campaign_at, piece, run_step
from sentences import Tells

from asl_pbcg.campaign.module.campaign_tables import table
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.piece_changes import update
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.tables import percent
from asl_pbcg.refit.helpers.equipment import excess_pp, ipc, load
from asl_pbcg.refit.helpers.unit_paths import escape_ways
from asl_pbcg.refit.s606_attempt import escape_table, odds_words, sheet
from asl_pbcg.refit.s606_escape import escape
from asl_pbcg.refit.s606_isolated import overstacking, who_escapes


def the_roll(
    *units: Piece, house: dict[str, str] | None = None, together: bool = True, **fields: Any
) -> Roll:
    """The first Escape DR when ``units`` Escape, all in one stack, with all they carry."""

    def answer(prompt: Prompt) -> Any:
        if prompt.id == "9.606.2":
            return "escape"
        if prompt.id == "9.606.4":
            return "keep"
        if prompt.id == "9.606.5" and together:
            return next(each.id for each in reversed(prompt.legal))
        if prompt.default is not None:
            return prompt.default
        return prompt.legal[0].id

    state = ground(*units, house=house, **fields)
    log = Log()
    with pytest.raises(AssertionError, match="no dice left"):
        run_step(state, escape, answer, asked=log.asked)
    return log.rolls()[0]


def squad(id: str = "g1", at: str = "P14", **fields: Any) -> Piece:
    return piece(id, GERMAN, "4-6-7", at, **fields)


def weapon(id: str, type: str, **fields: Any) -> Piece:
    return piece(id, GERMAN, type, "P14", **fields)


# -- Who --------------------------------------------------------------------------------------


@pytest.mark.rule("9.606-a", "9.6056-c")
def test_who_must_attempt_escape() -> None:
    state = ground(
        squad("g1", "P14"),
        squad("g2", "Z23"),
        squad("g3", "V12"),
        piece("v1", GERMAN, "PzKpfw IVH", "Y17"),
        piece("v2", GERMAN, "PzKpfw IVH", "Y17", status="immobilized"),
        piece("v3", GERMAN, "PzKpfw IVH", "Q13", status="abandoned"),
        squad("g4", "S16", area="A"),
        squad("g5", "P14", status="prisoner", guarded_by="b1"),
        piece("b1", BRITISH, "6-4-8", "P14"),
    )
    assert [unit.id for unit in who_escapes(state)[0]] == ["g1", "v1", "g2"]


@pytest.mark.rule("9.606-a", "9.6053-d")
def test_without_a_path_out_of_uncontrolled_territory_one_must_escape(tells: Tells) -> None:
    # No German Setup Area at all, and no Entry Area is Eligible for a unit whose RG paid for none.
    lone = squad(at="S16")
    state = ground(lone, german=(), house={"B-05": "paid-only"})
    assert [unit.id for unit in who_escapes(state)[0]] == ["g1"]
    after, lines = run_step(state, escape)
    assert [each.piece.id for each in after.gone] == ["g1"]
    tells(lines[2].text, "Escape")


@pytest.mark.rule("9.606-b", "9.6056-c")
def test_who_may_attempt_escape() -> None:
    state = ground(
        piece("b1", BRITISH, "6-4-8", "P12"),
        piece("b2", BRITISH, "6-4-8", "W21"),
        piece("b3", BRITISH, "Churchill VII", "R13"),
        piece("b4", BRITISH, "Churchill VII", "P13", status="immobilized"),
        squad("g1", "AA23"),
        squad("g2", "V12"),
    )
    assert [unit.id for unit in who_escapes(state)[1]] == ["b1", "b3", "g1"]
    assert who_escapes(state)[0] == []


@pytest.mark.rule("9.6056-b")
def test_units_that_9_6153_withdraws_skip_escape() -> None:
    commando = piece("b1", BRITISH, "6-4-8", "V12")
    para = piece("b2", BRITISH, "6-4-8", "V12", airborne=True)
    crew = piece("b3", BRITISH, "2-2-8", "V12")
    day_2 = ground(commando, para, crew, date=CGDate.DAY_2)
    assert [unit.id for unit in who_escapes(day_2)[0]] == ["b2", "b3"]
    assert [unit.id for unit in who_escapes(ground(commando, para))[0]] == ["b1", "b2"]


def test_a_unit_on_a_no_move_counter_stays(tells: Tells) -> None:
    held = squad("g1", "Z20", status="no-move")
    state = ground(held, date=CGDate.NIGHT_1)
    after, lines = run_step(state, escape)
    assert not lines.asked
    tells("".join(line.text for line in lines), "Move")
    assert after.piece("g1").area == "B"


# -- The DRM ----------------------------------------------------------------------------------


@pytest.mark.rule("9.606-ah", "9.606-ai")
def test_a_squad_in_an_enemy_setup_area() -> None:
    roll = the_roll(squad())
    assert drms(roll) == {"enemy_area": 1, "hs_equivalents": 1}
    assert roll.table
    whys = [drm.why for drm in roll.table.modifiers(roll.given)]
    assert whys == ["in an enemy Setup Area", "two HS-equivalents"]


@pytest.mark.rule("9.606-ah")
def test_a_path_across_an_enemy_setup_area_counts_once(tells: Tells) -> None:
    roll = the_roll(squad("g1", "Z20"))
    assert roll.table
    why = {drm.name: drm.why for drm in roll.table.modifiers(roll.given)}
    tells(why["enemy_area"], "across")
    assert drms(roll)["enemy_area"] == 1


@pytest.mark.rule("9.606-ai")
@pytest.mark.parametrize(
    ("types", "drm"),
    [
        (["2-4-7"], 0),
        (["4-6-7"], 1),
        (["2-2-8"], 0),
        (["8-0"], 0),
        (["4-6-7", "2-4-7", "2-2-8", "8-0"], 3),
        (["4-6-7", "4-6-7", "4-6-7"], 5),
    ],
)
def test_hs_equivalents(types: list[str], drm: int) -> None:
    units = [piece(f"g{n}", GERMAN, type, "P14") for n, type in enumerate(types)]
    assert drms(the_roll(*units)).get("hs_equivalents", 0) == drm


def test_house_rule_c54_crews_count_nothing() -> None:
    units = [piece("g1", GERMAN, "4-6-7", "P14"), piece("g2", GERMAN, "2-2-8", "P14")]
    assert drms(the_roll(*units))["hs_equivalents"] == 2
    assert drms(the_roll(*units, house={"C-54": "crew-0"}))["hs_equivalents"] == 1


@pytest.mark.rule("9.606-ab", "9.606-ag")
def test_a_lone_unwounded_smc() -> None:
    leader = piece("g1", GERMAN, "9-2", "P14")
    assert drms(the_roll(leader)) == {"lone_smc": -1, "enemy_area": 1}
    hero = piece("g1", GERMAN, "1-4-9", "P14")
    assert drms(the_roll(hero)) == {"lone_smc": -1, "enemy_area": 1}
    wounded = piece("g1", GERMAN, "9-2", "P14", status="wounded")
    assert drms(the_roll(wounded)) == {"enemy_area": 1, "unarmed_wounded": 1}
    heroic = piece("g1", GERMAN, "9-2", "P14", status="heroic")
    assert drms(the_roll(heroic)) == {"lone_smc": -1, "enemy_area": 1}


@pytest.mark.rule("9.606-af")
@pytest.mark.parametrize(
    ("leaders", "drm"),
    [
        (["9-1"], -1),
        (["9-2"], -2),
        (["8-0"], 0),
        (["6+1"], 1),
        (["9-1", "9-2"], -2),
        (["1-4-9"], -1),
        (["8-0 heroic"], -1),
        (["9-2 wounded"], -1),
        (["9-2 heroic"], -2),
    ],
)
def test_leadership_of_a_stack_is_the_best_one(leaders: list[str], drm: int) -> None:
    units = [piece("g1", GERMAN, "2-4-7", "P14")]
    for number, words in enumerate(leaders):
        type, _, status = words.partition(" ")
        units.append(piece(f"h{number}", GERMAN, type, "P14", status=status))
    assert drms(the_roll(*units)).get("leadership", 0) == drm


@pytest.mark.rule("9.606-af", "9.606-ac")
def test_an_armor_leader_in_a_ct_afv() -> None:
    tank = piece("v1", GERMAN, "PzKpfw IVH", "Y17")
    assert drms(the_roll(tank)) == {"ct_afv": -1, "near_friendly": -1}
    leader = piece("g1", GERMAN, "9-1 Armor Leader", "Y17", aboard="v1")
    assert drms(the_roll(tank, leader)) == {"ct_afv": -1, "near_friendly": -1, "leadership": -1}
    bought = piece("g1", GERMAN, "9-2 Armor Leader", "Y17", aboard="v1")
    assert drms(the_roll(tank, bought))["leadership"] == -2
    assert "ct_afv" not in drms(the_roll(piece("v1", GERMAN, "Marder", "Y17")))


@pytest.mark.rule("9.606-ad")
@pytest.mark.parametrize("date", list(CGDate)[:-1])
def test_night_is_that_of_the_scenario_just_played(date: CGDate) -> None:
    night = date in (CGDate.NIGHT_1, CGDate.NIGHT_2, CGDate.NIGHT_3)
    assert drms(the_roll(squad(), date=date)).get("night", 0) == (-1 if night else 0)


@pytest.mark.rule("9.606-ae")
def test_adjacent_to_a_friendly_setup_area_or_two_hexes_away() -> None:
    strict = {"B-08": "strict"}
    assert drms(the_roll(squad(at="Z23"), house=strict))["near_friendly"] == -2
    tank = piece("v1", GERMAN, "PzKpfw IVH", "Y17")
    assert drms(the_roll(tank))["near_friendly"] == -1
    assert "near_friendly" not in drms(the_roll(squad(at="P14")))


@pytest.mark.finding("G-18")
@pytest.mark.rule("9.606-ae", "9.606-ao")
def test_an_isolated_setup_area_is_not_near_and_an_escape_to_it_is_isolated() -> None:
    # Out of Z23 the nearest is German Setup Area B, Isolated; out of Y17 it is A, not Isolated.
    assert drms(the_roll(squad(at="Z23"))) == {"hs_equivalents": 1, "isolated": 2}
    assert drms(the_roll(squad(at="Y17"))) == {"near_friendly": -1, "hs_equivalents": 1}
    # A British squad in German Setup Area A: the nearest is British Setup Area A or B, Isolated.
    britons = drms(the_roll(piece("b1", BRITISH, "6-4-8", "V12")))
    assert britons == {"enemy_area": 1, "hs_equivalents": 1, "isolated": 2}
    # A vehicle is held to the same.
    tank = piece("v1", GERMAN, "PzKpfw IVH", "Z23")
    assert drms(the_roll(tank)) == {"ct_afv": -1, "isolated": 2}


@pytest.mark.finding("G-18")
def test_each_destination_shows_the_drm_it_brings() -> None:
    """Of areas that are equally near only the Isolated one brings +2."""
    lone = squad("g1", "F8")
    state = campaign_at("9.606", lone, german=["F4", "F12"], british=["F8"])
    areas = {area.id: area.isolated for area in state.areas.areas[GERMAN]}
    ways = escape_ways(state, [lone])
    assert {way.id for way in ways} == set(areas)
    for way in ways:
        assert bool(sheet(state, [lone], way).get("isolated")) is areas[way.id]


@pytest.mark.finding("G-18")
def test_a_stack_shows_the_drm_of_each_destination_while_it_is_open(tells: Tells) -> None:
    """Out of Z20 British Setup Areas B (Isolated) and C are equally near."""
    units = [piece(f"b{n}", BRITISH, "6-4-8", "Z20") for n in range(2)]
    log = Log()
    with pytest.raises(AssertionError):
        run_step(ground(*units), escape, ["go", "B"], asked=log.asked)
    prompt = next(each for each in log.asked if isinstance(each, Prompt) and each.id == "9.606.5")
    alone = prompt.option("go")
    tells(alone.consequence, "Setup Area B", "Setup Area C", "+2 Isolated", "Odds")
    ways = {way.id: way for way in escape_ways(ground(*units), units[:1])}
    best = sheet(ground(*units), units[:1], ways["C"])
    assert alone.odds == odds_words(ground(*units), units[:1], best)
    assert alone.path == ways["C"].path


@pytest.mark.rule("9.606-ao")
def test_isolated() -> None:
    assert drms(the_roll(piece("b1", BRITISH, "6-4-8", "P12"))) == {
        "hs_equivalents": 1,
        "isolated": 2,
    }
    tank = piece("b1", BRITISH, "Churchill VII", "P12")
    assert drms(the_roll(tank)) == {"ct_afv": -1, "isolated": 2}


@pytest.mark.finding("F-02")
def test_house_rule_b08_no_mans_land_as_the_list_or_as_the_example() -> None:
    # The nearest is Setup Area B, which is Isolated; area A is farther off and is not.
    listed = the_roll(squad(at="Z23"), house={"B-08": "strict"})
    assert drms(listed) == {"near_friendly": -2, "hs_equivalents": 1}
    example = the_roll(squad(at="Z23"), house={"B-08": "example"})
    assert drms(example) == {"hs_equivalents": 1, "isolated": 2}
    # With C-79 strict nothing but area B can be reached: no path leads out of No Man's Land.
    strict = the_roll(squad(at="Z23"), house={"B-08": "strict", "C-79": "strict"})
    assert drms(strict) == {"near_friendly": -2, "hs_equivalents": 1, "isolated": 2}
    # Out of Y17 the way leads to German Setup Area A, which is not Isolated.
    assert "isolated" not in drms(the_roll(squad(at="Y17")))


def test_house_rule_b09_leaving_an_upper_level_over_the_enemy() -> None:
    upstairs = piece("b1", BRITISH, "6-4-8", "Z15/1")
    assert total(the_roll(upstairs)) == 3
    counted = the_roll(upstairs, house={"B-09": "own-hex-counts"})
    assert drms(counted) == {"enemy_area": 1, "hs_equivalents": 1, "isolated": 2}


@pytest.mark.parametrize("reading", ["non-isolated", "strict", "example"])
def test_the_setup_area_a_unit_stands_in_is_not_near(reading: str) -> None:
    isolated = piece("b1", BRITISH, "6-4-8", "P12")
    assert "near_friendly" not in drms(the_roll(isolated, house={"B-08": reading}))


def test_house_rule_c94_range_or_route() -> None:
    # X18 is two hexes from Setup Area C as the crow flies, five by the bridge.
    isolated = piece("b1", BRITISH, "4-5-8", "X18")
    assert drms(the_roll(isolated))["near_friendly"] == -1
    assert "near_friendly" not in drms(the_roll(isolated, house={"C-94": "route"}))
    near = the_roll(squad(at="Z23"), house={"C-94": "route", "B-08": "strict"})
    assert drms(near)["near_friendly"] == -2
    cut_off = the_roll(squad(at="Z23"), house={"C-94": "route"})
    assert "near_friendly" not in drms(cut_off)


@pytest.mark.rule("9.606-aj")
@pytest.mark.parametrize(
    ("type", "items", "drm"),
    [
        ("4-6-7", ["LMG", "LMG", "LMG"], 0),
        ("4-6-7", ["MMG"], 1),
        ("4-6-7", ["HMG"], 2),
        ("4-6-7", ["MMG dm", "LMG"], 0),
        ("8-0", ["LMG"], 0),
        ("8-0", ["50* MTR"], 1),
    ],
)
def test_pp_above_ipc(type: str, items: list[str], drm: int) -> None:
    weapons = [
        weapon(f"w{n}", words.removesuffix(" dm"), status="dm" if words.endswith("dm") else "")
        for n, words in enumerate(items)
    ]
    carrier = piece("g1", GERMAN, type, "P14", possesses=" ".join(w.id for w in weapons))
    assert drms(the_roll(carrier, *weapons)).get("excess_pp", 0) == drm


@pytest.mark.rule("9.606-aj")
def test_a_leader_adds_his_ipc_to_the_mmc_with_most_excess() -> None:
    one = squad("g1", possesses="hmg")
    two = squad("g2", possesses="mmg")
    guns = [weapon("hmg", "HMG"), weapon("mmg", "MMG")]
    leader = piece("g3", GERMAN, "8-0", "P14")
    assert drms(the_roll(one, two, *guns))["excess_pp"] == 2
    assert drms(the_roll(one, two, leader, *guns))["excess_pp"] == 1
    busy = piece("g3", GERMAN, "8-0", "P14", possesses="lmg")
    lmg = weapon("lmg", "LMG")
    assert drms(the_roll(one, two, busy, lmg, *guns))["excess_pp"] == 2


@pytest.mark.rule("9.606-aj")
@pytest.mark.parametrize("seed", range(12))
def test_no_other_use_of_the_leaders_ipc_gives_a_lower_drm(seed: int) -> None:
    source = random.Random(f"ipc/{seed}")
    types = ["4-6-7", "2-4-7", "4-4-7"]
    units, held = [], []
    for number in range(source.randint(2, 3) + source.randint(1, 3)):
        leads = number > 2 or number == 1
        items = source.choices(["LMG", "50* MTR", "MMG"], k=source.randint(0, 1 if leads else 2))
        ids = [f"w{number}{place}" for place in range(len(items))]
        held += [weapon(id, type) for id, type in zip(ids, items, strict=True)]
        type = source.choice(["9-1", "8-0"]) if leads else source.choice(types)
        wounded = "wounded" if leads and source.random() < 0.2 else ""
        units.append(
            piece(f"g{number}", GERMAN, type, "P14", possesses=" ".join(ids), status=wounded)
        )
    state = ground(*units, *held)
    over = {unit.id: load(state, unit) - ipc(state, unit) for unit in units}
    mmc = [unit.id for unit in units if unit.kind != "leader"]
    spare = [-over[unit.id] for unit in units if unit.kind == "leader" and over[unit.id] < 0]
    best = min(
        max(0, *(over[id] - sum(n for n, to in zip(spare, used, strict=True) if to == id)
                 for id in over))
        for used in product([*mmc, ""], repeat=len(spare))
    )  # fmt: skip
    assert excess_pp(state, units)[0] == best


@pytest.mark.rule("9.606-aj", "9.606-f")
def test_walking_wounded_have_less_ipc() -> None:
    lame = piece("g1", GERMAN, "4-6-7", "P14", status="walking-wounded", possesses="w0 w1 w2")
    weapons = [weapon(f"w{n}", "LMG") for n in range(3)]
    assert drms(the_roll(lame, *weapons))["excess_pp"] == 1


@pytest.mark.rule("9.606-ak")
@pytest.mark.parametrize("status", ["unarmed", "wounded", "walking-wounded"])
def test_unarmed_wounded_or_walking_wounded(status: str) -> None:
    type = "8-0" if status == "wounded" else "2-4-7"
    unit = piece("g1", GERMAN, type, "P14", status=status)
    assert drms(the_roll(unit))["unarmed_wounded"] == 1


@pytest.mark.rule("9.606-ak")
def test_an_unarmed_vehicle() -> None:
    truck = piece("v1", GERMAN, "Kfz 1", "Q13")
    assert drms(the_roll(truck)) == {"enemy_area": 1, "unarmed_wounded": 1}
    armed = piece("v1", GERMAN, "Kfz 1", "Q13", aamg=True)
    assert drms(the_roll(armed)) == {"enemy_area": 1}


def test_house_rule_c53_once_or_for_each() -> None:
    units = [piece(f"g{n}", GERMAN, "2-4-7", "P14", status="walking-wounded") for n in range(3)]
    assert drms(the_roll(*units))["unarmed_wounded"] == 1
    assert drms(the_roll(*units, house={"C-53": "each"}))["unarmed_wounded"] == 3


@pytest.mark.rule("9.606-al")
def test_a_captured_vehicle() -> None:
    tank = piece("v1", GERMAN, "Churchill VII", "Q13", status="captured")
    assert drms(the_roll(tank)) == {"ct_afv": -1, "enemy_area": 1, "captured_vehicle": 1}


@pytest.mark.rule("9.606-am")
def test_a_stunned_vehicle() -> None:
    tank = piece("v1", GERMAN, "Marder", "Q13", status="stunned")
    assert drms(the_roll(tank)) == {"enemy_area": 1, "stunned": 1}
    tank = piece("v1", GERMAN, "Marder", "Q13", status="stun-plus-1")
    assert drms(the_roll(tank)) == {"enemy_area": 1, "stunned": 1}


@pytest.mark.rule("9.606-an")
def test_encircled() -> None:
    assert drms(the_roll(squad(status="encircled")))["encircled"] == 2


@pytest.mark.rule("9.606-ap")
def test_what_does_not_apply_to_vehicles() -> None:
    names = set(table("escape.vehicle").drm)
    assert names.isdisjoint({"hs_equivalents", "excess_pp", "encircled"})
    tank = piece("v1", GERMAN, "Marder", "Q13", status="encircled")
    assert drms(the_roll(tank)) == {"enemy_area": 1}


# -- Odds -------------------------------------------------------------------------------------


@pytest.mark.rule("9.606-u")
@pytest.mark.parametrize(
    "units",
    [
        [squad("g1")],
        [squad(f"g{n}", status="encircled") for n in range(4)],
        [piece("g1", GERMAN, "9-2", "P14")],
        [piece("v1", GERMAN, "Marder", "Q13")],
        [piece("v1", GERMAN, "Kfz 1", "Q13")],
    ],
)
def test_the_odds_beside_a_choice_are_those_of_36_throws(units: list[Piece]) -> None:
    state = ground(*units)
    ways = escape_ways(state, units)
    given = sheet(state, units, ways[0])
    column = table("escape.vehicle" if units[0].is_vehicle else "escape.infantry")
    plain = dict(given)
    counted: dict[str, int] = {}
    for first in range(1, 7):
        for second in range(1, 7):
            rolled = column.resolve((first, second), plain)
            result = rolled.result
            if not units[0].is_vehicle and rolled.original == 2:
                result = "escapes"
            counted[result] = counted.get(result, 0) + 1
    exact = escape_table(state, units, given).odds(given)
    assert {key: value * 36 for key, value in exact.items() if value} == counted
    shown = odds_words(state, units, given)
    assert shown["Escapes"].words == percent(Fraction(counted["escapes"], 36))
    if units[0].type == "Kfz 1":
        assert set(shown) == {"Escapes", "Abandoned", "Eliminated"}


@pytest.mark.rule("9.606-u")
def test_an_original_2_escapes_whatever_the_drm() -> None:
    units = [squad(f"g{n}", status="encircled") for n in range(4)]
    state = ground(*units)
    ways = escape_ways(state, units)
    given = sheet(state, units, ways[0])
    found = escape_table(state, units, given)
    assert sum(drm.value for drm in found.modifiers(given)) == 10
    assert found.resolve((1, 1), given).result == "escapes"
    assert found.resolve((1, 2), given).result == "all_units_and_equipment_eliminated"
    assert found.odds(given)["escapes"] == Fraction(1, 36)


@pytest.mark.rule("9.606-k", "9.606-l", "9.606-m", "9.606-n", "9.606-o")
def test_rows_of_the_infantry_column() -> None:
    column = table("escape.infantry")
    rows = {final: column.row(final, {}).result for final in range(-3, 20)}
    assert {final for final, result in rows.items() if result == "escapes"} == set(range(-3, 9))
    assert rows[9] == "escapes_replaced"
    assert rows[10] == "escapes_casualty_reduced"
    assert rows[11] == "escapes_replaced_then_casualty_reduced"
    lost = {final for final, result in rows.items() if result.startswith("all_units")}
    assert lost == set(range(12, 20))


@pytest.mark.rule("9.606-p", "9.606-q", "9.606-r", "9.606-s", "9.606-t")
def test_rows_of_the_vehicle_column() -> None:
    column = table("escape.vehicle")
    facts = {final: column.row(final, {}).facts for final in range(-3, 20)}
    for final, fact in facts.items():
        vehicle = {9: "abandoned", 10: "eliminated", 11: "abandoned"}.get(
            final, "escapes" if final < 9 else "eliminated"
        )
        assert fact == {"vehicle": vehicle, "crew": "escapes" if final < 11 else "eliminated"}


# -- Overstacked ------------------------------------------------------------------------------


@pytest.mark.rule("9.606-c")
@pytest.mark.parametrize(
    ("types", "words"),
    [
        (["6-4-8"] * 3, ""),
        (["6-4-8"] * 3 + ["3-3-8"], "3½ squad-equivalents of 3"),
        (["6-4-8"] * 2 + ["2-2-8"] * 2, ""),
        (["8-0"] * 4, ""),
        (["8-0"] * 5, "5 SMC of 4"),
        (["Churchill VII"] * 2, "2 vehicles of 1"),
        (["6-4-8"] * 4 + ["8-0"] * 5, "4 squad-equivalents of 3 and 5 SMC of 4"),
    ],
)
def test_when_a_location_is_overstacked(types: list[str], words: str) -> None:
    units = [piece(f"b{n}", BRITISH, type, "P12") for n, type in enumerate(types)]
    guest = piece("g1", GERMAN, "4-6-7", "P12", status="prisoner", guarded_by="b0")
    state = ground(*units, guest)
    assert overstacking(state, "P12", BRITISH) == words
    gone = update(state, "b0", area="C")
    assert overstacking(gone, "P12", BRITISH) != words or not words


def test_who_mans_a_vehicle_from_aboard_is_not_counted() -> None:
    tank = piece("v1", BRITISH, "Marder", "P12", status="captured")
    crew = piece("b9", BRITISH, "3-3-8", "P12", aboard="v1")
    state = ground(*(piece(f"b{n}", BRITISH, "6-4-8", "P12") for n in range(3)), tank, crew)
    assert overstacking(state, "P12", BRITISH) == ""


def test_the_throws_these_tests_use() -> None:
    assert [sum(throw_of(original)) for original in range(2, 13)] == list(range(2, 13))
    assert isinstance(ground(), Campaign)
