"""The face of a piece's counter: symbol, printed values, what lies on it."""

from __future__ import annotations

from typing import Final

from asl_pbcg.campaign.location import place_words
from asl_pbcg.campaign.module.catalogue import AnyType, Catalogue, VehicleType, WeaponType
from asl_pbcg.campaign.position import Terrain
from asl_pbcg.campaign.position_words import (
    EquipmentStatus,
    GliderState,
    TerrainKind,
    UnitStatus,
    VehicleStatus,
    status_words,
)
from asl_pbcg.campaign.state.piece_names import mark
from asl_pbcg.campaign.state.record_lines import ForceLine
from asl_pbcg.campaign.terms import DUMMIES, Side
from asl_pbcg.hexes.counters import Face, draw_face
from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.hexes.items import BLUE, RED
from asl_pbcg.records.sheet import Sign

GROUND: Final = {Side.BRITISH: "#dcc998", Side.GERMAN: "#b9c9d8"}
EDGE: Final = {Side.BRITISH: RED, Side.GERMAN: BLUE}

_CLASSES: Final = {
    "elite": "E",
    "first line": "1",
    "second line": "2",
    "green": "G",
    "conscript": "C",
}
_BADGES: Final = {
    UnitStatus.DM: "DM",
    UnitStatus.DISRUPTED: "DIS",
    UnitStatus.PINNED: "PIN",
    UnitStatus.CX: "CX",
    UnitStatus.BERSERK: "BZK",
    UnitStatus.FANATIC: "F",
    UnitStatus.HEROIC: "H",
    UnitStatus.WOUNDED: "W",
    UnitStatus.WALKING_WOUNDED: "WW",
    UnitStatus.ENCIRCLED: "ENC",
    UnitStatus.UNARMED: "UNA",
    UnitStatus.CONCEALED: "?",
    UnitStatus.HIDDEN: "HIP",
    "HIP": "HIP",
    UnitStatus.CLOAKED: "CLK",
    UnitStatus.NO_MOVE: "NM",
    EquipmentStatus.MALFUNCTIONED: "MAL",
    EquipmentStatus.LOW_AMMO: "LOW",
    EquipmentStatus.HOOKED: "HKD",
    VehicleStatus.IMMOBILIZED: "IMM",
    VehicleStatus.ABANDONED: "ABD",
    VehicleStatus.BOGGED: "BOG",
    VehicleStatus.MIRED: "MIR",
    VehicleStatus.STUNNED: "STN",
    VehicleStatus.STUN_PLUS_1: "+1",
    VehicleStatus.SHOCKED: "SHK",
    VehicleStatus.RECALL: "RCL",
    VehicleStatus.UK: "UK",
    VehicleStatus.MOTION: "MOT",
    VehicleStatus.MA_MALFUNCTIONED: "MA",
    VehicleStatus.MA_DISABLED: "xMA",
    VehicleStatus.BMG_MALFUNCTIONED: "BMG",
    VehicleStatus.BMG_DISABLED: "xBM",
    VehicleStatus.CMG_MALFUNCTIONED: "CMG",
    VehicleStatus.CMG_DISABLED: "xCM",
    VehicleStatus.AAMG_MALFUNCTIONED: "AA",
    VehicleStatus.AAMG_DISABLED: "xAA",
    EquipmentStatus.CAPTURED: "CPT",
}
"""Return the marks on a counter in players' shorthand; what its colour shows comes last."""

_BY_KIND: Final = {
    "squad": "squad",
    "half_squad": "half_squad",
    "crew": "crew",
    "leader": "chief",
    "armor_leader": "chief",
    "hero": "hero",
    "gun": "gun",
    "sw": "mg",
}
_BY_WHAT: Final = (
    ("mortar", "mortar"),
    ("anti-tank projector", "piat"),
    ("flamethrower", "flame"),
    ("charge", "gammon"),
    ("truck", "truck"),
    ("carrier", "carrier"),
    ("half-track", "carrier"),
)
_BANNERS: Final = {UnitStatus.BROKEN: "BROKEN", GliderState.WRECKED: "WRECKED"}
_BARE: Final = "#e8e3d4"
_TERRAIN: Final = {
    TerrainKind.BLAZE: ("flame", "Blaze", ""),
    TerrainKind.FLAME: ("flame", "Flame", ""),
    TerrainKind.RUBBLE_STONE: ("bricks", "Rubble", "stone"),
    TerrainKind.RUBBLE_WOOD: ("bricks", "Rubble", "wooden"),
    TerrainKind.SHELLHOLE: ("crater", "Shellholes", ""),
    TerrainKind.BREACH: ("gap", "Breach", ""),
    TerrainKind.TRAIL_BREAK: ("gap", "Trailbreak", ""),
    TerrainKind.WRECK: ("afv", "Wreck", ""),
    TerrainKind.BURNT_OUT_WRECK: ("afv", "Burnt-Out Wreck", ""),
    TerrainKind.BURNING_WRECK: ("afv", "Burning Wreck", ""),
}
"""Symbol, name and what stands above it. Rule: CG14."""
_RANK: Final = ("vehicle", "MMC", "Gun", "SMC", "SW", "other")


