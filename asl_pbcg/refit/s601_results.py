"""9.601 Conclusion of Melee: results of a round for Personnel and vehicles, and Casualty VP.

The players fight Melee at the table and report each result. Casualty VP lost run on through
9.603; those of a Rearmed prisoner are taken off. Rule: 9.601, 9.12, A11.
"""

from __future__ import annotations

from asl_pbcg.campaign.module.catalogue import MMC, SMC, InfantryType
from asl_pbcg.campaign.module.frame import UNITS
from asl_pbcg.campaign.position_words import UnitStatus, VehicleStatus
from asl_pbcg.campaign.state.campaign_events import CVPLost, happen
from asl_pbcg.campaign.state.campaign_state import Campaign, Told, with_account
from asl_pbcg.campaign.state.piece_changes import (
    add_pieces,
    add_status,
    drop_status,
    transfer,
    update,
)
from asl_pbcg.campaign.state.piece_events import (
    Abandoned,
    Immobilized,
    LeaderCreated,
    Reduced,
    Retained,
    TakenPrisoner,
    Wounded,
)
from asl_pbcg.campaign.state.piece_names import name_piece, name_with_status
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Script, ask, ask_number, paragraph, yes_no
from asl_pbcg.refit.helpers.guards import can_guard, wards_of, without_guard
from asl_pbcg.refit.helpers.situation import PLUS_1, accessible, at_location, fighters, in_melee
from asl_pbcg.refit.helpers.subjects import both_on, piece_option, place_option, put_to, side_at
from asl_pbcg.refit.helpers.unit_changes import captured_vp, cvp_of, eliminate, kin
from asl_pbcg.refit.helpers.unit_choices import choose_unit, draw_weighted
from asl_pbcg.refit.helpers.vehicle_actions import (
    WRECK_LEFT,
    armor_leader_of,
    inherent_crew_survives,
    is_crew,
    vehicle_lost,
    wreck_options,
)


