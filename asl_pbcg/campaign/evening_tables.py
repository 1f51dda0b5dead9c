"""The few tables that an evening needs at the foot of the Setup Sheet, from the module's data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from asl_pbcg.campaign.module import Module
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.tables import Modifier, RollTable

_ESCAPE: Final = ("escape.infantry", "escape.vehicle")


def evening_rows(
    module: Module, campaign: str, san: Mapping[Side, int] | None = None
) -> list[dict[str, Any]]:
    """Return EC, wind, SAN, setup order and Escape as rows of a sheet.

    Without ``san`` there is room to write it. Rule: 9.62023, 9.606, CG13, SSR PB1.
    """
    frame = module.frame
    order = [
        f"{date.title} {turns.first_setup.title}/{turns.first_move.title}"
        for date in frame.campaigns[campaign].dates
        for turns in [frame.setup_order[date]]
    ]
    sides = ", ".join(f"{side.title} {san[side] if san else '____'}" for side in module.sides)
    rows = [
        {"what": "Weather", "text": f"{each.text}.", "rule": each.rule}
        for each in frame.scenario_rules
        if each.weather
    ]
    rows += [
        {"what": "SAN", "text": f"{sides}.", "rule": "CG13"},
        {
            "what": "Order",
            "text": f"Sets up first/moves first: {', '.join(order)}.",
            "rule": "9.62023",
        },
    ]
    return [*rows, *(_row(module.tables[name]) for name in _ESCAPE if name in module.tables)]


def _row(table: RollTable) -> dict[str, Any]:
    """Return a roll table in a cell: its Finals, then its modifiers."""
    finals = "; ".join(f"{row.finals({})}: {row.says or row.result}" for row in table.rows)
    drm = "; ".join(map(_modifier, table.drm.values()))
    text = f"{table.spec.name}. {finals}.\n" + (f"DRM: {drm}." if drm else "")
    return {"what": table.title, "text": text.strip(), "rule": table.rule}


def _modifier(each: Modifier) -> str:
    if isinstance(each.value, str):  # its number stands on a counter
        return f"the {each.why}"
    return each.words if each.per else f"{each.words} {each.why}"
