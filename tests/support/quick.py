"""Which tests are quick: those that use no browser, no process, no whole game or command.

What a test uses is told by its fixtures and by what its file imports, helpers of ``tests/support``
and benchmarks with what they import in turn.
"""

from __future__ import annotations

import ast
import multiprocessing.process
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

SUPPORT = Path(__file__).parent
HELPERS = (SUPPORT, SUPPORT.parent.parent / "benchmarks")
FIXTURES = frozenset({"chromium", "night_1", "turn_3", "pbcg"})
"""Fixtures that start a browser, play a game or run a whole command."""
NOT_QUICK = frozenset(
    {
        # processes and servers
        "subprocess", "multiprocessing", "playwright", "concurrent", "distributed", "schemathesis",
        "Served", "serving",
        # games that play themselves
        "campaign_generator", "golden_campaign", "golden_st", "fingerprints", "drive", "Automatic",
        # whole commands, and what they print
        "run_pbcg", "CliRunner", "Terminal", "openpyxl", "pypdf", "pypdfium2", "reportlab",
        # thousands of cases, and the whole source
        "brute_areas", "hypothesis", "ast",
    }
)  # fmt: skip
"""Modules and functions of which each takes seconds where it is used."""
OF_BOTH_KINDS = frozenset({"web_help", "sentences"})
"""Helpers of which only the names that are imported count."""
running: list[str] = []
"""The quick test that is run now; it must start no process."""


@cache
def names_used(path: Path) -> frozenset[str]:
    """Return the modules and names that a file imports, with those of the helpers it imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module.partition(".")[0], *(each.name for each in node.names)}
        elif isinstance(node, ast.Import):
            names |= {each.name.partition(".")[0] for each in node.names}
    for folder in HELPERS:
        for helper in (folder / f"{name}.py" for name in names - OF_BOTH_KINDS):
            if helper.is_file() and helper != path:
                names |= names_used(helper)
    return frozenset(names)


def is_quick(item: pytest.Item) -> bool:
    """Return whether a test uses nothing of what takes long."""
    fixtures = {*getattr(item, "fixturenames", ())}
    return not (FIXTURES & fixtures or NOT_QUICK & names_used(item.path))


class ProcessStarted(AssertionError):
    """A quick test that starts a process."""


def refuse_process(event: str, _: Any = ()) -> None:
    """Refuse a quick test to start a process; an audit hook."""
    if running and event in (
        "subprocess.Popen",
        "os.fork",
        "os.posix_spawn",
        "os.exec",
        "os.system",
    ):
        raise ProcessStarted(f"{running[-1]} is marked quick and starts a process")


def watch() -> None:
    """Have every start of a process refused to the quick tests."""
    sys.addaudithook(refuse_process)
    start = multiprocessing.process.BaseProcess.start

    def start_watched(process: multiprocessing.process.BaseProcess) -> None:
        refuse_process("os.fork")
        start(process)

    multiprocessing.process.BaseProcess.start = start_watched  # type: ignore[method-assign]
