"""The definitions of 9.2 as the campaign's data and state keep them; 9.1, 9.11, CG7."""

from __future__ import annotations

from itertools import pairwise

import pytest
from refit_helpers import BRITISH, GERMAN, by_point, campaign_at, piece, run_step
from sentences import Tells

from asl_pbcg.campaign.module.catalogue import load_catalogue
from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
from asl_pbcg.campaign.scenario.scenario_facts import has_aamg
from asl_pbcg.campaign.sheets.ledger import roster_lines
from asl_pbcg.campaign.state.campaign_state import (
    Campaign,
    ReceivedGroup,
    accounts_balance,
    with_account,
)
from asl_pbcg.campaign.state.piece_changes import remove
from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.refit.helpers.vehicle_actions import weapons_left
from asl_pbcg.refit.s618_strength import strength_weapons_leaders
from asl_pbcg.refit.setup.setup_rules import friendly_setup_hexes


@pytest.mark.rule("9.2-ab", "9.2-u")
def test_the_refit_phase_is_9_6_on_and_the_initial_scenario_has_its_own_steps() -> None:
    steps = PEGASUS_BRIDGE.order(initial=False)
    assert steps == ["scenario", *(f"9.6{number:02}" for number in range(1, 21)), "scenario"]
    initial = PEGASUS_BRIDGE.order(initial=True)
    assert initial == ["9.5", "9.617", "9.618", "9.619", "9.620", "scenario"]


# -- RG ----------------------------------------------------------------------------------


@pytest.mark.rule("9.2-e", "9.2-aa")
def test_companies_and_platoons() -> None:
    groups = PEGASUS_BRIDGE.charts.groups.groups
    by_kind: dict[str, set[str]] = {}
    for id, chart in groups.items():
        by_kind.setdefault(chart.organisation, set()).add(id)
    assert by_kind["Coy"] == {"I3", "I5"}
    named = {id for id, chart in groups.items() if "Pltn" in chart.name}
    assert named <= by_kind["Pltn"]
    assert {"I1", "I2", "I4", "V1", "V11"} <= by_kind["Pltn"]


@pytest.mark.rule("9.2-ag")
def test_an_rg_is_a_group_bought_as_a_whole_and_fpp_count_as_one() -> None:
    groups = PEGASUS_BRIDGE.charts.groups.groups
    assert (groups["M1"].fpp, groups["M1"].units) == (15, ())
    assert all(chart.units for id, chart in groups.items() if id != "M1")


def strength_of(id: str, *dice: tuple[int, ...] | int) -> tuple[Campaign, ReceivedGroup]:
    """An RG of that id just received, with the dice of 9.618."""
    group = ReceivedGroup(key=f"{id}-1", id=id, date=CGDate.DAY_1, area="A7")
    state = campaign_at("9.618", date=CGDate.DAY_1, groups=(group,))
    state, _ = run_step(
        state, strength_weapons_leaders, by_point({"CG7": ["yes", "no", "no"]}), dice
    )
    return state, state.groups[0]


@pytest.mark.rule("9.2-h", "9.2-t", "9.2-as")
@pytest.mark.parametrize(
    ("dice", "strength", "count"), [((4, 5), "full", 3), ((4, 6), "depleted", 2)]
)
def test_an_rg_is_full_or_depleted_and_stays_recorded_so(
    dice: tuple[int, int], strength: str, count: int
) -> None:
    state, group = strength_of("V5", dice, (6, 6))
    assert group.strength == strength
    (full, depleted, type), *_ = PEGASUS_BRIDGE.charts.groups.groups["V5"].units
    assert (full, depleted) == (3, 2)
    assert sum(each.type == type for each in state.pieces) == count


@pytest.mark.rule("9.4-CG7-b")
def test_the_optional_aamg_is_asked_tank_by_tank_and_costs_nothing() -> None:
    state, group = strength_of("V3", (2, 3), (6, 6))
    tanks = [each for each in state.pieces if each.type == "PzKpfw IVH"]
    assert [has_aamg(tank) for tank in tanks] == [True, False, False]
    assert group.cost == 0


# -- OB, Retained, Eliminated ------------------------------------------------------------


