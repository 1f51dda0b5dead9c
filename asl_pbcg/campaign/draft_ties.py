"""What ties the pieces of a draft together: who possesses, tows and guards what, who is aboard."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import msgspec

from asl_pbcg.campaign.draft_entries import Entry, at_place
from asl_pbcg.campaign.position import EquipmentEntry, UnitEntry, VehicleEntry
from asl_pbcg.campaign.position_words import EquipmentStatus

HOLDS = ("possesses", "tows")
BELONGS = ("aboard", "guarded_by")


def _holdings(entry: Entry | None) -> list[str]:
    return [id for name in HOLDS for id in getattr(entry, name, ())]


def ties(entry: Entry) -> set[str]:
    """Return what a piece possesses and tows, what it is aboard of and who guards it."""
    return {*_holdings(entry), *(getattr(entry, name, "") for name in BELONGS)} - {""}


def company(entry: Entry, placed: Mapping[str, Entry]) -> list[str]:
    """Return what goes along with a piece: what it possesses and tows, whom it guards or carries.

    With a piece that is not ``placed`` goes only what is not placed either.
    """
    holdings = [id for id in _holdings(entry) if entry.id in placed or id not in placed]
    return holdings + [
        each.id
        for each in placed.values()
        if any(getattr(each, name, "") == entry.id for name in BELONGS)
    ]


def along(ids: Iterable[str], placed: Mapping[str, Entry], known: Mapping[str, Entry]) -> set[str]:
    """Return pieces with all that goes along; of one not ``placed`` what it had (``known``)."""
    together: set[str] = set()
    waiting = list(ids)
    while waiting:
        id = waiting.pop()
        entry = placed.get(id) or known.get(id)
        if id not in together and entry is not None:
            waiting += company(entry, placed)
        together.add(id)
    return together


def part_from(entry: Entry, gone: Collection[str]) -> Entry:
    """The entry as it has nothing more to do with the pieces ``gone``."""
    fields: dict[str, object] = {
        name: tuple(id for id in getattr(entry, name) if id not in gone)
        for name in HOLDS
        if any(id in gone for id in getattr(entry, name, ()))
    }
    fields |= {name: "" for name in BELONGS if getattr(entry, name, "") in gone}
    return msgspec.structs.replace(entry, **fields) if fields else entry


def give_to(weapon: EquipmentEntry, holder: UnitEntry | VehicleEntry) -> EquipmentEntry:
    """A SW or Gun as another has it: in his Location, captured if its counter is the enemy's."""
    status = _without(weapon, EquipmentStatus.CAPTURED)
    if weapon.type_side is not holder.side:
        status += (EquipmentStatus.CAPTURED,)
    return msgspec.structs.replace(weapon, side=holder.side, at=holder.at, status=status)


def hook(gun: EquipmentEntry) -> EquipmentEntry:
    """A Gun as a vehicle tows it."""
    status = _without(gun, EquipmentStatus.EMPLACED, EquipmentStatus.HOOKED)
    return msgspec.structs.replace(gun, status=(*status, EquipmentStatus.HOOKED))


def unhook(gun: EquipmentEntry) -> EquipmentEntry:
    """A Gun that nothing tows any more."""
    return msgspec.structs.replace(gun, status=_without(gun, EquipmentStatus.HOOKED))


def _without(weapon: EquipmentEntry, *statuses: EquipmentStatus) -> tuple[EquipmentStatus, ...]:
    return tuple(each for each in weapon.status if each not in statuses)


def move_entry(
    entry: Entry, place: str, moving: Collection[str], placed: Mapping[str, Entry]
) -> Entry:
    """A piece as it is at another place, with ``moving`` and without what stays behind.

    Its Guard may stand there already. Who is put somewhere without his vehicle is aboard no more.
    """
    own = ties(entry) - {*moving}
    guard = placed.get(getattr(entry, "guarded_by", ""))
    if guard is not None and guard.at == place:
        own.discard(guard.id)
    towed = any(entry.id in getattr(each, "tows", ()) for each in placed.values()
                if each.id not in moving and each.at != place)  # fmt: skip
    if towed and isinstance(entry, EquipmentEntry):
        entry = unhook(entry)
    return at_place(part_from(entry, own), place)


def leave_behind(entry: Entry, place: str, moving: Collection[str]) -> Entry:
    """A piece that stays: what it possessed or towed is its own no more if it went elsewhere."""
    return entry if entry.at == place else part_from(entry, moving)


def tie(entry: Entry, holder: str, key: str, thing: EquipmentEntry) -> Entry:
    """A piece once ``holder`` possesses or tows (``key``) a thing, which is with him by now.

    Nobody else possesses or tows it then, but a Gun that is possessed may be towed beside him.
    """
    if entry.id == thing.id:
        return thing
    if hasattr(entry, key) or entry.at != thing.at:
        entry = part_from(entry, {thing.id})
    if entry.id == holder:
        entry = msgspec.structs.replace(entry, **{key: (*getattr(entry, key), thing.id)})
    return entry


def drop_claims(entry: Entry, placed: Mapping[str, Entry]) -> Entry:
    """A piece put back where it was last, without what is elsewhere or another's by now."""
    claimed = {id for each in placed.values() for id in _holdings(each)}
    own = ties(entry) & placed.keys()
    return part_from(entry, {id for id in own if id in claimed or placed[id].at != entry.at})
