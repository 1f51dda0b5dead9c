"""The roll tables of the megagame, made from ``data/megagame/tables.yaml`` and the settings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from asl_pbcg.kernel.data import load_data
from asl_pbcg.kernel.table_set import TableSet
from asl_pbcg.megagame.settings import Settings, known_settings

PREFIX = "mega."
_NAMED = re.compile(r"([a-z]\w*(?:\.\w+)?)([+-]\d+)?")


class Tables:
    """The roll tables under some settings, and the settings that each row and DRM rests on."""

    def __init__(self, settings: Settings) -> None:
        self._raw: Mapping[str, Any] = load_data("megagame/tables.yaml")
        self._settings = settings
        self.set = TableSet.read(
            {name: self._body(body) for name, body in self._raw.items()},
            "data/megagame/tables.yaml",
            PREFIX,
        )

    def _body(self, body: Mapping[str, Any]) -> dict[str, Any]:
        drm = {
            name: {**modifier, "value": self._number(modifier["value"])}
            for name, modifier in body.get("drm", {}).items()
        }
        # A row that the settings do without has "none" as its lower bound.
        rows = [row for raw in body["rows"] if (row := self._row(raw)).get("from") != "none"]
        return {**body, "drm": drm, "rows": rows}

    def _row(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        row = {name: value for name, value in raw.items() if name != "values"}
        for bound in ("from", "to"):
            if bound in row:
                row[bound] = self._number(row[bound])
        if row.get("to") == "none":
            del row["to"]
        return row

    def _number(self, value: int | str) -> int | str:
        """A number as it stands, or the one that a setting (with +1 or -1) names."""
        match = _NAMED.fullmatch(str(value))
        if not match or value == "given":
            return value
        named = self._settings[match[1]]
        return "none" if named is None else int(named) + int(match[2] or 0)

    def modifier_setting(self, table: str, name: str) -> str:
        """The setting that gives the modifier ``name`` its value, or nothing."""
        value = str(self._raw[table]["drm"][name]["value"])
        return value if value.partition(".")[0] in known_settings() else ""

    def row_settings(self, table: str, result: str) -> tuple[str, ...]:
        """The settings that the row of ``result`` rests on."""
        rows = self._raw[table]["rows"]
        return tuple(next(row["values"] for row in rows if row["result"] == result))


@cache
def megagame_tables() -> TableSet:
    """All roll tables of the megagame with the program's own settings."""
    return Tables(Settings()).set
