"""The guided first game: five prompts, the same at the terminal and in the page."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.console import Console
from sentences import Tells
from web_help import app_client

from asl_pbcg.cli.area_commands.st_guide import GuideManner
from asl_pbcg.cli.terminal.terminal import Terminal
from asl_pbcg.kernel.answers import Leave
from asl_pbcg.play.area_play.area_beginnings import GUIDE, begin_guide, lesson_of
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.seat import Seat

POINTS = {
    "garrison_activation", "grenade", "bunker_clearing", "opportunity_fire_combat",
    "hand_to_hand_combat",
}  # fmt: skip


def _learned(game: OpenGame) -> None:
    """All five things have happened, and the pillbox is British."""
    lines = game.session.lines()
    assert {line.point for line in lines if line.kind == "roll"} >= POINTS
    assert game.session.state.control["PX"] == "british"
    assert lesson_of(game) == len(GUIDE.content.lessons) == 5


def test_enter_five_times_is_a_first_game(tmp_path: Path) -> None:
    typed: list[str] = []
    with begin_guide(tmp_path / "guide.pbcg") as game, (tmp_path / "said.txt").open("w+") as said:
        console = Console(file=said, width=80)

        def read(words: object = "", **_: object) -> str:
            typed.append("")
            if len(typed) > 5:
                raise Leave
            return "23 B4" if len(typed) == 99 else ""

        console.input = read  # type: ignore[method-assign]
        terminal = Terminal(Seat(game, "british"), GuideManner(), console)
        game.note_change()
        game.throw_by_itself()
        terminal.skip_told()
        terminal.play()
        assert len(typed) == 5
        _learned(game)
        said.seek(0)
        told = said.read()
    for lesson in GUIDE.content.lessons:
        assert lesson.title in told


def test_the_page_gives_the_same_orders(tmp_path: Path) -> None:
    with app_client(tmp_path) as client:
        made = client.post("/api/games", json={"kind": "guide", "name": "first"})
        at = f"/api/games/{made.json()['id']}"
        for number in range(5):
            lesson = client.get(f"{at}/area/map").json()["lesson"]
            assert lesson["title"].startswith(f"{number + 1} of 5")
            for line in lesson["orders"]:
                body = {"seq": client.get(at).json()["seq"], "line": line}
                assert client.post(f"{at}/area/orders", json=body).status_code == 200
        assert client.get(f"{at}/area/map").json()["lesson"]["orders"] == []
    with OpenGame.open(tmp_path / "first.pbcg", look=True) as game:
        _learned(game)


@pytest.mark.parametrize("own", range(5))
def test_own_orders_in_the_page_do_not_count_as_a_lesson(tmp_path: Path, own: int) -> None:
    """Who walks somebody else about before a lesson is still at that lesson; then it goes on."""
    elsewhere = ["22 S11", "4 S12", "18 N1", "32 N1", "10 SH2"]
    with app_client(tmp_path) as client:
        made = client.post("/api/games", json={"kind": "guide", "name": "first"})
        at = f"/api/games/{made.json()['id']}"

        def give(line: str) -> None:
            body = {"seq": client.get(at).json()["seq"], "line": line}
            assert client.post(f"{at}/area/orders", json=body).status_code == 200

        for number in range(5):
            for line in elsewhere if number == own else []:
                give(line)
            lesson = client.get(f"{at}/area/map").json()["lesson"]
            assert lesson["title"].startswith(f"{number + 1} of 5")
            for line in lesson["orders"]:
                give(line)
        assert client.get(f"{at}/area/map").json()["lesson"]["orders"] == []
    with OpenGame.open(tmp_path / "first.pbcg", look=True) as game:
        _learned(game)


@pytest.mark.rule("ST-GRE-01")
def test_another_order_is_put_off_with_a_sentence(tells: Tells, tmp_path: Path) -> None:
    with begin_guide(tmp_path / "guide.pbcg") as game, (tmp_path / "said.txt").open("w+") as said:
        console = Console(file=said, width=80)
        lines = iter(["23 B4"])

        def read(words: object = "", **_: object) -> str:
            return next(lines, "q")

        console.input = read  # type: ignore[method-assign]
        terminal = Terminal(Seat(game, "british"), GuideManner(), console)
        game.throw_by_itself()
        terminal.play()
        said.seek(0)
        tells(" ".join(said.read().split()), "27", "26", "N7", "guide")
        assert lesson_of(game) == 0


def _guided(game: OpenGame, path: Path, typed: list[str]) -> None:
    """Type lines, then leave."""
    with path.open("w+") as said:
        console = Console(file=said, width=80)
        lines = iter(typed)

        def read(words: object = "", **_: object) -> str:
            line = next(lines, None)
            if line is None:
                raise Leave
            return line

        console.input = read  # type: ignore[method-assign]
        terminal = Terminal(Seat(game, "british"), GuideManner(), console)
        game.note_change()
        game.throw_by_itself()
        terminal.skip_told()
        terminal.play()


@pytest.mark.parametrize("lesson", range(1, 5))
def test_an_undo_begins_a_lesson_again(tmp_path: Path, lesson: int) -> None:
    """Its orders fit its beginning alone; nothing of the story is left out after it."""
    typed = [""] * lesson + ["u", "why not", "23 B4"] + [""] * (6 - lesson)
    with begin_guide(tmp_path / "guide.pbcg") as game:
        _guided(game, tmp_path / "said.txt", typed)
        assert game.session.journal.void()
        _learned(game)


def test_who_left_in_the_middle_of_a_lesson_begins_it_again(tmp_path: Path) -> None:
    with begin_guide(tmp_path / "guide.pbcg") as game:
        _guided(game, tmp_path / "said.txt", ["", ""])
        assert lesson_of(game) == 2
        seat = Seat(game, "british")
        while game.session.pending and game.session.pending.id != "stack":
            seat.undo("as if the power had failed")
        _guided(game, tmp_path / "said.txt", [""] * 5)
        _learned(game)
