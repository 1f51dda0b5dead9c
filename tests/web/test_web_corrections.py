"""Corrections through the browser's interface: who may make which, and that none tells a secret."""

from __future__ import annotations

import asyncio
import contextlib
import random
import shutil
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sentences import Tells
from twin_campaigns import Twins, _answer
from web_help import app_client, only_game, without_clock
from web_screen import Look, axe

from asl_pbcg import __version__
from asl_pbcg.campaign.position_words import EquipmentStatus
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.pieces import Infantry, Vehicle, Weapon
from asl_pbcg.campaign.state.seen import seen_pieces
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.web.worker_processes import Jobs, TooLong

REQUESTS = 250
"""So many at each of two moments."""
VALUES: tuple[Any, ...] = (
    "Y20", "A", "german", "british", "CG2", "dusk", "9.620", "4-6-7", "nonsense", "", "x" * 3000,
    "\x07", 0, 1, 4, -1, 7, 10**12, 0.5, 1e300, True, None, [], ["broken"], ["Y20"], ["a", 1], {},
    {"british": 3}, {"at": "Y20"}, [[["deep"]]],
)  # fmt: skip


def paths(states: list[Campaign], source: random.Random) -> Iterator[str]:
    """Paths to facts of either twin and to facts that are nobody's."""
    kinds = (Infantry, Weapon, Vehicle)
    fields = sorted({name for kind in kinds for name in kind.__struct_fields__})
    roots = [*Campaign.__struct_fields__, "units", "nonsense", "", "/", "pieces/", "a/b/c/d"]
    own = [each.id for each in states[0].of(Side.BRITISH)]
    theirs = [{each.id for each in state.of(Side.GERMAN)} for state in states]
    seen = [each.id for each in seen_pieces(states[0], Side.GERMAN)]
    one_alone, both = sorted(theirs[0] ^ theirs[1]), sorted(theirs[0] & theirs[1])
    keys = ["german", "british", "0", "1", "I5-1", "g-fpp-1", "b-fpp-1", "P-26", "german/A", "Y20"]
    while True:
        root = source.choice([*roots, "pieces", "pieces", "pieces", "area_names", "players"])
        if root != "pieces":
            yield "/".join([root, *source.sample(keys, source.choice((0, 1, 1, 2)))])
            continue
        ids = source.choice([own, seen or own, one_alone or both, both, ["3", "nobody", "+"]])
        yield f"pieces/{source.choice(ids)}/{source.choice(fields)}"


def requests(states: list[Campaign], seed: int) -> list[dict[str, Any]]:
    source = random.Random(seed)
    found = []
    for path in paths(states, source):
        body = {"path": path, "value": source.choice(VALUES), "lose": source.random() < 0.3}
        if source.random() < 0.2:
            body["typed"] = str(body.pop("value"))[:1900]
        found.append(body)
        if len(found) == REQUESTS:
            return found
    raise AssertionError


def answers_of(file: Path, side: str) -> list[tuple[Any, ...]]:
    """What stands of a side's answers and rolls."""
    with Journal.read(file, __version__) as journal:
        return [
            (each.step, each.point, each.about, each.body)
            for each in journal.standing()
            if each.side == side and each.kind != "correction"
        ]


def replies(file: Path, folder: Path, bodies: list[dict[str, Any]]) -> list[Any]:
    """Status, body and headers of every reply that the British key gets."""
    folder.mkdir(parents=True)
    copy = folder / file.name
    shutil.copyfile(file, copy)
    before = answers_of(copy, "german")
    found: list[Any] = []
    with app_client(folder, "british") as client:
        base = f"/api/games/{only_game(client)}"
        url = f"{base}/corrections"
        seq = client.get(base).json()["seq"]
        for body in bodies:
            made = client.post(url, json={"seq": seq, "reason": "curious", **body})
            assert made.status_code in (200, 422), (made.status_code, body)
            body = without_clock(made.content)
            found.append((made.status_code, body, len(body), dict(made.headers)))
            seq = made.json().get("seq", seq)
        for more in ("", "/log", "/map", "/sheets"):
            found.append(without_clock(client.get(f"{base}{more}").content))
        proposed = client.get(base).json()["correction"] or {"digest": ""}
        body = {"seq": seq, "agree": True, "proposal": proposed["digest"]}
        agreed = client.post(f"{base}/agreement", json=body)
        found.append(without_clock(agreed.content))
    assert answers_of(copy, "german") == before
    return found


