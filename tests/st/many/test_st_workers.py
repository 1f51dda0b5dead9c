"""Worker processes: a crew that stands by, and none that outlives who gave it work."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from multiprocessing import parent_process
from pathlib import Path

import pytest

from asl_pbcg.st.player.workers import Crew

CHILD = """
import os, time
from asl_pbcg.st.player.workers import Crew

def nothing():
    pass

def own_id(part):
    return os.getpid()

if __name__ == "__main__":
    crew = Crew(2, nothing)
    while not crew.ready:
        time.sleep(0.01)
    print(*set(crew.do(own_id, range(20))), flush=True)
    time.sleep(600)
"""


def nothing() -> None:
    """What a worker needs first: here nothing."""


def squared(number: int) -> int:
    """Some work."""
    return number * number


def ready(crew: Crew) -> Crew:
    while not crew.ready:
        time.sleep(0.01)
    return crew


def test_a_crew_of_one_is_none() -> None:
    assert not Crew(1, nothing).ready


def test_a_crew_does_every_part_in_order() -> None:
    crew = ready(Crew(2, nothing))
    assert crew.do(squared, range(5)) == [0, 1, 4, 9, 16]
    assert crew.do(squared, [7]) == [49]
    crew.close()


def fall(number: int) -> int:
    """A worker is lost on odd numbers, but only a worker."""
    if number % 2 and parent_process() is not None:
        os._exit(1)
    return number


def test_what_a_lost_worker_leaves_is_done_here() -> None:
    crew = ready(Crew(2, nothing))
    assert crew.do(fall, range(4)) == [0, 1, 2, 3]
    assert not crew.ready
    crew.close()


@pytest.mark.skipif(sys.platform == "win32", reason="processes are looked at by signals")
def test_workers_end_with_who_gave_them_work(tmp_path: Path) -> None:
    """Killed without a warning: nobody is left who waits for work that never comes."""
    script = tmp_path / "child.py"
    script.write_text(CHILD)
    child = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True)
    assert child.stdout
    with child.stdout:  # workers left over would keep it open
        workers = [int(word) for word in child.stdout.readline().split()]
    assert workers and all(map(alive, workers))
    child.kill()
    child.wait()
    end = time.monotonic() + 20
    while any(map(alive, workers)) and time.monotonic() < end:
        time.sleep(0.02)
    assert not any(map(alive, workers))


def alive(process: int) -> bool:
    """Whether a process is there, and not only waits to be buried."""
    status = Path(f"/proc/{process}/stat")
    try:
        if Path("/proc/self/stat").exists():
            return status.read_text().rpartition(")")[2].split()[0] not in "ZX"
        os.kill(process, 0)
    except (FileNotFoundError, ProcessLookupError):
        return False
    return True
