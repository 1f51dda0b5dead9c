"""Rules between the parts of a position: levels, Control, holders, types and statuses. Rule: 9.2.

Each check yields the faults of one entry: the key, its value, and what would be right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from asl_pbcg.campaign.areas.strategic_locations import StrategicLocations
from asl_pbcg.campaign.board.board import Board
from asl_pbcg.campaign.board.entry_areas import entry_areas
from asl_pbcg.campaign.entry.position_fields import with_article
from asl_pbcg.campaign.entry.position_raw import Rows
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.module.catalogue import (
    MMC,
    AnyType,
    Catalogue,
    InfantryType,
    VehicleType,
    WeaponType,
)
from asl_pbcg.campaign.module.charts import Charts, FortificationPrice
from asl_pbcg.campaign.position import (
    FORMAT,
    PIECES,
    TIES,
    Control,
    EquipmentEntry,
    Fortification,
    PieceEntry,
    Position,
    Terrain,
    UnitEntry,
    VehicleEntry,
    WWBox,
)
from asl_pbcg.campaign.position_words import (
    WRECKS,
    EquipmentStatus,
    FortificationKind,
    GliderState,
    TerrainKind,
    UnitStatus,
    VehicleStatus,
)
from asl_pbcg.campaign.state.piece_names import name_piece, short_name
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.reader import nearest, nearest_or_all
from asl_pbcg.kernel.struct_reader import ListItem, Path

UPPER_LEVEL_TERRAIN = frozenset({TerrainKind.BLAZE, TerrainKind.FLAME, TerrainKind.BREACH})
Wrongs = Iterator[tuple[str, object, str]]
"""Key, value and what would be right."""
MINES: Final = (FortificationKind.AP_MINES, FortificationKind.AT_MINES)
OF_THE_ENEMY: Final = "is an enemy vehicle: only prisoners are aboard one"
_NAMING: Final = TIES | {"id"}
"""Keys whose values name pieces."""
TYPES: Final[dict[str, tuple[type[AnyType], str]]] = {
    "units": (InfantryType, "unit"),
    "equipment": (WeaponType, "SW or Gun"),
    "vehicles": (VehicleType, "vehicle"),
}
"""By list, what the catalogue lists of its pieces, and what one is called."""


def check_rules(rows: Rows) -> None:
    """Note every fault between the readable parts of a position."""
    parts = _Parts(rows)
    for section, checks in CHECKS.items():
        for number, part in rows.lists[section]:
            for check in checks:
                for key, value, wrong in check(parts, part):
                    value = short_name(str(value)) if key in _NAMING else value
                    rows.wrong(rows.at(section, number, part, key), value, wrong)
    lists: dict[str, Any] = {
        name: tuple(part for _, part in listed) for name, listed in rows.lists.items()
    }
    position = Position(format=FORMAT, date=CGDate.NIGHT_1, control=Control(), **lists)
    strategic = StrategicLocations(position, rows.board, rows.catalogue)
    check_levels(rows, strategic)
    check_control(rows, strategic)


class _Parts:
    """The parts of a position as they are looked up."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.catalogue = rows.catalogue
        self.ids: dict[str, PieceEntry] = {}
        self.twice: dict[int, str] = {}
        """By the identity of a piece whose id is used before, where that is."""
        first: dict[str, str] = {}
        for section in PIECES:
            for number, piece in rows.lists[section]:
                if piece.id in self.ids:
                    self.twice[id(piece)] = first[piece.id]
                else:
                    self.ids[piece.id] = piece
                    first[piece.id] = rows.raw.places.words((section, ListItem(number)))
        units = [unit for _, unit in rows.lists["units"]]
        self.crews = {(unit.side, unit.at) for unit in units if self.kind(unit) == "crew"}
        self.manned = {unit.aboard for unit in units if self._can_man(unit)}
        """Vehicles with a unit aboard that can be their crew. Rule: A21.22."""
        self.holders: dict[str, str] = {}
        """By Equipment that is possessed or towed and the key that says so, the holder's id."""

    def type(self, piece: PieceEntry) -> AnyType | None:
        """Return the catalogue's entry for the type of a piece."""
        return self.catalogue.find(piece.type, piece.maker)

    def kind(self, piece: PieceEntry) -> str:
        """Return the kind of a piece; empty for a type that is not known."""
        return self.catalogue.kind(piece.type, piece.maker)

    def _can_man(self, unit: UnitEntry) -> bool:
        kind = self.kind(unit)
        return bool(unit.aboard) and (not kind or kind in MMC) and not unit.is_prisoner

    def look_up(self, id: str, section: str) -> tuple[PieceEntry | None, str]:
        """Return the piece of an id in a list, or what is wrong with the id."""
        piece = self.ids.get(id)
        if piece is not None and piece.section == section:
            return piece, ""
        if piece is not None:
            return None, f"is listed under {piece.section}, not under {section}"
        names = [short_name(entry.id) for entry in self.ids.values() if entry.section == section]
        return None, f"is not listed under {section}{nearest(short_name(id), names, 0.5)}"


