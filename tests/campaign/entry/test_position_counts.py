"""Positions by count: rows without ids get the likeliest pieces; asked only where it matters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import openpyxl
import pytest
from positions import BOARD, data, file_faults, saved
from refit_helpers import campaign_at, piece

from asl_pbcg.campaign.entry.position_check import check_rows
from asl_pbcg.campaign.entry.position_counts import read_rows
from asl_pbcg.campaign.entry.position_files import read_position
from asl_pbcg.campaign.entry.position_raw import Raw
from asl_pbcg.campaign.module.catalogue import load_catalogue
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.piece_matching import Wanted, match
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.answers import by_default

CATALOGUE = load_catalogue()

WITHOUT_SIDE = ["equipment, entry 1, side: is missing"]


def campaign(pieces: list[Any]) -> Campaign:
    """A campaign whose scenario is being played."""
    fixed = [msgspec.structs.replace(each, side=Side(each.side)) for each in pieces]
    return campaign_at("scenario", *fixed, date=CGDate.NIGHT_1)


def settled(state: Campaign, **keys: Any) -> tuple[Any, list[str]]:
    """The position of counted rows in a campaign, and what was asked."""
    raw = Raw("position", data(**keys))
    rows, asked = by_default(read_rows(raw, state, BOARD, CATALOGUE))
    return check_rows(rows).position, [prompt.id for prompt in asked]


def row(count: int, type: str, at: str, side: str = "", **more: Any) -> dict[str, Any]:
    """A counted row."""
    return {"count": count, "type": type, "at": at} | ({"side": side} if side else {}) | more


def test_a_count_makes_as_many_pieces_with_ids_of_their_own(tmp_path: Path) -> None:
    path = saved(
        tmp_path / "p.json", units=[row(6, "6-4-8", "N11"), row(2, "4-4-7", "L9", "german")]
    )
    units = read_position(path).units
    assert [(u.type, u.at, u.side.value) for u in units] == [
        *[("6-4-8", "N11", "british")] * 6,
        *[("4-4-7", "L9", "german")] * 2,
    ]
    assert len({u.id for u in units}) == 8


def test_in_a_campaign_the_likeliest_pieces_are_taken() -> None:
    state = campaign(
        [
            piece("b-1", "british", "6-4-8", at="X18"),
            piece("b-2", "british", "6-4-8", at="N12"),
            piece("b-3", "british", "6-4-8", at="N13"),
        ]
    )
    position, asked = settled(state, units=[row(2, "6-4-8", "N11")])
    assert {unit.id for unit in position.units} == {"b-2", "b-3"}
    assert not asked


@pytest.mark.parametrize(
    ("before", "taken"),
    [
        ("7th Battalion, 6th Airborne Division", "b-2"),
        ("2nd Oxfordshire and Buckinghamshire Light Infantry", "b-1"),
        ("", "b-1"),
    ],
)
def test_a_piece_of_no_formation_may_be_of_any(before: str, taken: str) -> None:
    """A counter of the Ox and Bucks is not a squad of another formation."""
    state = campaign(
        [
            piece("b-1", "british", "6-4-8", at="N11", formation=before),
            piece("b-2", "british", "6-4-8", at="N12"),
        ]
    )
    wanted = Wanted("counter", "units", "6-4-8", Side.BRITISH, "N11", formations=("ox-and-bucks",))
    assert match([wanted], state.pieces, BOARD, CATALOGUE).ids == {"counter": taken}


@pytest.mark.parametrize(
    ("formation", "doubts"),
    [
        ("Fallschirmjaeger Regiment 6", {"counter": ("g-2",)}),
        ("Panzer Pionier Kompanie 1", {}),
        ("", {}),
    ],
)
def test_pieces_of_another_elr_are_told_apart(
    formation: str, doubts: dict[str, tuple[str, ...]]
) -> None:
    """Of two squads as near and otherwise alike it matters which one is meant if their ELR do."""
    state = campaign(
        [
            piece("g-1", "german", "4-4-7", at="N12", formation="Grenadier Regiment 736"),
            piece("g-2", "german", "4-4-7", at="N12", formation=formation),
        ]
    )
    wanted = Wanted("counter", "units", "4-4-7", Side.GERMAN, "N11")
    assert match([wanted], state.pieces, BOARD, CATALOGUE).doubts == doubts


def test_reduced_and_replaced_pieces_keep_their_ids() -> None:
    state = campaign(
        [
            piece("b-1", "british", "6-4-8", at="X18"),
            piece("b-2", "british", "6-4-8", at="N12"),
        ]
    )
    position, _ = settled(state, units=[row(1, "3-3-8", "X18", "british"), row(1, "4-5-7", "N12")])
    assert {unit.id: unit.type for unit in position.units} == {"b-1": "3-3-8", "b-2": "4-5-7"}


def test_it_is_asked_where_the_choice_matters() -> None:
    state = campaign(
        [
            piece("b-1", "british", "6-4-8", at="N12"),
            piece("b-2", "british", "6-4-8", at="N12", name="the Major's own"),
        ]
    )
    position, asked = settled(state, units=[row(1, "6-4-8", "N11")])
    assert asked == ["count.piece"]
    assert len(position.units) == 1


def test_unasked_the_likeliest_piece_is_taken_and_no_new_one() -> None:
    own = piece("b-2", "british", "6-4-8", at="N12", name="the Major's own")
    state = campaign([piece("b-1", "british", "6-4-8", at="N12"), own])
    position, asked = settled(state, units=[row(1, "6-4-8", "N11")])
    assert asked == ["count.piece"]
    assert position.units[0].id in {"b-1", "b-2"}


def test_a_walking_wounded_squad_is_not_taken_for_a_fit_one() -> None:
    state = campaign(
        [
            piece("b-1", "british", "6-4-8", at="N12", status=("walking-wounded",)),
            piece("b-2", "british", "6-4-8", at="X18"),
        ]
    )
    position, asked = settled(
        state,
        units=[row(1, "6-4-8", "N11"), row(1, "6-4-8", "N13", status=["walking-wounded"])],
    )
    assert {unit.at: unit.id for unit in position.units} == {"N11": "b-2", "N13": "b-1"}
    assert not asked


def test_a_counted_weapon_goes_to_whoever_had_it() -> None:
    state = campaign(
        [
            piece("b-1", "british", "6-4-8", at="N11"),
            piece("b-2", "british", "6-4-8", at="N11", possesses=("lmg",)),
            piece("lmg", "british", "LMG", at="N11"),
        ]
    )
    position, asked = settled(
        state, units=[row(2, "6-4-8", "N11")], equipment=[row(1, "LMG", "N11", "british")]
    )
    assert {unit.id: unit.possesses for unit in position.units} == {"b-1": (), "b-2": ("lmg",)}
    assert not asked


def test_who_holds_a_new_weapon_is_asked_if_they_differ() -> None:
    units = [row(1, "6-4-8", "N11"), row(1, "6-4-8", "N11", status=["broken"])]
    position, asked = settled(
        campaign([]), units=units, equipment=[row(1, "LMG", "N11", "british")]
    )
    assert asked == ["count.holder"]
    assert sum(len(unit.possesses) for unit in position.units) == 1


def test_ids_stay_possible_beside_counts() -> None:
    state = campaign([piece(f"b-{n}", "british", "6-4-8", at="N11") for n in (1, 2, 3)])
    units = [{"id": "b-2", "side": "british", "type": "6-4-8", "at": "X18"}, row(2, "6-4-8", "N11")]
    position, _ = settled(state, units=units)
    assert {unit.id: unit.at for unit in position.units} == {
        "b-2": "X18",
        "b-1": "N11",
        "b-3": "N11",
    }


def test_faults_name_the_row_that_was_written(tmp_path: Path) -> None:
    path = saved(
        tmp_path / "p.json",
        units=[row(3, "6-4-8", "N11"), row(2, "9-9-9", "N12", "british"), row(0, "6-4-8", "N13")],
    )
    faults = file_faults(path)
    assert sum("units, entry 2" in fault for fault in faults) == 2
    assert [fault for fault in faults if "units, entry 3" in fault and "count" in fault]


@pytest.mark.parametrize("count", [True, False, 1.5, "2", -1])
def test_a_count_is_a_whole_number(count: Any, tmp_path: Path) -> None:
    faults = file_faults(saved(tmp_path / "p.json", units=[row(count, "6-4-8", "N11")]))
    assert any("units, entry 1, count" in fault and "whole number" in fault for fault in faults)


def test_a_workbook_may_count(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    about, units = book.active, book.create_sheet("units")
    assert about is not None
    about.title = "about"
    for cells in (("what", "value"), ("format", "pbcg-position/1"), ("date", "night-1")):
        about.append(cells)
    for cells in (("count", "type", "at", "side", "status"), (6, "6-4-8", "N11", "british", "cx")):
        units.append(cells)
    book.save(tmp_path / "p.xlsx")
    found = read_position(tmp_path / "p.xlsx").units
    assert len(found) == 6
    assert [str(each) for each in found[0].status] == ["cx"]


@pytest.mark.parametrize("type", ["6-4-8", "LMG"])
def test_a_side_is_needed_only_where_both_have_the_type(type: str, tmp_path: Path) -> None:
    section = "units" if type == "6-4-8" else "equipment"
    path = saved(tmp_path / "p.json", **{section: [row(1, type, "N11")]})
    if type == "6-4-8":
        assert read_position(path).units[0].side.value == "british"
    else:
        assert file_faults(path) == WITHOUT_SIDE
        captured = row(1, type, "N11", status=["captured"])
        path = saved(tmp_path / "c.json", **{section: [captured]})
        assert file_faults(path) == WITHOUT_SIDE


def test_hundreds_of_rows_are_settled_without_matching_all_of_them_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from asl_pbcg.campaign.state import piece_matching

    calls = []
    match = piece_matching.match
    monkeypatch.setattr(piece_matching, "match", lambda *a: calls.append(1) or match(*a))
    state = campaign([piece(f"b-{n}", "british", "6-4-8", at="X18") for n in range(20)])
    made, asked = settled(state, units=[row(1, "6-4-8", "N11", "british") for _ in range(150)])
    assert len({unit.id for unit in made.units}) == 150
    assert {f"b-{n}" for n in range(20)} <= {unit.id for unit in made.units}
    assert len(asked) == 130, "each of those that are new may be one of the old"
    assert len(calls) == 1
