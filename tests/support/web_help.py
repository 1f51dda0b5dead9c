"""Serving a folder for tests, asking it with a key, and a real browser to look at it."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import warnings
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

GOLDEN = Path(__file__).parent.parent / "golden_cg1"
BROWSERS = ("chromium", "google-chrome", "chromium-browser", "msedge", "microsoft-edge")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    # Two pages of the address bar would be loaded for every window, at 0.7 s of the processor.
    # The last of such lists alone counts: the other words are what playwright would say.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,"
    "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,"
    "HttpsFirstBalancedModeAutoEnable,LensOverlay,MediaRouter,NetworkTimeServiceQuerying,"
    "OptimizationHints,PaintHolding,ThirdPartyStoragePartitioning",
)  # fmt: skip
AREA_META = {"settings": {"mode": "historical"}, "dice": "seeded", "seed": 11}
REQUIRED = "PBCG_BROWSER_REQUIRED"
"""Where this is set a missing browser is a failure, not a reason to skip."""


def find_browser() -> str:
    """The browser of this machine; skips, or fails where it is required, if there is none."""
    named = os.environ.get("PBCG_BROWSER", "")
    found = named or next(filter(None, map(shutil.which, BROWSERS)), "")
    if not found:
        words = (
            "No browser: install chromium, google-chrome or msedge, or name one in PBCG_BROWSER."
        )
        if os.environ.get(REQUIRED):
            pytest.fail(words)
        pytest.skip(words)
    return found


class Here:
    """``folder`` served by a thread of this process: nothing is started and imported anew."""

    said: dict[str, str]
    base: str

    def __init__(self, folder: Path) -> None:
        from asl_pbcg.web.server import prepare

        self.folder = folder
        self._serving = prepare(folder, 0, lan=False, new_keys=False)
        self.said = dict(self._serving.ready.addresses)
        self.base = f"http://127.0.0.1:{self._serving.ready.port}"
        self._thread = threading.Thread(target=self._serving.run, daemon=True)
        self._thread.start()

    def key(self, viewer: str) -> str:
        return self.said[viewer].partition("key=")[2].partition("&")[0]

    def client(self, viewer: str = "both", **more: Any) -> httpx.Client:
        headers = {"Authorization": f"Bearer {self.key(viewer)}"}
        return httpx.Client(base_url=f"{self.base}/api", headers=headers, timeout=60, **more)

    def stop(self) -> None:
        self._serving.server.should_exit = True
        self._serving.server.config.app.state.server.stop()
        self._thread.join(timeout=60)
        assert not self._thread.is_alive()


class Served(Here):
    """A running ``pbcg serve`` of ``folder``: a process that can be killed and started again."""

    def __init__(self, folder: Path, *more: str, port: int = 0) -> None:
        self.folder = folder
        self.more = more
        self.port = port
        self.process: subprocess.Popen[str] | None = None
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "asl_pbcg", "serve", str(self.folder), "--no-open"]
        command += ["--port", str(self.port), *self.more]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stdout
        self.said: dict[str, str] = {}
        for line in self.process.stdout:
            if line.startswith("Ctrl-C"):
                break
            viewer, _, rest = line.partition(" ")
            if "http" in rest:
                self.said[viewer] = rest.strip().split()[0]
        assert self.said, self.process.stderr and self.process.stderr.read()
        self.port = int(self.said["both"].split(":")[2].split("/")[0])
        self.base = f"http://127.0.0.1:{self.port}"
        for _ in range(1000):
            with contextlib.suppress(httpx.TransportError):
                httpx.get(f"{self.base}/icon.svg")
                return
            time.sleep(0.02)
        raise AssertionError("the server does not answer")

    def kill(self) -> None:
        assert self.process
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate(timeout=60)

    def stop(self) -> None:
        assert self.process
        self.process.terminate()
        self.process.communicate(timeout=60)


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[Here]:
    served = Here(folder)
    try:
        yield served
    finally:
        served.stop()


def app_client(folder: Path, viewer: str = "both", **more: Any) -> Any:
    """A client of the application itself, without a network."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # httpx or httpx2: both do
        from fastapi.testclient import TestClient

    from asl_pbcg.web.app import create_app
    from asl_pbcg.web.folder import Folder
    from asl_pbcg.web.guard import Keys

    keys = Keys(folder)
    app = create_app(Folder(folder), keys, **more)
    client = TestClient(app, base_url="http://127.0.0.1:8000", raise_server_exceptions=False)
    client.keys = keys
    client.headers["Authorization"] = f"Bearer {keys[viewer]}"  # type: ignore[index]
    return client


