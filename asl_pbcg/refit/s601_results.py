"""9.601 Results of a round of Melee for Personnel, as the table tells them."""

from __future__ import annotations

from asl_pbcg.campaign.catalogue import MMC, SMC, InfantryType
from asl_pbcg.campaign.events import happen
from asl_pbcg.campaign.piece_changes import (
    add_pieces,
    add_status,
    drop_status,
    transfer,
    update,
)
from asl_pbcg.campaign.piece_events import LeaderCreated, Retained, TakenPrisoner, Wounded
from asl_pbcg.campaign.piece_names import name_piece, name_with_status
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position_words import UnitStatus
from asl_pbcg.campaign.state import Campaign, Told
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Script, paragraph
from asl_pbcg.refit.guards import can_guard, wards_of, without_guard
from asl_pbcg.refit.s601_fighters import lose_vp, no_longer_lost, reduce_in_melee
from asl_pbcg.refit.s601_vehicles import vehicle_result
from asl_pbcg.refit.situation import accessible, at_location, fighters
from asl_pbcg.refit.subjects import put_to, side_at
from asl_pbcg.refit.unit_changes import captured_vp, cvp_of, eliminate, kin
from asl_pbcg.refit.unit_choices import choose_unit, draw_weighted


def report(state: Told, side: Side, place: str, heading: str) -> Script[Told]:
    """Decide what a round of Melee did to the units of ``side`` in a Location.

    The dice of CC are thrown at the table (A11). Rule: 9.601.
    """
    makers = leader_makers(state, side, place)
    while True:
        mine = _own(state, side, place)
        if not mine:
            return state
        options = [Option(unit.id, name_with_status(unit)) for unit in mine]
        if makers:
            options.append(Option("leader", "a leader was created", rule="A18.12"))
        options.append(Option("done", "nothing more"))
        answer = yield Prompt(
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
    answer = yield Prompt(
        state=state,
        id="9.601.3a",
        subject=piece,
        options=_outcomes(state, piece),
        text=f"{heading}: what happened to {name_with_status(piece)}?",
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
        found.append(Option(place, place, refused=refused, rule="A11.2"))
    return found


@paragraph("A11.2")
def _withdrew(state: Told, piece: Piece) -> Script[Told]:
    options = tuple(_ways_out(state, piece))
    legal = [option.id for option in options if not option.refused]
    place = legal[0]
    if len(legal) > 1:
        place = yield Prompt(
            state=state,
            id="9.601.3b",
            subject=piece,
            options=options,
            text=f"To which Location did {name_piece(piece)} Withdraw?",
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
    types = [each for each in state.catalogue if each.side is side and each.kind == "leader"]
    chosen = yield Prompt(
        state=state,
        id="9.601.3f",
        subject=side_at(side, place),
        options=tuple(Option(each.name, each.name) for each in types),
        text="Which leader was created?",
        help="Original 2 on a CC attack: roll on the Leader Creation Table (A18.2).",
    )
    after = add_pieces(state, side, [(chosen, 1)], **kin(maker))
    leader = after.pieces[-1]
    yield Note(f"{name_piece(leader)} is created in {place}.")
    return (yield from happen(state, after, LeaderCreated(piece=maker, leader=leader)))
