"""9.608 Prisoners."""

from __future__ import annotations

import random
from typing import Any

import pytest
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
from sentences import Tells

from asl_pbcg.campaign.entry.position_files import read_position
from asl_pbcg.campaign.position import Fortification
from asl_pbcg.campaign.position_words import FortificationKind
from asl_pbcg.campaign.state.campaign_state import Campaign, change
from asl_pbcg.campaign.state.ob_merge import take_position
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.kernel.data import data_path
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.refit.helpers.retention import retain
from asl_pbcg.refit.helpers.situation import is_isolated
from asl_pbcg.refit.s608_prisoners import prisoners

# The British west of the canal are Isolated while the Germans hold the bridge.
BRITISH_HOLD, GERMANS_HOLD = ["M12", "C9", "Y24"], ["Q12", "Y19", "Y20"]
TRENCH = Fortification(kind=FortificationKind.TRENCH, at="Y24", owner=BRITISH)


def prisoner(
    id: str, type: str = "4-6-7", at: str = "M12", guard: str = "b1", **fields: Any
) -> Piece:
    status = ("prisoner", *fields.pop("status", "").split())
    return piece(id, GERMAN, type, at, status=status, guarded_by=guard, **fields)


def holding(*pieces: Piece, **fields: Any) -> Campaign:
    german = fields.pop("german", GERMANS_HOLD)
    return campaign_at(
        "9.608", *pieces, british=BRITISH_HOLD, german=german, fortifications=[TRENCH], **fields
    )


def run(state: Campaign, answers: dict[str, Any] | None = None) -> tuple[Campaign, Log]:
    return run_step(state, prisoners, by_point(answers or {}))


GUARD = piece("b1", BRITISH, "6-4-8", "M12", area="B")


def test_without_prisoners_nothing_is_asked(tells: Tells) -> None:
    _, lines = run(holding(GUARD))
    tells(told(lines), "9.608")


@pytest.mark.rule("9.608-a", "9.608-f", "9.12-b")
def test_prisoners_of_a_guard_who_is_not_isolated_are_eliminated(tells: Tells) -> None:
    guard = piece("b1", BRITISH, "6-4-8", "Y24", area="C")
    off_map = piece("b2", BRITISH, "6-4-8", "off-map Z28", area="Z28")
    isolated = piece("b3", BRITISH, "6-4-8", "M12", area="B")
    state = holding(
        guard,
        off_map,
        isolated,
        prisoner("p1", at="Y24"),
        prisoner("p2", at="off-map Z28", guard="b2"),
        prisoner("p3", guard="b3"),
    )
    after, lines = run(state, {"9.608.2": "keep"})
    assert {each.piece.id for each in after.gone} == {"p1", "p2"}
    assert {each.how for each in after.gone} == {"eliminated"}
    assert after.piece("p3").guarded_by == "b3"
    tells(told(lines), "Guard", "Isolated")
    assert after.account.cvp_lost == {}


@pytest.mark.rule("9.608-b")
def test_an_isolated_guard_keeps_transfers_or_frees() -> None:
    state = holding(
        GUARD,
        piece("b2", BRITISH, "2-4-8", "L12", area="B"),
        piece("b3", BRITISH, "9-1", "M12", area="B"),
        piece("b4", BRITISH, "6-4-8", "C9", area="A"),  # in another Isolated Setup Area
        piece("b5", BRITISH, "6-4-8", "M12", area="B", status="unarmed"),
        prisoner("p1"),
    )
    assert is_isolated(state, GUARD)
    after, log = run(state, {"9.608.2": "keep"})
    (fate,) = log.asked
    assert isinstance(fate, Prompt)
    assert fate.side == "british"
    assert [option.id for option in fate.options] == ["keep", "b2", "b3", "free"]
    assert "9.608" in refusal(fate, "b4")
    assert after.pieces[:4] == state.pieces[:4]
    assert after.piece("p1") == state.piece("p1")
    after, lines = run(state, {"9.608.2": "b2"})
    assert (after.piece("p1").guarded_by, after.piece("p1").at) == ("b2", "L12")
    assert "2-4-8 b2 takes over 4-6-7 p1" in told(lines)


@pytest.mark.rule("9.608-b", "9.6057-c")
def test_a_guard_isolated_upstairs_cannot_hand_a_prisoner_to_who_is_not() -> None:
    # The British Control the first level only: the Setup Area is not Isolated, that level is.
    pieces = [
        piece("b1", BRITISH, "6-4-8", "Z13/1", area="A"),
        piece("b2", BRITISH, "2-4-8", "Z13/1", area="A"),
        piece("b3", BRITISH, "6-4-8", "Z12", area="A"),
        prisoner("p1", at="Z13/1"),
    ]
    state = campaign_at("9.608", *pieces, british=["Z13/1"], german=["M12"])
    assert [is_isolated(state, each) for each in pieces[:3]] == [True, True, False]
    _, log = run(state, {"9.608.2": "keep"})
    (fate,) = log.asked
    assert isinstance(fate, Prompt)
    assert [option.id for option in fate.options] == ["keep", "b2", "free"]


