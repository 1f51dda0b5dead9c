"""9.607: Equipment in and outside Setup Areas, captured crews, hidden Fortifications."""

from __future__ import annotations

import random
from typing import Any

import pytest
from escape_help import EXAMPLE, ground, prompts
from refit_helpers import (
    BRITISH,
    GERMAN,
    by_point,
    campaign_at,
    piece,
    refusal,
    run_at_random,
    run_step,
    told,
)
from sentences import Tells

from asl_pbcg.campaign.position import Fortification
from asl_pbcg.campaign.position_words import FortificationKind, TerrainKind
from asl_pbcg.campaign.scenario.fortification_control import holder, location_controller
from asl_pbcg.campaign.sheets.ledger import force_lines
from asl_pbcg.campaign.state.campaign_state import Campaign, accounts_balance
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.views import LogLine, for_side
from asl_pbcg.refit.helpers.vehicle_actions import abandon
from asl_pbcg.refit.s603_rally import unloading
from asl_pbcg.refit.s607_possession import is_left_outside, possession

# V12 lies in German Setup Area A, P12 in British A, W21 in British C, Z23 in No Man's Land.
OWN = {BRITISH: "P12", GERMAN: "V12"}
AREAS = {"P12": "A", "V12": "A", "W21": "C", "X18": "B"}


def unit(id: str, side: Side, at: str = "", type: str = "", **fields: Any) -> Piece:
    """A unit that is Retained where it stands."""
    at = at or OWN[side]
    type = type or ("6-4-8" if side is BRITISH else "4-6-7")
    return piece(id, side, type, at, area=AREAS.get(at, ""), **fields)


def run(
    *pieces: Piece, answers: dict[str, Any] | None = None, **fields: Any
) -> tuple[Campaign, list[LogLine], list[Prompt | Roll]]:
    """Run 9.607; ``answers`` by decision point, a list is used up in order. Else defaults."""
    state = ground(*pieces, step="9.607", **fields)
    after, lines = run_step(state, possession, by_point(answers or {}))
    return after, lines, lines.asked


# -- 9.6071: captured or Eliminated -----------------------------------------------------------


@pytest.mark.rule("9.6071-a", "9.6056-e")
def test_enemy_equipment_in_a_setup_area_is_captured(tells: Tells) -> None:
    lmg = piece("w1", GERMAN, "LMG", "P12")
    after, lines, asked = run(unit("b1", BRITISH), lmg)
    (prompt,) = prompts(asked, "9.6071.1")
    assert prompt.side == BRITISH
    assert [option.id for option in prompt.options] == ["capture", "eliminate"]
    taken = after.piece("w1")
    assert (taken.side, taken.captured, taken.area) == (BRITISH, True, "A")
    assert after.received_count == {BRITISH: 2, GERMAN: 0}
    tells(told(lines), "Setup Area A", "LMG", "w1", "P12", "Captured", "Retained", "British")


@pytest.mark.rule("9.6071-a")
def test_a_captured_piece_is_won_back(tells: Tells) -> None:
    lmg = piece("w1", GERMAN, "LMG", "P12", status="captured malfunctioned")
    after, lines, _ = run(unit("b1", BRITISH), lmg)
    assert after.piece("w1").status == ("malfunctioned",)
    assert after.piece("w1").side is BRITISH
    tells(told(lines), "back")


@pytest.mark.rule("9.6071-b", "9.6056-e")
def test_its_new_owner_may_eliminate_it() -> None:
    lmg = piece("w1", GERMAN, "LMG", "P12")
    after, _, _ = run(unit("b1", BRITISH), lmg, answers={"9.6071.1": "eliminate"})
    assert [each.piece.id for each in after.gone] == ["w1"]


@pytest.mark.rule("9.6071-b", "9.6071-a")
def test_without_personnel_it_is_captured_without_a_choice() -> None:
    lmg = piece("w1", GERMAN, "LMG", "P12")
    prisoner = unit("b1", BRITISH, status="prisoner", guarded_by="g1")
    elsewhere = unit("b2", BRITISH, "W21")
    after, _, asked = run(lmg, prisoner, elsewhere)
    assert not prompts(asked, "9.6071.1")
    assert (after.piece("w1").side, after.piece("w1").area) == (BRITISH, "A")


