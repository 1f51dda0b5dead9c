"""A player's own map of the area game, entered in the page: the check, the diff, a game on it."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from in_process import run_pbcg
from web_help import app_client, only_game

from asl_pbcg.kernel.data import data_path
from asl_pbcg.kernel.errors import Fault
from asl_pbcg.play.area_play.area_own_map import fault_areas

pytestmark = pytest.mark.finding("G-75")
SHIPPED = data_path("st/map.yaml").read_bytes()


@pytest.fixture
def client(tmp_path: Path) -> Any:
    with app_client(tmp_path) as client:
        yield client


def check(client: Any, draft: Any, name: str = "draft.json") -> Any:
    body = draft if isinstance(draft, bytes) else json.dumps(draft).encode()
    return client.post("/api/area-map/check", params={"name": name}, content=body)


def write(folder: Path, draft: Any) -> Path:
    file = folder / "own.json"
    file.write_text(json.dumps(draft), "utf-8")
    return file


def without_line(draft: dict[str, Any], a: str, b: str) -> dict[str, Any]:
    kept = [line for line in draft["lines"] if {line["a"], line["b"]} != {a, b}]
    return {**draft, "lines": kept}


def test_the_reconstruction_as_a_draft_breaks_no_rule_and_differs_in_nothing(client: Any) -> None:
    draft = client.get("/api/area-map").json()["reconstruction"]
    found = check(client, draft).json()
    assert draft["origin"] == "printed" and found["map"] == draft
    assert not (found["faults"] or found["differences"] or found["unread"])
    assert found["counts"]["flight"] == 22


def test_a_blank_map_lacks_everything_and_is_read_again_as_it_is(client: Any) -> None:
    blank = client.get("/api/area-map").json()["blank"]
    canal = {"width": 50, "course": [[0, -900], [0, 900]]}
    found = check(client, {**blank, "water": {"canal": canal}}).json()
    assert found["map"]["water"] == {"canal": canal} and found["counts"] is None
    assert [each.partition(":")[0] for each in found["unread"]] == ["water, orne"]
    assert {each["change"] for each in found["differences"]} == {"missing"}


def test_each_fault_is_that_of_the_command_and_names_its_areas(client: Any, tmp_path: Path) -> None:
    draft = client.get("/api/area-map").json()["reconstruction"]
    arrows = [a for a in draft["arrows"] if (a["from"], a["to"]) != ("NT4", "ND1")]
    broken = {**without_line(draft, "EF", "PB"), "arrows": arrows}
    found = check(client, broken).json()
    assert ["NT4", "ND1"] in [each["areas"] for each in found["faults"]]
    file = write(tmp_path, broken)
    told = json.loads(run_pbcg("st", "map", "check", file, "--json").out)
    keys = ("where", "value", "wrong")
    assert [[each[key] for key in keys] for each in told["faults"]] == [
        [each[key] for key in keys] for each in found["faults"]
    ]


@pytest.mark.parametrize(
    ("where", "wrong", "areas"),
    [
        ("areas, line 4 (N1), shape", "", ["N1"]),
        ("areas, B1 (N1 bunker), bank", "", ["B1"]),
        ("lines, B1 to NH1 and NH1 to N1", "N2", ["B1", "NH1", "N1"]),
        ("lines, line 8 (N1 to QQ), b", "", ["N1"]),
        ("areas", "not 2 (B1 and N1).", ["B1", "N1"]),
        ("areas", "must have other land areas next to them.", []),
    ],
)
def test_a_fault_leads_to_its_areas(where: str, wrong: str, areas: list[str]) -> None:
    ids = {"B1", "N1", "N2", "NH1", "to", "land"}
    assert fault_areas(Fault(where, "", wrong), ids) == areas


def test_what_differs_is_told_by_area_line_and_arrow(client: Any, tmp_path: Path) -> None:
    draft = client.get("/api/area-map").json()["reconstruction"]
    own = copy.deepcopy(draft)
    areas = {each["id"]: each for each in own["areas"]}
    areas["N1"]["shape"] = "square"
    areas["N2"]["at"][1] += 30
    own["areas"].append({"id": "Q", "name": "Quay", "shape": "circle", "at": [600, 600]})
    own["lines"][-1]["road"] = True
    own["arrows"][0]["to"] = "NT4"
    own = without_line(own, "EF", "PB")
    last, first = draft["lines"][-1], draft["arrows"][0]
    found = {
        (each["kind"], each["change"]): each["areas"]
        for each in check(client, own).json()["differences"]
    }
    compared = run_pbcg("st", "map", "compare", write(tmp_path, own), "--json")
    assert json.loads(compared.out)["differences"] == check(client, own).json()["differences"]
    assert found == {
        ("area", "extra"): ["Q"],
        ("fact", "other"): ["N1"],
        ("place", "other"): ["N2"],
        ("line", "missing"): ["EF", "PB"],
        ("line", "other"): [last["a"], last["b"]],
        ("arrow", "other"): [first["from"], "NT4", first["to"]],
    }


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("own.yaml", b"areas: [}"),
        ("own.yaml", b""),
        ("own.yaml", b"\xff\xfe"),
        ("own.json", b'{"sight_radius": NaN}'),
        ("own.json", b"[" * 5_000),
        ("own.png", b"x"),
        ("own.json", json.dumps({"areas": [{}] * 501}).encode()),
    ],
)
def test_what_is_no_map_file_is_refused_by_its_name(client: Any, name: str, body: bytes) -> None:
    refused = check(client, body, name)
    assert refused.status_code == 422 and name in refused.json()["sentence"]


def test_odd_maps_are_told_and_bodies_have_a_bound(client: Any) -> None:
    odd = (b"[]", b"3", b'{"areas": 3}', b'{"areas": [3, {"id": []}], "water": {"canal": 1}}')
    for body in (*odd, b'{"sight_radius": 1e999, "lines": [{"a": 1, "b": {}}]}'):
        assert check(client, body).json()["faults"], body
    assert check(client, b" " * 300_000).status_code == 413


def test_a_game_is_begun_on_an_own_map_and_never_a_challenge(client: Any) -> None:
    own = SHIPPED.replace(b"title: ", b"title: Mine  # ", 1)
    about = {"kind": "st", "name": "own", "file": "own.yaml"}
    for more, body, words in (
        ({"mode": "challenge"}, own, "challenge"),
        ({"mode": "historical"}, own.replace(b"{a: EF, b: PB,", b"{a: EF, b: EF,"), "own.yaml"),
    ):
        refused = client.post("/api/games/file", params={**about, **more}, content=body)
        assert refused.status_code == 422 and words in refused.json()["sentence"]
    chosen = {**about, "mode": "historical"}
    assert client.post("/api/games/file", params=chosen, content=own).status_code == 200
    assert client.get(f"/api/games/{only_game(client)}").json()["title"].endswith("on Mine")