def check_levels(rows: Rows, strategic: StrategicLocations) -> None:
    """Check that a level has a standing building, and a pillbox Location a pillbox."""
    pillboxes = {
        part.location.hex
        for _, part in rows.lists["fortifications"]
        if part.kind is FortificationKind.PILLBOX
    }
    unsure: dict[str, None] = {}  # keeps the order

    def see(where: Path, location: Location) -> None:
        name = location.hex
        if location.pillbox and name not in pillboxes | rows.unread_hexes:
            wrong = f"says there is a pillbox in {name}: list it under fortifications"
            rows.wrong(where, location, wrong)
        if not location.level:
            return
        if name not in rows.board.buildings:
            wrong = f"has a level, but there is no building in {name}: write {name}"
            rows.wrong(where, location, wrong)
        elif name not in strategic.buildings:
            wrong = f"has a level, but the building in {name} no longer stands: write {name}"
            rows.wrong(where, location, wrong)
        elif name not in rows.board.upper or location.level > 2:
            unsure.setdefault(str(location))

    for section, parts in rows.lists.items():
        if section == "ww_box":
            continue
        for number, part in parts:
            where = rows.at(section, number, part, "at")
            location = part.location
            if not _is_on_ground_only(section, part):
                see(where, location)
            elif location.on_map and not location.ground:
                what = with_article(getattr(part, "kind", section.removesuffix("s")))
                rows.wrong(where, part.at, f"cannot hold {what}: write {location.hex}")
    for side, number, location in rows.control:
        see(("control", str(side), ListItem(number)), location)
    if unsure:
        rows.remarks.append(
            "The board does not say whether the building has this level; the printed map "
            f"decides: {', '.join(unsure)}."
        )


def _is_on_ground_only(section: str, part: Any) -> bool:
    """Whether a part of a position can be at ground level alone."""
    if section == "terrain":
        return part.kind not in UPPER_LEVEL_TERRAIN
    return section in ("gliders", "fortifications", "vehicles")


def check_control(rows: Rows, strategic: StrategicLocations) -> None:
    """Each Controlled Location is one that is recorded and has one Controller.

    Rule: 9.2, 9.605, SSR PB4.
    """
    controller: dict[Location, str] = {}
    for side, number, location in rows.control:
        where = ("control", str(side), ListItem(number))
        why = strategic.why(location)
        # Where only a pillbox makes the hex one, Z21 and Z21/pillbox are the same Location.
        same = Location(location.hex, pillbox=True) if why == ("pillbox",) else location
        if same in controller:
            rows.wrong(
                where,
                location,
                "stands there twice"
                if controller[same] == side
                else "is Controlled by both sides: strike it out on one",
            )
            continue
        controller[same] = side
        if not (
            why
            or location.level
            or strategic.is_recorded(location)
            or rows.kept_control.get(str(location)) == side
            or location.hex in rows.unread_hexes
        ):
            rows.wrong(where, location, _why_none(rows, location))


