"""An entry of the journal: its canonical form, its SHA-256 chain and its bounds.

``docs/engineers/journal.md`` says the same exactly enough for another program.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.sha import sha256

FORM = "pbcg-journal/3"
GAME_KINDS = frozenset(("answer", "roll", "correction"))
"""Kinds of entries that a game is made of."""
KINDS = GAME_KINDS | {"undo", "redo", "carried", "sealed", "signature"}
"""``undo`` takes entries back, ``redo`` stands before those that are given again unchanged after
an undo, ``carried`` closes what was carried over from an older form,
``sealed`` and ``signature`` are kept for play by mail: a reader passes them over."""
NOTHING = sha256(FORM.encode()).digest()
"""The situation in which nothing stands."""
MOST_ENTRIES = 100_000
MOST_BYTES = 4_000_000
"""The most bytes of one entry, in its stored form."""
MOST_WORDS = 500
"""The most characters of a reason, a step, a point or what an entry is about."""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One entry. ``point``: the decision point; ``about``: the piece, Location, RG or roll.

    ``prev`` is the hash of the entry before, of the first one that of the file's settings.
    """

    seq: int = 0
    prev: str = ""
    kind: str
    step: str
    point: str
    about: str = ""
    side: str = ""
    secret: bool = False
    body: Any
    at: str = ""
    program: str = ""


