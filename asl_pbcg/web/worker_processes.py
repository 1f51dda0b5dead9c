"""Jobs within a time bound: one thread that works on games, and processes that work beside it.

A job that takes longer is given up (``TooLong``) and changes nothing. The processes draw, print
and weigh games, one job each at a time.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import multiprocessing
import os
import pickle
import threading
import time
import traceback
from collections import deque
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import Any, Final, Generic, Literal, TypeVar

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.st.player.workers import begin_work, cores, deafly

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


Tell = Callable[[float], None]
"""Hears the share of a job that is done, from 0 to 1."""
REST: Final = 120.0
"""After so many seconds without a job the processes are let go."""
NICE: Final = 10
"""By so much they step back behind the answers, where the system knows that."""
_Message = tuple[Literal["tell", "done", "refused", "fault"], Any]


class Workers:
    """The processes; started when there is a job, killed where one is given up.

    Jobs that somebody waits for come before those that may come ``later``.
    """

    def __init__(self, size: int = 0) -> None:
        self._most = size or max(2, min(4, cores()))
        self._idle: list[_Worker] = []
        self._busy: set[_Worker] = set()
        self._turns: dict[bool, deque[asyncio.Future[None]]] = {False: deque(), True: deque()}
        self._threads = ThreadPoolExecutor(self._most, "workers")
        self._resting: asyncio.TimerHandle | None = None
        self._closed = False

    async def run(
        self,
        work: Callable[..., T],
        *given: Any,
        gone: Callable[[], Awaitable[bool]] | None = None,
        tell: Tell = lambda done: None,
        later: bool = False,
        seconds: float = MAX_SECONDS,
    ) -> T:
        """Call ``work(tell, *given)`` in a process; all of it must be able to go there.

        The process is killed once it takes too long, or once ``gone`` says nobody waits for it.
        Raises TooLong then, and whatever PBCGError the work raises.
        """
        await self._wait_for_turn(gone, later)
        worker = self._idle.pop() if self._idle else _Worker()
        self._busy.add(worker)
        try:
            return await self._follow(worker, (work, given), gone, tell, seconds)
        finally:
            self._busy.discard(worker)
            self._hand_on(worker)

    async def _wait_for_turn(self, gone: Callable[[], Awaitable[bool]] | None, later: bool) -> None:
        if self._resting:
            self._resting.cancel()
        if len(self._busy) < self._most:
            return
        turn = asyncio.get_running_loop().create_future()
        self._turns[later].append(turn)
        try:
            while not turn.done():
                await asyncio.wait({turn}, timeout=LOOK)
                if not turn.done() and gone is not None and await gone():
                    raise TooLong("Nobody waits for it any more.")
        finally:
            if turn in self._turns[later]:
                self._turns[later].remove(turn)

    async def _follow(
        self,
        worker: _Worker,
        job: tuple[Callable[..., T], tuple[Any, ...]],
        gone: Callable[[], Awaitable[bool]] | None,
        tell: Tell,
        seconds: float,
    ) -> T:
        """Give a worker its job, and hear what comes of it."""
        loop, ends = asyncio.get_running_loop(), time.monotonic() + seconds
        try:
            worker.connection.send(job)
            while True:
                if self._closed:
                    raise PBCGError("The server is being stopped.")
                message = await loop.run_in_executor(self._threads, worker.hear)
                if message is not None and message[0] != "tell":
                    break
                if message is not None:
                    tell(message[1])
                if time.monotonic() > ends or (gone is not None and await gone()):
                    raise TooLong(
                        f"That took longer than {seconds:.0f} seconds and was given up; nothing "
                        "was changed."
                    )
        except (EOFError, OSError):
            worker.kill()
            stopped = "The server is being stopped."
            lost = "The work was ended from outside: try it again."
            raise PBCGError(stopped if self._closed else lost) from None
        except BaseException:
            worker.kill()
            raise
        kind, value = message
        if kind == "refused":
            raise value
        if kind == "fault":
            raise RuntimeError(value)
        done: T = value
        return done

    def _hand_on(self, worker: _Worker) -> None:
        """Let the next one have its turn."""
        if self._closed:
            worker.kill()
        elif worker.is_alive:
            self._idle.append(worker)
        for turns in self._turns.values():
            while turns:
                turn = turns.popleft()
                if not turn.done():
                    turn.set_result(None)
                    return
        self._resting = asyncio.get_running_loop().call_later(REST, self._rest)

    def _rest(self) -> None:
        while self._idle:
            self._idle.pop().kill()

    def close(self) -> None:
        """Kill them all."""
        self._closed = True
        if self._resting:
            self._resting.cancel()
        self._rest()
        for worker in self._busy:
            worker.kill()
        self._threads.shutdown(wait=False, cancel_futures=True)


class _Worker:
    """One process, at the other end of a connection."""

    def __init__(self) -> None:
        # A fresh process: a copy of this one could hold locks of its threads.
        context = multiprocessing.get_context("spawn")
        self.connection, other = context.Pipe()
        self._process = context.Process(target=_work, args=(other,), name="pbcg worker")
        with deafly():
            self._process.start()
        other.close()

    @property
    def is_alive(self) -> bool:
        """Whether it can be given another job."""
        return self._process.is_alive()

    def hear(self) -> _Message | None:
        """Return the next message; None if none comes for a moment."""
        if not self.connection.poll(LOOK):
            return None
        message: _Message = self.connection.recv()
        return message

    def kill(self) -> None:
        """End it, whatever it does."""
        self._process.kill()
        self._process.join()  # the connection is closed when nobody listens at it any more


def _work(connection: Connection[Any, Any]) -> None:
    """Do one job after the other, in the process."""
    begin_work()
    if hasattr(os, "nice"):
        os.nice(NICE)
    while True:
        try:
            work, given = connection.recv()
        except (EOFError, OSError):
            return
        message: _Message
        try:
            message = ("done", work(lambda done: connection.send(("tell", done)), *given))
        except PBCGError as error:
            message = ("refused", _portable(error))
        except Exception:
            message = ("fault", traceback.format_exc())
        connection.send(message)


def _portable(error: PBCGError) -> PBCGError:
    """Return an error that can go to another process; of some only the words can."""
    try:
        copied: PBCGError = pickle.loads(pickle.dumps(error))
    except Exception:
        return PBCGError(str(error))
    return copied
