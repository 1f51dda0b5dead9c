"""What the log says of rolls taken back and of dice that were not the campaign's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

import msgspec

from asl_pbcg.kernel.entries import Entry, exception_of
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Roll
from asl_pbcg.kernel.views import Line

Kept = Literal["roll", "correction"]
"""What nobody may overlook when it is taken back."""
_WORDS = {"program": "the program's dice", "table": "dice typed or listed by players"}
_MOST_TOLD = 200


def for_the_log(
    kind: Kept, entries: list[Entry], words: Callable[[Entry], str]
) -> list[dict[str, Any]]:
    """What an undo keeps of the rolls or corrections that it takes back, for the log to tell."""
    return [
        {
            "seq": entry.seq,
            "words": words(entry) + _other_dice(entry),
            "side": entry.side,
            "secret": entry.secret,
        }
        for entry in entries
        if entry.kind == kind
    ][:_MOST_TOLD]


def _other_dice(entry: Entry) -> str:
    source = exception_of(entry.body)
    return f" ({_WORDS.get(source, source)})" if source else ""


def undo_lines(journal: Journal) -> list[tuple[int, list[Line]]]:
    """For each undo of rolls or corrections, and its redo: its number and what the log tells."""
    found = []
    undos = {entry.seq: entry for entry in journal.entries_of("undo")}
    for entry in undos.values():
        found.append((entry.seq, _lines_of(entry)))
    for entry in journal.entries_of("redo"):
        if undo := undos.get(entry.body.get("undo")):
            found.append((entry.seq, _lines_of(msgspec.structs.replace(entry, body=undo.body))))
    return sorted((each for each in found if each[1]), key=lambda each: each[0])


def _lines_of(entry: Entry) -> list[Line]:
    """The lines of an undo, or of a redo that has the body of its undo."""
    return [
        *_lines_under(entry, "taken", "roll", "undo"),
        *_lines_under(entry, "corrections", "correction", "correction"),
    ]


def _lines_under(entry: Entry, key: str, noun: str, kind: str) -> Iterator[Line]:
    """The lines about what an undo keeps under ``key``."""
    reason = str(entry.body.get("reason") or "")
    did, why = "Taken back", f" Reason: {reason}" if reason else ""
    if entry.kind == "redo":
        did, why, kind = "Given back", "", "redo"
    taken = entry.body.get(key)
    for each in taken if isinstance(taken, list) else ():
        side, secret = str(each.get("side", "")), bool(each.get("secret"))
        common: dict[str, Any] = {"kind": kind, "step": entry.step, "seq": entry.seq}
        words = str(each.get("words", f"a {noun}")).rstrip(".")
        yield Line(text=f"{did}: {words}.{why}", side=side, secret=secret, **common)
        if secret:
            yield Line(text=f"A secret {noun} was {did.lower()}.", not_for=side, **common)


def exception_lines(step: str, roll: Roll, source: str, seq: int) -> list[Line]:
    """What the log tells of a roll whose dice were not the campaign's own."""
    how = f"thrown with {_WORDS.get(source, source)}, not with the campaign's own dice."
    common: dict[str, Any] = {"kind": "exception", "step": step, "seq": seq, "point": roll.id}
    whose: dict[str, Any] = {"side": roll.side, "secret": roll.secret}
    lines = [Line(text=f"{roll.text}: {how}", **whose, **common)]
    if roll.secret:
        lines.append(Line(text=f"A secret roll was {how}", not_for=roll.side, **common))
    return lines


def with_undo_lines(
    told: list[tuple[int, list[Line]]], undone: list[tuple[int, list[Line]]]
) -> list[Line]:
    """The log of each step (with the last entry it includes) and what was taken back, in order."""
    found: list[Line] = []
    waiting = list(reversed(undone))
    before = 0
    for last, lines in told:
        for line in lines:
            now = line.seq or before
            while waiting and waiting[-1][0] < now:
                found += waiting.pop()[1]
            found.append(line)
        before = last
    while waiting:
        found += waiting.pop()[1]
    return found
