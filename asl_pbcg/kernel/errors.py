"""The one family of errors that players see: every message is a sentence for them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


class PBCGError(Exception):
    """Something a player can put right; ``str(error)`` is the sentence they read."""


class IllegalAnswer(PBCGError):
    """An answer the rules do not allow; ``rule`` is the number that forbids it."""

    def __init__(self, sentence: str, rule: str = "") -> None:
        super().__init__(f"{sentence} ({rule})" if rule and rule not in sentence else sentence)
        self.rule = rule


class NeedsReason(PBCGError):
    """What is to be taken back or corrected needs a reason, which stays in the log."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong in a file: where it stands, the value, and what would be right."""

    where: str
    value: str
    wrong: str

    def __str__(self) -> str:
        said = f' "{self.value}"' if self.value else ""
        return f"{self.where}{':' if self.where else ''}{said} {self.wrong}".strip()


class FaultsError(PBCGError):
    """All faults of one file at once."""

    def __init__(self, source: str, faults: Iterable[Fault]) -> None:
        self.source = source
        self.faults = tuple(faults)
        count = len(self.faults)
        head = f"{source} has {count} fault{'s' if count != 1 else ''}:"
        super().__init__("\n".join([head, *(f"  {fault}" for fault in self.faults)]))
