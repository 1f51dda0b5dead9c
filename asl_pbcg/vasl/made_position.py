"""From a scene, with what the players said of it, to a position."""

from __future__ import annotations

from typing import Any

import msgspec

from asl_pbcg.campaign.catalogue import Catalogue, InfantryType
from asl_pbcg.campaign.identity import Ids
from asl_pbcg.campaign.merge import to_position
from asl_pbcg.campaign.position import (
    FORMAT,
    BySide,
    EquipmentEntry,
    Fortification,
    Position,
    UnitEntry,
    VehicleEntry,
)
from asl_pbcg.campaign.position_words import EquipmentStatus, UnitStatus, VehicleStatus
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.vasl.names import facts
from asl_pbcg.vasl.scene import Scene, Seen, Unknown

Entry = UnitEntry | EquipmentEntry | VehicleEntry
_OWN = ("hidden", "concealed", "prisoner", "unarmed", "cloaked")


class Chosen:
    """A scene, and what the players have said of it so far."""

    def __init__(self, scene: Scene, date: CGDate) -> None:
        self.scene = scene
        self.date = date
        self._pieces = {seen.key: seen for seen in scene.pieces}
        self.fortifications: list[Fortification] = list(scene.fortifications)
        self.levels: dict[tuple[str, str], str] = {}
        """What a stack's level is, by hex and doubt."""
        self.guards: dict[str, str] = {}
        """The keys of Guards, by prisoner."""
        self.ids: dict[str, str] = {}
        """Which piece a counter is, by key."""
        self.captured: set[str] = set()
        """The keys of the vehicles that the other side has captured."""
        self.tows: dict[str, str] = {}
        """The keys of vehicles, by that of the Gun each tows."""

    def pieces(self) -> list[Seen]:
        """The units, Equipment and vehicles, as they are known by now."""
        return list(self._pieces.values())

    def has(self, key: str) -> bool:
        """Whether it is still taken for a piece."""
        return key in self._pieces

    def piece(self, key: str) -> Seen:
        """One of them."""
        return self._pieces[key]

    def words(self, key: str) -> str:
        """How a question names one of them."""
        seen = self._pieces[key]
        status = f" ({', '.join(seen.status)})" if seen.status else ""
        return f"{seen.side.title if seen.side else ''} {seen.type or seen.name}{status}".strip()

    def _set(self, key: str, **fields: Any) -> None:
        self._pieces[key] = msgspec.structs.replace(self._pieces[key], **fields)

    def move(self, key: str, hex: str) -> None:
        """Say which of two hexes it is in; what lies in the same stack goes with it."""
        seen = self._pieces[key]
        rest = seen.at.removeprefix(seen.hex)
        if hex == seen.hex:
            return
        arcs = {"ca": seen.across_ca, "tca": seen.across_tca}
        arcs |= {"across_ca": seen.ca, "across_tca": seen.tca}
        self._set(key, at=f"{hex}{rest}", across=seen.hex, **arcs)

    def set_at(self, key: str, at: str) -> None:
        """Say where it is."""
        self._set(key, at=at)

    def set_side(self, key: str, side: Side) -> None:
        """Say whose it is."""
        self._set(key, side=side)

    def set_type(self, key: str, type: str) -> None:
        """Say what it is."""
        self._set(key, type=type)

    def add_status(self, key: str, status: str) -> None:
        """Say what else is true of it."""
        self._set(key, status=tuple(dict.fromkeys((*self._pieces[key].status, status))))

    def set_holder(self, key: str, holder: str) -> None:
        """Say who possesses it."""
        self._set(key, holder=holder)

    def set_aboard(self, key: str, vehicle: str) -> None:
        """Say which vehicle it is aboard, or none."""
        self._set(key, aboard=vehicle)

    def drop(self, key: str) -> None:
        """Leave it out, with what belongs to it by its place."""
        del self._pieces[key]
        for other, seen in list(self._pieces.items()):
            if seen.holder == key or seen.aboard == key:
                self._set(
                    other,
                    holder="" if seen.holder == key else seen.holder,
                    aboard="" if seen.aboard == key else seen.aboard,
                )
        self.guards = {one: guard for one, guard in self.guards.items() if key not in (one, guard)}

    def take_unknown(self, counters: list[Unknown], type: str, catalogue: Catalogue) -> None:
        """Take counters whose name is not known for pieces of a type."""
        for each in counters:
            assert each.side
            kind = catalogue.get(type, each.side).kind
            section = "vehicles" if kind == "vehicle" else "units"
            section = "equipment" if kind in ("sw", "gun") else section
            self._pieces[each.key] = Seen(
                key=each.key,
                section=section,  # type: ignore[arg-type]
                kind=kind,
                type=type,
                side=each.side,
                at=each.at,
                name=each.name,
                status=("hidden",) if each.hidden else (),
            )

    def make_up_ids(self, state: Campaign | None = None) -> None:
        """Give every counter that is no known piece an id that nobody had."""
        ids = Ids(state)
        for key, seen in self._pieces.items():
            if not self.ids.get(key):
                assert seen.side
                self.ids[key] = ids.next(seen.side, seen.type or seen.kind)

    def vehicle_side(self, seen: Seen) -> Side:
        """The side that has a vehicle."""
        assert seen.side
        return seen.side.other if seen.key in self.captured else seen.side

    def captor(self, seen: Seen) -> Side:
        """The side that has a piece of Equipment: its possessor's or tower's, else its own."""
        if seen.key in self.tows:
            return self.vehicle_side(self.piece(self.tows[seen.key]))
        if seen.holder in self._pieces:
            held_by = self._pieces[seen.holder].side
            if held_by:
                return held_by
        assert seen.side
        return seen.side


