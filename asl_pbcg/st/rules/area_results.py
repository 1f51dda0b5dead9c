"""The results of the area game's roll tables, as its procedures know them."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache
from typing import Any, Final

import msgspec

from asl_pbcg.kernel.results import Results, whole_number

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
