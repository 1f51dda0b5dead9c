"""Names that pages and docstrings write as code, held against what the house defines."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("asl_pbcg", "benchmarks", "docs", "tests")
DEFINING = ("asl_pbcg", "benchmarks", "docs", "tests/support")
CODE_ENDINGS = (".py", ".js", ".css", ".html")
"""Files of the house; in a page, what has another ending may be a player's own."""
DATA_ENDINGS = (".yaml", ".csv")
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
NAME = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*(\([^()]*\))?")
JS_DEFINITION = re.compile(
    r"(?:function\*?|class|const|let|static|get|set|async)\s+(?:function\s+)?([A-Za-z_$][\w$]*)"
    r"|^\s+(?:async\s+)?([A-Za-z_$][\w$]*)\(.*\)\s*\{",
    re.MULTILINE,
)


class CodeName(NamedTuple):
    """A name as code in a text: where it stands and how it is written."""

    path: Path
    text: str

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT).as_posix()}: {self.text}"


class HouseNames(NamedTuple):
    """Names that the house defines."""

    callables: frozenset[str]
    """Functions, methods and classes."""
    values: frozenset[str]
    """Fields, arguments, constants, modules, words of the data and of the program's literals."""
    files: frozenset[str]
    """Paths of all files from the root, with every shorter end of theirs."""


@cache
def parse(path: Path) -> ast.Module:
    """Return the syntax tree of a module."""
    return ast.parse(path.read_text(encoding="utf-8"))


def names_in_page(path: Path) -> Iterator[CodeName]:
    """Yield each span of code in a page, and the calls in its Python examples."""
    text = path.read_text(encoding="utf-8")
    for example in re.findall(r"^```python\n(.*?)^```", text, flags=re.S | re.M):
        for called in re.findall(r"\.([a-z_]\w*)\(", example):
            yield CodeName(path, f"{called}()")
    text = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    for span in re.findall(r"(?<!`)`([^`\n]+)`(?!`)", text):
        yield CodeName(path, span)


def names_in_docstrings(path: Path) -> Iterator[CodeName]:
    """Yield each span of code in the docstrings of a module."""
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            for span in re.findall(r"``([^`\n]+)``", str(node.value.value)):
                yield CodeName(path, span)


@cache
def house_names() -> HouseNames:
    """Return all names that the house defines."""
    callables, values = set(dir(builtins)), set()
    for folder in DEFINING:
        for path in (ROOT / folder).rglob("*.py"):
            values.add(path.stem)
            for node in ast.walk(parse(path)):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                    callables.add(node.name)
                else:
                    values.update(_values(node))
    for path in (ROOT / "asl_pbcg").rglob("*.js"):
        text = path.read_text(encoding="utf-8")
        callables |= {one or other for one, other in JS_DEFINITION.findall(text)}
        values |= set(IDENTIFIER.findall(text))
    for path in (ROOT / "data").rglob("*.*"):
        if path.suffix in (".yaml", ".csv", ".json"):
            values |= set(IDENTIFIER.findall(path.read_text(encoding="utf-8")))
    for path in (ROOT / "templates").rglob("*.yaml"):
        values |= set(IDENTIFIER.findall(path.read_text(encoding="utf-8")))
    return HouseNames(frozenset(callables), frozenset(values), frozenset(_files()))


def is_stale(name: CodeName) -> bool:
    """Return whether a name names nothing that is in the house."""
    house = house_names()
    text = name.text.strip().removeprefix("./")
    if re.search(r"\b[A-Z]{4,}\.|\b[A-Z]{4,}/", text):  # stands for many names
        return False
    of_house = CODE_ENDINGS if name.path.suffix == ".md" else CODE_ENDINGS + DATA_ENDINGS
    if text.endswith(of_house) and re.fullmatch(r"[\w./-]+", text):
        return text not in house.files
    if text.endswith(DATA_ENDINGS):
        return False
    if not NAME.fullmatch(text):
        return False
    first, _, arguments = text.partition("(")
    *owners, last = first.split(".")
    is_call = bool(arguments)
    if not (is_call or owners or "_" in last or re.search(r"[a-z][A-Z]", last)):
        return False
    if is_call and last not in house.callables:
        return True
    return any(part not in house.callables | house.values for part in (*owners, last))


def _values(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.AnnAssign(target=ast.Name(id=name) | ast.Attribute(attr=name)):
            yield name
        case ast.Assign(targets=targets):
            for target in targets:
                if isinstance(target, ast.Attribute):
                    yield target.attr
                elif isinstance(target, ast.Name):
                    yield target.id
        case ast.arg(arg=name):
            yield name
        case ast.keyword(arg=str(name)):
            yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            for alias in names:
                yield from (alias.asname or alias.name).split(".")
        case ast.Attribute(attr=name):
            yield name
        case ast.Constant(value=str(text)) if re.fullmatch(r"[\w.-]+", text):
            yield from text.split(".")


def _files() -> Iterator[str]:
    for folder in (*FOLDERS, "data", "templates"):
        for path in (ROOT / folder).rglob("*.*"):
            parts = path.relative_to(ROOT).parts
            yield from ("/".join(parts[start:]) for start in range(len(parts)))
