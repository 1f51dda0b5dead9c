"""9.607 Equipment Possession and Hidden Fortifications, with all of 9.6071 to 9.6073.

In a Setup Area own Equipment is repossessed, manned, Eliminated, wrecked or Scrounged; enemy
Equipment, with its Inherent crews, is Captured or Eliminated.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from asl_pbcg.campaign.areas.area_map import SetupArea
from asl_pbcg.campaign.location import place_words
from asl_pbcg.campaign.position import Fortification
from asl_pbcg.campaign.position_words import UnitStatus, VehicleStatus
from asl_pbcg.campaign.scenario.fortification_control import holder
from asl_pbcg.campaign.state.campaign_events import FortificationsChanged, happen, happen_to_each
from asl_pbcg.campaign.state.campaign_state import Campaign, Told, change, possessor
from asl_pbcg.campaign.state.piece_changes import (
    add_pieces,
    add_status,
    capture,
    drop_status,
    transfer,
    update,
)
from asl_pbcg.campaign.state.piece_events import (
    Abandoned,
    Captured,
    Retained,
    TakenPrisoner,
    Transferred,
)
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.state.seen import MINES
from asl_pbcg.kernel.prompts import (
    Note,
    Option,
    Prompt,
    Script,
    ask,
    ask_if_open,
    ask_some,
    paragraph,
)
from asl_pbcg.kernel.topic import IDLE
from asl_pbcg.refit.helpers.guards import can_guard, no_longer_prisoner, wards_of
from asl_pbcg.refit.helpers.retained_equipment import STAYS_PUT, area_id, reman, stays_put
from asl_pbcg.refit.helpers.retention import can_meet, guns_of, still_there
from asl_pbcg.refit.helpers.scrounging import anything_to_do, in_areas, removal
from asl_pbcg.refit.helpers.situation import in_board_order, personnel_in, setup_area
from asl_pbcg.refit.helpers.status_chart import holder_of, status_of
from asl_pbcg.refit.helpers.subjects import area_option, piece_option, put_to, side_in, whole_side
from asl_pbcg.refit.helpers.unit_changes import eliminate, kin
from asl_pbcg.refit.helpers.unit_choices import choose_unit, draw_weighted
from asl_pbcg.refit.helpers.vehicle_actions import (
    crew_type,
    dead_to_wreck,
    has_crew,
    scrounge,
    unhook,
)

RULE = "9.6071"


def possession(state: Told) -> Script[Told]:
    """Resolve 9.6071, 9.6072 and 9.6073 in this order, after all Escapes. Rule: 9.607."""
    for sub_step in (in_setup_areas, not_in_setup_areas, hidden_fortifications):
        state = yield from sub_step(state)
    return state


def in_setup_areas(state: Told) -> Script[Told]:
    """Decide whose each piece of Equipment in a Setup Area is, and who possesses it. Rule: 9.6071.

    What is captured is settled for both sides before either side uses what it has.
    """
    areas = state.areas.areas
    for side in state.sides:
        for area in areas[side]:
            state = yield from capture_or_eliminate(state, area)
    for side in state.sides:
        state = yield from equipment_in(state, areas[side])
    return state


# -- 9.6071 -----------------------------------------------------------------------------------


@paragraph(RULE)
def equipment_in(state: Told, areas: Sequence[SetupArea]) -> Script[Told]:
    """Decide what a side does with the Equipment in its Setup Areas, one after the other.

    Of several areas where all is possessed and manned it is asked once whether there is anything
    to be done. Rule: 9.6071.
    """
    calm = []
    for area in areas:
        state = yield from happen_to_each(state, _retain(state, area), Retained)
        if _is_calm(state, area):
            calm.append(area)
    if len(calm) > 1:
        chosen = yield from ask_some(_anything(state, calm))
        calm = [area for area in calm if area.id not in chosen]
    else:
        calm = []
    for area in areas:
        if area not in calm:
            state = yield from equipment_of(state, area)
    return state


def _is_calm(state: Campaign, area: SetupArea) -> bool:
    """Return whether something could be done with the Equipment there, and none lies about."""
    here = _equipment_in(state, area)
    return (
        bool(here and personnel_in(state, area.side, area.id))
        and not any(_is_free(state, piece) for piece in here)
        and _what(state, area, vehicles_done=False)[0] is not None
    )


def _anything(state: Campaign, areas: list[SetupArea]) -> Prompt:
    side = areas[0].side
    options = []
    for area in areas:
        names = ", ".join(name_piece(piece) for piece in _equipment_in(state, area))
        options.append(area_option(area.id, f"Setup Area {area.id}", names))
    return Prompt(
        state=state,
        id="9.6071.2",
        subject=whole_side(side),
        kind="choose-some",
        options=tuple(options),
        default="none",
        draw=lambda source: [area.id for area in areas if source.random() < 0.2],
        text="All is possessed and manned. Where is anything Eliminated, Abandoned, wrecked or "
        "Scrounged?",
        help="The owner may Eliminate any non-vehicle piece, and treat vehicles as in 9.61423.",
    )


@paragraph(RULE)
def equipment_of(state: Told, area: SetupArea) -> Script[Told]:
    """Decide what a side does with the Equipment it Retains in a Setup Area.

    Unpossessed and Abandoned pieces may stay so, with their CA, or be possessed or manned; others
    may be Eliminated; vehicles may be Abandoned, wrecked or Scrounged as in 9.61423. All this
    needs Personnel Retained there.

    Rule: 9.6071, 9.61423.
    """
    state = yield from happen_to_each(state, _retain(state, area), Retained)
    here = _equipment_in(state, area)
    if not here:
        return state
    if not personnel_in(state, area.side, area.id):
        yield Note(
            f"{area.side.title} Setup Area {area.id}: no Personnel, so its Equipment stays as it "
            f"is: {', '.join(name_piece(piece) for piece in here)}.",
        )
        return state
    vehicles_done = False
    while True:
        prompt, actions = _what(state, area, vehicles_done)
        if prompt is None:
            break
        answer = yield from ask(prompt)
        if answer == "done":
            break
        if answer == "eliminate":
            state = yield from _eliminate(state, area)
        elif answer == "vehicles":
            vehicles_done = True
            state = yield from in_areas(state, [area])
        elif actions[answer].is_vehicle:
            state = yield from reman(state, actions[answer], RULE)
        else:
            state = yield from _possess(state, actions[answer], area)
    return (yield from _tell_what_is_left(state, area))


def _retain(state: Campaign, area: SetupArea) -> Campaign:
    """Return the state with own Equipment that lies in the area Retained there.

    Rule: 9.6071, 9.6055.
    """
    for piece in state.of(area.side):
        loose = (piece.is_weapon or piece.is_vehicle) and piece.on_map and not piece.area
        if loose and still_there(state, piece) and setup_area(state, piece) == area:
            state = update(state, piece.id, area=area.id)
    return state


def _equipment_in(state: Campaign, area: SetupArea) -> list[Piece]:
    found = [
        piece
        for piece in state.of(area.side)
        if (piece.is_weapon or piece.is_vehicle) and area_id(state, piece) == area.id
    ]
    return in_board_order(state, found)


def _is_free(state: Campaign, piece: Piece) -> bool:
    """Return whether a piece is unpossessed or Abandoned; a hooked Gun is neither (C10.1)."""
    if piece.is_vehicle:
        return piece.has(VehicleStatus.ABANDONED)
    towed = any(piece.id in each.tows for each in state.pieces)
    return not towed and possessor(state, piece.id) is None


def _what(
    state: Campaign, area: SetupArea, vehicles_done: bool
) -> tuple[Prompt | None, dict[str, Piece]]:
    """Return the prompt, and for each answer the piece it is about; None if nothing can be done."""
    here = _equipment_in(state, area)
    options = []
    actions: dict[str, Piece] = {}
    for piece in here:
        if _is_free(state, piece):
            id = f"{'man' if piece.is_vehicle else 'possess'} {piece.id}"
            verb = "have it manned" if piece.is_vehicle else "have it possessed"
            actions[id] = piece
            text = f"{name_piece(piece)} in {piece.at}: {verb}"
            options.append(Option(id, text, topic=piece.topic))
    if any(piece.is_weapon for piece in here):
        options.append(Option("eliminate", "Eliminate SW or Guns"))
    vehicles = any(piece.is_vehicle for piece in here)
    if vehicles and not vehicles_done and anything_to_do(state, area):
        options.append(Option("vehicles", "Abandon, wreck or Scrounge vehicles", rule="9.61423"))
    if not options:
        return None, {}
    options.append(Option("done", "nothing more"))
    free = ", ".join(f"{name_piece(piece)} {piece.at}" for piece in actions.values())
    prompt = Prompt(
        state=state,
        id="9.6071.3",
        subject=side_in(area.side, area.id),
        options=tuple(options),
        default="done",
        draw=draw_weighted(options, {"eliminate": 0.2, "done": float(len(options))}),
        text=f"Setup Area {area.id}, unpossessed or Abandoned: {free or 'nothing'}. What is done?",
        help="Personnel Retained in the Setup Area may possess or man each such piece "
        "(A21.11-.13, A21.21-.22, D5.42, D6.631); what is left unpossessed keeps its CA. They may "
        "Eliminate any non-vehicle piece, and treat vehicles as in 9.61423.",
    )
    return prompt, actions


@paragraph(RULE)
def _possess(state: Told, piece: Piece, area: SetupArea) -> Script[Told]:
    """Decide who repossesses an unpossessed SW or mans a Gun. Rule: 9.6071, A21.11-.13."""
    people = [unit for unit in personnel_in(state, area.side, area.id) if not unit.aboard]
    options = [_possessor(state, unit, piece) for unit in people]
    unit = yield from ask_if_open(
        Prompt(
            state=state,
            id="9.6071.3a",
            subject=put_to(area.side, piece),
            options=(*options, Option("nobody", "nobody after all")),
            text=f"Who possesses {name_piece(piece)} in {piece.at}?",
        )
    )
    if unit == "nobody":
        return state
    after = transfer(state, piece.id, unit)
    if piece.kind != "gun":
        after = update(after, piece.id, at=state.piece(unit).at)
    after = update(after, piece.id, area=area.id)
    state = yield from happen(state, after, Transferred(piece=piece))
    yield Note(f"{name_piece(state.piece(unit))} now possesses {name_piece(piece)}.")
    return state


def _possessor(state: Campaign, unit: Piece, piece: Piece) -> Option:
    """Return a unit as an answer to who possesses a SW or mans a Gun. Rule: A21.11-.13, 9.6058."""
    refused, rule = "", ""
    if piece.kind == "gun" and unit.kind not in ("squad", "half_squad", "crew"):
        refused, rule = "A Gun is manned by an MMC.", "A21.13"
    elif piece.kind == "gun" and stays_put(state, unit, piece):
        refused, rule = STAYS_PUT, "9.6058"
    elif piece.kind == "gun":
        guns = [gun for gun in guns_of(state, unit) if gun.on_map]
        apart = next((gun for gun in guns if not can_meet(state, gun, piece)), None)
        if apart:
            refused = (
                f"It mans {name_piece(apart)} in {apart.at}, too far away to set up with both."
            )
            rule = "CG11"
    return piece_option(unit, unit.at, refused=refused, rule=rule)


@paragraph(RULE)
def _eliminate(state: Told, area: SetupArea) -> Script[Told]:
    """Decide which non-vehicle pieces their owner Eliminates. Rule: 9.6071."""
    here = [piece for piece in _equipment_in(state, area) if piece.is_weapon]
    chosen = yield from ask_some(
        Prompt(
            state=state,
            id="9.6071.1e",
            subject=side_in(area.side, area.id),
            kind="choose-some",
            options=tuple(piece_option(piece, place_words(piece.at)) for piece in here),
            default="none",
            text="Which of these does your Personnel Eliminate?",
        )
    )
    for id in chosen:
        state = yield from eliminate(state, id, "by its owner", how=" by its owner")
    return state


def _tell_what_is_left(state: Told, area: SetupArea) -> Script[Told]:
    """Tell what stays unpossessed or Abandoned, with its CA. Rule: 9.6071."""
    free = [piece for piece in _equipment_in(state, area) if _is_free(state, piece)]
    if free:
        names = ", ".join(f"{name_piece(piece)} {piece.at}" for piece in free)
        yield Note(
            f"{area.side.title} Setup Area {area.id}: unpossessed or Abandoned, with its CA: "
            f"{names}.",
        )
    return state


_NOBODY = "No Personnel of yours is Retained in that Setup Area."


@paragraph(RULE)
def capture_or_eliminate(state: Told, area: SetupArea) -> Script[Told]:
    """Decide what becomes of each piece of enemy Equipment in a Setup Area.

    It is Captured without more ado if its new owner has no Personnel there to Eliminate it.

    Rule: 9.6071, 9.6056.
    """
    found = [piece for piece in state.of(area.side.other) if falls_to(state, piece, area)]
    for piece in in_board_order(state, found):
        answer = "capture"
        if personnel_in(state, area.side, area.id):
            answer = yield from ask(_choice(state, piece, area))
        if answer == "capture":
            state = yield from _capture(state, piece, area)
        else:
            state = yield from _eliminate_captured(state, piece, area)
    return state


def falls_to(state: Campaign, piece: Piece, area: SetupArea) -> bool:
    """Return whether an enemy piece is Equipment that the side of ``area`` gets hold of there.

    Unpossessed SW and Guns, Abandoned vehicles, and what the status chart says of crewed Immobile
    vehicles. Rule: 9.6071, 9.6056.
    """
    if not (piece.is_weapon or piece.is_vehicle) or not piece.on_map or piece.area:
        return False
    here = state.areas.area_of(area.side, piece.location)
    if here is None or here.id != area.id:
        return False
    if piece.is_vehicle and not piece.has(VehicleStatus.ABANDONED):
        return status_of(state, piece).outcome == "captured_or_eliminated"
    if status_of(state, piece).outcome == "captured_or_eliminated":
        return True
    holder = holder_of(state, piece) or possessor(state, piece.id)
    return holder is None or not still_there(state, holder)


def _choice(state: Campaign, piece: Piece, area: SetupArea) -> Prompt:
    captured = "Weapons may be Removed, it may be wrecked or Scrounged"
    if not piece.has(VehicleStatus.ABANDONED):
        captured = f"with its crew; {captured}"
    return Prompt(
        state=state,
        id="9.6071.1",
        subject=put_to(area.side, piece),
        options=(
            Option(
                "capture",
                "Capture it",
                captured if piece.is_vehicle else "Retained as Captured",
            ),
            Option(
                "eliminate",
                "Eliminate it",
                "removed from the map; Weapons may be Removed or Scrounged before"
                if piece.is_vehicle
                else "",
            ),
        ),
        default="capture",
        text=f"{name_piece(piece)} in {piece.at}, Setup Area {area.id}, falls to you.",
        help="Each piece of Equipment in a Setup Area is Retained by the side that Controls it, "
        "as Captured if it was the enemy's; its Personnel there may Eliminate it instead.",
    )


# -- Captured ---------------------------------------------------------------------------------


@paragraph(RULE)
def _capture(state: Told, piece: Piece, area: SetupArea) -> Script[Told]:
    """Capture a piece; one of one's own is won back. Rule: 9.6071, CG14."""
    if piece.is_vehicle:
        state = yield from _crew_captured(state, piece, area)
    after: Campaign = state
    if piece.is_vehicle:
        after = unhook(after, piece.id)
        after = drop_status(
            after, piece.id, VehicleStatus.MOTION, VehicleStatus.CE, VehicleStatus.RECALL
        )
        after = add_status(after, piece.id, VehicleStatus.ABANDONED)
    after = update(capture(after, piece.id, area.side), piece.id, area=area.id)
    event = Captured(piece=piece, by=area.side, area=area.id, back=piece.captured)
    state = yield from happen(state, after, event)
    if not piece.is_vehicle:
        return state
    state = yield from _removed_by_captor(state, piece.id, area)
    return (yield from dead_to_wreck(state, piece.id))


