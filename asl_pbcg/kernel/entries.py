"""Entries of the journal: their stored form, open or veiled, and the faults of a campaign file.

The numbers of faults never change. ``docs/engineers/journal.md`` defines the form exactly enough
for another program.
"""

from __future__ import annotations

from binascii import Error as Base64Error
from binascii import a2b_base64, b2a_base64
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, ValidationError

from asl_pbcg.kernel.canonical import NotCanonical, Unreadable, canonical, read_canonical, sha256
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.wording import number_words, quotation, to_type

FAULTS = {
    "J01": "this is not a pbcg campaign file",
    "J02": "a newer pbcg wrote it",
    "J03": "it is too large",
    "J04": "a line cannot be read",
    "J05": "a line is not written as pbcg writes it",
    "J06": "a line is not one of a journal",
    "J07": "a line is missing, doubled or moved",
    "J08": "a line or the one before was changed",
    "J09": "a line names its rules without a change",
    "J10": "an entry cannot be read",
    "J11": "a veiled entry cannot be read",
    "J12": "the value of an entry is wrong",
    "J13": "a redo names what was not undone",
    "J14": "a checkpoint is of no place in this file",
    "J16": "a roll was thrown again",
    "J20": "played again it comes to a stop",
    "J21": "the state of a checkpoint is not what its entries come to",
    "J22": "the log of a checkpoint is not what its entries tell",
    "J23": "side or secrecy of an entry is not that of its question",
    "J24": "dice are not those of the seed",
    "J25": "the source of the dice is wrong",
    "J26": "the books do not balance",
    "J30": "no line has that fingerprint",
}
"""The table of ``docs/engineers/journal.md``."""


class JournalFault(PBCGError):
    """Something in a line that does not fit; ``code`` is its number in the table."""

    def __init__(self, code: str, words: str) -> None:
        super().__init__(words)
        self.code = code


class Damaged(PBCGError):
    """A campaign file that is not whole; ``pbcg rescue`` may keep a part of it.

    ``code`` is the number of the fault, ``line`` the number of the line, 0 for the whole file.
    """

    def __init__(self, path: Path | None, fault: JournalFault, line: int = 0) -> None:
        self.code, self.line, self.words = fault.code, line, str(fault)
        if fault.code in ("J01", "J02"):
            super().__init__(f"{path} {fault} ({fault.code}).")
            return
        where = f" in line {line}" if line else ""
        rescue = quotation(to_type("pbcg", "rescue", path or "FILE", "-o", "NEW"))
        super().__init__(
            f"{path} is damaged{where}: {fault} ({fault.code}). {rescue} keeps what can be kept."
        )


class WriteFailed(PBCGError):
    """The disk refused a write; the file is as it was before."""


class ChangedUnderneath(WriteFailed):
    """The file is no longer what this program last read or wrote; nothing was written to it."""

    def __init__(self, path: Path, how: str, missing: int = 0, copy: Path | None = None) -> None:
        self.path, self.how = path, how
        saved = ""
        if copy:
            entries = number_words(missing, "entry", "entries")
            saved = (
                f" It no longer holds {entries} acknowledged before: {copy} is the file with "
                f"{'it' if missing == 1 else 'them'}."
            )
        super().__init__(
            f"{path} {how} since this program last read it. Nothing was written to it.{saved} "
            "It must be read again to go on; what you just answered is not kept yet."
        )


GAME_KINDS = frozenset(("answer", "roll", "correction"))
"""Kinds of entries that a game is made of."""
KINDS = GAME_KINDS | {
    *("undo", "redo", "note", "hand", "assertion", "checkpoint"),
    *("seat", "signature", "sealed", "opened"),
}
"""Kinds that this version knows; those of the last row wait for play in two towns."""
NOTHING = sha256(b"pbcg-journal/3").digest()
"""The situation in which nothing stands."""
MAX_NAME = 500
"""The most characters of a step, a point, a side or what an entry is about."""

_Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME)]
_Number = Annotated[int, Meta(ge=0)]


class Entry(msgspec.Struct, frozen=True, kw_only=True, gc=False):
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
    on: tuple[int, ...] = ()
    """In a section the entry of its side, and just behind it those of both, that it stands on."""
    at: str = ""
    program: str = ""


# -- The stored form -------------------------------------------------------------------


