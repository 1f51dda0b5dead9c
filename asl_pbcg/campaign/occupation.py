"""Control when a CG scenario ends, as far as the map tells. Rule: 9.605, A26.11."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

import msgspec

from asl_pbcg.campaign.catalogue import MMC, SMC, Catalogue
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.position import Control, PieceEntry, Position
from asl_pbcg.campaign.position_words import UnitStatus, VehicleStatus
from asl_pbcg.campaign.strategic import StrategicLocations
from asl_pbcg.campaign.terms import Side

if TYPE_CHECKING:
    from asl_pbcg.campaign.board import Board


Occupant = tuple[PieceEntry, str]
"""A unit in a Location, with its kind."""
_NOT_ARMED: Final = (UnitStatus.PRISONER, UnitStatus.UNARMED, VehicleStatus.ABANDONED)


def is_armed(piece: PieceEntry, kind: str) -> bool:
    """Return whether a unit keeps the enemy from gaining Control of its Location. Rule: A26.11."""
    return kind in (*MMC, *SMC, "vehicle") and not piece.has(*_NOT_ARMED)


def sole_occupants(pieces: Iterable[Occupant]) -> list[PieceEntry]:
    """Return the armed Good Order Infantry MMC in a Location where no armed enemy is.

    Their side gains Control of it. Rule: A26.11.
    """
    armed = [(piece, kind) for piece, kind in pieces if is_armed(piece, kind)]
    if len({piece.side for piece, _ in armed}) != 1:
        return []
    return [piece for piece, kind in armed if kind in MMC and piece.good_order and not piece.aboard]


def pieces_by_place(position: Position, catalogue: Catalogue) -> dict[str, list[Occupant]]:
    """Return the units and vehicles on the map by Location."""
    places: dict[str, list[Occupant]] = {}
    for piece in (*position.units, *position.vehicles):
        if piece.location.on_map:
            found = catalogue.find(piece.type, piece.maker)
            places.setdefault(piece.at, []).append((piece, found.kind if found else ""))
    return places


class Inferred(msgspec.Struct, frozen=True):
    """Control as the map tells it, and where that differs from the last."""

    control: Control
    gained: dict[Side, tuple[str, ...]]
    """Locations that each side now Controls and did not before."""
    dropped: tuple[str, ...]
    """Locations that were Controlled and are no longer Strategic."""
    contested: tuple[str, ...]
    """Where both sides have armed units; Control stays as it was."""
    open: tuple[str, ...]
    """Occupied Strategic Locations of which the map does not tell who Controls them."""


def infer_control(
    position: Position,
    last: Control,
    board: Board,
    catalogue: Catalogue,
    markers: Iterable[tuple[str, Side]] = (),
) -> Inferred:
    """Settle Control from who stands where, Control ``markers`` and the ``last`` Control.

    A side gains a Location of record (``StrategicLocations.is_recorded``) where it alone has armed
    units and one of them is a Good Order MMC; else Control stays as it was. A marker goes before
    the last Control, not before units. Rule: 9.605, A26.11.
    """
    strategic = StrategicLocations(position, board, catalogue)
    before = last.holders
    held = dict(before)
    for place, side in markers:
        if strategic.is_recorded(Location.parse(place)):
            held[place] = side
    contested, unsure = [], []
    for place, pieces in pieces_by_place(position, catalogue).items():
        sides = {piece.side for piece, kind in pieces if is_armed(piece, kind)}
        if not sides or not strategic.is_recorded(Location.parse(place)):
            continue
        if len(sides) > 1:
            contested.append(place)
        elif alone := sole_occupants(pieces):
            held[place] = alone[0].side
        elif held.get(place) not in sides:
            unsure.append(place)
    dropped = [place for place in held if not strategic.is_recorded(Location.parse(place))]
    for place in dropped:
        del held[place]

    def order(place: str) -> tuple[int, str]:
        return board.grid.index(Location.parse(place).hex), place

    places = {side: tuple(sorted((p for p in held if held[p] is side), key=order)) for side in Side}
    return Inferred(
        last.with_places(places),
        {side: tuple(p for p in places[side] if before.get(p) is not side) for side in Side},
        tuple(sorted(dropped, key=order)),
        tuple(sorted(contested, key=order)),
        tuple(sorted(unsure, key=order)),
    )
