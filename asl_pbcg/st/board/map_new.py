"""A new map file for an owner of the printed game who enters the real map, and a look at it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from asl_pbcg.kernel.data import data_path
from asl_pbcg.kernel.errors import Fault, PBCGError
from asl_pbcg.kernel.files import write_atomic
from asl_pbcg.kernel.textfiles import parse_yaml, read_yaml_or_json
from asl_pbcg.st.board.map import GameMap
from asl_pbcg.st.board.map_check import check_data


def skeleton(*, filled: bool = False) -> str:
    """Give a commented map file to fill in, or the shipped map ``filled`` in to be changed."""
    name = "st/map.yaml" if filled else "st/map_skeleton.yaml"
    return data_path(name).read_text(encoding="utf-8")


def blank_map() -> dict[str, Any]:
    """Return the data of a map without areas and lines, called as the skeleton calls it."""
    head = parse_yaml(skeleton(), "the map to be filled in")
    named = {key: head[key] for key in ("format", "title", "origin")}
    return {**named, "water": {}, "areas": [], "lines": [], "arrows": []}


def write_new(path: Path, *, filled: bool = False) -> None:
    """Write a new map file; raises PBCGError if ``path`` exists, it may hold hours of work."""
    if path.suffix.lower() not in (".yaml", ".yml"):
        raise PBCGError(f"{path} should end in .yaml.")
    if path.exists():
        raise PBCGError(f"{path} exists already; choose another name or move it away.")
    write_atomic(path, skeleton(filled=filled))


def unfinished_map(path: Path) -> tuple[GameMap, list[Fault]]:
    """Give what a map file holds so far, to be drawn but not played on, and what is wrong with it.

    Raises PBCGError if the file cannot be read or holds no area.
    """
    area_map, faults = check_data(read_yaml_or_json(path))
    if not area_map.areas:
        raise PBCGError(f"{path} holds no area yet that could be drawn.")
    return area_map, faults
