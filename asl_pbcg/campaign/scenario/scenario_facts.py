"""Facts of the current CG scenario: setup order, Retained areas, Isolation, Night, entry.

The steps use them, and ``campaign/sheets/scenario_card.py`` displays them. Rule: 9.2 Retained,
9.3-9.4, 9.6052, 9.6055, CG4, CG11, CG12.
"""

from __future__ import annotations

from asl_pbcg.campaign.areas.area_map import AreaMap, SetupArea
from asl_pbcg.campaign.board.board import Board
from asl_pbcg.campaign.board.entry_areas import entry_areas
from asl_pbcg.campaign.module.frame import Frame, SetupOrder
from asl_pbcg.campaign.position_words import Status, UnitStatus
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.pieces import Piece, Vehicle
from asl_pbcg.campaign.terms import CGDate, Side


def setup_area(state: Campaign, piece: Piece) -> SetupArea | None:
    """The friendly Setup Area ``piece`` stands in on the map, or None."""
    return state.areas.area_of(piece.side, piece.location) if piece.on_map else None


def retained_area(state: Campaign, piece: Piece) -> SetupArea | None:
    """The friendly Setup Area ``piece`` is Retained in, or None if off map or nowhere yet."""
    for area in state.areas.areas[piece.side]:
        if area.id == piece.area:
            return area
    return None


def has_left(state: Campaign, piece: Piece) -> bool:
    """Whether ``piece`` was Retained elsewhere than where it stood when the scenario ended.

    It Escaped, Shifted or was freed; its Location is not known until it sets up. Rule: 9.6061,
    9.613.
    """
    area = setup_area(state, piece)
    return piece.on_map and piece.area not in ("", area.id if area else "")


def is_isolated(state: Campaign, piece: Piece) -> bool:
    """Whether ``piece`` is Isolated: by its Location, or by the area it was Retained into since.

    A vehicle may be where Infantry is not: house rule P-26. Rule: 9.6052, 9.6057.
    """
    if piece.on_map and not has_left(state, piece):
        if piece.id in state.cut_off and setup_area(state, piece):
            return True
        return state.areas.is_isolated(piece.side, piece.location)
    area = retained_area(state, piece)
    return bool(area and area.isolated)


GERMAN = Side.GERMAN


def order_of(state: Campaign) -> SetupOrder:
    """Return which side sets up and which moves first on the current CG Date.

    Rule: 9.62023, 9.51, 9.52.
    """
    if state.date is state.frame.campaigns[state.campaign].dates[0]:
        return state.charts.initial[state.campaign].setup
    return state.frame.setup_order[state.date]


def on_map(state: Campaign, piece: Piece) -> bool:
    """Whether a piece sets up on map: it is Retained in a Setup Area or stands on the map."""
    if piece.off_map:
        return False
    area = piece.retained_in
    return area.is_setup_area if area else piece.on_map


def is_gun_of_i_2(state: Campaign, piece: Piece) -> bool:
    """Whether SSR I-2 keeps a Gun Emplaced, unpossessed and out of HIP as the campaign begins.

    It does the 50L AT in X20 in both Initial Scenarios: the OB of CG II points to it.
    Rule: 9.51 SSR I-2, 9.52; ruling P-95.
    """
    return state.determined is None and state.frame.guns.is_bound(piece.type, piece.at)


def panzerfaust_halves(state: Campaign) -> int:
    """Half Panzerfaust available as the scenario begins: one per German squad set up on map.

    Rule: CG12.
    """
    squads = [
        piece
        for piece in state.of(GERMAN)
        if piece.kind == "squad" and not piece.is_prisoner and on_map(state, piece)
    ]
    return len(squads) * int(state.frame.panzerfaust.per_squad_halves)


def panzerfaust_after(halves: int, squads_entered: int, frame: Frame) -> int:
    """Half Panzerfaust after squads entered as reinforcements. Rule: CG12."""
    return halves + squads_entered * int(frame.panzerfaust.per_squad_halves)


def panzerfaust_usable(halves: int) -> int:
    """The Panzerfaust that attempts can be made with: a half alone is none. Rule: CG12."""
    return halves // 2


