"""Pieces: what each is, and that no remark of the players means anything to the rules (F-16)."""

from __future__ import annotations

import msgspec
import pytest
from refit_helpers import BRITISH, GERMAN, campaign_at, piece
from sentences import Tells

from asl_pbcg.campaign.module.catalogue import VehicleType
from asl_pbcg.campaign.position import LISTS, PIECES, Fortification
from asl_pbcg.campaign.position_words import (
    EquipmentStatus,
    FortificationKind,
    Status,
    UnitStatus,
    VehicleStatus,
)
from asl_pbcg.campaign.scenario.scenario_facts import has_aamg
from asl_pbcg.campaign.sheets.ledger import force_lines
from asl_pbcg.campaign.state.campaign_state import change
from asl_pbcg.campaign.state.ob_merge import take_position, to_position
from asl_pbcg.campaign.state.piece_changes import add_status, remove, transfer, update
from asl_pbcg.campaign.state.pieces import (
    CLASSES,
    Infantry,
    OBFortification,
    OBGlider,
    Vehicle,
    Weapon,
)
from asl_pbcg.campaign.state.seen import seen_fortifications
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.refit.helpers.vehicle_actions import is_manned_by, is_scrounged
from asl_pbcg.refit.sequence import CampaignGame

EVERYTHING = "Scrounged; manned by g2; Armor Leader; AAMG; Minefield counter on map"


@pytest.mark.parametrize(
    ("type", "side", "of", "kind"),
    [
        ("6-4-8", BRITISH, Infantry, "squad"),
        ("9-1 Armor Leader", GERMAN, Infantry, "armor_leader"),
        ("LMG", GERMAN, Weapon, "sw"),
        ("50L AT", GERMAN, Weapon, "gun"),
        ("PzKpfw IVH", GERMAN, Vehicle, "vehicle"),
        ("Trench", GERMAN, OBFortification, "fortification"),
        ("Glider", BRITISH, OBGlider, "glider"),
    ],
)
def test_a_piece_is_what_the_catalogue_says(type: str, side: str, of: object, kind: str) -> None:
    found = piece("x", side, type)  # type: ignore[arg-type]
    assert (found.__class__, found.kind) == (of, kind)


def test_a_captured_piece_is_known_by_its_makers_counter() -> None:
    gun = piece("w", BRITISH, "50L AT", status="captured")
    assert (gun.kind, gun.maker) == ("gun", GERMAN)


def test_a_state_is_read_back_with_each_piece_as_what_it_is() -> None:
    tank = piece("t", GERMAN, "PzKpfw IVH", "Y17", scrounged=True, manned_by="g2", aamg=False)
    state = campaign_at("9.606", piece("b", BRITISH, "6-4-8", "Z15", possesses="w"), tank)
    state = remove(state, "b", "eliminated")
    game = CampaignGame()
    assert game.decode(game.encode(state)) == state


@pytest.mark.finding("F-16")
@pytest.mark.rule("9.61423-b")
def test_a_remark_of_the_players_changes_nothing() -> None:
    tank = piece("t", GERMAN, "PzKpfw IVH", "Y17", notes=EVERYTHING)
    unit = piece("g2", GERMAN, "4-6-7", "Y17", notes=EVERYTHING)
    leader = piece("g3", GERMAN, "9-2", "Y17", notes=EVERYTHING)
    mines = Fortification(
        kind=FortificationKind.AP_MINES, at="V12", owner=BRITISH, hidden=True, notes=EVERYTHING
    )
    state = campaign_at("9.607", tank, unit, leader, fortifications=[mines])
    assert not is_scrounged(tank)
    assert not is_manned_by(tank, unit)
    assert not has_aamg(tank)
    assert not leader.is_armor_leader
    assert leader.is_personnel
    assert seen_fortifications(state, GERMAN) == []


def test_what_is_true_of_a_vehicle_outlives_a_remark(tells: Tells) -> None:
    tank = piece("t", GERMAN, "PzKpfw IVH", "Y17", scrounged=True, manned_by="g2", aamg=True)
    unit = piece("g2", GERMAN, "4-6-7", "Y17", aboard="t")
    mines = Fortification(kind=FortificationKind.AP_MINES, at="V12", owner=BRITISH, hidden=True)
    state = campaign_at(
        "scenario",
        tank,
        unit,
        fortifications=[mines],
        minefield_counters=((FortificationKind.AP_MINES, "V12"),),
    )
    position = to_position(state)
    said = [msgspec.structs.replace(each, notes="ours!") for each in position.vehicles]
    hidden = [msgspec.structs.replace(each, notes="?") for each in position.fortifications]
    position = msgspec.structs.replace(position, vehicles=tuple(said), fortifications=tuple(hidden))
    after = take_position(state, position)
    found = after.vehicle("t")
    assert (found.scrounged, found.manned_by, found.aamg) == (True, "g2", True)
    assert found.notes == "ours!"
    assert is_manned_by(found, after.piece("g2"))
    (shown,) = seen_fortifications(after, GERMAN)
    assert shown.kind is FortificationKind.MINEFIELD
    (line,) = [each for each in force_lines(after, GERMAN) if each.id == "t"]
    tells(line.notes, "AAMG", "g2", "Scrounged")


