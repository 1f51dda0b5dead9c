"""``pbcg drop survive | glider | odds | table | night`` without a drop file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import typer
from msgspec import to_builtins

from asl_pbcg.airborne import night
from asl_pbcg.airborne.drift import drift_row, drift_rows
from asl_pbcg.airborne.dropmap import BOARD, MapSpec, build_map, plain_map, read_map, terrain_row
from asl_pbcg.airborne.gliders import WORDS, Result, glider_landing
from asl_pbcg.airborne.limits import LIMITS, glider_shift
from asl_pbcg.airborne.odds import drop_odds
from asl_pbcg.airborne.orders import FORMAT, Orders, read_orders
from asl_pbcg.airborne.readings import READINGS
from asl_pbcg.airborne.report import odds_data, row_data, row_lines, row_on_map, settings_data
from asl_pbcg.airborne.settings import Settings, name_uncertain
from asl_pbcg.airborne.tables import PREFIX, tables_for
from asl_pbcg.airborne.wind import Wind, read_side, read_speed, wind_from
from asl_pbcg.cli import drop_files, drop_show
from asl_pbcg.cli.drop_show import as_json
from asl_pbcg.cli.drop_trial import plane_loads
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.tables import Rolled

Throw = Callable[[list[tuple[str, dict[str, Any], str]]], list[Rolled]]


def survive_alone(
    terrain: str, sticks: int, chosen: Settings, json_wanted: bool, throw: Throw
) -> None:
    """Roll jump survival for sticks by terrain. Rule: II.D."""
    words = [word.strip() for word in terrain.split(",") if word.strip()]
    if not words:
        raise PBCGError("Name a drop file, or the terrain: --terrain clear,forest.")
    if len(words) == 1:
        words *= sticks
    rows = [terrain_row(word, chosen) for word in words]
    found = throw(
        [
            ("jump_survival", {"terrain": row}, f"jump survival of stick {number}, {row}")
            for number, row in enumerate(rows, 1)
        ]
    )
    used = ["jump_survival"]
    used += ["terrain_alias"] if words != rows else []
    if json_wanted:
        as_json(
            {
                "table": f"{PREFIX}jump_survival",
                "sticks": [
                    {"terrain": word, "row": row, "die": rolled.dice[0], "result": rolled.result}
                    for word, row, rolled in zip(words, rows, found, strict=True)
                ],
                "certainty": name_uncertain(used, chosen),
            }
        )
        return
    for number, (word, row, rolled) in enumerate(zip(words, rows, found, strict=True), 1):
        column = word if word == row else f"{word} ({row})"
        typer.echo(f"Stick {number}, {column}: {rolled}  [II.D]")
    typer.echo(name_uncertain(used, chosen))


def land_glider(
    target: str,
    flight: str,
    enters: str,
    wind: Wind,
    map_: str,
    settings: Settings,
    json_wanted: bool,
    throw: Callable[[], list[Rolled]],
) -> None:
    """Land one glider and say where. Rule: III.A, III.F."""
    dropmap = build_map(read_map(map_ or BOARD, settings), settings)
    given = {"flight": flight} if flight else {}
    given |= {"enters": enters} if enters else {}
    raw = {"format": FORMAT, "gliders": [{"turn": 1, "at": target, "load": "glider", **given}]}
    order = read_orders(raw, dropmap, settings, "The glider").gliders[0]
    (rolled,) = throw()
    result: Result = rolled.result  # type: ignore[assignment]
    landed = glider_landing(order.at, order.flight, result, wind, dropmap, settings)
    used = ["glider_shift_direction"]
    used += ["glider_offboard"] if landed.at is None or landed.clamped else []
    if json_wanted:
        as_json(
            {
                "target": order.at,
                "flight": order.flight,
                "enters": order.enters,
                "die": rolled.dice[0],
                "result": rolled.result,
                "shift": glider_shift(wind.speed),
                "at": landed.at,
                "certainty": name_uncertain(used, settings),
            }
        )
        return
    shift = glider_shift(wind.speed)
    typer.echo(f"Aimed at {order.at}, flying {order.flight} from {order.enters}; {wind}.  [III.A]")
    typer.echo(f"Glider landing (III.F.1) {rolled.dice[0]}: {WORDS[rolled.result]}.")
    place = landed.at or "off the map, lost"
    typer.echo(f"The wind shifts it {shift} hex{'es' * (shift > 1)}: {place}.  [III.F.2]")
    typer.echo(name_uncertain(used, settings))


def show_all_odds(
    file: Path | None,
    terrain: str,
    sticks: int,
    wind: str,
    speed: str,
    settings: Path | None,
    json_wanted: bool,
    found: Callable[[Settings], tuple[Orders, MapSpec]],
) -> None:
    """Print the exact odds of orders, of one drop, or of one drop on plain terrain."""
    if drop_files.is_drop_file(file):
        assert file
        if settings:
            raise PBCGError("The settings of a drop file were given when its orders were sealed.")
        with drop_files.drop_file(file, reading=True) as session:
            state = session.state
        chosen, jobs = state.settings, [("", state.sealed, build_map(state.map, state.settings))]
    else:
        chosen = drop_files.settings_at(settings)
        if terrain:
            jobs = []
            for word in (part.strip() for part in terrain.split(",") if part.strip()):
                there = plain_map(word, chosen)
                drops = plane_loads("EE30", sticks, chosen)
                raw = {"format": FORMAT, "drops": drops}
                jobs.append((word, read_orders(raw, there, chosen, "--sticks"), there))
        else:
            orders, spec = found(chosen)
            jobs = [("", orders, build_map(spec, chosen))]
    side = read_side(wind, chosen) if wind else None
    known = read_speed(speed) if speed else None
    answers = []
    for word, orders, there in jobs:
        turns = drop_odds(orders, there, chosen, side=side, speed=known)
        if json_wanted:
            answers.append({"terrain": word, "turns": odds_data(turns)})
            continue
        drop_show.show_odds(turns, chosen, word)
    if json_wanted:
        as_json({"odds": answers})


def show_any_table(
    name: str,
    letter: str,
    at: str,
    wind: str,
    map_: str,
    settings: Path | None,
    json_wanted: bool,
) -> None:
    """Print one table, one drift diagram, the settings, or the list of tables."""
    chosen = drop_files.settings_at(settings)
    if letter:
        return _show_letter(letter, at, wind, map_, chosen, json_wanted)
    if at or wind:
        raise PBCGError("--at and --wind go with --letter.")
    wanted = name.strip().lower().removeprefix(PREFIX).replace("-", "_")
    wanted = {"survival": "jump_survival", "glider": "glider_landing"}.get(wanted, wanted)
    tables = {each.removeprefix(PREFIX) for each in tables_for(chosen)}
    if not wanted:
        if json_wanted:
            as_json({"tables": [_table_data(each, chosen) for each in sorted(tables)]})
        else:
            drop_show.list_tables(chosen)
    elif wanted in tables:
        if json_wanted:
            as_json(_table_data(wanted, chosen))
        else:
            drop_show.show_table(wanted, chosen)
    elif wanted in _OTHERS:
        _OTHERS[wanted](chosen, json_wanted)
    else:
        from difflib import get_close_matches

        known = [drop_show.short_name(each) for each in (*sorted(tables), *_OTHERS)]
        close = get_close_matches(name.lower(), known, 1, 0.4)
        near = f" Perhaps {close[0]}?" if close else ""
        raise PBCGError(f'There is no table "{name}": {", ".join(known)} are.{near}')
    return None


def _show_letter(
    letter: str, at: str, wind: str, map_: str, settings: Settings, json_wanted: bool
) -> None:
    row = drift_row(letter, settings)
    spots = None
    dropmap = None
    if at or wind:
        if not (at and wind):
            raise PBCGError("Give --at and --wind together.")
        dropmap = build_map(read_map(map_ or BOARD, settings), settings)
        blowing = wind_from(read_side(wind, settings), "low", settings)
        spots = row_on_map(row, dropmap, dropmap.check(at.strip().upper()), blowing)
    if json_wanted:
        data = row_data(row)
        if spots is not None:
            data["hexes"] = [{"hex": hex_, "sticks": number} for hex_, number in spots]
        as_json(data)
        return
    for line in row_lines(row):
        typer.echo(line)
    if spots is not None and dropmap is not None:
        drop_show.show_row_on_map(spots, dropmap, settings)


def _table_data(name: str, settings: Settings) -> dict[str, Any]:
    found = tables_for(settings)[PREFIX + name]
    return {
        "table": found.name,
        "title": found.title,
        "rule": found.rule,
        "dice": found.dice,
        "columns": {key: list(words) for key, words in found.columns.items()},
        "rows": [
            {"dice": row.span, "results": list(row.results) or [row.result]} for row in found.rows
        ],
        "certainty": found.certainty,
    }


def _drift(settings: Settings, json_wanted: bool) -> None:
    if json_wanted:
        as_json({"rows": [row_data(row) for row in drift_rows(settings)]})
    else:
        drop_show.show_drift(settings)


def _settings(settings: Settings, json_wanted: bool) -> None:
    if json_wanted:
        as_json({"settings": settings_data(settings)})
    else:
        drop_show.show_settings(settings)


def _night(settings: Settings, json_wanted: bool) -> None:
    if json_wanted:
        as_json({**to_builtins(LIMITS.content.night), "night_mp_floor": settings.night_mp_floor})
        return
    typer.echo(f"{night.night_words()}  [I.C]")
    typer.echo("They hold only when the scenario says so (setting night).")
    typer.echo(name_uncertain(("night_mp_floor",), settings))


def _rulings(settings: Settings, json_wanted: bool) -> None:
    if json_wanted:
        as_json({"rulings": to_builtins(READINGS.content)})
        return
    for each in READINGS.content:
        typer.echo(f"{each.rule}: {each.question}")
        typer.echo(f"    {each.reading} {each.reason}")


_OTHERS: dict[str, Callable[[Settings, bool], None]] = {
    "drift": _drift,
    "settings": _settings,
    "night": _night,
    "rulings": _rulings,
}


def show_night(
    range_: int | None,
    spotting: int | None,
    movement: int | None,
    wagon: bool,
    settings: Path | None,
    json_wanted: bool,
) -> None:
    """Print what becomes of a range, of spotting, of a vehicle's movement at night. Rule: I.C."""
    import msgspec

    chosen = msgspec.structs.replace(drop_files.settings_at(settings), night=True)
    answer: dict[str, int] = {}
    if range_ is not None:
        answer["range"] = night.weapon_range(range_, chosen)
    if spotting is not None:
        answer["spotting"] = night.spotting_range(spotting, chosen)
    if movement is not None:
        answer["movement"] = night.movement(movement, True, wagon, chosen)
    if not answer:
        return _night(chosen, json_wanted)
    if json_wanted:
        return as_json(answer)
    for key, value in answer.items():
        typer.echo(f"{key.capitalize()} at night: {value}  [I.C]")
    if movement is not None and not wagon and movement < 3 + chosen.night_mp_floor:
        typer.echo(name_uncertain(("night_mp_floor",), chosen))
    return None
