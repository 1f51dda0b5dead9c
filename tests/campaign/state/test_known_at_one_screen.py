"""Both at one screen: what tells which of two pieces seen before has HIP now, and what does not."""

from __future__ import annotations

from itertools import product

import msgspec
import pytest
from refit_helpers import campaign_at, piece

from asl_pbcg.campaign.state.campaign_state import Campaign, change
from asl_pbcg.campaign.state.seen import frozen, known_by
from asl_pbcg.campaign.terms import Side

SQUADS = ("g1", "g2")


def twin(hidden: str, at: str) -> Campaign:
    """A campaign in which both squads were seen and ``hidden`` has HIP now."""
    squads = (
        piece("g1", Side.GERMAN, "4-6-7", "M12"),
        piece("g2", Side.GERMAN, "4-6-7", "M13"),
        piece("b1", Side.BRITISH, "6-4-8", "Z15"),
    )
    state = change(frozen(campaign_at("9.606", *squads)), at=at)
    now = (msgspec.structs.replace(each, hip=each.id == hidden) for each in squads)
    return change(state, pieces=tuple(now))


@pytest.mark.finding("J-09")
@pytest.mark.parametrize("at", ["9.619", "9.620", "scenario"])
def test_before_the_scenario_is_played_nothing_tells_who_has_hip(at: str) -> None:
    twins = [twin(hidden, at) for hidden in SQUADS]
    for viewers, played in product([(Side.BRITISH,), tuple(Side)], [False, True]):
        if len(viewers) > 1 and played:
            continue
        first, second = (known_by(state, viewers, played) for state in twins)
        assert first == second


@pytest.mark.finding("J-09")
def test_once_it_is_played_both_know_the_place_of_who_set_up_openly_and_no_more() -> None:
    for hidden, open_squad in (SQUADS, SQUADS[::-1]):
        state = twin(hidden, "scenario")
        known = {each.id: each for each in known_by(state, tuple(Side)).pieces}
        assert known.keys() == {"g1", "g2", "b1"}
        assert known[open_squad].at == state.piece(open_squad).at
        assert not known[hidden].at
        blank = {id: msgspec.structs.replace(each, at="", hip=False) for id, each in known.items()}
        before = known_by(state, tuple(Side), played=False).pieces
        assert blank == {
            each.id: msgspec.structs.replace(each, at="", hip=False) for each in before
        }
