"""A sample position played by the pieces of a campaign, whatever its dice gave it."""

from __future__ import annotations

from typing import Any

import msgspec

from asl_pbcg.campaign.identity import Ids
from asl_pbcg.campaign.piece_matching import Wanted, match
from asl_pbcg.campaign.position import EquipmentEntry, Position, UnitEntry, VehicleEntry
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.terms import Side

Entry = UnitEntry | EquipmentEntry | VehicleEntry


def with_pieces_of(sample: Position, state: Campaign) -> Position:
    """The position with the ids of the campaign's pieces.

    A leader, SW or vehicle that the campaign has not is played by another of its kind and side, if
    one is left, else left out; a HS it has not is new.
    """
    entries: list[Entry] = [*sample.units, *sample.equipment, *sample.vehicles]
    wanted = [_what_is_wanted(sample, entry) for entry in entries]
    matching = match(wanted, state.pieces, state.board, state.catalogue)
    spare = list(matching.missing)
    ids = Ids(state)
    names: dict[str, tuple[str, str]] = {}  # the id and the type it has here
    for entry in entries:
        id, side = matching.ids[entry.id], _maker(entry)
        found = state.catalogue.get(entry.type, side)
        if id:
            names[entry.id] = (id, entry.type)
        elif found.kind == "half_squad":
            names[entry.id] = (ids.next(side, entry.type), entry.type)
        else:
            alike = [p for p in spare if p.kind == found.kind and p.maker is side]
            if alike:
                spare.remove(alike[0])
                names[entry.id] = (alike[0].id, alike[0].type)
    return msgspec.structs.replace(
        sample,
        units=tuple(_rename(e, names) for e in sample.units if e.id in names),
        equipment=tuple(_rename(e, names) for e in sample.equipment if e.id in names),
        vehicles=tuple(_rename(e, names) for e in sample.vehicles if e.id in names),
    )


def _maker(entry: Entry) -> Side:
    return entry.side if isinstance(entry, UnitEntry) else entry.type_side


def _what_is_wanted(sample: Position, entry: Entry) -> Wanted:
    section = "units" if isinstance(entry, UnitEntry) else "equipment"
    section = "vehicles" if isinstance(entry, VehicleEntry) else section
    formations = (entry.formation,) if entry.formation else ()
    return Wanted(entry.id, section, entry.type, _maker(entry), entry.at, entry.status, formations)


def _rename(entry: Any, names: dict[str, tuple[str, str]]) -> Any:
    id, type = names[entry.id]
    fields: dict[str, Any] = {"id": id, "type": type}
    for key in ("possesses", "tows"):
        if hasattr(entry, key):
            fields[key] = tuple(names[item][0] for item in getattr(entry, key) if item in names)
    for key in ("aboard", "guarded_by"):
        if getattr(entry, key, ""):
            fields[key] = names.get(getattr(entry, key), ("", ""))[0]
    return msgspec.structs.replace(entry, **fields)
