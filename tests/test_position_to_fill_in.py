"""The position to fill in: what has been Retained elsewhere since has no place (F-20, F-21)."""

from __future__ import annotations

from typing import Any

import pytest
from refit_helpers import campaign_at, piece

from asl_pbcg.campaign.position import Position
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.play.to_fill_in import neither, position_to_fill_in

B, G = Side.BRITISH, Side.GERMAN


def filled_in(*pieces: Any, **more: Any) -> tuple[Position, Any]:
    """The position to fill in of a campaign whose areas are those of these pieces."""
    state = campaign_at("9.620", *pieces, date=CGDate.DAWN, **more)
    return position_to_fill_in(state), state


def test_a_piece_retained_elsewhere_has_no_place_and_one_that_stayed_has() -> None:
    stayed = piece("b-1", B, "6-4-8", at="X18", area="A")
    escaped = piece("b-2", B, "6-4-8", at="Z23", area="A")
    position, state = filled_in(stayed, escaped, british=["X18"], german=["L9"])
    assert state.areas.area_of(B, stayed.location).id == "A"
    assert {unit.id: unit.at for unit in position.units} == {"b-1": "X18", "b-2": ""}


def test_a_freed_prisoner_is_no_longer_guarded() -> None:
    freed = piece("g-1", G, "4-4-7", at="X18", area="A", guarded_by="b-1")
    guard = piece("b-1", B, "6-4-8", at="X18", area="A")
    position, _ = filled_in(guard, freed, british=["X18"], german=["L9"])
    unit = next(each for each in position.units if each.id == "g-1")
    assert (unit.guarded_by, unit.at) == ("", "")


def test_what_somebody_possesses_or_carries_has_no_place_of_its_own() -> None:
    squad = piece("b-1", B, "6-4-8", at="X18", area="A", possesses="lmg")
    lmg = piece("lmg", B, "LMG", at="X18", area="A")
    position, _ = filled_in(squad, lmg, british=["X18"], german=["L9"])
    assert [each.at for each in position.equipment] == [""]


@pytest.mark.rule("9.6055-a", "9.6071-e")
def test_who_mans_a_gun_from_elsewhere_in_his_setup_area_is_with_it() -> None:
    """The Gun has stayed in its Location; it is not drawn to where he stood."""
    squad = piece("g-1", G, "4-4-7", at="L9", area="A", possesses="at")
    gun = piece("at", G, "50L AT", at="L10", area="A")
    state = campaign_at("9.620", squad, gun, date=CGDate.DAWN, british=["X18"], german=["L9"])
    position = position_to_fill_in(state, from_last=True)
    assert [(each.id, each.at) for each in position.units] == [("g-1", "L10")]


def test_control_of_what_is_no_strategic_location_any_more_is_left_out() -> None:
    # V22 was one while an Immobile tank with functioning MA stood in it.
    tank = piece("g-t", G, "35-S 739(f)", at="V22", area="A")
    position, state = filled_in(tank, british=["X18"], german=["L9", "V22"])
    assert "V22" not in position.control.german and "L9" in position.control.german
    assert "V22" not in neither(position, state) and "Y19" in neither(position, state)
