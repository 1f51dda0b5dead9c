"""VASSAL's nested lists: parts by a delimiter; a delimiter after a backslash is a letter.

A list within a list has one backslash more before its delimiters, so they are undone one level at
a time. Nothing here calls itself, so no nesting is too deep; what is deeper than any save goes is
refused.
"""

from __future__ import annotations

from asl_pbcg.vasl.archive import NoSave

DEEPEST = 200  # traits of one counter; a vehicle has about forty
MOST_COMMANDS = 20_000
_COMMAND_DEPTH = 12
_ESC = "\x1b"


def split(text: str, delimiter: str, most: int = 10_000) -> list[str]:
    """The parts of ``text``, one level of backslashes undone: ``most`` of them and the rest."""
    if delimiter not in text:
        return [_unquote(text)]
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
    escaped = "\\" + delimiter
    return [_unquote(part.replace(escaped, delimiter)) for part in parts]


def _unquote(part: str) -> str:
    """VASSAL puts a part in quotes that ends with a backslash or has quotes of its own."""
    return part[1:-1] if len(part) > 1 and part[0] == part[-1] == "'" else part


def chain(text: str) -> list[str]:
    """The traits of a counter from the outermost to the piece itself. Raises NoSave."""
    found: list[str] = []
    while len(found) < DEEPEST:
        first, *rest = split(text, "\t", 1)
        found.append(first)
        if not rest:
            return found
        text = rest[0]
    raise NoSave("The save is damaged: a counter in it has more traits than there are.")


def commands(text: str) -> list[str]:
    """All commands of a save, those within others too, in their order. Raises NoSave."""
    found: list[str] = []
    waiting = [(text, 0)]
    while waiting:
        command, depth = waiting.pop()
        if _ESC not in command:
            found.append(command)
            if len(found) > MOST_COMMANDS:
                raise NoSave("The save is damaged: there is far more in it than on any map.")
            continue
        if depth >= _COMMAND_DEPTH:
            raise NoSave("The save is damaged: its commands are nested too deeply.")
        parts = split(command, _ESC, MOST_COMMANDS)
        waiting += [(part, depth + 1) for part in reversed(parts)]
    return found
