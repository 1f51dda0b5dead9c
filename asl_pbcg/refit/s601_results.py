"""9.601 Results of a round of Melee, as the table tells them, and the Casualty VP they cost."""

from __future__ import annotations

import random
from collections.abc import Callable

from asl_pbcg.campaign.catalogue import MMC, SMC, InfantryType
from asl_pbcg.campaign.game_system import UNITS
from asl_pbcg.campaign.piece_changes import (
    add_pieces,
    add_status,
    drop_status,
    remove,
    transfer,
    update,
)
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position_words import TerrainKind, UnitStatus, VehicleStatus
from asl_pbcg.campaign.state import Campaign, with_account
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import Option, Prompt, Script, ask, paragraph, tell, yes_no
from asl_pbcg.refit.ground import vehicle_type
from asl_pbcg.refit.guards import can_guard, wards_of, without_guard
from asl_pbcg.refit.losses import captured_vp, cvp_of
from asl_pbcg.refit.s601_locations import fighters
from asl_pbcg.refit.situation import accessible, at_location
from asl_pbcg.refit.subjects import both_on, put_to, side_at
from asl_pbcg.refit.unit_changes import kin, words
from asl_pbcg.refit.vehicle_actions import armor_leader_of, has_crew, is_crew
from asl_pbcg.refit.vehicle_losses import vehicle_lost


def report(state: Campaign, side: Side, place: str, heading: str) -> Script[Campaign]:
    """Settle what a round of Melee did to the units of ``side`` in a Location.

    The dice of CC are thrown at the table (A11). Rule: 9.601.
    """
    makers = leader_makers(state, side, place)
    while True:
        mine = _own(state, side, place)
        if not mine:
            return state
        options = [Option(unit.id, _words(unit)) for unit in mine]
        if makers:
            options.append(Option("leader", "a leader was created", rule="A18.12"))
        options.append(Option("done", "nothing more"))
        answer = yield from ask(
            Prompt(
                id="9.601.3",
                subject=side_at(side, place),
                options=tuple(options),
                default="done",
                draw=_some_result(options),
                text=f"{heading}: what happened to your units?",
                help="Resolve the round by A11: attacks, Capture, Withdrawal. Each side tells "
                "what became of its own units.",
            )
        )
        if answer == "done":
            return state
        if answer == "leader":
            state = yield from _create(state, side, place, makers[0])
        else:
            state = yield from _result(state, state.piece(answer), heading)


def _some_result(options: list[Option]) -> Callable[[random.Random], str]:
    """What automatic play reports: mostly nothing more, hardly ever a new leader."""
    weights = {"done": 2.0 + len(options), "leader": 0.1}
    ids = [option.id for option in options]

    def draw(source: random.Random) -> str:
        return source.choices(ids, [weights.get(id, 1.0) for id in ids])[0]

    return draw


def _own(state: Campaign, side: Side, place: str) -> list[Piece]:
    return [piece for piece in fighters(state, place) if piece.side is side]


def _words(piece: Piece) -> str:
    status = f" ({', '.join(piece.status)})" if piece.status else ""
    return f"{piece.type} {piece.id}{status}"


# -- One unit ----------------------------------------------------------------------------


def _result(state: Campaign, piece: Piece, heading: str) -> Script[Campaign]:
    if piece.is_vehicle:
        return (yield from _vehicle_result(state, piece, heading))
    answer = yield from ask(
        Prompt(
            id="9.601.3a",
            subject=piece,
            options=_outcomes(state, piece),
            text=f"{heading}: what happened to {_words(piece)}?",
        )
    )
    if answer == "eliminated":
        return (yield from _eliminate(state, piece))
    if answer == "reduced":
        return (yield from _reduce(state, piece))
    if answer == "wounded":
        yield from tell(f"{piece.type} {piece.id} is wounded.", "A17.1")
        return add_status(state, piece.id, UnitStatus.WOUNDED)
    if answer == "captured":
        return (yield from _capture(state, piece))
    if answer == "withdrew":
        return (yield from _withdrew(state, piece))
    return state


