"""A position: the map at the end of a CG scenario.

It is what players fill in as YAML, JSON or Excel (``position_files``); the
field names here are the keys and headings there, the descriptions here are the help there.
"""

# No annotations as text here: msgspec compiles each one when a file is opened, which takes long.

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Annotated, Any, ClassVar, Final, Literal, Self

import msgspec
from msgspec import Meta

from asl_pbcg.campaign.location import HEXSIDE_PATTERN, LOCATION_PATTERN, PLACE_PATTERN, Location
from asl_pbcg.campaign.position_words import (
    EquipmentStatus,
    FortificationKind,
    GliderState,
    Status,
    TerrainKind,
    UnitStatus,
    VehicleStatus,
)
from asl_pbcg.campaign.terms import CGDate, Side

TIES: Final = frozenset({"possesses", "tows", "aboard", "guarded_by"})
"""The fields of a piece that name others by their ids."""
FORMAT: Final = "pbcg-position/1"

Id = Annotated[
    str,
    Meta(
        description="Its name as sheets and map have it, as A-3 or LMG 3b; of a new piece one of "
        "your own, as b1, without commas. It stays the same from CG Date to CG Date.",
        min_length=1,
        max_length=40,
        pattern="^[^,;]+$",
        extra={"reads": "listed"},
    ),
]
TypeName = Annotated[str, Meta(max_length=60, extra={"reads": "type"})]
Place = Annotated[
    str,
    Meta(
        description="Z15 is ground level, Z15/1 the first level of a building, Z21/pillbox inside "
        "a pillbox, off-map A7 off map at Entry Area A7.",
        pattern=PLACE_PATTERN,
        extra={"reads": "place"},
    ),
]
OnMap = Annotated[
    str,
    Meta(
        description="Z15 is ground level, Z15/1 the first level of a building, Z21/pillbox inside "
        "a pillbox.",
        pattern=f"^{LOCATION_PATTERN}$",
        extra={"reads": "on_map"},
    ),
]
Ammunition = Annotated[str, Meta(max_length=120, extra={"reads": "listed"})]
Ids = tuple[Id, ...]
Facing = Annotated[
    str,
    Meta(
        description="The two hexes its covered arc lies between, as Y22/Z22.",
        pattern=HEXSIDE_PATTERN,
        extra={"reads": "hexside"},
    ),
]
Hexside = Annotated[
    str,
    Meta(
        description="The hexside or hexspine, by the hexes beside it, as Y22/Z22.",
        pattern=HEXSIDE_PATTERN,
        extra={"reads": "hexside"},
    ),
]
Depleted = Annotated[
    tuple[Ammunition, ...],
    Meta(description="Special ammunition it has run out of, as s or HE."),
]
Rg = Annotated[
    str,
    Meta(description="The Reinforcement Group it belongs to, as V2.", max_length=40),
]
FormationId = Annotated[
    str,
    Meta(
        description="Its formation, as ox-and-bucks; what is not Airborne is withdrawn after "
        "Day II (9.6153).",
        max_length=40,
    ),
]
Remark = Annotated[
    str,
    Meta(description="Anything you want to keep in mind.", max_length=2000, extra={"lines": True}),
]


class _Part(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True
):
    """Part of a position; a key it does not know is an error."""


class _Placed(_Part, frozen=True, kw_only=True):
    """Part of a position that stands somewhere."""

    section: ClassVar[str] = ""
    """The list of a position that it belongs to; empty if to none."""

    @property
    def location(self) -> Location:
        """Where it is."""
        at: str = self.at  # type: ignore[attr-defined]
        return Location.parse(at)


class ControlOfSides(_Part, frozen=True, kw_only=True):
    """Strategic Locations each side Controls; a module's own has a field for each side."""

    @property
    def sides(self) -> tuple[Side, Side]:
        """The two sides, in the order of every pair of values."""
        return _sides_of(self.__class__)

    def of(self, side: Side) -> tuple[str, ...]:
        """The Strategic Locations ``side`` Controls, as written."""
        places: tuple[str, ...] = getattr(self, side.value)
        return places

    def with_places(self, places: Mapping[Side, Iterable[str]]) -> Self:
        """Return Control with each side's Strategic Locations as given."""
        return type(self)(**{side.value: tuple(held) for side, held in places.items()})

    @property
    def holders(self) -> dict[str, Side]:
        """The side that Controls each Location."""
        return {place: side for side in self.sides for place in self.of(side)}

    def give(self, places: Mapping[str, Side | None]) -> Self:
        """Return Control with each of these Locations under its side, or under none."""
        return self.with_places(
            {
                side: (
                    *(place for place in self.of(side) if place not in places),
                    *(place for place, holder in places.items() if holder is side),
                )
                for side in self.sides
            }
        )

    def locations(self, side: Side) -> tuple[Location, ...]:
        """The Strategic Locations ``side`` Controls."""
        return tuple(Location.parse(text) for text in self.of(side))