def _why_none(rows: Rows, location: Location) -> str:
    reasons = "; ".join(_near_misses(rows, location))
    if reasons:
        return f"is not a Strategic Location (9.2): {reasons}"
    return (
        "is not a Strategic Location (9.2): no building, Rubble, bridge, entrenchment, pillbox, "
        "landed glider, functioning Gun or Immobile vehicle with functioning MA is there"
    )


def _near_misses(rows: Rows, location: Location) -> Iterable[str]:
    """Yield the pieces there that would be a Strategic Location in another state."""
    for _, glider in rows.lists["gliders"]:
        if glider.location.hex == location.hex and glider.state is GliderState.WRECKED:
            yield "the glider there is wrecked"
    for _, piece in rows.lists["equipment"]:
        if piece.location.hex == location.hex:
            weapon = rows.catalogue.find(piece.type, piece.maker)
            if weapon is not None and weapon.kind == "gun":
                state = "hooked" if piece.has(EquipmentStatus.HOOKED) else "malfunctioned"
                yield f"the Gun there ({name_piece(piece)}) is {state}"
    for _, vehicle in rows.lists["vehicles"]:
        if vehicle.location.hex == location.hex:
            yield f"the vehicle there ({name_piece(vehicle)}) {_vehicle_state(vehicle)}"


def _vehicle_state(vehicle: VehicleEntry) -> str:
    if vehicle.has(VehicleStatus.ABANDONED):
        return "is Abandoned"
    return "has no functioning MA" if vehicle.immobile else "is Mobile"


# -- all pieces -------------------------------------------------------------------------------


def _check_id(parts: _Parts, piece: PieceEntry) -> Wrongs:
    if id(piece) in parts.twice:
        yield "id", piece.id, f"is used twice: first in {parts.twice[id(piece)]}"


def _check_type(parts: _Parts, piece: PieceEntry) -> Wrongs:
    kind, word = TYPES[piece.section]
    side, type = piece.maker, parts.type(piece)
    if isinstance(type, kind):
        return
    parts.rows.unread_hexes.add(piece.location.hex)
    if type is not None:
        right = next(name for name, (cls, _) in TYPES.items() if isinstance(type, cls))
        yield "type", piece.type, f"is not a {word}: it belongs under {right}"
    elif isinstance(parts.catalogue.find(piece.type, side.other), kind):
        yield "type", piece.type, f"is a {side.other.title} type{_other_side(piece)}"
    else:
        dm = " with status dm" if piece.type.startswith("dm ") else ""
        own = (item for item in parts.catalogue if item.side is side and isinstance(item, kind))
        called = next((item.name for item in own if piece.type in item.also), "")
        near = _near_types(parts.catalogue, piece.type, side, kind)
        wrong = f"is called {called} here{dm}" if called else f"is not a {side.title} {word}{near}"
        yield "type", piece.type, wrong


def _other_side(piece: PieceEntry) -> str:
    if piece.section == "units":
        return f", but side is {piece.side}"
    if piece.captured:
        return f", so the {piece.side.title} have not captured it: strike out captured"
    return f": if the {piece.side.title} have captured it, give it status captured"


def wrong_type_of_any(catalogue: Catalogue, section: str, name: str) -> str:
    """Return what is wrong with a type that neither side has in a list; empty if one has it."""
    kind, word = TYPES[section]
    if any(isinstance(catalogue.find(name, side), kind) for side in Side):
        return ""
    near = [type for side in Side for type in catalogue.nearest(name, side, kind)]
    listed = f"; nearest: {', '.join(dict.fromkeys(near))}" if near else ""
    return f"is not a {word} of either side{listed}"


