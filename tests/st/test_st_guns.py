"""PIATs, the AT gun, tank cannons, and what a hit does; panic of the German column."""

from __future__ import annotations

from typing import Any

import pytest
from st_help import british, garrison, german, give, run, situation

from asl_pbcg.st.procedures.fire import Target
from asl_pbcg.st.procedures.gun_fire import Gun, attacks, fire_guns, fire_piat, piat_given, suitable
from asl_pbcg.st.rules.p5_british_fire import british_fire
from asl_pbcg.st.rules.p6_german_fire import at_guns, german_fire, heavy_guns
from asl_pbcg.st.state.game_state import PreparedPosition
from asl_pbcg.st.state.phase_situation import Situation


def fire(sit: Situation, dice: list[int], answers: list[Any]) -> Any:
    return run(british_fire(sit.rules, sit.close()), dice, answers)


def with_piat(area: str = "CAF", turn: int = 8, **settings: Any) -> Situation:
    sit = situation(turn, "british_fire", **settings)
    british(sit, area, "wood-platoon", "sapper-1", "wood")
    give(sit, "piat-1", "wood-platoon")
    sit.gun_fire_begun = True
    return sit


# -- PIAT ---------------------------------------------------------------------------------


@pytest.mark.rule("ST-PIA-01", "ST-PIA-02", "ST-PIA-03", "ST-PIA-04")
def test_who_fires_a_piat_at_what() -> None:
    sit = with_piat()
    german(sit, "XR", "tank-1", "infantry-01", "mercedes")
    german(sit, "CAF", "tank-2")
    german(sit, "BR1", "tank-3")
    piats = [a for a in attacks(sit, set()) if a.kind == "piat"]
    assert {a.target.id for a in piats} == {"tank-1", "tank-2"}
    assert all(a.firers == ("sapper-1", "wood-platoon") for a in piats)
    sit.take_off("wood-platoon", "pool")
    sit.take_off("sapper-1", "pool")
    assert not [a for a in attacks(sit, set()) if a.kind == "piat"]


@pytest.mark.rule("ST-PIA-05")
def test_the_shots_of_a_piat() -> None:
    sit = with_piat()
    german(sit, "XR", "tank-1")
    for left, status in ((1, "map"), (0, "spent")):
        sit.shots.clear()
        run(fire_piat(sit, "piat-1", "wood-platoon", "tank-1"), [1])
        assert (sit.weapons["piat-1"].charges, sit.weapons["piat-1"].status) == (left, status)
    assert not [a for a in attacks(sit, set()) if a.kind == "piat"]
    assert sit.ledger.charges == 2


@pytest.mark.rule("ST-PIA-05", "ST-FIR-02")
def test_a_piat_fires_once_a_phase_and_its_firer_nothing_else() -> None:
    sit = with_piat()
    german(sit, "XR", "tank-1", "infantry-01")
    played = fire(sit, [1, 1], ["piat-1 tank-1", "wood-platoon", "small-arms infantry-01"])
    assert played.tables == ["piat_fire", "fire_combat"]
    assert played.rolls[1][0].given["sp"] == "1-4"  # the sapper alone


@pytest.mark.rule("ST-PIA-06")
def test_several_piats_are_resolved_one_by_one() -> None:
    sit = with_piat()
    give(sit, "piat-2", "sapper-1")
    german(sit, "XR", "tank-1")
    played = fire(sit, [1, 1], ["piat-1 tank-1", "wood-platoon", "piat-2 tank-1"])
    assert played.tables == ["piat_fire", "piat_fire"]


@pytest.mark.rule("ST-PIA-07", "ST-LDR-02")
def test_a_piat_has_the_modifiers_of_small_arms() -> None:
    sit = with_piat()
    german(sit, "XR", "tank-1")
    target = Target("XR", ("tank-1",))
    found = piat_given(sit, sit.units["wood-platoon"], target)
    assert found == {
        "adjacent": True,
        "obstructed": True,
        "british_leader": True,
        "british_infantry": True,
    }
    assert piat_given(sit, sit.units["sapper-1"], target) == {"adjacent": True, "obstructed": True}
    plain = with_piat(piat_leader_drm=False)
    german(plain, "CAF", "tank-1")
    found = piat_given(plain, plain.units["wood-platoon"], Target("CAF", ("tank-1",)))
    assert found == {"obstructed": True, "british_infantry": True}


