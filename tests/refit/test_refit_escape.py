"""9.606 Escape: what is decided before the DR, and what comes of it; the worked examples."""

from __future__ import annotations

from typing import Any

import pytest
from escape_help import drms, ground, prompts, rolls, throw_of, total
from odds_help import odds_words
from refit_helpers import (
    BRITISH,
    GERMAN,
    Log,
    by_point,
    campaign_at,
    piece,
    refusal,
    run_step,
    told,
)
from sentences import Tells, says
from test_refit_paths import example

from asl_pbcg.campaign.areas.area_map import Territory
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.position import Fortification, Terrain
from asl_pbcg.campaign.position_words import FortificationKind, TerrainKind
from asl_pbcg.campaign.state.campaign_state import Campaign, change
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.views import LogLine
from asl_pbcg.refit.helpers.retention import retain, still_there
from asl_pbcg.refit.helpers.situation import territory
from asl_pbcg.refit.helpers.vehicle_actions import is_scrounged
from asl_pbcg.refit.s606_attempt import stack_leadership
from asl_pbcg.refit.s606_escape import escape

Answers = dict[str, Any]


def squad(id: str = "g1", at: str = "P14", **fields: Any) -> Piece:
    return piece(id, GERMAN, "4-6-7", at, **fields)


def run(
    *units: Piece,
    dice: list[Any] | None = None,
    answers: Answers | None = None,
    house: dict[str, str] | None = None,
    **fields: Any,
) -> tuple[Campaign, list[LogLine], list[Prompt | Roll]]:
    """Run 9.606; ``answers`` by decision point, a list is used up in order. Else defaults."""
    given = by_point({"9.606.2": "stay", "9.606.5": "go", **(answers or {})})
    state = ground(*units, house=house, **fields)
    after, lines = run_step(state, escape, given, dice or ())
    return after, lines, lines.asked


def original(dr: int) -> tuple[int, int]:
    return throw_of(dr)


# -- The worked examples ----------------------------------------------------------------------


def worked(id: str, dr: int, **house: str) -> tuple[Campaign, Campaign, Roll, str]:
    """One unit of the worked example makes its attempt; the others stay out of it."""
    state = example(**house)
    others = [each.id for each in state.pieces if each.id != id and each.id != "b12"]
    for each in others:
        if state.piece(each).side is GERMAN or each == "b13":
            unit = state.piece(each)
            if not still_there(state, unit) or each in ("g7", "g11", "v1", "v2", "b13"):
                state = retain(state, each, "Setup Area", "C" if each == "b13" else "A")

    def answer(prompt: Prompt) -> Any:
        if prompt.id == "9.606.1":
            return [option.id for option in prompt.options if option.id == id]
        if prompt.id == "9.606.2":
            return "escape" if prompt.text.split()[1] == id else "stay"
        return prompt.default

    after, lines = run_step(change(state, at="9.606"), escape, answer, [original(dr)])
    (roll,) = lines.rolls("9.606.8")
    return state, after, roll, told(lines)


@pytest.mark.rule("9.606-k", "9.606-ah", "9.606-ai", "9.6061-a")
def test_we_07_the_german_squad_in_british_setup_area_a() -> None:
    state, after, roll, _ = worked("g7", 6)
    assert state.areas.area_of(BRITISH, state.piece("g7").location) is not None
    assert drms(roll) == {"enemy_area": 1, "hs_equivalents": 1}
    rolled = roll.resolve(original(6))
    assert (rolled.final, rolled.result) == (8, "escapes")
    assert (after.piece("g7").area, after.piece("g7").type) == ("A", "4-6-7")


@pytest.mark.rule("9.606-q", "9.606-ak")
def test_we_08_the_kuebelwagen(tells: Tells) -> None:
    _, after, roll, text = worked("v2", 7)
    assert drms(roll) == {"unarmed_wounded": 1, "enemy_area": 1}
    assert roll.resolve(original(7)).final == 9
    truck = after.piece("v2")
    assert truck.has("abandoned")
    assert (truck.at, truck.area, truck.side) == ("Q13", "", GERMAN)
    assert len(after.pieces) == len(example().pieces), "no crew comes out of it"
    tells(text, "Q13", "Abandoned")


@pytest.mark.rule("9.606-p", "9.6061-a")
def test_we_09_the_tank_in_y17() -> None:
    # The example gives the Final DR of 7 only; by the list its DRM are -1 CT AFV and -1 two hexes.
    _, after, roll, _ = worked("v1", 9)
    assert roll.resolve(original(9)).final == 7
    assert (after.piece("v1").area, after.piece("v1").has("abandoned")) == ("A", False)


@pytest.mark.finding("G-18")
@pytest.mark.rule("9.606-n", "9.606-ao", "9.606-ai")
@pytest.mark.parametrize("house", [{}, {"B_08": "non-isolated"}, {"B_08": "example"}])
def test_we_10_the_squad_in_z23(house: dict[str, str]) -> None:
    _, after, roll, _ = worked("g11", 8, **house)
    assert drms(roll) == {"hs_equivalents": 1, "isolated": 2}
    rolled = roll.resolve(original(8))
    assert (rolled.final, rolled.result) == (11, "escapes_replaced_then_casualty_reduced")
    assert (after.piece("g11").type, after.piece("g11").area) == ("2-3-7", "B")


@pytest.mark.finding("F-02")
def test_we_10_the_squad_in_z23_by_the_list_of_drm() -> None:
    # It could reach Setup Area A, which is not Isolated, so that +2 does not hold.
    _, after, roll, _ = worked("g11", 8, B_08="strict")
    assert drms(roll) == {"near_friendly": -2, "hs_equivalents": 1}
    assert roll.resolve(original(8)).final == 7
    assert (after.piece("g11").type, after.piece("g11").area) == ("4-6-7", "B")


@pytest.mark.rule("9.606-b", "9.606-ao", "9.6131-a")
def test_we_11_the_isolated_british_squad_upstairs_in_z15() -> None:
    state, after, roll, _ = worked("b12", 4)
    assert drms(roll) == {"hs_equivalents": 1, "isolated": 2}
    assert total(roll) == 3
    assert after.piece("b12").area == "B"
    # Vacant, that Location is still British-Controlled.
    assert "Z15/1" in after.control.british
    assert after.determined is state.determined
    areas = after.areas
    assert areas.area_of(BRITISH, Location.parse("Z15/1")) == areas[BRITISH, "D"]


