"""The megagame's rules, paragraph by paragraph, with dice that are typed."""

from __future__ import annotations

import pytest
from megagame_help import At, line, refusal, triggers, used
from sentences import Tells

from asl_pbcg.megagame.mega_settings import MegaValues

# -- morale -------------------------------------------------------------------------------

ANTI_ARMOUR = "anti-armour hit"
"""Why a vehicle checks morale."""


@pytest.mark.rule("MG06")
def test_elite_never_rolls(tells: Tells) -> None:
    outcome = line("morale elite")
    assert (outcome.result, outcome.rolls, outcome.thrown) == ("passes", (), 0)
    # A die that was thrown all the same does not count.
    assert line("morale elite", 1).result == "passes"
    outcome = line("barrage 155 open elite", 5)
    assert outcome.checks == ()
    tells(outcome.line, "checks")


@pytest.mark.rule("MG09")
def test_failed_on_foot_routs_off_the_table(tells: Tells) -> None:
    at = At.having('"A Coy" british green 8')
    tells(at('morale "A Coy"', 1).line, "routs")
    assert at.unit("A Coy").state == "routed"


@pytest.mark.rule("MG10")
def test_failed_occupants_abandon_a_soft_skin_vehicle() -> None:
    at = At.having("Lorries german veteran truck 6")
    assert "abandoned" in at("morale Lorries", 2).line
    assert at.unit("Lorries").state == "abandoned"


@pytest.mark.rule("MG11")
def test_failed_armour_retreats_12_in_faced_away() -> None:
    at = At.having("Tiger german green tiger")
    outcome = at("morale Tiger", 4)
    assert "retreats 12 in." in outcome.line
    assert "faced away" in outcome.line
    assert at.unit("Tiger").state == "fights"
    assert outcome.facts["retreat"] == 12


@pytest.mark.rule("MG11")
@pytest.mark.parametrize(("edge", "state"), [(11, "off_table"), (12, "fights"), (30, "fights")])
def test_armour_that_retreats_off_the_table_is_gone_for_good(edge: int, state: str) -> None:
    at = At.having("Tiger german green tiger")
    at(f"morale Tiger {edge}in", 1)
    assert at.unit("Tiger").state == state


@pytest.mark.rule("MG08")
@pytest.mark.parametrize(
    ("text", "dice", "why"),
    [
        ("barrage 105 veteran", (4,), "artillery"),
        ("air bomb hard veteran", (1,), "aircraft"),
        ("fire lmg at 6 veteran", (8, 1, 1), "casualties"),
        ("fire light_at at tiger veteran", (9, 1), ANTI_ARMOUR),
        ("fire flamethrower at 6 veteran", (1, 1, 1), "flamethrower"),
        ("ambush lmg at 6 veteran", (1, 1, 1), "ambush"),
        ("assault elite 4 at tiger veteran", (1,), "close assault"),
    ],
)
def test_the_reasons_to_check_morale(text: str, dice: tuple[int, ...], why: str) -> None:
    (reasons,) = triggers(line(text, *dice)).values()
    assert why in reasons


@pytest.mark.rule("MG08")
@pytest.mark.parametrize(
    ("text", "dice"),
    [
        ("barrage 105 veteran", (2,)),
        ("fire lmg at 6 veteran", (6, 6, 6)),
        ("fire lmg at tiger veteran", (10, 10, 10)),
        ("fire light_at at tiger veteran", (2,)),
    ],
)
def test_what_is_no_reason_to_check_morale(text: str, dice: tuple[int, ...]) -> None:
    assert line(text, *dice).checks == ()


@pytest.mark.rule("MG08")
def test_the_umpire_may_have_any_unit_check() -> None:
    at = At.having('"A Coy" british veteran 8')
    assert at.table.due == ()
    assert at('morale "A Coy"', 9, because="its HQ is gone").result == "passes"


@pytest.mark.rule("MG12")
def test_two_reasons_in_one_event_make_one_check() -> None:
    outcome = line("ambush light_at at tiger veteran", 9, 1)
    assert triggers(outcome) == {"the vehicle": (ANTI_ARMOUR, "ambush")}
    assert "one_check_per_event" in used(outcome)
    both = line("ambush light_at at tiger veteran", 9, 1, own={"one_check_per_event": False})
    assert [check.triggers for check in both.checks] == [(ANTI_ARMOUR,), ("ambush",)]


