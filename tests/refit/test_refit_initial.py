"""9.5-9.52 and the steps before an Initial Scenario, by rule number."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from typing import Any

import msgspec
import pytest
from sentences import Tells, raised

from asl_pbcg.campaign.board.board import load_board
from asl_pbcg.campaign.module.campaign_tables import table
from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
from asl_pbcg.campaign.module.zones import east_of_canal, zone_hexes
from asl_pbcg.campaign.state.campaign_state import Campaign, ReceivedGroup, change
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.answers import ListedAnswers, RandomAnswers, drive
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.errors import FaultsError, IllegalAnswer, PBCGError
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.views import for_side
from asl_pbcg.refit.s617_purchase import entry_places
from asl_pbcg.refit.sequence import CampaignGame

GERMAN, BRITISH = Side.GERMAN, Side.BRITISH


def begin(campaign: str, **settings: Any) -> Session[Campaign]:
    journal = Journal.in_memory({"settings": {"campaign": campaign, **settings}})
    return Session(CampaignGame(), journal)


def going(session: Session[Campaign]) -> bool:
    """Whether the Initial Scenario's steps are still being gone through."""
    return session.state.at != "scenario"


def played(campaign: str, seed: int = 0, **settings: Any) -> Session[Campaign]:
    session = begin(campaign, **settings)
    until = lambda: session.state.at == "scenario"  # noqa: E731
    assert drive(session, RandomAnswers(seed), SeededDice(seed), until=until)
    return session


def area_of(campaign: str, side: Side, id: str) -> str:
    groups = PEGASUS_BRIDGE.charts.initial[campaign].groups
    return next(group.area for group in groups if (group.side, group.id) == (side, id))


def counts(state: Campaign, side: Side, id: str) -> Counter[str]:
    area = area_of(state.campaign, side, id)
    return Counter(piece.type for piece in state.of(side) if piece.area == area and not piece.rg)


def pending(session: Session[Campaign], point: str) -> Prompt:
    """Answer at random until ``point`` is asked."""
    answers, dice = RandomAnswers(1), SeededDice(1)
    while going(session) and session.pending is not None and session.pending.id != point:
        asked = session.pending
        if isinstance(asked, Roll):
            session.throw(dice.throw(asked.spec, session.rolls, ""))
        else:
            session.answer(
                "done" if "done" in [o.id for o in asked.options] else answers.answer(asked)
            )
    assert isinstance(session.pending, Prompt)
    return session.pending


def texts(session: Session[Campaign], viewer: str = "umpire") -> str:
    return "\n".join(line.text for line in for_side(session.lines(), viewer))


# -- 9.51 Campaign Game I ---------------------------------------------------------------


@pytest.mark.rule("9.51-a", "9.2-a")
def test_cg1_has_the_eight_dates() -> None:
    titles = [date.title for date in PEGASUS_BRIDGE.frame.campaigns["CG1"].dates]
    assert titles == [
        "Night I",
        "Night II",
        "Night III",
        "Dawn",
        "Day I",
        "Day II",
        "Day III",
        "Dusk",
    ]
    assert played("CG1").state.date is CGDate.NIGHT_1


@pytest.mark.rule("9.51-g")
def test_cg1_garrison() -> None:
    state = played("CG1").state
    assert state.san == {GERMAN: 2, BRITISH: 2}
    assert counts(state, GERMAN, "garrison") == {
        "1-2-7": 1,
        "50L AT": 1,
        "1+3+5 Pillbox": 1,
        "Trench": 3,
        "Wire": 3,
    }
    garrison = [
        (g.id, g.strength)
        for g in state.groups
        if g.area == area_of(state.campaign, GERMAN, "garrison")
    ]
    assert garrison == [("I1", "full"), ("I1", "depleted")]
    squads = Counter(p.type for p in state.of(GERMAN) if p.rg.startswith("I1"))
    assert squads["4-3-6"] == 3 + 2


@pytest.mark.rule("9.51-h")
def test_cg1_second_company() -> None:
    state = played("CG1").state
    groups = [
        (g.id, g.strength, g.units)
        for g in state.groups
        if g.area == area_of(state.campaign, GERMAN, "kompanie-2")
    ]
    assert groups == [("I3", "depleted", ((9, "4-4-7"),))]


@pytest.mark.rule("9.51-i", "9.6181-c")
def test_cg1_first_company_and_its_tanks_roll_for_strength() -> None:
    session = begin("CG1")
    roll = session.pending
    found = []
    while going(session):
        roll = session.pending
        if isinstance(roll, Roll):
            if roll.id == "9.6181":
                found.append(roll.text)
                session.throw((6, 4))
            else:
                session.throw((1,) * roll.spec.count)
        else:
            session.answer("none" if roll.kind == "document" else "yes")
    assert found == ["RG Strength of V2-1 Lt Tank Pltn II"]
    groups = [
        (g.id, g.strength, g.units)
        for g in session.state.groups
        if g.area == area_of("CG1", GERMAN, "kompanie-1")
    ]
    assert groups == [
        ("I3", "full", ((12, "4-4-7"),)),
        ("V2", "depleted", ((2, "38H 735(f)"), (1, "35-S 739(f)"))),
    ]


@pytest.mark.rule("9.51-j")
def test_cg1_fallschirmjaeger_enter_late() -> None:
    state = played("CG1").state
    assert counts(state, GERMAN, "fallschirmjaeger") == {"2-3-8": 1, "8-1": 1, "Kfz 1": 1}
    group = next(
        g for g in PEGASUS_BRIDGE.charts.initial["CG1"].groups if g.id == "fallschirmjaeger"
    )
    assert (group.elr, group.zone.entry, group.zone.turn, group.zone.mp) == (4, "TT12", 2, 18)


