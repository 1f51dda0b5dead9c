"""``pbcg drop odds | table | night``: what can be looked up without playing a drop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from asl_pbcg.airborne.drop_map import BOARD, DropMap, build_map, plain_map, read_map
from asl_pbcg.airborne.drop_odds import OUTCOMES, GliderOdds, StickOdds, TurnOdds, drop_odds
from asl_pbcg.airborne.drop_settings import (
    DROP_RULINGS,
    LETTERS,
    DriftRow,
    DropSettings,
    name_uncertain,
)
from asl_pbcg.airborne.drop_tables import NUMBERS, PREFIX, drift_row, tables_for
from asl_pbcg.airborne.landing_orders import Orders, read_orders
from asl_pbcg.airborne.wind import read_side, read_speed, wind_from
from asl_pbcg.cli.command_answers import Answer, refuse_idle
from asl_pbcg.cli.drop.drop_playing import (
    TryOptions,
    drop_file,
    is_drop_file,
    orders_to_try,
    plane_loads,
    settings_at,
)
from asl_pbcg.cli.table_command import describe, list_lines, table_lines
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.facts import facts_of
from asl_pbcg.kernel.reader import nearest_or_all
from asl_pbcg.kernel.table_set import TableSet
from asl_pbcg.kernel.tables import percent
from asl_pbcg.kernel.wording import number_words

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_SHORT = {"survival": "jump_survival", "glider": "glider_landing"}


def tell_odds(file: Path | None, terrain: str, tried: TryOptions) -> Answer:
    """Answer the exact odds of orders, of one drop, or of one drop on plain terrain."""
    jobs: list[tuple[str, Orders, DropMap]]
    if terrain:
        if file:
            raise PBCGError("Give a file or --terrain, not both.")
        refuse_idle("with --terrain", "--at", "--map")
    elif file:
        refuse_idle("with a file", "--at", "--sticks")
    if file and is_drop_file(file):
        if tried.settings:
            raise PBCGError("The settings of a drop file were given when its orders were sealed.")
        refuse_idle("with a drop file", "--map")
        with drop_file(file, reading=True) as session:
            state = session.state
        chosen, jobs = state.settings, [("", state.sealed, state.make_map())]
    else:
        chosen = settings_at(tried.settings)
        jobs = []
        for word in filter(None, (part.strip() for part in terrain.split(","))):
            plain, raw = plain_map(word, chosen), plane_loads("EE30", tried.sticks, chosen)
            jobs.append((word, read_orders(raw, plain, chosen, "--sticks"), plain))
        if not jobs:
            orders, spec = orders_to_try(file, tried, chosen)
            jobs = [("", orders, build_map(spec, chosen))]
    side = read_side(tried.wind, chosen) if tried.wind else None
    speed = read_speed(tried.speed) if tried.speed else None
    odds = [
        (word, drop_odds(orders, dropmap, chosen, side=side, speed=speed))
        for word, orders, dropmap in jobs
    ]
    data = {"odds": [{"terrain": word, "turns": odds_data(turns)} for word, turns in odds]}
    return Answer.in_lines(
        data, (line for word, turns in odds for line in odds_lines(turns, chosen, word))
    )


# Odds

_USED = (
    "wind_numbering",
    "wind_speed_chart",
    "drift_rows_override",
    "sticks_per_platoon",
    "stick_assignment",
    "terrain_alias",
    "mixed_hex",
    "cap_check",
)
"""The settings that the odds on a map rest on."""


def odds_lines(turns: Iterable[TurnOdds], settings: DropSettings, terrain: str) -> Iterator[str]:
    """Yield exact odds of each drop and each turn. Rule: II.C, II.D, III.F.

    ``terrain`` says that the map is that terrain everywhere and has no edge.
    """
    for turn in turns:
        for drop in turn.drops:
            where = f"Turn {drop.turn}, {drop.at}, {drop.sticks} sticks, one drift die for all:"
            plain = f"{drop.sticks} sticks, {terrain} everywhere, no map edge:"
            yield plain if terrain else where
            yield from _drop_lines(drop)
        if len(turn.drops) > 1:
            means = ", ".join(f"{float(turn.mean(name)):.2f} {name}" for name in OUTCOMES)
            yield f"Turn {turn.turn}, all {turn.sticks} sticks: on average {means}"
        for glider in turn.gliders:
            yield from _glider_lines(turn.turn, glider)
    yield name_uncertain(["jump_survival", *(() if terrain else _USED)], settings)
    if settings.stick_assignment == "owner_choice":
        yield "Sticks are taken to fill the nearest places first; the owner may do otherwise."
    if settings.mixed_hex == "asked":
        yield "Hexes with several kinds of terrain are taken by their worst row."


def _drop_lines(drop: StickOdds) -> Iterator[str]:
    numbers = range(drop.sticks + 1)
    yield "             " + "".join(f"{number:>7}" for number in numbers)
    for name, chances in drop.numbers.items():
        cells = (percent(chances[n]) if n in chances else "-" for n in numbers)
        yield f"  {name:<11}" + "".join(f"{cell:>7}" for cell in cells)
    means = ", ".join(f"{float(drop.mean(name)):.2f} {name}" for name in OUTCOMES)
    lost = f"{float(drop.eliminated):.2f} eliminated, {float(drop.off_map):.2f} off the map"
    yield f"  on average {means} ({lost})"


def _glider_lines(turn: int, glider: GliderOdds) -> Iterator[str]:
    states = ", ".join(f"{name} {percent(chance)}" for name, chance in glider.states.items())
    yield f"Turn {turn}, glider of {glider.load}, aimed at {glider.at}: {states}"
    hexes = [f"{at or 'off the map'} {percent(chance)}" for at, chance in glider.hexes.items()]
    more = number_words(len(hexes) - 8, "more hex", "more hexes")
    yield f"  {', '.join(hexes[:8])}{f', and {more}' if len(hexes) > 8 else ''}"


def odds_data(turns: Iterable[TurnOdds]) -> Any:
    """Return odds as plain data: exact fractions as text."""
    listed = [
        {
            **facts_of(turn, "turn sticks"),
            "mean": _means(turn) if turn.drops else {},
            "drops": [_drop_data(drop) for drop in turn.drops],
            "gliders": [
                {
                    **facts_of(glider, "load at states"),
                    "hexes": {at or "off the map": part for at, part in glider.hexes.items()},
                }
                for glider in turn.gliders
            ],
        }
        for turn in turns
    ]
    return to_builtins(listed, enc_hook=str)


def _means(odds: TurnOdds | StickOdds) -> dict[str, Fraction]:
    return {name: odds.mean(name) for name in OUTCOMES}


def _drop_data(drop: StickOdds) -> dict[str, Any]:
    return {
        **facts_of(drop, "at sticks numbers", mean_eliminated="eliminated", mean_off_map="off_map"),
        "mean": _means(drop),
        "joint": [
            {"whole": whole, "dispersed": dispersed, "chance": chance}
            for (whole, dispersed), chance in sorted(drop.fates.items(), reverse=True)
        ],
    }


# Tables


def tell_table(name: str, settings: DropSettings) -> Answer:
    """Answer one table, the drift diagrams, the settings, the night changes, or what there is."""
    wanted = name.strip().lower().removeprefix(PREFIX).replace("-", "_")
    wanted = _SHORT.get(wanted, wanted)
    tables = tables_for(settings)
    if not wanted:
        data = {"tables": [describe(tables[key]) for key in tables]}
        return Answer.in_lines(data, _list_tables(tables))
    if wanted == "drift":
        rows = [drift_row(letter, settings) for letter in LETTERS]
        return Answer.in_lines({"rows": [_row_data(row) for row in rows]}, _drift_lines(rows))
    if wanted == "settings":
        listed = settings_data(settings)
        return Answer.in_lines({"settings": listed}, _setting_lines(listed))
    if wanted == "night":
        return tell_night({}, settings)
    if PREFIX + wanted in tables:
        chart = tables[PREFIX + wanted]
        numbers = settings.wind_numbering if wanted == "wind_direction" else {}
        says = {str(die): f"from hexside {die}, {side}" for die, side in numbers.items()}
        return Answer.in_lines(describe(chart), table_lines(chart, says))
    names = [*map(_short_name, tables), "drift", "settings", "night"]
    raise PBCGError(f'There is no table "{name}"{nearest_or_all(name, names, 0.4)}.')


def _short_name(name: str) -> str:
    return name.removeprefix(PREFIX).replace("_", "-")


def _list_tables(tables: TableSet) -> Iterator[str]:
    yield from list_lines(tables[name] for name in tables)
    yield "drift: the eighteen drift diagrams (II.C); --letter I shows one of them."
    yield "settings: every value that can be set, with its certainty."
    yield "night: the night changes (I.C)."


def settings_data(settings: DropSettings) -> list[dict[str, Any]]:
    """Return every setting with the value in force, its certainty and why it is the default."""
    values = settings.to_data()
    return [
        {
            **facts_of(ruling, "rule why expects alternatives", words="question"),
            "setting": key,
            "value": values[key],
            "certainty": DROP_RULINGS.certainty(key, settings.chosen),
        }
        for key, ruling in DROP_RULINGS.items()
        if key in values
    ]


def _setting_lines(listed: list[dict[str, Any]]) -> Iterator[str]:
    for setting in listed:
        value = _as_written(setting["value"])
        if setting["setting"] == "terrain_alias":
            value = f"{len(setting['value'])} kinds of terrain, see --json"
        yield f"{setting['setting']}: {value}   [{setting['rule']}, {setting['certainty']}]"
        yield f"    {setting['words']} {setting['why']}"


def _as_written(value: Any) -> str:
    """Return a value as a settings file writes it."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_as_written(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_as_written, value)) + "]"
    return str(value).lower() if isinstance(value, bool) else str(value)


