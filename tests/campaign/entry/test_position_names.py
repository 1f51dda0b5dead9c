"""Position and changes files name pieces as sheets and map do; ids are read, too."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from openpyxl import load_workbook
from positions import BOARD, data, faults
from refit_helpers import BRITISH, GERMAN, campaign_at, piece
from sentences import Tells

from asl_pbcg.campaign.entry.end_position import settle_position
from asl_pbcg.campaign.entry.position_check import check_raw
from asl_pbcg.campaign.entry.position_files import read_position, write_position
from asl_pbcg.campaign.entry.position_raw import Raw
from asl_pbcg.campaign.module.catalogue import load_catalogue
from asl_pbcg.campaign.position import Position
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.ob_merge import to_position
from asl_pbcg.campaign.state.piece_names import ids_called, name_of_side, short_name
from asl_pbcg.kernel.errors import FaultsError

ID = re.compile(r"\b[bg]-[a-z0-9+-]+-\d+\b")


def campaign() -> Campaign:
    """Return a campaign in which both sides have a B-1."""
    return campaign_at(
        "scenario",
        piece("b-458-1", BRITISH, "4-5-8", "Y21", possesses="g-lmg-3"),
        piece("g-lmg-3", BRITISH, "LMG", "Y21", status="captured"),
        piece("b-lmg-3", BRITISH, "LMG", "Y21"),
        piece("g-548-1", GERMAN, "5-4-8", "Y21", status="prisoner", guarded_by="b-458-1"),
        piece("g-447-2", GERMAN, "4-4-7", "M12"),
        piece("b-338-2", BRITISH, "3-3-8", "Y20"),
        piece("g-marder-1", GERMAN, "Marder", "M14", tows="g-50l-at-1"),
        piece("g-50l-at-1", GERMAN, "50L AT", "M14", status="hooked"),
        piece("g-247-1", GERMAN, "2-4-7", "M14", aboard="g-marder-1"),
        piece("g-548-542", GERMAN, "5-4-8", "M12"),
        piece("mine", BRITISH, "6-4-8", "Y20"),
        british=("Y19", "Y20"),
        german=("M12",),
    )


def test_every_short_name_is_of_one_id_of_a_side() -> None:
    for known in load_catalogue():
        for side in (BRITISH, GERMAN):
            for number in (1, 542):
                stem = re.sub(r"[^a-z0-9+]+", "-", known.name.lower()).strip("-")
                if re.fullmatch(r"\d-\d-\d", known.name):
                    stem = known.name.replace("-", "")
                id = f"{side.value[0]}-{stem}-{number}"
                if short_name(id) == id:  # a unit that this side never has
                    continue
                assert ids_called(short_name(id))[side] == id
                assert [*ids_called(name_of_side(id)).values()] == [id]
                assert ids_called(f"{known.name} {short_name(id)}").get(side, id) == id


@pytest.mark.parametrize("suffix", [".yaml", ".json", ".xlsx"])
def test_a_written_position_has_names_and_reads_back_the_same(tmp_path: Path, suffix: str) -> None:
    whole = to_position(campaign())
    gone = ("b-648-7", "g-lmg-4", "their-tank")
    position = check_raw(Raw("", _plain(whole, eliminated=gone)), BOARD).position
    file = tmp_path / f"end{suffix}"
    write_position(position, file)
    assert read_position(file) == position
    if suffix == ".xlsx":
        rows = [row for sheet in load_workbook(file) for row in sheet.iter_rows(values_only=True)]
        written = " ".join(str(cell) for row in rows for cell in row if cell)
    else:
        written = file.read_text()
    assert not ID.search(written)
    for name in ("LMG 3g", "LMG 3b", "Marder 1", "50L AT 1", "mine", "british A-7", "LMG 4g"):
        assert name in written


def _plain(position: Position, **more: Any) -> dict[str, Any]:
    return {**msgspec.to_builtins(position), **more}


@pytest.mark.parametrize("date", ["day-2", "Day II", "DAY 2"])
def test_a_date_is_read_as_printed(tmp_path: Path, date: str) -> None:
    file = tmp_path / "end.yaml"
    file.write_text(yaml.safe_dump(data(date=date)))
    assert read_position(file).date == "day-2"


def test_two_pieces_of_a_side_called_the_same_keep_their_ids(tmp_path: Path) -> None:
    """A player may have called a piece of his own A-1 before."""
    units = [
        {"id": "b-648-1", "side": "british", "type": "6-4-8", "at": "Y20"},
        {"id": "A-1", "side": "british", "type": "6-4-8", "at": "Y21"},
    ]
    position = check_raw(Raw("", data(units=units)), BOARD).position
    write_position(position, tmp_path / "end.yaml")
    written = yaml.safe_load((tmp_path / "end.yaml").read_text())
    assert [unit["id"] for unit in written["units"]] == ["b-648-1", "A-1"]


def test_names_that_differ_in_capitals_alone_are_two_pieces(tmp_path: Path) -> None:
    """Players may call their own pieces so: each tie is that of its own."""
    units = [{"id": id, "side": "british", "type": "6-4-8", "at": "Y20", "possesses": [f"mg-{id}"]}
             for id in ("x", "X")]  # fmt: skip
    equipment = [{"id": f"mg-{id}", "side": "british", "type": "LMG", "at": "Y20"}
                 for id in ("x", "X")]  # fmt: skip
    position = check_raw(Raw("", data(units=units, equipment=equipment)), BOARD).position
    assert {unit.id: unit.possesses for unit in position.units} == {"x": ("mg-x",), "X": ("mg-X",)}
    write_position(position, tmp_path / "end.yaml")
    assert read_position(tmp_path / "end.yaml") == position


def settled(**changes: Any) -> Position:
    given = {"format": "pbcg-changes/1", "date": "dawn", **changes}
    return settle_position(campaign(), given)


def at(position: Position) -> dict[str, str]:
    return {piece.id: piece.at for piece in position.pieces}


def test_changes_name_pieces() -> None:
    position = settled(
        units=[
            {"id": "F-3", "side": "british", "type": "3-3-8", "at": "Y19"},
            {"id": "5-4-8 B-542", "at": "M13", "possesses": []},
            {"id": "b-338-2", "at": "Y22"},
            {"id": "MINE", "at": "Y22"},
        ],
        vehicles=[{"id": "marder 1", "at": "M15"}],
        removed=["LMG 3b"],
        eliminated=["german E-2"],
    )
    places = at(position)
    assert places["b-338-3"] == "Y19"
    assert (places["g-548-542"], places["b-338-2"], places["mine"]) == ("M13", "Y22", "Y22")
    assert places["g-50l-at-1"] == places["g-247-1"] == "M15"
    assert "b-lmg-3" not in places and position.eliminated == ("g-447-2",)


def test_a_side_decides_between_two_of_one_name() -> None:
    moved = at(settled(units=[{"id": "B-1", "side": "german", "at": "Y21"}]))
    assert moved == at(to_position(campaign()))
    british = settled(units=[{"id": "british B-1", "at": "Y22"}])
    assert at(british)["b-458-1"] == at(british)["g-548-1"] == "Y22"  # the prisoner goes along


def test_a_name_of_both_sides_without_a_side_is_a_fault(tells: Tells) -> None:
    for changes in ({"units": [{"id": "B-1", "at": "Y22"}]}, {"removed": ["B-1"]}):
        with pytest.raises(FaultsError) as refused:
            settled(**changes)
        tells(refused.value, "B-1", "british B-1", "german B-1")
        assert "missing" not in str(refused.value)


def test_a_whole_position_means_the_pieces_of_the_campaign() -> None:
    units = [
        {"id": "B-1", "side": "british", "type": "4-5-8", "at": "Y19", "possesses": ["LMG 3g"]},
        {"id": "B-1", "side": "german", "type": "5-4-8", "at": "Y19", "status": ["prisoner"],
         "guarded_by": "B-1"},
        {"id": "mine", "side": "british", "type": "6-4-8", "at": "Y19"},
        {"id": "E-2", "side": "german", "status": ["eliminated"]},
    ]  # fmt: skip
    weapon = {"id": "lmg 3g", "side": "british", "type": "LMG", "status": ["captured"]}
    whole = data(date="dawn", units=units, equipment=[weapon])
    position = settle_position(campaign(), whole)
    assert {*at(position)} == {"b-458-1", "g-548-1", "mine", "g-lmg-3"}
    assert position.units[1].guarded_by == "b-458-1"
    assert position.eliminated == ("g-447-2",)


def test_faults_name_pieces(tells: Tells) -> None:
    squad = {"side": "british", "type": "4-5-8", "at": "Y20"}
    units = [
        squad | {"id": "b-458-1", "at": "Z99"},
        squad | {"id": "b-458-2", "possesses": ["b-lmg-9"]},
        squad | {"id": "b-458-3", "possesses": ["b-lmg-8"]},
        squad | {"id": "b-458-3", "possesses": ["b-lmg-8"]},
    ]
    weapon = {"id": "b-lmg-8", "side": "british", "type": "LMG", "at": "Y20"}
    found = faults(units=units, equipment=[weapon])
    assert not ID.search(" ".join(found))
    tells(found, "B-1", "Z99")
    tells(found, "B-2", "LMG 9b", "LMG 8b")
    tells(found, "B-3", "twice")


def test_both_sides_have_their_own_of_a_name(tmp_path: Path) -> None:
    units = [
        {"id": "B-1", "side": side, "type": type, "at": place}
        for side, type, place in (("british", "4-5-8", "Y20"), ("german", "5-4-8", "M12"))
    ]
    file = tmp_path / "end.yaml"
    file.write_text(yaml.safe_dump(data(units=units)))
    assert {*at(read_position(file))} == {"b-458-1", "g-548-1"}
