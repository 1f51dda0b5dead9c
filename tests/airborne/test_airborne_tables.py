"""Wind, drift diagrams, charts and settings of the airborne variant."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from airborne_help import blowing, board, plain, with_settings
from hypothesis import given, settings
from hypothesis import strategies as st
from sentences import Tells, raised

from asl_pbcg.airborne.drop_map import terrain_row
from asl_pbcg.airborne.drop_settings import DROP_RULINGS, LETTERS, TERRAIN, read_settings
from asl_pbcg.airborne.drop_tables import airborne_tables, drift_row, table
from asl_pbcg.airborne.wind import downwind, read_side, read_speed, wind_from
from asl_pbcg.kernel.errors import FaultsError, IllegalAnswer, PBCGError

# The eighteen rows as read from the article, the digit that is lost in each as filled in.
ROWS = """
A 8
B 62
C 422
D 2321
E 12221
F 0112211
G 01112111
H 011111111
I 0101111111
J 01011111101
K 010111011101
L 0011001100110011
M 00100110100110011
N 0010010010100110011
O 001001001001001010011
P 000100100100100100100101
Q 0001001001001001001001001
R 00001001001001001001001001
"""


@pytest.mark.rule("AB01", "AB02")
def test_the_wind_comes_from_the_hexside_rolled_and_blows_to_the_opposite_one() -> None:
    direction = table("wind_direction", with_settings())
    assert direction.dice == "1d6"
    for die, opposite in ((1, 4), (2, 5), (3, 6), (4, 1), (5, 2), (6, 3)):
        assert direction.resolve((die,), {}).result == str(die)
        assert downwind(die) == opposite


@pytest.mark.rule("AB02")
def test_downwind_is_opposite_on_the_map_for_every_numbering_that_goes_round() -> None:
    for start in range(6):
        for turn in (1, -1):
            sides = ("NE", "E", "SE", "SW", "W", "NW")
            numbering = {die + 1: sides[(start + turn * die) % 6] for die in range(6)}
            chosen = with_settings(wind_numbering=numbering)
            opposite = {"NE": "SW", "E": "W", "SE": "NW", "SW": "NE", "W": "E", "NW": "SE"}
            for die in range(1, 7):
                wind = wind_from(die, "low", chosen)
                assert wind.blows_to == opposite[wind.comes_from]


@pytest.mark.rule("AB03")
def test_two_orientations_give_two_compass_names_for_the_same_die(tells: Tells) -> None:
    pointy, flat = with_settings(), with_settings(orientation="flat_top")
    assert [wind_from(die, "low", pointy).comes_from for die in range(1, 7)] == [
        "NE", "E", "SE", "SW", "W", "NW",
    ]  # fmt: skip
    assert [wind_from(die, "low", flat).comes_from for die in range(1, 7)] == [
        "N", "NE", "SE", "S", "SW", "NW",
    ]  # fmt: skip
    assert read_side("w", pointy) == read_side("5", pointy) == 5
    tells(raised(PBCGError, lambda: read_side("W", flat)), "W", "flat_top")


@pytest.mark.rule("AB03")
def test_on_the_pegasus_bridge_board_the_compass_is_that_of_the_ground() -> None:
    # Rising numbers run east and rising letters north there.
    line = board().downwind_line("X24", blowing("W"), 2)
    assert [at for _, at in line] == ["X24", "X25", "X26"]
    line = board().downwind_line("X24", blowing("SW"), 2)
    assert [at for _, at in line] == ["X24", "Y25", "Z25"]


@pytest.mark.rule("AB04")
def test_wind_speed_in_equal_thirds_is_named_as_a_reconstruction(tells: Tells) -> None:
    speed = table("wind_speed", with_settings())
    assert [speed.resolve((die,), {}).result for die in range(1, 7)] == [
        "low", "low", "gusty", "gusty", "high", "high",
    ]  # fmt: skip
    assert "reconstruction" in speed.certainty
    assert DROP_RULINGS["wind_speed_chart"].certainty == "reconstruction"
    chart = {1: "low", 2: "low", 3: "low", 4: "gusty", 5: "high", 6: "high"}
    other = table("wind_speed", with_settings(wind_speed_chart=chart))
    assert other.resolve((3,), {}).result == "low"
    tells(other.certainty, "players")
    assert read_speed("Gusty") == "gusty"
    tells(raised(PBCGError, lambda: read_speed("gustly")), "gustly")


@pytest.mark.rule("AB11")
def test_the_drift_pattern_chart() -> None:
    chart = table("drift_pattern", with_settings())
    letters = {
        speed: "".join(chart.resolve((die,), {"wind": speed}).result for die in range(1, 7))
        for speed in ("low", "gusty", "high")
    }
    assert letters == {"low": "ABCDEF", "gusty": "GHIJKL", "high": "MNOPQR"}


@pytest.mark.rule("AB12", "AB13", "AB14")
def test_every_drift_diagram_is_the_article_s_and_totals_eight_sticks() -> None:
    written = dict(line.split() for line in ROWS.strip().splitlines())
    rows = [drift_row(letter, with_settings()) for letter in LETTERS]
    assert "".join(row.letter for row in rows) == LETTERS
    for row in rows:
        assert "".join(map(str, row.sticks)) == written[row.letter]
        assert row.total == 8, row.letter
        assert len(row.places) == 8
    lengths = [len(row.sticks) for row in rows]
    assert lengths == sorted(set(lengths))
    assert (lengths[0], lengths[-1]) == (1, 26)


@pytest.mark.rule("AB13", "AB54")
def test_the_certainty_of_every_row_is_known_and_fits_what_could_be_read() -> None:
    for row in (drift_row(letter, with_settings()) for letter in LETTERS):
        read = [digit for digit in row.reading if digit.isdigit() or digit == "_"]
        for place, digit in enumerate(read, 1):
            if digit == "_":
                assert row.filled == {place: row.sticks[place - 1]}
            else:
                assert row.sticks[place - 1] == int(digit), row.letter
        assert (row.certainty == "certain") == (not row.filled)
    assert drift_row("O", with_settings()).certainty == "medium"


@pytest.mark.rule("AB11", "AB12", "AB16")
def test_the_article_s_example_gusty_three_wind_from_the_west() -> None:
    chosen = with_settings()
    letter = table("drift_pattern", chosen).resolve((3,), {"wind": "gusty"}).result
    row = drift_row(letter, chosen)
    wind = blowing("W", "gusty")
    assert (letter, wind.side, wind.blows_to) == ("I", 5, "E")
    line = board().downwind_line("X20", wind, len(row.sticks) - 1)
    landed = {at: most for (_, at), most in zip(line, row.sticks, strict=True) if most}
    # The target hex stays empty, then one stick, none, and seven in a row, all to the east.
    assert list(landed.items())[:-1] == [
        ("X21", 1), ("X23", 1), ("X24", 1), ("X25", 1), ("X26", 1), ("X27", 1), ("X28", 1),
    ]  # fmt: skip
    assert list(landed.items())[-1] == (None, 1), "X29 is off the map"


@pytest.mark.rule("AB13")
def test_a_corrected_row_replaces_the_shipped_one_and_must_total_eight(tells: Tells) -> None:
    right = [*drift_row("O", with_settings()).sticks[:-1], 0, 1]
    row = drift_row("O", with_settings(drift_rows_override={"O": right}))
    assert row.sticks == tuple(right)
    tells(row.certainty, "players")
    with pytest.raises(FaultsError) as refused:
        with_settings(drift_rows_override={"O": [*right, 1]})
    tells(refused, "totals 9", "totals 8", "O")
    told = with_settings(drift_rows_override={"O": [*right, 1]}, drift_row_totals="unchecked")
    assert drift_row("O", told).total == 9
    with pytest.raises(FaultsError) as refused:
        with_settings(drift_rows_override={"O": right[:-2]}, drift_row_totals="unchecked")
    tells(refused, "totals 7", "8 sticks", "O")
    with pytest.raises(FaultsError) as refused:
        with_settings(drift_rows_override={"S": [8]})
    tells(refused, "S", "A", "R", "rows")


def _results(terrain: str) -> str:
    letters = {"eliminated": "X", "dispersed": "D", "no effect": "-"}
    chart = table("jump_survival", with_settings())
    given = {"terrain": terrain}
    return "".join(letters[chart.resolve((die,), given).result] for die in range(1, 7))


@pytest.mark.rule("AB22", "AB23", "AB24", "AB25", "AB26", "AB27")
@pytest.mark.parametrize(
    ("terrain", "results"),
    [
        ("sea", "XXXXXX"),
        ("forest", "XXXXD-"),
        ("town", "XXXD--"),
        ("gully", "XXD---"),
        ("swamp", "XXD---"),
        ("stream", "XXD---"),
        ("slope", "XD----"),
        ("clear", "D-----"),
    ],
)
def test_jump_survival_by_terrain(terrain: str, results: str) -> None:
    assert _results(terrain) == results


@pytest.mark.rule("AB28")
def test_unknown_terrain_is_refused_with_the_rows_and_the_aliases(tells: Tells) -> None:
    with pytest.raises(PBCGError) as caught:
        terrain_row("woodz", with_settings())
    sentence = str(caught.value)
    assert "Perhaps woods?" in sentence
    assert all(row in sentence for row in TERRAIN)
    assert "orchard (forest)" in sentence
    chosen = with_settings(terrain_alias={"rice_paddy": "swamp", "orchard": "clear"})
    assert terrain_row("rice_paddy", chosen) == "swamp"
    assert terrain_row("orchard", chosen) == "clear"
    assert terrain_row("woods", chosen) == "forest", "the other aliases stay"
    with pytest.raises(FaultsError) as refused:
        with_settings(terrain_alias={"rice_paddy": "wet"})
    tells(refused, "rice_paddy", "terrain_alias")


@pytest.mark.rule("AB28")
def test_all_terrain_of_the_board_has_a_row_and_the_worst_comes_first() -> None:
    there = board()
    rows = {name: there.survival_rows(name, with_settings()) for name in there.grid.names}
    assert rows["Y19"][0] == "sea", "the bridge stands over the canal"
    assert rows["A1"] == ("clear",)
    assert rows["Z15"][0] == "town"
    assert {row for found in rows.values() for row in found} <= set(TERRAIN)
    assert there.survival_rows("E13", with_settings())[0] in TERRAIN
    mixed = plain(terrain={"gully": ("C4",), "forest": ("C4",), "slope": ("C4",)})
    assert mixed.survival_rows("C4", with_settings()) == ("forest", "gully", "slope")


def test_the_chart_can_be_put_right() -> None:
    chosen = with_settings(jump_survival={"gully": list("XD----")})
    chart = table("jump_survival", chosen)
    assert chart.resolve((2,), {"terrain": "gully"}).result == "dispersed"
    assert chart.resolve((2,), {"terrain": "swamp"}).result == "eliminated"
    assert "Rows: gully" in chart.certainty


@pytest.mark.rule("AB56")
@pytest.mark.parametrize("die", [0, 7])
def test_a_die_shows_one_to_six(tells: Tells, die: int) -> None:
    for name in ("wind_direction", "wind_speed", "glider_landing"):
        with pytest.raises(IllegalAnswer, match=f"A die cannot show {die}"):
            table(name, with_settings()).resolve((die,), {})
    with pytest.raises(IllegalAnswer) as refused:
        table("wind_speed", with_settings()).resolve((1, 2), {})
    tells(refused, "needs 1", "2")


def test_every_table_is_listed_with_its_certainty() -> None:
    tables = airborne_tables()
    assert set(tables) == {
        "drop.wind_direction",
        "drop.wind_speed",
        "drop.drift_pattern",
        "drop.jump_survival",
        "drop.glider_landing",
    }
    assert all(tables[name].certainty for name in tables)


# Settings files


def test_a_settings_file_with_an_unknown_key_is_refused_with_the_nearest(
    tells: Tells, tmp_path: Path
) -> None:
    path = tmp_path / "house.yaml"
    path.write_text(
        "format: pbcg-drop-settings/1\nwind_sped_chart: {1: low}\nstacking_limit: 0\n"
        "orientation: sideways\ncap_check: before\n",
        encoding="utf-8",
    )
    with pytest.raises(FaultsError) as caught:
        read_settings(path)
    sentence = str(caught.value)
    tells(sentence, "wind_sped_chart", "wind_speed_chart")
    tells(sentence, "sideways", "pointy_top", "flat_top", "orientation")
    tells(sentence, "before", "cap_check", "before_survival", "after_survival")


def test_a_settings_file_is_read_and_says_what_it_changed(tmp_path: Path) -> None:
    path = tmp_path / "house.yaml"
    path.write_text(
        "format: pbcg-drop-settings/1\nstacking_limit: 5\nnight: true\n"
        "wind_speed_chart: {1: low, 2: low, 3: low, 4: gusty, 5: gusty, 6: high}\n",
        encoding="utf-8",
    )
    found = read_settings(path)
    assert found.chosen == ("wind_speed_chart", "stacking_limit", "night")
    assert (found.stacking_limit, found.night, found.wind_speed_chart[5]) == (5, True, "gusty")
    assert type(found).of_data(found.to_data()) == found
    as_json = tmp_path / "house.json"
    as_json.write_text(
        '{"format": "pbcg-drop-settings/1", "wind_speed_chart": {"1": "low", "2": "low", '
        '"3": "low", "4": "gusty", "5": "gusty", "6": "high"}, "night": true, '
        '"stacking_limit": 5}',
        encoding="utf-8",
    )
    assert read_settings(as_json) == found


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"wind_numbering": {1: "N"}}, "1 to 6, each with a hexside"),
        (
            {"wind_numbering": {1: "E", 2: "NE", 3: "SE", 4: "SW", 5: "W", 6: "NW"}},
            "must go round the hex",
        ),
        ({"wind_speed_chart": {1: "low"}}, "1 to 6, each low, gusty or high"),
        ({"wind_speed_chart": {1: "calm"}}, "1 to 6, each low, gusty or high"),
        ({"stacking_limit": 0}, "a whole number from 1 to 20"),
        ({"night": "yes"}, "true or false"),
        ({"phase_order": ["movement"]}, "with air_phase in it once"),
        ({"phase_order": ["end", "air_phase"]}, "cannot hold end"),
        ({"jump_survival": {"bog": list("XXXXXX")}}, '"bog" must be a terrain'),
        (
            {"jump_survival": {"gully": list("XX")}},
            "jump_survival, gully: must be a terrain with its six",
        ),
        ({"sticks_per_platoon": 5}, "needs drift rows that total 10"),
        ({"scenario": 100}, "from 0 to 99"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_with_what_would_be_right(
    given: dict[str, object], said: str
) -> None:
    with pytest.raises(FaultsError, match=said):
        with_settings(**given)


def test_every_fault_of_the_settings_is_told_at_once(tells: Tells) -> None:
    with pytest.raises(FaultsError) as refused:
        with_settings(
            orientation="sideways",
            night="maybe",
            stacking_limit=99,
            jump_survival={"lava": ["X"], "gully": ["X"]},
        )
    for fact in ("sideways", "night", "stacking_limit", "lava", "gully"):
        tells(str(refused.value), fact)
    with pytest.raises(FaultsError) as refused:
        with_settings(drift_rows_override={"O": [1, 2], "Z": [8], "A": [7]})
    for fact in ("row O", "row Z", "row A"):
        tells(str(refused.value), fact)


def test_every_setting_says_how_certain_it_is_and_why() -> None:
    for key in set(with_settings().__struct_fields__) - {"chosen"}:
        setting = DROP_RULINGS[key]
        assert setting.why and setting.question and setting.expects and setting.rule
        assert setting.certainty


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(LETTERS), st.integers(1, 6))
def test_a_drift_line_is_straight_and_downwind(letter: str, side: int) -> None:
    row = drift_row(letter, with_settings())
    wind = wind_from(side, "high", with_settings())
    there = plain(columns=61, rows=61)
    line = [at for _, at in there.downwind_line("EE30", wind, len(row.sticks) - 1)]
    direction = there.directions[wind.blows_to]
    for before, after in itertools.pairwise(line):
        assert before and after
        assert there.grid.neighbour(before, direction) == after
    for distance, at in enumerate(line):
        assert at and there.grid.distance("EE30", at) == distance