@pytest.mark.finding("G-30")
@pytest.mark.finding("G-31")
def test_no_reply_to_a_correction_tells_a_secret(tmp_path: Path) -> None:
    """While the German buys in secret, and while the British is asked after that."""
    twins = Twins(tmp_path / "play", 6, Side.GERMAN)
    first, second = twins.answers
    variant, second._variant = second._variant, first._variant  # alike until the purchase
    twins.reph(False, lambda session: b"")
    twins.battle(0)
    moments: list[str] = []

    def look_at(moment: str) -> None:
        files = twins.close()
        replied = [
            replies(file, tmp_path / moment / name / "games", requests(states, len(moments)))
            for file, name in zip(files, "ab", strict=True)
        ]
        for number, (one, two) in enumerate(zip(*replied, strict=True)):
            assert one == two, requests(states, len(moments))[number : number + 1]
        kinds = {each[0] for each in replied[0][:REQUESTS]}
        assert kinds == {200, 422}, kinds
        moments.append(moment)
        twins.reopen()

    while len(moments) < 2:
        pending = twins.sessions[0].pending
        assert pending is not None
        states = [session.state for session in twins.sessions]
        if states[0].at == "9.617" and pending.secret and not moments:
            second._variant = variant
            for _ in range(4):
                for session, answering in zip(twins.sessions, twins.answers, strict=True):
                    if session.state.at == "9.617" and answering.is_own(session.pending):
                        _answer(session, answering)
            states = [session.state for session in twins.sessions]
            entries = [session.journal.standing()[-1].body for session in twins.sessions]
            assert entries[0] != entries[1] or states[0] != states[1]
            look_at("purchase")
        elif moments and pending.side == "british" and isinstance(pending, Prompt):
            assert states[0] != states[1]
            look_at("british")
        for session, answering in zip(twins.sessions, twins.answers, strict=True):
            while answering.is_own(session.pending) and (moments or session.state.at != "9.617"):
                _answer(session, answering)
        if not twins.answers[0].is_own(twins.sessions[0].pending):
            for session, answering in zip(twins.sessions, twins.answers, strict=True):
                _answer(session, answering)
    twins.close()


# -- proposals ---------------------------------------------------------------------------------


class Table:
    """The page of one game for each viewer."""

    def __init__(self, folder: Path) -> None:
        self.client = app_client(folder)
        self.keys = {viewer: self.client.keys[viewer] for viewer in ("british", "german", "umpire")}
        self.base = f"/api/games/{only_game(self.client)}"

    def ask(self, viewer: str, at: str = "", **body: Any) -> Any:
        """A GET, or with ``body`` a POST of it with the viewer's present number."""
        headers = {"Authorization": f"Bearer {self.keys[viewer]}"}
        state = self.client.get(self.base, headers=headers).json()
        if not at:
            return state
        sent = {"seq": state["seq"], **body}
        return self.client.post(f"{self.base}/{at}", json=sent, headers=headers)

    def correct(self, viewer: str, path: str, value: Any, **more: Any) -> Any:
        body = {"path": path, "value": value, "reason": "misread", **more}
        return self.ask(viewer, "corrections", **body)

    def agree(self, viewer: str, agree: bool = True, proposal: str = "") -> Any:
        """Agree to the correction with a digest, or decline it; without one to that of now."""
        named = proposal or self.ask(viewer)["correction"]["digest"]
        return self.ask(viewer, "agreement", agree=agree, proposal=named)


@pytest.fixture
def table(evening: Path) -> Iterator[Table]:
    found = Table(evening.parent)
    with found.client:
        yield found


