"""The roll tables of a module, and their results as typed values for the Refit Phase.

For Pegasus Bridge they stand in ``data/pb/tables.yaml``; a module brings its own.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import Any, Final

import msgspec

from asl_pbcg.campaign.terms import SHIPPED
from asl_pbcg.kernel.table_set import Results, TableSet, whole_number
from asl_pbcg.kernel.tables import RollTable
from asl_pbcg.kernel.typed_data import DataFile


@cache
def tables_file(folder: str = SHIPPED) -> DataFile[TableSet]:
    """The file of a module's roll tables."""
    return DataFile(
        f"{folder}/tables.yaml", lambda raw, source: TableSet.read(raw, source, results=RESULTS)
    )


@cache
def campaign_tables(folder: str = SHIPPED) -> TableSet:
    """All roll tables of a module."""
    return tables_file(folder).content


def table(name: str) -> RollTable:
    """The roll table ``name``, for example ``"rg_strength"``."""
    return campaign_tables()[name]


class _Facts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The text beside a row."""


class Escape(StrEnum):
    """Escape of Infantry. Rule: 9.606."""

    ESCAPES = "escapes"
    REPLACED = "escapes_replaced"
    CASUALTY_REDUCED = "escapes_casualty_reduced"
    REPLACED_AND_REDUCED = "escapes_replaced_then_casualty_reduced"
    ELIMINATED = "all_units_and_equipment_eliminated"


class EscapeFacts(_Facts, msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Beside a row of Escape: note 1. Rule: 9.606."""

    heat_of_battle: bool = False


class Fate(StrEnum):
    """The result of an Escape attempt of a vehicle or its crew. Rule: 9.606."""

    ESCAPES = "escapes"
    ABANDONED = "abandoned"
    ELIMINATED = "eliminated"


class VehicleFate(_Facts, msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Beside a row of a vehicle's Escape: both fates. Rule: 9.606."""

    vehicle: Fate
    crew: Fate

    @property
    def result(self) -> str:
        """The result that the two fates are."""
        return "escapes" if self.vehicle == self.crew == "escapes" else (
            f"{self.vehicle}_crew_{self.crew}"
        )  # fmt: skip


class VehicleEscape(StrEnum):
    """Escape of a Mobile vehicle. Rule: 9.606."""

    ESCAPES = "escapes"
    ABANDONED_CREW_ESCAPES = "abandoned_crew_escapes"
    ELIMINATED_CREW_ESCAPES = "eliminated_crew_escapes"
    ABANDONED_CREW_ELIMINATED = "abandoned_crew_eliminated"
    ELIMINATED_CREW_ELIMINATED = "eliminated_crew_eliminated"


class LeftEquipment(StrEnum):
    """Equipment of a unit that its Escape Eliminated. Rule: 9.6061."""

    LEFT = "left_in_last_location"
    ELIMINATED = "eliminated"


class Shift(StrEnum):
    """Rule: 9.613."""

    SAFELY = "shifted_safely"
    NO_SHIFT = "no_shift"
    WITH_CASUALTIES = "shifted_with_casualties"
    ALL_ELIMINATED = "all_eliminated"


class ShiftCasualties(StrEnum):
    """Rule: 9.613."""

    UNHARMED = "unharmed"
    LOST = "lost"


class CrewSurvival(StrEnum):
    """Rule: D5.6."""

    SURVIVES = "survives"
    ELIMINATED = "eliminated"


class ImmobilizationRepair(StrEnum):
    """Rule: 9.6141b."""

    MOBILE = "mobile"
    NO_CHANGE = "no_change"


class StunRecovery(StrEnum):
    """Rule: 9.6141d."""

    RECOVERS = "recovers"
    RETAINS_STUN = "retains_stun"
    ELIMINATED = "eliminated"


class WeaponRepair(StrEnum):
    """Rule: 9.6142."""

    REPAIRED = "repaired"
    ELIMINATED = "eliminated"


class CapturedEquipment(StrEnum):
    """Rule: 9.61422."""

    KEPT = "kept"
    ELIMINATED = "eliminated"


class SpecialAmmo(StrEnum):
    """Rule: 9.61424."""

    RESTORED = "restored"
    STILL_DEPLETED = "still_depleted"


class WoundedLeader(StrEnum):
    """Rule: 9.6101."""

    UNWOUNDED = "unwounded"
    WOUNDED = "wounded"
    ELIMINATED = "eliminated"


class SANAdjustment(StrEnum):
    """Rule: 9.6122."""

    UNCHANGED = "unchanged"
    LOWERED = "lowered"


class SANChange(_Facts, msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Beside a row of a SAN adjustment. Rule: 9.6122."""

    change: int = 0

    @property
    def result(self) -> str:
        """The result that the change is."""
        return SANAdjustment.LOWERED if self.change < 0 else SANAdjustment.UNCHANGED


class Strength(StrEnum):
    """RG Strength. Rule: 9.6181."""

    FULL = "full"
    DEPLETED = "depleted"


class SupportWeaponDr(StrEnum):
    """Rule: 9.6182."""

    RECEIVED = "received"
    NONE = "none"


class Leaders(_Facts, msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Beside a row of the Leader Allotment tables. Rule: 9.6183."""

    leaders: tuple[str, ...]

    @property
    def result(self) -> str:
        """The result that the leaders are."""
        return ", ".join(self.leaders) or "none"


ESCAPE: Final = Results(Escape, EscapeFacts)
VEHICLE_ESCAPE: Final = Results(VehicleEscape, VehicleFate, lambda facts: facts.result)
SAN: Final = Results(SANAdjustment, SANChange, lambda facts: facts.result)
LEADERS: Final = Results(str, Leaders, lambda facts: facts.result)
_SUPPORT_WEAPON: Final[Results[Any]] = Results(SupportWeaponDr)

RESULTS: Final[dict[str, Results[Any]]] = {
    "escape.infantry": ESCAPE,
    "escape.vehicle": VEHICLE_ESCAPE,
    "escape.equipment": Results(LeftEquipment),
    "shift": Results(Shift),
    "shift.casualties": Results(ShiftCasualties),
    "crew_survival": Results(CrewSurvival),
    "immobilization_repair": Results(ImmobilizationRepair),
    "stun_recovery": Results(StunRecovery),
    "weapon_repair": Results(WeaponRepair),
    "captured_equipment": Results(CapturedEquipment),
    "special_ammo": Results(SpecialAmmo),
    "wounded_leader": Results(WoundedLeader),
    "san_adjustment.british": SAN,
    "san_adjustment.german": SAN,
    "loss_points": Results(whole_number(1, 6)),
    "rg_strength": Results(Strength),
    "sw.full": _SUPPORT_WEAPON,
    "sw.depleted": _SUPPORT_WEAPON,
    "sw.depleted_parentheses": _SUPPORT_WEAPON,
    "leader.personnel": LEADERS,
    "leader.armor": LEADERS,
}
"""Of each table of ``tables.yaml`` what it may say."""