@pytest.mark.rule("ST-PIA-08", "ST-PIA-09", "ST-PIA-10", "ST-PIA-11", "ST-VIC-09")
@pytest.mark.parametrize(
    ("dice", "state"),
    [
        ([3], "map"),
        ([4], "map"),
        ([5, 3], "immobile"),
        ([5, 6], "immobile"),
        ([5, 2], "wreck"),
        ([6], "wreck"),
    ],
)
def test_what_a_piat_does(dice: list[int], state: str) -> None:
    sit = with_piat()
    sit.take_off("wood", "pool")
    german(sit, "CAF", "tank-1")
    # Same area: obstructed -1, infantry +1; the die stands as thrown.
    run(fire_piat(sit, "piat-1", "wood-platoon", "tank-1"), dice)
    tank = sit.units["tank-1"]
    assert tank.status == ("wreck" if state == "wreck" else "map")
    assert tank.immobile == (state == "immobile")
    assert sit.ledger.tanks == int(state == "wreck")


@pytest.mark.rule("ST-PIA-10", "ST-TAT-01")
def test_an_immobile_tank_still_fires() -> None:
    sit = situation(10, "german_fire")
    german(sit, "XR", "tank-1", immobile=True)
    british(sit, "CAF", "wood-platoon")
    assert run(german_fire(sit.rules, sit.close()), [1, 1]).tables == [
        "fire_combat",
        "tank_at_fire",
    ]


# -- suitable targets ---------------------------------------------------------------------


@pytest.mark.rule("ST-TAT-09", "ST-TAT-10", "ST-TAT-11", "ST-TAT-12", "ST-TAT-13")
def test_suitable_targets() -> None:
    sit = situation(8, "german_fire")
    gun = Gun("tank-1", "RD1", "tank-1")
    german(sit, "RD1", "tank-1")
    british(sit, "EF", "fox-platoon")
    british(sit, "RB", "wood-platoon")
    assert sit.geo.map.range("RD1", "RB") == 2
    near, far = sit.units["fox-platoon"], sit.units["wood-platoon"]
    assert suitable(sit, gun, near)
    assert not suitable(sit, gun, far)
    assert suitable(sit, gun, sit.change("wood-platoon", fired=8))
    assert not suitable(sit, gun, sit.change("wood-platoon", fired=7))
    assert suitable(sit, gun, sit.change("wood-platoon", fired_at=(("tank-1", 7),)))
    assert not suitable(sit, gun, sit.change("wood-platoon", fired_at=(("tank-2", 7),)))
    assert not suitable(sit, gun, sit.change("wood-platoon", fired_at=(("tank-1", 6),)))
    assert suitable(sit, gun, sit.change("wood-platoon", fired=8))
    # A vehicle on the causeway between them obstructs the sight.
    german(sit, "RD2", "mercedes")
    assert not suitable(sit, gun, sit.units["wood-platoon"])
    # Six areas away is too far, five is not.
    sit.take_off("mercedes", "pool")
    ranges = {area: sit.geo.map.range("RD1", area) for area in sit.geo.land}
    six = next(area for area, away in sorted(ranges.items()) if away == 6)
    british(sit, six, "smith-platoon", fired=8)
    assert not suitable(sit, gun, sit.units["smith-platoon"])


@pytest.mark.rule("ST-TAT-13")
def test_printed_terrain_blocks_the_sight() -> None:
    sit = situation(8)
    clear = blocked = None
    for area in sit.geo.land:
        for there in sit.geo.land:
            away = sit.geo.map.range(area, there)
            if away is None or not 2 <= away <= 5:
                continue
            through = sit.geo.map.passes(area, there)
            if any(each in sit.geo.obstructed for each in through):
                blocked = blocked or (area, there)
            else:
                clear = clear or (area, there)
    assert clear and blocked
    for (area, there), sees in ((clear, True), (blocked, False)):
        british(sit, there, "wood-platoon", fired=8)
        assert suitable(sit, Gun("tank-1", area, "tank-1"), sit.units["wood-platoon"]) == sees


