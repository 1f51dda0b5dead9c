"""How a CG scenario ends and what its end position does: 9.2, 9.12, CG3, CG11, CG14-CG19."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from refit_helpers import (
    BRITISH,
    GERMAN,
    by_point,
    campaign_at,
    piece,
    refusal,
    run_step,
    told,
)
from sentences import Tells, says

from asl_pbcg.campaign.position import Fortification, Position, Terrain
from asl_pbcg.campaign.position_words import FortificationKind, TerrainKind
from asl_pbcg.campaign.state.campaign_state import Bought, Campaign, change
from asl_pbcg.campaign.state.ob_merge import to_position
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.views import LogLine, for_side
from asl_pbcg.play.campaign_game.position_document import end_position_of
from asl_pbcg.refit.s600_scenario_end import scenario_end
from asl_pbcg.refit.sequence import CampaignGame, step_after

AGREED = {"0.1": "agreement"}
SQUAD = piece("b1", BRITISH, "6-4-8", "Y21", airborne=True, formation="7th")
RIFLES = piece("g1", GERMAN, "4-6-7", "M12", possesses="g-lmg")
LMG = piece("g-lmg", GERMAN, "LMG", "M12")


def playing(*pieces: Piece, **fields: Any) -> Campaign:
    """A campaign whose scenario is being played."""
    return campaign_at("scenario", *pieces, **fields)


def position_of(state: Campaign, **fields: Any) -> dict[str, Any]:
    """The position the state tells, as plain data, with some keys replaced."""
    data: dict[str, Any] = msgspec.to_builtins(to_position(state))
    return {**data, **fields}


def without(data: dict[str, Any], *ids: str) -> dict[str, Any]:
    """The position without some pieces, and nobody possessing them."""
    new = dict(data)
    for name in ("units", "equipment", "vehicles"):
        entries = [dict(each) for each in data.get(name, ()) if each["id"] not in ids]
        for each in entries:
            if "possesses" in each:
                each["possesses"] = [held for held in each["possesses"] if held not in ids]
        new[name] = entries
    return new


def with_entry(data: dict[str, Any], id: str, **fields: Any) -> dict[str, Any]:
    """The position with keys of one piece replaced."""
    new = dict(data)
    for name in ("units", "equipment", "vehicles"):
        new[name] = [
            {**each, **fields} if each["id"] == id else each for each in data.get(name, ())
        ]
    return new


def ended(
    state: Campaign,
    data: Any = None,
    asked: list[Prompt | Roll] | None = None,
    **answers: Any,
) -> tuple[Campaign, list[LogLine]]:
    """End the scenario by agreement with this position; other answers by point (``p0_2_1``)."""
    given = {point[1:].replace("_", "."): answer for point, answer in answers.items()}
    position = position_of(state) if data is None else data
    return run_step(
        state, scenario_end, by_point({**AGREED, "0.2": position, **given}), asked=asked
    )


def prompt_0_2(state: Campaign) -> Prompt:
    script = scenario_end(state)
    asked = script.send(None)
    while not (isinstance(asked, Prompt) and asked.id == "0.2"):
        assert isinstance(asked, Prompt)
        asked = script.send(AGREED[asked.id])
    return end_position_of(state, asked, "umpire")


# -- 0.1: how it ended -------------------------------------------------------------------


@pytest.mark.rule("9.4-CG19-a")
def test_a_game_end_dr_must_be_below_the_circled_number_from_turn_5_on(tells: Tells) -> None:
    state = playing(SQUAD)
    answers = {"0.1": "dr", "0.1.dr": "6 3 2", "0.2": position_of(state)}
    state, lines = run_step(state, scenario_end, by_point(answers))
    tells(state.account.ended_by, "Turn 6", "below 3", "Game", "End", "2")
    tells(told(lines), "Turn 6", "below 3", "Game", "End", "2")
    prompts = {each.id: each for each in lines.asked if isinstance(each, Prompt)}
    assert "CG19" in refusal(prompts["0.1.dr"], "6 3 3")  # the result must be less, not equal
    assert prompts["0.1.dr"].check("5, 3, 2") == "5 3 2"
    for typed, sentence in {
        "4 3 2": "No Game End dr is made in Turn 4", "21 3 2": "Turn 21", "6 8 2": "8 is not ",
        "6 7 7": "A dr cannot be 7", "6 3": "three numbers", "6 3 x": "three numbers",
        "6 3 ²": "three numbers",
    }.items():  # fmt: skip
        assert sentence in refusal(prompts["0.1.dr"], typed)


@pytest.mark.finding("F-30")
def test_the_game_end_dr_need_not_be_recorded(tells: Tells) -> None:
    """F-30: nothing follows from it, so that Enter will do."""
    state = playing(SQUAD)
    answers = {"0.1": "dr", "0.1.dr": "not kept", "0.2": position_of(state)}
    state, log = run_step(state, scenario_end, by_point(answers))
    tells(state.account.ended_by, "Game", "End")
    assert next(each.default for each in log.asked if each.id == "0.1.dr") == "not kept"  # type: ignore[union-attr]


def test_the_players_may_keep_the_game_end_dr_to_themselves(tells: Tells) -> None:
    state = playing(SQUAD, house_rules={"C-76": "unused"})
    answers = {"0.1": "dr", "0.2": position_of(state)}
    state, _ = run_step(state, scenario_end, by_point(answers))
    tells(state.account.ended_by, "Game", "End")


@pytest.mark.rule("9.4-CG19-b")
def test_an_agreement_is_one_answer_of_both_sides() -> None:
    state = playing(SQUAD)
    answers = {"0.1": "agreement", "0.2": position_of(state)}
    after, log = run_step(state, scenario_end, by_point(answers))
    # Nobody's alone: with --as a side proposes it and the other must agree (test_play).
    assert [(each.id, each.side) for each in log.asked[:2]] == [("0.1", ""), ("0.2", "")]
    assert after.account.ended_by == "by agreement"


@pytest.mark.rule("9.2-b")
@pytest.mark.parametrize("loser", list(Side))
def test_a_concession_is_cg_end(loser: Side) -> None:
    state, _ = run_step(playing(SQUAD), scenario_end, by_point({"0.1": f"{loser}-concede"}))
    assert state.won_by is loser.other
    assert "concede the CG" in state.ended
    assert CampaignGame().next_step(state) is None


@pytest.mark.rule("9.1-b", "9.2-ab")
@pytest.mark.parametrize("campaign", ["CG1", "CG2"])
def test_a_refit_phase_follows_every_scenario(campaign: str) -> None:
    state = playing(SQUAD, campaign=campaign)
    steps = []
    while state.at != "scenario" or not steps:
        state = msgspec.structs.replace(state, at=step_after(state))
        steps.append(state.at)
    assert steps == [f"9.6{number:02}" for number in range(1, 21)] + ["scenario"]


# -- 0.2: the end position ---------------------------------------------------------------


def test_the_stored_answer_is_the_whole_position_as_plain_data() -> None:
    state = playing(SQUAD, RIFLES, LMG)
    stored = prompt_0_2(state).check(position_of(state))
    plain = msgspec.json.decode(msgspec.json.encode(stored))
    assert plain["units"][0] == {**plain["units"][0], "id": "b1", "type": "6-4-8", "at": "Y21"}
    assert msgspec.convert(plain, Position) == to_position(state)


def test_a_position_of_another_date_or_with_faults_is_refused_with_all_of_them(
    tells: Tells,
) -> None:
    state = playing(SQUAD, RIFLES, LMG)
    wrong = with_entry(position_of(state, date="day-1"), "b1", at="Y99")
    said = refusal(prompt_0_2(state), wrong)
    assert "Y99" in said
    said = refusal(prompt_0_2(state), position_of(state, date="day-1"))
    tells(said, "dawn")
    assert "format" in refusal(prompt_0_2(state), "nothing")


@pytest.mark.parametrize(
    ("id", "fields", "sentence"),
    [
        ("b1", {"type": "8-0"}, "is a 6-4-8 in the OB"),
        ("b1", {"side": "german", "type": "4-6-7"}, "is a British unit in the OB"),
        ("g-lmg", {"type": "MMG"}, "is a LMG in the OB"),
        ("g-lmg", {"side": "british"}, "must be captured"),
        ("b2", {"type": "6-4-8"}, "HS Recombine in the RePh"),
    ],
)
def test_a_piece_stays_what_it_is(id: str, fields: dict[str, Any], sentence: str) -> None:
    state = playing(SQUAD, piece("b2", BRITISH, "3-3-8", "Y21"), RIFLES, LMG)
    data = position_of(state)
    if id == "g-lmg":
        data = with_entry(data, "g1", possesses=[])
    assert sentence in refusal(prompt_0_2(state), with_entry(data, id, **fields))


def test_the_id_of_a_piece_that_is_gone_is_not_used_again(tells: Tells) -> None:
    state = playing(SQUAD, RIFLES, LMG)
    after, _ = ended(state, without(position_of(state), "g1"), p0_2_1="none")
    again = position_of(after, date="dawn")
    again["units"] = [*again["units"], {"id": "g1", "side": "german", "type": "4-6-7", "at": "M12"}]
    after = msgspec.structs.replace(after, at="scenario")
    tells(refusal(prompt_0_2(after), again), "4-6-7", "Dawn")


@pytest.mark.rule("9.4-CG11-b")
def test_the_german_50l_at_in_x20_never_moves() -> None:
    gun = piece("g-at", GERMAN, "50L AT", "X20", status="emplaced")
    state = playing(gun, SQUAD)
    moved = with_entry(position_of(state), "g-at", at="X21")
    assert "never moves (CG11)" in refusal(prompt_0_2(state), moved)
    captured = with_entry(position_of(state), "g-at", side="british", status=["captured"], at="X21")
    assert "never moves (CG11)" in refusal(prompt_0_2(state), captured)
    assert prompt_0_2(state).check(position_of(state))


@pytest.mark.rule("9.4-CG17-h")
def test_a_walking_wounded_mmc_never_loses_that_status(tells: Tells) -> None:
    wounded = piece("b9", BRITISH, "6-4-8", "Y21", status="walking-wounded", airborne=True)
    state = playing(wounded)
    healed = with_entry(position_of(state), "b9", status=[])
    tells(refusal(prompt_0_2(state), healed), "CG17")
    reduced = with_entry(position_of(state), "b9", type="3-3-8")
    after, _ = ended(state, reduced)
    assert after.piece("b9").type == "3-3-8"
    assert after.piece("b9").has("walking-wounded")


@pytest.mark.rule("9.3-b")
def test_the_areas_of_the_last_scenario_are_forgotten_with_its_end() -> None:
    state = playing(SQUAD, msgspec.structs.replace(RIFLES, area="A"), LMG)
    assert state.determined is not None
    after, _ = ended(state, position_of(state, control={"british": ["Y19"], "german": []}))
    assert after.determined is None
    assert after.control.british == ("Y19",)
    assert {each.area for each in after.pieces} == {""}


# -- CG16, 9.2 Eliminated: what the position does not list -------------------------------


@pytest.mark.rule("9.4-CG16-a", "9.4-CG6-e")
def test_what_never_entered_stays_retained_off_map() -> None:
    tank = piece("g-t", GERMAN, "PzKpfw IVH", area="J0", rg="V3-1")
    lost = piece("g2", GERMAN, "4-6-7", area="KK1", rg="I4-1")
    state = playing(SQUAD, tank, lost)
    after, lines = ended(state, p0_2_1=("g-t",))
    assert (after.piece("g-t").area, after.piece("g-t").at) == ("J0", "off-map J0")
    assert [each.piece.id for each in after.gone] == ["g2"]
    prompt = next(each for each in lines.asked if each.id == "0.2.1")
    assert (prompt.side, prompt.secret) == ("german", True)
    assert "g-t" not in told(for_side(lines, "british"))


@pytest.mark.finding("F-05")
@pytest.mark.rule("9.4-CG16-a")
def test_the_dead_of_an_rg_that_entered_are_not_called_unentered() -> None:
    """F-05: the default counts as never entered only what came with nobody the position lists."""
    came = [piece(f"a{n}", GERMAN, "4-6-7", area="J0", rg="I4-1") for n in (1, 2)]
    never = [piece(f"n{n}", GERMAN, "4-6-7", area="KK1", rg="I4-2") for n in (1, 2)]
    state = playing(SQUAD, *came, *never)
    there = position_of(playing(SQUAD, msgspec.structs.replace(came[0], at="K9"), *never))
    there = without(there, "n1", "n2")
    after, log = ended(state, there)
    prompt = next(each for each in log.asked if each.id == "0.2.1")
    assert isinstance(prompt, Prompt)
    assert prompt.default == "n1, n2"
    assert [each.piece.id for each in after.gone] == ["a2"]
    assert {each.at for each in after.pieces if each.id in ("n1", "n2")} == {"off-map KK1"}


def test_what_waits_since_its_rg_entered_waits_by_default() -> None:
    """Who was on the map before says nothing of who enters now."""
    came = piece("a1", GERMAN, "4-6-7", "K9", rg="I4-1")
    waits = piece("a2", GERMAN, "4-6-7", "off-map J0", area="J0", rg="I4-1")
    state = playing(SQUAD, came, waits)
    after, log = ended(state, without(position_of(state), "a2"))
    prompt = next(each for each in log.asked if each.id == "0.2.1")
    assert isinstance(prompt, Prompt)
    assert prompt.default == "a2"
    assert not after.gone


def test_what_set_up_on_map_cannot_be_called_unentered(tells: Tells) -> None:
    state = playing(SQUAD, RIFLES, LMG, piece("g2", GERMAN, "4-6-7", area="J0"))
    _, log = ended(state, without(position_of(state), "g1", "g-lmg"), p0_2_1=("g2",))
    prompt = next(each for each in log.asked if each.id == "0.2.1")
    assert isinstance(prompt, Prompt)
    tells(refusal(prompt, ["g1"]), "M12")


@pytest.mark.rule("9.2-af")
def test_a_waiting_group_whose_entry_area_is_unknown_gets_one() -> None:
    car = piece("g-k", GERMAN, "Kfz 1", area="TT12", formation="FJR 6")
    leader = piece("g-l", GERMAN, "8-1", area="TT12", formation="FJR 6")
    state = playing(SQUAD, car, leader)
    after, log = ended(state, p0_2_1=("g-k", "g-l"), p0_2_2="U1")
    assert {after.piece(id).area for id in ("g-k", "g-l")} == {"U1"}
    prompt = next(each for each in log.asked if each.id == "0.2.2")
    assert isinstance(prompt, Prompt)
    assert [option.id for option in prompt.options] == ["A7", "J0", "U1", "KK1"]


@pytest.mark.rule("9.2-i")
def test_what_is_eliminated_leaves_the_ob(tells: Tells) -> None:
    state = playing(SQUAD, RIFLES, LMG)
    after, lines = ended(state, without(position_of(state), "g1"))
    assert [each.id for each in after.of(GERMAN)] == ["g-lmg"]
    assert [(each.piece.id, each.how) for each in after.gone] == [("g1", "eliminated")]
    tells(told(lines), "Eliminated", "4-6-7", "g1")


def test_each_side_adds_its_hidden_pieces_by_itself(tells: Tells) -> None:
    hidden = piece("g2", GERMAN, "4-6-7", "K12", status="hidden")
    state = playing(SQUAD, RIFLES, LMG, hidden)
    own = {"format": "pbcg-changes/1", "units": [{"id": "g2", "at": "K13", "status": ["hidden"]}]}
    common = without(position_of(state), "g2")
    after, lines = ended(state, common, p0_2_0=own)
    assert after.piece("g2").at == "K13"
    prompt = next(each for each in lines.asked if each.id == "0.2.0")
    assert isinstance(prompt, Prompt)
    assert (prompt.side, prompt.secret) == ("german", True)
    assert "K13" not in told(for_side(lines, "british"))
    theirs = {"format": "pbcg-changes/1", "units": [{"id": "b1", "at": "K13"}]}
    tells(refusal(prompt, theirs), "German")
    more = {**own, "control": {"german": ["Y19"]}}
    tells(refusal(prompt, more), "position")


@pytest.mark.finding("G-24")
@pytest.mark.rule("9.602-f")
def test_a_position_of_hidden_pieces_alone_will_do(tells: Tells) -> None:
    hidden = piece("g2", GERMAN, "4-6-7", "K12", status="hidden")
    state = playing(SQUAD, RIFLES, LMG, hidden)
    unit = {"id": "g2", "side": "german", "type": "4-6-7", "at": "K13", "status": ["hidden"]}
    own = {"format": "pbcg-position/1", "date": state.date.value, "units": [unit]}
    after, log = ended(state, without(position_of(state), "g2"), p0_2_0=own)
    assert after.piece("g2").at == "K13" and after.piece("b1").at and after.piece("g-lmg").at
    prompt = next(each for each in log.asked if each.id == "0.2.0")
    assert isinstance(prompt, Prompt)
    theirs = own | {"units": [{**unit, "id": "b1", "side": "british", "type": "6-4-8"}]}
    tells(refusal(prompt, theirs), "German")
    assert prompt.check(prompt.check(own)) == prompt.check(own)  # as the journal keeps it


def test_what_the_other_side_has_taken_and_hides_is_not_off_map() -> None:
    """Its former owner cannot know where it is, whatever he says of it."""
    hidden = piece("g2", GERMAN, "4-6-7", "K12", status="hidden")
    lost = piece("b-piat-9", BRITISH, "PIAT", area="Z28")
    state = playing(SQUAD, RIFLES, LMG, hidden, lost)
    taken = {"id": "b-piat-9", "side": "german", "type": "PIAT", "at": "K13",
             "status": ["captured", "hidden"]}  # fmt: skip
    unit = {"id": "g2", "at": "K13", "status": ["hidden"], "possesses": ["b-piat-9"]}
    own = {"format": "pbcg-changes/1", "units": [unit], "equipment": [taken]}
    common = without(without(position_of(state), "g2"), "b-piat-9")
    after, _ = ended(state, common, p0_2_0=["none", own], p0_2_1=("b-piat-9",), p0_2_2="Z28")
    found = after.piece("b-piat-9")
    assert (found.side, found.at, found.area) == (GERMAN, "K13", "")
    assert after.piece("g2").possesses == ("b-piat-9",)


# -- CG15 --------------------------------------------------------------------------------

EXITED = {"at": "off-map A7", "status": ["exited"]}


@pytest.mark.rule("9.4-CG15-a")
def test_what_exits_by_a_friendly_entry_area_is_retained_there(tells: Tells) -> None:
    state = playing(SQUAD, RIFLES, LMG)
    data = with_entry(position_of(state), "g1", **EXITED)
    data = with_entry(data, "g-lmg", **EXITED)
    after, lines = ended(state, data)
    for id in ("g1", "g-lmg"):
        assert (after.piece(id).area, after.piece(id).at) == ("A7", "off-map A7")
        assert not after.piece(id).has("exited")
    tells(told(lines), "Retained", "CG15")


@pytest.mark.finding("G-19")
@pytest.mark.rule("9.4-CG15-a")
def test_house_rule_p08_a_british_piece_exits_by_a_british_entry_area() -> None:
    state = playing(SQUAD, RIFLES, LMG)
    data = with_entry(position_of(state), "b1", at="off-map Z28", status=["exited"])
    with pytest.raises(IllegalAnswer, match="P-08"):
        ended(state, data)
    after, _ = ended(change(state, house_rules={"P-08": "retained"}), data)
    assert (after.piece("b1").area, after.piece("b1").at) == ("Z28", "off-map Z28")
    assert not after.piece("b1").has("exited")


@pytest.mark.rule("9.4-CG15-b")
@pytest.mark.parametrize(("result", "type"), [("passed", "4-6-7"), ("failed", "2-4-7")])
def test_a_broken_unit_that_exits_takes_a_ntc(result: str, type: str) -> None:
    state = playing(SQUAD, RIFLES, LMG)
    data = with_entry(position_of(state), "g1", at="off-map A7", status=["exited", "broken"])
    data = with_entry(data, "g-lmg", **EXITED)
    after, log = ended(state, data, p0_2_3=result)
    assert after.piece("g1").type == type
    assert [each.side for each in log.asked if each.id == "0.2.3"] == ["german"]


@pytest.mark.rule("9.4-CG15-c")
def test_the_equipment_of_a_unit_its_ntc_eliminates_goes_with_it() -> None:
    half = msgspec.structs.replace(RIFLES, type="2-4-7")
    state = playing(SQUAD, half, LMG)
    data = with_entry(position_of(state), "g1", at="off-map A7", status=["exited", "broken"])
    data = with_entry(data, "g-lmg", **EXITED)
    after, _ = ended(state, data, p0_2_3="failed")
    assert after.of(GERMAN) == []
    assert {each.piece.id for each in after.gone} == {"g1", "g-lmg"}


@pytest.mark.rule("9.4-CG15-b")
@pytest.mark.parametrize(("result", "there"), [("wounded", True), ("eliminated", False)])
def test_a_leader_that_fails_is_wounded_or_eliminated(result: str, there: bool) -> None:
    state = playing(SQUAD, piece("g1", GERMAN, "8-1", "M12"))
    data = with_entry(position_of(state), "g1", at="off-map A7", status=["exited", "broken"])
    after, _ = ended(state, data, p0_2_3=result)
    assert [each.has("wounded") for each in after.of(GERMAN)] == ([True] if there else [])


@pytest.mark.rule("9.4-CG15-d")
def test_what_exits_elsewhere_is_eliminated(tells: Tells) -> None:
    state = playing(SQUAD, RIFLES, LMG)
    away = with_entry(position_of(state), "g1", at="off-map Z28", status=["exited"])
    tells(refusal(prompt_0_2(state), away), "German", "Entry")
    british = with_entry(position_of(state), "b1", at="off-map Z28", status=["exited"])
    assert "CG15" in refusal(prompt_0_2(state), british)
    after, _ = ended(state, without(position_of(state), "b1"))
    assert [each.piece.id for each in after.gone] == ["b1"]


# -- New pieces --------------------------------------------------------------------------


def test_a_new_british_piece_gets_a_formation() -> None:
    names = ("7th Battalion, 6th Airborne Division", "Reinforcements of Day II and Dusk")
    state = playing(
        piece("b1", BRITISH, "6-4-8", "Y21", formation=names[0], airborne=True),
        piece("b2", BRITISH, "6-4-8", "Y21", formation=names[1]),
    )
    data = position_of(state)
    data["units"] = [*data["units"], {"id": "b3", "side": "british", "type": "3-3-8", "at": "Y21"}]
    after, _ = ended(state, data, p0_2_4="7th-battalion")
    assert (after.piece("b3").formation, after.piece("b3").airborne) == (names[0], True)
    after, _ = ended(state, data, p0_2_4="non-airborne")
    assert not after.piece("b3").airborne
    assert after.received_count[BRITISH] == 3


# -- CG14 --------------------------------------------------------------------------------


@pytest.mark.rule("9.4-CG14-a", "9.4-CG14-b")
def test_terrain_and_fortifications_stay_unless_removed() -> None:
    rubble = Terrain(kind=TerrainKind.RUBBLE_STONE, at="Z15")
    breach = Terrain(kind=TerrainKind.BREACH, at="Z15", hexside="Z15/Z16")
    shellhole = Terrain(kind=TerrainKind.SHELLHOLE, at="M14")
    track = Terrain(kind=TerrainKind.TRAIL_BREAK, at="K14")
    wreck = Terrain(kind=TerrainKind.WRECK, at="Y14", type="PzKpfw IVH", side=GERMAN)
    wire = Fortification(kind=FortificationKind.WIRE, at="Z21", owner=GERMAN)
    trench = Fortification(kind=FortificationKind.TRENCH, at="W21", owner=GERMAN)
    state = playing(
        SQUAD,
        terrain=(rubble, breach, shellhole, track, wreck),
        fortifications=(wire, trench),
    )
    bare = position_of(state, terrain=[], fortifications=[])
    after, _ = ended(state, bare, p0_2_6="none")
    assert set(after.terrain) == {rubble, breach, shellhole, track, wreck}
    assert set(after.fortifications) == {wire, trench}
    after, log = ended(state, bare, p0_2_6=("wire-Z21", "shellhole-M14"))
    prompt = next(each for each in log.asked if each.id == "0.2.6")
    assert isinstance(prompt, Prompt)
    names = [prompt.option(id).text for id in ("wire-Z21", "shellhole-M14")]
    assert names == ["Wire Z21", "Shellholes M14"]
    assert after.fortifications == (trench,)
    assert set(after.terrain) == {rubble, breach, track, wreck}


@pytest.mark.rule("9.4-CG14-b", "9.2-j")
def test_a_fortification_removed_in_play_leaves_its_sides_ob() -> None:
    pieces = [piece(f"g-wire-{n}", GERMAN, "Wire") for n in (1, 2)]
    wire = [
        Fortification(kind=FortificationKind.WIRE, at=at, owner=GERMAN) for at in ("Z21", "X21")
    ]
    state = playing(SQUAD, *pieces, fortifications=tuple(wire))
    bare = position_of(state, fortifications=[])
    after, _ = ended(state, bare, p0_2_6="none")
    assert [each.id for each in after.pieces if each.type == "Wire"] == ["g-wire-1", "g-wire-2"]
    after, _ = ended(state, bare, p0_2_6=("wire-Z21",))
    assert [each.at for each in after.fortifications] == ["X21"]
    assert [each.id for each in after.pieces if each.type == "Wire"] == ["g-wire-1"]
    assert [(each.piece.id, each.how) for each in after.gone] == [("g-wire-2", "eliminated")]


def test_a_wreck_that_burnt_out_is_not_asked_for() -> None:
    wreck = Terrain(kind=TerrainKind.WRECK, at="Y14", type="PzKpfw IVH", side=GERMAN)
    state = playing(SQUAD, terrain=(wreck,))
    burnt = [{"kind": "burnt-out-wreck", "at": "Y14", "type": "PzKpfw IVH", "side": "german"}]
    after, log = ended(state, position_of(state, terrain=burnt))
    assert [each.kind for each in after.terrain] == [TerrainKind.BURNT_OUT_WRECK]
    assert "0.2.6" not in [each.id for each in log.asked]


def test_hidden_fortifications_are_asked_of_their_owner_alone() -> None:
    mines = Fortification(
        kind=FortificationKind.AP_MINES, at="Y23", owner=BRITISH, size=6, hidden=True
    )
    state = playing(SQUAD, fortifications=(mines,))
    after, lines = ended(state, position_of(state, fortifications=[]))
    prompt = next(each for each in lines.asked if each.id == "0.2.5")
    assert (prompt.side, prompt.secret) == ("british", True)
    assert after.fortifications == (mines,)
    assert "Y23" not in told(for_side(lines, "german"))
    after, _ = ended(state, position_of(state, fortifications=[]), p0_2_5=("ap-mines-Y23",))
    assert after.fortifications == ()


def test_what_was_bought_and_set_up_hidden_is_asked_for_too() -> None:
    mines = Bought(
        key="b-fpp-1", side=BRITISH, kind="ap-mines", date=CGDate.DAWN, cost=9, factors=6, at="Y23"
    )
    foxhole = Bought(
        key="b-fpp-2", side=BRITISH, kind="foxhole-2s", date=CGDate.DAWN, cost=2, at="Y24"
    )
    old = msgspec.structs.replace(mines, key="b-fpp-0", date=CGDate.NIGHT_3, at="Y25")
    state = playing(SQUAD, bought=(old, mines, foxhole))
    after, lines = ended(state)
    assert [(each.kind, each.at, each.size, each.hidden) for each in after.fortifications] == [
        (FortificationKind.AP_MINES, "Y23", 6, True),
        (FortificationKind.FOXHOLE, "Y24", 2, True),
    ]
    assert "Y23" not in told(for_side(lines, "german"))
    listed = [{"kind": "foxhole", "at": "Y24", "owner": "british", "size": 2}]
    after, _ = ended(state, position_of(state, fortifications=listed), p0_2_5=("ap-mines-Y23",))
    assert [each.hidden for each in after.fortifications] == [False]


LATER = (
    Bought(key="b-fpp-1", side=BRITISH, kind="foxhole-2s", date=CGDate.DAWN, cost=2),
    Bought(key="b-fpp-2", side=BRITISH, kind="ap-mines", date=CGDate.DAWN, cost=9, factors=6),
)
"""Purchases that "later" left without a hex."""


@pytest.mark.finding("G-11")
@pytest.mark.rule("9.62022-c", "9.619-c")
def test_what_was_bought_and_has_no_hex_yet_is_asked_for() -> None:
    state = playing(SQUAD, bought=LATER, determined=True, british=["X18"])
    after, lines = ended(state, p0_2_5a=["x17", "none"])
    prompts = [each for each in lines.asked if isinstance(each, Prompt) and each.id == "0.2.5a"]
    assert [(each.about, each.side, each.secret) for each in prompts] == [
        ("b-fpp-1", "british", True),
        ("b-fpp-2", "british", True),
    ]
    assert [(each.at, each.size, each.hidden) for each in after.fortifications] == [
        ("X17", 2, True)
    ]
    assert [each.at for each in after.bought] == ["X17", ""]
    assert "X17" not in told(for_side(lines, "german"))
    assert "is lost" in told(for_side(lines, "british"))
    for refused, rule in (("Y18", "B27.1"), ("A1", "9.62022")):
        assert rule in refusal(prompts[0], refused)


@pytest.mark.finding("G-11")
def test_what_the_position_lists_of_a_purchase_without_a_hex_is_it() -> None:
    state = playing(SQUAD, bought=LATER, determined=True, british=["X18"])
    listed = [
        {"kind": "foxhole", "at": "X20", "owner": "british", "size": 2},
        {"kind": "ap-mines", "at": "X21", "owner": "british", "size": 6, "hidden": True},
        {"kind": "foxhole", "at": "X22", "owner": "british", "size": 1},
    ]
    after, log = ended(state, position_of(state, fortifications=listed))
    assert "0.2.5a" not in [each.id for each in log.asked]
    assert [each.at for each in after.bought] == ["X20", "X21"]
    assert [each.at for each in after.fortifications] == ["X20", "X21", "X22"]


@pytest.mark.rule("9.4-CG14-c")
def test_a_wreck_in_a_terrain_blaze_stays() -> None:
    wreck = Terrain(kind=TerrainKind.WRECK, at="Z15", type="PzKpfw IVH", side=GERMAN)
    blaze = Terrain(kind=TerrainKind.BLAZE, at="Z15")
    state = playing(SQUAD, terrain=(wreck, blaze))
    after, _ = ended(state)
    assert after.terrain == (wreck, blaze)


DEAD = "immobilized abandoned ma-disabled bmg-disabled cmg-disabled"


@pytest.mark.rule("9.4-CG14-e", "9.2-j")
@pytest.mark.parametrize(
    ("status", "wreck"),
    [
        (DEAD, True),
        (DEAD.removeprefix("immobilized "), False),
        (DEAD.replace("abandoned ", ""), False),
        (DEAD.replace("bmg-disabled", "bmg-malfunctioned"), False),
    ],
)
def test_a_dead_vehicle_becomes_a_burnt_out_wreck(status: str, wreck: bool) -> None:
    state = playing(SQUAD, piece("g-t", GERMAN, "PzKpfw IVH", "Y17", status=status))
    after, lines = ended(state)
    assert (after.of(GERMAN) == []) is wreck
    kinds = [(each.kind, each.at, each.type, each.side) for each in after.terrain]
    expected = [(TerrainKind.BURNT_OUT_WRECK, "Y17", "PzKpfw IVH", GERMAN)]
    assert kinds == (expected if wreck else [])
    assert says(told(lines), "Burnt-Out", "CG14") is wreck


def test_an_optional_aamg_keeps_a_vehicle_from_being_a_wreck() -> None:
    tank = piece("g-t", GERMAN, "PzKpfw IVH", "Y17", status=DEAD, aamg=True)
    after, _ = ended(playing(SQUAD, tank))
    assert after.piece("g-t")
    unarmed = piece("g-k", GERMAN, "Kfz 1", "Y17", status="immobilized abandoned")
    after, _ = ended(playing(SQUAD, unarmed))
    assert after.of(GERMAN) == []


@pytest.mark.rule("9.4-CG14-f")
@pytest.mark.parametrize(
    ("type", "scrounged", "kind"),
    [
        ("PzKpfw IVH", True, TerrainKind.BURNT_OUT_WRECK),
        ("PzKpfw IVH", False, TerrainKind.WRECK),
        ("Kfz 1", True, TerrainKind.WRECK),
    ],
)
def test_a_scrounged_wreck_is_burnt_out(type: str, scrounged: bool, kind: TerrainKind) -> None:
    wreck = Terrain(kind=TerrainKind.WRECK, at="Y14", type=type, side=GERMAN, scrounged=scrounged)
    after, _ = ended(playing(SQUAD, terrain=(wreck,)))
    assert [each.kind for each in after.terrain] == [kind]


@pytest.mark.rule("9.4-CG14-g")
def test_a_vehicle_without_a_wreck_depiction_never_becomes_a_wreck() -> None:
    tank = piece("g-t", GERMAN, "PzKpfw IVH", "Y17", status=DEAD)
    blank = {"german": {"PzKpfw IVH": {"wreck": False}}}
    after, _ = ended(playing(SQUAD, tank, catalogue_corrections=blank))
    assert after.piece("g-t").at == "Y17"
    assert after.terrain == ()


# -- CG17 --------------------------------------------------------------------------------


def airborne(id: str, type: str = "6-4-8", **fields: Any) -> Piece:
    return piece(id, BRITISH, type, "Y21", airborne=True, **fields)


@pytest.mark.rule("9.4-CG17-a", "9.4-CG17-b")
def test_only_sound_airborne_mmc_go_to_the_walking_wounded_box(tells: Tells) -> None:
    state = playing(
        airborne("b1"),
        airborne("b2"),
        airborne("b3", "3-3-8"),
        airborne("b4", status="walking-wounded"),
        piece("b5", BRITISH, "6-4-8", "Y21"),
        airborne("b6"),
    )
    gone = without(position_of(state), "b1", "b2", "b3", "b4", "b5")
    after, log = ended(state, gone, p0_2_7=("b1", "b3"))
    assert after.ww_box == {"6-4-8": 1, "3-3-8": 1}  # b2 was lost in another way
    prompt = next(each for each in log.asked if each.id == "0.2.7")
    assert isinstance(prompt, Prompt)
    tells(refusal(prompt, ["b4"]), "Walking", "Wounded")
    tells(refusal(prompt, ["b5"]), "Airborne")
    tells(refusal(prompt, ["b6"]), "choice")


@pytest.mark.rule("9.4-CG17-a")
def test_the_lost_half_of_a_squad_may_go_to_the_box(tells: Tells) -> None:
    state = playing(airborne("b1"), airborne("b2", status="walking-wounded"))
    reduced = with_entry(position_of(state), "b1", type="3-3-8")
    reduced = with_entry(reduced, "b2", type="3-3-8")
    after, log = ended(state, reduced, p0_2_7=("b1/half",))
    assert after.ww_box == {"3-3-8": 1}
    prompt = next(each for each in log.asked if each.id == "0.2.7")
    assert isinstance(prompt, Prompt)
    tells(refusal(prompt, ["b2/half"]), "Walking", "Wounded")


def test_the_box_of_the_position_is_taken_and_cannot_hold_more_than_was_lost(tells: Tells) -> None:
    state = playing(airborne("b1"), airborne("b2"), ww_box={"4-5-8": 1})
    gone = without(position_of(state), "b1")
    box = [{"type": "6-4-8", "count": 1}, {"type": "4-5-8", "count": 1}]
    after, _ = ended(state, {**gone, "ww_box": box})
    assert after.ww_box == {"6-4-8": 1, "4-5-8": 1}
    two = [{"type": "6-4-8", "count": 1}, {"type": "3-3-8", "count": 1}]
    said = refusal(prompt_0_2(state), {**gone, "ww_box": two})
    tells(said, "1 Airborne", "1½")
    reduced = with_entry(position_of(state), "b1", type="3-3-8")
    after, _ = ended(state, {**reduced, "ww_box": [{"type": "3-3-8", "count": 1}]})
    assert after.ww_box == {"3-3-8": 1}


# -- 9.12: Casualty VP -------------------------------------------------------------------


@pytest.mark.rule("9.12-a")
def test_cvp_are_those_of_the_position_or_reckoned_by_the_catalogue(tells: Tells) -> None:
    state = playing(SQUAD, RIFLES, LMG, piece("g2", GERMAN, "9-1", "M12"))
    gone = without(position_of(state), "g2")
    gone = with_entry(gone, "g1", type="2-4-7")
    gone.pop("casualty_vp", None)
    after, log = ended(state, gone)
    assert after.account.cvp_lost == {BRITISH: 0, GERMAN: 3}  # a 9-1 for 2, half a squad for 1
    given = {**gone, "casualty_vp": {"british": 2, "german": 9}}
    after, _ = ended(state, given)
    assert after.account.cvp_lost == {BRITISH: 2, GERMAN: 9}
    after, _ = ended(state, given, p0_2_8=[0, 12])
    assert after.account.cvp_lost == {BRITISH: 0, GERMAN: 12}
    prompt = next(each for each in log.asked if each.id == "0.2.8")
    assert isinstance(prompt, Prompt)
    tells(prompt.help, "A26.222")


@pytest.mark.rule("9.12-a")
@pytest.mark.parametrize(("house", "lost"), [("held-at-end", 4), ("no-prisoners", 0)])
def test_house_rule_c_30_prisoners_count_double_or_not_at_all(house: str, lost: int) -> None:
    state = playing(
        SQUAD,
        RIFLES,
        piece("g3", GERMAN, "4-6-7", SQUAD.at, status="prisoner", guarded_by=SQUAD.id),
        piece("g4", GERMAN, "4-6-7", SQUAD.at, status="prisoner", guarded_by=SQUAD.id),
        house_rules={"C-30": house},
    )
    held = {"status": ["prisoner"], "guarded_by": SQUAD.id, "at": SQUAD.at, "possesses": []}
    data = with_entry(position_of(state), RIFLES.id, **held)
    data = with_entry(data, "g4", status=[], guarded_by="")
    data.pop("casualty_vp", None)
    after, _ = ended(state, data)
    # g3 was lost in an earlier scenario, and g4, now free, is not won back for this one.
    assert after.account.cvp_lost == {BRITISH: 0, GERMAN: lost}


def test_deploying_loses_no_cvp_and_prisoners_count_by_the_house_rule(tells: Tells) -> None:
    state = playing(SQUAD, RIFLES, LMG, house_rules={"C-30": "no-prisoners"})
    data = with_entry(position_of(state), "g1", type="2-4-7")
    data["units"] = [*data["units"], {"id": "g9", "side": "german", "type": "2-4-7", "at": "M12"}]
    data.pop("casualty_vp", None)
    after, log = ended(state, data)
    assert after.account.cvp_lost == {BRITISH: 0, GERMAN: 0}
    prompt = next(each for each in log.asked if each.id == "0.2.8")
    assert isinstance(prompt, Prompt)
    tells(prompt.help, "C-30")


# -- CG3, 9.62023 ------------------------------------------------------------------------


@pytest.mark.rule("9.4-CG3-b")
def test_a_massacre_lasts_for_the_rest_of_the_cg(tells: Tells) -> None:
    state = playing(SQUAD, massacre=(GERMAN,))
    after, lines = ended(state, position_of(state, massacre=["british"]))
    assert after.massacre == (BRITISH, GERMAN)
    tells(told(lines), "British", "Massacre")
    after, lines = ended(state, position_of(state, massacre=[]))
    assert after.massacre == (GERMAN,)
    assert "Massacre" not in told(lines)


@pytest.mark.rule("9.601-e")
def test_who_moved_first_is_the_attacker_of_the_refit_phase(tells: Tells) -> None:
    state = playing(SQUAD, date=CGDate.DAWN)
    data = position_of(state)
    data.pop("moved_first", None)
    after, _ = ended(state, data)
    assert after.moved_first is GERMAN
    after, lines = ended(state, {**data, "moved_first": "british"})
    assert after.moved_first is BRITISH
    tells(told(lines), "Germans")


@pytest.mark.rule("9.4-CG16-a")
def test_what_must_set_up_on_map_cannot_be_unentered(tells: Tells) -> None:
    from asl_pbcg.refit.s600_losses import _why_entered

    waiting = piece("g1", GERMAN, "4-4-7", "", area="B")
    state = campaign_at("scenario", waiting)
    tells(_why_entered(state, state.piece("g1")), "Setup Area B")
    for area, listed in (("A7", ""), ("Glider", ""), ("B", "B")):
        moved = msgspec.structs.replace(waiting, area=area, listed_at=listed)
        assert not _why_entered(state, moved)


@pytest.mark.finding("G-22")
@pytest.mark.rule("9.2-i")
def test_what_the_position_calls_eliminated_is_not_asked_about() -> None:
    state = playing(SQUAD, RIFLES, LMG)
    data = without(position_of(state), "g1") | {"eliminated": ["g1"]}
    after, log = ended(state, data)
    assert not {"0.2.0", "0.2.1"} & {each.id for each in log.asked if isinstance(each, Prompt)}
    assert [(each.piece.id, each.how) for each in after.gone] == [("g1", "eliminated")]


@pytest.mark.finding("G-22")
def test_an_eliminated_id_of_nobody_is_a_fault() -> None:
    state = playing(SQUAD, RIFLES, LMG)
    data = position_of(state) | {"eliminated": ["g11"]}
    assert "g11" in refusal(prompt_0_2(state), data)


# -- Control of what only a victory condition names ---------------------------------------------


@pytest.mark.finding("G-01")
def test_control_of_the_bridge_stays_on_record_where_a_position_omits_it(tells: Tells) -> None:
    state = playing(SQUAD, german=("Y18", "Z18", "X18"), british=("Y21",))
    position = position_of(state, control={"british": ["Z18"], "german": []})
    state, lines = ended(state, position)
    assert set(state.control.british) == {"Z18", "Y21"}
    assert state.control.german == ("Y18",)  # X18 is a Strategic Location: the position decides
    tells(told(lines), "Y18", "Germans", "A26.11")
    assert "Z18" not in told(lines)