def face_of(line: ForceLine, catalogue: Catalogue) -> Face:
    """Say what the counter of a piece looks like to whoever may see the line.

    A broken unit and a wrecked glider have a banner, a prisoner stands behind bars; the other
    side's Equipment shows whose it is by the border.
    """
    type = catalogue.find(line.type, line.side) or catalogue.find(line.type, line.side.other)
    badges = dict.fromkeys(words for status, words in _BADGES.items() if status in line.status)
    own = Side.BRITISH if line.side is Side.BRITISH else Side.GERMAN
    made = own.other if EquipmentStatus.CAPTURED in line.status else own
    return Face(
        symbol=_symbol(line, type),
        ground=GROUND[made],
        edge=EDGE[own],
        double=own is Side.BRITISH,
        middle=_face_words(line),
        head=_CLASSES.get(line.unit_class, ""),
        banner=next((words for status, words in _BANNERS.items() if status in line.status), ""),
        barred=UnitStatus.PRISONER in line.status,
        badges=tuple(badges),
        title=title_of(line),
        id=line.id,
    )


def terrain_face(change: Terrain, number: int, catalogue: Catalogue) -> Face:
    """Say what the counter of a change of the printed terrain looks like; ``number`` tells it.

    A Wreck is the vehicle under a banner, in the colour of whose it was. Rule: CG14.
    """
    symbol, name, head = _TERRAIN[change.kind]
    type = next(filter(None, (catalogue.find(change.type, side) for side in Side)), None)
    if isinstance(type, VehicleType):
        symbol = next((sign for word, sign in _BY_WHAT if word in type.what), symbol)
    was = f" of a {change.type}" if change.type else ""
    side = f" on the {change.hexside} hexside" if change.hexside else ""
    return Face(
        symbol=symbol,
        ground=GROUND[change.side] if change.side else _BARE,
        middle=change.type or name,
        head=head,
        banner=name.removesuffix(" Wreck").upper() if change.type else "",
        title=f"{name}{was}{side}, {change.at}",
        id=f"terrain {number}",
    )


def _face_words(line: ForceLine) -> str:
    if line.type == DUMMIES:
        return line.notes
    words = line.type.removesuffix(" Armor Leader").removesuffix(" (airborne)")
    return words.replace("Mine Factor ", "mines ")


def title_of(line: ForceLine) -> str:
    """Name a piece in full: side, type, name, status and place."""
    name = "" if line.kind == "other" else mark(line.id)  # a Foxhole has none
    head = " ".join(filter(None, (line.side.title, line.type, name)))
    place = place_words(line.location)
    return ", ".join(part for part in (head, status_words(line.status), place) if part)


def counter_sign(line: ForceLine, catalogue: Catalogue) -> Sign:
    """Return the counter of a piece for a cell of a sheet."""
    drawing = Drawing(_SMALL * 1.1, _SMALL * 1.1)
    draw_face(drawing, _SMALL * 0.03, _SMALL * 0.03, _SMALL, face_of(line, catalogue))
    return Sign(drawing)


_SMALL: Final = 13.0
"""How wide a counter on a sheet is, in points."""


def _symbol(line: ForceLine, type: AnyType | None) -> str:
    if isinstance(type, VehicleType | WeaponType):
        for word, symbol in _BY_WHAT:
            if word in type.what:
                return symbol
    if type is not None:
        return "afv" if type.kind == "vehicle" else _BY_KIND[type.kind]
    if line.type == "Glider":
        return "glider"
    return "hidden" if line.type == DUMMIES else "prepared"


def rank(line: ForceLine) -> tuple[int, str, str]:
    """Put the counters of a stack in order: vehicles and units on top, SW beneath."""
    return _RANK.index(line.kind), line.type, line.id
