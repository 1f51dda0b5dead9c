"""What the log tells of rolls and corrections that were undone, and of other dice.

Which they were follows from the entries; their words from playing again what was undone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from asl_pbcg.kernel.entries import GAME_KINDS, Entry, exception_of
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Roll
from asl_pbcg.kernel.standing import Taken, undos_of
from asl_pbcg.kernel.views import Line

_WORDS = {"program": "the program's dice", "table": "dice typed or listed by players"}
_TOLD = ("roll", "correction")


def taken_for_good(journal: Journal) -> list[Taken]:
    """Return what each undo took and its own command did not give again, in order.

    A command that corrects gives again what it can behind its undo.
    """
    undos = undos_of(journal.entries())
    return [taken._replace(entries=_not_given_again(journal, taken)) for taken in undos]


def _not_given_again(journal: Journal, taken: Taken) -> list[Entry]:
    lost = list(taken.entries)
    for entry in journal.same_command(taken.undo):
        if entry.kind in GAME_KINDS and entry.kind != "correction":
            same = (entry.kind, entry.step, entry.point, entry.about)
            for at, each in enumerate(lost):
                if (each.kind, each.step, each.point, each.about) == same:
                    del lost[at]
                    break
    return lost


def undo_lines(
    journal: Journal, words: Callable[[Taken], Mapping[int, str]]
) -> list[tuple[int, list[Line]]]:
    """For each undo of rolls or corrections, and its redo: its number and what the log tells.

    ``words`` says of what an undo took, by number, what the log told.
    """
    told: list[tuple[int, list[Line]]] = []
    undos = {taken.undo.seq: taken for taken in taken_for_good(journal)}
    known: dict[int, Mapping[int, str]] = {}
    for seq, taken in undos.items():
        if any(entry.kind in _TOLD for entry in taken.entries):
            known[seq] = words(taken)
            reason = str(taken.undo.body.get("reason") or "")
            why = f" Reason: {reason}" if reason else ""
            told.append((seq, list(_lines(taken.undo, taken.entries, known[seq], why))))
    for redo in journal.entries_of("redo"):
        seq = redo.body["undo"]
        if seq in known:
            told.append((redo.seq, list(_lines(redo, undos[seq].entries, known[seq], ""))))
    return sorted(told, key=lambda each: each[0])


def _lines(
    command: Entry, taken: list[Entry], words: Mapping[int, str], why: str
) -> Iterator[Line]:
    did = "Given back" if command.kind == "redo" else "Taken back"
    for noun in _TOLD:
        kind = "redo" if command.kind == "redo" else "undo" if noun == "roll" else noun
        common: dict[str, Any] = {"kind": kind, "step": command.step, "seq": command.seq}
        for entry in taken:
            if entry.kind != noun:
                continue
            said = (words[entry.seq] + _other_dice(entry)).rstrip(".")
            yield Line(text=f"{did}: {said}.{why}", side=entry.side, secret=entry.secret, **common)
            if entry.secret:
                secretly = f"A secret {noun} was {did.lower()}."
                yield Line(text=secretly, not_for=entry.side, **common)


def _other_dice(entry: Entry) -> str:
    source = exception_of(entry.body)
    return f" ({_WORDS.get(source, source)})" if source else ""


def exception_lines(step: str, roll: Roll, source: str, seq: int) -> list[Line]:
    """Return what the log tells of a roll whose dice were not the campaign's own."""
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
    """Return the log of each step (with its last entry) and what was undone, in order."""
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
