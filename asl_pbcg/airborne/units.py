"""What lands: sticks, the platoons they form, glider loads; and what each may do when.

Rule: I.B.1, II.F, II.H.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from asl_pbcg.airborne.orders import Kind

StickStatus = Literal["undispersed", "dispersed", "eliminated", "lost", "shot down", "in a platoon"]
"""``lost``: off the map; ``in a platoon``: replaced by a platoon counter."""

UnitStatus = Literal["undispersed", "dispersed", "eliminated", "lost", "shot down"]

ON_MAP = ("undispersed", "dispersed")
"""The states of a stick or unit that stands on the map."""


class Stick(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One stick, from its jump on. ``at`` is "" when it stands in no hex of the map.

    ``id`` is its platoon's name, a point and its number; ``drift`` how many hexes downwind of
    ``aimed`` it came down by drift diagram ``row``. ``fell`` and ``fate`` keep the hex it came
    down in and its state after jump survival and the attacks of II.E, whatever happens later.
    """

    id: str
    platoon: str
    type: str
    kind: Kind = "platoon"
    turn: int
    aimed: str
    at: str = ""
    status: StickStatus = "undispersed"
    row: str = ""
    drift: int = 0
    fell: str = ""
    fate: Literal["", StickStatus] = ""

    @property
    def on_map(self) -> bool:
        """Whether it stands on the map."""
        return self.status in ON_MAP


class Unit(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A whole unit: a platoon formed of sticks, or the load of a glider.

    ``turn`` is the turn it was formed or landed; ``sticks`` are those it was formed of. ``fell``
    and ``fate`` as for sticks, of a glider.
    """

    id: str
    type: str
    kind: Kind = "platoon"
    turn: int
    aimed: str = ""
    at: str = ""
    status: UnitStatus = "undispersed"
    sticks: tuple[str, ...] = ()
    glider: bool = False
    fell: str = ""
    fate: Literal["", UnitStatus] = ""
    landing: Literal["", "short", "on_target", "long"] = ""

    @property
    def on_map(self) -> bool:
        """Whether it stands on the map."""
        return self.status in ON_MAP

    @property
    def engineer(self) -> bool:
        """Whether it has all abilities of engineers: a whole platoon of paratroops. Rule: I.B.1."""
        return not self.glider and self.kind == "platoon"


class May(msgspec.Struct, frozen=True, kw_only=True):
    """What a stick or unit may do in a turn; ``why`` says what forbids the rest."""

    move: bool
    close_assault: bool
    favourable_drm: bool
    """Whether it has the favourable die roll modifier of close assault (-2)."""
    direct_fire: bool
    engineer: bool
    why: tuple[str, ...] = ()


def may(item: Stick | Unit, turn: int) -> May:
    """Settle what the variant lets a stick or unit on the map do in ``turn``.

    What the base game forbids besides (to a dispersed unit, for example) is not repeated here.
    Rule: I.B.1, II.F, II.H.
    """
    if isinstance(item, Stick):
        landed = item.turn == turn
        why = ("it landed this turn: no movement, close assault without the favourable -2 (II.F)",)
        return May(
            move=not landed,
            close_assault=True,
            favourable_drm=not landed,
            direct_fire=True,
            engineer=False,
            why=why if landed else (),
        )
    formed = bool(item.sticks) and item.turn == turn
    return May(
        move=True,
        close_assault=True,
        favourable_drm=True,
        direct_fire=not formed,
        engineer=item.engineer,
        why=("it was formed this turn: no direct fire (II.H)",) if formed else (),
    )


def jump_sticks(platoon: str, number: int) -> tuple[str, ...]:
    """The ids of a platoon's sticks."""
    return tuple(f"{platoon}.{count}" for count in range(1, number + 1))
