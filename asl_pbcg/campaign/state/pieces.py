"""The pieces of a side's OB: Infantry units, Weapons, vehicles, Fortifications and gliders.

Every fact that the rules ask for is a field; ``notes`` are the players' own and mean nothing.
What stands on the map is told in the words of the position file (``position.py``).
"""

# No annotations as text here: msgspec compiles each one when a file is opened, which takes long.

from typing import TYPE_CHECKING, Any

import msgspec

from asl_pbcg.campaign.location import Area, parse_location
from asl_pbcg.campaign.module.catalogue import MMC, SMC, Catalogue
from asl_pbcg.campaign.position import PieceEntry
from asl_pbcg.campaign.position_words import EquipmentStatus, Status, UnitStatus, VehicleStatus
from asl_pbcg.campaign.state.piece_names import name_piece, short_name
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.topic import Topic


class Piece(
    PieceEntry,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=False,
    tag_field="class",
    tag="piece",
):
    """A piece of an OB: an entry of a position with all that the rules know besides. Rule: 9.2."""

    id: str
    side: Side
    """The side that has it; of a captured piece its captor, of a prisoner his own side."""
    type: str
    kind: str
    """Its kind in the unit catalogue, for example squad; else glider or fortification."""
    received: CGDate
    formation: str = ""
    airborne: bool = False
    ox_and_bucks: bool = False
    rg: str = ""
    """The key of its Reinforcement Group, for example ``I5-1``; empty if it has none."""
    area: str = ""
    """Where it is Retained: a Setup Area ID, or the arrow hex of an Entry Area."""
    at: str = ""
    """Its place if known: ``Z15/1``, or ``off-map A7``."""
    status: tuple[Status, ...] = ()
    name: str = ""
    hip: bool = False
    ammo_shortage: bool = False
    """Whether it set up Isolated and is short of Ammunition this scenario. Rule: 9.62021."""
    listed_at: str = ""
    """Where it must set up or enter if that is fixed when it is received (9.6151)."""
    shift_tried: CGDate | None = None
    """The CG Date of its last Shift attempt. Rule: 9.613."""
    notes: str = ""
    """A note of the players, without meaning to the rules."""

    @property
    def topic(self) -> Topic:
        """The piece as what a question, a choice or a line of the log is about."""
        return Topic(pieces=(self.id,))

    @property
    def in_bypass(self) -> bool:
        """Whether it is a vehicle in Bypass."""
        return isinstance(self, Vehicle) and bool(self.bypass)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Return its remarks on a roster: facts, then the players' notes."""
        return (self.notes,) if self.notes else ()

    @property
    def own_rg(self) -> str:
        """Its RG as far as its side knows; of captured Equipment nothing is known. Rule: 9.6172."""
        return "" if self.captured else self.rg

    @property
    def own_formation(self) -> str:
        """Its formation as far as its side knows; of captured Equipment nothing is known."""
        return "" if self.captured else self.formation

    @property
    def on_map(self) -> bool:
        """Whether it stands on the map."""
        return bool(self.at) and not parse_location(self.at).entry

    @property
    def off_map(self) -> bool:
        """Whether it waits off map at an Entry Area."""
        return bool(self.at) and bool(parse_location(self.at).entry)

    @property
    def retained_in(self) -> Area | None:
        """The area it is Retained in; None if it is in none, or that is not known."""
        return Area.parse(self.area) if self.area else None

    @property
    def is_unit_or_equipment(self) -> bool:
        """Whether it is a unit or Equipment: no Fortification and no glider. Rule: 9.2 OB."""
        return bool(self.section)

    @property
    def is_personnel(self) -> bool:
        """Whether it is Personnel: an MMC or SMC, no Armor Leader."""
        return self.kind in MMC or self.kind in SMC

    @property
    def is_armor_leader(self) -> bool:
        """Whether it is an Armor Leader, who is part of his vehicle's Inherent crew. Rule: D3.4."""
        return self.kind == "armor_leader"


class Infantry(Piece, frozen=True, kw_only=True, tag="infantry"):
    """An Infantry unit: a squad, HS, crew, leader, hero or Armor Leader."""

    section = "units"
    statuses = tuple(UnitStatus)
    status: tuple[UnitStatus, ...] = ()
    possesses: tuple[str, ...] = ()
    aboard: str = ""
    guarded_by: str = ""
    climbing_to: str = ""
    hardened: CGDate | None = None
    """The CG Date of its last Battle Hardening. Rule: 9.6112."""


