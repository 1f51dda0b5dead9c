"""Paths of the Refit Phase on the real board. Rule: 9.6053, 9.6061, 9.608, 9.613."""

from __future__ import annotations

from itertools import pairwise

import pytest
from refit_helpers import BRITISH, GERMAN, campaign_at, piece, refusal
from sentences import Tells

from asl_pbcg.campaign.areas.area_map import Territory
from asl_pbcg.campaign.areas.area_paths import Closed, Destination
from asl_pbcg.campaign.board.board import load_board
from asl_pbcg.campaign.entry.position_files import read_position
from asl_pbcg.campaign.position import Terrain
from asl_pbcg.campaign.position_words import TerrainKind
from asl_pbcg.campaign.state.campaign_state import Campaign, ReceivedGroup, change
from asl_pbcg.campaign.state.ob_merge import take_position
from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.kernel.data import data_path
from asl_pbcg.kernel.prompts import Prompt, Script
from asl_pbcg.refit.helpers.unit_paths import (
    destination_words,
    eligible_entries,
    escape_ways,
    fewest,
    freed_ways,
    leads_to_isolated,
    near_friendly,
    next_entry_areas,
    retained_ways,
    shift_ways,
)
from asl_pbcg.refit.helpers.vehicle_paths import doubtful, path_doubts, settle_way, step_doubts

BOARD = load_board()
EXAMPLE = read_position(data_path("pb/samples/worked-example.yaml"))


def example(**house: str) -> Campaign:
    """The worked example of 9.6054 after 9.605."""
    state = campaign_at("9.606", date=EXAMPLE.date, determined=False)
    state = take_position(state, EXAMPLE)
    rules = {name.replace("_", "-"): value for name, value in house.items()}
    return change(state, determined=EXAMPLE, house_rules=rules)


def to(ways: list[object]) -> list[str]:
    return [str(way) for way in ways]


@pytest.mark.rule("9.6053-b")
def test_we_06_out_of_uncontrolled_territory_to_the_nearest_area() -> None:
    state = example()
    (way,) = retained_ways(state, [state.piece("b13")])
    assert (str(way), way.path, way.enemy_hexes) == ("Setup Area C", ("W25", "W24"), 0)
    assert destination_words(way) == "Setup Area C"


@pytest.mark.rule("9.6053-c")
def test_all_areas_that_are_equally_near() -> None:
    # F8 lies four hexes from both: two hexes from the rim of each Setup Area.
    lone = piece("g1", GERMAN, "4-6-7", "F8")
    state = campaign_at("9.606", lone, german=["F4", "F12"])
    areas = state.areas
    assert areas.territory(GERMAN, lone.location) is Territory.UNCONTROLLED
    ways = retained_ways(state, [lone])
    assert to(ways) == ["Setup Area A", "Setup Area B"]
    assert {way.length for way in ways} == {2}


@pytest.mark.rule("9.6053-b", "9.2-n")
def test_an_eligible_entry_area_may_be_nearest(tells: Tells) -> None:
    lone = piece("g1", GERMAN, "4-6-7", "B8")
    state = campaign_at("9.606", lone, german=["N4"])
    (way,) = retained_ways(state, [lone])
    assert (way.kind, way.id, way.length) == ("Entry Area", "A7", 1)
    tells(destination_words(way), "Entry Area A7")


@pytest.mark.rule("9.6053-d")
def test_no_path_out_of_uncontrolled_territory() -> None:
    # The only British areas and Entry Areas lie beyond the ring of what the Germans hold.
    lone = piece("b1", BRITISH, "6-4-8", "W25")
    state = campaign_at("9.606", lone, british=["P12"], german=["AA23", "Z20", "V20"])
    assert retained_ways(state, [lone]), "Z28 is always open"
    closed = Closed(hexes=frozenset(BOARD.grid.neighbours("W25")))
    assert retained_ways(state, [lone], closed) == []