def _near_types(catalogue: Catalogue, name: str, side: Side, kind: type[AnyType]) -> str:
    near = catalogue.nearest(name, side, kind)
    if near:
        return f"; nearest: {', '.join(near)}"
    return f"; known are: {', '.join(catalogue.names(side, kind))}"


def _check_formation(parts: _Parts, piece: Any) -> Wrongs:
    formations = parts.catalogue.formations
    if not piece.formation:
        return
    if piece.formation not in formations:
        near = nearest(piece.formation, formations)
        wrong = f"is not a formation{near}; it must be one of: {', '.join(formations)}"
        yield "formation", piece.formation, wrong
    elif piece.section == "units" and formations[piece.formation].side is not piece.side:
        side = formations[piece.formation].side
        yield "formation", piece.formation, f"is a {side.title} formation"


def _check_off_map(parts: _Parts, piece: PieceEntry) -> Wrongs:
    location = piece.location
    if location.on_map:
        if piece.has(UnitStatus.EXITED):
            wrong = "needs an Entry Area as its place, for example off-map A7 (CG15)"
            yield "status", "exited", wrong
        return
    areas = entry_areas(parts.rows.board)
    if areas[location.entry].side != piece.side:
        own = [f"off-map {arrow}" for arrow, area in areas.items() if area.side == piece.side]
        wrong = f"is not a {piece.side.title} Entry Area; it must be one of: {', '.join(own)}"
        yield "at", piece.at, wrong


# -- units ------------------------------------------------------------------------------------


def _check_armor_leader(parts: _Parts, unit: UnitEntry) -> Wrongs:
    """An Armor Leader is in a vehicle, or beside the crew that has Abandoned it. Rule: D3.4."""
    if parts.kind(unit) != "armor_leader" or unit.aboard or not unit.location.on_map:
        return
    if not unit.is_prisoner and (unit.side, unit.at) not in parts.crews:
        yield "aboard", "", "is missing: an Armor Leader is part of a vehicle's crew (D3.4)"


def _check_unit_status(parts: _Parts, unit: UnitEntry) -> Wrongs:
    type = parts.type(unit)
    if type is None:
        return
    if unit.has(UnitStatus.WOUNDED) and not type.is_smc:
        wrong = "is for leaders and heroes; an MMC is walking-wounded (CG17)"
        yield "status", "wounded", wrong
    british_mmc = unit.side is Side.BRITISH and type.kind in MMC
    if unit.has(UnitStatus.WALKING_WOUNDED) and not british_mmc:
        yield "status", "walking-wounded", "is for British MMC (CG17)"
    if unit.has(UnitStatus.HEROIC) and type.kind != "leader":
        yield "status", "heroic", "is for leaders; a hero is a unit of type 1-4-9"
    if unit.has(UnitStatus.BROKEN) and unit.has(UnitStatus.BERSERK):
        yield "status", "berserk", "cannot be beside broken (A15.4)"


def _check_guard(parts: _Parts, unit: UnitEntry) -> Wrongs:
    if not unit.guarded_by:
        if unit.is_prisoner:
            wrong = "is missing: a prisoner has a Guard, so name the Guard"
            yield "guarded_by", "", wrong
        return
    if not unit.is_prisoner:
        wrong = "is for a prisoner: give the unit status prisoner"
        yield "guarded_by", unit.guarded_by, wrong
    guard, wrong = parts.look_up(unit.guarded_by, "units")
    if guard is not None and (guard.side is unit.side or guard.is_prisoner):
        wrong = "cannot guard him: a Guard is a free unit of the enemy"
    elif guard is not None and guard.at != unit.at:
        wrong = f"is at {guard.at}, but his prisoner is at {unit.at}"
    if wrong:
        yield "guarded_by", unit.guarded_by, wrong


