"""What the log says of rolls taken back and of dice that were not the campaign's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from asl_pbcg.kernel.entries import Entry, exception_of
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Roll
from asl_pbcg.kernel.views import Line

_WORDS = {"program": "the program's dice", "table": "dice typed or listed by players"}
_MOST_TOLD = 200


def rolls_taken_back(entries: list[Entry], words: Callable[[Entry], str]) -> list[dict[str, Any]]:
    """What an undo keeps of the rolls that it takes back, so that the log can tell them."""
    return [
        {
            "seq": entry.seq,
            "words": words(entry) + _other_dice(entry),
            "side": entry.side,
            "secret": entry.secret,
        }
        for entry in entries
        if entry.kind == "roll"
    ][:_MOST_TOLD]


def _other_dice(entry: Entry) -> str:
    source = exception_of(entry.body)
    return f" ({_WORDS.get(source, source)})" if source else ""


def undo_lines(journal: Journal) -> list[tuple[int, list[Line]]]:
    """For each undo that took rolls back or has a reason: its number and what the log tells."""
    found = []
    for entry in journal.entries_of("undo"):
        lines = _lines_of(entry)
        if lines:
            found.append((entry.seq, lines))
    return found


def _lines_of(entry: Entry) -> list[Line]:
    reason = str(entry.body.get("reason") or "")
    why = f" Reason: {reason}" if reason else ""
    taken = entry.body.get("taken")
    if not isinstance(taken, list) or not taken:
        return []
    lines = []
    for each in taken:
        side, secret = str(each.get("side", "")), bool(each.get("secret"))
        common: dict[str, Any] = {"kind": "undo", "step": entry.step, "seq": entry.seq}
        text = f"Taken back: {each.get('words', 'a roll')}.{why}"
        lines.append(Line(text=text, side=side, secret=secret, **common))
        if secret:
            lines.append(Line(text="A secret roll was taken back.", not_for=side, **common))
    return lines


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
