"""Where the rules' numbers live: finds and reads the files of ``data/`` and ``templates/``.

In a checkout they stand at the top level; in the wheel they travel inside the package.

YAML is slow to parse and PyYAML slow to import, and a board of 1,300 lines takes its time, so a
parsed file of ours is kept where Python keeps compiled modules (``__pycache__``) and by the same
rules: made again when the file changes, written in one move, not written where Python writes no
bytecode, and never needed.
"""

from __future__ import annotations

import marshal
import os
from collections.abc import Callable
from functools import cache
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any
from zlib import crc32

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.slow_libraries import yaml

_PACKAGE = Path(__file__).resolve().parent.parent


def _folder(name: str) -> Path:
    shipped = _PACKAGE / f"_{name}"
    return shipped if shipped.is_dir() else _PACKAGE.parent / name


def data_path(name: str) -> Path:
    """Say where the data file ``name`` (for example ``"pb/board.csv"``) stands.

    Raises PBCGError if it is missing, which means a broken installation.
    """
    path = _folder("data") / name
    if not path.exists():
        raise PBCGError(f"The data file {name} is missing: install pbcg again.")
    return path


def template_path(name: str) -> Path:
    """Say where the sheet layout ``name`` (for example ``"cg_roster.yaml"``) stands."""
    path = _folder("templates") / name
    if not path.exists():
        raise PBCGError(f"The template {name} is missing: install pbcg again.")
    return path


def parse_yaml(text: str | bytes) -> Any:
    """Read YAML of our own (trusted) files; only ``true`` and ``false`` are booleans."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(text, Loader=loader)


class _Parsed(SourceFileLoader):
    """Loads a data file as Python loads a module; its code is one constant, the parsed file."""

    def __init__(self, name: str, path: str, parse: Callable[[bytes], Any]) -> None:
        super().__init__(name, path)
        self._parse = parse

    def source_to_code(self, data: Any, path: Any, **_: Any) -> CodeType:  # type: ignore[override]
        return compile(repr(marshal.dumps(self._parse(data))), str(path), "eval")


def data_stamp() -> str:
    """Names, sizes and times of all data files in few letters: another one when any has changed."""
    found = []
    folders = [str(_folder("data"))]
    for folder in folders:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith((".yaml", ".csv")):
                    state = entry.stat()
                    found.append((folder, entry.name, state.st_size, state.st_mtime_ns))
                elif "." not in entry.name and entry.name != "__pycache__":
                    folders.append(entry.path)
    return f"{crc32(repr(sorted(found)).encode()):x}"


@cache
def load_data(name: str) -> Any:
    """Read the YAML data file ``name`` once; callers must not change what they get.

    Raises PBCGError with file and line if it is not a YAML.
    """
    try:
        return load_parsed(name, parse_yaml)
    except Exception as error:  # YAML is not imported where a file is kept parsed
        if type(error).__module__.partition(".")[0] != "yaml":
            raise
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark else ""
        wrong = getattr(error, "problem", "") or "is not a text in UTF-8"
        raise PBCGError(f"data/{name}{where}: {wrong}.") from error


def load_parsed(name: str, parse: Callable[[bytes], Any]) -> Any:
    """Return what ``parse`` makes of the data file ``name``: text, numbers, lists and keys.

    A file is always parsed by the same ``parse``: its result is kept under the file's own name.
    """
    path = data_path(name)
    try:
        code = _Parsed(name, str(path), parse).get_code(name)
        return marshal.loads(eval(code))  # type: ignore[arg-type]
    except (ValueError, EOFError, TypeError):  # what is kept there is damaged, or cannot be kept
        return parse(path.read_bytes())
