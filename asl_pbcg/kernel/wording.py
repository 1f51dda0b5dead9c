"""Counts in sentences: one hex, two hexes; one is left, two are left; 1½."""

from __future__ import annotations

import re


def number_words(number: int, one: str, many: str = "") -> str:
    """A number with its noun: ``1 hex``, ``3 hexes``; ``many`` where an s is not enough."""
    return f"{number} {one}" if number == 1 else f"{number} {many or f'{one}s'}"


def is_or_are(number: float) -> str:
    """Return the verb after a number that stands for itself: ``1 is left``, ``½ is left``."""
    return "is" if 0 < number <= 1 else "are"


def points_words(points: float) -> str:
    """Points as people write them: 9, or 1½."""
    whole, half = divmod(points * 2, 2)
    return f"{int(whole) or ''}½" if half else str(int(whole))


def span_words(least: int, most: int) -> str:
    """Say from which number to which: ``from 2 to 5``, or the one number there is."""
    return str(most) if least == most else f"from {least} to {most}"


def to_type(*words: object) -> str:
    """A command line of these words, each in quotes that every shell knows where it needs them."""
    texts = (str(word) for word in words)
    plain = re.compile(r"[\w./\\:+,=@%~-]+")
    return " ".join(each if plain.fullmatch(each) else f'"{each}"' for each in texts)


def quotation(command: str) -> str:
    """A command set off from its sentence, in the marks that it does not hold itself."""
    return f"'{command}'" if '"' in command else f'"{command}"'


def cut(text: str, most: int, end: str = "...") -> str:
    """``text`` in at most ``most`` letters: whole words and ``end`` where it is longer.

    A word is cut only where less than half of the room would be left.
    """
    if len(text) <= most:
        return text
    room = most - len(end)
    words = text[: room + 1].rpartition(" ")[0].rstrip(" ,:;")
    return (words if 2 * len(words) >= room else text[:room].rstrip()) + end


def stands_in(name: str, text: str) -> bool:
    """Return whether ``text`` has a name whole: B-1, which B-12 is not."""
    return bool(re.search(rf"(?<![\w+-]){re.escape(name)}(?![\w+-])", text))
