"""Control when a CG scenario ends, as far as the map tells. Rule: 9.605, A26.11."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from asl_pbcg.campaign.catalogue import MMC, Catalogue
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.position import Control, Position
from asl_pbcg.campaign.position_words import UnitStatus, VehicleStatus
from asl_pbcg.campaign.strategic import StrategicLocations
from asl_pbcg.campaign.terms import Side

if TYPE_CHECKING:
    from asl_pbcg.campaign.board import Board


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
    armed, able = _occupants(position, catalogue)
    contested, unsure = [], []
    for place, sides in armed.items():
        if not strategic.is_recorded(Location.parse(place)):
            continue
        if len(sides) > 1:
            contested.append(place)
        elif able.get(place) == sides:
            held[place] = next(iter(sides))
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


def _occupants(
    position: Position, catalogue: Catalogue
) -> tuple[dict[str, set[Side]], dict[str, set[Side]]]:
    """Return the sides with armed units in each Location, and those with a Good Order MMC there."""
    armed: dict[str, set[Side]] = {}
    able: dict[str, set[Side]] = {}
    for unit in position.units:
        if unit.location.on_map and not unit.has(UnitStatus.PRISONER, UnitStatus.UNARMED):
            armed.setdefault(unit.at, set()).add(unit.side)
            kind = catalogue.find(unit.type, unit.side)
            if kind is not None and kind.kind in MMC and unit.good_order:
                able.setdefault(unit.at, set()).add(unit.side)
    for vehicle in position.vehicles:
        if vehicle.location.on_map and not vehicle.has(VehicleStatus.ABANDONED):
            armed.setdefault(vehicle.at, set()).add(vehicle.side)
    return armed, able
