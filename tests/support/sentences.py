"""The sentences that players read, kept in one place: a test names facts, a golden the words.

``tells(lines, "b13", "W25", "Retained")`` looks for what was said about these facts (a piece, a
place, a number, a rule, a term of the rules), each as a word of its own. A test fails if no line
has them all. The lines that have them must stand in ``tests/sentences/``, in the file of the test's
own file, under the test's name, each once: a change of wording is seen there and changes no test.

After a change of wording on purpose, for the files it touches::

    python tests/support/sentences.py tests/refit/test_refit_areas.py ...

writes their sentences again (without a name: those of every file that has some). Then read
``git diff tests/sentences``.
"""

from __future__ import annotations

import difflib
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
FOLDER = HERE / "sentences"
WRITE = "PBCG_WRITE_SENTENCES"
INDENT = "    "
LONG = 400
"""A line longer than this is a page in one line, and taken sentence by sentence."""
OF_THIS_RUN = {
    r"(?<=Theirs are: )[a-z]+(?: [a-z]+){7}": "EIGHT WORDS",
    r"\b[0-9a-f]{4}(?:-[0-9a-f]{4}){3}\b": "FILE",
    r"\b127\.0\.0\.1:\d+": "127.0.0.1:PORT",
    r"\blast \d{4}-\d\d-\d\d\b": "last DAY",
}


def raised(kind: type[Exception], call: Callable[[], object]) -> Exception:
    """The error that ``call`` raises; fails if it raises none."""
    try:
        call()
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__} was raised")


class Tells:
    """What one test looks for in what was said; see the head of this file."""

    def __init__(self, file: Path, test: str, folder: str) -> None:
        self.file = FOLDER / f"{file.stem.removeprefix('test_')}.txt"
        self.source = file
        self.test = test
        self.folder = folder
        self.writes = bool(os.environ.get(WRITE))
        self.kept = [] if self.writes else list(read(self.file).get(test, ()))
        self.told: list[str] = []

    def __call__(self, source: Any, *facts: object) -> str:
        """The lines of ``source`` that have all ``facts``, which must be those of the golden.

        ``source`` is a text, an error, anything with a ``text``, or several of these.
        """
        lines = list(lines_of(source))
        found = [line for line in lines if all(has(line, fact) for fact in facts)]
        wanted = ", ".join(map(str, facts))
        assert found, f"nothing is said of {wanted or 'anything'} in:\n" + "\n".join(lines)
        plain = dict.fromkeys(self._plain(line) for line in found)
        shown = [line for line in plain if line not in self.told]
        at = len(self.told)
        self.told += shown
        if not self.writes:
            kept = self.kept[at : at + len(shown)]
            assert shown == kept, self._difference(kept, shown)
        return "\n".join(found)

    def finish(self) -> None:
        """Nothing that the golden has may be missing; or write what was told."""
        if self.writes:
            write(self.file, self.source, self.test, self.told)
        else:
            left = self.kept[len(self.told) :]
            assert not left, self._difference(left, [])

    def _plain(self, line: str) -> str:
        """The line without what differs from run to run: folder, fingerprint, port, day."""
        line = re.sub(re.escape(self.folder) + r"[^/\\\s]*[/\\]?", "", line)
        for pattern, name in OF_THIS_RUN.items():
            line = re.sub(pattern, name, line)
        return line

    def _difference(self, kept: list[str], told: list[str]) -> str:
        name = f"tests/sentences/{self.file.name}"
        diff = "\n".join(difflib.unified_diff(kept, told, name, self.test, lineterm="", n=0))
        return (
            f"{diff}\nIf the words changed on purpose: "
            f"python tests/support/sentences.py {self.source}"
        )


def lines_of(source: Any) -> Iterable[str]:
    """What ``source`` says, line by line, without space at the ends."""
    if isinstance(source, str):
        for line in filter(None, map(str.strip, source.splitlines())):
            yield from [line] if len(line) <= LONG else re.split(r"(?<=[.?!]) +(?=[A-Z])", line)
    elif isinstance(getattr(source, "value", None), BaseException):
        yield from lines_of(str(source.value))
    elif isinstance(source, BaseException):
        yield from lines_of(str(source))
    elif hasattr(source, "text"):
        yield from lines_of(source.text)
    elif isinstance(source, Iterable):
        for each in sorted(source) if isinstance(source, set) else source:
            yield from lines_of(each)
    else:
        yield from lines_of(str(source))


def says(source: Any, *facts: object) -> bool:
    """Whether anything is said of all ``facts``, for a test that may go either way."""
    return any(all(has(line, fact) for fact in facts) for line in lines_of(source))


def has(line: str, fact: object) -> bool:
    """Whether a line names a fact as a word of its own: 1 is not in 12, nor Z9 in Z99."""
    return bool(re.search(rf"(?<!\w){re.escape(str(fact))}(?!\w)", line))


def read(file: Path) -> dict[str, list[str]]:
    """The sentences of a golden by test; nothing where there is no file."""
    found: dict[str, list[str]] = {}
    test = ""
    if not file.exists():
        return found
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith(INDENT):
            found[test].append(line.removeprefix(INDENT))
        elif line:
            test = line
            found[test] = []
    return found


def write(file: Path, source: Path, test: str, told: list[str]) -> None:
    """Put what ``test`` told into the golden, in the order of the tests; what has no test goes."""
    found = read(file)
    found[test] = told
    names = re.findall(r"^(?:async )?def (test_\w+)", source.read_text(encoding="utf-8"), re.M)
    order = {name: number for number, name in enumerate(names)}
    left = [each for each in found if each.partition("[")[0] in order and found[each]]
    left.sort(key=lambda each: order[each.partition("[")[0]])
    text = "\n".join("\n".join([each, *(INDENT + line for line in found[each])]) for each in left)
    file.parent.mkdir(exist_ok=True)
    file.write_text(text + "\n" if text else "", encoding="utf-8")


def main(names: list[str]) -> int:
    """Write the sentences of these test files again."""
    files = [Path(name) for name in names] or [
        path
        for path in sorted(HERE.rglob("test_*.py"))
        if (FOLDER / f"{path.stem[5:]}.txt").exists()
    ]
    command = [sys.executable, "-m", "pytest", "-n", "0", *map(str, files)]
    return subprocess.run(command, env={**os.environ, WRITE: "1"}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
