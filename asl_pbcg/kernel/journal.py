"""The journal: the append-only, hash-chained list of answers that a game is made of.

It is a text file with one line for each command (``journal_text`` says what a line is,
``journal_file`` how it comes to the disk). Nothing is ever erased: undo and correction are entries
of their own. One program at a time may write a file, any number may read beside it.
"""

from __future__ import annotations

import bisect
import time
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from asl_pbcg.kernel.canonical import canonical, digest
from asl_pbcg.kernel.checkpoints import read_checkpoint
from asl_pbcg.kernel.entries import (
    KINDS,
    ChangedUnderneath,
    Entry,
    JournalFault,
    WriteFailed,
    encode_entry,
    exception_of,
    faces_of,
    fingerprint,
)
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import keep_copy, make_new
from asl_pbcg.kernel.journal_cache import KeptStates, Snapshot, cache_file, read_text_once
from asl_pbcg.kernel.journal_file import JournalFile, read_file
from asl_pbcg.kernel.journal_text import (
    MAX_ENTRIES,
    MAX_FILE,
    MAX_LINE,
    JournalLine,
    JournalText,
    header_line,
    is_journal,
    is_sqlite_campaign,
    read_text,
    time_of,
)
from asl_pbcg.kernel.rules_print import rules_fingerprint
from asl_pbcg.kernel.standing import Standing, Undone

__all__ = ["Entry", "Journal", "Snapshot", "WriteFailed"]

_WAITS = (0.0, 0.02, 0.05)
"""Seconds between two looks at a file whose last line another program may be writing."""


def is_game_file(path: Path) -> bool:
    """Return whether a file is one of the program's, as its first bytes say."""
    try:
        with path.open("rb") as file:
            beginning = file.read(100)
    except OSError:
        return False
    return is_journal(beginning) or is_sqlite_campaign(beginning)


CheckGame = Callable[[str], None]
"""Refuses a file by the name of its game: raises PBCGError."""


def _any_game(game: str) -> None:
    """Accept every game."""


