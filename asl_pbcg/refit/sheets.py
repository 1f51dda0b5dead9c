"""What stands on the sheets of the Refit Phase: the setup sheet of a side, the report."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from asl_pbcg.campaign.areas_report import short
from asl_pbcg.campaign.ledger import header
from asl_pbcg.campaign.location import Area
from asl_pbcg.campaign.map_layers import position_sheet
from asl_pbcg.campaign.record_lines import UMPIRE, viewer_named
from asl_pbcg.campaign.scenario_card import card_for, scenario_card
from asl_pbcg.campaign.sheets import SheetHeader
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.views import Line, for_side
from asl_pbcg.records.layout import Paper
from asl_pbcg.records.sheet import Sheet
from asl_pbcg.records.templates import load_layout
from asl_pbcg.refit.area_table import area_title
from asl_pbcg.refit.setup_rules import Setup, setups


def setup_sheet(
    state: Campaign, side: Side, viewer: str = UMPIRE, templates: Path | None = None
) -> Sheet:
    """What of ``side`` may set up where in the coming CG scenario; the side's own secret.

    Raises PBCGError if the other side asks. Rule: 9.62021, 9.62022.
    """
    eyes = viewer_named(viewer)
    if eyes is not None and eyes is not side:
        raise PBCGError(f"The {side.title} setup sheet is for the {side.title} player alone.")
    rows = sorted((_row(each) for each in setups(state, side)), key=lambda row: row["order"])
    areas = state.areas if state.determined is not None else None
    card = card_for(scenario_card(state, state.board, areas), side.value)
    layout = load_layout("setup_sheet", templates)
    frames = {
        "pieces": _frame(rows),
        "card": _frame({"text": each.text, "rule": each.rule} for each in card),
    }
    return _sheet(layout, frames, header(state), state, f"{side.title} {layout.title}")


def _row(setup: Setup) -> dict[str, Any]:
    piece = setup.piece
    if setup.isolated:
        section, order = f"First: Isolated, {_place(piece.area)}", 0
    elif setup.entry:
        section, order = f"Off map: {_place(setup.entry)}", 2
    else:
        section, order = f"Then: {_place(piece.area)}", 1
    notes = [*piece.remarks]
    if setup.isolated:
        notes.append("Ammunition Shortage")
    if piece.hip:
        notes.append("HIP")
    return {
        "order": (order, section, piece.id),
        "section": section,
        "id": piece.id,
        "type": piece.type,
        "where": setup.words,
        "rule": setup.rule,
        "rg": piece.own_rg,
        "status": ", ".join(piece.status),
        "notes": "; ".join(notes),
        "location": setup.fixed,
    }


def _place(area: str) -> str:
    if not area:
        return "outside all Setup Areas"
    return str(Area.parse(area))


def map_record(state: Campaign, paper: str = "a4", templates: Path | None = None) -> Sheet:
    """The Setup Areas as 9.605 last determined them, as a table and on the map.

    Both sides see the same. Raises PBCGError before a CG scenario was played. Rule: 9.6054.
    """
    if state.determined is None:
        raise PBCGError("There are no Setup Areas yet: 9.605 determines them after a CG scenario.")
    found = state.areas
    rows = []
    for side in state.sides:
        for area in found.areas[side]:
            rows.append(
                {
                    "side": side.title,
                    "area": area_title(state, side, area.id),
                    "isolated": "Isolated" if area.isolated else "",
                    "strategic": " ".join(str(each) for each in area.strategic_locations),
                    "hexes": short(area.hexes.names),
                    "front_line": short(area.front_line.names),
                }
            )
        for entry in found.entry_areas[side]:
            eligible = "" if entry.eligible else ", not Eligible"
            name = f"Entry Area {entry.id}{eligible}"
            rows.append({"side": side.title, "area": name, "hexes": short(entry.hexes.names)})
    for name, hexes in (
        ("No Man's Land", found.no_mans_land),
        ("Uncontrolled Territory", found.uncontrolled),
    ):
        rows.append({"side": "Neither", "area": name, "hexes": short(hexes.names)})
    layout = load_layout("setup_areas", templates)
    sheet = _sheet(layout, {"areas": _frame(rows)}, header(state), state, "")
    name = state.frame.campaigns[state.campaign].title
    drawn = position_sheet(found, paper=Paper.named(paper), campaign=name)
    return replace(sheet, subtitle=f"Setup Areas after {found.date.title}", picture=drawn)


def report(
    lines: Iterable[Line],
    state: Campaign,
    viewer: str = UMPIRE,
    date: str = "",
    templates: Path | None = None,
) -> Sheet:
    """The report of a RePh: every decision, every roll with its DRM, what followed.

    ``date`` keeps only the steps of one CG Date, for example ``dawn``. Rule: 9.6.
    """
    viewer_named(viewer)
    rows = [
        {
            "section": _step_title(state, line.step),
            "rule": line.rule,
            "side": line.side.capitalize(),
            "text": line.text,
            "dice": " ".join(str(face) for face in line.roll.dice) if line.roll else None,
            "drm": line.roll.total_drm if line.roll else None,
            "final": line.roll.final if line.roll else None,
        }
        for line in for_side(lines, viewer)
        if not date or line.step.startswith(f"{date}/")
    ]
    layout = load_layout("reph_report", templates)
    return _sheet(layout, {"lines": _frame(rows)}, header(state), state, "")


def _step_title(state: Campaign, step: str) -> str:
    """The heading of a step: ``dawn/9.606`` is Dawn, 9.606 Escape."""
    date, _, number = step.partition("/")
    titles = {chart.step: f"{number} {chart.title}" for chart in state.frame.steps}
    titles |= {"scenario": "end of the CG scenario", "9.5": "9.5 Initial Scenario"}
    named = next((each.title for each in state.module.dates if each.value == date), date)
    return f"{named}, {titles[number]}" if number in titles else step.replace("/", "  ")


def _frame(rows: Iterable[dict[str, Any]]) -> Any:
    import pandas as pd

    return pd.DataFrame(list(rows), dtype=object)


def _sheet(
    layout: Any, frames: dict[str, Any], head: SheetHeader, state: Campaign, title: str
) -> Sheet:
    return Sheet(
        layout=layout,
        frames=frames,
        title=title,
        subtitle=head.campaign,
        facts=(*head.player_facts, ("CG Date", state.date.title)),
        footer=f"{head.campaign}, {state.date.title}",
    )
