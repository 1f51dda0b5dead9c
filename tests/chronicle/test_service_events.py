"""Service records, losses and the summary tell what events say, and no more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from escape_help import ground
from refit_helpers import BRITISH, GERMAN, campaign_at, piece

from asl_pbcg.campaign.position_words import UnitStatus
from asl_pbcg.campaign.sheets.ledger import force_lines
from asl_pbcg.campaign.sheets.record_tables import force_tables
from asl_pbcg.campaign.state.campaign_events import happen
from asl_pbcg.campaign.state.campaign_state import Campaign, change
from asl_pbcg.campaign.state.piece_changes import add_pieces, update
from asl_pbcg.campaign.state.piece_events import (
    CapturedInPlay,
    Deployed,
    Recovered,
    Replaced,
    Replenished,
)
from asl_pbcg.campaign.state.seen import frozen
from asl_pbcg.chronicle.reph_summary import reph_summary
from asl_pbcg.chronicle.service import Chronicle, recent_events
from asl_pbcg.kernel.entries import Entry
from asl_pbcg.kernel.moments import EntryMoment
from asl_pbcg.kernel.prompts import GameEvent, Prompt, Script
from asl_pbcg.kernel.views import UMPIRE
from asl_pbcg.refit.helpers.equipment import settle_deployment
from asl_pbcg.refit.helpers.subjects import PASS, own_turn
from asl_pbcg.refit.helpers.unit_changes import eliminate, replace
from asl_pbcg.refit.s600_scenario_end import table_events, tell_what_happened


def gather(script: Script[Any], *answers: object) -> tuple[Any, tuple[GameEvent, ...]]:
    """Run a script with its answers; what it returns and its events."""
    given, found, sent = list(answers), list[GameEvent](), None
    while True:
        try:
            item = script.send(sent)
        except StopIteration as finished:
            return finished.value, tuple(found)
        sent = None
        if isinstance(item, GameEvent):
            found.append(item)
        elif given:
            sent = item.check(given.pop(0))  # type: ignore[union-attr]


def moment(
    step: str, before: Campaign, after: Campaign, events: Sequence[GameEvent]
) -> EntryMoment[Campaign]:
    return EntryMoment(step=step, before=before, after=after, events=tuple(events))


def played(before: Campaign, after: Campaign, viewer: str = UMPIRE) -> Chronicle:
    """The chronicle of one CG scenario that ends with ``after``."""
    _, events = gather(tell_what_happened(before, after, {each.id for each in after.pieces}))
    return Chronicle(after, [moment("dawn/scenario", before, after, events)], viewer)


@pytest.mark.finding("J-20")
def test_squads_that_deploy_in_one_answer_lose_nothing() -> None:
    squads = [piece(f"g{n}", GERMAN, "4-6-7", "P14") for n in range(3)]
    before = ground(*squads, piece("g9", GERMAN, "8-0", "P14"))
    ids = [each.id for each in squads]
    (after, _), events = gather(settle_deployment(before, ids), ids)
    assert [type(each) for each in events] == [Deployed] * 3
    told = Chronicle(after, [moment("dawn/9.606", before, after, events)], UMPIRE)
    assert told.losses(GERMAN) == []
    for id in ids:
        (line,) = told.record(id).lines  # type: ignore[union-attr]
        assert line.text.startswith("Deployed into 2-4-7") and "reduced" not in line.text
    halves = [each.id for each in after.pieces if each.type == "2-4-7" and each.id not in ids]
    assert {told.record(id).ancestors[0].id for id in halves} == {*ids}  # type: ignore[union-attr]
    sheet = reph_summary(before, after, events=recent_events(told))
    rows = {row["what"]: row["pieces"] for row in sheet.tables["events"]}
    assert "Deployed" in rows and not any(what.startswith("Reduced") for what in rows)


@pytest.mark.finding("J-20")
def test_a_scenario_tells_deployed_squads_as_no_loss() -> None:
    squads = [piece(f"b{n}", BRITISH, "6-4-8", at) for n, at in enumerate(("Z15", "Z16", "Y17"))]
    before = campaign_at("scenario", *squads)
    after = change(before, at="9.601")
    for squad in squads:
        after = update(after, squad.id, type="3-3-8")
    for at in ("Z16", "Z15"):
        after = add_pieces(after, BRITISH, [("3-3-8", 1)], openly=True, at=at)
    lost = played(before, after).losses(BRITISH)
    assert [(each.piece, each.squads) for each in lost] == [("6-4-8 b2", 0.5)]


@pytest.mark.finding("J-21")
def test_without_a_state_before_the_summary_says_not_kept() -> None:
    after = ground(piece("g0", GERMAN, "4-6-7", "P14"))
    assert {row["what"] for row in reph_summary(None, after).tables["events"]} == {"Not kept"}


@pytest.mark.finding("J-22")
def test_a_squad_replaced_by_two_hs_is_not_told_as_deployed() -> None:
    before = ground(piece("b0", BRITISH, "6-4-8", "V12"))
    after, events = gather(replace(before, "b0", "9.606 note 2"), "underscored")
    assert [type(each) for each in events] == [Replaced]
    told = Chronicle(after, [moment("dawn/9.606", before, after, events)], UMPIRE)
    assert told.record("b0").lines[0].text.startswith("Replaced by two HS")  # type: ignore[union-attr]
    assert told.losses(BRITISH) == []
    (row,) = summary_rows(told, before, "Replaced")
    assert (row["section"], row["rule"]) == ("British", "9.606")


def summary_rows(told: Chronicle, before: Campaign, what: str) -> list[dict[str, Any]]:
    sheet = reph_summary(before, told.state, told.viewer, events=recent_events(told))
    return [dict(row) for row in sheet.tables["events"] if row["what"] == what]


def test_restored_ammunition_stands_in_the_summary() -> None:
    tank = piece("g-tank-1", GERMAN, "PzKpfw IVH", "P14", depleted=("APCR",))
    before = ground(tank)
    after = update(before, "g-tank-1", depleted=())
    _, events = gather(happen(before, after, Replenished(piece=before.piece("g-tank-1"))))
    told = Chronicle(after, [moment("dawn/9.614", before, after, events)], UMPIRE)
    (row,) = summary_rows(told, before, "Replenished")
    assert (row["section"], row["rule"]) == ("German", "9.614")


def corrected(before: Campaign, after: Campaign, viewer: str, secret: str = "") -> Chronicle:
    """The chronicle of one correction in 9.606, a secret of one side or open."""
    entry = Entry(kind="correction", seq=7, side=secret, secret=bool(secret), body={})
    told = EntryMoment(step="dawn/9.606", before=before, after=after, entry=entry)
    return Chronicle(after, [told], viewer)


def test_a_piece_brought_by_a_correction_is_new_in_the_summary() -> None:
    before = ground(piece("b0", BRITISH, "6-4-8", "V12"))
    after = change(before, pieces=(*before.pieces, piece("b1", BRITISH, "3-3-8", "V12")))
    (row,) = summary_rows(corrected(before, after, UMPIRE), before, "New")
    assert (row["section"], row["pieces"].split()[0]) == ("British", "3-3-8")


@pytest.mark.parametrize("secret, rows", [("", 1), ("german", 0)])
def test_a_corrected_type_is_told_to_the_enemy_unless_secret(secret: str, rows: int) -> None:
    before = ground(piece("g0", GERMAN, "4-6-7", "V12"))
    after = update(before, "g0", type="4-6-8")
    told = corrected(before, after, BRITISH.value, secret)
    assert len(summary_rows(told, before, "Changed type")) == rows


def test_the_type_of_the_enemys_equipment_is_told_to_its_owner_alone() -> None:
    before = ground(piece("g0", GERMAN, "LMG", "V12"))
    after = update(before, "g0", type="HMG")
    for viewer, rows in ((BRITISH.value, 0), (GERMAN.value, 1)):
        told = corrected(before, after, viewer)
        assert len(summary_rows(told, before, "Changed type")) == rows


def test_the_summary_goes_by_the_order_of_events() -> None:
    start = ground(piece("b0", BRITISH, "6-4-8", "V12"), piece("b1", BRITISH, "6-4-8", "V12"))
    hurt = update(start, "b1", status=(UnitStatus.BROKEN,))
    both = update(update(hurt, "b0", status=(UnitStatus.BROKEN,)), "b1", at="V13")
    _, first = gather(happen(start, hurt, Recovered(piece=start.piece("b1"))))
    _, second = gather(happen(hurt, both, Recovered(piece=hurt.piece("b0"))))
    told = Chronicle(both, [moment("dawn/9.603", start, both, (*first, *second))], UMPIRE)
    assert recent_events(told) == [*first, *second]


@pytest.mark.finding("J-07")
def test_who_holds_a_captured_piece_in_hiding_alone_hears_of_it() -> None:
    before = ground(piece("b-lmg-2", BRITISH, "LMG", "X20"), piece("g0", GERMAN, "4-6-7", "X20"))
    hidden = update(
        before, "b-lmg-2", side=GERMAN, at="Z25", status=("captured", UnitStatus.HIDDEN)
    )
    _, events = gather(tell_what_happened(before, hidden, {"g0"}))
    (event,) = (each for each in events if isinstance(each, CapturedInPlay))
    assert (event.side, event.secret) == ("german", True)


@pytest.mark.finding("J-07")
def test_what_is_eliminated_in_its_captors_hands_does_not_tell_of_which_rg_it_was() -> None:
    weapon = piece(
        "g-lmg-1", BRITISH, "LMG", "X20", status=("captured",), rg="I5-1", formation="PzPionier"
    )
    before = ground(weapon)
    for side, tells in (("british", False), (UMPIRE, False), ("german", False)):
        after, events = gather(eliminate(before, "g-lmg-1", "not repaired"))
        told = Chronicle(after, [moment("dawn/9.606", before, after, events)], side)
        record = told.record("g-lmg-1")
        assert record and ("PzPionier" in record.lines[0].text) is tells, side


@pytest.mark.finding("J-22")
def test_pieces_from_paper_are_taken_over_and_no_honour() -> None:
    before = change(campaign_at("scenario"), pieces=(), received_count={})
    gun = piece("b-50l-1", BRITISH, "50L AT", "Z15", status=("captured",))
    after = campaign_at("9.601", piece("b0", BRITISH, "6-4-8", "Z15"), gun)
    told = played(before, after)
    lines = [line.text for each in told.records(BRITISH) for line in each.lines]
    assert lines and all(line.startswith("Taken over from paper") for line in lines)
    assert told.honours(BRITISH) == []


@pytest.mark.finding("J-23")
def test_a_force_roster_table_says_who_possesses_what() -> None:
    unit = piece("b0", BRITISH, "6-4-8", "Z15", possesses=("b-lmg-1",))
    state = ground(unit, piece("b-lmg-1", BRITISH, "LMG", "Z15"))
    tables = force_tables(force_lines(state, BRITISH))
    holders = {row["type"]: row["possessed_by"] for row in tables["pieces"].rows}
    assert holders["LMG"] and not holders["6-4-8"]
    (held,) = tables["possessions"].rows
    assert (held["type"], held["equipment"], held["piece"]) == ("6-4-8", "LMG", holders["LMG"])


@pytest.mark.finding("J-25")
def test_a_squad_reduced_and_captured_is_lost_once() -> None:
    guard = piece("b0", BRITISH, "6-4-8", "Z15")
    before = campaign_at("scenario", guard, piece("g0", GERMAN, "4-3-6", "Z15"))
    after = update(change(before, at="9.601"), "g0", type="2-3-6")
    after = update(after, "g0", status=(UnitStatus.PRISONER,), guarded_by="b0")
    lost = played(before, after).losses(GERMAN)
    assert sum(each.squads for each in lost) == 1.0
    assert [each.kind for each in lost] == ["Reduced", "Taken prisoner"]


@pytest.mark.finding("J-26")
def test_a_squad_that_deployed_in_secret_is_no_loss_to_the_enemy() -> None:
    start = frozen(campaign_at("9.613", piece("g0", GERMAN, "4-4-7", "P14")))
    first = update(start, "g0", type="2-4-7")
    after = add_pieces(first, GERMAN, [("2-4-7", 1)], at="P14")
    into = (after.piece("g0"), after.pieces[-1])
    script = own_turn(start, happen(start, after, Deployed(piece=start.piece("g0"), into=into)),
                      GERMAN, "9.613")  # fmt: skip
    _, events = gather(script, "on")
    scenario = change(after, at="scenario", seen=None)
    over = change(scenario, at="9.601")
    spans = [
        moment("dawn/9.613", start, after, events),
        moment("dawn/scenario", scenario, over, [*table_events(scenario, over)]),
    ]
    assert Chronicle(over, spans, BRITISH.value).losses(GERMAN) == []


@pytest.mark.finding("J-27")
def test_a_turn_without_questions_ends_with_the_state_it_led_to() -> None:
    before = ground(piece("g0", GERMAN, "4-6-7", "P14"))
    after = update(before, "g0", area="B")

    def turn() -> Script[Campaign]:
        yield from ()
        return after

    asked = next(own_turn(before, turn(), GERMAN, "9.613"))
    assert isinstance(asked, Prompt) and asked.id == PASS and asked.state is after
