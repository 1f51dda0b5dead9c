"""What if before Escape and Shift: every destination and grouping, as the step itself rolls."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from escape_help import ground
from play_help import Sitting, scripted
from refit_helpers import BRITISH, GERMAN, piece
from shift_help import campaign, unit

from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Prompt, Roll, Script
from asl_pbcg.kernel.session import Session, Step
from asl_pbcg.play.asked import chances
from asl_pbcg.play.campaign_game.campaign_moves import Moves, is_move, moves
from asl_pbcg.play.campaign_game.campaign_plug import CampaignPlug
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.refusals import Moved
from asl_pbcg.play.seat import Seat
from asl_pbcg.refit.helpers.unit_paths import escape_ways
from asl_pbcg.refit.s606_attempt import escape_table, sheet
from asl_pbcg.refit.s606_escape import escape
from asl_pbcg.refit.s613_shift import shift
from asl_pbcg.refit.sequence import CampaignGame, in_its_step
from asl_pbcg.refit.setup.stacking import locations_of


class OneStep(CampaignGame):
    """A campaign in which one step is to be done."""

    def __init__(
        self, state: Campaign, script: Callable[[Campaign], Script[Campaign]], rule: str
    ) -> None:
        super().__init__()
        self._state, self._script, self._rule = state, script, rule
        self._left = True

    def begin(self, settings: Any) -> Campaign:
        return self._state

    def next_step(self, state: Campaign) -> Step[Campaign] | None:
        if state.ended == "done":
            return None
        return Step(f"dawn/{self._rule}", "A step", self._run, self._rule)

    def _run(self, state: Campaign) -> Script[Campaign]:
        return in_its_step(state, self._script(state))


def seat_at(
    state: Campaign, script: Callable[[Campaign], Script[Campaign]], rule: str, viewer: str
) -> Seat:
    journal = Journal.in_memory({"settings": {}, "dice": "manual", "seed": 7})
    session = Session(OneStep(state, script, rule), journal)
    return Seat(OpenGame(Path("a.pbcg"), CampaignPlug(PEGASUS_BRIDGE), session, True), viewer)


def people() -> list[Piece]:
    """Two squads and a leader in No Man's Land, who must attempt Escape."""
    return [
        piece("g1", GERMAN, "4-6-7", "P14"),
        piece("g2", GERMAN, "4-6-7", "P14"),
        piece("g3", GERMAN, "8-0", "P14"),
    ]


def go_to(seat: Seat, point: str) -> Prompt:
    """Answer with defaults until ``point`` is asked."""
    for _ in range(20):
        asked = seat.pending
        assert isinstance(asked, Prompt), asked
        if asked.id == point:
            return asked
        seat.answer(asked.default)
    raise AssertionError(point)


@pytest.mark.rule("9.606-h")
def test_every_stack_and_every_grouping_of_a_location() -> None:
    seat = seat_at(ground(*people()), escape, "9.606", "umpire")
    go_to(seat, "9.606.5")
    before = len(seat.game.entries())
    (place,) = moves(seat)
    stacks = {each.units for each in place.going}
    assert len(stacks) == 7 and ("g1", "g2", "g3") in stacks
    ways = len(place.going) // 7
    assert len(place.going) == 7 * ways
    assert {each.stacks for each in place.groupings} >= {(("g1",), ("g2",), ("g3",))}
    assert len(place.groupings) == 5
    assert len(seat.game.entries()) == before  # nothing is kept


@pytest.mark.parametrize("stack", [("g1",), ("g1", "g3"), ("g1", "g2", "g3")])
def test_the_chances_are_those_of_the_dr_that_is_thrown(stack: tuple[str, ...]) -> None:
    seat = seat_at(ground(*people()), escape, "9.606", "umpire")
    go_to(seat, "9.606.5")
    (place,) = moves(seat)
    told = {(each.units, each.to): each for each in place.going}
    for id in stack[1:]:
        seat.answer(id)
    if len(stack) < 3:
        seat.answer("go")
    to = next(to for units, to in told if units == stack)
    if isinstance(seat.pending, Prompt) and seat.pending.id == "9.606.6":
        option = next(each for each in seat.pending.legal if each.text == to)
        seat.answer(option.id)
    while isinstance(seat.pending, Prompt):  # the other stacks are formed before the first DR
        seat.answer(seat.pending.legal[0].id)
    roll = seat.pending
    assert isinstance(roll, Roll) and roll.id == "9.606.8"
    assert roll.text.endswith(to)
    going = told[stack, to]
    assert [each.words for each in going.odds.values()] == [each.percent for each in chances(roll)]
    assert going.left <= going.whole


