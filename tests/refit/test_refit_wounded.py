"""9.610 Wounded Leaders and Walking Wounded MMC. Rule: 9.6101, 9.6102, CG17."""

from __future__ import annotations

from typing import Any

import pytest
from refit_helpers import BRITISH, GERMAN, by_point, campaign_at, piece, refusal, run_step, told
from sentences import Tells, says

from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
from asl_pbcg.campaign.state.campaign_state import Campaign, Gone, change, with_account
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.refit.helpers.unit_changes import wounded_leaders
from asl_pbcg.refit.s610_wounded import (
    equivalents,
    walking_wounded,
    wounded_leaders_and_walking_wounded,
)
from asl_pbcg.refit.s611_recombining import leaders, recombining_and_battle_hardening
from asl_pbcg.refit.s616_cpp import cvp_lost
from asl_pbcg.refit.setup.stacking import locations_of

OX = "2nd Oxfordshire and Buckinghamshire Light Infantry"
SEVENTH = "7th Battalion, 6th Airborne Division"


def campaign(*pieces: Piece, **fields: Any) -> Campaign:
    """British Setup Areas A (L24), B (T20) and C (X26), German ones A to C; none is Isolated."""
    return campaign_at(
        "9.610", *pieces, british=["X26", "L24", "T20"], german=["A1", "B12", "KK10"], **fields
    )


def isolated(*pieces: Piece, **fields: Any) -> Campaign:
    """One British Setup Area in the north, with Germans all round it: it is Isolated."""
    ring = ["G8", "I8", "K8", "G10", "K10", "G12", "I12", "K12", "H6", "J6", "H14", "J14"]
    return campaign_at("9.610", *pieces, british=["I10"], german=ring, **fields)


# -- 9.6101 -----------------------------------------------------------------------------------


def drm(state: Campaign, dice: int = 3) -> dict[str, int]:
    _, log = run_step(state, wounded_leaders, dice=[dice])
    (roll,) = log.asked
    assert isinstance(roll, Roll)
    assert roll.table
    return {each.name: each.value for each in roll.table.modifiers(roll.given)}


@pytest.mark.rule("9.6101-a")
def test_each_wounded_retained_leader_makes_a_dr_with_his_drm() -> None:
    british = piece("b1", BRITISH, "8-0", "X26", area="C", status="wounded")
    german = piece("g1", GERMAN, "8-0", "A1", area="A", status="wounded")
    assert drm(campaign(british)) == {"british": -1}
    assert drm(campaign(german)) == {}
    hero = piece("g1", GERMAN, "8-0", "A1", area="A", status="wounded heroic")
    assert drm(campaign(hero)) == {"heroic": -1}
    alone = piece("b1", BRITISH, "8-0", "I10", area="A", status="wounded heroic")
    assert drm(isolated(alone)) == {"isolated": 1, "heroic": -1, "british": -1}


@pytest.mark.rule("9.6101-a")
def test_who_makes_no_dr(tells: Tells) -> None:
    state = campaign(
        piece("b1", BRITISH, "8-0", "X26", area="C"),
        piece("b2", BRITISH, "1-4-9", "X26", area="C", status="wounded"),
        piece("b3", BRITISH, "8-0", "X26", status="wounded prisoner", guarded_by="g1"),
        piece("g1", GERMAN, "4-6-7", "A1", area="A"),
    )
    after, lines = run_step(state, wounded_leaders)
    assert after == state
    tells(told(lines), "Retained")


@pytest.mark.rule("9.6101-b", "9.6101-c", "9.6101-d")
@pytest.mark.parametrize(
    ("dr", "german", "british"),
    [
        (1, "unwounded", "unwounded"),
        (2, "wounded", "unwounded"),
        (4, "wounded", "wounded"),
        (5, "gone", "wounded"),
        (6, "gone", "gone"),
    ],
)
def test_what_becomes_of_a_wounded_leader(dr: int, german: str, british: str) -> None:
    for side, place, area, expected in (
        (GERMAN, "A1", "A", german),
        (BRITISH, "X26", "C", british),
    ):
        leader = piece("x", side, "8-1", place, area=area, status="wounded", possesses="w")
        weapon = piece("w", side, "LMG", place, area=area)
        after, lines = run_step(campaign(leader, weapon), wounded_leaders, dice=[dr])
        if expected == "gone":
            assert [(each.piece.id, each.how) for each in after.gone] == [("x", "eliminated")]
            assert "evacuated" in told(lines)
            assert after.piece("w").area == area
            assert "LMG w is unpossessed" in told(lines)
        else:
            assert after.piece("x").has("wounded") == (expected == "wounded")
            assert not after.gone


