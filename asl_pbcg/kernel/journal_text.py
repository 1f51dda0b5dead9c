"""The text of a campaign file: its first line, its chained lines, and what can be wrong in them.

``docs/engineers/journal.md`` says the same exactly enough for another program.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from asl_pbcg.kernel.canonical import (
    NotCanonical,
    NotText,
    TooDeep,
    canonical,
    digest,
    read_canonical,
)
from asl_pbcg.kernel.entries import Entry, read_entry
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal_faults import FAULTS, Damaged, JournalFault
from asl_pbcg.kernel.standing import Standing, Undone

FORM = 4
MAX_FILE = 64_000_000
"""The most bytes of a campaign file."""
MAX_LINE = 4_000_000
"""The most bytes of a line, with its LF."""
MAX_ENTRIES = 100_000
MAX_PROGRAM = 40
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)
_DIGITS = re.compile(r"\d+", re.ASCII)
_HASH = re.compile(r"[0-9a-f]{64}")
_RULES = re.compile(r"([0-9a-f]{16})?")
_HEADER = {"game", "pbcg", "program", "settings", "since", "terms"}
_BEGINS = re.compile(rb'\{"game":"[^"\\]{0,40}","pbcg":\d')
_LINE = {"at", "entries", "n", "prev"}


def is_journal(beginning: bytes) -> bool:
    """Return whether a file that begins so is one of the program's text files."""
    return bool(_BEGINS.match(beginning))


def header_line(
    meta: Mapping[str, Any], program: str, source: Any = None, since: str = ""
) -> bytes:
    """Return the first line of a file that begins with the settings ``meta``."""
    terms = {key: value for key, value in meta.items() if key not in ("game", "settings")}
    header: dict[str, Any] = {
        "game": str(meta.get("game") or ""),
        "pbcg": FORM,
        "program": program[:MAX_PROGRAM],
        "settings": meta.get("settings") or {},
        "since": since or time_of(int(time.time())),
        "terms": terms,
    }
    if source is not None:
        header["source"] = source
    line = canonical(header) + b"\n"
    if len(line) > MAX_LINE:
        raise PBCGError(f"These settings are too large to keep: {MAX_LINE:,} bytes are the most.")
    return line


@lru_cache(maxsize=1)
def time_of(second: int) -> str:
    """Return a time as lines have it, ``2026-11-22T18:04:11Z``."""
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class KnownLines(msgspec.Struct, frozen=True, array_like=True):
    """What the lines in the first ``size`` bytes say, as JournalText has it."""

    size: int
    heads: list[str]
    starts: list[int]
    named: list[tuple[str, str]]
    entries: list[Entry]
    stack: list[int]
    void: set[int]
    pile: list[tuple[int, list[int]]]


class JournalText:
    """A campaign file that was read: its header and entries, the hash of each line.

    ``heads`` has the hash of the first line, then of each line; ``starts`` how many entries stand
    before each of those; ``named`` program and rules of each. ``torn`` are the bytes behind the
    last whole line, ``size`` those before.
    """

    def __init__(self, first: bytes) -> None:
        self.header: dict[str, Any] = _read_header(first)
        self.heads = [digest(first)]
        self.starts = [0]
        self.named = [(str(self.header["program"]), "")]
        self.standing = Standing([])
        self.size = len(first)
        self.torn = b""

    @property
    def entries(self) -> list[Entry]:
        """Every entry, undone ones too."""
        return self.standing.entries

    def add(self, line: bytes) -> None:
        """Go on with the next line. Raises JournalFault; what was read before stays."""
        value = _read_line(line)
        number, before = value["n"], value["prev"]
        follows = (number, before) == (len(self.heads) + 1, self.heads[-1])
        if not follows and not _is(_HASH, before):
            raise JournalFault("J06", "it is not a line of a journal")
        if number != len(self.heads) + 1:
            raise JournalFault("J07", f"it says that it is line {str(number)[:20]}")
        if not follows:
            raise JournalFault("J08", "this line or the one before was changed")
        named = self.named[-1]
        if "rules" in value:
            named = (value["program"], value["rules"])
            if named == self.named[-1]:
                raise JournalFault("J09", "it names its rules without a change")
        seq = len(self.entries)
        if seq + len(value["entries"]) > MAX_ENTRIES:
            raise JournalFault("J03", f"it has more than {MAX_ENTRIES:,} entries")
        imported = "source" in self.header
        try:
            for number, stored in enumerate(value["entries"], seq + 1):
                self.standing.add(read_entry(stored, number, value["at"], named[0], imported))
        except JournalFault:
            self.standing = Standing(self.entries[:seq])
            raise
        self.note(line, seq, named)

    def note(self, line: bytes, seq: int, named: tuple[str, str]) -> None:
        """Note a line whose entries were added; ``seq`` entries stand before it."""
        self.heads.append(digest(line))
        self.starts.append(seq)
        self.named.append(named)
        self.size += len(line)

    def known_lines(self) -> KnownLines:
        """Return what was read."""
        standing = self.standing
        return KnownLines(
            size=self.size,
            heads=self.heads,
            starts=self.starts,
            named=self.named,
            entries=self.entries,
            stack=[entry.seq for entry in standing.stack],
            void=standing.void,
            pile=[(undo, [entry.seq for entry in entries]) for undo, entries in standing.pile],
        )

    def go_on_from(self, known: KnownLines) -> None:
        """Take lines that were read before, in place of the first line alone."""
        self.heads, self.starts, self.named = known.heads, known.starts, known.named
        entries = known.entries
        self.standing.entries, self.standing.void = entries, known.void
        self.standing.stack = [entries[seq - 1] for seq in known.stack]
        self.standing.pile = [
            Undone(undo, [entries[seq - 1] for seq in taken]) for undo, taken in known.pile
        ]
        self.size = known.size

    def meta(self) -> dict[str, Any]:
        """Return the settings by their names."""
        header = self.header
        return {"game": header["game"], "settings": header["settings"], **header["terms"]}


