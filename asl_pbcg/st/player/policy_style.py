"""Styles of the automatic British player: how bold it is, what its idle units do."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal


@dataclass(frozen=True, slots=True)
class Style:
    """A style of play. ``bold``: times its own SP that a unit dares to have against it;
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
    # What follows is only for the styled player.
    fuse: bool = False
    """Whether it keeps away from the bridge until the chance to blow it has passed."""
    shy: float = 99.0
    """Leaders do not enter an area where Opportunity Fire costs more SP than this on average."""
    spare: int = 0
    """Platoons and squads that fire has cut down to so many SP keep out of danger."""
    free: float = -1.0
    """Idle units take places without Germans where at most so many German SP could fire."""
    guns: bool = False
    """Whether PIATs and the AT gun fire at tanks of a column that has noticed nothing."""
    gain: float = 0.0
    """VP above the prudent style over 100 hard variable games, played throughout, same dice."""


STEADY: Final = Style("steady")
"""How the good player plays."""
PRUDENT: Final = Style("prudent", bold=1.5, risk=2.5, fuse=True, shy=1.0, spare=5, free=4.0)
"""How the expert plays unless imagined games tell it otherwise; found by play (st-engine.md)."""
STYLES: Final = (
    PRUDENT,
    replace(PRUDENT, name="guns", guns=True, gain=0.9),
    replace(PRUDENT, name="leaders in front", shy=99.0, spare=4, gain=-0.6),
    replace(PRUDENT, name="bold", bold=99.0, risk=0.5, gain=-1.6),
)
"""The styles that the expert chooses from."""
