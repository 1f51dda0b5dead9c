"""The records of a campaign besides its pieces: who left, RG, purchases, CG Dates."""

# No annotations as text here: msgspec compiles each one when a file is opened, which takes long.

import msgspec

from asl_pbcg.campaign.pieces import Stored
from asl_pbcg.campaign.terms import CGDate, Side


class Gone(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A piece that left its side's OB, and how. Rule: 9.2 Eliminated."""

    piece: Stored
    date: CGDate
    step: str
    how: str
    """eliminated, withdrawn, replaced, split, recombined, promoted or captured."""
    why: str = ""


class ReceivedGroup(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One RG received: a line of the RG Purchase Record. Rule: 9.6178."""

    key: str
    id: str
    date: CGDate
    given: bool = False
    strength: str = ""
    """full, depleted, or empty while not known."""
    area: str = ""
    cost: int = 0
    entry_cost: int = 0
    paid_again: dict[CGDate, int] = {}
    """CPP paid for an Entry Area on later CG Dates. House rule C-82."""
    units: tuple[tuple[int, str], ...] = ()
    sw: dict[str, int] = {}
    leaders: tuple[str, ...] = ()
    settled: bool = False
    """Whether 9.618 is done for it."""


class Bought(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One Fortification (or HIP, "?", SAN or Starshell Increase) bought. Rule: 9.619."""

    key: str
    side: Side
    kind: str
    date: CGDate
    cost: float
    factors: int = 0
    unit: str = ""
    at: str = ""


class DateAccount(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The CG Roster's line for one CG Date. Rule: 9.13, 9.617."""

    date: CGDate
    san: dict[Side, int] = {}
    cpp_base: int = 0
    cpp_loss_points: int = 0
    cpp_available: int = 0
    cpp_spent: int = 0
    cpp_left: int = 0
    fpp_received: dict[Side, float] = {}
    fpp_spent: dict[Side, float] = {}
    reinforcements: str = ""
    cvp_lost: dict[Side, int] = {}
    walking_wounded_cvp: int = 0
    """CPP value of the Walking Wounded MMC received in the RePh after it. Rule: 9.6162."""
    ended_by: str = ""
    """How the CG scenario ended: the Game End dr, or by agreement. Rule: CG19."""
    scenario_ended: bool = False
    """Whether CG-Scenario End has come; CVP stand from then on. Rule: 9.2, 9.12."""
    notes: str = ""

    def cvp_counted(self, side: Side) -> int:
        """The CVP a side lost in the CG scenario, for Loss Points.

        Walking Wounded MMC received after it are still lost: the British lost at least what those
        are worth. Rule: 9.6102, 9.6162; ruling P-80.
        """
        lost = self.cvp_lost.get(side, 0)
        return max(lost, self.walking_wounded_cvp) if side is Side.BRITISH else lost
