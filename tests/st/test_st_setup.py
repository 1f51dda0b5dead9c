"""Set-up: what a game is made of, gliders, chits, the German positions."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from sentences import Tells
from st_help import GAME, Played, rules, run, state

from asl_pbcg.kernel.errors import FaultsError, IllegalAnswer
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.st.area_terms import COMBAT_KINDS, PHASES, VEHICLES, numbers
from asl_pbcg.st.british.british_start import arriving
from asl_pbcg.st.germans.german_setup import draw_wiring, german_setup, place_counters, place_units
from asl_pbcg.st.rules.setup import setup, weight
from asl_pbcg.st.settings import ST_RULINGS
from asl_pbcg.st.state.game_rules import british_order, german_order
from asl_pbcg.st.state.game_state import State
from asl_pbcg.st.state.phase_situation import Situation


def bare(**settings: Any) -> Situation:
    """The counters in their pool, nobody set up."""
    return Situation(rules(**settings), state(1, "glider_landing", **settings))


def set_up(dice: list[int], answers: list[Any] = [], **settings: Any) -> tuple[State, Played]:  # noqa: B006
    begun = GAME.begin({"mode": "historical", **settings})
    played = run(setup(GAME.rules(begun.settings), begun), dice, answers)
    return played.result, played


# Dummies of historical chit B: four random picks of 8, 7, 6, 5 areas.
PICKS_B = [1, 1, 1, 1, 1, 1]
"""First row, first area each time: areas 1, 2 by two dice, then 3 and 4 by one."""


def historical(**settings: Any) -> State:
    return set_up([1, 1, 1, 1, 1, 1], **settings)[0]


# -- what a game is made of ---------------------------------------------------------------


@pytest.mark.rule("ST-GEN-01")
def test_a_game_has_sixteen_turns_of_fifteen_minutes() -> None:
    assert (numbers().turns, numbers().minutes_per_turn) == (16, 15)


@pytest.mark.rule("ST-GEN-03", "ST-GEN-04")
def test_each_counter_is_one_unit_of_one_class() -> None:
    sit = bare()
    place_units(sit, german_order().chits["B"])
    run(place_counters(sit, german_order().chits["B"]), PICKS_B)
    kinds = Counter(unit.kind for unit in sit.units.values())
    assert kinds == {
        "leader": 12, "platoon": 12, "squad": 12, "sapper": 4, "hq": 2,
        "garrison": 8, "infantry": 12, "mercedes": 1,
    }  # fmt: skip
    for unit in sit.units.values():
        classes = [unit.kind == "leader", unit.kind in COMBAT_KINDS, unit.kind in VEHICLES]
        assert sum(classes) == 1
        assert unit.combat == (unit.kind in COMBAT_KINDS)
    assert {w.kind for w in sit.weapons.values()} == {"piat", "gammon"}


@pytest.mark.rule("ST-GEN-05")
def test_every_marker_is_kept_in_the_state() -> None:
    played = historical(mode="full_history")
    kept = set(State.__struct_fields__)
    assert {"cleared", "pows", "positions", "demo_marker", "bridge", "chit", "turn"} <= kept
    assert any(unit.dummy for unit in played.units)
    assert all(hasattr(unit, "lost") for unit in played.units)


ROSTER = """
howard leader 1 0|neilson leader 1 0|priday leader 1 0|hq-1 hq 1 0|hq-2 hq 1 0
brotheridge leader 1 0|brotheridge-platoon platoon 8 4
brotheridge-a squad 4 2|brotheridge-b squad 4 2
fox leader 1 0|fox-platoon platoon 8 4|fox-a squad 4 2|fox-b squad 4 2
hooper leader 1 0|hooper-platoon platoon 8 4|hooper-a squad 4 2|hooper-b squad 4 2
smith leader 1 0|smith-platoon platoon 8 4|smith-a squad 4 2|smith-b squad 4 2
sweeney leader 1 0|sweeney-platoon platoon 8 4|sweeney-a squad 4 2|sweeney-b squad 4 2
wood leader 1 0|wood-platoon platoon 8 4|wood-a squad 4 2|wood-b squad 4 2
sapper-1 sapper 1 0|sapper-2 sapper 1 0|sapper-3 sapper 1 0|sapper-4 sapper 1 0
coffin leader 1 0|coffin-1 platoon 7 4|coffin-2 platoon 7 4|coffin-3 platoon 7 4
coffin-4 platoon 7 4|coffin-5 platoon 7 4|coffin-6 platoon 7 4
"""


@pytest.mark.rule("ST-GRE-04", "ST-BRK-04", "ST-SAP-01", "ST-HQU-01")
def test_the_roster_as_printed() -> None:
    lines = [entry for line in ROSTER.strip().splitlines() for entry in line.split("|")]
    found = [f"{u.id} {u.kind} {u.sp} {u.grenades}" for u in british_order().units]
    assert found == lines
    assert [u.roster for u in british_order().units] == list(range(1, 41))


@pytest.mark.rule("ST-PIA-05", "ST-GAM-02")
def test_the_charges_as_printed() -> None:
    charges = {weapon.id: weapon.charges for weapon in bare().weapons.values()}
    assert charges == {"gammon-1": 3, "gammon-2": 3, "piat-1": 2, "piat-2": 3, "piat-3": 3}
    twice = {w.id: w.charges for w in bare(gammon_uses=2).weapons.values() if w.kind == "gammon"}
    assert twice == {"gammon-1": 2, "gammon-2": 2}


# -- the British --------------------------------------------------------------------------

GLIDERS = {
    1: ({"howard", "neilson", "brotheridge", "brotheridge-platoon", "sapper-1"}, 12),
    2: ({"wood", "wood-platoon", "sapper-2"}, 10),
    3: ({"smith", "smith-platoon", "piat-1", "sapper-3"}, 10),
    4: ({"priday", "hooper", "hooper-platoon", "sapper-4"}, 11),
    5: ({"sweeney", "sweeney-platoon", "hq-1"}, 10),
    6: ({"fox", "fox-platoon", "hq-2"}, 10),
}


def aboard(found: State, number: int) -> set[str]:
    return {u.id for u in found.units if u.glider == number and u.status == "aboard"} | {
        w.id for w in found.weapons if w.glider == number
    }


@pytest.mark.rule(
    "ST-SET-01", "ST-SET-02", "ST-SET-04", "ST-SET-05", "ST-SET-06", "ST-SET-07", "ST-SET-08",
    "ST-SET-09", "ST-SET-11", "ST-SET-17",
)  # fmt: skip
def test_historical_set_up() -> None:
    found, played = set_up(PICKS_B, ["historical"], mode="")
    assert played.points == ["mode"]
    assert (found.turn, found.phase, found.ready) == (1, 0, True)
    sit = Situation(rules(), found)
    for number, (load, sp) in GLIDERS.items():
        assert aboard(found, number) == load
        assert sum(weight(sit, id) for id in load) == sp
    assert (found.chit, found.german_force, found.british_force) == ("B", "3", "B")
    assert found.difficulty == "easy"
    assert found.demo_marker == "none"


@pytest.mark.rule("ST-SET-03")
def test_gliders_one_to_three_come_from_the_north() -> None:
    lines = {glider.number: glider.line for glider in historical().gliders}
    assert lines == {1: "north", 2: "north", 3: "north", 4: "south", 5: "south", 6: "south"}


@pytest.mark.rule("ST-SET-10")
def test_full_history_leaves_glider_four_out() -> None:
    found = historical(mode="full_history")
    assert next(g for g in found.gliders if g.number == 4).status == "unused"
    away = {u.id for u in found.units if u.status == "absent"}
    assert away == GLIDERS[4][0]


VARIABLE = ["variable", "easy", []]


def load_prompt(answers: list[Any]) -> Prompt:
    """The load_glider prompt that comes after ``answers``."""
    begun = GAME.begin({})
    script = setup(GAME.rules(begun.settings), begun)
    asked = script.send(None)
    for answer in answers:
        assert isinstance(asked, Prompt)
        asked = script.send(asked.check(answer))
    assert isinstance(asked, Prompt)
    return asked


@pytest.mark.rule("ST-SET-12", "ST-SET-13", "ST-SET-01")
def test_a_glider_holds_twelve_sp(tells: Tells) -> None:
    asked = load_prompt(VARIABLE)
    assert asked.id == "load_glider"
    full = ["howard", "neilson", "hq-1", "sapper-1", "wood-platoon", "piat-1"]
    assert asked.check(full) == full
    with pytest.raises(IllegalAnswer) as refused:
        asked.check([*full, "wood"])
    tells(refused, "holds 12", "13 SP")
    with pytest.raises(IllegalAnswer) as refused:
        asked.check(["howard", "piat-1"])
    tells(refused, "PIAT")


@pytest.mark.parametrize("split", [[], ["wood-platoon"], ["fox-platoon", "hooper-platoon"]])
def test_what_is_offered_for_the_gliders_is_legal_and_leaves_nobody_behind(
    split: list[str],
) -> None:
    answers: list[Any] = ["variable", "easy", split]
    offered: list[list[str]] = []
    for number in GLIDERS:
        asked = load_prompt(answers)
        assert asked.about == "" and str(number) in asked.text
        assert asked.check(asked.default) == asked.default
        offered.append(asked.default)
        answers.append(asked.default)
    everybody = {option.id for option in load_prompt(["variable", "easy", split]).options}
    assert set().union(*offered) == everybody
    if not split:
        loads = [set(load) for load, *_ in GLIDERS.values()]
        assert all(set(one) <= other for one, other in zip(offered, loads, strict=True))


@pytest.mark.rule("ST-SET-13")
def test_a_platoon_may_fly_as_two_squads() -> None:
    asked = load_prompt(["variable", "easy", ["wood-platoon"]])
    offered = {option.id for option in asked.options}
    assert {"wood-a", "wood-b", "fox-platoon"} <= offered
    assert "wood-platoon" not in offered
    assert "fox-a" not in offered
    assert not {"coffin", "coffin-1", "piat-2"} & offered
    weights = {option.id: option.consequence for option in asked.options}
    asked_for = ("howard", "hq-1", "sapper-1", "wood-a", "fox-platoon", "piat-1")
    assert [weights[id][0] for id in asked_for] == ["1", "1", "1", "4", "8", "0"]


@pytest.mark.rule("ST-SET-12")
def test_what_fits_into_the_last_glider_must_be_loaded(tells: Tells) -> None:
    loads = [sorted(GLIDERS[number][0]) for number in range(1, 6)]
    asked = load_prompt([*VARIABLE, *loads])
    with pytest.raises(IllegalAnswer) as refused:
        asked.check(["fox", "hq-2"])
    tells(refused, "glider")
    assert asked.check(["fox", "hq-2", "fox-platoon"])
    free = GAME.begin({"mode": "variable", "difficulty": "easy", "must_load_all": False})
    script = setup(GAME.rules(free.settings), free)
    asked_again: Any = script.send(None)
    for answer in [[], *loads]:
        asked_again = script.send(asked_again.check(answer))
    assert asked_again.check(["fox"]) == ["fox"]


@pytest.mark.rule("ST-SET-12")
def test_random_loading_takes_everybody_along() -> None:
    for seed in range(5):
        source = random.Random(seed)
        begun = GAME.begin({"mode": "variable", "difficulty": "easy"})
        script = setup(GAME.rules(begun.settings), begun)
        asked: Any = script.send(None)
        loaded: set[str] = set()
        while isinstance(asked, Prompt):
            answer = asked.check(asked.random_answer(source))
            loaded |= set(answer) if asked.id == "load_glider" else set()
            asked = script.send(answer)
        assert {"howard", "hq-1", "hq-2", "sapper-4", "piat-1"} <= loaded


# -- the Germans --------------------------------------------------------------------------


@pytest.mark.rule("ST-SET-14", "ST-SET-16")
def test_guns_stand_in_their_labelled_areas() -> None:
    found = historical()
    geo = rules().geo
    guns = {weapon.id: weapon for weapon in found.weapons if weapon.kind in ("mg", "at")}
    assert guns["at-gun"].place == f"{geo.at_area}*"
    assert guns["mg-1"].place == geo.pillbox
    assert sorted(guns[mg].place for mg in ("mg-2", "mg-3", "mg-4")) == [
        f"{area}*" for area in geo.mg_areas
    ]
    labels = {area.label for area in GAME.map.areas.values() if area.label}
    assert {"AT gun", "pillbox", "MG north", "MG west", "MG Orne"} <= labels


@pytest.mark.rule("ST-SET-15")
def test_every_bunker_area_has_a_bunker_to_clear() -> None:
    assert len(rules().geo.bunkers) == 9
    assert historical().cleared == ()


@pytest.mark.rule("ST-SET-16", "ST-SET-23")
def test_counters_lie_face_down_one_in_each_set_up_area() -> None:
    found = historical()
    counters = [unit for unit in found.units if unit.kind == "garrison"]
    geo = rules().geo
    assert sorted(unit.area for unit in counters) == list(geo.setup_areas)
    assert all(unit.face_down for unit in counters)
    assert all(unit.inside == (unit.area in geo.has_bunker) for unit in counters)
    assert sum(unit.dummy for unit in counters) == 4


@pytest.mark.rule("ST-SET-23")
def test_the_dice_say_where_the_dummies_lie_and_nobody_sees_them() -> None:
    sit = bare()
    # First dummy: area 6 of 8 (row 1, sixth); second: again until a real place; then two more.
    played = run(
        place_counters(sit, german_order().chits["B"]),
        [1, 6, 4, 6, 4, 1, 3, 2],
    )
    areas = rules().geo.setup_areas
    dummies = {u.area for u in sit.units.values() if u.dummy}
    left = [area for area in areas if area != areas[5]]
    second = left[6]
    left.remove(second)
    third = left[2]
    left.remove(third)
    assert len(left) == 5
    assert dummies == {areas[5], second, third, left[1]}
    assert all(roll.secret and roll.side == "german" for roll, _ in played.rolls)


CHITS = {
    # garrisons, dummies, Schmidt, Hickman, infantry by entry, wired of markers, tanks
    "A": (3, 5, "car", "", {}, None, 0),
    "B": (4, 4, "car", "Le Port", {}, None, 0),
    "C": (5, 3, "pillbox", "Benouville", {}, (1, 4), 0),
    "D": (5, 3, "pillbox", "Benouville", {"Benouville": 1, "Le Port": 1}, (1, 4), 0),
    "E": (5, 3, "pillbox", "Le Port", {"Le Port": 1, "Benouville": 1}, (1, 4), 0),
    "F": (5, 3, "pillbox", "Le Port", {"Le Port": 2, "Benouville": 2}, (1, 3), 0),
    "G": (5, 3, "pillbox", "Le Port", {"Le Port": 2, "Benouville": 2, "Ranville": 2}, (1, 2), 2),
    "H": (5, 3, "pillbox", "Le Port", {"Le Port": 2, "Benouville": 2, "Ranville": 2}, (1, 2), 2),
}


@pytest.mark.rule(
    "ST-SET-22", "ST-SET-24", "ST-SET-25", "ST-SET-27", "ST-SET-28", "ST-SET-29", "ST-SET-30",
    "ST-SET-31", "ST-SET-32", "ST-SET-33", "ST-MER-01", "ST-MER-02",
)  # fmt: skip
@pytest.mark.parametrize("name", CHITS)
def test_what_each_chit_sets_up(name: str) -> None:
    garrisons, dummies, schmidt, hickman, infantry, _, tanks = CHITS[name]
    chit = german_order().chits[name]
    assert (chit.garrisons, chit.dummies, chit.tanks) == (garrisons, dummies, tanks)
    assert garrisons + dummies == 8
    sit = bare()
    place_units(sit, chit)
    geo = rules().geo
    if schmidt == "pillbox":
        assert sit.units["schmidt"].area == geo.pillbox
        assert "mercedes" not in sit.units
    else:
        assert sit.units["schmidt"].status == "aboard"
        car = sit.units["mercedes"]
        assert (car.status, car.enters, car.enters_turn) == ("waiting", "Ranville", 3)
    if hickman:
        assert sit.units["hickman"].area == geo.entry(hickman)
    else:
        assert "hickman" not in sit.units
    standing = Counter(
        u.area for u in sit.units.values() if u.kind == "infantry" and u.status == "map"
    )
    assert standing == {geo.entry(entry): count for entry, count in infantry.items()}
    assert all(not u.force for u in sit.units.values())


@pytest.mark.rule("ST-SET-26", "ST-DEM-01")
@pytest.mark.parametrize("name", CHITS)
def test_the_wiring_draw(name: str) -> None:
    drawn = CHITS[name][5]
    chit = german_order().chits[name]
    sit = bare()
    if drawn is None:
        run(draw_wiring(sit, chit))
        assert (sit.demo_marker, sit.demo) == ("none", "over")
        return
    wired, markers = drawn
    assert sum(chit.wiring.values()) == markers
    found = Counter()
    for face in range(1, markers + 1 if markers > 3 else 7):
        sit = bare()
        played = run(draw_wiring(sit, chit), [face])
        found[sit.demo_marker] += 1
        assert sit.demo == "open"
        assert all(roll.secret for roll, _ in played.rolls)
    assert found["wired"] * markers == wired * sum(found.values())


@pytest.mark.rule("ST-SET-34")
def test_tanks_of_chits_g_and_h_roll_where_and_when() -> None:
    expected = [
        ("Ranville", 2),
        ("Ranville", 2),
        ("Benouville", 3),
        ("Benouville", 3),
        ("Le Port", 4),
        ("Le Port", 4),
    ]
    for face, (entry, turn) in enumerate(expected, 1):
        sit = bare(mode="variable", difficulty="hard")
        # Chit G is the fourth of D to H: then dummies, two tanks, the wiring.
        played = run(german_setup(sit, "hard"), [4, 1, 1, 1, 1, 1, face, face, 1])
        assert played.result == "G"
        tanks = [sit.units["tank-1"], sit.units["tank-2"]]
        assert [(t.enters, t.enters_turn, t.status) for t in tanks] == [
            (entry, turn, "waiting")
        ] * 2
        assert all(t.force for t in tanks)
        assert sit.units["tank-3"].status == "pool"
    sit = bare(mode="variable", difficulty="hard", chit_tanks_march=False)
    run(german_setup(sit, "hard"), [4, 1, 1, 1, 1, 1, 1, 1, 1])
    assert not sit.units["tank-1"].force


@pytest.mark.rule("ST-SET-18", "ST-SET-19", "ST-SET-20", "ST-SET-21")
@pytest.mark.parametrize(
    ("difficulty", "pool"), [("easy", "ABC"), ("medium", "ABCDEF"), ("hard", "DEFGH")]
)
def test_the_chit_is_drawn_from_the_pool_of_the_difficulty(difficulty: str, pool: str) -> None:
    drawn = []
    for face in range(1, 7):
        sit = bare(mode="variable", difficulty=difficulty)
        script = german_setup(sit, difficulty)
        asked = script.send(None)
        assert asked.secret and asked.side == "german"  # type: ignore[union-attr]
        result = asked.resolve((face,)).result  # type: ignore[union-attr]
        drawn.append(result)
    names = [pool[int(result) - 1] for result in drawn if result != "again"]
    assert set(names) == set(pool)
    assert len({names.count(name) for name in pool}) == 1


@pytest.mark.rule("ST-SET-18")
def test_a_variable_game_asks_for_its_difficulty(tells: Tells) -> None:
    assert load_prompt(["variable"]).id == "difficulty"
    with pytest.raises(FaultsError) as refused:
        ST_RULINGS.settings({"mode": "historical", "difficulty": "hard"})
    tells(refused, "variable")


@pytest.mark.rule("ST-GRN-04")
@pytest.mark.parametrize(("name", "tanks", "infantry"), [("B", 6, 12), ("E", 6, 10), ("H", 4, 6)])
def test_what_remains_of_the_counter_mix(name: str, tanks: int, infantry: int) -> None:
    sit = bare()
    place_units(sit, german_order().chits[name])
    left = Counter(u.kind for u in sit.units.values() if u.status == "pool" and u.side == "german")
    assert left["infantry"] == infantry
    assert sit.settings.german_tanks - german_order().chits[name].tanks == tanks


@pytest.mark.rule("ST-BRN-02", "ST-BRN-03", "ST-BRN-04")
def test_the_british_forces() -> None:
    sit = bare()
    forces = british_order().reinforcements.forces
    listed = {
        "A": (3, ("piat-2", "gammon-1")),
        "B": (4, ("piat-2", "piat-3", "gammon-1")),
        "C": (6, ("piat-2", "piat-3", "gammon-1", "gammon-2")),
    }
    for name, (infantry, weapons) in listed.items():
        assert arriving(sit, name) == ["coffin", *(f"coffin-{n}" for n in range(1, infantry + 1))]
        assert forces[name].weapons == weapons


@pytest.mark.rule("ST-SEQ-01")
def test_the_phases_of_a_turn() -> None:
    assert [phase.name for phase in PHASES] == [
        "glider_landing", "suppression_removal", "british_movement", "german_movement",
        "british_fire", "german_fire", "hand_to_hand", "prepared_positions", "bridge",
    ]  # fmt: skip
