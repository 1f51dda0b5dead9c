"""Lines of the campaign's records, and the part of each that the other side may see.

The lines hold what was recorded; nothing is computed here. A value of None, 0 units or "" is a
blank on the sheet. Rule: 9.13, 9.2 CG Roster and RG Purchase Record.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatch
from typing import Literal, TypeVar

import msgspec

from asl_pbcg.campaign.position_words import EquipmentStatus
from asl_pbcg.campaign.terms import DUMMIES, CGDate, Side
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.facts import facts_of

UMPIRE = "umpire"
"""The viewer who sees both sides' secrets."""


class _Stored(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True
):
    """The fields that all lines have."""


class RGBought(_Stored, frozen=True):
    """An entry of the "RG Purchased" column: RG ID and the CPP expended for it. Rule: 9.617."""

    rg: str
    cpp: int | None = None


class FortificationLine(_Stored, frozen=True):
    """An entry under FORTIFICATIONS: what was bought, how strong, where. Rule: 9.619, 9.62022."""

    side: Side
    kind: str
    """As in ``data/pb/fortifications.yaml``: ``foxhole-2s``, ``ap-mines``, ``hip-squad`` ..."""
    count: int = 1
    factors: int = 0
    """Strength of a minefield."""
    what: str = ""
    """The unit that uses HIP."""
    at: tuple[str, ...] = ()
    """Hex coordinates of its setup Locations."""
    known: bool = False
    """Whether it stands on the map for both sides to see."""


class RosterLine(_Stored, frozen=True):
    """One line of the CG Roster: one CG Date. Rule: 9.13, 9.2, 9.617, 9.62022."""

    date: CGDate
    first_setup: Side | None = None
    first_move: Side | None = None
    british_san: int | None = None
    """The SAN both sides know (9.6122); an Increase just bought stands under Fortifications."""
    german_san: int | None = None
    british_elr: int | str | None = None
    german_elr: int | str | None = None
    british_cvp_lost: int | None = None
    """CVP lost in this CG Date's scenario; for German Loss Points of the next. Rule: 9.6162."""
    german_cvp_lost: int | None = None
    cpp_base: int | None = None
    """The CPP Base # printed for the CG Date, so no secret. Rule: 9.6161."""
    cpp_loss_points: int | None = None
    cpp_available: int | None = None
    rg_purchased: tuple[RGBought, ...] = ()
    cpp_spent: int | None = None
    cpp_left: int | None = None
    british_fpp_received: float | None = None
    """FPP printed with the British reinforcements, so no secret. Rule: 9.6152."""
    british_fpp_spent: float | None = None
    german_fpp_received: float | None = None
    """FPP of RG M1 just bought. Rule: 9.617."""
    german_fpp_spent: float | None = None
    reinforcements: str = ""
    fortifications: tuple[FortificationLine, ...] = ()
    notes: str = ""
    """Return the line as both sides may read it."""
    british_notes: str = ""
    german_notes: str = ""


class UnitsReceived(_Stored, frozen=True):
    """Number and Unit Type of units received in an RG. Rule: 9.6173, 9.6178."""

    number: int
    type: str


class PurchaseLine(_Stored, frozen=True):
    """One line of the RG Purchase Record: one RG received. Rule: 9.6178."""

    date: CGDate
    rg: str
    group_type: str = ""
    number_purchased: int | None = None
    """#P: RG of this Group Type purchased so far in the CG."""
    number_remaining: int | None = None
    """#R: RG of this Group Type that may still be purchased."""
    strength: Literal["F", "D", ""] = ""
    units: tuple[UnitsReceived, ...] = ()
    hmg: int | None = None
    mmg: int | None = None
    lmg: int | None = None
    mtr: int | None = None
    """50* MTR."""
    leaders: tuple[str, ...] = ()
    area: str = ""
    """Setup/Entry Area ID; an Entry Area by the coordinate of its arrow hex."""
    cpp_cost: int | None = None
    entry_cost: int | None = None
    given: bool = False
    """Given by the Initial Scenario OB; does not count to purchase limits."""
    strength_given: bool = False
    """Whether that OB also prints its Strength (I1, I2, I3)."""


