"""The settings of the airborne variant: every value that is not certain, with its certainty.

``data/airborne/settings.yaml`` holds the defaults; a settings file of the players replaces any::

    format: pbcg-drop-settings/1
    wind_speed_chart: {1: low, 2: low, 3: low, 4: gusty, 5: gusty, 6: high}
    orientation: flat_top
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.prompts import Script, tell
from asl_pbcg.kernel.reader import Reader, nearest_or_all, value_words
from asl_pbcg.kernel.textfiles import read_yaml_or_json
from asl_pbcg.kernel.typed_data import DataFile, read_keyed, read_typed, unless_known

FORMAT: Final = "pbcg-drop-settings/1"

Orientation = Literal["pointy_top", "flat_top"]
Speed = Literal["low", "gusty", "high"]
Certainty = Literal["certain", "high", "medium", "reconstruction", "house"]
Effect = Literal["X", "D", "-"]

SPEEDS: Final[tuple[Speed, ...]] = ("low", "gusty", "high")
TERRAIN: Final = ("sea", "forest", "town", "gully", "swamp", "stream", "slope", "clear")
"""The eight rows of the Paratroop Jump Survival Chart. Rule: II.D."""

PHASES: Final = (
    "indirect_fire_and_mines",
    "direct_fire",
    "air_phase",
    "movement",
    "close_assault",
)
PARTS: Final = ("weather", "regroup", "air", "landing", "survival", "end")
"""The parts of a turn that this variant adds to the phases of the base game. Rule: I.A, II.A."""

LETTERS: Final = "ABCDEFGHIJKLMNOPQR"

COMPASS: Final[dict[str, tuple[str, ...]]] = {
    "pointy_top": ("NE", "E", "SE", "SW", "W", "NW"),
    "flat_top": ("N", "NE", "SE", "S", "SW", "NW"),
}
"""The six hexsides by compass, clockwise, for each way the hexes stand. Rule: I.D."""


class Setting(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is known of one setting: its default, how certain that is, and why."""

    key: str
    rule: str
    default: Any
    values: tuple[str, ...] = ()
    certainty: Certainty
    words: str
    expects: str
    why: str
    alternatives: tuple[str, ...] = ()


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The settings of a drop, all of them. Made by ``default_settings`` and ``read_settings``."""

    orientation: Orientation
    wind_numbering: dict[int, str]
    wind_speed_chart: dict[int, Speed]
    drift_rows_override: dict[str, tuple[int, ...]]
    drift_row_totals: Literal["checked", "unchecked"]
    sticks_per_platoon: int
    stick_assignment: Literal["random_slots", "owner_choice", "nearest_first"]
    cap_check: Literal["before_survival", "after_survival"]
    plane_shot_down: Literal["load_lost", "load_jumps"]
    jump_survival: dict[str, tuple[Effect, ...]]
    terrain_alias: dict[str, str]
    mixed_hex: Literal["worst_row", "asked"]
    glider_shift_direction: Literal["downwind", "upwind"]
    glider_offboard: Literal["lost", "clamp_to_edge"]
    glider_terrain_check: Literal["none", "use_jump_table"]
    stacking_limit: int
    phase_order: tuple[str, ...]
    scenario: int
    night: bool
    night_mp_floor: int
    changed: tuple[str, ...] = ()
    """The keys that the players have set, in the order of the list of settings."""

    def to_data(self) -> dict[str, Any]:
        """Plain data that ``Settings.of_data`` reads back."""
        data: dict[str, Any] = msgspec.to_builtins(self, str_keys=True)
        return data

    @classmethod
    def of_data(cls, data: Any) -> Settings:
        """Settings as ``to_data`` stored them."""
        return msgspec.convert(data, cls, strict=False)


Check = Callable[[Settings], Iterator[str]]
"""Says what is wrong with one of the settings, judged with the others."""


def _read_list(raw: Any, source: str) -> dict[str, Setting]:
    found = read_keyed(raw, Setting, source)
    for key in Settings.__struct_fields__:
        if key != "changed" and key not in found:
            raise PBCGError(f"{source}: setting {key} is missing.")
    kinds = {field.name: field.type for field in msgspec.structs.fields(Settings)}
    kinds["wind_numbering"] = dict[str, dict[int, str]]  # one for each way the hexes stand
    for key, setting in found.items():
        for _, wrong in unless_known(key, key, Settings.__struct_fields__, "setting"):
            raise PBCGError(f"{source}: {wrong}.")
        read_typed(setting.default, kinds[key], source, part=f"{key}.default")
    return found


SETTINGS: Final = DataFile("airborne/settings.yaml", _read_list)


def setting_list() -> dict[str, Setting]:
    """Every setting with its default and certainty, by key, in the order of the article."""
    return SETTINGS.content


class DriftRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One drift diagram, with how sure it is.

    ``sticks[n]`` is the most that may land ``n`` hexes downwind of the target hex. ``filled`` says
    which numbers (the target hex is number 1) are lost in the copy at hand and were put there.
    """

    letter: str
    sticks: tuple[int, ...]
    certainty: Literal["certain", "high", "medium", "set by the players"]
    reading: str = ""
    filled: dict[int, int] = {}
    sureness: float | None = None
    note: str = ""

    @property
    def total(self) -> int:
        """How many sticks have a place in the row."""
        return sum(self.sticks)

    @property
    def places(self) -> tuple[int, ...]:
        """How far downwind each place of the row is, nearest first: one entry for each stick."""
        return tuple(distance for distance, most in enumerate(self.sticks) for _ in range(most))


