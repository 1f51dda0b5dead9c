"""Setup: the hexes and Entry Areas where each piece and Fortification may begin the CG scenario.

Rule: 9.2 Enterable, 9.619, 9.6202, CG6, CG8, CG11, B26-B30.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from msgspec.structs import replace

from asl_pbcg.campaign.board.entry_areas import entry_areas
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.module.charts import FortificationPrice
from asl_pbcg.campaign.module.fortification_ground import ground_refusal
from asl_pbcg.campaign.module.zones import zone_hexes
from asl_pbcg.campaign.position_words import TerrainKind
from asl_pbcg.campaign.scenario.reinforcement_places import NOTE_3, entry_hexes, setup_hexes
from asl_pbcg.campaign.scenario.scenario_facts import is_held_by_no_move
from asl_pbcg.campaign.state.campaign_state import Bought, Campaign
from asl_pbcg.campaign.state.pieces import Piece, Vehicle
from asl_pbcg.campaign.terms import Side
from asl_pbcg.hexes.hexset import HexSet
from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.kernel.topic import Topic
from asl_pbcg.refit.helpers.situation import is_isolated
from asl_pbcg.refit.helpers.vehicle_actions import KEPT_IN_PLACE


def enterable_now(state: Campaign) -> HexSet:
    """Return the hexes that Infantry could enter: in play, no open water, no Blaze there.

    Rule: 9.2 Enterable.
    """
    board = state.board
    fires = (
        terrain.location
        for terrain in state.terrain
        if terrain.kind is TerrainKind.BLAZE and terrain.location.ground
    )
    return board.enterable - board.grid.set(where.hex for where in fires)


def friendly_setup_hexes(state: Campaign, side: Side) -> HexSet:
    """Return every hex of ``side``'s Setup Areas; for an Initial Scenario of its OB groups' zones.

    Rule: 9.2, 9.51, 9.52, 9.62021, 9.62022.
    """
    board = state.board
    hexes = board.grid.none
    if state.determined is not None:
        return state.areas.friendly(side)
    for group in state.charts.initial[state.campaign].groups:
        if group.side is side:
            hexes |= zone_hexes(group.zone, board, state.ruling("P-03"))
    return hexes


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


def placement_refusal(
    state: Campaign, side: Side, chart: FortificationPrice, name: str
) -> tuple[str, str]:
    """Return why ``side`` cannot set up a Fortification in the hex ``name``, and by which rule.

    Empty if it can. Rule: 9.62022, 9.619 note f, B26-B30.
    """
    if name not in friendly_setup_hexes(state, side):
        return f"{name} is in no friendly Setup Area.", "9.62022"
    if name not in enterable_now(state):
        return f"{name} is a hex that nobody can enter.", "9.2 Enterable"
    mines = chart.per == "factor"
    if mines and state.determined is not None and name not in state.areas.supplied[side]:
        return f"{name} is Isolated: no mines can be set up there.", "9.619 note f"
    barred = ground_refusal(state.board, state.terrain, chart.ground, name)
    if barred:
        ground, rule = barred
        return f"{name} has {ground}: no {chart.name} can be there.", rule
    return "", ""


def area_refusal(state: Campaign, side: Side, chart: FortificationPrice) -> tuple[str, str]:
    """Return why no hex of ``side``'s Setup Areas can take a Fortification, and by which rule.

    Empty if some hex can. Rule: 9.62022, 9.619 note f, B26-B30.
    """
    hexes = friendly_setup_hexes(state, side)
    if not hexes:
        return f"The {side.people} have no Setup Area.", "9.62022"
    rules = set()
    for name in hexes:
        refused, rule = placement_refusal(state, side, chart, name)
        if not refused:
            return "", ""
        rules.add(rule)
    if "9.619 note f" in rules:
        return "Every Setup Area that could take it is Isolated.", "9.619 note f"
    return f"No hex of a friendly Setup Area can take {chart.name}.", min(rules)


def placement_prompt(
    state: Campaign, setup: Campaign, bought: Bought, none: str, prompt: Prompt
) -> Prompt:
    """Return ``prompt`` as the question for the hex of a purchase, or for ``none``.

    ``setup`` is the campaign with the Setup Areas in which it sets up. Rule: 9.62022.
    """
    chart = setup.charts.fortifications.kinds[bought.kind]

    def check(answer: str) -> str:
        if answer.lower() == none:
            return none
        name = answer.upper()
        setup.board.grid.index(name)
        refused, rule = placement_refusal(setup, bought.side, chart, name)
        if refused:
            raise IllegalAnswer(refused, rule)
        return name

    def draw(source: Random) -> str:
        name = source.choice([none, *friendly_setup_hexes(setup, bought.side)])
        return none if placement_refusal(setup, bought.side, chart, name)[0] else str(name)

    widget, topic = prompt.widget or "hex", Topic(kind=chart.ground)
    return replace(
        prompt,
        state=state,
        about=bought.key,
        kind="text",
        widget=widget,
        topic=topic,
        verify=check,
        draw=draw,
    )
