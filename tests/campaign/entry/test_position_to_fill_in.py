"""The position to fill in: what has been Retained elsewhere since has no place (F-20, F-21)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from refit_helpers import campaign_at, piece

from asl_pbcg.campaign.entry.position_draft import Draft
from asl_pbcg.campaign.entry.position_files import read_position, write_position
from asl_pbcg.campaign.position import Position
from asl_pbcg.campaign.state.campaign_state import Bought
from asl_pbcg.campaign.state.ob_merge import to_position
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.errors import FaultsError
from asl_pbcg.play.campaign_game.to_fill_in import neither, position_to_fill_in, with_last_places
from asl_pbcg.web.draft_trays import tray

B, G = Side.BRITISH, Side.GERMAN


def filled_in(*pieces: Any, **more: Any) -> tuple[Position, Any]:
    """The position to fill in of a campaign whose areas are those of these pieces."""
    state = campaign_at("9.620", *pieces, date=CGDate.DAWN, **more)
    return position_to_fill_in(state), state


@pytest.mark.finding("F-20")
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
    position = position_to_fill_in(state)
    assert [(each.id, each.at) for each in position.units] == [("g-1", "L10")]


def test_control_of_what_is_no_strategic_location_any_more_is_left_out() -> None:
    # V22 was one while an Immobile tank with functioning MA stood in it.
    tank = piece("g-t", G, "35-S 739(f)", at="V22", area="A")
    position, state = filled_in(tank, british=["X18"], german=["L9", "V22"])
    assert "V22" not in position.control.german and "L9" in position.control.german
    assert "V22" not in neither(position, state) and "Y19" in neither(position, state)


def gone_and_there() -> tuple[Any, ...]:
    """A squad that Escaped to area A with its LMG and prisoner, and one that never left it."""
    return (
        piece("b-1", B, "6-4-8", at="X18", area="A"),
        piece("b-2", B, "6-4-8", at="Z23", area="A", possesses="lmg"),
        piece("lmg", B, "LMG", at="Z23", area="A"),
        piece("g-1", G, "4-4-7", at="Z23", status="prisoner", guarded_by="b-2"),
    )


@pytest.mark.finding("G-12")
@pytest.mark.rule("9.6061-a")
@pytest.mark.parametrize("sees", ["umpire", "british"])
def test_where_a_piece_was_last_is_not_where_it_escaped_from(sees: str) -> None:
    """The template, "last" at the terminal and in the page: no piece is put back."""
    _, state = filled_in(*gone_and_there(), british=["X18"], german=["L9"])
    position = position_to_fill_in(state)
    assert {each.id: each.at for each in position.units} == {"b-1": "X18", "b-2": "", "g-1": ""}
    known = to_position(with_last_places(state), everything=True).pieces
    draft = Draft(state, state.board, state.catalogue, known=known)
    assert draft.from_last() == 1
    assert [(each.id, each.at) for each in draft.position.pieces] == [("b-1", "X18")]
    assert {each.entry.id: each.entry.at for each in tray(state, sees)} == {
        "b-1": "X18", "b-2": "", "lmg": "", "g-1": "",
    }  # fmt: skip


@pytest.mark.finding("J-46")
@pytest.mark.rule("9.4-CG11-a")
@pytest.mark.parametrize("held", ["at other", "other at"])
def test_who_mans_the_gun_that_never_moves_is_with_it(held: str) -> None:
    crew = piece("g-1", G, "1-2-7", at="X18", area="A", possesses=held)
    guns = [piece(id, G, "50L AT", at=at, area="A") for id, at in (("at", "X20"), ("other", "X18"))]
    _, state = filled_in(crew, *guns, british=["L9"], german=["X18", "X20"])
    assert {each.at for each in with_last_places(state).pieces} == {"X20"}


@pytest.mark.finding("G-12")
def test_what_is_carried_is_where_its_holder_was_last() -> None:
    truck = piece("g-t", G, "Kfz 1", at="L9", area="A")
    squad = piece("g-1", G, "4-4-7", at="M12", area="A", aboard="g-t", possesses="mg")
    gun = piece("mg", G, "LMG", at="", area="A")
    state = campaign_at("9.620", truck, squad, gun, date=CGDate.DAWN, german=["L9", "M12"])
    assert {each.at for each in with_last_places(state).pieces} == {"L9"}


@pytest.mark.finding("G-13")
@pytest.mark.parametrize("suffix", [".yaml", ".json", ".xlsx"])
@pytest.mark.parametrize("possesses", ["at", ""])
def test_control_of_the_location_of_a_gun_that_a_crew_possesses_is_kept(
    suffix: str, possesses: str, tmp_path: Path
) -> None:
    """A Gun that is possessed has no place of its own; L10 is a Strategic Location by it."""
    crew = piece("g-1", G, "1-2-7", at="L10", area="A", possesses=possesses)
    gun = piece("at", G, "50L AT", at="L10", area="A")
    position, state = filled_in(crew, gun, british=["X18"], german=["L9", "L10"])
    assert "L10" in position.control.german
    assert "L10" not in neither(position, state)
    file = tmp_path / f"to-fill-in{suffix}"
    write_position(position, file)
    assert read_position(file, state.board, state.catalogue).control.german == ("L9", "L10")


@pytest.mark.finding("G-11")
@pytest.mark.rule("9.62022-c")
@pytest.mark.parametrize("suffix", [".yaml", ".json", ".xlsx"])
def test_a_fortification_that_has_no_hex_yet_stands_in_the_template(
    suffix: str, tmp_path: Path
) -> None:
    """For its owner and the umpire; what is left empty is told as missing."""
    bought = (
        Bought(key="b-fpp-1", side=B, kind="foxhole-2s", date=CGDate.DAWN, cost=2),
        Bought(key="b-fpp-2", side=B, kind="dummy", date=CGDate.DAWN, cost=1),
    )
    state = campaign_at("0.1", date=CGDate.DAWN, british=["X18"], german=["L9"], bought=bought)
    assert position_to_fill_in(state, G).fortifications == ()
    for side in (None, B):
        position = position_to_fill_in(state, side)
        assert [(str(each.kind), each.at, each.size) for each in position.fortifications] == [
            ("foxhole", "", 2)
        ]
    file = tmp_path / f"to-fill-in{suffix}"
    write_position(position, file)
    with pytest.raises(FaultsError) as told:
        read_position(file, state.board, state.catalogue)
    assert [fault.wrong for fault in told.value.faults] == ["is missing"]
