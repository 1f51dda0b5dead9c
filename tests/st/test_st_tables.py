"""Every cell and every modifier of the area game's tables, against a second typed copy."""

from __future__ import annotations

from fractions import Fraction

import pytest

from asl_pbcg.kernel.data import load_data
from asl_pbcg.st.settings import ST_RULINGS
from asl_pbcg.st.state.area_tables import fire_line, odds, read_hit, st_tables, table

# -- the fire table -----------------------------------------------------------------------

# One line a die row from <=0 to >=7, as the five columns stand in print.
PRINTED = """
-     -     -     -  -
-     -     S     S  S
-     -     S     S  1
-     S     S     1  1
S     S     1(H)  1  2
S(H)  1(H)  1(H)  2  2
1(H)  1(H)  2(H)  2  3
1(H)  2(H)  2(H)  3  4
"""
COLUMNS = {
    name: [line.split()[at] for line in PRINTED.strip().splitlines()]
    for at, name in enumerate("abcde")
}
COLUMNS["f"] = ["-", "1", "1", "2", "2", "3", "4", "5"]
COLUMNS["z"] = ["-", "-", "-", "-", "-", "S", "S(H)", "1(H)"]

SMALL_ARMS = ["1-4", "5-8", "9-10", "11-14", "15-20", "21+"]
READINGS = {
    "trailing_lost": ("abcdef", "abc", "a", "a"),
    "leading_lost": ("zabcde", "abc", "z", "z"),
    "trailing_lost_literal_tank": ("abcdef", "bcd", "a", "a"),
}


def finals() -> list[tuple[int, int]]:
    """Final die rolls and the row of the copy they belong to."""
    return [(final, min(max(final, 0), 7)) for final in range(-3, 12)]


@pytest.mark.rule("ST-FIR-06", "ST-FIR-16")
@pytest.mark.parametrize("reading", READINGS)
def test_every_cell_of_the_small_arms_line(reading: str) -> None:
    letters = READINGS[reading][0]
    line = fire_line("smallarms", reading)
    for name, letter in zip(SMALL_ARMS, letters, strict=True):
        for final, row in finals():
            found = line.table.result(line.table.row(final, {"sp": name}), {"sp": name})
            assert found == COLUMNS[letter][row], (name, final)


@pytest.mark.rule("ST-TAT-05", "ST-PIA-08", "ST-GAM-07")
@pytest.mark.parametrize("reading", READINGS)
def test_every_cell_of_the_gun_lines(reading: str) -> None:
    _, tank_at, piat, gammon = READINGS[reading]
    line = fire_line("tank_at", reading)
    for name, letter in zip(["1-2", "3-4", "5+"], tank_at, strict=True):
        for final, row in finals():
            found = line.table.result(line.table.row(final, {"sp": name}), {"sp": name})
            assert found == COLUMNS[letter][row]
    for weapon, letter in (("piat", piat), ("gammon", gammon)):
        grid = fire_line(weapon, reading).table
        for final, row in finals():
            assert grid.row(final, {}).result == COLUMNS[letter][row]


@pytest.mark.rule("ST-FIR-06")
@pytest.mark.parametrize(
    ("sp", "column"),
    [(1, "1-4"), (4, "1-4"), (5, "5-8"), (8, "5-8"), (9, "9-10"), (10, "9-10"), (11, "11-14"),
     (14, "11-14"), (15, "15-20"), (20, "15-20"), (21, "21+"), (60, "21+")],
)  # fmt: skip
def test_column_of_a_strength(sp: int, column: str) -> None:
    assert fire_line("smallarms", "trailing_lost").column(sp) == column


@pytest.mark.rule("ST-TAT-05")
@pytest.mark.parametrize(
    ("guns", "column"), [(1, "1-2"), (2, "1-2"), (3, "3-4"), (4, "3-4"), (5, "5+"), (7, "5+")]
)
def test_column_of_guns(guns: int, column: str) -> None:
    assert fire_line("tank_at", "trailing_lost").column(guns) == column


FIRE_DRM = {
    "adjacent": -1,
    "obstructed": -1,
    "bunker": -1,
    "prepared_position": -1,
    "opportunity_fire": -1,
    "german_leader": -1,
    "german_leader_helps": 1,
    "british_leader": 1,
    "open": 1,
    "british_infantry": 1,
}