@pytest.mark.finding("G-30")
def test_both_sides_agree_to_a_correction(table: Table, tells: Tells) -> None:
    made = table.correct("british", "san/german", 5)
    assert made.status_code == 200
    german = table.ask("german")
    assert german["correction"] == made.json()["correction"] == table.ask("umpire")["correction"]
    assert german["correction"]["side"] == "british"
    tells(german["correction"]["words"], "san/german", "5")
    digest = german["correction"]["digest"]
    tells(table.agree("british").json()["sentence"], "German player must agree")
    agreed = table.agree("german")
    assert agreed.status_code == 200 and agreed.json()["correction"] is None
    tells([line["text"] for line in table.ask("british")["lines"]], "san/german", "5", "misread")
    assert table.agree("german", proposal=digest).status_code == 409


@pytest.mark.finding("G-30")
@pytest.mark.parametrize("viewer", ["british", "german", "umpire"])
def test_a_proposal_is_withdrawn_or_declined(table: Table, viewer: str) -> None:
    before = table.ask("umpire")
    table.correct("british", "san/german", 5)
    digest = table.ask(viewer)["correction"]["digest"]
    assert table.agree(viewer, agree=False).status_code == 200
    assert table.ask("umpire") == before
    assert table.agree(viewer, agree=False, proposal=digest).status_code == 409


@pytest.mark.finding("G-30")
def test_a_side_writes_notes_alone(table: Table) -> None:
    id = next(each["id"] for each in table.client.get(f"{table.base}/map").json()["counters"])
    side = "british" if id.startswith("b") else "german"
    other = "german" if side == "british" else "british"
    assert table.correct(side, f"pieces/{id}/notes", "Brotheridge").json()["correction"] is None
    lines = [line["text"] for line in table.ask("umpire")["lines"]]
    assert "Brotheridge" in lines[-1]
    assert table.correct(other, f"pieces/{id}/notes", "theirs").json()["correction"]


@pytest.mark.finding("G-31")
def test_lost_answers_are_listed_before_anything_is_written(tmp_path: Path, tells: Tells) -> None:
    twins = Twins(tmp_path / "play", 6, Side.GERMAN)
    session, answering = twins.sessions[0], twins.answers[0]
    while session.state.at != "9.617" or not session.begun:
        _answer(session, answering)
    file, _ = twins.close()
    table = Table(file.parent)
    with table.client:
        before = table.ask("umpire")
        refused = table.correct("umpire", "cpp", 0)
        assert refused.status_code == 422 and refused.json()["lost"]
        tells(refused.json()["sentence"], "no place")
        assert table.ask("umpire") == before
        assert table.correct("umpire", "cpp", 0, lose=True).status_code == 200


# -- jobs ----------------------------------------------------------------------------------------


def _forever() -> None:
    while True:
        with contextlib.suppress(Exception):
            sum(range(100))


@pytest.mark.finding("G-31")
def test_a_job_that_takes_too_long_is_given_up_and_the_next_one_is_done() -> None:
    put_in_order: list[int] = []
    jobs = Jobs(lambda: put_in_order.append(1), most=0.2)

    async def work() -> int:
        with pytest.raises(TooLong):
            await jobs.work(_forever)
        many = await asyncio.gather(*(jobs.work(lambda: time.sleep(0.05)) for _ in range(8)))
        assert len(many) == 8  # waiting for others does not count
        return await jobs.work(lambda: 7)

    assert asyncio.run(work()) == 7
    assert put_in_order == [1]
    jobs.close()


# -- in the browser --------------------------------------------------------------------------------


@pytest.mark.finding("G-30")
def test_a_correction_is_proposed_and_agreed_to_in_two_browsers(look: Look) -> None:
    with look("british", "german") as (anne, karl):
        for screen in (anne, karl):
            screen.page.wait_for_selector("[data-option=agreement]")
        page = anne.page
        page.keyboard.press("c")
        page.wait_for_selector("dialog[open] [data-form=correct]")
        assert axe(page) == []
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")
        page.click("[data-action=change]")
        page.get_by_label("What", exact=True).select_option(label="SAN, German: 2")
        page.get_by_label("SAN, German", exact=True).select_option("5")
        page.get_by_label("Why", exact=True).fill("misread")
        page.keyboard.press("Enter")
        page.wait_for_selector("[data-correction=british]")
        karl.page.wait_for_selector("[data-correction=british]")
        assert "san/german" in karl.page.inner_text("[data-correction]")
        assert axe(karl.page) == []
        karl.page.click("[data-action=agree-correction]")
        for screen in (anne, karl):
            screen.page.wait_for_selector("[data-correction]", state="detached")
            assert "is now 5" in screen.page.inner_text(".latest")


