"""Forming platoons of sticks, and what sticks and platoons may do in which turn."""

from __future__ import annotations

from typing import Any

import pytest
from airborne_help import blowing, load, new_drop, plain, play, sheet, told
from sentences import Tells, raised

from asl_pbcg.airborne.drop_state import (
    DropState,
    Stick,
    WholeUnit,
    landed_units,
    name_counter,
    rights_of,
    tally,
)
from asl_pbcg.airborne.landing import stick_groups
from asl_pbcg.airborne.turn_parts import report
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.prompts import Prompt

LOW = {turn: blowing("W", "low") for turn in range(1, 9)}


def stick(number: int, **more: Any) -> Stick:
    given = {"platoon": f"{number % 3}", "type": "para", "turn": 1, "aimed": "K20", "at": "K20"}
    return Stick(id=f"s{number}", **{**given, **more})


FOUR = [stick(number) for number in range(4)]


def groups(*sticks: Stick, turn: int = 2, enemies: tuple[str, ...] = ()) -> dict[str, object]:
    """What can be formed by hex and type: the number of platoons, or why none."""
    state = new_drop().state.with_(turn=turn, sticks=sticks)
    return {
        f"{group.at} {group.type}": group.refused or len(group.platoons)
        for group in stick_groups(state, enemies)
    }


@pytest.mark.rule("AB33", "AB35", "AB37")
def test_four_undispersed_sticks_of_one_type_become_a_platoon() -> None:
    assert len({each.platoon for each in FOUR}) == 3, "the plane of origin does not matter"
    assert groups(*FOUR) == {"K20 para": 1}
    assert groups(*(stick(number) for number in range(9))) == {"K20 para": 2}
    platoon = WholeUnit(id="para 1", type="para", turn=2, at="K20", sticks=("s0", "s1", "s2", "s3"))
    rights = rights_of(platoon, 2)
    assert (rights.move, rights.direct_fire, rights.engineer) == (True, False, True)
    assert rights_of(platoon, 3).direct_fire


@pytest.mark.rule("AB34")
@pytest.mark.parametrize(
    ("sticks", "why"),
    [
        (FOUR[:3], {"K20 para": "3 of 4 sticks."}),
        ([*FOUR[:3], stick(4, status="dispersed")], {"K20 para": "3 of 4 sticks (1 dispersed)."}),
        ([*FOUR[:3], stick(4, turn=2)], {"K20 para": "3 of 4 sticks (1 landed this turn)."}),
        (
            [*FOUR[:3], stick(4, type="engineer")],
            {"K20 para": "3 of 4 sticks.", "K20 engineer": "1 of 4 sticks."},
        ),
        (
            [*FOUR[:3], stick(4, at="K21")],
            {"K20 para": "3 of 4 sticks.", "K21 para": "1 of 4 sticks."},
        ),
        ([*FOUR[:3], stick(4, status="lost", at="")], {"K20 para": "3 of 4 sticks."}),
    ],
)
def test_every_refusal_to_form_a_platoon_says_why(sticks: list[Stick], why: dict[str, str]) -> None:
    assert groups(*sticks) == why
    assert groups(*FOUR, enemies=("K20",)) == {"K20 para": "Enemy units are in K20."}


@pytest.mark.rule("AB36")
def test_a_platoon_never_splits(tells: Tells) -> None:
    session = new_drop(sheet([load("1", "K20"), load("2", "K20")]), weather=LOW)
    tells(raised(IllegalAnswer, lambda: report(session.state, "split para 1", plain())), "platoon")


@pytest.mark.rule("AB30", "AB31")
def test_in_the_turn_of_the_drop_a_stick_may_not_move_but_close_assault() -> None:
    rights = rights_of(stick(1), 1)
    assert (rights.move, rights.favourable_drm) == (False, False)
    later = rights_of(stick(1), 2)
    assert (later.move, later.favourable_drm) == (True, True)


@pytest.mark.rule("AB37")
def test_sticks_are_no_engineers_and_neither_are_batteries() -> None:
    battery = WholeUnit(id="g", type="artillery", kind="battery", turn=1, at="K20")
    assert not rights_of(stick(1), 2).engineer and not rights_of(battery, 2).engineer


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
    tells(raised(IllegalAnswer, lambda: session.answer("K30.para")), "K30")
    session.answer("K20.para.1")
    tells(told(session), "para 1", "K20")
    tells(told(session), "I.B.1")
    tells(told(session), "Turn 2", "1")
    state: DropState = session.state
    assert tally(state).platoons == {2: 1}
    assert name_counter(landed_units(state)[0]) == "platoon"


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
    tells(raised(IllegalAnswer, lambda: session.answer("move 1.1 to K21")), "II.F", "1.1")
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
    moved = report(state, "move 1.1,2.1 to k22", there)
    assert {each.at for each in moved.sticks if each.id in ("1.1", "2.1")} == {"K22"}
    moved = report(state, "move K21 to K20", there)
    assert {each.at for each in moved.sticks} == {"K20"}
    assert report(state, "others 3 at K20", there).others == {"K20": 3}
    assert report(state, "others 0 at K20", there).others == {}
    hurt = report(state, "dispersed 1", there)
    assert sum(each.status == "dispersed" for each in hurt.sticks) == 4
    healed = report(hurt, "recovered 1.2", there)
    assert sum(each.status == "dispersed" for each in healed.sticks) == 3
    for line, said in (
        ("move 1.1", "Write who moves and where"),
        ("move 1.9 to K20", '"1.9" is not on the map; these are: 1.1, 1.2'),
        ("move 1.1 to K99", 'There is no hex "K99" on the map'),
        ("others some at K20", "Write how many friendly units and where"),
        ("dispersed", "Name a stick, a platoon or a hex"),
        ("fly 1.1 to K20", "is not understood. Write one of"),
        ("break para 1", "never breaks down into sticks"),
    ):
        with pytest.raises(PBCGError, match=said):
            report(state, line, there)
    tells(raised(IllegalAnswer, lambda: report(state.with_(turn=1), "finish", there)), "ordered")
    assert report(state, "finish", there).finished


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
