"""The text of a campaign file: its first line, its chained lines, and what can be wrong in them.

``docs/engineers/journal.md`` says the same exactly enough for another program.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from datetime import UTC, date, datetime
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType, ValidationError

from asl_pbcg.kernel.canonical import (
    NotCanonical,
    NotText,
    TooDeep,
    canonical,
    digest,
    read_canonical,
)
from asl_pbcg.kernel.entries import Damaged, Entry, JournalFault, read_entry
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.standing import Standing

FORM = 4
MAX_FILE = 64_000_000
"""The most bytes of a campaign file."""
MAX_LINE = 4_000_000
"""The most bytes of a line, with its LF."""
MAX_ENTRIES = 100_000
MAX_PROGRAM = 40
_TIME = re.compile(r"(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ", re.ASCII)
_MADE_FROM_SQLITE = re.compile(rb'\{"game":[^\n]*"since":"[^"\n]{20}","source":\{"form":3,')
_BEGINS = re.compile(rb'\{"game":"[^"\\]{0,40}","pbcg":\d')

_Program = Annotated[str, Meta(max_length=MAX_PROGRAM)]


class Header(msgspec.Struct, forbid_unknown_fields=True):
    """The first line of a file."""

    game: str
    pbcg: int
    program: _Program
    settings: dict[str, Any]
    since: str
    terms: dict[str, Any]


class JournalLine(msgspec.Struct, forbid_unknown_fields=True):
    """Any other line: what one command changed."""

    at: str
    entries: Annotated[list[Any], Meta(min_length=1)]
    n: int
    prev: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
    program: _Program | UnsetType = UNSET
    rules: Annotated[str, Meta(pattern=r"^([0-9a-f]{16})?\Z")] | UnsetType = UNSET


def is_journal(beginning: bytes) -> bool:
    """Return whether a file that begins so is one of the program's text files."""
    return bool(_BEGINS.match(beginning))


def is_sqlite_campaign(beginning: bytes) -> bool:
    """Return whether a file that begins so is an SQLite file of pbcg 0.2.0 or earlier."""
    return beginning.startswith(b"SQLite format 3\0") and beginning[68:72] == b"PBCG"


def old_form_fault(content: bytes) -> JournalFault | None:
    """Return the fault of an SQLite file of pbcg 0.2.0, or of one made from it; None otherwise."""
    if is_sqlite_campaign(content):
        what_it_is = "is an SQLite file of pbcg 0.2.0 or earlier"
    elif _MADE_FROM_SQLITE.match(content):
        what_it_is = "was made from an SQLite file of pbcg 0.2.0"
    else:
        return None
    return JournalFault(
        "J01",
        f"{what_it_is}, which this version does not read: finish it with that version, or go on "
        "with a campaign from paper after a CG scenario (pbcg new NEW.pbcg --from BOOK)",
    )


def header_line(meta: Mapping[str, Any], program: str) -> bytes:
    """Return the first line of a file that begins with the settings ``meta``."""
    header = Header(
        game=str(meta.get("game") or ""),
        pbcg=FORM,
        program=program[:MAX_PROGRAM],
        settings=meta.get("settings") or {},
        since=time_of(int(time.time())),
        terms={key: value for key, value in meta.items() if key not in ("game", "settings")},
    )
    line = canonical(header) + b"\n"
    if len(line) > MAX_LINE:
        raise PBCGError(f"These settings are too large to keep: {MAX_LINE:,} bytes are the most.")
    return line


@lru_cache(maxsize=1)
def time_of(second: int) -> str:
    """Return a time as lines have it, ``2026-11-22T18:04:11Z``."""
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class JournalText(msgspec.Struct):
    """A campaign file that was read."""

    header: Header
    size: int
    """The bytes of its whole lines."""
    heads: list[str]
    """The hash of each line, the first one too."""
    starts: list[int]
    """How many entries stand before each line."""
    named: list[tuple[str, str]]
    """The program and the rules of each line."""
    standing: Standing
    torn: bytes = b""
    """The bytes behind the last whole line."""

    @classmethod
    def begin(cls, first: bytes) -> JournalText:
        """Read the first line. Raises JournalFault."""
        header = _read_header(first)
        named = [(header.program, "")]
        return cls(header, len(first), [digest(first)], [0], named, Standing())

    @property
    def entries(self) -> list[Entry]:
        """Every entry, undone ones too."""
        return self.standing.entries

    def add(self, content: bytes) -> None:
        """Go on with the next line. Raises JournalFault; what was read before stays."""
        line = read_line(content)
        before = len(self.entries)
        if before + len(line.entries) > MAX_ENTRIES:
            raise JournalFault("J03", f"it has more than {MAX_ENTRIES:,} entries")
        if line.n != len(self.heads) + 1:
            raise JournalFault("J07", f"it says that it is line {str(line.n)[:20]}")
        if line.prev != self.heads[-1]:
            raise JournalFault("J08", "this line or the one before was changed")
        named = self.named[-1]
        if line.program is not UNSET and line.rules is not UNSET:
            if named == (line.program, line.rules):
                raise JournalFault("J09", "it names its rules without a change")
            named = (line.program, line.rules)
        try:
            for seq, stored in enumerate(line.entries, before + 1):
                self.standing.add(read_entry(stored, seq, line.at, named[0]))
        except JournalFault:
            self.standing = Standing.of(self.entries[:before])
            raise
        self.note(content, before, named)

    def note(self, content: bytes, before: int, named: tuple[str, str]) -> None:
        """Note a line whose entries were added; ``before`` entries stand before it."""
        self.heads.append(digest(content))
        self.starts.append(before)
        self.named.append(named)
        self.size += len(content)

    def meta(self) -> dict[str, Any]:
        """Return the settings by their names."""
        return {"game": self.header.game, "settings": self.header.settings, **self.header.terms}