@pytest.mark.rule("9.51-k")
def test_cg1_british_come_by_glider() -> None:
    state = played("CG1").state
    assert counts(state, BRITISH, "ox-and-bucks") == {
        "6-4-8": 3,
        "4-5-8": 3,
        "2-4-8": 3,
        "9-2": 1,
        "8-1": 1,
        "8-0": 2,
        "LMG": 2,
        "PIAT": 3,
        "51 MTR (airborne)": 1,
        "Glider": 3,
    }
    assert len(state.of(BRITISH)) == sum(counts(state, BRITISH, "ox-and-bucks").values())
    assert all(piece.airborne and piece.ox_and_bucks for piece in state.of(BRITISH))


@pytest.mark.rule("9.51-f")
def test_cg1_setup_order(tells: Tells) -> None:
    tells(texts(played("CG1")), "German", "British")


@pytest.mark.rule("9.51-o")
def test_cg1_gun_and_crew_stand_in_x20() -> None:
    state = played("CG1").state
    gun = next(piece for piece in state.pieces if piece.type == "50L AT")
    crew = next(piece for piece in state.pieces if piece.type == "1-2-7")
    assert (gun.at, crew.at, gun.status) == ("X20", "X20", ("emplaced",))
    pillbox = next(piece for piece in state.pieces if "Pillbox" in piece.type)
    assert pillbox.at == "Z21"


@pytest.mark.rule("9.51-p")
def test_gliders_land_east_of_the_canal() -> None:
    east = east_of_canal(load_board())
    assert all(name in east for name in ("X22", "Z28", "A29", "TT21", "Y21", "X20"))
    assert not any(name in east for name in ("X18", "Z15", "Y19", "Y20", "X19", "A1"))


@pytest.mark.rule("9.6-c", "9.5-a", "9.617-b")
def test_cg1_runs_only_the_steps_before_an_initial_scenario(tells: Tells) -> None:
    session = played("CG1")
    steps = list(dict.fromkeys(line.step for line in session.lines()))
    assert steps == [f"night-1/{step}" for step in ("9.5", "9.617", "9.618", "9.619", "9.620")]
    tells(texts(session), "CG Date", "RG", "Night")
    assert not any(line.point.startswith("9.617.") for line in session.lines())


# -- 9.52 Campaign Game II --------------------------------------------------------------


@pytest.mark.rule("9.52-a", "9.52-n")
def test_cg2_has_five_dates_and_no_night() -> None:
    dates = PEGASUS_BRIDGE.frame.campaigns["CG2"].dates
    assert [date.title for date in dates] == ["Dawn", "Day I", "Day II", "Day III", "Dusk"]
    assert not any(date.is_night for date in dates)


@pytest.mark.rule("9.52-e", "9.52-f", "9.52-g", "9.52-h")
def test_cg2_british_order_of_battle() -> None:
    state = played("CG2").state
    assert counts(state, BRITISH, "7th-k-q") == {
        "6-4-8": 7,
        "3-3-8": 1,
        "9-2": 1,
        "8-0": 1,
        "LMG": 2,
        "PIAT": 2,
        "51 MTR (airborne)": 1,
    }
    assert counts(state, BRITISH, "7th-bb16") == {
        "6-4-8": 7,
        "9-1": 1,
        "7-0": 1,
        "LMG": 2,
        "PIAT": 2,
    }
    assert counts(state, BRITISH, "7th-u-aa") == {
        "6-4-8": 8,
        "10-2": 1,
        "8-0": 1,
        "LMG": 1,
        "PIAT": 1,
    }
    assert counts(state, BRITISH, "ox-and-bucks") == {
        "6-4-8": 4,
        "4-5-8": 4,
        "2-4-8": 3,
        "2-2-8": 2,
        "9-2": 1,
        "8-1": 1,
        "8-0": 2,
        "LMG": 3 + 1,
        "MMG": 1,
        "PIAT": 1,
        "51 MTR (airborne)": 1,
        "57L AT": 2,
    }
    captured = Counter(p.type for p in state.of(BRITISH) if p.captured)
    assert captured == {"LMG": 1, "MMG": 1, "50L AT": 1}
    dummies = sum(group.dummies for group in PEGASUS_BRIDGE.charts.initial["CG2"].groups)
    assert dummies == 6 + 8 + 10


@pytest.mark.rule("9.52-i", "9.52-j")
def test_cg2_points_and_san() -> None:
    state = begin("CG2").state
    assert (state.cpp, state.fpp) == (25, {BRITISH: 30})
    assert state.san == {GERMAN: 4, BRITISH: 3}
    gun = next(piece for piece in state.of(BRITISH) if piece.type == "50L AT")
    assert (gun.at, gun.status, gun.captured) == ("X20", ("captured", "emplaced"), True)
    given = [
        (g.id, g.strength)
        for g in state.groups
        if g.area == area_of(state.campaign, GERMAN, "kompanie-2")
    ]
    assert given == [("I2", "full")]


@pytest.mark.rule("9.52-k")
def test_cg2_first_company() -> None:
    state = played("CG2").state
    groups = [
        (g.id, g.strength)
        for g in state.groups
        if g.area == area_of(state.campaign, GERMAN, "kompanie-1")
    ]
    assert groups == [("I3", "depleted")]
    assert counts(state, GERMAN, "kompanie-1") == {"35-S 739(f)": 1}


