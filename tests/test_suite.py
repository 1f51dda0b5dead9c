"""How the tests themselves are run: their order."""

from __future__ import annotations

from pathlib import Path

from conftest import LONGEST

TESTS = Path(__file__).parent


def test_the_files_that_are_run_first_are_there() -> None:
    assert {*LONGEST} <= {path.stem for path in TESTS.rglob("test_*.py")}