@pytest.mark.rule("9.6141a-a", "9.6141b-a")
@pytest.mark.parametrize("how", ["abandoned", "on foot", "lost", "aboard"])
def test_who_has_left_a_vehicle_in_play_mans_it_no_longer(how: str) -> None:
    tank = piece("t", GERMAN, "PzKpfw IVH", "Y17", manned_by="h")
    unit = piece("h", GERMAN, "2-4-7", "Y17", aboard="t")
    state = campaign_at("scenario", tank, unit)
    position = to_position(state)
    (vehicle,), (inside,) = position.vehicles, position.units
    if how == "abandoned":
        vehicle = msgspec.structs.replace(vehicle, status=(VehicleStatus.ABANDONED,))
    elif how == "on foot":
        inside = msgspec.structs.replace(inside, at="Y16", aboard="")
    units = () if how == "lost" else (inside,)
    position = msgspec.structs.replace(position, vehicles=(vehicle,), units=units)
    after = take_position(state, position)
    assert after.vehicle("t").manned_by == ("h" if how == "aboard" else "")


@pytest.mark.finding("F-16")
def test_the_campaigns_own_catalogue_is_asked_for_a_type() -> None:
    state = campaign_at("9.614", piece("t", GERMAN, "PzKpfw IVH", "Y17"))
    known = state.type_of(state.piece("t"))
    assert isinstance(known, VehicleType)
    corrections = {"german": {"PzKpfw IVH": {"radio": not known.radio}}}
    own = change(state, catalogue_corrections=corrections)
    corrected = own.type_of(own.piece("t"))
    assert isinstance(corrected, VehicleType)
    assert corrected.radio is not known.radio


def test_a_piece_becomes_another_type_of_its_class_and_no_other() -> None:
    state = campaign_at("9.606", piece("b", BRITISH, "6-4-8", "Z15"))
    half = update(state, "b", type="3-3-8").piece("b")
    assert (half.type, half.kind) == ("3-3-8", "half_squad")
    with pytest.raises(PBCGError):
        update(state, "b", type="LMG")
    with pytest.raises(PBCGError):
        CampaignGame().correct(state, "pieces/b/type", "LMG")
    corrected, _ = CampaignGame().correct(state, "pieces/b/type", "3-3-8")
    assert corrected.piece("b").kind == "half_squad"


def test_a_word_that_is_no_status_of_a_piece_is_noticed() -> None:
    state = campaign_at("9.606", piece("b", BRITISH, "6-4-8", "Z15"))
    with pytest.raises(AssertionError):
        add_status(state, "b", "immobilized")


def test_what_goes_lets_go_of_all_that_it_was_tied_to() -> None:
    state = campaign_at(
        "9.606",
        piece("b", BRITISH, "6-4-8", "Z15", possesses="w", aboard="v"),
        piece("w", BRITISH, "LMG", "Z15"),
        piece("v", BRITISH, "Carrier C", "Z15", manned_by="b", tows="gun"),
        piece("gun", BRITISH, "57L AT", "Z15", status="hooked"),
        piece("p", GERMAN, "4-6-7", "Z15", status="prisoner", guarded_by="b"),
    )
    without = remove(state, "b", "eliminated")
    assert without.vehicle("v").manned_by == ""
    assert without.unit("p").guarded_by == ""
    without = remove(without, "v", "eliminated")
    assert not without.piece("gun").has("hooked")
    assert transfer(state, "w").unit("b").possesses == ()


@pytest.mark.parametrize(
    ("id", "type", "given", "words"),
    [
        ("b", "6-4-8", UnitStatus.BROKEN, UnitStatus),
        ("w", "LMG", UnitStatus.DM, EquipmentStatus),  # the same word, of another list
        ("t", "PzKpfw IVH", EquipmentStatus.LOW_AMMO, VehicleStatus),
    ],
)
def test_a_status_is_of_the_pieces_own_list_from_position_to_roster_line(
    id: str, type: str, given: Status, words: type[Status]
) -> None:
    game = CampaignGame()
    side = BRITISH if id == "b" else GERMAN
    state = add_status(campaign_at("9.606", piece(id, side, type, "Z15")), id, given)
    again = game.decode(game.encode(state))
    taken = take_position(again, to_position(again))
    (line,) = (line for line in force_lines(taken, side) if line.id == id)
    for status in (state.piece(id).status, again.piece(id).status, taken.piece(id).status):
        assert [each.__class__ for each in status] == [words]
        assert status == (given,)
    assert line.status == (given,)


@pytest.mark.parametrize("section", PIECES)
def test_a_piece_has_every_fact_of_its_entry_in_a_position(section: str) -> None:
    kinds = {each for each in CLASSES.values() if each.section == section}
    for kind in kinds:
        assert set(LISTS[section].__struct_fields__) <= set(kind.__struct_fields__)
    assert kinds
