"""A second verifier of campaign files, written from ``docs/engineers/journal.md`` alone.

It uses nothing of pbcg. Where it and ``pbcg verify`` disagree about faults J01 to J16, the page or
one of the programs is wrong. ``check.html`` is the third.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any, NoReturn

MAX_FILE, MAX_ENTRIES, MAX_LINE, MAX_DEPTH = 64_000_000, 100_000, 4_000_000, 64
MAX_NAME = 500
GAME_KINDS = {"answer", "roll", "correction"}
KINDS = GAME_KINDS | {
    "undo", "redo", "note", "hand", "assertion", "checkpoint",
    "seat", "signature", "sealed", "opened",
}  # fmt: skip
LOWEST, HIGHEST = -(2**63), 2**64 - 1
_NAMES = ("about", "point", "side", "step")


class Fault(Exception):
    """What is wrong: its number, and the line it is in."""

    def __init__(self, number: str, line: int) -> None:
        super().__init__(number, line)
        self.number, self.line = number, line


@dataclass
class Verdict:
    """What is said of a file; ``fault`` is empty when it is whole."""

    fault: str = ""
    line: int = 0
    torn: bool = False
    lines: int = 0
    later_kinds: list[str] = field(default_factory=list)
    fingerprint: str = ""

    def as_facts(self) -> dict[str, Any]:
        """The verdict as vectors and other programs write it."""
        if self.fault:
            return {"fault": self.fault, "line": self.line}
        return {
            "fault": "",
            "fingerprint": self.fingerprint,
            "later_kinds": self.later_kinds,
            "lines": self.lines,
            "torn": self.torn,
        }


# -- canonical JSON --------------------------------------------------------------------


def canonical(value: Any) -> str:
    """The one spelling of ``value``. Raises ValueError where there is none."""
    if isinstance(value, dict):
        inner = (f"{canonical(key)}:{canonical(value[key])}" for key in sorted(value))
        return "{" + ",".join(inner) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, float):
        return _fraction(value)
    if isinstance(value, int) and not isinstance(value, bool) and not LOWEST <= value <= HIGHEST:
        raise ValueError("out of range")
    text = json.dumps(value, ensure_ascii=False)
    text.encode()
    return text


def _fraction(value: float) -> str:
    if value != value or value in (float("inf"), float("-inf")) or str(value) == "-0.0":
        raise ValueError("no number")
    text = format(Decimal(repr(value)), "f")
    return text if "." in text else f"{text}.0"


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key twice")
    return found


def _constant(_: str) -> NoReturn:
    raise ValueError("no JSON")


def read(text: str) -> Any:
    """The value of a canonical text. Raises ValueError where it is not canonical."""
    value = json.loads(text, object_pairs_hook=_pairs, parse_constant=_constant)
    if canonical(value) != text:
        raise ValueError("not canonical")
    return value


def depth(value: Any) -> int:
    """How deep objects and arrays are nested."""
    inner: list[Any] = []
    if isinstance(value, dict):
        inner = list(value.values())
    elif isinstance(value, list):
        inner = value
    else:
        return 0
    return 1 + max(map(depth, inner), default=0)


# -- types -----------------------------------------------------------------------------


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _time(value: Any) -> bool:
    if not isinstance(value, str) or not re.fullmatch(
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", value, re.ASCII
    ):
        return False
    try:
        datetime.strptime(value, "%Y-%m-%dT%H:%M:%SZ")
    except ValueError:
        return False
    return True


def _program(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= 40


def _base64(value: Any) -> bytes | None:
    if not isinstance(value, str):
        return None
    try:
        found = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        return None
    return found if base64.b64encode(found).decode() == value else None


# -- entries ---------------------------------------------------------------------------


@dataclass
class Entry:
    """An entry, its veil lifted."""

    kind: str
    value: Any
    number: int
    secret: bool
    about: str = ""
    point: str = ""
    side: str = ""
    step: str = ""
    on: tuple[int, ...] = ()

    def same(self) -> tuple[str, ...]:
        """What a redo compares."""
        return (self.kind, self.step, self.point, self.about, self.side, canonical(self.value))

    def after(self, situation: bytes) -> bytes:
        """The situation once this stands."""
        text = canonical(
            {
                "about": self.about,
                "body": self.value,
                "kind": self.kind,
                "point": self.point,
                "secret": self.secret,
                "side": self.side,
                "step": self.step,
            }
        )
        return hashlib.sha256(situation + text.encode()).digest()


def _open_entry(raw: Any, number: int, secret: bool, side: str = "") -> Entry | None:
    """An open entry; None where keys, types or lengths are wrong."""
    if not isinstance(raw, dict) or not {"kind", "value"} <= set(raw):
        return None
    if not set(raw) <= {"kind", "on", "value", *_NAMES} or (secret and "side" in raw):
        return None
    if not isinstance(raw["kind"], str) or not re.fullmatch(r"[a-z-]{1,40}", raw["kind"]):
        return None
    names = {name: raw[name] for name in _NAMES if name in raw}
    if not all(isinstance(name, str) and 1 <= len(name) <= MAX_NAME for name in names.values()):
        return None
    if side:
        names["side"] = side
    on = raw.get("on", [0])
    if not isinstance(on, list) or not 1 <= len(on) <= 2:
        return None
    if not all(_whole(each) and each >= 0 for each in on):
        return None
    on = tuple(raw.get("on", ()))
    return Entry(raw["kind"], raw["value"], number, secret, on=on, **names)


def _lifted(raw: dict[str, Any], number: int) -> Entry | None:
    """The entry behind a veil; None where that is not a canonical open entry without a side."""
    content = _base64(raw["veil"])
    if content is None:
        return None
    try:
        inner = read(content.decode())
    except (ValueError, UnicodeError, RecursionError):
        return None
    return _open_entry(inner, number, True, raw.get("side", ""))


def _dice(value: Any) -> bool:
    return isinstance(value, list) and all(map(_whole, value))


def _fits(entry: Entry) -> bool:
    """Whether the value of a roll, correction or undo has the form that it must have."""
    value = entry.value
    if entry.kind == "roll":
        if isinstance(value, dict):
            return (
                set(value) == {"dice", "source"}
                and _dice(value["dice"])
                and value["source"] in ("table", "program")
            )
        return _dice(value)
    if not isinstance(value, dict):
        return False
    if entry.kind == "correction":
        return set(value) == {"reason", "value"} and isinstance(value["reason"], str)
    if not {"back_to"} <= set(value) <= {"back_to", "left", "of", "reason"}:
        return False
    if not isinstance(value.get("of", "-"), str) or not value.get("of", "-"):
        return False
    left = value.get("left", [0])
    return (
        _whole(value["back_to"])
        and 0 <= value["back_to"] < entry.number
        and isinstance(value.get("reason", ""), str)
        and isinstance(left, list)
        and bool(left)
        and all(map(_whole, left))
    )


# -- the walk --------------------------------------------------------------------------


class Walk:
    """What follows from the entries so far."""

    def __init__(self, own_by_program: bool) -> None:
        self.stack: list[Entry] = []
        """What stands, in the order of the file."""
        self.situations = {0: hashlib.sha256(b"pbcg-journal/3").digest()}
        """The situation once an entry stands, by its number; on a branch that of the branch."""
        self.piles: dict[str, list[tuple[int, list[Entry]]]] = {"": []}
        """The undos that can be redone: those of both, and by side those on its branch."""
        self.kinds: list[str] = [""]
        """The kind of each entry by its number."""
        self.later: list[str] = []
        self.thrown: dict[tuple[bytes, str, str], list[int]] = {}
        self.rethrown = 0
        """The first line with other dice in a situation met before."""
        self._own_by_program = own_by_program

    def take(self, entry: Entry, line: int) -> None:
        """Walk on over ``entry``. Raises Fault."""
        self.kinds.append(entry.kind)
        if entry.kind in ("roll", "correction", "undo") and not _fits(entry):
            raise Fault("J12", line)
        if entry.on and entry.kind not in GAME_KINDS:
            raise Fault("J12", line)
        if entry.kind in GAME_KINDS:
            self._stand(entry, line)
        elif entry.kind == "undo":
            self._undo(entry, line)
        elif entry.kind == "redo":
            value = entry.value
            if not isinstance(value, dict) or set(value) != {"undo"} or not _whole(value["undo"]):
                raise Fault("J13", line)
            if value["undo"] not in [pile[-1][0] for pile in self.piles.values() if pile]:
                raise Fault("J13", line)
        elif entry.kind == "checkpoint":
            self._checkpoint(entry, line)
        elif entry.kind not in KINDS and entry.kind not in self.later:
            self.later.append(entry.kind)

    def _section(self) -> tuple[int, dict[str, int]]:
        """The entry before the section that is open, and the last of each side's branch."""
        run: list[Entry] = []
        for each in reversed(self.stack):
            if len(each.on) != 1:
                break
            run.append(each)
        if not run:
            return (self.stack[-1].number if self.stack else 0), {}
        return run[-1].on[0], {each.side: each.number for each in reversed(run)}

    def _before(self, entry: Entry, line: int) -> bytes:
        """The situation that an entry is made in. Raises Fault where it cannot stand there."""
        base, tops = self._section()
        if len(entry.on) == 1:
            if not entry.secret or not entry.side or entry.on[0] != tops.get(entry.side, base):
                raise Fault("J12", line)
            return self.situations[entry.on[0]]
        both = tuple(sorted(tops.values())) if len(tops) > 1 else ()
        if entry.on != both:
            raise Fault("J12", line)
        if both:
            found = sorted(self.situations[number] for number in both)
            return hashlib.sha256(b"".join(found)).digest()
        return self.situations[self.stack[-1].number if self.stack else 0]

    def _stand(self, entry: Entry, line: int) -> None:
        before = self._before(entry, line)
        if entry.kind == "roll" and isinstance(entry.value, list) and self._own_by_program:
            key = (before, entry.point, entry.about)
            if self.thrown.setdefault(key, entry.value) != entry.value and not self.rethrown:
                self.rethrown = line
        branch = entry.side if len(entry.on) == 1 else ""
        for name in {"", branch}:
            self._take_off(self.piles.get(name, []), entry)
        if not branch:
            self.piles = {"": self.piles[""]}
        self.stack.append(entry)
        self.situations[entry.number] = entry.after(before)

    @staticmethod
    def _take_off(pile: list[tuple[int, list[Entry]]], entry: Entry) -> None:
        if not pile:
            return
        taken = pile[-1][1]
        if taken[0].same() != entry.same():
            pile.clear()
            return
        del taken[0]
        if not taken:
            pile.pop()

    def _undo(self, entry: Entry, line: int) -> None:
        back_to, of = entry.value["back_to"], entry.value.get("of", "")
        base, tops = self._section()
        if of and (of not in tops or back_to < base):
            raise Fault("J12", line)
        if of:
            taken = [each for each in self.stack if each.number > back_to and each.side == of]
            gone = {each.number for each in taken}
            self.stack = [each for each in self.stack if each.number not in gone]
        else:
            taken = []
            while self.stack and self.stack[-1].number > back_to:
                taken.insert(0, self.stack.pop())
            self.piles = {"": self.piles[""]}
        left = entry.value.get("left", [])
        standing = {each.number for each in self.stack} if left else set()
        for number in left:
            if not 0 < number < entry.number or number in standing:
                raise Fault("J12", line)
            if self.kinds[number] not in ("answer", "roll"):
                raise Fault("J12", line)
        pile = self.piles.setdefault(of, [])
        if left:
            pile.clear()
        elif taken:
            pile.append((entry.number, taken))

    def _checkpoint(self, entry: Entry, line: int) -> None:
        value = entry.value
        if not isinstance(value, dict) or not {"after", "data"} <= set(value) <= {
            "after",
            "data",
            "gap",
        }:
            raise Fault("J14", line)
        if value.get("gap", True) is not True or _base64(value["data"]) is None:
            raise Fault("J14", line)
        after = value["after"]
        if not _whole(after) or (after and after not in {each.number for each in self.stack}):
            raise Fault("J14", line)