def _read_drift(raw: Any, source: str) -> dict[str, DriftRow]:
    found = read_keyed(raw, DriftRow, source, "letter")
    for letter in LETTERS:
        if letter not in found:
            raise PBCGError(f"{source}: row {letter} is missing.")
    for letter in found:
        for _, wrong in unless_known(letter, letter, LETTERS, "row"):
            raise PBCGError(f"{source}: {wrong}.")
    return found


DRIFT: Final = DataFile("airborne/drift.yaml", _read_drift)
"""The eighteen drift diagrams as shipped. Rule: II.C."""


def default_settings() -> Settings:
    """The settings when the players have set nothing."""
    return _default()


@cache
def _default() -> Settings:
    return settings_of({}, "the defaults")


def read_settings(path: Path) -> Settings:
    """Read a settings file.

    Raises PBCGError if it cannot be read, FaultsError with every fault, unknown keys with the
    nearest known one.
    """
    raw = read_yaml_or_json(path)
    if not isinstance(raw, dict) or raw.get("format") != FORMAT:
        found = str(raw.get("format", "")) if isinstance(raw, dict) else ""
        reader = Reader(str(path))
        reader.fault("format", found[:40], f"should be {FORMAT}")
        reader.raise_faults()
    return settings_of({key: raw[key] for key in raw if key != "format"}, str(path))


def settings_of(given: Mapping[str, Any], source: str) -> Settings:
    """The defaults with ``given`` laid over them. Raises FaultsError with every fault."""
    known = setting_list()
    reader = Reader(source)
    values: dict[str, Any] = {}
    types = {field.name: field.type for field in msgspec.structs.fields(Settings)}
    for key, value in given.items():
        if key not in known:
            hint = nearest_or_all(key, known, 0.4)
            reader.fault(value_words(key), "", f"is no setting{hint}")
            continue
        try:
            # Keys of a map are text in JSON and in what is stored.
            strict = not isinstance(value, dict)
            values[key] = msgspec.convert(value, types[key], strict=strict)
        except msgspec.ValidationError:
            reader.fault(key, _single(value), f"should be {known[key].expects}")
    wrong = set(given) - set(values)
    values["changed"] = tuple(key for key in known if key in values)
    for key, setting in known.items():
        if key not in values:
            default = setting.default
            if key == "wind_numbering":
                default = default[values["orientation"]]
            values[key] = msgspec.convert(default, types[key], strict=False)
        elif key == "terrain_alias":
            values[key] = {**setting.default, **values[key]}
    found = Settings(**values)
    for key, check in _CHECKS.items():
        if not wrong & {key, *_RESTS_ON.get(key, ())}:
            for fault in check(found):
                reader.fault(key, _single(given.get(key, "")), fault)
    reader.raise_faults()
    return found


def _single(value: Any) -> str:
    """A value as a fault quotes it; of a map the fault names the line itself."""
    return "" if isinstance(value, dict) else value_words(value)


def _expects(key: str) -> str:
    return f"should be {setting_list()[key].expects}"


def _check_numbering(found: Settings) -> Iterator[str]:
    sides = COMPASS[found.orientation]
    numbering = found.wind_numbering
    if sorted(numbering) != [1, 2, 3, 4, 5, 6] or set(numbering.values()) != set(sides):
        known = ", ".join(sides)
        yield f"{_expects('wind_numbering')}; the hexsides of {found.orientation} are {known}"
        return
    places = [sides.index(numbering[die]) for die in range(1, 7)]
    turns = {(later - place) % 6 for place, later in pairwise(places)}
    if turns not in ({1}, {5}):
        yield "should go round the hex, one hexside after the other"


