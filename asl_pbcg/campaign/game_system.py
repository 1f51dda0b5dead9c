"""Numbers of chapters A and D that the campaign needs: ``data/pb/units.yaml``."""

# No annotations as text here: msgspec compiles each one when a file is opened, which takes long.

from typing import Final

import msgspec

from asl_pbcg.kernel.typed_data import data_file


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    rule: str


class Stacking(_Part, frozen=True):
    """The stacking limits of a Location. Rule: A5.1."""

    squads: int
    smc: int
    vehicles: int


class Crews(_Part, frozen=True):
    """An Inherent crew as a unit. Rule: D5.6."""

    vehicle: str


class VehicularWeapons(_Part, frozen=True):
    """The Repair Number of every vehicular-mounted Weapon. Rule: D3.7."""

    repair: int


class Prisoners(_Part, frozen=True):
    """How many times its Casualty VP a unit held prisoner counts. Rule: A26.222."""

    cvp_times: int


class WoundSeverity(_Part, frozen=True):
    """The Wound Severity dr of a SMC. Rule: A17.11."""

    eliminated_from: int
    wounded: int


class Units(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``data/pb/units.yaml``."""

    stacking: Stacking
    crews: Crews
    vehicular_weapons: VehicularWeapons
    prisoners: Prisoners
    wound_severity: WoundSeverity


UNITS: Final = data_file("pb/units.yaml", Units)
