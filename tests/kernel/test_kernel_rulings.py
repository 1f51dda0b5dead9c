"""The register of rulings and settings: what is read, what is played, what is wrong."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest

from asl_pbcg.kernel import data
from asl_pbcg.kernel.errors import FaultsError, PBCGError
from asl_pbcg.kernel.rulings import SET_BY_PLAYERS, Register, find_rulings

PAGE = Path(__file__).parent.parent.parent / "docs" / "engineers" / "building.md"


class WindSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Settings of a made-up game."""

    mode: Literal["", "solo"] = ""
    night: bool
    limit: Annotated[int, msgspec.Meta(ge=1, le=20)]
    reach: dict[str, Annotated[int, msgspec.Meta(ge=1)]]
    chart: dict[int, str]
    chosen: tuple[str, ...] = ()


RULINGS = """
night:
  {rule: I.A, question: Night?, choices: {true: it is, false: it is not}, default: false, why: x}
limit: {rule: I.B, question: How many?, default: 4, certainty: house, earlier: {2: 3}, why: y}
reach:
  rule: I.C
  question: How far?
  default: {light: 24, heavy: 36}
  names: fixed
  certainty: {light: source, heavy: house}
chart:
  {rule: I.D, question: Where to?, default: {1: NE, 2: E}, expects: "1 and 2, each with a side"}
R01: {rule: II.A, question: Must it be rolled?, reading: It must., why: z}
"""


def limits(settings: WindSettings) -> list[tuple[str, str]]:
    """A check of what goes together."""
    return [("limit", "must be 1 at night")] if settings.night and settings.limit > 1 else []


@pytest.fixture
def register(own_data: Path) -> Register[WindSettings]:
    """The register of a made-up game."""
    return Register("wind", WindSettings, limits)


@pytest.fixture
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with a made-up game."""
    (tmp_path / "wind").mkdir()
    (tmp_path / "wind" / "rulings.yaml").write_text(RULINGS, encoding="utf-8")
    monkeypatch.setattr(data, "_folder", lambda name: tmp_path)
    data.load_data.cache_clear()
    return tmp_path


def test_defaults_stand_in_the_file_and_choices_lie_over_them(
    register: Register[WindSettings],
) -> None:
    settings = register.settings({})
    assert (settings.night, settings.limit, settings.chosen) == (False, 4, ())
    own = register.settings({"reach": {"heavy": 48}, "limit": 9, "chart": {"1": "W"}})
    assert own.reach == {"light": 24, "heavy": 48}
    assert own.chart == {1: "W"}
    assert own.chosen == ("limit", "reach", "chart")


def test_how_sure_a_value_is(register: Register[WindSettings]) -> None:
    assert register.certainty("limit", ()) == "house"
    assert register.certainty("reach.light", ()) == "source"
    assert register.certainty("limit", ("limit",)) == SET_BY_PLAYERS
    assert register.certainty("reach.heavy", ("reach.heavy",)) == SET_BY_PLAYERS


@pytest.mark.parametrize(
    ("chosen", "wrong"),
    [
        ({"nihgt": True}, "nearest: night"),
        ({"night": 1}, "must be one of: true, false"),
        ({"night": []}, "must be one of: true, false"),
        ({"limit": 99}, "from 1 to 20"),
        ({"limit": True}, "from 1 to 20"),
        ({"mode": "duo"}, "solo"),
        ({"reach": 3}, "as {light: 24}"),
        ({"reach": {"hevy": 3}}, "nearest: heavy"),
        ({"reach": {"heavy": "far"}}, "reach, heavy"),
        ({"chart": {1: 2}}, "must be 1 and 2, each with a side"),
        ({"night": True}, "must be 1 at night"),
    ],
)
def test_a_wrong_setting_is_told_with_what_is_right(
    register: Register[WindSettings], chosen: dict[str, Any], wrong: str
) -> None:
    with pytest.raises(FaultsError) as raised:
        register.settings(chosen)
    assert wrong in str(raised.value)
    assert len(raised.value.faults) == 1


def test_all_faults_are_told_at_once(register: Register[WindSettings]) -> None:
    with pytest.raises(FaultsError) as raised:
        register.settings({"x": 1, "limit": 99, "mode": "duo"})
    assert len(raised.value.faults) == 3


def test_earlier_editions_keep_their_defaults(register: Register[WindSettings]) -> None:
    assert register.edition == 3
    assert register.earlier_defaults(1) == register.earlier_defaults(2) == {"limit": 3}
    assert register.earlier_defaults(3) == {}


def test_a_file_of_settings(register: Register[WindSettings], tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("format: wind/1\nlimit: 7\n", encoding="utf-8")
    assert register.read_file(file, "wind/1").limit == 7
    with pytest.raises(FaultsError, match="drop/1"):
        register.read_file(file, "drop/1")
    file.write_text("- 1\n", encoding="utf-8")
    with pytest.raises(PBCGError, match="settings file"):
        register.read_file(file, "wind/1")


@pytest.mark.parametrize(
    ("path", "value", "wrong"),
    [
        (("night", "default"), "no", '"no" is not a known choice'),
        (("limit", "default"), "no", "limit, default"),
        (("limit", "certainty"), "sure", "limit, certainty"),
        (("reach", "default", "light"), 0, "reach, default, light"),
        (("tide",), {"rule": "x", "question": "x", "default": 1}, '"tide" is not a known setting'),
        (("limit",), None, "limit"),
    ],
)
def test_a_fault_of_the_file(
    register: Register[WindSettings], path: tuple[str, ...], value: Any, wrong: str
) -> None:
    raw = data.parse_yaml(RULINGS)
    inner = raw
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    if value is None:
        del inner[path[-1]]
    with pytest.raises(PBCGError, match=re.escape(wrong)):
        register.file.read(raw)


def test_the_setting_of_the_walk_works_as_it_says(own_data: Path) -> None:
    """``docs/engineers/building.md``: a made-up setting in under 40 lines."""
    section = PAGE.read_text("utf-8").partition("## Add a setting")[2].partition("\n## ")[0]
    (ruling,) = re.findall(r"```yaml\n(.*?)```", section, re.S)
    (code,) = re.findall(r"```python\n(.*?)```", section, re.S)
    assert len(f"{ruling}{code}".splitlines()) < 40
    (own_data / "mill").mkdir()
    (own_data / "mill" / "rulings.yaml").write_text(ruling, encoding="utf-8")
    names: dict[str, Any] = {"msgspec": msgspec, "Literal": Literal, "Register": Register}
    exec(compile(code, str(PAGE), "exec", dont_inherit=True), names)
    mill = names["MILL_RULINGS"]
    assert mill.settings({}).tide == "never"
    for typed in ("tide=dawn", "amb-999=dawn"):
        assert mill.settings(mill.read_typed([typed], "--setting")).tide == "dawn"
    with pytest.raises(FaultsError, match="never, dawn"):
        mill.read_typed(["tide=noon"], "--setting")
    assert find_rulings(["canal"], [("mill", key, each) for key, each in mill.items()])