def test_house_rule_b05_an_entry_area_only_for_who_paid() -> None:
    lone = piece("g1", GERMAN, "4-6-7", "B8", rg="I4-1")
    other = piece("g2", GERMAN, "4-6-7", "B8")
    paid = ReceivedGroup(key="I4-1", id="I4", date=CGDate.DAWN, area="A7")
    state = campaign_at(
        "9.606",
        lone,
        other,
        german=["N4"],
        groups=(paid,),
        house_rules={"B-05": "paid-only"},
    )
    assert [each.id for each in eligible_entries(state, [lone])] == ["A7"]
    assert eligible_entries(state, [other]) == []
    assert to(retained_ways(state, [lone])) == ["Entry Area A7"]
    assert to(retained_ways(state, [other])) == ["Setup Area A"]


# -- 9.6061 -------------------------------------------------------------------------------


@pytest.mark.rule("9.6061-a")
@pytest.mark.parametrize(
    ("id", "area", "enemies", "length"),
    [("g7", "A", 1, 7), ("v1", "A", 0, 2), ("g11", "B", 0, 1), ("b12", "B", 0, 3)],
)
def test_escapes_of_the_example(id: str, area: str, enemies: int, length: int) -> None:
    state = example()
    (way,) = escape_ways(state, [state.piece(id)])
    assert (way.id, way.enemy_hexes, way.length) == (area, enemies, length)


@pytest.mark.rule("9.6061-c")
def test_fewest_enemy_hexes_come_before_the_shortest_path() -> None:
    state = example()
    (few,) = escape_ways(state, [state.piece("g7")])
    (near,) = escape_ways(example(C_58="nearest-first"), [state.piece("g7")])
    assert few.enemy_hexes < near.enemy_hexes
    assert near.length < few.length


def test_house_rule_c79_no_mans_land_may_bar_the_way() -> None:
    state = example(C_79="strict")
    squad = state.piece("b12")
    (free,) = escape_ways(example(), [squad])
    areas = state.areas
    assert any(name in areas.no_mans_land for name in free.path)
    (round_it,) = escape_ways(state, [squad])
    assert not any(name in areas.no_mans_land for name in round_it.path)
    assert (free.id, free.enemy_hexes) == ("B", 0)
    assert (round_it.id, round_it.enemy_hexes) == ("A", 4)
    # What stands in No Man's Land itself may still step out of it.
    assert to(escape_ways(state, [state.piece("g11")])) == ["Setup Area B"]


def test_house_rule_c80_only_to_areas_that_are_not_isolated() -> None:
    state = example()
    squad = state.piece("g11")
    (way,) = escape_ways(state, [squad])
    assert leads_to_isolated(state, GERMAN, way)
    (way,) = escape_ways(example(C_80="non-isolated"), [squad])
    assert (str(way), leads_to_isolated(state, GERMAN, way)) == ("Setup Area A", False)


def test_house_rule_b09_the_location_below_may_count() -> None:
    state = example()
    squad = state.piece("b12")
    (free,) = escape_ways(state, [squad])
    (counted,) = escape_ways(example(B_09="own-hex-counts"), [squad])
    assert (free.enemy_hexes, counted.enemy_hexes) == (0, 1)
    assert free.path == counted.path


@pytest.mark.rule("9.6061-a")
def test_a_lone_upper_level_is_a_setup_area_one_can_escape_to() -> None:
    upstairs = piece("b1", BRITISH, "6-4-8", "Z15/1")
    below = piece("b2", BRITISH, "6-4-8", "Z15")
    state = campaign_at(
        "9.606", upstairs, below, british=["Z15/1", "P12"], german=["Z14", "Z15", "Z13"]
    )
    (way,) = escape_ways(state, [below])
    assert way.kind == "Setup Area"
    assert way.path == ("Z15", "Z15/1")
    tank = piece("b3", BRITISH, "Churchill VII", "Z15")
    state = campaign_at(
        "9.606", upstairs, tank, british=["Z15/1", "P12"], german=["Z14", "Z15", "Z13"]
    )
    assert all(way.path[-1] != "Z15/1" for way in escape_ways(state, [tank]))


