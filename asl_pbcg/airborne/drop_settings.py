"""The settings of the airborne variant: every value that is not certain, with its certainty.

``data/airborne/rulings.yaml`` holds the defaults; a settings file of the players replaces any::

    format: pbcg-drop-settings/1
    wind_speed_chart: {1: low, 2: low, 3: low, 4: gusty, 5: gusty, 6: high}
    orientation: flat_top

The eighteen drift diagrams (``DIAGRAMS``) say how far downwind the sticks of a drop come down.
Rule: II.C.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_args

import msgspec
from msgspec import Meta

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.prompts import Note, Script
from asl_pbcg.kernel.rulings import Register
from asl_pbcg.kernel.typed_data import DataFile, read_keyed, unless_known

LETTERS: Final = "ABCDEFGHIJKLMNOPQR"


class DriftRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One drift diagram, with how sure it is.

    ``sticks[n]`` is the most that may land ``n`` hexes downwind of the target hex. ``filled`` says
    which numbers (the target hex is number 1) are lost in the copy at hand and were put there.
    """

    letter: str
    sticks: tuple[int, ...]
    certainty: str
    reading: str = ""
    filled: dict[int, int] = {}
    sureness: float | None = None
    note: str = ""

    @property
    def total(self) -> int:
        """Return how many sticks have a place in the row."""
        return sum(self.sticks)

    @property
    def places(self) -> tuple[int, ...]:
        """Return how far downwind each place of the row is, nearest first, one for each stick."""
        return tuple(distance for distance, most in enumerate(self.sticks) for _ in range(most))


def _read_diagrams(raw: Any, source: str) -> dict[str, DriftRow]:
    rows = read_keyed(raw, DriftRow, source, "letter")
    for letter in LETTERS:
        if letter not in rows:
            raise PBCGError(f"{source}: row {letter} is missing.")
    for letter in rows:
        for _, wrong in unless_known(letter, letter, LETTERS, "row"):
            raise PBCGError(f"{source}: {wrong}.")
    return rows


DIAGRAMS: Final = DataFile("airborne/drift.yaml", _read_diagrams)
"""The eighteen drift diagrams as shipped. Rule: II.C."""


FORMAT: Final = "pbcg-drop-settings/1"

Orientation = Literal["pointy_top", "flat_top"]
Speed = Literal["low", "gusty", "high"]
Terrain = Literal["sea", "forest", "town", "gully", "swamp", "stream", "slope", "clear"]
"""The eight rows of the Paratroop Jump Survival Chart. Rule: II.D."""
Effect = Literal["X", "D", "-"]
Effects = Annotated[tuple[Effect, ...], Meta(min_length=6, max_length=6)]

SPEEDS: Final[tuple[Speed, ...]] = get_args(Speed)
TERRAIN: Final[tuple[Terrain, ...]] = get_args(Terrain)
PARTS: Final = ("weather", "regroup", "air", "landing", "survival", "end")
"""The parts of a turn that this variant adds to the phases of the base game. Rule: I.A, II.A."""

COMPASS: Final[dict[Orientation, tuple[str, ...]]] = {
    "pointy_top": ("NE", "E", "SE", "SW", "W", "NW"),
    "flat_top": ("N", "NE", "SE", "S", "SW", "NW"),
}
"""The six hexsides by compass, clockwise, for each way the hexes stand. Rule: I.D."""


class DropSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The settings of a drop. ``chosen`` are the keys that the players have set."""

    orientation: Orientation
    wind_numbering: dict[int, str]
    wind_speed_chart: dict[int, Speed]
    drift_rows_override: dict[str, tuple[int, ...]]
    drift_row_totals: Literal["checked", "unchecked"]
    sticks_per_platoon: Annotated[int, Meta(ge=1, le=12)]
    stick_assignment: Literal["random_slots", "owner_choice", "nearest_first"]
    cap_check: Literal["before_survival", "after_survival"]
    plane_shot_down: Literal["load_lost", "load_jumps"]
    jump_survival: dict[Terrain, Effects]
    terrain_alias: dict[str, Terrain]
    mixed_hex: Literal["worst_row", "asked"]
    glider_shift_direction: Literal["downwind", "upwind"]
    glider_offboard: Literal["lost", "clamp_to_edge"]
    glider_terrain_check: Literal["none", "use_jump_table"]
    stacking_limit: Annotated[int, Meta(ge=1, le=20)]
    phase_order: tuple[str, ...]
    scenario: Annotated[int, Meta(ge=0, le=99)]
    night: bool
    night_mp_floor: Annotated[int, Meta(ge=0, le=10)]
    chosen: tuple[str, ...] = msgspec.field(name="changed", default=())

    def to_data(self) -> dict[str, Any]:
        """Return plain data that ``of_data`` reads back."""
        data: dict[str, Any] = msgspec.to_builtins(self, str_keys=True)
        return data

    @classmethod
    def of_data(cls, data: Mapping[str, Any]) -> DropSettings:
        """Return the settings that ``to_data`` stored."""
        return msgspec.convert(data, cls, strict=False)

    def chosen_values(self) -> dict[str, Any]:
        """Return as plain data what the players have set."""
        data = self.to_data()
        return {key: data[key] for key in self.chosen}


@cache
def default_settings() -> DropSettings:
    """Return the settings when the players have set nothing."""
    return settings_of({}, "the defaults")


def read_settings(path: Path) -> DropSettings:
    """Read a settings file. Raises PBCGError, FaultsError with every fault."""
    return _with_numbers(DROP_RULINGS.read_file(path, FORMAT))


def settings_of(values: Mapping[str, Any], source: str) -> DropSettings:
    """Return the defaults overridden by ``values``. Raises FaultsError with every fault."""
    return _with_numbers(DROP_RULINGS.settings(values, source))


def _with_numbers(settings: DropSettings) -> DropSettings:
    """Return the settings with the hexsides numbered clockwise, unless the players number them."""
    if "wind_numbering" in settings.chosen:
        return settings
    numbering = dict(enumerate(COMPASS[settings.orientation], 1))
    return msgspec.structs.replace(settings, wind_numbering=numbering)


# Values that must fit together


def _misfits(settings: DropSettings) -> Iterator[tuple[str, str]]:
    """Yield of the settings that players have chosen which do not fit, and what would be right."""
    for key, check in _CHECKS.items():
        if key in settings.chosen:
            yield from ((key, wrong) for wrong in check(settings))


def _check_numbering(settings: DropSettings) -> Iterator[str]:
    sides = COMPASS[settings.orientation]
    numbering = settings.wind_numbering
    if sorted(numbering) != [1, 2, 3, 4, 5, 6] or set(numbering.values()) != set(sides):
        yield f"{_must_be('wind_numbering')}; the hexsides are {', '.join(sides)}"
        return
    places = [sides.index(numbering[die]) for die in range(1, 7)]
    if {(later - place) % 6 for place, later in pairwise(places)} not in ({1}, {5}):
        yield "must go round the hex, one hexside after the other"


def _must_be(key: str) -> str:
    return f"must be {DROP_RULINGS[key].expects}"


def _check_chart(settings: DropSettings) -> Iterator[str]:
    if sorted(settings.wind_speed_chart) != [1, 2, 3, 4, 5, 6]:
        yield _must_be("wind_speed_chart")


def _check_rows(settings: DropSettings) -> Iterator[str]:
    full = 2 * settings.sticks_per_platoon
    for letter, row in settings.drift_rows_override.items():
        total = sum(row)
        if letter not in tuple(LETTERS):
            yield f"has a row {letter}: the rows are A to R"
        elif not row or any(not 0 <= number <= full for number in row) or not row[-1]:
            yield f"row {letter} must be numbers from 0 to {full}, the last of them not 0"
        elif total < full:
            yield f"row {letter} totals {total}: {full} sticks would not all have a place"
        elif total > full and settings.drift_row_totals == "checked":
            yield f"row {letter} totals {total}, but every row totals {full}; {_UNCHECKED}"


_UNCHECKED: Final = "drift_row_totals: unchecked allows more"


def _check_sticks(settings: DropSettings) -> Iterator[str]:
    full = 2 * settings.sticks_per_platoon
    others = [letter for letter in LETTERS if letter not in settings.drift_rows_override]
    short = [letter for letter in others if DIAGRAMS.content[letter].total != full]
    if short and (settings.drift_row_totals == "checked" or full > 8):
        yield f"needs drift rows that total {full}: set drift_rows_override for {', '.join(short)}"


def _check_alias(settings: DropSettings) -> Iterator[str]:
    for word in settings.terrain_alias:
        if word in TERRAIN:
            yield f"{word} is a row of the chart itself and needs no alias"


def _check_phases(settings: DropSettings) -> Iterator[str]:
    order = settings.phase_order
    right = order.count("air_phase") == 1 and len(set(order)) == len(order) <= 12
    if taken := [phase for phase in order if phase in PARTS]:
        yield f"cannot hold {taken[0]}: that is a part of every turn already"
    elif not right or not all(phase.replace("_", "").isalnum() for phase in order):
        yield _must_be("phase_order")


_CHECKS: Final = {
    "wind_numbering": _check_numbering,
    "wind_speed_chart": _check_chart,
    "drift_rows_override": _check_rows,
    "sticks_per_platoon": _check_sticks,
    "terrain_alias": _check_alias,
    "phase_order": _check_phases,
}
DROP_RULINGS: Final = Register("airborne", DropSettings, _misfits)
"""Every setting with its default and certainty in the order of the article, then readings."""


# Certainty


def name_uncertain(used: Iterable[str], settings: DropSettings) -> str:
    """Say in one sentence which values that are not certain were used; "" if all are certain.

    ``used`` are keys of settings; anything else in it is said as it stands.
    """
    named = []
    for key in dict.fromkeys(used):
        certainty = DROP_RULINGS.certainty(key, settings.chosen) if key in DROP_RULINGS else ""
        if certainty != "certain":
            named.append(f"{key} ({certainty})" if certainty else key)
    return f"Not certain in the rules, used here: {', '.join(named)}." if named else ""


def tell_used(used: Iterable[str], settings: DropSettings) -> Script[None]:
    """Tell what ``name_uncertain`` says, if anything."""
    if sentence := name_uncertain(used, settings):
        yield Note(sentence)
