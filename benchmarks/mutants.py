"""Random changes of conditions in the rules, each against the tests that run through it.

Run: ``python benchmarks/mutants.py`` (extra ``[bench]``): 200 changes in ``refit``, ``campaign``
and ``st``, two at a time; those nobody notices are listed. First the tests are run once under
coverage to see which of them run through which line (``--map FILE`` keeps that); then each change
is made in a copy of the project and meets the tests of its line, the quick ones first, and the
golden games. Exits with 1 if fewer than 95 of 100 are noticed.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from xml.etree import ElementTree

HERE = Path(__file__).resolve().parent.parent
ROOMS = ("refit", "campaign", "st")
BOUND = 0.95
LONGEST = 240
"""Seconds for the tests of one change: a loop without end is noticed too."""
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


def all_mutants(lines: dict[str, dict[str, list[str]]]) -> list[Mutant]:
    """Every change in a line that some test runs through."""
    found = []
    for room in ROOMS:
        for path in sorted((HERE / "asl_pbcg" / room).glob("*.py")):
            name = path.relative_to(HERE).as_posix()
            run = lines.get(name, {})
            for number, (old, new) in enumerate(conditions(ast.parse(path.read_text("utf-8")))):
                if str(old.lineno) in run:
                    words = ast.unparse(old), ast.unparse(ast.fix_missing_locations(new))
                    found.append(Mutant(name, old.lineno, *words, number))
    return found


# -- which tests run through which line ----------------------------------------------------------


def look() -> dict[str, dict[str, list[str]]]:
    """File to line to the tests that run through it, the quick ones first."""
    from coverage import CoverageData

    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder) / "coveragerc"
        settings.write_text(
            "[run]\ndynamic_context = test_function\n"
            f"data_file = {folder}/data\nsource = {','.join(f'asl_pbcg/{r}' for r in ROOMS)}\n",
            encoding="utf-8",
        )
        tests = [
            str(each.relative_to(HERE))
            for each in sorted((HERE / "tests").glob("test_*.py"))
            if not each.name.startswith(LEFT_OUT)
        ]
        subprocess.run(
            [
                sys.executable, "-m", "coverage", "run", f"--rcfile={settings}", "-m", "pytest",
                "-n0", "-q", f"--junitxml={folder}/times.xml", *tests,
            ],
            cwd=HERE, check=False,
        )  # fmt: skip
        took: dict[str, float] = defaultdict(float)
        for case in ElementTree.parse(f"{folder}/times.xml").iter("testcase"):
            name = str(case.get("name")).partition("[")[0]
            took[f"{str(case.get('classname')).rpartition('.')[2]}.{name}"] += float(
                case.get("time", 0)
            )
        data = CoverageData(f"{folder}/data")
        data.read()
        found: dict[str, dict[str, list[str]]] = {}
        for file in data.measured_files():
            lines = {}
            for line, contexts in data.contexts_by_lineno(file).items():
                names = {_test(each) for each in contexts if ".test_" in f".{each}"}
                known = [each for each in names if each in took]
                if known:
                    lines[str(line)] = sorted(known, key=lambda each: took[each])
            found[Path(file).relative_to(HERE).as_posix()] = lines
        return found


def _test(context: str) -> str:
    parts = context.split(".")
    return ".".join(parts[-2:])


# -- one change --------------------------------------------------------------------------------


def workshop() -> Path:
    """A copy of the project to change things in."""
    folder = Path(tempfile.mkdtemp(prefix="mutants-"))
    for name in ("asl_pbcg", "data", "tests", "templates", "docs", "benchmarks", "pyproject.toml",
                 "README.md", "CHANGELOG.md", "CONTRIBUTING.md"):  # fmt: skip
        source = HERE / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, folder / name)
    return folder


def run(folder: Path, tests: list[str]) -> bool:
    """Whether the tests notice something."""
    listed = folder / "tests.txt"
    listed.write_text("\n".join(tests), encoding="utf-8")
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-n0", "-x", "-q", "--no-header", "@tests.txt"],
            cwd=folder, env={**os.environ, "PYTHONPATH": str(folder), "PBCG_BROWSER": "none"},
            capture_output=True, check=False, timeout=LONGEST,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


def noticed(folder: Path, mutant: Mutant, tests: list[str]) -> bool:
    """Whether the tests of its line, or else the golden games, notice a change."""
    path = folder / mutant.file
    source = path.read_text(encoding="utf-8")
    path.write_text(changed(source, mutant.number), encoding="utf-8")
    _forget(path)
    named = [f"tests/{each.replace('.', '.py::', 1)}" for each in tests]
    try:
        return run(folder, named) or run(folder, GOLDENS)
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
    parser.add_argument("--map", type=Path, help="what runs through which line is kept here")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    if given.map and given.map.exists():
        lines = json.loads(given.map.read_text(encoding="utf-8"))
    else:
        lines = look()
        if given.map:
            given.map.write_text(json.dumps(lines), encoding="utf-8")
    possible = all_mutants(lines)
    chosen = random.Random(given.seed).sample(possible, min(given.count, len(possible)))
    shops: Queue[Path] = Queue()
    for _ in range(given.processes):
        shops.put(workshop())

    def one(mutant: Mutant) -> tuple[Mutant, bool]:
        folder = shops.get()
        try:
            return mutant, noticed(folder, mutant, lines[mutant.file][str(mutant.line)])
        finally:
            shops.put(folder)

    missed = []
    with ThreadPoolExecutor(given.processes) as pool:
        for count, (mutant, seen) in enumerate(pool.map(one, chosen), 1):
            if not seen:
                missed.append(mutant)
                print(f"{mutant.file}:{mutant.line}: {mutant.was}  ->  {mutant.now}", flush=True)
            if count % 20 == 0:
                print(f"{count} tried, {len(missed)} not noticed", file=sys.stderr, flush=True)
    while not shops.empty():
        shutil.rmtree(shops.get(), ignore_errors=True)
    rate = 1 - len(missed) / len(chosen)
    print(f"{len(chosen)} of {len(possible)} changes tried, {rate:.1%} noticed")
    sys.exit(rate < BOUND)


if __name__ == "__main__":
    main()
