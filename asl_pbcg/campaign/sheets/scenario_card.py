"""The scenario card: the rules in force in the current CG scenario, by number: 9.3-9.4.

Prints and ``pbcg status`` display it; a line that only one side may know is marked as its secret.
The tables that an evening needs at the foot of the Setup Sheet (``evening_rows``) come from the
module's data.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from asl_pbcg.campaign.areas.area_map import AreaMap
from asl_pbcg.campaign.board.board import Board
from asl_pbcg.campaign.location import GLIDER
from asl_pbcg.campaign.module.campaign_module import Module
from asl_pbcg.campaign.module.catalogue import MMC, VehicleType
from asl_pbcg.campaign.position_words import UnitStatus, VehicleStatus
from asl_pbcg.campaign.scenario.reinforcement_places import NOTE_1, NOTE_3, entry_hexes
from asl_pbcg.campaign.scenario.scenario_facts import (
    ammunition_shortage,
    eligible_arrows,
    freedom_of_movement,
    has_aamg,
    is_held_by_no_move,
    may_tow,
    on_map,
    order_of,
    panzerfaust_halves,
    panzerfaust_usable,
)
from asl_pbcg.campaign.scenario.snipers import ii13_change, ii13_controller, san_in_force
from asl_pbcg.campaign.scenario.victory import bridge_locations
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.piece_names import name_list, name_piece
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.tables import Modifier, RollTable

BRITISH, GERMAN = Side.BRITISH, Side.GERMAN


@dataclass(frozen=True, slots=True)
class CardLine:
    """One thing in force; ``side`` alone may know it if it is ``secret``."""

    text: str
    rule: str
    side: str = ""
    secret: bool = False


def scenario_card(
    state: Campaign, board: Board, areas: AreaMap | None = None
) -> tuple[CardLine, ...]:
    """Everything in force in the scenario of the current CG Date that pbcg keeps.

    ``areas`` are the Setup Areas of 9.605, for what is Isolated; None before an Initial Scenario.
    Rule: 9.31, 9.4, 9.62023.
    """
    return (
        *_beginning(state),
        *_night(state, board),
        *_light(state),
        *_snipers(state),
        *_panzerfaust(state),
        *_entry(state, board),
        *_vehicles(state),
        *_guns(state),
        *_setup(),
        *_units(state, areas),
        *_end(state),
    )


def card_for(card: Iterable[CardLine], viewer: str) -> list[CardLine]:
    """Return the part of a card that ``viewer`` (a side, or "umpire", who sees all) may see."""
    return [line for line in card if not line.secret or viewer in ("umpire", line.side)]


def _name_of(piece: Piece) -> str:
    """Type and the short name that stays with a piece: ``4-6-8 D-443``, ``LMG 412``."""
    return name_piece(piece)


def _list(pieces: Iterable[Piece]) -> str:
    return name_list(pieces, most=99)


def _pieces_line(words: str, pieces: Sequence[Piece], rule: str, side: str) -> Iterator[CardLine]:
    """Name pieces in a line for their side alone; no line where there are none."""
    if pieces:
        yield CardLine(f"{words}: {_list(pieces)}.", rule, side, secret=True)


# -- Who, where, with what ---------------------------------------------------------------


def _beginning(state: Campaign) -> Iterator[CardLine]:
    order = order_of(state)
    yield CardLine(
        f"{state.date.title}: the {order.first_setup.people} set up first, the "
        f"{order.first_move.people} move first.",
        order.rule,
    )
    if state.date is state.frame.campaigns[state.campaign].dates[0]:
        for id, text in state.charts.initial[state.campaign].ssr.items():
            yield CardLine(f"SSR {id}: {text}.", f"{order.rule} SSR {id}")
    yield CardLine("The scenario uses the entire map.", "CG1")
    yield CardLine("All PB SSR are in effect except as the CG SSR amend them.", "CG2")
    for rule in state.frame.scenario_rules:
        yield CardLine(f"{rule.text}.", rule.rule)
    places = ", ".join(bridge_locations(state))
    yield CardLine(f"To Control Pegasus Bridge is to Control {places}.", "SSR PB4")
    yield CardLine("ELR of both sides: SSR PB12, as in every scenario of the CG.", "CG3")
    yield from _own_elr(state)
    for side in state.massacre:
        yield CardLine(
            f"The {side.people} have committed a Massacre: A20.3-.4 are in effect for the rest "
            "of the CG.",
            "CG3",
        )
    if state.balance == BRITISH:
        yield CardLine(
            "Balance: British Airborne MMC that are no prisoners are Fanatic (A10.8) in stone "
            "building Locations.",
            "9.31",
        )
    if state.balance == GERMAN:
        less = -state.frame.balance[GERMAN].entry_cost_change
        yield CardLine(f"Balance: CPP Entry Costs above 0 are {less} less.", "9.31")


def _own_elr(state: Campaign) -> Iterator[CardLine]:
    """An OB's formation of its own ELR: as long as its side has any of it.

    What has become of it in secret the other side does not hear: it is told in any case (9.613).
    Rule: 9.51.
    """
    for group in state.charts.initial[state.campaign].groups:
        formation = state.catalogue.formation_called(group.formation)
        if formation is None or formation.elr is None:
            continue
        text = f"{formation.name}: ELR {formation.elr}."
        if any(piece.formation == formation.name for piece in state.of(group.side)):
            yield CardLine(text, formation.rule, group.side, secret=True)
        yield CardLine(text, formation.rule, group.side.other, secret=True)


# -- Night and light ---------------------------------------------------------------------


def _night(state: Campaign, board: Board) -> Iterator[CardLine]:
    """CG4-CG4c."""
    if not state.date.is_night:
        return
    night, roles = state.frame.night, state.frame.scenario_roles[state.date]
    rule = {CGDate.NIGHT_1: "CG4a", CGDate.NIGHT_2: "CG4b", CGDate.NIGHT_3: "CG4c"}[state.date]
    yield CardLine(
        f"Scenario Attacker: {roles['attacker'].title}; Scenario Defender: "
        f"{roles['defender'].title}.",
        rule,
    )
    yield CardLine(
        f"Base NVR is {night.base_nvr} hexes at the start, whatever it was before.", "CG4"
    )
    if state.date is CGDate.NIGHT_3:
        yield CardLine("All German units have Freedom of Movement.", rule)
    else:
        yield from _freedom(state, board, rule)


def _freedom(state: Campaign, board: Board, rule: str) -> Iterator[CardLine]:
    """Freedom of Movement where not all have it. Rule: CG4, CG4a, CG4b."""
    night = state.frame.night
    if state.date is CGDate.NIGHT_1:
        yield CardLine(
            "The three German setup areas are separate for E1.2 and A2.9 (errata).", rule
        )
    else:
        yield CardLine("German units set up on map may be Cloaked, as the German likes.", rule)
        yield CardLine("The British have Freedom of Movement, although they defend.", rule)
        yield CardLine(
            "No German unit south of hexrow CC (hexrows A to BB) has Freedom of Movement, unless "
            "it gained it in Night I.",
            rule,
        )
    yield from _unfree(state, board, rule)
    yield CardLine(
        "In place of E1.21 a German unit gains Freedom of Movement if it is attacked by other "
        "than a Sniper, or if it sees a Known enemy unit and an enemy unit moves, advances or "
        f"routs within {night.move_seen_range} hexes of it.",
        "CG4",
    )
    yield CardLine(
        "Once an AFV with a radio may move, so may all other friendly Mobile AFV with a radio, "
        "and their PRC while they are PRC.",
        "CG4",
    )
    radios = [
        piece
        for piece in state.of(GERMAN)
        if isinstance(type := state.type_of(piece), VehicleType) and type.radio
    ]
    yield from _pieces_line("AFV with a radio", radios, "CG4", GERMAN)
    yield CardLine(
        "Only German units with Freedom of Movement may fire at "
        f"{night.german_fire_range} hexes or more.",
        "CG4",
    )


def _unfree(state: Campaign, board: Board, rule: str) -> Iterator[CardLine]:
    german = [
        piece
        for piece in state.of(GERMAN)
        if (piece.is_personnel or piece.is_vehicle)
        and not piece.is_prisoner
        and not (piece.retained_in and piece.retained_in.is_entry_area)
    ]
    waiting = [
        piece
        for piece in german
        if not freedom_of_movement(state, piece, board)
        and (piece.at or state.date is CGDate.NIGHT_1)
    ]
    if waiting and len(waiting) == len(german):
        text = "Without Freedom of Movement: all that set up on map."
        yield CardLine(text, rule, GERMAN, secret=True)
    else:
        yield from _pieces_line("Without Freedom of Movement", waiting, rule, GERMAN)
    held = [piece for piece in waiting if is_held_by_no_move(state, piece, board)]
    yield from _pieces_line("On No Move counters", held, rule, GERMAN)


def _light(state: Campaign) -> Iterator[CardLine]:
    """CG18."""
    chart = state.frame.lv_hindrance
    if state.date in chart.always:
        yield CardLine(f"+{chart.value} LV Hindrance on all attacks but CC.", "CG18")
    if state.date in chart.after_wc:
        yield CardLine(
            "Once a Wind Change DR is at most the number of the current Turn, "
            f"+{chart.value} LV Hindrance on all attacks but CC to the end of the scenario.",
            "CG18",
        )


# -- Snipers and Panzerfaust -------------------------------------------------------------


def _snipers(state: Campaign) -> Iterator[CardLine]:
    """CG13."""
    chart, snipers = state.frame.san, state.frame.snipers
    for side in state.sides:
        yield CardLine(f"{side.title} SAN {san_in_force(state, side)}{_ii13(state, side)}.", "CG13")
    if state.date in chart.ii13_dates and not state.plays("C-24", "once"):
        yield CardLine(
            f"The German SAN is {chart.ii13_change} higher while the Germans Control building "
            f"II13, never above {chart.ii13_most}, and {chart.ii13_change} lower while the "
            "British do; it changes at once with Control.",
            "CG13",
        )
    yield CardLine(
        f"Each side has {snipers.counters} Sniper counters, set up {snipers.apart} hexes "
        "apart or as far apart as possible. A dr says which one attacks: 1-3 the first, 4-6 the "
        "second. The SAN stays the same; a result on one is on both.",
        "CG13",
    )


def _ii13(state: Campaign, side: Side) -> str:
    change = ii13_change(state)
    holder = ii13_controller(state)
    if side is BRITISH or not change or holder is None:
        return ""
    return f" ({state.san.get(side, 0)} without II13, which the {holder.people} Control)"


def _panzerfaust(state: Campaign) -> Iterator[CardLine]:
    halves = panzerfaust_halves(state)
    whole, half = divmod(halves, 2)
    count = f"{whole or '' if half else whole}{'½' if half else ''}"
    yield CardLine(
        f"{count} Panzerfaust at the start; {panzerfaust_usable(halves)} can be tried.",
        "CG12",
        side=GERMAN,
        secret=True,
    )
    yield CardLine(
        "The Germans have ½ Panzerfaust per squad set up on map, and ½ more for each squad that "
        "enters; a ½ left over allows no attempt.",
        "CG12",
    )


# -- Entry -------------------------------------------------------------------------------


def _entry(state: Campaign, board: Board) -> Iterator[CardLine]:
    """CG5, CG15, CG16."""
    for side in state.sides:
        arrows = eligible_arrows(state, side, board)
        words = ", ".join(
            f"{arrow} (+{cost} CPP per RG)" if side is GERMAN else arrow
            for arrow, cost in arrows.items()
        )
        yield CardLine(f"{side.title} Entry Areas: {words}.", "CG5")
    yield from _off_map(state, board)
    who = "Pieces" if state.plays("P-08", "retained") else "German pieces"
    yield CardLine(
        f"{who} that exit by a friendly Entry Area are out of this scenario, but Retained; "
        "the broken take a NTC or suffer Casualty Reduction. What exits elsewhere is Eliminated.",
        "CG15",
    )
    yield CardLine("RG, or parts of one, that do not enter stay Retained.", "CG16")


def _off_map(state: Campaign, board: Board) -> Iterator[CardLine]:
    """CG6."""
    waiting: dict[tuple[Side, str], list[Piece]] = {}
    held = []
    for piece in state.pieces:
        if on_map(state, piece) or not piece.area or piece.area == GLIDER:
            continue
        if piece.listed_at in (NOTE_1, NOTE_3) and not entry_hexes(state, piece):
            held.append(piece)
        else:
            waiting.setdefault((piece.side, piece.area), []).append(piece)
    late = state.plays("P-59", "listed")
    for (side, area), pieces in waiting.items():
        listed = [piece for piece in pieces if piece.listed_at == area]
        shut = listed and area not in eligible_arrows(state, side, board)
        only = (
            f", where only {'they' if late else 'later dates'} may enter (9.6151)" if shut else ""
        )
        yield from _pieces_line(f"Off map at {area}{only}", pieces, "CG6", side)
    words = "Held off map, as they may only set up in a Setup Area"
    yield from _pieces_line(words, held, "9.6151", BRITISH)
    yield CardLine(
        "What is not set up on map enters on or after Turn 1. What sets up off map in the RPh and "
        "does not enter in that Player Turn is out of this scenario, but Retained.",
        "CG6",
    )


# -- Vehicles and Guns -------------------------------------------------------------------


def _vehicles(state: Campaign) -> Iterator[CardLine]:
    """CG7-CG9."""
    schuerzen = state.frame.schuerzen
    tanks = [piece for piece in state.of(GERMAN) if piece.type in schuerzen.types]
    if tanks:
        with_gun = [piece for piece in tanks if has_aamg(piece)]
        yield CardLine(
            f"With Schuerzen: {_list(tanks)}; with Optional AAMG: {_list(with_gun) or 'none'}.",
            "CG7",
            side=GERMAN,
            secret=True,
        )
    recalled = [
        piece for piece in state.pieces if piece.is_vehicle and piece.has(VehicleStatus.RECALL)
    ]
    for piece in recalled:
        yield CardLine(
            f"{_name_of(piece)} begins under Recall.", "9.6141c", piece.side, secret=True
        )
    yield CardLine(
        "A Retained vehicle may begin abandoned; its crew then begins in the same Setup or Entry "
        "Area.",
        "CG8",
    )
    yield CardLine(
        "BU, CE, TCA, bogged, Immobilized, abandoned, malfunctioned and disabled may be recorded "
        "in secret at setup. The marker is placed once the piece is not concealed and an enemy "
        f"ground unit within {state.frame.secret_status.range} hexes has LOS to it.",
        "CG9",
    )


def _guns(state: Campaign) -> Iterator[CardLine]:
    """CG11."""
    guns = state.frame.guns
    for piece in state.pieces:
        if piece.kind != "gun" or not piece.on_map:
            continue
        if guns.is_bound(piece.type, piece.at):
            text = f"{_name_of(piece)} never moves from {piece.at}."
        else:
            text = f"{_name_of(piece)} sets up at most {guns.setup_range} hexes from {piece.at}."
        yield CardLine(text, "CG11", side=piece.side, secret=True)
    yield CardLine(
        "Guns may be towed." if may_tow(state.date, state.frame) else "No Gun may be towed.", "CG11"
    )


# -- Setup and units ---------------------------------------------------------------------


def _setup() -> Iterator[CardLine]:
    """CG10, CG14."""
    yield CardLine(
        "Infantry that sets up in concealment terrain may be concealed, whatever the enemy sees; a "
        "vehicle only out of enemy LOS. Locations out of LOS of all enemy Setup Areas count as "
        'concealment terrain. Conceal before the enemy looks; "?" bought or received at night '
        "are Dummies.",
        "CG10",
    )
    yield CardLine(
        "Fortifications, Rubble, Breaches, Trailbreaks, Shellholes and Wrecks of earlier "
        "scenarios stay on the map. An Immobilized and Abandoned vehicle without a working "
        "Inherent Weapon, or a Scrounged Wreck, becomes a Burnt-Out Wreck at once.",
        "CG14",
    )


def _units(state: Campaign, areas: AreaMap | None) -> Iterator[CardLine]:
    """CG17, 9.6112, 9.619, 9.62021."""
    for side in state.sides:
        mine = [piece for piece in state.of(side) if not piece.is_prisoner]
        fanatic = [piece for piece in mine if piece.has(UnitStatus.FANATIC)]
        yield from _pieces_line("Fanatic in this scenario", fanatic, "9.6112", side)
        short = [piece for piece in ammunition_shortage(state, areas) if piece.side is side]
        yield from _pieces_line("Isolated, with Ammunition Shortage", short, "9.62021", side)
        yield from _pieces_line("HIP", [piece for piece in mine if piece.hip], "9.619", side)
    yield from _walking_wounded(state)
    yield CardLine(
        "Airborne MMC that are not Walking Wounded go to the Walking Wounded box if Double Break "
        "(A10.3), Casualty MC (A10.31) or Fate (A10.64) removes them.",
        "CG17",
    )
    starshells = [
        purchase
        for purchase in state.bought
        if purchase.kind == "starshell" and purchase.date is state.date
    ]
    for side in dict.fromkeys(purchase.side for purchase in starshells):
        yield CardLine(
            f"-1 to the Starshell dr of {side.title} leaders.", "9.619 note g", side, secret=True
        )


def _walking_wounded(state: Campaign) -> Iterator[CardLine]:
    """CG17; which of them a Shift in secret has cost, the German does not hear (9.613)."""
    chart = state.frame.walking_wounded
    limits = (
        f"{chart.mf} MF that nothing can raise (but carried they go along), IPC {chart.ipc}, "
        f"{chart.cc_attack_drm:+} to their CC attacks, {chart.cc_defence_drm:+} to CC attacks on "
        "them; they stay so, and so does an HS made of one. An SMC they create is not Wounded."
    )
    wounded = [
        piece
        for piece in state.of(BRITISH)
        if piece.kind in MMC and piece.has(UnitStatus.WALKING_WOUNDED) and not piece.is_prisoner
    ]
    if wounded:
        text = f"Walking Wounded: {_list(wounded)}: {limits}"
        yield CardLine(text, "CG17", BRITISH, secret=True)
    if state.date is not state.frame.campaigns[state.campaign].dates[0]:
        yield CardLine(f"Walking Wounded MMC have {limits}", "CG17", GERMAN, secret=True)


def _end(state: Campaign) -> Iterator[CardLine]:
    """CG19."""
    yield CardLine(
        f"From the end of each Player Turn of Turn {state.frame.game_end.first_turn} on the "
        "ATTACKER makes a Game End dr: below the circled number of the Turn it ends the scenario. "
        "It also ends when both sides agree.",
        "CG19",
    )


_ESCAPE: Final = ("escape.infantry", "escape.vehicle")


def evening_rows(module: Module, campaign: str, san: Mapping[Side, int]) -> list[dict[str, Any]]:
    """Return EC, wind, SAN, setup order and Escape as rows of a sheet.

    Rule: 9.62023, 9.606, CG13, SSR PB1.
    """
    frame = module.frame
    order = [
        f"{date.title} {turns.first_setup.title}/{turns.first_move.title}"
        for date in frame.campaigns[campaign].dates
        for turns in [frame.setup_order[date]]
    ]
    sides = ", ".join(f"{side.title} {san[side]}" for side in module.sides)
    rows = [
        {"what": "Weather", "text": f"{rule.text}.", "rule": rule.rule}
        for rule in frame.scenario_rules
        if rule.weather
    ]
    rows += [
        {"what": "SAN", "text": f"{sides}.", "rule": "CG13"},
        {
            "what": "Order",
            "text": f"Sets up first/moves first: {', '.join(order)}.",
            "rule": "9.62023",
        },
    ]
    return [*rows, *(_row(module.tables[name]) for name in _ESCAPE if name in module.tables)]


def _row(table: RollTable) -> dict[str, Any]:
    """Return a roll table in a cell: its Finals, then its modifiers."""
    finals = "; ".join(f"{row.finals({})}: {row.says or row.result}" for row in table.rows)
    drm = "; ".join(map(modifier_words, table.drm.values()))
    text = f"{table.spec.name}. {finals}.\n" + (f"DRM: {drm}." if drm else "")
    return {"what": table.title, "text": text.strip(), "rule": table.rule}


def modifier_words(modifier: Modifier) -> str:
    """Return a modifier with what it is for; its number may stand on a counter."""
    if isinstance(modifier.value, str):
        return f"{'minus ' * (modifier.times < 0)}the {modifier.why}"
    return modifier.words if modifier.per else f"{modifier.words} {modifier.why}"