@pytest.mark.rule("9.2-m")
def test_a_terrain_blaze_is_never_on_a_path() -> None:
    state = example()
    assert escape_ways(state, [state.piece("v1")])[0].path == ("Y17", "Y16", "Z15")
    fire = Terrain(kind=TerrainKind.BLAZE, at="Y16")
    lone = state.piece("v1")
    burning = change(
        state,
        determined=read_changed(terrain=(*EXAMPLE.terrain, fire)),
    )
    (way,) = escape_ways(burning, [lone])
    assert "Y16" not in way.path


def read_changed(**changes: object) -> object:
    import msgspec

    return msgspec.structs.replace(EXAMPLE, **changes)


@pytest.mark.rule("9.606-ae")
@pytest.mark.parametrize(("isolated_too", "g11"), [(False, 0), (True, 1)])
def test_how_near_a_friendly_setup_area_is(isolated_too: bool, g11: int) -> None:
    areas = example().areas
    near = {
        id: near_friendly(areas, piece.side, piece.location, isolated_too)
        for id in ("g7", "v1", "v2", "g11", "b12", "b5")
        for piece in [example().piece(id)]
    }
    assert near == {"g7": 0, "v1": 2, "v2": 0, "g11": g11, "b12": 0, "b5": 2}


# -- 9.608 --------------------------------------------------------------------------------


@pytest.mark.rule("9.608-c")
def test_a_freed_prisoner_goes_by_the_shortest_path_whatever_the_area() -> None:
    prisoner = piece("b1", BRITISH, "6-4-8", "Z21", status="prisoner", guarded_by="g1")
    guard = piece("g1", GERMAN, "4-6-7", "Z21")
    control = {"british": ["W21"], "german": ["Z21", "Z23", "Y19"]}
    state = campaign_at("9.608", prisoner, guard, **control)
    (way,) = freed_ways(state, prisoner)
    assert str(way) == "Setup Area A"
    own = campaign_at("9.608", prisoner, guard, house_rules={"C-66": "own-path"}, **control)
    (other,) = freed_ways(own, prisoner)
    enemy = own.areas.friendly(GERMAN)
    guards = own.areas.area_of(GERMAN, prisoner.location)
    assert guards
    assert not any(name in enemy - guards.hexes for name in other.path)
    assert other.length >= way.length


# -- Vehicles -----------------------------------------------------------------------------


@pytest.mark.rule("9.2-k", "9.2-l")
def test_roads_are_never_doubtful_for_vehicles() -> None:
    assert not doubtful(BOARD, "Y18", "Y19")
    assert doubtful(BOARD, "Y16", "Z15"), "a building"
    assert list(path_doubts(BOARD, ("Y17", "Y16", "Z15", "Z15/1"))) == ["Z15"]


@pytest.mark.rule("9.2-k")
def test_the_owner_says_where_his_vehicle_cannot_go() -> None:
    state = example()
    tank = state.piece("v1")
    chosen: list[Destination] = []

    def choose(closed: Closed) -> Script[Destination | None]:
        yield from ()
        ways = escape_ways(state, [tank], closed)
        chosen[:] = ways[:1]
        return ways[0] if ways else None

    script = settle_way(state, choose, lambda _: [tank], "9.606.6a", "9.606")
    asked = next(script)
    assert isinstance(asked, Prompt)
    assert asked.id == "9.606.6a"
    assert asked.side == GERMAN
    assert [(each.id, each.consequence) for each in asked.options] == [("Z15", "stone building")]
    assert set(path_doubts(BOARD, chosen[0].path)) == {"Z15"}, "only of the way chosen"
    assert "not a choice" in refusal(asked, "Y17")
    result: object = None
    try:
        while True:
            asked = script.send([each.id for each in asked.options])
    except StopIteration as finished:
        result = finished.value
    assert result is None or "Z15" not in result.path  # type: ignore[attr-defined]


