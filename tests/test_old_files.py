"""Campaign files of earlier versions open, tell where they stand, and go on to the end.

``old_files/`` holds files as those versions wrote them, from the first one that had ``pbcg new``
on; most were left in the middle of a step. They are never made anew. A new one is added when the
form of files or the questions of a step change.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest
from campaign_generator import CampaignAnswers
from in_process import run_pbcg
from refit_helpers import BRITISH, GERMAN, campaign_at, piece
from sentences import says

from asl_pbcg.campaign.pieces import Vehicle
from asl_pbcg.campaign.position_words import FortificationKind
from asl_pbcg.campaign.recorded import Gone
from asl_pbcg.campaign.rulings import choice, edition
from asl_pbcg.campaign.state import accounts_balance, change
from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.cli.campaign_file import open_campaign
from asl_pbcg.kernel.answers import drive
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.refit.old_states import upgrade
from asl_pbcg.refit.sequence import CampaignGame

OLD = Path(__file__).parent / "old_files"
# File: the step it was left in, and how many answers and rolls had been given.
FILES = {
    "first-begun-cg1": ("night-1/scenario", 16),
    "first-purchase-cg2": ("dawn/9.617", 2),
    "scenario-end-cg1": ("night-1/scenario", 23),
    "melee-cg1": ("night-1/9.601", 32),
    "escape-cg1": ("night-1/9.606", 58),
    "escape-cg2": ("dawn/9.606", 105),
    "shift-cg2": ("day-1/9.613", 103),
    "last-unchained-cg1": ("night-2/9.613", 70),
    "last-unchained-cg2": ("dawn/9.606", 85),
    "facts-in-notes-cg2": ("day-3/9.617", 459),
}
# Of other games, and one of each game in the first chained form: a command that goes on with it,
# and what is typed.
OTHERS = {
    "last-unchained-st": (["st", "play", "FILE", "--auto", "good", "--until", "3"], ""),
    "last-unchained-drop": (["drop", "run", "FILE", "--defaults"], ""),
    "last-unchained-mega": (["mega", "run", "FILE"], "next\nquit\n"),
    "first-chained-cg2": (["refit", "FILE", "--auto", "5"], ""),
    "first-chained-st": (["st", "play", "FILE", "--auto", "good", "--until", "3"], ""),
    "first-chained-drop": (["drop", "run", "FILE", "--defaults"], ""),
    "first-chained-mega": (["mega", "run", "FILE"], "morale\nquit\n"),
    "last-sqlite-st": (["st", "play", "FILE", "--auto", "good", "--until", "4"], ""),
    "last-sqlite-drop": (["drop", "run", "FILE", "--defaults"], ""),
    "last-sqlite-mega": (["mega", "run", "FILE"], "next\nquit\n"),
}
# The second version asked for hidden pieces after the end position in another order.
# Later ones ask the Game End dr in one line, and of a vehicle's terrain when its way is chosen;
# Isolated units, stacks and destinations are decided before the first Escape DR (G-19), and what a
# counter shows before the DR that may Replace it (G-15).
UNFIT = {"scenario-end-cg1": 7, "escape-cg1": 2, "last-unchained-cg2": 5, "escape-cg2": 3}


def test_pieces_of_a_file_without_a_count_of_them_are_counted() -> None:
    gone = Gone(
        piece=piece("g9", GERMAN, "4-6-7"), how="eliminated", step="9.604", date=CGDate.NIGHT_1
    )
    there = [piece("g1", GERMAN, "4-6-7", "A7"), piece("b1", BRITISH, "6-4-8", "M12")]
    old = change(campaign_at("9.606", *there), gone=(gone,), received_count={})
    assert upgrade(old).received_count == {GERMAN: 2, BRITISH: 1}


@pytest.mark.finding("G-18")
def test_a_house_rule_keeps_its_old_default_and_forgets_what_is_no_longer_offered() -> None:
    old = change(campaign_at("9.606"), readings=4, house_rules={"C-93": "own-area-counts"})
    state = upgrade(old)
    assert (state.ruling("B-08"), state.ruling("P-28")) == ("strict", "eliminated")
    assert "C-93" not in state.house_rules
    assert state.readings == edition()
    assert upgrade(change(old, house_rules={"B-08": "example"})).ruling("B-08") == "example"


def test_what_an_ssr_places_is_placed_once() -> None:
    bare = campaign_at("9.617", campaign="CG2")
    placed = upgrade(bare)
    assert {each.at for each in placed.fortifications} >= {"Z21", "W21", "X20"}
    breached = change(placed, fortifications=placed.fortifications[:1])
    assert upgrade(breached).fortifications == breached.fortifications
    burning = change(bare, terrain=placed.terrain)
    assert not upgrade(burning).fortifications


@pytest.fixture(params=FILES)
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / f"{request.param}.pbcg"
    shutil.copy(OLD / path.name, path)
    path.chmod(0o644)
    return path


def written(path: Path) -> list[tuple[object, ...]]:
    """What stands in the entries of a file."""
    with Journal.read(path, "test") as journal:
        return [
            (entry.kind, entry.step, entry.point, entry.body)
            for entry in journal.entries()
            if entry.kind != "carried"
        ]


def test_every_old_file_is_tried() -> None:
    assert {path.stem for path in OLD.glob("*.pbcg")} == {*FILES, *OTHERS}


TAKEN_BACK = {
    "first-chained-cg2": ", 1 correction, 1 roll taken back, 1 roll with other dice",
    "first-chained-drop": ", 1 roll taken back",
    "first-chained-mega": ", 1 roll taken back, 1 roll with other dice",
    "first-chained-st": ", 2 rolls taken back",
    "last-unchained-st": ", 1 roll taken back",
}


@pytest.mark.parametrize("name", OTHERS)
def test_an_old_file_of_any_game_verifies_and_goes_on(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.pbcg"
    shutil.copy(OLD / path.name, path)
    path.chmod(0o644)
    before = written(path)

    def pbcg(*args: str, typed: str = "") -> str:
        result = run_pbcg(*args, typed=typed)
        assert result.code == 0, result.err
        return result.out

    told = pbcg("verify", str(path))
    assert told.startswith("whole: ")
    assert says(told, "carried", "older form") == name.startswith("last-unchained")
    assert TAKEN_BACK.get(name, "") in told
    args, typed = OTHERS[name]
    pbcg(*[str(path) if word == "FILE" else word for word in args], typed=typed)
    assert written(path)[: len(before)] == before
    assert len(written(path)) > len(before)
    assert pbcg("verify", str(path)).startswith("whole: ")


def test_an_old_file_opens_where_it_was_left(file: Path) -> None:
    step, answers = FILES[file.stem]
    before = written(file)
    session = open_campaign(file)
    assert session.step is not None
    assert session.step.id == step
    assert session.pending is not None
    assert len(session.journal.standing()) == answers
    assert len(session.unfit) == UNFIT.get(file.stem, 0)
    assert accounts_balance(session.state)
    assert not any(piece.area.islower() for piece in session.state.pieces)
    assert session.lines()
    session.journal.close()
    assert written(file) == before


def test_an_old_campaign_keeps_the_defaults_it_began_with(file: Path) -> None:
    session = open_campaign(file)
    assert session.state.house_rules["C-05"] == "joins-only"
    assert session.state.readings == edition()
    new = CampaignGame().begin({"campaign": "CG1"})
    assert "C-05" not in CampaignGame().decode(CampaignGame().encode(new)).house_rules
    assert choice(new.house_rules, "C-05") == "control-passes"


def test_a_type_that_has_another_name_by_now_is_known_under_it() -> None:
    old = CampaignGame().begin({"campaign": "CG1"})
    old = change(old, readings=1, at="9.606")
    old = change(old, catalogue_corrections={"british": {"2-3-6": {"cvp": 2}}})
    half = {"id": "b-236-1", "side": "british", "type": "2-3-6", "received": "night-1"}
    stored = msgspec.json.decode(CampaignGame().encode(old)) | {"pieces": [half]}
    new = CampaignGame().decode(msgspec.json.encode(stored))
    assert (new.piece("b-236-1").type, new.piece("b-236-1").status) == ("2-2-6", ())
    assert new.catalogue.infantry("2-2-6", BRITISH).cvp == 2


def test_captured_equipment_of_the_first_version_is_marked(tmp_path: Path) -> None:
    path = tmp_path / "a.pbcg"
    shutil.copy(OLD / "first-purchase-cg2.pbcg", path)
    session = open_campaign(path)
    gun = session.state.piece("b-50l-at-1")
    assert (gun.kind, gun.captured, gun.area) == ("gun", True, "E")
    assert session.state.fortifications, "9.52 II-2"
    session.journal.close()


def test_facts_that_stood_in_notes_become_fields(tmp_path: Path) -> None:
    path = tmp_path / "a.pbcg"
    shutil.copy(OLD / "facts-in-notes-cg2.pbcg", path)
    session = open_campaign(path)
    state = session.state
    assert state.vehicle("g-38h-735-f-208").manned_by == "g-467-876"
    assert [each.id for each in state.pieces if isinstance(each, Vehicle) and each.scrounged] == [
        "g-gsw-39h-f-651"
    ]
    assert state.minefield_counters == ((FortificationKind.AP_MINES, "P17"),)
    assert not any(each.notes for each in (*state.pieces, *state.fortifications))
    session.journal.close()


def test_status_and_log_tell_of_an_old_file_and_leave_it_as_it_is(file: Path) -> None:
    before = file.read_bytes()
    for command in ("status", "log"):
        result = run_pbcg(command, file)
        assert result.code == 0, result.err
        assert len(result.out.splitlines()) > 5
        told = "must be given again" in result.err
        assert told == (file.stem in UNFIT), result.err
    assert file.read_bytes() == before


def test_an_old_file_goes_on_and_is_read_back(file: Path) -> None:
    before = written(file)
    session = open_campaign(file)
    begun = session.state.date
    answers, dice = CampaignAnswers(3, session), SeededDice(session.journal.meta("seed"))

    def next_scenario() -> bool:
        return session.state.at == "scenario" and session.state.date is not begun

    drive(session, answers, dice, until=next_scenario)
    assert session.state.ended or next_scenario()
    assert accounts_balance(session.state)
    seen = (session.state, session.pending and session.pending.id, session.rolls)
    lines = msgspec.json.encode(session.lines())
    session.journal.close()
    assert written(file)[: len(before)] == before
    again = open_campaign(file)
    assert (again.state, again.pending and again.pending.id, again.rolls) == seen
    assert msgspec.json.encode(again.lines()) == lines
    again.journal.close()


def test_an_old_file_is_answered_by_the_command(file: Path) -> None:
    given = len(written(file))
    result = run_pbcg("refit", file, "--auto", "5")
    assert result.code == 0, result.err
    assert "Traceback" not in result.err
    assert len(written(file)) > given
    session = open_campaign(file)
    assert session.unfit == []
    session.journal.close()


@pytest.mark.parametrize("name", ["first-begun-cg1", "escape-cg2"])
def test_an_old_file_reaches_cg_end(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.pbcg"
    shutil.copy(OLD / f"{name}.pbcg", path)
    session = open_campaign(path)
    drive(session, CampaignAnswers(3, session), SeededDice(1))
    assert session.state.ended
    assert accounts_balance(session.state)
    session.journal.close()


def test_verify_says_why_an_old_game_comes_to_another_state() -> None:
    told = run_pbcg("verify", OLD / "first-chained-st.pbcg")
    assert (told.code, told.out.startswith("whole")) == (0, True)
    assert "earlier pbcg" in told.out
