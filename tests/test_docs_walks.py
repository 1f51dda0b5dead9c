"""The walks of docs/engineers/building.md are true: a station is a name in the file it names."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "engineers" / "building.md").read_text(encoding="utf-8")
WALKS = {
    walk.partition("**")[0]: re.findall(r"^\d+\. `([\w/]+\.py)`: `(\w+)`", walk, re.M)
    for walk in PAGE.partition("## Where does it come from?")[2].split("\n**")[1:]
}


def test_there_are_three_walks_of_fewer_than_ten_stations() -> None:
    assert len(WALKS) == 3
    assert all(5 < len(stations) < 10 for stations in WALKS.values())


@pytest.mark.parametrize("walk", WALKS)
def test_every_station_is_there(walk: str) -> None:
    for file, name in WALKS[walk]:
        tree = ast.parse((ROOT / "asl_pbcg" / file).read_text(encoding="utf-8"))
        defined = {
            node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)
        }
        assert name in defined, f"{file} has no {name}"