@pytest.mark.rule("9.606-b")
def test_we_11_its_options(tells: Tells) -> None:
    state = ground(piece("b12", BRITISH, "6-4-8", "Z15/1"))
    after, log = run_step(state, escape, ["stay"])
    (prompt,) = log.prompts("9.606.2")
    assert [option.id for option in prompt.legal] == ["escape", "stay"]
    attempt, stay = prompt.options
    tells(attempt.consequence, "+1", "+2", "Isolated", "+3")
    assert odds_words(attempt.odds) == {
        "Escapes": "28%",
        "Replaced": "14%",
        "Reduced": "17%",
        "Replaced and Reduced": "14%",
        "Eliminated": "28%",
    }
    assert "9.62021" in stay.consequence
    assert after.piece("b12").area == "D"


# -- Overstacked ------------------------------------------------------------------------------


def crowd(number: int = 4) -> list[Piece]:
    return [piece(f"b{n}", BRITISH, "6-4-8", "P12") for n in range(number)]


@pytest.mark.rule("9.606-c", "9.6056-d")
def test_overstacked_isolated_units_may_not_all_stay(tells: Tells) -> None:
    state = ground(*crowd())
    answers = ["none", "b2", "escape", "underscored"]
    after, log = run_step(state, escape, answers, [original(2 + 2)])
    (all_,) = log.prompts("9.606.1")
    assert [option.id for option in all_.options] == ["b0", "b1", "b2", "b3"]
    assert all(option.odds for option in all_.options)
    who = log.prompts("9.606.2o")[0]
    tells(who.text, "4 squad", "3")
    assert [option.id for option in who.options] == ["b0", "b1", "b2", "b3"]
    (first,) = log.prompts("9.606.2")
    assert [option.id for option in first.legal] == ["escape", "move"]
    assert "Overstacked" in refusal(first, "stay")
    assert all(after.piece(f"b{n}").area == "A" for n in (0, 1, 3))
    assert after.piece("b2").area == "B"


@pytest.mark.rule("9.606-aq", "9.606-c")
def test_an_overstacked_unit_moved_freely_makes_no_dr(tells: Tells) -> None:
    gun = piece("w1", BRITISH, "LMG", "P12")
    units = crowd()
    units[1] = piece("b1", BRITISH, "6-4-8", "P12", possesses="w1")
    state = ground(*units, gun)
    answers = ["none", "b1", "move", "P11"]
    after, lines = run_step(state, escape, answers)
    assert not lines.rolls("9.606.8")
    assert (after.piece("b1").at, after.piece("w1").at) == ("P11", "P11")
    assert {unit.area for unit in after.pieces} == {"A"}
    tells(told(lines), "DR", "made")
    where = lines.prompts("9.606.2m")[0]
    area = state.areas[BRITISH, "A"]
    assert "P12" not in [option.id for option in where.options]
    assert all(option.id.partition("/")[0] in area.hexes for option in where.options)


def test_a_place_that_would_be_too_full_is_not_offered() -> None:
    full = [piece(f"c{n}", BRITISH, "6-4-8", "P11") for n in range(3)]
    answers = ["none", "b0", "move", "P13"]
    _, log = run_step(ground(*crowd(), *full), escape, answers)
    assert "P11" not in [option.id for option in log.prompts("9.606.2m")[0].options]


# -- Equipment --------------------------------------------------------------------------------


def armed(*types: str, carrier: str = "4-6-7", status: str = "") -> list[Piece]:
    """A unit in P14 with weapons w0, w1 ...; a word ``dm`` behind a type dismantles it."""
    weapons = [
        piece(f"w{n}", GERMAN, t.removesuffix(" dm"), "P14", status="dm" if "dm" in t else "")
        for n, t in enumerate(types)
    ]
    held = " ".join(weapon.id for weapon in weapons)
    return [piece("g1", GERMAN, carrier, "P14", possesses=held, status=status), *weapons]


def first_prompt(*units: Piece, id: str = "9.606.4") -> Prompt:

    def answer(prompt: Prompt) -> Any:
        return "keep" if prompt.option("keep").refused == "" else prompt.legal[0].id

    log = Log()
    with pytest.raises(AssertionError):
        run_step(ground(*units), escape, answer, asked=log.asked)
    return log.prompts(id)[0]


@pytest.mark.rule("9.606-e", "9.606-f", "9.606-i")
@pytest.mark.parametrize(
    ("carrier", "status", "types", "limit", "legal"),
    [
        ("4-6-7", "", ["HMG"], 5, True),
        ("4-6-7", "", ["HMG", "LMG"], 5, False),
        ("4-6-7", "walking-wounded", ["50* MTR", "LMG"], 3, True),
        ("4-6-7", "walking-wounded", ["MMG"], 3, False),
        ("2-4-7", "", ["MMG", "LMG"], 5, True),
        ("8-0", "", ["LMG", "LMG"], 2, True),
        ("8-0", "", ["MMG"], 2, False),
        ("8-0", "wounded", ["LMG"], 0, False),
    ],
)
def test_portage_limits(
    carrier: str, status: str, types: list[str], limit: int, legal: bool
) -> None:
    prompt = first_prompt(*armed(*types, carrier=carrier, status=status))
    assert says(prompt, f"PP of {limit}")
    keep = prompt.option("keep")
    assert (keep.refused == "") is legal
    if not legal:
        assert f"may portage {limit} PP on Escape" in refusal(prompt, "keep")


@pytest.mark.rule("9.606-h", "9.606-i", "9.606-aj")
def test_dropped_eliminated_transferred_dismantled(tells: Tells) -> None:
    units = [*armed("HMG", "LMG", "50* MTR", "MMG"), squad("g2")]
    answers = {
        "9.606.4": [
            "dismantle:w0",
            "drop:w1",
            "eliminate:w2",
            "transfer:w3:g2",
            "keep",
            "keep",
        ]
    }
    after, lines, asked = run(*units, answers=answers, dice=[original(4), original(4)])
    assert after.piece("w0").has("dm")
    assert (after.piece("w1").area, after.piece("w1").at) == ("", "P14")
    assert not any(piece.id == "w2" for piece in after.pieces)
    tells(after.gone[0].why, "Escape")
    assert after.piece("g2").possesses == ("w3",)
    assert after.piece("g1").possesses == ("w0",)
    assert {after.piece(id).area for id in ("g1", "g2", "w0", "w3")} == {"A"}
    options = prompts(asked, "9.606.4")[0].options
    tells([option.consequence for option in options], "4 PP", "5")
    assert [drms(roll)["excess_pp"] for roll in rolls(asked)] == [1, 1]
    assert "Transfers MMG w3 to 4-6-7 g2" in told(lines)


