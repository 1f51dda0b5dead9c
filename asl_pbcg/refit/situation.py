"""What the steps of the Refit Phase ask of a campaign: its board, its Setup Areas, who is where."""

from __future__ import annotations

from collections import deque
from functools import lru_cache

import msgspec

from asl_pbcg.campaign.area_map import AreaMap, SetupArea, Territory
from asl_pbcg.campaign.area_rulings import AreaRulings
from asl_pbcg.campaign.areas import determine_areas
from asl_pbcg.campaign.board import Board, load_board
from asl_pbcg.campaign.board_corrections import Corrections
from asl_pbcg.campaign.catalogue import Catalogue, load_catalogue
from asl_pbcg.campaign.position import Position
from asl_pbcg.campaign.rulings import choice
from asl_pbcg.campaign.state import Campaign, Piece
from asl_pbcg.campaign.terms import CGDate, Side


def board_of(state: Campaign) -> Board:
    """The board as the players of this campaign have it: corrections and house rule P-01."""
    stops = choice(state.house_rules, "P-01") == "stop"
    return _board(msgspec.json.encode(state.corrections), stops)


@lru_cache(maxsize=8)
def _board(corrections: bytes, stops: bool) -> Board:
    barriers = "cliffs-and-black-bars" if stops else "bridges"
    data = msgspec.json.decode(corrections)
    found = Corrections.of(data, load_board()) if data else None
    return load_board(found, barriers=barriers)  # type: ignore[arg-type]


def catalogue_of(state: Campaign) -> Catalogue:
    """The unit catalogue with the players' own values."""
    if not state.catalogue_corrections:
        return load_catalogue()
    return _catalogue(msgspec.json.encode(state.catalogue_corrections))


@lru_cache(maxsize=8)
def _catalogue(corrections: bytes) -> Catalogue:
    return load_catalogue().corrected(msgspec.json.decode(corrections))


def areas_of(state: Campaign) -> AreaMap:
    """The Setup Areas as 9.605 determined them; they stay until the next CG scenario starts.

    Rule: 9.605, 9.6054.
    """
    assert state.determined, "9.605 comes before anything that asks for Setup Areas"
    # A step asks thousands of times with the same objects; to hash a whole position takes long.
    position, board = state.determined, state.corrections
    rules, catalogue = state.house_rules, state.catalogue_corrections
    for known, found in _recent:
        if (
            known[0] is position
            and known[1] is board
            and known[2] is rules
            and known[3] is catalogue
        ):
            return found
    found = _areas(
        state.determined,
        msgspec.json.encode(state.corrections),
        choice(state.house_rules, "P-01") == "stop",
        AreaRulings.of(state.house_rules),
        coming_date(state),
        msgspec.json.encode(state.catalogue_corrections),
    )
    _recent.append(((position, board, rules, catalogue), found))
    return found


_recent: deque[tuple[tuple[object, ...], AreaMap]] = deque(maxlen=4)
"""The Setup Areas of the last states asked for, by the very objects they follow from."""


@lru_cache(maxsize=16)
def _areas(
    position: Position,
    corrections: bytes,
    stops: bool,
    rulings: AreaRulings,
    coming: CGDate | None,
    catalogue_corrections: bytes,
) -> AreaMap:
    catalogue = _catalogue(catalogue_corrections)
    return determine_areas(_board(corrections, stops), position, rulings, coming, catalogue)


def coming_date(state: Campaign) -> CGDate | None:
    """The CG Date that is played next after the scenario whose Setup Areas were determined."""
    return state.determined.date.next if state.determined else state.date.next


def territory(state: Campaign, piece: Piece) -> Territory:
    """What the place of ``piece`` is to its side. Rule: 9.6056."""
    return areas_of(state).territory(piece.side, piece.location)


def setup_area(state: Campaign, piece: Piece) -> SetupArea | None:
    """The friendly Setup Area ``piece`` stands in on the map, or None."""
    return areas_of(state).area_of(piece.side, piece.location) if piece.on_map else None


def retained_area(state: Campaign, piece: Piece) -> SetupArea | None:
    """The friendly Setup Area ``piece`` is Retained in, or None if off map or nowhere yet."""
    for area in areas_of(state).areas[piece.side]:
        if area.id == piece.area:
            return area
    return None


def is_isolated(state: Campaign, piece: Piece) -> bool:
    """Whether ``piece`` is Isolated: by its Location, or by the area it was Retained into since.

    Rule: 9.6052, 9.6057.
    """
    here = setup_area(state, piece)
    if piece.on_map and piece.area in ("", here.id if here else ""):
        return areas_of(state).is_isolated(piece.side, piece.location)
    area = retained_area(state, piece)
    return bool(area and area.isolated)


def retained_in(state: Campaign, side: Side, area: str) -> list[Piece]:
    """The pieces of ``side`` Retained in the Setup/Entry Area ``area``."""
    return [piece for piece in state.pieces if piece.side is side and piece.area == area]


def personnel_in(state: Campaign, side: Side, area: str) -> list[Piece]:
    """The Personnel of ``side``, no prisoners, Retained in the Setup/Entry Area ``area``."""
    return [
        piece
        for piece in retained_in(state, side, area)
        if piece.is_personnel and not piece.is_prisoner
    ]


def at_location(state: Campaign, place: str) -> list[Piece]:
    """All pieces of both sides at a place, for example ``Z15/1``."""
    return [piece for piece in state.pieces if piece.at == place]


def in_board_order(state: Campaign, pieces: list[Piece]) -> list[Piece]:
    """Pieces in alphanumeric order of their hexes (hexrow, then number), then level and id.

    Rule: 9.6011.
    """
    position = board_of(state).grid.position
    return sorted(
        pieces,
        key=lambda piece: (
            position.get(piece.location.hex, 10**6) if piece.on_map else 10**6,
            piece.location.level if piece.on_map else 0,
            piece.id,
        ),
    )


def withdrawn_later(state: Campaign, piece: Piece) -> bool:
    """Whether 9.6153 will withdraw a British unit, so that it skips chart, Escape and Shift.

    Rule: 9.6056 EXC, 9.6153; house rule C-36.
    """
    played = state.determined.date if state.determined else state.date
    return (
        played is CGDate.DAY_2
        and piece.side is Side.BRITISH
        and piece.kind in ("squad", "half_squad", "leader", "hero")
        and not piece.airborne
        and not piece.is_prisoner
        and not piece.is_armor_leader
        and piece.on_map
    )
