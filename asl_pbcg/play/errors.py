"""Refusals that steer a front end: each has a class, so that nobody looks for words in a message.

``kernel.errors.NeedsReason`` belongs to them: an undo or a correction that needs a reason.
"""

from __future__ import annotations

from asl_pbcg.kernel.errors import PBCGError


class Moved(PBCGError):
    """The game has gone on since the viewer looked: he must look again before he answers."""


class NotYours(PBCGError):
    """Somebody else is asked; ``side`` says who, without saying what."""

    def __init__(self, side: str) -> None:
        super().__init__(f"It is the {side.capitalize()} player's turn now.")
        self.side = side


class NeedsAgreement(PBCGError):
    """Both sides settle this: one side alone can only propose; ``side`` has still to agree."""

    def __init__(self, side: str) -> None:
        super().__init__(f"Both players settle this: the {side.capitalize()} player must agree.")
        self.side = side


class OnlyLooking(PBCGError):
    """The game was opened to look at it; another program may be writing."""

    def __init__(self) -> None:
        super().__init__("This game is open to look at only: answers go where it is played.")
