"""An entry of the journal: its stored form, open or veiled, and what its value says.

``docs/engineers/journal.md`` says the same exactly enough for another program.
"""

from __future__ import annotations

import re
from binascii import Error as Base64Error
from binascii import a2b_base64, b2a_base64
from collections.abc import Sequence
from typing import Any

import msgspec

from asl_pbcg.kernel.canonical import (
    NotCanonical,
    NotText,
    TooDeep,
    canonical,
    read_canonical,
    sha256,
)
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal_faults import JournalFault

GAME_KINDS = frozenset(("answer", "roll", "correction"))
"""Kinds of entries that a game is made of."""
KINDS = GAME_KINDS | {
    *("undo", "redo", "note", "assertion", "checkpoint", "carried"),
    *("seat", "signature", "sealed", "opened"),
}
"""Kinds that this version knows; those of the last row wait for play in two towns."""
NOTHING = sha256(b"pbcg-journal/3").digest()
"""The situation in which nothing stands."""
MAX_NAME = 500
"""The most characters of a step, a point, a side or what an entry is about."""
SOURCES = ("program", "table")
_NAMES = ("about", "point", "side", "step")
_OPEN_KEYS = frozenset((*_NAMES, "kind", "value"))
_NEEDED = frozenset(("kind", "value"))
_KIND = re.compile(r"[a-z-]{1,40}")
_FIELDS = ("about", "body", "kind", "point", "secret", "side", "step")


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One entry. ``point``: the decision point; ``about``: the piece, Location, RG or roll.

    ``seq`` is its number in the file, ``at`` and ``program`` are those of its line.
    """

    seq: int = 0
    kind: str
    step: str = ""
    point: str = ""
    about: str = ""
    side: str = ""
    secret: bool = False
    body: Any
    at: str = ""
    program: str = ""


def encode_entry(entry: Entry) -> bytes:
    """Return the canonical form of ``entry``. Raises PBCGError if it cannot be kept."""
    stored: dict[str, Any] = {"kind": entry.kind, "value": entry.body}
    for name in _NAMES:
        if text := getattr(entry, name):
            stored[name] = text
    try:
        if not _is_plain(entry.body):
            read_canonical(canonical(stored))
        if entry.secret:
            stored.pop("side", None)
            content = canonical(stored)
            stored = {"veil": b2a_base64(content, newline=False).decode()}
            if entry.side:
                stored["side"] = entry.side
        content = canonical(stored)
    except (UnicodeError, RecursionError, OverflowError, NotText, NotCanonical, TooDeep) as error:
        raise PBCGError("That holds characters or numbers that cannot be kept.") from error
    if max(len(entry.step), len(entry.point), len(entry.about), len(entry.side)) > MAX_NAME:
        raise PBCGError(f"A name of more than {MAX_NAME} characters cannot be kept.")
    return content


def _is_plain(body: Any) -> bool:
    """Return whether a value is a text or a few small numbers: then it has its one spelling."""
    if isinstance(body, list) and len(body) < 100:
        return all(type(each) is str or (type(each) is int and 0 <= each < 2**32) for each in body)
    return type(body) is str


def read_entry(stored: Any, seq: int, at: str, program: str, imported: bool = False) -> Entry:
    """Read the stored form of entry ``seq`` of a line. Raises JournalFault.

    In an ``imported`` file an undo has the words of 0.2.0 too, which mean nothing.
    """
    secret, side, code = False, "", "J10"
    if isinstance(stored, dict) and "veil" in stored:
        secret, side, code = True, stored.get("side", ""), "J11"
        stored = _unveil(stored, seq)
    if not isinstance(stored, dict) or not _NEEDED <= stored.keys() <= _OPEN_KEYS:
        raise JournalFault(code, f"entry {seq} has keys that no entry has, or lacks some")
    kind = stored["kind"]
    if type(kind) is not str or not (kind in KINDS or _KIND.fullmatch(kind)):
        raise JournalFault(code, f"entry {seq} has no kind")
    for name in _NAMES:
        if name in stored and not _is_name(stored[name]):
            raise JournalFault(code, f"the {name} of entry {seq} is empty or too long")
    entry = Entry(
        seq=seq,
        kind=kind,
        step=stored.get("step", ""),
        point=stored.get("point", ""),
        about=stored.get("about", ""),
        side=side or stored.get("side", ""),
        secret=secret,
        body=stored["value"],
        at=at,
        program=program,
    )
    words = kind == "undo" and not imported and not _is_plain_undo(entry.body)
    if words or ((check := _VALUES.get(kind)) and not check(entry.body)):
        raise JournalFault("J12", f"the value of entry {seq} is not that of a {kind}")
    return entry


def _unveil(stored: dict[str, Any], seq: int) -> Any:
    """Return the open form of a veiled entry, without its side. Raises JournalFault."""
    veil = stored["veil"]
    known = stored.keys() <= {"veil", "side"}
    if not known or ("side" in stored and not _is_name(stored["side"])):
        raise JournalFault("J10", f"entry {seq} is not a veiled entry")
    try:
        if type(veil) is not str:
            raise NotCanonical("")
        content = a2b_base64(veil.encode(), strict_mode=True)
        if b2a_base64(content, newline=False).decode() != veil:
            raise NotCanonical("")
        value = read_canonical(content)
    except (Base64Error, ValueError, NotText, NotCanonical, TooDeep) as error:
        raise JournalFault("J11", f"the veil of entry {seq} cannot be read") from error
    if not isinstance(value, dict) or "side" in value or "veil" in value:
        raise JournalFault("J11", f"the veil of entry {seq} holds no entry")
    return value


def is_base64(text: Any) -> bool:
    """Return whether a value is base64 in its one spelling."""
    try:
        content = a2b_base64(text.encode(), strict_mode=True)
    except (Base64Error, ValueError, AttributeError):
        return False
    return bool(b2a_base64(content, newline=False).decode() == text)


def _is_name(name: Any) -> bool:
    return type(name) is str and 1 <= len(name) <= MAX_NAME


# -- Values ----------------------------------------------------------------------------


def _is_number(value: Any) -> bool:
    return type(value) is int and value >= 0


def _are_faces(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(type(face) is int for face in value)


def _is_roll(value: Any) -> bool:
    if not isinstance(value, dict):
        return _are_faces(value)
    return (
        value.keys() == {"dice", "source"}
        and _are_faces(value["dice"])
        and value["source"] in SOURCES
    )


def _is_correction(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() == {"reason", "value"}
        and type(value["reason"]) is str
    )


def _is_undo(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and _is_number(value.get("back_to"))
        and type(value.get("reason", "")) is str
        and isinstance(left := value.get("left", []), list | tuple)
        and all(map(_is_number, left))
    )


def _is_plain_undo(value: Any) -> bool:
    """Return whether an undo has nothing but what stands on the page."""
    return (
        isinstance(value, dict)
        and value.keys() <= {"back_to", "left", "reason"}
        and value.get("left", True) != []
    )


_VALUES = {"roll": _is_roll, "correction": _is_correction, "undo": _is_undo}


def faces_of(body: Any) -> tuple[int, ...]:
    """Return the dice of a roll's body. Raises PBCGError if it has none."""
    faces: Any = body.get("dice") if isinstance(body, dict) else body
    if not _are_faces(faces):
        raise PBCGError("A roll holds no dice.")
    return tuple(faces)


