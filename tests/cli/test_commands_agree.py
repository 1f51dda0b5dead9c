"""What sheets and commands say of one campaign agrees with the others and with the campaign.

Whole campaigns at random; each state that ended a step is told in every way there is.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest
from campaign_soak import Watched, begin, play

from asl_pbcg.campaign.position_words import TerrainKind
from asl_pbcg.campaign.scenario.fortification_control import holder
from asl_pbcg.campaign.scenario.snipers import san_in_force
from asl_pbcg.campaign.sheets.ledger import force_lines, roster_lines
from asl_pbcg.campaign.state.campaign_state import Campaign, change
from asl_pbcg.campaign.state.record_lines import UMPIRE
from asl_pbcg.campaign.terms import Side
from asl_pbcg.chronicle.reph_summary import reph_summary
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.play.campaign_game.campaign_facts import facts, ob_counts
from asl_pbcg.play.campaign_game.campaign_map import layers, one_piece
from asl_pbcg.play.campaign_game.campaign_prints import MapPrint, map_prints, setup_map
from asl_pbcg.play.campaign_game.campaign_sheets import campaign_sheets, sheet_names
from asl_pbcg.records.layout import Paper

pytestmark = pytest.mark.rule("9.13-a", "9.2-c")
SEEDS = (1, 2)
FIRES = (TerrainKind.BLAZE, TerrainKind.FLAME, TerrainKind.BURNING_WRECK)


@cache
def played(seed: int) -> Watched:
    return play(begin(seed, house_rules={}), seed, check=False)


def states(seed: int) -> list[Campaign]:
    return [kept.state for kept in played(seed).kept]


def told(state: Campaign, what: str) -> dict[str, Any]:
    """A row of the points at the head of the RePh in Short."""
    rows = reph_summary(None, state).tables["points"]
    return next((dict(row) for row in rows if row["what"] == what), {})


@pytest.mark.parametrize("seed", SEEDS)
def test_the_points_of_the_summary_are_those_in_force(seed: int) -> None:
    raised = 0
    for state in states(seed):
        if state.determined is None:
            continue
        san = told(state, "SAN")
        for side in state.sides:
            assert san[side.value] == san_in_force(state, side), (state.date, state.at)
            raised += san[side.value] != state.san[side]
    assert raised  # II13 did change it


@pytest.mark.rule("9.617-c")
@pytest.mark.parametrize("seed", SEEDS)
def test_cpp_stand_on_the_roster_once_rg_are_purchased(seed: int) -> None:
    blank = 0
    for state in states(seed):
        line = next((each for each in roster_lines(state) if each.date is state.date), None)
        if line is None or state.date.is_night:
            continue
        if line.cpp_available is None:
            blank += 1
            assert (line.cpp_spent, line.cpp_left) == (None, None)
            assert state.at in ("9.613", "9.614", "9.615", "9.616")
            assert "german" not in told(state, "CPP")
        else:
            assert line.cpp_left == state.cpp, (state.date, state.at)
            assert line.cpp_spent is not None
            assert line.cpp_available - line.cpp_spent == state.cpp
    assert blank


@pytest.mark.rule("9.2-z")
@pytest.mark.parametrize("seed", SEEDS)
def test_fortifications_of_the_roster_stand_where_they_are(seed: int) -> None:
    seen = 0
    for state in states(seed):
        if not state.played:
            continue
        for side in state.sides:
            there = Counter(each.at for each in state.fortifications if holder(state, each) is side)
            listed = [each for each in force_lines(state, side) if "fortification" in each.id]
            lines = [line for line in listed if line.notes != "uncontrolled"]
            assert Counter(each.location for each in lines) == there
            neither = Counter(each.at for each in state.fortifications if not holder(state, each))
            more = neither if side is state.sides[0] else Counter()
            assert Counter(line.location for line in listed) == there + more
            for line in lines:
                area = None
                if state.determined:
                    area = state.areas.area_of(side, _location(state, line.location))
                assert line.area == (area.id if area else "")
            older = {each.key for each in state.bought if each.date is not state.date}
            assert not older & {each.id for each in force_lines(state, side)}
            other = force_lines(state, side, side.other.value)
            hidden = {
                each.at
                for each in state.fortifications
                if each.owner is side and each.hidden and not state.has_counter(each)
            }
            if state.at == "scenario":
                drawn = layers(state, UMPIRE)["fortifications"]
                assert Counter(each["at"] for each in drawn if each.get("owner") == side) == there
            shown = {each.at for each in state.fortifications if not each.hidden}
            known = {each.location for each in other if "fortification" in each.id}
            assert not known & (hidden - shown)
            seen += len(lines)
    assert seen


def _location(state: Campaign, at: str) -> Any:
    return next(each.location for each in state.fortifications if each.at == at)


@pytest.mark.rule("9.62021-a")
@pytest.mark.parametrize("seed", SEEDS)
def test_no_setup_sheet_for_a_scenario_that_is_over(seed: int) -> None:
    without = 0
    for state in states(seed):
        names = {each.name for each in sheet_names(state, UMPIRE)}
        over = bool(state.ended) or state.at in [f"9.6{number:02}" for number in range(1, 13)]
        assert ("british-setup" in names) is not over, (state.date, state.at)
        without += over
        if over and without % 7 == 1:
            with pytest.raises(PBCGError):
                campaign_sheets(state, "british", ["british-setup"])
            with pytest.raises(PBCGError):
                setup_map(state, Side.BRITISH, Paper.A4)
    assert without


@pytest.mark.rule("9.6091-a", "9.6094-a")
@pytest.mark.parametrize("seed", (3, 5))
def test_the_map_shows_no_fire_that_is_out(seed: int) -> None:
    burnt = 0
    for state in states(seed):
        if state.at != "9.612" or state.determined is None:
            continue
        shown = layers(state, UMPIRE)
        kinds = {each["kind"] for each in shown["terrain"]}
        assert not kinds & set(FIRES), (state.date, state.at)
        if burnt or not any(each.kind is FIRES[0] for each in state.determined.terrain):
            continue
        burnt += 1
        (page,) = map_prints(state, UMPIRE, MapPrint(counters=False))
        assert ">BZ<" not in page.to_svg()
    assert burnt


@pytest.mark.parametrize("seed", SEEDS)
def test_the_roster_has_the_san_in_force_also_once_it_is_corrected(seed: int) -> None:
    before = [state for state in states(seed) if state.at in ("9.613", "9.617", "scenario")]
    assert before
    for state in before:
        higher = change(state, san=dict.fromkeys(state.sides, 5))
        for each in (state, higher):
            line = next(line for line in roster_lines(each) if line.date is each.date)
            assert line.british_san == san_in_force(each, Side.BRITISH)
            assert line.german_san == san_in_force(each, Side.GERMAN)


@pytest.mark.parametrize("seed", SEEDS)
def test_status_counts_what_the_force_roster_lists(seed: int) -> None:
    bought = 0
    for state in states(seed):
        for side in state.sides:
            lines = [
                line
                for line in force_lines(state, side)
                if line.type != '"?"' and line.notes != "uncontrolled"  # no part of an OB
            ]
            found = ob_counts(state, side)
            assert sum(found.values()) == len(lines), (state.date, state.at)
            bought += sum("-fpp-" in each.id for each in lines)
    assert bought  # and not yet set up
    session = played(seed)
    known = facts(session, UMPIRE)["ob"]
    assert known == {side.value: ob_counts(session.state, side) for side in session.state.sides}


@pytest.mark.rule("9.2-i")
@pytest.mark.parametrize("seed", SEEDS)
def test_its_own_side_can_ask_what_became_of_a_piece_that_is_gone(seed: int) -> None:
    state = states(seed)[-1]
    for each in state.gone[::10]:
        side = each.piece.side
        for sees in (UMPIRE, side.value):
            found = one_piece(state, sees, each.piece.id)
            assert found and each.date.title in found["gone"] and not found["area"]
        assert one_piece(state, side.other.value, each.piece.id) is None
