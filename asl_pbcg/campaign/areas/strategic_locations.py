"""Strategic Locations, and their Control when a CG scenario ends as far as the map shows it.

Rule: 9.2, 9.605, A26.11.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Final

import msgspec

from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.module.catalogue import MMC, SMC, Catalogue, VehicleType, load_catalogue
from asl_pbcg.campaign.module.charts import victory_locations
from asl_pbcg.campaign.position import Control, EquipmentEntry, PieceEntry, Position, VehicleEntry
from asl_pbcg.campaign.position_words import (
    EquipmentStatus,
    FortificationKind,
    GliderState,
    TerrainKind,
    UnitStatus,
    VehicleStatus,
)
from asl_pbcg.campaign.terms import Side

if TYPE_CHECKING:
    from asl_pbcg.campaign.board.board import Board
    from asl_pbcg.hexes.hexset import HexSet


ENTRENCHMENTS: Final = frozenset({FortificationKind.FOXHOLE, FortificationKind.TRENCH})
RUBBLE: Final = frozenset({TerrainKind.RUBBLE_STONE, TerrainKind.RUBBLE_WOOD})

LETTERS: Final = {"entrenchment": "E", "pillbox": "F", "gun": "G", "vehicle": "V"}
"""The mark in a square beside the Strategic Location on the map sheet (9.6054)."""


class StrategicLocations:
    """The Strategic Locations of a position, Controlled or not. Rule: 9.2."""

    def __init__(
        self, position: Position, board: Board, catalogue: Catalogue | None = None
    ) -> None:
        catalogue = catalogue or load_catalogue()
        grid = board.grid
        ground: dict[str, set[str]] = {}

        def add(at: str, reason: str) -> None:
            location = Location.parse(at)
            if location.on_map:
                ground.setdefault(location.hex, set()).add(reason)

        gone: set[str] = set()
        rubble: set[str] = set()
        for change in position.terrain:
            if change.kind in RUBBLE:
                rubble.add(change.location.hex)
                add(change.at, "rubble")
            elif change.kind is TerrainKind.SHELLHOLE:
                # Wooden rubble that burnt down leaves a shellhole and nothing else (9.6092).
                gone.add(change.location.hex)
        for fortification in position.fortifications:
            if fortification.kind in ENTRENCHMENTS:
                add(fortification.at, "entrenchment")
            elif fortification.kind is FortificationKind.PILLBOX:
                add(fortification.at, "pillbox")
        for glider in position.gliders:
            if glider.state is GliderState.LANDED:
                add(glider.at, "glider")
        for piece in position.equipment:
            if is_strategic_gun(piece, catalogue):
                add(piece.at, "gun")
        for vehicle in position.vehicles:
            if is_strategic_vehicle(vehicle, catalogue):
                add(vehicle.at, "vehicle")

        self._ground = ground
        self._folder = board.folder
        self.buildings: HexSet = board.buildings - grid.set(gone | rubble)
        """Hexes whose building stands; each of its levels is a Strategic Location."""
        self.bridges: HexSet = board.bridges
        self.hexes: HexSet = self.buildings | self.bridges | grid.set(ground)
        """Hexes that hold at least one Strategic Location."""

    def why(self, location: Location) -> tuple[str, ...]:
        """Return the features that make ``location`` a Strategic Location; empty if it is not one.

        Words: building, rubble, bridge, entrenchment, pillbox, glider, gun, vehicle. A pillbox
        makes both ``Z21/pillbox`` and, where players write just the hex, ``Z21`` one.
        """
        if not location.on_map:
            return ()
        placed = self._ground.get(location.hex, set())
        if location.pillbox:
            return ("pillbox",) if "pillbox" in placed else ()
        features = ["building"] if location.hex in self.buildings else []
        if location.level == 0:
            features += ["bridge"] if location.hex in self.bridges else []
            features += sorted(placed)
        return tuple(features)

    def __contains__(self, location: object) -> bool:
        return isinstance(location, Location) and bool(self.why(location))

    def is_recorded(self, location: Location) -> bool:
        """Say whether players keep record of who Controls ``location``.

        They do of each Strategic Location, and of each Location that a victory condition names.
        Rule: 9.605, 9.51, SSR PB4.
        """
        return str(location) in self.objectives or bool(self.why(location))

    @cached_property
    def objectives(self) -> frozenset[str]:
        """The Locations that a victory condition names, Strategic or not. Rule: SSR PB4.

        An upper level is one of them while its building stands.
        """
        named = victory_locations(self._folder)
        return frozenset(
            text for text in named if "/" not in text or self.why(Location.parse(text))
        )

    def letters(self, name: str) -> str:
        """The letters for the hex ``name`` on the map sheet: of E, F, G and V. Rule: 9.6054."""
        placed = self._ground.get(name, set())
        return "".join(letter for reason, letter in LETTERS.items() if reason in placed)


def is_strategic_gun(piece: EquipmentEntry, catalogue: Catalogue) -> bool:
    """Return whether this piece is an unhooked, non-malfunctioned Gun on the map. Rule: 9.2."""
    if not piece.location.on_map or piece.has(
        EquipmentStatus.MALFUNCTIONED, EquipmentStatus.HOOKED
    ):
        return False
    equipment = catalogue.find(piece.type, piece.maker)
    return equipment is not None and equipment.kind == "gun"


def has_functioning_ma(vehicle: PieceEntry, catalogue: Catalogue) -> bool:
    """Return whether a vehicle has Main Armament that functions. Rule: 9.2 Strategic Location."""
    vehicle_type = catalogue.find(vehicle.type, vehicle.maker)
    return (
        isinstance(vehicle_type, VehicleType)
        and bool(vehicle_type.main_armament)
        and not vehicle.has(VehicleStatus.MA_MALFUNCTIONED, VehicleStatus.MA_DISABLED)
    )


def is_strategic_vehicle(vehicle: VehicleEntry, catalogue: Catalogue) -> bool:
    """Whether it is a non-Abandoned Immobile vehicle with functioning MA. Rule: 9.2."""
    return (
        vehicle.location.on_map
        and vehicle.immobile
        and not vehicle.has(VehicleStatus.ABANDONED)
        and has_functioning_ma(vehicle, catalogue)
    )


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
            piece_type = catalogue.find(piece.type, piece.maker)
            places.setdefault(piece.at, []).append((piece, piece_type.kind if piece_type else ""))
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