@pytest.mark.rule("MG52", "MG08")
def test_an_unknown_quality_is_asked_for_and_what_it_takes_is_told(tells: Tells) -> None:
    tells(line("barrage 105 open", 5).line, "5+", "3+", "veteran")
    tells(refusal("morale", 5), "checks")
    tells(refusal("morale at Krafft", 5), "Krafft")


# -- artillery ----------------------------------------------------------------------------


@pytest.mark.rule("MG14")
def test_the_target_must_be_seen_by_hq_or_spotter(tells: Tells) -> None:
    sentence = refusal("barrage 105 open", 5, seen=False)
    tells(sentence, "HQ", "spotter")
    outcome = line("barrage 105 open", 5, seen=False, because="wire to the church tower")
    assert outcome.result == "retreat"
    assert "Overruled" in outcome.line
    tells(outcome.line, "church")


@pytest.mark.rule("MG15")
def test_one_die_for_each_target_unit(tells: Tells) -> None:
    outcome = line("barrage 105 open", 5)
    assert [(rolled.original, rolled.final) for rolled in outcome.rolls] == [(5, 7)]
    assert "missing" in refusal("barrage 105 open")
    tells(refusal("barrage 105 open", 5, 6), "many")


@pytest.mark.rule("MG16", "MG23")
@pytest.mark.parametrize(
    ("text", "total"),
    [
        ("barrage 105", 0),
        ("barrage 106", 1),
        ("barrage 155 open", 3),
        ("barrage 155 hard", -1),
        ("barrage rocket open", 3),
        ("barrage 105 soft", 0),
        ("air bomb open", 5),
        ("air open", 4),
        ("air rocket hard", 1),
        ("air 20 open", 3),
    ],
)
def test_artillery_modifiers_add_up(text: str, total: int) -> None:
    (rolled,) = line(text, 3).rolls
    assert rolled.total_drm == total


@pytest.mark.rule("MG17")
@pytest.mark.parametrize(
    ("calibre", "smaller", "larger"), [(37, -1, 0), (75, -1, -1), (76, 0, -1), (155, 1, 0)]
)
def test_the_75_mm_modifier_is_read_as_the_setting_says(
    calibre: int, smaller: int, larger: int
) -> None:
    text = f"barrage {calibre}"
    assert line(text, 3).rolls[0].total_drm == smaller
    other = line(text, 3, own={"gun_75_reading": "larger"})
    assert other.rolls[0].total_drm == larger
    # At 75 mm the two readings agree, so the answer does not rest on one of them.
    assert ("gun_75_reading" in used(line(text, 3))) == (calibre != 75)


@pytest.mark.rule("MG18", "MG19", "MG20", "MG21")
@pytest.mark.parametrize("die", range(1, 11))
def test_a_unit_that_a_barrage_affects_checks(die: int) -> None:
    outcome = line("barrage 105 veteran", die)
    assert (outcome.result != "no_effect") == bool(outcome.checks) == (die > 2)


@pytest.mark.rule("MG20")
def test_destroyed_from_11_is_a_house_value_that_says_so(tells: Tells) -> None:
    outcome = line("barrage 155 open at veteran 8", 8)
    assert outcome.result == "destroyed"
    tells(outcome.line, "destroyed from", "11")
    assert outcome.checks == ()
    kept = line("barrage 155 open at veteran 8", 8, own={"destroyed_from": "none"})
    assert kept.result == "retreat_with_casualties"
    tells(kept.line, "destroyed from")


@pytest.mark.rule("MG19")
@pytest.mark.parametrize(("die", "lost"), [(9, 1), (10, 2)])
def test_retreat_with_casualties_takes_figures(die: int, lost: int) -> None:
    outcome = line("barrage 105 at veteran 8", die)
    assert sum(loss.figures for loss in outcome.losses) == lost
    assert {"casualties_from", "destroyed_from"} <= used(outcome)
    assert outcome.facts["retreat"] == 6


