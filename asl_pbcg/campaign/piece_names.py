"""Short names of pieces, which stay when a type changes.

The id ``b-648-11`` tells the type the piece was received as; after a Replacement or a Reduction it
misleads. The short name A-11 comes from the same id, and says nothing but which piece it is; the
hyphen tells it from a hex.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from asl_pbcg.campaign.catalogue import InfantryType, load_catalogue
from asl_pbcg.campaign.piece_changes import slug
from asl_pbcg.campaign.terms import Side

_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ"


@cache
def _stems(side: Side) -> dict[str, str]:
    """By the stem of an id, what stands for it in a short name."""
    found = {}
    letters = iter(_LETTERS)
    for known in load_catalogue():
        if known.side is side:
            stem = f"{side.value[0]}-{slug(known.name)}"
            # Weapons and vehicles stay what they are.
            if isinstance(known, InfantryType):
                letter = next(letters, "")
                found[stem] = f"{letter}-" if letter else f"{known.name} "
            else:
                found[stem] = f"{known.name} "
    return found


@cache
def _types(side: Side) -> dict[str, str]:
    """By the stem of an id, the type that it was given for."""
    return {
        f"{side.value[0]}-{slug(known.name)}": known.name
        for known in load_catalogue()
        if known.side is side
    }


def first_type(id: str) -> str:
    """Give the type that a piece came into being as, by the id the program gave it; else empty."""
    stem, _, number = id.rpartition("-")
    if not number.isdecimal():
        return ""
    return next((found[stem] for side in Side if stem in (found := _types(side))), "")


def mark(id: str) -> str:
    """Give what tells a piece from others of its type: A-11 of a unit, 542 of ``g-lmg-542``."""
    return short_name(id).rpartition(" ")[2]


def short_name(id: str) -> str:
    """Give the short name of a piece by its id: ``b-648-11`` is A-11, ``g-lmg-3`` is LMG 3.

    An id that players chose themselves stays as it is.
    """
    stem, _, number = id.rpartition("-")
    for side in Side:
        if number.isdecimal() and stem in (names := _stems(side)):
            return f"{names[stem]}{number}"
    return id
