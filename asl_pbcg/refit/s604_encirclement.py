"""9.604 Encirclement, Minefields, Bog, and Shock: the order of its parts, with 9.6041 and 9.6042.

9.6043 and 9.6044 are in ``s604_bog.py``. Mine attacks are resolved at the table, because only the
owner of a minefield knows its strength.
"""

from __future__ import annotations

from typing import Any

import msgspec

from asl_pbcg.campaign.location import Location, where_words
from asl_pbcg.campaign.position import Fortification
from asl_pbcg.campaign.position_words import FortificationKind, UnitStatus, VehicleStatus
from asl_pbcg.campaign.state.campaign_events import FortificationsChanged, happen
from asl_pbcg.campaign.state.campaign_state import Campaign, Told, change, possessor
from asl_pbcg.campaign.state.piece_changes import add_status
from asl_pbcg.campaign.state.piece_events import Immobilized
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import (
    Note,
    Option,
    Prompt,
    Script,
    ask,
    ask_number,
    paragraph,
    secretly,
    yes_no,
)
from asl_pbcg.kernel.topic import IDLE
from asl_pbcg.kernel.wording import number_words
from asl_pbcg.refit.helpers.guards import wards_of, without_guard
from asl_pbcg.refit.helpers.situation import accessible, in_board_order
from asl_pbcg.refit.helpers.subjects import About, both_at, own_turn
from asl_pbcg.refit.helpers.task_checks import task_check
from asl_pbcg.refit.helpers.unit_changes import eliminate, reduce, stands
from asl_pbcg.refit.helpers.vehicle_actions import (
    WRECK_LEFT,
    crew_lost,
    has_crew,
    inherent_crew_survives,
    is_mobile,
    leave,
    vehicle_lost,
    wreck_options,
)
from asl_pbcg.refit.helpers.withdrawal import withdrawal_at_once
from asl_pbcg.refit.s604_bog import bog, shock

_WHY = "Encircled and failed its 1TC"


def encirclement_minefields_bog_shock(state: Told) -> Script[Told]:
    """Go through 9.6041, 9.6042, 9.6043 and 9.6044 in this order. Rule: 9.604."""
    state = yield from withdrawal_at_once(state)
    for part in (encirclement, minefields, bog, shock):
        state = yield from part(state)
    return state


@paragraph("9.6041")
def encirclement(state: Told) -> Script[Told]:
    """Resolve the 1TC of each Encircled unit but prisoners, one by one. Rule: 9.6041."""
    encircled = [
        piece for piece in state.pieces if piece.has(UnitStatus.ENCIRCLED) and not piece.is_prisoner
    ]
    if not encircled:
        yield Note("No unit is Encircled.", topic=IDLE)
    for piece in in_board_order(state, encircled):
        if stands(state, piece.id):
            state = yield from _one_tc(state, piece)
    return state


def _one_tc(state: Told, piece: Piece) -> Script[Told]:
    """Resolve one 1TC; a unit that passes is Encircled until 9.6062. Rule: 9.6041."""
    passed = yield from task_check(
        state,
        piece,
        "1TC",
        "9.6041.1",
        failing="its PRC are Eliminated" if piece.is_vehicle else "Eliminated",
        help="Mind what being Encircled does to its Morale Level (A7.7).",
    )
    if passed:
        yield Note(
            f"{name_piece(piece)} passes its 1TC and stays {where_words(piece.at)}, still "
            "Encircled."
        )
        return state
    if piece.is_vehicle or piece.aboard:
        vehicle = state.piece(piece.aboard) if piece.aboard else piece
        return (yield from _prc_eliminated(state, vehicle))
    return (yield from _eliminate(state, piece))


