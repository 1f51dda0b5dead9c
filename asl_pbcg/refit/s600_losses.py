"""Pieces that the end position does not list: off map, Eliminated, exited, Walking Wounded."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Sequence

import msgspec

from asl_pbcg.campaign.board.entry_areas import entry_areas
from asl_pbcg.campaign.module.catalogue import MMC, SMC, Formation
from asl_pbcg.campaign.position import MAX_CVP, Position
from asl_pbcg.campaign.position_words import UnitStatus
from asl_pbcg.campaign.state.campaign_events import CVPLost, WalkingWoundedBox, happen
from asl_pbcg.campaign.state.campaign_state import Campaign, Told, change, with_account
from asl_pbcg.campaign.state.ob_merge import in_formation, missing, pieces_left_out
from asl_pbcg.campaign.state.piece_changes import add_status, drop_status, with_piece
from asl_pbcg.campaign.state.piece_events import Retained, Wounded
from asl_pbcg.campaign.state.piece_names import name_piece, name_pieces
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.prompts import (
    Note,
    Option,
    Prompt,
    Script,
    ask,
    ask_number,
    ask_some,
    paragraph,
)
from asl_pbcg.refit.helpers.subjects import area_option, piece_option, whole_side
from asl_pbcg.refit.helpers.unit_changes import casualty_reduction, personnel_vp_lost

# -- CG16: what never entered ------------------------------------------------------------


@paragraph("CG16")
def settle_unentered(
    state: Campaign, before: Campaign, position: Position, side: Side
) -> Script[tuple[dict[str, str], list[Piece]]]:
    """Decide what of ``side`` never entered and stays Retained off map: id to its Entry Area.

    The rest of what the position does not list was lost in play; both sides saw that.

    Rule: CG16, 9.2 Eliminated.
    """
    gone = [piece for piece in missing(before, position) if piece.side is side]
    unlisted = [piece for piece in pieces_left_out(before, position) if piece.side is side]
    if not unlisted:
        return {}, gone
    ids = yield from _never_entered(state, before, side, unlisted)
    waiting = [piece for piece in unlisted if piece.id in ids]
    if waiting:
        yield Note(f"Never entered, so Retained off map: {name_pieces(waiting)}.")
    found = yield from _entry_areas_of(state, before, side, waiting)
    yield from _so_many_lost(
        state, before, side, [piece for piece in unlisted if piece.id not in ids]
    )
    return found, [piece for piece in gone if piece.id not in ids]


FEW, SHARE = 5, 2
"""More pieces than this and more than one in so many are not Eliminated without a question."""


@paragraph("9.2")
def _so_many_lost(state: Campaign, before: Campaign, side: Side, lost: list[Piece]) -> Script[None]:
    """Let a side confirm that most of what it had is gone: else the position may be another's.

    Rule: 9.2 Eliminated.
    """
    own = [piece for piece in before.of(side) if piece.is_unit_or_equipment]
    if len(lost) <= FEW or len(lost) * SHARE <= len(own):
        return
    yield Prompt(
        state=state,
        id="0.2.9",
        subject=whole_side(side),
        options=(
            Option("yes", "yes, they were Eliminated"),
            Option("no", "no", refused="Undo the position (u) and give the right one."),
        ),
        text=f"{len(lost)} of the {len(own)} {side.title} units and pieces of Equipment are "
        "Eliminated in play by this position. Is that right?",
        help="What the position does not list and what never entered is asked apart from "
        "that (CG16) is Eliminated in play (9.2).",
    )


def _never_entered(
    state: Campaign, before: Campaign, side: Side, left: list[Piece]
) -> Script[list[str]]:
    options = []
    for piece in left:
        refused = _why_entered(before, piece)
        rg = f"RG {piece.own_rg}" if piece.own_rg else piece.own_formation
        options.append(piece_option(piece, rg, refused=refused, rule="CG16, 9.2 Retained"))
    open_ids = [option.id for option in options if not option.refused]
    if not open_ids:
        return []
    waited = [each for each in before.of(side) if _entry_area(before, each)]
    come = {_arrival(each) for each in waited if each not in left}
    likely = [
        id
        for id in open_ids
        if _entry_area(before, before.piece(id)) and _arrival(before.piece(id)) not in come
    ]
    chosen = yield from ask_some(
        Prompt(
            state=state,
            id="0.2.1",
            subject=whole_side(side),
            kind="choose-some",
            options=tuple(options),
            default=", ".join(likely) or "none",
            text="The position does not list these pieces. Which of them never entered?",
            help="What never entered stays Retained off map (CG16); the rest counts as Eliminated "
            "in play. An RG or a CG Date's reinforcements of which the position lists some are "
            "taken to have entered. A German piece that exited by a friendly Entry Area must stand "
            "in the position: at off-map A7, status exited (CG15).",
        )
    )
    return chosen


def _arrival(piece: Piece) -> tuple[str, str, CGDate]:
    """Return what comes together: an RG, or the reinforcements of a CG Date. Rule: CG6, 9.6152."""
    return piece.rg, piece.formation, piece.received


def _why_entered(state: Campaign, piece: Piece) -> str:
    """Return why ``piece`` cannot be one that never entered; empty if it can.

    Rule: 9.2 Retained, CG6.
    """
    if piece.on_map and not _entry_area(state, piece):
        return f"It set up on map, in {piece.at}."
    if piece.is_prisoner:
        return "It is a prisoner."
    area = piece.retained_in
    if area and area.is_setup_area and not piece.listed_at and not _entry_area(state, piece):
        return f"It had to set up on map, in {area}."
    return ""


def _entry_area(state: Campaign, piece: Piece) -> str:
    """Return the Entry Area ``piece`` waits at, or empty if that is not known."""
    areas = entry_areas(state.board)
    waits_at = piece.location.entry if piece.off_map else ""
    for place in (piece.area, waits_at, piece.listed_at):
        if place in areas and areas[place].side == piece.side.value:
            return place
    # House rule A-05 lets Day II reinforcements wait at a hex without an arrow.
    return piece.area if piece.area and piece.area == piece.listed_at else ""


def _entry_areas_of(
    state: Campaign, before: Campaign, side: Side, waiting: list[Piece]
) -> Script[dict[str, str]]:
    """Decide where each waiting piece is Retained off map; asked only where it is not known."""
    found = {piece.id: _entry_area(before, piece) for piece in waiting}
    groups: dict[str, list[Piece]] = {}
    for piece in waiting:
        if not found[piece.id]:
            groups.setdefault(piece.own_rg or piece.own_formation or piece.area, []).append(piece)
    own = [arrow for arrow, area in entry_areas(before.board).items() if area.side == side.value]
    for pieces in groups.values():
        place = yield from ask(
            Prompt(
                state=state,
                id="0.2.2",
                about=" ".join(piece.id for piece in pieces),
                options=tuple(area_option(arrow, f"Entry Area {arrow}") for arrow in own),
                text=f"At which Entry Area do these wait: {name_pieces(pieces)}?",
                help="A unit Retained off map enters at an Eligible Entry Area (9.2 Retained).",
            )
        )
        found |= {piece.id: place for piece in pieces}
    return found


# -- Pieces that came into being in play -------------------------------------------------


UNKNOWN = "unknown"


@paragraph("9.6153")
def _formation_of(
    state: Campaign, pieces: Sequence[Piece], formations: Sequence[Formation]
) -> Script[str]:
    """Decide which formation new pieces of a type belong to. Rule: 9.6153, CG17."""
    piece = pieces[0]
    options = tuple(Option(each.id, each.name) for each in formations)
    if len(pieces) > 1 and piece.kind not in MMC:
        options += (Option(UNKNOWN, "not all to one", "asked of each when it matters (9.6153)"),)
    chosen = yield from ask(
        Prompt(
            state=state,
            id="0.2.4",
            subject=piece if len(pieces) == 1 else None,
            about="" if len(pieces) == 1 else piece.type,
            options=options,
            text=f"{name_piece(piece)} is new. To which formation does it belong?"
            if len(pieces) == 1
            else f"To which formation do the {len(pieces)} {piece.type} belong that name none?",
            help="Airborne MMC may become Walking Wounded (CG17); what is not Airborne is "
            "withdrawn after Day II (9.6153).",
        )
    )
    return chosen


def hidden_newcomers(
    state: Campaign, before: Campaign, common: Position, position: Position, side: Side
) -> Script[Position]:
    """Give the position with the formations of what is new among what ``side`` alone knows.

    ``state`` has the position taken in. Rule: 9.6153, 9.602(6).
    """
    listed = {piece.id for piece in common.pieces}
    hidden = {
        piece.id for piece in position.pieces if piece.side is side and piece.id not in listed
    }
    state = yield from newcomers(before, state, hidden)
    known = state.catalogue.formation_called
    formations = {
        id: found.id for id in hidden if (found := known(state.piece(id).own_formation)) is not None
    }
    return position.with_pieces(
        msgspec.structs.replace(piece, formation=formations.get(piece.id, piece.formation))
        for piece in position.pieces
    )


def newcomers(before: Campaign, state: Campaign, ids: Collection[str]) -> Script[Campaign]:
    """Resolve the formation of British pieces that are new, for example an HS Deployed in play.

    ``ids`` are those that may be asked about now.

    Airborne and Ox and Bucks units are treated apart. In a campaign begun on paper all are new:
    they are asked about type by type. Rule: CG17, 9.6153.
    """
    known = {piece.id for piece in before.pieces}
    names = {piece.formation for piece in before.pieces}
    named: Collection[str] = ()
    if before.has_no_pieces_yet:
        names = {group.formation for group in state.charts.initial[state.campaign].groups}
        named = state.charts.reinforcements.formations.values()
    formations = [
        formation
        for formation in state.catalogue.formations.values()
        if formation.side is Side.BRITISH and (formation.name in names or formation.id in named)
    ]
    groups: dict[str, list[Piece]] = {}
    for piece in state.of(Side.BRITISH):
        is_new = piece.id in ids and piece.id not in known
        if formations and is_new and not (piece.formation or piece.captured):
            key = piece.type if before.has_no_pieces_yet else piece.id
            groups.setdefault(key, []).append(piece)
    for pieces in groups.values():
        chosen = formations[0].id
        if len(formations) > 1:
            chosen = yield from _formation_of(state, pieces, formations)
        if chosen == UNKNOWN:
            continue
        formation = next(each for each in formations if each.id == chosen)
        is_or_are = "is" if len(pieces) == 1 else "are"
        yield Note(f"{name_pieces(pieces)} {is_or_are} of {formation.name}.", "9.2 OB")
        for piece in pieces:
            state = with_piece(state, in_formation(before, piece, formation))
    return state


# -- CG15: map exit ----------------------------------------------------------------------


@paragraph("CG15")
def exits(state: Told) -> Script[Told]:
    """Retain off map what exited by a Friendly Entry Area, the broken after their NTC.

    Rule: CG15.
    """
    for piece in [piece for piece in state.pieces if piece.has(UnitStatus.EXITED)]:
        if all(each.id != piece.id for each in state.pieces):
            continue  # went with its Eliminated possessor
        area = piece.location.entry
        after = drop_status(state, piece.id, UnitStatus.EXITED)
        state = yield from happen(state, after, Retained(piece=piece))
        yield Note(
            f"{name_piece(piece)} exited by Entry Area {area} and is Retained off map there.",
        )
        if piece.has(UnitStatus.BROKEN):
            state = yield from _exit_ntc(state, piece)
    return state


def _exit_ntc(state: Told, piece: Piece) -> Script[Told]:
    """Resolve the NTC a broken unit took when it exited. Rule: CG15."""
    failed: tuple[Option, ...] = (Option("failed", "failed", "Casualty Reduction"),)
    if piece.kind in SMC:
        failed = (
            Option("wounded", "failed: wounded", rule="A17.11"),
            Option("eliminated", "failed: Eliminated", rule="A17.11"),
        )
    answer = yield from ask(
        Prompt(
            state=state,
            id="0.2.3",
            subject=piece,
            options=(Option("passed", "passed", "Retained as the position has it"), *failed),
            text=f"{name_piece(piece)} exited broken: its NTC?",
            help="Each broken Personnel unit takes a NTC as it exits; a Good Order leader's DRM "
            "can apply. For an SMC that fails tell its Wound Severity dr (A17.11). Choose passed "
            "too if the position already shows what a failure did.",
        )
    )
    if answer == "passed":
        return state
    if answer == "wounded":
        after = add_status(state, piece.id, UnitStatus.WOUNDED)
        return (yield from happen(state, after, Wounded(piece=piece)))
    return (yield from casualty_reduction(state, piece.id, "CG15", lose_equipment=True))


# -- CG17: the Walking Wounded box -------------------------------------------------------


@paragraph("CG17", side=Side.BRITISH)
def ww_box(before: Campaign, state: Told, position: Position) -> Script[Told]:
    """Decide what is in the Walking Wounded box.

    Only Airborne MMC that are not Walking Wounded, removed by Double Break, Casualty MC or Fate,
    go there. The position's own count is taken if it gives one. Rule: CG17.
    """
    if position.ww_box:
        words = ", ".join(f"{each.count} x {each.type}" for each in position.ww_box)
        yield Note(f"In the Walking Wounded box: {words}.")
        return state
    box = dict(before.ww_box)
    lost = _mmc_lost(before, state)
    options = tuple(
        Option(id, text, refused=_no_ww(before.piece(id.removesuffix("/half"))), rule="CG17")
        for id, (text, _) in lost.items()
    )
    if any(not option.refused for option in options):
        chosen = yield from ask_some(
            Prompt(
                state=state,
                id="0.2.7",
                kind="choose-some",
                options=options,
                default="none",
                text="Which of these went to the Walking Wounded box?",
                help="Airborne MMC removed by Double Break (A10.3), Casualty MC (A10.31) or Fate "
                "(A10.64), unless they already were Walking Wounded (CG17).",
            )
        )
        for id in chosen:
            _, type = lost[id]
            box[type] = box.get(type, 0) + 1
    return (yield from happen(state, change(state, ww_box=box), WalkingWoundedBox()))


def _mmc_lost(before: Campaign, state: Campaign) -> dict[str, tuple[str, str]]:
    """Return the British MMC lost in play, and the halves of squads that were reduced.

    By id (of a half with ``/half`` behind it) its name for players and its type.
    """
    found = {}
    now = {piece.id: piece for piece in state.pieces}
    known = {piece.id for piece in before.pieces}
    # A squad that Deployed has lost nothing: its other half is a new HS.
    new = [piece.type for piece in state.of(Side.BRITISH) if piece.id not in known]
    for piece in before.of(Side.BRITISH):
        name = name_piece(piece)
        if piece.kind not in MMC or piece.is_prisoner:
            continue
        if piece.id not in now:
            found[piece.id] = (name, piece.type)
        elif piece.kind == "squad" and now[piece.id].kind == "half_squad":
            half = now[piece.id].type
            if half in new:
                new.remove(half)
                continue
            found[f"{piece.id}/half"] = (f"the half of {name} that was lost: {half}", half)
    return found


def _no_ww(piece: Piece) -> str:
    if not piece.airborne:
        return "It is not Airborne."
    return "It was Walking Wounded already." if piece.has(UnitStatus.WALKING_WOUNDED) else ""


# -- 9.12: Casualty VP -------------------------------------------------------------------


@paragraph("9.12")
def casualty_vp(before: Campaign, state: Told, position: Position) -> Script[Told]:
    """Resolve the CVP each side lost in the scenario, from what both sides know.

    ``position`` is the one that both know: what is new and hidden counts for nothing.
    Rule: 9.12, A26.2; house rule C-30.
    """
    lost: dict[Side, int] = {}
    open_ids = {each.id for each in (*before.pieces, *position.pieces)}
    seen = change(state, pieces=tuple(piece for piece in state.pieces if piece.id in open_ids))
    prisoners = (
        "who is held prisoner counts double (A26.222)"
        if state.plays("C-30", "held-at-end")
        else "no prisoners (house rule C-30)"
    )
    for side in state.sides:
        computed = personnel_vp_lost(before, seen, side)
        default = position.casualty_vp.of(side) or computed
        lost[side] = yield from ask_number(
            Prompt(
                state=state,
                id="0.2.8",
                about=side.value,
                kind="number",
                least=0,
                most=MAX_CVP,
                default=default,
                draw=_always(default),
                text=f"Casualty VP the {side.title} side lost in {state.date.title}?",
                help=f"The position says {position.casualty_vp.of(side)}. The {side.title} "
                f"Personnel lost are worth {computed} CVP; add Guns and vehicles by A26.2, "
                f"{prisoners}. Losses in 9.601-9.603 will be added by themselves.",
            )
        )
    return (yield from happen(state, with_account(state, cvp_lost=lost), CVPLost()))


def _always(number: int) -> Callable[[random.Random], int]:
    return lambda source: number
