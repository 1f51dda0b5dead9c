"""9.61423 Abandoning, Scrounging and Removal. Rule: 9.61423, CG14, D5.411, D10.5."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from refit_helpers import BRITISH, GERMAN, piece, refusal, run_step, told
from repair_help import campaign, wrecks_and_scrounging
from sentences import Tells

from asl_pbcg.campaign.position import Terrain
from asl_pbcg.campaign.position_words import TerrainKind
from asl_pbcg.campaign.state.campaign_state import Campaign, change
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.kernel.answers import ListedAnswers
from asl_pbcg.kernel.entries import Entry
from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.kernel.run import check_entry
from asl_pbcg.refit.helpers.catalogue_questions import has_wreck, in_own_catalogue
from asl_pbcg.refit.helpers.retention import retain
from asl_pbcg.refit.helpers.scrounging import wrecks_and_scrounging as wrecks_and_scrounging_alone

TANK, FRENCH = "PzKpfw IVH", "35-S 739(f)"
SQUAD = piece("s1", GERMAN, "4-6-7", "A7", area="A")


def tank(status: str = "", type: str = TANK, **fields: Any) -> Piece:
    return piece("v1", GERMAN, type, "A7", area="A", status=status, **fields)


def first(state: Campaign) -> Prompt:
    """The question for the one Setup Area with something in it."""
    _, log = run_step(state, wrecks_and_scrounging, ["done"])
    return log.prompts()[0]


def wreck(at: str = "A7", type: str = FRENCH, **fields: Any) -> Terrain:
    return Terrain(kind=TerrainKind.WRECK, at=at, type=type, side=GERMAN, **fields)


# -- Abandon, wreck ---------------------------------------------------------------------------


@pytest.mark.rule("9.61423-a")
def test_a_vehicle_may_be_abandoned_and_its_crew_is_in_the_same_area(tells: Tells) -> None:
    after, lines = run_step(campaign(tank()), wrecks_and_scrounging, ["abandon v1", "none", "done"])
    assert after.piece("v1").status == ("abandoned",)
    crew = after.pieces[-1]
    assert (crew.type, crew.side, crew.area, crew.at) == ("1-2-7", GERMAN, "A", "A7")
    tells(told(lines), "Abandoned", "1-2-7")


@pytest.mark.rule("9.61423-a")
def test_its_crew_may_remove_weapons() -> None:
    answers = ["abandon v1", "BMG", "LMG", "done"]
    state = campaign(tank("cmg-malfunctioned"))
    after, log = run_step(state, wrecks_and_scrounging, answers)
    removal = next(each for each in log.prompts() if each.id == "9.61423.removal")
    assert [option.id for option in removal.options] == ["BMG"]  # no 75L, no malfunctioned CMG
    lmg = after.pieces[-1]
    assert (lmg.type, lmg.area, lmg.status) == ("LMG", "A", ())
    (crew,) = (each for each in after.pieces if each.type == "1-2-7")
    assert crew.possesses == (lmg.id,)
    assert set(after.piece("v1").status) == {"abandoned", "cmg-malfunctioned", "bmg-disabled"}


@pytest.mark.rule("9.61423-a")
@pytest.mark.parametrize(
    ("answer", "kind"), [("wreck v1", "wreck"), ("burnt-out v1", "burnt-out-wreck")]
)
def test_a_vehicle_may_be_turned_into_a_wreck_or_a_burnt_out_wreck(answer: str, kind: str) -> None:
    state = campaign(tank("abandoned"), SQUAD)
    done = ["done"] if kind == "wreck" else []  # a Wreck may be Scrounged
    after, _ = run_step(state, wrecks_and_scrounging, [answer, "yes", *done])
    assert [each.id for each in after.pieces] == ["s1"]
    (left,) = after.terrain
    assert (left.kind.value, left.at, left.type, left.side) == (kind, "A7", TANK, GERMAN)
    assert after.gone[0].piece.id == "v1"


@pytest.mark.rule("9.61423-a")
def test_a_manned_vehicle_is_abandoned_before_it_is_a_wreck(tells: Tells) -> None:
    answers = ["burnt-out v1", "yes", "none"]
    after, lines = run_step(campaign(tank()), wrecks_and_scrounging, answers)
    assert [each.type for each in after.pieces] == ["1-2-7"]
    assert "is Abandoned" in told(lines)
    tells(told(lines), "Burnt-Out", "Wreck")


@pytest.mark.rule("9.61423-a")
def test_a_vehicle_without_wreck_depiction_never_turns_into_a_wreck(tells: Tells) -> None:
    state = campaign(tank("abandoned"), SQUAD)
    answers = ["wreck v1", "no", "done"]
    after, lines = run_step(state, wrecks_and_scrounging, answers)
    assert after.piece("v1")
    assert not after.terrain
    tells(told(lines), "depiction")
    tells(refusal(lines.prompts()[-1], "burnt-out v1"), "Wreck")
    assert not after.catalogue.vehicle(TANK, GERMAN).wreck


@pytest.mark.rule("9.61423-a")
def test_the_wreck_of_a_vehicle_retained_elsewhere_lies_in_a_hex_of_that_area() -> None:
    state = campaign(piece("v1", GERMAN, TANK, "S10", status="abandoned"), SQUAD)
    state = retain(state, "v1", "Setup Area", "A")
    answers = ["burnt-out v1", "yes", "B7"]
    after, _ = run_step(state, wrecks_and_scrounging, answers)
    assert after.terrain[0].at == "B7"


@pytest.mark.rule("9.61423-a", "9.61423-b")
def test_a_recalled_vehicle_is_left_alone() -> None:
    prompt = first(campaign(tank("abandoned recall"), SQUAD, terrain=[wreck()]))
    for answer in ("abandon v1", "wreck v1", "burnt-out v1", "scrounge v1"):
        assert "Recalled" in refusal(prompt, answer)
    assert [option.id for option in prompt.legal] == ["scrounge A7-1", "done"]


@pytest.mark.rule("9.61423-c")
def test_without_personnel_in_the_area_nothing_can_be_done() -> None:
    elsewhere = piece("s1", GERMAN, "4-6-7", "JJ12", area="B")
    state = campaign(tank("abandoned"), elsewhere, terrain=[wreck()])
    after, lines = run_step(state, wrecks_and_scrounging)
    assert after == state
    assert not lines
    # an abandoning crew is Personnel
    prompt = first(campaign(tank(), elsewhere, terrain=[wreck()]))
    assert [option.id for option in prompt.legal] == [
        "abandon v1", "wreck v1", "burnt-out v1", "done",
    ]  # fmt: skip
    assert "No Personnel" in refusal(prompt, "scrounge A7-1")
    answers = ["abandon v1", "none", "scrounge v1", "LMG", "failed", "done"]
    after, _ = run_step(campaign(tank(), elsewhere), wrecks_and_scrounging, answers)
    # a truck has no crew that could do it
    truck = piece("v1", GERMAN, "Kfz 1", "A7", area="A")
    assert run_step(campaign(truck), wrecks_and_scrounging)[1] == []


@pytest.mark.rule("9.61423-a")
def test_off_map_and_in_no_mans_land_there_is_no_such_choice() -> None:
    state = campaign(
        piece("v1", GERMAN, TANK, "off-map A7", area="A7"),
        piece("v2", GERMAN, TANK, "S10"),
        SQUAD,
        terrain=[wreck("S10")],
    )
    assert run_step(state, wrecks_and_scrounging) == (state, [])


# -- Scrounge ---------------------------------------------------------------------------------


@pytest.mark.rule("9.61423-b")
def test_an_abandoned_vehicle_may_be_scrounged_once() -> None:
    state = campaign(tank("abandoned"), SQUAD)
    assert "manned" in refusal(first(campaign(tank(), SQUAD)), "scrounge v1")
    answers = ["scrounge v1", "LMG", "failed", "done"]
    after, log = run_step(state, wrecks_and_scrounging, answers)
    assert [each.id for each in after.pieces] == ["v1", "s1"]
    assert "tried" in refusal(log.prompts()[-1], "scrounge v1")
    answers = ["scrounge v1", "LMG", "succeeded", "done"]
    after, _ = run_step(state, wrecks_and_scrounging, answers)
    lmg = after.pieces[-1]
    assert (lmg.type, lmg.side, lmg.area, lmg.status) == ("LMG", GERMAN, "A", ())
    assert after.piece("s1").possesses == (lmg.id,)


@pytest.mark.rule("9.61423-b")
def test_a_vehicle_tried_in_vain_is_not_tried_again_as_a_wreck() -> None:
    answers = ["scrounge v1", "LMG", "failed", "wreck v1", "yes"]
    state = campaign(tank("abandoned"), SQUAD)
    after, _ = run_step(state, wrecks_and_scrounging, answers)
    assert after.terrain[0].kind is TerrainKind.WRECK


@pytest.mark.rule("9.61423-b")
def test_a_scrounged_wreck_is_burnt_out_and_not_scrounged_again() -> None:
    two = piece("s2", GERMAN, "2-4-7", "B7", area="A")
    state = campaign(SQUAD, two, terrain=[wreck()])
    answers = ["scrounge A7-1", "s2", "succeeded"]
    after, lines = run_step(state, wrecks_and_scrounging, answers)
    assert after.terrain[0].kind is TerrainKind.BURNT_OUT_WRECK
    assert after.terrain[0].scrounged
    lmg = after.pieces[-1]
    assert (lmg.type, lmg.at) == ("LMG(f)", "B7")
    assert after.piece("s2").possesses == (lmg.id,)
    assert "CG14" in told(lines)
    assert run_step(after, wrecks_and_scrounging)[1] == []
    burnt = Terrain(kind=TerrainKind.BURNT_OUT_WRECK, at="A7", type=FRENCH, side=GERMAN)
    assert run_step(campaign(SQUAD, terrain=[burnt]), wrecks_and_scrounging)[1] == []


@pytest.mark.rule("9.61423-b")
def test_a_wreck_nobody_named_may_be_scrounged_too() -> None:
    unknown = Terrain(kind=TerrainKind.WRECK, at="A7")
    state = campaign(SQUAD, terrain=[unknown])
    answers = ["scrounge A7-1", "lmg", "succeeded"]
    after, _ = run_step(state, wrecks_and_scrounging, answers)
    assert after.pieces[-1].type == "LMG"
    after, _ = run_step(state, wrecks_and_scrounging, ["scrounge A7-1", "nothing"])
    assert after.terrain == state.terrain


@pytest.mark.rule("9.61423-d")
def test_a_scrounged_french_vehicle_yields_a_french_lmg() -> None:
    state = campaign(tank("abandoned", FRENCH), SQUAD)
    after, _ = run_step(state, wrecks_and_scrounging, ["scrounge v1", "succeeded", "done"])
    assert after.pieces[-1].type == "LMG(f)"
    # in British hands it is a captured French LMG
    captured = piece("v1", BRITISH, FRENCH, "M12", area="A", status="captured abandoned")
    squad = piece("b1", BRITISH, "6-4-8", "M12", area="A", formation="Ox", airborne=True)
    after, _ = run_step(
        campaign(captured, squad), wrecks_and_scrounging, ["scrounge v1", "succeeded", "done"]
    )
    lmg = after.pieces[-1]
    assert (lmg.side, lmg.type, lmg.status, lmg.airborne) == (
        BRITISH, "LMG(f)", ("captured",), True,
    )  # fmt: skip


@pytest.mark.rule("9.61423-a")
def test_a_vehicle_of_which_nothing_works_burns_out_at_once() -> None:
    """CG14: Immobilized, Abandoned, every Inherent Weapon disabled."""
    dead = "immobilized ma-disabled bmg-disabled"
    state = campaign(tank(dead), SQUAD)
    answers = ["abandon v1", "CMG", "LMG", "yes"]
    after, _ = run_step(state, wrecks_and_scrounging, answers)
    assert after.terrain[0].kind is TerrainKind.BURNT_OUT_WRECK
    assert [each.type for each in after.pieces] == ["4-6-7", "1-2-7", "LMG"]


# -- What the other side did in secret ---------------------------------------------------------


@pytest.mark.finding("J-18")
def test_a_name_of_a_wreck_counts_no_wreck_elsewhere() -> None:
    two = [wreck(), wreck(type=TANK)]
    alone = first(campaign(SQUAD, terrain=two))
    others = first(campaign(SQUAD, terrain=[wreck("JJ12"), two[0], wreck("JJ13"), two[1]]))
    names = [option.id for option in alone.options]
    assert names == [option.id for option in others.options]
    assert names == ["scrounge A7-1", "scrounge A7-2", "done"]


@pytest.mark.finding("J-18")
def test_the_earlier_name_of_a_wreck_is_read_in_files_alone() -> None:
    state = campaign(SQUAD, terrain=[wreck("JJ12"), wreck(), wreck(type=TANK)])
    prompt = first(state)
    assert prompt.in_present_words("scrounge A7#3") == "scrounge A7-2"
    listed = ListedAnswers([("9.61423", "scrounge A7#2")])
    assert listed.answer(prompt) == "scrounge A7-1"
    entry = Entry(kind="answer", step="dawn/9.614", point="9.61423", body="scrounge A7#3")
    assert check_entry(prompt, entry) == ("scrounge A7-2", "scrounge A7-2")
    for number in range(1, 6):
        with pytest.raises(IllegalAnswer, match="not a choice"):
            prompt.check(f"scrounge A7#{number}")


def asked_in_secret(state: Campaign, type: str, field: str, value: Any) -> Campaign:
    """A campaign in which the British alone were asked about a German counter."""
    key = f"german/{type}/{field}"
    return change(
        state,
        catalogue_corrections={"german": {type: {field: value}}},
        answered_in_secret={key: (BRITISH,)},
    )


@pytest.mark.finding("J-18")
@pytest.mark.parametrize("value", ["", "MMG", "LMG"])
def test_what_the_other_said_of_a_counter_is_neither_reason_nor_default(value: str) -> None:
    plain = campaign(tank("abandoned"), SQUAD, at="9.614")
    told_them = asked_in_secret(plain, TANK, "scrounges", value)
    asked = []
    part = partial(wrecks_and_scrounging_alone, side=GERMAN)
    for state in (plain, told_them):
        answers = ["scrounge v1", "MMG", "failed", "done"]
        after, log = run_step(state, lambda now: in_own_catalogue(now, GERMAN, part), answers)
        asked.append([(each.id, each.options, each.default) for each in log.prompts()])
        assert after.catalogue.vehicle(TANK, GERMAN).scrounges == "MMG"
    assert asked[0] == asked[1]


@pytest.mark.finding("J-18")
def test_what_the_other_said_stands_again_after_one_s_own_part() -> None:
    state = asked_in_secret(campaign(tank("abandoned"), SQUAD, at="9.614"), TANK, "scrounges", "")
    part = partial(wrecks_and_scrounging_alone, side=GERMAN)
    after, _ = run_step(state, lambda now: in_own_catalogue(now, GERMAN, part), ["done"])
    assert after == state


@pytest.mark.finding("J-18")
def test_the_default_of_an_open_question_is_no_secret_answer() -> None:
    plain = campaign(tank(), SQUAD, at="9.607")
    for state in (plain, asked_in_secret(plain, TANK, "wreck", False)):
        script = has_wreck(state, TANK, GERMAN, GERMAN)
        assert next(script).default == "yes"
