"""Two hundred forgeries of campaign files, by the headings of the table that tells of them.

``journal_forgeries.py`` makes the true files and asks each command.
"""

from __future__ import annotations

import base64
import re
import tempfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from journal_help import Lines, canonical, opened, raw_lines, veiled, write_lines

FOREIGN = "0123456789abcdef"
"""The fingerprint of rules that are not this program's."""
Stored = dict[str, Any]


@dataclass(frozen=True)
class Forgery:
    """A forgery of the file ``base``: ``forge`` changes its bytes."""

    name: str
    base: str
    forge: Callable[[bytes], bytes]


def chained(change: Callable[[Lines], None]) -> Callable[[bytes], bytes]:
    """Change the lines of a file and compute numbers and hashes of its whole chain again."""
    return partial(_rewritten, change, True)


def plain(change: Callable[[Lines], None]) -> Callable[[bytes], bytes]:
    """Change the lines of a file, each in canonical form, and leave the chain as it was."""
    return partial(_rewritten, change, False)


def _rewritten(change: Callable[[Lines], None], chain: bool, content: bytes) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.pbcg"
        path.write_bytes(content)
        lines = raw_lines(path)
        change(lines)
        write_lines(path, lines, chain)
        return path.read_bytes()


def replaced(old: str, new: str) -> Callable[[bytes], bytes]:
    """Replace the first place that a pattern fits, as an editor does."""
    return lambda content: re.sub(old.encode(), new.encode(), content, count=1, flags=re.DOTALL)


Which = Callable[[Stored], Any]


def entries(lines: Lines) -> Iterator[tuple[int, int, Stored]]:
    """Each entry without its veil, with the places of its line and in its line."""
    for number, line in enumerate(lines[1:], 1):
        for at, entry in enumerate(line["entries"]):
            found = opened(entry)
            if not found.get("side", "?"):
                del found["side"]
            yield number, at, found


def place_of(lines: Lines, which: Which, nth: int = 0) -> tuple[int, int, Stored]:
    """The ``nth`` entry (from 0, or from the end below 0) of which ``which`` is true."""
    return [each for each in entries(lines) if which(each[2])][nth]


def entry(which: Which, change: Callable[[Stored], Any], nth: int = 0) -> Callable[[Lines], None]:
    """Change one entry, under its veil too."""

    def forge(lines: Lines) -> None:
        number, at, found = place_of(lines, which, nth)
        before = canonical(found)
        change(found)
        assert canonical(found) != before
        lines[number]["entries"][at] = veiled(found)

    return forge


def dropped(which: Which, nth: int = 0) -> Callable[[Lines], None]:
    """Leave out one entry, and its line if nothing else is in it."""

    def forge(lines: Lines) -> None:
        number, at, _ = place_of(lines, which, nth)
        seq = sum(len(line["entries"]) for line in lines[1:number]) + at + 1
        del lines[number]["entries"][at]
        if not lines[number]["entries"]:
            del lines[number]
        move_numbers(lines, seq, -1)

    return forge


def added(new: Stored, at: int = 40) -> Callable[[Lines], None]:
    """Put a line with one entry in."""

    def forge(lines: Lines) -> None:
        place = at or len(lines)
        line = {"at": lines[place - 1]["at"], "entries": [veiled(dict(new))]}
        lines.insert(place, line)
        if at:
            move_numbers(lines, sum(len(line["entries"]) for line in lines[1 : place + 1]), 1)

    return forge


def move_numbers(lines: Lines, since: int, by: int) -> None:
    """Count on in all that names an entry from ``since`` on, in logs of checkpoints too."""

    def moved(old: int) -> int:
        return old + by if old >= since else old

    for number, at, found in list(entries(lines)):
        if found["kind"] not in ("undo", "redo", "checkpoint"):
            continue
        held = found["value"]
        if "data" in held and held["after"] >= since:
            data(lambda plain: [each.update(seq=moved(each["seq"]))
                                for each in plain["lines"] if "seq" in each])(found)  # fmt: skip
        for key in held.keys() & {"back_to", "undo", "after"}:
            held[key] = moved(held[key])
        if "left" in held:
            held["left"] = [moved(each) for each in held["left"]]
        lines[number]["entries"][at] = veiled(found)


def corrected(path: str, to: Any, reason: str = "agreed") -> Callable[[Lines], None]:
    """Put a correction in at the end."""
    value = {"reason": reason, "value": to}
    return added({"kind": "correction", "point": path, "step": "night-3/9.620", "value": value}, 0)


