"""The page itself, in a real browser: a Refit Phase by mouse, by keyboard, with secrets."""

from __future__ import annotations

import contextlib
import json
import posixpath
import re
import shutil
from pathlib import Path
from typing import Any

from web_help import Served, journal_of, serving
from web_player import PagePlayer
from web_screen import Look, Screen, await_next

import asl_pbcg
from asl_pbcg.cli.main import app as command
from asl_pbcg.play.campaign_game.campaign_plug import create_campaign
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.web.folder import game_id

GOLDEN = Path(__file__).parent.parent / "golden_cg1"
END = {"0.2": GOLDEN / "night-1.position.yaml"}


def replayed(file: Path, entries: list[tuple[Any, ...]], begun: Path) -> list[tuple[Any, ...]]:
    """The journal of the same answers and dice given to the session, as the terminal does."""
    shutil.copyfile(begun, file)
    with OpenGame.open(file) as game:
        done = len(game.entries())
        for _, kind, *_, body in entries[done:]:
            if kind == "answer":
                game.session.answer(json.loads(body))
            elif kind == "roll":
                game.session.throw(tuple(json.loads(body)))
    return journal_of(file)


def test_a_whole_refit_phase(look: Look, night_1: Path, evening: Path, tmp_path: Path) -> None:
    """CG I, all open, by keyboard; ``test_web_evening.py`` plays CG II with curtains."""
    with look("umpire") as (screen,):
        page = screen.page
        player = PagePlayer(page, 3, True, END)
        player.step(player.now())
        player.play("0.1")
        points = {asked.rpartition(".")[0] or asked for asked in player.asked}
        assert {"9.606", "9.613"} <= {point[:5] for point in player.asked}, points
        assert page.inner_text(".top .badge >> nth=0") == "Night II"
    found = journal_of(evening)
    assert len(found) > 80
    assert found == replayed(tmp_path / "replayed.pbcg", found, night_1)
    print(f"{len(player.asked)} prompts and rolls, {player.actions} actions")


def test_names_of_players_and_files_are_text_everywhere(chromium: Any, tmp_path: Path) -> None:
    evil = '<img src=x onerror="document.title=1"><b>'
    file = tmp_path / "a&b <i>x.pbcg"
    meta = {
        "settings": {"campaign": "CG1", "players": {"british": evil, "german": "=1+1"}},
        "dice": "seeded",
        "seed": 1,
    }
    create_campaign(tmp_path / "begun.pbcg", meta).close()
    (tmp_path / "begun.pbcg").rename(file)  # pbcg itself makes no file that Windows cannot hold
    with serving(tmp_path) as served, Screen(chromium, served, "umpire") as screen:
        page = screen.open()
        page.wait_for_selector("[data-card]")
        assert page.inner_text("[data-card] h2") == "a&b <i>x"
        page = screen.open(file)
        page.wait_for_selector("[data-prompt]")
        assert page.inner_text(".top h1") == "a&b <i>x"
        for view in ("log", "sheets"):
            page.click(f"[data-view={view}]")
            page.wait_for_selector(".reading")
        assert not page.query_selector("b:has(img), img[src=x], h1 i, h2 i")
        assert "pbcg" in page.title()


def test_another_tab_s_answer_shows_at_once_and_an_old_one_changes_nothing(
    look: Look, night_1: Path, evening: Path
) -> None:
    with look("umpire", "umpire") as screens:
        pages = [screen.page for screen in screens]
        for page in pages:
            page.wait_for_selector("[data-option=dr]")
        pages[0].click("[data-option=dr]")
        for page in pages:
            await_next(page, "0.1")
        first, second = (page.get_attribute("[data-prompt]", "data-prompt") for page in pages)
        assert first == second != "0.1"
    assert len(journal_of(evening)) == len(journal_of(night_1)) + 1


def test_a_state_that_an_answer_has_overtaken_is_not_shown(chromium: Any, evening: Path) -> None:
    held: list[Any] = []

    def late(route: Any) -> None:
        """The second time the page asks how things stand, the answer stays on its way."""
        held.append(route)
        if len(held) == 2:
            held.append(route.fetch())
        else:
            route.continue_()

    with serving(evening.parent) as served, Screen(chromium, served, "umpire") as screen:
        screen.page.route(f"**/api/games/{game_id(evening)}", late)
        page = screen.open(evening)
        page.wait_for_selector("[data-option=dr]")
        while len(held) < 3:
            page.wait_for_timeout(20)
        page.click("[data-option=dr]")
        await_next(page, "0.1")
        held[1].fulfill(response=held[2])
        page.wait_for_timeout(150)
        assert page.get_attribute("[data-prompt]", "data-prompt") != "0.1"