class ForceLine(_Stored, frozen=True):
    """One line of a force roster: a unit, leader or Equipment piece Retained. Rule: 9.2 OB."""

    id: str
    side: Side
    type: str
    kind: Literal["MMC", "SMC", "SW", "Gun", "vehicle", "other"] = "other"
    unit_class: str = ""
    formation: str = ""
    status: tuple[str, ...] = ()
    possesses: tuple[str, ...] = ()
    location: str = ""
    area: str = ""
    """Setup/Entry Area ID; "" for none."""
    rg: str = ""
    notes: str = ""
    name: str = ""
    """The name its player gave it."""
    known: bool = False
    """Whether it stands on the map for both sides to see."""
    count: int = 1
    factors: int = 0
    """Of a minefield, as far as they are known."""

    @property
    def kind_words(self) -> str:
        """Its kind as a roster has it, those of ``other`` each by its own."""
        if self.kind != "other":
            return self.kind
        return {DUMMIES: "dummies", "Glider": "glider"}.get(self.type, "Fortification")


Line = TypeVar("Line", RosterLine, PurchaseLine, ForceLine)

_ROSTER_OPEN = (
    "date",
    "first_setup",
    "first_move",
    "british_san",
    "german_san",
    "british_elr",
    "german_elr",
    "british_cvp_lost",
    "german_cvp_lost",
    "cpp_base",
    "british_fpp_received",
    "reinforcements",
    "notes",
)
_ROSTER_OWN = {
    Side.BRITISH: ("british_fpp_spent", "british_notes"),
    Side.GERMAN: (
        "cpp_loss_points",
        "cpp_available",
        "rg_purchased",
        "cpp_spent",
        "cpp_left",
        "german_fpp_received",
        "german_fpp_spent",
        "german_notes",
    ),
}
_GIVEN_OPEN = ("date", "rg", "group_type", "given", "strength_given")
_KNOWN_OPEN = ("id", "side", "type", "kind", "unit_class", "location", "known")


def viewer_named(name: str) -> Side | None:
    """The side that looks, or None for the umpire; raises PBCGError for anybody else."""
    word = str(name).strip().lower()
    if word == UMPIRE:
        return None
    try:
        return Side(word)
    except ValueError:
        pass
    raise PBCGError(f'"{name}" sees no records: british, german or umpire.')


def columns_for(viewer: str) -> tuple[str, ...]:
    """Return the columns of the CG Roster that ``viewer`` may know; an empty one what both may."""
    side = viewer_named(viewer) if viewer else None
    columns = (*_ROSTER_OPEN, "fortifications", *(_ROSTER_OWN[side] if side else ()))
    names = RosterLine.__struct_fields__
    return names if viewer == UMPIRE else tuple(name for name in names if name in columns)


def owner_of_column(name: str) -> Side | None:
    """Return the side that alone knows a column of the CG Roster; None if both do."""
    return next((side for side, own in _ROSTER_OWN.items() if name in own), None)


def for_side(line: Line, viewer: str) -> Line | None:
    """``line`` as ``viewer`` (british, german or umpire) may see it; None if not at all.

    What is not named as open is hidden, so that a value added later is secret until somebody
    decides otherwise. The German's CPP, purchases, Strengths, SW and leaders, and what either
    side spends FPP on, are the owner's secret. Rule: 9.617, 9.6172, 9.6183, 9.619, CG9.
    """
    side = viewer_named(viewer)
    return line if side is None else _value_for(line, side)  # type: ignore[return-value]


def lines_for_side(lines: Iterable[Line], viewer: str) -> list[Line]:
    """The lines ``viewer`` may see; a hidden one leaves no gap."""
    views = (for_side(line, viewer) for line in lines)
    return [line for line in views if line is not None]


@singledispatch
def _value_for(line: object, side: Side) -> object:
    raise TypeError(f"no line of a record: {type(line).__name__}")


@_value_for.register
def _(line: RosterLine, side: Side) -> RosterLine:
    kept = tuple(
        fortification
        for fortification in line.fortifications
        if fortification.side is side or fortification.known
    )
    return RosterLine(fortifications=kept, **facts_of(line, (*_ROSTER_OPEN, *_ROSTER_OWN[side])))


@_value_for.register
def _(line: PurchaseLine, side: Side) -> PurchaseLine | None:
    if side is Side.GERMAN:
        return line
    if not line.given:
        return None  # even how many RG were purchased is secret
    names = (*_GIVEN_OPEN, "strength", "units") if line.strength_given else _GIVEN_OPEN
    return PurchaseLine(**facts_of(line, names))


@_value_for.register
def _(line: ForceLine, side: Side) -> ForceLine | None:
    if line.side is side:
        return line
    if not line.known:
        return None
    status = line.status
    if line.kind in ("vehicle", "Gun"):
        # Status of vehicles and Guns may be recorded secretly (CG9); whose counter it is may not.
        status = tuple(word for word in status if word == EquipmentStatus.CAPTURED)
    return ForceLine(status=status, **facts_of(line, _KNOWN_OPEN))