def read_text(content: bytes, path: Path | None, known: JournalText | None = None) -> JournalText:
    """Read a whole file with its chain. Raises Damaged for the first thing that does not fit."""
    text, damage = read_as_far_as_whole(content, path, known)
    if damage:
        raise damage
    return text


def read_as_far_as_whole(
    content: bytes, path: Path | None, known: JournalText | None = None
) -> tuple[JournalText, Damaged | None]:
    """Read a file up to the first line that does not fit, and say what is wrong with that.

    ``known`` are lines that it begins with. A last line without its LF counts if it is whole.
    Raises Damaged if even its first line cannot be read.
    """
    try:
        if len(content) > MAX_FILE:
            raise JournalFault("J03", f"it has more than {MAX_FILE:,} bytes")
        if old_form := old_form_fault(content):
            raise old_form
        text = known or JournalText.begin(content.partition(b"\n")[0] + b"\n")
    except JournalFault as fault:
        raise Damaged(path, fault, int(fault.code not in ("J01", "J02"))) from fault
    *lines, last = content[text.size :].split(b"\n")
    text.torn = b""
    for line in lines:
        try:
            text.add(line + b"\n")
        except JournalFault as fault:
            return text, Damaged(path, fault, len(text.heads) + 1)
    if last:
        try:
            text.add(last + b"\n")
        except JournalFault:
            text.torn = last
    return text, None


def _read(content: bytes) -> Any:
    """Read one line with its LF. Raises JournalFault."""
    if len(content) > MAX_LINE:
        raise JournalFault("J03", f"it has {len(content):,} bytes; {MAX_LINE:,} are the most")
    try:
        return read_canonical(content[:-1])
    except TooDeep as error:
        raise JournalFault("J03", str(error)) from error
    except NotText as error:
        raise JournalFault("J04", str(error)) from error
    except NotCanonical as error:
        raise JournalFault("J05", str(error)) from error


def read_line(content: bytes) -> JournalLine:
    """Read a line with its LF, by itself. Raises JournalFault."""
    value = _read(content)
    try:
        line = msgspec.convert(value, JournalLine)
    except ValidationError as error:
        raise JournalFault("J06", "it is not a line of a journal") from error
    if not _is_time(line.at) or (line.program is UNSET) != (line.rules is UNSET):
        raise JournalFault("J06", "it is not a line of a journal")
    return line


BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def without_editor_marks(content: bytes) -> bytes:
    """Return a file without what editors add to it unasked: a byte order mark, CR before LF."""
    return content.removeprefix(BYTE_ORDER_MARK).replace(b"\r\n", b"\n")


def _read_header(first: bytes) -> Header:
    not_ours = JournalFault("J01", "is not a pbcg campaign file")
    if without_editor_marks(first).startswith(b'{"') and first != without_editor_marks(first):
        raise JournalFault(
            "J01",
            "was saved by an editor that changed its line ends or put a byte order mark before "
            "its first line: pbcg rescue writes a copy without them",
        )
    try:
        value = _read(first)
    except JournalFault as fault:
        raise (fault if fault.code == "J03" else not_ours) from fault
    form = value.get("pbcg") if isinstance(value, dict) else None
    if type(form) is int and form > FORM:
        raise JournalFault("J02", "was written by a newer pbcg: install the newest one")
    try:
        header = msgspec.convert(value, Header)
    except ValidationError as error:
        raise not_ours from error
    if header.pbcg != FORM or not _is_time(header.since):
        raise not_ours
    return header


@lru_cache(maxsize=64)
def _is_time(text: str) -> bool:
    match = _TIME.fullmatch(text)
    try:
        return bool(match and date.fromisoformat(match[1]))
    except ValueError:
        return False