def _removed_by_captor(state: Told, id: str, area: SetupArea) -> Script[Told]:
    """Let the Personnel of an area Remove Weapons of a vehicle that fell to it: the note *.

    Rule: 9.6056 chart, D5.411.
    """
    people = [each.id for each in personnel_in(state, area.side, area.id) if not each.aboard]
    return (yield from removal(state, id, people, "9.6056"))


def _crew_captured(state: Told, vehicle: Piece, area: SetupArea) -> Script[Told]:
    """Make prisoners of the crew of a Captured Immobile vehicle, its Armor Leader included.

    Rule: 9.6071; rulings C-65, P-15.
    """
    inside = [piece.id for piece in state.pieces if piece.aboard == vehicle.id]
    guards = [unit for unit in personnel_in(state, area.side, area.id) if can_guard(unit, vehicle)]
    if not guards:
        return (yield from _crew_without_guard(state, vehicle, inside, area))
    if has_crew(state, vehicle) and not any(state.piece(id).is_personnel for id in inside):
        fields = {**kin(vehicle), "area": ""}
        after = add_pieces(state, vehicle.side, [(crew_type(), 1)], **fields)
        crew = after.pieces[-1]
        state = yield from happen(state, after, Abandoned(piece=vehicle, crew=crew))
        inside.insert(0, crew.id)
    if not inside:
        return state
    guard = yield from choose_unit(
        state,
        "9.6071.1a",
        put_to(area.side, vehicle),
        guards,
        f"Which unit guards the captured crew of {name_piece(vehicle)}?",
        rule="A20.5",
        with_place=True,
    )
    for id in inside:
        state = yield from _wards_freed(state, id, area)
        after = state
        for item in state.piece(id).possesses:
            after = transfer(after, item)
        after = add_status(after, id, UnitStatus.PRISONER)
        held_at = state.piece(guard).at
        after = update(after, id, guarded_by=guard, aboard="", at=held_at, area="")
        state = yield from happen(state, after, TakenPrisoner(piece=state.piece(id)))
        yield Note(
            f"{name_piece(state.piece(id))} of {name_piece(vehicle)} is captured; "
            f"{name_piece(state.piece(guard))} guards it.",
        )
    return state