@pytest.mark.rule("9.52-k")
def test_north_of_the_hex_grain() -> None:
    board = load_board()
    group = next(g for g in PEGASUS_BRIDGE.charts.initial["CG2"].groups if g.id == "kompanie-1")
    zone = zone_hexes(group.zone, board)
    assert all(
        name in zone for name in ("EE11", "FF11", "FF12", "HH13", "HH14", "JJ15", "JJ16", "II13")
    )
    assert not any(name in zone for name in ("DD11", "DD10", "EE13", "GG15", "KK19"))
    outside = zone_hexes(group.zone, board, "outside")
    assert "DD10" in outside
    assert zone <= outside


@pytest.mark.rule("9.52-d")
def test_cg2_setup_order(tells: Tells) -> None:
    tells(texts(played("CG2")), "British", "German")


@pytest.mark.rule("9.52-m")
def test_cg2_places_the_fortifications_of_ii_2() -> None:
    fixed = sorted((place.kind, place.at) for place in PEGASUS_BRIDGE.charts.initial["CG2"].fixed)
    assert fixed == sorted([
        ("1+3+5 Pillbox", "Z21"), ("Trench", "W21"), ("Trench", "X20"), ("Trench", "Z21"),
        ("Wire", "W21"), ("Wire", "X21"), ("Wire", "Z21"), ("burnt-out-wreck", "Y14"),
        ("50L AT", "X20"),
    ])  # fmt: skip


# -- 9.617 ------------------------------------------------------------------------------


RG = {  # typed from the chart: name, units, cost, per date, per CG
    "I1": ("Garrison Pltn", "3/2 4-3-6", None, None, None),
    "I2": ("PzPionier Pltn", "4/- 4-4-7", None, None, None),
    "I3": ("PzPionier Coy", "12/9 4-4-7", None, None, None),
    "I4": ("PzGrenadier Pltn", "2/2 4-6-7, 2/1 4-6-8", 5, 2, 3),
    "I5": ("PzGrenadier Coy", "12/9 4-6-7", 13, 1, 4),
    "V1": ("Lt Tank Pltn I", "2/1 FT-17 730(f), 1/1 FT-17 730m(f)", 3, 2, 2),
    "V2": ("Lt Tank Pltn II", "3/2 38H 735(f), 1/1 35-S 739(f)", 6, 1, 1),
    "V3": ("Med Tank Pltn", "3/2 PzKpfw IVH", 14, 2, 3),
    "V4": ("TD Pltn I", "3/2 SPW S307(f)", 5, 1, 2),
    "V5": ("TD Pltn II", "3/2 Marder", 5, 2, 2),
    "V6": ("TD Pltn III", "3/2 GSW 39H PaK(f)", 7, 1, 2),
    "V7": ("SPA Pltn I", "2/1 PzA LrS(f)", 6, 1, 1),
    "V8": ("SPA Pltn II", "2/1 GSW 39H(f)", 6, 1, 2),
    "V9": ("SPA Pltn III", "2/1 mSPW S307(f)", 7, 1, 2),
    "V10": ("StaffCar", "2/1 Kfz 1", 1, 2, 2),
    "V11": ("AAtr Pltn", "2/1 3.7cm FlaK LKW, 2/1 2cm FlaK LKW", 4, 2, 2),
    "M1": ("Fortifications", "15 FPP", 1, 2, 10),
}


@pytest.mark.rule(
    "9.617-e", "9.617-f", "9.617-g", "9.617-h", "9.617-i", "9.617-j", "9.617-k", "9.617-l",
    "9.617-m", "9.617-n", "9.617-o", "9.617-p", "9.617-q", "9.617-r", "9.617-s", "9.617-t",
    "9.617-u", "9.6171-a", "9.6173-a",
)  # fmt: skip
@pytest.mark.parametrize("id", RG)
def test_the_rg_chart(id: str) -> None:
    from asl_pbcg.refit.s617_purchase import contents

    chart = PEGASUS_BRIDGE.charts.groups.groups[id]
    found = (chart.name, contents(chart), chart.cost, chart.date_max, chart.cg_max)
    assert found == RG[id]
    assert set(PEGASUS_BRIDGE.charts.groups.groups) == set(RG)


@pytest.mark.rule("9.617-a", "9.617-c", "9.617-d", "9.6172-a", "9.6174-a", "9.2-f", "9.11-b")
def test_the_german_buys_in_secret_and_keeps_the_rest(tells: Tells) -> None:
    session = begin("CG2")
    for answer in ("I5", "B", "V1", "A7", "done"):
        session.answer(answer)
    account = session.state.account
    assert (account.cpp_available, account.cpp_spent, account.cpp_left) == (25, 16, 9)
    assert session.state.cpp == 9
    german, british = texts(session, "german"), texts(session, "british")
    tells(german, "25 available", "16 spent", "9 left", "CPP")
    tells(german, "Coy")
    assert "CPP" not in british.replace("each CPP Entry Cost", "")
    assert "PzGrenadier" not in british
    assert "Pionier" not in british


@pytest.mark.rule("9.61741-a", "9.2-g", "9.4-CG5-c")
@pytest.mark.parametrize(("arrow", "cost"), [("A7", 0), ("J0", 2), ("U1", 4), ("KK1", 6)])
def test_entry_costs(arrow: str, cost: int) -> None:
    session = begin("CG2")
    session.answer("I4")
    session.answer(arrow)
    group = session.step and session.pending
    assert isinstance(group, Prompt)
    assert f"{25 - 5 - cost} CPP left" in group.text


