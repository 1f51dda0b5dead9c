"""The unit catalogue: every type the rules name, its links, its loader and corrections."""

from __future__ import annotations

import pytest
from sentences import Tells

from asl_pbcg.campaign.module.campaign_tables import campaign_tables
from asl_pbcg.campaign.module.catalogue import (
    Catalogue,
    InfantryType,
    UnknownType,
    VehicleType,
    WeaponType,
    load_catalogue,
)
from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.data import data_path
from asl_pbcg.kernel.errors import FaultsError
from asl_pbcg.kernel.typed_data import parse_lines

CATALOGUE = load_catalogue()


def tables() -> dict[str, str]:
    names = ("infantry", "weapons", "vehicles", "formations")
    return {
        name: data_path(f"pb/catalogue/{name}.csv").read_text(encoding="utf-8") for name in names
    }


def read(**changed: str) -> Catalogue:
    texts = tables() | changed
    return Catalogue.of({name: parse_lines(text) for name, text in texts.items()})


def faults_of(**changed: str) -> list[str]:
    with pytest.raises(FaultsError) as caught:
        read(**changed)
    return [str(fault) for fault in caught.value.faults]


@pytest.mark.parametrize("scenario", ["CG1", "CG2"])
def test_every_type_of_the_initial_orders_of_battle_is_known(scenario: str) -> None:
    for group in PEGASUS_BRIDGE.charts.initial[scenario].groups:
        for name in set(group.units) - {"Glider"}:
            assert CATALOGUE.get(name, group.side).name == name
        for name in group.captured:
            assert CATALOGUE.get(name, group.side.other).name == name


def test_every_type_of_the_rg_chart_and_its_support_weapons_is_known() -> None:
    chart = PEGASUS_BRIDGE.charts.groups
    for group in chart.groups.values():
        for _, _, name in group.units:
            assert CATALOGUE.get(name, Side.GERMAN).name == name
    for weapons in chart.support_weapons.values():
        for name in weapons:
            assert CATALOGUE.weapon(name, Side.GERMAN).kind == "sw"


def test_every_british_reinforcement_is_known() -> None:
    for allotment in PEGASUS_BRIDGE.charts.reinforcements.dates.values():
        for name in allotment.units:
            assert CATALOGUE.get(name, Side.BRITISH).name == name
        for name in allotment.dismantled:
            assert CATALOGUE.weapon(name, Side.BRITISH).dm


def test_every_leader_of_the_leader_tables_is_known() -> None:
    for table, ending in (("leader.personnel", ""), ("leader.armor", " Armor Leader")):
        for row in campaign_tables()[table].rows:
            for name in row.facts.get("leaders", ()):
                assert CATALOGUE.infantry(name + ending, Side.GERMAN).leadership is not None


def test_the_same_name_stands_for_a_type_of_each_side() -> None:
    british = CATALOGUE.infantry("4-3-6", Side.BRITISH)
    german = CATALOGUE.infantry("4-3-6", Side.GERMAN)
    assert (british.unit_class, german.unit_class) == ("green", "conscript")


@pytest.mark.parametrize("side", list(Side))
def test_replacement_of_every_mmc_ends_where_it_would_be_disrupted(side: Side) -> None:
    for each in CATALOGUE:
        if isinstance(each, InfantryType) and each.kind in ("squad", "half_squad", "leader"):
            steps = [each.name]
            while each.replaced_by:
                each = CATALOGUE.infantry(each.replaced_by, each.side)
                assert each.name not in steps
                steps.append(each.name)
            assert steps[-1] in ("4-3-6", "2-3-6", "2-2-6", "6+1")


def test_half_squads_are_replaced_as_their_squads_are() -> None:
    for each in CATALOGUE:
        if isinstance(each, InfantryType) and each.half_squad and each.replaced_by:
            half = CATALOGUE.infantry(each.half_squad, each.side)
            lower = CATALOGUE.infantry(each.replaced_by, each.side)
            assert half.replaced_by == lower.half_squad


def test_the_german_ladders_have_as_many_steps_as_the_list_says() -> None:
    def steps(name: str) -> int:
        found = CATALOGUE.infantry(name, Side.GERMAN)
        return 1 + steps(found.replaced_by) if found.unit_class != "conscript" else 0

    assert (steps("5-4-8"), steps("4-6-8"), steps("4-6-7")) == (2, 3, 2)


@pytest.mark.finding("F-17")
def test_the_british_green_hs_has_a_name_of_its_own_and_is_marked() -> None:
    squad = CATALOGUE.infantry("4-3-6", Side.BRITISH)
    assert (squad.half_squad, squad.sure("half_squad")) == ("2-2-6", False)
    assert CATALOGUE.nearest("2-3-6", Side.BRITISH) == ("2-2-6",)
    assert CATALOGUE.infantry("4-3-6", Side.GERMAN).half_squad == "2-3-6"


def test_a_half_squad_recombines_to_its_squad() -> None:
    squad = CATALOGUE.squad_of("2-3-7", Side.GERMAN)
    assert squad is not None
    assert squad.name == "4-4-7"
    assert CATALOGUE.squad_of("2-2-8", Side.BRITISH) is None
    assert CATALOGUE.squad_of("", Side.BRITISH) is None


