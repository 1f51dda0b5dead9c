"""VASSAL's nested lists: parts by a delimiter; a delimiter after a backslash is a letter.

A list within a list has one backslash more before its delimiters, so they are undone one level at
a time. What is nested deeper than in any save is refused before anything goes down into it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from asl_pbcg.vasl.archive import DamagedSave

MAX_TRAITS = 200  # traits of one counter; a vehicle has about forty
MAX_COMMANDS = 20_000
_COMMAND_DEPTH = 12
ESC = "\x1b"
TAB = "\t"


def split(text: str, delimiter: str, most: int = 10_000) -> list[str]:
    """The parts of ``text``, one level of backslashes undone: ``most`` of them and the rest."""
    if delimiter not in text:
        return [_unquote(text)]
    return [plain(part, delimiter) for part in cut(text, delimiter, most)]


def cut(text: str, delimiter: str, most: int = 10_000) -> list[str]:
    """Return the parts of ``text`` as they are written, backslashes and quotes included."""
    parts: list[str] = []
    start = 0
    search = 0
    while len(parts) < most:
        at = text.find(delimiter, search)
        if at < 0:
            break
        search = at + 1
        if at > 0 and text[at - 1] == "\\":
            continue
        parts.append(text[start:at])
        start = search
    parts.append(text[start:])
    return parts


def plain(part: str, delimiter: str) -> str:
    """Return a part that ``cut`` gave without its backslashes and quotes."""
    return _unquote(part.replace("\\" + delimiter, delimiter))


def encode(part: str, delimiter: str, like: str = "") -> str:
    """Write a part of a list; ``like`` is what was written in its place before.

    Quotes stand round a part that begins or ends with a backslash or has quotes of its own: every
    version of VASSAL reads that. A part that was quoted stays quoted, and where an older version
    wrote a backslash at the beginning without quotes it goes on without them.
    """
    before = plain(like, delimiter)
    if like and before == part:
        return like
    begins = part[:1] == "\\" and not (before[:1] == "\\" and not _is_quoted(like))
    quoted = begins or part[-1:] == "\\" or _is_quoted(part) or _is_quoted(like)
    written = part.replace(delimiter, "\\" + delimiter)
    return f"'{written}'" if quoted else written


def replace_parts(text: str, delimiter: str, new: Mapping[int, str], most: int = 10_000) -> str:
    """Return a list with some parts replaced, by their number; the others stay as written."""
    parts = cut(text, delimiter, most)
    for index, part in new.items():
        parts[index] = encode(part, delimiter, parts[index])
    return delimiter.join(parts)


def join_chain(parts: Sequence[str]) -> str:
    """Return a chain of traits, outermost first, as it is written."""
    *others, text = parts
    for part in reversed(others):
        text = f"{encode(part, TAB)}{TAB}{encode(text, TAB)}"
    return text


def replace_in_chain(text: str, new: Mapping[int, str]) -> str:
    """Return a chain of traits with some replaced, by their number; the others stay as written."""
    outer: list[list[str]] = []
    for _ in range(max(new, default=-1)):
        outer.append(cut(text, "\t", 1))
        text = plain(outer[-1][1], "\t")
    outer.append(cut(text, "\t", 1))
    rest: str | None = None
    for index in reversed(range(len(outer))):
        parts = outer[index]
        if rest is not None:
            parts[1] = encode(rest, "\t", parts[1])
        if index in new:
            parts[0] = encode(new[index], "\t", parts[0])
        rest = "\t".join(parts)
    return rest or ""


def _is_quoted(part: str) -> bool:
    return len(part) > 1 and part[0] == part[-1] == "'"


def _unquote(part: str) -> str:
    """VASSAL puts a part in quotes that ends with a backslash or has quotes of its own."""
    return part[1:-1] if _is_quoted(part) else part


def chain(text: str) -> list[str]:
    """The traits of a counter from the outermost to the piece itself. Raises NoSave."""
    found: list[str] = []
    while len(found) < MAX_TRAITS:
        first, *rest = split(text, "\t", 1)
        found.append(first)
        if not rest:
            return found
        text = rest[0]
    raise DamagedSave("a counter in it has more traits than there are")


@lru_cache(maxsize=500)  # counters of one kind have one type
def chain_of_type(text: str) -> list[str]:
    """Return the traits of a counter's type, outermost first; nobody changes them."""
    return chain(text)


class Command:
    """One command of a save, or a list of commands if it has ``parts``."""

    __slots__ = ("parent", "parts", "text", "written")

    def __init__(self, text: str, written: str, parent: Command | None = None) -> None:
        self.text = text
        """The command itself; empty for a list."""
        self.written = written
        """How it stands in the list that it is part of."""
        self.parent = parent
        self.parts: list[Command] = []

    def set_text(self, text: str) -> None:
        """Let the command say something else."""
        self.text, self.written = text, encode(text, ESC, self.written)

    def leaves(self) -> Iterator[Command]:
        """Go through the single commands in their order."""
        if not self.parts:
            yield self
        for part in self.parts:
            yield from part.leaves()

    def whole_text(self) -> str:
        """Return the text of the command with everything in it."""
        if not self.parts:
            return self.text
        return ESC.join(
            encode(part.whole_text(), ESC, part.written) if part.parts else part.written
            for part in self.parts
        )


def parse_commands(text: str) -> Command:
    """Return the commands of a save as the tree that they are nested in. Raises NoSave."""
    root = Command(text, text)
    waiting = [(root, 0)]
    count = 0
    while waiting:
        command, depth = waiting.pop()
        if ESC not in command.text:
            count += 1
            if count > MAX_COMMANDS:
                raise DamagedSave("there is far more in it than on any map")
            continue
        if depth >= _COMMAND_DEPTH:
            raise DamagedSave("its commands are nested too deeply")
        parts = cut(command.text, ESC, MAX_COMMANDS)
        command.parts = [Command(plain(part, ESC), part, command) for part in parts]
        command.text = ""
        waiting += [(part, depth + 1) for part in reversed(command.parts)]
    return root


def commands(text: str) -> list[str]:
    """All commands of a save, those within others too, in their order. Raises NoSave."""
    return [command.text for command in parse_commands(text).leaves()]
