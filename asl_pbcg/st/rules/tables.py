"""The roll tables of the area game, from ``data/st/tables.yaml`` and ``fire_readings.yaml``.

The lines of the Fire Combat Results Table (small arms, Tank/AT, PIAT, gammon) are put together
from its result columns as a reading of the damaged print says: ``st.fire.smallarms`` for the
default reading, ``st.fire.smallarms.leading_lost`` and so on for the others.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any, Final

import msgspec

from asl_pbcg.kernel.prompts import ONE_DIE, Roll
from asl_pbcg.kernel.table_set import TableSet
from asl_pbcg.kernel.tables import DRM, Given, Rolled, RollTable
from asl_pbcg.kernel.typed_data import DataFile, data_file, unless_known
from asl_pbcg.st.rules.results import RESULTS
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
        """The columns of a line of the table."""
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
    """All roll tables of the area game, those of every reading of the fire table too."""
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
    """The roll table ``name`` without its prefix, for example ``"grenade"``."""
    return _find(name)


@cache
def _find(name: str) -> RollTable:
    return st_tables()[PREFIX + name]


_NEW: Callable[[type[Any]], Any] = object.__new__
_RESOLVED: dict[tuple[Any, ...], tuple[Given, tuple[DRM, ...], dict[tuple[int, ...], Rolled]]] = {}
"""By table and circumstances: these as the table reads them, their modifiers, the throws so far."""
_ODDS: dict[tuple[Any, ...], dict[str, Fraction]] = {}
_NO_GIVEN: Mapping[str, int | bool | str] = {}
MOST_KNOWN: Final = 400
"""Circumstances of which throws are remembered at most, so that memory stays flat."""
MOST_REMEMBERED: Final = 2000
"""Odds that are remembered at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRoll(Roll):
    """A roll on one of these tables; it remembers how each throw was resolved.

    The same throw under the same circumstances comes again thousands of times in a simulation.
    """

    by: tuple[str, ...] = ()
    """The units that fire or throw at ``where``, for whoever draws it."""
    on: tuple[str, ...] = ()
    """The units, weapons or gliders that it falls on, for whoever weighs it."""
    beside: tuple[tuple[tuple[str, ...], Given], ...] = ()
    """Others that the same dice fall on, each with its own circumstances. Rule: ST-MGF-05."""
    says: Callable[[], str] | None = field(default=None, compare=False)
    """Makes the text for whoever first reads it."""

    def __getattr__(self, name: str) -> Any:
        """The text, which :func:`table_roll` may leave unmade."""
        if name != "text" or self.says is None:
            raise AttributeError(name)
        made = self.says()
        object.__setattr__(self, "text", made)
        return made

    def resolve(self, faces: tuple[int, ...]) -> Rolled:
        """Settle the roll by the dice ``faces``."""
        table = self.table
        assert table
        given = self.given
        key = (table.name, *given, *given.values())
        known = _RESOLVED.get(key)
        if known is None:
            if len(_RESOLVED) >= MOST_KNOWN:
                _RESOLVED.clear()
            checked = table.check(given)
            known = _RESOLVED[key] = (checked, table.modifiers(checked), {})
        read, drm, throws = known
        found = throws.get(faces)
        if found is None:
            found = throws[faces] = table.settle(faces, read, drm)
        return found


class _Open(TableRoll):
    """A roll while it is made, as in ``decision.py``."""

    __slots__ = ()
    __setattr__ = object.__setattr__
    __delattr__ = object.__delattr__


def table_roll(
    id: str,
    text: str | Callable[[], str],
    table: RollTable,
    given: Mapping[str, int | bool | str] = _NO_GIVEN,
    *,
    side: str = "",
    secret: bool = False,
    rule: str = "",
    where: str = "",
    by: tuple[str, ...] = (),
    on: tuple[str, ...] = (),
    beside: tuple[tuple[tuple[str, ...], Given], ...] = (),
) -> TableRoll:
    """Make a roll on ``table``; a ``text`` that takes long to make is made for whoever reads it.

    ``rule`` is the one it stands under where that is not the table's.
    """
    new: Any = _NEW(_Open)
    new.id = id
    if isinstance(text, str):
        new.text = text
        new.says = None
    else:
        new.says = text
    new.rule = rule
    new.table = table
    new.given = given
    new.dice = ONE_DIE
    new.side = side
    new.secret = secret
    new.where = where
    new.about = ""
    new.by = by
    new.on = on
    new.beside = beside
    new.__class__ = TableRoll
    return new  # type: ignore[no-any-return]


def odds(
    found: RollTable, given: Mapping[str, int | bool | str] = _NO_GIVEN
) -> dict[str, Fraction]:
    """The exact chance of each result of a table under ``given``; remembered."""
    key = (found.name, *given.items())
    known = _ODDS.get(key)
    if known is None:
        if len(_ODDS) >= MOST_REMEMBERED:
            _ODDS.clear()
        known = _ODDS[key] = found.odds(given)
    return known