@pytest.mark.rule("9.6071-a")
def test_what_an_escapee_took_along_is_not_captured() -> None:
    gone = piece("g1", GERMAN, "4-6-7", "P12", area="A", possesses="w1")
    lmg = piece("w1", GERMAN, "LMG", "P12", area="A")
    after, _, asked = run(unit("b1", BRITISH), gone, lmg)
    assert not prompts(asked, "9.6071.1")
    assert after.piece("w1").side is GERMAN


@pytest.mark.rule("9.6056-e")
def test_an_abandoned_vehicle_is_captured() -> None:
    truck = piece("v1", GERMAN, "Kfz 1", "P12", status="abandoned", vca="P11/Q11")
    after, _, _ = run(unit("b1", BRITISH), truck)
    vehicle = after.piece("v1")
    assert (vehicle.side, set(vehicle.status)) == (BRITISH, {"abandoned", "captured"})
    assert (vehicle.at, vehicle.vca, vehicle.area) == ("P12", "P11/Q11", "A")


@pytest.mark.rule("9.6071-d", "9.6056-f")
def test_the_crew_of_a_captured_immobile_vehicle_is_captured_too(tells: Tells) -> None:
    tank = piece("v1", GERMAN, "PzKpfw IVH", "P12", status="immobilized ma-disabled recall")
    leader = piece("g9", GERMAN, "9-1 Armor Leader", "P12", aboard="v1")
    guards = [unit("b1", BRITISH), unit("b2", BRITISH)]
    after, lines, asked = run(*guards, tank, leader, answers={"9.6071.1a": "b2"})
    assert len(prompts(asked, "9.6071.1a")) == 1
    (crew,) = [each for each in after.of(GERMAN) if each.kind == "crew"]
    assert (crew.status, crew.guarded_by, crew.at) == (("prisoner",), "b2", "P12")
    assert after.piece("g9").guarded_by == "b2"
    vehicle = after.piece("v1")
    assert set(vehicle.status) == {"immobilized", "ma-disabled", "abandoned", "captured"}
    assert after.received_count[GERMAN] == 2  # the crew came, the vehicle went
    tells(told(lines), "6-4-8", "b2")


@pytest.mark.rule("9.6071-d", "9.608-c")
def test_a_captured_crew_is_with_its_guard() -> None:
    """Freed in 9.608, its path begins where the Guard has it, not where its vehicle stands."""
    tank = piece("v1", GERMAN, "PzKpfw IVH", "P12", status="immobilized ma-disabled")
    leader = piece("g9", GERMAN, "9-1 Armor Leader", "P12", aboard="v1")
    guard = piece("b1", BRITISH, "6-4-8", "P14", area="A")
    after, _, _ = run(guard, tank, leader)
    held = [each for each in after.of(GERMAN) if each.is_prisoner]
    assert [(each.guarded_by, each.at) for each in held] == [("b1", "P14")] * 2


@pytest.mark.rule("9.6071-d")
@pytest.mark.parametrize("guarded", [True, False])
def test_the_prisoner_of_a_guard_who_is_captured_himself_is_free(guarded: bool) -> None:
    tank = piece("v1", GERMAN, "Churchill VII", "P12", status="captured immobilized ma-disabled")
    guard = piece("g1", GERMAN, "2-3-7", "P12", aboard="v1")
    prisoner = piece("b9", BRITISH, "9-1", "P12", status="prisoner", guarded_by="g1")
    after, _, _ = run(*[unit("b1", BRITISH)] * guarded, tank, guard, prisoner)
    free = after.piece("b9")
    assert (free.status, free.guarded_by, free.at, free.area) == ((), "", "P12", "A")
    held = [each for each in after.pieces if each.id == "g1"]
    assert [each.guarded_by for each in held] == (["b1"] if guarded else [])


def test_a_captured_crew_without_a_guard_is_eliminated(tells: Tells) -> None:
    tank = piece("v1", GERMAN, "PzKpfw IVH", "P12", status="immobilized ma-disabled")
    after, lines, _ = run(tank)
    assert after.piece("v1").side is BRITISH
    assert not after.of(GERMAN)
    tells(told(lines), "Setup Area A")


