"""The roll tables of the megagame, made from ``data/megagame/tables.yaml`` and the settings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.table_set import Results, TableSet
from asl_pbcg.kernel.typed_data import DataFile, read_typed
from asl_pbcg.megagame.mega_settings import UmpireSettings

PREFIX: Final = "mega."
_NAMED: Final = re.compile(r"([a-z]\w*(?:\.\w+)?)([+-]\d+)?")
RESULTS: Final[dict[str, Results[Any]]] = {
    "barrage": Results(
        ("no_effect", "suppress", "retreat", "retreat_with_casualties", "destroyed")
    ),
    "flak": Results(("no_effect", "driven_off", "shot_down")),
    "to_hit": Results(("miss", "hit")),
    "building": Results(("miss", "hit")),
    "occupants": Results(("unhurt", "casualty")),
    "armour": Results(("holds", "knocked_out")),
    "morale.green": Results(("fails", "passes")),
    "morale.veteran": Results(("fails", "passes")),
}
"""The results of each table."""


def _read_tables(raw: Any, source: str) -> Mapping[str, Any]:
    """Read the tables; a bound or value may name a setting. Raises PBCGError for what fits not."""
    settings = UmpireSettings()
    with_settings(raw, settings, source)
    for name, body in raw.items():
        for row in body["rows"]:
            place = f"{source}, {name}, row {row['result']}, values"
            for value in read_typed(row.get("values", []), tuple[str, ...], place):
                try:
                    settings.value(value)
                except PBCGError as error:
                    raise PBCGError(f"{place}: {error}") from error
    tables: Mapping[str, Any] = raw
    return tables


TABLES: Final = DataFile("megagame/tables.yaml", _read_tables)


def with_settings(
    raw: Mapping[str, Any], settings: UmpireSettings, source: str = "data/megagame/tables.yaml"
) -> TableSet:
    """Return the tables with the numbers of the settings. Raises PBCGError."""
    bodies = {
        name: _with_numbers(body, settings, f"{source}, {name}") if isinstance(body, dict) else body
        for name, body in raw.items()
    }
    return TableSet.read(bodies, source, PREFIX, RESULTS, whole=not settings.own)


def _with_numbers(body: Any, settings: UmpireSettings, place: str) -> Any:
    """Return a part of a table with numbers where it names settings, and without ``values``.

    A row that the settings do without has no lower bound of its own.
    """
    if isinstance(body, dict):
        numbers = {
            key: _number(value, settings, f"{place}.{key}")
            if key in ("from", "to", "value")
            else _with_numbers(value, settings, f"{place}.{key}")
            for key, value in body.items()
            if key != "values"
        }
        return {key: value for key, value in numbers.items() if value is not None or key == "from"}
    if isinstance(body, list):
        parts = (_with_numbers(part, settings, place) for part in body)
        return [part for part in parts if not _is_never(part)]
    return body


def _number(value: Any, settings: UmpireSettings, place: str) -> Any:
    """Return a number as it stands, or the one that a setting (with +1 or -1) names."""
    match = _NAMED.fullmatch(str(value))
    if not match or value == "given":
        return value
    try:
        named = settings[match[1]]
    except PBCGError as error:
        raise PBCGError(f"{place}: {error}") from error
    return None if named is None else int(named) + int(match[2] or 0)


class SettledTables:
    """The roll tables under some settings, and the settings that each row and DRM rests on."""

    def __init__(self, settings: UmpireSettings) -> None:
        self.set = with_settings(TABLES.content, settings)

    def modifier_setting(self, table: str, name: str) -> str:
        """Return the setting that gives the modifier ``name`` its value, or nothing."""
        value = TABLES.content[table]["drm"][name]["value"]
        return value if isinstance(value, str) and value != "given" else ""

    def row_settings(self, table: str, result: str) -> tuple[str, ...]:
        """Return the settings that the row of ``result`` rests on."""
        rows = TABLES.content[table]["rows"]
        return next(tuple(row.get("values", ())) for row in rows if row["result"] == result)


@cache
def megagame_tables() -> TableSet:
    """Return all roll tables of the megagame with the program's own settings."""
    return SettledTables(UmpireSettings()).set


def _is_never(part: Any) -> bool:
    """Return whether a row of a table begins at no roll at all."""
    return isinstance(part, dict) and part.get("from", 0) is None
