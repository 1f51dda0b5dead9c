"""A campaign from paper: numbers that the rules or what a side ever received make impossible."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from in_process import pbcg, run_pbcg
from sentences import Tells

from asl_pbcg.campaign.entry.end_position import settle_position
from asl_pbcg.campaign.entry.received import airborne_mmc, received_by
from asl_pbcg.campaign.paper.paper_workbook import EXAMPLE
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.data import data_path
from asl_pbcg.kernel.errors import Fault, FaultsError
from asl_pbcg.kernel.textfiles import read_yaml_or_json
from asl_pbcg.play.campaign_game.against_ob import open_holding
from asl_pbcg.play.campaign_game.campaign_from_paper import read_book
from asl_pbcg.refit.s950_initial import begin

pytestmark = pytest.mark.finding("G-34")
BRITISH, GERMAN = Side.BRITISH, Side.GERMAN


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    data: dict[str, Any] = read_yaml_or_json(data_path(EXAMPLE))
    return data


@pytest.fixture
def faults(example: dict[str, Any], tmp_path: Path) -> Callable[[dict[str, Any]], list[Fault]]:
    """What is wrong with the example once lists, or entries of them by number, are changed."""

    def found(changes: dict[str, Any]) -> list[Fault]:
        data = copy.deepcopy(example)
        for name, change in changes.items():
            if isinstance(change, dict):
                for number, values in change.items():
                    data[name][number - 1] |= values
            else:
                data[name] = [*data.get(name, ()), *change] if isinstance(change, list) else change
        path = tmp_path / "start.json"
        path.write_text(json.dumps(data), encoding="utf-8")
        try:
            read_book(path, {})
        except FaultsError as error:
            return error.faults
        return []

    return found


def bought(**purchase: Any) -> dict[str, Any]:
    return {"date": "dawn", "side": "british", "kind": "foxhole-1s", **purchase}


@pytest.fixture
def remarks(example: dict[str, Any], tmp_path: Path) -> Callable[..., list[str]]:
    """The remarks on the example with more rows of a list, or other values in some."""

    def found(name: str, rows: list[Any] | dict[int, Any]) -> list[str]:
        data = copy.deepcopy(example)
        if isinstance(rows, dict):
            for number, values in rows.items():
                data[name][number - 1] |= values
        else:
            data[name] = [*data.get(name, ()), *rows]
        path = tmp_path / "start.json"
        path.write_text(json.dumps(data), encoding="utf-8")
        told = read_book(path, {}).remarks
        bounds = ("too many", "must be", "is not of")
        return [remark for remark in told if any(words in remark for words in bounds)]

    return found


BOX: list[tuple[dict[str, int], str]] = [
    ({"6-4-8": 40}, "ww_box, entry 2, count"),
    ({"6-4-8": 2, "2-4-8": 30}, "ww_box, entry 3, count"),
    ({"2-2-8": 1}, "ww_box, entry 2, count"),  # the crews of Dawn are not Airborne
    ({"6-4-8": 25}, "ww_box, entry 2, count"),  # some of them are on the map
]


@pytest.mark.parametrize(("box", "place"), BOX)
def test_the_ww_box_holds_no_more_than_was_lost(
    box: dict[str, int], place: str, remarks: Callable[..., list[str]]
) -> None:
    listed = [{"type": type, "count": count} for type, count in box.items()]
    (remark,) = remarks("ww_box", listed)
    assert remark.startswith(f"{place}: ")


@pytest.mark.parametrize(
    ("changes", "places"),
    [
        ({"roster": {4: {"german_fpp_spent": 16}}}, ["4, german_fpp_spent"]),
        ({"roster": {2: {"german_fpp_spent": 1}}}, ["2, german_fpp_spent"]),
        ({"roster": {2: {"german_san": 3, "british_san": 1}}}, ["2, british_san", "2, german_san"]),
        ({"roster": {5: {"german_san": 1, "british_san": 7}}}, ["5, british_san", "5, german_san"]),
        ({"roster": {4: {"cpp_available": 26, "cpp_left": 2}}, "rg": {6: {}}},
         ["4, cpp_available", "5, cpp_available"]),
        ({"roster": {4: {"german_cvp_lost": 12}}}, ["5, cpp_loss_points"]),  # 9.6162: too few
        ({"roster": {4: {"cpp_loss_points": 1, "cpp_available": 26, "cpp_left": 2}}},
         ["4, cpp_loss_points", "5, cpp_available"]),
        ({"roster": {1: {"british_cvp_lost": 45, "german_cvp_lost": 900}}},
         ["1, british_cvp_lost", "1, german_cvp_lost"]),
    ],
)  # fmt: skip
def test_the_roster_has_only_what_can_be(
    changes: dict[str, Any], places: list[str], faults: Callable[[Any], list[Fault]]
) -> None:
    assert [each.where for each in faults(changes)] == [f"roster, entry {p}" for p in places]


@pytest.mark.rule("9.6175-a", "9.6182-a", "9.6183-a")
@pytest.mark.parametrize(
    ("number", "values", "places"),
    [
        (2, {"strength": "depleted"}, []),
        (1, {"strength": "depleted"}, ["2, strength"]),  # one of the two is given Full
        (1, {"entry_cost": 2}, ["1, entry_cost"]),
        (3, {"leaders": ["9-1", "8-0", "7-0"]}, ["3, leaders"]),
        (4, {"leaders": ["10-2", "8-1", "8-0"]}, ["4, leaders"]),
        (6, {"hmg": 2, "lmg": 1}, ["6, hmg", "6, lmg"]),
        (8, {"leaders": ["9-1"]}, []),
        (8, {"leaders": ["10-2"]}, ["8, leaders"]),
        (8, {"entry_cost": 3}, ["8, entry_cost"]),
        (9, {"leaders": ["9-1"]}, ["9, leaders"]),
    ],
)
def test_an_rg_brings_only_what_its_tables_give(
    number: int, values: dict[str, Any], places: list[str], faults: Callable[[Any], list[Fault]]
) -> None:
    found = [each.where for each in faults({"rg": {number: values}}) if "rg" in each.where[:2]]
    assert found == [f"rg, entry {place}" for place in places]


def test_rg_cost_no_more_than_there_was(faults: Callable[[Any], list[Fault]]) -> None:
    rows = {"roster": {4: {"cpp_available": None, "cpp_spent": None, "cpp_left": None}}}
    more = {"rg": [{"date": "dawn", "rg": "V3"}]}
    places = [each.where.split(", ") for each in faults({**rows, **more})]
    assert ["rg", "entry 15", "rg"] in places


@pytest.mark.parametrize(
    ("rows", "places"),
    [
        ([bought(kind="san"), bought(kind="san")], ["2, kind", "2, kind"]),  # and too dear
        ([bought(kind="ap-mines", factors=7)], ["1, factors"]),
        ([bought(kind="foxhole-3s", side="german", count=5)], ["1, kind"]),
        ([bought(date="night-1")], ["1, kind"]),
        ([bought(unit="A-3")], ["1, unit"]),
        ([bought(kind="hip-squad", unit="A-3", count=2)], ["1, count"]),
    ],
)
def test_fpp_buy_only_what_they_can(
    rows: list[Any], places: list[str], faults: Callable[[Any], list[Fault]]
) -> None:
    assert [each.where for each in faults({"bought": rows})] == [
        f"bought, entry {place}" for place in places
    ]


X18 = {"at": "X18", "side": "british"}
A7 = {"at": "off-map A7", "side": "german"}


@pytest.mark.parametrize(
    ("name", "rows", "key"),
    [
        ("vehicles", [{**X18, "type": "Churchill VII"}], "type"),  # before its date
        ("vehicles", [{**A7, "type": "Marder"}] * 3, "type"),
        ("vehicles", [{**A7, "type": "GSW 39H(f)"}], "type"),  # its RG was not bought
        ("equipment", [{**X18, "type": "PIAT"}] * 9, "type"),
        ("equipment", [{**A7, "type": "50L AT"}], "type"),
        ("units", [{**A7, "type": "4-6-7", "count": 60}], "type"),
        ("units", [{**X18, "type": "6-4-8", "formation": "non-airborne"}], "formation"),
        ("units", [{**X18, "type": "1-4-9", "formation": "7th-battalion"}], "formation"),
        ("gliders", [{"at": "W21", "state": "landed"}], "at"),
        ("fortifications", [{"kind": "wire", "at": "K12"}], "kind"),
        ("fortifications", [{"kind": "ap-mines", "at": "K12", "owner": "german"}], "owner"),
        ("fortifications", [{"kind": "ap-mines", "at": "K12", "owner": "british", "size": 12}] * 4,
         "size"),
        ("terrain", [{"kind": "wreck", "at": "K12", "type": "Churchill VII"}], "type"),
    ],
)  # fmt: skip
def test_the_position_has_only_what_was_received(
    name: str, rows: list[Any], key: str, remarks: Callable[..., list[str]]
) -> None:
    (remark,) = remarks(name, rows)
    assert remark.partition(": ")[0].split(", ")[0::2] == [name, key]


@pytest.mark.finding("J-45")
@pytest.mark.parametrize(
    ("name", "row", "most", "words"),
    [
        ("units", {**A7, "type": "8-0"}, 30, "leaders"),
        ("units", {**X18, "type": "8-0"}, 20, "leaders"),
        ("units", {**A7, "type": "2-2-8"}, 20, "crews"),
        ("units", {**X18, "type": "2-2-8"}, 20, "crews"),
        ("equipment", {**A7, "type": "MMG"}, 10, "MMG"),
        ("equipment", {**X18, "type": "MMG"}, 10, "MMG"),
        ("equipment", {**A7, "type": "HMG"}, 10, "HMG"),
        ("equipment", {**X18, "type": "LMG"}, 40, "LMG"),
    ],
)
def test_every_type_is_counted_and_told_as_a_remark(
    name: str, row: dict[str, Any], most: int, words: str, remarks: Callable[..., list[str]]
) -> None:
    (remark,) = remarks(name, [row] * most)
    assert "too many" in remark and words in remark
    assert not remarks(name, [])


def test_a_pillbox_is_of_the_strength_that_came(remarks: Callable[..., list[str]]) -> None:
    (remark,) = remarks("fortifications", {8: {"strength": "9"}})
    assert remark.startswith('fortifications, entry 8, strength: "9" must be ')


@pytest.mark.finding("J-44")
def test_position_check_reads_a_paper_book_as_new_does(
    example: dict[str, Any], tmp_path: Path
) -> None:
    data = copy.deepcopy(example)
    data["units"].append({**A7, "type": "4-6-7", "count": 60})
    path = tmp_path / "start.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    told = pbcg("position", "check", path)
    assert "without faults" in told
    assert told.count("Look again: ") > 1 and "squad-equivalents" in told
    assert "evening.pbcg --from" in told
    assert sorted(each.name for each in tmp_path.iterdir()) == ["start.json"]
    made = run_pbcg("new", tmp_path / "evening.pbcg", "--from", path, "--auto", "1")
    assert made.code == 0 and (tmp_path / "evening.pbcg").exists()
    again = [line.strip() for line in told.splitlines() if "Look again" in line]
    assert [line for line in made.err.splitlines() if "Look again" in line] == again
    data["roster"][0]["british_san"] = 99
    path.write_text(json.dumps(data), encoding="utf-8")
    refused = run_pbcg("position", "check", path)
    same = run_pbcg("new", tmp_path / "other.pbcg", "--from", path)
    assert refused.code == same.code == 2 and refused.err == same.err


def test_lines_that_are_no_list_are_told_with_the_rest(
    faults: Callable[[dict[str, Any]], list[Fault]],
) -> None:
    assert {each.where for each in faults({"rg": 5, "bought": "none"})} >= {"rg", "bought"}


def test_a_date_to_come_is_one_fault(faults: Callable[[dict[str, Any]], list[Fault]]) -> None:
    rows = [bought(date="dusk", kind="san", count=4)]
    (found,) = faults({"bought": rows})
    assert found.where.split(", ") == ["bought", "entry 1", "date"]


def test_facts_that_stand_twice(faults: Callable[[Any], list[Fault]]) -> None:
    rules = [{"rule": "C-05", "choice": "control-passes"}]
    names = {"british_player": "Anne, Ben, anne", "german_player": "Karl, Karl"}
    found = faults({**names, "house_rules": rules})
    assert sorted(each.where for each in found) == [
        "british_player", "german_player", "house_rules, entry 2, rule",
    ]  # fmt: skip


def test_a_name_of_either_side_is_told_with_the_rest(faults: Callable[[Any], list[Fault]]) -> None:
    found = faults({"units": [{"id": "A-99", "type": "6-4-9"}]})
    keys = [each.where.rpartition(", ")[2] for each in found]
    assert sorted(keys) == ["at", "id", "type"]


def test_sentences_of_what_cannot_be(tells: Tells, example: dict[str, Any], tmp_path: Path) -> None:
    data = copy.deepcopy(example)
    data["roster"][3]["german_fpp_spent"] = 16
    data["roster"][4] |= {"cpp_loss_points": 7, "british_san": 7}
    data["roster"][0]["british_cvp_lost"] = 45
    data["rg"][2]["leaders"] = ["9-1", "8-0", "7-0"]
    data["rg"][0]["mmg"] = 2
    data["bought"] = [bought(kind="foxhole-3s", count=9)]
    data["british_player"] = "Anne, Anne"
    data["units"].append({"id": "A-99", "type": "6-4-9", "at": "X18"})
    path = tmp_path / "start.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    told = pbcg("new", tmp_path / "evening.pbcg", "--from", path, code=2)
    for place in (
        "german_fpp_spent", "cpp_loss_points", "british_san", "british_cvp_lost", "leaders", "mmg",
        "bought, entry 1", "british_player", "6-4-9",
    ):  # fmt: skip
        tells(told, place)


def test_sentences_of_what_is_too_many(
    tells: Tells, example: dict[str, Any], tmp_path: Path
) -> None:
    data = copy.deepcopy(example)
    data["ww_box"] = [{"type": "6-4-8", "count": 40}]
    data["fortifications"][7]["strength"] = "9"
    data["vehicles"].append({**X18, "type": "Churchill VII"})
    data["units"] += [{**A7, "type": "8-0"}] * 30
    path = tmp_path / "start.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    told = "\n".join(read_book(path, {}).remarks)
    for place in ("ww_box", "strength", "Churchill VII", "leaders"):
        tells(told, place)


# -- the bounds themselves -------------------------------------------------------------------------


def test_what_the_sides_received_by_hand() -> None:
    """Rule: 9.51, 9.52, 9.6152."""
    night = begin({"campaign": "CG1", "from_paper": "night-1"})
    assert dict(airborne_mmc(night)) == {"6-4-8": 3, "4-5-8": 3, "2-4-8": 3}
    dusk = begin({"campaign": "CG1", "from_paper": "dusk"})
    assert airborne_mmc(dusk)["6-4-8"] == 3 + 1 + 18 + 4
    assert received_by(dusk, BRITISH, None)["6-4-8"] == 3 + 1 + 18 + 4 + 15
    assert received_by(dusk, GERMAN, None)["PzKpfw IVH"] == 3 * 3
    relieved = begin({"campaign": "CG2", "from_paper": "dawn"})
    assert airborne_mmc(relieved)["6-4-8"] == 7 + 7 + 8 + 4
    assert received_by(relieved, GERMAN, [])["50L AT"] == 1
    assert received_by(relieved, BRITISH, [])["57L AT"] == 2


def test_a_position_given_later_is_held_to_the_same() -> None:
    state = begin({"campaign": "CG1", "from_paper": CGDate.DAWN.value})
    assert state.has_no_pieces_yet
    data = {
        "format": "pbcg-position/1", "date": "dawn", "ww_box": [{"type": "6-4-8", "count": 40}],
        "vehicles": [{**X18, "type": "Churchill VII"}, *({**A7, "type": "Marder"},) * 9],
    }  # fmt: skip
    for side, values in ((BRITISH, ("40", "Churchill VII")), (GERMAN, ("Marder",))):
        position = settle_position(state, data, viewers=[side])
        asking = open_holding(state, position, [side])
        asked = asking.pending
        assert asked is not None and asked.text.startswith("Look again: ")
        assert all(f'"{value}" ' in asked.text for value in values)