@pytest.mark.rule("9.606-j", "9.6055-b")
def test_a_gun_that_is_not_dm_never_escapes(tells: Tells) -> None:
    gun = piece("w0", GERMAN, "50L AT", "P14", status="malfunctioned", ca="O14/O15")
    crew = piece("g1", GERMAN, "2-2-8", "P14", possesses="w0")
    prompt = first_prompt(crew, gun)
    tells(refusal(prompt, "keep"), "Escape")
    after, _, _ = run(crew, gun, answers={"9.606.4": "drop:w0"}, dice=[original(4)])
    assert after.piece("g1").area == "A"
    assert (after.piece("w0").at, after.piece("w0").area, after.piece("w0").ca) == (
        "P14",
        "",
        "O14/O15",
    )


@pytest.mark.rule("9.606-j", "9.606-e")
def test_a_dm_gun_escapes_with_who_portages_it() -> None:
    gun = piece("w0", GERMAN, "50L AT", "P14", status="malfunctioned dm")
    light = {"german": {"50L AT": {"dm": True, "dm_pp": 5}}}
    units = (squad("g1", possesses="w0"), gun)
    after, _, asked = run(*units, dice=[original(4)], catalogue_corrections=light)
    assert drms(rolls(asked)[0])["excess_pp"] == 2
    assert (after.piece("g1").possesses, after.piece("w0").area) == (("w0",), "A")


def test_who_gets_too_much_is_asked_again() -> None:
    units = [*armed("HMG"), piece("g2", GERMAN, "8-0", "P14")]
    answers = {"9.606.4": ["transfer:w0:g2", "transfer:w0:g1", "keep"]}
    after, _, asked = run(*units, answers=answers, dice=[original(4), original(4)])
    assert [each.text.split()[1] for each in prompts(asked, "9.606.4")] == ["g1", "g2", "g1"]
    assert after.piece("g1").possesses == ("w0",)


# -- Deploy and stacks ------------------------------------------------------------------------


@pytest.mark.rule("9.606-g")
def test_squads_with_a_leader_may_deploy() -> None:
    leader = piece("g2", GERMAN, "8-0", "P14")
    after, _, asked = run(
        squad(status="encircled", rg="I4-1"),
        leader,
        answers={"9.606.3": ["g1"]},
        dice=[original(4)] * 3,
    )
    halves = [unit for unit in after.pieces if unit.type == "2-4-7"]
    assert len(halves) == 2
    assert {unit.rg for unit in halves} == {"I4-1"}
    assert after.received_count[GERMAN] == 3
    assert [drms(roll).get("encircled") for roll in rolls(asked)] == [2, 2, None]
    assert prompts(asked, "9.606.3")[0].kind == "choose-some"


@pytest.mark.rule("9.606-g", "9.606-b")
def test_a_new_hs_of_an_isolated_squad_may_remain(tells: Tells) -> None:
    units = [piece("b1", BRITISH, "6-4-8", "P12"), piece("b2", BRITISH, "8-0", "P12")]
    answers = {"9.606.2": "escape", "9.606.3": ["b1"], "9.606.3a": ["b-338-1"]}
    given = iter([original(4)] * 2)

    def answer(prompt: Prompt) -> Any:
        return answers.get(prompt.id, prompt.default or "go")

    after, lines = run_step(ground(*units), escape, answer, given)
    assert {unit.id: unit.area for unit in after.pieces} == {"b1": "B", "b2": "B", "b-338-1": "A"}
    tells(told(lines), "3-3-8", "F-1", "P12", "Isolated")
    (prompt,) = lines.prompts("9.606.3a")
    assert [option.id for option in prompt.options] == ["b-338-1"]
    # Three squads stay there already.
    full = [piece(f"c{n}", BRITISH, "6-4-8", "P12") for n in range(3)]
    answers["9.606.3a"] = "none"

    def crowded(prompt: Prompt) -> Any:
        if prompt.id == "9.606.1":
            return [each.id for each in prompt.options if each.id.startswith("b")]
        if prompt.id == "9.606.2o":
            return next(each.id for each in prompt.legal if each.id.startswith("b"))
        stays = prompt.id == "9.606.2" and prompt.text.startswith("6-4-8 c")
        return "stay" if stays else answer(prompt)

    _, lines = run_step(ground(*units, *full), escape, crowded, [original(4)] * 3)
    (prompt,) = lines.prompts("9.606.3a")
    tells(refusal(prompt, ["b-338-1"]), "P12", "Overstacked", "3½", "3")


@pytest.mark.rule("9.606-g")
def test_without_a_leader_nobody_deploys() -> None:
    _, _, asked = run(squad(), piece("g2", GERMAN, "1-4-9", "P14"), dice=[original(4)] * 2)
    assert not prompts(asked, "9.606.3")


@pytest.mark.rule("9.606-d")
def test_each_stack_makes_its_own_dr() -> None:
    units = [squad("g1"), squad("g2"), piece("g3", GERMAN, "9-1", "P14")]
    answers = {"9.606.5": ["g3", "go"]}
    after, _, asked = run(*units, answers=answers, dice=[original(6), original(4)])
    first, second = rolls(asked)
    assert drms(first) == {"enemy_area": 1, "hs_equivalents": 1, "leadership": -1}
    assert drms(second) == {"enemy_area": 1, "hs_equivalents": 1}
    assert "4-6-7 g1 with 9-1 g3" in first.text
    assert {unit.area for unit in after.pieces} == {"A"}


@pytest.mark.finding("G-19")
@pytest.mark.rule("9.606-d")
def test_all_stacks_and_destinations_of_a_location_come_before_its_first_dr() -> None:
    units = [squad("g1", "F8"), squad("g2", "F8"), piece("v1", GERMAN, "Kfz 1", "F8")]
    state = campaign_at("9.606", *units, german=["F4", "F12"], british=["F8"])

    def answer(prompt: Prompt) -> Any:
        return prompt.default if prompt.default is not None else prompt.legal[0].id

    _, log = run_step(state, escape, answer, [original(4)] * 3)
    ids = [each.id for each in log.asked if not each.id.startswith("catalogue")]
    assert ids[-3:] == ["9.606.8"] * 3
    assert "9.606.8" not in ids[:-3]
    assert [ids.count(id) for id in ("9.606.5", "9.606.6")] == [1, 3]


@pytest.mark.finding("G-19")
@pytest.mark.rule("9.606-b")
def test_all_isolated_units_say_whether_they_go_before_the_first_dr() -> None:
    must = squad("g1", "P14")
    isolated = [piece("b1", BRITISH, "6-4-8", "X18"), squad("g2", "AA23")]

    def answer(prompt: Prompt) -> Any:
        return "escape" if prompt.id == "9.606.2" else prompt.default

    _, log = run_step(ground(must, *isolated), escape, answer, [original(4)] * 3)
    order = [each.id for each in log.asked if each.id in ("9.606.2", "9.606.8")]
    assert order == ["9.606.2"] * 2 + ["9.606.8"] * 3
    assert [roll.where for roll in log.rolls("9.606.8")] == ["P14", "X18", "AA23"]


