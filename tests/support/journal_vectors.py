"""Small campaign files and what a reader must say of each, for this and any other program.

``python tests/support/journal_vectors.py`` writes ``tests/vectors/``: the files, and
``verdicts.json`` with the fault and line of each, or that it is whole. The verdicts are written
by hand here, from ``docs/engineers/journal.md``; no verifier computes them.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from other_verifier import canonical, fingerprint

FOLDER = Path(__file__).parent.parent / "vectors"
FIRST: dict[str, Any] = {
    "game": "vectors",
    "pbcg": 4,
    "program": "0.3.0",
    "settings": {"side": "british"},
    "since": "2026-11-25T19:40:02Z",
    "terms": {"dice": "seeded", "seed": "a"},
}
AT = "2026-11-25T19:41:10Z"
RULES = "5a0e77c1d2b94f06"


def sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def answer(about: str, value: Any = "stay", **names: str) -> dict[str, Any]:
    found = {"kind": "answer", "point": "9.606.1", "side": "british", "step": "night-1/9.606"}
    return {**found, "about": about, "value": value, **names}


def roll(about: str, value: Any, **names: str) -> dict[str, Any]:
    return {**answer(about, value, **names), "kind": "roll", "point": "9.606.8"}


def undo(back_to: int, **more: Any) -> dict[str, Any]:
    return {"kind": "undo", "value": {"back_to": back_to, **more}}


def redo(number: int) -> dict[str, Any]:
    return {"kind": "redo", "value": {"undo": number}}


def veiled(entry: dict[str, Any]) -> dict[str, Any]:
    """The entry as its side alone may see it."""
    entry = dict(entry)
    side = entry.pop("side", "")
    veil = base64.b64encode(canonical(entry).encode()).decode()
    return {"side": side, "veil": veil} if side else {"veil": veil}


def checkpoint(after: Any, **more: Any) -> dict[str, Any]:
    data = base64.b64encode(zlib.compress(b'{"lines":[],"state":{}}')).decode()
    value = {"after": after, "data": data, **more}
    return veiled({"kind": "checkpoint", "step": "night-1/9.620", "value": value})


class Maker:
    """Lines of a file, chained as they are added."""

    def __init__(self, first: dict[str, Any] | None = None) -> None:
        self.lines = [canonical(first or FIRST).encode()]

    def add(self, *entries: Any, **keys: Any) -> Maker:
        """Add a line; ``keys`` replace its keys, or drop one by None."""
        line: dict[str, Any] = {
            "at": AT,
            "entries": list(entries),
            "n": len(self.lines) + 1,
            "prev": sha(self.lines[-1] + b"\n"),
            **keys,
        }
        line = {key: value for key, value in line.items() if value is not None}
        return self.raw(canonical(line))

    def raw(self, text: str | bytes) -> Maker:
        """Add a line as it stands."""
        self.lines.append(text.encode() if isinstance(text, str) else text)
        return self

    def bytes(self, end: bytes = b"\n") -> bytes:
        return b"\n".join(self.lines) + end

    def hash(self) -> str:
        return sha(self.lines[-1] + b"\n")


def base() -> Maker:
    """A whole file of five lines."""
    made = Maker().add(answer("b1"), program="0.3.0", rules=RULES)
    return made.add(roll("b1", [3, 4])).add(answer("b2", "escape")).add(veiled(answer("b3", 7)))


def _changed(maker: Maker, line: int, old: str, new: str, chained: bool = False) -> bytes:
    """The file with ``old`` in a line made ``new``; with ``chained`` all later hashes fit again."""
    lines = list(maker.lines)
    text = lines[line - 1].decode()
    assert old in text, (line, old)
    lines[line - 1] = text.replace(old, new, 1).encode()
    if chained:
        for at in range(line, len(lines)):
            found = json.loads(lines[at])
            found["prev"] = sha(lines[at - 1] + b"\n")
            lines[at] = canonical(found).encode()
    return b"\n".join(lines) + b"\n"


def _nested(deep: int) -> Any:
    value: Any = 1
    for _ in range(deep):
        value = [value]
    return value


Vector = tuple[str, bytes, dict[str, Any]]


def whole(
    name: str, maker: Maker, torn: bytes = b"", later: tuple[str, ...] = (), end: bytes = b"\n"
) -> Vector:
    says = {
        "fault": "",
        "fingerprint": fingerprint(maker.hash()),
        "later_kinds": list(later),
        "lines": len(maker.lines),
        "torn": bool(torn),
    }
    return name, maker.bytes(end) + torn, says


def wrong(name: str, content: Maker | bytes, fault: str, line: int) -> Vector:
    held = content.bytes() if isinstance(content, Maker) else content
    return name, held, {"fault": fault, "line": line}


def vectors() -> Iterator[Vector]:
    """Every vector: its name, the file, and what a reader must say."""
    yield from _whole_files()
    yield from _first_lines()
    yield from _texts()
    yield from _lines()
    yield from _entries()
    yield from _undone()
    yield from _branches()
    yield from _dice()


def _whole_files() -> Iterator[Vector]:
    yield whole("whole-first-line-only", Maker())
    yield whole("whole-five-lines", base())
    yield whole(
        "whole-several-entries-in-a-line", Maker().add(answer("a"), answer("b"), roll("b", [1]))
    )
    yield whole("torn-one-byte", base(), torn=b"{")
    yield whole("torn-half-a-line", base(), torn=b'{"at":"2026-11-25T19:41:10Z","entr')
    yield whole("torn-not-text", base(), torn=b"\xff\xfe\x00")
    yield whole("last-line-without-its-end", base(), end=b"")
    yield whole("first-line-without-its-end", Maker(), end=b"")
    yield whole("torn-line-with-a-wrong-hash", base(), torn=Maker().add(answer("a")).lines[-1])
    yield whole("torn-line-without-its-brace", Maker(), torn=base().lines[1][:-1])
    yield whole(
        "later-kind", base().add({"kind": "weather", "value": {"wind": 3}}), later=("weather",)
    )
    two = base().add(
        {"kind": "tide", "value": 1}, {"kind": "weather", "value": 1}, {"kind": "tide", "value": 2}
    )
    yield whole("later-kinds-once-each", two, later=("tide", "weather"))
    yield whole(
        "later-kind-veiled",
        base().add(veiled({"kind": "omen", "value": 1, "side": "german"})),
        later=("omen",),
    )
    for kind in ("note", "assertion", "seat", "signature", "sealed", "opened"):
        yield whole(f"kind-{kind}", base().add({"kind": kind, "value": "x"}))
    yield whole("other-alphabets", Maker().add(answer("Łódź", "橋 \U0001f3b2 \u2028 ﬁ")))
    yield whole("escapes", Maker().add(answer("q", 'a"b\\c\b\t\n\f\r\u0000\u001f\u007f/')))
    numbers = [0, -1, 18446744073709551615, -9223372036854775808, 0.25, 1.0, -0.5, 1e-7, 1e21]
    yield whole("numbers", Maker().add(answer("n", numbers)))
    yield whole("literals", Maker().add(answer("l", [True, False, None, {}, []])))
    yield whole(
        "keys-by-their-bytes", Maker().add(answer("k", {"a": 1, "\uffee": 2, "\U0001f3b2": 3}))
    )
    yield whole("nested-sixty-four", Maker().add(answer("d", _nested(61))))
    yield whole("times-run-backwards", base().add(answer("t"), at="2020-02-29T23:59:59Z"))
    named = Maker().add(answer("a"), program="0.3.0", rules=RULES)
    named.add(answer("b"), program="0.4.0", rules=RULES).add(answer("c"), program="0.4.0", rules="")
    yield whole("rules-named-where-they-change", named)
    yield whole("checkpoint", base().add(checkpoint(1)))
    yield whole("checkpoint-at-nothing", Maker().add(checkpoint(0)))
    yield whole("checkpoint-after-a-gap", base().add(checkpoint(1, gap=True)))


def _first_lines() -> Iterator[Vector]:
    yield wrong("empty", b"", "J01", 1)
    yield wrong("another-text", b"Dear Anne,\nthe bridge is ours.\n", "J01", 1)
    yield wrong("sqlite", b"SQLite format 3\x00".ljust(68, b"\x01") + b"PBCG\n", "J01", 1)
    yield wrong("byte-order-mark", b"\xef\xbb\xbf" + base().bytes(), "J01", 1)
    yield wrong("first-line-spaced", (json.dumps(FIRST) + "\n").encode(), "J01", 1)
    for key in FIRST:
        less = {name: value for name, value in FIRST.items() if name != key}
        yield wrong(f"first-line-without-{key}", Maker(less), "J01", 1)
    yield wrong("first-line-with-more", Maker({**FIRST, "colour": "red"}), "J01", 1)
    yield wrong("form-three", Maker({**FIRST, "pbcg": 3}), "J01", 1)
    yield wrong("form-five", Maker({**FIRST, "pbcg": 5, "colour": "red"}), "J02", 1)
    yield wrong("since-no-time", Maker({**FIRST, "since": "yesterday"}), "J01", 1)
    source = {"form": 3, "meta": {"game": '"vectors"'}}
    yield wrong("first-line-of-an-import", Maker({**FIRST, "source": source}), "J01", 1)


def _texts() -> Iterator[Vector]:
    yield wrong("not-utf8", base().raw(b'{"at":"\xff"}'), "J04", 6)
    yield wrong("not-utf8-behind-an-exponent", base().raw(b'[3e0,"\xff"]'), "J04", 6)
    yield wrong("surrogate-in-bytes", base().raw(b'{"at":"\xed\xa0\x80"}'), "J04", 6)
    yield wrong("no-json", base().raw("hello"), "J05", 6)
    yield wrong("empty-line", base().raw(""), "J05", 6)
    made = base()
    yield wrong("white-space", _changed(made, 3, '"n":3', '"n": 3'), "J05", 3)
    yield wrong("carriage-return", made.bytes().replace(b"\n", b"\r\n"), "J01", 1)
    yield wrong("carriage-return-later", _changed(made, 3, "}]", "}]\r"), "J05", 3)
    yield wrong("key-twice", _changed(made, 3, '"n":3', '"n":3,"n":3'), "J05", 3)
    yield wrong(
        "keys-out-of-order",
        _changed(made, 2, '"about":"b1","kind":"answer"', '"kind":"answer","about":"b1"'),
        "J05",
        2,
    )
    yield wrong("number-with-zero", _changed(made, 3, "[3,4]", "[03,4]"), "J05", 3)
    yield wrong("number-with-exponent", _changed(made, 3, "[3,4]", "[3e0,4]"), "J05", 3)
    yield wrong("fraction-too-long", _changed(made, 3, "[3,4]", "[3.10,4]"), "J05", 3)
    yield wrong("minus-zero", _changed(made, 3, "[3,4]", "[-0,4]"), "J05", 3)
    yield wrong(
        "number-too-large", _changed(made, 3, "[3,4]", "[18446744073709551616,4]"), "J05", 3
    )
    yield wrong("escape-not-needed", _changed(made, 2, "stay", "st\\u0061y"), "J05", 2)
    yield wrong("escape-of-a-slash", _changed(made, 2, "stay", "st\\/y"), "J05", 2)
    yield wrong("escape-in-capitals", _changed(made, 2, "stay", "st\\u001Fy"), "J05", 2)
    yield wrong("escape-of-a-surrogate", _changed(made, 2, "stay", "st\\ud800y"), "J05", 2)
    yield wrong("raw-control", _changed(made, 2, "stay", "st\ty"), "J05", 2)
    yield wrong("not-a-number", _changed(made, 3, "[3,4]", "[NaN,4]"), "J05", 3)
    yield wrong("nested-sixty-five", Maker().add(answer("d", _nested(62))), "J03", 2)
    yield wrong("line-too-long", Maker().add(answer("x", "a" * 4_000_000)), "J03", 2)


def _lines() -> Iterator[Vector]:
    yield wrong("line-of-an-array", base().raw("[]"), "J06", 6)
    yield wrong("line-without-entries", base().add(answer("a"), entries=None), "J06", 6)
    yield wrong("line-of-no-entry", base().add(), "J06", 6)
    yield wrong("line-with-more", base().add(answer("a"), colour="red"), "J06", 6)
    yield wrong("time-with-zone", base().add(answer("a"), at="2026-11-25T19:41:10+00:00"), "J06", 6)
    yield wrong("time-that-is-none", base().add(answer("a"), at="2026-02-29T19:41:10Z"), "J06", 6)
    yield wrong("program-without-rules", base().add(answer("a"), program="0.4.0"), "J06", 6)
    yield wrong(
        "rules-of-capitals", base().add(answer("a"), program="0.4.0", rules=RULES.upper()), "J06", 6
    )
    yield wrong("number-as-text", base().add(answer("a"), n="6"), "J06", 6)
    yield wrong("number-twice", base().add(answer("a"), n=5), "J07", 6)
    made = base()
    lines = made.bytes().splitlines(keepends=True)
    yield wrong("line-deleted", b"".join(lines[:2] + lines[3:]), "J07", 3)
    yield wrong("lines-swapped", b"".join([*lines[:2], lines[3], lines[2], lines[4]]), "J07", 3)
    yield wrong("line-doubled", b"".join([*lines[:3], *lines[2:]]), "J07", 4)
    yield wrong("answer-changed", _changed(made, 2, '"stay"', '"flee"'), "J08", 3)
    yield wrong("dice-changed", _changed(made, 3, "[3,4]", "[1,1]"), "J08", 4)
    yield wrong("settings-changed", _changed(made, 1, "british", "germans"), "J08", 2)
    yield wrong("time-changed", _changed(made, 2, "19:41:10", "19:41:11"), "J08", 3)
    yield wrong("line-of-another-file", base().add(answer("a"), prev="0" * 64), "J08", 6)
    recomputed = _changed(made, 3, "[3,4]", "[1,1]", chained=True)
    yield ("whole-chain-recomputed", recomputed, {
        "fault": "", "fingerprint": fingerprint(sha(recomputed.splitlines(keepends=True)[-1])),
        "later_kinds": [], "lines": 5, "torn": False,
    })  # fmt: skip
    yield wrong(
        "rules-named-again", base().add(answer("a"), program="0.3.0", rules=RULES), "J09", 6
    )


def _entries() -> Iterator[Vector]:
    yield wrong("entry-no-object", base().add("x"), "J10", 6)
    yield wrong("entry-without-kind", base().add({"value": 1}), "J10", 6)
    yield wrong("entry-without-value", base().add({"kind": "answer"}), "J10", 6)
    yield wrong("entry-with-more", base().add({**answer("a"), "secret": True}), "J10", 6)
    yield wrong("entry-with-an-empty-name", base().add(answer("")), "J10", 6)
    yield wrong("entry-with-a-long-name", base().add(answer("x" * 501)), "J10", 6)
    yield whole("entry-with-the-longest-name", base().add(answer("\U0001f3b2" * 500)))
    yield wrong("kind-in-capitals", base().add({**answer("a"), "kind": "Answer"}), "J10", 6)
    good = veiled(answer("a"))
    yield wrong("veil-with-more", base().add({**good, "about": "a"}), "J10", 6)
    yield wrong("veil-of-an-empty-side", base().add({**good, "side": ""}), "J10", 6)
    yield wrong("veil-no-base64", base().add({**good, "veil": "???"}), "J11", 6)
    yield wrong(
        "veil-without-padding", base().add({"side": "german", "veil": "eyJrIjoxfQ"}), "J11", 6
    )
    spaced = base64.b64encode(b'{"kind": "note","value":1}').decode()
    yield wrong("veil-not-canonical", base().add({"side": "german", "veil": spaced}), "J11", 6)
    sided = base64.b64encode(b'{"kind":"note","side":"british","value":1}').decode()
    yield wrong("veil-with-a-side-inside", base().add({"side": "german", "veil": sided}), "J11", 6)
    number = base64.b64encode(b"12").decode()
    yield wrong("veil-of-a-number", base().add({"side": "german", "veil": number}), "J11", 6)
    yield wrong("roll-of-a-word", base().add(roll("a", "six")), "J12", 6)
    yield wrong("roll-of-fractions", base().add(roll("a", [1.0])), "J12", 6)
    yield whole("roll-of-real-dice", base().add(roll("a", {"dice": [6, 6], "source": "table"})))
    yield wrong(
        "roll-of-an-unknown-source",
        base().add(roll("a", {"dice": [6], "source": "heaven"})),
        "J12",
        6,
    )
    yield whole(
        "correction",
        base().add(
            {"kind": "correction", "point": "san/german", "value": {"reason": "r", "value": 3}}
        ),
    )
    yield wrong(
        "correction-without-reason",
        base().add({"kind": "correction", "point": "san", "value": {"value": 3}}),
        "J12",
        6,
    )
    yield wrong("checkpoint-of-the-future", base().add(checkpoint(9)), "J14", 6)
    yield wrong(
        "checkpoint-after-what-was-undone", base().add(undo(2)).add(checkpoint(3)), "J14", 7
    )
    yield wrong("checkpoint-with-more", base().add(checkpoint(1, trust="me")), "J14", 6)


def _undone() -> Iterator[Vector]:
    yield whole("undo", base().add(undo(3)))
    yield whole("undo-everything", base().add(undo(0, reason="a slip")))
    yield whole("undo-that-takes-nothing", base().add(undo(4)))
    yield wrong("undo-of-itself", base().add(undo(5)), "J12", 6)
    yield wrong("undo-below-nothing", base().add(undo(-1)), "J12", 6)
    yield wrong("undo-to-no-number", base().add(undo(True)), "J12", 6)
    yield wrong("undo-with-words-of-what-it-took", base().add(undo(1, taken=[])), "J12", 6)
    yield whole("undo-with-some-left", base().add(undo(1, reason="r", left=[2, 3])))
    yield wrong("undo-with-one-left-that-stands", base().add(undo(2, left=[1])), "J12", 6)
    yield wrong("undo-with-one-left-that-is-not-there", base().add(undo(2, left=[7])), "J12", 6)
    yield wrong("undo-with-none-left", base().add(undo(2, left=[])), "J12", 6)
    again = veiled(answer("b3", 7))
    yield whole("redo", base().add(undo(3)).add(redo(5), again))
    both = base().add(undo(3)).add(undo(2)).add(redo(6), answer("b2", "escape")).add(redo(5), again)
    yield whole("redo-of-two-undos", both)
    yield whole(
        "redo-after-the-same-answer",
        base().add(undo(2)).add(answer("b2", "escape")).add(redo(5), again),
    )
    yield wrong("redo-of-nothing", base().add(redo(4)), "J13", 6)
    more = {"kind": "redo", "value": {"rolls": 0, "undo": 5}}
    yield wrong("redo-with-more", base().add(undo(3)).add(more, again), "J13", 7)
    yield wrong(
        "redo-after-another-answer",
        base().add(undo(3)).add(answer("b4")).add(redo(5), again),
        "J13",
        8,
    )
    yield wrong("redo-of-the-wrong-undo", base().add(undo(3)).add(undo(2)).add(redo(5)), "J13", 8)
    yield wrong(
        "redo-after-a-correction-left-some",
        base().add(undo(3)).add(undo(1, left=[2])).add(redo(5)),
        "J13",
        8,
    )


def on(entry: dict[str, Any], *numbers: Any, side: str = "british") -> dict[str, Any]:
    """The entry of a side that stands on others."""
    return veiled({**entry, "side": side, "on": list(numbers)})


def _section() -> Maker:
    """Both sides at once behind an open answer: British 2 and 4, German 3."""
    german = on(answer("g1"), 1, side="german")
    return Maker().add(answer("a")).add(on(answer("b1"), 1)).add(german).add(on(answer("b2"), 2))


def _branches() -> Iterator[Vector]:
    join = {**answer("c"), "on": [3, 4]}
    yield whole("both-at-once", _section())
    yield whole("both-at-once-and-after", _section().add(join).add(answer("d")))
    yield whole("one-side-and-after", Maker().add(on(answer("b1"), 0)).add(answer("c")))
    yield wrong("both-and-one-forgotten", _section().add(answer("c")), "J12", 6)
    yield wrong("both-and-one-left-out", _section().add({**join, "on": [2, 3]}), "J12", 6)
    yield wrong("both-the-wrong-way-round", _section().add({**join, "on": [4, 3]}), "J12", 6)
    yield wrong("on-the-other-side", _section().add(on(answer("b3"), 3)), "J12", 6)
    yield wrong("on-an-open-answer", Maker().add({**answer("a"), "on": [0]}), "J12", 2)
    yield wrong("on-two-without-branches", base().add(on(answer("c"), 1, 2)), "J12", 6)
    yield wrong("on-nothing", Maker().add(on(answer("b1"))), "J11", 2)
    yield wrong("on-three", Maker().add(on(answer("b1"), 1, 2, 3)), "J11", 2)
    yield wrong("on-no-number", Maker().add(on(answer("b1"), "0")), "J11", 2)
    yield wrong("note-on-another", base().add({**_note(), "on": [4]}), "J12", 6)
    yield whole("undo-on-a-branch", _section().add(undo(1, of="british")).add(on(answer("b4"), 1)))
    yield wrong("undo-on-no-branch", base().add(undo(3, of="british")), "J12", 6)
    yield wrong("undo-of-nobody", _section().add(undo(1, of="")), "J12", 6)
    yield wrong("undo-below-a-branch", _section().add(undo(0, of="british")), "J12", 6)
    first, second = _section().add(undo(2, of="british")), on(answer("g2"), 3, side="german")
    yield whole("redo-on-a-branch", first.add(second).add(redo(5), on(answer("b2"), 2)))
    other = _section().add(undo(2, of="british")).add(on(answer("b9"), 2)).add(redo(5))
    yield wrong("redo-on-a-branch-after-another-answer", other, "J13", 8)
    back = _section().add(join).add(undo(3, reason="too far")).add(on(answer("b3"), 2))
    yield whole("undo-back-to-both-at-once", back)
    dice = on(roll("b3", [3, 4]), 4)
    thrown = _section().add(dice).add(undo(4, of="british")).add(second)
    yield whole("roll-on-a-branch-with-the-same-dice", thrown.add(dice))
    again = _section().add(dice).add(undo(4, of="british")).add(second)
    yield wrong("roll-on-a-branch-with-other-dice", again.add(on(roll("b3", [6, 6]), 4)), "J16", 9)
    joined = {**roll("c", [3, 4]), "on": [3, 4]}
    turned = _section().add(joined).add(undo(1)).add(on(answer("b1"), 1)).add(on(answer("b2"), 7))
    turned.add(on(answer("g1"), 1, side="german")).add({**roll("c", [6, 6]), "on": [8, 9]})
    yield wrong("roll-after-both-in-another-order", turned, "J16", 11)


def _note() -> dict[str, Any]:
    return {"kind": "note", "step": "night-1/diary", "value": {"text": "wind"}}


def _dice() -> Iterator[Vector]:
    thrown = Maker().add(answer("a")).add(roll("a", [3, 4]))
    yield whole(
        "undone-roll-with-the-same-dice", thrown.add(undo(1, reason="r")).add(roll("a", [3, 4]))
    )
    other = Maker().add(answer("a")).add(roll("a", [3, 4])).add(undo(1)).add(roll("a", [6, 6]))
    yield wrong("undone-roll-with-other-dice", other, "J16", 5)
    hidden = (
        Maker()
        .add(answer("a"))
        .add(roll("a", [3, 4]))
        .add(undo(1, reason="a slip"))
        .add(answer("c"))
    )
    hidden.add(undo(1)).add(roll("a", [5, 5]))
    yield wrong("undone-roll-by-a-way-round", hidden, "J16", 7)
    fine = (
        Maker()
        .add(answer("a"))
        .add(roll("a", [3, 4]))
        .add(undo(0))
        .add(answer("c"))
        .add(roll("a", [5, 5]))
    )
    yield whole("undone-roll-in-another-situation", fine)
    table = Maker({**FIRST, "terms": {"dice": "table"}}).add(answer("a")).add(roll("a", [3, 4]))
    yield whole("real-dice-thrown-again", table.add(undo(1, reason="r")).add(roll("a", [6, 6])))
    real = Maker().add(answer("a")).add(roll("a", [3, 4])).add(undo(1, reason="r"))
    yield whole(
        "undone-roll-thrown-at-the-table", real.add(roll("a", {"dice": [6, 6], "source": "table"}))
    )
    later = (
        Maker().add(answer("a")).add(roll("a", [3, 4])).add(undo(1)).add(roll("a", [6, 6])).add("x")
    )
    yield wrong("rethrown-and-a-worse-fault-later", later, "J10", 6)


def write() -> None:
    """Write every vector and what a reader must say of it."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.iterdir():
        old.unlink()
    verdicts = {}
    for name, content, says in vectors():
        assert name not in verdicts, name
        verdicts[name] = says
        if len(content) < 100_000:  # the longest are made when they are tried
            (FOLDER / f"{name}.pbcg").write_bytes(content)
    text = json.dumps(verdicts, indent=1, ensure_ascii=False)
    (FOLDER / "verdicts.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
