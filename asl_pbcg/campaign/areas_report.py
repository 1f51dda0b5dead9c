"""Setup Areas as plain data: the answer of ``pbcg areas --json``."""

from __future__ import annotations

from typing import Any

from asl_pbcg.campaign.area_map import AreaMap
from asl_pbcg.campaign.ground import SIDES


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
                    }
                    for area in areas.areas[side]
                ],
                "entry_areas": [
                    {"id": entry.id, "hexes": entry.hexes.names, "eligible": entry.eligible}
                    for entry in areas.entry_areas[side]
                ],
            }
            for side in SIDES
        },
    }