@pytest.mark.rule("9.6056-f")
def test_an_immobile_vehicle_eliminated_with_its_crew() -> None:
    tank = piece("v1", GERMAN, "PzKpfw IVH", "P12", status="immobilized ma-disabled")
    leader = piece("g9", GERMAN, "9-1 Armor Leader", "P12", aboard="v1")
    after, _, _ = run(unit("b1", BRITISH), tank, leader, answers={"9.6071.1": "eliminate"})
    assert not after.of(GERMAN)
    assert {each.piece.id for each in after.gone} == {"v1", "g9"}


@pytest.mark.rule("9.6071-a", "9.4-CG14-e")
def test_a_captured_immobile_vehicle_without_weapons_is_a_wreck_at_once() -> None:
    truck = piece("v1", GERMAN, "Kfz 1", "P12", status="immobilized")
    after, _, _ = run(unit("b1", BRITISH), truck)
    assert [each.id for each in after.pieces] == ["b1"]
    wreck = after.terrain[-1]
    assert (wreck.kind, wreck.at, wreck.side) == (TerrainKind.BURNT_OUT_WRECK, "P12", GERMAN)


@pytest.mark.rule("9.6056-h")
@pytest.mark.parametrize(
    ("result", "found"), [("no", []), ("failed", []), ("succeeded", ["LMG(f)"])]
)
def test_who_eliminates_a_vehicle_may_scrounge_it_before(result: str, found: list[str]) -> None:
    tank = piece("v1", GERMAN, "38H 735(f)", "P12", status="immobilized ma-disabled")
    answers = {"9.6071.1": "eliminate", "9.61423.result": result}
    after, _, asked = run(unit("b1", BRITISH), tank, answers=answers)
    assert [each.piece.id for each in after.gone] == ["v1"]
    assert [each.side for each in prompts(asked, "9.61423.result")] == ["british"]
    weapons = [each for each in after.pieces if each.is_weapon]
    assert [(each.type, each.area, each.captured) for each in weapons] == [
        (type, "A", True) for type in found
    ]


@pytest.mark.rule("9.6056-g")
def test_with_working_ma_only_in_bypass_of_an_enemy_controlled_location() -> None:
    fields = {"british": [*EXAMPLE.control.british, "P12"]}
    tank = piece("v1", GERMAN, "PzKpfw IVH", "P12", status="immobilized", bypass="P11/P12")
    after, _, asked = run(unit("b1", BRITISH), tank, **fields)
    assert len(prompts(asked, "9.6071.1")) == 1
    assert after.piece("v1").side is BRITISH
    tank = piece("v1", GERMAN, "PzKpfw IVH", "V12", status="immobilized", area="A")
    after, _, asked = run(unit("b1", BRITISH), tank, **fields)
    assert not prompts(asked, "9.6071.1")
    assert after.piece("v1").side is GERMAN


# -- 9.6071: what its owner does with it ------------------------------------------------------


@pytest.mark.rule("9.6071-e", "9.6055-b")
def test_unpossessed_pieces_are_possessed_or_keep_their_ca(tells: Tells) -> None:
    gun = piece("w1", BRITISH, "57L AT", "P12", area="A", ca="O12/P11")
    lmg = piece("w2", BRITISH, "LMG", "P13", area="A")
    crew = unit("b1", BRITISH, type="2-2-8")
    leader = unit("b2", BRITISH, type="8-0")
    answers = {"9.6071.3": ["possess w1", "done"], "9.6071.3a": ["b1"]}
    after, lines, asked = run(gun, lmg, crew, leader, answers=answers)
    assert after.piece("b1").possesses == ("w1",)
    assert (after.piece("w1").at, after.piece("w1").ca) == ("P12", "O12/P11")
    assert "possess w1" not in [option.id for option in prompts(asked, "9.6071.3")[1].options]
    (who,) = prompts(asked, "9.6071.3a")
    tells(refusal(who, "b2"), "MMC")
    tells(told(lines), "Abandoned", "CA", "LMG", "w2", "P13")


