"""The fingerprint of the rules: which data, rulings and procedures a game is played under."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from asl_pbcg.kernel.canonical import digest
from asl_pbcg.kernel.data import data_path

_PACKAGE = Path(__file__).resolve().parent.parent
DIGITS = 16


@cache
def rules_fingerprint(rooms: tuple[str, ...], folders: tuple[str, ...]) -> str:
    """Return the fingerprint of the code of ``rooms`` and the data of ``folders``.

    It is empty where a game names no rooms: then its rules are not known.
    """
    if not rooms:
        return ""
    data = data_path(".")
    parts = [(_PACKAGE / room, ".py") for room in sorted({"kernel", *rooms})]
    parts += [(data / folder, "") for folder in sorted(set(folders))]
    found = [
        f"{folder.name}/{name} {digest((folder / name).read_bytes())}\n"
        for folder, ending in parts
        for name in sorted(_files(folder, ending))
    ]
    return digest("".join(found).encode())[:DIGITS]


def _files(folder: Path, ending: str) -> Iterator[str]:
    for where, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        for name in names:
            if name.endswith(ending or (".yaml", ".csv", ".json")):
                yield (Path(where) / name).relative_to(folder).as_posix()


@cache
def program_stamp(program: str) -> str:
    """Return what is the same for the same program: its version, in a checkout also its files."""
    checkout = _PACKAGE.parent / "data"
    if not checkout.is_dir():
        return digest(program.encode())[:DIGITS]
    found = [program, *_states(_PACKAGE), *_states(checkout)]
    return digest("\n".join(found).encode())[:DIGITS]


def _states(folder: Path) -> Iterable[str]:
    """Yield names, sizes and times of the files under ``folder``."""
    folders = [str(folder)]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.name.endswith((".py", ".yaml", ".csv")):
                    state = entry.stat()
                    yield f"{entry.path} {state.st_size} {state.st_mtime_ns}"
                elif "." not in entry.name and entry.name != "__pycache__":
                    folders.append(entry.path)
