"""The roll tables of the airborne variant, with the players' settings laid over them."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, Final

import msgspec

from asl_pbcg.airborne.settings import LETTERS, SPEEDS, TERRAIN, Settings, default_settings
from asl_pbcg.kernel.data import load_data
from asl_pbcg.kernel.results import Results, whole_number
from asl_pbcg.kernel.table_set import TableSet
from asl_pbcg.kernel.tables import RollTable
from asl_pbcg.kernel.typed_data import DataFile

PREFIX: Final = "drop."
EFFECTS: Final = {"X": "eliminated", "D": "dispersed", "-": "no effect"}
"""What the letters of the Paratroop Jump Survival Chart mean. Rule: II.D."""

_SET: Final = "Set by the players."


RESULTS: Final[dict[str, Results[Any]]] = {
    "wind_direction": Results(whole_number(1, 6)),
    "wind_speed": Results(SPEEDS),
    "drift_pattern": Results(tuple(LETTERS)),
    "jump_survival": Results(tuple(EFFECTS.values())),
    "glider_landing": Results(("short", "on_target", "long")),
}
"""Of each table what it may say."""


@cache
def airborne_tables() -> TableSet:
    """All roll tables of the airborne variant as shipped."""
    return TABLES.content


TABLES: Final = DataFile(
    "airborne/tables.yaml", lambda raw, source: _read_tables(raw, source, default_settings())
)


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
    return _read_tables(load_data("airborne/tables.yaml"), "data/airborne/tables.yaml", settings)


def _read_tables(shipped_tables: Any, source: str, settings: Settings) -> TableSet:
    """The tables of a file, with what the players have set in their place."""
    raw: dict[str, Any] = dict(shipped_tables)
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
    return TableSet.read(raw, source, PREFIX, RESULTS, whole=not settings.changed)