@pytest.mark.finding("J-46")
@pytest.mark.rule("9.6071-e", "9.4-CG11-a")
@pytest.mark.parametrize(("there", "apart"), [("X16", True), ("X18", False)])
def test_nobody_mans_two_guns_that_cannot_set_up_together(there: str, apart: bool) -> None:
    """The 50L AT in X20 never moves (CG11); the other sets up within three hexes."""
    fields = {"area": "A", "type": "50L AT"}
    bound = piece("w1", GERMAN, at="X20", **fields)
    other = piece("w2", GERMAN, at=there, **fields)
    crew = piece("g1", GERMAN, "1-2-7", "X20", area="A", possesses="w1")
    squad = piece("g2", GERMAN, "4-6-7", "X18", area="A")
    state = campaign_at("9.607", bound, other, crew, squad, german=["X20", "X18", "X16"])
    answers = {"9.6071.3": ["possess w2", "done"], "9.6071.3a": "g2"}
    _, log = run_step(state, possession, by_point(answers))
    (who,) = log.prompts("9.6071.3a")
    assert (who.option("g1").rule == "CG11") is apart is bool(who.option("g1").refused)
    assert not who.option("g2").refused


@pytest.mark.rule("9.6071-e")
def test_a_towed_gun_is_with_its_vehicle() -> None:
    gun = piece("w1", GERMAN, "50L AT", "V12", status="hooked", area="A")
    truck = piece("v1", GERMAN, "Kfz 1", "V12", area="A", tows="w1")
    _, _, asked = run(gun, truck, unit("g1", GERMAN, type="1-2-7"))
    (what,) = prompts(asked, "9.6071.3")
    assert "possess w1" not in [option.id for option in what.options]


@pytest.mark.rule("9.6071-a")
def test_a_towed_gun_that_is_captured_is_towed_no_longer() -> None:
    gun = piece("w1", GERMAN, "50L AT", "P12", status="hooked")
    truck = piece("v1", GERMAN, "Kfz 1", "P12", tows="w1", status="abandoned")
    after, _, _ = run(gun, truck, unit("b1", BRITISH))
    assert after.piece("w1").side is BRITISH
    assert after.piece("w1").status == ("captured",)
    assert after.piece("v1").tows == ()


@pytest.mark.rule("9.6071-e")
def test_a_sw_joins_who_possesses_it() -> None:
    lmg = piece("w2", BRITISH, "LMG", "P13", area="A")
    answers = {"9.6071.3": ["possess w2", "done"], "9.6071.3a": "b1"}
    after, _, _ = run(lmg, unit("b1", BRITISH), answers=answers)
    assert (after.piece("w2").at, after.piece("b1").possesses) == ("P12", ("w2",))


@pytest.mark.rule("9.6071-e")
def test_an_abandoned_vehicle_is_manned_by_a_crew() -> None:
    tank = piece("v1", GERMAN, "PzKpfw IVH", "V12", status="abandoned", area="A")
    crew = unit("g1", GERMAN, type="1-2-7")
    answers = {"9.6071.3": ["man v1", "done"], "9.6071": "g1"}
    after, _, _ = run(tank, crew, answers=answers)
    assert [each.id for each in after.pieces] == ["v1"]
    assert not after.piece("v1").has("abandoned")


@pytest.mark.rule("9.6071-e", "9.6058-a")
@pytest.mark.parametrize("what", ["v1", "w1"])
def test_on_a_no_move_counter_nobody_goes_to_a_vehicle_or_gun_elsewhere(
    what: str, tells: Tells
) -> None:
    tank = piece("v1", GERMAN, "PzKpfw IVH", "V12", status="abandoned", area="A")
    gun = piece("w1", GERMAN, "50L AT", "V12", status="malfunctioned", area="A")
    here = unit("g1", GERMAN, type="1-2-7", status="no-move")
    there = piece("g2", GERMAN, "1-2-7", "V13", area="A", status="no-move")
    verb, point = ("man", "9.6071") if what == "v1" else ("possess", "9.6071.3a")
    answers = {"9.6071.3": [f"{verb} {what}", "done"], point: "g1"}
    target = tank if what == "v1" else gun
    for date, held in ((CGDate.NIGHT_1, True), (CGDate.DAWN, False)):
        _, _, asked = run(target, here, there, answers=answers, date=date)
        (prompt,) = prompts(asked, point)
        assert prompt.check("g1") == "g1"
        if held:
            tells(refusal(prompt, "g2"), "No Move", "9.6058")
        else:
            assert prompt.check("g2") == "g2"