@cache
def _sides_of(control: type[ControlOfSides]) -> tuple[Side, Side]:
    first, second = map(Side, control.__struct_fields__)
    return first, second


class Control(ControlOfSides, frozen=True, kw_only=True):
    """Strategic Locations each side Controls. Rule: 9.2, 9.605."""

    british: Annotated[tuple[OnMap, ...], Meta(description="British-Controlled.")] = ()
    german: Annotated[tuple[OnMap, ...], Meta(description="German-Controlled.")] = ()


class NumberOfSides(_Part, frozen=True, kw_only=True):
    """A number for each side; a module's own has a field for each side."""

    def of(self, side: Side) -> int:
        """The number of ``side``."""
        number: int = getattr(self, side.value)
        return number

    def with_numbers(self, numbers: Mapping[Side, int]) -> Self:
        """Return each side's number as given; 0 where none is."""
        return type(self)(**{side.value: number for side, number in numbers.items()})


MAX_CVP: Final = 9999
"""The most Casualty VP a side can be said to have lost in a scenario."""


class BySide(NumberOfSides, frozen=True, kw_only=True):
    """A number for each side."""

    british: Annotated[int, Meta(ge=0, le=MAX_CVP)] = 0
    german: Annotated[int, Meta(ge=0, le=MAX_CVP)] = 0


class Glider(_Placed, frozen=True, kw_only=True):
    """A glider on the map."""

    section = "gliders"
    at: OnMap
    state: Annotated[GliderState, Meta(description="landed, or wrecked.")]
    notes: Remark = ""


class Fortification(_Placed, frozen=True, kw_only=True):
    """A Fortification."""

    section = "fortifications"
    kind: FortificationKind
    at: OnMap
    owner: Annotated[Side | None, Meta(description="The side that placed it.")] = None
    size: Annotated[
        Annotated[int, Meta(ge=1, le=12)] | None,
        Meta(description="Foxhole 1 to 3; mines: their factors."),
    ] = None
    strength: Annotated[str, Meta(description="Of a pillbox, as 1+3+5.", max_length=20)] = ""
    ca: Facing = ""
    hidden: Annotated[bool, Meta(description="Whether the other side has not seen it.")] = False
    notes: Remark = ""


class Terrain(_Placed, frozen=True, kw_only=True):
    """A change of the printed terrain, a fire or a wreck."""

    section = "terrain"
    kind: TerrainKind
    at: OnMap
    type: Annotated[TypeName, Meta(description="Of a wreck: the vehicle it was.")] = ""
    side: Annotated[Side | None, Meta(description="Of a wreck: whose vehicle it was.")] = None
    hexside: Hexside = ""
    scrounged: Annotated[bool, Meta(description="Whether the wreck has been Scrounged.")] = False
    notes: Remark = ""


