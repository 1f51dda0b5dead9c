"""The page of 9.605: every piece by Setup Area, Entry Area and the ground between, for prints."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from asl_pbcg.campaign.area_map import SetupArea, Territory
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.terms import Side
from asl_pbcg.refit.retention import still_there
from asl_pbcg.refit.situation import in_board_order, is_isolated, territory
from asl_pbcg.refit.status_chart import Status, status_of


class PieceLine(msgspec.Struct, frozen=True, kw_only=True):
    """One unit or piece of Equipment on the page."""

    id: str
    side: Side
    type: str
    at: str
    """Its Location; of what was Retained elsewhere, the one where it ended the scenario."""
    moved: bool
    """Whether it was Retained elsewhere than it stood."""
    isolated: bool
    says: str
    """The words of the status chart. Rule: 9.6056."""
    rule: str


class AreaLine(msgspec.Struct, frozen=True, kw_only=True):
    """A Setup Area, an Entry Area, No Man's Land or Uncontrolled Territory, with all in it."""

    title: str
    side: Side | None = None
    id: str = ""
    name: str = ""
    """The name its side gave it beside its ID."""
    isolated: bool = False
    eligible: bool = True
    """Of an Entry Area: whether it is Eligible."""
    strategic_locations: tuple[str, ...] = ()
    hexes: tuple[str, ...] = ()
    front_line: tuple[str, ...] = ()
    pieces: tuple[PieceLine, ...] = ()


def area_title(state: Campaign, side: Side, id: str) -> str:
    """Return a Setup Area as players know it: its ID, and its name if it has one. Rule: 9.6054."""
    name = state.area_names.get(f"{side.value}/{id}")
    return f"Setup Area {id} ({name})" if name else f"Setup Area {id}"


def area_table(state: Campaign, viewer: Side | None = None) -> list[AreaLine]:
    """Return each side's Setup Areas and Entry Areas, then the ground between, with what is there.

    The map and what stands on it both sides may see. What waits off map only its own side sees:
    with a ``viewer`` the other side's is left out. Rule: 9.605, 9.6054, 9.6056.
    """
    lines = []
    for side in state.sides:
        lines += [_setup_area(state, area) for area in state.areas.areas[side]]
        lines += _entry_areas(state, side, viewer)
    for where in (Territory.NO_MANS_LAND, Territory.UNCONTROLLED):
        lines.append(_between(state, where))
    lines.append(_in_enemy_areas(state))
    return lines


def _setup_area(state: Campaign, area: SetupArea) -> AreaLine:
    pieces = [
        piece
        for piece in state.pieces
        if piece.side is area.side and piece.area == area.id and not piece.is_prisoner
    ]
    return AreaLine(
        title=f"{area.side.title} {area_title(state, area.side, area.id)}",
        side=area.side,
        id=area.id,
        name=state.area_names.get(f"{area.side.value}/{area.id}", ""),
        isolated=area.isolated,
        strategic_locations=tuple(str(each) for each in area.strategic_locations),
        hexes=tuple(area.hexes.names),
        front_line=tuple(area.front_line.names),
        pieces=_piece_lines(state, [*pieces, *_prisoners_of(state, pieces)]),
    )


def _prisoners_of(state: Campaign, guards: Iterable[Piece]) -> list[Piece]:
    ids = {guard.id for guard in guards}
    return [piece for piece in state.pieces if piece.guarded_by in ids]


def _entry_areas(state: Campaign, side: Side, viewer: Side | None) -> list[AreaLine]:
    found = []
    for entry in state.areas.entry_areas[side]:
        seen = viewer in (None, side)
        pieces = [piece for piece in state.pieces if piece.side is side and piece.area == entry.id]
        if entry.eligible or (pieces and seen):
            found.append(
                AreaLine(
                    title=f"{side.title} Entry Area {entry.id}",
                    side=side,
                    id=entry.id,
                    eligible=entry.eligible,
                    hexes=tuple(entry.hexes.names),
                    pieces=_piece_lines(state, pieces if seen else []),
                )
            )
    return found


def _between(state: Campaign, where: Territory) -> AreaLine:
    areas = state.areas
    hexes = areas.no_mans_land if where is Territory.NO_MANS_LAND else areas.uncontrolled
    return AreaLine(
        title=where.value,
        hexes=tuple(hexes.names),
        pieces=_piece_lines(state, [p for p in _nowhere(state) if territory(state, p) is where]),
    )


def _in_enemy_areas(state: Campaign) -> AreaLine:
    pieces = [p for p in _nowhere(state) if territory(state, p) is Territory.ENEMY]
    return AreaLine(title="in enemy Setup Areas", pieces=_piece_lines(state, pieces))


def _nowhere(state: Campaign) -> list[Piece]:
    """Return what is Retained nowhere, prisoners aside."""
    return [
        piece
        for piece in state.pieces
        if not piece.area and not piece.is_prisoner and piece.is_unit_or_equipment
    ]


def _piece_lines(state: Campaign, pieces: list[Piece]) -> tuple[PieceLine, ...]:
    lines = []
    for piece in in_board_order(state, pieces):
        status: Status = status_of(state, piece)
        moved = piece.on_map and not still_there(state, piece)
        lines.append(
            PieceLine(
                id=piece.id,
                side=piece.side,
                type=piece.type,
                at=piece.at,
                moved=moved,
                isolated=not piece.is_prisoner and is_isolated(state, piece),
                says="Retained here" if moved else status.says,
                rule=status.rule,
            )
        )
    return tuple(lines)
