"""9.6056 The status chart: what becomes of each unit and piece of Equipment, and in which step.

The chart is ``data/pb/status_chart.yaml``. It is read by 9.605, 9.606, 9.607 and the prints.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

import msgspec

from asl_pbcg.campaign.areas.area_map import Territory
from asl_pbcg.campaign.areas.strategic_locations import has_functioning_ma
from asl_pbcg.campaign.position_words import EquipmentStatus, VehicleStatus
from asl_pbcg.campaign.scenario.scenario_facts import is_held_by_no_move
from asl_pbcg.campaign.state.campaign_state import Campaign, possessor
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.kernel.typed_data import data_file, unless_known
from asl_pbcg.refit.helpers.situation import (
    in_board_order,
    is_isolated,
    setup_area,
    stays_behind,
    territory,
    withdrawn_later,
)
from asl_pbcg.refit.helpers.vehicle_actions import is_mobile

RowKey = Literal["mobile", "unpossessed", "immobile_without_ma", "strategic"]
ColumnKey = Literal[
    "enemy_setup_area",
    "no_mans_land",
    "uncontrolled_territory",
    "isolated",
    "in_bypass",
    "any_other_location",
]
Outcome = Literal[
    "must_escape",
    "may_escape",
    "retained_or_escape",
    "captured_or_eliminated",
    "left_unpossessed",
    "retained_by_controller",
    "abandoned_crew_escapes",
    "abandoned_crew_retained_or_escapes",
    "strategic_location",
    # Not on the chart: what ended non-Isolated in a friendly Setup Area, and those apart from it.
    "retained",
    "prisoner",
    "withdrawn",
    "stays",
]


class Cell(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One cell of the chart: the outcome, its words and its rule."""

    outcome: Outcome
    says: str
    rule: str
    notes: tuple[str, ...] = ()


class ChartRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of the chart."""

    title: str
    cells: dict[ColumnKey, Cell]


class Chart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The status chart. Rule: 9.6056."""

    columns: dict[ColumnKey, str]
    rows: dict[RowKey, ChartRow]
    notes: dict[str, str]


def _check_chart(chart: Chart) -> Iterator[tuple[str, str]]:
    for row, line in chart.rows.items():
        for column, cell in line.cells.items():
            where = f"rows.{row}.cells.{column}"
            yield from unless_known(where, column, chart.columns, "column")
            for note in cell.notes:
                yield from unless_known(f"{where}.notes", note, chart.notes, "note")


STATUS_CHART: Final = data_file("pb/status_chart.yaml", Chart, _check_chart)


def chart() -> Chart:
    """Return the chart of ``data/pb/status_chart.yaml``; raises PBCGError if it is broken."""
    return STATUS_CHART.content


class Status(msgspec.Struct, frozen=True, kw_only=True):
    """The chart applied to one piece."""

    piece: Piece
    row: RowKey | Literal[""] = ""
    """Empty for what is not on the chart."""
    column: ColumnKey | Literal[""] = ""
    outcome: Outcome
    says: str
    rule: str
    notes: tuple[str, ...] = ()
    """Keys of the chart's notes that apply."""
    holder: str = ""
    """The id of the unit it goes with: who possesses, tows or mans it, or guards a prisoner."""

    @property
    def column_title(self) -> str:
        """The chart's words for the column."""
        return chart().columns[self.column] if self.column else ""


def status_of(state: Campaign, piece: Piece) -> Status:
    """Return row, column and outcome of one piece on the map, by where it ended the scenario.

    What a unit possesses or tows has the outcome of that unit. ``retained`` is what stands
    non-Isolated in a friendly Setup Area.

    Rule: 9.6055, 9.6056, 9.6153.
    """
    if piece.is_prisoner:
        return Status(
            piece=piece,
            outcome="prisoner",
            says="with its Guard; see 9.608",
            rule="9.608",
            holder=piece.guarded_by,
        )
    holder = holder_of(state, piece)
    if holder:
        found = status_of(state, holder)
        if found.outcome == "withdrawn" and stays_behind(piece):
            found = msgspec.structs.replace(
                found, says="not on the chart: stays behind, its holder is withdrawn in 9.6153"
            )
        return msgspec.structs.replace(found, piece=piece, holder=holder.id)
    if withdrawn_later(state, piece):
        return Status(
            piece=piece,
            outcome="withdrawn",
            says="not on the chart: withdrawn in 9.6153",
            rule="9.6056 EXC",
        )
    return _own_status(state, piece)


