"""The classes of state and positions of a module: they have a field for each of its sides."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from asl_pbcg.campaign.position import Control, ControlOfSides, NumberOfSides, Position
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.terms import Side

T = TypeVar("T")
Sides = tuple[Side, Side]


def position_class(sides: Sides) -> type[Position]:
    """Return the class of positions with these sides."""
    names = tuple(side.value for side in sides)
    if names == Control.__struct_fields__:
        return Position
    control = _derive(ControlOfSides, dict.fromkeys(names, (tuple[str, ...], ())))
    numbers = _derive(NumberOfSides, dict.fromkeys(names, (int, 0)))
    fields = {"control": (control, control()), "casualty_vp": (numbers, numbers())}
    return _derive(Position, fields)


def state_class(sides: Sides, position: type[Position]) -> type[Campaign]:
    """Return the class of states with these sides, whose positions are of class ``position``."""
    if position is Position:
        return Campaign
    control = position.__annotations__["control"]
    fields = {"control": (control, control()), "determined": (position | None, None)}
    return _derive(Campaign, fields)


def _derive(base: type[T], fields: dict[str, tuple[Any, Any]]) -> type[T]:
    made: Any = msgspec.defstruct(
        base.__name__,
        [(name, kind, default) for name, (kind, default) in fields.items()],
        bases=(base,),
        frozen=True,
        kw_only=True,
        omit_defaults=True,
    )
    derived: type[T] = made
    return derived