@pytest.mark.rule("MG22")
def test_open_and_hard_cover_together_are_refused(tells: Tells) -> None:
    tells(refusal("barrage 105 open hard", 5), "cover")
    tells(refusal("barrage 105 open hard", 5, because="both"), "cover")


@pytest.mark.rule("MG24")
def test_a_suppressed_unit_neither_moves_nor_fires_until_its_marker_goes(tells: Tells) -> None:
    at = At.having('"A Coy" british veteran 8', "Krafft german veteran 8")
    assert "suppress_effect" in used(at('barrage 105 at "A Coy"', 4))
    at('morale "A Coy"', 9)
    at.phase("allied")
    tells(refusal('move "A Coy"', at=at), "suppressed")
    at.phase("direct_fire")
    tells(refusal('fire "A Coy" rifles at Krafft', at=at), "suppressed")
    at.phase("turn")
    assert not at.unit("A Coy").suppressed
    at.phase("allied")
    at('move "A Coy"')


@pytest.mark.rule("MG24")
def test_the_effect_of_suppress_is_a_setting() -> None:
    at = At.having('"A Coy" british veteran 8', own={"suppress_effect": "no_move"})
    at('barrage 105 at "A Coy"', 4)
    at('morale "A Coy"', 9)
    at.phase("direct_fire")
    assert at('fire "A Coy" lmg', 1, 2, 9).facts["hits"] == 1


@pytest.mark.rule("MG20", "MG40")
def test_a_barrage_on_armour_is_a_light_hit() -> None:
    outcome = line("barrage 155 tiger veteran", 10, 10)
    assert outcome.result == "destroyed"
    assert [rolled.table for rolled in outcome.rolls] == ["mega.barrage", "mega.armour"]
    assert outcome.rolls[1].final == 10 + 1 - 5
    assert "barrage_on_vehicles" in used(outcome)
    assert triggers(outcome)["the vehicle"] == (ANTI_ARMOUR, "artillery")


# -- air and flak -------------------------------------------------------------------------


@pytest.mark.rule("MG25")
def test_an_air_attack_uses_the_barrage_table(tells: Tells) -> None:
    outcome = line("air bomb hard veteran", 5)
    assert outcome.rolls[0].table == "mega.barrage"
    assert [drm.name for drm in outcome.rolls[0].drm] == ["hard_cover", "big", "aircraft"]
    tells(outcome.line, "air uses barrage table")


@pytest.mark.rule("MG26")
def test_a_target_of_aircraft_checks_even_on_no_effect() -> None:
    outcome = line("air hard veteran", 1)
    assert outcome.result == "no_effect"
    assert triggers(outcome) == {"the target": ("aircraft",)}
    assert "aircraft_check_on_no_effect" in used(outcome)
    assert line("air hard veteran", 1, own={"aircraft_check_on_no_effect": False}).checks == ()


@pytest.mark.rule("MG27")
@pytest.mark.parametrize(
    ("flak", "says", "attacks"),
    [(6, "no effect", True), (7, "leaves", False), (10, "shot down", False)],
)
def test_flak_rolls_before_the_attack(flak: int, says: str, attacks: bool) -> None:
    outcome = line("air bomb open veteran flak light 20", flak, *([1] if attacks else []))
    assert says in outcome.line
    assert bool(outcome.checks) == attacks
    assert "flak_reach.light" in used(outcome)


@pytest.mark.rule("MG27")
def test_each_flak_weapon_in_reach_rolls_and_the_worst_result_holds(tells: Tells) -> None:
    outcome = line("flak light 24 light 25 heavy 36 heavy 37", 8, 10)
    assert [rolled.result for rolled in outcome.rolls] == ["driven_off", "shot_down"]
    assert outcome.result == "shot_down"
    tells(outcome.line, "reach")


@pytest.mark.rule("MG14", "MG25")
def test_air_attacks_need_a_spotter_only_if_the_settings_say_so() -> None:
    outcome = line("air bomb open", 3, seen=False)
    assert "air_spotting" in used(outcome)
    assert refusal("air bomb open", 3, seen=False, at=At({"air_spotting": "needed"}, turn=0))