@pytest.mark.rule("ST-TAT-11")
def test_who_fires_at_a_tank_is_remembered() -> None:
    sit = with_piat(turn=8)
    german(sit, "XR", "tank-1")
    played = fire(sit, [1], ["piat-1 tank-1", "wood-platoon"])
    units = {unit.id: unit for unit in played.result.units}
    assert units["wood-platoon"].fired_at == (("tank-1", 8),)
    assert units["wood-platoon"].fired == 8


# -- Tank/AT fire -------------------------------------------------------------------------


@pytest.mark.rule("ST-TAT-01", "ST-TAT-02", "ST-TAT-03", "ST-GEN-09")
def test_a_tank_fires_mg_and_cannon_without_any_crew() -> None:
    sit = situation(10, "german_fire")
    german(sit, "RD1", "tank-1")
    british(sit, "EF", "wood-platoon")
    british(sit, "RB", "fox-platoon", fired=10)
    played = run(german_fire(sit.rules, sit.close()), [1, 1])
    mg, cannon = played.rolls
    assert mg[0].id == "fire_combat" and mg[0].given["sp"] == "1-4"
    assert {d.name for d in mg[1].drm} == {"adjacent", "open"}
    assert cannon[0].id == "tank_at_fire" and cannon[0].given == {"sp": "1-2"}


@pytest.mark.rule("ST-TAT-02")
def test_mg_and_cannon_choose_for_themselves() -> None:
    sit = situation(10, "german_fire")
    german(sit, "RD1", "tank-1")
    british(sit, "EF", "wood-platoon", lost=7)
    # Adjacent units are suitable too, so the cannon has the same order of targets.
    british(sit, "S1", "fox-platoon")
    british(sit, "RB", "smith-platoon", fired=10)
    played = run(german_fire(sit.rules, sit.close()), [1, 1])
    assert "Wood platoon" in played.rolls[0][0].text
    assert "Wood platoon" in played.rolls[1][0].text
    sit.take_off("wood-platoon", "pool")
    sit.take_off("fox-platoon", "pool")
    played = run(german_fire(sit.rules, sit.close()), [1])
    assert played.tables == ["tank_at_fire"]
    assert "Smith platoon" in played.rolls[0][0].text


@pytest.mark.rule("ST-TAT-05", "ST-TAT-06", "ST-TAT-14")
def test_cannons_that_see_one_target_fire_together() -> None:
    sit = situation(10, "german_fire")
    for number, area in enumerate(("RD1", "RD2", "PB"), 1):
        german(sit, area, f"tank-{number}")
    british(sit, "EF", "wood-platoon", fired=10)
    guns = [Gun(f"tank-{n}", sit.units[f"tank-{n}"].area, f"tank-{n}") for n in (1, 2, 3)]
    seen = [suitable(sit, gun, sit.units["wood-platoon"]) for gun in guns]
    assert seen == [True, False, True]  # tank 1 itself stands in the way of tank 2
    played = run(heavy_guns(sit, guns), [1])
    assert played.rolls[0][0].given == {"sp": "1-2"}
    assert played.rolls[0][0].by == ("tank-1", "tank-3")


@pytest.mark.rule("ST-FIR-04", "ST-TAT-06", "ST-TAT-14")
def test_each_cannon_chooses_for_itself() -> None:
    """A tank with British in its own area fires there, whatever the others see. ST-FIR-04."""
    sit = situation(10, "german_fire")
    german(sit, "RD1", "tank-1")
    german(sit, "RB", "tank-2")
    british(sit, "EF", "wood-platoon", fired=10)
    british(sit, "RB", "sapper-1")
    guns = [Gun(f"tank-{n}", sit.units[f"tank-{n}"].area, f"tank-{n}") for n in (1, 2)]
    sit.put("tank-1", "PB")  # nobody stands in the way of the second tank
    guns[0] = guns[0]._replace(area="PB")
    assert all(suitable(sit, gun, sit.units["wood-platoon"]) for gun in guns)
    played = run(heavy_guns(sit, guns), [1, 1])
    assert [roll.where for roll, _ in played.rolls] == ["EF", "RB"]
    sit.take_off("sapper-1", "pool")
    (shot, _) = run(heavy_guns(sit, guns), [1]).rolls[0]
    assert shot.by == ("tank-1", "tank-2")


