"""Portage: what a unit carries and may carry on Escape and Shift. Rule: 9.606, 9.613, A4.4."""

from __future__ import annotations

from collections.abc import Sequence

from asl_pbcg.campaign.catalogue import SMC, WeaponType
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position_words import EquipmentStatus, UnitStatus
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.refit.unit_changes import infantry_type


def pp(state: Campaign, item: Piece) -> int | None:
    """Return the PP of a SW, or of a dm Gun; None for what cannot be portaged.

    Rule: 9.606, A4.4.
    """
    side = item.side.other if item.captured else item.side
    entry = state.catalogue.find(item.type, side)
    if not isinstance(entry, WeaponType):
        return None
    return entry.dm_pp if item.has(EquipmentStatus.DM) else entry.pp


def load(state: Campaign, unit: Piece) -> int:
    """Return the PP a unit carries."""
    return sum(pp(state, state.piece(item)) or 0 for item in unit.possesses)


def ipc(state: Campaign, unit: Piece) -> int:
    """Return the IPC of a unit; a Walking Wounded MMC has less, a wounded SMC none.

    Rule: A4.42, CG17.
    """
    if unit.has(UnitStatus.WALKING_WOUNDED):
        return state.frame.portage.walking_wounded_ipc
    if unit.kind in SMC and unit.has(UnitStatus.WOUNDED):
        return 0
    entry = infantry_type(state, unit)
    return entry.ipc or 0 if entry else 0


def portage_limit(state: Campaign, unit: Piece) -> int:
    """Return the most PP a unit may portage on Escape or Shift. Rule: 9.606, 9.613."""
    limits = state.frame.portage
    if unit.kind in SMC:
        return limits.wounded_smc if unit.has(UnitStatus.WOUNDED) else limits.smc
    return limits.walking_wounded_mmc if unit.has(UnitStatus.WALKING_WOUNDED) else limits.mmc


def excess_pp(state: Campaign, units: Sequence[Piece]) -> tuple[int, list[tuple[str, str]]]:
    """Return the most PP above IPC any unit of a stack carries, and which leader helps which MMC.

    A leader combines the IPC he does not need himself with that of the MMC that needs it most.

    Rule: 9.606, A4.42.
    """
    over = {unit.id: load(state, unit) - ipc(state, unit) for unit in units}
    mmc = [unit.id for unit in units if unit.kind not in SMC]
    lent = []
    for leader in units:
        spare = -over[leader.id] if leader.kind == "leader" and len(units) > 1 else 0
        needy = max(mmc, key=lambda id: over[id], default="")
        if spare > 0 and needy and over[needy] > 0:
            over[needy] -= spare
            over[leader.id] = 0
            lent.append((leader.id, needy))
    return max(0, *over.values()), lent
