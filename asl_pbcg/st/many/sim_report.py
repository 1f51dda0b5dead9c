"""The report of a simulation: VP and victory levels with 95% confidence intervals."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from typing import Any, Final

import msgspec

from asl_pbcg.records.data_tables import csv_text
from asl_pbcg.st.many.sim import SimulatedGames
from asl_pbcg.st.rules.scoring import victory_chart

FORMAT: Final = "pbcg-st-sim/1"
Z: Final = 1.959964
"""The two-sided 95% point of the normal distribution."""


class Share(msgspec.Struct, frozen=True):
    """How often something was so: its share of all games with a 95% Wilson interval."""

    count: int
    share: float
    low: float
    high: float


class Distribution(msgspec.Struct, frozen=True):
    """How a number is spread: mean with its 95% interval, deviation, quartiles, extremes."""

    mean: float
    low: float
    high: float
    deviation: float
    least: int
    quarter: float
    median: float
    three_quarters: float
    most: int


class ChartLine(msgspec.Struct, frozen=True):
    """One line of the Victory Point Chart: how often it counted in a game, and its VP."""

    text: str
    mean: float
    vp: float


class SimulationReport(msgspec.Struct, frozen=True, kw_only=True):
    """The whole answer of a simulation."""

    policy: str
    seed: int
    settings: dict[str, Any]
    asked: int
    done: int
    vp: Distribution
    levels: dict[str, Share]
    lines: dict[str, ChartLine]


def report(results: SimulatedGames) -> SimulationReport:
    """Sum up ``results``; at least one game must be done."""
    chart = victory_chart()
    levels = Counter(results.column("level"))
    done = results.done
    lines = {
        item: _line(line.text, results.column(item), line.value)
        for item, line in chart.points.items()
    }
    if each := int(results.spec.settings.get("mercedes_vp", 0)):
        # The car stands on no line of the chart: it is what the VP have beyond these (AMB-65).
        car = sum(results.column("vp")) / done - sum(line.vp for line in lines.values())
        lines["mercedes"] = ChartLine("Mercedes wrecked", car / each, car)
    return SimulationReport(
        policy=results.spec.policy,
        seed=results.spec.seed,
        settings=dict(results.spec.settings),
        asked=results.games,
        done=done,
        vp=spread(results.column("vp")),
        levels={name: share(levels[at], done) for at, name in enumerate(chart.levels)},
        lines=lines,
    )


def _line(text: str, counts: list[int], value: int) -> ChartLine:
    mean = sum(counts) / len(counts)
    return ChartLine(text, mean, mean * value)


def share(count: int, of: int) -> Share:
    """``count`` of ``of`` with the Wilson interval, which holds near 0 and 1 too."""
    p = count / of
    middle = (p + Z * Z / (2 * of)) / (1 + Z * Z / of)
    half = Z / (1 + Z * Z / of) * math.sqrt(p * (1 - p) / of + Z * Z / (4 * of * of))
    return Share(count, p, max(0.0, middle - half), min(1.0, middle + half))


def spread(values: list[int]) -> Distribution:
    """Return the spread of ``values``; the interval of the mean is the normal one."""
    mean = sum(values) / len(values)
    deviation = statistics.stdev(values) if len(values) > 1 else 0.0
    half = Z * deviation / math.sqrt(len(values))
    quarter, median, three_quarters = (
        statistics.quantiles(values, n=4, method="inclusive")
        if len(values) > 1
        else [float(values[0])] * 3
    )
    least, most = min(values), max(values)
    interval = mean - half, mean + half
    return Distribution(mean, *interval, deviation, least, quarter, median, three_quarters, most)


def to_json(results: SimulatedGames) -> bytes:
    """Return the report and every game, the same bytes for the same seed."""
    answer = {"format": FORMAT, **msgspec.to_builtins(report(results))}
    answer["games"] = results.rows()
    return msgspec.json.format(msgspec.json.encode(answer), indent=1) + b"\n"


def to_csv(results: SimulatedGames) -> str:
    """Return a line for each game."""
    return csv_text(results.table())