@pytest.mark.rule("9.61741-a")
@pytest.mark.parametrize(("rule", "asked"), [("kept", False), ("pay-again", True)])
def test_an_rg_that_has_not_entered_keeps_its_right_or_pays_again(
    tells: Tells, rule: str, asked: bool
) -> None:
    from refit_helpers import campaign_at, piece, run_step

    from asl_pbcg.refit.s617_purchase import purchase

    group = ReceivedGroup(
        key="V1-1", id="V1", date=CGDate.DAWN, strength="full", area="J0", cost=3, entry_cost=2,
        settled=True,
    )  # fmt: skip
    tank = piece("g-1", GERMAN, "FT-17 730(f)", "off-map J0", area="J0", rg="V1-1")
    state = campaign_at(
        "9.617", tank, date=CGDate.DAY_1, groups=(group,), cpp=10, house_rules={"C-82": rule}
    )
    for place, cost in (("J0", 2), ("A7", 0), ("KK1", 6)):
        after, _ = run_step(state, purchase, answers=[*[place] * asked, "done"])
        assert after.cpp == 10 - asked * cost
        assert after.account.cpp_spent == asked * cost
        assert after.piece("g-1").area == (place if asked else "J0")
        assert after.piece("g-1").at == f"off-map {place if asked else 'J0'}"
        assert after.groups[0].paid_again == ({CGDate.DAY_1: cost} if asked else {})
    if asked:
        tells(
            raised(
                IllegalAnswer, lambda: run_step(change(state, cpp=5), purchase, answers=["KK1"])
            ),
            "costs 6",
            "CPP",
            "5",
        )
        entered = change(state, pieces=(msgspec.structs.replace(tank, at="J5", area="A"),))
        after, _ = run_step(entered, purchase, answers=["done"])
        assert after.cpp == 10


@pytest.mark.parametrize(("choice", "cost"), [("2", 2), ("3", 3)])
def test_what_hip_costs_a_crew(choice: str, cost: int) -> None:
    session = shopping(house_rules={"C-46": choice})
    crew = next(piece.id for piece in session.state.of(BRITISH) if piece.kind == "crew")
    session.answer("hip-hs")
    session.answer(crew)
    assert isinstance(session.pending, Prompt)
    assert session.pending.text.startswith(f"{30 - cost} FPP left")


@pytest.mark.parametrize(("choice", "refused"), [("2", False), ("3", True)])
def test_hip_that_only_crews_could_use_is_not_offered_without_the_fpp(
    choice: str, refused: bool
) -> None:
    from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
    from asl_pbcg.refit.s619_fortifications import _refusal

    state = shopping(house_rules={"C-46": choice}).state
    crews = tuple(piece for piece in state.pieces if piece.kind != "half_squad")
    state = change(state, pieces=crews, fpp={**state.fpp, BRITISH: 2.0})
    told, rule = _refusal(
        state, BRITISH, "hip-hs", PEGASUS_BRIDGE.charts.fortifications.kinds["hip-hs"]
    )
    assert bool(told) is refused
    assert not refused or (told, rule) == ("Only crews may still use it, for 3 FPP each.", "9.619")


@pytest.mark.parametrize(("choice", "left"), [("half", 2.5), ("free", 3)])
def test_what_an_hs_uses_of_the_hip_allowance(choice: str, left: float) -> None:
    from asl_pbcg.refit.s619_fortifications import _hip_squads_left

    state = shopping(house_rules={"C-95": choice}).state
    pieces = tuple(
        msgspec.structs.replace(piece, hip=piece.id == "b-338-1") for piece in state.pieces
    )
    assert _hip_squads_left(change(state, pieces=pieces), BRITISH) == left


@pytest.mark.finding("G-19")
@pytest.mark.parametrize(("choice", "allowed"), [("squads", 3), ("squad-equivalents", 4)])
def test_house_rule_c47_whether_hs_add_to_the_squads_that_are_counted(
    choice: str, allowed: int
) -> None:
    from asl_pbcg.refit.s619_fortifications import _hip_allowance

    state = shopping(house_rules={"C-47": choice}).state
    squad = next(piece for piece in state.of(BRITISH) if piece.kind == "squad")
    half = next(piece for piece in state.of(BRITISH) if piece.type == "3-3-8")
    squads = [msgspec.structs.replace(squad, id=f"s{n}") for n in range(30)]
    halves = [msgspec.structs.replace(half, id=f"h{n}") for n in range(2)]
    state = change(state, pieces=(*squads, *halves))
    assert _hip_allowance(state, BRITISH)[1] == allowed


@pytest.mark.parametrize(("side", "refused"), [(BRITISH, False), (GERMAN, True)])
def test_who_may_buy_a_starshell_increase(side: Side, refused: bool) -> None:
    from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
    from asl_pbcg.refit.s619_fortifications import _refusal

    state = change(shopping().state, fpp={side: 15.0})
    sentence, _ = _refusal(
        state, side, "starshell", PEGASUS_BRIDGE.charts.fortifications.kinds["starshell"]
    )
    assert bool(sentence) is refused


@pytest.mark.rule("9.31-b")
@pytest.mark.parametrize(("arrow", "cost"), [("A7", 0), ("J0", 0), ("U1", 2), ("KK1", 4)])
def test_german_balance_lowers_entry_costs(arrow: str, cost: int) -> None:
    session = begin("CG2", balance="german")
    assert {place.id: place.cost for place in entry_places(session.state)}[arrow] == cost
    plain = begin("CG2", balance="british")
    assert {place.id: place.cost for place in entry_places(plain.state)}["KK1"] == 6


