"""Where the parts of a position may stand, and what a side may Control. Rule: 9.2."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.piece_names import name_piece
from asl_pbcg.campaign.position import VehicleEntry
from asl_pbcg.campaign.position_fields import with_article
from asl_pbcg.campaign.position_raw import Rows
from asl_pbcg.campaign.position_words import (
    EquipmentStatus,
    FortificationKind,
    GliderState,
    TerrainKind,
    VehicleStatus,
)
from asl_pbcg.campaign.strategic import StrategicLocations
from asl_pbcg.kernel.struct_reader import ListItem, Path

UPPER_LEVEL_TERRAIN = frozenset({TerrainKind.BLAZE, TerrainKind.FLAME, TerrainKind.BREACH})


def check_levels(rows: Rows, strategic: StrategicLocations) -> None:
    """Levels need a standing building, the inside of a pillbox a pillbox."""
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

    for section, found in rows.lists.items():
        if section == "ww_box":
            continue
        for number, part in found:
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
    found = "; ".join(_near_misses(rows, location))
    if found:
        return f"is not a Strategic Location (9.2): {found}"
    return (
        "is not a Strategic Location (9.2): no building, Rubble, bridge, entrenchment, pillbox, "
        "landed glider, functioning Gun or Immobile vehicle with functioning MA is there"
    )


def _near_misses(rows: Rows, location: Location) -> Iterable[str]:
    """Yield what stands there and would be one in another state."""
    for _, glider in rows.lists["gliders"]:
        if glider.location.hex == location.hex and glider.state is GliderState.WRECKED:
            yield "the glider there is wrecked"
    for _, piece in rows.lists["equipment"]:
        if piece.location.hex == location.hex:
            found = rows.catalogue.find(piece.type, piece.maker)
            if found is not None and found.kind == "gun":
                state = "hooked" if piece.has(EquipmentStatus.HOOKED) else "malfunctioned"
                yield f"the Gun there ({name_piece(piece)}) is {state}"
    for _, vehicle in rows.lists["vehicles"]:
        if vehicle.location.hex == location.hex:
            yield f"the vehicle there ({name_piece(vehicle)}) {_vehicle_state(vehicle)}"


def _vehicle_state(vehicle: VehicleEntry) -> str:
    if vehicle.has(VehicleStatus.ABANDONED):
        return "is Abandoned"
    return "has no functioning MA" if vehicle.immobile else "is Mobile"