# -- a file ----------------------------------------------------------------------------


def _first_line(content: bytes) -> dict[str, Any]:
    if len(content) >= MAX_LINE:
        raise Fault("J03", 1)
    try:
        text = content.decode()
        found = json.loads(text, object_pairs_hook=_pairs, parse_constant=_constant)
    except (ValueError, RecursionError):
        raise Fault("J01", 1) from None
    if isinstance(found, dict) and _whole(found.get("pbcg")) and found["pbcg"] > 4:
        raise Fault("J02", 1)
    keys = {"game", "pbcg", "program", "settings", "since", "terms"}
    try:
        fits = (
            isinstance(found, dict)
            and set(found) == keys
            and canonical(found) == text
            and isinstance(found["game"], str)
            and _whole(found["pbcg"])
            and found["pbcg"] == 4
            and _program(found["program"])
            and isinstance(found["settings"], dict)
            and _time(found["since"])
            and isinstance(found["terms"], dict)
        )
    except ValueError:
        fits = False
    if not fits:
        raise Fault("J01", 1)
    if depth(found) > MAX_DEPTH:
        raise Fault("J03", 1)
    return found


def _line(content: bytes, number: int) -> dict[str, Any]:
    """A line that has the form of one. Raises Fault."""
    if len(content) >= MAX_LINE:
        raise Fault("J03", number)
    try:
        text = content.decode()
    except UnicodeError:
        raise Fault("J04", number) from None
    try:
        found = read(text)
    except RecursionError:
        raise Fault("J03", number) from None
    except ValueError:
        raise Fault("J05", number) from None
    if depth(found) > MAX_DEPTH:
        raise Fault("J03", number)
    keys = {"at", "entries", "n", "prev"}
    if not isinstance(found, dict) or set(found) not in (keys, keys | {"program", "rules"}):
        raise Fault("J06", number)
    fits = (
        _time(found["at"])
        and isinstance(found["entries"], list)
        and bool(found["entries"])
        and _whole(found["n"])
        and isinstance(found["prev"], str)
        and bool(re.fullmatch("[0-9a-f]{64}", found["prev"]))
        and _program(found.get("program", ""))
        and isinstance(found.get("rules", ""), str)
        and bool(re.fullmatch("([0-9a-f]{16})?", found.get("rules", "")))
    )
    if not fits:
        raise Fault("J06", number)
    return found


