"""The area game's map: what it says of areas, lines, arrows and places."""

from __future__ import annotations

import dataclasses
import json
from collections import deque
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sentences import Tells
from st_map_help import shipped

from asl_pbcg.kernel.data import load_data
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.st.board.map import GameMap, MapArea
from asl_pbcg.st.board.map_load import load_map
from asl_pbcg.st.board.map_read import map_digest, read_map, to_data

MAP = load_map()


def away(area_map: GameMap, a: str) -> dict[str, int]:
    """Areas away from ``a`` over all lines, counted again from the raw lines."""
    found, queue = {a: 0}, deque([a])
    while queue:
        here = queue.popleft()
        for one in area_map.lines:
            for start, end in ((one.a, one.b), (one.b, one.a)):
                if start == here and end not in found:
                    found[end] = found[here] + 1
                    queue.append(end)
    return found


def test_the_shipped_map_says_that_it_is_a_reconstruction() -> None:
    assert MAP.origin == "reconstruction"
    assert "econstruct" in MAP.title


def test_models_are_frozen() -> None:
    with pytest.raises(AttributeError):
        MAP.areas["PB"].x = 3.0  # type: ignore[misc]
    with pytest.raises(TypeError):
        MAP.areas["XX"] = MAP.areas["PB"]  # type: ignore[index]


@pytest.mark.rule("ST-FIR-08", "ST-FIR-14")
@pytest.mark.parametrize(
    ("shape", "terrain", "kind"),
    [
        ("circle", "open", "land"),
        ("square", "obstructed", "land"),
        ("oval", "open", "land"),
        ("triangle", "open", "flight"),
        ("double_circle", "open", "flight"),
        ("hexagon", "open", "flight"),
    ],
)
def test_the_sign_settles_terrain(shape: str, terrain: str, kind: str) -> None:
    found = [area for area in MAP.areas.values() if area.shape == shape]
    assert found
    assert {(area.terrain, area.kind, area.obstructed) for area in found} == {
        (terrain, kind, terrain == "obstructed")
    }


@pytest.mark.rule("ST-MOV-12", "ST-MOV-13")
def test_single_lines_cost_one_mp_and_double_lines_two() -> None:
    single, double = MAP.crossing("CAF", "XR"), MAP.crossing("EF", "N10")
    assert single is not None
    assert (single.kind, single.mp) == ("single", 1)
    assert double is not None
    assert (double.kind, double.mp) == ("double", 2)
    assert {line.mp for line in MAP.lines if line.kind == "single"} == {1}
    assert {line.mp for line in MAP.lines if line.kind == "double"} == {2}


@pytest.mark.rule("ST-MOV-08", "ST-MOV-09", "ST-FIR-01")
def test_dashed_lines_carry_fire_but_nobody_walks_them() -> None:
    dashed = [line for line in MAP.lines if line.kind == "dashed"]
    assert len(dashed) == 13
    for line in dashed:
        assert line.mp is None
        assert MAP.adjacent(line.a, line.b)
        assert MAP.adjacent(line.b, line.a)
        assert line.b in MAP.neighbours(line.a)
        assert line.b not in MAP.steps(line.a)
        assert {MAP.areas[line.a].bank, MAP.areas[line.b].bank} == {"west", "between"}


def test_steps_and_neighbours_are_the_lines_in_id_order() -> None:
    for name in MAP.areas:
        joined = {line.other(name) for line in MAP.lines if name in line.ends}
        walked = {line.other(name) for line in MAP.lines if name in line.ends and line.mp}
        assert MAP.neighbours(name) == tuple(sorted(joined))
        assert MAP.steps(name) == tuple(sorted(walked))
        for other in MAP.areas:
            assert (MAP.crossing(name, other) is not None) == (other in joined)
            assert MAP.adjacent(name, other) == (other in joined)


@pytest.mark.rule("ST-TAT-09")
def test_range_counts_areas_along_lines() -> None:
    assert MAP.range("PB", "PB") == 0
    assert MAP.range("CAF", "EF") == 1, "over the dashed line"
    assert MAP.range("XR", "RD1") == 3, "CAF and EF lie between"
    assert MAP.range("LP", "PB") == 6
    assert MAP.range("NT1", "PB") is None, "no line leads into a flight area"
    for start in ("LP", "PX", "E11", "NH1"):
        found = away(MAP, start)
        assert {name: MAP.range(start, name) for name in found} == found
        assert all(MAP.range(name, start) == found.get(name) for name in MAP.areas)