@pytest.mark.rule("9.6175-a", "9.6176-a", "9.6177-b", "9.617-v")
def test_refused_purchases_name_their_rule(tells: Tells) -> None:
    session = begin("CG2")
    for id in ("I1", "I2", "I3"):
        with pytest.raises(IllegalAnswer) as refused:
            session.answer(id)
        tells(refused, "9.6177")
    session.answer("I5")
    session.answer("B")
    tells(raised(IllegalAnswer, lambda: session.answer("I5")), "CG Date", "1", "I5", "9.6175")
    tells(
        raised(IllegalAnswer, lambda: session.answer("V3")), "costs 14", "V3", "CPP", "12", "9.6174"
    )
    session.answer("V6")
    tells(raised(IllegalAnswer, lambda: session.answer("KK1")), "costs 13", "CPP", "12")
    session.answer("U1")
    assert isinstance(session.pending, Prompt)
    assert "1 CPP left" in session.pending.text


@pytest.mark.rule("9.6176-a", "9.6176-b", "9.6177-d")
def test_given_groups_do_not_count_against_the_maximum() -> None:
    session = played("CG1")
    state = change(session.state, date=CGDate.DAWN, cpp=40)
    assert state.count_purchased("V2") == 0
    from asl_pbcg.refit.s617_purchase import _refusal

    chart = PEGASUS_BRIDGE.charts.groups.groups["V2"]
    assert _refusal(state, "V2", chart) == ("", "")
    from asl_pbcg.refit.s617_purchase import _buy

    bought = _buy(state, "V2", chart, "A7")
    next(bought)
    with pytest.raises(StopIteration) as end:
        next(bought)
    state, _ = end.value.value
    assert state.groups[-1].key == "V2-2"
    later = change(state, date=CGDate.DAY_1)
    assert _refusal(later, "V2", chart) == ("1 V2 in the CG is the most.", "9.6176")


@pytest.mark.rule("9.6178-b", "9.6178-d")
def test_every_group_has_a_line_and_a_place_except_m1() -> None:
    session = begin("CG2")
    for answer in ("M1", "I4", "J0", "done"):
        session.answer(answer)
    lines = {g.key: (g.given, g.area) for g in session.state.groups}
    assert lines == {
        "I2-1": (True, "A"),
        "I3-1": (True, "B"),
        "M1-1": (False, ""),
        "I4-1": (False, "J0"),
    }


@pytest.mark.rule("9.6181-b")
def test_m1_brings_15_fpp() -> None:
    session = begin("CG2")
    for answer in ("M1", "M1", "done"):
        session.answer(answer)
    assert session.state.fpp[GERMAN] == 30
    with pytest.raises(IllegalAnswer, match="2 M1 per CG Date"):
        again = begin("CG2")
        for _ in range(3):
            again.answer("M1")


def test_house_rule_entry_only_and_record_only() -> None:
    session = begin("CG2", house_rules={"C-81": "entry-only"})
    session.answer("I4")
    with pytest.raises(IllegalAnswer, match="legal are: A7, J0, U1, KK1"):
        session.answer("B")
    kept = begin("CG2", house_rules={"B-01": "record-only"})
    assert kept.state.cpp == 25
    assert kept.pending and not kept.pending.id.startswith("9.617")


# -- 9.618 ------------------------------------------------------------------------------


@pytest.mark.rule("9.6181-a", "9.6181-d")
@pytest.mark.parametrize("total", range(2, 13))
def test_strength(total: int) -> None:
    assert table("rg_strength").resolve_total(total, {}).result == (
        "full" if total <= 9 else "depleted"
    )
    assert table("rg_strength").odds({})["full"] == Fraction(30, 36)


def weapons(id: str, strength: str, dr: int) -> dict[str, int]:
    """The SW an RG receives when every SW dr shows ``dr``."""
    from asl_pbcg.refit.s618_strength import support_weapons

    script = support_weapons(
        Campaign(campaign="CG1", date=CGDate.DAWN, at="9.618"),
        ReceivedGroup(key=f"{id}-1", id=id, date=CGDate.DAWN, strength=strength),
    )
    sent: Any = None
    while True:
        try:
            asked = script.send(sent)
        except StopIteration as done:
            return done.value.sw  # type: ignore[no-any-return]
        sent = asked.resolve((dr,)) if isinstance(asked, Roll) else None


SW = {  # typed from the chart: outright, in parentheses
    "I1": ({"LMG": 1}, {"MMG": 2}),
    "I2": ({"LMG": 1}, {"MMG": 2}),
    "I3": ({"MMG": 1, "LMG": 1}, {"HMG": 2}),
    "I4": ({"LMG": 1}, {"MMG": 2, "50* MTR": 2}),
    "I5": ({"MMG": 1, "LMG": 2, "50* MTR": 1}, {"HMG": 3}),
}


@pytest.mark.rule(
    "9.6182-a", "9.6182-b", "9.6182-c", "9.6182-d", "9.6182-e", "9.6182-f", "9.6182-g", "9.6182-h"
)
@pytest.mark.parametrize("id", SW)
@pytest.mark.parametrize("dr", range(1, 7))
def testsupport_weapons(id: str, dr: int) -> None:
    outright, parentheses = SW[id]
    full = outright | {weapon: 1 for weapon, number in parentheses.items() if dr <= number}
    assert weapons(id, "full", dr) == full
    depleted = {weapon: count for weapon, count in outright.items() if dr <= 4}
    depleted |= {weapon: 1 for weapon, number in parentheses.items() if dr < number}
    assert weapons(id, "depleted", dr) == depleted


