"""Changes files: only what is different from the last position."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refit_helpers import BRITISH, GERMAN, campaign_at, piece
from sentences import Tells

from asl_pbcg.campaign.entry.end_position import settle_position
from asl_pbcg.campaign.position import Fortification, Position, Terrain
from asl_pbcg.campaign.position_words import FortificationKind, TerrainKind
from asl_pbcg.campaign.state.campaign_state import Campaign, change
from asl_pbcg.campaign.state.ob_merge import to_position
from asl_pbcg.kernel.errors import FaultsError, PBCGError

WIRE = Fortification(kind=FortificationKind.WIRE, at="Z21", owner=GERMAN)
RUBBLE = Terrain(kind=TerrainKind.RUBBLE_STONE, at="Z15")
SHELLHOLE = Terrain(kind=TerrainKind.SHELLHOLE, at="M14")


def last() -> Campaign:
    """A campaign whose last position is known."""
    return campaign_at(
        "scenario",
        piece("b1", BRITISH, "6-4-8", "Y21", possesses="b-lmg"),
        piece("b-lmg", BRITISH, "LMG", "Y21"),
        piece("b2", BRITISH, "4-5-8", "Y21"),
        piece("g1", GERMAN, "4-6-7", "M12", status="cx"),
        piece("g-t", GERMAN, "PzKpfw IVH", "M14"),
        piece("g2", GERMAN, "2-4-7", "M14", aboard="g-t"),
        piece("g-x", GERMAN, "4-6-8", area="J0"),
        british=("Y19", "Y20"),
        german=("M12",),
        gliders={"X22": "landed"},
        fortifications=(WIRE,),
        terrain=(RUBBLE, SHELLHOLE),
    )


def merged(**changes: Any) -> Position:
    data = {"format": "pbcg-changes/1", "date": "dawn", **changes}
    return settle_position(last(), data)


def faults(**changes: Any) -> str:
    with pytest.raises(FaultsError) as refused:
        merged(**changes)
    return str(refused.value)


def unit(position: Position, id: str) -> Any:
    pieces = (*position.units, *position.equipment, *position.vehicles)
    return next(each for each in pieces if each.id == id)


def test_a_weapon_listed_among_the_units_is_told_whatever_it_possesses() -> None:
    assert faults(units=[{"id": "b-lmg", "possesses": ["b2"]}])


def test_no_changes_give_the_last_position() -> None:
    assert merged() == to_position(last())


@pytest.mark.rule("9.6061-a")
@pytest.mark.parametrize("written", [None, {"status": ["broken"]}, {"at": "Y22"}])
def test_what_escaped_is_not_put_back_by_silence(written: dict[str, Any] | None) -> None:
    """It is told once, and what it possesses and guards with it."""
    state = campaign_at(
        "scenario",
        piece("b-1", BRITISH, "6-4-8", "X18", area="A"),
        piece("b-2", BRITISH, "6-4-8", "Z23", area="A", possesses="lmg"),
        piece("lmg", BRITISH, "LMG", "Z23", area="A"),
        piece("g-1", GERMAN, "4-4-7", "Z23", status="prisoner", guarded_by="b-2"),
        british=("X18",),
        german=("L9",),
    )
    data: dict[str, Any] = {"format": "pbcg-changes/1", "date": "dawn"}
    if written:
        data["units"] = [{"id": "b-2", **written}]
    if written and "at" in written:
        places = [each.at for each in settle_position(state, data).pieces]
        assert places == ["X18", "Y22", "Y22", "Y22"]
        return
    with pytest.raises(FaultsError) as refused:
        settle_position(state, data)
    assert [str(fault.value) for fault in refused.value.faults] == ["b-2"]
    assert "Setup Area A" in str(refused.value)


def test_only_the_written_keys_of_an_entry_change() -> None:
    position = merged(units=[{"id": "g1", "at": "M14", "status": []}])
    assert (unit(position, "g1").at, unit(position, "g1").status) == ("M14", ())
    assert unit(position, "g1").type == "4-6-7"
    assert unit(position, "b1") == unit(to_position(last()), "b1")


def test_what_is_possessed_or_aboard_moves_with_its_mover() -> None:
    position = merged(units=[{"id": "b1", "at": "Y22"}], vehicles=[{"id": "g-t", "at": "M15"}])
    assert unit(position, "b-lmg").at == "Y22"
    assert unit(position, "g2").at == "M15"
    position = merged(
        units=[{"id": "b1", "at": "Y22", "possesses": []}], equipment=[{"id": "b-lmg", "at": "Y21"}]
    )
    assert unit(position, "b-lmg").at == "Y21"


def test_a_piece_given_to_another_leaves_its_possessor() -> None:
    position = merged(units=[{"id": "b2", "possesses": ["b-lmg"]}])
    assert unit(position, "b1").possesses == ()
    assert unit(position, "b2").possesses == ("b-lmg",)


def test_new_entries_and_pieces_of_the_ob_that_come_on_map() -> None:
    position = merged(
        units=[
            {"id": "b9", "side": "british", "type": "3-3-8", "at": "Y21"},
            {"id": "g-x", "at": "J1"},
        ]
    )
    assert unit(position, "b9").type == "3-3-8"
    assert (unit(position, "g-x").type, unit(position, "g-x").side) == ("4-6-8", GERMAN)


def test_equipment_that_came_on_map_with_its_possessor_need_not_be_listed() -> None:
    state = last()
    state = change(state, pieces=(*state.pieces, piece("g-p", GERMAN, "LMG", area="J0")))
    changes = {
        "format": "pbcg-changes/1",
        "date": "dawn",
        "units": [{"id": "g-x", "at": "L9", "possesses": ["g-p"]}],
    }
    position = settle_position(state, changes)
    weapon = next(each for each in position.equipment if each.id == "g-p")
    assert (weapon.side, weapon.type, weapon.at) == (GERMAN, "LMG", "L9")
    nowhere = {**changes, "units": [{"id": "g-x", "at": None, "possesses": ["g-p"]}]}
    with pytest.raises(PBCGError):
        settle_position(state, nowhere)


def test_what_is_removed_is_let_go() -> None:
    position = merged(
        removed=[
            "b-lmg", "g-t", {"kind": "wire", "at": "Z21"}, {"kind": "glider", "at": "X22"},
            {"kind": "shellhole", "at": "M14"}, "g-x",
        ]
    )  # fmt: skip
    assert unit(position, "b1").possesses == ()
    assert (unit(position, "g2").aboard, unit(position, "g2").at) == ("", "M14")
    assert position.vehicles == ()
    assert (position.fortifications, position.gliders, position.terrain) == ((), (), (RUBBLE,))


def test_control_changes_location_by_location() -> None:
    position = merged(control={"german": ["Y19"], "neither": ["M12"], "british": ["K12"]})
    assert position.control.british == ("Y20", "K12")
    assert position.control.german == ("Y19",)


def test_a_ground_entry_of_the_same_kind_and_place_is_updated() -> None:
    position = merged(
        gliders=[{"at": "X22", "state": "wrecked"}],
        fortifications=[{"kind": "wire", "at": "Z21", "notes": "cut"}],
        terrain=[{"kind": "rubble-wood", "at": "M12"}],
    )
    assert [each.state.value for each in position.gliders] == ["wrecked"]
    assert [(each.owner, each.notes) for each in position.fortifications] == [(GERMAN, "cut")]
    assert len(position.terrain) == 3


def test_facts_of_the_scenario_are_not_carried_over() -> None:
    state = campaign_at("scenario", ww_box={"6-4-8": 2}, massacre=(GERMAN,))
    data = {"format": "pbcg-changes/1", "date": "dawn", "casualty_vp": {"german": 4}}
    position = settle_position(state, data)
    assert (position.ww_box, position.massacre) == ((), ())
    assert (position.casualty_vp.german, position.casualty_vp.british) == (4, 0)


def test_every_fault_is_told_at_once_with_its_place(tells: Tells) -> None:
    said = faults(
        unts=[],
        units=[
            {"id": "b1", "at": "Y99"}, {"id": "b1", "at": "Y21"}, {"id": "g-t", "at": "M14"},
            {"id": "b7", "at": "Y21"}, "b2",
        ],
        removed=["b-lgm", {"kind": "wire", "at": "Z22"}, {"wire": "Z21"}, 7, "b1"],
        control={"german": ["Y19", "Y19", 3], "neither": ["L9"], "nobody": []},
        terrain=[{"kind": "breach", "at": "M12"}, {"kind": "breach", "at": "M12"}],
    )  # fmt: skip
    assert len(said.splitlines()) == 18
    tells(said)


@pytest.mark.parametrize(
    "changes",
    [
        {"units": "b1"},
        {"removed": "b1"},
        {"control": ["Y19"]},
        {"control": {"british": "Y19"}},
        {"date": None},
        {"ww_box": "6-4-8"},
        {"units": [{"id": ["b1"]}]},
        {"units": [{"id": "b1", "possesses": "b-lmg"}]},
        {"gliders": [{"at": 3}]},
        {"removed": [{"kind": ["wire"], "at": "Z21"}]},
    ],
)
def test_whatever_is_written_gets_an_answer_for_players(changes: dict[str, Any]) -> None:
    with pytest.raises(PBCGError):
        merged(**changes)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 40) | st.sampled_from(
        ["b1", "g-t", "Y21", "Y19", "M12", "german", "6-4-8", "wire", "x"]
    ),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["id", "at", "kind", "type", "side", "status"]), inner),
    max_leaves=8,
)  # fmt: skip
KEYS = st.sampled_from(
    ["units", "vehicles", "equipment", "removed", "control", "terrain", "gliders",
     "fortifications", "ww_box", "casualty_vp", "date", "massacre", "notes"]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(KEYS, VALUES, max_size=4))
def test_no_changes_file_breaks_the_program(changes: dict[str, Any]) -> None:
    try:
        merged(**changes)
    except PBCGError as error:
        assert str(error)


@pytest.mark.finding("G-22")
@pytest.mark.parametrize(
    "changes",
    [
        {"units": [{"id": "b1", "status": ["Eliminated"]}]},
        {"units": [{"id": "b1", "at": "eliminated"}]},
        {"eliminated": ["b1"]},
    ],
)
def test_a_change_says_that_a_piece_was_eliminated(changes: Any) -> None:
    position = merged(**changes)
    assert position.eliminated == ("b1",)
    assert "b1" not in {each.id for each in position.units}
    assert unit(position, "b-lmg").at == "Y21"
