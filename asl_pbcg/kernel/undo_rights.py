"""The right to undo, decided from what one viewer may know: no refusal tells what another did.

Whether a side was asked in secret at all, and in which steps, tells what it has. So where it may
have been asked the answer is the same as where it was.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from asl_pbcg.kernel.entries import Entry
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.run import Run, TakesSecretTurns
from asl_pbcg.kernel.views import visible


class KnownEntries(msgspec.Struct, frozen=True):
    """The entries that stand as far as ``viewer`` may know of them, oldest first.

    ``waits`` says that another side is asked in secret now. ``turn_since`` names the side that has
    had, or may have had, a secret turn since a step; empty if none.
    """

    viewer: str
    standing: tuple[Entry, ...]
    waits: bool
    turn_since: Callable[[str], str]

    @classmethod
    def of(cls, run: Run[Any], standing: list[Entry], viewer: str) -> KnownEntries:
        """Return what ``viewer`` may know of a game in progress and its ``standing`` entries."""
        return cls(
            viewer=viewer,
            standing=tuple(entry for entry in standing if visible(entry, viewer)),
            waits=run.pending is not None and not visible(run.pending, viewer),
            turn_since=lambda step: _turn_since(run, step, viewer),
        )

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps that have asked something this viewer may know of, in order."""
        return tuple(dict.fromkeys(entry.step for entry in self.standing))

    def since(self, step: str | int = "") -> tuple[Entry, ...]:
        """Return the entries since the first question of ``step`` as it was asked last.

        A number is that of an entry; without a step it is the last entry alone. Raises PBCGError.
        """
        at = len(self.standing) - 1
        if isinstance(step, int):
            while at >= 0 and self.standing[at].seq != step:
                at -= 1
            if at < 0:
                raise PBCGError("That answer no longer stands: look at the log again.")
            return self.standing[at:]
        if step:
            while at >= 0 and self.standing[at].step != step:
                at -= 1
            while at > 0 and self.standing[at - 1].step == step:
                at -= 1
            if at < 0:
                asked = ", ".join(self.steps) or "none"
                raise PBCGError(f"{step} has asked nothing; steps to go back to: {asked}.")
        if at < 0:
            raise PBCGError("There is nothing to undo.")
        return self.standing[at:]

    def since_alone(self, step: str | int = "") -> tuple[Entry, ...]:
        """Return what this viewer, a side, undoes alone. Raises PBCGError where it may not."""
        since = self.since(step)
        if self.waits:
            raise PBCGError(
                "The other player acts in secret now: until that is over only both together can "
                "undo something."
            )
        for entry in since:
            if entry.kind == "correction" and not entry.side:
                raise PBCGError(
                    f"{entry.point} was corrected by both since: only both together can undo that, "
                    "or both agree to another correction of it."
                )
        others = (entry.side for entry in since if entry.side not in ("", self.viewer))
        if other := next(others, "") or self.turn_since(since[0].step):
            raise had_turn(other)
        return since


def had_turn(side: str) -> PBCGError:
    """Return the refusal to undo what came before a turn of another ``side``."""
    return PBCGError(
        f"The {side.capitalize()} player has had a turn since: only both together can undo that."
    )


def _turn_since(run: Run[Any], step: str, viewer: str) -> str:
    """Return the side that may have acted in secret since ``step``, as a game with secrets says.

    In one step each side has one turn.
    """
    if not isinstance(run.game, TakesSecretTurns) or (run.step and step == run.step.id):
        return ""
    return run.game.turn_since(run.state, step, viewer)