def _crew_without_guard(
    state: Told, vehicle: Piece, inside: list[str], area: SetupArea
) -> Script[Told]:
    """Eliminate a captured crew that nobody in the Setup Area can guard. Rule: 9.6071."""
    if has_crew(state, vehicle):
        yield Note(
            f"The crew of {name_piece(vehicle)} is captured, but nobody in Setup Area {area.id} "
            "can guard it: Eliminated.",
        )
    for id in inside:
        state = yield from _wards_freed(state, id, area)
        why = "captured without a Guard"
        state = yield from eliminate(state, id, why, how=" with it")
    return state


def _wards_freed(state: Told, id: str, area: SetupArea) -> Script[Told]:
    """Free the prisoners of a Guard who is captured himself: they are among their own.

    Rule: 9.6071, 9.608, A20.551.
    """
    for ward in wards_of(state, id):
        state = yield from no_longer_prisoner(state, ward.id, RULE)
        after = update(state, ward.id, area=area.id)
        state = yield from happen(state, after, Retained(piece=state.piece(ward.id)))
    return state


# -- Eliminated -------------------------------------------------------------------------------


@paragraph(RULE)
def _eliminate_captured(state: Told, piece: Piece, area: SetupArea) -> Script[Told]:
    """Eliminate a piece of enemy Equipment with whoever is part of it.

    Who Eliminates a vehicle may first Remove Weapons and try to Scrounge it: the chart's note *.

    Rule: 9.6071, 9.6056.
    """
    if piece.is_vehicle:
        after = update(unhook(state, piece.id), piece.id, area=area.id)
        state = yield from happen(state, after, Retained(piece=piece))
        state = yield from _removed_by_captor(state, piece.id, area)
        state = yield from scrounge(state, piece.id, "9.6056", "9.61423.result", area.side)
        for each in [each for each in state.pieces if each.aboard == piece.id]:
            how = f" with {name_piece(piece)}"
            state = yield from eliminate(state, each.id, RULE, how=how)
    yield Note(f"{name_piece(piece)} in {piece.at} is Eliminated.")
    why = "by the side that Controls the Setup Area"
    return (yield from eliminate(state, piece.id, why, how=None))


