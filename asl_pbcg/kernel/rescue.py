"""Keeping what can be kept of a damaged campaign file.

Every line before the damage is kept as it is. Where a whole line behind it has a checkpoint, the
game goes on with that one and what follows it; numbers and chain of those are computed again.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from asl_pbcg.kernel.canonical import NotCanonical, NotText, TooDeep, canonical, read_canonical
from asl_pbcg.kernel.checkpoints import part_of, read_checkpoint, renumbered_log
from asl_pbcg.kernel.entries import GAME_KINDS, Entry, encode_entry, read_entry
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import make_new
from asl_pbcg.kernel.journal_faults import JournalFault
from asl_pbcg.kernel.journal_file import read_file
from asl_pbcg.kernel.journal_text import (
    JournalText,
    read_as_far_as_whole,
    without_editor_marks,
)


class Rescued(msgspec.Struct):
    """What was kept of a file: sentences about it; ``whole`` if nothing was wrong."""

    whole: bool
    sentences: list[str]


def rescue(path: Path, new: Path) -> Rescued:
    """Write what can be kept of the file at ``path`` into a new one at ``new``.

    Raises PBCGError if that is nothing, or ``new`` cannot be made. ``path`` is not touched.
    """
    if new.exists() or new.is_symlink():
        raise PBCGError(f"{new} exists already: choose another name or move it away.")
    content = read_file(path)
    if content.startswith(b"SQLite format 3\0"):
        raise PBCGError(
            f"{path} is a file of pbcg 0.2.0: pbcg rescue of that version gets out of it what can "
            "be read; this version imports the result."
        )
    as_stored, content = content, without_editor_marks(content)
    text, damage = read_as_far_as_whole(content, path)
    kept = [line + b"\n" for line in content.split(b"\n")[: len(text.heads)]]
    sentences = []
    if content != as_stored:
        sentences.append(
            "An editor had changed its line ends or put a byte order mark before its first line; "
            "that is undone."
        )
    if damage:
        behind = content.split(b"\n")[len(kept) : -1]
        sentences.append(f"Line {damage.line} cannot be used: {damage.words} ({damage.code}).")
        sentences += _go_on(text, kept, behind)
    elif text.torn:
        sentences.append("The last line was not finished; it is left out.")
    else:
        sentences.append("Nothing is lost.")
    make_new(new, b"".join(kept))
    return Rescued(damage is None, sentences)


def _go_on(text: JournalText, kept: list[bytes], behind: list[bytes]) -> list[str]:
    """Add what can be used of the lines behind the damage to ``kept``; say what is lost."""
    first = len(kept) + 1
    for at, line in enumerate(behind):
        for number, entry in enumerate(_read(line) or ()):
            if entry.kind == "checkpoint" and (
                added := _from_checkpoint(text, behind[at:], number)
            ):
                kept += added
                rest = len(behind) - at - len(added)
                return [
                    f"Lines {first} to {first + at} are lost up to the end of {entry.step}; it "
                    "goes on from the state after that.",
                    *(["The last lines are lost too."] if rest else []),
                ]
    if len(behind) < 2:
        return ["Nothing comes behind it."]
    return ["No checkpoint comes behind it: all from there on is lost."]


def _read(line: bytes) -> list[Entry] | None:
    """Return the entries of a line that is whole in itself; else None."""
    try:
        value = read_canonical(line)
        return [read_entry(stored, 1, value["at"], "") for stored in value["entries"]]
    except (NotText, NotCanonical, TooDeep, JournalFault, KeyError, TypeError):
        return None


def _from_checkpoint(text: JournalText, behind: list[bytes], number: int) -> list[bytes]:
    """Return lines that go on with the checkpoint at ``number`` in the first of ``behind``.

    Empty if it cannot be used: then its old number cannot be told, or it cannot be read.
    """
    entries = _read(behind[0]) or []
    checkpoint, before = entries[number], entries[number - 1] if number else None
    same_part = before is not None and part_of(before.step) == part_of(checkpoint.step)
    if before is None or before.kind not in GAME_KINDS or not same_part:
        return []
    try:
        read_checkpoint(checkpoint)
        move = _Move(checkpoint.body["after"], text)
    except (PBCGError, KeyError, TypeError):
        return []
    added: list[bytes] = []
    for at, line in enumerate(behind):
        try:
            value = read_canonical(line)
            entries = (_read(line) or [])[number if at == 0 else 0 :]
            moved = [move(entry, gap=at == n == 0) for n, entry in enumerate(entries)]
            value |= {
                "entries": [msgspec.Raw(encode_entry(entry)) for entry in moved],
                "n": len(text.heads) + 1,
                "prev": text.heads[-1],
            }
            if (value.get("program"), value.get("rules")) == text.named[-1]:
                del value["program"], value["rules"]
            line = canonical(value) + b"\n"
            text.add(line)
        except (PBCGError, KeyError, TypeError, AttributeError):
            break
        added.append(line)
    return added


class _Move:
    """Gives entries behind a gap the numbers that they have in the new file."""

    def __init__(self, after: int, text: JournalText) -> None:
        self._after = after
        stack = text.standing.stack
        self._here = stack[-1].seq if stack else 0
        self._last = len(text.entries)

    def __call__(self, entry: Entry, gap: bool) -> Entry:
        """Return ``entry`` with its numbers moved. Raises PBCGError for one before the gap."""
        body = entry.body
        if entry.kind == "undo":
            body = {**body, "back_to": self._number(body["back_to"], self._last)}
            if "left" in body:
                body["left"] = [self._number(seq, None) for seq in body["left"]]
        elif entry.kind == "redo":
            body = {"undo": self._number(body["undo"], None)}
        elif entry.kind == "checkpoint":
            body = {
                **body,
                "after": self._number(body["after"], self._here),
                "data": renumbered_log(entry, self._line_number),
            }
            if gap:
                body["gap"] = True
        return msgspec.structs.replace(entry, body=body)

    def _number(self, old: int, at_gap: int | None) -> int:
        if old == self._after and at_gap is not None:
            return at_gap
        if old <= self._after:
            raise PBCGError("It goes back before what was lost.")
        return old - self._after + self._last

    def _line_number(self, old: int) -> int:
        """Return the number of the entry that a line of a log came with; 0 for one that is lost."""
        if old > self._after:
            return old - self._after + self._last
        return old if old <= self._last else 0
