"""The unit catalogue: what every type of unit, weapon and vehicle of both sides is.

It is read from ``data/pb/catalogue/``. Where the rules in hand give no value the commonly known
one stands there and the type's ``check`` names the field: look at the counter. Players correct
values per campaign with ``Catalogue.with_corrections``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from typing import Any, Literal, TypeVar

import msgspec

from asl_pbcg.campaign.terms import SHIPPED, Side
from asl_pbcg.kernel import struct_reader
from asl_pbcg.kernel.errors import Fault, FaultsError, PBCGError
from asl_pbcg.kernel.reader import Reader, nearest
from asl_pbcg.kernel.typed_data import Lines, load_lines, typed_lines

Kind = Literal[
    "squad", "half_squad", "crew", "leader", "hero", "armor_leader", "sw", "gun", "vehicle"
]
Class = Literal["", "elite", "first line", "second line", "green", "conscript"]

LADDER: tuple[Class, ...] = ("elite", "first line", "second line", "green", "conscript", "")
"""The classes from the best down."""
MMC: frozenset[str] = frozenset({"squad", "half_squad", "crew"})
SMC: frozenset[str] = frozenset({"leader", "hero"})
MADE_IN_PLAY: frozenset[str] = frozenset({"half_squad", "crew", "hero"})
"""Kinds that come into being in play: by Deployment, out of a vehicle or Gun, by Heat of Battle."""


class UnitType(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The fields of every type: side, name as printed on the counter, kind."""

    side: Side
    name: str
    kind: Kind
    also: tuple[str, ...] = ()
    """Other names the counter goes by."""
    used_by: tuple[str, ...] = ()
    """Where it comes from: RG IDs and rule numbers."""
    special_ammo: tuple[str, ...] = ()
    """Special ammunition of June 1944 with its depletion number, as s7."""
    check: tuple[str, ...] = ()
    """Fields whose value is to be checked against the counter."""

    def sure(self, field: str) -> bool:
        """Whether the value of ``field`` comes from the rules or from the players."""
        return field not in self.check

    @property
    def is_mmc(self) -> bool:
        """Whether it is a Multi-Man Counter: a squad, a HS or a crew."""
        return self.kind in MMC

    @property
    def is_smc(self) -> bool:
        """Whether it is a Single-Man Counter: a leader or a hero."""
        return self.kind in SMC


