"""A paper campaign of ninety pieces: what is needed of it, as cells of a workbook and as lines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import openpyxl

from asl_pbcg.campaign.paper.paper_workbook import EXAMPLE, PAPER_LISTS
from asl_pbcg.campaign.position import LISTS
from asl_pbcg.kernel.data import data_path
from asl_pbcg.kernel.textfiles import read_yaml_or_json

SAMPLE = data_path(EXAMPLE)

NEEDED: dict[str, tuple[str, ...]] = {
    "rg": ("date", "rg", "area"),
    "fortifications": ("kind", "at", "owner", "size", "strength", "ca", "hidden"),
    "terrain": ("kind", "at", "type", "side"),
    "units": ("id", "count", "side", "type", "at", "status", "formation", "guarded_by"),
    "equipment": ("count", "side", "type", "at", "status", "formation"),
    "vehicles": ("side", "type", "at", "status"),
}
"""The columns from which a campaign goes on rightly; the others are for the records."""


def needed_only() -> dict[str, Any]:
    """The example without what is only for the records."""
    data: Any = read_yaml_or_json(SAMPLE)
    of_one_side = {"6-4-8", "4-5-8", "4-6-7", "4-6-8", "PIAT"}
    for name, columns in NEEDED.items():
        data[name] = [{k: v for k, v in row.items() if k in columns} for row in data[name]]
        for row in data[name]:
            row.pop("count", None) if row.get("count") == 1 else None
            status = [each for each in row.get("status", ()) if each != "freedom-of-movement"]
            row.pop("status", None) if not status else row.update(status=status)
            named = row.get("type") in of_one_side and "captured" not in status
            row.pop("side", None) if named and "id" not in row else None
    columns = ("date", "british_san", "german_san", "cpp_left")
    data["roster"] = [{k: data["roster"][-1][k] for k in columns}]
    data["rg"] = [row for row in data["rg"] if row["date"] != "night-1"]
    return {**data, "house_rules": [], "british_player": "", "german_player": "", "title": ""}


PIECES = {"units": 60, "equipment": 24, "vehicles": 6}
"""How many pieces of each list a campaign of ninety has."""


def ninety_pieces() -> dict[str, Any]:
    """The example with ninety of its pieces, and what is needed of them alone."""
    data = needed_only()
    for name, most in PIECES.items():
        held = 0
        for place, row in enumerate(data[name]):
            held += row.get("count", 1)
            if held >= most:
                row["count"] = row.get("count", 1) - (held - most)
                del data[name][place + 1 :]
                break
        data[name] = [
            {k: v for k, v in row.items() if (k, v) != ("count", 1)} for row in data[name]
        ]
    return data


def fill(book: Path, data: dict[str, Any]) -> int:
    """Fill in an empty workbook cell by cell; how many cells that took."""
    loaded, filled = openpyxl.load_workbook(book), 0
    about = {"casualty_vp_british": data["casualty_vp"]["british"]}
    about["casualty_vp_german"] = data["casualty_vp"]["german"]
    about |= {key: data[key] for key in ("campaign", "date", "scenario_end", "ii13", "moved_first")}
    for key, cell, *_ in loaded["about"].iter_rows(min_row=2):
        if key.value in about:
            cell.value, filled = about[key.value], filled + 1
    for column, side in enumerate(data["control"], 1):
        assert loaded["control"].cell(1, column).value == side
        for place, at in enumerate(data["control"][side], 2):
            loaded["control"].cell(place, column).value, filled = at, filled + 1
    for name in (*LISTS, *PAPER_LISTS):
        heads = [cell.value for cell in loaded[name][1]]
        for place, row in enumerate(data.get(name, ()), 2):
            for key, value in row.items():
                words = ", ".join(map(str, value)) if isinstance(value, list) else value
                loaded[name].cell(place, heads.index(key) + 1).value = words
                filled += 1
    loaded.save(book)
    return filled


def _side_of(type: str) -> str:
    """The one side that has a type of those that the example leaves without a side."""
    return "german" if type in ("4-6-7", "4-6-8") else "british"


def typed_lines(data: dict[str, Any]) -> list[tuple[str, str]]:
    """Pieces as lines to type in the page: whose they are, and the line."""
    stacks: dict[tuple[str, str], list[str]] = {}
    for name in ("units", "vehicles", "equipment"):
        for row in data[name]:
            if row["at"].startswith("off-map"):
                continue
            words = [str(row.get("count", 1)), row["type"]]
            if name == "units" and (status := row.get("status")):
                words += [word for word in status if word in ("broken", "walking-wounded")]
            captured = "captured" in row.get("status", ())
            if not captured:
                stacks.setdefault((row.get("side", _side_of(row["type"])), row["at"]), []).append(
                    " ".join(words)
                )
    return [(side, f"{' '.join(words)} {at}") for (side, at), words in stacks.items()]