@paragraph("9.6041")
def _eliminate(state: Told, piece: Piece) -> Script[Told]:
    """Eliminate a unit: its prisoners are claimed or Rearmed, its Equipment stays unpossessed.

    It never goes to the Walking Wounded box. Rule: 9.6041.
    """
    wards, dropped = wards_of(state, piece.id), piece.possesses
    box = ", not placed in the Walking Wounded box" if piece.airborne else ""
    yield Note(f"{name_piece(piece)} {where_words(piece.at)} fails its 1TC: Eliminated{box}.")
    state = yield from eliminate(state, piece.id, _WHY, how=None, step="9.6041")
    state = yield from without_guard(
        state, wards, piece.side, dropped, point="9.6041.2", rule="9.6041"
    )
    for item in dropped:
        if possessor(state, item) is None:
            yield Note(
                f"{name_piece(state.piece(item))} is left {where_words(piece.at)} unpossessed."
            )
    return state


def _prc_eliminated(state: Told, piece: Piece) -> Script[Told]:
    """Eliminate the Encircled Vulnerable PRC of a vehicle; an Immobile one is left abandoned.

    A Mobile one is Eliminated as a unit. Rule: 9.6041; ruling P-31.
    """
    if is_mobile(piece):
        return (yield from vehicle_lost(state, piece.id, _WHY, "9.6041", None))
    return (yield from crew_lost(state, piece.id, _WHY, "9.6041"))


AP, AT = FortificationKind.AP_MINES, FortificationKind.AT_MINES
NAMES = {AP: "A-P mines", AT: "A-T mines"}
MAX_FACTORS = 12


@paragraph("9.6042")
def minefields(state: Told) -> Script[Told]:
    """Decide what minefields do to the units that end the scenario in them. Rule: 9.6042.

    A side that may have mines settles by itself those that only it knows of, and is asked something
    in any case, so that waiting tells nothing.
    """
    units = [piece for piece in state.pieces if _mines_for(state, piece)]
    if all(_unknown_to_enemy(state, piece) for piece in units):
        yield Note("No unit is in a known minefield.", topic=IDLE)
    state = yield from _in_order(state, None)
    for side in _sides_with_mines(state):
        state = yield from own_turn(state, _in_order(state, side), side, "9.6042")
    return state


def _in_order(state: Told, secret_of: Side | None) -> Script[Told]:
    """Resolve unit by unit in board order: in mines that only ``secret_of`` knows, or in others."""

    def due(piece: Piece) -> bool:
        if not _mines_for(state, piece):
            return False
        owner = piece.side if _unknown_to_enemy(state, piece) else None
        return owner is secret_of

    units = in_board_order(state, [piece for piece in state.pieces if due(piece)])
    for name in dict.fromkeys(piece.location.hex for piece in units):
        if secret_of is None:  # what the enemy's units reveal is known of from here on to both
            for piece in units:
                if piece.location.hex == name:
                    state = yield from _reveal(state, _mines_for(state, piece))
        # Vehicles first: a crew that a mine attack unloads takes its NTC with the others.
        for vehicles in (True, False):
            here = [
                piece.id
                for piece in state.pieces
                if piece.on_map and piece.location.hex == name and piece.is_vehicle is vehicles
            ]
            for id in here:
                if stands(state, id) and due(state.piece(id)):
                    state = yield from _settle_attack(state, state.piece(id))
    return state


def _sides_with_mines(state: Campaign) -> list[Side]:
    """Return the sides that may buy mines, and any other that has some. Rule: 9.619."""
    kinds = state.charts.fortifications.kinds
    buyers = {kinds[kind.value].side for kind in (AP, AT) if kind.value in kinds}
    owners = {
        fortification.owner
        for fortification in state.fortifications
        if fortification.kind in (AP, AT)
    }
    return [side for side in state.sides if {side, None} & buyers or side in owners]


def mines_in(state: Campaign, name: str, *kinds: FortificationKind) -> list[Fortification]:
    """Return the minefields of these kinds in a hex."""
    return [
        fortification
        for fortification in state.fortifications
        if fortification.kind in (kinds or (AP, AT)) and fortification.location.hex == name
    ]


def _mines_for(state: Campaign, piece: Piece) -> list[Fortification]:
    """Return the minefields that concern a piece: a Mobile vehicle's any, Infantry's A-P.

    Rule: 9.6042.
    """
    if not piece.on_map:
        return []
    if piece.is_vehicle:
        return mines_in(state, piece.location.hex) if is_mobile(piece) else []
    infantry = piece.is_personnel and not piece.aboard
    return mines_in(state, piece.location.hex, AP) if infantry else []