def _walk(content: bytes, verdict: Verdict) -> None:
    if len(content) > MAX_FILE:
        raise Fault("J03", 1)
    *lines, torn = content.split(b"\n")
    if not lines:
        raise Fault("J01", 1)
    first = _first_line(lines[0])
    verdict.torn, verdict.lines = bool(torn), len(lines)
    walk = Walk(first["terms"].get("dice") not in ("manual", "table"))
    named = (first["program"], "")
    prev = hashlib.sha256(lines[0] + b"\n").hexdigest()
    count = 0
    for number, raw in enumerate(lines[1:], 2):
        line = _line(raw, number)
        if count + len(line["entries"]) > MAX_ENTRIES:
            raise Fault("J03", number)
        if line["n"] != number:
            raise Fault("J07", number)
        if line["prev"] != prev:
            raise Fault("J08", number)
        if "program" in line:
            if (line["program"], line["rules"]) == named:
                raise Fault("J09", number)
            named = (line["program"], line["rules"])
            walk.rules = named[1]
        for each in line["entries"]:
            count += 1
            walk.take(_entry(each, count, number), number)
        prev = hashlib.sha256(raw + b"\n").hexdigest()
    if walk.rethrown:
        raise Fault("J16", walk.rethrown)
    verdict.later_kinds = walk.later
    verdict.fingerprint = fingerprint(prev)