@pytest.mark.rule(
    "ST-FIR-07", "ST-FIR-08", "ST-FIR-09", "ST-FIR-10", "ST-FIR-11", "ST-FIR-12", "ST-FIR-13",
    "ST-FIR-14", "ST-FIR-15", "ST-FIR-16",
)  # fmt: skip
@pytest.mark.parametrize("line", ["smallarms", "piat", "tank_at"])
def test_every_fire_modifier_and_their_sum(line: str) -> None:
    grid = fire_line(line, "trailing_lost").table
    column = {"sp": next(iter(grid.columns["sp"]))} if grid.columns else {}
    assert {name: mod.value for name, mod in grid.drm.items()} == FIRE_DRM
    for name, value in FIRE_DRM.items():
        rolled = grid.resolve((3,), {name: True, **column})
        assert [drm.value for drm in rolled.drm] == [value]
        assert rolled.final == 3 + value
    everything = grid.resolve((3,), {**dict.fromkeys(FIRE_DRM, True), **column})
    assert everything.final == 3 + sum(FIRE_DRM.values())


@pytest.mark.rule("ST-GAM-07")
def test_gammon_has_no_modifiers() -> None:
    assert not fire_line("gammon", "trailing_lost").table.drm


# -- grenades, hand-to-hand ---------------------------------------------------------------

GRENADES = """
-  -  -     -     -
-  -  -     S     S
-  -  S     S     S
-  S  S     1     2
S  S  1     1     2
S  1  1     2     3
S  1  1(H)  2(H)  3
"""
GRENADE_COLUMNS = ["adjacent_open", "adjacent_obstructed", "same_open", "same_obstructed", "bunker"]


@pytest.mark.rule("ST-GRE-06")
def test_every_cell_of_the_grenade_table() -> None:
    grid = table("grenade")
    for number, line in enumerate(GRENADES.strip().splitlines(), 1):
        for name, cell in zip(GRENADE_COLUMNS, line.split(), strict=True):
            finals = [number, 8, 9] if number == 7 else [number]
            for final in finals:
                assert grid.result(grid.row(final, {}), {"at": name}) == cell
    assert grid.resolve((6,), {"at": "bunker", "leader": True}).final == 7
    assert set(grid.drm) == {"leader"}


MELEE = """
E:-    HE:-   HE:HE  HE:HE  -:HE   HE:E
HE:-   ENG    ENG    ENG    ENG    -:E
ENG    ENG    ENG    HE:HE  HE:E   -:E
ENG    HE:HE  -:HE   HE:E   -:E    -:E
HE:HE  HE:E   HE:E   -:E    -:E    -:E
-:HE   -:E    -:E    -:E    -:E    -:E
"""
MELEE_COLUMNS = ["<=1:2", "1:1", "3:2", "2:1", "3:1", ">=4:1"]
MELEE_DRM = {
    "tank": -1,
    "british_suppressed": -1,
    "german_suppressed": 1,
    "german_leader": -1,
    "british_leader": 1,
    "british_entered_cover": -1,
    "german_entered_cover": 1,
    "no_sapper_or_hq": 1,
    "all_garrison": 1,
    "british_wounded": -1,
    "german_wounded": 1,
    "wounded": -1,
}


@pytest.mark.rule("ST-H2H-03")
def test_every_cell_of_the_hand_to_hand_table() -> None:
    grid = table("hand_to_hand")
    for number, line in enumerate(MELEE.strip().splitlines(), 1):
        for name, cell in zip(MELEE_COLUMNS, line.split(), strict=True):
            finals = {1: [-3, 0, 1], 6: [6, 7, 11]}.get(number, [number])
            for final in finals:
                assert grid.result(grid.row(final, {}), {"odds": name}) == cell


@pytest.mark.rule(
    "ST-H2H-04", "ST-H2H-05", "ST-H2H-06", "ST-H2H-07", "ST-H2H-08", "ST-H2H-09", "ST-H2H-10",
    "ST-H2H-11", "ST-H2H-12", "ST-H2H-13",
)  # fmt: skip
def test_every_hand_to_hand_modifier() -> None:
    grid = table("hand_to_hand")
    assert {name: mod.value for name, mod in grid.drm.items()} == MELEE_DRM
    for name, value in MELEE_DRM.items():
        assert grid.resolve((3,), {name: True, "odds": "1:1"}).final == 3 + value


# -- tables with one column ---------------------------------------------------------------