@pytest.mark.rule("9.6071-e", "9.603-b")
def test_an_hs_that_mans_its_own_vehicle_is_no_passenger() -> None:
    tank = piece("v1", GERMAN, "PzKpfw IVH", "V12", status="abandoned", area="A")
    answers = {"9.6071.3": ["man v1", "done"], "9.6071": "g1"}
    after, _, _ = run(tank, unit("g1", GERMAN, type="2-4-7"), answers=answers)
    assert after.piece("g1").aboard == "v1"
    # When the next CG scenario ends it is still the crew, and abandons the vehicle itself.
    later, _ = run_step(after, unloading)
    assert later.piece("g1").aboard == "v1"
    later, crew = abandon(later, "v1")
    assert (crew, later.piece("g1").aboard, later.piece("v1").notes) == ("g1", "", "")
    assert len(later.pieces) == 2


@pytest.mark.rule("9.6071-b")
def test_the_owner_may_eliminate_his_own_pieces() -> None:
    lmg = piece("w2", BRITISH, "LMG", "P12", area="A")
    answers = {"9.6071.3": ["eliminate", "done"], "9.6071.1e": ["w2"]}
    after, _, _ = run(lmg, unit("b1", BRITISH, possesses="w2"), answers=answers)
    assert [each.piece.id for each in after.gone] == ["w2"]
    assert after.piece("b1").possesses == ()


@pytest.mark.rule("9.6071-c", "9.6056-h")
def test_a_captured_vehicle_may_be_scrounged_and_wrecked_at_once() -> None:
    tank = piece("v1", GERMAN, "38H 735(f)", "P12", status="abandoned")
    answers = {
        "9.6071.3": ["vehicles", "done"],
        "9.61423": ["scrounge v1", "burnt-out v1", "done"],
        "9.61423.result": "succeeded",
    }
    after, _, asked = run(unit("b1", BRITISH), tank, answers=answers)
    found = [each for each in after.of(BRITISH) if each.type == "LMG(f)"]
    assert [each.captured for each in found] == [True]
    assert after.piece("b1").possesses == (found[0].id,)
    assert (after.terrain[-1].kind, after.terrain[-1].at) == (TerrainKind.BURNT_OUT_WRECK, "P12")
    assert "vehicles" not in [option.id for option in prompts(asked, "9.6071.3")[-1].options]


@pytest.mark.rule("9.6071-c", "9.6071-b")
def test_without_personnel_nothing_can_be_done(tells: Tells) -> None:
    tank = piece("v1", GERMAN, "PzKpfw IVH", "V12", status="abandoned", area="A")
    after, lines, asked = run(tank)
    assert not asked
    assert after.piece("v1").has("abandoned")
    tells(told(lines), "Personnel", "Equipment")


@pytest.mark.finding("F-32")
def test_nothing_is_asked_of_a_vehicle_with_which_nothing_can_be_done() -> None:
    """F-32: a Recalled vehicle can be neither Abandoned nor wrecked nor Scrounged."""
    tank = piece("v1", GERMAN, "PzKpfw IVH", "V12", status="recall", area="A")
    _, _, asked = run(tank, unit("g1", GERMAN))
    assert "9.6071.3" not in [each.id for each in asked]
    well = piece("v1", GERMAN, "PzKpfw IVH", "V12", area="A")
    _, _, asked = run(well, unit("g1", GERMAN))
    assert "9.6071.3" in [each.id for each in asked]


@pytest.mark.rule("9.6071-f", "9.6072-b")
def test_an_immobile_vehicle_keeps_its_location_and_vca() -> None:
    inside = piece("v1", GERMAN, "PzKpfw IVH", "V12", status="immobilized", vca="U12/V11", area="A")
    outside = piece("v2", GERMAN, "Marder", "Z23", status="immobilized abandoned", vca="Z22/AA23")
    after, lines, _ = run(inside, outside, unit("g1", GERMAN))
    for id, at, ca in (("v1", "V12", "U12/V11"), ("v2", "Z23", "Z22/AA23")):
        assert (after.piece(id).at, after.piece(id).vca) == (at, ca)
    assert after.piece("v2").area == ""
    assert "Marder v2 Z23" in told(lines)