@pytest.mark.rule("9.608-c", "9.608-e")
@pytest.mark.parametrize(
    ("type", "status", "back"),
    [
        ("4-6-7", "", "4-3-6"),
        ("5-4-8", "", "4-3-6"),
        ("2-4-7", "", "2-3-6"),
        ("2-2-8", "", "2-3-6"),
        ("9-2", "wounded", "9-2"),
        ("1-4-9", "", "1-4-9"),
    ],
)
def test_a_freed_prisoner_comes_back_to_the_nearest_area(type: str, status: str, back: str) -> None:
    state = holding(GUARD, prisoner("p1", type, status=status))
    after, lines = run(state, {"9.608.2": "free"})
    freed = after.piece("p1")
    assert (freed.type, freed.guarded_by, freed.area) == (back, "", "A")
    assert freed.status == tuple(status.split())
    assert "Setup Area A" in told(lines)


@pytest.mark.rule("9.608-e")
def test_a_british_mmc_comes_back_green() -> None:
    # German Setup Area B of the worked example is Isolated.
    position = read_position(data_path("pb/samples/worked-example.yaml"))
    state = take_position(campaign_at("9.608", date=position.date, determined=False), position)
    state = change(state, determined=position)
    guard = next(each for each in state.of(GERMAN) if each.on_map and is_isolated(state, each))
    captive = piece("p1", BRITISH, "6-4-8", guard.at, status="prisoner", guarded_by=guard.id)
    count = {**state.received_count, BRITISH: state.received_count[BRITISH] + 1}
    state = change(state, pieces=(*state.pieces, captive), received_count=count)
    after, _ = run(state, {"9.608.2": "free", "9.608.3": "1"})
    assert after.piece("p1").type == "4-3-6"
    assert after.piece("p1").area


@pytest.mark.rule("9.608-e")
def test_an_unarmed_mmc_that_got_free_in_play_is_replaced_too(tells: Tells) -> None:
    state = holding(
        piece("b1", BRITISH, "6-4-8", "M12", area="B", status="unarmed"),
        piece("b2", BRITISH, "3-3-8", "off-map Z28", area="Z28", status="unarmed walking-wounded"),
        piece("b3", BRITISH, "6-4-8", "M12", area="B"),
        piece("g1", GERMAN, "1-2-7", "Q12", area="A", status="unarmed"),
        prisoner("p1", guard="b3"),
    )
    after, lines = run(state, {"9.608.2": "keep"})
    assert [each.type for each in after.pieces] == ["4-3-6", "2-2-6", "6-4-8", "2-3-6", "4-6-7"]
    assert [each.status for each in after.pieces] == [
        (), ("walking-wounded",), (), (), ("prisoner",)
    ]  # fmt: skip
    assert [line.side for line in lines if line.secret] == ["british"]  # of who is off map
    tells(told(lines), "unarmed", "Replaced", "4-3-6", "9.608")
    old = change(state, house_rules={"P-82": "freed-only"})
    assert run(old, {"9.608.2": "keep"})[0].pieces == state.pieces


@pytest.mark.rule("9.608-d")
def test_his_own_side_chooses_between_areas_that_are_equally_near() -> None:
    # Germans at the same distance north and south of M12.
    state = holding(GUARD, prisoner("p1"), german=["Q12", "I12", "Y19", "Y20"])
    after, log = run(state, {"9.608.2": "free", "9.608.3": "B"})
    choice = log.asked[-1]
    assert isinstance(choice, Prompt)
    assert choice.side == "german"
    assert [option.id for option in choice.options] == ["A", "B"]
    assert after.piece("p1").area == "B"


def test_a_guard_who_was_retained_elsewhere_frees_from_there() -> None:
    guard = piece("b1", BRITISH, "6-4-8", "F10")
    state = holding(guard, prisoner("p1", at="F10"), german=["I12", "Q12", "Y19", "Y20"])
    state = retain(state, "b1", "Setup Area", "A")
    assert is_isolated(state, state.piece("b1"))
    after, _ = run(state, {"9.608.2": "free"})
    # From F10 itself I12 would be nearest; the Guard is in Setup Area A round C9 now.
    assert after.piece("p1").area == "A7"


def test_a_prisoner_nobody_guards_is_none(tells: Tells) -> None:
    lost = piece("p1", GERMAN, "4-6-7", "M12", status="prisoner")
    after, lines = run(holding(GUARD, lost))
    assert (after.piece("p1").type, after.piece("p1").status) == ("4-3-6", ())
    assert after.piece("p1").area  # Retained as one whom his Guard frees
    tells(told(lines), "Guard")


@pytest.mark.rule("9.608-f")
@pytest.mark.parametrize("seed", range(20))
def test_random_answers_always_reach_the_end(seed: int) -> None:
    source = random.Random(seed)
    guards = []
    captives = []
    homes = [("M12", "B"), ("C9", "A"), ("Y24", "C"), ("L12", "B")]
    for number in range(source.randint(1, 6)):
        at, area = source.choice(homes)
        guards.append(piece(f"b{number}", BRITISH, source.choice(["6-4-8", "9-1"]), at, area=area))
        if source.random() < 0.7:
            kind = source.choice(["4-6-7", "2-4-7", "8-0"])
            captives.append(prisoner(f"p{number}", kind, at, f"b{number}"))
    state = holding(*guards, *captives)
    after, _ = run_step(state, prisoners, lambda prompt: prompt.random_answer(source))
    for each in after.pieces:
        if each.is_prisoner:
            assert is_isolated(after, after.piece(each.guarded_by))
        elif each.side is GERMAN:
            assert each.area
