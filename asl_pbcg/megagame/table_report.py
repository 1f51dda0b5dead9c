"""Reports of a table: how it stands, its log, its casualties, the values in force."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final

from asl_pbcg.kernel.facts import facts_of
from asl_pbcg.megagame.call import Outcome
from asl_pbcg.megagame.game_table import SIDES, STATE_WORDS, Table, TableUnit
from asl_pbcg.megagame.line_words import vocabulary
from asl_pbcg.megagame.mega_settings import (
    FORMAT,
    MEGA_RULINGS,
    PRINTED,
    MegaValues,
    UmpireSettings,
    ValueInForce,
    capital,
    spell_out,
)
from asl_pbcg.megagame.table_log import SettledLine, TableLog

TITLES: Final = {
    "own": "The umpire's own values",
    "house": "House values (the table is lost)",
    "inferred": "Inferred (follows from what is printed)",
    "recovered": "Recovered (read back from another copy)",
    "source": "Printed in the article",
}


# -- how it stands ------------------------------------------------------------------------


def status_lines(table: Table) -> Iterator[str]:
    """Yield how the table stands, line by line."""
    yield f"{table.title}: {table.heading[0].lower()}{table.heading[1:]}."
    yield from (f"  {unit}" for unit in table.units)
    for building, side in table.held.items():
        held_by = f"the {side}" if side in ("attackers", "defenders") else spell_out(side)
        yield f"  {building}: held by {held_by}"
    if table.due:
        yield f"Check morale: {', '.join(map(str, table.due))}."


def table_data(table: Table) -> dict[str, Any]:
    """Return how the table stands, as ``--json`` gives it."""
    lost = Counter[str]()
    for unit in table.units:
        lost[unit.side or "unknown"] += unit.lost
    return {
        **facts_of(table, "title turn phase", buildings="held"),
        "units": [facts_of(unit, _UNIT_FACTS, **_UNIT_COUNTS) for unit in table.units],
        "morale": [facts_of(check, "unit quality") for check in table.due],
        "figures_lost": dict(lost),
    }


_UNIT_FACTS: Final = "name side quality kind vehicle started lost marker suppressed"
_UNIT_COUNTS: Final = {
    "figures": "standing",
    "to_be_taken_away": "due_losses",
    "state": "final_state",
}


# -- the log ------------------------------------------------------------------------------


def log_lines(log: TableLog, every: bool = False) -> Iterator[str]:
    """Yield the log as people read it, a heading for each turn and phase."""
    yield log.table.title
    heading = ""
    for number, (_, record) in enumerate(log.records(), 1):
        if when(record.outcome) != heading:
            heading = when(record.outcome)
            yield heading
        dice = f"  [{record.other}]" if record.other else ""
        yield f"{number:4}  {record.outcome.line}{dice}"
    yield from undone_lines(log, every)
    for unit in log.table.units:
        lost = f"{unit.lost} of {unit.started} figures lost" if unit.lost else ""
        if lost or unit.going:
            parts = (lost, STATE_WORDS[unit.final_state])
            yield f"  {unit.name}: {', '.join(filter(None, parts))}"


def when(outcome: Outcome) -> str:
    """Return the turn and phase of a line in words."""
    return Table(turn=outcome.turn, phase=outcome.phase).heading


def undone_lines(log: TableLog, every: bool = False) -> Iterator[str]:
    """Yield what was undone: every line that dice had settled, with ``every`` the others too."""
    for record, why in log.undone_records():
        if record.outcome.thrown:
            reason = f" Reason: {why}" if why else ""
            yield f"Undone: {record.outcome.line.rstrip('.')}.{reason}"
        elif every:
            yield f"Undone: {record.line}  {why}".rstrip()


def log_data(log: TableLog, every: bool = False) -> dict[str, Any]:
    """Return the log as ``--json`` gives it."""
    lines = [
        {"number": number, "at": entry.at, "typed": record.line, **record.outcome.as_data()}
        for number, (entry, record) in enumerate(log.records(), 1)
    ]
    undone = [
        {"typed": record.line, "because": why, "happened": record.outcome.line}
        for record, why in log.undone_records()
        if every or record.outcome.thrown
    ]
    settings = settings_data(log.table.settings)
    return {**table_data(log.table), "lines": lines, **settings, "undone": undone}


# -- its sheet ----------------------------------------------------------------------------


def sheet_facts(table: Table, lines: int) -> Iterator[tuple[str, str]]:
    """Yield what stands at the head of a table's sheet."""
    yield "Stands at", table.heading
    yield "Lines", str(lines)
    for side in SIDES:
        units = [unit for unit in table.units if unit.side == side]
        lost = sum(unit.lost for unit in units)
        yield spell_out(side), f"{lost} figures lost, {_gone_words(units)}"
    if table.held:
        held = (f"{building}: {spell_out(side)}" for building, side in table.held.items())
        yield "Buildings", "; ".join(held)
    if table.due:
        yield "Morale due", ", ".join(check.unit for check in table.due)


def _gone_words(units: list[TableUnit]) -> str:
    return f"{sum(unit.going for unit in units)} of {len(units)} units gone"


