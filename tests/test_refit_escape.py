"""9.606 Escape: what is decided before the DR, and what comes of it; the worked examples."""

from __future__ import annotations

import random
from typing import Any

import pytest
from escape_help import drms, ground, prompts, rolls, throw_of, total
from refit_helpers import BRITISH, GERMAN, campaign_at, piece, refusal, run_step, told
from test_refit_paths import example

from asl_pbcg.campaign.area_map import Territory
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position import Fortification, FortificationKind, TerrainKind
from asl_pbcg.campaign.state import Campaign, accounts_balance, change
from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.kernel.prompts import Note, Prompt, Roll
from asl_pbcg.kernel.views import Line
from asl_pbcg.refit.retention import retain, still_there
from asl_pbcg.refit.s606_escape import escape
from asl_pbcg.refit.situation import territory
from asl_pbcg.refit.vehicle_actions import is_scrounged

Answers = dict[str, Any]


def squad(id: str = "g1", at: str = "P14", **fields: Any) -> Piece:
    return piece(id, GERMAN, "4-6-7", at, **fields)


def run(
    *units: Piece,
    dice: list[Any] | None = None,
    answers: Answers | None = None,
    house: dict[str, str] | None = None,
    **fields: Any,
) -> tuple[Campaign, list[Line], list[Prompt | Roll]]:
    """Run 9.606; ``answers`` by decision point, a list is used up in order. Else defaults."""
    given = {key: list(v) if isinstance(v, list) else v for key, v in (answers or {}).items()}

    def answer(prompt: Prompt) -> Any:
        if prompt.id in given:
            value = given[prompt.id]
            return value.pop(0) if isinstance(value, list) and value else value
        if prompt.default is not None:
            return prompt.default
        if prompt.id == "9.606.2":
            return "stay"
        if prompt.id == "9.606.5":
            return "go"
        raise AssertionError(f"no answer for {prompt.id}: {prompt.text}")

    asked: list[Prompt | Roll] = []
    state = ground(*units, house=house, **fields)
    after, lines = run_step(state, escape, answer, dice or (), asked=asked)
    return after, lines, asked


def original(dr: int) -> tuple[int, int]:
    return throw_of(dr)


# -- The worked examples ----------------------------------------------------------------------


def worked(id: str, dr: int, **house: str) -> tuple[Campaign, Campaign, Roll, str]:
    """One unit of the worked example makes its attempt; the others stay out of it."""
    state = example(**house)
    others = [each.id for each in state.pieces if each.id != id and each.id != "b12"]
    for each in others:
        if state.piece(each).side is GERMAN or each == "b13":
            unit = state.piece(each)
            if not still_there(state, unit) or each in ("g7", "g11", "v1", "v2", "b13"):
                state = retain(state, each, "Setup Area", "C" if each == "b13" else "A")
    asked: list[Prompt | Roll] = []

    def answer(prompt: Prompt) -> Any:
        if prompt.id == "9.606.1":
            return [option.id for option in prompt.options if option.id == id]
        if prompt.id == "9.606.2":
            return "escape" if prompt.text.split()[1] == id else "stay"
        return prompt.default

    after, lines = run_step(change(state, at="9.606"), escape, answer, [original(dr)], asked)
    (roll,) = rolls(asked)
    return state, after, roll, told(lines)


@pytest.mark.rule("9.606-k", "9.606-ah", "9.606-ai", "9.6061-a")
def test_we_07_the_german_squad_in_british_setup_area_a() -> None:
    state, after, roll, _ = worked("g7", 6)
    assert state.areas.area_of(BRITISH, state.piece("g7").location) is not None
    assert drms(roll) == {"enemy_area": 1, "hs_equivalents": 1}
    rolled = roll.resolve(original(6))
    assert (rolled.final, rolled.result) == (8, "escapes")
    assert (after.piece("g7").area, after.piece("g7").type) == ("A", "4-6-7")


@pytest.mark.rule("9.606-q", "9.606-ak")
def test_we_08_the_kuebelwagen() -> None:
    _, after, roll, text = worked("v2", 7)
    assert drms(roll) == {"unarmed_wounded": 1, "enemy_area": 1}
    assert roll.resolve(original(7)).final == 9
    truck = after.piece("v2")
    assert truck.has("abandoned")
    assert (truck.at, truck.area, truck.side) == ("Q13", "", GERMAN)
    assert len(after.pieces) == len(example().pieces), "no crew comes out of it"
    assert "left in Q13, Abandoned" in text