def told_statuses(section: str) -> frozenset[str]:
    """The statuses a save can tell of a list's pieces; the others stay as they were."""
    found = {status for each in facts().statuses.values() for status in each.get(section, ())}
    return frozenset(found | set(_OWN))


def make_position(chosen: Chosen, state: Campaign | None, catalogue: Catalogue) -> Position:
    """The position as chosen, without Control."""
    before = to_position(state, everything=True) if state else None
    entries: dict[str, Entry] = {}
    if before:
        listed: list[Entry] = [*before.units, *before.equipment, *before.vehicles]
        entries = {entry.id: entry for entry in listed}
    units, equipment, vehicles = [], [], []
    for seen in chosen.pieces():
        old = entries.get(chosen.ids[seen.key])
        if seen.section == "units":
            units.append(_unit(chosen, seen, old, catalogue))
        elif seen.section == "equipment":
            equipment.append(_equipment(chosen, seen, old, catalogue))
        else:
            vehicles.append(_vehicle(chosen, seen, old, catalogue))
    scene = chosen.scene
    terrain = tuple(scene.terrain)
    gliders = tuple(scene.gliders)
    if before:
        marks = {(each.kind, each.at): each for each in before.terrain}
        terrain = tuple(_keep(each, marks.get((each.kind, each.at))) for each in terrain)
        landed = {each.at: each for each in before.gliders}
        gliders = tuple(
            msgspec.structs.replace(each, notes=landed[each.at].notes)
            if each.at in landed
            else each
            for each in gliders
        )
    return Position(
        format=FORMAT,
        date=chosen.date,
        units=tuple(units),
        equipment=tuple(equipment),
        vehicles=tuple(vehicles),
        fortifications=tuple(chosen.fortifications),
        terrain=terrain,
        gliders=gliders,
        casualty_vp=BySide().with_numbers(dict(scene.casualties)),
    )


def _keep(new: Any, old: Any) -> Any:
    """A terrain change with what the last position says of it and the save does not."""
    if old is None:
        return new
    fields = {
        name: getattr(new, name) or getattr(old, name)
        for name in ("type", "side", "hexside", "notes", "scrounged")
    }
    return msgspec.structs.replace(new, **fields)


def _status(seen: Seen, old: Entry | None, section: str) -> list[str]:
    """What the save tells, and of the last position what it cannot tell."""
    told = told_statuses(section)
    kept = [str(each) for each in old.status if str(each) not in told] if old else []
    if UnitStatus.NO_MOVE in seen.status:
        kept = [each for each in kept if each != "freedom-of-movement"]
    if section == "units" and old and UnitStatus.WALKING_WOUNDED in old.status:
        kept.append("walking-wounded")
    if seen.is_prisoner and old and UnitStatus.WOUNDED in old.status:  # his counter has no wound
        kept.append("wounded")
    return list(dict.fromkeys([*(each for each in kept if each != "exited"), *seen.status]))


