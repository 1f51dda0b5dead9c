"""What is told of a game, and what one side may see of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from asl_pbcg.kernel.journal import Entry
from asl_pbcg.kernel.prompts import Note, Prompt, Roll
from asl_pbcg.kernel.tables import Rolled

UMPIRE = "umpire"
"""The viewer who sees what either side keeps secret."""


class Line(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of the log: a decision, a roll or something that followed from the rules."""

    kind: str
    step: str
    text: str
    point: str = ""
    rule: str = ""
    side: str = ""
    secret: bool = False
    where: str = ""
    answer: Any = None
    roll: Rolled | None = None

    @classmethod
    def of(cls, step: str, asked: Prompt | Roll, sent: Any) -> Line:
        """The line for an answered prompt or a resolved roll."""
        common: dict[str, Any] = {
            "step": step,
            "point": asked.id,
            "rule": asked.rule,
            "side": asked.side,
            "secret": asked.secret,
            "where": asked.where,
        }
        if isinstance(asked, Roll):
            rule = asked.rule or (asked.table.rule if asked.table else "")
            text = f"{asked.text}: {sent}"
            return cls(kind="roll", **{**common, "rule": rule}, text=text, roll=sent)
        return cls(
            kind="answer",
            **common,
            text=f"{asked.text} {asked.words(sent)}".strip(),
            answer=None if asked.kind == "document" else sent,
        )

    @classmethod
    def of_note(cls, step: str, note: Note) -> Line:
        """The line for a note."""
        return cls(
            kind="note",
            step=step,
            text=note.text,
            rule=note.rule,
            side=note.side,
            secret=note.secret,
        )


def visible(item: Line | Prompt | Roll | Note | Entry, viewer: str) -> bool:
    """Whether ``viewer`` (a side, or the umpire who sees all) may see ``item``."""
    return not item.secret or viewer == UMPIRE or item.side == viewer


def for_side(lines: Iterable[Line], viewer: str) -> list[Line]:
    """The lines ``viewer`` may see; another side's secrets leave no trace, not even a gap."""
    return [line for line in lines if visible(line, viewer)]