@pytest.mark.finding("J-42")
def test_a_piece_is_corrected_from_its_card_by_choosing(page: Any, evening: Path) -> None:
    page.click("[data-option=agreement]")
    page.wait_for_selector("[data-prompt='0.2']")
    with OpenGame.open(evening, look=True) as game:
        pieces = game.session.now.pieces
        gun = next(piece for piece in pieces if piece.kind == "gun" and piece.on_map)
    with app_client(evening.parent) as client:
        url = f"/api/games/{only_game(client)}"
        offered = client.get(f"{url}/corrections", params={"piece": gun.id}).json()["facts"]
        assert client.get(f"{url}/corrections", params={"piece": "nobody"}).json() == {"facts": []}
    fields = [fact["path"].rpartition("/")[2] for fact in offered]
    assert fields == ["at", "status", "type", "name", "notes"]
    page.keyboard.press("g")
    page.fill(".finder input", gun.location.hex)
    page.keyboard.press("Enter")
    page.click(f'.facts [data-look="{gun.id}"]')
    page.click("[data-action=correct-piece]")
    page.get_by_label("What", exact=True).select_option(index=1)
    page.check("dialog [value=malfunctioned]")
    assert axe(page) == []
    page.get_by_label("Why", exact=True).fill("misread")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog", state="detached")
    page.wait_for_selector('.latest:has-text("misread")')
    with OpenGame.open(evening, look=True) as game:
        corrected = next(piece for piece in game.session.now.pieces if piece.id == gun.id)
    assert corrected.has(EquipmentStatus.MALFUNCTIONED, EquipmentStatus.EMPLACED)


@pytest.mark.finding("G-30")
def test_a_refused_correction_comes_back_with_what_was_typed(look: Look) -> None:
    with look("british") as (screen,):
        page = screen.page
        page.wait_for_selector("[data-action=change]")
        page.click("[data-action=change]")
        typed = {"Path": "san/german", "Is": "99", "Why": "misread"}
        page.get_by_label("What", exact=True).select_option("")
        for label, value in typed.items():
            page.get_by_label(label, exact=True).fill(value)
        page.keyboard.press("Enter")
        page.wait_for_selector("dialog[open] [role=alert]")
        assert "0 to 7" in page.inner_text("dialog[open] [role=alert]")
        for label, value in typed.items():
            assert page.get_by_label(label, exact=True).input_value() == value
        assert axe(page) == []
        page.get_by_label("Is", exact=True).fill("5")
        page.keyboard.press("Enter")
        page.wait_for_selector("[data-correction=british]")
        assert page.query_selector("dialog[open]") is None


@pytest.mark.finding("G-32")
def test_the_dialog_takes_back_and_gives_back(page: Any) -> None:
    page.click("[data-option=agreement]")
    page.wait_for_selector("[data-option=agreement]", state="detached")
    page.click("[data-action=change]")
    assert page.is_disabled("[data-action=dialog-redo]")
    page.click("[data-action=dialog-undo]")
    page.wait_for_selector("[data-option=agreement]")
    page.click("[data-action=change]")
    page.click("[data-action=dialog-redo]")
    page.wait_for_selector("[data-option=agreement]", state="detached")


@pytest.mark.finding("G-31")
def test_every_page_stands_after_whatever_correction(table: Table, evening: Path) -> None:
    with OpenGame.open(evening, look=True) as game:
        state = game.session.state
    counted: Counter[int] = Counter()
    for body in requests([state, state], 3)[:120]:
        made = table.ask("umpire", "corrections", reason="a test", **{**body, "lose": True})
        counted[made.status_code] += 1
        if made.status_code == 200:
            for more in ("", "/map", "/sheets", "/log", "/history", "/board", "/sheets/all.pdf"):
                assert table.client.get(f"{table.base}{more}?eyes=umpire").status_code < 500, body
    assert set(counted) == {200, 422}
