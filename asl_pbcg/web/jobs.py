"""One thread that does one job after the other, each within a bound: a longer one is given up."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Generic, TypeVar

from asl_pbcg.kernel.errors import PBCGError

T = TypeVar("T")
MAX_SECONDS: Final = 60.0
"""So long a job of the page may take."""
LOOK: Final = 0.5
"""Seconds between two looks at how long a job has been running."""


class TooLong(PBCGError):
    """A job that was given up; nothing was changed by it."""


class GivenUp(BaseException):
    """Raised within a job that is given up; no handler of faults catches it."""


class Jobs:
    """The thread. ``after`` is called in it when a job was given up, to put things in order."""

    def __init__(self, after: Callable[[], None], most: float = MAX_SECONDS) -> None:
        self._after = after
        self._most = most
        self._thread = ThreadPoolExecutor(1, "games")
        self._lock = threading.Lock()

    async def work(self, job: Callable[[], T]) -> T:
        """Do ``job``; give it up once it takes too long.

        Raises TooLong then. The time that other jobs take before it does not count.
        """
        running = _Job(job, self._lock)
        future = asyncio.get_running_loop().run_in_executor(self._thread, running.run)
        while not future.done():
            await asyncio.wait({future}, timeout=min(LOOK, self._most))
            if running.seconds > self._most:
                running.give_up()
                break
        try:
            return await future
        except GivenUp:
            await asyncio.get_running_loop().run_in_executor(self._thread, self._after)
            raise TooLong(
                f"That took longer than {self._most:.0f} seconds and was given up; nothing was "
                "changed."
            ) from None

    def close(self) -> None:
        """End the thread once its job is done."""
        self._thread.shutdown(wait=True)


class _Job(Generic[T]):
    """One job, which another thread may give up as long as it runs."""

    def __init__(self, job: Callable[[], T], lock: threading.Lock) -> None:
        self._job = job
        self._lock = lock
        self._thread = 0
        self._began = 0.0
        self._given_up = False
        self._raised = False
        self._ended = False

    @property
    def seconds(self) -> float:
        """How long it has been running; 0 while it waits."""
        return time.monotonic() - self._began if self._began else 0.0

    def run(self) -> T:
        """Do the job."""
        with self._lock:
            if self._given_up:
                raise GivenUp
            self._thread, self._began = threading.get_ident(), time.monotonic()
        try:
            return self._job()
        except GivenUp:
            self._raised = True
            raise
        finally:
            self._end()

    def _end(self) -> None:
        """Let nothing be raised in the thread any more; wait for what is on its way."""
        with contextlib.suppress(GivenUp):
            with self._lock:
                self._ended = True
            while self._given_up and not self._raised:
                time.sleep(LOOK / 100)

    def give_up(self) -> None:
        """Raise GivenUp in the job, unless it has come to its end."""
        with self._lock:
            if self._ended:
                return
            self._given_up = True
            if self._thread:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(self._thread), ctypes.py_object(GivenUp)
                )
