"""Facts of the current CG scenario: who sets up where, and what is available: 9.3-9.4.

The steps ask for it, and ``scenario_card`` tells it.
"""

from __future__ import annotations

from asl_pbcg.campaign.area_map import AreaMap
from asl_pbcg.campaign.board import Board
from asl_pbcg.campaign.entry_areas import entry_areas
from asl_pbcg.campaign.frame import Frame, SetupOrder
from asl_pbcg.campaign.pieces import Piece, Vehicle
from asl_pbcg.campaign.retained import is_isolated
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.terms import CGDate, Side

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
    if areas is None or state.at == "scenario":
        return [piece for piece in state.pieces if piece.ammo_shortage]
    found = []
    for piece in state.pieces:
        if not piece.is_unit_or_equipment or piece.is_prisoner:
            continue
        if is_isolated(state, piece):
            found.append(piece)
    return found
