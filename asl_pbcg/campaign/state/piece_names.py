"""The one short name of a piece, which stays when its type changes.

The id ``b-648-11`` in files tells the type the piece was received as; after a Replacement or a
Reduction it misleads. The short name A-11 comes from the same id, and says nothing but which piece
it is; the hyphen tells it from a hex. Every text for players names a piece so, and wherever they
type a piece it is read by ``read_piece``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import groupby
from operator import attrgetter
from typing import Final, Protocol, TypeVar

from asl_pbcg.campaign.module.catalogue import InfantryType, load_catalogue
from asl_pbcg.campaign.position_words import status_words
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.reader import plain_dashes

_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ"
_NOT_LISTED: Final = ("1+3+5 Pillbox", "Trench", "Wire", "Glider")
"""Types of an Initial Scenario's OB that no catalogue lists."""


class Named(Protocol):
    """A piece, or a line about one."""

    @property
    def id(self) -> str:
        """Its id in files."""

    @property
    def type(self) -> str:
        """Its type now."""

    @property
    def side(self) -> Side:
        """The side it belongs to."""


class StatusNamed(Named, Protocol):
    """A piece of which something may be true."""

    @property
    def status(self) -> Sequence[str]:
        """All that is true of it."""


P = TypeVar("P", bound=Named)


def slug(type: str) -> str:
    """A type as the stem of an id: ``6-4-8`` is 648, ``10-2`` is 10-2, ``50L AT`` is 50l-at."""
    if re.fullmatch(r"\d-\d-\d", type):
        return type.replace("-", "")
    return re.sub(r"[^a-z0-9+]+", "-", type.lower()).strip("-")


@cache
def _patterns(side: Side) -> dict[str, str]:
    """Return by the stem of an id the short name, with # for the number.

    Equipment that both sides may have bears the letter of the id: a captured LMG 3g lies beside an
    LMG 3b.
    """
    patterns = {_stem(side, type): f"{type} #" for type in _NOT_LISTED}
    letters = iter(_LETTERS)
    own, others = (
        [type for type in load_catalogue() if (type.side is side) is mine] for mine in (True, False)
    )
    shared = {type.name for type in own} & {type.name for type in others}
    for type in others:
        if not isinstance(type, InfantryType):
            patterns[_stem(side, type.name)] = f"{type.name} #{side.value[0]}"
    for type in own:
        letter = next(letters, "") if isinstance(type, InfantryType) else ""
        last = side.value[0] if type.name in shared and not letter else ""
        patterns[_stem(side, type.name)] = f"{letter}-#" if letter else f"{type.name} #{last}"
    return patterns


@cache
def _types(side: Side) -> dict[str, str]:
    """By the stem of an id, the type that it was given for."""
    return {_stem(side, type.name): type.name for type in load_catalogue() if type.side is side}


def _stem(side: Side, type: str) -> str:
    return f"{side.value[0]}-{slug(type)}"


def first_type(id: str) -> str:
    """Return the first type of a piece, by the id that the program gave it; else empty."""
    stem, _, number = id.rpartition("-")
    if not number.isdecimal():
        return ""
    return next((types[stem] for side in Side if stem in (types := _types(side))), "")


def short_name(id: str) -> str:
    """Give the short name of a piece by its id: ``b-648-11`` is A-11, ``g-lmg-3`` is LMG 3g.

    An id that players chose themselves stays as it is.
    """
    stem, _, number = id.rpartition("-")
    for side in Side:
        if number.isdecimal() and stem in (patterns := _patterns(side)):
            return patterns[stem].replace("#", number)
    return id


def ids_called(name: str) -> dict[Side, str]:
    """Give the ids that a short name may stand for, by side: A-11 is of either, LMG 3g of one.

    A side before it (german A-11), or a type that one side has, leaves that one alone. What is no
    short name gives none.
    """
    plain = plain_name(name)
    word, _, bare_name = plain.partition("-")
    sides = [side for side in Side if side.value == word] or [*Side]
    plain = bare_name if len(sides) == 1 else plain
    match = re.fullmatch(r"(.*-)([1-9][0-9]{0,8})([bg]?)", plain)
    if not match:
        return {}
    pattern = f"{match[1]}#{match[3]}"
    if pattern[-4:-3] == "-" and (having := _sides_of_types().get(pattern[:-4])):
        sides, pattern = [side for side in sides if side in having], pattern[-3:]
    stems = {side: _stems(side).get(pattern) for side in sides}
    return {side: f"{stem}-{match[2]}" for side, stem in stems.items() if stem}