class PieceEntry(_Placed, frozen=True, kw_only=True):
    """A unit, a piece of Equipment or a vehicle."""

    statuses: ClassVar[tuple[Status, ...]] = ()
    """All that may be true of it."""
    id: Id
    side: Annotated[Side, Meta(description="The side that has it; of a captured piece its captor.")]
    type: Annotated[TypeName, Meta(description="As printed on the counter.")]
    at: Place
    status: Annotated[tuple[Status, ...], Meta(description="What is true of it.")] = ()

    @classmethod
    def own_statuses(cls, statuses: Iterable[Status]) -> tuple[Status, ...]:
        """Return ``statuses`` as members of its own list, each once; no other may be true of it."""
        try:
            return tuple(dict.fromkeys(cls.statuses[cls.statuses.index(one)] for one in statuses))
        except ValueError:
            raise AssertionError(f"{tuple(statuses)} of {cls.__name__}") from None

    def with_status(self, *statuses: Status) -> Self:
        """Return it with ``statuses`` true of it, behind those that are."""
        listed: dict[str, Any] = {"status": self.own_statuses((*self.status, *statuses))}
        return msgspec.structs.replace(self, **listed)

    def without_status(self, *statuses: Status) -> Self:
        """Return it with ``statuses`` no longer true of it."""
        kept = tuple(status for status in self.status if status not in statuses)
        return self if kept == self.status else msgspec.structs.replace(self, status=kept)

    def has(self, *statuses: Status) -> bool:
        """Whether at least one of ``statuses`` is true of it."""
        return any(status in self.status for status in statuses)

    @property
    def captured(self) -> bool:
        """Whether it is Equipment captured from the other side."""
        return EquipmentStatus.CAPTURED in self.status

    @property
    def maker(self) -> Side:
        """The side whose counter it is."""
        return self.side.other if self.captured else self.side

    @property
    def possesses(self) -> tuple[str, ...]:
        """The Weapons it possesses, by id."""
        return ()

    @property
    def aboard(self) -> str:
        """The vehicle it is aboard of."""
        return ""

    @property
    def guarded_by(self) -> str:
        """The Guard of a prisoner."""
        return ""

    @property
    def tows(self) -> tuple[str, ...]:
        """The hooked Guns it tows."""
        return ()

    @property
    def ties(self) -> set[str]:
        """The ids of what it possesses and tows, is aboard of and is guarded by."""
        return {*self.possesses, *self.tows, self.aboard, self.guarded_by} - {""}

    def without(self, *ids: str) -> Self:
        """Return it with all that ties it to the pieces ``ids`` let go."""
        if self.ties.isdisjoint(ids) and getattr(self, "manned_by", "") not in ids:
            return self
        fields: dict[str, object] = {
            name: tuple(id for id in getattr(self, name) if id not in ids)
            for name in ("possesses", "tows")
            if not set(getattr(self, name)).isdisjoint(ids)
        }
        fields |= {
            name: ""
            for name in ("aboard", "guarded_by", "manned_by")
            if getattr(self, name, "") in ids
        }
        return msgspec.structs.replace(self, **fields)

    def rename(self, names: Mapping[str, str]) -> Self:
        """Return it with other ids, its own and those of its ties; the others stay."""
        fields: dict[str, object] = {"id": names.get(self.id, self.id)}
        for name, one in (("aboard", self.aboard), ("guarded_by", self.guarded_by)):
            fields |= {name: names.get(one, one)} if one else {}
        for name, many in (("possesses", self.possesses), ("tows", self.tows)):
            fields |= {name: tuple(names.get(id, id) for id in many)} if many else {}
        return msgspec.structs.replace(self, **fields)

    @property
    def is_vehicle(self) -> bool:
        """Whether it is a vehicle."""
        return self.section == "vehicles"

    @property
    def is_weapon(self) -> bool:
        """Whether it is a SW or Gun."""
        return self.section == "equipment"

    @property
    def is_prisoner(self) -> bool:
        """Whether it is held by the other side."""
        return UnitStatus.PRISONER in self.status

    @property
    def good_order(self) -> bool:
        """Whether a unit is in Good Order: not broken, berserk, captured or unarmed.

        Rule: 9.51, 9.52; ruling P-203.
        """
        return not self.has(
            UnitStatus.BROKEN,
            UnitStatus.DISRUPTED,
            UnitStatus.BERSERK,
            UnitStatus.PRISONER,
            UnitStatus.UNARMED,
        )


class UnitEntry(PieceEntry, frozen=True, kw_only=True):
    """A squad, HS, crew, leader, hero or Armor Leader."""

    section = "units"
    statuses = tuple(UnitStatus)
    side: Annotated[Side, Meta(description="british or german; of a prisoner his own side.")]
    type: Annotated[TypeName, Meta(description="As printed on the counter, as 6-4-8.")]
    status: Annotated[
        tuple[UnitStatus, ...], Meta(description="What is true of it, as broken.")
    ] = ()
    possesses: Annotated[
        Ids, Meta(description="The equipment it possesses, by name, as LMG 3b.")
    ] = ()
    aboard: Annotated[
        str, Meta(description="The vehicle it is aboard of, by name.", max_length=40)
    ] = ""
    guarded_by: Annotated[
        str, Meta(description="Of a prisoner: the Guard, by name.", max_length=40)
    ] = ""
    climbing_to: Annotated[
        OnMap, Meta(description="Of a unit on a Climb marker: the Location it climbs to.")
    ] = ""
    formation: FormationId = ""
    rg: Rg = ""
    name: Annotated[str, Meta(description="What you call it.", max_length=60)] = ""
    notes: Remark = ""


class EquipmentEntry(PieceEntry, frozen=True, kw_only=True):
    """A Support Weapon or a Gun."""

    section = "equipment"
    statuses = tuple(EquipmentStatus)
    type: Annotated[
        TypeName,
        Meta(
            description="As printed on the counter, as LMG; a captured piece keeps the name its "
            "own side gives it.",
        ),
    ]
    status: Annotated[
        tuple[EquipmentStatus, ...], Meta(description="What is true of it, as malfunctioned.")
    ] = ()
    ca: Facing = ""
    depleted: Depleted = ()
    formation: FormationId = ""
    rg: Rg = ""
    notes: Remark = ""


