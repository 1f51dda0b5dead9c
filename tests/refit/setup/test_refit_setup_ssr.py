"""CG8 and CG9 at setup: vehicles that begin abandoned, status that only their owner knows."""

from __future__ import annotations

import msgspec
import pytest
from refit_helpers import BRITISH, GERMAN, campaign_at, piece, run_step, told

from asl_pbcg.campaign.position import FORMAT, EquipmentEntry, Position, VehicleEntry
from asl_pbcg.campaign.position_words import EquipmentStatus, VehicleStatus
from asl_pbcg.campaign.sheets.ledger import force_lines
from asl_pbcg.campaign.state.campaign_state import Campaign, change
from asl_pbcg.campaign.state.record_lines import ForceLine, for_side
from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.kernel.views import for_side as lines_for
from asl_pbcg.refit.helpers.vehicle_actions import abandon
from asl_pbcg.refit.s620_commencement import commencement
from asl_pbcg.refit.setup.setup_rules import setups


def before_setup() -> Campaign:
    """Day II is next, the Germans set up first; both hold a Setup Area near the bridge."""
    return campaign_at(
        "9.620",
        piece("g-t", GERMAN, "PzKpfw IVH", "Z15", area="A"),
        piece("g-at", GERMAN, "50L AT", "Z15", area="A"),
        piece("b1", BRITISH, "6-4-8", "X18", area="A"),
        date=CGDate.DAY_2,
        british=["X18"],
        german=["Z15"],
        gliders={"V16": "landed"},
    )


@pytest.mark.rule("9.4-CG8-a", "9.4-CG8-b")
def test_a_vehicle_may_begin_abandoned_with_its_crew_in_the_same_area() -> None:
    state, crew = abandon(before_setup(), "g-t")
    state, _ = run_step(change(state, at="9.620"), commencement, ["none", "none"])
    assert state.piece("g-t").has("abandoned")
    assert state.piece(crew).area == state.piece("g-t").area == "A"
    allowed = {each.piece.id: each for each in setups(state, GERMAN)}
    tank, men = allowed["g-t"], allowed[crew]
    assert men.hexes
    assert tank.hexes is None or tank.hexes == men.hexes


@pytest.mark.rule("9.4-CG9-a")
def test_status_recorded_at_setup_is_its_owners_secret() -> None:
    tank = VehicleEntry(
        id="g-t", side=GERMAN, type="PzKpfw IVH", at="Z15", tca="Y15/Y16",
        status=(VehicleStatus.BOGGED, VehicleStatus.CE, VehicleStatus.MA_MALFUNCTIONED),
    )  # fmt: skip
    gun = EquipmentEntry(
        id="g-at", side=GERMAN, type="50L AT", at="Z15", status=(EquipmentStatus.MALFUNCTIONED,)
    )
    setup = Position(format=FORMAT, date=CGDate.DAY_2, vehicles=(tank,), equipment=(gun,))
    document = msgspec.to_builtins(setup)
    state, lines = run_step(before_setup(), commencement, [document, "none"])
    assert set(state.piece("g-t").status) == {"bogged", "ce", "ma-malfunctioned"}
    assert state.piece("g-at").status == ("malfunctioned",)
    seen = told(lines_for(lines, "british"))
    assert not any(word in seen for word in ("bogged", "malfunctioned", "g-t"))
    own = {line.id: for_side(line, "german") for line in force_lines(state, GERMAN)}
    theirs = {line.id: for_side(line, "british") for line in force_lines(state, GERMAN)}
    for id in ("g-t", "g-at"):
        known, shown = own[id], theirs[id]
        assert isinstance(known, ForceLine)
        assert "malfunctioned" in " ".join(known.status)
        assert shown is None or shown.status == ()