# Drift diagrams


def tell_letter(letter: str, at: str, wind: str, map_: str, settings: DropSettings) -> Answer:
    """Answer one drift diagram, and where it lies from a hex in a wind."""
    row = drift_row(letter, settings)
    if bool(at) != bool(wind):
        raise PBCGError("Give --at and --wind together.")
    data, lines = _row_data(row), list(_row_lines(row))
    if at:
        dropmap = build_map(read_map(map_ or BOARD, settings), settings)
        blowing = wind_from(read_side(wind, settings), "low", settings)
        target = dropmap.check(at.strip().upper())
        line = dropmap.downwind_line(target, blowing, len(row.sticks) - 1)
        spots = [(name or "", sticks) for (_, name), sticks in zip(line, row.sticks, strict=True)]
        data["hexes"] = [{"hex": name, "sticks": sticks} for name, sticks in spots]
        for distance, (name, sticks) in enumerate(spots):
            place = "off the map"
            if name:
                words = ", ".join(dropmap.words(name))
                place = f"{name}: {words} ({dropmap.survival_rows(name, settings)[0]})"
            lines.append(f"  +{distance:<3} {sticks}  {place}")
    return Answer.in_lines(data, lines)


def _row_data(row: DriftRow) -> dict[str, Any]:
    return {**to_builtins(row), "total": row.total, "length": len(row.sticks), "rule": "II.C"}