def test_leaders_go_in_board_order_and_those_off_map_in_secret() -> None:
    state = campaign(
        piece("g2", GERMAN, "8-1", "off-map A7", area="A7", status="wounded"),
        piece("b1", BRITISH, "8-0", "X26", area="C", status="wounded"),
        piece("g1", GERMAN, "8-0", "A1", area="A", status="wounded"),
    )
    asked: list[Prompt | Roll] = []
    state, lines = run_step(state, wounded_leaders, dice=[2, 2], asked=asked)
    _, more = run_step(state, recombining_and_battle_hardening, dice=[2], asked=asked)
    lines += [line for line in more if line.rule == "9.6101"]
    assert [(each.where, each.side, each.secret) for each in asked] == [
        ("8-0 g1", "german", False),
        ("8-0 b1", "british", False),
        ("8-1 g2", "german", True),
    ]
    assert [line.secret for line in lines] == [False, False, False, False, True, True]
    assert "Entry Area A7" in asked[2].text


def guarded(*units: Piece) -> Campaign:
    """A wounded leader in an Isolated area who guards a German squad."""
    return isolated(
        piece("b1", BRITISH, "8-0", "I10", area="A", status="wounded"),
        *units,
        piece("g1", GERMAN, "4-6-7", "I10", status="prisoner", guarded_by="b1"),
    )


def test_another_unit_takes_over_the_prisoners_of_an_evacuated_guard() -> None:
    squad = piece("b2", BRITISH, "6-4-8", "I10", area="A")
    after, _ = run_step(guarded(squad), wounded_leaders, dice=[6])
    assert after.piece("g1").guarded_by == "b2"
    other = piece("b3", BRITISH, "6-4-8", "I9", area="A")
    after, _ = run_step(guarded(squad, other), wounded_leaders, ["b3"], dice=[6])
    assert (after.piece("g1").guarded_by, after.piece("g1").at) == ("b3", "I9")


def test_without_another_guard_they_are_free(tells: Tells) -> None:
    after, lines = run_step(guarded(), wounded_leaders, dice=[6])
    freed = after.piece("g1")
    assert not freed.is_prisoner
    assert (freed.type, bool(freed.area)) == ("4-3-6", True)
    tells(told(lines), "4-3-6", "g1", "Retained")


@pytest.mark.rule("9.610-a")
def test_wounded_leaders_come_before_the_walking_wounded_and_stay_heroic_for_their_dr() -> None:
    leader = piece("b1", BRITISH, "8-0", "X26", area="C", status="wounded heroic")
    after, log = run_step(
        campaign(leader, ww_box={"6-4-8": 1}),
        wounded_leaders_and_walking_wounded,
        answers=by_point({"9.6102.2": "in-B"}),
        dice=[3],
    )
    assert [each.id for each in log.asked] == ["9.6101", "9.6102.2"]
    assert not after.piece("b1").has("wounded")  # 3 - 1 Heroic - 1 British
    assert after.piece("b1").has("heroic")


# -- 9.6102 -----------------------------------------------------------------------------------

EXAMPLE = {"6-4-8": 2, "4-5-8": 1, "2-4-8": 1, "3-3-8": 3}


def back(state: Campaign) -> list[tuple[str, str]]:
    return [
        (each.type, each.area)
        for each in state.of(BRITISH)
        if each.has("walking-wounded") and each.airborne
    ]