@pytest.mark.rule("9.606-d")
def test_each_way_to_stack_shows_its_drm_and_odds(tells: Tells) -> None:
    units = [squad("g1"), piece("g2", GERMAN, "9-2", "P14")]
    _, _, asked = run(*units, dice=[original(4)] * 2)
    (prompt,) = prompts(asked, "9.606.5")
    alone, both = prompt.options
    tells(alone.consequence, "+1", "+2", "enemy")
    tells(both.consequence, "-2", "9-2", "g2", "+1", "+0")
    assert (alone.odds["Escapes"].words, both.odds["Escapes"].words) == ("42%", "72%")
    tells(prompt.text, "4-6-7", "g1", "P14", "Escape")


@pytest.mark.rule("9.6061-b")
def test_the_owner_chooses_among_areas_that_are_equally_near() -> None:
    lone = squad("g1", "F8")
    fields = {"german": ["F4", "F12"], "british": ["F8"]}
    after, _, asked = run(lone, answers={"9.606.6": "B"}, dice=[original(4)], **fields)
    (prompt,) = prompts(asked, "9.606.6")
    assert [option.id for option in prompt.options] == ["A", "B"]
    assert all("= +2" in option.consequence for option in prompt.options)
    assert all(option.odds["Escapes"].words == "42%" for option in prompt.options)
    assert "not a choice" in refusal(prompt, "C")
    assert after.piece("g1").area == "B"


@pytest.mark.rule("9.6061-a", "9.2-q")
def test_off_map_at_an_entry_area_with_what_it_carries(tells: Tells) -> None:
    lone = squad("g1", "B8", possesses="w1")
    gun = piece("w1", GERMAN, "LMG", "B8")
    after, lines, _ = run(lone, gun, british=["B8"], german=["V12"], dice=[original(4)])
    for id in ("g1", "w1"):
        assert (after.piece(id).at, after.piece(id).area) == ("off-map A7", "A7")
    tells(told(lines), "Entry Area A7", "Retained")


# -- Results, Infantry ------------------------------------------------------------------------


@pytest.mark.rule("9.606-k", "9.606-l", "9.606-m", "9.606-n", "9.606-o")
@pytest.mark.parametrize(
    ("dr", "type"),
    [(3, "4-6-7"), (6, "4-6-7"), (7, "4-4-7"), (8, "2-4-7"), (9, "2-3-7"), (10, ""), (12, "")],
)
def test_results_for_a_lone_squad(dr: int, type: str) -> None:
    after, _, asked = run(squad(), dice=[original(dr)])
    assert total(rolls(asked)[0]) == 2
    if not type:
        assert [each.how for each in after.gone] == ["eliminated"]
        return
    assert (after.piece("g1").type, after.piece("g1").area) == (type, "A")


@pytest.mark.rule("9.606-w")
@pytest.mark.parametrize("type", ["2-2-8", "1-2-7", "4-3-6", "2-3-6", "6+1"])
def test_a_crew_or_who_would_be_disrupted_is_eliminated_instead(tells: Tells, type: str) -> None:
    final_9 = 9 - {"4-3-6": 2, "6+1": 0}.get(type, 1)
    after, lines, _ = run(piece("g1", GERMAN, type, "P14"), dice=[original(final_9)])
    assert not after.pieces
    tells(told(lines), "Eliminated", "Replaced")


@pytest.mark.rule("9.606-w")
def test_an_hs_replaced_is_not_reduced_away_and_a_leader_gets_worse() -> None:
    after, _, _ = run(piece("g1", GERMAN, "2-4-7", "P14"), dice=[original(8)])
    assert after.piece("g1").type == "2-3-7"
    after, _, _ = run(piece("g1", GERMAN, "9-1", "P14"), dice=[original(9)])
    assert after.piece("g1").type == "8-1"


BRITONS = [piece("b1", BRITISH, "6-4-8", "V12"), piece("b2", BRITISH, "6-4-8", "U12")]
"""Two squads in a German Setup Area, in Locations of their own.

+1, +1 as squads, and +2 because the nearest British Setup Area is Isolated.
"""


@pytest.mark.finding("F-01")
@pytest.mark.rule("9.606-w")
def test_what_a_counter_shows_is_asked_once_and_kept() -> None:
    answers = {"catalogue.underscored": "4-5-7"}
    after, _, asked = run(*BRITONS, answers=answers, dice=[original(5), original(5)])
    assert [unit.type for unit in after.pieces] == ["4-5-7", "4-5-7"]
    (prompt,) = prompts(asked, "catalogue.underscored")
    assert prompt.default == "underscored"
    assert [option.id for option in prompt.options] == ["underscored", "4-5-7", "4-4-7", "4-3-6"]
    assert after.catalogue_corrections["british"]["6-4-8"] == {
        "underscored": False,
        "replaced_by": "4-5-7",
    }


@pytest.mark.finding("G-17", "F-01")
@pytest.mark.rule("9.606-w")
@pytest.mark.parametrize(("dr", "left"), [(5, ["3-3-8", "3-3-8"]), (7, ["3-3-8"])])
def test_house_rule_p28_an_underscored_squad_becomes_two_hs(dr: int, left: list[str]) -> None:
    """Final 9 Replaces it; Final 11 Replaces it, then Casualty Reduces one of the HS."""
    after, _, asked = run(BRITONS[0], dice=[original(dr)])
    assert [unit.type for unit in after.pieces] == left
    assert len({unit.area for unit in after.pieces}) == 1
    assert all(unit.area for unit in after.pieces)
    (prompt,) = prompts(asked, "catalogue.underscored")
    assert "3-3-8" in prompt.option("underscored").consequence


@pytest.mark.finding("G-17")
def test_the_hs_that_survives_keeps_what_the_squad_possessed() -> None:
    gun = piece("w1", BRITISH, "LMG", "V12")
    unit = piece("b1", BRITISH, "6-4-8", "V12", possesses="w1")
    after, _, asked = run(unit, gun, dice=[original(7)])
    assert [(each.type, each.possesses) for each in after.pieces if each.is_personnel] == [
        ("3-3-8", ("w1",))
    ]
    assert after.piece("w1").area == after.piece("b1").area
    assert not rolls(asked, "9.606.12")