@pytest.mark.rule("ST-MOV-10", "ST-MOV-11")
def test_choice_a_ignores_the_hexagon_link_and_b_opens_one_hexagon() -> None:
    closed = MAP.with_rulings(hexagon_link="a")
    flight = {area.id for area in MAP.areas.values() if area.kind == "flight"}
    assert MAP.steps("NH1") == ("B1", "N1")
    assert set(MAP.land) & flight == {"NH1"}
    assert closed.steps("NH1") == ()
    assert closed.crossing("B1", "NH1") is None
    assert not closed.adjacent("N1", "NH1")
    assert not set(closed.land) & flight
    assert all(not MAP.neighbours(name) for name in flight - {"NH1"})
    assert closed.with_rulings(hexagon_link="b").lines == MAP.lines


@pytest.mark.rule("ST-GLI-11", "ST-GLI-13")
def test_arrows_lead_out_of_every_flight_area_and_end_on_land() -> None:
    assert MAP.arrows_from("NT1") == {"blue": "NT3", "red": "NT4"}
    assert MAP.arrows_from("NH3") == {"red": "N2"}
    assert MAP.arrows_from("PB") == {}
    for area in MAP.areas.values():
        if area.kind == "flight":
            ends = [MAP.areas[end] for end in MAP.arrows_from(area.id).values()]
            assert ends
            # Triangles, then double circles, then hexagons, then land: nearer to the ground.
            order = ("triangle", "double_circle", "hexagon", "circle", "square")
            assert all(order.index(end.shape) >= order.index(area.shape) for end in ends)


@pytest.mark.rule("ST-MAP-01")
def test_the_blue_arrow_of_the_errata_is_there() -> None:
    west, _ = MAP.glider_entries("north")
    second = MAP.areas[MAP.arrows_from(west)["red"]]
    assert second.shape == "triangle"
    first = MAP.areas[MAP.arrows_from(second.id)["blue"]]
    assert first.shape == "double_circle"
    assert MAP.compass is not None
    assert first.y < second.y < MAP.compass[1], "just south of the compass rose"


@pytest.mark.rule("ST-MAP-02", "ST-MOV-08")
def test_no_line_is_missing_that_would_cut_the_map_in_two() -> None:
    land = {area.id for area in MAP.areas.values() if area.kind == "land"}
    reached, queue = {"PB"}, deque(["PB"])
    while queue:
        for there in MAP.steps(queue.popleft()):
            if there not in reached:
                reached.add(there)
                queue.append(there)
    assert reached == land | {"NH1"}
    assert all(len(MAP.steps(name)) >= 2 for name in land - {"LP", "BEN", "RAN"})


@pytest.mark.rule("ST-GLI-05")
@pytest.mark.parametrize(("edge", "names"), [("north", ("NT1", "NT2")), ("south", ("ST1", "ST2"))])
def test_gliders_enter_west_and_east_on_each_edge(edge: Any, names: tuple[str, str]) -> None:
    assert MAP.glider_entries(edge) == names
    west, east = (MAP.areas[name] for name in names)
    assert west.x < east.x
    assert west.bank == east.bank == "between"


@pytest.mark.rule("ST-SET-14", "ST-SET-15", "ST-SET-23")
def test_places_of_the_german_set_up() -> None:
    assert len(MAP.with_feature("bunker")) == 9
    assert len(MAP.with_feature("setup")) == 8
    labelled = {MAP.place("at_gun"), MAP.place("pillbox"), *MAP.with_feature("mg")}
    assert labelled == {"B4", "PX", "B3", "B8", "B9"}
    assert labelled <= set(MAP.with_feature("setup"))
    assert MAP.areas["PX"].obstructed
    assert "bunker" not in MAP.areas["PX"].features


@pytest.mark.rule("ST-GRN-05", "ST-BRN-05")
def test_entry_areas_are_ovals_on_the_road(tells: Tells) -> None:
    for name, oval in (("Le Port", "LP"), ("Benouville", "BEN"), ("Ranville", "RAN")):
        assert MAP.entry(name) == oval
        assert MAP.areas[oval].shape == "oval"
        assert MAP.areas[oval].road
    with pytest.raises(PBCGError) as refused:
        MAP.entry("Caen")
    tells(refused, "Caen")


@pytest.mark.rule("ST-TNK-02", "ST-TNK-05", "ST-MER-05")
@pytest.mark.parametrize("start", ["LP", "BEN"])
def test_the_road_runs_from_each_entry_over_both_bridges_to_ranville(start: str) -> None:
    came: dict[str, str] = {start: ""}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for there in MAP.steps(here):
            line = MAP.crossing(here, there)
            if line and line.road and there in MAP.roads and there not in came:
                came[there] = here
                queue.append(there)
    path = ["RAN"]
    while came[path[-1]]:
        path.append(came[path[-1]])
    assert len(path) - 1 == 17
    assert path.index("RB") < path.index("PB"), "from Ranville back: the Orne first"


