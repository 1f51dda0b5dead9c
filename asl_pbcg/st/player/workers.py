"""Work shared out among the cores of this machine or the workers of a Dask cluster."""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from importlib import import_module
from itertools import islice
from multiprocessing import parent_process
from threading import Thread
from typing import Any, TypeVar

from asl_pbcg.kernel.errors import PBCGError

Task = TypeVar("Task")
Done = TypeVar("Done")
Tasks = Callable[[int], Iterator[Task]]
"""The tasks for so many workers, in order; none is made before somebody can work on it."""


def cores() -> int:
    """Return how many processors this program may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def share_out(
    work: Callable[[Task], Done],
    tasks: Tasks[Task],
    keep: Callable[[Task, Done], None],
    jobs: int = 1,
    dask: str = "",
) -> None:
    """Do ``work`` on every task, on ``jobs`` cores or on the Dask scheduler at ``dask``.

    ``keep`` hears what came of each, in the order in which they are done. After Ctrl-C, which
    goes on to the caller, what is under way on this machine ends first and is kept.
    Raises PBCGError if there is no such scheduler or workers are lost.
    """
    if dask:
        _on_cluster(work, tasks, keep, dask)
    elif jobs > 1:
        _on_cores(work, tasks, keep, jobs)
    else:
        for task in tasks(1):
            keep(task, work(task))


def _on_cores(
    work: Callable[[Task], Done],
    tasks: Tasks[Task],
    keep: Callable[[Task, Done], None],
    jobs: int,
) -> None:
    left = tasks(jobs)
    running: dict[Future[Done], Task] = {}
    with _pool(jobs) as pool:
        try:
            while True:
                # Never more under way than the workers need, so that memory stays flat.
                for task in islice(left, 2 * jobs - len(running)):
                    # This may start a worker.
                    with deafly():
                        running[pool.submit(work, task)] = task
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    keep(running.pop(future), future.result())
        except BrokenProcessPool as error:
            raise PBCGError(
                "A worker process ended before its work was done. Try fewer --jobs."
            ) from error
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
            for future, task in running.items():
                if future.done() and not future.cancelled() and not future.exception():
                    keep(task, future.result())


@contextmanager
def deafly() -> Iterator[None]:
    """Processes started in here do not hear Ctrl-C even while they start."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def begin_work() -> None:
    """A worker leaves Ctrl-C to the process that gives it work, and never outlives that."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Wait until who gives work is gone, killed perhaps, and end with him."""
    parent = parent_process()
    assert parent
    parent.join()
    os._exit(1)


class Crew:
    """Processes of this machine that stand by and are given small parts of work again and again.

    They take half a second to start: until they are ``ready`` who wants something done does it.
    """

    def __init__(self, size: int, begin: Callable[[], None]) -> None:
        """``size`` of them; each does ``begin`` first, what takes long and is needed always."""
        self.size = size
        self._begin = begin
        self._pool: ProcessPoolExecutor | None = None
        self._begun: list[Future[None]] = []

    @property
    def ready(self) -> bool:
        """Tell whether they can be given work; who asks first has them started."""
        if self.size < 2:
            return False
        if self._pool is None:
            self._pool = _pool(self.size)
            with deafly():
                self._begun = [self._pool.submit(self._begin) for _ in range(self.size)]
        try:
            return all(each.done() and each.result() is None for each in self._begun)
        except BrokenProcessPool:
            self.size = 0
            return False

    def do(self, work: Callable[[Task], Done], tasks: Sequence[Task]) -> list[Done]:
        """Return the results of ``work`` on each task, done here should a worker be lost."""
        assert self._pool
        try:
            with deafly():
                running = [self._pool.submit(work, task) for task in tasks]
            return [each.result() for each in running]
        except BrokenProcessPool:
            self.size = 0
            return [work(task) for task in tasks]

    def close(self) -> None:
        """Let them go."""
        if self._pool:
            self._pool.shutdown(wait=False, cancel_futures=True)


def _pool(jobs: int) -> ProcessPoolExecutor:

    # Fresh processes: a copy of this one could hold locks of the progress bar's thread.
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(jobs, mp_context=context, initializer=begin_work)


def _on_cluster(
    work: Callable[[Task], Done],
    tasks: Tasks[Task],
    keep: Callable[[Task, Done], None],
    address: str,
) -> None:
    try:
        distributed: Any = import_module("distributed")
    except ImportError as error:
        raise PBCGError(
            "--dask needs Dask: install it with  pip install 'asl-pbcg[cluster]'"
        ) from error
    try:
        _knock(address)
        client = distributed.Client(address, timeout="10s", set_as_default=False)
    except (OSError, ValueError) as error:
        raise PBCGError(f"No Dask scheduler answers at {address}.") from error
    with client:
        workers = sum(client.nthreads().values())
        if not workers:
            raise PBCGError(f"The Dask scheduler at {address} has no workers.")
        left = tasks(workers)
        running: dict[Any, Task] = {}

        def send(task: Task) -> Any:
            future = client.submit(work, task, pure=False)
            running[future] = task
            return future

        first = [send(task) for task in islice(left, 2 * workers)]
        finished = distributed.as_completed(first, loop=client.loop)
        for future in finished:
            keep(running.pop(future), future.result())
            for task in islice(left, 1):
                finished.add(send(task))


def _knock(address: str) -> None:
    """Settle that somebody listens at ``address``; raises OSError or ValueError if not.

    A client that never met its scheduler would wait and complain when the program ends.
    """
    comm: Any = import_module("distributed.comm")
    scheme, place = comm.parse_address(address)
    if scheme in ("tcp", "tls"):
        host, port = comm.parse_host_port(place, 8786)
        socket.create_connection((host, port), timeout=10).close()
