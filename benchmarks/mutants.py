"""Random changes of conditions in the rules, each against the tests of its room.

Run: ``python benchmarks/mutants.py``: 200 changes in ``refit``, ``campaign`` and ``st``, two at a
time; those nobody notices are listed. Each change is made in a copy of the project and meets first
the tests that import its file, then those that reach it through other files of the rules, then the
golden games. Exits with 1 if fewer than 95 of 100 are noticed.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from queue import Queue

HERE = Path(__file__).resolve().parent.parent
ROOMS = ("refit", "campaign", "st")
BOUND = 0.95
LONGEST = 300
"""Seconds of processor for one lot of tests: a loop without end is noticed too."""
FAR = 3
"""Tests that reach a file through so many others or more are one lot."""
LEFT_OUT = ("test_web", "test_house", "test_docs", "test_printed", "test_vasl", "test_cli_st_sim")
"""Tests that see no rule, or whose rules run in another process."""
GOLDENS = [
    "tests/test_golden_cg1.py", "tests/test_golden_cg2.py", "tests/test_golden_st.py",
    "tests/test_cli_records.py", "tests/test_cli_refit.py", "tests/test_evening.py",
]  # fmt: skip
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
    was: str
    now: str
    number: int
    """Which condition of the file, in the order of ``conditions``."""


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
        for path in sorted((HERE / "asl_pbcg" / room).glob("*.py")):
            name = path.relative_to(HERE).as_posix()
            for number, (old, new) in enumerate(conditions(ast.parse(path.read_text("utf-8")))):
                words = ast.unparse(old), ast.unparse(ast.fix_missing_locations(new))
                found.append(Mutant(name, old.lineno, *words, number))
    return found


# -- which tests know a file -------------------------------------------------------------------


@cache
def imports(path: Path) -> frozenset[str]:
    """The modules of the project that a file imports, deferred imports included."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found |= {f"{node.module}.{each.name}" for each in node.names}
        elif isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
    return frozenset(each for each in found if _file(each))


@cache
def _file(module: str) -> Path | None:
    for folder in (HERE, HERE / "tests"):
        path = folder / f"{module.replace('.', '/')}.py"
        if path.is_file():
            return path
    return None


def distances(test: Path) -> dict[str, int]:
    """How many imports away each module is from a test."""
    found: dict[str, int] = {}
    reached = {*imports(test)}
    for away in count(1):
        found |= dict.fromkeys(reached - found.keys(), away)
        further = {
            each for name in reached if (path := _file(name)) is not None for each in imports(path)
        }
        reached = further - found.keys()
        if not reached:
            return found
    raise AssertionError


def tests_by_file() -> dict[str, list[list[str]]]:
    """The tests of each file of the rules: those that import it, then those that reach it."""
    near: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    for test in sorted((HERE / "tests").glob("test_*.py")):
        if test.name.startswith(LEFT_OUT):
            continue
        for module, away in distances(test).items():
            path = _file(module)
            if path is not None and path.is_relative_to(HERE / "asl_pbcg"):
                name = path.relative_to(HERE).as_posix()
                near[name][min(away, FAR)].append(f"tests/{test.name}")
    return {name: [found[away] for away in sorted(found)] for name, found in near.items()}


# -- one change --------------------------------------------------------------------------------


def workshop() -> Path:
    """A copy of the project to change things in."""
    folder = Path(tempfile.mkdtemp(prefix="mutants-"))
    for name in ("asl_pbcg", "data", "tests", "templates", "docs", "benchmarks", "pyproject.toml",
                 "README.md", "CHANGELOG.md", "CONTRIBUTING.md"):  # fmt: skip
        source = HERE / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, folder / name)
    return folder


def run(folder: Path, tests: list[str]) -> str:
    """The test that notices something, else nothing."""
    listed = folder / "tests.txt"
    listed.write_text("\n".join(tests), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-n0", "-x", "-q", "--no-header", "@tests.txt"],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(folder), "PBCG_BROWSER": "none"},
        capture_output=True, check=False, preexec_fn=_bounded,
    )  # fmt: skip
    if not done.returncode:
        return ""
    failed = re.search(rb"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    return failed[1].decode() if failed else "a loop without end"


def _bounded() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST))


def noticed(folder: Path, mutant: Mutant, tests: list[list[str]]) -> str:
    """Which of the tests of its file, or else of the golden games, notices a change, if any."""
    path = folder / mutant.file
    source = path.read_text(encoding="utf-8")
    path.write_text(changed(source, mutant.number), encoding="utf-8")
    _forget(path)
    try:
        return next(filter(None, (run(folder, each) for each in (*tests, GOLDENS))), "")
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
    given = parser.parse_args()
    tests = tests_by_file()
    possible = all_mutants()
    chosen = random.Random(given.seed).sample(possible, min(given.count, len(possible)))
    shops: Queue[Path] = Queue()
    for _ in range(given.processes):
        shops.put(workshop())

    def one(mutant: Mutant) -> tuple[Mutant, str]:
        folder = shops.get()
        try:
            return mutant, noticed(folder, mutant, tests.get(mutant.file, []))
        finally:
            shops.put(folder)

    missed, noticing = [], set()
    with ThreadPoolExecutor(given.processes) as pool:
        for done, (mutant, seen) in enumerate(pool.map(one, chosen), 1):
            noticing |= {seen} - {""}
            if not seen:
                missed.append(mutant)
                print(f"{mutant.file}:{mutant.line}: {mutant.was}  ->  {mutant.now}", flush=True)
            if done % 20 == 0:
                print(f"{done} tried, {len(missed)} not noticed", file=sys.stderr, flush=True)
    # What noticed must have nothing to say of the program as it is.
    honest = sorted(each for each in noticing if each.startswith("tests/"))
    complaint = run(shops.queue[0], honest)
    while not shops.empty():
        shutil.rmtree(shops.get(), ignore_errors=True)
    rate = 1 - len(missed) / len(chosen)
    print(f"{len(chosen)} of {len(possible)} changes tried, {rate:.1%} noticed")
    if complaint:
        print(f"{complaint} fails without a change too: nothing is shown")
    sys.exit(rate < BOUND or bool(complaint))


if __name__ == "__main__":
    main()
