"""The roll tables of the airborne variant, with the players' settings laid over them."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, Final

import msgspec

from asl_pbcg.airborne.settings import TERRAIN, Settings, default_settings
from asl_pbcg.kernel.data import load_data
from asl_pbcg.kernel.table_set import TableSet
from asl_pbcg.kernel.tables import RollTable

PREFIX: Final = "drop."
EFFECTS: Final = {"X": "eliminated", "D": "dispersed", "-": "no effect"}
"""What the letters of the Paratroop Jump Survival Chart mean. Rule: II.D."""

_SET: Final = "Set by the players."


@cache
def airborne_tables() -> TableSet:
    """All roll tables of the airborne variant as shipped."""
    return _tables(default_settings())


def tables_for(settings: Settings) -> TableSet:
    """All roll tables with the values that ``settings`` puts in place of the shipped ones."""
    if not settings.changed:
        return airborne_tables()
    return _tables_of(msgspec.json.encode(settings))


@lru_cache(maxsize=16)
def _tables_of(stored: bytes) -> TableSet:
    return _tables(msgspec.json.decode(stored, type=Settings))


def table(name: str, settings: Settings) -> RollTable:
    """The roll table ``name`` without its prefix, for example ``"wind_speed"``."""
    return tables_for(settings)[PREFIX + name]


def _tables(settings: Settings) -> TableSet:
    raw: dict[str, Any] = dict(load_data("airborne/tables.yaml"))
    if "wind_speed_chart" in settings.changed:
        chart = [{"at": die, "result": settings.wind_speed_chart[die]} for die in range(1, 7)]
        raw["wind_speed"] = {**raw["wind_speed"], "rows": chart, "certainty": _SET}
    if "wind_numbering" in settings.changed:
        raw["wind_direction"] = {**raw["wind_direction"], "certainty": _SET}
    if settings.jump_survival:
        shipped = raw["jump_survival"]
        rows = [{**row, "results": list(row["results"])} for row in shipped["rows"]]
        for terrain, results in settings.jump_survival.items():
            for row, effect in zip(rows, results, strict=True):
                row["results"][TERRAIN.index(terrain)] = EFFECTS[effect]
        said = f"{_SET} Rows: {', '.join(settings.jump_survival)}."
        raw["jump_survival"] = {**shipped, "rows": rows, "certainty": said}
    return TableSet.read(raw, "data/airborne/tables.yaml", PREFIX)
