"""The entries of a draft: which list of a position each belongs to, and a changed copy of one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from asl_pbcg.campaign.catalogue import InfantryType, VehicleType, WeaponType
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.position import (
    EquipmentEntry,
    Fortification,
    Glider,
    Position,
    Terrain,
    UnitEntry,
    VehicleEntry,
)
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import PBCGError

Entry = UnitEntry | EquipmentEntry | VehicleEntry
Ground = Glider | Fortification | Terrain
SECTIONS = ("units", "equipment", "vehicles")
_FACINGS = ("ca", "vca", "tca")


def section_of(type: InfantryType | WeaponType | VehicleType) -> str:
    """The list of a position that pieces of a type belong to."""
    if isinstance(type, VehicleType):
        return "vehicles"
    return "equipment" if isinstance(type, WeaponType) else "units"


def section_of_entry(entry: Entry) -> str:
    """The list of a position that an entry belongs to."""
    if isinstance(entry, VehicleEntry):
        return "vehicles"
    return "equipment" if isinstance(entry, EquipmentEntry) else "units"


def entries_of(position: Position) -> list[Entry]:
    """All pieces of a position."""
    return [*position.units, *position.equipment, *position.vehicles]


def at_place(entry: Entry, place: str) -> Entry:
    """An entry at another place; off map it faces nowhere."""
    fields: dict[str, Any] = {"at": place}
    if place and Location.parse(place).entry:
        fields |= {name: "" for name in (*_FACINGS, "bypass") if hasattr(entry, name)}
    return msgspec.structs.replace(entry, **fields)


def ground_of(part: Ground) -> str:
    """The list of a position that a glider, Fortification or terrain change belongs to."""
    if isinstance(part, Glider):
        return "gliders"
    return "fortifications" if isinstance(part, Fortification) else "terrain"


def entry_of(position: Position | None, id: str) -> Entry | None:
    """The entry with an id, if the position has one."""
    if position is None:
        return None
    return next((entry for entry in entries_of(position) if entry.id == id), None)


def with_entry(position: Position, section: str, entry: Entry) -> Position:
    """The position with one entry more."""
    return msgspec.structs.replace(position, **{section: (*getattr(position, section), entry)})


def made_entry(
    section: str, old: Entry | None, id: str, side: Side, type: str, at: str, status: Iterable[str]
) -> Entry:
    """A piece newly placed: as it was last, but alone and with these statuses.

    Raises PBCGError for a status that cannot be true of it.
    """
    part = {"units": UnitEntry, "equipment": EquipmentEntry, "vehicles": VehicleEntry}[section]
    data: dict[str, Any] = msgspec.to_builtins(old) if old else {}
    lasting = [each for each in data.get("status", ()) if each == "walking-wounded"]
    told = list(dict.fromkeys([*lasting, *status]))
    data |= {"id": id, "side": side.value, "type": type, "at": at, "status": told}
    for name in ("possesses", "aboard", "guarded_by", "climbing_to", "tows", "bypass"):
        data.pop(name, None)
    try:
        entry: Entry = msgspec.convert(data, part)
    except msgspec.ValidationError as error:
        raise PBCGError(f"{type}: {', '.join(status)} cannot be true of it.") from error
    return entry
