"""The roll tables of the megagame, made from ``data/megagame/tables.yaml`` and the settings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import msgspec

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.results import Results
from asl_pbcg.kernel.table_set import TableSet
from asl_pbcg.kernel.typed_data import DataFile, read_typed, unless_known
from asl_pbcg.megagame.settings import Settings, known_settings

PREFIX = "mega."
_NAMED = re.compile(r"([a-z]\w*(?:\.\w+)?)([+-]\d+)?")


class TableRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row as the file has it: bounds may name a setting; ``values`` are those it rests on."""

    result: str
    says: str
    values: tuple[str, ...]
    start: int | str | None = msgspec.field(name="from", default=None)
    to: int | str | None = None


class TableModifier(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A modifier as the file has it: its value may name a setting."""

    why: str
    value: int | str
    times: int = 1


class TableBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table as the file has it."""

    title: str
    rule: str
    dice: str
    rows: tuple[TableRow, ...]
    drm: dict[str, TableModifier] = {}
    certainty: str = ""


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
"""Of each table what it may say."""


def _read_bodies(raw: Any, source: str) -> dict[str, TableBody]:
    """The tables as the file has them. Raises PBCGError also where they make no table."""
    found = read_typed(raw, dict[str, TableBody], source)
    for name, body in found.items():
        named = {
            **{f"drm.{key}.value": each.value for key, each in body.drm.items()},
            **{f"rows.{row.result}.from": row.start for row in body.rows},
            **{f"rows.{row.result}.to": row.to for row in body.rows},
        }
        for where, value in named.items():
            match = _NAMED.fullmatch(value) if isinstance(value, str) else None
            if isinstance(value, str) and value != "given":
                _check_setting(match[1] if match else value, f"{source}, {name}.{where}")
        for row in body.rows:
            for value in row.values:
                _check_setting(value, f"{source}, {name}.rows.{row.result}.values")
    _settle(found, Settings(), source)
    return found


def _check_setting(name: str, where: str) -> None:
    """Settle that a value or one of its entries is a setting. Raises PBCGError."""
    key = name.partition(".")[0]
    known = known_settings()
    names = list(known)
    if key in known and known[key].entries:
        names = [f"{key}.{each}" for each in known[key].entries]
    for _, wrong in unless_known("", name, names, "setting"):
        raise PBCGError(f"{where}: {wrong}.")


TABLES: Final = DataFile("megagame/tables.yaml", _read_bodies)


def _settle(bodies: Mapping[str, TableBody], settings: Settings, source: str) -> TableSet:
    """The tables with the numbers of the settings."""
    found = {name: _body(body, settings) for name, body in bodies.items()}
    return TableSet.read(found, source, PREFIX, RESULTS, whole=not settings.own)


def _body(body: TableBody, settings: Settings) -> dict[str, Any]:
    drm = {
        name: {"why": each.why, "value": _number(each.value, settings), "times": each.times}
        for name, each in body.drm.items()
    }
    # A row that the settings do without has "none" as its lower bound.
    rows = [row for each in body.rows if (row := _row(each, settings)).get("from") != "none"]
    return {
        "title": body.title,
        "rule": body.rule,
        "dice": body.dice,
        "drm": drm,
        "rows": rows,
        "certainty": body.certainty,
    }


def _row(row: TableRow, settings: Settings) -> dict[str, Any]:
    found: dict[str, Any] = {"result": row.result, "says": row.says}
    if row.start is not None:
        found["from"] = _number(row.start, settings)
    if row.to is not None and (to := _number(row.to, settings)) != "none":
        found["to"] = to
    return found


def _number(value: int | str, settings: Settings) -> int | str:
    """A number as it stands, or the one that a setting (with +1 or -1) names."""
    match = _NAMED.fullmatch(str(value))
    if not match or value == "given":
        return value
    named = settings[match[1]]
    return "none" if named is None else int(named) + int(match[2] or 0)


class Tables:
    """The roll tables under some settings, and the settings that each row and DRM rests on."""

    def __init__(self, settings: Settings) -> None:
        self.set = _settle(TABLES.content, settings, "data/megagame/tables.yaml")

    def modifier_setting(self, table: str, name: str) -> str:
        """The setting that gives the modifier ``name`` its value, or nothing."""
        value = str(TABLES.content[table].drm[name].value)
        return value if value.partition(".")[0] in known_settings() else ""

    def row_settings(self, table: str, result: str) -> tuple[str, ...]:
        """The settings that the row of ``result`` rests on."""
        return next(row.values for row in TABLES.content[table].rows if row.result == result)


@cache
def megagame_tables() -> TableSet:
    """All roll tables of the megagame with the program's own settings."""
    return Tables(Settings()).set