class InfantryType(UnitType, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A squad, HS, crew, leader, hero or Armor Leader.

    What it may portage in the RePh depends on kind and wounds: 9.606, 9.613.
    """

    unit_class: Class = msgspec.field(name="class", default="")
    half_squad: str = ""
    """The HS a squad becomes when it is Reduced or Deploys."""
    replaced_by: str = ""
    """Its type once Replaced; empty: it would be Disrupted (9.606 note 2)."""
    underscored: bool = False
    """Whether the Morale Factor on the counter is underscored: it is Replaced by no lesser type."""
    hardens_to: str = ""
    """Its type once it Battle Hardens; empty: an elite MMC becomes Fanatic (9.6112)."""
    leadership: int | None = None
    """Leadership DRM of a leader or hero."""
    ipc: int | None = None
    """Inherent Portage Capacity in PP."""
    cvp: int | None = None
    """Casualty VP."""

    @property
    def hs_equivalents(self) -> int:
        """HS-equivalents for the Escape DR: squad 2, HS and crew 1, others 0. Rule: 9.606."""
        return {"squad": 2, "half_squad": 1, "crew": 1}.get(self.kind, 0)


class WeaponType(UnitType, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A Support Weapon or a Gun."""

    what: str
    pp: int | None = None
    """Portage Points; None for a Gun, which is not portaged."""
    dm_pp: int | None = None
    """Portage Points when dismantled."""
    repair: int | None = None
    """Weapon Repair Number (9.6142); None: it cannot be repaired."""
    dm: bool = False
    """Whether it can be dismantled."""


class VehicleType(UnitType, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A vehicle."""

    what: str
    crew: bool
    """Whether it has an Inherent crew."""
    crew_survival: int | None = None
    main_armament: str = ""
    """Its MA; empty: it has none."""
    mg: tuple[str, ...] = ()
    """Machine guns beside the MA: BMG, CMG, AAMG."""
    radio: bool = False
    armour: Literal["CT", "OT", "unarmoured"]
    afv: bool
    wreck: bool
    """Whether the counter has a wreck depiction (CG14)."""
    scrounges: str = ""
    """The SW that a successful Scrounge of it yields."""
    vehicle_note_l: bool = False
    """Whether Vehicle Note L applies (9.6043)."""


class Formation(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A formation whose units some rules treat apart. Rule: 9.51, 9.52, 9.6152, 9.6153."""

    side: Side
    id: str
    name: str
    airborne: bool = False
    ox_and_bucks: bool = False
    elr: int | None = None
    """Its own ELR where an order of battle gives one."""
    rule: str = ""


class UnknownType(PBCGError):
    """A name that is not a type of that side; ``nearest`` are names that may be meant."""

    def __init__(self, name: str, side: Side, nearest: tuple[str, ...]) -> None:
        meant = f": perhaps {' or '.join(nearest)}?" if nearest else "."
        super().__init__(f'There is no {side.title} type "{name}"{meant}')
        self.name = name
        self.side = side
        self.nearest = nearest


AnyType = InfantryType | WeaponType | VehicleType
_T = TypeVar("_T", bound=msgspec.Struct)
_A = TypeVar("_A", InfantryType, WeaponType, VehicleType)
_KINDS: dict[str, type[AnyType]] = {
    "infantry": InfantryType,
    "weapons": WeaponType,
    "vehicles": VehicleType,
}


class Catalogue:
    """The types of both sides; the same name may stand for a type of each side."""

    def __init__(self, types: Iterable[AnyType], formations: Iterable[Formation] = ()) -> None:
        self._types = {(type.side, type.name): type for type in types}
        self.formations = {formation.id: formation for formation in formations}

    @classmethod
    def of(cls, tables: Mapping[str, Lines], source: str = "data/pb/catalogue") -> Catalogue:
        """Read the catalogue's comma tables by name: infantry, weapons, vehicles, formations.

        Raises FaultsError with every fault of all tables.
        """
        faults: list[Fault] = []
        types: list[AnyType] = []
        for name, kind in _KINDS.items():
            types += _rows(name, tables[name], kind, faults)
        formations = _rows("formations", tables["formations"], Formation, faults)
        names: set[tuple[Side, str]] = set()
        for type in types:
            if (type.side, type.name) in names:
                faults.append(Fault(f"{type.side} {type.name}", "", "stands there twice"))
            names.add((type.side, type.name))
        catalogue = cls(types, formations)
        faults += catalogue._broken_links()
        if faults:
            raise FaultsError(source, faults)
        return catalogue

    def __iter__(self) -> Iterator[AnyType]:
        return iter(self._types.values())

    def __contains__(self, key: object) -> bool:
        return key in self._types

    def find(self, name: str, side: Side) -> AnyType | None:
        """The type called ``name`` of ``side``, or None."""
        return self._types.get((side, name))

    def get(self, name: str, side: Side) -> AnyType:
        """The type called ``name`` of ``side``; raises UnknownType with the nearest names."""
        type = self._types.get((side, name))
        if type is None:
            raise UnknownType(name, side, self.nearest(name, side))
        return type

    def kind(self, name: str, side: Side) -> str:
        """Return the kind of a type; empty for one that is not listed."""
        type = self.find(name, side)
        return type.kind if type else ""

    def formation_called(self, name: str) -> Formation | None:
        """Return the formation of a piece, by its name; None for a name that no list has."""
        return self._formations_by_name.get(name)

    @cached_property
    def _formations_by_name(self) -> dict[str, Formation]:
        return {formation.name: formation for formation in self.formations.values()}

    def spelling(self, name: str) -> str:
        """Return a type's name as the catalogue writes it, whatever its capitals."""
        return self._spellings.get(name.lower(), name)

    @cached_property
    def _spellings(self) -> dict[str, str]:
        return {type.name.lower(): type.name for type in self}

    def infantry(self, name: str, side: Side) -> InfantryType:
        """The Infantry type called ``name``; raises UnknownType."""
        return self._of(name, side, InfantryType)

    def weapon(self, name: str, side: Side) -> WeaponType:
        """The SW or Gun called ``name``; raises UnknownType."""
        return self._of(name, side, WeaponType)

    def vehicle(self, name: str, side: Side) -> VehicleType:
        """The vehicle called ``name``; raises UnknownType."""
        return self._of(name, side, VehicleType)

    def _of(self, name: str, side: Side, kind: type[_A]) -> _A:
        type = self.get(name, side)
        if not isinstance(type, kind):
            raise UnknownType(name, side, self.nearest(name, side, kind))
        return type

    def names(self, side: Side, kind: type[AnyType] | None = None) -> list[str]:
        """The names of all types of ``side``, or of those of one kind of type."""
        return [
            type.name for type in self if type.side is side and isinstance(type, kind or UnitType)
        ]

    def nearest(self, name: str, side: Side, kind: type[AnyType] | None = None) -> tuple[str, ...]:
        """The types of ``side`` a wrong name may mean, likeliest first, at most three."""
        import difflib

        wanted = _plain(name)
        rated: list[tuple[float, str]] = []
        for type in self:
            if type.side is side and isinstance(type, kind or UnitType):
                close = max(
                    difflib.SequenceMatcher(None, wanted, _plain(spelling)).ratio()
                    for spelling in (type.name, *type.also)
                )
                rated.append((close, type.name))
        rated.sort(key=lambda pair: -pair[0])
        if rated and rated[0][0] == 1:
            return (rated[0][1],)
        return tuple(spelling for close, spelling in rated[:3] if close >= 0.5)

    def squad_of(self, half_squad: str, side: Side) -> InfantryType | None:
        """The squad that two HS of this type Recombine to, or None. Rule: 9.6111."""
        if half_squad:
            for type in self:
                if isinstance(type, InfantryType) and (type.side, type.half_squad) == (
                    side,
                    half_squad,
                ):
                    return type
        return None

    def to_check(self) -> list[tuple[AnyType, str]]:
        """Every value that is to be checked against the counter: type and field."""
        return [(type, field) for type in self for field in type.check]

    def with_corrections(
        self, corrections: Mapping[str, Mapping[str, Mapping[str, Any]]]
    ) -> Catalogue:
        """The catalogue with the players' own values: side, then type, then field to value.

        A corrected field is no longer to be checked. Raises FaultsError with every fault.
        """
        reader = Reader("The catalogue's corrections")
        types = dict(self._types)
        for side_name, by_type in corrections.items():
            if side_name not in list(Side):
                reader.fault("corrections", side_name, "is not a side: british or german")
                continue
            side = Side(side_name)
            for name, fields in by_type.items():
                where = f"{side_name}, {name}"
                type = types.get((side, name))
                if type is None:
                    near = _nearest_words(self.nearest(name, side))
                    reader.fault(where, "", f"is not a {side.title} type{near}")
                    continue
                new = _correct(type, fields, where, reader)
                if new is not None:
                    types[side, name] = new
        catalogue = Catalogue(types.values(), self.formations.values())
        reader.faults += catalogue._broken_links()
        reader.raise_faults()
        return catalogue

    def _broken_links(self) -> list[Fault]:
        """Types that name another type of their side which is not there or not of that kind."""
        faults = []
        for type in self:
            links: dict[str, tuple[str, frozenset[str]]] = {}
            if isinstance(type, InfantryType):
                same = frozenset({type.kind})
                links = {
                    "half_squad": (type.half_squad, frozenset({"half_squad"})),
                    "replaced_by": (type.replaced_by, same),
                    "hardens_to": (type.hardens_to, same),
                }
            elif isinstance(type, VehicleType):
                links = {"scrounges": (type.scrounges, frozenset({"sw"}))}
            for field, (name, kinds) in links.items():
                target = self._types.get((type.side, name))
                if name and (target is None or target.kind not in kinds):
                    where = f"{type.side} {type.name}, {field}"
                    wanted = " or ".join(sorted(kinds)).replace("_", " ")
                    faults.append(Fault(where, name, f"is not a {wanted} of that side"))
        return faults


def _correct(old: AnyType, fields: Mapping[str, Any], where: str, reader: Reader) -> AnyType | None:
    raw = msgspec.to_builtins(old)
    fixed = {"side", "name", "kind", "check"}
    for field, value in fields.items():
        if field not in raw or field in fixed:
            correctable = ", ".join(key for key in raw if key not in fixed)
            reader.fault(where, field, f"cannot be corrected; these can: {correctable}")
            return None
        raw[field] = value
    raw["check"] = [field for field in old.check if field not in fields]
    try:
        return msgspec.convert(raw, type(old))
    except msgspec.ValidationError:
        for key, value, wrong, _ in struct_reader.find_faults(raw, type(old)):
            reader.fault(f"{where}, {key}", value, wrong)
        return None


def _plain(name: str) -> str:
    return "".join(name.lower().split())


def _nearest_words(names: tuple[str, ...]) -> str:
    return f"; nearest: {', '.join(names)}" if names else ""


def _rows(name: str, lines: Lines, kind: type[_T], faults: list[Fault]) -> list[_T]:
    place = f"{name}.csv"
    otherwise = {"kind": "vehicle"} if kind is VehicleType else {}
    rows = typed_lines(lines, kind, faults, place=place, otherwise=otherwise, whole=("also",))
    fields = kind.__struct_encode_fields__
    for row in rows:
        for field in getattr(row, "check", ()):
            if field not in fields:
                where = f"{place}, {getattr(row, 'name', '')}, check"
                faults.append(Fault(where, field, f"is not a field of it{nearest(field, fields)}"))
    return rows


@cache
def load_catalogue(folder: str = SHIPPED) -> Catalogue:
    """The catalogue of a module, read once."""
    place = f"{folder}/catalogue"
    names = (*_KINDS, "formations")
    tables = {name: load_lines(f"{place}/{name}.csv") for name in names}
    return Catalogue.of(tables, f"data/{place}")
