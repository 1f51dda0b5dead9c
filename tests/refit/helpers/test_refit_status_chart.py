"""9.6056 The status chart: every row and column, and what is not on it."""

from __future__ import annotations

from typing import Any

import pytest
from refit_helpers import BRITISH, GERMAN, campaign_at, piece
from sentences import Tells

from asl_pbcg.campaign.areas.area_map import Territory
from asl_pbcg.campaign.position import Fortification
from asl_pbcg.campaign.position_words import FortificationKind
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.refit.helpers.situation import is_isolated, territory
from asl_pbcg.refit.helpers.status_chart import chart, status_chart, status_of

ENEMY, NML, UNCONTROLLED, ISOLATED, FRIENDLY = "Q12", "O11", "F4", "M12", "Y24"
"""Of the British: Germans hold Q12 and the bridge, the British M12 and a trench in Y24."""
CREWED_TANK = "Churchill VII"


def chart_state(*pieces: Piece, **fields: Any) -> Campaign:
    trench = Fortification(kind=FortificationKind.TRENCH, at="Y24", owner=BRITISH)
    return campaign_at(
        "9.606",
        *pieces,
        british=["M12", "Y24"],
        german=["Q12", "Y19", "Y20"],
        fortifications=[trench],
        **fields,
    )


def said(unit: Piece, *others: Piece, **fields: Any) -> tuple[str, str, str, str]:
    """Row, column, outcome and rule of one piece."""
    status = status_of(chart_state(unit, *others, **fields), unit)
    return status.row, status.column, status.outcome, status.rule


def test_the_places_of_these_tests_are_what_they_are_called() -> None:
    units = [
        piece(f"b{number}", BRITISH, "6-4-8", at)
        for number, at in enumerate((ENEMY, NML, UNCONTROLLED, ISOLATED, FRIENDLY))
    ]
    state = chart_state(*units)
    assert [territory(state, unit) for unit in units] == [
        Territory.ENEMY,
        Territory.NO_MANS_LAND,
        Territory.UNCONTROLLED,
        Territory.FRIENDLY,
        Territory.FRIENDLY,
    ]
    assert [is_isolated(state, unit) for unit in units] == [False, False, False, True, False]


@pytest.mark.rule("9.6056-a", "9.6056-c")
@pytest.mark.parametrize("type", ["6-4-8", "8-0", "1-4-9", "2-2-8", CREWED_TANK])
@pytest.mark.parametrize(
    ("at", "column", "outcome", "rule"),
    [
        (ENEMY, "enemy_setup_area", "must_escape", "9.606"),
        (NML, "no_mans_land", "must_escape", "9.606"),
        (UNCONTROLLED, "uncontrolled_territory", "retained_or_escape", "9.6053"),
        (ISOLATED, "isolated", "may_escape", "9.606"),
    ],
)
def test_personnel_and_mobile_vehicles(
    type: str, at: str, column: str, outcome: str, rule: str
) -> None:
    assert said(piece("b1", BRITISH, type, at)) == ("mobile", column, outcome, rule)


@pytest.mark.rule("9.6056-d")
def test_an_isolated_unit_may_stay_unless_overstacked(tells: Tells) -> None:
    unit = piece("b1", BRITISH, "6-4-8", ISOLATED)
    status = status_of(chart_state(unit), unit)
    tells(status.says, "Overstacked")


@pytest.mark.rule("9.6056-e")
@pytest.mark.parametrize(
    ("type", "status"),
    [
        ("LMG", ""),
        ("PIAT", "malfunctioned"),
        ("57L AT", "malfunctioned"),
        (CREWED_TANK, "abandoned"),
        (CREWED_TANK, "abandoned immobilized"),
    ],
)
@pytest.mark.parametrize(
    ("at", "column", "outcome", "rule", "notes"),
    [
        (ENEMY, "enemy_setup_area", "captured_or_eliminated", "9.6071", ("*",)),
        (NML, "no_mans_land", "left_unpossessed", "9.6072", ()),
        (UNCONTROLLED, "uncontrolled_territory", "left_unpossessed", "9.6072", ()),
        (ISOLATED, "isolated", "retained_by_controller", "9.6071", ()),
    ],
)
def test_unpossessed_equipment(
    type: str, status: str, at: str, column: str, outcome: str, rule: str, notes: tuple[str, ...]
) -> None:
    unit = piece("m1", BRITISH, type, at, status=status)
    assert said(unit) == ("unpossessed", column, outcome, rule)
    assert status_of(chart_state(unit), unit).notes == notes


