"""Tables and numbers of the airborne variant, with the players' settings laid over them."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, Final

import msgspec

from asl_pbcg.airborne.drop_settings import (
    DIAGRAMS,
    LETTERS,
    SPEEDS,
    TERRAIN,
    DriftRow,
    DropSettings,
    Speed,
    default_settings,
)
from asl_pbcg.kernel.data import load_data
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.rulings import SET_BY_PLAYERS
from asl_pbcg.kernel.table_set import Results, TableSet, whole_number
from asl_pbcg.kernel.tables import RollTable
from asl_pbcg.kernel.typed_data import DataFile, data_file

PREFIX: Final = "drop."
EFFECTS: Final = {"X": "eliminated", "D": "dispersed", "-": "no effect"}
"""The letters of the Paratroop Jump Survival Chart. Rule: II.D."""
RESULTS: Final[dict[str, Results[Any]]] = {
    "wind_direction": Results(whole_number(1, 6)),
    "wind_speed": Results(SPEEDS),
    "drift_pattern": Results(tuple(LETTERS)),
    "jump_survival": Results(tuple(EFFECTS.values())),
    "glider_landing": Results(("short", "on_target", "long")),
}
"""The results of each table."""
_SET: Final = "Set by the players."


class NightChanges(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Night changes to ranges, spotting and vehicles, if the scenario has them. Rule: I.C."""

    range_divisor: int
    spotting: int
    vehicle_movement: int

    def weapon_range(self, printed: int) -> int:
        """Return the range in hexes of a weapon with the ``printed`` range. Rule: I.C.1."""
        return printed // self.range_divisor

    def spotting_range(self, usual: int) -> int:
        """Return from how far a unit is spotted that is seen at ``usual`` by day. Rule: I.C.2."""
        return min(usual, self.spotting)

    def movement(self, printed: int, floor: int, wagon: bool = False) -> int:
        """Return the MP of a vehicle, not below ``floor`` (night_mp_floor). Rule: I.C.3."""
        return printed if wagon else max(printed + self.vehicle_movement, min(printed, floor))

    def __str__(self) -> str:
        return (
            f"Night: ranges are divided by {self.range_divisor} and rounded down, spotting reaches "
            f"at most {self.spotting} hexes, vehicles have {self.vehicle_movement} movement "
            "points, wagons keep theirs."
        )


class VariantNumbers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of the variant that stand in no table: ``data/airborne/rules.yaml``."""

    platoons_per_hex: int
    gliders_per_hex: int
    glider_miss: int
    glider_shift: dict[Speed, int]
    airdropped_artillery_scenario: int
    heavy_anti_aircraft: tuple[str, ...]
    night: NightChanges


NUMBERS: Final = data_file("airborne/rules.yaml", VariantNumbers)


def sticks_per_hex(settings: DropSettings) -> int:
    """Return how many sticks may be aimed at or land in a hex. Rule: I.F, II.B."""
    return NUMBERS.content.platoons_per_hex * settings.sticks_per_platoon


def drift_row(letter: str, settings: DropSettings) -> DriftRow:
    """Return the drift diagram ``letter`` (A to R) in force. Rule: II.C.

    Raises PBCGError for any other letter.
    """
    wanted = letter.strip().upper()
    if wanted in settings.drift_rows_override:
        sticks = settings.drift_rows_override[wanted]
        return DriftRow(letter=wanted, sticks=sticks, certainty=SET_BY_PLAYERS)
    if wanted not in DIAGRAMS.content:
        raise PBCGError(f'There is no drift diagram "{letter[:20]}": they are A to R.')
    return DIAGRAMS.content[wanted]


# Roll tables


@cache
def airborne_tables() -> TableSet:
    """Return all roll tables of the airborne variant as shipped."""
    return TABLES.content


TABLES: Final = DataFile(
    "airborne/tables.yaml", lambda raw, source: _read_tables(raw, source, default_settings())
)


def tables_for(settings: DropSettings) -> TableSet:
    """Return all roll tables with the values of ``settings`` in place of the shipped ones."""
    return _tables_of(msgspec.json.encode(settings)) if settings.chosen else airborne_tables()


@lru_cache(maxsize=16)
def _tables_of(stored: bytes) -> TableSet:
    raw = load_data("airborne/tables.yaml")
    settings = msgspec.json.decode(stored, type=DropSettings)
    return _read_tables(raw, "data/airborne/tables.yaml", settings)


def table(name: str, settings: DropSettings) -> RollTable:
    """Return the roll table ``name`` without its prefix, for example ``"wind_speed"``."""
    return tables_for(settings)[PREFIX + name]


def _read_tables(shipped: Any, source: str, settings: DropSettings) -> TableSet:
    """Read the tables of a file, with what the players have set in their place."""
    raw: dict[str, Any] = dict(shipped)
    if "wind_speed_chart" in settings.chosen:
        speeds = sorted(settings.wind_speed_chart.items())
        chart: Any = [{"at": die, "result": speed} for die, speed in speeds]
        raw["wind_speed"] = {**raw["wind_speed"], "rows": chart, "certainty": _SET}
    if "wind_numbering" in settings.chosen:
        raw["wind_direction"] = {**raw["wind_direction"], "certainty": _SET}
    if settings.jump_survival:
        chart = [{**row, "results": list(row["results"])} for row in raw["jump_survival"]["rows"]]
        for terrain, results in settings.jump_survival.items():
            for row, effect in zip(chart, results, strict=True):
                row["results"][TERRAIN.index(terrain)] = EFFECTS[effect]
        certainty = f"{_SET} Rows: {', '.join(settings.jump_survival)}."
        raw["jump_survival"] = {**raw["jump_survival"], "rows": chart, "certainty": certainty}
    return TableSet.read(raw, source, PREFIX, RESULTS, whole=not settings.chosen)
