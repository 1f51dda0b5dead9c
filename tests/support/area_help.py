"""Short ways to ask for Setup Areas in the tests."""

from __future__ import annotations

from typing import Any

import msgspec

from asl_pbcg.campaign.areas.area_map import AreaMap, SetupArea
from asl_pbcg.campaign.areas.setup_areas import determine_areas
from asl_pbcg.campaign.board.board import load_board
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.module.house_rules import AreaRulings
from asl_pbcg.campaign.position import Position
from asl_pbcg.campaign.terms import CGDate, Side

BOARD = load_board()
BRITISH, GERMAN = Side.BRITISH, Side.GERMAN


def at(text: str) -> Location:
    return Location.parse(text)


def position(
    british: str = "", german: str = "", date: str = "night-1", **lists: list[dict[str, Any]]
) -> Position:
    """A position from what each side Controls, written in a row, and lists as in the file."""
    content = {
        "format": "pbcg-position/1",
        "date": date,
        "control": {"british": british.split(), "german": german.split()},
        **lists,
    }
    return msgspec.convert(content, Position)


def foxholes(names: str) -> list[dict[str, Any]]:
    return [{"kind": "foxhole", "at": name, "size": 1} for name in names.split()]


def unit(side: Side, where: str, *status: str, number: int = 1) -> dict[str, Any]:
    kind = "6-4-8" if side is BRITISH else "4-6-7"
    return {
        "id": f"{side[0]}{number}",
        "side": side.value,
        "type": kind,
        "at": where,
        "status": list(status),
    }


def areas(
    british: str = "",
    german: str = "",
    date: str = "night-1",
    coming: CGDate | str | None = "next",
    rulings: dict[str, str] | None = None,
    **lists: list[dict[str, Any]],
) -> AreaMap:
    """The areas of such a position."""
    if coming not in ("next", None):
        coming = CGDate(coming)
    return determine_areas(
        BOARD,
        position(british, german, date, **lists),
        AreaRulings.of(rulings or {}),
        coming,  # type: ignore[arg-type]
    )


def area(found: AreaMap, side: Side, where: str) -> SetupArea:
    """The Setup Area of a side that holds a Location."""
    held = found.area_of(side, at(where))
    assert held is not None, f"{where} is in no {side} Setup Area"
    return held


def words(hexes: Any) -> str:
    return " ".join(hexes)
