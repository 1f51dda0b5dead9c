"""9.51, 9.52 CG Victory Conditions and CG End."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from asl_pbcg.campaign.areas.strategic_locations import StrategicLocations
from asl_pbcg.campaign.board.board import Board
from asl_pbcg.campaign.module.catalogue import MMC, Catalogue, InfantryType
from asl_pbcg.campaign.module.frame import UNITS, Frame
from asl_pbcg.campaign.module.zones import east_of_canal
from asl_pbcg.campaign.state.campaign_state import Campaign, change
from asl_pbcg.campaign.state.ob_merge import to_position
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.hexes.hexset import HexSet

BRITISH, GERMAN = Side.BRITISH, Side.GERMAN


@dataclass(frozen=True, slots=True)
class Condition:
    """One of the CG Victory Conditions at a CG-Scenario End.

    ``met`` is whether the Germans win by it, None if it is not looked at now; ``why`` tells the
    facts and ``rule`` where it stands.
    """

    name: str
    met: bool | None
    why: str
    rule: str


# -- CG End ------------------------------------------------------------------------------


def concede(state: Campaign, loser: Side) -> Campaign:
    """The campaign after ``loser`` concedes CG victory: CG End. Rule: 9.2 CG End."""
    words = f"{loser.other.title} victory: the {loser.people} concede the CG."
    return change(state, ended=words, won_by=loser.other)


def last_date(state: Campaign) -> bool:
    """Whether the CG Date played is the last of the CG. Rule: 9.2 CG End."""
    return state.date is state.frame.campaigns[state.campaign].dates[-1]


def cg_end(state: Campaign, conditions: list[Condition]) -> Campaign:
    """The campaign after its Victory Conditions were looked at; CG End if it has come.

    Rule: 9.2 CG End.
    """
    end = f"at the {state.date.title} CG-Scenario End"
    met = [condition for condition in conditions if condition.met]
    if met:
        reasons = "; ".join(f"{condition.why} ({condition.rule})" for condition in met)
        return change(state, ended=f"German victory {end}: {reasons}.", won_by=GERMAN)
    if last_date(state):
        reason = "the Germans have met none of their Victory Conditions"
        return change(state, ended=f"British victory {end}: {reason}.", won_by=BRITISH)
    return state


# -- The Victory Conditions --------------------------------------------------------------


def victory_conditions(
    state: Campaign, board: Board, catalogue: Catalogue, commando_vp_lost: int = 0
) -> list[Condition]:
    """Settle each CG Victory Condition at a CG-Scenario End.

    ``commando_vp_lost`` is what ``commando_loss`` reckons or the players say. Rule: 9.51, 9.52.
    """
    return [
        bridge(state),
        road(state, board),
        commandos(state, board, catalogue, commando_vp_lost),
    ]


def _rule(state: Campaign) -> str:
    return state.frame.campaigns[state.campaign].rule


def bridge(state: Campaign) -> Condition:
    """Whether the Germans win by Control of Pegasus Bridge. Rule: 9.51, 9.52; house rule P-09."""
    name, rule = "Pegasus Bridge", _rule(state)
    if state.date not in state.frame.victory.bridge_dates:
        return Condition(name, None, "not looked at after a Night CG scenario", rule)
    needed = bridge_locations(state)
    held = {side: [site for site in needed if site in state.control.of(side)] for side in Side}
    uncontrolled = [site for site in needed if not any(site in places for places in held.values())]
    parts = [f"the Germans Control {len(held[GERMAN])} of {len(needed)} Locations"]
    parts += [f"{side.title} {', '.join(held[side])}" for side in (GERMAN, BRITISH) if held[side]]
    parts += [f"uncontrolled {', '.join(uncontrolled)}"] if uncontrolled else []
    won = len(held[GERMAN]) == len(needed)
    return Condition(name, won, f"{parts[0]} ({'; '.join(parts[1:])})", rule)


def bridge_locations(state: Campaign) -> tuple[str, ...]:
    """Return the Locations that a side must Control to Control Pegasus Bridge.

    The upper level of a house that no longer stands is not one of them.

    Rule: SSR PB4; house rule P-09.
    """
    objectives = StrategicLocations(to_position(state), state.board, state.catalogue).objectives
    named = state.frame.victory.bridge[state.ruling("P-09")]
    return tuple(place for place in named if place in objectives)


def victory_road(board: Board, frame: Frame) -> HexSet:
    """The hexes of the road that the Victory Conditions name. Rule: 9.51."""
    corners = frame.victory.road
    hexes = {corners[0]}
    for start, end in pairwise(corners):
        hexes |= _along_road(board, start, end)
    return board.grid.set(hexes)


def _along_road(board: Board, start: str, end: str) -> set[str]:
    """Return the hexes of the shortest way along roads; the two ends if no road joins them."""
    came: dict[str, str] = {start: ""}
    waiting = [start]
    for hex_name in waiting:
        for side in board[hex_name].road_sides:
            neighbour = board.grid.neighbour(hex_name, side)
            if neighbour is not None and neighbour not in came:
                came[neighbour] = hex_name
                waiting.append(neighbour)
    if end not in came:
        return {start, end}
    way = set()
    hex_name = end
    while hex_name:
        way.add(hex_name)
        hex_name = came[hex_name]
    return way


def road(state: Campaign, board: Board) -> Condition:
    """Whether the Germans win by a Good Order MMC near the road at CG End. Rule: 9.51, 9.52."""
    name, rule = "The road to the bridge", _rule(state)
    if not last_date(state):
        return Condition(name, None, "looked at at CG End only", rule)
    reach: int = state.frame.victory.road_range
    near = victory_road(board, state.frame).spread(reach)
    units = [
        piece
        for piece in state.of(GERMAN)
        if piece.kind in MMC and piece.on_map and piece.good_order and piece.location.hex in near
    ]
    words = ", ".join(f"{name_piece(piece)} in {piece.at}" for piece in units) or "none"
    why = f"Good Order German MMC at most {reach} hexes from the road: {words}"
    return Condition(name, bool(units), why, rule)


# -- The commandos of Day II -------------------------------------------------------------


def is_commando(state: Campaign, catalogue: Catalogue, piece: Piece) -> bool:
    """Whether a piece is one of the non-Airborne 6-4-8s and 3-3-8s. Rule: 9.51, 9.52."""
    return (
        piece.side is BRITISH
        and not piece.airborne
        and not piece.captured
        and piece.type in state.frame.victory.day_2_types
    )


def worth(catalogue: Catalogue, type: str) -> int:
    """Return the VP that a British squad or HS type is worth. Rule: A26.2; ruling C-02."""
    return catalogue.infantry(type, BRITISH).cvp or 0


def commandos(state: Campaign, board: Board, catalogue: Catalogue, vp_lost: int) -> Condition:
    """Whether the Germans win by the commandos at Day II. Rule: 9.51, 9.52; house rule C-01."""
    name, rule = "The commandos of Day II", _rule(state)
    if state.date is not CGDate.DAY_2:
        return Condition(name, None, "looked at at the Day II CG-Scenario End only", rule)
    chart = state.frame.victory
    east = east_of_canal(board)
    units = [
        piece
        for piece in state.pieces
        if is_commando(state, catalogue, piece)
        and piece.on_map
        and not piece.is_prisoner
        and piece.location.hex in east
    ]
    points = sum(worth(catalogue, piece.type) for piece in units)
    enough = points >= chart.day_2_vp_least
    few_lost = vp_lost <= chart.day_2_cvp_most
    both = state.plays("C-01", "both")
    met = not (enough and few_lost) if both else not enough and few_lost
    why = (
        f"{points} VP of non-Airborne 6-4-8s and 3-3-8s are east of the Canal "
        f"({chart.day_2_vp_least} needed) and {vp_lost} CVP of them were lost "
        f"({chart.day_2_cvp_most} at most)"
    )
    return Condition(name, met, why, rule)


def commando_loss(state: Campaign, catalogue: Catalogue) -> int:
    """Return the CVP of non-Airborne 6-4-8s and 3-3-8s lost in the Day II scenario.

    The MMC received for Day II less the MMC that remain, whatever their type now; prisoners are
    lost by A26.222. Rule: 9.51, 9.6152; house rule C-30.
    """
    chart = state.charts.reinforcements.dates[CGDate.DAY_2].units
    types = state.frame.victory.day_2_types
    received = sum(chart.get(type, 0) * _cvp(catalogue, type) for type in types)
    held = 1 - prisoner_times(state)
    remaining = sum(
        _cvp(catalogue, piece.type) * (held if piece.is_prisoner else 1)
        for piece in state.of(BRITISH)
        if not piece.airborne and not piece.captured and piece.kind in ("squad", "half_squad")
    )
    return max(0, received - remaining)


def prisoner_times(state: Campaign) -> int:
    """How many times its CVP a unit held prisoner counts. Rule: A26.222; house rule C-30."""
    if state.plays("C-30", "no-prisoners"):
        return 0
    return UNITS.content.prisoners.cvp_times


def _cvp(catalogue: Catalogue, type: str) -> int:
    infantry = catalogue.find(type, BRITISH)
    return infantry.cvp or 0 if isinstance(infantry, InfantryType) else 0
