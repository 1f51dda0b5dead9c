"""Where each kind of Fortification can be: one table of kinds against the ground of a hex.

Rule: 9.619, B21.1, B26.1, B27.1, B28.1, B28.53, B29.1, B30.1, CG10.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Annotated, Final

import msgspec

from asl_pbcg.campaign.board.board import TERRAIN
from asl_pbcg.campaign.position import Fortification, Terrain
from asl_pbcg.campaign.position_words import FortificationKind, TerrainKind
from asl_pbcg.campaign.terms import SHIPPED
from asl_pbcg.kernel.typed_data import TableFile

if TYPE_CHECKING:
    from asl_pbcg.campaign.board.board import Board

Cell = Annotated[str, msgspec.Meta(pattern="^(yes|no) .+$")]
"""Whether the kind can be in such ground, and by which rule: ``no B27.1``."""


class GroundRow(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of ground, with a cell for each kind of Fortification."""

    ground: str
    words: str
    foxhole: Cell
    trench: Cell
    pillbox: Cell
    wire: Cell
    roadblock: Cell
    ap_mines: Cell
    at_mines: Cell
    """A-T mines that both sides see."""
    at_mines_hidden: Cell
    dummy: Cell
    hip: Cell
    """Personnel with HIP."""
    hip_gun: Cell

    def refusal(self, kind: str) -> str:
        """The rule that keeps ``kind`` (a heading of the table) out; empty if it can be here."""
        cell: str = getattr(self, kind.replace("-", "_"))
        can_be, _, rule = cell.partition(" ")
        return "" if can_be == "yes" else rule


KINDS: Final = tuple(
    field.replace("_", "-")
    for field in GroundRow.__struct_fields__
    if field not in ("ground", "words")
)
"""The kinds of Fortification of the table, as its heading names them."""
_BUILT: Final = (
    "open-ground",
    "off-road",
    "paved-road",
    "unpaved-road",
    "bridge",
    "building",
    "interior-building",
    "rubble",
    "shellhole",
)
GROUND: Final = (*_BUILT, *(word.replace("_", "-") for word in TERRAIN))
"""Every ground that a hex may hold; the table has a row for each."""
_RUBBLE: Final = frozenset({TerrainKind.RUBBLE_STONE, TerrainKind.RUBBLE_WOOD})
_BELOW_A_BRIDGE: Final = frozenset({"canal", "pond", "stream", "marsh", "swamp"})


def ground_table(folder: str = SHIPPED) -> TableFile[GroundRow]:
    """The table of a module, as it is read after a change of the data."""

    def check(rows: tuple[GroundRow, ...]) -> Iterator[tuple[str, str]]:
        names = [row.ground for row in rows]
        for ground in GROUND:
            if names.count(ground) != 1:
                yield ground, "must have one row"
        for name in names:
            if name not in GROUND:
                yield name, f"is not one of the grounds: {', '.join(GROUND)}"

    columns = {kind: kind.replace("-", "_") for kind in KINDS}
    return TableFile(f"{folder}/fortification_ground.csv", GroundRow, check, columns)


@cache
def _rows(folder: str) -> tuple[GroundRow, ...]:
    return ground_table(folder).content


def ground_of_hex(board: Board, terrain: Iterable[Terrain], name: str) -> frozenset[str]:
    """Return every ground in the hex ``name``; ``terrain`` is what has changed on the board."""
    info = board[name]
    changed = {item.kind for item in terrain if item.location.hex == name and item.location.ground}
    grounds = {word.replace("_", "-") for word in info.terrain} or {"open-ground"}
    if info.bridge:
        grounds = (grounds - _BELOW_A_BRIDGE) | {"bridge"}
    if changed & _RUBBLE:
        grounds.add("rubble")
    elif info.building:
        grounds |= {"building"} | ({"interior-building"} if _is_interior(board, name) else set())
    if TerrainKind.SHELLHOLE in changed:
        grounds.add("shellhole")
    if info.paved:
        grounds.add("paved-road")
    elif info.unpaved or info.road_along:
        grounds.add("unpaved-road")
    else:
        grounds.add("off-road")
    return frozenset(grounds)


def _is_interior(board: Board, name: str) -> bool:
    """Whether all six neighbours of a building hex belong to the same building. Rule: B28.1."""
    around = board.grid.set([name]).spread(1)
    return len(around) == 7 and not around - board.building(name)


def kind_of(fortification: Fortification) -> str:
    """Return the heading of the table for a Fortification on the map.

    A Minefield counter shows no type: it can be where some minefield can. Rule: B28.1, 9.6073.
    """
    kind = FortificationKind(fortification.kind)
    if kind is FortificationKind.MINEFIELD:
        return "at-mines"
    if kind is FortificationKind.AT_MINES and fortification.hidden:
        return "at-mines-hidden"
    return kind.value


def ground_refusal(
    board: Board, terrain: Iterable[Terrain], kind: str, name: str
) -> tuple[str, str] | None:
    """Return the ground that keeps ``kind`` out of the hex ``name``, with its rule; None if none.

    ``kind`` is one of :data:`KINDS`.
    """
    ground = ground_of_hex(board, terrain, name)
    for row in _rows(board.folder):
        if row.ground in ground and (rule := row.refusal(kind)):
            return row.words, rule
    return None


def fortification_refusal(
    board: Board, terrain: Iterable[Terrain], fortification: Fortification
) -> tuple[str, str] | None:
    """Return the ground that keeps a Fortification out of its hex, with its rule; None if none."""
    return ground_refusal(board, terrain, kind_of(fortification), fortification.location.hex)


def barred_words(board: Board, terrain: Iterable[Terrain], fortification: Fortification) -> str:
    """Return the sentence on a Fortification where it cannot be; empty where it can."""
    if not (barred := fortification_refusal(board, terrain, fortification)):
        return ""
    called = f"{'hidden ' if fortification.hidden else ''}{fortification.kind.called}"
    return f"{fortification.at} has {barred[0]}: no {called} can be there ({barred[1]})."
