"""The size and shape of the house, as figures.

Run: ``python benchmarks/house.py [FOLDER]``. FOLDER is another checkout to measure beside this one.
Code lines are lines that carry a token: no blanks, comments or docstrings. AST nodes leave
docstrings out too, so that dense lines gain nothing. ``tests/test_house.py`` holds the bounds.
"""

from __future__ import annotations

import ast
import gc
import io
import sys
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LONG_FUNCTION = 40
"""Functions with more code lines than this are counted as long."""
SMALL_GAMES = ("airborne/", "megagame/", "cli/drop/", "cli/mega/", "play/drop", "play/mega")
ENTERING = (
    "campaign/entry/",
    "campaign/position",
    "campaign/state/ob_merge.py",
    "campaign/state/piece_matching.py",
    *("vasl/archive", "vasl/chosen", "vasl/heap", "vasl/names", "vasl/read", "vasl/review"),
    *("vasl/save_", "vasl/scene", "vasl/viewer"),
    "web/draft",
    "web/routes_position.py",
    "cli/evening/position_",
    "play/campaign_game/vasl_save.py",
    "play/campaign_game/to_fill_in.py",
    "play/campaign_game/against_ob.py",
)
"""Files in which an end position is entered, in whatever form."""
_NOT_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}
_ODD_OPENINGS = ("What ", "Who ", "Whose ", "Whom ", "The same")


class SourceFile:
    """One parsed file: its code lines and its syntax tree without docstrings."""

    def __init__(self, path: Path, name: str) -> None:
        self.name = name
        self.text = path.read_text(encoding="utf-8")
        self.tree = ast.parse(self.text)
        self.nodes = list(ast.walk(self.tree))
        self.docstrings = [doc for doc in map(_docstring, self.nodes) if doc]

    @cached_property
    def code(self) -> set[int]:
        """The lines that carry a token."""
        prose = {
            line
            for doc in self.docstrings
            for line in range(doc.lineno, (doc.end_lineno or doc.lineno) + 1)
        }
        code: set[int] = set()
        for token in tokenize.generate_tokens(io.StringIO(self.text).readline):
            if token.type not in _NOT_CODE:
                code.add(token.start[0])
                if token.end[0] > token.start[0]:
                    code.update(range(token.start[0], token.end[0] + 1))
        return code - prose

    @property
    def count(self) -> int:
        """Return the number of AST nodes, two less for each docstring."""
        return len(self.nodes) - 2 * len(self.docstrings)

    @property
    def long_functions(self) -> int:
        """Return how many functions have more than LONG_FUNCTION code lines."""
        return sum(
            sum(line in self.code for line in range(node.lineno, (node.end_lineno or 0) + 1))
            > LONG_FUNCTION
            for node in self.nodes
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        )

    @property
    def inner_imports(self) -> int:
        """Return how many imports stand inside functions."""
        inside = {
            inner
            for node in self.nodes
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            for inner in ast.walk(node)
            if isinstance(inner, ast.Import | ast.ImportFrom)
        }
        return len(inside)

    @property
    def classes(self) -> list[str]:
        """Return the names of public classes at the top of the file."""
        return [
            node.name
            for node in self.tree.body
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
        ]


def _docstring(node: ast.AST) -> ast.Constant | None:
    """Return the string that ``node`` is, as a docstring or under a field; None for code."""
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Constant):
        return None
    return node.value if isinstance(node.value.value, str) else None


def source_files(root: Path, folder: str) -> list[SourceFile]:
    """Return the Python files below ``folder`` of the checkout ``root``."""
    base = root / folder
    return [
        SourceFile(path, path.relative_to(base).as_posix())
        for path in sorted(base.rglob("*.py"))
        if "__pycache__" not in path.parts
    ]


def _code_below(files: list[SourceFile], beginnings: tuple[str, ...]) -> int:
    return sum(len(file.code) for file in files if file.name.startswith(beginnings))


def _shared(places: Iterator[tuple[str, str]]) -> int:
    """Return how many names stand in two places or more."""
    where: dict[str, set[str]] = defaultdict(set)
    for name, place in places:
        where[name].add(place)
    return sum(len(found) > 1 for found in where.values())


def figures(root: Path) -> dict[str, int]:
    """Return the figures of the checkout ``root`` by name."""
    gc.disable()  # a third of the time: all syntax trees stay until the end
    try:
        lines = sum(len(file.code) for file in source_files(root, "tests"))
        return package_figures(source_files(root, "asl_pbcg")) | {"test code lines": lines}
    finally:
        gc.enable()


def package_figures(files: list[SourceFile]) -> dict[str, int]:
    """Return the figures of the files of the package by name."""
    modules = (
        (file.name.rpartition("/")[2], file.name.split("/")[0])
        for file in files
        if "/" in file.name and not file.name.endswith("__init__.py")
    )
    return {
        "code lines of asl_pbcg": sum(len(file.code) for file in files),
        "AST nodes": sum(file.count for file in files),
        "st": _code_below(files, ("st/",)),
        "airborne and megagame, all parts": _code_below(files, SMALL_GAMES),
        "entering a position, all forms": _code_below(files, ENTERING),
        "functions over 40 lines": sum(file.long_functions for file in files),
        "imports inside functions": sum(file.inner_imports for file in files),
        "public class names in two files": _shared(
            (name, file.name) for file in files for name in file.classes
        ),
        "module names in two rooms": _shared(modules),
        "docstrings that begin with What, Who, The same": sum(
            doc.value.startswith(_ODD_OPENINGS)
            for file in files
            for doc in file.docstrings
            if isinstance(doc.value, str)
        ),
    }


def rooms(root: Path) -> Counter[str]:
    """Return the code lines of each room."""
    counts: Counter[str] = Counter()
    for file in source_files(root, "asl_pbcg"):
        counts[file.name.split("/")[0] if "/" in file.name else "."] += len(file.code)
    return counts


def main() -> None:
    """Print the figures of this checkout, and of another one beside it."""
    roots = [ROOT, *map(Path, sys.argv[1:])]
    tables = [figures(root) for root in roots]
    for name in tables[0]:
        print(f"{name:48}" + "".join(f"{table[name]:>10,}" for table in tables))
    print()
    by_room = [rooms(root) for root in roots]
    for room, _ in by_room[0].most_common():
        print(f"  {room:46}" + "".join(f"{table[room]:>10,}" for table in by_room))


if __name__ == "__main__":
    main()
