"""The megagame's roll tables against the article, written down a second time here."""

from __future__ import annotations

from itertools import product

import pytest

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.megagame.mega_settings import UmpireSettings
from asl_pbcg.megagame.mega_tables import PREFIX, SettledTables, megagame_tables

TABLES = megagame_tables()
MODIFIERS = {"gun_75": -1, "hard_cover": -2, "big": 1, "open": 2, "aircraft": 2}


def barrage_row(final: int) -> str:
    """The barrage results by modified roll, as recovered, inferred and lost."""
    if final <= 2:
        return "no_effect"
    if final <= 6:
        return "suppress"
    if final <= 8:
        return "retreat"
    return "retreat_with_casualties" if final <= 10 else "destroyed"


@pytest.mark.rule("MG16", "MG17", "MG18", "MG19", "MG20")
def test_every_roll_of_the_barrage_table() -> None:
    table = TABLES["mega.barrage"]
    for flags in product((False, True), repeat=5):
        given = dict(zip(MODIFIERS, flags, strict=True))
        total = sum(MODIFIERS[name] for name, holds in given.items() if holds)
        for die in range(1, 11):
            rolled = table.resolve((die,), given)
            assert rolled.final == die + total
            assert rolled.result == barrage_row(die + total)


@pytest.mark.rule("MG27")
def test_every_roll_of_the_flak_table() -> None:
    table = TABLES["mega.flak"]
    results = [table.resolve((die,), {}).result for die in range(1, 11)]
    assert results == ["no_effect"] * 6 + ["driven_off"] * 3 + ["shot_down"]


@pytest.mark.rule("MG32", "MG36")
def test_every_roll_to_hit() -> None:
    table = TABLES["mega.to_hit"]
    values = {
        "short_range": 1,
        "ambush": 2,
        "soft_cover": -1,
        "hard_cover": -2,
        "firer_moved": -1,
        "elite_firer": 1,
        "green_firer": -1,
    }
    assert {name for name in table.drm if name != "umpire"} == set(values)
    for flags in product((False, True), repeat=len(values)):
        given = dict(zip(values, flags, strict=True))
        total = sum(values[name] for name, holds in given.items() if holds)
        for die in range(1, 11):
            hit = table.resolve((die,), given).result == "hit"
            assert hit == (die + total >= 7)


@pytest.mark.rule("MG04", "MG05")
@pytest.mark.parametrize(("quality", "on"), [("green", 5), ("veteran", 3)])
def test_every_morale_roll(quality: str, on: int) -> None:
    table = TABLES[f"mega.morale.{quality}"]
    for die in range(1, 11):
        assert (table.resolve((die,), {}).result == "passes") == (die >= on)


@pytest.mark.rule("MG34")
def test_a_building_has_no_modifiers_and_only_a_10_stands() -> None:
    table = TABLES["mega.building"]
    assert table.drm == {}
    assert [die for die in range(1, 11) if table.resolve((die,), {}).result == "hit"] == [10]


@pytest.mark.rule("MG40")
@pytest.mark.parametrize(
    ("hit", "armour_class", "chances"),
    [
        ("light", 0, 5),
        ("light", 3, 2),
        ("medium", 3, 4),
        ("heavy", 3, 6),
        ("medium", 5, 2),
        ("heavy", 5, 4),
        ("light", 5, 0),
    ],
)
def test_chances_to_knock_out(hit: str, armour_class: int, chances: int) -> None:
    anti_armour = {"light": 1, "medium": 3, "heavy": 5}[hit]
    table = TABLES["mega.armour"]
    given = {"anti_armour": anti_armour, "armour_class": armour_class}
    out = [die for die in range(1, 11) if table.resolve((die,), given).result == "knocked_out"]
    assert len(out) == chances
    assert all(die - armour_class + anti_armour >= 7 for die in out)


@pytest.mark.rule("MG38")
def test_every_roll_for_occupants() -> None:
    table = TABLES["mega.occupants"]
    lost = [die for die in range(1, 11) if table.resolve((die,), {}).result == "casualty"]
    assert lost == [7, 8, 9, 10]


@pytest.mark.rule("MG20")
def test_settings_move_the_rows() -> None:
    set_ = SettledTables(UmpireSettings({"destroyed_from": "none"})).set
    assert set_["mega.barrage"].resolve((10,), {"open": True}).result == "retreat_with_casualties"
    assert {row.result for row in set_["mega.barrage"].rows} == {
        "no_effect", "suppress", "retreat", "retreat_with_casualties"
    }  # fmt: skip
    set_ = SettledTables(UmpireSettings({"destroyed_from": 10, "morale": {"green": 6}})).set
    assert set_["mega.barrage"].resolve((10,), {}).result == "destroyed"
    assert set_["mega.morale.green"].resolve((5,), {}).result == "fails"
    assert set_["mega.morale.veteran"].resolve((3,), {}).result == "passes"


@pytest.mark.parametrize("own", [{}, {"casualties_from": 7}, {"destroyed_from": 9}])
def test_every_table_has_a_row_for_every_roll(own: dict[str, int]) -> None:
    tables = SettledTables(UmpireSettings(own)).set
    for name in tables:
        table = tables[name]
        for final in range(-12, 40):
            assert sum(row.covers(final, {}) for row in table.rows) == 1, (name, final)


@pytest.mark.rule("MG51")
def test_every_row_and_modifier_names_settings_that_exist() -> None:
    tables, values = SettledTables(UmpireSettings()), {value.name for value in UmpireSettings()}
    for name in tables.set:
        short = name.removeprefix(PREFIX)
        for row in tables.set[name].rows:
            found = tables.row_settings(short, row.result)
            assert found
            assert set(found) <= values
        for modifier in tables.set[name].drm:
            setting = tables.modifier_setting(short, modifier)
            assert setting in values or tables.set[name].drm[modifier].value == "given"


def test_pbcg_table_knows_them() -> None:
    from asl_pbcg.cli.table_command import find_table

    assert find_table("mega.barrage").odds({"open": True})["destroyed"] * 10 == 2
    with pytest.raises(PBCGError, match="barrage"):
        find_table("mega.barage")