@pytest.mark.rule("9.2-z", "9.2-ac", "9.2-i")
def test_the_ob_is_everything_received_that_was_not_eliminated() -> None:
    types = {
        "6-4-8": BRITISH,
        "LMG": BRITISH,
        "57L AT": BRITISH,
        "Trench": GERMAN,
        "Marder": GERMAN,
    }
    pieces = [piece(f"p{n}", side, type, "Y21") for n, (type, side) in enumerate(types.items())]
    state = campaign_at("9.604", *pieces)
    assert [each.id for each in state.of(BRITISH)] == ["p0", "p1", "p2"]
    for id in ("p0", "p2", "p3"):
        state = remove(state, id, "eliminated", "test", "9.604")
    assert [each.id for each in state.of(BRITISH)] == ["p1"]
    assert [each.id for each in state.of(GERMAN)] == ["p4"]
    assert accounts_balance(state)


@pytest.mark.rule("9.2-p", "9.2-au")
def test_equipment_is_any_sw_gun_or_vehicle_and_weapons_are_what_they_fire() -> None:
    for each in load_catalogue():
        counter = piece("x", each.side, each.name)
        is_equipment = counter.is_weapon or counter.is_vehicle
        assert is_equipment == (each.kind in ("sw", "gun", "vehicle"))
        assert is_equipment != (each.is_mmc or each.is_smc or each.kind == "armor_leader")
    state = campaign_at("9.604")
    armed = {"PzKpfw IVH": ["MA", "BMG", "CMG"], "Marder": ["MA"], "Kfz 1": []}
    for type, weapons in armed.items():
        assert weapons_left(state, piece("v", GERMAN, type)) == weapons
    disabled = piece("v", GERMAN, "PzKpfw IVH", status="ma-disabled cmg-malfunctioned", aamg=True)
    assert weapons_left(state, disabled) == ["BMG", "CMG", "AAMG"]


# -- 9.1, 9.11, the roster ---------------------------------------------------------------


@pytest.mark.rule("9.2-c", "9.13-a")
def test_the_roster_has_exactly_one_line_per_cg_date(tells: Tells) -> None:
    state = campaign_at("9.618", date=CGDate.DAWN)
    state = with_account(with_account(state, cpp_base=25), cpp_available=30, notes="x")
    lines = roster_lines(state)
    assert [line.date for line in lines] == [
        CGDate.NIGHT_1, CGDate.NIGHT_2, CGDate.NIGHT_3, CGDate.DAWN,
    ]  # fmt: skip
    assert (lines[-1].cpp_base, lines[-1].cpp_available, lines[-1].notes) == (25, 30, "x")
    state = with_account(state, ended_by="Turn 6, Game End dr 2 below 3")
    tells(roster_lines(state)[-1].notes, "Turn 6", "below 3", "Game", "End", "2")


@pytest.mark.rule("9.1-a", "9.2-a")
@pytest.mark.parametrize(("campaign", "count"), [("CG1", 8), ("CG2", 5)])
def test_a_cg_is_a_chain_of_at_most_eight_scenarios(campaign: str, count: int) -> None:
    dates = PEGASUS_BRIDGE.frame.campaigns[campaign].dates
    assert len(dates) == count
    assert dates[-1] is CGDate.DUSK
    assert dates[-1].next is None
    for before, after in pairwise(dates):
        assert before.next is after


@pytest.mark.rule("9.11-a")
def test_ob_given_reinforcements_are_british_alone() -> None:
    catalogue = load_catalogue()
    for allotment in PEGASUS_BRIDGE.charts.reinforcements.dates.values():
        assert all(catalogue.find(type, BRITISH) for type in allotment.units)


@pytest.mark.rule("9.2-am")
@pytest.mark.parametrize("campaign", ["CG1", "CG2"])
def test_an_initial_scenario_uses_its_printed_setup_restrictions(campaign: str) -> None:
    state = campaign_at(
        "9.620",
        campaign=campaign,
        date=PEGASUS_BRIDGE.frame.campaigns[campaign].dates[0],
        determined=False,
    )
    hexes = friendly_setup_hexes(state, GERMAN)
    zones = [
        group for group in PEGASUS_BRIDGE.charts.initial[campaign].groups if group.side is GERMAN
    ]
    assert zones
    inside, outside = {"CG1": ("M12", "A1"), "CG2": ("A10", "Y21")}[campaign]
    assert inside in hexes
    assert outside not in hexes
