"""The roll tables of the area game, from ``data/st/tables.yaml`` and ``fire_readings.yaml``.

The lines of the Fire Combat Results Table (small arms, Tank/AT, PIAT, gammon) are put together
from its result columns as a reading of the damaged print says: ``st.fire.smallarms`` for the
default reading, ``st.fire.smallarms.leading_lost`` and so on for the others.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any, Final

import msgspec

from asl_pbcg.kernel.table_set import TableSet
from asl_pbcg.kernel.tables import DRM, Given, RollTable
from asl_pbcg.kernel.typed_data import DataFile, data_file, unless_known
from asl_pbcg.st.rules.area_results import RESULTS
from asl_pbcg.st.settings import ST_RULINGS

PREFIX: Final = "st."
FIRE_LINES: Final = {
    "smallarms": ("Fire Combat Results Table, Smallarms/MG line", "ST-FIR-06"),
    "tank_at": ("Fire Combat Results Table, Tank/AT line", "ST-TAT-05"),
    "piat": ("Fire Combat Results Table, PIAT line", "ST-PIA-08"),
    "gammon": ("Fire Combat Results Table, gammon bomb", "ST-GAM-07"),
}


FireColumn = tuple[int, str, str]
"""The least SP of a column, its name, its result column."""


class FireReading(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which result column each strength uses under one reading of the print. Rule: AMB-01."""

    why: str
    smallarms: tuple[FireColumn, ...]
    tank_at: tuple[FireColumn, ...]
    piat: tuple[FireColumn, ...]
    gammon: tuple[FireColumn, ...]

    def columns(self, line: str) -> tuple[FireColumn, ...]:
        """Return the columns of a line of the table."""
        found: tuple[FireColumn, ...] = getattr(self, line)
        return found


def _check_readings(readings: dict[str, FireReading]) -> Iterator[tuple[str, str]]:
    letters = TABLES.content[f"{PREFIX}fire_combat"].columns["column"]
    for name, reading in readings.items():
        for line in FIRE_LINES:
            for _, _, letter in reading.columns(line):
                yield from unless_known(f"{name}.{line}", letter, letters, "result column")


TABLES: Final = DataFile(
    "st/tables.yaml", lambda raw, source: TableSet.read(raw, source, PREFIX, RESULTS)
)
FIRE_READINGS: Final = data_file("st/fire_readings.yaml", dict[str, FireReading], _check_readings)


@cache
def st_tables() -> TableSet:
    """Return all roll tables of the area game, those of every reading of the fire table too."""
    printed = TABLES.content
    tables = {name: printed[name] for name in printed}
    fire = tables[f"{PREFIX}fire_combat"]
    for reading, lines in FIRE_READINGS.content.items():
        for line in FIRE_LINES:
            table = _fire_line(fire, reading, line, lines.columns(line))
            tables[table.name] = table
    return TableSet(tables, PREFIX)


def _fire_name(line: str, reading: str) -> str:
    default = ST_RULINGS["fire_table"].default
    return f"{PREFIX}fire.{line}" + ("" if reading == default else f".{reading}")


def _fire_line(
    fire: RollTable, reading: str, line: str, columns: tuple[FireColumn, ...]
) -> RollTable:
    title, rule = FIRE_LINES[line]
    letters = fire.columns["column"]
    picked = [letters.index(letter) for _, _, letter in columns]
    one = len(picked) == 1
    rows = tuple(
        msgspec.structs.replace(row, result=row.results[picked[0]], results=())
        if one
        else msgspec.structs.replace(row, results=tuple(row.results[at] for at in picked))
        for row in fire.rows
    )
    return RollTable(
        name=_fire_name(line, reading),
        title=title,
        rule=rule,
        dice=fire.dice,
        drm={} if line == "gammon" else fire.drm,
        columns={} if one else {"sp": tuple(name for _, name, _ in columns)},
        rows=rows,
        certainty=f"{fire.certainty}; reading {reading}",
    )


class FireLine:
    """One line of the fire table under one reading: its table and the column of a strength."""

    def __init__(self, line: str, reading: str) -> None:
        self.table = st_tables()[_fire_name(line, reading)]
        steps = FIRE_READINGS.content[reading].columns(line)
        self.steps: tuple[tuple[int, str], ...] = tuple((least, name) for least, name, _ in steps)
        self._least = [least for least, _ in self.steps]

    def column(self, sp: int) -> str:
        """Name the column for ``sp`` strength points. Rule: ST-FIR-06."""
        return self.steps[max(0, bisect_right(self._least, sp) - 1)][1]


@cache
def fire_line(line: str, reading: str) -> FireLine:
    """The ``line`` (smallarms, tank_at, piat, gammon) of the fire table under ``reading``."""
    return FireLine(line, reading)


def table(name: str) -> RollTable:
    """Return the roll table ``name`` without its prefix, for example ``"grenade"``."""
    return _find(name)


@cache
def _find(name: str) -> RollTable:
    return st_tables()[PREFIX + name]


NO_GIVEN: Final[Given] = {}


def odds(found: RollTable, given: Given = NO_GIVEN) -> dict[str, Fraction]:
    """Return the exact chance of each result of a table under ``given``; remembered."""
    return _odds(found.name, tuple(given.items()))


@lru_cache(maxsize=5000)
def _odds(name: str, given: tuple[tuple[str, Any], ...]) -> dict[str, Fraction]:
    return st_tables()[name].odds(dict(given))


def circumstances(found: RollTable, given: Given) -> tuple[Given, tuple[DRM, ...]]:
    """Return ``given`` as the table checks it, with the DRM that it brings; remembered."""
    return _circumstances(found.name, tuple(given.items()))


@lru_cache(maxsize=5000)
def _circumstances(name: str, given: tuple[tuple[str, Any], ...]) -> tuple[Given, tuple[DRM, ...]]:
    found = st_tables()[name]
    checked = found.check(dict(given))
    return checked, found.modifiers(checked)
