"""Malformed requests, killed servers, many listeners: nothing is lost, nothing answered twice."""

from __future__ import annotations

import os
import random
import shutil
import threading
import time
import warnings
from pathlib import Path
from typing import Any

import httpx
from web_help import Served, answer, app_client, journal_of, only_game, serving

from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.web.folder import game_id

LONG = bool(os.environ.get("PBCG_LONG"))
"""The whole of it; without, a sample that takes seconds."""
KILLS = 100 if LONG else 6
GAMES = 100 if LONG else 30
EXAMPLES = 25 if LONG else 7
SOUND_CHANGES = [
    ("DELETE", "/api/games/{id}"),
    *(("POST", f"/api/games/{{id}}/{word}") for word in ("name", "notes", "hand")),
]
"""Requests that change a game whatever is asked now; they are made of no game that there is."""


def test_a_thousand_malformed_requests_change_nothing(tmp_path: Path) -> None:
    """Requests made from the published schema, right and wrong: 4xx with a sentence, never 500."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import schemathesis
        from hypothesis import HealthCheck, Phase, given, settings

    counted = {"all": 0, "refused": 0}
    with app_client(tmp_path, "umpire") as client:
        wanted = {"kind": "campaign", "name": "one", "campaign": "CG2", "seed": 7}
        client.post("/api/games", json=wanted)
        id = only_game(client)
        for _ in range(4):
            asked = client.get(f"/api/games/{id}").json()["asked"]
            legal = [each["id"] for each in asked["options"] if not each["refused"]]
            answer(client, id, legal[0])
        before = client.get(f"/api/games/{id}").json()
        schema = schemathesis.openapi.from_dict(client.get("/openapi.json").json())
        for operation in schema.get_all_operations():
            found = operation.ok()
            if found.path == "/api/key" or found.path.endswith(("/events", "/picture.png")):
                continue
            modes = [schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE]
            for mode in modes:
                strategy = found.as_strategy(generation_mode=mode)

                @settings(
                    max_examples=EXAMPLES,
                    deadline=None,
                    database=None,
                    derandomize=True,
                    phases=[Phase.generate],
                    suppress_health_check=list(HealthCheck),
                )
                @given(case=strategy)
                def ask(case: Any) -> None:
                    path = case.formatted_path.replace("\x00", "%00")
                    changes = (case.method.upper(), case.path) in SOUND_CHANGES
                    often = random.Random(str(case)).random() < 0.7
                    if case.path_parameters and often and not changes:
                        own = case.path.replace("{id}", id)
                        path = own if "{" not in own else path
                    body = None if _unset(case.body) else case.body
                    if case.method.upper() == "POST" and path == "/api/games" and _sound(body):
                        return
                    try:
                        response = client.request(
                            case.method,
                            path,
                            params=_plain(case.query),
                            json=body if not isinstance(body, bytes) else None,
                            content=body if isinstance(body, bytes) else None,
                        )
                    except (httpx.InvalidURL, UnicodeError, ValueError, TypeError):
                        return  # no client can send that
                    counted["all"] += 1
                    assert response.status_code < 500, (case.method, path, body, response.text)
                    if response.status_code >= 400:
                        counted["refused"] += 1
                        assert response.json()["sentence"]

                ask()
        after = client.get(f"/api/games/{id}").json()
        assert {**after, "draft": 0} == {**before, "draft": 0}
    assert counted["all"] >= 15 * 2 * EXAMPLES and counted["refused"] > counted["all"] / 3, counted


def _unset(body: Any) -> bool:
    return type(body).__name__ == "NotSet"


def _sound(body: Any) -> bool:
    """Whether it would make a game; that is not a malformed request."""
    return isinstance(body, dict) and "kind" in body and "name" in body


def _plain(query: Any) -> dict[str, Any]:
    return {str(name): value for name, value in (query or {}).items() if value is not None}


def test_a_killed_server_has_kept_every_answer_it_acknowledged(tmp_path: Path) -> None:
    """``kill -9`` at random moments while somebody answers as fast as he can."""
    source = random.Random(5)
    served = Served(tmp_path)
    try:
        with served.client("umpire") as client:
            wanted = {"kind": "campaign", "name": "one", "campaign": "CG2", "seed": 7}
            id = client.post("/games", json=wanted).json()["id"]
        acknowledged = 0
        for _ in range(KILLS):
            last = [acknowledged]
            stop = threading.Thread(target=_kill, args=(served, last, source.uniform(0, 0.25)))
            stop.start()
            while True:
                try:
                    with served.client("umpire") as client:
                        _play(client, id, last, source)
                except httpx.TransportError:
                    break
            stop.join()
            served.start()
            with served.client("umpire") as client:
                seq = client.get(f"/games/{id}").json()["seq"]
            # The answer on its way may or may not have arrived; those before it have.
            assert last[0] <= seq <= last[0] + 1
            acknowledged = seq
        assert acknowledged >= KILLS
    finally:
        served.stop()
    entries = journal_of(tmp_path / "one.pbcg")
    assert [entry[0] for entry in entries] == list(range(1, acknowledged + 1))


def _kill(served: Served, last: list[int], after: float) -> None:
    """Kill the server some time after it has acknowledged an answer."""
    begun = last[0]
    for _ in range(1000):
        if last[0] > begun:
            break
        time.sleep(0.02)
    time.sleep(after)
    served.kill()


def _play(client: httpx.Client, id: str, last: list[int], source: random.Random) -> None:
    """Answer or undo until the server is gone; ``last`` is the last it acknowledged."""
    state = client.get(f"/games/{id}").json()
    while True:
        asked = state["asked"]
        if asked["asked"] == "roll":
            body = {"seq": state["seq"], "roll": asked["id"]}
            made = client.post(f"/games/{id}/rolls", json=body)
        elif asked["id"] == "0.1":
            body = {"seq": state["seq"], "reason": "again", "step": "dawn/9.617", "sure": True}
            made = client.post(f"/games/{id}/undo", json=body)
        else:
            value = asked["default"]
            if asked["kind"] == "choose":
                legal = [each["id"] for each in asked["options"] if not each["refused"]]
                value = source.choice(legal)
            body = {"seq": state["seq"], "prompt": asked["id"], "value": value}
            made = client.post(f"/games/{id}/answers", json=body)
        assert made.status_code == 200, made.text
        state = made.json()
        last[0] = state["seq"]


def test_a_killed_server_has_kept_what_was_proposed(evening: Path) -> None:
    url = f"/games/{game_id(evening)}"

    def agreement(client: httpx.Client) -> Any:
        asked = client.get(url).json()["asked"]
        body = {"seq": asked["seq"], "prompt": asked["id"], "value": "agreement"}
        return asked, client.post(f"{url}/answers", json=body).json()

    served = Served(evening.parent)
    try:
        with served.client("british") as anne:
            assert agreement(anne)[1]["agreement"] == "german"
        served.kill()
        served.start()
        with served.client("german") as karl:
            asked, then = agreement(karl)
            (proposal,) = asked["proposals"]
            assert (proposal["value"], proposal["by"]) == ("agreement", "british")
            assert then["asked"]["id"] == "0.2"
    finally:
        served.stop()


def test_a_hundred_games_and_a_hundred_listeners(tmp_path: Path) -> None:
    """One process; every listener hears of an answer, and of none but that of his game.

    How soon is measured in ``benchmarks/bench_web.py``.
    """
    from asl_pbcg.play.campaign_game.campaign_plug import create_campaign

    meta = {"settings": {"campaign": "CG2", "players": {}}, "dice": "seeded", "seed": 1}
    create_campaign(tmp_path / "game 0.pbcg", meta).close()
    for number in range(1, GAMES):
        shutil.copyfile(tmp_path / "game 0.pbcg", tmp_path / f"game {number}.pbcg")
    with serving(tmp_path) as served, served.client("umpire") as client:
        ids = [card["id"] for card in client.get("/games").json()["games"]]
        assert len(ids) == GAMES
        heard: dict[str, float] = {}
        ready = threading.Semaphore(0)

        def listen(id: str) -> None:
            with served.client("umpire") as own, own.stream("GET", f"/games/{id}/events") as got:
                for count, _ in enumerate(line for line in got.iter_lines() if "data" in line):
                    if count == 0:
                        ready.release()
                    else:
                        heard[id] = time.monotonic()
                        return

        threads = [threading.Thread(target=listen, args=(id,)) for id in ids]
        for thread in threads:
            thread.start()
        for _ in ids:
            assert ready.acquire(timeout=60)
        done: list[str] = []
        for id in ids:
            asked = client.get(f"/games/{id}").json()["asked"]
            legal = next(each["id"] for each in asked["options"] if not each["refused"])
            body = {"seq": 0, "prompt": asked["id"], "value": legal}
            assert client.post(f"/games/{id}/answers", json=body).status_code == 200
            answered = time.monotonic()
            while id not in heard and time.monotonic() < answered + 60:
                time.sleep(0.005)
            done.append(id)
            assert set(heard) == set(done)
        for thread in threads:
            thread.join(60)


def test_the_terminal_looks_while_the_page_plays_and_is_told_who_writes(tmp_path: Path) -> None:
    import pytest

    from asl_pbcg.kernel.errors import PBCGError

    with serving(tmp_path) as served, served.client("umpire") as client:
        wanted = {"kind": "campaign", "name": "one", "campaign": "CG2"}
        id = client.post("/games", json=wanted).json()["id"]
        asked = client.get(f"/games/{id}").json()["asked"]
        legal = next(each["id"] for each in asked["options"] if not each["refused"])
        body = {"seq": 0, "prompt": asked["id"], "value": legal}
        assert client.post(f"/games/{id}/answers", json=body).status_code == 200
        with OpenGame.open(tmp_path / "one.pbcg", look=True) as game:
            assert len(game.entries()) == 1
        with pytest.raises(PBCGError):
            OpenGame.open(tmp_path / "one.pbcg")
    with (
        OpenGame.open(tmp_path / "one.pbcg") as game,
        serving(tmp_path) as served,
        served.client("umpire") as client,
    ):
        found = client.get(f"/games/{id}").json()
        assert found["seq"] == 1
        asked = found["asked"]
        body = {"seq": 1, "prompt": asked["id"], "value": asked["options"][0]["id"]}
        made = client.post(f"/games/{id}/answers", json=body)
        assert made.status_code == 409 and made.json()["sentence"]
        game.session.answer(next(e["id"] for e in asked["options"] if not e["refused"]))
        for _ in range(50):
            if client.get(f"/games/{id}").json()["seq"] == 2:
                break
            time.sleep(0.05)
        assert client.get(f"/games/{id}").json()["seq"] == 2
