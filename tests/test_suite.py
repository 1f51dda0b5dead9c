"""How the tests themselves are run: their order, and which of them are quick."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import LONGEST
from quick import NOT_QUICK, ProcessStarted, is_quick, names_used, running

TESTS = Path(__file__).parent


def by_subprocess() -> None:
    subprocess.run([sys.executable, "-c", ""], check=True)


def by_spawning() -> None:
    multiprocessing.get_context("spawn").Process(target=print).start()


def by_the_system() -> None:
    os.posix_spawn(sys.executable, [sys.executable, "-c", ""], {})


def test_the_files_that_are_run_first_are_there() -> None:
    assert {*LONGEST} <= {path.stem for path in TESTS.rglob("test_*.py")}


@pytest.mark.parametrize("start", [by_subprocess, by_spawning, by_the_system])
def test_a_quick_test_is_refused_every_process(start: Callable[[], None]) -> None:
    """All quick tests run under this watch: see ``pytest_runtest_protocol``."""
    running.append("a test")
    with pytest.raises(ProcessStarted):
        start()


def test_what_a_helper_imports_counts_for_the_tests_that_use_it() -> None:
    forgeries = TESTS / "kernel" / "test_journal_forgeries.py"
    assert "golden_campaign" not in forgeries.read_text(encoding="utf-8")
    assert "golden_campaign" in names_used(forgeries) & NOT_QUICK


def test_no_test_in_the_browser_is_quick(request: pytest.FixtureRequest) -> None:
    """Of all tests of this run."""
    items = request.session.items
    browser = [item for item in items if "chromium" in getattr(item, "fixturenames", ())]
    assert not [item.nodeid for item in browser if is_quick(item)]
