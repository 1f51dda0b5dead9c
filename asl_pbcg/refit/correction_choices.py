"""Facts that can be corrected by choosing: the name of each, its present value and its choices.

The paths are those of ``pbcg correct``; whether somebody may correct one is decided there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from asl_pbcg.campaign.scenario.snipers import san_in_force
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.refit.correction_paths import SAN

_TEXTS: Final = {"at": "Where it is", "name": "Name", "notes": "Notes"}
_TIES: Final = {"possesses": "Possesses", "tows": "Tows"}


class FactChoice(msgspec.Struct, frozen=True):
    """One value that a fact can have, as it is typed, and what players call it."""

    value: str
    text: str


class CorrectableFact(msgspec.Struct, frozen=True):
    """A fact that can be corrected; without ``choices`` its value is typed.

    ``values`` are the present ones: one, or with ``several`` any number of the choices.
    """

    path: str
    label: str
    values: tuple[str, ...]
    choices: tuple[FactChoice, ...] = ()
    several: bool = False
    is_number: bool = False


def correctable_facts(known: Campaign, piece_id: str) -> tuple[CorrectableFact, ...]:
    """Return the facts of a piece that can be corrected, or without one those of the campaign.

    ``known`` is the campaign as those who look know it (``correction_policy.known_state``). A piece
    that is not in it has none.
    """
    if not piece_id:
        return tuple(_of_campaign(known))
    own = (piece for piece in known.pieces if piece.id == piece_id)
    return tuple(fact for piece in own for fact in _of_piece(known, piece))


def _of_campaign(state: Campaign) -> Iterator[CorrectableFact]:
    for side in state.sides:
        numbers = range(state.frame.san.least, state.frame.san.ii13_most + 1)
        san = str(san_in_force(state, side))
        choices = tuple(FactChoice(str(number), str(number)) for number in numbers)
        path = f"{SAN}/{side.value}"
        yield CorrectableFact(path, f"SAN, {side.title}", (san,), choices, is_number=True)
    for side, fpp in state.fpp.items():
        path = f"fpp/{side.value}"
        yield CorrectableFact(path, f"FPP, {side.title}", (f"{fpp:g}",), is_number=True)
    if state.groups or state.cpp:
        yield CorrectableFact("cpp", "CPP", (str(state.cpp),), is_number=True)
    for type, count in state.ww_box.items():
        label = f"Walking Wounded box, {type}"
        yield CorrectableFact(f"ww-box/{type}", label, (str(count),), is_number=True)


def _of_piece(state: Campaign, piece: Piece) -> Iterator[CorrectableFact]:
    def fact(field: str, label: str, **more: Any) -> CorrectableFact:
        value = getattr(piece, field)
        values = tuple(value) if isinstance(value, tuple) else (value,)
        return CorrectableFact(f"pieces/{piece.id}/{field}", label, values, **more)

    words = tuple(FactChoice(word.value, word.called) for word in piece.statuses)
    yield fact("at", _TEXTS["at"])
    yield fact("status", "Status", choices=words, several=True)
    types = (
        FactChoice(type.name, type.name)
        for type in state.catalogue
        if type.side is piece.maker and type.kind == piece.kind
    )
    yield fact("type", "Type", choices=tuple(types))
    if piece.is_personnel:
        formations = state.catalogue.formations.values()
        own = [formation.name for formation in formations if formation.side is piece.side]
        choices = (FactChoice("", "none"), *(FactChoice(name, name) for name in own))
        yield fact("formation", "Formation", choices=choices)
    for field, label in _TIES.items():
        if field in piece.__struct_fields__:
            weapons = (
                FactChoice(item.id, name_piece(item))
                for item in state.of(piece.side)
                if item.is_weapon and (item.at == piece.at or item.id in getattr(piece, field))
            )
            yield fact(field, label, choices=tuple(weapons), several=True)
    for field in ("name", "notes"):
        yield fact(field, _TEXTS[field])
