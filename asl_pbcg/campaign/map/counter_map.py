"""The campaign map with every counter its reader may see, and pages that spread the stacks out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from asl_pbcg.campaign.board.board import Board
from asl_pbcg.campaign.location import Location, is_off_map
from asl_pbcg.campaign.map.board_overlay import Overlay
from asl_pbcg.campaign.map.board_sheet import MapHeading, map_sheet
from asl_pbcg.campaign.map.counter_faces import face_of, rank, terrain_face
from asl_pbcg.campaign.module.catalogue import Catalogue
from asl_pbcg.campaign.position import Terrain
from asl_pbcg.campaign.state.piece_names import short_name
from asl_pbcg.campaign.state.record_lines import ForceLine
from asl_pbcg.campaign.terms import Side
from asl_pbcg.hexes.counters import Face
from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.hexes.stacks import Label, stack_pages
from asl_pbcg.records.layout import Paper

Stacks = dict[str, list[list[Face]]]
"""By hex, the stacks in it: one for each side, the first side's first."""


def hex_stacks(
    lines: Sequence[ForceLine],
    catalogue: Catalogue,
    board: Board,
    terrain: Sequence[Terrain] = (),
) -> Stacks:
    """Gather pieces that stand on the map into stacks, by hex and side, ``terrain`` behind them."""
    by_hex: dict[str, dict[Side, list[ForceLine]]] = {}
    for line in lines:
        name = _hex(line)
        if name in board.grid:
            by_hex.setdefault(name, {}).setdefault(line.side, []).append(line)
    ground: dict[str, list[Face]] = {}
    for number, change in enumerate(terrain, 1):
        face = terrain_face(change, number, catalogue)
        ground.setdefault(change.location.hex, []).append(face)
    stacks: Stacks = {}
    for name in sorted({*by_hex, *ground}, key=board.grid.index):
        sides = by_hex.get(name, {})
        stacks[name] = [
            [face_of(line, catalogue) for line in sorted(sides[side], key=rank)]
            for side in sorted(sides, key=lambda side: not side.is_first)
        ]
        if name in ground:
            stacks[name].append(ground[name])
    return stacks


def counter_map(
    board: Board,
    overlay: Overlay,
    lines: Sequence[ForceLine],
    catalogue: Catalogue,
    *,
    heading: MapHeading,
    paper: Paper | str | tuple[float, float] = Paper.A4,
    around: str | None = None,
    radius: int = 8,
    terrain: Sequence[Terrain] = (),
) -> Drawing:
    """Draw the map with the counters of ``lines`` in stacks, one a side in every hex.

    ``lines`` are what the reader may see, as ``pieces_seen`` gives them; ``around`` and ``radius``
    cut out a part. ``terrain`` are Wrecks and what else changed the printed terrain: a stack of
    their own. Raises UnknownHex. Rule: CG14.
    """
    return map_sheet(
        board,
        overlay,
        heading=heading,
        paper=paper,
        around=around,
        radius=radius,
        stacks=hex_stacks(lines, catalogue, board, terrain),
    )


def counter_pages(
    board: Board,
    lines: Sequence[ForceLine],
    catalogue: Catalogue,
    *,
    heading: MapHeading,
    paper: Paper | str = Paper.A4,
    areas: Mapping[tuple[Side, str], str] | None = None,
    terrain: Sequence[Terrain] = (),
) -> list[Drawing]:
    """Lay every counter of ``lines`` out on pages: by side, on the map hex by hex, then off it.

    ``areas`` says what to call a Setup or Entry Area, by side and ID; ``terrain`` comes last.
    """
    groups: list[tuple[str, list[Label]]] = []
    for side in _sides(lines):
        own = _with_possessions([line for line in lines if line.side is side])
        on_map = [line for line in own if _hex(line) in board.grid]
        on_map.sort(key=lambda line: board.grid.index(_hex(line)))
        off = sorted((line for line in own if line not in on_map), key=_place)
        groups.append((f"{side.title}, on the map", _labels(on_map, catalogue, None)))
        groups.append((f"{side.title}, off the map", _labels(off, catalogue, areas or {})))
    changed: dict[str, list[tuple[Face, str]]] = {}
    for number, change in enumerate(terrain, 1):
        under = f"{change.hexside} hexside" if change.hexside else ""
        changed.setdefault(change.at, []).append((terrain_face(change, number, catalogue), under))
    changed_places = sorted(changed, key=lambda at: board.grid.index(_hex_of(at)))
    groups.append(("Terrain changes and Wrecks", [(at, changed[at]) for at in changed_places]))
    return stack_pages(groups, heading, Paper.parse(paper).size)


def _with_possessions(lines: Sequence[ForceLine]) -> list[ForceLine]:
    """Put lines in the order of a stack, what a unit possesses right behind it."""
    by_id = {line.id: line for line in lines}
    held = {id for line in lines for id in line.possesses}
    stack: list[ForceLine] = []
    for line in sorted(lines, key=rank):
        if line.id not in held:
            stack.append(line)
            stack += [by_id[id] for id in line.possesses if id in by_id]
    return [*stack, *(line for line in lines if line not in stack)]


def _sides(lines: Sequence[ForceLine]) -> list[Side]:
    """Return the two sides of the campaign that ``lines`` belong to, the first side first."""
    sides = {side for line in lines for side in (line.side, line.side.other)}
    return sorted(sides, key=lambda side: not side.is_first)


def _hex(line: ForceLine) -> str:
    return _hex_of(line.location) if line.location else ""


def _hex_of(place: str) -> str:
    return Location.parse(place).hex


def _place(line: ForceLine) -> tuple[str, int, str]:
    return line.location, len(line.area), line.area


def _labels(
    lines: Sequence[ForceLine],
    catalogue: Catalogue,
    areas: Mapping[tuple[Side, str], str] | None,
) -> list[Label]:
    by_place: dict[str, list[tuple[Face, str]]] = {}
    for line in lines:
        where = line.location
        if areas is not None:
            title = areas.get((line.side, line.area), f"Area {line.area}" if line.area else "")
            place = "off map" if is_off_map(line.location) else line.location
            where = ", ".join(part for part in (place, title) if part) or "not placed"
        under = "" if line.kind == "other" else short_name(line.id)
        by_place.setdefault(where, []).append((face_of(line, catalogue), under))
    return list(by_place.items())
