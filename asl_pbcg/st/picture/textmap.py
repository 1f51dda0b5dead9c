"""The map in letters, small enough for a terminal of 80 by 24, with what stands where.

Each area is a word of its id and a mark: ``XR+12`` twelve British SP, ``B4-?`` a face-down
counter, ``CAF-8`` Germans seen, ``PX-*?`` a leader and a face-down counter, ``EF!`` both. North is
up. A flight area is there while somebody stands in it. Lines run in the room between the words,
those that carry fire only as dots.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from asl_pbcg.st.area_terms import BRITISH
from asl_pbcg.st.board.map import GameMap, MapArea, MapLine
from asl_pbcg.st.state.game_state import State, Unit
from asl_pbcg.st.state.phase_situation import Situation

WIDTH: Final = 79
ROWS: Final = 21
CELL: Final = 7

Whose = Literal[
    "", "british", "german", "both", "water", "road", "line", "british-held", "german-held"
]
Cells = Mapping[str, tuple[int, int]]


class MapLetters(NamedTuple):
    """Some letters of a row, and whose or what they are."""

    text: str
    whose: Whose


@lru_cache(maxsize=8)
def places(area_map: GameMap, width: int, rows: int) -> Cells:
    """For each land area its row and column of cells, as near to where it lies as there is room."""
    land = [area_map.areas[name] for name in area_map.land]
    # The bridges and the road first: they are looked for most.
    land.sort(key=lambda a: (not a.features, not a.road, a.id))
    return _give_cells(area_map, width, rows, land, {})


def _give_cells(
    area_map: GameMap,
    width: int,
    rows: int,
    areas: Iterable[MapArea],
    there: Cells,
) -> dict[str, tuple[int, int]]:
    """``there`` and one more cell for each of ``areas``, the free one nearest to where it lies."""
    columns = width // CELL
    land = [area_map.areas[name] for name in area_map.land]
    west, east = min(a.x for a in land), max(a.x for a in land)
    south, north = min(a.y for a in land), max(a.y for a in land)
    cells = dict(there)
    taken = set(cells.values())
    for area in areas:
        y = (north - area.y) / max(1.0, north - south) * (rows - 1)
        x = (area.x - west) / max(1.0, east - west) * (columns - 1)
        free = (
            ((row - y) ** 2 * 2.0 + (column - x) ** 2, row, column)
            for row in range(rows)
            for column in range(columns)
            if (row, column) not in taken
        )
        _, row, column = min(free)
        cells[area.id] = (row, column)
        taken.add((row, column))
    return cells


def text_map(
    sit: Situation, state: State, width: int = WIDTH, rows: int = ROWS
) -> list[list[MapLetters]]:
    """Return the rows of the map as ``state`` shows it; ``state`` holds only what may be seen."""
    british: dict[str, list[Unit]] = {}
    german: dict[str, list[Unit]] = {}
    for unit in state.units:
        if unit.status == "map":
            (british if unit.side == BRITISH else german).setdefault(unit.area, []).append(unit)
    area_map = sit.geo.map
    cells = places(area_map, width, rows)
    letters = _ground(area_map, width, rows)
    if aloft := sorted((british.keys() | german.keys()) - cells.keys()):
        cells = _give_cells(area_map, width, rows, [area_map.areas[each] for each in aloft], cells)
    words: dict[tuple[int, int], MapLetters] = {}
    for area, (row, column) in cells.items():
        text, whose = _word(area, british.get(area, []), german.get(area, []))
        if not whose:
            holder = state.control.get(area, "")
            whose = "british-held" if holder == BRITISH else "german-held" if holder else ""
        words[row, column * CELL] = MapLetters(text[:CELL], whose)
    return [_row(row, width // CELL * CELL, words, letters) for row in range(rows)]


def _row(
    row: int,
    width: int,
    words: Mapping[tuple[int, int], MapLetters],
    letters: Mapping[tuple[int, int], MapLetters],
) -> list[MapLetters]:
    """Put the words of a row and what lies between them in order; a word has a blank around it."""
    pieces: list[MapLetters] = []
    at = ends = 0
    while at < width:
        if word := words.get((row, at)):
            pieces.append(word)
            at = ends = at + len(word.text)
            continue
        is_beside_word = at == ends > 0 or (row, at + 1) in words
        blank = MapLetters(" ", "")
        pieces.append(blank if is_beside_word else letters.get((row, at), blank))
        at += 1
    return pieces


@lru_cache(maxsize=8)
def _ground(area_map: GameMap, width: int, rows: int) -> Mapping[tuple[int, int], MapLetters]:
    """Return the letters below the words: the lines between areas, and water."""
    letters: dict[tuple[int, int], MapLetters] = {}
    for row in range(rows):
        for column in _water(area_map, width, rows, row):
            letters[row, column * CELL + 2] = MapLetters("~", "water")
    cells = places(area_map, width, rows)
    # Ways come last: where lines meet they are what a player looks for.
    for line in sorted(area_map.lines, key=lambda line: (line.mp is not None, line.road)):
        if line.a in cells and line.b in cells:
            letters |= _line_letters(line, cells[line.a], cells[line.b])
    return letters


def _line_letters(
    line: MapLine, start: tuple[int, int], end: tuple[int, int]
) -> dict[tuple[int, int], MapLetters]:
    """Return the letters of a line between the cells of its areas."""
    down, right = end[0] - start[0], (end[1] - start[1]) * CELL
    if line.mp is None:
        letter = "."
    elif down == 0:
        letter = "-"
    elif right == 0:
        letter = "|"
    else:
        letter = "\\" if down * right > 0 else "/"
    steps = max(abs(down), abs(right))
    drawn = MapLetters(letter, "road" if line.road else "line")
    return {
        (
            start[0] + round(down * n / steps),
            start[1] * CELL + 1 + round(right * n / steps),
        ): drawn
        for n in range(steps + 1)
    }


def _word(area: str, british: list[Unit], german: list[Unit]) -> tuple[str, Whose]:
    """Return an area and who stands in it, in at most seven letters."""
    if british and german:
        return f"{area}!", "both"
    if british:
        sp = sum(unit.strength for unit in british if unit.combat)
        return f"{area}+{sp or '*'}", "british"
    if german:
        tank = any(unit.kind in ("tank", "mercedes") for unit in german)
        sp = sum(unit.strength for unit in german if unit.combat and not unit.face_down)
        leader = any(unit.kind == "leader" for unit in german)
        hidden = any(unit.face_down for unit in german)
        mark = f"{sp or '*' * leader}{'T' * tank}{'?' * hidden}"
        return f"{area}-{mark}", "german"
    return area, ""


@lru_cache(maxsize=64)
def _water(area_map: GameMap, width: int, rows: int, row: int) -> tuple[int, ...]:
    """Return the cells of a row that lie nearest to the middle of the canal and the river."""
    columns = width // CELL
    land = [area_map.areas[name] for name in area_map.land]
    west, east = min(a.x for a in land), max(a.x for a in land)
    south, north = min(a.y for a in land), max(a.y for a in land)
    y = north - row / max(1, rows - 1) * (north - south)
    columns_of_water = []
    for water in area_map.water.values():
        for (x1, y1), (x2, y2) in zip(water.course, water.course[1:], strict=False):
            low, high = sorted((y1, y2))
            if low <= y <= high and high > low:
                x = x1 + (y - y1) / (y2 - y1) * (x2 - x1)
                column = round((x - west) / max(1.0, east - west) * (columns - 1))
                if 0 <= column < columns:
                    columns_of_water.append(column)
                break
    return tuple(columns_of_water)