def _outcomes(state: Campaign, piece: Piece) -> tuple[Option, ...]:
    """What may befall a Personnel unit in Melee. Rule: 9.601, A11."""
    known = state.catalogue.find(piece.type, piece.side)
    half_squad = known.half_squad if isinstance(known, InfantryType) else ""
    found = [Option("eliminated", "Eliminated", f"{cvp_of(state, piece)} CVP")]
    if piece.kind in SMC:
        refused = "It is wounded already." if piece.has(UnitStatus.WOUNDED) else ""
        found.append(Option("wounded", "wounded", refused=refused, rule="A17.1"))
    else:
        refused = "" if half_squad else "Casualty Reduction Eliminates what is no squad."
        found.append(
            Option(
                "reduced",
                f"reduced to {half_squad}" if half_squad else "reduced",
                refused=refused,
                rule="A7.302",
            )
        )
    guards = _guards(state, piece)
    found.append(
        Option(
            "captured",
            "captured",
            refused="" if guards else "No unbroken enemy Personnel in the Location can guard it.",
            rule="A20.5",
        )
    )
    open_places = [place for place in _ways_out(state, piece) if not place.refused]
    refused = "" if open_places else "No Accessible Location is free of the enemy."
    rule = "A11.2"
    for status, (why, source) in _NO_WITHDRAWAL.items():
        if not refused and piece.has(status):
            refused, rule = why, source
    found.append(Option("withdrew", "Withdrew", refused=refused, rule=rule))
    found.append(Option("nothing", "nothing after all"))
    return tuple(found)


_NO_WITHDRAWAL = {
    UnitStatus.BROKEN: ("A broken unit cannot Withdraw from Melee.", "A11.2"),
    UnitStatus.PINNED: ("A pinned unit cannot Withdraw from Melee.", "A7.8"),
    UnitStatus.BERSERK: ("A berserk unit cannot Withdraw from Melee.", "A15.4"),
}


def _eliminate(state: Campaign, piece: Piece) -> Script[Campaign]:
    yield from tell(f"{piece.type} {piece.id} is Eliminated in Melee in {piece.at}.")
    state = yield from lose_vp(state, piece.side, cvp_of(state, piece))
    wards = wards_of(state, piece.id)
    state = remove(state, piece.id, "eliminated", "in Melee", "9.601")
    return (yield from _guardless(state, piece, wards))


def _reduce(state: Campaign, piece: Piece) -> Script[Campaign]:
    known = state.catalogue.infantry(piece.type, piece.side)
    before = cvp_of(state, piece)
    state = update(state, piece.id, type=known.half_squad)
    yield from tell(f"{piece.type} {piece.id} is reduced to {known.half_squad} in {piece.at}.")
    if piece.is_prisoner:
        return state  # its CVP were lost when it was captured
    return (yield from lose_vp(state, piece.side, before - cvp_of(state, state.piece(piece.id))))


def lose_vp(state: Campaign, side: Side, count: int) -> Script[Campaign]:
    """Add to the CVP ``side`` lost in the scenario; it runs on through 9.603. Rule: 9.12."""
    if not count or state.account.scenario_ended:
        return state
    lost = dict(state.account.cvp_lost)
    lost[side] = max(0, lost.get(side, 0) + count)
    yield from tell(f"{side.title} Casualty VP {count:+d}, now {lost[side]}.", "9.12")
    return with_account(state, cvp_lost=lost)


# -- Capture -----------------------------------------------------------------------------


def _guards(state: Campaign, prisoner: Piece) -> list[Piece]:
    return [piece for piece in at_location(state, prisoner.at) if can_guard(piece, prisoner)]


def _guardless(state: Campaign, guard: Piece, wards: list[Piece]) -> Script[Campaign]:
    """Settle what becomes of the prisoners of a Guard that is gone; who is Rearmed is lost no more.

    Rule: A20.551, A26.222; house rule C-30.
    """
    state = yield from without_guard(state, wards, guard.side, guard.possesses, point="9.601.4")
    return (yield from _no_longer_lost(state, wards))


def _no_longer_lost(state: Campaign, wards: list[Piece]) -> Script[Campaign]:
    """Take off the CVP of those who were prisoners and have been Rearmed. Rule: A26.222."""
    for ward in wards:
        rearmed = any(each.id == ward.id and not each.is_prisoner for each in state.pieces)
        if rearmed and (yield from _settle_whether_counted(state, ward)):
            state = yield from lose_vp(state, ward.side, -captured_vp(state, ward))
    return state


def _settle_whether_counted(state: Campaign, ward: Piece) -> Script[bool]:
    """Settle whether a prisoner's CVP are among those lost in this CG scenario. Rule: 9.12."""
    if not captured_vp(state, ward):
        return False
    if ward.received is state.date or state.date is state.frame.campaigns[state.campaign].dates[0]:
        return True
    return (
        yield from yes_no(
            "9.601.4b",
            f"Was {words(ward)} captured in this CG scenario? Then its CVP are lost no longer.",
            "9.12",
            default="yes",
            subject=ward,
        )
    )


