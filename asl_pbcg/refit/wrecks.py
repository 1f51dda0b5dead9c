"""Wrecks, working Weapons of vehicles, and Fortifications that are lost. Rule: CG14."""

from __future__ import annotations

from collections.abc import Sequence

from asl_pbcg.campaign.catalogue import VehicleType
from asl_pbcg.campaign.piece_changes import remove
from asl_pbcg.campaign.pieces import Piece, Vehicle
from asl_pbcg.campaign.position import Fortification, Terrain
from asl_pbcg.campaign.position_words import FortificationKind, TerrainKind, VehicleStatus
from asl_pbcg.campaign.state import Campaign, change

WRECK_WORDS = {
    TerrainKind.WRECK: "a Wreck",
    TerrainKind.BURNT_OUT_WRECK: "a Burnt-Out Wreck",
    TerrainKind.BURNING_WRECK: "a Burning Wreck",
}


def fortifications_lost(
    state: Campaign, perhaps: Sequence[Fortification | Terrain], why: str, step: str = ""
) -> Campaign:
    """Return the state without the pieces of an OB that Fortifications no longer on map were.

    ``perhaps`` are those that may be gone. An OB counts its Trenches, Wire and pillboxes; the map
    says where they stand. Rule: 9.2 Eliminated, 9.2 OB.
    """
    for each in perhaps:
        if not isinstance(each, Fortification) or each in state.fortifications:
            continue
        pieces = [piece for piece in state.pieces if _is_of(piece, each.kind)]
        standing = sum(other.kind is each.kind for other in state.fortifications)
        mine = [piece for piece in pieces if each.owner in (None, piece.side)]
        if mine and len(pieces) > standing:
            lost = next((piece for piece in mine if piece.at == each.at), mine[-1])
            state = remove(state, lost.id, "eliminated", why, step)
    return state


def _is_of(piece: Piece, kind: FortificationKind) -> bool:
    """Return whether a piece is a Fortification of a kind: a ``1+3+5 Pillbox`` is a pillbox."""
    return piece.kind == "fortification" and piece.type.split()[-1].lower() == kind.value


def vehicle_type(state: Campaign, piece: Piece) -> VehicleType | None:
    """Return the catalogue entry of a vehicle, captured or not; None if unknown."""
    side = piece.side.other if piece.captured else piece.side
    entry = state.catalogue.find(piece.type, side)
    return entry if isinstance(entry, VehicleType) else None


def weapons_left(state: Campaign, piece: Piece) -> list[str]:
    """Return the Inherent Weapons of a vehicle that are not disabled: MA, BMG, CMG, AAMG.

    Rule: CG14.
    """
    entry = vehicle_type(state, piece)
    if entry is None:
        return []
    fitted = ["MA"] if entry.main_armament else []
    fitted += list(entry.mg)
    if isinstance(piece, Vehicle) and piece.aamg and "AAMG" not in fitted:
        fitted.append("AAMG")
    return [
        weapon for weapon in fitted if not piece.has(VehicleStatus.of_weapon(weapon, "disabled"))
    ]


def functioning_weapons(state: Campaign, vehicle: Piece) -> list[str]:
    """Return the Weapons of a vehicle that are neither malfunctioned nor disabled."""
    return [
        name
        for name in weapons_left(state, vehicle)
        if not vehicle.has(VehicleStatus.of_weapon(name, "malfunctioned"))
    ]


def dead(state: Campaign, piece: Piece) -> bool:
    """Return whether CG14 turns a vehicle into a Burnt-Out Wreck at once. Rule: CG14."""
    entry = vehicle_type(state, piece)
    return bool(
        entry
        and entry.wreck  # without a wreck depiction it can never become one
        and piece.on_map
        and piece.has(VehicleStatus.IMMOBILIZED)
        and piece.has(VehicleStatus.ABANDONED)
        and not weapons_left(state, piece)
    )


def to_wreck(
    state: Campaign, piece: Piece, why: str, kind: TerrainKind = TerrainKind.BURNT_OUT_WRECK
) -> Campaign:
    """Return the state with a vehicle turned into a (Burnt-Out) Wreck where it stands.

    Rule: CG14.
    """
    wreck = Terrain(
        kind=kind,
        at=piece.at,
        type=piece.type,
        side=piece.side.other if piece.captured else piece.side,
    )
    state = remove(state, piece.id, "eliminated", why)
    return change(state, terrain=(*state.terrain, wreck))
