"""Where each piece may set up or enter. Rule: 9.62021, 9.62022, CG6, CG8, CG11."""

from __future__ import annotations

from dataclasses import dataclass

from asl_pbcg.campaign.entry_areas import entry_areas
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.night import is_held_by_no_move
from asl_pbcg.campaign.pieces import Piece, Vehicle
from asl_pbcg.campaign.reinforcement_places import NOTE_3, entry_hexes, setup_hexes
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.terms import Side
from asl_pbcg.campaign.zones import zone_hexes
from asl_pbcg.hexes.hexset import HexSet
from asl_pbcg.refit.setup_ground import enterable_now
from asl_pbcg.refit.situation import is_isolated
from asl_pbcg.refit.vehicle_actions import KEPT_IN_PLACE


@dataclass(frozen=True, slots=True)
class Setup:
    """Where one piece may begin the CG scenario.

    ``fixed`` is its one Location if it may not choose; ``hexes`` those it may choose from; with
    neither it is off map and enters at ``entry`` (an Entry Area's arrow hex).
    """

    piece: Piece
    isolated: bool
    words: str
    rule: str
    fixed: str = ""
    hexes: HexSet | None = None
    entry: str = ""


def setups(state: Campaign, side: Side) -> list[Setup]:
    """Return where each piece of ``side`` may set up or enter. Rule: 9.62021, 9.62022."""
    return [
        _setup(state, piece)
        for piece in state.of(side)
        if piece.is_unit_or_equipment and not piece.is_prisoner
    ]


def fortification_setups(state: Campaign, side: Side) -> list[Setup]:
    """Return where the Fortifications of an Initial Scenario's OB set up. Rule: 9.51, 9.52."""
    given = () if state.played else state.of(side)
    return [_initial(state, piece) for piece in given if piece.kind == "fortification"]


def _setup(state: Campaign, piece: Piece) -> Setup:
    if state.determined is None:
        return _initial(state, piece)
    isolated = is_isolated(state, piece)
    if piece.off_map:
        return _off_map(state, piece)
    if not piece.at and piece.area in entry_areas(state.board):  # an RG just purchased
        return Setup(piece, False, f"enters at Entry Area {piece.area}", "CG6", entry=piece.area)
    areas = state.areas.areas[piece.side]
    if piece.on_map and all(area.id != piece.area for area in areas):
        return Setup(piece, False, f"stays in {piece.at}", "9.6072", fixed=piece.at)
    if isinstance(piece, Vehicle) and piece.has(*KEPT_IN_PLACE):
        facing = f", VCA {piece.vca}" if piece.vca else ""
        return Setup(piece, isolated, f"stays in {piece.at}{facing}", "9.6071", fixed=piece.at)
    if is_held_by_no_move(state, piece, state.board):
        return Setup(piece, isolated, f"stays in {piece.at}", "9.6058", fixed=piece.at)
    area = _area_hexes(state, piece) & enterable_now(state)
    if piece.kind == "gun" and piece.on_map:
        return _gun(state, piece, isolated, area)
    words = f"sets up in Setup Area {piece.area}"
    listed = setup_hexes(state, piece)
    if listed is not None:
        listed &= enterable_now(state)
        words = f"sets up in {', '.join(listed)}"
        return Setup(piece, isolated, words, "9.6152 note 3", hexes=listed)
    return Setup(piece, isolated, words, "9.62021" if isolated else "9.62022", hexes=area)


def _off_map(state: Campaign, piece: Piece) -> Setup:
    """Off map it enters at its Entry Area, an OB-given reinforcement as 9.6152 lists it."""
    entry = piece.location.entry
    if not piece.listed_at:
        if _is_closed(state, piece.side, entry):
            return Setup(piece, False, "is held off map", "CG5", entry=entry)
        return Setup(piece, False, f"enters at Entry Area {entry}", "CG6", entry=entry)
    hexes = entry_hexes(state, piece)
    if not hexes:
        return Setup(piece, False, "is held off map", "9.6151", entry=entry)
    where = f"hex {entry}" if len(hexes) == 1 else f"Entry Area {entry}"
    how = ", Manhandled" if piece.listed_at == NOTE_3 and piece.kind == "gun" else ""
    return Setup(piece, False, f"enters at {where}{how}", "9.6151", entry=entry)


def _is_closed(state: Campaign, side: Side, entry: str) -> bool:
    """Return whether an Entry Area of a side is not Eligible on this CG Date. Rule: CG5."""
    entries = state.areas.entry_areas[side]
    return any(each.id == entry and not each.eligible for each in entries)


def _initial(state: Campaign, piece: Piece) -> Setup:
    """Return as the Initial Scenario's OB says. Rule: 9.51, 9.52, CG6."""
    initial = state.charts.initial[state.campaign]
    if piece.at:
        return Setup(piece, False, f"sets up in {piece.at}", initial.setup.rule, fixed=piece.at)
    for group in initial.groups:
        if group.side is piece.side and group.area == piece.area:
            hexes = zone_hexes(group.zone, state.board, state.ruling("P-03"))
            if group.zone.glider or group.zone.entry:
                return Setup(piece, False, group.place, group.rule, entry=piece.area)
            words = f"sets up {group.place}"
            hexes &= enterable_now(state)
            return Setup(piece, False, words, group.rule, hexes=hexes)
    return Setup(piece, False, f"enters at Entry Area {piece.area}", "CG6", entry=piece.area)


def _area_hexes(state: Campaign, piece: Piece) -> HexSet:
    """Return the hexes of the Setup Area a piece is Retained in, with Strategic Locations."""
    for area in state.areas.areas[piece.side]:
        if area.id == piece.area:
            places = [place.hex for place in area.strategic_locations]
            return area.hexes | state.board.grid.set(places)
    return state.board.grid.set([])


def _gun(state: Campaign, piece: Piece, isolated: bool, area: HexSet) -> Setup:
    """Return a Gun that ended the last scenario on the map. Rule: CG11; house rule C-68."""
    guns = state.frame.guns
    here = piece.location.hex
    if guns.is_bound(piece.type, here):
        return Setup(piece, isolated, f"stays in {here}", "CG11", fixed=piece.at)
    near = state.board.grid.set([here]).spread(guns.setup_range)
    if state.plays("C-68", "same-area"):
        hexes = near & area
    else:
        hexes = near & state.areas.friendly(piece.side)
    words = f"sets up within {guns.setup_range} hexes of {here}, in Setup Area {piece.area}"
    return Setup(piece, isolated, words, "CG11", hexes=hexes)


def is_level_of(state: Campaign, piece: Piece, place: Location) -> bool:
    """Return whether a Location of a hex it may set up in belongs to its own Setup Area.

    Where both sides Control levels of a hex one of them is the other side's, or an area of its
    own. Rule: 9.62021, 9.62022, 9.6054 EX; house rule C-68.
    """
    if state.determined is None:
        return True
    area = state.areas.area_of(piece.side, place)
    any_area = piece.kind == "gun" and state.plays("C-68", "three-hexes")
    return area is not None and (any_area or area.id == piece.area)