class Weapon(Piece, frozen=True, kw_only=True, tag="weapon"):
    """A Support Weapon or a Gun."""

    section = "equipment"
    statuses = tuple(EquipmentStatus)
    status: tuple[EquipmentStatus, ...] = ()
    ca: str = ""
    depleted: tuple[str, ...] = ()


class Vehicle(Piece, frozen=True, kw_only=True, tag="vehicle"):
    """A vehicle."""

    section = "vehicles"
    statuses = tuple(VehicleStatus)
    status: tuple[VehicleStatus, ...] = ()
    vca: str = ""
    tca: str = ""
    bypass: str = ""
    tows: tuple[str, ...] = ()
    aamg: bool | None = None
    """Whether it has the Optional AAMG (CG7); None if that was never settled."""
    depleted: tuple[str, ...] = ()
    scrounged: bool = False
    """Whether a Weapon has been Scrounged of it. Rule: D10.5, 9.61423."""
    manned_by: str = ""
    """The MMC aboard that has remanned it and is its crew, by id. Rule: A21.22, D5.42."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """Return its remarks on a roster: facts, then the players' notes."""
        remarks = [] if self.aamg is None else [f"Schuerzen, {'' if self.aamg else 'no '}AAMG"]
        remarks += [f"manned by {short_name(self.manned_by)}"] if self.manned_by else []
        remarks += ["Scrounged"] if self.scrounged else []
        remarks += [self.notes] if self.notes else []
        return tuple(remarks)


class OBFortification(Piece, frozen=True, kw_only=True, tag="fortification"):
    """A Fortification of an Initial Scenario's OB."""

    status: tuple[()] = ()


class OBGlider(Piece, frozen=True, kw_only=True, tag="glider"):
    """A glider of an Initial Scenario's OB."""

    status: tuple[()] = ()


if TYPE_CHECKING:
    Pieces = tuple[Piece, ...]
    Stored = Piece
else:  # to read a file one must know what pieces there are
    Stored = Infantry | Weapon | Vehicle | OBFortification | OBGlider
    Pieces = tuple[Stored, ...]
CLASSES: dict[str, type[Piece]] = {
    "squad": Infantry,
    "half_squad": Infantry,
    "crew": Infantry,
    "leader": Infantry,
    "hero": Infantry,
    "armor_leader": Infantry,
    "sw": Weapon,
    "gun": Weapon,
    "vehicle": Vehicle,
    "fortification": OBFortification,
    "glider": OBGlider,
}
"""The nature of the pieces of one kind."""


def kind_of(catalogue: Catalogue, type: str, maker: Side) -> str:
    """The kind of a type of ``maker``; what no catalogue lists is a glider or a Fortification."""
    ground_kind = "glider" if type == "Glider" else "fortification"
    return catalogue.kind(type, maker) or ground_kind


def new_piece(
    catalogue: Catalogue, id: str, side: Side, type: str, received: CGDate, **fields: Any
) -> Piece:
    """A piece as its side receives it; ``fields`` are those that its class has.

    With ``captured`` among its status it is a counter of the other side.
    """
    status = fields.get("status", ())
    kind = kind_of(catalogue, type, side.other if EquipmentStatus.CAPTURED in status else side)
    of = CLASSES[kind]
    if status:
        fields["status"] = of.own_statuses(status)
    return of(id=id, side=side, type=type, kind=kind, received=received, **fields)


def retype(catalogue: Catalogue, piece: Piece, type: str) -> Piece:
    """The piece as one of another type: a squad that became a HS, a leader of another quality.

    A crew that becomes another MMC is Airborne if its formation is. Raises PBCGError if no such
    piece can become that. Rule: 9.6152 note 4.
    """
    kind = kind_of(catalogue, type, piece.maker)
    if CLASSES[kind] is not piece.__class__:
        raise PBCGError(f"{name_piece(piece)} cannot be a {type}.")
    if piece.kind == "crew" != kind:
        own = catalogue.formation_called(piece.formation)
        if own is not None and own.airborne:
            piece = msgspec.structs.replace(piece, airborne=True)
    return msgspec.structs.replace(piece, type=type, kind=kind)
