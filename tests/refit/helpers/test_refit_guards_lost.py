"""Rare turns of the Refit Phase: Guards lost in one step or another, Non-Qualified Use."""

from __future__ import annotations

import random
from typing import Any

import pytest
from escape_help import ground, prompts
from refit_helpers import BRITISH, GERMAN, campaign_at, piece, run_step, told

from asl_pbcg.campaign.position import Fortification
from asl_pbcg.campaign.position_words import FortificationKind
from asl_pbcg.campaign.state.campaign_state import Campaign, change
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.refit.s604_encirclement import encirclement_minefields_bog_shock
from asl_pbcg.refit.s610_wounded import wounded_leaders
from asl_pbcg.refit.s614_repair import repair_and_replenishment
from asl_pbcg.refit.s615_reinforcements import obg_reinforcements

MINES = (Fortification(kind=FortificationKind.AP_MINES, at="M12", owner=BRITISH, size=6),)


def run(
    state: Campaign, procedure: Any, answers: dict[str, Any], dice: tuple[int, ...] = ()
) -> tuple[Campaign, str, list[Prompt | Roll]]:
    """Run a step: ``answers`` by decision point, for a unit by ``point id``; else the default."""

    def answer(prompt: Prompt) -> Any:
        for key, value in answers.items():
            point, _, unit = key.partition(" ")
            if point == prompt.id and unit in prompt.text:
                return value
        if prompt.default is not None:
            return prompt.default
        return prompt.random_answer(random.Random(0))

    after, lines = run_step(state, procedure, answer, dice=dice)
    return after, told(lines), lines.asked


def guard(*others: Piece, at: str = "M12", **fields: Any) -> tuple[Piece, ...]:
    """A German HS with a prisoner, and who else is there."""
    return (
        piece("g1", GERMAN, "2-4-7", at, **fields),
        piece("p1", BRITISH, "6-4-8", at, status="prisoner", guarded_by="g1"),
        *others,
    )


NTC = {"9.6042.1": "no", "9.6042.3": "none", "9.6042.3a g1": "fails", "9.6042.3a": "passes"}


@pytest.mark.rule("9.6042-c")
def test_who_claims_the_prisoner_of_a_guard_lost_in_a_minefield() -> None:
    claimants = (piece("g2", GERMAN, "4-6-7", "M12"), piece("g3", GERMAN, "4-6-7", "M12"))
    state = campaign_at(
        "9.604", *guard(*claimants), german=["M12"], fortifications=MINES, determined=False
    )
    answers = {**NTC, "9.6042.5": "g3"}
    after, log, asked = run(state, encirclement_minefields_bog_shock, answers)
    (claim,) = prompts(asked, "9.6042.5")
    assert (claim.side, [option.id for option in claim.options]) == ("german", ["g2", "g3"])
    assert after.piece("p1").guarded_by == "g3"
    assert "4-6-7 g3 claims 6-4-8 p1" in log


@pytest.mark.rule("9.6042-c")
def test_a_prisoner_rearmed_in_a_minefield_may_take_what_his_guard_dropped() -> None:
    lmg = piece("m1", GERMAN, "LMG", "M12")
    state = campaign_at(
        "9.604", *guard(lmg, possesses="m1"), german=["M12"], fortifications=MINES,
        determined=False,
    )  # fmt: skip
    answers = {**NTC, "9.6042.5a": ["m1"]}
    after, _, asked = run(state, encirclement_minefields_bog_shock, answers)
    (takes,) = prompts(asked, "9.6042.5a")
    assert takes.side == "british"
    assert not after.piece("p1").is_prisoner
    assert after.piece("p1").possesses == ("m1",)
    assert (after.piece("m1").side, after.piece("m1").status) == (BRITISH, ("captured",))


@pytest.mark.rule("9.6101-d")
def test_who_claims_the_prisoner_of_a_leader_who_is_evacuated() -> None:
    others = (
        piece("g1", GERMAN, "8-0", "A1", status="wounded", area="A"),
        piece("p1", BRITISH, "6-4-8", "A1", status="prisoner", guarded_by="g1"),
        piece("g2", GERMAN, "4-6-7", "A1", area="A"),
        piece("g3", GERMAN, "4-6-7", "A1", area="A"),
    )
    state = campaign_at("9.610", *others, british=["X26", "T20"], german=["A1", "B12", "KK10"])
    for die in range(1, 7):
        after, _, asked = run(state, wounded_leaders, {"9.6101.1": "g3"}, (die,))
        if all(each.id != "g1" for each in after.pieces):
            (claim,) = prompts(asked, "9.6101.1")
            assert [option.id for option in claim.options] == ["g2", "g3"]
            assert after.piece("p1").guarded_by == "g3"
            break
    else:
        raise AssertionError("no die Eliminates him")


@pytest.mark.rule("9.6153-a")
def test_who_claims_the_prisoner_of_a_guard_that_is_withdrawn() -> None:
    airborne = {"formation": "7th Parachute Battalion", "airborne": True}
    others = (
        piece("b1", BRITISH, "6-4-8", "P12", area="A", formation="No. 4 Commando"),
        piece("p1", GERMAN, "4-6-7", "P12", status="prisoner", guarded_by="b1"),
        piece("b2", BRITISH, "6-4-8", "P12", area="A", **airborne),
        piece("b3", BRITISH, "3-3-8", "P12", area="A", **airborne),
    )
    state = change(ground(*others, step="9.615", date=CGDate.DAY_2), date=CGDate.DAY_3)
    after, _, asked = run(state, obg_reinforcements, {"9.6153.2": "b3"})
    (claim,) = prompts(asked, "9.6153.2")
    assert [option.id for option in claim.options] == ["b2", "b3"]
    assert after.piece("p1").guarded_by == "b3"
    assert all(each.id != "b1" for each in after.pieces)


@pytest.mark.rule("9.6141b-a", "9.6142-a")
@pytest.mark.parametrize("point", ["9.6141b.nq", "9.6142.nq"])
def test_non_qualified_use_of_a_vehicle_that_an_mmc_mans(point: str) -> None:
    status = "immobilized" if point == "9.6141b.nq" else "ma-malfunctioned"
    tank = piece("v1", BRITISH, "Sherman V (DD)", "P12", status=status, area="A")
    people = (
        piece("b1", BRITISH, "6-4-8", "P12", area="A", aboard="v1"),
        piece("b2", BRITISH, "2-2-8", "P12", area="A"),
    )
    state = ground(tank, *people, step="9.614")
    for answer in ("yes", "no"):
        asked: list[Prompt | Roll] = []
        dice = SeededDice(1)

        def answers(prompt: Prompt, answer: str = answer) -> Any:
            return answer if prompt.id == point else prompt.random_answer(random.Random(0))

        script = repair_and_replenishment(state)
        sent: Any = None
        try:
            while True:
                item = script.send(sent)
                sent = None
                if isinstance(item, Prompt):
                    asked.append(item)
                    sent = item.check(answers(item))
                elif isinstance(item, Roll):
                    asked.append(item)
                    sent = item.resolve(dice.throw(item.spec, len(asked), ""))
        except StopIteration:
            pass
        (question,) = prompts(asked, point)
        assert (question.rule, question.side, question.secret) == ("A21.13", "british", True)
        roll = next(each for each in asked if isinstance(each, Roll))
        assert roll.table
        names = [drm.name for drm in roll.table.modifiers(roll.given)]
        assert ("non_qualified" in names) is (answer == "yes")
