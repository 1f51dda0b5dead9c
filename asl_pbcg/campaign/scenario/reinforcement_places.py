"""9.6151 Where OB-given reinforcements may set up or enter, whenever they do it."""

from __future__ import annotations

from asl_pbcg.campaign.areas.area_map import SetupArea
from asl_pbcg.campaign.board.entry_areas import entry_areas
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.hexes.hexset import HexSet

BRITISH = Side.BRITISH
NOTE_1, NOTE_3 = "note 1", "note 3"
"""The ``Piece.listed_at`` of a reinforcement that sets up by a note of 9.6152."""


def listed_entry(state: Campaign, date: CGDate) -> str:
    """The Entry Area listed for the reinforcements of a CG Date; empty if notes say it.

    Rule: 9.6152; house rule A-05.
    """
    entry = state.charts.reinforcements.dates[date].entry
    return state.ruling("A-05") if entry and date is CGDate.DAY_2 else entry


def note_areas(state: Campaign, listed_at: str) -> list[SetupArea]:
    """Return the British Setup Areas that ``note 1`` or ``note 3`` allows.

    Note 1: those that are not Isolated. Note 3: of these, those with a hex numbered 20 or more.
    Rule: 9.6152 notes 1, 3.
    """
    areas = [area for area in state.areas.areas[BRITISH] if not area.isolated]
    if listed_at == NOTE_3:
        areas = [area for area in areas if gun_hexes(state, area)]
    return areas


def gun_hexes(state: Campaign, area: SetupArea) -> HexSet:
    """Return the hexes of a Setup Area numbered 20 or more, where note 3 lets Guns set up.

    Open water is not among them. Rule: 9.6152 note 3, 9.2 Enterable; ruling C-77.
    """
    grid = state.board.grid
    least = state.charts.reinforcements.gun_hex_number_least
    numbered = (
        name
        for name in area.hexes & state.board.enterable
        if int(name.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")) >= least
    )
    return grid.set(numbered)


def setup_hexes(state: Campaign, piece: Piece) -> HexSet | None:
    """The hexes a reinforcement is held to within its Setup Area; None if to none in particular.

    Only a Gun of note 3 is: whenever it sets up for the first time. Rule: 9.6151, 9.6152 note 3.
    """
    if piece.listed_at != NOTE_3 or piece.kind != "gun" or piece.at:
        return None
    area = next((area for area in note_areas(state, NOTE_3) if area.id == piece.area), None)
    return gun_hexes(state, area) if area else state.board.grid.none


def entry_hexes(state: Campaign, piece: Piece) -> HexSet:
    """The hexes by which a reinforcement that is off map may enter; none if it may not now.

    Listed for an Entry Area: that Area, on whatever CG Date it enters. By notes 1 and 3: none
    while a Setup Area can take it; else hex Z28 (note 1) or the Entry Area Z28 (note 3).

    Rule: 9.6151, 9.6152 notes 1, 3; house rules B-12, P-59.
    """
    grid = state.board.grid
    arrow = piece.listed_at
    if arrow in (NOTE_1, NOTE_3):
        if note_areas(state, arrow):
            return grid.none
        arrow = state.charts.reinforcements.fallback_entry
        if piece.listed_at == NOTE_1 and state.plays("B-12", "as-printed"):
            return grid.set([arrow])
    entries = {area.id: area for area in state.areas.entry_areas[BRITISH]}
    if arrow not in entries:
        return grid.none
    if state.plays("P-59", "arrow-dates") and not entries[arrow].eligible:
        return grid.none
    return entries[arrow].hexes


def entry_cost(state: Campaign, area: str) -> int:
    """Return the CPP Entry Cost of a German area, balance included; 0 for a Setup Area.

    Rule: CG5, 9.61741, 9.31.
    """
    entry = entry_areas(state.board).get(area)
    printed = entry.cost or 0 if entry and entry.side is Side.GERMAN else 0
    if state.balance == "german" and printed > 0:
        change: int = state.frame.balance[Side.GERMAN].entry_cost_change
        return max(0, printed + change)
    return printed