@pytest.mark.rule("9.4-CG17-c", "9.6102-a")
def test_the_example_of_cg17(tells: Tells) -> None:
    state = campaign(ww_box=EXAMPLE)
    assert equivalents(state) == {"6-4-8": 7, "4-5-8": 3}
    after, lines = run_step(state, walking_wounded, by_point({}))
    assert sorted(back(after)) == [("4-5-8", "A")] + [("6-4-8", "A")] * 3
    tells(told(lines), "3½", "6-4-8", "3")
    tells(told(lines), "1½", "4-5-8", "1")
    assert after.ww_box == {}


@pytest.mark.rule("9.4-CG17-d", "9.6102-b")
def test_each_mmc_is_placed_where_the_british_like_or_taken_as_two_hs() -> None:
    state = campaign(ww_box=EXAMPLE)
    answers = by_point(
        {"9.6102.2": ["in-B", "two-hs", "in-C", "two-hs"], "9.6102.3": ["A", "C", "B", "B"]}
    )
    after, _ = run_step(state, walking_wounded, answers)
    assert back(after) == [
        ("6-4-8", "B"),
        ("3-3-8", "A"),
        ("3-3-8", "C"),
        ("6-4-8", "C"),
        ("2-4-8", "B"),
        ("2-4-8", "B"),
    ]


@pytest.mark.rule("9.4-CG17-k", "9.6102-b")
def test_no_isolated_setup_area_and_no_entry_area_is_offered() -> None:
    ring = ["G8", "I8", "K8", "G10", "K10", "G12", "I12", "K12", "H6", "J6", "H14", "J14"]
    state = campaign_at("9.610", british=["I10", "X26"], german=ring, ww_box={"6-4-8": 1})
    after, log = run_step(state, walking_wounded, by_point({}))
    (prompt,) = log.asked
    assert isinstance(prompt, Prompt)
    assert [option.id for option in prompt.options] == ["in-B", "two-hs"]
    assert "not a choice" in refusal(prompt, "in-A")
    assert "not a choice" in refusal(prompt, "Z28")
    assert back(after) == [("6-4-8", "B")]


@pytest.mark.rule("9.6102-b")
def test_an_area_without_room_takes_none_while_another_has_some(tells: Tells) -> None:
    """A5.1: A is full, B has room for one HS, C for one HS; then for none."""
    empty = campaign()
    room = {id: len(locations_of(empty, empty.areas[BRITISH, id])) for id in "ABC"}

    def filled(**left: int) -> list[Piece]:
        """Units until only so many HS more have room in each area."""
        found = []
        for id, halves in left.items():
            squads, half = divmod(6 * room[id] - halves, 2)
            types = ["6-4-8"] * squads + ["3-3-8"] * half
            found += [piece(f"{id}{n}", BRITISH, t, area=id) for n, t in enumerate(types)]
        return found

    state = campaign(*filled(A=0, B=2), ww_box={"6-4-8": 2})
    after, lines = run_step(state, walking_wounded, by_point({"9.6102.2": ["in-B", "in-C"]}), [])
    first, second = [each for each in lines.asked if isinstance(each, Prompt)]
    tells(refusal(first, "in-A"), "room", "Setup Area A", "squad-equivalents")
    assert "room" in refusal(second, "in-B")
    assert back(after) == [("6-4-8", "B"), ("6-4-8", "C")]

    state = campaign(*filled(A=0, B=1, C=1), ww_box={"6-4-8": 1})
    answers = by_point({"9.6102.3": ["B"]})
    after, lines = run_step(state, walking_wounded, answers, [])
    (where,) = lines.asked  # that it comes as two HS, and where the second goes, is not lines.asked
    assert isinstance(where, Prompt)
    assert [option.id for option in where.legal] == ["B", "C"]
    assert back(after) == [("3-3-8", "B"), ("3-3-8", "C")]
    tells(told(lines), "two", "3-3-8", "nothing else is possible")

    state = campaign(*filled(A=0, B=0, C=0), ww_box={"6-4-8": 1})
    after, lines = run_step(state, walking_wounded, by_point({"9.6102.2": ["in-B"]}), [])
    (anywhere,) = lines.asked
    assert isinstance(anywhere, Prompt)
    assert "Shifts" in anywhere.option("in-B").consequence
    assert back(after) == [("6-4-8", "B")]