@pytest.mark.rule("ST-TAT-07", "ST-TAT-08", "ST-GEN-08")
def test_the_at_gun_and_its_crew() -> None:
    sit = situation(6, "german_fire")
    post = garrison(sit, "B4")
    german(sit, "B4", "infantry-01", inside=True)
    british(sit, "EF", "wood-platoon")
    (gun,) = at_guns(sit, [sit.units[post], sit.units["infantry-01"]])
    assert gun.crew == post
    played = run(german_fire(sit.rules, sit.close()), [1, 1])
    # 8 SP of the infantry and 4-3 of the crew; then the gun for itself.
    assert played.rolls[0][0].given["sp"] == "9-10"
    assert "9 SP" in played.rolls[0][0].text
    assert played.tables == ["fire_combat", "tank_at_fire"]
    sit.take_off(post, "dead")
    sit.take_off("infantry-01", "dead")
    assert run(german_fire(sit.rules, sit.close())).rolls == []


@pytest.mark.rule("ST-TAT-07")
def test_who_serves_an_mg_does_not_serve_the_at_gun() -> None:
    sit = situation(6)
    post = garrison(sit, "B4")
    sit.change_weapon("mg-2", area="B4", inside=True)
    assert at_guns(sit, [sit.units[post]]) == []


@pytest.mark.rule("ST-TAT-15", "ST-TAT-16", "ST-TAT-17", "ST-TAT-18", "ST-PRE-07")
@pytest.mark.parametrize(
    ("guns", "face", "lost", "position"),
    [
        (1, 3, 0, True),
        (1, 4, 0, True),
        (1, 5, 0, False),
        (1, 6, 1, False),
        (3, 5, 1, False),
        (5, 6, 2, False),
    ],
)
def test_what_a_shell_does_to_infantry(guns: int, face: int, lost: int, position: bool) -> None:
    sit = situation(10)
    british(sit, "EF", "wood-platoon")
    sit.positions["EF"] = PreparedPosition(area="EF")
    sit.book(positions_begun=1)
    firing = []
    for number, area in zip(range(1, guns + 1), ("RD1", "PB", "RD2", "RB", "CAF"), strict=False):
        german(sit, area, f"tank-{number}")
        firing.append(Gun(f"tank-{number}", area, f"tank-{number}"))
    run(fire_guns(sit, firing, Target("EF", ("wood-platoon",))), [face])
    assert sit.units["wood-platoon"].lost == lost
    assert not sit.units["wood-platoon"].suppressed
    assert ("EF" in sit.positions) == position


@pytest.mark.rule("ST-TAT-18", "ST-FIR-20")
def test_losses_of_a_shell_go_on_in_the_area() -> None:
    sit = situation(10)
    british(sit, "EF", "sapper-1", "wood-platoon", "wood")
    guns = [Gun(f"tank-{n}", "RD1", f"tank-{n}") for n in range(1, 4)]
    german(sit, "RD1", "tank-1")
    german(sit, "RD2", "tank-2")
    german(sit, "RB", "tank-3")
    # 3 SP, 2(H) on 7 is out of reach; 5 guns are needed: take the 5+ column by five guns.
    guns += [Gun("tank-4", "RD1", "tank-1"), Gun("tank-5", "RD1", "tank-1")]
    # The leader takes none of the 2 SP, which combat units lose; he rolls once for them.
    run(fire_guns(sit, guns, Target("EF", ("sapper-1",))), [6, 1])
    assert sit.units["sapper-1"].status == "dead"
    assert sit.units["wood-platoon"].lost == 1
    british(sit, "CAF", "sapper-2", "howard")
    played = run(fire_guns(sit, guns, Target("CAF", ("sapper-2",))), [6, 1])
    assert played.tables == ["tank_at_fire", "leader_casualty"]


