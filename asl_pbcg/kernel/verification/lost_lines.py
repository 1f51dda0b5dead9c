"""Going on from a checkpoint behind lines that were lost; numbers and chain are computed again."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import UNSET

from asl_pbcg.kernel.canonical import canonical
from asl_pbcg.kernel.checkpoints import part_of, read_checkpoint, renumbered_log
from asl_pbcg.kernel.entries import GAME_KINDS, Entry, JournalFault, encode_entry, read_entry
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal_text import JournalLine, JournalText, read_line

_ReadLine = tuple[JournalLine, list[Entry]]


def go_on_behind(text: JournalText, contents: Sequence[bytes]) -> tuple[list[bytes], list[str]]:
    """Add what goes on from the first checkpoint in ``contents``, the lines behind, to ``text``.

    A lost one is empty. Return the lines added, and what is lost in sentences.
    """
    lines = [_read(content) for content in contents]
    for at, line in enumerate(lines):
        for place, entry in enumerate(line[1] if line else ()):
            if entry.kind == "checkpoint" and (added := _from_checkpoint(text, lines[at:], place)):
                return added, [  # how many lines that is would tell how much is secret
                    f"All from there is lost up to the end of {entry.step}; it goes on from the "
                    "state after that.",
                    *(["The last lines are lost too."] if at + len(added) < len(lines) else []),
                ]
    return [], ["No checkpoint comes behind it: all from there on is lost."]


def _read(content: bytes) -> _ReadLine | None:
    """Return a line that is whole in itself with its entries; else None."""
    try:
        line = read_line(content)
        return line, [read_entry(each, 1, line.at, "") for each in line.entries]
    except JournalFault:
        return None


def _from_checkpoint(text: JournalText, lines: list[_ReadLine | None], place: int) -> list[bytes]:
    """Return lines that go on with the checkpoint at ``place`` in the first of ``lines``.

    Empty if it cannot be used: then its old number cannot be told, or it cannot be read.
    """
    assert lines[0]
    entries = lines[0][1]
    checkpoint, before = entries[place], entries[place - 1]
    same_part = part_of(before.step) == part_of(checkpoint.step)
    if not place or before.kind not in GAME_KINDS or not same_part:
        return []
    renumber = _Renumber(checkpoint.body["after"], text)
    added: list[bytes] = []
    try:
        read_checkpoint(checkpoint)
        for line in lines:
            if line is None:
                break
            moved = [renumber(entry) for entry in line[1][0 if added else place :]]
            if not added:
                moved[0].body["gap"] = True
            content = _chain_line(line[0], moved, text)
            text.add(content)
            added.append(content)
    except PBCGError:
        pass
    return added


def _chain_line(line: JournalLine, entries: list[Entry], text: JournalText) -> bytes:
    """Return a line as the next one of a file, with other entries."""
    same = (line.program, line.rules) == text.named[-1]
    chained = msgspec.structs.replace(
        line,
        entries=[msgspec.Raw(encode_entry(entry)) for entry in entries],
        n=len(text.heads) + 1,
        prev=text.heads[-1],
        program=UNSET if same else line.program,
        rules=UNSET if same else line.rules,
    )
    return canonical(chained) + b"\n"


class _Renumber:
    """Gives entries behind a gap the numbers that they have in the new file."""

    def __init__(self, after: int, text: JournalText) -> None:
        self._after = after
        self._top = text.standing.top
        self._last = len(text.entries)

    def __call__(self, entry: Entry) -> Entry:
        """Return ``entry`` with its numbers moved. Raises PBCGError for one before the gap."""
        body = entry.body
        if entry.kind == "undo":
            body = {**body, "back_to": self._number(body["back_to"], self._last)}
            if "left" in body:
                body["left"] = [self._number(seq) for seq in body["left"]]
        elif entry.kind == "redo":
            body = {"undo": self._number(body["undo"])}
        elif entry.kind == "checkpoint":
            body = {
                **body,
                "after": self._number(body["after"], self._top),
                "data": renumbered_log(entry, self._line_number),
            }
        on = tuple(self._number(seq, self._top) for seq in entry.on)
        return msgspec.structs.replace(entry, body=body, on=on)

    def _number(self, old: int, at_gap: int | None = None) -> int:
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
