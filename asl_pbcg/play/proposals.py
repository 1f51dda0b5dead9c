"""What a side proposes where both must agree: kept beside the game file until somebody answers."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any, Final

import msgspec

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import write_atomic
from asl_pbcg.kernel.textfiles import read_limited

MOST: Final = 8 * 1024 * 1024
"""So many bytes of the file are read: what each side gives may be a whole position."""


class Proposal(msgspec.Struct, frozen=True):
    """What ``side`` would answer to ``prompt``."""

    prompt: str
    side: str
    value: Any


class _Kept(msgspec.Struct, frozen=True):
    head: str
    made: tuple[Proposal, ...]


class Proposals:
    """The proposals of the game in the file ``game``; of one without a file in memory alone.

    They were made where its journal ends with ``head``, and stand for as long as it ends so:
    whatever is answered, thrown, taken back or corrected there, by whatever program, ends them.
    Both sides may know all of them.
    """

    def __init__(self, game: Path | None, head: str) -> None:
        self._file = proposals_file(game) if game else None
        self._head = head
        self._made = _read(self._file, head) if self._file else ()

    def at(self, head: str, prompt: str) -> dict[str, Any]:
        """What each side proposes for ``prompt`` where the journal ends with ``head``."""
        if head != self._head:
            return {}
        return {each.side: each.value for each in self._made if each.prompt == prompt}

    def make(self, head: str, made: Proposal) -> None:
        """Take in a proposal, in place of an earlier one of its side.

        It is on the disk when this returns. Raises PBCGError if it cannot be written; the
        earlier one stands then.
        """
        others = [each for each in self._made if each.side != made.side and head == self._head]
        kept = _Kept(head, (*others, made))
        if self._file:
            write_atomic(self._file, msgspec.json.encode(kept))
        self._head, self._made = head, kept.made

    def clear(self) -> None:
        """Nothing is proposed any more."""
        self._made = ()
        if self._file:
            with contextlib.suppress(OSError):  # what is left there is of another end
                self._file.unlink(missing_ok=True)


def proposals_file(game: Path) -> Path:
    """Where the proposals of a game are kept: beside its file."""
    return game.with_name(f".{game.name}.proposals.json")


def same_value(value: Any) -> Any:
    """An answer as it is kept: lists, no tuples; so that equal ones compare equal."""
    return msgspec.json.decode(msgspec.json.encode(value))


def _read(file: Path, head: str) -> tuple[Proposal, ...]:
    """What stands there for this end of the journal; nothing where it is damaged."""
    with contextlib.suppress(OSError, PBCGError, msgspec.DecodeError, RecursionError):
        if file.exists():
            kept = msgspec.json.decode(read_limited(file, MOST), type=_Kept)
            if kept.head == head:
                return kept.made
    return ()