PLAIN = {
    "leader_casualty": ["-", "-", "-", "W", "W", "K"],
    "glider.lost": ["none_lost"] * 5 + ["one_lost"],
    "glider.which_lost": ["first", "first", "second", "second", "third", "third"],
    "glider.entry": ["west"] * 3 + ["east"] * 3,
    "glider.arrow": ["blue"] * 3 + ["red"] * 3,
    "glider.crash": ["safe"] * 5 + ["crashed"],
    "glider.crash_losses": ["0", "3", "4", "5", "7", "all"],
    "suppression_removal.british": ["recovers"] * 4 + ["stays"] * 2,
    "suppression_removal.german": ["recovers"] * 3 + ["stays"] * 3,
    "suppression_removal.garrison": ["recovers"] * 2 + ["stays"] * 4,
    "bunker_clearing": ["cleared_pow", "cleared", "cleared", "cleared", "cleared", "cleared_loss"],
    "garrison_activation": ["no_opportunity_fire"] * 3 + ["normal"] * 3,
    "british_reinforcement.optional": ["A", "A", "B", "B", "C", "C"],
    "tank_entry": ["ranville", "ranville", "benouville", "benouville", "le_port", "le_port"],
    "german_entry": ["le_port"] * 4 + ["benouville"] * 2,
    "mercedes_speed": ["3"] * 3 + ["5"] * 3,
    "spotting.infantry": ["-"] * 3 + ["spots"] * 3,
    "spotting.tank": ["-"] * 4 + ["spots"] * 2,
    "prepared_position_tank": ["stays"] * 2 + ["breaks_through"] * 4,
    "lead_tank_lost": ["all_retreat"] * 3 + ["second_retreats", "-", "-"],
    "off_road": ["stuck"] * 3 + ["goes_on"] * 3,
    "stuck_tank": ["halts"] * 4 + ["crew_panics"] * 2,
    "demolition": ["destroyed"] * 3 + ["damaged", "malfunction", "malfunction"],
    "damaged_bridge": ["-"] * 4 + ["breaks"] * 2,
    "piat_hit": ["wrecked"] * 2 + ["immobile"] * 4,
}


@pytest.mark.rule(
    "ST-LDR-07", "ST-GLI-02", "ST-GLI-03", "ST-GLI-05", "ST-GLI-11", "ST-GLI-21", "ST-GLI-22",
    "ST-SUP-06", "ST-SUP-07", "ST-SUP-08", "ST-BUN-03", "ST-BUN-04", "ST-BUN-05", "ST-GAR-04",
    "ST-BRN-08", "ST-SET-34", "ST-GRN-05", "ST-MER-03", "ST-GRN-07", "ST-TNK-09", "ST-TNK-10",
    "ST-TNK-13", "ST-TNK-14", "ST-TNK-15", "ST-TNK-16", "ST-TNK-18", "ST-DEM-08", "ST-DEM-10",
    "ST-DEM-13", "ST-DEM-11", "ST-PIA-10",
)  # fmt: skip
@pytest.mark.parametrize("name", PLAIN)
def test_every_row_of_the_tables_with_one_column(name: str) -> None:
    assert [table(name).resolve((face,), {}).result for face in range(1, 7)] == PLAIN[name]


MODIFIED = {
    "suppression_removal.british": ("leader", True, -1),
    "suppression_removal.german": ("leader", True, -1),
    "suppression_removal.garrison": ("leader", True, -1),
    "glider.crash": ("landed_before", 2, 2),
    "prepared_position_tank": ("german_infantry", True, 1),
    "demolition": ("schmidt_in_pillbox", True, -1),
}


@pytest.mark.rule("ST-SUP-05", "ST-LDR-05", "ST-GLI-21", "ST-TNK-08", "ST-DEM-07", "ST-DEM-08")
@pytest.mark.parametrize("name", MODIFIED)
def test_the_one_modifier_of_a_table(name: str) -> None:
    modifier, given, value = MODIFIED[name]
    grid = table(name)
    assert set(grid.drm) == {modifier}
    assert grid.resolve((3,), {modifier: given}).final == 3 + value
    # The end rows take what a modifier brings beyond the die.
    assert grid.resolve((1,), {modifier: given}).result
    assert grid.resolve((6,), {modifier: given}).result


