"""At a shared screen with the curtain down stands what both know, and no more."""

from __future__ import annotations

from pathlib import Path

import pytest
from refit_helpers import campaign_at, piece

from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
from asl_pbcg.campaign.state.campaign_state import change
from asl_pbcg.campaign.state.seen import frozen
from asl_pbcg.campaign.terms import Side
from asl_pbcg.chronicle.deeds import known_pieces
from asl_pbcg.chronicle.reph_summary import reph_summary
from asl_pbcg.kernel.errors import NeedsReason, PBCGError
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.session import Session
from asl_pbcg.play.campaign_game.campaign_plug import CampaignPlug
from asl_pbcg.play.campaign_game.viewer_tables import viewer_tables
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.seat import Seat
from asl_pbcg.refit.sequence import CampaignGame

PIECES = (piece("g1", Side.GERMAN, "4-6-7", "M12"), piece("b1", Side.BRITISH, "6-4-8", "Z15"))


@pytest.fixture
def game() -> OpenGame:
    """CG II as the German is asked in secret what to buy."""
    journal = Journal.in_memory({"settings": {"campaign": "CG2"}, "dice": "seeded", "seed": 1})
    session = Session(CampaignGame(), journal)
    return OpenGame(Path("evening.pbcg"), CampaignPlug(PEGASUS_BRIDGE), session, True)


@pytest.mark.finding("J-09")
def test_the_short_refit_phase_is_there_for_both() -> None:
    sheet = reph_summary(None, campaign_at("9.606", *PIECES), "")
    assert ("Seen by", "Both sides") in sheet.facts


@pytest.mark.finding("J-09")
def test_both_know_of_pieces_what_each_has_shown() -> None:
    state = change(frozen(campaign_at("9.606", *PIECES)), at="9.614")
    moved = change(state, pieces=(piece("g1", Side.GERMAN, "4-6-7", "M13"),))
    assert {id: each.at for id, each in known_pieces(moved, "").items()} == {
        "g1": "M12", "b1": "Z15",
    }  # fmt: skip


@pytest.mark.finding("J-09")
def test_losses_of_a_side_are_refused_with_the_curtain_down(game: OpenGame) -> None:
    with pytest.raises(PBCGError, match="alone looks"):
        viewer_tables(Seat(game, "both"), "losses")
    assert viewer_tables(Seat(game, "both", "british"), "losses")


@pytest.mark.finding("J-09")
@pytest.mark.parametrize("eyes", ["", "british"])
def test_the_count_does_not_go_up_with_another_s_secrets(game: OpenGame, eyes: str) -> None:
    before = Seat(game, "both", eyes).seq
    Seat(game, "both", "german").answer("done")
    game.note_change()
    assert Seat(game, "both", eyes).seq == before
    assert Seat(game, "both", "german").seq == before + 1


@pytest.mark.finding("J-03")
def test_an_undo_with_the_curtain_down_says_the_same_at_any_moment(game: OpenGame) -> None:
    seat, told = Seat(game, "both"), []
    for moment in range(2):
        for step in ("dawn/9.617", "dawn/9.619"):
            with pytest.raises(PBCGError) as refused:
                seat.undo_to(step, "a slip")
            told.append(str(refused.value))
        with pytest.raises(NeedsReason) as needs:
            seat.undo()
        told.append(str(needs.value))
        if not moment:
            Seat(game, "both", "german").answer("done")
    assert told[:3] == told[3:]