def both(*changes: Callable[[Lines], None]) -> Callable[[Lines], None]:
    """Make several changes."""

    def forge(lines: Lines) -> None:
        for change in changes:
            change(lines)

    return forge


def kind(name: str, **names: Any) -> Which:
    """An entry of a kind with such names."""

    def which(found: Stored) -> bool:
        return found["kind"] == name and all(found.get(key) == names[key] for key in names)

    return which


def is_dr(found: Stored) -> bool:
    """An own roll of two dice."""
    return found["kind"] == "roll" and isinstance(found["value"], list) and len(found["value"]) == 2


def is_table_roll(found: Stored) -> bool:
    """A roll with other dice than the campaign's own."""
    return found["kind"] == "roll" and isinstance(found["value"], dict)


def is_open(found: Stored) -> bool:
    """An open answer of one side."""
    return found["kind"] == "answer" and bool(found.get("side")) and not found.get("secret")


def is_secret(found: Stored) -> bool:
    """A veiled answer."""
    return found["kind"] == "answer" and bool(found.get("secret"))


def other_dice(found: Stored) -> None:
    """Legal dice that are others."""
    found["value"] = [face % 6 + 1 for face in found["value"]]


def other_side(found: Stored) -> None:
    """The other side's."""
    found["side"] = "german" if found["side"] == "british" else "british"


def data(change: Callable[[Stored], Any]) -> Callable[[Stored], None]:
    """Change state and log in a checkpoint."""

    def forge(found: Stored) -> None:
        held = msgspec.json.decode(zlib.decompress(base64.b64decode(found["value"]["data"])))
        change(held)
        found["value"]["data"] = base64.b64encode(zlib.compress(canonical(held))).decode()

    return forge


def value(**keys: Any) -> Callable[[Stored], None]:
    """Change keys of a value; drop those that are None."""

    def forge(found: Stored) -> None:
        held = {**found["value"], **keys}
        found["value"] = {key: each for key, each in held.items() if each is not None}

    return forge


def set_to(**keys: Any) -> Callable[[Stored], None]:
    """Change keys of an entry; drop those that are None."""

    def forge(found: Stored) -> None:
        for key, each in keys.items():
            found.pop(key, None)
            if each is not None:
                found[key] = each

    return forge


def header(*path: str, to: Any) -> Callable[[Lines], None]:
    """Change a key of the first line."""

    def forge(lines: Lines) -> None:
        held = lines[0]
        for key in path[:-1]:
            held = held[key]
        held[path[-1]] = to

    return forge


def foreign(lines: Lines) -> None:
    """Name rules that are not this program's."""
    lines[1]["program"], lines[1]["rules"] = "0.2.9", FOREIGN


def unnamed(lines: Lines) -> None:
    """Name no rules."""
    for line in lines[1:]:
        line.pop("program", None)
        line.pop("rules", None)


def swapped(one: int, other: int) -> Callable[[Lines], None]:
    """Change the places of two lines."""

    def forge(lines: Lines) -> None:
        lines[one], lines[other] = lines[other], lines[one]

    return forge


def line_set(at: int, /, **keys: Any) -> Callable[[Lines], None]:
    """Change keys of a line."""
    return lambda lines: lines[at].update(keys)


def undo_at(lines: Lines) -> int:
    """The place of the line that undoes the roll of an Escape."""
    return place_of(lines, UNDO)[0]


def after_undo(*forged: Callable[[Stored], Any]) -> Callable[[Lines], None]:
    """Change the roll behind the undo of a roll."""

    def forge(lines: Lines) -> None:
        found = lines[undo_at(lines) + 1]["entries"][0]
        for change in forged:
            change(found)

    return forge


def roundabout(lines: Lines) -> None:
    """Undo the question too, answer otherwise, undo that, answer as before, other dice."""
    at = undo_at(lines)
    number = place_of(lines, UNDO)[2]["value"]["back_to"]
    asked, undo, roll = lines[at - 2], lines[at], lines[at + 1]
    other = {**asked["entries"][0], "value": "stay"}
    other_dice(roll["entries"][0])
    undo["entries"][0]["value"]["back_to"] = number - 1
    again = {**undo["entries"][0], "value": {"back_to": number - 1, "reason": "no"}}
    new = [[other], [again], [dict(asked["entries"][0])]]
    lines[at + 1 : at + 1] = [{"at": undo["at"], "entries": each} for each in new]
    move_numbers(lines, number + 3, 3)