def _capture(state: Campaign, piece: Piece) -> Script[Campaign]:
    """Make a unit a prisoner; what it possessed stays in the Location.

    Rule: A20, A26.222; house rule C-30.
    """
    guard = yield from _choose_guard(state, piece, _guards(state, piece), piece.side.other)
    for item in piece.possesses:
        state = transfer(state, item)
    wards = wards_of(state, piece.id)
    state = drop_status(
        state,
        piece.id,
        UnitStatus.BROKEN,
        UnitStatus.PINNED,
        UnitStatus.CX,
        UnitStatus.DISRUPTED,
        UnitStatus.BERSERK,
    )
    state = add_status(state, piece.id, UnitStatus.PRISONER)
    state = update(state, piece.id, guarded_by=guard.id, aboard="")
    yield from tell(
        f"{piece.type} {piece.id} is captured; {guard.type} {guard.id} guards it.", "A20.2"
    )
    state = yield from lose_vp(state, piece.side, captured_vp(state, piece))
    return (yield from _guardless(state, piece, wards))


@paragraph("A20.5")
def _choose_guard(
    state: Campaign, prisoner: Piece, guards: list[Piece], side: Side
) -> Script[Piece]:
    if len(guards) == 1:
        return guards[0]
    answer = yield from ask(
        Prompt(
            id="9.601.3c",
            subject=put_to(side, prisoner),
            options=tuple(Option(each.id, _words(each)) for each in guards),
            text=f"Which unit guards {prisoner.type} {prisoner.id}?",
        )
    )
    return state.piece(answer)


# -- Withdrawal --------------------------------------------------------------------------


def _ways_out(state: Campaign, piece: Piece) -> list[Option]:
    found = []
    for place in accessible(state, piece):
        enemy = [each for each in fighters(state, place) if each.side is not piece.side]
        refused = f"{enemy[0].type} {enemy[0].id} is there." if enemy else ""
        found.append(Option(place, place, refused=refused, rule="A11.2"))
    return found


@paragraph("A11.2")
def _withdrew(state: Campaign, piece: Piece) -> Script[Campaign]:
    options = tuple(_ways_out(state, piece))
    legal = [option.id for option in options if not option.refused]
    place = legal[0]
    if len(legal) > 1:
        place = yield from ask(
            Prompt(
                id="9.601.3b",
                subject=piece,
                options=options,
                text=f"To which Location did {piece.type} {piece.id} Withdraw?",
            )
        )
    yield from tell(f"{piece.type} {piece.id} Withdraws from {piece.at} to {place}.")
    return move(state, piece.id, place)


def move(state: Campaign, id: str, place: str) -> Campaign:
    """The state with a unit in another Location, with what it possesses and whom it guards."""
    piece = state.piece(id)
    state = update(state, id, at=place, aboard="")
    for each in state.pieces:
        if each.id in piece.possesses or each.guarded_by == id:
            state = update(state, each.id, at=place)
    return state


# -- Vehicles ----------------------------------------------------------------------------


@paragraph("9.12")
def _casualty_vp(piece: Piece) -> Script[int]:
    """Settle how many Casualty VP a vehicle costs its side. Rule: 9.12, A26.2."""
    count: int = yield from ask(
        Prompt(
            id="9.601.3d",
            subject=both_on(piece),
            kind="number",
            least=0,
            most=20,
            text=f"Casualty VP for {piece.type} {piece.id} (A26.2)?",
            help="For the vehicle; Personnel and an Armor Leader lost aboard are added by "
            "themselves.",
        )
    )
    return count


def _vehicle_result(state: Campaign, piece: Piece, heading: str) -> Script[Campaign]:
    """Settle what Melee did to a vehicle. Rule: 9.601, A11.5."""
    answer = yield from ask(
        Prompt(
            id="9.601.3a",
            subject=piece,
            options=_vehicle_outcomes(state, piece),
            text=f"{heading}: what happened to {_words(piece)}?",
        )
    )
    if answer == "nothing":
        return state
    if answer == "immobilized":
        yield from tell(f"{piece.type} {piece.id} is Immobilized.", "A11.51")
        return drop_status(
            add_status(state, piece.id, VehicleStatus.IMMOBILIZED), piece.id, VehicleStatus.MOTION
        )
    count = yield from _casualty_vp(piece)
    burns = answer == "burning"
    crew = not burns and (yield from _crew_survives(state, piece))
    leader = armor_leader_of(state, piece)
    if leader and crew:
        state = update(state, leader.id, aboard="", at=piece.at)
    reduced = []
    for unit in [] if burns else passengers(state, piece):
        fate = yield from _passenger_fate(state, unit, piece)
        if fate != "eliminated":
            state = update(state, unit.id, aboard="", at=piece.at)
            yield from tell(f"{words(unit)} survives in {piece.at}.", "D6.9")
        if fate == "reduced":
            reduced.append(unit.id)
    aboard = [each for each in state.pieces if each.aboard == piece.id]
    count += sum(cvp_of(state, each) for each in aboard if not each.is_prisoner)
    wards = [ward for each in aboard for ward in wards_of(state, each.id)]
    kinds = {"wreck": TerrainKind.WRECK, "burning": TerrainKind.BURNING_WRECK}
    state = yield from vehicle_lost(state, piece.id, "in Melee", "9.601", kinds.get(answer))
    if crew:
        type = UNITS.content.crews.vehicle
        state = add_pieces(state, piece.side, [(type, 1)], **kin(piece))
        yield from tell(f"Its crew survives: {words(state.pieces[-1])} in {piece.at}.", "D5.6")
    state = yield from lose_vp(state, piece.side, count)
    state = yield from _no_longer_lost(state, wards)
    for id in reduced:
        if state.catalogue.infantry(state.piece(id).type, state.piece(id).side).half_squad:
            state = yield from _reduce(state, state.piece(id))
    return state