@pytest.mark.rule("9.6056-f", "9.6056-h", "9.6056-i")
@pytest.mark.parametrize(
    ("at", "column", "outcome", "rule", "notes"),
    [
        (ENEMY, "enemy_setup_area", "captured_or_eliminated", "9.6071", ("*",)),
        (NML, "no_mans_land", "abandoned_crew_escapes", "9.6051", ("dagger",)),
        (
            UNCONTROLLED,
            "uncontrolled_territory",
            "abandoned_crew_retained_or_escapes",
            "9.6053",
            ("dagger",),
        ),
        (ISOLATED, "isolated", "retained_by_controller", "9.6071", ()),
    ],
)
def test_crewed_immobile_vehicles_without_functioning_ma(
    at: str, column: str, outcome: str, rule: str, notes: tuple[str, ...]
) -> None:
    for status in ("immobilized ma-disabled", "bogged ma-malfunctioned"):
        unit = piece("v1", BRITISH, CREWED_TANK, at, status=status)
        assert said(unit) == ("immobile_without_ma", column, outcome, rule)
        assert status_of(chart_state(unit), unit).notes == notes
    assert "Scrounge" in chart().notes["*"]
    assert "wreck" in chart().notes["dagger"]


@pytest.mark.rule("9.6056-g")
def test_functioning_guns_and_crewed_immobile_vehicles_with_functioning_ma() -> None:
    tank = piece("v1", BRITISH, CREWED_TANK, "F4", status="mired")
    gun = piece("m1", BRITISH, "57L AT", "F4")
    for unit in (tank, gun):
        assert said(unit) == ("strategic", "any_other_location", "strategic_location", "9.2")
    bypass = piece("v1", BRITISH, CREWED_TANK, "Q12", status="immobilized", bypass="Q12/Q13")
    assert said(bypass) == ("strategic", "in_bypass", "captured_or_eliminated", "9.6071")
    own = piece("v1", BRITISH, CREWED_TANK, "M12", status="immobilized", bypass="M12/M13")
    assert said(own)[1:3] == ("any_other_location", "strategic_location")


@pytest.mark.rule("9.6056-a")
def test_what_is_not_isolated_in_a_friendly_setup_area_is_not_on_the_chart() -> None:
    unit = piece("b1", BRITISH, "6-4-8", FRIENDLY)
    assert said(unit) == ("mobile", "", "retained", "9.6055")
    off_map = piece("b2", BRITISH, "6-4-8", "off-map Z28", area="Z28")
    assert said(off_map)[2] == "retained"
    assert [each.piece.id for each in status_chart(chart_state(unit, off_map))] == ["b1"]


@pytest.mark.rule("9.6056-a", "9.6053-f")
def test_what_a_unit_has_goes_with_it() -> None:
    squad = piece("b1", BRITISH, "6-4-8", NML, possesses="m1 m2")
    weapon = piece("m1", BRITISH, "LMG", NML)
    broken = piece("m2", BRITISH, "57L AT", NML, status="malfunctioned")
    carrier = piece("v1", BRITISH, "Carrier C", UNCONTROLLED, tows="m3")
    towed = piece("m3", BRITISH, "57L AT", UNCONTROLLED, status="hooked")
    tank = piece("v2", BRITISH, CREWED_TANK, NML)
    leader = piece("al", GERMAN, "9-1 Armor Leader", "Q12", aboard="v3")
    marder = piece("v3", GERMAN, "Marder", "Q12")
    prisoner = piece("p1", GERMAN, "4-6-7", NML, status="prisoner", guarded_by="b1")
    crew = piece("b2", BRITISH, "3-3-8", NML, aboard="v2")
    state = chart_state(squad, weapon, broken, carrier, towed, tank, leader, marder, prisoner, crew)
    found = {each.piece.id: each for each in status_chart(state)}
    assert {id: status.holder for id, status in found.items() if status.holder} == {
        "m1": "b1",
        "m2": "b1",
        "m3": "v1",
        "al": "v3",
        "p1": "b1",
        "b2": "v2",
    }
    for id, holder in (("m1", "b1"), ("m2", "b1"), ("m3", "v1"), ("al", "v3")):
        assert found[id].outcome == found[holder].outcome
    assert found["p1"].outcome == "prisoner"
    order = [each.piece.at for each in status_chart(state)]
    assert order == sorted(order, key=lambda at: (len(at[0]), at))