@pytest.mark.finding("G-17")
@pytest.mark.rule("9.606-w")
def test_an_underscored_hs_or_crew_is_eliminated(tells: Tells) -> None:
    for type in ("3-3-8", "2-2-8"):
        unit = piece("b1", BRITISH, type, "V12")
        after, lines, _ = run(unit, dice=[original(6)])
        assert [each.how for each in after.gone] == ["eliminated"]
        tells(told(lines), type, "Eliminated", "Replaced")


@pytest.mark.finding("G-17")
def test_no_result_is_worse_for_an_underscored_squad_than_the_next_one() -> None:
    """The HS that are left get fewer with the Final DR from 8 to 12."""
    left = []
    for final in range(8, 13):
        after, _, _ = run(BRITONS[0], dice=[original(final - 4)])
        left.append(sum(2 if unit.kind == "squad" else 1 for unit in after.pieces))
    assert left == sorted(left, reverse=True) == [2, 2, 1, 1, 0]


@pytest.mark.finding("G-17", "F-01")
def test_a_unit_with_underscored_morale_is_not_replaced_by_a_lesser_type(tells: Tells) -> None:
    house = {"P-28": "eliminated"}
    after, lines, asked = run(*BRITONS, house=house, dice=[original(5), original(5)])
    assert not after.pieces
    assert [each.how for each in after.gone] == ["eliminated", "eliminated"]
    assert len(prompts(asked, "catalogue.underscored")) == 1
    tells(told(lines), "underscored")


@pytest.mark.finding("G-15")
@pytest.mark.parametrize(
    ("side", "type", "default"),
    [
        (BRITISH, "6-4-8", "underscored"),
        (BRITISH, "3-3-8", "underscored"),
        (GERMAN, "8-3-8", "underscored"),
        (GERMAN, "3-3-8", "underscored"),
        (GERMAN, "5-4-8", "4-4-7"),
        (BRITISH, "4-5-8", "underscored"),
        (BRITISH, "2-4-8", "underscored"),
        (BRITISH, "4-5-7", "4-4-7"),
    ],
)
def test_what_is_likely_of_each_counter(side: Side, type: str, default: str) -> None:
    place = "V12" if side is BRITISH else "P14"
    drm = 1 if type in ("3-3-8", "2-4-8") else 2  # in an enemy Setup Area, a squad
    drm += 2 if side is BRITISH else 0  # to an Isolated one
    _, _, asked = run(piece("x1", side, type, place), dice=[original(9 - drm)])
    assert prompts(asked, "catalogue.underscored")[0].default == default


def test_a_hero_is_not_replaced(tells: Tells) -> None:
    after, lines, _ = run(piece("g1", GERMAN, "1-4-9", "P14"), dice=[original(9)])
    assert after.piece("g1").area == "A"
    tells(told(lines), "Hero", "Replaced")


@pytest.mark.rule("9.606-m")
@pytest.mark.parametrize(("severity", "left"), [("wounded", True), ("eliminated", False)])
def test_an_smc_that_is_casualty_reduced(severity: str, left: bool) -> None:
    leader = piece("g1", GERMAN, "9-1", "P14")
    after, _, asked = run(leader, answers={"9.606.9": severity}, dice=[original(10)])
    assert prompts(asked, "9.606.9")[0].rule == "A17.11"
    assert bool(after.pieces) is left
    if left:
        assert after.piece("g1").status == ("wounded",)


@pytest.mark.rule("9.606-x")
def test_random_selection_in_a_stack(tells: Tells) -> None:
    units = [squad("g1"), piece("g2", GERMAN, "2-4-7", "P14"), piece("g3", GERMAN, "8-0", "P14")]
    answers = {"9.606.5": ["g2", "g3"]}
    # +1 enemy area, +2 HS-equivalents: an Original 7 is a Final 10.
    dice = [original(7), 3, 5, 2]
    after, lines, asked = run(*units, answers=answers, dice=dice)
    assert [roll.spec.name for roll in rolls(asked, "9.606.9r")] == ["dr"] * 3
    assert [piece.id for piece in after.pieces] == ["g1", "g3"]
    tells(told(lines), "Selection", "2-4-7", "g2")


@pytest.mark.rule("9.606-x")
def test_house_rule_p12_a_tie_hits_all_or_is_rolled_again() -> None:
    units = [squad("g1"), squad("g2")]
    answers = {"9.606.5": ["g2"]}
    # +1 enemy area, +3 HS-equivalents: an Original 5 is a Final 9.
    after, _, _ = run(*units, answers=answers, dice=[original(5), 4, 4])
    assert [unit.type for unit in after.pieces] == ["4-4-7", "4-4-7"]
    after, _, _ = run(
        *units, answers=answers, dice=[original(5), 4, 4, 1, 6], house={"P-12": "again"}
    )
    assert [unit.type for unit in after.pieces] == ["4-6-7", "4-4-7"]


@pytest.mark.rule("9.606-u", "9.606-v")
@pytest.mark.parametrize(
    ("result", "types"),
    [
        ("ineligible", ["4-6-7"]),
        ("hero", ["4-6-7", "1-4-9"]),
        ("hardened", ["4-6-8"]),
        ("both", ["4-6-8", "1-4-9"]),
        ("other", []),
    ],
)
def test_heat_of_battle_after_an_original_2(result: str, types: list[str]) -> None:
    after, _, asked = run(squad(), answers={"9.606.10": result}, dice=[original(2)])
    assert prompts(asked, "9.606.10")[0].rule == "9.606 note 1"
    assert [unit.type for unit in after.pieces] == types
    assert all(unit.area == "A" for unit in after.pieces)


@pytest.mark.rule("9.606-u", "9.606-v")
def test_heat_of_battle_whatever_the_final_and_by_random_selection() -> None:
    units = [squad(f"g{n}", status="encircled") for n in range(3)]
    answers = {"9.606.5": ["g1", "g2"], "9.606.10": "other"}
    after, _, asked = run(*units, answers=answers, dice=[original(2), 1, 2, 6])
    assert total(rolls(asked)[0]) == 8
    assert [unit.id for unit in after.pieces] == ["g0", "g1"]
    assert {unit.area for unit in after.pieces} == {"A"}


@pytest.mark.rule("9.606-u")
def test_a_leader_becomes_heroic() -> None:
    leader = piece("g1", GERMAN, "9-1", "P14")
    after, _, _ = run(leader, answers={"9.606.10": "hero"}, dice=[original(2)])
    assert [(unit.type, unit.status) for unit in after.pieces] == [("9-1", ("heroic",))]


# -- Equipment of the Eliminated --------------------------------------------------------------