PERSONNEL = {
    1: "10-2, 8-1", 2: "10-2, 7-0", 3: "9-2", 4: "9-1", 5: "8-1", 6: "8-1", 7: "8-0", 8: "8-0",
    9: "7-0", 10: "7-0", 11: "6+1", 12: "6+1", 13: "none", 15: "none",
}  # fmt: skip
ARMOR = {1: "10-2", 2: "9-2", 3: "9-1", 4: "8-1", 5: "none", 12: "none", 13: "none"}


@pytest.mark.rule("9.6183-d", "9.6183-e")
@pytest.mark.parametrize(("name", "rows"), [("personnel", PERSONNEL), ("armor", ARMOR)])
def test_leader_tables(name: str, rows: dict[int, str]) -> None:
    leaders = table(f"leader.{name}")
    for final, result in rows.items():
        row = leaders.row(final, {})
        assert row.result == result
        assert row.facts["leaders"] == ([] if result == "none" else result.split(", "))


@pytest.mark.rule("9.6183-f", "9.6177-e")
def test_leader_modifiers() -> None:
    values = {name: mod.value for name, mod in table("leader.personnel").drm.items()}
    assert values == {
        "garrison_platoon": 2,
        "pzpionier_platoon": 1,
        "depleted": 1,
        "pzgrenadier_company": -1,
        "medium_tank_platoon": -1,
    }
    charts = PEGASUS_BRIDGE.charts.groups.leaders
    assert {id: chart.given for id, chart in charts.items() if chart.given} == {
        "I1": ("garrison_platoon",),
        "I2": ("pzpionier_platoon",),
        "I5": ("pzgrenadier_company",),
        "V3": ("medium_tank_platoon",),
    }


@pytest.mark.rule("9.6183-a", "9.6183-b", "9.6183-c", "9.6177-c")
def test_number_of_leader_drs() -> None:
    rolls = {id: chart.rolls for id, chart in PEGASUS_BRIDGE.charts.groups.leaders.items()}
    assert {id for id, count in rolls.items() if count == 2} == {"I3", "I5"}
    assert set(RG) - set(rolls) == {"V10", "V11", "M1"}


@pytest.mark.rule("9.618-a", "9.6177-a", "9.6177-f", "9.6183-f")
def test_order_and_modifiers_of_the_rolls_of_a_depleted_garrison() -> None:
    session = begin("CG1")
    asked = []
    while going(session):
        roll = session.pending
        if isinstance(roll, Roll):
            asked.append((roll.id, roll.text, dict(roll.given)))
            assert roll.secret
            assert roll.side == GERMAN
            session.throw((3,) * roll.spec.count)
        else:
            session.answer("none" if roll.kind == "document" else "yes")
    garrison = [entry for entry in asked if "I1-2" in entry[1]]
    assert garrison == [
        ("9.6182", "MMG of I1-2 Garrison Pltn", {"number": 2}),
        ("9.6182", "LMG of I1-2 Garrison Pltn", {}),
        ("9.6183", "Leader of I1-2 Garrison Pltn", {"garrison_platoon": True, "depleted": True}),
    ]
    assert not any(entry[0] == "9.6181" and "V2" not in entry[1] for entry in asked)
    # DR 6 with +2 and +1 is 9: a 7-0; the Full one has 8: an 8-0.
    assert [g.leaders for g in session.state.groups if g.id == "I1"] == [("8-0",), ("7-0",)]
    companies = [g for g in session.state.groups if g.id == "I3"]
    assert [len(group.leaders) for group in companies] == [2, 2]


# -- 9.619 ------------------------------------------------------------------------------


def shopping(**settings: Any) -> Session[Campaign]:
    session = begin("CG2", **settings)
    pending(session, "9.619.1")
    return session


@pytest.mark.rule("9.619-a", "9.619-b", "9.2-r")
def test_fpp_left_over_are_lost() -> None:
    session = shopping()
    session.answer("foxhole-3s")
    session.answer(1)
    session.answer("done")
    assert session.state.fpp[BRITISH] == 0
    assert session.state.account.fpp_spent == {BRITISH: 3}
    assert "3 FPP spent, 27 forfeit" in texts(session, "british")
    assert "FPP spent" not in texts(session, "german")


@pytest.mark.rule("9.619-d", "9.619-e", "9.619-f", "9.619-g", "9.619-h", "9.619-n", "9.619-c")
def test_prices() -> None:
    session = shopping()
    spent = 0.0
    for answers, price in (
        (["foxhole-3s", "1"], 3),
        (["foxhole-2s", "1"], 2),
        (["foxhole-1s", "1"], 1),
        (["ap-mines", "6"], 9),
        (["at-mines", "1"], 3),
        (["dummy", "1"], 1),
        (["hip-squad", "b-648-1"], 3),
        (["hip-hs", "b-338-1"], 2),
        (["hip-smc", "b-9-2-1"], 1),
        (["hip-gun", "b-57l-at-1"], 5),
    ):
        for answer in answers:
            session.answer(answer)
        spent += price
        if spent < 30:
            assert isinstance(session.pending, Prompt)
            assert session.pending.text.startswith(f"{30 - spent:g} FPP left")
    kinds = [(each.kind, each.factors, each.cost) for each in session.state.bought] or [
        (each.kind, each.factors, each.cost) for each in played_bought(session)
    ]
    assert ("ap-mines", 6, 9.0) in kinds
    assert ("at-mines", 1, 3.0) in kinds