class Stored(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An entry as it was read, its body not yet looked into."""

    seq: int
    prev: str
    kind: str
    step: str
    point: str
    about: str
    side: str
    secret: bool
    body: msgspec.Raw
    at: str
    program: str


class Taken(msgspec.Struct, frozen=True):
    """A roll or correction that an undo takes back: number, words, whose it was, whether secret."""

    seq: int = 0
    words: str = "a roll"
    side: str = ""
    secret: bool = False


class Undo(msgspec.Struct, frozen=True):
    """What an undo says: entries after ``back_to`` stand no longer.

    ``left`` are entries taken back that wait to be given again; ``taken`` the rolls,
    ``corrections`` the corrections.
    """

    back_to: int
    reason: str = ""
    left: tuple[int, ...] = ()
    taken: tuple[Taken, ...] = ()
    corrections: tuple[Taken, ...] = ()


_ENCODER = msgspec.json.Encoder(order="sorted")
_DECODER = msgspec.json.Decoder(Stored)
_UNDO = msgspec.json.Decoder(Undo)
_FIELDS = ("about", "body", "kind", "point", "secret", "side", "step")


class NoEntry(PBCGError):
    """Bytes that are no entry, or one that does not fit where it stands."""


class DoesNotFollow(NoEntry):
    """An entry that follows another than the one that stands before it."""


def words_of(entry: Stored | Entry) -> str:
    """An entry as sentences name it; a secret one without what it is about."""
    whose = f" of the {entry.side.capitalize()} side" if entry.side and entry.secret else ""
    if entry.secret:
        return f"entry {entry.seq} (a secret {entry.kind}{whose} in {entry.step})"
    about = f" {entry.about}" if entry.about else ""
    where = f" in {entry.step}" if entry.step else ""
    return f"entry {entry.seq} ({entry.kind} {entry.point}{about}{where})"


def canonical(value: Any) -> bytes:
    """The one stored form of ``value``: JSON, names sorted, nothing between, UTF-8."""
    return _ENCODER.encode(value)


def digest(content: bytes) -> str:
    """The SHA-256 of ``content`` in hexadecimal."""
    return sha256(content).hexdigest()


def beginning(meta: Mapping[str, str]) -> str:
    """The hash that the first entry goes back to: of the file's settings as they are stored."""
    return digest(canonical({"format": FORM, "meta": dict(meta)}))


def read_entry(content: bytes, seq: int, prev: str) -> Stored:
    """Read the stored entry that should have the number ``seq`` and follow the hash ``prev``.

    Raises NoEntry with what is wrong.
    """
    if len(content) > MOST_BYTES:
        raise NoEntry(f"entry {seq} has {len(content):,} bytes; {MOST_BYTES:,} are the most")
    try:
        found = _DECODER.decode(content)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise NoEntry(f"entry {seq} cannot be read") from error
    if found.seq != seq:
        raise NoEntry(f"where entry {seq} should be stands entry {found.seq}")
    if found.prev != prev:
        raise DoesNotFollow(f"entry {seq} does not follow what stands before it")
    if found.kind not in KINDS:
        raise NoEntry(f'entry {seq} is a "{found.kind[:20]}", which this pbcg does not know')
    names = len(found.step) + len(found.point) + len(found.about) + len(found.side)
    if names > MOST_WORDS and longest_name(found) > MOST_WORDS:
        raise NoEntry(f"entry {seq} has a name of more than {MOST_WORDS} characters")
    if found.kind == "undo":
        read_undo(found)
    return found


def longest_name(entry: Stored) -> int:
    """The length of the longest of an entry's names."""
    return max(len(entry.step), len(entry.point), len(entry.about), len(entry.side))


def prev_of(content: object) -> str:
    """The hash that a stored entry says it follows. Raises NoEntry if it cannot be read."""
    try:
        return _DECODER.decode(content).prev  # type: ignore[arg-type]
    except (msgspec.DecodeError, UnicodeError, RecursionError, TypeError) as error:
        raise NoEntry("an entry cannot be read") from error


def read_undo(entry: Stored) -> Undo:
    """What an undo entry says. Raises NoEntry if it cannot be."""
    try:
        undo = _UNDO.decode(entry.body)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise NoEntry(f"entry {entry.seq} takes nothing back that can be read") from error
    if not 0 <= undo.back_to < entry.seq:
        raise NoEntry(f"entry {entry.seq} goes back to {undo.back_to}, which is not before it")
    return undo


def body_of(entry: Stored) -> Any:
    """The body of an entry. Raises NoEntry if it cannot be read."""
    try:
        return msgspec.json.decode(entry.body)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise NoEntry(f"the body of entry {entry.seq} cannot be read") from error


def full(entry: Stored) -> Entry:
    """The entry with its body read."""
    return Entry(
        seq=entry.seq,
        prev=entry.prev,
        kind=entry.kind,
        step=entry.step,
        point=entry.point,
        about=entry.about,
        side=entry.side,
        secret=entry.secret,
        body=body_of(entry),
        at=entry.at,
        program=entry.program,
    )


def store(entry: Entry) -> tuple[Stored, bytes]:
    """An entry as it is kept, and its canonical form. Raises PBCGError if it is too large."""
    try:
        body = canonical(entry.body)
        kept = Stored(
            seq=entry.seq,
            prev=entry.prev,
            kind=entry.kind,
            step=entry.step,
            point=entry.point,
            about=entry.about,
            side=entry.side,
            secret=entry.secret,
            body=msgspec.Raw(body),
            at=entry.at,
            program=entry.program,
        )
        content = canonical(kept)
    except (UnicodeError, RecursionError, OverflowError) as error:
        raise PBCGError("That holds characters or numbers that cannot be kept.") from error
    if len(content) > MOST_BYTES:
        raise PBCGError(f"That is too large to keep: {MOST_BYTES:,} bytes are the most.")
    return kept, content


def void_among(entries: Iterable[Stored]) -> set[int]:
    """The numbers of all entries that an undo has taken back."""
    void: set[int] = set()
    stand: list[int] = []
    for entry in entries:
        if entry.kind == "undo":
            back_to = read_undo(entry).back_to
            while stand and stand[-1] > back_to:
                void.add(stand.pop())
        stand.append(entry.seq)
    return void


def after(situation: bytes, entry: Stored) -> bytes:
    """The hash of a situation once ``entry`` stands too; numbers and times play no part."""
    content = {name: getattr(entry, name) for name in _FIELDS}
    return sha256(situation + canonical(content)).digest()


def fingerprint(head: str) -> str:
    """The short fingerprint of a head, as records print it: ``9c1f-03ab-77de-4410``."""
    return "-".join(head[at : at + 4] for at in range(0, 16, 4))


def find_fingerprint(typed: str, heads: Sequence[str]) -> int | None:
    """Which of ``heads`` a typed fingerprint (or whole hash) is of: its place from 0, or None.

    Raises PBCGError if it is no fingerprint.
    """
    wanted = "".join(letter for letter in typed.lower() if letter not in "- \t")
    if not 16 <= len(wanted) <= 64 or not set(wanted) <= set("0123456789abcdef"):
        raise PBCGError(
            f'"{typed[:80]}" is no fingerprint: it has 16 digits or letters a to f, '
            "for example 9c1f-03ab-77de-4410."
        )
    return next((at for at, head in enumerate(heads) if head.startswith(wanted)), None)


def faces_of(body: Any) -> tuple[int, ...]:
    """The dice of a roll's body. Raises NoEntry if it is none."""
    faces = body.get("dice") if isinstance(body, dict) else body
    if not isinstance(faces, list | tuple) or not all(type(face) is int for face in faces):
        raise NoEntry("a roll holds no dice")
    return tuple(faces)


def exception_of(body: Any) -> str:
    """The source of a roll's dice, if it is another than the campaign's own; else empty."""
    return str(body.get("source", ""))[:40] if isinstance(body, dict) else ""
