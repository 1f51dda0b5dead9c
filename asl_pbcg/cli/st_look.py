"""One area at the terminal: what it is, who stands there, where its lines lead."""

from __future__ import annotations

import math
from difflib import get_close_matches
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from asl_pbcg.cli.st_areas import Areas
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.st.area_terms import BRITISH
from asl_pbcg.st.board.map import GameMap
from asl_pbcg.st.rules.phase_situation import Situation

_BANKS: Final = {
    "west": "west of the canal",
    "between": "between the waters",
    "east": "east of the Orne",
}


def find_area(area_map: GameMap, word: str) -> str:
    """Return the area called ``word``, by its id or name; raises PBCGError with the nearest."""
    if not word:
        raise PBCGError("Name an area, for example: a PB")
    wanted = word.lower()
    by_name = {area.name.lower(): area.id for area in area_map.areas.values()}
    by_id = {area.lower(): area for area in area_map.areas}
    if found := by_id.get(wanted) or by_name.get(wanted):
        return found
    within = [area for name, area in by_name.items() if wanted in name]
    if len(within) == 1:
        return within[0]
    near = within or [by_name.get(each) or by_id[each] for each in get_close_matches(
        wanted, [*by_id, *by_name], 4, 0.5
    )]  # fmt: skip
    words = ", ".join(f"{area} {area_map.areas[area].name}" for area in dict.fromkeys(near[:6]))
    raise PBCGError(f'There is no area "{word}"{f"; do you mean {words}?" if words else "."}')


def direction(area_map: GameMap, here: str, there: str) -> str:
    """Return where ``there`` lies as seen from ``here``: N, NE, E and so on."""
    a, b = area_map.areas[here], area_map.areas[there]
    eighth = round(math.atan2(b.x - a.x, b.y - a.y) / (math.pi / 4)) % 8
    return ("N", "NE", "E", "SE", "S", "SW", "W", "NW")[eighth]


def look(console: Console, sit: Situation, word: str) -> None:
    """Print everything the British know of one area and the areas around it."""
    area = find_area(sit.geo.map, word)
    areas = Areas(sit)
    map_area = sit.geo.map.areas[area]
    console.print(Text.assemble((f" {sit.geo.text(area)}", "bold"), f"  {areas.ground(area)}"))
    words = [_BANKS[map_area.bank]]
    if map_area.road:
        words.append("a road area")
    if map_area.entry:
        words.append(f"entry area {map_area.entry}")
    if holder := sit.control.get(area):
        words.append(f"last held by the {'British' if holder == BRITISH else 'Germans'}")
    console.print(Text(f"   {', '.join(words)}", "dim"))
    if ours := areas.ours(area):
        console.print(Text(f"   {ours}", "cyan"))
    for lying in areas.lying(area):
        console.print(Text(f"   {lying}", "cyan"))
    if german := areas.germans(area):
        console.print(Text(f"   {german}", "red"))
    grid = Table(box=None, show_header=False, padding=(0, 2, 0, 3))
    for there in sit.geo.map.neighbours(area):
        line = sit.geo.map.crossing(area, there)
        cost = f"{line.mp} MP" if line and line.mp else "fire only"
        who = Text(areas.ours(there), "cyan")
        if german := areas.germans(there):
            who.append(("  " if who.plain else "") + german, "red")
        grid.add_row(
            cost,
            direction(sit.geo.map, area, there),
            Text(sit.geo.text(there)),
            Text(areas.ground(there), "dim"),
            who,
        )
    console.print(grid)