class Journal:
    """A campaign file held by this program, one that is only read, or a journal in memory."""

    def __init__(
        self,
        text: JournalText,
        program: str,
        path: Path | None = None,
        file: JournalFile | None = None,
        caches: bool = True,
    ) -> None:
        self.path = path
        self._caches = caches
        self.text = text
        """The lines that were read, and what follows from them."""
        self.remarks: list[str] = []
        """Sentences about the file for players, for example of a line that was not finished."""
        self.rules_of: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        """Rooms and data folders whose fingerprint the journal names; the session says which."""
        self._program = program
        self._file = file
        self._new: list[bytes] = []
        """The entries of the transaction in progress, as they are stored."""
        self._writing = False
        self._load_states()
        later = dict.fromkeys(entry.kind for entry in text.entries if entry.kind not in KINDS)
        if later:
            self.remarks.append(
                f"It holds entries that a later version of pbcg made ({', '.join(later)}); they "
                "are kept."
            )

    def _load_states(self) -> None:
        cached = self.path and self._caches
        self.states = KeptStates(cache_file(self.text.heads[0], self._program) if cached else None)
        self.states.load(
            self.text.heads, self.text.standing, lambda seq: read_checkpoint(self.entry(seq))
        )

    # -- opening -----------------------------------------------------------------------

    @classmethod
    def create(cls, path: Path, meta: Mapping[str, Any], program: str) -> Journal:
        """Make a new campaign file at ``path`` that holds ``meta``.

        Raises PBCGError if something stands there already or it cannot be written.
        """
        if path.exists() or path.is_symlink():
            raise PBCGError(f"{path} exists already: choose another name or move it away.")
        make_new(path, header_line(meta, program))
        return cls.open(path, program)

    @classmethod
    def open(cls, path: Path, program: str, check_game: CheckGame = _any_game) -> Journal:
        """Open the campaign file at ``path`` for this program alone.

        Raises PBCGError if it is missing, not a campaign, too new, damaged, held by another
        program, or of a game that ``check_game`` refuses.
        """
        file = JournalFile(path)
        try:
            content = file.content
            text = read_text_once(content, path, program)
            check_game(text.header.game)
            journal = cls(text, program, path, file)
            file.go_on_at(text.size)
            journal._mention_end(len(content), "It is cut off with the next answer.")
            return journal
        except BaseException:
            file.close()
            raise

    @classmethod
    def read(
        cls,
        path: Path,
        program: str,
        check_game: CheckGame = _any_game,
        every_line: bool = False,
    ) -> Journal:
        """Read the campaign file at ``path``, also beside a program that writes to it.

        The file is not touched. With ``every_line`` nothing is taken from a cache or put there.
        Raises PBCGError as ``open`` does.
        """
        for wait in _WAITS:
            time.sleep(wait)
            content = read_file(path)
            if content.endswith(b"\n"):
                break
        text = read_text(content, path) if every_line else read_text_once(content, path, program)
        check_game(text.header.game)
        journal = cls(text, program, path, caches=not every_line)
        journal._mention_end(len(content), "It is left out.")
        return journal

    def read_again(self) -> None:
        """Read a file that changed underneath; what stood in memory is forgotten.

        Raises PBCGError if it cannot be read or is another game now; then nothing has changed.
        """
        assert self.path
        assert self._file
        content = read_file(self.path)
        text = read_text_once(content, self.path, self._program)
        if text.heads[0] != self.text.heads[0]:
            raise PBCGError(f"{self.path} is another game now: open it by itself.")
        self._file.take(content)
        self._file.go_on_at(text.size)
        self.text = text
        self._load_states()

    def _mention_end(self, size: int, done: str) -> None:
        """Mention a last line that was not finished, or has lost its line end."""
        if self.text.torn:
            self.remarks.append(
                f"The last line of {self.path} was not finished when a program or the machine "
                f"stopped. {done} Everything acknowledged before is there."
            )
        elif self.text.size > size:
            self.remarks.append(
                f"The last line of {self.path} has lost its line end, as some editors do; it is "
                "whole and counts."
            )

    @classmethod
    def in_memory(cls, meta: Mapping[str, Any], program: str = "") -> Journal:
        """Return a journal without a file, for tests and simulation."""
        return cls(JournalText.begin(header_line(meta, program)), program)

    # -- the lines ---------------------------------------------------------------------

    def line_of(self, seq: int) -> int:
        """Return the place of the line of the entry ``seq`` among the lines; 0 for the first."""
        return bisect.bisect_left(self.text.starts, seq) - 1 if seq else 0

    def head_of(self, seq: int) -> str:
        """Return the hash of the line of the entry ``seq``, and of the checkpoints played on from.

        It names all lines that the state after that entry was made from.
        """
        return self.text.heads[self.line_of(max(seq, self.states.newest_checkpoint))]

    def rules_at(self, seq: int) -> str:
        """Return the fingerprint of the rules that the line of the entry ``seq`` was made under."""
        return self.text.named[self.line_of(seq)][1]

    def rules_named(self, upto: int | None = None) -> list[str]:
        """Return the fingerprints of the rules of its lines, up to the entry ``upto``."""
        last = None if upto is None else self.line_of(upto) + 1
        return list(dict.fromkeys(rules for _, rules in self.text.named[1:last]))

    def meta(self, key: str) -> Any:
        """Return a setting of the campaign, as it was given when it began; None without one."""
        return self.text.meta().get(key)

    @property
    def head(self) -> str:
        """The hash of the last line."""
        return self.text.heads[-1]

    @property
    def fingerprint(self) -> str:
        """The short fingerprint of the head, as records print it."""
        return fingerprint(self.head)

    # -- the entries -------------------------------------------------------------------

    @property
    def last(self) -> int:
        """The number of the last entry; 0 if there is none."""
        return len(self.text.entries)

    def entries(self, after: int = 0) -> list[Entry]:
        """Return every entry after ``after``, undone ones too, in order."""
        return self.text.entries[after:]

    def entry(self, seq: int) -> Entry:
        """Return the entry ``seq``, undone or not."""
        return self.text.entries[seq - 1]

    def entries_of(self, kind: str, after: int = 0) -> list[Entry]:
        """Return every entry of one kind after ``after``, in order."""
        return [entry for entry in self.entries(after) if entry.kind == kind]

    def standing(self, after: int = 0) -> list[Entry]:
        """Return the entries of the game after ``after`` that no undo has taken."""
        return self.text.standing.standing(after)

    def void(self) -> AbstractSet[int]:
        """Return the numbers of all game entries that an undo has taken."""
        return self.text.standing.void

    def last_undo(self, side: str = "") -> Undone | None:
        """Return the undo that a redo reverses; None when nothing was undone since the last answer.

        With a ``side`` it is one on its own branch of a section.
        """
        standing = self.text.standing
        pile = standing.piles.get(side) if side else standing.pile
        return pile[-1] if pile else None

    def same_command(self, undo: Entry) -> list[Entry]:
        """Return what was written behind an undo by the same command."""
        line = self.line_of(undo.seq) + 1
        end = self.text.starts[line] if line < len(self.text.starts) else None
        return self.text.entries[undo.seq : end]

    def checkpoints(self) -> list[Entry]:
        """Return the checkpoints that stand, in order."""
        stands = self.text.standing.stands
        return [each for each in self.entries_of("checkpoint") if stands(each.body["after"])]

    def situation(self, seq: int = 0, side: str = "") -> bytes:
        """Return the hash of what stands, or stood when the entry ``seq`` was made.

        Of a ``side`` that acts in a section it is what stands on its branch.
        """
        standing = self.text.standing
        return standing.situation_before(seq) if seq else standing.situation(side)

    def thrown_before(self, point: str, about: str, side: str = "") -> tuple[int, ...] | None:
        """Return the campaign's own dice for a roll that was made in this very situation before."""
        for seq in sorted(self.void()):
            roll = self.entry(seq)
            same = roll.kind == "roll" and (roll.point, roll.about) == (point, about)
            own = same and not exception_of(roll.body)
            if own and self.situation(seq) == self.situation(side=side):
                return faces_of(roll.body)
        return None

    # -- writing -----------------------------------------------------------------------

    def keep(self, snapshot: Snapshot) -> None:
        """Keep the state after a finished step: it can always be made again from the entries."""
        self.states.keep(snapshot)

    def save_states(self) -> None:
        """Cache the states kept by now; within a transaction its end does so."""
        if not self._writing:
            self.states.save(self.text.heads)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Write what is appended within as one line, or nothing of it.

        A transaction within another is a part of it. Raises WriteFailed if the disk refuses;
        whatever was raised, the journal is then as it was.
        """
        if self._writing:
            yield
            return
        if self.path and not self._file:
            raise PBCGError(f"{self.path} was opened for reading only.")
        self._writing = True
        try:
            yield
            if self._new:
                self._write_line()
        except BaseException:
            self._roll_back()
            raise
        finally:
            self._writing = False
            self._new = []
        self.states.save(self.text.heads)

    def _write_line(self) -> None:
        text, before = self.text, self.last - len(self._new)
        line = JournalLine(
            at=text.entries[-1].at,
            entries=[msgspec.Raw(stored) for stored in self._new],
            n=len(text.heads) + 1,
            prev=text.heads[-1],
        )
        named = (self._program, rules_fingerprint(*self.rules_of))
        if named != text.named[-1]:
            line.program, line.rules = named
        content = canonical(line) + b"\n"
        if len(content) > MAX_LINE:
            raise PBCGError(f"That is too large to keep: {MAX_LINE:,} bytes are the most.")
        if self.last > MAX_ENTRIES or text.size + len(content) > MAX_FILE:
            raise PBCGError(f"{self.path or 'The journal'} is full: begin another file.")
        if self._file:
            try:
                self._file.append(content)
            except ChangedUnderneath as error:
                raise self._save_missing(error) from error
        text.note(content, before, named)

    def _save_missing(self, error: ChangedUnderneath) -> ChangedUnderneath:
        """Save what was acknowledged beside a file that no longer holds it; say how much it is."""
        assert self.path and self._file
        own = self._file.content[: self.text.size]
        try:
            now = read_file(self.path)
        except PBCGError:
            now = b""
        if now.startswith(own):
            return error
        heads = {digest(line) for line in now.splitlines(keepends=True)}
        shared = next(
            (place for place, head in enumerate(self.text.heads) if head not in heads),
            len(self.text.heads) - 1,
        )
        missing = self.last - len(self._new) - (self.text.starts[shared] if shared else 0)
        try:
            copy = keep_copy(self.path, own)
        except PBCGError:
            return error
        return ChangedUnderneath(error.path, error.how, missing, copy)

    def _roll_back(self) -> None:
        if self._new:
            before = self.last - len(self._new)
            self.text.standing = Standing.of(self.text.entries[:before])
            self.states.drop(before)

    def append(self, entry: Entry) -> Entry:
        """Write ``entry``; when this returns, or the transaction ends, it is on the disk."""
        if not self._writing:
            with self.transaction():
                return self.append(entry)
        stored = encode_entry(entry)
        at = self.text.entries[-1].at if self._new else time_of(int(time.time()))
        entry = msgspec.structs.replace(entry, seq=self.last + 1, at=at, program=self._program)
        try:
            self.text.standing.add(entry)
        except JournalFault as fault:
            raise PBCGError(f"That cannot be kept: {fault} ({fault.code}).") from fault
        self._new.append(stored)
        if entry.kind == "undo":
            self.states.drop(entry.body["back_to"])
        return entry

    def close(self) -> None:
        """Let the file go."""
        if self._file:
            self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