@pytest.mark.rule("9.606-p", "9.6061-a")
def test_we_09_the_tank_in_y17() -> None:
    # The example gives the Final DR of 7 only; by the list its DRM are -1 CT AFV and -1 two hexes.
    _, after, roll, _ = worked("v1", 9)
    assert roll.resolve(original(9)).final == 7
    assert (after.piece("v1").area, after.piece("v1").has("abandoned")) == ("A", False)


@pytest.mark.rule("9.606-n", "9.606-ao", "9.606-ai")
def test_we_10_the_squad_in_z23_as_the_example_counts() -> None:
    _, after, roll, _ = worked("g11", 8, B_08="example")
    assert drms(roll) == {"hs_equivalents": 1, "isolated": 2}
    rolled = roll.resolve(original(8))
    assert (rolled.final, rolled.result) == (11, "escapes_replaced_then_casualty_reduced")
    assert (after.piece("g11").type, after.piece("g11").area) == ("2-3-7", "B")


def test_we_10_the_squad_in_z23_by_the_list_of_drm() -> None:
    # It could reach Setup Area A, which is not Isolated, so that +2 does not hold: B-08.
    _, after, roll, _ = worked("g11", 8)
    assert drms(roll) == {"near_friendly": -2, "hs_equivalents": 1}
    assert roll.resolve(original(8)).final == 7
    assert (after.piece("g11").type, after.piece("g11").area) == ("4-6-7", "B")


@pytest.mark.rule("9.606-b", "9.606-ao", "9.6131-a")
def test_we_11_the_isolated_british_squad_upstairs_in_z15() -> None:
    state, after, roll, _ = worked("b12", 4)
    assert drms(roll) == {"hs_equivalents": 1, "isolated": 2}
    assert total(roll) == 3
    assert after.piece("b12").area == "B"
    # Vacant, that Location is still British-Controlled.
    assert "Z15/1" in after.control.british
    assert after.determined is state.determined
    areas = after.areas
    assert areas.area_of(BRITISH, Location.parse("Z15/1")) == areas[BRITISH, "D"]


@pytest.mark.rule("9.606-b")
def test_we_11_its_options() -> None:
    asked: list[Prompt | Roll] = []
    state = ground(piece("b12", BRITISH, "6-4-8", "Z15/1"))
    after, _ = run_step(state, escape, ["stay"], asked=asked)
    (prompt,) = prompts(asked, "9.606.2")
    assert [option.id for option in prompt.legal] == ["escape", "stay"]
    attempt, stay = prompt.options
    assert attempt.consequence.endswith("+1 two HS-equivalents, +2 Isolated = +3")
    assert attempt.odds == {
        "Escapes": "28%",
        "Replaced": "14%",
        "Reduced": "17%",
        "Replaced and Reduced": "14%",
        "Eliminated": "28%",
    }
    assert "9.62021" in stay.consequence
    assert after.piece("b12").area == "D"


# -- Overstacked ------------------------------------------------------------------------------


@pytest.mark.rule("9.606-c")
@pytest.mark.parametrize(("many", "leave"), [(3, 0), (4, 1)])
def test_who_escapes_into_a_full_isolated_area_makes_others_leave(many: int, leave: int) -> None:
    """F-09: D14, alone amid German buildings, holds three squads; the fourth must go on."""
    inside = [piece(f"b{n}", BRITISH, "6-4-8", "D14", area="A") for n in range(many - 1)]
    comes = piece("b9", BRITISH, "6-4-8", "D13")
    ring = ["C14", "D13", "D15", "E14", "E15", "C15"]
    house = {"C-05": "joins-only"}
    state = campaign_at(
        "9.606", *inside, comes, british=["D14"], german=[*ring, "Y19", "Y20"], house_rules=house
    )
    (area,) = state.areas.areas[BRITISH]
    assert (area.isolated, area.hexes.names) == (True, ["D14"])
    asked: list[Prompt | Roll] = []

    def answer(prompt: Prompt) -> Any:
        if prompt.id == "9.606.2":
            return "stay"
        return prompt.default if prompt.default is not None else prompt.legal[0].id

    dice = [original(3), *[original(3)] * leave]
    after, _ = run_step(state, escape, answer, dice, asked)
    assert len(rolls(asked)) == 1 + leave
    left = [unit for unit in after.pieces if unit.area == "A"]
    assert len(left) == 3
    assert [each.id for each in prompts(asked, "9.606.2c")] == ["9.606.2c"] * leave