def eligible_arrows(state: Campaign, side: Side, board: Board) -> dict[str, int]:
    """The Entry Areas ``side`` may use on the current CG Date, with their CPP Entry Costs.

    A British arrow is for the CG Dates printed in it. Rule: CG5, 9.61741, 9.31.
    """
    change = state.frame.balance[GERMAN].entry_cost_change if state.balance == GERMAN else 0
    return {
        arrow: max(0, area.cost + change) if area.cost else 0
        for arrow, area in entry_areas(board).items()
        if area.side == side and area.available(state.date)
    }


def has_aamg(piece: Piece) -> bool:
    """Whether a vehicle has the Optional AAMG that was rolled for it. Rule: CG7."""
    return isinstance(piece, Vehicle) and bool(piece.aamg)


def may_tow(date: CGDate, frame: Frame) -> bool:
    """Whether Guns may be towed on a CG Date. Rule: CG11."""
    return date in frame.guns.towed_on


def ammunition_shortage(state: Campaign, areas: AreaMap | None) -> list[Piece]:
    """The pieces that set up Isolated and suffer Ammunition Shortage.

    After 9.620 those it marked, before it those that would if nothing changed.
    Rule: 9.62021, A19.131.
    """
    if areas is None or state.in_scenario:
        return [piece for piece in state.pieces if piece.ammo_shortage]
    pieces = []
    for piece in state.pieces:
        if not piece.is_unit_or_equipment or piece.is_prisoner:
            continue
        if is_isolated(state, piece):
            pieces.append(piece)
    return pieces


FREE = UnitStatus.FREEDOM_OF_MOVEMENT
NO_MOVE = UnitStatus.NO_MOVE


def south_of_cc(name: str, board: Board, first_north: str) -> bool:
    """Whether a hex lies south of hexrow CC: in hexrows A to BB. Rule: CG4b; ruling C-71."""
    return board.grid.index(name) < board.grid.index(f"{first_north}1")


def statuses_that_matter(piece: Piece, date: CGDate) -> tuple[Status, ...]:
    """Return what is true of a piece, without Freedom of Movement by day. Rule: CG4, E1.21."""
    return tuple(status for status in piece.status if date.is_night or status != FREE)


def freedom_of_movement(state: Campaign, piece: Piece, board: Board) -> bool:
    """Whether a unit has Freedom of Movement as the scenario of the current CG Date begins.

    Night I: the British, and no German on map. Night II: the British, and Germans who are not
    south of hexrow CC or gained it in Night I. Who has Escaped or Shifted since may set up anywhere
    in that Setup Area: he counts as south if any of it is, and so does a place that is not known.
    Night III and by day: everybody.

    Rule: CG4, CG4a, CG4b, CG4c.
    """
    if piece.side is Side.BRITISH or state.date not in (CGDate.NIGHT_1, CGDate.NIGHT_2):
        return True
    waits_in = piece.retained_in
    if piece.off_map or (waits_in and waits_in.is_entry_area and not piece.at):
        return True  # it enters; only what sets up on map waits
    if state.date is CGDate.NIGHT_1:
        return False
    if piece.has(FREE):
        return True
    if not piece.on_map:
        return False
    places = [piece.location.hex]
    if state.determined and has_left(state, piece):
        area = retained_area(state, piece)
        places = area.hexes.names if area else places
    first_north = state.frame.night.north_from
    return not any(south_of_cc(place, board, first_north) for place in places)


def is_held_by_no_move(state: Campaign, piece: Piece, board: Board) -> bool:
    """Whether a unit may not change its Location in the Refit Phase before Night II.

    That is a German unit south of hexrow CC on a No Move marker, as long as it has it; a counter
    left on a vehicle that the British have captured means nothing. Rule: 9.6058, CG4b; ruling P-33.
    """
    return (
        state.coming_date is CGDate.NIGHT_2
        and piece.side is Side.GERMAN
        and piece.has(NO_MOVE)
        and piece.on_map
        and south_of_cc(piece.location.hex, board, state.frame.night.north_from)
    )