@pytest.mark.rule("9.4-CG17-k")
@pytest.mark.parametrize(("rule", "box"), [("lost", {}), ("kept", {"6-4-8": 2})])
def test_without_a_non_isolated_setup_area_by_house_rule_c32(
    tells: Tells, rule: str, box: dict[str, int]
) -> None:
    state = isolated(ww_box={"6-4-8": 2}, house_rules={"C-32": rule})
    after, lines = run_step(state, walking_wounded)
    assert after.ww_box == box
    assert not after.pieces
    tells(told(lines), "non-Isolated")


@pytest.mark.parametrize(
    ("rule", "box"), [("emptied", {}), ("carried", {"3-3-8": 1, "2-4-8": 1, "2-2-8": 1})]
)
def test_what_is_less_than_a_squad_equivalent_by_house_rule_c31(
    rule: str, box: dict[str, int]
) -> None:
    state = campaign(ww_box={**EXAMPLE, "2-2-8": 3}, house_rules={"C-31": rule})
    after, _ = run_step(state, walking_wounded, by_point({}))
    assert after.ww_box == box


@pytest.mark.rule("9.4-CG17-c")
def test_half_a_squad_brings_nobody_back(tells: Tells) -> None:
    after, _ = run_step(campaign(ww_box={"3-3-8": 1}), walking_wounded)
    assert not after.pieces
    assert after.ww_box == {}
    # Without a squad-equivalent C-32 has nothing to lose or keep.
    after, _ = run_step(
        isolated(ww_box={"3-3-8": 1}, house_rules={"C-31": "carried"}), walking_wounded
    )
    assert after.ww_box == {"3-3-8": 1}
    after, lines = run_step(campaign(), walking_wounded)
    tells(told(lines), "Walking", "Wounded")


def test_two_crews_are_one_squad_equivalent_and_bring_back_one_crew() -> None:
    after, _ = run_step(campaign(ww_box={"2-2-8": 3}), walking_wounded, by_point({}))
    assert back(after) == [("2-2-8", "A")]


@pytest.mark.rule("9.6102-c")
def test_they_still_count_as_casualty_vp_the_british_lost(tells: Tells) -> None:
    state = campaign(ww_box={"6-4-8": 2}, date=CGDate.DAY_1)
    state = with_account(state, cvp_lost={BRITISH: 9, GERMAN: 4})
    after, lines = run_step(state, walking_wounded, by_point({}))
    assert len(back(after)) == 2
    assert after.account.cvp_lost == {BRITISH: 9, GERMAN: 4}
    tells(told(lines), "Casualty", "VP", "British", "9")


@pytest.mark.rule("9.6162-c")
@pytest.mark.parametrize(("lost", "counted"), [(9, 9), (1, 4)])
def test_what_is_told_of_their_cvp_is_what_loss_points_go_by(lost: int, counted: int) -> None:
    """P-80: two squads came back, so the British lost four at least."""
    state = campaign(ww_box={"6-4-8": 2}, date=CGDate.DAWN)
    state = with_account(state, cvp_lost={BRITISH: lost, GERMAN: 20})
    after, lines = run_step(state, walking_wounded, by_point({}))
    assert says(told(lines), "Casualty", "VP", f"{counted}.")
    assert cvp_lost(change(after, date=CGDate.DAY_1)) == {BRITISH: counted, GERMAN: 20}


@pytest.mark.rule("9.4-CG17-e", "9.4-CG17-f", "9.4-CG17-g", "9.4-CG17-h")
def test_what_being_walking_wounded_means_is_told_when_they_come(tells: Tells) -> None:
    _, lines = run_step(campaign(ww_box={"6-4-8": 1}), walking_wounded, by_point({}))
    assert (
        PEGASUS_BRIDGE.frame.portage.walking_wounded_ipc
        == PEGASUS_BRIDGE.frame.walking_wounded.ipc
        == 2
    )
    tells(told(lines), "IPC 2", "3 MF", "+1", "CC", "-1", "Walking", "Wounded")


