"""The context of a campaign, derived from its state: its board, its catalogue, its Setup Areas.

A ``Campaign`` hands these on as its own (``state.board``, ``state.areas``); each is worked out once
for the corrections and house rules of its players and then kept.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from asl_pbcg.campaign.areas.setup_areas import determine_areas
from asl_pbcg.campaign.board.board import BARRIERS, Board
from asl_pbcg.campaign.board.board_corrections import Corrections
from asl_pbcg.campaign.module.campaign_module import Module
from asl_pbcg.campaign.module.catalogue import Catalogue
from asl_pbcg.campaign.module.house_rules import AreaRulings
from asl_pbcg.campaign.position import Position
from asl_pbcg.campaign.terms import CGDate

if TYPE_CHECKING:  # what determines Setup Areas is loaded when they are first asked for
    from asl_pbcg.campaign.areas.area_map import AreaMap

BoardCorrections = Mapping[str, Any]
CatalogueCorrections = Mapping[str, Mapping[str, Mapping[str, Any]]]
HouseRules = Mapping[str, str]


def board_with(module: Module, corrections: BoardCorrections, house_rules: HouseRules) -> Board:
    """The board with the players' corrections. House rule P-01."""
    cliffs = module.rulings.choice(house_rules, "P-01")
    return _board(module, msgspec.json.encode(corrections), cliffs)


@lru_cache(maxsize=8)
def _board(module: Module, corrections: bytes, cliffs: str) -> Board:
    barriers = BARRIERS[cliffs]
    board = module.board
    if data := msgspec.json.decode(corrections):
        board = Corrections.of(data, board).lay_over(board)
    return board if board.barriers == barriers else board.with_barriers(barriers)


def catalogue_with(module: Module, corrections: CatalogueCorrections) -> Catalogue:
    """The unit catalogue with the players' own values."""
    if not corrections:
        return module.catalogue
    return _catalogue(module, msgspec.json.encode(corrections))


@lru_cache(maxsize=8)
def _catalogue(module: Module, corrections: bytes) -> Catalogue:
    data = msgspec.json.decode(corrections)
    return module.catalogue.with_corrections(data) if data else module.catalogue


def areas_with(
    module: Module,
    position: Position,
    corrections: BoardCorrections,
    house_rules: HouseRules,
    catalogue_corrections: CatalogueCorrections,
) -> AreaMap:
    """The Setup Areas that 9.605 determines from ``position``. Rule: 9.605, 9.6054."""
    areas = _areas(
        module,
        position,
        msgspec.json.encode(corrections),
        module.rulings.choice(house_rules, "P-01"),
        AreaRulings.of(house_rules),
        position.date.next,
        msgspec.json.encode(catalogue_corrections),
    )
    _recent.append((position, corrections, house_rules, catalogue_corrections, areas))
    return areas


def recent_areas(
    position: Position,
    corrections: BoardCorrections,
    house_rules: HouseRules,
    catalogue_corrections: CatalogueCorrections,
) -> AreaMap | None:
    """Return the remembered answer of ``areas_with`` for these very objects, or None.

    A step asks thousands of times with the same ones; to hash a whole position takes long.
    """
    for at, board, rules, types, areas in _recent:
        same = at is position and board is corrections and rules is house_rules
        if same and types is catalogue_corrections:
            return areas
    return None


_recent: deque[tuple[object, object, object, object, AreaMap]] = deque(maxlen=4)
"""The Setup Areas of the last states asked for, by the very objects they follow from."""


@lru_cache(maxsize=16)
def _areas(
    module: Module,
    position: Position,
    corrections: bytes,
    cliffs: str,
    rulings: AreaRulings,
    coming: CGDate | None,
    catalogue_corrections: bytes,
) -> AreaMap:
    board = _board(module, corrections, cliffs)
    catalogue = _catalogue(module, catalogue_corrections)
    return determine_areas(board, position, rulings, coming, catalogue)