# -- ambush -------------------------------------------------------------------------------


@pytest.mark.rule("MG28")
@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ("covered", "not in a covered position"),
        ("unseen", "has been seen"),
        ("still", "moved in the turn before"),
        ("in_front", "not in the ambush zone in front"),
    ],
)
def test_a_refused_ambush_says_which_condition_failed(wrong: str, says: str) -> None:
    sentence = refusal("ambush lmg at 6 green", 9, 9, 9, **{wrong: False})
    assert says in sentence
    others = {"covered position", "been seen", "turn before", "in front"}
    assert sum(word in sentence for word in others) == 1


@pytest.mark.rule("MG28")
def test_all_failed_conditions_are_told_at_once(tells: Tells) -> None:
    sentence = refusal("ambush lmg at 6 green", covered=False, unseen=False)
    assert "covered position" in sentence
    tells(sentence, "seen")


@pytest.mark.rule("MG28")
def test_a_unit_that_moved_the_turn_before_cannot_ambush(tells: Tells) -> None:
    at = At.having("Grenadiers german veteran 8")
    at.phase("german").__call__("move Grenadiers")
    at.phase("turn").phase("allied")
    tells(refusal("ambush Grenadiers lmg at 6 green", at=at), "moved")
    at.phase("turn").phase("allied")
    assert at("ambush Grenadiers lmg at 6 green", 9, 1, 1).facts["hits"] == 1


@pytest.mark.rule("MG29")
def test_ambush_fire_has_its_bonus(tells: Tells) -> None:
    outcome = line("ambush lmg", 5, 4, 1)
    assert outcome.facts["hits"] == 1
    tells(outcome.line, "weapon dice", "ambush bonus", "LMG: 3", "2")
    assert line("ambush lmg", 5, 4, 1, own={"ambush_bonus": 3}).facts["hits"] == 2


@pytest.mark.rule("MG30")
def test_an_ambushed_unit_checks_even_if_missed() -> None:
    outcome = line("ambush lmg at 8 veteran", 1, 1, 1)
    assert outcome.facts["hits"] == 0
    assert triggers(outcome) == {"the target": ("ambush",)}


@pytest.mark.rule("MG31")
def test_an_ambush_ends_movement_as_the_setting_says(tells: Tells) -> None:
    outcome = line("ambush lmg at 8 veteran", 1, 1, 1)
    tells(outcome.line, "movement")
    assert "ambush_stops_movement" in used(outcome)
    other = line("ambush lmg at 8 veteran", 1, 1, 1, own={"ambush_stops_movement": False})
    tells(other.line, "completed")


# -- direct fire --------------------------------------------------------------------------


@pytest.mark.rule("MG32")
def test_7_or_more_after_modifiers_hits() -> None:
    assert line("fire 3 lmg", 7, 6, 10, 1, 2, 3, 4, 5, 8).facts["hits"] == 3
    assert line("fire lmg at 9 hard", 8, 9, 7).facts["hits"] == 1


@pytest.mark.rule("MG32", "MG36")
def test_modifiers_are_listed_with_their_house_values() -> None:
    outcome = line("fire 1 rifle elite 9in moved at 8 green soft", 7)
    assert [(drm.name, drm.value) for drm in outcome.rolls[0].drm] == [
        ("short_range", 1),
        ("soft_cover", -1),
        ("firer_moved", -1),
        ("elite_firer", 1),
    ]
    for name in ("short_range", "soft_cover", "firer_moved", "elite_firer"):
        assert f"fire_modifiers.{name}" in used(outcome)


@pytest.mark.rule("MG36")
def test_a_natural_10_hits_by_a_house_value() -> None:
    outcome = line("fire 1 rifle green moved at 8 hard", 10)
    assert outcome.rolls[0].final == 6
    assert outcome.rolls[0].result == "hit"  # as it is counted
    assert outcome.facts["hits"] == 1
    assert "natural_10_hits" in used(outcome)
    own = {"natural_10_hits": False}
    assert line("fire 1 rifle green moved at 8 hard", 10, own=own).facts["hits"] == 0


