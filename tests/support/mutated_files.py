"""Campaign files with wrong bytes, and files changed and chained again."""

from __future__ import annotations

import json
import random
from typing import Any

from journal_vectors import Maker, answer, roll, sha, undo, vectors, veiled

VECTORS = list(vectors())


def mutated_files(count: int, seed: int = 5) -> list[bytes]:
    """Vectors with wrong bytes, and vectors changed and chained again."""
    rng = random.Random(seed)
    small = [content for _, content, _ in VECTORS if 0 < len(content) < 20_000]
    whole = [content for _, content, says in VECTORS if not says["fault"] and len(content) < 20_000]
    return [
        _wrong_bytes(rng, rng.choice(small))
        if rng.random() < 0.5
        else _rechained(rng, rng.choice(whole))
        for _ in range(count)
    ]


def _wrong_bytes(rng: random.Random, content: bytes) -> bytes:
    found = bytearray(content)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        at = rng.randrange(len(found) or 1)
        change = rng.randrange(4)
        if change == 0 and found:
            found[at % len(found)] ^= 1 << rng.randrange(8)
        elif change == 1:
            found[at:at] = rng.choice(b'{}[]",:0123456789\\truefalse\n ').to_bytes(1, "big")
        elif change == 2:
            del found[at : at + rng.choice([1, 1, 2, 5, 40])]
        else:
            start = rng.randrange(len(found) or 1)
            found[at:at] = found[start : start + rng.randrange(30)]
    return bytes(found)


def _rechained(rng: random.Random, content: bytes) -> bytes:
    """A whole file with an entry changed, added or taken out, and every hash computed again."""
    lines = content.split(b"\n")[:-1] or [content]
    made = Maker()
    made.lines = lines[:1]
    held = [json.loads(line) for line in lines[1:]]
    if held:
        entries = rng.choice(held)["entries"]
        _change(rng, entries)
    extra = [answer("z"), roll("b1", [rng.randrange(6)]), undo(rng.randrange(4))]
    extra += [veiled(answer("s")), {"kind": "redo", "value": {"undo": rng.randrange(8)}}]
    for line in held:
        if rng.random() < 0.2:
            made.add(rng.choice(extra))
        more = {key: line[key] for key in ("program", "rules") if key in line}
        made.add(*line["entries"], at=line["at"], **more)
    for _ in range(rng.randrange(3)):
        made.add(rng.choice(extra))
    assert made.hash() == sha(made.lines[-1] + b"\n")
    return made.bytes()


def _change(rng: random.Random, entries: list[Any]) -> None:
    at = rng.randrange(len(entries))
    change = rng.randrange(5)
    if change == 0:
        del entries[at]
    elif change == 1:
        entries.append(entries[at])
    elif change == 2 and isinstance(entries[at], dict):
        entries[at] = {
            **entries[at],
            rng.choice(["about", "side", "kind", "veil"]): rng.choice(["x", "", 1]),
        }
    elif change == 3 and isinstance(entries[at], dict) and "value" in entries[at]:
        value = rng.choice(
            [[1, 2], {"back_to": 0}, {"undo": 4}, "x", 1.5, {"reason": "r", "value": None}]
        )
        entries[at] = {**entries[at], "value": value}