# -- Results, vehicles ------------------------------------------------------------------------


def tank(type: str = "PzKpfw IVH", **fields: Any) -> Piece:
    return piece("v1", GERMAN, type, "Q13", vca="Q12/R12", **fields)


@pytest.mark.rule("9.606-p", "9.6061-a")
def test_a_vehicle_that_escapes() -> None:
    after, _, asked = run(tank(), dice=[original(8)])
    assert drms(rolls(asked)[0]) == {"ct_afv": -1, "enemy_area": 1}
    assert after.piece("v1").area == "A"


@pytest.mark.rule("9.606-q", "9.606-y", "9.606-z")
def test_a_9_abandons_it_and_the_crew_escapes() -> None:
    leader = piece("g9", GERMAN, "9-1 Armor Leader", "Q13", aboard="v1")
    after, _, asked = run(tank(), leader, dice=[original(10)])
    vehicle = after.piece("v1")
    assert vehicle.has("abandoned")
    assert (vehicle.at, vehicle.vca, vehicle.area) == ("Q13", "Q12/R12", "")
    (crew,) = [unit for unit in after.pieces if unit.kind == "crew"]
    assert (crew.type, crew.area) == ("1-2-7", "A")
    assert after.piece("g9").area == "A"
    asked = [each for each in asked if not each.id.startswith("catalogue")]
    assert [each.id for each in asked] == ["9.606.8", "9.606.11", "9.606.11a"]


@pytest.mark.rule("9.606-y", "9.606-z")
def test_the_surviving_crew_scrounges_and_wrecks_it() -> None:
    answers = {"9.606.11": "succeeded", "9.606.11a": "burnt-out"}
    after, _, asked = run(tank("38H 735(f)"), answers=answers, dice=[original(9)])
    (crew,) = [unit for unit in after.pieces if unit.kind == "crew"]
    (found,) = [after.piece(id) for id in crew.possesses]
    assert (found.type, found.area) == ("LMG(f)", "A")
    wreck = after.terrain[-1]
    assert (wreck.kind, wreck.at, wreck.type) == (
        TerrainKind.BURNT_OUT_WRECK,
        "Q13",
        "38H 735(f)",
    )
    only = prompts(asked, "9.606.11a")[0]
    assert "Scrounged Wreck is Burnt-Out" in refusal(only, "wreck")


@pytest.mark.rule("9.606-z")
def test_a_scrounge_that_fails_or_leaves_the_vehicle() -> None:
    after, _, _ = run(tank(), answers={"9.606.11": "failed"}, dice=[original(9)])
    assert not is_scrounged(after.piece("v1"))
    after, _, _ = run(tank(), answers={"9.606.11": "succeeded"}, dice=[original(9)])
    vehicle = after.piece("v1")
    assert is_scrounged(vehicle)
    assert vehicle.has("bmg-disabled")


@pytest.mark.rule("9.606-r", "9.606-aa", "9.2-j")
def test_a_10_eliminates_it_and_the_crew_may_scrounge_first() -> None:
    answers = {"9.606.11": "succeeded"}
    after, _, asked = run(tank(), answers=answers, dice=[original(10)])
    assert not any(unit.id == "v1" for unit in after.pieces)
    assert not prompts(asked, "9.606.11a")
    assert not any(each.at == "Q13" for each in after.terrain)
    (crew,) = [unit for unit in after.pieces if unit.kind == "crew"]
    assert [after.piece(id).type for id in crew.possesses] == ["LMG"]


@pytest.mark.rule("9.606-s")
def test_an_11_abandons_it_and_the_crew_is_eliminated() -> None:
    leader = piece("g9", GERMAN, "9-1 Armor Leader", "Q13", aboard="v1")
    after, lines, asked = run(tank(), leader, dice=[original(12)])
    assert [unit.id for unit in after.pieces] == ["v1"]
    assert after.piece("v1").has("abandoned")
    assert "crew of PzKpfw IVH v1 is Eliminated" in told(lines)
    assert [each.id for each in asked] == ["9.606.8"]