def _check_aboard(parts: _Parts, unit: UnitEntry) -> Wrongs:
    if not unit.aboard:
        return
    vehicle, wrong = parts.look_up(unit.aboard, "vehicles")
    if vehicle is not None and vehicle.side is not unit.side and not unit.is_prisoner:
        wrong = OF_THE_ENEMY
    elif vehicle is not None and vehicle.at != unit.at:
        wrong = f"is at {vehicle.at}, but who is aboard is at {unit.at}"
    if wrong:
        yield "aboard", unit.aboard, wrong


def _check_climb(parts: _Parts, unit: UnitEntry) -> Wrongs:
    if not unit.climbing_to:
        return
    board = parts.rows.board
    goal, start = Location.parse(unit.climbing_to), unit.location
    wrong = ""
    if goal.hex != start.hex:
        on_board = start.hex in board and goal.hex in board
        cliff = on_board and board.has_cliff(start.hex, goal.hex)
        if not (start.ground and goal.ground and cliff):
            wrong = f"is neither in the hex of {unit.at} nor across a Cliff hexside from it (B11.4)"
    elif abs(goal.level - start.level) != 1:
        wrong = f"is not one level above or below {unit.at}"
    elif goal.hex not in board.buildings:
        wrong = f"has a level, but there is no building in {goal.hex}"
    if wrong:
        yield "climbing_to", unit.climbing_to, wrong


# -- vehicles and Equipment -------------------------------------------------------------------


def _check_weapons(parts: _Parts, vehicle: VehicleEntry) -> Wrongs:
    """Weapons that malfunction are there."""
    for status, weapon, sure in missing_weapons(parts.catalogue, vehicle):
        if sure:
            yield "status", status, f"cannot be: a {vehicle.type} has no {weapon}"


def missing_weapons(catalogue: Catalogue, vehicle: VehicleEntry) -> Iterator[tuple[str, str, bool]]:
    """Return each status about a Weapon that the vehicle does not have, and if that is sure."""
    type = catalogue.find(vehicle.type, vehicle.maker)
    if not isinstance(type, VehicleType):
        return
    for status in vehicle.status:
        weapon, _, state = status.value.upper().partition("-")
        if state not in ("MALFUNCTIONED", "DISABLED"):
            continue
        if weapon == "MA":
            has, sure = bool(type.main_armament), type.sure("main_armament")
        else:
            has, sure = weapon in type.mg, type.sure("mg")
            has = has or (weapon == "AAMG" and vehicle.aamg is not False)
        if not has:
            yield status.value, weapon, sure


def _check_crew(parts: _Parts, vehicle: VehicleEntry) -> Wrongs:
    """A captured vehicle has no Inherent crew of its own: a unit mans it, or it is abandoned.

    Rule: A21.22, 9.6071.
    """
    type = parts.type(vehicle)
    if not isinstance(type, VehicleType) or not type.crew or vehicle.id in parts.manned:
        return
    if vehicle.captured and not vehicle.has(VehicleStatus.ABANDONED):
        wrong = (
            "needs a crew or half-squad that mans it: give that unit this vehicle as aboard, or "
            "the vehicle the status abandoned (A21.22)"
        )
        yield "status", "captured", wrong


def _check_possessions(parts: _Parts, unit: UnitEntry) -> Wrongs:
    for id in unit.possesses:
        wrong = _wrong_holding(parts, unit, "possesses", id)
        if wrong:
            yield "possesses", id, wrong


def _check_tows(parts: _Parts, vehicle: VehicleEntry) -> Wrongs:
    for id in vehicle.tows:
        first = f"tows {id}" not in parts.holders
        wrong = _wrong_holding(parts, vehicle, "tows", id)
        if wrong:
            yield "tows", id, wrong
        piece = parts.ids.get(id)
        if first and piece and piece.is_weapon and not piece.has(EquipmentStatus.HOOKED):
            yield "tows", id, "is towed, so give it status hooked"