class VehicleEntry(PieceEntry, frozen=True, kw_only=True):
    """A vehicle."""

    section = "vehicles"
    statuses = tuple(VehicleStatus)
    side: Annotated[
        Side, Meta(description="The side that has it; of a captured vehicle its captor.")
    ]
    type: Annotated[TypeName, Meta(description="As printed on the counter, as PzKpfw IVH.")]
    status: Annotated[
        tuple[VehicleStatus, ...], Meta(description="What is true of it, as immobilized.")
    ] = ()
    vca: Facing = ""
    tca: Facing = ""
    bypass: Annotated[
        Hexside, Meta(description="If in Bypass: the hexside it lies along, as Y22/Z22.")
    ] = ""
    tows: Annotated[Ids, Meta(description="The hooked Guns it tows, by name.")] = ()
    aamg: Annotated[bool | None, Meta(description="Whether it has the optional AAMG (CG7).")] = None
    depleted: Depleted = ()
    formation: FormationId = ""
    rg: Rg = ""
    name: Annotated[str, Meta(description="What you call it.", max_length=60)] = ""
    notes: Remark = ""

    @property
    def immobile(self) -> bool:
        """Whether it is Immobile: immobilized, bogged, mired or Abandoned."""
        return self.has(
            VehicleStatus.IMMOBILIZED,
            VehicleStatus.BOGGED,
            VehicleStatus.MIRED,
            VehicleStatus.ABANDONED,
        )


class WWBox(_Part, frozen=True, kw_only=True):
    """British Airborne MMC in the Walking Wounded box. Rule: CG17."""

    type: Annotated[TypeName, Meta(description="As printed on the counter, as 6-4-8.")]
    count: Annotated[int, Meta(description="How many of them.", ge=1, le=99)]


class Position(_Part, frozen=True, kw_only=True):
    """The map at the end of a CG scenario."""

    format: Literal["pbcg-position/1"]
    date: Annotated[CGDate, Meta(description="The CG Date just played.")]
    title: Annotated[str, Meta(description="What you call this position.", max_length=120)] = ""
    control: Control = Control()
    gliders: tuple[Glider, ...] = ()
    fortifications: tuple[Fortification, ...] = ()
    terrain: tuple[Terrain, ...] = ()
    units: tuple[UnitEntry, ...] = ()
    equipment: tuple[EquipmentEntry, ...] = ()
    vehicles: tuple[VehicleEntry, ...] = ()
    casualty_vp: Annotated[
        BySide, Meta(description="Casualty VP each side lost in this scenario (9.12).")
    ] = BySide()
    ww_box: tuple[WWBox, ...] = ()
    moved_first: Annotated[Side | None, Meta(description="The side that moved first.")] = None
    turn: Annotated[
        Annotated[int, Meta(ge=1, le=99)] | None,
        Meta(description="The game turn in which the scenario ended."),
    ] = None
    massacre: Annotated[
        tuple[Side, ...], Meta(description="Sides that have committed a Massacre (CG3).")
    ] = ()
    eliminated: Annotated[
        Ids,
        Meta(
            description="Pieces that were Eliminated in play (9.2), by name: british A-3 where "
            "both sides have one."
        ),
    ] = ()
    notes: Remark = ""

    @property
    def pieces(self) -> tuple[UnitEntry | EquipmentEntry | VehicleEntry, ...]:
        """The units, Equipment and vehicles."""
        return (*self.units, *self.equipment, *self.vehicles)

    def with_pieces(self, pieces: Iterable[PieceEntry]) -> Self:
        """Return the position with these pieces, each in its list, and no others."""
        listed = tuple(pieces)
        return msgspec.structs.replace(
            self,
            **{name: tuple(piece for piece in listed if piece.section == name) for name in PIECES},
        )


PIECES: Final = ("units", "equipment", "vehicles")
"""The lists of a position that hold pieces."""
FACINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "units": (),
    "equipment": ("ca",),
    "vehicles": ("vca", "tca", "bypass"),
}
"""By list, the fields of a piece that say where it faces or lies, the first that it turns by."""
LISTS: Final[dict[str, type[msgspec.Struct]]] = {
    "gliders": Glider,
    "fortifications": Fortification,
    "terrain": Terrain,
    "units": UnitEntry,
    "equipment": EquipmentEntry,
    "vehicles": VehicleEntry,
    "ww_box": WWBox,
}
"""The lists of a position, each a sheet of the workbook, with what an entry is."""