@pytest.mark.rule("9.6061-d")
@pytest.mark.parametrize("dr", [1, 3, 4, 6])
def test_equipment_of_who_is_eliminated_otherwise(dr: int) -> None:
    crew, gun = armed("LMG", carrier="2-2-8")
    after, _, asked = run(crew, gun, dice=[original(8), dr])
    assert len(rolls(asked, "9.606.12")) == 1
    if dr >= 4:
        assert not after.pieces
        assert [each.piece.id for each in after.gone] == ["g1", "w0"]
    else:
        (left,) = after.pieces
        assert (left.id, left.at, left.area) == ("w0", "P14", "")


@pytest.mark.rule("9.6061-e", "9.606-o")
def test_equipment_goes_with_a_final_12() -> None:
    after, _, asked = run(*armed("LMG"), dice=[original(10)])
    assert not after.pieces
    assert not rolls(asked, "9.606.12")


def test_house_rule_b07_the_dr_is_made_there_too() -> None:
    after, _, asked = run(*armed("LMG"), dice=[original(10), 2], house={"B-07": "dr"})
    assert [unit.id for unit in after.pieces] == ["w0"]
    assert len(rolls(asked, "9.606.12")) == 1


@pytest.mark.rule("9.6061-d", "9.606-a")
def test_no_path_at_all_is_elimination_with_the_equipment_dr(tells: Tells) -> None:
    units = armed("LMG")
    fields = {"german": (), "house": {"B-05": "paid-only"}}
    after, lines, _ = run(*units, dice=[3], **fields)
    assert [unit.id for unit in after.pieces] == ["w0"]
    tells(told(lines), "Escape")


@pytest.mark.rule("9.606-a", "9.2-j")
def test_a_vehicle_without_a_path_is_eliminated_with_its_crew_and_lets_its_gun_go(
    tells: Tells,
) -> None:
    leader = piece("g9", GERMAN, "9-1 Armor Leader", "Q13", aboard="v1")
    gun = piece("w1", GERMAN, "50L AT", "Q13", status="hooked")
    fields = {"german": (), "house": {"B-05": "paid-only"}}
    after, lines, _ = run(tank(tows="w1"), leader, gun, **fields)
    assert [(unit.id, unit.status) for unit in after.pieces] == [("w1", ())]
    assert {each.piece.id for each in after.gone} == {"v1", "g9"}
    tells(told(lines), "Escape")


@pytest.mark.rule("9.606-a")
def test_prisoners_are_not_claimed_by_who_has_left_already() -> None:
    units = [squad("g1"), squad("g2")]
    ward = piece("b1", BRITISH, "6-4-8", "P14", status="prisoner", guarded_by="g2")
    after, _, _ = run(*units, ward, dice=[original(3), original(12)])
    assert not after.piece("b1").is_prisoner


@pytest.mark.rule("9.606-a")
def test_prisoners_of_an_eliminated_guard_are_free() -> None:
    guard = squad("g1")
    ward = piece("b1", BRITISH, "6-4-8", "P14", status="prisoner", guarded_by="g1")
    after, lines, _ = run(guard, ward, dice=[original(12)])
    free = after.piece("b1")
    assert not free.is_prisoner
    assert (free.area, free.type) == ("A", "4-3-6")
    assert "Rearmed" in told(lines)


@pytest.mark.finding("F-15")
@pytest.mark.rule("9.606-a", "9.6053-b")
@pytest.mark.parametrize("held", [False, True])
def test_a_prisoner_rearmed_in_uncontrolled_territory_is_retained_from_there(held: bool) -> None:
    """A Guard without a path is Eliminated in S16; his prisoner has a path and needs no DR."""
    ward = piece("b1", BRITISH, "6-4-8", "S16", status="prisoner", guarded_by="g1")
    other = [squad("g2", at="S16", rg="I5-1")] if held else []
    house = {"B-05": "paid-only"}
    after, _, asked = run(squad("g1", at="S16"), ward, *other, german=(), house=house)
    assert not rolls(asked)
    assert not after.piece("b1").is_prisoner
    assert (after.piece("b1").area, after.piece("b1").type) == ("A", "4-3-6")


# -- Overstacked ------------------------------------------------------------------------------


@pytest.mark.finding("F-09")
@pytest.mark.rule("9.606-c")
@pytest.mark.parametrize(("many", "leave"), [(3, 0), (4, 1)])
def test_who_escapes_into_a_full_isolated_area_makes_others_leave(many: int, leave: int) -> None:
    """F-09: D14, alone amid German buildings, holds three squads; the fourth must go on."""
    inside = [piece(f"b{n}", BRITISH, "6-4-8", "D14", area="A") for n in range(many - 1)]
    inside.insert(0, piece("a-piat", BRITISH, "PIAT", "D14", area="A"))
    comes = piece("b9", BRITISH, "6-4-8", "D13")
    ring = ["C14", "D13", "D15", "E14", "E15", "C15"]
    house = {"C-05": "joins-only"}
    state = campaign_at(
        "9.606", *inside, comes, british=["D14"], german=[*ring, "Y19", "Y20"], house_rules=house
    )
    (area,) = state.areas.areas[BRITISH]
    assert (area.isolated, area.hexes.names) == (True, ["D14"])

    def answer(prompt: Prompt) -> Any:
        if prompt.id == "9.606.2":
            return "stay"
        return prompt.default if prompt.default is not None else prompt.legal[0].id

    dice = [original(3), *[original(3)] * leave]
    after, log = run_step(state, escape, answer, dice)
    assert len(log.rolls("9.606.8")) == 1 + leave
    left = [unit for unit in after.pieces if unit.area == "A" and unit.is_personnel]
    assert len(left) == 3
    leaves = log.prompts("9.606.2c")
    assert [each.id for each in leaves] == ["9.606.2c"] * leave
    assert all("a-piat" not in [option.id for option in each.options] for each in leaves)


@pytest.mark.rule("9.606-c")
def test_a_full_isolated_area_that_is_all_ablaze_is_left_if_anybody_can(tells: Tells) -> None:
    inside = [piece(f"b{n}", BRITISH, "6-4-8", "D14", area="A") for n in range(4)]
    ring = ["C14", "D13", "D15", "E14", "E15", "C15"]
    state = campaign_at(
        "9.606",
        *inside,
        british=["D14"],
        german=[*ring, "Y19", "Y20"],
        terrain=[Terrain(kind=TerrainKind.BLAZE, at="D14")],
        house_rules={"B-04": "when-in-use"},  # so that there is nowhere to go
    )
    (area,) = state.areas.areas[BRITISH]
    assert (area.isolated, area.hexes.names) == (True, ["D14"])
    after, lines = run_step(state, escape)
    assert [unit.area for unit in after.pieces] == ["A"] * 4
    tells(told(lines), "Overstacked", "Setup Area A", "nobody")