@pytest.mark.rule("ST-TAT-04", "ST-TAT-16", "ST-TAT-19", "ST-VIC-07")
def test_a_captured_at_gun() -> None:
    sit = situation(8, "british_fire")
    british(sit, "B4", "wood-platoon", inside=True)
    post = garrison(sit, "B5", inside=False)
    sit.change_weapon("mg-4", area="B5", inside=False)
    german(sit, "EF", "tank-1")
    german(sit, "RD2", "tank-2", fired=8)
    sit.gun_fire_begun = True
    found = {a.id for a in attacks(sit, set()) if a.kind == "at-gun"}
    assert {f"at-gun {post}", "at-gun mg-4", "at-gun tank-1"} <= found
    played = fire(sit, [5, 1], ["at-gun mg-4", f"small-arms {post}"])
    after = {w.id: w for w in played.result.weapons}
    assert after["mg-4"].status == "destroyed"
    assert played.result.ledger.weapons_destroyed == 1
    # The crew fires its small arms too, three SP weaker: 5 of 8.
    assert played.rolls[1][0].given["sp"] == "5-8"
    assert "5 SP" in played.rolls[1][0].text
    played = fire(sit, [5], ["at-gun tank-1", "end-phase"])
    assert {u.id: u.status for u in played.result.units}["tank-1"] == "wreck"


@pytest.mark.rule("ST-LDR-03", "ST-TAT-05")
def test_no_leader_and_no_modifier_for_shells() -> None:
    sit = situation(8, "british_fire")
    british(sit, "B4", "wood-platoon", "wood", inside=True)
    german(sit, "EF", "tank-1")
    played = fire(sit, [1], ["at-gun tank-1"])
    assert played.rolls[0][1].drm == ()
    modified = situation(8, "british_fire", tank_at_drm="small_arms")
    british(modified, "B4", "wood-platoon", "wood", inside=True)
    german(modified, "EF", "tank-1")
    played = fire(modified, [1], ["at-gun tank-1"])
    assert {d.name for d in played.rolls[0][1].drm} == {
        "adjacent",
        "obstructed",
        "british_infantry",
    }


@pytest.mark.rule("ST-TAT-16", "ST-MER-07")
def test_a_shell_wrecks_the_mercedes() -> None:
    sit = situation(8)
    german(sit, "EF", "mercedes")
    sit.take_off("schmidt", "aboard")
    british(sit, "B4", "wood-platoon", inside=True)
    run(fire_guns(sit, [Gun("at-gun", "B4", "wood-platoon")], Target("EF", ("mercedes",))), [5, 6])
    assert sit.units["mercedes"].status == "wreck"
    assert sit.units["schmidt"].status == "dead"


# -- panic --------------------------------------------------------------------------------


def column(turn: int = 9) -> Situation:
    sit = with_piat(turn=turn)
    sit.gun_fire_begun = False
    for number, area in ((1, "XR"), (2, "LP4"), (3, "LP3")):
        german(sit, area, f"tank-{number}", order=number, force=True)
    return sit


@pytest.mark.rule("ST-TNK-12")
def test_only_the_first_shot_of_the_game_at_the_head_tank_tests_panic() -> None:
    sit = column()
    run(fire_piat(sit, "piat-1", "wood-platoon", "tank-1"), [6, 6])
    assert sit.units["tank-1"].status == "wreck"
    sit = column()
    played = run(fire_piat(sit, "piat-1", "wood-platoon", "tank-1"), [1])
    played = run(fire_piat(sit, "piat-1", "wood-platoon", "tank-1"), [6])
    assert "lead_tank_lost" not in played.tables
    sit = column()
    played = run(fire_piat(sit, "piat-1", "wood-platoon", "tank-2"), [6])
    assert sit.units["tank-2"].status == "wreck"
    assert "lead_tank_lost" not in played.tables


@pytest.mark.rule("ST-TNK-13", "ST-TNK-14", "ST-TNK-18")
@pytest.mark.parametrize(
    ("face", "second", "third"), [(3, "road", "road"), (4, "second", ""), (5, "", "")]
)
def test_what_panic_brings(face: int, second: str, third: str) -> None:
    sit = column()
    sit.change("tank-4", status="waiting", enters="Le Port", enters_turn=7, force=True)
    run(fire_piat(sit, "piat-1", "wood-platoon", "tank-1"), [6, face])
    assert (sit.units["tank-2"].retreat, sit.units["tank-3"].retreat) == (second, third)
    assert sit.units["tank-4"].status == ("left" if face == 3 else "waiting")
