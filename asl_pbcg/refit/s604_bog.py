"""9.6043 Bog and 9.6044 Shock/UK: vehicles that try until it is settled, one way or the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from asl_pbcg.campaign.areas.area_map import AreaMap
from asl_pbcg.campaign.module.catalogue import MMC, InfantryType
from asl_pbcg.campaign.position_words import TerrainKind, VehicleStatus
from asl_pbcg.campaign.state.campaign_context import areas_with
from asl_pbcg.campaign.state.campaign_events import happen
from asl_pbcg.campaign.state.campaign_state import Campaign, Told
from asl_pbcg.campaign.state.ob_merge import to_position
from asl_pbcg.campaign.state.piece_changes import add_status, drop_status
from asl_pbcg.campaign.state.piece_events import Cleared, Immobilized, Recovered
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Script, ask, ask_some, paragraph
from asl_pbcg.kernel.topic import IDLE
from asl_pbcg.kernel.typed_data import data_file, unless_known
from asl_pbcg.refit.helpers.situation import in_board_order
from asl_pbcg.refit.helpers.strategic_control import (
    strategic_locations,
    vehicle_alone,
    with_control,
)
from asl_pbcg.refit.helpers.subjects import attempt_of, piece_option
from asl_pbcg.refit.helpers.vehicle_actions import vehicle_lost, vehicle_type

_BOG = (VehicleStatus.BOGGED, VehicleStatus.MIRED)
_SHOCK = (VehicleStatus.SHOCKED, VehicleStatus.UK)


class BogHelpers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Helpers of a bogged vehicle and their drm. Rule: 9.6043, Vehicle Note L."""

    rule: str
    hs_equivalents: int
    drm: dict[str, int]


