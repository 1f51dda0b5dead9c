"""What all tests share."""

from __future__ import annotations

import atexit
import gc
import io
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

# Helper modules of the tests (brute force, marks) stand in tests/support.
sys.path.insert(0, str(Path(__file__).resolve().parent / "support"))

from quick import is_quick, running, watch
from sentences import WRITE, Tells

if TYPE_CHECKING:
    from drop_evening import Pbcg
    from web_screen import Look

# The same cases each time: what one change broke is not found at another. `--hypothesis-profile
# afresh` draws new ones.
settings.register_profile("afresh")
settings.register_profile("same", derandomize=True)
settings.load_profile("same")
watch()

# Nobody's own settings play a part.
os.environ["PBCG_SETTINGS"] = os.devnull
# Nor does what was cached before: each process of a run has a cache of its own.
CACHE = tempfile.mkdtemp(prefix="pbcg-cache-")
os.environ["PBCG_CACHE"] = CACHE
atexit.register(shutil.rmtree, CACHE, ignore_errors=True)
# Nor does the width of the terminal in which the tests run.
os.environ["COLUMNS"] = "80"
# Thousands of small files are written: into memory, where a machine has room for files there.
MEMORY = Path("/dev/shm")
if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > 2**31:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


@pytest.fixture
def tells(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Tells]:
    """What players read of some facts; its words stand in tests/sentences/."""
    found = Tells(request.path, request.node.name, str(tmp_path_factory.getbasetemp()) + os.sep)
    yield found
    found.finish()


LONGEST = (
    "test_web_evening",
    "test_same_campaigns",
    "test_golden_campaigns",
    "test_journal_forgeries",
    "test_service_record",
    "test_campaign_soak",
    "test_journal_cache",
)
"""The files that take longest, but those of the page, which come next."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Order the files so that the two workers end together: the longest first.

    Each file is run by one worker, which makes what its tests share once. The quick tests are
    marked where tests are chosen by marks. Where sentences are written again, only the tests that
    keep some are run.
    """
    last = len(LONGEST)
    places = {name: place for place, name in enumerate(LONGEST)}

    def place(item: pytest.Item) -> int:
        name = item.path.stem
        return places.get(name, last if name.startswith("test_web") else last + 1)

    items.sort(key=place)
    for item in items if config.option.markexpr else ():
        if is_quick(item):
            item.add_marker("quick")
    if os.environ.get(WRITE):
        items[:] = [each for each in items if "tells" in getattr(each, "fixturenames", ())]


def pytest_collection_finish() -> None:
    """Keep what was loaded out of the search for memory that can go, as the program itself does.

    The tests of all rooms are hundreds of megabytes that stay.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Hold a quick test to what ``quick.py`` says of it."""
    if is_quick(item):
        running.append(item.nodeid)
    try:
        return (yield)
    finally:
        running.clear()


# -- the page in a browser ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """The browser of this machine."""
    from web_help import FLAGS, find_browser

    path = find_browser()
    from playwright.sync_api import sync_playwright
    from pseudo_words import on_changed_words, wanted_everywhere

    with ExitStack() as stack:
        if wanted_everywhere():
            stack.enter_context(on_changed_words(pytest.MonkeyPatch()))
        playwright = stack.enter_context(sync_playwright())
        found = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield found
        found.close()


@pytest.fixture(scope="session")
def night_1(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """CG I before the end of its first scenario, as the golden campaign begins it."""
    from web_help import begin_night_1

    file = tmp_path_factory.mktemp("begun") / "evening.pbcg"
    begin_night_1(file)
    return file


@pytest.fixture(scope="session")
def turn_3(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A historical area game as its third British Movement Phase begins."""
    from web_help import begin_turn_3

    file = tmp_path_factory.mktemp("begun") / "area.pbcg"
    begin_turn_3(file)
    return file


@pytest.fixture
def evening(night_1: Path, tmp_path: Path) -> Path:
    """A copy of that game, in a folder of its own."""
    file = tmp_path / "evening.pbcg"
    shutil.copyfile(night_1, file)
    return file


@pytest.fixture
def look(chromium: Any, evening: Path) -> Look:
    """Serves that game and opens a page of it for each viewer."""
    from web_screen import looker

    return looker(chromium, evening)


@pytest.fixture
def page(look: Look) -> Iterator[Any]:
    """The umpire's page of that game."""
    with look("umpire") as (screen,):
        yield screen.page


@pytest.fixture
def pbcg(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Pbcg:
    """Run the program in an empty folder; what it printed, both streams together."""
    from asl_pbcg.cli import main as command_line

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")

    def run(*args: str, typed: str = "", code: int = 0, only_out: bool = False) -> str:
        monkeypatch.setattr(sys, "argv", ["pbcg", *args])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        status: Any = 0
        try:
            command_line.main()
        except SystemExit as end:
            status = end.code or 0
        told = capsys.readouterr()
        assert status == code, told.out + told.err
        return told.out if only_out else told.out + told.err

    return run
