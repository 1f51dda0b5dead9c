"""Setup Areas held against an independent brute force over random positions."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any, get_args, get_type_hints

import brute_areas
import msgspec
import pytest
from area_positions import random_position

from asl_pbcg.campaign.areas.area_map import areas_report
from asl_pbcg.campaign.areas.setup_areas import determine_areas
from asl_pbcg.campaign.board.board import BARRIERS, load_board
from asl_pbcg.campaign.module.house_rules import RULING_FIELDS, AreaRulings
from asl_pbcg.campaign.position import Position
from asl_pbcg.campaign.terms import CGDate

BOARDS = {choice: load_board(barriers) for choice, barriers in BARRIERS.items()}
"""The board by the choices of house rule P-01."""
CHUNK = 200
EVENTS = {
    "1 uncontrolled",
    "4 drops out",
    "4 burning",
    "5 lone",
    "5 lone ones touch",
    "5 joins",
    "5 no ground level",
    "6 enclosed",
    "6 building",
    "6 enemy-occupied",
    "C-05 area",
    "C-05 level",
}
"""What has to occur in every chunk of positions, so that each point of the rules is tried."""


def solved(content: dict[str, Any], coming: str | None, rulings: dict[str, str]) -> Any:
    solver = brute_areas.Solver(content, coming, rulings)
    return solver.answer(), solver.happened


def answered(content: dict[str, Any], coming: str | None, rulings: dict[str, str]) -> Any:
    position = msgspec.convert(content, Position)
    date = CGDate(coming) if coming else None
    board = BOARDS[rulings.get("P-01", "stop")]
    return areas_report(determine_areas(board, position, AreaRulings.of(rulings), date))


def compare(
    seed: int,
    content: dict[str, Any],
    coming: str | None,
    rulings: dict[str, str],
    seen: Counter[str],
) -> None:
    expected, happened = solved(content, coming, rulings)
    assert answered(content, coming, rulings) == expected, f"seed {seed}, {coming}, {rulings}"
    seen.update(happened)
    for side in expected["sides"].values():
        for area in side["setup_areas"]:
            seen["7 Isolated" if area["isolated"] else "7 not Isolated"] += 1
            seen["8 not all Front-Line"] += area["front_line"] != area["hexes"]
    seen["2 No Man's Land"] += bool(expected["no_mans_land"])


@pytest.mark.rule(
    "9.2-k",
    "9.2-l",
    "9.2-m",
    "9.2-s",
    "9.2-v",
    "9.2-y",
    "9.2-aj",
    "9.2-ak",
    "9.2-al",
    "9.2-ao",
    "9.2-ap",
    "9.2-aq",
    "9.2-ar",
    "9.2-at",
    "9.605-a",
    "9.6051-a",
    "9.6052-a",
    "9.6053-a",
    "9.6054-a",
    "9.6054-b",
)
@pytest.mark.parametrize("chunk", range(10))
def test_areas_agree_with_the_brute_force(chunk: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        content = random_position(seed)
        date = CGDate(content["date"])
        compare(seed, content, date.next and date.next.value, {}, seen)
    needed = {*EVENTS, "2 No Man's Land", "7 Isolated", "7 not Isolated", "8 not all Front-Line"}
    assert {name for name in needed if not seen[name]} == set()


@pytest.mark.parametrize("chunk", range(5))
def test_areas_agree_under_any_house_rules(chunk: int) -> None:
    hints = get_type_hints(AreaRulings)
    seen: Counter[str] = Counter()
    for seed in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        draw = random.Random(f"rulings/{seed}")
        rulings = {id: draw.choice(get_args(hints[field])) for id, field in RULING_FIELDS.items()}
        rulings["P-01"] = draw.choice(list(BOARDS))
        content = random_position(10_000 + seed)
        compare(10_000 + seed, content, draw.choice([None, *brute_areas.DATES]), rulings, seen)
    assert {name for name in EVENTS if not seen[name]} == set()