def _wrong_holding(parts: _Parts, holder: PieceEntry, key: str, id: str) -> str:
    """Return what is wrong with a thing held: it is there, once, of his side, in his Location."""
    piece, wrong = parts.look_up(id, "equipment")
    if piece is None:
        return wrong
    before = parts.holders.setdefault(f"{key} {id}", holder.id)
    if before != holder.id:
        if key == "tows":
            return f"is towed by {short_name(before)} too"
        return f"is possessed by {short_name(before)} too: one piece, one possessor"
    if piece.side is not holder.side:
        return (
            f"has side {piece.side}: what the {holder.side.title} hold has side {holder.side}, "
            "and status captured if it was the enemy's"
        )
    if piece.at != holder.at:
        word = "possessor" if key == "possesses" else "vehicle"
        return f"is at {piece.at}, but its {word} is at {holder.at}"
    return ""


def _check_equipment_status(parts: _Parts, piece: EquipmentEntry) -> Wrongs:
    type = parts.type(piece)
    if not isinstance(type, WeaponType):
        return
    for status in (EquipmentStatus.HOOKED, EquipmentStatus.EMPLACED):
        if piece.has(status) and type.kind != "gun":
            yield "status", status, f"is for Guns, and {piece.type} is a SW"
    if piece.has(EquipmentStatus.DM) and not type.dm and type.sure("dm"):
        yield "status", "dm", f"cannot be: a {piece.type} is not dismantled"


# -- Fortifications, terrain and the Walking Wounded box --------------------------------------


def _check_fortification(parts: _Parts, part: Fortification) -> Wrongs:
    if part.size is not None and part.kind not in MINES:
        if part.kind is not FortificationKind.FOXHOLE:
            yield "size", part.size, f"is not for a {part.kind}: foxholes and mines have one"
        elif part.size > 3:
            yield "size", part.size, "must be from 1 to 3 for a foxhole"
    if part.kind is not FortificationKind.PILLBOX:
        for key in ("strength", "ca"):
            if value := getattr(part, key):
                yield key, value, f"is not for {with_article(part.kind)}: a pillbox has one"


def mine_chart(board: Board, part: Fortification) -> FortificationPrice:
    """Return the line of the Fortification Purchase Table for a minefield. Rule: 9.619."""
    return Charts(board.folder).fortifications.kinds[part.kind.value]


def _check_terrain(parts: _Parts, part: Terrain) -> Wrongs:
    if part.kind not in WRECKS:
        for key in ("type", "side", "scrounged"):
            if value := getattr(part, key):
                yield key, value, f"is not for {with_article(part.kind)}: a wreck has one"
    elif part.type:
        sides = [part.side] if part.side else list(Side)
        types = [parts.catalogue.find(part.type, side) for side in sides]
        if not any(isinstance(type, VehicleType) for type in types):
            near = _near_types(parts.catalogue, part.type, sides[-1], VehicleType)
            yield "type", part.type, f"is not a vehicle{near}"


def _check_ww_box(parts: _Parts, box: WWBox) -> Wrongs:
    british = (type for type in parts.catalogue if type.side is Side.BRITISH)
    names = [type.name for type in british if type.kind in MMC]
    if box.type not in names:
        yield "type", box.type, f"is not a British MMC{nearest_or_all(box.type, names)}"


_OF_ALL = (_check_id, _check_type, _check_formation, _check_off_map)
CHECKS: Final[dict[str, tuple[Callable[[_Parts, Any], Wrongs], ...]]] = {
    "units": (
        *_OF_ALL,
        _check_armor_leader,
        _check_unit_status,
        _check_guard,
        _check_aboard,
        _check_climb,
        _check_possessions,
    ),
    "vehicles": (*_OF_ALL, _check_weapons, _check_crew, _check_tows),
    "equipment": (*_OF_ALL, _check_equipment_status),
    "fortifications": (_check_fortification,),
    "terrain": (_check_terrain,),
    "ww_box": (_check_ww_box,),
}
"""By list, what is checked of each entry."""
