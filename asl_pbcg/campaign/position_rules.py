"""What the parts of a position say of each other, and whether the rules allow it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from asl_pbcg.campaign.board import Board
from asl_pbcg.campaign.catalogue import (
    MMC,
    AnyType,
    Catalogue,
    InfantryType,
    VehicleType,
    WeaponType,
)
from asl_pbcg.campaign.charts import Charts
from asl_pbcg.campaign.charts import FortificationKind as FortificationChart
from asl_pbcg.campaign.entry_areas import entry_areas
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.position import (
    FORMAT,
    PIECES,
    Control,
    EquipmentEntry,
    Fortification,
    Position,
    Terrain,
    UnitEntry,
    VehicleEntry,
    WWBox,
)
from asl_pbcg.campaign.position_control import check_control, check_levels
from asl_pbcg.campaign.position_fields import with_article
from asl_pbcg.campaign.position_raw import Rows, Where
from asl_pbcg.campaign.position_words import (
    EquipmentStatus,
    FortificationKind,
    TerrainKind,
    UnitStatus,
    VehicleStatus,
)
from asl_pbcg.campaign.strategic import StrategicLocations
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.reader import nearest

MINES = (FortificationKind.AP_MINES, FortificationKind.AT_MINES)
WRECKS = frozenset({TerrainKind.WRECK, TerrainKind.BURNT_OUT_WRECK, TerrainKind.BURNING_WRECK})
TYPES: dict[str, tuple[type[AnyType], str]] = {
    "units": (InfantryType, "unit"),
    "equipment": (WeaponType, "SW or Gun"),
    "vehicles": (VehicleType, "vehicle"),
}
"""By list, what the catalogue lists of its pieces, and what one is called."""


def check_rules(rows: Rows) -> None:
    """Note every fault between the readable parts of a position."""
    ids = _check_ids(rows)
    for section in PIECES:
        for number, piece in rows.entries(section):
            _check_type(rows, section, number, piece)
            _check_formation(rows, section, number, piece)
            _check_off_map(rows, section, number, piece)
    crews = {
        (unit.side, unit.at)
        for _, unit in rows.entries("units")
        if (found := rows.catalogue.find(unit.type, unit.side)) and found.kind == "crew"
    }
    for number, unit in rows.entries("units"):
        _check_armor_leader(rows, number, unit, crews)
    manned = {unit.aboard for _, unit in rows.entries("units") if _can_man(rows, unit)}
    for number, piece in rows.entries("vehicles"):
        _check_vehicle_status(rows, number, piece)
        _check_captured(rows, number, piece, manned)
    for check in (_check_unit_status, _check_guard, _check_aboard, _check_climb):
        for number, unit in rows.entries("units"):
            check(rows, number, unit, ids)
    _check_held(rows, ids, "units", "possesses", "is possessed by {} too: one piece, one possessor")
    _check_held(rows, ids, "vehicles", "tows", "is towed by {} too")
    for number, piece in rows.entries("equipment"):
        _check_equipment_status(rows, number, piece)
    for number, fortification in rows.entries("fortifications"):
        _check_fortification(rows, number, fortification)
    for number, change in rows.entries("terrain"):
        _check_terrain(rows, number, change)
    for number, box in rows.entries("ww_box"):
        _check_ww_box(rows, number, box)
    strategic = StrategicLocations(_provisional(rows), rows.board, rows.catalogue)
    check_levels(rows, strategic)
    check_control(rows, strategic)


def _provisional(rows: Rows) -> Position:
    parts: dict[str, Any] = {
        name: tuple(part for _, part in found) for name, found in rows.lists.items()
    }
    return Position(format=FORMAT, date=CGDate.NIGHT_1, control=Control(), **parts)


# Ids, types, formations


def _check_ids(rows: Rows) -> dict[str, tuple[str, Any]]:
    """Every id is used once; gives list and piece by id."""
    ids: dict[str, tuple[str, Any]] = {}
    first: dict[str, str] = {}
    for section in PIECES:
        for number, piece in rows.entries(section):
            if piece.id in ids:
                where = rows.at(section, number, piece, "id")
                rows.fault(where, piece.id, f"is used twice: first in {first[piece.id]}")
            else:
                ids[piece.id] = (section, piece)
                first[piece.id] = rows.raw.places.entry(section, number, "")
    return ids


def _check_type(rows: Rows, section: str, number: int, piece: Any) -> None:
    kind, word = TYPES[section]
    side: Side = piece.maker
    found = rows.catalogue.find(piece.type, side)
    if isinstance(found, kind):
        return
    rows.unread_hexes.add(piece.location.hex)
    where = rows.at(section, number, piece, "type")
    if found is not None:
        right = next(name for name, (each, _) in TYPES.items() if isinstance(found, each))
        rows.fault(where, piece.type, f"is no {word}: it belongs under {right}")
        return
    if isinstance(rows.catalogue.find(piece.type, side.other), kind):
        rows.fault(where, piece.type, f"is a {side.other.title} type{_other_side(section, piece)}")
        return
    for each in rows.catalogue:
        if each.side is side and isinstance(each, kind) and piece.type in each.also:
            dm = " with status dm" if piece.type.startswith("dm ") else ""
            rows.fault(where, piece.type, f"is called {each.name} here{dm}")
            return
    near = _near_types(rows, piece.type, side, kind)
    rows.fault(where, piece.type, f"is no {side.title} {word}{near}")


def _other_side(section: str, piece: Any) -> str:
    if section == "units":
        return f", but side is {piece.side}"
    if piece.maker is not piece.side:
        return f", so the {piece.side.title} have not captured it: strike out captured"
    return f": if the {piece.side.title} have captured it, give it status captured"


def _near_types(rows: Rows, name: str, side: Side, kind: type[AnyType]) -> str:
    near = rows.catalogue.nearest(name, side, kind)
    if near:
        return f"; nearest: {', '.join(near)}"
    return f"; known are: {', '.join(rows.catalogue.names(side, kind))}"


def _check_formation(rows: Rows, section: str, number: int, piece: Any) -> None:
    if not piece.formation:
        return
    where = rows.at(section, number, piece, "formation")
    found = rows.catalogue.formations.get(piece.formation)
    if found is None:
        known = [each.id for each in rows.catalogue.formations.values()]
        near = nearest(piece.formation, known)
        rows.fault(
            where, piece.formation, f"is no formation{near}; it must be one of: {', '.join(known)}"
        )
    elif found.side is not piece.maker and section == "units":
        rows.fault(where, piece.formation, f"is a {found.side.title} formation")


def _check_off_map(rows: Rows, section: str, number: int, piece: Any) -> None:
    location = piece.location
    where = rows.at(section, number, piece, "status")
    if UnitStatus.EXITED in piece.status and location.on_map:
        rows.fault(
            where, "exited", "needs an Entry Area as its place, for example off-map A7 (CG15)"
        )
    if location.on_map:
        return
    where = rows.at(section, number, piece, "at")
    areas = entry_areas(rows.board)
    if areas[location.entry].side != piece.side:
        own = [f"off-map {arrow}" for arrow, area in areas.items() if area.side == piece.side]
        rows.fault(
            where,
            piece.at,
            f"is no {piece.side.title} Entry Area; it must be one of: {', '.join(own)}",
        )


# Units


def _check_unit_status(rows: Rows, number: int, unit: UnitEntry, ids: dict[str, Any]) -> None:
    found = rows.catalogue.find(unit.type, unit.side)
    if found is None:
        return
    where = rows.at("units", number, unit, "status")
    if unit.has(UnitStatus.WOUNDED) and not found.is_smc:
        rows.fault(where, "wounded", "is for leaders and heroes; an MMC is walking-wounded (CG17)")
    if unit.has(UnitStatus.WALKING_WOUNDED) and not (
        unit.side is Side.BRITISH and found.kind in MMC
    ):
        rows.fault(where, "walking-wounded", "is for British MMC (CG17)")
    if unit.has(UnitStatus.HEROIC) and found.kind != "leader":
        rows.fault(where, "heroic", "is for leaders; a hero is a unit of type 1-4-9")
    _check_together(rows, where, unit, _NOT_TOGETHER)


_NOT_TOGETHER = (("broken", "berserk", "A15.4"),)
"""Status that no unit has at once, and the rule."""


def _check_together(
    rows: Rows, where: Where, piece: Any, pairs: Iterable[tuple[str, str, str]]
) -> None:
    for first, second, rule in pairs:
        if first in piece.status and second in piece.status:
            rows.fault(where, second, f"cannot be beside {first} ({rule})")


def _check_armor_leader(
    rows: Rows, number: int, unit: UnitEntry, crews: Collection[tuple[Side, str]]
) -> None:
    """An Armor Leader is in a vehicle, or beside the crew that has Abandoned it. Rule: D3.4."""
    found = rows.catalogue.find(unit.type, unit.side)
    if found is None or found.kind != "armor_leader" or unit.aboard or not unit.location.on_map:
        return
    if unit.has(UnitStatus.PRISONER) or (unit.side, unit.at) in crews:
        return
    where = rows.at("units", number, unit, "aboard")
    rows.fault(where, "", "is missing: an Armor Leader is part of a vehicle's crew (D3.4)")


def _check_vehicle_status(rows: Rows, number: int, vehicle: VehicleEntry) -> None:
    """Weapons that malfunction are there."""
    where = rows.at("vehicles", number, vehicle, "status")
    for status, weapon, sure in missing_weapons(rows.catalogue, vehicle):
        if sure:
            rows.fault(where, status, f"cannot be: a {vehicle.type} has no {weapon}")


def _can_man(rows: Rows, unit: UnitEntry) -> bool:
    """Whether a unit aboard a vehicle can be its crew: an MMC that is no prisoner. Rule: A21.22"""
    found = rows.catalogue.find(unit.type, unit.side)
    mmc = found is None or found.kind in MMC
    return bool(unit.aboard) and mmc and not unit.has(UnitStatus.PRISONER)


def _check_captured(
    rows: Rows, number: int, vehicle: VehicleEntry, manned: Collection[str]
) -> None:
    """A captured vehicle has no Inherent crew of its own: a unit mans it, or it is abandoned.

    Rule: A21.22, 9.6071.
    """
    found = rows.catalogue.find(vehicle.type, vehicle.maker)
    if not isinstance(found, VehicleType) or not found.crew or vehicle.id in manned:
        return
    if VehicleStatus.CAPTURED in vehicle.status and VehicleStatus.ABANDONED not in vehicle.status:
        where = rows.at("vehicles", number, vehicle, "status")
        rows.fault(
            where,
            "captured",
            "needs a crew or half-squad that mans it: give that unit this vehicle as aboard, or "
            "the vehicle the status abandoned (A21.22)",
        )


def missing_weapons(catalogue: Catalogue, vehicle: VehicleEntry) -> Iterator[tuple[str, str, bool]]:
    """Each status about a Weapon that the vehicle does not have, and whether that is sure."""
    found = catalogue.find(vehicle.type, vehicle.maker)
    if not isinstance(found, VehicleType):
        return
    for status in vehicle.status:
        weapon, _, state = status.value.upper().partition("-")
        if state not in ("MALFUNCTIONED", "DISABLED"):
            continue
        if weapon == "MA":
            has, sure = bool(found.main_armament), found.sure("main_armament")
        else:
            has, sure = weapon in found.mg, found.sure("mg")
            has = has or (weapon == "AAMG" and vehicle.aamg is not False)
        if not has:
            yield status.value, weapon, sure


def _check_guard(rows: Rows, number: int, unit: UnitEntry, ids: dict[str, Any]) -> None:
    prisoner = unit.has(UnitStatus.PRISONER)
    where = rows.at("units", number, unit, "guarded_by")
    if not unit.guarded_by:
        if prisoner:
            rows.fault(where, "", "is missing: a prisoner has a Guard, so give the Guard's id")
        return
    if not prisoner:
        rows.fault(where, unit.guarded_by, "is for a prisoner: give the unit status prisoner")
    guard = _look_up(rows, where, unit.guarded_by, "units", ids)
    if guard is None:
        return
    if guard.side is unit.side or guard.has(UnitStatus.PRISONER):
        rows.fault(where, unit.guarded_by, "cannot guard him: a Guard is a free unit of the enemy")
    elif guard.at != unit.at:
        rows.fault(where, unit.guarded_by, f"is at {guard.at}, but his prisoner is at {unit.at}")


def _check_aboard(rows: Rows, number: int, unit: UnitEntry, ids: dict[str, Any]) -> None:
    if not unit.aboard:
        return
    where = rows.at("units", number, unit, "aboard")
    vehicle = _look_up(rows, where, unit.aboard, "vehicles", ids)
    if vehicle is not None and vehicle.at != unit.at:
        rows.fault(where, unit.aboard, f"is at {vehicle.at}, but who is aboard is at {unit.at}")


def _check_climb(rows: Rows, number: int, unit: UnitEntry, ids: dict[str, Any]) -> None:
    if not unit.climbing_to:
        return
    goal, start = Location.parse(unit.climbing_to), unit.location
    where = rows.at("units", number, unit, "climbing_to")
    if goal.hex != start.hex:
        if not (start.ground and goal.ground and _across_cliff(rows, start.hex, goal.hex)):
            rows.fault(
                where,
                unit.climbing_to,
                f"is neither in the hex of {unit.at} nor across a Cliff hexside from it (B11.4)",
            )
    elif abs(goal.level - start.level) != 1:
        rows.fault(where, unit.climbing_to, f"is not one level above or below {unit.at}")
    elif goal.hex not in rows.board.buildings:
        rows.fault(where, unit.climbing_to, f"has a level, but there is no building in {goal.hex}")


def _across_cliff(rows: Rows, start: str, end: str) -> bool:
    board = rows.board
    return start in board and end in board and board.has_cliff(start, end)


def _look_up(
    rows: Rows, where: Where, id: str, section: str, ids: dict[str, tuple[str, Any]]
) -> Any | None:
    found = ids.get(id)
    if found is not None and found[0] == section:
        return found[1]
    if found is not None:
        rows.fault(where, id, f"is listed under {found[0]}, not under {section}")
        return None
    known = [each for each, (listed, _) in ids.items() if listed == section]
    rows.fault(where, id, f"is no id under {section}{nearest(id, known, 0.5)}")
    return None


# Equipment


def _check_held(
    rows: Rows, ids: dict[str, tuple[str, Any]], section: str, key: str, twice: str
) -> None:
    """What units possess and vehicles tow: there, once, of the same side, in the same Location."""
    holder_of: dict[str, str] = {}
    for number, holder in rows.entries(section):
        for id in getattr(holder, key):
            where = rows.at(section, number, holder, key)
            piece = _look_up(rows, where, id, "equipment", ids)
            if piece is None:
                continue
            if id in holder_of:
                rows.fault(where, id, twice.format(holder_of[id]))
                continue
            holder_of[id] = holder.id
            if piece.side is not holder.side:
                rows.fault(
                    where,
                    id,
                    f"has side {piece.side}: what the {holder.side.title} hold has side "
                    f"{holder.side}, and status captured if it was the enemy's",
                )
            elif piece.at != holder.at:
                rows.fault(
                    where,
                    id,
                    f"is at {piece.at}, but its "
                    f"{'possessor' if key == 'possesses' else 'vehicle'} is at {holder.at}",
                )
            if key == "tows" and not piece.has(EquipmentStatus.HOOKED):
                rows.fault(where, id, "is towed, so give it status hooked")


def _check_equipment_status(rows: Rows, number: int, piece: EquipmentEntry) -> None:
    found = rows.catalogue.find(piece.type, piece.maker)
    if not isinstance(found, WeaponType):
        return
    where = rows.at("equipment", number, piece, "status")
    for status in (EquipmentStatus.HOOKED, EquipmentStatus.EMPLACED):
        if piece.has(status) and found.kind != "gun":
            rows.fault(where, status, f"is for Guns, and {piece.type} is a SW")
    if piece.has(EquipmentStatus.DM) and not found.dm and found.sure("dm"):
        rows.fault(where, "dm", f"cannot be: a {piece.type} is not dismantled")


# Fortifications and terrain


def _check_fortification(rows: Rows, number: int, part: Fortification) -> None:
    mines = part.kind in MINES
    where = rows.at("fortifications", number, part, "size")
    if part.size is not None and not mines:
        if part.kind is not FortificationKind.FOXHOLE:
            rows.fault(where, part.size, f"is not for a {part.kind}: foxholes and mines have one")
        elif part.size > 3:
            rows.fault(where, part.size, "must be from 1 to 3 for a foxhole")
    for key in ("strength", "ca"):
        value = getattr(part, key)
        if value and part.kind is not FortificationKind.PILLBOX:
            where = rows.at("fortifications", number, part, key)
            rows.fault(where, value, f"is not for {with_article(part.kind)}: a pillbox has one")


def mine_chart(board: Board, part: Fortification) -> FortificationChart:
    """The line of the Fortification Purchase Table for a minefield. Rule: 9.619."""
    return Charts(board.folder).fortifications.kinds[part.kind.value]


def _check_terrain(rows: Rows, number: int, part: Terrain) -> None:
    for key in ("type", "side", "scrounged"):
        value = getattr(part, key)
        if value and part.kind not in WRECKS:
            where = rows.at("terrain", number, part, key)
            rows.fault(where, value, f"is not for {with_article(part.kind)}: a wreck has one")
    if part.type and part.kind in WRECKS:
        sides = [part.side] if part.side else list(Side)
        if not any(isinstance(rows.catalogue.find(part.type, each), VehicleType) for each in sides):
            near = _near_types(rows, part.type, sides[-1], VehicleType)
            where = rows.at("terrain", number, part, "type")
            rows.fault(where, part.type, f"is no vehicle{near}")


def _check_ww_box(rows: Rows, number: int, box: WWBox) -> None:
    known = [each.name for each in rows.catalogue if each.side is Side.BRITISH and each.kind in MMC]
    if box.type not in known:
        listed = nearest(box.type, known) or f"; known are: {', '.join(known)}"
        where = rows.at("ww_box", number, box, "type")
        rows.fault(where, box.type, f"is no British MMC{listed}")