@pytest.mark.rule("9.6071-a", "9.6056-e", "9.6056-f")
def test_isolated_equipment_is_retained_by_the_controlling_side() -> None:
    # German Setup Area B is Isolated; all in it stays German.
    lmg = piece("w1", GERMAN, "LMG", "AA23")
    tank = piece("v1", GERMAN, "PzKpfw IVH", "Z20", status="immobilized ma-disabled")
    after, _, _ = run(lmg, tank)
    assert {(each.side, each.area) for each in after.pieces} == {(GERMAN, "B")}
    assert not after.piece("v1").has("abandoned")


# -- 9.6072 -----------------------------------------------------------------------------------


@pytest.mark.rule("9.6072-a", "9.6056-e")
def test_ownerless_equipment_outside_setup_areas_stays_as_it_is() -> None:
    left = [
        piece("w1", GERMAN, "LMG", "Z23"),
        piece("w2", BRITISH, "PIAT", "W25"),
        piece("w3", GERMAN, "50L AT", "Y21", status="malfunctioned", ca="X20/Y20"),
        piece("v1", GERMAN, "Kfz 1", "Z23", status="abandoned", vca="Z22/AA23"),
    ]
    gone = piece("b1", BRITISH, "6-4-8", "W25", area="C", possesses="w4")
    taken = piece("w4", BRITISH, "LMG", "W25", area="C")
    after, lines, asked = run(*left, gone, taken, unit("b2", BRITISH, "W21"))
    assert [after.piece(each.id) for each in left] == left
    assert all(is_left_outside(after, each) for each in left)
    assert not is_left_outside(after, after.piece("w4"))
    assert not prompts(asked, "9.6071.1")
    text = told(lines)
    assert "PIAT w2 W25, 50L AT w3 Y21, Kfz 1 v1 Z23, LMG w1 Z23" in text
    assert "w4" not in text.partition("stays with its CA/VCA")[2].partition("\n")[0]


def test_nothing_outside_is_told(tells: Tells) -> None:
    _, lines, asked = run(unit("g1", GERMAN))
    assert not asked
    tells(told(lines), "Equipment")


# -- 9.6073 -----------------------------------------------------------------------------------


def works(kind: FortificationKind, at: str, owner: Side | None, **fields: Any) -> Fortification:
    return Fortification(kind=kind, at=at, owner=owner, **fields)


@pytest.mark.rule("9.6073-a")
def test_a_hidden_fortification_in_an_enemy_setup_area_is_placed_on_map(tells: Tells) -> None:
    wire = works(FortificationKind.WIRE, "V12", BRITISH, hidden=True)
    own = works(FortificationKind.WIRE, "P12", BRITISH, hidden=True)
    nowhere = works(FortificationKind.WIRE, "Z23", BRITISH, hidden=True)
    after, lines, _ = run(fortifications=(wire, own, nowhere))
    hidden = {each.at: each.hidden for each in after.fortifications}
    assert hidden == {"V12": False, "P12": True, "Z23": True}
    text = told(for_side(lines, "german"))
    tells(text, "British", "V12")
    assert "P12" not in text
    assert "Z23" not in text


@pytest.mark.rule("9.6073-b")
def test_a_minefield_is_marked_without_its_strength_and_type(tells: Tells) -> None:
    texts = []
    for kind, size in ((FortificationKind.AP_MINES, 6), (FortificationKind.AT_MINES, 3)):
        mines = works(kind, "V12", BRITISH, hidden=True, size=size)
        after, lines, _ = run(fortifications=(mines,))
        (found,) = after.fortifications
        assert (found.hidden, found.size, found.kind) == (True, size, kind)
        assert after.has_counter(found)
        assert not found.notes
        texts.append(told(for_side(lines, "german")))
        again, lines, _ = run(
            fortifications=after.fortifications, minefield_counters=after.minefield_counters
        )
        assert again.fortifications == after.fortifications
    assert texts[0] == texts[1]
    tells(texts[0], "British", "V12")