@pytest.mark.rule("9.2-k")
@pytest.mark.finding("G-09", "G-15")
def test_a_hexside_in_doubt_closes_no_hex() -> None:
    """P-10: the wall between K10 and K11 stops who comes from K10, not who comes from K12."""
    (wall,) = step_doubts(BOARD, "K10", "K11")
    assert (wall.id, wall.what) == ("K10/K11", "wall")
    assert not wall.closed.hexes
    assert step_doubts(BOARD, "K11", "K10")[-1].id == "K10/K11"
    both = path_doubts(BOARD, ("HH12", "HH13", "II14"))
    assert {id: doubt.what for id, doubt in both.items()} == {
        "HH12/HH13": "wall",
        "II14": "stone building",
        "HH13/II14": "wall",
    }
    state = example()
    tank = state.piece("v1")
    path = escape_ways(state, [tank])[0].path
    assert len(path) > 2
    barred = Closed(hexsides=frozenset({path[:2]}))  # type: ignore[arg-type]
    around = escape_ways(state, [tank], barred)
    assert around
    for way in around:
        assert path[:2] not in {*pairwise(way.path), *pairwise(reversed(way.path))}
    grid = BOARD.grid
    over = BOARD.in_play - BOARD.water
    first, second = grid.set([path[0]]), grid.set([path[1]])
    way = fewest(BOARD, first, second, over, grid.none, True, barred)
    assert way and way[-1] == path[1] and len(way) > 2  # round the hexside, into the hex
    assert barred.passage(BOARD).crossable(*path[:2]) is False


@pytest.mark.finding("G-15")
def test_the_question_about_a_path_shows_it_and_what_is_in_doubt(tells: Tells) -> None:
    tank = piece("v1", GERMAN, "PzKpfw IVH", "K10")
    way = Destination("Entry Area", "J0", 0, 2, ("K10", "K11", "K12"))

    def choose(closed: Closed) -> Script[Destination | None]:
        yield from ()
        return None if closed.bars("K11", "K10") else way

    script = settle_way(example(), choose, lambda _: [tank], "9.6052.1", "9.6052")
    asked = next(script)
    assert isinstance(asked, Prompt)
    tells(asked.text, "PzKpfw IVH", "v1", "K10", "K11", "K12")
    shown = [(each.id, each.consequence, each.path) for each in asked.options]
    assert shown[0] == ("K10/K11", "wall", way.path)
    with pytest.raises(StopIteration) as finished:
        script.send(["K10/K11"])
    assert finished.value.value is None


def test_nothing_is_asked_for_infantry() -> None:
    state = example()
    squad = state.piece("g7")

    def choose(closed: Closed) -> Script[Destination | None]:
        yield from ()
        return escape_ways(state, [squad], closed)[0]

    with pytest.raises(StopIteration):
        next(settle_way(state, choose, lambda _: [squad], "9.606.6a", "9.606"))


# -- 9.613 --------------------------------------------------------------------------------


def shifts(state: Campaign, side: object, area: str, type: str = "4-6-7") -> dict[str, object]:
    unit = piece("x1", side, type, area=area)  # type: ignore[arg-type]
    return {str(way): way for way in shift_ways(state, [unit])}


@pytest.mark.rule("9.613-a")
def test_where_the_germans_of_setup_area_a_may_shift() -> None:
    ways = shifts(example(), GERMAN, "A")
    assert list(ways) == ["Entry Area A7", "Entry Area J0", "Entry Area U1", "Entry Area KK1"]
    road = ways["Entry Area KK1"]
    assert road.road  # type: ignore[attr-defined]
    assert all(
        BOARD[name].road_sides or BOARD[name].road_along
        for name in road.path  # type: ignore[attr-defined]
    )


def test_an_isolated_group_cannot_shift_unless_house_rule_c16_lets_it() -> None:
    assert shifts(example(), GERMAN, "B") == {}
    assert shifts(example(), BRITISH, "A") == {}
    assert shifts(example(C_16="isolated-allowed"), BRITISH, "C").keys() >= {"Entry Area Z28"}