def test_who_arrives_is_counted_out_by_the_script_itself() -> None:
    """A lone 4-6-7: whole, Reduced to a HS, or Eliminated; HS-equivalents add up exactly."""
    seat = seat_at(ground(piece("g1", GERMAN, "4-6-7", "P14"), piece("g2", GERMAN, "4-6-7", "P14")),
                   escape, "9.606", "umpire")  # fmt: skip
    go_to(seat, "9.606.5")
    (place,) = moves(seat)
    alone = next(each for each in place.going if each.units == ("g1",))
    seat.answer("go")
    if isinstance(seat.pending, Prompt):
        seat.answer(seat.pending.legal[0].id)
    roll = seat.pending
    assert isinstance(roll, Roll)
    given = {each.result: Fraction(each.chance) for each in chances(roll)}
    # Whole or Replaced it is a squad (2), Reduced a HS (1); Heat of Battle takes no strength.
    worth = {
        "escapes": 2, "escapes_replaced": 2, "escapes_casualty_reduced": 1,
        "escapes_replaced_then_casualty_reduced": 1, "all_units_and_equipment_eliminated": 0,
    }  # fmt: skip
    mean = sum(part * worth[result] for result, part in given.items())
    assert math.isclose(alone.left, float(mean), abs_tol=0.1), (alone, given)
    gone = given.get("all_units_and_equipment_eliminated", Fraction(0))
    both = next(each for each in place.groupings if len(each.stacks) == 2)
    assert both.all_arrive == f"{round(float((1 - gone) ** 2) * 100)}%"


def alone_in_no_mans_land(*units: Piece, **fields: Any) -> Moves:
    """What is told before the Escape of units in P14, with no Original 2 to be asked about."""
    seat = seat_at(ground(*units, **fields), escape, "9.606", "umpire")
    while isinstance(seat.pending, Prompt) and not is_move(seat):
        seat.answer(seat.pending.default)
    (place,) = moves(seat)
    return place


@pytest.mark.rule("9.606-h")
@pytest.mark.parametrize(
    ("status", "killed"), [((), Fraction(2, 6)), (("wounded",), Fraction(3, 6))]
)
def test_a_leader_may_die_of_his_wound(status: tuple[str, ...], killed: Fraction) -> None:
    """Casualty Reduction of a SMC is a Wound Severity dr: 5 or 6 kills, 4 too if he is wounded."""
    leader = piece("g1", GERMAN, "8-0", "P14", status=status)
    going = alone_in_no_mans_land(leader, piece("g2", GERMAN, "8-0", "P14")).going[0]
    assert going.units == ("g1",)
    state = ground(leader)
    (way, *_) = escape_ways(state, [leader])
    given = sheet(state, [leader], way)
    chances = escape_table(state, [leader], given).odds(given)
    hurt = sum(part for result, part in chances.items() if "reduced" in result)
    gone = chances.get("all_units_and_equipment_eliminated", Fraction(0)) + hurt * killed
    assert hurt
    assert going.smc == 1
    assert math.isclose(going.leaders, float(1 - gone), abs_tol=0.001)


@pytest.mark.rule("9.606-h")
def test_of_a_vehicle_no_average_is_told_that_counts_what_is_left_behind() -> None:
    """A Kfz 1 has no crew: Abandoned or Eliminated it does not get there; the odds say so."""
    place = alone_in_no_mans_land(
        piece("v1", GERMAN, "Kfz 1", "P14"), piece("v2", GERMAN, "Marder", "P14")
    )
    for going in place.going:
        assert (going.whole, going.left, going.smc, going.leaders) == (0, 0.0, 0, 0.0)
        assert going.odds