@pytest.mark.rule("9.619-b", "9.619-c")
def test_several_of_a_kind_are_bought_at_once(tells: Tells) -> None:
    session = shopping()
    session.answer("foxhole-2s")
    tells(raised(IllegalAnswer, lambda: session.answer(16)), "16", "1", "15", "9.619")
    session.answer(3)
    session.answer("dummy")
    session.answer(24)
    assert "FPP spent" in texts(session, "british")  # nothing is left, so nothing more is asked
    assert session.state.account.fpp_spent == {BRITISH: 30}
    assert session.state.dummies[BRITISH] == 48
    foxholes = [each.key for each in session.state.bought if each.kind == "foxhole-2s"]
    assert foxholes == ["b-fpp-1", "b-fpp-2", "b-fpp-3"]


def played_bought(session: Session[Campaign]) -> Any:
    while going(session) and session.pending is not None and not session.state.bought:
        asked = session.pending
        if isinstance(asked, Prompt):
            session.answer("done" if asked.id == "9.619.1" else "later")
    return session.state.bought


@pytest.mark.rule("9.619-n")
def test_half_points_are_kept_exactly() -> None:
    session = shopping(house_rules={"C-48": "any-size"})
    session.answer("ap-mines")
    session.answer("1")
    assert isinstance(session.pending, Prompt)
    assert session.pending.text.startswith("28½ FPP left")


@pytest.mark.rule("9.619-j", "9.619-k", "9.619-n")
def test_limits(tells: Tells) -> None:
    session = shopping()
    state = session.state
    squads = sum(piece.kind == "squad" for piece in state.of(BRITISH))
    assert squads == 30
    for number in range(3):
        session.answer("hip-squad")
        session.answer(f"b-648-{number + 1}")
    tells(
        raised(IllegalAnswer, lambda: session.answer("hip-squad")),
        "30 squads",
        "3 used",
        "10%",
        "3",
    )
    session.answer("san")
    tells(raised(IllegalAnswer, lambda: session.answer("san")), "Only 1", "SAN", "Increase")
    session.answer("starshell")
    assert session.pending is not None
    assert session.pending.id != "9.619.1" or "1 FPP" in session.pending.text


@pytest.mark.rule("9.619-k", "9.619-l")
@pytest.mark.parametrize(("kind", "note"), [("san", "e"), ("starshell", "g")])
def test_one_increase_of_each_kind_by_its_own_note(kind: str, note: str) -> None:
    session = shopping()
    session.answer(kind)
    asked = session.pending
    assert isinstance(asked, Prompt)
    again = next(option for option in asked.options if option.id == kind)
    assert again.refused
    assert again.rule == f"9.619 note {note}"


@pytest.mark.rule("9.619-k", "9.4-CG13-a")
@pytest.mark.parametrize(("side", "rule"), [(GERMAN, "CG13"), (BRITISH, "A14.1")])
def test_no_san_beyond_7(side: Side, rule: str) -> None:
    from asl_pbcg.refit.s619_fortifications import _refusal

    chart = PEGASUS_BRIDGE.charts.fortifications.kinds["san"]
    begun = begin("CG1").state
    for san, refused in ((6, False), (7, True)):
        state = change(begun, fpp={side: 10.0}, san=begun.san | {side: san})
        assert bool(_refusal(state, side, "san", chart)[0]) is refused
        assert _refusal(state, side, "san", chart)[1] == (rule if refused else "")


@pytest.mark.rule("9.619-h", "9.619-j")
def test_a_prisoner_neither_hides_nor_counts_for_hip() -> None:
    from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
    from asl_pbcg.refit.s619_fortifications import _hip_squads_left, candidates

    state = shopping().state
    held = [piece.id for piece in state.of(BRITISH) if piece.kind == "squad"][:10]
    assert _hip_squads_left(state, BRITISH) == 3  # 10% of 30
    taken = change(
        state,
        pieces=tuple(
            msgspec.structs.replace(piece, status=("prisoner",)) if piece.id in held else piece
            for piece in state.pieces
        ),
    )
    assert _hip_squads_left(taken, BRITISH) == 2  # of 20
    found = candidates(taken, BRITISH, PEGASUS_BRIDGE.charts.fortifications.kinds["hip-squad"])
    assert not {piece.id for piece in found} & set(held)
    assert len(found) == 20


@pytest.mark.rule("9.619-e", "9.619-f", "9.619-l", "9.619-m")
def test_what_the_german_may_not_buy(tells: Tells) -> None:
    session = begin("CG2")
    for answer in ("M1", "M1", "done"):
        session.answer(answer)
    pending(session, "9.619.1")
    asked = session.pending
    assert isinstance(asked, Prompt)
    assert asked.side == GERMAN
    for kind in ("ap-mines", "at-mines", "starshell"):
        with pytest.raises(IllegalAnswer) as refused:
            session.answer(kind)
        tells(refused, "British", "9.619")
    from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
    from asl_pbcg.refit.s619_fortifications import _refusal

    dusk = change(session.state, date=CGDate.DUSK, fpp={GERMAN: 15.0})
    squad = PEGASUS_BRIDGE.charts.fortifications.kinds["hip-squad"]
    assert "Dusk" in _refusal(dusk, GERMAN, "hip-squad", squad)[0]
    assert "note h" in _refusal(dusk, GERMAN, "hip-squad", squad)[1]


# -- 9.620 ------------------------------------------------------------------------------