def _unknown_to_enemy(state: Campaign, piece: Piece) -> bool:
    """Return whether only the unit's own side knows of the minefields it is in."""
    mines = _mines_for(state, piece)
    return all(mine.hidden and mine.owner is piece.side for mine in mines)


def _reveal(state: Told, mines: list[Fortification]) -> Script[Told]:
    """Put a hidden minefield on map that now concerns an enemy unit. Rule: B28.4."""
    for mine in mines:
        if mine.hidden:
            words = f"{NAMES[mine.kind]} in {mine.at} are placed on map."
            after = _with_mines(state, mine, hidden=False)
            state = yield from happen(state, after, FortificationsChanged(text=words))
    return state


def _with_mines(state: Campaign, mines: Fortification, **fields: Any) -> Campaign:
    new = msgspec.structs.replace(mines, **fields)
    listed = tuple(
        new if fortification == mines else fortification for fortification in state.fortifications
    )
    return change(state, fortifications=listed)


def _settle_attack(state: Told, piece: Piece) -> Script[Told]:
    """Resolve one unit; in a minefield that its side still hides, for its side alone."""
    exempt = yield from _exempt(state, piece, _unknown_to_enemy(state, piece))
    if exempt:
        yield Note(
            f"{name_piece(piece)} could leave {piece.location.hex} unattacked: no mine attack, "
            "no NTC.",
        )
        return state
    if piece.is_vehicle:
        return (yield from _mine_attack(state, piece))
    return (yield from _ntc(state, piece))


# -- The exemption ------------------------------------------------------------------------------


def ways_out(state: Campaign, piece: Piece) -> list[str]:
    """Return the Locations outside its hex that a unit could leave a minefield to.

    They are Enterable, without a minefield that its side knows of, and not enemy-Controlled.

    Rule: 9.6042; ruling C-61.
    """
    enemy = state.control.of(piece.side.other)
    found = []
    for place in accessible(state, piece):
        name = Location.parse(place).hex
        known = [
            each for each in mines_in(state, name) if not each.hidden or each.owner is piece.side
        ]
        if name != piece.location.hex and not known and place not in enemy:
            found.append(place)
    return found


@paragraph("9.6042")
def _exempt(state: Campaign, piece: Piece, secret: bool) -> Script[bool]:
    """Decide whether the exemption applies: the owner proposes it, the other side confirms it.

    Rule: 9.6042; ruling C-61.
    """
    ways = ways_out(state, piece)
    if not ways:
        yield Note(
            f"{name_piece(piece)} can leave {piece.location.hex} only into a minefield or an "
            "enemy-Controlled Location.",
        )
        return False
    answer = yield from ask(
        Prompt(
            state=state,
            id="9.6042.1",
            subject=piece,
            options=(
                Option("no", "no"),
                Option("yes", "yes", "no mine attack, no NTC"),
            ),
            default="no",
            text=f"Could {name_piece(piece)} leave the minefield in {piece.at} without being "
            "attacked?",
            help=f"It must not enter a minefield or an enemy-Controlled Location: {', '.join(ways)}"
            " would do. The mines attack what leaves their hex (B28) unless a Trail Break or the "
            "like spares it.",
        )
    )
    if answer == "no" or secret:
        return bool(answer == "yes")
    agreed: bool = yield from yes_no(
        state,
        "9.6042.1a",
        f"{piece.side.title}: {name_piece(piece)} could leave the minefield in {piece.at} "
        "unattacked. "
        "Do you agree?",
        subject=About(piece.id, piece.side.other),
    )
    if not agreed:
        yield Note(f"The exemption for {name_piece(piece)} is not agreed.")
    return agreed


# -- Mine attacks on vehicles ---------------------------------------------------------------------


