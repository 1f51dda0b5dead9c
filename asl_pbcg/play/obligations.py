"""The obligations of the rulebooks: the comma tables that the program's tests are held against."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from asl_pbcg.kernel.typed_data import TableFile

Kind = Literal[
    "automatic",
    "decision",
    "definition",
    "exception",
    "limit",
    "record",
    "roll",
    "setup",
    "table",
]


class Obligation(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a rule obliges the program to do; ``reason`` says why no test shows it."""

    id: str
    rule: str
    obligation: str
    reason: str = ""
    title: str = ""
    kind: Kind | None = None
    who_decides: Literal["none", "each_owner", "german", "british", "both"] = "none"
    secret: bool = False


def obligations_file(book: str) -> TableFile[Obligation]:
    """The obligations of a rulebook, by the folder of its data."""
    return TableFile(f"{book}/obligations.csv", Obligation)


FILES: Final = tuple(obligations_file(book) for book in ("pb", "st", "airborne", "megagame"))