@pytest.mark.rule("9.62023-a", "9.62023-b", "9.62023-c")
def test_setup_order_of_every_date() -> None:
    found = {
        date.title: (order.first_setup.value, order.first_move.value)
        for date, order in PEGASUS_BRIDGE.frame.setup_order.items()
    }
    assert found == {
        "Night I": ("german", "british"),
        "Night II": ("german", "german"),
        "Night III": ("german", "british"),
        "Dawn": ("british", "german"),
        "Day I": ("british", "german"),
        "Day II": ("german", "british"),
        "Day III": ("german", "british"),
        "Dusk": ("german", "british"),
    }


@pytest.mark.rule("9.62022-c", "9.6201-a")
def test_fortification_locations_are_recorded_in_friendly_setup_areas(tells: Tells) -> None:
    session = shopping()
    session.answer("foxhole-2s")
    session.answer("1")
    pending(session, "9.62022")
    for wrong, sentence in (("A1", "in no friendly Setup Area"), ("Q99", "Q99"), ("x", "x")):
        with pytest.raises(IllegalAnswer, match=sentence):
            session.answer(wrong)
    tells(raised(IllegalAnswer, lambda: session.answer("m12")), "M12", "B27.1")
    session.answer("m14")
    session.answer("none")
    session.answer("none")
    assert not going(session)
    assert session.state.at == "scenario"
    assert [(each.kind, each.at) for each in session.state.bought] == [("foxhole-2s", "M14")]
    tells(texts(session), "CG", "scenario")


# -- The whole thing --------------------------------------------------------------------


@pytest.mark.parametrize("campaign", ["CG1", "CG2"])
@pytest.mark.parametrize("seed", range(12))
def test_every_beginning_balances(campaign: str, seed: int) -> None:
    balance = random.Random(seed).choice(["", "british", "german"])
    session = played(campaign, seed, balance=balance)
    state = session.state
    assert state.at == "scenario"
    assert len({piece.id for piece in state.pieces}) == len(state.pieces)
    initial = PEGASUS_BRIDGE.charts.initial[campaign]
    assert state.cpp == initial.cpp - sum(group.cost + group.entry_cost for group in state.groups)
    assert state.cpp >= 0
    for side in Side:
        spent = sum(each.cost for each in state.bought if each.side is side)
        received = initial.fpp.get(side, 0) + 15 * (
            state.count_purchased("M1") if side is GERMAN else 0
        )
        assert spent <= received
        assert state.account.fpp_spent.get(side, 0) == spent
    for group in state.groups:
        units = Counter(p.type for p in state.pieces if p.rg == group.key)
        expected = Counter({type: count for count, type in group.units})
        armor = " Armor Leader" if group.id.startswith("V") else ""
        expected += Counter(group.sw) + Counter(leader + armor for leader in group.leaders)
        assert units == expected
    again = Session(CampaignGame(), session.journal)
    assert again.state == state
    assert again.lines() == session.lines()


def test_answers_file_plays_a_beginning() -> None:
    entries: list[tuple[str, Any]] = [
        ("9.617.1", "I5"), ("9.617.2", "J0"), ("9.617.1", "done"),
    ]  # fmt: skip
    session = begin("CG2")
    drive(session, ListedAnswers(entries), SeededDice(1))
    assert session.state.groups[-1].entry_cost == 2


def test_corrections_reach_into_pieces_and_points(tells: Tells) -> None:
    session = played("CG2", 3)
    before = session.state
    session.correct("pieces/b-648-1/at", "Y20", "seen on the map")
    session.correct("san/german", 5, "forgotten")
    session.correct("pieces/b-648-2/status", ["broken"], "seen")
    assert session.state.piece("b-648-1").at == "Y20"
    assert session.state.piece("b-648-2").status == ("broken",)
    assert session.state.san[GERMAN] == 5
    told = texts(session, "german")
    tells(told, "forgotten", "6", "7")  # in force, two of them for II13
    assert "b-648-1" not in told
    for _ in range(3):
        session.undo()
    assert session.state == before
    with pytest.raises(PBCGError, match=r"nearest: b-648-\d"):
        session.correct("pieces/b-648/at", "Y20", "seen")


@pytest.mark.parametrize("kind", ["zebra", "leader", "vehicle", ""])
def test_what_a_piece_is_goes_by_its_type_and_is_not_corrected_alone(kind: str) -> None:
    session = played("CG2", 3)
    before = session.state
    with pytest.raises(FaultsError) as refused:
        session.correct("pieces/b-648-1/kind", kind, "a slip")
    (fault,) = refused.value.faults
    assert fault.where == "pieces/b-648-1/kind"
    assert "squad" in fault.wrong
    assert "pieces/b-648-1/type" in fault.wrong
    assert session.state == before


@pytest.mark.rule("9.52-m")
def test_what_cg2_places_before_setup_stands_on_the_map() -> None:
    state = played("CG2", 1).state
    known = {(each.kind.value, each.at) for each in state.fortifications}
    assert known == {
        ("pillbox", "Z21"), ("trench", "W21"), ("trench", "X20"), ("trench", "Z21"),
        ("wire", "W21"), ("wire", "X21"), ("wire", "Z21"),
    }  # fmt: skip
    (pillbox,) = [each for each in state.fortifications if each.kind == "pillbox"]
    assert (pillbox.strength, pillbox.ca) == ("1+3+5", "Y22/Z22")
    assert [(each.kind.value, each.at) for each in state.terrain] == [("burnt-out-wreck", "Y14")]
    assert not played("CG1", 1).state.fortifications
