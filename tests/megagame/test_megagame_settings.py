"""Settings of the megagame: what is printed, what is not, and an umpire's own file."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from megagame_help import line, used
from sentences import Tells

from asl_pbcg.kernel.data import load_data
from asl_pbcg.kernel.errors import FaultsError, PBCGError
from asl_pbcg.megagame.mega_settings import MEGA_RULINGS, MegaValues, UmpireSettings
from asl_pbcg.megagame.mega_tables import SettledTables
from asl_pbcg.megagame.table_report import example_settings, settings_data, settings_lines


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.rule("MG51")
def test_settings_that_are_not_printed_are_listed_with_their_reason() -> None:
    lines = list(settings_lines(UmpireSettings()))
    told = {line.strip().partition(":")[0] for line in lines if ":" in line}
    unprinted = [value for value in UmpireSettings() if not value.printed]
    assert {value.name.partition(".")[0] for value in unprinted} <= told
    assert not {"assault_distance", "hit_on", "artillery_modifiers"} & told
    for value in unprinted:
        assert value.why
        assert any(value.why in line for line in lines)
        assert f"    {value.name.partition('.')[2] or value.name} = {value.as_text}" in lines
    every = list(settings_lines(UmpireSettings(), True))
    assert sum(" = " in line for line in every) == len(list(UmpireSettings()))


@pytest.mark.rule("MG51", "MG36")
@pytest.mark.parametrize(
    ("text", "dice", "name"),
    [
        ("barrage 155 open", (10,), "destroyed_from"),
        ("barrage 105", (4,), "suppress_effect"),
        ("barrage 105", (7,), "retreat_distance.dismounts"),
        ("flak light", (7,), "flak_drives_off_from"),
        ("ambush lmg", (1, 1, 1), "ambush_bonus"),
        ("fire lmg hard", (1, 1, 1), "fire_modifiers.hard_cover"),
        ("armour light tiger", (1,), "armour_class.tiger"),
        ("fire 1 rifle at truck", (9, 9), "occupant_casualty_on"),
    ],
)
def test_an_answer_names_every_value_it_used_and_an_own_one_replaces_it(
    tells: Tells, text: str, dice: tuple[int, ...], name: str
) -> None:
    outcome = line(text, *dice)
    assert name in used(outcome)
    assert UmpireSettings().value(name).in_words in outcome.line
    assert "_" not in outcome.line
    key, _, entry = name.partition(".")
    value = UmpireSettings()[name]
    own = {key: {entry: value}} if entry else {key: value}
    replaced = line(text, *dice, own=own)
    (found,) = (each for each in replaced.values if each.name == name)
    assert found.certainty == "own"
    tells(replaced.line, "value")


@pytest.mark.rule("MG51")
@pytest.mark.parametrize("text", ["morale green", "fire --dice"])
def test_an_answer_on_printed_rules_alone_names_no_value(text: str) -> None:
    outcome = line("morale green", 5) if text == "morale green" else line("fire", 7, dice=1)
    assert outcome.values == ()


def test_an_own_file_replaces_values_and_adds_names(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "format: pbcg-mega-settings/1\nflak_reach: {heavy: 48}\nweapon_dice: {Sten Mk II: 4}\n"
        "weapon_range: {Sten Mk II: 9}\ndestroyed_from: none\narmour_class: {Cromwell: 4}\n",
    )
    found = UmpireSettings.read(path)
    assert (found["flak_reach.heavy"], found["flak_reach.light"]) == (48, 24)
    assert found["destroyed_from"] is None
    assert found.value("flak_reach.light").certainty == "house"
    assert len(line('fire "Sten Mk II"', 1, 2, 3, 4, own=found.own).rolls) == 4
    assert line("armour light cromwell", 9, own=found.own).rolls[0].final == 6


@pytest.mark.rule("MG52")
def test_all_faults_of_a_file_are_told_at_once_with_the_nearest_keys(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "amush_bonus: 3\nflak_reach: {lite: 20}\nhit_on: seven\nmust_match_if_able: maybe\n"
        "gun_75_reading: bigger\nphases: [direct_fire]\nmorale: 4\ndecks: 0\n",
    )
    with pytest.raises(FaultsError) as caught:
        UmpireSettings.read(path)
    text = str(caught.value)
    assert len(caught.value.faults) == 7
    for part in ("7 faults", "amush_bonus", "ambush_bonus", "light", "larger, smaller"):
        assert part in text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "empty"),
        ("- 1\n", "not a settings file"),
        ("format: pbcg-position/1\n", "another kind of file"),
        ("ambush_bonus: 3\nambush_bonus: 4\n", "written twice"),
        ("ambush_bonus: &a 3\n", "anchors"),
        ("casualties_from: 12\n", "must not be below casualties_from"),
        ("ambush_bonus: 99\n", "from -10 to 10"),
        ("zero_is_ten: 1\n", "true or false"),
        ("carried_by_each_figure: rifle\n", "must be a list"),
    ],
)
def test_files_that_are_no_settings(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(PBCGError, match=says):
        UmpireSettings.read(written(tmp_path, text))


def test_the_example_file_is_a_settings_file_that_changes_nothing(tmp_path: Path) -> None:
    found = UmpireSettings.read(written(tmp_path, example_settings()))
    assert [value.value for value in found] == [value.value for value in UmpireSettings()]
    assert {value.name for value in found if value.certainty == "own"} == {
        value.name for value in UmpireSettings() if not value.printed
    }


def test_every_word_of_the_data_means_something_that_exists() -> None:
    words = load_data("megagame/words.yaml")
    assert set(words["weapon"].values()) <= set(UmpireSettings()["weapon_dice"])
    assert set(words["vehicle"].values()) <= set(UmpireSettings()["armour_class"])
    assert set(UmpireSettings()["weapon_dice"]) == set(UmpireSettings()["weapon_range"])
    assert set(UmpireSettings()["weapon_anti_armour"]) <= set(UmpireSettings()["weapon_dice"])


def test_settings_as_json_leave_out_printed_rules_unless_asked() -> None:
    few, every = settings_data(UmpireSettings()), settings_data(UmpireSettings(), True)
    assert {each["certainty"] for each in few["settings"]} == {"house", "inferred"}
    assert len(every["settings"]) == len(list(UmpireSettings()))


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from([*MegaValues.__struct_fields__, "nonsense"]),
        st.one_of(
            st.integers(-30, 130),
            st.booleans(),
            st.text(max_size=8),
            st.none(),
            st.lists(st.text(max_size=4), max_size=3),
            st.dictionaries(st.text(max_size=6), st.integers(-5, 30), max_size=3),
        ),
        max_size=4,
    )
)
def test_any_file_is_taken_or_refused_in_sentences(raw: dict[str, object]) -> None:
    try:
        MEGA_RULINGS.settings(raw)
    except PBCGError as error:
        assert str(error)
    else:
        found = UmpireSettings.from_values(raw)
        assert len(list(SettledTables(found).set)) == len(load_data("megagame/tables.yaml"))
        assert all(value.as_text for value in found)
