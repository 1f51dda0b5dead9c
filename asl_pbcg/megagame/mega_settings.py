"""Every value of the megagame rules, where it comes from, and an umpire's own values over it.

``data/megagame/rulings.yaml`` holds the values; an umpire's own file replaces any of them::

    format: pbcg-mega-settings/1
    ambush_bonus: 3
    flak_reach: {heavy: 48}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.reader import nearest
from asl_pbcg.kernel.rulings import Register
from asl_pbcg.kernel.textfiles import read_yaml_or_json

FORMAT: Final = "pbcg-mega-settings/1"
OWN: Final = "own"
PRINTED: Final = ("source", "recovered")
PHASES: Final = (
    "artillery_and_air",
    "german_movement",
    "allied_movement",
    "direct_fire",
    "building_assaults",
)
_CAPITALS: Final = ("at", "he", "smg", "lmg", "mmg", "ii", "iv")
_NAMES: Final = {"pz": "Pz", "sdkfz": "SdKfz", "stug": "StuG"} | {
    name: name.capitalize()
    for name in ("german", "allied", "humber", "panther", "sherman", "tetrarch", "tiger")
}
_PHRASES: Final = {
    "gun_75": "75 mm gun",
    "gun_75_reading": "75 mm gun, reading",
    "no_move_no_fire": "no move, no fire",
}
"""Names of the data that are not words with ``_`` between them."""

Roll = Annotated[int, Meta(ge=1, le=11)]
"""A d10 as it falls; 11 is never thrown."""
Final10 = Annotated[int, Meta(ge=1, le=20)]
Band = Annotated[int, Meta(ge=-10, le=30)]
Shift = Annotated[int, Meta(ge=-10, le=10)]
Inches = Annotated[int, Meta(ge=0, le=120)]
Reach = Annotated[int, Meta(ge=1, le=600)]
Count = Annotated[int, Meta(ge=0, le=50)]
Hit = Literal["light", "medium", "heavy"]
HitOrNone = Literal["light", "medium", "heavy", "none"]


class MegaValues(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The values of the rules, with the types that an umpire's file is read by."""

    morale: dict[str, Roll]
    armoured_retreat: Inches
    one_check_per_event: bool
    aircraft_check_on_no_effect: bool
    embarked_check: Literal["occupants", "none"]
    artillery_modifiers: dict[str, Shift]
    gun_75_reading: Literal["smaller", "larger"]
    gun_75: Annotated[int, Meta(ge=1, le=1000)]
    big_above: Annotated[int, Meta(ge=1, le=1000)]
    suppress_from: Band
    retreat_from: Band
    casualties_from: Band
    destroyed_from: Band | Literal["none"]
    suppress_effect: Literal["no_move_no_fire", "no_move", "no_fire", "marker_only"]
    retreat_distance: dict[str, Inches]
    casualties_count: dict[str, Count]
    barrage_on_vehicles: HitOrNone
    air_spotting: Literal["not_needed", "needed"]
    air_uses_barrage_table: bool
    flak_reach: dict[str, Reach]
    flak_drives_off_from: Roll
    flak_shoots_down_from: Roll
    ambush_bonus: Shift
    ambush_stops_movement: bool
    ambush_arc: Annotated[int, Meta(ge=1, le=360)]
    hit_on: Final10
    building_hit_on: Roll
    fire_modifiers: dict[str, Shift]
    natural_10_hits: bool
    weapon_dice: dict[str, Final10]
    carried_by_each_figure: tuple[str, ...]
    weapon_range: dict[str, Reach]
    weapon_anti_armour: dict[str, HitOrNone]
    soft_skin_hits: Final10
    occupant_casualty_on: Roll
    knocked_out_on: Final10
    anti_armour: dict[str, Annotated[int, Meta(ge=-10, le=20)]]
    armour_class: dict[str, Annotated[int, Meta(ge=0, le=20)]]
    flank_bonus: Annotated[int, Meta(ge=0, le=10)]
    assault_distance: Annotated[int, Meta(ge=1, le=60)]
    assault_figures: Final10
    assault_hit: Hit
    assault_phase: Literal["movement", "direct_fire"]
    vehicle_reaction_fire: bool
    house_casualties: dict[str, Annotated[int, Meta(ge=0, le=20)]]
    house_distance: Inches
    casualties_hit: Literal["opponent", "player"]
    must_match_if_able: bool
    elite_bonus_per: Literal["unit", "figure"]
    number_match: Literal["same_rank", "only_numbers"]
    attackers_lose: Literal["stay_in_contact", "placed_away"]
    stop_when_wiped_out: bool
    casualties_lose_cards: bool
    house_morale_after: bool
    decks: Annotated[int, Meta(ge=1, le=10)]
    phases: tuple[str, ...]
    phases_refuse: bool
    zero_is_ten: bool


_RISING: Final = (
    ("suppress_from", "retreat_from", "casualties_from", "destroyed_from"),
    ("flak_drives_off_from", "flak_shoots_down_from"),
)
"""Bounds of rows of a table, each not below the one before."""


