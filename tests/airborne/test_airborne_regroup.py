"""Forming platoons of sticks, and what sticks and platoons may do in which turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from airborne_help import blowing, load, new_drop, plain, play, sheet, told, with_settings
from sentences import Tells

from asl_pbcg.airborne.changes import apply_change
from asl_pbcg.airborne.regroup import chances, form_platoon, verify_platoon
from asl_pbcg.airborne.state import DropState, landed_units, tally
from asl_pbcg.airborne.units import Stick, Unit, may
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.prompts import Prompt

LOW = {turn: blowing("W", "low") for turn in range(1, 9)}
SETTINGS = with_settings()


def stick(number: int, **more: Any) -> Stick:
    given = {"platoon": f"{number % 3}", "type": "para", "turn": 1, "aimed": "K20", "at": "K20"}
    return Stick(id=f"s{number}", **{**given, **more})


FOUR = [stick(number) for number in range(4)]


@pytest.mark.rule("AB33", "AB35", "AB37")
def test_four_undispersed_sticks_of_one_type_become_a_platoon() -> None:
    assert len({each.platoon for each in FOUR}) == 3, "the plane of origin does not matter"
    platoon = form_platoon("para 1", FOUR, 2, (), SETTINGS)
    assert (platoon.at, platoon.type, platoon.turn, len(platoon.sticks)) == ("K20", "para", 2, 4)
    rights = may(platoon, 2)
    assert (rights.move, rights.close_assault, rights.direct_fire) == (True, True, False)
    assert rights.engineer
    later = may(platoon, 3)
    assert (later.move, later.close_assault, later.direct_fire) == (True, True, True)


@pytest.mark.rule("AB34")
@pytest.mark.parametrize(
    ("sticks", "turn", "enemies", "acted", "said"),
    [
        (FOUR, 1, (), False, "s0 landed this turn and cannot combine yet"),
        ([*FOUR[:3], stick(4, status="dispersed")], 2, (), False, "s4 is dispersed"),
        (
            [*FOUR[:3], stick(4, type="engineer")],
            2,
            (),
            False,
            "Sticks of different types do not combine: these are para and engineer",
        ),
        (FOUR, 2, ("K20",), False, "Enemy units are in K20"),
        (FOUR[:3], 2, (), False, "A platoon needs 4 sticks, not 3"),
        ([*FOUR, stick(5)], 2, (), False, "A platoon needs 4 sticks, not 5"),
        ([*FOUR[:3], FOUR[0]], 2, (), False, "A platoon needs 4 sticks"),
        (FOUR, 2, (), True, "Platoons are formed before any other action of the turn"),
        (
            [*FOUR[:3], stick(4, at="K21")],
            2,
            (),
            False,
            "must be in one hex: these are in K20, K21",
        ),
        ([*FOUR[:3], stick(4, status="lost", at="")], 2, (), False, "s4 is not on the map"),
    ],
)
def test_every_refusal_to_form_a_platoon_says_why(
    sticks: Sequence[Stick], turn: int, enemies: tuple[str, ...], acted: bool, said: str
) -> None:
    with pytest.raises(IllegalAnswer, match=said) as caught:
        verify_platoon(sticks, turn, enemies, SETTINGS, acted=acted)
    assert caught.value.rule == "II.H"


@pytest.mark.rule("AB36")
def test_a_platoon_never_splits(tells: Tells) -> None:
    platoon = form_platoon("para 1", FOUR, 2, (), SETTINGS)
    with pytest.raises(IllegalAnswer) as refused:
        verify_platoon([platoon, *FOUR[:3]], 3, (), SETTINGS)
    tells(refused, "para 1")
    session = new_drop(sheet([load("1", "K20"), load("2", "K20")]), weather=LOW)
    with pytest.raises(IllegalAnswer) as refused:
        apply_change(session.state, "split para 1", plain())
    tells(refused, "platoon")


@pytest.mark.rule("AB30", "AB31")
def test_in_the_turn_of_the_drop_a_stick_may_not_move_but_close_assault(tells: Tells) -> None:
    rights = may(stick(1), 1)
    assert (rights.move, rights.close_assault, rights.favourable_drm) == (False, True, False)
    tells(rights.why[0], "-2", "favourable")
    later = may(stick(1), 2)
    assert (later.move, later.close_assault, later.favourable_drm) == (True, True, True)


@pytest.mark.rule("AB37")
def test_sticks_are_no_engineers_and_neither_are_batteries() -> None:
    assert not may(stick(1), 2).engineer
    assert not Unit(id="g", type="artillery", kind="battery", turn=1, at="K20").engineer


def test_what_can_be_formed_is_listed_with_the_reason_for_what_cannot(tells: Tells) -> None:
    sticks = [
        *FOUR,
        *(stick(number, at="K21") for number in (4, 5)),
        stick(6, at="K21", status="dispersed"),
        *(stick(number, at="K22", turn=2) for number in range(7, 12)),
        *(stick(number, at="K23") for number in range(12, 21)),
    ]
    found = {each.at: (each.platoons, each.refused) for each in chances(sticks, 2, (), SETTINGS)}
    assert found == {
        "K20": (1, ""),
        "K21": (0, "2 of 4 sticks (1 dispersed)."),
        "K22": (0, "0 of 4 sticks (5 landed this turn)."),
        "K23": (2, ""),
    }
    held = {each.at: each.refused for each in chances(sticks, 2, ("K20",), SETTINGS)}
    tells(held["K20"], "K20")


# In a drop


@pytest.mark.rule("AB33", "AB34", "AB35", "AB37")
def test_platoons_form_at_the_start_of_the_next_turn_before_anything_else(tells: Tells) -> None:
    session = new_drop(
        sheet([load("1", "K20"), load("2", "K20"), load("3", "K30"), load("4", "K20", 2)]),
        weather=LOW,
    )
    # Row A for both; K30 is half full (four chits, one of them for each empty place).
    play(session, [1, 1, 1, 1, 1, 1, *[6] * 12])
    assert isinstance(session.pending, Prompt)
    assert session.pending.id == "regroup.enemies"
    assert [option.id for option in session.pending.options] == ["K20", "K30"]
    session.answer("K30")
    prompt = session.pending
    assert isinstance(prompt, Prompt)
    refused = {option.id: option.refused for option in prompt.options if option.refused}
    assert refused.keys() == {"K30.para"}
    tells(refused["K30.para"], "Enemy", "K30")
    with pytest.raises(IllegalAnswer) as wrong:
        session.answer("K30.para")
    tells(wrong, "K30")
    session.answer("K20.para.1")
    tells(told(session), "para 1", "K20")
    tells(told(session), "I.B.1")
    tells(told(session), "Turn 2", "1")
    state: DropState = session.state
    assert tally(state).platoons == {2: 1}
    assert landed_units(state)[0].what == "platoon"


@pytest.mark.rule("AB30", "AB31")
def test_players_report_movement_and_a_fresh_stick_is_refused(tells: Tells) -> None:
    session = new_drop(sheet([load("1", "K20"), load("2", "K20")]), weather=LOW)
    while not (isinstance(session.pending, Prompt) and session.pending.id == "turn.changes"):
        if isinstance(session.pending, Prompt):
            session.answer(session.pending.default)
        else:
            session.throw((2,))
    tells(told(session), "Turn 1")
    tells(told(session), "-2", "favourable")
    with pytest.raises(IllegalAnswer) as refused:
        session.answer("move 1.1 to K21")
    tells(refused, "II.F", "1.1")
    session.answer("dispersed 1.1, 2")
    session.answer("eliminated 1.2")
    session.answer("done")
    states = {stick.id: stick.status for stick in session.state.sticks}
    assert states["1.1"] == states["2.3"] == "dispersed"
    assert states["1.2"] == "eliminated"


def test_the_lines_players_write(tells: Tells) -> None:
    drops = [load("1", "K20"), load("2", "K20"), load("3 Pl", "M20", 2)]
    session = new_drop(sheet(drops), weather=LOW)
    play(session, [2, *[6] * 8], regroup__form=["none"])
    state = session.state.with_(turn=2)
    there = plain()
    moved = apply_change(state, "move 1.1,2.1 to k22", there)
    assert {each.at for each in moved.sticks if each.id in ("1.1", "2.1")} == {"K22"}
    moved = apply_change(state, "move K21 to K20", there)
    assert {each.at for each in moved.sticks} == {"K20"}
    assert apply_change(state, "others 3 at K20", there).others == {"K20": 3}
    assert apply_change(state, "others 0 at K20", there).others == {}
    hurt = apply_change(state, "dispersed 1", there)
    assert sum(each.status == "dispersed" for each in hurt.sticks) == 4
    healed = apply_change(hurt, "recovered 1.2", there)
    assert sum(each.status == "dispersed" for each in healed.sticks) == 3
    for line, said in (
        ("move 1.1", "Write who moves and where"),
        ("move 1.9 to K20", '"1.9" is nothing that stands on the map: 1.1, 1.2'),
        ("move 1.1 to K99", 'There is no hex "K99" on the map'),
        ("others some at K20", "Write how many friendly units and where"),
        ("dispersed", "Name a stick, a platoon or a hex"),
        ("fly 1.1 to K20", "is not understood. Write one of"),
        ("break para 1", "never breaks down into sticks"),
    ):
        with pytest.raises(PBCGError, match=said):
            apply_change(state, line, there)
    with pytest.raises(IllegalAnswer) as refused:
        apply_change(state.with_(turn=1), "finish", there)
    tells(refused, "ordered")
    assert apply_change(state, "finish", there).finished


def test_the_tally_accounts_for_every_stick() -> None:
    drops = [load("1", "K36"), load("2", "K36"), load("3", "K20", 3)]
    session = new_drop(sheet(drops), weather={1: blowing("W", "gusty"), 3: LOW[3]})
    play(session, [3, 1, 6, 6, 6], turns=1)
    count = tally(session.state)
    assert (count.ordered, count.aloft, count.lost) == (12, 4, 4)
    on_map = count.undispersed + count.dispersed + count.eliminated
    assert on_map + count.lost + count.aloft == count.ordered
    assert len(landed_units(session.state)) == on_map - count.eliminated
    with_lost = landed_units(session.state, with_lost=True)
    assert {each.status for each in with_lost} >= {"lost", "dispersed", "undispersed"}