@pytest.mark.rule("ST-DEM-08")
def test_a_demolition_roll_of_nought_destroys_the_bridge() -> None:
    rolled = table("demolition").resolve((1,), {"schmidt_in_pillbox": True})
    assert (rolled.final, rolled.result) == (0, "destroyed")


LANDS = {
    "triangle": 1, "double_circle": 2, "hexagon": 3, "circle_1": 3, "circle_2": 4, "circle_3": 5,
    "circle_4": 6, "automatic": 6,
}  # fmt: skip


@pytest.mark.rule("ST-GLI-16", "ST-GLI-17", "ST-GLI-18")
def test_every_landing_number() -> None:
    grid = table("glider.landing")
    assert set(grid.columns["area"]) == set(LANDS)
    for area, most in LANDS.items():
        for face in range(1, 7):
            result = grid.resolve((face,), {"area": area}).result
            assert result == ("lands" if face <= most else "flies_on")


GERMAN_FORCES = {
    "A": "111123", "B": "111223", "C": "112233", "D": "112233", "E": "122333", "F": "123333",
    "G": "223333", "H": "233333",
}  # fmt: skip


@pytest.mark.rule("ST-GRN-01")
def test_every_cell_of_the_german_reinforcement_table() -> None:
    grid = table("german_reinforcement")
    for chit, forces in GERMAN_FORCES.items():
        found = [grid.resolve((face,), {"chit": chit}).result for face in range(1, 7)]
        assert "".join(found) == forces, chit


BRITISH_FORCES = {"1": "AAAABC", "2": "ABBBBC", "3": "ABBCCC"}


@pytest.mark.rule("ST-BRN-01")
def test_every_cell_of_the_british_reinforcement_table() -> None:
    grid = table("british_reinforcement")
    for force, results in BRITISH_FORCES.items():
        found = [grid.resolve((face,), {"german_force": force}).result for face in range(1, 7)]
        assert "".join(found) == results, force


@pytest.mark.rule("ST-SAP-04")
def test_a_repair_needs_no_more_than_the_turns_stayed() -> None:
    grid = table("sapper_repair")
    for turns in range(1, 7):
        for face in range(1, 7):
            result = grid.resolve((face,), {"turns": turns}).result
            assert result == ("repaired" if face <= turns else "-")


@pytest.mark.rule("ST-GRE-08")
@pytest.mark.parametrize("count", [2, 3, 4, 5, 6])
def test_a_random_choice_is_even(count: int) -> None:
    chances = odds(table("random_selection"), {"choices": str(count)})
    again = chances.pop("again", Fraction(0))
    assert set(chances) == {str(number) for number in range(1, count + 1)}
    assert {chance / (1 - again) for chance in chances.values()} == {Fraction(1, count)}


# -- the set of tables --------------------------------------------------------------------


def test_every_table_of_the_file_is_tested_here() -> None:
    named = {
        *PLAIN, "random_selection", "grenade", "hand_to_hand", "glider.landing",
        "german_reinforcement", "british_reinforcement", "sapper_repair", "fire_combat",
    }  # fmt: skip
    assert set(load_data("st/tables.yaml")) == named
    fire = {f"st.fire.{line}" for line in ("smallarms", "tank_at", "piat", "gammon")}
    others = {f"{name}.{reading}" for name in fire for reading in READINGS} - {
        f"{name}.trailing_lost" for name in fire
    }
    assert set(st_tables()) == {f"st.{name}" for name in named} | fire | others


def test_result_columns_stand_in_the_fire_table_too() -> None:
    grid = table("fire_combat")
    for letter, cells in COLUMNS.items():
        for final, row in finals():
            assert grid.result(grid.row(final, {}), {"column": letter}) == cells[row]


def test_the_readings_are_the_choices_of_the_setting() -> None:
    assert set(ST_RULINGS.settable["fire_table"].choices) == set(READINGS)


@pytest.mark.rule("ST-FIR-17", "ST-FIR-18", "ST-FIR-21")
def test_results_are_read_as_suppression_loss_and_hard_hit() -> None:
    read = {text: read_hit(text) for text in ("-", "S", "S(H)", "1(H)", "2(H)", "3")}
    assert {text: (h.suppressed, h.loss, h.hard) for text, h in read.items()} == {
        "-": (False, 0, False),
        "S": (True, 0, False),
        "S(H)": (True, 0, True),
        "1(H)": (False, 1, True),
        "2(H)": (False, 2, True),
        "3": (False, 3, False),
    }