# -- 9.6072 -----------------------------------------------------------------------------------


def not_in_setup_areas(state: Told) -> Script[Told]:
    """Leave ownerless Equipment outside all Setup Areas as it stands, CA and VCA too.

    It stays there until it is Eliminated or possessed in a later scenario. Rule: 9.6072.
    """
    outside = [piece for piece in state.pieces if is_left_outside(state, piece)]
    names = ", ".join(f"{name_piece(piece)} {piece.at}" for piece in in_board_order(state, outside))
    yield Note(
        f"Unpossessed or Abandoned outside Setup Areas, stays with its CA/VCA: {names}."
        if outside
        else "No Equipment lies unpossessed or Abandoned outside the Setup Areas.",
        "9.6072",
    )
    return state


def is_left_outside(state: Campaign, piece: Piece) -> bool:
    """Return whether Equipment is outside all Setup Areas and nobody's to take along.

    Rule: 9.6072.
    """
    if not (piece.is_weapon or piece.is_vehicle) or not piece.on_map or piece.area:
        return False
    holder = holder_of(state, piece)
    if holder and still_there(state, holder):
        return False
    if piece.is_vehicle and not piece.has(VehicleStatus.ABANDONED):
        return False
    areas = state.areas
    return all(areas.area_of(side, piece.location) is None for side in state.sides)


