"""What the other side may not see: pieces off map, or Retained elsewhere than they stand."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from asl_pbcg.campaign.state import Campaign, Piece, possessor
from asl_pbcg.kernel.prompts import Script
from asl_pbcg.refit.retention import still_there
from asl_pbcg.refit.unit_changes import words

T = TypeVar("T")


def unseen(state: Campaign, piece: Piece) -> bool:
    """Whether only its own side knows where a piece is Retained.

    Such are pieces off map and those that Shifted. A possessed Weapon is where its possessor is.
    Rule: 9.613, 9.617.
    """
    holder = possessor(state, piece.id) if piece.is_weapon else None
    return not still_there(state, holder or piece)


def name_if_seen(state: Campaign, piece: Piece, otherwise: str) -> str:
    """A piece as notes name it, or ``otherwise`` if only its own side knows where it is."""
    return otherwise if unseen(state, piece) else words(piece)


def about(state: Campaign, piece: Piece, script: Script[T]) -> Script[T]:
    """Run a script about ``piece``; all of it is its side's secret if the piece is unseen."""
    if not unseen(state, piece):
        return (yield from script)
    sent = None
    while True:
        try:
            item = script.send(sent)
        except StopIteration as finished:
            result: T = finished.value
            return result
        sent = yield replace(item, side=piece.side.value, secret=True)
