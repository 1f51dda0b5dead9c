"""A table of the megagame: phases, markers, checks that are due, the roster, the log file."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from megagame_help import At, line, refusal, settle, triggers, used
from sentences import Tells, raised

from asl_pbcg.kernel.data import load_data
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.megagame.mega_sheets import log_sheet
from asl_pbcg.megagame.table_log import LineDice, TableLog, undo_line
from asl_pbcg.megagame.table_report import status_lines, table_data


@pytest.mark.rule("MG01", "MG02")
def test_the_order_of_the_phases() -> None:
    at = At()
    seen = [(at.table.turn, at.table.phase)]
    for _ in range(5):
        at("next")
        seen.append((at.table.turn, at.table.phase))
    assert seen == [
        (1, "artillery_and_air"),
        (1, "german_movement"),
        (1, "allied_movement"),
        (1, "direct_fire"),
        (1, "building_assaults"),
        (2, "artillery_and_air"),
    ]


@pytest.mark.rule("MG01", "MG03")
def test_the_umpire_may_change_the_phases() -> None:
    order = [*load_data("megagame/phases.yaml")]
    order.append(order.pop(0))
    at = At({"phases": order})
    assert at.table.phase == "german_movement"
    assert "belongs to" in refusal("barrage 105 open", at=at)
    assert at("barrage 105 open", 5, because="a stray salvo").result == "retreat"
    assert At({"phases_refuse": False})("fire lmg", 9, 1, 1).facts["hits"] == 1


@pytest.mark.rule("MG01")
@pytest.mark.parametrize(
    ("phase", "text"),
    [
        ("german", "barrage 105 open"),
        ("german", "flak light"),
        ("artillery", "ambush lmg"),
        ("artillery", "fire lmg"),
        ("allied", "fire lmg"),
        ("direct_fire", "air bomb open"),
        ("direct_fire", "move Paras"),
        ("building", "ambush lmg"),
    ],
)
def test_a_line_of_another_phase_is_refused(phase: str, text: str) -> None:
    at = At.having("Paras british elite 6")
    if phase != "artillery":
        at.phase(phase)
    assert "belongs to" in refusal(text, at=at)


@pytest.mark.rule("MG02")
def test_the_side_that_does_not_move_ambushes(tells: Tells) -> None:
    at = At.having("Paras british elite 6", "Krafft german green 6", phase="german")
    tells(refusal("ambush Krafft lmg at Paras", at=at), "ambush")
    tells(refusal("move Paras", at=at), "phase")
    assert at("ambush Paras lmg at Krafft", 9, 1, 1).facts["hits"] == 2 - 1
    at("morale", 9)
    at.phase("allied")
    tells(refusal("ambush Paras lmg at Krafft", at=at), "ambush")
    assert at("ambush Krafft lmg at Paras", 1, 1, 1).facts["hits"] == 0


@pytest.mark.rule("MG07")
def test_checks_come_before_the_next_phase(tells: Tells) -> None:
    at = At.having("Krafft german green 6")
    assert triggers(at("barrage 105 open at Krafft", 3)) == {"Krafft": ("artillery",)}
    tells(refusal("next", at=at), "5+", "morale")
    at("morale", 7)
    assert at.table.due == ()
    at("next")
    assert at.table.phase == "german_movement"


@pytest.mark.rule("MG07", "MG03")
def test_the_umpire_may_let_a_check_go_with_a_reason(tells: Tells) -> None:
    at = At.having("Krafft german green 6")
    at("barrage 105 open at Krafft", 3)
    outcome = at("next", because="they sit in a bunker")
    tells(outcome.line, "morale")
    assert at.table.due == ()


@pytest.mark.rule("MG07")
def test_all_due_checks_are_rolled_by_one_line_or_with_the_line_itself(tells: Tells) -> None:
    at = At.having("Krafft german green 6", "Spindler german veteran 6")
    at("barrage 105 open at Krafft", 3)
    at("barrage 105 open at Spindler", 3)
    outcome = at("morale", 4, 3)
    assert [rolled.result for rolled in outcome.rolls] == ["fails", "passes"]
    assert at.unit("Krafft").state == "routed"
    outcome = at("barrage 105 open at Spindler", 4, 1, check_now=True)
    assert outcome.checks == ()
    assert at.unit("Spindler").state == "routed"
    tells(at("morale").line, "morale")


@pytest.mark.rule("MG12")
def test_two_checks_of_one_event_are_both_due_where_the_settings_say_so() -> None:
    at = At.having("Tiger german veteran tiger", phase="german", own={"one_check_per_event": False})
    at("ambush light_at at Tiger", 9, 1)
    assert len(at.table.due) == 2
    at("morale Tiger", 9)
    assert len(at.table.due) == 1


@pytest.mark.rule("MG13")
def test_markers_stay_until_the_next_artillery_phase(tells: Tells) -> None:
    at = At.having("Krafft german veteran 6", "Spindler german veteran 6")
    at("barrage 105 at Krafft", 1)
    at("barrage 105 at Spindler", 3)
    at("morale", 9)
    for phase in ("german", "allied", "direct_fire", "building"):
        at.phase(phase)
        assert at.unit("Krafft").marker
        assert at.unit("Spindler").marker
    outcome = at("next")
    tells(outcome.line, "Spindler")
    assert not at.unit("Krafft").marker
    at("barrage 105 at Krafft", 1)
    assert at.unit("Krafft").marker


@pytest.mark.rule("MG03")
def test_a_unit_is_corrected_only_with_a_reason(tells: Tells) -> None:
    at = At.having("Krafft german green 6")
    tells(refusal("set Krafft 4", at=at), "reason")
    outcome = at("set Krafft 4 veteran", because="miscounted")
    assert (at.unit("Krafft").figures, at.unit("Krafft").quality) == (4, "veteran")
    assert outcome.because == "miscounted"
    at("set Krafft routed", because="no")
    tells(refusal("morale Krafft", 5, at=at), "game")
    at("set Krafft fights", because="rallied")
    assert at("morale Krafft", 5).result == "passes"


@pytest.mark.rule("MG03")
def test_a_unit_named_by_mistake_is_removed() -> None:
    at = At.having("Krafft german green 6")
    at("barrage 105 open at Kraft", 5)
    assert {check.unit for check in at.table.due} == {"Kraft"}
    outcome = at("set Kraft removed", because="mistyped")
    assert outcome.because == "mistyped"
    assert [unit.name for unit in at.table.units] == ["Krafft"] and not at.table.due
    at("unit Kraft german veteran 3")
    assert at.unit("Kraft").figures == 3


def test_a_count_again_stands_also_when_all_had_been_lost(tells: Tells) -> None:
    at = At.having("Krafft german veteran 2", "Lorries german veteran lorry 1", phase="direct_fire")
    at("fire 2 rifles at Krafft", 9, 9)
    at("fire 1 rifle at Lorries", 9, 9)
    assert (at.unit("Krafft").due_state, at.unit("Lorries").due_state) == ("destroyed", "abandoned")
    tells(at("set Krafft 2", because="it was Spindler").line, "Krafft", "none", "fire")
    at("next building", because="test")
    assert (at.unit("Krafft").state, at.unit("Krafft").figures) == ("fights", 2)
    assert at.unit("Lorries").state == "abandoned"
    at("set Lorries 1", because="the driver lives")
    assert at.unit("Lorries").state == "fights"
    at("set Krafft 0 routed", because="gone")
    at("set Krafft 2", because="two of them")
    assert at.unit("Krafft").state == "routed"


def test_a_unit_named_like_a_weapon_fires_it() -> None:
    at = At.having("6pdr british veteran 5", '"Tiger 1" german veteran tiger', phase="direct_fire")
    outcome = at("fire 6pdr 6pdr 30in at tiger 1", 2)
    assert (outcome.by, outcome.who, outcome.result) == ("6pdr", "Tiger 1", "miss")


def test_names_are_found_by_their_beginning_and_without_quotes() -> None:
    at = At.having(
        '"2 South Staffords" british veteran 9', "Krafft german green 6", phase="direct_fire"
    )
    outcome = at("fire 2 South Staffords 3 rifles at kra", 9, 1, 1)
    assert (outcome.by, outcome.who) == ("2 South Staffords", "Krafft")
    assert at("fire staff 3 rifles kra", 9, 1, 1).by == "2 South Staffords"


def test_several_words_without_quotes_may_begin_a_name() -> None:
    at = At.having(
        '"A Coy 1 Para" british veteran 9',
        '"B Coy 1 Para" british veteran 9',
        '"KG Krafft Stab" german green 6',
        phase="direct_fire",
    )
    outcome = at("fire a coy 3 rifles at kg krafft", 9, 1, 1)
    assert (outcome.by, outcome.who) == ("A Coy 1 Para", "KG Krafft Stab")
    assert at("fire b coy 1 rifles at krafft", 1).by == "B Coy 1 Para"


def test_what_the_table_knows_is_not_said_otherwise(tells: Tells) -> None:
    at = At.having("Krafft german green 6")
    tells(refusal("barrage 105 veteran at Krafft", 5, at=at), "quality")
    tells(refusal("unit Krafft german green 6", at=at), "already")
    tells(_error(at, "set Kraft 3"), "Kraft")
    tells(refusal("unit Spindler german brave 6", at=at), "brave", "quality", "green")
    tells(refusal("set Krafft away", at=at, because="gone"), "away", "off_table")


def _error(at: At, text: str) -> str:
    with pytest.raises(PBCGError) as caught:
        at(text, because="x")
    return str(caught.value)


def test_a_unit_named_in_a_line_joins_the_table() -> None:
    at = At()
    at("barrage 105 open green at Krafft", 5)
    assert at.unit("Krafft").quality == "green"
    assert [check.unit for check in at.table.due] == ["Krafft"]
    at("barrage 105 open green", 5)
    assert len(at.table.units) == 1


# -- the log file -------------------------------------------------------------------------


def put(log: TableLog, text: str, *dice: int) -> None:
    settle(log, text, LineDice(log.seed, log.table.rolls, dice or None))


@pytest.mark.rule("MG03", "MG51")
def test_a_log_is_one_entry_a_line_and_goes_on_where_it_stood(tmp_path: Path) -> None:
    path = tmp_path / "table.mega"
    with TableLog.create(path, "Table 3", {"ambush_bonus": 3}, 7) as log:
        put(log, "unit Krafft german green 6")
        put(log, "barrage 105 open at Krafft", 5)
        before = log.table
    with TableLog.open(path) as log:
        assert log.table == before
        assert log.table.settings["ambush_bonus"] == 3
        assert log.given_seed == 7
        records = log.records()
        assert [record.line for _, record in records][1] == "barrage 105 open at Krafft"
        assert len(records) == 2
        assert records[1][1].outcome.rolls[0].final == 7


@pytest.mark.rule("MG03")
def test_a_line_is_undone_whole_and_stays_known(tells: Tells, tmp_path: Path) -> None:
    with TableLog.create(tmp_path / "t.mega", "T", {}, 7) as log:
        put(log, "unit Krafft german green 6")
        before = log.table
        put(log, "barrage 105 open at Krafft", 5)
        with pytest.raises(PBCGError) as refused:
            undo_line(log.session)
        tells(refused, "reason")
        assert undo_line(log.session, "wrong unit").line == "barrage 105 open at Krafft"
        assert log.table == before
        assert [(record.line, why) for record, why in log.undone_records()] == [
            ("barrage 105 open at Krafft", "wrong unit")
        ]
        undo_line(log.session)
        with pytest.raises(PBCGError) as refused:
            undo_line(log.session)
        tells(refused, "line")


def test_the_same_seed_gives_the_same_die_after_an_undo(tmp_path: Path) -> None:
    with TableLog.create(tmp_path / "t.mega", "T", {}, 7) as log:
        put(log, "unit Krafft german green 6")
        put(log, "barrage 105 open at Krafft")
        first = log.records()[-1][1].outcome.rolls
        undo_line(log.session, "try again")
        put(log, "barrage 105 open at Krafft")
        assert log.records()[-1][1].outcome.rolls == first


def test_no_wording_changes_the_dice_of_a_seed(tmp_path: Path) -> None:
    seeds = []
    for words in ("Krafft is suppressed.", "Suppressed: Krafft."):
        with TableLog.create(tmp_path / f"{len(seeds)}.mega", "T", {}, 7) as log:
            put(log, "unit Krafft german green 6")
            body = msgspec.to_builtins(log.records()[0][1])
            body |= {"line": "barrage 105 open at Krafft"}
            body["outcome"] |= {"result": words, "says": [words]}
            log.session.answer(body)
            seeds.append(log.seed)
            undo_line(log.session)
            assert log.seed != seeds[-1]
    assert seeds[0] == seeds[1]


def test_a_campaign_is_no_table(tells: Tells, tmp_path: Path) -> None:
    path = tmp_path / "campaign.pbcg"
    Journal.create(path, {"game": "pegasus-bridge"}, "test").close()
    tells(raised(PBCGError, lambda: TableLog.open(path)), "table")
    # It was let go again.
    Journal.open(path, "test").close()


def test_a_quoted_name_may_be_new() -> None:
    at = At()
    at.phase("direct_fire")
    outcome = at('fire "A Coy" 2 rifles "B Coy"', 9, 1)
    assert (outcome.by, outcome.who) == ("A Coy", "B Coy")
    assert at.unit("B Coy").listed


# -- Which unit is meant: F-50 -------------------------------------------------------------


def test_a_vehicle_at_the_table_is_meant_before_its_kind() -> None:
    at = At.having('"Sherman 1" british veteran sherman')
    outcome = at("air bomb open at Sherman", 10, 10)
    assert (outcome.who, outcome.result) == ("Sherman 1", "destroyed")
    assert at.unit("Sherman 1").state == "knocked_out"


def test_a_word_that_begins_several_names_is_asked_about(tells: Tells) -> None:
    at = At()
    for name in ("A Coy", "B Coy"):
        at(f'unit "{name}" british veteran 6')
    tells(refusal("fire 6 rifles by coy at 8 green", at=at), "Coy", "B")
    at('unit "Sherman 1" british veteran sherman')
    at('unit "Sherman 2" british veteran sherman')
    tells(refusal("air bomb open at sherman", at=at), "Sherman 1", "Sherman 2")
    at("next allied", because="test")
    tells(refusal("move coy", at=at), "A Coy", "B Coy")
    tells(refusal("set coy 5", at=at, because="miscounted"), "A Coy", "B Coy")
    assert len(at.table.units) == 4


@pytest.mark.finding("F-50")
def test_a_kind_of_vehicle_without_at_is_the_one_at_the_table() -> None:
    at = At.having('"Tiger 1" german veteran tiger')
    assert at("barrage 105 hard tiger", 3).who == "Tiger 1"
    at.phase("direct_fire")
    assert at("fire piat tiger", 2).who == "Tiger 1"
    assert at("fire piat medium_tank", 2).who == "the vehicle"


def test_a_vehicle_before_at_is_the_one_that_fires() -> None:
    at = At(turn=0)
    outcome = at("fire 75mm sherman at tiger", 2)
    assert (outcome.by, outcome.who, outcome.result) == ("the firers", "the vehicle", "miss")
    at = At.having(
        '"Sherman 1" british veteran sherman', '"Tiger 1" german veteran tiger', phase="direct_fire"
    )
    outcome = at("fire 75mm sherman at tiger", 2)
    assert (outcome.by, outcome.who) == ("Sherman 1", "Tiger 1")


@pytest.mark.finding("F-50")
def test_a_thing_said_twice_is_told_by_its_name(tells: Tells) -> None:
    tells(refusal("fire piat at medium_tank tiger"), "vehicle")


@pytest.mark.finding("F-50")
def test_what_fires_twice_in_a_phase_is_remarked(tells: Tells) -> None:
    at = At.having(
        '"A Coy" british veteran 9', '"Krafft" german veteran 9', phase="allied_movement"
    )
    assert "before" not in at("ambush Krafft 2 rifles at coy", 1, 1).line
    at("morale", 9)
    at.phase("direct_fire")
    assert "before" not in at("fire coy 6 rifles at Krafft", 1, 1, 1, 1, 1, 1).line
    again = at("fire coy bren at Krafft", 1, 1, 1)
    tells(again.line, "Coy")
    at("next direct_fire", because="test")
    assert "before" not in at("fire coy bren at Krafft", 1, 1, 1).line


@pytest.mark.finding("G-80")
def test_more_figures_than_a_unit_has_are_remarked(tells: Tells) -> None:
    at = At.having('"A Coy" british veteran 10', '"Krafft" german veteran 60', phase="direct_fire")
    tells(at("fire coy 38 rifles at Krafft", *[1] * 38).line, "10 figures", "38")
    at("next direct_fire", because="test")
    assert "Remark" not in at("fire coy 6 rifles at Krafft", *[1] * 6).line
    assert "figures, and" not in at("fire coy 4 rifles at Krafft", *[1] * 4).line
    assert "figures, and" not in at("fire coy bren at Krafft", 1, 1, 1).line
    tells(at("fire coy rifle at Krafft", *[1] * 10).line, "20")


@pytest.mark.finding("G-80")
def test_figures_left_are_told_with_those_on_the_table(tells: Tells) -> None:
    at = At.having('"A Coy" british veteran 10', '"Krafft" german veteran 5', phase="direct_fire")
    tells(at("fire coy 2 rifles at Krafft", 10, 10).line, "3 of 5 left")
    tells(at("fire coy 2 rifles at Krafft", 10, 10).line, "1 of 5 left")


@pytest.mark.finding("G-80")
def test_the_printed_log_has_no_names_of_settings(tmp_path: Path) -> None:
    with TableLog.create(tmp_path / "t.mega", "T", {}, 7) as log:
        put(log, "unit Krafft german green 6")
        put(log, "barrage 105 open at Krafft", 5)
        sheet = log_sheet(log)
    rows = [*sheet.tables["lines"], *sheet.tables["values"]]
    cells = [str(text) for row in rows for key, text in row.items() if key not in ("typed", "why")]
    assert any("retreat distance" in text for text in cells)
    assert not [text for text in cells if re.search(r"[a-z0-9]_[a-z]|[a-z]\.[a-z]", text)]


@pytest.mark.finding("F-50")
def test_inches_may_be_halved(tells: Tells) -> None:
    assert "short_range" in "".join(used(line("fire bren 3.5in at 8 green", 1, 1, 1)))
    assert "within 3 in" in refusal("assault elite 4 3.5in at half_track")
    tells(line("morale tiger veteran 3.5in", 1).line, "table")
    tells(line("flak light 26.5 heavy 3.5in", 2).line, "26.5")
    assert "as 3 or 3.5" in refusal("fire bren 1001.5in at 8 green")


def test_what_destruction_is_to_a_vehicle_is_said_with_the_result(tells: Tells) -> None:
    told = line("barrage 105 open at tiger", 10, 1).line
    tells(told, "AT", "vehicle")
    assert "to a vehicle" not in line("barrage 105 open at 8 green", 10).line
    own = {"barrage_on_vehicles": "none"}
    assert "to a vehicle" not in line("barrage 105 open at tiger", 10, own=own).line


def test_a_name_that_is_new_is_said_to_be_new(tells: Tells) -> None:
    at = At.having('"A Coy" british veteran 9')
    tells(at("barrage 105 open at Coyy", 3).line, "table")
    assert "New" not in at("barrage 105 open at Coyy", 3).line


@pytest.mark.rule("MG33")
def test_what_goes_when_all_fire_is_done_is_told_alike_by_status_and_json() -> None:
    at = At().phase("direct_fire")
    at("unit Lorry german green truck 6", because="test")
    at("unit B allied green 4", because="test")
    at("unit K german veteran 6", because="test")
    at("fire B bren at Lorry", 8, 9, 10, 1, 7, 1)
    at("fire K 4 rifles at B", 7, 7, 7, 7)
    units = {each["name"]: each for each in table_data(at.table)["units"]}
    told = {text.split(":")[0].strip(): text for text in status_lines(at.table)}
    assert (units["B"]["figures"], units["B"]["to_be_taken_away"]) == (0, 4)
    assert "4 to be" in told["B"] and "destroyed when" in told["B"]
    assert (units["Lorry"]["state"], units["Lorry"]["to_be_taken_away"]) == ("knocked_out", 1)
    assert "1 to be" in told["Lorry"] and "knocked out" in told["Lorry"]
    at("next")
    assert {each["to_be_taken_away"] for each in table_data(at.table)["units"]} == {0}
    assert "when all fire is done" not in "".join(status_lines(at.table))