class AskingThread(httpx.BaseTransport):
    """Runs the application in the thread that asks: starlette's client hands on eight times."""

    def __init__(self, app: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._asgi = httpx.ASGITransport(app, raise_app_exceptions=False)
        self._loop = loop

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        return self._loop.run_until_complete(self._reply(request))

    async def _reply(self, request: httpx.Request) -> httpx.Response:
        reply = await self._asgi.handle_async_request(request)
        sent = b"".join([part async for part in reply.aiter_raw()])
        stream = httpx.ByteStream(sent)
        return httpx.Response(reply.status_code, headers=reply.headers, stream=stream)


@contextlib.contextmanager
def patient_client(folder: Path, viewer: str) -> Iterator[httpx.Client]:
    """As ``app_client``, for thousands of requests; between them the application does nothing."""
    starlette_client = app_client(folder, viewer)
    app, headers = (
        starlette_client.app,
        {"Authorization": f"Bearer {starlette_client.keys[viewer]}"},
    )
    with contextlib.closing(asyncio.new_event_loop()) as loop:
        lifespan = app.router.lifespan_context(app)
        loop.run_until_complete(lifespan.__aenter__())
        transport, base = AskingThread(app, loop), "http://127.0.0.1:8000"
        try:
            with httpx.Client(transport=transport, base_url=base, headers=headers) as client:
                yield client
        finally:
            loop.run_until_complete(lifespan.__aexit__(None, None, None))
            loop.run_until_complete(loop.shutdown_default_executor())


def only_game(client: Any) -> str:
    (card,) = client.get("/api/games").json()["games"]
    return str(card["id"])


def without_clock(content: bytes) -> bytes:
    """A reply without when a game was played last: each twin has a clock of its own.

    Of a workbook the contents of its parts, without the time it was written.
    """
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as book:
            content = b"".join(name.encode() + book.read(name) for name in book.namelist())
    content = re.sub(rb">[0-9-]{10}T[0-9:]{8}Z<", b"><", content)
    return re.sub(rb'"played":"[^"]*"', b'"played":""', content)


def answer(client: Any, id: str, value: Any, **query: str) -> Any:
    """Answer what is asked now."""
    asked = client.get(f"/api/games/{id}", params=query).json()["asked"]
    body = {"seq": asked["seq"], "prompt": asked["id"], "value": value}
    return client.post(f"/api/games/{id}/answers", json=body, params=query)


def journal_of(file: Path) -> list[tuple[Any, ...]]:
    """What stands in the journal of a game, without the times."""
    from asl_pbcg.kernel.journal import Journal

    with Journal.open(file, "test") as journal:
        return [
            (each.seq, each.kind, each.step, each.point, each.side, json.dumps(each.body))
            for each in journal.entries()
        ]


def begin_night_1(file: Path) -> None:
    """CG I before the end of its first scenario, as the golden campaign begins it."""
    from asl_pbcg.kernel.answers import ListedAnswers, drive
    from asl_pbcg.kernel.dice import SeededDice
    from asl_pbcg.play.campaign_game.campaign_plug import create_campaign
    from asl_pbcg.play.campaign_game.position_document import read_document

    meta = {
        "settings": {
            "campaign": "CG1",
            "players": {"british": "Anne", "german": "Karl"},
            "balance": "",
            "house_rules": {},
        },
        "dice": "seeded",
        "seed": 1944,
    }
    with create_campaign(file, meta) as game:
        listed = ListedAnswers.read(
            GOLDEN / "new.yaml", lambda name: read_document(str(GOLDEN / name), game.session.state)
        )
        drive(
            game.session,
            listed,
            SeededDice(1944),
            until=lambda: game.session.state.at == "scenario",
        )


def begin_turn_3(file: Path) -> None:
    """A historical area game as its third British Movement Phase begins."""
    from asl_pbcg.cli.area_commands.st_play import Automatic
    from asl_pbcg.kernel.answers import drive
    from asl_pbcg.kernel.dice import SeededDice
    from asl_pbcg.play.area_play.area_game import create_game
    from asl_pbcg.st.board.map_load import load_map

    with create_game(file, AREA_META, load_map()) as game:
        session = game.session
        drive(
            session,
            Automatic("good", 1),
            SeededDice(11),
            until=lambda: session.state.turn == 3 and session.state.phase == 2,
        )