def hidden_undo(lines: Lines) -> None:
    """Leave out the first throw and its undo, as if the second had been the only one."""
    at = undo_at(lines)
    number = place_of(lines, UNDO)[2]["value"]["back_to"] + 1
    del lines[at - 1 : at + 1]
    move_numbers(lines, number, -2)


def undo_left_out(lines: Lines) -> None:
    """Leave out the undo alone."""
    at = undo_at(lines)
    number = place_of(lines, UNDO)[2]["value"]["back_to"] + 2
    del lines[at]
    move_numbers(lines, number, -1)


def redo_line(lines: Lines) -> Stored:
    """The line of the redo."""
    found: Stored = lines[place_of(lines, kind("redo"))[0]]
    return found


def redo_with(change: Callable[[list[Stored]], Any]) -> Callable[[Lines], None]:
    """Change what a redo gives back."""

    def forge(lines: Lines) -> None:
        change(redo_line(lines)["entries"])

    return forge


def redo_of_less(lines: Lines) -> None:
    """Let a line of its own give the last of what a redo gives back."""
    number = place_of(lines, kind("redo"))[0]
    last = lines[number]["entries"].pop()
    lines.insert(number + 1, {"at": lines[number]["at"], "entries": [last]})


def redo_nothing_back(lines: Lines) -> None:
    """Say behind an undone roll that it was given back, and answer otherwise."""
    number = len(list(entries(lines)))
    taken = [line["entries"][0] for line in lines[-2:]]
    undo = {"kind": "undo", "value": {"back_to": number - 2}}
    redo = {"kind": "redo", "value": {"undo": number + 1}}
    for new in ([undo], [redo], taken[:1], taken[1:]):
        lines.append({"at": lines[-1]["at"], "entries": new})


def checkpoints_swapped(lines: Lines) -> None:
    """Give each of two checkpoints the other's state and log."""
    held = [place_of(lines, kind("checkpoint"), nth) for nth in (0, 1)]
    datas = [each[2]["value"]["data"] for each in held]
    for (number, at, found), other in zip(held, reversed(datas), strict=True):
        found["value"]["data"] = other
        lines[number]["entries"][at] = veiled(found)


def checkpoint_moved(by: int) -> Callable[[Lines], None]:
    """Move a checkpoint to another line; numbers fit again."""

    def forge(lines: Lines) -> None:
        number, at, _ = place_of(lines, kind("checkpoint"))
        moved = lines[number]["entries"].pop(at)
        lines[number + by]["entries"].insert(0, moved)

    return forge


def checkpoint_doubled(lines: Lines) -> None:
    """A checkpoint twice in its line."""
    number, at, _ = place_of(lines, kind("checkpoint"), -1)
    lines[number]["entries"].insert(at, lines[number]["entries"][at])


def joined(at: int) -> Callable[[Lines], None]:
    """Make one line of two."""

    def forge(lines: Lines) -> None:
        lines[at]["entries"] += lines.pop(at + 1)["entries"]

    return forge


def split(lines: Lines) -> None:
    """Make two lines of one."""
    number = place_of(lines, kind("checkpoint"), -1)[0]
    line = lines[number]
    lines.insert(number + 1, {**line, "entries": line["entries"][1:]})
    line["entries"] = line["entries"][:1]


def spaced_veil(lines: Lines) -> None:
    """White space under a veil."""
    number, at, found = place_of(lines, is_secret)
    text = canonical({key: found[key] for key in found if key not in ("secret", "side")})
    veil = base64.b64encode(text.replace(b":", b": ", 1)).decode()
    lines[number]["entries"][at] = {"side": found["side"], "veil": veil}


def side_in_veil(lines: Lines) -> None:
    """A side under a veil."""
    number, at, found = place_of(lines, is_secret)
    text = canonical({key: found[key] for key in found if key != "secret"})
    lines[number]["entries"][at] = {"veil": base64.b64encode(text).decode()}


def stray_bits(lines: Lines) -> None:
    """A veil whose last letter has bits that mean nothing."""
    for line in lines[1:]:
        for held in line["entries"]:
            if held.get("veil", "").endswith("="):
                text = held["veil"].rstrip("=")
                last = chr(ord(text[-1]) + 1)
                held["veil"] = text[:-1] + last + "=" * (len(held["veil"]) - len(text))
                return