def lost(id: str, type: str, formation: str, **fields: Any) -> Gone:
    gone = piece(id, BRITISH, type, formation=formation, airborne=True, **fields)
    return Gone(piece=gone, date=CGDate.DAWN, step="scenario", how="eliminated")


def test_the_formation_is_that_of_the_mmc_lost_and_asked_only_if_there_are_several() -> None:
    wounded = lost("b5", "6-4-8", OX, status="walking-wounded")
    gone = (lost("b1", "3-3-8", SEVENTH), lost("b2", "4-5-8", OX), wounded)
    state = change(campaign(ww_box={"6-4-8": 1}), gone=gone, received_count={BRITISH: 3})
    after, _ = run_step(state, walking_wounded, ["in-A"])
    (unit,) = after.pieces
    assert (unit.formation, unit.airborne, unit.ox_and_bucks) == (SEVENTH, True, False)
    state = change(state, gone=(*gone, lost("b3", "6-4-8", OX)), received_count={BRITISH: 4})
    after, _ = run_step(state, walking_wounded, ["in-A", "ox-and-bucks"])
    (unit,) = after.pieces
    assert (unit.formation, unit.ox_and_bucks) == (OX, True)


def test_without_a_record_of_losses_any_airborne_formation_may_be_meant() -> None:
    units = [
        piece("b1", BRITISH, "6-4-8", "X26", area="C", airborne=True, formation=SEVENTH),
        piece("b2", BRITISH, "6-4-8", "X26", area="C", airborne=True, formation=OX),
        piece("b3", BRITISH, "4-5-7", "X26", area="C", formation="Reinforcements of Day II"),
    ]
    _, log = run_step(campaign(*units, ww_box={"6-4-8": 1}), walking_wounded, by_point({}))
    prompt = log.asked[-1]
    assert isinstance(prompt, Prompt)
    assert [option.id for option in prompt.options] == ["ox-and-bucks", "7th-battalion"]


# -- A leader on a No Move counter outside all Setup Areas ----------------------------------------


def before_night_2(*pieces: Piece, **fields: Any) -> Campaign:
    """Before 9.610 of the RePh that leads to Night II: No Move counters hold south of CC."""
    return campaign(*pieces, date=CGDate.NIGHT_1, **fields)


@pytest.mark.finding("G-09")
@pytest.mark.rule("9.6101-a")
def test_a_wounded_leader_held_by_his_no_move_counter_makes_a_dr(tells: Tells) -> None:
    leader = piece("g1", GERMAN, "8-0", "N11", status="wounded no-move")
    state = before_night_2(leader)
    assert state.areas.area_of(GERMAN, leader.location) is None
    after, lines = run_step(state, wounded_leaders, dice=[5])
    assert after.of(GERMAN) == []
    tells(told(lines), "8-0", "g1", "N11")
    # Without the counter he would have had to Escape or be Retained before.
    free = piece("g1", GERMAN, "8-0", "N11", status="wounded")
    after, _ = run_step(before_night_2(free), wounded_leaders)
    assert after.piece("g1").has("wounded")


@pytest.mark.finding("G-09")
@pytest.mark.rule("9.6113-a")
def test_a_heroic_leader_held_by_his_no_move_counter_battle_hardens() -> None:
    leader = piece("g1", GERMAN, "8-0", "N11", status="heroic no-move")
    after, _ = run_step(before_night_2(leader), leaders)
    assert (after.piece("g1").type, after.piece("g1").status) == ("8-1", ("no-move",))


# -- P-50 ---------------------------------------------------------------------------------------


@pytest.mark.finding("G-19")
@pytest.mark.parametrize(("house", "crews"), [("one-crew", 1), ("two-crews", 2)])
def test_house_rule_p50_what_two_crews_bring_back(house: str, crews: int) -> None:
    state = campaign(ww_box={"2-2-8": 3}, house_rules={"P-50": house})
    after, _ = run_step(state, walking_wounded, by_point({"9.6102.2": "in-C"}))
    assert [each.type for each in after.of(BRITISH)] == ["2-2-8"] * crews
