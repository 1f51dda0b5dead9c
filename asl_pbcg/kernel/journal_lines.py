"""Lines of the log about entries that no script tells of: undone rolls and corrections, other dice.

And paper assertions. What was undone follows from the entries; its words from playing it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from asl_pbcg.kernel.entries import GAME_KINDS, Entry, exception_of
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Roll
from asl_pbcg.kernel.views import LogLine

NumberedLines = list[tuple[int, list[LogLine]]]
"""Lines, each group with the number of the entry that they belong behind."""

_DICE_WORDS = {"program": "the program's dice", "table": "dice typed or listed by players"}
_MAX_WORDS = 2000


def lost_entries(journal: Journal, undo: Entry) -> list[Entry]:
    """Return what an undo took and its own command did not give again.

    A command that corrects gives again what it can behind its undo.
    """
    lost = journal.text.standing.taken_by(undo)
    for entry in journal.same_command(undo):
        if entry.kind in GAME_KINDS and entry.kind != "correction":
            places = (at for at, other in enumerate(lost) if _question(other) == _question(entry))
            if (place := next(places, None)) is not None:
                del lost[place]
    return lost


def _question(entry: Entry) -> tuple[str, str, str, str]:
    return (entry.kind, entry.step, entry.point, entry.about)


def undo_lines(journal: Journal, words_of: Callable[[Entry], Mapping[int, str]]) -> NumberedLines:
    """Return what the log tells of each undo of rolls or corrections, and of its redo.

    ``words_of`` returns of what an undo took, by number, what the log told.
    """
    groups: NumberedLines = []
    redone = {entry.body["undo"]: entry for entry in journal.entries_of("redo")}
    for undo in journal.entries_of("undo"):
        lost = [each for each in lost_entries(journal, undo) if each.kind in ("roll", "correction")]
        if not lost:
            continue
        words = words_of(undo)
        reason = f" Reason: {undo.body['reason']}" if undo.body.get("reason") else ""
        groups.append((undo.seq, list(_lines(undo, lost, words, reason))))
        if redo := redone.get(undo.seq):
            groups.append((redo.seq, list(_lines(redo, lost, words, ""))))
    return groups


def _lines(
    command: Entry, taken: list[Entry], words: Mapping[int, str], reason: str
) -> Iterator[LogLine]:
    redo = command.kind == "redo"
    verb = "Redone" if redo else "Undone"
    for entry in sorted(taken, key=lambda each: each.kind != "roll"):
        kind = "redo" if redo else "undo" if entry.kind == "roll" else entry.kind
        common: dict[str, Any] = {"kind": kind, "step": command.step, "seq": command.seq}
        source = exception_of(entry.body)
        dice = f" ({_DICE_WORDS.get(source, source)})" if source else ""
        text = f"{verb}: {(words[entry.seq] + dice).rstrip('.')}.{reason}"
        yield LogLine(text=text, side=entry.side, secret=entry.secret, **common)
        if entry.secret:
            secretly = f"A secret {entry.kind} was {verb.lower()}."
            yield LogLine(text=secretly, not_for=entry.side, **common)


def exception_lines(step: str, roll: Roll, source: str, seq: int) -> list[LogLine]:
    """Return what the log tells of a roll whose dice were not the campaign's own."""
    dice = _DICE_WORDS.get(source, source)
    thrown = f"thrown with {dice}, not with the campaign's own dice."
    common: dict[str, Any] = {"kind": "exception", "step": step, "seq": seq, "point": roll.id}
    lines = [LogLine(text=f"{roll.text}: {thrown}", side=roll.side, secret=roll.secret, **common)]
    if roll.secret:
        lines.append(LogLine(text=f"A secret roll was {thrown}", not_for=roll.side, **common))
    return lines


def assertion_lines(journal: Journal) -> NumberedLines:
    """Return what the log tells of each paper assertion that was kept."""
    return [(entry.seq, [_assertion_line(entry)]) for entry in journal.entries_of("assertion")]


def _assertion_line(entry: Entry) -> LogLine:
    facts = entry.body.items() if isinstance(entry.body, dict) else ()
    words = ", ".join(f"{fact} {'-' if value is None else value}" for fact, value in facts)
    if len(words) > _MAX_WORDS:
        words = f"{words[: _MAX_WORDS - 3]}..."
    return LogLine(
        kind="assertion",
        step=entry.step,
        text=f"The roster on paper agrees: {words}.",
        side=entry.side,
        secret=entry.secret,
        seq=entry.seq,
    )


def merge_lines(steps: NumberedLines, others: NumberedLines) -> list[LogLine]:
    """Return the log of each step (with its last entry) and the ``others`` behind their entries."""
    merged: list[LogLine] = []
    waiting = sorted(others, key=lambda group: group[0], reverse=True)
    before = 0
    for last, lines in steps:
        for line in lines:
            while waiting and waiting[-1][0] < (line.seq or before):
                merged += waiting.pop()[1]
            merged.append(line)
        before = last
    while waiting:
        merged += waiting.pop()[1]
    return merged
