"""Random changes of conditions in the rules, each against the tests that run it.

Run: ``python benchmarks/mutants.py`` (extra ``[bench]``): 200 changes in ``refit``, ``campaign``
and ``st``, two at a time; those nobody notices are listed. First all tests run once with
``coverage``, so that it is known which of them come by which line (``--runs FILE`` keeps that).
Each change is made in a copy of the project and meets the tests that come by it: a few quick ones
first, then the fingerprints, then the rest; after them the whole file where one test alone of it
comes by, for what a file shares, and one test of each file where few come by at all. ``--seed``
draws another sample. Exits with 1 if fewer than 95 of 100 are noticed.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent.parent
ROOMS = ("refit", "campaign", "st")
BOUND = 0.95
FIRST = 20
"""How many quick tests a change meets first."""
PRINTS = "test_same_"
"""Tests that compare long runs with what they were: they notice most."""
FEW = 20
"""Where fewer come by a line, it may be the first of many that does: one of each file is tried."""
PATIENCE = 3
"""A lot that takes so many times its processor time, and a minute, has met a loop without end."""
MAX_FAILED = 5
"""So many tests may fail while they are watched, which is slow, and are left out."""
LEFT_OUT = ("test_web", "test_house", "test_docs", "test_printed", "test_vasl", "test_cli_st_sim")
"""Tests that see no rule, or whose rules run in another process."""
OTHER = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """One change of one condition."""

    file: str
    line: int
    end: int
    was: str
    now: str
    number: int
    """Which condition of the file, in the order of ``conditions``."""

    @property
    def words(self) -> str:
        """Where it is and what it changes."""
        return f"{self.file}:{self.line}: {self.was}  ->  {self.now}"


def conditions(tree: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Each part of a condition, with what it is changed into."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and type(node.ops[0]) in OTHER:
            ops = [OTHER[type(node.ops[0])](), *node.ops[1:]]
            yield node, ast.Compare(node.left, ops, node.comparators)
        elif isinstance(node, ast.BoolOp):
            yield node, ast.BoolOp(OTHER[type(node.op)](), node.values)
            for left_out in range(len(node.values)):
                rest = [each for n, each in enumerate(node.values) if n != left_out]
                yield node, rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
        elif isinstance(node, ast.If | ast.While | ast.IfExp) and not _typing(node.test):
            yield node.test, ast.UnaryOp(ast.Not(), node.test)
        elif isinstance(node, ast.comprehension):
            for test in node.ifs:
                yield test, ast.Constant(value=True)


def _typing(test: ast.expr) -> bool:
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"


class _Change(ast.NodeTransformer):
    def __init__(self, old: ast.expr, new: ast.expr) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        if node is self.old:
            return ast.copy_location(self.new, node)
        return self.generic_visit(node)


def changed(source: str, number: int) -> str:
    """The source with condition ``number`` changed."""
    tree = ast.parse(source)
    old, new = list(conditions(tree))[number]
    return ast.unparse(ast.fix_missing_locations(_Change(old, new).visit(tree)))


def all_mutants() -> list[Mutant]:
    """Every change there is."""
    found = []
    for room in ROOMS:
        for path in sorted((HERE / "asl_pbcg" / room).rglob("*.py")):
            name = path.relative_to(HERE).as_posix()
            for number, (old, new) in enumerate(conditions(ast.parse(path.read_text("utf-8")))):
                words = ast.unparse(old), ast.unparse(ast.fix_missing_locations(new))
                found.append(Mutant(name, old.lineno, old.end_lineno or 0, *words, number))
    return found


def drawn(possible: list[Mutant], seed: int) -> list[Mutant]:
    """All changes in the order they are drawn: the same ones however the rest of the code moves."""
    order = []
    seen: dict[tuple[str, str, str], int] = defaultdict(int)
    for each in possible:
        what = (each.file, each.was, each.now)
        seen[what] += 1
        order.append((sha256(f"{seed} {what} {seen[what]}".encode()).digest(), each))
    return [each for _, each in sorted(order, key=lambda pair: pair[0])]


# -- which tests run a line --------------------------------------------------------------------


class Runs:
    """Pytest plugin: which test comes by which lines of the rules, and how long it takes."""

    def __init__(self, folder: Path, found: Path) -> None:
        import coverage  # of the extra [bench]

        self.folder, self.found = folder, found
        self.times: dict[str, float] = {}
        self.failed: set[str] = set()
        self.watch = coverage.Coverage(
            data_file=None, include=[f"{folder}/asl_pbcg/{room}/*" for room in ROOMS]
        )
        self.watch.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Watch one test."""
        self.watch.switch_context(item.nodeid)
        begun = time.process_time()
        done = yield
        self.times[item.nodeid] = time.process_time() - begun
        self.watch.switch_context("")
        return done

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test that fails when it is watched is not a help."""
        if report.failed:
            self.failed.add(report.nodeid)

    def pytest_unconfigure(self) -> None:
        """Write what was seen of those that pass."""
        self.watch.stop()
        data = self.watch.get_data()
        lines = {
            Path(each).relative_to(self.folder).as_posix(): {
                line: sorted({*tests} - {""} - self.failed)
                for line, tests in data.contexts_by_lineno(each).items()
            }
            for each in data.measured_files()
        }
        for each in self.failed:
            self.times.pop(each, None)
        seen = {"times": self.times, "lines": lines, "failed": sorted(self.failed)}
        self.found.write_text(json.dumps(seen), "utf-8")


def watched(folder: Path, tests: list[str], found: Path) -> str:
    """Run tests in a folder and write which lines each comes by; what they complain of."""
    code = (
        "import sys, pytest, mutants; from pathlib import Path;"
        "runs = mutants.Runs(Path.cwd(), Path(sys.argv[1]));"
        "sys.exit(pytest.main(['-n0', '-q', '--no-header', *sys.argv[2:]], plugins=[runs]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(found), *tests], cwd=folder,
        env=_surroundings(folder), capture_output=True, text=True, check=False,
    )  # fmt: skip
    return f"{done.stdout[-2000:]}{done.stderr[-2000:]}" if done.returncode else ""


def all_runs(folders: list[Path]) -> dict[str, Any]:
    """Which tests come by which line: ``lines``, and the seconds of each: ``times``."""
    names = [
        each.relative_to(HERE).as_posix()
        for each in sorted((HERE / "tests").rglob("test_*.py"))
        if not each.name.startswith(LEFT_OUT)
    ]
    parts = [folder / "runs.json" for folder in folders]
    with ThreadPoolExecutor(len(folders)) as pool:
        shares = [names[n :: len(folders)] for n in range(len(folders))]
        complaints = "".join(pool.map(watched, folders, shares, parts))
    both: dict[str, Any] = {"times": {}, "lines": defaultdict(lambda: defaultdict(list))}
    found = [json.loads(part.read_text("utf-8")) for part in parts]
    failed = [each for seen in found for each in seen["failed"]]
    if len(failed) > MAX_FAILED or (complaints and not failed):
        sys.exit(f"The tests fail without a change:\n{complaints}")
    for each in failed:
        print(f"{each} fails while it is watched and is left out", file=sys.stderr)
    for seen in found:
        both["times"] |= seen["times"]
        for file, lines in seen["lines"].items():
            for line, tests in lines.items():
                both["lines"][file][line] += tests
    return both


def tests_of(mutant: Mutant, runs: dict[str, Any]) -> list[list[str]]:
    """The lots of tests a change meets."""
    lines = runs["lines"].get(mutant.file, {})
    ids = {each for line in range(mutant.line, mutant.end + 1) for each in lines.get(str(line), ())}
    quick = sorted(ids, key=lambda each: runs["times"][each])
    # What the tests of a file share is run by the first of them alone.
    files = Counter(each.partition("::")[0] for each in ids)
    shared = sorted(each for each, count in files.items() if count == 1)
    first, rest = quick[:FIRST], quick[FIRST:]
    prints = [each for each in rest if PRINTS in each]
    lots = [first, prints, [each for each in rest if PRINTS not in each], shared]
    if len(ids) < FEW:
        # Read once and kept, perhaps: what comes of it others meet.
        firsts = {each.partition("::")[0]: each for each in reversed(runs["times"])}
        lots.append(sorted(firsts.values(), key=lambda each: runs["times"][each]))
    return list(filter(None, lots))


# -- one change --------------------------------------------------------------------------------


def workshop() -> Path:
    """A copy of the project to change things in."""
    folder = Path(tempfile.mkdtemp(prefix="mutants-"))
    for name in ("asl_pbcg", "data", "tests", "templates", "docs", "benchmarks", "pyproject.toml",
                 "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE"):  # fmt: skip
        source = HERE / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, folder / name)
    return folder


def _surroundings(folder: Path) -> dict[str, str]:
    path = os.pathsep.join((str(folder), str(folder / "benchmarks")))
    return {**os.environ, "PYTHONPATH": path, "PBCG_BROWSER": "none"}


def run(folder: Path, tests: list[str], times: dict[str, float]) -> str:
    """The test that notices something, else nothing."""
    listed = folder / "tests.txt"
    listed.write_text("\n".join(tests), encoding="utf-8")
    usual = sum(t for each, t in times.items() if each in tests or each.split("::")[0] in tests)
    longest = 60 + int(PATIENCE * usual)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-n0", "-x", "-q", "--no-header", "@tests.txt"],
        cwd=folder, env=_surroundings(folder), capture_output=True, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (longest, longest)),
    )  # fmt: skip
    if not done.returncode:
        return ""
    failed = re.search(rb"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", done.stdout, re.MULTILINE)
    if not failed and done.returncode == pytest.ExitCode.USAGE_ERROR:
        sys.exit(f"The tests are no longer those of --runs:\n{done.stderr.decode()[-500:]}")
    return failed[1].decode() if failed else "a loop without end"


def noticed(folder: Path, mutant: Mutant, runs: dict[str, Any]) -> str:
    """Which of the tests that come by a change notices it, if any."""
    path = folder / mutant.file
    source = path.read_text(encoding="utf-8")
    path.write_text(changed(source, mutant.number), encoding="utf-8")
    _forget(path)
    try:
        lots = tests_of(mutant, runs)
        return next(filter(None, (run(folder, each, runs["times"]) for each in lots)), "")
    finally:
        path.write_text(source, encoding="utf-8")
        _forget(path)


def _forget(path: Path) -> None:
    for each in (path.parent / "__pycache__").glob(f"{path.stem}.*"):
        each.unlink()


def main() -> None:
    """Change, count and list; exit 1 below the bound."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--runs", type=Path, help="a file of which tests come by which line")
    parser.add_argument("--again", type=Path, help="only those that a file, once printed, names")
    given = parser.parse_args()
    possible = all_mutants()
    chosen = drawn(possible, given.seed)[: given.count]
    if given.again:
        named = {
            re.sub(r":\d+: ", ": ", line) for line in given.again.read_text("utf-8").splitlines()
        }
        chosen = [each for each in possible if re.sub(r":\d+: ", ": ", each.words) in named]
    folders = [workshop() for _ in range(given.processes)]
    shops: Queue[Path] = Queue()
    for folder in folders:
        shops.put(folder)
    if given.runs and given.runs.exists():
        runs = json.loads(given.runs.read_text("utf-8"))
    else:
        runs = json.loads(json.dumps(all_runs(folders)))
        if given.runs:
            given.runs.write_text(json.dumps(runs), "utf-8")

    def one(mutant: Mutant) -> tuple[Mutant, str]:
        folder = shops.get()
        try:
            return mutant, noticed(folder, mutant, runs)
        finally:
            shops.put(folder)

    missed, noticing = [], set()
    with ThreadPoolExecutor(given.processes) as pool:
        for done, (mutant, seen) in enumerate(pool.map(one, chosen), 1):
            noticing |= {seen} - {""}
            if not seen:
                missed.append(mutant)
                print(mutant.words, flush=True)
            if done % 20 == 0:
                print(f"{done} tried, {len(missed)} not noticed", file=sys.stderr, flush=True)
    # What noticed must have nothing to say of the program as it is.
    honest = sorted(each for each in noticing if each.startswith("tests/"))
    complaint = run(folders[0], honest, runs["times"]) if honest else ""
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
    rate = 1 - len(missed) / len(chosen)
    print(f"{len(chosen)} of {len(possible)} changes tried, {rate:.1%} noticed")
    if complaint:
        print(f"{complaint} fails without a change too: nothing is shown")
    sys.exit(rate < BOUND or bool(complaint))


if __name__ == "__main__":
    main()