@pytest.mark.rule("MG36")
def test_dice_and_ranges_of_weapons_are_house_values(tells: Tells) -> None:
    outcome = line("fire 2 rifles 18in", 7, 7)
    assert {"weapon_dice.rifle", "weapon_range.rifle"} <= used(outcome)
    tells(refusal("fire 2 rifles 19in", 7, 7), "reaches 18", "19")
    assert len(line("fire mmg", 1, 2, 3, 4).rolls) == 4
    assert len(line("fire 2 smg", 1, 2, 3, 4).rolls) == 4


@pytest.mark.rule("MG34")
def test_hits_on_a_building_are_rolled_again_and_only_a_10_stands() -> None:
    outcome = line("fire 3 rifles elite at 8 green building", 7, 9, 3, 10, 9)
    assert outcome.facts["hits"] == 1
    again = [rolled for rolled in outcome.rolls if rolled.table == "mega.building"]
    assert [rolled.original for rolled in again] == [10, 9]
    assert all(rolled.drm == () for rolled in again)
    # No hit, no re-roll.
    assert len(line("fire 3 rifles at 8 building", 1, 2, 3).rolls) == 3


@pytest.mark.rule("MG35")
@pytest.mark.parametrize(("figures", "left"), [(6, 3), (3, 0), (2, 0)])
def test_each_hit_takes_a_figure_and_none_below_zero(figures: int, left: int) -> None:
    at = At()
    at(f"unit Krafft german green {figures}")
    at.phase("direct_fire")
    outcome = at("fire lmg at Krafft", 7, 8, 9)
    assert sum(loss.figures for loss in outcome.losses) == min(3, figures)
    at.phase("turn")
    assert at.unit("Krafft").figures == left
    assert at.unit("Krafft").state == ("fights" if left else "destroyed")


@pytest.mark.rule("MG33")
def test_fire_is_simultaneous(tells: Tells) -> None:
    at = At.having("Paras british elite 6", "Krafft german green 6", phase="direct_fire")
    at("fire Paras rifles at Krafft", 10, 10, 10, 10, 10, 10)
    assert (at.unit("Krafft").figures, at.unit("Krafft").standing) == (6, 0)
    # All six still fire.
    assert len(at("fire Krafft rifles at Paras", *[8] * 6).rolls) == 6
    outcome = at("next")
    tells(outcome.line, "Paras 6", "Krafft")
    assert [at.unit(name).state for name in ("Paras", "Krafft")] == ["destroyed", "destroyed"]


@pytest.mark.rule("MG33", "MG07")
def test_a_unit_that_routs_under_fire_still_fires_in_that_phase(tells: Tells) -> None:
    at = At.having("Paras british elite 6", "Krafft german green 6", phase="direct_fire")
    assert triggers(at("fire Paras lmg at Krafft", 8, 1, 1)) == {"Krafft": ("casualties",)}
    tells(at("morale", 1).line, "fire")
    assert at("fire Krafft rifles at Paras", *[1] * 6).result == "miss"
    at("next")
    assert at.unit("Krafft").state == "routed"
    tells(refusal("fire Krafft rifles at Paras", at=at, because="no"), "game")


def test_fire_at_the_own_side_is_refused() -> None:
    at = At.having("Paras british elite 6", "Staffords british veteran 6", phase="direct_fire")
    assert "same side" in refusal("fire Paras rifles at Staffords", at=at)


# -- soft skin ----------------------------------------------------------------------------


@pytest.mark.rule("MG37")
def test_three_small_arms_hits_in_a_turn_knock_out_a_soft_skin_vehicle(tells: Tells) -> None:
    at = At.having("Lorries german veteran truck 6", phase="direct_fire")
    tells(at("fire lmg at Lorries", 7, 8, 1, 1, 1).line, "3 small", "2")
    assert not at.unit("Lorries").going
    tells(at("fire 1 rifle at Lorries", 9, 1).line, "3 small")
    at.phase("turn")
    assert at.unit("Lorries").state == "knocked_out"