def _unit(chosen: Chosen, seen: Seen, old: Entry | None, catalogue: Catalogue) -> UnitEntry:
    assert seen.side
    held = tuple(
        chosen.ids[each.key]
        for each in chosen.pieces()
        if each.holder == seen.key and each.section == "equipment"
    )
    guard = chosen.guards.get(seen.key, "")
    type = seen.type
    if not type and old:
        type = old.type
        known = catalogue.find(type, seen.side)
        if seen.kind == "half_squad" and isinstance(known, InfantryType) and known.half_squad:
            type = known.half_squad
    fields: dict[str, Any] = {
        "id": chosen.ids[seen.key],
        "side": seen.side,
        "type": type,
        "at": chosen.piece(guard).at if guard else seen.at,
        "status": tuple(UnitStatus(each) for each in _status(seen, old, "units")),
        "possesses": held,
        "aboard": chosen.ids.get(seen.aboard, "") if seen.aboard else "",
        "guarded_by": chosen.ids[guard] if guard else "",
        "climbing_to": "",
    }
    if isinstance(old, UnitEntry):
        return msgspec.structs.replace(old, **fields)
    formation = "" if seen.formation == "para" else seen.formation
    return UnitEntry(**fields, formation=formation)


def _equipment(
    chosen: Chosen, seen: Seen, old: Entry | None, catalogue: Catalogue
) -> EquipmentEntry:
    assert seen.side
    side = chosen.captor(seen)
    alone = not seen.holder and seen.key not in chosen.tows
    if old and alone and EquipmentStatus.CAPTURED in old.status:
        side = old.side
    status = [each for each in _status(seen, old, "equipment") if each != "captured"]
    if side is not seen.side:
        status.insert(0, "captured")
    if "emplaced" in status and old and (old.at != seen.at or "hooked" in status):
        status.remove("emplaced")
    fields: dict[str, Any] = {
        "id": chosen.ids[seen.key],
        "side": side,
        "type": seen.type,
        "at": chosen.piece(seen.holder or chosen.tows.get(seen.key, seen.key)).at,
        "status": tuple(EquipmentStatus(each) for each in status),
        "depleted": _depletion(seen, catalogue),
    }
    if seen.ca:
        fields["ca"] = seen.ca
    if isinstance(old, EquipmentEntry):
        return msgspec.structs.replace(old, **fields)
    return EquipmentEntry(**fields)


def _depletion(seen: Seen, catalogue: Catalogue) -> tuple[str, ...]:
    """What No Ammo markers say, in the words of the catalogue: HE is HE8 of that Gun."""
    found = catalogue.find(seen.type, seen.side) if seen.side else None
    own = {each.rstrip("0123456789"): each for each in (found.special_ammo if found else ())}
    return tuple(dict.fromkeys(own.get(each, each) for each in seen.depleted))


def _vehicle(chosen: Chosen, seen: Seen, old: Entry | None, catalogue: Catalogue) -> VehicleEntry:
    assert seen.side
    captured = [VehicleStatus.CAPTURED] if seen.key in chosen.captured else []
    status = [each for each in _status(seen, old, "vehicles") if each != "captured"]
    fields: dict[str, Any] = {
        "id": chosen.ids[seen.key],
        "side": chosen.vehicle_side(seen),
        "type": seen.type,
        "at": seen.hex,
        "status": tuple(VehicleStatus(each) for each in (*captured, *status)),
        "vca": seen.ca,
        "tca": seen.tca,
        "bypass": f"{seen.hex}/{seen.across}" if seen.across else "",
        "depleted": _depletion(seen, catalogue),
    }
    towed = {chosen.ids[gun] for gun, vehicle in chosen.tows.items() if vehicle == seen.key}
    last = old.tows if isinstance(old, VehicleEntry) else ()
    fields["tows"] = (*(id for id in last if id in towed), *sorted(towed - {*last}))
    if isinstance(old, VehicleEntry):
        return msgspec.structs.replace(old, **fields)
    return VehicleEntry(**fields)
