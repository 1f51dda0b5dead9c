"""Texts and bytes with something wrong with them, as files go wrong by accident or on purpose."""

from __future__ import annotations

import random

NASTY = (
    "²", "9" * 5000, "-1", "1e999", "\x00", "\x1b[2J", "null", "[]", "{}", "~", "[[[[[[[[", "&a *a",
    "!!python/object:os", "𝟛", "‮", "true", "0x10", "A" * 70_000, "Z15/99", "ZZ99", "- - - -",
)  # fmt: skip


def bent(text: str, source: random.Random) -> str:
    """A text with one to three things wrong with it."""
    for _ in range(source.randint(1, 3)):
        at = source.randrange(len(text) + 1)
        to = min(len(text), at + source.randint(0, 12))
        kind = source.randrange(5)
        if kind == 0:
            text = text[:at] + source.choice(NASTY) + text[to:]
        elif kind == 1:
            text = text[:at] + text[to:]
        elif kind == 2:
            text = text[:at] + text[at:to] * source.randint(2, 40) + text[to:]
        elif kind == 3:
            text = text[:at] + chr(source.choice((0, 9, 10, 27, 0x85, 0x2028, 0x1F600))) + text[at:]
        else:
            text = text[: max(1, at)]
    return text


def spoiled(data: bytes, source: random.Random) -> bytes:
    """Bytes with some of them wrong, gone or twice there."""
    wrong = bytearray(data)
    kind = source.randrange(4)
    at = source.randrange(len(wrong))
    if kind == 0:
        for _ in range(source.randint(1, 30)):
            wrong[source.randrange(len(wrong))] = source.randrange(256)
    elif kind == 1:
        del wrong[at : at + source.randint(1, 5000)]
    elif kind == 2:
        del wrong[at:]
    else:
        wrong[at:at] = wrong[at : at + source.randint(1, 5000)]
    return bytes(wrong)
