"""Positions for the tests of position files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from asl_pbcg.campaign.board.board import load_board
from asl_pbcg.campaign.entry.position_check import Checked, check_raw
from asl_pbcg.campaign.entry.position_files import read_position
from asl_pbcg.campaign.entry.position_raw import Raw
from asl_pbcg.campaign.position import FORMAT, Position
from asl_pbcg.kernel.errors import FaultsError, PBCGError

BOARD = load_board()

UNIT = {"id": "b1", "side": "british", "type": "6-4-8", "at": "X18"}
GERMAN = {"id": "g1", "side": "german", "type": "4-6-7", "at": "L9"}
LMG = {"id": "lmg-1", "side": "british", "type": "LMG", "at": "X18"}
GUN = {"id": "gun", "side": "german", "type": "50L AT", "at": "X20"}
TANK = {"id": "v1", "side": "german", "type": "35-S 739(f)", "at": "Y17"}


def data(**keys: Any) -> dict[str, Any]:
    """A position as plain data; without keys an empty one after Night I."""
    return {"format": FORMAT, "date": "night-1"} | keys


def checked(**keys: Any) -> Checked:
    """The position checked."""
    return check_raw(Raw("position", data(**keys)), BOARD)


def position(**keys: Any) -> Position:
    """The position, without faults."""
    return checked(**keys).position


def faults(**keys: Any) -> list[str]:
    """The faults of a position as players read them."""
    with pytest.raises(FaultsError) as caught:
        checked(**keys)
    return [str(fault) for fault in caught.value.faults]


def fault(**keys: Any) -> str:
    """The only fault of a position."""
    found = faults(**keys)
    assert len(found) == 1, found
    return found[0]


def sentence(path: Path) -> str:
    """The one sentence that a file which is not a position gets, without its path."""
    with pytest.raises(PBCGError) as caught:
        read_position(path)
    assert not isinstance(caught.value, FaultsError)
    said = str(caught.value)
    assert "\n" not in said
    return said.replace(str(path), path.name)


def file_faults(path: Path) -> list[str]:
    """The faults of a file as players read them."""
    with pytest.raises(FaultsError) as caught:
        read_position(path)
    return [str(each) for each in caught.value.faults]


def saved(path: Path, **keys: Any) -> Path:
    """Put a position as JSON at ``path``."""
    path.write_text(json.dumps(data(**keys)), encoding="utf-8")
    return path
