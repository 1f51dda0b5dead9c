"""9.6071 Equipment in one's own Setup Area: possessed, manned, Eliminated, wrecked, Scrounged."""

from __future__ import annotations

from collections.abc import Sequence

from asl_pbcg.campaign.area_map import SetupArea
from asl_pbcg.campaign.events import happen, happen_to_each
from asl_pbcg.campaign.location import place_words
from asl_pbcg.campaign.piece_changes import transfer, update
from asl_pbcg.campaign.piece_events import Retained, Transferred
from asl_pbcg.campaign.piece_names import name_piece
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position_words import VehicleStatus
from asl_pbcg.campaign.state import Campaign, Told, possessor
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Script, ask_if_open, paragraph
from asl_pbcg.refit.retained_equipment import STAYS_PUT, area_id, reman, stays_put
from asl_pbcg.refit.retention import can_meet, guns_of, still_there
from asl_pbcg.refit.scrounging import anything_to_do, in_areas
from asl_pbcg.refit.situation import in_board_order, personnel_in, setup_area
from asl_pbcg.refit.subjects import put_to, side_in, whole_side
from asl_pbcg.refit.unit_changes import eliminate
from asl_pbcg.refit.unit_choices import draw_weighted

RULE = "9.6071"


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
        chosen = yield _anything(state, calm)
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
        options.append(Option(area.id, f"Setup Area {area.id}", names))
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
        answer = yield prompt
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
            options.append(Option(id, f"{name_piece(piece)} in {piece.at}: {verb}"))
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
    return Option(unit.id, name_piece(unit), unit.at, refused=refused, rule=rule)


@paragraph(RULE)
def _eliminate(state: Told, area: SetupArea) -> Script[Told]:
    """Decide which non-vehicle pieces their owner Eliminates. Rule: 9.6071."""
    here = [piece for piece in _equipment_in(state, area) if piece.is_weapon]
    chosen = yield Prompt(
        state=state,
        id="9.6071.1e",
        subject=side_in(area.side, area.id),
        kind="choose-some",
        options=tuple(Option(piece.id, name_piece(piece), place_words(piece.at)) for piece in here),
        default="none",
        text="Which of these does your Personnel Eliminate?",
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
