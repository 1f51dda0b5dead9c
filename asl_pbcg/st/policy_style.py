"""Styles of the automatic British player: how bold it is, what its idle units do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal


@dataclass(frozen=True, slots=True)
class Style:
    """What a style changes. ``bold``: times its own SP that a unit dares to have against it;
    ``risk``: MP that one SP of expected loss on the way is worth; ``wake``: whether it attacks a
    column that has noticed nothing; ``idle``: where units without a task go.
    """

    name: str
    bold: float = 3.0
    risk: float = 1.2
    wake: bool = False
    idle: Literal["shelter", "bridge", "stay"] = "shelter"
    attack: bool = True
    """Whether units are sent to take things at all."""


STEADY: Final = Style("steady")
STYLES: Final = (
    STEADY,
    Style("bold", bold=99.0, risk=0.5),
    Style("careful", bold=1.5, risk=2.5),
    Style("hide", attack=False),
    Style("stay", attack=False, idle="stay"),
    Style("hold the bridges", idle="bridge"),
    Style("ambush", wake=True, bold=6.0),
)
