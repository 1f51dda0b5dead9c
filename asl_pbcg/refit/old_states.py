"""States that an older pbcg kept in a campaign file, brought up to what this one expects."""

from __future__ import annotations

from typing import Any

import msgspec

from asl_pbcg.campaign.catalogue import load_catalogue
from asl_pbcg.campaign.pieces import CLASSES, Piece, Vehicle, kind_of
from asl_pbcg.campaign.position_words import EquipmentStatus
from asl_pbcg.campaign.state import Campaign, change
from asl_pbcg.campaign.terms import Side
from asl_pbcg.refit.s950_initial import place_before_setup


def upgrade(state: Campaign) -> Campaign:
    """The state as this version would have it.

    The first versions kept no count of pieces received, did not mark captured Equipment, named
    the areas of the Initial Scenario by its groups (``kompanie-1`` for B), had nothing on the map
    before setup, and said who had won in words alone.

    A house rule whose default has changed since keeps the one the campaign began with; a choice
    that is no longer offered is forgotten.
    """
    register = state.module.rulings
    if state.readings < register.edition:
        chosen = register.earlier_defaults(state.readings) | state.house_rules
        rules = {
            id: choice
            for id, choice in chosen.items()
            if id in register.settable and choice in register.settable[id].choices
        }
        state = change(state, house_rules=rules, readings=register.edition)
    areas = {group.id: group.area for group in state.charts.initial[state.campaign].groups}
    pieces = tuple(_piece(piece, areas) for piece in state.pieces)
    groups = tuple(
        msgspec.structs.replace(each, area=areas.get(each.area, each.area)) for each in state.groups
    )
    gone = tuple(
        msgspec.structs.replace(each, piece=_piece(each.piece, areas)) for each in state.gone
    )
    corrections = {
        side: {_name(type, Side(side)): fields for type, fields in types.items()}
        for side, types in state.catalogue_corrections.items()
    }
    state = change(
        state, pieces=pieces, groups=groups, gone=gone, catalogue_corrections=corrections
    )
    if not state.received_count:
        state = change(
            state, received_count={side: _count_received(state, side) for side in state.sides}
        )
    if state.ended and state.won_by is None:
        victors = (side for side in state.sides if state.ended.startswith(f"{side.title} victory"))
        state = change(state, won_by=next(victors, None))
    first = state.frame.campaigns[state.campaign].dates[0]
    in_play = state.at in {chart.step for chart in state.frame.steps if not chart.initial}
    if state.date is first and not in_play and not (state.fortifications or state.terrain):
        state = place_before_setup(state)
    return state


# -- Pieces without a class ---------------------------------------------------------------------

_ARMOR_LEADER, _MANNED, _SCROUNGED = "Armor Leader", "manned by ", "Scrounged"
_SCHUERZEN = ("Schuerzen, AAMG", "Schuerzen, no AAMG")
_MARKED = "Minefield counter on map"


def with_typed_pieces(stored: bytes) -> bytes:
    """A stored state whose pieces were all of one class, with each as what it is.

    Facts that stood in their notes, and in those of minefields, become fields: that a vehicle has
    been Scrounged, who mans it, whether it has an AAMG, which leader is an Armor Leader, where a
    Minefield counter lies.
    """
    state: dict[str, Any] = msgspec.json.decode(stored)
    gone = [each["piece"] for each in state.get("gone", ())]
    for piece in (*state.get("pieces", ()), *(state.get("seen") or ()), *gone):
        _type(piece)
    counters = []
    for mines in state.get("fortifications", ()):
        if _MARKED in mines.get("notes", ""):
            counters.append([mines["kind"], mines["at"]])
            mines["notes"] = _without(mines, _MARKED)
    return msgspec.json.encode(state | {"minefield_counters": counters})


def _type(piece: dict[str, Any]) -> None:
    """Make of a stored piece what it is by the unit catalogue."""
    side, status = Side(piece["side"]), piece.get("status", ())
    catalogue = load_catalogue()
    notes = piece.get("notes", "").split("; ")
    if _ARMOR_LEADER in notes and catalogue.find(f"{piece['type']} {_ARMOR_LEADER}", side):
        piece["type"] += f" {_ARMOR_LEADER}"
    makers = (side.other, side) if "captured" in status else (side, side.other)
    for maker in makers:  # the first versions did not mark captured Equipment
        name = _name(piece["type"], maker)
        if catalogue.find(name, maker):
            piece["type"] = name
            break
    piece["kind"] = kind_of(catalogue, piece["type"], maker)
    of = CLASSES[piece["kind"]]
    piece["class"] = of.__struct_config__.tag
    if of is Vehicle:
        piece["vca"] = piece.get("ca", "")
        piece["scrounged"] = any(_SCROUNGED in note for note in notes)
        manned = [note for note in notes if note.startswith(_MANNED)]
        piece["manned_by"] = manned[0].removeprefix(_MANNED) if manned else ""
        if piece.get("aamg") is None and not set(notes).isdisjoint(_SCHUERZEN):
            piece["aamg"] = _SCHUERZEN[0] in notes
    piece["notes"] = _without(piece, _ARMOR_LEADER, _MANNED, _SCROUNGED, *_SCHUERZEN)


def _without(entry: dict[str, Any], *facts: str) -> str:
    """The notes of an entry without what the program wrote there."""
    notes = entry.get("notes", "").split("; ")
    return "; ".join(note for note in notes if not note.startswith(facts))


def _piece(piece: Piece, areas: dict[str, str]) -> Piece:
    area = areas.get(piece.area, piece.area)
    piece = msgspec.structs.replace(piece, type=_name(piece.type, piece.side))
    find = load_catalogue().find
    captured = not find(piece.type, piece.side) and find(piece.type, piece.side.other)
    if captured and not piece.captured:
        return msgspec.structs.replace(
            piece, area=area, status=(EquipmentStatus.CAPTURED, *piece.status)
        )
    return msgspec.structs.replace(piece, area=area)


def _name(type: str, side: Side) -> str:
    """What a type is called now, if the catalogue has it under another of its names."""
    catalogue = load_catalogue()
    if catalogue.find(type, side):
        return type
    return next((each.name for each in catalogue if each.side is side and type in each.also), type)


def _count_received(state: Campaign, side: Side) -> int:
    return len(state.of(side)) + sum(each.piece.side is side for each in state.gone)