@pytest.mark.rule("MG37")
def test_the_count_of_hits_begins_anew_each_turn(tells: Tells) -> None:
    at = At.having("Lorries german veteran truck 6", phase="direct_fire")
    at("fire lmg at Lorries", 7, 8, 1, 1, 1)
    at.phase("turn").phase("direct_fire")
    tells(at("fire 1 rifle at Lorries", 9, 1).line, "3 small", "1")


@pytest.mark.rule("MG38")
def test_occupants_are_rolled_for_every_hit() -> None:
    outcome = line("fire lmg at truck veteran 6", 7, 8, 9, 7, 6, 10)
    rolls = [rolled.original for rolled in outcome.rolls if rolled.table == "mega.occupants"]
    assert rolls == [7, 6, 10]
    assert sum(loss.figures for loss in outcome.losses) == 2
    assert "occupant_casualty_on" in used(outcome)


@pytest.mark.rule("MG38", "MG08")
def test_occupants_who_take_casualties_check_as_the_setting_says() -> None:
    outcome = line("fire 1 rifle at truck veteran 6", 8, 9)
    assert triggers(outcome) == {"the vehicle": ("casualties",)}
    assert (
        line("fire 1 rifle at truck veteran 6", 8, 9, own={"embarked_check": "none"}).checks == ()
    )


@pytest.mark.rule("MG39")
@pytest.mark.parametrize(("die", "result"), [(5, "holds"), (6, "knocked_out")])
def test_an_anti_armour_hit_on_soft_skin_is_rolled_like_armour_and_for_occupants(
    die: int, result: str
) -> None:
    outcome = line("armour light truck veteran", die, 8)
    assert outcome.result == result
    assert [rolled.table for rolled in outcome.rolls] == ["mega.armour", "mega.occupants"]


# -- armour -------------------------------------------------------------------------------


@pytest.mark.rule("MG40")
@pytest.mark.parametrize(
    ("text", "die", "final", "out"),
    [
        ("armour light medium_tank", 9, 7, True),
        ("armour light medium_tank", 8, 6, False),
        ("armour heavy tiger", 7, 7, True),
        ("armour medium panther", 7, 6, False),
        ("armour piat sherman", 7, 7, True),
    ],
)
def test_d10_less_class_plus_modifier_of_7_knocks_out(
    text: str, die: int, final: int, out: bool
) -> None:
    outcome = line(text, die)
    assert outcome.rolls[0].final == final
    assert outcome.result == ("knocked_out" if out else "holds")
    assert any(name.startswith("armour_class.") for name in used(outcome))
    assert any(name.startswith("anti_armour.") for name in used(outcome))


@pytest.mark.rule("MG40")
def test_each_anti_armour_hit_is_rolled() -> None:
    outcome = line("armour heavy tiger 3", 1, 7, 2)
    assert len(outcome.rolls) == 3
    assert outcome.result == "knocked_out"


@pytest.mark.rule("MG41")
def test_armour_that_is_hit_and_not_knocked_out_checks_morale() -> None:
    assert triggers(line("armour light tiger veteran", 9)) == {"the vehicle": (ANTI_ARMOUR,)}
    assert line("armour heavy tiger veteran", 9).checks == ()


def test_weapons_without_anti_armour_value_do_nothing_to_armour(tells: Tells) -> None:
    outcome = line("fire lmg at tiger veteran", 10, 10, 10)
    assert "do nothing" in outcome.line
    tells(refusal("armour rifle tiger", 10), "anti-armour")


# -- close assault ------------------------------------------------------------------------


@pytest.mark.rule("MG42")
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("assault veteran 4 2in tiger", "Only elite units"),
        ("assault elite 4 4in tiger", "within 3 in."),
        ("assault elite 2 2in tiger", "At least 3 figures"),
        ("assault elite 4 2in", "against vehicles"),
    ],
)
def test_a_refused_close_assault_says_why(text: str, says: str) -> None:
    assert says in refusal(text, 9)


@pytest.mark.rule("MG42", "MG43")
def test_close_assault_is_one_light_hit_and_then_a_morale_check() -> None:
    outcome = line("assault elite 3 3in at tiger veteran", 9)
    (rolled,) = outcome.rolls
    assert rolled.final == 9 + 1 - 5
    assert triggers(outcome) == {"the vehicle": (ANTI_ARMOUR, "close assault")}
    assert line("assault elite 3 at half_track veteran", 7).result == "knocked_out"


