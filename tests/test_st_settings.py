"""Settings: every doubtful point has its choices, a default and a reason; wrong ones are told."""

from __future__ import annotations

import re
from typing import Any, get_args, get_type_hints

import pytest
from sentences import Tells

from asl_pbcg.kernel.data import load_data
from asl_pbcg.kernel.errors import FaultsError
from asl_pbcg.st.geometry import Geometry
from asl_pbcg.st.map_load import load_map
from asl_pbcg.st.settings import Settings, read_settings, settable_rulings

RULINGS = settable_rulings()


@pytest.mark.parametrize("name", RULINGS)
def test_file_and_program_agree_on_a_setting(name: str) -> None:
    ruling = RULINGS[name]
    assert getattr(Settings(), name) == ruling.default
    kind: Any = get_type_hints(Settings)[name]
    program = {True, False} if kind is bool else set(get_args(kind))
    assert set(ruling.choices) == program
    for choice in ruling.choices:
        assert getattr(read_settings({name: choice}), name) == choice
    assert ruling.question and ruling.why
    assert all(isinstance(text, str) and text for text in ruling.choices.values())
    assert re.fullmatch(r"AMB-\d{2,3}|option", ruling.id)
    assert ruling.rule.startswith("ST-")


def test_no_setting_is_missing_in_the_file() -> None:
    assert set(RULINGS) == set(Settings.__struct_fields__) - {"mode", "difficulty"}


def test_fixed_rulings_have_a_rule_and_a_reason() -> None:
    fixed = load_data("st/rulings.yaml")["fixed"]
    ids = [ruling["id"] for ruling in fixed]
    assert len(set(ids)) == len(ids)
    assert not set(ids) & {ruling.id for ruling in RULINGS.values()}
    for ruling in fixed:
        assert set(ruling) == {"id", "rule", "text", "why"} and all(ruling.values())


def test_all_faults_of_the_settings_are_told_at_once(tells: Tells) -> None:
    with pytest.raises(FaultsError) as raised:
        read_settings({"fire_tabel": "x", "gammon_uses": 7, "must_load_all": "yes", "mode": "solo"})
    tells(str(raised.value).splitlines()[0], "4 faults")
    text = str(raised.value)
    tells(text, "fire_tabel", "fire_table")
    tells(text, "7", "gammon_uses", "3", "2")
    tells(text, "yes", "must_load_all")
    tells(text, "solo", "full_history", "mode")


def test_numbers_and_truth_are_not_confused() -> None:
    with pytest.raises(FaultsError):
        read_settings({"mercedes_vp": True})
    with pytest.raises(FaultsError):
        read_settings({"must_load_all": 1})


@pytest.mark.rule("ST-FIR-01", "ST-TAT-13", "ST-MOV-11")
def test_settings_shape_the_map() -> None:
    found = load_map()
    plain = Geometry(found, Settings())
    assert "EF" in plain.beside["CAF"]
    assert "EF" not in Geometry(found, Settings(dashed_lines_adjacent=False)).beside["CAF"]
    assert "NH1" in plain.land
    assert "NH1" not in Geometry(found, Settings(hexagon_link="a")).land
    narrow = Geometry(found, Settings(sight_radius=12)).map
    wide = Geometry(found, Settings(sight_radius=36)).map
    pairs = [(a, b) for a in plain.land for b in plain.land if a < b][:600]
    through = [(len(narrow.passes(a, b)), len(wide.passes(a, b))) for a, b in pairs]
    assert all(less <= more for less, more in through)
    assert any(less < more for less, more in through)


@pytest.mark.rule("ST-TNK-05", "ST-MER-05")
def test_distances_on_an_empty_map() -> None:
    geo = Geometry(load_map(), Settings())
    assert geo.away("RAN", road=True)["LP"] == 17
    assert geo.away("RAN", road=True)["BEN"] == 17
    assert geo.away("PB")["CAF"] == 1
    assert "N1" not in geo.away("PB", road=True)


@pytest.mark.parametrize("value", [{}, [], {"x": 1}, [["hard"]]])
def test_a_setting_that_is_no_word_is_a_fault(value: Any) -> None:
    for name in ("mode", "difficulty", next(iter(RULINGS))):
        with pytest.raises(FaultsError, match=name):
            read_settings({"mode": "historical", name: value})
