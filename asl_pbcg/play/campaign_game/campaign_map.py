"""The map of a campaign as a viewer may see it: pieces, Setup Areas, first setup areas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from asl_pbcg.campaign import location
from asl_pbcg.campaign.areas.area_map import AreaMap, areas_report
from asl_pbcg.campaign.areas.setup_areas import determine_areas
from asl_pbcg.campaign.location import Area
from asl_pbcg.campaign.map.board_overlay import AreaMark, Overlay, name_of
from asl_pbcg.campaign.map.map_layers import area_overlay
from asl_pbcg.campaign.module.frame import SCENARIO
from asl_pbcg.campaign.module.house_rules import AreaRulings
from asl_pbcg.campaign.module.zones import zone_hexes
from asl_pbcg.campaign.position import Fortification, Position
from asl_pbcg.campaign.scenario.fortification_control import holder
from asl_pbcg.campaign.sheets.ledger import force_line, force_lines
from asl_pbcg.campaign.state.campaign_state import Campaign, Gone
from asl_pbcg.campaign.state.ob_merge import to_position
from asl_pbcg.campaign.state.piece_names import mark, name_piece
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.state.record_lines import ForceLine, lines_for_side
from asl_pbcg.campaign.state.seen import seen_fortifications
from asl_pbcg.campaign.terms import Side
from asl_pbcg.chronicle.service import chronicle_of
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.views import UMPIRE
from asl_pbcg.play.campaign_game.campaign_facts import (
    END_POSITION,
    HIDDEN_PIECES,
    state_for,
)
from asl_pbcg.refit.s600_scenario_end import take_as_open


def pieces_seen(state: Campaign, sees: str) -> list[ForceLine]:
    """Return the pieces ``sees`` may know of: a side, ``umpire``, or empty for what both may."""
    lines = []
    for side in state.sides:
        viewer = sees if sees in (UMPIRE, side.value) else side.other.value
        lines += lines_for_side(force_lines(state, side, viewer), viewer)
    return lines


def position_seen(state: Campaign, sees: str) -> Position:
    """Return the position the map is drawn from: as 9.605 determined it, else as things stand."""
    position = state.determined
    if position is None:
        position = to_position(state)
        visible_ids = {line.id for line in pieces_seen(state, sees)}
        position = msgspec.structs.replace(
            position,
            units=tuple(unit for unit in position.units if unit.id in visible_ids),
            equipment=tuple(item for item in position.equipment if item.id in visible_ids),
            vehicles=tuple(vehicle for vehicle in position.vehicles if vehicle.id in visible_ids),
        )
    visible = tuple(
        work for work in position.fortifications if not work.hidden or sees in (UMPIRE, work.owner)
    )
    return msgspec.structs.replace(position, fortifications=visible)


def fortifications_seen(state: Campaign, sees: str) -> list[Fortification]:
    """Return the Fortifications on the map that ``sees`` may know of; empty for what both may.

    Of a minefield that its enemy has found he sees a counter. Rule: 9.602(6), 9.6073.
    """
    if sees == UMPIRE:
        return list(state.fortifications)
    if sees:
        return seen_fortifications(state, Side(sees))
    first, second = (seen_fortifications(state, side) for side in state.sides)
    mine = state.sides[0]
    return [
        *(work for work in first if work.owner is not mine),
        *(work for work in second if work.owner is mine),
    ]


def areas_seen(state: Campaign, sees: str) -> AreaMap:
    """Return the Setup Areas on the map of ``sees``. Rule: 9.605."""
    return determine_areas(
        state.board,
        position_seen(state, sees),
        AreaRulings.of(state.house_rules),
        state.coming_date,
        state.catalogue,
    )


def overlay_seen(state: Campaign, sees: str) -> Overlay:
    """Return the marks on the map of ``sees``: setup areas of the Initial Scenario, or Setup Areas.

    Fires and Rubble are those of now. Rule: 9.51, 9.52, 9.6054.
    """
    if zones := first_zones(state):
        return Overlay(areas=zones)
    return area_overlay(areas_seen(state, sees), state.terrain)


def first_zones(state: Campaign) -> tuple[AreaMark, ...]:
    """Return where the sides set up before the Initial Scenario; none once one has been played.

    Rule: 9.51, 9.52.
    """
    if state.determined or any(state.control.of(side) for side in state.sides):
        return ()
    board, adjacent = state.board, state.ruling("P-03")
    marks = []
    for group in state.charts.initial[state.campaign].groups:
        hexes = zone_hexes(group.zone, board, adjacent)
        if hexes:
            marks.append(AreaMark(hexes=hexes, side=name_of(group.side), label=group.area))
    return tuple(marks)


def layers(state: Campaign, sees: str) -> dict[str, Any]:
    """Return all on the map for ``sees``; places as in position files, hexes in board order.

    ``areas`` is what ``pbcg areas --json`` answers, None before a scenario has been played;
    ``first_setup`` are the setup areas of the Initial Scenario until then. The owner of a
    Fortification is whose it is now (9.6073).
    """
    position = position_seen(state, sees)
    zones = first_zones(state)
    return {
        "date": position.date.value,
        "control": {
            side.value: [str(controlled) for controlled in position.control.locations(side)]
            for side in state.sides
        },
        "areas": None if zones else areas_report(areas_seen(state, sees)),
        "first_setup": [
            {"id": zone.label, "side": zone.side, "hexes": zone.hexes.names} for zone in zones
        ],
        "counters": [
            _counter(line) | {"kind": _picture_kind(state, line)}
            for line in pieces_seen(state, sees)
        ],
        # What 9.605 was determined from may have burnt, come to light or been wrecked since.
        "fortifications": msgspec.to_builtins(
            [
                msgspec.structs.replace(work, owner=holder(state, work))
                for work in fortifications_seen(state, sees)
            ]
        ),
        "terrain": msgspec.to_builtins(state.terrain),
        "gliders": msgspec.to_builtins(state.gliders),
    }


def layers_at(session: Session[Campaign], sees: str, at: str) -> dict[str, Any]:
    """Return what lies on the map now, or after the last step of an earlier CG Date.

    Raises PBCGError for a date of which nothing is kept.
    """
    # What this date has come to is told by what is asked, not by the latest that is kept.
    if at in ("", session.state.date.value):
        return layers(map_state_for(session, sees), sees)
    kept = session.journal.states.last(within=f"{at}/")
    if kept is None:
        raise PBCGError(f"Nothing is kept of {at}.")
    return layers(session.game.decode(kept.state), sees)


def map_state_for(session: Session[Campaign], sees: str) -> Campaign:
    """Return the campaign as the map shows it to ``sees``.

    While a side alone is asked about the end position, whoever may not look sees that position as
    it was given to both, and the side that was asked first its hidden pieces, too: its answer is
    older than any secret of the other. Rule: 9.602(6).
    """
    state, step = state_for(session, sees), session.step
    if state is not session.state or session.pending is None or step is None:
        return state
    if not state.in_scenario:
        return state
    answers = [entry for entry in session.journal.standing() if entry.step == step.id]
    common = next((answer for answer in answers if answer.point == END_POSITION), None)
    if common is None:
        return state
    first = next((answer for answer in answers if answer.point == HIDDEN_PIECES), common)
    own = first.side == sees and isinstance(first.body, dict)
    position = msgspec.convert((first if own else common).body, state.module.position)
    return take_as_open(state, position, {})


def place_words(line: ForceLine) -> str:
    """Return where a piece is: its Location, else the area it is Retained in."""
    area = str(Area.parse(line.area)) if line.area else ""
    return location.place_words(line.location) or area or "not on the map"


def one_piece(state: Campaign, sees: str, id: str) -> dict[str, Any] | None:
    """Return the facts of one piece, ``gone`` telling how it left its side's OB if it has.

    None if ``sees`` may not know of it: what is gone its own side knows. Rule: 9.2 Eliminated.
    """
    lines = {line.id: line for line in pieces_seen(state, sees)}
    if line := lines.get(id):
        carries = [name_piece(lines[item]) for item in line.possesses if item in lines]
        return {**_counter(line), "carries": carries, "place": place_words(line), "gone": ""}
    for gone in _gone_known(state, sees):
        if gone.piece.id == id:
            piece = msgspec.structs.replace(gone.piece, at="", area="")
            step = "in play" if gone.step == SCENARIO else gone.step
            words = f"{gone.how}, {gone.date.title} {step}"
            return {
                **_counter(force_line(state, piece)),
                "carries": [],
                "place": words,
                "gone": words,
            }
    return None


def pieces_known(state: Campaign, sees: str) -> list[ForceLine | Piece]:
    """Return all that ``sees`` may know of, with what is gone."""
    return [*pieces_seen(state, sees), *(gone.piece for gone in _gone_known(state, sees))]


def _gone_known(state: Campaign, sees: str) -> Iterator[Gone]:
    return (gone for gone in state.gone if sees in (UMPIRE, gone.piece.side.value))


def _counter(line: ForceLine) -> dict[str, Any]:
    return {
        "id": line.id,
        "mark": mark(line.id),
        "side": line.side.value,
        "type": line.type,
        "kind": line.kind,
        "class": line.unit_class,
        "formation": line.formation,
        "status": list(line.status),
        "at": line.location,
        "area": line.area,
        "possesses": list(line.possesses),
    }


def _picture_kind(state: Campaign, line: ForceLine) -> str:
    """Return the kind that the picture of a counter shows: squad, leader, Gun and so on."""
    maker = line.side.other if "captured" in line.status else line.side
    unit = state.catalogue.find(line.type, maker)
    return unit.kind if unit else "glider" if line.type == "Glider" else "other"


def piece_card(session: Session[Campaign], sees: str, id: str) -> dict[str, Any] | None:
    """Return the facts of one piece and its service record; None if ``sees`` knows of none.

    Where nothing is known but what both may know, the record is not told.
    """
    facts = one_piece(state_for(session, sees), sees, id)
    if facts is None:
        return None
    record = chronicle_of(session, sees).record(id) if sees else None
    keys = ("lines", "notes", "ancestors", "descendants", "fate", "name", "received", "first_type")
    plain = msgspec.to_builtins(record) if record else {}
    return {**facts, **{key: plain.get(key, "" if key in keys[4:] else []) for key in keys}}
