"""The sheets of a campaign, filled for one reader."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path

from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.views import UMPIRE, Line
from asl_pbcg.play.plug import SheetName
from asl_pbcg.records.sheet import Sheet

ROSTER, PURCHASES, REPORT, MAP = "roster", "purchases", "report", "map"


def _forces(side: Side) -> str:
    return f"{side.value}-forces"


def _setup(side: Side) -> str:
    return f"{side.value}-setup"


def _titles(state: Campaign) -> dict[str, str]:
    """Of each sheet the campaign's module prints its title."""
    titles = {
        ROSTER: "CG Roster",
        PURCHASES: "RG Purchase Record",
        **{_forces(side): f"{side.title} force roster" for side in state.sides},
        **{_setup(side): f"{side.title} Setup Sheet" for side in state.sides},
        REPORT: "Report of the RePh",
        MAP: "Map",
    }
    printed = state.module.sheets
    return {name: title for name, title in titles.items() if name.split("-")[-1] in printed}


def sheet_names(state: Campaign, sees: str) -> list[SheetName]:
    """The sheets there are for ``sees`` now: a side gets its own Setup Sheet, and a map once a
    CG scenario has been played."""
    hidden = {_setup(side) for side in state.sides if sees not in (UMPIRE, side.value)}
    if not state.determined:
        hidden.add(MAP)
    return [SheetName(name, title) for name, title in _titles(state).items() if name not in hidden]


def last_reph(lines: list[Line]) -> list[Line]:
    """Of a campaign's log what belongs to the last RePh, from the end of its CG scenario on.

    Before the end of the first scenario that is all there is.
    """
    starts = [
        number
        for number, line in enumerate(lines)
        if line.step.endswith("/scenario") and (number == 0 or lines[number - 1].step != line.step)
    ]
    return lines[starts[-1] :] if starts else lines


def campaign_sheets(
    state: Campaign,
    sees: str,
    only: Collection[str] = (),
    templates: Path | None = None,
    lines: list[Line] | None = None,
    paper: str = "a4",
) -> list[Sheet]:
    """The filled sheets as ``sees`` may see them; the report if the log's ``lines`` are given.

    ``paper`` is that of the map sheet.
    """
    from asl_pbcg.campaign import ledger
    from asl_pbcg.campaign.sheets import cg_roster, force_roster, rg_purchase_record
    from asl_pbcg.refit.sheets import map_record, report, setup_sheet

    header = ledger.header(state)
    made: dict[str, Callable[[], Sheet]] = {
        ROSTER: lambda: cg_roster(ledger.roster_lines(state), header, sees, templates),
        PURCHASES: lambda: rg_purchase_record(
            ledger.purchase_lines(state), header, sees, templates
        ),
    }
    for side in state.sides:
        made[_forces(side)] = partial(
            force_roster,
            ledger.force_lines(state, side, sees),
            side,
            header,
            sees,
            templates,
            ledger.area_names(state, side),
        )
    for side in state.sides:
        if sees in (UMPIRE, side.value) or _setup(side) in only:
            made[_setup(side)] = partial(setup_sheet, state, side, sees, templates)
    if lines is not None:
        made[REPORT] = lambda: report(lines, state, sees, templates=templates)
    if state.determined or MAP in only:
        made[MAP] = lambda: map_record(state, paper, templates)
    printed = _titles(state)
    return [make() for name, make in made.items() if name in printed and (not only or name in only)]