def test_the_repair_number_of_the_german_hmg_is_sure_and_that_of_the_british_is_not() -> None:
    german = CATALOGUE.weapon("HMG", Side.GERMAN)
    assert (german.repair, german.sure("repair")) == (3, True)
    assert not CATALOGUE.weapon("HMG", Side.BRITISH).sure("repair")


def test_kfz_1_has_no_crew_and_no_armament_but_note_l() -> None:
    found = CATALOGUE.vehicle("Kfz 1", Side.GERMAN)
    assert (found.crew, found.main_armament, found.vehicle_note_l) == (False, "", True)


@pytest.mark.rule("9.61423-d")
def test_french_vehicles_in_german_colours_yield_a_french_lmg() -> None:
    french = [
        each
        for each in CATALOGUE
        if isinstance(each, VehicleType) and any("(f)" in name for name in (each.name, *each.also))
    ]
    assert len(french) == 10
    assert {each.scrounges for each in french} == {"LMG(f)"}


def test_formations_agree_with_the_orders_of_battle() -> None:
    by_name = {each.name: each for each in CATALOGUE.formations.values()}
    for scenario in PEGASUS_BRIDGE.charts.initial.values():
        for group in scenario.groups:
            if group.formation:
                found = by_name[group.formation]
                assert (found.side, found.airborne, found.ox_and_bucks, found.elr) == (
                    group.side,
                    group.airborne,
                    group.ox_and_bucks,
                    group.elr,
                )


def test_an_unknown_type_names_the_nearest(tells: Tells) -> None:
    with pytest.raises(UnknownType) as refused:
        CATALOGUE.get("6-4-9", Side.BRITISH)
    tells(refused, "6-4-9", "British", "6-4-8")
    with pytest.raises(UnknownType) as refused:
        CATALOGUE.get("lloyd carrier", Side.BRITISH)
    tells(refused, "Loyd")
    with pytest.raises(UnknownType) as caught:
        CATALOGUE.weapon("6-4-8", Side.BRITISH)
    assert all(
        isinstance(CATALOGUE.get(name, Side.BRITISH), WeaponType) for name in caught.value.nearest
    )


def test_a_name_near_to_nothing_offers_nothing(tells: Tells) -> None:
    with pytest.raises(UnknownType) as refused:
        CATALOGUE.get("QQQQQQQQ", Side.GERMAN)
    tells(refused, "QQQQQQQQ", "German")


def test_all_faults_of_the_tables_are_told_at_once(tells: Tells) -> None:
    text = tables()["weapons"].replace("british,LMG,sw,", "british,LMG,swx,")
    text = text.replace("british,PIAT,sw,anti-tank projector,1,", "british,PIAT,sw,projector,one,")
    text += "german,LMG,sw,light machine gun,1,,1,maybe,,,,\nfrench,LMG\n"
    text += "german,LMG,sw,light machine gun,1,,1,,,,,repare\n"
    found = "\n".join(faults_of(weapons=text))
    tells(found, "one", "line 5")
    tells(found, "maybe", "line 16")
    tells(found, "repare", "repair", "LMG")
    tells(found, "line 17", "12 cells", "2")
    tells(found, "swx", "line 2")
    tells(found, "LMG")


def test_a_link_to_a_type_that_is_not_there_is_a_fault() -> None:
    text = tables()["infantry"].replace("squad,elite,3-3-8,4-5-7,", "squad,elite,9-9-9,8-0,", 1)
    assert faults_of(infantry=text) == [
        'british 6-4-8, half_squad: "9-9-9" is not a half squad of that side',
        'british 6-4-8, replaced_by: "8-0" is not a squad of that side',
    ]


def test_an_unknown_heading_is_a_fault(tells: Tells) -> None:
    text = tables()["formations"].replace("airborne,", "airbourne,", 1)
    tells(faults_of(formations=text), "airbourne", "airborne")


def test_a_broken_table_is_a_fault(tells: Tells) -> None:
    tells(faults_of(vehicles='side,name\ngerman,"x')[0], "vehicles")


def test_players_correct_values_and_what_they_correct_is_sure() -> None:
    new = CATALOGUE.with_corrections({"british": {"57L AT": {"repair": 2}}})
    found = new.weapon("57L AT", Side.BRITISH)
    assert (found.repair, found.sure("repair")) == (2, True)
    assert CATALOGUE.weapon("57L AT", Side.BRITISH).repair == 1
    assert len(new.to_check()) == len(CATALOGUE.to_check()) - 1


def test_all_faults_of_corrections_are_told_at_once(tells: Tells) -> None:
    with pytest.raises(FaultsError) as caught:
        CATALOGUE.with_corrections(
            {
                "british": {"LMGG": {}, "LMG": {"pp": "two"}, "HMG": {"name": "MG"}},
                "french": {},
                "german": {"4-6-7": {"replaced_by": "4-4-8"}},
            }
        )
    found = [str(fault) for fault in caught.value.faults]
    tells(found[0], "LMG", "LMGG", "British", "MMG", "HMG")
    tells(found[1], "two", "LMG")
    tells(found[2], "name", "HMG")
    tells(found[3], "french", "corrections")
    tells(found[4], "4-4-8", "replaced_by", "4-6-7")
