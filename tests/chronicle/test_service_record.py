"""Service records: every change of a piece once, undone acts, no secrets, and three known units."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import campaign_soak
import golden_campaign
import openpyxl
import pytest
from event_check import explain
from sentences import Tells
from twin_campaigns import Twins
from typer.testing import CliRunner

from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.terms import Side
from asl_pbcg.chronicle.deeds import Deed, changing_facts, deeds_of, holders_in
from asl_pbcg.chronicle.luck_ledger import unlikely_rolls
from asl_pbcg.chronicle.service import HONOURS, Chronicle, moments_of, survivors
from asl_pbcg.cli.campaign_file import open_campaign
from asl_pbcg.cli.main import app
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.views import UMPIRE

GOLDEN = ("cg1", "cg2")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The files of both golden campaigns, played to CG End."""
    made = {}
    for name in GOLDEN:
        folder = tmp_path_factory.mktemp(name)
        golden_campaign.play(name, folder, records=False)
        made[name] = folder / golden_campaign.FILE
    return made


@pytest.fixture(scope="module")
def night_1_over(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """CG I after its first Refit Phase, for what any campaign shows."""
    folder = tmp_path_factory.mktemp("night-1")
    golden_campaign.play("cg1", folder, until="night-1", records=False)
    return folder / golden_campaign.FILE


@pytest.fixture(scope="module")
def sessions(files: dict[str, Path]) -> Iterator[dict[str, Session[Campaign]]]:
    opened = {name: open_campaign(file, look=True) for name, file in files.items()}
    yield opened
    for session in opened.values():
        session.journal.close()


def test_events_explain_every_change_of_the_golden_campaigns(
    sessions: dict[str, Session[Campaign]],
) -> None:
    for session in sessions.values():
        explained = explain(session)
        assert explained.open == [] and explained.differences > 1000


def wrong_in(deeds: list[Deed], state: Campaign) -> list[str]:
    """What the deeds leave out of a campaign or tell twice; found from its last state alone."""
    faults = []
    changes: dict[tuple[str, str], list[Any]] = {}
    came: Counter[str] = Counter()
    left: Counter[str] = Counter()
    for deed in deeds:
        came[deed.id] += deed.arrival is not None
        left[deed.id] += deed.departure is not None
        for each in deed.changes:
            changes.setdefault((deed.id, each.field), []).append(each)
    holders = holders_in(state.pieces)
    last = {piece.id: changing_facts(piece, holders) for piece in state.pieces}
    last |= {each.piece.id: changing_facts(each.piece, {}) for each in state.gone}
    for id in last:
        gone = any(each.piece.id == id for each in state.gone)
        if (came[id], left[id]) != (1, gone):
            faults.append(f"{id} came {came[id]} times and left {left[id]} times")
    for (id, fact), chain in changes.items():
        for one, other in itertools.pairwise(chain):
            if one.new != other.old or one.seq > other.seq:
                faults.append(f"{id} {fact}: {one} then {other}")
        if chain[-1].new != last[id].get(fact):
            faults.append(f"{id} {fact}: {chain[-1]}, but is {last[id].get(fact)}")
    counts = Counter((id, each.field, each.seq, str(each.old), str(each.new))
                     for (id, _), chain in changes.items() for each in chain)  # fmt: skip
    return faults + [f"twice: {each}" for each, count in counts.items() if count > 1]


def standing(session: Session[Campaign], viewer: str = UMPIRE) -> list[Deed]:
    found = deeds_of(moments_of(session), viewer)
    return [deed for deed in found if not deed.undone]


@pytest.mark.finding("G-61")
@pytest.mark.parametrize("name", GOLDEN)
def test_each_change_of_a_golden_piece_is_told_once(
    name: str, sessions: dict[str, Session[Campaign]]
) -> None:
    session = sessions[name]
    deeds = standing(session)
    assert not wrong_in(deeds, session.state)
    assert len(deeds) > 1000
    assert all(deed.entries for deed in deeds if deed.changes)


@pytest.mark.parametrize("seed", [8, 21])
def test_each_change_in_a_random_campaign_is_told_once(seed: int) -> None:
    session = campaign_soak.play(campaign_soak.begin(seed), seed, check=False)
    assert not wrong_in(standing(session), session.now)


def test_an_undone_act_is_told_as_undone() -> None:
    session = campaign_soak.play(campaign_soak.begin(3), 3, check=False)
    before = standing(session)
    step = next(deed.step for deed in before if deed.rule == "9.606" and deed.throws)
    taken = session.undo_to(step, "a test")
    found = moments_of(session)
    undone = [deed for deed in deeds_of(found) if deed.undone]
    numbers = {entry.seq for entry in taken}
    assert undone and all(set(deed.entries) <= numbers for deed in undone)
    assert {deed.id for deed in undone if deed.step == step} == {
        deed.id for deed in before if deed.step == step and set(deed.entries) <= numbers
    }
    told = Chronicle(session.state, found, UMPIRE).record(undone[0].id)
    assert told is not None
    assert any(line.undone and mentions(line.text, "Undone", "entry") for line in told.lines)
    for entry in taken:
        campaign_soak.give(session, entry)
    assert [deed.id for deed in standing(session)] == [deed.id for deed in before]


def test_a_side_s_deeds_are_its_own_part_of_all() -> None:
    session = campaign_soak.play(campaign_soak.begin(8), 8, check=False)
    for side in Side:
        found = moments_of(session)
        chronicle = Chronicle(session.state, found, side.value)
        assert all(record.lines for record in chronicle.records(side))
        assert chronicle.honours(side) and chronicle.losses(side)
        mine = [deed for deed in standing(session, side.value) if deed.piece.side is side]
        assert not any(deed.entries for deed in mine)  # they would tell how much the other answered
        own = {piece.id for piece in session.state.of(side)}
        assert own <= {deed.id for deed in mine}
        for deed in standing(session, side.value):
            if deed.piece.side is side.other and deed.rule.startswith(("9.613", "9.614", "9.617")):
                assert deed.rule in ("scenario",), (deed.id, deed.step)


@pytest.mark.parametrize(("side", "seed"), [(Side.GERMAN, 6), (Side.BRITISH, 2)])
def test_no_secret_is_in_the_other_side_s_records(side: Side, seed: int, tmp_path: Path) -> None:
    """Looked at wherever that side may look, of two campaigns that differ in secrets alone."""
    twins = Twins(tmp_path, seed, side)
    looks = itertools.count()

    def told(session: Session[Campaign]) -> list[str]:
        found = moments_of(session)
        chronicle = Chronicle(session.state, found, side.other.value)
        parts = [chronicle.honours, chronicle.losses]
        return [
            *sorted(f"{deed.id} {deed.step} {deed}" for deed in chronicle.deeds),
            *(str(part(each)) for part in parts for each in Side),
        ]

    def look(session: Session[Campaign]) -> list[str]:
        return told(session) if next(looks) // 2 % 8 == 0 else []

    for date in range(2):
        assert twins.reph(date == 1, look)
        first, second = map(told, twins.sessions)
        assert not set(first) ^ set(second)
        if not date:
            twins.battle(date)
    twins.close()
    assert next(looks) > 30


# -- Three units of CG I ---------------------------------------------------------------------------


def mentions(text: str, *words: str) -> bool:
    return all(word in text for word in words)


def lines_of(chronicle: Chronicle, id: str, step: str) -> list[str]:
    record = chronicle.record(id)
    assert record is not None
    return [line.text for line in record.lines if f"{line.date}/{line.rule}" == step]


def test_three_units_of_golden_cg_i(sessions: dict[str, Session[Campaign]]) -> None:
    session = sessions["cg1"]
    found = moments_of(session)
    chronicle = Chronicle(session.state, found, UMPIRE)
    squad = chronicle.record("g-447-14")  # reduced in Melee, Recombined
    assert squad is not None
    (melee,) = lines_of(chronicle, "g-447-14", "night-1/9.601")
    assert mentions(melee, "Melee", "Z17", "held", "2-3-7")
    (joined,) = lines_of(chronicle, "g-447-14", "night-1/9.611")
    assert mentions(joined, "Recombined", "E-19", "4-4-7")
    assert [(kin.id, kin.relation) for kin in squad.ancestors] == [
        ("g-447-19", squad.ancestors[0].relation)
    ]
    assert [kin.id for kin in squad.descendants] == ["g-447-11"]
    assert mentions(squad.descendants[0].lines[-1].text, "Eliminated")
    # A leader that was wounded, became heroic and Battle Hardened.
    assert mentions(*lines_of(chronicle, "b-9-2-2", "dawn/scenario"), "V12", "wounded", "heroic")
    assert mentions(*lines_of(chronicle, "b-9-2-2", "dawn/9.611"), "Battle Hardened", "10-2")
    gun = chronicle.record("g-50l-at-1")
    assert gun is not None
    assert mentions(gun.lines[1].text, "captured", "British")
    assert gun.side == "british"


def test_honours_and_losses_of_golden_cg_i(sessions: dict[str, Session[Campaign]]) -> None:
    session = sessions["cg1"]
    chronicle = Chronicle(session.state, moments_of(session), UMPIRE)
    honours = chronicle.honours(Side.GERMAN)
    assert {each.kind for each in honours} >= {HONOURS[0], HONOURS[2]}
    lost = [each for each in chronicle.losses(Side.GERMAN) if each.date == "night-1"]
    assert sum(each.squads for each in lost) == 8.0  # F-4 was Reduced, then its HS captured
    assert {"Captured", "Taken prisoner", "Reduced", "Eliminated"} == {each.kind for each in lost}


TURNING_POINTS = {
    "cg1": [
        ("german", "V2-1: 9-1 (Final 3)", 12),
        ("german", "Shifted with Casualties (Final 11)", 12),
        ("british", "A-15: Escapes, one unit Replaced (Final 9)", 12),
        ("german", "I5-1: 10-2, 7-0 (Final 2)", 12),
        ("british", "A-13: all units and Equipment Eliminated (Final 12)", 36),
        ("british", "A-23: Escapes, one unit Casualty Reduced (Final 10)", 12),
        ("german", "I5-2: 9-2 (Final 3)", 12),
        ("german", "IVH 137: Abandoned, crew (if any) Escapes (Final 9)", 12),
        ("british", "Replaced and then Casualty Reduced (Final 11)", 36),
        ("german", "Marder 754: Eliminated, crew (if any) Escapes (Final 10)", 36),
        ("german", "Marder 750: Eliminated, crew (if any) Escapes (Final 10)", 36),
    ],
    "cg2": [
        ("german", "V3-2: 10-2 (Final 1)", 36),
        ("german", "Kfz 1 161: Abandoned, crew (if any) Eliminated (Final 11)", 36),
    ],
}
"""Those that came once in twelve times or less, with the Original DR and the DRM of the log."""


@pytest.mark.finding("G-61")
@pytest.mark.parametrize("name", GOLDEN)
def test_turning_points_as_counted_by_hand(
    name: str, sessions: dict[str, Session[Campaign]]
) -> None:
    session = sessions[name]
    found = unlikely_rolls(moments_of(session), UMPIRE)
    rare = [each for each in found if each.chance * 12 <= 1]
    for each, (side, words, times) in zip(rare, TURNING_POINTS[name], strict=True):
        assert (each.side, 1 / each.chance) == (side, times)
        assert mentions(each.text, words)


@pytest.mark.finding("G-61")
def test_a_survivor_keeps_honours_won_under_an_older_type(
    sessions: dict[str, Session[Campaign]],
) -> None:
    best = {side: survivors(sessions["cg1"], UMPIRE, side) for side in Side}
    told = {each.name: each.words for some in best.values() for each in some}
    assert told["8-1 V-923"] == "4 CG scenarios; became heroic, Battle Hardened"
    assert told["9-1 S-1"] == "8 CG scenarios; became heroic, Battle Hardened"
    assert told["4-5-8 B-2"] == "8 CG scenarios; Battle Hardened"
    assert told["6-4-8 A-4"] == "7 CG scenarios; held its ground in Melee"


# -- Commands and sheets ---------------------------------------------------------------------------


def run(*args: object) -> Any:
    return CliRunner().invoke(app, [str(arg) for arg in args])


def test_a_record_at_the_terminal_and_as_markdown(night_1_over: Path, tmp_path: Path) -> None:
    file = night_1_over
    shown = run("history", file, "--piece", "german E-14").stdout
    assert mentions(shown, "2-3-7 E-19", "[75]")
    own = run("history", file, "--piece", "E-14", "--as", "german").stdout
    assert mentions(own, "Recombined", "2-3-7 E-19") and "[75]" not in own
    facts = json.loads(run("history", file, "--piece", "g-447-14", "--json").stdout)
    assert facts["lines"][0]["title"] == "Night I"
    assert run("history", file, "--piece", "g-447-14", "-o", tmp_path / "a.md").exit_code == 0
    text = (tmp_path / "a.md").read_text(encoding="utf-8")
    assert text.startswith("### ") and "- **Night I**, 9.601: " in text
    assert run("history", file, "--honours", "-o", tmp_path / "b.md").exit_code == 0
    text = (tmp_path / "b.md").read_text(encoding="utf-8")
    assert mentions(text, "# German", "## British losses")
    both = run("history", file, "--honours").stdout
    assert "British honours" in both and "German losses" in both
    assert (
        "German" not in run("history", file, "--honours", "--as", "british").stdout.split("\n")[0]
    )


def test_what_cannot_be_told_is_a_sentence(night_1_over: Path) -> None:
    file = night_1_over
    for args in (["--piece", "x"], ["--piece", "x", "--honours"], ["--honours", "-o", "a.txt"]):
        assert isinstance(run("history", file, *args).exception, PBCGError)
    assert run("history", file, "--piece", "g-wire-3").exit_code == 0
    hidden = run("history", file, "--piece", "g-wire-3", "--as", "british")
    unknown = run("history", file, "--piece", "g-wire-999", "--as", "british")
    assert str(unknown.exception).replace("999", "3") == str(hidden.exception)


@pytest.mark.finding("G-61")
def test_a_roll_is_told_with_what_it_brought(files: dict[str, Path], tells: Tells) -> None:
    def told(id: str) -> str:
        return str(run("history", files["cg1"], "--piece", id).output)

    squad, leader, gun = told("b-648-23"), told("b-9-2-2"), told("g-50l-at-1")
    tells(squad, "Escaped", "W14", "Setup Area A", "Casualty Reduced", "Final 10", "6%")
    tells(squad, "Deployed", "3-3-8 A-16", "3-3-8 F-2")
    tells(leader, "Recovered", "Wounded leader", "Final 1", "33%")
    assert leader.count("Battle Hardened") == 1
    tells(gun, "X20", "captured", "British", "held", "2-4-8 G-1")
    tells(gun, "With 2-4-8 G-1", "X20")
    tells(told("g-mmg-246"), "Eliminated", "Z15", "Captured Equipment", "Final 6", "50%")


@pytest.mark.finding("G-61")
def test_who_recombines_with_one_that_was_hardened_has_no_honour(
    files: dict[str, Path], tells: Tells
) -> None:
    honours = str(run("history", files["cg1"], "--honours").output)
    hardened = honours.partition("British honours")[2].partition("Heroes and Fanatics")[0]
    assert "2-4-8 G-4" in hardened and "4-5-8 G-1" not in hardened
    tells(hardened, "Battle Hardened", "1-4-9 W-1", "Eliminated")
    assert "1 squad-equivalent\n" in honours
    hero = str(run("history", files["cg1"], "--piece", "b-149-1").output)
    assert "Went into" not in hero and "It went into" not in hero
    own = str(run("history", files["cg1"], "--piece", "g-lmg-542", "--as", "british").output)
    assert "Captured in X20" in own and "into being" not in own


@pytest.mark.finding("G-61")
@pytest.mark.parametrize("viewer", ["umpire", "british"])
def test_the_campaign_on_one_page(viewer: str, files: dict[str, Path], tmp_path: Path) -> None:
    import pypdf

    made = tmp_path / "a.pdf"
    args = ("--sheet", "campaign", "--as", viewer, "-o", made)
    assert run("records", files["cg1"], *args).exit_code == 0
    first, *ledger = [page.extract_text() for page in pypdf.PdfReader(made).pages]
    assert all(date in first for date in ("Night I", "Dawn", "Day III", "Dusk"))
    assert mentions(first, "CG End", "TURNING POINTS")
    assert "BRITISH SURVIVORS" in first and ("GERMAN SURVIVORS" in first) is (viewer == "umpire")
    assert ("Leaders, leadership" in first) is (viewer == "umpire")  # a secret of the Germans
    assert mentions(ledger[0], "Night I") and not mentions(ledger[-1], "Whole campaign\n")


@pytest.mark.finding("G-61")
def test_what_was_reduced_and_recombined_is_in_the_refit_phase_in_short(
    night_1_over: Path, tmp_path: Path
) -> None:
    made = tmp_path / "a.xlsx"
    assert run("records", night_1_over, "--sheet", "summary", "-o", made).exit_code == 0
    cells = [cell.value for sheet in openpyxl.load_workbook(made) for row in sheet for cell in row]
    (reduced,) = [each for each in cells if each and "4-4-7 E-14 to 2-3-7" in str(each)]
    assert "4-3-6 F-3 to 2-3-6" in reduced
