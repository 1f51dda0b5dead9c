"""Each finding of a refereeing or an attack that was mended is shown by a test that names it.

``python tests/test_findings.py`` prints the tests of each finding.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

TESTS = Path(__file__).resolve().parent
MENDED = {
    "F": [*range(1, 19), *range(20, 27), *range(30, 37), *range(40, 44), 50, 51, 60, 61],
    "G": [
        *range(1, 24),
        25,
        26,
        *range(30, 34),
        36,
        *range(40, 46),
        60,
        61,
        62,
        63,
        64,
        *range(71, 74),
        80,
    ],
}
"""The numbers of the findings of two rounds that are mended."""


def findings_shown() -> dict[str, list[str]]:
    """Return the tests that are marked with each finding, as ``file::test``."""
    marked: dict[str, list[str]] = defaultdict(list)
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            marks, name = [], "all"
            if isinstance(node, ast.FunctionDef):
                marks, name = node.decorator_list, node.name
            elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark":
                marks = [node.value]
            for mark in marks:
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.finding":
                    for number in mark.args:
                        marked[ast.literal_eval(number)].append(f"{path.stem}::{name}")
    return dict(marked)


def test_every_mended_finding_has_a_test_that_names_it() -> None:
    marked = findings_shown()
    numbers = {f"{letter}-{each:02}" for letter, found in MENDED.items() for each in found}
    assert not numbers - marked.keys()


if __name__ == "__main__":
    for finding, tests in sorted(findings_shown().items()):
        print(finding, *tests, sep="\n  ")
