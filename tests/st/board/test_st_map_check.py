"""What a map of the area game must obey: each rule broken once, and files that are no maps."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sentences import Tells
from st_map_help import area, faults_after, line, shipped

from asl_pbcg.kernel.errors import FaultsError, PBCGError
from asl_pbcg.st.board.map_check import check_data, check_map, checked_map
from asl_pbcg.st.board.map_load import load_map

Change = Callable[[dict[str, Any]], object]


def test_the_shipped_map_breaks_no_rule() -> None:
    assert check_map(load_map()) == []
    assert check_data(shipped())[1] == []


def drop_lines(*ends: str) -> Change:
    """Take away every line that touches one of these areas."""

    def change(data: dict[str, Any]) -> None:
        data["lines"] = [item for item in data["lines"] if not {item["a"], item["b"]} & set(ends)]

    return change


def drop_area(name: str) -> Change:
    def change(data: dict[str, Any]) -> None:
        drop_lines(name)(data)
        data["areas"] = [item for item in data["areas"] if item["id"] != name]
        data["arrows"] = [item for item in data["arrows"] if name not in (item["from"], item["to"])]
        data["zones"] = [zone for zone in data["zones"] if name not in zone["areas"]]

    return change


def put(name: str, /, **more: Any) -> Change:
    return lambda data: area(data, name).update(more)


def take(name: str, key: str) -> Change:
    return lambda data: area(data, name).pop(key)


def add_line(a: str, b: str, kind: str, **more: Any) -> Change:
    return lambda data: data["lines"].append({"a": a, "b": b, "kind": kind, **more})


def add_arrow(start: str, end: str, colour: str) -> Change:
    return lambda data: data["arrows"].append({"from": start, "to": end, "colour": colour})


def drop_arrows(start: str, colour: str = "") -> Change:
    def change(data: dict[str, Any]) -> None:
        data["arrows"] = [
            item
            for item in data["arrows"]
            if item["from"] != start or (colour and item["colour"] != colour)
        ]

    return change


def both(*changes: Change) -> Change:
    def change(data: dict[str, Any]) -> None:
        for each in changes:
            each(data)

    return change


BROKEN: list[tuple[Change, str]] = [
    # Areas
    (put("RD1", at=[110, -40]), "areas, EF and RD1: are 19.7 m apart; 50 m is the least."),
    (put("W6", at=[-460, 420]), "lines, LP2 to W6: is 213.8 m long; joined areas are 50 to 200"),
    (put("E11", at=[1230, -560]), "lines, E11 to E9: is 342.4 m long; joined areas are 50 to 200"),
    (put("NT3", at=[255, 760]), "arrows, NT1 to NT3: is 250.0 m long; areas are 50 to 200 m apar"),
    (drop_area("LP"), '"Le Port" must be the entry of one oval, not of 0.'),
    (put("LP1", entry="Le Port", shape="oval"), '"Le Port" must be the entry of one oval, not of'),
    (put("LP", entry="Caen"), 'LP (Le Port entry), entry: "Caen" an oval must say Le Port, Benouv'),
    (put("LP1", entry="Le Port"), 'LP1 (Le Port church), entry: "Le Port" belongs to an oval onl'),
    (put("RAN", road=False), "RAN (Ranville entry): is an entry area and must be a road area"),
    (put("NT1", road=True), 'NT1 (North entry west), road: "true" does not belong to a flight ar'),
    (put("NH1", features=["bunker"]), 'NH1 (North-west flare): "bunker" must be a land area'),
    (put("N1", edge="north"), 'N1 (Marsh meadow), edge: "north" belongs to flight areas only'),
    (put("N1", features=["glider_entry"]), 'N1 (Marsh meadow): "glider_entry" must be a flight'),
    # Set-up
    (put("B1", features=[]), '"bunker" must mark 9 or 10 bunker areas, not 8 (B2, B3,'),
    (put("B1", features=["bunker", "setup"]), '"setup" must mark 8 German set-up areas, not 9'),
    (put("B3", features=["bunker", "setup"]), '"mg" must mark 3 set-up areas labelled MG, not 2'),
    (put("B4", features=["bunker", "setup"]), '"at_gun" must mark 1 set-up area labelled AT gun'),
    (put("PX", features=["setup"]), '"pillbox" must mark 1 pillbox area, not 0.'),
    (put("PX", shape="circle"), 'PX (Pillbox), shape: "circle" must be square: the pillbox obstr'),
    (put("PX", features=["pillbox", "setup", "bunker"]), '"bunker" cannot stand with pillbox'),
    (put("B2", shape="square"), 'B2 (Towpath bunker), shape: "square" must be circle: bunkers lie'),
    (put("B3", features=["bunker", "mg"]), 'B3 (MG north): "mg" needs setup too'),
    (put("B3", features=["bunker", "setup", "mg", "at_gun"]), "has more than one of mg, at_gun a"),
    (take("PB", "features"), '"pegasus_bridge" must mark one area, not 0.'),
    (take("RB", "features"), '"ranville_bridge" must mark one area, not 0.'),
    (put("RB", road=False), "RB (Ranville Bridge): is a bridge and must be a road area"),
    (
        both(put("PX", features=[]), put("N8", features=["pillbox", "setup"])),
        "N8 (Reed pond): is 3 areas from Pegasus Bridge; the pillbox must lie within 2 areas.",
    ),
    # Lines
    (drop_lines("E2"), "join no solid way from E2 to the other areas."),
    (add_line("NH2", "N1", "single"), 'lines, NH2 to N1: "NH2" is a flight area; lines join land'),
    (lambda d: line(d, "B1", "NH1").pop("hexagon_link"), '"hexagon_link" must mark 2 lines, not 1'),
    (lambda d: line(d, "B1", "NH1").update(kind="dashed"), '"dashed" must be single or double'),
    (
        lambda d: line(d, "B1", "NH1").update(a="B2"),
        'B2 (Towpath bunker): "hexagon_link" must start at the N-most bunker; B1 lies farther nor',
    ),
    (
        lambda d: (line(d, "B1", "NH1").update(b="NH2"), line(d, "N1", "NH1").update(b="NH2")),
        "NH2",
    ),
    (
        lambda d: line(d, "N1", "NH1").update(a="N8", b="N3"),
        'lines, B1 to NH1 and N8 to N3: "hexagon_link" must lead from a bunker to a hexagon and',
    ),
    (put("NH1", at=[150, 470]), 'NH1 (North-west flare): "hexagon_link" must lie south-east of B1'),
    (put("NH2", at=[200, 600]), "must lead to the NW-most hexagon; NH2 lies farther north-west."),
    (
        lambda d: line(d, "N1", "NH1").update(a="NH1", b="N3"),
        'lines, B1 to NH1 and NH1 to N3: "hexagon_link" must lead from a bunker to a hexagon and',
    ),
    # Water and roads
    (put("W1", bank="between"), 'W1 (Canal bank north), bank: "between" is wrong: by its place t'),
    (put("E2", bank="between"), "lies east of the Orne (east)."),
    (put("PB", bank="west"), 'PB (Pegasus Bridge), bank: "west" must be between: it is a bridge.'),
    (put("W3", at=[88, 480]), "W3 (Canal bend meadow): stands in the canal."),
    (put("E1", at=[446, -45]), "E1 (East bank copse): stands in the Orne."),
    (put("PB", at=[60, -10]), "PB (Pegasus Bridge): is a bridge but stands 6"),
    (lambda d: d["water"]["canal"]["course"].pop(), "water, canal: must run from south of all ar"),
    (add_line("W3", "B1", "dashed"), ""),
    (add_line("N6", "PX", "dashed"), "joins the same areas as line"),
    (add_line("N9", "E2", "dashed"), 'N9 to E2: "dashed" must cross the canal only; it crosses t'),
    (add_line("N3", "N6", "dashed"), 'N3 to N6: "dashed" must cross the canal only; it crosses n'),
    (add_line("W2", "B1", "single"), 'W2 to B1: "single" crosses the canal; only Pegasus Bridge'),
    (add_line("N9", "E2", "double"), 'N9 to E2: "double" crosses the Orne; only Ranville Bridge '),
    (
        lambda d: d["lines"].remove(line(d, "EO", "RB")),
        "RB (Ranville Bridge): has no solid line to an area on the east bank.",
    ),
    (
        lambda d: d["lines"].remove(line(d, "EF", "PB")),
        "PB (Pegasus Bridge): has no solid line to an area on the ground between canal and Orne.",
    ),
    (lambda d: line(d, "LP2", "LP3").pop("road"), "LP (Le Port entry): has no unbroken road to R"),
    (put("BR2", road=False), "BEN (Benouville entry): has no unbroken road to Ranville (RAN)"),
    (put("BR2", road=False), "lines, BR1 to BR2"),
    (lambda d: line(d, "CAF", "EF").update(road=True), 'CAF to EF: "dashed" cannot be a road.'),
    # Flight
    (put("NT1", features=[]), '"glider_entry" must mark 2 flight areas on the north edge, not 1 '),
    (put("NT1", at=[455, 940]), "one must lie west of the other."),
    (put("NT1", at=[255, 870]), 'NT1 (North entry west): "glider_entry" must lie at the north ed'),
    (drop_arrows("SH3"), "SH3 (South-east flare): has no arrow: a glider could not leave it."),
    (drop_arrows("ND2", "red"), ""),
    (
        both(drop_arrows("ND3", "red"), drop_arrows("ND2", "red")),
        "NH3 (North-east flare): is reached by no arrows from a glider entry area.",
    ),
    (add_arrow("N1", "NH1", "blue"), 'N1 to NH1: "N1" is a land area; arrows leave flight areas'),
    (
        both(drop_arrows("NH3"), add_arrow("NH3", "ND3", "blue")),
        'NH3 to ND3: "ND3" leads back: arrows pass triangles, then double circles, then hexagons.',
    ),
    (
        both(drop_arrows("NT3"), add_arrow("NT3", "NT4", "red"),
             drop_arrows("NT4"), add_arrow("NT4", "NT3", "red")),
        "NT3 (North run west): lies on arrows that go round in a circle.",
    ),
    (
        both(drop_arrows("NT3"), add_arrow("NT3", "NT1", "red")),
        'NT3 to NT1: "NT1" is a glider entry area: no arrow leads there.',
    ),
    (add_arrow("ST5", "NH1", "blue"), '"NH1" belongs to the gliders of the north edge.'),
    (add_arrow("NT1", "NT5", "red"), "at most one red arrow leaves an area"),
    (
        both(drop_arrows("NT3", "blue"), drop_arrows("NT4", "blue"), drop_arrows("ST3", "blue"),
             drop_arrows("ST4", "blue")),
        '"blue" must join the second triangle to the first double circle',
    ),
]  # fmt: skip


@pytest.mark.rule("ST-GEN-02", "ST-MAP-01", "ST-MAP-02", "ST-MOV-10", "ST-SET-14", "ST-SET-15")
@pytest.mark.parametrize(("change", "sentence"), [case for case in BROKEN if case[1]])
def test_each_broken_rule_is_said(change: Change, sentence: str) -> None:
    faults = faults_after(change)
    assert any(sentence in fault for fault in faults), faults


@pytest.mark.parametrize("change", [case[0] for case in BROKEN if not case[1]])
def test_changes_that_break_nothing(change: Change) -> None:
    assert faults_after(change) == []


# Files


FORM: list[tuple[Change, str]] = [
    (lambda d: d.update(format="pbcg-st-map/2"), 'format: "pbcg-st-map/2" must be one of: pbcg-'),
    (lambda d: d.pop("title"), "title: is missing"),
    (lambda d: d.update(titel="x"), '"titel" is not a key here; nearest: title'),
    (lambda d: d.update(origin="printet"), 'origin: "printet" must be one of: printed, recon'),
    (lambda d: d.update(sight_radius=-3), 'sight_radius: "-3" must be a number above 0'),
    (lambda d: d.update(sight_radius=True), 'sight_radius: "true" must be a number'),
    (lambda d: d.update(sight_radius=float("nan")), 'sight_radius: "nan" must be a number'),
    (lambda d: d.update(compass=[1, 2, 3]), "must be two numbers, as [120, -35]"),
    (lambda d: d.update(areas="many"), 'areas: "many" must be a list'),
    (lambda d: d.pop("areas"), "areas: is missing"),
    (lambda d: d.update(water=3), 'water: "3" must have keys and values, as {canal: ..., orne:'),
    (lambda d: d["water"].pop("orne"), "water, orne: is missing"),
    (lambda d: d["water"].update(caen={}), 'water: "caen" is not a key here; nearest: canal'),
    (lambda d: d["water"]["orne"].update(course=[[1, 2]]), "water, orne, course:"),
    (lambda d: d["coordinates"].update(y="up"), 'coordinates, y: "up" must be one of: north'),
    (lambda d: d["areas"].insert(0, 7), 'areas, line 1: "7" must have keys and values, as {id: '),
    (put("N3", shape="sqare"), '(N3), shape: "sqare" must be one of: circle, double_circle, hexa'),
    (put("N3", at=[1e9, 0]), "must be a number from -1000000 to 1000000"),
    (put("N3", id="N 3"), '(N 3), id: "N 3" must be 1 to 6 letters, digits, dots or dashes'),
    (put("N3", name=""), "(N3), name: must not be empty"),
    (put("N3", name="x" * 61), "is too long: 60 characters"),
    (put("N3", features=["bunkr"]), '(N3), features: "bunkr" must be one of: at_gun, bunker'),
    (put("N3", features=["bunker", "bunker"]), '(N3), features: "bunker" is listed twice'),
    (put("N3", rode=True), '(N3): "rode" is not a key here; nearest: road'),
    (put("N3", look="jungle"), 'look: "jungle" must be one of: chateau'),
    (put("N3", id="N4"), "is the id of"),
    (take("NT1", "edge"), "edge: is missing: gliders come from the north or the south"),
    (lambda d: d["lines"][0].pop("kind"), "lines, line 1 (BEN to BR4), kind: is missing"),
    (lambda d: d["lines"][0].update(a="BENN"), '"BENN" is not an area of this map; nearest: BEN'),
    (lambda d: d["lines"][0].update(a="BR4"), 'lines, line 1 (BR4 to BR4): "BR4" is joined to it'),
    (lambda d: d["lines"].append(dict(d["lines"][0])), "line 191 (BEN to BR4): joins the same ar"),
    (lambda d: d["lines"][0].update(kind="triple"), 'kind: "triple" must be one of: dashed, doub'),
    (lambda d: d["arrows"][0].update(colour="green"), 'colour: "green" must be one of: blue, red'),
    (lambda d: d["arrows"][0].update(to="NT1"), '"NT1" points at itself'),
    (lambda d: d["arrows"].append(dict(d["arrows"][0])), '"blue" is the colour of line 1 too'),
    (lambda d: d["zones"][0].update(areas=[]), "zones, line 1, areas: must not be empty"),
    (lambda d: d["zones"][0].update(areas=["Q"]), '"Q" is not an area of this map'),
]  # fmt: skip


@pytest.mark.parametrize(("change", "sentence"), FORM)
def test_each_wrong_key_and_value_is_said(change: Change, sentence: str) -> None:
    faults = faults_after(change)
    assert any(sentence in fault for fault in faults), faults


def test_all_faults_come_at_once_and_none_twice(tells: Tells) -> None:
    def change(data: dict[str, Any]) -> None:
        put("LP3", shape="circel")(data)
        put("XR", at=[1])(data)
        put("W1", bank="between")(data)
        data["lines"][4]["kind"] = "triple"
        data["lines"][0]["a"] = "BENN"
        add_line("N9", "E2", "double")(data)
        data["colour"] = "blue"

    faults = faults_after(change)
    assert len(faults) == len(set(faults)) == 7, faults
    with pytest.raises(FaultsError) as refused:
        data = shipped()
        change(data)
        checked_map(data, "mymap.yaml")
    tells(refused, "7 faults")


def test_an_area_that_cannot_be_read_is_blamed_once() -> None:
    # The lines and arrows that lead to it are not to blame.
    faults = faults_after(put("N1", shape="blob"))
    assert len(faults) == 1


HOSTILE = [
    (b"", "is empty"),
    (b"\0\0", "not a text file"),
    (b"\xff\xfe1", "UTF-8"),
    (b"a: [1, 2", "is not YAML"),
    (b"- 1\n- 2\n", "must have keys and values, as {format: ..."),
    (b"just words", "must have keys and values, as {format: ..."),
    (b"areas: &x [1]\nlines: *x\n", "anchors"),
    (b"format: !!python/object:os.system x\n", "tags"),
    (b"title: a\ntitle: b\n", "written twice"),
]


@pytest.mark.parametrize(("content", "sentence"), HOSTILE)
def test_files_that_are_no_maps(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "map.yaml"
    path.write_bytes(content)
    with pytest.raises(PBCGError, match=sentence):
        load_map(path)


def test_a_missing_file_and_a_folder(tells: Tells, tmp_path: Path) -> None:
    with pytest.raises(PBCGError) as refused:
        load_map(tmp_path / "none.yaml")
    tells(refused, "file")
    with pytest.raises(PBCGError, match="is a folder"):
        load_map(tmp_path)


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**12), 10**12),
    st.floats(),
    st.text(max_size=8),
    st.lists(st.integers(-5, 5), max_size=3),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 10**6), junk=st.lists(JUNK, min_size=1, max_size=6))
def test_junk_anywhere_in_a_map_is_faults_and_never_a_crash(seed: int, junk: list[Any]) -> None:
    chance = random.Random(seed)
    data = shipped()
    for value in junk:
        holder: Any = data
        while True:
            keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
            if not keys:
                break
            key = chance.choice(keys)
            inner = holder[key]
            if isinstance(inner, dict | list) and chance.random() < 0.8:
                holder = inner
                continue
            if isinstance(holder, dict) and chance.random() < 0.3:
                del holder[key]
            else:
                holder[key] = copy.deepcopy(value)
            break
    _, faults = check_data(data)
    for fault in faults:
        said = str(fault)
        assert "\n" not in said or "\n" in repr(junk) or "\\n" in repr(junk)


@settings(max_examples=40, deadline=None)
@given(value=JUNK)
def test_junk_in_place_of_a_map(value: Any) -> None:
    _, faults = check_data(value)
    assert faults


@pytest.mark.rule("ST-MAP-01")
@pytest.mark.finding("G-75")
def test_the_arrow_of_the_errata_alone_is_missed() -> None:
    """Another blue arrow from the triangle beside it to the same double circle is not that one."""
    faults = faults_after(drop_arrows("NT4", "blue"))
    assert any("(NT4 to ND1)" in fault for fault in faults), faults
