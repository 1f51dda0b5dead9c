"""A position: what the map looks like when a CG scenario ends.

It is what players fill in as YAML, JSON or Excel (``position_read``, ``position_write``); the
field names here are the keys and headings there, the descriptions here are the help there.
"""

# No annotations as text here: msgspec compiles each one when a file is opened, which takes long.

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Annotated, Final, Literal, Self

import msgspec
from msgspec import Meta

from asl_pbcg.campaign.location import HEXSIDE_PATTERN, LOCATION_PATTERN, PLACE_PATTERN, Location
from asl_pbcg.campaign.position_words import (
    EquipmentStatus,
    FortificationKind,
    GliderState,
    TerrainKind,
    UnitStatus,
    VehicleStatus,
)
from asl_pbcg.campaign.terms import CGDate, Side

FORMAT: Final = "pbcg-position/1"

Id = Annotated[
    str,
    Meta(
        description="A name of its own for this piece, as b1; no commas. It stays the same from "
        "CG Date to CG Date.",
        min_length=1,
        max_length=40,
        pattern="^[^,;]+$",
    ),
]
Place = Annotated[
    str,
    Meta(
        description="Z15 is ground level, Z15/1 the first level of a building, Z21/pillbox inside "
        "a pillbox, off-map A7 off map at Entry Area A7.",
        pattern=PLACE_PATTERN,
    ),
]
OnMap = Annotated[
    str,
    Meta(
        description="Z15 is ground level, Z15/1 the first level of a building, Z21/pillbox inside "
        "a pillbox.",
        pattern=f"^{LOCATION_PATTERN}$",
    ),
]
Words = Annotated[str, Meta(max_length=120)]
Ids = tuple[Id, ...]
Facing = Annotated[
    str,
    Meta(
        description="The two hexes its covered arc lies between, as Y22/Z22.",
        pattern=HEXSIDE_PATTERN,
    ),
]
Hexside = Annotated[
    str,
    Meta(
        description="The hexside or hexspine, by the hexes beside it, as Y22/Z22.",
        pattern=HEXSIDE_PATTERN,
    ),
]
Depleted = Annotated[
    tuple[Words, ...],
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
Remark = Annotated[str, Meta(description="Anything you want to keep in mind.", max_length=2000)]


class _Part(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True
):
    """Part of a position; a key it does not know is an error."""


class _Placed(_Part, frozen=True, kw_only=True):
    """Part of a position that stands somewhere."""

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
        found: tuple[str, ...] = getattr(self, side.value)
        return found

    def with_places(self, places: Mapping[Side, Iterable[str]]) -> Self:
        """The same with each side's Strategic Locations as given."""
        return type(self)(**{side.value: tuple(held) for side, held in places.items()})

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
        found: int = getattr(self, side.value)
        return found

    def with_numbers(self, numbers: Mapping[Side, int]) -> Self:
        """The same with each side's number as given; 0 where none is."""
        return type(self)(**{side.value: number for side, number in numbers.items()})


MAX_CVP: Final = 9999
"""The most Casualty VP a side can be said to have lost in a scenario."""


class BySide(NumberOfSides, frozen=True, kw_only=True):
    """A number for each side."""

    british: Annotated[int, Meta(ge=0, le=MAX_CVP)] = 0
    german: Annotated[int, Meta(ge=0, le=MAX_CVP)] = 0


class Glider(_Placed, frozen=True, kw_only=True):
    """A glider on the map."""

    at: OnMap
    state: Annotated[GliderState, Meta(description="landed, or wrecked.")]
    notes: Remark = ""


class Fortification(_Placed, frozen=True, kw_only=True):
    """A Fortification."""

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

    kind: TerrainKind
    at: OnMap
    type: Annotated[str, Meta(description="Of a wreck: the vehicle it was.", max_length=60)] = ""
    side: Annotated[Side | None, Meta(description="Of a wreck: whose vehicle it was.")] = None
    hexside: Hexside = ""
    scrounged: Annotated[bool, Meta(description="Whether the wreck has been Scrounged.")] = False
    notes: Remark = ""


class UnitEntry(_Placed, frozen=True, kw_only=True):
    """A squad, HS, crew, leader, hero or Armor Leader."""

    id: Id
    side: Annotated[Side, Meta(description="british or german; of a prisoner his own side.")]
    type: Annotated[str, Meta(description="As printed on the counter, as 6-4-8.", max_length=60)]
    at: Place
    status: Annotated[
        tuple[UnitStatus, ...], Meta(description="What is true of it, as broken.")
    ] = ()
    possesses: Annotated[Ids, Meta(description="The ids of the equipment it possesses.")] = ()
    aboard: Annotated[
        str, Meta(description="The id of the vehicle it is aboard of.", max_length=40)
    ] = ""
    guarded_by: Annotated[
        str, Meta(description="Of a prisoner: the id of the Guard.", max_length=40)
    ] = ""
    climbing_to: Annotated[
        OnMap, Meta(description="Of a unit on a Climb marker: the Location it climbs to.")
    ] = ""
    formation: FormationId = ""
    rg: Rg = ""
    name: Annotated[str, Meta(description="What you call it.", max_length=60)] = ""
    notes: Remark = ""

    def has(self, *statuses: UnitStatus) -> bool:
        """Whether at least one of ``statuses`` is true of it."""
        return any(status in self.status for status in statuses)

    @property
    def good_order(self) -> bool:
        """Whether it is in Good Order: not broken, berserk, captured or unarmed."""
        return not self.has(
            UnitStatus.BROKEN,
            UnitStatus.DISRUPTED,
            UnitStatus.BERSERK,
            UnitStatus.PRISONER,
            UnitStatus.UNARMED,
        )


class EquipmentEntry(_Placed, frozen=True, kw_only=True):
    """A Support Weapon or a Gun."""

    id: Id
    side: Annotated[Side, Meta(description="The side that has it; of a captured piece its captor.")]
    type: Annotated[
        str,
        Meta(
            description="As printed on the counter, as LMG; a captured piece keeps the name its "
            "own side gives it.",
            max_length=60,
        ),
    ]
    at: Place
    status: Annotated[
        tuple[EquipmentStatus, ...], Meta(description="What is true of it, as malfunctioned.")
    ] = ()
    ca: Facing = ""
    depleted: Depleted = ()
    formation: FormationId = ""
    rg: Rg = ""
    notes: Remark = ""

    def has(self, *statuses: EquipmentStatus) -> bool:
        """Whether at least one of ``statuses`` is true of it."""
        return any(status in self.status for status in statuses)

    @property
    def type_side(self) -> Side:
        """The side whose counter it is."""
        return self.side.other if EquipmentStatus.CAPTURED in self.status else self.side


class VehicleEntry(_Placed, frozen=True, kw_only=True):
    """A vehicle."""

    id: Id
    side: Annotated[
        Side, Meta(description="The side that has it; of a captured vehicle its captor.")
    ]
    type: Annotated[
        str, Meta(description="As printed on the counter, as PzKpfw IVH.", max_length=60)
    ]
    at: Place
    status: Annotated[
        tuple[VehicleStatus, ...], Meta(description="What is true of it, as immobilized.")
    ] = ()
    vca: Facing = ""
    tca: Facing = ""
    bypass: Annotated[
        Hexside, Meta(description="If in Bypass: the hexside it lies along, as Y22/Z22.")
    ] = ""
    tows: Annotated[Ids, Meta(description="The ids of the hooked Guns it tows.")] = ()
    aamg: Annotated[bool | None, Meta(description="Whether it has the optional AAMG (CG7).")] = None
    depleted: Depleted = ()
    formation: FormationId = ""
    rg: Rg = ""
    name: Annotated[str, Meta(description="What you call it.", max_length=60)] = ""
    notes: Remark = ""

    def has(self, *statuses: VehicleStatus) -> bool:
        """Whether at least one of ``statuses`` is true of it."""
        return any(status in self.status for status in statuses)

    @property
    def type_side(self) -> Side:
        """The side whose counter it is."""
        return self.side.other if VehicleStatus.CAPTURED in self.status else self.side

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

    type: Annotated[str, Meta(description="As printed on the counter, as 6-4-8.", max_length=60)]
    count: Annotated[int, Meta(description="How many of them.", ge=1, le=99)]


class Position(_Part, frozen=True, kw_only=True):
    """What the map looks like when a CG scenario ends."""

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
        Ids, Meta(description="The ids of pieces that were Eliminated in play (9.2).")
    ] = ()
    notes: Remark = ""


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


def required_keys(part: type[msgspec.Struct]) -> tuple[str, ...]:
    """The keys an entry must have."""
    defaults = part.__struct_defaults__
    fields = part.__struct_fields__
    without = len(fields) - len(defaults)
    return fields[:without] + tuple(
        name
        for name, default in zip(fields[without:], defaults, strict=True)
        if default is msgspec.NODEFAULT
    )