def test_a_game_that_is_left_before_it_has_come_does_not_come_after_all(
    chromium: Any, night_1: Path, evening: Path
) -> None:
    """Back while the game is on its way, then while its map is: no key answers there any more."""
    held: list[Any] = []

    def hold(route: Any) -> None:
        """Keep the first request for the game on its way, and the first for its board."""
        kept = sum(each.request.url == route.request.url for each in held)
        if kept:
            route.continue_()
        else:
            held.append(route)

    with serving(evening.parent) as served, Screen(chromium, served, "umpire") as screen:
        page = screen.open()
        page.route(f"**/api/games/{game_id(evening)}", hold)
        page.route("**/board", hold)
        for count in (1, 2):
            page.click("[data-game]")
            while len(held) < count:
                page.wait_for_timeout(20)
            with page.expect_response("**/api/games?*"):
                page.go_back()
            held[-1].continue_()
            page.wait_for_timeout(400)
            page.keyboard.press("1")
            page.wait_for_timeout(200)
            assert page.locator("[data-card]").count() and not page.locator("[data-prompt]").count()
        assert page.title() == "pbcg"
    assert journal_of(evening) == journal_of(night_1)


def test_a_double_click_answers_once(look: Look, night_1: Path, evening: Path) -> None:
    with look("umpire") as (screen,):
        page = screen.page
        page.dblclick("[data-option=dr]")
        await_next(page, "0.1")
    assert len(journal_of(evening)) == len(journal_of(night_1)) + 1


def test_the_page_goes_on_after_the_server_was_killed(
    chromium: Any, night_1: Path, evening: Path
) -> None:
    served = Served(evening.parent)
    with contextlib.ExitStack() as stack:
        stack.callback(served.stop)
        screen = stack.enter_context(Screen(chromium, served, "umpire"))
        page = screen.open(evening)
        page.wait_for_selector("[data-option=dr]")
        served.kill()
        page.click("[data-option=dr]")
        page.wait_for_selector("#notice.bad:visible")
        served.start()
        page.wait_for_function("() => /connection is back/.test(document.body.innerText)")
        page.wait_for_selector("[data-option=dr]")
        assert len(journal_of_open(served, evening)) == len(journal_of(night_1))
        page.click("[data-option=dr]")
        await_next(page, "0.1")
    assert len(journal_of(evening)) == len(journal_of(night_1)) + 1


def test_what_was_said_is_over_with_the_next_answer(page: Any) -> None:
    page.wait_for_selector(".board.painted")
    page.keyboard.press("g")
    page.keyboard.type("ZZ99")
    page.keyboard.press("Enter")
    page.wait_for_selector("#notice:visible")
    page.click("[data-option=dr]")
    await_next(page, "0.1")
    assert not page.locator("#notice:visible").count()


def test_who_was_cut_off_is_not_told_that_an_answer_from_elsewhere_was_his(look: Look) -> None:
    with look("umpire", "umpire") as (one, two):
        for screen in (one, two):
            screen.page.wait_for_selector("[data-option=dr]")
            screen.page.wait_for_selector(".board.painted")
        one.context.set_offline(True)
        two.page.click("[data-option=agreement]")
        await_next(two.page, "0.1")
        one.page.click("[data-option=dr]")
        one.page.wait_for_selector("#notice.bad:visible")
        one.context.set_offline(False)
        one.page.wait_for_selector('[data-prompt="0.2"]')
        assert "another window" in one.page.inner_text("#notice")


def test_a_campaign_that_is_begun_has_nothing_new_in_its_log(chromium: Any, tmp_path: Path) -> None:
    with serving(tmp_path) as served, Screen(chromium, served, "umpire") as screen:
        page = screen.open()
        page.click("[data-begin=sample]")
        page.click("dialog button.main")
        page.wait_for_selector(".latest .line")
        assert not page.locator(".latest .line.new").count()


