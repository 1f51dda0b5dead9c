"""The roll tables of the area game and their results as typed values for its procedures.

The tables come from ``data/st/tables.yaml`` and ``data/st/fire_readings.yaml``. The lines of the
Fire Combat Results Table (small arms, Tank/AT, PIAT, gammon) are built from its result columns by
a reading of the damaged print: ``st.fire.smallarms`` for the default reading,
``st.fire.smallarms.leading_lost`` and so on for the others. Rule: AMB-01.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from enum import StrEnum
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any, Final

import msgspec

from asl_pbcg.kernel.table_set import Results, TableSet, whole_number
from asl_pbcg.kernel.tables import DRM, Given, RollTable
from asl_pbcg.kernel.typed_data import DataFile, data_file, unless_known
from asl_pbcg.st.settings import ST_RULINGS

NOTHING: Final = "-"
"""How a table prints that nothing happens."""
AGAIN: Final = "again"
"""A throw of the random choice that is made again."""
ALL_KILLED: Final = "all"
ENGAGED: Final = "ENG"


class Hit(msgspec.Struct, frozen=True):
    """A result of the fire or grenade table."""

    suppressed: bool
    loss: int
    hard: bool


@cache
def read_hit(result: str) -> Hit:
    """Read ``-``, ``S``, ``S(H)``, ``2`` or ``2(H)``. Rule: ST-FIR-17, ST-FIR-18."""
    if not re.fullmatch(r"(-|S|[1-9])(\(H\))?", result):
        raise ValueError(result)
    plain = result.removesuffix("(H)")
    return Hit(plain == "S", int(plain) if plain.isdigit() else 0, plain != result)


class Loss(StrEnum):
    """The loss of a side in hand-to-hand combat. Rule: ST-H2H-14."""

    NONE = "-"
    HALF = "HE"
    ALL = "E"


def read_fight(result: str) -> tuple[Loss, Loss] | None:
    """Return the losses of British and Germans; None if the fight goes on. Rule: ST-H2H-14."""
    if result == ENGAGED:
        return None
    british, german = result.split(":")
    return Loss(british), Loss(german)


class _Facts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The facts beside a row."""