class StepNumbers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``data/pb/refit.yaml``."""

    bog_helpers: BogHelpers


def _check_numbers(numbers: StepNumbers) -> Iterator[tuple[str, str]]:
    for kind in numbers.bog_helpers.drm:
        yield from unless_known("bog_helpers.drm", kind, MMC, "kind of MMC")


NUMBERS: Final = data_file("pb/refit.yaml", StepNumbers, _check_numbers)


# -- 9.6043 Bog -----------------------------------------------------------------------------------


@paragraph("9.6043")
def bog(state: Told) -> Script[Told]:
    """Let every bogged or Mired vehicle that is not abandoned try to get free.

    One that is immobilized already makes no attempt. Rule: 9.6043.
    """
    stuck = [
        piece
        for piece in state.pieces
        if piece.is_vehicle and piece.has(*_BOG) and not piece.has(VehicleStatus.ABANDONED)
    ]
    if not stuck:
        yield Note("No manned vehicle is bogged or Mired.", topic=IDLE)
    for piece in in_board_order(state, stuck):
        if piece.has(VehicleStatus.IMMOBILIZED):
            yield Note(f"{name_piece(piece)} is immobilized and makes no Bog Removal attempt.")
            after = drop_status(state, piece.id, *_BOG)
            state = yield from happen(state, after, Cleared(piece=piece))
        else:
            state = yield from _bog_removal(state, piece)
    return state


def _bog_removal(state: Told, piece: Piece) -> Script[Told]:
    """Make Bog Removal attempts until the vehicle is free or immobilized. Rule: 9.6043."""
    drm = yield from _settle_help(state, piece)
    attempt = 0
    while True:
        attempt += 1
        piece = state.piece(piece.id)
        answer = yield from ask(_attempt(state, piece, attempt, drm))
        if answer == "free":
            yield Note(f"{name_piece(piece)} is no longer {_bog_word(piece)}.")
            after = drop_status(state, piece.id, *_BOG)
            return (yield from happen(state, after, Recovered(piece=piece)))
        if answer == "immobilized":
            yield Note(f"{name_piece(piece)} is immobilized.")
            after = add_status(
                drop_status(state, piece.id, *_BOG), piece.id, VehicleStatus.IMMOBILIZED
            )
            return (yield from happen(state, after, Immobilized(piece=piece)))
        if answer == "mired":
            yield Note(f"{name_piece(piece)} is Mired.")
            after = add_status(drop_status(state, piece.id, *_BOG), piece.id, VehicleStatus.MIRED)
            state = yield from happen(state, after, Cleared(piece=piece))


def _bog_word(piece: Piece) -> str:
    return "Mired" if piece.has(VehicleStatus.MIRED) else "bogged"


def _attempt(state: Campaign, piece: Piece, number: int, drm: int) -> Prompt:
    mired = "It is Mired already." if piece.has(VehicleStatus.MIRED) else ""
    helped = f", {drm:+d} drm to the colored dr" if drm else ""
    return Prompt(
        state=state,
        id="9.6043.2",
        subject=attempt_of(piece, number),
        options=(
            Option("free", f"no longer {_bog_word(piece)}"),
            Option("no", "no effect", "another attempt"),
            Option("mired", "Mired", "another attempt", refused=mired, rule="D8.3"),
            Option("immobilized", "immobilized"),
        ),
        text=f"Bog Removal attempt {number} of {name_piece(piece)} in {piece.at}{helped}: the "
        "result?",
        help="Roll by D8.3; MP do not matter. Attempts go on until the vehicle is free or "
        "immobilized.",
    )


def helpers_of(state: Campaign, piece: Piece) -> list[Piece]:
    """Return the MMC that may help a vehicle out of Bog by its Note L: those of its Setup Area.

    Rule: 9.6043; house rule C-62.
    """
    drm = NUMBERS.content.bog_helpers.drm
    mine = [
        each
        for each in state.of(piece.side)
        if each.kind in drm and each.is_personnel and not each.is_prisoner and each.on_map
    ]
    if state.plays("C-62", "adjacent"):
        near = state.board.grid.set([piece.location.hex]).spread(1)
        return [each for each in mine if each.location.hex in near]
    areas = _areas_now(state, piece)
    area = areas.area_of(piece.side, piece.location)
    if area is None:
        return []
    return [each for each in mine if areas.area_of(piece.side, each.location) is area]


def _areas_now(state: Campaign, vehicle: Piece) -> AreaMap:
    """Return the Setup Areas as 9.605 would determine them with Control as it stands now.

    A bogged vehicle with functioning MA makes its Location Strategic; that is its side's.
    """
    if vehicle_alone(state, strategic_locations(state), vehicle.at):
        state = with_control(state, vehicle.at, vehicle.side)
    return areas_with(
        state.module,
        to_position(state),
        state.corrections,
        state.house_rules,
        state.catalogue_corrections,
    )


def _settle_help(state: Campaign, piece: Piece) -> Script[int]:
    """Decide who helps the vehicle if Vehicle Note L applies to it; the drm. Rule: 9.6043."""
    entry = vehicle_type(state, piece)
    if entry is None or not entry.vehicle_note_l:
        return 0
    near = helpers_of(state, piece)
    if not near:
        yield Note(f"No MMC that could help {name_piece(piece)} is in its Setup Area (Note L).")
        return 0
    helps = NUMBERS.content.bog_helpers.drm
    drm = {each.id: helps[each.kind] for each in near}
    chosen = yield from ask_some(
        Prompt(
            state=state,
            id="9.6043.1",
            subject=piece,
            kind="choose-some",
            options=tuple(
                piece_option(
                    each, f"{drm[each.id]:+d} drm", text=f"{name_piece(each)} in {each.at}"
                )
                for each in near
            ),
            default="none",
            verify=_one_squad_equivalent(state, near),
            draw=lambda source: source.choice([[], [source.choice(near).id]]),
            text=f"Who helps {name_piece(piece)} in {piece.at} out of {_bog_word(piece)}?",
            help="Vehicle Note L: one squad-equivalent of its Setup Area. Setup Areas are not "
            "determined yet: it is the one its hex would be in as Control stands now (C-62).",
        )
    )
    total = sum(drm[id] for id in chosen)
    if chosen:
        names = ", ".join(name_piece(state.piece(id)) for id in chosen)
        yield Note(f"{names} help {name_piece(piece)}: {total:+d} drm to the colored dr (Note L).")
    return total


def _one_squad_equivalent(state: Campaign, near: list[Piece]) -> Callable[[list[str]], list[str]]:
    size = {}
    for each in near:
        entry = state.catalogue.find(each.type, each.side)
        size[each.id] = entry.hs_equivalents if isinstance(entry, InfantryType) else 0

    def check(chosen: list[str]) -> list[str]:
        if sum(size[id] for id in chosen) > NUMBERS.content.bog_helpers.hs_equivalents:
            raise IllegalAnswer("One squad-equivalent can help, no more.", "9.6043")
        return chosen

    return check


# -- 9.6044 Shock/UK ------------------------------------------------------------------------------


@paragraph("9.6044")
def shock(state: Told) -> Script[Told]:
    """Let every Shocked or UK AFV try to recuperate. Rule: 9.6044."""
    shocked = [piece for piece in state.pieces if piece.is_vehicle and piece.has(*_SHOCK)]
    if not shocked:
        yield Note("No AFV is Shocked or UK.", topic=IDLE)
    for piece in in_board_order(state, shocked):
        state = yield from _recuperation(state, piece)
    return state


def _recuperation(state: Told, piece: Piece) -> Script[Told]:
    """Make recuperation attempts until the marker is off or the AFV Eliminated.

    Rule: 9.6044; house rule P-39.
    """
    attempt = 0
    while True:
        attempt += 1
        piece = state.piece(piece.id)
        now = "UK" if piece.has(VehicleStatus.UK) else "Shocked"
        gone_over = "It is UK already." if piece.has(VehicleStatus.UK) else ""
        answer = yield from ask(
            Prompt(
                state=state,
                id="9.6044.1",
                subject=attempt_of(piece, attempt),
                options=(
                    Option("removed", f"the {now} marker is removed"),
                    Option("no", "no effect", "another attempt"),
                    Option("uk", "UK", "another attempt", refused=gone_over, rule="C7.42"),
                    Option("eliminated", "Eliminated"),
                ),
                text=f"Recuperation attempt {attempt} of {name_piece(piece)} ({now}) in "
                f"{piece.at}: the result?",
                help="Roll by C7.42. Attempts go on until the marker is removed or the AFV is "
                "Eliminated.",
            )
        )
        if answer == "removed":
            yield Note(f"{name_piece(piece)} is no longer {now}.")
            after = drop_status(state, piece.id, *_SHOCK)
            return (yield from happen(state, after, Recovered(piece=piece)))
        if answer == "eliminated":
            leaves = state.plays("P-39", "wreck")
            kind = TerrainKind.WRECK if leaves else None
            return (yield from vehicle_lost(state, piece.id, f"it was {now}", "9.6044", kind))
        if answer == "uk":
            yield Note(f"{name_piece(piece)} is UK.")
            after = add_status(
                drop_status(state, piece.id, VehicleStatus.SHOCKED), piece.id, VehicleStatus.UK
            )
            state = yield from happen(state, after, Cleared(piece=piece))