def sheet_rows(log: TableLog) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of a table's sheet: its lines, its casualties, the values it rested on."""
    records = [record for _, record in log.records()]
    outcomes = [record.outcome for record in records]
    return {
        "lines": [_line_row(number, record) for number, record in enumerate(records, 1)],
        "casualties": list(_casualty_rows(log.table, outcomes)),
        "values": _value_rows(value for outcome in outcomes for value in outcome.values),
    }


def _line_row(number: int, record: SettledLine) -> dict[str, Any]:
    outcome = record.outcome
    return {
        "number": number,
        "when": when(outcome),
        "typed": record.line + (f" [{record.other}]" if record.other else ""),
        "happened": " ".join(filter(None, (outcome.sentence, outcome.umpire))),
        "morale": ", ".join(map(str, outcome.checks)),
        "rests_on": outcome.rests_on,
    }


def _casualty_rows(table: Table, outcomes: list[Outcome]) -> Iterator[dict[str, Any]]:
    by_turn: dict[str, Counter[int]] = {}
    for outcome in outcomes:
        for loss in outcome.losses:
            by_turn.setdefault(loss.unit, Counter())[outcome.turn] += loss.figures
    for unit in table.units:
        turns = by_turn.pop(unit.name, Counter()).items()
        yield {
            **facts_of(unit, "quality started", unit="name", left="standing"),
            "side": spell_out(unit.side),
            "type": spell_out(unit.vehicle) if unit.vehicle else "on foot",
            "by_turn": ", ".join(f"turn {turn}: {lost}" for turn, lost in turns if lost),
            "lost": unit.lost if unit.started is not None else None,
            "state": STATE_WORDS[unit.final_state] or ("suppressed" if unit.suppressed else ""),
        }
    if others := sum(turns.total() for turns in by_turn.values()):
        yield {"unit": "Not named in the log", "lost": others}
    for side in SIDES:
        if units := [unit for unit in table.units if unit.side == side]:
            yield {
                "unit": f"All {spell_out(side)}",
                "side": spell_out(side),
                "started": sum(unit.started or 0 for unit in units),
                "lost": sum(unit.lost for unit in units),
                "left": sum(unit.standing or 0 for unit in units),
                "state": _gone_words(units),
            }


def _value_rows(used: Iterable[ValueInForce]) -> list[dict[str, Any]]:
    uses = Counter[tuple[str, str]]()
    values: dict[tuple[str, str], ValueInForce] = {}
    for value in used:
        uses[value.name, value.as_text] += 1
        values[value.name, value.as_text] = value
    return [
        {
            **facts_of(value, "certainty words why", name="title"),
            "value": value.in_words.removeprefix(f"{value.title}: "),
            "uses": uses[key],
        }
        for key, value in sorted(values.items())
    ]


# -- settings -----------------------------------------------------------------------------


def settings_lines(settings: UmpireSettings, every: bool = False) -> Iterator[str]:
    """Yield the values in force by how certain they are, those that are not printed first."""
    for certainty, title in TITLES.items():
        values = [value for value in settings if value.certainty == certainty]
        if not values or (certainty in PRINTED and not every):
            continue
        yield f"{title}:"
        before = ""
        for value in values:
            key, _, entry = value.name.partition(".")
            if key != before:
                before = key
                why = f" ({value.why})" if value.why and certainty != "own" else ""
                yield f"  {key}: {value.words}{why}"
            yield f"    {entry or key} = {value.as_text}"


def settings_data(settings: UmpireSettings, every: bool = False) -> dict[str, Any]:
    """Return the values in force as ``--json`` gives them."""
    values = [value for value in settings if every or not value.printed]
    names = "name value certainty rule words why"
    return {"settings": [facts_of(value, names) for value in values]}


def words_data(settings: UmpireSettings) -> dict[str, dict[str, list[str]]]:
    """Return every word that lines understand, by its kind and what it means."""
    data: dict[str, dict[str, list[str]]] = {}
    for kind in ("quality", "side", "cover", "weapon", "anti_armour", "vehicle", "calibre"):
        words_of = data.setdefault(kind, {})
        for word, meaning in vocabulary(kind, settings).items():
            words = words_of.setdefault(str(meaning), [])
            words += [word] if word != str(meaning) else []
    return data


def words_lines(settings: UmpireSettings) -> Iterator[str]:
    """Yield every word that lines understand, by what it means."""
    for kind, words_of in words_data(settings).items():
        yield f"{capital(kind.replace('_', '-'))}:"
        for meaning, words in words_of.items():
            listed = f": {', '.join(words)}" if words else ""
            yield f"  {meaning}{listed}"


def example_settings() -> str:
    """Return a settings file with every value that is not printed, to begin one's own with."""
    lines = [f"format: {FORMAT}", "# Change what you like and leave out the rest.", ""]
    for key in MegaValues.__struct_fields__:
        default = MEGA_RULINGS[key].default
        values = [value for value in UmpireSettings() if value.name.partition(".")[0] == key]
        values = [value for value in values if not value.printed]
        if not values:
            continue
        text = str(default).lower() if isinstance(default, bool) else str(default)
        if isinstance(default, dict):
            pairs = (f"{value.name.partition('.')[2]}: {value.as_text}" for value in values)
            text = f"{{{', '.join(pairs)}}}"
        elif isinstance(default, list):
            text = f"[{', '.join(default)}]"
        lines += [f"# {MEGA_RULINGS[key].question}", f"{key}: {text}"]
    return "\n".join(lines) + "\n"