# -- 9.6073 -----------------------------------------------------------------------------------


@paragraph("9.6073")
def hidden_fortifications(state: Told) -> Script[Told]:
    """Place hidden Fortifications in enemy Setup Areas on map, and say whose the others are.

    A minefield is only marked: what it is stays the secret of who bought it. Rule: 9.6073.
    """
    found = []
    revealed = 0
    for each in _in_order(state):
        if each.hidden and each.owner and state.areas.area_of(each.owner.other, each.location):
            state, each = yield from _reveal(state, each)
            revealed += 1
        found.append(each)
    if not revealed:
        yield Note("No hidden Fortification lies in an enemy Setup Area.", topic=IDLE)
    after = change(state, fortifications=tuple(found))
    state = yield from happen(state, after, FortificationsChanged())
    for each in found:
        if not each.hidden or state.has_counter(each):
            yield from _whose(state, each)
    return state


def _in_order(state: Campaign) -> list[Fortification]:
    position = state.board.grid.position
    return sorted(
        state.fortifications,
        key=lambda each: (position.get(each.location.hex, 10**6), each.location.level, each.kind),
    )


def _reveal(state: Told, each: Fortification) -> Script[tuple[Told, Fortification]]:
    assert each.owner
    if each.kind in MINES:
        if state.has_counter(each):
            return state, each
        shown = FortificationsChanged(
            text=f"{each.owner.title} minefield in {each.at}: a Minefield counter shows that it is "
            "there, not its strength or type.",
        )
        counters = (*state.minefield_counters, (each.kind, each.at))
        after = change(state, minefield_counters=counters)
        return (yield from happen(state, after, shown)), each
    yield Note(f"Hidden {each.owner.title} {each.kind.called} in {each.at} is placed on map.")
    return state, msgspec.structs.replace(each, hidden=False)


def _whose(state: Campaign, each: Fortification) -> Script[None]:
    """Tell whose an on-map Fortification is now, if it is not who placed it. Rule: 9.6073."""
    side = holder(state, each)
    if side is not each.owner and side is not None:
        what = "minefield" if each.kind in MINES else each.kind.value
        yield Note(f"The {what} in {each.at} is {side.title}.")
