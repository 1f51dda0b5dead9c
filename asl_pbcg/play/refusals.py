"""Refusals that steer a front end: each has a class, so that nobody looks for words in a message.

``kernel.errors.NeedsReason`` belongs to them: an undo or a correction that needs a reason.
"""

from __future__ import annotations

from typing import Final

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.play.plug import BOTH

_MAX_LISTED = 40


class Moved(PBCGError):
    """The game has gone on since the viewer looked: he must look again before he answers."""


class NotYours(PBCGError):
    """Somebody else is asked; ``side`` says who, without saying what."""

    def __init__(self, side: str) -> None:
        own = f"It is the {side.capitalize()} player's turn now."
        super().__init__("Both players are asked now." if side == BOTH else own)
        self.side = side


class NeedsAgreement(PBCGError):
    """Both sides settle this: one side alone can only propose; ``side`` has still to agree."""

    def __init__(self, side: str) -> None:
        super().__init__(f"Both players settle this: the {side.capitalize()} player must agree.")
        self.side = side


class ProposalChanged(Moved):
    """The proposal that somebody names no longer stands: nothing was agreed to."""

    def __init__(self) -> None:
        super().__init__("The proposal has changed or was withdrawn: look again.")


class OwnProposal(PBCGError):
    """A side agrees to what it proposes itself: ``side`` has to agree."""

    def __init__(self, side: str) -> None:
        super().__init__(f"You propose that yourself: the {side.capitalize()} player must agree.")


SECRET_FAULT: Final = (
    "That does not fit together with facts that one side keeps secret: an umpire can look and "
    "correct it."
)


class NeedsConfirmation(PBCGError):
    """An undo removes much: the sentence says how much, nothing has changed."""


class LostAnswers(PBCGError):
    """A correction after which answers find no place: ``lost`` lists them, nothing has changed.

    They are held, and given again as soon as what they answer is asked. ``again`` counts those
    that are given again at once.
    """

    def __init__(self, lost: list[str], again: int = 0) -> None:
        listed = "; ".join(answer.rstrip(".") for answer in lost[:_MAX_LISTED])
        more = f"; and {len(lost) - _MAX_LISTED} more" if len(lost) > _MAX_LISTED else ""
        super().__init__(
            f"These answers find no place at once, and are given again as they are asked: {listed}"
            f"{more}. Confirm that the correction is to be made."
        )
        self.lost = lost
        self.again = again


class OnlyLooking(PBCGError):
    """The game was opened to look at it; another program may be writing."""

    def __init__(self) -> None:
        super().__init__("This game is open to look at only: answers go where it is played.")


class NotTaken(PBCGError):
    """The players want to look at a position or a VASL save again: nothing was taken."""