@pytest.mark.rule("9.606-t")
def test_a_12_eliminates_both() -> None:
    after, _, _ = run(tank("Marder"), dice=[original(12)])
    assert not after.pieces


@pytest.mark.rule("9.606-j")
def test_a_towed_gun_is_left() -> None:
    gun = piece("w1", GERMAN, "50L AT", "Q13", status="hooked")
    after, _, _ = run(tank(tows="w1"), gun, dice=[original(5)])
    assert (after.piece("w1").at, after.piece("w1").area) == ("Q13", "")
    assert not after.piece("w1").has("hooked")
    assert after.piece("v1").tows == ()


@pytest.mark.rule("9.606-p", "9.6061-a")
def test_who_mans_a_vehicle_from_aboard_takes_its_sw_along() -> None:
    captured = piece("v1", BRITISH, "Marder", "V12", status="captured")
    crew = piece("b1", BRITISH, "3-3-8", "V12", aboard="v1", possesses="w1")
    after, _, asked = run(captured, crew, piece("w1", BRITISH, "LMG", "V12"), dice=[original(4)])
    assert drms(rolls(asked)[0])["captured_vehicle"] == 1
    assert len({after.piece(id).area for id in ("v1", "b1", "w1")}) == 1
    assert after.piece("w1").area


@pytest.mark.rule("9.606-a")
@pytest.mark.parametrize(
    ("at", "own", "dr", "area"),
    [("P14", "", 3, "A"), ("P14", "", 12, ""), ("Z20", "B", 3, "A"), ("Z20", "B", 12, "")],
)
def test_an_armor_leader_on_foot_shares_the_lot_of_his_crew(
    at: str, own: str, dr: int, area: str
) -> None:
    crew = piece("g1", GERMAN, "1-2-7", at, area=own)
    leader = piece("g9", GERMAN, "9-1 Armor Leader", at, area=own)
    answers = {"9.606.2": "escape"}
    after, lines, _ = run(crew, leader, answers=answers, dice=[original(dr)])
    assert [unit.area for unit in after.pieces] == ([area, area] if area else [])
    assert ("is lost with his crew" in told(lines)) is (not area)


# -- Afterwards -------------------------------------------------------------------------------


@pytest.mark.rule("9.6062-a")
def test_encircled_markers_come_off() -> None:
    inside = squad("g1", "V12", status="encircled")
    after, lines, _ = run(inside, squad("g2", status="encircled"), dice=[original(3)])
    assert not any(unit.has("encircled") for unit in after.pieces)
    assert lines[-1].rule == "9.6062"


@pytest.mark.rule("9.6054-c", "9.606-a", "9.6131-a")
def test_what_the_enemy_vacates_by_escape_does_not_join_the_area_round_it() -> None:
    holes = [Fortification(kind=FortificationKind.FOXHOLE, at=at, size=1) for at in ("U5", "U6")]
    fields = {"german": ["V12"], "british": ["U5"], "fortifications": holes}
    lone = squad("g1", "U6")
    state = ground(lone, **fields)
    assert territory(state, lone) is Territory.UNCONTROLLED
    after, _, _ = run(lone, dice=[original(3)], **fields)
    assert after.piece("g1").area == "A"
    areas = after.areas
    assert areas.area_of(BRITISH, Location.parse("U6")) is None
    # Had it been empty when 9.605 came, it would have joined.
    empty = ground(squad("g1", "V12"), **fields).areas
    assert empty.area_of(BRITISH, Location.parse("U6")) is empty[BRITISH, "A"]


@pytest.mark.rule("9.6131-a")
def test_control_stays_where_the_last_unit_left() -> None:
    lone = piece("b1", BRITISH, "6-4-8", "X18")
    after, _, _ = run(lone, answers={"9.606.2": "escape"}, dice=[original(3)])
    assert after.piece("b1").area == "C"
    assert "X18" in after.control.british


def test_nothing_to_do_is_told_and_nothing_is_asked() -> None:
    _, lines, asked = run(squad("g1", "V12"))
    assert not asked
    assert told(lines).count("nobody") == 2