def _entry(raw: Any, number: int, line: int) -> Entry:
    if isinstance(raw, dict) and "veil" in raw:
        side = raw.get("side", "-")
        if not set(raw) <= {"side", "veil"} or not isinstance(side, str):
            raise Fault("J10", line)
        if not 1 <= len(side) <= MAX_NAME:
            raise Fault("J10", line)
        entry, fault = _lifted(raw, number), "J11"
    else:
        entry, fault = _open_entry(raw, number, False), "J10"
    if entry is None:
        raise Fault(fault, line)
    return entry


def fingerprint(digest: str) -> str:
    """The short fingerprint of a hash."""
    return "-".join(digest[at : at + 4] for at in range(0, 16, 4))


def verify(content: bytes) -> Verdict:
    """Say whether the file ``content`` is whole by faults J01 to J16.

    A last line without its LF counts if it is whole; else it was not finished.
    """
    if content and not content.endswith(b"\n"):
        verdict = _verify_lines(content + b"\n")
        if verdict.fault in ("", "J16") or b"\n" not in content:
            return verdict
    return _verify_lines(content)


def _verify_lines(content: bytes) -> Verdict:
    verdict = Verdict()
    try:
        _walk(content, verdict)
    except Fault as fault:
        verdict.fault, verdict.line = fault.number, fault.line
    return verdict


# -- seals -----------------------------------------------------------------------------


def sealed_words(text: str, words: list[str]) -> str:
    """The eight words of what was sealed; ``words`` are the 2048 of ``data/seal_words.txt``."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    plain = "\n".join(line.rstrip(" \t") for line in lines).strip("\n") + "\n"
    digest = plain.encode()
    for _ in range(2**14):
        digest = hashlib.sha256(digest).digest()
    bits = "".join(f"{byte:08b}" for byte in digest)
    return " ".join(words[int(bits[at : at + 11], 2)] for at in range(0, 88, 11))
