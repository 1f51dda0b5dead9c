"""9.614 in its order, and 9.6141 Vehicles. Rule: 9.614, 9.6141a-d."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from refit_helpers import BRITISH, GERMAN, piece, refusal, run_step, told
from repair_help import (
    abandoned_vehicles,
    campaign,
    drm,
    immobilization_repair,
    isolated_germans,
    recall,
    stun_recovery,
)
from sentences import Tells, says

from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.piece_changes import remove
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.state.seen import frozen, seen_pieces
from asl_pbcg.kernel.views import for_side
from asl_pbcg.refit.s614_repair import PARAGRAPHS, repair_and_replenishment

TANK = "PzKpfw IVH"


def status(state: Campaign, id: str) -> tuple[str, ...]:
    return state.piece(id).status


# -- 9.614 ------------------------------------------------------------------------------------


@pytest.mark.rule("9.614-a")
def test_the_paragraphs_are_run_in_their_order() -> None:
    assert list(PARAGRAPHS) == [
        "9.6141a", "9.6141b", "9.6141c", "9.6141d", "9.6142",
        "9.61421", "9.61422", "9.61423", "9.61424", "9.61425",
    ]  # fmt: skip
    state = campaign(
        piece("v1", GERMAN, TANK, "A7", area="A", status="immobilized recall"),
        piece("v2", GERMAN, TANK, "B7", area="A", status="abandoned immobilized"),
        piece("v3", GERMAN, TANK, "B6", area="A", status="stunned stun-plus-1 low-ammo"),
        piece("v4", GERMAN, TANK, "C7", area="A", status="cmg-malfunctioned", depleted="s"),
        piece("h1", GERMAN, "2-4-7", "A6", area="A"),
        piece("p1", GERMAN, "PIAT", "A6", area="A", status="captured"),
        piece("l1", GERMAN, "LMG", "A6", area="A"),
        piece("c1", GERMAN, "1-2-7", "A6", area="A"),
    )
    # a crew remans v2, both immobilized become Mobile, v1 is Recalled, v3 recovers, the CMG is
    # disabled and exchanged, the captured PIAT stays, nothing is wrecked, the s is restored
    answers = ["c1", "l1", "done", "1"]
    state, lines = run_step(state, repair_and_replenishment, answers, [2, 2, 1, 6, 3, 3])
    assert [each.id for each in lines.asked] == [
        "9.6141a", "9.6141b", "9.6141b", "9.6141d", "9.6142", "9.61421", "9.61422", "9.61423",
        "9.61424", "9.61424",
    ]  # fmt: skip
    rules = [line.rule for line in lines if line.side == GERMAN]
    assert rules.index("9.6141c") > rules.index("9.6141b")
    assert rules[-1] == "9.61425"


@pytest.mark.rule("9.614-a")
def test_with_nothing_to_repair_nothing_is_asked() -> None:
    state = campaign(piece("b1", BRITISH, "6-4-8", "M12", area="A"))
    _, lines = run_step(state, repair_and_replenishment)
    nothing = "No Equipment needs repair or replenishment."
    assert [(line.text, line.side) for line in lines] == [(nothing, GERMAN), (nothing, BRITISH)]


# -- 9.6141a ----------------------------------------------------------------------------------


@pytest.mark.rule("9.6141a-a")
def test_an_abandoned_vehicle_stays_or_is_remanned_by_personnel_of_its_area() -> None:
    state = campaign(
        piece("v1", GERMAN, TANK, "A7", area="A", status="abandoned"),
        piece("c1", GERMAN, "1-2-7", "A6", area="A"),
        piece("h1", GERMAN, "2-4-7", "A6", area="A"),
        piece("s1", GERMAN, "4-6-7", "A6", area="A"),
        piece("c2", GERMAN, "1-2-7", "JJ12", area="B"),
    )
    after, log = run_step(state, abandoned_vehicles, ["leave"])
    assert after == state
    (prompt,) = log.prompts()
    assert [option.id for option in prompt.options] == ["leave", "c1", "h1", "s1"]
    assert "crew or HS" in refusal(prompt, "s1")
    assert "not a choice" in refusal(prompt, "c2")
    after, lines = run_step(state, abandoned_vehicles, ["c1"])
    assert status(after, "v1") == ()
    assert [each.id for each in after.pieces] == ["v1", "h1", "s1", "c2"]
    assert "1-2-7 c1 remans" in told(lines)
    after, _ = run_step(state, abandoned_vehicles, ["h1"])
    assert after.piece("h1").aboard == "v1"
    assert status(after, "v1") == ()


@pytest.mark.rule("9.6141a-a")
@pytest.mark.parametrize(("type", "unit"), [(TANK, "2-4-7"), (TANK, "1-2-7"), ("Kfz 1", "8-1")])
def test_what_a_unit_possesses_stays_behind_where_it_remans(type: str, unit: str) -> None:
    """Each says so; nobody possesses then what lies in another Location."""
    state = campaign(
        piece("v1", GERMAN, type, "A7", area="A", status="abandoned"),
        piece("u1", GERMAN, unit, "A6", area="A", possesses="w1"),
        piece("w1", GERMAN, "LMG", "A6", area="A"),
    )
    after, _ = run_step(state, abandoned_vehicles, ["u1"])
    assert not any(each.possesses for each in after.pieces)
    assert (after.piece("w1").at, after.piece("w1").area) == ("A6", "A")


@pytest.mark.rule("9.6141a-a")
def test_a_truck_without_inherent_crew_is_boarded() -> None:
    state = campaign(
        piece("v1", GERMAN, "Kfz 1", "A7", area="A", status="abandoned"),
        piece("s1", GERMAN, "8-1", "A6", area="A"),
    )
    after, _ = run_step(state, abandoned_vehicles, ["s1"])
    assert after.piece("s1").aboard == "v1"
    assert status(after, "v1") == ()


@pytest.mark.rule("9.6141a-a")
def test_who_cannot_reman_is_not_asked(tells: Tells) -> None:
    vehicle = piece("v1", GERMAN, TANK, "A7", area="A", status="abandoned")
    _, lines = run_step(campaign(vehicle), abandoned_vehicles)
    tells(told(lines), "Setup Area A", "Personnel")
    squad = piece("s1", GERMAN, "4-6-7", "A6", area="A")
    _, lines = run_step(campaign(vehicle, squad), abandoned_vehicles)
    tells(told(lines), "HS", "crew")
    guard = piece("h1", GERMAN, "2-4-7", "A6", area="A")
    ward = piece("b1", BRITISH, "3-3-8", "A6", status="prisoner", guarded_by="h1")
    _, lines = run_step(campaign(vehicle, guard, ward), abandoned_vehicles)
    assert "guards prisoners" in told(lines)
    # in No Man's Land and Uncontrolled Territory nothing is Retained
    _, lines = run_step(
        campaign(
            piece("v1", GERMAN, TANK, "S10", status="abandoned"),
            piece("c1", GERMAN, "1-2-7", "A6", area="A"),
        ),
        abandoned_vehicles,
    )
    assert not lines


# -- 9.6141b ----------------------------------------------------------------------------------


def repair_drm(state: Campaign, answers: tuple[str, ...] = ()) -> dict[str, int]:
    _, log = run_step(state, immobilization_repair, answers, [6])
    return drm(log.rolls()[0])


def immobile(at: str = "A7", **fields: Any) -> Piece:
    return piece("v1", GERMAN, TANK, at, status="immobilized", **fields)


@pytest.mark.rule("9.6141b-a")
def test_immobilization_repair_drm() -> None:
    assert repair_drm(campaign(immobile(area="A"))) == {}
    # without functioning MA it makes no Strategic Location of A5, at the edge of the area
    edge = piece("v1", GERMAN, TANK, "A5", area="A", status="immobilized ma-disabled")
    assert repair_drm(campaign(edge)) == {"front_line": 1}
    lone = immobile("I10", area="A")  # one hex between enemies
    assert repair_drm(isolated_germans(lone)) == {"isolated": 1, "front_line": 1}
    manned = piece("h1", GERMAN, "2-4-7", "A7", area="A", aboard="v1")
    assert repair_drm(campaign(immobile(area="A"), manned)) == {"non_qualified": 1}
    crew = piece("c1", GERMAN, "1-2-7", "A7", area="A")
    assert repair_drm(campaign(immobile(area="A"), manned, crew)) == {}
    gunners = piece("c1", GERMAN, "2-2-8", "A7", area="A")
    state = campaign(immobile(area="A"), manned, gunners)
    assert repair_drm(state, ("yes",)) == {"non_qualified": 1}
    assert repair_drm(state, ("no",)) == {}


@pytest.mark.rule("9.6141b-a")
@pytest.mark.parametrize("other", ["captured", "abandoned"])
def test_no_immobilization_repair_of_captured_and_abandoned_vehicles(other: str) -> None:
    type = "Churchill VII" if other == "captured" else TANK
    vehicle = piece("v1", GERMAN, type, "A7", area="A", status=f"immobilized {other}")
    after, lines = run_step(campaign(vehicle), immobilization_repair)
    assert not lines
    assert status(after, "v1") == ("immobilized", other)


@pytest.mark.rule("9.6141b-b", "9.6141b-c")
@pytest.mark.parametrize(("dr", "mobile"), [(1, True), (2, True), (3, False), (6, False)])
def test_immobilization_repair_table(dr: int, mobile: bool) -> None:
    after, lines = run_step(campaign(immobile(area="A")), immobilization_repair, dice=[dr])
    assert (status(after, "v1") == ()) is mobile
    assert after.piece("v1").area == "A"
    assert says(told(lines), "Mobile", "Retained", "Setup Area A") is mobile


# -- 9.6141c ----------------------------------------------------------------------------------


@pytest.mark.rule("9.6141c-a")
def test_the_prisoner_of_who_mans_a_recalled_afv_is_taken_over() -> None:
    state = campaign(
        piece("v1", GERMAN, TANK, "A7", area="A", status="recall", manned_by="h1"),
        piece("h1", GERMAN, "2-4-7", "A7", area="A", aboard="v1"),
        piece("p1", BRITISH, "8-0", "A7", status="prisoner", guarded_by="h1"),
        piece("s1", GERMAN, "4-6-7", "A6", area="A"),
    )
    after, _ = run_step(state, recall)
    assert [each.id for each in after.pieces] == ["p1", "s1"]
    assert (after.piece("p1").guarded_by, after.piece("p1").at) == ("s1", "A6")


@pytest.mark.rule("9.6141c-a")
def test_what_an_eliminated_vehicle_towed_is_hooked_no_more() -> None:
    """Also if it was Abandoned with the Gun on the hook."""
    state = campaign(
        piece("v1", GERMAN, TANK, "A7", area="A", status="abandoned", tows="t1"),
        piece("t1", GERMAN, "50L AT", "A7", area="A", status="hooked"),
    )
    assert remove(state, "v1", "eliminated").piece("t1").status == ()


@pytest.mark.rule("9.6141a-a")
def test_who_boards_a_vehicle_without_a_crew_is_where_it_is() -> None:
    """Whatever hex of the area the unit stood in."""
    state = campaign(
        piece("v1", GERMAN, TANK, "A7", area="A", status="abandoned"),
        piece("h1", GERMAN, "2-4-7", "B8", area="A"),
        catalogue_corrections={"german": {TANK: {"crew": False}}},
    )
    after, _ = run_step(state, abandoned_vehicles, ["h1"])
    assert (after.piece("h1").aboard, after.piece("h1").at) == ("v1", "A7")


@pytest.mark.rule("9.6141c-a")
def test_a_mobile_recalled_afv_is_eliminated_with_its_armor_leader() -> None:
    state = campaign(
        piece("v1", GERMAN, TANK, "A7", area="A", status="recall"),
        piece("a1", GERMAN, "9-1 Armor Leader", "A7", area="A", aboard="v1"),
        piece("v2", GERMAN, TANK, "off-map A7", area="A7", status="recall"),
    )
    after, lines = run_step(state, recall)
    assert not after.pieces
    assert {each.how for each in after.gone} == {"eliminated"}
    assert "9.6141c" in told(lines)


@pytest.mark.rule("9.6141c-a")
def test_an_immobile_recalled_afv_and_one_that_is_no_afv_stay() -> None:
    state = campaign(
        piece("v1", GERMAN, TANK, "A7", area="A", status="recall immobilized"),
        piece("v2", GERMAN, "2cm FlaK LKW", "A6", area="A", status="recall"),
    )
    assert run_step(state, recall) == (state, [])


@pytest.mark.rule("9.6141c-b")
def test_a_mobile_isolated_recalled_afv_stays_under_recall_with_ammunition_shortage(
    tells: Tells,
) -> None:
    state = isolated_germans(piece("v1", GERMAN, TANK, "I10", area="A", status="recall"))
    after, lines = run_step(state, recall)
    assert status(after, "v1") == ("recall",)
    tells(told(lines), "Recall", "Ammunition", "Shortage", "A19.131")


# -- 9.6141d ----------------------------------------------------------------------------------

STUN = "stunned stun-plus-1"


@pytest.mark.rule("9.6141d-a")
def test_stun_recovery_drm() -> None:
    def modifiers(state: Campaign) -> dict[str, int]:
        _, log = run_step(state, stun_recovery, (), [3])
        return drm(log.rolls()[0])

    german = piece("v1", GERMAN, TANK, "A7", area="A", status=STUN)
    assert modifiers(campaign(german)) == {"german": 1}
    alone = piece("v1", GERMAN, TANK, "I10", area="A", status=STUN)
    assert modifiers(isolated_germans(alone)) == {"isolated": 1, "german": 1}
    british = piece("v1", BRITISH, "Churchill VII", "M12", area="A", status=STUN)
    assert modifiers(campaign(british)) == {}
    # the crew of a captured vehicle is its captor's
    captured = piece("v1", BRITISH, TANK, "M12", area="A", status=f"{STUN} captured")
    assert modifiers(campaign(captured)) == {}


@pytest.mark.rule("9.6141d-b", "9.6141d-c", "9.6141d-d")
@pytest.mark.parametrize(
    ("dr", "british", "german"),
    [(1, "recovers", "recovers"), (2, "recovers", "stunned"), (3, "stunned", "stunned"),
     (4, "stunned", "stunned"), (5, "stunned", "eliminated"), (6, "eliminated", "eliminated")],
)  # fmt: skip
def test_stun_recovery_table(dr: int, british: str, german: str) -> None:
    for side, type, at, wanted in (
        (BRITISH, "Churchill VII", "M12", british),
        (GERMAN, TANK, "A7", german),
    ):
        state = campaign(piece("v1", side, type, at, area="A", status=STUN))
        after, _ = run_step(state, stun_recovery, dice=[dr])
        if wanted == "eliminated":
            assert not after.pieces
            assert after.gone[0].how == "eliminated"
        else:
            assert status(after, "v1") == (() if wanted == "recovers" else tuple(STUN.split()))


@pytest.mark.rule("9.6141d-a")
def test_which_stun_rolls_is_a_house_rule(tells: Tells) -> None:
    just = piece("v1", GERMAN, TANK, "A7", area="A", status="stunned")
    for status_words in ("stunned", "stunned stun-plus-1", "stun-plus-1"):
        tank = msgspec.structs.replace(just, status=tuple(status_words.split()))
        after, _ = run_step(campaign(tank), stun_recovery, dice=[1])
        assert status(after, "v1") == ()
    state = campaign(just, house_rules={"C-22": "plus-one-side"})
    after, lines = run_step(state, stun_recovery)
    assert after == state
    (line,) = lines
    tells(line.text, "v1", "roll")
    assert (line.rule, line.side) == ("9.6141d", "german")


# -- What the other side may not see --------------------------------------------------------------


@pytest.mark.rule("9.6141b-a", "9.6141d-a")
def test_each_side_repairs_in_secret() -> None:
    """Ruling P-90: a dr that is made or not made would tell who Shifted."""
    seen = piece("v1", GERMAN, TANK, "A7", area="A", status=STUN)
    off_map = piece("v2", GERMAN, TANK, "off-map J0", area="J0", status=f"{STUN} low-ammo")
    shifted = piece("v3", GERMAN, TANK, "S10", area="A", status=f"{STUN} recall")
    state = campaign(seen, off_map, shifted)
    _, lines = run_step(state, repair_and_replenishment, (), [6, 6])
    british = told(for_side(lines, BRITISH))
    assert british == told(for_side(run_step(campaign(), repair_and_replenishment)[1], BRITISH))
    assert "v2" in told(for_side(lines, GERMAN))
    assert {each.where: each.secret for each in lines.rolls()} == {
        "PzKpfw IVH v1": True,
        "PzKpfw IVH v2": True,
    }


@pytest.mark.rule("9.61423-a")
def test_both_sides_see_the_wreck_that_lies_on_the_map() -> None:
    tank = piece("v1", GERMAN, TANK, "A7", area="A")
    people = piece("s1", GERMAN, "4-6-7", "A6", area="A")
    state = frozen(campaign(tank, people))
    answers = ["burnt-out v1", "yes", "none"]
    after, lines = run_step(state, repair_and_replenishment, answers)
    british = told(for_side(lines, BRITISH))
    assert says(british, "Burnt-Out Wreck", TANK, "A7")
    assert "v1" not in british
    assert [each.id for each in seen_pieces(state, GERMAN)] == ["v1", "s1"]
    assert [each.id for each in seen_pieces(after, GERMAN)] == ["s1"]
    again = frozen(campaign(tank, people, terrain=after.terrain))  # one lies there already
    after, lines = run_step(again, repair_and_replenishment, answers)
    assert says(told(for_side(lines, BRITISH)), "Burnt-Out Wreck", TANK, "A7")
    assert [each.id for each in seen_pieces(after, GERMAN)] == ["s1"]