@pytest.mark.rule("MG42")
def test_a_vehicle_makes_no_close_assault(tells: Tells) -> None:
    at = At.having("Firefly british elite firefly", "Tiger german veteran tiger", phase="allied")
    tells(refusal("assault Firefly 3 2in at Tiger", 9, at=at), "Firefly", "vehicle")
    at("assault Firefly 3 2in at Tiger", 9, because="its crew has got out")


def test_dice_that_are_not_those_of_the_weapons_named_are_refused(tells: Tells) -> None:
    said = "fire 6 rifles at 8 green"
    assert len(line(said, 7, 9, 3, 1, 1, 1).rolls) == 6
    tells(refusal(said, dice=3), "6", "3")
    assert len(line(said, 7, 9, 3, dice=3, because="smoke").rolls) == 3
    assert len(line("fire lmg at 8 green", 7, dice=1).rolls) == 1  # how many is not said


@pytest.mark.rule("MG42")
def test_close_assaults_belong_to_the_phase_of_the_setting(tells: Tells) -> None:
    at = At.having("Paras british elite 6", "Tiger german veteran tiger")
    assert "belongs to" in refusal("assault Paras at Tiger", at=at)
    at.phase("allied")
    assert at("assault Paras 2in at Tiger", 3).result == "holds"
    other = At({"assault_phase": "direct_fire"})
    other.phase("allied")
    tells(refusal("assault elite 3 at tiger", at=other), "Direct")


# -- the umpire ---------------------------------------------------------------------------


@pytest.mark.rule("MG03")
def test_any_modifier_may_be_added_with_a_reason(tells: Tells) -> None:
    outcome = line("barrage 105 open veteran", 5, modifier=-2, because="ranging shots")
    assert outcome.rolls[0].final == 5
    assert "-2 the umpire" in outcome.line
    tells(outcome.line, "ranging")
    tells(refusal("barrage 105 open veteran", 5, modifier=-2), "reason")


@pytest.mark.rule("MG03")
@pytest.mark.parametrize(
    ("text", "dice", "result", "comes"),
    [
        ("barrage 105 veteran", (1,), "retreat", "retreat"),
        ("air bomb veteran", (10,), "no effect", "no_effect"),
        ("flak light", (1,), "shot_down", "shot_down"),
        ("armour light tiger", (1,), "knocked out", "knocked_out"),
        ("assault elite 3 tiger", (1,), "knocked_out", "knocked_out"),
        ("morale green", (1,), "passes", "passes"),
        ("fire lmg at 8 green", (1, 1, 1), "2", "hit"),
    ],
)
def test_any_result_may_be_overruled_with_a_reason(
    tells: Tells, text: str, dice: tuple[int, ...], result: str, comes: str
) -> None:
    outcome = line(text, *dice, result=result, because="the umpire saw it")
    assert outcome.result == comes
    assert len(outcome.overruled) == 1
    assert "Overruled:" in outcome.line
    tells(refusal(text, *dice, result=result), "reason")
    assert "is not a" in refusal(text, *dice, result="nonsense", because="x")


@pytest.mark.rule("MG52")
@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("morale veterann", "veteran"),
        ("fire 6 bazokas at tiger", "bazooka"),
        ("armour light tigre", "tiger"),
        ("barrage 105 opne", "open"),
    ],
)
def test_an_unknown_word_is_refused_with_the_nearest(text: str, near: str) -> None:
    sentence = refusal(text, 5)
    assert "not understood" in sentence
    assert near in sentence


def test_every_setting_is_used_somewhere_in_the_rules() -> None:
    from pathlib import Path

    import asl_pbcg.megagame as room

    code = "".join(path.read_text() for path in Path(next(iter(room.__path__))).glob("*.py"))
    from asl_pbcg.kernel.data import data_path

    code += data_path("megagame/tables.yaml").read_text()
    assert [key for key in MegaValues.__struct_fields__ if key not in code] == []