def seed_dropped(lines: Lines) -> None:
    """Other dice, and no seed any more."""
    lines[0]["terms"].pop("seed")
    entry(lambda each: each["kind"] == "roll", other_dice, -1)(lines)


def books(held: Stored) -> None:
    """A piece of a state lost without a trace."""
    held["state"]["pieces"].pop()


def cut_to_checkpoint(lines: Lines) -> None:
    """Leave out all behind the last checkpoint."""
    del lines[place_of(lines, kind("checkpoint"), -1)[0] + 1 :]


def line(content: bytes, at: int) -> bytes:
    """A line with its LF."""
    return content.splitlines(keepends=True)[at]


ANSWER = {"kind": "answer", "step": "night-1/9.606", "point": "9.606.2", "value": "stay"}
ESCAPE = kind("roll", point="9.606.8")
UNDO = kind("undo", point="9.606.8", step="night-2/9.606")
CHECKPOINT = kind("checkpoint")


def escape(change: Callable[[Stored], Any]) -> Callable[[Lines], None]:
    """Change the last Escape roll, which stands."""
    return entry(ESCAPE, change, -1)


def asked(change: Callable[[Stored], Any]) -> Callable[[Lines], None]:
    """Change the last answer to whether a squad escapes, which stands."""
    return entry(kind("answer", point="9.606.2"), change, -1)


def forgeries() -> Iterator[tuple[str, list[Forgery]]]:
    """Every forgery, by the headings of the table."""
    for heading, base, found in (
        ("Text", "campaign", _TEXT),
        ("Lines, the chain left as it was", "campaign", _LINES),
        ("Lines, the whole chain computed again", "campaign", _MOVED),
        ("Answers and dice, the whole chain computed again", "campaign", _ANSWERS),
        ("Sides and secrecy, the whole chain computed again", "campaign", _SIDES),
        ("Undo and redo, the whole chain computed again", "campaign", _UNDOS),
        ("Checkpoints, the whole chain computed again", "campaign", _CHECKPOINTS),
        ("Program, rules and settings, the whole chain computed again", "campaign", _SETTINGS),
        ("Kinds, the whole chain computed again", "campaign", _KINDS),
        ("A seed, the whole chain computed again", "seed", _SEED),
        ("Real dice, the whole chain computed again", "real dice", _REAL),
        ("Area game of a seed, the whole chain computed again", "area game", _AREA),
        ("Rescued file, the whole chain computed again", "rescued", _RESCUED),
    ):
        yield heading, [Forgery(name, base, forge) for name, forge in found.items()]


