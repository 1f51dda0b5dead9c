"""What a drop has to say in plain data and in lines: for the terminal, JSON and other programs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec

from asl_pbcg.airborne.chances import OUTCOMES
from asl_pbcg.airborne.drift import downwind_line
from asl_pbcg.airborne.dropmap import DropMap
from asl_pbcg.airborne.odds import TurnOdds
from asl_pbcg.airborne.settings import DriftRow, Settings, certainty_of, setting_list
from asl_pbcg.airborne.state import DropState, landed_units, make_map, tally
from asl_pbcg.airborne.wind import Wind
from asl_pbcg.kernel.wording import number_words

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def standing(state: DropState) -> list[dict[str, str]]:
    """What stands on the map, hex by hex in board order, and then what is gone."""
    dropmap = make_map(state)
    rows = []
    for item in landed_units(state, with_lost=True):
        words = ", ".join(dropmap.words(item.at)) if item.at else ""
        rows.append(
            {
                "hex": item.at,
                "terrain": words,
                "what": item.what,
                "id": item.id,
                "type": item.type,
                "state": item.status,
                "turn": str(item.turn),
            }
        )
    order = {name: number for number, name in enumerate(dropmap.grid.names)}
    return sorted(rows, key=lambda row: order.get(row["hex"], len(order)))


def summary(state: DropState) -> str:
    """The drop in one sentence: sticks by state, platoons formed, glider loads."""
    count = tally(state)
    parts = [f"{number_words(count.ordered, 'stick')} ordered"]
    for number, words in (
        (count.aloft, "not landed yet"),
        (count.undispersed, "undispersed"),
        (count.dispersed, "dispersed"),
        (count.eliminated, "eliminated"),
        (count.lost, "lost off the map"),
        (count.shot_down, "shot down"),
        (count.in_platoons, "in platoons"),
    ):
        if number:
            parts.append(f"{number} {words}")
    sentence = ", ".join(parts) + "."
    if count.platoons:
        formed = ", ".join(f"{number} on turn {turn}" for turn, number in count.platoons.items())
        sentence += f" Platoons formed: {formed}."
    if count.glider_loads:
        loads = ", ".join(f"{number} {state}" for state, number in count.glider_loads.items())
        sentence += f" Glider loads: {loads}."
    return sentence


def state_data(state: DropState) -> dict[str, Any]:
    """A drop as JSON tells it; orders of turns to come are left out."""
    return {
        "title": state.orders.title if state.orders else "",
        "side": state.side,
        "fingerprint": state.fingerprint,
        "turn": state.turn,
        "next": "" if state.finished else state.now,
        "finished": state.finished,
        "winds": {
            str(turn): msgspec.to_builtins(wind) for turn, wind in sorted(state.winds.items())
        },
        "sticks": [msgspec.to_builtins(stick) for stick in state.sticks],
        "units": [msgspec.to_builtins(unit) for unit in state.units],
        "landed": [msgspec.to_builtins(item) for item in landed_units(state)],
        "tally": msgspec.to_builtins(tally(state), str_keys=True),
        "settings_changed": list(state.settings.changed),
    }


# Drift diagrams and settings with their certainty


def row_data(row: DriftRow) -> dict[str, Any]:
    """A drift diagram as JSON tells it."""
    data: dict[str, Any] = msgspec.to_builtins(row, str_keys=True)
    return {**data, "total": row.total, "length": len(row.sticks), "rule": "II.C"}


def row_lines(row: DriftRow) -> list[str]:
    """A drift diagram with its certainty, in lines for people."""
    lines = [
        f"Drift diagram {row.letter} (II.C): {' '.join(str(number) for number in row.sticks)}",
        f"{row.total} sticks over {len(row.sticks)} hexes, the target hex first, then straight "
        "downwind.",
    ]
    sure = f", {row.sureness:.0%} sure" if row.sureness else ""
    lines.append(f"Certainty: {row.certainty}{sure}.")
    for place, number in row.filled.items():
        lines.append(
            f"The {ORDINALS[place - 1]} number cannot be read in the copy at hand "
            f"({row.reading}); {number} makes the row total {row.total}."
        )
    if row.note:
        lines.append(row.note)
    if row.certainty != "certain":
        lines.append("A printed copy wins: put the row right with the setting drift_rows_override.")
    return lines


def row_on_map(row: DriftRow, dropmap: DropMap, target: str, wind: Wind) -> list[tuple[str, int]]:
    """Where the numbers of a drift diagram lie on a map; "" is off the map. Rule: II.C."""
    line = downwind_line(dropmap, target, wind, len(row.sticks) - 1)
    return [(at or "", number) for (_, at), number in zip(line, row.sticks, strict=True)]


def settings_data(settings: Settings) -> list[dict[str, Any]]:
    """Every setting with the value in force, its certainty and where the default comes from."""
    values = settings.to_data()
    return [
        {
            "setting": key,
            "rule": setting.rule,
            "value": values[key],
            "certainty": certainty_of(key, settings),
            "words": setting.words,
            "why": setting.why,
            "expects": setting.expects,
            "alternatives": list(setting.alternatives),
        }
        for key, setting in setting_list().items()
    ]


# Odds


def odds_data(turns: tuple[TurnOdds, ...]) -> list[dict[str, Any]]:
    """Odds as JSON tells them: exact fractions as text."""
    return [
        {
            "turn": turn.turn,
            "sticks": turn.sticks,
            "mean": {name: str(turn.mean(name)) for name in OUTCOMES} if turn.drops else {},
            "total": {name: _fractions(turn.total[name]) for name in OUTCOMES}
            if turn.drops
            else {},
            "drops": [
                {
                    "at": drop.at,
                    "sticks": drop.sticks,
                    "mean": {name: str(drop.mean(name)) for name in OUTCOMES},
                    "mean_eliminated": str(drop.eliminated),
                    "mean_off_map": str(drop.off_map),
                    "numbers": {name: _fractions(drop.numbers[name]) for name in OUTCOMES},
                    "joint": [
                        {"whole": whole, "dispersed": dispersed, "chance": str(chance)}
                        for (whole, dispersed), chance in sorted(drop.dist.items(), reverse=True)
                    ],
                }
                for drop in turn.drops
            ],
            "gliders": [
                {
                    "load": glider.load,
                    "at": glider.at,
                    "hexes": {at or "off the map": str(c) for at, c in glider.hexes.items()},
                    "states": {name: str(chance) for name, chance in glider.states.items()},
                }
                for glider in turn.gliders
            ],
        }
        for turn in turns
    ]


def _fractions(numbers: dict[int, Fraction]) -> dict[str, str]:
    return {str(number): str(chance) for number, chance in numbers.items()}
