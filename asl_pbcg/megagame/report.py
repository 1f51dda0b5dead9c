"""What is told of a table: how it stands, its log, its casualties, the values in force."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from asl_pbcg.megagame.desk import Desk
from asl_pbcg.megagame.outcome import Outcome
from asl_pbcg.megagame.readings import READINGS
from asl_pbcg.megagame.settings import FORMAT, Settings, known_settings
from asl_pbcg.megagame.table import STATE_WORDS, Table, all_phases
from asl_pbcg.megagame.upkeep import describe
from asl_pbcg.megagame.words import vocabulary

CERTAINTIES: Final = ("own", "house", "inferred", "recovered", "source")
TITLES: Final = {
    "own": "The umpire's own values",
    "house": "House values (the table is lost)",
    "inferred": "Inferred (follows from what is printed)",
    "recovered": "Recovered (read back from another copy)",
    "source": "Printed in the article",
}


def head(table: Table) -> str:
    """Where the table stands, for the prompt: turn and phase."""
    return f"T{table.turn} {all_phases()[table.phase].title}"


def plain(outcome: Outcome) -> dict[str, Any]:
    """An outcome as ``--json`` gives it."""
    answer: dict[str, Any] = {
        "line": outcome.line,
        "do": outcome.do,
        "who": outcome.who,
        "by": outcome.by,
        "result": outcome.result,
        "says": list(outcome.says),
        "rolls": [
            {
                "table": rolled.table,
                "rule": rolled.rule,
                "roll": rolled.original,
                "drm": [
                    {"name": drm.name, "value": drm.value, "why": drm.why} for drm in rolled.drm
                ],
                "final": rolled.final,
                "result": rolled.result,
            }
            for rolled in outcome.rolls
        ],
        **outcome.facts,
        "morale": [
            {
                "unit": check.unit,
                "quality": check.quality,
                "passes_on": check.passes_on,
                "because": list(check.triggers),
            }
            for check in outcome.checks
        ],
        "losses": [
            {"unit": loss.unit, "figures": loss.figures, "state": loss.state}
            for loss in outcome.losses
        ],
        "values": [
            {"name": v.name, "value": v.value, "certainty": v.certainty, "why": v.why}
            for v in outcome.values
        ],
    }
    if outcome.because:
        answer |= {"overruled": list(outcome.overruled), "because": outcome.because}
    if outcome.turn:
        answer |= {"turn": outcome.turn, "phase": outcome.phase}
    return answer


# -- how it stands ------------------------------------------------------------------------


def status_lines(table: Table) -> Iterator[str]:
    """How the table stands, line by line."""
    yield f"{table.title}: turn {table.turn}, {all_phases()[table.phase].title}."
    for unit in table.units:
        yield f"  {describe(unit)}"
    for building, side in table.held.items():
        yield f"  {building}: held by {_holder(side)}"
    if table.due:
        yield f"Check morale: {', '.join(map(str, table.due))}."


def _holder(side: str) -> str:
    return f"the {side}" if side in ("attackers", "defenders") else side.capitalize()


def standing(table: Table) -> dict[str, Any]:
    """How the table stands, as ``--json`` gives it."""
    lost: dict[str, int] = {}
    for unit in table.units:
        lost[unit.side or "unknown"] = lost.get(unit.side or "unknown", 0) + unit.lost
    return {
        "title": table.title,
        "turn": table.turn,
        "phase": table.phase,
        "units": [
            {
                "name": unit.name,
                "side": unit.side,
                "quality": unit.quality,
                "kind": unit.kind,
                "vehicle": unit.vehicle,
                "started": unit.started,
                "figures": unit.standing,
                "lost": unit.lost,
                "to_be_taken_away": unit.due_losses,
                "state": unit.state if unit.gone else unit.due_state,
                "marker": unit.marker,
                "suppressed": unit.suppressed,
            }
            for unit in table.units
        ],
        "morale": [{"unit": check.unit, "quality": check.quality} for check in table.due],
        "buildings": table.held,
        "figures_lost": lost,
    }


# -- the log ------------------------------------------------------------------------------


def log_lines(desk: Desk, every: bool = False) -> Iterator[str]:
    """The log as people read it, a heading for each turn and phase."""
    yield desk.table.title
    here = (0, "")
    for number, (_, record) in enumerate(desk.records(), 1):
        outcome = record.outcome
        if (outcome.turn, outcome.phase) != here:
            here = (outcome.turn, outcome.phase)
            yield f"Turn {outcome.turn}, {all_phases()[outcome.phase].title}"
        other = f"  [{record.other}]" if record.other else ""
        yield f"{number:4}  {outcome.line}{other}"
    yield from taken_back_lines(desk, every)
    yield from casualty_lines(desk.table)


def taken_back_lines(desk: Desk, every: bool = False) -> Iterator[str]:
    """What was taken back: every line that dice had settled, with ``every`` the others too."""
    for record, why in desk.undone_records():
        if record.outcome.thrown:
            yield f"Taken back: {record.outcome.line.rstrip('.')}." + (
                f" Reason: {why}" if why else ""
            )
        elif every:
            yield f"Taken back: {record.line}  {why}".rstrip()


def casualty_lines(table: Table) -> Iterator[str]:
    """Who lost what, unit by unit, then the side."""
    hurt = [unit for unit in table.units if unit.lost or unit.going]
    for unit in hurt:
        state = STATE_WORDS[unit.state if unit.gone else unit.due_state]
        lost = f"{unit.lost} of {unit.started} figures lost" if unit.lost else ""
        yield f"  {unit.name}: {', '.join(part for part in (lost, state) if part)}"


def log_plain(desk: Desk, every: bool = False) -> dict[str, Any]:
    """The log as ``--json`` gives it."""
    answer: dict[str, Any] = {
        **standing(desk.table),
        "lines": [
            {"number": number, "at": entry.at, "typed": record.line, **plain(record.outcome)}
            for number, (entry, record) in enumerate(desk.records(), 1)
        ],
        "settings": settings_plain(desk.table.settings)["settings"],
    }
    answer["taken_back"] = [
        {"typed": record.line, "because": why, "happened": record.outcome.line}
        for record, why in desk.undone_records()
        if every or record.outcome.thrown
    ]
    return answer


def losses_by_turn(outcomes: list[Outcome]) -> dict[str, dict[int, int]]:
    """Figures lost by each unit in each turn."""
    found: dict[str, dict[int, int]] = {}
    for outcome in outcomes:
        for loss in outcome.losses:
            turns = found.setdefault(loss.unit, {})
            turns[outcome.turn] = turns.get(outcome.turn, 0) + loss.figures
    return found


def rulings_lines() -> Iterator[str]:
    """How doubtful places of the rules are read here, where there is no setting, and why."""
    for each in READINGS.content:
        yield f"{each.rule}: {each.question}"
        yield f"  {each.reading}"
        yield f"  Why: {each.reason}"


# -- settings -----------------------------------------------------------------------------


def settings_lines(settings: Settings, every: bool = False) -> Iterator[str]:
    """The values in force by how certain they are, those that are not printed first."""
    values = list(settings)
    for certainty in CERTAINTIES if every else CERTAINTIES[:3]:
        found = [value for value in values if value.certainty == certainty]
        if not found:
            continue
        yield f"{TITLES[certainty]}:"
        key = ""
        for value in found:
            if value.name.partition(".")[0] != key:
                key = value.name.partition(".")[0]
                why = f" ({value.why})" if value.why and certainty != "own" else ""
                yield f"  {key}: {value.words}{why}"
            yield f"    {value.name.partition('.')[2] or key} = {value.shown}"


def settings_plain(settings: Settings, every: bool = False) -> dict[str, Any]:
    """The values in force as ``--json`` gives them."""
    return {
        "settings": [
            {
                "name": value.name,
                "value": value.value,
                "certainty": value.certainty,
                "rule": value.rule,
                "words": value.words,
                "why": value.why,
            }
            for value in settings
            if every or not value.printed
        ]
    }


def words_lines(settings: Settings) -> Iterator[str]:
    """Every word that lines understand, by what it means."""
    for kind, title in (
        ("quality", "Quality"),
        ("side", "Side"),
        ("cover", "Cover"),
        ("weapon", "Weapons"),
        ("anti_armour", "Anti-armour"),
        ("vehicle", "Vehicles"),
        ("calibre", "Calibres"),
    ):
        yield f"{title}:"
        means: dict[str, list[str]] = {}
        for word, meaning in vocabulary(kind, settings).items():
            means.setdefault(str(meaning), []).append(word)
        for meaning, words in means.items():
            others = ", ".join(word for word in words if word != meaning)
            yield f"  {meaning}{f': {others}' if others else ''}"


def example_settings() -> str:
    """A settings file with every value that is not printed, to begin one's own with."""
    lines = [f"format: {FORMAT}", "# Change what you like and leave out the rest.", ""]
    for key, setting in known_settings().items():
        values = [value for value in Settings() if value.name.partition(".")[0] == key]
        if all(value.printed for value in values):
            continue
        lines.append(f"# {setting.words}: {setting.expects}")
        if setting.entries:
            entries = ", ".join(
                f"{value.name.partition('.')[2]}: {value.shown}"
                for value in values
                if not value.printed
            )
            lines.append(f"{key}: {{{entries}}}")
        elif isinstance(setting.default, list):
            lines.append(f"{key}: [{', '.join(setting.default)}]")
        else:
            shown = str(setting.default).lower() if isinstance(setting.default, bool) else None
            lines.append(f"{key}: {shown or setting.default}")
    return "\n".join(lines) + "\n"