_TEXT = {
    "white space in a line": replaced('"kind":"answer"', '"kind": "answer"'),
    "white space at the end of a line": replaced("}]?}\n(?={.at)", "\\g<0> "),
    "a key twice in a line": replaced('"n":9,', '"n":9,"n":9,'),
    "a key twice in an entry": replaced('"kind":"answer"', '"kind":"answer","kind":"answer"'),
    "keys in another order": replaced('("kind":"answer"),("point":"[^"]*")', "\\2,\\1"),
    "a letter as an escape": replaced('"kind":"answer"', '"kind":"\\\\u0061nswer"'),
    "a slash as an escape": replaced("night-1/9.601", "night-1\\\\/9.601"),
    "a number with a fraction": replaced('"n":9,', '"n":9.0,'),
    "a number with an exponent": replaced('"n":10,', '"n":1e1,'),
    "carriage returns": lambda content: content.replace(b"\n", b"\r\n"),
    "a carriage return in one line": replaced('("n":9,[^\n]*)', "\\1\r"),
    "an empty line": replaced("\n", "\n\n"),
    "a byte order mark": lambda content: b"\xef\xbb\xbf" + content,
    "a byte that is not UTF-8": lambda content: content.replace(b"Z17", b"Z\xff7", 1),
    "two lines without LF between": lambda content: content.replace(b"}\n{", b"}{", 1),
    "white space under a veil": chained(spaced_veil),
    "a veil with other spare bits": chained(stray_bits),
    "the end of the last line": lambda content: content[:-2],
}
_LINES = {
    "a line deleted": lambda c: c.replace(line(c, 30), b""),
    "a line doubled": lambda c: c.replace(line(c, 30), line(c, 30) * 2),
    "a line moved to the end": lambda c: c.replace(line(c, 30), b"") + line(c, 30),
    "two lines swapped": plain(swapped(30, 31)),
    "a line put between, with the hash of the one before": plain(
        lambda lines: lines.insert(30, {**lines[30], "entries": [dict(ANSWER)]})
    ),
    "another number of a line": plain(line_set(30, n=32)),
    "another hash of the line before": plain(line_set(30, prev="0" * 64)),
    "a key more in a line": plain(line_set(30, by="Anne")),
    "a time that does not exist": plain(line_set(30, at="2026-02-30T10:00:00Z")),
    "another time": plain(line_set(30, at="2026-01-01T00:00:00Z")),
    "another answer": plain(asked(set_to(value="escape"))),
    "other dice": plain(escape(other_dice)),
    "another side": plain(entry(is_open, other_side)),
    "another state": plain(entry(CHECKPOINT, data(lambda held: held["state"].update(at="x")))),
    "other settings": plain(header("settings", "players", "british", to="Eve")),
    "the last line cut off": lambda c: c[: -len(line(c, -1))],
    "all behind a checkpoint cut off": plain(cut_to_checkpoint),
}
_MOVED = {
    "a line deleted": chained(dropped(kind("answer", point="9.606.2"))),
    "a line doubled": chained(lambda lines: lines.insert(30, dict(lines[30]))),
    "two lines swapped": chained(swapped(30, 31)),
    "an answer that nobody asked put between": chained(added(ANSWER)),
    "an answer that nobody asked at the end": chained(added(ANSWER, 0)),
    "two lines made one": chained(joined(30)),
    "one line made two": chained(split),
    "other times": chained(line_set(30, at="2026-11-01T00:00:00Z")),
    "the time of its making": chained(header("since", to="2026-11-01T00:00:00Z")),
    "the last line cut off": chained(lambda lines: lines.pop()),
}
_ANSWERS = {
    "an answer that is not one of the choices": chained(
        asked(set_to(value="nonsense"))
    ),
    "an answer of the wrong type": chained(asked(set_to(value=[7]))),
    "another legal answer, then what nobody asks": chained(
        entry(kind("answer", value="keep"), set_to(value="escape"))
    ),
    "another legal answer before a checkpoint": chained(
        entry(kind("answer", point="0.2.8", about="german"), set_to(value=13))
    ),
    "another legal answer behind the last checkpoint": chained(
        entry(kind("answer", step="night-3/9.620", point="9.62022"), set_to(value="AA23"))
    ),
    "about another piece": chained(asked(set_to(about="b-1-1"))),
    "about nothing": chained(asked(set_to(about=None))),
    "of another step": chained(
        asked(set_to(step="night-1/9.605"))
    ),
    "at another point": chained(asked(set_to(point="9.606.4"))),
    "an answer called a roll": chained(
        asked(set_to(kind="roll", value=[1]))
    ),
    "a roll called an answer": chained(escape(set_to(kind="answer"))),
    "a roll called a correction": chained(
        escape(set_to(kind="correction", value={"reason": "x", "value": 1}))
    ),
    "an answer called a note": chained(
        asked(set_to(kind="note"))
    ),
    "a die of seven": chained(escape(set_to(value=[7, 1]))),
    "a die more": chained(escape(set_to(value=[1, 1, 1]))),
    "a die less": chained(escape(set_to(value=[1]))),
    "dice of fractions": chained(escape(set_to(value=[1.5, 1.0]))),
    "dice of words": chained(escape(set_to(value="boxcars"))),
    "other dice before a checkpoint": chained(escape(other_dice)),
    "other dice behind the last checkpoint": chained(
        entry(kind("roll", point="9.6142"), set_to(value=[5]), -1)
    ),
    "own dice called real ones": chained(
        escape(lambda e: e.update(value={"dice": e["value"], "source": "table"}))
    ),
    "real dice called own ones": chained(
        entry(is_table_roll, lambda e: e.update(value=e["value"]["dice"]))
    ),
    "a source that is the campaign's own": chained(
        escape(lambda e: e.update(value={"dice": e["value"], "source": "program"}))
    ),
    "an unknown source": chained(
        escape(lambda e: e.update(value={"dice": e["value"], "source": "heaven"}))
    ),
    "another value corrected": chained(entry(kind("correction"), value(value=5))),
    "another reason of a correction": chained(entry(kind("correction"), value(reason="agreed"))),
    "a correction without a reason": chained(entry(kind("correction"), value(reason=None))),
    "a correction left out": chained(dropped(kind("correction"))),
    "a correction more at the end": chained(
        added({"kind": "correction", "point": "san/german", "step": "night-3/9.620",
               "value": {"reason": "agreed", "value": 2}}, 0)
    ),
    "a correction that skips a CG Date": chained(corrected("date", "dusk")),
    "a correction above its bound": chained(corrected("san/german", 9)),
    "a correction to a number without end": chained(corrected("cpp/german", 10**18)),
    "a correction of what is fixed": chained(corrected("campaign", "CG1")),
    "a correction without words": chained(corrected("san/german", 2, " \n ")),
}  # fmt: skip
_SIDES = {
    "an answer the other side's": chained(entry(is_open, other_side)),
    "an answer both sides'": chained(entry(is_open, set_to(side=None))),
    "an answer of both sides one's": chained(
        entry(lambda e: e["kind"] == "answer" and not e.get("side"), set_to(side="german"))
    ),
    "an answer of a side that does not exist": chained(entry(is_open, set_to(side="french"))),
    "a secret answer opened": chained(entry(is_secret, set_to(secret=None))),
    "a secret roll opened": chained(
        entry(lambda e: e["kind"] == "roll" and e.get("secret"), set_to(secret=None))
    ),
    "an open answer veiled": chained(entry(is_open, set_to(secret=True))),
    "an open roll veiled": chained(escape(set_to(secret=True))),
    "a veil the other side's": chained(entry(is_secret, other_side)),
    "a side under a veil": chained(side_in_veil),
    "a correction veiled": chained(entry(kind("correction"), set_to(secret=True, side="german"))),
    "a correction one side's": chained(entry(kind("correction"), set_to(side="german"))),
    "an undo veiled": chained(entry(UNDO, set_to(secret=True))),
    "an undo the other side's": chained(entry(UNDO, other_side)),
    "another side, under foreign rules": chained(both(entry(is_open, other_side), foreign)),
    "a secret opened, no rules named": chained(
        both(entry(is_secret, set_to(secret=None)), unnamed)
    ),
}
_UNDOS = {
    "other dice after an undo": chained(after_undo(other_dice)),
    "other dice after an undo, in a roundabout way": chained(roundabout),
    "other dice after an undo, called real ones": chained(
        after_undo(other_dice, lambda e: e.update(value={"dice": e["value"], "source": "table"}))
    ),
    "an undo without its words": chained(
        entry(UNDO,
              set_to(point=None, about=None, step=None, side=None))
    ),
    "an undo without its reason": chained(
        entry(UNDO, value(reason=None))
    ),
    "an undo with a key more": chained(entry(UNDO, value(rolls=0))),
    "an undo of less": chained(
        entry(UNDO, lambda e: value(back_to=e["value"]["back_to"] + 1)(e))
    ),
    "an undo of more": chained(
        entry(UNDO, lambda e: value(back_to=e["value"]["back_to"] - 1)(e))
    ),
    "an undo of what comes later": chained(entry(kind("undo"), value(back_to=9999))),
    "an undo of a negative number": chained(entry(kind("undo"), value(back_to=-1))),
    "an undo that leaves what stands": chained(entry(kind("undo"), value(left=[1]))),
    "an undo that leaves nothing": chained(entry(kind("undo"), value(left=[]))),
    "an undone roll called an answer": chained(
        lambda lines: lines[undo_at(lines) - 1]["entries"][0].update(kind="answer", value="x")
    ),
    "an undone roll with other dice": chained(
        lambda lines: other_dice(lines[undo_at(lines) - 1]["entries"][0])
    ),
    "an undo left out": chained(undo_left_out),
    "an undone roll and its undo left out": chained(hidden_undo),
    "an undo called a note": chained(
        entry(UNDO, set_to(kind="note"))
    ),
    "a redo of an undo that was not on top": chained(entry(kind("redo"), value(undo=1))),
    "a redo of nothing": chained(
        added({"kind": "redo", "step": "night-3/9.620", "value": {"undo": 9}}, 0)
    ),
    "a redo with more keys": chained(entry(kind("redo"), value(rolls=0))),
    "a redo that gives back nothing": chained(redo_nothing_back),
    "a redo that gives back another answer": chained(
        redo_with(lambda held: held[1].update(value="escape"))
    ),
    "a redo that gives back other dice": chained(
        redo_with(lambda held: other_dice(next(e for e in held if is_dr(e))))
    ),
    "a redo that gives back less": chained(redo_of_less),
}  # fmt: skip
_CHECKPOINTS = {
    "another state": chained(entry(CHECKPOINT, data(lambda h: h["state"]["san"].update(german=7)))),
    "a piece left out of a state": chained(entry(CHECKPOINT, data(books))),
    "a key more in a state": chained(entry(CHECKPOINT, data(lambda h: h["state"].update(x=1)))),
    "another state, under foreign rules": chained(both(
        entry(CHECKPOINT, data(lambda h: h["state"]["san"].update(german=7))), foreign
    )),
    "another state, no rules named": chained(both(
        entry(CHECKPOINT, data(lambda h: h["state"]["san"].update(german=7))), unnamed
    )),
    "another state, after a gap that never was": chained(
        entry(CHECKPOINT, lambda e: (
            data(lambda h: h["state"]["san"].update(german=7))(e), value(gap=True)(e)
        ))
    ),
    "another state of the last, after a gap that never was": chained(
        entry(CHECKPOINT, lambda e: (
            data(lambda h: h["state"]["san"].update(german=7))(e), value(gap=True)(e)
        ), -1)
    ),
    "a gap that never was": chained(entry(CHECKPOINT, value(gap=True))),
    "a line of a log left out": chained(entry(CHECKPOINT, data(lambda h: h["lines"].pop()))),
    "a line of a log changed": chained(
        entry(CHECKPOINT, data(lambda h: h["lines"][3].update(text="Nothing.")))
    ),
    "a line of a log put in": chained(
        entry(CHECKPOINT, data(lambda h: h["lines"].append(h["lines"][0])))
    ),
    "a line of a log opened": chained(entry(CHECKPOINT, data(
        lambda h: next(e for e in h["lines"] if e.get("secret")).pop("secret")
    ))),
    "a line of a log left out, under foreign rules": chained(
        both(entry(CHECKPOINT, data(lambda h: h["lines"].pop())), foreign)
    ),
    "a line of a log left out, no rules named": chained(
        both(entry(CHECKPOINT, data(lambda h: h["lines"].pop())), unnamed)
    ),
    "of another step": chained(entry(CHECKPOINT, set_to(step="night-1/9.611"))),
    "after another entry": chained(entry(CHECKPOINT, value(after=70))),
    "after an entry that does not stand": chained(entry(CHECKPOINT, value(after=9999))),
    "two swapped": chained(checkpoints_swapped),
    "moved to a later line": chained(checkpoint_moved(2)),
    "moved to an earlier line": chained(checkpoint_moved(-2)),
    "doubled": chained(checkpoint_doubled),
    "left out": chained(dropped(CHECKPOINT, -1)),
    "without its veil": chained(entry(CHECKPOINT, set_to(secret=None))),
    "of one side": chained(entry(CHECKPOINT, set_to(side="german"))),
    "data that are not base64": chained(entry(CHECKPOINT, value(data="?"))),
    "data that cannot be inflated": chained(entry(CHECKPOINT, value(data="eJwx"))),
    "a key more in its value": chained(entry(CHECKPOINT, value(by="Anne"))),
}  # fmt: skip
_SETTINGS = {
    "the program's name": chained(line_set(1, program="0.2.9")),
    "rules named that are not this program's": chained(foreign),
    "no rules named": chained(unnamed),
    "rules named again without a change": chained(
        lambda lines: lines[2].update(program=lines[1]["program"], rules=lines[1]["rules"])
    ),
    "rules in capitals": chained(lambda lines: lines[1].update(rules=lines[1]["rules"].upper())),
    "an answer that is not one of the choices, under foreign rules": chained(both(
        asked(set_to(value="nonsense")), foreign
    )),
    "the name of a player": chained(header("settings", "players", "british", to="Eve")),
    "another campaign": chained(header("settings", "campaign", to="CG2")),
    "a house rule": chained(header("settings", "house_rules", to={})),
    "another balance": chained(header("settings", "balance", to="british")),
    "settings that do not exist": chained(header("settings", "weather", to="fair")),
    "another source of dice": chained(header("terms", "dice", to="manual")),
    "a seed": chained(header("terms", "seed", to=4)),
    "another game": chained(header("game", to="st")),
    "an import of an older form": chained(
        header("source", to={"form": 3, "meta": {"game": '"pegasus-bridge"'}})
    ),
    "a later form": chained(header("pbcg", to=5)),
    "an earlier form": chained(header("pbcg", to=3)),
    "a key more in the first line": chained(header("by", to="Anne")),
}  # fmt: skip
_KINDS = {
    "an unknown kind": chained(added({"kind": "weather", "value": "fair"})),
    "a kind in capitals": chained(added({"kind": "Weather", "value": "fair"})),
    "a note": chained(added({"kind": "note", "value": {"text": "Karl agreed."}})),
    "a note that is no note": chained(added({"kind": "note", "value": "Karl agreed."})),
    "a note of 100,000 letters": chained(added({"kind": "note", "value": {"text": "x" * 10**5}})),
    "a note with what cannot be seen": chained(
        added({"kind": "note", "value": {"text": "\u202eKarl"}})
    ),
    "an assertion": chained(added({"kind": "assertion", "value": {"san/german": 6}})),
    "an assertion of nothing": chained(added({"kind": "assertion", "value": {}})),
    "an assertion of a list": chained(added({"kind": "assertion", "value": {"san": [6]}})),
    "a hand-over to a number": chained(added({"kind": "hand", "side": "german", "value": 7})),
    "a hand-over to a long name": chained(
        added({"kind": "hand", "side": "german", "value": "x" * 99})
    ),
    "a signature": chained(added({"kind": "signature", "value": "x"})),
    "a key more in an entry": chained(added({**ANSWER, "by": "Anne"})),
    "an entry without its value": chained(added({"kind": "note"})),
    "an empty name": chained(added({**ANSWER, "about": ""})),
}
_SEED = {
    "other dice": chained(entry(lambda e: e["kind"] == "roll", other_dice, -1)),
    "another seed": chained(header("terms", "seed", to=5)),
    "other dice, and no seed": chained(seed_dropped),
    "own dice called real ones": chained(
        entry(lambda e: e["kind"] == "roll",
              lambda e: e.update(value={"dice": e["value"], "source": "table"}), -1)
    ),
}  # fmt: skip
_REAL = {
    "other dice before a checkpoint": chained(escape(other_dice)),
    "a source that is the campaign's own": chained(
        entry(is_dr, lambda e: e.update(value={"dice": e["value"], "source": "table"}))
    ),
    "real dice called the program's": chained(
        entry(is_dr, lambda e: e.update(value={"dice": e["value"], "source": "program"}))
    ),
}
_AREA = {
    "an answer that is not one of the choices": chained(
        entry(kind("answer"), set_to(value="nonsense"), 20)
    ),
    "an answer that nobody asked": chained(added({**ANSWER, "step": "2.1"}, 0)),
    "an answer left out": chained(dropped(kind("answer"), 20)),
    "other dice": chained(entry(lambda e: e["kind"] == "roll", other_dice, -1)),
    "a die of seven": chained(
        entry(lambda e: e["kind"] == "roll", lambda e: e.update(value=[7 for _ in e["value"]]), -1)
    ),
    "another seed": chained(header("terms", "seed", to=5)),
    "a secret roll opened": chained(entry(lambda e: e.get("secret"), set_to(secret=None))),
    "an open answer veiled": chained(entry(kind("answer"), set_to(secret=True), 20)),
    "an area of the map renamed": chained(
        lambda lines: lines[0]["terms"]["map"]["areas"][0].update(name="Elsewhere")
    ),
    "another difficulty": chained(header("settings", "difficulty", to="hard")),
    "an answer left out, under foreign rules": chained(both(dropped(kind("answer"), 20), foreign)),
    "the last line cut off": lambda c: c[: -len(line(c, -1))],
}
_RESCUED = {
    "another state after the gap": chained(
        entry(CHECKPOINT, data(lambda h: h["state"]["san"].update(german=7)))
    ),
    "no gap": chained(entry(CHECKPOINT, value(gap=None))),
    "a gap that is not true": chained(entry(CHECKPOINT, value(gap=False))),
    "other dice behind the gap": chained(escape(other_dice)),
    "a secret opened behind the gap": chained(entry(is_secret, set_to(secret=None), -1)),
    "a line of a log left out behind the gap": chained(
        entry(CHECKPOINT, data(lambda h: h["lines"].pop()), 1)
    ),
}