class GermanEntry(_Facts, msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where German reinforcements enter. Rule: ST-GRN-05."""

    entry: str


class TankEntry(GermanEntry, msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where and when a tank of chit G or H comes in. Rule: ST-SET-34."""

    turn: int


def _result_word(facts: GermanEntry) -> str:
    return facts.entry.lower().replace(" ", "_")


class GliderLost(StrEnum):
    """Rule: ST-GLI-02."""

    NONE = "none_lost"
    ONE = "one_lost"


class WhichLost(StrEnum):
    """Rule: ST-GLI-03."""

    FIRST = "first"
    SECOND = "second"
    THIRD = "third"


class GliderEntry(StrEnum):
    """Rule: ST-GLI-05."""

    WEST = "west"
    EAST = "east"


class ArrowColour(StrEnum):
    """Rule: ST-GLI-11."""

    BLUE = "blue"
    RED = "red"


class Landing(StrEnum):
    """Rule: ST-GLI-16."""

    LANDS = "lands"
    FLIES_ON = "flies_on"


class Crash(StrEnum):
    """Rule: ST-GLI-21."""

    SAFE = "safe"
    CRASHED = "crashed"


class SuppressionRemoval(StrEnum):
    """Rule: ST-SUP-06."""

    RECOVERS = "recovers"
    STAYS = "stays"


class BunkerClearing(StrEnum):
    """Rule: ST-BUN-03."""

    POW = "cleared_pow"
    CLEARED = "cleared"
    LOSS = "cleared_loss"


class LeaderCasualty(StrEnum):
    """Rule: ST-LDR-07."""

    UNHURT = "-"
    WOUNDED = "W"
    KILLED = "K"


class GarrisonActivation(StrEnum):
    """Rule: ST-GAR-04."""

    NO_OPPORTUNITY_FIRE = "no_opportunity_fire"
    NORMAL = "normal"


class BritishReinforcement(StrEnum):
    """Rule: ST-BRN-01."""

    A = "A"
    B = "B"
    C = "C"


class Spotting(StrEnum):
    """Rule: ST-GRN-07."""

    NOT_SEEN = "-"
    SPOTS = "spots"


class TankInPosition(StrEnum):
    """Rule: ST-TNK-08."""

    STAYS = "stays"
    BREAKS_THROUGH = "breaks_through"


class LeadTankLost(StrEnum):
    """Rule: ST-TNK-12."""

    ALL_RETREAT = "all_retreat"
    SECOND_RETREATS = "second_retreats"
    NOTHING = "-"


class OffRoad(StrEnum):
    """Rule: ST-TNK-15."""

    STUCK = "stuck"
    GOES_ON = "goes_on"


class StuckTank(StrEnum):
    """Rule: ST-TNK-16."""

    HALTS = "halts"
    CREW_PANICS = "crew_panics"


class Demolition(StrEnum):
    """Rule: ST-DEM-07."""

    DESTROYED = "destroyed"
    DAMAGED = "damaged"
    MALFUNCTION = "malfunction"


class DamagedBridge(StrEnum):
    """Rule: ST-DEM-11."""

    HOLDS = "-"
    BREAKS = "breaks"


class PiatHit(StrEnum):
    """Rule: ST-PIA-10."""

    WRECKED = "wrecked"
    IMMOBILE = "immobile"


class SapperRepair(StrEnum):
    """Rule: ST-SAP-04."""

    NOT_YET = "-"
    REPAIRED = "repaired"


class GermanEntryName(StrEnum):
    """Rule: ST-GRN-05."""

    LE_PORT = "le_port"
    BENOUVILLE = "benouville"


class TankEntryArea(StrEnum):
    """Rule: ST-SET-34."""

    RANVILLE = "ranville"
    BENOUVILLE = "benouville"
    LE_PORT = "le_port"


TANK_ENTRY: Final = Results(TankEntryArea, TankEntry, _result_word)
GERMAN_ENTRY: Final = Results(GermanEntryName, GermanEntry, _result_word)
_REMOVAL: Final[Results[Any]] = Results(SuppressionRemoval)
_BRITISH: Final[Results[Any]] = Results(BritishReinforcement)
_SPOTTING: Final[Results[Any]] = Results(Spotting)

RESULTS: Final[dict[str, Results[Any]]] = {
    "random_selection": Results(whole_number(1, 6, AGAIN)),
    "tank_entry": TANK_ENTRY,
    "glider.lost": Results(GliderLost),
    "glider.which_lost": Results(WhichLost),
    "glider.entry": Results(GliderEntry),
    "glider.arrow": Results(ArrowColour),
    "glider.landing": Results(Landing),
    "glider.crash": Results(Crash),
    "glider.crash_losses": Results(whole_number(0, 12, ALL_KILLED)),
    "suppression_removal.british": _REMOVAL,
    "suppression_removal.german": _REMOVAL,
    "suppression_removal.garrison": _REMOVAL,
    "grenade": Results(read_hit),
    "bunker_clearing": Results(BunkerClearing),
    "leader_casualty": Results(LeaderCasualty),
    "garrison_activation": Results(GarrisonActivation),
    "british_reinforcement": _BRITISH,
    "british_reinforcement.optional": _BRITISH,
    "german_reinforcement": Results(whole_number(1, 3)),
    "german_entry": GERMAN_ENTRY,
    "mercedes_speed": Results(whole_number(1, 9)),
    "spotting.infantry": _SPOTTING,
    "spotting.tank": _SPOTTING,
    "prepared_position_tank": Results(TankInPosition),
    "lead_tank_lost": Results(LeadTankLost),
    "off_road": Results(OffRoad),
    "stuck_tank": Results(StuckTank),
    "demolition": Results(Demolition),
    "damaged_bridge": Results(DamagedBridge),
    "fire_combat": Results(read_hit),
    "piat_hit": Results(PiatHit),
    "hand_to_hand": Results(read_fight),
    "sapper_repair": Results(SapperRepair),
}
"""Of each table of ``tables.yaml`` what it may say."""


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
