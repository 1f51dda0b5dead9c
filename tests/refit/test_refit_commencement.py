"""9.620 and what may set up where."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import msgspec
import pytest
from refit_helpers import BRITISH, GERMAN, by_point, campaign_at, piece, run_step, told
from sentences import Tells, raised, says

from asl_pbcg.campaign.module.frame import SCENARIO
from asl_pbcg.campaign.position import (
    FORMAT,
    EquipmentEntry,
    Fortification,
    Position,
    UnitEntry,
    VehicleEntry,
)
from asl_pbcg.campaign.position_words import (
    EquipmentStatus,
    FortificationKind,
    VehicleStatus,
    status_words,
)
from asl_pbcg.campaign.sheets.ledger import force_lines, purchase_lines, roster_lines
from asl_pbcg.campaign.state.campaign_state import Bought, Campaign, ReceivedGroup, change
from asl_pbcg.campaign.state.piece_changes import update
from asl_pbcg.campaign.state.piece_names import short_name
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.chronicle.reph_sheets import setup_sheet
from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.refit.s617_purchase import purchase
from asl_pbcg.refit.s619_fortifications import purchase_fortifications
from asl_pbcg.refit.s620_commencement import commencement
from asl_pbcg.refit.setup.recorded_setup import newly_bought
from asl_pbcg.refit.setup.setup_check import check_setup
from asl_pbcg.refit.setup.setup_rules import enterable_now, placement_refusal, setups

NONE = ["none", "none"]


def situation(**fields: Any) -> Campaign:
    """British hold X18 and W18; the squad in Z15/1 is cut off above the German ground level."""
    return campaign_at(
        "9.620",
        piece("b1", BRITISH, "6-4-8", "X18", area="A"),
        piece("b2", BRITISH, "6-4-8", "Z15/1", area="B"),
        piece("b3", BRITISH, "8-0", "X18", area="A"),
        piece("gun", BRITISH, "57L AT", "X18", area="A"),
        piece(
            "t1", BRITISH, "Sherman V (DD)", "W18", area="A", status="immobilized", vca="V17/W17"
        ),
        piece("new", BRITISH, "6-4-8", "off-map Z28", area="Z28"),
        piece("g1", GERMAN, "4-6-7", "Z15", area="A"),
        piece("g2", GERMAN, "LMG", "GG20"),
        date=CGDate.DAWN,
        british=["W18", "X18", "Z15/1"],
        german=["Z15", "II13"],
        gliders={"V16": "landed"},
        **fields,
    )


def setup_of(
    *units: UnitEntry, equipment: Any = (), vehicles: Any = (), forts: Any = ()
) -> Position:
    return Position(
        format=FORMAT, date=CGDate.DAWN, units=units, equipment=tuple(equipment),
        vehicles=tuple(vehicles), fortifications=tuple(forts),
    )  # fmt: skip


def unit(id: str, type: str, at: str, side: Side = BRITISH, **fields: Any) -> UnitEntry:
    return UnitEntry(id=id, side=side, type=type, at=at, **fields)


def wrong(state: Campaign, side: Side, setup: Position) -> str:
    return "\n".join(str(fault) for fault in check_setup(state, side, setup))


@pytest.mark.rule("9.62021-a", "9.62021-d", "9.62022-a", "9.620-a", "9.6202-a")
def test_isolated_pieces_of_both_sides_set_up_before_all_others() -> None:
    state, lines = run_step(situation(), commencement, NONE)
    texts = [line.text for line in lines]
    first = [n for n, text in enumerate(texts) if "Isolated, set up first" in text]
    then = [n for n, text in enumerate(texts) if "what is not Isolated sets up now" in text]
    assert len(first) == len(then) == 2
    assert max(first) < min(then)
    # Dawn was played, but the date has not moved on in this small state: British set up first.
    assert texts[first[0]].startswith("British")
    assert "6-4-8 b2" in texts[first[0]]
    assert {each.id for each in state.pieces if each.ammo_shortage} == {"b2"}
    assert "A19.131" in told(lines)


@pytest.mark.rule("9.62021-d")
def test_ammunition_shortage_ends_with_the_isolation() -> None:
    state, _ = run_step(situation(), commencement, NONE)
    pieces = tuple(msgspec.structs.replace(each, at="X18", area="A") if each.id == "b2" else each
                   for each in state.pieces)  # fmt: skip
    again, _ = run_step(change(state, pieces=pieces), commencement, NONE)
    assert not any(each.ammo_shortage for each in again.pieces)


@pytest.mark.rule("9.62021-b", "9.62022-a", "9.4-CG6-b", "9.2-ad")
def test_a_piece_sets_up_in_the_area_it_is_retained_in(tells: Tells) -> None:
    state = situation()
    assert wrong(state, BRITISH, setup_of(unit("b1", "6-4-8", "W18"))) == ""
    tells(wrong(state, BRITISH, setup_of(unit("b1", "6-4-8", "Z13"))), "Setup Area A", "9.62022")
    tells(wrong(state, BRITISH, setup_of(unit("b2", "6-4-8", "X18"))), "Setup Area B", "9.62021")
    tells(wrong(state, BRITISH, setup_of(unit("g1", "4-6-7", "Z15", GERMAN))), "British")


@pytest.mark.rule("9.62021-b", "9.62022-a")
def test_nobody_sets_up_in_a_level_that_is_of_another_setup_area(tells: Tells) -> None:
    """Z15/1 is British Setup Area B above the German ground level, which Z15/2 goes with."""
    state = situation()
    for at, allowed in (("Z15/1", True), ("Z15", False), ("Z15/2", False)):
        said = wrong(state, BRITISH, setup_of(unit("b2", "6-4-8", at)))
        assert (said == "") is allowed, at
    said = wrong(state, BRITISH, setup_of(unit("b2", "6-4-8", "Z15")))
    tells(said, "Setup Area B", "Z15", "Z15/1", "9.62021")
    said = wrong(state, GERMAN, setup_of(unit("g1", "4-6-7", "Z15/1", GERMAN)))
    tells(said, "Setup Area A", "Z15/1", "Z15", "9.62022")
    for at, allowed in (("Z15", True), ("Z15/2", True), ("Z15/1", False)):
        said = wrong(state, GERMAN, setup_of(unit("g1", "4-6-7", at, GERMAN)))
        assert (said == "") is allowed, at


@pytest.mark.finding("F-09")
@pytest.mark.rule("9.2-j", "9.62022-a")
def test_nothing_sets_up_where_it_could_not_go_and_no_location_is_overstacked(tells: Tells) -> None:
    """F-10, F-09: W23 is a pond inside the Setup Area; three squads fill a Location."""
    squads = [piece(f"b{n}", BRITISH, "6-4-8", "W22", area="A") for n in range(1, 5)]
    state = campaign_at("9.620", *squads, british=GLIDERS, gliders=GLIDERS)
    assert "W23" in state.areas.friendly(BRITISH)
    text = wrong(state, BRITISH, setup_of(unit("b1", "6-4-8", "W23")))
    tells(text, "9.2", "Enterable")
    assert wrong(state, BRITISH, setup_of(unit("b1", "6-4-8", "V23"))) == ""
    full = [unit(f"b{n}", "6-4-8", "W22") for n in range(1, 5)]
    tells(wrong(state, BRITISH, setup_of(*full)), "4 squad", "W22", "Overstacked", "3", "A5.1")
    assert wrong(state, BRITISH, setup_of(*full[:3], unit("b4", "6-4-8", "V23"))) == ""


GLIDERS = dict.fromkeys(("W22", "W24", "V23", "X23"), "landed")


@pytest.mark.finding("G-10", "F-10")
@pytest.mark.rule("9.62022-c", "9.619-e")
@pytest.mark.parametrize(
    ("kind", "at", "rule"),
    [
        ("foxhole-1s", "P12", "B27.1"),
        ("foxhole-1s", "Y19", "B27.1"),
        ("foxhole-1s", "W23", "9.2 Enterable"),
        ("foxhole-1s", "A1", "9.62022"),
        ("ap-mines", "Y19", "B28.1"),
        ("at-mines", "Y19", ""),
        ("ap-mines", "Y18", "B28.1"),
        ("at-mines", "Y18", ""),
        ("foxhole-1s", "Y18", "B27.1"),
        ("foxhole-3s", "Q17", "B27.1"),
        ("ap-mines", "Q17", ""),
        ("ap-mines", "V22", "B28.1"),
        ("at-mines", "V22", "B28.1"),
        ("ap-mines", "X18", ""),
        ("dummy", "V22", ""),
        ("ap-mines", "P14", "9.619 note f"),
        ("at-mines", "X23", ""),
        ("foxhole-1s", "P14", ""),
    ],
)
def test_where_a_fortification_cannot_be_set_up(kind: str, at: str, rule: str) -> None:
    """F-10, F-11, G-10: each refusal names its own reason.

    P14 is Isolated, P12 and X18 are buildings, Y18 has a paved road, Q17 a stream, V22 marsh.
    """
    held = ["P12", "R17", *GLIDERS, "X18", *(["Y19", "Y20"] if at == "Y19" else [])]
    german = ["U12", "L12", *(["Y19", "Y20"] if at == "P14" else [])]
    state = campaign_at("9.620", british=held, german=german, gliders=GLIDERS)
    chart = state.charts.fortifications.kinds[kind]
    assert placement_refusal(state, BRITISH, chart, at)[1] == rule


def offered(state: Campaign, side: Side = BRITISH) -> Prompt:
    """Return the first question of a side that buys."""
    _, log = run_step(state, purchase_fortifications, ["done"])
    (prompt,) = [each for each in log.asked if isinstance(each, Prompt)]
    return prompt


@pytest.mark.finding("G-10", "G-16")
@pytest.mark.rule("9.619-n")
def test_no_mines_are_sold_while_every_setup_area_is_isolated() -> None:
    germans = ["U12", "L12", "Y19", "Y20"]
    isolated = campaign_at("9.619", british=["P12"], german=germans, fpp={BRITISH: 20.0})
    assert offered(isolated).option("ap-mines").rule == "9.619 note f"
    assert offered(isolated).option("at-mines").rule == "9.619 note f"
    assert not offered(isolated).option("foxhole-1s").refused
    supplied = campaign_at(
        "9.619", british=["P12", *GLIDERS], german=germans, gliders=GLIDERS, fpp={BRITISH: 20.0}
    )
    assert not offered(supplied).option("ap-mines").refused


@pytest.mark.finding("G-16")
@pytest.mark.parametrize(("date", "day"), [(CGDate.NIGHT_2, False), (CGDate.DAY_1, True)])
def test_a_starshell_increase_says_that_it_is_of_no_use_by_day(date: CGDate, day: bool) -> None:
    state = campaign_at("9.619", british=["P12"], date=date, fpp={BRITISH: 20.0})
    assert ("E1.92" in offered(state).option("starshell").consequence) is day


@pytest.mark.finding("G-10")
def test_at_mines_on_a_paved_road_are_seen_by_both_and_others_are_hidden() -> None:
    bought = tuple(
        Bought(
            key=f"b-fpp-{n}", side=BRITISH, kind=kind, date=CGDate.DAWN, cost=3.0, factors=6, at=at
        )
        for n, (kind, at) in enumerate(
            [("at-mines", "Y18"), ("at-mines", "X21"), ("ap-mines", "X21")]
        )
    )
    state = campaign_at("0.2", british=["X18"], bought=bought)
    found = [(str(each.kind), each.at, each.hidden) for each in newly_bought(state)]
    assert found == [
        ("at-mines", "Y18", False),
        ("at-mines", "X21", True),
        ("ap-mines", "X21", True),
    ]


@pytest.mark.finding("G-10")
def test_a_hidden_gun_sets_up_in_no_marsh(tells: Tells) -> None:
    gun = piece("gun", BRITISH, "57L AT", "X22", area="A", hip=True)
    state = campaign_at("9.620", gun, british=list(GLIDERS), gliders=GLIDERS)
    entry = EquipmentEntry(id="gun", side=BRITISH, type="57L AT", at="V22")
    tells(wrong(state, BRITISH, setup_of(equipment=[entry])), "V22", "HIP", "B16.41")
    assert "HIP" not in wrong(
        state, BRITISH, setup_of(equipment=[msgspec.structs.replace(entry, at="W21")])
    )


@pytest.mark.finding("F-11")
@pytest.mark.rule("9.619-j")
@pytest.mark.parametrize(
    ("pieces", "kind", "words", "rule"),
    [
        ((), "hip-gun", "no Gun or vehicle that sets up", "9.619"),
        ((), "hip-hs", "no HS or crew that sets up", "9.619"),
        ((("6-4-8", True),), "hip-squad", "uses HIP already", "9.619"),
        (
            (("6-4-8", True), ("6-4-8", False)),
            "hip-squad",
            "10% of 2 squads may use HIP, that is 1: 1 used",
            "9.619 note c",
        ),
    ],
)
def test_why_hip_is_refused(
    pieces: tuple[tuple[str, bool], ...], kind: str, words: str, rule: str
) -> None:
    """F-11."""
    units = [
        piece(f"b{n}", BRITISH, type, "W22", area="A", hip=hip)
        for n, (type, hip) in enumerate(pieces)
    ]
    state = campaign_at("9.619", *units, british=("W22",), gliders=GLIDERS, fpp={BRITISH: 20.0})
    _, log = run_step(state, purchase_fortifications, ["done"])
    (prompt,) = [each for each in log.asked if isinstance(each, Prompt)]
    option = prompt.option(kind)
    assert words in option.refused
    assert option.rule == rule


@pytest.mark.rule("9.62021-c", "9.62022-b", "9.6071-f")
def test_an_immobile_vehicle_stays(tells: Tells) -> None:
    state = situation()
    tank = VehicleEntry(id="t1", side=BRITISH, type="Sherman V (DD)", at="X18")
    tells(wrong(state, BRITISH, setup_of(vehicles=[tank])), "W18", "VCA", "V17/W17", "9.6071")
    stays = msgspec.structs.replace(tank, at="W18")
    assert wrong(state, BRITISH, setup_of(vehicles=[stays])) == ""


@pytest.mark.rule("9.6072-a")
def test_what_lies_outside_all_areas_stays() -> None:
    (lies,) = [each for each in setups(situation(), GERMAN) if each.piece.id == "g2"]
    assert (lies.fixed, lies.rule) == ("GG20", "9.6072")


@pytest.mark.rule("9.4-CG11-a")
def test_a_gun_sets_up_within_three_hexes(tells: Tells) -> None:
    state = situation()

    def gun(at: str) -> str:
        piece = EquipmentEntry(id="gun", side=BRITISH, type="57L AT", at=at)
        return wrong(state, BRITISH, setup_of(equipment=[piece]))

    assert gun("W18") == ""
    tells(gun("S15"), "Setup Area A", "within 3", "X18")
    house = change(state, house_rules={"C-68": "three-hexes"})
    (loose,) = [each for each in setups(house, BRITISH) if each.piece.id == "gun"]
    (strict,) = [each for each in setups(state, BRITISH) if each.piece.id == "gun"]
    assert loose.hexes is not None
    assert strict.hexes is not None
    assert strict.hexes <= loose.hexes


@pytest.mark.rule("9.4-CG11-b")
def test_the_gun_in_x20_never_moves() -> None:
    state = campaign_at(
        "9.620", piece("pak", GERMAN, "50L AT", "X20", area="A"), german=["X20"],
    )  # fmt: skip
    (only,) = setups(state, GERMAN)
    assert (only.fixed, only.rule) == ("X20", "CG11")


@pytest.mark.rule("9.6058-a", "9.6058-b")
def test_no_move_units_south_of_cc_begin_where_they_were() -> None:
    state = campaign_at(
        "9.620",
        piece("g1", GERMAN, "4-4-7", "M12", area="A", status="no-move"),
        piece("g2", GERMAN, "4-4-7", "JJ10", area="B", status="no-move"),
        german=["M12", "JJ10"],
        date=CGDate.NIGHT_1,
    )
    state = change(state, date=CGDate.NIGHT_2)
    south, north = setups(state, GERMAN)
    assert (south.fixed, south.rule) == ("M12", "9.6058")
    area = next(each for each in state.areas.areas[GERMAN] if each.id == "B")
    assert north.hexes == area.hexes & enterable_now(state)
    assert len(north.hexes) > 1


@pytest.mark.rule("9.4-CG6-a")
def test_a_unit_off_map_enters_at_its_entry_area(tells: Tells) -> None:
    (new,) = [each for each in setups(situation(), BRITISH) if each.piece.id == "new"]
    assert new.entry == "Z28"
    tells(
        wrong(situation(), BRITISH, setup_of(unit("new", "6-4-8", "X18"))), "Entry Area Z28", "CG6"
    )


@pytest.mark.rule("9.4-CG6-a")
@pytest.mark.parametrize("played", [CGDate.DAWN, CGDate.DAY_1, CGDate.DAY_2, CGDate.DAY_3])
def test_who_shifted_to_tt14_enters_there_only_when_it_is_open(played: CGDate) -> None:
    """CG5: the arrow names Day II and Dusk."""
    state = campaign_at(
        "9.620",
        piece("b1", BRITISH, "6-4-8", "off-map TT14", area="TT14"),
        british=["X18"],
        date=played,
    )
    assert played.next
    (only,) = setups(change(state, date=played.next), BRITISH)
    opened = played in (CGDate.DAY_1, CGDate.DAY_3)
    assert only.words == ("enters at Entry Area TT14" if opened else "is held off map")
    assert only.rule == ("CG6" if opened else "CG5")


@pytest.mark.rule("9.4-CG6-c", "9.4-CG6-f", "9.61741-a")
def test_an_rg_that_paid_for_an_entry_area_enters_there_and_nowhere_else(tells: Tells) -> None:
    rg = ReceivedGroup(key="I5-1", id="I5", date=CGDate.DAWN, area="J0", settled=True)
    state = campaign_at(
        "9.620", piece("s1", GERMAN, "4-6-7", area="J0", rg="I5-1"), german=["M12"], groups=(rg,)
    )
    (new,) = setups(state, GERMAN)
    assert (new.entry, new.words, new.rule) == ("J0", "enters at Entry Area J0", "CG6")
    sheet = setup_sheet(state, GERMAN, "german").tables["pieces"]
    assert [row["section"] for row in sheet] == ["Off map: Entry Area J0, RG I5-1: 1 piece"]
    assert wrong(state, GERMAN, setup_of(unit("s1", "4-6-7", "off-map J0", GERMAN))) == ""
    for place in ("off-map A7", "M12"):
        told = wrong(state, GERMAN, setup_of(unit("s1", "4-6-7", place, GERMAN)))
        tells(told, "Entry Area J0", "CG6")


def company() -> Campaign:
    rg = ReceivedGroup(key="I5-1", id="I5", date=CGDate.DAWN, area="A", settled=True)
    return campaign_at(
        "9.620",
        piece("s1", GERMAN, "4-6-7", area="A", rg="I5-1"),
        piece("s2", GERMAN, "4-6-7", area="A", rg="I5-1"),
        piece("lead", GERMAN, "9-1", area="A", rg="I5-1"),
        piece("mg", GERMAN, "LMG", area="A", rg="I5-1"),
        piece("old", GERMAN, "4-4-7", "M12", area="A"),
        german=["M12", "L12"],
        groups=(rg,),
    )


@pytest.mark.rule("9.6183-g", "9.4-CG6-g", "9.4-CG6-f")
def test_a_new_groups_leader_and_weapons_are_with_its_units(tells: Tells) -> None:
    state = company()
    apart = setup_of(
        unit("s1", "4-6-7", "M12", GERMAN), unit("lead", "9-1", "L12", GERMAN),
        equipment=[EquipmentEntry(id="mg", side=GERMAN, type="LMG", at="L12")],
    )  # fmt: skip
    said = wrong(state, GERMAN, apart)
    tells(said, "L12", "lead", "I5-1", "9.6183")
    tells(said, "L12", "mg", "I5-1", "CG6")
    together = setup_of(
        unit("s1", "4-6-7", "M12", GERMAN), unit("lead", "9-1", "M12", GERMAN),
        equipment=[EquipmentEntry(id="mg", side=GERMAN, type="LMG", at="M12")],
    )  # fmt: skip
    assert wrong(state, GERMAN, together) == ""
    elsewhere = setup_of(unit("s1", "4-6-7", "Z15", GERMAN))
    tells(wrong(state, GERMAN, elsewhere), "Setup Area A")


@pytest.mark.finding("G-19")
@pytest.mark.rule("9.6183-g")
@pytest.mark.parametrize(("reading", "right"), [("location", False), ("area", True)])
def test_house_rule_p214_a_new_leader_is_with_a_unit_of_his_rg(reading: str, right: bool) -> None:
    state = change(company(), house_rules={"P-214": reading})
    apart = setup_of(unit("s1", "4-6-7", "M12", GERMAN), unit("lead", "9-1", "L12", GERMAN))
    assert (wrong(state, GERMAN, apart) == "") is right
    alone = setup_of(unit("old", "4-4-7", "M12", GERMAN), unit("lead", "9-1", "L12", GERMAN))
    assert "9.6183" in wrong(state, GERMAN, alone)


def gun_with_crew(**fields: Any) -> Campaign:
    return campaign_at(
        "9.620",
        piece("crew", BRITISH, "2-2-8", "W22", area="A", possesses="gun"),
        piece("gun", BRITISH, "57L AT", "W22", area="A"),
        piece("squad", BRITISH, "6-4-8", "W22", area="A"),
        british=["W22"],
        **fields,
    )


@pytest.mark.finding("G-19")
@pytest.mark.rule("9.619-i")
@pytest.mark.parametrize(("reading", "hidden"), [("with-gun", True), ("pays", False)])
def test_house_rule_p98_the_crew_of_a_gun_that_hip_is_bought_for(
    reading: str, hidden: bool
) -> None:
    state = gun_with_crew(fpp={BRITISH: 5.0}, house_rules={"P-98": reading})
    after, _ = run_step(state, purchase_fortifications, ["hip-gun", "gun"])
    assert {each.id for each in after.pieces if each.hip} == {"gun", "crew"} - (
        set() if hidden else {"crew"}
    )


@pytest.mark.finding("G-19")
@pytest.mark.parametrize(
    ("house", "who", "right"),
    [
        ({}, ("gun",), True),
        ({}, ("gun", "crew"), True),
        ({}, ("crew",), False),
        ({}, ("squad",), False),
        ({"P-98": "pays"}, ("gun", "crew"), False),
        ({"P-205": "bought"}, ("gun",), False),
    ],
)
def test_house_rule_p205_what_may_set_up_hidden(
    house: dict[str, str], who: tuple[str, ...], right: bool
) -> None:
    def status(id: str) -> tuple[str, ...]:
        return ("hidden",) if id in who else ()

    state = gun_with_crew(house_rules=house)
    setup = setup_of(
        unit("crew", "2-2-8", "W22", possesses=("gun",), status=status("crew")),
        unit("squad", "6-4-8", "W22", status=status("squad")),
        equipment=[
            EquipmentEntry(id="gun", side=BRITISH, type="57L AT", at="W22", status=status("gun"))
        ],
    )
    assert (wrong(state, BRITISH, setup) == "") is right
    bought = tuple(msgspec.structs.replace(each, hip=each.id in who) for each in state.pieces)
    assert wrong(change(state, pieces=bought), BRITISH, setup) == ""


@pytest.mark.rule("9.4-CG6-g")
def test_a_new_groups_weapon_is_possessed_by_no_other_unit() -> None:
    state = company()
    mg = [EquipmentEntry(id="mg", side=GERMAN, type="LMG", at="M12")]
    for holder, right in (("s1", True), ("old", False)):
        units = [
            unit("s1", "4-6-7", "M12", GERMAN, possesses=("mg",) if holder == "s1" else ()),
            unit("old", "4-4-7", "M12", GERMAN, possesses=("mg",) if holder == "old" else ()),
        ]
        said = wrong(state, GERMAN, setup_of(*units, equipment=mg))
        assert says(said, "possessed", "I5-1", "CG6") is not right


@pytest.mark.rule("9.6183-h")
def test_an_older_groups_leader_goes_where_he_likes() -> None:
    state = company()
    older = msgspec.structs.replace(state.groups[0], date=CGDate.NIGHT_3)
    state = change(state, groups=(older,))
    assert wrong(state, GERMAN, setup_of(unit("lead", "9-1", "L12", GERMAN))) == ""


@pytest.mark.rule("9.619-i")
def test_sw_with_a_hip_unit() -> None:
    state = company()
    pieces = tuple(msgspec.structs.replace(each, hip=True) if each.id == "old" else each
                   for each in state.pieces)  # fmt: skip
    more = [piece(id, GERMAN, type, area="A") for id, type in
            (("hmg", "HMG"), ("mmg", "MMG"), ("mtr", "50* MTR"), ("boss", "9-1"))]  # fmt: skip
    state = change(state, pieces=(*pieces, *more))

    def hidden(*held: str, led: str = "", **leader: Any) -> str:
        units = [unit("old", "4-4-7", "M12", GERMAN, possesses=held)]
        if led:
            units.append(unit("boss", "9-1", led, GERMAN, **leader))
        return wrong(state, GERMAN, setup_of(*units))

    assert hidden("mg") == ""
    assert hidden("mtr") == ""
    assert "9.619 note b" in hidden("hmg")
    assert "9.619 note b" in hidden("mmg")
    assert hidden("mmg", led="M12") == ""
    assert "9.619 note b" in hidden("mmg", led="L12")
    assert "9.619 note b" in hidden("mmg", led="M12", possesses=("mg",))
    assert "9.619 note b" in hidden("hmg", "mtr")


@pytest.mark.rule("9.619-i", "9.4-CG17-e")
def test_a_walking_wounded_hip_unit_has_its_own_ipc() -> None:
    """Two PIAT are within the IPC of a sound MMC, not within the two of one that is not."""
    for status, right in (("", True), ("walking-wounded", False)):
        state = campaign_at(
            "9.620",
            piece("b1", BRITISH, "6-4-8", "X18", area="A", hip=True, status=status),
            piece("m1", BRITISH, "LMG", "X18", area="A"),
            piece("m2", BRITISH, "PIAT", "X18", area="A"),
            piece("m3", BRITISH, "PIAT", "X18", area="A"),
            british=["X18"],
            catalogue_corrections={"british": {"LMG": {"pp": 1}, "PIAT": {"pp": 1}}},
        )
        setup = setup_of(unit("b1", "6-4-8", "X18", possesses=("m1", "m2", "m3")))
        assert (wrong(state, BRITISH, setup) == "") is right


@pytest.mark.rule("9.619-h")
def test_hip_is_for_what_sets_up_on_map() -> None:
    state = campaign_at(
        "9.619",
        piece("b1", BRITISH, "6-4-8", "X18", area="A"),
        piece("b2", BRITISH, "6-4-8", "off-map Z28", area="Z28"),
        piece("b3", BRITISH, "6-4-8", area="Z28"),
        british=["X18"],
        fpp={BRITISH: 10.0},
    )
    after, log = run_step(state, purchase_fortifications, ["hip-squad", "b1", "done"])
    assert [option.id for option in log.asked[1].options] == ["b1"]  # type: ignore[union-attr]
    assert {each.id for each in after.pieces if each.hip} == {"b1"}


@pytest.mark.rule("9.619-m")
@pytest.mark.parametrize("date", [CGDate.DAY_3, CGDate.DUSK])
def test_no_german_uses_hip_at_dusk(date: CGDate) -> None:
    state = change(company(), date=date)
    setup = setup_of(unit("old", "4-4-7", "M12", GERMAN, status=("hidden",)))
    setup = msgspec.structs.replace(setup, date=date)
    assert ("note h" in wrong(state, GERMAN, setup)) is (date is CGDate.DUSK)


@pytest.mark.rule("9.62022-b", "9.6071-f")
def test_an_immobile_vehicle_keeps_its_vca() -> None:
    for vca, right in (("V17/W17", True), ("", True), ("W17/X17", False)):
        tank = VehicleEntry(
            id="t1",
            side=BRITISH,
            type="Sherman V (DD)",
            at="W18",
            vca=vca,
            status=(VehicleStatus.IMMOBILIZED,),
        )
        said = wrong(situation(), BRITISH, setup_of(vehicles=[tank]))
        assert ("must keep VCA V17/W17" not in said) is right


@pytest.mark.rule("9.4-CG11-c", "9.4-CG11-d")
@pytest.mark.parametrize("date", [CGDate.DAY_3, CGDate.DUSK])
def test_a_gun_is_towed_at_dusk_only(date: CGDate) -> None:
    state = campaign_at(
        "9.620",
        piece("gun", BRITISH, "57L AT", "X18", area="A"),
        piece("car", BRITISH, "Carrier C", "X18", area="A"),
        british=["X18"],
    )
    state = change(state, date=date)
    car = VehicleEntry(id="car", side=BRITISH, type="Carrier C", at="X18", tows=("gun",))
    setup = msgspec.structs.replace(setup_of(vehicles=[car]), date=date)
    assert ("CG11" in wrong(state, BRITISH, setup)) is (date is CGDate.DAY_3)


@pytest.mark.rule("9.51-m", "9.51-u", "9.51-n", "9.51-q")
def test_limits_of_the_initial_scenario(tells: Tells) -> None:
    from test_refit_initial import played

    state = played("CG1").state
    german = [each.id for each in state.of(GERMAN) if each.type == "4-3-6"][:2]
    two = setup_of(*(unit(id, "4-3-6", "X18", GERMAN) for id in german))
    assert "one MMC a Location (I-2)" in wrong(state, GERMAN, two)
    smc = [each for each in state.of(GERMAN) if each.kind == "leader" and each.rg.startswith("I1")]
    with_smc = setup_of(
        unit(german[0], "4-3-6", "X18", GERMAN),
        *(unit(each.id, each.type, "X18", GERMAN) for each in smc),
    )
    assert smc
    assert "I-2" not in wrong(state, GERMAN, with_smc)
    field = setup_of(unit(german[0], "4-3-6", "W17", GERMAN))
    tells(wrong(state, GERMAN, field), "Gun", "Fortification", "Location", "I-2")
    there = update(state, german[0], at="W17")
    assert "(I-2)" in wrong(there, GERMAN, field)
    gun = piece("dug-in", GERMAN, "50L AT", "W17")
    assert "(I-2)" not in wrong(change(state, pieces=(*state.pieces, gun)), GERMAN, field)
    for kind in ("trench", "wire"):  # one that the same file sets up
        dug = Fortification(kind=kind, at="W17", owner=GERMAN)  # type: ignore[arg-type]
        beside = msgspec.structs.replace(dug, at="W18")
        assert "(I-2)" not in wrong(
            state, GERMAN, msgspec.structs.replace(field, fortifications=(dug,))
        )
        assert "(I-2)" in wrong(
            state, GERMAN, msgspec.structs.replace(field, fortifications=(beside,))
        )
    forts = setup_of(forts=[
        Fortification(kind="wire", at="Y18", owner=GERMAN),  # type: ignore[arg-type]
        Fortification(kind="wire", at="W21", owner=GERMAN),  # type: ignore[arg-type]
        Fortification(kind="trench", at="W21", owner=GERMAN, hidden=True),  # type: ignore[arg-type]
        Fortification(kind="pillbox", at="X18", owner=GERMAN, ca="W18/X17"),  # type: ignore[arg-type]
    ])  # fmt: skip
    said = wrong(state, GERMAN, forts)
    assert said.count("I-2") == 3
    tells(said, "Y18", "wire")
    gliders = [each.id for each in state.of(BRITISH) if each.type == "Glider"]
    small = [each.id for each in state.of(BRITISH) if each.type == "2-4-8"]
    good = setup_of(*(unit(id, "2-4-8", "off-map Z28", aboard=glider)
                      for id, glider in zip(small, gliders, strict=True)))  # fmt: skip
    assert "(I-4)" not in wrong(state, BRITISH, good)
    crowded = setup_of(*(unit(id, "2-4-8", "off-map Z28", aboard=gliders[0]) for id in small))
    assert wrong(state, BRITISH, crowded).count("(I-4)") == 3


@pytest.mark.rule("9.51-g", "9.51-n")
def test_the_fortifications_of_cg1_are_those_of_the_ob_within_4_hexes_of_y19(tells: Tells) -> None:
    from test_refit_initial import played

    state = played("CG1").state

    def said(kind: str, *places: str) -> str:
        forts = [Fortification(kind=kind, at=at, owner=GERMAN) for at in places]  # type: ignore[arg-type]
        return wrong(state, GERMAN, setup_of(forts=forts))

    for kind in ("trench", "wire"):
        assert kind not in said(kind, "W21", "X21", "Z21")
        tells(said(kind, "W21", "X21", "Z21", "X18"), "X18", "9.51")
        tells(said(kind, "M12"), "M12", "4 hexes of Y19", "9.51")
    tells(said("foxhole", "X18"), "X18", "9.51")
    tells(said("trench", "W19"), "W19", "9.2 Enterable")  # the canal


@pytest.mark.rule("9.51-n", "9.51-o", "9.52-i")
@pytest.mark.parametrize("campaign", ["CG1", "CG2"])
def test_the_gun_in_x20_begins_unpossessed_and_is_not_hip(campaign: str) -> None:
    """SSR I-2, to which the OB of CG II points for that Gun (P-95)."""
    from test_refit_initial import played

    state = played(campaign).state
    gun = next(each for each in state.pieces if each.type == "50L AT")
    crews = [each for each in state.of(gun.side) if each.kind == "crew"]
    shown = EquipmentEntry(id=gun.id, side=gun.side, type="50L AT", at="X20")
    hidden = msgspec.structs.replace(shown, status=("hidden",))
    man = unit(crews[0].id, crews[0].type, "X20", gun.side)
    manning = msgspec.structs.replace(man, possesses=(gun.id,))
    assert not says(wrong(state, gun.side, setup_of(man, equipment=[shown])), "I-2")
    assert says(
        wrong(state, gun.side, setup_of(man, equipment=[hidden])), short_name(gun.id), "HIP", "I-2"
    )
    assert says(
        wrong(state, gun.side, setup_of(manning, equipment=[shown])), short_name(man.id), "I-2"
    )
    later = situation()
    kept = piece("gun-2", BRITISH, "50L AT", "X20", area="A")
    later = change(later, pieces=(*later.pieces, kept))
    free = msgspec.structs.replace(hidden, id="gun-2", side=BRITISH)
    assert not says(wrong(later, BRITISH, setup_of(equipment=[free])), "I-2")


@pytest.mark.rule("9.52-i", "9.619-h")
def test_hip_is_not_offered_to_the_gun_in_x20_of_cg2() -> None:
    from test_refit_initial import shopping

    session = shopping()
    session.answer("hip-gun")
    asked = session.pending
    assert isinstance(asked, Prompt)
    assert [option.id for option in asked.options] == ["b-57l-at-1", "b-57l-at-2"]


@pytest.mark.rule("9.62022-a")
def test_a_recorded_setup_is_checked_and_kept(tells: Tells) -> None:
    state = situation()
    good = msgspec.to_builtins(setup_of(unit("b1", "6-4-8", "W18")))
    after, _ = run_step(state, commencement, [good, "none"])
    assert after.piece("b1").at == "W18"
    bad = msgspec.to_builtins(setup_of(unit("b1", "6-4-8", "Z13")))
    tells(
        raised(IllegalAnswer, lambda: run_step(state, commencement, [bad, "none"])),
        "Setup Area A",
        "9.62022",
    )
    asked: list[Any] = []
    run_step(state, commencement, NONE, asked=asked)
    assert all(each.secret and each.side for each in asked if isinstance(each, Prompt))


@pytest.mark.rule("9.62022-a", "9.6112-d", "9.4-CG4b-d", "9.6141b-c")
@pytest.mark.parametrize(
    ("type", "lasting", "settled"),
    [
        ("4-6-8", "fanatic", "concealed"),
        ("4-6-7", "freedom-of-movement", "cloaked"),
        ("4-6-7", "no-move", ""),
        ("PzKpfw IVH", "immobilized ma-disabled bmg-malfunctioned stunned", "ce"),
        ("PzKpfw IVH", "abandoned recall low-ammo", ""),
        ("LMG", "malfunctioned captured", "dm"),
    ],
)
def test_a_recorded_setup_takes_nothing_away_that_lasts(
    type: str, lasting: str, settled: str
) -> None:
    """A file that does not list what is true of a piece repairs and ends nothing."""
    there = piece("p", GERMAN, type, "M12", area="A", status=f"{lasting} {settled}")
    state = campaign_at("9.620", there, german=["M12"], date=CGDate.NIGHT_1)
    state = change(state, date=CGDate.NIGHT_2)
    entry = {"id": "p", "side": "german", "type": type, "at": "M12"}
    where = {"infantry": "units", "weapon": "equipment", "vehicle": "vehicles"}
    sheet = where[there.__class__.__name__.lower()]
    document = {"format": FORMAT, "date": "night-2", sheet: [entry]}
    after, _ = run_step(state, commencement, [document, "none"])
    assert set(after.piece("p").status) == set(lasting.split())


def motor_pool() -> Campaign:
    """Two trucks, two squads, a crew with a Gun, two LMG and a prisoner, all in M12."""
    return campaign_at(
        "9.620",
        piece("t1", GERMAN, "Kfz 1", "M12", area="A", vca="M11/N11"),
        piece("t2", GERMAN, "Kfz 1", "M12", area="A", tows="gun"),
        piece("s1", GERMAN, "4-6-7", "M12", area="A", possesses="l1", aboard="t1"),
        piece("s2", GERMAN, "4-6-7", "M12", area="A"),
        piece("c1", GERMAN, "1-2-7", "M12", area="A"),
        piece("l1", GERMAN, "LMG", "M12", area="A"),
        piece("l2", GERMAN, "LMG", "M12", area="A"),
        piece("gun", GERMAN, "50L AT", "M12", area="A", status="hooked"),
        piece("p1", BRITISH, "6-4-8", "M12", status="prisoner", guarded_by="s1"),
        german=["M12"],
        date=CGDate.DUSK,
    )  # fmt: skip


def set_up(state: Campaign, side: Side, setup: Position) -> Campaign:
    """The state when the side that sets up first gives this file, the other none."""
    dated = msgspec.to_builtins(msgspec.structs.replace(setup, date=state.date))
    first = state.frame.setup_order[state.date].first_setup is side
    answers = [dated, "none"] if first else ["none", dated]
    after, _ = run_step(state, commencement, by_point({"9.620.2": answers}))
    return after


@pytest.mark.finding("G-14")
@pytest.mark.rule("9.62022-a")
def test_a_recorded_setup_keeps_possession_passengers_tows_and_facings() -> None:
    setup = setup_of(
        unit("s1", "4-6-7", "M13", GERMAN, possesses=("l2",)),
        unit("s2", "4-6-7", "M12", GERMAN, possesses=("l1",), aboard="t2"),
        equipment=[
            EquipmentEntry(id="l1", side=GERMAN, type="LMG", at="M12"),
            EquipmentEntry(id="l2", side=GERMAN, type="LMG", at="M13"),
            EquipmentEntry(id="gun", side=GERMAN, type="50L AT", at="M11", ca="L10/M10"),
        ],
        vehicles=[
            VehicleEntry(
                id="t1", side=GERMAN, type="Kfz 1", at="M11", vca="L10/M10", tows=("gun",)
            ),
            VehicleEntry(id="t2", side=GERMAN, type="Kfz 1", at="M12", vca="L12/L13"),
        ],
    )
    after = set_up(motor_pool(), GERMAN, setup)
    held = {each.id: (each.at, each.possesses, each.aboard, each.tows) for each in after.pieces}
    assert held == {
        "t1": ("M11", (), "", ("gun",)),
        "t2": ("M12", (), "", ()),
        "s1": ("M13", ("l2",), "", ()),
        "s2": ("M12", ("l1",), "t2", ()),
        "c1": ("M12", (), "", ()),
        "l1": ("M12", (), "", ()),
        "l2": ("M13", (), "", ()),
        "gun": ("M11", (), "", ()),
        "p1": ("M13", (), "", ()),  # with its Guard
    }
    facings = {
        each.id: (getattr(each, "vca", ""), getattr(each, "ca", "")) for each in after.pieces
    }
    assert facings["t1"] == ("L10/M10", "")
    assert facings["t2"] == ("L12/L13", "")
    assert facings["gun"] == ("", "L10/M10")


@pytest.mark.finding("G-14")
def test_a_setup_without_possession_leaves_it_and_what_is_held_goes_along() -> None:
    """Nothing of possession, Passengers and tows is in the file; t1 moves, t2 stays."""
    cars = [
        VehicleEntry(id="t1", side=GERMAN, type="Kfz 1", at="M13"),
        VehicleEntry(id="t2", side=GERMAN, type="Kfz 1", at="M12"),
    ]
    after = set_up(motor_pool(), GERMAN, setup_of(vehicles=cars))
    places = {each.id: each.at for each in after.pieces}
    assert {id for id, at in places.items() if at == "M13"} == {"t1", "s1", "l1", "p1"}
    assert after.piece("t1").vca == ""  # it faced two hexes of M12
    assert (after.piece("s1").aboard, after.piece("s1").possesses) == ("t1", ("l1",))
    assert after.piece("t2").tows == ("gun",)


@pytest.mark.finding("G-14")
@pytest.mark.parametrize(
    ("units", "words"),
    [
        ([("s1", "M12", {"possesses": ("l1",)}), ("s2", "M12", {"possesses": ("l1",)})], "s1"),
        ([("s1", "M12", {"possesses": ("s2",)})], "SW or Gun"),
        ([("s1", "M13", {"possesses": ("l2",)})], "M12"),
        ([("s1", "M12", {"aboard": "l1"})], "vehicle"),
        ([("s1", "M13", {"aboard": "t1"})], "M12"),
    ],
)
def test_what_cannot_be_of_possession_and_passengers_is_a_fault(units: Any, words: str) -> None:
    setup = setup_of(
        *(unit(id, "4-6-7", at, GERMAN, **ties) for id, at, ties in units),
        equipment=[EquipmentEntry(id="l2", side=GERMAN, type="LMG", at="M12")],
        vehicles=[VehicleEntry(id="t1", side=GERMAN, type="Kfz 1", at="M12")],
    )
    said = wrong(motor_pool(), GERMAN, msgspec.structs.replace(setup, date=CGDate.DUSK))
    assert len(said.splitlines()) == 1
    assert words in said


@pytest.mark.finding("G-10", "G-11", "G-14")
@pytest.mark.rule("9.62022-c")
def test_a_setup_says_where_the_fortifications_bought_are() -> None:
    bought = tuple(
        Bought(key=f"b-fpp-{n}", side=BRITISH, kind=kind, date=CGDate.DAWN, cost=2, factors=factors)
        for n, (kind, factors) in enumerate([("foxhole-2s", 0), ("foxhole-2s", 0), ("ap-mines", 6)])
    )
    state = situation(bought=bought)
    hole = Fortification(kind=FortificationKind.FOXHOLE, at="W16", owner=BRITISH, size=2)
    mines = Fortification(kind=FortificationKind.AP_MINES, at="W17", owner=BRITISH, size=6)
    document = msgspec.to_builtins(setup_of(forts=[hole, mines]))
    answers = by_point({"9.620.2": [document, "none"], "9.62022": "later"})
    after, _ = run_step(state, commencement, answers)
    assert [each.at for each in after.bought] == ["W16", "", "W17"]
    for part, rule in (
        (msgspec.structs.replace(hole, size=3), "9.619"),
        (msgspec.structs.replace(hole, at="Y18"), "B27.1"),
        (msgspec.structs.replace(mines, at="A21"), "9.62022"),
        (Fortification(kind=FortificationKind.WIRE, at="W16", owner=BRITISH), "9.619"),
    ):
        assert rule in wrong(state, BRITISH, setup_of(forts=[part]))


@pytest.mark.finding("G-14")
def test_the_fortifications_of_cg1_are_where_the_setup_has_them() -> None:
    from test_refit_initial import played

    state = change(played("CG1").state, at="9.620")
    places = {"trench": ["W21", "X20", "Z21"], "wire": ["W21", "X21"], "pillbox": ["Z21"]}
    forts = [
        Fortification(
            kind=FortificationKind(kind),
            at=at,
            owner=GERMAN,
            ca="Y22/Z22" if kind == "pillbox" else "",
        )
        for kind, listed in places.items()
        for at in listed
    ]
    after = set_up(state, GERMAN, setup_of(forts=forts))
    found = [
        (each.type.split()[-1].lower(), each.at)
        for each in after.of(GERMAN)
        if each.kind == "fortification" and each.at
    ]
    assert sorted(found) == sorted((kind, at) for kind, all in places.items() for at in all)


@pytest.mark.rule("9.51-o", "9.52-i")
@pytest.mark.parametrize("campaign", ["CG1", "CG2"])
def test_the_gun_in_x20_is_emplaced_whatever_a_setup_lists(campaign: str) -> None:
    from test_refit_initial import played

    state = change(played(campaign).state, at="9.620")
    gun = next(each for each in state.pieces if each.type == "50L AT")
    assert gun.has(EquipmentStatus.EMPLACED)
    shown = EquipmentEntry(id=gun.id, side=gun.side, type="50L AT", at="X20")
    setup = msgspec.structs.replace(setup_of(equipment=[shown]), date=state.date)
    first = state.frame.setup_order[state.date].first_setup is gun.side
    documents = [msgspec.to_builtins(setup), "none"]
    answers = by_point({"9.620.2": documents if first else documents[::-1]})
    after, _ = run_step(state, commencement, answers)
    assert after.piece(gun.id).has(EquipmentStatus.EMPLACED)


@pytest.mark.rule("9.6-d", "9.6-a")
def test_the_sequence_of_steps() -> None:
    from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE

    needed = [chart.step for chart in PEGASUS_BRIDGE.frame.steps if chart.scenario_end]
    assert needed == ["9.601", "9.602", "9.603"]
    steps = PEGASUS_BRIDGE.order(initial=False)
    assert steps == [SCENARIO, *(f"9.6{n:02}" for n in range(1, 21)), SCENARIO]


def test_the_setup_sheet_is_for_its_own_side(tells: Tells) -> None:
    from asl_pbcg.kernel.errors import PBCGError

    sheet = setup_sheet(situation(), BRITISH, "british")
    (first,) = (row for row in sheet.tables["pieces"] if row["id"] == "b2")
    assert first["section"].startswith("First, Isolated: ")
    assert "Ammunition Shortage" in first["notes"]
    tells(raised(PBCGError, lambda: setup_sheet(situation(), BRITISH, "german")), "British")


@pytest.mark.finding("G-16")
@pytest.mark.rule("9.6183-g", "9.4-CG6-f")
def test_the_setup_sheet_names_the_rg_received_now_alone() -> None:
    """Two RG at one Entry Area can be told apart on paper too."""
    rows = setup_sheet(company(), GERMAN).tables["pieces"]
    new = {group.key for group in company().groups if group.date is company().date}
    told = {row["id"]: row["remark"] for row in rows if row["rg"]}
    assert new and told
    for row in rows:
        assert ("RG " in row["section"] + row["remark"]) is (row.get("rg", "") in new)


@pytest.mark.finding("G-16")
@pytest.mark.rule("9.6178-c")
def test_rg_m1_is_recorded_as_15_fpp() -> None:
    group = ReceivedGroup(key="M1-1", id="M1", date=CGDate.DAWN, settled=True)
    (line,) = purchase_lines(campaign_at("9.618", groups=(group,)))
    assert [(each.number, each.type) for each in line.units] == [(15, "FPP")]


@pytest.mark.finding("G-16")
@pytest.mark.rule("9.619-c", "9.619-h")
@pytest.mark.parametrize(
    ("id", "type", "kind", "words"),
    [
        ("g-35-s-739-f-881", "35-S 739(f)", "hip-gun", "35-S 739(f) 881"),
        ("g-50l-at-881", "50L AT", "hip-gun", "50L AT 881"),
        ("g-467-881", "4-6-7", "hip-squad", "squad D-881"),
    ],
)
def test_the_roster_names_who_uses_hip(id: str, type: str, kind: str, words: str) -> None:
    """A vehicle is not called a Gun because both cost 5 FPP."""
    hidden = piece(id, GERMAN, type, "M12", area="A", hip=True)
    bought = Bought(key="g-fpp-1", side=GERMAN, kind=kind, date=CGDate.DAWN, cost=5.0, unit=id)
    state = campaign_at("9.620", hidden, german=["M12"], bought=(bought,))
    lines = [line for line in roster_lines(state) if line.date is CGDate.DAWN]
    assert [each.what for line in lines for each in line.fortifications] == [words]


@pytest.mark.finding("G-16")
@pytest.mark.parametrize(("date", "words"), [(CGDate.DUSK, "lost"), (CGDate.DAY_3, "kept")])
def test_no_cpp_are_kept_after_the_last_cg_date(date: CGDate, words: str) -> None:
    state = campaign_at("9.617", german=["M12"], date=date, cpp=24)
    _, log = run_step(state, purchase, ["done"])
    (prompt,) = [each for each in log.asked if isinstance(each, Prompt)]
    assert words in prompt.option("done").consequence


@pytest.mark.finding("G-16")
@pytest.mark.parametrize(("date", "shown"), [(CGDate.NIGHT_2, True), (CGDate.DAWN, False)])
def test_no_sheet_of_a_day_shows_freedom_of_movement(date: CGDate, shown: bool) -> None:
    squad = piece("g1", GERMAN, "4-3-6", "M12", area="A", status="freedom-of-movement no-move")
    state = campaign_at("9.620", squad, german=["M12"], date=date)
    (row,) = setup_sheet(state, GERMAN).tables["pieces"]
    (line,) = force_lines(state, GERMAN, "german")
    for words in (row["remark"], row["status"], status_words(line.status)):
        assert ("Freedom of Movement" in words) is shown
        assert "No Move" in words


@pytest.mark.rule("9.52-i", "9.51-o")
@pytest.mark.parametrize(("campaign", "rule"), [("CG1", "9.51"), ("CG2", "9.52")])
def test_the_gun_in_x20_stands_there_by_the_rule_of_its_campaign(campaign: str, rule: str) -> None:
    from test_refit_initial import played

    state = played(campaign).state
    guns = [each for side in (BRITISH, GERMAN) for each in setups(state, side)
            if each.piece.type == "50L AT"]  # fmt: skip
    assert [(each.fixed, each.rule) for each in guns] == [("X20", rule)]


@pytest.mark.rule("9.619-c", "9.619-k", "9.619-g")
def test_the_setup_sheet_sets_up_no_san_increase_and_names_who_gave_each_dummy() -> None:
    from test_refit_initial import shopping

    session = shopping()
    for answer in ("san", "dummy", 2, "foxhole-3s", 1, "done"):
        session.answer(answer)
    rows = setup_sheet(session.state, BRITISH, "british").tables["pieces"]
    bought = {row["type"]: row for row in rows if row["section"].startswith("Bought")}
    assert says(bought["Foxhole 3S"]["where"], "Setup", "Area")
    assert not says(bought["SAN Increase"]["where"], "Setup", "Area")
    dummies = [(row["rule"], row["notes"]) for row in rows if row["type"] == '"?"']
    assert dummies == [("9.52", "x6"), ("9.52", "x8"), ("9.52", "x10"), ("9.619", "x2")]


@pytest.mark.rule("9.2-am", "9.51-f", "9.52-d")
@pytest.mark.parametrize(("campaign", "rule"), [("CG1", "9.51"), ("CG2", "9.52")])
def test_before_an_initial_scenario_each_side_is_told_to_set_up_by_its_ob(
    campaign: str, rule: str
) -> None:
    from test_refit_initial import played

    lines = [line for line in played(campaign).lines() if line.step.endswith("9.620")]
    told_now = [line for line in lines if line.kind == "note" and line.rule in ("9.62022", rule)]
    assert [line.rule for line in told_now] == [rule, rule]
    assert all(says(line, "OB") for line in told_now)
    _, later = run_step(situation(), commencement, NONE)
    assert [line.rule for line in later if line.rule in ("9.62022", rule)] == ["9.62022"] * 2


@pytest.mark.rule("9.6178-c")
def test_number_remaining() -> None:
    from asl_pbcg.campaign.sheets.ledger import purchase_lines

    groups = tuple(
        ReceivedGroup(key=f"V5-{n}", id="V5", date=date, given=given, settled=True)
        for n, date, given in (
            (1, CGDate.DAWN, False),
            (2, CGDate.DAY_1, True),
            (3, CGDate.DAY_1, False),
        )
    )
    lines = purchase_lines(change(situation(), groups=groups))
    assert [(line.number_purchased, line.number_remaining) for line in lines] == [
        (1, 1),
        (1, 1),
        (2, 0),
    ]


def test_a_setup_lists_the_pieces_of_the_ob_once_and_for_the_date_to_come(tells: Tells) -> None:
    state = situation()
    told_of = wrong(state, BRITISH, setup_of(unit("b1", "6-4-8", "W18", GERMAN)))
    tells(told_of, "german", "b1", "British")
    told_of = wrong(state, BRITISH, setup_of(unit("b1", "3-3-8", "W18")))
    tells(told_of, "3-3-8", "b1", "6-4-8", "OB")
    twice = setup_of(unit("b1", "6-4-8", "W18"), unit("b1", "6-4-8", "X18"))
    tells(wrong(state, BRITISH, twice).replace(":", ""), "b1", "listed")
    later = msgspec.structs.replace(setup_of(unit("b1", "6-4-8", "W18")), date=CGDate.DUSK)
    tells(wrong(state, BRITISH, later), "dusk", "date")


@pytest.mark.finding("G-62")
def test_a_heading_says_where_its_pieces_set_up_and_their_rows_say_no_more() -> None:
    from test_refit_initial import played

    sheet = setup_sheet(played("CG1").state, GERMAN)
    found = sheet.tables["pieces"]
    headings = "\n".join({str(row["section"]) for row in found})
    place = "Then: Setup Area B, building Locations within 4 hexes of M12"
    assert re.search(rf"^{place}, RG I3-1: 1\d pieces$", headings, re.MULTILINE)
    (own,) = {row["section"] for row in found if str(row["section"]).startswith(place)}
    assert not [row["remark"] for row in found if row["section"] == own and row["remark"]]
    assert not [row for row in found if "hexes of" in str(row["remark"])]
    card = "\n".join(str(row["text"]) for row in sheet.tables["card"])
    assert "Without Freedom of Movement: all that set up on map." in card


@pytest.mark.finding("G-62")
def test_a_setup_sheet_lists_the_fortifications_of_the_ob_and_9_before_10() -> None:
    from test_refit_initial import played

    rows = setup_sheet(played("CG1").state, GERMAN).tables["pieces"]
    own = Counter(str(row["type"]) for row in rows)
    assert (own["1+3+5 Pillbox"], own["Trench"], own["Wire"]) == (1, 3, 3)
    squads = [str(row["name"]) for row in rows if row["type"] == "4-4-7"]
    assert squads.index("E-9") < squads.index("E-10")
    later = setup_sheet(company(), GERMAN).tables["pieces"]
    assert not [row for row in later if row["type"] == "Trench"]


@pytest.mark.finding("G-62")
def test_each_new_rg_has_a_heading_of_its_own_in_its_setup_area() -> None:
    from test_refit_initial import played

    rows = setup_sheet(played("CG1").state, GERMAN).tables["pieces"]
    assert not [row for row in rows if "RG" in str(row["remark"])]
    own, first, second = dict.fromkeys(
        str(row["section"]) for row in rows if "Setup Area A" in str(row["section"])
    )
    assert own.startswith("Then: Setup Area A, within 4 hexes of Y19: ")
    assert first.startswith("Then: Setup Area A, RG I1-1: ")
    assert second.startswith("Then: Setup Area A, RG I1-2: ")
    assert {row["rg"] for row in rows if row["section"] in (first, second)} == {"I1-1", "I1-2"}


@pytest.mark.finding("G-62")
def test_the_foot_of_a_setup_sheet_has_the_tables_of_the_evening() -> None:
    from test_refit_initial import played

    sheet = setup_sheet(played("CG1").state, BRITISH)
    told = {row["what"]: str(row["text"]) for row in sheet.tables["evening"]}
    assert told["Weather"].startswith("EC are Wet; the wind is a Mild Breeze")
    assert told["SAN"] == "British 2, German 2."
    assert "Night II German/German" in told["Order"]
    assert "8 or less: Escapes" in told["Escape, Infantry"]
    assert "+2 Isolated" in told["Escape, Infantry"]
    assert "; the best Leader or Hero DRM of the stack;" in told["Escape, Infantry"]
    assert sheet.strip and sheet.strip.present == "Night I"