@pytest.mark.rule("9.606-h")
def test_house_rule_c54_a_crew_that_counts_nothing_still_arrives() -> None:
    crews = (piece("g1", GERMAN, "1-2-7", "P14"), piece("g2", GERMAN, "1-2-7", "P14"))
    place = alone_in_no_mans_land(*crews, house={"C-54": "crew-0"})
    assert place.groupings
    assert all(each.all_arrive != "0%" for each in place.groupings)


@pytest.mark.rule("9.613-a")
def test_every_destination_of_a_shift_has_the_odds_of_its_option() -> None:
    state = campaign(unit("b1", "A"), unit("b2", "A"))
    seat = seat_at(state, shift, "9.613", "umpire")
    asked = seat.pending
    assert isinstance(asked, Prompt) and asked.id == "9.613.1"
    found = {each.where: each for each in moves(seat)}
    area = next(option.id for option in asked.legal if option.id != "done")
    seat.answer(area)
    assert isinstance(seat.pending, Prompt) and seat.pending.id == "9.613.1a"
    assert [each.going for each in moves(seat)] == [found[f"Setup Area {area}"].going]
    seat.answer(["b1"])
    where = seat.pending
    assert isinstance(where, Prompt) and where.id == "9.613.1c"
    options = {each.text: dict(each.odds) for each in where.legal if each.id != "none"}
    told = {each.to: each.odds for each in found[f"Setup Area {area}"].going}
    assert told == options and told
    assert {each.words for each in found[f"Setup Area {area}"].going} == {"whoever goes"}


@pytest.mark.rule("9.613-a")
def test_of_many_units_each_alone_and_all_together_are_told_at_once() -> None:
    """A tank goes another way than Infantry; every part of 41 units was gone through: 2 ** 41."""
    squads = [unit(f"b{n}", "C") for n in range(40)]
    tank = unit("t1", "C", "Churchill VII")
    seat = seat_at(campaign(*squads, tank), shift, "9.613", "umpire")
    (found,) = moves(seat)
    by_words: dict[str, set[str]] = {}
    for going in found.going:
        by_words.setdefault(going.to, set()).add(going.words)
    apart = [said for said in by_words.values() if len(said) > 1]
    assert apart
    assert all("whoever goes" not in said for said in apart)
    assert any(len(going.units) == 41 for going in found.going)
    assert any("all 41 together" in going.words for going in found.going)


@pytest.mark.rule("9.613-a")
def test_an_area_without_room_is_told_as_such() -> None:
    """Two squads would Shift from C to A, which has room for one: as the prompt refuses it."""
    state = campaign(unit("c1", "C"), unit("c2", "C"))
    room = 3 * len(locations_of(state, state.areas[BRITISH, "A"])) - 1
    many = [piece(f"m{n}", BRITISH, "6-4-8", area="A") for n in range(room)]
    seat = seat_at(campaign(*state.pieces, *many), shift, "9.613", "umpire")
    (going,) = [each.going for each in moves(seat) if each.where == "Setup Area C"]
    there = {each.units: "no room" in each.to for each in going if "Setup Area A" in each.to}
    assert there == {("c2",): False, ("c1", "c2"): True}
    assert not any("no room" in each.to for each in going if "Setup Area A" not in each.to)


def test_nothing_is_told_where_neither_is_decided_nor_to_who_is_not_asked() -> None:
    prompt = Prompt(id="9.607.1", text="What?", rule="9.607", default="no")
    seat = Seat(scripted(campaign(), prompt), "umpire")
    assert not is_move(seat)
    with pytest.raises(Moved):
        moves(seat)
    other = seat_at(campaign(unit("b1", "A")), shift, "9.613", "german")
    with pytest.raises(Moved):
        moves(other)


def test_the_terminal_tells_the_same() -> None:
    seat = seat_at(ground(*people()), escape, "9.606", "umpire")
    go_to(seat, "9.606.5")
    screen = Sitting(seat.game, "o", "", "q", viewer="umpire", width=160).play()
    assert "as stacks" in screen and "none Eliminated" in screen
