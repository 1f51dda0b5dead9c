"""The one family of errors that players see: every message is a sentence for them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from asl_pbcg.kernel.topic import NOTHING, Topic

STOPPED: Final = "Stopped. Everything answered so far is kept."
"""The answer to Ctrl-C, whatever was under way."""


class PBCGError(Exception):
    """Something a player can put right; ``str(error)`` is the sentence they read.

    ``topic`` is what it is about, for front ends.
    """

    topic: Topic = NOTHING


class IllegalAnswer(PBCGError):
    """An answer the rules do not allow; ``rule`` is the number that forbids it."""

    def __init__(self, sentence: str, rule: str = "", topic: Topic = NOTHING) -> None:
        super().__init__(f"{sentence} ({rule})" if rule and rule not in sentence else sentence)
        self.rule = rule
        self.topic = topic


class HeldElsewhere(PBCGError):
    """The file is open to write in another pbcg."""

    def __init__(self, file: object) -> None:
        super().__init__(f"{file} is open in another pbcg: close that one first, then try again.")


class NeedsReason(PBCGError):
    """An undo or a correction without the reason that it needs."""


class Fault(NamedTuple):
    """One thing wrong in a file: where it stands, the value, and what would be right.

    ``topic`` is the piece or place it is about, for front ends.
    """

    where: str
    value: str
    wrong: str
    topic: Topic = NOTHING

    def __str__(self) -> str:
        said = f' "{self.value}"' if self.value else ""
        return f"{self.where}{':' if self.where else ''}{said} {self.wrong}".strip()


class FaultGroup(NamedTuple):
    """Faults that are the same but for the row: told as one."""

    words: str
    faults: tuple[Fault, ...]


_ROW = r"^(?P<head>.*?\b)(?P<word>row|entry) (?P<number>\d+)(?: \(id \"[^\"]*\"\))?(?P<tail>.*)$"
_ALIKE = 3
"""So many faults of a kind are told as one."""
_NEAREST = "; nearest: "
"""Words behind which only the value varies: they make no fault of another kind."""
_VALUES = 3
"""So many of their values are shown."""


def group_faults(faults: Iterable[Fault]) -> list[FaultGroup]:
    """Faults in their order, those of one kind as one: ``units, rows 2-78: at is missing (77)``."""
    found: dict[tuple[str, ...], list[tuple[int, Fault]]] = {}
    for number, fault in enumerate(faults):
        match = re.match(_ROW, fault.where)
        if match:
            kind = fault.wrong.partition(_NEAREST)[0]
            key = (match["head"], match["word"], match["tail"], kind)
            found.setdefault(key, []).append((int(match["number"]), fault))
        else:
            found[str(number), "", "", ""] = [(0, fault)]
    groups = []
    for (head, word, tail, wrong), listed in found.items():
        if not word or len(listed) < _ALIKE:
            groups += [FaultGroup(str(fault), (fault,)) for _, fault in listed]
            continue
        many = "rows" if word == "row" else "entries"
        spans = _spans(sorted({number for number, _ in listed}))
        values = list(dict.fromkeys(fault.value for _, fault in listed if fault.value))
        said = "".join(f'"{value}", ' for value in values[:_VALUES]).rstrip(", ")
        if len({fault.wrong for _, fault in listed}) == 1:
            wrong = listed[0][1].wrong
        said += f" and {len(values) - _VALUES} more" if len(values) > _VALUES else ""
        words = f"{head}{many} {spans}{tail}: {said}{' ' if said else ''}{wrong} ({len(listed)})"
        groups.append(FaultGroup(words, tuple(fault for _, fault in listed)))
    return groups


def _spans(numbers: list[int]) -> str:
    """Numbers as people write them: 2-5, 8, 11-13."""
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][-1] + 1:
            found[-1].append(number)
        else:
            found.append([number])
    return ", ".join(f"{s[0]}-{s[-1]}" if len(s) > 1 else str(s[0]) for s in found)


class FaultsError(PBCGError):
    """All faults of one file at once."""

    def __init__(self, source: str, faults: Iterable[Fault]) -> None:
        self.source = source
        self.faults = tuple(faults)
        count = len(self.faults)
        head = f"{source} has {count} fault{'s' if count != 1 else ''}:"
        groups = (group.words for group in group_faults(self.faults))
        super().__init__("\n".join([head, *(f"  {words}" for words in groups)]))


def fault_data(error: PBCGError, source: str = "") -> dict[str, Any]:
    """Return what is wrong as plain data, for every answer as JSON alike."""
    faults = error.faults if isinstance(error, FaultsError) else (Fault("", "", str(error)),)
    file = error.source if isinstance(error, FaultsError) else ""
    return {
        "file": source or file,
        "faults": [
            {"where": fault.where, "value": fault.value, "wrong": fault.wrong} for fault in faults
        ],
        "groups": (
            [{"words": each.words, "count": len(each.faults)} for each in group_faults(faults)]
            if isinstance(error, FaultsError)
            else [{"words": str(error), "count": 1}]
        ),
    }
