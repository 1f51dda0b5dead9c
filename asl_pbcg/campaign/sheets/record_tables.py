"""The records of a campaign as tables for programs: one fact a column, one thing a row.

Of what a line of a record has several, each is a row of a table beside it, with the key of the
line before it. Headings depend on whose eyes they are for, never on what happened so far.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from asl_pbcg.campaign.position_words import status_words
from asl_pbcg.campaign.state.piece_names import short_name
from asl_pbcg.campaign.state.record_lines import (
    ForceLine,
    FortificationLine,
    PurchaseLine,
    RosterLine,
    columns_for,
)
from asl_pbcg.kernel.facts import facts_of
from asl_pbcg.records.sheet import DataTable

_MANY: Final = ("rg_purchased", "fortifications", "reinforcements")
"""Of a CG Date there may be several of these."""
_FORTIFICATION: Final = ("date", "side", "kind", "factors", "unit", "location", "count")
_PURCHASE: Final = (
    "line", "date", "rg", "group_type", "given", "number_purchased", "number_remaining", "strength",
    "hmg", "mmg", "lmg", "mtr", "area", "cpp_cost", "entry_cost",
)  # fmt: skip
_FORCE: Final = (
    "piece", "side", "area", "type", "factors", "count", "kind", "unit_class", "formation",
    "location", "possessed_by", "rg", "name", "notes",
)  # fmt: skip


def roster_tables(lines: Sequence[RosterLine], viewer: str) -> dict[str, DataTable]:
    """Return the CG Roster as ``viewer`` may know it; ``lines`` are those it may see."""
    shown = columns_for(viewer)
    columns = ["date", "title", *(name for name in shown if name not in ("date", *_MANY))]
    rows = [{**_plain(line), "title": line.date.title} for line in lines]
    tables = {"dates": DataTable(columns, rows)}
    entries = [(line, entry) for line in lines for entry in line.fortifications]
    tables["fortifications"] = DataTable(
        _FORTIFICATION, [row for line, entry in entries for row in _fortification(line, entry)]
    )
    if "rg_purchased" in shown:
        bought = [{"date": line.date, **_plain(rg)} for line in lines for rg in line.rg_purchased]
        tables["rg"] = DataTable(("date", "rg", "cpp"), bought)
    received = [row for line in lines for row in _reinforcements(line)]
    tables["reinforcements"] = DataTable(("date", "type", "dismantled", "count"), received)
    return tables


def _plain(line: Any) -> dict[str, Any]:
    return facts_of(line, line.__struct_fields__)


def _fortification(line: RosterLine, entry: FortificationLine) -> Iterable[dict[str, Any]]:
    """Give a row for each Location, and one for those that are not set up."""
    row = {
        "date": line.date,
        **facts_of(entry, "side kind"),
        "factors": entry.factors or None,
        "unit": entry.what,
    }
    yield from ({**row, "location": at, "count": 1} for at in entry.at)
    if not_set_up := entry.count - len(entry.at):
        yield {**row, "location": "", "count": not_set_up}


def _reinforcements(line: RosterLine) -> Iterable[dict[str, Any]]:
    """Give a row for each type, as the CG Roster lists them: ``6-4-8 x18, dm HMG``."""
    for entry in filter(None, line.reinforcements.split(", ")):
        type, _, number = entry.rpartition(" x")
        counted = bool(type) and number.isdecimal()
        name = type if counted else entry
        yield {
            "date": line.date,
            "type": name.removeprefix("dm "),
            "dismantled": name.startswith("dm "),
            "count": int(number) if counted else 1,
        }


def purchase_tables(lines: Sequence[PurchaseLine]) -> dict[str, DataTable]:
    """Return the RG Purchase Record; units and leaders have the number of their line."""
    numbered = [({"line": number}, line) for number, line in enumerate(lines, 1)]
    own = [
        {**key, **facts_of(line, _PURCHASE[1:]), "strength": _STRENGTHS[line.strength]}
        for key, line in numbered
    ]
    units = [
        {**key, "rg": line.rg, "type": unit.type, "count": unit.number}
        for key, line in numbered
        for unit in line.units
    ]
    leaders = [
        {**key, "rg": line.rg, "leader": leader}
        for key, line in numbered
        for leader in line.leaders
    ]
    return {
        "rg": DataTable(_PURCHASE, own),
        "units": DataTable(("line", "rg", "type", "count"), units),
        "leaders": DataTable(("line", "rg", "leader"), leaders),
    }


_STRENGTHS: Final = {"F": "full", "D": "depleted", "": ""}


def force_tables(lines: Sequence[ForceLine]) -> dict[str, DataTable]:
    """Return a force roster: its pieces, and all that is true of each."""
    holders = {item: line.id for line in lines for item in line.possesses}
    rows = [
        {
            **facts_of(line, [name for name in _FORCE if name in line.__struct_fields__]),
            "piece": "" if line.kind == "other" else short_name(line.id),
            "kind": line.kind_words,
            "type": line.type.removesuffix(f" x{line.factors}"),
            "factors": line.factors or None,
            "possessed_by": short_name(holders.get(line.id, "")),
            "notes": "" if line.notes == f"x{line.count}" else line.notes,
        }
        for line in lines
    ]
    statuses = [
        {"piece": row["piece"], "type": row["type"], "location": row["location"], "status": word}
        for row, line in zip(rows, lines, strict=True)
        for status in line.status
        if (word := status_words([status]))
    ]
    types = {line.id: line.type for line in lines}
    held = [
        {
            "piece": short_name(line.id),
            "type": line.type,
            "possesses": short_name(item),
            "equipment": types.get(item, ""),
        }
        for line in lines
        for item in line.possesses
    ]
    return {
        "pieces": DataTable(_FORCE, rows),
        "status": DataTable(("piece", "type", "location", "status"), statuses),
        "possessions": DataTable(("piece", "type", "possesses", "equipment"), held),
    }