def _own_status(state: Campaign, piece: Piece) -> Status:
    """Return row, column and outcome of a piece that goes with nobody. Rule: 9.6055, 9.6056."""
    row = row_of(state, piece)
    column = column_of(state, piece, row)
    if column is None:
        area = setup_area(state, piece)
        return Status(
            piece=piece,
            row=row,
            outcome="retained",
            says=f"Retained in Setup Area {area.id}" if area else "Retained off map",
            rule="9.6055" if area else "9.2 Retained",
        )
    if row == "mobile" and column != "isolated" and is_held_by_no_move(state, piece, state.board):
        return Status(
            piece=piece,
            row=row,
            column=column,
            outcome="stays",
            says="on a No Move counter: stays in its Location",
            rule="9.6058",
        )
    cell = chart().rows[row].cells[column]
    return Status(
        piece=piece,
        row=row,
        column=column,
        outcome=cell.outcome,
        says=cell.says,
        rule=cell.rule,
        notes=cell.notes,
    )


def holder_of(state: Campaign, piece: Piece) -> Piece | None:
    """Return the unit a piece goes with: its possessor or tower, or the vehicle it crews.

    A functioning Gun that is not towed goes with nobody. Rule: 9.6053, 9.6056.
    """
    if piece.aboard:
        return state.piece(piece.aboard)
    if not piece.is_weapon:
        return None
    for each in state.pieces:
        if piece.id in each.tows:
            return each
    return None if is_functioning_gun(piece) else possessor(state, piece.id)


def is_functioning_gun(piece: Piece) -> bool:
    """Return whether a piece is an unhooked, non-malfunctioned Gun.

    Rule: 9.2 Strategic Location.
    """
    return piece.kind == "gun" and not piece.has(
        EquipmentStatus.MALFUNCTIONED, EquipmentStatus.HOOKED
    )


def row_of(state: Campaign, piece: Piece) -> RowKey:
    """Return the chart's row for a piece that goes with nobody. Rule: 9.6056."""
    if piece.is_weapon:
        return "strategic" if is_functioning_gun(piece) else "unpossessed"
    if not piece.is_vehicle or is_mobile(piece):
        return "mobile"
    if piece.has(VehicleStatus.ABANDONED):
        return "unpossessed"
    return "strategic" if has_functioning_ma(piece, state.catalogue) else "immobile_without_ma"


def column_of(state: Campaign, piece: Piece, row: RowKey) -> ColumnKey | None:
    """Return the chart's column; None in a friendly Setup Area, not Isolated, and off map.

    Rule: 9.6052, 9.6056.
    """
    if not piece.on_map:
        return None
    if row == "strategic":
        place = str(piece.location)
        controlled = place in state.control.of(piece.side.other)
        if piece.in_bypass and controlled:
            return "in_bypass"
    where = territory(state, piece)
    if where is Territory.FRIENDLY:
        if not is_isolated(state, piece):
            return None
        return "any_other_location" if row == "strategic" else "isolated"
    if row == "strategic":
        return "any_other_location"
    columns: dict[Territory, ColumnKey] = {
        Territory.ENEMY: "enemy_setup_area",
        Territory.NO_MANS_LAND: "no_mans_land",
    }
    return columns.get(where, "uncontrolled_territory")


def status_chart(state: Campaign) -> list[Status]:
    """Return what the chart says of every unit and piece of Equipment on the map, in board order.

    Rule: 9.6056.
    """
    standing = [piece for piece in state.pieces if piece.on_map and piece.is_unit_or_equipment]
    return [status_of(state, piece) for piece in in_board_order(state, standing)]