def exception_of(body: Any) -> str:
    """Return the source of a roll's dice if it is not the campaign's own; else an empty string."""
    return str(body.get("source", ""))[:40] if isinstance(body, dict) else ""


def after(situation: bytes, entry: Entry) -> bytes:
    """Return the hash of a situation once ``entry`` stands too; numbers and times play no part."""
    return sha256(situation + canonical({name: getattr(entry, name) for name in _FIELDS})).digest()


# -- Words -----------------------------------------------------------------------------


def words_of(entry: Entry) -> str:
    """Name an entry in a sentence; a secret one without what it is about."""
    whose = f" of the {entry.side.capitalize()} side" if entry.side and entry.secret else ""
    if entry.secret:
        return f"a secret {entry.kind}{whose} in {entry.step}"
    about = f" {entry.about}" if entry.about else ""
    where = f" in {entry.step}" if entry.step else ""
    return f"{entry.kind} {entry.point}{about}{where}"


def fingerprint(head: str) -> str:
    """Return the short fingerprint of a head, as records print it: ``9c1f-03ab-77de-4410``."""
    return "-".join(head[at : at + 4] for at in range(0, 16, 4))


def find_fingerprint(typed: str, heads: Sequence[str]) -> int | None:
    """Return the place (from 0) of the head that a typed fingerprint or hash is of, or None.

    Raises PBCGError if it is not a fingerprint.
    """
    wanted = "".join(letter for letter in typed.lower() if letter not in "- \t")
    if not 16 <= len(wanted) <= 64 or not set(wanted) <= set("0123456789abcdef"):
        raise PBCGError(
            f'"{typed[:80]}" is not a fingerprint: it has 16 digits or letters a to f, '
            "for example 9c1f-03ab-77de-4410."
        )
    return next((at for at, head in enumerate(heads) if head.startswith(wanted)), None)
