"""What a long run tells, item by item, in two letters each, and where it first tells another.

A fingerprint is a text file: a line for every part of the run, with two letters for each thing
that was told in it. ``python tests/refit/test_same_campaigns.py --write`` (and the same of every
test file that keeps one) writes its files anew; that is right only after a rule or a sentence was
changed on purpose, with the rulebook open: the failing test says which thing is the first to
differ.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from asl_pbcg.kernel.prompts import Option, Prompt, Roll
from asl_pbcg.kernel.views import LogLine

FOLDER = Path(__file__).parent.parent / "golden_fingerprints"
fields = cache(msgspec.structs.fields)
"""The fields of a kind of struct; looked up once."""
Item = tuple[str, str]
"""The part of the run, and what was told."""


def letters(text: str) -> str:
    """Two letters for a text."""
    return base64.b64encode(hashlib.sha256(text.encode()).digest())[:2].decode()


def written(items: Iterable[Item]) -> str:
    """The fingerprint of a run."""
    parts: dict[str, list[str]] = {}
    for part, text in items:
        parts.setdefault(part, []).append(letters(text))
    return "".join(f"{part}: {''.join(found)}\n" for part, found in parts.items())


def difference(items: Iterable[Item], kept: str) -> str:
    """The first thing that is told otherwise than when ``kept`` was written; else nothing."""
    known = {}
    for line in kept.splitlines():
        part, _, found = line.rpartition(": ")
        known[part] = [found[n : n + 2] for n in range(0, len(found), 2)]
    count = dict.fromkeys(known, 0)
    before = "the beginning"
    for part, text in items:
        number = count.get(part, 0)
        count[part] = number + 1
        if known.get(part, [])[number : number + 1] != [letters(text)]:
            return f"{part}, thing {number + 1}, is another:\n{text}\nIt comes after:\n{before}"
        before = text
    for part, things in known.items():
        if count[part] < len(things):
            return f"{part} tells {count[part]} things and told {len(things)}; last:\n{before}"
    return ""


def check(name: str, items: Iterable[Item]) -> None:
    """Hold a run against the file of this name; AssertionError says what is the first to differ."""
    wrong = difference(items, (FOLDER / f"{name}.txt").read_text("ascii"))
    assert not wrong, f"{name}: {wrong}"


def write(name: str, items: Iterable[Item]) -> None:
    """Write the file of this name anew."""
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.txt").write_text(written(items), "ascii")


def plain(value: Any) -> str:
    """A value in words that are the same in every run."""
    return json.dumps(
        msgspec.to_builtins(value, enc_hook=_parts), ensure_ascii=False, sort_keys=True
    )


def _parts(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    return repr(value)


def asked_words(asked: Prompt | Roll) -> str:
    """All that a question or a roll says."""
    common = [asked.id, asked.about, asked.side, asked.secret, asked.rule, asked.where, asked.text]
    if isinstance(asked, Roll):
        table = asked.table.name if asked.table else ""
        return plain([*common, table, asked.given, repr(asked.spec)])
    limits = [asked.kind, asked.least, asked.most, asked.help, asked.default]
    return plain([*common, *limits, [_option_words(each) for each in asked.options]])


def _option_words(option: Option) -> dict[str, Any]:
    """All that an option says; its topic tells front ends the same as data."""
    data: dict[str, Any] = msgspec.to_builtins(option)
    del data["topic"]
    return data | {"odds": {name: chance.words for name, chance in option.odds.items()}}


def line_words(line: LogLine) -> str:
    """All that a line of the log says."""
    return plain(line.as_kept)