@pytest.mark.rule("9.6073-c")
def test_fortifications_belong_to_who_controls_their_location(tells: Tells) -> None:
    trench = works(FortificationKind.TRENCH, "W21", GERMAN)
    pillbox = works(FortificationKind.PILLBOX, "Z21/pillbox", GERMAN, strength="1+3+5")
    wire = works(FortificationKind.WIRE, "P14", GERMAN)
    lone = works(FortificationKind.WIRE, "Z23", GERMAN)
    after, lines, _ = run(fortifications=(trench, pillbox, wire, lone))
    found = {each.at: location_controller(after, each.location) for each in after.fortifications}
    assert found == {"W21": BRITISH, "Z21/pillbox": GERMAN, "P14": BRITISH, "Z23": None}
    text = told(lines)
    tells(text, "W21", "British")
    tells(text, "P14", "British")
    assert "pillbox" not in text


def listed(state: Campaign, side: Side, viewer: str) -> dict[str, str]:
    """The Fortifications on a roster, by place."""
    lines = force_lines(state, side, viewer)
    return {each.location: each.type for each in lines if "fortification" in each.id}


@pytest.mark.rule("9.6073-c", "9.2-z")
def test_a_fortification_that_neither_side_holds_is_on_one_roster() -> None:
    """Wire of an SSR, which no side placed, in No Man's Land or after CG End."""
    after, _, _ = run(fortifications=(works(FortificationKind.WIRE, "Z23", None),))
    assert [holder(after, each) for each in after.fortifications] == [None]
    lines = [line for side in Side for line in force_lines(after, side)]
    assert [line.notes for line in lines if line.location == "Z23"] == ["uncontrolled"]
    for side in Side:
        assert [listed(after, each, side.value) for each in Side] == [{"Z23": "Wire"}, {}]


@pytest.mark.rule("9.6073-c", "9.2-z")
def test_rosters_list_a_fortification_with_who_controls_its_location_now() -> None:
    trench = works(FortificationKind.TRENCH, "W21", GERMAN)
    lone = works(FortificationKind.WIRE, "Z23", GERMAN)
    secret = works(FortificationKind.WIRE, "P12", BRITISH, hidden=True)
    after, _, _ = run(fortifications=(trench, lone, secret))
    held = {each.at: holder(after, each) for each in after.fortifications}
    assert held == {"W21": BRITISH, "Z23": GERMAN, "P12": BRITISH}
    assert listed(after, BRITISH, "umpire") == {"W21": "Trench", "P12": "Wire"}
    assert listed(after, BRITISH, "german") == {"W21": "Trench"}
    for viewer in ("umpire", "german", "british"):
        assert listed(after, GERMAN, viewer) == {"Z23": "Wire"}


@pytest.mark.rule("9.6073-b", "9.6073-c")
def test_a_side_knows_a_minefield_that_it_took_over_by_its_counter_only() -> None:
    mines = works(FortificationKind.AP_MINES, "V12", BRITISH, hidden=True, size=6)
    after, _, _ = run(fortifications=(mines,))
    assert listed(after, GERMAN, "german") == {"V12": "Minefield"}
    for viewer in ("umpire", "british"):
        assert listed(after, GERMAN, viewer) == {"V12": "A-P Mine Factor x6"}
    assert not listed(after, BRITISH, "british")
    unknown = run(fortifications=(works(FortificationKind.AP_MINES, "V12", GERMAN),))[0]
    assert listed(unknown, GERMAN, "umpire") == {"V12": "A-P Mine Factors"}


# -- All of it --------------------------------------------------------------------------------


@pytest.mark.rule("9.607-a")
def test_the_three_sub_steps_come_in_order() -> None:
    lmg = piece("w1", GERMAN, "LMG", "P12")
    wire = works(FortificationKind.WIRE, "V12", BRITISH, hidden=True)
    _, lines, _ = run(lmg, unit("b1", BRITISH), fortifications=(wire,))
    rules = [line.rule for line in lines]
    assert sorted(rules) == rules
    assert set(rules) == {"9.6071", "9.6072", "9.6073"}


