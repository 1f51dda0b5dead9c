"""Work beside the answers: in processes that are killed, for one viewer, kept on the disk."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from web_help import answer, app_client, only_game, serving

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.play.campaign_game.campaign_plug import create_campaign
from asl_pbcg.web.folder import NoGame
from asl_pbcg.web.worker_processes import Tell, TooLong, Workers


@pytest.fixture
def pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PBCG_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "pictures"


def never_ends(tell: Tell, *_: Any) -> int:
    tell(0.25)
    while True:
        try:
            time.sleep(0.1)
        except BaseException:
            continue


def seven(tell: Tell) -> int:
    tell(0.5)
    return 7


def own_id(tell: Tell, rest: float = 0) -> int:
    time.sleep(rest)
    return os.getpid()


def refused(tell: Tell, kind: type[PBCGError]) -> None:
    raise NoGame if kind is NoGame else PBCGError("Not so.")


def broken(tell: Tell) -> None:
    raise ZeroDivisionError


def killed(tell: Tell) -> None:
    os._exit(3)


@pytest.mark.finding("G-31")
@pytest.mark.finding("G-50")
def test_what_takes_too_long_or_nobody_waits_for_is_killed() -> None:
    async def gone() -> bool:
        return True

    async def work() -> list[float]:
        workers, told = Workers(1), []
        await workers.run(seven)
        with pytest.raises(TooLong, match="1 seconds"):
            await workers.run(never_ends, seconds=1, tell=told.append)
        with pytest.raises(TooLong):
            await workers.run(never_ends, gone=gone)
        task = asyncio.create_task(workers.run(never_ends))
        await asyncio.sleep(0.3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await workers.run(seven, gone=None, tell=told.append) == 7
        workers.close()
        return told

    assert asyncio.run(work()) == [0.25, 0.5]


@pytest.mark.finding("G-50")
def test_what_somebody_waits_for_comes_before_pictures() -> None:
    async def work() -> None:
        workers, done = Workers(1), []

        async def run(name: str, later: bool) -> None:
            await workers.run(own_id, 0.05, later=later)
            done.append(name)

        first = asyncio.create_task(run("first", False))
        await asyncio.sleep(0.01)
        pictures = [asyncio.create_task(run(f"picture {n}", True)) for n in range(3)]
        await asyncio.sleep(0.01)
        sheet = asyncio.create_task(run("sheet", False))
        await asyncio.gather(first, sheet, *pictures)
        assert done == ["first", "sheet", "picture 0", "picture 1", "picture 2"]
        workers.close()

    asyncio.run(work())


def test_errors_come_back_as_they_are_and_a_lost_process_is_replaced() -> None:
    async def work() -> None:
        workers = Workers(1)
        with pytest.raises(PBCGError, match="Not so."):
            await workers.run(refused, PBCGError)
        with pytest.raises(PBCGError, match="no such game"):
            await workers.run(refused, NoGame)
        with pytest.raises(RuntimeError, match="ZeroDivisionError"):
            await workers.run(broken)
        before = await workers.run(own_id)
        with pytest.raises(PBCGError, match="from outside"):
            await workers.run(killed)
        assert await workers.run(own_id) not in (before, os.getpid())
        workers.close()

    asyncio.run(work())


def two_sided(folder: Path, name: str = "one") -> None:
    settings = {"campaign": "CG2", "players": {}, "balance": "", "house_rules": {}}
    meta = {"settings": settings, "dice": "seeded", "seed": 7}
    create_campaign(folder / f"{name}.pbcg", meta).close()


@pytest.mark.finding("G-50")
def test_a_picture_is_kept_for_one_viewer_and_drawn_again_when_the_game_goes_on(
    tmp_path: Path, pictures: Path
) -> None:
    games = tmp_path / "games"
    games.mkdir()
    two_sided(games)

    def files() -> dict[str, float]:
        return {each.name: each.stat().st_mtime_ns for each in pictures.glob("*.png")}

    drawn: dict[str, tuple[bytes, set[str]]] = {}
    with app_client(games) as client:
        id = only_game(client)
        for viewer in ("both", "british", "german"):
            before = files()
            client.headers["Authorization"] = f"Bearer {client.keys[viewer]}"
            content = client.get(f"/api/games/{id}/picture.png").content
            drawn[viewer] = content, set(files()) - set(before)
            assert content.startswith(b"\x89PNG") and len(drawn[viewer][1]) == 1
        assert {each.stat().st_mode & 0o777 for each in pictures.iterdir()} == {0o600}
        client.headers["Authorization"] = f"Bearer {client.keys['german']}"
        asked = client.get(f"/api/games/{id}").json()["asked"]
        assert asked["secret"]  # bought in secret: the British player does not learn that
        legal = next(each["id"] for each in asked["options"] if not each["refused"])
        assert answer(client, id, legal).status_code == 200
        kept = files()
        client.headers["Authorization"] = f"Bearer {client.keys['british']}"
        assert client.get(f"/api/games/{id}/picture.png").content == drawn["british"][0]
        assert files() == kept
        client.headers["Authorization"] = f"Bearer {client.keys['german']}"
        client.get(f"/api/games/{id}/picture.png")
        assert len(files()) == len(kept) + 1
    kept = files()
    with app_client(games, "british") as client:
        assert client.get(f"/api/games/{id}/picture.png").content == drawn["british"][0]
    assert files() == kept


@pytest.mark.finding("G-50")
def test_a_question_is_answered_while_sheets_are_printed(tmp_path: Path, pictures: Path) -> None:
    two_sided(tmp_path)
    with serving(tmp_path) as served, served.client("umpire") as client:
        id = only_game_of(client)
        client.get(f"/games/{id}")
        shares: list[float] = []
        waits = list(ask_while_printing(served, client, id, shares))
        assert client.get("/progress/mine").json() == {"done": 0.0}
    assert len(waits) >= 2 and any(0 < share < 1 for share in shares)
    # The median of a machine that does nothing else is some milliseconds.
    assert sorted(waits)[len(waits) // 2] < 1.0


def only_game_of(client: Any) -> str:
    (card,) = client.get("/games").json()["games"]
    return str(card["id"])


def ask_while_printing(served: Any, client: Any, id: str, shares: list[float]) -> Iterator[float]:
    """Yield how long each question takes as long as all sheets are being printed."""
    import threading

    def print_all() -> None:
        with served.client("umpire") as own:
            assert own.get(f"/games/{id}/sheets/all.pdf?work=mine").content.startswith(b"%PDF")

    printing = threading.Thread(target=print_all)
    printing.start()
    while printing.is_alive():
        began = time.monotonic()
        assert client.get(f"/games/{id}").status_code == 200
        yield time.monotonic() - began
        shares.append(client.get("/progress/mine").json()["done"])
        time.sleep(0.02)
    printing.join()
