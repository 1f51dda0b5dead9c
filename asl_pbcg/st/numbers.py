"""The single numbers of the area game: ``data/st/numbers.yaml``."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from asl_pbcg.kernel.typed_data import DataFile, read_typed


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