@pytest.mark.rule("9.606-a")
def test_locations_come_in_alphanumeric_order() -> None:
    units = [squad("g1", "Z23"), squad("g2", "P14"), piece("b1", BRITISH, "6-4-8", "V12")]
    _, _, asked = run(*units, dice=[original(4)] * 3)
    assert [roll.where for roll in rolls(asked)] == ["P14", "V12", "Z23"]


# -- Random legal play ------------------------------------------------------------------------

PLACES = ["P14", "P12", "Q13", "X18", "Y19", "Z15/1", "Z23", "Y17", "Z20", "AA23", "V12", "W21"]
TYPES = {
    BRITISH: ["6-4-8", "3-3-8", "4-5-8", "2-2-8", "9-1", "8-0", "1-4-9", "Churchill VII"],
    GERMAN: ["4-6-7", "4-3-6", "2-4-7", "2-2-8", "9-2", "8-0", "Marder", "Kfz 1", "38H 735(f)"],
}
WEAPONS = {BRITISH: ["LMG", "PIAT", "MMG", "57L AT"], GERMAN: ["LMG", "MMG", "HMG", "50L AT"]}
CHOICES = {
    "B-07": ["outright", "dr"],
    "B-08": ["strict", "example"],
    "B-09": ["own-hex-free", "own-hex-counts"],
    "C-53": ["once", "each"],
    "C-58": ["fewest-enemy-first", "nearest-first"],
    "C-79": ["nml-allowed", "strict"],
    "C-80": ["isolated-allowed", "non-isolated"],
    "C-94": ["range", "route"],
    "P-12": ["all", "again"],
}


def any_ground(source: random.Random) -> Campaign:
    pieces: list[Piece] = []
    for number in range(source.randint(4, 14)):
        side = source.choice([BRITISH, GERMAN])
        place, type = source.choice(PLACES), source.choice(TYPES[side])
        unit = piece(f"u{number}", side, type, place, airborne=source.random() < 0.7)
        if unit.is_vehicle:
            place = place.partition("/")[0]
            unit = piece(f"u{number}", side, type, place)
        elif source.random() < 0.6:
            held = piece(f"w{number}", side, source.choice(WEAPONS[side]), place)
            pieces.append(held)
            unit = piece(
                f"u{number}",
                side,
                type,
                place,
                airborne=unit.airborne,
                possesses=held.id,
                status=source.choice(["", "encircled"]),
            )
        pieces.append(unit)
    house = {id: source.choice(values) for id, values in CHOICES.items()}
    return ground(*pieces, house=house, date=source.choice(list(CGDate)[:-1]))


@pytest.mark.rule("9.606-a")
@pytest.mark.parametrize("seed", range(60))
def test_random_legal_play_reaches_the_end_and_everybody_is_somewhere(seed: int) -> None:
    source = random.Random(f"escape/{seed}")
    state = any_ground(source)
    script = escape(state)
    sent: Any = None
    for _ in range(3000):
        try:
            item = script.send(sent)
        except StopIteration as finished:
            after: Campaign = finished.value
            break
        sent = None
        if isinstance(item, Roll):
            faces = tuple(source.randint(1, 6) for _ in range(item.spec.count))
            sent = item.resolve(faces)
        elif isinstance(item, Prompt):
            assert len(item.legal) > 1 or item.kind == "choose-some"
            for option in item.options:
                if option.refused:
                    assert option.rule
                    assert option.refused in refusal(item, option.id)
            sent = item.check(item.random_answer(source))
        else:
            assert isinstance(item, Note)
    else:
        raise AssertionError("it does not come to an end")
    assert accounts_balance(after)
    areas = after.areas
    known = {area.id for area in (*areas.areas[BRITISH], *areas.areas[GERMAN])}
    known |= {each.id for side in (BRITISH, GERMAN) for each in areas.entry_areas[side]}
    from asl_pbcg.refit.s606_who import must_escape

    assert not must_escape(after)
    assert not any(unit.has("encircled") for unit in after.pieces)
    for unit in after.pieces:
        assert unit.area in known | {""}
        for item in unit.possesses:
            if after.piece(item).kind != "gun":
                assert after.piece(item).area == unit.area or not unit.area
