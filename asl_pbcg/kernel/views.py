"""The log of a game, and what one side may see of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from asl_pbcg.kernel.entries import Entry
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.prompts import CHOICES, Note, Prompt, Roll
from asl_pbcg.kernel.tables import Rolled
from asl_pbcg.kernel.topic import NOTHING, Topic

UMPIRE = "umpire"
"""The viewer who sees what either side keeps secret."""


class LogLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of the log: a decision, a roll or something that followed from the rules.

    ``seq`` is the entry it came with. ``not_for`` is a side that knows more of it by a secret line
    of its own; this one is for the other side.
    """

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
    seq: int = 0
    not_for: str = ""
    by: str = ""
    """The one of several players of the side that decided."""
    topic: Topic = NOTHING
    """The things it is about, for front ends; a file keeps the words alone."""
    reply: str = ""
    """The words of a choice alone, without those of the question."""

    @classmethod
    def of(cls, step: str, asked: Prompt | Roll, sent: Any) -> LogLine:
        """Return the line for an answered prompt or a resolved roll."""
        common: dict[str, Any] = {
            "step": step,
            "point": asked.id,
            "rule": asked.rule,
            "side": asked.side,
            "secret": asked.secret,
            "where": asked.where,
            "topic": asked.topic,
        }
        if isinstance(asked, Roll):
            rule = asked.rule or (asked.table.rule if asked.table else "")
            text = f"{asked.text}: {sent}"
            return cls(kind="roll", **{**common, "rule": rule}, text=text, roll=sent)
        reply = asked.words(sent)
        if asked.kind in CHOICES:
            chosen = [asked.option(id) for id in ([sent] if asked.kind == "choose" else sent)]
            common["topic"] = asked.topic.join([each.topic for each in chosen])
            common["reply"] = reply
        return cls(
            kind="answer",
            **common,
            text=f"{asked.text} {reply}".strip(),
            answer=None if asked.kind == "document" else sent,
        )

    @classmethod
    def of_note(cls, step: str, note: Note) -> LogLine:
        """Return the line for a note."""
        return cls(
            kind="note",
            step=step,
            text=note.text,
            rule=note.rule,
            side=note.side,
            secret=note.secret,
            topic=note.topic,
        )

    @property
    def as_kept(self) -> LogLine:
        """The line as a file keeps it: what it says as data follows from the rules."""
        return msgspec.structs.replace(self, topic=NOTHING, reply="")


def read_lines(kept: bytes | str) -> list[LogLine]:
    """Return the lines that a file keeps after a step. Raises PBCGError if they are none."""
    try:
        return msgspec.json.decode(kept, type=list[LogLine])
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise PBCGError("A part of the log that the file keeps cannot be read.") from error


def visible(item: LogLine | Prompt | Roll | Note | Entry, viewer: str) -> bool:
    """Return whether ``viewer`` (a side, or the umpire who sees all) may see ``item``."""
    if isinstance(item, LogLine) and item.not_for:
        return viewer not in (UMPIRE, item.not_for)
    return not item.secret or viewer == UMPIRE or item.side == viewer


def for_side(lines: Iterable[LogLine], viewer: str) -> list[LogLine]:
    """Return the lines ``viewer`` may see; another side's secrets leave no trace, not even a gap.

    A side does not learn the numbers of entries: they would tell how much the other answered.
    """
    seen = [line for line in lines if visible(line, viewer)]
    if viewer == UMPIRE:
        return seen
    return [msgspec.structs.replace(line, seq=0) if line.seq else line for line in seen]