def read_text(content: bytes, path: Path | None, known: KnownLines | None = None) -> JournalText:
    """Read a whole file with its chain. Raises Damaged for the first thing that does not fit."""
    text, fault = read_as_far_as_whole(content, path, known)
    if fault:
        raise fault
    return text


def read_as_far_as_whole(
    content: bytes, path: Path | None, known: KnownLines | None = None
) -> tuple[JournalText, Damaged | None]:
    """Read a file up to the first line that does not fit, and say what is wrong with that.

    ``known`` are lines that it begins with. Raises Damaged if even its first line cannot be read.
    """
    first, ends, _ = content.partition(b"\n")
    try:
        if len(content) > MAX_FILE:
            raise JournalFault("J03", f"it has more than {MAX_FILE:,} bytes")
        if not ends:
            raise JournalFault("J01", "is not a pbcg campaign file")
        text = JournalText(first + ends)
    except JournalFault as fault:
        raise Damaged(path, fault, int(fault.code not in ("J01", "J02"))) from fault
    if known:
        text.go_on_from(known)
    *lines, text.torn = content[text.size :].split(b"\n")
    for number, line in enumerate(lines, len(text.heads) + 1):
        try:
            text.add(line + b"\n")
        except JournalFault as fault:
            return text, Damaged(path, fault, number)
    return text, None


def _read(line: bytes) -> Any:
    """Read one line with its LF. Raises JournalFault."""
    if len(line) > MAX_LINE:
        raise JournalFault("J03", f"it has {len(line):,} bytes; {MAX_LINE:,} are the most")
    try:
        return read_canonical(line[:-1])
    except TooDeep as error:
        raise JournalFault("J03", str(error)) from error
    except NotText as error:
        raise JournalFault("J04", str(error)) from error
    except NotCanonical as error:
        raise JournalFault("J05", str(error)) from error


def _read_line(line: bytes) -> dict[str, Any]:
    value = _read(line)
    fits = (
        isinstance(value, dict)
        and (value.keys() == _LINE or value.keys() == _LINE | {"program", "rules"})
        and type(value["n"]) is int
        and _is_time(value["at"])
        and type(value["entries"]) is list
        and value["entries"]
        and (
            "rules" not in value or (_is_program(value["program"]) and _is(_RULES, value["rules"]))
        )
    )
    if not fits:
        raise JournalFault("J06", "it is not a line of a journal")
    found: dict[str, Any] = value
    return found


BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def without_editor_marks(content: bytes) -> bytes:
    """Return a file without what editors add to it unasked: a byte order mark, CR before LF."""
    return content.removeprefix(BYTE_ORDER_MARK).replace(b"\r\n", b"\n")


def _read_header(first: bytes) -> dict[str, Any]:
    if without_editor_marks(first).startswith(b'{"') and first != without_editor_marks(first):
        raise JournalFault(
            "J01",
            "was saved by an editor that changed its line ends or put a byte order mark before "
            "its first line: pbcg rescue writes a copy without them",
        )
    try:
        header = _read(first)
    except JournalFault as fault:
        if fault.code == "J03":
            raise
        raise JournalFault("J01", "is not a pbcg campaign file") from fault
    if not isinstance(header, dict) or type(header.get("pbcg")) is not int:
        raise JournalFault("J01", "is not a pbcg campaign file")
    if header["pbcg"] > FORM:
        raise JournalFault("J02", "was written by a newer pbcg: install the newest one")
    fits = (
        header.keys() - {"source"} == _HEADER
        and header["pbcg"] == FORM
        and type(header["game"]) is str
        and _is_program(header["program"])
        and _is_time(header["since"])
        and isinstance(header["settings"], dict)
        and isinstance(header["terms"], dict)
    )
    if not fits:
        raise JournalFault("J01", "is not a pbcg campaign file")
    if "source" in header:
        _check_source(header)
    return header


def _check_source(header: dict[str, Any]) -> None:
    """Check that an imported file began as its old settings say. Raises JournalFault."""
    source = header["source"]
    try:
        fits = source.keys() == {"form", "meta"} and source["form"] == 3
        meta = {key: msgspec.json.decode(text) for key, text in source["meta"].items()}
        same = header_line(meta, header["program"], source, header["since"])
        fits = fits and same[:-1] == canonical(header)
    except (AttributeError, TypeError, ValueError, PBCGError) as error:
        raise JournalFault("J15", FAULTS["J15"]) from error
    if not fits:
        raise JournalFault("J15", FAULTS["J15"])


def _is(pattern: re.Pattern[str], text: Any) -> bool:
    return type(text) is str and pattern.fullmatch(text) is not None


def _is_program(text: Any) -> bool:
    return type(text) is str and len(text) <= MAX_PROGRAM


def _is_time(text: Any) -> bool:
    return type(text) is str and _is_there(text)


@lru_cache(maxsize=64)
def _is_there(text: str) -> bool:
    if not _TIME.fullmatch(text):
        return False
    try:
        datetime(*map(int, _DIGITS.findall(text)), tzinfo=UTC)  # type: ignore[arg-type, misc]
    except ValueError:
        return False
    return True
