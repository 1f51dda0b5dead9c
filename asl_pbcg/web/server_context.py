"""The context that all requests share, and the answer to an error that a player can put right."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from asl_pbcg.kernel.errors import FaultsError, HeldElsewhere, IllegalAnswer, NeedsReason, PBCGError
from asl_pbcg.play.refusals import (
    LostAnswers,
    Moved,
    NeedsAgreement,
    NeedsConfirmation,
    NotYours,
    OnlyLooking,
)
from asl_pbcg.web.addresses import addresses
from asl_pbcg.web.folder import Folder, NoGame
from asl_pbcg.web.guard import VIEWERS, Keys
from asl_pbcg.web.page_thinkers import Analyst, Teacher
from asl_pbcg.web.worker_processes import Jobs, Workers

T = TypeVar("T")
TEND = 1.0
"""Seconds between two looks at what other programs have done to the files."""


class ServerContext:
    """The folder, its keys, the one thread that works on games, and the processes beside it.

    One game is worked on by one request at a time.
    """

    def __init__(self, folder: Folder, keys: Keys, lan: bool = False, port: int = 0) -> None:
        self.folder = folder
        self.keys = keys
        self._lan, self._port = lan, port
        self.stopping = asyncio.Event()
        self.teacher = Teacher()
        self.workers = Workers()
        self.progress: dict[str, float] = {}
        """The share that is done of each piece of work that a page has named."""
        self.analyst = Analyst(self.workers)
        self._jobs = Jobs(self._let_go)
        self._loop: asyncio.AbstractEventLoop | None = None

    async def work(self, job: Callable[[], T]) -> T:
        """Do ``job`` in the thread that works on games; within bounds, as ``Jobs.work`` says."""
        return await self._jobs.work(job)

    def links(self) -> list[dict[str, str]]:
        """Return the address of each viewer who is not at this screen, and where it works."""
        found = addresses(self.keys, self._port, self._lan)
        near = "" if self._lan or self.keys.names else "on this machine"
        return [
            {"viewer": viewer, "address": found[viewer], "near": near}
            for viewer in VIEWERS
            if viewer != "both"
        ]

    def _let_go(self) -> None:
        """Forget what a job that was given up may have left half done: the files tell it again."""
        for room in self.folder.rooms():
            room.close()

    async def tend(self) -> None:
        """Look after the files until the server stops."""
        self._loop = asyncio.get_running_loop()
        while not self.stopping.is_set():
            for room in self.folder.rooms():
                with contextlib.suppress(PBCGError):
                    await self.work(room.tend)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.stopping.wait(), TEND)

    def stop(self) -> None:
        """Let those go who listen or wait for work, so that the server can end; any thread may."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._stop_work)

    def _stop_work(self) -> None:
        self.stopping.set()
        self.analyst.close()
        self.workers.close()
        self.teacher.close()

    async def close(self) -> None:
        """Let all files go."""
        self._stop_work()
        await self.work(self.folder.close)
        self._jobs.close()


def refusal(error: PBCGError, folder: Folder) -> tuple[int, dict[str, Any]]:
    """The status and the body for an error that a player can put right."""
    body: dict[str, Any] = {"sentence": folder.sentence(error), "rule": ""}
    body["topic"] = msgspec.to_builtins(error.topic)
    if isinstance(error, NoGame):
        return 404, body
    if isinstance(error, Moved | NotYours | OnlyLooking | HeldElsewhere):
        return 409, body
    if isinstance(error, IllegalAnswer):
        body["rule"] = error.rule
    elif isinstance(error, NeedsReason):
        body["needs_reason"] = True
    elif isinstance(error, NeedsAgreement):
        body["agreement"] = error.side
    elif isinstance(error, NeedsConfirmation):
        body["confirm"] = True
    elif isinstance(error, LostAnswers):
        body["lost"] = error.lost
    elif isinstance(error, FaultsError):
        body["faults"] = [
            {"where": str(each.where), "value": str(each.value), "sentence": str(each)}
            for each in error.faults
        ]
    return 422, body
