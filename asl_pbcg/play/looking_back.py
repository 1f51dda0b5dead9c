"""Looking back on paper: what each CG Date brought and how the dice fell, as one sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from asl_pbcg.play.history import Fall
from asl_pbcg.records.sheet import Sheet
from asl_pbcg.records.templates import load_layout

NAMES: Final = {1: "dr", 2: "DR"}
"""The name of so many dice."""


def percent_of(share: float) -> str:
    """A chance with a digit after the point, more of them where it is very small or large."""
    return f"{share * 100:.1f}%" if 0.001 <= share <= 0.999 else f"{share * 100:.3f}%"


def looking_back(
    rows: Sequence[Mapping[str, Any]], falls: Sequence[Fall], title: str, seen_by: str
) -> Sheet:
    """The sheet of ``rows`` (of ``history.dates``) and ``falls`` (of ``history.dice_falls``)."""
    layout = load_layout("looking_back")
    dates, dice = layout.tables
    return Sheet(
        layout=layout,
        tables={dates.key: rows, dice.key: [_row(fall) for fall in falls]},
        subtitle=title,
        facts=(("Seen by", seen_by),),
        footer=title,
    )


def _row(fall: Fall) -> dict[str, Any]:
    return {
        "who": fall.side.capitalize() or "Nobody's",
        "dice": NAMES.get(fall.dice, f"{fall.dice}d6"),
        "count": fall.count,
        "mean": f"{fall.mean:.2f}",
        "expected": f"{fall.expected:g}",
        "lower": "" if fall.lower is None else percent_of(fall.lower),
        "higher": "" if fall.higher is None else percent_of(fall.higher),
        "falls": "  ".join(f"{n}: {count}" for n, count in enumerate(fall.faces, fall.dice)),
    }
