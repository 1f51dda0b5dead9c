"""Exact odds against a brute-force count of every throw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any

import pytest
from airborne_help import blowing, glider, load, orders_of, plain, sheet
from airborne_help import with_settings as chosen

from asl_pbcg.airborne.drop_map import DropMap, plain_map
from asl_pbcg.airborne.drop_odds import OUTCOMES, TurnOdds, drop_odds
from asl_pbcg.airborne.drop_settings import DropSettings
from asl_pbcg.airborne.drop_tables import drift_row, table
from asl_pbcg.airborne.landing import GliderResult, glider_landing
from asl_pbcg.airborne.landing_orders import Orders
from asl_pbcg.airborne.wind import read_side, read_speed

State = dict[str, Counter[str]]


def every_landing(
    orders: Orders, there: DropMap, settings: DropSettings, speed: str, side: str
) -> Iterator[tuple[Fraction, State, dict[str, str]]]:
    """Every landing in one wind: its chance, the sticks' states by target, the gliders' states."""
    wind = blowing(side, speed, settings)
    letters = {"low": "ABCDEF", "gusty": "GHIJKL", "high": "MNOPQR"}[speed]
    targets = {at: sum(d.sticks for d in drops) for at, drops in orders.drops_of(1).items()}
    gliders = orders.gliders_of(1)
    ways: list[list[tuple[Fraction, list[str | None]]]] = []
    for at, number in targets.items():
        options: dict[tuple[str | None, ...], Fraction] = {}
        for letter in letters:
            row = drift_row(letter, settings)
            line = [hex_ for _, hex_ in there.downwind_line(at, wind, len(row.sticks) - 1)]
            places = [line[distance] for distance in row.places]
            picks = list(combinations(places, number))
            for pick in picks:
                options[pick] = options.get(pick, Fraction(0)) + Fraction(1, 6 * len(picks))
        ways.append([(chance, list(pick)) for pick, chance in options.items()])
    results: tuple[GliderResult, ...] = ("short", "on_target", "long")
    flights = [
        [
            (Fraction(1, 3), glider_landing(g.at, g.flight, result, wind, there, settings).at)
            for result in results
        ]
        for g in gliders
    ]
    for choice in product(*ways, *flights):
        chance = Fraction(1)
        for part, _ in choice:
            chance *= part
        hexes: dict[str, list[str | None]] = {}
        for at, (_, found) in zip(targets, choice, strict=False):
            hexes[at] = found  # type: ignore[assignment]
        down = [at for _, at in choice[len(targets) :]]
        yield from survive(chance, hexes, down, there, settings, [g.load for g in gliders])


def survive(
    chance: Fraction,
    hexes: dict[str, list[str | None]],
    gliders: list[Any],
    there: DropMap,
    settings: DropSettings,
    loads: list[str],
) -> Iterator[tuple[Fraction, State, dict[str, str]]]:
    after = settings.cap_check == "after_survival"
    flat = [(target, at) for target, found in hexes.items() for at in found]
    crowd = Counter(at for _, at in flat if at)
    three = {at for at, count in Counter(gliders).items() if at and count > 2}
    rolls = [range(1, 7) if at else (0,) for _, at in flat]
    part = chance / 6 ** sum(bool(at) for _, at in flat)
    fate: dict[tuple[str, int], str] = {}
    for dice in product(*rolls):
        results = []
        for die, (_, at) in zip(dice, flat, strict=True):
            if at and (at, die) not in fate:
                row = there.survival_rows(at, settings)[0]
                chart = table("jump_survival", settings)
                fate[at, die] = chart.resolve((die,), {"terrain": row}).result
            results.append(fate[at, die] if at else "lost")
        if after:
            crowd = Counter(
                at
                for (_, at), result in zip(flat, results, strict=True)
                if at and result != "eliminated"
            )
        over = {at for at, count in crowd.items() if count > 2 * settings.sticks_per_platoon}
        states: State = {target: Counter() for target in hexes}
        for (target, at), result in zip(flat, results, strict=True):
            if result in ("lost", "eliminated"):
                states[target]["lost"] += 1
            elif result == "dispersed" or at in over | three:
                states[target]["dispersed"] += 1
            else:
                states[target]["whole"] += 1
        flown = {
            load: "lost" if not at else "dispersed" if at in over | three else "undispersed"
            for load, at in zip(loads, gliders, strict=True)
        }
        yield part, states, flown


def compare(orders: Orders, there: DropMap, settings: DropSettings, speed: str, side: str) -> None:
    found: TurnOdds
    (found,) = drop_odds(
        orders, there, settings, side=read_side(side, settings), speed=read_speed(speed)
    )
    each: dict[str, dict[tuple[int, int], Fraction]] = {}
    flown: dict[str, Counter[str]] = {}
    for chance, states, gliders in every_landing(orders, there, settings, speed, side):
        for at, count in states.items():
            dist = each.setdefault(at, {})
            key = (count["whole"], count["dispersed"])
            dist[key] = dist.get(key, Fraction(0)) + chance
        for name, state in gliders.items():
            flown.setdefault(name, Counter())[state] += chance  # type: ignore[assignment]
    assert {drop.at: drop.fates for drop in found.drops} == each
    assert {g.load: g.states for g in found.gliders} == {n: dict(c) for n, c in flown.items()}
    for drop in found.drops:
        assert drop.mean("lost") == drop.eliminated + drop.off_map
        assert sum(drop.mean(name) for name in OUTCOMES) == drop.sticks


FEW: dict[str, Any] = {
    "sticks_per_platoon": 1,
    # Rows of two places, so that a brute-force count is quick; some crowd two drops in one hex.
    "drift_rows_override": {
        **{letter: [2] for letter in "AGM"},
        **{letter: [1, 1] for letter in "BHN"},
        **{letter: [0, 2] for letter in "CIO"},
        **{letter: [0, 1, 1] for letter in "DJP"},
        **{letter: [1, 0, 1] for letter in "EKQ"},
        **{letter: [0, 0, 2] for letter in "FLR"},
    },
}
WET: dict[str, Any] = {"terrain": {"swamp": ("K11", "L10"), "forest": ("K12",), "slope": ("K10",)}}


@pytest.mark.parametrize("cap", ["before_survival", "after_survival"])
@pytest.mark.parametrize("sticks", [(1, 1), (2, 1)])
def test_two_drops_that_may_crowd_each_other_s_hexes(cap: str, sticks: tuple[int, int]) -> None:
    given = chosen(cap_check=cap, **FEW)
    drops = [load("1", "K10")] + [load(f"2{n}", "K11") for n in range(sticks[0])]
    drops += [load("1b", "K10")] * (sticks[1] - 1)
    orders = orders_of(sheet(drops), given)
    compare(orders, plain(given, columns=15, rows=15, **WET), given, "low", "W")


@pytest.mark.parametrize("cap", ["before_survival", "after_survival"])
def test_three_drops_in_a_row_may_crowd_each_other(cap: str) -> None:
    given = chosen(cap_check=cap, **FEW)
    orders = orders_of(sheet([load(at, at) for at in ("K11", "K10", "K12")]), given)
    compare(orders, plain(given, columns=15, rows=15, **WET), given, "low", "W")


def test_a_long_row_of_drops_is_worked_out_at_once() -> None:
    drops = [load(f"{row}{plane}", f"K{row}") for row in range(10, 16) for plane in "ab"]
    (found,) = drop_odds(orders_of(sheet(drops)), plain(), chosen(), side=5, speed="low")
    assert all(sum(drop.fates.values()) == 1 for drop in found.drops)
    assert sum(found.mean(name) for name in OUTCOMES) == found.sticks == 48
    # Drops in the middle of the row are crowded more than the one furthest upwind.
    assert found.drops[3].mean("dispersed") > found.drops[0].mean("dispersed")


@pytest.mark.parametrize("side", ["W", "E", "SW"])
def test_sticks_lost_off_the_map(side: str) -> None:
    given = chosen(**FEW)
    orders = orders_of(sheet([load("1", "K10"), load("2", "K10")]), given)
    compare(orders, plain(given, columns=12, rows=11, **WET), given, "gusty", side)


@pytest.mark.parametrize(
    ("sticks", "gliders"),
    [(["K11"], ["K10", "K10", "K11"]), (["K10", "K11", "K11"], ["K10"])],
)
def test_gliders_that_crowd_a_hex_spoil_the_sticks_there_and_the_other_way_round(
    sticks: list[str], gliders: list[str]
) -> None:
    given = chosen(**FEW)
    drops = [load(f"p{number}", at) for number, at in enumerate(sticks)]
    flown = [glider(f"g{number}", at) for number, at in enumerate(gliders)]
    orders = orders_of(sheet(drops, flown), given)
    compare(orders, plain(given, columns=15, rows=15, **WET), given, "low", "W")


def test_real_rows_with_few_sticks_are_counted_out() -> None:
    orders = orders_of(sheet([load("1", "K10", sticks=2)]))
    for speed, side in (("low", "W"), ("gusty", "SW"), ("high", "NE")):
        compare(orders, plain(columns=15, rows=15, **WET), chosen(), speed, side)


def test_nearest_first_is_followed() -> None:
    given = chosen(stick_assignment="nearest_first")
    found = drop_odds(orders_of(sheet([load("1", "K10")])), plain(), given, side=5, speed="low")
    # Clear ground: each stick is dispersed on one die of six.
    assert found[0].drops[0].mean("lost") == 0
    assert found[0].drops[0].mean("dispersed") == Fraction(4, 6)
    # At the edge: four sticks on the nearest places; only rows C (none), D, E and F reach further.
    at_edge = drop_odds(orders_of(sheet([load("1", "K40")])), plain(), given, side=5, speed="low")
    lost = {0: Fraction(4, 6), 1: Fraction(1, 6), 3: Fraction(1, 6)}
    assert at_edge[0].drops[0].numbers["lost"] == lost


def test_on_clear_ground_only_the_survival_die_matters() -> None:
    orders = orders_of(sheet([load("1", "EE30"), load("2", "EE30")]), columns=61, rows=61)
    (found,) = drop_odds(orders, plain_map("clear", chosen()), chosen())
    drop = found.drops[0]
    for whole in range(9):
        chance = Fraction(comb(8, whole) * 5**whole, 6**8)
        assert drop.numbers["whole"][whole] == chance
    assert drop.numbers["lost"] == {0: Fraction(1)}
    (sea,) = drop_odds(orders, plain_map("sea", chosen()), chosen())
    assert sea.drops[0].numbers["lost"] == {8: Fraction(1)}


def test_eight_sticks_share_one_drift_die() -> None:
    # At the map's edge with a high wind towards it nearly all are lost together, or all but a few.
    orders = orders_of(sheet([load("1", "K40"), load("2", "K40")]))
    (found,) = drop_odds(orders, plain(), chosen(), side=5, speed="low")
    lost = found.drops[0].numbers["lost"]
    # Row A keeps all in K40; rows B to F put 0, 2, 3, 5 and 7 beyond K41.
    assert lost == {
        0: Fraction(2, 6),
        2: Fraction(1, 6),
        3: Fraction(1, 6),
        5: Fraction(1, 6),
        7: Fraction(1, 6),
    }


def test_odds_of_a_glider_by_hex() -> None:
    orders = orders_of(sheet(gliders=[glider("a", "K20")]))
    (found,) = drop_odds(orders, plain(), chosen(), side=5, speed="low")
    assert found.gliders[0].hexes == {
        "K20": Fraction(1, 3),
        "K21": Fraction(1, 3),
        "K22": Fraction(1, 3),
    }
    (over_all,) = drop_odds(orders, plain(), chosen())
    assert sum(over_all.gliders[0].hexes.values()) == 1
    assert over_all.gliders[0].states == {"undispersed": Fraction(1)}