def journal_of_open(served: Served, file: Path) -> list[Any]:
    """The entries of a game that the server may hold."""
    with OpenGame.open(file, look=True) as game:
        return list(game.entries())


def test_serve_is_a_command() -> None:
    assert command.info.cls is not None
    from asl_pbcg.cli.main import COMMANDS

    assert COMMANDS["serve"][0] == "asl_pbcg.web.command"


def test_two_browsers_with_a_key_of_their_own(
    chromium: Any, night_1: Path, evening: Path, tmp_path: Path
) -> None:
    """A Refit Phase on two devices: who is not asked waits; what both settle both agree to."""
    with (
        serving(tmp_path) as served,
        Screen(chromium, served, "german") as one,
        Screen(chromium, served, "british", size=(390, 844)) as two,
    ):
        players = [
            PagePlayer(screen.open(evening), seed, documents=END)
            for seed, screen in ((3, one), (4, two))
        ]
        agreed = waited = 0
        for _ in range(2000):
            asked = [player.now() for player in players]
            done = len(players[0].asked) > 20 and asked[0].get("prompt") == "0.1"
            if done:
                break
            both = [bool(each.get("prompt")) for each in asked]
            shared = [bool(now.get("seq")) and now["whose"] == "both" for now in asked]
            if all(shared):
                _agree(players, asked)
                agreed += 1
            elif sum(both) == 1 and not any(shared):
                waited += 1
                players[both.index(True)].step(asked[both.index(True)])
            else:  # the event that says so is on its way
                players[0].page.wait_for_timeout(50)
        assert agreed >= 3 and waited > 50
        points = [{point[:5] for point in player.asked} for player in players]
        assert "9.606" in points[0] and "9.613" in points[0] & points[1]
    found = journal_of(evening)
    assert found == replayed(tmp_path / "replayed.pbcg", found, night_1)


def _agree(players: list[PagePlayer], asked: list[dict[str, str]]) -> None:
    """One proposes, the other agrees."""
    first, second = players
    now = asked[0]
    if now["kind"] == "document":
        first.page.set_input_files(".asked [data-action=file]", str(END["0.2"]))
        first.page.click(".asked [data-action=send]:visible")
        first.page.click("dialog [data-option=go-on]")
    elif now["kind"] == "roll":
        first.page.click("[data-action=roll]")
    elif now["kind"] == "choose":
        chosen = first.always.get(now["prompt"], "")
        chosen = f"[data-option={chosen}]" if chosen else "button[data-option]"
        first.page.locator(f".asked {chosen}").first.click()
    else:
        first.answer_text(now)
    if now["kind"] != "roll":
        second.page.click(".proposal button")
    for player, before in zip(players, asked, strict=True):
        player.settled(before["seq"])


def test_a_new_key_shuts_other_pages_out_and_this_one_goes_on(
    chromium: Any, tmp_path: Path
) -> None:
    with (
        serving(tmp_path) as served,
        Screen(chromium, served, "umpire") as one,
        Screen(chromium, served, "umpire") as two,
    ):
        pages = [screen.open() for screen in (one, two)]
        for page in pages:
            page.wait_for_selector("[data-action=renew]")
        pages[0].click("[data-action=renew]")
        pages[0].click("[data-action=renew-now]")
        pages[0].wait_for_function(
            "(old) => !location.hash.includes(old)", arg=served.key("umpire")
        )
        pages[0].wait_for_selector("[data-begin=campaign]")
        pages[1].reload()
        pages[1].wait_for_selector(".plainpage")
        assert "needs a key" in pages[1].inner_text(".plainpage")


def test_the_page_fetches_at_once_every_script_that_its_first_one_needs() -> None:
    static = Path(asl_pbcg.__file__).parent / "web" / "static"
    needed, waiting = {"main.js"}, ["main.js"]
    while waiting:
        name = waiting.pop()
        text = (static / "js" / name).read_text(encoding="utf-8")
        imported = re.findall(r'^import .* from "(\.[\w./]+\.js)";$', text, re.M)
        new = {posixpath.normpath(posixpath.join(name, "..", each)) for each in imported} - needed
        needed |= new
        waiting += new
    named = re.findall(r'modulepreload" href="js/(.+)"', (static / "index.html").read_text("utf-8"))
    assert len(needed) > 8 and {*named} == needed and len(named) == len(needed)