def _row_lines(row: DriftRow) -> Iterator[str]:
    yield f"Drift diagram {row.letter} (II.C): {' '.join(map(str, row.sticks))}"
    over = f"{row.total} sticks over {len(row.sticks)} hexes"
    yield f"{over}, the target hex first, then straight downwind."
    sure = f", {row.sureness:.0%} sure" if row.sureness else ""
    yield f"Certainty: {row.certainty}{sure}."
    for place, number in row.filled.items():
        copy = f"cannot be read in the copy at hand ({row.reading})"
        total = f"{number} makes the row total {row.total}"
        yield f"The {_ORDINALS[place - 1]} number {copy}; {total}."
    if row.note:
        yield row.note
    if row.certainty != "certain":
        yield "A printed copy wins: put the row right with the setting drift_rows_override."


def _drift_lines(rows: list[DriftRow]) -> Iterator[str]:
    yield "Drift diagrams (II.C): the most sticks in the target hex, then hex by hex downwind."
    for row in rows:
        sure = f" {row.sureness:.0%}" if row.sureness else ""
        mark = "" if row.certainty == "certain" else f"   {row.certainty}{sure}"
        yield f"  {row.letter}  {' '.join(map(str, row.sticks))}{mark}"
    yield "Rows without a mark are certain. --letter I tells what was filled in."


def tell_night(changed: dict[str, int], settings: DropSettings) -> Answer:
    """Answer what night makes of some numbers, or its changes. Rule: I.C."""
    night = NUMBERS.content.night
    floor = name_uncertain(("night_mp_floor",), settings)
    lines = [f"{key.capitalize()} at night: {value}  [I.C]" for key, value in changed.items()]
    if not changed:
        only = "They hold only when the scenario says so (setting night)."
        lines = [f"{night}  [I.C]", only]
    if changed.get("movement", settings.night_mp_floor) <= settings.night_mp_floor:
        lines.append(floor)
    all_data = {**to_builtins(night), "night_mp_floor": settings.night_mp_floor}
    return Answer.in_lines(changed or all_data, lines)