@pytest.mark.rule("ST-DEM-05")
def test_the_pillbox_is_near_pegasus_bridge() -> None:
    near = MAP.range(MAP.place("pillbox"), MAP.place("pegasus_bridge"))
    assert near is not None
    assert near <= 2


@pytest.mark.rule("ST-MOV-08")
def test_each_water_is_crossed_at_one_bridge_only() -> None:
    for bridge, banks in (("PB", {"west"}), ("RB", {"east"})):
        cut = {bridge}
        reached, queue = {"EF"}, deque(["EF"])
        while queue:
            for there in MAP.steps(queue.popleft()):
                if there not in reached | cut:
                    reached.add(there)
                    queue.append(there)
        assert not {MAP.areas[name].bank for name in reached} & banks


def test_places_that_are_not_there_are_named(tells: Tells) -> None:
    data = shipped()
    for item in data["areas"]:
        item.pop("features", None)
    bare = read_map(data, "bare")
    with pytest.raises(PBCGError) as refused:
        bare.place("pillbox")
    tells(refused, "0 areas")
    with pytest.raises(PBCGError) as refused:
        bare.glider_entries("north")
    tells(refused, "0 glider")


def test_the_data_of_a_map_makes_the_same_map() -> None:
    again = read_map(json.loads(json.dumps(to_data(MAP))), "again")
    assert to_data(again) == to_data(MAP)
    assert map_digest(again) == map_digest(MAP)
    assert dict(again.areas) == dict(MAP.areas)
    assert again.all_lines == MAP.all_lines
    assert again.zones == MAP.zones


def test_the_mark_of_a_map_changes_with_what_play_depends_on() -> None:
    data = shipped()
    data["title"] = "Another title"
    assert map_digest(read_map(data, "x")) == map_digest(MAP)
    for change in (
        lambda data: data["lines"][0].update(kind="double"),
        lambda data: data["areas"][0].update(at=[-336, 610]),
        lambda data: data.update(sight_radius=25),
        lambda data: data["arrows"].pop(),
    ):
        data = shipped()
        change(data)
        assert map_digest(read_map(data, "x")) != map_digest(MAP)


def test_a_map_file_is_read_as_yaml_and_as_json(tmp_path: Path) -> None:
    path = tmp_path / "map.json"
    path.write_text(json.dumps(to_data(MAP)), encoding="utf-8")
    assert map_digest(load_map(path)) == map_digest(MAP)
    yaml = tmp_path / "map.yaml"
    yaml.write_text(json.dumps(shipped()), encoding="utf-8")
    assert load_map(yaml, hexagon_link="a").hexagon_link == "a"


def test_units_of_the_file_are_turned_into_metres() -> None:
    data = shipped()
    data["coordinates"] = {"metres_per_unit": 2.5, "y": "south"}
    for item in data["areas"]:
        item["at"] = [item["at"][0] / 2.5, -item["at"][1] / 2.5]
    for water in data["water"].values():
        water["course"] = [[x / 2.5, -y / 2.5] for x, y in water["course"]]
    data["compass"] = [data["compass"][0] / 2.5, -data["compass"][1] / 2.5]
    found = read_map(data, "scan")
    assert dict(found.areas) == dict(MAP.areas)
    assert map_digest(found) == map_digest(MAP)


def test_the_bank_of_an_area_follows_from_its_place() -> None:
    data = shipped()
    for item in data["areas"]:
        item.pop("bank", None)
    assert dict(read_map(data, "x").areas) == dict(MAP.areas)


def test_the_landing_numbers_of_the_legend_are_those_of_the_table() -> None:
    from asl_pbcg.st.picture.map_signs import landing_number

    assert [landing_number(name) for name in ("triangle", "double_circle", "hexagon")] == [
        "1",
        "1-2",
        "1-3",
    ]
    assert landing_number("automatic") == "1-6"
    columns = load_data("st/tables.yaml")["glider.landing"]["columns"]["area"]
    assert {area.shape for area in MAP.areas.values() if area.kind == "flight"} <= set(columns)


def test_an_area_is_a_plain_value() -> None:
    assert not dataclasses.is_dataclass(MapArea)
    other = msgspec.structs.replace(MAP.areas["PB"], name="Another")
    assert other != MAP.areas["PB"]
    assert "106 areas" in repr(MAP)
