"""The difference that an end position makes, as whoever looks at it is told."""

from __future__ import annotations

import pytest
from refit_helpers import campaign_at, piece
from sentences import Tells

from asl_pbcg.campaign.entry.position_check import Raw, check_raw
from asl_pbcg.campaign.position import Fortification, Terrain
from asl_pbcg.campaign.position_words import FortificationKind, TerrainKind
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.seen import known_by
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.chronicle.difference import Difference, end_position_difference

B, G = Side.BRITISH, Side.GERMAN
SQUADS = [piece(f"b-648-{n}", B, "6-4-8", at="X18") for n in (1, 2, 3)]
HIDDEN = piece("g-467-9", G, "4-6-7", at="R12", hip=True)


def difference(
    state: Campaign, viewers: tuple[Side, ...] = (), **lists: list[dict[str, str]] | dict[str, str]
) -> Difference:
    data = {"format": "pbcg-position/1", "date": "night-1", **lists}
    position = check_raw(Raw("position", data), state.board, state.catalogue).position
    return end_position_difference(known_by(state, viewers), position, viewers)


def campaign(*pieces: object) -> Campaign:
    return campaign_at("scenario", *pieces, date=CGDate.NIGHT_1)


def unit(id: str, type: str, at: str, side: Side = B, **more: object) -> dict[str, object]:
    return {"id": id, "side": side.value, "type": type, "at": at, **more}


@pytest.mark.finding("J-40")
def test_what_is_gone_stands_first_with_its_cvp(tells: Tells) -> None:
    state = campaign(*SQUADS)
    units = [unit("b-648-1", "6-4-8", "X18"), unit("b-648-2", "6-4-8", "Y18", status=["broken"])]
    told = difference(state, units=units)
    tells([told.summary], "1 piece gone", "6-4-8 A-3", "2 CVP of Personnel", "1 moved")
    gone, moved = told.lines
    tells([gone.text], "6-4-8 A-3", "2 CVP", "gone from X18")
    assert (gone.what, gone.cvp, gone.topic.pieces) == ("gone", 2, ("b-648-3",))
    tells([moved.text], "From X18 to Y18", "broke")
    assert moved.topic.places == ("X18", "Y18")


@pytest.mark.finding("J-40")
def test_halves_new_pieces_and_control_are_told_where_they_are(tells: Tells) -> None:
    state = campaign(*SQUADS[:1])
    units = [unit("b-648-1", "3-3-8", "X18"), unit("h2", "3-3-8", "X20")]
    units.append(unit("b-9-1-1", "9-1", "X20"))
    told = difference(state, units=units, control={"british": ["X20"]})
    assert [line.what for line in told.lines] == ["changed", "new", "new", "control"]
    tells([told.lines[0].text], "Deployed")
    assert (told.lines[3].at, told.lines[3].topic.kind) == ("X20", "control")


@pytest.mark.finding("J-40")
def test_what_a_side_hides_is_no_loss_and_the_other_is_told_nothing_of_it() -> None:
    state = campaign(*SQUADS, HIDDEN)
    units = [unit(each.id, each.type, each.at) for each in SQUADS]
    assert difference(state, (G,), units=units).lines[0].what == "unlisted"
    without = difference(campaign(*SQUADS), (B,), units=units)
    assert difference(state, (B,), units=units) == without


@pytest.mark.finding("J-40")
def test_a_piece_that_stays_as_it_was_is_not_told() -> None:
    state = campaign(*SQUADS)
    units = [unit(each.id, each.type, each.at) for each in SQUADS]
    assert difference(state, units=units).lines == ()


@pytest.mark.finding("J-40")
@pytest.mark.rule("9.4-CG14-a")
def test_ground_that_is_not_listed_is_not_called_gone(tells: Tells) -> None:
    """The players are asked; a fire that is not listed is out."""
    wire = Fortification(kind=FortificationKind.WIRE, at="Z21", owner=G)
    rubble = Terrain(kind=TerrainKind.RUBBLE_STONE, at="Z15")
    blaze = Terrain(kind=TerrainKind.BLAZE, at="M14")
    state = campaign_at("scenario", fortifications=[wire], terrain=[rubble, blaze])
    told = difference(state)
    unlisted = {line.at for line in told.lines if "asked next" in line.text}
    assert ({line.at for line in told.lines}, unlisted) == ({"Z21", "Z15", "M14"}, {"Z21", "Z15"})