def _misfits(values: MegaValues) -> Iterator[tuple[str, str]]:
    """Yield which values do not fit together: the key, and what would be right."""
    for keys in _RISING:
        for lower, key in pairwise(keys):
            below, bound = getattr(values, lower), getattr(values, key)
            if bound != "none" and bound < below:
                yield key, f"must not be below {lower}, which is {below}"
    if sorted(values.phases) != sorted(PHASES):
        yield "phases", f"must be a list of {', '.join(PHASES)}, each once, in any order"
    if not values.air_uses_barrage_table:
        yield "air_uses_barrage_table", "must be true: there is no other table for aircraft"


class _MegaRegister(Register[MegaValues]):
    def entry_name(self, name: str) -> str:
        """Return a name as lines and data write it: Sten Mk II is sten_mk_ii."""
        return plain_word(name)


MEGA_RULINGS: Final = _MegaRegister("megagame", MegaValues, _misfits)
"""Every value with its certainty, then readings that leave no choice."""


class ValueInForce(msgspec.Struct, frozen=True, kw_only=True):
    """One value in force: its name (``flak_reach.light``), how certain it is and why.

    ``certainty`` is source, recovered, inferred, house, or own when the umpire's file gave it.
    """

    name: str
    value: Any
    certainty: str
    words: str
    rule: str
    why: str = ""

    @property
    def printed(self) -> bool:
        """Return whether the article itself has it, so that an answer need not name it."""
        return self.certainty in PRINTED

    @property
    def as_text(self) -> str:
        """Return the value as people read it."""
        if isinstance(self.value, bool):
            return "yes" if self.value else "no"
        if isinstance(self.value, list | tuple):
            return ", ".join(map(str, self.value)) or "none"
        return "none" if self.value is None else str(self.value)

    @property
    def in_words(self) -> str:
        """Return the value as answers and sheets have it: ``weapon range, rifle: 18``."""
        return f"{self.title}: {', '.join(map(spell_out, self.as_text.split(', ')))}"

    @property
    def title(self) -> str:
        """Return its name in words: ``weapon range, rifle``."""
        return ", ".join(spell_out(part) for part in self.name.split("."))


class UmpireSettings:
    """The values in force: the program's, with the umpire's own over them."""

    def __init__(self, own: Mapping[str, Any] | None = None) -> None:
        self.own: dict[str, Any] = dict(own or {})

    @classmethod
    def read(cls, path: Path) -> UmpireSettings:
        """Read an umpire's file (YAML or JSON); raises FaultsError with every fault of it."""
        MEGA_RULINGS.read_file(path, FORMAT)
        return cls.from_values(read_yaml_or_json(path))

    @classmethod
    def from_values(cls, raw: Mapping[str, Any]) -> UmpireSettings:
        """Return the settings with an umpire's own values, read and found right before."""
        own = {}
        for key, value in raw.items():
            if isinstance(value, dict):
                value = {plain_word(str(name)): entry for name, entry in value.items()}
            if key != "format":
                own[key] = value
        return cls(own)

    def whole(self, key: str) -> Any:
        """Return the value ``key`` with the umpire's own value, or own names, over it."""
        default, own = MEGA_RULINGS[key].default, self.own.get(key)
        if isinstance(default, dict):
            return {**default, **(own or {})}
        value = default if own is None else own
        return None if value == "none" and key == "destroyed_from" else value

    def value(self, name: str) -> ValueInForce:
        """Return the value ``name`` (a key, or key.entry) in force and where it comes from.

        Raises PBCGError if there is none of that name.
        """
        key, _, entry = name.partition(".")
        if key not in MegaValues.__struct_fields__:
            raise PBCGError(
                f'"{key}" is not a setting{nearest(key, MegaValues.__struct_fields__)}.'
            )
        ruling, whole = MEGA_RULINGS[key], self.whole(key)
        if entry and entry not in whole:
            raise PBCGError(
                f'{key} has no "{entry}"{nearest(entry, whole)}. A settings file can add it.'
            )
        is_own = entry in self.own.get(key, {}) if entry else key in self.own
        return ValueInForce(
            name=name,
            value=whole[entry] if entry else whole,
            certainty=OWN if is_own else MEGA_RULINGS.certainty(name, ()) or "house",
            words=ruling.question,
            rule=ruling.rule,
            why="the umpire's own" if is_own else ruling.why,
        )

    def __getitem__(self, name: str) -> Any:
        return self.value(name).value

    def __iter__(self) -> Iterator[ValueInForce]:
        """Yield every value in force, entry by entry, in the order of the rules."""
        for key in MegaValues.__struct_fields__:
            whole = self.whole(key)
            for name in [f"{key}.{entry}" for entry in whole] if isinstance(whole, dict) else [key]:
                yield self.value(name)


def plain_word(word: str) -> str:
    """Return a word as the data writes it: small letters, ``_`` for spaces, hyphens and points."""
    plain = "".join(letter if letter.isalnum() else " " for letter in word.lower())
    return "_".join(plain.split())


def spell_out(name: str) -> str:
    """Return a name of the data as a sentence has it: ``hand_at`` is hand AT."""
    if name in _PHRASES:
        return _PHRASES[name]
    return " ".join(
        part.upper() if part in _CAPITALS else _NAMES.get(part, part) for part in name.split("_")
    )


def capital(text: str) -> str:
    """Return ``text`` as it begins a sentence; the rest stays as it is."""
    return text[:1].upper() + text[1:]