@pytest.mark.rule("9.605-e", "9.613-a")
def test_units_may_shift_into_an_empty_setup_area_but_not_into_an_isolated_one() -> None:
    hold = {"british": ["X26", "L24", "P12"], "german": ["Y19", "Y20"]}
    empty = campaign_at("9.613", **hold)
    assert not empty.pieces
    areas = empty.areas.areas[BRITISH]
    assert [(area.id, area.isolated) for area in areas] == [("A", False), ("B", True), ("C", False)]
    assert list(shifts(empty, BRITISH, "C", "6-4-8")) == ["Setup Area A", "Entry Area Z28"]


def test_the_count_of_uncontrolled_hexes_lies_between_the_two_areas() -> None:
    state = example()
    way = shifts(state, BRITISH, "C")["Entry Area Z28"]
    areas = state.areas
    entry = next(each for each in areas.entry_areas[BRITISH] if each.id == "Z28")
    between = [
        name
        for name in way.path  # type: ignore[attr-defined]
        if name in areas.uncontrolled and name not in entry.hexes
    ]
    assert way.uncontrolled == len(between) == 4  # type: ignore[attr-defined]
    assert way.given == {"road": True, "distance": 4}  # type: ignore[attr-defined]


@pytest.mark.rule("9.613-c")
def test_a_path_may_start_at_any_hex_of_the_setup_area() -> None:
    """P-11: British Setup Area C reaches a road, though no Strategic Location of it lies on one."""
    state = example()
    own = state.areas[BRITISH, "C"]
    way = shifts(state, BRITISH, "C")["Entry Area Z28"]
    start = way.path[0]  # type: ignore[attr-defined]
    assert start in own.hexes
    assert start not in {each.hex for each in own.strategic_locations}
    assert way.road  # type: ignore[attr-defined]


@pytest.mark.rule("9.613-c")
def test_hexes_of_an_eligible_entry_area_are_open_even_in_no_mans_land() -> None:
    """P-94: H0 is of Entry Area J0; it is not an Uncontrolled-Territory hex for the DRM."""
    state = campaign_at("9.613", german=["G1"], british=["F1"])
    areas = state.areas
    assert "H0" not in areas.uncontrolled | areas.friendly(GERMAN)
    way = shifts(state, GERMAN, "A")["Entry Area A7"]
    assert way.path[:3] == ("G1", "H0", "I1")  # type: ignore[attr-defined]
    assert way.uncontrolled == len(way.path) - 3  # type: ignore[attr-defined]


def test_back_from_an_entry_area_the_road_is_better() -> None:
    way = shifts(example(), BRITISH, "Z28")["Setup Area C"]
    assert way.given == {"road": True, "distance": 4}  # type: ignore[attr-defined]


def test_an_entry_area_that_touches_the_setup_area_needs_no_dr() -> None:
    state = campaign_at("9.613", british=["X26"], german=["A1"])
    way = shifts(state, BRITISH, "A")["Entry Area Z28"]
    assert way.automatic  # type: ignore[attr-defined]


def test_the_next_entry_area_lies_beside_it_along_the_map_edge() -> None:
    state = example()
    assert next_entry_areas(state, GERMAN, "A7") == ["J0"]
    assert sorted(next_entry_areas(state, GERMAN, "J0")) == ["A7", "U1"]
    assert next_entry_areas(state, GERMAN, "KK1") == ["U1"]
    assert next_entry_areas(state, BRITISH, "Z28") == ["TT14"]
    assert next_entry_areas(example(C_14="any"), GERMAN, "A7") == ["J0", "U1", "KK1"]
    ways = shifts(state, GERMAN, "A7")
    assert list(ways) == ["Setup Area A", "Entry Area J0"]
    assert ways["Entry Area J0"].given == {}  # type: ignore[attr-defined]


def test_house_rule_c17_no_path_from_an_entry_area() -> None:
    # Both German Setup Areas lie behind the British.
    ways = shifts(example(C_16="isolated-allowed"), GERMAN, "A7")
    assert "Setup Area B" not in ways
    ways = shifts(example(C_16="isolated-allowed", C_17="no-path"), GERMAN, "A7")
    assert "Setup Area B" in ways
