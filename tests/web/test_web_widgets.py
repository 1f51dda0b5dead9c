"""A made-up widget, as the walk of building.md adds one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
from web_screen import Screen, serving

from asl_pbcg.kernel.answers import Dialogue, Heading
from asl_pbcg.kernel.prompts import Prompt, Script, ask_number
from asl_pbcg.play.asked import AskedPrompt
from asl_pbcg.play.campaign_game.campaign_plug import create_campaign
from asl_pbcg.play.dialogue_game import open_dialogue
from asl_pbcg.play.seat import Seat
from asl_pbcg.web.folder import game_id

WALK = (Path(__file__).parents[2] / "docs/engineers/building.md").read_text(encoding="utf-8")
WALK = WALK.partition("## Add a widget")[2].partition("\n## ")[0]
PYTHON, SCRIPT = (re.search(rf"```{each}\n(.*?)```", WALK, re.S)[1] for each in ("python", "js"))


def wind() -> Seat:
    made: dict[str, Any] = {"Prompt": Prompt, "Script": Script, "ask_number": ask_number}
    exec(PYTHON, made)
    return Seat(
        open_dialogue(Dialogue(made["wind"], Heading("wind", "Wind")), Path("wind")), "umpire"
    )


def test_walk_of_building_adds_a_widget_in_few_lines() -> None:
    assert len(PYTHON.splitlines()) + len(SCRIPT.splitlines()) < 40
    seat = wind()
    asked = seat.question()
    assert isinstance(asked, AskedPrompt) and (asked.kind, asked.widget) == ("number", "dial")
    seat.answer("4")
    assert seat.game.session.pending is None


def test_page_draws_a_made_up_widget_by_its_module(tmp_path: Path, chromium: Any) -> None:
    file = tmp_path / "evening.pbcg"
    create_campaign(file, {"settings": {"campaign": "CG1"}, "dice": "seeded"}).close()
    answers = []

    def take(route: Any) -> None:
        answers.append(route.request.post_data_json["value"])
        route.fulfill(json=state)

    with serving(tmp_path) as served, Screen(chromium, served, "umpire") as screen:
        game = f"/games/{game_id(file)}"
        with served.client("umpire") as client:
            state = {**client.get(game).json(), "asked": msgspec.to_builtins(wind().question())}
        module = {"content_type": "text/javascript", "body": SCRIPT}
        screen.page.route("**/js/widgets/dial.js", lambda route: route.fulfill(**module))
        screen.page.route(f"**/api{game}", lambda route: route.fulfill(json=state))
        screen.page.route(f"**/api{game}/answers", take)
        screen.open(file).click("[data-widget=dial] [data-option='4']")
        screen.page.wait_for_function("() => !document.querySelector('.asked.waiting')")
    assert answers == [4]