class _Stored(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The content of a veil: an entry without its side."""

    kind: Annotated[str, Meta(pattern=r"^[a-z-]{1,40}\Z")]
    value: Any
    step: _Name = ""
    point: _Name = ""
    about: _Name = ""
    on: Annotated[list[_Number], Meta(min_length=1, max_length=2)] = []


class _OpenEntry(_Stored, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    side: _Name = ""


class _VeiledEntry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    veil: Any
    side: _Name = ""


def encode_entry(entry: Entry) -> bytes:
    """Return the canonical form of ``entry``. Raises PBCGError if it cannot be kept."""
    if max(len(entry.step), len(entry.point), len(entry.about), len(entry.side)) > MAX_NAME:
        raise PBCGError(f"A name of more than {MAX_NAME} characters cannot be kept.")
    stored = _OpenEntry(
        kind=entry.kind,
        value=entry.body,
        step=entry.step,
        point=entry.point,
        about=entry.about,
        on=list(entry.on),
        side="" if entry.secret else entry.side,
    )
    try:
        content = canonical(stored)
        read_canonical(content)
        if entry.secret:
            veil = b2a_base64(content, newline=False).decode()
            return canonical(_VeiledEntry(veil, entry.side))
        return content
    except (UnicodeError, RecursionError, OverflowError, Unreadable) as error:
        raise PBCGError("That holds characters or numbers that cannot be kept.") from error


def read_entry(stored: Any, seq: int, at: str, program: str) -> Entry:
    """Read the stored form of entry ``seq`` of a line. Raises JournalFault."""
    secret = isinstance(stored, dict) and "veil" in stored
    opened: _Stored
    try:
        if secret:
            side, opened = _unveil(stored, seq)
        else:
            opened = plain = msgspec.convert(stored, _OpenEntry)
            side = plain.side
    except ValidationError as error:
        raise JournalFault("J10", f"entry {seq} is not written as an entry") from error
    if value_type := _VALUES.get(opened.kind):
        code, form = value_type
        try:
            msgspec.convert(opened.value, form)
        except (ValidationError, NotCanonical) as error:
            words = f"the value of entry {seq} is not that of a {opened.kind}"
            raise JournalFault(code, words) from error
    return Entry(
        seq=seq,
        kind=opened.kind,
        step=opened.step,
        point=opened.point,
        about=opened.about,
        side=side,
        secret=secret,
        body=opened.value,
        on=tuple(opened.on),
        at=at,
        program=program,
    )


def _unveil(stored: Any, seq: int) -> tuple[str, _Stored]:
    """Return side and open form of a veiled entry. Raises JournalFault or ValidationError."""
    veiled = msgspec.convert(stored, _VeiledEntry)
    try:
        value = read_canonical(read_base64(veiled.veil))
        return veiled.side, msgspec.convert(value, _Stored)
    except (Unreadable, ValidationError) as error:
        raise JournalFault("J11", f"the veil of entry {seq} cannot be read") from error


def read_base64(text: Any) -> bytes:
    """Read base64 in its one spelling. Raises NotCanonical."""
    try:
        content = a2b_base64(text.encode(), strict_mode=True)
    except (Base64Error, ValueError, AttributeError) as error:
        raise NotCanonical("it is not base64") from error
    if b2a_base64(content, newline=False).decode() != text:
        raise NotCanonical("it is not base64 in its one spelling")
    return content


# -- Values ----------------------------------------------------------------------------


class _OtherDice(msgspec.Struct, forbid_unknown_fields=True):
    dice: list[int]
    source: Literal["program", "table"]


class _Correction(msgspec.Struct, forbid_unknown_fields=True):
    reason: str
    value: Any


class _Undo(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    back_to: _Number
    reason: str = ""
    left: Annotated[list[_Number], Meta(min_length=1)] = []
    of: Annotated[str, Meta(min_length=1)] = ""


class _Redo(msgspec.Struct, forbid_unknown_fields=True):
    undo: int


class _Checkpoint(msgspec.Struct, forbid_unknown_fields=True):
    after: int
    data: str
    gap: bool = True

    def __post_init__(self) -> None:
        read_base64(self.data)
        if not self.gap:
            raise ValueError("a checkpoint has a gap or does not say so")


_VALUES: dict[str, tuple[str, Any]] = {
    "roll": ("J12", list[int] | _OtherDice),
    "correction": ("J12", _Correction),
    "undo": ("J12", _Undo),
    "redo": ("J13", _Redo),
    "checkpoint": ("J14", _Checkpoint),
}
"""The form that the value of some kinds has, and the fault of another one."""


def faces_of(body: Any) -> tuple[int, ...]:
    """Return the dice of a roll's body. Raises PBCGError if it has none."""
    faces = body.get("dice") if isinstance(body, dict) else body
    try:
        return msgspec.convert(faces, tuple[int, ...])
    except ValidationError as error:
        raise PBCGError("A roll holds no dice.") from error


def exception_of(body: Any) -> str:
    """Return the source of a roll's dice if it is not the campaign's own; else an empty string."""
    return str(body.get("source", ""))[:40] if isinstance(body, dict) else ""


def situation_after(situation: bytes, entry: Entry) -> bytes:
    """Return the hash of a situation once ``entry`` stands too; numbers and times play no part."""
    fields = {name: getattr(entry, name) for name in _SITUATION_FIELDS}
    return sha256(situation + canonical(fields)).digest()


_SITUATION_FIELDS = ("about", "body", "kind", "point", "secret", "side", "step")


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
