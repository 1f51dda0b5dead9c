"""9.615 OB-given reinforcements and the withdrawal after Day II. Rule: 9.615-9.6153."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from refit_helpers import BRITISH, GERMAN, by_point, piece, run_step, told
from repair_help import campaign, isolated_british, prompts
from sentences import Tells, says

from asl_pbcg.campaign.scenario.reinforcement_places import (
    entry_hexes,
    gun_hexes,
    note_areas,
    setup_hexes,
)
from asl_pbcg.campaign.state.campaign_state import Campaign, change
from asl_pbcg.campaign.state.piece_changes import update
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.kernel.answers import likeliest
from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.refit.helpers.guards import no_longer_prisoner
from asl_pbcg.refit.helpers.retention import retain
from asl_pbcg.refit.helpers.situation import withdrawn_later
from asl_pbcg.refit.helpers.vehicle_actions import is_manned_by, man
from asl_pbcg.refit.helpers.withdrawal import withdrawal
from asl_pbcg.refit.s604_encirclement import encirclement_minefields_bog_shock
from asl_pbcg.refit.s615_reinforcements import obg_reinforcements
from asl_pbcg.refit.setup.setup_rules import setups
from asl_pbcg.refit.setup.stacking import area_excess, locations_of, no_room

OX = "2nd Oxfordshire and Buckinghamshire Light Infantry"
AIRBORNE = "Airborne reinforcements of Night II to Dawn"
OTHERS = "Reinforcements of Day II and Dusk"


def receive(
    played: CGDate, answers: dict[str, str] | None = None, *pieces: Piece, **fields: Any
) -> tuple[Campaign, list[Any], list[Prompt | Roll]]:
    """Run 9.615 after the scenario ``played``; what is not named takes the first area there is."""
    given = answers or {}
    state, lines = run_step(
        campaign(*pieces, played=played, **fields),
        obg_reinforcements,
        lambda prompt: given.get(prompt.id) or likeliest(prompt),
    )
    return state, lines, lines.asked


def types(state: Campaign) -> dict[str, int]:
    return dict(Counter(each.type for each in state.of(BRITISH)))


# -- 9.6152 -----------------------------------------------------------------------------------

PRINTED: list[tuple[CGDate, dict[str, int], int]] = [
    (CGDate.NIGHT_1, {"6-4-8": 1, "4-5-8": 1, "2-4-8": 1, "7-0": 1, "LMG": 1}, 10),
    (CGDate.NIGHT_2, {"6-4-8": 18, "10-2": 1, "9-2": 1, "9-1": 1, "8-0": 2, "7-0": 1, "LMG": 5,
                      "PIAT": 4}, 20),
    (CGDate.NIGHT_3, {"6-4-8": 4, "8-0": 1, "LMG": 1, "PIAT": 1, "57L AT": 2, "2-2-8": 2}, 15),
    (CGDate.DAWN, {}, 15),
    (CGDate.DAY_1, {"6-4-8": 15, "10-3": 1, "9-1": 1, "8-1": 1, "8-0": 2, "LMG": 4, "PIAT": 2,
                    "FT": 1, "Sherman V (DD)": 1}, 15),
    (CGDate.DAY_2, {}, 15),
    (CGDate.DAY_3, {"4-5-8": 10, "4-5-7": 15, "2-2-8": 1, "9-1": 1, "8-1": 1, "8-0": 1, "7-0": 2,
                    "HMG": 2, "MMG": 2, "LMG": 4, "51 MTR": 2, "PIAT": 4, "Churchill VII": 6,
                    "Stuart V(a)": 3, "Carrier C": 3, "Carrier 3 in.": 1, "Loyd Carrier": 1,
                    "57L AT": 1}, 10),
]  # fmt: skip


@pytest.mark.rule("9.6152-a", "9.6152-b", "9.6152-c", "9.6152-d", "9.6152-e", "9.6152-f",
                  "9.6152-g", "9.615-a")  # fmt: skip
@pytest.mark.parametrize(("played", "units", "fpp"), PRINTED)
def test_the_allotment_of_each_cg_date(played: CGDate, units: dict[str, int], fpp: int) -> None:
    state, lines, _ = receive(played, None, piece("g1", GERMAN, "4-6-7", "A7", area="A"))
    assert types(state) == units
    assert [each.id for each in state.of(GERMAN)] == ["g1"]
    assert state.fpp == {BRITISH: fpp}
    assert state.account.fpp_received == {BRITISH: fpp}
    assert says(told(lines), "British", f"{fpp} FPP")
    assert all(each.received is played.next for each in state.of(BRITISH))


@pytest.mark.rule("9.6152-g")
def test_the_hmg_and_mmg_of_dusk_are_dismantled() -> None:
    state, _, _ = receive(CGDate.DAY_3)
    assert {each.type for each in state.pieces if each.has("dm")} == {"HMG", "MMG"}
    assert sum(each.has("dm") for each in state.pieces) == 4
    assert "dm HMG x2, dm MMG x2" in state.account.reinforcements


@pytest.mark.rule("9.6152-a")
def test_fpp_are_added_to_those_there_are() -> None:
    state, _, _ = receive(CGDate.NIGHT_1, fpp={BRITISH: 3.0, GERMAN: 15.0})
    assert state.fpp == {BRITISH: 13.0, GERMAN: 15.0}


@pytest.mark.rule("9.6152-j")
@pytest.mark.parametrize("played", [CGDate.NIGHT_1, CGDate.NIGHT_2, CGDate.NIGHT_3])
def test_in_cg_ii_the_reinforcements_of_night_ii_to_dawn_are_not_received(played: CGDate) -> None:
    state, lines, asked = receive(played, campaign="CG2")
    assert not state.pieces
    assert not state.fpp
    assert not asked
    assert "9.6152 note 2" in told(lines)
    assert types(receive(CGDate.DAY_1, campaign="CG2")[0]) == PRINTED[4][1]


@pytest.mark.rule("9.6152-m", "9.6153-b")
@pytest.mark.parametrize("played", [CGDate.NIGHT_1, CGDate.NIGHT_2, CGDate.NIGHT_3])
def test_note_4_the_non_crew_mmc_are_airborne_and_their_sw_and_smc_are_theirs(
    played: CGDate,
) -> None:
    state, _, _ = receive(played)
    for each in state.of(BRITISH):
        assert each.airborne is (each.kind != "crew")
        assert each.formation == (OX if played is CGDate.NIGHT_1 else AIRBORNE)


@pytest.mark.rule("9.6152-m", "9.6153-a", "9.6153-b")
@pytest.mark.parametrize(("formation", "airborne"), [(AIRBORNE, True), (OTHERS, False)])
def test_note_4_a_crew_that_becomes_an_hs_is_airborne_if_its_formation_is(
    formation: str, airborne: bool
) -> None:
    """A crew freed in 9.608 is a 2-2-6; after Day II only that of the others is withdrawn."""
    crew = piece("b1", BRITISH, "2-2-8", "X22", area="A", formation=formation, status="unarmed")
    freed = no_longer_prisoner(campaign(crew, played=CGDate.DAY_2), "b1")
    state, _ = run_step(campaign(crew, played=CGDate.DAY_2), lambda _: freed)
    assert (state.piece("b1").kind, state.piece("b1").airborne) == ("half_squad", airborne)
    after, _ = run_step(state, withdrawal)
    assert [each.id for each in after.of(BRITISH)] == (["b1"] if airborne else [])
    assert withdrawn_later(state, state.piece("b1")) is not airborne


@pytest.mark.rule("9.6152-n")
def test_note_5_the_night_ii_units_are_ox_and_bucks() -> None:
    assert all(each.ox_and_bucks for each in receive(CGDate.NIGHT_1)[0].pieces)
    assert not any(each.ox_and_bucks for each in receive(CGDate.NIGHT_2)[0].pieces)


@pytest.mark.rule("9.6152-m", "9.6153-b")
@pytest.mark.parametrize("played", [CGDate.DAY_1, CGDate.DAY_3])
def test_units_of_day_ii_and_dusk_are_not_airborne(played: CGDate) -> None:
    state, _, _ = receive(played)
    assert {each.formation for each in state.pieces} == {OTHERS}
    assert not any(each.airborne or each.ox_and_bucks for each in state.pieces)


# -- 9.6151 -----------------------------------------------------------------------------------


@pytest.mark.rule("9.6151-a", "9.6151-b", "9.615-a")
@pytest.mark.parametrize("played", [CGDate.DAY_1, CGDate.DAY_3])
def test_reinforcements_of_day_ii_and_dusk_wait_off_map_at_tt14(
    tells: Tells, played: CGDate
) -> None:
    state, lines, asked = receive(played)
    assert not asked  # on which turn they enter, or not at all, is decided in play
    for each in state.pieces:
        assert (each.listed_at, each.area, each.at) == ("TT14", "TT14", "off-map TT14")
        assert next(iter(entry_hexes(state, each))) == "TT10"
    (waiting,) = [line for line in lines if line.rule == "9.6151"]
    assert waiting.secret
    assert waiting.side == BRITISH
    tells(waiting.text, "enter")


@pytest.mark.rule("9.6151-a")
def test_house_rule_tt4() -> None:
    state, _, _ = receive(CGDate.DAY_1, house_rules={"A-05": "TT4"})
    assert {each.at for each in state.pieces} == {"off-map TT4"}
    assert "TT4" in entry_hexes(state, state.pieces[0])
    dusk, _, _ = receive(CGDate.DAY_3, house_rules={"A-05": "TT4"})
    assert {each.at for each in dusk.pieces} == {"off-map TT14"}


@pytest.mark.rule("9.6151-c", "9.6151-d")
def test_what_is_still_off_map_is_retained_and_keeps_its_place() -> None:
    day_2, _, _ = receive(CGDate.DAY_1)
    waiting = [each for each in day_2.pieces if each.type == "6-4-8"][:2]
    # the Day II scenario is played without them; TT14 names Day II and Dusk, not Day III
    after, _, _ = receive(CGDate.DAY_2, None, *waiting)
    assert [each.at for each in after.pieces] == ["off-map TT14"] * 2
    assert "TT14" in entry_hexes(after, after.pieces[0])
    assert [each.words for each in setups(after, BRITISH)] == ["enters at Entry Area TT14"] * 2
    dated = change(after, house_rules={"P-59": "arrow-dates"})
    assert not entry_hexes(dated, dated.pieces[0])
    assert [each.words for each in setups(dated, BRITISH)] == ["is held off map"] * 2


@pytest.mark.rule("9.6152-h", "9.6151-b")
def test_note_1_units_set_up_in_any_non_isolated_british_area_or_are_held() -> None:
    state, _, asked = receive(CGDate.NIGHT_1, {"9.6152.2": "B"})
    (prompt,) = prompts(asked)
    assert [option.id for option in prompt.options] == ["A", "B", "split", "hold"]
    assert (prompt.side, prompt.secret) == (BRITISH, True)
    assert {(each.area, each.at) for each in state.pieces} == {("B", "")}
    held, _, _ = receive(CGDate.NIGHT_1, {"9.6152.2": "hold"})
    assert {(each.area, each.at, each.listed_at) for each in held.pieces} == {
        ("Z28", "off-map Z28", "note 1")
    }
    assert not entry_hexes(held, held.pieces[0])
    assert all("held" in each.words for each in setups(held, BRITISH))


@pytest.mark.rule("9.6152-h")
def test_note_1_units_may_be_split() -> None:
    state = campaign(played=CGDate.NIGHT_1)
    answers = ["split", ["b-648-1", "b-lmg-1"], ["b-458-1"]]
    after, _ = run_step(state, obg_reinforcements, answers)
    areas = {each.id: each.area for each in after.pieces}
    assert areas == {
        "b-648-1": "A", "b-458-1": "B", "b-248-1": "Z28", "b-7-0-1": "Z28", "b-lmg-1": "A",
    }  # fmt: skip


def _nearly_full(area: str, squads: int, smc: int = 0) -> Campaign:
    """Before the reinforcements of Night II; so many more squads would fill ``area``."""
    empty = campaign(played=CGDate.NIGHT_1)
    room = len(locations_of(empty, empty.areas[BRITISH, area]))
    there = [piece(f"m{n}", BRITISH, "6-4-8", area=area) for n in range(3 * room - squads)]
    there += [piece(f"s{n}", BRITISH, "8-0", area=area) for n in range(smc)]
    return campaign(*there, played=CGDate.NIGHT_1)


@pytest.mark.rule("9.6152-h")
def test_no_more_set_up_in_an_area_than_it_has_room_for(tells: Tells) -> None:
    """Night II brings two and a half squads and a leader; there is room for one squad in A."""
    state = _nearly_full("A", 1)

    def answer(prompt: Prompt) -> Any:
        return "split" if prompt.id == "9.6152.2" else places.pop(0)

    places = [["b-648-1", "b-7-0-1", "b-lmg-1"], ["b-458-1", "b-248-1"]]
    after, log = run_step(state, obg_reinforcements, answer)
    where, some, _ = log.prompts()
    assert (where.default, some.default) == (None, "none")
    tells(where.option("A").refused, "room", "squad-equivalents")
    assert where.option("A").rule == "A5.1"
    areas = {each.id: each.area for each in after.pieces if each.listed_at}
    assert areas["b-648-1"] == areas["b-7-0-1"] == areas["b-lmg-1"] == "A"
    assert areas["b-458-1"] == areas["b-248-1"] == "B"
    with pytest.raises(IllegalAnswer, match="room"):
        some.check(["b-648-1", "b-458-1"])
    for seed in range(20):
        assert some.check(some.random_answer(random.Random(seed))) != ["b-648-1", "b-458-1"]


@pytest.mark.rule("9.6152-h")
def test_too_many_leaders_in_an_area_leave_room_for_squads() -> None:
    """An excess of an area bars only more of the same."""
    empty = campaign(played=CGDate.NIGHT_1)
    room = len(locations_of(empty, empty.areas[BRITISH, "A"]))
    state = _nearly_full("A", 9, smc=4 * room + 1)
    area = state.areas[BRITISH, "A"]
    assert "smc" in area_excess(state, area)
    assert not no_room(state, area, [piece("x1", BRITISH, "6-4-8")])
    assert "SMC" in no_room(state, area, [piece("x1", BRITISH, "8-0")])
    assert not no_room(state, area, [piece("x1", BRITISH, "8-0")], going=["s0", "s1"])


@pytest.mark.rule("9.6151-d", "9.6152-h")
def test_what_was_held_is_placed_on_the_next_cg_date_by_its_own_note() -> None:
    held, _, _ = receive(CGDate.NIGHT_1, {"9.6152.2": "hold"})
    after, _, _ = receive(CGDate.DAWN, {"9.6152.2": "B"}, *held.pieces)
    assert {(each.area, each.at) for each in after.pieces} == {("B", "")}


@pytest.mark.rule("9.6151-d")
def test_who_was_on_map_and_escaped_off_map_is_no_reinforcement_any_more() -> None:
    squad = piece("b1", BRITISH, "6-4-8", "S10", listed_at="note 1", possesses="l1")
    lmg = piece("l1", BRITISH, "LMG", "S10", listed_at="note 1")
    state = retain(campaign(squad, lmg), "b1", "Entry Area", "Z28")
    after, _ = run_step(state, obg_reinforcements)
    assert [(each.at, each.listed_at) for each in after.pieces] == [("off-map Z28", "")] * 2
    assert {each.words for each in setups(after, BRITISH)} == {"enters at Entry Area Z28"}


@pytest.mark.rule("9.6152-h")
def test_an_isolated_area_is_no_place_for_note_1() -> None:
    ring = ["G8", "I8", "K8", "G10", "K10", "G12", "I12", "K12", "H6", "J6", "H14", "J14"]
    state = campaign(played=CGDate.NIGHT_1, british=["I10", "Z21"], german=ring)
    assert [area.isolated for area in state.areas.areas[BRITISH]] == [True, False]
    assert [area.id for area in note_areas(state, "note 1")] == ["B"]


@pytest.mark.rule("9.6152-i")
@pytest.mark.parametrize(("rule", "count"), [("as-printed", 1), ("whole-area", 9)])
def test_note_1_without_a_place_on_map_z28_is_eligible(rule: str, count: int) -> None:
    state = isolated_british(played=CGDate.NIGHT_1, house_rules={"B-12": rule})
    after, lines = run_step(state, obg_reinforcements)
    assert {each.at for each in after.pieces} == {"off-map Z28"}
    hexes = entry_hexes(after, after.pieces[0])
    assert "Z28" in hexes
    assert len(hexes) == count
    assert "9.6152 note 1" in told(lines)
    where = "hex Z28" if count == 1 else "Entry Area Z28"
    assert {each.words for each in setups(after, BRITISH)} == {f"enters at {where}"}


@pytest.mark.rule("9.6152-k")
def test_note_3_guns_set_up_in_hexes_numbered_20_or_more() -> None:
    held = ["M12", "V19"]  # Setup Areas A and B; only B has such hexes, and others too
    state, _, asked = receive(CGDate.NIGHT_3, {"9.6152.2": "B"}, british=held)
    guns, others = prompts(asked)
    assert [option.id for option in guns.options] == ["B", "split", "hold"]
    assert [option.id for option in others.options] == ["A", "B", "split", "hold"]
    gun = next(each for each in state.pieces if each.kind == "gun")
    hexes = setup_hexes(state, gun)
    assert hexes
    assert all(int(name.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")) >= 20 for name in hexes)
    area = state.areas[BRITISH, "B"]
    assert hexes == gun_hexes(state, area)
    assert set(area.hexes) - set(hexes)
    (allowed,) = [each for each in setups(state, BRITISH) if each.piece.id == gun.id]
    assert allowed.hexes == hexes
    squad = next(each for each in state.pieces if each.kind == "squad")
    assert setup_hexes(state, squad) is None


@pytest.mark.finding("G-16")
@pytest.mark.rule("9.6152-k", "9.2-j")
def test_note_3_guns_set_up_in_no_pond() -> None:
    held = ["V22", "W22"]
    state, _, _ = receive(CGDate.NIGHT_3, british=held, gliders=dict.fromkeys(held, "landed"))
    ponds = set(state.board.terrain("pond")) & set(state.areas[BRITISH, "A"].hexes)
    assert ponds
    gun = next(each for each in state.pieces if each.kind == "gun")
    (allowed,) = [each for each in setups(state, BRITISH) if each.piece.id == gun.id]
    assert allowed.hexes and not ponds & set(allowed.hexes)


@pytest.mark.rule("9.6152-l")
@pytest.mark.parametrize("with_them", ["yes", "no"])
def test_note_3_without_a_place_the_guns_are_manhandled_on_at_z28(
    tells: Tells, with_them: str
) -> None:
    state, lines, asked = receive(CGDate.NIGHT_3, {"9.6152.4": with_them}, british=["M12"])
    guns = [each for each in state.pieces if each.kind == "gun"]
    assert {each.at for each in guns} == {"off-map Z28"}
    assert len(entry_hexes(state, guns[0])) == 9
    tells(told(lines), "Entry Area Z28", "Manhandled")
    words = {each.words for each in setups(state, BRITISH) if each.piece.kind == "gun"}
    assert words == {"enters at Entry Area Z28, Manhandled"}
    crews = {(each.area, each.listed_at) for each in state.pieces if each.kind == "crew"}
    assert crews == ({("Z28", "note 3")} if with_them == "yes" else {("A", "note 1")})
    assert [each.id for each in asked] == ["9.6152.4", "9.6152.2"]


# -- 9.6153 -----------------------------------------------------------------------------------


def after_day_2(**fields: Any) -> Campaign:
    common = {"formation": OTHERS, "area": "A"}
    airborne = {"formation": AIRBORNE, "airborne": True, "area": "A"}
    return campaign(
        piece("n1", BRITISH, "6-4-8", "M12", possesses="l1 l2", **common),
        piece("n2", BRITISH, "3-3-8", "S10", formation=OTHERS),
        piece("n3", BRITISH, "8-0", "M12", **common),
        piece("n4", BRITISH, "1-2-7", "M12", **common),
        piece("n5", BRITISH, "6-4-8", "off-map TT14", formation=OTHERS, area="TT14"),
        piece("v1", BRITISH, "Sherman V (DD)", "M12", **common),
        piece("l1", BRITISH, "LMG", "M12", **common),
        piece("l2", BRITISH, "PIAT", "M12", **airborne),
        piece("l3", BRITISH, "LMG", "M13", **common),
        piece("a1", BRITISH, "6-4-8", "M12", possesses="l4", **airborne),
        piece("a2", BRITISH, "8-0", "M12", **airborne),
        piece("l4", BRITISH, "LMG", "M12", **common),
        piece("g1", GERMAN, "4-6-7", "A7", area="A"),
        played=CGDate.DAY_2,
        **fields,
    )


@pytest.mark.rule("9.6153-a", "9.6153-b")
def test_the_non_airborne_are_withdrawn_with_their_sw_and_smc(tells: Tells) -> None:
    state, lines = run_step(after_day_2(), obg_reinforcements)
    assert [each.id for each in state.pieces] == ["n4", "n5", "v1", "l2", "a1", "a2", "g1"]
    assert {each.piece.id: each.how for each in state.gone} == dict.fromkeys(
        ["n1", "n2", "n3", "l1", "l3", "l4"], "withdrawn"
    )
    assert state.piece("a1").possesses == ()
    tells(told(lines), "PIAT", "l2")
    assert state.fpp == {BRITISH: 15}


@pytest.mark.rule("9.6153-a")
@pytest.mark.parametrize("played", [CGDate.DAY_1, CGDate.DAY_3])
def test_nobody_is_withdrawn_in_another_reph(played: CGDate) -> None:
    pieces = after_day_2().pieces
    state = campaign(*pieces, played=played)
    assert run_step(state, withdrawal) == (state, [])


@pytest.mark.rule("9.6153-a")
def test_house_rule_off_map_units_are_withdrawn_too() -> None:
    state, _ = run_step(after_day_2(house_rules={"C-35": "all"}), obg_reinforcements)
    assert "n5" not in [each.id for each in state.pieces]


@pytest.mark.rule("9.6153-a")
def test_house_rule_withdrawn_at_once() -> None:
    """C-36: at the start of the RePh, after CG-Scenario End, or in its turn."""
    for rule, gone in (("at-9.6153", False), ("at-once", True)):
        state = change(after_day_2(house_rules={"C-36": rule}), date=CGDate.DAY_2, determined=None)
        after, _ = run_step(state, encirclement_minefields_bog_shock)
        assert ("n1" not in [each.id for each in after.pieces]) is gone


@pytest.mark.rule("9.6153-b")
def test_where_no_formation_is_recorded_the_british_say_who_leaves() -> None:
    state = campaign(
        piece("n1", BRITISH, "6-4-8", "M12", formation=OTHERS, area="A", possesses="m1"),
        piece("m1", BRITISH, "MMG", "M12", area="A", status="captured"),
        piece("m2", BRITISH, "MMG", "M12", area="A", status="captured"),
        piece("s1", BRITISH, "8-0", "M12", area="A"),
        piece(
            "a1",
            BRITISH,
            "6-4-8",
            "M12",
            area="A",
            airborne=True,
            formation=AIRBORNE,
            possesses="m3",
        ),
        piece("m3", BRITISH, "MMG", "M12", area="A", status="captured"),
        played=CGDate.DAY_2,
    )
    after, log = run_step(state, withdrawal, [["m1"]])
    assert [option.id for option in log.prompts()[0].options] == ["m1", "s1"]
    assert [each.id for each in after.pieces] == ["m2", "s1", "a1", "m3"]


@pytest.mark.rule("9.6153-a")
def test_a_guard_who_is_withdrawn_hands_his_prisoner_on() -> None:
    state = after_day_2()
    state = update(state, "g1", at="M12", status=("prisoner",), guarded_by="n1")
    after, _ = run_step(state, withdrawal, ["a1"])
    assert after.piece("g1").guarded_by == "a1"


@pytest.mark.rule("9.6153-a")
def test_a_guard_who_is_withdrawn_hands_his_prisoner_to_any_unit_of_his_setup_area(
    tells: Tells,
) -> None:
    """Not to one that leaves with him; with nobody to take over the prisoner goes free."""
    state = after_day_2()
    state = update(state, "g1", at="M12", area="", status=("prisoner",), guarded_by="n1")
    state = update(state, "a1", at="M13")
    state = update(state, "n4", at="S10", area="")
    state = update(state, "n2", at="M12", area="A")
    after, _ = run_step(state, withdrawal, ["a1"])
    assert after.piece("g1").guarded_by == "a1"
    assert after.piece("g1").at == "M13"
    state = update(state, "a2", area="", at="S10")
    alone = change(state, pieces=tuple(each for each in state.pieces if each.id != "a1"))
    after, lines = run_step(alone, withdrawal, by_point({}), balance=False)
    assert after.piece("g1").guarded_by == ""
    assert not after.piece("g1").is_prisoner
    assert after.piece("g1").area == "A"
    tells(told(lines), "Setup Area A", "Retained")


@pytest.mark.rule("9.6153-a")
@pytest.mark.parametrize("type", ["Sherman V (DD)", "Carrier C"])
def test_a_vehicle_that_a_withdrawn_unit_mans_is_abandoned(tells: Tells, type: str) -> None:
    state = update(after_day_2(), "v1", type=type, status=("abandoned",))
    manned = man(state, "v1", "n2")
    assert not manned.piece("v1").has("abandoned")
    after, lines = run_step(manned, withdrawal)
    assert after.piece("v1").has("abandoned")
    assert not is_manned_by(after.piece("v1"), manned.piece("n2"))
    tells(told(lines), "Abandoned", "3-3-8", "n2")
    # with a crew of its own it stays manned
    after, _ = run_step(man(state, "v1", "n4"), withdrawal)
    assert not after.piece("v1").has("abandoned")


@pytest.mark.rule("9.6153-a")
@pytest.mark.parametrize(("others", "abandoned"), [((), True), (("n4",), False)])
def test_a_vehicle_without_crew_is_abandoned_when_the_last_unit_in_it_is_withdrawn(
    others: tuple[str, ...], abandoned: bool
) -> None:
    state = update(after_day_2(), "v1", type="Loyd Carrier")
    for id in ("n2", *others):
        state = update(state, id, aboard="v1", at="M12")
    after, _ = run_step(state, withdrawal)
    assert after.piece("v1").has("abandoned") is abandoned


@pytest.mark.rule("9.6153-a")
def test_a_tank_with_its_own_crew_is_not_abandoned_by_who_rides_on_it() -> None:
    state = update(after_day_2(), "n2", aboard="v1", at="M12")
    after, _ = run_step(state, withdrawal)
    assert not after.piece("v1").has("abandoned")
