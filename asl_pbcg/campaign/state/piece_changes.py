"""Add, change, transfer and remove pieces; each function returns the state after it.

A new piece gets an id that no piece of the campaign ever had. Ids of pieces received in secret
come in an order that only the campaign file tells, so they give nothing away.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from itertools import chain, count, islice
from typing import Any

import msgspec

from asl_pbcg.campaign.position_words import EquipmentStatus, Status
from asl_pbcg.campaign.state.campaign_state import Campaign, Gone, change
from asl_pbcg.campaign.state.piece_names import slug
from asl_pbcg.campaign.state.pieces import Piece, new_piece, retype
from asl_pbcg.campaign.terms import Side


class Ids:
    """Ids that nobody has and nobody of the campaign ever had, as b-338-4."""

    def __init__(self, state: Campaign | None = None, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._last: dict[str, int] = {}
        if state is not None:
            self._taken |= {piece.id for piece in state.pieces}
            self._taken |= {loss.piece.id for loss in state.gone}

    def next(self, side: Side, type: str) -> str:
        """The next id for a piece of a type."""
        stem = f"{side.value[0]}-{slug(type)[:30]}"
        number = self._last.get(stem, 0) + 1
        while f"{stem}-{number}" in self._taken:
            number += 1
        self._last[stem] = number
        self._taken.add(f"{stem}-{number}")
        return f"{stem}-{number}"

    def next_secret(self, side: Side, type: str) -> str:
        """Return an id for a piece that its side alone knows: its number tells nothing."""

        import secrets

        stem = f"{side.value[0]}-{slug(type)[:30]}"
        first, last = FIRST_SECRET, FIRST_SECRET + SECRET_NUMBERS
        free = [number for number in range(first, last) if f"{stem}-{number}" not in self._taken]
        id = f"{stem}-{secrets.choice(free)}"
        self._taken.add(id)
        return id


FIRST_SECRET, SECRET_NUMBERS = 100, 900


def with_piece(state: Campaign, piece: Piece) -> Campaign:
    """The state with the piece of the same id replaced."""
    pieces = tuple(piece if entry.id == piece.id else entry for entry in state.pieces)
    return change(state, pieces=pieces)


def add_pieces(
    state: Campaign,
    side: Side,
    types: Iterable[tuple[str, int]],
    openly: bool | None = None,
    **fields: Any,
) -> Campaign:
    """The state with new pieces of ``side``: ``types`` lists type and count.

    Every piece gets an id of its own that no other piece ever had, for example ``b-648-3``. What
    only its own side knows of has a number from 100 on that tells nothing of how many there are;
    ``openly`` says whether both know of it, else the step does.
    """
    secret = state.in_secret if openly is None else not openly
    pieces = list(state.pieces)
    counts = [(f"{side.value[0]}-{slug(type)}", type, many) for type, many in types]
    used: dict[str, set[int]] = {stem: set() for stem, _, _ in counts}
    for piece in [*pieces, *(loss.piece for loss in state.gone)]:
        stem, _, number = piece.id.rpartition("-")
        # Players may name a piece otherwise.
        if stem in used and number.isdecimal() and len(number) < 10:
            used[stem].add(int(number))
    for stem, type, many in counts:
        taken = used[stem]
        numbers = (_secret_numbers if secret else _open_numbers)(state, stem, taken)
        for serial in list(islice(numbers, many)):
            taken.add(serial)
            pieces.append(
                new_piece(state.catalogue, f"{stem}-{serial}", side, type, state.date, **fields)
            )
    received = {**state.received_count}
    received[side] = received.get(side, 0) + len(pieces) - len(state.pieces)
    return change(state, pieces=tuple(pieces), received_count=received)


def has_secret_number(id: str) -> bool:
    """Whether an id is that of a piece received in secret."""
    number = id.rpartition("-")[2]
    return number.isdecimal() and len(number) < 10 and int(number) >= FIRST_SECRET


def secret_id(state: Campaign, side: Side, type: str, taken: Iterable[str]) -> str:
    """The id of a new piece that ``side`` alone knows of, other than those ``taken``."""
    stem = f"{side.value[0]}-{slug(type)}"
    ids = {*taken}
    numbers = _secret_numbers(state, stem, set())
    return next(id for number in numbers if (id := f"{stem}-{number}") not in ids)


def _open_numbers(state: Campaign, stem: str, taken: set[int]) -> Iterator[int]:
    """The numbers for pieces both sides know of: one after the other, whatever is secret."""
    last = max((number for number in taken if number < FIRST_SECRET), default=0)
    return (number for number in count(last + 1) if number not in taken)


def _secret_numbers(state: Campaign, stem: str, taken: Collection[int]) -> Iterator[int]:
    """The numbers for pieces one side knows of, in an order that only the campaign file tells."""
    beyond = count(FIRST_SECRET + SECRET_NUMBERS)
    drawn = _shuffled_numbers(f"{state.salt}/{stem}")
    return (number for number in chain(drawn, beyond) if number not in taken)


@lru_cache(maxsize=256)
def _shuffled_numbers(seed: str) -> tuple[int, ...]:
    drawn = list(range(FIRST_SECRET, FIRST_SECRET + SECRET_NUMBERS))
    random.Random(seed).shuffle(drawn)
    return tuple(drawn)


def update(state: Campaign, id: str, **fields: Any) -> Campaign:
    """The state with fields of the piece ``id`` replaced; what it never has cannot be let go."""
    piece = state.piece(id)
    if "type" in fields:
        piece = retype(state.catalogue, piece, fields.pop("type"))
    facts = {name: new for name, new in fields.items() if new or name in piece.__struct_fields__}
    return with_piece(state, msgspec.structs.replace(piece, **facts))


def add_status(state: Campaign, id: str, *statuses: Status) -> Campaign:
    """The state with ``statuses`` true of the piece ``id``."""
    return with_piece(state, state.piece(id).with_status(*statuses))


def drop_status(state: Campaign, id: str, *statuses: Status) -> Campaign:
    """The state with ``statuses`` no longer true of the piece ``id``."""
    return with_piece(state, state.piece(id).without_status(*statuses))


def remove(state: Campaign, id: str, how: str, why: str = "", step: str = "") -> Campaign:
    """The state without the piece ``id``: ``how`` is eliminated, withdrawn, replaced and so on.

    What it possessed, towed, carried or guarded is let go and stays where it is. Rule: 9.2
    Eliminated.
    """
    piece = state.piece(id)
    pieces = []
    for entry in state.pieces:
        if entry.id == id:
            continue
        if entry.id in piece.tows:
            entry = entry.without_status(EquipmentStatus.HOOKED)
        pieces.append(entry.without(id))
    gone = Gone(piece=piece, date=state.date, step=step or state.at, how=how, why=why)
    return change(state, pieces=tuple(pieces), gone=(*state.gone, gone))


def transfer(state: Campaign, equipment: str, to: str = "") -> Campaign:
    """The state with ``equipment`` possessed by the unit ``to``, or by nobody."""
    pieces = []
    for piece in state.pieces:
        if equipment in piece.possesses and piece.id != to:
            piece = piece.without(equipment)
        elif piece.id == to and equipment not in piece.possesses:
            piece = msgspec.structs.replace(piece, possesses=(*piece.possesses, equipment))
        pieces.append(piece)
    return change(state, pieces=tuple(pieces))


def capture(state: Campaign, id: str, by: Side) -> Campaign:
    """The state with the Equipment ``id`` in the hands of ``by``: captured, or won back.

    Whoever possessed or towed it does so no longer. Rule: 9.6071.
    """
    piece = state.piece(id)
    if piece.side is by:
        return state
    count = dict(state.received_count)
    count[by] = count.get(by, 0) + 1
    count[piece.side] = count.get(piece.side, 0) - 1
    taken = piece.without_status(EquipmentStatus.CAPTURED, EquipmentStatus.HOOKED)
    if not piece.captured:
        taken = taken.with_status(EquipmentStatus.CAPTURED)
    state = unhook_gun(transfer(change(state, received_count=count), id), id)
    return update(state, id, side=by, status=taken.status)


def unhook_gun(state: Campaign, gun: str) -> Campaign:
    """The state with a Gun that no vehicle tows. Rule: C10.1."""
    for piece in state.pieces:
        if gun in piece.tows:
            guns = tuple(towed for towed in piece.tows if towed != gun)
            state = drop_status(update(state, piece.id, tows=guns), gun, EquipmentStatus.HOOKED)
    return state
