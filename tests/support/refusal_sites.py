"""Where refusals are raised that could be made from the whole game, collected from the code."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache

from refusal_walk import PACKAGE, ROOMS, Site, refusal_sites, tree_of

WHOLE = frozenset({"Campaign", "Session", "Run", "Journal", "Seat", "OpenGame", "Game"})
"""The classes that hold a whole game, with what one of the sides keeps secret."""


def _names(annotation: ast.AST | None) -> set[str]:
    """The names in an annotation, those in quotes too."""
    names: set[str] = set()
    for node in ast.walk(annotation) if annotation else ():
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.Attribute):
            names.add(node.attr)
        elif isinstance(node, ast.Constant) and str(node.value).isidentifier():
            names.add(str(node.value))
    return names


def _arguments(function: ast.FunctionDef) -> set[str]:
    given = function.args
    listed = (*given.posonlyargs, *given.args, *given.kwonlyargs)
    return {name for argument in listed for name in _names(argument.annotation)}


@cache
def holders() -> frozenset[str]:
    """The classes that hold a whole game in a field, or are made from one, to any depth."""
    parts: defaultdict[str, set[str]] = defaultdict(set)
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ClassDef):
                for base in node.bases:
                    parts[node.name] |= _names(base)
                for field in node.body:
                    if isinstance(field, ast.AnnAssign):
                        parts[node.name] |= _names(field.annotation)
                    elif isinstance(field, ast.FunctionDef) and field.name == "__init__":
                        parts[node.name] |= _arguments(field)
    holding = set(WHOLE)
    while more := {name for name, of in parts.items() if of & holding} - holding:
        holding |= more
    return frozenset(holding)


def _raised(tree: ast.AST, where: str, given: frozenset[str]) -> Iterator[tuple[str, int, bool]]:
    """Function, line, and whether what it or what it stands in is given may hold a whole game."""
    for node in ast.iter_child_nodes(tree):
        inner, told = where, given
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            inner = f"{where}.{node.name}".strip(".")
            told |= _arguments(node) if isinstance(node, ast.FunctionDef) else {node.name}
        elif isinstance(node, ast.Raise):
            yield where, node.lineno, bool(given & holders())
        yield from _raised(node, inner, told)


@cache
def telling_sites() -> dict[Site, str]:
    """The sites that could tell of the whole game, and the file and function of each."""
    known = {(site.where.partition(":")[0], site.line) for site in refusal_sites()}
    telling_at: dict[Site, str] = {}
    for room in ROOMS:
        for path in (PACKAGE / room).rglob("*.py"):
            module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
            for where, line, telling in _raised(tree_of(path), "", frozenset()):
                if telling and (module, line) in known:
                    telling_at[Site(module, line)] = f"{path.stem}:{where}"
    return telling_at
