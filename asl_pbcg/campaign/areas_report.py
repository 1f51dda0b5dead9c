"""Setup Areas as plain data: the answer of ``pbcg areas --json``."""

from __future__ import annotations

from typing import Any

from asl_pbcg.campaign.area_map import AreaMap


def areas_report(areas: AreaMap) -> dict[str, Any]:
    """Put an AreaMap into lists and words; lists of hexes are in board order.

    Rule: 9.605, 9.6054 Marking the Map.
    """
    return {
        "date": areas.date.value,
        "no_mans_land": areas.no_mans_land.names,
        "uncontrolled": areas.uncontrolled.names,
        "sides": {
            side.value: {
                "setup_areas": [
                    {
                        "id": area.id,
                        "hexes": area.hexes.names,
                        "strategic_locations": [str(each) for each in area.strategic_locations],
                        "isolated": area.isolated,
                        "front_line": area.front_line.names,
                        "isolated_locations": [str(each) for each in areas.isolated_in(area)],
                    }
                    for area in areas.areas[side]
                ],
                "entry_areas": [
                    {"id": entry.id, "hexes": entry.hexes.names, "eligible": entry.eligible}
                    for entry in areas.entry_areas[side]
                ],
            }
            for side in areas.sides
        },
    }


def short(names: list[str]) -> str:
    """Write hexes in board order with the runs of a hexrow drawn together: ``X5 X7-9 AA2``."""
    runs: list[tuple[str, int, int]] = []
    for name in names:
        letters = name.rstrip("0123456789")
        number = int(name[len(letters) :])
        if runs and runs[-1][0] == letters and runs[-1][2] == number - 1:
            runs[-1] = (letters, runs[-1][1], number)
        else:
            runs.append((letters, number, number))
    return " ".join(
        f"{letters}{first}" if first == last else f"{letters}{first}-{last}"
        for letters, first, last in runs
    )