@pytest.mark.rule("9.6056-g")
def test_a_functioning_gun_does_not_go_with_its_crew() -> None:
    crew = piece("b1", BRITISH, "2-2-8", "F4", possesses="m1")
    gun = piece("m1", BRITISH, "57L AT", "F4")
    assert said(gun, crew)[2] == "strategic_location"


@pytest.mark.rule("9.6056-b")
@pytest.mark.parametrize(("date", "leaves"), [(CGDate.DAY_2, True), (CGDate.DAWN, False)])
def test_british_non_airborne_units_are_outside_the_chart_after_day_2(
    date: CGDate, leaves: bool
) -> None:
    squad = piece("b1", BRITISH, "6-4-8", NML, possesses="m1")
    weapon = piece("m1", BRITISH, "LMG", NML)
    leader = piece("b2", BRITISH, "9-1", ISOLATED)
    airborne = piece("b3", BRITISH, "6-4-8", NML, airborne=True)
    crew = piece("b4", BRITISH, "2-2-8", NML)
    german = piece("g1", GERMAN, "4-6-7", NML)
    state = chart_state(squad, weapon, leader, airborne, crew, german, date=date)
    found = {each.piece.id: each.outcome for each in status_chart(state)}
    assert (found["b1"], found["m1"], found["b2"]) == (
        ("withdrawn",) * 3 if leaves else ("must_escape", "must_escape", "may_escape")
    )
    assert {found[id] for id in ("b3", "b4", "g1")} == {"must_escape"}


@pytest.mark.finding("G-16")
@pytest.mark.rule("9.6153-a")
@pytest.mark.parametrize(
    ("fields", "stays"),
    [
        ({"formation": "Commando"}, False),
        ({"formation": "7th Battalion", "airborne": True}, True),
        ({}, False),  # the British are asked
        ({"status": "captured", "formation": ""}, False),
    ],
)
def test_a_sw_that_stays_when_its_possessor_is_withdrawn_is_not_called_withdrawn(
    fields: dict[str, Any], stays: bool
) -> None:
    squad = piece("b1", BRITISH, "6-4-8", NML, possesses="m1")
    state = chart_state(squad, piece("m1", BRITISH, "LMG", NML, **fields), date=CGDate.DAY_2)
    (found,) = [each for each in status_chart(state) if each.piece.id == "m1"]
    assert ("stays behind" in found.says) is stays
    assert ("withdrawn in 9.6153" in found.says) is True


@pytest.mark.rule("9.6058-a")
def test_a_no_move_unit_stays_wherever_it_is_before_night_2() -> None:
    unit = piece("g1", GERMAN, "4-6-7", NML, status="no-move")
    assert said(unit, date=CGDate.NIGHT_1)[2:] == ("stays", "9.6058")
    north = piece("g1", GERMAN, "4-6-7", "FF20", status="no-move")
    assert said(north, date=CGDate.NIGHT_1)[2] == "retained_or_escape"
    assert said(unit, date=CGDate.DAWN)[2] == "must_escape"


@pytest.mark.rule("9.6058-a")
def test_no_move_counters_hold_german_units_only() -> None:
    """A counter is left on a tank that the British have captured: it must leave all the same."""
    tank = piece("v1", BRITISH, "38H 735(f)", NML, status="no-move captured")
    assert said(tank, date=CGDate.NIGHT_1)[2] == "must_escape"
    squad = piece("b1", BRITISH, "6-4-8", NML, status="no-move")
    assert said(squad, date=CGDate.NIGHT_1)[2] == "must_escape"


def test_the_chart_has_every_row_and_column() -> None:
    areas = {"enemy_setup_area", "no_mans_land", "uncontrolled_territory", "isolated"}
    rows = {key: set(row.cells) for key, row in chart().rows.items()}
    assert rows == {
        "mobile": areas,
        "unpossessed": areas,
        "immobile_without_ma": areas,
        "strategic": {"in_bypass", "any_other_location"},
    }