def report(state: Told, side: Side, place: str, heading: str) -> Script[Told]:
    """Decide what a round of Melee did to the units of ``side`` in a Location.

    The dice of CC are thrown at the table (A11). Rule: 9.601.
    """
    makers = leader_makers(state, side, place)
    while True:
        mine = _own(state, side, place)
        if not mine:
            return state
        options = [piece_option(unit, text=name_with_status(unit)) for unit in mine]
        if makers:
            options.append(Option("leader", "a leader was created", rule="A18.12"))
        options.append(Option("done", "nothing more"))
        answer = yield from ask(
            Prompt(
                state=state,
                id="9.601.3",
                subject=side_at(side, place),
                options=tuple(options),
                default="done",
                draw=draw_weighted(options, {"done": 2.0 + len(options), "leader": 0.1}),
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


def _own(state: Campaign, side: Side, place: str) -> list[Piece]:
    return [piece for piece in fighters(state, place) if piece.side is side]


# -- One unit ----------------------------------------------------------------------------


def _result(state: Told, piece: Piece, heading: str) -> Script[Told]:
    if piece.is_vehicle:
        return (yield from vehicle_result(state, piece, heading))
    answer = yield from ask(
        Prompt(
            state=state,
            id="9.601.3a",
            subject=piece,
            options=_outcomes(state, piece),
            text=f"{heading}: what happened to {name_with_status(piece)}?",
        )
    )
    if answer == "eliminated":
        return (yield from _eliminate(state, piece))
    if answer == "reduced":
        return (yield from reduce_in_melee(state, piece))
    if answer == "wounded":
        after = add_status(state, piece.id, UnitStatus.WOUNDED)
        return (yield from happen(state, after, Wounded(piece=piece, rule="A17.1")))
    if answer == "captured":
        return (yield from _capture(state, piece))
    if answer == "withdrew":
        return (yield from _withdrew(state, piece))
    return state


def _outcomes(state: Campaign, piece: Piece) -> tuple[Option, ...]:
    """Return what may happen to a Personnel unit in Melee. Rule: 9.601, A11."""
    entry = state.catalogue.find(piece.type, piece.side)
    half_squad = entry.half_squad if isinstance(entry, InfantryType) else ""
    found = [Option("eliminated", "Eliminated", f"{cvp_of(state, piece)} CVP")]
    if piece.kind in SMC:
        refused = "It is wounded already." if piece.has(UnitStatus.WOUNDED) else ""
        found.append(Option("wounded", "wounded", refused=refused, rule="A17.1"))
    else:
        refused = "" if half_squad else "Casualty Reduction Eliminates what is not a squad."
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
    if piece.aboard:
        refused, rule = "Who is aboard a vehicle unloads in a MPh only.", "D6.5"
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


def _eliminate(state: Told, piece: Piece) -> Script[Told]:
    yield Note(f"{name_piece(piece)} is Eliminated in Melee in {piece.at}.")
    state = yield from lose_vp(state, piece.side, cvp_of(state, piece))
    wards = wards_of(state, piece.id)
    state = yield from eliminate(state, piece.id, "in Melee", how=None, step="9.601")
    return (yield from _guardless(state, piece, wards))


# -- Capture -----------------------------------------------------------------------------


def _guards(state: Campaign, prisoner: Piece) -> list[Piece]:
    return [piece for piece in at_location(state, prisoner.at) if can_guard(piece, prisoner)]


def _guardless(state: Told, guard: Piece, wards: list[Piece]) -> Script[Told]:
    """Decide what becomes of the prisoners of a Guard that is gone; who is Rearmed is lost no more.

    Rule: A20.551, A26.222; house rule C-30.
    """
    state = yield from without_guard(state, wards, guard.side, guard.possesses, point="9.601.4")
    return (yield from no_longer_lost(state, wards))


def _capture(state: Told, piece: Piece) -> Script[Told]:
    """Make a unit a prisoner; what it possessed stays in the Location.

    Rule: A20, A26.222; house rule C-30.
    """
    guard = yield from choose_unit(
        state,
        "9.601.3c",
        put_to(piece.side.other, piece),
        _guards(state, piece),
        f"Which unit guards {name_piece(piece)}?",
        rule="A20.5",
        name=name_with_status,
    )
    after: Campaign = state
    for item in piece.possesses:
        after = transfer(after, item)
    wards = wards_of(state, piece.id)
    after = drop_status(
        after,
        piece.id,
        UnitStatus.BROKEN,
        UnitStatus.PINNED,
        UnitStatus.CX,
        UnitStatus.DISRUPTED,
        UnitStatus.BERSERK,
    )
    after = add_status(after, piece.id, UnitStatus.PRISONER)
    after = update(after, piece.id, guarded_by=guard, aboard="")
    state = yield from happen(state, after, TakenPrisoner(piece=piece))
    yield Note(
        f"{name_piece(piece)} is captured; {name_piece(state.piece(guard))} guards it.", "A20.2"
    )
    state = yield from lose_vp(state, piece.side, captured_vp(state, piece))
    return (yield from _guardless(state, piece, wards))


# -- Withdrawal --------------------------------------------------------------------------


def _ways_out(state: Campaign, piece: Piece) -> list[Option]:
    found = []
    for place in accessible(state, piece):
        enemy = [each for each in fighters(state, place) if each.side is not piece.side]
        refused = f"{name_piece(enemy[0])} is there." if enemy else ""
        found.append(place_option(place, refused=refused, rule="A11.2"))
    return found


@paragraph("A11.2")
def _withdrew(state: Told, piece: Piece) -> Script[Told]:
    options = tuple(_ways_out(state, piece))
    legal = [option.id for option in options if not option.refused]
    place = legal[0]
    if len(legal) > 1:
        place = yield from ask(
            Prompt(
                state=state,
                id="9.601.3b",
                subject=piece,
                options=options,
                text=f"To which Location did {name_piece(piece)} Withdraw?",
            )
        )
    yield Note(f"{name_piece(piece)} Withdraws from {piece.at} to {place}.")
    return (yield from happen(state, move(state, piece.id, place), Retained(piece=piece)))


def move(state: Campaign, id: str, place: str) -> Campaign:
    """Return the state with a unit, its possessions and prisoners in another Location."""
    piece = state.piece(id)
    state = update(state, id, at=place, aboard="")
    for each in state.pieces:
        if each.id in piece.possesses or each.guarded_by == id:
            state = update(state, each.id, at=place)
    return state


# -- Leaders -----------------------------------------------------------------------------


def leader_makers(state: Campaign, side: Side, place: str) -> list[Piece]:
    """Return the MMC of a side that can attack in a Melee, and so create a leader. Rule: A18.12."""
    return [
        unit
        for unit in _own(state, side, place)
        if unit.kind in MMC and not unit.has(UnitStatus.BROKEN, UnitStatus.UNARMED)
    ]


@paragraph("A18.12")
def _create(state: Told, side: Side, place: str, maker: Piece) -> Script[Told]:
    """Add a leader created in CC; one that a Walking Wounded MMC creates is not wounded.

    ``maker`` is an MMC of the side as it was when the round began: attacks are simultaneous.

    Rule: A18.12, CG17.
    """
    types = [type for type in state.catalogue if type.side is side and type.kind == "leader"]
    chosen = yield from ask(
        Prompt(
            state=state,
            id="9.601.3f",
            subject=side_at(side, place),
            options=tuple(Option(type.name, type.name) for type in types),
            text="Which leader was created?",
            help="Original 2 on a CC attack: roll on the Leader Creation Table (A18.2).",
        )
    )
    after = add_pieces(state, side, [(chosen, 1)], **kin(maker))
    leader = after.pieces[-1]
    yield Note(f"{name_piece(leader)} is created in {place}.")
    return (yield from happen(state, after, LeaderCreated(piece=maker, leader=leader)))


def vehicle_result(state: Told, piece: Piece, heading: str) -> Script[Told]:
    """Decide what Melee did to a vehicle. Rule: 9.601, A11.5."""
    answer = yield from ask(
        Prompt(
            state=state,
            id="9.601.3a",
            subject=piece,
            options=_vehicle_outcomes(state, piece),
            text=f"{heading}: what happened to {name_with_status(piece)}?",
        )
    )
    if answer == "nothing":
        return state
    if answer == "immobilized":
        yield Note(f"{name_piece(piece)} is Immobilized.", "A11.51")
        after = drop_status(
            add_status(state, piece.id, VehicleStatus.IMMOBILIZED), piece.id, VehicleStatus.MOTION
        )
        return (yield from happen(state, after, Immobilized(piece=piece)))
    return (yield from _vehicle_eliminated(state, piece, answer))


def _vehicle_eliminated(state: Told, piece: Piece, answer: str) -> Script[Told]:
    """Decide what a vehicle Eliminated in Melee costs, and who aboard survives.

    Rule: 9.12, D5.6, D6.9.
    """
    count = yield from ask_number(
        Prompt(
            state=state,
            id="9.601.3d",
            subject=both_on(piece),
            rule="9.12",
            kind="number",
            least=0,
            most=20,
            text=f"Casualty VP for {name_piece(piece)} (A26.2)?",
            help="For the vehicle; Personnel and an Armor Leader lost aboard are added by "
            "themselves.",
        )
    )
    burns = answer == "burning"
    crew = not burns and (yield from _crew_survives(state, piece))
    leader = armor_leader_of(state, piece)
    if leader and crew:
        state = yield from _left_in(state, leader, piece.at)
    reduced = []
    for unit in [] if burns else passengers(state, piece):
        fate = yield from _passenger_fate(state, unit, piece)
        if fate != "eliminated":
            state = yield from _left_in(state, unit, piece.at)
            yield Note(f"{name_piece(unit)} survives in {piece.at}.", "D6.9")
        if fate == "reduced":
            reduced.append(unit.id)
    aboard = [each for each in state.pieces if each.aboard == piece.id]
    count += sum(cvp_of(state, each) for each in aboard if not each.is_prisoner)
    wards = [ward for each in aboard for ward in wards_of(state, each.id)]
    state = yield from vehicle_lost(state, piece.id, "in Melee", "9.601", WRECK_LEFT.get(answer))
    if crew:
        type = UNITS.content.crews.vehicle
        after = add_pieces(state, piece.side, [(type, 1)], **kin(piece))
        crew_unit = after.pieces[-1]
        yield Note(f"Its crew survives: {name_piece(crew_unit)} in {piece.at}.", "D5.6")
        state = yield from happen(state, after, Abandoned(piece=piece, crew=crew_unit))
    state = yield from lose_vp(state, piece.side, count)
    state = yield from no_longer_lost(state, wards)
    for id in reduced:
        if state.catalogue.infantry(state.piece(id).type, state.piece(id).side).half_squad:
            state = yield from reduce_in_melee(state, state.piece(id))
    return state


def _left_in(state: Told, unit: Piece, at: str) -> Script[Told]:
    """Put a survivor into the Location of its vehicle. Rule: D5.6, D6.9."""
    after = update(state, unit.id, aboard="", at=at)
    return (yield from happen(state, after, Retained(piece=unit)))


def passengers(state: Campaign, vehicle: Piece) -> list[Piece]:
    """Return the units aboard that make their own Survival DR: prisoners too, and who mans it.

    An Armor Leader shares the fate of the Inherent crew. Rule: D6.9, A21.22; ruling P-124.
    """
    return [
        piece
        for piece in state.pieces
        if piece.aboard == vehicle.id and not piece.is_armor_leader and piece.kind in (*MMC, *SMC)
    ]


def _crew_survives(state: Campaign, vehicle: Piece) -> Script[bool]:
    """Decide whether the Inherent crew survives; not a unit that mans it from aboard. Rule: D5.6"""
    manned = any(is_crew(state, each) for each in passengers(state, vehicle))
    return not manned and (yield from inherent_crew_survives(state, vehicle, "9.601.3e"))


@paragraph("D6.9")
def _passenger_fate(state: Campaign, unit: Piece, vehicle: Piece) -> Script[str]:
    """Decide what the Survival DR of one unit aboard an Eliminated vehicle says. Rule: D6.9."""
    entry = state.catalogue.find(unit.type, unit.side)
    half_squad = entry.half_squad if isinstance(entry, InfantryType) else ""
    options = [
        Option("eliminated", "Eliminated with the vehicle"),
        Option("survives", "survives", "a unit in the Location, in the Melee"),
    ]
    if half_squad:
        options.append(Option("reduced", f"survives, reduced to {half_squad}"))
    fate = yield from ask(
        Prompt(
            state=state,
            id="9.601.3g",
            subject=unit,
            options=tuple(options),
            text=f"{name_piece(unit)} is aboard {name_piece(vehicle)}: what does its Survival DR "
            "say?",
            help="Each unit aboard a vehicle Eliminated but not burning makes a Survival DR of its "
            "own, a prisoner too (D5.6, D6.9).",
        )
    )
    return fate


def _vehicle_outcomes(state: Campaign, piece: Piece) -> tuple[Option, ...]:
    moves = "It is Immobile already." if piece.has(VehicleStatus.IMMOBILIZED) else ""
    return (
        *wreck_options(state, piece),
        Option("immobilized", "Immobilized", refused=moves, rule="A11.51"),
        Option("nothing", "nothing after all"),
    )


def reduce_in_melee(state: Told, piece: Piece) -> Script[Told]:
    """Reduce a squad to its HS; a prisoner's CVP were lost when it was captured. Rule: A7.302."""
    entry = state.catalogue.infantry(piece.type, piece.side)
    before = cvp_of(state, piece)
    after = update(state, piece.id, type=entry.half_squad)
    where = f" in {piece.at}"
    state = yield from happen(
        state, after, Reduced(piece=piece, to=after.piece(piece.id), where=where)
    )
    if piece.is_prisoner:
        return state
    return (yield from lose_vp(state, piece.side, before - cvp_of(state, state.piece(piece.id))))


def lose_vp(state: Told, side: Side, count: int) -> Script[Told]:
    """Add to the CVP ``side`` lost in the scenario; it runs on through 9.603. Rule: 9.12."""
    if not count or state.account.scenario_ended:
        return state
    lost = dict(state.account.cvp_lost)
    lost[side] = max(0, lost.get(side, 0) + count)
    told = CVPLost(text=f"{side.title} Casualty VP {count:+d}, now {lost[side]}.", rule="9.12")
    return (yield from happen(state, with_account(state, cvp_lost=lost), told))


def no_longer_lost(state: Told, wards: list[Piece]) -> Script[Told]:
    """Take off the CVP of those who were prisoners and have been Rearmed. Rule: A26.222."""
    for ward in wards:
        rearmed = any(piece.id == ward.id and not piece.is_prisoner for piece in state.pieces)
        if rearmed and (yield from _settle_whether_counted(state, ward)):
            state = yield from lose_vp(state, ward.side, -captured_vp(state, ward))
    return state


def _settle_whether_counted(state: Campaign, ward: Piece) -> Script[bool]:
    """Decide whether a prisoner's CVP are among those lost in this CG scenario. Rule: 9.12."""
    if not captured_vp(state, ward):
        return False
    if ward.received is state.date or state.date is state.frame.campaigns[state.campaign].dates[0]:
        return True
    return (
        yield from yes_no(
            state,
            "9.601.4b",
            f"Was {name_piece(ward)} captured in this CG scenario? Then its CVP are lost no "
            "longer.",
            "9.12",
            subject=ward,
        )
    )


# -- Who fights ------------------------------------------------------------------------------------


def can_attack(state: Campaign, place: str) -> bool:
    """Return whether anybody in the Location can still make a CC attack. Rule: 9.601, A11.1."""
    return in_melee(state, place) and any(
        not unit.has(UnitStatus.BROKEN, UnitStatus.UNARMED, VehicleStatus.SHOCKED, VehicleStatus.UK)
        and not (unit.has(VehicleStatus.STUNNED) and not unit.has(PLUS_1))
        for unit in fighters(state, place)
    )