@pytest.mark.rule("9.606-a", "9.606-c", "9.6041-h")
def test_a_prisoner_rearmed_as_his_guard_leaves_a_full_area_attempts_escape() -> None:
    """D14 again: the Guard who must go on is lost there, amid the enemy for his prisoner."""
    inside = [piece(f"b{n}", BRITISH, "6-4-8", "D13", area="A") for n in range(3)]
    ward = piece("g1", GERMAN, "4-6-7", "D13", status="prisoner", guarded_by="b0")
    comes = piece("b9", BRITISH, "6-4-8", "D13")
    ring = ["C14", "D13", "D15", "E14", "E15", "C15"]
    state = campaign_at(
        "9.606",
        *inside,
        ward,
        comes,
        british=["D14"],
        german=[*ring, "Y19", "Y20"],
        house_rules={"C-05": "joins-only"},
    )

    def answer(prompt: Prompt) -> Any:
        return "b0" if prompt.id == "9.606.2c" else prompt.default or prompt.legal[0].id

    dice = [original(3), original(12), original(5)]
    after, log = run_step(state, escape, answer, dice)
    assert [roll.about for roll in log.rolls("9.606.8")] == ["b9", "b0", "g1"]
    freed = after.piece("g1")
    assert not freed.is_prisoner
    assert (freed.type, freed.area) == ("4-3-6", "A")


# -- Results, vehicles ------------------------------------------------------------------------


def tank(type: str = "PzKpfw IVH", **fields: Any) -> Piece:
    return piece("v1", GERMAN, type, "Q13", vca="Q12/R12", **fields)


@pytest.mark.rule("9.606-p", "9.6061-a")
def test_a_vehicle_that_escapes() -> None:
    after, _, asked = run(tank(), dice=[original(8)])
    assert drms(rolls(asked)[0]) == {"ct_afv": -1, "enemy_area": 1}
    assert after.piece("v1").area == "A"


@pytest.mark.rule("9.606-q", "9.606-y", "9.606-z")
def test_a_9_abandons_it_and_the_crew_escapes() -> None:
    leader = piece("g9", GERMAN, "9-1 Armor Leader", "Q13", aboard="v1")
    after, _, asked = run(tank(), leader, dice=[original(10)])
    vehicle = after.piece("v1")
    assert vehicle.has("abandoned")
    assert (vehicle.at, vehicle.vca, vehicle.area) == ("Q13", "Q12/R12", "")
    (crew,) = [unit for unit in after.pieces if unit.kind == "crew"]
    assert (crew.type, crew.area) == ("1-2-7", "A")
    assert after.piece("g9").area == "A"
    asked = [each for each in asked if not each.id.startswith("catalogue")]
    assert [each.id for each in asked] == ["9.606.8", "9.606.11", "9.606.11a"]


@pytest.mark.rule("9.606-y", "9.606-z")
def test_the_surviving_crew_scrounges_and_wrecks_it(tells: Tells) -> None:
    answers = {"9.606.11": "succeeded", "9.606.11a": "burnt-out"}
    after, _, asked = run(tank("38H 735(f)"), answers=answers, dice=[original(9)])
    (crew,) = [unit for unit in after.pieces if unit.kind == "crew"]
    (found,) = [after.piece(id) for id in crew.possesses]
    assert (found.type, found.area) == ("LMG(f)", "A")
    wreck = after.terrain[-1]
    assert (wreck.kind, wreck.at, wreck.type) == (
        TerrainKind.BURNT_OUT_WRECK,
        "Q13",
        "38H 735(f)",
    )
    only = prompts(asked, "9.606.11a")[0]
    tells(refusal(only, "wreck"), "Scrounged", "Wreck", "Burnt-Out")


@pytest.mark.rule("9.606-z")
def test_a_scrounge_that_fails_or_leaves_the_vehicle() -> None:
    after, _, _ = run(tank(), answers={"9.606.11": "failed"}, dice=[original(9)])
    assert not is_scrounged(after.piece("v1"))
    after, _, _ = run(tank(), answers={"9.606.11": "succeeded"}, dice=[original(9)])
    vehicle = after.piece("v1")
    assert is_scrounged(vehicle)
    assert vehicle.has("bmg-disabled")


@pytest.mark.rule("9.606-r", "9.606-aa", "9.2-j")
def test_a_10_eliminates_it_and_the_crew_may_scrounge_first() -> None:
    answers = {"9.606.11": "succeeded"}
    after, _, asked = run(tank(), answers=answers, dice=[original(10)])
    assert not any(unit.id == "v1" for unit in after.pieces)
    assert not prompts(asked, "9.606.11a")
    assert not any(each.at == "Q13" for each in after.terrain)
    (crew,) = [unit for unit in after.pieces if unit.kind == "crew"]
    assert [after.piece(id).type for id in crew.possesses] == ["LMG"]


@pytest.mark.rule("9.606-s")
def test_an_11_abandons_it_and_the_crew_is_eliminated(tells: Tells) -> None:
    leader = piece("g9", GERMAN, "9-1 Armor Leader", "Q13", aboard="v1")
    after, lines, asked = run(tank(), leader, dice=[original(12)])
    assert [unit.id for unit in after.pieces] == ["v1"]
    assert after.piece("v1").has("abandoned")
    tells(told(lines), "IVH", "v1", "Eliminated")
    assert [each.id for each in asked] == ["9.606.8"]


@pytest.mark.rule("9.606-t")
def test_a_12_eliminates_both() -> None:
    after, _, _ = run(tank("Marder"), dice=[original(12)])
    assert not after.pieces


@pytest.mark.rule("9.606-j")
def test_a_towed_gun_is_left() -> None:
    gun = piece("w1", GERMAN, "50L AT", "Q13", status="hooked")
    after, _, _ = run(tank(tows="w1"), gun, dice=[original(5)])
    assert (after.piece("w1").at, after.piece("w1").area) == ("Q13", "")
    assert not after.piece("w1").has("hooked")
    assert after.piece("v1").tows == ()


@pytest.mark.rule("9.606-p", "9.6061-a")
def test_who_mans_a_vehicle_from_aboard_takes_its_sw_along() -> None:
    captured = piece("v1", BRITISH, "Marder", "V12", status="captured")
    crew = piece("b1", BRITISH, "3-3-8", "V12", aboard="v1", possesses="w1")
    after, _, asked = run(captured, crew, piece("w1", BRITISH, "LMG", "V12"), dice=[original(4)])
    assert drms(rolls(asked)[0])["captured_vehicle"] == 1
    assert len({after.piece(id).area for id in ("v1", "b1", "w1")}) == 1
    assert after.piece("w1").area