def _check_chart(found: Settings) -> Iterator[str]:
    if sorted(found.wind_speed_chart) != [1, 2, 3, 4, 5, 6]:
        yield _expects("wind_speed_chart")


def _check_rows(found: Settings) -> Iterator[str]:
    full = 2 * found.sticks_per_platoon
    for letter, row in found.drift_rows_override.items():
        total = sum(row)
        if letter not in LETTERS or len(letter) != 1:
            yield f"has a row {letter}: the rows are A to R"
        elif not row or any(not 0 <= number <= full for number in row) or not row[-1]:
            yield f"row {letter} should be numbers from 0 to {full}, the last of them not 0"
        elif total < full:
            yield f"row {letter} totals {total}: {full} sticks would not all have a place"
        elif total > full and found.drift_row_totals == "checked":
            yield (
                f"row {letter} totals {total}, but every row totals {full}; "
                "drift_row_totals: unchecked allows more"
            )


def _check_sticks(found: Settings) -> Iterator[str]:
    if not 1 <= found.sticks_per_platoon <= 12:
        yield _expects("sticks_per_platoon")
        return
    full = 2 * found.sticks_per_platoon
    shipped = DRIFT.content
    short = [
        letter
        for letter in LETTERS
        if letter not in found.drift_rows_override and shipped[letter].total != full
    ]
    if short and (found.drift_row_totals == "checked" or full > 8):
        yield f"needs drift rows that total {full}: set drift_rows_override for {', '.join(short)}"


def _check_survival(found: Settings) -> Iterator[str]:
    for terrain, results in found.jump_survival.items():
        if terrain not in TERRAIN:
            yield f"has a row {terrain}: the rows are {', '.join(TERRAIN)}"
        elif len(results) != 6:
            yield f"row {terrain} should have six results, for die 1 to 6"


def _check_alias(found: Settings) -> Iterator[str]:
    for word, row in found.terrain_alias.items():
        if row not in TERRAIN:
            yield f"{word}: {row} is no row of the chart; the rows are {', '.join(TERRAIN)}"
        elif word in TERRAIN:
            yield f"{word} is a row of the chart itself and needs no alias"


def _between(key: str, low: int, high: int) -> Check:
    def check(found: Settings) -> Iterator[str]:
        if not low <= getattr(found, key) <= high:
            yield _expects(key)

    return check


def _check_phases(found: Settings) -> Iterator[str]:
    order = found.phase_order
    right = order.count("air_phase") == 1 and len(set(order)) == len(order) <= 12
    clean = all(phase and phase.replace("_", "").isalnum() for phase in order)
    if taken := [phase for phase in order if phase in PARTS]:
        yield f"cannot hold {taken[0]}: that is a part of every turn already"
    elif not (right and clean):
        yield _expects("phase_order")


_CHECKS: Final[dict[str, Check]] = {
    "wind_numbering": _check_numbering,
    "wind_speed_chart": _check_chart,
    "drift_rows_override": _check_rows,
    "sticks_per_platoon": _check_sticks,
    "jump_survival": _check_survival,
    "terrain_alias": _check_alias,
    "stacking_limit": _between("stacking_limit", 1, 20),
    "phase_order": _check_phases,
    "scenario": _between("scenario", 0, 99),
    "night_mp_floor": _between("night_mp_floor", 0, 10),
}

_RESTS_ON: Final = {
    "wind_numbering": ("orientation",),
    "drift_rows_override": ("sticks_per_platoon", "drift_row_totals"),
    "sticks_per_platoon": ("drift_rows_override", "drift_row_totals"),
}
"""What else must be right before a setting can be judged."""


def certainty_of(key: str, settings: Settings) -> str:
    """How sure the value in force is: the default's certainty, or "set" by the players."""
    return "set by the players" if key in settings.changed else setting_list()[key].certainty


def name_uncertain(used: Iterable[str], settings: Settings) -> str:
    """Say in one sentence which values that are not certain were used; "" if there are none.

    ``used`` are keys of settings; anything else in it is said as it stands.
    """
    known = setting_list()
    named = []
    for key in dict.fromkeys(used):
        if key not in known:
            named.append(key)
        elif (said := certainty_of(key, settings)) != "certain":
            named.append(f"{key} ({said})")
    return f"Not certain in the rules, used here: {', '.join(named)}." if named else ""


def tell_used(used: Iterable[str], settings: Settings) -> Script[None]:
    """Tell what ``name_uncertain`` says, if anything."""
    if said := name_uncertain(used, settings):
        yield from tell(said)
