"""Paper assertions: what stands on a roster on paper, held against the campaign file."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from campaign_soak import begin, play
from in_process import Told, run_pbcg
from msgspec.structs import replace
from play_help import play_cg2_to
from web_help import app_client, begin_turn_3, only_game, serving
from web_screen import Screen

from asl_pbcg.campaign.paper.roster_facts import FORMS, NoSuchFact, RosterFacts
from asl_pbcg.campaign.sheets.ledger import force_lines, purchase_lines, roster_lines
from asl_pbcg.campaign.state.campaign_state import Campaign, change
from asl_pbcg.campaign.state.record_lines import UMPIRE
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.proposals import Proposal
from asl_pbcg.play.seat import Seat

pytestmark = pytest.mark.rule("9.13-a")
PAPER = (
    *("campaign=CG2", "date=Dawn", "san/british=3", "san/german=6", "san-base/german=4"),
    *("cpp/german=25", "cpp-spent/german=-", "fpp-received/british=30", "fpp-spent/british/dawn=9"),
    *("units/british=36", "units/british/6-4-8=26", "leaders/british=10", "guns/british=3"),
    *("sw/german/lmg=2", "vehicles/german=1", "fortifications/british/a-p-mine-factor=6"),
    *("bought/british/ap-mines=6", "rg/I5=0", "ww-box=0", "control/Y20=nobody"),
)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("paper") / "evening.pbcg"
    play_cg2_to(file, "0.2")
    return file


@pytest.fixture
def file(begun: Path, tmp_path: Path) -> Iterator[Path]:
    yield Path(shutil.copy(begun, tmp_path / begun.name))


def told(file: Path, *words: str) -> Told:
    return run_pbcg("assert", file, *words)


def test_a_paper_that_agrees(file: Path) -> None:
    assert told(file, *PAPER).code == 0


def test_all_differences_are_told_at_once(file: Path) -> None:
    found = told(file, "san/german=5", "units/british=36", "date=dusk", "control/Y20=german")
    assert found.code == 1
    for words in ("san/german", "6", "5", "dawn", "dusk", "nobody", "3 of 4"):
        assert words in found.out
    assert "units" not in found.out
    data = json.loads(told(file, "san/german=5", "ww-box=0", "--json").out)
    assert not data["agrees"]
    assert [(each["paper"], each["file"], each["agrees"]) for each in data["facts"]] == [
        (5, 6, False),
        (0, 0, True),
    ]


@pytest.mark.parametrize(
    ("fact", "nearest"),
    [
        ("sna/german=3", "san"),
        ("san/germany=3", "german"),
        ("units/british/6-4-9=3", "6-4-8"),
        ("san/german/down=3", "dawn"),
        ("date=tuesday", "dawn"),
        ("rg/I55=1", "I5"),
        ("bought/british/ap-mine=1", "ap-mines"),
        ("control/Y200=british", "Y20"),
        ("control/Y20/x=british", "Y20"),
        ("cpp/british=3", "German"),
        ("san/german=three", "number"),
        ("san/german", "VALUE"),
        ("san=3", "san/SIDE"),
        ("fpp/british/dawn/x=1", "fpp/SIDE"),
        ("control/british/x=1", "control/SIDE"),
        ("san//german=3", "san/SIDE"),
        ("=", "san/SIDE"),
        (f"control/{'9' * 5000}=british", "200"),
        ("units/british/\x1b[31m=1", "type"),
    ],
)
def test_an_unknown_or_malformed_fact_is_named(file: Path, fact: str, nearest: str) -> None:
    found = told(file, fact, "san/german=6", "nothing=1")
    assert found.code == 2 and not found.out
    assert nearest in found.err and "nothing" in found.err
    assert "\x1b[31m=" not in found.err and len(found.err) < 3000
    assert found.err.count("half-squads/SIDE") == 1


def test_a_blank_is_zero_and_halves_are_read(file: Path) -> None:
    assert told(file, "cvp-lost/british=0", "cvp-lost/british=-", "fpp-spent/british=9.0").code == 0
    assert told(file, "fpp-spent/british=9½").code == 1


@pytest.mark.rule("9.617-a")
def test_a_fact_of_the_other_side_is_refused_in_the_same_words(file: Path) -> None:
    for names in (
        ("cpp/german={}", "rg/I5/dawn={}", "units/german={}", "fpp-spent/german={}"),
        ("units/german/4-4-7={}", "bought/german/ap-mines/dawn={}", "dummies/german={}"),
    ):
        errors = {
            told(file, "--as", "british", *(each.format(value) for each in names)).err
            for value in ("0", "2", "25", "x", "")
        }
        assert len(errors) == 1
        assert told(file, "--as", "german", *(each.format(0) for each in names)).code == 1
    same = [told(file, "--as", "british", f"units/german/{type}=1").err for type in ("x", "4-4-7")]
    assert same[0].replace("/x", "/4-4-7") == same[1]
    open_facts = ("san/german=6", "cpp-base/german=-", "fpp-received/british=30", "areas/german=-")
    for side in ("british", "german"):
        assert told(file, "--as", side, *open_facts).code == 0


def test_a_kept_assertion_is_in_the_log_of_those_who_may_know_it(file: Path) -> None:
    assert told(file, "san/german=5", "--keep").code == 1
    paper = ("san/german=6", "cpp/german=25", "units/british=36")
    assert told(file, *paper, "--keep").code == 0
    with Journal.open(file, "test") as journal:
        kept = journal.entries_of("assertion")
        assert [(each.side, each.secret, each.body) for each in kept] == [
            ("", False, {"san/german": 6}),
            ("german", True, {"cpp/german": 25}),
            ("british", True, {"units/british": 36}),
        ]
        assert journal.line_of(kept[0].seq) == journal.line_of(kept[-1].seq)
    for viewer, facts in (
        ("umpire", (True, True, True)),
        ("german", (True, True, False)),
        ("british", (True, False, True)),
    ):
        log = run_pbcg("log", file, "--as", viewer).out
        assert [f"{each.replace('=', ' ')}." in log for each in paper] == list(facts)
    assert run_pbcg("verify", file).code == 0
    assert run_pbcg("status", file).code == 0
    assert told(file, *PAPER).code == 0


def test_only_a_campaign_has_a_roster(tmp_path: Path) -> None:
    file = tmp_path / "area.pbcg"
    begin_turn_3(file)
    found = told(file, "vp=3")
    assert found.code == 2 and "campaign" in found.err and "facts" not in found.err


def test_the_page_compares_and_keeps(file: Path) -> None:
    client = app_client(file.parent, "british")
    path = f"/api/games/{only_game(client)}/assertions"
    assert FORMS["san"] in client.get(path).json()["forms"]
    found = client.post(path, json={"facts": ["san/german=5", "units/british=36"], "keep": True})
    assert found.status_code == 200
    assert [each["agrees"] for each in found.json()["facts"]] == [False, True]
    assert found.json()["kept"] is False
    refused = [
        client.post(path, json={"facts": [f"cpp/german={value}"]}) for value in ("25", "1", "x")
    ]
    assert {(each.status_code, each.text) for each in refused} == {(422, refused[0].text)}
    kept = client.post(path, json={"facts": ["units/british=36"], "keep": True})
    assert kept.json()["kept"] is True
    log = client.get(path.replace("assertions", "log")).json()["lines"]
    assert log[-1]["kind"] == "assertion" and "units/british 36" in log[-1]["text"]
    client.headers["Authorization"] = f"Bearer {client.keys['german']}"
    assert "units/british" not in client.get(path.replace("assertions", "log")).text
    for body in ({}, {"facts": []}, {"facts": ["x"] * 201}, {"facts": ["x" * 300]}, {"facts": 3}):
        assert client.post(path, json=body).status_code == 422
    assert client.get("/api/games/none/assertions").status_code == 404


def test_a_shared_screen_compares_for_the_eyes_before_it(file: Path) -> None:
    client = app_client(file.parent, "both")
    path = f"/api/games/{only_game(client)}/assertions"
    for eyes, status in (("", 422), ("british", 422), ("german", 200), ("umpire", 200)):
        found = client.post(path, json={"facts": ["cpp/german=25"]}, params={"eyes": eyes})
        assert found.status_code == status, eyes


def test_a_proposed_answer_stays_when_the_other_keeps_an_assertion(file: Path) -> None:
    with OpenGame.open(file) as game:
        game.proposals.make(
            game.session.journal.head, Proposal(prompt="0.2", side="german", value={"at": "Y20"})
        )
        before = Seat(game, "german")
        asked, lines = before.question(), before.lines()
        Seat(game, "british").compare_with_paper(["units/british=36"], keep=True)
        after = Seat(game, "german")
        assert (after.question(), after.lines()) == (asked, lines)
        (kept,) = after.question().proposals  # type: ignore[union-attr]
        assert (kept.by, kept.value) == ("german", {"at": "Y20"})


def test_the_dialog_by_keyboard(chromium: Any, file: Path) -> None:
    with serving(file.parent) as served, Screen(chromium, served, "british") as screen:
        page = screen.open(file, "&view=sheets")
        page.focus("[data-action=compare-paper]")
        page.keyboard.press("Enter")
        page.wait_for_selector("dialog [name=facts]:focus")
        page.keyboard.type("san/german=5\nunits/british=36")
        page.focus("[data-action=compare]")
        page.keyboard.press("Enter")
        page.wait_for_selector("dialog [role=status] li")
        assert "san/german" in page.inner_text("dialog [role=status]")
        page.fill("dialog [name=facts]", "units/german=3")
        page.click("[data-action=compare]")
        page.wait_for_function(
            "() => document.querySelector('dialog [role=status]').innerText.includes('German')"
        )
        page.fill("dialog [name=facts]", "units/british=36")
        page.check("dialog [name=keep]")
        page.click("[data-action=compare]")
        page.wait_for_selector("dialog [role=status] .quiet")
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")
    assert "units/british 36" in run_pbcg("log", file).out


# -- the facts are those of the sheets -----------------------------------------------------------


@cache
def states() -> list[Campaign]:
    return [kept.state for kept in play(begin(1, house_rules={}), 1, check=False).kept]


@pytest.mark.rule("9.2-c")
def test_every_fact_is_what_the_sheets_print() -> None:
    seen = {"rg": 0, "prisoners": 0, "ww-box": 0, "areas": 0, "control": 0}
    for state in states():
        facts = RosterFacts(state, UMPIRE)
        lines = roster_lines(state)
        for line in lines:
            for name, column in (("san", "german_san"), ("cpp-spent", "cpp_spent")):
                assert facts.find(f"{name}/german/{line.date}").value == getattr(line, column)
        for side in state.sides:
            own = force_lines(state, side)
            for name, kind in (("units", "MMC"), ("sw", "SW"), ("guns", "Gun")):
                count = sum(each.kind == kind for each in own)
                assert facts.find(f"{name}/{side}").value == count
            smc = sum(each.kind == "SMC" for each in own)
            assert smc == sum(
                int(facts.find(f"{name}/{side}").value or 0) for name in ("leaders", "heroes")
            )
            for name in ("prisoners", "areas", "control"):
                seen[name] += int(facts.find(f"{name}/{side}").value or 0)
        for each in purchase_lines(state):
            if not each.given:
                count = sum(x.rg == each.rg and not x.given for x in purchase_lines(state))
                assert facts.find(f"rg/{each.rg}").value == count
                seen["rg"] += 1
        seen["ww-box"] += int(facts.find("ww-box").value or 0)
        place = next((each for side in state.sides for each in state.control.of(side)), None)
        if place:
            holder = next(side for side in state.sides if place in state.control.of(side))
            assert facts.find(f"control/{place}").value == holder
    assert all(seen.values()), seen


@pytest.mark.rule("9.617-a")
def test_a_side_has_the_facts_that_its_sheets_have() -> None:
    names = {
        "campaign": "campaign", "date": "date", "reinforcements": "reinforcements", "rg": "rg/I5",
        "ww-box": "ww-box", "bought": "bought/{}/dummy",
    }  # fmt: skip
    own = {Side.BRITISH: 0, Side.GERMAN: 0}
    for state in states()[::7]:
        umpire = RosterFacts(state, UMPIRE)
        for side in state.sides:
            mine = RosterFacts(state, side)
            for head in FORMS:
                for other in state.sides:
                    name = names.get(head, f"{head}/{{}}").format(other)
                    try:
                        value = mine.find(name).value
                    except NoSuchFact:
                        continue
                    assert value == umpire.find(name).value, (name, side)
                    own[side] += 1
    assert all(own.values())


def answers_for(state: Campaign, side: Side) -> list[str]:
    """Return what each name of a fact brings ``side``: its value, or the words of the refusal."""
    facts, found = RosterFacts(state, side), []
    for head in FORMS:
        for other in ("british", "german", "I5", "Y20"):
            for rest in ("", "/dawn", "/6-4-8", "/4-4-7", "/ap-mines", "/x"):
                try:
                    found.append(str(facts.find(f"{head}/{other}{rest}")))
                except NoSuchFact as error:
                    found.append(str(error))
    return found


@pytest.mark.rule("9.617-a")
def test_no_fact_depends_on_what_the_other_side_keeps_secret() -> None:
    for state in states()[::5]:
        for side in state.sides:
            other = side.other
            pieces = tuple(each for each in state.pieces if each.side is side)
            others = {
                "pieces": pieces,
                "bought": tuple(each for each in state.bought if each.side is side),
                "fpp": {**state.fpp, other: 77.0},
                "dummies": {**state.dummies, other: 7},
            }
            if other is Side.GERMAN:
                accounts = tuple(
                    replace(each, cpp_available=99, cpp_spent=9, cpp_left=90, cpp_loss_points=5)
                    for each in state.accounts
                )
                others |= {"cpp": 99, "groups": (), "accounts": accounts}
            assert answers_for(state, side) == answers_for(change(state, **others), side)