@pytest.mark.rule("9.606-a")
@pytest.mark.parametrize(
    ("at", "own", "dr", "area"),
    [("P14", "", 3, "A"), ("P14", "", 12, ""), ("Z20", "B", 3, "A"), ("Z20", "B", 12, "")],
)
def test_an_armor_leader_on_foot_shares_the_lot_of_his_crew(
    at: str, own: str, dr: int, area: str
) -> None:
    crew = piece("g1", GERMAN, "1-2-7", at, area=own)
    leader = piece("g9", GERMAN, "9-1 Armor Leader", at, area=own)
    answers = {"9.606.2": "escape"}
    after, lines, _ = run(crew, leader, answers=answers, dice=[original(dr)])
    assert [unit.area for unit in after.pieces] == ([area, area] if area else [])
    assert says(told(lines), "lost", "crew") is (not area)


# -- Afterwards -------------------------------------------------------------------------------


@pytest.mark.rule("9.6062-a")
def test_encircled_markers_come_off() -> None:
    inside = squad("g1", "V12", status="encircled")
    after, lines, _ = run(inside, squad("g2", status="encircled"), dice=[original(3)])
    assert not any(unit.has("encircled") for unit in after.pieces)
    assert lines[-1].rule == "9.6062"


@pytest.mark.rule("9.6054-c", "9.606-a", "9.6131-a")
def test_what_the_enemy_vacates_by_escape_does_not_join_the_area_round_it() -> None:
    holes = [Fortification(kind=FortificationKind.FOXHOLE, at=at, size=1) for at in ("U5", "U6")]
    fields = {"german": ["V12"], "british": ["U5"], "fortifications": holes}
    lone = squad("g1", "U6")
    state = ground(lone, **fields)
    assert territory(state, lone) is Territory.UNCONTROLLED
    after, _, _ = run(lone, dice=[original(3)], **fields)
    assert after.piece("g1").area == "A"
    areas = after.areas
    assert areas.area_of(BRITISH, Location.parse("U6")) is None
    # Had it been empty when 9.605 came, it would have joined.
    empty = ground(squad("g1", "V12"), **fields).areas
    assert empty.area_of(BRITISH, Location.parse("U6")) is empty[BRITISH, "A"]


@pytest.mark.rule("9.6131-a")
def test_control_stays_where_the_last_unit_left() -> None:
    lone = piece("b1", BRITISH, "6-4-8", "X18")
    after, _, _ = run(lone, answers={"9.606.2": "escape"}, dice=[original(3)])
    assert after.piece("b1").area == "C"
    assert "X18" in after.control.british


def test_nothing_to_do_is_told_and_nothing_is_asked() -> None:
    _, lines, asked = run(squad("g1", "V12"))
    assert not asked
    assert told(lines).count("nobody") == 2


@pytest.mark.rule("9.606-a")
def test_locations_come_in_alphanumeric_order() -> None:
    units = [squad("g1", "Z23"), squad("g2", "P14"), piece("b1", BRITISH, "6-4-8", "V12")]
    _, _, asked = run(*units, dice=[original(4)] * 3)
    assert [roll.where for roll in rolls(asked)] == ["P14", "V12", "Z23"]


# -- Who is doomed, who is stacked, what adds up -------------------------------------------------


@pytest.mark.finding("G-09")
@pytest.mark.rule("9.606-o")
def test_who_is_eliminated_with_the_guard_is_not_offered_his_prisoner() -> None:
    ward = piece("p1", BRITISH, "3-3-8", "P14", status="prisoner", guarded_by="g1")
    units = [squad("g1"), squad("g2"), squad("g3"), ward]
    answers = {"9.606.5": ["g2", "go", "go"], "catalogue.underscored": "4-4-7"}
    after, lines, _ = run(*units, answers=answers, dice=[(6, 6), original(5)])
    assert "g2 claims" not in told(lines)
    assert {each.id for each in after.pieces} == {"g3", "p1"}


@pytest.mark.finding("G-09")
@pytest.mark.rule("9.606-g")
def test_a_squad_deploys_though_its_leader_stays() -> None:
    """Z20 lies in Isolated German Setup Area B: nobody there must go."""
    units = [squad("g1", at="Z20"), piece("g2", GERMAN, "8-0", "Z20")]
    answers = {"9.606.1": "none", "9.606.2": ["escape", "stay"], "9.606.3": ["g1"]}
    answers |= {"9.606.3a": "none"}
    _, _, asked = run(*units, answers=answers, dice=[original(3), original(3)])
    (prompt,) = prompts(asked, "9.606.3")
    assert [option.id for option in prompt.options] == ["g1"]


@pytest.mark.finding("G-09")
@pytest.mark.parametrize(
    ("smc", "best", "added"),
    [
        ([("8-1", "heroic")], -1, -2),
        ([("8-1", ""), ("1-4-9", "")], -1, -2),
        ([("9-2", ""), ("8-1", ""), ("1-4-9", ""), ("1-4-9", "")], -2, -3),
        ([("6+1", "")], 1, 1),
        ([("6+1", ""), ("1-4-9", "")], -1, 0),
        ([("1-4-9", ""), ("1-4-9", "")], -1, -1),
    ],
)
def test_house_rule_c55_leader_and_hero_in_a_stack(
    smc: list[tuple[str, str]], best: int, added: int
) -> None:
    units = [squad()]
    units += [
        piece(f"g{n}", GERMAN, type, "P14", status=status)
        for n, (type, status) in enumerate(smc, 2)
    ]
    for house, drm in (("best", best), ("added", added)):
        state = ground(*units, house={"C-55": house})
        assert stack_leadership(state, units[1:]) == drm


@pytest.mark.finding("G-15")
def test_what_a_counter_shows_is_asked_before_the_dr_that_replaces_it() -> None:
    _, _, asked = run(BRITONS[0], answers={"catalogue.underscored": "4-5-7"}, dice=[original(5)])
    ids = [each.id for each in asked]
    assert ids.index("catalogue.underscored") < ids.index("9.606.8")


@pytest.mark.finding("G-09")
@pytest.mark.rule("9.6061-d")
def test_units_without_a_path_claim_no_prisoner_of_each_other() -> None:
    ward = piece("b1", BRITISH, "6-4-8", "P14", status="prisoner", guarded_by="g1")
    units = [squad("g1"), squad("g2"), squad("g3"), ward]
    after, lines, _ = run(*units, german=(), house={"B-05": "paid-only"})
    assert [each.id for each in after.pieces] == ["b1"]
    assert not after.piece("b1").is_prisoner
    assert "claims" not in told(lines)
