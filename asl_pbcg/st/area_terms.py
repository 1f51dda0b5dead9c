"""Terms of the area game: sides, kinds of unit, phases, places, and single numbers of its rules.

A place is kept as a word, because it stands in states, answers and logs: the id of an area, with
``BUNKER`` behind it for the bunker there. No other module takes such words apart. The numbers
stand in ``data/st/numbers.yaml``. Rule: ST-GEN-04, ST-SEQ-01, ST-BUN.
"""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple

import msgspec

from asl_pbcg.kernel.typed_data import DataFile, read_typed

SideName = Literal["british", "german"]
BRITISH: Final = "british"
GERMAN: Final = "german"

Kind = Literal[
    "leader", "platoon", "squad", "sapper", "hq", "garrison", "infantry", "tank", "mercedes"
]
WeaponKind = Literal["mg", "at", "piat", "gammon"]
Mode = Literal["historical", "full_history", "variable"]
Difficulty = Literal["easy", "medium", "hard"]

COMBAT_KINDS: Final = frozenset({"platoon", "squad", "sapper", "hq", "garrison", "infantry"})
"""Combat units: infantry, sappers and HQ of both sides. Rule: ST-GEN-04."""
BRITISH_INFANTRY: Final = frozenset({"platoon", "squad"})
"""British infantry, which alone throws grenades; not sappers or HQ. Rule: ST-GRE-02, ST-FIR-15."""
GERMAN_INFANTRY: Final = frozenset({"garrison", "infantry"})
VEHICLES: Final = frozenset({"tank", "mercedes"})


class PhaseTerm(NamedTuple):
    """A phase: its name in the program, its title, its rule."""

    name: str
    title: str
    rule: str


PHASES: Final = (
    PhaseTerm("glider_landing", "Glider Landing Phase", "ST-GLI-01"),
    PhaseTerm("suppression_removal", "Suppression Removal Phase", "ST-SUP-05"),
    PhaseTerm("british_movement", "British Movement Phase", "ST-SEQ-04"),
    PhaseTerm("german_movement", "German Movement Phase", "ST-GMV-01"),
    PhaseTerm("british_fire", "British Fire Phase", "ST-SEQ-11"),
    PhaseTerm("german_fire", "German Fire Phase", "ST-SEQ-13"),
    PhaseTerm("hand_to_hand", "Hand-to-Hand Combat Phase", "ST-SEQ-14"),
    PhaseTerm("prepared_positions", "Prepared Position Phase", "ST-SEQ-15"),
    PhaseTerm("bridge", "Bridge Disarming/Repair Phase", "ST-SEQ-16"),
)
"""The nine phases of a turn in their order; the first is played on turn 1 only."""


def other(side: str) -> SideName:
    """Name the enemy of ``side``."""
    return GERMAN if side == BRITISH else BRITISH


BUNKER: Final = "*"
"""The sign behind the id of an area in the name of its bunker."""


def area_of(place: str) -> str:
    """Return the area that a place is in."""
    return place.removesuffix(BUNKER)


def is_bunker(place: str) -> bool:
    """Tell whether a place is a bunker."""
    return place.endswith(BUNKER)


class Number(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A number of the rules and the rule that gives it."""

    value: int
    rule: str


class Numbers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The single numbers of ``data/st/numbers.yaml``; each has its rule there."""

    turns: int
    minutes_per_turn: int
    garrisons_wake_turn: int
    mp_british: int
    mp_escort: int
    mp_german: int
    mp_wounded: int
    mp_carrying_mg: int
    mp_mercedes_fired_on: int
    cost_enemy_occupied: int
    cost_enter_bunker: int
    cost_leave_bunker: int
    cost_leave_bunker_enemy: int
    cost_arrow: int
    cost_ferry: int
    cost_wreck: int
    cost_grenade: int
    cost_gammon: int
    cost_clear_bunker: int
    cost_prepare_position: int
    mg_sp: int
    mg_crew_penalty: int
    at_crew_penalty: int
    tank_mg_sp: int
    gun_sp: int
    gun_range: int
    leaders_alone_sp: int
    leader_sp: int
    weapon_sp: int
    tanks_per_area: int
    infantry_with_tank: int
    glider_capacity: int
    british_stack: int
    german_roll_turn: int
    british_roll_turn: int
    fire_free_turn: int
    fire_free_turn_historical: int
    mercedes_turn: int


def _read_numbers(raw: Any, source: str) -> Numbers:
    found = read_typed(raw, dict[str, Number], source)
    return read_typed({name: each.value for name, each in found.items()}, Numbers, source)


NUMBERS: Final = DataFile("st/numbers.yaml", _read_numbers)


def numbers() -> Numbers:
    """Return the single numbers of the rules."""
    return NUMBERS.content