def passengers(state: Campaign, vehicle: Piece) -> list[Piece]:
    """Return the units aboard that make their own Survival DR: prisoners too, and who mans it.

    An Armor Leader shares the fate of the Inherent crew. Rule: D6.9, A21.22; ruling P-124.
    """
    return [
        each
        for each in state.pieces
        if each.aboard == vehicle.id and not each.is_armor_leader and each.kind in (*MMC, *SMC)
    ]


def _crew_survives(state: Campaign, vehicle: Piece) -> Script[bool]:
    """Settle whether the Inherent crew survives; not a unit that mans it from aboard. Rule: D5.6"""
    manned = any(is_crew(state, each) for each in passengers(state, vehicle))
    if manned or not has_crew(state, vehicle):
        return False
    return (
        yield from yes_no(
            "9.601.3e",
            f"Does the Inherent crew of {words(vehicle)} survive (D5.6)?",
            "D5.6",
            default="no",
            subject=vehicle,
        )
    )


@paragraph("D6.9")
def _passenger_fate(state: Campaign, unit: Piece, vehicle: Piece) -> Script[str]:
    """Settle what the Survival DR of one unit aboard an Eliminated vehicle says. Rule: D6.9."""
    known = state.catalogue.find(unit.type, unit.side)
    half_squad = known.half_squad if isinstance(known, InfantryType) else ""
    options = [
        Option("eliminated", "Eliminated with the vehicle"),
        Option("survives", "survives", "a unit in the Location, in the Melee"),
    ]
    if half_squad:
        options.append(Option("reduced", f"survives, reduced to {half_squad}"))
    fate: str = yield from ask(
        Prompt(
            id="9.601.3g",
            subject=unit,
            options=tuple(options),
            default="eliminated",
            text=f"{words(unit)} is aboard {words(vehicle)}: what does its Survival DR say?",
            help="Each unit aboard a vehicle Eliminated but not burning makes a Survival DR of its "
            "own, a prisoner too (D5.6, D6.9).",
        )
    )
    return fate


def _vehicle_outcomes(state: Campaign, piece: Piece) -> tuple[Option, ...]:
    known = vehicle_type(state, piece)
    depicted = known is None or known.wreck
    no_wreck = "" if depicted else f"{piece.type} has no wreck depiction."
    moves = "It is Immobile already." if piece.has(VehicleStatus.IMMOBILIZED) else ""
    return (
        Option("wreck", "Eliminated: a Wreck", refused=no_wreck, rule="CG14"),
        Option("burning", "Eliminated: a Burning Wreck", refused=no_wreck, rule="CG14"),
        Option(
            "removed",
            "Eliminated and removed",
            refused="It leaves a Wreck." if depicted else "",
            rule="CG14",
        ),
        Option("immobilized", "Immobilized", refused=moves, rule="A11.51"),
        Option("nothing", "nothing after all"),
    )


# -- Leaders -----------------------------------------------------------------------------


def leader_makers(state: Campaign, side: Side, place: str) -> list[Piece]:
    """Return the MMC of a side that can attack in a Melee, and so create a leader. Rule: A18.12."""
    return [
        unit
        for unit in _own(state, side, place)
        if unit.kind in MMC and not unit.has(UnitStatus.BROKEN, UnitStatus.UNARMED)
    ]


@paragraph("A18.12")
def _create(state: Campaign, side: Side, place: str, maker: Piece) -> Script[Campaign]:
    """Add a leader created in CC; one that a Walking Wounded MMC creates is not wounded.

    ``maker`` is an MMC of the side as it was when the round began: attacks are simultaneous.

    Rule: A18.12, CG17.
    """
    types = [each for each in state.catalogue if each.side is side and each.kind == "leader"]
    chosen = yield from ask(
        Prompt(
            id="9.601.3f",
            subject=side_at(side, place),
            options=tuple(Option(each.name, each.name) for each in types),
            text="Which leader was created?",
            help="Original 2 on a CC attack: roll on the Leader Creation Table (A18.2).",
        )
    )
    state = add_pieces(state, side, [(chosen, 1)], **kin(maker))
    yield from tell(f"{chosen} {state.pieces[-1].id} is created in {place}.")
    return state
