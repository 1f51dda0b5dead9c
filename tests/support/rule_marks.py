"""Which obligations of the rules there are, and which tests carry them."""

from __future__ import annotations

import ast
import csv
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
DATA = TESTS.parent / "data"


@dataclass(frozen=True)
class Obligation:
    """One row of a rules matrix; ``reason`` says why it is the players' own business."""

    id: str
    rule: str
    text: str
    reason: str
    book: str


@cache
def obligations() -> tuple[Obligation, ...]:
    """Every row of every ``data/<book>/obligations.csv``."""
    found = []
    for path in sorted(DATA.glob("*/obligations.csv")):
        with path.open(encoding="utf-8", newline="") as stream:
            found += [
                Obligation(
                    row["id"], row["rule"], row["obligation"], row.get("reason", "") or "",
                    path.parent.name,
                )
                for row in csv.DictReader(stream)
            ]  # fmt: skip
    return tuple(found)


@cache
def marks() -> dict[str, list[str]]:
    """Obligation id to the tests that carry it, as ``file::test``."""
    found: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                for id in _ids(node):
                    found.setdefault(id, []).append(
                        f"{path.relative_to(TESTS).as_posix()}::{node.name}"
                    )
    return found


@cache
def code_places() -> dict[str, list[str]]:
    """Rule number to the functions whose docstrings name it, as ``file: function``."""
    found: dict[str, list[str]] = {}
    for path in sorted((TESTS.parent / "asl_pbcg").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                text = ast.get_docstring(node) or ""
                for number in _RULE.findall(text.partition("Rule:")[2]):
                    place = f"{path.relative_to(TESTS.parent).as_posix()}: {node.name}"
                    found.setdefault(number, []).append(place)
    return found


_RULE = re.compile(r"9\.\d+[a-d]?|CG\d+[a-c]?|ST-[A-Z0-9]+-\d+|\bAB\d+|\bMG\d+")


def _ids(test: ast.FunctionDef) -> list[str]:
    """The ids in ``@pytest.mark.rule(...)`` of a test, also those of its parameters."""
    return [
        argument.value
        for decorator in test.decorator_list
        for call in ast.walk(decorator)
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.rule"
        for argument in call.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    ]