TYPES = {
    BRITISH: ["LMG", "PIAT", "57L AT", "Churchill VII", "Carrier C"],
    GERMAN: ["LMG", "HMG", "50L AT", "PzKpfw IVH", "Kfz 1", "38H 735(f)"],
}
PLACES = ["P12", "P13", "V12", "W21", "X18", "Z20", "Z23", "W25", "Y21"]


def any_ground(source: random.Random) -> Campaign:
    pieces: list[Piece] = []
    for side, at in ((BRITISH, "P12"), (BRITISH, "W21"), (GERMAN, "V12"), (GERMAN, "Z20")):
        if source.random() < 0.7:
            type = source.choice(["6-4-8", "2-2-8", "8-0"])
            if side is GERMAN:
                type = source.choice(["4-6-7", "2-2-8", "1-2-7", "8-0"])
            area = {"Z20": "B"}.get(at) or AREAS[at]
            pieces.append(piece(f"u{len(pieces)}", side, type, at, area=area))
    for number in range(source.randint(2, 9)):
        side = source.choice([BRITISH, GERMAN])
        type, at = source.choice(TYPES[side]), source.choice(PLACES)
        status = source.choice(["", "malfunctioned"])
        made = piece(f"e{number}", side, type, at)
        if made.is_vehicle:
            status = source.choice(["abandoned", "immobilized ma-disabled"])
        pieces.append(piece(f"e{number}", side, type, at, status=status))
    return ground(*pieces, step="9.607")


@pytest.mark.rule("9.6071-a")
@pytest.mark.parametrize("seed", range(30))
def test_random_legal_play_reaches_the_end(seed: int) -> None:
    source = random.Random(f"possession/{seed}")
    after, _ = run_at_random(any_ground(source), possession, source)
    areas = after.areas
    for each in after.pieces:
        if not (each.is_weapon or each.is_vehicle) or not each.on_map:
            continue
        for side in Side:
            area = areas.area_of(side, each.location)
            if area and each.side is not side:
                raise AssertionError(f"{each.id} in {side} Setup Area {area.id} is not captured")


# -- The chart's note *: Removal by who gets hold of a vehicle -----------------------------------


@pytest.mark.finding("G-07")
@pytest.mark.rule("9.6056-h")
@pytest.mark.parametrize("choice", ["capture", "eliminate"])
def test_who_captures_or_eliminates_a_vehicle_may_remove_weapons(choice: str) -> None:
    tank = piece("v1", GERMAN, "PzKpfw IVH", "P12", status="immobilized ma-malfunctioned abandoned")
    britons = [unit("b1", BRITISH), unit("b2", BRITISH)]
    answers = {
        "9.6071.1": choice,
        "9.6056.removal": ["BMG"],
        "9.6056.removal.by": "b2",
        "catalogue.scrounges": "LMG",
    }
    after, _, asked = run(tank, *britons, answers={**answers, "9.6056.removal": [["BMG"]]})
    (prompt,) = prompts(asked, "9.6056.removal")
    assert prompt.side == "british"
    (gun,) = [each for each in after.pieces if each.is_weapon]
    assert (gun.type, gun.side, gun.status) == ("LMG", BRITISH, ("captured",))
    assert after.piece("b2").possesses == (gun.id,)
    if choice == "capture":
        assert after.piece("v1").has("bmg-disabled")
    assert accounts_balance(after)


@pytest.mark.finding("G-07")
def test_nobody_removes_weapons_without_personnel_in_the_area() -> None:
    tank = piece("v1", GERMAN, "PzKpfw IVH", "P12", status="immobilized ma-malfunctioned abandoned")
    _, _, asked = run(tank)
    assert not prompts(asked, "9.6056.removal")


@pytest.mark.finding("G-15")
def test_the_crew_that_mans_a_captured_vehicle_stays_a_unit() -> None:
    tank = piece("v1", BRITISH, "PzKpfw IVH", "P12", status="captured abandoned", area="A")
    crew = unit("b1", BRITISH, type="2-2-8")
    answers = {"9.6071.3": ["man v1", "done"], "9.6071": "b1"}
    after, _, _ = run(tank, crew, answers=answers)
    assert (after.piece("b1").aboard, after.piece("v1").manned_by) == ("v1", "b1")
    again, left = abandon(after, "v1")
    assert left == "b1"
    assert len(again.pieces) == 2
