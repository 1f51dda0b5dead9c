"""What stands on the sheets of a table: its log, its casualties, the values it rested on."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from asl_pbcg.megagame.desk import Desk, Record
from asl_pbcg.megagame.outcome import Outcome, capital
from asl_pbcg.megagame.report import losses_by_turn, taken_back_lines
from asl_pbcg.megagame.settings import Value, spell_out
from asl_pbcg.megagame.table import SIDES, STATE_WORDS, Table, Unit, all_phases
from asl_pbcg.records.sheet import Sheet
from asl_pbcg.records.templates import load_layout


def log_sheets(desk: Desk, templates: Path | None = None) -> list[Sheet]:
    """The sheets of a table: the log with its casualties and values.

    ``templates`` is a folder with the club's own layouts. Raises FaultsError if one is wrong.
    """
    layout = load_layout("mega_log", templates)
    records = [record for _, record in desk.records()]
    outcomes = [record.outcome for record in records]
    rows = {
        "lines": [_line_row(number, record) for number, record in enumerate(records, 1)],
        "casualties": _casualty_rows(desk.table, outcomes),
        "values": _value_rows(outcomes),
    }
    notes = tuple(taken_back_lines(desk, every=True))
    table = desk.table
    return [
        Sheet(
            layout=layout,
            tables=rows,
            title=f"{layout.title}: {table.title}" if table.title else "",
            facts=tuple(_facts(table, len(records))),
            notes=notes,
            footer=table.title,
        )
    ]


def _facts(table: Table, lines: int) -> Iterable[tuple[str, str]]:
    yield "Stands at", f"Turn {table.turn}, {all_phases()[table.phase].title}"
    yield "Lines", str(lines)
    for side in SIDES:
        units = [unit for unit in table.units if unit.side == side]
        lost = sum(unit.lost for unit in units)
        gone = sum(unit.going for unit in units)
        yield capital(side), f"{lost} figures lost, {gone} of {len(units)} units gone"
    held = [f"{building}: {side}" for building, side in table.held.items()]
    if held:
        yield "Buildings", "; ".join(held)
    if table.due:
        yield "Morale due", ", ".join(check.unit for check in table.due)


def _line_row(number: int, record: Record) -> dict[str, Any]:
    outcome = record.outcome
    happened = " ".join(part for part in (outcome.sentence, outcome.umpire) if part)
    return {
        "number": number,
        "when": f"Turn {outcome.turn}, {all_phases()[outcome.phase].title}",
        "typed": record.line + (f" [{record.other}]" if record.other else ""),
        "happened": happened,
        "morale": ", ".join(map(str, outcome.checks)),
        "rests_on": outcome.rests_on_in_words,
    }


def _casualty_rows(table: Table, outcomes: list[Outcome]) -> list[dict[str, Any]]:
    by_turn = losses_by_turn(outcomes)
    rows = [_unit_row(unit, by_turn.get(unit.name, {})) for unit in table.units]
    listed = {unit.name for unit in table.units}
    others = sum(sum(turns.values()) for name, turns in by_turn.items() if name not in listed)
    if others:
        rows.append({"unit": "Not named in the log", "lost": others})
    for side in SIDES:
        units = [unit for unit in table.units if unit.side == side]
        if units:
            rows.append(
                {
                    "unit": f"All {capital(side)}",
                    "side": side,
                    "started": sum(unit.started or 0 for unit in units),
                    "lost": sum(unit.lost for unit in units),
                    "left": sum(unit.standing or 0 for unit in units),
                    "state": f"{sum(unit.going for unit in units)} of {len(units)} units gone",
                }
            )
    return rows


def _unit_row(unit: Unit, by_turn: dict[int, int]) -> dict[str, Any]:
    state = unit.state if unit.gone else unit.due_state
    return {
        "unit": unit.name,
        "side": unit.side,
        "quality": unit.quality,
        "type": spell_out(unit.vehicle) if unit.vehicle else "on foot",
        "started": unit.started,
        "by_turn": ", ".join(f"turn {turn}: {lost}" for turn, lost in by_turn.items() if lost),
        "lost": unit.lost if unit.started is not None else None,
        "left": unit.standing,
        "state": STATE_WORDS[state] or ("suppressed" if unit.suppressed else ""),
    }


def _value_rows(outcomes: list[Outcome]) -> list[dict[str, Any]]:
    uses: dict[tuple[str, str], int] = {}
    values: dict[tuple[str, str], Value] = {}
    for outcome in outcomes:
        for value in outcome.values:
            key = (value.name, value.shown)
            uses[key] = uses.get(key, 0) + 1
            values[key] = value
    return [
        {
            "name": ", ".join(spell_out(part) for part in value.name.split(".")),
            "value": spell_out(value.shown),
            "certainty": value.certainty,
            "uses": uses[key],
            "words": value.words,
            "why": value.why,
        }
        for key, value in sorted(values.items())
    ]