def _mine_attack(state: Told, piece: Piece) -> Script[Told]:
    """Resolve the mine attack(s) on a Mobile vehicle and its Vulnerable crew. Rule: 9.6042, B28."""
    for each in _mines_for(state, piece):
        state = yield from _strength(state, each)
    kinds = " and ".join(NAMES[each.kind] for each in _mines_for(state, piece))
    answer = yield from ask(_outcome(state, piece, kinds))
    if answer == "none":
        yield Note(f"{name_piece(piece)} stays in {piece.at} unharmed.")
        return state
    if answer == "immobilized":
        yield Note(f"{name_piece(piece)} is immobilized in {piece.at}.")
        after = add_status(state, piece.id, VehicleStatus.IMMOBILIZED)
        return (yield from happen(state, after, Immobilized(piece=piece)))
    if answer == "crew-breaks":
        state, crew = yield from leave(state, piece.id)
        yield Note(
            f"The crew of {name_piece(piece)} breaks: {name_piece(state.piece(crew))} is "
            "unloaded in Good Order into "
            f"{piece.at}.",
        )
        return state
    return (yield from _destroy(state, piece, answer))


def _outcome(state: Campaign, piece: Piece, kinds: str) -> Prompt:
    manned = "" if has_crew(state, piece) else "It has no Inherent crew."
    return Prompt(
        state=state,
        id="9.6042.2",
        subject=piece,
        options=(
            Option("none", "no effect"),
            Option("immobilized", "Immobilized"),
            Option(
                "crew-breaks",
                "its crew breaks",
                "unloaded in Good Order",
                refused=manned,
                rule="9.6042",
            ),
            Option("crew-lost", "its crew is Eliminated", "abandoned", refused=manned, rule="D5.5"),
            *wreck_options(state, piece),
        ),
        text=f"{kinds} in {piece.at} attack {name_piece(piece)} as if it were leaving: the result?",
        help="Resolve each mine attack by B28, on Vulnerable crew too (B28.43).",
    )


def _strength(state: Told, mines: Fortification) -> Script[Told]:
    """Let the owner of a minefield have its strength at hand; it is his secret. Rule: 9.6042."""
    script = _factors(state, mines)
    return secretly(script, mines.owner) if mines.owner else script


@paragraph("9.6042")
def _factors(state: Told, mines: Fortification) -> Script[Told]:
    factors = mines.size
    if factors is None:
        factors = yield from ask_number(
            Prompt(
                state=state,
                id="9.6042.6",
                subject=both_at(mines.at),
                kind="number",
                least=1,
                most=MAX_FACTORS,
                text=f"How many factors have the {NAMES[mines.kind]} in {mines.at}?",
            )
        )
        after = _with_mines(state, mines, size=factors)
        return (yield from happen(state, after, FortificationsChanged()))
    yield Note(f"{NAMES[mines.kind]} in {mines.at}: {number_words(factors, 'factor')}.")
    return state


@paragraph("D5.6")
def _destroy(state: Told, piece: Piece, answer: str) -> Script[Told]:
    if answer == "crew-lost":
        return (yield from crew_lost(state, piece.id, "by mines", "9.6042"))
    if (yield from inherent_crew_survives(state, piece, "9.6042.2a")):
        state, crew = yield from leave(state, piece.id)
        yield Note(
            f"The crew of {name_piece(piece)} survives: {name_piece(state.piece(crew))} in "
            f"{piece.at}."
        )
    return (yield from vehicle_lost(state, piece.id, "by mines", "9.6042", WRECK_LEFT.get(answer)))


# -- Infantry -------------------------------------------------------------------------------------


def _ntc(state: Told, piece: Piece) -> Script[Told]:
    """Resolve the NTC of Infantry in an A-P minefield; a failure is Casualty Reduction.

    Rule: 9.6042.
    """
    passed = yield from task_check(state, piece, "NTC", "9.6042.3", "Casualty Reduction")
    if passed:
        yield Note(f"{name_piece(piece)} passes its NTC and stays in {piece.at}.")
        return state
    wards, dropped = wards_of(state, piece.id), piece.possesses
    state = yield from reduce(state, piece.id, "9.6042", "9.6042.4")
    if not stands(state, piece.id):
        state = yield from without_guard(state, wards, piece.side, dropped, point="9.6042.5")
    return state