@cache
def _stems(side: Side) -> dict[str, str]:
    """By the plain spelling of a short name with # for the number, the stem of its id."""
    return {plain_name(pattern): stem for stem, pattern in _patterns(side).items()}


@cache
def _sides_of_types() -> dict[str, set[Side]]:
    """By the plain spelling of a type, the sides that have it."""
    sides: dict[str, set[Side]] = {}
    for type in load_catalogue():
        sides.setdefault(plain_name(type.name), set()).add(type.side)
    return sides


def name_of_side(id: str) -> str:
    """Give the short name of a piece, with its side where the other may have the same."""
    name = short_name(id)
    called = ids_called(name)
    side = next((side for side, own_id in called.items() if own_id == id), None)
    return f"{side.value} {name}" if side and len(called) > 1 else name


def mark(id: str) -> str:
    """Give what tells a piece from others of its type: A-11 of a unit, 542g of ``g-lmg-542``."""
    return short_name(id).rpartition(" ")[2]


def short_names_of(ids: Iterable[str]) -> str:
    """Give the short names of several pieces by their ids."""
    return ", ".join(map(short_name, ids))


def typed_name(type: str, id: str) -> str:
    """Name a piece by its type and its short name: ``3-3-8 A-11``, ``LMG 542g``."""
    return f"{type} {mark(id)}".strip()


def name_piece(piece: Named) -> str:
    """Name a piece by its type now and its short name."""
    return typed_name(piece.type, piece.id)


def name_pieces(pieces: Iterable[Named]) -> str:
    """Name several pieces."""
    return ", ".join(map(name_piece, pieces))


def name_with_status(piece: StatusNamed) -> str:
    """Name a piece with all that is true of it: ``4-6-7 D-1 (broken, DM)``."""
    status = status_words(piece.status)
    return name_piece(piece) + (f" ({status})" if status else "")


def pieces_called(typed: str, pieces: Iterable[P], side: Side | None = None) -> list[P]:
    """Return those of ``pieces`` that players call ``typed``, the one whose id it is alone.

    They say its short name (A-11), that with its type before it, or its id in files; a side before
    it (german D-3) where both have one of that name. Without it a name is first one of ``side``.
    """
    candidates = list(pieces)
    wanted = plain_name(typed)
    if exact := [piece for piece in candidates if piece.id.casefold() == wanted]:
        return exact[:1]
    sides = {owner.value: owner for owner in Side}
    first, _, name = wanted.partition("-")
    if first in sides and name:
        candidates, wanted = [piece for piece in candidates if piece.side is sides[first]], name
    called = [piece for piece in candidates if wanted in _spellings(piece)]
    return [piece for piece in called if piece.side is side] or called


def read_piece(typed: str, pieces: Iterable[P], side: Side | None = None) -> P:
    """Return the one of ``pieces`` that players call ``typed``, as :func:`pieces_called`.

    ``pieces`` are those that whoever types knows of. Raises PBCGError.
    """
    matches = pieces_called(typed, pieces, side)
    if len(matches) == 1:
        return matches[0]
    if not matches:
        raise PBCGError(
            f'No piece that you know of is called "{typed[:40]}": sheets, map and log name each, '
            "as A-3 or LMG 3g."
        )
    ways = [f"{piece.side.value} {short_name(piece.id)}" for piece in matches]
    if len({*ways}) < len(ways):
        ways = [piece.id for piece in matches]
    named = " and ".join(f"the {piece.side.title} {name_piece(piece)}" for piece in matches)
    raise PBCGError(f'"{typed[:40]}" is {named}: type {" or ".join(ways)}.')


def _spellings(piece: Named) -> set[str]:
    return {plain_name(name) for name in (piece.id, short_name(piece.id), name_piece(piece))}


def plain_name(name: str) -> str:
    """Bring a name into one spelling: ``LMG 3g`` and ``lmg-3g`` are the same."""
    return "-".join(plain_dashes(name).casefold().split())


def name_list(pieces: Iterable[Named], most: int = 6) -> str:
    """Name pieces by type, each type with the short names of its pieces: 6-4-8 A-11, A-12.

    Of more than ``most`` of a type it says how many: 8 × 6-4-8.
    """
    key = attrgetter("type")
    parts = []
    for type, group in groupby(sorted(pieces, key=key), key=key):
        marks = [mark(piece.id) for piece in group]
        named = len(marks) <= most
        parts.append(f"{type} {', '.join(marks)}" if named else f"{len(marks)} × {type}")
    return "; ".join(parts)
